"""`spectastic corpus hash`, and what `corpus-integrity` says of a text that is not committed yet."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from crash import files
from repository import Repository
from trees import Link, tree

from spectastic import git
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.curate.documents import with_hash
from spectastic.engine import validate

if TYPE_CHECKING:
    from collections.abc import Iterable

Capture = pytest.CaptureFixture[str]

CLEAN = Path(__file__).parent.parent / "fixtures" / "repos" / "clean"
HOME = "knowledge/web/references"


def _right(text: str) -> str:
    return with_hash(text.encode()).decode()


GOOD = _right(document("001-x"))
OLD = _right(document("001-x", "2020", status="superseded"))
WRONG = GOOD.replace("A fact.", "Another fact.")
FILES: dict[str, str | bytes | Link | None] = {
    "knowledge/index.md": (
        HEADER
        + row(1, "2024-05-28", "web/references/001-x.md")
        + row(2, "1", "web/references/002-x.md")
        + row(9, "1", "web/references/009-x.md")
    ),
    f"{HOME}/001-x.md": WRONG,
    f"{HOME}/002-x.md": document("002-x", "1", **{"content-hash": "TODO # soon"}),
    f"{HOME}/003-x.md": "No frontmatter.\n",
    f"{HOME}/004-x.md": "---\nslug: [a\n---\n\nA fact.\n",
    f"{HOME}/005-x.md": b"\xff",
    f"{HOME}/superseded/001-x@2020.md": OLD,
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tree(tmp_path, FILES))
    return tmp_path


def hashes(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "hash", *argv]) == code


def _columns(out: str) -> Iterable[tuple[str, str, str]]:
    for line in out.splitlines()[:-1]:
        state, identifier, _, path, *_ = line.split()
        yield state, identifier, path.removeprefix(f"{HOME}/")


STATES = [
    ("wrong", "KB-0001", "001-x.md"),
    ("missing", "KB-0002", "002-x.md"),
    ("unreadable", "-", "003-x.md"),
    ("unreadable", "-", "004-x.md"),
    ("unreadable", "-", "005-x.md"),
    ("right", "KB-0001", "superseded/001-x@2020.md"),
]


@pytest.mark.parametrize(("argv", "code"), [([], 0), (["--check"], 1)])
@pytest.mark.usefixtures("root")
def test_all(argv: list[str], code: int, capsys: Capture) -> None:
    hashes(*argv, code=code)
    out = capsys.readouterr().out
    assert list(_columns(out)) == STATES
    assert out.endswith("1 wrong, 1 missing, 3 unreadable, 1 right\n")
    assert "003-x.md  there is no frontmatter to say a hash in\n" in out
    assert "004-x.md  the frontmatter is not valid YAML" in out
    assert "005-x.md  the file is not UTF-8" in out


SOME = [
    (["KB-0001"], ["001-x.md"], 1),
    (["KB-0001@2024-05-28"], ["001-x.md"], 1),
    (["KB-0001@2020"], ["superseded/001-x@2020.md"], 0),
    (["KB-0002", "KB-0001@2020", "KB-0002"], ["002-x.md", "superseded/001-x@2020.md"], 1),
]


@pytest.mark.parametrize(("argv", "paths", "code"), SOME)
@pytest.mark.usefixtures("root")
def test_some(argv: list[str], paths: list[str], code: int, capsys: Capture) -> None:
    hashes("--check", *argv, code=code)
    assert [path for _, _, path in _columns(capsys.readouterr().out)] == paths


@pytest.mark.usefixtures("root")
def test_json(capsys: Capture) -> None:
    hashes("KB-0001@2020", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "command": "corpus hash",
        "documents": [
            {
                "path": f"{HOME}/superseded/001-x@2020.md",
                "id": "KB-0001",
                "edition": "2020",
                "state": "right",
                "declared": OLD.partition("hash: ")[2].partition("\n")[0],
                "digest": OLD.partition("hash: ")[2].partition("\n")[0],
                "why": "",
                "retained": True,
            }
        ],
    }


@pytest.mark.usefixtures("root")
def test_what_could_not_be_written_fails(capsys: Capture) -> None:
    hashes("--write", "--json", code=1)
    assert json.loads(capsys.readouterr().out)["result"]["left"] == [
        f"{HOME}/{name}-x.md" for name in ("003", "004", "005")
    ]
    assert "wrong" not in {state for state, _, _ in _columns(_all(capsys))}
    hashes("--write", "KB-0001")


def _all(capsys: Capture) -> str:
    hashes()
    return capsys.readouterr().out


REFUSED = [
    (["KB-3"], "KB-3 is no id", "an id is KB- and three or more digits, such as KB-0001"),
    ([""], "an empty text is no id", "an id is"),
    (["KB-0012"], "there is no KB-0012 in the registry", "did you mean KB-0002?"),
    (["KB-77777"], "there is no KB-77777 in the registry", ""),
    (["KB-0001@1999"], "KB-0001 has no edition 1999", "editions: 2024-05-28, 2020"),
    (["KB-0001@"], "KB-0001 has no edition (blank)", "editions: "),
    (
        ["KB-0009"],
        "KB-0009 has no document: there is no 009-x.md in knowledge/web/references",
        "run `spectastic",
    ),
    (["--dry-run"], "--dry-run shows what would be written, and nothing is", "add --write"),
    (["--check", "--write"], "not allowed with argument", ""),
    (["--corpus", "kb"], "there is no folder kb", "--corpus names another"),
    (["--corpus", "kb", "--write"], "there is no folder kb", "--corpus names another"),
]


@pytest.mark.parametrize(("argv", "message", "hint"), REFUSED)
def test_refused(argv: list[str], message: str, hint: str, root: Path, capsys: Capture) -> None:
    before = files(root)
    hashes(*argv, code=2)
    error, _, advice = capsys.readouterr().err.partition("\n")
    assert message in error
    assert hint in advice
    assert files(root) == before
    assert not (root / "kb").exists()


def test_write(root: Path, capsys: Capture) -> None:
    before = files(root)
    hashes("--write", "--dry-run", code=1)
    assert files(root) == before
    assert "+content-hash: sha256:" in capsys.readouterr().out
    hashes("--write", code=1)
    out = capsys.readouterr().out
    assert out == (
        f"changed {HOME}/001-x.md\nchanged {HOME}/002-x.md\n"
        f"{HOME}/001-x.md had the hash of another text: make sure that the change to it was meant\n"
        f"{HOME}/003-x.md was left as it is: there is no frontmatter to say a hash in\n"
        f"{HOME}/004-x.md was left as it is: the frontmatter is not valid YAML: "
        "did not find expected ',' or ']'\n"
        f"{HOME}/005-x.md was left as it is: the file is not UTF-8: byte 0xff at offset 0\n"
    )
    after = {
        **before,
        f"{HOME}/001-x.md": _right(WRONG).encode(),
        f"{HOME}/002-x.md": before[f"{HOME}/002-x.md"].replace(
            b"TODO # soon", _digest("\nA fact.\n") + b" # soon"
        ),
    }
    assert files(root) == after
    hashes("--write", code=1)
    assert files(root) == after
    hashes("--check", "KB-0001", "KB-0002")
    capsys.readouterr()
    hashes("--write", "KB-0001", "--json")
    assert json.loads(capsys.readouterr().out)["notes"] == ["every hash is right (1)"]


def _digest(text: str) -> bytes:
    from spectastic.corpus.references import digest

    return digest(text.encode()).encode()


def test_a_retained_text_that_was_altered_is_not_blessed(root: Path, capsys: Capture) -> None:
    """It is kept for ever as it was: what was altered is restored, and not given another hash."""
    tree(root, {f"{HOME}/superseded/001-x@2020.md": OLD + "More.\n"})
    hashes("--write", "KB-0001@2020", code=1)
    assert "has another text than it was retained with: restore it" in capsys.readouterr().out
    assert (root / f"{HOME}/superseded/001-x@2020.md").read_text() == OLD + "More.\n"
    tree(root, {f"{HOME}/superseded/001-x@2020.md": OLD.replace("content-hash", "other")})
    hashes("--write", "KB-0001@2020")
    assert _digest("\nA fact.\n") in (root / f"{HOME}/superseded/001-x@2020.md").read_bytes()


def test_write_some(root: Path) -> None:
    hashes("--write", "KB-0002")
    assert (root / f"{HOME}/001-x.md").read_text() == WRONG


def test_a_document_that_cannot_be_changed(root: Path, capsys: Capture) -> None:
    tree(root, {f"{HOME}/002-x.md": "---\n{slug: 002-x}\n---\n\nA fact.\n"})
    before = files(root)
    hashes("--write", code=2)
    assert f"{HOME}/002-x.md: the frontmatter cannot be changed: content-hash" in capsys.readouterr().err
    assert files(root) == before


@pytest.mark.usefixtures("root")
def test_an_empty_corpus(tmp_path: Path, capsys: Capture) -> None:
    tree(tmp_path, {"kb": None})
    hashes("--check", "--corpus", "kb")
    assert capsys.readouterr().out == "no document\n"


def test_a_healthy_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    shutil.copytree(CLEAN, tmp_path / "r")
    monkeypatch.chdir(tmp_path / "r/specs")
    hashes("--check")
    assert capsys.readouterr().out.endswith("3 right\n")


# What corpus-integrity says of a wrong hash.

COMMITTED = "right for the text of the last commit"


def said(root: Path) -> list[tuple[bool, bool]]:
    """For each finding: whether it speaks of the last commit in its message, and in its hint."""
    findings = validate(Settings(root=str(root), select=("corpus-integrity",))).findings
    return [(COMMITTED in f.message, "git diff HEAD" in f.hint) for f in findings]


def repository(tmp_path: Path, text: str) -> Repository:
    return Repository(tmp_path / "r", {f"{HOME}/001-x.md": text})


def test_a_change_that_is_not_committed(tmp_path: Path) -> None:
    made = repository(tmp_path, GOOD)
    assert said(made.root) == []
    made.write({f"{HOME}/001-x.md": WRONG, f"{HOME}/002-x.md": WRONG})
    assert said(made.root) == [(True, True), (False, False)]
    (finding, _) = validate(Settings(root=str(made.root), select=("corpus-integrity",))).findings
    assert finding.hint.startswith("git diff HEAD shows what was changed since: restore the text, or make it")
    made.git("add", "-A")
    assert said(made.root) == [(True, True), (False, False)]
    made.commit()
    assert said(made.root) == [(False, False)] * 2


def test_a_hash_that_never_was_right(tmp_path: Path) -> None:
    made = repository(tmp_path, WRONG)
    made.write({f"{HOME}/001-x.md": WRONG + "More.\n"})
    assert said(made.root) == [(False, False)]


def test_line_ends_are_no_change(tmp_path: Path) -> None:
    made = repository(tmp_path, GOOD.replace("\n", "\r\n"))
    made.write({f"{HOME}/001-x.md": WRONG})
    assert said(made.root) == [(True, True)]


def test_below_the_top(tmp_path: Path) -> None:
    made = Repository(tmp_path / "r", {f"sub/{HOME}/001-x.md": GOOD})
    made.write({f"sub/{HOME}/001-x.md": WRONG})
    assert said(made.root / "sub") == [(True, True)]


def test_where_git_knows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(tree(tmp_path / "none", {f"{HOME}/001-x.md": WRONG})) == [(False, False)]
    empty = Repository(tmp_path / "empty")
    empty.write({f"{HOME}/001-x.md": WRONG})
    assert said(empty.root) == [(False, False)]
    made = repository(tmp_path, GOOD)
    made.write({f"{HOME}/001-x.md": WRONG})

    def fails(*_: object) -> dict[str, bytes]:
        raise git.GitError("no")

    monkeypatch.setattr(git, "blobs", fails)
    assert said(made.root) == [(False, False)]


def test_git_is_not_asked_where_all_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = repository(tmp_path, GOOD)

    def never(*_: object) -> str:
        pytest.fail("git was asked")

    monkeypatch.setattr(git, "commit", never)
    assert said(made.root) == []
