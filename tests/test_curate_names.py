"""Names of new files, ids, and the workspace that commands look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, corpus, document, row
from hypothesis import given
from hypothesis import strategies as st
from repository import Repository
from trees import Link, tree

from spectastic.corpus import load, registry
from spectastic.corpus.model import Registry
from spectastic.curate import ids
from spectastic.curate.names import refuse, refuse_new
from spectastic.curate.plan import CurateError, FileChange
from spectastic.curate.workspace import Workspace
from spectastic.source import Source, Unreadable

if TYPE_CHECKING:
    from pathlib import Path

GOOD = [
    "a.md",
    ".gitignore",
    "001-x@2024-05-28.md",
    "CON1.md",
    "con-x.md",
    "aux@1.md",
    "x" * 197 + ".md",
    "ü 🎉.md",
]
BAD = {
    "": "is no name",
    "..": "is no name",
    "a|b.md": "has | in it",
    "a/b": "has / in it",
    'x@"1".md': 'has " in it',
    "a\tb": "has the control character U+0009",
    "a\x85": "has the control character U+0085",
    "a.": "ends in a dot",
    "a ": "ends in a blank",
    "CON": "is a device",
    "nul.tar.gz": "is a device",
    "Com1.md": "is a device",
    "lpt² .md": "is a device",
    "x" * 198 + ".md": "is 201 bytes long",
    "ü" * 100 + ".md": "is 203 bytes long",
    "\udcff": "is not text",
}


@pytest.mark.parametrize("name", GOOD)
def test_good_names(name: str) -> None:
    assert refuse(name, GOOD) == ""


@pytest.mark.parametrize("name", BAD)
def test_bad_names(name: str) -> None:
    assert BAD[name] in refuse(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [("a.md", "A.md"), ("STRASSE", "straße"), ("u\u0308.md", "ü.md"), ("SKILL.md", "skill.md")],
)
def test_names_that_are_one_elsewhere(name: str, other: str) -> None:
    assert f"differs from {other} only in case or accents" in refuse(name, ["b.md", other])
    assert refuse(name, [name]) == ""


def workspace(root: Path, files: dict[str, str | bytes | Link | None], *rows: str) -> Workspace:
    return Workspace(str(root), "knowledge", corpus(root, files, *rows))


NEW = {
    # paths of new files, what is refused
    "fine": (["knowledge/web/references/002-x.md", ".github/workflows/x.yml"], ""),
    "in-an-odd-folder-that-is-there": (["knowledge/con/x.md"], ""),
    "name": (["knowledge/web/a|b.md"], "knowledge/web/a|b.md cannot be made: a|b.md has |"),
    "folder": (["knowledge/nul/x.md"], "knowledge/nul/x.md cannot be made: nul is a device"),
    "case": (["knowledge/web/Skill.md"], "Skill.md differs from SKILL.md"),
    "case-of-a-folder": (["knowledge/WEB/x.md"], "WEB differs from web"),
    "each-other": (["knowledge/web/x.md", "knowledge/web/X.md"], "x.md differs from X.md"),
    "each-other's-folders": (["knowledge/a/x.md", "knowledge/A/x.md"], "a differs from A"),
}


@pytest.mark.parametrize("case", NEW)
def test_new_files(case: str, tmp_path: Path) -> None:
    paths, message = NEW[case]
    place = workspace(tmp_path, {"knowledge/web/SKILL.md": "x", "knowledge/con": None})
    changes = [FileChange(path, None, b"x") for path in paths]
    if not message:
        refuse_new(place, changes)
    else:
        with pytest.raises(CurateError) as error:
            refuse_new(place, changes)
        assert message in error.value.message


def test_a_file_may_be_spelt_anew(tmp_path: Path) -> None:
    place = workspace(tmp_path, {"knowledge/web/skill.md": "x"})
    removed = FileChange("knowledge/web/skill.md", b"x", None)
    refuse_new(place, [FileChange("knowledge/web/SKILL.md", None, b"x"), removed])
    refuse_new(place, [removed])


NEXT = {
    "KB-0001": [],
    "KB-0002": ["KB-0001"],
    "KB-0010": ["KB-0009", "KB-003"],
    "KB-0044": ["KB-0043", "KB-7", "kb-0100", "x", ""],
    "KB-10000": ["KB-9999"],
    "KB-12346": ["KB-12345"],
    "KB-0008": ["KB-007", "KB-" + "9" * 5000],
    "KB-1" + "0" * 16 + "1": ["KB-" + "9" * 17, "KB-1" + "0" * 17],
}


@pytest.mark.parametrize("wanted", NEXT)
def test_next_id(wanted: str) -> None:
    assert next(ids.free_ids(Registry("knowledge/index.md"), NEXT[wanted])) == wanted


@given(st.sets(st.integers(1, 30)))
def test_ids_are_never_given_again(numbers: set[int]) -> None:
    known = {f"KB-{number:03d}" for number in numbers}
    free = ids.free_ids(Registry(""), known)
    found = [next(free) for _ in range(5)]
    assert len({*found}) == 5
    assert min(int(name[3:]) for name in found) > max(numbers, default=0)


def test_ids_of_rows_and_of_problems() -> None:
    text = HEADER + row(3, "1", "p") + row(3, "2", "q") + "| KB-0008 | too | short |\n"
    read = registry.parse(Source("knowledge/index.md", text.encode()))
    assert len(read.rows) == 1
    assert next(ids.free_ids(read)) == "KB-0009"


TAKEN = f"""\
# Registry: an id looks like KB-9999.

{HEADER}{row(1, "1", "web/references/001-x.md")}| KB-0005 | short |
| KB-0006 | acme | web | 006-x | T | 1 | p | orphaned |

<!-- | KB-0007 | acme | gone | -->

| KB-0008 | stray | row | here | and | there | p | |
XKB-0090 | KB-0091x | KB-91
"""


def test_taken(tmp_path: Path) -> None:
    place = workspace(
        tmp_path,
        {
            "knowledge/index.md": TAKEN,
            "knowledge/web/references/001-x.md": document(),
            "knowledge/web/references/superseded/001-x@0.md": document(edition="0", id="KB-0011"),
        },
    )
    taken = ids.taken(place)
    assert taken - {""} == {"KB-0001", "KB-0005", "KB-0006", "KB-0007", "KB-0008", "KB-0091", "KB-0011"}
    assert next(ids.free_ids(place.corpus.registry, taken)) == "KB-0092"
    assert ids.taken(workspace(tmp_path / "other", {"a.md": "KB-0001 | x"})) == frozenset()
    assert ids.mentioned(place) == frozenset()


def test_ids_of_the_last_commit_and_of_other_texts(tmp_path: Path) -> None:
    """A row that has gone, a citation that leads nowhere: neither may lead to a new fact."""
    repository = Repository(
        tmp_path,
        {
            "knowledge/index.md": HEADER + row(41, "1", "p") + row(42, "1", "p"),
            ".gitignore": "/ignored.md\n",
        },
    )
    repository.write(
        {
            "knowledge/index.md": HEADER + row(41, "1", "p"),
            "new.md": "KB-0043@1, KB-45 and KB-00460",
            "specs/a.html": "<p>KB-0044@2, KB-0044</p>",
            "ignored.md": "KB-0047",
            "image.png": b"\0KB-0048",
        }
    )
    place = Workspace(str(tmp_path), "knowledge", load(str(tmp_path)))
    assert "KB-0042" in ids.taken(place)
    repository.commit()
    repository.commit({"knowledge/index.md": HEADER + row(41, "1", "p") + "\nMore.\n"})
    assert "KB-0042" in ids.taken(place), "it is in no commit's registry any more, and was in one"
    assert ids.mentioned(place) == {"KB-0041", "KB-0043", "KB-0044", "KB-00460"}
    free = ids.free_ids(place.corpus.registry, ids.taken(place), ids.mentioned(place))
    assert [next(free), next(free)] == ["KB-0045", "KB-0046"]


def test_reading(tmp_path: Path) -> None:
    place = workspace(tmp_path, {"a.md": "A", "b.bin": b"\xff", "folder": None, "gone": Link("nowhere")})
    assert place.registry == "knowledge/index.md"
    assert (place.read("a.md"), place.read("c.md"), place.source("c.md")) == (b"A", None, None)
    assert [place.exists(name) for name in ("a.md", "folder", "gone", "c.md")] == [True, True, True, False]
    source = place.source("a.md")
    assert source is not None
    assert source.text == "A"
    for path, message in (
        ("folder", "folder: this is a directory"),
        ("gone", "gone: the file cannot be read"),
    ):
        with pytest.raises(CurateError, match=message):
            place.read(path)
    with pytest.raises(CurateError, match=r"b.bin: the file is not UTF-8"):
        place.source("b.bin")


def test_nothing_outside_is_read(tmp_path: Path) -> None:
    tree(tmp_path, {"secret.md": "S"})
    place = workspace(
        tmp_path / "in",
        {"a.md": Link("../secret.md"), "d": Link(".."), "here.md": "H", "b.md": Link("here.md")},
    )
    for path in ("a.md", "d/secret.md", "../secret.md"):
        with pytest.raises(CurateError, match="leads out of the repository"):
            place.read(path)
    assert place.read("b.md") == b"H"


def test_changes_are_laid_over(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "knowledge/web/references/001-x.md": document(),
        "knowledge/web/references/002-x.md": document("002-x"),
        "knowledge/web/notes": Link("references"),
        "knowledge/out": Link(".."),
    }
    before = workspace(tmp_path, files, row(1, "2024-05-28", "web/references/001-x.md"))
    text = HEADER + row(1, "2024-05-28", "web/references/001-x.md") + row(3, "1", "new/references/003-x.md")
    once = before.with_changes(
        [
            FileChange("knowledge/index.md", before.read("knowledge/index.md"), text.encode()),
            FileChange("knowledge/new/references/003-x.md", None, document("003-x", "1").encode()),
        ]
    )
    twice = once.with_changes([FileChange("knowledge/web/references/002-x.md", b"", None)])
    assert twice.corpus.find("KB-0003", "1").path == "knowledge/new/references/003-x.md"
    assert [pack.name for pack in twice.corpus.packs] == ["new", "web"]
    paths = [reference.path.removeprefix("knowledge/") for reference in twice.corpus.references]
    assert paths == ["new/references/003-x.md", "web/references/001-x.md"]
    assert twice.names("knowledge/web/references") == ("001-x.md",)
    assert twice.names("knowledge") == ("index.md", "new", "out", "web")
    assert twice.names("") == ("knowledge",)
    assert (
        twice.read("knowledge/web/references/002-x.md"),
        twice.exists("knowledge/new/references/003-x.md"),
    ) == (None, True)
    gone = twice.corpus.read("knowledge/web/references/002-x.md")
    assert isinstance(gone, Unreadable)
    assert "no such file" in gone.message
    assert [path for path, _ in twice.corpus.problems] == ["knowledge/out"]
    assert before.corpus.find("KB-0003", "1").path == ""
    assert before.exists("knowledge/web/references/002-x.md")
    assert load(str(tmp_path)).find("KB-0003", "1").path == ""
