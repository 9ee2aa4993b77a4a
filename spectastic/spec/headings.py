"""What a heading is, what it is called, and where its section ends: for all that read or write sections.

A heading is one of CommonMark that stands in no list, quote or footnote: one in there begins nothing, and
ends nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

#: `9.`, `3.2)`, `§ 4`, `IX.`, `B)`: what numbers a section. A letter needs its stop, a digit does not.
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)*[.):]*|(?:[ivxlc]+|[a-z])[.):])(?:\s+|\Z)")
_EDGES = re.compile(r"\A[\W_]+|[\W_]+\Z")


class Heading(NamedTuple):
    """A heading in the bytes `[start, end)` of a text, from 1 to 6, and the text that it shows."""

    level: int
    title: str
    start: int
    end: int


class Headings:
    """Collects the headings of a text from its events, as `markdown.events` gives them."""

    __slots__ = ("_depth", "_words", "found")

    def __init__(self) -> None:
        self.found: list[Heading] = []
        #: How many blocks are open.
        self._depth = 0
        self._words: list[str] = []

    def take(self, kind: str, name: str, value: Any, start: int, end: int) -> None:
        """The next event: `Start` or `End` of the block `name`, or something in a line."""
        if kind == "Start":
            self._depth += 1
            self._words = []
        elif kind == "End":
            self._depth -= 1
            if name == "Heading" and not self._depth:
                self.found.append(Heading(int(value["Heading"][1]), "".join(self._words), start, end))
        elif kind in ("Text", "Code"):
            self._words.append(value)
        elif kind.endswith("Break"):
            self._words.append(" ")


def name(title: str) -> str:
    """What a section is called, however its heading is written: without its number, stops and pictures.

    `9. **Retrieved Context**:` is `retrieved context`.
    """
    plain = _EDGES.sub("", " ".join(title.split()).casefold())
    return _EDGES.sub("", _NUMBER.sub("", plain, count=1)) if _NUMBER.match(plain) else plain


def ends(headings: Sequence[tuple[int, int]], length: int) -> list[int]:
    """Where the section of each heading, (level, start), ends: before the next that is no deeper."""
    found = [length] * len(headings)
    begun: list[int] = []
    for index, (level, start) in enumerate(headings):
        while begun and headings[begun[-1]][0] >= level:
            found[begun.pop()] = start
        begun.append(index)
    return found
