"""`spectastic corpus supersede`: a new edition, the old one retained, and the specs that turn stale."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from crash import files, kill_everywhere
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repository import Repository
from trees import Link, tree

from spectastic.cli import main
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.curate.plan import CurateError
from spectastic.curate.supersede import Request, plan_supersede
from spectastic.curate.workspace import Workspace
from spectastic.engine import Request as Revisions
from spectastic.engine import validate

if TYPE_CHECKING:
    from collections.abc import Iterable

Capture = pytest.CaptureFixture[str]
Files = dict[str, str | bytes | Link | None]

REPOS = Path(__file__).parent.parent / "fixtures" / "repos"
PACK = "knowledge/settlement-cycles"
SLUG = "001-us-equities-settlement-cycle"
DOCUMENT = f"{PACK}/references/{SLUG}.md"
RETAINED = f"{PACK}/references/superseded/{SLUG}@2024-05-28.md"
TEXT = "# US equities settlement cycle\n\nTrades settle at once.\n"
NEW = ["--edition", "2027-01-01", "--from", "../new.md"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A healthy repository, and a new text beside it."""
    return _repository(tmp_path, "clean", monkeypatch)


def _repository(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "r"
    shutil.copytree(REPOS / name, root)
    tree(tmp_path, {"new.md": TEXT})
    monkeypatch.chdir(root)
    return root


def supersede(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "supersede", *argv]) == code


def found(root: Path, base: str = "") -> list[tuple[str, str, int]]:
    report = validate(Settings(root=str(root)), request=Revisions(base=base))
    return [(item.rule, item.path, item.location.line) for item in report.findings]


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


STALE = [
    ("corpus-staleness", "specs/allocation-cutoff.md", 6),
    ("corpus-staleness", "specs/settlement-date.html", 13),
]


def test_a_new_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    root = _repository(tmp_path, "settlement", monkeypatch)
    repository = Repository(root)
    repository.commit()
    before, wrong = files(root), found(root)
    supersede("KB-0001", *NEW)
    said = capsys.readouterr().out
    shown = (REPOS.parent.parent / "docs" / "corpus.md").read_text()
    assert f"$ spectastic corpus supersede KB-0001 {' '.join(NEW)}\n{said}```\n" in shown
    assert said == (
        f"created {RETAINED}\nchanged {DOCUMENT}\nchanged {PACK}/SKILL.md\nchanged knowledge/index.md\n"
        "cite it as KB-0001@2027-01-01\n"
        "taken over from 2024-05-28, check whether it still holds: "
        "origin, origin-url, license, converter, status\n"
        "what changed: spectastic corpus diff KB-0001 @2024-05-28\n"
        "turned stale by this, 2 citations of KB-0001@2024-05-28:\n"
        "  specs/allocation-cutoff.md:6:24   D-003  KB-0001@2024-05-28  stale\n"
        "  specs/settlement-date.html:13:54  D-001  KB-0001@2024-05-28  stale\n"
    )
    after = files(root)
    assert {path for path in after if after[path] != before.get(path)} == {
        RETAINED,
        DOCUMENT,
        f"{PACK}/SKILL.md",
        "knowledge/index.md",
    }
    assert before.keys() == after.keys() - {RETAINED}
    old = before[DOCUMENT]
    assert after[RETAINED] == old.replace(b"status: authoritative\n", b"status: superseded\n")
    head, _, _ = old.partition(b"\n---\n\n")
    head = head.replace(b"edition: 2024-05-28", b'edition: "2027-01-01"')
    declared = head[head.index(b"sha256:") : head.index(b"\nstatus")]
    head = head.replace(declared, sha("\n" + TEXT).encode())
    assert after[DOCUMENT] == head + b"\n---\n\n" + TEXT.encode()
    for path in ("knowledge/index.md", f"{PACK}/SKILL.md"):
        assert after[path] == before[path].replace(b"2024-05-28", b"2027-01-01")
        assert before[path].count(b"2024-05-28") == 1
    repository.git("add", "-A")
    assert sorted(found(root)) == sorted([*wrong, *STALE])
    assert sorted(found(root, "HEAD")) == sorted([*wrong, *STALE])
    repository.commit()
    assert sorted(found(root, "HEAD~1")) == sorted([*wrong, *STALE])
    assert load(str(root)).editions("KB-0001") == ("2027-01-01", "2024-05-28", "2017-09-05")


def test_only_staleness_in_a_healthy_repository(root: Path, capsys: Capture) -> None:
    repository = Repository(root)
    repository.commit()
    supersede("KB-0001", *NEW, "--json")
    told = json.loads(capsys.readouterr().out)
    assert {rule for rule, _, _ in found(root, "HEAD")} == {"corpus-staleness", "corpus-uncommitted"}
    repository.git("add", "-A")
    assert {rule for rule, _, _ in found(root, "HEAD")} == {"corpus-staleness"}
    stale = [
        (item["path"], item["line"], item["decision"], item["pinned"]) for item in told["result"]["stale"]
    ]
    assert sorted((path, line) for path, line, _, _ in stale) == sorted(
        (path, line) for _, path, line in found(root) if "2024-05-28" in _line(root, path, line)
    )
    assert all(decision and pinned == "2024-05-28" for _, _, decision, pinned in stale)
    assert stale
    assert {name: value for name, value in told["result"].items() if name not in ("stale", "bare")} == {
        "id": "KB-0001",
        "edition": "2027-01-01",
        "path": DOCUMENT,
        "superseded": "2024-05-28",
        "retained": RETAINED,
        "taken_over": ["origin", "origin-url", "license", "converter", "status"],
    }
    assert told["changes"][0] == {"path": RETAINED, "action": "created"}


def _line(root: Path, path: str, line: int) -> str:
    return (root / path).read_text().split("\n")[line - 1]


@pytest.mark.parametrize("own", [False, True])
def test_the_same_again(own: bool, root: Path, capsys: Capture) -> None:
    if own:
        tree(root.parent, {"new.md": f"---\nlicense: CC0-1.0\nedition: x\n---\n{TEXT}"})
    supersede("KB-0001", *NEW)
    now = files(root)
    capsys.readouterr()
    supersede("KB-0001", *NEW)
    assert capsys.readouterr().out == f"this is so already: KB-0001@2027-01-01 is {DOCUMENT}\n"
    supersede("KB-0001", *NEW, "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["changes"], told["result"]["superseded"], told["result"]["stale"]) == ([], None, [])
    assert files(root) == now


def test_one_edition_after_the_other(root: Path) -> None:
    for number in range(3):
        tree(root.parent, {"new.md": f"Text {number}.\n"})
        supersede("KB-0001", "--edition", f"v{number}", "--from", "../new.md")
    corpus = load(str(root))
    assert corpus.editions("KB-0001") == ("v2", "v1", "v0", "2024-05-28", "2017-09-05")
    assert {rule for rule, _, _ in found(root)} == {"corpus-staleness"}


def test_a_dry_run(root: Path, capsys: Capture) -> None:
    before = files(root)
    supersede("KB-0001", *NEW, "--dry-run")
    patch, said = capsys.readouterr()
    assert files(root) == before
    assert not (root / "knowledge/.spectastic").exists()
    assert "turned stale by this, 1 citation of KB-0001@2024-05-28:" in said
    supersede("KB-0001", *NEW)
    other = Repository(root.parent / "other")
    shutil.copytree(REPOS / "clean", other.root, dirs_exist_ok=True)
    tree(other.root.parent, {"x.patch": patch})
    other.git("apply", "../x.patch")
    assert files(other.root) == files(root)


def test_frontmatter_of_the_new_text(root: Path, capsys: Capture) -> None:
    own = (
        "---\n# ours\nslug: 009-other\nlicense: 'CC0-1.0' # free\nedition: 2026-12-31\nstatus: superseded\n"
        f"origin: TODO\ncontent-hash: TODO\nmore: [a, b]\n---\n{TEXT}"
    )
    tree(root, {"notes/new.md": own})
    supersede("KB-0001", "--edition", "rev-5", "--from", "notes/new.md")
    said = capsys.readouterr().out
    assert "check whether it still holds: origin, origin-url, converter, status\n" in said
    assert "notes/new.md says the edition 2026-12-31: rev-5 was written\n" in said
    assert f"notes/new.md says the slug 009-other: {SLUG} was kept\n" in said
    assert "notes/new.md is left where it was\n" in said
    assert (root / DOCUMENT).read_text() == (
        f"---\n# ours\nslug: {SLUG}\nlicense: 'CC0-1.0' # free\n"
        "converter: hand-written distillation\nedition: rev-5\nstatus: authoritative\n"
        "origin: US Securities and Exchange Commission\n"
        "origin-url: https://www.ecfr.gov/current/title-17/section-240.15c6-1\n"
        f"content-hash: {sha(TEXT)}\nmore: [a, b]\n---\n{TEXT}"
    )
    assert {rule for rule, _, _ in found(root)} == {"corpus-staleness"}


def test_a_word_that_somebody_gave_for_the_old_text(root: Path) -> None:
    tree(root, {DOCUMENT: OLD.replace("\n---\n\n", "\nconfirmed-by: Ann\n---\n\n")})
    tree(root.parent, {"new.md": f"---\nstatus: not-citable-until-confirmed\n---\n{TEXT}"})
    supersede("KB-0001", *NEW)
    new = (root / DOCUMENT).read_text()
    assert "status: not-citable-until-confirmed\n" in new
    assert "confirmed-by" not in new
    assert "confirmed-by: Ann\n" in (root / RETAINED).read_text()


def test_what_was_wrong_before(root: Path) -> None:
    """A key that stands twice stays as it is, and so does the drift of another reference."""
    tree(root, {DOCUMENT: OLD.replace("\nlicense", "\nmore: a\nmore: b\nlicense")})
    tree(root, _changed(f"{PACK}/SKILL.md", ("2022-07-08", "2023-07-08")))
    tree(root.parent, {"new.md": OLD.replace("Compliance", "Another")})
    before = {rule for rule, _, _ in found(root)}
    supersede("KB-0001", *NEW)
    assert (root / RETAINED).read_text().count("more: ") == 2
    assert {rule for rule, _, _ in found(root)} == before | {"corpus-staleness"}


def test_a_slug_map_that_has_gone_meanwhile(root: Path) -> None:
    place = Workspace(str(root), "knowledge", load(str(root)))
    assert place.corpus.packs
    (root / PACK / "SKILL.md").unlink()
    with pytest.raises(CurateError, match=r"SKILL\.md has gone meanwhile"):
        plan_supersede(place, Request("KB-0001", "2", "new.md", TEXT.encode()))


def test_a_text_that_it_had_before(root: Path) -> None:
    """What was in force once may be so again."""
    supersede("KB-0001", *NEW)
    tree(root.parent, {"old.md": OLD.partition("\n---\n\n")[2]})
    supersede("KB-0001", "--edition", "2028", "--from", "../old.md")
    assert (root / DOCUMENT).read_text().endswith(OLD.partition("\n---\n\n")[2])


def test_refused_in_json(root: Path, capsys: Capture) -> None:
    before = files(root)
    supersede("KB-0001", "--edition", "2024-05-28", "--from", "../new.md", "--json", code=2)
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert (said["version"], said["command"]) == (1, "corpus supersede")
    assert said["error"]["message"] in err
    assert "has the edition 2024-05-28 already" in said["error"]["message"]
    assert said["error"]["hint"] == "another text is another edition: choose its name"
    assert files(root) == before


@pytest.mark.usefixtures("root")
def test_a_dry_run_in_json(capsys: Capture) -> None:
    supersede("KB-0001", *NEW, "--dry-run")
    patch = capsys.readouterr().out
    supersede("KB-0001", *NEW, "--dry-run", "--json")
    assert json.loads(capsys.readouterr().out)["diff"] == patch


def test_a_document_that_is_a_link(root: Path) -> None:
    """What it leads to may be anything: a change under another name is no change that somebody asked for."""
    (root / DOCUMENT).rename(root / PACK / "references/real.md")
    (root / DOCUMENT).symlink_to("real.md")
    before = files(root)
    for more in ((), ("--dry-run",)):
        supersede("KB-0001", *NEW, *more, code=2)
        assert files(root) == before


def _crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("bom", [b"", BOM])
@pytest.mark.parametrize("text", [TEXT.encode(), _crlf(TEXT.encode()), BOM + TEXT.encode(), b"One line."])
def test_crlf_and_bom(bom: bytes, text: bytes, root: Path) -> None:
    for path in ("knowledge/index.md", f"{PACK}/SKILL.md", DOCUMENT):
        (root / path).write_bytes(bom + _crlf((root / path).read_bytes()))
    (root.parent / "new.md").write_bytes(text)
    repository = Repository(root)
    repository.commit()
    before = files(root)
    supersede("KB-0001", *NEW)
    repository.git("add", "-A")
    after = files(root)
    assert after[RETAINED] == before[DOCUMENT].replace(b"status: authoritative\r", b"status: superseded\r")
    for path in ("knowledge/index.md", f"{PACK}/SKILL.md"):
        assert after[path] == before[path].replace(b"2024-05-28", b"2027-01-01")
    written = after[DOCUMENT]
    assert written.startswith(BOM) == text.startswith(BOM)
    assert written.endswith(text.removeprefix(BOM))
    if b"\n" in text:
        assert (b"\r\n" in written, written.count(b"\r\n") == written.count(b"\n")) == (
            b"\r\n" in text,
            b"\r\n" in text,
        )
    else:
        assert written.count(b"\r\n") == written.count(b"\n")
    assert {rule for rule, _, _ in found(root, "HEAD")} == {"corpus-staleness"}
    supersede("KB-0001", *NEW)
    assert files(root) == after


def test_a_text_that_was_shown(root: Path, capsys: Capture) -> None:
    """What `corpus show --body` prints begins with the blank line."""
    tree(root.parent, {"new.md": f"\n{TEXT}"})
    supersede("KB-0001", *NEW)
    assert (root / DOCUMENT).read_text().endswith(f"authoritative\n---\n\n{TEXT}")
    capsys.readouterr()


FORMS = [
    ("\nstatus: authoritative", "\n'status':   \"authoritative\"  # so", '"authoritative"'),
    ("\nstatus: authoritative", "\nstatus:\n  authoritative", "authoritative"),
    ("\n", "\n  ", "authoritative"),
]


@pytest.mark.parametrize(("old", "new", "value"), FORMS)
def test_a_status_in_another_form(old: str, new: str, value: str, root: Path) -> None:
    head, _, body = (root / DOCUMENT).read_text().partition("\n---\n")
    data = f"{head.replace(old, new)}\n---\n{body}"
    (root / DOCUMENT).write_text(data)
    repository = Repository(root)
    repository.commit()
    supersede("KB-0001", *NEW)
    repository.git("add", "-A")
    assert (root / RETAINED).read_text() == data.replace(value, "superseded")
    assert {rule for rule, _, _ in found(root, "HEAD")} == {"corpus-staleness"}
    repository.commit()
    tree(root.parent, {"new.md": "Still another.\n"})
    supersede("KB-0001", "--edition", "3", "--from", "../new.md")
    repository.git("add", "-A")
    assert {rule for rule, _, _ in found(root, "HEAD~1")} == {"corpus-staleness"}


def test_without_a_slug_map_or_a_status(tmp_path: Path, capsys: Capture) -> None:
    files_ = {
        "knowledge/index.md": HEADER + row(1, "1", "web/references/001-x.md", "001-x"),
        "knowledge/web/references/001-x.md": "---\nslug: 001-x\nedition: '1'\n---\nOld.\n",
        "specs/a.md": '<spec-decision id="D-1">\n\nKB-0001 and (KB-0001@1)\n\n</spec-decision>\n',
        "new.md": "New.\n",
    }
    root = tree(tmp_path / "r", files_)
    os.chdir(root)
    Repository(root).commit()
    supersede("KB-0001", "--edition", "2", "--from", "new.md")
    assert capsys.readouterr().out.split("\n", 3)[3] == (
        "cite it as KB-0001@2\nnew.md is left where it was\n"
        "what changed: spectastic corpus diff KB-0001 @1\n"
        "turned stale by this, 1 citation of KB-0001@1:\n  specs/a.md:3:14  D-1  KB-0001@1  stale\n"
        "moved on to the new edition without notice, 1 citation without one:\n"
        "  specs/a.md:3:1  D-1  KB-0001  stale\n"
    )
    retained = (root / "knowledge/web/references/superseded/001-x@1.md").read_text()
    assert retained == "---\nslug: 001-x\nedition: '1'\nstatus: superseded\n---\nOld.\n"
    assert not [item for item in found(root, "HEAD") if item[0] == "corpus-append-only"]


def test_nobody_cites_it_and_a_spec_is_broken(root: Path, capsys: Capture) -> None:
    tree(root, {"specs/bad.md": None})
    for path in ("specs/late-deliveries.md", "specs/settlement-date.html"):
        (root / path).unlink()
    supersede("KB-0001", *NEW)
    said = capsys.readouterr().out
    assert "nothing cites KB-0001@2024-05-28, so nothing turned stale\n" in said
    assert "specs that cannot be read are left out: specs/bad.md\n" in said


def at(edition: str) -> list[str]:
    return ["KB-0001", "--edition", edition, "--from", "../new.md"]


def _changed(path: str, *pairs: tuple[str, str]) -> Files:
    text = (REPOS / "clean" / path).read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {path: text}


OLD = (REPOS / "clean" / DOCUMENT).read_text()
INDEX = "knowledge/index.md"
EDITION = "in practice a date: 2024-05-28"
REFUSED: dict[str, tuple[Files, list[str], str, str]] = {
    # files, arguments, the error, the hint
    "unknown": ({}, ["KB-0011", *NEW], "there is no KB-0011 in the registry", "did you mean KB-0001?"),
    "far": ({}, ["KB-98765", *NEW], "there is no KB-98765 in the registry", "register it"),
    "no-id": ({}, ["kb-0001", *NEW], "kb-0001 is no id", "an id is KB-"),
    "empty-id": ({}, ["", *NEW], "an empty text is no id", "an id is KB-"),
    "pinned": ({}, ["KB-0001@2024-05-28", *NEW], "names an edition", "write KB-0001"),
    "no-registry": (
        {},
        ["KB-0001", *NEW, "--corpus", "specs"],
        "there is no registry specs/index.md",
        "init",
    ),
    "current": (
        {},
        at("2024-05-28"),
        "has the edition 2024-05-28 already: it is the current one, with another",
        "",
    ),
    "retained": ({}, at("2017-09-05"), "has the edition 2017-09-05 already: " + PACK, "another edition"),
    "same-text": (
        {"../new.md": OLD.split("\n---\n")[1]},
        at("2"),
        "../new.md has the text of the current edition, 2024-05-28",
        "cite it as KB-0001@2024-05-28",
    ),
    "same-text-crlf": (
        {"../new.md": OLD.replace("\n", "\r\n") + "\r\n\r\n"},
        at("2"),
        "../new.md has the text of the current edition, 2024-05-28",
        "cite it as",
    ),
    "itself": (
        {},
        ["KB-0001", "--edition", "2", "--from", DOCUMENT],
        f"{DOCUMENT} has the text of the current edition",
        "restore the old one here",
    ),
    "other-frontmatter": (
        {"../new.md": OLD.replace("public-domain", "CC0-1.0")},
        at("2024-05-28"),
        "with this text and another frontmatter",
        f"correct the frontmatter of {DOCUMENT}",
    ),
    "no-text": ({"../new.md": "\ufeff \n"}, at("2"), "../new.md has no text", "write"),
    "no-text-after": ({"../new.md": "---\na: b\n---\n\n"}, at("2"), "../new.md has no text", "write"),
    "broken": ({"../new.md": "---\na: [b\n---\nX\n"}, at("2"), "../new.md: the frontmatter is not valid", ""),
    "open": ({"../new.md": "---\na: b\n\nX\n"}, at("2"), "../new.md: the frontmatter opens", "close it"),
    "no-file": ({}, [*at("2")[:-1], "../none.md"], "../none.md: the file cannot be read", ""),
    "pdf": ({"../new.md": b"%PDF\xff"}, at("2"), "not UTF-8", "make Markdown of it first"),
    "blank": ({}, at(""), "the edition (blank) says nothing", EDITION),
    "blanks": ({}, at(" \t"), "the edition (blank) says nothing", EDITION),
    "todo": ({}, at("TODO"), "the edition TODO says nothing", EDITION),
    "inner-blank": ({}, at("May 2027"), "the edition May 2027 cannot be cited: a blank", "choose another"),
    "last-blank": ({}, at("2027 "), "cannot be cited: a blank", "choose another"),
    "newline": ({}, at("2027\n1"), "cannot be cited: a blank", "choose another"),
    "tag": ({}, at("a<b"), "cannot be cited: a blank, <", "choose another"),
    "tick": ({}, at("a`b"), "cannot be cited: a blank, <, `", "choose another"),
    "id": ({}, at("aKB-0002"), "cannot be cited: a blank, <, ` or an id", "choose another"),
    "dot": ({}, at("2027."), "in a text, it would be read as 2027", "choose another"),
    "dots": ({}, at("..."), "cannot be cited", "choose another"),
    "bracket": ({}, at("2(b)"), "in a text, it would be read as 2", "choose another"),
    "pipe": ({}, at("2|b"), "in a text, it would be read as 2", "choose another"),
    "quote": ({}, at('2"b'), "in a text, it would be read as 2", "choose another"),
    "dash": ({}, at("2027\u201301"), "U+2013 EN DASH stands where a hyphen belongs", "choose another"),
    "hidden": ({}, at("20\u200b27"), "is hidden inside it", "choose another"),
    "digits": ({}, at("\u0662\u0660"), "is not an ASCII digit", "choose another"),
    "control": ({}, at("a\x1bb"), "has characters in it that cannot be seen", "choose another"),
    "slash": ({}, at("2027/01"), "has / in it, which Windows allows in no name", "choose another"),
    "parent": ({}, at("../../x"), "has / in it, which Windows allows in no name", "choose another"),
    "backslash": ({}, at("a\\b"), "has \\ in it, which Windows", "choose another"),
    "colon": ({}, at("urn:x"), "has : in it, which Windows allows in no name", "choose another"),
    "star": ({}, at("a*b"), "has * in it, which Windows allows in no name", "choose another"),
    "long": ({}, at("x" * 200), "bytes long, more than the 200 that are safe", "choose another"),
    "surrogate": ({}, at("a\udcff"), "", ""),
    "case": (
        {f"{PACK}/references/superseded/{SLUG}@rev-a.md": document(SLUG, "rev-a", status="superseded")},
        at("Rev-A"),
        "only in case or accents",
        "choose another",
    ),
    "orphaned": (
        _changed(INDEX, (f"{SLUG}.md | |", f"{SLUG}.md | orphaned |")),
        at("2"),
        "KB-0001 is orphaned",
        "corpus add",
    ),
    "missing": (
        _changed(INDEX, (f"references/{SLUG}.md", "references/none.md")),
        at("2"),
        "KB-0001 has no document that could be retained: ",
        "restore it, or correct its row",
    ),
    "unreadable": (
        {DOCUMENT: b"\xff\xfe"},
        at("2"),
        "has no document that could be retained: the file",
        "restore",
    ),
    "no-edition": (
        _changed(INDEX, ("2024-05-28", "TODO")),
        at("2"),
        "has no document that could be retained: its row names no edition",
        "correct its row",
    ),
    "no-slug": (_changed(INDEX, (f"| {SLUG} |", "| |")), at("2"), "KB-0001 has no slug", "a slug is digits"),
    "no-frontmatter": ({DOCUMENT: "Text.\n"}, at("2"), f"{DOCUMENT} has no frontmatter", "validate"),
    "broken-frontmatter": (
        {DOCUMENT: "---\na: b\nText.\n"},
        at("2"),
        f"{DOCUMENT}: the frontmatter opens",
        "close",
    ),
    "half-frontmatter": (
        {DOCUMENT: OLD.replace("status: authoritative", "status: [a]")},
        at("2"),
        f"{DOCUMENT}: the frontmatter cannot be changed: ",
        "write one `field: value` a line",
    ),
    "drift-row": (
        _changed(INDEX, ("2024-05-28", "2025-05-28")),
        at("2"),
        f"{INDEX}: KB-0001 is registered with the edition 2025-05-28, and {DOCUMENT} says 2024-05-28",
        "bring the row and the frontmatter into line",
    ),
    "drift-map": (
        _changed(f"{PACK}/SKILL.md", ("2024-05-28", "2025-05-28")),
        at("2"),
        f"{PACK}/SKILL.md: the slug map gives references/{SLUG}.md the edition 2025-05-28",
        "bring the slug map and the frontmatter into line",
    ),
    "drift-map-path": (
        _changed(f"{PACK}/SKILL.md", (f"references/{SLUG}.md", "references/none.md")),
        at("2"),
        f"{PACK}/SKILL.md: the slug map gives {SLUG} the path references/none.md",
        "correct the path",
    ),
    "drift-status": (
        {DOCUMENT: OLD.replace("authoritative", "superseded")},
        at("2"),
        f"{DOCUMENT}: the status is superseded",
        "correct the status",
    ),
    "drift-retained": (
        {
            f"{PACK}/references/superseded/{SLUG}@2024-5-28.md": document(
                SLUG, "2024-05-28", status="superseded"
            )
        },
        at("2"),
        "edition 2024-05-28 of 001-us-equities-settlement-cycle is both superseded, here, and current",
        "remove this copy",
    ),
    "in-the-way": (
        {RETAINED: "x"},
        at("2"),
        f"{RETAINED} is there already, so 2024-05-28 cannot be retained",
        "compare it",
    ),
    "folder-in-the-way": ({RETAINED: None}, at("2"), f"{RETAINED} is there already", "compare it"),
    "old-edition": (
        _changed(INDEX, ("2024-05-28", "2024/05"))
        | _changed(f"{PACK}/SKILL.md", ("2024-05-28", "2024/05"))
        | {DOCUMENT: OLD.replace("2024-05-28", "2024/05")},
        at("2"),
        "the current edition 2024/05 cannot be retained",
        "name it otherwise first",
    ),
    "conflict": (
        {INDEX: "<<<<<<< a\n=======\n>>>>>>> b\n\n" + (REPOS / "clean" / INDEX).read_text()},
        at("2"),
        f"{INDEX}:1: a merge conflict is left here",
        "keep one side",
    ),
    "vouched": (
        {DOCUMENT: OLD.replace("\n---\n\n", "\nconfirmed-by: Ann\n---\n\n")},
        at("2"),
        "../new.md says no status, and that of 2024-05-28 rests on confirmed-by",
        "frontmatter that says its own status",
    ),
    "vouched-again": (
        {
            DOCUMENT: OLD.replace("\n---\n\n", "\nconfirmed-by: Ann\nconfirmed-on: 2026-01-01\n---\n\n"),
            "../new.md": f"---\nstatus: authoritative\nconfirmed-by: Ann\n---\n\n{TEXT}",
        },
        at("2"),
        "../new.md repeats confirmed-by of 2024-05-28, which is another text",
        "let it say its own status",
    ),
    "altered": (
        {DOCUMENT: OLD + "More.\n"},
        at("2"),
        f"{DOCUMENT} has another text than its content-hash says: it is not KB-0001@2024-05-28",
        "restore it; if the change was meant: spectastic corpus hash --write KB-0001",
    ),
    "text-of-another": (
        {"../new.md": (REPOS / "clean" / PACK / "references/002-late-delivery-fee.md").read_bytes()},
        at("2"),
        f"this text is a reference already: KB-0002, {PACK}/references/002-late-delivery-fee.md",
        "cite it as KB-0002@2022-07-08",
    ),
    "listed": (
        {"../new.md": "---\nslug: [a]\n---\nX.\n"},
        at("2"),
        "../new.md: the frontmatter cannot be changed: ",
        "write one `field: value` a line",
    ),
    "older-kind": (
        {
            INDEX: "x",
            "knowledge/old/index.md": "| ID | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
            "| KB-0001 | T | D | 1 | references/a.md |\n",
            "knowledge/old/references/a.md": "---\nid: KB-0001\nedition: '1'\n---\nA.\n",
        },
        at("2"),
        "this corpus is of an older kind: KB-0001",
        "`spectastic corpus migrate old` gives its documents rows in a registry",
    ),
    "no-edition-given": ({}, ["KB-0001", "--from", "../new.md"], "--edition", ""),
    "no-file-given": ({}, ["KB-0001", "--edition", "2"], "--from", ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    tree(root, more)
    before = files(root)
    supersede(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert "internal" not in error
    assert message in error
    assert hint in advice
    assert files(root) == before


def test_a_file_where_the_folder_should_be(root: Path, capsys: Capture) -> None:
    shutil.rmtree(root / PACK / "references/superseded")
    tree(root, {f"{PACK}/references/superseded": "x"})
    before = files(root)
    supersede("KB-0001", *NEW, code=2)
    assert f"{PACK}/references/superseded is no folder" in capsys.readouterr().err
    assert files(root) == before


def test_a_document_that_two_rows_share(tmp_path: Path, capsys: Capture) -> None:
    path = "web/references/001-x.md"
    root = tree(
        tmp_path / "r",
        {
            "knowledge/index.md": HEADER + row(1, "1", path, "001-x") + row(2, "1", path, "001-x"),
            f"knowledge/{path}": document("001-x", "'1'"),
            "new.md": "New.\n",
        },
    )
    os.chdir(root)
    before = files(root)
    supersede("KB-0001", "--edition", "2", "--from", "new.md", code=2)
    assert (
        "this would break the corpus: knowledge/web/references/001-x.md: the text of KB-0002@1 changed"
        in capsys.readouterr().err
    )
    assert files(root) == before


def test_a_row_of_another_shape(root: Path) -> None:
    """Widths, order of columns and other cells stay; a shorter edition is padded."""
    table = (
        "| Status | Edition    | KB     | Marketplace | Plugin | Slug | Title \\| x | Title | Path |\n"
        "|--------|------------|--------|---|---|---|---|---|---|\n"
        f"|        | 2024-05-28 | KB-0001 | b | settlement-cycles | {SLUG} | 2024-05-28 | T | "
        f"[here](settlement-cycles/references/{SLUG}.md) |\n"
    )
    tree(root, {INDEX: table})
    supersede("KB-0001", "--edition", "v2", "--from", "../new.md")
    assert (root / INDEX).read_text().replace(" ", "") == table.replace("|2024", "|2024").replace(
        "| 2024-05-28 | KB-0001", "| v2 | KB-0001"
    ).replace(" ", "")


def _stale_only(root: Path) -> None:
    assert {rule for rule, _, _ in found(root)} == {"corpus-staleness"}
    assert load(str(root)).editions("KB-0001") == ("2027-01-01", "2024-05-28", "2017-09-05")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(root: Path) -> None:
    points = kill_everywhere(root, ["corpus", "supersede", "KB-0001", *NEW], _stale_only)
    assert points > 40


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("hostile") / "r"
    shutil.copytree(REPOS / "clean", root)
    return root


def _seen(texts: Iterable[str]) -> st.SearchStrategy[str]:
    return st.sampled_from(list(texts))


HOSTILE = st.text(
    st.one_of(st.characters(), _seen("|\\`\"'<>*_~&;#:@/.-+()[]{} \n\r\u202eא🎉é1a")), max_size=12
)
LIKELY = st.text(_seen("aZ19é版א🎉-_+.&#~=%$@,"), min_size=1, max_size=8).map(lambda text: f"{text}1")
EDITIONS = st.one_of(HOSTILE, LIKELY)


@given(edition=EDITIONS, title=st.text(st.one_of(st.characters(codec="utf-8"), _seen("|\"'\\\n\r#-: 🎉א"))))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_editions_and_titles(edition: str, title: str, corpus: Path) -> None:
    """Refused, or read back the same; with the old edition beside it."""
    data = f"# {title}\n\nAnother text.\n".encode()
    place = Workspace(str(corpus), "knowledge", load(str(corpus)))
    try:
        plan = plan_supersede(place, Request("KB-0001", edition, "new.md", data))
    except CurateError:
        return
    after = place.with_changes(plan.changes).corpus
    assert after.editions("KB-0001") == (edition, "2024-05-28", "2017-09-05")
    reference = after.reference_for(after.find("KB-0001", None))
    assert reference is not None
    assert (reference.value("edition"), reference.problems) == (edition, ())
    assert after.registry.problems == ()
    assert after.packs[0].entries[0].edition == edition
    new = next(change.after for change in plan.changes if change.path == DOCUMENT)
    assert new is not None
    assert new.endswith(data)


GOOD = ["rev-4", "v1.10", "2027_a", "2027+1", "R&D", "a~b", "é", "版2", "1e3", "null", "2027-01-01T00", "a@b"]


@pytest.mark.parametrize("edition", GOOD)
def test_odd_and_good_editions(edition: str, root: Path) -> None:
    supersede("KB-0001", "--edition", edition, "--from", "../new.md")
    assert load(str(root)).editions("KB-0001")[0] == edition
    supersede("KB-0001", "--edition", edition, "--from", "../new.md")
    assert {rule for rule, _, _ in found(root)} == {"corpus-staleness"}
