"""How ids of prior art are written, one by one and several together. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_KIND = r"(?:REQ|LESSON|BUG)[-_\u2010-\u2015\u2212]"
#: What stands between the ends of a range, or between ids that share their beginning.
_BETWEEN = r"\s?\u2026\s?|\.{2,3}|[/\u2012-\u2015\u2212-]|\s+(?:to|through)\s+"
_MORE = rf"(?:{_BETWEEN})(?:{_KIND})?[0-9]{{3,6}}(?!\w|[-.]\w)"

#: With a dash that is no hyphen, digits of another script or small letters it is an id, and a wrong one.
#: More of them may follow: `REQ-515…519`, `REQ-515/516`, `REQ-515 to REQ-519`.
PATTERN = rf"(?<!\w){_KIND}\d++(?!\w)(?:{_MORE})*+"
ID = re.compile(PATTERN, re.IGNORECASE)
#: What may stand behind an id that is no part of a path.
BARE = re.compile(r"(?![-./\\]\w)")

_FIRST = re.compile(rf"({_KIND})(\d++)", re.IGNORECASE)
_PARTS = re.compile(rf"({_BETWEEN})({_KIND})?([0-9]+)", re.IGNORECASE)


def together(found: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Each id that a match of `ID` names, and where.

    Of a range, both ends: the numbers between may be those of other projects.
    """
    begun = _FIRST.match(found[0])
    assert begun is not None  # noqa: S101 - every match begins so
    base = found.start()
    yield begun[0], base, base + begun.end()
    digits = begun[2]
    for part in _PARTS.finditer(found[0], begun.end()):
        between, kind, number = part.groups()
        if not kind and not between.startswith("/") and not _goes_on(digits, between, number):
            return
        kind = kind or begun[1]
        yield f"{kind}{number}", base + part.start(2 if part[2] else 3), base + part.end()
        digits = number


def _goes_on(first: str, between: str, last: str) -> bool:
    """Whether a number ends a range: `REQ-515 to 519`, and not `REQ-515 to 300`, or the slug `-2024`."""
    longer = int(last) > int(first)
    return longer and (between != "-" or len(first) == len(last))
