"""A corpus in a commit answers as it did on disk."""

from __future__ import annotations

import os
import pickle
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, cited, document, row, told
from repository import Repository
from trees import Link, tree

from spectastic import git
from spectastic.corpus import load, load_snapshot
from spectastic.corpus.files import Disk, Kind
from spectastic.corpus.listing import Tree
from spectastic.corpus.model import Miss
from spectastic.corpus.snapshot import Snapshot
from spectastic.source import Source, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spectastic.corpus import Corpus

FIXTURES = Path(__file__).parent.parent / "fixtures"
WEB = "knowledge/web/references"

Files = dict[str, "str | bytes | Link | None"]


# The answers to every question, in a form that can be compared.


def answers(corpus: Corpus) -> Iterator[tuple[str, object]]:
    yield "folder", corpus.folder
    rows = [entry._replace(cells=dict(entry.cells)) for entry in corpus.registry.rows]
    yield "registry", corpus.registry._replace(rows=tuple(rows))
    yield "ids", list(corpus.rows)
    yield "problems", corpus.problems
    yield "hints", corpus.hints
    for pack in corpus.packs:
        entries = tuple(entry._replace(cells=dict(entry.cells)) for entry in pack.entries)
        yield f"pack {pack.name}", pack._replace(entries=entries, fields=dict(pack.fields))
    yield "references", corpus.references
    yield from resolutions(corpus)
    registry = [corpus.registry.path] if corpus.registry.exists else []
    for path in [*registry, *(reference.path for reference in corpus.references)]:
        found = corpus.read(path)
        yield f"read {path}", found.data if isinstance(found, Source) else found


def resolutions(corpus: Corpus) -> Iterator[tuple[str, object]]:
    for id_ in [*corpus.rows, "KB-9999"]:
        editions = corpus.editions(id_)
        yield f"editions {id_}", editions
        for edition in (None, *editions, "2024-05-28", "never"):
            found = corpus.find(id_, edition)
            reference = corpus.reference_for(found)
            yield f"find {id_} {edition}", (told(found), found.path, found.miss, reference)
        for edition in editions:
            yield f"resolve {id_}", told(corpus.resolve(cited(f"{id_}@{edition},x.")))
        yield f"nearest {id_}", corpus.nearest(f"{id_}0")


def same(root: Path, commit: str, folder: str = "knowledge") -> None:
    on_disk, then = (dict(answers(corpus)) for corpus in both(root, commit, folder))
    for question, answer in on_disk.items():
        assert then[question] == answer, (root, question)
    assert then.keys() == on_disk.keys()


def both(root: Path, commit: str, folder: str = "knowledge") -> tuple[Corpus, Corpus]:
    licenses = frozenset(["Zlib"])
    return load(str(root), folder, licenses), load_snapshot(str(root), commit, folder, licenses)


# Many corpora, each in a folder of its own below one repository.


def fixture_corpora(target: Path) -> None:
    base = FIXTURES / "rules" / "_base"
    for registry in sorted((FIXTURES / "registries").glob("*.md")):
        shutil.copytree(base, target / registry.stem)
        shutil.copy(registry, target / registry.stem / "knowledge" / "index.md")
    for case in sorted((FIXTURES / "rules").glob("*/*/")):
        if case.parent.name != "_base":
            shutil.copytree(case, target / case.parent.name / case.name)
    for repository in sorted((FIXTURES / "repos").iterdir()):
        shutil.copytree(repository, target / repository.name)


def test_fixtures(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo")
    fixture_corpora(made.root)
    head = made.commit()
    roots = sorted({path.parent for path in made.root.rglob("knowledge")})
    assert len(roots) > 100
    for root in roots:
        same(root, head)


NAMES = ["001-x", "002-y", "003-z"]
PLACES = [
    *(f"{pack}/references/{name}.md" for pack in ("web", "app") for name in NAMES),
    *(f"web/references/superseded/{name}@{edition}.md" for name in NAMES for edition in ("1", "2", "a,b")),
    *("web/SKILL.md", "app/SKILL.md", "web/index.md", "app/index.md", "web/references/deep/004-d.md"),
    *("web/references/deep/superseded/004-d@1.md", "web/notes.md", "web/references/é.md", "top.md"),
    *(
        "web/references/upper.MD",
        ".hidden/references/x.md",
        "web/references/.x.md",
        "linked",
        "app/references",
    ),
]
LINKS = [
    *("001-x.md", "../references/002-y.md", "superseded", "superseded/001-x@1.md", "../../app/references"),
    *("../../../secret.md", "..", "../..", "../../..", "web", "loop.md", "nowhere.md", ".", "./001-x.md"),
    *("../../../knowledge/web/references/001-x.md", "../web", "web/references/", "001-x.md/x", "..//./web"),
]


def random_corpus(dice: random.Random) -> Files:
    files: Files = {"secret.md": document(), "away/references/x.md": "x"}
    for place in dice.sample(PLACES, dice.randint(2, 14)):
        path = f"knowledge/{place}"
        if any(known.startswith(f"{path}/") or path.startswith(f"{known}/") for known in files):
            continue
        files[path] = random_content(dice, place)
    if dice.random() < 0.8:
        rows = [
            row(number, dice.choice(["1", "2", "2024-05-28"]), dice.choice(PLACES), dice.choice(NAMES))
            for number in range(1, dice.randint(2, 7))
        ]
        files["knowledge/index.md"] = HEADER + "".join(rows)
    return files


def random_content(dice: random.Random, place: str) -> str | bytes | Link:
    roll = dice.random()
    if roll < 0.3 or place in ("linked", "app/references"):
        return Link(dice.choice(LINKS))
    if roll < 0.4:
        return dice.choice([b"\xff", b"a\0b", b"", b"\xef\xbb\xbf---\r\nslug: 001-x\r\n---\r\nx"])
    older = {"id": "KB-007"} if dice.random() < 0.3 else {}
    return document(dice.choice(NAMES), dice.choice(["1", "2", "2024-05-28"]), f"{roll}\n", **older)


def dangles(root: Path, files: Files) -> bool:
    """Whether a link leads out of the corpus folder to nothing: a commit cannot tell that from something."""
    home = os.path.realpath(root / "knowledge")
    links = (root / path for path, content in files.items() if isinstance(content, Link))
    real = ((link, os.path.realpath(link)) for link in links)
    return any(not os.path.exists(link) and not path.startswith(f"{home}/") for link, path in real)


def test_random_corpora(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo")
    dice = random.Random(7)
    roots = []
    for number in range(200):
        files = random_corpus(dice)
        root = tree(made.root / f"{number}", files)
        if not dangles(root, files):
            roots.append(root)
    head = made.commit()
    assert len(roots) > 150
    for root in roots:
        same(root, head)


# Particular places.

LINKED: Files = {
    "secret.md": "secret",
    "docs/knowledge/index.md": HEADER + row(1, "1", "web/references/a.md"),
    "docs/knowledge/web/references/a.md": document(),
    "docs/knowledge/web/references/b.md": Link("a.md"),
    "docs/knowledge/web/references/chain.md": Link("b.md"),
    "docs/knowledge/web/references/out.md": Link("../../../../secret.md"),
    "docs/knowledge/web/references/back.md": Link("../../../../docs/knowledge/web/references/a.md"),
    "knowledge": Link("docs/knowledge"),
    "way": Link("docs"),
    "away": Link("../.."),
}


@pytest.mark.parametrize(
    "folder", ["knowledge", "docs/knowledge", "way/knowledge", "./docs//knowledge/", "docs", "", "."]
)
def test_a_corpus_folder_behind_links(tmp_path: Path, folder: str) -> None:
    made = Repository(tmp_path / "repo", LINKED)
    same(made.root, made.git("rev-parse", "HEAD"), folder)


@pytest.mark.parametrize("folder", ["nowhere", "a/b", "../knowledge", "/etc", "away", "secret.md", "Docs"])
def test_where_there_is_no_corpus(tmp_path: Path, folder: str) -> None:
    made = Repository(tmp_path / "repo", LINKED)
    then = load_snapshot(str(made.root), made.git("rev-parse", "HEAD"), folder)
    assert told(then.find("KB-0001", "1")).startswith("nothing: no registry")
    assert then.rows == {}
    same(made.root, made.git("rev-parse", "HEAD"), folder)


def test_a_corpus_that_did_not_exist_yet(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {"README.md": "x"})
    head = made.git("rev-parse", "HEAD")
    made.write(
        {f"{WEB}/001-x.md": document(), "knowledge/index.md": HEADER + row(1, "1", "web/references/001-x.md")}
    )
    for root in (made.root, made.root / "knowledge", tree(made.root / "new", {})):
        then = load_snapshot(str(root), head)
        assert (then.registry.exists, then.rows, then.references, then.packs) == (False, {}, (), ())
        assert then.problems == ()
        assert then.find("KB-0001", None).miss is Miss.NO_REGISTRY


def test_the_work_tree_does_not_matter(tmp_path: Path) -> None:
    files: Files = {
        f"{WEB}/001-x.md": document(edition="1"),
        "knowledge/index.md": HEADER + row(1, "1", "web/references/001-x.md"),
    }
    made = Repository(tmp_path / "repo", files)
    head = made.git("rev-parse", "HEAD")
    before = dict(answers(load(str(made.root))))
    made.commit({"knowledge/index.md": HEADER, "knowledge/other/references/x.md": "x"})
    shutil.rmtree(made.root / "knowledge")
    assert dict(answers(load_snapshot(str(made.root), head))) == before


KINDS: list[tuple[str, Kind, str]] = [
    ("web/references/a.md", Kind.FILE, ""),
    ("web/references/b.md", Kind.FILE, ""),
    ("web/references/chain.md", Kind.FILE, ""),
    ("web/references/folder", Kind.FOLDER, ""),
    ("web/references/folder/a.md", Kind.FILE, ""),
    ("web/references/round.md", Kind.FILE, ""),
    ("web/references/sub", Kind.OTHER, "it is no regular file"),
    ("web/references/to-sub", Kind.OTHER, "it is no regular file"),
    ("web/references/out.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/out-to-nothing.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/above.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/root.md", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/top", Kind.OUTSIDE, "it is a symbolic link that leads outside"),
    ("web/references/dangling.md", Kind.UNREADABLE, "it is a symbolic link that leads nowhere"),
    ("web/references/below-a-file.md", Kind.UNREADABLE, "it is a symbolic link that leads nowhere"),
    ("web/references/loop.md", Kind.UNREADABLE, "it is a symbolic link that leads in a circle"),
    ("web/references/ping.md", Kind.UNREADABLE, "it is a symbolic link that leads in a circle"),
    ("web/references/long.md", Kind.UNREADABLE, "it is a symbolic link that leads in a circle"),
    ("web/references/none.md", Kind.MISSING, "there is no none.md in knowledge/web/references"),
    ("web/references/A.md", Kind.MISSING, "A.md is spelt a.md on disk"),
]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("places")
    inner = Repository(folder / "inner", {"x.md": "x\n"})
    made = Repository(
        folder / "repo",
        {
            "secret.md": "secret",
            f"{WEB}/a.md": document(),
            f"{WEB}/b.md": Link("a.md"),
            f"{WEB}/chain.md": Link("b.md"),
            f"{WEB}/folder": Link("../references"),
            f"{WEB}/round.md": Link("../../../knowledge/web/references/folder/./chain.md"),
            f"{WEB}/to-sub": Link("sub"),
            f"{WEB}/out.md": Link("../../../secret.md"),
            f"{WEB}/out-to-nothing.md": Link("../../../nothing.md"),
            f"{WEB}/above.md": Link("../../../../x.md"),
            f"{WEB}/root.md": Link("/etc/hostname"),
            f"{WEB}/top": Link("../../.."),
            f"{WEB}/dangling.md": Link("nowhere.md"),
            f"{WEB}/below-a-file.md": Link("a.md/x.md"),
            f"{WEB}/loop.md": Link("loop.md"),
            f"{WEB}/ping.md": Link("pong.md"),
            f"{WEB}/pong.md": Link("ping.md"),
        },
    )
    made.git("submodule", "--quiet", "add", str(inner.root), f"{WEB}/sub")
    made.git("add", "--all")
    # A link that is longer than any file system would let it be.
    tree(folder, {"target": "x/" * 2_100})
    oid = made.git("hash-object", "-w", str(folder / "target"))
    made.git("update-index", "--add", "--cacheinfo", f"120000,{oid},{WEB}/long.md")
    made.git("commit", "-q", "-m", "x")
    return str(made.root), made.git("rev-parse", "HEAD")


@pytest.mark.parametrize(("path", "kind", "detail"), KINDS, ids=[path for path, *_ in KINDS])
def test_places(places: tuple[str, str], path: str, kind: Kind, detail: str) -> None:
    found = Tree(Snapshot(*places, "knowledge"), "knowledge").find(path)
    assert (found.kind, found.detail) == (kind, detail)


def test_reading(places: tuple[str, str]) -> None:
    files = Snapshot(*places, "knowledge")
    for name in ("a.md", "chain.md", "round.md"):
        found = files.read(f"{WEB}/{name}")
        assert isinstance(found, Source)
        assert (found.path, found.data) == (f"{WEB}/{name}", document().encode())
    for path, message in (
        (f"{WEB}/none.md", "the file cannot be read: no such file or directory"),
        (f"{WEB}/dangling.md", "the file cannot be read: no such file or directory"),
        (f"{WEB}/out.md", "the file cannot be read: no such file or directory"),
        (WEB, "this is a directory"),
        (f"{WEB}/sub", "this is a directory"),
    ):
        found = files.read(path)
        assert isinstance(found, Unreadable)
        assert (found.path, found.message) == (path, message)
    assert files.entries(f"{WEB}/a.md") == ({}, "")


def test_links_to_folders(places: tuple[str, str]) -> None:
    files = Snapshot(*places, "knowledge")
    expected = {"folder": True, "b.md": False, "top": True, "root.md": False, "loop.md": False}
    assert {name: files.is_folder(f"{WEB}/{name}") for name in expected} == expected


def test_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        f"{WEB}/001-x.md": document(body="x" * 2_000),
        f"{WEB}/002-y.md": document("002-y"),
        "knowledge/index.md": HEADER
        + row(1, "1", "web/references/001-x.md")
        + row(2, "1", "web/references/002-y.md"),
    }
    made = Repository(tmp_path / "repo", files)
    read: list[str] = []
    blobs = git.blobs

    def note(root: str, oids: list[str]) -> Mapping[str, bytes]:
        read.extend(oids)
        return blobs(root, oids)

    monkeypatch.setattr(git, "blobs", note)
    for module in ("source", "corpus.snapshot"):
        monkeypatch.setattr(f"spectastic.{module}.MAX_BYTES", 1_000)
    same(made.root, made.git("rev-parse", "HEAD"))
    assert made.git("rev-parse", f"HEAD:{WEB}/001-x.md") not in read
    assert made.git("rev-parse", f"HEAD:{WEB}/002-y.md") in read


def test_documents_are_read_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {f"{WEB}/{number:03d}-x.md": document(f"{number:03d}-x") for number in range(50)}
    files |= {f"{WEB}/link.md": Link("001-x.md"), f"{WEB}/odd.txt": document("002-y"), "other/x.md": "x"}
    rows = [row(1, "1", "web/references/001-x.md"), row(2, "1", "web/references/odd.txt", "002-y")]
    made = Repository(tmp_path / "repo", {**files, "knowledge/index.md": HEADER + "".join(rows)})
    asked: list[int] = []
    blobs = git.blobs

    def note(root: str, oids: list[str]) -> Mapping[str, bytes]:
        asked.append(len(oids))
        return blobs(root, oids)

    monkeypatch.setattr(git, "blobs", note)
    then = load_snapshot(str(made.root), made.git("rev-parse", "HEAD"))
    assert asked == []
    assert len(then.references) == 52
    dict(answers(then))
    # The documents, the registry and the link; then what is no document by its name.
    assert asked == [52, 1]
    shutil.rmtree(made.root / ".git")
    assert then.find("KB-0001", "1").path == f"{WEB}/001-x.md"


def test_a_snapshot_travels_to_another_process(tmp_path: Path) -> None:
    made = Repository(tmp_path / "repo", {f"{WEB}/001-x.md": document(), "knowledge/index.md": HEADER})
    then = load_snapshot(str(made.root), made.git("rev-parse", "HEAD"), "knowledge", frozenset(["Zlib"]))
    made.write({f"{WEB}/001-x.md": "changed"})
    other = pickle.loads(pickle.dumps(then))
    assert (other.root, other.folder, other.licenses) == (then.root, then.folder, {"Zlib"})
    assert dict(answers(other)) == dict(answers(then))
    assert other.tracked is None


def test_the_root_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Repository(tmp_path / "repo", {"knowledge/index.md": HEADER})
    monkeypatch.chdir(tmp_path)
    for found in both(Path("repo"), made.git("rev-parse", "HEAD")):
        monkeypatch.chdir("/")
        assert found.root == str(made.root)
        assert found.registry.exists
        monkeypatch.chdir(tmp_path)


def test_what_git_cannot_tell(tmp_path: Path) -> None:
    with pytest.raises(git.GitError, match="no git repository"):
        load_snapshot(str(tmp_path), "1" * 40)


def test_loading_a_corpus_from_disk_asks_no_git() -> None:
    import subprocess
    import sys

    code = "import sys, spectastic.corpus as c; c.load('.').rows; print('spectastic.git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_disk_is_read_as_it_is(tmp_path: Path) -> None:
    tree(tmp_path, {"a.md": "x"})
    found = Disk(str(tmp_path)).read("a.md")
    assert isinstance(found, Source)
    assert found.data == b"x"
