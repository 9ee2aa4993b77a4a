"""The registry, `knowledge/index.md`: one table, whose rows give facts their ids.

Pure: a source becomes rows and problems. Every line that could be meant as a row either counts or
is told. The column of ids may be called KB-NNNN, KB-NNN, KB, ID or KB id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus import tables
from spectastic.corpus.layout import (
    ID,
    ID_HINT,
    REGISTRY,
    Cells,
    Choice,
    Texts,
    choose,
    is_delimiter,
    key_of,
    names_columns,
    rows,
)
from spectastic.corpus.model import Registry, Row
from spectastic.corpus.row_checks import Checks
from spectastic.findings import Problem, Span
from spectastic.frontmatter import conflict_lines, conflict_problems
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from spectastic.corpus.tables import Line
    from spectastic.source import Source

_LIKE_ID = re.compile(r"(?i:kb)[-_ ]?[0-9]+")


def parse(source: Source, folder: str = "knowledge", names: Collection[str] = ()) -> Registry:
    """Read the registry. `names` are the entries of the corpus folder `folder`.

    Rows whose id is no id or whose number of cells is wrong are left out, and so is the second row
    of an id; other rows count, whatever is wrong with one of their cells.
    """
    problems = [*source.problems, *conflict_problems(source.encoded, source.base)]
    ignored = frozenset(source.base + span.start for span in conflict_lines(source.encoded))
    found = tables.read(source, ignored)
    choice = choose(found.tables, REGISTRY, source)
    problems += choice.problems
    kept = tuple(_rows(choice, source.path, Checks(folder, names, source), problems))
    problems += _strays(found.strays)
    if choice.table is None and not problems:
        problems.append(_no_table(source))
    problems.sort(key=lambda problem: problem.span)
    return Registry(source.path, kept, tuple(problems), hints=tuple(_hints(choice)))


def _hints(choice: Choice) -> Iterator[Problem]:
    """What older corpora lack."""
    if choice.table is not None and "Status" not in choice.places:
        message = "the registry has no column Status, as registries of an older kind"
        hint = "add the column; it is blank for a healthy row, and orphaned where the file has gone"
        yield Problem(choice.table.header.span, message, hint)


def _rows(choice: Choice, file: str, checks: Checks, problems: list[Problem]) -> Iterator[Row]:
    for item in rows(choice, REGISTRY):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        row = _row(*item, choice.places, file)
        if ID.fullmatch(row.id) is None:
            problems.append(_no_id(row))
            continue
        duplicate = checks.duplicate(row)
        if duplicate is not None:
            problems.append(duplicate)
            continue
        problems += checks.of(row)
        yield row


def _row(line: Line, texts: Sequence[str], places: Mapping[str, int], file: str) -> Row:
    text = Texts(line, texts, places)
    return Row(
        id=text["KB-NNNN"],
        marketplace=text["Marketplace"],
        plugin=text["Plugin"],
        slug=text["Slug"],
        title=text["Title"],
        edition=text["Edition"],
        path=text.path,
        status=text["Status"].lower(),
        cells=Cells(line, places),
        span=line.span,
        file=file,
    )


def _no_id(row: Row) -> Problem:
    span = row.cells["KB-NNNN"].span
    if not row.id:
        return Problem(span, "this row has no id", ID_HINT)
    said = short(row.id)
    return Problem(span, f"{said} is no id, so the row does not count", ID_HINT, said)


def _strays(lines: Sequence[Line]) -> Iterator[Problem]:
    """Lines outside of tables that could be meant as rows, or as a whole table."""
    told = False
    for position, line in enumerate(lines):
        told = told and line.follows(lines[position - 1])
        if told:
            continue
        if names_columns(line, REGISTRY):
            told = True
            under = lines[position + 1] if position + 1 < len(lines) else None
            yield _no_delimiter(line, under if under is not None and under.follows(line) else None)
        elif _like_row(line):
            subject = key_of(line.texts, REGISTRY)
            message = f"{subject or 'this line'} looks like a row and stands outside of the table"
            yield Problem(
                line.span, message, "move it into the table; no blank line comes before it", subject
            )


def _like_row(line: Line) -> bool:
    """Whether a line begins like a row, with a pipe or an id, and says something."""
    texts = line.texts
    return _LIKE_ID.fullmatch(texts[0]) is not None or (line.piped and any(texts))


def _no_delimiter(header: Line, under: Line | None) -> Problem:
    message = "this reads like the header of the registry, and no line |---|---| follows it"
    if under is not None and is_delimiter(under):
        counts = f"{len(header.texts)} cells and the line under it {len(under.texts)}"
        message = f"this reads like the header of the registry, and has {counts}"
    return Problem(header.span, message, "write a line under it with --- for each of its columns")


def _no_table(source: Source) -> Problem:
    message = f"{source.path} has no table with the columns of a registry"
    hint = f"begin it with | {' | '.join(REGISTRY.columns)} |"
    return Problem(Span(source.base, source.base), message, hint)
