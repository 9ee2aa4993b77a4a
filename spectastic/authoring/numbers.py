"""Which numbers names carry. Pure: decimal, whatever zeros lead, and as a whole (REQ-1200 is not REQ-120)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.authoring.model import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.retrieval.model import Kind

_NUMBER = "(?P<number>[0-9]{1,6})(?![0-9A-Za-z])"
#: Where numbers are reserved at a remote: `refs/adlc/ids/req/43`.
_RESERVED = re.compile(r"refs/adlc/ids/(?P<kind>[a-z]+)/(?P<number>[0-9]{1,6})")


def in_names(kind: Kind, names: Iterable[str]) -> int:
    """The highest number of the files and folders that are named after ids of a kind; 0 for none."""
    begins = re.compile(f"{PREFIXES[kind]}-{_NUMBER}", re.IGNORECASE | re.ASCII)
    return max((int(found["number"]) for name in names if (found := begins.match(name))), default=0)


def in_refs(kind: Kind, refs: Iterable[str]) -> int:
    """The highest number of a kind that branches, tags and reservations carry; 0 for none."""
    carries = re.compile(f"(?<![0-9A-Za-z]){PREFIXES[kind]}-{_NUMBER}", re.IGNORECASE | re.ASCII)
    highest = 0
    for ref in refs:
        if ref.startswith(("refs/heads/", "refs/tags/", "refs/remotes/")):
            numbers = [int(found["number"]) for found in carries.finditer(ref)]
            highest = max(highest, *numbers) if numbers else highest
        elif (reserved := _RESERVED.fullmatch(ref)) and reserved["kind"] == PREFIXES[kind].lower():
            highest = max(highest, int(reserved["number"]))
    return highest
