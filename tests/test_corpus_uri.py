from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, corpus, document
from hypothesis import given
from hypothesis import strategies as st

from spectastic.corpus import uri
from spectastic.corpus.uri import Coordinate, Elsewhere, NoCoordinate

if TYPE_CHECKING:
    from pathlib import Path

ROWS = (
    "| KB-0001 | Acme/Facts | web | 001-contrast | Contrast | 2024 | web/references/001-contrast.md | |\n"
    "| KB-0002 | other | web | 001-contrast | Contrast | 2024 | web/references/001-contrast.md | |\n"
    "| KB-0003 | Other | web | 001-contrast | Again | 2024 | web/references/001-contrast.md | |\n"
    "| KB-0004 | other | Web | 002-focus | Focus | 2024 | web/references/001-contrast.md | |\n"
    "| KB-0005 | | web | 003-x | No marketplace | 2024 | web/references/001-contrast.md | |\n"
    "| KB-0006 | other | | 003-x | No plugin | 2024 | web/references/001-contrast.md | |\n"
    "| KB-0007 | other | web | | No slug | 2024 | web/references/001-contrast.md | |\n"
)

# What is composed is parsed as it was, and the other way round.
BOTH_WAYS: list[tuple[Coordinate, str]] = [
    (Coordinate("acme", "web", "001-contrast"), "spectastic://acme/corpus/web/001-contrast"),
    (
        Coordinate("acme", "web", "001-contrast", "2024-10-05"),
        "spectastic://acme/corpus/web/001-contrast?edition=2024-10-05",
    ),
    (Coordinate("acme/a/b", "web", "001-x"), "spectastic://acme/a/b/corpus/web/001-x"),
    (Coordinate("acme", "web", "001-x", None, "top"), "spectastic://acme/corpus/web/001-x#top"),
    (Coordinate("acme", "web", "001-x", "1", "a b"), "spectastic://acme/corpus/web/001-x?edition=1#a%20b"),
    # HTML forms write an edition like this.
    (Coordinate("a", "b", "c", "v2, draft"), "spectastic://a/corpus/b/c?edition=v2%2C+draft"),
    (
        Coordinate("a", "b", "c", "1+1&x=y#~*é"),
        "spectastic://a/corpus/b/c?edition=1%2B1%26x%3Dy%23%7E*%C3%A9",
    ),
    # Names that hold what divides names.
    (Coordinate("acme/corpus", "b", "c"), "spectastic://acme%2Fcorpus/corpus/b/c"),
    (Coordinate("a//b", "b", "c"), "spectastic://a%2F%2Fb/corpus/b/c"),
    (Coordinate("/a", "b/c", "?#%"), "spectastic://%2Fa/corpus/b%2Fc/%3F%23%25"),
    (Coordinate("corpus", "corpus", "spec"), "spectastic://corpus/corpus/corpus/spec"),
    (Coordinate("büro", "seiten", "001-größe"), "spectastic://b%C3%BCro/corpus/seiten/001-gr%C3%B6%C3%9Fe"),
]

# Read, though written in another way.
READ: list[tuple[str, Coordinate]] = [
    ("SPECTASTIC://Acme/X/corpus/Web/001-X", Coordinate("acme/x", "Web", "001-X")),
    ("spectastic://büro/corpus/seiten/001-größe", Coordinate("büro", "seiten", "001-größe")),
    ("spectastic://%41cme/corpus/w%65b/001-x#", Coordinate("acme", "web", "001-x")),
    ("spectastic://a/corpus/b/c?edition=a%20b+c", Coordinate("a", "b", "c", "a b c")),
    ("spectastic://a/corpus/b/c?edition=x=y?z", Coordinate("a", "b", "c", "x=y?z")),
]

REFUSED: list[tuple[str, str]] = [
    ("", "does not begin with spectastic://"),
    ("KB-0001", "does not begin with spectastic://"),
    ("spectastic:acme/corpus/web/x", "does not begin with spectastic://"),
    ("https://acme/corpus/web/x", "its scheme is https"),
    ("spectastic://", "names no marketplace"),
    ("spectastic:///corpus/web/x", "names no marketplace"),
    ("spectastic://acme", "no /corpus/"),
    ("spectastic://acme/web/x", "no /corpus/"),
    ("spectastic://acme/Corpus/web/x", "no /corpus/"),
    ("spectastic://acme/spec/web/x", "the address of a spec"),
    ("spectastic://acme/contract/web/x", "the address of a contract"),
    ("spectastic://acme/corpus", "0 names"),
    ("spectastic://acme/corpus/web", "1 names"),
    ("spectastic://acme/corpus/web/x/y", "3 names"),
    ("spectastic://acme/corpus/web/", "a name in it is empty"),
    ("spectastic://acme//corpus/web/x", "a name in it is empty"),
    ("spectastic://acme/corpus/web/x?", "after ? stands edition="),
    ("spectastic://acme/corpus/web/x?edition=", "after ? stands edition="),
    ("spectastic://acme/corpus/web/x?version=1", "after ? stands edition="),
    ("spectastic://acme/corpus/web/x?edition=1&edition=2", "after ? stands edition="),
    ("spectastic://acme/corpus/web/x y", "U+0020 cannot stand"),
    ("spectastic://acme/corpus/web/x\n", "U+000A cannot stand"),
    ("spectastic://acme/corpus/web/x\udcff", "U+DCFF cannot stand"),
    ("spectastic://acme/corpus/web/%zz", "%zz is no escape"),
    ("spectastic://acme/corpus/web/x%", "% is no escape"),
    ("spectastic://acme/corpus/web/%ff", "not UTF-8"),
    ("spectastic://acme/corpus/web/x?edition=%c3", "not UTF-8"),
]


@pytest.mark.parametrize(("coordinate", "text"), BOTH_WAYS, ids=[case[1] for case in BOTH_WAYS])
def test_both_ways(coordinate: Coordinate, text: str) -> None:
    assert uri.compose(coordinate) == text
    assert uri.parse(text) == coordinate


@pytest.mark.parametrize(("text", "coordinate"), READ)
def test_what_is_written_in_another_way(text: str, coordinate: Coordinate) -> None:
    assert uri.parse(text) == coordinate


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_no_coordinate(text: str, reason: str) -> None:
    found = uri.parse(text)
    assert isinstance(found, NoCoordinate)
    assert reason in found.reason


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@given(NAMES.map(str.lower), NAMES, NAMES, st.none() | NAMES, st.just("") | NAMES)
def test_nothing_is_lost(marketplace: str, plugin: str, slug: str, edition: str | None, anchor: str) -> None:
    coordinate = Coordinate(marketplace, plugin, slug, edition, anchor)
    text = uri.compose(coordinate)
    assert text.isascii()
    assert uri.parse(text) == coordinate


@given(st.text(max_size=40), st.sampled_from(["", "spectastic://", "spectastic://a/corpus/b/"]))
def test_parsing_never_fails(text: str, head: str) -> None:
    found = uri.parse(head + text)
    if isinstance(found, Coordinate):
        # Composed, it may be written in another way, and is still the same.
        assert uri.parse(uri.compose(found)) == found


def test_rows_and_back(tmp_path: Path) -> None:
    path = "knowledge/web/references/001-contrast.md"
    found = corpus(tmp_path, {"knowledge/index.md": HEADER + ROWS, path: document()})
    of = {identifier: uri.of_row(row) for identifier, row in found.rows.items()}
    assert of["KB-0001"] == Coordinate("acme/facts", "web", "001-contrast")
    assert uri.of_row(found.rows["KB-0001"], "2024") == Coordinate(
        "acme/facts", "web", "001-contrast", "2024"
    )
    assert [identifier for identifier, coordinate in of.items() if coordinate is None] == [
        "KB-0005",
        "KB-0006",
        "KB-0007",
    ]


LOOKED_UP: list[tuple[Coordinate, str]] = [
    (Coordinate("acme/facts", "web", "001-contrast"), "KB-0001"),
    # Two rows share an address; in the marketplace alone case does not count.
    (Coordinate("other", "web", "001-contrast"), "KB-0002 KB-0003"),
    (Coordinate("other", "Web", "002-focus"), "KB-0004"),
    (Coordinate("other", "web", "002-focus"), "no row here has the slug 002-focus: "),
    (Coordinate("other", "WEB", "002-focus"), "no row here has the plugin WEB: web"),
    (Coordinate("others", "web", "002-focus"), "no row here has the marketplace others: other"),
    (Coordinate("elsewhere", "web", "002-focus"), "no row here has the marketplace elsewhere: "),
]


@pytest.mark.parametrize(("coordinate", "expected"), LOOKED_UP)
def test_looking_up(coordinate: Coordinate, expected: str, tmp_path: Path) -> None:
    found = corpus(tmp_path, {"knowledge/index.md": HEADER + ROWS})
    rows = uri.find(coordinate, found.rows.values())
    said = f"{rows.reason}: {rows.near}" if isinstance(rows, Elsewhere) else " ".join(row.id for row in rows)
    assert said == expected
