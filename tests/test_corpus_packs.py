from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpora import corpus, document, row

from spectastic.corpus import packs
from spectastic.corpus.model import Pack
from spectastic.corpus.survey import PackFolder
from spectastic.source import Source

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "---\nname: web\ndescription: What to know about the web.\n---\n\n# Web\n\n"
TABLE = "| Slug | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
ENTRY = "| 001-x | T | D | 2024 | references/001-x.md |\n"
FOLDER = PackFolder("web", "knowledge/web", "knowledge/web/SKILL.md")

# A SKILL.md, its slugs, and the places of its problems with a part of their messages.
SKILLS: dict[str, tuple[str, list[str], list[str]]] = {
    "healthy": (HEAD + TABLE + ENTRY + "\nUse a | b.\n", ["001-x"], []),
    "no slug map": (HEAD, [], []),
    "other tables": (
        HEAD + "| Slug | Owner |\n|---|---|\n| 001-x | me |\n\n| a |\n|---|\n| 002-y |\n",
        [],
        [],
    ),
    "dates are no slugs": (
        HEAD
        + "| Date | Who | What | Why | Where |\n|-|-|-|-|-|\n| 2024-05-28 | a | b | c | d |\n\n"
        + "2024-05-28 | a note\n\n2024 | a note\n\n"
        + TABLE
        + "| T | 2024-05-28 |\n| 2024-05-28 | T | D | 1 | a/b.md |\n",
        ["2024-05-28"],
        ["18:1 this row has 2 cells where the header has 5"],
    ),
    "any order": (
        HEAD
        + "| path | Extra | EDITION | Description | title | slug |\n|-|-|-|-|-|-|\n"
        + "| a/b.md || 1 | D | T | 001-x |\n",
        ["001-x"],
        [],
    ),
    "no frontmatter": (TABLE + ENTRY, ["001-x"], ["1:1 SKILL.md has no name and description"]),
    "an empty name": (
        HEAD.replace("name: web", "name: ''") + TABLE + ENTRY,
        ["001-x"],
        ["1:1 SKILL.md has no name in its frontmatter"],
    ),
    "broken frontmatter": (
        "---\nname: a: b\n---\n" + TABLE + ENTRY,
        ["001-x"],
        ["2:8 the frontmatter is not valid YAML"],
    ),
    "odd rows": (
        HEAD + TABLE + "| x | T | D | 1 | p |\n| | T | D | 1 | p |\n| 002-y | T |\n" + ENTRY,
        ["001-x"],
        [
            "10:3 x is no slug, so this row of the slug map does not count",
            "11:2 a blank cell is no slug",
            "12:1 002-y has 2 cells where the header has 5",
        ],
    ),
    "misspelt header": (
        HEAD + TABLE.replace("Title", "Titel") + ENTRY,
        ["001-x"],
        ["8:10 the column Titel is taken for Title, which the slug map lacks"],
    ),
    "two tables": (
        HEAD + TABLE + ENTRY + "\n" + TABLE + ENTRY,
        ["001-x"],
        ["12:1 this is a second slug map table, and its rows do not count"],
    ),
    "rows without a table": (
        HEAD + TABLE + ENTRY + "\n" + ENTRY.replace("1-x", "2-y"),
        ["001-x"],
        ["12:1 002-y looks like a row of the slug map and stands outside of the table"],
    ),
    "links": (HEAD + TABLE + "| [001-x](a) | T | `D` | 1 | [here](references/a.md) |\n", ["001-x"], []),
}


@pytest.mark.parametrize(("text", "slugs", "expected"), SKILLS.values(), ids=SKILLS)
def test_skills(text: str, slugs: list[str], expected: list[str]) -> None:
    source = Source(FOLDER.skill, text.encode())
    pack, faults = packs.parse(source, FOLDER)
    assert (pack.name, pack.path, pack.skill) == FOLDER[:3]
    assert [entry.slug for entry in pack.entries] == slugs
    told = []
    for problem in (*pack.problems, *faults):
        place = source.locate(problem.span)
        told.append(f"{place.line}:{place.column} {problem.message}")
    assert len(told) == len(expected)
    assert all(found.startswith(part) for found, part in zip(told, expected, strict=True)), told
    for entry in pack.entries:
        assert source.slice(entry.span).strip("| ")
        assert set(entry.cells) == {"Slug", "Title", "Description", "Edition", "Path"}
        assert entry.cells["Slug"].text == entry.slug


def test_values_of_an_entry() -> None:
    pack, _ = packs.parse(Source(FOLDER.skill, (HEAD + TABLE + ENTRY).encode()), FOLDER)
    assert pack.entries[0][:5] == ("001-x", "T", "D", "2024", "references/001-x.md")
    assert pack.fields["description"].value == "What to know about the web."
    links, _ = packs.parse(Source(FOLDER.skill, SKILLS["links"][0].encode()), FOLDER)
    assert links.entries[0].path == "references/a.md"


def test_packs_of_a_corpus(tmp_path: Path) -> None:
    files = {
        "knowledge/web/SKILL.md": HEAD + TABLE + "| x | T | D | 1 | p |\n",
        "knowledge/app/references/a.md": document(),
        "knowledge/Web/skill.md": "x",
        "knowledge/notes.md": "x",
    }
    found = corpus(tmp_path, files, row(1, "1", "app/references/a.md"))
    assert [pack.name for pack in found.packs] == ["Web", "app", "web"]
    assert found.packs[1] == Pack("app", "knowledge/app", "")
    assert found.packs[1].fields == {}
    assert [(path, problem.subject) for path, problem in found.problems] == [("knowledge/web/SKILL.md", "x")]
