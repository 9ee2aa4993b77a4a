"""`spectastic corpus add`: from a document to a reference that validates."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sys
import time
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, document, row
from crash import files, kill_everywhere, run
from repository import Repository
from trees import Link, tree

from spectastic.cli import main, progress
from spectastic.cli.corpus import common
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.curate import transaction
from spectastic.curate.add import Request, plan_add, request
from spectastic.curate.plan import CurateError, Plan
from spectastic.curate.workspace import Workspace
from spectastic.engine import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Capture = pytest.CaptureFixture[str]
Files = dict[str, str | bytes | Link | None]

CLEAN = Path(__file__).parent.parent / "fixtures" / "repos" / "clean"
PACK = "knowledge/settlement-cycles"
TEXT = "# Cut-off\n\nTrades end at 16:00.\n"
WHAT = ["--pack", "settlement-cycles", "--slug", "cut-off", "--edition", "2024-05-28", "--license", "CC0-1.0"]
WHAT += ["--origin", "The exchange"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a healthy corpus of two references, and a document beside it."""
    root = tmp_path / "r"
    shutil.copytree(CLEAN, root)
    tree(tmp_path, {"new.md": TEXT})
    monkeypatch.chdir(root)
    return root


def add(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "add", *argv]) == code


def clean(root: Path, *ids: str) -> None:
    """Nothing is wrong in the repository, and these ids lead to documents."""
    assert validate(Settings(root=str(root))).findings == ()
    corpus = load(str(root))
    assert [identifier for identifier in ids if not corpus.find(identifier, None).path] == []


def test_a_file_from_elsewhere(root: Path, capsys: Capture) -> None:
    before = files(root)
    add("../new.md", *WHAT, "--origin-url", "https://example.org/rules", "--description", "When trades end")
    clean(root, "KB-0003")
    path = f"{PACK}/references/003-cut-off.md"
    assert capsys.readouterr().out == (
        f"created {path}\nchanged {PACK}/SKILL.md\nchanged knowledge/index.md\n"
        "cite it as KB-0003@2024-05-28\n"
    )
    after = files(root)
    assert after.pop(path).decode() == (
        "---\nslug: 003-cut-off\norigin: The exchange\norigin-url: https://example.org/rules\n"
        'edition: "2024-05-28"\nlicense: CC0-1.0\nconverter: hand-written\n'
        f"content-hash: {_hash(f'{chr(10)}{TEXT}')}\nstatus: authoritative\n---\n\n{TEXT}"
    )
    line = "| KB-0003 | example-bank | settlement-cycles | 003-cut-off | Cut-off | 2024-05-28 "
    line += "| settlement-cycles/references/003-cut-off.md | |\n"
    assert after["knowledge/index.md"] == before["knowledge/index.md"] + line.encode()
    line = "| 003-cut-off | Cut-off | When trades end | 2024-05-28 | references/003-cut-off.md |\n"
    assert after[f"{PACK}/SKILL.md"] == before[f"{PACK}/SKILL.md"] + line.encode()
    assert (root.parent / "new.md").read_text() == TEXT


def _hash(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


FRONTMATTER = (
    "---\r\ntitle: Cut-off of the day # ours\r\nslug: 009-cut-off\r\norigin: 'The exchange'\r\n"
    "origin-url: u\r\n"
    "edition: rev-4\r\nlicense: CC0-1.0\r\nconverter: me\r\nstatus: illustrative-excerpt\r\n"
    "marketplace: other\r\ndescription: D\r\npack: cut-offs\r\ncontent-hash: TODO\r\n---\r\nText.\r\n"
)


def test_what_frontmatter_says(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"new.md": "\ufeff" + FRONTMATTER})
    add("../new.md", "--json", "--edition", "rev-5")
    clean(root, "KB-0003")
    told = json.loads(capsys.readouterr().out)
    path = "knowledge/cut-offs/references/009-cut-off.md"
    assert told == {
        "version": 1,
        "command": "corpus add",
        "dry_run": False,
        "changes": [
            {"path": path, "action": "created"},
            {"path": "knowledge/cut-offs/SKILL.md", "action": "created"},
            {"path": "knowledge/index.md", "action": "changed"},
        ],
        "result": {
            "id": "KB-0003",
            "pack": "cut-offs",
            "slug": "009-cut-off",
            "edition": "rev-5",
            "path": path,
        },
        "notes": [
            "cite it as KB-0003@rev-5",
            "knowledge/cut-offs/SKILL.md is new: say in its description when to use the pack",
        ],
    }
    written = FRONTMATTER.replace("rev-4", "rev-5").replace("hash: TODO", f"hash: {_hash('Text.' + chr(10))}")
    assert (root / path).read_bytes().decode() == "\ufeff" + written
    found = load(str(root)).find("KB-0003", "rev-5").row
    assert found is not None
    assert (found.marketplace, found.title) == ("other", "Cut-off of the day")


def test_a_file_in_its_place(root: Path, capsys: Capture) -> None:
    path = f"{PACK}/references/017-cut-off.md"
    tree(root, {path: TEXT})
    add(path, "--edition", "1", "--license", "CC0-1.0", "--origin", "X")
    clean(root, "KB-0003")
    assert "changed " + path in capsys.readouterr().out
    assert (root / path).read_text().endswith(f"status: authoritative\n---\n\n{TEXT}")
    assert b"origin-url: none\n" in (root / path).read_bytes()


def test_a_file_in_its_place_under_another_name(root: Path) -> None:
    path = f"{PACK}/references/cut-off.md"
    tree(root, {path: TEXT})
    os.chdir(root / PACK)
    add(
        "references/cut-off.md",
        "--edition",
        "1",
        "--license",
        "CC0-1.0",
        "--origin",
        "X",
        "--slug",
        "cut-off",
    )
    clean(root, "KB-0003")
    assert load(str(root)).find("KB-0003", "1").path == path
    assert b"slug: 003-cut-off\n" in (root / path).read_bytes()


def test_a_file_elsewhere_in_the_repository(root: Path, capsys: Capture) -> None:
    tree(root, {"notes/new.md": TEXT})
    add("notes/new.md", *WHAT)
    clean(root, "KB-0003")
    assert "notes/new.md is left where it was\n" in capsys.readouterr().out
    assert (root / "notes/new.md").read_text() == TEXT


def test_into_an_empty_repository(tmp_path: Path, capsys: Capture) -> None:
    repository = Repository(tmp_path / "r")
    tree(tmp_path, {"new.md": TEXT})
    add("new.md", "--root", "r", "--corpus", "r/docs/kb", *WHAT, code=2)
    assert "not enough: marketplace" in capsys.readouterr().err
    assert files(repository.root) == {}
    assert not (repository.root / "docs").exists()
    add("new.md", "--root", "r", "--corpus", "r/docs/kb", *WHAT, "--marketplace", "acme")
    assert sorted(files(repository.root)) == [
        "docs/kb/index.md",
        "docs/kb/settlement-cycles/SKILL.md",
        "docs/kb/settlement-cycles/references/001-cut-off.md",
    ]
    assert validate(Settings(root=str(repository.root), corpus="docs/kb")).findings == ()
    assert repository.git("status", "--short", "--untracked-files=all").count("\n") == 2


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_dry_run(root: Path, capsys: Capture) -> None:
    before = files(root)
    add("../new.md", *WHAT, "--dry-run")
    patch, said = capsys.readouterr()
    assert files(root) == before
    assert not (root / "knowledge/.spectastic").exists()
    assert "cite it as KB-0003@2024-05-28" in said
    add("../new.md", *WHAT)
    after = files(root)
    other = Repository(root.parent / "other")
    shutil.copytree(CLEAN, other.root, dirs_exist_ok=True)
    tree(other.root.parent, {"x.patch": patch})
    other.git("apply", "../x.patch")
    assert files(other.root) == after
    capsys.readouterr()
    add("../new.md", "--pack", "p", *WHAT[2:], "--slug", "x", "--json", "--dry-run", code=2)


def test_a_dry_run_in_json(root: Path, capsys: Capture) -> None:
    add("../new.md", *WHAT, "--dry-run", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["dry_run"], told["result"]["id"]) == (True, "KB-0003")
    assert not (root / "knowledge/.spectastic").exists()


NEITHER = "cannot be cited"
REFUSED: dict[str, tuple[Files, list[str], str, str]] = {
    # files, arguments, the error, the hint
    "nothing-known": (
        {},
        ["../new.md"],
        "what is known of ../new.md is not enough: pack, slug, edition, license, origin, marketplace",
        "add --pack PACK --slug SLUG --edition EDITION --license LICENSE --origin WHO --marketplace NAME",
    ),
    "todo": (
        {"../new.md": "---\nlicense: TODO\norigin: ''\n---\nText.\n"},
        ["../new.md", *WHAT[:6], "--title", "T"],
        "is not enough: license, origin",
        "add --license LICENSE --origin WHO",
    ),
    "no-file": (
        {},
        ["../none.md", *WHAT],
        "../none.md: the file cannot be read: no such file or directory",
        "",
    ),
    "folder": ({}, [".", *WHAT], ".: this is a directory", ""),
    "pdf": (
        {"../new.pdf": b"%PDF-1.7\n\xff"},
        ["../new.pdf", *WHAT],
        "not UTF-8: byte 0xff",
        "make Markdown of it first",
    ),
    "html": (
        {"../n.HTML": "x"},
        ["../n.HTML", *WHAT],
        "n.HTML is HTML, not Markdown",
        "make Markdown of it first: `spectastic corpus convert`",
    ),
    "pdf-in-ascii": (
        {"../new.md": "%PDF-1.7\n"},
        ["../new.md", *WHAT],
        "../new.md is a PDF, not Markdown",
        "make Markdown of it first: `spectastic corpus convert`",
    ),
    "nul": (
        {"../new.md": b"a\0"},
        ["../new.md", *WHAT],
        "the file holds a NUL byte",
        "make Markdown of it first",
    ),
    "utf-16": (
        {"../new.md": "ä".encode("utf-16")},
        ["../new.md", *WHAT],
        "the file is UTF-16",
        "save it as UTF-8",
    ),
    "no-text": (
        {"../new.md": "---\nslug: a\n---\n \n"},
        ["../new.md", *WHAT, "--title", "T"],
        "the document has no text",
        "write",
    ),
    "no-text-at-all": (
        {"../new.md": ""},
        ["../new.md", *WHAT, "--title", "T"],
        "the document has no text",
        "write",
    ),
    "broken": (
        {"../new.md": "---\nslug: [a\n---\nText.\n"},
        ["../new.md", *WHAT, "--title", "T"],
        "../new.md: the frontmatter is not valid YAML",
        "",
    ),
    "never-closed": (
        {"../new.md": "---\nslug: a\n\nText.\n"},
        ["../new.md", *WHAT, "--title", "T"],
        "../new.md: the frontmatter opens on the first line and is never closed",
        "close it",
    ),
    "slug": ({}, ["../new.md", *WHAT, "--slug", "Cut off!"], "Cut off! is no slug", "a slug is digits"),
    "edition": ({}, ["../new.md", *WHAT, "--edition", "May 2024"], NEITHER, "choose another"),
    "edition-file": (
        {},
        ["../new.md", *WHAT, "--edition", "2024/05"],
        "has / in it, which Windows",
        "choose another",
    ),
    **{
        f"edition-{number}": (
            {},
            ["../new.md", *WHAT, "--edition", edition],
            f"the edition {edition} cannot be cited: in a text, it would be read as {read}",
            "choose another",
        )
        for number, (edition, read) in enumerate(
            [("2027.", "2027"), ("a,b", "a"), ("v1!", "v1"), ("it's", "it"), ("a_", "a"), ("x~", "x")]
        )
    },
    "map-in-a-comment": (
        {f"{PACK}/SKILL.md": "---\nname: x\ndescription: y\n---\n\n<!-- open\n"},
        ["../new.md", *WHAT],
        f"{PACK}/SKILL.md has no slug map, and one at its end would not be seen",
        "close the comment",
    ),
    "pack": (
        {},
        ["../new.md", *WHAT, "--pack", "Settlement-Cycles"],
        "differs from settlement-cycles only",
        "",
    ),
    "status": (
        {},
        ["../new.md", *WHAT, "--status", "superseded"],
        "cannot have the status superseded",
        "say",
    ),
    "words-taken": (
        {},
        ["../new.md", *WHAT, "--slug", "late-delivery-fee"],
        "the pack settlement-cycles has 002-late-delivery-fee already: KB-0002",
        "spectastic corpus supersede KB-0002 --edition E --from FILE; for another fact, choose another slug",
    ),
    "slug-taken": (
        {},
        ["../new.md", *WHAT, "--slug", "002-Late-Delivery-Fee"],
        "the pack settlement-cycles has 002-late-delivery-fee already: KB-0002",
        "supersede KB-0002",
    ),
    "in-the-way": (
        {f"{PACK}/references/003-cut-off.md": document("044-else")},
        ["../new.md", *WHAT, "--slug", "003-cut-off"],
        f"the pack settlement-cycles has 003-cut-off already: {PACK}/references/003-cut-off.md",
        "add that file",
    ),
    "folder-in-the-way": (
        {f"{PACK}/references/003-cut-off.md": None},
        ["../new.md", *WHAT],
        f"{PACK}/references/003-cut-off.md is there already",
        "choose another slug",
    ),
    "registered": (
        {},
        [f"{PACK}/references/002-late-delivery-fee.md", "--edition", "9"],
        "is registered already, as KB-0002",
        "cite it as KB-0002@2022-07-08",
    ),
    "retained": (
        {},
        [
            f"{PACK}/references/superseded/001-us-equities-settlement-cycle@2017-09-05.md",
            "--pack",
            "settlement-cycles",
        ],
        "is a retained edition, which no row leads to",
        "add the current document",
    ),
    "skill-in-the-way": (
        {"knowledge/web/skill.md": "x"},
        ["../new.md", *WHAT, "--pack", "web"],
        "knowledge/web/SKILL.md cannot be made: SKILL.md differs from skill.md only in case",
        "choose another name",
    ),
    "conflict": (
        {"knowledge/index.md": f"<<<<<<< a\n{HEADER}=======\n>>>>>>> b\n"},
        ["../new.md", *WHAT, "--marketplace", "acme"],
        "knowledge/index.md:1: a merge conflict is left here",
        "keep one side",
    ),
    "no-corpus-folder": ({"kb": "x"}, ["../new.md", *WHAT, "--marketplace", "a", "--corpus", "kb"], "kb", ""),
    "outside": ({}, ["../new.md", *WHAT, "--corpus", ".."], "--corpus: ", ""),
    "option": (
        {},
        ["../new.md", *WHAT, "--licence", "x"],
        "unrecognized arguments: --licence x",
        "did you mean --license?",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    tree(root, more)
    before = files(root)
    add(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert message in error
    assert hint in advice
    assert files(root) == before


def test_a_registry_that_a_link_leads_to(root: Path, capsys: Capture) -> None:
    """Validate reads no registry from outside of the corpus folder, so its ids would lead nowhere."""
    (root / "knowledge/index.md").rename(root / "registry.md")
    (root / "knowledge/index.md").symlink_to("../registry.md")
    before = files(root)
    add("../new.md", *WHAT, "--marketplace", "m", code=2)
    assert (
        "knowledge/index.md is a link: files are changed under their own names only"
        in capsys.readouterr().err
    )
    assert files(root) == before


def test_the_same_document_twice(root: Path, capsys: Capture) -> None:
    add("../new.md", *WHAT)
    now = files(root)
    add("../new.md", *WHAT)
    assert capsys.readouterr().out.endswith(
        f"this is so already: KB-0003@2024-05-28 is {PACK}/references/003-cut-off.md\n"
    )
    assert files(root) == now
    for more in (
        ["--title", "Other"],
        ["--license", "MIT"],
        ["--slug", "other"],
        ["--pack", "other"],
        ["--edition", "3"],
    ):
        capsys.readouterr()
        add("../new.md", *WHAT, *more, code=2)
        said = capsys.readouterr().err
        assert f"this text is a reference already: KB-0003, {PACK}/references/003-cut-off.md" in said
        assert "cite it as KB-0003@2024-05-28" in said
        assert files(root) == now


def test_a_text_that_is_there_unregistered(root: Path, capsys: Capture) -> None:
    tree(root, {f"{PACK}/references/old.md": f"---\nx: y\n---\n\n{TEXT}"})
    add("../new.md", *WHAT, code=2)
    said = capsys.readouterr().err
    assert f"this text is a reference already: {PACK}/references/old.md" in said
    assert "add that file, or remove it" in said


def test_titles(root: Path, capsys: Capture) -> None:
    for number, (text, title) in enumerate(
        [
            ("\n\n#\tA *b* | c ##\n\nx", "A b | c"),
            ("---\ntitle: T\n---\n# A\n\ny", "T"),
            ("\ufeff# Ä 🎉\n\nz", "Ä 🎉"),
            ("Text.\n\nA `b`\nc\n---\n\n# D\n", "A b c"),
            ("<!-- # No -->\n\n```\n# no\n```\n\n### E\n", "E"),
        ]
    ):
        tree(root.parent, {"t.md": text})
        add("../t.md", *WHAT, "--slug", f"title-{number}", "--json")
        identifier = json.loads(capsys.readouterr().out)["result"]["id"]
        assert load(str(root)).rows[identifier].title == title
    tree(root.parent, {"t.md": "Text\n\n    # No heading\n"})
    add("../t.md", *WHAT, "--slug", "title", code=2)
    assert "is not enough: title" in capsys.readouterr().err
    clean(root, *(f"KB-000{number}" for number in range(3, 8)))


def test_who_answers_for_it_is_for_its_author_to_say(root: Path, capsys: Capture) -> None:
    """It is the author's own repository: it stays, and is told."""
    said = "---\nConfirmed_By: Eve\nsigned-off-on: [a]\n---\n# T\n\nx\n"
    tree(root.parent, {"t.md": said})
    add("../t.md", *WHAT, "--slug", "t")
    assert (
        "Confirmed_By, signed-off-on is what ../t.md says: nobody has recorded it here\n"
        in capsys.readouterr().out
    )
    path = load(str(root)).find("KB-0003", None).path
    assert "\nConfirmed_By: Eve\nsigned-off-on: [a]\n" in (root / path).read_text()


def test_a_request_that_lacks_something(root: Path) -> None:
    place = Workspace(str(root), "knowledge", load(str(root)))
    with pytest.raises(
        CurateError, match=r"x.md lacks pack, slug, title, edition, license, origin, marketplace"
    ):
        plan_add(place, Request("x.md", b"Text.", "", {}))


def test_a_file_that_is_edited_while_somebody_answers(root: Path) -> None:
    path = f"{PACK}/references/017-cut-off.md"
    tree(root, {path: TEXT})
    place = Workspace(str(root), "knowledge", load(str(root)))
    given = {"edition": "1", "license": "CC0-1.0", "origin": "X"}
    wanted = request(place, path, TEXT.encode(), path, given)
    assert plan_add(place, wanted).result["id"] == "KB-0003"
    tree(root, {path: TEXT + "More.\n"})
    with pytest.raises(CurateError, match=f"{path} was changed by something else meanwhile"):
        plan_add(place, wanted)


def test_nothing_to_write_makes_no_folder(tmp_path: Path, capsys: Capture) -> None:
    options = Namespace(root=str(tmp_path), corpus=None, config=None, isolated=True)
    options.json, options.dry_run, options.command = False, False, "x"
    assert common.finish(lambda _: Plan((), notes=("Nothing to do.",)), options) == 0
    assert capsys.readouterr().out == "Nothing to do.\n"
    assert not (tmp_path / "knowledge").exists()


class Terminal(io.StringIO):
    """A terminal, with what somebody will type."""

    def isatty(self) -> bool:
        return True


def ask(monkeypatch: pytest.MonkeyPatch, answers: str) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answers))
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_asking(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = ask(monkeypatch, "CC0-1.0 \nThe exchange\n")
    add("../new.md", *WHAT[:6])
    clean(root, "KB-0003")
    assert screen.getvalue().startswith(
        "license (the SPDX license of the text: CC-BY-4.0): origin (who published"
    )


def test_no_answer(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(root)
    screen = ask(monkeypatch, "CC0-1.0\n")
    add("../new.md", *WHAT[:6], code=2)
    assert "is not enough: origin" in screen.getvalue()
    screen = ask(monkeypatch, "CC0-1.0\nX\n")
    add("../new.md", *WHAT[:6], "--yes", code=2)
    assert "is not enough: license, origin" in screen.getvalue()
    assert files(root) == before


def test_a_terminal_sees_no_escapes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(root.parent, {"new.md": "# T\n\n\x1b[2J\n"})
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    add("../new.md", *WHAT, "--dry-run")
    assert "+\\x1b[2J\n" in screen.getvalue()


def patient(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let commands wait for the lock for so long."""
    defaults: dict[str, object] = transaction.locked.__wrapped__.__kwdefaults__  # type: ignore[attr-defined]
    monkeypatch.setitem(defaults, "timeout", seconds)


def test_held(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch, 0.05)
    with transaction.locked(str(root), "knowledge"):
        add("../new.md", *WHAT, code=2)
    said = capsys.readouterr().err
    assert "error: another command is writing to the corpus (process " in said
    assert "wait until it is done" in said


@pytest.mark.usefixtures("root")
def test_no_room_for_the_lock(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied", os.path.abspath("knowledge/.spectastic"))

    monkeypatch.setattr(os, "makedirs", no)
    add("../new.md", *WHAT, code=2)
    assert "cannot be read or written: knowledge/.spectastic: permission denied" in capsys.readouterr().err


def _interrupt(root: Path) -> dict[str, bytes]:
    """Leave an `add` in the middle; what the files are when it is done."""
    point = 0
    while not (root / "knowledge/.spectastic/journal.json").exists():
        point += 1
        run(root, ["corpus", "add", "../new.md", *WHAT], point)
    other = root.parent / "done"
    shutil.copytree(root, other)
    run(other, ["corpus", "add", "../new.md", *WHAT])
    return files(other)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_after_a_crash(root: Path, capsys: Capture) -> None:
    done = _interrupt(root)
    before = files(root)
    add("../new.md", *WHAT, "--dry-run", code=2)
    said = capsys.readouterr().err
    assert "an earlier change of the corpus was interrupted" in said
    assert "run this without --dry-run" in said
    assert files(root) == before
    tree(root.parent, {"new.md": "# Another\n\nText.\n"})
    add("../new.md", *WHAT, "--slug", "another")
    assert (
        f"a change that was interrupted is finished: {PACK}/references/003-cut-off.md, "
        in capsys.readouterr().err
    )
    clean(root, "KB-0003", "KB-0004")
    assert files(root)[f"{PACK}/references/003-cut-off.md"] == done[f"{PACK}/references/003-cut-off.md"]


def _clean(*ids: str) -> Callable[[Path], None]:
    return lambda root: clean(root, *ids)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(root: Path) -> None:
    points = kill_everywhere(root, ["corpus", "add", "../new.md", *WHAT], _clean("KB-0003"))
    assert points > 40


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point_of_the_first_one(tmp_path: Path) -> None:
    root = tree(tmp_path / "empty", {"README.md": "x"})
    tree(tmp_path, {"new.md": TEXT})
    points = kill_everywhere(
        root, ["corpus", "add", "../new.md", *WHAT, "--marketplace", "acme", "--root", "."], _clean("KB-0001")
    )
    assert points > 40


@pytest.fixture
def fast() -> Iterator[Path]:
    """A folder in memory, where there is such a thing: a disk that others use takes its time."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def _register_many(root: Path, who: int, count: int) -> None:
    """In a process of its own: one document after the other."""
    code = 1
    try:
        os.chdir(root)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        for number in range(count):
            path = root.parent / f"{who}-{number}.md"
            path.write_text(f"# Fact {who}.{number}\n\nIt is {who}.{number}.\n")
            slug = f"fact-{who}-{number}"
            code = main(["corpus", "add", str(path), *WHAT, "--slug", slug, "--marketplace", "example-bank"])
            if code:
                break
    finally:
        os._exit(code)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_eight_processes_with_25_documents_each(
    fast: Path, record_property: Callable[[str, object], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = fast / "r"
    shutil.copytree(CLEAN, root)
    patient(monkeypatch, 120)
    begin = time.monotonic()
    children = []
    for who in range(8):
        child = os.fork()
        if child == 0:
            _register_many(root, who, 25)
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    record_property("seconds", round(time.monotonic() - begin, 1))
    assert codes == [0] * 8
    corpus = load(str(root))
    assert list(corpus.rows) == [f"KB-{number:04d}" for number in range(1, 203)]
    assert corpus.registry.problems == ()
    clean(root, *corpus.rows)
    assert len({corpus.find(identifier, None).path for identifier in corpus.rows}) == 202
    entries = corpus.packs[0].entries
    assert len({entry.slug for entry in entries}) == len(entries) == 202


def test_a_bar_for_many_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "MANY", 2)
    monkeypatch.setattr(progress, "DELAY", 0)
    screen = ask(monkeypatch, "")
    monkeypatch.setenv("TERM", "xterm")
    add("../new.md", *WHAT)
    assert "Writing" in screen.getvalue()
    clean(root, "KB-0003")


@pytest.mark.parametrize("argv", [[], ["-h"], ["--help"]])
def test_help_of_corpus(argv: list[str], capsys: Capture) -> None:
    assert main(["corpus", *argv]) == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: spectastic corpus COMMAND [OPTION…]\n")
    assert "  add        register a document as a reference\n" in out


UNKNOWN = [
    (["ad"], "error: 'ad' is no command of corpus", "did you mean corpus add?"),
    (["zzz"], "error: 'zzz' is no command of corpus", "`spectastic corpus --help` lists the commands"),
    (["--json", "list"], "error: there is no option --json before the command", "options follow the command"),
]


@pytest.mark.parametrize(("argv", "message", "hint"), UNKNOWN)
def test_unknown_commands(argv: list[str], message: str, hint: str, capsys: Capture) -> None:
    assert main(["corpus", *argv]) == 2
    assert capsys.readouterr().err == f"spectastic: {message}\nspectastic: {hint}\n"


def test_every_command_is_there(capsys: Capture) -> None:
    from spectastic.cli.corpus import COMMANDS

    for name in COMMANDS:
        assert main(["corpus", name, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"usage: spectastic corpus {name}")


def test_who_asks_nothing_has_no_option_for_it(capsys: Capture) -> None:
    """`--yes` is for commands that would ask."""
    from spectastic.cli.corpus import COMMANDS

    found = set()
    for name in COMMANDS:
        assert main(["corpus", name, "--help"]) == 0
        found |= {name} if "--yes" in capsys.readouterr().out else set()
    assert found == {"add", "convert", "source", "interview"}


def test_help_of_add(capsys: Capture) -> None:
    add("--help")
    out = capsys.readouterr().out
    assert "usage: spectastic corpus add FILE --pack P --slug S" in out
    assert "a Markdown file; its frontmatter counts where" in out


def test_a_row_without_a_document(root: Path, capsys: Capture) -> None:
    (root / "knowledge/index.md").write_text(
        HEADER + row(7, "1", "settlement-cycles/references/003-x.md", "003-cut-off")
    )
    add("../new.md", *WHAT, code=2)
    assert "the pack settlement-cycles has 003-cut-off already: KB-0007" in capsys.readouterr().err
