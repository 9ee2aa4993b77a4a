"use strict";
// Elements out of data. What others wrote goes in as text, never as markup.
globalThis.SpectasticDom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  // A new element; `properties` are attributes, children are elements, text, or nothing.
  function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
    return element;
  }

  // A state as colour, shape and word.
  function state(name, text = name) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#mark-${name}`);
    svg.append(use);
    return make("span", { class: `state state-${name}` }, svg, text);
  }

  // Names and values; those without a value are left out.
  function facts(pairs) {
    const shown = pairs.filter(([, value]) => value !== null && value !== "");
    return make("dl", { class: "facts" }, shown.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  }

  return { make, state, facts };
})();
