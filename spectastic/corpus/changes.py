"""What changed between two texts, word by word. Pure.

Words that stand once in either text anchor the comparison; between two anchors the same is done
again, a few levels deep. What no anchor divides counts as replaced as a whole. So the time grows
with the text, a sort aside, whatever somebody wrote.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: How often what lies between two anchors is divided again.
_DEPTH = 16
#: A word with the blanks behind it. Chinese and Japanese write none, so each of their characters is a word.
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"\s+|(?:[{_IDEOGRAPH}]|[^\s{_IDEOGRAPH}]+)\s*")


class Piece(NamedTuple):
    """A part of both texts. `same`: the words are alike, though the blanks behind them may differ.

    Otherwise `old` became `new`; one of the two may be `""`. All `old` together are the old text, and
    all `new` the new one.
    """

    same: bool
    old: str
    new: str


class _Stretch(NamedTuple):
    """Words `[start, end)` of the old text and `[other, other_end)` of the new one."""

    same: bool
    start: int
    end: int
    other: int
    other_end: int

    @property
    def words(self) -> int:
        """How many words it has in that text where it has more."""
        return max(self.end - self.start, self.other_end - self.other)


def compare(old: str, new: str) -> list[Piece]:
    """The pieces that two texts are made of, in order; those that are alike and others take turns."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    stretches = _stretches([word.rstrip() for word in before], [word.rstrip() for word in after])
    return [
        Piece(same, "".join(before[start:end]), "".join(after[other:other_end]))
        for same, start, end, other, other_end in _readable(stretches)
    ]


def _stretches(old: Sequence[str], new: Sequence[str]) -> Iterator[_Stretch]:
    """All words of both texts, in order."""
    left = right = 0
    for start, other, length in _alike(old, new):
        if start > left or other > right:
            yield _Stretch(False, left, start, right, other)
        left, right = start + length, other + length
        if length:
            yield _Stretch(True, start, left, other, right)


def _readable(stretches: Iterable[_Stretch]) -> list[_Stretch]:
    """Without the few words that stand in both by chance: fewer than were changed on either side of them."""
    kept: list[_Stretch] = []
    for stretch in stretches:
        kept.append(stretch)
        while len(kept) > 2 and not stretch.same and kept[-2].words < min(kept[-3].words, kept[-1].words):
            first = kept[-3]
            kept[-3:] = [_Stretch(False, first.start, stretch.end, first.other, stretch.other_end)]
    return kept


def _alike(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where runs of equal words begin in both, and how long they are: in order, and as long as they get."""
    found: list[tuple[int, int, int]] = []
    waiting = [(0, len(old), 0, len(new), _DEPTH)]
    while waiting:
        start, end, other, other_end, depth = waiting.pop()
        shorter = min(end - start, other_end - other)
        first = next((n for n in range(shorter) if old[start + n] != new[other + n]), shorter)
        rest = shorter - first
        last = next((n for n in range(rest) if old[end - n - 1] != new[other_end - n - 1]), rest)
        found += [(start, other, first), (end - last, other_end - last, last)]
        start, other, end, other_end = start + first, other + first, end - last, other_end - last
        if rest == last or depth == 0:
            continue
        anchors = _anchors(old[start:end], new[other:other_end])
        # Each stretch begins at the anchor that ends the one before.
        left, right = start, other
        for at, place in [*anchors, (end - start, other_end - other)] if anchors else ():
            waiting.append((left, start + at, right, other + place, depth - 1))
            left, right = start + at, other + place
    return _joined(sorted(found))


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The places of words that stand once in either text, as many as stand in the same order in both."""
    once = {word for word, times in Counter(new).items() if times == 1}
    once &= {word for word, times in Counter(old).items() if times == 1}
    places = {word: place for place, word in enumerate(new) if word in once}
    return _rising([(at, places[word]) for at, word in enumerate(old) if word in once])


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of some pairs, whose first numbers rise, in which the second ones rise as well."""
    # For each length: which pair ends such a part with the smallest number, and what that number is.
    ends: list[int] = []
    smallest: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(smallest, place)
        before.append(ends[length - 1] if length else -1)
        ends[length : length + 1] = [index]
        smallest[length : length + 1] = [place]
    chain: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _joined(blocks: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Blocks in order, those that touch in both texts as one, and an empty one where both end."""
    start = other = length = 0
    for at, place, more in blocks:
        if (at, place) != (start + length, other + length):
            yield start, other, length
            start, other, length = at, place, 0
        length += more
    yield start, other, length
