"""Which table of a document is the one that is meant, and which column is which.

Columns are found by the names in the header, in any order and case; further columns are fine.
What keeps a table or a row from being read is told, and what can be read still counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import COLUMNS, SLUG_COLUMNS, Cell
from spectastic.findings import Problem, Related, Span
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from spectastic.corpus.tables import Line, Table
    from spectastic.source import Source

ID = re.compile(r"KB-[0-9]{3,}")
ID_HINT = "an id is KB- and three or more digits, such as KB-0001"
SLUG = re.compile(r"[0-9]+(?:-[A-Za-z0-9]+)+")
SLUG_HINT = "a slug is digits, then words of letters and digits joined by hyphens: 001-settlement-cycle"
#: A slug that is no date.
_SURE_SLUG = re.compile(r"(?=[0-9-]*[A-Za-z])[0-9]+(?:-[A-Za-z0-9]+)+")

_DELIMITER = re.compile(r":?-+:?")
_SEPARATORS = re.compile(r"[\s_-]+")
#: A header with more names than this is not searched for misspelt ones.
_MAX_NAMES = 50


class Layout(NamedTuple):
    """A kind of table: its columns, the first of which names a row, and what is surely such a name."""

    what: str
    columns: tuple[str, ...]
    key: re.Pattern[str]
    optional: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()

    @property
    def required(self) -> tuple[str, ...]:
        """The columns that a table of this kind cannot do without."""
        return tuple(name for name in self.columns if name not in self.optional)


REGISTRY = Layout("registry", COLUMNS, ID, ("Status",), ("KB-NNN", "KB", "ID", "KB id"))
SLUG_MAP = Layout("slug map", SLUG_COLUMNS, _SURE_SLUG)
PACK_INDEX = Layout(
    "pack index", ("ID", *SLUG_COLUMNS[1:]), ID, other_names=("KB-NNNN", "KB-NNN", "KB", "KB id")
)


class Cells(Mapping[str, Cell]):
    """The cells of one row by column name, worked out when they are asked for."""

    __slots__ = ("_index", "_line")

    def __init__(self, line: Line, index: Mapping[str, int]) -> None:
        self._line = line
        self._index = index

    def __getitem__(self, name: str) -> Cell:
        return self._line.cells[self._index[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)


class Texts:
    """The texts of one row by column name, `""` for a column that the table lacks."""

    __slots__ = ("_line", "_places", "_texts")

    def __init__(self, line: Line, texts: Sequence[str], places: Mapping[str, int]) -> None:
        self._line = line
        self._texts = texts
        self._places = places

    def __getitem__(self, column: str) -> str:
        position = self._places.get(column)
        return "" if position is None else self._texts[position]

    @property
    def path(self) -> str:
        """The Path: it may be the text of a link, or where a link with other words leads."""
        text = self["Path"]
        if not text or "/" in text:
            return text
        target = self._line.cells[self._places["Path"]].target.removeprefix("./")
        if "%" in target:
            from urllib.parse import unquote

            target = unquote(target)
        return target or text


class Header(NamedTuple):
    """Where each column stands in a row. `exact` tells that all required names are there as such."""

    places: dict[str, int]
    exact: bool
    problems: tuple[Problem, ...]


class Choice(NamedTuple):
    """The table that counts, and what is wrong with it and with others like it."""

    table: Table | None
    places: dict[str, int]
    problems: tuple[Problem, ...]


def choose(tables: Sequence[Table], layout: Layout, source: Source) -> Choice:
    """The first table with a whole header, or else the first that is surely meant."""
    meant = [(table, header) for table in tables if (header := _meant(table, layout)) is not None]
    if not meant:
        return Choice(None, {}, ())
    whole = [pair for pair in meant if pair[1].exact]
    keyed = [pair for pair in meant if layout.columns[0] in pair[1].places]
    table, header = (whole or keyed or meant)[0]
    others = (_second(other, table, layout, source) for other, _ in meant if other is not table)
    problems = (*header.problems, *others)
    if layout.columns[0] not in header.places:
        return Choice(None, {}, problems)
    return Choice(table, header.places, problems)


def rows(choice: Choice, layout: Layout) -> Iterator[tuple[Line, tuple[str, ...]] | Problem]:
    """Each row with its texts, or what is wrong with the number of its cells."""
    if choice.table is None:
        return
    width = len(choice.table.header.texts)
    for line in choice.table.rows:
        texts = line.texts
        yield (line, texts) if len(texts) == width else _miscounted(line, texts, width, layout)


def key_of(texts: Sequence[str], layout: Layout) -> str:
    """The key that a row carries somewhere, shortened, `""` where it carries none."""
    return short(next(filter(layout.key.fullmatch, texts), ""), 40)


def is_delimiter(line: Line) -> bool:
    """Whether a line is `|---|---|`, which stands between a header and its rows."""
    return all(_DELIMITER.fullmatch(text) for text in line.texts)


def names_columns(line: Line, layout: Layout) -> bool:
    """Whether a line reads like the header of such a table: half of the required names are there."""
    texts = line.texts
    if len(texts) * 2 < len(layout.required):
        return False
    names = {_normal(text) for text in texts}
    known = sum(_normal(column) in names for column in layout.required)
    return known * 2 >= len(layout.required)


def _meant(table: Table, layout: Layout) -> Header | None:
    """The header of a table of this kind, `None` for any other table."""
    if names_columns(table.header, layout):
        header = _header(table.header, layout)
        if layout.columns[0] in header.places or _has_rows(table, layout):
            return header
    return _header(table.header, layout) if _has_rows(table, layout) else None


def _has_rows(table: Table, layout: Layout) -> bool:
    """Whether some of the first rows are as wide as rows of this kind and carry a key."""
    return any(
        len(line.texts) >= len(layout.required) and any(map(layout.key.fullmatch, line.texts))
        for line in (table.header, *table.rows[:20])
    )


def _header(line: Line, layout: Layout) -> Header:
    columns = {_normal(column): column for column in layout.columns}
    columns |= {_normal(name): layout.columns[0] for name in layout.other_names}
    index: dict[str, int] = {}
    problems: list[Problem] = []
    spare: dict[str, int] = {}
    for position, text in enumerate(line.texts):
        column = columns.get(_normal(text))
        if column is None:
            spare.setdefault(_normal(text), position)
        elif column in index:
            message = f"the header of the {layout.what} names {column} twice"
            problems.append(Problem(line.cells[position].span, message, "the first one counts", column))
        else:
            index[column] = position
    exact = all(column in index for column in layout.required)
    if any(map(layout.key.fullmatch, line.texts)):
        message = f"the {layout.what} has no header: its first line is a row"
        return Header({}, False, (Problem(line.span, message, _header_hint(layout)),))
    for column in layout.columns:
        near = "" if column in index or len(spare) > _MAX_NAMES else nearest(_normal(column), spare)
        if near:
            index[column] = position = spare.pop(near)
            said = short(line.texts[position], 40)
            message = f"the column {said} is taken for {column}, which the {layout.what} lacks"
            problems.append(Problem(line.cells[position].span, message, f"write {column}", said))
    missing = [column for column in layout.required if column not in index]
    if missing:
        message = f"the header of the {layout.what} lacks {', '.join(missing)}"
        problems.append(Problem(line.span, message, _header_hint(layout), ", ".join(missing)))
    return Header(index, exact, tuple(problems))


def _second(other: Table, first: Table, layout: Layout, source: Source) -> Problem:
    line = source.line_of(first.header.span.start)
    return Problem(
        other.header.span,
        f"this is a second {layout.what} table, and its rows do not count",
        f"move them to the table in line {line}",
        related=(Related(source.path, first.header.span, f"the {layout.what} that counts"),),
    )


def _miscounted(line: Line, texts: Sequence[str], width: int, layout: Layout) -> Problem:
    subject = key_of(texts, layout)
    cells = "1 cell" if len(texts) == 1 else f"{len(texts)} cells"
    message = f"{subject or 'this row'} has {cells} where the header has {width}"
    if len(texts) > width:
        span = Span(line.cells[width].span.start, line.span.end)
        return Problem(span, message, "write a pipe that belongs to a cell as \\|", subject)
    if len(texts) == 1 and not subject:
        return Problem(line.span, message, "leave a blank line between the table and other text", subject)
    return Problem(line.span, message, "write every cell, blank ones too", subject)


def _header_hint(layout: Layout) -> str:
    return f"the header is | {' | '.join(layout.columns)} |"


def _normal(name: str) -> str:
    return _SEPARATORS.sub(" ", name).strip().casefold()
