"""One finding, one line: `path:line:column: severity rule message`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.report.statistics import table
from spectastic.report.summary import summary
from spectastic.report.view import BOLD, SEVERITY_COLORS, View, paint, paths
from spectastic.text import inert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spectastic.findings import Finding
    from spectastic.report.model import Report


def render(report: Report, view: View) -> Iterator[str]:
    """The report, line by line, and the summary."""
    if view.statistics:
        yield from table(report, view)
    else:
        place = paths(report.settings.root, view.cwd)
        for finding in report.findings:
            yield line(finding, place, view)
    if view.summary:
        yield summary(report, view)


def line(finding: Finding, place: Callable[[str], str], view: View) -> str:
    """A finding on its line."""
    return f"{head(finding, place, view)} {inert(finding.message)}\n"


def head(finding: Finding, place: Callable[[str], str], view: View) -> str:
    """The place, the severity and the rule: what comes before the message, here and in `full`."""
    where = f"{place(finding.path)}:{finding.location.line}:{finding.location.column}:"
    severity = paint(finding.severity.label, SEVERITY_COLORS[finding.severity], view)
    return f"{paint(where, BOLD, view)} {severity} {paint(finding.rule, BOLD, view)}"
