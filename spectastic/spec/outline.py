"""The markup of a document without its words: what an edit of a word must leave alone.

A finding cannot tell of everything. If `[KB-0001]` is a link because of a line `[KB-0001]: u.md` far
away, no rule misses the link once the token is another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic import frontmatter
from spectastic.spec import is_html
from spectastic.spec.markdown import as_commonmark, events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.source import Source

#: A piece of markup as it begins, and how deep it is nested.
Place = tuple[int, str]


class Outline(NamedTuple):
    """The markup in order, and the innermost piece of it at each place that was asked for."""

    markup: list[str]
    places: list[Place]


def outline(source: Source, offsets: Sequence[int]) -> Outline:
    """The outline of a spec; `offsets` are places in the file, in order.

    Only Markdown has one: in HTML markup begins with `<`, which no token can hold.
    """
    if is_html(source.path):
        return Outline([], [(0, "")] * len(offsets))
    block = frontmatter.split(source.encoded)
    start = block.body if block else 0
    markup: list[str] = []
    places: list[Place] = []
    wanted = iter(offsets)
    following = next(wanted, None)
    open_pieces: list[str] = [""]
    for kind, name, at in _markup(source.encoded[start:].decode()):
        while following is not None and following - source.base - start < at:
            places.append((len(open_pieces), open_pieces[-1]))
            following = next(wanted, None)
        markup.append(f"{kind} {name}")
        if kind == "Start":
            open_pieces.append(name)
        elif kind == "End":
            open_pieces.pop()
    places += [(0, "")] * (len(offsets) - len(places))
    return Outline(markup, places)


def _markup(text: str) -> Iterator[tuple[str, str, int]]:
    """What a parser sees but for text: the kind of event, what it is about, and the byte it is at."""
    for event, where in events(as_commonmark(text)):
        if isinstance(event, str):
            yield event, "", where["start"]
            continue
        [(kind, value)] = event.items()
        if kind == "Start" or kind == "End":
            yield kind, _name(value), where[kind.lower()]
        elif kind != "Text":
            yield kind, "", where["start"]


def _name(value: Any) -> str:
    """An element with what it says of itself, such as where a link leads."""
    if isinstance(value, str):
        return value
    [(name, about)] = value.items()
    if name in ("Link", "Image"):
        # Its label may be the very token that is respelt: where it leads is what counts.
        about = about["dest_url"], about["title"]
    return f"{name} {about}"
