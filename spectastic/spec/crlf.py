"""Files whose lines end in CR and LF: read as if they ended in LF, with places in the file as it is."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from spectastic.findings import Span
from spectastic.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from spectastic.findings import Problem
    from spectastic.spec.model import Citation, Decision, Malformed, Spec, Suppression

_CRLF = re.compile(b"\r\n")


def with_lf(source: Source) -> Source:
    """The same text without the CRs that stand before an LF, and without a byte order mark."""
    return Source(source.path, source.encoded.replace(b"\r\n", b"\n"))


def moved(spec: Spec, source: Source) -> Spec:
    """What was found in `with_lf(source)`, with the places that it has in `source`."""
    move = _Move(source)
    return spec._replace(
        decisions=tuple([move.decision(decision) for decision in spec.decisions]),
        loose=None if spec.loose is None else move.decision(spec.loose),
        problems=tuple([move.problem(problem) for problem in spec.problems]),
        suppressions=tuple([move.suppression(suppression) for suppression in spec.suppressions]),
    )


def mover(source: Source) -> Callable[[Span], Span]:
    """A function from places in `with_lf(source)` to those in `source`."""
    return _Move(source).span


class _Move:
    """From offsets in the text with LFs to offsets in the file."""

    __slots__ = ("_base", "_taken")

    def __init__(self, source: Source) -> None:
        self._base = source.base
        #: Where, in the text with LFs, a CR was taken out before.
        self._taken = [match.start() - count for count, match in enumerate(_CRLF.finditer(source.encoded))]

    def decision(self, decision: Decision) -> Decision:
        return decision._replace(
            span=self.span(decision.span),
            citations=tuple([self._citation(citation) for citation in decision.citations]),
            malformed=tuple([self._malformed(malformed) for malformed in decision.malformed]),
            extent=self.span(decision.extent),
        )

    def problem(self, problem: Problem) -> Problem:
        return problem._replace(span=self.span(problem.span))

    def suppression(self, suppression: Suppression) -> Suppression:
        problem, scope = suppression.problem, self.span(suppression.scope)
        return suppression._replace(
            span=self.span(suppression.span),
            scope=Span(0, scope.end) if suppression.whole_file else scope,
            rules=tuple([(name, self.span(span)) for name, span in suppression.rules]),
            problem=None if problem is None else self.problem(problem),
        )

    def _citation(self, citation: Citation) -> Citation:
        spelling = citation.spelling
        return citation._replace(
            span=self.span(citation.span),
            ends=tuple([self._offset(end) for end in citation.ends]),
            spelling=None if spelling is None else self._malformed(spelling),
        )

    def _malformed(self, malformed: Malformed) -> Malformed:
        return malformed._replace(span=self.span(malformed.span), at=self.span(malformed.at))

    def span(self, span: Span) -> Span:
        return Span(self._offset(span.start), self._offset(span.end))

    def _offset(self, offset: int) -> int:
        return self._base + offset + bisect_left(self._taken, offset)
