"""A corpus that a command changes while it is read."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from trees import tree

from spectastic import engine
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.corpus import steady
from spectastic.curate import transaction
from spectastic.curate.plan import FileChange, Plan
from spectastic.engine import pipeline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from spectastic.engine.pipeline import Progress, Run, Setup

Capture = pytest.CaptureFixture[str]

DOCUMENT = "knowledge/web/references/001-x.md"
OLD, NEW = (
    {
        "knowledge/index.md": HEADER + row(1, edition, "web/references/001-x.md"),
        DOCUMENT: document(edition=edition),
    }
    for edition in ("1", "2")
)


def change(root: Path, before: dict[str, str], after: dict[str, str]) -> None:
    plan = Plan(tuple(FileChange(path, before[path].encode(), after[path].encode()) for path in before))
    with transaction.locked(str(root), "knowledge"):
        transaction.commit(str(root), "knowledge", plan)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tree(tmp_path, {**OLD, "specs/a.md": "<spec-decision>\n\nX, KB-0001@2.\n\n</spec-decision>\n"})


def meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[int], None]) -> list[int]:
    """Do something each time that all has been read; gives how often that was."""
    seen: list[int] = []
    real = pipeline.check

    def check(setup: Setup, progress: Progress | None = None) -> Run:
        run = real(setup, progress)
        seen.append(len(seen))
        act(len(seen))
        return run

    monkeypatch.setattr(engine, "check", check)
    return seen


def test_what_changed_meanwhile_is_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = meanwhile(monkeypatch, lambda time: change(root, OLD, NEW) if time == 1 else None)
    report = engine.validate(Settings(root=str(root)))
    assert len(seen) == 2
    assert "corpus-provenance" not in {finding.rule for finding in report.findings}


def test_what_stands_still_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(root, OLD, NEW)
    seen = meanwhile(monkeypatch, lambda _: None)
    engine.validate(Settings(root=str(root)))
    assert len(seen) == 1


@pytest.mark.parametrize("option", [(), ("--fix",), ("--baseline", "b", "--write-baseline")])
def test_what_never_stands_still(
    option: tuple[str, ...], root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(root)
    editions = [OLD, NEW]
    seen = meanwhile(monkeypatch, lambda time: change(root, editions[time % 2 - 1], editions[time % 2]))
    assert main(["validate", *option]) == 2
    out, err = capsys.readouterr()
    assert len(seen) == 5
    assert out == ""
    assert "error: knowledge was being changed each of the 5 times that it was read\n" in err


def test_a_change_that_is_nearly_done_is_waited_for(root: Path) -> None:
    journal = root / "knowledge" / steady.JOURNAL
    tree(root, {f"knowledge/{steady.JOURNAL}": "{}"})
    timer = threading.Timer(0.05, journal.unlink)
    timer.start()
    found = steady.settled(str(root), "knowledge")
    timer.join()
    assert found == steady.mark(str(root), "knowledge")
    assert found[1] == 0


def test_a_change_that_was_interrupted_is_not_waited_for_long(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    naps: list[float] = []
    monkeypatch.setattr(steady, "sleep", naps.append)
    tree(root, {f"knowledge/{steady.JOURNAL}": "{}"})
    monkeypatch.chdir(root)
    assert main(["validate", "--format", "concise"]) == 1
    assert 0 < sum(naps) < 1
    assert "a change of the corpus was interrupted, or is being made now" in capsys.readouterr().out
    assert main(["corpus", "list"]) == 0
    assert "not all of it is there" in capsys.readouterr().err


def test_a_mark_tells_changes_apart(root: Path) -> None:
    assert steady.mark(str(root), "knowledge") == (0, 0)
    change(root, OLD, NEW)
    first = steady.mark(str(root), "knowledge")
    time.sleep(0.02)
    change(root, NEW, OLD)
    assert 0 not in (first[0], steady.mark(str(root), "knowledge")[0])
    assert steady.mark(str(root), "knowledge") != first
