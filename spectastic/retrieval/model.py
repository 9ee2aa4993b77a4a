"""Prior art as values: documents, and what of each corpus is there."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.source import Unreadable

#: The fields that are compared: two with one value, three with a list.
SINGLE = ("component", "domain")
MANY = ("stack", "concerns", "tags")
FIELDS = (*SINGLE, *MANY)


class Kind(Enum):
    """Which of the three corpora a document belongs to, in the order in which equals are listed."""

    LESSON = "lesson"
    BUG = "bug"
    SPEC = "spec"

    @property
    def order(self) -> int:
        """Its place among the three."""
        return _ORDER[self]

    @property
    def plural(self) -> str:
        """The word for several."""
        return f"{self.value}s"


_ORDER = {kind: place for place, kind in enumerate(Kind)}
#: What the ids of a kind begin with.
PREFIXES = {Kind.SPEC: "REQ", Kind.LESSON: "LESSON", Kind.BUG: "BUG"}


class Document(NamedTuple):
    """A document with the values of its frontmatter as written.

    `path` is relative to the repository root. The lists hold each value once. `filled` tells whether any
    of `FIELDS` holds something, be it something that cannot be compared.
    """

    kind: Kind
    id: str
    title: str
    path: str
    status: str = ""
    component: str = ""
    domain: str = ""
    stack: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    filled: bool = False


class Shelf(NamedTuple):
    """One corpus: where it is, and what of it takes part.

    `left_out` are those that their status keeps out, `unreadable` those that cannot be taken for a
    document, and `notes` tell what was not understood of one that takes part. Where `missing`, there is
    no such folder.
    """

    kind: Kind
    folder: str
    admitted: tuple[Document, ...] = ()
    left_out: tuple[Document, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    notes: tuple[Unreadable, ...] = ()
    missing: bool = False

    @property
    def on_disk(self) -> int:
        """How many documents there are, readable or not."""
        return len(self.admitted) + len(self.left_out) + len(self.unreadable)


class Library(NamedTuple):
    """The three corpora below `folder`, which is relative to the repository root at `root`.

    `trouble` says what kept a whole folder from being read.
    """

    root: str
    folder: str
    shelves: Mapping[Kind, Shelf]
    trouble: tuple[Unreadable, ...] = ()

    @property
    def documents(self) -> tuple[Document, ...]:
        """All that take part: lessons, bugs, specs, each in the order of their paths."""
        return tuple(document for kind in Kind for document in self.shelves[kind].admitted)

    @property
    def kept_out(self) -> tuple[Document, ...]:
        """All that their status keeps out, in the same order."""
        return tuple(document for kind in Kind for document in self.shelves[kind].left_out)
