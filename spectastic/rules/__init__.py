"""The rules, in order. A new rule is a module of this package and a line in one of these lists."""

from __future__ import annotations

import sys
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

#: Every rule by its id, in the order in which they are listed to users.
RULES: dict[str, Rule] = {
    rule.id: rule
    for rule in (
        corpus_provenance.RULE,
        corpus_staleness.RULE,
        corpus_citation_form.RULE,
        corpus_license.RULE,
        corpus_registry.RULE,
        corpus_frontmatter.RULE,
        corpus_edition_drift.RULE,
        corpus_integrity.RULE,
        corpus_orphan.RULE,
        corpus_not_citable.RULE,
        corpus_ungrounded_claim.RULE,
        decision_markup.RULE,
        file_unreadable.RULE,
    )
}


def page(rule_id: str) -> str:
    """A rule's page: the docstring of its module. Raises `KeyError` for an id that is no rule's."""
    return sys.modules[f"{__name__}.{RULES[rule_id].id.replace('-', '_')}"].__doc__ or ""
