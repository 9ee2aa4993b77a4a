// A page that `spectastic explore --serve` gave follows its server: it shows the page that was built last, at the
// same place, and says so where that cannot be had.
(() => {
  "use strict";
  const PLACE = "spectastic-place";
  const GONE = "The server does not answer: what you see may be out of date.";
  const REFUSED = "The server does not tell this page of changes: what you see may be out of date.";
  const FAILED = "What changed could not be shown, so this is the last page that could be built: ";
  const PATIENCE = 1000;
  const LATER = 10000;

  // There from the start, or nobody would be told of what it says.
  const status = document.createElement("p");
  status.className = "live";
  status.setAttribute("role", "status");
  document.body.append(status);
  const say = (text) => {
    if (status.textContent !== text) {
      status.textContent = text;
    }
  };

  const FIELDS = "#token, #search, .filters select";
  const sorted = () => document.querySelector("#references th[aria-sort]");

  // Where there is no storage, the page begins anew.
  const keepPlace = () => {
    const fields = [...document.querySelectorAll(FIELDS)].map(({ id, value }) => [id, value]);
    const head = sorted();
    const order = head && [head.cellIndex, head.getAttribute("aria-sort")];
    const kept = { hash: location.hash, left: scrollX, top: scrollY, fields, order, focus: document.activeElement?.id };
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(kept));
    } catch {}
  };
  const keptPlace = () => {
    try {
      const place = JSON.parse(sessionStorage.getItem(PLACE));
      sessionStorage.removeItem(PLACE);
      return place;
    } catch {
      return null;
    }
  };

  const restore = ({ hash, left, top, fields, order, focus }) => {
    for (const [id, value] of fields) {
      const field = document.getElementById(id);
      if (field === null || field.value === value) continue;
      field.value = value;
      field.dispatchEvent(new Event(field.localName === "select" ? "change" : "input"));
    }
    if (order) {
      const head = document.querySelector("#references thead tr").cells[order[0]];
      for (let turn = 0; turn < 2 && head && head.getAttribute("aria-sort") !== order[1]; turn++) head.querySelector("button").click();
    }
    if (hash !== location.hash) return;
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    scrollTo({ left, top, behavior: "instant" });
  };

  const place = keptPlace();
  if (place !== null) {
    // After the page is there, and the browser went where it thinks best.
    const loaded = new Promise((done) => (document.readyState === "complete" ? done() : addEventListener("load", done)));
    const shown =
      document.querySelector("#detail") &&
      new Promise((done) => document.addEventListener("spectastic-shown", done, { once: true }));
    Promise.all([loaded, shown]).then(() => setTimeout(() => restore(place)));
  }

  const [visit] = performance.getEntriesByType("navigation");
  let shown = visit?.serverTiming?.find((entry) => entry.name === "page")?.description ?? "";
  let stream = null;
  let timer = 0;

  const rest = () => {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  };
  const hear = (event) => {
    clearTimeout(timer);
    const { page, trouble } = JSON.parse(event.data);
    shown ||= page;
    if (page === shown) {
      say(trouble && FAILED + trouble);
      return;
    }
    rest();
    keepPlace();
    location.reload();
  };
  const miss = () => {
    const refused = stream.readyState === EventSource.CLOSED;
    clearTimeout(timer);
    timer = setTimeout(say, PATIENCE, refused ? REFUSED : GONE);
    if (refused) {
      stream = null;
      setTimeout(follow, LATER);
    }
  };
  // A browser has few connections to one server, so a page that nobody sees leaves its own to others.
  const follow = () => {
    if (stream === null && document.visibilityState === "visible") {
      stream = new EventSource("/events");
      stream.addEventListener("message", hear);
      stream.addEventListener("error", miss);
    }
  };
  document.addEventListener("visibilitychange", () => {
    rest();
    follow();
  });
  follow();
})();
