"""`spectastic corpus uri`: the address of a reference that is the same in every repository, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import OK, TroubleError
from spectastic.corpus import uri
from spectastic.spec.citation import parse
from spectastic.text import inert, short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.corpus import Corpus

#: How many other rows are named that have the same address.
_NAMED = 5


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus uri`."""
    common.add_common(parser)
    parser.add_argument("token", metavar="KB-NNNN[@EDITION]|URI", help="a reference, or such an address")


def run(options: Namespace) -> int:
    """Print the address of a reference, or the citation that an address means here.

    Raises:
        TroubleError: it is neither, there is no corpus, or the configuration is wrong.
    """
    _, corpus = reading.load(options)
    if "://" in options.token and parse(options.token) is None:
        return _back(options, corpus)
    answer, found = reading.find(options.token, corpus)
    edition = None if answer.citation is None else answer.citation.edition
    if found.row is None or not (answer.found or edition is None):
        return reading.missing(answer, corpus, options)
    coordinate = uri.of_row(found.row, edition)
    if coordinate is None:
        message = f"{found.id} has no address: its row names no marketplace, no plugin or no slug"
        hint = f"complete its row in {found.row.file}"
        if found.row.file != corpus.registry.path:
            from spectastic.curate.refusals import migration

            hint = f"{migration(found.row)} gives it a row in {corpus.registry.path}"
        return reading.fail(message, hint, options)
    return _print(coordinate, found.id, options, uri.compose(coordinate))


def _back(options: Namespace, corpus: Corpus) -> int:
    """Print the citation that an address means here."""
    coordinate = uri.parse(options.token)
    said = short(options.token)
    if isinstance(coordinate, uri.NoCoordinate):
        raise TroubleError(f"{said} is no address of a reference: {coordinate.reason}", uri.SHAPE)
    rows = uri.find(coordinate, corpus.rows.values())
    if isinstance(rows, uri.Elsewhere):
        near = f"did you mean {short(rows.near)}?" if rows.near else ""
        hint = near or "import the pack, or look in another repository"
        return reading.fail(f"{said} leads to nothing here: {rows.reason}", hint, options, rows.near)
    row, *others = rows
    if others:
        named = ", ".join(other.id for other in others[:_NAMED])
        messages.tell(f"this is the address of {named} too; the first row counts")
    token = row.id if coordinate.edition is None else f"{row.id}@{coordinate.edition}"
    answer, _ = reading.find(token, corpus)
    if not answer.found:
        return reading.missing(answer, corpus, options)
    return _print(coordinate, row.id, options, token)


def _print(coordinate: uri.Coordinate, identifier: str, options: Namespace, line: str) -> int:
    edition = coordinate.edition
    if options.json:
        citation = identifier if edition is None else f"{identifier}@{edition}"
        head = {"uri": uri.compose(coordinate), "citation": citation, "id": identifier}
        reading.write_json(options, {**head, **coordinate._asdict()})
    else:
        streams.write([inert(line) + "\n"])
    return OK
