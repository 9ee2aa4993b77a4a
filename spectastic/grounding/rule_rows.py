"""The rows of a reasoning file: each has a category of its own, and rules that are a JSON object. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.grounding.rules import parse_rules
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.grounding.table import Row


class RuleRows:
    """Called with row after row; yields what is wrong with each. `rules` is the column with rules, if any."""

    __slots__ = ("_match", "_rules", "_seen")

    def __init__(self, match: str, rules: str | None) -> None:
        self._match = match
        self._rules = rules
        self._seen: set[str] = set()

    def __call__(self, row: Row) -> Iterator[str]:
        """What is wrong with the next row."""
        if self._match in row:
            yield from self._category((row[self._match] or "").strip())
        if self._rules and (gap := parse_rules(row.get(self._rules)).gap):
            yield f"{self._rules}: {gap} Write an object of conditions and directives"

    def _category(self, category: str) -> Iterator[str]:
        if not category:
            yield f"{self._match}: the cell is empty, so no category leads here; name one, or remove the row"
        elif category.lower() in self._seen:
            yield f"{self._match}: '{short(category)}' stands above already, and that counts; make one row"
        self._seen.add(category.lower())
