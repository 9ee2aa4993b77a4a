"""Which ids count as what a document rests on, in all the forms that people write them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prior_art import LESSONS, SPECS, document
from trees import tree

from spectastic.config import Settings
from spectastic.engine import validate
from spectastic.source import Source
from spectastic.spec import cited
from spectastic.spec.page import read

if TYPE_CHECKING:
    from pathlib import Path


def ids(text: str, path: str = "a.md") -> list[str]:
    page = read(Source(path, text.encode()))
    return [mention.id for mention in cited.mentions(page)]


#: What stands below Retrieved Context, and the ids in it that count.
LINES: dict[str, tuple[str, str]] = {
    "as it is written": ("- LESSON-004 (lesson, score 5): see REQ-999\n", "LESSON-004"),
    "a citation in a title": ("- LESSON-004 (lesson, score 5): a (informed by REQ-999)\n", "LESSON-004"),
    "no bracket": ("- LESSON-004: see REQ-999 (informed by BUG-998)\n", "LESSON-004"),
    "padded": ("  LESSON-004 (lesson, score 5): see REQ-999\n", "LESSON-004"),
    "em dash": ("- LESSON-004 — see REQ-999\n", "LESSON-004"),
    "em dash without blanks": ("- LESSON-004—see REQ-999\n", "LESSON-004"),
    "hyphen": ("- LESSON-004 - see REQ-999\n", "LESSON-004"),
    "bracket alone": ("- LESSON-004 (lesson) see REQ-999\n", "LESSON-004"),
    "score alone": ("- LESSON-004 (score ~7) see REQ-999\n", "LESSON-004"),
    "bold": ("- **LESSON-004** (lesson, score 5): *see* **REQ-999**\n", "LESSON-004"),
    "link": ("- [LESSON-004](a.md) (lesson, score 5): see [REQ-999](b.md)\n", "LESSON-004"),
    "task": ("- [x] LESSON-004 (lesson, score 5): see REQ-999\n", "LESSON-004"),
    "numbered": ("1. LESSON-004 (lesson, score 5): see REQ-999\n", "LESSON-004"),
    "several share a bracket": (
        "- LESSON-004, LESSON-005 and REQ-006 (lesson, score 3 each): é REQ-999\n",
        "LESSON-004 LESSON-005 REQ-006",
    ),
    "several with brackets": (
        "LESSON-004 (lesson, score 5), BUG-005 (bug, score 3); REQ-006 (spec, score 1)\n",
        "LESSON-004 BUG-005 REQ-006",
    ),
    "several in the bracket": ("- LESSON-004 (with BUG-005): see REQ-999\n", "LESSON-004 BUG-005"),
    "a rule of it": ("- REQ-570 BR-8, REQ-571 BR-1/BR-2 (spec, score 3): see REQ-999\n", "REQ-570 REQ-571"),
    "another project's": ("- teton:REQ-570 (spec, score 3): see REQ-999\n", "REQ-570"),
    "a title that begins with an id": ("- LESSON-004: REQ-999 breaks\n", "LESSON-004"),
    "a wrapped title": (
        "- LESSON-004 (lesson, score 5): see\n  REQ-999 (informed by BUG-998)\n",
        "LESSON-004",
    ),
    "a wrapped head": (
        "- LESSON-004,\n  LESSON-005 (lesson,\n  score 5): see REQ-999\n",
        "LESSON-004 LESSON-005",
    ),
    "lines of a paragraph": (
        "LESSON-004 (lesson, score 5): see REQ-999\nBUG-005 (bug,    score 3): see REQ-998\n",
        "LESSON-004 BUG-005",
    ),
    "text": ("LESSON-004 was found by hand: it names REQ-570.\n", "LESSON-004 REQ-570"),
    "text before ids": ("Found by hand: LESSON-004, see also REQ-570.\n", "LESSON-004 REQ-570"),
    "a note below a line": (
        "- LESSON-004 (lesson, score 5): T\n\n  It rests on REQ-570.\n",
        "LESSON-004 REQ-570",
    ),
    "a table": (
        (
            "| id | corpus | score | title |\n|---|---|---|---|\n"
            "| LESSON-004 | lesson | 5 | see REQ-999 |\n"
            "| **REQ-570** BR-8 | spec | 3 | (informed by REQ-998) |\n"
        ),
        "LESSON-004 REQ-570",
    ),
    "a table of lines": (
        "| what |\n|---|\n| LESSON-004: see REQ-999 |\n| see BUG-005 |\n",
        "LESSON-004 BUG-005",
    ),
    "code": ("- `LESSON-999` (lesson, score 5): see REQ-570\n", ""),
    "cold": ("No prior context retrieved — no tagged documents matched this area.\n", ""),
    "suppressed": ("Spec corpus suppressed by status filter — see stderr warning (BUG-194).\n", ""),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_of_retrieved_context(case: str) -> None:
    text, expected = LINES[case]
    section = f"(informed by REQ-001)\n\n## Retrieved Context\n\n{text}\n## Other\n\n(informed by REQ-002)\n"
    assert ids(section) == ["REQ-001", *expected.split(), "REQ-002"]
    assert ids(section.replace("\n", "\r\n")) == ["REQ-001", *expected.split(), "REQ-002"]


def test_lines_in_html() -> None:
    text = "<h2>Retrieved Context</h2><ul><li>LESSON-004 (lesson, score 5): see REQ-999<li>BUG-005</ul>"
    assert ids(text, "a.html") == ["LESSON-004", "BUG-005"]


#: Ids that are named together, and which of them are looked up.
RANGES: dict[str, str] = {
    "REQ-515…519": "REQ-515 REQ-519",
    "REQ-515 … 519": "REQ-515 REQ-519",
    "REQ-515..519": "REQ-515 REQ-519",
    "REQ-515...REQ-519": "REQ-515 REQ-519",
    "REQ-515–519": "REQ-515 REQ-519",
    "REQ-515—519": "REQ-515 REQ-519",
    "REQ-515-519": "REQ-515 REQ-519",
    "REQ-515–REQ-519": "REQ-515 REQ-519",
    "REQ-515 to REQ-519": "REQ-515 REQ-519",
    "REQ-515 to 519": "REQ-515 REQ-519",
    "REQ-515 through 519": "REQ-515 REQ-519",
    "REQ-515/516": "REQ-515 REQ-516",
    "REQ-515/516/517": "REQ-515 REQ-516 REQ-517",
    "REQ-515/REQ-516": "REQ-515 REQ-516",
    "LESSON-004/005, BUG-006": "LESSON-004 LESSON-005 BUG-006",
    "REQ-1200–1205": "REQ-1200 REQ-1205",
    # What only looks like one.
    "REQ-515-2fa": "REQ-515",
    "REQ-515-404-page": "REQ-515",
    "REQ-515-2024": "REQ-515",
    "REQ-519-515": "REQ-519",
    "REQ-515 to 12 more": "REQ-515",
    "REQ-515, 519 lines": "REQ-515",
    "REQ-515/1": "REQ-515",
    "REQ-515/1234567": "REQ-515",
    "REQ-515/516px": "REQ-515",
    "REQ-515 519": "REQ-515",
}


@pytest.mark.parametrize("text", RANGES)
def test_ranges(text: str) -> None:
    assert ids(f"x (informed by {text}).\n") == RANGES[text].split()
    if "12 more" not in text and "519 lines" not in text and text != "REQ-515 519":
        assert ids(f"## Retrieved Context\n\n- {text} (spec, score 3): see REQ-999\n") == RANGES[text].split()


def test_the_end_of_a_range_is_pointed_at() -> None:
    page = read(Source("a.md", "é (informed by teton:REQ-515…519)".encode()))
    first, last = cited.mentions(page)
    assert (last.id, last.qualifier, page.text[last.start : last.end]) == ("REQ-519", "teton", "519")
    assert page.text[first.start : first.end] == "REQ-515"
    assert first.qualifier == "teton"


FILES = {
    f"{LESSONS}/LESSON-034-retry.md": document(id="LESSON-034"),
    f"{SPECS}/REQ-012-x/requirement.md": document(id="REQ-012") + "\n## Retrieved Context\n\nNothing.\n",
    "vendor/teton/.adlc/specs/REQ-700-y/requirement.md": document(id="REQ-700"),
}

#: What stands in the brackets in `.adlc/specs/REQ-013-z/requirement.md`, and whether that a document is
#: missing is told.
PATHS: dict[str, bool] = {
    "specs/REQ-999-x/requirement.md": True,
    "./specs/REQ-999-x/requirement.md": True,
    ".adlc/specs/REQ-999-x/requirement.md": True,
    "../REQ-999-x/requirement.md": True,
    "../../knowledge/lessons/LESSON-999-x.md": True,
    "knowledge/lessons/LESSON-999-x.md": True,
    "REQ-999-x/requirement.md": True,
    "REQ-999-x": True,
    "LESSON-999-x.md": True,
    "vendor/teton/.adlc/specs/REQ-999-y/requirement.md": True,
    # Documents that are there.
    ".adlc/specs/REQ-012-x/requirement.md": False,
    "../../knowledge/lessons/LESSON-034-retry.md": False,
    "vendor/teton/.adlc/specs/REQ-700-y/requirement.md": False,
    # What leads elsewhere.
    "https://example.org/REQ-999": False,
    "https://example.org/specs/REQ-999-x/requirement.md#REQ-998": False,
    "http://example.org/?id=REQ-999": False,
    "https://example.org/a(REQ-999)": False,
    "www.example.org/REQ-999": False,
    "mailto:REQ-999@example.org": False,
    "github.com/o/r/blob/main/.adlc/specs/REQ-999-x/requirement.md": False,
    "other/.adlc/specs/REQ-999-x/requirement.md": False,
    "../../../../other/.adlc/specs/REQ-999-x/requirement.md": False,
    "src/REQ-999/test.py": False,
    "src/REQ-999.py": False,
    "src/app/REQ-999": False,
    "knowledge/lessons/REQ-999-x.md": False,
    "C:\\src\\REQ-999": False,
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "form", ["x (informed by {}).", "x (informed by [{0}]({0})).", "## Retrieved Context\n\n- {}"]
)
def test_paths_and_addresses(path: str, form: str, tmp_path: Path) -> None:
    text = document(id="REQ-013") + f"\n{form.format(path)}\n"
    text += "" if "Context" in form else "\n## Retrieved Context\n\nNothing.\n"
    tree(tmp_path, {**FILES, f"{SPECS}/REQ-013-z/requirement.md": text})
    settings = Settings(root=str(tmp_path), paths=(f"{SPECS}/REQ-013-z",))
    found = validate(settings._replace(prior_art_siblings=("vendor/teton/.adlc/",))).findings
    assert len(found) == PATHS[path], [finding.message for finding in found]
    assert all("-999 has no document" in finding.message for finding in found)
