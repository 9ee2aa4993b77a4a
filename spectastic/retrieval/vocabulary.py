"""The values that documents are filed under: how often each is used, and which of them were meant. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from spectastic import ranking
from spectastic.retrieval.model import FIELDS, SINGLE
from spectastic.retrieval.query import Query, of_document
from spectastic.text import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spectastic.retrieval.fulltext import Answer
    from spectastic.retrieval.model import Document

    Vocabulary = Mapping[str, Counter[str]]

#: How alike a value must be to the one that was meant.
_ALIKE = 0.7
#: Of how many documents values are taken for a proposal, and how many values at most, by field.
_LIKE = 8
_MOST = {"component": 1, "domain": 1, "stack": 3, "concerns": 3, "tags": 5}


class Unknown(NamedTuple):
    """A value of a query that no document has in this field.

    `near` is the value that was perhaps meant, with the number of documents that have it; `elsewhere` names
    the fields in which the very same value is used.
    """

    field: str
    value: str
    near: str = ""
    uses: int = 0
    elsewhere: tuple[str, ...] = ()


def of(documents: Iterable[Document]) -> Vocabulary:
    """How many documents have each value, by field."""
    found: dict[str, Counter[str]] = {field: Counter() for field in FIELDS}
    for document in documents:
        for field, value in of_document(document).values():
            found[field][value] += 1
    return found


def unknown(query: Query, vocabulary: Vocabulary) -> tuple[Unknown, ...]:
    """The values of a query that match nothing, in the order of the query."""
    return tuple(
        _unknown(field, value, vocabulary) for field, value in query.values() if not vocabulary[field][value]
    )


def _unknown(field: str, value: str, vocabulary: Vocabulary) -> Unknown:
    words: dict[str, str] = {}
    # The most used spelling stands for all that are alike but for case and separators.
    for word, _ in sorted(vocabulary[field].items(), key=lambda item: (-item[1], item[0])):
        words.setdefault(word.lower().replace("_", "-"), word)
    near = words.get(nearest(value, words, _ALIKE, parts=True), "")
    elsewhere = tuple(other for other in FIELDS if other != field and vocabulary[other][value])
    return Unknown(field, value, near, vocabulary[field][near] if near else 0, elsewhere)


def propose(text: str, answers: Sequence[Answer], vocabulary: Vocabulary) -> Query:
    """Values for a query about a text, all of them in use.

    They are those of the documents that answer the text best, each weighed by how well these do, and those
    whose own words all stand in the text. Of each field, those that weigh at least half as much as the best.
    """
    best = answers[0].score if answers else 1.0
    held = frozenset(ranking.tokens(text))
    weights: dict[str, Counter[str]] = {field: Counter() for field in FIELDS}
    for answer in answers[:_LIKE]:
        for field, value in of_document(answer.document).values():
            weights[field][value] += answer.score  # type: ignore[assignment]
    for field in FIELDS:
        for value in vocabulary[field]:
            words = ranking.tokens(value.replace("_", " "))
            if words and held.issuperset(words):
                weights[field][value] += best  # type: ignore[assignment]
    chosen = {field: _heaviest(weights[field], vocabulary[field])[: _MOST[field]] for field in FIELDS}
    return Query(**{field: "".join(chosen[field]) if field in SINGLE else chosen[field] for field in FIELDS})  # type: ignore[arg-type]


def _heaviest(weights: Mapping[str, float], uses: Mapping[str, int]) -> tuple[str, ...]:
    most = max(weights.values(), default=0.0)
    kept = [value for value in weights if weights[value] * 2 >= most]
    return tuple(sorted(kept, key=lambda value: (-weights[value], -uses[value], value)))
