"""Retained editions: the documents in a `superseded/` folder, by file name and by frontmatter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.listing import Kind, is_document
from spectastic.corpus.model import SUPERSEDED, says_nothing

if TYPE_CHECKING:
    from collections.abc import Callable

    from spectastic.corpus.listing import Tree
    from spectastic.corpus.model import Reference, Row


class Retained:
    """The retained documents beside one folder of documents.

    File names answer first; the documents are only read when they are asked for. Both ways lead
    to a document: `<slug>@<edition>.md`, and `slug` and `edition` in its frontmatter. In documents
    of single-layer corpora, which have no slug, the `id` stands in for it.
    """

    __slots__ = ("_by_field", "_by_name", "_paths", "_read")

    def __init__(self, tree: Tree, folder: str, read: Callable[[str], Reference]) -> None:
        """`folder` is relative to the repository root; `read` reads a document by its path."""
        self._read = read
        self._by_name: dict[str, dict[str, str]] = {}
        self._by_field: dict[tuple[str, str], dict[str, str]] | None = None
        documents = [place for place in tree.entries(folder) if is_document(place.name)]
        self._paths = [place.path for place in documents if place.kind is Kind.FILE]
        for path in self._paths:
            named = retained_as(path)
            if named is not None:
                slug, edition = named
                self._by_name.setdefault(slug, {})[edition] = path

    def named(self, row: Row) -> dict[str, str]:
        """The editions of a row that file names tell, each with the path of its document."""
        return self._by_name.get(row.slug, {}) if row.slug else {}

    def declared(self, row: Row) -> dict[str, str]:
        """The editions of a row that frontmatter tells; this reads every document of the folder."""
        if self._by_field is None:
            self._by_field = {}
            for path in self._paths:
                reference = self._read(path)
                field = "slug" if reference.value("slug") else "id"
                edition = reference.value("edition")
                if not says_nothing(edition):
                    owner = (field, reference.value(field))
                    self._by_field.setdefault(owner, {}).setdefault(edition, path)
        by_id = self._by_field.get(("id", row.id), {})
        return {**by_id, **self._by_field.get(("slug", row.slug), {})} if row.slug else by_id


def folder_of(tree: Tree, row: Row) -> str:
    """The `superseded/` folder beside a row's document, `""` where there is none."""
    place = tree.find("/".join([*row.path.split("/")[:-1], SUPERSEDED]))
    return place.path if place.kind is Kind.FOLDER else ""


def retained_as(path: str) -> tuple[str, str] | None:
    """Slug and edition in the name of a retained document, `None` where it has another shape."""
    slug, at, edition = path.rpartition("/")[2].removesuffix(".md").partition("@")
    return (slug, edition) if slug and at and not says_nothing(edition) else None
