"""Slugs made of file names and of titles. Pure."""

from __future__ import annotations

import re

#: The longest words of a new slug: a number, `@` and an edition still fit into a file name.
MAX_WORDS = 60
#: What stands for a name that has no letter or digit which ASCII could show.
NAMELESS = "document"

#: Letters that are more than a letter with an accent, which Unicode takes apart by itself.
_LETTERS = str.maketrans(
    {
        **dict.fromkeys("ßẞ", "ss"),
        **dict.fromkeys("æÆ", "ae"),
        **dict.fromkeys("œŒ", "oe"),
        **dict.fromkeys("øØ", "o"),
        **dict.fromkeys("łŁ", "l"),
        **dict.fromkeys("đĐðÐ", "d"),
        **dict.fromkeys("þÞ", "th"),
        "ı": "i",
        **dict.fromkeys("'’", ""),
    }
)
_WORD = re.compile(r"[a-z0-9]+")
#: A number in front of a name puts files in order; the slug has a number of its own.
_NUMBER = re.compile(r"^[0-9]{1,3}-(?=.*[a-z])")


def words(text: str) -> str:
    """A text as the words of a slug: lower-case ASCII joined by hyphens, "" where none is left."""
    from unicodedata import combining, normalize

    letters = normalize("NFKD", text[:1000].translate(_LETTERS)).lower()
    found = "-".join(_WORD.findall("".join(letter for letter in letters if not combining(letter))))
    if len(found) <= MAX_WORDS:
        return found
    return found[: MAX_WORDS + 1].rpartition("-")[0] or found[:MAX_WORDS]


def stem(name: str) -> str:
    """A file name without its ending."""
    start, dot, _ = name.rpartition(".")
    return start if dot and start else name


def of_name(name: str) -> str:
    """The words of a file name, without its ending and without a number in front."""
    return _NUMBER.sub("", words(stem(name)), count=1)
