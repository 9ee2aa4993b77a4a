"""`--format rdjson`: valid by reviewdog's schema, and without a key that reviewdog does not know."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft4Validator  # type: ignore[import-untyped]
from report_hostile import LISTS, drives, report
from report_sample import FILES, RULES, SAMPLE, SPEC, VIEW

from spectastic.findings import Edit, Finding, Fix, Severity, Span
from spectastic.report import FORMATS
from spectastic.source import Source
from spectastic.text import printable

if TYPE_CHECKING:
    from spectastic.report.model import Report

FIXTURES = Path(__file__).parent.parent / "fixtures"
SCHEMA = json.loads((FIXTURES / "schemas" / "rdjson-DiagnosticResult.json").read_text(encoding="utf-8"))
VALIDATOR = Draft4Validator(SCHEMA)


def text(shown: Report, **view: Any) -> str:
    return "".join(FORMATS["rdjson"](shown, VIEW._replace(**view)))


def document(shown: Report, **view: Any) -> Any:
    value = json.loads(text(shown, **view))
    VALIDATOR.validate(value)
    check_keys(value, SCHEMA["definitions"]["DiagnosticResult"])
    return value


def check_keys(value: Any, schema: Any) -> None:
    """Reviewdog refuses a key that is not in its definition; the schema would let it pass."""
    while "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
    if isinstance(value, list):
        for item in value:
            check_keys(item, schema["items"])
    elif isinstance(value, dict):
        for key, item in value.items():
            check_keys(item, schema["properties"][key])


def test_golden() -> None:
    expected = (FIXTURES / "report" / "rdjson.json").read_text(encoding="utf-8")
    assert text(SAMPLE) == expected
    assert document(SAMPLE) == json.loads(expected)


def test_the_check_of_the_keys_can_fail() -> None:
    with pytest.raises(KeyError):
        check_keys({"diagnostics": [{"new": 1}]}, SCHEMA["definitions"]["DiagnosticResult"])


def test_nothing_about_the_terminal_changes_it() -> None:
    assert text(SAMPLE, color=False, width=40, cwd="/", summary=False) == text(SAMPLE)


def test_a_clean_run_has_an_empty_list() -> None:
    value = document(report())
    assert list(value) == ["source", "diagnostics"]
    assert value["diagnostics"] == []


@pytest.mark.parametrize("worst", list(Severity))
def test_the_overall_severity_is_the_worst(worst: Severity) -> None:
    found = [RULES[0].at("a.md", Span(0, 0), "m", severity=level) for level in Severity if level <= worst]
    value = document(report(*found))
    assert value["severity"] == worst.name
    assert [entry["severity"] for entry in value["diagnostics"]] == [
        finding.severity.name for finding in found
    ]


def test_ranges_count_bytes_and_end_behind_the_token() -> None:
    for entry, finding in zip(document(SAMPLE)["diagnostics"], SAMPLE.findings, strict=True):
        assert covered(finding.path, entry["location"]["range"]) == FILES[finding.path][slice(*finding.span)]


def covered(path: str, place: Any) -> bytes:
    """The bytes of a range as the format defines it: lines and bytes from 1, the end exclusive."""
    lines = FILES[path].removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    start, end = place["start"], place["end"]
    piece = lines[start["line"] - 1 : end["line"]]
    piece[-1] = piece[-1][: end["column"] - 1]
    piece[0] = piece[0][start["column"] - 1 :]
    return b"".join(piece)


def edits(line: str, *changes: tuple[str, str]) -> tuple[Edit, ...]:
    """Edits of a file of that one line: what is there, and what is to be there."""
    source = Source("a.md", line.encode())
    found = []
    for old, new in changes:
        start = source.data.index(old.encode())
        span = Span(start, start + len(old.encode()))
        found.append(Edit(span, new, old, source.locate(span)))
    return tuple(found)


LONG = "x" * 120
SUGGESTIONS = [
    # the file, the changes, columns in bytes and text of the suggestion
    ("kb‑1", [("kb", "KB"), ("‑", "-")], (1, 6, "KB-")),  # side by side
    ("é kb–0001 x", [("kb", "KB"), ("–", "-")], (4, 9, "KB-")),
    ("é KB 日本 @ 🚀x", [("KB", "kb"), ("🚀", "")], (4, 20, "kb 日本 @ ")),  # with text between
    ("é KB 日本 @ 🚀x", [("🚀", ""), ("KB", "kb")], (4, 20, "kb 日本 @ ")),  # in any order
    ("a\tb", [("a", "A"), ("b", "B")], (1, 4, "A\tB")),
    ("ab", [("", "@2024")], (1, 1, "@2024")),
    (f"a{LONG}b", [("a", "A"), ("b", "B")], None),  # the excerpt ends before the second one
    ("a\nb", [("a", "A"), ("b", "B")], None),
    ("a…b", [("a", "A"), ("b", "B")], None),  # could be where an excerpt was cut
    ("abc", [("b", "\udcff")], None),  # no UTF-8
    ("abc", [], None),
]


@pytest.mark.parametrize(("line", "changes", "expected"), SUGGESTIONS)
def test_a_safe_fix_is_one_suggestion_or_none(
    line: str, changes: list[tuple[str, str]], expected: tuple[int, int, str] | None
) -> None:
    for safe in (True, False):
        fix = Fix("t", edits(line, *changes), safe)
        (entry,) = document(report(RULES[0].at("a.md", Span(0, 0), "m", fix=fix)))["diagnostics"]
        if not safe or expected is None:
            assert "suggestions" not in entry
            continue
        start, end, new = expected
        (suggestion,) = entry["suggestions"]
        assert suggestion == {
            "range": {"start": {"line": 1, "column": start}, "end": {"line": 1, "column": end}},
            "text": new,
        }


def test_the_suggestion_of_the_sample_mends_the_line() -> None:
    (suggestion,) = next(
        entry["suggestions"] for entry in document(SAMPLE)["diagnostics"] if "suggestions" in entry
    )
    line = FILES[SPEC].splitlines()[suggestion["range"]["start"]["line"] - 1]
    start, end = (suggestion["range"][edge]["column"] - 1 for edge in ("start", "end"))
    assert line[:start] + suggestion["text"].encode() + line[end:] == line.replace("kb‑".encode(), b"KB-")


def test_bytes_that_are_no_text_stop_a_suggestion() -> None:
    source = Source("a.md", b"a\xffb")
    both = tuple(Edit(Span(at, at + 1), "x", "a", source.locate(Span(at, at + 1))) for at in (0, 2))
    (entry,) = document(report(RULES[0].at("a.md", Span(0, 0), "m", fix=Fix("t", both, True))))["diagnostics"]
    assert "suggestions" not in entry


def test_a_name_that_is_no_text_spoils_only_itself() -> None:
    (entry,) = document(report(RULES[0].at("a\udcff\n.md", Span(0, 0), "m\udcff")), prefix="")["diagnostics"]
    assert entry["location"]["path"] == "a\\udcff\n.md"
    assert entry["message"] == "m\\udcff."


@settings(deadline=None)
@given(LISTS)
def test_any_report_is_valid_and_reads_back(found: list[Finding]) -> None:
    shown = text(report(*found), prefix="")
    assert re.fullmatch(r"[\n -~]*", shown)
    assert not re.search("[\ud800-\udfff]", json.dumps(json.loads(shown), ensure_ascii=False))
    assert not any(map(drives, shown.splitlines()))
    entries = document(report(*found), prefix="")["diagnostics"]
    assert len(entries) == len(found)
    for entry, finding in zip(entries, found, strict=True):
        place = finding.location
        assert entry["message"].startswith(printable(finding.message))
        assert printable(finding.hint) in entry["message"]
        assert entry["severity"] == finding.severity.name
        assert entry["code"]["value"] == finding.rule
        assert entry["location"]["path"] == finding.path.encode("utf-8", "backslashreplace").decode()
        assert entry["location"]["range"] == {
            "start": {"line": place.line, "column": place.byte_column},
            "end": {"line": place.end_line, "column": place.byte_end_column},
        }
        told = [other["message"] for other in entry.get("related_locations", [])]
        assert told == [printable(other.message) for other in finding.related]
