"""Values of prior art renamed where they stand in the frontmatter, all else left byte for byte.

A value that the list holds already is not written twice: the item goes, where nothing but it would go along.
What was written is read back before it counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.curate.documents import quoted, scalar
from spectastic.curate.places import contents
from spectastic.curate.plan import CurateError, FileChange, Plan
from spectastic.frontmatter import Places
from spectastic.retrieval.documents import head_of
from spectastic.retrieval.query import of_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from spectastic.frontmatter import Frontmatter
    from spectastic.retrieval.model import Document

    #: The new value for an old one, by field.
    Renames = Mapping[str, Mapping[str, str]]

_NULL = "tag:yaml.org,2002:null"
_GAP = re.compile(r" *, *")


class _Item(NamedTuple):
    """A value as it stands in the text: its characters `[start, end)`."""

    value: str
    start: int
    end: int


class _Values(NamedTuple):
    """The values of a field; `flow` for a list in brackets, `None` for a single value."""

    items: list[_Item]
    flow: bool | None


def plan_renames(root: str, documents: Iterable[Document], renames: Renames) -> Plan:
    """Rename values in all documents that have them. What cannot be changed is named and left as it is.

    Raises `CurateError` for a document that is not to be touched at all, or cannot be read.
    """
    changes: list[FileChange] = []
    counts = {(field, old): 0 for field, pairs in renames.items() for old in pairs}
    left: dict[str, str] = {}
    for document in documents:
        held = [pair for pair in of_document(document).values() if pair in counts]
        if not held:
            continue
        try:
            changes.append(_change(root, document.path, renames))
        except CurateError as error:
            left[document.path] = error.message
            continue
        for pair in held:
            counts[pair] += 1
    told = [
        {"field": field, "old": old, "new": renames[field][old], "documents": count}
        for (field, old), count in counts.items()
        if count
    ]
    notes = [f"{item['field']} {item['old']} is now {item['new']}: {item['documents']}" for item in told]
    notes += (f"left as it is: {path}: {why}" for path, why in left.items())
    result = {
        "renamed": told,
        "left": [{"path": path, "reason": why} for path, why in left.items()],
    }
    return Plan(tuple(changes), result, tuple(notes) or ("there is nothing to rename",))


def _change(root: str, path: str, renames: Renames) -> FileChange:
    before = contents(root, path)
    if before is None:
        raise CurateError("it has gone meanwhile")
    return FileChange(path, before, renamed(before, renames))


def renamed(data: bytes, renames: Renames) -> bytes:
    """A document with values of its frontmatter renamed. Raises `CurateError` where that cannot be done."""
    found = head_of(data)
    if found.block is None or not (found.fields or found.lists):
        raise CurateError(found.problems[0].message if found.problems else "there is no frontmatter")
    text = data[found.block.start : found.block.end].decode()
    # What is no plain value and no plain list is not looked into.
    values = _values(text.replace("\r\n", "\n"), {*found.fields, *found.lists})
    wanted = _meaning(found, renames)
    for write in (scalar, quoted):
        after = _edited(data, found.block.start, text, values, renames, write)
        read = head_of(after)
        if _meaning(read) == wanted and len(read.problems) <= len(found.problems):
            return after
    raise CurateError("the frontmatter cannot be changed like this: write lists as `tags: [a, b]`")


def _meaning(found: Frontmatter, renames: Renames = {}) -> tuple[object, ...]:  # noqa: B006 - read only
    """What frontmatter says, or will say with values renamed. A list has each value once, in any order."""

    def said(name: str, value: str) -> str:
        value = found.meant(name, value)
        return renames.get(name, {}).get(value, value)

    fields = [(name, said(name, field.value)) for name, field in found.fields.items()]
    lists = {name: frozenset(said(name, item) for item in items) for name, items in found.lists.items()}
    return fields, lists, found.others


def _kept(values: list[str], pairs: Mapping[str, str]) -> list[int]:
    """The places of the items that stay: of those that say the same in the end, the one that does already."""
    places: dict[str, int] = {}
    for at, value in enumerate(values):
        new = pairs.get(value, value)
        if new not in places or (value == new and values[places[new]] != new):
            places[new] = at
    return sorted(places.values())


def _values(text: str, known: Collection[str]) -> dict[str, _Values]:
    """Where the values of some fields stand in YAML that has been read before; of equal keys, the first."""
    import yaml

    found: dict[str, _Values] = {}
    # How deep it is nested was looked at when it was read.
    root = next(yaml.compose_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    for key, node in root.value:
        if key.value in known and key.value not in found:
            flow = bool(node.flow_style) if isinstance(node, yaml.SequenceNode) else None
            nodes = (node,) if flow is None else node.value
            items = [_Item(_value(item), item.start_mark.index, item.end_mark.index) for item in nodes]
            found[key.value] = _Values(items, flow)
    return found


def _value(node: Any) -> Any:
    """What a node of YAML says; what is nothing has no value that could be renamed."""
    return "" if node.tag == _NULL else node.value


def _edited(
    data: bytes,
    start: int,
    text: str,
    values: Mapping[str, _Values],
    renames: Renames,
    write: Callable[[str], str],
) -> bytes:
    """The document with the edits made; places are characters of the text with LF."""
    edits: list[tuple[int, int, str]] = []
    plain = text.replace("\r\n", "\n")
    for name, pairs in renames.items():
        if name in values:
            edits += _edits(plain, values[name], pairs, write)
    places = Places(text, start)
    parts: list[bytes] = []
    done = 0
    for first, last, new in sorted(edits):
        span = places.span(first, last)
        parts += (data[done : span.start], new.encode())
        done = span.end
    return b"".join((*parts, data[done:]))


def _edits(
    text: str, values: _Values, pairs: Mapping[str, str], write: Callable[[str], str]
) -> Iterator[tuple[int, int, str]]:
    items = values.items
    kept = frozenset(_kept([item.value for item in items], pairs))
    for at, item in enumerate(items):
        if item.value not in pairs:
            continue
        cut = None if at in kept else _cut(text, values, at, min(kept))
        if cut is not None:
            yield (*cut, "")
        else:
            yield item.start, item.end, _as_before(text[item.start], pairs[item.value], write)


def _as_before(first: str, value: str, write: Callable[[str], str]) -> str:
    """A value as YAML, in the quotes that the old one had, where it can be."""
    simple = value.isprintable() and not any(mark in value for mark in "'\"\\")
    return f"{first}{value}{first}" if first in ("'", '"') and simple else write(value)


def _cut(text: str, values: _Values, at: int, first_kept: int) -> tuple[int, int] | None:
    """What goes with an item of a list: its comma, or its line; `None` where something else would go too."""
    items = values.items
    item = items[at]
    if not values.flow:
        start = text.rfind("\n", 0, item.start) + 1
        end = text.find("\n", item.end)
        alone = text[start : item.start].strip(" ") == "-" and not text[item.end : end].strip(" ")
        return (start, end + 1) if alone and end >= 0 else None
    if at < first_kept:
        gap, cut = (item.end, items[at + 1].start), (item.start, items[at + 1].start)
    else:
        gap, cut = (items[at - 1].end, item.start), (items[at - 1].end, item.end)
    return cut if _GAP.fullmatch(text, *gap) else None
