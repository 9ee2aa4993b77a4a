"""Markdown tables, with every cell exactly where it stands.

A CommonMark parser says where tables are, so that rows inside code, comments and HTML are none.
It also drops surplus cells and makes up missing ones, as GFM asks; so rows are split here, from
the source, and a wrong number of cells can be told.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pyromark

from spectastic.corpus.model import Cell
from spectastic.findings import Span
from spectastic.frontmatter import split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.source import Source

_TABLES = pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES)

#: GFM: a pipe after a backslash is part of the cell, inside code too.
_PIPE = re.compile(rb"(?<!\\)\|")
#: What can make a cell read differently from how it is written; `a_b` is no emphasis.
_MARKUP = re.compile(rb"[\\`*\[<&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_PIPED_LINE = re.compile(rb"^[^\n|]*\|[^\n]*", re.MULTILINE)
#: Block quotes and one list marker may stand before a line's own text.
_PREFIX = re.compile(rb"[ \t>]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?")
_BLANKS = b" \t\r\n"
#: After so many pipes, the rest of a row is one cell: no table of ours is that wide.
MAX_PIPES = 500


class Line:
    """A row of a table, or a line that looks like one.

    Cells are worked out when they are asked for: a long table is mostly read and not kept.
    """

    __slots__ = ("_end", "_start", "_text")

    def __init__(self, text: _Text, start: int, end: int) -> None:
        raw = text.body[start:end].rstrip(_BLANKS)
        row = raw.lstrip(_BLANKS)
        self._text = text
        self._start = start + len(raw) - len(row)
        self._end = self._start + len(row)

    @property
    def span(self) -> Span:
        """The row in the file, without blanks at its ends."""
        return Span(self._text.base + self._start, self._text.base + self._end)

    @property
    def piped(self) -> bool:
        """Whether it begins with a pipe."""
        return self._text.body.startswith(b"|", self._start)

    def follows(self, other: Line) -> bool:
        """Whether it stands on the line right after `other`."""
        return self._text.body.count(b"\n", other._end, self._start) == 1

    @property
    def texts(self) -> tuple[str, ...]:
        """What each cell says, see `Cell.text`."""
        row = self._text.body[self._start : self._end]
        if _MARKUP.search(row):
            return tuple(cell.text for cell in self.cells)
        pieces = row.decode().split("|", MAX_PIPES)
        first = 1 if len(pieces) > 1 and not pieces[0] else 0
        last = len(pieces) - 1 if len(pieces) > first + 1 and not pieces[-1] else len(pieces)
        return tuple([piece.strip(" \t") for piece in pieces[first:last]])

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells as they were written, however many they are."""
        row = self._text.body[self._start : self._end]
        cuts = [match.start() for match in islice(_PIPE.finditer(row), MAX_PIPES)]
        begins = [0, *(cut + 1 for cut in cuts)]
        ends = [*cuts, len(row)]
        if cuts and cuts[0] == 0:
            del begins[0], ends[0]
        if len(ends) > 1 and begins[-1] == len(row):
            del begins[-1], ends[-1]
        return tuple(self._cell(row, *place) for place in zip(begins, ends, strict=True))

    def _cell(self, row: bytes, start: int, end: int) -> Cell:
        raw = row[start:end]
        content = raw.strip(b" \t")
        begin = self.span.start + start + (len(raw) - len(raw.lstrip(b" \t")) if content else 0)
        shown, target = self._text.shown(content)
        return Cell(shown, Span(begin, begin + len(content)), target)


class Table(NamedTuple):
    """A table: its header and its rows, each with as many cells as were written."""

    header: Line
    rows: tuple[Line, ...]


class Tables(NamedTuple):
    """The tables of a document, and the lines with a pipe that are in no table, code or comment."""

    tables: tuple[Table, ...]
    strays: tuple[Line, ...]


def read(source: Source, ignored: frozenset[int] = frozenset()) -> Tables:
    """The tables of a document; frontmatter is skipped.

    `ignored` holds file offsets of lines to leave out, such as merge-conflict markers: they are
    read as a line of text, which leaves a table that it stands in whole.
    """
    block = split(source.encoded)
    start = block.body if block else 0
    base = source.base + start
    body = _without(source.encoded[start:], base, ignored)
    text = _Text(body, base)
    tables: list[Table] = []
    rows: list[Line] = []
    covered: list[tuple[int, int]] = []
    for event, place in _TABLES.events_with_range(body.decode()):
        if not isinstance(event, dict) or "Text" in event:
            continue
        begun: Any = event.get("Start")
        if begun == "TableRow" or begun == "TableHead":
            row = Line(text, place["start"], place["end"])
            if begun == "TableHead" or row.span.start not in ignored:
                rows.append(row)
        elif event.get("End") == "Table":
            tables.append(Table(rows[0], tuple(rows[1:])))
            covered.append((place["start"], place["end"]))
            rows = []
        elif begun == "HtmlBlock" or (isinstance(begun, dict) and "CodeBlock" in begun):
            covered.append((place["start"], place["end"]))
        elif "InlineHtml" in event or "Code" in event:
            # What begins on a line does not hide that line.
            covered.append((place["start"] + 1, place["end"]))
    strays = tuple(Line(text, start, end) for start, end in _piped_lines(body, covered))
    return Tables(tuple(tables), strays)


def _without(body: bytes, base: int, ignored: frozenset[int]) -> bytes:
    """The text with each ignored line turned into a word and blanks, of the same length."""
    if not ignored:
        return body
    text = bytearray(body)
    for offset in ignored:
        begin = offset - base
        if begin >= 0:
            end = body.find(b"\n", begin)
            end = len(body) if end < 0 else end
            text[begin:end] = b"x" + b" " * (end - begin - 1)
    return bytes(text)


def _piped_lines(body: bytes, covered: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The lines with a pipe outside of everything in `covered`, without what stands before them."""
    covered.sort()
    starts = [start for start, _ in covered]
    reach: list[int] = []
    for _, end in covered:
        reach.append(max(end, reach[-1] if reach else 0))
    for match in _PIPED_LINE.finditer(body):
        prefix = _PREFIX.match(body, match.start())
        start = prefix.end() if prefix else match.start()
        at = bisect_right(starts, start)
        if at == 0 or reach[at - 1] <= start:
            yield start, match.end()


class _Text:
    """The text that rows stand in, and how its cells read."""

    __slots__ = ("_inline", "base", "body")

    def __init__(self, body: bytes, base: int) -> None:
        self.body = body
        self.base = base
        self._inline: pyromark.Markdown | None = None

    def shown(self, content: bytes) -> tuple[str, str]:
        """A cell's text as a reader sees it, and where its first link leads."""
        text = content.decode()
        if _MARKUP.search(content) is None:
            return text, ""
        if self._inline is None:
            self._inline = _inline_parser(self.body.decode())
        parts: list[str] = []
        target = ""
        # A cell holds no blocks: after a word, `- x` and `# x` are the text that GFM shows.
        for event in self._inline.events("x " + text.replace("\\|", "|")):
            match event:
                case {"Text": str(shown)} | {"Code": str(shown)}:
                    parts.append(shown)
                case {"InlineHtml": str(tag)} if tag.lower().startswith("<br"):
                    parts.append(" ")
                case {"Start": {"Link": link}}:
                    target = target or link["dest_url"]
                case _:
                    pass
        return "".join(parts)[2:].strip(), target


def _inline_parser(text: str) -> pyromark.Markdown:
    """A parser for single cells, which knows the link definitions of the whole document."""
    if "]:" not in text:
        return pyromark.Markdown()
    definitions = {
        _label(label): (link["dest"], "") for label, link in pyromark.reference_definitions(text).items()
    }
    return pyromark.Markdown(broken_link_callback=lambda link: definitions.get(_label(link["reference"])))


def _label(label: str) -> str:
    return " ".join(label.casefold().split())
