"""Whether the corpus stands still: a command may be changing its files while they are read."""

from __future__ import annotations

import os
from time import sleep

#: What a command leaves in the corpus folder for as long as it changes files.
JOURNAL = ".spectastic/journal.json"

#: How long to wait for a change to be done, and how often to look, in seconds.
_PATIENCE = 0.5
_PAUSE = 0.02


def mark(root: str, folder: str) -> tuple[int, int]:
    """What is another one once a command has changed the corpus, or has begun to: two times, 0 for none.

    Each change puts its drafts and its journal into one folder, and takes them out again.
    """
    journal = os.path.join(root, folder, JOURNAL)
    return _changed(os.path.dirname(journal)), _changed(journal)


def settled(root: str, folder: str) -> tuple[int, int]:
    """The mark once no change is going on. One that takes long, or was interrupted, is not waited for."""
    found = mark(root, folder)
    waited = 0.0
    while found[1] and waited < _PATIENCE:
        sleep(_PAUSE)
        waited += _PAUSE
        found = mark(root, folder)
    return found


def _changed(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return 0
