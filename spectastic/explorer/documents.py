"""The documents that citations lead to, as pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.body import document
from spectastic.corpus.model import Outcome
from spectastic.explorer import clean

if TYPE_CHECKING:
    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution

#: So much of documents is kept for further specs that cite them, in characters.
_KEPT = 50_000_000


class Cited(NamedTuple):
    """A document that is shown at the end of the page. `anchor` is its id there."""

    anchor: str
    label: str
    outcome: str
    path: str
    license: str
    body: str


class Documents:
    """The documents that citations lead to, rendered, each once for many specs."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._kept: dict[tuple[str, str | None], Cited | None] = {}
        self._size = 0

    def of(self, resolution: Resolution) -> Cited | None:
        """The document, `None` where there is none that can be read."""
        key = resolution.id, resolution.edition
        if resolution.outcome is Outcome.NOTHING:
            return None
        if key not in self._kept:
            cited = self._rendered(resolution)
            self._size += 0 if cited is None else len(cited.body)
            if self._size > _KEPT:
                self._kept.clear()
                self._size = 0
            self._kept[key] = cited
        return self._kept[key]

    def _rendered(self, resolution: Resolution) -> Cited | None:
        read = document(self._corpus, resolution)
        if read is None or resolution.row is None:
            return None
        reference, body = read
        return Cited(
            f"{resolution.id}@{resolution.edition}",
            resolution.row.label,
            resolution.outcome.value,
            reference.path,
            reference.value("license"),
            clean.reachable(clean.markdown(body.text, demote=3)),
        )
