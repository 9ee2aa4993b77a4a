"""For reviewdog: its diagnostic format, RDFormat, as one JSON document.

Columns count bytes of UTF-8 from 1, ends are exclusive. Reviewdog refuses a document with a key that it does
not know, so there are none but those of the published definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.report import pieces
from spectastic.report.view import DOCS
from spectastic.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Edit, Finding, Fix, Location
    from spectastic.report.model import Report
    from spectastic.report.view import View


def render(report: Report, view: View) -> Iterator[str]:
    """The document, one finding a line."""
    encode = pieces.encoder()
    source = encode({"name": "spectastic", "url": f"{DOCS}README.md"})
    yield f'{{\n  "source": {source},\n'
    if report.findings:
        worst = max(finding.severity for finding in report.findings)
        yield f'  "severity": {encode(worst.name)},\n'
    diagnostics = (encode(_diagnostic(finding, view)) for finding in report.findings)
    yield from pieces.array('  "diagnostics": ', diagnostics, "\n")
    yield "}\n"


def _diagnostic(finding: Finding, view: View) -> dict[str, object]:
    diagnostic: dict[str, object] = {
        "message": pieces.told(finding),
        "location": _location(finding.path, finding.location, view),
        "severity": finding.severity.name,
        "code": {"value": finding.rule, "url": f"{DOCS}rules/{finding.rule}.md"},
    }
    if suggestion := _suggestion(finding.fix):
        diagnostic["suggestions"] = [suggestion]
    if finding.related:
        diagnostic["related_locations"] = [
            {"message": printable(place.message), "location": _location(place.path, place.location, view)}
            for place in finding.related
        ]
    return diagnostic


def _location(path: str, location: Location, view: View) -> dict[str, object]:
    # A name that is not UTF-8 would make reviewdog refuse the whole document.
    name = (view.prefix + path).encode("utf-8", "backslashreplace").decode()
    return {"path": name, "range": _range(location, location)}


def _range(start: Location, end: Location) -> dict[str, object]:
    return {
        "start": {"line": start.line, "column": start.byte_column},
        "end": {"line": end.end_line, "column": end.byte_end_column},
    }


def _suggestion(fix: Fix | None) -> dict[str, object] | None:
    """A safe fix as one replacement: people take suggestions one at a time, and half a fix is none."""
    if fix is None or not fix.safe or not fix.edits:
        return None
    first, *others = sorted(fix.edits, key=lambda edit: edit.span)
    text, last = first.text, first
    for edit in others:
        between = _between(last, edit)
        if between is None:
            return None
        text, last = text + between + edit.text, edit
    if text.encode("utf-8", "replace") != text.encode("utf-8", "surrogatepass"):
        return None
    return {"range": _range(first.location, last.location), "text": text}


def _between(one: Edit, other: Edit) -> str | None:
    """The text between two edits of a line, as far as an excerpt tells."""
    if one.span.end == other.span.start:
        return ""
    place, next_place = one.location, other.location
    begin = place.caret + place.end_column - place.column
    length = next_place.column - place.end_column
    text = place.excerpt[begin : begin + length]
    whole = place.line == place.end_line == next_place.line and len(text) == length > 0
    # The excerpt may be cut, and may stand for bytes that are no text.
    return text if whole and not {"…", "\ufffd"} & set(text) else None
