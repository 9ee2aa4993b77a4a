"""What a template leaves to be filled in, where nobody filled it in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.spec.page import EDGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from spectastic.findings import Span
    from spectastic.spec.page import Page

#: Longer values are text, not a blank.
_MAX = 200
#: A frontmatter value that says what belongs there, not what is the case.
_VALUE = re.compile(
    r"YYYY-MM-DD|(?:REQ|LESSON|BUG)-(?:[xX]{2,6}|[nN]{2,6})|[\w-]+(?: \| [\w-]+)++|\[[^\[\]]+\]|<[^<>]+>"
)
#: A title may be `a | b`, `<T>` or `[x]`: it says what belongs there where it is such a word in brackets.
_NO_TITLE = re.compile(
    r"[\[<][^\[\]<>]*\b(?:title|name|feature|summary|lesson|bug|here|your|short|what)\b[^\[\]<>]*[\]>]",
    re.IGNORECASE,
)
_BRACKETED = re.compile(rf"\[([^\W\d_][^\[\]{EDGE}]{{1,{_MAX}}})\]")


class Blank(NamedTuple):
    """Something to fill in, with single blanks, and where it stands in the file."""

    text: str
    span: Span


def values(page: Page) -> Iterator[Blank]:
    """The blanks among the values of the frontmatter."""
    for name, field in page.fields().fields.items():
        shape = _NO_TITLE if name == "title" else _VALUE
        if len(field.value) <= _MAX and shape.fullmatch(field.value.strip()):
            yield Blank(field.value.strip(), field.span)


def bracketed(page: Page) -> Iterator[Blank]:
    """Everything in square brackets, in the text. Links and boxes of tasks have none that are seen."""
    for match in _BRACKETED.finditer(page.masked):
        yield Blank(" ".join(match[1].split()), page.span(*match.span()))


def left(page: Page, known: Set[str]) -> Iterator[Blank]:
    """The blanks of a document: those in its frontmatter, those that a template has (`known`), `[Rule …]`."""
    yield from values(page)
    for blank in bracketed(page):
        if blank.text in known or blank.text.endswith(("…", "...")):
            yield blank
