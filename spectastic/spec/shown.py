"""The visible text of one place, and the way back from its characters to bytes of the file."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from spectastic.findings import Span

if TYPE_CHECKING:
    from spectastic.source import Source

#: Visible text, and the bytes `[start, end)` of the file that show as it.
Piece = tuple[str, int, int]

#: How many characters lie between two known byte offsets.
_STEP = 256


class Shown:
    """Pieces of visible text, joined. Indices count characters of `text`."""

    __slots__ = ("_maps", "_offsets", "_pieces", "_source", "text")

    def __init__(self, pieces: list[Piece], source: Source) -> None:
        self._pieces = pieces
        self._source = source
        self.text = "".join([piece[0] for piece in pieces])
        self._offsets: list[int] | None = None
        self._maps: dict[int, _Map | None] = {}

    def span(self, start: int, end: int) -> Span:
        """The bytes of the file that show as `text[start:end]`, markup in between included."""
        return Span(self._place(start, 0), self._place(end - 1, 1))

    def ends(self, start: int, end: int) -> tuple[int, ...]:
        """The file offset just after each of the characters `text[start:end]`."""
        return tuple([self._place(index, 1) for index in range(start, end)])

    def _place(self, index: int, side: int) -> int:
        """Where the character at `index` begins (`side` 0) or ends (1)."""
        if self._offsets is None:
            self._offsets = list(accumulate([len(piece[0]) for piece in self._pieces], initial=0))
        number = bisect_right(self._offsets, index) - 1
        inside = index - self._offsets[number]
        if number not in self._maps:
            self._maps[number] = self._map(number)
        known = self._maps[number]
        start = self._pieces[number][1]
        return start + inside + side if known is None else start + known.place(inside, side)

    def _map(self, number: int) -> _Map | None:
        """The way back for one piece; `None` for plain ASCII that stands as it is shown."""
        text, start, end = self._pieces[number]
        base = self._source.base
        raw = self._source.encoded[start - base : end - base]
        if len(raw) == len(text) and raw.isascii():
            return None
        written = raw.decode("utf-8", "replace")
        if len(written) == len(text):
            return _Same(written)
        return _Whole(len(raw)) if written.startswith("&") and len(text) <= 2 else _Aligned(text, written)


class _Same:
    """Character for character as written."""

    __slots__ = ("_known", "_written")

    def __init__(self, written: str) -> None:
        self._written = written
        chunks = range(0, len(written), _STEP)
        self._known = list(accumulate([len(written[at : at + _STEP].encode()) for at in chunks], initial=0))

    def place(self, index: int, side: int) -> int:
        chunk, _ = divmod(index, _STEP)
        return self._known[chunk] + len(self._written[chunk * _STEP : index + side].encode())


class _Whole:
    """A character reference: each character that it stands for is all of it."""

    __slots__ = ("_size",)

    def __init__(self, size: int) -> None:
        self._size = size

    def place(self, _index: int, side: int) -> int:
        return side * self._size


class _Aligned:
    """Found again, character by character.

    What is shown is what is written with something taken out (code fences, container prefixes on a
    continued line, the backslash before a pipe), or a blank in place of a line end. What is taken
    out has no letter or digit, so the next one found is the right one. A character that is not
    found again gets the whole of what is left.
    """

    __slots__ = ("_places",)

    def __init__(self, text: str, written: str) -> None:
        size = len(written.encode())
        self._places = array("q")
        missing: set[str] = set()
        at = offset = 0
        for character in text:
            if character.isspace():
                found = at if written[at : at + 1].isspace() else -1
                rest = offset
            else:
                found = -1 if character in missing else written.find(character, at)
                rest = size
                if found < 0:
                    missing.add(character)
            if found < 0:
                self._places.extend((offset, rest))
                continue
            offset += len(written[at:found].encode())
            width = len(written[found].encode())
            self._places.extend((offset, offset + width))
            offset += width
            at = found + 1

    def place(self, index: int, side: int) -> int:
        return self._places[2 * index + side]


_Map = _Same | _Whole | _Aligned
