"""`spectastic init`: set up a corpus, a configuration and the checks of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.plan import Plan
    from spectastic.curate.workspace import Workspace


def configure(parser: ArgumentParser) -> None:
    """The options of `init`."""
    parser.add_argument(
        "--marketplace", metavar="NAME", default="", help="where the packs are published (default: example)"
    )
    parser.add_argument("--no-example", action="store_true", help="begin with an empty registry")
    parser.add_argument(
        "--dry-run", action="store_true", help="show the changes as a patch, and write nothing"
    )
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Write what is missing.

    Raises:
        TroubleError: something is in the way, or cannot be written.
    """
    from spectastic.curate.init import plan_init

    def plan(workspace: Workspace) -> Plan:
        return plan_init(workspace, options.marketplace, example=not options.no_example)

    return common.finish(plan, options)
