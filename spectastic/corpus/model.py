"""What the corpus is made of, as values: rows, references, packs, and what a citation leads to."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from spectastic.findings import Span
from spectastic.frontmatter import Field as Field  # noqa: TC001 - it is part of this model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.findings import Problem

#: The columns of the registry, as its header writes them and as `Row.cells` is keyed.
COLUMNS = ("KB-NNNN", "Marketplace", "Plugin", "Slug", "Title", "Edition", "Path", "Status")

#: The folder of retained documents, beside those that took their place; and the status of such a document.
SUPERSEDED = "superseded"

#: The status of a row whose document has gone.
ORPHANED = "orphaned"

#: The statuses of a reference that counts, of one that somebody here has yet to look at, and of those that
#: no decision may rest on before somebody has given a word.
AUTHORITATIVE = "authoritative"
UNCHECKED = "not-yet-spot-checked"
UNCONFIRMED = "not-citable-until-confirmed"
UNSIGNED = "not-citable-until-signed-off"

#: The columns of a pack's slug map, as `SlugEntry.cells` is keyed.
SLUG_COLUMNS = ("Slug", "Title", "Description", "Edition", "Path")


#: The span of what is wrong with a file or a folder as a whole.
NOWHERE = Span(0, 0)


def says_nothing(text: str) -> bool:
    """Whether a cell or a field is blank, or says `TODO`: somebody has yet to write it."""
    return text.strip() in ("", "TODO")


class Cell(NamedTuple):
    """A table cell: its text as a reader sees it, and where it stands in the file (trimmed).

    `target` is the destination of the first link in it, as written, `""` where there is none.
    """

    text: str
    span: Span
    target: str = ""


class Row(NamedTuple):
    """One row of the registry. `path` is relative to the corpus folder, as written.

    `status` is in lower case. `cells` maps the column names of `COLUMNS` to the cells that the row
    has; `span` is the row. `file` is the file the row stands in, relative to the repository root:
    the registry, or in a single-layer corpus the `index.md` of a pack or the document with the id.
    """

    id: str
    marketplace: str
    plugin: str
    slug: str
    title: str
    edition: str
    path: str
    status: str
    cells: Mapping[str, Cell]
    span: Span
    file: str = ""

    @property
    def label(self) -> str:
        """`marketplace · plugin · slug`, or the title where one of the three is blank."""
        parts = (self.marketplace, self.plugin, self.slug)
        return " · ".join(parts) if all(parts) else self.title


class Registry(NamedTuple):
    """`knowledge/index.md`, read: good rows in file order, and everything else as problems.

    `path` is relative to the repository root. `exists` is false where nothing has that name. In a
    single-layer corpus `rows` come from the packs, see `Row.file`. `hints` tell what is of an
    older kind and still works.
    """

    path: str
    rows: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()
    exists: bool = True
    hints: tuple[Problem, ...] = ()


class Reference(NamedTuple):
    """One document of the corpus; `path` is relative to the repository root.

    `fields` holds the scalar frontmatter fields as written. `digest` is the hash of the body as
    `content-hash` states it (`sha256:<64 hex>`, DESIGN section 3), `""` where nobody asked for it or
    there is no frontmatter. `problems` tells what is wrong with the frontmatter; `unreadable` why
    there is no document at all. `head` spans the frontmatter's opening line. `addressing` is what speaks to a
    model in the document, where its digest was asked for.
    """

    path: str
    pack: str
    superseded: bool
    fields: dict[str, Field]
    digest: str
    head: Span
    problems: tuple[Problem, ...] = ()
    unreadable: str = ""
    addressing: tuple[Problem, ...] = ()

    def value(self, name: str) -> str:
        """A field's value, `""` where the field is missing."""
        field = self.fields.get(name)
        return "" if field is None else field.value

    def span(self, name: str) -> Span:
        """Where a field's value stands; the frontmatter's first line where it is missing."""
        field = self.fields.get(name)
        return self.head if field is None else field.span


class SlugEntry(NamedTuple):
    """One row of a pack's slug map; `path` is relative to the pack."""

    slug: str
    title: str
    description: str
    edition: str
    path: str
    cells: Mapping[str, Cell]
    span: Span


class Pack(NamedTuple):
    """A folder directly under the corpus folder. `path` is relative to the repository root.

    `skill` is the path of its SKILL.md, `""` where there is none. `fields` is the frontmatter of
    SKILL.md (`name`, `description`), `problems` what is wrong with that frontmatter.
    """

    name: str
    path: str
    skill: str
    entries: tuple[SlugEntry, ...] = ()
    problems: tuple[Problem, ...] = ()
    fields: Mapping[str, Field] = MappingProxyType({})


class Outcome(Enum):
    """What a citation leads to."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    NOTHING = "nothing"


class Miss(Enum):
    """Why a citation leads to nothing."""

    NO_REGISTRY = "no registry"
    NO_SUCH_ID = "no such id"
    NO_SUCH_EDITION = "no such edition"
    DOCUMENT_MISSING = "document missing"
    DOCUMENT_UNREADABLE = "document unreadable"
    OUTSIDE_CORPUS = "path leaves the corpus"


class Resolution(NamedTuple):
    """The answer to one citation.

    `edition` is the edition that was found (for `NOTHING`, the one asked for). `path` is the
    document's path relative to the repository root, `""` where there is none. `row` is the registry row
    of the id, if any. `miss` and `detail` say why nothing was found; `detail` is a clause for
    people (which path, which spelling on disk).
    """

    outcome: Outcome
    id: str
    edition: str | None
    row: Row | None = None
    path: str = ""
    miss: Miss | None = None
    detail: str = ""
