"""Ending a command at every point at which it writes, as a crash or `kill -9` would."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

from spectastic import write
from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

#: What may stay in `.spectastic/` when nothing is going on.
AT_REST = {".gitignore", "lock"}


def files(root: Path) -> dict[str, bytes]:
    """Every file below a folder, without `.spectastic` and `.git`."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not {".spectastic", ".git"} & {*path.relative_to(root).parts}
    }


def run(root: Path, argv: Sequence[str], kill_at: int = 0) -> int:
    """Run a command in a process of its own, in `root`; it ends at the n-th step of `write`.

    Gives its exit code, or -9 where it was killed.
    """
    child = os.fork()
    if child == 0:
        _be_the_command(root, argv, kill_at)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _be_the_command(root: Path, argv: Sequence[str], kill_at: int) -> None:
    steps = 0

    def step(_: str) -> None:
        nonlocal steps
        steps += 1
        if steps == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    code = 70
    try:
        write.step = step
        os.chdir(root)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        code = main(argv)
    finally:
        os._exit(code)


def kill_everywhere(root: Path, argv: Sequence[str], check: Callable[[Path], None]) -> int:
    """Kill a command at every point at which it writes, and run it again; how many points there are.

    `root` is the repository before the command, and stays as it is: `argv` names files relative to it, or
    absolute ones outside. Checked for each point: after the kill all files of the repository are old, or
    all are new, or `validate` says that a change was interrupted; after the second run, whatever its exit
    code, they are what an undisturbed run makes of them, nothing else is left, and `check` is content.
    """
    work = root.with_name(f"{root.name}.crash")
    old = files(root)
    _fresh(root, work)
    assert run(work, argv) == 0
    new = files(work)
    assert new != old, "the command writes nothing"
    check(work)
    for point in range(1, 10_000):
        _fresh(root, work)
        code = run(work, argv, point)
        if code != -signal.SIGKILL:
            assert (code, files(work)) == (0, new)
            return point - 1
        journal = list(work.rglob(".spectastic/journal.json"))
        if journal:
            assert _says_so(work), f"validate says nothing at point {point}"
        else:
            assert _without_litter(files(work)) in (old, new), f"neither old nor new at point {point}"
        again = run(work, argv)
        assert again in (0, 2), f"exit code {again} after point {point}"
        assert files(work) == new, f"not recovered after point {point}"
        for home in work.rglob(".spectastic"):
            assert {path.name for path in home.iterdir()} == AT_REST, f"litter after point {point}"
        check(work)
    raise AssertionError("it never ends")


def _fresh(root: Path, work: Path) -> None:
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(root, work, symlinks=True)


def _without_litter(found: dict[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in found.items() if not path.endswith(".tmp")}


def _says_so(root: Path) -> bool:
    from spectastic.config import Settings
    from spectastic.engine import validate

    findings = validate(Settings(root=str(root), select=("corpus-registry",))).findings
    return any("was interrupted" in finding.message for finding in findings)
