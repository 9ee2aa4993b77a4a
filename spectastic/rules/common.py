"""What several rules say or ask in the same way. Pure; imports no library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.words import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Row
    from spectastic.findings import Span
    from spectastic.spec.model import Citation, Spec

#: How many names a message lists before it says how many more there are.
SHOWN = 5

#: The statuses of a reference that no decision may rest on yet.
NOT_CITABLE = ("not-citable-until-confirmed", "not-citable-until-signed-off")


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
    return "" if value.strip() in ("", "TODO") else value


def not_citable(status: str) -> str | None:
    """The word of `NOT_CITABLE` that a status is or was meant to be, else `None`.

    A misspelt word must not open the gate, so case, separators and a few letters do not count.
    """
    if status in NOT_CITABLE:
        return status
    plain = "-".join(status[:80].lower().replace("_", " ").replace("-", " ").split())
    if "cit" not in plain and "until" not in plain:
        return None
    from difflib import get_close_matches

    close = get_close_matches(plain, NOT_CITABLE, n=1, cutoff=0.8)
    if close:
        return close[0]
    return NOT_CITABLE[0] if plain.startswith("not-cit") else None


def registered_path(row: Row, corpus: Corpus) -> str:
    """The path of a row's document, relative to the repository root, whether it exists or not."""
    return f"{corpus.folder}/{row.path}"


def home(row: Row, corpus: Corpus) -> str:
    """The folder of a row's document; `superseded/` stands in it."""
    return registered_path(row, corpus).rpartition("/")[0]


def retained_as(reference: Reference) -> tuple[str, str] | None:
    """Slug and edition in the name of a superseded document, `None` where it has another shape."""
    name = reference.path.rpartition("/")[2].removesuffix(".md")
    slug, at, edition = name.partition("@")
    return (slug, edition) if slug and at and edition else None
