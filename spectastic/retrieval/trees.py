"""Where prior art is read from: the disk as it is now, or, behind the same questions, a commit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from spectastic.discover.walk import TOOL_FOLDERS
from spectastic.retrieval import listing
from spectastic.retrieval.listing import Listing
from spectastic.retrieval.model import Kind
from spectastic.source import MAX_BYTES, Unreadable, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Tree(Protocol):
    """Files of one repository. Paths are relative to its root, with `/`."""

    def home(self, folder: str) -> str | Unreadable:
        """A prior-art folder with links followed, or why it cannot be one; it need not be there."""
        ...

    def listed(self, home: str, kind: Kind) -> Listing:
        """The documents of one corpus below a folder that `home` gave."""
        ...

    def files(self) -> Iterable[str]:
        """Every file, in order; links, git's own files and those of tools are none."""
        ...

    def read(self, path: str) -> bytes | Unreadable:
        """What a file holds."""
        ...


class Disk:
    """The repository at `root`, as it is now."""

    __slots__ = ("_real", "_root")

    def __init__(self, root: str) -> None:
        self._root = root
        self._real = os.path.join(os.path.realpath(root), "")

    def home(self, folder: str) -> str | Unreadable:
        """As in `Tree`."""
        return listing.home(self._root, folder)

    def listed(self, home: str, kind: Kind) -> Listing:
        """As in `Tree`."""
        return listing.listed(self._root, home, kind)

    def files(self) -> Iterable[str]:
        """As in `Tree`."""
        found: list[str] = []
        stack = [""]
        while stack:
            folder = stack.pop()
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    for entry in entries:
                        if entry.is_file(follow_symlinks=False):
                            found.append(folder + entry.name)
                        elif entry.is_dir(follow_symlinks=False) and entry.name not in _PASSED:
                            stack.append(f"{folder}{entry.name}/")
            except OSError:
                continue  # a setting that finds no file there says so
        return sorted(found, key=os.fsencode)

    def read(self, path: str) -> bytes | Unreadable:
        """As in `Tree`."""
        if not os.path.realpath(os.path.join(self._root, path)).startswith(self._real):
            return Unreadable(path, "this link leads outside of the repository", "put a copy in its place")
        return read_bytes(self._root, path, MAX_BYTES)


_PASSED = TOOL_FOLDERS | {".git", ".hg", ".svn"}


class Snapshot:
    """What a commit has: `paths` are its files, `contents` gives what one of them holds."""

    __slots__ = ("_contents", "_paths")

    def __init__(self, paths: Iterable[str], contents: Callable[[str], bytes]) -> None:
        self._paths = sorted(paths, key=os.fsencode)
        self._contents = contents

    def home(self, folder: str) -> str | Unreadable:
        """As in `Tree`; a commit has no links that lead anywhere."""
        return folder

    def listed(self, home: str, kind: Kind) -> Listing:
        """As in `Tree`."""
        prefix = f"{home}/{listing.FOLDERS[kind]}/"
        rests = [path[len(prefix) :] for path in self._paths if path.startswith(prefix)]
        return Listing(tuple(prefix + rest for rest in rests if _is_document(rest, kind)))

    def files(self) -> Iterable[str]:
        """As in `Tree`."""
        return self._paths

    def read(self, path: str) -> bytes | Unreadable:
        """As in `Tree`."""
        return self._contents(path)


def _is_document(rest: str, kind: Kind) -> bool:
    folder, _, name = rest.rpartition("/")
    if rest.startswith(".") or "/" in folder:
        return False
    if kind is Kind.SPEC:
        return folder != "" and name == listing.REQUIREMENT
    return folder == "" and name.endswith(".md")
