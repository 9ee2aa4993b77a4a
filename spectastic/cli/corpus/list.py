"""`spectastic corpus list`: the references of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import OK

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

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
    from spectastic.corpus.catalog import catalog

    _, corpus = reading.load(options)
    entries = list(catalog(corpus))
    if options.pack is not None:
        packs = {pack.name for pack in corpus.packs}.union(*map(_packs, entries))
        if options.pack not in packs:
            return _no_pack(packs, options)
        entries = [entry for entry in entries if options.pack in _packs(entry)]
    if options.json:
        reading.write_json(options, {"references": [reading.entry_as_json(entry) for entry in entries]})
    else:
        streams.write(reading.columns(map(_cells, entries), fit=True))
    if not entries and options.pack is not None:
        messages.tell(f"{options.pack} has no reference")
    elif not entries:
        messages.tell(f"{corpus.registry.path} has no row", "`spectastic corpus add` registers a document")
    return OK


def _packs(entry: Entry) -> tuple[str, str]:
    """What the pack of a reference is called: by its folder, and by its row."""
    return entry.pack, entry.row.plugin


def _cells(entry: Entry) -> tuple[str, ...]:
    row = entry.row
    title = row.title if row.label in ("", row.title) else f"{row.title}  ({row.label})"
    return row.id, row.edition, entry.status, title


def _no_pack(packs: set[str], options: Namespace) -> int:
    from spectastic.text import nearest, short

    near = nearest(options.pack, packs, parts=True)
    known = ", ".join(short(name, 40) for name in sorted(packs) if name)
    hint = f"did you mean {short(near, 40)}?" if near else f"packs: {known or 'none'}"
    return reading.fail(f"there is no pack {short(options.pack)}", hint, options, near)
