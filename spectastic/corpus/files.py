"""Where the files of a corpus are: on disk, or, behind the same questions, in a commit.

Paths are relative to the repository root, with `/`, and come from listings alone: none is built out
of what a document says.
"""

from __future__ import annotations

import errno
import os
import stat
from enum import Enum
from typing import TYPE_CHECKING

from spectastic.source import read, reason

if TYPE_CHECKING:
    from spectastic.source import Source, Unreadable


class Kind(Enum):
    """What a path leads to."""

    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    MISSING = "missing"
    OUTSIDE = "outside"
    UNREADABLE = "unreadable"


#: What is said of a link that cannot be followed to the end, or must not be.
CIRCLE = "it is a symbolic link that leads in a circle"
NOWHERE = "it is a symbolic link that leads nowhere"
OUTSIDE = "it is a symbolic link that leads outside"


def plain(folder: str) -> tuple[list[str], bool]:
    """The components of a folder's path, and whether that stays inside of the repository."""
    parts = [part for part in folder.replace(os.sep, "/").split("/") if part not in ("", ".")]
    return parts, not os.path.isabs(folder) and ".." not in parts


class Disk:
    """The files of the repository at `root`, as they are now: `Files`, on disk."""

    __slots__ = ("_real", "root")

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)
        self._real: dict[str, str] = {}

    def entries(self, folder: str) -> tuple[dict[str, Kind | None], str]:
        """As in `Files`."""
        kinds: dict[str, Kind | None] = {}
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        kinds[entry.name] = None
                    elif entry.is_file(follow_symlinks=False):
                        kinds[entry.name] = Kind.FILE
                    else:
                        kinds[entry.name] = Kind.FOLDER if entry.is_dir(follow_symlinks=False) else Kind.OTHER
        except OSError as error:
            return {}, f"it cannot be listed: {reason(error)}"
        return kinds, ""

    def led(self, path: str, inside: str) -> tuple[Kind, str]:
        """As in `Files`."""
        try:
            real = os.path.realpath(os.path.join(self.root, path), strict=True)
            mode = os.stat(real).st_mode
        except OSError as error:
            return Kind.UNREADABLE, CIRCLE if error.errno == errno.ELOOP else NOWHERE
        if inside not in self._real:
            self._real[inside] = os.path.realpath(os.path.join(self.root, inside)).rstrip(os.sep)
        if not f"{real}{os.sep}".startswith(f"{self._real[inside]}{os.sep}"):
            return Kind.OUTSIDE, OUTSIDE
        return _KINDS.get(stat.S_IFMT(mode), Kind.OTHER), ""

    def is_folder(self, path: str) -> bool:
        """As in `Files`."""
        return os.path.isdir(os.path.join(self.root, path))

    def is_readable(self, path: str) -> bool:
        """As in `Files`."""
        return os.access(os.path.join(self.root, path), os.R_OK)

    def read(self, path: str) -> Source | Unreadable:
        """As in `Files`."""
        return read(self.root, path)


_KINDS = {stat.S_IFREG: Kind.FILE, stat.S_IFDIR: Kind.FOLDER}
