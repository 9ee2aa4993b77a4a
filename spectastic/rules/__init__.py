"""The rules, in order. A new rule is a module of this package and, once imported, a line in a list here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.rules import (
    corpus_append_only,
    corpus_citation_form,
    corpus_edition_drift,
    corpus_frontmatter,
    corpus_instruction,
    corpus_integrity,
    corpus_license,
    corpus_not_citable,
    corpus_orphan,
    corpus_provenance,
    corpus_registry,
    corpus_staleness,
    corpus_uncommitted,
    corpus_ungrounded_claim,
    decision_markup,
    file_unreadable,
    prior_art_provenance,
    retrieval_status_parity,
    unused_suppression,
)

if TYPE_CHECKING:
    from types import ModuleType

    from spectastic.findings import Rule
    from spectastic.rules.protocols import CorpusRule, HistoryRule, LifecycleRule, PriorArtRule, SpecRule

SPEC_RULES: tuple[SpecRule, ...] = (
    corpus_provenance,
    corpus_uncommitted,
    corpus_staleness,
    corpus_citation_form,
    corpus_not_citable,
    corpus_ungrounded_claim,
    corpus_instruction,
    decision_markup,
)

CORPUS_RULES: tuple[CorpusRule, ...] = (
    corpus_license,
    corpus_registry,
    corpus_frontmatter,
    corpus_edition_drift,
    corpus_integrity,
    corpus_orphan,
    corpus_instruction.REFERENCES,
    file_unreadable,
)

HISTORY_RULES: tuple[HistoryRule, ...] = (corpus_append_only,)

PRIOR_ART_RULES: tuple[PriorArtRule, ...] = (prior_art_provenance, retrieval_status_parity)

LIFECYCLE_RULES: tuple[LifecycleRule, ...] = (retrieval_status_parity.LIFECYCLE,)

#: What is said of the comments that silence rules; the engine knows which of them were of no use.
SUPPRESSION_RULES = (unused_suppression,)

_LISTED: tuple[SpecRule | CorpusRule | HistoryRule | PriorArtRule | LifecycleRule | ModuleType, ...] = (
    *SPEC_RULES,
    *CORPUS_RULES,
    *HISTORY_RULES,
    *PRIOR_ART_RULES,
    *LIFECYCLE_RULES,
    *SUPPRESSION_RULES,
)
#: A rule with two checks is described by its module, which is listed first.
_PAGES = {module.RULE.id: module.__doc__ or "" for module in reversed(_LISTED)}

#: Every rule by its id, in the order in which they are listed to users: that of the lists.
RULES: dict[str, Rule] = {module.RULE.id: module.RULE for module in _LISTED}


def page(rule_id: str) -> str:
    """A rule's page: the docstring of its module. Raises `KeyError` for an id that is no rule's."""
    return _PAGES[rule_id]
