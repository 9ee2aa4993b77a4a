"""What git answers, as values."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """What a commit has at a path. `kind` is git's word, `blob` or `commit` (a submodule's)."""

    mode: str
    kind: str
    oid: str
    size: int


class Hunk(NamedTuple):
    """Lines that differ, as a diff without context numbers them: a count of 0 stands behind its start.

    Both sides count lines as `source.Source` does.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int


class Change(NamedTuple):
    """A file of the work tree that is not what a commit has. `base_path` is its path there, if any.

    `hunks` tells which lines differ, and `None` that nobody can say: then all of it does.
    """

    path: str
    base_path: str | None
    hunks: tuple[Hunk, ...] | None
