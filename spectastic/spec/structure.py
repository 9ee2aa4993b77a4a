"""What Markdown says of a document's structure: headings, table rows, list items, code and marker comments.

All places are bytes of the text that was scanned, as offsets of its file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.findings import Span
from spectastic.spec.headings import Headings
from spectastic.spec.markdown import as_commonmark, named_events

if TYPE_CHECKING:
    from spectastic.source import Source
    from spectastic.spec.headings import Heading

_MARKER = re.compile(r"[ \t]*(<!--[ \t]*(/?)retrieval-status\b(?:[ \t]*:[ \t]*([^\s>]*))?[ \t]*-->)")
_WORD = re.compile(r"\w[\w-]*")


class Word(NamedTuple):
    """A word, or what a code span holds, and where that stands."""

    text: str
    span: Span


class Entry(NamedTuple):
    """A list item that begins at `start`: its first code span, and its first word."""

    start: int
    code: Word | None
    word: Word | None


class Marker(NamedTuple):
    """A comment that begins its line: `<!-- retrieval-status: KIND -->`, or `<!-- /retrieval-status -->`."""

    kind: str
    closes: bool
    span: Span


class Structure:
    """What was found, each list in document order."""

    __slots__ = ("code", "edges", "entries", "headings", "markers", "rows")

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self.rows: list[list[tuple[int, int]]] = []
        self.entries: list[Entry] = []
        self.markers: list[Marker] = []
        self.code: list[tuple[int, int]] = []
        #: Where blocks begin and end.
        self.edges: list[int] = []


def read(source: Source, start: int) -> Structure:
    """The structure of a Markdown text from offset `start` of it on."""
    walk, headings = _Walk(source, start), Headings()
    for kind, name, value, first, last in named_events(as_commonmark(source.encoded[start:].decode())):
        headings.take(kind, name, value, first + walk.base, last + walk.base)
        walk.take(kind, name, value, first + walk.base, last + walk.base)
    # An item is known when it ends; those in it end before it.
    walk.found.entries.sort(key=lambda entry: entry.start)
    walk.found.headings = headings.found
    return walk.found


class _Walk:
    """One pass over the events."""

    __slots__ = ("_commented", "_in_code", "_items", "_source", "base", "found")

    def __init__(self, source: Source, start: int) -> None:
        self.base = source.base + start
        self.found = Structure()
        self._source = source
        #: The items that are open, innermost last.
        self._items: list[Entry] = []
        #: Whether the line before left a comment open.
        self._commented = False
        self._in_code = False

    def take(self, kind: str, name: str, value: Any, start: int, end: int) -> None:
        """The next event."""
        if kind == "Start":
            self._open(name, start, end)
        elif kind == "End":
            self._close(name, end)
        elif kind == "Code":
            self.found.code.append((start, end))
            self._note(code=self._inner(value, start, end))
        elif kind == "Text" and self._items and not self._in_code:
            self._read_word(value, start)
        elif kind == "Html":
            self._read_html(value, start)

    def _open(self, name: str, start: int, end: int) -> None:
        found = self.found
        found.edges.append(start)
        if name == "CodeBlock":
            found.code.append((start, end))
            self._in_code = True
        elif name in ("TableHead", "TableRow"):
            found.rows.append([])
        elif name == "TableCell":
            found.rows[-1].append((start, end))
        elif name == "Item":
            self._items.append(Entry(start, None, None))
        elif name == "HtmlBlock":
            self._commented = False

    def _close(self, name: str, end: int) -> None:
        self.found.edges.append(end)
        if name == "Item":
            self.found.entries.append(self._items.pop())
        elif name == "CodeBlock":
            self._in_code = False

    def _note(self, *, code: Word | None = None, word: Word | None = None) -> None:
        if self._items:
            item = self._items[-1]
            self._items[-1] = Entry(item.start, item.code or code, item.word or word)

    def _inner(self, value: str, start: int, end: int) -> Word:
        """What a code span holds, without its backticks."""
        raw = self._source.encoded[start - self._source.base : end - self._source.base]
        at = raw.find(value.encode())
        span = Span(start + at, start + at + len(value.encode())) if at >= 0 else Span(start, end)
        return Word(value, span)

    def _read_word(self, value: str, start: int) -> None:
        found = _WORD.search(value)
        if found is not None and self._items[-1].word is None:
            at = start + len(value[: found.start()].encode())
            self._note(word=Word(found[0], Span(at, at + len(found[0].encode()))))

    def _read_html(self, line: str, start: int) -> None:
        """A line of an HTML block; a marker inside of a comment is a sample."""
        marker = None if self._commented else _MARKER.match(line)
        if marker is not None:
            span = Span(start + marker.start(1), start + marker.end(1))
            self.found.markers.append(Marker(marker[3] or "", marker[2] == "/", span))
        at = 0
        while at >= 0:
            at = line.find("-->" if self._commented else "<!--", at)
            if at >= 0:
                at += 3 if self._commented else 4
                self._commented = not self._commented
