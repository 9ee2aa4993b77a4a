"""What `corpus-uncommitted` makes of real repositories, and of ways that no fixture can hold."""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from repository import Repository
from trees import Link, tree

from spectastic import git
from spectastic.corpus import load
from spectastic.corpus.evidence import untracked
from spectastic.rules.corpus_uncommitted import check
from spectastic.source import Source
from spectastic.spec import extract

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding

WEB = "knowledge/web/references"

Files = dict[str, "str | bytes | Link | None"]

FILES: Files = {
    "knowledge/index.md": HEADER + row(1, "2", "web/references/001-x.md"),
    f"{WEB}/001-x.md": document(edition="2"),
    f"{WEB}/superseded/001-x@1.md": document(edition="1"),
}


def found_in(corpus: Corpus, *tokens: str) -> list[Finding]:
    text = f'<spec-decision id="D-001">\n\n{" and ".join(tokens)}\n\n</spec-decision>\n'
    return list(check(corpus.settle(extract(Source("specs/a.md", text.encode()))), corpus))


def of(made: Repository, folder: str = "knowledge", root: str = "") -> Corpus:
    place = os.path.join(made.root, root)
    return load(place, folder, tracked=lambda: git.tracked(place, folder))


def lacks(corpus: Corpus, *tokens: str) -> list[str]:
    return [finding.subject for finding in found_in(corpus, *tokens)]


def test_staged_is_enough(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {"specs/a.md": "x"})
    made.write(FILES)
    assert lacks(of(made), "KB-0001@2", "KB-0001@1") == ["knowledge/index.md"], "all hangs on the row"
    made.git("add", "knowledge/index.md")
    assert lacks(of(made), "KB-0001@2", "KB-0001@1") == [f"{WEB}/001-x.md", f"{WEB}/superseded/001-x@1.md"]
    made.git("add", ".")
    assert lacks(of(made), "KB-0001@2", "KB-0001@1") == []
    made.git("commit", "-q", "-m", "x")
    assert lacks(of(made), "KB-0001@2", "KB-0001@1") == []


def test_ignored(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {**FILES, ".gitignore": "superseded/\n"})
    (finding,) = found_in(of(made), "KB-0001@2", "KB-0001@1")
    path = f"{WEB}/superseded/001-x@1.md"
    assert finding.message == (
        f"KB-0001@1 leads to {path}, which git does not track: the citation fails in every other checkout"
    )
    assert finding.hint == f"run git add {path}, with --force if .gitignore leaves it out"


def test_below_the_top_of_the_repository(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {f"project/{path}": text for path, text in FILES.items()})
    assert lacks(of(made, root="project"), "KB-0001@2") == []
    made.git("rm", "-q", "--cached", f"project/{WEB}/001-x.md")
    assert lacks(of(made, root="project"), "KB-0001@2") == [f"{WEB}/001-x.md"]


LINKED: Files = {
    **FILES,
    f"{WEB}/001-x.md": Link("link.md"),
    f"{WEB}/link.md": Link("../texts/x.md"),
    "knowledge/web/texts": Link("../store/./texts"),
    "knowledge/store/texts/x.md": document(),
}


@pytest.mark.parametrize(
    "missing",
    [f"{WEB}/001-x.md", f"{WEB}/link.md", "knowledge/web/texts", "knowledge/store/texts/x.md"],
)
def test_links_on_the_way(tmp_path: Path, missing: str) -> None:
    made = Repository(tmp_path / "repo", LINKED)
    assert lacks(of(made), "KB-0001@2") == []
    made.git("rm", "-q", "--cached", missing)
    (finding,) = found_in(of(made), "KB-0001@2", "KB-0001")
    assert finding.subject == missing
    how = "" if missing == f"{WEB}/001-x.md" else f" {WEB}/001-x.md by way of"
    assert finding.message.startswith(f"KB-0001@2 leads to{how} {missing}, which git does not track: ")


def test_a_linked_corpus_folder(tmp_path: Path) -> None:
    files: Files = {path.replace("knowledge/", "store/facts/"): text for path, text in FILES.items()}
    made = Repository(tmp_path / "repo", {**files, "knowledge": Link("store/facts"), "way": Link("store")})
    for folder in ("knowledge", "way/facts"):
        assert lacks(of(made, folder), "KB-0001@2", "KB-0001@1") == []
    made.git("rm", "-q", "--cached", "knowledge", "way")
    assert lacks(of(made, "store/facts"), "KB-0001@2") == []
    assert lacks(of(made, "way/facts"), "KB-0001@2") == ["way"]
    (first,) = found_in(of(made), "KB-0001@2", "KB-0001@1")
    assert first.message.startswith(
        "KB-0001@2 has its row in knowledge/index.md, by way of knowledge, which git"
    )
    made.git("rm", "-q", "--cached", "store/facts/index.md")
    assert lacks(of(made), "KB-0001@2", "KB-0001@1") == ["knowledge", "store/facts/index.md"]
    assert "has its row in knowledge/index.md, by way of store/" in found_in(of(made), "KB-0001")[1].message


def test_submodules(tmp_path: Path) -> None:
    inner = Repository(tmp_path / "inner", {"references/001-x.md": document(edition="2")})
    made = Repository(tmp_path / "repo", {"knowledge/index.md": FILES["knowledge/index.md"]})
    made.git("submodule", "--quiet", "add", str(inner.root), "knowledge/web")
    assert lacks(of(made), "KB-0001@2") == []
    made.git("rm", "-q", "--cached", "knowledge/web")
    assert lacks(of(made), "KB-0001@2") == [f"{WEB}/001-x.md"]


OLDER: Files = {
    "knowledge/web/index.md": "| ID | Title | Description | Edition | Path |\n|-|-|-|-|-|\n"
    "| KB-001 | T | D | 2022 | references/a.md |\n",
    f"{WEB}/a.md": "---\nid: KB-001\nedition: 2022\n---\n",
    f"{WEB}/b.md": "---\nid: KB-002\nedition: 2023\n---\n",
}


def test_older_packs(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", OLDER)
    tokens = ("KB-001@2022", "KB-002@2023")
    assert lacks(of(made), *tokens) == []
    made.git("rm", "-q", "--cached", "knowledge/web/index.md", f"{WEB}/b.md")
    # The document of KB-002 is where its row stands, too.
    assert lacks(of(made), *tokens) == ["knowledge/web/index.md", f"{WEB}/b.md"]


def test_names_in_hints_can_be_pasted(tmp_path: Path) -> None:
    name = "001-x's $(id).md"
    files: Files = {
        "knowledge/index.md": HEADER + row(1, "2", f"web/references/{name}"),
        f"{WEB}/{name}": "x",
    }
    made = Repository(tmp_path / "repo", {"knowledge/index.md": files["knowledge/index.md"]})
    made.write(files)
    (finding,) = found_in(of(made), "KB-0001@2")
    quoted = "'knowledge/web/references/001-x'\"'\"'s $(id).md'"
    assert finding.hint == f"run git add {quoted}, with --force if .gitignore leaves it out"


@pytest.mark.parametrize(("answer", "count"), [(frozenset[str](), 1), (None, 0), (frozenset(FILES), 0)])
def test_git_is_asked_once_and_only_if_need_be(
    tmp_path: Path, answer: frozenset[str] | None, count: int
) -> None:
    asked: list[int] = []

    def ask() -> frozenset[str] | None:
        asked.append(1)
        return answer

    corpus = load(str(tree(tmp_path, FILES)), tracked=ask)
    assert found_in(corpus, "KB-0009@2", "KB-0001@9", "kb-1") == []
    assert asked == []
    assert len(found_in(corpus, "KB-0001@2")) == count
    assert len(found_in(corpus, "KB-0001@2", "KB-0001")) == count
    assert len(corpus.untracked(f"{WEB}/001-x.md")) == count
    assert asked == [1]


def test_nobody_knows(tmp_path: Path) -> None:
    tree(tmp_path, FILES)
    corpus = load(str(tmp_path))
    assert corpus.tracked is None
    assert found_in(corpus, "KB-0001@2") == []


def test_what_is_tracked_travels_to_another_process(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {"specs/a.md": "x"})
    made.write(FILES)
    corpus = of(made)
    other = pickle.loads(pickle.dumps(corpus))
    assert other.tracked == corpus.tracked == frozenset()
    assert lacks(other, "KB-0001@2") == lacks(corpus, "KB-0001@2") != []


# Paths, and what is lacking of them, if `tracked.md` and the submodule `sub/` are tracked.
WAYS: list[tuple[str, list[str]]] = [
    ("tracked.md", []),
    ("other.md", ["other.md"]),
    ("Tracked.md", ["Tracked.md"]),
    ("sub/a/b.md", []),
    ("subs/a.md", ["subs/a.md"]),
    ("a/sub/b.md", ["a/sub/b.md"]),
    ("to-tracked.md", ["to-tracked.md"]),
    ("to-other.md", ["to-other.md", "other.md"]),
    ("to-sub/a/b.md", ["to-sub"]),
    ("round.md", ["round.md", "a/up"]),
    ("absolute.md", ["absolute.md"]),
    ("away/tracked.md", ["away"]),
]


@pytest.mark.parametrize(("path", "expected"), WAYS)
def test_ways(tmp_path: Path, path: str, expected: list[str]) -> None:
    root = tree(
        tmp_path / "repo",
        {
            "tracked.md": "x",
            "other.md": "x",
            "sub/a/b.md": "x",
            "subs/a.md": "x",
            "a/sub/b.md": "x",
            "a/up": Link(".."),
            "to-tracked.md": Link("./tracked.md"),
            "to-other.md": Link("other.md"),
            "to-sub": Link("sub//"),
            "round.md": Link("a/up/a/../tracked.md"),
            "absolute.md": Link(str(tmp_path / "repo" / "tracked.md")),
            "away": Link(str(tmp_path / "repo")),
        },
    )
    tree(tmp_path, {"way": Link("repo")})
    for start in (root, tmp_path / "way"):
        assert list(untracked(str(start), path, {"tracked.md", "sub/"})) == expected


def test_a_way_that_has_become_a_circle(tmp_path: Path) -> None:
    """It led to a file when the corpus was listed."""
    tree(tmp_path, {"a.md": Link("b.md"), "b.md": Link("a.md")})
    found = untracked(str(tmp_path), "a.md", frozenset())
    assert set(found) == {"a.md", "b.md", "."}
