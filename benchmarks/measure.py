"""Run whole processes and measure them: wall clock, CPU time, and the memory of the process tree."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: How often the memory of a watched process tree is read, in seconds.
POLL = 0.01

#: Python settings of the caller's shell that would slow the measured programs down.
_SLOWING = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONDEVMODE", "PYTHONPROFILEIMPORTTIME")

_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)
#: What `ru_maxrss` counts in: kilobytes, except on macOS.
_UNIT = 1 if sys.platform == "darwin" else 1024


class Command(NamedTuple):
    """A program with its arguments, where it runs, and the exit codes that mean it did its work."""

    arguments: tuple[str, ...]
    folder: str
    accepts: tuple[int, ...] = (0,)


class Sample(NamedTuple):
    """One run: seconds on the wall, seconds of CPU of the process and its children, and bytes.

    `memory` is 0 unless the run was watched.
    """

    wall: float
    cpu: float
    memory: int = 0


class RunError(Exception):
    """A program ended with an exit code that says it did not do its work, so it has no time."""


def run(command: Command, *, watch: bool = False) -> Sample:
    """Run a command to its end, its output thrown away.

    `watch` reads the memory of the process tree along the way. That costs a little time and makes
    the wall clock coarse, so a watched run gives a time only for what takes many seconds.

    Raises:
        RunError: its exit code is none of `command.accepts`.
        OSError: it cannot be started.
    """
    begin = time.perf_counter()
    process = subprocess.Popen(
        command.arguments,
        cwd=command.folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    memory = 0
    ended = 0
    while watch and not ended:
        memory = max(memory, _tree_memory(process.pid))
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not ended:
            time.sleep(POLL)
    if not ended:
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in command.accepts:
        raise RunError(f"{os.path.basename(command.arguments[0])} ended with exit code {process.returncode}")
    if watch:
        memory = max(memory, _reported(usage.ru_maxrss))
    return Sample(wall, usage.ru_utime + usage.ru_stime, memory)


def output(command: Command, *, errors: bool = False) -> str:
    """What a command prints, on a run that is not timed; with `errors`, on standard error too.

    Raises:
        RunError: its exit code is none of `command.accepts`.
        OSError: it cannot be started.
    """
    done = subprocess.run(
        command.arguments,
        cwd=command.folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if errors else subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in command.accepts:
        said = done.stdout if errors else done.stderr
        raise RunError(f"{command.arguments[0]} ended with exit code {done.returncode}: {said[-500:]}")
    return done.stdout


def environment() -> dict[str, str]:
    """The environment that programs are run in.

    Bytecode is kept, as pip does when it installs a package: an untimed run writes what is missing.
    """
    return {name: value for name, value in os.environ.items() if name not in _SLOWING}


def side_by_side(commands: Mapping[str, Command], rounds: int) -> dict[str, list[Sample]]:
    """Every command once in each round, in the same order (A B A B …), after one untimed round.

    The n-th samples of two commands were taken next to each other, so their ratio says more on a
    busy machine than their times do.

    Raises:
        RunError: one of them did not do its work.
    """
    for command in commands.values():
        run(command)
    taken: dict[str, list[Sample]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(run(command))
    return taken


def _reported(maximum: int) -> int:
    """The peak that the system reports, in bytes: of the largest process, not of the tree.

    A program inherits the peak of the one that started it, so what is not above our own says nothing.
    """
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maximum * _UNIT if maximum > own else 0


def _tree_memory(root: int) -> int:
    """The sum of the peaks of all processes of a tree that are alive now, in bytes; 0 without /proc.

    Pages that two processes share count twice: the sum is never less than what the tree needs.
    """
    return sum(_peak(process) for process in _tree(root))


def _tree(root: int) -> Sequence[int]:
    found = [root]
    for process in found:
        try:
            threads = os.listdir(f"/proc/{process}/task")
        except OSError:
            continue
        for thread in threads:
            children = _text(f"/proc/{process}/task/{thread}/children")
            found += [int(child) for child in children.split()]
    return found


def _peak(process: int) -> int:
    match = _PEAK.search(_text(f"/proc/{process}/status"))
    return int(match[1]) * 1024 if match else 0


def _text(path: str) -> str:
    """What a file of /proc says; nothing once its process has gone."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
