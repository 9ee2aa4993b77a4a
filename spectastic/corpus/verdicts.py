"""What the citations of a decision amount to. Pure, given the resolver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import Outcome
from spectastic.findings import Span
from spectastic.spec.citation import Fault, find
from spectastic.spec.model import Malformed, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus.resolver import Resolver
    from spectastic.spec.model import Citation, Decision


def state(decision: Decision, resolver: Resolver) -> State:
    """The grounding state of a decision, by its worst citation; a malformed one leads to nothing."""
    if decision.malformed:
        return State.UNGROUNDED
    if not decision.citations:
        return State.ASSUMED
    outcomes = {resolver.resolve(citation).outcome for citation in decision.citations}
    if Outcome.NOTHING in outcomes:
        return State.UNGROUNDED
    if Outcome.SUPERSEDED in outcomes:
        return State.STALE
    bare = any(citation.edition is None for citation in decision.citations)
    return State.UNPINNED if bare else State.GROUNDED


def _behind(citation: Citation, edition: str) -> Iterator[Malformed]:
    """The near misses in what an author would read as the edition, behind the edition that exists."""
    if citation.run is None or citation.edition is None or len(edition) >= len(citation.edition):
        return
    skipped = len(edition)
    # What comes after it was read as text of its own.
    rest = citation.run[skipped : len(citation.edition)]
    for fault in find(rest):
        if isinstance(fault, Fault):
            span = Span(citation.after(skipped + fault.start), citation.after(skipped + fault.end))
            at = Span(citation.after(skipped + fault.at_start), citation.after(skipped + fault.at_end))
            yield Malformed(rest[fault.start : fault.end], span, at, fault.message, fault.suggestion)


def settled(decision: Decision, resolver: Resolver) -> Decision:
    """The decision with each citation ended at the edition that it leads to.

    One that leads to nothing and has an odd character in its edition is a near miss, not a citation.
    """
    kept: list[Citation] = []
    misspelt: list[Malformed] = []
    for citation in decision.citations:
        found = resolver.resolve(citation)
        if found.outcome is not Outcome.NOTHING:
            kept.append(citation if found.edition is None else citation.ending_with(found.edition))
            misspelt += _behind(citation, found.edition or "")
        elif citation.spelling is None:
            kept.append(citation)
        else:
            misspelt.append(citation.spelling)
    malformed = decision.malformed
    if misspelt:
        malformed = tuple(sorted((*malformed, *misspelt), key=lambda fault: fault.span))
    return decision._replace(citations=tuple(kept), malformed=malformed)
