from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from repository import Repository, git
from trees import Link, tree

import spectastic.git as questions
from spectastic.git import Change, GitError, Hunk, process
from spectastic.git import compare as comparing
from spectastic.source import MAX_BYTES, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LINES = "".join(f"line {number}\n" for number in range(1, 11))
DEPTH = "fetch-depth: 0"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo", {"a.md": LINES, "docs/b.md": "b\n", "docs/deep/c.md": "c\n"})


def forked(root: Path) -> Repository:
    """`main` and `topic`, which parted at the second commit, `fork`; `topic` is checked out."""
    made = Repository(root, {"a.md": "1\n"})
    made.commit({"a.md": "2\n"})
    made.git("tag", "fork")
    made.commit({"b.md": "main\n"})
    made.git("checkout", "-q", "-b", "topic", "fork")
    made.commit({"c.md": "topic\n"})
    return made


def edited(path: str, *hunks: tuple[int, int, int, int], base: str = "") -> Change:
    return Change(path, base or path, tuple(Hunk(*hunk) for hunk in hunks))


def told(call: Callable[[], object]) -> str:
    with pytest.raises(GitError) as caught:
        call()
    assert str(caught.value) == caught.value.message
    assert caught.value.hint
    return f"{caught.value.message} / {caught.value.hint}"


# Revisions.


@pytest.mark.parametrize(
    "rev", ["HEAD", "main", "v1", "refs/heads/main", "HEAD^0", "@", "main@{0}", "HEAD~0"]
)
def test_revisions(repository: Repository, rev: str) -> None:
    repository.git("tag", "-a", "v1", "-m", "one")
    assert questions.commit(str(repository.root), rev) == repository.git("rev-parse", "HEAD")


def test_short_and_whole_ids(repository: Repository) -> None:
    head = repository.git("rev-parse", "HEAD")
    for rev in (head, head[:7]):
        assert questions.commit(str(repository.root), rev) == head


NO_REVISION = [
    ("", "an empty name is no revision"),
    ("-", "- is no revision"),
    ("--all", "--all is no revision"),
    ("--output=x", "--output=x is no revision"),
    ("a\0b", "a\0b is no revision"),
    ("nope", "there is no revision nope"),
    ("HEAD:a.md", "there is no revision HEAD:a.md"),
    ("HEAD..HEAD", "there is no revision HEAD..HEAD"),
    ("^HEAD", "there is no revision ^HEAD"),
    ("HEAD~9", "there is no revision HEAD~9"),
    ("HEAD@{9999}", "there is no revision HEAD@{9999}"),
    ("1" * 40, f"there is no revision {'1' * 40}"),
    ("a\nb", "there is no revision a b"),
    (":/nothing", "there is no revision :/nothing"),
    ("$(touch x); touch x", "there is no revision $(touch x); touch x"),
    ("x" * 10_000, f"there is no revision {'x' * 79}…"),
]


@pytest.mark.parametrize(("rev", "message"), NO_REVISION, ids=[rev[:9] for rev, _ in NO_REVISION])
def test_what_is_no_revision(repository: Repository, rev: str, message: str) -> None:
    for ask in (questions.commit, questions.merge_base):
        said = told(lambda ask=ask: ask(str(repository.root), rev))  # type: ignore[misc]
        assert said.startswith(f"{message} / name a commit, a branch or a tag")
    assert sorted(os.listdir(repository.root)) == [".git", "a.md", "docs"]


def test_a_branch_that_only_the_remote_has(repository: Repository, tmp_path: Path) -> None:
    repository.branch("topic")
    clone = repository.clone(tmp_path / "clone", "--branch", "topic")
    said = told(lambda: questions.commit(str(clone.root), "main"))
    assert said == "there is no revision main / did you mean origin/main?"


def test_merge_base(tmp_path: Path) -> None:
    made = forked(tmp_path / "repo")
    fork = made.git("rev-parse", "fork")
    root = str(made.root)
    assert questions.merge_base(root, "main") == fork
    assert questions.merge_base(root, "fork") == fork
    assert questions.merge_base(root, "HEAD") == made.git("rev-parse", "HEAD")
    assert questions.merge_base(root, "HEAD~1") == fork
    made.git("worktree", "add", "-q", str(tmp_path / "tree"), "main")
    assert questions.merge_base(str(tmp_path / "tree"), "topic") == fork
    made.git("checkout", "-q", "--orphan", "other")
    made.commit()
    assert (
        told(lambda: questions.merge_base(root, "main"))
        == "HEAD and main have no commit in common / name a revision of this history"
    )


# A clone as CI makes it, and the answer, or what is said.
CLONES: list[tuple[tuple[str, ...], str, str]] = [
    (("--branch", "topic"), "origin/main", "fork"),
    (("--branch", "topic", "--depth", "1"), "origin/main", "no revision origin/main in this clone"),
    (("--branch", "topic", "--depth", "1", "--no-single-branch"), "origin/main", "its history ends before"),
    (("--branch", "topic", "--depth", "2", "--no-single-branch"), "origin/main", "fork"),
    (("--branch", "topic", "--depth", "1"), "HEAD", "topic"),
    (("--branch", "topic", "--depth", "2"), "HEAD~1", "fork"),
    (("--branch", "topic", "--depth", "1"), "HEAD~1", "no revision HEAD~1 in this clone"),
    (("--branch", "topic", "--depth", "1"), "main", "no revision main in this clone"),
]


@pytest.mark.parametrize(("options", "rev", "answer"), CLONES)
def test_merge_base_in_clones(tmp_path: Path, options: tuple[str, ...], rev: str, answer: str) -> None:
    made = forked(tmp_path / "repo")
    clone = made.clone(tmp_path / "clone", *options)
    if " " in answer:
        said = told(lambda: questions.merge_base(str(clone.root), rev))
        assert answer in said
        assert "shallow" in said
        assert DEPTH in said
        assert 'GIT_DEPTH: "0"' in said
        assert "git fetch --unshallow" in said
    else:
        assert questions.merge_base(str(clone.root), rev) == made.git("rev-parse", answer)


def test_a_cut_history_is_not_trusted(tmp_path: Path) -> None:
    """The clone knows a common commit, and not that there is a later one behind the cut."""
    made = Repository(tmp_path / "repo", {"a.md": "1\n"})
    made.git("tag", "early")
    made.commit({"a.md": "2\n"})
    made.git("tag", "late")
    for name, count in (("long", 4), ("other", 4)):
        made.git("checkout", "-q", "-b", name, "late")
        for number in range(count):
            made.commit({f"{name}.md": f"{number}\n"})
        # A second parent leads to the early commit by a short way.
        side = made.git("commit-tree", "-p", "early", "-m", "side", "HEAD^{tree}")
        merge = made.git("commit-tree", "-p", name, "-p", side, "-m", "merge", "HEAD^{tree}")
        made.git("reset", "-q", "--hard", merge)
    late = made.git("rev-parse", "late")
    assert questions.merge_base(str(made.root), "long") == late
    clone = made.clone(tmp_path / "clone", "--branch", "other", "--depth", "3", "--no-single-branch")
    assert clone.git("merge-base", "origin/long", "HEAD") == made.git("rev-parse", "early")
    assert DEPTH in told(lambda: questions.merge_base(str(clone.root), "origin/long"))
    whole = made.clone(tmp_path / "whole", "--branch", "other", "--depth", "9", "--no-single-branch")
    assert questions.merge_base(str(whole.root), "origin/long") == late


# Repositories that cannot answer.


def questions_of(root: str) -> list[Callable[[], object]]:
    oid = "1" * 40
    return [
        lambda: questions.commit(root, "main"),
        lambda: questions.merge_base(root, "main"),
        lambda: questions.tracked(root),
        lambda: questions.listing(root, oid),
        lambda: questions.blobs(root, [oid]),
        lambda: questions.changes(root, oid),
    ]


def test_no_repository(tmp_path: Path) -> None:
    for ask in questions_of(str(tmp_path)):
        assert told(ask).startswith("this folder is in no git repository / ")
        with pytest.raises(questions.NoRepositoryError):
            ask()


def test_no_commits(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo")
    for rev in ("HEAD", "main"):
        said = told(lambda rev=rev: questions.merge_base(str(made.root), rev))  # type: ignore[misc]
        assert (
            said == f"there is no revision {rev}: no commit has been made here yet / commit something first"
        )


def test_nothing_is_tracked(repository: Repository, tmp_path: Path) -> None:
    """A folder that git tracks nothing of is no checkout; one without a tracked corpus may be."""
    fresh = Repository(tmp_path / "fresh")
    fresh.write({"knowledge/a.md": "x"})
    repository.write({"ignored/knowledge/a.md": "x", ".gitignore": "ignored\n"})
    for root in (fresh.root, repository.root / "ignored"):
        for folder in ("", "knowledge"):
            with pytest.raises(questions.NoRepositoryError, match="git tracks nothing in this folder"):
                questions.tracked(str(root), folder)
    assert questions.tracked(str(repository.root), "ignored") == frozenset()


def test_an_unborn_branch(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "other")
    said = told(lambda: questions.merge_base(str(repository.root), "main"))
    assert said.startswith("there is no revision HEAD: no commit has been made here yet")


def test_another_users_repository(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spectastic.git.process._KEPT", ("GIT_",))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for ask in questions_of(str(repository.root)):
        said = told(ask)
        assert said.startswith("git does not trust this repository, because it belongs to another user / ")
        assert "safe.directory" in said


def test_a_damaged_repository(repository: Repository) -> None:
    root = str(repository.root)
    (repository.root / ".git" / "index").write_bytes(b"nonsense")
    with pytest.raises(GitError, match=r"^git ls-files failed: .*index"):
        questions.tracked(root)
    with pytest.raises(GitError, match=r"^git diff-index failed: "):
        questions.changes(root, repository.git("rev-parse", "HEAD"))
    with pytest.raises(GitError, match=r"^git ls-tree failed: fatal: not a tree object"):
        questions.listing(root, "1" * 40)


def test_a_partial_clone(repository: Repository, tmp_path: Path) -> None:
    repository.git("config", "uploadpack.allowFilter", "true")
    oid = repository.git("rev-parse", "HEAD:a.md")
    repository.commit({"a.md": "new\n"})
    clone = repository.clone(tmp_path / "clone", "--filter=blob:none")
    (clone.root / "a.md").write_text("newer\n")
    base, root = clone.git("rev-parse", "HEAD~1"), str(clone.root)
    for ask in (
        lambda: questions.listing(root, base),
        lambda: questions.blobs(root, [oid]),
        lambda: questions.changes(root, base),
    ):
        assert "this is a partial clone" in told(ask)
        assert "--filter" in told(ask)
    assert questions.merge_base(root, base) == base


def test_objects_that_are_not_there(repository: Repository) -> None:
    assert "partial clone" in told(lambda: questions.blobs(str(repository.root), ["1" * 40]))


# What other versions of git print for an object that they may not fetch.
@pytest.mark.parametrize("printed", ["100644 blob 1111     BAD\ta.md\0", "100644 blob 1111       -\ta.md\0"])
def test_sizes_that_are_none(monkeypatch: pytest.MonkeyPatch, printed: str) -> None:
    monkeypatch.setattr(questions, "run", lambda *_: printed.encode())
    assert "partial clone" in told(lambda: questions.listing(".", "1" * 40))


def program(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "git"
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_git_is_not_installed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bin" / "git").mkdir(parents=True)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for ask in questions_of(str(repository.root)):
        assert told(ask) == "git is not installed, or not on the PATH / install git"


def test_git_of_the_current_folder_is_not_run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path / "here", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", "../here", os.environ["PATH"]]))
    assert questions.tracked(str(repository.root))
    assert not (tmp_path / "ran").exists()


# A git that fails in other ways, and what is said of it.
BROKEN: list[tuple[str, str]] = [
    ("#!/nowhere/at/all\n", "git cannot be run: no such file or directory"),
    ("#!/bin/sh\nexit 3\n", "git ls-files failed: it ended with 3"),
    ("#!/bin/sh\nkill -9 $$\n", "git ls-files failed: it ended with -9"),
    ("#!/bin/sh\nprintf 'fatal: \\377 oops\\n' >&2; exit 1\n", "git ls-files failed: fatal: \ufffd oops"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_git_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, message: str) -> None:
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin", text).parent))
    with pytest.raises(GitError) as caught:
        questions.tracked(str(tmp_path))
    assert (caught.value.message, caught.value.hint) == (message, "")


def test_failures_name_the_command(repository: Repository) -> None:
    repository.git("config", "filter.x.clean", "x")
    (repository.root / ".git" / "index").write_bytes(b"nonsense")
    with pytest.raises(GitError, match=r"^git diff-index failed"):
        questions.changes(str(repository.root), repository.git("rev-parse", "HEAD"))


# What is tracked, and what a commit has.

ODD = [
    "-n.md",
    "a b.md",
    "tab\there.md",
    'quote"and\\slash.md',
    "new\nline.md",
    "\udcff\udcfe.md",
    "é🚀.md",
    "*.md",
    ":(top)x.md",
    "b/x.md",
    " ",
    "bell\a\b\v\f\r.md",
    "trailing\t",
]


def test_tracked(repository: Repository) -> None:
    repository.write({"new.md": "x", "ignored.md": "x", ".gitignore": "ignored.md\n", "docs/staged.md": "x"})
    repository.git("add", "docs/staged.md")
    (repository.root / "docs/b.md").unlink()
    root = str(repository.root)
    docs = {"docs/b.md", "docs/deep/c.md", "docs/staged.md"}
    assert questions.tracked(root) == {"a.md", *docs}
    assert questions.tracked(root, ".") == {"a.md", *docs}
    assert questions.tracked(root, "docs") == docs
    assert questions.tracked(root, "./docs/") == docs
    assert questions.tracked(root, "nowhere") == frozenset()
    assert questions.tracked(f"{root}/docs", "deep") == {"deep/c.md"}
    repository.git("add", "-f", "ignored.md")
    assert "ignored.md" in questions.tracked(root)


def test_tracked_below_a_link(repository: Repository) -> None:
    repository.commit({"link": Link("docs"), "other/inner": Link("../docs")})
    root = str(repository.root)
    everything = {"a.md", "docs/b.md", "docs/deep/c.md", "link", "other/inner"}
    assert questions.tracked(root, "link") == everything
    assert questions.tracked(root, "other/inner/deep") == everything
    tree(repository.root.parent, {"way": Link("repo")})
    assert questions.tracked(str(repository.root.parent / "way"), "docs") == {"docs/b.md", "docs/deep/c.md"}


def test_tracked_during_a_merge(repository: Repository) -> None:
    conflict(repository)
    assert questions.tracked(str(repository.root)) == {"a.md", "docs/b.md", "docs/deep/c.md"}


def test_odd_names(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {f"-d/{name}": f"{name}\n".encode(errors="replace") for name in ODD})
    names = sorted((f"-d/{name}" for name in ODD), key=os.fsencode)
    root, head = str(made.root), made.git("rev-parse", "HEAD")
    assert questions.tracked(root, "-d") == set(names)
    found = questions.listing(root, head)
    assert list(found) == names
    assert list(questions.listing(root, head, "-d")) == names
    assert questions.listing(root, head, "-d/*.md").keys() == {"-d/*.md"}
    contents = questions.blobs(root, (entry.oid for entry in found.values()))
    for name in ODD:
        entry = found[f"-d/{name}"]
        assert contents[entry.oid] == f"{name}\n".encode(errors="replace")
        assert entry.size == len(contents[entry.oid])


def test_listing(repository: Repository) -> None:
    repository.write({"docs/link.md": Link("b.md"), "run.sh": "x", "tree/x.md": "x"})
    (repository.root / "run.sh").chmod(0o755)
    head = repository.commit()
    repository.write({"later.md": "x"})
    root = str(repository.root)
    found = questions.listing(root, head)
    assert [(path, entry.mode, entry.kind, entry.size) for path, entry in found.items()] == [
        ("a.md", "100644", "blob", len(LINES)),
        ("docs/b.md", "100644", "blob", 2),
        ("docs/deep/c.md", "100644", "blob", 2),
        ("docs/link.md", "120000", "blob", 4),
        ("run.sh", "100755", "blob", 1),
        ("tree/x.md", "100644", "blob", 1),
    ]
    assert questions.listing(root, head, "docs/deep").keys() == {"docs/deep/c.md"}
    assert questions.listing(root, head, "doc") == {}
    assert questions.listing(root, head, "docs/link.md").keys() == {"docs/link.md"}
    assert questions.listing(f"{root}/docs", head) == {
        path.removeprefix("docs/"): entry for path, entry in found.items() if path.startswith("docs/")
    }
    assert questions.listing(f"{root}/docs", head, "deep").keys() == {"deep/c.md"}
    (repository.root / "fresh").mkdir()
    assert questions.listing(f"{root}/fresh", head) == {}


def test_submodules(repository: Repository, tmp_path: Path) -> None:
    inner = Repository(tmp_path / "inner", {"x.md": "x\n"})
    repository.git("submodule", "--quiet", "add", str(inner.root), "docs/sub")
    head, root = repository.commit(), str(repository.root)
    found = questions.listing(root, head)["docs/sub"]
    assert found == ("160000", "commit", inner.git("rev-parse", "HEAD"), 0)
    assert "docs/sub/" in questions.tracked(root, "docs")
    assert questions.listing(f"{root}/docs/sub", found.oid).keys() == {"x.md"}
    tree(repository.root, {"docs/sub/x.md": "changed\n", "docs/sub/new.md": "x"})
    assert questions.changes(root, head) == {}


def test_blobs(repository: Repository) -> None:
    root = str(repository.root)
    data = [b"", b"\n", b"x", b"x\n\n", b"\0\xff blob 3\n", b"1" * 100_000]
    oids = []
    for number, content in enumerate(data):
        repository.write({f"{number}": content})
        oids.append(repository.git("hash-object", "-w", f"{number}"))
    assert questions.blobs(root, []) == {}
    assert questions.blobs(root, [*oids, oids[0]]) == dict(zip(oids, data, strict=True))


def test_many_blobs(repository: Repository) -> None:
    """More than a pipe holds, both ways."""
    files = {f"many/{number}": f"{number}\n" * 50 for number in range(3_000)}
    head = repository.commit(files)
    found = questions.listing(str(repository.root), head, "many")
    contents = questions.blobs(str(repository.root), (entry.oid for entry in found.values()))
    assert len(contents) == 3_000
    assert all(contents[found[path].oid].decode() == text for path, text in files.items())


# What has changed.

# What was, what is, and the hunks; None: nobody can say; no entry at all: nothing changed.
EDITS: dict[str, tuple[str | bytes, str | bytes, list[tuple[int, int, int, int]] | None]] = {
    "a line": (LINES, LINES.replace("e 3\n", "e 3!\n"), [(3, 1, 3, 1)]),
    "two places": (
        LINES,
        LINES.replace("e 3\n", "e 3!\n").replace("line 7\n", "").replace("e 9\n", "e 9\nx\ny\n"),
        [(3, 1, 3, 1), (7, 1, 6, 0), (9, 0, 9, 2)],
    ),
    "the first line": (LINES, "x\n" + LINES, [(0, 0, 1, 1)]),
    "the first line gone": (LINES, LINES.partition("\n")[2], [(1, 1, 0, 0)]),
    "the last line": (LINES, LINES + "x\n", [(10, 0, 11, 1)]),
    "neighbours": (
        LINES,
        LINES.replace("e 3\n", "!\n").replace("e 5\n", "!\n"),
        [(3, 1, 3, 1), (5, 1, 5, 1)],
    ),
    "a last line break lost": (LINES, LINES[:-1], [(10, 1, 10, 1)]),
    "a last line break won": (LINES[:-1], LINES, [(10, 1, 10, 1)]),
    "no last line breaks": ("a\nb", "a\nc", [(2, 1, 2, 1)]),
    "everything": ("a\n", "b\nc\n", [(1, 1, 1, 2)]),
    "emptied": (LINES, "", [(1, 10, 0, 0)]),
    "filled": ("", LINES, [(0, 0, 1, 10)]),
    "line ends": ("a\nb\n", "a\r\nb\r\n", [(1, 2, 1, 2)]),
    "lines with CRLF": ("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n", [(2, 1, 2, 1)]),
    "headers in the text": (
        "x\n",
        "diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -90 +90 @@\nx\n++ b/x.md\n",
        [(0, 0, 1, 4), (1, 0, 6, 1)],
    ),
    "headers taken out": (
        "@@ -9 +9 @@\n-- a/x.md\n++ b/x.md\n\\ No newline at end of file\nx\n",
        "x\n",
        [(1, 4, 0, 0)],
    ),
    "not UTF-8": (b"\xff\n\xfe\n", b"\xff\n\xfd\n", [(2, 1, 2, 1)]),
    "a lone CR": ("a\rb\nc\n", "a\rb\nd\n", None),
    "a lone CR comes": ("a\nb\nc\n", "a\nb\rx\nc\n", None),
    "a lone CR goes": ("a\rb\nc\nd\n", "a\nb\nc\ne\n", None),
    "a lone CR goes at the end": ("a\nb\r", "a\nb\n", [(2, 1, 2, 1)]),
    "a NUL comes": ("a\n", "a\n\0", None),
    "a NUL goes": ("a\n\0\n", "a\nb\n", [(2, 1, 2, 1)]),
    "the same": (LINES, LINES, []),
}


def changed(repository: Repository, **further: str) -> dict[str, Change]:
    root = os.path.join(repository.root, further.get("folder", ""))
    return questions.changes(root, repository.git("rev-parse", further.get("base", "HEAD")))


@pytest.fixture(scope="module")
def all_edits(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Every edit, in a folder of its own, under each of the names."""
    before: dict[str, str | bytes | Link | None] = {"other.md": LINES}
    after: dict[str, str | bytes | Link | None] = {}
    for number, (then, now, _) in enumerate(EDITS.values()):
        for name in EDITED_NAMES:
            before[f"{number}/{name}"], after[f"{number}/{name}"] = then, now
    made = Repository(tmp_path_factory.mktemp("edits") / "repo", before)
    made.write(after)
    return made


EDITED_NAMES = ["x.md", "sub/-a b.md", 'sub/\t\n"\udcff.md']


@pytest.mark.parametrize("edit", EDITS)
def test_edits(all_edits: Repository, edit: str) -> None:
    hunks = EDITS[edit][2]
    folder = str(list(EDITS).index(edit))

    def expected(paths: list[str]) -> dict[str, Change]:
        return {
            path: Change(path, path, None) if hunks is None else edited(path, *hunks)
            for path in paths
            if hunks != []
        }

    assert changed(all_edits, folder=folder) == expected(EDITED_NAMES)
    whole = {path: change for path, change in changed(all_edits).items() if path.startswith(f"{folder}/")}
    assert whole == expected([f"{folder}/{name}" for name in EDITED_NAMES])


@pytest.mark.parametrize("edit", [name for name, (*_, hunks) in EDITS.items() if hunks])
def test_lines_are_those_of_a_source(edit: str) -> None:
    """Outside of the hunks, both sides have the same lines."""
    before, after, hunks = EDITS[edit]
    assert hunks is not None
    old, new = ([*lines_of(text)] for text in (before, after))
    for old_start, old_count, new_start, new_count in reversed(hunks):
        at = old_start if old_count == 0 else old_start - 1
        start = new_start if new_count == 0 else new_start - 1
        old[at : at + old_count] = new[start : start + new_count]
    assert old == new


def lines_of(text: str | bytes) -> list[bytes]:
    source = Source("x.md", text.encode() if isinstance(text, str) else text)
    starts = [*source.line_starts, len(source.data)]
    lines = [source.data[start:end] for start, end in pairwise(starts)]
    return [line for line in lines if line]


def test_files_that_came_and_went(repository: Repository) -> None:
    repository.write({"staged.md": "x\n", "untracked.md": "x\n"})
    repository.git("add", "staged.md")
    repository.git("rm", "-q", "--cached", "a.md")
    (repository.root / "docs/b.md").unlink()
    assert changed(repository) == {
        "staged.md": Change("staged.md", None, None),
        "a.md": Change("a.md", "a.md", None),
    }
    repository.git("commit", "-q", "-m", "x")
    assert changed(repository) == {}
    assert changed(repository, base="HEAD~1").keys() == {"staged.md", "a.md"}


def test_renames(repository: Repository) -> None:
    long = "".join(f"{number} and some more\n" for number in range(50))
    repository.commit({"one.md": long, "same.md": LINES * 2, "kept.md": long * 2})
    repository.git("mv", "one.md", "docs/two three\n.md")
    repository.git("mv", "same.md", "docs/moved.md")
    repository.git("mv", "kept.md", "taken.md")
    repository.write({"docs/two three\n.md": long.replace("7 and", "7 or", 1), "kept.md": "new\n"})
    found = changed(repository)
    assert found == {
        "docs/two three\n.md": edited("docs/two three\n.md", (8, 1, 8, 1), base="one.md"),
        "docs/moved.md": Change("docs/moved.md", "same.md", ()),
        "taken.md": Change("taken.md", "kept.md", ()),
        "kept.md": Change("kept.md", "kept.md", None),
    }
    # From below, what came from elsewhere is new.
    assert changed(repository, folder="docs") == {
        "two three\n.md": Change("two three\n.md", None, None),
        "moved.md": Change("moved.md", None, None),
    }


def test_what_is_no_text_any_more(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(
        {"link.md": Link("a.md"), "was-link.md": Link("a.md"), "big.md": "a\n", "gone.md": "a\n"}
    )
    for name in ("link.md", "was-link.md", "docs/b.md"):
        (repository.root / name).unlink()
    tree(repository.root, {"link.md": Link("b.md"), "was-link.md": "x\n", "docs/b.md": Link("a.md")})
    tree(repository.root, {"big.md": "x" * 101, "gone.md": "b\n"})
    (repository.root / "docs/deep/c.md").chmod(0o755)
    monkeypatch.setattr(comparing, "MAX_BYTES", 100)
    found = changed(repository)
    assert found.keys() == {"link.md", "was-link.md", "docs/b.md", "big.md", "gone.md"}
    assert {path for path, change in found.items() if change.hunks is not None} == {"gone.md"}
    assert all(path == change.path == change.base_path for path, change in found.items())


def test_what_cannot_be_read(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write({"a.md": "x\n"})

    def refuse(*_: object) -> object:
        raise PermissionError(13, "Permission denied")

    head = repository.git("rev-parse", "HEAD")
    monkeypatch.setattr(comparing, "open", refuse, raising=False)
    assert questions.changes(str(repository.root), head) == {"a.md": Change("a.md", "a.md", None)}


def test_sizes_are_those_of_sources() -> None:
    assert comparing.MAX_BYTES == MAX_BYTES


def conflict(repository: Repository) -> None:
    """Leave a merge in the middle of it."""
    repository.git("checkout", "-q", "-b", "theirs")
    repository.commit({"a.md": "theirs\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"a.md": "ours\n"})
    with pytest.raises(AssertionError):
        repository.git("merge", "-q", "theirs")


def test_a_merge_that_nobody_finished(repository: Repository) -> None:
    conflict(repository)
    assert (repository.root / "a.md").read_text().startswith("<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>>")
    assert changed(repository) == {"a.md": edited("a.md", (0, 0, 1, 1), (1, 0, 3, 3))}


def test_many_changes_at_once(repository: Repository) -> None:
    names = [f"many/{'long ' * 30}{number}.md" for number in range(300)]
    repository.commit(dict.fromkeys(names, "a\nb\n"))
    repository.write(dict.fromkeys(names, "a\nc\n"))
    assert changed(repository) == {name: edited(name, (2, 1, 2, 1)) for name in names}


def test_sections_of_something_else(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write({"a.md": "x\n"})
    strange = [edited("docs/b.md", (1, 1, 1, 1)), edited("a.md", (1, 1, 1, 1), base="other.md")]
    monkeypatch.setattr(comparing, "_compared", lambda *_: strange)
    assert changed(repository) == {"a.md": Change("a.md", "a.md", None)}


def test_patches_that_are_cut_short() -> None:
    start = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n"
    assert list(comparing._sections(start)) == []
    assert list(comparing._sections(start + b"-a\n+b\ndiff --git a/y b/y\n")) == []
    assert list(comparing._sections(b"")) == []


# Whatever a configuration or the tree says, the answers are the same, nothing is run and nothing written.

HOSTILE_CONFIG: dict[str, str] = {
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.external": "{trap}",
    "diff.algorithm": "patience",
    "diff.context": "5",
    "diff.interHunkContext": "5",
    "diff.renames": "false",
    "diff.renameLimit": "1",
    "diff.orderFile": ".gitattributes",
    "diff.relative": "false",
    "diff.autoRefreshIndex": "true",
    "diff.indentHeuristic": "false",
    "diff.submodule": "log",
    "diff.ignoreSubmodules": "none",
    "diff.wordRegex": ".",
    "diff.wsErrorHighlight": "all",
    "diff.colorMoved": "zebra",
    "diff.statGraphWidth": "1",
    "diff.x.textconv": "{trap}",
    "diff.x.command": "{trap}",
    "diff.x.binary": "true",
    "diff.x.algorithm": "histogram",
    "diff.x.xfuncname": "^.*$",
    "filter.x.clean": "{trap}",
    "filter.x.smudge": "{trap}",
    "filter.x.process": "{trap}",
    "filter.x.required": "true",
    "color.ui": "always",
    "color.diff": "always",
    "core.pager": "{trap}",
    "core.fsmonitor": "{trap}",
    "core.hooksPath": "{trap}",
    "core.editor": "{trap}",
    "core.attributesFile": "{attributes}",
    "core.quotePath": "true",
    "core.whitespace": "cr-at-eol",
    "core.abbrev": "4",
    "core.untrackedCache": "true",
    "alias.ls-files": "!{trap}",
    "log.showSignature": "true",
    "pager.ls-tree": "true",
    "status.renames": "false",
    "protocol.allow": "always",
}
ATTRIBUTES = [
    "*.md -diff",
    "*.md binary",
    "*.md diff=x",
    "*.md filter=x",
    "*.md diff=x filter=x -text",
    "* -merge",
]


@pytest.fixture
def answers() -> Callable[[Repository], object]:
    def ask(made: Repository) -> object:
        root, base = str(made.root), questions.merge_base(str(made.root), "main")
        listed = questions.listing(root, base)
        return (
            questions.tracked(root) - {".gitattributes"},
            {path: entry for path, entry in listed.items() if path != ".gitattributes"},
            questions.blobs(root, (entry.oid for entry in listed.values())).keys()
            - {listed[".gitattributes"].oid},
            questions.changes(root, base),
        )

    return ask


def worked_on(root: Path, attributes: str) -> Repository:
    long = "".join(f"{number} of many\n" for number in range(40))
    files = {"a.md": LINES, "docs/b é.md": LINES, "moved.md": long, ".gitattributes": f"{attributes}\n"}
    made = Repository(root, files)
    made.branch("topic")
    made.git("mv", "moved.md", "docs/new.md")
    made.write({"a.md": LINES.replace("e 3\n", "e 3\n  x\n"), "docs/b é.md": "x\n" + LINES})
    made.write({"docs/new.md": long.replace("9 of", "9 in")})
    return made


@pytest.mark.parametrize("attributes", ["", *ATTRIBUTES])
def test_configuration_and_attributes_change_nothing(
    tmp_path: Path, attributes: str, answers: Callable[[Repository], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = answers(worked_on(tmp_path / "plain", "* -merge"))
    made = worked_on(tmp_path / "repo", attributes)
    trap = program(tmp_path / "trap", f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n")
    (tmp_path / "attributes").write_text("* diff=x\n*.md -text\n")
    written = tmp_path / "config"
    for name, value in HOSTILE_CONFIG.items():
        value = value.format(trap=trap, attributes=tmp_path / "attributes")
        git(tmp_path, "config", "--file", str(written), name, value)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(written))
    before = snapshot(made.root)
    assert answers(made) == plain
    assert snapshot(made.root) == before
    assert not (tmp_path / "ran").exists()
    # It is a trap indeed.
    subprocess.run(["git", "diff", "main"], cwd=made.root, capture_output=True, check=False)
    assert (tmp_path / "ran").exists()


HOSTILE_ENVIRONMENT = {
    "GIT_DIR": "/nowhere",
    "GIT_WORK_TREE": "/nowhere",
    "GIT_INDEX_FILE": "/nowhere/index",
    "GIT_OBJECT_DIRECTORY": "/nowhere",
    "GIT_COMMON_DIR": "/nowhere",
    "GIT_NAMESPACE": "x",
    "GIT_EXTERNAL_DIFF": "/nowhere/program",
    "GIT_DIFF_OPTS": "--unified=7",
    "GIT_GLOB_PATHSPECS": "1",
    "GIT_ICASE_PATHSPECS": "1",
    "GIT_PAGER": "cat",
    "GIT_TRACE": "1",
    "GIT_PREFIX": "docs/",
    "GIT_ATTR_SOURCE": "HEAD",
    "LC_ALL": "de_DE.UTF-8",
    "LANGUAGE": "de",
}


def test_the_environment_changes_nothing(
    tmp_path: Path, answers: Callable[[Repository], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = worked_on(tmp_path / "repo", "")
    plain = answers(made)
    for name, value in HOSTILE_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    assert answers(made) == plain


def test_configuration_in_the_environment_counts(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container, this is how a repository of another user is trusted."""
    monkeypatch.setattr("spectastic.git.process._KEPT", ("GIT_",))
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for name, value in (("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", "*")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert questions.tracked(str(repository.root))


def test_local_replacements_do_not_count(repository: Repository) -> None:
    old, new = repository.git("rev-parse", "HEAD"), repository.commit({"a.md": "x\n"})
    repository.git("replace", old, new)
    assert questions.listing(str(repository.root), old)["a.md"].size == len(LINES)


def test_line_ends_that_git_translates(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    (repository.root / "a.md").write_bytes(LINES.replace("e 4\n", "e 4!\n").replace("\n", "\r\n").encode())
    (repository.root / "docs/b.md").write_bytes(b"b\r\n")
    found = changed(repository)
    assert found.pop("a.md") == edited("a.md", (4, 1, 4, 1))
    # No line of it has changed, as far as git is concerned.
    assert found in ({}, {"docs/b.md": Change("docs/b.md", "docs/b.md", None)})


def test_a_file_that_was_only_touched(repository: Repository) -> None:
    os.utime(repository.root / "a.md", (1, 1))
    before = snapshot(repository.root)
    assert changed(repository) == {}
    assert snapshot(repository.root) == before


def test_other_hashes(tmp_path: Path) -> None:
    made = Repository.__new__(Repository)
    made.root = tree(tmp_path / "repo", {"a.md": LINES, "b.md": LINES * 2})
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    head = made.commit()
    assert len(head) == 64
    os.utime(made.root / "b.md", (1, 1))
    made.write({"a.md": "x\n" + LINES})
    root = str(made.root)
    assert questions.commit(root, head[:9]) == questions.merge_base(root, "main") == head
    found = questions.listing(root, head)
    assert questions.blobs(root, [found["a.md"].oid])[found["a.md"].oid] == LINES.encode()
    assert changed(made) == {"a.md": edited("a.md", (0, 0, 1, 1))}


def snapshot(root: Path) -> Mapping[str, object]:
    """Every file of a repository, git's own too, with its content and times."""
    found: dict[str, object] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            found[str(path.relative_to(root))] = (path.read_bytes(), path.lstat().st_mtime_ns)
    return found


def test_nothing_is_fetched_whatever_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Repository(tmp_path, {"a": ""})
    made.git("config", "protocol.allow", "always")
    made.git("config", "protocol.file.allow", "always")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "file:ext")
    done = process.call(str(tmp_path), "ls-remote", ".")
    assert (done.returncode, done.stdout) == (128, b"")
    assert b"transport 'file' not allowed" in done.stderr


def test_no_other_module_runs_anything() -> None:
    """But for the converters that somebody asks for; what they run in names these calls to refuse them."""
    package = Path(questions.__file__).parent.parent
    running = re.compile(r"\b(subprocess|os\.(system|popen|exec\w*|spawn\w*|posix_spawn\w*))\b")
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if running.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"git/process.py", "program.py", "convert/child.py"}


def test_asking_costs_no_import_until_then() -> None:
    costly = "{'subprocess', 'hashlib', 'spectastic.git.compare'}"
    code = f"import sys, spectastic.git; print({costly} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
