"""Searching, and what it reads: bodies of documents and the catalogue of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpora import corpus, document, row
from trees import Link

from spectastic.corpus.body import body, hash_state
from spectastic.corpus.body import document as read_document
from spectastic.corpus.catalog import catalog, entry
from spectastic.corpus.references import digest, load
from spectastic.corpus.search import EXCERPT, best_line, search
from spectastic.source import Source

if TYPE_CHECKING:
    from pathlib import Path

HOME = "knowledge/web/references"

BODIES: list[tuple[str, bytes, str, int]] = [
    ("plain", b"---\na: b\n---\n\n# T\n", "\n# T\n", 4),
    ("CRLF", b"---\r\na: b\r\n---\r\n\r\n# T\r\n", "\n# T\n", 4),
    ("a byte order mark", b"\xef\xbb\xbf---\na: b\n---\nT", "T", 4),
    ("lone CR", b"---\ra: b\r---\r# T\r", "# T\n", 4),
    ("no frontmatter", b"# T\n\ntext\n", "# T\n\ntext\n", 1),
    ("nothing behind it", b"---\na: b\n---\n", "", 4),
    ("never closed", b"---\na: b\n", "---\na: b\n", 1),
    ("nothing", b"", "", 1),
    ("beyond ASCII", "---\na: ä\n---\nö\u2028ü\n".encode(), "ö\u2028ü\n", 4),
]


@pytest.mark.parametrize(("data", "text", "line"), [case[1:] for case in BODIES], ids=[c[0] for c in BODIES])
def test_bodies(data: bytes, text: str, line: int) -> None:
    found = body(Source("a.md", data))
    assert (found.text, found.line) == (text, line)
    assert data.endswith(found.data)
    assert found.data.decode().replace("\r\n", "\n").replace("\r", "\n") == text


RIGHT = digest(b"\nA fact.\n")
HASHES = [
    (RIGHT, "matches"),
    (RIGHT.replace("sha256:", "sha256:").upper().replace("SHA256", "sha256"), "matches"),
    (digest(b"\nAnother fact.\n"), "differs"),
    ("TODO", "missing"),
    ("''", "missing"),
    ("sha256:12", "malformed"),
    (RIGHT.removeprefix("sha256:"), "malformed"),
]


@pytest.mark.parametrize(("declared", "expected"), HASHES)
def test_what_a_hash_says(declared: str, expected: str) -> None:
    text = document(**{"content-hash": declared})
    assert hash_state(load(Source("a.md", text.encode()), "web", False)) == expected


@pytest.mark.parametrize(("text", "expected"), [(document(), "missing"), ("# No frontmatter\n", "none")])
def test_a_hash_that_is_not_there(text: str, expected: str) -> None:
    assert hash_state(load(Source("a.md", text.encode()), "web", False)) == expected


def test_a_document_is_read_with_its_hash(tmp_path: Path) -> None:
    found = corpus(tmp_path, {f"{HOME}/a.md": document()}, row(1, "2024-05-28", "web/references/a.md"))
    read = read_document(found, found.find("KB-0001", None))
    assert read is not None
    assert read[0].digest == digest(b"\nA fact.\n")
    assert read[1].text == "\nA fact.\n"
    assert read_document(found, found.find("KB-0002", None)) is None


def test_a_document_may_go_between_two_looks(tmp_path: Path) -> None:
    found = corpus(tmp_path, {f"{HOME}/a.md": document()}, row(1, "2024-05-28", "web/references/a.md"))
    resolution = found.find("KB-0001", None)
    (tmp_path / HOME / "a.md").unlink()
    assert read_document(found, resolution) is None
    assert search(found, "fact").hits == ()
    assert search(found, "title").hits == ()


FILES = {
    f"{HOME}/001-fee.md": document(
        "001-fee", "2", "# Late fee\n\nA late delivery costs a fee.\n\nThe fee is due at once.\n"
    ),
    f"{HOME}/superseded/001-fee@1.md": document("001-fee", "1", "# Late fee\n\nA fee was never due.\n"),
    f"{HOME}/002-hours.md": document("002-hours", "1", "# Hours\r\n\r\nLate is after five.\r\n"),
    f"{HOME}/003-none.md": document("003-none", "1", "Nothing of that kind.\n"),
}
ROWS = (
    row(1, "2", "web/references/001-fee.md", "001-fee").replace("| T |", "| Late fee |"),
    row(2, "1", "web/references/002-hours.md", "002-hours").replace("| T |", "| Opening times |"),
    row(3, "1", "web/references/003-none.md", "003-none"),
    row(4, "1", "web/references/004-gone.md", "004-gone"),
)

FOUND: list[tuple[str, bool, list[tuple[str, int, str]]]] = [
    # The heading holds both words, and is the title over again.
    (
        "late fee",
        False,
        [("KB-0001@2", 9, "A late delivery costs a fee."), ("KB-0002@1", 9, "Late is after five.")],
    ),
    # Of two lines that are alike, the first.
    ("fee", False, [("KB-0001@2", 9, "A late delivery costs a fee.")]),
    ("due once", False, [("KB-0001@2", 11, "The fee is due at once.")]),
    ("due", True, [("KB-0001@1", 9, "A fee was never due."), ("KB-0001@2", 11, "The fee is due at once.")]),
    ("opening", False, [("KB-0002@1", 0, "")]),
    ("hours", False, [("KB-0002@1", 7, "# Hours")]),
    ("gone", False, []),
    ("", False, []),
]


@pytest.mark.parametrize(("query", "superseded", "expected"), FOUND, ids=[case[0] for case in FOUND])
def test_what_is_found(
    query: str, superseded: bool, expected: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    found = search(corpus(tmp_path, FILES, *ROWS), query, superseded=superseded)
    shown = [(f"{h.resolution.id}@{h.resolution.edition}", h.line, h.excerpt) for h in found.hits]
    assert shown == expected
    assert found.total == len(expected)
    assert found.searched == (4 if superseded else 3)
    assert found.unread == ("KB-0004",)


def test_line_numbers_are_those_of_the_file(tmp_path: Path) -> None:
    found = search(corpus(tmp_path, FILES, *ROWS), "late delivery due once five")
    for hit in found.hits:
        lines = (tmp_path / hit.resolution.path).read_bytes().splitlines()
        assert lines[hit.line - 1].decode() == hit.excerpt


def test_limit_and_words(tmp_path: Path) -> None:
    found = search(corpus(tmp_path, FILES, *ROWS), "Late UI late fee a UI missing", limit=1)
    assert (len(found.hits), found.total) == (1, 2)
    assert found.words == ("late", "fee", "missing")
    assert found.dropped == ("ui", "a")
    assert found.hits[0].words == ("late", "fee")


def test_equals_stay_in_the_order_of_the_registry(tmp_path: Path) -> None:
    files = {f"{HOME}/{n}.md": document(str(n), "1", "The same fact.\n") for n in range(20)}
    rows = [row(n, "1", f"web/references/{n}.md", str(n)) for n in reversed(range(20))]
    found = search(corpus(tmp_path, files, *rows), "fact", limit=20)
    assert [hit.resolution.id for hit in found.hits] == [f"KB-{n:04d}" for n in reversed(range(20))]


def test_a_very_long_line_is_cut_around_the_word(tmp_path: Path) -> None:
    text = "x " * 100_000 + "the İstanbul fact" + " y" * 100_000
    found = search(
        corpus(tmp_path, {f"{HOME}/a.md": document("a", "1", text)}, row(1, "1", "web/references/a.md", "a")),
        "fact",
    )
    excerpt = found.hits[0].excerpt
    assert "the İstanbul fact" in excerpt
    assert excerpt.startswith("…x")
    assert excerpt.endswith("y…")
    assert len(excerpt) <= EXCERPT + 2


@pytest.mark.parametrize("place", ["fact first, then much more: ", ""])
def test_the_ends_of_a_line_are_not_marked_as_cut(place: str, tmp_path: Path) -> None:
    text = f"{place}{'x ' * 200}{'' if place else 'fact at the end'}"
    files = {f"{HOME}/a.md": document("a", "1", text)}
    found = search(corpus(tmp_path, files, row(1, "1", "web/references/a.md", "a")), "fact")
    excerpt = found.hits[0].excerpt
    assert excerpt.startswith("…") is not bool(place)
    assert excerpt.endswith("…") is bool(place)


BEST: list[tuple[list[str], str, dict[str, float], int | None]] = [
    (["a fee", "a late fee", "late"], "", {"late": 1.0, "fee": 1.0}, 1),
    (["a fee", "late"], "", {"late": 2.0, "fee": 1.0}, 1),
    # A word counts once in a line.
    (["late fee", "fee fee fee"], "", {"late": 0.5, "fee": 1.0}, 0),
    (["# The Fee", "", "a fee"], "The fee!", {"fee": 1.0}, 2),
    (["# The Fee", "", "none"], "The fee!", {"fee": 1.0}, 0),
    (["", "none"], "", {"fee": 1.0}, None),
    ([], "", {"fee": 1.0}, None),
    (["fee"], "", {}, None),
]


@pytest.mark.parametrize(("lines", "title", "weights", "expected"), BEST)
def test_the_best_line(lines: list[str], title: str, weights: dict[str, float], expected: int | None) -> None:
    assert best_line(lines, title, weights) == expected


def test_what_leads_out_of_the_corpus_is_not_searched(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(document("a", "1", "A secret fact.\n"), encoding="utf-8")
    found = corpus(
        tmp_path / "repository",
        {f"{HOME}/a.md": Link("../../../../secret.md"), f"{HOME}/b.md": document("b", "1")},
        row(1, "1", "web/references/a.md", "a"),
        row(2, "1", "web/references/b.md", "b"),
    )
    hits = search(found, "secret fact", superseded=True)
    assert [hit.resolution.id for hit in hits.hits] == ["KB-0002"]
    assert hits.unread == ("KB-0001",)


def test_editions_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    broken = {f"{HOME}/superseded/002-hours@0.md": b"\xff", f"{HOME}/003-none.md": b"\xff"}
    found = corpus(tmp_path, {**FILES, **broken}, *ROWS)
    assert search(found, "fee").unread == ("KB-0003", "KB-0004")
    assert search(found, "fee", superseded=True).unread == ("KB-0002@0", "KB-0003", "KB-0004")


def test_the_catalogue(tmp_path: Path) -> None:
    orphan = row(5, "1", "web/references/003-none.md", "003-none", "Orphaned")
    found = corpus(tmp_path, FILES, *ROWS, orphan, row(6, "", "", "x"))
    known = {item.row.id: item for item in catalog(found)}
    assert list(known) == ["KB-0001", "KB-0002", "KB-0003", "KB-0004", "KB-0005", "KB-0006"]
    assert known["KB-0001"].editions == ("2", "1")
    assert known["KB-0001"].path == f"{HOME}/001-fee.md"
    assert {identifier: item.status for identifier, item in known.items()} == {
        "KB-0001": "authoritative",
        "KB-0002": "authoritative",
        "KB-0003": "authoritative",
        "KB-0004": "document missing",
        "KB-0005": "orphaned",
        "KB-0006": "no such edition",
    }
    assert {item.pack for item in known.values()} == {"web", ""}
    assert entry(found, "KB-0004").path == ""
