"""Blocks of statuses that a program can read, in Markdown.

<!-- retrieval-status: spec-exclude -->
- `draft`
- `superseded`
<!-- /retrieval-status -->
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Span
    from spectastic.spec.page import Page
    from spectastic.spec.structure import Word

#: What the statuses of a block are: left out by retrieval, or written by the file that the block stands in.
EXCLUDED, WRITTEN = "spec-exclude", "lifecycle-write"
KINDS = (EXCLUDED, WRITTEN)
STRAY = "/"


class Block(NamedTuple):
    """One block: `span` is its opening marker. `statuses` are as written, with places in the file.

    A marker that ends no block is one of the kind `STRAY`.
    """

    kind: str
    span: Span
    statuses: tuple[Word, ...]
    closed: bool


def blocks(page: Page) -> Iterator[Block]:
    """The blocks of a document, in order. One that never ends has the items up to the next marker."""
    entries = iter(page.entries)
    entry = next(entries, None)
    for index, marker in enumerate(page.markers):
        following = page.markers[index + 1] if index + 1 < len(page.markers) else None
        statuses: list[Word] = []
        while entry is not None and (following is None or entry.start < following.span.start):
            word = entry.code or entry.word
            if word is not None and entry.start > marker.span.start:
                statuses.append(word._replace(text=word.text.strip(), span=page.place(word.span)))
            entry = next(entries, None)
        if not marker.closes:
            closed = following is not None and following.closes
            yield Block(marker.kind, page.place(marker.span), tuple(statuses), closed)
        elif index == 0 or page.markers[index - 1].closes:
            yield Block(STRAY, page.place(marker.span), (), closed=False)
