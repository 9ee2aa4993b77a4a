from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from trees import Link, tree

from spectastic.corpus import load
from spectastic.corpus.files import Disk
from spectastic.corpus.listing import Kind, Place, Tree

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return tree(
        tmp_path / "repository",
        {
            "secret.md": "x",
            "knowledge/index.md": "x",
            "knowledge/web/references/a.md": "x",
            "knowledge/web/references/é.md": "x",
            "knowledge/web/references/b.md": Link("a.md"),
            "knowledge/web/references/out.md": Link("../../../secret.md"),
            "knowledge/web/references/far.md": Link("/etc/hostname"),
            "knowledge/web/references/dangling.md": Link("nowhere.md"),
            "knowledge/web/references/loop.md": Link("loop.md"),
            "knowledge/web/inside": Link("references"),
            "knowledge/web/up": Link(".."),
            "knowledge/web/root": Link("../.."),
            "knowledge-2/c.md": "x",
            "knowledge/sibling": Link("../knowledge-2"),
        },
    )


PLACES: list[tuple[str, Kind, str]] = [
    ("web/references/a.md", Kind.FILE, ""),
    ("web/references", Kind.FOLDER, ""),
    ("web/references/b.md", Kind.FILE, ""),
    ("web/inside/a.md", Kind.FILE, ""),
    ("web/up/web/references/a.md", Kind.FILE, ""),
    ("web/references/c.md", Kind.MISSING, "there is no c.md in knowledge/web/references"),
    ("Web/references/a.md", Kind.MISSING, "Web is spelt web on disk"),
    ("web/References/a.md", Kind.MISSING, "References is spelt references on disk"),
    ("web/references/A.MD", Kind.MISSING, "A.MD is spelt a.md on disk"),
    ("web/references/e\u0301.md", Kind.MISSING, "e\u0301.md is spelt é.md on disk"),
    ("web/references/a.md/x", Kind.MISSING, "knowledge/web/references/a.md is no folder"),
    ("", Kind.MISSING, "there is no name in knowledge"),
    ("/etc/hostname", Kind.MISSING, "there is no name in knowledge"),
    (".", Kind.MISSING, "there is no . in knowledge"),
    ("..", Kind.MISSING, "there is no .. in knowledge"),
    ("web/../../secret.md", Kind.MISSING, "there is no .. in knowledge/web"),
    ("web/references/a.md\0", Kind.MISSING, "there is no a.md\0 in knowledge/web/references"),
    (
        "web/references/" + "x" * 10_000,
        Kind.MISSING,
        "there is no " + "x" * 79 + "… in knowledge/web/references",
    ),
    ("web/references/out.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/far.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/root/secret.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("sibling/c.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/dangling.md", Kind.UNREADABLE, "it is a symbolic link that leads nowhere"),
    ("web/references/loop.md", Kind.UNREADABLE, "it is a symbolic link that leads in a circle"),
]


@pytest.mark.parametrize(("path", "kind", "detail"), PLACES, ids=[path[:30] for path, _, _ in PLACES])
def test_places(repository: Path, path: str, kind: Kind, detail: str) -> None:
    found = Tree(Disk(str(repository)), "knowledge").find(path)
    assert (found.kind, found.detail) == (kind, detail)
    if kind in (Kind.FILE, Kind.FOLDER):
        assert found.path == f"knowledge/{path}"


HOMES: list[tuple[str, Kind, str, str]] = [
    ("knowledge", Kind.FOLDER, "knowledge", ""),
    ("knowledge/", Kind.FOLDER, "knowledge", ""),
    ("./knowledge//web", Kind.FOLDER, "knowledge/web", ""),
    ("", Kind.FOLDER, "", ""),
    (".", Kind.FOLDER, "", ""),
    ("Knowledge", Kind.MISSING, "", "Knowledge is spelt knowledge on disk"),
    ("nothing", Kind.MISSING, "", "there is no nothing in the repository"),
    ("nothing/at/all", Kind.MISSING, "", "there is no nothing in the repository"),
    ("secret.md", Kind.FILE, "secret.md", ""),
    ("..", Kind.OUTSIDE, "..", "it is outside of the repository"),
    ("knowledge/../../x", Kind.OUTSIDE, "knowledge/../../x", "it is outside of the repository"),
    ("/etc", Kind.OUTSIDE, "/etc", "it is outside of the repository"),
    ("link", Kind.FOLDER, "link", ""),
    ("away", Kind.OUTSIDE, "away", "it is a symbolic link that leads outside"),
]


@pytest.mark.parametrize(("folder", "kind", "path", "detail"), HOMES)
def test_homes(repository: Path, folder: str, kind: Kind, path: str, detail: str) -> None:
    tree(repository, {"link": Link("knowledge/web"), "away": Link(str(repository.parent))})
    found = Tree(Disk(str(repository)), folder)
    assert found.home[:3] == (kind, path, detail)
    if kind is not Kind.FOLDER:
        assert found.find("index.md").kind is Kind.MISSING


def test_a_linked_corpus_folder_keeps_to_itself(repository: Path) -> None:
    tree(repository, {"link": Link("knowledge/web")})
    found = Tree(Disk(str(repository)), "link")
    assert found.find("references/a.md") == Place(Kind.FILE, "link/references/a.md")
    assert found.find("up/index.md").kind is Kind.OUTSIDE


def test_a_linked_repository(repository: Path) -> None:
    tree(repository.parent, {"link": Link("repository")})
    found = Tree(Disk(str(repository.parent / "link")), "knowledge")
    assert found.find("web/references/b.md").kind is Kind.FILE
    assert found.find("web/references/out.md").kind is Kind.OUTSIDE


def test_entries_are_sorted_by_their_bytes(tmp_path: Path) -> None:
    names = ["b", "B", "a-b", "a", "é", "\uffee", "\U0001f680", " "]
    tree(tmp_path, {f"k/{name}": "" for name in names})
    entries = Tree(Disk(str(tmp_path)), "k").entries("k")
    assert [entry.name for entry in entries] == [" ", "B", "a", "a-b", "b", "é", "\uffee", "\U0001f680"]


def test_names_that_are_no_text(tmp_path: Path) -> None:
    tree(tmp_path, {"k/a.md": ""})
    with open(os.path.join(os.fsencode(tmp_path), b"k/\xff.md"), "wb"):
        pass
    found = Tree(Disk(str(tmp_path)), "k")
    assert [os.fsencode(entry.name) for entry in found.entries("k")] == [b"a.md", b"\xff.md"]
    assert found.find("\udcff.md").kind is Kind.FILE


def test_what_is_no_regular_file(tmp_path: Path) -> None:
    tree(tmp_path, {"k": None})
    os.mkfifo(tmp_path / "k" / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "k" / "socket.md"))
        tree(tmp_path, {"k/link.md": Link("pipe.md")})
        found = Tree(Disk(str(tmp_path)), "k")
        for name, link in (("pipe.md", False), ("socket.md", False), ("link.md", True)):
            place = found.find(name)
            assert place == Place(Kind.OTHER, f"k/{name}", "it is no regular file", link)


def test_listings_are_read_once(tmp_path: Path) -> None:
    tree(tmp_path, {"k/a.md": ""})
    found = Tree(Disk(str(tmp_path)), "k")
    assert found.find("b.md").kind is Kind.MISSING
    tree(tmp_path, {"k/b.md": ""})
    assert found.find("b.md").kind is Kind.MISSING
    assert Tree(Disk(str(tmp_path)), "k").find("b.md").kind is Kind.FILE


def test_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"k/a.md": "", "k/closed/b.md": ""})
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = Tree(Disk(str(tmp_path)), "k")
    assert found.find("a.md") == Place(Kind.UNREADABLE, "k/a.md", "it cannot be read: permission denied")
    assert found.find("closed/b.md") == Place(
        Kind.UNREADABLE, "k/closed", "it cannot be listed: permission denied"
    )
    assert found.entries("k/closed") == []
    assert found.trouble("k/closed") == "it cannot be listed: permission denied"


def test_loading_touches_no_file(tmp_path: Path) -> None:
    assert load(str(tmp_path / "nowhere")).registry.exists is False
