"""What the text of a document says of itself: its first heading, and where its links lead. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.curate import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class Outline(NamedTuple):
    """The first heading of a text, "" without one, and the destinations that lead to files beside it.

    `first` tells whether the text begins with that heading.
    """

    heading: str
    links: tuple[str, ...]
    first: bool = False


def outline(text: str) -> Outline:
    """The outline of Markdown, without frontmatter. Takes linear time."""
    heading: list[str] = []
    found: str | None = None
    links: dict[str, None] = {}
    inside = False
    begun = -1
    for number, (kind, value) in enumerate(events(text)):
        if kind == "Start" and isinstance(value, dict):
            if found is None and not inside and "Heading" in value:
                inside, begun = True, number
            for linked in ("Link", "Image"):
                if linked in value and is_relative(value[linked]["dest_url"]):
                    links[value[linked]["dest_url"]] = None
        elif inside and kind in ("Text", "Code"):
            heading.append(value)
        elif inside and kind in ("SoftBreak", "HardBreak"):
            heading.append(" ")
        elif inside and kind == "End" and isinstance(value, dict) and "Heading" in value:
            found = tables.plain("".join(heading)) or None
            heading, inside = [], False
    return Outline(found or "", tuple(links), found is not None and begun == 0)


def is_relative(destination: str) -> bool:
    """Whether a link leads to another file, from where it stands."""
    return bool(destination) and not destination.startswith("#") and not _SCHEME.match(destination)


def events(text: str) -> Iterator[tuple[str, Any]]:
    """What the parser reads: the kind of each event, and what it is about, `None` for nothing."""
    import pyromark

    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES):
        if isinstance(event, str):
            yield event, None
        else:
            yield next(iter(event.items()))
