"""`--format concise`, the summary and the statistics: what stands on one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_report_samples import RULES, finding, report, sample, states

from spectastic.findings import Severity
from spectastic.report import FORMATS, View

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


ERROR, WARNING, INFO = (finding("KB-0009", "KB-0009", rule) for rule in RULES)
VERDICTS = [
    ([ERROR], {}, "Failed: 1 error."),
    ([ERROR, ERROR, WARNING, INFO], {}, "Failed: 2 errors, 1 warning, 1 info."),
    ([WARNING], {}, "Passed: 1 warning, none that fails the run (fail-on is error)."),
    ([WARNING], {"fail_on": Severity.WARNING}, "Failed: 1 warning."),
    ([INFO, INFO], {"fail_on": Severity.INFO}, "Passed: 2 info, none that fails the run (fail-on is info)."),
    ([ERROR], {"specs": 0}, "Failed: 1 error."),
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
