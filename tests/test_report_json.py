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
from report_sample import FILES, SAMPLE, VIEW
from test_report_samples import RULES, finding, report, sample, states

from spectastic.findings import Edit, Finding, Fix, Location, Related, Severity, Span, Suppressed
from spectastic.fingerprint import fingerprints
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
    assert "".join(FORMATS["json"](SAMPLE, VIEW)) == expected
    VALIDATOR.validate(json.loads(expected))


def test_neither_colour_nor_quiet_changes_it() -> None:
    assert text(sample(), color=False, summary=False, cwd="/") == text(sample())


def test_keys_and_their_order() -> None:
    document = json.loads(text(SAMPLE))
    assert list(document) == ["version", "spectastic", "findings", "suppressed", "summary"]
    place = ["line", "column", "end_line", "end_column", "utf16_column", "utf16_end_column", "span"]
    keys = [
        *["rule", "severity", "message", "hint", "path"],
        *place,
        *["subject", "decision", "fingerprint", "related", "fix", "url"],
    ]
    stale = document["findings"][1]
    assert list(stale) == keys
    assert list(stale["related"][0]) == ["message", "path", *place]
    assert list(stale["fix"]) == ["title", "safe", "edits"]
    assert list(stale["fix"]["edits"][0]) == [*place, "old", "text"]
    assert list(document["suppressed"][0]) == [*keys, "suppression"]
    assert list(document["suppressed"][0]["suppression"]) == ["by", "reason"]
    assert list(document["summary"]) == [
        *["specs", "citations", "decisions", "findings", "suppressed", "outside", "notices"],
        *["fail_on", "max_warnings", "failed", "exit_code"],
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
        "suppressed": {"comment": 0, "baseline": 0},
        "outside": 0,
        "notices": [],
        "fail_on": level.label,
        "max_warnings": None,
        "failed": level is not Severity.ERROR,
        "exit_code": 0 if level is Severity.ERROR else 1,
    }


def test_the_summary_counts_what_does_not_count() -> None:
    known = Suppressed(finding("KB-0009", "KB-0009"), "baseline")
    shown = report(suppressed=(known, known, known._replace(by="comment")), outside=3, notices=("é", "b"))
    summary = json.loads(text(shown))["summary"]
    assert summary["suppressed"] == {"comment": 1, "baseline": 2}
    assert (summary["outside"], summary["notices"]) == (3, ["é", "b"])
    assert summary["findings"] == {"error": 0, "warning": 0, "info": 0}


def test_exit_zero_fails_and_exits_with_zero() -> None:
    summary = json.loads(text(report(finding("KB-0009", "KB-0009"), exit_zero=True)))["summary"]
    assert (summary["failed"], summary["exit_code"]) == (True, 0)


def test_a_clean_report_has_empty_lists() -> None:
    document = json.loads(text(report()))
    assert (document["findings"], document["suppressed"]) == ([], [])
    VALIDATOR.validate(document)


def test_suppressed_findings_say_by_what() -> None:
    suppressed = json.loads(text(SAMPLE))["suppressed"]
    assert [entry["suppression"] for entry in suppressed] == [
        {"by": "comment", "reason": '100% historical: see "D-0", it\'s past'},
        {"by": "baseline", "reason": ""},
    ]
    assert [entry["subject"] for entry in suppressed] == ["KB-0001@2016-01-01", "KB-0004@old"]


def test_suppressed_findings_can_be_left_out() -> None:
    whole, part = (json.loads(text(SAMPLE, suppressed=shown)) for shown in (True, False))
    assert whole["suppressed"]
    assert part == {**whole, "suppressed": []}, "what is left keeps its fingerprint, and the counts stay"


def test_fingerprints_count_suppressed_findings_in_their_place() -> None:
    first, second = (finding(f"{gap}KB-0009", "KB-0009") for gap in ("", "\n"))
    marks = fingerprints([first, second])
    for live, silenced in ((0, 1), (1, 0)):
        both = (first, second)
        shown = report(both[live], suppressed=(Suppressed(both[silenced], "comment", "why"),))
        document = json.loads(text(shown))
        assert document["findings"][0]["fingerprint"] == marks[live]
        assert document["suppressed"][0]["fingerprint"] == marks[silenced]


def test_an_edit_can_be_applied() -> None:
    """By the span, in bytes, and by the columns, in characters; what stands there is `old`."""
    seen = 0
    for entry in json.loads(text(SAMPLE))["findings"]:
        data = FILES[entry["path"]]
        for edit in entry["fix"]["edits"] if entry["fix"] else []:
            assert data[edit["span"]["start"] : edit["span"]["end"]].decode() == edit["old"]
            line = data.decode("utf-8-sig").split("\r\n")[edit["line"] - 1]
            assert line[edit["column"] - 1 : edit["end_column"] - 1] == edit["old"]
            seen += 1
    assert seen == 4


def test_statistics_take_the_place_of_the_findings() -> None:
    document = json.loads(text(sample(), statistics=True))
    assert list(document) == ["version", "spectastic", "statistics", "summary"]  # nor suppressed ones
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


def test_no_runner_finds_a_command_in_what_is_printed() -> None:
    shown = text(report(finding("KB-0009", "KB-0009", path="##[error].md", message="###vso[y] \\##[z")))
    assert "##" not in shown
    entry = json.loads(shown)["findings"][0]
    assert (entry["path"], entry["message"]) == ("##[error].md", "###vso[y] \\##[z")


def test_one_finding_one_line() -> None:
    lines = text(sample()).splitlines()
    assert [line.lstrip()[:7] for line in lines[3:7]] == ['"findin', '{"rule"', '{"rule"', '{"rule"']


COUNTS = st.integers(0, 2**40)
LOCATIONS = st.builds(Location, *[st.integers(1, 2**40)] * 6)
SPANS = st.builds(Span, COUNTS, COUNTS)
RELATED = st.lists(st.builds(Related, st.text(min_size=1), SPANS, st.text(), LOCATIONS), max_size=2).map(
    tuple
)
EDITS = st.lists(st.builds(Edit, SPANS, st.text(), st.text(), LOCATIONS), max_size=2).map(tuple)
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
    fix=st.none() | st.builds(Fix, st.text(), EDITS, st.booleans()),
    location=LOCATIONS,
    decision=st.text(),
)
SUPPRESSED = st.builds(Suppressed, FINDINGS, st.sampled_from(["comment", "baseline"]), st.text())


@settings(deadline=None)
@given(
    st.lists(FINDINGS, max_size=3),
    st.lists(SUPPRESSED, max_size=2).map(tuple),
    st.sampled_from(Severity),
    COUNTS,
    st.lists(st.text(), max_size=2).map(tuple),
    st.booleans(),
)
def test_any_report_fits_the_schema(
    findings: list[Finding],
    suppressed: tuple[Suppressed, ...],
    level: Severity,
    count: int,
    notices: tuple[str, ...],
    counted: bool,
) -> None:
    values = {"suppressed": suppressed, "specs": count, "outside": count, "notices": notices}
    shown = text(report(*findings, fail_on=level, **values), statistics=counted)
    assert shown.isascii()
    VALIDATOR.validate(json.loads(shown))


BROKEN = [
    ("version", 2),
    ("version", "1"),
    ("findings", None),
    ("findings", [{}]),
    ("summary", {}),
    ("statistics", []),  # never beside findings
    ("suppressed", None),
    ("suppressed", [{}]),
]


@pytest.mark.parametrize(("key", "value"), BROKEN)
def test_the_schema_refuses(key: str, value: object) -> None:
    document = json.loads(text(sample())) | {key: value}
    with pytest.raises(ValidationError):
        VALIDATOR.validate(document)


BROKEN_PARTS = [
    ("findings", "fingerprint", "x"),
    ("findings", "decision", None),
    ("findings", "fix", {}),
    ("findings", "fix", {"title": "t", "safe": True, "edits": [{}]}),
    ("findings", "fix", {"title": "t", "safe": "yes", "edits": []}),
    ("suppressed", "suppression", {"by": "nobody", "reason": ""}),
    ("suppressed", "suppression", {"by": "comment"}),
    ("suppressed", "rule", None),
]


@pytest.mark.parametrize(("part", "key", "value"), BROKEN_PARTS)
def test_the_schema_refuses_parts(part: str, key: str, value: object) -> None:
    document = json.loads(text(SAMPLE))
    document[part][0][key] = value
    with pytest.raises(ValidationError):
        VALIDATOR.validate(document)


def test_the_schema_takes_reports_of_earlier_versions() -> None:
    """Keys were added within version 1: a document without them is still one."""
    document = json.loads(text(SAMPLE))
    del document["suppressed"]
    for key in ("suppressed", "outside", "notices"):
        del document["summary"][key]
    for entry in document["findings"]:
        del entry["decision"], entry["fingerprint"], entry["fix"]
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
    document = json.loads(text(SAMPLE))
    entry = document["findings"][1]
    fix = [*entry["fix"], *entry["fix"]["edits"][0]]
    suppression = document["suppressed"][0]["suppression"]
    keys = [
        *document,
        *entry,
        *entry["span"],
        *fix,
        *suppression,
        *document["summary"],
        "statistics",
        "count",
    ]
    assert [key for key in keys if f"`{key}`" not in page] == []
