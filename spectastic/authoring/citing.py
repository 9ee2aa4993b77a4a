"""Adding `(informed by …)` to a line of a document. Pure; the markup has to stay as it was."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.authoring.model import AuthoringError
from spectastic.retrieval.documents import body
from spectastic.retrieval.links import mentions
from spectastic.source import Source
from spectastic.spec.markdown import as_commonmark, events
from spectastic.spec.outline import outline
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The pieces of markup whose lines can be added to.
_TEXT = ("Paragraph", "Item")
_CITED = re.compile(r"\(informed by\s+(?P<ids>[^()]*)\)", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")
_OPEN = re.compile(r"\(informed by\b[^()]*\Z", re.IGNORECASE)


class Cited(NamedTuple):
    """The document with the citation, its line (from 1) as it is now, and the ids that were added."""

    data: bytes
    line: int
    text: str
    added: tuple[str, ...]


def line_with(source: Source, wanted: str) -> int:
    """The number of the only line that holds a text.

    Raises:
        AuthoringError: none does, or several do.
    """
    first = source.line_of(_start(source))
    lines = [
        number
        for number in range(first, len(source.line_starts) + 1)
        if wanted in _line(source, number).decode("utf-8", "replace")
    ]
    if len(lines) == 1:
        return lines[0]
    if not lines:
        raise AuthoringError(
            f"{source.path}: no line holds {short(wanted) or 'an empty text'}", "copy it from the document"
        )
    told = ", ".join(map(str, lines[:10])) + (", …" if len(lines) > 10 else "")
    raise AuthoringError(
        f"{source.path}: {len(lines)} lines hold {short(wanted)}: {told}", "name one with --line"
    )


def cite(source: Source, number: int, ids: Sequence[str]) -> Cited:
    """The document with ids cited at the end of a line, each once; those that are there stay.

    Raises:
        AuthoringError: there is no such line, or nothing can be added to it.
    """
    start = _start(source)
    if not 0 < number <= len(source.line_starts):
        raise AuthoringError(f"{source.path} has no line {number}", f"it has {len(source.line_starts)}")
    begin = source.line_starts[number - 1]
    line = _line(source, number)
    if begin < start or not line.strip():
        what = "is part of the frontmatter" if begin < start else "is empty"
        raise _no_text(source, number, what)
    end = begin + len(line.rstrip())
    before = source.data[start:end].decode("utf-8")
    paragraph = _BLANK_LINE.split(before)[-1]
    if _OPEN.search(paragraph):
        raise _no_text(source, number, "ends in the middle of a citation")
    # A citation that began on the line before may end on this one.
    cited = [
        match for match in _CITED.finditer(paragraph) if len(paragraph[match.end() :].encode()) < end - begin
    ]
    held = mentions(" ".join(match["ids"] for match in cited))
    added = tuple(each for each in dict.fromkeys(ids) if each not in held)
    if not added:
        return Cited(source.data, number, line.decode(), ())
    if cited:
        tail = paragraph[cited[-1].end("ids") :].encode()
        at = end - len(tail)
        piece = f"{', ' * bool(cited[-1]['ids'].strip())}{', '.join(added)}".encode()
    else:
        at, piece = end, f" (informed by {', '.join(added)})".encode()
    data = source.data[:at] + piece + source.data[at:]
    after = Source(source.path, data)
    _check(source, after, number, at, len(piece))
    return Cited(data, number, _line(after, number).decode(), added)


def _start(source: Source) -> int:
    return len(source.data) - len(body(source.data))


def _line(source: Source, number: int) -> bytes:
    """A line without its end."""
    begin = source.line_starts[number - 1]
    end = source.line_starts[number] if number < len(source.line_starts) else len(source.data)
    return source.data[begin:end].rstrip(b"\r\n")


def _check(before: Source, after: Source, number: int, at: int, size: int) -> None:
    """That what was added is text, and that nothing else has become something else by it."""
    start = _start(before)
    old, new = (Source(each.path, each.data[start:]) for each in (before, after))
    place = at - start
    was, now = outline(old, [place - 1]), outline(new, [place])
    kind = now.places[0][1]
    if kind not in _TEXT or was.markup != now.markup or _in_code(new, place, size):
        raise _no_text(before, number, "is no line of plain text")


def _in_code(source: Source, at: int, size: int) -> bool:
    """Whether a place lies in a code span or in a tag or comment in the line."""
    for event, where in events(as_commonmark(source.text)):
        hides = not isinstance(event, str) and next(iter(event)) in ("Code", "InlineHtml")
        if hides and where["start"] < at + size and at < where["end"]:
            return True
    return False


def _no_text(source: Source, number: int, what: str) -> AuthoringError:
    return AuthoringError(
        f"{source.path}:{number} {what}: nothing can be cited there",
        "name a line of a paragraph or of a list: a rule, an assumption, a criterion",
    )
