"""`spectastic corpus adapt`: a folder, or an llms.txt, becomes a pack; a second run completes it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, document
from crash import files, kill_everywhere
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repository import Repository
from trees import Link, tree

from spectastic.cli import main
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.corpus.listing import Tree
from spectastic.curate import slugs, texts
from spectastic.curate.adapting import gather, llms, provenance
from spectastic.curate.adapting.adapt import Request, plan_adapt
from spectastic.curate.adapting.gather import Gathered, Original
from spectastic.curate.plan import CurateError
from spectastic.curate.workspace import Workspace
from spectastic.engine import Request as Revisions
from spectastic.engine import validate

if TYPE_CHECKING:
    from collections.abc import Mapping

Capture = pytest.CaptureFixture[str]
Files = dict[str, str | bytes | Link | None]

FIXTURES = Path(__file__).parent.parent / "fixtures"
PACK = "knowledge/web/references"
FINISH = ["--edition", "2026-01-01", "--license", "MIT", "--origin", "Us"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A healthy repository, and the site of somebody else beside it."""
    root = tmp_path / "r"
    shutil.copytree(FIXTURES / "repos" / "clean", root)
    shutil.copytree(FIXTURES / "adapt" / "site", tmp_path / "site")
    monkeypatch.chdir(root)
    return root


def adapt(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "adapt", *argv]) == code


def told(capsys: Capture, *argv: str) -> dict[str, Any]:
    capsys.readouterr()
    adapt(*argv, "--pack", "web", "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def states(found: Mapping[str, Any]) -> dict[str, str]:
    return {item["file"]: f"{item['state']} {item['slug']}" for item in found["result"]["documents"]}


def left(found: Mapping[str, Any]) -> dict[str, str]:
    return {item["path"]: item["why"] for item in found["result"]["left_out"]}


def found(root: Path, base: str = "") -> list[str]:
    report = validate(Settings(root=str(root)), request=Revisions(base=base))
    return [f"{item.path} {item.message.partition(';')[0]}" for item in report.findings]


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_a_folder(root: Path, capsys: Capture) -> None:
    before = files(root)
    adapt("../site", "--pack", "web")
    said = capsys.readouterr().out
    shown = (FIXTURES.parent / "docs" / "corpus.md").read_text()
    assert f"$ spectastic corpus adapt ../site --pack web\n{said}```\n" in shown
    assert said == (
        f"created {PACK}/001-fees.md\ncreated {PACK}/002-cut-off.md\ncreated {PACK}/003-holidays.md\n"
        "created knowledge/web/SKILL.md\nchanged knowledge/index.md\n"
        "3 documents are registered in the pack web: KB-0003 to KB-0005\n"
        "knowledge/web/SKILL.md is new: say in its description when to use the pack\n"
        "edition is what the documents call updated: 1 of them; see that it is meant so\n"
        "origin is what the documents call publisher: 1 of them; see that it is meant so\n"
        "origin-url is what the documents call source: 1 of them; see that it is meant so\n"
        "links to other files lead elsewhere from where the documents are now: fees.md, guide/01-cut-off.md\n"
        "still TODO, as `validate` says until somebody knows: edition of KB-0004, license of KB-0004, "
        "origin of KB-0003, KB-0004\n"
        "  spectastic corpus adapt ../site --pack web --edition E --license L --origin O\n"
        "left out (2), it is no Markdown: llms.txt, img/fees.png\n"
        "left out, it is no Markdown: rules.html\n"
        "  `spectastic corpus convert FILE` makes Markdown of it\n"
    )
    text = "# Cut-off\n\nOrders of the day end at 15:00. See [fees](../fees.md).\n"
    assert (root / PACK / "002-cut-off.md").read_text() == (
        "---\nslug: 002-cut-off\norigin: TODO\norigin-url: none\nedition: TODO\nlicense: TODO\n"
        f"converter: verbatim copy\ncontent-hash: {sha(chr(10) + text)}\nstatus: authoritative\n"
        f"adapted-from: site/guide/01-cut-off.md\n---\n\n{text}"
    )
    own = (root.parent / "site/guide/holidays.md").read_text()
    new = (root / PACK / "003-holidays.md").read_text()
    assert new.partition("---\n# ")[2] == own.partition("---\n# ")[2]
    assert "edition: 2026\nlicense: CC-BY-4.0\n" in new
    assert "origin: Example Clearing\norigin-url: https://clearing.example/holidays\n" in new
    rows = (root / "knowledge/index.md").read_bytes().removeprefix(before["knowledge/index.md"]).decode()
    assert rows == (
        f"| KB-0003 | example-bank | web | 001-fees | Fees | 2025-03-01 | {PACK[10:]}/001-fees.md | |\n"
        f"| KB-0004 | example-bank | web | 002-cut-off | Cut-off | TODO | {PACK[10:]}/002-cut-off.md | |\n"
        "| KB-0005 | example-bank | web | 003-holidays | Holidays of 2026 | 2026 "
        f"| {PACK[10:]}/003-holidays.md | |\n"
    )
    # Each fact that is still to be said is told once.
    assert found(root) == [
        f"{PACK}/001-fees.md origin is still TODO",
        f"{PACK}/002-cut-off.md origin is still TODO",
        f"{PACK}/002-cut-off.md edition is still TODO",
        f"{PACK}/002-cut-off.md license is still TODO",
    ]
    after = files(root)
    assert {path for path in before if before[path] != after[path]} == {"knowledge/index.md"}


def test_again_and_to_the_end(root: Path, capsys: Capture) -> None:
    adapt("../site", "--pack", "web")
    now = files(root)
    again = told(capsys, "../site")
    assert again["changes"] == []
    assert again["notes"][0] == "nothing is to be done: what could be adapted is in the pack already"
    assert {item["state"] for item in again["result"]["documents"]} == {"there"}
    assert files(root) == now
    done = told(capsys, "../site", *FINISH)
    assert done["notes"][:2] == [
        "2 documents are completed: KB-0003, KB-0004",
        "1 document is in the pack already, and left as they are",
    ]
    assert [change["path"] for change in done["changes"]] == [
        f"{PACK}/001-fees.md",
        f"{PACK}/002-cut-off.md",
        "knowledge/index.md",
        "knowledge/web/SKILL.md",
    ]
    now |= {
        f"{PACK}/001-fees.md": now[f"{PACK}/001-fees.md"].replace(b"origin: TODO", b"origin: Us"),
        f"{PACK}/002-cut-off.md": now[f"{PACK}/002-cut-off.md"]
        .replace(b"origin: TODO", b"origin: Us")
        .replace(b"edition: TODO", b'edition: "2026-01-01"')
        .replace(b"license: TODO", b"license: MIT"),
        "knowledge/index.md": now["knowledge/index.md"].replace(b"TODO", b"2026-01-01"),
        "knowledge/web/SKILL.md": now["knowledge/web/SKILL.md"].replace(b"TODO", b"2026-01-01"),
    }
    assert files(root) == now
    assert found(root) == []
    assert told(capsys, "../site", *FINISH)["changes"] == []
    assert files(root) == now


def test_all_at_once_is_the_same(root: Path) -> None:
    other = root.with_name("other")
    shutil.copytree(root, other)
    adapt("../site", "--pack", "web")
    adapt("../site", "--pack", "web", *FINISH, "--origin-url", "https://x.example/")
    adapt("../site", "--pack", "web", *FINISH, "--origin-url", "https://x.example/", "--root", str(other))
    assert files(root) == files(other)
    assert found(root) == []


def test_what_somebody_wrote_by_hand(root: Path, capsys: Capture) -> None:
    """An edition that stands in the frontmatter goes into the row and the slug map."""
    adapt("../site", "--pack", "web", *FINISH[2:])
    path = root / PACK / "002-cut-off.md"
    path.write_text(path.read_text().replace("edition: TODO", "edition: rev-7"))
    done = told(capsys, "../site", *FINISH)
    assert [change["path"] for change in done["changes"]] == ["knowledge/index.md", "knowledge/web/SKILL.md"]
    assert load(str(root)).find("KB-0004", "rev-7").path == f"{PACK}/002-cut-off.md"
    assert found(root) == []


def test_some_new_and_some_to_complete(root: Path, capsys: Capture) -> None:
    adapt("../site", "--pack", "web")
    tree(root.parent, {"site/new.md": "New.\n"})
    done = told(capsys, "../site", *FINISH)
    assert states(done)["new.md"] == "registered 004-new"
    assert done["notes"][:2] == [
        "1 document is registered in the pack web: KB-0006",
        "2 documents are completed: KB-0003, KB-0004",
    ]
    assert found(root) == []


def test_a_text_that_has_changed(root: Path, capsys: Capture) -> None:
    adapt("../site", "--pack", "web")
    now = files(root)
    tree(root.parent, {"site/guide/01-cut-off.md": "# Cut-off\n\nAt 16:00.\n", "site/fees.md": "No more.\n"})
    capsys.readouterr()
    adapt("../site", "--pack", "web")
    said = capsys.readouterr().out
    assert files(root) == now
    assert (
        "the text of fees.md is not that of KB-0003; nothing was overwritten\n"
        "  first say its origin: what is retained stays as it is\n"
        "  spectastic corpus supersede KB-0003 --edition E --from ../site/fees.md\n"
        "the text of guide/01-cut-off.md is not that of KB-0004; nothing was overwritten\n"
        "  KB-0004 has no edition yet, so nobody can have cited it: put the new text into "
        f"{PACK}/002-cut-off.md, below the frontmatter, and run `spectastic corpus hash --write`\n"
        "  where a file is about another fact, give it another name\n"
    ) in said
    # A license and an origin are those of the file, whatever its text; an edition is that of the text.
    done = told(capsys, "../site", *FINISH)
    assert states(done)["fees.md"] == "changed 001-fees"
    assert [change["path"] for change in done["changes"]] == [f"{PACK}/001-fees.md", f"{PACK}/002-cut-off.md"]
    assert (root / PACK / "002-cut-off.md").read_text().count("TODO") == 1
    assert told(capsys, "../site", *FINISH)["changes"] == []
    Repository(root).commit()
    assert main(["corpus", "supersede", "KB-0003", "--edition", "2026", "--from", "../site/fees.md"]) == 0
    path = root / PACK / "002-cut-off.md"
    head = path.read_text().partition("# Cut-off")[0]
    path.write_text(f"{head}# Cut-off\n\nAt 16:00.\n")
    assert main(["corpus", "hash", "--write"]) == 0
    assert states(told(capsys, "../site", *FINISH)) == {
        "fees.md": "there 001-fees",
        "guide/01-cut-off.md": "completed 002-cut-off",
        "guide/holidays.md": "there 003-holidays",
    }
    assert found(root, "HEAD") == []


def test_files_that_moved(root: Path, capsys: Capture) -> None:
    """Known by the text, wherever it is; a new text in the old place is another document."""
    adapt("../site", "--pack", "web")
    os.rename("../site/fees.md", "../site/charges.md")
    tree(root.parent, {"site/fees.md": "Something else.\n"})
    assert states(told(capsys, "../site")) == {
        "charges.md": "there 001-fees",
        "fees.md": "registered 004-fees",
        "guide/01-cut-off.md": "there 002-cut-off",
        "guide/holidays.md": "there 003-holidays",
    }


def test_a_reference_that_was_registered_otherwise(root: Path, capsys: Capture) -> None:
    """It does not say which file it was made of, so its slug is compared."""
    tree(root, {"docs/late-delivery-fee.md": "Nothing.\n", "docs/other.md": "Other.\n"})
    capsys.readouterr()
    adapt("docs", "--pack", "settlement-cycles", "--json")
    told = json.loads(capsys.readouterr().out)
    assert states(told) == {
        "late-delivery-fee.md": "changed 002-late-delivery-fee",
        "other.md": "registered 003-other",
    }


def test_an_llms_txt(root: Path, capsys: Capture) -> None:
    done = told(capsys, "../site/llms.txt", "--origin-url", "https://clearing.example/docs/llms.txt")
    assert states(done) == {
        "guide/01-cut-off.md": "registered 001-cut-off",
        "fees.md": "registered 002-fees",
        "guide/holidays.md": "registered 003-holidays",
    }
    assert left(done) == {
        "rules.html": "it is no Markdown",
        "https://law.example/act.md": "it is on the web, and nothing is fetched",
        "../notes.md": "it leads out of the folder",
        "gone.md": "there is no gone.md in the repository",
        "mailto:desk@clearing.example": "it is no address of a file",
    }
    hints = {item["path"]: item["hint"] for item in done["result"]["left_out"]}
    assert "`spectastic corpus source URL --fetch`" in hints["https://law.example/act.md"]
    found = load(str(root))
    entries = {entry.slug: (entry.title, entry.description) for entry in found.packs[1].entries}
    assert entries == {
        "001-cut-off": ("Cut-off times", "when orders of the day end"),
        "002-fees": ("Fees | charges", "what late deliveries cost"),
        "003-holidays": ("Holidays", "Days without settlement"),
    }
    urls = [reference.value("origin-url") for reference in found.references if reference.pack == "web"]
    assert urls == [
        "https://clearing.example/docs/guide/01-cut-off.md",
        "https://clearing.example/docs/fees.md",
        "https://clearing.example/holidays",
    ]
    assert "How Example Clearing settles trades" in found.packs[1].fields["description"].value
    assert told(capsys, "../site/llms.txt")["changes"] == []
    # The same files, as a folder.
    assert {state.partition(" ")[0] for state in states(told(capsys, "../site")).values()} == {"there"}


def test_a_hostile_folder(root: Path, capsys: Capture) -> None:
    tree(
        root,
        {
            "docs/a.md": "A.\n",
            "docs/A.md": "Another A.\n",
            "docs/same.md": "---\ntitle: X\n---\n\nA.\r\n",
            "docs/late.md": "An invented rule, for illustration.\n",
            "docs/empty.md": "---\na: b\n---\n\n",
            "docs/latin.md": b"\xe9t\xe9\n",
            "docs/nul.md": b"a\0",
            "docs/open.md": "---\na: b\n\nText.\n",
            "docs/out.md": Link("/etc/passwd"),
            "docs/in.md": Link("a.md"),
            "docs/loop": Link("."),
            "docs/SKILL.md": "---\nname: x\n---\n",
            "docs/sub/index.md": "Index.\n",
            "docs/node_modules/x/README.md": "No.\n",
            "docs/.hidden.md": "No.\n",
            "docs/.git/x.md": "No.\n",
            "docs/page.HTM": "<p>",
            "docs/folder.md/x.txt": "x",
            "docs/over.md": "---\nstatus: superseded\n---\nOld.\n",
            "docs/when.md": "---\nedition: May 2024\n---\nThen.\n",
        },
    )
    os.mkfifo("docs/pipe.md")
    (root / "docs" / os.fsdecode(b"\xff.md")).write_text("No.\n")
    with open(root / "docs/huge.md", "wb") as file:
        file.truncate(20_000_001)
    done = told(capsys, "docs")
    assert states(done) == {
        "A.md": "registered 001-a",
        "a.md": "registered 002-a",
        "late.md": "registered 003-late",
        "sub/index.md": "registered 004-sub",
    }
    assert left(done) == {
        ".git/": "it is hidden",
        ".hidden.md": "it is hidden",
        "SKILL.md": "it is an agent's skill and no document",
        "empty.md": "it has no text",
        "folder.md/x.txt": "it is no Markdown",
        "huge.md": "the file is too large: 20,000,001 bytes, more than the 20,000,000 that are read",
        "in.md": "it is a symbolic link, which is not followed",
        "latin.md": "the file is not UTF-8: byte 0xe9 at offset 0",
        "loop/": "it is a symbolic link, which is not followed",
        "node_modules/": "it is the folder of a tool",
        "nul.md": "the file holds a NUL byte, so it is not text",
        "open.md": "the frontmatter opens on the first line and is never closed",
        "out.md": "it is a symbolic link, which is not followed",
        "over.md": "it says that it is superseded",
        "page.HTM": "it is no Markdown",
        "pipe.md": "it is no regular file",
        "same.md": "it has the text of a.md",
        "when.md": "the edition May 2024 cannot be cited: a blank, <, ` or an id in it ends a citation",
        "\udcff.md": "its name is not UTF-8",
    }
    assert told(capsys, "docs")["changes"] == []


def test_the_whole_repository(root: Path, capsys: Capture) -> None:
    tree(root, {"notes/a.md": "A.\n", "knowledge/x.md": "No.\n"})
    done = told(capsys, ".")
    assert left(done)["knowledge/"] == "it is the corpus itself"
    assert states(done) == {
        "notes/a.md": "registered 001-a",
        "specs/late-deliveries.md": "registered 002-late-deliveries",
    }
    reference = next(item for item in load(str(root)).references if item.pack == "web")
    assert reference.value("adapted-from") == "notes/a.md"


def test_texts_that_are_references_already(root: Path, capsys: Capture) -> None:
    settlement = "knowledge/settlement-cycles/references"
    text = (root / settlement / "002-late-delivery-fee.md").read_bytes()
    retained = next((root / settlement / "superseded").iterdir())
    tree(
        root,
        {
            "docs/a.md": text,
            "docs/b.md": "B.\n",
            f"{PACK}/b.md": "B.\n",
            "docs/c.md": retained.read_bytes().partition(b"---\n\n")[2],
        },
    )
    adapt("docs", "--pack", "settlement-cycles", code=0)
    said = capsys.readouterr().out
    assert "left out, this text is a reference already: knowledge/web/references/b.md: b.md" in said
    assert f"left out, this text is that of a superseded edition: {retained.relative_to(root)}: c.md" in said
    adapt("docs", "--pack", "web", code=2)
    said = capsys.readouterr().err
    assert f"a.md: this text is a reference already: KB-0002, {settlement}/002-late-delivery-fee.md" in said
    assert "and 2 more are left out" in said


def test_options_that_documents_contradict(root: Path, capsys: Capture) -> None:
    tree(
        root,
        {
            "docs/a.md": "---\nlicense: CC0-1.0\ndate: 2020-01-01\nstatus: TODO\n---\nA.\n",
            "docs/b.md": "---\nedition: '7'\nstatus: not-citable-until-confirmed\n---\nB.\n",
        },
    )
    adapt("docs", "--pack", "web", "--license", "MIT", "--origin", "Us", "--status", "illustrative-excerpt")
    said = capsys.readouterr().out
    assert "--license is not used for documents that say another one: a.md\n" in said
    assert "--status is not used for documents that say another one: b.md\n" in said
    assert "a date is not taken for an edition, as it stays when a text is changed: a.md\n" in said
    found = [reference.value("status") for reference in load(str(root)).references if reference.pack == "web"]
    assert found == ["illustrative-excerpt", "not-citable-until-confirmed"]


def test_words_of_others_stay_there(root: Path, capsys: Capture) -> None:
    """Whoever confirmed a text elsewhere has confirmed nothing here."""
    tree(
        root,
        {
            "docs/a.md": "---\nconfirmed-by: Eve\nmore: x\nSigned-Off-By: [Eve]\nconfirmed-on:\n- 2026\n"
            "---\nA.\n",
            "docs/b.md": "---\nmore: x\n---\nB.\n",
        },
    )
    adapt("docs", "--pack", "web", *FINISH, "--marketplace", "M")
    out = capsys.readouterr().out
    assert (
        "confirmed-by, Signed-Off-By, confirmed-on of a.md is left out: nobody here has given that word\n"
        in out
    )
    assert "b.md is left out" not in out
    written = (root / PACK / "001-a.md").read_text().lower()
    assert "confirmed" not in written
    assert "signed" not in written
    assert "eve" not in written
    assert "more: x\n" in written


def test_a_dry_run(root: Path, capsys: Capture) -> None:
    before = files(root)
    adapt("../site", "--pack", "web", "--dry-run")
    patch = capsys.readouterr().out
    assert files(root) == before
    adapt("../site", "--pack", "web")
    other = Repository(root.parent / "other")
    shutil.copytree(FIXTURES / "repos" / "clean", other.root, dirs_exist_ok=True)
    tree(root.parent, {"x.patch": patch})
    other.git("apply", "../x.patch")
    assert files(other.root) == files(root)


REFUSED: dict[str, tuple[Files, list[str], str, str]] = {
    "no-pack-given": ({}, ["../site"], "--pack", ""),
    "not-there": ({}, ["nowhere", "--pack", "web"], "nowhere is not there", "name a folder of Markdown"),
    "a-picture": ({"x.png": "x"}, ["x.png", "--pack", "web"], "x.png is no folder", "or an llms.txt"),
    "one-document": (
        {},
        ["../site/fees.md", "--pack", "web"],
        "is one document",
        "corpus add ../site/fees.md",
    ),
    "no-list": ({}, ["gone.txt", "--pack", "web"], "gone.txt: the file cannot be read: no such file", ""),
    "latin-list": (
        {"l.txt": b"# \xe9\n"},
        ["l.txt", "--pack", "web"],
        "l.txt: the file is not UTF-8",
        "save",
    ),
    "no-title": (
        {"l.txt": "- [a](a.md)\n"},
        ["l.txt", "--pack", "web"],
        "l.txt is no llms.txt: it has no title",
        "it begins with a line # NAME",
    ),
    "list-of-nothing": (
        {"l.txt": "# A\n\n- [a](https://a.example)\n"},
        ["l.txt", "--pack", "web"],
        "no Markdown file in l.txt that could be adapted: https://a.example: it is on the web",
        "spectastic corpus source URL --fetch",
    ),
    "empty": ({"docs": None}, ["docs", "--pack", "web"], "there is no Markdown file in docs", ""),
    "in-the-corpus": (
        {},
        ["knowledge/settlement-cycles/references", "--pack", "web"],
        "knowledge/settlement-cycles/references lies in the corpus",
        "`spectastic corpus add FILE` registers a document where it stands",
    ),
    "edition": (
        {},
        ["../site", "--pack", "web", "--edition", "May 2024"],
        "the edition May 2024 cannot be cited: a blank",
        "choose another",
    ),
    "edition-file": (
        {},
        ["../site", "--pack", "web", "--edition", "x" * 140],
        "bytes long, more than the 200 that are safe",
        "",
    ),
    "pack": ({}, ["../site", "--pack", "We b"], "a pack cannot be named We b", "lower-case words"),
    "pack-case": ({}, ["../site", "--pack", "Settlement-Cycles"], "differs from settlement-cycles only", ""),
    "no-marketplace": (
        {"knowledge/index.md": HEADER},
        ["../site", "--pack", "web"],
        "nobody says where the pack is published",
        "add --marketplace NAME",
    ),
    "older": (
        {"knowledge/index.md": "# Soon\n", "knowledge/old/references/a.md": document(id="KB-001")},
        ["../site", "--pack", "web"],
        "this corpus is of an older kind: KB-001",
        "`spectastic corpus migrate old` gives its documents rows",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    tree(root, more)
    before = files(root)
    adapt(*argv, code=2)
    said = capsys.readouterr().err
    assert message in said
    assert hint in said
    assert files(root) == before


def test_too_much(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(gather, "MAX_ENTRIES", 3)
        adapt("../site", "--pack", "web", code=2)
    assert "../site holds more than 3 files" in capsys.readouterr().err
    with monkeypatch.context() as patch:
        patch.setattr(gather, "MAX_BYTES", 100)
        adapt("../site", "--pack", "web", code=2)
    assert "../site holds more than 100 bytes of Markdown" in capsys.readouterr().err
    tree(root, {f"{PACK}/9998-x.md": document("9998-x")})
    done = told(capsys, "../site")
    assert states(done) == {"fees.md": "registered 9999-fees"}
    assert left(done)["guide/holidays.md"] == "a pack has at most 9,999 numbers"


def test_folders_that_cannot_be_listed(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("guide", ""):
        monkeypatch.setattr(Tree, "trouble", lambda _, path, no=folder: "no" if path == no else "")
        if folder:
            done = told(capsys, "../site", "--dry-run")
            assert left(done)["guide"] == "no"
    adapt("../site", "--pack", "web", code=2)
    assert "../site: no" in capsys.readouterr().err
    assert not (root / PACK).exists()


def test_what_the_pack_holds_already(root: Path, capsys: Capture) -> None:
    """A document that cannot be read, one without a row, and a slug map that says more than the row."""
    tree(
        root, {f"{PACK}/latin.md": b"\xe9", "docs/a.md": "A.\n", "docs/b.md": "B.\n", f"{PACK}/b.md": "B.\n"}
    )
    done = told(capsys, "docs", "--marketplace", "acme")
    assert states(done) == {"a.md": "registered 001-a"}
    assert left(done) == {"b.md": f"it is in the pack already, and no row leads to it: {PACK}/b.md"}
    assert load(str(root)).rows["KB-0003"].marketplace == "acme"
    skill = root / "knowledge/web/SKILL.md"
    skill.write_text(skill.read_text().replace("TODO", "2026-01-01"))
    changed = told(capsys, "docs", *FINISH)["changes"]
    assert [change["path"] for change in changed] == [f"{PACK}/001-a.md", "knowledge/index.md"]


def test_a_reference_that_cannot_be_completed(root: Path, capsys: Capture) -> None:
    adapt("../site", "--pack", "web")
    path = root / PACK / "002-cut-off.md"
    path.write_text(path.read_text().replace("license: TODO", "license: [TODO]"))
    done = told(capsys, "../site", *FINISH)
    why = f"{PACK}/002-cut-off.md: the frontmatter cannot be changed: edition, license, origin"
    assert left(done)["guide/01-cut-off.md"] == why


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("again", [False, True])
def test_a_kill_at_every_point(again: bool, root: Path, tmp_path: Path) -> None:
    argv = ["corpus", "adapt", str(tmp_path / "site"), "--pack", "web"]
    if again:
        assert main(argv) == 0
    shutil.rmtree(root / "knowledge/.spectastic", ignore_errors=True)

    def check(work: Path) -> None:
        assert found(work) == []

    assert kill_everywhere(root, [*argv, *FINISH], check) > 30


NAMES = [
    # a file name, the words of its slug
    ("settlement_cycle.md", "settlement-cycle"),
    ("001-Settlement Cycle.MD", "settlement-cycle"),
    ("12. What's new?.markdown", "whats-new"),
    ("2024-05-28 notes.md", "2024-05-28-notes"),
    ("2024.md", "2024"),
    ("Größe, œuvre & Łódź.md", "grosse-oeuvre-lodz"),
    ("ﬁle①.md", "file1"),
    ("指南 v2.md", "v2"),
    ("指南.md", ""),
    ("مرحبا.md", ""),
    (".md", "md"),
    ("x" * 200 + ".md", "x" * 60),
    ("word-" * 30 + ".md", "-".join(["word"] * 12)),
]


@pytest.mark.parametrize(("name", "words"), NAMES)
def test_the_words_of_a_name(name: str, words: str) -> None:
    assert slugs.of_name(name) == words


OUTLINES = [
    ("```\n# no\n```\n\nA *b*\n===\n\n# C", "A b", ()),
    (
        "## `A` &amp; [b](c.md)\n![d](e/f.png) <http://x> [g](#h) [i](//j) [k](mailto:l) [m][n]\n\n[n]: o",
        "A & b",
        ("c.md", "e/f.png", "o"),
    ),
    ("#\n\n# A  \tb #", "A b", ()),
    ("A\nb\n---\n", "A b", ()),
    ("", "", ()),
]


@pytest.mark.parametrize(("text", "heading", "links"), OUTLINES)
def test_outlines(text: str, heading: str, links: tuple[str, ...]) -> None:
    assert texts.outline(text)[:2] == (heading, links)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("# A\n\nb\n", True),
        ("\n\nA\n===\n", True),
        ("### A\n# B\n", True),
        ("b\n\n# A\n", False),
        ("#\n\n# A\n", False),
        ("- # A\n", False),
        ("<!-- c -->\n\n# A\n", False),
        ("b\n", False),
        ("#\n", False),
        ("", False),
    ],
)
def test_whether_a_text_begins_with_its_heading(text: str, first: bool) -> None:
    assert texts.outline(text).first is first


def test_what_an_llms_txt_says() -> None:
    found = llms.parse(
        "Before\n\n---\n\n# A *b*\n\n> C\n> `d`\n\n# E\n\n> F\n\n## G\n\n* [h `i`](j.md 'k'): l [m](n.md) o\n"
        "  - [p](q.md)\n- r\n- ![s](t.png) [u](v%20w.md) : x\n\n[y](z.md)\n\n> Late\n"
    )
    assert found.title == "A b"
    assert found.about == "C dF"
    assert found.entries == (
        ("h i", "j.md", "l m o"),
        ("p", "q.md", ""),
        ("u", "v%20w.md", "x"),
    )
    assert llms.parse("> # A\n").title == "A"
    assert llms.parse("") == ("", "", ())


def test_links_of_a_list(root: Path, capsys: Capture) -> None:
    tree(
        root,
        {
            "docs/llms.txt": "# A\n\n- [a](a%20b.md?x)\n- [b](./a%20b.md#c)\n- [c](a%20b.md)\n"
            "- [c](a%20b.md)\n"
            "- [d](/a%20b.md)\n- [e](sub)\n- [f](A%20b.md)\n- [g](out/x.md)\n- [h](sub/%2e%2e/x.md)\n"
            "- [i](../knowledge/index.md)\n- [j](//x.example/y.md)\n- [k](link.md)\n",
            "docs/a b.md": "A.\n",
            "docs/sub/x.md": "X.\n",
            "docs/out": Link("/etc"),
            "docs/link.md": Link("sub/x.md"),
            "llms.txt": "# A\n\n- [a](knowledge/index.md)\n- [b](docs/sub/x.md)\n",
        },
    )
    done = told(capsys, "docs/llms.txt")
    assert states(done) == {"a b.md": "registered 001-a-b"}
    assert left(done) == {
        "a%20b.md?x": "it is no address of a file",
        "/a%20b.md": "it is no address of a file",
        "sub": "it is a folder",
        "A%20b.md": "A b.md is spelt a b.md on disk",
        "out/x.md": "it is a symbolic link that leads outside",
        "sub/%2e%2e/x.md": "it leads out of the folder",
        "../knowledge/index.md": "it leads out of the folder",
        "//x.example/y.md": "it is on the web, and nothing is fetched",
        "link.md": "it is a symbolic link, which is not followed",
    }
    done = told(capsys, "llms.txt")
    assert left(done) == {"knowledge/index.md": "it is a part of the corpus"}
    assert states(done) == {"docs/sub/x.md": "registered 002-x"}


OWN = [
    ({"License": "MIT", "Last_Updated": "2024-05-28 10:00"}, {"license": "MIT", "edition": "2024-05-28"}),
    (
        {"licence": "X", "updated": "yesterday", "lastmod": "2024-05-28"},
        {"license": "X", "edition": "2024-05-28"},
    ),
    ({"source": "https://a.example/b"}, {"origin-url": "https://a.example/b"}),
    ({"source": "The press"}, {"origin": "The press"}),
    ({"url": "/b/", "canonical_url": "https://a.example"}, {"origin-url": "https://a.example"}),
    ({"origin": "https://a.example"}, {"origin": "https://a.example"}),
    ({"edition": "TODO", "updated": "2024-05-28"}, {"edition": "2024-05-28"}),
    ({"date": "2024-05-28", "version": "1", "author": "A", "edition": ""}, {}),
    ({"status": "superseded"}, {}),
    ({"status": "draft", "converter": "c"}, {"status": "draft", "converter": "c"}),
]


@pytest.mark.parametrize(("said", "taken"), OWN)
def test_what_a_document_says_of_itself(said: dict[str, str], taken: dict[str, str]) -> None:
    assert {name: text for name, (text, _) in provenance.of_itself(said).items()} == taken


TEXT = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("|\"'\\\n\r#-: 🎉אß")), min_size=1, max_size=30
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile") / "r"
    shutil.copytree(FIXTURES / "repos" / "clean", root)
    return root


@given(name=TEXT, title=TEXT, about=TEXT, body=TEXT)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_names_and_titles(name: str, title: str, about: str, body: str, corpus: Path) -> None:
    """Refused, or read back the same, with every byte of the text; and known again."""
    name = name.replace("/", "").replace("\0", "") + ".md"
    data = body.replace("\0", "").encode()
    place = Workspace(str(corpus), "knowledge", load(str(corpus)))
    gathered = Gathered("docs", (Original(name, data, title, about),), (), about)
    wanted = Request("docs", "web", gathered, "docs/", {"edition": "1"})
    try:
        plan = plan_adapt(place, wanted)
    except CurateError:
        return
    after = place.with_changes(plan.changes)
    documents: Any = plan.result["documents"]
    row = after.corpus.rows[documents[0]["id"]]
    reference = after.corpus.reference_for(after.corpus.find(row.id, "1"))
    assert reference is not None
    assert (reference.value("adapted-from"), reference.problems) == (f"docs/{name}", ())
    entry = next(pack for pack in after.corpus.packs if pack.name == "web").entries[0]
    assert (entry.slug, entry.title) == (row.slug, row.title)
    assert row.title
    assert after.corpus.registry.problems == ()
    assert (after.read(reference.path) or b"").endswith(data.removeprefix(b"\xef\xbb\xbf"))
    again = plan_adapt(after, wanted)
    assert again.changes == ()
    documents = again.result["documents"]
    assert documents[0]["state"] == "there"
