from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpora import corpus, document, row
from trees import Link, tree

from spectastic import source
from spectastic.corpus import load, references
from spectastic.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.corpus import Corpus

WEB = "knowledge/web/references"
HEAD = b"---\nslug: 001-x\n---\n"

# Worked out with `printf '…' | sha256sum`.
NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
BLANK_FACT = "d0af2ecee05719af67d19fb8a4bece9a6bb914ba12b226d914b0b6cc03b85d00"
FACT = "a36bd95b09b4e2f963c3519a5731b40fb48884200fceccc4ab85b1cc6cafb128"
NO_LAST_BREAK = "1fee65383c9430ac67e3f95daa8c8cfe11f82b5e22f555ad90f4f9f4cc57cea8"
LONE_CR = "367d1c77eadc1495a7db4200f46a8b90ea1fa926282722d308c05a65098a4112"
MARK_INSIDE = "6e790794bde44fc3e98aa6980e59329951513cb59ec819c41dc0a8ac6900002c"
RULES = "79f1115d0affbe37180435a245cc00463dc4d6c468077899f27251f3a527622f"
BLANKS = "16647954c146404e2b7418ad84f45ea5430a2b844ae367ccb8ad371b8b8465f5"

HASHES: dict[str, tuple[bytes, str]] = {
    "the blank line and the last line break count": (HEAD + b"\nA fact.\n", BLANK_FACT),
    "no blank line": (HEAD + b"A fact.\n", FACT),
    "no last line break": (HEAD + b"\nA fact.", NO_LAST_BREAK),
    "CRLF counts as LF": (HEAD.replace(b"\n", b"\r\n") + b"\r\nA fact.\r\n", BLANK_FACT),
    "CRLF in the body only": (HEAD + b"\r\nA fact.\r\n", BLANK_FACT),
    "a lone CR stays": (HEAD + b"a\rb\n", LONE_CR),
    "a byte order mark is before the body": (b"\xef\xbb\xbf" + HEAD + b"A fact.\n", FACT),
    "a byte order mark in the body stays": (HEAD + b"\xef\xbb\xbf\ncaf\xc3\xa9\n", MARK_INSIDE),
    "blanks after the dashes are not body": (b"---  \nslug: a\n--- \t\nA fact.\n", FACT),
    "rules in the body are body": (HEAD + b"\n---\nx\n---\n", RULES),
    "nothing is trimmed": (HEAD + b" \n\n", BLANKS),
    "an empty body": (HEAD, NOTHING),
    "no body at all": (HEAD.rstrip(), NOTHING),
    "an empty frontmatter": (b"---\n---\nA fact.\n", FACT),
    "broken YAML": (b"---\na: b: c\n---\nA fact.\n", FACT),
}


@pytest.mark.parametrize(("data", "digest"), HASHES.values(), ids=HASHES)
def test_hashes(data: bytes, digest: str) -> None:
    assert references.parse(Source("a.md", data), "web", False).digest == f"sha256:{digest}"


@pytest.mark.parametrize("data", [b"", b"A fact.\n", b"---\nslug: x\n", b"\n---\nslug: x\n---\n"])
def test_without_frontmatter_there_is_no_hash(data: bytes) -> None:
    found = references.parse(Source("a.md", data), "web", False)
    assert (found.digest, found.fields) == ("", {})


def test_fields_of_a_reference() -> None:
    data = "\ufeff---\r\nslug: 001-x\r\nedition: 2024-05-28\r\norigin: Börse\r\n---\r\n".encode()
    source = Source("knowledge/web/references/a.md", data)
    found = references.parse(source, "web", True)
    assert (found.path, found.pack, found.superseded) == (source.path, "web", True)
    assert (found.value("edition"), found.value("license")) == ("2024-05-28", "")
    assert source.slice(found.span("origin")) == "Börse"
    assert source.slice(found.span("license")) == source.slice(found.head) == "---"
    assert source.locate(found.head)[:2] == (1, 1)


def test_a_citation_asks_for_no_hash(tmp_path: Path) -> None:
    found = corpus(tmp_path, {f"{WEB}/a.md": document()}, row(1, "1", "web/references/a.md"))
    first = found.reference_for(found.find("KB-0001", "1"))
    assert first is not None
    assert (first.value("edition"), first.digest) == ("2024-05-28", "")
    assert found.references[0].digest == f"sha256:{BLANK_FACT}"
    assert found.reference_for(found.find("KB-0001", None)) is found.references[0]


def read(root: Path, path: str) -> str:
    return references.load(source.read(str(root), path), "web", False).unreadable


def test_what_cannot_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spectastic.source.MAX_BYTES", 1_000)
    tree(
        tmp_path,
        {
            "latin.md": HEAD + b"caf\xe9",
            "nul.md": HEAD + b"\0",
            "large.md": b"x" * 1_001,
            "folder.md": None,
            "a.md": HEAD,
        },
    )
    assert read(tmp_path, "a.md") == ""
    assert read(tmp_path, "latin.md") == "the file is not UTF-8: byte 0xe9 at offset 23"
    assert "NUL byte" in read(tmp_path, "nul.md")
    assert "the file is too large: 1,001 bytes" in read(tmp_path, "large.md")
    assert "is a directory" in read(tmp_path, "folder.md")
    assert "no such file" in read(tmp_path, "gone.md")
    found = references.load(source.read(str(tmp_path), "latin.md"), "web", True)
    assert found[:5] == ("latin.md", "web", True, {}, "")


def paths(found: Corpus) -> list[str]:
    return [reference.path.removeprefix("knowledge/") for reference in found.references]


def problems(found: Corpus) -> dict[str, str]:
    assert len(dict(found.problems)) == len(found.problems)
    return {path.removeprefix("knowledge/"): problem.message for path, problem in found.problems}


def test_every_reference_is_read(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        f"{WEB}/b.md": document(),
        f"{WEB}/a.md": document(),
        f"{WEB}/B.md": document(),
        f"{WEB}/superseded/z@1.md": document(),
        f"{WEB}/link.md": Link("a.md"),
        f"{WEB}/picture.png": b"\xff",
        f"{WEB}/notes.txt": "x",
        f"{WEB}/.draft.md": "x",
        f"{WEB}/superseded/.#lock.md": Link("nobody@host"),
        f"{WEB}/images/x.png": b"\xff",
        "knowledge/web/notes.md": "x",
        "knowledge/notes.md": "x",
        "knowledge/empty": None,
        "knowledge/.git/references/x.md": "x",
        "knowledge/app/references/c.md": b"\xff",
        "knowledge/linked": Link("web"),
    }
    found = corpus(tmp_path, files, row(1, "1", "web/references/a.md"))
    own = ["B.md", "a.md", "b.md", "link.md", "superseded/z@1.md"]
    linked = [f"linked/references/{name}" for name in own]
    assert paths(found) == ["app/references/c.md", *linked, *(f"web/references/{name}" for name in own)]
    assert problems(found) == {}
    assert [pack.name for pack in found.packs] == ["app", "empty", "linked", "web"]
    superseded = [reference.path for reference in found.references if reference.superseded]
    assert superseded == ["knowledge/linked/references/superseded/z@1.md", f"{WEB}/superseded/z@1.md"]
    assert found.references[0].unreadable == "the file is not UTF-8: byte 0xff at offset 0"
    assert {reference.pack for reference in found.references} == {"app", "linked", "web"}


def test_what_is_in_the_way_is_told(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "secret.md": "secret",
        f"{WEB}/folder.md/inside.md": "x",
        f"{WEB}/out.md": Link("../../../secret.md"),
        f"{WEB}/dangling.md": Link("nowhere"),
        f"{WEB}/loop.md": Link("loop.md"),
        f"{WEB}/upper.MD": "x",
        f"{WEB}/long.markdown": "x",
        f"{WEB}/deep/er/x.md": "x",
        f"{WEB}/superseded": "a file",
        "knowledge/app/references": Link("../../.."),
        "knowledge/app/SKILL.md": None,
        "knowledge/fin/references/superseded": Link("/etc"),
        "knowledge/fin/SKILL.md": Link("../../secret.md"),
        "knowledge/fin/index.md": Link("../../secret.md"),
        "knowledge/gone": Link("nowhere"),
        "knowledge/etc": Link("/etc"),
        "knowledge/picture.md": Link("../secret.md"),
        "knowledge/hr/SKILL.md": b"\xff\xfe",
        "knowledge/law/SKILL.md": b"x" * 20_000_001,
    }
    found = corpus(
        tmp_path, files, row(1, "1", "web/references/out.md"), row(2, "1", "app/references/x.md", "002-y")
    )
    outside = "it is a symbolic link that leads outside"
    assert problems(found) == {
        "web/references/folder.md": "folder.md has the name of a document, and it is a folder",
        "web/references/out.md": f"out.md has the name of a document, and {outside}",
        "web/references/dangling.md": (
            "dangling.md has the name of a document, and it is a symbolic link that leads nowhere"
        ),
        "web/references/loop.md": (
            "loop.md has the name of a document, and it is a symbolic link that leads in a circle"
        ),
        "web/references/upper.MD": "this document is not read: its name does not end in .md",
        "web/references/long.markdown": "this document is not read: its name does not end in .md",
        "web/references/deep/er/x.md": (
            "this document is not read: it lies deeper than references/, and no row leads to it"
        ),
        "web/references/superseded": "superseded has the name of a folder of the pack, and it is a file",
        "app/references": f"references has the name of a folder of the pack, and {outside}",
        "app/SKILL.md": "SKILL.md has the name of a file of the pack, and it is a folder",
        "fin/references/superseded": f"superseded has the name of a folder of the pack, and {outside}",
        "fin/SKILL.md": f"SKILL.md has the name of a file of the pack, and {outside}",
        "fin/index.md": f"index.md has the name of a file of the pack, and {outside}",
        "gone": "gone has the name of a pack, and it is a symbolic link that leads nowhere",
        "etc": f"etc has the name of a pack, and {outside}",
        "hr/SKILL.md": "the file is UTF-16, not UTF-8",
        "law/SKILL.md": "the file is too large: 20,000,001 bytes, more than the 20,000,000 that are read",
    }
    assert paths(found) == []
    assert all(problem.hint for path, problem in found.problems if not path.endswith("SKILL.md"))


def test_rows_that_leave_through_a_link_nobody_else_saw(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "secret.md": "secret",
        "knowledge/web/notes/out.md": Link("../../../secret.md"),
        "knowledge/web/away": Link("../.."),
    }
    rows = [
        row(1, "1", "web/notes/out.md"),
        row(2, "1", "web/away/secret.md", "002-y"),
        row(3, "1", "/secret.md", "003-z"),
        row(4, "1", "web/notes/gone.md", "004-a"),
    ]
    found = corpus(tmp_path, files, *rows)
    source = Source("knowledge/index.md", (tmp_path / "knowledge/index.md").read_bytes())
    told = [(path, source.slice(problem.span), problem.message) for path, problem in found.problems]
    assert told == [
        (
            "knowledge/index.md",
            "web/notes/out.md",
            "the path of KB-0001, web/notes/out.md, leaves the corpus at knowledge/web/notes/out.md",
        ),
        (
            "knowledge/index.md",
            "web/away/secret.md",
            "the path of KB-0002, web/away/secret.md, leaves the corpus at knowledge/web/away",
        ),
    ]


def test_documents_elsewhere_are_read_if_a_row_leads_there(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        f"{WEB}/deep/a.md": document(),
        f"{WEB}/deep/b.md": document(),
        f"{WEB}/deep/superseded/a@1.md": document(),
        f"{WEB}/deeper/superseded/c@1.md": document(),
        f"{WEB}/deep/down": Link(".."),
        "knowledge/web/d.md": document(),
        "knowledge/e.md": document(),
    }
    rows = [
        row(1, "2", "web/references/deep/a.md"),
        row(2, "2", "web/d.md", "002-y"),
        row(3, "2", "e.md", "003-z"),
        row(4, "2", "web/references/deep/superseded/a@1.md", "004-z"),
    ]
    found = corpus(tmp_path, files, *rows)
    assert paths(found) == [
        *("e.md", "web/d.md", "web/references/deep/a.md", "web/references/deep/superseded/a@1.md"),
    ]
    assert sorted(problems(found)) == ["web/references/deep/b.md", "web/references/deeper/superseded/c@1.md"]
    assert [reference.pack for reference in found.references] == ["e.md", "web", "web", "web"]
    only = corpus(tmp_path / "only", files, *rows[:1])
    kept = [reference for reference in only.references if reference.superseded]
    assert [reference.path for reference in kept] == [f"{WEB}/deep/superseded/a@1.md"]


# What stands where, and the problems of the corpus as a whole.
FOLDERS: list[tuple[dict[str, str | bytes | Link | None], str, dict[str, str]]] = [
    ({}, "knowledge", {}),
    ({"knowledge": None}, "knowledge", {}),
    ({"knowledge/web/SKILL.md": "---\nname: a\ndescription: b\n---\n"}, "knowledge", {}),
    (
        {f"{WEB}/a.md": document()},
        "knowledge",
        {"knowledge/index.md": "the corpus has documents and no registry, so nobody can cite them"},
    ),
    (
        {"knowledge/Index.md": "x"},
        "knowledge",
        {"knowledge/index.md": "the registry cannot be read: index.md is spelt Index.md on disk"},
    ),
    (
        {"knowledge/index.md": None},
        "knowledge",
        {"knowledge/index.md": "the registry cannot be read: it is a folder"},
    ),
    (
        {"knowledge/index.md": b"x" * 20_000_001},
        "knowledge",
        {
            "knowledge/index.md": (
                "the registry cannot be read: "
                "the file is too large: 20,000,001 bytes, more than the 20,000,000 that are read"
            )
        },
    ),
    (
        {"knowledge/index.md": Link("../secret.md"), "secret.md": "x"},
        "knowledge",
        {"knowledge/index.md": "the registry cannot be read: it is a symbolic link that leads outside"},
    ),
    ({"knowledge": "x"}, "knowledge", {"knowledge": "the corpus folder cannot be read: it is a file"}),
    (
        {"knowledge": Link("/etc")},
        "knowledge",
        {"knowledge": "the corpus folder cannot be read: it is a symbolic link that leads outside"},
    ),
    (
        {"knowledge": Link("nowhere")},
        "knowledge",
        {"knowledge": "the corpus folder cannot be read: it is a symbolic link that leads nowhere"},
    ),
    ({}, "../x", {"../x": "the corpus folder cannot be read: it is outside of the repository"}),
]


@pytest.mark.parametrize(("files", "folder", "expected"), FOLDERS, ids=range(len(FOLDERS)))
def test_corpus_folders(
    tmp_path: Path, files: dict[str, str | bytes | Link | None], folder: str, expected: dict[str, str]
) -> None:
    found = corpus(tmp_path, files, folder=folder)
    assert {path: problem.message for path, problem in found.problems} == expected
    assert found.hints == ()


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    corpus(tmp_path, {f"{WEB}/a.md": document()}, row(1, "1", "web/references/a.md"))
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("references"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert problems(load(str(tmp_path))) == {
        "web/references": "this folder of the corpus cannot be read: it cannot be listed: permission denied"
    }
