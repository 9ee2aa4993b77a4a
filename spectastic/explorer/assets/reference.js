"use strict";
// One reference: its text at an edition, where it came from, what cites it, what changed.
globalThis.SpectasticReference = (() => {
  const { make, state, facts } = globalThis.SpectasticDom;
  const address = globalThis.SpectasticAddress.write;
  const TOLD = ["content-hash", "edition", "license", "slug", "status", "title"];
  const HASHES = {
    matches: ["good", "matches the text"],
    differs: ["bad", "differs from that of the text"],
    missing: ["bad", "never computed"],
    malformed: ["bad", "is no hash"],
    none: ["bad", "none: the document has no frontmatter"],
  };

  // The elements of a view. `edition` is null for the current one.
  function view(reference, edition, from) {
    const newest = reference.editions[0] ?? null;
    const shown = edition === null ? newest : (reference.editions.find(({ name }) => name === edition) ?? null);
    return [
      make("a", { class: "back", href: "#" }, "← All references"),
      make("h2", { tabindex: "-1" }, reference.title || reference.id),
      make("p", {}, make("code", {}, shown === null ? reference.id : `${reference.id}@${shown.name}`), ` ${reference.label}`),
      shown === null ? missing(reference, edition) : null,
      make("div", { class: "columns" }, shown === null ? null : body(shown), aside(reference, shown, edition)),
      citing(reference),
      compare(reference, shown, edition, from),
    ].filter((part) => part !== null);
  }

  function missing(reference, edition) {
    const said = edition === null ? "no document that can be read" : `no edition ${edition}`;
    return make("p", { class: "note" }, `${reference.id} has ${said}.`);
  }

  function body(shown) {
    const place = make("div", { class: "body prose" });
    // Rendered and cleaned when the page was made; nothing in it can run or load.
    place.innerHTML = shown.html;
    return place;
  }

  function aside(reference, shown, edition) {
    // Of an edition that does not exist, nothing is known; of a row without a document, its status.
    const status = edition === null ? reference.status : "";
    return make(
      "aside",
      { "aria-label": "About this edition" },
      make("h3", { class: "part-title" }, "Editions"),
      timeline(reference, shown),
      make("h3", { class: "part-title" }, "Where it comes from"),
      facts([
        ["Pack", reference.pack],
        ["Published as", [reference.marketplace, reference.plugin].filter(Boolean).join(" · ")],
        ["Slug", reference.slug],
        ["Status", shown === null ? status : shown.outcome === "current" ? reference.status : "superseded"],
        ["License", shown === null ? "" : license(shown)],
        ["Hash", shown === null ? "" : hash(shown.hash)],
        ["Document", shown === null ? "" : make("code", {}, shown.path)],
        ...(shown === null ? [] : provenance(shown)),
      ]),
    );
  }

  // What the document says of itself, without what stands above already.
  function provenance(shown) {
    const own = shown.fields.filter(([name]) => !TOLD.includes(name));
    return own.map(([name, value]) => [titled(name), /^https?:\/\//.test(value) ? outside(value) : value]);
  }

  function titled(name) {
    return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
  }

  function outside(url) {
    return make("a", { href: url, rel: "noopener noreferrer nofollow" }, url);
  }

  function timeline(reference, shown) {
    const items = reference.editions.map(({ name, outcome }) => {
      const current = shown !== null && shown.name === name;
      const link = make("a", { href: address(reference.id, name), "aria-current": current ? "true" : null }, name);
      return make("li", { class: outcome === "current" ? "now" : null }, link, ` ${outcome}`);
    });
    return items.length ? make("ol", { class: "timeline" }, items) : make("p", {}, "None has a document.");
  }

  function license({ license: own, permissive }) {
    if (permissive === null) return verdict("bad", "none declared");
    return [`${own} `, permissive ? verdict("good", "permissive") : verdict("bad", "not permissive")];
  }

  function hash({ state: found, declared, computed }) {
    const [kind, text] = HASHES[found];
    const digest = found === "matches" ? declared : computed;
    return [verdict(kind, text), digest ? make("div", {}, make("code", {}, digest)) : ""];
  }

  function verdict(kind, text) {
    return make("span", { class: `verdict ${kind}` }, `${kind === "good" ? "✓" : "✗"} ${text}`);
  }

  function citing(reference) {
    const items = reference.citing.map((use) => {
      const where = `${use.path}:${use.line}`;
      const named = use.inside ? (use.decision === null ? "" : `, ${use.decision}`) : ", outside of decisions";
      return make(
        "li",
        {},
        make("code", { class: "cited" }, use.citation),
        state(use.state),
        " ",
        make("span", { class: "where" }, where + named),
      );
    });
    return make(
      "section",
      { "aria-labelledby": "citing-title" },
      make("h3", { class: "part-title", id: "citing-title" }, "Cited by"),
      items.length ? make("ul", { class: "uses" }, items) : make("p", {}, "No decision cites it."),
    );
  }

  // The edition that is shown, and each one that there is a comparison with.
  function compare(reference, shown, edition, from) {
    const changes = shown === null ? [] : reference.changes.filter((change) => [change.old, change.new].includes(shown.name));
    if (changes.length === 0) return null;
    const other = (change) => (change.old === shown.name ? change.new : change.old);
    const place = make("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "What changed" });
    const said = make("p", { class: "compared" });
    const wanted = changes.find((change) => other(change) === from);
    const chosen = from === null ? (changes.find((change) => change.new === shown.name) ?? changes[0]) : wanted;
    const select = make(
      "select",
      { id: "compared" },
      chosen === undefined ? make("option", { value: "", selected: true }, "none") : null,
      changes.map((change, at) =>
        make("option", { value: at, selected: change === chosen }, `${change.old} → ${change.new}`),
      ),
    );
    const refresh = () => {
      const change = select.value === "" ? undefined : changes[Number(select.value)];
      said.textContent =
        change === undefined
          ? `${reference.id}@${shown.name} cannot be compared with ${from}: choose another edition.`
          : `From ${change.old} to ${change.new}.`;
      place.hidden = change === undefined;
      place.replaceChildren();
      // One by one: a call takes only so many arguments.
      for (const piece of change === undefined ? [] : pieces(reference, change)) place.append(piece);
      return change;
    };
    select.addEventListener("change", () => {
      const change = refresh();
      if (change !== undefined) history.replaceState(null, "", address(reference.id, edition, other(change)));
    });
    refresh();
    return make(
      "section",
      { "aria-labelledby": "compare-title" },
      make("h3", { class: "part-title", id: "compare-title" }, "What changed"),
      make("div", { class: "compare" }, make("div", { class: "field" }, make("label", { for: "compared" }, "Editions"), select)),
      said,
      place,
    );
  }

  function pieces(reference, change) {
    const text = (name) => reference.editions.find((edition) => edition.name === name).text;
    const [old, now] = [text(change.old), text(change.new)];
    let [left, right] = [0, 0];
    return change.pieces.flatMap(([same, gone, added]) => {
      const before = old.slice(left, (left += gone));
      const after = now.slice(right, (right += added));
      return same ? [after] : replaced(before, after);
    });
  }

  // The blanks behind words stand as they do in the newer text, and are no part of what changed.
  function replaced(before, after) {
    if ((before + after).trim() === "") return [after];
    const [gone, added] = [before.trimEnd(), after.trimEnd()];
    const marks = [gone && make("del", {}, gone), added && make("ins", {}, added)].filter(Boolean);
    const behind = after === "" ? before.slice(gone.length) : after.slice(added.length);
    return [...(marks.length === 2 ? [marks[0], " ", marks[1]] : marks), behind];
  }

  return { view };
})();
