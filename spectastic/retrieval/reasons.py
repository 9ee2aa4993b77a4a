"""Why a document is not among those that are shown."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.documents import EXCLUDED, RESOLVED, folded_status
from spectastic.retrieval.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from spectastic.retrieval.model import Document, Library
    from spectastic.retrieval.scoring import Hit
    from spectastic.source import Unreadable


class Outcome(Enum):
    """What became of a document."""

    SHOWN = "shown"
    BELOW = "below"
    OLDER = "older"
    UNRELATED = "unrelated"
    STATUS = "status"
    UNREADABLE = "unreadable"
    ITSELF = "itself"


class Reason(NamedTuple):
    """What became of one document with the id, in words; `hit` where it has a score."""

    outcome: Outcome
    path: str
    text: str
    document: Document | None = None
    hit: Hit | None = None


def why_not(
    library: Library,
    identifier: str,
    hits: Sequence[Hit],
    top: int,
    since: date | None = None,
    itself: str = "",
) -> tuple[Reason, ...]:
    """What became of each document with an id; none where there is no such document.

    `hits` is the whole ranking, with those that `since` leaves out; `itself` is the path of the document
    that the query was taken from.
    """
    return tuple(_reasons(library, identifier, hits, top, since, itself))


def _reasons(
    library: Library, identifier: str, hits: Sequence[Hit], top: int, since: date | None, itself: str
) -> Iterator[Reason]:
    newer = [hit for hit in hits if since is None or hit.dated.day > since]
    for document in library.documents:
        if document.id == identifier:
            yield _admitted(document, hits, newer, top, itself)
    for document in library.kept_out:
        if document.id == identifier:
            yield Reason(Outcome.STATUS, document.path, _by_status(document), document)
    for item in unreadable(library, identifier):
        yield Reason(Outcome.UNREADABLE, item.path, f"left out, because {item.message}")


def unreadable(library: Library, identifier: str) -> tuple[Unreadable, ...]:
    """What cannot be read, and would have an id by the name of its file or folder."""
    items = (item for shelf in library.shelves.values() for item in shelf.unreadable)
    return tuple(item for item in items if _names(item, identifier))


def _admitted(document: Document, hits: Sequence[Hit], newer: list[Hit], top: int, itself: str) -> Reason:
    if document.path == itself:
        return Reason(Outcome.ITSELF, document.path, "the query was taken from it", document)
    hit = next((hit for hit in hits if hit.document.path == document.path), None)
    if hit is None:
        text = "score 0: it shares no value with the query"
        return Reason(Outcome.UNRELATED, document.path, text, document)
    if hit not in newer:
        text = f"it is of {hit.dated.day.isoformat()}, which is not newer than what --since names"
        return Reason(Outcome.OLDER, document.path, text, document, hit)
    rank = newer.index(hit) + 1
    if rank <= top:
        text = f"it is shown: number {rank} of {len(newer)}"
        return Reason(Outcome.SHOWN, document.path, text, document, hit)
    last = newer[top - 1]
    text = (
        f"number {rank} of {len(newer)}, below the first {top}, the last of which has score {last.score}"
        f" and is of {last.dated.day.isoformat()}; --top {rank} shows it"
    )
    return Reason(Outcome.BELOW, document.path, text, document, hit)


def _by_status(document: Document) -> str:
    status = folded_status(document.status)
    if document.kind is Kind.BUG:
        what = f"its status is {status}" if status else "it has no status"
        return f"{what}, and bugs take part when they are {' or '.join(sorted(RESOLVED))}"
    return f"its status is {status}, and specs take part unless they are {', '.join(sorted(EXCLUDED))}"


def _names(item: Unreadable, identifier: str) -> bool:
    """Whether a path belongs to an id: `REQ-120` not to `REQ-1200-x`."""
    parts = (part.removesuffix(".md") for part in item.path.split("/"))
    return any(part == identifier or part.startswith(f"{identifier}-") for part in parts)
