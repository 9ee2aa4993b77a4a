from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic.corpus import layout, packs, registry, tables
from spectastic.corpus.survey import PackFolder
from spectastic.source import Source

if TYPE_CHECKING:
    from spectastic.corpus.tables import Line


def texts(*lines: Line) -> list[list[str]]:
    return [[cell.text for cell in line.cells] for line in lines]


# The source of a row between `|a|` and its end, and the cells that a reader sees.
ROWS: list[tuple[str, list[str]]] = [
    ("| a | b |", ["a", "b"]),
    ("a | b", ["a", "b"]),
    ("| a | b", ["a", "b"]),
    ("a | b |  ", ["a", "b"]),
    ("  | a |b|", ["a", "b"]),
    ("|a|", ["a"]),
    ("||", [""]),
    ("| |  | x", ["", "", "x"]),
    ("|||", ["", ""]),
    (r"| a \| b |", ["a | b"]),
    (r"| a \|", ["a |"]),
    (r"a \\| b", ["a | b"]),
    (r"| `a \| b` | c |", ["a | b", "c"]),
    ("| `a | b` |", ["`a", "b`"]),
    ("| *a* **b** _c_ | a_b_c | _d |", ["a b c", "a_b_c", "_d"]),
    ("| [a](b.md) | ![alt](x.png) | <https://e.org> |", ["a", "alt", "https://e.org"]),
    ("| &amp;&#124; | \\* | <b>x</b><br/>y<!-- z --> |", ["&|", "*", "x y"]),
    ("| - a | # b | 1. c | > d |", ["- a", "# b", "1. c", "> d"]),
    ("| - *a* | # *b* | 1. *c* | ``` |", ["- a", "# b", "1. c", "```"]),
    ("| [a] | [b][c] |", ["[a]", "[b][c]"]),
    ("| é🚀 | \u00a0 x |", ["é🚀", "\u00a0 x"]),
    ("|\ta\t|\tb\t|", ["a", "b"]),
    ("| ~~a~~ | $b$ | :c: |", ["~~a~~", "$b$", ":c:"]),
]


@pytest.mark.parametrize(("row", "cells"), ROWS)
@pytest.mark.parametrize("before", ["", "> ", "\ufeff", "---\na: |\n---\n"])
def test_cells(row: str, cells: list[str], before: str) -> None:
    first, _, rest = before.rpartition("\n")
    start = f"{first}\n" if first else ""
    prefix = rest if rest == "> " else ""
    document = f"{start}{rest}|h|\n{prefix}|-|\n{prefix}x\n{prefix}{row}\n"
    source = Source("x.md", document.encode())
    found = tables.read(source)
    assert [table.header.texts for table in found.tables] == [("h",)]
    line = found.tables[0].rows[-1]
    assert list(line.texts) == cells
    assert texts(line) == [cells]
    assert source.slice(line.span) == row.strip()
    for cell, shown in zip(line.cells, cells, strict=True):
        written = source.slice(cell.span)
        assert written == written.strip(" \t")
        assert shown in written or not shown.isalnum()
    assert found.strays == ()


def test_link_targets() -> None:
    text = (
        "|h|\n|-|\n| [a](<b c.md>) | [d][e] | [f] | [g](h) [i](j) | plain | [no][definition] | [É  X] |\n\n"
    )
    source = Source("x.md", (text + "[e]: k.md\n[F]: l.md 'title'\n[é x]: m.md\n").encode())
    line = tables.read(source).tables[0].rows[0]
    assert [cell.target for cell in line.cells] == ["b c.md", "k.md", "l.md", "h", "", "", "m.md"]
    assert line.texts == ("a", "d", "f", "g i", "plain", "[no][definition]", "É  X")


def test_tables_in_code_comments_and_html_are_none() -> None:
    table = "|a|\n|-|\n|b|\n"
    indented = "".join(f"    {line}\n" for line in table.split())
    for text in (
        f"```\n{table}```\n",
        f"~~~ md\n{table}",
        indented,
        f"<!--\n{table}-->\n",
        f"<!--\n\n{table}\n-->\n",
        f"<div>\n{table}</div>\n",
        f"- item\n\n  ```\n  {table.strip()}\n",
        f"---\nx: |\n  {table}---\n",
    ):
        found = tables.read(Source("x.md", text.encode()))
        assert found.tables == (), text


def test_strays() -> None:
    text = (
        "a | b\n\n> - | c |\n\n|d|\n|-|\n|e|\n\n1. f|g\n\n`h|i` j|k\n\n`l\nm|n`\n\n    code | o\n\n"
        "<p>p|q</p>\n\n# r|s\n\n[t]: |u\n"
    )
    source = Source("x.md", text.encode())
    found = tables.read(source)
    shown = [source.slice(line.span) for line in found.strays]
    assert shown == ["a | b", "| c |", "f|g", "`h|i` j|k", "# r|s", "[t]: |u"]


def test_lines_that_follow_each_other() -> None:
    found = tables.read(Source("x.md", b"|a\r\n|b\r\n\r\n|c\nx\nd|\n> |e"))
    strays = found.strays
    assert [line.follows(strays[i]) for i, line in enumerate(strays[1:])] == [True, False, False, True]
    assert [line.piped for line in strays] == [True, True, True, False, True]


def test_ignored_lines_leave_a_table_whole() -> None:
    data = b"|h|\n|-|\n<<<<<<< a\n|b|\n>>>>>>> c\n|d|\n\n=======\n"
    offsets = frozenset(data.index(mark) for mark in (b"<<<", b">>>", b"===="))
    found = tables.read(Source("x.md", data), offsets)
    assert [line.texts for line in found.tables[0].rows] == [("b",), ("d",)]
    header = b"<<<<<<< a\n|-|\n|b|\n"
    assert tables.read(Source("x.md", header), frozenset([0])).tables == ()
    before = b"---\n<<<<<<< a\n---\n|h|\n|-|\n|b|\n"
    assert len(tables.read(Source("x.md", before), frozenset([4])).tables) == 1


def test_a_very_wide_row() -> None:
    source = Source("x.md", b"|h|\n|-|\n" + b"|x" * 2_000 + b"|\n" + b"|`x`" * 2_000)
    for line in tables.read(source).tables[0].rows:
        assert len(line.texts) == len(line.cells) == tables.MAX_PIPES
        assert line.cells[-1].span.end <= line.span.end


TEXT = st.text(
    alphabet=st.sampled_from(list("ab|\\`*_[](){}<>&;!#-=>:~ \t\n\r\u00e9\u2028🚀K1")), max_size=80
)
DOCUMENTS = st.one_of(
    TEXT,
    st.builds(lambda head, rows: f"{head}|a|b|\n|-|-|\n{rows}", TEXT, TEXT),
    st.lists(
        st.sampled_from(
            [
                "| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |",
                "|---|---|---|---|---|---|---|---|",
                "| KB-0001 | m | p | 001-x | T | 1 | p/references/x.md | |",
                "| KB-0002 | m | p | [001-x] | `T` | 1 | [x](y) | orphaned | 9 |",
                "| Slug | Title | Description | Edition | Path |",
                "|-|-|-|-|-|",
                "| 001-x | a | b | c | d/e |",
                "<<<<<<< a",
                "=======",
                ">>>>>>> b",
                "||||||| c",
                "",
                "> | KB-0003 | x",
                "<!--",
                "-->",
                "```",
                "---",
                "KB-9 | y",
                "[x]: z",
            ]
        ),
        max_size=12,
    ).map("\n".join),
)


@settings(max_examples=600, deadline=None)
@given(DOCUMENTS, st.booleans())
def test_reading_never_raises_and_spans_hold(text: str, mark: bool) -> None:
    source = Source("knowledge/index.md", (b"\xef\xbb\xbf" if mark else b"") + text.encode())
    found = tables.read(source)
    lines = [line for table in found.tables for line in (table.header, *table.rows)]
    for line in (*lines, *found.strays):
        cells = line.cells
        assert tuple(cell.text for cell in cells) == line.texts
        end = line.span.start
        for cell in cells:
            assert end <= cell.span.start <= cell.span.end <= line.span.end
            end = cell.span.end
            written = source.encoded[cell.span.start - source.base : cell.span.end - source.base].decode()
            assert cell.text == written or any(sign in written for sign in "\\`*_[<&")
    parsed = registry.parse(source)
    assert len({row.id for row in parsed.rows}) == len(parsed.rows)
    assert parsed.rows or parsed.problems or found.tables
    packs.parse(source, PackFolder("p", "knowledge/p", "knowledge/p/SKILL.md"))


@settings(max_examples=200, deadline=None)
@given(TEXT.map(lambda text: text.replace("\n", " ").replace("\r", " ")))
def test_every_pipe_counts(row: str) -> None:
    """GFM's rule, stated again: a pipe without a backslash ends a cell, save at the row's ends."""
    line = tables.Line(tables._Text(row.encode(), 0), 0, len(row.encode()))
    stripped = row.strip(" \t")
    hidden = stripped.replace("\\|", "\0\0")
    inner = hidden.removeprefix("|")
    if inner.endswith("|") and (inner != "|" or hidden.startswith("|")):
        inner = inner[:-1]
    assert len(line.cells) == inner.count("|") + 1


def test_similar_names_are_looked_for_in_short_headers_only() -> None:
    many = "|".join(f"Editoin{i}" for i in range(60))
    header = f"|KB|Marketplace|Plugin|Slug|Title|Path|{many}|\n"
    source = Source("x.md", (header + "|-" * 66 + "|\n").encode())
    choice = layout.choose(tables.read(source).tables, layout.REGISTRY, source)
    assert [problem.subject for problem in choice.problems] == ["Edition"]
    assert "Edition" not in choice.places
