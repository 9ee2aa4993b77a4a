"""A walk through the corpus folder: which packs and documents there are, and what is in the way.

Every folder directly under the corpus folder is a pack, and every `*.md` file in its `references/`
or `references/superseded/` is a document. Names that begin with a dot are left alone. Nothing is
opened here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.listing import Document, Kind, Place, is_document
from spectastic.corpus.model import NOWHERE, SUPERSEDED
from spectastic.corpus.steady import JOURNAL
from spectastic.findings import Problem
from spectastic.text import short

if TYPE_CHECKING:
    from spectastic.corpus.listing import Tree

_LINK_HINT = "replace the link by the file it is meant to lead to, inside the corpus folder"


class PackFolder(NamedTuple):
    """Where a pack is, and the paths of its SKILL.md and its `index.md`, `""` where it has none."""

    name: str
    path: str
    skill: str = ""
    pack_index: str = ""


class Survey(NamedTuple):
    """What the corpus folder holds. `nested` are documents in deeper folders of `references/`."""

    packs: tuple[PackFolder, ...]
    documents: tuple[Document, ...]
    nested: tuple[Document, ...]
    problems: tuple[tuple[str, Problem], ...]


def survey(tree: Tree) -> Survey:
    """Walk the corpus once. Raises nothing: what is in the way is told, and the rest is read."""
    walk = _Walk(tree)
    if tree.home.kind is Kind.FOLDER:
        walk.corpus(tree.home.path)
        walk.journal(tree.find(JOURNAL))
    elif tree.home.kind is not Kind.MISSING:
        detail = tree.home.detail or "it is a file"
        walk.tell(
            tree.home.path, f"the corpus folder cannot be read: {detail}", "name a folder of the repository"
        )
    return Survey(tuple(walk.packs), tuple(walk.documents), tuple(walk.nested), tuple(walk.problems))


class _Walk:
    __slots__ = ("_tree", "documents", "nested", "packs", "problems")

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.packs: list[PackFolder] = []
        self.documents: list[Document] = []
        self.nested: list[Document] = []
        self.problems: list[tuple[str, Problem]] = []

    def tell(self, path: str, message: str, hint: str) -> None:
        self.problems.append((path, Problem(NOWHERE, message, hint, path)))

    def journal(self, place: Place) -> None:
        """Tell of a change that somebody is, or was, in the middle of."""
        if place.kind is Kind.FILE:
            message = (
                "a change of the corpus was interrupted, or is being made now: some files are old, some new"
            )
            hint = (
                "run the command again, or `spectastic corpus hash --write`: what was interrupted is finished"
            )
            self.tell(place.path, message, hint)

    def corpus(self, home: str) -> None:
        for place in self._entries(home):
            if place.kind is Kind.FOLDER:
                self._pack(place)
            elif place.kind is Kind.UNREADABLE or (
                place.kind is Kind.OUTSIDE and self._tree.files.is_folder(place.path)
            ):
                self._in_the_way(place, "a pack")

    def _pack(self, pack: Place) -> None:
        inside = {place.name: place for place in self._entries(pack.path)}
        skill, index = (self._file(inside.get(name)) for name in ("SKILL.md", "index.md"))
        self.packs.append(PackFolder(pack.name, pack.path, skill, index))
        references = self._folder(inside.get("references"))
        if references:
            superseded = self._documents(references, pack.name, False)
            if superseded:
                self._documents(superseded, pack.name, True)

    def _documents(self, folder: str, pack: str, superseded: bool) -> str:
        """Collect the documents of a folder; the path of its `superseded/`, if it has one."""
        found = ""
        for place in self._entries(folder):
            if is_document(place.name):
                if place.kind is Kind.FILE:
                    self.documents.append(Document(place.path, pack, superseded))
                else:
                    self._in_the_way(place, "a document")
            elif place.name == SUPERSEDED and not superseded:
                found = self._folder(place)
            elif place.kind is Kind.FOLDER and not place.link:
                self._deeper(place.path, pack)
            elif place.name.lower().endswith((".md", ".markdown")):
                message = "this document is not read: its name does not end in .md"
                self.tell(place.path, message, "rename it to <slug>.md")
        return found

    def _deeper(self, folder: str, pack: str) -> None:
        waiting = [folder]
        while waiting:
            path = waiting.pop()
            for place in self._entries(path):
                if place.kind is Kind.FOLDER and not place.link:
                    waiting.append(place.path)
                elif place.kind is Kind.FILE and is_document(place.name):
                    self.nested.append(Document(place.path, pack, path.endswith(f"/{SUPERSEDED}")))

    def _file(self, place: Place | None) -> str:
        if place is None or place.kind is Kind.FILE:
            return place.path if place else ""
        self._in_the_way(place, "a file of the pack")
        return ""

    def _folder(self, place: Place | None) -> str:
        if place is None or place.kind is Kind.FOLDER:
            return place.path if place else ""
        self._in_the_way(place, "a folder of the pack")
        return ""

    def _in_the_way(self, place: Place, expected: str) -> None:
        is_ = {Kind.FILE: "it is a file", Kind.FOLDER: "it is a folder"}.get(place.kind, place.detail)
        hint = _LINK_HINT if place.link else "remove it, or give it another name"
        self.tell(place.path, f"{short(place.name)} has the name of {expected}, and {is_}", hint)

    def _entries(self, folder: str) -> list[Place]:
        trouble = self._tree.trouble(folder)
        if trouble:
            self.tell(folder, f"this folder of the corpus cannot be read: {trouble}", "let it be read")
        return [place for place in self._tree.entries(folder) if not place.name.startswith(".")]
