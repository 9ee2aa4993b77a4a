"""Reading prior art: which files count, what is read of each, and what is said of the rest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from prior_art import BUGS, FIXTURES, LESSONS, SPECS, document, spec
from trees import Link, tree

from spectastic.frontmatter import preamble
from spectastic.retrieval import documents
from spectastic.retrieval.documents import admits, body, load, parse
from spectastic.retrieval.model import Document, Kind
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.retrieval.model import Library

HEAD = b"---\nid: X-1\n---\n"

#: What stands before the frontmatter, and whether it may.
BEFORE: list[tuple[str, bool]] = [
    ("", True),
    ("\n \t\n\r\n\r", True),
    ("<!-- c -->\n", True),
    ("<!-- a\n---\n-- > \n-->\n\n<!---->\n", True),
    ("# LESSON-003: a title\n\n", True),
    ("#\n###### six\t\n", True),
    ("\ufeff# T\r\n", True),
    ("<!-- c --> # T\n", False),
    ("<!-- c -->", False),
    ("<!-- c\n", False),
    ("####### seven\n", False),
    ("#tag\n", False),
    ("text\n", False),
    (" # T\n", False),
    ("x", False),
    (" ", False),
    ("- item\n", False),
]


@pytest.mark.parametrize(("before", "allowed"), BEFORE)
def test_what_may_stand_before_frontmatter(before: str, allowed: bool) -> None:
    found = parse(before.encode() + HEAD, Kind.LESSON, "a.md")
    assert isinstance(found, Unreadable) != allowed
    if not isinstance(found, Unreadable):
        assert found.document.id == "X-1"


def test_a_preamble_costs_its_length() -> None:
    for unit in (b"<!--", b"-", b"# ", b"\n \n", b"<!-- -- -->\n", b"#"):
        data = unit * 200_000
        assert 0 <= preamble(data) <= len(data)


#: A field as written, what `component` and `tags` make of it, and whether it fills the document.
VALUES: list[tuple[str, str, tuple[str, ...], bool]] = [
    ("a/b", "a/b", ("a/b",), True),
    ("'a, b'", "a, b", ("a, b",), True),
    ("[a]", "a", ("a",), True),
    ("[b, a, b]", "", ("b", "a"), True),
    ("\n  - 'b'\n  - \"a\"", "", ("b", "a"), True),
    ("\n  - b", "b", ("b",), True),
    ("1.10", "1.10", ("1.10",), True),
    ("on", "on", ("on",), True),
    ("", "", (), False),
    ("''", "", (), False),
    ("' '", "", (), False),
    ("~", "", (), False),
    ("null", "", (), False),
    ("[]", "", (), False),
    ("['', ~, Null]", "", (), True),
    ("[~]", "", (), False),
    ("{a: b}", "", (), True),
    ("[[a], b]", "", (), True),
    ("# nothing", "", (), False),
    ("a # b", "a", ("a",), True),
]


@pytest.mark.parametrize(("written", "single", "several", "filled"), VALUES)
def test_values(written: str, single: str, several: tuple[str, ...], filled: bool) -> None:
    one = parse(document(component=written).encode(), Kind.LESSON, "a.md")
    many = parse(document(component=None, tags=written).encode(), Kind.LESSON, "a.md")
    assert not isinstance(one, Unreadable)
    assert not isinstance(many, Unreadable)
    assert one.document.component == single
    assert many.document.tags == several
    assert one.document.filled == filled
    assert many.document.filled == (filled and written != "['', ~, Null]")


def test_what_cannot_be_compared_is_told() -> None:
    text = document(component="[a, b]", tags="{a: b}", status="[x, y]", other="{a: b}", related="[a, b]")
    found = parse(text.encode(), Kind.SPEC, "a.md")
    assert not isinstance(found, Unreadable)
    assert [(note.path, note.message, note.hint) for note in found.notes] == [
        ("a.md", "the field status cannot be compared", "write one plain value"),
        ("a.md", "the field component cannot be compared", "write one plain value"),
        ("a.md", "the field tags cannot be compared", "write a list of plain values"),
    ]


def test_what_is_told_of_a_document_that_takes_part() -> None:
    found = parse(
        document(tags="a", domain="!x y").replace("title: T", "tags: b").encode(), Kind.SPEC, "a.md"
    )
    assert not isinstance(found, Unreadable)
    assert [note.message for note in found.notes] == [
        "the field tags stands here twice",
        "the frontmatter cannot be taken as it is: it uses a YAML tag, !x",
        "the field domain cannot be compared",
    ]
    assert (found.document.tags, found.document.domain) == (("b",), "")


@pytest.mark.parametrize("text", ["tags: [a]\ntags: [b]", "tags: {a: b}\n? &x c\n: [d]"])
def test_problems_beside_a_list_leave_nothing_out(text: str) -> None:
    found = parse(f"---\n{text}\n---\n".encode(), Kind.SPEC, "a.md")
    assert not isinstance(found, Unreadable)
    assert (found.document.filled, len(found.notes) > 0) == (True, True)


#: A path with its kind, the frontmatter's id and title, and what they come to.
NAMES: list[tuple[Kind, str, str | None, str | None, str, str]] = [
    (Kind.LESSON, "a/LESSON-012-do-not-guess.md", None, None, "LESSON-012", "do not guess"),
    (Kind.LESSON, "a/LESSON-012-do-not-guess.md", "LESSON-013", "'T: x'", "LESSON-013", "T: x"),
    (Kind.LESSON, "a/LESSON-012.md", None, None, "LESSON-012", ""),
    (Kind.LESSON, "a/LESSON-12-x.md", None, None, "LESSON-12-x", ""),
    (Kind.LESSON, "a/LESSON-1234567-x.md", None, None, "LESSON-1234567-x", ""),
    (Kind.LESSON, "a/LESSON-٣٣٣-x.md", None, None, "LESSON-٣٣٣-x", ""),
    (Kind.SPEC, "a/REQ-1200-x-y/requirement.md", "", "", "REQ-1200", "x y"),
    (Kind.SPEC, "requirement.md", None, None, "requirement", ""),
    (Kind.BUG, "notes.md", None, None, "notes", ""),
]


@pytest.mark.parametrize(("kind", "path", "written", "title", "identifier", "expected"), NAMES)
def test_ids_and_titles(
    kind: Kind, path: str, written: str | None, title: str | None, identifier: str, expected: str
) -> None:
    found = parse(document(id=written, title=title).encode(), kind, path)
    assert not isinstance(found, Unreadable)
    assert (found.document.id, found.document.title) == (identifier, expected)


STATUSES: list[tuple[str, bool, bool]] = [
    ("", False, True),
    ("draft", False, False),
    ("superseded", False, False),
    ("cancelled", False, False),
    ("rejected", False, False),
    ("Draft", False, False),
    (" DRAFT ", False, False),
    ("drafts", False, True),
    ("canceled", False, True),
    ("complete", False, True),
    ("deployed", False, True),
    ("open", False, True),
    ("resolved", True, True),
    ("closed", True, True),
    ("Closed", True, True),
    ("fixed", False, True),
    ("resolved?", False, True),
]


@pytest.mark.parametrize(("status", "bug", "spec"), STATUSES)
def test_statuses(status: str, bug: bool, spec: bool) -> None:
    assert [admits(kind, status) for kind in (Kind.LESSON, Kind.BUG, Kind.SPEC)] == [True, bug, spec]


def ids(found: tuple[Document, ...]) -> list[str]:
    return [document.id for document in found]


def told(library: Library) -> dict[str, str]:
    shelves = library.shelves.values()
    return {item.path: item.message for shelf in shelves for item in shelf.unreadable}


def test_the_fixture_corpus() -> None:
    library = load(str(FIXTURES / "corpus"), ".adlc")
    counts = [(shelf.on_disk, len(shelf.admitted), shelf.missing) for shelf in library.shelves.values()]
    assert counts == [(35, 29, False), (17, 11, False), (18, 12, False)]
    assert ids(library.kept_out) == [
        *("BUG-004", "BUG-005", "BUG-006", "BUG-007", "BUG-011"),
        *("REQ-007", "REQ-008", "REQ-009", "REQ-010", "REQ-013"),
    ]
    assert {path.split("/")[-1 - path.endswith("requirement.md")][:10] for path in told(library)} == {
        *(f"LESSON-03{number}" for number in range(6)),
        *("BUG-016-ta", "REQ-016-ha"),
    }
    assert library.trouble == ()
    assert [document.kind for document in library.documents] == sorted(
        (document.kind for document in library.documents), key=lambda kind: kind.order
    )


def test_the_order_of_a_folder_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = load(str(FIXTURES / "corpus"), ".adlc")
    listed = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            with listed(path) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(os, "scandir", Backwards)
    assert load(str(FIXTURES / "corpus"), ".adlc") == expected


def test_missing_folders_are_a_cold_start(tmp_path: Path) -> None:
    for files in ({}, {".adlc": None}, {f"{LESSONS}/LESSON-001-x.md": document()}):
        library = load(str(tree(tmp_path, files)), ".adlc")
        assert library.trouble == ()
        assert [shelf.missing for shelf in library.shelves.values()] == [
            len(files) == 0 or ".adlc" in files,
            True,
            True,
        ]


def test_what_is_no_document(tmp_path: Path) -> None:
    files: dict[str, str | None] = {
        f"{LESSONS}/{name}": document()
        for name in (".hidden.md", "a.MD", "a.markdown", "a.md.bak", "a.txt", "sub/LESSON-001.md", "md")
    }
    files[f"{BUGS}/BUG-202.patch"] = "x"
    files[f"{SPECS}/requirement.md"] = document()
    files[f"{SPECS}/REQ-001-x/spec.md"] = document()
    files[f"{SPECS}/REQ-001-x/deep/requirement.md"] = document()
    files[f"{SPECS}/.hidden/requirement.md"] = document()
    library = load(str(tree(tmp_path, files)), ".adlc")
    assert (library.documents, library.kept_out, told(library), library.trouble) == ((), (), {}, ())


def test_what_is_not_a_regular_file_is_named(tmp_path: Path) -> None:
    tree(tmp_path, {f"{LESSONS}/folder.md": None, f"{SPECS}/REQ-001-x/requirement.md": None})
    os.mkfifo(tmp_path / LESSONS / "pipe.md")
    assert told(load(str(tmp_path), ".adlc")) == {
        f"{LESSONS}/folder.md": "this is a directory",
        f"{LESSONS}/pipe.md": "this is not a regular file",
        f"{SPECS}/REQ-001-x/requirement.md": "this is a directory",
    }


def test_links(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "../outside/secret.md": document(id="SECRET"),
        "../outside/requirement.md": document(id="SECRET"),
        "docs/inside.md": document(id="SECRET"),
        ".adlc2/sibling.md": document(id="SECRET"),
        f"{LESSONS}/LESSON-007-x.md": Link("../../../.adlc2/sibling.md"),
        f"{LESSONS}/LESSON-001-x.md": document(),
        f"{LESSONS}/LESSON-002-x.md": Link("LESSON-001-x.md"),
        f"{LESSONS}/LESSON-003-x.md": Link("../../../../outside/secret.md"),
        f"{LESSONS}/LESSON-004-x.md": Link("../../../docs/inside.md"),
        f"{LESSONS}/LESSON-005-x.md": Link("nowhere.md"),
        f"{LESSONS}/LESSON-006-x.md": Link("LESSON-006-x.md"),
        **spec("001"),
        f"{SPECS}/REQ-002-x": Link("REQ-001-x"),
        f"{SPECS}/REQ-003-x": Link("../../../outside"),
        f"{SPECS}/REQ-004-x/requirement.md": Link("../../../../outside/requirement.md"),
        f"{SPECS}/REQ-005-x/requirement.md": Link("../REQ-001-x/requirement.md"),
        f"{SPECS}/REQ-006-x": Link("../bugs"),
        f"{BUGS}/BUG-001-x.md": Link(str(tmp_path / "outside" / "secret.md")),
    }
    library = load(str(tree(tmp_path / "root", files)), ".adlc")
    assert [document.path.removeprefix(".adlc/") for document in library.documents] == [
        "knowledge/lessons/LESSON-001-x.md",
        "knowledge/lessons/LESSON-002-x.md",
        "specs/REQ-001-x/requirement.md",
        "specs/REQ-002-x/requirement.md",
        "specs/REQ-005-x/requirement.md",
    ]
    assert told(library) == {
        f"{LESSONS}/LESSON-003-x.md": "this link leads out of .adlc",
        f"{LESSONS}/LESSON-004-x.md": "this link leads out of .adlc",
        f"{LESSONS}/LESSON-005-x.md": "this link leads nowhere",
        f"{LESSONS}/LESSON-006-x.md": "this link leads in a circle",
        f"{LESSONS}/LESSON-007-x.md": "this link leads out of .adlc",
        f"{BUGS}/BUG-001-x.md": "this link leads out of .adlc",
        f"{SPECS}/REQ-003-x/requirement.md": "this link leads out of .adlc",
        f"{SPECS}/REQ-004-x/requirement.md": "this link leads out of .adlc",
        f"{SPECS}/REQ-006-x/requirement.md": "this link leads nowhere",
    }


def test_folders_that_are_links(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "outside/lessons/LESSON-001-x.md": document(),
        "root/docs/prior/bugs/BUG-001-x.md": document(id="BUG-001", status="closed"),
        "root/docs/prior/knowledge": Link("../../../outside"),
        "root/docs/prior/specs": Link("bugs"),
        "root/.adlc": Link("docs/prior"),
    }
    library = load(str(tree(tmp_path, files) / "root"), ".adlc")
    assert library.folder == "docs/prior"
    assert [document.path for document in library.documents] == ["docs/prior/bugs/BUG-001-x.md"]
    assert [(item.path, item.message) for item in library.trouble] == [
        ("docs/prior/knowledge/lessons", "this link leads out of docs/prior")
    ]


@pytest.mark.parametrize("target", ["../outside", ".", "/"])
def test_a_prior_art_folder_outside_of_the_repository(target: str, tmp_path: Path) -> None:
    tree(tmp_path, {"outside/bugs/BUG-001-x.md": document(status="closed"), "root/.adlc": Link(target)})
    library = load(str(tmp_path / "root"), ".adlc")
    assert (library.documents, library.trouble[0].path) == ((), ".adlc")
    assert "outside of the repository" in library.trouble[0].message


def test_what_cannot_be_listed_or_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {f"{LESSONS}/LESSON-001-x.md": document(), BUGS: "a file", **spec("001"), **spec("002")})
    opened, looked = os.open, os.lstat

    def refuse(path: str, *rest: int) -> int:
        if "LESSON-001" in path or "REQ-001" in path:
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    def unseen(path: str) -> os.stat_result:
        if str(path).endswith("REQ-001-x/requirement.md"):
            raise PermissionError(13, "Permission denied")
        return looked(path)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "lstat", unseen)
    library = load(str(tmp_path), ".adlc")
    assert told(library) == {
        f"{LESSONS}/LESSON-001-x.md": "the file cannot be read: permission denied",
        f"{SPECS}/REQ-001-x/requirement.md": "the file cannot be read: permission denied",
    }
    assert [(item.path, item.message) for item in library.trouble] == [
        (BUGS, "the folder cannot be listed: not a directory")
    ]
    assert ids(library.documents) == ["REQ-002"]


@pytest.mark.parametrize("extra", range(-3, 4))
def test_frontmatter_that_ends_where_the_first_bytes_end(extra: int, tmp_path: Path) -> None:
    """The first bytes end in, before or behind the closing line, or in a line that only begins like it."""
    fill = "x" * (4096 - len("---\na: \n---") + extra)
    for closing, expected in (("---", "LESSON-001"), ("---more: 1", "X-1")):
        text = f"---\na: {fill}\n{closing}\nid: X-1\n---\n"
        tree(tmp_path, {f"{LESSONS}/LESSON-001-x.md": text})
        library = load(str(tmp_path), ".adlc")
        assert (ids(library.documents), told(library)) == ([expected], {})


def test_a_document_that_goes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {f"{LESSONS}/LESSON-001-x.md": "---\n" + "a" * 5000})
    gone = Unreadable(f"{LESSONS}/LESSON-001-x.md", "the file cannot be read: gone")
    monkeypatch.setattr(documents, "read", lambda *_: gone)
    assert told(load(str(tmp_path), ".adlc")) == {gone.path: gone.message}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n---\nText.\n", "Text.\n"),
        ("# T\n\n---\na: b\n---\nText.\n", "Text.\n"),
        ("\ufeff---\na: b\n---\nText.\n", "Text.\n"),
        ("Text.\n", "Text.\n"),
    ],
)
def test_bodies(text: str, expected: str) -> None:
    assert body(text.encode()) == expected.encode()
