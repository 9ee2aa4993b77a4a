"""Finding the rows of one table that answer a query.

The arithmetic is that of `spectastic.ranking`; here it has the names of the grounding contract, version 1.
"""

from __future__ import annotations

import os
from array import array

from spectastic import ranking
from spectastic.grounding.retrievers import (
    RETRIEVERS,
    apply_filters,
    document,
    fitting,
    ranks,
    retrieve,
    text_of,
)
from spectastic.grounding.table import CorpusError, Row, Table
from spectastic.text import nearest, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spectastic.grounding.results import RowsResult, Told

__all__ = [
    "BM25",
    "RETRIEVERS",
    "CorpusError",
    "Found",
    "apply_filters",
    "find",
    "load_csv",
    "search_rows",
]

#: One letter alone is near to nothing.
_TWO = 2


class BM25:
    """An index of texts, by the contract's names.

    After `fit`, `corpus` has the words of each text and `doc_lengths` how many these are, `avgdl` their mean,
    `N` how many texts there are; by word, `doc_freqs` says in how many it stands and `idf` what it is worth.
    """

    tokenize = staticmethod(ranking.tokens)

    def __init__(self, k1: float = ranking.K1, b: float = ranking.B) -> None:
        self.k1 = k1
        self.b = b
        self.fit([])

    def fit(self, documents: Iterable[object]) -> None:
        """Index texts; what was indexed before is forgotten."""
        self.corpus = [ranking.tokens(text_of(document)) for document in documents]
        self.N = len(self.corpus)
        self.doc_lengths = [len(words) for words in self.corpus]
        self.avgdl = sum(self.doc_lengths) / self.N if self.N else 0.0
        self.doc_freqs: dict[str, int] = {}
        for words in self.corpus:
            for word in dict.fromkeys(words):
                self.doc_freqs[word] = self.doc_freqs.get(word, 0) + 1
        self.idf = {word: ranking.idf(self.N, held) for word, held in self.doc_freqs.items()}

    def score(self, query: object) -> list[tuple[int, float]]:
        """Every text by its place (from 0) and its score, best first; those alike in their order."""
        asked = [(word, self.idf[word]) for word in ranking.tokens(text_of(query)) if word in self.idf]
        scores = [
            (
                place,
                ranking.score(
                    [(weight, words.count(word)) for word, weight in asked],
                    len(words),
                    self.avgdl,
                    self.k1,
                    self.b,
                ),
            )
            for place, words in enumerate(self.corpus)
        ]
        return sorted(scores, key=lambda pair: -pair[1])


def load_csv(path: str | os.PathLike[str]) -> list[Row]:
    """All rows of a CSV file, by column; a cell that a short row lacks is `None`. Raises `CorpusError`."""
    with Table(os.fspath(path), os.fspath(path)) as table:
        return list(table.rows())


class Found:
    """What a search found: rows with their scores, and for each the words of the query that it holds.

    `total` counts the rows of the table, `kept` those that the filters leave. `used` are the words that
    were looked for; `dropped` those too short, each with a near word of the table or `None`. `warnings` say
    what is odd about the table. `lacking` are the columns of filters that it does not have, each with one
    that was perhaps meant, or "".
    """

    __slots__ = (
        "dropped",
        "kept",
        "lacking",
        "matched",
        "rows",
        "scores",
        "suggestions",
        "total",
        "used",
        "warnings",
    )

    def __init__(
        self,
        *,
        rows: list[Row],
        scores: list[float],
        matched: list[list[str]],
        total: int,
        kept: int,
        used: list[str],
        dropped: dict[str, str | None],
        suggestions: list[str],
        warnings: list[str],
        lacking: dict[str, str],
    ) -> None:
        self.rows = rows
        self.scores = scores
        self.matched = matched
        self.total = total
        self.kept = kept
        self.used = used
        self.dropped = dropped
        self.suggestions = suggestions
        self.warnings = warnings
        self.lacking = lacking


def find(
    path: str,
    name: str,
    columns: tuple[Sequence[str], Sequence[str]],
    query: str,
    max_results: int,
    filters: Mapping[str, object] | None = None,
    retriever: str = "bm25",
) -> Found:
    """Search a table, gone through once; `columns` are those to search and those to give.

    Raises:
        CorpusError: the table cannot be read.
        ValueError: there is no such retriever, or `max_results` is negative.
    """
    _check(retriever, max_results)
    worded = ranks(retriever, query)
    used = list(dict.fromkeys(ranking.tokens(query))) if worded else []
    dropped = list(dict.fromkeys(ranking.dropped(query))) if worded else []
    with Table(path, name) as table:
        lacking = _look_at_columns(table, columns, filters or {})
        kept = _Kept(table, columns[0], filters)
        best = retrieve(retriever, kept.texts(), query, max_results)
        spelling = dropped or (used and not best)
        vocabulary = ranking.vocabulary(_Kept(table, columns[0], filters).texts()) if spelling else set()
        shown = _shown(table, [kept.places[place] for place, _ in best], columns, used)
        return Found(
            rows=[row for row, _ in shown],
            scores=[score for _, score in best],
            matched=[words for _, words in shown],
            total=kept.total,
            kept=len(kept.places),
            used=used,
            dropped={word: _near(word, vocabulary) for word in dropped},
            suggestions=[] if best else _suggestions(used, vocabulary),
            warnings=table.warnings,
            lacking=lacking,
        )


def _shown(
    table: Table, starts: Sequence[int], columns: tuple[Sequence[str], Sequence[str]], used: Sequence[str]
) -> list[tuple[Row, list[str]]]:
    """What is given of the rows that begin on some lines, and the words that each holds, in their order.

    They are read in the order of the file, and not kept whole: a row may be long, and there may be many.
    """
    found: dict[int, tuple[Row, list[str]]] = {}
    ordered = sorted(starts)
    for line, row in zip(ordered, table.rows_at(ordered), strict=True):
        cells = {column: row[column] for column in columns[1] if column in row}
        found[line] = (cells, _matched(used, document(row, columns[0])))
    return [found[line] for line in starts]


class _Kept:
    """The rows that filters leave: where each stands in the table, once they were gone through."""

    def __init__(self, table: Table, columns: Sequence[str], filters: Mapping[str, object] | None) -> None:
        self._table = table
        self._columns = columns
        self._filters = filters or {}
        self.places = array("Q")
        self.total = 0

    def texts(self) -> Iterator[str]:
        """What of each row is searched. No row by column is made of one that need not be."""
        self.places = array("Q")
        self.total = 0
        table, width = self._table, len(self._table.header)
        places = {column: place for place, column in enumerate(table.header)}
        searched = [places[column] for column in self._columns if column in places]
        fits = fitting(self._filters)
        for cells in table.cells():
            self.total += 1
            if self._filters and not fits(table.row(cells)):
                continue
            self.places.append(table.at)
            if len(cells) < width:
                yield " ".join([cells[place] for place in searched if place < len(cells)])
            else:
                yield " ".join([cells[place] for place in searched])


def _check(retriever: str, max_results: int) -> None:
    if retriever not in RETRIEVERS:
        known = ", ".join(sorted(RETRIEVERS))
        raise ValueError(f"there is no retriever '{short(str(retriever))}'; it is one of {known}")
    if max_results < 0:
        raise ValueError(f"max_results is {max_results}; it cannot be less than 0")


def _look_at_columns(
    table: Table, columns: tuple[Sequence[str], Sequence[str]], filters: Mapping[str, object]
) -> dict[str, str]:
    """Tell of columns that the table does not have; gives those of filters, as `Found.lacking`."""
    lacking = {}
    for what, names in zip(("search", "output", "filter"), (*columns, list(filters)), strict=True):
        for name in names:
            if name not in table.header:
                meant = nearest(name, [column.lower() for column in table.header])
                real = next((column for column in table.header if column.lower() == meant), "")
                hint = f"; did you mean '{short(real)}'?" if real else ""
                table.warn(1, f"there is no {what} column '{short(name)}'{hint}")
                if what == "filter":
                    lacking[name] = real
    return lacking


def _matched(used: Sequence[str], text: str) -> list[str]:
    held = frozenset(ranking.tokens(text))
    return [word for word in used if word in held]


def _near(word: str, vocabulary: set[str]) -> str | None:
    """A word of the table for one that is too short, if one is near.

    It is spelt nearly so; or in scripts that write words in two characters, it begins so.
    """
    if len(word) < _TWO:
        return None
    if word.isascii():
        return nearest(word, vocabulary) or None
    return min((other for other in vocabulary if other.startswith(word)), key=_by_length, default=None)


def _by_length(word: str) -> tuple[int, str]:
    return (len(word), word)


def _suggestions(used: Sequence[str], vocabulary: set[str]) -> list[str]:
    """For words that stand in no row, those of the table that are spelt nearly so."""
    near = (nearest(word, vocabulary) for word in used)
    return list(dict.fromkeys(filter(None, near)))


def search_rows(
    filepath: str | os.PathLike[str],
    search_cols: Sequence[str],
    output_cols: Sequence[str],
    query: str,
    max_results: int = 3,
    filters: Mapping[str, object] | None = None,
    retriever: str = "bm25",
) -> RowsResult:
    """Search a CSV file; a file that cannot be read is an `error` in the result.

    Raises:
        ValueError: there is no such retriever, or `max_results` is negative.
    """
    _check(retriever, max_results)
    path = os.fspath(filepath)
    try:
        found = find(path, path, (search_cols, output_cols), query, max_results, filters, retriever)
    except CorpusError as error:
        return {"error": str(error), "count": 0, "results": []}
    return {**counted(found), **told(found)}


def counted(found: Found) -> RowsResult:
    """The rows of a result, with their scores."""
    return {
        "count": len(found.rows),
        "results": found.rows,
        "scores": found.scores,
        "filtered_from": found.total,
    }


def told(found: Found) -> Told:
    """What a result says beyond the first version of the contract."""
    return {
        "tokens_used": found.used,
        "tokens_dropped": found.dropped,
        "matched_terms": found.matched,
        "suggestions": found.suggestions,
        "corpus_warnings": found.warnings,
    }
