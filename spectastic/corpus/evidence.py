"""What another checkout needs in order to have a file: the file itself, and the links on the way to it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: A way with more steps, each one a folder or a link, leads nowhere.
_MAX_STEPS = 1000


def untracked(root: str, path: str, tracked: Collection[str]) -> tuple[str, ...]:
    """Of a file and the links on the way to it, those that `tracked` (as `git.tracked` has it) lacks.

    `path` is relative to `root`, and so are the answers.
    """
    return tuple(item for item in _way(root, path) if not _is_tracked(item, tracked))


def _is_tracked(path: str, tracked: Collection[str]) -> bool:
    """Whether git has a path, or a submodule that it is in."""
    parts = path.split("/")
    return path in tracked or any("/".join((*parts[:end], "")) in tracked for end in range(1, len(parts)))


def _way(root: str, path: str) -> Iterator[str]:
    """The links on the way to a file, in order, and the file that they lead to."""
    top = os.path.realpath(root)
    place = top
    waiting = list(reversed(path.split("/")))
    for _ in range(_MAX_STEPS):
        if not waiting:
            break
        here = os.path.normpath(os.path.join(place, waiting.pop()))
        if not os.path.islink(here):
            place = here
            continue
        yield _relative(here, top)
        target = os.readlink(here)
        if os.path.isabs(target):
            place = os.path.realpath(os.path.join(here, *reversed(waiting)))
            break
        waiting += reversed(target.replace(os.sep, "/").split("/"))
    yield _relative(place, top)


def _relative(path: str, top: str) -> str:
    return os.path.relpath(path, top).replace(os.sep, "/")
