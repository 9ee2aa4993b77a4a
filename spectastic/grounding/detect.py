"""Which domain a query speaks of: the one of whose keywords it holds most. Pure."""

from __future__ import annotations

import re

from spectastic.grounding.manifest import STACK_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

#: Scripts that put no blanks between words: Thai, Lao, Myanmar, Khmer, Han and what is written with it.
_UNPARTED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)


def detect_domain(manifest: Mapping[str, Any], query: str) -> str:
    """The domain of whose keywords a query holds most; the first declared of equals.

    A query without any has the default domain, or the first one.
    """
    return detect(manifest, query)[0]


def detect(manifest: Mapping[str, Any], query: str) -> tuple[str, str | None]:
    """As `detect_domain`, with the runner-up, if there is one: a domain that has one keyword less at most."""
    text = _plain(query)
    keywords: Mapping[str, list[object]] = manifest.get("detect") or {}
    counts = {
        domain: sum(_stands_in(text, _plain(str(word))) for word in words or ())
        for domain, words in keywords.items()
        if domain != STACK_KEY
    }
    # `sorted` keeps the order of equals.
    ranked = sorted(filter(counts.get, counts), key=lambda domain: -counts[domain])
    if not ranked:
        default = manifest.get("default_domain") or next(iter(manifest.get("domains") or {}), "")
        return default, None
    close = len(ranked) > 1 and counts[ranked[0]] - counts[ranked[1]] <= 1
    return ranked[0], ranked[1] if close else None


def _plain(text: str) -> str:
    """Text in lower case, with single blanks, its accents written in one way."""
    text = " ".join(text.lower().split())
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def _stands_in(text: str, keyword: str) -> bool:
    """Whether a keyword stands in a text as words of its own, and not inside a longer word."""
    at = text.find(keyword) if keyword else -1
    while at >= 0:
        if not _goes_on(text, at) and not _goes_on(text, at + len(keyword)):
            return True
        at = text.find(keyword, at + 1)
    return False


def _goes_on(text: str, at: int) -> bool:
    """Whether the characters before and at a place are of one word.

    Beside a script without blanks, a word of another one ends as well: `UI设计`.
    """
    pair = text[max(0, at - 1) : at + 1]
    return at > 0 and len(pair) == 2 and all(map(in_word, pair)) and not _has_unparted(pair)


def _has_unparted(text: str) -> bool:
    # No ASCII is, and then the pattern need not be compiled.
    return not text.isascii() and re.search(_UNPARTED, text) is not None


def in_word(char: str) -> bool:
    """Whether a character can be in a word: a letter, a digit, `_`, or a mark of another script."""
    if char.isalnum() or char == "_":
        return True
    if char.isascii():
        return False
    from unicodedata import category

    return category(char).startswith("M")
