"""`--format json`: the document, held to its schema and to its page in the manual."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped]
from test_report_samples import RULES, finding, report, sample, states

from spectastic.findings import Finding, Location, Related, Severity, Span
from spectastic.report import FORMATS, View

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
PLAIN = View(cwd="/repo/docs", color=True, rules=RULES, version="1.2.3")


def text(shown: Any, **view: Any) -> str:
    return "".join(FORMATS["json"](shown, PLAIN._replace(**view)))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_golden() -> None:
    expected = (ROOT / "fixtures" / "report" / "report.json").read_text(encoding="utf-8")
    assert text(sample()) == expected
    VALIDATOR.validate(json.loads(expected))


def test_neither_colour_nor_quiet_changes_it() -> None:
    assert text(sample(), color=False, summary=False, cwd="/") == text(sample())


def test_keys_and_their_order() -> None:
    document = json.loads(text(sample()))
    assert list(document) == ["version", "spectastic", "findings", "summary"]
    place = ["line", "column", "end_line", "end_column", "utf16_column", "utf16_end_column", "span"]
    assert list(document["findings"][1]) == [
        *["rule", "severity", "message", "hint", "path"],
        *place,
        *["subject", "related", "url"],
    ]
    assert list(document["findings"][1]["related"][0]) == ["message", "path", *place]
    assert list(document["summary"]) == [
        *["specs", "citations", "decisions", "findings", "fail_on", "failed", "exit_code"]
    ]


@pytest.mark.parametrize("level", list(Severity))
def test_summary(level: Severity) -> None:
    warning = finding("KB-0009", "KB-0009", RULES[1])
    document = json.loads(text(report(warning, decisions=states(stale=2), fail_on=level)))
    assert document["summary"] == {
        "specs": 14,
        "citations": 31,
        "decisions": {"ungrounded": 0, "stale": 2, "unpinned": 0, "grounded": 0, "assumed": 0},
        "findings": {"error": 0, "warning": 1, "info": 0},
        "fail_on": level.label,
        "failed": level is not Severity.ERROR,
        "exit_code": 0 if level is Severity.ERROR else 1,
    }


def test_a_clean_report_has_an_empty_list() -> None:
    document = json.loads(text(report()))
    assert document["findings"] == []
    VALIDATOR.validate(document)


def test_statistics_take_the_place_of_the_findings() -> None:
    document = json.loads(text(sample(), statistics=True))
    assert list(document) == ["version", "spectastic", "statistics", "summary"]
    assert document["statistics"] == [{"rule": rule.id, "count": 1} for rule in RULES]
    VALIDATOR.validate(document)


def test_columns_of_three_kinds() -> None:
    entry = json.loads(text(report(finding("🚀 café KB-0009", "KB-0009"))))["findings"][0]
    assert (entry["column"], entry["end_column"]) == (8, 15)
    assert (entry["utf16_column"], entry["utf16_end_column"]) == (9, 16)
    assert entry["span"] == {"start": 11, "end": 18}


def test_only_ascii_and_no_control_character_leaves() -> None:
    shown = text(report(finding("é\x1b\x7f\x9b\u202e🚀", "🚀", path="a\nb\udcff.md", message="\u2028\x00é")))
    assert re.fullmatch(r"[\n -~]*", shown)
    entry = json.loads(shown)["findings"][0]
    assert (entry["path"], entry["message"]) == ("a\nb\udcff.md", "\u2028\x00é")


def test_one_finding_one_line() -> None:
    lines = text(sample()).splitlines()
    assert [line.lstrip()[:7] for line in lines[3:7]] == ['"findin', '{"rule"', '{"rule"', '{"rule"']


COUNTS = st.integers(0, 2**40)
LOCATIONS = st.builds(Location, *[st.integers(1, 2**40)] * 6)
SPANS = st.builds(Span, COUNTS, COUNTS)
RELATED = st.lists(st.builds(Related, st.text(min_size=1), SPANS, st.text(), LOCATIONS), max_size=2).map(
    tuple
)
FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from([rule.id for rule in RULES]),
    severity=st.sampled_from(Severity),
    message=st.text(min_size=1),
    path=st.text(min_size=1),
    span=SPANS,
    hint=st.text(),
    subject=st.text(),
    related=RELATED,
    location=LOCATIONS,
)


@settings(deadline=None)
@given(st.lists(FINDINGS, max_size=3), st.sampled_from(Severity), COUNTS, st.booleans())
def test_any_report_fits_the_schema(
    findings: list[Finding], level: Severity, specs: int, counted: bool
) -> None:
    shown = text(report(*findings, fail_on=level, specs=specs), statistics=counted)
    assert shown.isascii()
    VALIDATOR.validate(json.loads(shown))


BROKEN = [
    ("version", 2),
    ("version", "1"),
    ("findings", None),
    ("findings", [{}]),
    ("summary", {}),
    ("statistics", []),  # never beside findings
]


@pytest.mark.parametrize(("key", "value"), BROKEN)
def test_the_schema_refuses(key: str, value: object) -> None:
    document = json.loads(text(sample())) | {key: value}
    with pytest.raises(ValidationError):
        VALIDATOR.validate(document)


def test_the_schema_lets_later_versions_add_keys() -> None:
    document = json.loads(text(sample()))
    VALIDATOR.validate(document | {"new": 1})


def test_the_page_shows_documents_that_fit() -> None:
    page = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
    documents = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.S)]
    assert documents
    for document in documents:
        VALIDATOR.validate(document)


def test_the_page_names_every_key() -> None:
    page = (ROOT / "docs" / "output.md").read_text(encoding="utf-8")
    document = json.loads(text(sample()))
    entry = document["findings"][0]
    keys = [*document, *entry, *entry["span"], *document["summary"], "statistics", "count"]
    assert [key for key in keys if f"`{key}`" not in page] == []
