"""Files that somebody named on the command line, or in an option."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from spectastic.source import Source, Unreadable


def source(path: str) -> Source:
    """A file that was named on the command line, at most as large as `source.MAX_BYTES`.

    Raises:
        TroubleError: it cannot be read.
    """
    from spectastic.source import MAX_BYTES, Source

    return Source(path, data(path, MAX_BYTES))


def data(path: str, most: int) -> bytes:
    """What a file holds that was named on the command line, at most `most` bytes. Raises as `source`."""
    from spectastic.source import Unreadable, read_bytes

    folder, name = os.path.split(os.path.abspath(path))
    found = read_bytes(folder, name, most)
    if isinstance(found, Unreadable):
        raise TroubleError(f"{path}: {found.message}", _instead(path, found))
    return found


def _instead(path: str, found: Unreadable) -> str:
    """What to do about a file that was named and cannot be read: nobody can exclude that one."""
    if found.too_large:
        return "split it"
    if os.path.isdir(path):
        from spectastic.retrieval.listing import REQUIREMENT

        spec = os.path.join(path, REQUIREMENT)
        return f"name a file, such as {spec}" if os.path.isfile(spec) else "name a file in it"
    return "name a regular file" if found.hint else ""
