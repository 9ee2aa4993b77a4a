"""What a document of somebody else's says of itself, as far as that can be taken for provenance. Pure.

Taken are words that can hardly mean anything else. A `date` is not among them: it says when a page was
first written, and stays when its text is changed; nor is a `version`, which is as often that of a
program, nor an `author`, who need not be who published it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus.model import AUTHORITATIVE, SUPERSEDED, says_nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: What nobody but its author knows of a document; `TODO` stands for it until somebody says it.
ASKED = ("edition", "license", "origin")
TODO = "TODO"
#: What is written where nobody says otherwise.
DEFAULTS = {"origin-url": "none", "converter": "verbatim copy", "status": AUTHORITATIVE}

#: The names under which other programs keep what a field says, the surest first.
_NAMES = {
    "edition": ("edition", "updated", "last-updated", "last-modified", "lastmod"),
    "license": ("license", "licence"),
    "origin": ("origin", "publisher", "source"),
    "origin-url": ("origin-url", "source-url", "canonical-url", "canonical", "source", "url"),
    "converter": ("converter",),
    "status": ("status",),
}
_ISO_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?", re.DOTALL)
_URL = re.compile(r"(?i:https?)://\S+")


def of_itself(said: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """What frontmatter says of a document, by field: the text, and the name that it has there."""
    plain = {name.lower().replace("_", "-"): (text.strip(), name) for name, text in reversed([*said.items()])}
    found: dict[str, tuple[str, str]] = {}
    for field, names in _NAMES.items():
        for name in names:
            text, own = plain.get(name, ("", ""))
            taken = "" if says_nothing(text) else _taken(field, name, text)
            if taken:
                found[field] = (taken, own)
                break
    return found


def _taken(field: str, name: str, text: str) -> str:
    """What is taken of a field of another name, "" for nothing."""
    if field == "edition" and name != "edition":
        date = _ISO_DATE.fullmatch(text)
        return date[1] if date else ""
    if field == "status":
        return "" if text == SUPERSEDED else text
    if name == field or field == "license":
        return text
    return text if (_URL.fullmatch(text) is not None) == (field == "origin-url") else ""


def complete(
    own: Mapping[str, tuple[str, str]], given: Mapping[str, str], url: str = ""
) -> tuple[dict[str, str], list[str]]:
    """All fields of a document: its own words, then its address in a list, what was given, and defaults.

    The second part names what was given and is not used, as the document says something else.
    """
    fields: dict[str, str] = {}
    unused: list[str] = []
    for name in (*ASKED, *DEFAULTS):
        text = given.get(name, "")
        option = "" if says_nothing(text) else text
        mine = own.get(name, ("", ""))[0] or (url if name == "origin-url" else "")
        fields[name] = mine or option or DEFAULTS.get(name, TODO)
        if option and fields[name] != option and not (name == "origin-url" and mine == url):
            unused.append(name)
    return fields, unused


def lacking(said: Mapping[str, str], names: Iterable[str] = ASKED) -> list[str]:
    """The fields that are still to be said."""
    return [name for name in names if says_nothing(said.get(name, ""))]
