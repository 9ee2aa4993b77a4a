"""`--format gitlab`: what GitLab's reader of Code Quality reports asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator  # type: ignore[import-untyped]
from report_sample import RULES, SAMPLE, VIEW
from test_report_samples import finding, report

from spectastic.findings import Finding, Location, Severity, Suppressed
from spectastic.report import FORMATS, View

if TYPE_CHECKING:
    from spectastic.report.model import Report

FIXTURES = Path(__file__).parent.parent / "fixtures"


def _schema(name: str) -> Any:
    return json.loads((FIXTURES / "schemas" / name).read_text(encoding="utf-8"))


#: What GitLab's own reader holds an entry to (it drops all that follow one that fails), and its manual.
READER = Draft7Validator(_schema("gitlab-codeclimate.json"))
MANUAL = Draft202012Validator(_schema("gitlab-code-quality.schema.json"))


def text(shown: Report, view: View = VIEW) -> str:
    return "".join(FORMATS["gitlab"](shown, view))


def entries(shown: Report, view: View = VIEW) -> list[dict[str, Any]]:
    """The entries, which GitLab accepts, each under its own fingerprint."""
    document = json.loads(text(shown, view))
    MANUAL.validate(document)
    for entry in document:
        READER.validate(entry)
    marks = {entry["fingerprint"] for entry in document}
    assert len(marks) == len(document)
    assert isinstance(document, list)
    return document


def test_the_schemas_are_some() -> None:
    Draft7Validator.check_schema(READER.schema)
    Draft202012Validator.check_schema(MANUAL.schema)


def test_golden() -> None:
    expected = (FIXTURES / "report" / "gitlab.json").read_text(encoding="utf-8")
    assert text(SAMPLE) == expected
    entries(SAMPLE)


def test_nothing_of_the_terminal_changes_it() -> None:
    other = VIEW._replace(color=False, width=40, summary=False, statistics=True, cwd="/", encoding="ascii")
    assert text(SAMPLE, other) == text(SAMPLE)


def test_clean() -> None:
    assert text(report()) == "[]\n"


def test_suppressed_findings_are_left_out() -> None:
    assert len(entries(SAMPLE)) == len(SAMPLE.findings)
    silenced = Suppressed(finding("KB-0009", "KB-0009"), "comment", "why")
    assert text(report(suppressed=(silenced,))) == "[]\n"


@pytest.mark.parametrize(("rule", "severity"), [(RULES[0], "major"), (RULES[1], "minor"), (RULES[3], "info")])
def test_severity(rule: Any, severity: str) -> None:
    (entry,) = entries(report(finding("KB-0009", "KB-0009", rule)))
    assert (entry["severity"], entry["check_name"]) == (severity, rule.id)


def test_lines() -> None:
    (entry,) = entries(report(finding("a\nb <c\nd> e", "<c\nd>")))
    assert entry["location"]["lines"] == {"begin": 2, "end": 3}
    whole = finding("a", "a")._replace(location=Location())
    assert entries(report(whole))[0]["location"]["lines"] == {"begin": 1, "end": 1}


PATHS = [
    ("", "docs/a.md", "docs/a.md"),
    ("sub dir/", "docs/a.md", "sub dir/docs/a.md"),
    ("", '100% #1 "ü".md', '100% #1 "ü".md'),
    ("", "=a.md", "=a.md"),
    ("", "::x::.md", "::x::.md"),
    ("", "a\u200bb\n.md", "a\u200bb\n.md"),
    ("", "\udcff.md", "\\udcff.md"),
    ("\udcfe/", "a.md", "\\udcfe/a.md"),
]


@pytest.mark.parametrize(("prefix", "path", "expected"), PATHS)
def test_path(prefix: str, path: str, expected: str) -> None:
    (entry,) = entries(report(finding("KB-0009", "KB-0009", path=path)), View(prefix=prefix))
    assert entry["location"]["path"] == expected


DESCRIPTIONS = [
    ("it is wrong", "", "it is wrong."),
    ("it is wrong", "read it", "it is wrong. Hint: read it."),
    ("{0} [x](1)", "did you?", "{0} [x](1). Hint: did you?"),
    ("a\u202e\x1b\udcff", "", "a\\u202e\\x1b\\udcff."),
    ("##[error]", "", "##[error]."),
]


@pytest.mark.parametrize(("message", "hint", "expected"), DESCRIPTIONS)
def test_description(message: str, hint: str, expected: str) -> None:
    shown = report(finding("KB-0009", "KB-0009", message=message, hint=hint))
    assert entries(shown)[0]["description"] == expected
    assert "##" not in text(shown)


def _same(line: int) -> Finding:
    return Finding("r", Severity.ERROR, "m", "a.md", location=Location(line, 1, line, 2))


def test_a_fingerprint_stays_when_lines_move_and_when_another_is_silenced() -> None:
    marks = [entry["fingerprint"] for entry in entries(report(_same(3), _same(8)))]
    assert [entry["fingerprint"] for entry in entries(report(_same(13), _same(18)))] == marks
    shown = report(_same(8), suppressed=(Suppressed(_same(3), "comment", "why"),))
    assert [entry["fingerprint"] for entry in entries(shown)] == marks[1:]


def test_two_roots_in_one_repository_do_not_share_fingerprints() -> None:
    one, two = (entries(report(_same(3)), View(prefix=prefix)) for prefix in ("a/", "b/"))
    assert one[0]["fingerprint"] != two[0]["fingerprint"]


FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from([rule.id for rule in RULES]),
    severity=st.sampled_from(Severity),
    message=st.text(min_size=1),
    path=st.text(min_size=1).map(lambda name: f"x{name}"),
    hint=st.text(),
    subject=st.text(max_size=1),
    location=st.builds(Location, *[st.integers(1, 2**31)] * 6),
)


@settings(deadline=None)
@given(st.lists(FINDINGS, max_size=4))
def test_any_report_fits(findings: list[Finding]) -> None:
    shown = text(report(*findings))
    assert shown.isascii()
    assert len(entries(report(*findings))) == len(findings)
    # Readers in other languages take no lone surrogate.
    json.loads(shown, object_hook=lambda entry: json.dumps(entry, ensure_ascii=False).encode() and entry)


BROKEN: list[dict[str, Any]] = [
    {"severity": "error"},
    {"fingerprint": ""},
    {"description": ""},
    {"location": {"path": "./a.md", "lines": {"begin": 1, "end": 1}}},
    {"location": {"path": "/a.md", "lines": {"begin": 1, "end": 1}}},
    {"location": {"path": "a.md", "lines": {"begin": 0, "end": 1}}},
    {"more": 1},
]


@pytest.mark.parametrize("change", BROKEN)
def test_the_manual_refuses(change: dict[str, Any]) -> None:
    document = json.loads(text(SAMPLE))
    document[0] |= change
    assert not MANUAL.is_valid(document)
