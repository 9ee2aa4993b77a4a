"""What the text of a document says of itself: its first heading, and where its links lead. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.curate import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class Outline(NamedTuple):
    """The first heading of a text, "" without one, and the destinations that lead to files beside it."""

    heading: str
    links: tuple[str, ...]


def outline(text: str) -> Outline:
    """The outline of Markdown, without frontmatter. Takes linear time."""
    heading: list[str] = []
    found: str | None = None
    links: dict[str, None] = {}
    inside = False
    for kind, value in events(text):
        if kind == "Start" and isinstance(value, dict):
            inside = inside or (found is None and "Heading" in value)
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
    return Outline(found or "", tuple(links))


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
