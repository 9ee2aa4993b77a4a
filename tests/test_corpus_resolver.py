from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, cited, corpus, document, row, told
from trees import Link, tree

from spectastic.corpus import Corpus, load
from spectastic.corpus.model import Miss, Outcome
from spectastic.corpus.resolver import Resolver
from spectastic.findings import Span
from spectastic.spec.model import Citation, Decision, Malformed, Spec, State

if TYPE_CHECKING:
    from pathlib import Path

WEB = "knowledge/web/references"
OLD = f"{WEB}/superseded"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """KB-0001 with retained editions, KB-0002 without; see TOKENS for the rest."""
    files: dict[str, str | bytes | Link | None] = {
        f"{WEB}/001-x.md": document(),
        f"{OLD}/001-x@2017-09-05.md": document(edition="2017-09-05"),
        f"{OLD}/001-x@rev(2).md": document(edition="rev(2)"),
        f"{OLD}/001-x@a,b.md": document(edition="a,b"),
        f"{OLD}/001-x@a.md": document(edition="a"),
        f"{OLD}/001-x@v1..md": document(edition="v1."),
        f"{OLD}/001-x@1.10.md": document(edition="1.10"),
        f"{OLD}/001-x@p@q.md": document(edition="p@q"),
        f"{OLD}/001-x@named.md": document(edition="declared"),
        f"{OLD}/001-x@TODO.md": document(edition="TODO"),
        f"{OLD}/001-x@.md": document(edition=""),
        f"{OLD}/any-name.md": document(edition="2001/02"),
        f"{OLD}/x2@on.md": document(slug="002-y", edition="on"),
        f"{OLD}/001-x@folder.md": None,
        f"{OLD}/001-x@dangling.md": Link("nowhere.md"),
        f"{OLD}/001-x@out.md": Link("../../../../outside.md"),
        f"{OLD}/.001-x@hidden.md": "x",
        f"{OLD}/001-x@text.txt": "x",
        f"{OLD}/999-z@2001.md": document(slug="999-z", edition="2001"),
        f"{OLD}/latin.md": b"---\nslug: 001-x\nedition: \xe9\n---\n",
        f"{WEB}/002-y.md": document("002-y", "2022-07-08"),
        f"{WEB}/003-z.md": document("003-z", "2023"),
        f"{OLD}/004-gone@2020.md": document("004-gone", "2020"),
        f"{OLD}/007-same@2024.md": document("007-same", "2024"),
        f"{WEB}/008-blank.md": document("008-blank", "2024"),
        f"{WEB}/009-todo.md": document("009-todo", "TODO"),
        "knowledge/web/notes/010-n.md": document("010-n", "2024"),
        "knowledge/web/notes/superseded/010-n@2023.md": document("010-n", "2023"),
        f"{WEB}/014-link.md": Link("001-x.md"),
        f"{WEB}/015-out.md": Link("../../../outside.md"),
        f"{WEB}/017-folder.md": None,
        "outside.md": "secret",
    }
    rows = [
        row(1, "2024-05-28", "web/references/001-x.md"),
        row(2, "2022-07-08", "web/references/002-y.md", "002-y"),
        row(3, "2023", "web/References/003-z.md", "003-z"),
        row(4, "2024", "web/references/004-gone.md", "004-gone", "orphaned"),
        row(5, "2024", "/etc/hostname"),
        row(6, "2024", "../outside.md"),
        row(7, "2024", "web/references/007-same.md", "007-same"),
        row(8, "", "web/references/008-blank.md", "008-blank"),
        row(9, "TODO", "web/references/009-todo.md", "009-todo"),
        row(10, "2024", "web/notes/010-n.md", "010-n"),
        row(11, "2024", ""),
        row(12, "2024", "knowledge/web/references/001-x.md"),
        row(13, "2024", "index.md"),
        row(14, "2024", "web/references/014-link.md", "014-link"),
        row(15, "2024", "web/references/015-out.md", "015-out"),
        row(16, "2024", "nowhere/references/016.md"),
        row(17, "2024", "web/references/017-folder.md", "017-folder"),
        row(2, "2099", "web/references/001-x.md", "020-duplicate"),
        "| KB-0018 | acme |\n",
    ]
    return corpus(tmp_path_factory.mktemp("facts"), files, *rows)


# A token as it stands in a text up to the next blank, and what it leads to.
TOKENS: list[tuple[str, str]] = [
    ("KB-0001@2024-05-28", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@2017-09-05", f"superseded 2017-09-05 {OLD}/001-x@2017-09-05.md"),
    ("KB-0002@2022-07-08", f"current 2022-07-08 {WEB}/002-y.md"),
    # Duplicate ids: the first row counts.
    ("KB-0002@2099", "nothing: no such edition"),
    # Editions are compared byte for byte, and never by what YAML would make of them.
    ("KB-0001@1.10", f"superseded 1.10 {OLD}/001-x@1.10.md"),
    ("KB-0001@1.1", "nothing: no such edition"),
    ("KB-0002@on", f"superseded on {OLD}/x2@on.md"),
    ("KB-0002@true", "nothing: no such edition"),
    ("KB-0001@2024-5-28", "nothing: no such edition"),
    ("KB-0001@2024-05-28T00:00:00", "nothing: no such edition"),
    ("KB-0001@2024", "nothing: no such edition"),
    # The longest edition that exists ends the token.
    ("KB-0001@2024-05-28.", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@2024-05-28),", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@2024-05-28's", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@2024-05-28”—and", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@2024-05-28](u.md)", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@2024-05-28/old", f"current 2024-05-28 {WEB}/001-x.md"),
    ("KB-0001@rev(2)", f"superseded rev(2) {OLD}/001-x@rev(2).md"),
    ("KB-0001@rev(2)).", f"superseded rev(2) {OLD}/001-x@rev(2).md"),
    ("KB-0001@a,b", f"superseded a,b {OLD}/001-x@a,b.md"),
    ("KB-0001@a,b,c", f"superseded a,b {OLD}/001-x@a,b.md"),
    ("KB-0001@a,c", f"superseded a {OLD}/001-x@a.md"),
    ("KB-0001@ab", "nothing: no such edition"),
    ("KB-0001@v1.", f"superseded v1. {OLD}/001-x@v1..md"),
    ("KB-0001@v1..", f"superseded v1. {OLD}/001-x@v1..md"),
    ("KB-0001@v1", "nothing: no such edition"),
    ("KB-0001@p@q", f"superseded p@q {OLD}/001-x@p@q.md"),
    # A retained document is found by its name and by its frontmatter; where they disagree, by both.
    ("KB-0001@named", f"superseded named {OLD}/001-x@named.md"),
    ("KB-0001@declared", f"superseded declared {OLD}/001-x@named.md"),
    ("KB-0001@2001/02", f"superseded 2001/02 {OLD}/any-name.md"),
    ("KB-0001@2001/02.", f"superseded 2001/02 {OLD}/any-name.md"),
    # For that row's slug only, and only documents inside the corpus.
    ("KB-0001@2001", "nothing: no such edition"),
    ("KB-0002@2017-09-05", "nothing: no such edition"),
    ("KB-0001@folder", "nothing: no such edition"),
    ("KB-0001@dangling", "nothing: no such edition"),
    ("KB-0001@out", "nothing: no such edition"),
    ("KB-0001@hidden", "nothing: no such edition"),
    ("KB-0001@text", "nothing: no such edition"),
    ("KB-0001@TODO", "nothing: no such edition"),
    ("KB-0001@../../../../outside", "nothing: no such edition"),
    ("KB-0001@\0", "nothing: no such edition"),
    # A path means the same on every file system.
    ("KB-0003@2023", "nothing: document missing (References is spelt references on disk)"),
    ("KB-0003", "nothing: document missing (References is spelt references on disk)"),
    # The document has gone, and an earlier edition is still there; orphaned changes nothing.
    ("KB-0004@2024", f"nothing: document missing (there is no 004-gone.md in {WEB})"),
    ("KB-0004@2020", f"superseded 2020 {OLD}/004-gone@2020.md"),
    ("KB-0004@2020,", f"superseded 2020 {OLD}/004-gone@2020.md"),
    ("KB-0004", f"nothing: document missing (there is no 004-gone.md in {WEB})"),
    ("KB-0004@2019", "nothing: no such edition"),
    ("KB-0007@2024", f"superseded 2024 {OLD}/007-same@2024.md"),
    # Paths that leave the corpus.
    ("KB-0005@2024", "nothing: path leaves the corpus (/etc/hostname)"),
    ("KB-0005@2025", "nothing: no such edition"),
    ("KB-0006", "nothing: path leaves the corpus (../outside.md)"),
    ("KB-0014@2024", f"current 2024 {WEB}/014-link.md"),
    ("KB-0015@2024", "nothing: path leaves the corpus (it is a symbolic link that leads outside)"),
    # Rows that lack something.
    ("KB-0008", "nothing: no such edition (its row names no edition)"),
    ("KB-0008@2024", "nothing: no such edition"),
    ("KB-0009", "nothing: no such edition (its row names no edition)"),
    ("KB-0009@TODO", "nothing: no such edition (its row names no edition)"),
    ("KB-0011@2024", "nothing: document missing (its row has no Path)"),
    ("KB-0012@2024", "nothing: document missing (there is no knowledge in knowledge)"),
    ("KB-0016@2024", "nothing: document missing (there is no nowhere in knowledge)"),
    ("KB-0017@2024", f"nothing: document missing ({WEB}/017-folder.md is a folder)"),
    # Elsewhere in the corpus.
    ("KB-0010@2024", "current 2024 knowledge/web/notes/010-n.md"),
    ("KB-0010@2023", "superseded 2023 knowledge/web/notes/superseded/010-n@2023.md"),
    # Ids are compared as strings.
    ("KB-001@2024-05-28", "nothing: no such id"),
    ("KB-00001@2024-05-28", "nothing: no such id"),
    ("KB-9999", "nothing: no such id"),
    ("KB-0018@2024", "nothing: no such id (KB-0018 has 2 cells where the header has 8)"),
]


@pytest.mark.parametrize(("token", "expected"), TOKENS)
def test_tokens(facts: Corpus, token: str, expected: str) -> None:
    found = facts.resolve(cited(token))
    assert told(found) == expected
    assert found.id == token[: len(found.id)]
    assert found.row is (facts.rows.get(found.id))
    reference = facts.reference_for(found)
    if found.outcome is Outcome.NOTHING:
        assert (found.path, reference) == ("", None)
    else:
        assert reference is not None
        assert reference.path == found.path
        assert reference.superseded is (found.outcome is Outcome.SUPERSEDED)
        assert reference.pack == "web"
        assert found.edition is not None
        assert facts.find(found.id, found.edition)[:3] == found[:3]


def test_answers_do_not_depend_on_the_order_of_questions(facts: Corpus) -> None:
    again = load(facts.root)
    for token, expected in reversed(TOKENS):
        assert told(again.resolve(cited(token))) == expected


def test_editions(facts: Corpus) -> None:
    assert facts.editions("KB-0001") == (
        *("2024-05-28", "v1.", "rev(2)", "p@q", "named", "declared", "a,b", "a", "2017-09-05"),
        *("2001/02", "1.10"),
    )
    assert facts.editions("KB-0002") == ("2022-07-08", "on")
    assert facts.editions("KB-0004") == ("2020",)
    assert facts.editions("KB-0005") == ()
    assert facts.editions("KB-9999") == ()


def test_a_row_may_point_at_any_file_of_the_corpus(facts: Corpus) -> None:
    # And what a row points at is checked like every reference, so that this is no way around.
    assert told(facts.resolve(cited("KB-0013@2024"))) == "current 2024 knowledge/index.md"
    assert "knowledge/index.md" in {reference.path for reference in facts.references}


def test_spans_of_settled_citations(facts: Corpus) -> None:
    for token, edition in [
        ("KB-0001@rev(2)),", "rev(2)"),
        ("KB-0001@a,c", "a"),
        ("KB-0001@nothing,x", "nothing"),
        ("KB-0001", None),
        ("KB-0001@v1.", "v1."),
    ]:
        citation = cited(token)
        decision = Decision(None, None, Span(0, 1), (citation, citation))
        spec = facts.settle(Spec("a.md", (decision,), loose=decision))
        assert spec.path == "a.md"
        assert spec.loose is not None
        for place in (*spec.decisions, spec.loose):
            assert len(place.citations) == 2
            for settled in place.citations:
                assert settled.edition == edition
                assert settled.span.end == (7 if edition is None else 8 + len(edition))
    assert facts.settle(Spec("a.md")) == Spec("a.md")


def test_odd_spellings_count_where_nothing_resolves(facts: Corpus) -> None:
    def misspelt(token: str, start: int) -> Citation:
        place = Span(start, start + len(token))
        return cited(token)._replace(span=place, spelling=Malformed(token, place, place, "odd", None))

    right, wrong, plain = misspelt("KB-0001@a,b", 40), misspelt("KB-0001@b–b", 20), cited("KB-0001@nothing")
    earlier = Malformed("kb-1", Span(30, 34), Span(30, 32), "KB is upper case", None)
    decision = Decision(None, None, Span(0, 1), (plain, wrong, right), (earlier,))
    settled = facts.settle(Spec("a.md", (decision,))).decisions[0]
    assert [citation.edition for citation in settled.citations] == ["nothing", "a,b"]
    assert [malformed.span.start for malformed in settled.malformed] == [20, 30]


CURRENT, OLDER, BARE, DEAD, BARE_DEAD = (
    *("KB-0002@2022-07-08", "KB-0001@2017-09-05", "KB-0001", "KB-0009@2099-01-01", "KB-9999"),
)
MALFORMED = Malformed("kb-0001", Span(0, 7), Span(0, 2), "KB is upper case", "KB-0001")
STATES: list[tuple[list[str], bool, State]] = [
    ([], False, State.ASSUMED),
    ([CURRENT], False, State.GROUNDED),
    ([CURRENT, "KB-0001@2024-05-28"], False, State.GROUNDED),
    ([CURRENT, BARE], False, State.UNPINNED),
    ([BARE, OLDER], False, State.STALE),
    ([OLDER, CURRENT], False, State.STALE),
    ([OLDER, BARE, DEAD], False, State.UNGROUNDED),
    ([CURRENT, BARE_DEAD], False, State.UNGROUNDED),
    ([CURRENT], True, State.UNGROUNDED),
    ([], True, State.UNGROUNDED),
]


@pytest.mark.parametrize(("tokens", "malformed", "state"), STATES)
def test_grounding_states(facts: Corpus, tokens: list[str], malformed: bool, state: State) -> None:
    citations = tuple(cited(token) for token in tokens)
    decision = Decision("D-1", None, Span(0, 1), citations, (MALFORMED,) if malformed else ())
    assert facts.state(decision) is state


NO_CORPUS: list[tuple[dict[str, str | bytes | Link | None], str, str]] = [
    ({}, "knowledge", "there is no knowledge in the repository"),
    ({"knowledge": None}, "knowledge", ""),
    ({"knowledge/Index.md": HEADER}, "knowledge", "index.md is spelt Index.md on disk"),
    ({"Knowledge/index.md": HEADER}, "knowledge", "Knowledge is spelt"),
    ({"knowledge": "a file"}, "knowledge", "knowledge is no folder"),
    ({"knowledge/index.md": None}, "knowledge", "it is a folder"),
    ({"knowledge/index.md": Link("../index.md"), "index.md": HEADER}, "knowledge", "leads outside"),
    ({"knowledge/index.md": Link("index.md")}, "knowledge", "leads in a circle"),
    ({"knowledge/index.md": b"x" * 20_000_001}, "knowledge", "the file is too large"),
    ({"knowledge": Link("/etc")}, "knowledge", "leads outside"),
    ({}, "../knowledge", "outside of the repository"),
]


@pytest.mark.parametrize(("files", "folder", "detail"), NO_CORPUS, ids=range(len(NO_CORPUS)))
def test_no_registry_never_fails_open(
    tmp_path: Path, files: dict[str, str | bytes | Link | None], folder: str, detail: str
) -> None:
    found = corpus(tmp_path, files, folder=folder)
    for token in ("KB-0001@2024-05-28", "KB-0001"):
        resolution = found.resolve(cited(token))
        assert resolution.miss is Miss.NO_REGISTRY
        assert (detail in resolution.detail) if detail != "Knowledge is spelt" else resolution.detail
        assert (resolution.detail == "") == (detail == "")
        assert found.state(Decision(None, None, Span(0, 1), (cited(token),))) is State.UNGROUNDED
    assert found.rows == {}
    assert found.nearest("KB-0001") is None
    assert found.editions("KB-0001") == ()


def test_a_registry_without_rows_is_a_registry(tmp_path: Path) -> None:
    found = corpus(tmp_path, {"knowledge/index.md": HEADER})
    assert told(found.resolve(cited("KB-0001@2024"))) == "nothing: no such id"


def test_the_corpus_folder_can_be_elsewhere(tmp_path: Path) -> None:
    files = {"docs/facts/web/references/001-x.md": document(), "knowledge/index.md": HEADER}
    rows = [row(1, "2024-05-28", "web/references/001-x.md")]
    found = corpus(tmp_path, files, *rows, folder="docs/facts/")
    assert (found.root, found.folder) == (str(tmp_path), "docs/facts")
    assert found.registry.path == "docs/facts/index.md"
    assert told(found.find("KB-0001", None)) == "current 2024-05-28 docs/facts/web/references/001-x.md"
    whole = corpus(
        tmp_path, {"index.md": HEADER + row(1, "1", "docs/facts/web/references/001-x.md")}, folder="."
    )
    assert whole.registry.path == "index.md"
    assert told(whole.find("KB-0001", "1")) == "current 1 docs/facts/web/references/001-x.md"
    reference = whole.reference_for(whole.find("KB-0001", "1"))
    assert reference is not None
    assert reference.pack == "docs"


def test_unreadable_documents_are_none(facts: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path.endswith("index.md"))
    resolution = load(facts.root).find("KB-0001", "2024-05-28")
    assert told(resolution) == "nothing: document missing (it cannot be read: permission denied)"


def test_one_citation_reads_little(facts: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    real = os.open

    def note(path: str, *rest: int) -> int:
        opened.append(os.path.relpath(path, facts.root))
        return real(path, *rest)

    monkeypatch.setattr(os, "open", note)
    fresh = load(facts.root)
    fresh.resolve(cited("KB-0001@2024-05-28"))
    fresh.resolve(cited("KB-0001@2017-09-05"))
    fresh.resolve(cited("KB-0001"))
    fresh.resolve(cited("KB-0004@2020"))
    fresh.resolve(cited("KB-9999@2020,x"))
    # The registry, and the documents that are cited: nobody can follow a citation to one that cannot be read.
    expected = [
        "knowledge/index.md",
        f"{WEB}/001-x.md",
        f"{OLD}/001-x@2017-09-05.md",
        f"{OLD}/004-gone@2020.md",
    ]
    assert opened == expected
    fresh.resolve(cited("KB-0001@2001/02"))
    assert f"{OLD}/any-name.md" in opened
    count = len(opened)
    fresh.resolve(cited("KB-0001@2099"))
    assert len(opened) == count


def test_a_fixed_corpus_is_seen_at_once(tmp_path: Path) -> None:
    found = corpus(tmp_path, {"knowledge/web": None}, row(1, "2024", "web/references/001-x.md"))
    assert found.find("KB-0001", "2024").miss is Miss.DOCUMENT_MISSING
    tree(tmp_path, {f"{WEB}/001-x.md": document()})
    assert load(str(tmp_path)).find("KB-0001", "2024").outcome is Outcome.CURRENT


def test_a_corpus_travels_to_another_process(facts: Corpus) -> None:
    assert facts.packs
    other = pickle.loads(pickle.dumps(load(facts.root, "knowledge", frozenset(["Zlib"]))))
    assert (other.root, other.folder, other.licenses) == (facts.root, "knowledge", {"Zlib"})
    assert told(other.find("KB-0001", None)) == told(facts.find("KB-0001", None))


def test_hostile_runs(facts: Corpus) -> None:
    for run in ("," * 1_000_000, "2024-05-28" + ",x" * 500_000, "a" * 1_000_000):
        found = facts.resolve(Citation("KB-0001", "x", Span(0, 9), run))
        assert (found.outcome is Outcome.CURRENT) == run.startswith("2024-05-28")


def test_many_citations_of_many_editions(tmp_path: Path) -> None:
    files = {f"{OLD}/001-x@{n}.md": "" for n in range(300)}
    found = corpus(tmp_path, files, row(1, "2024", "web/references/001-x.md"))
    for n in range(3_000):
        outcome = found.resolve(Citation("KB-0001", "x", Span(0, 9), f"{n}.")).outcome
        assert outcome is (Outcome.SUPERSEDED if n < 300 else Outcome.NOTHING)


def test_documents_that_carry_an_id_instead_of_a_slug(tmp_path: Path) -> None:
    """What was retained in an older corpus is still found after its rows went into a registry."""
    text = "---\nid: KB-0001\nedition: 2010\n---\n"
    files: dict[str, str | bytes | Link | None] = {
        f"{OLD}/old-name.md": text,
        f"{OLD}/other.md": text.replace("2010", "2011").replace("id:", "slug: 009-other\nid:"),
    }
    found = corpus(
        tmp_path, files, row(1, "2024", "web/references/001-x.md"), row(2, "2024", "web/references/002-x.md")
    )
    assert found.editions("KB-0001") == ("2010",)
    assert found.editions("KB-0002") == ()
    blank = corpus(tmp_path / "b", files, row(1, "2024", "web/references/001-x.md").replace("001-x |", " |"))
    assert blank.editions("KB-0001") == ("2010",)


def test_the_resolver_says_nothing_about_other_rows(facts: Corpus) -> None:
    assert isinstance(facts._resolver, Resolver)
    assert facts.find("", None).miss is Miss.NO_SUCH_ID
    assert facts.find("", None).detail == ""


def test_an_answer_does_not_hang_on_what_was_asked_before(tmp_path: Path) -> None:
    known = corpus(tmp_path, {"knowledge/web/1.md": document("001-x", "2")}, row(1, "2", "web/1.md"))
    # What somebody meant, which is not always what an author would read in the same run.
    meant = Citation("KB-0001", "1/", Span(0, 0), run="1/")
    assert known.resolve(cited("KB-0001@1/")).edition == "1"
    assert known.resolve(meant).edition == "1/"
