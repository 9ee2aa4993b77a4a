"""The exact look: what in a text addresses a model, and where.

What an author only mentions is left alone: a phrase or a marker that stands, with little around it, between
quotation marks or in a code span of one line. Where no reader sees it, nothing is a mention.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from spectastic.findings import Problem, Span
from spectastic.text import short
from spectastic.untrusted import hidden, hides, links, phrases, turns, words_of
from spectastic.untrusted.code import code
from spectastic.untrusted.lookalikes import fold
from spectastic.untrusted.markers import CERTAIN
from spectastic.untrusted.unseen import smuggled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: What opens a quotation and what closes it.
_QUOTES = (("`", "`"), ('"', '"'), ("“", "”"), ("«", "»"), ("„", "“"), ("‘", "’"))
#: How far from a phrase its quotation marks may be, and how far back quotation marks of a line are counted.
_NEAR = 80
_LINE = 1000
_LISTED = 3


class Found(NamedTuple):
    """What stands at characters `[start, end)` of a text, and what to do about it."""

    start: int
    end: int
    message: str
    hint: str


_TAKE_OUT = "take it out; if it is quoted as an example, put quotation marks or a code span around it"
_SHOW = "take it out, or show it to every reader"
_HIDES = "HTML hides text here: readers do not see it, a model does"
_CARRIES = "this address has something to fill in: whoever does so carries data out"


def problems(text: str, at: int, *, html: bool = False) -> Iterator[Problem]:
    """What addresses a model in a piece of a file that begins at byte `at`, in order."""
    done = 0
    for found in look(text, html=html):
        at += len(text[done : found.start].encode())
        done = found.start
        size = len(text[found.start : found.end].encode())
        yield Problem(Span(at, at + size), found.message, found.hint, short(text[found.start : found.end]))


def look(text: str, *, html: bool = False) -> list[Found]:
    """What addresses a model, by place; of what overlaps only the first."""
    shown = text
    if not html and (
        "<!--" in text or hides(text, words_of(text)) or ("://" in text and any(links.carrying(text)))
    ):
        shown = _without(text, code(text))
    comments = [*hidden.comments(shown)] if "<!--" in shown else []
    elements = [*hidden.elements(shown)] if hides(shown, words_of(shown)) else []
    found = [*_said(text, _merged([*comments, *elements])), *_invisible(text)]
    found += (Found(part.start, part.inner_start, _HIDES, _SHOW) for part in elements)
    found += (
        Found(*place, _CARRIES, _TAKE_OUT) for place in (links.carrying(shown) if "://" in shown else ())
    )
    told = sorted(one.start for one in found)
    found += (part for part in _comments(shown, comments) if not _any_inside(told, part))
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: one.start):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _merged(parts: Iterable[hidden.Part]) -> list[tuple[int, int]]:
    """Where hidden text is, in order; of parts inside of each other the outer one."""
    merged: list[tuple[int, int]] = []
    for place in sorted((part.inner_start, part.inner_end) for part in parts):
        if not merged or place[0] >= merged[-1][1]:
            merged.append(place)
    return merged


def _any_inside(places: Sequence[int], part: Found) -> bool:
    return bisect_left(places, part.start) < bisect_left(places, part.end)


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """The text, of the same length, with blanks for what stands in some places."""
    parts: list[str] = []
    at = 0
    for start, end in places:
        parts += (text[at:start], " " * (end - start))
        at = end
    return "".join((*parts, text[at:])) if parts else text


def _said(text: str, unseen: Sequence[tuple[int, int]]) -> Iterator[Found]:
    folded = fold(text, markup=True)
    for does, *place in phrases.said(folded):
        start, end = folded.span(*place)
        veiled = _inside(unseen, start)
        if veiled or not _mentioned(text, start, end):
            where = ", where no reader sees it" if veiled else ""
            yield Found(start, end, f"this {does}{where}: {short(text[start:end], 60)}", _TAKE_OUT)
    if not turns(folded.text, words_of(folded.text)):
        return
    for match in CERTAIN.finditer(folded.text):
        start, end = folded.span(*match.span())
        start += len(text[start:end]) - len(text[start:end].lstrip(" \t>*-_"))
        if _inside(unseen, start) or not _mentioned(text, start, end):
            message = f"this looks like a turn in a chat template: {short(text[start:end], 60)}"
            yield Found(start, end, message, _TAKE_OUT)


def _invisible(text: str) -> Iterator[Found]:
    for start, end in smuggled(text):
        codes = list(dict.fromkeys(f"U+{ord(character):04X}" for character in text[start:end]))
        more = f" and {len(codes) - _LISTED} more" if len(codes) > _LISTED else ""
        many = "an invisible character" if end - start == 1 else f"{end - start:,} invisible characters"
        yield Found(start, end, f"{many}: {', '.join(codes[:_LISTED])}{more}", "remove what nobody can see")


def _comments(text: str, parts: Sequence[hidden.Part]) -> Iterator[Found]:
    for part in parts:
        if phrases.is_private(fold(text[part.inner_start : part.inner_end])):
            yield Found(part.start, part.end, "this comment speaks to a model, not to an author", _SHOW)


def _inside(places: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether a place is in one of some stretches, which are in order and do not overlap."""
    last = bisect_right(places, at, key=lambda place: place[0]) - 1
    return last >= 0 and at < places[last][1]


def _mentioned(text: str, start: int, end: int) -> bool:
    """Whether a short piece of a line, in quotation marks or a code span, holds all of a phrase."""
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    after = text[end : end + _NEAR].partition("\n")[0]
    for opening, closing in _QUOTES:
        at = before.rfind(opening, len(before) - min(len(before), _NEAR))
        if at >= 0 and closing in after and closing not in before[at + 1 :]:
            return opening != closing or before.count(opening) % 2 == 1
    return False
