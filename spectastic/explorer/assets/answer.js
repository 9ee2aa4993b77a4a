"use strict";
// The resolver as somebody types: the token taken apart, the row, the edition, the state, what validate would find.
globalThis.SpectasticAnswer = (() => {
  const { make, state, facts } = globalThis.SpectasticDom;
  const ROLES = { prefix: "prefix", dash: "hyphen", number: "number", at: "pin", edition: "edition" };
  const SHAPE = "No citation: one is KB-, three or more digits and, where an edition is pinned, @ and the edition.";

  function start(data) {
    const input = document.querySelector("#token");
    const place = document.querySelector("#answer");
    const before = [...place.childNodes];
    const refresh = () => {
      if (input.value.trim() === "") {
        place.replaceChildren(...before);
        return;
      }
      const found = globalThis.SpectasticResolver.read(input.value, data);
      place.replaceChildren(...(found.length ? found.map(answer) : [make("p", { class: "help" }, SHAPE)]));
    };
    input.addEventListener("input", refresh);
    document.querySelector("#try").addEventListener("click", () => {
      input.value = input.placeholder;
      refresh();
      input.focus();
    });
    refresh();
  }

  function answer(found) {
    const leads = found.path !== null && found.edition !== null;
    const link = leads ? globalThis.SpectasticAddress.write(found.id, found.edition) : null;
    return make(
      "div",
      { class: "answer" },
      make("div", {}, make("span", { class: "token" }, found.parts.map(part)), state(found.state)),
      facts([
        ["Row", found.row === null ? "" : `${found.id}, edition ${found.row.edition || "none"}: ${found.label}`],
        ["Leads to", leads ? make("a", { href: link }, `${found.id}@${found.edition}`) : ""],
        ["Which is", found.outcome === null || found.outcome === "nothing" ? "" : `the ${found.outcome} edition`],
        ["Document", leads ? make("code", {}, found.path) : ""],
      ]),
      found.findings.map(finding),
      found.findings.length ? null : make("p", { class: "help" }, "validate finds nothing to report."),
    );
  }

  function part({ text, role }) {
    return make("span", { class: `part part-${role}` }, text, make("small", {}, ROLES[role] ?? role));
  }

  function finding({ rule, severity, message, hint }) {
    return make(
      "div",
      { class: "finding" },
      make("p", {}, make("span", { class: "rule" }, `${severity}: ${rule}`)),
      make("p", {}, message),
      hint ? make("p", { class: "help" }, hint) : null,
    );
  }

  return { start };
})();
