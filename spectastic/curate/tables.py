"""Changes to the tables of the registry and of slug maps, byte for byte. Pure.

A new row takes over the order of the columns, the padding, the line end and whatever stands before
the rows (a quotation mark, a list's indent). A cell that is changed keeps the width of its column
where the new text fits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import tables
from spectastic.corpus.layout import PACK_INDEX, REGISTRY, SLUG_MAP, Choice, choose
from spectastic.corpus.model import COLUMNS, SLUG_COLUMNS
from spectastic.curate.plan import CurateError
from spectastic.findings import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spectastic.corpus.layout import Layout
    from spectastic.corpus.model import Row, SlugEntry
    from spectastic.corpus.tables import Line, Table
    from spectastic.source import Source

#: What ends a line somewhere, and what no cell can hold.
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
#: What would read as markup. An underscore inside of a word does not, and neither does the & of R&D.
_MARKUP = re.compile(r"[\\`*\[\]<|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=#|[A-Za-z][A-Za-z0-9]{0,40};)")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_BEFORE_CELLS = re.compile(rb"[ \t>]*+")
_BLANKS = b" \t"


def plain(text: str) -> str:
    """A text as a cell can say it: on one line, without control characters and blanks at its ends."""
    parts = (part.strip() for part in _BREAKS.sub("\n", text).split("\n"))
    return " ".join(part for part in parts if part)


def cell(text: str) -> str:
    """What to write into a cell so that it reads as `plain(text)`."""
    return _MARKUP.sub(r"\\\g<0>", plain(text))


def append_rows(source: Source, table: Table, rows: Iterable[Mapping[str, str]]) -> bytes:
    """The file with more rows at the end of a table.

    `rows` give texts by column name, the first column (`KB-NNNN`, `Slug`) always; columns that they do
    not name stay blank. Raises `CurateError` where the table lacks a column that there is a text for.
    """
    wanted = list(rows)
    if not wanted:
        return source.data
    layout = _layout(wanted[0])
    choice = choose([table], layout, source)
    style = _Style(source, table)
    lines = [style.row(_texts(values, choice, layout, source)) for values in wanted]
    at, ended = style.end()
    eol = style.eol
    text = eol.join(lines)
    return source.data[:at] + (text + eol if ended else eol + text) + source.data[at:]


def set_rows(source: Source, changes: Iterable[tuple[Row | SlugEntry, Mapping[str, str]]]) -> bytes:
    """The file with the texts of some cells of rows of one table replaced, and nothing else.

    A cell that says its new text already stays as it is.

    Raises `CurateError` where the table lacks a column that there is a text for.
    """
    edits: list[tuple[Span, bytes]] = []
    style: _Style | None = None
    for row, values in changes:
        for column, value in values.items():
            text = plain(value)
            if column not in row.cells:
                if text:
                    raise _no_column(source, _layout(row.cells), (column,))
            elif row.cells[column].text != text:
                style = style or _Style(source, _table(source, _layout(row.cells)))
                edits.append(style.replaced(row.cells[column].span, cell(text)))
    parts: list[bytes] = []
    at = 0
    for span, new in sorted(edits):
        parts += (source.data[at : span.start], new)
        at = span.end
    return b"".join((*parts, source.data[at:]))


def new_registry() -> str:
    """A registry without rows."""
    return (
        "# Knowledge registry\n\n"
        "One row gives one reference its id; specs cite these ids. Ids are never used again, and rows are\n"
        "never deleted.\n\n" + head(COLUMNS)
    )


def new_skill(name: str, description: str) -> str:
    """A `SKILL.md` with an empty slug map."""
    from spectastic.curate.documents import scalar

    words = plain(name.replace("-", " ").replace("_", " "))
    title = cell(words[:1].upper() + words[1:])
    fields = f"name: {scalar(name)}\ndescription: {scalar(description)}\n"
    return f"---\n{fields}---\n\n# {title}\n\n{head(SLUG_COLUMNS)}"


def head(columns: Sequence[str]) -> str:
    """The first two lines of a table."""
    return f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"


def _layout(columns: Iterable[str]) -> Layout:
    names = set(columns)
    return next((layout for layout in (REGISTRY, PACK_INDEX) if layout.columns[0] in names), SLUG_MAP)


def _table(source: Source, layout: Layout) -> Table:
    table = choose(tables.read(source).tables, layout, source).table
    if table is None:
        raise CurateError(f"{source.path} has no {layout.what}")
    return table


def _texts(values: Mapping[str, str], choice: Choice, layout: Layout, source: Source) -> list[str]:
    """The cells of a row, ready to be written, in the order of the table's columns."""
    missing = [name for name, text in values.items() if plain(text) and name not in choice.places]
    if missing or choice.table is None:
        raise _no_column(source, layout, missing or layout.columns)
    texts = [""] * len(choice.table.header.texts)
    for name, text in values.items():
        if name in choice.places:
            texts[choice.places[name]] = cell(text)
    return texts


def _no_column(source: Source, layout: Layout, names: Sequence[str]) -> CurateError:
    message = f"the {layout.what} in {source.path} has no column {', '.join(names)}"
    return CurateError(message, f"its header is | {' | '.join(layout.columns)} |; add what it lacks")


class _Raw(NamedTuple):
    """Where a cell stands, blanks at its ends included."""

    span: Span
    text: bytes

    @property
    def width(self) -> int:
        """Its width in characters."""
        return len(self.text.decode())

    @property
    def before(self) -> int:
        """How many blanks come before its text."""
        return len(self.text) - len(self.text.lstrip(_BLANKS))


class _Style:
    """How the rows of a table are written."""

    def __init__(self, source: Source, table: Table) -> None:
        self._source = source
        self._header = table.header
        columns = len(table.header.texts)
        #: A text line that touches the table is one of its rows, and no model for one.
        good = (line for line in reversed(table.rows) if len(line.texts) == columns)
        self._last = next(good, None)
        self.eol = self._line_end(table.header.span.end)[1] or b"\n"
        widths = self._column_widths()
        #: The widths of the columns, blanks included; none where pipes do not stand under pipes.
        self._widths = widths if [raw.width for raw in self._raw(self._header)] == widths else []

    def row(self, texts: Sequence[str]) -> bytes:
        """A new row, with what stands before it on its line."""
        model = self._last or self._header
        row = self._source.data[model.span.start : model.span.end]
        cells = self._raw(model)
        padded = any(raw.before for raw in cells if raw.text.strip(_BLANKS))
        pad = " " if padded else ""
        widths = self._widths or [0] * len(texts)
        body = "|".join(
            _filled(f"{pad}{text}{pad}" if text else pad, width)
            for text, width in zip(texts, widths, strict=True)
        ).encode()
        if row.startswith(b"|") or not texts[0][:1].isalpha():
            body = b"|" + body
        if row.endswith(b"|") or not texts[-1]:
            body += b"|"
        return self._before() + body

    def end(self) -> tuple[int, bool]:
        """Where a new row goes, and whether the line before that is ended."""
        at, ending = self._line_end(self._last.span.end if self._last else self._delimiter().end)
        return at + len(ending), bool(ending)

    def replaced(self, span: Span, text: str) -> tuple[Span, bytes]:
        """The cell around `span` with another text: what is replaced, and by what."""
        raw = self._around(span)
        if span.start == span.end:
            pad = after = " " if raw.text else ""
        else:
            pad = raw.text[: raw.before].decode()
            after = raw.text[raw.before + span.end - span.start :].decode()
        kept = raw.width in self._widths
        if kept:
            after = after[:1]
        new = f"{pad}{text}{after}" if text else pad
        return raw.span, _filled(new, raw.width if kept else 0).encode()

    def _raw(self, line: Line) -> list[_Raw]:
        return [self._around(found.span) for found in line.cells]

    def _around(self, span: Span) -> _Raw:
        """A cell with the blanks around it."""
        data = self._source.data
        start, end = span
        while start > 0 and data[start - 1] in _BLANKS:
            start -= 1
        while end < len(data) and data[end] in _BLANKS:
            end += 1
        return _Raw(Span(start, end), data[start:end])

    def _column_widths(self) -> list[int]:
        """The widths of the columns, as the line of dashes has them."""
        text = self._source.data[slice(*self._delimiter())].decode().strip("|")
        return [len(part) for part in text.split("|")]

    def _delimiter(self) -> Span:
        """The line of dashes, without what stands before it."""
        at, ending = self._line_end(self._header.span.end)
        start = at + len(ending)
        end, _ = self._line_end(start)
        before = _BEFORE_CELLS.match(self._source.data, start, end)
        first = before.end() if before else start
        return Span(first, first + len(self._source.data[first:end].rstrip(_BLANKS)))

    def _before(self) -> bytes:
        """What stands before a row on its line."""
        data = self._source.data
        at = self._last.span.start if self._last else self._delimiter().start
        start = max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at)) + 1
        return data[max(start, self._source.base) : at]

    def _line_end(self, at: int) -> tuple[int, bytes]:
        """Where the line around `at` ends, and how: `b""` at the end of the file."""
        found = _LINE_END.search(self._source.data, at)
        return (found.start(), found[0]) if found else (len(self._source.data), b"")


def _filled(text: str, width: int) -> str:
    return text + " " * (width - len(text))
