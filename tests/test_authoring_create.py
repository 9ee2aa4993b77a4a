"""Numbers and places given to one document each: many processes, work trees, and crashes everywhere."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from crash import files, run
from prior_art import BUGS, LESSONS, SPECS
from repository import Repository, git
from trees import Link, tree

from spectastic import write
from spectastic.cli import main

if TYPE_CHECKING:
    from pathlib import Path

NEW = ("new", "Seat holds", "--tags", "seat")
NAME = re.compile(r"(REQ|LESSON|BUG)-[0-9]{3,6}")


def specs(root: Path) -> list[str]:
    """The names of the specs, each of them whole."""
    found = sorted(path.name for path in (root / SPECS).iterdir()) if (root / SPECS).exists() else []
    for name in found:
        if not name.startswith("."):
            text = (root / SPECS / name / "requirement.md").read_text()
            number = NAME.match(name)
            assert number is not None
            assert text.startswith(f"---\nid: {number[0]}\n")
            assert text.endswith("matched this area.\n")
    return found


def many(roots: list[Path], processes: int, each: int) -> None:
    """Run `new` so often in so many processes at once, in turn in each root, and wait for them."""
    children = []
    for number in range(processes):
        child = os.fork()
        if child == 0:
            code = 70
            try:
                os.chdir(roots[number % len(roots)])
                nowhere = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(nowhere, stream)
                code = max(main([*NEW[:1], f"T {number} {count}", *NEW[2:]]) for count in range(each))
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * processes


def test_eight_processes_at_once_in_two_work_trees(tmp_path: Path) -> None:
    main = Repository(tmp_path / "main", {"a.md": "x", f"{SPECS}/REQ-009-x/requirement.md": "x"})
    main.git("worktree", "add", "-q", "../other", "-b", "other")
    shutil.rmtree(tmp_path / "other" / SPECS)
    shutil.rmtree(main.root / SPECS / "REQ-009-x")
    many([main.root, tmp_path / "other"], 8, 25)
    found = [*specs(main.root), *specs(tmp_path / "other")]
    numbers = Counter(int(name[4:7]) for name in found)
    assert numbers == Counter(range(10, 210))  # on the branches it is still there
    assert (main.root / ".git/spectastic/req").read_bytes() == b"209\n"
    assert len(specs(main.root)) == 100


def test_outside_of_git_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    many([tmp_path], 4, 5)
    assert [int(name[4:7]) for name in specs(tmp_path)] == list(range(1, 21))
    home = tmp_path / ".adlc/.spectastic"
    assert {path.name: path.read_bytes() for path in home.iterdir()} == {
        ".gitignore": b"*\n",
        "ids.lock": b"",
        "req": b"20\n",
    }


def made(kind: str, number: int) -> str:
    """The path that a document of a kind gets with a number."""
    if kind == "bug":
        return f"{BUGS}/BUG-{number:03d}-seat-holds.md"
    return f"{SPECS}/REQ-{number:03d}-seat-holds/requirement.md"


@pytest.mark.parametrize(("kind", "first"), [("req", 5), ("bug", 1)])
def test_a_crash_at_every_step(kind: str, first: int, tmp_path: Path) -> None:
    """After it there is no document or a whole one, its number is given once, and nothing else is left."""
    source = Repository(tmp_path / "source", {f"{SPECS}/REQ-004-x/requirement.md": "---\nid: REQ-004\n---\n"})
    work, old = tmp_path / "work", files(source.root)
    counter = work / ".git/spectastic" / kind
    argv = [*NEW, "--kind", kind]
    shutil.copytree(source.root, work)
    assert run(work, argv) == 0
    new = files(work)
    assert set(new) - set(old) == {made(kind, first)}
    seen: set[str] = set()
    for point in range(1, 1000):
        shutil.rmtree(work)
        shutil.copytree(source.root, work)
        code = run(work, argv, point)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        after = {path: data for path, data in files(work).items() if ".tmp" not in path}
        assert after in (old, new), f"half a document at point {point}"
        given = counter.exists()
        assert not given or counter.read_bytes() == b"%d\n" % first
        assert given or after == old
        assert run(work, argv) == 0
        number = first + given
        assert counter.read_bytes() == b"%d\n" % number
        assert set(files(work)) - set(after) == {made(kind, number)}, f"litter after point {point}"
        assert not list(work.rglob("*.tmp")), f"litter after point {point}"
        seen.add("made" if after == new else "burned" if given else "nothing")
    assert (code, seen) == (0, {"made", "burned", "nothing"})


def test_a_name_that_appears_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    monkeypatch.chdir(root)

    def step(name: str) -> None:
        if name == f"create {root}/{SPECS}/REQ-001-seat-holds":
            tree(root, {f"{SPECS}/REQ-001-seat-holds/mine.md": "mine"})
        if name == f"create {root}/{BUGS}/BUG-001-seat-holds.md":
            tree(root, {f"{BUGS}/BUG-001-seat-holds.md": "mine"})

    monkeypatch.setattr(write, "step", step)
    assert main([*NEW]) == 0
    assert main([*NEW, "--kind", "bug"]) == 0
    assert sorted(path.name for path in (root / SPECS).iterdir()) == [
        "REQ-001-seat-holds",
        "REQ-002-seat-holds",
    ]
    assert [path.name for path in (root / SPECS / "REQ-001-seat-holds").iterdir()] == ["mine.md"]
    assert (root / BUGS / "BUG-001-seat-holds.md").read_text() == "mine"
    assert sorted(path.name for path in (root / BUGS).iterdir()) == [
        "BUG-001-seat-holds.md",
        "BUG-002-seat-holds.md",
    ]
    assert (root / ".git/spectastic/req").read_text() == "2\n"


def test_a_number_that_is_taken_meanwhile_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    monkeypatch.chdir(root)

    def step(name: str) -> None:
        if name == f"create {root}/{SPECS}/REQ-001-seat-holds":
            tree(root, {f"{SPECS}/REQ-001-of-another-tool": None})
        if name == f"create {root}/{BUGS}/BUG-001-seat-holds.md":
            tree(root, {f"{BUGS}/BUG-0001-of-another-tool.md": "mine"})

    monkeypatch.setattr(write, "step", step)
    assert main([*NEW]) == 0
    assert main([*NEW, "--kind", "bug"]) == 0
    specs, bugs = (sorted(path.name for path in (root / folder).iterdir()) for folder in (SPECS, BUGS))
    assert specs == ["REQ-001-of-another-tool", "REQ-002-seat-holds"]
    assert bugs == ["BUG-0001-of-another-tool.md", "BUG-002-seat-holds.md"]


def test_numbers_go_on_where_git_comes_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"spectastic.toml": ""})
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert main([*NEW]) == 0
    shutil.rmtree(tmp_path / SPECS / "REQ-003-seat-holds")
    git(tmp_path, "init", "-q")
    assert main([*NEW]) == 0
    assert (tmp_path / SPECS / "REQ-004-seat-holds").is_dir()


def test_an_empty_folder_has_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    tree(root, {f"{SPECS}/REQ-1200-x": None, f"{SPECS}/REQ-0099-y": None})
    monkeypatch.chdir(root)
    assert main([*NEW]) == 0
    assert "REQ-1201-seat-holds" in os.listdir(root / SPECS)


def test_numbers_in_frontmatter_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Repository(
        tmp_path / "r", {f"{SPECS}/other/requirement.md": "---\nid: REQ-030\nstatus: draft\n---\n"}
    ).root
    monkeypatch.chdir(root)
    assert main([*NEW]) == 0
    assert "REQ-031-seat-holds" in os.listdir(root / SPECS)


def test_a_number_that_was_given_is_never_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    monkeypatch.chdir(root)
    assert main([*NEW]) == 0
    shutil.rmtree(root / SPECS)
    assert main([*NEW]) == 0
    assert os.listdir(root / SPECS) == ["REQ-002-seat-holds"]


REFUSED = [
    ({".git/spectastic/req": ""}, "the counter .git/spectastic/req is empty"),
    ({".git/spectastic/req": "seven"}, "the counter .git/spectastic/req holds no number"),
    ({".git/spectastic/req": Link("../x")}, ".git/spectastic/req is a link"),
    ({".git/spectastic/ids.lock": Link("../x")}, ".git/spectastic/ids.lock is a link"),
    ({".git/spectastic": Link("../x")}, ".git/spectastic is a link"),
    ({".git/spectastic/req": "999999"}, "there is no number behind 999999"),
    ({".adlc/there": None, SPECS: Link("there")}, ".adlc/specs is a link, or behind one"),
    ({SPECS: "a file"}, "the folder cannot be listed: not a directory"),
    ({".adlc/templates/requirement-template.md": "<!--"}, "does not leave room for the section"),
]


@pytest.mark.parametrize(("broken", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_is_refused_writes_nothing(
    broken: dict[str, str | bytes | Link | None],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    tree(root, broken)
    monkeypatch.chdir(root)
    before = {path: path.lstat().st_mtime_ns for path in root.rglob("*") if path.name != "spectastic"}
    assert main([*NEW]) == 2
    done = capsys.readouterr()
    assert said in done.err
    assert done.out == ""
    after = {path: path.lstat().st_mtime_ns for path in root.rglob("*")}
    changed = {path.name for path in after if before.get(path) != after[path]}
    assert changed <= {"spectastic", ".git", "ids.lock", "specs", ".adlc"}, changed
    assert not list(root.rglob("REQ-*"))


def test_a_full_disk_leaves_nothing_but_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    monkeypatch.chdir(root)

    def step(name: str) -> None:
        if name.startswith("create") and "-001-" in name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(write, "step", step)
    for kind, folder in (("req", SPECS), ("lesson", LESSONS)):
        assert main([*NEW, "--kind", kind]) == 2
        assert "it cannot be written: no space left on device" in capsys.readouterr().err
        assert os.listdir(root / folder) == []
        assert main([*NEW, "--kind", kind]) == 0
        (name,) = os.listdir(root / folder)
        assert "-002-" in name


def test_litter_goes_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    tree(
        root,
        {
            f"{SPECS}/.REQ-001-x.0123456789abcdef.tmp/requirement.md": "",
            f"{SPECS}/.REQ-001-x.0123.tmp": None,
            f"{SPECS}/.REQ-002-y.0123456789abcdef.tmp/requirement.md": "",
            f"{SPECS}/.REQ-002-y.0123456789abcdef.tmp/other.md": "",
            f"{SPECS}/.REQ-003-y.0123456789abcdef.tmp": Link("../../a"),
            f"{SPECS}/.REQ-004-y.tmp": "",
        },
    )
    monkeypatch.chdir(root)
    assert main([*NEW]) == 0
    left = {name for name in os.listdir(root / SPECS) if name.startswith(".")}
    assert left == {".REQ-002-y.0123456789abcdef.tmp", ".REQ-004-y.tmp", ".REQ-001-x.0123.tmp"}
    assert (root / "a").exists()
    assert os.listdir(root / SPECS / ".REQ-002-y.0123456789abcdef.tmp") == ["other.md"]
