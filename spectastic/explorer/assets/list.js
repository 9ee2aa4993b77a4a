"use strict";
// The table of references: search as you type, filters, order. The rows are there already; they are hidden and moved.
globalThis.SpectasticList = (() => {
  const FILTERS = ["pack", "license", "status", "cited"];
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  function start() {
    const body = document.querySelector("#references tbody");
    const rows = [...body.rows].map((row, place) => ({ row, place, words: folded(words(row)) }));
    const search = document.querySelector("#search");
    const filters = FILTERS.map((name) => [name, document.querySelector(`#by-${name}`)]);

    function fits({ row, words: own }) {
      const wanted = folded(search.value).split(/\s+/);
      if (!wanted.every((word) => own.includes(word))) return false;
      return filters.every(([name, select]) => {
        if (select.value === "") return true;
        const value = row.dataset[name];
        return name === "cited" ? value.split(" ").includes(select.value) : `=${value}` === select.value;
      });
    }

    function refresh() {
      let shown = 0;
      for (const entry of rows) {
        entry.row.hidden = !fits(entry);
        shown += entry.row.hidden ? 0 : 1;
      }
      const all = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "reference" : "references"}`;
      const count = document.querySelector("#count");
      count.textContent = shown === rows.length ? all : `${shown.toLocaleString("en")} of ${all}`;
      document.querySelector("#nothing").hidden = shown > 0 || rows.length === 0;
    }

    search.addEventListener("input", refresh);
    search.addEventListener("keydown", (event) => {
      const first = [...body.rows].find((row) => !row.hidden);
      if (event.key === "Enter" && first) first.querySelector("a.id").click();
    });
    for (const [, select] of filters) select.addEventListener("change", refresh);
    document.querySelector("#clear").addEventListener("click", () => {
      search.value = "";
      for (const [, select] of filters) select.value = "";
      refresh();
      search.focus();
    });
    for (const button of document.querySelectorAll(".sort")) {
      button.addEventListener("click", () => sort(button, body, rows));
    }
    refresh();
  }

  function words(row) {
    return [0, 1, 2].map((cell) => row.cells[cell].textContent).join(" ");
  }

  // By one column; in the order of the registry where that says the same of two rows.
  function sort(button, body, rows) {
    const head = button.closest("th");
    const rising = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const column = Number(button.dataset.column);
    const key = ({ row }) => row.cells[column].dataset.value ?? row.cells[column].textContent;
    const order = (one, other) => (rising ? 1 : -1) * collator.compare(key(one), key(other)) || one.place - other.place;
    body.append(...[...rows].sort(order).map(({ row }) => row));
  }

  return { start };
})();
