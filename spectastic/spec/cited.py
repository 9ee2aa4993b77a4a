"""Ids of prior art in a document: where it says `(informed by LESSON-034)`, and under `Retrieved Context`.

Ids in running text are no citations: a document may speak of another without resting on it. Nor are those
in the titles below `Retrieved Context`: what a title says, somebody else has written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from spectastic.spec import retrieved
from spectastic.spec.ids import BARE, ID, together
from spectastic.spec.page import EDGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.spec.page import Page
    from spectastic.spec.retrieved import Range

#: The heading, as `Page.sections` takes it.
RETRIEVED = retrieved.TITLE

_STEPS = re.compile(rf"(?P<open>[(\[\uff08])|(?P<close>[)\]\uff09])|{EDGE}|(?<!\w)informed\s+by(?!\w)", re.I)
_QUALIFIER = re.compile(r"(?<![\w./-])([A-Za-z0-9][\w.-]*)[:#/]\Z")
#: So many characters before an id are looked at: an address or a path may begin there.
_MAX_BEFORE = 300
_ADDRESS = ("://", "www.", "mailto:")
#: What does not belong to a path in running text, in a text that is read from its end.
_PATH = re.compile(r"[^\s()\[\]{}<>,;\"'`*|\uff08\uff09]*")
#: What stands before the id in the sentence that `spectastic new` writes where no spec passed the filter.
_OWN = "see stderr warning ("


class Mention(NamedTuple):
    """An id that a document rests on, and the characters `[start, end)` of its page that name it.

    `qualifier` is the name of another project before it, as in `teton:REQ-570`, "" for none. `folder` is
    the way to it where it is part of a path, as in `../REQ-012-x/requirement.md`, "" where it is none.
    """

    id: str
    start: int
    end: int
    qualifier: str = ""
    folder: str = ""


class Bracket(NamedTuple):
    """What follows `informed by`, the characters `[start, end)`; `closed`: a bracket ends it."""

    start: int
    end: int
    closed: bool


def mentions(page: Page) -> Iterator[Mention]:
    """The ids that a document rests on, in order, each place once."""
    named, quoted = retrieved.parts(page)
    told = [(start, end) for start, end, _ in brackets(page)]
    yield from _within(page, [*_without(told, quoted), *named])


def informed(page: Page, bracket: Bracket) -> Iterator[Mention]:
    """The ids in one bracket."""
    yield from _within(page, [(bracket.start, bracket.end)])


def brackets(page: Page) -> Iterator[Bracket]:
    """What follows `informed by` in brackets, up to the one that closes them or the end of the block."""
    depth = 0
    begun: tuple[int, int] | None = None
    for step in _STEPS.finditer(page.masked):
        if step["open"]:
            depth += 1
        elif step["close"]:
            depth = max(0, depth - 1)
            if begun is not None and depth < begun[1]:
                yield Bracket(begun[0], step.start(), closed=True)
                begun = None
        elif step[0] == EDGE:
            if begun is not None:
                yield Bracket(begun[0], step.start(), closed=False)
            begun, depth = None, 0
        elif depth and begun is None:
            begun = step.end(), depth
    if begun is not None:
        yield Bracket(begun[0], len(page.masked), closed=False)


def _within(page: Page, ranges: list[Range]) -> Iterator[Mention]:
    done = 0
    for start, end in sorted(ranges):
        for found in ID.finditer(page.masked, max(start, done), end):
            before = page.masked[max(0, found.start() - _MAX_BEFORE) : found.start()]
            if before.endswith(_OWN):
                continue
            place = _place(before, page.masked[found.end() : found.end() + 2])
            if place is not None:
                for identifier, first, last in together(found):
                    yield Mention(identifier, first, last, *place)
        done = max(done, end)


def _place(before: str, behind: str) -> tuple[str, str] | None:
    """The qualifier and the folder of an id between two texts; `None` where it is part of an address."""
    line = before.rpartition(EDGE)[2]
    token = "" if line[-1:].isspace() else (line.split() or [""])[-1]
    if any(sign in token for sign in _ADDRESS):
        return None
    found = _PATH.match(token[::-1])
    way = found[0][::-1] if found else ""
    qualifier = _QUALIFIER.search(before)
    named = qualifier[1] if qualifier else ""
    # `teton/REQ-570` is the id of another project; `src/REQ-570/x.py` is a file.
    if ("/" in way or "\\" in way) and not (named and BARE.match(behind)):
        return "", way
    return named, ""


def _without(ranges: list[Range], holes: list[Range]) -> Iterator[Range]:
    """The parts of some ranges that lie in no hole; holes are in order, and none lies in another."""
    starts = [start for start, _ in holes]
    for start, end in ranges:
        at = max(0, bisect_right(starts, start) - 1)
        while at < len(holes) and holes[at][0] < end:
            first, last = holes[at]
            if start < first:
                yield start, first
            start = max(start, last)
            at += 1
        if start < end:
            yield start, end
