"""The sample repositories: what a run finds in each of them is written beside it, all of it, in order."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOS = Path(__file__).parent.parent / "fixtures" / "repos"
NAMES = sorted(path.name for path in REPOS.iterdir())
LINE = re.compile(r"(?P<path>[^: ]+):(?P<line>[0-9]+):(?P<column>[0-9]+): (?P<severity>\w+) (?P<rule>[\w-]+)")

Capture = pytest.CaptureFixture[str]


def expected(name: str) -> list[str]:
    return (REPOS / name / "expected.txt").read_text(encoding="utf-8").splitlines()


def exit_code(name: str) -> int:
    return 1 if any(" error " in line for line in expected(name)) else 0


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NO_COLOR", "FORCE_COLOR", "SPECTASTIC_DEBUG"):
        monkeypatch.delenv(variable, raising=False)


def test_there_are_a_clean_one_and_one_that_is_not() -> None:
    assert [] in map(expected, NAMES)
    assert 1 in map(exit_code, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_found(name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(REPOS / name)
    code = main(["validate", "--format", "concise", "--quiet"])
    out, err = capsys.readouterr()
    found = out.splitlines()
    assert [match[0] for match in map(LINE.match, found) if match] == expected(name)
    assert len(found) == len(expected(name))
    assert (code, err) == (exit_code(name), "")


@pytest.mark.parametrize("name", NAMES)
def test_every_format_tells_the_same(name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(REPOS / name)
    for options in (["--format", "full"], ["--format", "json"], ["--format", "json", "--jobs", "2"]):
        assert main(["validate", "--quiet", *options]) == exit_code(name)
        out, err = capsys.readouterr()
        told = (
            _from_json(out) if "json" in options else (line for line in out.splitlines() if LINE.match(line))
        )
        assert [match[0] for match in map(LINE.match, told) if match] == expected(name)
        assert err == ""


def _from_json(text: str) -> Iterator[str]:
    for finding in json.loads(text)["findings"]:
        yield "{path}:{line}:{column}: {severity} {rule}".format_map(finding)


@pytest.mark.parametrize("name", NAMES)
def test_from_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    def told() -> list[str]:
        return [match[0] for match in map(LINE.match, capsys.readouterr().out.splitlines()) if match]

    monkeypatch.chdir(REPOS / name / "specs")
    assert main(["validate", "--format", "concise"]) == exit_code(name), "from a folder below"
    below = [
        line.removeprefix("specs/") if line.startswith("specs/") else f"../{line}" for line in expected(name)
    ]
    assert told() == below
    monkeypatch.chdir(tmp_path)
    assert main(["validate", "--format", "concise", str(REPOS / name)]) == exit_code(name), "by its path"
    assert [line[line.index(f"/{name}/") + len(name) + 2 :] for line in told()] == expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_specs_alone(name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(REPOS / name)
    main(["validate", "--format", "concise", "--quiet", "specs"])
    told = [match[0] for match in map(LINE.match, capsys.readouterr().out.splitlines()) if match]
    assert told == [line for line in expected(name) if line.startswith("specs/")]
