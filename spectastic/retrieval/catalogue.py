"""Which ids have a document, whether it takes part in retrieval or not.

Folders are listed and names compared; a document is opened only when its id is asked for, and all of them
only for an id that no name has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval import documents, faults
from spectastic.retrieval.model import Kind
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.retrieval.trees import Tree

_NAME = re.compile(r"(?:REQ|LESSON|BUG)-[0-9]{3,6}(?=-|\.md\Z|/|\Z)")


class Entry(NamedTuple):
    """A document as a citation finds it: its status as it is compared, "" for none."""

    id: str
    path: str
    status: str = ""
    title: str = ""


class Catalogue:
    """The documents below `folder`, and below those of other projects that were copied here."""

    __slots__ = (
        "_by_field",
        "_called",
        "_entries",
        "_kinds",
        "_named",
        "_own",
        "_tree",
        "folder",
        "home",
        "trouble",
    )

    def __init__(self, tree: Tree, folder: str, siblings: Sequence[str] = ()) -> None:
        self._tree = tree
        self.folder = folder
        #: Why a folder cannot be read, "" if it can.
        self.trouble = ""
        self._kinds: dict[str, Kind] = {}
        self._named: defaultdict[str, list[str]] = defaultdict(list)
        self._by_field: defaultdict[str, list[str]] | None = None
        self._called: defaultdict[str, dict[str, None]] | None = None
        self._entries: dict[str, Entry] = {}
        self.home = self._list(folder)
        #: Documents of others have no say about what belongs to this project.
        self._own = frozenset(self._kinds)
        for sibling in siblings:
            self._list(sibling)

    def _list(self, folder: str) -> str:
        home = self._tree.home(folder)
        if isinstance(home, Unreadable):
            self.trouble = self.trouble or f"{home.path}: {home.message}"
            return folder
        for kind in Kind:
            listed = self._tree.listed(home, kind)
            if listed.trouble is not None:
                self.trouble = self.trouble or f"{listed.trouble.path}: {listed.trouble.message}"
            for path in listed.paths:
                self._kinds[path] = kind
                name = _NAME.match(_stem(path, kind))
                if name is not None:
                    self._named[name[0]].append(path)
        return home

    def kind(self, path: str) -> Kind | None:
        """Which corpus of this project a file is a document of."""
        return self._kinds.get(path) if path in self._own else None

    def find(self, identifier: str) -> tuple[Entry, ...]:
        """The documents with an id, in their name or in their frontmatter."""
        paths = self._named.get(identifier) or self._fields().get(identifier, [])
        return tuple(map(self._entry, paths))

    def called(self, identifier: str) -> Mapping[str, None]:
        """The paths, in order, of this project's documents that retrieval calls by an id."""
        if self._called is None:
            self._called = defaultdict(dict)
            for path, kind in self._kinds.items():
                data = self._tree.read(path) if path in self._own else None
                # Every document is read for this: no more is made of it than an id.
                found = documents.head_of(data) if isinstance(data, bytes) else None
                if found is not None and faults.left_out(found) is None:
                    self._called[documents.identifier(kind, path, found)][path] = None
        return self._called.get(identifier, {})

    def ids(self) -> frozenset[str]:
        """Every id that has a document."""
        return frozenset(self._named).union(self._fields())

    def specs(self) -> Iterator[Entry]:
        """The specs of this project."""
        return (
            self._entry(path) for path, kind in self._kinds.items() if self.kind(path) is kind is Kind.SPEC
        )

    def _fields(self) -> defaultdict[str, list[str]]:
        if self._by_field is None:
            self._by_field = defaultdict(list)
            for path in self._kinds:
                entry = self._entry(path)
                self._by_field[entry.id].append(path)
        return self._by_field

    def _entry(self, path: str) -> Entry:
        if path not in self._entries:
            data = self._tree.read(path)
            found = data if isinstance(data, Unreadable) else documents.parse(data, self._kinds[path], path)
            self._entries[path] = _entry(found, path, self._kinds[path])
        return self._entries[path]


def _entry(found: documents.Reading | Unreadable, path: str, kind: Kind) -> Entry:
    if isinstance(found, Unreadable):
        return Entry(_stem(path, kind), path)
    document = found.document
    return Entry(document.id, path, documents.folded_status(document.status), document.title)


def _stem(path: str, kind: Kind) -> str:
    parts = path.split("/")
    return parts[-2] if kind is Kind.SPEC else parts[-1]
