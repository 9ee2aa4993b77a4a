"""The repository that a command works on, with what it has already planned laid over it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.corpus.corpus import Corpus
from spectastic.corpus.files import Disk, Kind
from spectastic.curate.plan import CurateError
from spectastic.source import Source, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from spectastic.corpus.protocols import Files
    from spectastic.curate.plan import FileChange


class Workspace:
    """What a command may look at. Nothing is written through it; paths are relative to `root`, with `/`."""

    __slots__ = ("_changes", "_files", "corpus", "folder", "root")

    def __init__(self, root: str, folder: str, corpus: Corpus) -> None:
        self.root = root
        self.folder = folder
        self.corpus = corpus
        self._changes: Mapping[str, bytes | None] = {}
        self._files: Files = Disk(root)

    @property
    def registry(self) -> str:
        """The path of the registry, whether there is one or not."""
        return f"{self.folder}/index.md"

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, `None` where there is none. Raises `CurateError` where it cannot be read."""
        if not self.exists(path):
            return None
        found = self._files.read(path)
        if isinstance(found, Unreadable):
            raise CurateError(f"{path}: {found.message}", found.hint)
        return found.data

    def source(self, path: str) -> Source | None:
        """A text file, `None` where there is none. Raises `CurateError` for one that is not UTF-8."""
        data = self.read(path)
        if data is None:
            return None
        source = Source(path, data)
        for problem in source.problems:
            raise CurateError(f"{path}: {problem.message}", problem.hint)
        return source

    def exists(self, path: str) -> bool:
        """Whether anything has this path, a link that leads nowhere too."""
        if path in self._changes:
            return self._changes[path] is not None
        if not os.path.lexists(os.path.join(self.root, path)):
            return False
        real = os.path.realpath(os.path.join(self.root, path))
        if not os.path.join(real, "").startswith(os.path.join(os.path.realpath(self.root), "")):
            raise CurateError(f"{path} leads out of the repository", "replace the link by the file itself")
        return True

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder, sorted; none where there is no such folder."""
        return tuple(sorted(self._files.entries(folder)[0], key=os.fsencode))

    def with_changes(self, changes: Iterable[FileChange]) -> Workspace:
        """The workspace as it will be; its corpus is read anew, when it is asked."""
        added = {change.path: change.after for change in changes}
        after = Workspace(self.root, self.folder, self.corpus)
        after._changes = {**self._changes, **added}
        after._files = _Overlay(Disk(self.root), after._changes)
        after.corpus = Corpus(after._files, self.folder, self.corpus.licenses)
        return after


class _Overlay:
    """The files of `base` with changes made; see `corpus.files.Files`."""

    __slots__ = ("_base", "_changes", "_inside", "root")

    def __init__(self, base: Files, changes: Mapping[str, bytes | None]) -> None:
        self.root = base.root
        self._base = base
        self._changes = changes
        #: What the changes add to a folder, and (`None`) what they take away.
        self._inside: dict[str, dict[str, Kind | None]] = {}
        for path, after in changes.items():
            folder, _, name = path.rpartition("/")
            self._inside.setdefault(folder, {})[name] = None if after is None else Kind.FILE
            while after is not None and folder:
                folder, _, name = folder.rpartition("/")
                self._inside.setdefault(folder, {})[name] = Kind.FOLDER

    def entries(self, folder: str) -> tuple[dict[str, Kind | None], str]:
        """As in `Files`."""
        kinds, trouble = self._base.entries(folder)
        inside = self._inside.get(folder)
        if inside is None:
            return kinds, trouble
        kinds = dict(kinds)
        for name, kind in inside.items():
            if kind is None:
                kinds.pop(name, None)
            elif kind is Kind.FILE or name not in kinds:
                kinds[name] = kind
        return kinds, ""

    def led(self, path: str, inside: str) -> tuple[Kind, str]:
        """As in `Files`."""
        return self._base.led(path, inside)

    def is_folder(self, path: str) -> bool:
        """As in `Files`."""
        return path in self._inside or self._base.is_folder(path)

    def is_readable(self, path: str) -> bool:
        """As in `Files`."""
        return path in self._changes or self._base.is_readable(path)

    def read(self, path: str) -> Source | Unreadable:
        """As in `Files`."""
        if path not in self._changes:
            return self._base.read(path)
        after = self._changes[path]
        if after is None:
            return Unreadable(path, "the file cannot be read: no such file or directory")
        return Source(path, after)
