"""Options become settings, and `spectastic config` shows what is in force and why."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from spectastic.cli import flags, main
from spectastic.cli.parser import Parser
from spectastic.config import AUTO
from spectastic.findings import Severity

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.config import Settings

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(*arguments: str) -> Settings:
    parser = Parser("validate", "")
    flags.add_settings(parser)
    return flags.load(parser.parse_args(arguments))


OPTIONS = [
    # arguments, setting, value
    (["--select", "corpus-orphan, corpus-license"], "select", ("corpus-orphan", "corpus-license")),
    (["--select=corpus-orphan", "--select=corpus-license"], "select", ("corpus-orphan", "corpus-license")),
    (["--select", ""], "select", ()),
    (["--ignore", "corpus-orphan,"], "ignore", ("corpus-orphan",)),
    (["--include", "docs/**", "--include", "a,b"], "include", ("docs/**", "a", "b")),
    (["--exclude", "/drafts"], "exclude", ("/drafts",)),
    (["--skip-folders", "old,older"], "skip_folders", ("old", "older")),
    (["--skip-folders="], "skip_folders", ()),
    (["--extra-licenses", "EUPL-1.2"], "extra_licenses", ("EUPL-1.2",)),
    (["--corpus", "docs"], "corpus", "docs"),
    (["--fail-on", "warning"], "fail_on", Severity.WARNING),
    (["--citation-scope", "document"], "citation_scope", "document"),
    (["--force-exclude"], "force_exclude", True),
    (["--no-force-exclude"], "force_exclude", False),
    (["--jobs", "3"], "jobs", 3),
    (["--jobs", "auto"], "jobs", 0),
    (
        ["--severity", "corpus-orphan=error,corpus-license=info", "--severity", "decision-markup=error"],
        "severity",
        {
            "corpus-orphan": Severity.ERROR,
            "corpus-license": Severity.INFO,
            "decision-markup": Severity.ERROR,
        },
    ),
    (
        [
            *("--per-path-ignores", "a=b/**=corpus-orphan,corpus-license"),
            *("--per-path-ignores", "c=corpus-orphan"),
            *("--per-path-ignores", "c=corpus-license"),
        ],
        "per_path_ignores",
        (("a=b/**", ("corpus-orphan", "corpus-license")), ("c", ("corpus-orphan", "corpus-license"))),
    ),
]


@pytest.mark.parametrize(("arguments", "name", "expected"), OPTIONS)
def test_an_option_is_a_setting(arguments: list[str], name: str, expected: Any) -> None:
    found = settings(*arguments)
    assert getattr(found, name) == expected
    assert found.origins[name] == arguments[0].partition("=")[0].replace("--no-", "--")


def test_without_options_the_defaults_are_in_force(repository: Path) -> None:
    found = settings()
    assert set(found.origins.values()) == {"default", "git"}
    assert found.root == str(repository)
    assert found.paths == ()
    assert found.jobs == AUTO


def test_an_option_wins_over_the_file(repository: Path) -> None:
    (repository / "spectastic.toml").write_text('jobs = 2\nexclude = ["old"]\nfail-on = "info"\n')
    found = settings("--exclude", "new")
    assert (found.exclude, found.fail_on, found.jobs) == (("new",), Severity.INFO, 2)
    assert settings("--jobs", "auto").jobs == AUTO
    assert settings("--isolated").exclude == ()


def test_paths_and_root(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "docs")
    assert settings(".", "../docs/a.md").paths == ("docs", "docs/a.md")
    assert settings("--root", ".").root == str(repository / "docs")


def test_config_prints_toml_that_can_be_pasted(repository: Path, capsys: Capture) -> None:
    (repository / "spectastic.toml").write_text('\nexclude = ["old"]\n')
    arguments = [
        *("config", "docs", "--severity", "corpus-orphan=info", "--ignore", "corpus-license"),
        *("--per-path-ignores", 'a"b\x1b=corpus-orphan'),
    ]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[:2] == [f"# root: {repository} (spectastic.toml)", "# paths: docs"]
    assert 'exclude = ["old"] # spectastic.toml:2' in lines
    assert 'jobs = "auto" # default' in lines
    read = tomllib.loads(out)
    assert read["exclude"] == ["old"]
    assert read["severity"] == {"corpus-orphan": "info"}
    assert read["ignore"] == ["corpus-license"]
    assert read["per-path-ignores"] == {'a"b\x1b': ["corpus-orphan"]}
    (repository / "spectastic.toml").write_text(out)
    assert main(["config"]) == 0, "and it is"


def test_config_as_json(repository: Path, capsys: Capture) -> None:
    arguments = ["--severity", "corpus-orphan=info", "--per-path-ignores", "a=corpus-orphan"]
    assert main(["config", "--json", *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["version", "root", "paths", "settings"]
    assert document["root"] == {"value": str(repository), "origin": "git"}
    entries = document["settings"]
    assert entries["severity"] == {"value": {"corpus-orphan": "info"}, "origin": "--severity"}
    assert entries["per-path-ignores"] == {"value": {"a": ["corpus-orphan"]}, "origin": "--per-path-ignores"}
    assert entries["fail-on"] == {"value": "error", "origin": "default"}
    assert entries["skip-folders"]["value"] == ["archive", "withdrawn"]
    assert entries["jobs"] == {"value": "auto", "origin": "default"}


def test_config_as_json_with_a_number_of_jobs(capsys: Capture) -> None:
    assert main(["config", "--json", "--jobs", "3"]) == 0
    entries = json.loads(capsys.readouterr().out)["settings"]
    assert entries["jobs"] == {"value": 3, "origin": "--jobs"}


def test_config_of_a_broken_file(repository: Path, capsys: Capture) -> None:
    (repository / "spectastic.toml").write_text("exclude = 3\n")
    assert main(["config"]) == 2
    assert "spectastic.toml:1" in capsys.readouterr().err
