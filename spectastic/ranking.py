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
from collections import Counter
from math import log
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

#: How soon further occurrences of a word stop to matter, and how far a text's length is held against it.
K1 = 1.5
B = 0.75
#: Shorter words are none: they say little, and most of them stand everywhere.
SHORTEST = 3

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(rf"\w{{{SHORTEST},}}")


class Match(NamedTuple):
    """A text that holds something of the query: its place (from 0) among all, and how well it answers."""

    place: int
    score: float


class Ranking(NamedTuple):
    """The texts that match, best first, those alike in the order given. `total` counts all texts.

    `weights` has the idf of each word of the query that stands in some text.
    """

    matches: tuple[Match, ...]
    weights: Mapping[str, float]
    total: int


def tokens(text: str) -> list[str]:
    """The words of a text that count: runs of three or more letters, digits and `_`, in lower case."""
    return _TOKEN.findall(text.lower())


def dropped(text: str) -> list[str]:
    """The words of a text that are too short to count, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if len(word) < SHORTEST]


def first(text: str, words: Container[str]) -> int:
    """Where the first of some words stands in a text, 0 where none of them does."""
    return next((found.start() for found in _WORD.finditer(text) if found[0].lower() in words), 0)


def rank(query: Sequence[str], texts: Iterable[str], k1: float = K1, b: float = B) -> Ranking:
    """Rank texts by the words of a query, which are as `tokens` gives them.

    The texts are gone through once and not kept.
    """
    wanted = frozenset(query)
    hits: list[tuple[int, int, Counter[str]]] = []
    total = words = 0
    for place, text in enumerate(texts):
        found = tokens(text)
        total += 1
        words += len(found)
        times = Counter(filter(wanted.__contains__, found))
        if times:
            hits.append((place, len(found), times))
    holding = Counter(word for _, _, times in hits for word in times)
    weights = {word: idf(total, holding[word]) for word in dict.fromkeys(query) if word in holding}
    known = [word for word in query if word in weights]
    matches: list[Match] = []
    for place, length, times in hits:
        held = k1 * (1 - b + b * length / (words / total))
        # Not `sum`, which Python 3.12 made add in another way.
        score = 0.0
        for word in known:
            if word in times:
                tf = times[word]
                score += weights[word] * (tf * (k1 + 1)) / (tf + held)
        matches.append(Match(place, score))
    return Ranking(tuple(sorted(matches, key=lambda match: -match.score)), weights, total)


def idf(total: int, holding: int) -> float:
    """What a word is worth that stands in `holding` of `total` texts."""
    return log((total - holding + 0.5) / (holding + 0.5) + 1)
