"""The fixes that rules about citations offer. Each replaces a whole token by another one.

An edit is written into a file, so nothing in it is ever shortened, and no token is offered that a
reader would take for a shorter one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from spectastic.corpus.model import Miss, Outcome
from spectastic.findings import Edit, Fix, Span
from spectastic.spec.citation import Token, find
from spectastic.spec.model import Citation
from spectastic.text import printable, short

if TYPE_CHECKING:
    from spectastic.corpus import Corpus
    from spectastic.spec.model import Malformed

#: The tokens to take in place of dead ones, "" where there is none: worked out once for citations alike.
Renamed = dict[tuple[str, str | None], str]


def respelt(malformed: Malformed, corpus: Corpus) -> Fix | None:
    """Spell a near miss as it was surely meant."""
    token = malformed.suggestion
    if token is None:
        return None
    if len(malformed.text.split()) > 1 and not _resolves(token, corpus):
        # `KB-0001 @alice` may be a citation and a name.
        return None
    return _fix(f"write {short(token)}", malformed.span, malformed.text, token, safe=True)


def pinned(citation: Citation, corpus: Corpus) -> Fix | None:
    """Pin a bare citation to the current edition, as if its author had read that."""
    return _current(citation, corpus, "pin")


def regrounded(citation: Citation, corpus: Corpus) -> Fix | None:
    """Move a stale citation on to the current edition, as if its author had read that."""
    return _current(citation, corpus, "move")


def _current(citation: Citation, corpus: Corpus, verb: str) -> Fix | None:
    current = corpus.find(citation.id, None)
    if current.outcome is not Outcome.CURRENT or not current.edition:
        return None
    token = f"{citation.id}@{current.edition}"
    if not _is_writable(token, current.edition):
        return None
    title = f"{verb} to the current edition, {short(current.edition, 40)}"
    return _fix(title, citation.span, citation.text, token, safe=False)


def renamed(citation: Citation, corpus: Corpus, known: Renamed) -> Fix | None:
    """Take the registered id that is nearest to one without a row, if the citation then resolves."""
    key = (citation.id, citation.edition)
    token = known.get(key)
    if token is None:
        token = known[key] = _nearest(citation, corpus)
    if not token:
        return None
    title = f"take the nearest id, {short(token)}"
    return _fix(title, citation.span, citation.text, token, safe=False)


def _nearest(citation: Citation, corpus: Corpus) -> str:
    missed = corpus.resolve(citation)
    if missed.miss is not Miss.NO_SUCH_ID or missed.detail:
        return ""
    nearest = corpus.nearest(citation.id, citation.edition)
    if nearest is None or corpus.find(nearest, citation.edition).outcome is Outcome.NOTHING:
        return ""
    return nearest if citation.edition is None else f"{nearest}@{citation.edition}"


def _resolves(token: str, corpus: Corpus) -> bool:
    identifier, _, edition = token.partition("@")
    meant = Citation(identifier, edition, Span(0, 0), run=edition)
    return corpus.resolve(meant).outcome is not Outcome.NOTHING


@lru_cache(maxsize=1024)
def _is_writable(token: str, edition: str) -> bool:
    """Whether a token is read back as it is written, every character of it visible."""
    read = next(find(token), None)
    return isinstance(read, Token) and read.run == edition and printable(token) == token


def _fix(title: str, span: Span, old: str, token: str, *, safe: bool) -> Fix:
    return Fix(title, (Edit(span, token, old),), safe)
