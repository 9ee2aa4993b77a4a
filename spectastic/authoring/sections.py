"""The sections of a Markdown text: from one heading to the next, and what is put into them. Pure.

What is a heading is asked of CommonMark: one in a comment, a code block, a quote or a list is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.spec.markdown import as_commonmark, events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_COMMENT = re.compile(rb"<!--(?:[^-]|-(?!->))*+-->[ \t]*\n?")


class Section(NamedTuple):
    """A heading (bytes `[start, body)`), how deep it is (1 to 6), and where its section ends."""

    title: str
    level: int
    start: int
    body: int
    end: int


def sections(text: bytes) -> list[Section]:
    """The sections of a text in order, without those inside of lists and quotes. Deeper ones are parts."""
    found = list(_headings(text))
    return [
        section._replace(
            end=next((later.start for later in found[at:] if later.level <= section.level), len(text))
        )
        for at, section in enumerate(found, 1)
    ]


def find(text: bytes, title: str) -> Section | None:
    """The first section of the second level with a title, case aside."""
    return next((each for each in sections(text) if each.level == 2 and same(each.title, title)), None)


def same(title: str, other: str) -> bool:
    """Whether two headings say the same."""
    return title.strip(" :").casefold() == other.casefold()


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
    names = tuple(titles)
    pattern = "|".join(re.escape(name) for name in names)
    sample = re.compile(rf"^[ \t>]*##[ \t]+(?:{pattern})\b".encode(), re.MULTILINE | re.IGNORECASE)
    for start, end in reversed(list(_html(text))):
        block = _COMMENT.sub(lambda found: b"" if sample.search(found[0]) else found[0], text[start:end])
        text = text[:start] + block + text[end:]
    for section in reversed(sections(text)):
        if section.level == 2 and any(same(section.title, name) for name in names):
            text = text[: section.start] + text[section.end :]
    return text.rstrip(b"\n") + b"\n" if text.strip() else b""


def _headings(text: bytes) -> Iterator[Section]:
    depth = 0
    words: list[str] = []
    for kind, value, where in _blocks(text):
        if kind in ("Text", "Code"):
            words.append(value)
            continue
        if kind == "Start":
            depth += 1
            words = []
        elif kind == "End":
            depth -= 1
            if depth == 0 and isinstance(value, dict) and "Heading" in value:
                level = int(value["Heading"][1:])
                yield Section("".join(words), level, where["start"], where["end"], 0)


def _blocks(text: bytes) -> Iterator[tuple[str, Any, Any]]:
    """What a parser sees, but for what stands in a line."""
    for event, where in events(as_commonmark(text.decode())):
        if isinstance(event, str):
            yield "Text", " ", where  # the end of a line
            continue
        [(kind, value)] = event.items()
        name = value if isinstance(value, str) else next(iter(value), "") if isinstance(value, dict) else ""
        if kind in ("Start", "End") and name in ("Emphasis", "Strong", "Strikethrough", "Link", "Image"):
            continue
        yield kind, value, where


def _html(text: bytes) -> Iterator[tuple[int, int]]:
    for kind, value, where in _blocks(text):
        if kind == "Start" and value == "HtmlBlock":
            yield where["start"], where["end"]
