"""`spectastic corpus publish`: list packs in `marketplace.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus publish`."""
    parser.add_argument(
        "--pack",
        action="append",
        default=[],
        metavar="P",
        help="a pack; may be given again (default: all that the registry says are ours)",
    )
    parser.add_argument(
        "--name", default="", metavar="M", help="the marketplace (default: as the rows have it)"
    )
    parser.add_argument("--owner", default="", metavar="WHO", help="who answers for the packs")
    parser.add_argument("--prune", action="store_true", help="drop the entries of packs that are gone")
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """List the packs.

    Raises:
        TroubleError: they cannot be published like this.
    """
    from spectastic.curate.publishing.publish import Request, plan_publish

    wanted = Request(options.pack, options.name, options.owner, options.prune)
    return common.finish(lambda workspace: plan_publish(workspace, wanted), options)
