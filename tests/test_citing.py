"""Which decisions cite what, and what tokens that stand nowhere lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, document, row
from hypothesis import given
from hypothesis import strategies as st
from trees import Link, tree

from benchmarks.generate import write
from spectastic.config import Settings
from spectastic.corpus import Corpus, load
from spectastic.corpus.model import Outcome
from spectastic.engine import validate
from spectastic.engine.citing import Citations, citing, every_decision, impact, mentions, pairs, state_after
from spectastic.engine.graph import graph
from spectastic.engine.tokens import ask, read
from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.model import State

if TYPE_CHECKING:
    from pathlib import Path


Files = dict[str, str | bytes | Link | None]

FILES: Files = {
    "knowledge/index.md": HEADER
    + row(1, "2", "web/references/001-x.md")
    + row(2, "1", "web/references/002-x.md")
    + row(3, "1", "web/references/003-x.md"),
    "knowledge/web/references/001-x.md": document("001-x", "2"),
    "knowledge/web/references/superseded/001-x@1.md": document("001-x", "1"),
    "knowledge/web/references/002-x.md": document("002-x", "1", status="not-citable-until-confirmed"),
}


def opened(root: Path, specs: Files, **settings: Any) -> tuple[Settings, Corpus]:
    tree(root, {**FILES, **specs})
    return Settings(str(root))._replace(**settings), load(str(root))


def decision(text: str, identifier: str = "D") -> str:
    return f'<spec-decision id="{identifier}">\n\n{text}\n\n</spec-decision>\n'


def told(found: Citations) -> list[str]:
    """Each citation in a line."""
    return [
        f"{decision.path}:{use.line}:{use.column} {decision.id} {use.text} {use.outcome.value} "
        f"{use.lands or '-'} {decision.state.value}"
        for decision, use in pairs(found)
    ]


#: What a spec says, and what cites KB-0001 in it.
SPECS: list[tuple[str, str, str, list[str]]] = [
    ("pinned", "a.md", decision("KB-0001@2"), ["a.md:3:1 D KB-0001@2 current 2 grounded"]),
    ("superseded", "a.md", decision("KB-0001@1"), ["a.md:3:1 D KB-0001@1 superseded 1 stale"]),
    ("bare", "a.md", decision("KB-0001."), ["a.md:3:1 D KB-0001 current 2 unpinned"]),
    ("dead", "a.md", decision("KB-0001@9"), ["a.md:3:1 D KB-0001@9 nothing - ungrounded"]),
    ("none", "a.md", decision("KB-0002@1"), []),
    ("a longer id", "a.md", decision("KB-00012@1"), []),
    ("a near miss", "a.md", decision("kb-0001@2 and KB 0001@2"), []),
    ("outside of decisions", "a.md", "KB-0001@2\n", []),
    ("hidden", "a.md", decision("<!-- KB-0001@2 -->"), []),
    ("in a sample", "a.md", f"```html\n{decision('KB-0001@2')}```\n", []),
    (
        "twice, and another one",
        "a.md",
        decision("KB-0001@2, KB-0001@2, KB-0001@1\nand KB-0002@1"),
        ["a.md:3:1 D KB-0001@2 current 2 stale", "a.md:3:23 D KB-0001@1 superseded 1 stale"],
    ),
    (
        "nested",
        "a.html",
        "<spec-decision id=a>KB-0001@2 <spec-decision id=b>KB-0001@1</spec-decision> KB-0001</spec-decision>",
        [
            "a.html:1:21 a KB-0001@2 current 2 unpinned",
            "a.html:1:51 b KB-0001@1 superseded 1 stale",
            "a.html:1:77 a KB-0001 current 2 unpinned",
        ],
    ),
    (
        "CRLF",
        "a.md",
        decision("öäü KB-0001@2").replace("\n", "\r\n"),
        ["a.md:3:5 D KB-0001@2 current 2 grounded"],
    ),
    ("in two", "a.md", decision("KB-00<b>01</b>@2"), ["a.md:3:1 D KB-0001@2 current 2 grounded"]),
    ("escaped", "a.md", decision("KB\\-0001@2"), ["a.md:3:1 D KB-0001@2 current 2 grounded"]),
    ("an entity", "a.html", decision("&#75;B-0001@2"), ["a.html:3:1 D KB-0001@2 current 2 grounded"]),
    ("emphasis", "a.md", decision("**KB**-0001@2"), ["a.md:3:3 D KB-0001@2 current 2 grounded"]),
]


@pytest.mark.parametrize(
    ("path", "text", "expected"), [case[1:] for case in SPECS], ids=[c[0] for c in SPECS]
)
def test_what_cites(path: str, text: str, expected: list[str], tmp_path: Path) -> None:
    found = citing(*opened(tmp_path, {path: text}), "KB-0001")
    assert told(found) == expected
    assert (found.specs, found.unread) == (1, ())


def test_a_decision_has_its_line_and_may_have_no_id(tmp_path: Path) -> None:
    text = "\n\n<spec-decision>\n\nKB-0001@2\n\n</spec-decision>\n"
    [found] = citing(*opened(tmp_path, {"a.md": text}), "KB-0001").decisions
    assert (found.id, found.line, found.inside) == (None, 3, True)


def test_text_around_decisions_counts_where_it_does_for_validate(tmp_path: Path) -> None:
    text = f"KB-0001@2\n\n{decision('KB-0001@1')}"
    opened_as = opened(tmp_path, {"a.md": text, "b.md": decision("KB-0002@1")}, citation_scope="document")
    found = citing(*opened_as, "KB-0001")
    assert told(found) == [
        "a.md:1:1 None KB-0001@2 current 2 grounded",
        "a.md:5:1 D KB-0001@1 superseded 1 stale",
    ]
    assert [decision.inside for decision, _ in pairs(found)] == [False, True]
    # Around the decision of b.md nothing is cited.
    assert [(d.path, d.inside) for d in every_decision(*opened_as).decisions] == [
        ("a.md", True),
        ("a.md", False),
        ("b.md", True),
    ]


def test_specs_are_those_of_validate(tmp_path: Path) -> None:
    specs = dict.fromkeys(("a.md", "archive/b.md", "drafts/c.md", "knowledge/d.md"), decision("KB-0001@2"))
    found = citing(*opened(tmp_path, {**specs}, exclude=("drafts/",)), "KB-0001")
    assert [decision.path for decision in found.decisions] == ["a.md"]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(decision("KB-0001@2"), encoding="utf-8")
    specs: Files = {
        "a.md": Link("../outside.md"),
        "b.md": None,
        "c.md": decision("KB-0001@2"),
        "d.md": b"\xff" + decision("KB-0001@2").encode(),
    }
    found = citing(*opened(tmp_path / "repository", specs), "KB-0001")
    assert [item.path for item in found.unread] == ["a.md", "b.md"]
    # What is not UTF-8 is read all the same, as validate does.
    assert [decision.path for decision in found.decisions] == ["c.md", "d.md"]


def test_a_spec_may_go_between_two_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from spectastic.source import Unreadable

    settings, corpus = opened(tmp_path, {"a.md": decision("KB-0001@2")})
    gone = Unreadable("a.md", "the file cannot be read: no such file or directory")
    monkeypatch.setattr("spectastic.engine.citing.read", lambda *_: gone)
    assert citing(settings, corpus, "KB-0001") == Citations((), 1, (gone,))


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    write(str(tmp_path / "big"), 120, 20)
    settings = Settings(str(tmp_path / "big"))
    alone, together = (every_decision(settings._replace(jobs=jobs), load(settings.root)) for jobs in (1, 2))
    assert alone == together
    assert len(alone.decisions) == 180


def test_a_large_tree_agrees_with_validate(tmp_path: Path) -> None:
    write(str(tmp_path / "big"), 120, 20)
    settings = Settings(str(tmp_path / "big"))
    corpus = load(settings.root)
    every = every_decision(settings, corpus)
    report = validate(settings)
    for state, number in report.decisions.items():
        assert sum(decision.state is state for decision in every.decisions) == number
    for identifier in corpus.rows:
        expected = [
            decision._replace(uses=tuple(use for use in decision.uses if use.id == identifier))
            for decision in every.decisions
        ]
        found = citing(settings, corpus, identifier)
        assert list(found.decisions) == [decision for decision in expected if decision.uses]
        assert found.specs == 120


#: Markup that a reader does not see between two characters.
GAPS = ["<b></b>", "<wbr>", "<!-- x -->", "**", "_", "\\", "`", "~~", "[", "](u.md)", "![", "<br>", "\0"]
CHARACTERS = [*"KB-0001", "@2"]


@given(
    st.dictionaries(st.integers(0, len(CHARACTERS)), st.sampled_from(GAPS), max_size=3),
    st.none() | st.integers(0, len(CHARACTERS) - 2),
    st.booleans(),
)
def test_a_file_that_cites_is_never_passed_over(
    gaps: dict[int, str], escaped: int | None, html: bool
) -> None:
    written = ""
    for at, character in enumerate(CHARACTERS):
        written += gaps.get(at, "") + (f"&#{ord(character)};" if at == escaped else character)
    source = Source("a.html" if html else "a.md", decision(written + gaps.get(len(CHARACTERS), "")).encode())
    cited = {citation.id for item in extract(source).decisions for citation in item.citations}
    assert mentions("KB-0001")(source.encoded) or "KB-0001" not in cited


DIVIDED = ["`KB`-0001@2", "~~KB-00~~01@2", "*K*B-0001@2", "[KB-](u.md)0001@2", "![KB](u.md)-0001@2"]
DIVIDED += ["KB-000<!-- -->1@2", "K&#66;-0001@2", "KB\\-0001@2", "KB-0<i>0</i>01@2"]


@pytest.mark.parametrize("text", DIVIDED)
def test_a_divided_citation_is_one(text: str) -> None:
    data = decision(text).encode()
    assert [cited.text for cited in extract(Source("a.md", data)).decisions[0].citations] == ["KB-0001@2"]
    assert mentions("KB-0001")(data)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KB-0001@2", True),
        ("see KB-00012", True),
        ("KB-0002@1, KB-0010 and KB-001.", False),
        ("100 KB, KB; (KB) KB-, KB-0 KB-00/", False),
        ("the BKB-000", False),
        ("KB-000*1*", True),
        ("&#48;", True),
        ("a & b", False),
        ("", False),
    ],
)
def test_which_files_are_read_closely(text: str, expected: bool) -> None:
    assert mentions("KB-0001")(text.encode()) is expected


def test_a_monstrous_id_is_looked_for_everywhere() -> None:
    assert mentions("KB-" + "1" * 100_000)(b"anything")


IMPACT = decision("KB-0001@2", "pins") + decision("KB-0001", "bare") + decision("KB-0001@1", "stale")
IMPACT += decision("KB-0001 and KB-0001@2", "both") + decision("KB-0001@2 and KB-0009@1", "dead")
IMPACT += decision("KB-0001 and KB-0001@1", "old and bare") + decision("KB-0001@7", "typo")


def test_impact(tmp_path: Path) -> None:
    found = impact(citing(*opened(tmp_path, {"a.md": IMPACT}), "KB-0001"))
    shown = [[f"{decision.id}: {use.text}" for decision, use in group] for group in found]
    assert shown == [
        ["pins: KB-0001@2", "both: KB-0001@2", "dead: KB-0001@2"],
        ["bare: KB-0001", "old and bare: KB-0001"],
        ["stale: KB-0001@1", "typo: KB-0001@7"],
    ]
    assert [state_after(decision) for decision, _ in found.pinned] == [
        State.STALE,
        State.STALE,
        State.UNGROUNDED,
    ]


def test_impact_says_what_superseding_does(tmp_path: Path) -> None:
    opened_as = opened(tmp_path, {"a.md": IMPACT})
    foretold = {
        decision.id: state_after(decision) for decision, _ in impact(citing(*opened_as, "KB-0001")).pinned
    }
    tree(
        tmp_path,
        {
            "knowledge/index.md": HEADER + row(1, "3", "web/references/001-x.md"),
            "knowledge/web/references/001-x.md": document("001-x", "3"),
            "knowledge/web/references/superseded/001-x@2.md": document("001-x", "2"),
        },
    )
    after = every_decision(opened_as[0], load(str(tmp_path)))
    assert {
        decision.id: decision.state for decision in after.decisions if decision.id in foretold
    } == foretold


def test_graph(tmp_path: Path) -> None:
    specs: Files = {
        "b.md": decision("KB-0001@2"),
        "a.md": decision("KB-0099@1 and KB-0100", "x") + decision("none", "y"),
        "c.md": "no decision\n",
        "d.md": None,
    }
    found = graph(*opened(tmp_path, specs))
    assert [(name, [entry.row.id for entry in entries]) for name, entries in found.packs] == [
        ("web", ["KB-0001", "KB-0002", "KB-0003"])
    ]
    assert [(path, [decision.id for decision in decisions]) for path, decisions in found.specs] == [
        ("a.md", ["x", "y"]),
        ("b.md", ["D"]),
    ]
    assert found.unregistered == ("KB-0099", "KB-0100")
    assert [item.path for item in found.unread] == ["d.md"]


#: A text, and what is read in it: token, outcome, edition, state and the rules that speak.
TOKENS: list[tuple[str, list[tuple[str, Outcome | None, str | None, State, list[str]]]]] = [
    ("KB-0001@2", [("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, [])]),
    ("KB-0001@2.", [("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, [])]),
    ("KB-0001@1", [("KB-0001@1", Outcome.SUPERSEDED, "1", State.STALE, ["corpus-staleness"])]),
    ("KB-0001", [("KB-0001", Outcome.CURRENT, "2", State.UNPINNED, ["corpus-citation-form"])]),
    ("KB-0001@9", [("KB-0001@9", Outcome.NOTHING, "9", State.UNGROUNDED, ["corpus-provenance"])]),
    ("KB-0002@1", [("KB-0002@1", Outcome.CURRENT, "1", State.GROUNDED, ["corpus-not-citable"])]),
    ("KB-0003@1", [("KB-0003@1", Outcome.NOTHING, "1", State.UNGROUNDED, ["corpus-provenance"])]),
    (
        "(KB-0001@2,KB-0001@1)",
        [
            ("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, []),
            ("KB-0001@1", Outcome.SUPERSEDED, "1", State.STALE, ["corpus-staleness"]),
        ],
    ),
    ("kb-0001@2", [("kb-0001@2", None, None, State.UNGROUNDED, ["corpus-citation-form"])]),
    (
        "kb-0001@9 KB-0001@2",
        [
            ("kb-0001@9", None, None, State.UNGROUNDED, ["corpus-provenance", "corpus-citation-form"]),
            ("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, []),
        ],
    ),
    ("KB-0001@2\u2013", [("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, [])]),
    ("<!-- KB-0001@2 -->", [("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, [])]),
    ("ö\udcff\ud800 KB-0001@2", [("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, [])]),
    ("\ufeffKB-0001@2", [("KB-0001@2", Outcome.CURRENT, "2", State.GROUNDED, [])]),
    ("nothing", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), TOKENS, ids=[ascii(case[0]) for case in TOKENS])
def test_tokens(
    text: str, expected: list[tuple[str, Outcome | None, str | None, State, list[str]]], tmp_path: Path
) -> None:
    _, corpus = opened(tmp_path, {})
    shown = [
        (
            answer.text,
            None if answer.resolution is None else answer.resolution.outcome,
            None if answer.resolution is None else answer.resolution.edition,
            answer.state,
            [finding.rule for finding in answer.findings],
        )
        for answer in read(text, corpus)
    ]
    assert shown == expected
    for answer in read(text, corpus):
        outcome = None if answer.resolution is None else answer.resolution.outcome
        assert answer.found is (outcome in (Outcome.CURRENT, Outcome.SUPERSEDED))


@given(st.text(max_size=40))
def test_any_text_can_be_asked(text: str) -> None:
    corpus = load("/nowhere")
    for token in (text, f"KB-0001@{text}", f"KB-0001{text}"):
        read(token, corpus)
        ask(token, corpus)


ASKED: list[tuple[str, Outcome | None]] = [
    ("KB-0001", Outcome.CURRENT),
    ("KB-0001@2", Outcome.CURRENT),
    ("KB-0001@1", Outcome.SUPERSEDED),
    # Exactly this, and not as somebody would read it in prose.
    ("KB-0001@2.", Outcome.NOTHING),
    ("KB-0001@", None),
    (" KB-0001", None),
    ("KB-0001 ", None),
    ("KB-1", None),
    ("", None),
]


@pytest.mark.parametrize(("token", "outcome"), ASKED)
def test_asking_for_one(token: str, outcome: Outcome | None, tmp_path: Path) -> None:
    _, corpus = opened(tmp_path, {})
    answer = ask(token, corpus)
    assert (None if answer is None or answer.resolution is None else answer.resolution.outcome) is outcome
