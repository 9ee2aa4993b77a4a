"""`--format sarif`: valid by the standard's schema, and all that GitHub code scanning asks for."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

import pytest
import report_sample
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator  # type: ignore[import-untyped]
from report_sample import FILES, SAMPLE, VIEW
from test_report_samples import finding, report

from spectastic import __version__
from spectastic.findings import Edit, Finding, Fix, Location, Related, Rule, Severity, Span, Suppressed
from spectastic.fingerprint import in_report
from spectastic.report import FORMATS, View, sarif
from spectastic.rules import RULES, page

if TYPE_CHECKING:
    from spectastic.report.model import Report

FIXTURES = Path(__file__).parent.parent / "fixtures"
VALIDATOR = Draft4Validator(
    json.loads((FIXTURES / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
)
DOCS = "https://github.com/spectastic/spectastic/blob/main/docs/"
REAL = View(rules=tuple(RULES.values()), page=page, version=__version__)


def text(shown: Report, view: View = VIEW) -> str:
    return "".join(FORMATS["sarif"](shown, view))


def run_of(shown: Report, view: View = VIEW) -> dict[str, Any]:
    """The one run of the document, which the standard and GitHub accept."""
    document = json.loads(text(shown, view))
    VALIDATOR.validate(document)
    assert list(document) == ["$schema", "version", "runs"]
    (run,) = document["runs"]
    _github_accepts(run)
    assert isinstance(run, dict)
    return run


def results_of(shown: Report, view: View = VIEW) -> list[dict[str, Any]]:
    results = run_of(shown, view)["results"]
    assert isinstance(results, list)
    return results


def _github_accepts(run: dict[str, Any]) -> None:
    """GitHub's page on SARIF support: what is required, never empty, and how much of it."""
    assert run["tool"]["driver"]["name"]
    assert len(run["results"]) <= 25_000
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["id"]
        assert 0 < len(rule["name"]) <= 255
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert len(rule["properties"]["tags"]) <= 10
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
    for result in run["results"]:
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert result["partialFingerprints"]
        assert "primaryLocationLineHash" not in result["partialFingerprints"]
        for place in (location, *result.get("relatedLocations", [])):
            _github_shows(place["physicalLocation"])


def _github_shows(place: dict[str, Any]) -> None:
    uri = place["artifactLocation"]["uri"]
    # RFC 3986: a relative reference of unreserved characters, escapes and slashes.
    assert re.fullmatch(r"(?!/)(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
    assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    region = place["region"]
    assert list(region) == ["startLine", "startColumn", "endLine", "endColumn"]
    assert min(region.values()) >= 1
    assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])


def test_golden() -> None:
    expected = (FIXTURES / "report" / "report.sarif").read_text(encoding="utf-8")
    assert text(SAMPLE) == expected
    run_of(SAMPLE)


def test_nothing_of_the_terminal_changes_it() -> None:
    other = VIEW._replace(color=False, width=40, summary=False, statistics=True, cwd="/", encoding="ascii")
    assert text(SAMPLE, other) == text(SAMPLE)


def test_the_driver() -> None:
    driver = run_of(SAMPLE)["tool"]["driver"]
    del driver["rules"]
    assert driver == {
        "name": "spectastic",
        "version": "1.2.3",
        "semanticVersion": "1.2.3",
        "informationUri": "https://github.com/spectastic/spectastic",
    }


VERSIONS = [
    ("1.2.3", "1.2.3"),
    ("0.10.0", "0.10.0"),
    ("1.2.3rc1", "1.2.3-rc1"),
    ("1.2.3.dev4", "1.2.3-dev4"),
    ("1.2.3a1.dev4", "1.2.3-a1.dev4"),
    ("1.2", None),
    ("1.2.3+local", None),
    ("", None),
]


@pytest.mark.parametrize(("version", "semantic"), VERSIONS)
def test_semantic_version(version: str, semantic: str | None) -> None:
    driver = run_of(SAMPLE, VIEW._replace(version=version))["tool"]["driver"]
    assert driver.get("semanticVersion") == semantic
    assert driver.get("version") == (version or None)


def test_every_rule_is_there_whatever_was_found() -> None:
    run = run_of(report(), REAL)
    assert run["results"] == []
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    for rule in rules:
        known = RULES[rule["id"]]
        levels = {"error": "error", "warning": "warning", "info": "note"}
        assert rule["defaultConfiguration"] == {"level": levels[known.severity.label]}
        assert rule["helpUri"] == f"{DOCS}rules/{known.id}.md"
        assert rule["help"]["text"] == rule["help"]["markdown"] == page(known.id).strip()
        vague = {"corpus-ungrounded-claim": "medium", "corpus-instruction": "high"}
        assert rule["properties"]["precision"] == vague.get(known.id, "very-high")
        assert rule["name"].lower() == known.id.replace("-", "")
        assert rule["shortDescription"]["text"].lower() == f"{known.summary}.".lower()
        section = page(known.id).partition("\n## What it does\n")[2].partition("\n## ")[0]
        assert rule["fullDescription"]["text"] == " ".join(section.split())


DESCRIPTIONS = [
    # a summary, a page, and the short and the full description
    ("a b", "A b.\n\n## What\n\nOne\ntwo.\n\nThree.\n\n## Why\n\nFour.\n", "A b.", "One two. Three."),
    ("a b", "A b.\n\n## What\n\nOne.\n", "A b.", "One."),
    ("a b", "A b.\n", "A b.", "A b."),
    ("a b", "A b.\n\n## What\n\n## Why\n", "A b.", "A b."),
    ("a b", "", "A b.", "A b."),
    ("", "", "x-y", "x-y"),
    ("a" * 2000, "x\n## W\n\n" + "é" * 2000, "A" + "a" * 1022 + "…", "é" * 1023 + "…"),
    ("a" * 1023, "x\n## W\n\n" + "é" * 1024, "A" + "a" * 1022 + ".", "é" * 1024),
]


@pytest.mark.parametrize(("summary", "page_text", "short", "full"), DESCRIPTIONS)
def test_descriptions(summary: str, page_text: str, short: str, full: str) -> None:
    rule = Rule("x-y", Severity.ERROR, summary)
    view = View(rules=(rule,), page=lambda _: page_text)
    (shown,) = run_of(report(), view)["tool"]["driver"]["rules"]
    assert shown["name"] == "XY"
    assert shown["shortDescription"]["text"] == short
    assert shown["fullDescription"]["text"] == full


def test_a_clean_run() -> None:
    run = run_of(report(), View())
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]
    assert run["columnKind"] == "utf16CodeUnits"
    assert run["originalUriBaseIds"] == {
        "%SRCROOT%": {"description": {"text": "The top of the git repository."}}
    }


@pytest.mark.parametrize(("level", "code"), [(Severity.ERROR, 0), (Severity.WARNING, 1)])
def test_the_exit_code(level: Severity, code: int) -> None:
    warning = finding("KB-0009", "KB-0009", report_sample.RULES[1])
    (invocation,) = run_of(report(warning, fail_on=level))["invocations"]
    assert invocation == {"executionSuccessful": True, "exitCode": code}


def test_levels_rules_and_their_numbers() -> None:
    numbers = [rule.id for rule in report_sample.RULES]
    levels = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    shown = [*SAMPLE.findings, *(entry.finding for entry in SAMPLE.suppressed)]
    for found, result in zip(shown, results_of(SAMPLE), strict=True):
        assert result["ruleId"] == found.rule
        assert result["ruleIndex"] == numbers.index(found.rule)
        assert result["level"] == levels[found.severity]


def test_a_rule_that_is_not_listed_has_no_number() -> None:
    (result,) = results_of(report(finding("KB-0009", "KB-0009")), View())
    assert "ruleIndex" not in result


def _lines(path: str) -> list[str]:
    """The lines of a file as an editor has them: its bytes decoded, the byte order mark gone."""
    return re.split("\r\n|\r|\n", FILES[path].decode("utf-8-sig"))


def _at(path: str, region: dict[str, int]) -> str:
    """What a reader that counts UTF-16 code units finds in a region."""
    lines = _lines(path)
    first, last = region["startLine"] - 1, region["endLine"] - 1
    wide = [line.encode("utf-16-le") for line in lines[first : last + 1]]
    wide[-1] = wide[-1][: 2 * (region["endColumn"] - 1)]
    wide[0] = wide[0][2 * (region["startColumn"] - 1) :]
    return "\n".join(line.decode("utf-16-le") for line in wide)


def test_regions_hold_what_the_finding_is_about() -> None:
    shown = [*SAMPLE.findings, *(entry.finding for entry in SAMPLE.suppressed)]
    for found, result in zip(shown, results_of(SAMPLE), strict=True):
        if found.path == report_sample.BROKEN:
            continue
        region = result["locations"][0]["physicalLocation"]["region"]
        assert _at(found.path, region) == FILES[found.path][slice(*found.span)].decode()
        for place, location in zip(found.related, result.get("relatedLocations", []), strict=True):
            region = location["physicalLocation"]["region"]
            assert _at(place.path, region) == FILES[place.path][slice(*place.span)].decode()


def test_a_whole_file_is_shown_at_its_first_line() -> None:
    (result,) = (result for result in results_of(SAMPLE) if result["ruleId"] == "file-unreadable")
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    assert place["artifactLocation"]["uri"] == "hand%20b%C3%BCch/specs/%FF%E9.md"


URIS = [
    ("", "docs/a.md", "docs/a.md"),
    ("sub/", "docs/a.md", "sub/docs/a.md"),
    ("", "a b.md", "a%20b.md"),
    ("", "100%.md", "100%25.md"),
    ("", "%41.md", "%2541.md"),
    ("", "a#b?c.md", "a%23b%3Fc.md"),
    ("", "a:b.md", "a%3Ab.md"),  # or it would read as a scheme
    ("", "a\\b.md", "a%5Cb.md"),
    ("", "[x]'\".md", "%5Bx%5D%27%22.md"),
    ("", "é.md", "%C3%A9.md"),
    ("", "e\u0301.md", "e%CC%81.md"),
    ("", "🚀.md", "%F0%9F%9A%80.md"),
    ("", "a\nb\t.md", "a%0Ab%09.md"),
    ("", "-._~/x.md", "-._~/x.md"),
]


@pytest.mark.parametrize(("prefix", "path", "uri"), URIS)
def test_uri(prefix: str, path: str, uri: str) -> None:
    place = related = Related(path, Span(0, 0), "there")
    shown = report(finding("KB-0009", "KB-0009", path=path, related=(place, related)))
    (result,) = results_of(shown, View(prefix=prefix))
    for location in (result["locations"][0], *result["relatedLocations"]):
        assert location["physicalLocation"]["artifactLocation"]["uri"] == uri


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\udc80\udcff"), min_size=1))
def test_a_uri_leads_back_to_the_bytes_of_the_name(path: str) -> None:
    (result,) = results_of(report(finding("KB-0009", "KB-0009", path=f"x{path}")), View())
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote_to_bytes(uri) == os.fsencode(f"x{path}")


MESSAGES = [
    # message, hint, messages of related places, and the text
    ("it is wrong", "", (), "it is wrong."),
    ("is it wrong?", "", (), "is it wrong?"),
    ("it is wrong", "read it", (), "it is wrong. Hint: read it."),
    ("wrong…", "did you mean it?", (), "wrong… Hint: did you mean it?"),
    ("wrong", "", ("a", "b"), "wrong. See [a](1). See [b](2)."),
    ("wrong", "do", ("a [b] \\c",), r"wrong. Hint: do. See [a \[b\] \\c](1)."),
    ("a [b] c", "", (), "a [b] c."),
    ("a [b](1) c", "", (), r"a \[b\](1) c."),
    ("a [b", "](http://x)", (), r"a \[b. Hint: \](http://x)."),
    ("a [b", "", ("c",), r"a \[b. See [c](1)."),
    ("{0} {", "", ("}",), "{{0}} {{. See [}}](1)."),
    ("a\u202eb\x1b\nc\udcff", "\u200b", (), r"a\u202eb\x1b\x0ac\udcff. Hint: \u200b."),
    ("##[error]x ##vso[y]", "", (), "##[error]x ##vso[y]."),
]


@pytest.mark.parametrize(("message", "hint", "related", "expected"), MESSAGES)
def test_message(message: str, hint: str, related: tuple[str, ...], expected: str) -> None:
    places = tuple(Related("b.md", Span(0, 0), name) for name in related)
    found = finding("KB-0009", "KB-0009", message=message, hint=hint, related=places)
    (result,) = results_of(report(found))
    assert result["message"] == {"text": expected}


def test_no_runner_finds_a_command_in_what_is_printed() -> None:
    found = finding("KB-0009", "KB-0009", message="##[error]x ###vso[y] \\##[z")
    assert "##" not in text(report(found), REAL)
    assert results_of(report(found))[0]["message"]["text"] == "##[error]x ###vso[y] \\##[z."


def test_related_places_have_numbers_of_their_own() -> None:
    places = (
        Related("b.md", Span(0, 1), "x {y}", Location(7, 1, 7, 2, 1, 2)),
        Related("b.md", Span(0, 1), ""),
    )
    (result,) = results_of(report(finding("KB-0009", "KB-0009", message="m", related=places)))
    first, second = result["relatedLocations"]
    assert (first["id"], second["id"]) == (1, 2)
    assert first["message"] == {"text": "x {{y}}"}
    assert first["physicalLocation"]["region"]["startLine"] == 7
    assert "message" not in second
    assert result["message"]["text"] == "m. See [x {{y}}](1). See [b.md](2)."


def test_fingerprints() -> None:
    silenced = [entry.finding for entry in SAMPLE.suppressed]
    live, suppressed = in_report(SAMPLE.findings, silenced)
    marks = [result["partialFingerprints"] for result in results_of(SAMPLE)]
    assert marks == [{"spectastic/v1": mark} for mark in (*live, *suppressed)]


def test_safe_fixes_only_and_never_of_a_suppressed_finding() -> None:
    fixed = [result["message"]["text"] for result in results_of(SAMPLE) if "fixes" in result]
    assert len(fixed) == 1
    assert fixed[0].startswith("kb‑0001@2024-05-28 is no citation")
    fix = Fix("t", (Edit(Span(0, 1), "x", "y"),), safe=True)
    silenced = Suppressed(finding("KB-0009", "KB-0009", fix=fix), "comment", "why")
    (result,) = results_of(report(suppressed=(silenced,)))
    assert "fixes" not in result


def test_a_reader_can_apply_a_fix() -> None:
    (fixes,) = (result["fixes"] for result in results_of(SAMPLE) if "fixes" in result)
    assert fixes[0]["description"] == {"text": "write KB-0001@2024-05-28"}
    (change,) = fixes[0]["artifactChanges"]
    assert unquote_to_bytes(change["artifactLocation"]["uri"]) == f"hand büch/{report_sample.SPEC}".encode()
    lines = _lines(report_sample.SPEC)
    for replacement in reversed(change["replacements"]):
        region = replacement["deletedRegion"]
        assert region["startLine"] == region["endLine"] == 7
        wide = lines[6].encode("utf-16-le")
        left, right = wide[: 2 * (region["startColumn"] - 1)], wide[2 * (region["endColumn"] - 1) :]
        lines[6] = (
            left.decode("utf-16-le") + replacement["insertedContent"]["text"] + right.decode("utf-16-le")
        )
    assert lines[6] == "See 𝔊 KB-0001@2024-05-28 and KB-0002 ✓."


def test_a_fix_that_only_removes_and_one_without_edits() -> None:
    removes = Fix(
        "take {it} away\u202e", (Edit(Span(0, 2), "", "KB", Location(1, 1, 1, 3, 1, 3)),), safe=True
    )
    nothing = Fix("nothing", (), safe=True)
    one, two = results_of(
        report(finding("KB-0009", "KB-0009", fix=removes), finding("KB-0009", "KB-0009", fix=nothing))
    )
    assert one["fixes"][0]["description"] == {"text": "take {{it}} away\\u202e"}
    (replacement,) = one["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 3}}
    assert "fixes" not in two


def test_suppressions_follow_and_every_result_says_whether() -> None:
    live, suppressed = len(SAMPLE.findings), len(SAMPLE.suppressed)
    found = [result["suppressions"] for result in results_of(SAMPLE)]
    assert found[:live] == [[]] * live
    assert len(found) == live + suppressed
    reason = '100% historical: see "D-0", it\'s past'
    assert found[live:] == [
        [{"kind": "inSource", "status": "accepted", "justification": reason}],
        [{"kind": "external", "status": "accepted"}],
    ]


def test_suppressed_results_can_be_left_out() -> None:
    shown = results_of(SAMPLE, VIEW._replace(suppressed=False))
    assert shown == results_of(SAMPLE)[: len(SAMPLE.findings)]


def test_a_reason_is_made_printable() -> None:
    silenced = Suppressed(finding("KB-0009", "KB-0009"), "comment", "a\u202eb")
    (result,) = results_of(report(suppressed=(silenced,)))
    assert result["suppressions"][0]["justification"] == r"a\u202eb"


def test_what_was_not_looked_at_is_told() -> None:
    (invocation,) = run_of(report(outside=1, notices=("a {b}\u202e", "c")))["invocations"]
    assert invocation["toolExecutionNotifications"] == [
        {
            "level": "note",
            "message": {"text": "Left out 1 finding outside of the changes this run is about."},
        },
        {"level": "warning", "message": {"text": "a {{b}}\\u202e"}},
        {"level": "warning", "message": {"text": "c"}},
    ]


def _many(count: int, severity: Severity, path: str) -> list[Finding]:
    plain = Finding("corpus-provenance", severity, "m", path)
    return [plain._replace(location=Location(line, 1, line, 1)) for line in range(1, count + 1)]


MANY = [
    # infos, warnings, errors, suppressed; how many of each are kept; what the notification says
    ((9, 0, 1, 0), (9, 0, 1, 0), None),
    ((9, 0, 1, 2), (9, 0, 1, 0), "2 suppressed findings"),
    ((8, 0, 1, 2), (8, 0, 1, 1), "1 suppressed finding"),
    ((10, 2, 1, 0), (7, 2, 1, 0), "3 findings"),
    ((4, 10, 1, 1), (0, 9, 1, 0), "5 findings and 1 suppressed finding"),
]


@pytest.mark.parametrize(("given_", "kept", "told"), MANY)
def test_no_more_than_a_run_may_have(
    given_: tuple[int, ...], kept: tuple[int, ...], told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 10)
    infos, warnings, errors, suppressed = given_
    shown = report(
        *_many(infos, Severity.INFO, "a.md"),
        *_many(warnings, Severity.WARNING, "b.md"),
        *_many(errors, Severity.ERROR, "c.md"),
        suppressed=tuple(Suppressed(one, "baseline") for one in _many(suppressed, Severity.ERROR, "d.md")),
    )
    run = run_of(shown)
    results = run["results"]
    live = [result["level"] for result in results if not result["suppressions"]]
    assert [live.count(level) for level in ("note", "warning", "error")] == list(kept[:3])
    assert len(results) - len(live) == kept[3]
    # In the report's order as long as there is room for all, else the worst first.
    assert live[0] == ("note" if sum(given_[:3]) <= 10 else "error")
    lines = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in results]
    notes = [line for line, result in zip(lines, results, strict=True) if result["level"] == "note"]
    assert notes == list(range(1, kept[0] + 1))
    # What is left out counts all the same, for telling apart those that look the same.
    marks, _ = in_report(shown.findings, [])
    assert {result["partialFingerprints"]["spectastic/v1"] for result in results[: len(live)]} <= set(marks)
    notifications = run["invocations"][0].get("toolExecutionNotifications", [])
    assert len(notifications) == (told is not None)
    if told:
        message = {"text": f"Left out {told}: a run may have 10 results; the worst come first."}
        assert notifications[0] == {"level": "warning", "message": message}


def test_no_more_than_github_takes() -> None:
    shown = report(*_many(25_000, Severity.WARNING, "a.md"), *_many(2, Severity.ERROR, "b.md"))
    (run,) = json.loads(text(shown))["runs"]
    assert len(run["results"]) == 25_000
    assert [result["level"] for result in run["results"][:3]] == ["error", "error", "warning"]
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("Left out 2 findings: a run may have 25,000 results")


def test_one_result_one_line() -> None:
    lines = text(SAMPLE).splitlines()
    start = lines.index('      "results": [')
    results = len(SAMPLE.findings) + len(SAMPLE.suppressed)
    assert all(line.startswith('        {"ruleId": ') for line in lines[start + 1 : start + 1 + results])
    assert lines[start + 1 + results :] == ["      ]", "    }", "  ]", "}"]


COUNTS = st.integers(1, 2**31)
LOCATIONS = st.builds(
    lambda line, column, lines, width: Location(
        line, column, line + lines, column + width, column, column + width
    ),
    *[COUNTS] * 4,
)
NAMES = st.text(min_size=1).map(lambda name: f"x{name.encode('utf-8', 'ignore').decode()}")
EDITS = st.builds(Edit, st.just(Span(0, 1)), st.text(), st.text(), LOCATIONS)
FIXES = st.builds(Fix, st.text(min_size=1), st.lists(EDITS, max_size=2).map(tuple), st.booleans())
RELATED = st.builds(Related, NAMES, st.just(Span(0, 1)), st.text(), LOCATIONS)
FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from([rule.id for rule in report_sample.RULES]),
    severity=st.sampled_from(Severity),
    message=st.text(min_size=1),
    path=NAMES,
    hint=st.text(),
    subject=st.text(),
    related=st.lists(st.builds(Related, NAMES, st.just(Span(0, 1)), st.text(), LOCATIONS), max_size=2).map(
        tuple
    ),
    fix=st.none()
    | st.builds(Fix, st.text(min_size=1), st.lists(EDITS, max_size=2).map(tuple), st.booleans()),
    location=LOCATIONS,
    decision=st.text(),
)
SUPPRESSED = st.builds(Suppressed, FINDINGS, st.sampled_from(["comment", "baseline"]), st.text())


@settings(deadline=None, max_examples=40)
@given(st.lists(FINDINGS, max_size=3), st.lists(SUPPRESSED, max_size=2), st.lists(st.text(), max_size=2))
def test_any_report_fits_the_schema(
    findings: list[Finding], suppressed: list[Suppressed], notices: list[str]
) -> None:
    shown = report(*findings, suppressed=tuple(suppressed), notices=tuple(notices))
    assert text(shown).isascii()
    assert len(results_of(shown)) == len(findings) + len(suppressed)


BROKEN: list[dict[str, Any]] = [
    {"level": "info"},
    {"ruleIndex": "0"},
    {"message": {}},
    {"locations": [{"physicalLocation": {"region": {"startLine": 0}}}]},
    {"fixes": [{"description": {"text": "x"}}]},
    {"suppressions": [{"status": "accepted"}]},
    {"unknown": 1},
]


@pytest.mark.parametrize("change", BROKEN)
def test_the_schema_refuses(change: dict[str, Any]) -> None:
    document = json.loads(text(SAMPLE))
    document["runs"][0]["results"][0] |= change
    assert not VALIDATOR.is_valid(document)
