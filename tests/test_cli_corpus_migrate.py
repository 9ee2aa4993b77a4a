"""`spectastic corpus migrate`: a single-layer pack gets rows in a registry, and every citation holds."""

from __future__ import annotations

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
from spectastic.corpus import body, load
from spectastic.curate.migrating import migrate
from spectastic.curate.migrating.migrate import plan_migrate
from spectastic.curate.plan import CurateError
from spectastic.curate.workspace import Workspace
from spectastic.engine import Request as Revisions
from spectastic.engine import validate

if TYPE_CHECKING:
    from spectastic.corpus import Corpus

Capture = pytest.CaptureFixture[str]
Files = dict[str, str | bytes | Link | None]

FIXTURES = Path(__file__).parent.parent / "fixtures"
OLD = FIXTURES / "corpus-read" / "old"
WEB = "knowledge/web"
REFERENCES = f"{WEB}/references"
RETAINED = f"{REFERENCES}/superseded"
INDEX = "| ID | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
PROVENANCE = "origin: O\norigin-url: none\nlicense: MIT\nconverter: me\n"


def old(name: str, edition: str, text: str, status: str = "authoritative") -> str:
    import hashlib

    sha = hashlib.sha256(f"\n{text}\n".encode()).hexdigest()
    head = f"{name}\n{PROVENANCE}edition: {edition}\ncontent-hash: sha256:{sha}\nstatus: {status}\n"
    return f"---\n{head}---\n\n{text}\n"


#: An older pack with all that one may hold.
PACK: Files = {
    f"{WEB}/SKILL.md": "---\nname: web\ndescription: Facts of the web pack, for these cases.\n---\n\n# Web\n",
    f"{WEB}/index.md": f"# Web\n\n{INDEX}"
    "| KB-001 | Contrast \\| colour | How *strong* | 2022 | references/contrast.md |\n"
    "| KB-002 | Focus | | 2023 | web/references/002-focus.md |\n",
    f"{REFERENCES}/contrast.md": old("id: KB-001 # ours", "2022", "Contrast is 4.5."),
    f"{REFERENCES}/002-focus.md": old("slug: 002-focus\n'id': 'KB-002'", "2023", "Focus is seen."),
    f"{REFERENCES}/Größe.md": old("id: KB-017", "v1", "# Size matters\n\nIt does."),
    f"{RETAINED}/contrast@2018.md": old("id: KB-001", "2018", "Contrast is 3.", "superseded"),
    f"{RETAINED}/contrast@2015.md": "Contrast is good, without frontmatter.\n",
    f"{RETAINED}/focus-then.md": old("slug: 002-focus", "2020", "Focus was seen.", "superseded"),
    "specs/a.md": '<spec-decision id="D-1">\n\nKB-001@2022, KB-001@2018, KB-001@2015, KB-002@2023,\n'
    "KB-002@2020, KB-017@v1.\n\n</spec-decision>\n",
}
TEXTS = {
    "KB-001": "Contrast is 4.5.",
    "KB-001@2022": "Contrast is 4.5.",
    "KB-001@2018": "Contrast is 3.",
    "KB-001@2015": "Contrast is good, without frontmatter.",
    "KB-002@2023": "Focus is seen.",
    "KB-002@2020": "Focus was seen.",
    "KB-017@v1": "# Size matters\n\nIt does.",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tree(tmp_path / "r", PACK)
    monkeypatch.chdir(root)
    return root


def run(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "migrate", *argv]) == code


def rules(root: Path, base: str = "") -> list[str]:
    report = validate(Settings(root=str(root)), request=Revisions(base=base))
    return [finding.rule for finding in report.findings]


def texts(corpus: Corpus) -> dict[str, str]:
    found = {}
    for token in TEXTS:
        identifier, at, edition = token.partition("@")
        led = body.document(corpus, corpus.find(identifier, edition if at else None))
        found[token] = led[1].text.strip() if led else "nothing"
    return found


def test_a_pack(root: Path, capsys: Capture) -> None:
    repository = Repository(root)
    repository.commit()
    before = files(root)
    assert texts(load(str(root))) == TEXTS
    was = rules(root)
    run("web", "--marketplace", "acme")
    assert capsys.readouterr().out == (
        f"changed {REFERENCES}/contrast.md\nchanged {REFERENCES}/002-focus.md\n"
        f"changed {REFERENCES}/Größe.md\n"
        f"changed {WEB}/SKILL.md\ncreated knowledge/index.md\n"
        f"removed {RETAINED}/contrast@2018.md\ncreated {RETAINED}/003-contrast@2018.md\n"
        f"removed {RETAINED}/contrast@2015.md\ncreated {RETAINED}/003-contrast@2015.md\n"
        f"removed {RETAINED}/focus-then.md\ncreated {RETAINED}/002-focus@2020.md\n"
        f"removed {WEB}/index.md\n"
        "the ids of web stand in knowledge/index.md now, and every citation leads where it did:\n"
        "  KB-001  003-contrast\n  KB-002  002-focus\n  KB-017  004-grosse\n"
        f"{RETAINED}/contrast@2015.md stays as it is: there is no frontmatter that could hold its slug\n"
    )
    after = files(root)
    assert (
        after.pop("knowledge/index.md")
        .decode()
        .endswith(
            HEADER + "| KB-001 | acme | web | 003-contrast | Contrast \\| colour | 2022 "
            "| web/references/contrast.md | |\n"
            "| KB-002 | acme | web | 002-focus | Focus | 2023 | web/references/002-focus.md | |\n"
            "| KB-017 | acme | web | 004-grosse | Size matters | v1 | web/references/Größe.md | |\n"
        )
    )
    assert (
        after.pop(f"{WEB}/SKILL.md")
        == before.pop(f"{WEB}/SKILL.md")
        + (
            "\n| Slug | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
            "| 003-contrast | Contrast \\| colour | How strong | 2022 | references/contrast.md |\n"
            "| 002-focus | Focus | | 2023 | references/002-focus.md |\n"
            "| 004-grosse | Size matters | | v1 | references/Größe.md |\n"
        ).encode()
    )
    moved = {
        "contrast@2018": "003-contrast@2018",
        "contrast@2015": "003-contrast@2015",
        "focus-then": "002-focus@2020",
    }
    for name, new in moved.items():
        before[f"{RETAINED}/{new}.md"] = before.pop(f"{RETAINED}/{name}.md")
    before.pop(f"{WEB}/index.md")
    named = {
        f"{REFERENCES}/contrast.md": (b"id: KB-001 # ours", b"slug: 003-contrast # ours"),
        f"{REFERENCES}/002-focus.md": (b"'id': 'KB-002'\n", b""),
        f"{REFERENCES}/Größe.md": (b"id: KB-017", b"slug: 004-grosse"),
        f"{RETAINED}/003-contrast@2018.md": (b"id: KB-001", b"slug: 003-contrast"),
    }
    for path, pair in named.items():
        before[path] = before[path].replace(*pair)
    assert after == before
    assert texts(load(str(root))) == TEXTS
    repository.git("add", "-A")
    assert set(was) - set(rules(root, "HEAD")) == {"corpus-registry", "corpus-edition-drift"}
    # All that is left is what was wrong with the document that has no frontmatter.
    assert set(rules(root, "HEAD")) == {"corpus-frontmatter", "corpus-staleness"}


def test_again(root: Path, capsys: Capture) -> None:
    run("web", "--marketplace", "acme")
    now = files(root)
    for argv, said in (
        (["web"], "this is so already: the documents of web have rows in knowledge/index.md\n"),
        (["--all"], "no pack is of an older kind: nothing is to be done\n"),
    ):
        capsys.readouterr()
        run(*argv)
        assert capsys.readouterr().out == said
    run("web", "--json")
    result = json.loads(capsys.readouterr().out)["result"]
    assert result == {"packs": [], "references": [], "retained": [], "removed": []}
    assert files(root) == now


def test_the_fixture(tmp_path: Path, capsys: Capture) -> None:
    root = tmp_path / "r"
    shutil.copytree(OLD, root)
    was = rules(root)
    run("office", "--marketplace", "acme", "--root", str(root), "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["result"] == {
        "packs": ["office"],
        "references": [
            {
                "id": "KB-001",
                "pack": "office",
                "slug": "001-hours",
                "edition": "2024",
                "path": "knowledge/office/references/hours.md",
                "status": "",
            }
        ],
        "retained": [],
        "removed": ["knowledge/office/index.md"],
    }
    # The fixture never had a hash, which is another matter.
    assert (was, rules(root)) == (["corpus-registry", "corpus-integrity"], ["corpus-integrity"])
    main(["corpus", "uri", "KB-001", "--root", str(root)])
    assert capsys.readouterr().out == "spectastic://acme/corpus/office/001-hours\n"


def test_a_dry_run(root: Path, capsys: Capture) -> None:
    before = files(root)
    run("web", "--marketplace", "acme", "--dry-run")
    assert files(root) == before
    patch = capsys.readouterr().out
    run("web", "--marketplace", "acme")
    other = Repository(root.parent / "other", PACK)
    tree(root.parent, {"x.patch": patch})
    other.git("apply", "../x.patch")
    assert files(other.root) == files(root)


TWO: Files = {
    "knowledge/yet/references/a.md": old("id: KB-003", "1", "# A\n\nA."),
    "knowledge/yet/references/b.md": old("id: KB-004\ntitle: Bee", "1", "B."),
}


def test_two_packs(root: Path, capsys: Capture) -> None:
    tree(root, TWO)
    before = files(root)
    run("yet", "--marketplace", "acme", code=2)
    said = capsys.readouterr().err
    assert "web is of an older kind too, and its citations would lead nowhere" in said
    assert "migrate them together: spectastic corpus migrate --all" in said
    assert files(root) == before
    run("--all", "--marketplace", "acme")
    assert "knowledge/yet/SKILL.md is new: say in its description when" in capsys.readouterr().out
    found = load(str(root))
    assert texts(found) == TEXTS
    assert {row.id: (row.slug, row.title) for row in found.rows.values() if row.plugin == "yet"} == {
        "KB-003": ("001-a", "A"),
        "KB-004": ("002-b", "Bee"),
    }
    assert "corpus-registry" not in rules(root)


def test_a_pack_that_nobody_could_cite(root: Path) -> None:
    """The registry had rows already, so this pack did not count; now it does."""
    tree(root, {"knowledge/index.md": HEADER + row(9, "1", "yet/references/009-x.md", "009-x")})
    tree(root, {"knowledge/yet/references/009-x.md": document("009-x", "1", "X.\n")})
    # What has no frontmatter is nowhere recognised under another name, so it could not be told from one lost.
    (root / RETAINED / "contrast@2015.md").unlink()
    Repository(root).commit()
    assert load(str(root)).find("KB-001", None).path == ""
    run("web")
    found = load(str(root))
    assert texts(found) == {**TEXTS, "KB-001@2015": "nothing"}
    assert found.rows["KB-001"].marketplace == "acme"
    assert found.find("KB-0009", "1").path == "knowledge/yet/references/009-x.md"
    assert "corpus-append-only" not in rules(root, "HEAD")


def test_a_pack_that_has_some_rows(root: Path) -> None:
    """The rest gets rows too; what is wrong with other packs is theirs."""
    line = "| KB-002 | acme | web | 002-focus | Focus | 2023 | web/references/002-focus.md | |\n"
    tree(root, {"knowledge/index.md": HEADER + line})
    tree(root, {f"knowledge/{name}/references/a.md": old("id: KB-050", "1", "A.") for name in ("x", "y")})
    (root / RETAINED / "contrast@2015.md").unlink()
    run("web")
    assert texts(load(str(root))) == {**TEXTS, "KB-001@2015": "nothing"}
    assert (root / "knowledge/index.md").read_text().startswith(HEADER + line + "| KB-001 | acme | web |")


def test_a_document_that_is_gone(root: Path, capsys: Capture) -> None:
    (root / REFERENCES / "contrast.md").unlink()
    (root / RETAINED / "contrast@2015.md").unlink()
    before = texts(load(str(root)))
    assert before["KB-001@2018"] == TEXTS["KB-001@2018"]
    run("web", "--marketplace", "acme")
    assert (
        f"KB-001 is marked orphaned, since {REFERENCES}/contrast.md is not there" in capsys.readouterr().out
    )
    found = load(str(root))
    assert found.rows["KB-001"].status == "orphaned"
    assert texts(found) == before
    assert not {"corpus-orphan", "corpus-registry"} & set(rules(root))


KEPT = [
    ("# Web\n\nOurs.\n\n" + INDEX, "says more than its table"),
    ("---\na: b\n---\n" + INDEX, "says more than its table"),
    ("# A\n# B\n" + INDEX, "says more than its table"),
    (INDEX + "| KB-1 | Odd | D | 1 | references/odd.md |\n", "has rows that do not count"),
]


@pytest.mark.parametrize(("index", "why"), KEPT)
def test_an_index_that_says_more(index: str, why: str, root: Path, capsys: Capture) -> None:
    tree(root, {f"{WEB}/index.md": index})
    run("web", "--marketplace", "acme")
    said = f"{WEB}/index.md is left, since it {why}: its ids do not count any more, take the table out"
    assert said in capsys.readouterr().out
    assert (root / WEB / "index.md").read_text() == index
    run("web")
    assert capsys.readouterr().out.startswith("this is so already")


def test_an_index_of_another_kind(root: Path) -> None:
    tree(root, {f"{WEB}/index.md": "# Notes\n", f"{REFERENCES}/contrast.md": old("id: KB-001", "2022", "C.")})
    run("web", "--marketplace", "acme")
    assert (root / WEB / "index.md").read_text() == "# Notes\n"


def test_what_cannot_be_written_stays(root: Path, capsys: Capture) -> None:
    """Frontmatter that no edit can change, an edition that no file name can hold, a name that is taken."""
    odd = old("? id\n: KB-001", "2022", "Contrast is 4.5.")
    tree(root, {f"{REFERENCES}/contrast.md": odd})
    tree(root, {f"{RETAINED}/then.md": old("slug: 002-focus", "'20:19'", "Then.", "superseded")})
    tree(root, {f"{RETAINED}/002-FOCUS@2020.md": old("slug: 002-x", "1", "Else.", "superseded")})
    tree(root, {f"{RETAINED}/002-focus@2021.md": old("slug: 002-focus", "2021", "In between.", "superseded")})
    run("web", "--marketplace", "acme")
    said = capsys.readouterr().out
    assert f"{REFERENCES}/contrast.md stays as it is, write slug: 003-contrast for its id: " in said
    assert f"{RETAINED}/then.md keeps its name: 002-focus@20:19.md has : in it" in said
    assert f"{RETAINED}/focus-then.md keeps its name: 002-focus@2020.md is taken" in said
    assert (root / REFERENCES / "contrast.md").read_text() == odd
    found = load(str(root))
    assert texts(found) == TEXTS
    assert found.find("KB-002", "2021").path == f"{RETAINED}/002-focus@2021.md"
    assert found.find("KB-002", "20:19").path == f"{RETAINED}/then.md"


def test_editions_that_nobody_would_choose(root: Path) -> None:
    """They have been cited, so they stay; what was not said is TODO."""
    tree(root, {f"{WEB}/index.md": INDEX + "| KB-001 | | | 2022/07 | references/contrast.md |\n"})
    tree(root, {f"{REFERENCES}/002-focus.md": old("id: KB-002", "TODO", "Focus.")})
    run("web", "--marketplace", "acme")
    found = load(str(root))
    assert [(row.title, row.edition) for row in found.rows.values()] == [
        ("003-contrast", "2022/07"),
        ("002-focus", "TODO"),
        ("Size matters", "v1"),
    ]
    assert found.find("KB-001", "2022/07").path == f"{REFERENCES}/contrast.md"


REFUSED: dict[str, tuple[Files, list[str], str, str]] = {
    "no-pack": ({}, [], "name one pack, or all of them", "spectastic corpus migrate PACK, or --all"),
    "pack-and-all": ({}, ["web", "--all"], "name one pack, or all of them", ""),
    "unknown": ({}, ["webb"], "there is no pack webb", "did you mean web?"),
    "a-path": ({}, ["../r"], "there is no pack ../r", "the packs are the folders of knowledge"),
    "no-marketplace": ({}, ["web"], "nobody says where the packs are published", "add --marketplace NAME"),
    "no-ids": (
        {"knowledge/new/references/a.md": "A.\n"},
        ["new"],
        "the documents of new carry no ids",
        "spectastic corpus add",
    ),
    "two-claims": (
        {"knowledge/yet/references/a.md": old("id: KB-001", "1", "A.")},
        ["--all"],
        f"KB-001 is claimed twice, by {WEB}/index.md:5 and by knowledge/yet/references/a.md:2",
        "decide which fact the id is",
    ),
    "claimed-by-a-row": (
        {
            "knowledge/index.md": HEADER + row(1, "1", "yet/a.md").replace("KB-0001", "KB-001"),
            "knowledge/yet/a.md": "A.\n",
        },
        ["web"],
        f"KB-001 is claimed twice, by knowledge/index.md:3 and by {WEB}/index.md:5",
        "decide which fact the id is",
    ),
    "path": (
        {f"{WEB}/index.md": INDEX + "| KB-001 | A | B | 1 | ../contrast.md |\n"},
        ["web"],
        f"{WEB}/index.md:3: the path of KB-001, web/../contrast.md, leaves the corpus",
        "write it relative to knowledge/",
    ),
    "a-registered-path": (
        {
            "knowledge/index.md": HEADER
            + "| KB-0009 | acme | web | 009-x | X | 1 | web/references/contrast.md | |\n"
        },
        ["web"],
        "009-x of the pack web is registered already, as KB-0009",
        "supersede",
    ),
    "skill": (
        {
            f"{WEB}/SKILL.md": "---\nname: web\ndescription: d\n---\n\n"
            + INDEX.replace("ID", "Name")
            + "| 001-x | X | D | 1 | references/x.md |\n"
        },
        ["web"],
        f"{WEB}/SKILL.md:6: the header of the slug map lacks Slug",
        "the header is",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    tree(root, more)
    before = files(root)
    given = [] if case in ("no-marketplace",) else ["--marketplace", "acme"]
    run(*argv, *given, code=2)
    said = capsys.readouterr().err
    assert message in said
    assert hint in said
    assert files(root) == before


def test_a_citation_that_would_be_lost(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan is held to what citations led to, whatever else goes wrong."""
    place = Workspace(str(root), "knowledge", load(str(root)))
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "_retain", lambda *_: None)
        with pytest.raises(CurateError, match="this would break the corpus: KB-001@2015 would not lead"):
            plan_migrate(place, "web", "acme")
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "_led", lambda *_: None)
        patch.setattr(migrate, "_retain", lambda *_: None)
        with pytest.raises(CurateError, match=r"this would break the corpus: .*KB-001@2015 led to"):
            plan_migrate(place, "web", "acme")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(tmp_path: Path) -> None:
    root = tmp_path / "r"
    shutil.copytree(OLD, root)
    tree(root, {"knowledge/office/references/superseded/hours@1.md": old("id: KB-001", "1", "9 to 12.")})

    def check(work: Path) -> None:
        corpus = load(str(work))
        assert corpus.editions("KB-001") == ("2024", "1")

    assert kill_everywhere(root, ["corpus", "migrate", "office", "--marketplace", "acme"], check) > 30


NAMES = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_characters="/\0"), st.sampled_from("|\"'\\*#-: 🎉אß")),
    min_size=1,
    max_size=40,
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@given(name=NAMES, title=NAMES)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_names_and_titles(name: str, title: str, hostile: Path) -> None:
    """What a citation leads to is the same, and the registry has no fault; or it is refused."""
    from spectastic.curate import documents

    path = f"knowledge/web/references/{name}.md"
    shutil.rmtree(hostile, ignore_errors=True)
    fields = {"id": "KB-007", "edition": "1", "title": title}
    try:
        tree(hostile, {path: documents.compose(fields, b"Text.\n")})
    except (CurateError, OSError):
        return
    before = load(str(hostile))
    place = Workspace(str(hostile), "knowledge", before)
    if not before.rows:
        return  # a hidden file
    try:
        plan = plan_migrate(place, "web", "acme")
    except CurateError:
        return
    after = place.with_changes(plan.changes).corpus
    assert after.find("KB-007", "1").path == path
    assert after.registry.problems == ()
    assert after.rows["KB-007"].title
    assert after.packs[0].entries[0].slug == after.rows["KB-007"].slug


FIELDS = [
    # frontmatter, what it is with slug: 1-a for the id, or why not
    ("id: KB-001\nb: c", "slug: 1-a\nb: c"),
    ("  id:   KB-001\t# ours\n  b: c", "  slug: 1-a\t# ours\n  b: c"),
    ("b: c\n\"id\" : 'KB-001'", "b: c\nslug: 1-a"),
    ("slug: x\nid: KB-001\nb: c", "slug: 1-a\nb: c"),
    ("b: c", "b: c\nslug: 1-a"),
    ("id: >\n  KB-001\nb: c", "slug: 1-a\nb: c"),
    ("slug: x\nid: >\n  KB-001\nb: c", "slug: 1-a\nb: c"),
    ("id: KB-001\nid: KB-002", None),
    ("{id: KB-001}", None),
]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("before", "after"), FIELDS)
def test_a_slug_for_an_id(before: str, after: str | None, mark: str, eol: str) -> None:
    from spectastic.curate.documents import with_field_for

    def whole(text: str) -> bytes:
        return f"{mark}---\n{text}\n---\n\nid: KB-001\n".replace("\n", eol).encode()

    if after is None:
        with pytest.raises(CurateError, match="the field id cannot be taken away"):
            with_field_for(whole(before), "id", "slug", "1-a")
    else:
        assert with_field_for(whole(before), "id", "slug", "1-a") == whole(after)
