"""When files were last changed, by the history of HEAD."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repository import Repository
from trees import tree

import spectastic.git as questions
from spectastic.git import GitError, NoRepositoryError

if TYPE_CHECKING:
    from pathlib import Path

#: What `Repository.commit` is dated, 2026-01-01T00:00:00Z.
MADE = 1_767_225_600


def later(made: Repository, seconds: int, *parents: str) -> str:
    """Commit what is staged, so much later than `Repository.commit` does."""
    made.git("add", "-A")
    named = "".join(f"parent {parent}\n" for parent in parents or (made.git("rev-parse", "HEAD"),))
    person = "T <t@example.org> {} +0500"
    raw = (
        f"tree {made.git('write-tree')}\n{named}author {person.format(0)}\n"
        f"committer {person.format(MADE + seconds)}\n\nChange\n"
    )
    (made.root / ".git" / "raw").write_text(raw)
    commit = made.git("hash-object", "-t", "commit", "-w", ".git/raw")
    made.git("reset", "-q", commit)
    return commit


@pytest.fixture
def made(tmp_path: Path) -> Repository:
    return Repository(
        tmp_path / "repo", {"a/one.md": "1\n", "a/deep/é two.md": "1\n", "b.md": "1\n", "a/old.md": "1\n"}
    )


def test_the_last_commit_of_each_path(made: Repository) -> None:
    made.write({"a/one.md": "2\n", "b.md": "2\n"})
    later(made, 10)
    made.git("mv", "a/old.md", "a/new.md")
    later(made, 20)
    made.write({"a/one.md": "3\n", "a/never.md": ""})
    assert questions.dates(str(made.root), "a") == {
        "a/one.md": MADE + 10,
        "a/deep/é two.md": MADE,
        "a/old.md": MADE + 20,
        "a/new.md": MADE + 20,
    }
    assert questions.dates(str(made.root / "a"), "deep") == {"deep/é two.md": MADE}
    assert questions.dates(str(made.root), "none") == {}


def test_a_merge_counts_through_what_it_joined(made: Repository) -> None:
    start = made.git("rev-parse", "HEAD")
    made.branch("topic")
    made.write({"a/one.md": "topic\n"})
    topic = later(made, 10)
    made.git("checkout", "-q", "-f", "main")
    made.write({"a/deep/é two.md": "main\n"})
    main = later(made, 20, start)
    made.write({"a/one.md": "topic\n"})
    later(made, 30, main, topic)
    found = questions.dates(str(made.root), "a")
    assert (found["a/one.md"], found["a/deep/é two.md"]) == (MADE + 10, MADE + 20)


def test_no_configuration_changes_the_answer(made: Repository) -> None:
    expected = questions.dates(str(made.root), "a")
    assert len(expected) == 3
    for name, value in {
        "log.showRoot": "false",
        "log.showSignature": "true",
        "log.follow": "true",
        "log.date": "relative",
        "log.decorate": "full",
        "diff.renames": "copies",
        "diff.noprefix": "true",
        "diff.external": "false",
        "diff.relative": "true",
        "format.pretty": "full",
        "color.ui": "always",
        "gpg.program": "false",
    }.items():
        made.git("config", name, value)
    assert questions.dates(str(made.root), "a") == expected
    assert questions.date(str(made.root), made.git("rev-parse", "HEAD")) == MADE


def test_no_program_looks_at_signatures(made: Repository) -> None:
    seen = made.root / ".git" / "seen"
    program = made.root / ".git" / "gpg"
    program.write_text(f"#!/bin/sh\ntouch '{seen}'\n")
    program.chmod(0o755)
    raw = made.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n", 1
    )
    (made.root / ".git" / "raw").write_text(f"{raw}\n")
    made.git("reset", "-q", made.git("hash-object", "-t", "commit", "-w", ".git/raw"))
    for name, value in (("log.showSignature", "true"), ("gpg.program", str(program))):
        made.git("config", name, value)
    assert questions.dates(str(made.root), "a")["a/one.md"] == MADE
    assert questions.date(str(made.root), made.git("rev-parse", "HEAD")) == MADE
    assert not seen.exists()
    made.git("log", "-1")
    assert seen.exists()


def test_without_a_commit_there_are_no_dates(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo")
    made.write({"a/one.md": ""})
    made.git("add", "-A")
    assert questions.dates(str(made.root), "a") == {}


def test_without_a_repository_there_is_no_answer(tmp_path: Path) -> None:
    root = tree(tmp_path / "plain", {"a/one.md": ""})
    with pytest.raises(NoRepositoryError):
        questions.dates(str(root), "a")


def test_the_date_of_a_commit(made: Repository) -> None:
    commit = later(made, 10)
    assert questions.date(str(made.root), commit) == MADE + 10
    with pytest.raises(GitError):
        questions.date(str(made.root), "0" * 40)
