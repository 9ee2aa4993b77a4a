"""Choosing the best of the rows that a planned search gave. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spectastic.grounding.table import Row

#: The column of a row's own keywords, by the contract.
_KEYWORDS = "Keywords"
#: What a priority is worth that stands in a row's keywords, or elsewhere; one in its name decides at once.
_IN_KEYWORDS, _ANYWHERE = 3, 1


def priorities(cell: str | None) -> list[str]:
    """The priorities of a cell, which `+` parts."""
    return [part.strip() for part in (cell or "").split("+") if part.strip()]


def choose(rows: Sequence[Row], wanted: Sequence[str], name_column: str | None) -> int:
    """The place of the best row: the first that a priority names, the first priority counting first.

    If none names a row, the one that speaks most of them; without priorities the first. There is a row.
    """
    words = [word.lower() for word in wanted]
    if name_column:
        for word in words:
            for place, row in enumerate(rows):
                name = _cell(row, name_column)
                if name and (word in name or name in word):
                    return place
    points = [sum(_worth(row, word) for word in words) for row in rows]
    return points.index(max(points))


def _worth(row: Row, word: str) -> int:
    if word in _cell(row, _KEYWORDS):
        return _IN_KEYWORDS
    return _ANYWHERE if any(word in _cell(row, column) for column in row) else 0


def _cell(row: Row, column: str) -> str:
    # A blank stands in each priority of two words, so a blank name would be everybody's.
    return (row.get(column) or "").strip().lower()
