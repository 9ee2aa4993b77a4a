from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from trees import Link, tree

from spectastic.config import Settings
from spectastic.discover import Discovery, NothingMatches, discover, is_spec_name, path_matcher, removed
from spectastic.discover.patterns import MAX_LENGTH, MAX_PATTERNS, from_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Tree = dict[str, str | bytes | Link | None]


def look(root: Path, *paths: str, **settings: Any) -> Discovery:
    return discover(Settings(str(root), paths, **settings))


def troubles(found: Discovery) -> dict[str, str]:
    return {trouble.path: trouble.message for trouble in found.unreadable}


def files(*names: str) -> Tree:
    return dict.fromkeys(names, "")


# A tree, settings, and the specs of the whole tree.
WHOLE: dict[str, tuple[Tree, dict[str, Any], list[str]]] = {
    "suffixes, in any case": (
        files("a.md", "b.MARKDOWN", "c.Html", "d.htm", "e.txt", "f.mdx", "g.md.bak", "md", "xhtml"),
        {},
        ["a.md", "b.MARKDOWN", "c.Html", "d.htm"],
    ),
    "an empty tree": ({}, {}, []),
    "sorted by bytes, not by folder": (
        files("b.md", "a/z.md", "a.md", "a-b.md", "B.md", "é.md", "a/b/c.md", "\U0001f680.md", "\uffee.md"),
        {},
        ["B.md", "a-b.md", "a.md", "a/b/c.md", "a/z.md", "b.md", "é.md", "\uffee.md", "\U0001f680.md"],
    ),
    "odd names": (
        files("a\nb.md", " .md", "-x.md", "a b/c d.md", "#a.md", "!.md", "*.md", "a\\b.md", ".md"),
        {},
        [" .md", "!.md", "#a.md", "*.md", "-x.md", ".md", "a\nb.md", "a b/c d.md", "a\\b.md"],
    ),
    "folders that hold no specs": (
        files(
            *("knowledge/index.md", "knowledge/a/references/x.md", "docs/knowledge/x.md"),
            *(".git/x.md", ".hg/x.md", ".svn/x.md", "a/node_modules/b/x.md", ".tox/x.md", ".nox/x.md"),
            *(".venv/x.md", "env/pyvenv.cfg", "env/lib/x.md", "__pycache__/x.md", ".ruff_cache/x.md"),
            *(".mypy_cache/x.md", ".pytest_cache/README.md", "archive/x.md", "a/withdrawn/b/x.md"),
            *(".github/x.md", ".specify/memory/x.md", "venv/x.md", "Archive/x.md", "archives/x.md"),
        ),
        {},
        [
            ".github/x.md",
            ".specify/memory/x.md",
            "Archive/x.md",
            "archives/x.md",
            "docs/knowledge/x.md",
            "venv/x.md",
        ],
    ),
    "another corpus folder": (
        files("knowledge/a.md", "docs/kb/index.md", "docs/kb.md", "kb/x.md"),
        {"corpus": "docs/kb"},
        ["docs/kb.md", "kb/x.md", "knowledge/a.md"],
    ),
    "other folders to skip": (
        files("archive/a.md", "old/b.md", "x/old/c.md", "x/old.md"),
        {"skip_folders": ("old",)},
        ["archive/a.md", "x/old.md"],
    ),
    "nested repositories, worktrees and submodules": (
        {
            **files("a.md", "sub/.git/HEAD", "sub/x.md", "x/tree/y.md"),
            "x/tree/.git": "gitdir: ../../.git/worktrees/t\n",
        },
        {},
        ["a.md"],
    ),
    "files named like folders to skip": (
        files("archive", "node_modules", "knowledge", "docs/a.md", "archive.md", "knowledge.md"),
        {},
        ["archive.md", "docs/a.md", "knowledge.md"],
    ),
    "exclude": (
        files(
            "a.md", "drafts/b.md", "docs/drafts/c.md", "docs/d.md", "docs/e.draft.md", "docs/keep.draft.md"
        ),
        {"exclude": ("/drafts/", "*.draft.md", "!keep.draft.md")},
        ["a.md", "docs/d.md", "docs/drafts/c.md", "docs/keep.draft.md"],
    ),
    "exclude: a file below an excluded folder stays out": (
        files("out/a.md", "out/b.md"),
        {"exclude": ("out/", "!out/a.md")},
        [],
    ),
    "exclude: a leading ./": (files("a/x.md", "b/a/x.md"), {"exclude": ("./a",)}, ["b/a/x.md"]),
    "include": (
        files("a.md", "docs/b.md", "docs/old/c.md", "docs/old/d.html", "x/docs/e.md"),
        {"include": ("/docs/", "!/docs/old/", "docs/old/*.html")},
        ["docs/b.md", "docs/old/d.html"],
    ),
    "include by suffix": (files("a.md", "b.html", "c/d.md"), {"include": ("*.md",)}, ["a.md", "c/d.md"]),
    "include: a folder with a spec's name elsewhere is nobody's business": (
        files("docs/a.md", "x.md/b.html", "y.md/c.md"),
        {"include": ("docs/",), "exclude": ("y.md",)},
        ["docs/a.md"],
    ),
    "include and exclude": (
        files("docs/a.md", "docs/b.md", "c.md"),
        {"include": ("./docs",), "exclude": ("b.md",)},
        ["docs/a.md"],
    ),
    "include does not undo .gitignore": (
        {**files("docs/a.md", "docs/b.md"), ".gitignore": "b.md\n"},
        {"include": ("docs/",)},
        ["docs/a.md"],
    ),
    "gitignore, at every level": (
        {
            **files("a.md", "x/a.md", "x/b.md", "x/y/a.md", "x/y/b.md", "build/c.md", "x/build/c.md"),
            ".gitignore": "/build/\na.md\n",
            "x/.gitignore": "b.md\n!a.md\n",
            "x/y/.gitignore": "!b.md\n",
        },
        {},
        ["x/a.md", "x/build/c.md", "x/y/a.md", "x/y/b.md"],
    ),
    "gitignore: everything but Markdown": (
        {**files("a.md", "x/b.md", "x/y/c.md", "x/d.html"), ".gitignore": "*\n!*/\n!*.md\n"},
        {},
        ["a.md", "x/b.md", "x/y/c.md"],
    ),
    "gitignore: nothing below an ignored folder comes back": (
        {**files("out/a.md", "out/sub/b.md"), ".gitignore": "out\n!out/a.md\n", "out/.gitignore": "!*\n"},
        {},
        [],
    ),
    "gitignore with BOM, CRLF, comments, blanks and bytes that are no UTF-8": (
        {
            **files("a.md", "b.md", "c.md ", "#d.md", "e.md", "f.md"),
            ".gitignore": b"\xef\xbb\xbfa.md\r\n\r\n# b.md\r\nc.md  \r\n\\#d.md\r\n\xff.md\r\ne.md",
        },
        {},
        ["b.md", "f.md"],
    ),
    "gitignore: names that are not ASCII are bytes": (
        {**files("é.md", "ê.md", "x.md"), ".gitignore": "?.md\né.md\n"},
        {},
        ["ê.md"],
    ),
    "gitignore: names with line breaks": (
        {**files("a\nb.md", "a\nb/c.md", "x/a\n.md"), ".gitignore": "a?b\n**/a*.md\n"},
        {},
        [],
    ),
    "gitignore: patterns that mean nothing": (
        {
            **files("a.md", "c.md"),
            ".gitignore": "[z-b].md\n[a\n\\\n/\n!\n//\n[[:nonsense:]].md\n[[:alpha:]\n[a\\\n[a-\\\n",
        },
        {},
        ["a.md", "c.md"],
    ),
    "gitignore that is a folder or a link is not read": (
        {**files("a.md", "x/b.md", "x/.gitignore/c.md"), "real": "*.md\n", ".gitignore": Link("real")},
        {},
        ["a.md", "x/.gitignore/c.md", "x/b.md"],
    ),
    "info/exclude, weaker than any .gitignore": (
        {
            **files("a.md", "b.md", "c.md", "x/a.md"),
            ".git/info/exclude": "*.md\n!c.md\n",
            ".gitignore": "!b.md\nc.md\n",
        },
        {},
        ["b.md"],
    ),
    "info/exclude of a linked worktree": (
        {
            "tree/.git": "gitdir: ../main/.git/worktrees/tree\n",
            "main/.git/worktrees/tree/commondir": "../..\n",
            "main/.git/info/exclude": "b.md\n",
            **files("tree/a.md", "tree/b.md"),
        },
        {"root": "tree"},
        ["a.md"],
    ),
    "info/exclude of a submodule": (
        {
            "sub/.git": "gitdir: ../.git/modules/sub\r\n",
            ".git/modules/sub/info/exclude": "b.md\n",
            **files("sub/a.md", "sub/b.md"),
        },
        {"root": "sub"},
        ["a.md"],
    ),
    "a .git file that says nothing": ({**files("a.md"), ".git": "nonsense"}, {}, ["a.md"]),
    "nothing above the root outside git": (
        {**files("docs/a.md"), ".gitignore": "*.md\n", "docs/.gitignore": "b.md\n"},
        {"root": "docs"},
        ["a.md"],
    ),
    "above the root, up to the top of the working tree": (
        {
            **files("top/.git/HEAD", *(f"top/x/docs/{name}.md" for name in "abcdefgh")),
            **files("top/x/docs/build/i.md", "top/x/docs/x/j.md", "top/x/docs/docs/a.md"),
            ".gitignore": "*.md\n",
            "top/.gitignore": "build/\n/x/docs/a.md\ndocs/b.md\nc.md\n/d.md\n!g.md\nh.md\n",
            "top/x/.gitignore": "/docs/e.md\n!c.md\n",
            "top/x/docs/.gitignore": "f.md\n!h.md\n",
            "top/.git/info/exclude": "/x/docs/g.md\n/x/docs/x/\n",
        },
        {"root": "top/x/docs"},
        ["b.md", "c.md", "d.md", "docs/a.md", "g.md", "h.md"],
    ),
    "the root itself is entered, whatever is above": (
        {**files(".git/HEAD", "docs/a.md", "docs/b.md"), ".gitignore": "docs/\nb.md\n"},
        {"root": "docs"},
        ["a.md"],
    ),
    "links to folders are not followed": (
        {**files("a/x.md"), "b": Link("a"), "a/loop": Link(".."), "c": Link("/")},
        {},
        ["a/x.md"],
    ),
    "links to files": (
        {
            **files("a.md", "text/c.txt", "archive/d.md"),
            "z.md": Link("a.md"),
            "b/link.md": Link("../a.md"),
            "c1.md": Link("text/c.txt"),
            "c0.md": Link("c1.md"),
            "d.md": Link("archive/d.md"),
            "e.txt": Link("gone"),
        },
        {},
        ["a.md", "c0.md", "d.md"],
    ),
}


@pytest.mark.parametrize("case", WHOLE)
def test_whole_tree(tmp_path: Path, case: str) -> None:
    given, settings, expected = WHOLE[case]
    root = tree(tmp_path, given) / settings.get("root", "")
    found = look(root, **{name: value for name, value in settings.items() if name != "root"})
    assert (list(found.specs), troubles(found)) == (expected, {})
    assert found.corpus_asked


TREE: Tree = {
    **files(
        "a.md", "notes.txt", "docs/b.md", "docs/c.html", "docs/archive/d.md", "archive/e.md", "archive/x/f.md"
    ),
    **files(
        "archive/archive/g.md", "knowledge/index.md", "knowledge/p/references/r.md", "empty/x.txt", "out/h.md"
    ),
    **files(
        "out/deep/i.md", "docs/kept.md", "node_modules/m/j.md", "sub/.git/HEAD", "sub/k.md", "sub/deep/l.md"
    ),
    ".gitignore": "/out/\nkept.md\n",
}

# Paths given by hand, settings, the specs, and whether the corpus was asked for.
BY_HAND: dict[str, tuple[tuple[str, ...], dict[str, Any], list[str], bool]] = {
    "a file": (("docs/b.md",), {}, ["docs/b.md"], False),
    "twice, and its folder": (
        ("docs", "docs/b.md", "docs", "docs/archive"),
        {},
        ["docs/archive/d.md", "docs/b.md", "docs/c.html"],
        False,
    ),
    "files that the walk leaves out": (
        ("out/h.md", "archive/e.md", "docs/kept.md", "node_modules/m/j.md", "sub/k.md", "a.md"),
        {"exclude": ("a.md",), "include": ("docs/b.md",)},
        ["a.md", "archive/e.md", "docs/kept.md", "node_modules/m/j.md", "out/h.md", "sub/k.md"],
        False,
    ),
    "the same with force-exclude": (
        (
            "out/h.md",
            "archive/e.md",
            "docs/kept.md",
            "node_modules/m/j.md",
            "sub/deep/l.md",
            "a.md",
            "docs/c.html",
        ),
        {"exclude": ("a.md",), "force_exclude": True},
        ["docs/c.html"],
        False,
    ),
    "force-exclude and include": (
        ("docs/b.md", "docs/c.html", "a.md"),
        {"include": ("docs/",), "force_exclude": True},
        ["docs/b.md", "docs/c.html"],
        False,
    ),
    "a folder to skip": (("archive",), {}, ["archive/e.md", "archive/x/f.md"], False),
    "a folder below one to skip": (("archive/x",), {}, ["archive/x/f.md"], False),
    "an ignored folder": (("out",), {}, ["out/deep/i.md", "out/h.md"], False),
    "a nested repository": (("sub",), {}, ["sub/deep/l.md", "sub/k.md"], False),
    "below a nested repository, then the whole tree": (
        ("sub/deep", "."),
        {},
        ["a.md", "docs/b.md", "docs/c.html", "sub/deep/l.md"],
        True,
    ),
    "rules apply below it": (("docs",), {"exclude": ("c.html",)}, ["docs/b.md"], False),
    "include applies below it": (("docs",), {"include": ("docs/*.html",)}, ["docs/c.html"], False),
    "include covers it from above": (("archive/x",), {"include": ("archive/",)}, ["archive/x/f.md"], False),
    "force-exclude and a folder": (
        ("archive", "out", "sub", "a.md"),
        {"force_exclude": True},
        ["a.md"],
        False,
    ),
    "the corpus folder": (("knowledge",), {}, [], True),
    "a folder in the corpus": (("knowledge/p", "a.md"), {}, ["a.md"], True),
    "a reference": (("knowledge/p/references/r.md",), {}, [], True),
    "a folder that covers the corpus": (
        ("docs",),
        {"corpus": "docs/archive"},
        ["docs/b.md", "docs/c.html"],
        True,
    ),
    "a folder with nothing but the corpus": (
        ("knowledge",),
        {"corpus": "knowledge/p"},
        ["knowledge/index.md"],
        True,
    ),
    "the whole tree and more": (
        (".", "archive/e.md"),
        {},
        ["a.md", "archive/e.md", "docs/b.md", "docs/c.html"],
        True,
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_by_hand(tmp_path: Path, case: str) -> None:
    paths, settings, expected, corpus = BY_HAND[case]
    found = look(tree(tmp_path, TREE), *paths, **settings)
    assert list(found.specs) == expected
    assert (found.unreadable, found.corpus_asked) == ((), corpus)


def test_a_file_given_by_hand_is_found_without_a_look_at_the_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path, TREE)

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        raise AssertionError(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert look(root, "docs/b.md", "knowledge/index.md").specs == ("docs/b.md",)


NOTHING: dict[str, tuple[str, dict[str, Any], str]] = {
    "no such file": ("gone.md", {}, "no such file or folder"),
    "no such file in the corpus": ("knowledge/gone.md", {}, "no such file or folder"),
    "below a file": ("a.md/x.md", {}, "it cannot be looked at: not a directory"),
    "a quoted pattern": (
        "**/*.md",
        {},
        "no such file or folder (patterns are not expanded: name a folder, or leave out the quotes)",
    ),
    "another kind of file": (
        "notes.txt",
        {},
        "this is not a spec: the name of a spec ends in .md, .markdown, .html or .htm",
    ),
    "a folder without specs": ("empty", {}, "no spec below it"),
    "a folder whose specs are all removed": (
        "docs",
        {"exclude": ("docs/*.html",), "include": ("a.md",)},
        "no spec below it; removed: 1 by .gitignore, 1 by exclude, 1 by include, 1 by skip-folders: archive",
    ),
    "force-exclude, and nothing was there to remove": ("empty", {"force_exclude": True}, "no spec below it"),
    "a name that is too long": ("x" * 300 + ".md", {}, "it cannot be looked at: file name too long"),
    "a name that cannot be": ("a\0.md", {}, "this cannot be the name of a file"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_nothing_matches(tmp_path: Path, case: str) -> None:
    path, settings, why = NOTHING[case]
    with pytest.raises(NothingMatches) as raised:
        look(tree(tmp_path, TREE), "a.md", path, **settings)
    assert (raised.value.path, raised.value.why) == (path, why)
    assert str(raised.value) == f"{path}: {why}"


def test_the_root_given_by_hand_and_empty(tmp_path: Path) -> None:
    with pytest.raises(NothingMatches, match="no spec below it; removed: 1 by node_modules"):
        look(tree(tmp_path, files("node_modules/x.md")), ".")
    assert look(tmp_path).specs == ()
    tree(tmp_path, {"knowledge": None})
    assert look(tmp_path, ".").corpus_asked


def test_force_exclude_leaves_nothing_in_peace(tmp_path: Path) -> None:
    """A hook passes the changed files; that all of them are excluded is no error."""
    root = tree(tmp_path, TREE)
    assert look(root, "archive", force_exclude=True) == Discovery((), (), False)
    assert look(root, "out/h.md", force_exclude=True) == Discovery((), (), False)
    settings = Settings(str(root), ("out/h.md", "archive", "knowledge"), force_exclude=True)
    assert removed(settings) == (("skip-folders: archive", 3), (".gitignore", 1))


@pytest.mark.parametrize("path", ["", "docs"])
def test_trouble(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.md").write_text("outside")
    root = tree(
        tmp_path / "root",
        {
            **files("docs/x.md/inside.md", "docs/a.md", "knowledge/index.md"),
            "docs/dangling.md": Link("gone.md"),
            "docs/loop.md": Link("loop.md"),
            "docs/outside.md": Link("../../secret.md"),
            "docs/absolute.md": Link("/etc/passwd"),
            "docs/folder.md": Link("x.md"),
            "docs/through.md": Link("a.md/b.md"),
            "docs/device.md": Link("/dev/null"),
            "docs/fine.md": Link("a.md"),
            "docs/corpus.md": Link("../knowledge/index.md"),
            "docs/long.md": Link("y" * 200),
            "docs/longer.md": Link("y" * 300),
        },
    )
    os.mkfifo(root / "docs/pipe.md")
    os.symlink("pipe.md", root / "docs/to-pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        # Bound by its short relative name: the address of a socket has little room.
        here = os.open(".", os.O_RDONLY)
        os.chdir(root / "docs")
        listener.bind("socket.md")
        os.chdir(here)
        os.close(here)
    found = look(root, *([path] if path else []))
    assert found.specs == ("docs/a.md", "docs/corpus.md", "docs/x.md/inside.md")
    assert troubles(found) == {
        "docs/absolute.md": "this link leads outside the repository root: /etc/passwd",
        "docs/dangling.md": "this link leads to nothing: gone.md",
        "docs/device.md": "this link leads outside the repository root: /dev/null",
        "docs/folder.md": "this link with a spec's name leads to a directory: x.md",
        "docs/long.md": "this link leads to nothing: " + "y" * 79 + "…",
        "docs/longer.md": "this link cannot be followed: file name too long",
        "docs/loop.md": "this link leads back to itself",
        "docs/outside.md": "this link leads outside the repository root: ../../secret.md",
        "docs/pipe.md": "this is not a regular file",
        "docs/socket.md": "this is not a regular file",
        "docs/through.md": "this link leads to nothing: a.md/b.md",
        "docs/to-pipe.md": "this link leads to something that is not a regular file: pipe.md",
        "docs/x.md": "this is a directory with a spec's name",
    }
    assert [trouble.path for trouble in found.unreadable] == sorted(troubles(found))
    assert all(trouble.hint for trouble in found.unreadable)


@pytest.mark.parametrize(
    ("path", "specs", "trouble"),
    [
        ("out.md", (), {"out.md": "this link leads outside the repository root: /etc/passwd"}),
        ("in.md", ("in.md",), {}),
        ("gone.md", (), {"gone.md": "this link leads to nothing: nowhere"}),
        ("pipe.md", (), {"pipe.md": "this is not a regular file"}),
        ("x.md", (), {"x.md": "this is a directory with a spec's name"}),
    ],
)
def test_trouble_given_by_hand(
    tmp_path: Path, path: str, specs: tuple[str, ...], trouble: dict[str, str]
) -> None:
    """A dangling link is there, so it is a finding and no wrong argument."""
    links: Tree = {
        "out.md": Link("/etc/passwd"),
        "in.md": Link("a.md"),
        "gone.md": Link("nowhere"),
        "x.md": None,
    }
    root = tree(tmp_path, {**files("a.md"), **links})
    os.mkfifo(root / "pipe.md")
    found = look(root, path)
    assert (found.specs, troubles(found)) == (specs, trouble)


def test_a_link_and_its_file_given_by_hand_are_one_spec(tmp_path: Path) -> None:
    root = tree(tmp_path, {**files("z.md"), "a.md": Link("z.md")})
    assert look(root, "a.md", "z.md").specs == ("z.md",)


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(folder)
    for name in (b"/ok.md", b"/\xff.md", b"/\xff.txt"):
        with open(folder + name, "wb"):
            pass
    found = look(tree(tmp_path, files("a.md")), exclude=("b.md",))
    assert found.specs == ("a.md",)
    message = "the name of this file is not UTF-8"
    assert troubles(found) == {"caf\udce9/ok.md": message, "caf\udce9/\udcff.md": message}


def test_folders_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a replaced `os.scandir`: a test that runs as root may read everything."""
    root = tree(tmp_path, files("a.md", "closed/b.md", "archive/closed/c.md", "archive/d.md"))
    real = os.scandir

    def scandir(path: str) -> Any:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = look(root)
    assert found.specs == ("a.md",)
    assert troubles(found) == {"closed": "the folder cannot be read: permission denied"}
    assert removed(Settings(str(root))) == (("skip-folders: archive", 1),)


def test_a_root_that_is_gone(tmp_path: Path) -> None:
    found = look(tmp_path / "gone")
    assert troubles(found) == {".": "the folder cannot be read: no such file or directory"}


def test_a_file_that_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, {"é.md": ""})

    def lstat(path: str) -> os.stat_result:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "lstat", lstat)
    assert troubles(look(root)) == {"é.md": "the file cannot be looked at: permission denied"}


def test_a_gitignore_with_too_many_patterns_is_reported(tmp_path: Path) -> None:
    root = tree(tmp_path, {**files("a.md"), ".gitignore": "a.md\n" * (MAX_PATTERNS + 1)})
    found = look(root)
    assert found.specs == ("a.md",)
    assert troubles(found) == {".gitignore": "more than 10,000 patterns, so none is applied"}
    found = look(tree(root, files(".git/HEAD", "x/docs/a.md")) / "x" / "docs")
    assert found.specs == ("a.md",)
    assert troubles(found) == {"../../.gitignore": "more than 10,000 patterns, so none is applied"}


def test_a_gitignore_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    root = tree(tmp_path, files("a.md"))
    os.mkfifo(root / ".gitignore")
    assert troubles(look(root)) == {".gitignore": "this is not a regular file"}


def test_a_deep_tree(tmp_path: Path) -> None:
    path = str(tmp_path)
    for _ in range(300):
        path += "/d"
        os.mkdir(path)
    tree(tmp_path, {"d/" * 300 + "x.md": ""})
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        found = look(tmp_path)
    finally:
        sys.setrecursionlimit(limit)
    assert found.specs == ("d/" * 300 + "x.md",)


def test_a_path_too_long_for_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(17):
        os.mkdir("d" * 250)
        os.chdir("d" * 250)
    [trouble] = look(tmp_path).unreadable
    assert trouble.message == "the folder cannot be read: file name too long"


def test_removed(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            **files(
                "archive/a.md", "archive/deep/b.html", "archive/c.txt", "withdrawn/d.md", "knowledge/e.md"
            ),
            **files("node_modules/f.md", "env/pyvenv.cfg", "env/g.md", "sub/.git", "sub/h.md", ".git/i.md"),
            **files("x/j.md", "y/k.md", "y/l.md", "z.md", "docs/m.md", "n.md"),
            ".gitignore": "x/\n",
            ".git/info/exclude": "/y\n",
        },
    )
    settings = Settings(str(root), exclude=("z.md",), include=("n.htm",))
    assert discover(settings).specs == ()
    assert removed(settings) == (
        (".git/info/exclude", 2),
        ("include", 2),
        ("skip-folders: archive", 2),
        (".gitignore", 1),
        ("corpus folder: knowledge", 1),
        ("exclude", 1),
        ("nested repository", 1),
        ("node_modules", 1),
        ("skip-folders: withdrawn", 1),
        ("virtual environment", 1),
    )


def test_removed_stops_counting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spectastic.discover.walk._COUNTED", 3)
    root = tree(tmp_path, files(*(f"archive/{number}.md" for number in range(3)), "node_modules/x/y.md"))
    assert sum(count for _, count in removed(Settings(str(root)))) <= 4
    assert all(why.endswith(" (at least)") for why, _ in removed(Settings(str(root))))


def test_the_order_on_disk_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: Tree = {**TREE, "l1.md": Link("notes.txt"), "l2.md": Link("notes.txt"), "gone.md": Link("x")}
    root = tree(tmp_path, given)
    expected = look(root), removed(Settings(str(root)))
    real = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            with real(path) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(os, "scandir", Backwards)
    assert (look(root), removed(Settings(str(root)))) == expected


MATCHER = [
    ("docs/*.md", "docs/a.md", True),
    ("docs/*.md", "docs/x/a.md", False),
    ("docs/", "docs/x/a.md", True),
    ("docs/", "docs", False),
    ("./docs", "docs/x/a.md", True),
    ("a.md", "x/y/a.md", True),
    ("/a.md", "x/a.md", False),
    ("docs/**/a.md", "docs/a.md", True),
    ("docs/**/a.md", "docs/x/y/a.md", True),
    ("docs/**/a.md", "docs/x/y/b.md", False),
    ("**", "a.md", True),
    ("*.md", "é.md", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), MATCHER)
def test_path_matcher(pattern: str, path: str, expected: bool) -> None:
    assert path_matcher([pattern])(path) is expected


def test_path_matcher_takes_the_last_word() -> None:
    matches = path_matcher(["docs/", "!docs/kept/", "docs/kept/not.md", "!./docs/top.md"])
    paths = ["docs/a.md", "docs/kept/b.md", "docs/kept/not.md", "docs/top.md", "a.md"]
    assert [matches(path) for path in paths] == [True, False, True, False, False]
    assert not path_matcher([])("a.md")


@pytest.mark.parametrize(
    "pattern", ["*a" * 120 + "b", "**/" + "*a*/**/" * 60 + "b", "[a" * 2000, "[[:" * 1300, "?*" * 100 + "b"]
)
def test_a_hostile_pattern_takes_no_time_to_speak_of(pattern: str) -> None:
    """With a backtracking matcher this test never ends."""
    patterns = from_file(pattern.encode())
    assert patterns is not None
    name = b"a" * 250
    path = b"/".join([b"a" * 20] * 150)
    assert patterns.verdict(path + b"/" + name, name, folder=False) is None


def test_a_pattern_that_is_too_long_matches_nothing() -> None:
    assert not from_file(b"*" * (MAX_LENGTH + 1))
    assert from_file(b"*" * MAX_LENGTH)


@pytest.mark.parametrize(
    ("name", "expected"), [("a.md", True), ("a.HTM", True), ("a.mdx", False), ("md", False)]
)
def test_is_spec_name(name: str, expected: bool) -> None:
    assert is_spec_name(name) is expected


# What git itself says. The generator leaves out `a**/b`: git takes the stars after letters for
# regular ones in its manual, and in its code only where no literal text stands before them.
NAMES = [
    "a",
    "b",
    "ab",
    "ba",
    "aab",
    "a.md",
    "ab.md",
    "x.md",
    "é.md",
    "[a].md",
    "a b.md",
    "!a.md",
    "#a.md",
    "\\a.md",
    "A.md",
]
ATOMS = [
    *(
        "a",
        "b",
        "*",
        "?",
        "**",
        "/",
        "/",
        "ab",
        ".md",
        "x.md",
        "é",
        " ",
        "-",
        "\\ ",
        "\\a",
        "\\",
        "\\*",
        "***",
    ),
    *(
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-z]",
        "[[:alpha:]]",
        "[[:punct:]]",
        "[]a]",
        "[a",
        "[z-a]",
        "[[:foo:]]",
        "[a-]",
    ),
    *("[\\]]", "[-a]", "[[:]", "[[::]]", "[!", "/**", "**/", "/**/", "*.md", "[\\a-\\b]", "[[:space:]]"),
]


def random_pattern(chance: random.Random) -> str:
    while True:
        pattern = "".join(chance.choice(ATOMS) for _ in range(chance.randint(1, 5)))
        if not any(part.strip("*") and "**" in part for part in pattern.split("/")):
            break
    before = chance.choice(["", "", "", "!", "/", "#", "!/"])
    return before + pattern + chance.choice(["", "", "", "/", " ", "\r"])


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository; no configuration from outside reaches git."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    root = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    return root


@pytest.mark.parametrize("seed", range(40))
def test_the_same_files_as_git(git: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        parts = [chance.choice(NAMES[:5]) for _ in range(chance.randint(0, 3))]
        tree(git, files("/".join([*parts, chance.choice(NAMES[5:])])))
    folders = sorted({str(path.parent.relative_to(git)) for path in git.rglob("*.md")})
    ignoring = {".git/info/exclude"} | {
        f"{folder}/.gitignore" for folder in chance.sample(folders, len(folders) // 2)
    }
    for path in sorted(ignoring):
        tree(git, {path: "\n".join(random_pattern(chance) for _ in range(chance.randint(1, 3)))})
    listed = subprocess.run(
        ["git", "-C", str(git), "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    )
    expected = sorted(path for path in os.fsdecode(listed.stdout).split("\0") if path.endswith(".md"))
    assert list(look(git).specs) == expected
    for folder in chance.sample(folders, 2):
        # A root that git ignores as a whole is entered all the same.
        if _ignored(git, folder) or folder == ".":
            continue
        below = [path.removeprefix(f"{folder}/") for path in expected if path.startswith(f"{folder}/")]
        assert list(look(git / folder).specs) == below, folder


def _ignored(git: Path, folder: str) -> bool:
    return (
        subprocess.run(["git", "-C", str(git), "check-ignore", "--quiet", folder], check=False).returncode
        == 0
    )


def test_worktrees_of_git(git: Path) -> None:
    run = ["git", "-C", str(git), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    tree(git, {**files("a.md", "b.md"), ".gitignore": "/inside/\n"})
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "--quiet", "--message", "x"], check=True)
    for where in ("inside", "also", "../beside"):
        subprocess.run(
            [*run, "worktree", "add", "--quiet", "--detach", where], check=True, capture_output=True
        )
    tree(git, {".git/info/exclude": "c.md\n", "c.md": "", "../beside/c.md": "", "also/c.md": ""})
    assert look(git).specs == ("a.md", "b.md")
    assert look(git.parent / "beside").specs == ("a.md", "b.md")
    assert look(git, "also").specs == ("also/a.md", "also/b.md")


def test_what_git_tracks_is_not_ignored(git: Path) -> None:
    """Anybody can write a `.gitignore` in a pull request, or call a folder an environment."""
    hidden = ("a.md", "env/b.md", "build/c.md", "build/deep/d.html")
    tree(git, {**files(*hidden), "env/pyvenv.cfg": "", "node_modules/e.md": "", "archive/f.md": ""})
    subprocess.run(["git", "-C", str(git), "add", "."], check=True)
    tree(git, {".gitignore": "a.md\n/build/\n", **files("build/new.md", "env/new.md")})
    assert look(git).specs == ("a.md", "build/c.md", "build/deep/d.html", "env/b.md")
    assert look(git, "build/deep").specs == ("build/deep/d.html",)
    assert look(git, exclude=("build/",)).specs == ("a.md", "env/b.md")
    assert look(git, include=("env/",)).specs == ("env/b.md",)
    (git / "build" / "c.md").unlink()
    assert look(git).specs == ("a.md", "build/deep/d.html", "env/b.md"), "what has gone is not missed here"
