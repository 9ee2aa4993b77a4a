"use strict";
// What a citation leads to and what `validate` says of it. All that depends on the corpus alone was worked out by
// the rules themselves and comes with the data; here stands what depends on the text that somebody types.
globalThis.SpectasticResolver = (() => {
  const NOTHING = "nothing";
  const STATES = { nothing: "ungrounded", superseded: "stale" };
  const SHAPE = "a citation is KB-, three or more digits, @ and an edition, as in KB-<digits>@<edition>";
  // Longer numbers are nobody's typo.
  const MAX_DIGITS = 20;
  const DIGITS = [..."0123456789"];
  const prepared = new WeakMap();

  // The answers to every citation and near miss in a text, in order.
  function read(text, data) {
    if (!prepared.has(data)) prepared.set(data, reader(data));
    return prepared.get(data)(text);
  }

  function reader(data) {
    const { find, canEndAt, parse, short, parts } = globalThis.SpectasticGrammar(data);
    const { broken, unknown, missing, rules } = data;
    const references = new Map(data.references.map((packed) => unpacked(packed)).map((one) => [one.row.id, one]));
    const nearest = nearestOf([...references.keys()]);

    // The order is that of spectastic/explorer/resolving.py.
    function unpacked([label, [id, edition, title, slug, pack, status], known, bare, hint, own]) {
      const editions = known.map(led);
      const row = { id, edition, title, slug, pack, status };
      // Without a pin, a citation leads to the first of them, if to any.
      return { label, row, editions, bare: { ...editions[0], ...led(bare) }, hint, own: own && led(own) };
    }

    function led([edition, outcome, place, ...said]) {
      if (outcome === NOTHING) return { edition, ...nothing(place, said[0]) };
      const findings = said.map(([rule, message, advice]) => finding(rules[rule][0], message, advice));
      return { outcome, findings, ...(edition === null ? {} : { edition, path: place }) };
    }

    function readText(text) {
      // Half a character has no place in a file.
      const plain = text.replace(/\p{Cs}/gu, "?");
      const [kept, malformed, misspelt] = [[], [], []];
      for (const found of find(plain)) {
        if (found.message === undefined) settle(found, kept, misspelt);
        else malformed.push({ ...found, text: plain.slice(found.start, found.end) });
      }
      const answers = [...kept.map(ofCitation), ...[...malformed, ...misspelt].map(ofMalformed)];
      return answers.sort((one, other) => one.start - other.start).map(({ answer }) => inForce(answer));
    }

    // A rule that is not in force here has no severity.
    function inForce(answer) {
      return { ...answer, findings: answer.findings.filter(({ severity }) => severity !== null) };
    }

    // Ends a citation where the edition that it leads to ends. One that leads nowhere and is spelt oddly is a near miss.
    function settle(token, kept, misspelt) {
      const found = resolve(token);
      if (found.outcome !== NOTHING) {
        const edition = token.run === null ? null : found.edition;
        kept.push({ ...token, edition, found });
        misspelt.push(...behind(token, edition));
      } else if (token.fault === null) {
        kept.push({ ...token, found });
      } else {
        misspelt.push({ ...token.fault, text: written(token) });
      }
    }

    // The near misses in what an author would read as the edition, behind the edition that exists.
    function behind({ run, runStart, edition }, ended) {
      if (run === null || ended.length >= edition.length) return [];
      const rest = run.slice(ended.length, edition.length);
      const base = runStart + ended.length;
      return [...find(rest)]
        .filter((found) => found.message !== undefined)
        .map((found) => ({ ...found, start: base + found.start, text: rest.slice(found.start, found.end) }));
    }

    function resolve({ id, edition, run }) {
      const reference = references.get(id);
      if (reference === undefined) return unregistered(id, edition);
      const name = run === null ? edition : longest(reference, run) ?? edition;
      if (name === null) return reference.bare;
      const known = named(reference, name) ?? (reference.own?.edition === name ? reference.own : null);
      return known ?? nothing(short(id, 40) + missing.join(short(name, 40)), reference.hint);
    }

    function named(reference, edition) {
      return reference.editions.find((known) => known.edition === edition);
    }

    // The longest edition that a run begins with and may end at.
    function longest({ editions }, run) {
      return editions
        .map(({ edition }) => edition)
        .filter((edition) => run.startsWith(edition) && canEndAt(run, edition.length))
        .reduce((most, edition) => (most === null || edition.length > most.length ? edition : most), null);
    }

    function unregistered(id, edition) {
      if (Object.hasOwn(broken, id)) return nothing(...broken[id]);
      const near = nearest(id, (known) => named(references.get(known), edition) !== undefined);
      const hint = `did you mean ${near} (${near && short(references.get(near).label)})? Otherwise register the reference first`;
      return nothing(unknown.reason.join(short(id, 40)), near === null ? unknown.hint : hint);
    }

    function ofCitation(citation) {
      const { id, edition, found, start } = citation;
      const text = written(citation);
      const leads = found.outcome !== NOTHING;
      const reference = references.get(id);
      const bare = edition === null;
      const answer = {
        text,
        id,
        pinned: edition,
        outcome: found.outcome,
        edition: leads ? found.edition : null,
        path: leads ? found.path : null,
        label: reference?.label ?? null,
        row: reference?.row ?? null,
        state: STATES[found.outcome] ?? (bare ? "unpinned" : "grounded"),
        findings: leads ? found.findings : [provenance(short(text), found), ...(bare ? [unpinned(id)] : [])],
        parts: parts(text),
      };
      return { start, answer };
    }

    function ofMalformed({ text, message, suggestion, start }) {
      const findings = [finding("corpus-citation-form", message, remedy(text, suggestion))];
      const meant = parse(suggestion ?? text.replace(/(?<!@)@+$/, ""));
      if (meant !== null) {
        const [id, edition] = meant;
        const found = resolve({ id, edition, run: edition });
        const said = `${short(text)} resolves to nothing, even read as ${short(written({ id, edition }))}`;
        if (found.outcome === NOTHING) findings.unshift(reported(said, found));
      }
      const empty = { id: null, pinned: null, outcome: null, edition: null, path: null, label: null, row: null };
      return { start, answer: { text, ...empty, state: "ungrounded", findings, parts: parts(text) } };
    }

    // The token to write or, where only its author knows, the one that comes nearest.
    function remedy(text, suggestion) {
      if (suggestion !== null) return `write ${short(suggestion)}`;
      const near = nearest(`KB-${/[0-9]+/.exec(text)?.[0] ?? ""}`, () => false);
      if (near === null) return SHAPE;
      const meant = text.slice(text.lastIndexOf("@") + 1);
      const { editions } = references.get(near);
      const edition = named(references.get(near), meant)?.edition ?? editions[0]?.edition ?? "<edition>";
      return `if ${near} is meant, write ${near}@${short(edition)}`;
    }

    function provenance(said, found) {
      return reported(`${said} resolves to nothing`, found);
    }

    function reported(said, { reason, hint }) {
      return finding("corpus-provenance", `${said}: ${reason}`, hint);
    }

    function unpinned(id) {
      const message = `${short(id, 40)} pins no edition`;
      return finding("corpus-citation-form", message, `write ${short(id, 40)}@<edition>`);
    }

    function finding(rule, message, hint) {
      return { rule, severity: rules.find(([id]) => id === rule)[1], message, hint };
    }

    return readText;
  }

  function nothing(reason, hint) {
    return { outcome: NOTHING, reason, hint };
  }

  function written({ id, edition }) {
    return edition === null ? id : `${id}@${edition}`;
  }

  // The registered id that a mistyped one most likely meant (spectastic/corpus/nearest.py).
  function nearestOf(ids) {
    const known = new Set(ids);
    const byNumber = new Map();
    for (const id of ids.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))) {
      const number = id.slice(3).replace(/^0+/, "");
      if (!byNumber.has(number)) byNumber.set(number, id);
    }
    return (id, fits) => {
      const digits = id.slice(3);
      if (digits === "" || digits.length > MAX_DIGITS) return null;
      const same = byNumber.get(digits.replace(/^0+/, ""));
      return same ?? closest(digits, known, fits);
    };
  }

  function closest(digits, known, fits) {
    const close = [swapped, wrong, omitted, surplus].flatMap((slips, kind) => {
      const ids = slips(digits).map((slip) => `KB-${slip}`);
      return ids.filter((id) => known.has(id)).map((id) => {
        const meant = BigInt(id.slice(3));
        const away = meant - BigInt(digits);
        return [fits(id) ? 0 : 1, kind, away < 0n ? -away : away, meant, id];
      });
    });
    return close.sort(compare)[0]?.at(-1) ?? null;
  }

  function compare(one, other) {
    const at = one.findIndex((value, index) => value !== other[index]);
    return at < 0 ? 0 : one[at] < other[at] ? -1 : 1;
  }

  // People swap two digits, get one wrong, leave one out, or type one too many.
  function swapped(digits) {
    return at(digits.length - 1, (i) => digits.slice(0, i) + digits[i + 1] + digits[i] + digits.slice(i + 2));
  }

  function wrong(digits) {
    return at(digits.length, (i) => DIGITS.map((digit) => digits.slice(0, i) + digit + digits.slice(i + 1)));
  }

  function omitted(digits) {
    return at(digits.length + 1, (i) => DIGITS.map((digit) => digits.slice(0, i) + digit + digits.slice(i)));
  }

  function surplus(digits) {
    return at(digits.length, (i) => digits.slice(0, i) + digits.slice(i + 1));
  }

  function at(count, slip) {
    return Array.from({ length: count }, (_, index) => slip(index)).flat();
  }

  return { read };
})();
