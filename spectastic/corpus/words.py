"""How text from files is quoted in messages: shortened, on one line."""

from __future__ import annotations


def short(text: str, limit: int = 60) -> str:
    """At most `limit` characters of a text, its blanks and line breaks as single blanks."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
