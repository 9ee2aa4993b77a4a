from __future__ import annotations

import json
import math
import os
import random
import tempfile
import tracemalloc
from math import isclose, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from tables import table

from spectastic import ranking
from spectastic.grounding import lines
from spectastic.grounding.bm25_search import (
    BM25,
    RETRIEVERS,
    CorpusError,
    apply_filters,
    find,
    load_csv,
    search_rows,
)
from spectastic.grounding.table import MOST_WARNINGS, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

# Worked out on paper. k1 = 1.5 and b = 0.75: above the line stands 2.5 tf, below it for a text of the average
# length tf + 1.5.
PAPER: list[tuple[list[str], str, list[tuple[int, float]]]] = [
    # Lengths 2 and 2, average 2. "red" is in one text of two: ln(1.5 / 1.5 + 1) = ln 2; tf 1: 2.5 / 2.5 = 1.
    (["red apple", "green apple"], "red", [(0, log(2)), (1, 0.0)]),
    # Lengths 4, 1, 1, average 2. "tea" is in two of three: ln(1.5 / 2.5 + 1) = ln 1.6.
    # Text 0: tf 2 and 1.5 * (0.25 + 0.75 * 4 / 2) = 2.625. Text 1: tf 1 and 1.5 * (0.25 + 0.375) = 0.9375.
    (
        ["tea tea milk sugar", "tea", "water"],
        "tea",
        [(1, log(1.6) * 2.5 / 1.9375), (0, log(1.6) * 5 / 4.625), (2, 0.0)],
    ),
    # Lengths 3, 3, 3, 3. "cat": two of four, ln(2.5 / 2.5 + 1) = ln 2. "dog": one of four,
    # ln(3.5 / 1.5 + 1) = ln 10/3. "cat" is asked for twice and counts twice, "eel" is nowhere, "ox" too
    # short. Equals stay in file order.
    (
        ["cat sat mat", "dog and cat", "one two six", "six two one"],
        "cat ox dog eel cat",
        [(1, log(2) + log(10 / 3) + log(2)), (0, log(2) + log(2)), (2, 0.0), (3, 0.0)],
    ),
]


@pytest.mark.parametrize(("texts", "query", "expected"), PAPER)
def test_scores_worked_out_on_paper(texts: list[str], query: str, expected: list[tuple[int, float]]) -> None:
    index = BM25()
    index.fit(texts)
    found = index.score(query)
    assert [place for place, _ in found] == [place for place, _ in expected]
    for (_, score), (_, wanted) in zip(found, expected, strict=True):
        assert isclose(score, wanted, rel_tol=1e-12)


def test_attributes() -> None:
    index = BM25(k1=1.2, b=0.5)
    index.fit(["Red red fox", None, 12345, "fox"])
    assert (index.k1, index.b, index.N) == (1.2, 0.5, 4)
    assert index.corpus == [["red", "red", "fox"], [], ["12345"], ["fox"]]
    assert index.doc_lengths == [3, 0, 1, 1]
    assert index.avgdl == 5 / 4
    assert index.doc_freqs == {"red": 1, "fox": 2, "12345": 1}
    assert index.idf["fox"] == log(2.5 / 2.5 + 1)


def test_nothing_to_fit() -> None:
    index = BM25()
    assert index.score("fox") == []
    index.fit([])
    assert (index.N, index.avgdl, index.score("fox")) == (0, 0.0, [])
    index.fit(["", "a b"])
    assert index.score("fox") == [(0, 0.0), (1, 0.0)]


def test_constants_of_zero() -> None:
    index = BM25(k1=0)
    index.fit(["fox", "hen"])
    assert index.score("fox") == [(0, log(2)), (1, 0.0)]


class Contract(BM25Okapi):  # type: ignore[misc]
    """Another project's engine, with the contract's idf in place of its own."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, held in nd.items():
            self.idf[word] = math.log((self.corpus_size - held + 0.5) / (held + 0.5) + 1)


def other_engine(texts: Sequence[str], query: str) -> list[float]:
    # It cannot have no words at all.
    corpus = [ranking.tokens(text) for text in texts]
    found: list[float] = Contract(corpus).get_scores(ranking.tokens(query)).tolist()
    return found


VOCABULARY = [
    "glass",
    "soft",
    "dark",
    "mode",
    "saas",
    "shop",
    "café",
    "結算周期",
    "k1",
    "ui_kit",
    "2024",
    "ox",
]
TEXTS = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=9).map(" ".join), min_size=1, max_size=12)
QUERIES = st.lists(st.sampled_from([*VOCABULARY, "nowhere"]), max_size=6).map(" ".join)


@given(TEXTS, QUERIES)
def test_scores_are_those_of_another_engine(texts: list[str], query: str) -> None:
    if not any(map(ranking.tokens, texts)):
        return
    index = BM25()
    index.fit(texts)
    wanted = other_engine(texts, query)
    found = index.score(query)
    for place, score in found:
        assert isclose(score, wanted[place], rel_tol=1e-9, abs_tol=0)
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0]))
    rows: list[dict[str, str | None]] = [{"Text": text} for text in texts]
    assert RETRIEVERS["bm25"](rows, ["Text"], query, len(texts)) == [
        (rows[place], score) for place, score in found if score > 0
    ]


def generated(rows: int, seed: int = 7) -> tuple[list[str], list[list[str]]]:
    """A table as those of designs are: prose with signs and accents, codes, and lists of keywords."""
    chance = random.Random(seed)
    words = [*VOCABULARY, "#2563EB", "⚡fast", "(12-16px)", "don't", "e-commerce", "line\nbreak", 'a "quote"']
    weights = [1 / (at + 1) for at in range(len(words))]
    header = ["No", "Name", "Keywords", "Notes"]
    return header, [
        [
            str(at),
            *(", ".join(chance.choices(words, weights, k=chance.randint(0, size))) for size in (2, 9, 40)),
        ]
        for at in range(rows)
    ]


@pytest.mark.parametrize(
    "query", ["glass dark", "café 2024 fast", "saas saas commerce dashboard", "結算周期", "break"]
)
def test_a_table_is_searched_as_another_engine_would(tmp_path: Path, query: str) -> None:
    header, rows = generated(700)
    path = table(tmp_path / "t.csv", header, rows)
    wanted = other_engine([f"{row[2]} {row[3]}" for row in rows], query)
    order = sorted(range(len(rows)), key=lambda at: -wanted[at])[:25]
    found = search_rows(path, ["Keywords", "Notes"], ["No"], query, 25)
    assert [row["No"] for row in found["results"]] == [str(at) for at in order]
    for score, at in zip(found["scores"], order, strict=True):
        assert isclose(score, wanted[at], rel_tol=1e-9)


# Filters.

ROWS: list[dict[str, str | None]] = [
    {"Name": "One", "Tier": "Subtle", "No": "1"},
    {"Name": "Two", "Tier": "Standard", "No": "10"},
    {"Name": "None", "Tier": None, "No": "2"},
]
FILTERS: list[tuple[dict[str, Any] | None, list[int]]] = [
    (None, [0, 1, 2]),
    ({}, [0, 1, 2]),
    ({"Tier": "STAND"}, [1]),
    ({"Tier": ["subtle", "standard"]}, [0, 1]),
    ({"Tier": []}, []),
    ({"Tier": ""}, [0, 1, 2]),
    ({"Tier": None}, [0, 1, 2]),
    ({"Tier": "none"}, []),
    ({"Name": "none"}, [2]),
    ({"No": 1}, [0, 1]),
    ({"No": 1, "Name": "two"}, [1]),
    ({"tier": "Subtle"}, []),
    ({"Absent": ""}, [0, 1, 2]),
    ({"Absent": "x"}, []),
]


@pytest.mark.parametrize(("filters", "kept"), FILTERS)
def test_filters(tmp_path: Path, filters: dict[str, Any] | None, kept: list[int]) -> None:
    assert apply_filters(ROWS, filters) == [ROWS[at] for at in kept]
    cells = [[row["Name"] or "", row["No"] or "", row["Tier"]] for row in ROWS]
    path = table(
        tmp_path / "t.csv", ["Name", "No", "Tier"], [[c for c in row if c is not None] for row in cells]
    )
    found = search_rows(path, ["Name"], ["Name"], "", 9, filters, "structured")
    assert [row["Name"] for row in found["results"]] == [ROWS[at]["Name"] for at in kept]
    assert found["filtered_from"] == 3


def test_without_filters_rows_are_the_same() -> None:
    assert apply_filters(ROWS, {}) is ROWS


CELLS = st.one_of(st.none(), st.text("abAB", max_size=3))
SOME_ROWS = st.lists(st.fixed_dictionaries({"x": CELLS, "y": CELLS}), max_size=6)
WANTED = st.one_of(st.text("abAB", max_size=2), st.lists(st.text("abAB", max_size=2), max_size=3))


@given(SOME_ROWS, WANTED, WANTED)
def test_filters_of_two_columns_are_both_filters(rows: list[dict[str, str | None]], x: Any, y: Any) -> None:
    both = apply_filters(rows, {"x": x, "y": y})
    assert both == apply_filters(apply_filters(rows, {"y": y}), {"x": x})
    assert both == [
        row
        for row in rows
        if all(
            any(
                str(one).lower() in (row[name] or "").lower()
                for one in (want if isinstance(want, list) else [want])
            )
            for name, want in (("x", x), ("y", y))
        )
    ]


def test_statistics_are_those_of_the_filtered_rows(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A", "B"], [["fox", "x"], ["hen", "x"], ["fox", "y"], ["fox", "y"]])
    found = search_rows(path, ["A"], ["A"], "fox", filters={"B": "x"})
    # Two rows of one word each, one of which has it: ln(1.5 / 1.5 + 1), times 2.5 / 2.5.
    assert found["scores"] == [log(2)]
    assert (found["count"], found["filtered_from"]) == (1, 4)


def test_words_by_the_name_of_the_contract() -> None:
    assert BM25.tokenize("A red-Fox, UI") == ["red", "fox"]


# Retrievers.


def test_retrievers() -> None:
    rows: list[dict[str, str | None]] = [{"A": "hen"}, {"A": "fox"}, {"A": None}]
    assert sorted(RETRIEVERS) == ["bm25", "hybrid", "structured"]
    # One of three, and its one word against an average of 2/3: ln(2.5 / 1.5 + 1), 1.5 * (0.25 + 0.75 * 1.5).
    ((found, score),) = RETRIEVERS["bm25"](iter(rows), ["A"], "fox", 3)
    assert found is rows[1]
    assert isclose(score, log(8 / 3) * 2.5 / 3.0625, rel_tol=1e-12)
    assert RETRIEVERS["hybrid"](rows, ["A"], "fox", 3) == RETRIEVERS["bm25"](rows, ["A"], "fox", 3)
    assert RETRIEVERS["structured"](rows, ["A"], "fox", 2) == [(rows[0], 1.0), (rows[1], 1.0)]
    assert RETRIEVERS["hybrid"](rows, ["A"], " \t", 9) == [(row, 1.0) for row in rows]
    assert RETRIEVERS["bm25"](rows, ["A"], " ", 9) == []
    assert RETRIEVERS["structured"](rows, ["A"], "", -1) == []


def test_a_null_cell_is_no_word(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("A,B\nfox\nnone,none\n")
    found = search_rows(path, ["A", "B"], ["A", "B"], "none", 9)
    assert found["results"] == [{"A": "none", "B": "none"}]
    assert search_rows(path, ["A", "B"], ["B", "A"], "fox")["results"] == [{"B": None, "A": "fox"}]
    assert BM25().score(None) == []


def test_output_columns(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A", "B", "C"], [["fox", "1", "2"]])
    found = search_rows(path, ["A"], ["C", "Absent", "A"], "fox")
    assert [list(row.items()) for row in found["results"]] == [[("C", "2"), ("A", "fox")]]
    assert list(found)[:4] == ["count", "results", "scores", "filtered_from"]


def test_matched_terms_and_words(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A"], [["red fox"], ["red hen"], ["uix set"], ["結算周期"]])
    found = search_rows(path, ["A"], ["A"], "red fox ui red q 結算", 2)
    assert found["tokens_used"] == ["red", "fox"]
    assert found["tokens_dropped"] == {"ui": "uix", "q": None, "結算": "結算周期"}
    assert found["matched_terms"] == [["red", "fox"], ["red"]]
    assert found["suggestions"] == []


def test_suggestions_are_for_queries_without_hits(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A", "B"], [["brutalism colour", "x"], ["minimal", "y"]])
    assert search_rows(path, ["A"], ["A"], "brutalist colours zzzzz")["suggestions"] == [
        "brutalism",
        "colour",
    ]
    assert search_rows(path, ["A"], ["A"], "minimal brutalist")["suggestions"] == []
    # What filters leave out is not suggested.
    assert search_rows(path, ["A"], ["A"], "brutalist", filters={"B": "y"})["suggestions"] == []
    assert search_rows(path, ["A"], ["A"], "brutalist", 0, retriever="structured")["suggestions"] == []


def test_wrong_arguments(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no retriever 'fuzzy'; it is one of bm25, hybrid, structured"):
        search_rows(tmp_path / "absent.csv", [], [], "", retriever="fuzzy")
    with pytest.raises(ValueError, match="max_results is -1"):
        search_rows(tmp_path / "absent.csv", [], [], "", -1)


def test_no_results_asked_for(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A"], [["fox"]])
    assert search_rows(path, ["A"], ["A"], "fox", 0)["results"] == []


# Files.

READ: list[tuple[bytes, list[dict[str, str | None]], list[str]]] = [
    (b"A,B\n1,2\n", [{"A": "1", "B": "2"}], []),
    (b"A,B\r\n1,2\r\n", [{"A": "1", "B": "2"}], []),
    (b"A,B\r1,2\r3,4", [{"A": "1", "B": "2"}, {"A": "3", "B": "4"}], []),
    (b"A,B\n\n1,2\n\n\n3,4\n", [{"A": "1", "B": "2"}, {"A": "3", "B": "4"}], []),
    (b'A,B\n"x\r\ny",2\r\n', [{"A": "x\ny", "B": "2"}], []),
    (b'A,B\n5" disc,2\n', [{"A": '5" disc', "B": "2"}], []),
    (b"A,B\n", [], []),
    (b"", [], ["t.csv:1: the file is empty: it has no header"]),
    (
        b"\xef\xbb\xbfA,B\n1,2\n",
        [{"A": "1", "B": "2"}],
        ["t.csv:1: the file begins with a byte order mark; it is not needed"],
    ),
    (b"\n\nA\n1\n", [{"A": "1"}], ["t.csv:3: the header ends here; it should be line 1"]),
    (b"A,A\n1,2\n", [{"A": "2"}], ["t.csv:1: 2 columns are called 'A'; the last one counts"]),
    (b"A,\n1,2\n", [{"A": "1", "": "2"}], ["t.csv:1: column 2 has no name"]),
    (
        b"A,B,C\n1\n1,2,3,4\n",
        [{"A": "1", "B": None, "C": None}, {"A": "1", "B": "2", "C": "3"}],
        [
            "t.csv:2: 1 of 3 cells; the others are empty",
            "t.csv:3: 4 cells where the header has 3; what is over is left out",
        ],
    ),
    # A quote that is opened in one row and closed in another.
    (
        b'A,B,C\n1,2,"x\n4,5,6\n7,8,y"\n9,9,9\n',
        [{"A": "1", "B": "2", "C": "x\n4,5,6\n7,8,y"}, {"A": "9", "B": "9", "C": "9"}],
        ["t.csv:2: perhaps a broken quote swallows the lines up to 4: they are one row of 3 cells"],
    ),
    (
        b'A,B\n1,"x\n2",3,4\n',
        [{"A": "1", "B": "x\n2"}],
        ["t.csv:2: a broken quote swallows the lines up to 3: they are one row of 4 cells"],
    ),
    (
        b'A,B\n1,2\n3,"x\n4,5\n',
        [{"A": "1", "B": "2"}, {"A": "3", "B": "x\n4,5\n"}],
        ["t.csv:3: a quote is never closed: it swallows everything up to line 4"],
    ),
    (
        b'A,B\n1,"x',
        [{"A": "1", "B": "x"}],
        ["t.csv:2: a quote is never closed: it swallows everything up to line 2"],
    ),
    # Two columns; the whole of a row is in the cell, then the beginning of one.
    (
        b'A,B\n1,"x\n2,y"\n3,z\n',
        [{"A": "1", "B": "x\n2,y"}, {"A": "3", "B": "z"}],
        ["t.csv:2: perhaps a broken quote swallows the lines up to 3: they are one row of 2 cells"],
    ),
    (
        b'A,B,C\n1,"x,y\n2,z,z\n3,"q",w\n',
        [{"A": "1", "B": 'x,y\n2,z,z\n3,q"', "C": "w"}],
        ["t.csv:2: perhaps a broken quote swallows the lines up to 4: they are one row of 3 cells"],
    ),
    # What the reviewer of a table sees at once: two columns, and the quote closes at the end of a row.
    (
        b'Name,Notes\nCard,"good\nGrid,plain"\nList,ok\n',
        [{"Name": "Card", "Notes": "good\nGrid,plain"}, {"Name": "List", "Notes": "ok"}],
        ["t.csv:2: perhaps a broken quote swallows the lines up to 3: they are one row of 2 cells"],
    ),
    # A row that was too long before it was swallowed.
    (
        b'A,B\n1,"x\n2,y,z\n3,w"\n',
        [{"A": "1", "B": "x\n2,y,z\n3,w"}],
        ["t.csv:2: perhaps a broken quote swallows the lines up to 4: they are one row of 2 cells"],
    ),
    # A row that is short besides is no guess, whatever made it short.
    (
        b'A,B\n"1,x\n2,y"\n3,z\n',
        [{"A": "1,x\n2,y", "B": None}, {"A": "3", "B": "z"}],
        ["t.csv:2: perhaps a broken quote swallows the lines up to 3: they are one row of 1 cell"],
    ),
    (
        b'A,B,C\n1,"x\n2,y,z\n3,w,v\n',
        [{"A": "1", "B": "x\n2,y,z\n3,w,v\n", "C": None}],
        ["t.csv:2: a quote is never closed: it swallows everything up to line 4"],
    ),
    # Not so one that is short, and whose lines are prose.
    (
        b'A,B\n"x\ny, z"\n',
        [{"A": "x\ny, z", "B": None}],
        ["t.csv:2: 1 of 2 cells; the others are empty"],
    ),
    # Prose has commas too.
    (
        b'A,B,C\nCard,web,"Good for lists, tables, and cards\nAvoid on phones"\nGrid,app,plain\n',
        [
            {"A": "Card", "B": "web", "C": "Good for lists, tables, and cards\nAvoid on phones"},
            {"A": "Grid", "B": "app", "C": "plain"},
        ],
        [],
    ),
    (
        b'A,B\nCard,"Lists\nGood for lists, tables\nBad for text, maps"\n',
        [{"A": "Card", "B": "Lists\nGood for lists, tables\nBad for text, maps"}],
        [],
    ),
    # In some lines only.
    (
        b'A,B\nCard,"Lists\nfast,cheap\nnot for text\nsmall,plain"\n',
        [{"A": "Card", "B": "Lists\nfast,cheap\nnot for text\nsmall,plain"}],
        [],
    ),
    # One column has no commas to know rows by.
    (b'A\n"x\ny\nz"\n', [{"A": "x\ny\nz"}], []),
    # A cell of several lines is as it should be, and so is a quote closed before its comma.
    (b'A,B,C\n1,2,"x, y\nz"\n', [{"A": "1", "B": "2", "C": "x, y\nz"}], []),
    (b'A,B\n1,"x"y\n', [{"A": "1", "B": "xy"}], []),
]


@pytest.mark.parametrize(("data", "rows", "warnings"), READ)
def test_reading(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    data: bytes,
    rows: list[dict[str, str | None]],
    warnings: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_bytes(data)
    for block in (1 << 18, 1, 5):
        monkeypatch.setattr(lines, "_BLOCK", block)
        assert load_csv("t.csv") == rows
        with Table("t.csv", "t.csv") as read:
            places = [read.at for _ in read.rows()]
            assert list(read.rows_at(places)) == rows
            for first in range(len(rows)):
                assert list(read.rows_at(places[first::2])) == rows[first::2]
            assert list(read.rows_at([])) == []
            assert list(read.rows()) == rows
            assert read.warnings == warnings


def test_guesses_are_counted_by_themselves(tmp_path: Path) -> None:
    """So that many of them neither hide what is sure, nor make it more."""
    guess, short = '1,"x\n2,y"\n', "3\n"
    (tmp_path / "t.csv").write_text("A,B\n" + guess * (MOST_WARNINGS + 2) + short)
    with Table(str(tmp_path / "t.csv"), "t.csv") as read:
        assert len(list(read.rows())) == MOST_WARNINGS + 3
    sure = [text for text in read.warnings if text not in read.guesses]
    # Behind a header and 52 guesses of two lines each.
    assert sure == ["t.csv:106: 1 of 2 cells; the others are empty"]
    assert len(read.guesses) == MOST_WARNINGS + 1
    assert read.guesses[-1] == read.warnings[-1] == "t.csv: 2 more where a quote is perhaps broken"


UNREADABLE: list[tuple[bytes, str]] = [
    (b"A,B\n1,2\n3,\xff\n", "t.csv:3: byte 0xff is not UTF-8; save the file as UTF-8"),
    (b"A\r1\r\xe9\r", "t.csv:3: byte 0xe9 is not UTF-8; save the file as UTF-8"),
    (b"A\r\n\xe9\r\n", "t.csv:2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
    (b"\xef\xbb\xbfA\n\xc3", "t.csv:2: byte 0xc3 is not UTF-8; save the file as UTF-8"),
    (b"\xef\xbb\xbfA\n\0", "t.csv:2: a NUL byte; remove it"),
    (b"A\n1\n2\0\n", "t.csv:3: a NUL byte; remove it"),
    ("A\n1\n".encode("utf-16"), "t.csv:1: the file is UTF-16, not UTF-8; save it as UTF-8"),
    (
        b"A,B\n1,2\n3," + b"x" * 140_000 + b"\n",
        "t.csv:3: a cell of more than 131,072 characters; is a quote never closed?",
    ),
    (
        b'A,B\n1,"x\n' + b"3,4\n" * 40_000,
        "t.csv:2: a cell of more than 131,072 characters; is a quote never closed?",
    ),
]


@pytest.mark.parametrize(("data", "message"), UNREADABLE)
def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_bytes(data)
    with pytest.raises(CorpusError) as caught:
        load_csv("t.csv")
    assert str(caught.value) == message
    assert search_rows("t.csv", ["A"], ["A"], "fox") == {"error": message, "count": 0, "results": []}


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 5000)
    path = tmp_path / "t.csv"
    path.write_bytes(b"A\n" + b"x" * 300_000)
    with pytest.raises(CorpusError, match=r"t\.csv:1: a line from here on has more than 5,000 bytes"):
        load_csv(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="the file cannot be read: no such file"):
        load_csv(tmp_path / "absent.csv")
    with pytest.raises(CorpusError, match="this is a folder; name a CSV file"):
        load_csv(tmp_path)
    with pytest.raises(CorpusError, match="its name holds a NUL"):
        load_csv("a\0b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CorpusError, match="this is not a regular file"):
        load_csv(tmp_path / "pipe")


def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A"], [["fox"], ["hen"]])
    with Table(str(path), "t.csv") as read:
        assert len(list(read.rows())) == 2
        path.write_text("A\n")
        with pytest.raises(CorpusError, match="was changed while it was read; try again"):
            list(read.rows_at([3]))


def test_rows_are_fetched_in_one_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of the file is read once for all rows that begin in it, and not at all for none."""
    monkeypatch.setattr(lines, "_BLOCK", 1000)
    path = table(tmp_path / "t.csv", ["A", "B"], [[str(at), f"x{at % 7}\n" * (at % 7)] for at in range(900)])
    blocks: list[int] = []
    real = lines.Lines._text

    def text(self: lines.Lines, raw: bytes, block: int) -> str:
        blocks.append(block)
        return real(self, raw, block)

    monkeypatch.setattr(lines.Lines, "_text", text)
    with Table(str(path), "t.csv") as read:
        rows = [(read.at, row) for row in read.rows()]
        count = max(blocks) + 1
        assert count > 10
        blocks.clear()
        assert list(read.rows_at([at for at, _ in rows])) == [row for _, row in rows]
        # A row that goes on in the next block has that one read for itself.
        assert len(blocks) < 2.1 * count
        blocks.clear()
        assert list(read.rows_at([rows[0][0], rows[1][0], rows[-1][0]])) == [
            rows[0][1],
            rows[1][1],
            rows[-1][1],
        ]
        assert len(blocks) == 2


LINES = st.lists(st.text('ab",\n\ré', max_size=6), max_size=12)


@given(LINES, st.sampled_from([1, 3, 8, 1 << 18]), st.randoms(use_true_random=False))
def test_fetched_rows_are_those_that_were_read(texts: list[str], block: int, chance: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_BLOCK", block)
        path = os.path.join(folder, "t.csv")
        Path(path).write_bytes(b"A,B\n" + "\n".join(texts).encode())
        with Table(path, "t.csv") as read:
            rows = [(read.at, row) for row in read.rows()]
            some = [pair for pair in rows if chance.random() < 0.5]
            assert list(read.rows_at([at for at, _ in some])) == [row for _, row in some]


def test_many_results_are_in_the_order_of_their_scores(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["No", "A"], [[str(at), "fox " * (at % 4)] for at in range(4000)])
    found = search_rows(path, ["A"], ["No"], "fox", 2500)
    wanted = [at for times in (3, 2, 1) for at in range(4000) if at % 4 == times][:2500]
    # All texts of "fox" alone have length tf: tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * tf / 1.5)) grows with tf.
    assert [int(row["No"] or "") for row in found["results"]] == wanted
    assert found["matched_terms"] == [["fox"]] * 2500
    assert found["scores"] == sorted(found["scores"], reverse=True)


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["Name", "Keywords"], [["fox", "red"]])
    found = find(str(path), "t.csv", (["Name", "Keyword"], ["Nam", "Zzzzz"]), "fox", 3, {"Tier": ""})
    assert found.warnings == [
        "t.csv:1: there is no search column 'Keyword'; did you mean 'Keywords'?",
        "t.csv:1: there is no output column 'Nam'; did you mean 'Name'?",
        "t.csv:1: there is no output column 'Zzzzz'",
        "t.csv:1: there is no filter column 'Tier'",
    ]


#: A header, and what parts it if not commas.
PARTED: list[tuple[str, str]] = [
    ("A;B;C", ";"),
    ("A\tB", "tabs"),
    ("A|B", "|"),
    ("A;B|C;D", ";"),
    ("sep=;", ";"),
    ('"A;B"', ";"),
    ("\ufeffA;B", ";"),
    ("A", ""),
    ("A,B;C", ""),
    ("A:B", ""),
    ("", ""),
]


@pytest.mark.parametrize(("header", "said"), PARTED)
def test_a_header_that_is_parted_otherwise(header: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"{header}\nfox\n", encoding="utf-8")
    found = find(str(tmp_path / "t.csv"), "t.csv", (["A"], ["A"]), "fox", 3)
    told = [text for text in found.warnings if "parted by" in text]
    expected = f"t.csv:1: the header is one cell, parted by {said}: save the file with commas"
    assert told == ([expected] if said else [])


def test_many_oddities(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["A", "B"], [["x"]] * (MOST_WARNINGS + 1200))
    found = find(str(path), "t.csv", (["A"], ["A"]), "fox", 3)
    assert len(found.warnings) == MOST_WARNINGS + 1
    assert found.warnings[-1] == "t.csv: 1,200 more of these"


def test_rows_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    filler = "many words that nobody asks for and that are long enough " * 4
    with path.open("w") as file:
        file.write("A,B\n")
        file.writelines(f"fox {at},{filler}\n" for at in range(30_000))
    size = path.stat().st_size
    tracemalloc.start()
    found = search_rows(path, ["A", "B"], ["A"], "fox 29999")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found["results"][0] == {"A": "fox 29999"}
    assert peak < size / 2


def test_rows_that_are_found_are_not_kept_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    filler = "many words that nobody asks for and that are long enough " * 40
    with path.open("w") as file:
        file.write("A,B\n")
        file.writelines(f"fox {at},{filler}\n" for at in range(5000))
    tracemalloc.start()
    found = search_rows(path, ["A", "B"], ["A"], "fox", 5000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found["count"] == 5000
    assert peak < path.stat().st_size / 2


def test_a_vocabulary_has_an_end() -> None:
    many = (f"word{at:07} " * 100 for at in range(10**9))
    words = ranking.vocabulary(many)
    assert len(words) == ranking.VOCABULARY_FROM // 1200 + 1


def test_results_are_json(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"A,B\nfox\nfox,2,3\n")
    text = json.dumps(search_rows(path, ["A"], ["A", "B"], "fox"), allow_nan=False)
    assert json.loads(text)["results"] == [{"A": "fox", "B": None}, {"A": "fox", "B": "2"}]
