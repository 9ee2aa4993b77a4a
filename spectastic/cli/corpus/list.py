"""`spectastic corpus list`: the references of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import OK

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable

    from spectastic.corpus import Corpus
    from spectastic.corpus.catalog import Entry


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus list`."""
    common.add_common(parser)
    parser.add_argument("--pack", metavar="P", help="only the references of this pack")


def run(options: Namespace) -> int:
    """List references: id, current edition, status, and title with label.

    Raises:
        TroubleError: there is no corpus, or the configuration is wrong.
    """
    _, corpus = reading.load(options)
    listed = entries(corpus, options.pack)
    if listed is None:
        return no_pack(corpus, options)
    if options.json:
        reading.write_json(options, {"references": [reading.entry_as_json(entry) for entry in listed]})
    else:
        streams.write(reading.columns(map(_cells, listed), fit=True))
    if not listed and options.pack is not None:
        messages.tell(f"{options.pack} has no reference")
    elif not listed:
        messages.tell(f"{corpus.registry.path} has no row", "`spectastic corpus add` registers a document")
    return OK


def entries(corpus: Corpus, pack: str | None) -> list[Entry] | None:
    """The references of a pack, of all packs where it is `None`; `None` where there is no such pack."""
    from spectastic.corpus.catalog import catalog

    found = list(catalog(corpus))
    if pack is None:
        return found
    if pack not in _packs(corpus, found):
        return None
    return [entry for entry in found if pack in _names(entry)]


def _packs(corpus: Corpus, found: Iterable[Entry]) -> set[str]:
    return {pack.name for pack in corpus.packs}.union(*map(_names, found))


def _names(entry: Entry) -> tuple[str, str]:
    """What the pack of a reference is called: by its folder, and by its row."""
    return entry.pack, entry.row.plugin


def _cells(entry: Entry) -> tuple[str, ...]:
    row = entry.row
    title = row.title if row.label in ("", row.title) else f"{row.title}  ({row.label})"
    return row.id, row.edition, entry.status, title


def no_pack(corpus: Corpus, options: Namespace) -> int:
    """Say that there is no pack of the name that is asked for; the exit code."""
    from spectastic.corpus.catalog import catalog
    from spectastic.text import nearest, short

    packs = _packs(corpus, catalog(corpus))
    near = nearest(options.pack, packs, parts=True)
    known = ", ".join(short(name, 40) for name in sorted(packs) if name)
    hint = f"did you mean {short(near, 40)}?" if near else f"packs: {known or 'none'}"
    return reading.fail(f"there is no pack {short(options.pack)}", hint, options, near)
