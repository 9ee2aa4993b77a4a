"""Searches of a table by others, each as a process: `python -m benchmarks.searchers HOW FILE QUERY`.

`fit-everything` is what a straightforward BM25 does: it takes all rows apart, counts every word of every row,
and scores every row. `bm25s` and `rank-bm25` are packages. All print the best rows by place and score.
"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from typing import TYPE_CHECKING, Any

from benchmarks.tables import SEARCHED

if TYPE_CHECKING:
    from collections.abc import Callable

BEST = 3
#: Of a word: three letters or more.
_SHORTEST = 3

Found = list[tuple[int, float]]


def _documents(path: str) -> list[str]:
    with open(path, encoding="utf-8", newline="") as file:
        return [" ".join(row[column] for column in SEARCHED) for row in csv.DictReader(file)]


def _words(text: str) -> list[str]:
    return [word for word in re.sub(r"[^\w\s]", " ", text.lower()).split() if len(word) >= _SHORTEST]


def fit_everything(path: str, query: str) -> Found:
    """A BM25 as most people write it, with the constants and the idf of the grounding contract."""
    k1, b = 1.5, 0.75
    corpus = [_words(text) for text in _documents(path)]
    lengths = [len(words) for words in corpus]
    average = sum(lengths) / len(lengths)
    frequencies: dict[str, int] = {}
    for words in corpus:
        for word in set(words):
            frequencies[word] = frequencies.get(word, 0) + 1
    total = len(corpus)
    idf = {word: math.log((total - held + 0.5) / (held + 0.5) + 1) for word, held in frequencies.items()}
    scores: Found = []
    for place, words in enumerate(corpus):
        counts: dict[str, int] = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        score = 0.0
        for word in _words(query):
            if word in idf:
                times = counts.get(word, 0)
                score += (
                    idf[word] * (times * (k1 + 1)) / (times + k1 * (1 - b + b * lengths[place] / average))
                )
        scores.append((place, score))
    return sorted(scores, key=lambda pair: -pair[1])[:BEST]


def bm25s(path: str, query: str) -> Found:
    """The package bm25s, with its own tokenizer and no stop words."""
    import bm25s as package  # type: ignore[import-not-found, import-untyped, unused-ignore]

    retriever: Any = package.BM25(k1=1.5, b=0.75, method="lucene")
    pattern = r"(?u)\b\w\w\w+\b"
    documents = package.tokenize(_documents(path), stopwords=None, token_pattern=pattern, show_progress=False)
    retriever.index(documents, show_progress=False)
    asked = package.tokenize([query], stopwords=None, token_pattern=pattern, show_progress=False)
    places, scores = retriever.retrieve(asked, k=BEST, show_progress=False)
    return [(int(place), float(score)) for place, score in zip(places[0], scores[0], strict=True)]


def rank_bm25(path: str, query: str) -> Found:
    """The package rank-bm25, whose idf is another."""
    from rank_bm25 import BM25Okapi  # type: ignore[import-not-found, import-untyped, unused-ignore]

    scores = BM25Okapi([_words(text) for text in _documents(path)], k1=1.5, b=0.75).get_scores(_words(query))
    ranked = sorted(enumerate(map(float, scores)), key=lambda pair: -pair[1])
    return ranked[:BEST]


HOW: dict[str, Callable[[str, str], Found]] = {
    "fit-everything": fit_everything,
    "bm25s": bm25s,
    "rank-bm25": rank_bm25,
}


if __name__ == "__main__":
    print(json.dumps(HOW[sys.argv[1]](sys.argv[2], sys.argv[3])))
