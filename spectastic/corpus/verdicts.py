"""What the citations of a decision amount to. Pure, given the resolver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import Outcome
from spectastic.spec.model import State

if TYPE_CHECKING:
    from spectastic.corpus.resolver import Resolver
    from spectastic.spec.model import Citation, Decision, Malformed


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
        elif citation.spelling is None:
            kept.append(citation)
        else:
            misspelt.append(citation.spelling)
    malformed = decision.malformed
    if misspelt:
        malformed = tuple(sorted((*malformed, *misspelt), key=lambda fault: fault.span))
    return decision._replace(citations=tuple(kept), malformed=malformed)
