"""`spectastic corpus migrate`: give the documents of a single-layer pack rows in the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus migrate`."""
    parser.usage = f"{parser.prog} PACK|--all [OPTION…]"
    parser.add_argument("pack", nargs="?", metavar="PACK", help="the folder of the pack")
    parser.add_argument("--all", action="store_true", help="migrate every pack of an older kind")
    parser.add_argument(
        "--marketplace", metavar="NAME", help="where the pack is published (default: as the registry has it)"
    )
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Migrate the pack.

    Raises:
        TroubleError: no pack is named, or it cannot be migrated.
    """
    from spectastic.curate.migrating.migrate import plan_migrate

    if options.all == bool(options.pack):
        raise TroubleError("name one pack, or all of them", "spectastic corpus migrate PACK, or --all")
    pack, marketplace = options.pack or "", options.marketplace or ""
    return common.finish(lambda workspace: plan_migrate(workspace, pack, marketplace), options)
