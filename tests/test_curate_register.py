"""Registering documents: what is refused, what is written, and that it is read back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, corpus, document, row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import Link

from spectastic.config import Settings
from spectastic.curate import documents, packs, refusals, register, tables
from spectastic.curate.plan import CurateError
from spectastic.curate.register import Entry
from spectastic.curate.workspace import Workspace
from spectastic.engine import validate
from spectastic.spec.citation import Token, find

if TYPE_CHECKING:
    from pathlib import Path

    Files = dict[str, str | bytes | Link | None]

FIELDS = {"origin": "Example body", "origin-url": "https://example.org", "license": "CC0-1.0"}
FIELDS |= {"converter": "by hand", "status": "authoritative"}


def workspace(root: Path, files: Files, *rows: str) -> Workspace:
    return Workspace(str(root), "knowledge", corpus(root, files, *rows))


def entry(slug: str = "001-a", edition: str = "2024", pack: str = "web", **more: str) -> Entry:
    data = documents.compose({**FIELDS, "slug": slug, "edition": edition}, b"A fact.\n")
    return Entry(pack, slug, **{"title": "A", "marketplace": "acme", **more}, edition=edition, data=data)


def write(place: Workspace, *entries: Entry) -> tuple[str, ...]:
    """Register, write to the disk, and give the ids."""
    done = register.register(place, entries)
    for change in done.changes:
        path = place.root + "/" + change.path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(change.after or b"")
    return done.ids


def findings(root: Path) -> list[str]:
    return [f"{f.rule} {f.path}: {f.message}" for f in validate(Settings(root=str(root))).findings]


def test_into_nothing(tmp_path: Path) -> None:
    place = workspace(tmp_path, {})
    assert write(place, entry(), entry("002-b", pack="more"), entry("002-b")) == (
        "KB-0001",
        "KB-0002",
        "KB-0003",
    )
    assert findings(tmp_path) == []
    text = (tmp_path / "knowledge/web/SKILL.md").read_text()
    assert "| 002-b | A | | 2024 | references/002-b.md |\n" in text
    assert "description: References on web, each with" in text
    assert (tmp_path / "knowledge/more/SKILL.md").exists()


def test_ids_that_were_given_before(tmp_path: Path) -> None:
    files: Files = {
        "knowledge/index.md": HEADER + "| KB-0007 | too | short |\n",
        "knowledge/web/references/superseded/001-x@0.md": document(edition="0", id="KB-0012"),
    }
    assert write(workspace(tmp_path, files), entry(), entry("002-b")) == ("KB-0013", "KB-0014")


def test_an_id_that_a_document_has_already(tmp_path: Path) -> None:
    place = workspace(tmp_path, {})
    assert write(place, entry(), entry("002-b", id="KB-007")) == ("KB-0008", "KB-007")
    assert findings(tmp_path) == []
    with pytest.raises(CurateError, match="KB-007 is registered already: acme · web · 002-b"):
        register.register(workspace(tmp_path, {}), [entry("003-c", id="KB-007")])


def test_nothing(tmp_path: Path) -> None:
    assert register.register(workspace(tmp_path, {}), []) == ((), (), ())


def test_into_what_is_there(tmp_path: Path) -> None:
    index = "\ufeffOurs.\r\n\r\n" + HEADER.replace("\n", "\r\n") + "\r\nThe end.\r\n"
    skill = "---\nname: web # ours\ndescription: Twenty characters and more.\n---\n\nNo map yet."
    place = workspace(tmp_path, {"knowledge/index.md": index, "knowledge/web/SKILL.md": skill})
    write(place, entry(description="What | it says"))
    written = "| KB-0001 | acme | web | 001-a | A | 2024 | web/references/001-a.md | |\r\n"
    before, _, after = index.rpartition("\r\nThe end")
    assert (tmp_path / "knowledge/index.md").read_bytes().decode() == f"{before}{written}\r\nThe end{after}"
    mapped = tables.head(("Slug", "Title", "Description", "Edition", "Path"))
    row = "| 001-a | A | What \\| it says | 2024 | references/001-a.md |\n"
    assert (tmp_path / "knowledge/web/SKILL.md").read_text() == f"{skill}\n\n{mapped}{row}"
    assert findings(tmp_path) == []


def test_into_files_without_tables(tmp_path: Path) -> None:
    files: Files = {"knowledge/index.md": "# Ours\r\n", "knowledge/web/SKILL.md": b""}
    write(workspace(tmp_path, files), entry())
    text = (tmp_path / "knowledge/index.md").read_bytes()
    assert text.startswith(b"# Ours\r\n\r\n| KB-NNNN |")
    assert text.count(b"\r\n") == text.count(b"\n") == 5
    assert (tmp_path / "knowledge/web/SKILL.md").read_text().startswith("---\nname: web\n")
    assert findings(tmp_path) == []


def test_a_slug_map_that_knows_it_already(tmp_path: Path) -> None:
    head = "---\nname: web\ndescription: Twenty characters and more.\n---\n\n"
    known = "| Slug | Title | Description | Edition | Path |\n|-|-|-|-|-|\n"
    known += "| 001-a | Theirs | | 1 | references/old.md |\n"
    place = workspace(tmp_path, {"knowledge/web/SKILL.md": head + known})
    write(place, entry(description="New"))
    row = "| 001-a | Theirs | New | 2024 | references/001-a.md |\n"
    assert (tmp_path / "knowledge/web/SKILL.md").read_text().endswith("|-|-|-|-|-|\n" + row)
    assert findings(tmp_path) == []


REFUSED: dict[str, tuple[list[Entry], str, str]] = {
    "slug": ([entry("a")], "a is no slug", "a slug is digits"),
    "no-slug": ([entry("")], "an empty text is no slug", "a slug is digits"),
    "edition-blank": (
        [entry(edition="May 2024")],
        "the edition May 2024 cannot be cited: a blank",
        "choose",
    ),
    "no-edition": ([entry(edition="")], "the edition (none) cannot be cited", "choose"),
    "edition-id": ([entry(edition="x-KB-0001")], "cannot be cited", "choose"),
    "edition-file": (
        [entry(edition="a:b")],
        "001-a@a:b.md has : in it, which Windows allows in no name",
        "choose",
    ),
    "edition-long": ([entry(edition="x" * 200)], "is 209 bytes long", "choose"),
    "edition-unseen": (
        [entry(edition="a\u2066b")],
        "U+2066 LEFT-TO-RIGHT ISOLATE is hidden inside it",
        "choose",
    ),
    "title": ([entry(title=" \n")], "001-a has no title", ""),
    "marketplace": ([entry(marketplace="TODO")], "001-a has no marketplace", ""),
    "pack": ([entry(pack="a b")], "a pack cannot be named a b", "lower-case words and hyphens"),
    "no-pack": ([entry(pack="")], "a pack cannot be named (nothing): the name is no name", ""),
    "pack-long": ([entry(pack="x" * 65)], "a pack cannot be named xxx", "at most 64"),
    "pack-case": ([entry(pack="WEB")], "a pack cannot be named WEB: the name differs from web only", ""),
    "pack-device": ([entry(pack="con")], "is a device on Windows", ""),
    "pack-outside": ([entry(pack="../x")], "has / in it", ""),
    "registered": (
        [entry("001-x")],
        "001-x of the pack web is registered already, as KB-0001",
        "supersede KB-0001",
    ),
    "registered-case": ([entry("001-X")], "001-x of the pack web is registered already", "supersede"),
    "plugin": (
        [entry("001-x", pack="other", plugin="web")],
        "is registered already, as KB-0001",
        "supersede",
    ),
    "path": (
        [entry("002-x")._replace(path="knowledge/web/references/001-x.md")],
        "001-x of the pack web is registered already",
        "supersede",
    ),
    "twice": ([entry(), entry()], "001-a is to be registered twice in the pack web", ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, tmp_path: Path) -> None:
    entries, message, hint = REFUSED[case]
    place = workspace(
        tmp_path,
        {"knowledge/web/references/001-x.md": document()},
        row(1, "2024-05-28", "web/references/001-x.md"),
    )
    with pytest.raises(CurateError) as error:
        register.register(place, entries)
    assert message in error.value.message
    assert hint in error.value.hint


def test_an_id_that_would_lead_nowhere(tmp_path: Path) -> None:
    """The folder of the pack is a link out of the corpus, where nothing is read."""
    place = workspace(tmp_path, {"packs/web/SKILL.md": "", "knowledge/web": Link("../packs/web")})
    with pytest.raises(
        CurateError, match=r"KB-0001@2024 would not lead to knowledge/web/references/001-a\.md"
    ):
        register.register(place, [entry()])


def test_the_same_plugin_from_two_marketplaces(tmp_path: Path) -> None:
    place = workspace(tmp_path, {})
    other = entry(pack="web-other", plugin="web", marketplace="other")
    assert write(place, entry(plugin="web"), other) == ("KB-0001", "KB-0002")
    assert findings(tmp_path) == []


CORPORA: dict[str, tuple[Files, str, str]] = {
    "conflict": (
        {"knowledge/index.md": "# A\n\n<<<<<<< a\n" + HEADER + "=======\n>>>>>>> b\n"},
        "knowledge/index.md:3: a merge conflict is left here",
        "keep one side",
    ),
    "single-layer": (
        {"knowledge/old/references/a.md": document(id="KB-001")},
        "this corpus is of an older kind: KB-001 has its id from knowledge/old/references/a.md",
        "`spectastic corpus migrate old` gives its documents rows in a registry",
    ),
    "no-columns": (
        {"knowledge/index.md": "| ID | Slug | Title | Edition | Path |\n|-|-|-|-|-|\n"},
        "the registry in knowledge/index.md has no column Marketplace, Plugin",
        "its header is",
    ),
    "no-id-column": (
        {
            "knowledge/index.md": (
                "\n| What | Plugin | Marketplace | Slug | Title | Edition | Path |\n|-|-|-|-|-|-|-|\n"
                "| KB-0001 | w | a | s | t | e | p |\n"
            )
        },
        "knowledge/index.md:2: the header of the registry lacks KB-NNNN",
        "the header is",
    ),
    "not-utf8": ({"knowledge/index.md": b"\xff"}, "knowledge/index.md: the file is not UTF-8", "save it"),
    "folder": ({"knowledge/index.md": None}, "knowledge/index.md: this is a directory", ""),
    "skill": ({"knowledge/web/SKILL.md": None}, "knowledge/web/SKILL.md: this is a directory", ""),
}


@pytest.mark.parametrize("case", CORPORA)
def test_corpora_that_cannot_be_written_to(case: str, tmp_path: Path) -> None:
    files, message, hint = CORPORA[case]
    with pytest.raises(CurateError) as error:
        register.register(workspace(tmp_path, files), [entry()])
    assert message in error.value.message
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("rows", "published", "wanted"),
    [
        ([("web", "acme"), ("other", "else")], "", "acme"),
        ([("web", "acme"), ("web", "else")], "", ""),
        ([("a", "acme"), ("b", "acme")], "", "acme"),
        ([("a", "acme"), ("b", "else")], '{"name": "ours"}', "ours"),
        ([("a", "")], '{"name": "ours"}', "ours"),
        ([], '{"name": 1}', ""),
        ([], "{", ""),
        ([], "[]", ""),
        ([], "", ""),
    ],
)
def test_default_marketplace(
    rows: list[tuple[str, str]], published: str, wanted: str, tmp_path: Path
) -> None:
    lines = [
        f"| KB-{n:04d} | {where} | {pack} | 00{n}-x | T | 1 | p | |\n"
        for n, (pack, where) in enumerate(rows, 1)
    ]
    files: Files = {"knowledge/marketplace.json": published} if published else {"x": "y"}
    assert packs.default_marketplace(workspace(tmp_path, files, *lines), "web") == wanted


SLUGS: Files = {
    "knowledge/web/SKILL.md": tables.new_skill("web", "x" * 30)
    + "| 012-map | T | D | 1 | references/x.md |\n",
    "knowledge/web/references/notes.md": document("003-field"),
    "knowledge/web/references/007-file.md": document(""),
    "knowledge/web/references/superseded/009-old@1.md": document("009-old", "1"),
    "knowledge/web/references/superseded/20240528-dated@1.md": document("20240528-dated", "1"),
    "knowledge/other/references/055-x.md": document("055-x"),
}


def test_next_slug(tmp_path: Path) -> None:
    place = workspace(tmp_path, SLUGS, row(1, "1", "web/references/013-x.md", "013-row"))
    known = packs.slugs(place, "web")
    assert set(known) == {
        *("012-map", "003-field", "notes", "007-file", "009-old", "20240528-dated", "013-row"),
    }
    assert packs.next_slug(known, "new-words") == "014-new-words"
    assert packs.next_slug(known, "002-new") == "002-new"
    assert packs.next_slug(packs.slugs(place, "new"), "3d-print") == "001-3d-print"


_TITLES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(
    lambda text: tables.plain(text) not in ("", "TODO")
)
_EDITIONS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("|'\".,;()@"), min_size=1, max_size=30
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(title=_TITLES, description=_TITLES, edition=_EDITIONS, origin=_TITLES, number=st.integers(0, 99_999))
def test_what_is_registered_is_read_back(
    title: str,
    description: str,
    edition: str,
    origin: str,
    number: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    slug = f"{number}-Mixed-case"
    if refusals.refuse_edition(slug, edition):
        token = next(find(f"KB-0001@{edition}"), None)
        cut = not isinstance(token, Token) or token.run != edition or edition not in (token.edition, "")
        odd = cut or (isinstance(token, Token) and token.fault) or any(c in edition for c in '<>:"/\\|?*')
        assert odd or not edition.isprintable() or len(edition.encode()) > 150
        edition = "2024-05-28"
    root = tmp_path_factory.mktemp("r")
    fields = {**FIELDS, "slug": slug, "edition": edition, "origin": origin}
    new = Entry("web", slug, title, edition, "acme", documents.compose(fields, b"A fact.\n"), description)
    (identifier,) = write(workspace(root, {}), new)
    assert [line for line in findings(root) if "corpus-instruction" not in line] == []
    read = workspace(root, {}).corpus
    found = read.find(identifier, edition)
    assert (found.outcome.value, found.edition) == ("current", edition)
    assert found.row is not None
    assert (found.row.title, found.row.slug) == (tables.plain(title), slug)
    (reference,) = read.references
    assert reference.value("origin") == origin
    (entry,) = read.packs[0].entries
    assert (entry.description, entry.edition) == (tables.plain(description), edition)
