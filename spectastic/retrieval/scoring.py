"""The rule: how well a document matches a query, and which comes first. Pure.

+3 for the same component, +2 for the same domain, +2 for each shared concern, +1 for each shared entry of
the stack and each shared tag; a lesson that says nothing of itself gets 1. What scores 0 does not take part.
The highest score comes first, then the newest, then lessons before bugs before specs, then by id as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.dates import UNDATED, own
from spectastic.retrieval.model import MANY, SINGLE, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from spectastic.retrieval.dates import Dated
    from spectastic.retrieval.model import Document
    from spectastic.retrieval.query import Query

#: What one match in each field is worth.
POINTS = {"component": 3, "domain": 2, "concerns": 2, "stack": 1, "tags": 1}
#: What a lesson is worth that has none of the five fields filled.
FLOOR = 1
#: How many documents are told, unless more or fewer are asked for.
TOP = 15


class Part(NamedTuple):
    """What one value adds to a score; for the floor, both `field` and `value` are empty."""

    field: str
    value: str
    points: int


class Hit(NamedTuple):
    """A document that takes part, with the sum of its parts and the day that it is taken to be of."""

    document: Document
    score: int
    parts: tuple[Part, ...]
    dated: Dated


def parts(query: Query, document: Document) -> tuple[Part, ...]:
    """What makes up the score of a document, in the order of the fields, each value once."""
    found = [
        Part(field, value, POINTS[field])
        for field in SINGLE
        if (value := getattr(query, field)) and value == getattr(document, field)
    ]
    for field in MANY:
        held = getattr(document, field)
        found += (Part(field, value, POINTS[field]) for value in getattr(query, field) if value in held)
    if document.kind is Kind.LESSON and not document.filled:
        found.append(Part("", "", FLOOR))
    return tuple(found)


def rank(
    query: Query,
    documents: Iterable[Document],
    file_dates: Callable[[Sequence[Document]], Mapping[str, Dated]],
) -> tuple[Hit, ...]:
    """All documents with a score, in the order of the rule: it is total, whatever order they come in.

    `file_dates` tells by path when files were last changed. It is asked once, and only for those whose day
    is not in their frontmatter.
    """
    scored = [(document, found) for document in documents if (found := parts(query, document))]
    days = dated([document for document, _ in scored], file_dates)
    hits = [
        Hit(document, sum(part.points for part in found), found, days[document.path])
        for document, found in scored
    ]
    return tuple(sorted(hits, key=order))


def dated(
    documents: Sequence[Document], file_dates: Callable[[Sequence[Document]], Mapping[str, Dated]]
) -> dict[str, Dated]:
    """The day of each document, by path: the first that there is of `updated`, `created`, file and epoch."""
    days = {document.path: own(document) for document in documents}
    undated = [document for document in documents if days[document.path] is None]
    of_files = file_dates(undated) if undated else {}
    return {path: day or of_files.get(path, UNDATED) for path, day in days.items()}


def order(hit: Hit) -> tuple[int, int, int, str, str]:
    """What hits are sorted by. Two documents of one id are told apart by their paths."""
    return -hit.score, *tie(hit.document, hit.dated)


def tie(document: Document, day: Dated) -> tuple[int, int, str, str]:
    """What documents with equal scores are sorted by."""
    return -day.day.toordinal(), document.kind.order, document.id, document.path


def tied(hits: Sequence[Hit], top: int) -> int:
    """How many of those below the first `top` have the same score as the last of these."""
    if not 0 < top < len(hits):
        return 0
    return sum(hit.score == hits[top - 1].score for hit in hits[top:])
