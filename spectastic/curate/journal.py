"""The journal of a change: which files it touches, and what each holds before and after. Pure."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

#: The folder below the corpus folder in which a change is prepared. Git does not see it, and neither does
#: a walk through the corpus, but for the journal.
HOME = ".spectastic"
NAME = "journal.json"

DRAFT = re.compile(r"draft-[0-9]+")


class Entry(NamedTuple):
    """One file of a change: the digests of what it held and of what it will hold, "" for no file.

    `draft` is the name of what it will hold, in `HOME`.
    """

    path: str
    before: str
    after: str
    draft: str


class Journal(NamedTuple):
    """A change that is decided."""

    entries: tuple[Entry, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The files of the change."""
        return tuple(entry.path for entry in self.entries)


def write(journal: Journal) -> bytes:
    """The journal as a file."""
    from json import dumps

    document = {"version": 1, "changes": [entry._asdict() for entry in journal.entries]}
    return dumps(document, indent=2).encode() + b"\n"


def read(data: bytes) -> Journal | None:
    """The journal that a file is, `None` for what is none."""
    from json import loads

    try:
        document = loads(data)
        entries = tuple(Entry(**change) for change in document["changes"])
        good = document["version"] == 1 and all(map(_is_good, entries))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return Journal(entries) if good else None


def _is_good(entry: Entry) -> bool:
    if not all(
        isinstance(value, str) and value.isascii() for value in (entry.before, entry.after, entry.draft)
    ):
        return False
    if not isinstance(entry.path, str) or not is_inside(entry.path):
        return False
    return DRAFT.fullmatch(entry.draft) is not None if entry.after else not entry.draft


def is_inside(path: str) -> bool:
    """Whether a change may touch a path, as it is written: a file of the repository, and none of git's."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    odd = {_folded(part) for part in path.split("/")} & {"", ".git", "git~1"} or "\\" in path or "\0" in path
    return not odd and not re.match(r"[A-Za-z]:", path)


def _folded(name: str) -> str:
    """A name as the file system sees it that looks at it least: some ignore case, some what cannot be seen.

    Windows takes dots and blanks off its end, and what follows a colon for a part of the same file.
    """
    return "".join(filter(str.isprintable, name)).lower().partition(":")[0].rstrip(". ")


def digest(data: bytes | None) -> str:
    """What tells the contents of a file from others, "" for no file."""
    from hashlib import sha256

    return "" if data is None else sha256(data).hexdigest()
