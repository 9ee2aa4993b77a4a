"""Rows and cells written into tables: what is read back, and that all other bytes stay."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spectastic.corpus import packs, registry
from spectastic.corpus.layout import REGISTRY, SLUG_MAP, choose
from spectastic.corpus.model import COLUMNS, SLUG_COLUMNS, Row, SlugEntry
from spectastic.corpus.survey import PackFolder
from spectastic.corpus.tables import read as read_tables
from spectastic.curate import tables
from spectastic.curate.plan import CurateError
from spectastic.source import Source

VALUES = {
    "KB-NNNN": "KB-0002",
    "Marketplace": "acme",
    "Plugin": "web",
    "Slug": "002-b",
    "Title": "B",
    "Edition": "2",
    "Path": "web/references/002-b.md",
    "Status": "",
}
HEAD = tables.head(COLUMNS)
ONE = "| KB-0001 | acme | web | 001-a | A | 1 | web/references/001-a.md | |\n"
TWO = "| KB-0002 | acme | web | 002-b | B | 2 | web/references/002-b.md | |\n"


def source(text: str | bytes) -> Source:
    return Source("knowledge/index.md", text.encode() if isinstance(text, str) else text)


def append(text: str | bytes, *rows: dict[str, str]) -> bytes:
    read = source(text)
    table = choose(read_tables(read).tables, REGISTRY, read).table
    assert table is not None
    return tables.append_rows(read, table, rows)


def rows(data: bytes) -> tuple[Row, ...]:
    return registry.parse(source(data)).rows


# Short tables: columns in another order, and only those that a registry must have.
SHORT = "Id|Path|Edition|Title|Slug|Plugin|Marketplace"
SHORT_LINE = "-|-|-|-|-|-|-"
SHORT_ONE = "KB-0001|p|1|A|001-a|web|acme"
SHORT_TWO = "KB-0002|web/references/002-b.md|2|B|002-b|web|acme"
SHORT_ALIGNED = (
    "| ID      | Marketplace | Plugin | Slug  | Title | Edition | Path |\n"
    "|---------|-------------|--------|-------|-------|---------|------|\n"
)
SHORT_PADDED = "| KB-0001 | acme        | web    | 001-a | A     | 1       | p    |\n"
LONG = "| KB-0002 | acme        | web    | 002-b | B     | 2       | web/references/002-b.md |\n"

#: What is added stands between ⟦ and ⟧.
APPENDED = {
    "the-usual": f"{HEAD}{ONE}⟦{TWO}⟧",
    "first-row": f"{HEAD}⟦{TWO}⟧",
    "text-below": f"{HEAD}{ONE}⟦{TWO}⟧\nMore.\n",
    "text-that-touches": f"{HEAD}{ONE}⟦{TWO}⟧No row.\n",
    "blanks-behind-a-row": f"{HEAD}{ONE[:-1]}  \n⟦{TWO}⟧",
    "no-line-end": f"{HEAD}{ONE[:-1]}⟦\n{TWO[:-1]}⟧",
    "no-line-end-at-all": f"{HEAD[:-1]}⟦\n{TWO[:-1]}⟧",
    "crlf": f"{HEAD}{ONE}⟦{TWO}⟧\nMore.".replace("\n", "\r\n"),
    "lone-cr": f"{HEAD}{ONE}⟦{TWO}⟧".replace("\n", "\r"),
    "byte-order-mark": f"\ufeff{HEAD}{ONE}⟦{TWO}⟧",
    "tight": f"|{SHORT}|\n|{SHORT_LINE}|\n|{SHORT_ONE}|\n⟦|{SHORT_TWO}|\n⟧",
    "no-outer-pipes": f"{SHORT}\n{SHORT_LINE}\n{SHORT_ONE}\n⟦{SHORT_TWO}\n⟧",
    # A row that ends in a blank cell needs a pipe behind it, one that begins with one a pipe before it.
    "no-outer-pipes-blank-ends": (
        f"Note|{SHORT}|Status\n-|{SHORT_LINE}|-\nx|{SHORT_ONE}|orphaned\n⟦||{SHORT_TWO}||\n⟧"
    ),
    "in-a-quote": (
        f"> {HEAD}{ONE}⟦{TWO}⟧".replace("|\n", "|\n> ").replace("|\n> ⟧", "|\n⟧").replace("> ⟦", "⟦> ")
    ),
    "in-a-list-no-rows": f"- {HEAD}⟦  {TWO}⟧".replace("\n|-", "\n  |-"),
    "aligned": f"{SHORT_ALIGNED}{SHORT_PADDED}⟦{LONG}⟧",
    "aligned-no-rows": f"{SHORT_ALIGNED}⟦{LONG}⟧",
    "aligned-not-ascii": (
        "| ID      | Äußeres | Plugin | Slug  | Title | Edition | Path                    | Marketplace |\n"
        "| ------- | ------- | ------ | ----- | ----- | ------- | ----------------------- | ----------- |\n"
        "⟦| KB-0002 |         | web    | 002-b | B     | 2       | web/references/002-b.md | acme        |\n⟧"
    ),
    "spare-columns": (
        "| ID | Who | Marketplace | Plugin | Slug | Title | Edition | Path |\n|-|-|-|-|-|-|-|-|\n"
        "⟦| KB-0002 | | acme | web | 002-b | B | 2 | web/references/002-b.md |\n⟧"
    ),
}


@pytest.mark.parametrize("case", APPENDED)
def test_append(case: str) -> None:
    text = APPENDED[case]
    before = text.partition("⟦")[0] + text.partition("⟧")[2]
    written = append(before, VALUES)
    assert written.decode() == text.replace("⟦", "").replace("⟧", "")
    assert rows(written)[-1][:8] == tuple(VALUES.values())
    assert len(rows(written)) == len(rows(before.encode())) + 1


def test_nothing_to_append() -> None:
    assert append(HEAD + ONE) == (HEAD + ONE).encode()


def test_several_rows() -> None:
    three = {**VALUES, "KB-NNNN": "KB-0003", "Slug": "003-c"}
    written = append(HEAD + ONE, VALUES, three)
    assert [row.id for row in rows(written)] == ["KB-0001", "KB-0002", "KB-0003"]
    assert written.startswith((HEAD + ONE + TWO).encode())


def test_a_column_is_missing() -> None:
    text = "| ID | Marketplace | Plugin | Slug | Title | Edition |\n|-|-|-|-|-|-|\n"
    with pytest.raises(CurateError, match=r"the registry in knowledge/index.md has no column Path") as error:
        append(text, VALUES)
    assert "its header is | KB-NNNN |" in error.value.hint


def test_a_blank_text_needs_no_column() -> None:
    text = "| ID | Marketplace | Plugin | Slug | Title | Edition | Path |\n|-|-|-|-|-|-|-|\n"
    assert rows(append(text, VALUES))[0].status == ""
    with pytest.raises(CurateError, match="no column Status"):
        append(text, {**VALUES, "Status": "orphaned"})


ALIGNED = (
    "| ID      | Marketplace | Plugin | Slug  | Title   | Edition    | Path | Status   |\n"
    "|---------|-------------|--------|-------|---------|------------|------|----------|\n"
    "| KB-0001 | acme        | web    | 001-a | A title | 2024-05-28 | p.md |          |\n"
)
CHANGED = {
    # name: text, cells, text after
    "nothing": (HEAD + ONE, {}, HEAD + ONE),
    "same": (HEAD + ONE, {"Title": " A\n"}, HEAD + ONE),
    "longer": (HEAD + ONE, {"Title": "A longer one"}, HEAD + ONE.replace("| A |", "| A longer one |")),
    "pipe": (HEAD + ONE, {"Title": "A|B"}, HEAD + ONE.replace("| A |", "| A\\|B |")),
    "to-blank": (HEAD + ONE, {"Title": ""}, HEAD + ONE.replace("| A |", "| |")),
    "from-blank": (HEAD + ONE, {"Status": "orphaned"}, HEAD + ONE.replace("| |\n", "| orphaned |\n")),
    "two": (
        HEAD + ONE,
        {"Edition": "2024", "Path": "x"},
        HEAD + ONE.replace("| 1 | web/references/001-a.md |", "| 2024 | x |"),
    ),
    "tight": (
        HEAD + ONE.replace(" ", ""),
        {"Title": "C", "Status": "orphaned"},
        HEAD + ONE.replace(" ", "").replace("|A|", "|C|").replace("||\n", "|orphaned|\n"),
    ),
    "aligned-shorter": (ALIGNED, {"Edition": "2024"}, ALIGNED.replace("2024-05-28", "2024      ")),
    "aligned-longest": (ALIGNED, {"Slug": "002-bcd"}, ALIGNED.replace("001-a |", "002-bcd |")),
    "aligned-from-blank": (ALIGNED, {"Status": "orphaned"}, ALIGNED.replace("         |\n", "orphaned |\n")),
    "aligned-to-blank": (ALIGNED, {"Edition": ""}, ALIGNED.replace("2024-05-28", " " * 10)),
    "odd-padding": (HEAD + ONE.replace(" A ", "  A   "), {"Title": "B"}, HEAD + ONE.replace(" A ", "  B   ")),
    "a-missing-column-stays-blank": (
        ALIGNED.replace("Status  ", "Comment "),
        {"Status": ""},
        ALIGNED.replace("Status  ", "Comment "),
    ),
    "marked-up": (
        HEAD + ONE.replace("| A |", "| **A** |"),
        {"Title": "A"},
        HEAD + ONE.replace("| A |", "| **A** |"),
    ),
}


@pytest.mark.parametrize("case", CHANGED)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_set_cells(case: str, eol: str) -> None:
    before, values, after = CHANGED[case]
    before, after = before.replace("\n", eol), after.replace("\n", eol)
    read = source(before)
    row = registry.parse(read).rows[0]
    assert tables.set_rows(read, [(row, values)]).decode() == after


def test_set_rows() -> None:
    read = source(HEAD + ONE + TWO)
    first, second = registry.parse(read).rows
    written = tables.set_rows(read, [(second, {"Edition": "22"}), (first, {"Edition": "11"})])
    assert [row.edition for row in rows(written)] == ["11", "22"]
    assert tables.set_rows(read, []) == read.data


def test_set_a_column_that_is_missing() -> None:
    read = source(HEAD.replace("Status", "Note") + ONE)
    row = registry.parse(read).rows[0]
    with pytest.raises(CurateError, match="no column Status"):
        tables.set_rows(read, [(row, {"Status": "orphaned"})])


def test_set_rows_of_another_file() -> None:
    row = registry.parse(source(HEAD + ONE)).rows[0]
    with pytest.raises(CurateError, match="has no registry"):
        tables.set_rows(source("# Nothing\n"), [(row, {"Title": "B"})])


CELLS = [
    ("R&D", "R&D"),
    ("a_b", "a_b"),
    ("_a_", r"\_a\_"),
    ("&amp;", r"\&amp;"),
    ("&#65;", r"\&#65;"),
    ("a|b", r"a\|b"),
    ("a\\|b", r"a\\\|b"),
    ("`x` *y* [z](u) <b> ~~s~~", r"\`x\` \*y\* \[z\](u) \<b> \~\~s\~\~"),
    (" \u2028a\r\n\tb\0c ", "a b c"),
    ("2 < 3", r"2 \< 3"),
    ("קוד 🎉", "קוד 🎉"),
]


@pytest.mark.parametrize(("text", "written"), CELLS)
def test_cell(text: str, written: str) -> None:
    assert tables.cell(text) == written


_TEXT = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from("|\\`*_[]<>&;#~\n\r\t \u2028\u202e\u200f'\"!()-")
)


@given(title=_TEXT, edition=_TEXT, slug=_TEXT, before=_TEXT)
@example(title="a\\", edition="\\|", slug="|", before="[x]: y")
@example(title="[x]", edition="![x]", slug="[x][]", before="\n[x]: y\n")
@example(title="<b", edition="https://a_b_c.example/_d_", slug="- x", before="# x")
def test_what_is_written_is_read_back(title: str, edition: str, slug: str, before: str) -> None:
    prose = tables.cell(before) + "\n\n[x]: https://example.org\n\n"
    text = prose + HEAD + ONE
    values = {**VALUES, "Title": title, "Edition": edition, "Slug": slug}
    written = append(text, values)
    assert written.startswith(text.encode())
    found = rows(written)[1]
    assert (found.title, found.edition, found.slug) == tuple(map(tables.plain, (title, edition, slug)))
    assert found[6:8] == (VALUES["Path"], "")
    again = tables.set_rows(source(written), [(found, {"Title": slug, "Slug": edition, "Edition": title})])
    swapped = rows(again)[1]
    assert (swapped.title, swapped.slug, swapped.edition) == tuple(map(tables.plain, (slug, edition, title)))
    back = tables.set_rows(source(again), [(swapped, values)])
    assert [row[:8] for row in rows(back)] == [row[:8] for row in rows(written)]
    assert back.startswith(text.encode())


def _entries(data: bytes) -> tuple[SlugEntry, ...]:
    folder = PackFolder("web", "knowledge/web", "knowledge/web/SKILL.md")
    return packs.parse(Source("knowledge/web/SKILL.md", data), folder)[0].entries


@given(title=_TEXT, description=_TEXT, name=_TEXT, about=_TEXT)
def test_slug_maps_are_read_back(title: str, description: str, name: str, about: str) -> None:
    new = Source("knowledge/web/SKILL.md", tables.new_skill(name, about).encode())
    table = choose(read_tables(new).tables, SLUG_MAP, new).table
    assert table is not None
    values = {
        "Slug": "001-a",
        "Title": title,
        "Description": description,
        "Edition": "1",
        "Path": "references/001-a.md",
    }
    written = tables.append_rows(new, table, [values])
    folder = PackFolder("web", "knowledge/web", "knowledge/web/SKILL.md")
    pack, _ = packs.parse(Source("knowledge/web/SKILL.md", written), folder)
    assert (pack.fields["name"].value, pack.fields["description"].value) == (name, about)
    (entry,) = pack.entries
    assert entry[:5] == ("001-a", tables.plain(title), tables.plain(description), "1", "references/001-a.md")
    changed = tables.set_rows(
        Source("knowledge/web/SKILL.md", written), [(entry, {"Edition": title, "Title": "T"})]
    )
    assert _entries(changed)[0].edition == tables.plain(title)


def test_new_files_have_no_rows() -> None:
    text = tables.new_registry().encode()
    read = registry.parse(source(text))
    assert (read.rows, read.problems, read.hints) == ((), (), ())
    assert _entries(tables.new_skill("web-a11y", "Text for people").encode()) == ()
    assert "# Web a11y" in tables.new_skill("web-a11y", "x")


@pytest.mark.parametrize("columns", [COLUMNS, SLUG_COLUMNS])
def test_head(columns: Any) -> None:
    assert tables.head(columns).count("\n") == 2


def test_long_tables_take_linear_time() -> None:
    many = [{**VALUES, "KB-NNNN": f"KB-{number:04d}", "Slug": f"{number}-x"} for number in range(2, 20_000)]
    written = append(HEAD + ONE, *many)
    read = source(written)
    found = registry.parse(read).rows
    assert len(found) == 19_999
    again = tables.set_rows(read, [(row, {"Title": "New"}) for row in found])
    assert again.count(b"| New |") == 19_999
