"""The walk through the tree: which folders are entered, which files are taken, and why not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.discover import links
from spectastic.discover.ignores import Layer, above, of_folder
from spectastic.discover.names import encode, is_spec_name
from spectastic.source import Unreadable, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.config import Settings
    from spectastic.discover.patterns import Patterns

#: Nobody writes specs there, so nothing is counted there either.
_REPOSITORY_FOLDERS = frozenset((".git", ".hg", ".svn"))
TOOL_FOLDERS = frozenset(
    (
        *("node_modules", ".venv", ".tox", ".nox"),
        *("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"),
    )
)
#: How many entries a walk looks at below folders that it does not enter, only to count them.
_COUNTED = 200_000


class _Place(NamedTuple):
    """What holds inside a folder: `layers` deepest first, and whether `include` covers the folder."""

    layers: tuple[Layer, ...]
    included: bool


class Walk:
    """One look at the tree. Give it folders and files; then ask it what it found.

    With `tally`, it also counts what each setting removes.
    """

    __slots__ = (
        "_budget",
        "_corpus",
        "_exclude",
        "_force",
        "_ignores",
        "_include",
        "_links",
        "_places",
        "_root",
        "_skip",
        "_specs",
        "_tally",
        "_unreadable",
        "found",
        "ignored",
    )

    def __init__(self, settings: Settings, *, tally: bool = False, ignores: bool = True) -> None:
        """`ignores`: leave out what git ignores, and virtual environments."""
        self._ignores = ignores
        #: Whether something was left out for that reason, which git may track all the same.
        self.ignored = False
        self._root = settings.root
        self._corpus = settings.corpus
        self._skip = frozenset(settings.skip_folders)
        self._exclude = _compiled(settings.exclude)
        self._include = _compiled(settings.include)
        self._force = settings.force_exclude
        self._specs: set[str] = set()
        self._links: dict[str, str] = {}
        self._unreadable: dict[str, Unreadable] = {}
        self._places: dict[str, tuple[_Place, str]] = {}
        self._tally: dict[str, int] | None = {} if tally else None
        self._budget = _COUNTED
        #: How often something was found, a spec or trouble; what is found twice counts twice.
        self.found = 0

    def specs(self) -> tuple[str, ...]:
        """The specs, sorted; a link counts if the file it leads to was not found itself."""
        specs = set(self._specs)
        targets = set(self._specs)
        for path, target in sorted(self._links.items()):
            if target not in targets:
                targets.add(target)
                specs.add(path)
        # Names that are not UTF-8 are not among them, so this is the order of the bytes.
        return tuple(sorted(specs))

    def unreadable(self) -> tuple[Unreadable, ...]:
        """What stood in the way, sorted by path."""
        return tuple(sorted(self._unreadable.values(), key=lambda item: encode(item.path)))

    def removed(self) -> tuple[tuple[str, int], ...]:
        """What was counted: (why, how many), most first."""
        rest = " (at least)" if self._budget <= 0 else ""
        counts = [(why + rest, count) for why, count in (self._tally or {}).items() if count]
        return tuple(sorted(counts, key=lambda item: (-item[1], item[0])))

    def take_by_hand(self, path: str) -> None:
        """A file that was named. Only `force-exclude` can remove it."""
        if why := self.why_not(path):
            self._count_file(why)
            return
        self._take(path, os.path.join(self._root, path))

    def take_tracked(self, path: str) -> None:
        """A file that git tracks. It may have gone since."""
        if os.path.lexists(os.path.join(self._root, path)):
            self._take(path, os.path.join(self._root, path))

    def why_not(self, path: str) -> str:
        """What removes a file that is named, "" if nothing does. It need not exist."""
        if not self._force:
            return ""
        folder, _, name = path.rpartition("/")
        place, why = self._place(folder or ".")
        return why or self._why_not_file(path, name, place)

    def walk(self, folder: str) -> None:
        """Everything below a folder. The folder itself is entered whatever it is called."""
        place, why = self._place(folder)
        if why and self._force:
            self._count_folder(why, folder)
            return
        if is_spec_name(folder):
            self._report(Unreadable(folder, *_SPEC_FOLDER))
        start = folder
        stack = [(folder, place)]
        while stack:
            folder, place = stack.pop()
            try:
                with os.scandir(os.path.join(self._root, folder)) as scan:
                    entries = list(scan)
                if folder != start:
                    names = {entry.name for entry in entries}
                    if why := self._marked(names):
                        self._count_folder(why, folder)
                        continue
                    place = self._with_ignores(folder, place, ".gitignore" in names)
                self._enter(folder, place, entries, stack)
            except OSError as error:
                why = f"the folder cannot be read: {reason(error)}"
                self._report(Unreadable(folder, why, "make it readable, or exclude it"))

    def _enter(
        self, folder: str, place: _Place, entries: list[os.DirEntry[str]], stack: list[tuple[str, _Place]]
    ) -> None:
        """Take the specs of a folder, and put the folders in it on the stack."""
        prefix = "" if folder == "." else f"{folder}/"
        for entry in entries:
            name = entry.name
            path = prefix + name
            if entry.is_dir(follow_symlinks=False):
                if why := self._why_not_folder(path, name, place):
                    self._count_folder(why, path)
                    continue
                inner = self._with_include(path, name, place)
                if inner.included and is_spec_name(name):
                    self._report(Unreadable(path, *_SPEC_FOLDER))
                stack.append((path, inner))
            elif is_spec_name(name):
                if why := self._why_not_file(path, name, place):
                    self._count_file(why)
                elif entry.is_file(follow_symlinks=False) and path.isascii():
                    self.found += 1
                    self._specs.add(path)
                else:
                    self._take(path, entry.path)

    def _take(self, path: str, file: str) -> None:
        """A file with a spec's name, of whatever kind."""
        try:
            path.encode()
            found = links.follow(self._root, path, file)
        except UnicodeEncodeError:
            found = Unreadable(path, "the name of this file is not UTF-8", "rename it")
        if isinstance(found, Unreadable):
            self._report(found)
            return
        self.found += 1
        if found == path:
            self._specs.add(path)
        else:
            self._links[path] = found

    def _report(self, trouble: Unreadable) -> None:
        self.found += 1
        self._unreadable[trouble.path] = trouble

    def _why_not_folder(self, path: str, name: str, place: _Place) -> str:
        """What keeps the walk out of a folder, "" if nothing does."""
        if path == self._corpus:
            return f"corpus folder: {name}"
        if name in _REPOSITORY_FOLDERS or name in TOOL_FOLDERS:
            return name
        if name in self._skip:
            return f"skip-folders: {name}"
        return self._matched(path, name, place, folder=True)

    def _why_not_file(self, path: str, name: str, place: _Place) -> str:
        """What removes a file with a spec's name, "" if nothing does."""
        if self._exclude is None and self._include is None and not place.layers:
            return ""
        if why := self._matched(path, name, place, folder=False):
            return why
        if self._include is None:
            return ""
        verdict = self._include.verdict(encode(path), encode(name), folder=False)
        return "" if (place.included if verdict is None else verdict) else "include"

    def _matched(self, path: str, name: str, place: _Place, *, folder: bool) -> str:
        if self._exclude is None and not place.layers:
            return ""
        path_bytes, name_bytes = encode(path), encode(name)
        if self._exclude is not None and self._exclude.verdict(path_bytes, name_bytes, folder):
            return "exclude"
        for layer in place.layers:
            verdict = layer.verdict(path_bytes, name_bytes, folder)
            if verdict is not None:
                self.ignored |= verdict
                return layer.source if verdict else ""
        return ""

    def _place(self, folder: str) -> tuple[_Place, str]:
        """What holds in a folder given by hand, and what would have kept the walk out of it."""
        if folder in self._places:
            return self._places[folder]
        parts = [] if folder == "." else folder.split("/")
        included = self._include is None
        place = _Place(tuple(self._layers_above()), included)
        place = self._with_ignores(".", place, self._exists(".gitignore"))
        why, path = "", "."
        self._places[path] = (place, why)
        for depth, name in enumerate(parts, 1):
            path = "/".join(parts[:depth])
            if path not in self._places:
                why = why or self._why_not_folder(path, name, place) or self._marks(path)
                place = self._with_include(path, name, place)
                place = self._with_ignores(path, place, self._exists(f"{path}/.gitignore"))
                self._places[path] = (place, why)
            place, why = self._places[path]
        return place, why

    def _layers_above(self) -> Iterator[Layer]:
        for layer in above(self._root) if self._ignores else ():
            if isinstance(layer, Unreadable):
                self._report(layer)
            else:
                yield layer

    def _exists(self, path: str) -> bool:
        return os.path.lexists(os.path.join(self._root, path))

    def _marks(self, folder: str) -> str:
        return self._marked({name for name in _MARKS if self._exists(f"{folder}/{name}")})

    def _marked(self, names: set[str]) -> str:
        """What a folder is that holds these names, if that is nothing to look into."""
        for mark, what in _MARKS.items():
            if mark in names and (self._ignores or mark == ".git"):
                self.ignored |= mark != ".git"
                return what
        return ""

    def _with_include(self, path: str, name: str, place: _Place) -> _Place:
        if self._include is None:
            return place
        verdict = self._include.verdict(encode(path), encode(name), folder=True)
        return place if verdict is None else place._replace(included=verdict)

    def _with_ignores(self, folder: str, place: _Place, has_file: bool) -> _Place:
        if not has_file or not self._ignores:
            return place
        layer = of_folder(self._root, folder)
        if isinstance(layer, Unreadable):
            self._report(layer)
            return place
        return place if layer is None else place._replace(layers=(layer, *place.layers))

    def _count_file(self, why: str) -> None:
        if self._tally is not None:
            self._tally[why] = self._tally.get(why, 0) + 1

    def _count_folder(self, why: str, folder: str) -> None:
        """Count the files with a spec's name below a folder that is not entered."""
        if self._tally is None or why in _REPOSITORY_FOLDERS:
            return
        stack = [os.path.join(self._root, folder)]
        while stack and self._budget > 0:
            try:
                with os.scandir(stack.pop()) as entries:
                    for entry in entries:
                        self._budget -= 1
                        if entry.is_dir(follow_symlinks=False):
                            stack.append(entry.path)
                        elif is_spec_name(entry.name):
                            self._count_file(why)
            except OSError:
                # What cannot be looked at was removed all the same; it only cannot be counted.
                continue


_SPEC_FOLDER = ("this is a directory with a spec's name", "rename it")
_MARKS = {".git": "nested repository", "pyvenv.cfg": "virtual environment"}


def _compiled(patterns: tuple[str, ...]) -> Patterns | None:
    if not patterns:
        return None
    # Most runs on one file match no pattern, and do without the machinery for it.
    from spectastic.discover.patterns import from_settings

    return from_settings(patterns)
