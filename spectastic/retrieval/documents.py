"""Reading the three corpora: what takes part, what its status keeps out, and what cannot be read."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic import frontmatter
from spectastic.retrieval import faults, listing
from spectastic.retrieval.model import FIELDS, MANY, SINGLE, Document, Kind, Library, Shelf
from spectastic.source import Unreadable, head, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spectastic.frontmatter import Frontmatter

#: Specs with these statuses are kept out. A list of exclusions on purpose: a status that nobody thought of
#: must not empty the corpus.
EXCLUDED = frozenset({"draft", "superseded", "cancelled", "rejected"})
#: Bugs take part with these statuses only: one that is open has taught nobody anything yet.
RESOLVED = frozenset({"resolved", "closed"})

#: Frontmatter ends in the first bytes of nearly every document; where it does not, all of it is read.
_HEAD = 4096
_BOM = b"\xef\xbb\xbf"
_NAME = re.compile(r"(?P<id>(?:REQ|LESSON|BUG)-[0-9]{3,6})(?:-(?P<slug>.+))?")


class Reading(NamedTuple):
    """A document, and what of its frontmatter was not understood."""

    document: Document
    notes: tuple[Unreadable, ...] = ()


def load(root: str, folder: str) -> Library:
    """The three corpora below `folder`, a path relative to the repository root. Raises nothing."""
    home = listing.home(root, folder)
    if isinstance(home, Unreadable):
        shelves = {kind: Shelf(kind, f"{folder}/{listing.FOLDERS[kind]}") for kind in Kind}
        return Library(root, folder, shelves, (home,))
    trouble: list[Unreadable] = []
    shelves = {}
    for kind in Kind:
        listed = listing.listed(root, home, kind)
        shelves[kind] = _shelf(root, kind, f"{home}/{listing.FOLDERS[kind]}", listed)
        if listed.trouble is not None:
            trouble.append(listed.trouble)
    return Library(root, home, shelves, tuple(trouble))


def _shelf(root: str, kind: Kind, folder: str, listed: listing.Listing) -> Shelf:
    admitted: list[Document] = []
    left_out: list[Document] = []
    unreadable = list(listed.refused)
    notes: list[Unreadable] = []
    for path in listed.paths:
        found = _read(root, kind, path)
        if isinstance(found, Unreadable):
            unreadable.append(found)
        elif admits(kind, found.document.status):
            admitted.append(found.document)
            notes += found.notes
        else:
            left_out.append(found.document)
    unreadable.sort(key=lambda item: os.fsencode(item.path))
    return Shelf(
        kind, folder, tuple(admitted), tuple(left_out), tuple(unreadable), tuple(notes), listed.missing
    )


def admits(kind: Kind, status: str) -> bool:
    """Whether a document of a kind takes part with a status."""
    if kind is Kind.LESSON:
        return True
    folded = folded_status(status)
    return folded in RESOLVED if kind is Kind.BUG else folded not in EXCLUDED


def folded_status(status: str) -> str:
    """A status as it is compared and told."""
    return status.strip().lower()


def _read(root: str, kind: Kind, path: str) -> Reading | Unreadable:
    data = head(root, path, _HEAD)
    if isinstance(data, Unreadable):
        return data
    found = head_of(data)
    # Where the first bytes end, a line may go on.
    whole = found.block is not None and found.block.body < len(data)
    if len(data) == _HEAD and not whole:
        source = read(root, path)
        if isinstance(source, Unreadable):
            return source
        found = head_of(source.data)
    return _document(kind, path, found)


def parse(data: bytes, kind: Kind, path: str) -> Reading | Unreadable:
    """The document that the bytes of a file hold; `Unreadable` where frontmatter is absent or malformed."""
    return _document(kind, path, head_of(data))


def body(data: bytes) -> bytes:
    """What stands behind the frontmatter of a file."""
    found = head_of(data)
    return data if found.block is None else data[found.block.body :]


def head_of(data: bytes) -> Frontmatter:
    """The frontmatter of a file, and what may stand before it skipped."""
    mark = len(_BOM) if data.startswith(_BOM) else 0
    start = mark + frontmatter.preamble(data[mark:] if mark else data)
    return frontmatter.read(data[start:] if start else data, start)


def _document(kind: Kind, path: str, found: Frontmatter) -> Reading | Unreadable:
    why = faults.left_out(found)
    if why is not None:
        return Unreadable(path, why.message, why.hint)
    name = _NAME.fullmatch(_stem(kind, path))
    values = {field: _single(found, field) for field in faults.USED if field not in MANY}
    lists = {field: _many(found, field) for field in MANY}
    odd = faults.odd(found)
    document = Document(
        kind,
        identifier(kind, path, found),
        values["title"] or ((name["slug"] or "") if name else "").replace("-", " "),
        path,
        values["status"],
        values["component"],
        values["domain"],
        lists["stack"],
        lists["concerns"],
        lists["tags"],
        values["created"],
        values["updated"],
        any(lists.values())
        or any(values[field] for field in SINGLE)
        or any(field in FIELDS for field in odd),
    )
    notes = faults.not_understood(found, odd)
    return Reading(document, tuple(Unreadable(path, note.message, note.hint) for note in notes))


def identifier(kind: Kind, path: str, found: Frontmatter) -> str:
    """The id of a document: that of its frontmatter, else that of its name, else its name."""
    stem = _stem(kind, path)
    name = _NAME.fullmatch(stem)
    return _single(found, "id") or (name["id"] if name else stem)


def _stem(kind: Kind, path: str) -> str:
    parts = path.split("/")
    return parts[-2] if kind is Kind.SPEC and len(parts) > 1 else parts[-1].removesuffix(".md")


def _single(found: Frontmatter, field: str) -> str:
    """The value of a field that has one; a list of one is taken for it."""
    if field in found.fields:
        value = found.fields[field].value
    else:
        items = found.lists.get(field, ())
        value = items[0] if len(items) == 1 else ""
    return found.meant(field, value)


def _many(found: Frontmatter, field: str) -> tuple[str, ...]:
    """The values of a field that has many, each once; a lone one is a list of one."""
    items: Sequence[str] = found.lists.get(field, ())
    if field in found.fields:
        items = (found.fields[field].value,)
    return tuple(dict.fromkeys(item for item in items if found.meant(field, item)))
