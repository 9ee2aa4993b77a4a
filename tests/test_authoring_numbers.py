"""Numbers in names and refs, the counter, and where both are looked for."""

from __future__ import annotations

import os
import shutil
from datetime import date
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from repository import Repository
from trees import Link, tree

from spectastic import git
from spectastic.authoring import counter, disk, numbers
from spectastic.authoring.counter import Place
from spectastic.authoring.model import AuthoringError, checked_line, identifier, path, slug
from spectastic.git import process
from spectastic.retrieval.model import Kind

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2026, 3, 1)

NAMES = [
    ([], 0),
    (["REQ-007-a", "REQ-010-b", "REQ-009-c"], 10),
    (["REQ-042"], 42),
    (["REQ-08-short"], 8),
    (["REQ-1200-x", "REQ-120-y"], 1200),
    (["REQ-000123-x"], 123),
    (["REQ-999999"], 999_999),
    (["REQ-1234567-x"], 0),
    (["REQ-12a", "REQ-", "REQ-x", "XREQ-9", "my-REQ-9"], 0),
    (["REQ-٣٤٥-x", "REQ-12²"], 12),
    (["req-77-x"], 77),
    (["LESSON-500-x.md", "BUG-600-x.md"], 0),
    (["REQ-300-x.patch", ".gitkeep", "REQ-2.md"], 300),
]


@pytest.mark.parametrize(("names", "highest"), NAMES)
def test_names(names: list[str], highest: int) -> None:
    assert numbers.in_names(Kind.SPEC, names) == highest


REFS = [
    (["HEAD", "refs/heads/main"], 0),
    (["refs/heads/feat/REQ-012-x", "refs/tags/REQ-009"], 12),
    (["refs/heads/fix/bug-31", "refs/heads/lesson-32"], 0),
    (["refs/heads/req-043", "refs/heads/x_REQ-44"], 44),
    (["refs/heads/REQ-1-and-REQ-5"], 5),
    (["refs/heads/REQ-1200", "refs/heads/PREREQ-9999"], 1200),
    (["refs/pull/7/REQ-800", "refs/notes/REQ-801"], 0),
    (["refs/adlc/ids/req/0055", "refs/adlc/ids/bug/99", "refs/adlc/ids/req/x", "refs/adlc/ids/req/1/2"], 55),
]


@pytest.mark.parametrize(("refs", "highest"), REFS)
def test_refs(refs: list[str], highest: int) -> None:
    assert numbers.in_refs(Kind.SPEC, refs) == highest


def test_refs_of_other_kinds() -> None:
    refs = ["refs/heads/fix/bug-31", "refs/tags/LESSON-4", "refs/adlc/ids/bug/32", "refs/adlc/ids/lesson/3"]
    assert numbers.in_refs(Kind.BUG, refs) == 32
    assert numbers.in_refs(Kind.LESSON, refs) == 4


def test_ids_have_three_digits_at_least() -> None:
    assert [identifier(Kind.SPEC, number) for number in (1, 43, 999, 1000, 999_999)] == [
        "REQ-001",
        "REQ-043",
        "REQ-999",
        "REQ-1000",
        "REQ-999999",
    ]
    assert identifier(Kind.LESSON, 7) == "LESSON-007"
    assert identifier(Kind.BUG, 7) == "BUG-007"


SLUGS = [
    ("Seat holds", "seat-holds"),
    ("One two three four five six seven", "one-two-three-four-five-six"),
    ("Größe & Maß: l'été", "grosse-mass-lete"),
    ("../../etc/passwd", "etc-passwd"),
    ("  --x--  ", "x"),
    ("日本語", ""),
    ("a" * 80, "a" * 50),
    ("a" * 49 + " bcd", "a" * 49),
]


@pytest.mark.parametrize(("title", "expected"), SLUGS)
def test_slugs(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_paths() -> None:
    assert path(".adlc", Kind.SPEC, "REQ-001", "A b") == ".adlc/specs/REQ-001-a-b/requirement.md"
    assert path("p", Kind.LESSON, "LESSON-001", "A b") == "p/knowledge/lessons/LESSON-001-a-b.md"
    assert path("p", Kind.BUG, "BUG-001", "日本") == "p/bugs/BUG-001-bug.md"


def test_titles() -> None:
    assert checked_line("  A\n b ") == "A b"
    assert checked_line("x" * 200) == "x" * 200
    for title, said in (
        ("", "is empty"),
        (" \n", "is empty"),
        ("a\u202eb", "cannot be seen"),
        ("x" * 201, "201"),
    ):
        with pytest.raises(AuthoringError, match=said):
            checked_line(title)


# The counter


def place(root: Path) -> Place:
    return Place(str(root / "ids"), "ids", hidden=False)


def test_a_counter_that_never_was(tmp_path: Path) -> None:
    assert counter.last(place(tmp_path), Kind.SPEC) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "value"), [(b"42\n", 42), (b"042", 42), (b"08\r\n", 8), (b"0\n", 0), (b"999999\n", 999_999)]
)
def test_values(data: bytes, value: int, tmp_path: Path) -> None:
    tree(tmp_path, {"ids/req": data, "ids/bug": b"7\n"})
    assert counter.last(place(tmp_path), Kind.SPEC) == value
    assert counter.last(place(tmp_path), Kind.BUG) == 7


DAMAGED = [
    b"",
    b"\n",
    b"  ",
    b"x\n",
    b"-1\n",
    b"1.0",
    b"0x10",
    b"12 13",
    b"1234567",
    b"12\n13\n",
    b"\xd9\xa3",
    b"\0",
]


@pytest.mark.parametrize("data", DAMAGED)
def test_damaged(data: bytes, tmp_path: Path) -> None:
    tree(tmp_path, {"ids/req": data})
    with pytest.raises(AuthoringError) as caught:
        counter.last(place(tmp_path), Kind.SPEC)
    what = "is empty" if not data.strip() else "holds no number of at most six digits"
    assert caught.value.message == f"the counter ids/req {what}"
    assert caught.value.hint == (
        "write the number of the last REQ that was given into it: it is never begun anew"
    )
    assert (tmp_path / "ids/req").read_bytes() == data


@pytest.mark.parametrize("link", ["ids/req", "ids", "ids/ids.lock"])
def test_links_are_refused(link: str, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    tree(tmp_path, {"elsewhere/req": "5\n"} if link == "ids" else {"elsewhere": "5\n"})
    (tmp_path / link).parent.mkdir(exist_ok=True)
    (tmp_path / link).symlink_to(target)
    with pytest.raises(AuthoringError, match=f"^{link} is a link$"), counter.locked(place(tmp_path)):
        counter.store(place(tmp_path), Kind.SPEC, counter.last(place(tmp_path), Kind.SPEC) + 1)
    assert (target / "req" if link == "ids" else target).read_text() == "5\n"
    assert not list(tmp_path.rglob("ids.lock")) or link != "ids"


def test_a_dangling_link_is_refused(tmp_path: Path) -> None:
    tree(tmp_path, {"ids/req": Link("../nowhere")})
    with pytest.raises(AuthoringError, match="is a link"):
        counter.last(place(tmp_path), Kind.SPEC)
    with pytest.raises(AuthoringError, match="is a link"):
        counter.store(place(tmp_path), Kind.SPEC, 1)
    assert not (tmp_path / "nowhere").exists()


def test_no_regular_file(tmp_path: Path) -> None:
    (tmp_path / "ids/req").mkdir(parents=True)
    with pytest.raises(AuthoringError, match="ids/req is no regular file"):
        counter.last(place(tmp_path), Kind.SPEC)
    os.mkfifo(tmp_path / "ids/bug")
    with pytest.raises(AuthoringError, match="ids/bug is no regular file"):
        counter.last(place(tmp_path), Kind.BUG)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable(tmp_path: Path) -> None:
    tree(tmp_path, {"ids/req": "1\n"})
    (tmp_path / "ids/req").chmod(0)
    with pytest.raises(AuthoringError, match="cannot be read: permission denied"):
        counter.last(place(tmp_path), Kind.SPEC)


def test_unreadable_for_another_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    tree(tmp_path, {"ids/req": "1\n"})
    monkeypatch.setattr("spectastic.authoring.counter.os.open", refuse)
    with pytest.raises(AuthoringError, match="ids/req cannot be read: permission denied"):
        counter.last(place(tmp_path), Kind.SPEC)


def test_the_last_number(tmp_path: Path) -> None:
    with counter.locked(place(tmp_path)):
        counter.store(place(tmp_path), Kind.SPEC, 999_999)
        with pytest.raises(AuthoringError, match="there is no number behind 999999"):
            counter.store(place(tmp_path), Kind.SPEC, 1_000_000)
    assert (tmp_path / "ids/req").read_bytes() == b"999999\n"


def test_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter, "TIMEOUT", 0.05)
    (tmp_path / "ids").mkdir()
    held = FileLock(str(tmp_path / "ids/ids.lock"))
    with held, pytest.raises(AuthoringError) as caught, counter.locked(place(tmp_path)):
        raise AssertionError("two are inside")
    assert caught.value.message == "another process is giving out ids; it holds ids/ids.lock"
    with counter.locked(place(tmp_path)):
        pass


def test_litter_goes_and_nothing_else(tmp_path: Path) -> None:
    litter = {f"ids/.{name}.0123456789abcdef.tmp": "9" for name in ("req", "lesson", "bug", ".gitignore")}
    kept = {"ids/req": "3\n", "ids/.other.0123456789abcdef.tmp": "", "ids/.req.tmp": ""}
    tree(tmp_path, {**litter, **kept})
    with counter.locked(place(tmp_path)):
        assert {f"ids/{name}" for name in os.listdir(tmp_path / "ids")} == {*kept, "ids/ids.lock"}
    with counter.locked(place(tmp_path)._replace(hidden=True)):
        assert (tmp_path / "ids/.gitignore").read_bytes() == b"*\n"


# Where numbers are looked for


def territory(root: Path) -> disk.Territory:
    return disk.territory(str(root), ".adlc")


def test_outside_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    found = territory(tmp_path)
    assert found == (
        Place(str(tmp_path / ".adlc/.spectastic"), ".adlc/.spectastic", hidden=True),
        (str(tmp_path),),
        None,
    )


def test_every_work_tree_is_looked_into(tmp_path: Path) -> None:
    main = Repository(tmp_path / "main", {"docs/.adlc/specs/REQ-003-x/requirement.md": ""})
    main.git("worktree", "add", "-q", "../two words", "-b", "other")
    main.git("worktree", "add", "-q", "../gone", "-b", "gone")
    other = tmp_path / "two words"
    tree(other, {"docs/.adlc/specs/REQ-012-y/requirement.md": "", "docs/.adlc/bugs/BUG-002.md": ""})
    (tmp_path / "gone").rename(tmp_path / "moved")
    for here in (main.root, other):
        found = territory(here / "docs")
        assert found.counters == Place(str(main.root / ".git/spectastic"), ".git/spectastic", hidden=False)
        assert found.roots[0] == str(here / "docs")
        assert {*found.roots} == {str(each / "docs") for each in (main.root, other, tmp_path / "gone")}
        assert disk.highest(found.roots, ".adlc", Kind.SPEC) == 12
        assert disk.highest(found.roots, ".adlc", Kind.BUG) == 2
        assert disk.highest(found.roots, ".adlc", Kind.LESSON) == 0


def test_work_trees_of_a_bare_repository(tmp_path: Path) -> None:
    Repository(tmp_path / "main", {"a": ""}).clone(tmp_path / "bare.git", "--bare")
    for name in ("one", "two"):
        git_in(tmp_path / "bare.git", "worktree", "add", "-q", f"../{name}", "-b", name)
    tree(tmp_path / "two", {".adlc/specs/REQ-005/requirement.md": ""})
    found = territory(tmp_path / "one")
    assert found.counters.folder == str(tmp_path / "bare.git/spectastic")
    assert disk.highest(found.roots, ".adlc", Kind.SPEC) == 5


def git_in(folder: Path, *arguments: str) -> None:
    from repository import git as run

    run(folder, *arguments)


def test_an_old_git_lists_work_trees_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path / "main", {"a": ""})
    repository.git("worktree", "add", "-q", "../two", "-b", "two")
    expected = git.worktrees(str(repository.root))
    assert expected == (str(tmp_path / "main"), str(tmp_path / "two"))
    original = process.call

    def old(root: str, *arguments: str) -> object:
        done = original(root, *arguments)
        if "-z" in arguments:
            done.returncode = 129
        return done

    monkeypatch.setattr(git, "call", old)
    assert git.worktrees(str(repository.root)) == expected


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path) -> None:
    tree(tmp_path, {".adlc/specs": "a file"})
    with pytest.raises(AuthoringError, match="specs cannot be listed: not a directory"):
        disk.highest((str(tmp_path),), ".adlc", Kind.SPEC)


def test_prior_art_that_leads_out_of_a_work_tree_is_an_error(tmp_path: Path) -> None:
    tree(tmp_path, {"other/specs/REQ-009-x/requirement.md": "", "root/.adlc": Link("../other")})
    with pytest.raises(AuthoringError, match="leads outside of the repository"):
        disk.highest((str(tmp_path / "root"),), ".adlc", Kind.SPEC)


@pytest.mark.parametrize(("inside", "fails"), [(True, True), (False, False)])
def test_without_git_the_program(
    inside: bool, fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(tmp_path / "a/b", {".adlc/specs": None})
    if inside:
        (tmp_path / "a/.git").mkdir()
    monkeypatch.setenv("PATH", "")
    if fails:
        with pytest.raises(AuthoringError, match="the work trees cannot be listed: git is not installed"):
            territory(root)
    else:
        assert territory(root).counters.shown == ".adlc/.spectastic"


# Branches


def test_branches_of_no_repository_and_of_one_without_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert disk.in_branches(str(tmp_path), ".adlc", Kind.SPEC) == 0
    git_in(tmp_path, "init", "-q")
    assert disk.in_branches(str(tmp_path), ".adlc", Kind.SPEC) == 0
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AuthoringError, match="the branches cannot be read: git is not installed"):
        disk.in_branches(str(tmp_path), ".adlc", Kind.SPEC)
    (tmp_path / ".git").rename(tmp_path / "moved")
    assert disk.in_branches(str(tmp_path), ".adlc", Kind.SPEC) == 0


def test_what_stands_in_the_place_of_a_folder_has_no_numbers(tmp_path: Path) -> None:
    made = Repository(
        tmp_path, {".adlc/specs": "REQ-009", ".adlc/bugs": Link("elsewhere"), "elsewhere/BUG-009.md": ""}
    )
    assert disk.in_branches(str(made.root), ".adlc", Kind.SPEC) == 0
    assert disk.in_branches(str(made.root), ".adlc", Kind.BUG) == 0
    assert disk.in_branches(str(made.root), "elsewhere/../.adlc", Kind.LESSON) == 0


@pytest.mark.parametrize("hash_name", ["sha1", "sha256"])
def test_names_of_any_bytes_in_a_tree(hash_name: str, tmp_path: Path) -> None:
    git_in(tmp_path, "init", "-q", f"--object-format={hash_name}", "-b", "main")
    names = [os.fsdecode(b"BUG-007-\xff\n.md"), "BUG-0012 a b.md", "x BUG-090.md", "BUG-1200x.md"]
    for name in names:
        tree(tmp_path, {f"docs: a/.adlc/bugs/{name}": ""})
    git_in(tmp_path, "add", "-A")
    git_in(tmp_path, "commit", "-q", "-m", "x")
    shutil.rmtree(tmp_path / "docs: a")
    assert git.branches(str(tmp_path), "docs: a/.adlc/bugs") == (("refs/heads/main",), frozenset(names))
    (tmp_path / "docs: a").mkdir()
    assert disk.in_branches(str(tmp_path / "docs: a"), ".adlc", Kind.BUG) == 12


def test_only_so_many_branches_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Repository(tmp_path, {"a": ""})
    for number in range(1, 6):
        made.git("branch", f"REQ-00{number}")
    monkeypatch.setattr("spectastic.git.heads.MOST", 3)
    assert len(git.branches(str(made.root), "a").refs) == 3
