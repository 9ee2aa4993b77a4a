"""The lines below `Retrieved Context`: the ids at their heads, and the titles behind these.

`LESSON-034 (lesson, score 5): A title` is the form that is written. People write others: several ids that
share a bracket, dashes for colons, tables, plain sentences. Of a sentence every id counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from spectastic.spec.ids import PATTERN
from spectastic.spec.page import EDGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.spec.page import Page

#: The heading, as `Page.sections` takes it.
TITLE = "retrieved context"

#: Characters `[start, end)`.
Range = tuple[int, int]

#: A path or the name of a project before an id, and the rest of a name behind it.
_WAY = r"(?:(?!(?:REQ|LESSON|BUG)-)[\w.~-]++[:/\\#]){0,12}"
_NAME = r"(?:[-./\\]\w[\w./\\-]*)?"
#: `BR-8`, `BR-1/BR-2`: what of the document it is.
_RULE = r"(?!REQ|LESSON|BUG)[A-Z]{1,5}-?\d++"
_RULES = rf"(?:\s+{_RULE}(?:\s?[,/\u2013-]\s?{_RULE})*+)?"
_UNIT = rf"{_WAY}{PATTERN}{_NAME}{_RULES}(?:\s*\([^()]{{0,300}}\))?"
_HEAD = re.compile(
    rf"[^\w{EDGE}./\\]*{_UNIT}(?:(?:\s*[,;&+/]\s*|\s+(?:and|or)\s+|(?<!\))\s+){_UNIT})*+", re.IGNORECASE
)
_COLON = re.compile(r"\s*:|\s*\u2014|\s+[-\u2013\u2212]{1,3}\s")
#: A bracket that says what kind of document it is ends a head without a colon as well.
_CORPUS = re.compile(r"\([^()]*\b(?:lesson|bug|spec|score)s?\b[^()]*\)\Z", re.IGNORECASE)
_LINES = re.compile(r"\n")


def parts(page: Page) -> tuple[list[Range], list[Range]]:
    """Where ids count below `Retrieved Context`, and where they are part of a title; both in order."""
    named: list[Range] = []
    quoted: list[Range] = []
    done = 0
    for heading, end in page.sections(TITLE):
        start = max(done, heading.end)
        for first, last, counts in _entries(page, start, end):
            (named if counts else quoted).append((first, last))
        done = max(done, end)
    return named, quoted


def _entries(page: Page, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """The text of a section in pieces, each with whether ids in it count."""
    at = start
    first = bisect_left(page.rows, start, key=_begin)
    for row in page.rows[first : bisect_left(page.rows, end, key=_begin)]:
        yield from _blocks(page, at, row[0][0])
        # Where a cell has nothing but ids, the others say something about them.
        alone = [_HEAD.fullmatch(page.text, *page.trimmed(*cell)) is not None for cell in row]
        for cell, is_head in zip(row, alone, strict=True):
            if any(alone):
                yield *cell, is_head
            else:
                yield from _blocks(page, *cell)
        at = max(at, row[-1][1])
    yield from _blocks(page, at, end)


def _begin(row: tuple[Range, ...]) -> int:
    return row[0][0] if row else 0


def _blocks(page: Page, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    while start < end:
        edge = page.text.find(EDGE, start, end)
        stop = end if edge < 0 else edge
        yield from _lines(page, start, stop)
        start = stop + 1


def _lines(page: Page, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """The entries of one block. In a list, a line that goes on is part of the title, whatever it says."""
    text = page.text
    found = bisect_left(page.items, start - 1)
    listed = found < len(page.items) and page.items[found] <= page.trimmed(start, end)[0]
    begun = start
    counts = True
    at = start
    while True:
        head = _HEAD.match(text, at, end)
        behind = None if head is None else _title(text, head, end, strict=listed and at > start)
        if head is not None and behind is not None:
            yield begun, at, counts
            yield at, behind, True
            begun, counts = behind, False
        line = _LINES.search(text, head.end() if head else at, end)
        if line is None:
            break
        at = line.end()
    yield begun, end, counts


def _title(text: str, head: re.Match[str], end: int, *, strict: bool) -> int | None:
    """Where the title behind a head begins; `None` for a sentence. With `strict`, in the one form alone."""
    corpus = _CORPUS.search(head[0]) is not None
    colon = _COLON.match(text, head.end(), end)
    if colon is not None and (corpus or not strict):
        return colon.end()
    return head.end() if corpus and not strict else None
