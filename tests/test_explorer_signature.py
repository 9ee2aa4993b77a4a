"""What makes the server of the explorer build again, and what does not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from trees import Link, tree

from spectastic.config import Settings
from spectastic.discover import NothingMatches
from spectastic.explorer.signature import signature

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    ".git": None,
    "spec.md": "A spec.\n",
    "linked.md": Link("other/far.txt.md"),
    "other/far.txt.md": "Far.\n",
    "notes.txt": "No spec.\n",
    "knowledge/index.md": "The registry.\n",
    "knowledge/pack/references/001-x.md": "A fact.\n",
    "knowledge/pack/references/superseded/001-x@1.md": "An old fact.\n",
}


def rewritten_in_secret(root: Path) -> None:
    """Another text of the same length, with the time of the old one."""
    path = root / "knowledge/pack/references/001-x.md"
    before = path.stat()
    path.write_text("A lie.…"[:7] + "\n")
    os.truncate(path, before.st_size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES: dict[str, tuple[Callable[[Path], object], bool]] = {
    "nothing": (lambda _: None, False),
    "a spec": (lambda root: (root / "spec.md").write_text("Another text.\n"), True),
    "a new spec": (lambda root: (root / "new.html").write_text("x"), True),
    "a spec that is gone": (lambda root: (root / "spec.md").unlink(), True),
    "a spec with another name": (lambda root: (root / "spec.md").rename(root / "s.md"), True),
    "where a link leads": (lambda root: (root / "other/far.txt.md").write_text("Another.\n"), True),
    "a link that leads nowhere now": (lambda root: (root / "other/far.txt.md").unlink(), True),
    "the registry": (lambda root: (root / "knowledge/index.md").write_text("Rows.\n"), True),
    "a reference": (lambda root: (root / "knowledge/pack/references/001-x.md").write_text("B\n"), True),
    "a reference, in secret": (rewritten_in_secret, True),
    "a new edition": (lambda root: (root / "knowledge/pack/references/002-y.md").write_text("x"), True),
    "a lost edition": (
        lambda root: (root / "knowledge/pack/references/superseded/001-x@1.md").unlink(),
        True,
    ),
    "any file of the corpus": (lambda root: (root / "knowledge/pack/LICENSE").write_text("x"), True),
    "what is ignored": (lambda root: (root / ".gitignore").write_text("/spec.md\n"), True),
    "no spec": (lambda root: (root / "notes.txt").write_text("Still none.\n"), False),
    "a tool's file": (lambda root: tree(root, {"node_modules/x.md": "x"}), False),
    "a command at work": (lambda root: tree(root, {"knowledge/.spectastic/journal.json": "{}"}), False),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_seen(what: str, tmp_path: Path) -> None:
    change, seen = CHANGES[what]
    settings = Settings(str(tree(tmp_path, FILES)))
    before = signature(settings)
    change(tmp_path)
    after = signature(settings)
    assert (after != before) is seen
    assert isinstance(hash(after), int)
    assert signature(settings) == after


def test_there_need_not_be_a_corpus(tmp_path: Path) -> None:
    settings = Settings(str(tree(tmp_path, {"a.md": "x"})))
    before = signature(settings)
    tree(tmp_path, {"knowledge/index.md": "x"})
    assert signature(settings) != before


def test_a_link_without_an_end_is_looked_at_once(tmp_path: Path) -> None:
    settings = Settings(str(tree(tmp_path, {"knowledge/round": Link("."), "knowledge/dead.md": Link("x")})))
    before = signature(settings)
    (tmp_path / "knowledge/x").write_text("x")
    assert signature(settings) != before


def test_what_is_asked_for_by_hand_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(NothingMatches):
        signature(Settings(str(tmp_path), paths=("none.md",)))
