"""What a delegate answers: a `<doc id="…">` block for each document. It is anybody's text, and not believed.

A block counts for a document that was handed over, and only whole and alone: with its closing line, with
something in it, and once. Everything else is dropped and said, and its document read directly.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.links import is_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: A block opens at the beginning of a line, and closes at the end of one.
_MARK = re.compile(r"^[ \t]*<doc\b(?P<attributes>[^>\n]*)>|(?P<close></doc>)[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r' id="(?P<id>[^"\n]*)"(?: path="(?P<path>[^"\n]*)")? ?')
_PATH = re.compile(r"[A-Za-z0-9_./-]+")


class Answer(NamedTuple):
    """The texts that count, by id, and for each block that does not, what is wrong with it."""

    texts: Mapping[str, str]
    refused: tuple[str, ...]


class _Block(NamedTuple):
    attributes: str
    text: str
    whole: bool


def read(answer: str, expected: Mapping[str, str]) -> Answer:
    """The blocks of an answer. `expected` has the path of each document that was handed over, by id.

    Looks at no file: what is named counts only if we have named it before.
    """
    texts: dict[str, str] = {}
    refused: list[str] = []
    seen: set[str] = set()
    for block in _blocks(answer.replace("\r\n", "\n")):
        match = _ATTRIBUTES.fullmatch(block.attributes)
        identifier = match["id"] if match else ""
        wrong = _wrong(match, expected)
        if not wrong and identifier in seen:
            # Which of the two is the document's own cannot be told.
            texts.pop(identifier, None)
            wrong = "twice"
        seen.add("" if wrong else identifier)
        if not wrong and not block.whole:
            wrong = "unfinished"
        if not wrong and not block.text.strip():
            wrong = "empty"
        if wrong:
            refused.append(wrong)
        else:
            texts[identifier] = block.text.strip("\n")
    return Answer(texts, tuple(refused))


def _wrong(match: re.Match[str] | None, expected: Mapping[str, str]) -> str:
    """Why the head of a block does not count, if it does not."""
    if match is None or not is_id(match["id"]):
        return "no id"
    if match["id"] not in expected:
        return "not asked for"
    if match["path"] is not None and (not is_plain(match["path"]) or match["path"] != expected[match["id"]]):
        return "another path"
    return ""


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks in order. One that another one interrupts, or that closes twice, is not whole."""
    attributes: str | None = None
    start = 0
    found: _Block | None = None
    for mark in _MARK.finditer(text):
        if mark["close"] is None:
            if attributes is not None:
                yield _Block(attributes, "", whole=False)
            if found is not None:
                yield found
            attributes, start, found = mark["attributes"], mark.end(), None
        elif attributes is not None:
            found = _Block(attributes, text[start : mark.start()], whole=True)
            attributes = None
        elif found is not None:
            found = found._replace(whole=False)
    if attributes is not None:
        yield _Block(attributes, "", whole=False)
    if found is not None:
        yield found


def is_plain(path: str) -> bool:
    """Whether a path is relative, of plain characters alone, and nowhere goes up. Looks at no file."""
    return _PATH.fullmatch(path) is not None and not path.startswith("/") and ".." not in path


def is_own(root: str, path: str) -> bool:
    """Whether a plain path is that of a regular file below the root, with no link on the way."""
    if not is_plain(path):
        return False
    place = root
    mode = 0
    for part in path.split("/"):
        place = os.path.join(place, part)
        try:
            mode = os.lstat(place).st_mode
        except OSError:
            return False
        if stat.S_ISLNK(mode):
            return False
    return stat.S_ISREG(mode)
