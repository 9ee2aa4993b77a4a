"""What there is to cite: each row of the registry with what its documents say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import ORPHANED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Row


class Entry(NamedTuple):
    """A row, the pack (a folder) of its document, and the editions that exist, the current one first.

    `path` is that of the current document relative to the root, `""` where there is none. `status` is
    what a reader should know first: that the row is orphaned, why it leads to no document, or else the
    status of the document.
    """

    row: Row
    pack: str
    editions: tuple[str, ...]
    path: str
    status: str


def catalog(corpus: Corpus) -> Iterator[Entry]:
    """Every row that counts, in the order of the registry."""
    for identifier in corpus.rows:
        yield entry(corpus, identifier)


def entry(corpus: Corpus, identifier: str) -> Entry:
    """The entry of a registered id."""
    row = corpus.rows[identifier]
    current = corpus.find(identifier, None)
    reference = corpus.reference_for(current)
    path = "" if reference is None else reference.path
    if row.status == ORPHANED:
        status = ORPHANED
    elif reference is None:
        status = "" if current.miss is None else current.miss.value
    else:
        status = reference.value("status")
    return Entry(row, row.path.partition("/")[0], corpus.editions(identifier), path, status)
