"""For whatever shows test results: JUnit's XML, a suite for each file and a test case for each finding.

A finding that makes the run fail is a failure, any other a skipped test. There is no clock in it.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from spectastic.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spectastic.findings import Finding, Location
    from spectastic.report.model import Report
    from spectastic.report.view import View

#: What XML reads as markup, or would change; and the two characters that it forbids and `printable` shows.
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\ufffe": "\\ufffe",
        "\uffff": "\\uffff",
    }
)


def render(report: Report, view: View) -> Iterator[str]:
    """The document. ASCII only: no console can spoil it, and nothing in it is a command to a CI runner."""
    failing = list(report.failing)
    tests = len(report.findings) or 1
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="spectastic" tests="{tests}" failures="{sum(failing)}" errors="0">\n'
    # A suite without a test would look like a run that broke.
    if not report.findings:
        yield '  <testsuite name="spectastic" tests="1" failures="0" errors="0" skipped="0">\n'
        yield '    <testcase name="no findings" classname="spectastic"/>\n  </testsuite>\n'
    pairs = zip(report.findings, failing, strict=True)
    for path, group in groupby(pairs, key=lambda pair: pair[0].path):
        yield from _suite(path, list(group), view)
    yield "</testsuites>\n"


def _suite(path: str, cases: Sequence[tuple[Finding, bool]], view: View) -> Iterator[str]:
    name = _quoted(view.prefix + path)
    failures = sum(failed for _, failed in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{len(cases) - failures}"'
    yield f"  <testsuite name={name} {counts} file={name}>\n"
    seen: dict[str, int] = {}
    for finding, failed in cases:
        case = f"{finding.rule} at {_place(finding.location)}"
        # Two test cases of one name would be one to some readers.
        seen[case] = seen.get(case, 0) + 1
        number = f" ({seen[case]})" if seen[case] > 1 else ""
        yield f"    <testcase name={_quoted(case + number)} classname={name}>\n"
        yield _result("failure" if failed else "skipped", finding, view)
        yield "    </testcase>\n"
    yield "  </testsuite>\n"


def _result(element: str, finding: Finding, view: View) -> str:
    start = f"<{element} type={_quoted(finding.rule)} message={_quoted(finding.message)}>"
    return f"      {start}{_escaped(_lines(finding, view))}</{element}>\n"


def _lines(finding: Finding, view: View) -> Iterator[str]:
    """All that is to say about a finding: where it is, what is wrong, what to do."""
    where = f"{view.prefix}{finding.path}:{_place(finding.location)}"
    yield f"{where}: {finding.severity.label} {finding.rule} {finding.message}"
    if finding.hint:
        yield f"hint: {finding.hint}"
    for place in finding.related:
        yield f"see {view.prefix}{place.path}:{_place(place.location)}: {place.message}"


def _place(location: Location) -> str:
    return f"{location.line}:{location.column}"


def _quoted(text: str) -> str:
    return f'"{_escaped([text])}"'


def _escaped(lines: Iterable[str]) -> str:
    """Lines as XML's text or the value of an attribute."""
    text = "\n".join(printable(line).translate(_ESCAPES) for line in lines)
    return text.replace("##", "#&#35;").encode("ascii", "xmlcharrefreplace").decode()
