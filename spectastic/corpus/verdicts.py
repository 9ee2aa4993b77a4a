"""What the citations of a decision amount to. Pure, given the resolver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import Outcome
from spectastic.spec.model import State

if TYPE_CHECKING:
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


def settled(decision: Decision, resolver: Resolver) -> Decision:
    """The decision with each citation ended at the edition that it leads to.

    One that leads to nothing and has an odd character in its edition is a near miss, not a citation.
    """
    citations = [_ended(citation, resolver) for citation in decision.citations]
    misspelt = [
        citation.spelling
        for citation in citations
        if citation.spelling and resolver.resolve(citation).outcome is Outcome.NOTHING
    ]
    if not misspelt:
        return decision._replace(citations=tuple(citations))
    kept = tuple(citation for citation in citations if citation.spelling not in misspelt)
    malformed = sorted((*decision.malformed, *misspelt), key=lambda fault: fault.span)
    return decision._replace(citations=kept, malformed=tuple(malformed))


def _ended(citation: Citation, resolver: Resolver) -> Citation:
    found = resolver.resolve(citation)
    if found.outcome is Outcome.NOTHING or found.edition is None:
        return citation
    return citation.ending_with(found.edition)
