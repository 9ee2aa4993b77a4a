"""Prior art by words: BM25 over titles and texts. A mode of its own, never mixed into the rule's score."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic import ranking
from spectastic.retrieval.documents import body
from spectastic.retrieval.scoring import tie
from spectastic.source import Unreadable, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.retrieval.dates import Dated
    from spectastic.retrieval.model import Document


class Answer(NamedTuple):
    """A document that holds something of the query, and how well it answers."""

    document: Document
    score: float


def search(
    root: str, documents: Sequence[Document], query: Sequence[str], days: Mapping[str, Dated]
) -> tuple[Answer, ...]:
    """The documents that answer a query, which is as `ranking.tokens` gives it, best first.

    Those that answer alike come in the order of the rule. `days` has the day of each, by path.
    """
    found = ranking.rank(query, _texts(root, documents))
    answers = [Answer(documents[match.place], match.score) for match in found.matches]
    return tuple(
        sorted(answers, key=lambda answer: (-answer.score, *tie(answer.document, days[answer.document.path])))
    )


def _texts(root: str, documents: Sequence[Document]) -> Iterator[str]:
    """Title and text of each document; one that cannot be read any more has its title only."""
    for document in documents:
        source = read(root, document.path)
        text = b"" if isinstance(source, Unreadable) else body(source.data)
        yield f"{document.title}\n{text.decode('utf-8', 'replace')}"
