"""A text of other people's as Markdown that shows it, character for character. Pure."""

from __future__ import annotations

import re

#: What is markup somewhere in a line, unless it stands where it can be none: `a_b`, `2 * 3`, `~10`.
_MARKUP = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)"  # before punctuation, it takes away what that means
    r"|[`\[|<]"
    r"|(?:(?<![^\W_])_|_(?![^\W_]))"
    r"|(?:(?<!\s)\*|\*(?!\s))"
    r"|(?:(?<=\S)~|~(?![0-9]))"
    r"|&(?=#?\w{1,40};)"
)
#: What is markup where a block begins: the sign of a heading, a list or a quote, the stop of a number.
_BEGINS = re.compile(r"[0-9]{1,9}(?=[.)](?:\s|\Z))|(?=#{1,6}(?:\s|\Z)|[-+](?:\s|\Z)|>)")


def literal(text: str) -> str:
    """A line as it stands both in a table and in a list: the same bytes, so that they can be compared."""
    line = _MARKUP.sub(lambda found: f"\\{found[0]}", text)
    begins = _BEGINS.match(line)
    return line if begins is None else f"{line[: begins.end()]}\\{line[begins.end() :]}"
