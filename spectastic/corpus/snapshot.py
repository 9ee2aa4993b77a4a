"""The files of a corpus as they were in a commit. The work tree is not touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from spectastic import git
from spectastic.corpus.files import CIRCLE, NOWHERE, OUTSIDE, Kind, plain
from spectastic.source import MAX_BYTES, Source, Unreadable, too_large

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.git import Entry

#: The length of all links on the way to one file, in bytes: as long as a path may be.
_MAX_LINKS = 4096

_LINK = "120000"

_Folder: TypeAlias = "dict[str, _Folder | Entry]"


class _AstrayError(Exception):
    """A path that leads to nothing in the commit."""

    def __init__(self, kind: Kind, detail: str) -> None:
        self.kind = kind
        self.detail = detail


class Snapshot:
    """The files of the repository at `root` in a commit (its id), as far as the corpus `folder` needs.

    Links are followed inside of the commit. Everything that has a document's name is read at once, when
    the first file is. Raises `git.GitError` where git cannot tell.
    """

    __slots__ = ("_asked", "_contents", "_listed", "_top", "_wanted", "root")

    def __init__(self, root: str, commit: str, folder: str) -> None:
        self.root = os.path.abspath(root)
        self._asked = (commit, folder)
        parts, stays = plain(folder)
        entries, listed = _listing(self.root, commit, parts) if stays else ({}, [])
        self._top: _Folder = {}
        for path, entry in entries.items():
            _put(self._top, path.split("/"), entry)
        self._contents: dict[str, bytes] = {}
        self._wanted = {entry.oid for entry in entries.values() if _is_link(entry)}
        #: The folder outside of which we do not know what the commit has.
        self._listed = self._walk(listed)[-1]
        self._wanted.update(self._documents(parts))

    def __reduce__(self) -> tuple[object, ...]:
        return Snapshot, (self.root, *self._asked)

    def entries(self, folder: str) -> tuple[dict[str, Kind | None], str]:
        """As in `Files`."""
        found = self._walk(folder.split("/"))[-1]
        return ({name: _kind(node) for name, node in found.items()} if isinstance(found, dict) else {}), ""

    def led(self, path: str, inside: str) -> tuple[Kind, str]:
        """As in `Files`."""
        try:
            way = self._walk(path.split("/"))
        except _AstrayError as error:
            return error.kind, error.detail
        home = self._walk(inside.split("/"))[-1]
        if not any(node is home for node in way):
            return Kind.OUTSIDE, OUTSIDE
        return _kind(way[-1]) or Kind.OTHER, ""

    def is_folder(self, path: str) -> bool:
        """As in `Files`. Only the disk knows what a link outside of the listing leads to."""
        try:
            return isinstance(self._walk(path.split("/"))[-1], dict)
        except _AstrayError:
            return os.path.isdir(os.path.join(self.root, path))

    def is_readable(self, path: str) -> bool:  # noqa: ARG002 - git keeps no such permission
        """As in `Files`."""
        return True

    def read(self, path: str) -> Source | Unreadable:
        """As in `Files`."""
        try:
            found = self._walk(path.split("/"))[-1]
        except _AstrayError:
            return Unreadable(path, "the file cannot be read: no such file or directory")
        if isinstance(found, dict) or found.kind != "blob":
            return Unreadable(path, "this is a directory", "remove it, or exclude it")
        if found.size > MAX_BYTES:
            return too_large(path, found.size, MAX_BYTES)
        return Source(path, self._content(found))

    def _walk(self, parts: Sequence[str]) -> list[_Folder | Entry]:
        """What is on the way to a path, from the top to the end, with every link followed."""
        way: list[_Folder | Entry] = [self._top]
        waiting = list(reversed(parts))
        left = _MAX_LINKS
        while waiting:
            part = waiting.pop()
            if part == "..":
                way.pop()
            elif part not in ("", "."):
                way.append(self._below(way, part))
            if not way:
                raise _AstrayError(Kind.OUTSIDE, OUTSIDE)
            last = way[-1]
            if not isinstance(last, dict) and _is_link(last):
                way.pop()
                left -= last.size + 1
                if left < 0:
                    raise _AstrayError(Kind.UNREADABLE, CIRCLE)
                target = os.fsdecode(self._content(last))
                if target.startswith("/"):
                    raise _AstrayError(Kind.OUTSIDE, OUTSIDE)
                waiting += reversed(target.split("/"))
        return way

    def _below(self, way: Sequence[_Folder | Entry], name: str) -> _Folder | Entry:
        folder = way[-1]
        if isinstance(folder, dict) and name in folder:
            return folder[name]
        if any(node is self._listed for node in way):
            raise _AstrayError(Kind.UNREADABLE, NOWHERE)
        raise _AstrayError(Kind.OUTSIDE, OUTSIDE)

    def _documents(self, parts: Sequence[str]) -> Iterator[str]:
        """The objects with documents below a folder that are small enough to be read."""
        try:
            waiting = list({"": self._walk(parts)[-1]}.items())
        except _AstrayError:
            return
        while waiting:
            name, node = waiting.pop()
            if isinstance(node, dict):
                waiting += node.items()
            elif name.endswith(".md") and node.kind == "blob" and node.size <= MAX_BYTES:
                yield node.oid

    def _content(self, entry: Entry) -> bytes:
        if entry.oid not in self._contents:
            self._contents.update(git.blobs(self.root, sorted({entry.oid, *self._wanted})))
            self._wanted = set()
        return self._contents[entry.oid]


def _listing(root: str, commit: str, parts: list[str]) -> tuple[dict[str, Entry], list[str]]:
    """What the commit has, and the folder that this is all of: the corpus folder, where it is one."""
    folder = "/".join(parts)
    found = git.listing(root, commit, folder)
    if any(path != folder for path in found):
        return found, parts
    return git.listing(root, commit), []


def _put(folder: _Folder, parts: list[str], entry: Entry) -> None:
    for part in parts[:-1]:
        inner = folder.setdefault(part, {})
        assert isinstance(inner, dict)  # noqa: S101 - a tree has each name once
        folder = inner
    folder[parts[-1]] = entry


def _is_link(entry: Entry) -> bool:
    return entry.mode == _LINK


def _kind(node: _Folder | Entry) -> Kind | None:
    if isinstance(node, dict):
        return Kind.FOLDER
    if _is_link(node):
        return None
    return Kind.FILE if node.kind == "blob" else Kind.OTHER
