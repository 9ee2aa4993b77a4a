"""For programs: one JSON document, described in docs/output.md and docs/report.schema.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.report.statistics import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Finding, Location, Span
    from spectastic.report.model import Report
    from spectastic.report.view import View

#: Raised when a reader of the old document could misread the new one; a new key does not raise it.
VERSION = 1


def render(report: Report, view: View) -> Iterator[str]:
    """The document, one finding a line. ASCII only: no console can spoil it, no bytes drive one."""
    from json import JSONEncoder

    encode = JSONEncoder(ensure_ascii=True, check_circular=False).encode
    yield f'{{\n  "version": {VERSION},\n  "spectastic": {encode(view.version)},\n'
    if view.statistics:
        entries: Iterator[object] = ({"rule": rule, "count": number} for rule, number in count(report, view))
        yield from _array("statistics", map(encode, entries))
    else:
        yield from _array("findings", (encode(as_dict(finding)) for finding in report.findings))
    yield f'  "summary": {encode(summary(report))}\n}}\n'


def _array(name: str, items: Iterator[str]) -> Iterator[str]:
    yield f'  "{name}": ['
    separator = "\n    "
    for item in items:
        yield separator + item
        separator = ",\n    "
    yield "],\n" if separator == "\n    " else "\n  ],\n"


def as_dict(finding: Finding) -> dict[str, object]:
    """A finding as JSON has it, keys in their fixed order."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.label,
        "message": finding.message,
        "hint": finding.hint,
        "path": finding.path,
        **_place(finding.span, finding.location),
        "subject": finding.subject,
        "related": [
            {"message": place.message, "path": place.path, **_place(place.span, place.location)}
            for place in finding.related
        ],
        "url": f"docs/rules/{finding.rule}.md",
    }


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
    return {
        "specs": report.specs,
        "citations": report.citations,
        "decisions": {state.value: number for state, number in report.decisions.items()},
        "findings": {severity.label: number for severity, number in report.severities.items()},
        "fail_on": report.settings.fail_on.label,
        "failed": report.failed,
        "exit_code": 1 if report.failed else 0,
    }
