"""`marketplace.json`: the packs that a marketplace publishes, as plugin marketplaces list them. Pure.

    {"name": …, "owner": {"name": …}, "plugins": [{"name": …, "source": "./<pack>", "description": …}]}

A `source` that is a path is relative to the folder of the file; any other one is elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import says_nothing
from spectastic.curate.plan import CurateError
from spectastic.curate.publishing import jsontext
from spectastic.source import Source
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.curate.publishing.jsontext import JsonError, Node

NAME = "marketplace.json"
_SHAPE = 'it has "name", "owner" with a "name", and "plugins", a list'
_BOM = "\ufeff"


class Listed(NamedTuple):
    """An entry: `place` is the folder of its pack, relative to that of the file, `None` for one elsewhere."""

    name: str
    place: str | None
    node: Node


class Marketplace(NamedTuple):
    """A file that lists packs. `text` is all of it, without the byte order mark; `owner` may be ""."""

    path: str
    text: str
    mark: str
    node: Node
    name: str
    owner: str
    plugins: tuple[Listed, ...]


def read(path: str, data: bytes) -> Marketplace:
    """What a file says. Raises `CurateError`, with line and column, where it is none."""
    for problem in Source(path, data).problems:
        raise CurateError(f"{path}: {problem.message}", problem.hint)
    text = data.decode()
    mark = _BOM if text.startswith(_BOM) else ""
    text = text.removeprefix(mark)
    try:
        node = jsontext.parse(text)
        return _read(path, text, mark, node)
    except jsontext.JsonError as error:
        raise _refused(path, error) from None


def _refused(path: str, error: JsonError) -> CurateError:
    return CurateError(f"{path}:{error.line}:{error.column}: {error.message}", _SHAPE)


def _read(path: str, text: str, mark: str, node: Node) -> Marketplace:
    if not isinstance(node.value, dict):
        raise jsontext.at(text, node, "this is no object")
    name = _text(text, node, "name")
    owner = node.members.get("owner")
    if owner is not None and not isinstance(owner.value, dict):
        raise jsontext.at(text, owner, "the owner is no object")
    said = _optional(text, owner, "name") if owner else ""
    plugins = node.members.get("plugins")
    if plugins is None or not isinstance(plugins.value, list):
        raise jsontext.at(text, plugins or node, "it has no list of plugins")
    root = _root(text, node)
    listed = tuple(_entry(text, item, root) for item in plugins.items)
    names: set[str] = set()
    for entry in listed:
        if entry.name in names:
            raise jsontext.at(text, entry.node, f"two plugins have the name {short(entry.name)}")
        names.add(entry.name)
    return Marketplace(path, text, mark, node, name, said, listed)


def _entry(text: str, node: Node, root: str) -> Listed:
    if not isinstance(node.value, dict):
        raise jsontext.at(text, node, "this plugin is no object")
    name = _text(text, node, "name")
    source = node.members.get("source")
    if source is None:
        raise jsontext.at(text, node, f"the plugin {short(name)} has no source")
    if not isinstance(source.value, str):
        return Listed(name, None, node)
    place = source.value if source.value.startswith("./") else f"{root}/{source.value}"
    parts = [part for part in place.split("/") if part not in ("", ".")]
    if source.value.startswith("/") or "\\" in place or ".." in parts or ":" in place:
        raise jsontext.at(text, source, f"the source {short(source.value)} is no path below this folder")
    return Listed(name, "/".join(parts), node)


def _root(text: str, node: Node) -> str:
    """The folder of sources that are no more than a name."""
    metadata = node.members.get("metadata")
    return _optional(text, metadata, "pluginRoot") if metadata else ""


def _text(text: str, node: Node, key: str) -> str:
    said = _optional(text, node, key)
    if says_nothing(said):
        raise jsontext.at(text, node.members.get(key, node), f"there is no {key}")
    return said


def _optional(text: str, node: Node, key: str) -> str:
    found = node.members.get(key)
    if found is None:
        return ""
    if not isinstance(found.value, str):
        raise jsontext.at(text, found, f"the {key} is no text")
    return found.value


def text_of(listing: Marketplace, entry: Listed, key: str) -> str:
    """What an entry says under a key, "" for nothing. Raises `CurateError` where that is no text."""
    try:
        return _optional(listing.text, entry.node, key)
    except jsontext.JsonError as error:
        raise CurateError(
            f"{listing.path}:{error.line}:{error.column}: {error.message} ({short(entry.name)})",
            f'put quotes around it, or remove it: "{key}": "1.0.0"',
        ) from None


def twice(path: str, place: str) -> CurateError:
    """Why a list cannot be used in which two entries lead to one pack."""
    return CurateError(
        f"{path} lists {place or 'its own folder'} twice", "one of the two is another pack, or too many"
    )


def new(name: str, owner: str, entries: Iterable[dict[str, str]]) -> bytes:
    """A file that lists packs."""
    from json import dumps

    value = {"name": name, "owner": {"name": owner}, "plugins": list(entries)}
    return (dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


class Update(NamedTuple):
    """What is to become of a file: `entries` by the name of the plugin, and names of plugins to drop.

    Of an entry that is there, `fields` are set; one that is not is added with all of them.
    """

    owner: str
    entries: dict[str, dict[str, str]]
    dropped: frozenset[str]


def updated(listing: Marketplace, update: Update) -> bytes:
    """The file with an update made, all else as it was written."""
    text, node = listing.text, listing.node
    edits = list(_owner_edits(listing, update.owner))
    plugins = node.members["plugins"]
    known = {entry.name: entry for entry in listing.plugins}
    kept = [entry for entry in listing.plugins if entry.name not in update.dropped]
    for entry in kept:
        fields = update.entries.get(entry.name, {})
        members = entry.node.members
        edits += (
            jsontext.replaced(members[key], value)
            for key, value in fields.items()
            if key in members and members[key].value != value
        )
        fresh = [(key, value) for key, value in fields.items() if key not in members]
        if fresh:
            edits.append(jsontext.added(text, entry.node, fresh))
    added = [{"name": name, **fields} for name, fields in update.entries.items() if name not in known]
    if update.dropped:
        edits += jsontext.removed(plugins, [known[name].node for name in update.dropped])
    text = jsontext.changed(text, edits)
    if added:
        # Read anew: what is dropped may be what the new ones would have followed.
        plugins = jsontext.parse(text).members["plugins"]
        text = jsontext.changed(text, [jsontext.added(text, plugins, [(None, entry) for entry in added])])
    return (listing.mark + text).encode()


def _owner_edits(listing: Marketplace, owner: str) -> Iterable[jsontext.Edit]:
    if not owner or owner == listing.owner:
        return
    node = listing.node.members.get("owner")
    if node is None:
        yield jsontext.added(listing.text, listing.node, [("owner", {"name": owner})])
    elif "name" in node.members:
        yield jsontext.replaced(node.members["name"], owner)
    else:
        yield jsontext.added(listing.text, node, [("name", owner)])
