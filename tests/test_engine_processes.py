"""Many specs, and the processes that check them: however the work is done, the report is the same."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, row
from test_engine import decision, fact, on_linux, told
from trees import Link, tree

from spectastic import engine
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.engine import pipeline
from spectastic.findings import Severity
from spectastic.rules import corpus_provenance

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.engine import Report

MANY = 130
#: All but the links to nowhere are looked at; all but the one that is too large can be read.
FILES = 113
READ = 112


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More specs than one process takes at a time, some of them in trouble."""
    kinds: list[str | bytes | Link] = [
        decision("KB-0001@1 é KB-0001@0 KB-0009@1"),
        decision("KB-0001 kb-0001@1"),
        "Loose: KB-0007@1\n",
        b"\xfe\xff",
        decision("Nothing.") + "<spec-decision>\n",
        "<!doctype html>\n<spec-decision><p>KB-0001@0</p></spec-decision>\n",
        Link("nowhere"),
    ]
    files: dict[str, str | bytes | Link | None] = {}
    for number in range(MANY):
        kind = kinds[number % len(kinds)]
        html = isinstance(kind, str) and kind.startswith("<!")
        files[f"s{number % 3}/Ä{number:03d}.{'html' if html else 'md'}"] = kind
    files["knowledge/index.md"] = HEADER + row(1, "1", "web/references/001-x.md")
    files["knowledge/web/references/001-x.md"] = fact()
    files["knowledge/web/references/superseded/001-x@0.md"] = fact(edition="0", status="superseded")
    root = tree(tmp_path_factory.mktemp("crowd"), files)
    with open(root / "large.md", "wb") as large:
        large.truncate(20_000_001)
    return root


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number for each process that is started."""
    started: list[int] = []
    fork = os.fork

    def counted() -> int:
        started.append(len(started))
        return fork()

    monkeypatch.setattr(os, "fork", counted)
    return started


def plain(report: Report) -> Report:
    """A report without the settings that led to it."""
    return report._replace(settings=Settings(""))


@on_linux
@pytest.mark.parametrize("given", [{}, {"citation_scope": "document", "ignore": ("decision-markup",)}])
def test_processes_change_nothing(given: dict[str, Any], crowd: Path, forks: list[int]) -> None:
    alone = engine.validate(Settings(str(crowd), jobs=1, **given))
    assert not forks
    assert alone.specs == READ
    assert "large.md:1:1 error file-unreadable" in told(alone)
    assert {finding.severity for finding in alone.findings} == set(Severity)
    for jobs, started in ((2, 2), (3, 3), (256, 3)):
        forks.clear()
        assert plain(engine.validate(Settings(str(crowd), jobs=jobs, **given))) == plain(alone)
        assert len(forks) == started


@on_linux
def test_the_order_of_arguments_changes_nothing(crowd: Path) -> None:
    whole = engine.validate(Settings(str(crowd), jobs=1, ignore=("corpus-integrity",)))
    paths = [f"{folder}/{name}" for folder in ("s0", "s1", "s2") for name in os.listdir(crowd / folder)]
    paths.append("large.md")
    for seed in range(3):
        random.Random(seed).shuffle(paths)
        given = tuple(paths) + tuple(paths[:9])
        report = engine.validate(Settings(str(crowd), paths=(*given, "knowledge"), jobs=2))
        assert plain(report) == plain(whole)


#: jobs (0: automatic), specs, from how many on it is automatic, processors -> processes
CHOICES = [
    (0, 51, 1000, 2, 0),
    (0, 51, 51, 2, 2),
    (0, 51, 51, 1, 0),
    (2, 50, 1, 8, 0),
    (2, 51, 1000, 8, 2),
    (9, 51, 1000, 8, 2),
]


@on_linux
@pytest.mark.parametrize(("jobs", "specs", "automatic", "available", "expected"), CHOICES)
def test_how_many_processes(
    jobs: int,
    specs: int,
    automatic: int,
    available: int,
    expected: int,
    tmp_path: Path,
    forks: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "PARALLEL_FROM", automatic)
    monkeypatch.setattr(pipeline, "processors", lambda: available)
    root = tree(tmp_path, {f"{number}.md": "" for number in range(specs)})
    assert engine.validate(Settings(str(root), jobs=jobs)).specs == specs
    assert len(forks) == expected


@on_linux
def test_where_work_cannot_be_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forks: list[int]
) -> None:
    monkeypatch.setattr(pipeline, "possible", lambda: False)
    root = tree(tmp_path, {f"{number}.md": "" for number in range(60)})
    assert engine.validate(Settings(str(root), jobs=2)).specs == 60
    assert not forks


def _fails(*_: object) -> None:
    raise ValueError("boom")


@on_linux
def test_a_rule_that_fails_in_a_worker(
    crowd: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corpus_provenance, "check", _fails)
    monkeypatch.chdir(crowd)
    assert main(["validate", "--jobs", "2", "--root", "."]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[0] == "spectastic: error: RuntimeError: ValueError: boom"
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress(jobs: int, crowd: Path) -> None:
    calls: list[tuple[int, int]] = []
    engine.validate(Settings(str(crowd), jobs=jobs), lambda done, total: calls.append((done, total)))
    assert {total for _, total in calls} == {FILES}
    assert calls == sorted(set(calls))
    assert calls[-1] == (FILES, FILES)
    assert len(calls) == 3
    calls.clear()
    engine.validate(Settings(str(crowd), paths=("knowledge",)), lambda *call: calls.append(call))
    assert calls == []


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_callback_ends_the_run(jobs: int, error: type[BaseException], crowd: Path) -> None:
    def stop(*_: object) -> None:
        raise error

    with pytest.raises(error):
        engine.validate(Settings(str(crowd), jobs=jobs), stop)


@on_linux
def test_seeds_locales_and_time_zones_change_nothing(crowd: Path) -> None:
    environments = (
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns"},
    )
    shown = set()
    for number, environment in enumerate(environments, 1):
        done = subprocess.run(
            [sys.executable, "-m", "spectastic", "validate", "--format", "json", "--jobs", str(number)],
            cwd=crowd,
            env=os.environ | environment,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, b"")
        shown.add(done.stdout)
    assert len(shown) == 1
    assert shown.pop().count(b"corpus-provenance") > 15
