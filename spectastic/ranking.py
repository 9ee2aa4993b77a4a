"""Ranking: how well texts answer a query. The one tokenizer and the one BM25 of the project. Pure.

A text scores the sum, over the words of the query, of

    idf * (tf * (k1 + 1)) / (tf + k1 * (1 - b + b * length / average))
    idf = ln((N - n + 0.5) / (n + 0.5) + 1)

where the word stands tf times in the text and in n of the N texts, `length` counts the words of the text,
and `average` is the mean of that over all texts. The words of the query count in their order, each as often
as it is asked for; those in no text count nothing. This idf is never negative, so a match never costs.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3,
with the idf of Lucene's BM25Similarity; see knowledge/retrieval-methods/references/001-okapi-bm25.md. Other
engines compute in just this order, from left to right: keep it, and the scores are theirs to the last bits.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from heapq import nsmallest
from itertools import accumulate
from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

#: How soon further occurrences of a word stop to matter, and how far a text's length is held against it.
K1 = 1.5
B = 0.75
#: Shorter words are none: they say little, and most of them stand everywhere.
SHORTEST = 3
#: A vocabulary is taken from so many characters, and the text that goes beyond: it is there for spelling.
VOCABULARY_FROM = 5_000_000
#: Texts are counted so many characters at a time.
_BATCH = 1 << 16

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(rf"\w{{{SHORTEST},}}")
#: Of ASCII: what is in no word becomes a blank, and the rest lower case; then what is in one becomes `w`.
_CLEANED = bytes(
    code if chr(code).isalnum() or code == 0x5F else 0x20 for code in range(128)
).lower() + bytes(128)
_SHAPES = bytes(0x20 if code == 0x20 else ord("w") for code in range(256))
_SHAPE = b" " + b"w" * SHORTEST
#: Beyond ASCII: what is in no word. The rest has in UTF-8 one byte that becomes `w`, and others that vanish.
_FOREIGN = re.compile(r"[^\w\x00-\x7f]")
_LETTERS = bytes(
    ord("w") if code >= 128 or chr(code).isalnum() or code == 0x5F else 0x20 for code in range(256)
)
_FURTHER = bytes(range(0x80, 0xC0))


class Match:
    """A text that holds something of the query: its place (from 0) among all, and how well it answers."""

    __slots__ = ("place", "score")

    def __init__(self, place: int, score: float) -> None:
        self.place = place
        self.score = score


class Ranking:
    """The texts that match, best first, those alike in the order given. `total` counts all texts.

    `weights` has the idf of each word of the query that stands in some text.
    """

    __slots__ = ("matches", "total", "weights")

    def __init__(self, matches: tuple[Match, ...], weights: Mapping[str, float], total: int) -> None:
        self.matches = matches
        self.weights = weights
        self.total = total


def tokens(text: str) -> list[str]:
    """The words of a text that count: runs of three or more letters, digits and `_`, in lower case."""
    return _TOKEN.findall(text.lower())


def dropped(text: str) -> list[str]:
    """The words of a text that are too short to count, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if len(word) < SHORTEST]


def first(text: str, words: Container[str]) -> int:
    """Where the first of some words stands in a text, 0 where none of them does."""
    return next((found.start() for found in _WORD.finditer(text) if found[0].lower() in words), 0)


def rank(
    query: Sequence[str],
    texts: Iterable[str],
    k1: float = K1,
    b: float = B,
    *,
    limit: int | None = None,
) -> Ranking:
    """Rank texts by the words of a query, which are as `tokens` gives them.

    The texts are gone through once and not kept. With `limit`, only so many of the best are given.
    """
    terms = tuple(dict.fromkeys(query))
    # Texts that are alike in length, and in how often which term stands there, score alike: so many different
    # texts are no more to keep than a few, and of those alike the first ones do.
    alike: dict[tuple[int, ...], list[int]] = {}
    holding = [0] * len(terms)
    total = words = 0
    for batch in _batches(texts):
        counted, found = _count(batch, terms)
        words += counted
        for at, key in found:
            places = alike.setdefault(key, [])
            if limit is None or len(places) < limit:
                places.append(total + at)
            for term in key[1::2]:
                holding[term] += 1
        total += len(batch)
    weights = {term: idf(total, held) for term, held in zip(terms, holding, strict=True) if held}
    average = words / total if words else 1.0
    numbers = {term: at for at, term in enumerate(terms)}
    asked = [(numbers[word], weights[word]) for word in query if word in weights]
    scored = _scored(alike, asked, average, k1, b)
    best = sorted(scored) if limit is None else nsmallest(limit, scored)
    return Ranking(tuple(Match(place, -worth) for worth, place in best), weights, total)


def _scored(
    alike: Mapping[tuple[int, ...], Sequence[int]],
    asked: Sequence[tuple[int, float]],
    average: float,
    k1: float,
    b: float,
) -> Iterator[tuple[float, int]]:
    """The score of each text, negative so that the best one sorts first, and its place."""
    for (length, *pairs), places in alike.items():
        times = dict(zip(pairs[::2], pairs[1::2], strict=True))
        worth = -score([(weight, times[at]) for at, weight in asked if at in times], length, average, k1, b)
        for place in places:
            yield worth, place


def vocabulary(texts: Iterable[str]) -> set[str]:
    """The words of some texts, or of as many of the first ones as `VOCABULARY_FROM` says."""
    found: set[str] = set()
    size = 0
    for text in texts:
        found.update(tokens(text))
        size += len(text)
        if size > VOCABULARY_FROM:
            break
    return found


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text) + 1
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _count(batch: Sequence[str], terms: Sequence[str]) -> tuple[int, list[tuple[int, tuple[int, ...]]]]:
    """How many words some texts have, and which of them hold something, in order.

    A text has its place among them, and a key: its length, and for each term that it holds the term's place
    among the terms and how often it stands there. Texts in plain ASCII, which most are, are counted at once.
    """
    plain = [text if text.isascii() else "" for text in batch]
    starts = list(accumulate((len(text) + 1 for text in plain), initial=1))
    cleaned = f" {' '.join(plain)} ".encode().translate(_CLEANED)
    shapes = cleaned.translate(_SHAPES)
    words = shapes.count(_SHAPE)
    held: dict[int, list[int]] = {}
    for number, term in enumerate(terms):
        for at, times in _holders(cleaned, term, starts).items():
            held.setdefault(at, []).extend((number, times))
    keys = {at: (shapes.count(_SHAPE, starts[at] - 1, starts[at + 1] - 1), *held[at]) for at in held}
    others = [(at, text.lower()) for at, text in enumerate(batch) if not text.isascii()]
    empty: list[str] = []
    for at, text in others:
        if not any(map(text.__contains__, terms)):
            empty.append(text)
            continue
        found = _TOKEN.findall(text)
        words += len(found)
        counts = enumerate(map(found.count, terms))
        pairs = [number for pair in counts if pair[1] for number in pair]
        if pairs:
            keys[at] = (len(found), *pairs)
    # Most texts hold nothing of the query: it is enough to know how many words all of them have.
    letters = _FOREIGN.sub(" ", "\n".join(["", *empty])).encode().translate(_LETTERS, _FURTHER)
    words += letters.count(_SHAPE)
    return words, sorted(keys.items())


def _holders(cleaned: bytes, term: str, starts: Sequence[int]) -> Counter[int]:
    """How often a term stands in each of some texts, by place; `starts` has where each begins."""
    found: Counter[int] = Counter()
    if term.isascii():
        between = f" {term} ".encode()
        at = cleaned.find(between)
        while at >= 0:
            found[bisect_right(starts, at + 1) - 1] += 1
            # The blank that ends one word may be the one that begins the next.
            at = cleaned.find(between, at + len(between) - 1)
    return found


def score(parts: Iterable[tuple[float, int]], length: int, average: float, k1: float, b: float) -> float:
    """What a text scores: `parts` are the idf and the occurrences of each word asked for, in their order."""
    # Not `sum`, which Python 3.12 made add in another way.
    result = 0.0
    for weight, tf in parts:
        if tf:
            result += weight * (tf * (k1 + 1)) / (tf + k1 * (1 - b + b * length / average))
    return result


def idf(total: int, holding: int) -> float:
    """What a word is worth that stands in `holding` of `total` texts."""
    return log((total - holding + 0.5) / (holding + 0.5) + 1)
