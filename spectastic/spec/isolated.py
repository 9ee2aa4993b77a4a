"""Decisions that stand alone, found without parsing the whole document.

The usual way to write a decision: both tags on lines of their own at the left margin, blank lines
around. After a blank line, such a line begins a block at the top level of the document, whatever
came before, unless it stands in a code fence, a comment or other raw HTML, or a link definition
elsewhere can change what its text shows. Where a document has none of these, each decision can be
read by itself. In all other cases the answer is `None`, and the document is parsed from its start.
A test holds the two readings to each other.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

#: Anything that a parser could take for a tag, comment, declaration or autolink.
_MARKUP = re.compile(b"<[A-Za-z/!?]")
#: What can hide text or change its meaning from afar, or make these lines something else.
_FAR = (b"]:", b"\r", b"~~~", b"\0")
# What stands before is looked at after the first characters: that lets a search skip from one to the next.
_TAG_LINE = re.compile(
    b"<(?:(?<=\\n\\n<)|(?<=\\A<))"
    b'(?:spec-decision(?P<attributes>(?: [a-z]+="[^"&<>\\n]*")*)>|(?P<end>/spec-decision>))'
    b"(?=\\n\\n|\\n?\\Z)"
)
_ATTRIBUTE = re.compile(b' ([a-z]+)="([^"]*)"')
_FENCE_LINE = re.compile(b"```(?:(?<=\\n```)|(?<=\\A```))(?P<info>[^`\\n]*)$", re.MULTILINE)


class Alone(NamedTuple):
    """One decision: its attributes, and offsets into the text of its start tag and of its end tag."""

    attributes: dict[str, str]
    start: tuple[int, int]
    end: tuple[int, int]


def find(text: bytes, start: int) -> list[Alone] | None:
    """The decisions in `text` from offset `start` on, or `None` where that takes a parser. Linear."""
    if any(text.find(sign, start) >= 0 for sign in _FAR):
        return None
    tags = list(_TAG_LINE.finditer(text, start))
    if len(tags) % 2 or len(tags) != len(_MARKUP.findall(text, start)):
        return None
    fences = _fences(text, start)
    if fences is None:
        return None
    starts, ends = fences
    found = []
    for opening, closing in zip(tags[::2], tags[1::2], strict=True):
        if opening["end"] or not closing["end"]:
            return None
        # Tag lines and fences both come in order: the next fence after a tag must begin behind the other.
        following = bisect_left(ends, opening.start())
        if following < len(starts) and starts[following] < closing.end():
            return None
        attributes: dict[str, str] = {}
        for name, value in _ATTRIBUTE.findall(opening["attributes"]):
            attributes.setdefault(name.decode(), value.decode())
        found.append(Alone(attributes, opening.span(), closing.span()))
    return found


def _fences(text: bytes, start: int) -> tuple[list[int], list[int]] | None:
    """Where code fences begin and end, if all are plain: three backticks at the margin, opened and closed."""
    lines = list(_FENCE_LINE.finditer(text, start))
    if (
        len(lines) != text.count(b"```", start)
        or len(lines) % 2
        or any(line["info"].strip() for line in lines[1::2])
    ):
        return None
    return [line.start() for line in lines[::2]], [line.end() for line in lines[1::2]]
