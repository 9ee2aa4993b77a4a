"""The statuses that a project's own lifecycle files write, found by the patterns of a setting.

A status is written where a line sets `status:` to one word, as `statements` has it, and where a block
`<!-- retrieval-status: lifecycle-write -->` lists it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.discover import path_matcher
from spectastic.findings import Span
from spectastic.retrieval import statements
from spectastic.retrieval.documents import folded_status
from spectastic.source import Source, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.retrieval.trees import Tree

_BLOCK = b"retrieval-status"


class Written(NamedTuple):
    """A status as it is compared, and where it is written."""

    status: str
    path: str
    span: Span


class Lifecycle(NamedTuple):
    """The files that a pattern matches, what they write, and those that cannot be read."""

    pattern: str
    files: tuple[str, ...]
    written: tuple[Written, ...]
    unreadable: tuple[Unreadable, ...] = ()


def read(tree: Tree, patterns: Sequence[str]) -> tuple[Lifecycle, ...]:
    """What each pattern finds, in the order of the patterns. Raises nothing."""
    files = list(tree.files()) if patterns else []
    return tuple(_read(tree, pattern, files) for pattern in patterns)


def _read(tree: Tree, pattern: str, files: Sequence[str]) -> Lifecycle:
    matched = tuple(filter(path_matcher((pattern,)), files))
    written: list[Written] = []
    unreadable: list[Unreadable] = []
    for path in matched:
        data = tree.read(path)
        if isinstance(data, Unreadable):
            unreadable.append(data)
        else:
            written += written_in(path, data)
    return Lifecycle(pattern, matched, tuple(written), tuple(unreadable))


def written_in(path: str, data: bytes) -> Iterator[Written]:
    """The statuses that a file writes, each place once."""
    markdown = path.lower().endswith((".md", ".markdown"))
    places: dict[Span, str] = {}
    for start, end in statements.written(data, prose=markdown):
        places[Span(start, end)] = data[start:end].decode()
    if _BLOCK in data and markdown:
        from spectastic.spec import marked, page

        for block in marked.blocks(page.read(Source(path, data))):
            if block.kind == marked.WRITTEN:
                places.update((word.span, word.text) for word in block.statuses)
    for span in sorted(places):
        yield Written(folded_status(places[span]), path, span)
