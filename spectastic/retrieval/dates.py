"""How new a document is: what it says itself, else when its file was last changed. All days are UTC."""

from __future__ import annotations

import os
import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.retrieval.model import Document

EPOCH = date(1970, 1, 1)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Dated(NamedTuple):
    """A day, and where it was found: `updated`, `created`, `commit`, `file` or `none`."""

    day: date
    source: str


#: What is said of a document that nothing dates.
UNDATED = Dated(EPOCH, "none")


def calendar(written: str) -> date | None:
    """The day that is written as `YYYY-MM-DD`; `None` where it is written otherwise, or there is none."""
    if not _DATE.fullmatch(written):
        return None
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def own(document: Document, fields: Iterable[str] = ("updated", "created")) -> Dated | None:
    """The first of some fields of a document that is a date."""
    for field in fields:
        day = calendar(getattr(document, field))
        if day is not None:
            return Dated(day, field)
    return None


def of_seconds(seconds: float) -> date:
    """The day of a moment, in seconds since 1970."""
    try:
        return EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return EPOCH


def of_files(root: str, folder: str, documents: Iterable[Document]) -> dict[str, Dated]:
    """When the files of some documents below `folder` were last changed, by path.

    For one that git tracks, it is the day of its last commit, since a clone makes every file new; git is
    asked once for all. Otherwise it is what the file system says. A file that has gone has none.
    """
    wanted = [document.path for document in documents]
    commits = _commits(root, folder) if wanted else {}
    found: dict[str, Dated] = {}
    for path in wanted:
        if path in commits:
            found[path] = Dated(of_seconds(commits[path]), "commit")
            continue
        try:
            found[path] = Dated(of_seconds(os.stat(os.path.join(root, path)).st_mtime), "file")
        except OSError:
            continue
    return found


def _commits(root: str, folder: str) -> dict[str, int]:
    from spectastic import git

    try:
        tracked = git.tracked(root, folder)
        return {path: seconds for path, seconds in git.dates(root, folder).items() if path in tracked}
    except git.GitError:
        return {}
