"""Searching the corpus: which references answer a query, and in which of their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic import ranking
from spectastic.corpus.body import Body, body
from spectastic.corpus.model import Outcome
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution

#: How many characters of a line are shown, and how many of them before the first word that was found.
EXCERPT = 200
_BEFORE = 60


class Hit(NamedTuple):
    """A document that was found, and the words of the query that it holds.

    `line` is the number in the file of the line that holds most of the query, and `excerpt` what
    stands there; 0 and `""` where the title alone answers.
    """

    resolution: Resolution
    title: str
    score: float
    words: tuple[str, ...]
    line: int = 0
    excerpt: str = ""


class Found(NamedTuple):
    """The best hits, how many there are in all, and in how many documents was searched.

    `dropped` are words of the query that are too short to count. `unread` is what leads to no document:
    ids for their current edition, and superseded editions.
    """

    hits: tuple[Hit, ...]
    total: int
    searched: int
    words: tuple[str, ...]
    dropped: tuple[str, ...]
    unread: tuple[str, ...]


def search(corpus: Corpus, query: str, *, superseded: bool = False, limit: int = 10) -> Found:
    """Search titles and bodies of current editions, and of superseded ones where that is asked for."""
    asked = ranking.tokens(query)
    unread: list[str] = []
    editions = list(_editions(corpus, superseded, unread))
    texts = (f"{_title(edition)}\n{_body(corpus, edition).text}" for edition in editions)
    ranked = ranking.rank(asked, texts)
    hits = tuple(
        _hit(corpus, editions[match.place], match.score, ranked.weights) for match in ranked.matches[:limit]
    )
    words = tuple(dict.fromkeys(asked))
    dropped = tuple(dict.fromkeys(ranking.dropped(query)))
    return Found(hits, len(ranked.matches), len(editions), words, dropped, tuple(unread))


def _editions(corpus: Corpus, superseded: bool, unread: list[str]) -> Iterator[Resolution]:
    """The documents that can be cited, by the order of the registry."""
    for identifier in corpus.rows:
        current = corpus.find(identifier, None)
        if current.outcome is Outcome.NOTHING:
            unread.append(identifier)
        else:
            yield current
        if superseded:
            for edition in corpus.editions(identifier):
                found = corpus.find(identifier, edition)
                if found.outcome is Outcome.SUPERSEDED:
                    yield found
                elif found.outcome is Outcome.NOTHING and edition != corpus.rows[identifier].edition:
                    unread.append(f"{identifier}@{edition}")


def _title(edition: Resolution) -> str:
    return "" if edition.row is None else edition.row.title


def _body(corpus: Corpus, edition: Resolution) -> Body:
    source = corpus.read(edition.path)
    # It was there when its edition was found.
    return Body(b"", "", 0) if isinstance(source, Unreadable) else body(source)


def _hit(corpus: Corpus, edition: Resolution, score: float, weights: Mapping[str, float]) -> Hit:
    title, text = _title(edition), _body(corpus, edition)
    held = frozenset(ranking.tokens(f"{title}\n{text.text}"))
    hit = Hit(edition, title, score, tuple(word for word in weights if word in held))
    lines = text.text.split("\n")
    at = best_line(lines, title, weights)
    return hit if at is None else hit._replace(line=text.line + at, excerpt=_excerpt(lines[at], weights))


def best_line(lines: Sequence[str], title: str, weights: Mapping[str, float]) -> int | None:
    """Which line holds most of what was asked for, by the weights of the words; the first of equals.

    A line that only says the title over again tells nothing new: it counts where no other does.
    """
    heading = ranking.tokens(title)
    best, most = None, (False, 0.0)
    for at, line in enumerate(lines):
        words = ranking.tokens(line)
        held = weights.keys() & words
        worth = (words != heading, sum(weights[word] for word in weights if word in held))
        if held and worth > most:
            best, most = at, worth
    return best


def _excerpt(line: str, words: Container[str]) -> str:
    """The part of a line around the first of some words."""
    line = line.strip()
    start = max(0, min(ranking.first(line, words) - _BEFORE, len(line) - EXCERPT))
    end = start + EXCERPT
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")
