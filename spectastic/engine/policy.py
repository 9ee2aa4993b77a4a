"""Policy: which rules are in force where, and how much their findings matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.discover import path_matcher
from spectastic.rules import RULES, file_unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.config import Settings
    from spectastic.findings import Finding, Rule, Severity


class Policy:
    """What settings say about rules."""

    __slots__ = ("_ignores", "_severity", "_wanted")

    def __init__(self, settings: Settings) -> None:
        # What cannot be read was not checked: choosing some rules must not make that look like nothing wrong.
        wanted = frozenset((*settings.select, file_unreadable.RULE.id) if settings.select else RULES)
        self._wanted = wanted - frozenset(settings.ignore)
        self._ignores = [
            (path_matcher((pattern,)), frozenset(rules)) for pattern, rules in settings.per_path_ignores
        ]
        self._severity = settings.severity

    def active(self, rule: str, path: str) -> bool:
        """Whether a rule is in force for a file; `path` is relative to the root."""
        if rule not in self._wanted:
            return False
        return not any(rule in rules and matches(path) for matches, rules in self._ignores)

    def wants(self, rule: str) -> bool:
        """Whether a rule is in force anywhere."""
        return rule in self._wanted

    def severity(self, rule: Rule) -> Severity | None:
        """How much a finding of a rule matters; `None` where it is not in force anywhere."""
        return self._severity.get(rule.id, rule.severity) if self.wants(rule.id) else None

    def apply(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings of rules in force, at the severity that settings give them."""
        for finding in findings:
            if self.active(finding.rule, finding.path):
                severity = self._severity.get(finding.rule)
                yield finding if severity is None else finding._replace(severity=severity)
