"""Anyone can open a pull request: ways around the required check, and what it must not be made to do."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from repository import Repository, git
from test_cli_required_check import given, run
from test_pull_request import CYCLE, HISTORY, NEW, OLD, REFERENCES, RETAINED, decision, fact
from trees import Link

from spectastic import git as questions
from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Capture = pytest.CaptureFixture[str]

DEAD = decision(9, "Made up, KB-0042@2024-01-01.")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository on a branch `pr`, which has nothing to itself yet."""
    made = Repository(tmp_path / "repository", HISTORY)
    made.git("rm", "-q", "specs/old.md")
    made.commit()
    made.branch("pr")
    monkeypatch.chdir(made.root)
    return made


def _moves_the_corpus(repository: Repository) -> None:
    repository.git("mv", "knowledge", "facts")
    repository.git("rm", "-qf", RETAINED.replace("knowledge", "facts"))
    repository.write({"spectastic.toml": 'corpus = "facts"\n'})


def _makes_the_corpus_a_link(repository: Repository) -> None:
    repository.git("mv", "knowledge", "facts")
    repository.git("rm", "-qf", RETAINED.replace("knowledge", "facts"))
    repository.write({"knowledge": Link("facts")})


def _moves_it_back(repository: Repository) -> None:
    """The base itself has its corpus elsewhere."""
    repository.git("checkout", "-q", "main")
    repository.git("mv", "knowledge", "facts")
    repository.commit({"pyproject.toml": '[tool.spectastic]\ncorpus = "./facts/"\n'})
    repository.git("checkout", "-q", "-b", "other")
    repository.git("mv", "facts", "knowledge")
    repository.git("rm", "-qf", RETAINED)
    repository.git("rm", "-q", "pyproject.toml")


def _rewrites_provenance(repository: Repository) -> None:
    from test_pull_request import SUPERSEDE

    new = f"{REFERENCES}/superseded/{CYCLE}@{NEW}.md"
    repository.write({**SUPERSEDE, new: fact(CYCLE, NEW, "One day.\n", status="superseded", origin="Me")})


EVASIONS: list[Callable[[Repository], None]] = [
    _moves_the_corpus,
    _makes_the_corpus_a_link,
    _moves_it_back,
    _rewrites_provenance,
]


@pytest.mark.parametrize("change", EVASIONS, ids=lambda change: change.__name__)
def test_history_is_held_to_the_corpus_of_that_time(
    change: Callable[[Repository], None], repository: Repository, capsys: Capture
) -> None:
    change(repository)
    repository.commit()
    code, out, _ = run(capsys, "--base", "main", "--format", "concise", "-q")
    assert (code, "corpus-append-only" in out) == (1, True)


def test_a_corpus_that_is_a_submodule(repository: Repository, tmp_path: Path, capsys: Capture) -> None:
    Repository(tmp_path / "facts", {"index.md": "x\n"})
    repository.git("checkout", "-q", "main")
    repository.git("rm", "-rq", "knowledge")
    repository.git("submodule", "add", "-q", f"file://{tmp_path}/facts", "knowledge")
    repository.commit()
    code, _, error = run(capsys, "--base", "main")
    assert (code, "is a submodule" in error) == (2, True)


def test_a_tag_with_the_name_of_a_branch(repository: Repository, tmp_path: Path, capsys: Capture) -> None:
    repository.commit({RETAINED: fact(CYCLE, OLD, "Three days.\n", status="superseded")})
    clone = repository.clone(tmp_path / "clone")
    clone.git("tag", "origin/main")
    os.chdir(clone.root)
    for option in ("--base", "--since"):
        code, _, error = run(capsys, option, "origin/main")
        assert (code, "origin/main names more than one thing" in error) == (2, True)
    assert run(capsys, "--base", "refs/remotes/origin/main")[0] == 1


def test_branches_merged_crosswise(repository: Repository, capsys: Capture) -> None:
    first = repository.commit({"x.md": "x\n"})
    repository.git("checkout", "-q", "main")
    second = repository.commit({"y.md": "y\n"})
    repository.git("merge", "-q", "-m", "m", first)
    repository.git("checkout", "-q", "pr")
    repository.git("merge", "-q", "-m", "m", second)
    code, _, error = run(capsys, "--base", "main")
    assert (code, "merged crosswise" in error) == (2, True)


def test_a_tracked_spec_is_never_ignored(repository: Repository, capsys: Capture) -> None:
    repository.commit({"specs/new.md": DEAD, "env/new.md": DEAD})
    repository.commit({".gitignore": "/specs/new.md\n", "env/pyvenv.cfg": ""})
    _, out, _ = run(capsys, "--format", "concise", "-q")
    assert [line.split(":")[0] for line in out.splitlines()] == ["env/new.md", "specs/new.md"]


@pytest.mark.parametrize("hidden", ["specs/new.txt", "archive/new.md", "drafts/new.md"])
def test_a_finding_that_nobody_looked_at_is_new(hidden: str, repository: Repository, capsys: Capture) -> None:
    repository.commit({hidden: DEAD, "spectastic.toml": 'exclude = ["drafts/"]\n'})
    repository.branch("second")
    repository.git("mv", hidden, "specs/new.md")
    repository.commit()
    assert run(capsys, "--since", "pr")[0] == 1


def test_a_link_to_a_text_that_changed(repository: Repository, capsys: Capture) -> None:
    repository.commit({"specs/new.md": Link("../text.txt"), "text.txt": "Nothing.\n"})
    repository.branch("second")
    repository.commit({"text.txt": DEAD})
    assert run(capsys, "--since", "pr")[0] == 1


def test_a_buffer_is_compared_with_the_base(
    repository: Repository, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = decision(1, f"T+2, KB-0001@{OLD}.")
    repository.commit({"specs/mixed.md": old})
    repository.git("branch", "-f", "main")
    for text, found in (
        (old, []),
        ("Above.\n\n" + old, []),
        (DEAD + old, ["3:10"]),
        (old + DEAD, ["8:10"]),
        (old.replace("T+2", "T+3"), ["3:6"]),
    ):
        given(monkeypatch, text)
        options = ("-", "--stdin-filename", "specs/mixed.md", "--since", "main", "--format", "concise", "-q")
        _, out, _ = run(capsys, *options)
        assert [":".join(line.split(":")[1:3]) for line in out.splitlines()] == found
    given(monkeypatch, DEAD)
    assert run(capsys, "-", "--stdin-filename", "specs/none.md", "--since", "main")[0] == 1


@pytest.mark.parametrize("target", ["../outside.json", ".git/config"])
def test_no_report_through_a_link_out_of_the_repository(
    target: str, repository: Repository, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "outside.json").write_text("mine\n", encoding="utf-8")
    before = (tmp_path / "outside.json").read_text(), (repository.root / ".git" / "config").read_text()
    repository.write({"report.json": Link(target), "folder": Link("..")})
    for options in (("--output", "gitlab=report.json"), ("--output-file", "report.json")):
        code, out, error = run(capsys, *options)
        assert (code, out) == (2, "")
        assert "report.json is a symbolic link that leads out of the repository" in error
    after = (tmp_path / "outside.json").read_text(), (repository.root / ".git" / "config").read_text()
    assert after == before
    repository.write({"inside.json": Link("specs/report.txt")})
    assert run(capsys, "--output", "json=inside.json")[0] == 0
    assert run(capsys, "--output", f"json={tmp_path}/outside.json")[0] == 0


def test_nothing_behind_a_link_is_fixed(repository: Repository, capsys: Capture) -> None:
    text = decision(1, f"T+1, kb-0001@{NEW}.")
    repository.commit({"specs/link.md": Link("../run.py"), "run.py": text, "specs/own.md": text})
    _, _, error = run(capsys, "--fix")
    assert "fixed 1 finding in 1 file" in error
    assert (repository.root / "run.py").read_text(encoding="utf-8") == text


def test_no_link_into_the_folder_of_git(repository: Repository, capsys: Capture) -> None:
    repository.commit({"specs/link.md": Link("../.git/COMMIT_EDITMSG")})
    code, out, _ = run(capsys, "--format", "concise", "-q")
    assert (code, "this link leads into git's own folder" in out) == (1, True)


@pytest.mark.skipif(sys.platform == "win32", reason="the filter is a POSIX command")
def test_no_filter_of_a_configuration_runs(repository: Repository, tmp_path: Path) -> None:
    for name in ("plain", "a=b", "a.b", "a b"):
        repository.git("config", f"filter.{name}.clean", f"touch '{tmp_path}/ran'; cat")
    attributes = '*.md filter=a=b\n*.txt filter=plain\n*.html filter=a.b\n"*.x" filter=a\\ b\n'
    repository.commit({".gitattributes": attributes, "a.txt": "a\n", "a.html": "a\n"})
    (tmp_path / "ran").unlink(missing_ok=True)
    repository.write({"specs/a.md": "changed\n", "a.txt": "b\n", "a.html": "b\n"})
    found = questions.changes(str(repository.root), repository.git("rev-parse", "HEAD"))
    assert sorted(found) == ["a.html", "a.txt", "specs/a.md"]
    assert not (tmp_path / "ran").exists()
    git(repository.root, "add", "a.txt")
    assert (tmp_path / "ran").exists(), "the trap works"


def test_many_changes_take_one_call(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    from spectastic.git import compare

    names = {f"specs/file-with-a-long-name-{number}.md": "a\nb\n" for number in range(600)}
    commit = repository.commit(names)
    repository.write(dict.fromkeys(names, "a\nc\n"))
    calls: list[tuple[object, ...]] = []
    from spectastic.git import process

    asked = process.run

    def counted(*arguments: object, **options: object) -> bytes:
        calls.append(arguments)
        return asked(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(compare, "run", counted)
    found = questions.changes(str(repository.root), commit)
    assert len(calls) == 2
    assert {change.hunks for change in found.values()} == {((2, 1, 2, 1),)}


@pytest.mark.usefixtures("repository")
def test_trouble_is_told_where_the_log_is_folded(capsys: Capture) -> None:
    code, out, error = run(capsys, "--format", "github", "--base", "no%where\n")
    assert code == 2
    assert out.startswith("::error title=spectastic::there is no revision no%25where")
    assert out.count("\n") == 1
    assert "there is no revision" in error


def test_a_format_that_was_nearly_named(capsys: Capture) -> None:
    assert main(["validate", "--format", "jsn"]) == 2
    assert "did you mean json?" in capsys.readouterr().err


def test_markdown_holds_no_command(repository: Repository, capsys: Capture) -> None:
    repository.write({"specs/##vso[task.setvariable x=y]z|.md": DEAD, "specs/##[set-output a=b].md": DEAD})
    _, out, _ = run(capsys, "--format", "markdown")
    assert "&#35;`vso[task.setvariable x=y]z`&#124;`.md" in out.replace("`#`", "`#`")
    assert "##" not in out
