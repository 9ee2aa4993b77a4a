"use strict";
// The address of a reference in the page: #KB-0001, #KB-0001@2024-05-28, #KB-0001@2024-05-28&from=2017-09-05.
globalThis.SpectasticAddress = (() => {
  function write(id, edition = null, from = null) {
    const pin = edition === null ? "" : `@${encodeURIComponent(edition)}`;
    return `#${id}${pin}${from === null ? "" : `&from=${encodeURIComponent(from)}`}`;
  }

  // What an address names, null where it names no reference.
  function read(hash) {
    const match = /^#(KB-[0-9]{3,})(?:@([^&]*))?(?:&from=(.*))?$/.exec(hash);
    if (match === null) return null;
    const [, id, edition, from] = match;
    return { id, edition: decoded(edition) || null, from: decoded(from) || null };
  }

  function decoded(text) {
    if (text === undefined) return null;
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  return { read, write };
})();
