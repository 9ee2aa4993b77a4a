"""`spectastic validate` in this process: exit codes, streams and messages."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from test_report_samples import RULES, finding, report, sample, states

import spectastic
from spectastic.cli import main
from spectastic.discover import NothingMatches
from spectastic.findings import Severity

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.config import Settings
    from spectastic.engine import Report

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty repository, and an environment without opinions."""
    for name in ("NO_COLOR", "FORCE_COLOR", "SPECTASTIC_DEBUG", "CI", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def engine_gives(monkeypatch: pytest.MonkeyPatch, answer: Report | BaseException) -> list[Settings]:
    """Let the engine give a report or raise; the list fills with the settings it was called with."""
    seen: list[Settings] = []

    def validate(settings: Settings, _progress: object = None, _request: object = None) -> Report:
        seen.append(settings)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    monkeypatch.setattr("spectastic.engine.validate", validate)
    return seen


EXITS = [
    (report(), 0),
    (sample(), 1),
    (report(finding("KB-0009", "KB-0009", RULES[1])), 0),
    (report(finding("KB-0009", "KB-0009", RULES[1]), fail_on=Severity.WARNING), 1),
]


@pytest.mark.parametrize(("answer", "code"), EXITS)
def test_exit_codes(answer: Report, code: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, answer)
    assert main(["validate"]) == code
    out, err = capsys.readouterr()
    assert "Checked 14 specs" in out
    assert err == ""


def test_quiet_and_clean_prints_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, report())
    assert main(["validate", "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_formats(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, sample())
    shown = {}
    for name in ("full", "concise", "json"):
        assert main(["validate", "--format", name]) == 1
        shown[name] = capsys.readouterr().out
    assert main(["validate"]) == 1
    assert capsys.readouterr().out == shown["full"]
    assert "^^^" in shown["full"]
    assert "^^^" not in shown["concise"]
    assert json.loads(shown["json"])["spectastic"] == spectastic.__version__


def test_statistics(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, sample())
    assert main(["validate", "--statistics", "--quiet"]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "1  corpus-provenance        a citation resolves to no committed document"
    assert len(out.splitlines()) == 3


def test_colour_is_for_terminals_unless_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, sample())
    main(["validate"])
    assert "\x1b" not in capsys.readouterr().out
    main(["validate", "--color", "always"])
    assert "\x1b[1;31merror\x1b[0m" in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["validate"])
    assert "\x1b" in capsys.readouterr().out
    main(["validate", "--color", "never"])
    assert "\x1b" not in capsys.readouterr().out


def test_output_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    engine_gives(monkeypatch, sample())
    assert main(["validate", "--output-file", "report.txt", "--color", "always"]) == 1
    assert capsys.readouterr() == ("", "spectastic: report written to report.txt\n")
    shown = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert "Checked 14 specs" in shown
    assert "\x1b" not in shown, "no colours in a file"
    assert main(["validate", "--output-file", "report.txt", "--quiet"]) == 1
    assert capsys.readouterr() == ("", "")
    engine_gives(monkeypatch, report())
    assert main(["validate", "--output-file", "report.txt"]) == 0
    assert capsys.readouterr() == ("", ""), "nothing found, nothing to read"


def test_an_output_file_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, report())
    assert main(["validate", "--output-file", "none/report.txt"]) == 2
    assert capsys.readouterr().err == (
        "spectastic: error: cannot write none/report.txt: no such file or directory\n"
    )


def test_a_path_that_names_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    assert main(["validate", "nofile.md"]) == 2
    assert main(["validate", "'**/*.md'"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error: nofile.md: no such file or folder" in err
    assert "patterns are not expanded" in err
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    engine_gives(monkeypatch, NothingMatches("docs/x.md", "no such file or folder"))
    assert main(["validate", "--root", ".."]) == 2
    assert capsys.readouterr().err == "spectastic: error: ../docs/x.md: no such file or folder\n"


def test_a_wrong_setting(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "spectastic.toml").write_text('selct = ["corpus-orphan"]\n')
    assert main(["validate"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("spectastic: error: ")
    assert "spectastic.toml:1" in err
    assert "select" in err


def test_an_unknown_rule_on_the_command_line(capsys: Capture) -> None:
    assert main(["validate", "--select", "corpus-provenence"]) == 2
    assert "corpus-provenance" in capsys.readouterr().err


NOTHING = [
    (
        (("exclude", 1200), (".gitignore", 1)),
        [
            "warning: no spec was checked",
            "  exclude left out 1,200 files",
            "  .gitignore left out 1 file",
        ],
    ),
    ((), ["warning: no spec was checked: there is no Markdown or HTML file"]),
]


@pytest.mark.parametrize(("removed", "lines"), NOTHING)
@pytest.mark.parametrize("options", [[], ["--quiet"], ["--format", "json"]])
def test_a_run_that_checked_no_spec_says_so(
    removed: tuple[tuple[str, int], ...],
    lines: list[str],
    options: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    engine_gives(monkeypatch, report(specs=0, citations=0, decisions=states(), removed=removed))
    assert main(["validate", *options]) == 0
    assert capsys.readouterr().err == "".join(f"spectastic: {line}\n" for line in lines)


def test_paths_without_a_spec(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    empty = report(specs=0, citations=0, decisions=states())
    engine_gives(monkeypatch, empty._replace(settings=empty.settings._replace(paths=("knowledge",))))
    assert main(["validate"]) == 0
    expected = "spectastic: warning: no spec was checked: the paths given lead to none\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("options", [[], ["--quiet"], ["--no-progress"]])
def test_the_bar_goes_before_the_report_comes(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    story: list[str] = []

    class Bar:
        def __init__(self, color: bool, label: str) -> None:
            story.append(f"begin {label}, {color}")

        def close(self) -> None:
            story.append("close")

    monkeypatch.setattr("spectastic.cli.progress.Bar", Bar)
    monkeypatch.setattr("spectastic.cli.streams.is_terminal", lambda stream: stream is sys.stderr)
    monkeypatch.setattr("spectastic.cli.output.show", lambda *_: story.append("print"))
    monkeypatch.setenv("TERM", "xterm")
    engine_gives(monkeypatch, report())
    assert main(["validate", *options]) == 0
    assert story == (["print"] if options else ["begin Checking, True", "close", "print"])
    story.clear()
    engine_gives(monkeypatch, NothingMatches("x.md", "no such file or folder"))
    assert main(["validate", *options]) == 2
    assert story == ([] if options else ["begin Checking, True", "close"])
    assert capsys.readouterr().out == ""


def test_an_internal_error_is_ours(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, ValueError("x\x1b" + "y" * 999))
    assert main(["validate"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert first.startswith("spectastic: error: ValueError: x\\x1byyy")
    assert len(first) < 520
    assert "this is a bug in spectastic" in second
    assert "SPECTASTIC_DEBUG=1" in second
    monkeypatch.setenv("SPECTASTIC_DEBUG", "1")
    with pytest.raises(ValueError, match="yyy"):
        main(["validate"])


def test_an_internal_error_without_a_message(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, RecursionError())
    assert main(["validate"]) == 2
    assert capsys.readouterr().err.startswith("spectastic: error: RecursionError\n")


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    engine_gives(monkeypatch, KeyboardInterrupt())
    assert main(["validate"]) == 130
    assert capsys.readouterr() == ("", "spectastic: interrupted\n")
