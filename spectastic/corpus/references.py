"""One document of the corpus: its provenance and the hash of its text. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import NOWHERE, Reference
from spectastic.findings import Span
from spectastic.frontmatter import read as read_frontmatter
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from spectastic.findings import Problem
    from spectastic.source import Source


def load(source: Source | Unreadable, pack: str, superseded: bool, *, hashed: bool = True) -> Reference:
    """The reference that a file is. What cannot be read says so.

    Without `hashed` the digest stays `""`, and nobody looks for what addresses a model: a citation needs
    neither, and they take their time.
    """
    if isinstance(source, Unreadable):
        return unreadable(source.path, pack, superseded, source.message)
    if source.problems:
        return unreadable(source.path, pack, superseded, source.problems[0].message)
    return parse(source, pack, superseded, hashed=hashed)


def unreadable(path: str, pack: str, superseded: bool, message: str) -> Reference:
    """A document of which there is nothing but its path and the reason."""
    return Reference(path, pack, superseded, {}, "", NOWHERE, (), message)


def parse(source: Source, pack: str, superseded: bool, *, hashed: bool = True) -> Reference:
    """The reference that a source is."""
    found = read_frontmatter(source.encoded, source.base)
    end = source.encoded.find(b"\n")
    line = (source.encoded if end < 0 else source.encoded[:end]).rstrip()
    return Reference(
        path=source.path,
        pack=pack,
        superseded=superseded,
        fields=found.fields,
        digest=digest(source.data[found.block.body :]) if found.block and hashed else "",
        head=Span(source.base, source.base + len(line)),
        problems=found.problems,
        addressing=addressing(source) if hashed else (),
    )


def addressing(source: Source) -> tuple[Problem, ...]:
    """What speaks to a model in a document, frontmatter and all."""
    from spectastic.untrusted import suspicious

    if not suspicious(source.text):
        return ()
    from spectastic.untrusted.look import problems

    return tuple(problems(source.text, source.base))


def digest(body: bytes) -> str:
    """The content hash of a body, every byte after the frontmatter: CRLF counts as LF."""
    import hashlib

    return "sha256:" + hashlib.sha256(body.replace(b"\r\n", b"\n")).hexdigest()
