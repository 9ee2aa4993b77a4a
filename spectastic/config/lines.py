"""On which line each key and each array element of a TOML document stands.

`tomllib` tells values and no positions. This reads the same text, which `tomllib` has already
accepted, and keeps nothing but lines: wherever the two could disagree, a line is off by a little
and never a value.
"""

from __future__ import annotations

import re

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r'''[ \t\r]+|\#[^\n]*
    |(?P<newline>\n)
    |(?P<long>"""(?:[^"\\]++|\\.|""?(?!"))*+"{3,5}|\'\'\'.*?\'{3,5})
    |(?P<word>"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*'|[^\s\[\]{}=,.\#"']+)
    |(?P<mark>[\[\]{}=,.])
    |.''',
    re.VERBOSE | re.DOTALL,
)


class _Reader:
    """Where the reading stands: the open table, the open brackets, and the key being read."""

    __slots__ = ("_header", "_key", "_open", "_reading_key", "_table", "line", "lines")

    def __init__(self) -> None:
        self.line = 1
        self.lines: dict[Path, int] = {}
        self._table: Path = ()
        #: Brackets around the current place: (the path of what they hold, index or -1 for a table).
        self._open: list[tuple[Path, int]] = []
        self._key: list[str] = []
        self._reading_key = True
        self._header = False

    def newline(self) -> None:
        if not self._open and not self._header:
            self._reading_key = True
            self._key = []

    def word(self, text: str) -> None:
        if self._reading_key:
            self._key.append(_unquoted(text))
        else:
            self._element()

    def mark(self, mark: str) -> None:
        if self._reading_key and mark in "[]=":
            self._mark_in_key(mark)
        elif mark == "[":
            self._element()
            self._open.append((self._here(), 0))
        elif mark == "{":
            self._element()
            self._open.append((self._here(), -1))
            self._reading_key, self._key = True, []
        elif mark in "]}" and self._open:
            self._open.pop()
            self._reading_key, self._key = False, []
        elif mark == "," and self._open:
            path, index = self._open[-1]
            if index >= 0:
                self._open[-1] = (path, index + 1)
            self._reading_key, self._key = index < 0, []

    def _mark_in_key(self, mark: str) -> None:
        if mark == "[":
            self._header = True
        elif mark == "]":
            if self._header:
                self._table = tuple(self._key)
                self._note((), self._key)
            self._header, self._key = False, []
        else:
            self._note(self._within(), self._key)
            self._reading_key = False

    def _within(self) -> Path:
        return self._open[-1][0] if self._open else self._table

    def _here(self) -> Path:
        """The path of the value that begins here."""
        if self._open and self._open[-1][1] >= 0:
            return (*self._open[-1][0], self._open[-1][1])
        return (*self._within(), *self._key)

    def _note(self, prefix: Path, key: list[str]) -> None:
        for depth in range(1, len(key) + 1):
            self.lines.setdefault((*prefix, *key[:depth]), self.line)

    def _element(self) -> None:
        if self._open and self._open[-1][1] >= 0:
            self.lines.setdefault(self._here(), self.line)


def lines_of(text: str) -> dict[Path, int]:
    """The line (from 1) of each key, by its whole path, and of each array element, by its index."""
    reader = _Reader()
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "newline":
            reader.newline()
            reader.line += 1
        elif kind == "mark":
            reader.mark(token[0])
        elif kind:
            reader.word(token[0])
            reader.line += token[0].count("\n")
    return reader.lines


def _unquoted(word: str) -> str:
    """A key without its quotes."""
    if word[0] == "'":
        return word[1:-1]
    if word[0] != '"':
        return word
    if "\\" not in word:
        return word[1:-1]
    import tomllib

    return str(tomllib.loads(f"key = {word}")["key"])
