"""`spectastic corpus hash`: compute, check or write content hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import common
from spectastic.cli.errors import FINDINGS, OK, TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Sequence

    from spectastic.curate.hashes import Hashed


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus hash`."""
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="KB-0001 or KB-0001@EDITION (default: all documents)"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="exit with 1 where a hash is wrong or missing")
    what.add_argument("--write", action="store_true", help="write the hashes that are wrong or missing")
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Show, check or write the hashes.

    Raises:
        TroubleError: an id leads to no document, or a document cannot be written.
    """
    from spectastic.curate.hashes import State, hashes, plan_hashes

    if options.write:
        plan = common.carry_out(lambda workspace: plan_hashes(workspace, options.ids), options)
        return FINDINGS if plan.result["left"] else OK
    if options.dry_run:
        raise TroubleError("--dry-run shows what would be written, and nothing is", "add --write")
    with common.refusals():
        found = hashes(common.workspace(options), options.ids)
    streams.write([_document(found)] if options.json else _lines(found))
    wrong = any(item.state is not State.RIGHT for item in found)
    return FINDINGS if options.check and wrong else OK


def _lines(found: Sequence[Hashed]) -> Iterator[str]:
    """A line for each document, and a sum."""
    from collections import Counter

    from spectastic.text import printable

    for item in found:
        about = "" if not item.why else f"  {item.why}"
        yield (
            printable(
                f"{item.state.value:<10}  {item.id or '-':<8}  {item.digest or '-'}  {item.path}{about}"
            )
            + "\n"
        )
    counts = Counter(item.state.value for item in found)
    yield ", ".join(f"{counts[state]} {state}" for state in counts) + "\n" if found else "no document\n"


def _document(found: Sequence[Hashed]) -> str:
    from json import dumps

    from spectastic.curate.hashes import as_json

    document = {"version": 1, "command": "corpus hash", "documents": [as_json(item) for item in found]}
    return dumps(document, indent=2) + "\n"
