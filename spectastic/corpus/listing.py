"""What is where below the corpus folder, by exact name.

A path from a document is never handed to the file system. Each folder is listed once and each
component compared with the names in the listing, so that a path means the same on a file system
that ignores case, and nothing outside of the corpus folder is looked at. A symbolic link counts
as what it leads to, as long as that is inside.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.files import Kind as Kind
from spectastic.corpus.files import plain
from spectastic.text import short

if TYPE_CHECKING:
    from spectastic.corpus.protocols import Files


class Place(NamedTuple):
    """The answer for one path: `path` is relative to the repository root, as spelt on disk.

    Where the answer is neither file nor folder, `path` is as far as the way led, and `detail` is a
    clause about it that says why. `link` tells that its last component is a symbolic link.
    """

    kind: Kind
    path: str
    detail: str = ""
    link: bool = False

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self.path.rpartition("/")[2]


class Document(NamedTuple):
    """Where a reference is. `path` is relative to the repository root."""

    path: str
    pack: str
    superseded: bool


def is_document(name: str) -> bool:
    """Whether a file of this name is a document."""
    return name.endswith(".md") and not name.startswith(".")


class Tree:
    """The corpus folder `folder` of a repository's files. Each listing is read once and kept.

    `home` is the corpus folder itself: a link that leads out of the repository is not followed.
    """

    __slots__ = ("_inside", "_listings", "_spellings", "files", "folder", "home")

    def __init__(self, files: Files, folder: str) -> None:
        self.files = files
        self._listings: dict[str, tuple[dict[str, Kind | None], str]] = {}
        self._spellings: dict[str, dict[str, str]] = {}
        #: The folder that no link may leave.
        self._inside = ""
        parts, stays = plain(folder)
        self.folder = "/".join(parts)
        if not stays:
            self.home = Place(Kind.OUTSIDE, folder, "it is outside of the repository")
            return
        self.home = self._walk("", parts)
        if self.home.kind is Kind.FOLDER:
            self._inside = self.home.path

    def find(self, path: str) -> Place:
        """Where a path relative to the corpus folder leads; `path` may be anything."""
        if self.home.kind is not Kind.FOLDER:
            return Place(Kind.MISSING, self.home.path, self.home.detail or "the corpus is no folder")
        place = self._walk(self.home.path, path.split("/"))
        if place.kind is Kind.FILE and not self.files.is_readable(place.path):
            return Place(Kind.UNREADABLE, place.path, "it cannot be read: permission denied")
        return place

    def entries(self, path: str) -> list[Place]:
        """What is in a folder, which is relative to the repository root, sorted by name."""
        kinds, _ = self._listing(path)
        return [self._at(_join(path, name), kinds[name]) for name in sorted(kinds, key=os.fsencode)]

    def trouble(self, path: str) -> str:
        """Why a folder cannot be listed, `""` where it can."""
        return self._listing(path)[1]

    def _walk(self, start: str, parts: list[str]) -> Place:
        place = Place(Kind.FOLDER, start)
        for part in parts:
            if place.kind is not Kind.FOLDER:
                return Place(Kind.MISSING, place.path, f"{short(place.path)} is no folder")
            kinds, trouble = self._listing(place.path)
            if trouble:
                return Place(Kind.UNREADABLE, place.path, trouble)
            if part not in kinds:
                return Place(Kind.MISSING, place.path, self._nearly(place.path, part))
            place = self._at(_join(place.path, part), kinds[part])
            if place.kind not in (Kind.FILE, Kind.FOLDER):
                return place
        return place

    def _at(self, path: str, kind: Kind | None) -> Place:
        """A listed path; `kind` is `None` for a symbolic link."""
        detail = ""
        link = kind is None
        if kind is None:
            kind, detail = self.files.led(path, self._inside)
        if kind is Kind.OTHER:
            detail = "it is no regular file"
        return Place(kind, path, detail, link)

    def _listing(self, path: str) -> tuple[dict[str, Kind | None], str]:
        """The names in a folder with their kinds, and what kept it from being listed."""
        known = self._listings.get(path)
        if known is None:
            known = self._listings[path] = self.files.entries(path)
        return known

    def spelling(self, folder: str, name: str) -> str:
        """How a name that a folder does not hold is spelt there, if only case or accents differ."""
        spellings = self._spellings.get(folder)
        if spellings is None:
            spellings = {_folded(known): known for known in self._listing(folder)[0]}
            self._spellings[folder] = spellings
        return spellings.get(_folded(name), "")

    def _nearly(self, folder: str, name: str) -> str:
        known = self.spelling(folder, name)
        if known:
            return f"{short(name)} is spelt {short(known)} on disk"
        return f"there is no {short(name) or 'name'} in {short(folder) or 'the repository'}"


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _folded(name: str) -> str:
    from unicodedata import normalize

    return normalize("NFC", name[:255]).casefold()
