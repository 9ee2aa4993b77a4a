"""What can be wrong with one row of the registry, and with two of them together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus.layout import SLUG, SLUG_HINT
from spectastic.corpus.model import ORPHANED, says_nothing
from spectastic.findings import Problem, Related
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from spectastic.corpus.model import Row
    from spectastic.source import Source

#: What ends a citation, so that no citation can name an edition with it (DESIGN section 3).
_UNCITABLE = re.compile(r"[\s<`]|KB-[0-9]{3}")
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Checks:
    """Checks rows in file order. `names` are the entries of the corpus folder, `folder`."""

    __slots__ = ("_coordinates", "_folder", "_ids", "_names", "_source")

    def __init__(self, folder: str, names: Collection[str], source: Source) -> None:
        self._folder = folder.rpartition("/")[2]
        self._names = names
        self._source = source
        self._ids: dict[str, Row] = {}
        self._coordinates: dict[tuple[str, str, str], Row] = {}

    def duplicate(self, row: Row) -> Problem | None:
        """Remember the row; a problem where an earlier one has its id."""
        first = self._ids.setdefault(row.id, row)
        if first is row:
            return None
        line = self._source.line_of(first.span.start)
        name = _name(row)
        return Problem(
            row.cells["KB-NNNN"].span,
            f"{name} is registered twice, and line {line} came first",
            "give this row an id of its own, or remove it; citations follow the first row",
            name,
            (Related(self._source.path, first.cells["KB-NNNN"].span, f"the row of {name} that counts"),),
        )

    def of(self, row: Row) -> Iterator[Problem]:
        """What is wrong in the cells of a row."""
        name = _name(row)
        for column in ("Marketplace", "Plugin", "Slug", "Title", "Edition", "Path"):
            if column in row.cells and says_nothing(_text(row, column)):
                span = row.cells[column].span
                yield Problem(span, f"{name} has no {column}", "every row needs it: write it here", name)
        if row.slug and not SLUG.fullmatch(row.slug):
            yield _at(row, "Slug", f"the slug of {name}, {short(row.slug)}, is no slug", SLUG_HINT)
        if row.status not in ("", ORPHANED):
            message = f"the status of {name}, {short(row.cells['Status'].text)}, is no status"
            yield _at(row, "Status", message, "write orphaned if its file has gone, and nothing otherwise")
        if odd := _UNCITABLE.search(row.edition):
            what = "a blank" if odd[0].isspace() else odd[0]
            message = f"the edition of {name}, {short(row.edition)}, has {what} in it"
            yield _at(
                row, "Edition", message, "a citation ends there, so nobody can cite it: write it without"
            )
        if row.path and (fault := path_fault(row.path, self._folder, self._names)):
            yield _at(row, "Path", f"the path of {name}, {short(row.path)}, {fault[0]}", fault[1])
        yield from self._coordinate(row)

    def _coordinate(self, row: Row) -> Iterator[Problem]:
        """The same fact under two ids."""
        coordinate = (row.marketplace, row.plugin, row.slug)
        first = self._coordinates.setdefault(coordinate, row)
        if row.slug and first is not row:
            line = self._source.line_of(first.span.start)
            yield Problem(
                row.cells["Slug"].span,
                f"{short(row.label, 80)} has two ids: {_name(row)} here and {_name(first)} in line {line}",
                "one fact has one id for ever: remove the newer row, and correct what cites it",
                _name(row),
                (Related(self._source.path, first.span, f"the row of {_name(first)}"),),
            )


def leaves(path: str) -> bool:
    """Whether a path, as it is written, can lead out of the folder it is relative to."""
    parts = path.replace("\\", "/").split("/")
    return parts[0] == "" or ".." in parts or _DRIVE.match(path) is not None


def path_fault(path: str, folder: str, names: Collection[str] = ()) -> tuple[str, str] | None:
    """What is wrong with how a Path is written, and the remedy; `None` where nothing is."""
    inside = f"write it relative to {folder}/, such as web/references/001-contrast.md"
    parts = path.split("/")
    if leaves(path):
        return "leaves the corpus", inside
    if "\\" in path:
        return "has a backslash in it", "write / between folders"
    if _CONTROL.search(path):
        return "has a control character in it", "remove it"
    if "" in parts or "." in parts:
        return "is not written plainly", "write each folder once, with one / after it"
    if parts[0] == folder and folder not in names:
        return f"begins with {folder}/", f"{inside}; leave {folder}/ out"
    return None


def _at(row: Row, column: str, message: str, hint: str) -> Problem:
    return Problem(row.cells[column].span, message, hint, _name(row))


def _name(row: Row) -> str:
    return short(row.id, 40)


def _text(row: Row, column: str) -> str:
    value: str = getattr(row, column.lower())
    return value
