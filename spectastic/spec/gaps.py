"""The table below `Provenance`: what a source left open, and where the spec says so again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from spectastic.findings import Problem
from spectastic.spec.page import EDGE
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spectastic.spec.page import Page

#: The section that repeats a gap, for each disposition; "" where none does.
MIRRORS = {"answered": "", "assumed": "Assumptions", "open": "Open Questions"}
PROVENANCE = "provenance"
#: Each gap is looked for in the text of a section. No table by hand has as many.
MAX_GAPS = 200

Cell = tuple[int, int]


def unmirrored(page: Page) -> Iterator[Problem]:
    """The gaps that are not repeated word for word, and dispositions that are none."""
    sections = [(heading.end, end) for heading, end in page.sections(PROVENANCE)]
    rows = [*_inside(page.rows, sections)]
    said = {title: _said(page, title, sections) for title in MIRRORS.values() if rows and title}
    columns = (-1, -1)
    gaps = 0
    for row in rows:
        names = [page.said(*cell).lower() for cell in row]
        if "gap" in names and "disposition" in names:
            columns = names.index("gap"), names.index("disposition")
        elif 0 <= max(columns) < len(row):
            gap, disposition = (row[column] for column in columns)
            if page.said(*gap):
                gaps += 1
                yield from _compared(page, gap, disposition, said, gaps)


def _inside(rows: Iterable[Sequence[Cell]], sections: Sequence[Cell]) -> Iterator[Sequence[Cell]]:
    """The rows that begin in one of some sections, which are in order and may stand in one another."""
    starts = [start for start, _ in sections]
    reach = [*accumulate((end for _, end in sections), max)]
    for row in rows:
        at = bisect_right(starts, row[0][0]) - 1 if row else -1
        if at >= 0 and row[0][0] < reach[at]:
            yield row


def _said(page: Page, title: str, tables: list[Cell]) -> str:
    """What the sections of a name say, without a table of gaps that may be part of them."""
    parts = []
    starts = [start for start, _ in tables]
    for heading, end in page.sections(title):
        following = bisect_left(starts, heading.end)
        stop = min([end, *starts[following : following + 1]])
        parts.append(page.said(heading.end, stop))
    return EDGE.join(parts)


def _compared(
    page: Page, gap: Cell, disposition: Cell, said: dict[str, str], number: int
) -> Iterator[Problem]:
    text, word = page.said(*gap), page.said(*disposition).lower()
    span = page.span(*page.trimmed(*gap))
    if number > MAX_GAPS:
        if number == MAX_GAPS + 1:
            yield Problem(
                span, f"only the first {MAX_GAPS} gaps are compared", "split the table", short(text)
            )
    elif word not in MIRRORS:
        meant = nearest(word, MIRRORS)
        hint = f"did you mean {meant}?" if meant else f"one of {', '.join(MIRRORS)}"
        yield Problem(
            span, f"the gap is neither answered nor assumed nor open: {short(word)}", hint, short(text)
        )
    elif MIRRORS[word] and text not in said[MIRRORS[word]]:
        section = MIRRORS[word]
        message = f"the gap is {word}, and {section} does not repeat it word for word"
        yield Problem(span, message, f"copy it to {section}: {short(text, 200)}", short(text))
