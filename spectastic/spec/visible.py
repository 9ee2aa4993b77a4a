"""From visible text to decisions: the one place that both scanners feed.

A scanner reports, in document order, the text a reader sees, where blanks separate it, and where
decisions begin and end. Text that no decision holds is dropped unless citations count everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Problem, Span
from spectastic.spec.citation import Fault, Token, find
from spectastic.spec.model import Citation, Decision, Malformed
from spectastic.spec.nesting import Nesting
from spectastic.spec.shown import Piece, Shown

if TYPE_CHECKING:
    from spectastic.source import Source


class _Open:
    """A decision whose end has not been seen."""

    __slots__ = ("grounding", "id", "index", "pieces", "span", "warned")

    def __init__(self, index: int, attributes: dict[str, str], span: Span) -> None:
        self.index = index
        self.id = attributes.get("id") or None
        self.grounding = attributes.get("grounding") or None
        self.span = span
        self.pieces: list[Piece] = []
        #: Its author has been told of trouble with it: once is enough.
        self.warned = False


class Reader:
    """Collects what a scanner reports; `finish` gives the decisions in document order."""

    __slots__ = ("_decisions", "_loose", "_problems", "_stack", "nesting", "pieces", "source")

    def __init__(self, source: Source, *, everywhere: bool = False) -> None:
        self.source = source
        self.nesting = Nesting()
        self._decisions: list[Decision | None] = []
        self._problems: list[Problem] = []
        self._stack: list[_Open] = []
        self._loose = _Open(-1, {}, Span(0, 0)) if everywhere else None
        #: Where visible text goes, piece by piece; `None` where it does not matter.
        self.pieces: list[Piece] | None = None
        self._listen()

    def blank(self, at: int) -> None:
        """Something that separates what stands before from what follows."""
        if self.pieces is not None:
            self.pieces.append(("\n", at, at))

    def open(self, attributes: dict[str, str], span: Span, *, self_closing: bool = False) -> None:
        """A `<spec-decision>` start tag."""
        self.blank(span.start)
        opened = _Open(len(self._decisions), attributes, span)
        self._stack.append(opened)
        self._decisions.append(None)
        self.nesting.open(opened)
        self._listen()
        if self_closing:
            opened.warned = True
            self.problem(
                span,
                "<spec-decision/> does not close itself: in HTML it opens an element",
                "write <spec-decision>…</spec-decision>",
            )

    def close(self, span: Span) -> None:
        """A `</spec-decision>` end tag."""
        if not self._stack:
            hint = "remove it, or write the <spec-decision> that it should end"
            self.problem(span, "</spec-decision> ends no decision", hint)
            return
        opened = self._stack.pop()
        lost = opened in self.nesting.lost
        ignored = not lost and self.nesting.close()
        if lost and not opened.warned:
            self.problem(
                opened.span,
                "the decision begins inside a paragraph, list item or element that ends before it: "
                "browsers end the decision there",
                "put <spec-decision> on a line of its own, with a blank line before and after",
            )
        elif ignored and not opened.warned:
            self.problem(
                span,
                "</spec-decision> stands deeper than the start tag it should end: browsers ignore it",
                "put both tags on lines of their own, with blank lines around them",
            )
        self._decisions[opened.index] = self._decision(opened)
        self._listen()
        self.blank(span.end)

    def problem(self, span: Span, message: str, hint: str = "") -> None:
        """Markup that readers see differently."""
        self._problems.append(Problem(span, message, hint, subject=self.source.slice(span)[:80]))

    def finish(self) -> tuple[tuple[Decision, ...], Decision | None, tuple[Problem, ...]]:
        """The decisions, what stands outside them (when asked for) and the problems, in order."""
        for opened in self._stack:
            if not opened.warned:
                self.problem(opened.span, "the decision is never closed", "end it with </spec-decision>")
            self._decisions[opened.index] = self._decision(opened)
        decisions = tuple([decision for decision in self._decisions if decision is not None])
        loose = None if self._loose is None else self._decision(self._loose)
        return decisions, loose, tuple(sorted(self._problems))

    def _listen(self) -> None:
        holder = self._stack[-1] if self._stack else self._loose
        self.pieces = None if holder is None else holder.pieces

    def _decision(self, opened: _Open) -> Decision:
        shown = Shown(opened.pieces, self.source)
        citations: list[Citation] = []
        malformed: list[Malformed] = []
        for found in find(shown.text):
            if isinstance(found, Fault):
                malformed.append(_malformed(found, shown))
            else:
                citations.append(_citation(found, shown))
        opened.pieces = []
        return Decision(opened.id, opened.grounding, opened.span, tuple(citations), tuple(malformed))


def _citation(token: Token, shown: Shown) -> Citation:
    """A citation with its place in the file."""
    span = shown.span(token.start, token.end)
    ends: tuple[int, ...] = ()
    if token.run is not None:
        stop = token.run_start + len(token.run)
        if shown.span(token.start, stop).end - span.start != stop - token.start:
            ends = shown.ends(token.run_start, stop)
    spelling = _malformed(token.fault, shown) if token.fault else None
    return Citation(token.id, token.edition, span, token.run, ends, spelling)


def _malformed(fault: Fault, shown: Shown) -> Malformed:
    """A near miss with its place in the file."""
    return Malformed(
        text=shown.text[fault.start : fault.end],
        span=shown.span(fault.start, fault.end),
        at=shown.span(fault.at_start, fault.at_end),
        message=fault.message,
        suggestion=fault.suggestion,
    )
