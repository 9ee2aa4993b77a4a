"""Ids of prior art in a document: where it says `(informed by LESSON-034)`, and under `Retrieved Context`.

Ids in running text are no citations: a document may speak of another without resting on it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.spec.page import EDGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.spec.page import Page

#: The heading, as `Page.sections` takes it.
RETRIEVED = "retrieved context"

#: With a dash that is no hyphen, digits of another script or small letters it is an id, and a wrong one.
_ID = re.compile(r"(?<!\w)(?:REQ|LESSON|BUG)[-_\u2010-\u2015\u2212]\d++(?!\w)", re.IGNORECASE)
_STEPS = re.compile(rf"(?P<open>[(\[\uff08])|(?P<close>[)\]\uff09])|{EDGE}|(?<!\w)informed\s+by(?!\w)", re.I)
_QUALIFIER = re.compile(r"(?<![\w./-])([A-Za-z0-9][\w.-]*)[:#/]\Z")
_MAX_QUALIFIER = 64
#: What stands before the id in the sentence that `spectastic new` writes where no spec passed the filter.
_OWN = "see stderr warning ("


class Mention(NamedTuple):
    """An id that a document rests on, as it is written, at the characters `[start, end)` of its page.

    `qualifier` is the name of another project before it, as in `teton:REQ-570`, "" for none.
    """

    id: str
    start: int
    end: int
    qualifier: str = ""


def mentions(page: Page) -> Iterator[Mention]:
    """The ids that a document rests on, in order, each place once."""
    done = 0
    for start, end in sorted([*_informed(page.masked), *_retrieved(page)]):
        for found in _ID.finditer(page.masked, max(start, done), end):
            before = page.masked[max(0, found.start() - _MAX_QUALIFIER) : found.start()]
            if before.endswith(_OWN):
                continue
            qualifier = _QUALIFIER.search(before)
            yield Mention(found[0], *found.span(), qualifier[1] if qualifier else "")
        done = max(done, end)


def _retrieved(page: Page) -> Iterator[tuple[int, int]]:
    """The text of each section `Retrieved Context`."""
    for heading, end in page.sections(RETRIEVED):
        yield heading.end, end


def _informed(text: str) -> Iterator[tuple[int, int]]:
    """What follows `informed by` in brackets, up to the bracket that closes them or the end of the block."""
    depth = 0
    begun: tuple[int, int] | None = None
    for step in _STEPS.finditer(text):
        if step["open"]:
            depth += 1
        elif step["close"]:
            depth = max(0, depth - 1)
            if begun is not None and depth < begun[1]:
                yield begun[0], step.start()
                begun = None
        elif step[0] == EDGE:
            if begun is not None:
                yield begun[0], step.start()
            begun, depth = None, 0
        elif depth and begun is None:
            begun = step.end(), depth
    if begun is not None:
        yield begun[0], len(text)
