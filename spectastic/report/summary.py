"""The closing lines of a report: what was checked, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.report import cells
from spectastic.report.view import GREEN, RED, YELLOW, View, amount, paint

if TYPE_CHECKING:
    from spectastic.report.model import Report


def summary(report: Report, view: View) -> str:
    """Two lines (on a narrow terminal more): the count of what was checked, and the verdict."""
    checked = _checked(report)
    if view.width:
        checked = "\n".join(cells.wrap(checked, view.width, view.width))
    return f"{checked}\n{_verdict(report, view)}\n"


def _checked(report: Report) -> str:
    if not report.specs:
        return "Checked no spec."
    specs = amount(report.specs, "spec")
    citations = amount(report.citations, "citation")
    states = [f"{count:,} {state.value}" for state, count in report.decisions.items() if count]
    total = amount(sum(report.decisions.values()), "decision")
    decisions = f"{total} ({', '.join(states)})" if states else total
    return f"Checked {specs}: {decisions}, {citations}."


def _verdict(report: Report, view: View) -> str:
    counts = [amount(count, severity.label) for severity, count in report.severities.items() if count]
    found = ", ".join(counts)
    if report.failed:
        return f"{paint('Failed:', RED, view)} {found}."
    if found:
        level = report.settings.fail_on.label
        return f"{paint('Passed:', GREEN, view)} {found}, none that fails the run (fail-on is {level})."
    if not report.specs:
        return f"{paint('No findings,', YELLOW, view)} and no spec was checked."
    return f"{paint('Passed:', GREEN, view)} no findings."
