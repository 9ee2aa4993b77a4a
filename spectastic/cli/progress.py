"""A progress bar on stderr, for runs that take long enough to wonder about."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.ci import in_ci

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Mapping

    from rich.progress import Progress, TaskID

DELAY = 1.0
INTERVAL = 0.1


def wanted(env: Mapping[str, str], terminal: bool) -> bool:
    """Whether a bar makes sense: on a terminal that can draw one, and not in a CI log."""
    return terminal and env.get("TERM") != "dumb" and not in_ci(env)


class Bar:
    """Called with (done, total); shows itself after a second, and is gone after `close`."""

    __slots__ = ("_bar", "_begin", "_clock", "_color", "_label", "_shown", "_task")

    def __init__(
        self, color: bool = True, clock: Callable[[], float] = monotonic, label: str = "Checking"
    ) -> None:
        self._clock = clock
        self._label = label
        self._color = color
        self._begin = clock()
        self._shown = self._begin
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        """Note that `done` of `total` files are through."""
        now = self._clock()
        if self._bar is None:
            if now - self._begin < DELAY:
                return
            self._open(total)
        elif now - self._shown < INTERVAL:
            return
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, refresh=True)
        self._shown = now

    def _open(self, total: int) -> None:
        # Takes longer to import than a short run takes as a whole.
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn(self._label), BarColumn(), MofNCompleteColumn())
        console = Console(stderr=True, no_color=not self._color)
        self._bar = Progress(
            *columns,
            console=console,
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("", total=total)
        self._bar.start()

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


@contextmanager
def shown(options: Namespace) -> Iterator[Bar | None]:
    """A bar for as long as something runs, where one is wanted."""
    if options.quiet or options.no_progress:
        yield None
    else:
        with during("Checking", options.color) as bar:
            yield bar


@contextmanager
def during(label: str, color: str = "auto") -> Iterator[Bar | None]:
    """A bar for as long as something runs, if somebody may see it; `color` is when to colour it."""
    if not wanted(os.environ, streams.is_terminal(sys.stderr)):
        yield None
        return
    bar = Bar(color=streams.wants_color(color, os.environ, terminal=True), label=label)
    try:
        yield bar
    finally:
        bar.close()
