"""`spectastic corpus prompt`: what may be cited, for a model, with the instruction how."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.cli import streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.corpus import list as listing
from spectastic.cli.errors import OK

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from spectastic.corpus.catalog import Entry

_LABEL = "KNOWLEDGE CORPUS INDEX"

_INSTRUCTION = """\
Facts about the world come from the corpus of this repository. Its index stands below, one reference a line: \
id@edition, pack, slug, title.
- Where a decision rests on such a fact, cite the reference as id@edition, exactly as it is listed.
- A title is no fact. When you need the text, read it with `spectastic corpus show --fenced KB-NNNN`.
- Never invent an id or an edition, and never cite from memory.
- If nothing listed fits, say so, and cite nothing.
"""
_EMPTY = """\
Facts about the world come from the corpus of this repository, and {where} has no reference that may be \
cited. Never invent an id or an edition: say that nothing fits, and cite nothing.
"""
_LEFT_OUT = "{count} more {are} registered and may not be cited: {why}.\n"


class _Index(NamedTuple):
    """The references that may be cited, and those that may not, each with the reason."""

    entries: tuple[Entry, ...]
    left_out: tuple[tuple[Entry, str], ...]


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus prompt`."""
    common.add_common(parser)
    parser.add_argument("--pack", metavar="P", help="only the references of this pack")


def run(options: Namespace) -> int:
    """Print the instruction, and behind it the index inside of a fence. No text of a reference is in it.

    Raises:
        TroubleError: there is no corpus, or the configuration is wrong.
    """
    _, corpus = reading.load(options)
    entries = listing.entries(corpus, options.pack)
    if entries is None:
        return listing.no_pack(corpus, options)
    index = _index(entries)
    text = _prompt(index, "the corpus" if options.pack is None else "this pack of it")
    if options.json:
        listed = [_as_json(entry) for entry in index.entries]
        left_out = [{**_as_json(entry), "why": why} for entry, why in index.left_out]
        reading.write_json(options, {"prompt": text, "references": listed, "left_out": left_out})
    else:
        streams.write([text])
    return OK


def _index(entries: Iterable[Entry]) -> _Index:
    judged = [(entry, _why_not(entry)) for entry in entries]
    return _Index(
        tuple(entry for entry, why in judged if not why), tuple((entry, why) for entry, why in judged if why)
    )


def _why_not(entry: Entry) -> str:
    """Why a reference may not be cited in a new decision, "" where it may.

    A model cites what it is shown: what would be a finding, or has lost its source, is not shown to it.
    """
    from spectastic.corpus.model import ORPHANED
    from spectastic.rules.common import not_citable

    if entry.status == ORPHANED:
        return ORPHANED
    if not entry.path or not entry.row.edition or len(entry.row.edition.split()) != 1:
        return "without a document"
    return "waiting to be confirmed" if not_citable(entry.status) else ""


def _prompt(index: _Index, where: str) -> str:
    from collections import Counter

    from spectastic.untrusted.fence import fenced

    counts = Counter(why for _, why in index.left_out)
    why = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
    count = len(index.left_out)
    note = _LEFT_OUT.format(count=count, are="is" if count == 1 else "are", why=why) if count else ""
    if not index.entries:
        return _EMPTY.format(where=where) + note
    lines = "\n".join(map(_line, index.entries))
    return f"{_INSTRUCTION}{note}\n{fenced(_LABEL, lines)}"


def _line(entry: Entry) -> str:
    """One line for a reference, whatever is in its cells; the token as it has to be written."""
    from spectastic.text import short

    row = entry.row
    return "  ".join((f"{row.id}@{row.edition}", short(entry.pack), short(row.slug), short(row.title, 200)))


def _as_json(entry: Entry) -> dict[str, object]:
    row = entry.row
    return {"id": row.id, "edition": row.edition, "pack": entry.pack, "slug": row.slug, "title": row.title}
