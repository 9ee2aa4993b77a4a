"""Reading the files of a corpus: the edge between the folder and the pure readers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.corpus import references, registry
from spectastic.corpus.listing import Kind
from spectastic.corpus.model import NOWHERE, Pack, Registry
from spectastic.findings import Problem
from spectastic.source import Source, Unreadable

if TYPE_CHECKING:
    from collections.abc import Collection

    from spectastic.corpus.listing import Document, Tree
    from spectastic.corpus.model import Reference
    from spectastic.corpus.survey import PackFolder


class Store:
    """Reads what `tree` holds, and keeps the documents."""

    __slots__ = ("_documents", "_hashed", "_tree")

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._documents: dict[str, Reference] = {}
        self._hashed: set[str] = set()

    def registry(self) -> tuple[Registry, str | None]:
        """The registry, and why there is none (`None` where there is one)."""
        home = self._tree.home
        folder = home.path if home.kind is Kind.FOLDER else self._tree.folder
        path = f"{folder}/index.md" if folder else "index.md"
        if home.kind is not Kind.FOLDER:
            return Registry(path, exists=False), home.detail or f"{home.path} is no folder"
        place = self._tree.find("index.md")
        if place.kind is Kind.MISSING:
            other = self._tree.spelling(home.path, "index.md")
            return Registry(path, exists=False), f"index.md is spelt {other} on disk" if other else ""
        if place.kind is not Kind.FILE:
            return Registry(path), place.detail or "it is a folder"
        source = self._tree.files.read(path)
        if isinstance(source, Unreadable):
            return Registry(path), source.message
        names = {entry.name for entry in self._tree.entries(home.path)}
        return registry.parse(source, home.path, names), None

    def pack(self, folder: PackFolder) -> tuple[Pack, tuple[Problem, ...]]:
        """A pack, and what is wrong in its `SKILL.md` beside the frontmatter."""
        from spectastic.corpus import packs

        if not folder.skill:
            return Pack(folder.name, folder.path, ""), ()
        source = self._tree.files.read(folder.skill)
        if isinstance(source, Unreadable):
            problem = Problem(NOWHERE, source.message, source.hint, folder.skill)
            return Pack(folder.name, folder.path, folder.skill), (problem,)
        return packs.parse(source, folder)

    def pack_index(self, folder: PackFolder) -> Source | Unreadable | None:
        """The `index.md` of a pack."""
        return self._tree.files.read(folder.pack_index) if folder.pack_index else None

    def document(self, document: Document) -> Reference:
        """A reference, which may lack its digest; one that cannot be read says so."""
        known = self._documents.get(document.path)
        if known is None:
            known = self._documents[document.path] = self._load(document, hashed=False)
        return known

    def documents(self, found: Collection[Document]) -> tuple[Reference, ...]:
        """References with their digests, sorted by the bytes of their paths."""
        for item in found:
            if item.path not in self._hashed:
                self._hashed.add(item.path)
                self._documents[item.path] = self._load(item, hashed=True)
        return tuple(self._documents[path] for path in sorted({item.path for item in found}, key=os.fsencode))

    def _load(self, document: Document, *, hashed: bool) -> Reference:
        path, pack, superseded = document
        return references.load(self._tree.files.read(path), pack, superseded, hashed=hashed)
