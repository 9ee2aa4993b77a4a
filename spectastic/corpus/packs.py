"""Packs: what `SKILL.md` says of a pack, and its slug map.

Pure. Problems with the frontmatter are the pack's own; those with rows of the slug map come back
beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus import tables
from spectastic.corpus.layout import SLUG, SLUG_HINT, SLUG_MAP, Cells, Texts, choose, rows
from spectastic.corpus.model import Pack, SlugEntry
from spectastic.findings import Problem, Span
from spectastic.frontmatter import read as read_frontmatter
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.corpus.survey import PackFolder
    from spectastic.corpus.tables import Line
    from spectastic.frontmatter import Field
    from spectastic.source import Source


def parse(source: Source, folder: PackFolder) -> tuple[Pack, tuple[Problem, ...]]:
    """The pack that a `SKILL.md` describes, and what is wrong with its slug map."""
    found = read_frontmatter(source.encoded, source.base)
    problems = (*found.problems, *(() if found.problems else _missing(found.fields, source)))
    table = tables.read(source)
    choice = choose(table.tables, SLUG_MAP, source)
    faults = [*source.problems, *choice.problems]
    entries: list[SlugEntry] = []
    for item in rows(choice, SLUG_MAP):
        if isinstance(item, Problem):
            faults.append(item)
            continue
        entry = _entry(*item, choice.places)
        if SLUG.fullmatch(entry.slug):
            entries.append(entry)
        else:
            said = short(entry.slug) or "a blank cell"
            message = f"{said} is no slug, so this row of the slug map does not count"
            faults.append(Problem(entry.cells["Slug"].span, message, SLUG_HINT, said))
    faults += _strays(table.strays)
    faults.sort(key=lambda problem: problem.span)
    pack = Pack(folder.name, folder.path, source.path, tuple(entries), problems, found.fields)
    return pack, tuple(faults)


def _missing(fields: Mapping[str, Field], source: Source) -> Iterator[Problem]:
    missing = [
        name for name in ("name", "description") if name not in fields or not fields[name].value.strip()
    ]
    if missing:
        names = " and ".join(missing)
        message = f"SKILL.md has no {names} in its frontmatter"
        span = Span(source.base, source.base + 3)
        yield Problem(span, message, "an agent finds a pack by its name and description", names)


def _entry(line: Line, texts: Sequence[str], places: Mapping[str, int]) -> SlugEntry:
    text = Texts(line, texts, places)
    return SlugEntry(
        slug=text["Slug"],
        title=text["Title"],
        description=text["Description"],
        edition=text["Edition"],
        path=text.path,
        cells=Cells(line, places),
        span=line.span,
    )


def _strays(lines: Sequence[Line]) -> Iterator[Problem]:
    """Lines outside of tables that begin with a slug: rows that lost their table."""
    for line in lines:
        subject = line.texts[0]
        if SLUG_MAP.key.fullmatch(subject):
            message = f"{short(subject)} looks like a row of the slug map and stands outside of the table"
            yield Problem(
                line.span, message, "move it into the table; no blank line comes before it", subject
            )
