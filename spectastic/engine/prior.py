"""Prior art for a run: what rules about it may ask, as it is now or as a commit has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.rules import PRIOR_ART_RULES
from spectastic.rules.priors import Priors

if TYPE_CHECKING:
    from collections.abc import Callable

    from spectastic.config import Settings
    from spectastic.engine.policy import Policy
    from spectastic.retrieval.trees import Tree


def priors(settings: Settings, policy: Policy, tree: Callable[[], Tree] | None = None) -> Priors | None:
    """What is asked, in `tree` or else on disk; `None` where no rule in force asks anything."""
    if not any(policy.wants(rule.RULE.id) for rule in PRIOR_ART_RULES):
        return None
    return Priors(
        settings.root,
        settings.prior_art_root,
        settings.prior_art_siblings,
        settings.lifecycle,
        _configured(settings),
        tree,
    )


def _configured(settings: Settings) -> str:
    """The file that names the lifecycle files, below the root; "" where there is none."""
    name, _, line = settings.origins.get("lifecycle", "").rpartition(":")
    outside = name.startswith(("/", "../")) or ":" in name or "\\" in name
    return name if line.isdecimal() and not outside else ""
