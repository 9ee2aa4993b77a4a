"""The coordinate of a reference: an address that is the same in every repository which holds its pack.

    spectastic://<marketplace>/corpus/<plugin>/<slug>[?edition=<edition>][#<anchor>]

The id of a reference is a repository's own, so it is no part of it. Pure. Parsing says whether something is a
coordinate, and knows no registry; finding says whether it leads somewhere here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.corpus.model import Row

SCHEME = "spectastic"
#: What a coordinate can be of. The first of these that stands alone between slashes ends the marketplace.
KINDS = ("corpus", "spec", "contract")

SHAPE = "spectastic://<marketplace>/corpus/<plugin>/<slug>, with ?edition=<edition> where one is pinned"

_URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_UNWRITTEN = re.compile(r"[\x00-\x20\x7f-\xa0\s\ud800-\udfff]")
_NO_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}")


class Coordinate(NamedTuple):
    """A coordinate, parsed. `marketplace` is in lower case; `edition` is `None` where none is pinned."""

    marketplace: str
    plugin: str
    slug: str
    edition: str | None = None
    anchor: str = ""


class NoCoordinate(NamedTuple):
    """Why something is no coordinate of a reference."""

    reason: str


class Elsewhere(NamedTuple):
    """Why a coordinate leads to no row here, and which name may have been meant."""

    reason: str
    near: str = ""


def of_row(row: Row, edition: str | None = None) -> Coordinate | None:
    """The coordinate of a row, `None` where it lacks a name that belongs to it."""
    if not (row.marketplace and row.plugin and row.slug):
        return None
    return Coordinate(row.marketplace.lower(), row.plugin, row.slug, edition)


def compose(coordinate: Coordinate) -> str:
    """A coordinate as a URI: what `parse` gives back as it was."""
    from urllib.parse import quote, quote_plus

    marketplace, plugin, slug, edition, anchor = coordinate
    first, *rest = marketplace.split("/")
    # A slash of a name like `acme/corpus` must not be taken for one of the path.
    plain = all((first, *rest)) and not set(rest).intersection(KINDS)
    names = (quote(marketplace, safe="/" if plain else ""), KINDS[0], quote(plugin, ""), quote(slug, ""))
    text = f"{SCHEME}://{'/'.join(names)}"
    if edition is not None:
        # As HTML forms write it.
        text += "?edition=" + quote_plus(edition, safe="*").replace("~", "%7E")
    return f"{text}#{quote(anchor, '')}" if anchor else text


def parse(text: str) -> Coordinate | NoCoordinate:
    """The coordinate that a URI is, whether it leads anywhere or not. Never raises."""
    match = _URI.fullmatch(text)
    if match is None:
        return NoCoordinate(f"it does not begin with {SCHEME}://")
    scheme, authority, path, query, anchor = match.groups()
    if scheme.lower() != SCHEME:
        return NoCoordinate(f"its scheme is {short(scheme, 40)}, not {SCHEME}")
    if odd := _UNWRITTEN.search(text):
        return NoCoordinate(f"U+{ord(odd[0]):04X} cannot stand in a URI unless it is escaped")
    if odd := _NO_ESCAPE.search(text):
        return NoCoordinate(f"{odd[0]} is no escape: that is a % and two hexadecimal digits")
    try:
        return _parsed(f"{authority}{path}".split("/"), query, anchor)
    except UnicodeDecodeError:
        return NoCoordinate("its escapes are not UTF-8")


def _parsed(names: list[str], query: str | None, anchor: str | None) -> Coordinate | NoCoordinate:
    from urllib.parse import unquote, unquote_plus

    kind = next((at for at, name in enumerate(names) if at and name in KINDS), 0)
    after = names[kind + 1 :]
    reason = ""
    if not names[0]:
        reason = "it names no marketplace"
    elif not kind:
        reason = "there is no /corpus/ between marketplace and plugin"
    elif names[kind] != KINDS[0]:
        reason = f"it is the address of a {names[kind]}, not of a reference"
    elif len(after) != 2:
        reason = f"after /corpus/ stand {len(after)} names, not a plugin and a slug"
    elif not all(names):
        reason = "a name in it is empty"
    edition = None
    if query is not None:
        edition = unquote_plus(query.removeprefix("edition="), errors="strict")
        if not query.startswith("edition=") or "&" in query or not edition:
            reason = reason or "after ? stands edition=, an edition, and nothing else"
    if reason:
        return NoCoordinate(reason)
    marketplace, plugin, slug, place = (
        unquote(part, errors="strict") for part in ("/".join(names[:kind]), *after, anchor or "")
    )
    return Coordinate(marketplace.lower(), plugin, slug, edition, place)


def find(coordinate: Coordinate, rows: Iterable[Row]) -> list[Row] | Elsewhere:
    """The rows that a coordinate leads to, of which the first counts. Case matters but in the marketplace."""
    known = list(rows)
    for name in ("marketplace", "plugin", "slug"):
        wanted = getattr(coordinate, name)
        names = {_name(row, name) for row in known}
        if wanted not in names:
            return Elsewhere(
                f"no row here has the {name} {short(wanted)}", nearest(wanted, names, parts=True)
            )
        known = [row for row in known if _name(row, name) == wanted]
    return known


def _name(row: Row, name: str) -> str:
    text: str = getattr(row, name)
    return text.lower() if name == "marketplace" else text
