"""A folder outside of the corpus that packs are imported from: where they are, and reading nothing else.

Nothing is run there, and git is not asked: a work tree is a folder. No link is followed out of it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.files import Disk, Kind
from spectastic.corpus.listing import Tree
from spectastic.curate.plan import CurateError
from spectastic.curate.publishing import marketplace
from spectastic.rules.common import some
from spectastic.source import Source, Unreadable
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spectastic.curate.publishing.marketplace import Marketplace

#: What the corpus folder of a source is called.
_KNOWLEDGE = "knowledge"
#: The folder that `Offered` shows in place of the one with the packs: no file can have this name.
HOME = "\0"
#: What git would clone: `https://…`, `git@host:path`.
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/\\\s]+@[^/\\\s]+:")
_SHAPE = "a source is a repository with knowledge/, a folder with marketplace.json, or one with a SKILL.md"


class Found(NamedTuple):
    """A pack of a source: what it is called there, and its folder, "" for the source itself."""

    name: str
    place: str


class Foreign(NamedTuple):
    """A source. `top` is its absolute path, without links, `shown` the path as somebody gave it.

    `home` is the folder of its packs and `registry` its registry, both relative to `top`, "" for none.
    `listing` is its `marketplace.json`, and `published` are the packs that this lists, or else all.
    """

    top: str
    shown: str
    home: str
    registry: str
    listing: Marketplace | None
    published: tuple[Found, ...]
    others: tuple[Found, ...]
    notes: tuple[str, ...]

    def path(self, path: str) -> str:
        """A path relative to `top`, for people."""
        return f"{self.shown}/{path}" if path else self.shown


def look(path: str) -> Foreign:
    """Where the packs of a source are. Raises `CurateError` where there are none."""
    shown = path.rstrip("/") or path
    top = os.path.realpath(path) if path and "\0" not in path else ""
    if not os.path.isdir(top):
        if _ADDRESS.match(path):
            raise CurateError(
                f"{short(printable(shown))} is an address, and nothing is fetched",
                "clone it first (git clone), and name the folder",
            )
        why = "is no folder" if os.path.lexists(top) else "is not there"
        raise CurateError(f"{short(shown) or 'the source'} {why}", _SHAPE)
    tree = Tree(Disk(top), "")
    home = tree.find(_KNOWLEDGE)
    _refuse_link(shown, home.kind, home.path, home.detail)
    if home.kind is not Kind.FOLDER and tree.find("SKILL.md").kind is Kind.FILE:
        lone = Found(os.path.basename(top), "")
        return Foreign(top, shown, "", "", None, (lone,), (), ())
    folder = _KNOWLEDGE if home.kind is Kind.FOLDER else ""
    listing = _listing(tree, folder, shown)
    registry = _file(tree, _join(folder, "index.md"), shown)
    direct = tuple(_direct(tree, folder, shown))
    published, notes = _published(listing, tree, folder, shown) if listing else (direct, [])
    places = {found.place for found in published}
    others = tuple(found for found in direct if found.place not in places)
    if not published and not others:
        raise CurateError(f"{shown} has no packs", _SHAPE)
    return Foreign(top, shown, folder, registry, listing, published, others, tuple(notes))


def choose(source: Foreign, wanted: Sequence[str], everything: bool) -> tuple[Found, ...]:
    """The packs that somebody asked for, in order and each once. Raises `CurateError`."""
    known: dict[str, Found] = {}
    for found in (*source.published, *source.others):
        if found.name in known:
            where = " and ".join(source.path(item.place) for item in (known[found.name], found))
            raise CurateError(f"two packs of {source.shown} have the name {short(found.name)}: {where}")
        known[found.name] = found
    names = some(sorted(known))
    for name in wanted:
        if name not in known:
            raise CurateError(f"{source.shown} has no pack {short(name) or '(blank)'}", f"its packs: {names}")
    if wanted:
        return tuple(known[name] for name in dict.fromkeys(wanted))
    chosen = source.published
    if not chosen:
        raise CurateError(f"{source.shown} publishes no pack that is there", f"name one: --pack P ({names})")
    if len(chosen) > 1 and not everything:
        raise CurateError(f"{source.shown} has {len(chosen)} packs", f"--pack P for some, or --all: {names}")
    return chosen


def _direct(tree: Tree, folder: str, shown: str) -> Iterable[Found]:
    """The folders in `folder` that are packs, or mean to be."""
    for place in tree.entries(folder):
        if place.kind is Kind.OUTSIDE and tree.files.is_folder(place.path):
            _refuse_link(shown, place.kind, place.path, place.detail)
        if place.kind is Kind.FOLDER and not place.name.startswith("."):
            names = {inside.name for inside in tree.entries(place.path)}
            if names & {"SKILL.md", "references"}:
                yield Found(place.name, place.path)


def _published(
    listing: Marketplace, tree: Tree, folder: str, shown: str
) -> tuple[tuple[Found, ...], list[str]]:
    """The packs that a `marketplace.json` lists and that are there, and what is to be said of the others."""
    found: list[Found] = []
    notes: list[str] = []
    for entry in listing.plugins:
        place = None if entry.place is None else tree.find(_join(folder, entry.place))
        if place is None:
            notes.append(f"{entry.name} is elsewhere, and nothing is fetched: left out")
            continue
        _refuse_link(shown, place.kind, place.path, place.detail)
        if place.kind is Kind.FOLDER and tree.find(_join(place.path, "SKILL.md")).kind is not Kind.MISSING:
            if any(other.place == place.path for other in found):
                raise marketplace.twice(listing.path, place.path)
            found.append(Found(entry.name, place.path))
        else:
            notes.append(f"{entry.name} is no pack, there is no SKILL.md in its folder: left out")
    return tuple(found), notes


def _listing(tree: Tree, folder: str, shown: str) -> Marketplace | None:
    for path in (_join(folder, marketplace.NAME), f".claude-plugin/{marketplace.NAME}"):
        if _file(tree, path, shown):
            source = tree.files.read(path)
            if isinstance(source, Unreadable):
                raise CurateError(f"{shown}/{path}: {source.message}", source.hint)
            return marketplace.read(f"{shown}/{path}", source.data)
    return None


def _file(tree: Tree, path: str, shown: str) -> str:
    """A path where a file is, "" where nothing is."""
    place = tree.find(path)
    if place.kind is Kind.MISSING:
        return ""
    _refuse_link(shown, place.kind, place.path, place.detail)
    if place.kind is not Kind.FILE:
        raise CurateError(f"{shown}/{path} is no file {place.detail}".rstrip(), "remove it, or restore it")
    return path


def _refuse_link(shown: str, kind: Kind, path: str, detail: str) -> None:
    if kind in (Kind.OUTSIDE, Kind.UNREADABLE, Kind.OTHER):
        raise CurateError(f"{shown}/{path} cannot be read: {detail}", "nothing outside of a source is read")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


class Offered:
    """The files of some packs of a source, and of its registry, as a corpus in `HOME`: `Files`.

    What is not in there is not shown, so it is not read either.
    """

    __slots__ = ("_disk", "_places", "_registry", "_source", "root")

    def __init__(self, source: Foreign, packs: Iterable[Found]) -> None:
        self.root = source.top
        self._source = source
        self._disk = Disk(source.top)
        self._registry = source.registry
        #: Where each pack is, by the name that it has in `HOME`: rows lead to those beside the registry.
        self._places = {
            pack.place.rpartition("/")[2]
            if pack.place and pack.place.rpartition("/")[0] == source.home
            else f"{HOME}{number}": pack.place
            for number, pack in enumerate(packs)
        }

    def names(self) -> dict[str, str]:
        """The names that the packs have in `HOME`, by their folders in the source."""
        return {place: name for name, place in self._places.items()}

    def told(self, text: str) -> str:
        """A message, with the paths that somebody else can follow."""
        for name, place in self._places.items():
            text = text.replace(f"{HOME}/{name}/", self._source.path(f"{place}/" if place else ""))
        home = self._source.home
        return text.replace(f"{HOME}/", self._source.path(f"{home}/" if home else ""))

    def entries(self, folder: str) -> tuple[dict[str, Kind | None], str]:
        """As in `Files`."""
        if folder == "":
            return {HOME: Kind.FOLDER}, ""
        if folder == HOME:
            registry: dict[str, Kind | None] = {"index.md": Kind.FILE} if self._registry else {}
            return {**registry, **dict.fromkeys(self._places, Kind.FOLDER)}, ""
        return self._disk.entries(self._real(folder))

    def led(self, path: str, inside: str) -> tuple[Kind, str]:  # noqa: ARG002 - the source is what counts
        """As in `Files`."""
        return self._disk.led(self._real(path), "")

    def is_folder(self, path: str) -> bool:
        """As in `Files`."""
        return self._disk.is_folder(self._real(path))

    def is_readable(self, path: str) -> bool:
        """As in `Files`."""
        return self._disk.is_readable(self._real(path))

    def read(self, path: str) -> Source | Unreadable:
        """As in `Files`."""
        found = self._disk.read(self._real(path))
        return Source(path, found.data) if isinstance(found, Source) else found._replace(path=path)

    def _real(self, path: str) -> str:
        """Where a path of `HOME` is in the source."""
        if path == f"{HOME}/index.md":
            return self._registry
        _, name, *rest = path.split("/")
        return "/".join(part for part in (self._places[name], *rest) if part)
