"""Which rows count, and the ways to find the best of them. Pure."""

from __future__ import annotations

from spectastic import ranking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    from spectastic.grounding.table import Row

    class Retriever(Protocol):
        """Gives the best rows, each with its score."""

        def __call__(
            self, rows: Iterable[Row], search_cols: Sequence[str], query: str, max_results: int
        ) -> list[tuple[Row, float]]:
            """Find rows."""


def apply_filters(rows: Sequence[Row], filters: Mapping[str, object] | None) -> Sequence[Row]:
    """The rows, in order, whose cells hold what is asked for, whatever its case.

    `filters` has for each column a text, or a list of which any does. A row without a column, or with a null
    cell, has empty text there. Without filters these are the rows themselves.
    """
    if not filters:
        return rows
    return list(filter(fitting(filters), rows))


def fitting(filters: Mapping[str, object]) -> Callable[[Mapping[str, object]], bool]:
    """Whether a row is one that filters leave."""
    wanted = [
        (column, [text_of(one).lower() for one in (value if isinstance(value, list) else [value])])
        for column, value in filters.items()
    ]

    def fits(row: Mapping[str, object]) -> bool:
        for column, texts in wanted:
            cell = text_of(row.get(column)).lower()
            if not any(text in cell for text in texts):
                return False
        return True

    return fits


def text_of(value: object) -> str:
    """A value as text; null is empty."""
    return "" if value is None else str(value)


def document(row: Mapping[str, object], columns: Sequence[str]) -> str:
    """What of a row is searched."""
    return " ".join([text_of(row.get(column)) for column in columns])


def retrieve(retriever: str, texts: Iterable[str], query: str, max_results: int) -> list[tuple[int, float]]:
    """The best of some texts, by place and score: as `ranking.rank` does, or only the first ones.

    `structured` never goes by words, and `hybrid` only if the query is not blank.
    """
    if not ranks(retriever, query):
        count = sum(1 for _ in texts)
        return [(place, 1.0) for place in range(min(count, max_results))]
    found = ranking.rank(ranking.tokens(query), texts, limit=max_results)
    return [(match.place, match.score) for match in found.matches]


def ranks(retriever: str, query: str) -> bool:
    """Whether a retriever goes by words."""
    return retriever == "bm25" or (retriever == "hybrid" and bool(query.strip()))


def _retriever(name: str) -> Retriever:
    def run(
        rows: Iterable[Row], search_cols: Sequence[str], query: str, max_results: int
    ) -> list[tuple[Row, float]]:
        held = list(rows)
        texts = (document(row, search_cols) for row in held)
        return [(held[place], score) for place, score in retrieve(name, texts, query, max(0, max_results))]

    return run


RETRIEVERS: Mapping[str, Retriever] = {name: _retriever(name) for name in ("bm25", "structured", "hybrid")}
