"""How many findings each rule has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.report.view import BOLD, View, paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.report.model import Report


def count(report: Report, view: View) -> list[tuple[str, int]]:
    """Rules that found something and how often: the most frequent first, then in the rules' order."""
    counts: dict[str, int] = {rule.id: 0 for rule in view.rules}
    for finding in report.findings:
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
    found = [(rule, number) for rule, number in counts.items() if number]
    return sorted(found, key=lambda entry: -entry[1])


def table(report: Report, view: View) -> Iterator[str]:
    """One line a rule: count, rule and what it reports."""
    counts = count(report, view)
    summaries = {rule.id: rule.summary for rule in view.rules}
    digits = max((len(f"{number:,}") for _, number in counts), default=0)
    longest = max((len(rule) for rule, _ in counts), default=0)
    for rule, number in counts:
        name = paint(rule, BOLD, view) + " " * (longest - len(rule))
        yield f"{number:>{digits},}  {name}  {summaries.get(rule, '')}".rstrip() + "\n"
