"""Which documents name which: ids in their texts, and what lies one step from the best hits."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.scoring import tie
from spectastic.source import Unreadable, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spectastic.retrieval.dates import Dated
    from spectastic.retrieval.model import Document, Library
    from spectastic.retrieval.scoring import Hit

#: How many of the hits are looked at.
NEAR = 8

_ID = re.compile(r"(?:REQ|LESSON|BUG)-[0-9]{3,6}")
# Longer numbers, words and digits of other scripts make another token: REQ-120 is not in REQ-1200.
_MENTION = re.compile(rf"(?<!\w){_ID.pattern}(?!\w)")


class Near(NamedTuple):
    """A document that is not among the hits: which of them cite it, which it cites, and how often in all."""

    document: Document
    cited_by: tuple[str, ...]
    cites: tuple[str, ...]
    mentions: int


def is_id(text: str) -> bool:
    """Whether a text is an id and nothing else."""
    return _ID.fullmatch(text) is not None


def mentions(text: str) -> Counter[str]:
    """How often a text names each id."""
    return Counter(_MENTION.findall(text))


def texts(root: str, documents: Iterable[Document]) -> dict[str, str]:
    """What the files of documents hold, by path; one that cannot be read any more holds nothing."""
    found: dict[str, str] = {}
    for document in documents:
        source = read(root, document.path)
        found[document.path] = "" if isinstance(source, Unreadable) else source.text
    return found


def see_also(
    library: Library, hits: Sequence[Hit], shown: int, days: Mapping[str, Dated], held: Mapping[str, str]
) -> tuple[Near, ...]:
    """The documents that the first hits cite, or that cite them, the most often named first.

    The first `shown` hits are told anyway. `days` and `held` have the day and the text of every document
    that takes part, by path.
    """
    told = {hit.document.path for hit in hits[:shown]}
    top = [hit.document for hit in hits[: min(shown, NEAR)]]
    outward = {document.id: mentions(held[document.path]) for document in top}
    found: list[Near] = []
    for document in library.documents:
        if document.path in told or document.id in outward:
            continue
        named = mentions(held[document.path])
        cited_by = tuple(identifier for identifier in outward if outward[identifier][document.id])
        cites = tuple(identifier for identifier in outward if named[identifier])
        if cited_by or cites:
            count = sum(outward[identifier][document.id] for identifier in cited_by)
            found.append(Near(document, cited_by, cites, count + sum(map(named.__getitem__, cites))))
    return tuple(
        sorted(found, key=lambda near: (-near.mentions, *tie(near.document, days[near.document.path])))
    )
