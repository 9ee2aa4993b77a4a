"""Commands and options: what is understood, what is shown, and what is refused with which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import spectastic
from spectastic import rules
from spectastic.cli import main

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]
COMMANDS = (
    "commands: validate, init, corpus, ground, retrieve, taxonomy, new, cite, explore, render, badge, "
    "explain, config"
)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)


USAGE = [
    # arguments, the lines on stderr
    (["vlaidate"], ["error: 'vlaidate' is no command", "did you mean validate?"]),
    (
        ["zzz"],
        [
            "error: 'zzz' is no command",
            COMMANDS,
        ],
    ),
    (["docs"], ["error: 'docs' is no command", "to check it: spectastic validate docs"]),
    (["--quiet"], ["error: there is no option --quiet before the command", "options follow the command"]),
    (["validate", "--formt=x"], ["error: unrecognized arguments: --formt=x", "did you mean --format?"]),
    (
        ["explain", "a", "b"],
        ["error: unrecognized arguments: b", "`spectastic explain --help` shows what it takes"],
    ),
    (
        ["explain", "corpus-provenence"],
        ["error: there is no rule 'corpus-provenence'", "did you mean corpus-provenance?"],
    ),
    (["explain", "zzz"], ["error: there is no rule 'zzz'", "`spectastic explain` lists the rules"]),
    (
        ["validate", "--severity", "corpus-orphan"],
        [
            "error: argument --severity: 'corpus-orphan' is not of the form RULE=LEVEL",
            "`spectastic validate --help` shows what it takes",
        ],
    ),
    (
        ["validate", "--per-path-ignores", "=corpus-orphan"],
        [
            "error: argument --per-path-ignores: '=corpus-orphan' is not of the form PATTERN=RULE,RULE",
            "`spectastic validate --help` shows what it takes",
        ],
    ),
    *(
        (
            ["validate", "--jobs", word],
            [
                f"error: argument --jobs: '{word}' is neither auto nor a number of processes",
                "`spectastic validate --help` shows what it takes",
            ],
        )
        for word in ("0", "-1", "many", "²", "1_0", " 5", "٥", "+5", "9" * 99)
    ),
    *(
        (
            ["validate", f"--max-warnings={word}"],
            [
                f"error: argument --max-warnings: '{word}' is neither unlimited nor a number of warnings",
                "`spectastic validate --help` shows what it takes",
            ],
        )
        for word in ("-1", "", "1_0", " 5", "٥", "+5", "9" * 10)
    ),
    *(
        (
            [*command.split(), *more, f"{option}=--"],
            [
                f"error: argument {option}: -- is no value",
                f"`spectastic {command} --help` shows what it takes",
            ],
        )
        for option, command, *more in (
            ("--edition", "corpus supersede", "KB-0001", "--from", "x"),
            ("--pack", "corpus list"),
            ("--corpus", "corpus graph"),
            ("--root", "validate"),
        )
    ),
    (
        ["\x1b[31m"],
        [
            "error: '\\x1b[31m' is no command",
            COMMANDS,
        ],
    ),
]


@pytest.mark.parametrize(("arguments", "lines"), USAGE)
def test_wrong_usage(arguments: list[str], lines: list[str], tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "docs").mkdir()
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "".join(f"spectastic: {line}\n" for line in lines)


def test_a_choice_that_is_none(capsys: Capture) -> None:
    assert main(["validate", "--format", "xml"]) == 2
    assert "error: argument --format: invalid choice: 'xml'" in capsys.readouterr().err


def test_an_abbreviated_option_is_refused(capsys: Capture) -> None:
    assert main(["validate", "--stat"]) == 2
    assert "did you mean --statistics?" in capsys.readouterr().err


def test_no_command_shows_the_help_on_stderr(capsys: Capture) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: spectastic COMMAND")


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help(option: str, capsys: Capture) -> None:
    assert main([option]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for command in ("validate", "explain", "config"):
        assert f"\n  {command} " in out
        assert main([command, option]) == 0
        assert capsys.readouterr().out.startswith(f"usage: spectastic {command} ")


@pytest.mark.parametrize("columns", ["", "abc", "0", "40", "9999999"])
def test_help_at_any_width(columns: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["validate", "--help"]) == 0
    assert "--per-path-ignores" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(option: str, capsys: Capture) -> None:
    assert main([option]) == 0
    assert capsys.readouterr().out == f"spectastic {spectastic.__version__}\n"


def test_explain_lists_every_rule_in_order(capsys: Capture) -> None:
    assert main(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(rules.RULES)
    assert [line.split()[1] for line in lines] == [rule.severity.label for rule in rules.RULES.values()]


@pytest.mark.parametrize("rule", rules.RULES)
def test_explain_prints_the_page(rule: str, capsys: Capture) -> None:
    assert main(["explain", rule]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{rule} ({rules.RULES[rule].severity.label})\n\n")
    assert rules.page(rule).strip() in out
