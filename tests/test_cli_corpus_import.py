"""`spectastic corpus import`: what comes in, what happens to it when the source moves on, what is refused."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from corpora import HEADER, row
from crash import files, kill_everywhere
from deliveries import OLDER, pack, paper, registry, repository, sha, skill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repository import Repository
from trees import Link, tree

from spectastic.cli import main
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.corpus.files import Kind
from spectastic.corpus.model import Outcome
from spectastic.curate.importing.foreign import Offered, look
from spectastic.curate.importing.imports import Request, plan_import
from spectastic.curate.plan import CurateError
from spectastic.curate.workspace import Workspace
from spectastic.engine import Request as Revisions
from spectastic.engine import validate

Capture = pytest.CaptureFixture[str]
Files = dict[str, "str | bytes | Link | None"]

REPOS = Path(__file__).parent.parent / "fixtures" / "repos"
#: What the source publishes at first: two references, one of them with an earlier edition.
FIRST = {
    "001-tax": ("2024", "Tax is 20 %.\n"),
    "001-tax@2019": ("2019", "Tax is 19 %.\n"),
    "002-fee": ("v1", "A fee of 5.\n"),
}
LAWS = "knowledge/laws"
TAX = f"{LAWS}/references/001-tax.md"
OLD_TAX = f"{LAWS}/references/superseded/001-tax@2019.md"
FEE = f"{LAWS}/references/002-fee.md"
SPEC = (
    '<spec-decision id="D-1">Tax is 20 %, KB-0002@2024; a fee, KB-0003@v1.</spec-decision>\n\n'
    '<spec-decision id="D-2">Whatever the tax is, KB-0002.</spec-decision>\n'
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a reference of its own, and a source beside it."""
    own = paper("001-own", "1", "Ours.\n")
    made = tree(
        tmp_path / "r",
        {
            "knowledge/index.md": registry([(1, "acme", "own", "001-own", "1")]),
            "knowledge/own/SKILL.md": skill("own", [("001-own", "1")]),
            "knowledge/own/references/001-own.md": own,
        },
    )
    publish(tmp_path, FIRST)
    monkeypatch.chdir(made)
    return made


def publish(tmp_path: Path, papers: dict[str, tuple[str, str]]) -> None:
    """Let the source have these references, and nothing else."""
    shutil.rmtree(tmp_path / "src", ignore_errors=True)
    tree(tmp_path / "src", repository(papers))


def take(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "import", *(argv or ("../src",))]) == code


def told(capsys: Capture, *argv: str) -> dict[str, dict[str, object]]:
    """What is told of each reference, by its slug."""
    capsys.readouterr()
    take(*(argv or ("../src",)), "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == 1
    assert document["command"] == "corpus import"
    return {item["slug"]: item for pack in document["result"]["packs"] for item in pack["references"]}


def found(root: Path, base: str = "") -> list[tuple[str, str]]:
    report = validate(Settings(root=str(root)), request=Revisions(base=base))
    return [(item.rule, item.path) for item in report.findings]


def texts(root: Path) -> dict[tuple[str, str], str]:
    """What every citation leads to: the hash of the text, by id and edition."""
    corpus = load(str(root))
    by_path = {reference.path: reference.digest for reference in corpus.references}
    return {
        (identifier, edition): by_path[corpus.find(identifier, edition).path]
        for identifier in corpus.rows
        for edition in corpus.editions(identifier)
    }


def test_a_pack_comes_in(root: Path, capsys: Capture) -> None:
    before = files(root)
    take()
    assert capsys.readouterr().out == (
        f"created {LAWS}/references/superseded/001-tax@2019.md\n"
        f"created {TAX}\ncreated {FEE}\ncreated {LAWS}/SKILL.md\nchanged knowledge/index.md\n"
        "Gov · laws:\n"
        "  new, cite it as KB-0002@2024: 001-tax\n"
        "  new, cite it as KB-0003@v1: 002-fee\n"
        "  look at each text, then: spectastic corpus confirm KB-0002 KB-0003\n"
    )
    after = files(root)
    assert {path: after[path] for path in before if path != "knowledge/index.md"} == {
        path: data for path, data in before.items() if path != "knowledge/index.md"
    }
    assert after["knowledge/index.md"].decode() == before["knowledge/index.md"].decode() + (
        "| KB-0002 | Gov | laws | 001-tax | T 1 | 2024 | laws/references/001-tax.md | |\n"
        "| KB-0003 | Gov | laws | 002-fee | T 2 | v1 | laws/references/002-fee.md | |\n"
    )
    assert after[TAX].decode() == paper("001-tax", "2024", "Tax is 20 %.\n", "not-yet-spot-checked")
    source = files(root.parent / "src")
    retained = f"{LAWS}/references/superseded/001-tax@2019.md"
    assert after[retained] == source[retained]
    assert b"| 001-tax | T 1 | D | 2024 | references/001-tax.md |\n" in after[f"{LAWS}/SKILL.md"]
    assert b"description: What the tests of an import are made of.\n" in after[f"{LAWS}/SKILL.md"]
    assert found(root) == []
    assert texts(root)["KB-0002", "2019"] == sha("\nTax is 19 %.\n")


def test_again(root: Path, capsys: Capture) -> None:
    take()
    before = files(root)
    capsys.readouterr()
    take()
    assert capsys.readouterr().out == "Gov · laws: nothing has changed, 2 references here as there\n"
    assert files(root) == before
    assert {item["state"] for item in told(capsys).values()} == {"unchanged"}


def test_what_is_told_to_programs(root: Path, capsys: Capture) -> None:
    take("../src", "--json", "--dry-run")
    document = json.loads(capsys.readouterr().out)
    assert not (root / LAWS).exists()
    assert document["result"] == {
        "source": "../src",
        "packs": [
            {
                "marketplace": "Gov",
                "plugin": "laws",
                "pack": "laws",
                "references": [
                    {
                        "state": "new",
                        "id": "KB-0002",
                        "slug": "001-tax",
                        "edition": "2024",
                        "path": TAX,
                        "superseded": None,
                        "renamed_from": None,
                        "returned": False,
                    },
                    {
                        "state": "new",
                        "id": "KB-0003",
                        "slug": "002-fee",
                        "edition": "v1",
                        "path": FEE,
                        "superseded": None,
                        "renamed_from": None,
                        "returned": False,
                    },
                ],
            }
        ],
        "stale": [],
        "bare": [],
    }


def test_a_newer_one_supersedes(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """What somebody confirmed in between stays so, for the text that they had read."""
    repository_ = Repository(root)
    take()
    assert main(["corpus", "confirm", "KB-0002", "KB-0003", "--by", "Ada", "--on", "2026-01-01"]) == 0
    tree(root, {"specs/a.md": SPEC})
    repository_.commit()
    before = files(root)
    take()
    assert files(root) == before
    newer = {**FIRST, "001-tax": ("2025", "Tax is 21 %.\n"), "003-new": ("1", "New.\n")}
    publish(tmp_path, {**newer, "001-tax@2024": ("2024", "Tax is 20 %.\n")})
    capsys.readouterr()
    take()
    out = capsys.readouterr().out
    assert out == (
        f"created {LAWS}/references/superseded/001-tax@2024.md\nchanged {TAX}\n"
        f"changed {LAWS}/SKILL.md\nchanged knowledge/index.md\n"
        f"created {LAWS}/references/003-new.md\n"
        "Gov · laws:\n"
        "  superseded, now KB-0002@2025, before 2024: 001-tax\n"
        "  new, cite it as KB-0004@1: 003-new\n"
        "  unchanged: 1 reference\n"
        "  look at each text, then: spectastic corpus confirm KB-0002 KB-0004\n"
        "turned stale by this, 1 citation of KB-0002@2024:\n"
        "  specs/a.md:1:38  D-1  KB-0002@2024  stale\n"
        "moved on to the new edition without notice, 1 citation without one:\n"
        "  specs/a.md:3:46  D-2  KB-0002  unpinned\n"
    )
    after = files(root)
    old = before[TAX].replace(b"status: authoritative", b"status: superseded")
    assert after[f"{LAWS}/references/superseded/001-tax@2024.md"] == old
    assert b"confirmed-by: Ada" in old
    assert after[TAX].decode() == paper("001-tax", "2025", "Tax is 21 %.\n", "not-yet-spot-checked")
    assert after[FEE] == before[FEE]
    repository_.git("add", "-A")
    assert found(root, "HEAD") == [("corpus-staleness", "specs/a.md"), ("corpus-citation-form", "specs/a.md")]
    assert load(str(root)).editions("KB-0002") == ("2025", "2024", "2019")
    take()
    assert files(root) == after


def test_two_at_once(root: Path, tmp_path: Path, capsys: Capture) -> None:
    take()
    tree(root, {"specs/a.md": SPEC})
    publish(tmp_path, {"001-tax": ("2025", "X.\n"), "002-fee": ("v2", "Y.\n")})
    capsys.readouterr()
    take()
    out = capsys.readouterr().out
    assert "turned stale by this, 2 citations of superseded editions:\n" in out
    assert "moved on to the new editions without notice, 1 citation without one:\n" in out
    take()
    assert texts(root)["KB-0003", "v1"] == sha("\nA fee of 5.\n")


def test_an_edition_with_the_old_text(root: Path, tmp_path: Path) -> None:
    """Its publisher looked at the text again, and found that it still holds."""
    take()
    publish(tmp_path, {**FIRST, "002-fee": ("v2", "A fee of 5.\n")})
    take()
    assert load(str(root)).editions("KB-0003") == ("v2", "v1")
    assert found(root) == []


def test_an_older_one(root: Path, tmp_path: Path, capsys: Capture) -> None:
    newer = {**FIRST, "001-tax": ("2025", "X.\n"), "001-tax@2024": ("2024", "Tax is 20 %.\n")}
    publish(tmp_path, newer)
    take()
    before = files(root)
    publish(tmp_path, FIRST)
    capsys.readouterr()
    take()
    assert (
        "001-tax is left at KB-0002@2025: the edition there is retained here, so it is older"
        in capsys.readouterr().out
    )
    assert files(root) == before
    assert told(capsys)["001-tax"]["state"] == "older"


def test_earlier_editions_come_later(root: Path, tmp_path: Path) -> None:
    take()
    publish(tmp_path, {**FIRST, "001-tax@2001": ("2001", "Tax is 16 %.\n")})
    take()
    assert load(str(root)).editions("KB-0002") == ("2024", "2019", "2001")
    assert found(root) == []


def test_another_slug(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """The id stays, and whatever was cited is found as before."""
    repository_ = Repository(root)
    take()
    tree(root, {"specs/a.md": '<spec-decision id="D-1">KB-0002@2019, KB-0002@2024</spec-decision>\n'})
    repository_.commit()
    before = texts(root)
    publish(
        tmp_path,
        {
            "001-vat": ("2024", "Tax is 20 %.\n"),
            "001-vat@2019": ("2019", "Tax is 19 %.\n"),
            "002-fee": ("v1", "A fee of 5.\n"),
        },
    )
    capsys.readouterr()
    take()
    out = capsys.readouterr().out
    assert "  KB-0002 keeps its id: renamed from 001-tax to 001-vat\n" in out
    assert texts(root) == before
    names = {path for path in files(root) if "001-" in path and "laws" in path}
    assert names == {f"{LAWS}/references/001-vat.md", f"{LAWS}/references/superseded/001-vat@2019.md"}
    assert "001-tax |" not in (root / f"{LAWS}/SKILL.md").read_text()
    assert "| 001-vat | T 1 | D | 2024 | references/001-vat.md |" in (root / f"{LAWS}/SKILL.md").read_text()
    repository_.git("add", "-A")
    assert found(root, "HEAD") == [("corpus-staleness", "specs/a.md")]
    after = files(root)
    take()
    assert files(root) == after


def test_another_slug_and_a_newer_edition(root: Path, tmp_path: Path, capsys: Capture) -> None:
    take()
    before = texts(root)
    publish(tmp_path, {"001-tax": FIRST["001-tax"], "002-charge": ("v2", "A fee of 5.\n")})
    item = told(capsys)["002-charge"]
    assert (item["state"], item["renamed_from"], item["superseded"]) == ("superseded", "002-fee", "v1")
    assert before.items() <= texts(root).items()
    assert load(str(root)).editions("KB-0003") == ("v2", "v1")
    assert found(root) == []


def test_a_slug_that_may_be_either(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """Two new names for one text: neither is the old one."""
    take()
    same = "A fee of 5.\n"
    publish(tmp_path, {"001-tax": FIRST["001-tax"], "003-a": ("v1", same), "004-b": ("v1", same)})
    assert {slug: item["state"] for slug, item in told(capsys).items()} == {
        "001-tax": "unchanged",
        "002-fee": "orphaned",
        "003-a": "new",
        "004-b": "new",
    }
    assert found(root) == []


def test_two_old_slugs_that_it_may_be(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """Two references with one text are gone, and that text has a new name: it is neither of them."""
    same = ("v1", "A fee of 5.\n")
    publish(tmp_path, {"002-fee": same, "003-charge": same})
    take()
    publish(tmp_path, {"004-cost": same})
    assert {slug: item["state"] for slug, item in told(capsys).items()} == {
        "002-fee": "orphaned",
        "003-charge": "orphaned",
        "004-cost": "new",
    }
    assert found(root) == []


def test_gone_and_back(root: Path, tmp_path: Path, capsys: Capture) -> None:
    repository_ = Repository(root)
    take()
    tree(root, {"specs/a.md": SPEC})
    repository_.commit()
    kept, wrong = texts(root), found(root)
    publish(tmp_path, {"001-tax": FIRST["001-tax"]})
    capsys.readouterr()
    take()
    assert "  KB-0003, 002-fee, is not there any more: marked orphaned" in capsys.readouterr().out
    corpus = load(str(root))
    assert corpus.rows["KB-0003"].status == "orphaned"
    assert corpus.find("KB-0003", "v1").outcome is Outcome.CURRENT
    assert texts(root) == kept
    assert found(root, "HEAD") == wrong
    gone = files(root)
    assert set(told(capsys)) == {"001-tax"}
    assert files(root) == gone
    publish(tmp_path, FIRST)
    capsys.readouterr()
    take()
    assert "  KB-0003, 002-fee, is there again: no longer orphaned\n" in capsys.readouterr().out
    assert found(root, "HEAD") == wrong
    assert load(str(root)).rows["KB-0003"].status == ""


def test_back_with_a_newer_edition_and_another_slug(root: Path, tmp_path: Path, capsys: Capture) -> None:
    take()
    publish(tmp_path, {"001-tax": FIRST["001-tax"]})
    take()
    publish(tmp_path, {"001-tax": FIRST["001-tax"], "002-fee": ("v2", "A fee of 6.\n")})
    item = told(capsys)["002-fee"]
    assert (item["state"], item["returned"], item["superseded"]) == ("superseded", True, "v1")
    publish(tmp_path, {"001-tax": FIRST["001-tax"]})
    take()
    publish(tmp_path, {"001-tax": FIRST["001-tax"], "009-charge": ("v2", "A fee of 6.\n")})
    item = told(capsys)["009-charge"]
    assert (item["state"], item["returned"], item["id"]) == ("renamed", True, "KB-0003")
    assert found(root) == []


@pytest.mark.usefixtures("root")
def test_gone_at_the_source_as_well(tmp_path: Path, capsys: Capture) -> None:
    """What the source has from somewhere else, and does not get any more, it does not deliver."""
    take()
    index = tmp_path / "src/knowledge/index.md"
    index.write_text(index.read_text().replace("002-fee.md | |", "002-fee.md | orphaned |"))
    assert told(capsys)["002-fee"]["state"] == "orphaned"


def test_words_of_others_stay_there(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """Whoever confirmed a text at the source has confirmed nothing here."""
    old = paper("002-fee", "v1", "A fee of 5.\n")
    said = (
        "confirmed-by: Bob\nconfirmed-on: 2026-01-01\n'signed-off-by': >-\n  Carol\n  Dee\nmore: yes # so\n"
        "Confirmed-By: Eve\nsigned_off_on:\n- Eve\n"
    )
    tree(tmp_path / "src", {FEE: old.replace("status: authoritative\n", f"status: authoritative\n{said}")})
    take()
    assert (
        f"confirmed-by, confirmed-on, signed-off-by, Confirmed-By, signed_off_on of ../src/{FEE} is left "
        "out: nobody here has given that word\n"
    ) in capsys.readouterr().out
    assert (root / FEE).read_text() == old.replace(
        "status: authoritative\n", "status: not-yet-spot-checked\nmore: yes # so\n"
    )
    assert main(["corpus", "confirm", "KB-0003", "--by", "Ada"]) == 0


@pytest.mark.parametrize("name", ["A\x7fB", "A\x85 B", "\u00a0A B", "A\u2028B"])
@pytest.mark.parametrize("how", ["row", "list", "option"])
def test_a_marketplace_that_no_cell_can_say(name: str, how: str, root: Path, capsys: Capture) -> None:
    source = root.parent / "src"
    index = source / "knowledge/index.md"
    argv = ["../src"]
    if how == "row":
        index.write_bytes(index.read_text().replace("| Gov |", f"| {name} |").encode())
    else:
        index.unlink()
        entry = {"name": "laws", "source": "./laws"}
        listing = json.dumps({"name": name, "plugins": [entry]})
        tree(source, {"knowledge/marketplace.json": listing} if how == "list" else {})
        argv += ["--marketplace", name] if how == "option" else []
    take(*argv)
    assert {row.marketplace for row in load(str(root)).rows.values()} == {"acme", "A B"}
    before = files(root)
    assert {item["state"] for item in told(capsys, *argv).values()} == {"unchanged"}
    assert files(root) == before


@pytest.mark.parametrize(
    "address", ["https://x.org/a.git", "HTTP://x.org", "ssh://a@b/c", "git@x.org:a/b.git"]
)
def test_addresses(address: str, root: Path, capsys: Capture) -> None:
    message = f"{address} is an address, and nothing is fetched"
    refused(root, capsys, [address], message, "clone it first (git clone), and name the folder")


def test_other_provenance_of_the_same_text(root: Path, tmp_path: Path, capsys: Capture) -> None:
    take()
    before = files(root)
    path = tmp_path / "src" / FEE
    path.write_text(path.read_text().replace("CC0-1.0", "MIT"))
    capsys.readouterr()
    take()
    assert f"{FEE} is left as it is; ../src/{FEE} has another license\n" in capsys.readouterr().out
    assert files(root) == before


def test_a_missing_hash_is_written(root: Path, tmp_path: Path) -> None:
    for value in ("content-hash: TODO\n", ""):
        old = paper("002-fee", "v1", "A fee of 5.\n")
        line = f"content-hash: {sha(chr(10) + 'A fee of 5.' + chr(10))}\n"
        tree(tmp_path / "src", {FEE: old.replace(line, value)})
        take()
        assert line in (root / FEE).read_text()
        assert found(root) == []
        shutil.rmtree(root / LAWS)
        (root / "knowledge/index.md").write_text(registry([(1, "acme", "own", "001-own", "1")]))


def test_a_wrong_hash_can_be_taken(root: Path, tmp_path: Path) -> None:
    tree(tmp_path / "src", {FEE: paper("002-fee", "v1", "A fee of 5.\n", content_hash=sha("x"))})
    take(code=2)
    take("../src", "--rehash")
    assert found(root) == []
    take("../src", "--rehash")


def test_bytes_of_a_body_stay(root: Path, tmp_path: Path) -> None:
    body = "\r\n# A  \r\n\r\n\ttext\r\n\r\n\r\n"
    head = paper("002-fee", "v1", "").rstrip("\n").replace(sha("\n"), sha(body.replace("\r\n", "\n")))
    tree(tmp_path / "src", {FEE: ("\ufeff" + head.replace("\n", "\r\n") + "\r\n" + body).encode()})
    take()
    assert (root / FEE).read_bytes().endswith(b"---\r\n" + body.encode())
    assert found(root) == []


def test_a_lone_pack(root: Path, tmp_path: Path, capsys: Capture) -> None:
    lone = {path.removeprefix("x/"): text for path, text in pack("x", FIRST).items()}
    lone["SKILL.md"] = skill("laws", [("001-tax", "2024")])
    lone["references/002-fee.md"] = paper("002-fee", "v1", "# What it costs #\n\nA fee of 5.\n")
    tree(tmp_path / "checkout-main", lone)
    take("../checkout-main", code=2)
    assert "does not say where laws is published" in capsys.readouterr().err
    take("../checkout-main/", "--marketplace", "Gov")
    titles = {row.id: row.title for row in load(str(root)).rows.values()}
    assert titles == {"KB-0001": "T 1", "KB-0002": "T 001-tax", "KB-0003": "What it costs"}
    assert found(root) == []
    take("../checkout-main", "--marketplace", "GOV")
    assert len(load(str(root)).rows) == 3
    take("../checkout-main", "--marketplace", "Other", code=2)


def listing(*plugins: dict[str, object], **more: object) -> str:
    return json.dumps({"name": "shop", "owner": {"name": "O"}, "plugins": list(plugins), **more})


def test_a_marketplace(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """Packs where its list says, below its own folder; nothing is fetched."""
    plugins: tuple[dict[str, object], ...] = (
        {"name": "laws", "source": "./deep/down/x"},
        {"name": "fees", "source": "fees"},
        {"name": "far", "source": {"source": "github", "repo": "a/b"}},
        {"name": "tools", "source": "./tools"},
    )
    tree(
        tmp_path / "shop",
        {
            ".claude-plugin/marketplace.json": listing(*plugins, metadata={"pluginRoot": "./plugins"}),
            **pack("x", {"001-tax": ("1", "A.\n")}, "deep/down/"),
            **pack("fees", {"001-fee": ("1", "B.\n")}, "plugins/"),
            "tools/README.md": "No pack.\n",
        },
    )
    take("../shop", code=2)
    said = capsys.readouterr().err
    assert "../shop has 2 packs" in said
    assert "--pack P for some, or --all: fees, laws" in said
    take("../shop", "--all")
    out = capsys.readouterr().out
    assert "far is elsewhere, and nothing is fetched: left out\n" in out
    assert "tools is no pack, there is no SKILL.md in its folder: left out\n" in out
    rows = {row.id: (row.marketplace, row.plugin, row.path) for row in load(str(root)).rows.values()}
    assert rows["KB-0002"] == ("shop", "laws", "laws/references/001-tax.md")
    assert rows["KB-0003"] == ("shop", "fees", "fees/references/001-fee.md")
    assert found(root) == []
    take("../shop", "--pack", "fees", "--pack", "laws", "--pack", "fees")


def test_packs_that_are_not_listed(root: Path, tmp_path: Path, capsys: Capture) -> None:
    tree(
        tmp_path / "src",
        {
            **pack("draft", {"001-x": ("1", "X.\n")}, "knowledge/"),
            "knowledge/marketplace.json": listing({"name": "laws", "source": "./laws"}),
        },
    )
    take()
    assert set(load(str(root)).rows) == {"KB-0001", "KB-0002", "KB-0003"}
    take("../src", "--pack", "draft")
    assert load(str(root)).rows["KB-0004"].marketplace == "shop"
    tree(tmp_path / "src", {"knowledge/marketplace.json": listing()})
    take(code=2)
    assert "../src publishes no pack that is there" in capsys.readouterr().err


def test_a_folder_of_packs(root: Path, tmp_path: Path) -> None:
    tree(tmp_path / "packs", {**pack("laws", FIRST), ".git/SKILL.md": "x", "docs/a.md": "x"})
    take("../packs", "--marketplace", "m")
    assert found(root) == []


def test_another_name_here(root: Path, tmp_path: Path, capsys: Capture) -> None:
    tree(tmp_path / "r", pack("laws", {"001-x": ("1", "X.\n")}, "knowledge/"))
    before = files(root)
    take(code=2)
    said = capsys.readouterr().err
    assert "Gov · laws would be called laws, and something else is in knowledge/laws" in said
    assert "--as NAME" in said
    assert files(root) == before
    take("../src", "--as", "gov-laws")
    new = load(str(root)).rows["KB-0002"]
    assert (new.plugin, new.path) == ("laws", "gov-laws/references/001-tax.md")
    take()
    take("../src", "--as", "gov-laws")
    take("../src", "--as", "other", code=2)
    assert "is here already, as gov-laws" in capsys.readouterr().err


def test_the_same_name_from_elsewhere(root: Path, tmp_path: Path, capsys: Capture) -> None:
    take()
    tree(tmp_path / "other", repository({"001-x": ("1", "X.\n")}, marketplace="Else"))
    take("../other", code=2)
    assert "and the pack Gov · laws is in knowledge/laws" in capsys.readouterr().err
    take("../other", "--as", "laws-2")
    assert found(root) == []


def test_one_address_everywhere(root: Path, tmp_path: Path, capsys: Capture) -> None:
    """The ids differ, the address does not."""
    other = tree(tmp_path / "r2", {})
    addresses = []
    for place, identifier in ((root, "KB-0002"), (other, "KB-0001")):
        os.chdir(place)
        take()
        capsys.readouterr()
        assert main(["corpus", "uri", f"{identifier}@2024"]) == 0
        addresses.append(capsys.readouterr().out)
    assert addresses[0] == addresses[1] == "spectastic://gov/corpus/laws/001-tax?edition=2024\n"
    assert main(["corpus", "uri", addresses[0].strip()]) == 0
    assert capsys.readouterr().out == "KB-0001@2024\n"


@pytest.mark.usefixtures("root")
def test_a_copy_of_a_copy(tmp_path: Path, capsys: Capture) -> None:
    """A pack that came from elsewhere goes on with its own name."""
    take()
    other = tree(tmp_path / "r2", {})
    os.chdir(other)
    take("../r", "--pack", "laws")
    assert load(str(other)).rows["KB-0001"].label == "Gov · laws · 001-tax"
    take()
    assert "nothing has changed" in capsys.readouterr().out


def test_a_real_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path / "r", {})
    monkeypatch.chdir(root)
    take(str(REPOS / "clean"))
    assert found(root) == []
    assert load(str(root)).editions("KB-0001") == ("2024-05-28", "2017-09-05")


def changed(papers: dict[str, tuple[str, str]]) -> Files:
    return {f"../src/{path}": text for path, text in repository(papers).items()}


def source(path: str, text: str | bytes | Link | None) -> Files:
    return {f"../src/{path}": text}


INDEX = "knowledge/index.md"
LINES = repository(FIRST)[INDEX]

#: What is there before a first import, what is asked for, and how the refusal begins and goes on.
REFUSED: dict[str, tuple[Files, list[str], str, str]] = {
    "nothing": ({}, ["../none"], "../none is not there", "a source is a repository"),
    "nul": ({}, ["a\0b"], "is not there", "a source is"),
    "blank": ({}, [""], "the source is not there", "a source is"),
    "file": ({"../f": "x"}, ["../f"], "../f is no folder", "a source is"),
    "empty": ({"../e": None}, ["../e"], "../e has no packs", "a source is"),
    "no-such-pack": ({}, ["../src", "--pack", "law"], "../src has no pack law", "its packs: laws"),
    "itself": ({}, ["."], ". is this repository's own corpus", "name another"),
    "its-corpus": ({}, ["knowledge"], "knowledge is this repository's own corpus", "name another"),
    "its-pack": ({}, ["knowledge/own"], "is this repository's own corpus", "name another"),
    "around": (
        {"../marketplace.json": listing({"name": "own", "source": "./r/knowledge/own"})},
        [".."],
        ".. is this repository's own corpus",
        "name another",
    ),
    "linked": ({"../l": Link("r/knowledge")}, ["../l"], "../l is this repository's own corpus", ""),
    "other-marketplace": (
        {},
        ["../src", "--marketplace", "Other"],
        "../src says that laws is published at Gov, not at Other",
        "leave out --marketplace",
    ),
    "several-as": (
        {f"../src/{path}": text for path, text in pack("b", {"001-x": ("1", "X.\n")}, "knowledge/").items()},
        ["../src", "--all", "--as", "x"],
        "--as names one pack",
        "--pack P",
    ),
    "bad-name": ({}, ["../src", "--as", "../x"], "a pack cannot be named ../x", ""),
    "upper": ({}, ["../src", "--as", "Own"], "a pack cannot be named Own", ""),
    "wrong-hash": (
        source(FEE, paper("002-fee", "v1", "A fee of 5.\n", content_hash=sha("x"))),
        ["../src"],
        f"../src/{FEE} declares the hash sha256:2d711642b726…, and its text has sha256:",
        "--rehash",
    ),
    "no-hash": (
        source(FEE, paper("002-fee", "v1", "A fee of 5.\n", content_hash="abc")),
        ["../src"],
        f"../src/{FEE} declares the hash abc, and its text has sha256:",
        "ask its publisher",
    ),
    "wrong-old-hash": (
        source(
            f"{LAWS}/references/superseded/001-tax@2019.md",
            paper("001-tax", "2019", "Tax is 19 %.\n", "superseded", content_hash=sha("x")),
        ),
        ["../src"],
        "001-tax@2019.md declares the hash",
        "--rehash",
    ),
    "link-out": (
        {
            "../secret.md": paper("003-x", "1", "Secret.\n"),
            **source(f"{LAWS}/references/003-x.md", Link("/etc/hostname")),
        },
        ["../src"],
        f"../src/{LAWS}/references/003-x.md: 003-x.md has the name of a document, and it is a symbolic link",
        "",
    ),
    "skill-out": (
        {**source(f"{LAWS}/references/x", None), **source("knowledge/evil", Link("../../r/knowledge/own"))},
        ["../src"],
        "../src/knowledge/evil cannot be read: it is a symbolic link that leads outside",
        "nothing outside of a source is read",
    ),
    "home-out": (
        {"../s2/knowledge": Link("../src/knowledge")},
        ["../s2"],
        "../s2/knowledge cannot be read: it is a symbolic link that leads outside",
        "nothing outside",
    ),
    "registry-out": (
        {
            **{f"../s2/{path}": text for path, text in repository(FIRST).items() if path != INDEX},
            "../s2/knowledge/index.md": Link("../../src/knowledge/index.md"),
        },
        ["../s2"],
        "../s2/knowledge/index.md cannot be read: it is a symbolic link that leads outside",
        "nothing outside",
    ),
    "listed-out": (
        {
            "../s2/marketplace.json": listing({"name": "x", "source": "./x"}),
            "../s2/x": Link("../src/knowledge/laws"),
        },
        ["../s2"],
        "../s2/x cannot be read: it is a symbolic link that leads outside",
        "nothing outside",
    ),
    "list-is-folder": (
        source("knowledge/marketplace.json/x", None),
        ["../src"],
        "../src/knowledge/marketplace.json is no file",
        "remove it",
    ),
    "list-too-large": (
        source("knowledge/marketplace.json", b" " * 20_000_001),
        ["../src"],
        "../src/knowledge/marketplace.json: the file is too large",
        "",
    ),
    "registry-broken": (
        source(INDEX, LINES.replace("KB-0002", "KB-0001")),
        ["../src"],
        f"../src/{INDEX}:4: KB-0001 is registered twice",
        "give this row an id",
    ),
    "registry-conflict": (
        source(INDEX, f"<<<<<<< a\n=======\n>>>>>>> b\n\n{LINES}"),
        ["../src"],
        f"../src/{INDEX}: a merge conflict is left here",
        "keep one side",
    ),
    "not-text": (source(FEE, b"\xff\xfe"), ["../src"], f"../src/{FEE}: the file is UTF-16", ""),
    "no-frontmatter": (source(FEE, "A fee.\n"), ["../src"], f"../src/{FEE}: there is no frontmatter", ""),
    "no-license": (
        source(FEE, paper("002-fee", "v1", "A fee of 5.\n").replace("license: CC0-1.0\n", "")),
        ["../src"],
        f"../src/{FEE}: the frontmatter lacks license",
        "write each as",
    ),
    "todo": (
        source(FEE, paper("002-fee", "v1", "A fee of 5.\n", license="TODO")),
        ["../src"],
        f"../src/{FEE}:6: license is still TODO",
        "say what",
    ),
    "drift": (
        source(FEE, paper("002-fee", "v2", "A fee of 5.\n")),
        ["../src"],
        f"../src/{INDEX}:4: KB-0002 is registered with the edition v1, and ../src/{FEE} says v2",
        "bring the row",
    ),
    "older-kind": (
        {
            "../old/knowledge/a/index.md": OLDER,
            "../old/knowledge/a/references/a.md": "---\nid: KB-0001\nedition: '1'\n---\nA.\n",
            "../old/knowledge/a/SKILL.md": skill("a", []),
        },
        ["../old"],
        "../old/knowledge/a/index.md gives KB-0001 its id: this pack is of an older kind",
        "add them one by one",
    ),
    "id-for-slug": (
        {
            **source(INDEX, LINES[: LINES.index("| KB-0002")]),
            **source(f"{LAWS}/SKILL.md", skill("laws", [("001-tax", "2024")])),
            **source(FEE, paper("002-fee", "v1", "A fee.\n").replace("slug: 002-fee\n", "id: KB-0009\n")),
        },
        ["../src"],
        f"../src/{FEE} has no slug",
        "a slug is",
    ),
    "one-slug": (
        source(f"{LAWS}/references/other.md", paper("002-fee", "v1", "Other.\n")),
        ["../src"],
        "and ../src/knowledge/laws/references/other.md have one slug, 002-fee",
        "",
    ),
    "no-skill": (
        {**source("knowledge/b/references/001-x.md", paper("001-x", "1", "X.\n"))},
        ["../src", "--pack", "b"],
        "../src/knowledge/b/ has no SKILL.md",
        "a pack is a folder",
    ),
    "no-description": (
        source(f"{LAWS}/SKILL.md", "---\nname: laws\n---\n"),
        ["../src"],
        f"../src/{LAWS}/SKILL.md: SKILL.md has no description",
        "an agent finds",
    ),
    "skill-broken": (
        source(f"{LAWS}/SKILL.md", "---\nname: [\n---\n"),
        ["../src"],
        f"../src/{LAWS}/SKILL.md:",
        "",
    ),
    "no-reference": (
        source("knowledge/b/SKILL.md", skill("b", [])),
        ["../src", "--pack", "b"],
        "../src/knowledge/b/ has no reference to import",
        "",
    ),
    "two-identities": (
        source(INDEX, LINES.replace("| Gov | laws | 002", "| Gov | law | 002")),
        ["../src"],
        "the rows of ../src/knowledge/laws/ do not agree",
        "",
    ),
    "two-packs-one-name": (
        {
            **source(
                INDEX,
                LINES + row(3, "1", "b/references/001-x.md", "001-x").replace("acme | web", "Gov | laws"),
            ),
            **{
                f"../src/{path}": text
                for path, text in pack("b", {"001-x": ("1", "X.\n")}, "knowledge/").items()
            },
        },
        ["../src", "--all"],
        "two packs of ../src are gov · laws: ../src/knowledge/b and ../src/knowledge/laws",
        "",
    ),
    "listed-as-another": (
        {
            **source("knowledge/marketplace.json", listing({"name": "b", "source": "./laws"})),
            **{
                f"../src/{path}": text
                for path, text in pack("b", {"001-x": ("1", "X.\n")}, "knowledge/").items()
            },
        },
        ["../src"],
        "two packs of ../src have the name b: ../src/knowledge/laws and ../src/knowledge/b",
        "",
    ),
    "listed-twice": (
        source(
            "knowledge/marketplace.json",
            listing({"name": "b", "source": "./laws"}, {"name": "c", "source": "laws/"}),
        ),
        ["../src"],
        "../src/knowledge/marketplace.json lists knowledge/laws twice",
        "too many",
    ),
    "two-folders-one-name": (
        {
            **source(
                INDEX,
                LINES + row(3, "1", "b/references/001-x.md", "001-x").replace("acme | web", "Else | laws"),
            ),
            **{
                f"../src/{path}": text
                for path, text in pack("b", {"001-x": ("1", "X.\n")}, "knowledge/").items()
            },
        },
        ["../src", "--all"],
        "two packs would be called laws",
        "--as NAME",
    ),
    "not-a-plugin-name": (
        source(INDEX, LINES.replace("| Gov | laws |", "| Gov | My laws |")),
        ["../src"],
        "a pack cannot be named My laws",
        "lower-case words",
    ),
    "edition-no-name": (
        {
            **source(INDEX, LINES.replace("| v1 |", "| a:b |")),
            **source(FEE, paper("002-fee", "a:b", "A fee of 5.\n")),
            **source(f"{LAWS}/SKILL.md", skill("laws", [("001-tax", "2024"), ("002-fee", "a:b")])),
        },
        ["../src"],
        "the edition a:b cannot be part of a file name",
        "choose another",
    ),
    "older-kind-here": (
        {
            INDEX: "x",
            "knowledge/old/index.md": OLDER,
            "knowledge/old/references/a.md": "---\nid: KB-0001\nedition: '1'\n---\nA.\n",
        },
        ["../src"],
        "this corpus is of an older kind",
        "gives its documents rows",
    ),
    "listed-fields": (
        source(FEE, paper("002-fee", "v1", "A fee of 5.\n", status="[a]")),
        ["../src"],
        f"../src/{FEE}:",
        "",
    ),
    "indented": (
        source(
            FEE,
            paper("002-fee", "v1", "A fee of 5.\n", confirmed_by="x")
            .replace("\n", "\n  ", 10)
            .replace("  ---", "---"),
        ),
        ["../src"],
        f"../src/{FEE}: the frontmatter cannot do without confirmed-by",
        "write one",
    ),
}

#: Lists of packs that are none: the text, and what is said of it, with line and column.
LISTS = {
    "": "1:1: Expecting value",
    "[]": "1:1: this is no object",
    '{"name": "a",\n "name": "b", "plugins": []}': '2:2: the key "name" is there twice',
    '{"name": "a", "plugins": [}': "1:27: Expecting value",
    '{"plugins": []}': "1:1: there is no name",
    '{"name": " ", "plugins": []}': "1:10: there is no name",
    '{"name": 1, "plugins": []}': "1:10: the name is no text",
    '{"name": "a"}': "1:1: it has no list of plugins",
    '{"name": "a", "plugins": {}}': "1:26: it has no list of plugins",
    '{"name": "a", "plugins": [1]}': "1:27: this plugin is no object",
    '{"name": "a", "plugins": [{"source": "./a"}]}': "1:27: there is no name",
    '{"name": "a", "plugins": [{"name": "b"}]}': "1:27: the plugin b has no source",
    '{"name": "a", "owner": "x", "plugins": []}': "1:24: the owner is no object",
    '{"name": "a", "owner": {"name": 1}, "plugins": []}': "1:33: the name is no text",
    '{"name": "a", "plugins": [{"name": "b", "source": "./../x"}]}': "1:51: the source ./../x is no path",
    '{"name": "a", "plugins": [{"name": "b", "source": "/etc"}]}': "1:51: the source /etc is no path",
    '{"name": "a", "plugins": [{"name": "b", "source": "./a\\\\b"}]}': "1:51: the source ./a\\b is no path",
    '{"name": "a", "plugins": [{"name": "b", "source": "https://x.org/y"}]}': "1:51: the source https",
    '{"name": "a", "plugins": [{"name": "b", "source": "./b"}, {"name": "b", "source": "c"}]}': (
        "1:59: two plugins have the name b"
    ),
    '{"name": "a", "metadata": {"pluginRoot": 1}, "plugins": []}': "1:42: the pluginRoot is no text",
    '{"name": "\\ud800", "plugins": []}': "1:10: this text has half of a surrogate pair in it",
    '{"name": NaN, "plugins": []}': "1:1: NaN is no JSON",
    '{"a": ' + "[" * 60 + "]" * 60 + "}": "1:57: it is nested too deeply",
    "[" * 100_000: "1:1: it is nested too deeply",
    '{"a": ' + "1" * 5_000 + "}": "1:1: Exceeds the limit",
}


def refused(root: Path, capsys: Capture, argv: list[str], message: str, hint: str) -> None:
    before = files(root)
    take(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert "internal" not in error
    assert message in error
    assert hint in advice
    assert files(root) == before


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    tree(root, more)
    refused(root, capsys, argv, message, hint)


@pytest.mark.parametrize("text", LISTS, ids=range(len(LISTS)))
def test_lists_that_are_none(text: str, root: Path, tmp_path: Path, capsys: Capture) -> None:
    tree(tmp_path / "src", {"knowledge/marketplace.json": text})
    message = f"../src/knowledge/marketplace.json:{LISTS[text]}"
    refused(root, capsys, ["../src"], message, "it has ")


def test_a_list_that_is_not_utf_8(root: Path, tmp_path: Path, capsys: Capture) -> None:
    tree(tmp_path / "src", {"knowledge/marketplace.json": b'{"name": "\xff"}'})
    refused(root, capsys, ["../src"], "../src/knowledge/marketplace.json: the file is not UTF-8", "")


#: As `REFUSED`, after a first import: what is changed here and there.
REFUSED_THEN: dict[str, tuple[Files, str, str]] = {
    "another-text": (
        changed({**FIRST, "002-fee": ("v1", "A fee of 6.\n")}),
        f"{FEE} and ../src/{FEE} are both KB-0003@v1, with two texts",
        "one edition has one text",
    ),
    "another-old-text": (
        changed({**FIRST, "001-tax@2019": ("2019", "Tax was 18 %.\n")}),
        f"{OLD_TAX} and ../src/{OLD_TAX} are both KB-0002@2019, with two texts",
        "one edition has one text",
    ),
    "an-old-edition-comes-otherwise": (
        changed({**FIRST, "001-tax": ("2025", "X.\n"), "001-tax@2024": ("2024", "Tax was 20.5 %.\n")}),
        f"{TAX} and ../src/{LAWS}/references/superseded/001-tax@2024.md are both KB-0002@2024",
        "one edition has one text",
    ),
    "edited-here": (
        {FEE: paper("002-fee", "v1", "Edited.\n", content_hash=sha("\nA fee of 5.\n"))},
        f"{FEE}, which was edited here since it was filed, and ../src/{FEE} are both KB-0003@v1",
        "restore yours",
    ),
    "edited-and-newer": (
        {
            FEE: paper("002-fee", "v1", "Edited.\n", content_hash=sha("\nA fee of 5.\n")),
            **changed({**FIRST, "002-fee": ("v2", "A fee of 6.\n")}),
        },
        f"{FEE} was edited here since it was filed, and ../src/{FEE} is a newer edition of it",
        "git restore",
    ),
    "shared-document": (
        {
            INDEX: HEADER
            + row(1, "v1", "laws/references/002-fee.md", "002-fee")
            + row(2, "v1", "laws/references/002-fee.md", "002-fee").replace("acme | web", "Gov | laws"),
            f"{LAWS}/SKILL.md": skill("laws", [("002-fee", "v1")]),
            **changed({"002-fee": ("v2", "A fee of 6.\n")}),
        },
        "this would break the corpus: ",
        "",
    ),
    "unreadable-here": (
        {FEE: b"\xff"},
        "KB-0003, 002-fee, has no document here: the file is not",
        "restore it",
    ),
    "document-gone": (
        {INDEX: None},
        "KB-0003, 002-fee, has no document here: there is no 002-fee.md",
        "restore it",
    ),
    "new-name-taken": (
        {
            f"{LAWS}/references/001-vat.md": "x",
            **changed({"001-vat": FIRST["001-tax"], "002-fee": FIRST["002-fee"]}),
        },
        f"{LAWS}/references/001-vat.md is there already, so {TAX} cannot get this name",
        "compare the two",
    ),
    "new-document-taken": (
        {f"{LAWS}/references/003-x.md": "x", **changed({**FIRST, "003-x": ("1", "X.\n")})},
        f"{LAWS}/references/003-x.md is there already, so ../src/{LAWS}/references/003-x.md cannot be filed",
        "compare the two",
    ),
    "no-edition": (
        changed({**FIRST, "002-fee": ("v(2", "A fee of 6.\n")}),
        "the edition v(2 cannot be cited: in a text, it would be read as v",
        "choose another",
    ),
    "drift-here": (
        {FEE: paper("002-fee", "v9", "A fee of 5.\n"), **changed({**FIRST, "002-fee": ("v2", "X.\n")})},
        f"{INDEX}: KB-0003 is registered with the edition v1, and {FEE} says v9",
        "bring the row",
    ),
    "rename-in-the-dark": (
        {
            FEE: paper("002-fee", "v1", "A fee of 5.\n").replace("slug: 002-fee", "slug: [002-fee]"),
            **changed({"001-tax": FIRST["001-tax"], "002-x": FIRST["002-fee"]}),
        },
        f"{FEE}: the frontmatter cannot be changed: slug",
        "write one",
    ),
}


@pytest.mark.parametrize("case", REFUSED_THEN)
def test_refused_then(case: str, root: Path, capsys: Capture) -> None:
    take()
    capsys.readouterr()
    more, message, hint = REFUSED_THEN[case]
    if case == "document-gone":
        (root / FEE).unlink()
        more = {}
    for path in more:
        if path.startswith("../src"):
            shutil.rmtree(root.parent / "src", ignore_errors=True)
    tree(root, more)
    refused(root, capsys, ["../src"], message, hint)


def test_only_the_packs_that_were_chosen_are_shown(root: Path, tmp_path: Path) -> None:
    tree(tmp_path / "src/knowledge", {"b/SKILL.md": "x", "laws/in": None, "laws/out": Link("../../../r")})
    source = look("../src")
    shown = Offered(source, [found for found in source.published if found.name == "laws"])
    assert shown.entries("")[0] == {"\0": Kind.FOLDER}
    assert shown.entries("\0")[0] == {"index.md": Kind.FILE, "laws": Kind.FOLDER}
    assert shown.entries("\0/laws")[0]["out"] is None
    assert shown.led("\0/laws/out", "")[0] is Kind.OUTSIDE
    assert [shown.is_folder(f"\0/laws/{name}") for name in ("in", "SKILL.md")] == [True, False]
    assert shown.told("\0/laws/SKILL.md is beside \0/index.md") == (
        "../src/knowledge/laws/SKILL.md is beside ../src/knowledge/index.md"
    )
    assert not (root / LAWS).exists()


def test_nothing_else_is_read(root: Path, tmp_path: Path) -> None:
    """What is beside a pack is not looked at: it may be anything."""
    tree(tmp_path / "src", {"knowledge/laws/bin/run": "#!/bin/sh\ntouch /tmp/x\n", ".git/config": b"\xff"})
    tree(tmp_path / "src", {"knowledge/bad/SKILL.md": b"\xff", "knowledge/bad/references/x.md": b"\xff"})
    take("../src", "--pack", "laws")
    assert not [path for path in files(root) if "run" in path or "bad" in path]


def test_links_inside(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "src" / FEE
    tree(tmp_path / "src", {"papers/fee.md": path.read_bytes()})
    path.unlink()
    tree(tmp_path / "src", {FEE: Link("../../../papers/fee.md")})
    take()
    assert not (root / FEE).is_symlink()
    assert found(root) == []


def _fine(root: Path) -> None:
    assert found(root) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(root: Path, tmp_path: Path) -> None:
    """A first import; then one that renames, supersedes, orphans and adds."""
    where = str(tmp_path / "src")
    assert kill_everywhere(root, ["corpus", "import", where], _fine) > 40
    take()
    publish(
        tmp_path,
        {
            "001-vat": FIRST["001-tax"],
            "001-vat@2019": FIRST["001-tax@2019"],
            "003-x": ("1", "X.\n"),
        },
    )
    assert kill_everywhere(root, ["corpus", "import", where], _fine) > 40


HOSTILE = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("|\\`\"'<>*_~&;#:@/.-+()[]{} \n\r\u202eא🎉é1a"),
    ),
    max_size=12,
)
LIKELY = st.text(st.sampled_from("aZ19é版א🎉-_+.&#~=%$@,"), min_size=1, max_size=8).map(
    lambda text: f"{text}1"
)
NAMES = st.one_of(HOSTILE, LIKELY)
WORDS = st.from_regex(r"[0-9]{1,4}(-[A-Za-z0-9]{1,5}){1,3}", fullmatch=True)


@given(
    title=NAMES, slug=st.one_of(HOSTILE, WORDS, WORDS, WORDS), edition=LIKELY, plugin=NAMES, marketplace=NAMES
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_names(
    title: str,
    slug: str,
    edition: str,
    plugin: str,
    marketplace: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Refused with a reason, or here as it is there."""
    from spectastic.curate.documents import compose
    from spectastic.curate.tables import cell

    top = tmp_path_factory.mktemp("hostile")
    fields = {
        "slug": slug,
        "origin": title or "x",
        "origin-url": "none",
        "edition": edition,
        "license": "CC0-1.0",
        "converter": "x",
        "status": "authoritative",
    }
    row = " | ".join(cell(text) for text in ("KB-0001", marketplace, plugin, slug, title, edition))
    tree(
        top / "src/knowledge",
        {
            "index.md": HEADER + f"| {row} | p/references/a.md | |\n",
            "p/SKILL.md": skill("p", []),
            "p/references/a.md": compose(fields, b"Text.\n"),
        },
    )
    place = Workspace(str(tree(top / "r", {})), "knowledge", load(str(top / "r")))
    try:
        plan = plan_import(place, Request(str(top / "src"), folder="p"))
    except CurateError:
        return
    after = place.with_changes(plan.changes).corpus
    there = load(str(top / "src")).rows["KB-0001"]
    here = after.rows["KB-0001"]
    assert here[1:6] == there[1:6]
    assert after.editions("KB-0001") == (edition,)
    assert after.registry.problems == ()
    assert after.packs[0].entries[0].slug == slug


def test_odd_and_good_titles(root: Path, tmp_path: Path) -> None:
    """Not everything that is odd is refused."""
    title = 'A | "B" \u05d0\u202e🎉 `c`'
    index = tmp_path / "src" / INDEX
    index.write_text(index.read_text().replace("| T 2 |", f"| {title.replace('|', chr(92) + '|')} |"))
    take()
    assert load(str(root)).rows["KB-0003"].title.startswith('A | "B" ')
