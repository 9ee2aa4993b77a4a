"""Which words of a text are statuses that it writes. Pure: bytes in, places out.

A status is written where a line sets `status:` to one word, as a field, a command, a cell of a table or a
sentence does. It is only spoken of in a condition (`if status: draft`), in a prohibition (`never write
status: draft`), in a list of what there is (`status: draft | approved`), and as what something else takes
the place of (`s/status: draft/status: done/`). What is neither plainly one nor the other is written: the
rule that asks is one that would rather be told too much.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

#: How much of a line is looked at before a status and behind it, in bytes.
_BEFORE, _BEHIND = 200, 100

_QUOTES = rb"[\"'`*]{0,3}"
_FIELD = rb"(?<![\w-])status" + _QUOTES + rb"[ \t]{0,8}:" + _QUOTES + rb"\\?[ \t]{0,8}" + _QUOTES
_WORD = rb"(?P<status>[a-z][a-z0-9_-]*+)"
_SETS = re.compile(_FIELD + _WORD, re.IGNORECASE)

_PART = rb"(?:\\.|\[[^]\n]{1,40}\]|(?!(?P=mark))[^\\\n]){0,300}+"
#: A substitution, as sed, perl and vi have it. What it replaces is a pattern and writes nothing.
_SUBSTITUTES = re.compile(
    rb"(?<![^\s\"'`;{}/0-9$!%])(?<![a-z]['\"])s(?:(?P<mark>[/|#,@~%!:+_])(?!(?<=[,:!]) )"
    rb"(?P<old>" + _PART + rb")(?P=mark)(?P<new>" + _PART + rb")(?P=mark)"
    rb"|\{(?P<old_in_braces>[^{}\n]{0,300}+)\}\{(?P<new_in_braces>[^{}\n]{0,300}+)\})",
    re.IGNORECASE,
)
#: What puts a status behind the `status:` that the substitution has found.
_KEEPS = re.compile(
    rb"(?:\\[0-9]|\\g<[0-9]>|\$\{?[0-9]\}?)[ \t]?\"?" + _WORD + rb"(?![^\s\"\\$])", re.IGNORECASE
)
_VALUE = re.compile(rb"\"?" + _WORD + rb"\"?\Z", re.IGNORECASE)
_ADDRESS = re.compile(rb"status[^/\n]{0,40}/[ \t]?\Z", re.IGNORECASE)

#: Statuses that one statement is about: `status: a`, `status: b` and `status: c`.
_GLUE = re.compile(
    rb"[\"'`*]{0,4}(?:[ \t]{0,2}(?:,|/|&|and\b|or\b|nor\b)){1,2}[ \t]{0,2}[\"'`*]{0,4}", re.IGNORECASE
)
_OTHERS = re.compile(_QUOTES + rb"(?:[ \t]{0,8}\\?\|(?!\|)|/[a-z])", re.IGNORECASE)
_NEXT_IN_CASE = re.compile(rb"[\"'][ \t]{0,8}(?:\|[ \t]{0,8}[\"']|\))")
_IN_PATTERN = re.compile(rb"/\^?(?:\\s\*|[ \t]\*)?\Z")
_PATTERN_ENDS = re.compile(rb"[^/\n]{0,40}/")
_ASKED = re.compile(_QUOTES + rb"\?")
_ARROW = rb"(?:->|=>|\xe2\x86\x92)"
_GIVES_WAY = re.compile(
    _QUOTES + rb"[ \t]{0,4}(?:" + _ARROW + rb"|to\b|with\b|by\b|into\b)[ \t]{0,4}" + _QUOTES + _FIELD,
    re.IGNORECASE,
)
_TURNS_INTO = re.compile(_QUOTES + rb"[ \t]{0,4}" + _ARROW + rb"[ \t]{0,4}" + _QUOTES + _WORD, re.IGNORECASE)
_IS_CHANGED_TO = re.compile(
    _QUOTES + rb"[ \t]{1,4}(?:to|with|into)[ \t]{1,4}[\"'`]" + _WORD + rb"[\"'`]", re.IGNORECASE
)


def _words(*words: str) -> re.Pattern[bytes]:
    """One of some words, in lower case."""
    return re.compile(rb"(?<![\w-])(?:" + "|".join(words).encode() + rb")(?![\w-])")


#: Where a clause ends; the colon of a field has been masked before.
_ENDS = re.compile(
    rb"[.;!?:,](?=\s)|;|&&|\|\||\xe2\x80[\x93\x94]|(?<![\w-])(?:then|but|otherwise|else)(?![\w-])",
)
_FORBIDS = re.compile(
    rb"(?<![\w-])(?:never|not|no|none|nor|neither|cannot|without|avoid|nobody|forbid|instead of|rather than)"
    rb"(?![\w-])(?! forget)|n(?:'|\xe2\x80\x99)t(?!\w)(?! forget)",
)
_FORBIDDEN = re.compile(
    _QUOTES
    + rb"[ \t]{1,4}(?:cannot|(?:is|are|was|must|may|should|shall|can|will|does|do)(?:n(?:'|\xe2\x80\x99)t"
    rb"| (?:never|not|forbidden|left out|skipped|ignored|excluded|refused)))(?!\w)",
    re.IGNORECASE,
)
_ASKS = _words(
    "if|when|whenever|unless|while|until|where|whose|whether|once|in case",
    "verify|verifies|check|checks|confirm|assert|expects?|requires?|skips?|ignores?|excludes?|filters?|finds?",
    "leaves? out|leaving out",
    "compare|refuses?|rejects?|grep|egrep|fgrep|rg|ag|test",
)
_COMPARES = re.compile(rb"[=!]=|=~|(?<![\w$])\[[ \t][^\]]{0,150}[ \t]=[ \t]")
_DESCRIBES = _words("with|has|have|having|must be|stays?|remains?")
_ORDERS = re.compile(
    rb"(?<!\byou )(?<!\bwe )(?<!\bthey )(?<!\bto )(?<![\w-])(?:set|write|mark|put|change|update|add|make|move"
    rb"|flip|turn|switch|replace|append|insert|give|use|print|echo|printf|return|ensure)(?![\w-])",
)
_CHANGES = _words("change|changes|update|move|moves|flip|turn|switch|replace|from|goes")

_FENCE = re.compile(rb"[ \t>]*(?:```|~~~)")
_RULED = re.compile(rb"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?[ \t]*")
_BAR = re.compile(rb"(?<!\\)\|")
#: A line that begins something, so that the line before it is no part of its sentence; or that ends it.
_BEGINS = re.compile(rb"[ \t]*(?:[-*+#>|]|[0-9]{1,9}[.)][ \t]|\Z|status\b)", re.IGNORECASE)
_ENDS_ALONE = re.compile(rb"[ \t]*(?:[#|]|---|\Z)")


class _Line(NamedTuple):
    """A line without its end: where it begins, whether it is a row of a table, and the line above it.

    `above` is "" where no sentence can go on from there.
    """

    text: bytes
    start: int
    row: bool
    above: bytes


def written(data: bytes, *, prose: bool) -> Iterator[tuple[int, int]]:
    """The places `[start, end)` of the statuses that a text writes, in bytes; any order, each once.

    `prose`: it is Markdown, in which a sentence may go on in the next line.
    """
    for line in _lines(data, prose=prose):
        found: set[tuple[int, int]] = set()
        skipped: list[tuple[int, int]] = []
        for match in _SUBSTITUTES.finditer(line.text):
            skipped.append(match.span())
            found.update(_put_in(line.text, match))
        found.update(_said(line, skipped))
        yield from ((line.start + start, line.start + end) for start, end in found)


def _lines(data: bytes, *, prose: bool) -> Iterator[_Line]:
    """The lines that speak of a status."""
    fenced = table = False
    above = b""
    start = 0
    for whole in data.splitlines(keepends=True):
        text = whole.rstrip(b"\r\n")
        if _FENCE.match(text):
            fenced = not fenced
            above = b""
        table = b"|" in text and (table or _RULED.fullmatch(text) is not None)
        if b"status" in text.lower():
            row = table or text.lstrip().startswith(b"|")
            goes_on = prose and not (fenced or row or _BEGINS.match(text))
            yield _Line(text, start, row, above if goes_on else b"")
        above = b"" if fenced or _ENDS_ALONE.match(text) else text
        start += len(whole)


def _put_in(line: bytes, match: re.Match[bytes]) -> Iterator[tuple[int, int]]:
    """The statuses that a substitution puts into a line."""
    which = "" if match["mark"] else "_in_braces"
    at = match.start(f"new{which}")
    new, old = match[f"new{which}"], match[f"old{which}"]
    sets = list(_SETS.finditer(new))
    if not sets and b"status" in old.lower():
        sets = [kept] if (kept := _KEEPS.match(new)) else []
    elif not sets and _ADDRESS.search(line[max(0, match.start() - _BEFORE) : match.start()]):
        sets = [value] if (value := _VALUE.match(new)) else []
    for each in sets:
        yield at + each.start("status"), at + each.end("status")


def _said(line: _Line, skipped: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The statuses that a line sets otherwise."""
    matches = _outside(list(_SETS.finditer(line.text)), skipped)
    bars = [bar.start() for bar in _BAR.finditer(line.text)] if line.row else []
    masked = bytearray(line.text)
    at = 0
    while at < len(matches):
        last = at
        while last + 1 < len(matches) and _GLUE.fullmatch(
            line.text, matches[last].end(), matches[last + 1].start()
        ):
            last += 1
        group = matches[at : last + 1]
        low, high = _cell(bars, group[0].start(), len(line.text))
        begin = max(low, group[0].start() - _BEFORE)
        before = bytes(masked[begin : group[0].start()])
        if begin == 0 and line.above and (before.strip() or line.text[:1] == b"`"):
            before = line.above[-_BEFORE:] + b" " + before
        behind = line.text[group[-1].end() : min(high, group[-1].end() + _BEHIND)]
        yield from _judged(group, before.lower(), behind)
        for match in group:
            masked[match.start() : match.end()] = b"@" * len(match[0])
        at = last + 1


def _outside(matches: list[re.Match[bytes]], skipped: list[tuple[int, int]]) -> list[re.Match[bytes]]:
    """The matches that do not begin in what is skipped; both are in order."""
    left = iter(skipped)
    span = next(left, None)
    found = []
    for match in matches:
        while span is not None and span[1] <= match.start():
            span = next(left, None)
        if span is None or match.start() < span[0]:
            found.append(match)
    return found


def _cell(bars: list[int], start: int, end: int) -> tuple[int, int]:
    """The cell of a table that a place is in."""
    from bisect import bisect

    at = bisect(bars, start)
    return bars[at - 1] + 1 if at else 0, bars[at] if at < len(bars) else end


def _judged(group: list[re.Match[bytes]], before: bytes, behind: bytes) -> Iterator[tuple[int, int]]:
    """What a statement writes of the statuses that it names side by side; `before` is in lower case."""
    if _is_listed(group[0], before, behind) or _ASKED.match(behind) or _FORBIDDEN.match(behind):
        return
    if _speaks_only(before):
        return
    last = group[-1].end()
    if _GIVES_WAY.match(behind):
        return
    new = _TURNS_INTO.match(behind)
    if new is None and _CHANGES.search(before):
        new = _IS_CHANGED_TO.match(behind)
    if new is not None:
        yield last + new.start("status"), last + new.end("status")
        return
    for match in group:
        yield match.span("status")


def _is_listed(match: re.Match[bytes], before: bytes, behind: bytes) -> bool:
    """Whether a status is one of several that there may be, or stands in a pattern."""
    quote = before[-1:]
    # A field in quotes of its own: what follows the quote is a pipe, or the next pattern of a `case`.
    if quote in (b'"', b"'") and behind[:1] == quote and quote not in match[0]:
        return _NEXT_IN_CASE.match(behind) is not None and b"(" not in before
    if _OTHERS.match(behind):
        return True
    return _IN_PATTERN.search(before) is not None and _PATTERN_ENDS.match(behind) is not None


def _speaks_only(before: bytes) -> bool:
    """Whether the clause before a status forbids it, or asks for it."""
    ends = list(_ENDS.finditer(before))
    clause = before[ends[-1].end() :] if ends else before
    if _FORBIDS.search(clause) or _COMPARES.search(clause):
        return True
    asks = list(_ASKS.finditer(clause))
    if asks:
        return _ORDERS.search(clause, asks[-1].end()) is None
    return _DESCRIBES.search(clause) is not None and _ORDERS.search(clause) is None
