"""The words of this room: what documents are called, and why one is refused. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.listing import FOLDERS, REQUIREMENT
from spectastic.retrieval.model import PREFIXES as PREFIXES
from spectastic.retrieval.model import Kind
from spectastic.text import printable, short

if TYPE_CHECKING:
    from datetime import date

    from spectastic.retrieval.query import Query

#: An id has at most six digits.
LAST = 999_999
MAX_TITLE = 200
#: Of a title, so many words and characters become part of a name.
_WORDS, _CHARACTERS = 6, 50


class AuthoringError(Exception):
    """A command is refused, and no document was written: `message` says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Draft(NamedTuple):
    """What a new document says of itself, all but its id."""

    kind: Kind
    title: str
    query: Query
    day: date


def identifier(kind: Kind, number: int) -> str:
    """The id with a number: three digits at least."""
    return f"{PREFIXES[kind]}-{number:03d}"


def path(home: str, kind: Kind, identifier: str, title: str) -> str:
    """Where a document goes, below the prior-art folder `home`."""
    name = f"{identifier}-{slug(title) or kind.value}"
    below = f"{home}/{FOLDERS[kind]}/{name}"
    return f"{below}/{REQUIREMENT}" if kind is Kind.SPEC else f"{below}.md"


def slug(title: str) -> str:
    """The first words of a title as part of a name on every system; "" where it has no Latin ones."""
    from unicodedata import normalize

    plain = normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    return "-".join(words[:_WORDS])[:_CHARACTERS].rstrip("-")


def checked_line(text: str, what: str = "the title") -> str:
    """A text as one line. Raises `AuthoringError` where it cannot be one; `what` says what it is."""
    line = " ".join(text.split())
    if not line:
        raise AuthoringError(f"{what} is empty", "say in a few words what it is about")
    _refuse_unseen(line, what)
    if len(line) > MAX_TITLE:
        raise AuthoringError(
            f"{what} has {len(line)} characters, more than {MAX_TITLE}", "leave the rest to the text"
        )
    return line


def checked_query(query: Query) -> Query:
    """A query whose values can be written down. Raises `AuthoringError`."""
    for field, value in query.values():
        _refuse_unseen(value, f"a value of {field}")
    return query


def _refuse_unseen(text: str, what: str) -> None:
    if printable(text) != text:
        raise AuthoringError(
            f"{what} has characters in it that cannot be seen: {short(ascii(text))}", "type it anew"
        )
