"""The files that tell git what to ignore: `.gitignore` in each folder, and `.git/info/exclude`.

Git looks from the top of its working tree on, and so does this: the root may lie deeper.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.config.place import git_top, upward
from spectastic.discover.names import encode
from spectastic.source import Unreadable, read

if TYPE_CHECKING:
    from spectastic.discover.patterns import Patterns

_MAX_POINTER = 4096


class Layer(NamedTuple):
    """The patterns of one file. They speak of paths with `prefix` and without their first `start` bytes."""

    start: int
    prefix: bytes
    patterns: Patterns
    source: str

    def verdict(self, path: bytes, name: bytes, folder: bool) -> bool | None:
        """What the patterns say of a path relative to the root, see `Patterns.verdict`."""
        return self.patterns.verdict(self.prefix + path[self.start :], name, folder)


def above(root: str) -> tuple[Layer | Unreadable, ...]:
    """The patterns that come from above the root, deepest first; none outside git.

    They stand in the `.gitignore` of each folder from the root's parent up to the top of the
    working tree, and in `.git/info/exclude`.
    """
    top = git_top(root)
    if not top:
        return ()
    layers: list[Layer | Unreadable] = []
    for depth, folder in enumerate(upward(root, top)):
        here = depth > 0 and os.path.lexists(os.path.join(folder, ".gitignore"))
        found = of_folder(folder, ".") if here else None
        if isinstance(found, Unreadable):
            layers.append(found._replace(path="../" * depth + found.path))
        elif found is not None:
            layers.append(found._replace(prefix=_prefix(root, folder)))
    exclude = _of_repository(top)
    return (*layers, *(layer._replace(prefix=_prefix(root, top)) for layer in exclude))


def _prefix(root: str, folder: str) -> bytes:
    """What paths relative to the root have before them when they are relative to `folder` above it."""
    path = os.path.relpath(root, folder).replace(os.sep, "/")
    return b"" if path == "." else encode(f"{path}/")


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
    return Layer(start, b"", patterns, ".gitignore") if patterns else None


def _of_repository(top: str) -> tuple[Layer, ...]:
    """The patterns of `.git/info/exclude`, in worktrees and submodules too."""
    folder = _git_folder(top)
    if not folder:
        return ()
    source = read(folder, "info/exclude")
    if isinstance(source, Unreadable):
        return ()
    from spectastic.discover.patterns import from_file

    patterns = from_file(source.data)
    return (Layer(0, b"", patterns, ".git/info/exclude"),) if patterns else ()


def _git_folder(top: str) -> str:
    """The folder with `info/` in it: `.git`, or where the file `.git` points; "" where that is nowhere."""
    marker = os.path.join(top, ".git")
    if os.path.isdir(marker):
        return marker
    pointer = _line(marker)
    if not pointer.startswith("gitdir:"):
        return ""
    folder = os.path.join(top, pointer.removeprefix("gitdir:").strip())
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
