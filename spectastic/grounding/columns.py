"""What the columns of a table are for, guessed from its first rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spectastic.grounding.table import Table

#: So many rows are looked at.
SAMPLE = 1000
#: Cells of more characters, half of them or more, make a column too long to be shown.
LONG = 160
#: No more columns are shown.
MOST_SHOWN = 8
_RULES = "JSON: if these are decision rules, the table belongs in `reasoning`"
#: A longer cell is no name.
_NAME = 60

_NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*%?")
_ADDRESS = re.compile(r"(?i:https?|ftp)://\S+")
#: Not part of a number or a colour: `#F8FAFC`.
_WORD = re.compile(r"(?<![\w#])[^\W\d_]{3,}(?![\d])")
#: Signs of which code and markup are full, and sentences are not.
_CODE = re.compile(r"[{}<>;=|\\]|\(\)")


class Chosen(NamedTuple):
    """The columns to search and to show, and what was guessed: sentences."""

    search: list[str]
    output: list[str]
    guesses: list[str]


class _Column(NamedTuple):
    """A column: its cells that are not empty, what most of them are, and how many rows there are."""

    name: str
    cells: Sequence[str]
    what: str
    rows: int

    @property
    def is_long(self) -> bool:
        """Whether half of the cells are too long to be shown."""
        return sorted(map(len, self.cells))[len(self.cells) // 2] > LONG

    @property
    def is_name(self) -> bool:
        """Whether the cells name the rows: nearly each row has one, short, and of its own."""
        named = {cell.lower() for cell in self.cells if len(cell) <= _NAME}
        return self.what == "words" and 10 * len(named) >= 9 * self.rows

    @property
    def is_shown(self) -> bool:
        """Whether the cells say something short. A number of its own for each row says nothing."""
        counts = self.what == "numbers" and len(set(self.cells)) == self.rows
        return self.what in ("words", "signs", "numbers") and not counts and not self.is_long


def chosen(table: Table) -> Chosen:
    """Guess from the first rows of an open table; raises `CorpusError`."""
    from itertools import islice

    rows = list(islice(table.rows(), SAMPLE))
    columns = [
        _column(name, [(row[name] or "").strip() for row in rows])
        for name in dict.fromkeys(table.header)
        if name
    ]
    search = [column for column in columns if column.what == "words"]
    first = [column for column in search if column.is_name][:1] or search[:1]
    others = [column for column in columns if column.is_shown and column not in first]
    output = [*first, *others[: MOST_SHOWN - 1]]
    told = [_searched(columns, search), _shown(columns, first, output)]
    told += (f"{short(column.name)} holds {_RULES}" for column in columns if column.what == "JSON")
    return Chosen([column.name for column in search], [column.name for column in output], told)


def _column(name: str, cells: Sequence[str]) -> _Column:
    kept = [cell for cell in cells if cell]
    return _Column(name, kept, _what(kept), len(cells))


def _what(cells: Sequence[str]) -> str:
    """What most cells of a column are."""
    for what, test in _TESTS.items():
        if 2 * sum(map(test, cells)) > len(cells):
            return what
    return "signs" if cells else "nothing"


def _is_json(cell: str) -> bool:
    return cell[0] + cell[-1] in ("{}", "[]") and '"' in cell


def _is_code(cell: str) -> bool:
    """Whether a cell has a sign of code for every other word, or more."""
    return 2 * len(_CODE.findall(cell)) > len(_WORD.findall(cell))


#: What cells may be, and how it is told: the first that most cells are.
_TESTS: Mapping[str, Callable[[str], bool]] = {
    "numbers": lambda cell: _NUMBER.fullmatch(cell) is not None,
    "addresses": lambda cell: _ADDRESS.match(cell) is not None,
    "JSON": _is_json,
    "code": _is_code,
    "words": lambda cell: _WORD.search(cell) is not None,
}


def _searched(columns: Sequence[_Column], search: Sequence[_Column]) -> str:
    left = [f"{short(column.name)} ({column.what})" for column in columns if column not in search]
    without = f"; not in {', '.join(left)}" if left else ""
    return f"search_cols: words are looked for in {_names(search)}{without}"


def _shown(columns: Sequence[_Column], first: Sequence[_Column], output: Sequence[_Column]) -> str:
    left = _names([column for column in columns if column not in output])
    without = f"; not {left}" if left else ""
    return f"output_cols: {_names(first)} names the rows; shown are {_names(output)}{without}"


def _names(columns: Sequence[_Column]) -> str:
    return ", ".join(short(column.name) for column in columns)
