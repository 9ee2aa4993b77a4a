"""For programs: one JSON document, described in docs/output.md and docs/report.schema.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.config import UNLIMITED
from spectastic.fingerprint import in_report
from spectastic.report.pieces import array, encoder
from spectastic.report.statistics import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Edit, Finding, Fix, Location, Span, Suppressed
    from spectastic.report.model import Report
    from spectastic.report.view import View

#: Raised when a reader of the old document could misread the new one; a new key does not raise it.
VERSION = 1


def render(report: Report, view: View) -> Iterator[str]:
    """The document, one finding a line."""
    encode = encoder()
    yield f'{{\n  "version": {VERSION},\n  "spectastic": {encode(view.version)},\n'
    if view.statistics:
        entries: Iterator[object] = ({"rule": rule, "count": number} for rule, number in count(report, view))
        yield from array('  "statistics": ', map(encode, entries), ",\n")
    else:
        silenced = [entry.finding for entry in report.suppressed]
        marks, silenced_marks = in_report(report.findings, silenced)
        shown = map(as_dict, report.findings, marks)
        yield from array('  "findings": ', map(encode, shown), ",\n")
        hidden = map(_suppressed, report.suppressed if view.suppressed else (), silenced_marks)
        yield from array('  "suppressed": ', map(encode, hidden), ",\n")
    yield f'  "summary": {encode(summary(report))}\n}}\n'


def as_dict(finding: Finding, fingerprint: str) -> dict[str, object]:
    """A finding as JSON has it, keys in their fixed order."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.label,
        "message": finding.message,
        "hint": finding.hint,
        "path": finding.path,
        **_place(finding.span, finding.location),
        "subject": finding.subject,
        "decision": finding.decision,
        "fingerprint": fingerprint,
        "related": [
            {"message": place.message, "path": place.path, **_place(place.span, place.location)}
            for place in finding.related
        ],
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": f"docs/rules/{finding.rule}.md",
    }


def _suppressed(entry: Suppressed, fingerprint: str) -> dict[str, object]:
    return {**as_dict(entry.finding, fingerprint), "suppression": {"by": entry.by, "reason": entry.reason}}


def _fix(fix: Fix) -> dict[str, object]:
    return {"title": fix.title, "safe": fix.safe, "edits": [_edit(edit) for edit in fix.edits]}


def _edit(edit: Edit) -> dict[str, object]:
    return {**_place(edit.span, edit.location), "old": edit.old, "text": edit.text}


def _place(span: Span, location: Location) -> dict[str, object]:
    return {
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
        "utf16_column": location.utf16_column,
        "utf16_end_column": location.utf16_end_column,
        "span": {"start": span.start, "end": span.end},
    }


def summary(report: Report) -> dict[str, object]:
    """What was checked and how it went, every state and severity named, zero included."""
    limit = report.settings.max_warnings
    return {
        "specs": report.specs,
        "citations": report.citations,
        "decisions": {state.value: number for state, number in report.decisions.items()},
        "findings": {severity.label: number for severity, number in report.severities.items()},
        "suppressed": report.silenced,
        "outside": report.outside,
        "notices": list(report.notices),
        "fail_on": report.settings.fail_on.label,
        "max_warnings": None if limit == UNLIMITED else limit,
        "failed": report.failed,
        "exit_code": report.exit_code,
    }
