"""A whole document as its readers see it: text, code, headings, rows and list items, with their places.

For rules about documents that need no `<spec-decision>`. Places are indices of characters of `Page.text`;
`Page.span` leads from there to bytes of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from spectastic import frontmatter
from spectastic.spec import is_html
from spectastic.spec.headings import ends, name
from spectastic.spec.markup import SEPARATING
from spectastic.spec.nesting import Nesting
from spectastic.spec.shown import Shown
from spectastic.spec.visible import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from spectastic.findings import Span
    from spectastic.frontmatter import Frontmatter
    from spectastic.source import Source
    from spectastic.spec.shown import Piece
    from spectastic.spec.structure import Entry, Marker, Structure

#: Stands in `Page.text` where one block ends and another begins. No text that can be checked has it.
EDGE = "\0"

_CODE = frozenset({"code", "pre", "kbd", "samp", "textarea", "xmp"})
_HEADING = re.compile("h[1-6]")
#: These stand between words, and in the middle of a sentence.
_IN_LINE = frozenset({"br", "button", "canvas", "img", "input", "meter", "progress", "select"})


class Heading(NamedTuple):
    """A heading: `title` as `headings.name` has it; `start` to `end` is its text."""

    level: int
    title: str
    start: int
    end: int


class Page:
    """What a reader sees of `source`. `masked` is `text` with blanks in the place of code."""

    __slots__ = (
        "_fields",
        "_move",
        "_offsets",
        "_shown",
        "_starts",
        "entries",
        "headings",
        "items",
        "markers",
        "masked",
        "rows",
        "source",
        "text",
    )

    def __init__(
        self,
        source: Source,
        shown: Shown,
        pieces: list[Piece],
        code: list[tuple[int, int]],
        move: Callable[[Span], Span],
    ) -> None:
        self.source = source
        self.text = shown.text
        self._shown = shown
        self._move = move
        self._fields: Frontmatter | None = None
        #: Where each piece begins: as an offset that never falls, and as a character.
        self._starts = list(accumulate((start for _, start, _ in pieces), max))
        self._offsets = list(accumulate((len(text) for text, _, _ in pieces), initial=0))
        self.masked = _masked(
            self.text, ((self._offsets[first], self._offsets[last]) for first, last in code)
        )
        self.headings: tuple[Heading, ...] = ()
        #: Table rows; each cell as the characters `[start, end)`.
        self.rows: tuple[tuple[tuple[int, int], ...], ...] = ()
        #: Where each list item begins, at its first character or at the edge before it.
        self.items: tuple[int, ...] = ()
        #: List items and marker comments, with places in the file as `place` takes them.
        self.entries: tuple[Entry, ...] = ()
        self.markers: tuple[Marker, ...] = ()

    @property
    def path(self) -> str:
        """The path of the document, relative to the root."""
        return self.source.path

    def span(self, start: int, end: int) -> Span:
        """The bytes of the file that show as `text[start:end]`, which is not empty."""
        return self._move(self._shown.span(start, end))

    def place(self, span: Span) -> Span:
        """Where something that an entry or a marker names stands in the file."""
        return self._move(span)

    def said(self, start: int, end: int) -> str:
        """The text of some characters, with single blanks."""
        return " ".join(self.text[start:end].replace(EDGE, " ").split())

    def sections(self, title: str) -> Iterator[tuple[Heading, int]]:
        """The headings of a name, at any level, each with the character at which its section ends."""
        wanted = name(title)
        if any(heading.title == wanted for heading in self.headings):
            marks = [(heading.level, heading.start) for heading in self.headings]
            for heading, end in zip(self.headings, ends(marks, len(self.text)), strict=True):
                if heading.title == wanted:
                    yield heading, end

    def fields(self) -> Frontmatter:
        """The frontmatter, with places in the file; headings and comments may stand before it."""
        if self._fields is None:
            self._fields = frontmatter.read(*self._head())
        return self._fields

    def keys(self) -> Mapping[str, Span]:
        """Where the name of each field of the frontmatter stands."""
        return frontmatter.keys(*self._head())

    def _head(self) -> tuple[bytes, int]:
        """The bytes from the frontmatter on, and where they begin in the file."""
        data, base = self.source.data, self.source.base
        start = base + frontmatter.preamble(data[base:])
        return data[start:], start

    def _between(self, start: int, end: int) -> tuple[int, int]:
        """The characters that stand in some bytes of the text that was scanned."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return self._offsets[first], self._offsets[last]

    def arrange(self, structure: Structure) -> None:
        """Take over what Markdown says of the document's structure."""
        self.headings = tuple(
            self._heading(level, title, *self._between(start, end))
            for level, title, start, end in structure.headings
        )
        self.items = tuple(self._between(entry.start, entry.start)[0] for entry in structure.entries)
        self.rows = tuple(tuple(self._between(*cell) for cell in row) for row in structure.rows)
        self.entries, self.markers = tuple(structure.entries), tuple(structure.markers)

    def arrange_html(self, headings: Iterable[tuple[int, int, int]]) -> None:
        """Take over the headings of HTML: their levels, and the pieces that each consists of."""
        self.headings = tuple(
            self._heading(
                level,
                self.said(self._offsets[first], self._offsets[last]),
                self._offsets[first],
                self._offsets[last],
            )
            for level, first, last in headings
        )

    def _heading(self, level: int, title: str, start: int, end: int) -> Heading:
        # The text itself: what parts it from the block before does not belong to it.
        return Heading(level, name(title), *self.trimmed(start, end))

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Some characters without the blanks around them."""
        text = self.text[start:end].replace(EDGE, " ")
        stop = start + len(text.rstrip())
        return min(start + len(text) - len(text.lstrip()), stop), stop


class _Tags(Nesting):
    """Notes the tags of HTML, each with how many pieces came before it; those of Markdown are not HTML's."""

    def __init__(self, ear: _Ear) -> None:
        super().__init__()
        self._ear = ear
        self._markdown = False

    def enter(self, name: str, end: int) -> None:
        """As in `Nesting`."""
        self._markdown = True
        super().enter(name, end)
        self._markdown = False

    def advance(self, offset: int) -> None:
        """As in `Nesting`."""
        self._markdown = True
        super().advance(offset)
        self._markdown = False

    def start(self, name: str, *, self_closing: bool = False) -> None:
        """As in `Nesting`."""
        if not self._markdown:
            self._ear.note(name, opens=True)
        super().start(name, self_closing=self_closing)

    def end(self, name: str) -> None:
        """As in `Nesting`."""
        if not self._markdown:
            self._ear.note(name, opens=False)
        super().end(name)


class _Ear(Reader):
    """Hears everything, whatever decision it stands in."""

    __slots__ = ("heard", "tags")

    def __init__(self, source: Source) -> None:
        super().__init__(source, everywhere=True)
        self.nesting = _Tags(self)
        self.heard: list[Piece] = []
        self.pieces = self.heard
        #: (how many pieces came before, name, whether it opens).
        self.tags: list[tuple[int, str, bool]] = []

    def note(self, name: str, *, opens: bool) -> None:
        """A tag of HTML."""
        self.tags.append((len(self.heard), name, opens))

    def open(self, _attributes: dict[str, str], span: Span, *, self_closing: bool = False) -> None:
        """As in `Reader`; a decision is a block like others."""
        del self_closing
        self.note("div", opens=True)
        self.blank(span.start)

    def close(self, span: Span) -> None:
        """As in `Reader`."""
        self.note("div", opens=False)
        self.blank(span.end)

    def problem(self, span: Span, message: str, hint: str = "") -> None:
        """Told of elsewhere."""


def read(source: Source) -> Page:
    """The page that a spec is."""
    if b"\r\n" not in source.encoded:
        return _page(source, source, lambda span: span)
    from spectastic.spec.crlf import mover, with_lf

    return _page(source, with_lf(source), mover(source))


def _page(source: Source, plain: Source, move: Callable[[Span], Span]) -> Page:
    """The page of `source`, whose text is scanned as `plain`; `move` leads from there to the file."""
    from spectastic.spec import html, markdown, structure

    ear = _Ear(plain)
    found = None
    if is_html(source.path):
        html.scan(ear, plain.encoded.lower())
    else:
        start = _body(plain)
        markdown.scan(ear, plain.encoded.lower(), start)
        found = structure.read(plain, start)
    edges, code, headings = _told_by_tags(ear.tags)
    if found is not None:
        code += _within(ear.heard, found.code)
        edges |= _crossed(ear.heard, found.edges)
    pieces, moved = _parted(ear.heard, edges)
    ranges = sorted((moved[first], moved[last]) for first, last in code)
    page = Page(source, Shown(pieces, plain), pieces, ranges, move)
    if found is None:
        page.arrange_html((level, moved[first], moved[last]) for level, first, last in headings)
    else:
        page.arrange(found)
    return page


def _body(source: Source) -> int:
    """Where the text begins, after its frontmatter and what stands before that."""
    start = frontmatter.preamble(source.encoded)
    block = frontmatter.split(source.encoded[start:])
    return 0 if block is None else start + block.body


_Ranges = list[tuple[int, int]]
_Marks = list[tuple[int, int, int]]


def _told_by_tags(tags: list[tuple[int, str, bool]]) -> tuple[set[int], _Ranges, _Marks]:
    """What tags say, in numbers of pieces: where blocks part, what is code, and headings with their levels.

    Code that is never closed hides nothing.
    """
    edges: set[int] = set()
    code: _Ranges = []
    headings: _Marks = []
    began: dict[str, list[int]] = {}
    for at, tag, opens in tags:
        if tag in SEPARATING and tag not in _IN_LINE:
            edges.add(at)
        if tag not in _CODE and not _HEADING.fullmatch(tag):
            continue
        if opens:
            began.setdefault(tag, []).append(at)
        elif began.get(tag):
            first = began[tag].pop()
            if tag in _CODE:
                code.append((first, at))
            else:
                headings.append((int(tag[1]), first, at))
    return edges, code, sorted(headings, key=lambda heading: heading[1])


def _within(pieces: list[Piece], ranges: Iterable[tuple[int, int]]) -> _Ranges:
    """Byte ranges as ranges of pieces."""
    starts = list(accumulate((start for _, start, _ in pieces), max))
    return [(bisect_left(starts, start), bisect_left(starts, end)) for start, end in ranges]


def _crossed(pieces: list[Piece], edges: list[int]) -> set[int]:
    """The pieces before which one of the byte offsets `edges` lies, and not before the one before."""
    starts = list(accumulate((start for _, start, _ in pieces), max))
    return {bisect_left(starts, edge) for edge in edges}


def _parted(pieces: list[Piece], edges: set[int]) -> tuple[list[Piece], list[int]]:
    """The pieces with an `EDGE` where blocks part, and the new number of each, and of their end."""
    parted: list[Piece] = []
    moved: list[int] = []
    for index, piece in enumerate(pieces):
        if index in edges:
            parted.append((EDGE, piece[1], piece[1]))
        moved.append(len(parted))
        parted.append(piece)
    moved.append(len(parted))
    return parted, moved


def _masked(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in ranges:
        if end > done:
            start = max(start, done)
            parts += (text[done:start], " " * (end - start))
            done = end
    parts.append(text[done:])
    return "".join(parts)
