"""The text of a reference, without its frontmatter, and what its `content-hash` says of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import references
from spectastic.corpus.model import says_nothing
from spectastic.frontmatter import split
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Resolution
    from spectastic.source import Source

_HASH = re.compile(r"sha256:[0-9A-Fa-f]{64}")


class Body(NamedTuple):
    """Everything after the frontmatter. `line` is the number of its first line in the file.

    `data` is as the file has it, `text` has every line end as LF.
    """

    data: bytes
    text: str
    line: int


def body(source: Source) -> Body:
    """The body of a document; without frontmatter, that is all of it."""
    block = split(source.encoded)
    start = block.body if block else 0
    text = source.encoded[start:].decode().replace("\r\n", "\n")
    line = source.encoded.count(b"\n", 0, start) + 1
    return Body(source.data[source.base + start :], text, line)


def document(corpus: Corpus, resolution: Resolution) -> tuple[Reference, Body] | None:
    """The document that a resolution leads to, with its digest, and its body; `None` where there is none."""
    known = corpus.reference_for(resolution)
    source = None if known is None else corpus.read(known.path)
    if known is None or source is None or isinstance(source, Unreadable):
        return None
    return references.load(source, known.pack, known.superseded), body(source)


def hash_state(reference: Reference) -> str:
    """How the declared hash of a document, whose digest is there, compares with its text.

    `matches`, `differs`, `missing` (or `TODO`), `malformed`; `none` where there is no frontmatter.
    """
    declared = reference.value("content-hash")
    if not reference.digest:
        return "none"
    if says_nothing(declared):
        return "missing"
    if not _HASH.fullmatch(declared):
        return "malformed"
    return "matches" if declared.lower() == reference.digest else "differs"
