"""The files that tell git what to ignore: `.gitignore` in each folder, and `.git/info/exclude`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.discover.names import encode
from spectastic.source import Unreadable, read

if TYPE_CHECKING:
    from spectastic.discover.patterns import Patterns

_MAX_POINTER = 4096


class Layer(NamedTuple):
    """The patterns of one file; they speak of paths without their first `start` bytes."""

    start: int
    patterns: Patterns
    source: str


def of_folder(root: str, folder: str) -> Layer | Unreadable | None:
    """The patterns of the `.gitignore` in a folder; None where git does not look at it either."""
    path = ".gitignore" if folder == "." else f"{folder}/.gitignore"
    file = os.path.join(root, path)
    # Git follows no link there: it could lead anywhere.
    if os.path.islink(file) or os.path.isdir(file):
        return None
    source = read(root, path)
    if isinstance(source, Unreadable):
        return source
    # Imported here: most runs on one file look at no .gitignore.
    from spectastic.discover.patterns import MAX_PATTERNS, from_file

    patterns = from_file(source.data)
    if patterns is None:
        return Unreadable(
            path, f"more than {MAX_PATTERNS:,} patterns, so none is applied", "shorten the file"
        )
    start = 0 if folder == "." else len(encode(folder)) + 1
    return Layer(start, patterns, ".gitignore") if patterns else None


def of_repository(root: str) -> tuple[Layer, ...]:
    """The patterns of `.git/info/exclude`, in worktrees and submodules too; none outside git."""
    folder = _git_folder(root)
    if not folder:
        return ()
    source = read(folder, "info/exclude")
    if isinstance(source, Unreadable):
        return ()
    from spectastic.discover.patterns import from_file

    patterns = from_file(source.data)
    return (Layer(0, patterns, ".git/info/exclude"),) if patterns else ()


def _git_folder(root: str) -> str:
    """The folder with `info/` in it: `.git`, or where the file `.git` points; "" outside git."""
    marker = os.path.join(root, ".git")
    if os.path.isdir(marker):
        return marker
    pointer = _line(marker)
    if not pointer.startswith("gitdir:"):
        return ""
    folder = os.path.join(root, pointer.removeprefix("gitdir:").strip())
    # A linked worktree has a folder of its own and shares `info/` with the others.
    return os.path.join(folder, _line(os.path.join(folder, "commondir")))


def _line(path: str) -> str:
    """The first line of a small file, "" if there is none."""
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_POINTER)
    except OSError:
        return ""
    return os.fsdecode(data.split(b"\n", 1)[0]).rstrip("\r")
