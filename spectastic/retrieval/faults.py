"""What retrieval cannot take of frontmatter: the one definition, for `retrieve` and for rules. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Problem, Span
from spectastic.retrieval.model import FIELDS, MANY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spectastic.frontmatter import Frontmatter

#: The fields that retrieval reads.
USED = ("id", "title", "status", *FIELDS, "created", "updated")
#: A letter away from a field, and words of their own.
_OTHERS = frozenset({"slack", "snack", "stock", "stick", "stats", "statue", "tabs", "taps", "tile", "tithe"})
#: A letter away from a shorter field is anything: `id`, `uid`, `pid`.
_LEAST = 4
_NOWHERE = Span(0, 0)


def left_out(found: Frontmatter) -> Problem | None:
    """Why a document that begins like this is left out; `None` for one that is taken."""
    if found.block is None:
        hint = "begin it with a line ---, fields, and a line ---"
        return next(iter(found.problems), Problem(_NOWHERE, "there is no frontmatter", hint))
    if found.problems and not found.fields and not found.lists and not found.others:
        return found.problems[0]
    return None


def odd(found: Frontmatter) -> list[str]:
    """The fields that hold what they cannot."""
    if not found.lists and not found.others:
        return []
    return [
        field
        for field in USED
        if field in found.others or (field not in MANY and len(found.lists.get(field, ())) > 1)
    ]


def not_understood(
    found: Frontmatter, fields: list[str], places: Mapping[str, Span] | None = None
) -> Iterator[Problem]:
    """What was not understood of a document that is taken.

    `fields` are those that are `odd`, `places` where the name of each field stands, for those who ask.
    """
    yield from found.problems
    for field in fields:
        hint = "write a list of plain values" if field in MANY else "write one plain value"
        place = (places or {}).get(field, _NOWHERE)
        yield Problem(place, f"the field {field} cannot be compared", hint, field)


def misspelt(found: Frontmatter) -> dict[str, str]:
    """Names of fields that were surely meant for one of `USED` which is not there, each with that one.

    They differ in capitals alone, or in a single slip: a letter too many, too few or another one, or two
    neighbours in each other's place.
    """
    names = {*found.fields, *found.lists, *found.others}
    missing = [field for field in USED if field not in names]
    return {
        name: field
        for name in sorted(names.difference(USED, _OTHERS))
        for field in missing
        if _meant(name, field)
    }


def _meant(name: str, field: str) -> bool:
    if abs(len(name) - len(field)) > 1:
        return False
    return name.lower() == field or (len(field) >= _LEAST and _one_slip(name, field))


def _one_slip(name: str, word: str) -> bool:
    """Whether two different texts, whose lengths differ by one at most, are one slip apart."""
    shorter, longer = sorted((name, word), key=len)
    at = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = shorter[at : at + 2] == longer[at : at + 2][::-1] and shorter[at + 2 :] == longer[at + 2 :]
    return swapped or shorter[at + 1 :] == longer[at + 1 :]
