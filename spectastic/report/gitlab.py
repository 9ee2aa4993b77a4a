"""GitLab Code Quality: one JSON array, for `artifacts: reports: codequality`.

GitLab keeps one entry for each fingerprint and stops reading at the first entry that lacks
something. It knows no suppression, so suppressed findings are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Severity
from spectastic.fingerprint import in_report
from spectastic.report.pieces import array, encoder, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Finding
    from spectastic.report.model import Report
    from spectastic.report.view import View

#: A merge request shows the reports of all tools in one list, and other linters call an error major.
#: `blocker` would promise that GitLab blocks the merge, which is the exit code's business.
SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report, view: View) -> Iterator[str]:
    """The array, one finding a line."""
    findings = [_from_top(finding, view) for finding in report.findings]
    # The suppressed ones only count for telling apart findings that look the same.
    suppressed = [_from_top(entry.finding, view) for entry in report.suppressed]
    marks, _ = in_report(findings, suppressed)
    yield from array("", map(encoder(), map(_entry, findings, marks)), "\n")


def _from_top(finding: Finding, view: View) -> Finding:
    """With its path from the top of the repository: reports of two roots in it are merged into one."""
    return finding._replace(path=view.prefix + finding.path)


def _entry(finding: Finding, fingerprint: str) -> dict[str, object]:
    place = finding.location
    return {
        "description": told(finding),
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": SEVERITIES[finding.severity],
        "location": {
            # JSON that others read cannot hold a name that is not UTF-8: its odd bytes are shown.
            "path": finding.path.encode("utf-8", "backslashreplace").decode(),
            "lines": {"begin": place.line, "end": max(place.line, place.end_line)},
        },
    }
