"""The Markdown files that `corpus adapt` is pointed at, read; and what is left out, each with the reason.

Nothing outside of the folder is read: links are not followed, and what a list of files names is looked
up in listings.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urljoin

from spectastic.corpus.files import Disk
from spectastic.corpus.listing import Kind, Place, Tree
from spectastic.curate.adapting import llms
from spectastic.curate.plan import CurateError
from spectastic.discover.walk import TOOL_FOLDERS
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKDOWN = (".md", ".markdown")
#: What `corpus convert` makes Markdown of.
CONVERTIBLE = (".html", ".htm", ".xhtml", ".pdf", ".docx", ".pptx", ".xlsx", ".epub")
#: More than this at once is no pack: it would hardly be the folder that was meant.
MAX_ENTRIES = 100_000
MAX_BYTES = 500_000_000

_CONVERT = "`spectastic corpus convert FILE` makes Markdown of it"
_SOURCE = "`spectastic corpus source URL --fetch` makes a reference of it"


class Original(NamedTuple):
    """A file to adapt: `path` is relative to the folder. The rest is what a list says of it."""

    path: str
    data: bytes
    title: str = ""
    description: str = ""
    url: str = ""


class Left(NamedTuple):
    """Something that is left out: its path or address, why, and what to do."""

    path: str
    why: str
    hint: str = ""


class Gathered(NamedTuple):
    """What was found in `folder` (as given, or that of the list). `about` is what a list says of it."""

    folder: str
    originals: tuple[Original, ...]
    left: tuple[Left, ...]
    about: str = ""


def gather(path: str, corpus: str, origin_url: str = "") -> Gathered:
    """What is in a folder, or what an `llms.txt` names; `corpus` is the corpus folder, and left out.

    Relative addresses in an `llms.txt` are joined to `origin_url`, where that is one. Raises `CurateError`.
    """
    if os.path.isdir(path):
        _refuse_corpus(path, path, corpus)
        return _Gatherer(path, corpus).folder()
    folder = os.path.dirname(path) or "."
    if path.lower().endswith(MARKDOWN):
        raise CurateError(f"{path} is one document", f"spectastic corpus add {path}")
    if not path.lower().endswith(".txt"):
        raise CurateError(
            f"{path} is {'no folder' if os.path.lexists(path) else 'not there'}",
            "name a folder of Markdown files, or an llms.txt",
        )
    _refuse_corpus(path, folder, corpus)
    return _Gatherer(folder, corpus).listed(os.path.basename(path), origin_url)


def _refuse_corpus(path: str, folder: str, corpus: str) -> None:
    inside = os.path.join(os.path.realpath(folder), "")
    if inside.startswith(os.path.join(os.path.realpath(corpus), "")):
        raise CurateError(
            f"{path} lies in the corpus",
            "`spectastic corpus add FILE` registers a document where it stands, `corpus migrate` older packs",
        )


class _Gatherer:
    """Looks at one folder."""

    def __init__(self, folder: str, corpus: str) -> None:
        self._folder = folder
        self._disk = Disk(folder)
        self._tree = Tree(self._disk, "")
        self._corpus = os.path.realpath(corpus)
        self._originals: list[Original] = []
        self._left: list[Left] = []
        self._bytes = 0

    def folder(self) -> Gathered:
        """All Markdown files, sorted by path."""
        trouble = self._tree.trouble("")
        if trouble:
            raise CurateError(f"{self._folder}: {trouble}")
        for place in sorted(self._walk(), key=lambda place: os.fsencode(place.path)):
            self._take(Original(place.path, b""))
        return self._gathered("")

    def listed(self, name: str, origin_url: str) -> Gathered:
        """The files that a list names, in its order."""
        source = self._disk.read(name)
        path = os.path.join(self._folder, name)
        if isinstance(source, Unreadable):
            raise CurateError(f"{path}: {source.message}", source.hint)
        for problem in source.problems:
            raise CurateError(f"{path}: {problem.message}", problem.hint)
        found = llms.parse(source.text)
        if not found.title:
            raise CurateError(f"{path} is no llms.txt: it has no title", "it begins with a line # NAME")
        seen: set[str] = set()
        entries: dict[str, llms.Entry] = {}
        for entry in found.entries:
            entries.setdefault(entry.url, entry)
        for entry in entries.values():
            self._follow(entry, origin_url, seen)
        return self._gathered(found.about)

    def _gathered(self, about: str) -> Gathered:
        return Gathered(self._folder, tuple(self._originals), tuple(self._left), about)

    def _leave(self, path: str, why: str, hint: str = "") -> None:
        self._left.append(Left(path, why, hint))

    def _walk(self) -> Iterator[Place]:
        """The Markdown files below the folder."""
        waiting = [""]
        seen = 0
        while waiting:
            folder = waiting.pop()
            if trouble := self._tree.trouble(folder):
                self._leave(folder, trouble)
            for place in self._tree.entries(folder):
                seen += 1
                if seen > MAX_ENTRIES:
                    raise CurateError(
                        f"{self._folder} holds more than {MAX_ENTRIES:,} files", "name a folder of it"
                    )
                if place.kind is Kind.FOLDER and not self._refuses_folder(place):
                    waiting.append(place.path)
                elif place.kind is not Kind.FOLDER and not self._refuses_file(place):
                    yield place

    def _refuses_folder(self, place: Place) -> bool:
        why = hint = ""
        if place.name.startswith("."):
            why = "it is hidden"
        elif place.link:
            why, hint = "it is a symbolic link, which is not followed", "put a copy in its place"
        elif place.name in TOOL_FOLDERS:
            why = "it is the folder of a tool"
        elif os.path.realpath(os.path.join(self._folder, place.path)) == self._corpus:
            why = "it is the corpus itself"
        if why:
            self._leave(f"{place.path}/", why, hint)
        return bool(why)

    def _refuses_file(self, place: Place) -> bool:
        why, hint = _not_wanted(place)
        if why:
            self._leave(place.path, why, hint)
        return bool(why)

    def _take(self, original: Original) -> None:
        """Read a file."""
        source = self._disk.read(original.path)
        if isinstance(source, Unreadable):
            self._leave(original.path, source.message)
            return
        for problem in source.problems:
            self._leave(original.path, problem.message, problem.hint)
            return
        self._bytes += len(source.data)
        if self._bytes > MAX_BYTES:
            raise CurateError(
                f"{self._folder} holds more than {MAX_BYTES:,} bytes of Markdown", "name a folder of it"
            )
        self._originals.append(original._replace(data=source.data))

    def _follow(self, entry: llms.Entry, origin_url: str, seen: set[str]) -> None:
        """Take what an entry of a list leads to, where that is a file of the folder."""
        address = entry.url.partition("#")[0]
        if llms.is_web(address):
            self._leave(entry.url, "it is on the web, and nothing is fetched", _SOURCE)
            return
        if not llms.is_file(address):
            self._leave(entry.url, "it is no address of a file", "name a file, relative to the llms.txt")
            return
        parts = [part for part in unquote(address).split("/") if part != "."]
        if ".." in parts:
            self._leave(entry.url, "it leads out of the folder", "put a copy beside the llms.txt")
            return
        place = self._tree.find("/".join(parts))
        if place.kind is not Kind.FILE:
            self._leave(entry.url, place.detail or "it is a folder", "correct the link")
        elif place.path not in seen and not self._refuses_listed(place):
            seen.add(place.path)
            url = urljoin(origin_url, address) if llms.is_web(origin_url) else ""
            self._take(Original(place.path, b"", entry.title, entry.notes, url))

    def _refuses_listed(self, place: Place) -> bool:
        inside = os.path.realpath(os.path.join(self._folder, place.path))
        if inside.startswith(os.path.join(self._corpus, "")):
            self._leave(place.path, "it is a part of the corpus")
            return True
        return self._refuses_file(place)


def _not_wanted(place: Place) -> tuple[str, str]:
    """Why a file is left out, and what to do; "" for one that is wanted."""
    lowered = place.name.lower()
    if place.name.startswith("."):
        return "it is hidden", ""
    if place.link:
        return "it is a symbolic link, which is not followed", "put a copy in its place"
    if lowered.endswith(CONVERTIBLE):
        return "it is no Markdown", _CONVERT
    if not lowered.endswith(MARKDOWN):
        return "it is no Markdown", ""
    if place.kind is not Kind.FILE:
        return place.detail, ""
    if place.name == "SKILL.md":
        return (
            "it is an agent's skill and no document",
            "`spectastic corpus import PATH` takes over a whole pack",
        )
    try:
        place.path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8", "rename it"
    return "", ""
