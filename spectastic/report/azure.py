"""For Azure Pipelines: logging commands, which show findings on the page of the run.

`task.logissue` knows errors and warnings. An info would count as a warning there, so it is a plain line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Severity
from spectastic.report.concise import line
from spectastic.report.pieces import told
from spectastic.report.summary import summary
from spectastic.report.view import PLAIN, from_top, of_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Finding
    from spectastic.report.model import Report
    from spectastic.report.view import View

#: The agent reads these, and no others. `%AZP25` keeps a text such as `%3B` what it is.
_ESCAPES = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"})


def render(report: Report, view: View) -> Iterator[str]:
    """The commands and the plain lines, in the order of the report, and the summary."""
    place = from_top(view)
    for finding in report.findings:
        plain = finding.severity is Severity.INFO
        yield line(finding, place, PLAIN) if plain else _command(finding, view)
    if view.summary:
        yield summary(report, PLAIN)


def _command(finding: Finding, view: View) -> str:
    properties = {
        "type": finding.severity.label,
        "sourcepath": of_command(view.prefix + finding.path),
        "linenumber": str(finding.location.line),
        "columnnumber": str(finding.location.column),
        "code": finding.rule,
    }
    fields = "".join(f"{name}={value.translate(_ESCAPES)};" for name, value in properties.items())
    return f"##vso[task.logissue {fields}]{told(finding).translate(_ESCAPES)}\n"
