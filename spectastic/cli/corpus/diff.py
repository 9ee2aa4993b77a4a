"""`spectastic corpus diff`: two editions of a reference, word by word."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from spectastic.cli import messages, streams
from spectastic.cli.corpus import reading
from spectastic.cli.errors import OK, TroubleError
from spectastic.report.view import CYAN, GREEN, RED, View, paint
from spectastic.text import inert

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spectastic.corpus.body import Body
    from spectastic.corpus.changes import Piece
    from spectastic.corpus.model import Reference

#: How many lines are shown around a change.
CONTEXT = 3

_Marks = tuple[str, str, str]
_OLD = ("[-", "-]", RED)
_NEW = ("{+", "+}", GREEN)


class _Side(NamedTuple):
    """One of the two editions."""

    edition: str
    reference: Reference
    body: Body


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus diff`."""
    reading.add_reference(parser, pinned=False)
    parser.add_argument("old", metavar="@OLD", help="an edition")
    parser.add_argument("new", nargs="?", metavar="@NEW", help="another one (default: the current one)")
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="when to colour (default: auto)"
    )


def run(options: Namespace) -> int:
    """Print what changed between two editions; that nothing did is no failure.

    Raises:
        TroubleError: the token is no id, there is no corpus, or the configuration is wrong.
    """
    from spectastic.corpus.body import document
    from spectastic.corpus.changes import compare

    settings, corpus = reading.load(options)
    sides: list[_Side] = []
    for edition in (options.old, options.new):
        answer, found = reading.find(_token(options.token, edition), corpus)
        read = document(corpus, found)
        if read is None:
            return reading.missing(answer, corpus, options)
        sides.append(_Side(found.edition or "", *read))
    old, new = sides
    pieces = compare(old.body.text, new.body.text)
    if options.json:
        reading.write_json(options, {"id": options.token, **_as_json(old, new, pieces)})
        return OK
    if all(piece.same for piece in pieces):
        same = "same text" if old.body.text == new.body.text else "same words, and only blanks differ"
        messages.tell(f"{old.edition} and {new.edition} have the {same}")
        return OK
    terminal = streams.is_terminal(sys.stdout)
    view = View(color=streams.wants_color(options.color, os.environ, terminal))
    place = reading.places(settings)
    streams.write(_head(options.token, old, new, place, view))
    streams.write(hunks(marked(pieces, new.body.line, view), view))
    return OK


def _token(identifier: str, edition: str | None) -> str:
    if "@" in identifier:
        raise TroubleError("the editions stand behind the id", f"{identifier.partition('@')[0]} @OLD @NEW")
    return identifier if edition is None else f"{identifier}@{edition.removeprefix('@')}"


def _head(identifier: str, old: _Side, new: _Side, place: Callable[[str], str], view: View) -> Iterator[str]:
    for mark, side, style in (("---", old, RED), ("+++", new, GREEN)):
        name = f"{mark} {identifier}@{side.edition}  {place(side.reference.path)}"
        yield paint(reading.line_of(name), style, view) + "\n"


class Line(NamedTuple):
    """A line of the comparison: its number in the new file, and whether something in it changed."""

    number: int
    text: str
    changed: bool


def marked(pieces: Iterable[Piece], first: int, view: View) -> Iterator[Line]:
    """Both texts as one, line by line: what is gone in `[-…-]`, what is new in `{+…+}`, blanks as in the new.

    `first` is the number of the first line.
    """
    number, changed = first, False
    parts: list[str] = []
    for text, marks, counts in _runs(pieces):
        lines = text.split("\n")
        for at, line in enumerate(lines):
            parts.append(_in_marks(line, marks, view, begins=not parts))
            changed = changed or marks is not None
            if at < len(lines) - 1:
                yield Line(number, "".join(parts), changed)
                number, parts, changed = number + counts, [], False
    if any(parts):
        yield Line(number, "".join(parts), changed)


def _runs(pieces: Iterable[Piece]) -> Iterator[tuple[str, _Marks | None, bool]]:
    """What is printed of each piece, in which marks, and whether its lines are lines of the new text."""
    for piece in pieces:
        if piece.same:
            yield piece.new, None, True
            continue
        gone, added = piece.old.rstrip(), piece.new.rstrip()
        if gone:
            yield gone, _OLD, False
        if gone and added:
            yield " ", None, False
        if added:
            yield added, _NEW, True
        # What stands between words is as in the new text, where there is one.
        yield (piece.new[len(added) :], None, True) if piece.new else (piece.old[len(gone) :], None, False)


def _in_marks(text: str, marks: _Marks | None, view: View, *, begins: bool) -> str:
    if marks is None:
        return reading.line_of(text) if begins else inert(text)
    before, after, style = marks
    return paint(f"{before}{inert(text)}{after}", style, view) if text.strip() else text


def hunks(lines: Iterable[Line], view: View) -> Iterator[str]:
    """The changed lines with those around them; each stretch of them says where it begins."""
    known = list(lines)
    ended = 0
    for start, end in _stretches(known):
        if start > ended or start == 0:
            yield paint(f"@@ line {known[start].number} @@", CYAN, view) + "\n"
        ended = end
        yield from (f"{line.text}\n" for line in known[start:end])


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The stretches to show, in order; one may begin where another ends."""
    end = 0
    for at, line in enumerate(lines):
        if line.changed and at >= end - CONTEXT:
            start, end = max(end, at - CONTEXT), min(at + 1 + CONTEXT, len(lines))
            yield start, end


def _as_json(old: _Side, new: _Side, pieces: Sequence[Piece]) -> dict[str, object]:
    return {
        **{
            name: {"edition": side.edition, "path": side.reference.path, "line": side.body.line}
            for name, side in (("old", old), ("new", new))
        },
        "changes": [{"same": piece.same, "old": piece.old, "new": piece.new} for piece in pieces],
    }
