"""What several rules say or ask in the same way. Pure; imports no library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import SUPERSEDED, UNCONFIRMED, UNSIGNED, says_nothing
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Row
    from spectastic.findings import Span
    from spectastic.spec.model import Citation, Spec

#: How many names a message lists before it says how many more there are.
SHOWN = 5

#: The statuses of a reference that no decision may rest on yet.
NOT_CITABLE = (UNCONFIRMED, UNSIGNED)


def some(names: Sequence[str], limit: int = SHOWN) -> str:
    """The first names of a list, and how many there are besides: `a, b and 3 more`."""
    shown = ", ".join(short(name, 40) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def citations(spec: Spec) -> Iterator[Citation]:
    """Every citation of a spec, in and, where that counts, around its decisions."""
    for decision in spec.citing:
        yield from decision.citations


def cell(row: Row, name: str) -> Span:
    """Where a cell of a row stands; the row itself where it has no such cell."""
    found = row.cells.get(name)
    return row.span if found is None else found.span


def stated(reference: Reference, name: str) -> str:
    """What a frontmatter field says, `""` where that is nothing: missing, empty or `TODO`."""
    value = reference.value(name)
    return "" if says_nothing(value) else value


def not_citable(status: str) -> str:
    """The word of `NOT_CITABLE` that a status is or was meant to be, "" where it is none.

    A misspelt word must not open the gate, so case, separators and a few letters do not count.
    """
    if status in NOT_CITABLE:
        return status
    plain = "-".join(status[:80].lower().replace("_", " ").replace("-", " ").split())
    if "cit" not in plain and "until" not in plain:
        return ""
    near = nearest(plain, NOT_CITABLE, cutoff=0.8)
    if near or not plain.startswith("not-cit"):
        return near
    return NOT_CITABLE[0]


def registered_path(row: Row, corpus: Corpus) -> str:
    """The path of a row's document, relative to the repository root, whether it exists or not."""
    return f"{corpus.folder}/{row.path}"


def home(row: Row, corpus: Corpus) -> str:
    """The folder of a row's document; `superseded/` stands in it."""
    return registered_path(row, corpus).rpartition("/")[0]


def beside(reference: Reference) -> str:
    """The folder that a superseded document was moved from, which is the `home` of its row."""
    return reference.path.rpartition(f"/{SUPERSEDED}/")[0]
