"""The text of a new document: templates and their traps, sections, frontmatter, intakes."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import Link, tree

from spectastic.authoring import intake, sections, templates
from spectastic.authoring.compose import UNVERIFIED, Basis, document, retrieved
from spectastic.authoring.intake import Gap, Intake
from spectastic.authoring.model import AuthoringError, Draft
from spectastic.authoring.templates import Template
from spectastic.retrieval.dates import EPOCH, Dated
from spectastic.retrieval.documents import parse
from spectastic.retrieval.model import Document, Kind
from spectastic.retrieval.query import Query, of, of_document
from spectastic.retrieval.report import COLD, SUPPRESSED
from spectastic.retrieval.scoring import Hit
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

DAY = date(2026, 3, 1)
QUERY = Query("booking/seats", "", ("python",), (), ("a", "b c"))
HEAD = """\
---
id: REQ-007
title: "Seat holds"
status: draft
created: 2026-03-01
updated: 2026-03-01
component: booking/seats
domain:
stack: [python]
concerns: []
tags: [a, b c]
---
"""
PATH = ".adlc/specs/REQ-007-x/requirement.md"
BASIS = Basis((COLD,))
GAPS = (
    Gap("Business Rules", "blocking", "Who may hold a seat?", "open"),
    Gap("Acceptance Criteria", "assumption", "Is ten minutes | fifteen right?", "assumed"),
    Gap("Description", "blocking", "Whose seats?", "answered"),
)
INTAKE = Intake("standup.txt", "notes", DAY, GAPS)


def spec(
    text: str, basis: Basis = BASIS, title: str = "Seat holds", query: Query = QUERY, kind: Kind = Kind.SPEC
) -> str:
    draft = Draft(kind, title, query, DAY)
    name = {Kind.SPEC: "REQ-007", Kind.LESSON: "LESSON-007", Kind.BUG: "BUG-007"}[kind]
    return document(Template(text.encode(), "t.md"), draft, name, PATH, basis).decode()


def built_in(kind: Kind) -> Template:
    return templates.load("/nowhere", ".adlc", kind)


CASES = {
    "nothing at all": ("", HEAD + f"\n## Retrieved Context\n\n{COLD}\n"),
    "no frontmatter": ("# T\n\nText.\n", HEAD + f"\n# T\n\nText.\n\n## Retrieved Context\n\n{COLD}\n"),
    "other fields, comments and lists go on several lines": (
        (
            "---\ntags:\n  - old\n  - older\nid: REQ-xxx  # the number\nextra: 'kept'  # so\n"
            "title: >\n  folded\n\n  text\nstack:\n- one\n- two\ncomponent: [x/y] # where\n---\nText.\n"
        ),
        (
            "---\ntags: [a, b c]\nid: REQ-007\nextra: 'kept'  # so\ntitle: \"Seat holds\"\nstack: [python]\n"
            "component: booking/seats\nstatus: draft\n"
        ),
    ),
    "a comment before the frontmatter goes": (
        "\n<!-- name it\nREQ-xxx -->\n\n---\nid:\n---\nText.\n",
        "---\nid: REQ-007\n",
    ),
    "a heading before the frontmatter comes behind it": (
        "# REQ-xxx: name\n\n---\nid:\n---\nText.\n",
        "---\n\n# REQ-007: name\nText.\n",
    ),
    "sample headings in a comment": (
        (
            "---\nid:\n---\n\n## Out of Scope\n\n<!-- keep me -->\n\n"
            "<!--\n## Provenance\n\nRows.\n\n## Retrieved Context\n-->\n"
        ),
        f"## Out of Scope\n\n<!-- keep me -->\n\n## Retrieved Context\n\n{COLD}\n",
    ),
    "sample headings in a code block are text": (
        "```\n## Retrieved Context\n```\n",
        f"```\n## Retrieved Context\n```\n\n## Retrieved Context\n\n{COLD}\n",
    ),
    "the section in the middle moves to the end": (
        "## Retrieved Context\n\nold\n\n### more\n\nold\n\n## Scope\n\nText.\n",
        f"---\n\n## Scope\n\nText.\n\n## Retrieved Context\n\n{COLD}\n",
    ),
    "twice, in other spellings": (
        "Retrieved\ncontext\n-----------------\n\nold\n\n## RETRIEVED CONTEXT ##\n\nold\n\n# End\n\nText.\n",
        f"---\n\n# End\n\nText.\n\n## Retrieved Context\n\n{COLD}\n",
    ),
    "at other levels and with numbers": (
        "# 1. A\n\n### 9. **Provenance**:\n\nold\n\n# 2. Retrieved Context\n\n## of it\n\nold\n\n# 3. B\n",
        f"---\n\n# 1. A\n\n# 3. B\n\n## Retrieved Context\n\n{COLD}\n",
    ),
    "no provenance without an intake": (
        "## A\n\n## Provenance\n\n| Section |\n\n## B\n",
        f"---\n\n## A\n\n## B\n\n## Retrieved Context\n\n{COLD}\n",
    ),
    "only headings of the first level have their id filled in": (
        "# REQ-xxx: T\n\n## REQ-xxx\n\nREQ-xxx\n",
        "---\n\n# REQ-007: T\n\n## REQ-xxx\n\nREQ-xxx\n\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_templates(case: str) -> None:
    text, expected = CASES[case]
    made = spec(text)
    assert expected in made
    assert made.count("## Retrieved Context\n\n" + COLD + "\n") == 1
    assert made.endswith(f"\n## Retrieved Context\n\n{COLD}\n")
    assert "old\n" not in made


def test_other_sections_are_no_heading_of_ours() -> None:
    text = (
        "- ## Retrieved Context\n\n> ## Provenance\n\n### Provenance of x\n\n## Retrieved Context of others\n"
    )
    assert text in spec(text)


@pytest.mark.parametrize("key", ['"id"', "'id'", "id", '"id" '])
def test_a_key_may_stand_between_quotes(key: str) -> None:
    made = spec(f"---\n{key}: REQ-001\n'title':\n  x\n---\n")
    head = made.split("---\n")[1].splitlines()
    assert head[:2] == ["id: REQ-007", 'title: "Seat holds"']
    assert len([line for line in head if "id" in line.partition(":")[0]]) == 1


REFUSED = {
    "comment": ("Text.\n\n<!-- never closed\n", "does not leave room for the section Retrieved Context"),
    "code": ("```\nnever closed\n", "does not leave room for the section Retrieved Context"),
    "no yaml": ("---\nid:\nextra: [\n---\n", "cannot be filled in: "),
    "mapping": ("---\nid:\nsupersedes: {a: b}\ncreated:\n x: {\n---\n", "cannot be filled in"),
}


@pytest.mark.parametrize("case", ["comment", "code", "no yaml"])
def test_templates_that_cannot_be_used(case: str) -> None:
    text, said = REFUSED[case]
    with pytest.raises(AuthoringError) as caught:
        spec(text)
    assert caught.value.message.startswith("the template t.md ")
    assert said in caught.value.message
    assert caught.value.hint


def test_sections_of_an_intake_that_come_twice() -> None:
    with pytest.raises(AuthoringError, match="does not leave room for the section Assumptions"):
        spec("## Assumptions\n\n## Assumptions\n", Basis((COLD,), unverified=True))
    with pytest.raises(AuthoringError, match="does not leave room for the section Open Questions"):
        spec("## Open Questions\n\n## Open Questions\n", Basis((COLD,), INTAKE))
    assert "## Open Questions\n\n## Open Questions\n" in spec("## Open Questions\n\n## Open Questions\n")


@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_built_in(kind: Kind) -> None:
    template = built_in(kind)
    assert template.path == ""
    made = spec(template.text.decode(), kind=kind)
    assert made.startswith("---\nid: ")
    assert not re.search(r"xxx|YYYY|\[[A-Za-z]", template.text.decode())
    found = parse(made.encode(), kind, PATH)
    assert not isinstance(found, Unreadable)
    assert (found.document.title, of_document(found.document), found.notes) == ("Seat holds", QUERY, ())
    assert (found.document.created, found.document.updated) == ("2026-03-01", "2026-03-01")
    assert ("## Retrieved Context" in made) == (kind is Kind.SPEC)
    status = {Kind.SPEC: "draft", Kind.BUG: "open", Kind.LESSON: ""}
    assert found.document.status == status[kind]


def test_the_sections_of_a_spec() -> None:
    made = spec(built_in(Kind.SPEC).text.decode(), Basis((COLD,), INTAKE))
    titles = [
        each.title for each in sections.sections(made.partition("---\n\n")[2].encode()) if each.level == 2
    ]
    assert titles == [
        *("Description", "System Model", "Business Rules", "Acceptance Criteria", "External Dependencies"),
        *("Assumptions", "Open Questions", "Out of Scope", "Provenance", "Retrieved Context"),
    ]
    assert "\ndeployable: true\n" in made
    assert "- [ ] BR-1:\n" in made


# What a document says of itself

words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)
values = words.filter(lambda text: text.strip() not in ("~", "null", "Null", "NULL") and text == text.strip())


@given(values, st.builds(Query, values, values, *[st.lists(values, max_size=3, unique=True).map(tuple)] * 3))
def test_what_is_written_is_read(title: str, query: Query) -> None:
    query = of(query._asdict())
    made = spec("", title=title, query=query)
    found = parse(made.encode(), Kind.SPEC, PATH)
    assert not isinstance(found, Unreadable)
    assert (found.document.title, of_document(found.document)) == (title, query)


@pytest.mark.parametrize("title", ["~", "null", "true", "1.5", "2024-01-01"])
def test_a_title_that_yaml_takes_for_something_else(title: str) -> None:
    found = parse(spec("", title=title).encode(), Kind.SPEC, PATH)
    assert not isinstance(found, Unreadable)
    assert found.document.title == title


# Retrieved context


def hit(identifier: str, title: str, kind: Kind, score: int) -> Hit:
    return Hit(Document(kind, identifier, title, "p"), score, (), Dated(EPOCH, "none"))


def test_lines_of_retrieved_context() -> None:
    hits = [hit("BUG-1000", "Two   seats\n\n## x", Kind.BUG, 12), hit("REQ-001", "a <b> `c", Kind.SPEC, 3)]
    listed = ("- BUG-1000 (bug, score 12): Two seats ## x", "- REQ-001 (spec, score 3): a \\<b> `c")
    assert retrieved(hits, suppressed=False) == listed
    assert retrieved(hits, suppressed=True) == (SUPPRESSED, "", *listed)
    assert retrieved([], suppressed=True) == (SUPPRESSED,)
    assert retrieved([], suppressed=False) == (COLD,)


def test_an_unsure_id_is_an_assumption() -> None:
    made = spec("## Assumptions\n\n- One.\n\n## Out of Scope\n", Basis((COLD,), unverified=True))
    assert f"## Assumptions\n\n- One.\n{UNVERIFIED}\n\n## Out of Scope\n" in made
    assert UNVERIFIED == "- id allocated without remote verification — verify before PR"
    assert UNVERIFIED not in spec("## Assumptions\n")


# Intake


def test_an_intake() -> None:
    text = "## Assumptions\n\n<!-- hint -->\n\n## Open Questions\n\n## Out of Scope\n\nNothing.\n\n## Annex\n"
    made = spec(text, Basis((COLD,), INTAKE, unverified=True))
    assert made == HEAD + (
        "\n## Assumptions\n\n<!-- hint -->\n\n"
        f"{UNVERIFIED}\n"
        "- Is ten minutes \\| fifteen right? (from standup.txt, Acceptance Criteria)\n\n"
        "## Open Questions\n\n"
        "- [ ] Who may hold a seat? (from standup.txt, Business Rules)\n\n"
        "## Out of Scope\n\nNothing.\n\n"
        "## Provenance\n\n"
        "- Source: standup.txt (notes)\n- Intake date: 2026-03-01\n\n"
        "| Section | Severity | Gap | Disposition |\n|---|---|---|---|\n"
        "| Business Rules | blocking | Who may hold a seat? | open |\n"
        "| Acceptance Criteria | assumption | Is ten minutes \\| fifteen right? | assumed |\n"
        "| Description | blocking | Whose seats? | answered |\n\n"
        "## Annex\n\n"
        f"## Retrieved Context\n\n{COLD}\n"
    )


def test_an_intake_without_gaps_and_a_template_without_sections() -> None:
    made = spec("Text.\n", Basis((COLD,), INTAKE._replace(gaps=())))
    provenance = "- Source: standup.txt (notes)\n- Intake date: 2026-03-01\n\n_No gaps identified._\n"
    assert made == f"{HEAD}\nText.\n\n## Provenance\n\n{provenance}\n## Retrieved Context\n\n{COLD}\n"
    made = spec("", Basis((COLD,), INTAKE))
    titles = re.findall("^## (.*)$", made, re.MULTILINE)
    assert titles == ["Open Questions", "Assumptions", "Provenance", "Retrieved Context"]


def test_text_of_others_stays_text() -> None:
    gap = Gap("A", "blocking", "<spec-decision> \\| x \\\\< y", "open")
    made = spec("", Basis((COLD,), INTAKE._replace(gaps=(gap,))))
    escaped = "\\<spec-decision> \\\\\\| x \\\\\\\\\\< y"
    assert f"- [ ] {escaped} (from standup.txt, A)\n" in made
    assert f"| A | blocking | {escaped} | open |\n" in made


KINDS = [
    ("call-transcript.txt", "", "transcript"),
    ("JIRA-12.md", "- a\n" * 9, "ticket"),
    ("issue.md", "", "ticket"),
    ("Meeting.md", "", "notes"),
    ("x.txt", "09:15 A\ntext\n[10:02] B\n9:00:01 C\n", "transcript"),
    ("x.txt", "09:15 A\n10:02 B\n", "prose"),
    ("x.txt", "Ann: a\nBob: b\nAnn: c\nBob: d\nÉmile Z.: e\n", "transcript"),
    ("x.txt", "Ann: a\nBob: b\nAnn: c\nBob: d\n", "prose"),
    ("x.txt", "- a\n* b\n+ c\n• d\n  - e\n", "notes"),
    ("x.txt", "- a\n* b\n+ c\n• d\n", "prose"),
    ("x.txt", "", "prose"),
]


@pytest.mark.parametrize(("name", "text", "kind"), KINDS)
def test_kinds_of_sources(name: str, text: str, kind: str) -> None:
    assert intake.kind(name, text) == kind


def test_sources_that_are_too_long() -> None:
    assert intake.kind("x", "a\n" * 7999 + "a") == "prose"
    assert intake.kind("x", "a\n" * 8000) == "prose"
    with pytest.raises(AuthoringError, match="x has 8,001 lines, more than the 8,000 of an intake"):
        intake.kind("x", "a\n" * 8000 + "a")


def test_gaps() -> None:
    text = (
        "gaps:\n"
        "- section: '## Business Rules'\n  severity: Blocking\n  gap: >\n    Who may\n    hold?\n"
        "- {section: B, severity: assumption, gap: 010}\n"
        "- {section: C, severity: assumption, gap: yes, disposition: OPEN}\n"
    )
    found = (
        Gap("Business Rules", "blocking", "Who may hold?", "open"),
        Gap("B", "assumption", "010", "assumed"),
        Gap("C", "assumption", "yes", "open"),
    )
    assert intake.gaps(text, "g.yaml") == found
    assert intake.gaps(text.partition("\n")[2], "g.yaml") == found
    assert intake.gaps("[]\n", "g.yaml") == intake.gaps("gaps: []\n", "g.yaml") == ()


WRONG_GAPS = [
    ("", "g.yaml: this is no list of gaps"),
    ("text", "g.yaml:1: this is no list of gaps"),
    ("gaps:\n", "g.yaml:1: this is no list of gaps"),
    ("gap: []\n", "g.yaml:1: there is no field gap"),
    ("a: ]\n", "g.yaml:1: this is not valid YAML: did not find expected node content"),
    ("- a\n- b\n", "g.yaml:1: this is no gap with fields"),
    ("- {section: A, severity: blocking}\n", "g.yaml:1: the gap has no gap"),
    ("[]\n---\n[]\n", "g.yaml:2: this is not valid YAML: but found another document"),
    ("- {section: '', severity: blocking, gap: g}\n", "g.yaml:1: the gap has no section"),
    ("\n- {section: A, severity: major, gap: g}\n", "g.yaml:2: major is none of blocking, assumption"),
    (
        "- {section: A, severity: blocking, gap: g, disposition: done}\n",
        "g.yaml:1: done is none of answered, assumed, open",
    ),
    ("- {section: A, severity: blocking, gap: [g]}\n", "g.yaml:1: the gap is no text"),
    (
        "- {section: A, section: B, severity: blocking, gap: g}\n",
        "g.yaml:1: the field section is there twice",
    ),
    ("- {section: A, sevrity: blocking, gap: g}\n", "g.yaml:1: there is no field sevrity"),
    ("- {[a]: b}\n", "g.yaml:1: there is no field of this kind"),
    ('- {section: A, severity: blocking, gap: "a\\u202eb"}\n', "g.yaml:1: the gap has characters in it"),
    ("- &a [*a]\n", "g.yaml:1: this is no gap with fields"),
    ("[" * 100_000, "g.yaml"),
]


@pytest.mark.parametrize(("text", "said"), WRONG_GAPS, ids=range(len(WRONG_GAPS)))
def test_wrong_gaps(text: str, said: str) -> None:
    with pytest.raises(AuthoringError) as caught:
        intake.gaps(text, "g.yaml")
    assert caught.value.message.startswith(said)
    assert caught.value.hint
    if "sevrity" in text:
        assert caught.value.hint == "did you mean severity?"


# Templates of the project


def test_a_template_of_the_project(tmp_path: Path) -> None:
    tree(tmp_path, {".adlc/templates/bug-template.md": b"\xef\xbb\xbf---\r\nid:\r\n---\r\n# A\rB\r\n"})
    assert templates.load(str(tmp_path), ".adlc", Kind.BUG) == Template(
        b"---\nid:\n---\n# A\nB\n", ".adlc/templates/bug-template.md"
    )
    assert templates.load(str(tmp_path), ".adlc", Kind.LESSON).path == ""


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"\xff\xfe", "the file is UTF-16"),
        (b"a\0", "NUL"),
        (None, "this is a directory"),
        (Link("../../x.md"), "is a link, or behind one"),
        (Link("nowhere"), "is a link, or behind one"),
    ],
)
def test_templates_that_cannot_be_read(file: bytes | Link | None, said: str, tmp_path: Path) -> None:
    tree(tmp_path, {"x.md": "", ".adlc/templates/requirement-template.md": file})
    with pytest.raises(AuthoringError, match=said) as caught:
        templates.load(str(tmp_path), ".adlc", Kind.SPEC)
    assert ".adlc/templates/requirement-template.md" in caught.value.message
