"""Transactions: all or nothing, one at a time, and what comes after a crash."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import stat
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER
from crash import AT_REST, files
from repository import Repository
from trees import Link, tree

from spectastic import git, write
from spectastic.config import Settings
from spectastic.curate import journal, transaction
from spectastic.curate.journal import NAME, Entry, Journal
from spectastic.curate.plan import CurateError, FileChange, Plan
from spectastic.engine import validate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OLD: dict[str, str | bytes | Link | None] = {
    "knowledge/index.md": HEADER,
    "knowledge/web/a.md": "A",
    "knowledge/web/b.md": "B",
}
PLAN = Plan(
    (
        FileChange("knowledge/web/b.md", b"B", None),
        FileChange("knowledge/web/new/c.md", None, b"C"),
        FileChange("knowledge/web/a.md", b"A", b"AA"),
        FileChange("spectastic.toml", None, b""),
    )
)
NEW = {
    "knowledge/index.md": HEADER.encode(),
    "knowledge/web/a.md": b"AA",
    "knowledge/web/new/c.md": b"C",
    "spectastic.toml": b"",
}


def commit(root: Path, plan: Plan = PLAN) -> tuple[str, ...]:
    with transaction.locked(str(root), "knowledge") as finished:
        transaction.commit(str(root), "knowledge", plan)
    return finished


@contextmanager
def crash_at(number: int) -> Iterator[list[str]]:
    """Raise at the n-th step. It unwinds, where a kill would not; but nothing is left to unwind there."""
    steps: list[str] = []

    def step(name: str) -> None:
        steps.append(name)
        if len(steps) == number:
            raise RuntimeError("crash")

    original = write.step
    write.step = step
    try:
        yield steps
    finally:
        write.step = original


def home(root: Path) -> set[str]:
    return set(os.listdir(root / "knowledge/.spectastic"))


def test_everything_is_done(tmp_path: Path) -> None:
    tree(tmp_path, OLD)
    os.chmod(tmp_path / "knowledge/web/a.md", 0o640)
    seen: list[tuple[int, int]] = []
    with transaction.locked(str(tmp_path), "knowledge") as finished:
        transaction.commit(str(tmp_path), "knowledge", PLAN, lambda *counts: seen.append(counts))
    assert finished == ()
    assert files(tmp_path) == NEW
    assert home(tmp_path) == AT_REST
    assert (tmp_path / "knowledge/.spectastic/.gitignore").read_bytes() == b"*\n"
    assert stat.S_IMODE(os.stat(tmp_path / "knowledge/web/a.md").st_mode) == 0o640
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_nothing_to_do_writes_nothing(tmp_path: Path) -> None:
    tree(tmp_path, OLD)
    with transaction.locked(str(tmp_path), "knowledge"), crash_at(1) as steps:
        transaction.commit(str(tmp_path), "knowledge", Plan((FileChange("x", b"1", b"1"),)))
    assert steps == []


def _steps(root: Path) -> list[str]:
    tree(root, OLD)
    with crash_at(0) as steps:
        commit(root)
    return steps


def test_an_error_at_every_step(tmp_path: Path) -> None:
    """As a kill, but that the process goes on: nothing that was cleared up was needed."""
    count = len(_steps(tmp_path / "all"))
    decided = 0
    for number in range(1, count + 1):
        root = tree(tmp_path / str(number), OLD)
        before = files(root)
        with crash_at(number), pytest.raises(RuntimeError):
            commit(root)
        found = transaction.interrupted(str(root), "knowledge")
        if found is None:
            assert files(root) in (before, NEW)
        else:
            decided += 1
            assert set(found.paths) == {change.path for change in PLAN.changes}
            findings = validate(Settings(root=str(root), select=("corpus-registry",))).findings
            assert [finding.path for finding in findings] == ["knowledge/.spectastic/journal.json"]
        with transaction.locked(str(root), "knowledge") as finished:
            assert bool(finished) == (found is not None)
        assert files(root) == (NEW if found else files(root))
        assert home(root) == AT_REST
    assert decided > 10


def interrupt(root: Path, step: str = "replace knowledge/web/a.md") -> None:
    """Leave a change that is decided, with a.md still to be written."""
    tree(root, OLD)
    steps = _steps(root.with_name(f"{root.name}.steps"))
    wanted = str(root.with_name(f"{root.name}.steps"))
    number = next(n for n, name in enumerate(steps, 1) if name == step.replace(" ", f" {wanted}/", 1))
    with crash_at(number), pytest.raises(RuntimeError):
        commit(root)


def test_a_crash_while_another_is_made_good(tmp_path: Path) -> None:
    number = 0
    while True:
        number += 1
        root = tmp_path / str(number)
        interrupt(root)
        try:
            with crash_at(number):
                commit(root, Plan(()))
        except RuntimeError:
            commit(root, Plan(()))
            assert (files(root), home(root)) == (NEW, AT_REST)
        else:
            break
    assert number > 10


def test_somebody_edited_meanwhile(tmp_path: Path) -> None:
    root = tmp_path / "r"
    interrupt(root)
    (root / "knowledge/web/a.md").write_bytes(b"mine")
    now = files(root)
    for _ in range(2):
        with pytest.raises(CurateError) as error:
            commit(root)
        assert "knowledge/web/a.md has been edited since by somebody else" in error.value.message
        assert "git restore knowledge/web/a.md" in error.value.hint
        assert "delete knowledge/.spectastic/journal.json" in error.value.hint
        assert files(root) == now
    (root / "knowledge/web/a.md").write_bytes(b"A")
    assert "knowledge/web/a.md" in commit(root, Plan(()))
    assert files(root) == NEW


def test_giving_up(tmp_path: Path) -> None:
    root = tmp_path / "r"
    interrupt(root)
    (root / "knowledge/.spectastic/journal.json").unlink()
    assert commit(root, Plan(())) == ()
    assert (root / "knowledge/web/a.md").read_bytes() == b"A"
    assert home(root) == AT_REST


def test_a_draft_is_lost(tmp_path: Path) -> None:
    root = tmp_path / "r"
    interrupt(root)
    for path in (root / "knowledge/.spectastic").glob("draft-*"):
        path.write_bytes(b"torn")
    with pytest.raises(CurateError, match=r"its new text of knowledge/web/a.md is lost"):
        commit(root)
    assert (root / "knowledge/web/a.md").read_bytes() == b"A"


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the change is decided, nothing is left of it; after that, it is finished later."""
    root = tree(tmp_path, OLD)
    before = files(root)
    real = write.replace

    def full(path: str, data: bytes, *, expected: bytes | None = None) -> None:
        if path.endswith(name):
            raise OSError(28, "No space left on device", path)
        real(path, data, expected=expected)

    monkeypatch.setattr(write, "replace", full)
    for name in ("draft-2", "journal.json"):  # noqa: B007 - it is used in `full`
        with pytest.raises(OSError, match="No space left"):
            commit(root)
        assert (files(root), home(root)) == (before, AT_REST)
    name = "a.md"
    with pytest.raises(
        CurateError, match=r"a.md cannot be written: no space left on device; the change is half"
    ):
        commit(root)
    assert home(root) > AT_REST
    monkeypatch.undo()
    commit(root, Plan(()))
    assert files(root) == NEW


def test_an_editor_that_saves_at_the_last_moment(tmp_path: Path) -> None:
    root = tree(tmp_path, OLD)

    def step(name: str) -> None:
        if name.startswith("create") and ".a.md" in name:
            (root / "knowledge/web/a.md").write_bytes(b"mine")

    write.step, original = step, write.step
    try:
        with pytest.raises(CurateError, match="edited since by somebody else"):
            commit(root)
    finally:
        write.step = original
    assert (root / "knowledge/web/a.md").read_bytes() == b"mine"


STALE = {
    "changed": ("knowledge/web/a.md", b"X", b"Y"),
    "gone": ("knowledge/web/z.md", b"Z", b"Y"),
    "there": ("knowledge/web/a.md", None, b"Y"),
}


@pytest.mark.parametrize("case", STALE)
def test_a_plan_that_is_out_of_date(case: str, tmp_path: Path) -> None:
    root = tree(tmp_path, OLD)
    before = files(root)
    with pytest.raises(CurateError, match="was changed by something else meanwhile"):
        commit(root, Plan((*PLAN.changes[:2], FileChange(*STALE[case]))))
    assert (files(root), home(root)) == (before, AT_REST)


BAD_PATHS = [
    "",
    "/etc/x",
    "../x",
    "a/../../x",
    "a//b",
    ".git/hooks/x",
    "a/.GIT/x",
    "a/.g\u200cit/x",
    "a\\b",
    "C:x",
    "a\0b",
    "./x",
    ".git./hooks/x",
    ".git /hooks/x",
    ".git::$INDEX_ALLOCATION/x",
    "a\ud800b",
]


@pytest.mark.parametrize("path", BAD_PATHS)
def test_paths_that_no_change_may_have(path: str, tmp_path: Path) -> None:
    with pytest.raises(CurateError, match="is no path of a file in the repository"):
        commit(tree(tmp_path, OLD), Plan((FileChange(path, None, b"x"),)))


OBSTACLES: dict[str, tuple[dict[str, str | bytes | Link | None], str, str]] = {
    "folder": ({"knowledge/x.md": None}, "knowledge/x.md", "is no regular file"),
    "file-for-folder": ({"knowledge/x": "X"}, "knowledge/x/y.md", "a file is in the way"),
    "dead-link": (
        {"knowledge/x.md": Link("gone")},
        "knowledge/x.md",
        "knowledge/x.md is a link",
    ),
    "circle": ({"knowledge/x.md": Link("x.md")}, "knowledge/x.md", "cannot be read: too many levels"),
    "link-out": ({"knowledge/x": Link("../..")}, "knowledge/x/y.md", "leads out of the repository"),
    "link-to-git": (
        {"knowledge/x": Link("../.git"), ".git/a": "A"},
        "knowledge/x/y.md",
        "leads out of the repository",
    ),
}


@pytest.mark.parametrize("case", OBSTACLES)
def test_obstacles(case: str, tmp_path: Path) -> None:
    more, path, message = OBSTACLES[case]
    root = tree(tmp_path / "r", {**OLD, **more})
    with pytest.raises(CurateError, match=message):
        commit(root, Plan((*PLAN.changes, FileChange(path, None, b"x"))))
    assert (root / "knowledge/web/a.md").read_bytes() == b"A"


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, OLD)
    monkeypatch.setattr(os, "access", lambda path, _: not str(path).endswith("a.md"))
    with pytest.raises(CurateError, match=r"a.md cannot be written: permission denied"):
        commit(root)
    assert (root / "knowledge/web/b.md").exists()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    root = tree(tmp_path, OLD)
    os.mkfifo(root / "knowledge/x.md")
    with pytest.raises(CurateError, match="is no regular file"):
        commit(root, Plan((FileChange("knowledge/x.md", None, b"x"),)))


LINKS: dict[str, tuple[dict[str, str | bytes | Link | None], str]] = {
    "file": ({"knowledge/web/l.md": Link("a.md")}, "knowledge/web/l.md is a link"),
    "folder": (
        {"knowledge/web/f": Link("."), "knowledge/web/l.md": "A"},
        "knowledge/web/f/l.md is reached through a link, knowledge/web/f",
    ),
}


@pytest.mark.parametrize("case", LINKS)
def test_nothing_is_changed_through_a_link(case: str, tmp_path: Path) -> None:
    more, message = LINKS[case]
    root = tree(tmp_path, {**OLD, **more})
    before = files(root)
    with pytest.raises(CurateError, match=f"{message}: files are changed under their own names only"):
        commit(root, Plan((FileChange(message.split()[0], b"A", b"L"),)))
    assert files(root) == before


def _journal(path: str, before: bytes | None, after: bytes | None) -> dict[str, str | bytes | Link | None]:
    entry = Entry(path, journal.digest(before), journal.digest(after), "draft-0" if after is not None else "")
    home = "knowledge/.spectastic"
    return {f"{home}/{NAME}": journal.write(Journal((entry,))), f"{home}/draft-0": after or b"old"}


@pytest.mark.parametrize("path", ["knowledge/web/a.md", "spectastic.toml"])
def test_a_journal_that_came_with_a_commit_is_not_gone_on_with(path: str, tmp_path: Path) -> None:
    before = b"A" if path.endswith("a.md") else None
    root = tmp_path
    Repository(root, {**OLD, **_journal(path, before, b"evil")}).commit()
    kept = files(root)
    with pytest.raises(CurateError, match="is not ours: git tracks draft-0 beside it") as error:
        commit(root)
    assert "delete knowledge/.spectastic" in error.value.hint
    assert files(root) == kept


def test_a_journal_that_git_cannot_speak_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: str) -> frozenset[str]:
        raise git.GitError("git is not installed", "install it")

    monkeypatch.setattr(git, "tracked", silent)
    root = tree(tmp_path, {**OLD, **_journal("knowledge/web/a.md", b"A", b"B")})
    kept = files(root)
    with pytest.raises(CurateError, match=r"cannot be told whether .* is ours: git is not installed"):
        commit(root)
    assert files(root) == kept


FOREIGN = [
    ("specs/a.md", None, b"evil"),
    (".venv/lib/x.pth", None, b"evil"),
    (".github/workflows/evil.yml", None, b"evil"),
    ("knowledge/.spectastic/lock", b"", None),
    ("knowledge2/a.md", None, b"evil"),
]


@pytest.mark.parametrize(("path", "before", "after"), FOREIGN)
def test_a_journal_of_what_no_command_changes(
    path: str, before: bytes | None, after: bytes | None, tmp_path: Path
) -> None:
    root = tree(tmp_path, {**OLD, **_journal(path, before, after)})
    kept = files(root)
    with pytest.raises(CurateError, match=f"is of no command: it would change {re.escape(path)}"):
        commit(root)
    assert files(root) == kept


@pytest.mark.parametrize("name", ["holder.json", "lock", "journal.json", "draft-0", ".gitignore"])
@pytest.mark.parametrize("leads", ["precious", "../nothing", "../../.git/hooks/pre-commit"])
def test_links_among_what_is_left_are_not_followed(name: str, leads: str, tmp_path: Path) -> None:
    """Anybody can commit a link under the name of a file that every command writes."""
    more = {"precious": "precious", ".git/hooks/pre-commit": "precious"}
    root = tree(tmp_path / "r", {**OLD, **more, f"knowledge/.spectastic/{name}": Link(f"../../{leads}")})
    with contextlib.suppress(CurateError, OSError):
        commit(root)
    assert (root / "precious").read_text() == "precious"
    assert (root / ".git/hooks/pre-commit").read_text() == "precious"
    assert not (tmp_path / "nothing").exists()
    assert os.listdir(tmp_path) == ["r"]


def test_a_corpus_in_the_folder_of_git(tmp_path: Path) -> None:
    root = tree(tmp_path, {**OLD, ".git/a": "A"})
    with (
        pytest.raises(CurateError, match="is no path of a file in the repository"),
        transaction.locked(str(root), ".git"),
    ):
        pass
    assert os.listdir(root / ".git") == ["a"]


@pytest.mark.parametrize("content", ["x", Link("..")])
def test_a_home_that_is_none(content: str | Link, tmp_path: Path) -> None:
    root = tree(tmp_path, {**OLD, "knowledge/.spectastic": content})
    with pytest.raises(CurateError, match=r"knowledge/.spectastic is no folder"):
        commit(root)


ENTRY = {"path": "a.md", "before": "", "after": "00", "draft": "draft-0"}
JOURNALS = {
    "no-json": "{",
    "deep": "[" * 100_000,
    "list": "[]",
    "no-changes": '{"version": 1}',
    "version": json.dumps({"version": 2, "changes": [ENTRY]}),
    "no-entry": json.dumps({"version": 1, "changes": [[]]}),
    "numbers": json.dumps({"version": 1, "changes": [{**ENTRY, "after": 1}]}),
    "more": json.dumps({"version": 1, "changes": [{**ENTRY, "mode": "1"}]}),
    "less": json.dumps({"version": 1, "changes": [{"path": "a.md"}]}),
    "draft-elsewhere": json.dumps({"version": 1, "changes": [{**ENTRY, "draft": "../index.md"}]}),
    "draft-for-nothing": json.dumps({"version": 1, "changes": [{**ENTRY, "after": ""}]}),
    **{
        f"path-{number}": json.dumps({"version": 1, "changes": [{**ENTRY, "path": path}]})
        for number, path in enumerate(BAD_PATHS)
    },
}


@pytest.mark.parametrize("case", JOURNALS)
def test_journals_that_are_none(case: str, tmp_path: Path) -> None:
    """A journal may come with a repository: it is read as carefully as anything else."""
    root = tree(tmp_path, {**OLD, "knowledge/.spectastic/journal.json": JOURNALS[case]})
    before = files(root)
    with pytest.raises(CurateError, match=r"journal.json is no journal of an interrupted change") as error:
        commit(root)
    assert "delete it" in error.value.hint
    assert files(root) == before
    assert transaction.interrupted(str(tree(tmp_path / "other", OLD)), "knowledge") is None


def test_journals_are_read_back() -> None:
    entries = (journal.Entry("a.md", "", "00", "draft-0"), journal.Entry("b ü.md", "11", "", ""))
    assert journal.read(journal.write(journal.Journal(entries))) == journal.Journal(entries)


def test_litter_is_swept_and_nothing_else(tmp_path: Path) -> None:
    root = tmp_path / "r"
    interrupt(root)
    web = root / "knowledge/web"
    litter = [".a.md.0123456789abcdef.tmp", ".b.md.0123456789abcdef.tmp"]
    kept = [".a.md.0123.tmp", "a.md.0123456789abcdef.tmp", ".z.md.0123456789abcdef.tmp"]
    tree(web, dict.fromkeys([*litter, *kept], "x"))
    tree(
        root / "knowledge/.spectastic",
        {"draft-99": "x", ".draft-1.0123456789abcdef.tmp": "x", "notes.md": "mine"},
    )
    commit(root, Plan(()))
    assert home(root) == {*AT_REST, "notes.md"}
    assert {path.name for path in web.iterdir()} == {*kept, "a.md", "new"}


def test_held(tmp_path: Path) -> None:
    root = tree(tmp_path, OLD)
    with transaction.locked(str(root), "knowledge"):
        with (
            pytest.raises(transaction.Held) as error,
            transaction.locked(str(root), "knowledge", timeout=0.05),
        ):
            pytest.fail("two have the lock")
        assert f"another command is writing to the corpus (process {os.getpid()} on " in error.value.message
        assert error.value.message.endswith("it holds knowledge/.spectastic/lock")
        assert "wait until it is done" in error.value.hint
        (root / "knowledge/.spectastic/holder.json").write_text('{"pid": 1}')
        with pytest.raises(transaction.Held, match="writing to the corpus; it holds"):
            transaction.locked(str(root), "knowledge", timeout=0.05).__enter__()
    commit(root)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_lock_goes_with_its_process(tmp_path: Path) -> None:
    root = tree(tmp_path, OLD)
    child = os.fork()
    if child == 0:
        with transaction.locked(str(root), "knowledge"):
            (root / "ready").touch()
            time.sleep(60)
        os._exit(0)
    while not (root / "ready").exists():
        time.sleep(0.01)
    with pytest.raises(transaction.Held, match=f"process {child} on"):
        transaction.locked(str(root), "knowledge", timeout=0.05).__enter__()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    commit(root)
    (root / "ready").unlink()
    assert files(root) == NEW


def test_the_lock_is_released_after_an_error(tmp_path: Path) -> None:
    root = tree(tmp_path, OLD)
    with pytest.raises(ZeroDivisionError), transaction.locked(str(root), "knowledge"):
        raise ZeroDivisionError
    commit(root)
    assert files(root) == NEW
