"""What a gap says, whatever that is, is shown where it belongs, word for word, or refused."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from repository import Repository
from trees import tree

from spectastic.authoring import compose, intake, templates
from spectastic.authoring.intake import Gap, Intake
from spectastic.authoring.model import AuthoringError, Draft
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.engine import validate
from spectastic.retrieval.model import Kind
from spectastic.retrieval.query import Query
from spectastic.retrieval.report import COLD

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]
DAY = date(2026, 3, 1)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(text: str, title: str) -> list[str]:
    """The list items, or the cells of the table, below a heading, as another parser shows them."""
    tokens = MARKDOWN.parse(text.split("---\n", 2)[2])
    found: list[str] = []
    inside = False
    for before, token in zip([tokens[0], *tokens], tokens, strict=False):
        if token.type == "inline" and before.type == "heading_open":
            inside = token.content == title and before.level == 0
        elif token.type == "inline" and inside:
            assert before.type in ("paragraph_open", "td_open", "th_open")
            parts = (" " if child.type == "softbreak" else child.content for child in token.children or ())
            found.append("".join(parts))
    return found


def lines(text: str) -> str:
    """A text as one line; a blank that holds words together stays one."""
    return re.sub(r"[ \t\r\n]+", " ", text.strip())


TEXTS = [
    "# How many?", "#", "###### x", "#1 of all", "1. First?", "1) First?", "12. ", "- How many?", "+ x",
    "* x", "-", "---", "***", "___", "- - -", "> Who?", ">", "```sh", "~~~", "    four blanks", "\ttab",
    "a\nb", "a\r\nb", "a | b", "|", "||", "\\|", "\\\\|", "a `b|c` d", "`a`", "a ` b", "``", "<b>x</b>",
    "<!-- x", "<!-- spectastic: ignore-file corpus-integrity -- x -->", "<br>", "<spec-decision>",
    "</ul>", "a & b", "&amp;", "&#35;", "*a*", "**a**", "_a_", "a_b_c", "__a", "a * b * c", "~~a~~",
    "~10 minutes", "~a~", "[x]", "[ ] x", "[a](b)", "[a]: b", "![a](b)", "[^1]",
    "a\\", "\\", "\\*a\\*", "C:\\dir\\*", "http://a_b.example/_x_", "a  b", "=", "===", "é 😀 日本",
    "a\u00a0b", "\"a\"", "'a'", "YYYY-MM-DD", "$x$ and {y}", ": a", "KB-0001@9", "REQ-999 is late",
    "a, b)", "(a", "status: draft", "| a |\n|---|\n| b |", "Ignore the tags", "a:::", "@x", "%%", "..",
    "1.",
]  # fmt: skip


@pytest.mark.parametrize("disposition", ["open", "assumed", "answered"])
def test_any_text_is_shown_where_it_belongs(
    disposition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = Repository(tmp_path / "r", {"a": ""}).root
    monkeypatch.chdir(root)
    gaps = [
        {"section": "# A | `b`", "severity": "blocking", "gap": text, "disposition": disposition}
        for text in TEXTS
    ]
    tree(root, {"n_1_ [x] `.txt": "x", "g.yaml": json.dumps(gaps, ensure_ascii=False)})
    assert main(["new", "T", "--tags", "", "--intake", "n_1_ [x] `.txt", "--gaps", "g.yaml"]) == 0
    [path] = root.rglob("requirement.md")
    text = path.read_text(encoding="utf-8")
    expected = [f"{lines(gap)} (from n_1_ [x] `.txt, A | `b`)" for gap in TEXTS]
    assert shown(text, "Assumptions") == (expected if disposition == "assumed" else [])
    assert shown(text, "Open Questions") == (
        [f"[ ] {line}" for line in expected] if disposition == "open" else []
    )
    assert shown(text, "Provenance")[8::4] == [lines(gap) for gap in TEXTS]
    capsys.readouterr()
    assert main(["validate"]) == 0, capsys.readouterr().out


pieces = st.sampled_from([*TEXTS, *"\\`*_{}[]<>()#+-.!|~&^$:='\"/", " ", "\n", "  ", "a", "1", "é"])
texts = st.one_of(st.lists(pieces, min_size=1, max_size=6).map("".join), st.text(min_size=1, max_size=20))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(texts, st.sampled_from(["open", "assumed"])), min_size=1, max_size=4), texts)
def test_what_is_accepted_is_seen(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, str]], where: str
) -> None:
    written = [
        {"section": where, "severity": "blocking", "gap": gap, "disposition": what} for gap, what in told
    ]
    try:
        gaps = intake.gaps(json.dumps(written, ensure_ascii=False), "g.yaml")
        basis = compose.Basis((COLD,), intake.checked(Intake("n.txt", "notes", DAY, gaps)))
    except AuthoringError as error:
        assert error.message.startswith(("g.yaml", "the gap "))  # noqa: PT017 - most texts are fine
        return
    path = ".adlc/specs/REQ-001-t/requirement.md"
    draft = Draft(Kind.SPEC, "T", Query(), DAY)
    template = templates.load("/nowhere", ".adlc", Kind.SPEC)
    data = compose.document(template, draft, "REQ-001", path, basis)
    for title, disposition, mark in (("Assumptions", "assumed", ""), ("Open Questions", "open", "[ ] ")):
        found = shown(data.decode(), title)
        expected = [
            f"{mark}{gap.gap} (from n.txt, {gap.section})" for gap in gaps if gap.disposition == disposition
        ]
        assert found == expected
    root = tree(tmp_path_factory.getbasetemp() / "property", {path: data, "spectastic.toml": ""})
    assert [finding.message for finding in validate(Settings(root=str(root))).findings] == []


REFUSED = [
    ("[Rule statement …]", "would be read as left to be filled in: [Rule statement …]"),
    ("<spec_decision id='x'>", "would be read as markup: <spec_decision> is text in Markdown"),
    ("a\n\nb", "g.yaml:1: the gap has an empty line in it"),
    ("- a\n  \n- b", "g.yaml:1: the gap has an empty line in it"),
    ("a\u202eb", "g.yaml:1: the gap has characters in it that cannot be seen"),
    ("a\u2028b", "g.yaml:1: the gap has characters in it that cannot be seen"),
    ("\u00a0", "g.yaml:1: the gap has no gap"),
    ("Is (informed by REQ-999) it?", "`Is (informed by REQ-999) it?` would be read as a citation of REQ-999"),
    ("[we are informed by BUG-1, LESSON-002]", "would be read as a citation of BUG-1"),
]  # fmt: skip


@pytest.mark.parametrize(("gap", "said"), REFUSED)
def test_texts_that_cannot_be_written(
    gap: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = Repository(tmp_path / "r", {"n.txt": "x"}).root
    monkeypatch.chdir(root)
    tree(
        root,
        {"g.yaml": json.dumps([{"section": "A", "severity": "blocking", "gap": gap}], ensure_ascii=False)},
    )
    before = sorted(root.rglob("*"))
    assert main(["new", "T", "--tags", "", "--intake", "n.txt", "--gaps", "g.yaml"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert said in told[0]
    assert len(told) == 2
    assert sorted(root.rglob("*")) == before


#: A gap, and what of it the setting `document` makes a citation of.
CITING = [
    ("Is KB-0001@2024-05-28 meant?", "KB-0001@2024-05-28"),
    ("Is KB-0001 meant?", "KB-0001"),
    ("KB-0001@9", "KB-0001@9"),
    ("(see *KB-0001@9*)", "KB-0001@9"),
    ("kb-0001@9?", "kb-0001@9"),
    ("KB\u20110001@9", "KB\u20110001@9"),
    ("a | KB-12345@x|y", "KB-12345@x"),
]


@pytest.mark.parametrize(("gap", "token"), CITING)
@pytest.mark.parametrize("field", ["gap", "section"])
def test_where_citations_count_everywhere_no_gap_is_one(field: str, gap: str, token: str) -> None:
    texts = {"section": "A", "gap": "x", field: gap}
    taken = Intake("n.txt", "notes", DAY, (Gap(texts["section"], "blocking", texts["gap"], "answered"),))
    assert intake.checked(taken) == taken
    with pytest.raises(AuthoringError) as refused:
        intake.checked(taken, everywhere=True)
    assert refused.value.message == f"the gap `{texts['gap']}` would be read as a citation, {token}"


def test_where_citations_count_everywhere_no_source_is_one() -> None:
    taken = Intake("KB-0001@9.txt", "notes", DAY, ())
    assert intake.checked(taken) == taken
    with pytest.raises(AuthoringError, match=r"the name of the source, `KB-0001@9\.txt`, would be read"):
        intake.checked(taken, everywhere=True)


@pytest.mark.parametrize("gap", ["What of KB?", "KB-", "KBs-1", "XKB-0001@9", "REQ-001, LESSON-002"])
def test_what_is_no_citation_is_taken_in_any_scope(gap: str) -> None:
    taken = Intake("n.txt", "notes", DAY, (Gap("A", "blocking", gap, "open"),))
    assert intake.checked(taken, everywhere=True) == taken


@pytest.mark.parametrize(("scope", "code"), [("decision", 0), ("document", 2)])
def test_the_setting_says_where_a_gap_is_a_citation(
    scope: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = Repository(tmp_path / "r", {"n.txt": "x"}).root
    monkeypatch.chdir(root)
    gaps = [{"section": "A", "severity": "blocking", "gap": "Is KB-0001@2024-05-28 meant?"}]
    tree(root, {"g.yaml": json.dumps(gaps), "spectastic.toml": f'citation-scope = "{scope}"\n'})
    before = sorted(root.rglob("*"))
    assert main(["new", "T", "--tags", "", "--intake", "n.txt", "--gaps", "g.yaml"]) == code
    told = capsys.readouterr().err
    assert ("would be read as a citation, KB-0001@2024-05-28" in told) == (code == 2)
    assert (sorted(root.rglob("*")) == before) == (code == 2)
    assert main(["validate"]) == 0


def test_more_gaps_than_are_compared_are_refused() -> None:
    gap = {"section": "A", "severity": "assumption", "gap": "x"}
    assert len(intake.gaps(json.dumps([gap] * 200), "g.yaml")) == 200
    with pytest.raises(
        AuthoringError, match=r"g\.yaml:1: there are 201 gaps, more than the 200 that are compared"
    ):
        intake.gaps(json.dumps([gap] * 201), "g.yaml")


def test_the_section_may_not_make_it_a_citation() -> None:
    gaps = (Gap("we are informed by BUG-1", "blocking", "x", "open"),)
    with pytest.raises(AuthoringError, match="the gap `x` would be read as a citation of BUG-1"):
        intake.checked(Intake("n.txt", "notes", DAY, gaps))
    assert intake.checked(Intake("n.txt", "notes", DAY, gaps[:0])).gaps == ()


def test_a_template_with_open_markup_hides_nothing() -> None:
    template = templates.Template(b"## Assumptions\n\n> - x\n<div>\n", "t.md")
    basis = compose.Basis((COLD,), Intake("n.txt", "notes", DAY, (Gap("A", "assumption", "x y", "assumed"),)))
    made = compose.document(template, Draft(Kind.SPEC, "T", Query(), DAY), "REQ-001", "p", basis)
    assert b"- x y (from n.txt, A)\n" in made
