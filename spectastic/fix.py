"""Edits by byte range: which can be made, which go together, and what a file looks like with them. Pure."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right, insort
from itertools import accumulate
from typing import TYPE_CHECKING

from spectastic.findings import Span
from spectastic.text import printable as as_printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spectastic.findings import Edit, Finding, Fix
    from spectastic.source import Source

#: How many unchanged lines a diff shows around changed ones.
CONTEXT = 3

#: How far around a token is looked for what it is a part of, in bytes.
_NEAR = 200
_BETWEEN_WORDS = re.compile(rb"[\s<>()\[\]{}\"'`|]")
_BETWEEN_ITEMS = re.compile(rb"[,;]")
_BETWEEN_NAMES = re.compile(rb"[/\\]")
_CITED = re.compile(rb"[Kk][Bb][-_]?[0-9]+(?:@.*)?$")
_GOES_ON = re.compile(
    rb"\.[a-z][a-z0-9]{0,4}(?![A-Za-z0-9])|[/\\](?![Kk][Bb])[\w.-]|[-.:_+]?[0-9]|(?!KB-)[A-Za-z]"
)
_EDITION_FOLLOWS = re.compile(rb"[ \t]*[(\[#:=]?[ \t]*(?:[vV]|ed\.|edition|rev|version)?[ \t.]*[0-9]")
LINE = re.compile(b"[^\n]*\n|[^\n]+")
#: How git writes the bytes of a path that it does not write as they stand.
_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def applicable(source: Source, finding: Finding) -> Finding:
    """The finding as it is, or without its fix where that is none for this file.

    A fix has to find the bytes that its edits replace (no markup or entity in between), must leave
    every line end alone, and may not touch part of an address, a file name or a longer word.
    """
    if finding.fix is None or _fits(source, finding.fix):
        return finding
    return finding._replace(fix=None)


def _fits(source: Source, fix: Fix) -> bool:
    at = source.base - 1
    for edit in sorted(fix.edits):
        if edit.span.start <= at or not _is_possible(source.data, edit):
            return False
        at = edit.span.end
    return bool(fix.edits)


def _is_possible(data: bytes, edit: Edit) -> bool:
    start, end = edit.span
    old, new = _utf8(edit.old), _utf8(edit.text)
    if not old or new is None or old == new or data[start:end] != old:
        return False
    if _EDITION_FOLLOWS.match(data[end : end + _NEAR]) and new.startswith(old + b"@"):
        # `KB-0002 v3.1` and `KB-0002 (2017)` name an edition already, in a way of their own.
        return False
    return not {*b"\r\n"} & {*old, *new} and not _is_a_part(data, edit.span)


def _utf8(text: str) -> bytes | None:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def _is_a_part(data: bytes, span: Span) -> bool:
    """Whether a token is part of more: `https://example.org/KB-0001`, `KB-0001.md`, `KB-0001-1`.

    Citations that are joined to others are not.
    """
    if _GOES_ON.match(data[span.end : span.end + _NEAR]):
        return True
    word = _BETWEEN_WORDS.split(data[max(0, span.start - _NEAR) : span.start])[-1]
    *names, rest = _BETWEEN_NAMES.split(_BETWEEN_ITEMS.split(word)[-1])
    if len(word) == _NEAR or b"://" in word or rest[1:].endswith(b"#"):
        return True
    return not all(map(_CITED.search, names))


def choose(findings: Iterable[Finding], *, unsafe: bool) -> list[Finding]:
    """The findings whose fixes can be made together, the earlier ones in the file first.

    No two of their edits overlap or touch. `unsafe`: also those that are not safe.
    """
    wanted = [finding for finding in findings if finding.fix and (unsafe or finding.fix.safe)]
    chosen: list[Finding] = []
    taken: list[Span] = []
    for finding in sorted(wanted, key=_place):
        spans = [edit.span for edit in finding.fix.edits] if finding.fix else []
        if not any(_meets(span, taken) for span in spans):
            chosen.append(finding)
            for span in spans:
                insort(taken, span)
    return chosen


def _place(finding: Finding) -> tuple[list[Span], bool, str]:
    fix = finding.fix
    return ([edit.span for edit in fix.edits], not fix.safe, finding.rule) if fix else ([], False, "")


def _meets(span: Span, taken: list[Span]) -> bool:
    """Whether a span overlaps or touches one of those taken, which are in order and apart."""
    at = bisect_right(taken, Span(span.end, sys.maxsize))
    return at > 0 and span.start <= taken[at - 1].end


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """A file with edits made, which lie apart. Every byte outside of them stays what it is."""
    parts: list[bytes] = []
    at = 0
    for edit in sorted(edits):
        if edit.span.start < at:
            raise ValueError("edits overlap")
        parts += (data[at : edit.span.start], edit.text.encode())
        at = edit.span.end
    return b"".join((*parts, data[at:]))


class Moves:
    """Where things are in a file once edits, which lie apart, are made."""

    __slots__ = ("_ends", "_moved", "_starts", "edits")

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.edits = sorted(edits)
        self._starts = [edit.span.start for edit in self.edits]
        self._ends = [edit.span.end for edit in self.edits]
        grown = [len(edit.text.encode()) - (edit.span.end - edit.span.start) for edit in self.edits]
        #: By how much what stands before the first edit, the second one, … and behind the last moves.
        self._moved = list(accumulate(grown, initial=0))

    def after(self, span: Span) -> Span:
        """Where a span of the old file is in the new one; a part of an edit counts as all of it."""
        first = bisect_right(self._starts, span.start) - 1
        if first >= 0 and span.start < self._ends[first]:
            start = self._starts[first] + self._moved[first]
        else:
            start = span.start + self._moved[first + 1]
        last = bisect_left(self._starts, span.end) - 1
        end = max(span.end, self._ends[last]) if last >= 0 else span.end
        return Span(start, end + self._moved[last + 1])

    def written(self) -> list[Span]:
        """The bytes of the new file that the edits wrote."""
        return [self.after(edit.span) for edit in self.edits]

    def around(self, span: Span) -> int | None:
        """The index of the edit that replaces all of a span of the old file."""
        at = bisect_right(self._starts, span.start) - 1
        return at if at >= 0 and span.end <= self._ends[at] else None


def diff(path: str, before: bytes, after: bytes, *, printable: bool = False) -> Iterator[bytes]:
    """How a file was changed, as a patch for `git apply` and `patch`; nothing if it was not.

    `path` is relative, with `/`. No line was added or removed. `printable` shows what would drive a
    terminal as escapes: then it is for reading only.
    """
    old, new = LINE.findall(before), LINE.findall(after)
    changed = [number for number, (was, now) in enumerate(zip(old, new, strict=True)) if was != now]
    if not changed:
        return
    for mark, side in (("---", "a"), ("+++", "b")):
        yield header(mark, quoted(f"{side}/{path}"))
    for first, last in _hunks(changed):
        start, end = max(0, first - CONTEXT), min(len(old), last + 1 + CONTEXT)
        size = f",{end - start}" if end - start > 1 else ""
        yield f"@@ -{start + 1}{size} +{start + 1}{size} @@\n".encode()
        for line in _body(old[start:end], new[start:end]):
            yield shown(line) if printable else line


def _hunks(changed: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last changed line of each hunk: one goes on while contexts meet."""
    first = last = changed[0]
    for number in changed[1:]:
        if number - last - 1 > 2 * CONTEXT:
            yield first, last
            first = number
        last = number
    yield first, last


def _body(old: list[bytes], new: list[bytes]) -> Iterator[bytes]:
    """The lines of a hunk: unchanged ones, and for each run of changed ones the old before the new."""
    added: list[bytes] = []
    for was, now in zip(old, new, strict=True):
        if was != now:
            yield marked(b"-", was)
            added.append(marked(b"+", now))
            continue
        yield from added
        added.clear()
        yield marked(b" ", was)
    yield from added


def header(mark: str, name: str) -> bytes:
    """The line of a patch that names a file. A tab ends a name with blanks in it."""
    return f"{mark} {name}\t\n".encode() if " " in name else f"{mark} {name}\n".encode()


def marked(mark: bytes, line: bytes) -> bytes:
    """A line of a patch."""
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"


def shown(line: bytes) -> bytes:
    """A line of a patch, for reading only: nothing in it drives a terminal."""
    return b"".join(
        as_printable(part.rstrip(b"\r\n").decode("utf-8", "backslashreplace")).encode() + b"\n"
        for part in LINE.findall(line)
    )


def quoted(path: str) -> str:
    """A path as git writes it: in quotes and with escapes, where it is not plain ASCII."""
    raw = path.encode("utf-8", "surrogateescape")
    plain = {byte: chr(byte) for byte in range(32, 127)} | _ESCAPES
    shown = "".join([plain.get(byte) or f"\\{byte:03o}" for byte in raw])
    return f'"{shown}"' if shown != path else path
