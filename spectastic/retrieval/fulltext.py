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

#: Of so many documents, half are no measure of how common a word is.
FEW = 8
#: The idf of a word that stands in half of the documents; what stands in more has less.
_HALF = ranking.idf(2, 1)


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
    return _answers(documents, ranking.rank(query, _texts(root, documents)), days)


def alike(
    root: str, documents: Sequence[Document], text: str, days: Mapping[str, Dated]
) -> tuple[Answer, ...]:
    """The documents that are about the same as a text, best first; otherwise as `search`.

    Each word counts once, or one of a whole file would as often as it stands there. A word that stands in
    more than half of the documents does not: it tells none of them apart, in whatever language it is.
    """
    words = tuple(dict.fromkeys(ranking.tokens(text)))
    if not words:
        return ()
    found = ranking.rank(words, _texts(root, documents))
    if len(documents) > FEW:
        telling = [word for word in found.weights if found.weights[word] >= _HALF]
        if len(telling) < len(found.weights):
            found = ranking.rank(telling, _texts(root, documents))
    return _answers(documents, found, days)


def _answers(
    documents: Sequence[Document], found: ranking.Ranking, days: Mapping[str, Dated]
) -> tuple[Answer, ...]:
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
