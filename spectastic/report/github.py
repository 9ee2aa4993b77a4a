"""For GitHub Actions: workflow commands, which show findings beside the lines that they are about.

Of the commands of a step GitHub makes annotations of the first ten of each kind, and drops the others
without a word. So the worst come first, and what is left over is told, and printed as plain lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Severity
from spectastic.report.concise import line
from spectastic.report.pieces import told
from spectastic.report.summary import summary
from spectastic.report.view import PLAIN, amount, from_top, of_command
from spectastic.text import inert

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.findings import Finding
    from spectastic.report.model import Report
    from spectastic.report.view import View

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}

#: So many commands of a kind become annotations, in one step.
MOST = 10

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def render(report: Report, view: View) -> Iterator[str]:
    """The commands, what they leave over, and the summary."""
    annotated, rest = _split(report.findings)
    for finding in annotated:
        yield _command(finding, view)
    if rest:
        yield _notice(rest)
    place = from_top(view)
    for finding in rest:
        yield line(finding, place, PLAIN)
    if view.summary:
        yield summary(report, PLAIN)


def trouble(message: str, hint: str = "") -> str:
    """The annotation for a run that could not be done."""
    text = inert(f"{message}. Hint: {hint}." if hint else f"{message}.")
    return f"::error title=spectastic::{text.translate(_DATA)}\n"


def step_summary(report: Report, view: View) -> str:
    """The Markdown for the page of the run, to be appended to the file `$GITHUB_STEP_SUMMARY`."""
    from spectastic.report import markdown

    return "".join(markdown.document(report, view, markdown.STEP_SUMMARY))


def _split(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The findings that become annotations, and those that GitHub would drop; worst first."""
    groups = {
        severity: [finding for finding in findings if finding.severity is severity]
        for severity in sorted(Severity, reverse=True)
    }
    room = dict.fromkeys(groups, MOST)
    if any(len(group) > MOST for group in groups.values()):
        # The notice that tells of the rest takes the place of one.
        room[Severity.INFO] -= 1
    annotated = [finding for severity, group in groups.items() for finding in group[: room[severity]]]
    return annotated, [finding for severity, group in groups.items() for finding in group[room[severity] :]]


def _command(finding: Finding, view: View) -> str:
    place = finding.location
    properties = {
        "file": of_command(view.prefix + finding.path),
        "line": str(place.line),
        "endLine": str(place.end_line),
    }
    if place.line == place.end_line:
        properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    properties["title"] = finding.rule
    fields = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {fields}::{told(finding).translate(_DATA)}\n"


def _notice(rest: Sequence[Finding]) -> str:
    severities = [finding.severity for finding in rest]
    counts = [
        amount(severities.count(severity), severity.label)
        for severity in sorted(Severity, reverse=True)
        if severity in severities
    ]
    text = (
        f"{amount(len(rest), 'more finding')} without an annotation: {', '.join(counts)}. GitHub shows "
        f"{MOST} errors, {MOST} warnings and {MOST} notices of a step. The others follow this notice in "
        "the output of the step."
    )
    return f"::notice title=spectastic::{text.translate(_DATA)}\n"
