"""Whether anything changed that the explorer shows, found out without reading a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.discover import discover

if TYPE_CHECKING:
    from collections.abc import Hashable

    from spectastic.config import Settings

#: What a command writes in the corpus while it works.
_WORK = ".spectastic"


def signature(settings: Settings) -> Hashable:
    """What is another value once a spec, or anything in the corpus folder, is new, gone or changed.

    Raises `discover.NothingMatches`.
    """
    found = discover(settings)
    specs = [(path, _mark(os.path.join(settings.root, path))) for path in found.specs]
    return tuple(specs), found.unreadable, tuple(_below(os.path.join(settings.root, settings.corpus)))


def _below(folder: str) -> list[tuple[str, tuple[int, ...]]]:
    """Every file below a folder, with its mark."""
    marks = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != _WORK]
        marks += [(path, _mark(path)) for name in files for path in (os.path.join(place, name),)]
    return sorted(marks)


def _mark(path: str) -> tuple[int, ...]:
    """What differs between two states of a file; () for one that cannot be looked at."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    # A program can set the time of a change back, but not that of the entry.
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
