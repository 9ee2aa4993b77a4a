"use strict";
// The citation grammar (DESIGN section 3), as spectastic/spec/citation.py reads it. Which characters are of which
// kind comes with the data: browsers know other versions of Unicode. Every loop is linear in the text.
globalThis.SpectasticGrammar = ({ classes, names }) => {
  const { k, b, dashes, at, closing, trailing, joiners, invisible, blank, decimal, digit, word, cut } = classes;
  const pattern = (text, flags = "") => new RegExp(text, `${flags}su`);
  const TOKEN = pattern(
    `[${k}](?<![A-Za-z0-9_-].)[${invisible}]*[${b}][${invisible}]*` +
      `(?:(?<dash>[-_ ${dashes}]{1,2})[${invisible}]*)?(?<digits>[${decimal}][${decimal}${invisible}]*)`,
    "g",
  );
  const PIN = pattern(`[${invisible}]*(?<blank>[ \\t\\u00a0]{0,3})(?<at>[${at}])`, "y");
  const EXACT = /KB(?<dash>-)(?<digits>[0-9]{3,})/y;
  const RUN_END = pattern(`[${blank}<\`]|KB-[0-9]{3}`, "g");
  const READING_END = pattern(`[${blank}<\`${closing}]|KB-[0-9]{3}`, "g");
  const UNSEEN = pattern(`[${invisible}]`);
  const EVERY_UNSEEN = pattern(`[${invisible}]`, "g");
  const DATE_DASH = `(?<=[${decimal}])[${dashes}](?=[${decimal}])`;
  const EVERY_DATE_DASH = pattern(DATE_DASH, "g");
  const ODD_DIGIT = pattern(`(?![0-9])[${decimal}]`);
  const EVERY_ODD_DIGIT = pattern(`(?![0-9])[${decimal}]`, "g");
  const ODD = pattern(`[${invisible}]|${DATE_DASH}|(?![0-9])[${decimal}]`);
  const BLANKS = pattern(`[${blank}]+`, "g");
  const PREFIX = pattern(`^[^${b}]*[${b}]`);
  const UP_TO_AT = pattern(`^[^${at}]*[${at}]`);
  const DIGITS = pattern(`[${decimal}][${decimal}${invisible}]*`);
  const [isDigit, isWord, isCut] = [digit, word, cut].map((kind) => pattern(`^[${kind}]`));
  const isAscii = (text) => !/[^\x00-\x7f]/.test(text);

  // Every citation and near miss in a text, in order. A near miss has a message and is no token.
  function* find(text) {
    // `joined` is where a token begins that ended the run before it: it needs no boundary of its own.
    let [position, joined] = [0, -1];
    for (;;) {
      let match = joined < 0 ? head(TOKEN, text, position) : searchBefore(text, position, joined);
      if (match === null && joined >= 0) [match, joined] = [head(EXACT, text, joined), -1];
      if (match === null) return;
      const [found, runEnd] = readAt(text, match, matched(PIN, text, match.end));
      position = found === null ? match.end : found.end;
      if (runEnd > match.end && matched(EXACT, text, runEnd)) joined = runEnd;
      if (found !== null) yield found;
    }
  }

  // Only that far, or what lies behind would be searched again for every token that is joined to another.
  function searchBefore(text, position, stop) {
    const from = Math.max(0, position - 2);
    return head(TOKEN, text.slice(from, stop), position - from, from);
  }

  // What begins a token or a near miss.
  function head(kind, text, position, shift = 0) {
    const match = matched(kind, text, position);
    if (match === null) return null;
    const written = withoutUnseenEnd(match[0]);
    const start = match.index + shift;
    const { dash = "", digits } = match.groups;
    return { text: written, start, end: start + written.length, dash, digits: digits.replace(EVERY_UNSEEN, "") };
  }

  function matched(kind, text, position) {
    kind.lastIndex = position;
    return kind.exec(text);
  }

  function upTo(end, text, position) {
    return text.slice(position, matched(end, text, position)?.index);
  }

  function character(text, index) {
    const code = text.codePointAt(index);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  // Whether an edition may be the first `length` units of a run.
  function canEndAt(run, length) {
    if (length === run.length || length === 0) return length > 0;
    const behind = character(run, length);
    if (joiners.includes(behind) && isDigit.test(character(run, length + 1))) return false;
    return isAscii(behind) ? !/[A-Za-z0-9]/.test(behind) : isCut.test(behind);
  }

  // The id and edition of a token that is exactly one citation, else null.
  function parse(token) {
    const match = matched(EXACT, token, 0);
    if (match === null) return null;
    const rest = token.slice(match[0].length);
    if (rest === "") return [match[0], null];
    return rest[0] === "@" && rest.length > 1 ? [match[0], rest.slice(1)] : null;
  }

  function readAt(text, match, pinned) {
    const exact = /^KB-[0-9]{3,}$/.test(match.text);
    const pin = pinned === null || !isPin(text, pinned, exact) ? null : pinned;
    if (exact && pin === null) {
      const { start, end } = match;
      return [{ start, end, id: match.text, edition: null, run: null, runStart: end, fault: null }, end];
    }
    return exact && pin[0] === "@" ? readPinned(text, match) : nearMiss(text, match, pin);
  }

  // Whether `KB-0001 @2024` stands here, and not a number of kilobytes before somebody's name.
  function isPin(text, pin, exact) {
    if (pin.groups.blank === "") return true;
    return (exact ? isWord : isDigit).test(character(text, pin.index + pin[0].length));
  }

  function readPinned(text, match) {
    const runStart = match.end + 1;
    const whole = upTo(RUN_END, text, runStart);
    const runEnd = runStart + whole.length;
    const run = withoutUnseenEnd(whole);
    const edition = stripped(upTo(READING_END, run, 0));
    if (edition === "") {
      const message = `${shown(match.text)}@ names no edition: nothing follows the @`;
      return [{ start: match.start, end: runStart, message, suggestion: null }, runEnd];
    }
    const [start, end] = [match.start, runStart + edition.length];
    const fault = oddEdition(match.text, edition);
    return [{ start, end, id: match.text, edition, run, runStart, fault: fault && { start, end, ...fault } }, runEnd];
  }

  function oddEdition(id, edition) {
    const odd = ODD.exec(edition)?.[0];
    if (odd === undefined) return null;
    const other = isDigit.test(odd) ? "is not an ASCII digit" : "stands where a hyphen belongs";
    const what = UNSEEN.test(odd) ? "is hidden inside it" : other;
    const message = `${shown(`${id}@${edition}`)} is no citation: ${named(odd)} ${what}`;
    return { message, suggestion: `${id}@${plain(edition)}` };
  }

  function nearMiss(text, match, pin) {
    let [edition, end, runEnd] = [null, match.end, match.end];
    if (pin === null) {
      if (!isShownBare(match)) return [null, end];
    } else {
      const start = pin.index + pin[0].length;
      const reading = upTo(READING_END, text, start);
      runEnd = start + reading.length;
      edition = stripped(withoutUnseenEnd(reading));
      end = start + edition.length;
      // kb0001@example.org is somebody's address.
      if (/^kb[0-9]+$/.test(match.text) && isDomain(edition)) return [null, runEnd];
    }
    const number = `KB-${asciiDigits(match.digits)}`;
    const token = edition === null ? number : `${number}@${plain(edition)}`;
    const suggestion = hasThree(match.digits) && edition !== "" ? token : null;
    const message = `${shown(text.slice(match.start, end))} is no citation: ${reason(match, pin)}`;
    return [{ start: match.start, end, message, suggestion }, runEnd];
  }

  function isDomain(text) {
    const labels = text.split(".");
    return /^[A-Za-z0-9.-]+$/.test(text) && labels.length > 1 && !labels.includes("") && /^[A-Za-z]{2,}$/.test(labels.at(-1));
  }

  // Whether a near miss without an @ is surely meant as a citation: `kb-0001.md` and `KB5005565` are other things.
  function isShownBare({ text, dash, digits }) {
    if (!hasThree(digits)) return false;
    if (UNSEEN.test(text) || !isAscii(digits)) return true;
    if (!isAscii(text) && !/^[Kk][Bb]/.test(text)) return dash !== "" && `-${dashes}`.includes(dash);
    return dash === "\u2011" || (dash !== "" && dashes.includes(dash) && digits.startsWith("0"));
  }

  // The first thing that is wrong with a token's head.
  function reason({ text, dash, digits }, pin) {
    const hidden = UNSEEN.exec(text) ?? UNSEEN.exec(pin?.[0] ?? "");
    if (hidden) return `${named(hidden[0])} is hidden inside it`;
    const odd = [...text.slice(0, 2)].find((letter) => !isAscii(letter));
    if (odd !== undefined) return `${named(odd)} only looks like an ASCII letter`;
    if (!text.startsWith("KB")) return "KB is written in upper case";
    if (dash === "") return "there is no hyphen between KB and the number";
    if (dash !== "-") return `${dashName(dash)} stands where a hyphen belongs`;
    const other = ODD_DIGIT.exec(digits);
    if (other) return `${named(other[0])} is not an ASCII digit`;
    if (!hasThree(digits)) return "its number has fewer than three digits";
    return pin.groups.blank ? "a blank stands before the @" : `${named(pin.groups.at)} stands where an @ belongs`;
  }

  function dashName(dash) {
    if (dash.replace(BLANKS, "") === "") return "a blank";
    return isAscii(dash) || dash.length > 1 ? `\`${dash}\`` : named(dash);
  }

  function hasThree(digits) {
    return [...digits.slice(0, 6)].length >= 3;
  }

  function withoutUnseenEnd(text) {
    let end = text.length;
    while (end > 0) {
      const width = /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, end - 2), end)) ? 2 : 1;
      if (!UNSEEN.test(text.slice(end - width, end))) break;
      end -= width;
    }
    return text.slice(0, end);
  }

  function stripped(text) {
    let end = text.length;
    while (end > 0 && trailing.includes(text[end - 1])) end -= 1;
    return text.slice(0, end);
  }

  // An edition as it was surely meant.
  function plain(edition) {
    return asciiDigits(edition.replace(EVERY_UNSEEN, "").replace(EVERY_DATE_DASH, "-"));
  }

  function asciiDigits(text) {
    return text.replace(EVERY_ODD_DIGIT, (found) => {
      const start = zeros.findLast((zero) => zero <= found.codePointAt(0));
      return String((found.codePointAt(0) - start) % 10);
    });
  }

  // The class of decimal digits is ranges, each of which begins with a zero.
  const zeros = [...decimal].filter((_, index) => index % 3 === 0).map((zero) => zero.codePointAt(0));
  let known = null;

  // A character that cannot be told from its looks: `U+2013 EN DASH`.
  function named(found) {
    known ??= decoded();
    const code = found.codePointAt(0);
    return `U+${hex(code)} ${known.get(code) ?? "UNNAMED"}`;
  }

  // Runs of names by their first character; each name says how much of the one before it shares.
  function decoded() {
    const all = new Map();
    for (const [start, run] of Object.entries(names)) {
      let name = "";
      for (const [index, told] of run.split("|").entries()) {
        name = name.slice(0, parseInt(told[0], 36)) + told.slice(1);
        all.set(parseInt(start, 16) + index, name);
      }
    }
    return all;
  }

  function hex(code) {
    return code.toString(16).toUpperCase().padStart(4, "0");
  }

  // The first characters of a text: JavaScript counts UTF-16 units.
  function first(text, count) {
    return [...text.slice(0, 2 * count)].slice(0, count);
  }

  // At most 60 characters, with what is invisible written out.
  function shown(text) {
    const start = first(text, 61).map((one) => (UNSEEN.test(one) ? `<U+${hex(one.codePointAt(0))}>` : one));
    const written = [...start.join("")];
    return written.length <= 60 ? written.join("") : `${written.slice(0, 59).join("")}…`;
  }

  // At most `limit` characters, its blanks and line breaks as single blanks (spectastic/text.py).
  function short(text, limit = 80) {
    const start = first(text, 4 * limit).join("");
    const line = [...start.replace(BLANKS, " ").replace(/^ | $/g, "")];
    return line.length <= limit && start === text ? line.join("") : `${line.slice(0, limit - 1).join("")}…`;
  }

  // A token taken apart, each part with its role.
  function parts(text) {
    const prefix = PREFIX.exec(text)[0];
    const behind = text.slice(prefix.length);
    const digits = DIGITS.exec(behind);
    const number = withoutUnseenEnd(digits[0]);
    const rest = behind.slice(digits.index + number.length);
    const sign = UP_TO_AT.exec(rest)?.[0] ?? "";
    const roles = { prefix, dash: behind.slice(0, digits.index), number, at: sign, edition: rest.slice(sign.length) };
    return Object.entries(roles).flatMap(([role, part]) => (part === "" ? [] : [{ text: part, role }]));
  }

  return { find, canEndAt, parse, short, parts };
};
