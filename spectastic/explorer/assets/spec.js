"use strict";
// The labels of citations: beside their token, never outside of the window, away with Escape (WCAG 2.2, 1.4.13).
(() => {
  const root = document.documentElement;
  const EDGE = 8;

  function place(cite) {
    const tip = cite.querySelector(".tip");
    const token = cite.querySelector(".citation").getClientRects()[0];
    // What a scroll bar may take is no part of the body.
    const room = document.body.clientWidth - tip.offsetWidth - EDGE;
    // Fixed, since what scrolls would cut it off. It touches the token, so that the pointer can go there.
    tip.style.left = `${Math.max(EDGE, Math.min(token.left, room))}px`;
    // Below, for above there may be the badge.
    const fits = token.bottom + tip.offsetHeight < root.clientHeight;
    tip.style.top = `${fits ? token.bottom : token.top - tip.offsetHeight}px`;
  }

  function show(event) {
    const cite = event.target.closest?.(".cite");
    if (!cite || event.target.closest(".tip")) return;
    delete root.dataset.quiet;
    place(cite);
  }

  function follow() {
    for (const cite of document.querySelectorAll(".cite:hover, .cite:focus-within")) place(cite);
  }

  root.dataset.labels = "placed";
  addEventListener("pointerover", show);
  addEventListener("focusin", show);
  addEventListener("scroll", follow, { capture: true, passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") root.dataset.quiet = "";
  });
})();
