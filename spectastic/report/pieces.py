"""What the formats in JSON share: one value a line, ASCII only, and a finding in full sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spectastic.findings import Finding


def encoder() -> Callable[[object], str]:
    """A function from a value to JSON on one line: no console can spoil it, no bytes drive one.

    Of two `#` in a row the second is an escape: `##[` and `##vso[` are commands to CI runners,
    which read what is printed.
    """
    from json import JSONEncoder

    encode = JSONEncoder(ensure_ascii=True, check_circular=False).encode
    return lambda value: encode(value).replace("##", "#\\u0023")


def array(head: str, items: Iterator[str], tail: str) -> Iterator[str]:
    """A list, an item a line. `head` goes before it and indents it, `tail` after it."""
    margin = " " * (len(head) - len(head.lstrip()))
    yield f"{head}["
    separator, end = f"\n{margin}  ", "]"
    for item in items:
        yield separator + item
        separator, end = f",\n{margin}  ", f"\n{margin}]"
    yield end + tail


def told(finding: Finding) -> str:
    """Message and hint as sentences, printable: what a file holds must not rearrange the page."""
    hint = f" {_sentence(f'Hint: {finding.hint}')}" if finding.hint else ""
    return printable(_sentence(finding.message) + hint)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."
