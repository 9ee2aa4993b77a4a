"""From visible text to decisions: the one place that both scanners feed.

A scanner reports, in document order, the text a reader sees, where blanks separate it, and where
decisions begin and end. Text that no decision holds is dropped unless citations count everywhere.
Comments are for those who ask for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Problem, Span
from spectastic.spec.citation import Fault, Token, find
from spectastic.spec.model import Citation, Decision, Malformed, Spec, Suppression
from spectastic.spec.nesting import Nesting
from spectastic.spec.shown import Piece, Shown

if TYPE_CHECKING:
    from spectastic.source import Source
    from spectastic.spec.html import Places
    from spectastic.spec.scopes import Comments


class _Open:
    """A decision whose end has not been seen."""

    __slots__ = ("behind", "grounding", "heard", "id", "index", "pieces", "span", "warned")

    def __init__(self, index: int, attributes: dict[str, str], span: Span) -> None:
        self.index = index
        self.id = attributes.get("id") or None
        self.grounding = attributes.get("grounding") or None
        self.span = span
        self.pieces: list[Piece] = []
        #: Its author has been told of trouble with it: once is enough.
        self.warned = False
        #: Whether the last comment stood behind text in its line, and how many pieces came before it.
        self.behind = False
        self.heard = 0

    def comment(self) -> bool:
        """A comment comes: whether it stands behind text in its line."""
        text = "".join([piece[0] for piece in self.pieces[self.heard :]])
        _, line_end, line = text.rpartition("\n")
        self.behind = line.strip() != "" or (self.behind and not line_end)
        self.heard = len(self.pieces)
        return self.behind


class Reader:
    """Collects what a scanner reports; `finish` gives the spec, its decisions in document order."""

    __slots__ = ("_decisions", "_loose", "_problems", "_stack", "comments", "nesting", "pieces", "source")

    def __init__(self, source: Source, *, everywhere: bool = False, comments: Comments | None = None) -> None:
        self.source = source
        #: Where comments go; `None` where none of them can be a suppression.
        self.comments = comments
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
        if self.comments is not None:
            self.comments.opened(span.start, opened.index)
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
        self._decisions[opened.index] = self._decision(opened, span.end)
        self._listen()
        self.blank(span.end)

    def comment(self, places: Places, start: int, end: int, doubt: str) -> None:
        """A comment, characters `[start, end)` of `places`; `doubt` is what may hide it from a browser."""
        if self.comments is None:
            return
        holder = self._stack[-1] if self._stack else None
        inside, behind = (None, False) if holder is None else (holder.index, holder.comment())
        self.comments.add(places, (start, end), doubt, inside, behind=behind)

    def problem(self, span: Span, message: str, hint: str = "") -> None:
        """Markup that readers see differently."""
        self._problems.append(Problem(span, message, hint, subject=self.source.slice(span)[:80]))

    def finish(self) -> Spec:
        """What was found: everything in order, and what stands outside decisions when asked for."""
        end = self.source.base + len(self.source.encoded)
        for opened in self._stack:
            if not opened.warned:
                self.problem(opened.span, "the decision is never closed", "end it with </spec-decision>")
            self._decisions[opened.index] = self._decision(opened, end)
        decisions = tuple([decision for decision in self._decisions if decision is not None])
        loose = None if self._loose is None else self._decision(self._loose, end)
        suppressions: tuple[Suppression, ...] = ()
        if self.comments is not None:
            unclosed = {opened.index for opened in self._stack}
            suppressions = self.comments.finish(decisions, unclosed)
        return Spec(self.source.path, decisions, loose, tuple(sorted(self._problems)), suppressions)

    def _listen(self) -> None:
        holder = self._stack[-1] if self._stack else self._loose
        self.pieces = None if holder is None else holder.pieces

    def _decision(self, opened: _Open, end: int) -> Decision:
        shown = Shown(opened.pieces, self.source)
        citations: list[Citation] = []
        malformed: list[Malformed] = []
        for found in find(shown.text):
            if isinstance(found, Fault):
                malformed.append(_malformed(found, shown))
            else:
                citations.append(_citation(found, shown))
        opened.pieces = []
        extent = Span(opened.span.start, end)
        return Decision(opened.id, opened.grounding, opened.span, tuple(citations), tuple(malformed), extent)


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
