"use strict";
// The page: unpacks its data, shows the list or the reference that the address names, and keeps the theme.
(() => {
  const list = document.querySelector("#list");
  const detail = document.querySelector("#detail");
  const status = document.querySelector("#status");
  const title = document.title;
  let scrolled = 0;
  let left = null;

  async function unpack() {
    const packed = Uint8Array.from(atob(document.querySelector("#data").textContent), (byte) => byte.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).json();
  }

  function say(text) {
    status.textContent = text;
    status.hidden = text === "";
  }

  function show(references, first) {
    const wanted = globalThis.SpectasticAddress.read(location.hash);
    const reference = wanted === null ? undefined : references.get(wanted.id);
    if (wanted === null) say(isPlace(location.hash) ? "" : "This address names no reference: one is #KB-0001 or #KB-0001@EDITION.");
    else say(reference === undefined ? `${wanted.id} is not registered here.` : "");
    if (!list.hidden && reference !== undefined) scrolled = scrollY;
    const opened = reference !== undefined;
    document.documentElement.dataset.view = opened ? "detail" : "list";
    list.hidden = opened;
    detail.hidden = !opened;
    document.title = opened ? `${location.hash.slice(1)} · ${title}` : title;
    if (opened) {
      left = reference.id;
      const edition = meant(reference, wanted.edition);
      detail.replaceChildren(...globalThis.SpectasticReference.view(reference, edition, wanted.from));
      scrollTo({ top: 0, behavior: "instant" });
      if (!first) detail.querySelector("h2").focus({ preventScroll: true });
    } else if (!first) {
      detail.replaceChildren();
      scrollTo({ top: scrolled, behavior: "instant" });
      document.querySelector(`#references a[href="#${left}"]`)?.focus({ preventScroll: true });
    }
  }

  // Whether an address is that of the page, or of a part of it.
  function isPlace(hash) {
    return hash.length < 2 || document.getElementById(hash.slice(1)) !== null;
  }

  // An edition without what was copied along behind it, such as a full stop, where only that one exists.
  function meant({ editions }, edition) {
    const known = (name) => editions.some((one) => one.name === name);
    if (edition === null || known(edition)) return edition;
    const stripped = edition.replace(/[.,;:!?)\]}>"'…]+$/u, "");
    return known(stripped) ? stripped : edition;
  }

  // To the content, in the view that is open: an address of its own would leave a reference.
  function skip() {
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      document.querySelector("main").focus();
    });
  }

  function theme() {
    const button = document.querySelector("#theme");
    const order = ["", "light", "dark"];
    const names = { "": "as the system has it", light: "light", dark: "dark" };
    const root = document.documentElement;
    const tell = () => button.setAttribute("aria-label", `Theme: ${names[root.dataset.theme ?? ""]}`);
    button.addEventListener("click", () => {
      const next = order[(order.indexOf(root.dataset.theme ?? "") + 1) % order.length];
      if (next) root.dataset.theme = next;
      else delete root.dataset.theme;
      try {
        localStorage.setItem("spectastic-theme", next);
      } catch {
        // It holds until the page is closed.
      }
      tell();
    });
    tell();
  }

  async function start() {
    history.scrollRestoration = "manual";
    theme();
    skip();
    globalThis.SpectasticList.start();
    const data = await unpack();
    const references = new Map(data.references.map((reference) => [reference.id, reference]));
    addEventListener("hashchange", () => show(references, false));
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !detail.hidden && !event.defaultPrevented) location.hash = "";
    });
    globalThis.SpectasticAnswer.start(data.resolver);
    show(references, true);
    document.documentElement.dataset.shown = "";
    document.dispatchEvent(new Event("spectastic-shown"));
  }

  start().catch((error) => say(`This page could not read its own data: ${error.message}`));
})();
