"""`llms.txt` (https://llmstxt.org): a title, a summary as a quotation, lists of links with notes. Pure."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.curate import tables, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

_WEB = re.compile(r"(?i:https?:)?//[^/]")
_FILE = re.compile(r"(?![A-Za-z][A-Za-z0-9+.-]*:)[^/?\\\x00][^?\\\x00]*")


class Entry(NamedTuple):
    """An item of a list: its link, and what is said of it behind that."""

    title: str
    url: str
    notes: str


class Llms(NamedTuple):
    """What an `llms.txt` says. `title` is "" where there is none, and then it is no such file."""

    title: str
    about: str
    entries: tuple[Entry, ...]


def parse(text: str) -> Llms:
    """Read an `llms.txt`. What has no place in the format is passed over."""
    reader = _Reader()
    for kind, value in texts.events(text):
        reader.take(kind, value)
    return Llms(_line(reader.title), _line(reader.about), tuple(reader.entries))


def is_web(address: str) -> bool:
    """Whether an address is one of the web."""
    return _WEB.match(address) is not None


def is_file(address: str) -> bool:
    """Whether an address can be that of a file, relative to where it is written."""
    return _FILE.fullmatch(address) is not None


def _line(parts: Iterable[str]) -> str:
    return tables.plain("".join(parts))


class _Reader:
    """Collects what stands where."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.about: list[str] = []
        self.entries: list[Entry] = []
        self._stack: list[str] = []
        #: How many of each kind are open.
        self._open: Counter[str] = Counter()
        self._titled = False
        self._link = ""
        self._words: list[str] = []
        self._notes: list[str] = []

    def take(self, kind: str, value: Any) -> None:
        """Take one event of the parser."""
        if kind == "Start":
            self._start(value)
        elif kind == "End":
            self._end()
        elif kind in ("Text", "Code"):
            self._text(value)
        elif kind in ("SoftBreak", "HardBreak"):
            self._text(" ")

    def _start(self, value: Any) -> None:
        name, about = (value, {}) if isinstance(value, str) else next(iter(value.items()))
        if name == "Heading":
            name = about["level"]
        elif name == "Item":
            self._finish()
        elif name == "Link" and self._open["Item"]:
            name = "Title" if not self._link else name
            self._link = self._link or about["dest_url"]
        self._stack.append(name)
        self._open[name] += 1

    def _end(self) -> None:
        name = self._stack.pop()
        self._open[name] -= 1
        self._titled = self._titled or name == "H1"
        if name == "Item":
            self._finish()

    def _finish(self) -> None:
        """An item is at its end, or goes on with items of its own."""
        if self._link:
            notes = _line(self._notes).removeprefix(":").strip()
            self.entries.append(Entry(_line(self._words), self._link, notes))
        self._link, self._words, self._notes = "", [], []

    def _text(self, text: str) -> None:
        if self._open["Title"]:
            self._words.append(text)
        elif self._open["Item"]:
            if self._link:
                self._notes.append(text)
        elif self._open["H1"] and not self._titled:
            self.title.append(text)
        elif self._open["BlockQuote"] and not self.entries:
            self.about.append(text)
