"""The rules, in order. A new rule is a module of this package and, once imported, a line in a list here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.rules import (
    corpus_citation_form,
    corpus_edition_drift,
    corpus_frontmatter,
    corpus_integrity,
    corpus_license,
    corpus_not_citable,
    corpus_orphan,
    corpus_provenance,
    corpus_registry,
    corpus_staleness,
    corpus_ungrounded_claim,
    decision_markup,
    file_unreadable,
)

if TYPE_CHECKING:
    from spectastic.findings import Rule
    from spectastic.rules.protocols import CorpusRule, SpecRule

SPEC_RULES: tuple[SpecRule, ...] = (
    corpus_provenance,
    corpus_staleness,
    corpus_citation_form,
    corpus_not_citable,
    corpus_ungrounded_claim,
    decision_markup,
)

CORPUS_RULES: tuple[CorpusRule, ...] = (
    corpus_license,
    corpus_registry,
    corpus_frontmatter,
    corpus_edition_drift,
    corpus_integrity,
    corpus_orphan,
    file_unreadable,
)

_LISTED: tuple[SpecRule | CorpusRule, ...] = (*SPEC_RULES, *CORPUS_RULES)
_PAGES = {module.RULE.id: module.__doc__ or "" for module in _LISTED}

#: Every rule by its id, in the order in which they are listed to users: that of the lists.
RULES: dict[str, Rule] = {module.RULE.id: module.RULE for module in _LISTED}


def page(rule_id: str) -> str:
    """A rule's page: the docstring of its module. Raises `KeyError` for an id that is no rule's."""
    return _PAGES[rule_id]
