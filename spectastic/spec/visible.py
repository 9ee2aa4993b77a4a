"""From visible text to decisions: the one place that both scanners feed.

A scanner reports, in document order, the text a reader sees, where blanks separate it, and where
decisions begin and end. Text that no decision holds is dropped unless citations count everywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from spectastic.findings import Problem, Span
from spectastic.source import Source
from spectastic.spec.citation import Fault, Token, find
from spectastic.spec.model import Citation, Decision, Malformed
from spectastic.spec.nesting import Nesting


_BLANK = re.compile("\\s")


class _Piece(NamedTuple):
    """Visible text, and the bytes of the file that show as it."""

    text: str
    start: int
    end: int


class _Open:
    """A decision whose end has not been seen. `depth` counts the containers around its start."""

    __slots__ = ("depth", "grounding", "id", "index", "pieces", "span", "warned")

    def __init__(self, index: int, depth: int, attributes: dict[str, str], span: Span) -> None:
        self.index = index
        self.depth = depth
        self.id = attributes.get("id") or None
        self.grounding = attributes.get("grounding") or None
        self.span = span
        self.pieces: list[_Piece] = []
        self.warned = False


class Reader:
    """Collects what a scanner reports; `finish` gives the decisions in document order."""

    __slots__ = ("_decisions", "_loose", "_nesting", "_problems", "_stack", "source")

    def __init__(self, source: Source, *, everywhere: bool = False) -> None:
        self.source = source
        self._decisions: list[Decision | None] = []
        self._problems: list[Problem] = []
        self._stack: list[_Open] = []
        self._loose = _Open(-1, 0, {}, Span(0, 0)) if everywhere else None
        self._nesting = Nesting()

    @property
    def listening(self) -> bool:
        """Whether visible text matters here."""
        return bool(self._stack) or self._loose is not None

    @property
    def deciding(self) -> bool:
        """Whether a decision is open."""
        return bool(self._stack)

    def text(self, text: str, start: int, end: int) -> None:
        """Visible text that bytes `[start, end)` of the file show."""
        holder = self._stack[-1] if self._stack else self._loose
        if holder is not None:
            holder.pieces.append(_Piece(text, start, end))

    def blank(self, at: int) -> None:
        """Something that separates what stands before from what follows."""
        self.text("\n", at, at)

    def open(self, attributes: dict[str, str], span: Span, *, self_closing: bool = False) -> None:
        """A `<spec-decision>` start tag."""
        self.blank(span.start)
        self._stack.append(_Open(len(self._decisions), self._nesting.depth, attributes, span))
        self._decisions.append(None)
        if self_closing:
            self.problem(
                span,
                "<spec-decision/> does not close itself: in HTML it opens an element",
                "write <spec-decision>…</spec-decision>",
            )
            self._stack[-1].warned = True

    def close(self, span: Span) -> None:
        """A `</spec-decision>` end tag."""
        if not self._stack:
            hint = "remove it, or write the <spec-decision> that it should end"
            self.problem(span, "</spec-decision> ends no decision", hint)
            return
        opened = self._stack[-1]
        if self._nesting.depth > opened.depth and not opened.warned:
            self.problem(
                span,
                "</spec-decision> stands deeper than the start tag it should end: browsers ignore it",
                "put both tags on lines of their own, with blank lines around them",
            )
        self._finish(self._stack.pop())
        self.blank(span.end)

    def enter(self, end: int) -> None:
        """A Markdown container (a paragraph, a list item …) begins; it ends before offset `end`."""
        self._nesting.enter(end)

    def advance(self, offset: int) -> None:
        """The scanner has come to `offset`: containers that end before it are left."""
        if self._nesting.advance(offset):
            self._left()

    def start_element(self, name: str) -> None:
        """The start tag of an HTML element that is a block or the like."""
        self._nesting.start(name)

    def end_element(self, name: str) -> None:
        """Its end tag."""
        if self._nesting.end(name):
            self._left()

    def _left(self) -> None:
        """Containers ended. A decision opened inside one ends there as well in a browser."""
        depth = self._nesting.depth
        for opened in reversed(self._stack):
            if opened.depth <= depth:
                break
            opened.depth = depth
            if not opened.warned:
                opened.warned = True
                self.problem(
                    opened.span,
                    "the decision begins inside a paragraph, list item or element that ends before it: "
                    "browsers end the decision there",
                    "put <spec-decision> on a line of its own, with a blank line before and after",
                )

    def problem(self, span: Span, message: str, hint: str = "") -> None:
        """Markup that readers see differently."""
        self._problems.append(Problem(span, message, hint, subject=self.source.slice(span)[:80]))

    def finish(self) -> tuple[tuple[Decision, ...], Decision | None, tuple[Problem, ...]]:
        """The decisions, what stands outside them (when asked for) and the problems, in order."""
        for opened in self._stack:
            if not opened.warned:
                hint = "end it with </spec-decision>"
                self.problem(opened.span, "the decision is never closed", hint)
        while self._stack:
            self._finish(self._stack.pop())
        decisions = tuple(decision for decision in self._decisions if decision is not None)
        loose = None if self._loose is None else self._decision(self._loose)
        return decisions, loose, tuple(sorted(self._problems))

    def _finish(self, opened: _Open) -> None:
        self._decisions[opened.index] = self._decision(opened)

    def _decision(self, opened: _Open) -> Decision:
        text = _Text(opened.pieces, self.source)
        citations: list[Citation] = []
        malformed: list[Malformed] = []
        for found in find(text.joined):
            if isinstance(found, Fault):
                malformed.append(text.malformed(found))
            else:
                citations.append(text.citation(found))
        return Decision(opened.id, opened.grounding, opened.span, tuple(citations), tuple(malformed))


class _Text:
    """The visible text of one decision, and the way back from its indices to the file."""

    __slots__ = ("_literal", "_offsets", "_pieces", "_source", "joined")

    def __init__(self, pieces: list[_Piece], source: Source) -> None:
        self._pieces = pieces
        self._source = source
        self.joined = "".join([piece.text for piece in pieces])
        self._literal: dict[int, tuple[int, ...] | None] = {}
        self._offsets: list[int] = []
        total = 0
        for piece in pieces:
            self._offsets.append(total)
            total += len(piece.text)

    def citation(self, token: Token) -> Citation:
        """A citation with its place in the file."""
        span = Span(self._start(token.start), self._end(token.end))
        ends: tuple[int, ...] = ()
        if token.run is not None:
            stop = token.run_start + len(token.run)
            if self._end(stop) - span.start != stop - token.start:
                ends = tuple(self._end(index + 1) for index in range(token.run_start, stop))
        spelling = self.malformed(token.fault) if token.fault else None
        return Citation(token.id, token.edition, span, token.run, ends, spelling)

    def malformed(self, fault: Fault) -> Malformed:
        """A near miss with its place in the file."""
        return Malformed(
            text=self.joined[fault.start : fault.end],
            span=Span(self._start(fault.start), self._end(fault.end)),
            at=Span(self._start(fault.at_start), self._end(fault.at_end)),
            message=fault.message,
            suggestion=fault.suggestion,
        )

    def _start(self, index: int) -> int:
        """The file offset of the first byte of the character at `index`."""
        number = bisect_right(self._offsets, index) - 1
        piece = self._pieces[number]
        inside = index - self._offsets[number]
        places = self._places(number)
        return piece.start + inside if places is None else places[2 * inside]

    def _end(self, index: int) -> int:
        """The file offset after the last byte of the character before `index`."""
        number = bisect_right(self._offsets, index - 1) - 1
        piece = self._pieces[number]
        inside = index - 1 - self._offsets[number]
        places = self._places(number)
        return piece.start + inside + 1 if places is None else places[2 * inside + 1]

    def _places(self, number: int) -> tuple[int, ...] | None:
        """Start and end of each character of a piece; `None` for plain ASCII that stands as shown."""
        if number not in self._literal:
            piece = self._pieces[number]
            raw = self._source.encoded[piece.start - self._source.base : piece.end - self._source.base]
            if raw.isascii() and raw.decode() == piece.text:
                self._literal[number] = None
            else:
                self._literal[number] = _align(piece, raw.decode("utf-8", "replace"))
        return self._literal[number]


def _align(piece: _Piece, raw: str) -> tuple[int, ...]:
    """Start and end offsets of every character of `piece.text`, found again in the raw text.

    The shown text is the raw text with something taken out (code fences, container prefixes on a
    continued line, the backslash of `\\|`), a blank in place of a line end, or one character in
    place of a reference. What is taken out has no letter or digit, so the next one found is the
    right one. A character that is not found again gets the whole of what is left.
    """
    places: list[int] = []
    at, offset = 0, piece.start
    if len(piece.text) == 1:
        return (piece.start, piece.end)
    for character in piece.text:
        if character.isspace():
            blank = _BLANK.search(raw, at)
            found = blank.start() if blank else -1
        else:
            found = raw.find(character, at)
        if found < 0:
            places += (offset, piece.end)
            continue
        offset += len(raw[at:found].encode())
        width = len(raw[found].encode())
        places += (offset, offset + width)
        offset += width
        at = found + 1
    return tuple(places)
