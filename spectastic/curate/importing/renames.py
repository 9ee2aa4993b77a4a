"""What an import does to the names of references that are here: another slug, another status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.curate.documents import with_fields
from spectastic.curate.plan import CurateError, FileChange, about
from spectastic.curate.supersede import Move, moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.importing.offers import Offer
    from spectastic.curate.workspace import Workspace


def renamed(
    rows: Mapping[str, Row], offers: Iterable[Offer], documents: Mapping[str, Reference]
) -> dict[str, str]:
    """The new slugs of references, by the old ones. Pure.

    A reference is renamed where its slug is offered no more, and its text is under a new slug: once here,
    and once there. `rows` and their `documents` are those of a pack here, by slug.
    """
    offered = list(offers)
    slugs = {offer.slug for offer in offered}
    gone = [documents[slug].digest for slug in rows if slug not in slugs and slug in documents]
    new = [offer.copy.digest for offer in offered if offer.slug not in rows]
    found: dict[str, str] = {}
    for slug in rows:
        digest = documents[slug].digest if slug in documents and slug not in slugs else ""
        if digest and gone.count(digest) == new.count(digest) == 1:
            found[slug] = next(
                offer.slug for offer in offered if offer.slug not in rows and offer.copy.digest == digest
            )
    return found


def rename(workspace: Workspace, rows: Iterable[tuple[Row, str]]) -> Iterator[FileChange]:
    """Rows, each with its new slug: their documents, retained ones too, and tables. Raises `CurateError`."""
    moves: list[Move] = []
    for row, slug in rows:
        corpus = workspace.corpus
        path = corpus.find(row.id, None).path
        folder = path.rpartition("/")[0]
        yield from _moved(workspace, path, f"{folder}/{slug}.md", slug)
        for edition in corpus.editions(row.id)[1:]:
            old = corpus.find(row.id, edition).path
            yield from _moved(workspace, old, f"{old.rpartition('/')[0]}/{slug}@{edition}.md", slug)
        new = f"{folder}/{slug}.md".removeprefix(f"{workspace.folder}/")
        inside = new.partition("/")[2]
        moves.append(Move(row, path, {"Slug": slug, "Path": new}, {"Slug": slug, "Path": inside}))
    if moves:
        yield from moved(workspace, moves)


def _moved(workspace: Workspace, old: str, new: str, slug: str) -> Iterator[FileChange]:
    """A document in another place, with its new slug."""
    data = workspace.read(old)
    assert data is not None  # noqa: S101 - a citation leads there
    if workspace.exists(new):
        raise CurateError(f"{new} is there already, so {old} cannot get this name", "compare the two")
    with about(old):
        after = with_fields(data, {"slug": slug})
    yield FileChange(old, data, None)
    yield FileChange(new, None, after)


def marked(row: Row, status: str) -> Move:
    """A row with another status: `orphaned`, or none as its document is delivered again."""
    return Move(row, "", {"Status": status}, {})
