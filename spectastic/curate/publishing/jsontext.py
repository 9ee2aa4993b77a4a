"""JSON with its places: read strictly, and changed where it has to be, all else left as it was written. Pure.

Stricter than the standard library's reader: no key twice, no NaN, no half of a surrogate pair, and no
nesting that nobody would write by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Deeper than this is no file of ours.
MAX_DEPTH = 50

_BLANKS = re.compile(r"[ \t\r\n]*+")
_PLAIN = re.compile(r"[^\s,\]}]++")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDENT = re.compile(r"[ \t]*+")


class JsonError(Exception):
    """Why a text is no JSON that can be used, and where: `line` and `column` from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class Node(NamedTuple):
    """A value and where it stands, in characters: `[start, end)`; with its key, it begins at `begin`.

    `members` are those of an object, by key, `items` those of an array.
    """

    begin: int
    start: int
    end: int
    value: object
    members: dict[str, Node] = {}  # noqa: RUF012 - never changed
    items: tuple[Node, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """What is in an object or an array, in order."""
        return (*self.members.values(), *self.items)


class Edit(NamedTuple):
    """Characters `[start, end)` to be replaced."""

    start: int
    end: int
    text: str


def parse(text: str) -> Node:
    """The value that a text is. Raises `JsonError`."""
    from json import loads

    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON")

    try:
        loads(text, parse_constant=refuse)
    except RecursionError:
        raise JsonError("it is nested too deeply", 1, 1) from None
    except ValueError as error:
        at = getattr(error, "pos", 0)
        raise _error(text, at, getattr(error, "msg", str(error).partition(":")[0])) from None
    return _Reader(text).value(0, 0)


def at(text: str, node: Node, message: str) -> JsonError:
    """An error about a value."""
    return _error(text, node.start, message)


def changed(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made, which do not overlap."""
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(edits):
        parts += (text[done:start], new)
        done = end
    return "".join((*parts, text[done:]))


def replaced(node: Node, value: object) -> Edit:
    """A value in the place of another one, on one line."""
    return Edit(node.start, node.end, _dumped(value))


def added(text: str, node: Node, values: Iterable[tuple[str | None, object]]) -> Edit:
    """More members at the end of an object, each with its key, or more items at the end of an array.

    They are indented as those that are there, and as the first line below the top where there are none.
    """
    unit = _unit(text)
    eol = "\r\n" if "\r\n" in text else "\n"
    last = node.children[-1] if node.children else None
    spread = last is None or "\n" in text[node.start : last.begin]
    outer = _indent(text, node.start)
    indent = outer + unit if last is None else _indent(text, last.begin)
    lines = [
        (f"{_dumped(key)}: " if key is not None else "")
        + (_dumped(value, unit).replace("\n", eol + indent) if spread else _dumped(value))
        for key, value in values
    ]
    gap = f",{eol}{indent}" if spread else ", "
    if last is None:
        close = eol + outer
        return Edit(node.start + 1, node.end - 1, f"{eol}{indent}{gap.join(lines)}{close}")
    return Edit(last.end, last.end, "".join(gap + line for line in lines))


def removed(node: Node, gone: Iterable[Node]) -> list[Edit]:
    """Some items of an array taken out, with the commas that belong to them."""
    starts = {item.start for item in gone}
    first = next((item for item in node.items if item.start not in starts), None)
    if first is None:
        return [Edit(node.start, node.end, "[]")]
    pairs = zip(node.items, node.items[1:], strict=False)
    edits = [Edit(before.end, item.end, "") for before, item in pairs if item.start in starts]
    leading = [edit for edit in edits if edit.end < first.start]
    if first is not node.items[0]:
        edits = [Edit(node.items[0].start, first.start, ""), *edits[len(leading) :]]
    return edits


class _Reader:
    """Finds the places in a text that is JSON."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, place: int, depth: int, begin: int | None = None) -> Node:
        start = self._skip(place)
        begin = start if begin is None else begin
        if depth > MAX_DEPTH:
            raise _error(self._text, start, "it is nested too deeply")
        first = self._text[start]
        if first == "{":
            return self._object(begin, start, depth)
        if first == "[":
            return self._array(begin, start, depth)
        if first == '"':
            value, end = self._string(start)
            return Node(begin, start, end, value)
        from json import loads

        plain = _PLAIN.match(self._text, start)
        end = plain.end() if plain else start
        return Node(begin, start, end, loads(self._text[start:end]))

    def _object(self, begin: int, start: int, depth: int) -> Node:
        members: dict[str, Node] = {}
        place = self._skip(start + 1)
        while self._text[place] != "}":
            key, end = self._string(place)
            if key in members:
                raise _error(self._text, place, f"the key {_dumped(key)} is there twice")
            members[key] = self.value(self._skip(end) + 1, depth + 1, place)
            place = self._next(members[key].end)
        values = {key: node.value for key, node in members.items()}
        return Node(begin, start, place + 1, values, members)

    def _array(self, begin: int, start: int, depth: int) -> Node:
        items: list[Node] = []
        place = self._skip(start + 1)
        while self._text[place] != "]":
            items.append(self.value(place, depth + 1))
            place = self._next(items[-1].end)
        return Node(begin, start, place + 1, [node.value for node in items], {}, tuple(items))

    def _string(self, start: int) -> tuple[str, int]:
        from json import loads

        match = _STRING.match(self._text, start)
        end = match.end() if match else start
        text: str = loads(self._text[start:end])
        if _SURROGATE.search(text):
            raise _error(self._text, start, "this text has half of a surrogate pair in it")
        return text, end

    def _skip(self, place: int) -> int:
        blanks = _BLANKS.match(self._text, place)
        return blanks.end() if blanks else place

    def _next(self, place: int) -> int:
        """Where the next member begins, or the bracket that closes."""
        place = self._skip(place)
        return self._skip(place + 1) if self._text[place] == "," else place


def _error(text: str, place: int, message: str) -> JsonError:
    line = text.count("\n", 0, place) + 1
    return JsonError(message, line, place - (text.rfind("\n", 0, place) + 1) + 1)


def _dumped(value: object, indent: str | None = None) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False, indent=indent)


def _indent(text: str, place: int) -> str:
    """The blanks that the line of a place begins with."""
    match = _INDENT.match(text, text.rfind("\n", 0, place) + 1)
    return match[0] if match else ""


def _unit(text: str) -> str:
    """How deep one level is indented: as the first line that is."""
    match = re.search(r"\n([ \t]+)[^\s]", text)
    return match[1] if match else "  "
