"""The progress bar: not before a second, not where nobody looks, and gone afterwards."""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spectastic.cli import main, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SETTLEMENT = Path(__file__).parent.parent / "fixtures" / "repos" / "settlement"

WANTED = [
    ({}, True, True),
    ({}, False, False),
    ({"CI": "true"}, True, False),
    ({"CI": "1"}, True, False),
    ({"CI": "false"}, True, True),
    ({"CI": ""}, True, True),
    ({"TERM": "dumb"}, True, False),
]


@pytest.mark.parametrize(("env", "terminal", "expected"), WANTED)
def test_wanted(env: dict[str, str], terminal: bool, expected: bool) -> None:
    assert progress.wanted(env, terminal) is expected


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def times(*seconds: float) -> Iterator[float]:
    yield from seconds


def screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    # Called by the test itself: between a fixture and its test, pytest takes stderr back.
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return stream


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = screen(monkeypatch)
    clock = times(0, 0.5, 0.99)
    bar = progress.Bar(clock=lambda: next(clock))
    bar(1, 100)
    bar(100, 100)
    bar.close()
    assert shown.getvalue() == ""


def test_a_long_run_shows_how_far_it_is_and_clears_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = screen(monkeypatch)
    clock = times(0, 0.5, 1.2, 1.25, 1.4)
    bar = progress.Bar(color=False, clock=lambda: next(clock))
    for done in (1, 20, 30, 40):
        bar(done, 400)
    assert "20/400" in shown.getvalue()
    assert "40/400" in shown.getvalue()
    assert "30/400" not in shown.getvalue(), "not more often than ten times a second"
    bar.close()
    assert shown.getvalue().endswith("\x1b[2K"), "the line is erased"
    bar.close()


@pytest.mark.parametrize(
    ("command", "label", "total"), [("explore", "Building", 9), ("render", "Rendering", 6)]
)
def test_pages_show_how_far_they_are(
    command: str, label: str, total: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, int, int]] = []

    @contextmanager
    def during(what: str) -> Iterator[Callable[[int, int], None]]:
        yield lambda done, of: told.append((what, done, of))

    monkeypatch.setattr(progress, "during", during)
    assert main([command, "--root", str(SETTLEMENT), "--out", str(tmp_path / "x")]) == 0
    # Six specs, and for the explorer three references.
    assert told[-1] == (label, total, total)
