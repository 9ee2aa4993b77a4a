"""`--format junit`: valid by the schema that Jenkins publishes, and it says what the report says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
import xmlschema
from hypothesis import given, settings
from report_hostile import LISTS, drives, report
from report_sample import RULES, SAMPLE, VIEW

from spectastic.findings import Finding, Severity, Span
from spectastic.report import FORMATS
from spectastic.text import printable

if TYPE_CHECKING:
    from spectastic.report.model import Report

FIXTURES = Path(__file__).parent.parent / "fixtures"
SCHEMA = xmlschema.XMLSchema(str(FIXTURES / "schemas" / "junit-10.xsd"))
ERROR, STALE, BARE, NUDGE = RULES[:4]


def text(shown: Report, **view: Any) -> str:
    return "".join(FORMATS["junit"](shown, VIEW._replace(**view)))


def parse(document: str) -> ElementTree.Element:
    return ElementTree.fromstring(document.encode("ascii"))


def test_golden() -> None:
    shown = text(SAMPLE)
    assert shown == (FIXTURES / "report" / "junit.xml").read_text(encoding="utf-8")
    SCHEMA.validate(shown)


def test_nothing_about_the_terminal_changes_it() -> None:
    assert text(SAMPLE, color=False, width=40, cwd="/", summary=False) == text(SAMPLE)


def test_a_clean_run_has_a_test_that_passed() -> None:
    shown = text(report())
    SCHEMA.validate(shown)
    root = parse(shown)
    assert dict(root.attrib) == {"name": "spectastic", "tests": "1", "failures": "0", "errors": "0"}
    ((suite,),) = [list(root)]
    ((case,),) = [list(suite)]
    assert case.attrib == {"name": "no findings", "classname": "spectastic"}
    assert not list(case)


def at(path: str, rule: Any, message: str = "m") -> Finding:
    found: Finding = rule.at(path, Span(0, 0), message)
    return found


FAILING = [
    # settings, which of the findings fail
    ({}, "error"),
    ({"fail_on": Severity.WARNING}, "error stale bare"),
    ({"fail_on": Severity.INFO}, "error stale bare"),  # a nudge never fails a run
    ({"max_warnings": 2}, "error"),
    ({"max_warnings": 1}, "error stale bare"),  # none of the two by itself, both together
]


@pytest.mark.parametrize(("values", "failing"), FAILING)
def test_what_fails_the_run_is_a_failure_and_nothing_else_is(values: dict[str, Any], failing: str) -> None:
    found = [
        at("a.md", ERROR, "error"),
        at("a.md", STALE, "stale"),
        at("b.md", BARE, "bare"),
        at("b.md", NUDGE, "x"),
    ]
    root = parse(text(report(*found, settings=values)))
    failures = [element.get("message") for element in root.iter("failure")]
    skipped = [element.get("message") for element in root.iter("skipped")]
    assert failures == failing.split()
    assert len(failures) + len(skipped) == 4
    assert root.get("failures") == str(len(failures))


def test_warnings_alone_do_not_fail_for_a_limit_that_an_error_breaks() -> None:
    root = parse(text(report(at("a.md", ERROR), settings={"max_warnings": 0})))
    assert root.get("failures") == "1"
    nudge = at("a.md", NUDGE)._replace(severity=Severity.WARNING)
    for found, failures in (([nudge], "0"), ([nudge, at("a.md", STALE)], "1")):
        root = parse(text(report(*found, settings={"max_warnings": 0})))
        assert root.get("failures") == failures


def test_no_two_test_cases_of_a_file_have_one_name() -> None:
    root = parse(
        text(report(at("a.md", ERROR), at("a.md", ERROR, "n"), at("a.md", STALE), at("b.md", ERROR)))
    )
    names = [case.get("name") for case in root.iter("testcase")]
    assert names == [
        "corpus-provenance at 1:1",
        "corpus-provenance at 1:1 (2)",
        "corpus-staleness at 1:1",
        "corpus-provenance at 1:1",
    ]


ROWS = [
    ("a & b", "a &amp; b"),
    ("<b>]]></b>", "&lt;b&gt;]]&gt;&lt;/b&gt;"),
    ('"it\'s"', "&quot;it's&quot;"),
    ("a\tb", "a&#9;b"),  # a reader of attributes would make a blank of it
    ("\x00\x0b\x1b\x7f\x85", "\\x00\\x0b\\x1b\\x7f\\x85"),
    ("\udcff\ufffe\uffff", "\\udcff\\ufffe\\uffff"),
    ("é🚀\ufdd0", "&#233;&#128640;&#64976;"),
    ("##vso[x]", "#&#35;vso[x]"),
]


@pytest.mark.parametrize(("message", "expected"), ROWS)
def test_escapes(message: str, expected: str) -> None:
    shown = text(report(at("a.md", ERROR, message)), prefix="")
    assert f'<failure type="corpus-provenance" message="{expected}">' in shown
    assert f">a.md:1:1: error corpus-provenance {expected}</failure>" in shown


@settings(deadline=None, max_examples=50)
@given(LISTS)
def test_any_report_is_valid_and_reads_back(found: list[Finding]) -> None:
    shown = text(report(*found), prefix="docs/")
    assert re.fullmatch(r"[\n -~]*", shown)
    assert not any(map(drives, shown.splitlines()))
    SCHEMA.validate(shown)
    root = parse(shown)
    if not found:
        return
    rows = []
    for suite in root:
        cases = list(suite)
        assert suite.get("file") == suite.get("name")
        assert suite.get("tests") == str(len(cases))
        assert suite.get("skipped") == str(len(list(suite.iter("skipped"))))
        assert suite.get("failures") == str(len(list(suite.iter("failure"))))
        for case in cases:
            (result,) = case
            assert case.get("classname") == suite.get("name")
            rows.append(
                (result.tag, suite.get("name"), result.get("type"), result.get("message"), result.text)
            )
    expected = []
    for finding in found:
        place = finding.location
        path = f"docs/{finding.path}"
        lines = [
            f"{path}:{place.line}:{place.column}: {finding.severity.label} {finding.rule} {finding.message}"
        ]
        lines += [f"hint: {finding.hint}"] * bool(finding.hint)
        for other in finding.related:
            lines.append(
                f"see docs/{other.path}:{other.location.line}:{other.location.column}: {other.message}"
            )
        tag = "failure" if finding.severity is Severity.ERROR and finding.rule != NUDGE.id else "skipped"
        expected.append((tag, seen(path), finding.rule, seen(finding.message), "\n".join(map(seen, lines))))
    assert rows == expected


def seen(value: str) -> str:
    return printable(value).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
