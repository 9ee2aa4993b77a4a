"""The sections of a Markdown text: from one heading to the next, and what is put into them. Pure.

What is a heading, what it is called, and where its section ends, `spec.headings` says: whoever reads the
document goes by the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.spec.headings import Headings, ends
from spectastic.spec.headings import name as name
from spectastic.spec.markdown import as_commonmark, named_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_COMMENT = re.compile(rb"<!--(?:[^-]|-(?!->))*+-->[ \t]*\n?")
_SAMPLE = re.compile(rb"^[ \t>]*#{1,6}[ \t]+([^\n]*)$", re.MULTILINE)


class Section(NamedTuple):
    """A heading (bytes `[start, body)`), how deep it is (1 to 6), and where its section ends."""

    title: str
    level: int
    start: int
    body: int
    end: int


def sections(text: bytes) -> list[Section]:
    """The sections of a text in order. Deeper ones are parts."""
    headings = Headings()
    for event in named_events(as_commonmark(text.decode())):
        headings.take(*event)
    stops = ends([(heading.level, heading.start) for heading in headings.found], len(text))
    return [
        Section(heading.title, heading.level, heading.start, heading.end, stop)
        for heading, stop in zip(headings.found, stops, strict=True)
    ]


def find(text: bytes, title: str) -> Section | None:
    """The first section of a name."""
    return next((each for each in sections(text) if same(each.title, title)), None)


def same(title: str, other: str) -> bool:
    """Whether two headings name the same section."""
    return name(title) == name(other)


def append(text: bytes, title: str, lines: Iterable[str]) -> bytes:
    """The text with lines at the end of a section, which is made at the end of the text if need be."""
    added = "".join(f"{line}\n" for line in lines).encode()
    if not added:
        return text
    section = find(text, title)
    if section is None:
        return insert(text, len(text), title, added)
    kept = text[: section.end].rstrip(b"\n")
    last = kept[section.body :].rpartition(b"\n")[2]
    gap = b"\n" if re.match(rb"[-*+] ", last) else b"\n\n"
    return kept + gap + added + (b"\n" if text[section.end :] else b"") + text[section.end :]


def insert(text: bytes, at: int, title: str, body: bytes) -> bytes:
    """The text with a section of the second level at a place where another one may begin."""
    before, after = text[:at].rstrip(b"\n"), text[at:].lstrip(b"\n")
    head = before + b"\n\n" if before else b"\n"
    return head + f"## {title}\n\n".encode() + body + (b"\n" + after if after else b"")


def without(text: bytes, titles: Iterable[str]) -> bytes:
    """The text without the sections of these titles, and without comments that hold such a heading."""
    names = {name(title) for title in titles}
    for start, end in reversed(list(_html(text))):
        block = _COMMENT.sub(lambda found: b"" if _shows(found[0], names) else found[0], text[start:end])
        text = text[:start] + block + text[end:]
    kept: list[bytes] = []
    done = 0
    for section in sections(text):
        if name(section.title) in names and section.start >= done:
            kept.append(text[done : section.start])
            done = section.end
    text = b"".join([*kept, text[done:]])
    return text.rstrip(b"\n") + b"\n" if text.strip() else b""


def _shows(comment: bytes, names: set[str]) -> bool:
    """Whether a comment holds a sample of a section, whatever is said behind its name."""
    titles = [name(found[1].decode()) for found in _SAMPLE.finditer(comment)]
    return any(re.match(rf"{re.escape(each)}\b", title) for each in names for title in titles)


def _html(text: bytes) -> Iterator[tuple[int, int]]:
    for kind, block, _, start, end in named_events(as_commonmark(text.decode())):
        if kind == "Start" and block == "HtmlBlock":
            yield start, end
