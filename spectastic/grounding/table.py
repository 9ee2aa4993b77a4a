"""Tables: CSV files gone through row by row, with what is odd about them told.

Rows are not kept: some are read again from the lines on which they begin.
"""

from __future__ import annotations

import csv
from collections import deque
from itertools import islice

from spectastic.grounding.lines import CorpusError, Lines
from spectastic.text import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

__all__ = ["CorpusError", "Row", "Table"]

#: A row by column; `None` stands for a cell that a short row lacks.
Row = dict[str, str | None]

#: What other programs part cells with, as it is told.
_SIGNS = {";": ";", "\t": "tabs", "|": "|"}
#: So many oddities are told, and so many guesses; of the rest how many there are.
MOST_WARNINGS = 50
_PERHAPS = "perhaps a broken quote"


class Table:
    """An open CSV file: its `header`, and its rows. `name` stands for it in messages.

    `at` is the line on which the row begins that was given last. Its methods raise `CorpusError`.
    """

    def __init__(self, path: str, name: str) -> None:
        self._lines = Lines(path, name)
        self._oddities: list[str] = []
        #: That the file is not parted by commas, "" where it is: then it is no table of several columns.
        self.parted = ""
        self._guessed: list[str] = []
        self._untold = self._unguessed = 0
        self._told = False
        self.at = self._start = 0
        self.header: tuple[str, ...] = ()
        try:
            self._read_header()
        except BaseException:
            self._lines.close()
            raise

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lines.close()

    @property
    def warnings(self) -> list[str]:
        """What is odd about the file, each with the line; complete once all rows were gone through."""
        more = [f"{self._lines.name}: {self._untold:,} more of these"] if self._untold else []
        return self._oddities + more + self._more_guesses()

    @property
    def guesses(self) -> list[str]:
        """Those of `warnings` that may be as somebody wants them."""
        return self._guessed + self._more_guesses()

    def _more_guesses(self) -> list[str]:
        many = f"{self._lines.name}: {self._unguessed:,} more where a quote is perhaps broken"
        return [many] if self._unguessed else []

    def rows(self) -> Iterator[Row]:
        """All rows, in order, from the first one on."""
        return map(self.row, self.cells())

    def cells(self) -> Iterator[list[str]]:
        """The cells of all rows, in order, as many as each one has."""
        width, base = len(self.header), self._start
        reader = csv.reader(self._lines.after(base))
        last, self.at = base, 0
        while (cells := self._next(reader, last + 1)) is not None:
            before, last = last, base + reader.line_num
            if not cells:
                continue
            self.at = before + 1
            if len(cells) != width or last - before > 1:
                self._look(cells, before + 1, last)
            yield cells
        self._look_at_end(last)
        self._told = True

    def row(self, cells: Sequence[str]) -> Row:
        """A row by column, of its cells."""
        lacking = [None] * (len(self.header) - len(cells))
        return dict(zip(self.header, [*cells, *lacking] if lacking else cells, strict=False))

    def rows_at(self, starts: Iterable[int]) -> Iterator[Row]:
        """The rows that begin on some lines which `at` has told, given in the order of the file.

        A block of the file is read once for all rows that begin in it, and one row is held at a time.
        """
        block, read = -1, 0
        rest: Iterator[str] = iter(())
        for line in starts:
            if self._lines.block(line - 1) == block:
                deque(islice(rest, line - 1 - read), maxlen=0)
            else:
                block, rest = self._lines.block(line - 1), self._lines.after(line - 1)
            # It takes no more lines than the row has.
            reader = csv.reader(rest)
            cells = self._next(reader, line)
            if cells is None:
                raise CorpusError(f"{self._lines.name}: the file was changed while it was read; try again")
            read = line - 1 + reader.line_num
            yield self.row(cells)

    def warn(self, line: int, text: str, *, guess: bool = False) -> None:
        """Tell something odd about a line."""
        if self._told:
            return
        told = len(self._guessed) if guess else len(self._oddities) - len(self._guessed)
        if told < MOST_WARNINGS:
            self._oddities.append(f"{self._lines.name}:{line}: {text}")
            self._guessed += self._oddities[-1:] if guess else []
        elif guess:
            self._unguessed += 1
        else:
            self._untold += 1

    def _next(self, reader: Iterator[list[str]], line: int) -> list[str] | None:
        try:
            return next(reader, None)
        except csv.Error:
            # All else that may be wrong with a table, the reader puts up with.
            limit = f"{csv.field_size_limit():,}"
            cause = f"a cell of more than {limit} characters; is a quote never closed?"
            raise self._lines.error(cause, line) from None

    def _read_header(self) -> None:
        reader = csv.reader(self._lines.after(0))
        header: list[str] | None = []
        while header == []:
            header = self._next(reader, reader.line_num + 1)
        line = self._start = reader.line_num
        if self._lines.has_bom:
            self.warn(1, "the file begins with a byte order mark; it is not needed")
        if header is None:
            self.warn(1, "the file is empty: it has no header")
            return
        self.header = tuple(header)
        if sign := _sign(header):
            said = f"the header is one cell, parted by {_SIGNS[sign]}: save the file with commas"
            self.parted = f"{self._lines.name}:{line}: {said}"
            self.warn(line, said)
        if line > 1:
            self.warn(line, "the header ends here; it should be line 1")
        for column in dict.fromkeys(header):
            times = header.count(column)
            if times > 1:
                self.warn(line, f"{times} columns are called '{short(column)}'; the last one counts")
        if "" in header:
            self.warn(line, f"column {header.index('') + 1} has no name")

    def _look(self, cells: Sequence[str], first: int, last: int) -> None:
        """Tell what is odd about a row of another width, or one that takes several lines."""
        width, found = len(self.header), len(cells)
        held = f"they are one row of {found} cell{'' if found == 1 else 's'}"
        if last > first and found > width:
            self.warn(first, f"a broken quote swallows the lines up to {last}: {held}")
        elif last > first and any(_holds_rows(cell, width) for cell in cells):
            # Where the width is right, the cell may be just as somebody wants it.
            self.warn(first, f"{_PERHAPS} swallows the lines up to {last}: {held}", guess=found == width)
        elif found > width:
            self.warn(first, f"{found} cells where the header has {width}; what is over is left out")
        elif found < width:
            self.warn(first, f"{found} of {width} cells; the others are empty")

    def _look_at_end(self, last: int) -> None:
        """Tell about a quote that is open at the end: the reader takes what follows it for one cell."""
        if self._told or not self.at:
            return
        try:
            next(csv.reader(self._lines.after(self.at - 1), strict=True), None)
        except csv.Error as error:
            if "unexpected end" in str(error):
                self._forget_perhaps(self.at)
                self.warn(self.at, f"a quote is never closed: it swallows everything up to line {last}")

    def _forget_perhaps(self, line: int) -> None:
        """Now it is known what is wrong with a line."""
        here = f"{self._lines.name}:{line}: {_PERHAPS}"
        for kept in (self._guessed, self._oddities):
            kept[:] = [text for text in kept if not text.startswith(here)]


def _sign(header: Sequence[str]) -> str:
    """What parts a header that commas do not part, "" where it has one name or several cells."""
    text = header[0] if len(header) == 1 else ""
    return max((sign for sign in _SIGNS if sign in text), key=text.count, default="")


def _holds_rows(cell: str, width: int) -> bool:
    """Whether the lines of a cell look like rows of the table that a quote swallowed.

    The first one is what was left of a row. Then come whole rows, and last the beginning of one, or a whole
    one. A row that was too long before is one all the same.
    """
    lines = [*csv.reader(cell.split("\n")[1:])]
    whole = lines[:-1] or lines
    return bool(whole) and all(len(cells) >= width > 1 and _is_data(cells) for cells in whole)


def _is_data(cells: Sequence[str]) -> bool:
    """Whether commas part cells, and not the words of a sentence: there a blank comes behind."""
    return not any(cell.startswith(" ") for cell in cells[1:])
