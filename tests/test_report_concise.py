"""`--format concise`, the summary and the statistics: what stands on one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_hostile import LISTS, drives
from test_report_samples import RULES, finding, report, sample, states

from spectastic.config import Settings
from spectastic.findings import Finding, Fix, Severity, Suppressed
from spectastic.report import FORMATS, View
from spectastic.text import inert

GOLDEN = Path(__file__).parent.parent / "fixtures" / "report"
PLAIN = View(cwd="/repo", rules=RULES)


def concise(*findings: Any, **view: Any) -> str:
    return "".join(FORMATS["concise"](report(*findings), PLAIN._replace(**{"summary": False} | view)))


def test_golden() -> None:
    shown = "".join(FORMATS["concise"](sample(), PLAIN))
    assert shown == (GOLDEN / "concise.txt").read_text(encoding="utf-8")


def test_quiet_and_clean_is_empty() -> None:
    assert concise() == ""


PLACES = [
    ("/repo", "docs/a.md"),
    ("/repo/docs", "a.md"),
    ("/repo/docs/deep/er", "../../a.md"),
    ("/repo/docs-old", "../docs/a.md"),
    ("/", "repo/docs/a.md"),
    ("/elsewhere", "../repo/docs/a.md"),
    ("", "docs/a.md"),
]


@pytest.mark.parametrize(("cwd", "expected"), PLACES)
def test_paths_are_those_a_reader_can_open(cwd: str, expected: str) -> None:
    shown = concise(finding("KB-0009", "KB-0009", path="docs/a.md"), cwd=cwd)
    assert shown == f"{expected}:1:1: error corpus-provenance KB-0009 is wrong\n"


def test_a_path_on_another_drive_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def relpath(*_: str) -> str:
        raise ValueError

    monkeypatch.setattr("os.path.relpath", relpath)
    assert concise(finding("KB-0009", "KB-0009", path="a.md"), cwd="/else").startswith("/repo/a.md:1:1: ")


HOSTILE = [
    # path, message, the line
    ("a\nb.md", "m", "a\\x0ab.md:1:1: error corpus-provenance m\n"),
    ("a.md", "x\x1b[2Jy", "a.md:1:1: error corpus-provenance x\\x1b[2Jy\n"),
    ("a.md", "one\ntwo", "a.md:1:1: error corpus-provenance one\\x0atwo\n"),
    ("a\udcff.md", "m", "a\\udcff.md:1:1: error corpus-provenance m\n"),
    ("a.md", "\u202egnp.md", "a.md:1:1: error corpus-provenance \\u202egnp.md\n"),
]


@pytest.mark.parametrize(("path", "message", "expected"), HOSTILE)
@pytest.mark.parametrize("cwd", ["/repo", "/repo/sub"])
def test_no_file_drives_the_terminal(path: str, message: str, expected: str, cwd: str) -> None:
    shown = concise(finding("KB-0009", "KB-0009", path=path, message=message), cwd=cwd)
    assert shown.removeprefix("../") == expected


COMMANDS = [
    # path, message, the line: no CI runner that reads the log finds a command in it
    ("::error::.md", "m", "./::error::.md:1:1: error corpus-provenance m\n"),
    (" \t::x::.md", "m", "./ \t::x::.md:1:1: error corpus-provenance m\n"),
    ("\u3000:\ufe0f:x::.md", "m", "./\u3000:\ufe0f:x::.md:1:1: error corpus-provenance m\n"),
    ("##[error]x.md", "m", "./#\\x23[error]x.md:1:1: error corpus-provenance m\n"),
    ("## x.md", "m", "./## x.md:1:1: error corpus-provenance m\n"),
    ("#x.md", "m", "#x.md:1:1: error corpus-provenance m\n"),
    (":", "m", "./::1:1: error corpus-provenance m\n"),  # what follows the path belongs to it
    (" :\ufe0f", "m", "./ :\ufe0f:1:1: error corpus-provenance m\n"),
    (":a::b:.md", "m", ":a::b:.md:1:1: error corpus-provenance m\n"),
    ("a ##[x]::.md", "::m::", "a #\\x23[x]::.md:1:1: error corpus-provenance ::m::\n"),
    ("a.md", "###[x]#", "a.md:1:1: error corpus-provenance ##\\x23[x]#\n"),
    ("a.md", "##[a]##[b]", "a.md:1:1: error corpus-provenance #\\x23[a]#\\x23[b]\n"),
    ("a.md", "x ##vso[task.complete]y", "a.md:1:1: error corpus-provenance x #\\x23vso[task.complete]y\n"),
    ("a.md", "#é#\ufe0f[x]", "a.md:1:1: error corpus-provenance #é\\x23\ufe0f[x]\n"),
    ("a.md", "## heading, # [x], ##vs[", "a.md:1:1: error corpus-provenance ## heading, # [x], ##vs[\n"),
]


@pytest.mark.parametrize(("path", "message", "expected"), COMMANDS)
def test_no_line_drives_a_runner(path: str, message: str, expected: str) -> None:
    shown = concise(finding("KB-0009", "KB-0009", path=path, message=message))
    assert shown == expected
    assert not drives(shown)
    assert not drives(concise(finding("KB-0009", "KB-0009", path=path, message=message), cwd="/repo/sub"))
    below = finding("KB-0009", "KB-0009", path=f"sub/{path}", message=message)
    assert concise(below, cwd="/repo/sub") == expected


@settings(deadline=None)
@given(LISTS, st.sampled_from(["/repo", "/repo/sub", ""]))
def test_no_report_drives_a_runner(found: list[Finding], cwd: str) -> None:
    shown = concise(*found, cwd=cwd)
    assert shown.count("\n") == len(found)
    assert not any(map(drives, shown.split("\n")))


def test_a_text_full_of_marks_costs_its_size() -> None:
    marks = "##[" * 200_000
    assert inert(marks) == "#\\x23[" * 200_000
    assert inert("#" * 400_000) == "#" * 400_000
    assert inert("#" + "é" * 400_000 + "#v") == "#" + "é" * 400_000 + "#v"


SUMMARIES = [
    (
        {},
        "Checked 14 specs: 16 decisions (1 stale, 12 grounded, 3 assumed), 31 citations.",
        "Passed: no findings.",
    ),
    (
        {"specs": 1, "citations": 1, "decisions": states(grounded=1)},
        "Checked 1 spec: 1 decision (1 grounded), 1 citation.",
        "Passed: no findings.",
    ),
    (
        {"specs": 5000, "citations": 0, "decisions": states()},
        "Checked 5,000 specs: 0 decisions, 0 citations.",
        "Passed: no findings.",
    ),
    (
        {"decisions": states(ungrounded=1, stale=2, unpinned=3, grounded=4)},
        "Checked 14 specs: 10 decisions (1 ungrounded, 2 stale, 3 unpinned, 4 grounded), 31 citations.",
        "Passed: no findings.",
    ),
    (
        {"specs": 0, "citations": 0, "decisions": states()},
        "Checked no spec.",
        "No findings, and no spec was checked.",
    ),
]


@pytest.mark.parametrize(("values", "checked", "verdict"), SUMMARIES)
def test_summary_of_a_clean_run(values: dict[str, Any], checked: str, verdict: str) -> None:
    assert "".join(FORMATS["concise"](report(**values), PLAIN)) == f"{checked}\n{verdict}\n"


def test_the_summary_on_a_narrow_terminal() -> None:
    shown = "".join(FORMATS["concise"](report(), PLAIN._replace(width=44)))
    assert shown.splitlines() == [
        "Checked 14 specs: 16 decisions (1 stale, 12",
        "grounded, 3 assumed), 31 citations.",
        "Passed: no findings.",
    ]


SAFE, UNSAFE = (Fix("t", (), safe) for safe in (True, False))
FIXES = [
    # the fixes, what is suppressed by which means, how many are outside: the third line
    ([SAFE], "", 0, "1 fixable with --fix."),
    ([SAFE, UNSAFE, UNSAFE, None], "", 0, "1 fixable with --fix, 2 more with --unsafe-fixes."),
    ([UNSAFE], "", 0, "1 fixable with --fix --unsafe-fixes."),
    ([], "comment comment", 0, "Suppressed: 2 by comments."),
    ([], "baseline", 0, "Suppressed: 1 by the baseline."),
    ([], "baseline " * 1212 + "comment", 0, "Suppressed: 1 by comments, 1,212 by the baseline."),
    ([], "", 1040, "Outside the change: 1,040."),
    (
        [SAFE],
        "comment baseline",
        4,
        "1 fixable with --fix. Suppressed: 1 by comments, 1 by the baseline. Outside the change: 4.",
    ),
]


@pytest.mark.parametrize(("fixes", "suppressed", "outside", "expected"), FIXES)
def test_a_third_line_only_when_there_is_something_to_tell(
    fixes: list[Fix | None], suppressed: str, outside: int, expected: str
) -> None:
    found = [finding("KB-0009", "KB-0009", fix=fix) for fix in fixes]
    silent = tuple(Suppressed(finding("KB-0009", "KB-0009", fix=SAFE), by) for by in suppressed.split())
    whole = report(*found, suppressed=silent, outside=outside)
    lines = "".join(FORMATS["concise"](whole, PLAIN)).splitlines()[len(found) :]
    assert lines[2:] == [expected]
    assert lines[1].split()[0] == ("Failed:" if found else "Passed:")
    narrow = "".join(FORMATS["concise"](whole, PLAIN._replace(width=30))).splitlines()
    assert " ".join(narrow).endswith(f". {expected}")


ERROR, WARNING, INFO = (finding("KB-0009", "KB-0009", rule) for rule in RULES)
STRICT = Settings(root="/repo", max_warnings=1)
VERDICTS = [
    ([ERROR], {}, "Failed: 1 error."),
    ([ERROR, ERROR, WARNING, INFO], {}, "Failed: 2 errors, 1 warning, 1 info."),
    ([WARNING], {}, "Passed: 1 warning, none that fails the run (fail-on is error)."),
    ([WARNING], {"fail_on": Severity.WARNING}, "Failed: 1 warning."),
    ([INFO, INFO], {"fail_on": Severity.INFO}, "Passed: 2 info, none that fails the run (fail-on is info)."),
    ([ERROR], {"specs": 0}, "Failed: 1 error."),
    ([WARNING, WARNING], {"settings": STRICT}, "Failed: 2 warnings, and max-warnings is 1."),
    ([WARNING], {"settings": STRICT}, "Passed: 1 warning, none that fails the run (fail-on is error)."),
]


@pytest.mark.parametrize(("findings", "values", "expected"), VERDICTS)
def test_verdict(findings: list[Any], values: dict[str, Any], expected: str) -> None:
    shown = "".join(FORMATS["concise"](report(*findings, **values), PLAIN))
    assert shown.splitlines()[-1] == expected


def test_statistics_count_the_most_frequent_first_then_in_the_order_of_the_rules() -> None:
    other = finding("KB-0009", "KB-0009")._replace(rule="not-in-the-list")
    findings = [other, INFO, WARNING, WARNING, ERROR, *[INFO] * 11]
    for name in ("full", "concise"):
        shown = "".join(FORMATS[name](report(*findings), PLAIN._replace(statistics=True, summary=False)))
        assert shown == (
            "12  corpus-ungrounded-claim  a decision cites nothing\n"
            " 2  corpus-staleness         a pinned edition is superseded\n"
            " 1  corpus-provenance        a citation resolves to no committed document\n"
            " 1  not-in-the-list\n"
        )


def test_statistics_of_a_clean_run_leave_the_summary() -> None:
    shown = "".join(FORMATS["full"](report(), PLAIN._replace(statistics=True)))
    assert shown.startswith("Checked 14 specs")
