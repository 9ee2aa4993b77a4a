"""The taxonomy file: Markdown that lists, below a heading for each field, the values to use. Pure.

A value is a code span at the beginning of a list item or of a table row, or several with commas between; a
list item without one lists its first word. `- **domain**: ...` gives the values of a field on one line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.model import FIELDS
from spectastic.text import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Where the file is, below the prior-art folder.
FILE = "context/taxonomy.md"

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<text>.*)")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ENTRY = re.compile(r"[ \t]*(?P<mark>[-*+]|\||[0-9]{1,9}[.)])[ \t]+(?P<text>\S.*)")
#: `**domain**:`, with or without the stars and the code span.
_NAMED = re.compile(r"[*_`]*(?P<name>[A-Za-z]+)[*_`]*:[*_`]*[ \t]+(?P<rest>\S.*)")
_SPANS = re.compile(r"`[^`]+`(?:[ \t]*,[ \t]*`[^`]+`)*")
_SPAN = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"\**([^\s`*|:,]+)")


class Misspelt(NamedTuple):
    """A name above or before values, as written, that no field has, and the field that was likely meant."""

    name: str
    meant: str


class Taxonomy(NamedTuple):
    """The values by field, as written; a field of which nothing is listed has no entry."""

    values: Mapping[str, frozenset[str]]
    misspelt: tuple[Misspelt, ...] = ()


def read(text: str) -> Taxonomy:
    """What a taxonomy file lists, and the names in it that would have a list be of no field."""
    found: dict[str, set[str]] = {}
    near: dict[Misspelt, None] = {}
    field = title = ""
    for line in _lines(_COMMENT.sub("", text)):
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            title = heading["text"]
            field = _field_in(title)
        elif entry := _ENTRY.fullmatch(line):
            named = _NAMED.fullmatch(entry["text"])
            own = _field(named["name"]) if named else ""
            values = _values(named["rest"] if named and own else entry["text"], entry["mark"] == "|")
            if own or field:
                found.setdefault(own or field, set()).update(values)
            elif values:
                near |= dict.fromkeys(_near(f"{named['name']} {title}" if named else title))
    listed = {name: frozenset(found[name]) for name in FIELDS if found.get(name)}
    # Beside the field itself, a word like it is another one: `Stock`.
    return Taxonomy(listed, tuple(each for each in near if each.meant not in listed))


def _lines(text: str) -> Iterator[str]:
    """The lines that stand in no code block."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark is not None and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark["mark"]
        elif not fence:
            yield line


def _field_in(heading: str) -> str:
    """The field that a heading names."""
    return next((field for word in re.findall("[A-Za-z]+", heading) if (field := _field(word))), "")


def _field(word: str) -> str:
    stem = word.lower().removesuffix("s")
    return next((field for field in FIELDS if field.removesuffix("s") == stem), "")


def _near(title: str) -> Iterator[Misspelt]:
    """The words that are like a field and begin as it does: `main` is not meant for `domain`."""
    for word in re.findall("[A-Za-z]+", title):
        meant = nearest(word, FIELDS)
        if meant and meant[0] == word[0].lower():
            yield Misspelt(word, meant)


def _values(text: str, row: bool) -> list[str]:
    spans = _SPANS.match(text)
    if spans is not None:
        return [value.strip() for value in _SPAN.findall(spans[0])]
    word = None if row else _WORD.match(text)
    return [word[1]] if word else []
