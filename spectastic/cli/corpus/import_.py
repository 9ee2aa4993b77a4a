"""`spectastic corpus import`: take over a pack that somebody else publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from spectastic.cli.corpus import common
from spectastic.cli.corpus.supersede import stale_notes, uses_as_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.plan import Plan
    from spectastic.curate.workspace import Workspace


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus import`."""
    parser.usage = f"{parser.prog} PATH [--pack P]… [OPTION…]"
    parser.add_argument(
        "source",
        metavar="PATH",
        help="a repository with knowledge/, a folder with marketplace.json, or a pack with SKILL.md",
    )
    parser.add_argument(
        "--pack", action="append", default=[], metavar="P", help="a pack of it; may be given again"
    )
    parser.add_argument("--all", action="store_true", help="all packs that it publishes")
    parser.add_argument(
        "--marketplace",
        default="",
        metavar="M",
        help="where the pack is published, if the source does not say",
    )
    parser.add_argument(
        "--as", default="", dest="folder", metavar="NAME", help="what the pack is called here"
    )
    parser.add_argument(
        "--rehash", action="store_true", help="take texts whose declared hash is that of another one"
    )
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Import packs, and list the decisions that are stale now.

    Raises:
        TroubleError: they cannot be imported.
    """
    from spectastic.curate.importing.imports import Request, plan_import
    from spectastic.curate.supersede import uses

    settings = common.settings(options)
    wanted = Request(
        options.source, options.pack, options.all, options.marketplace, options.folder, options.rehash
    )

    def plan(workspace: Workspace) -> Plan:
        planned = plan_import(workspace, wanted)
        superseded = _superseded(planned)
        found = uses(settings, workspace, planned.changes, superseded)
        notes = stale_notes(found, superseded) if superseded else ()
        result = {**planned.result, **uses_as_json(found)}
        return planned._replace(result=result, notes=(*planned.notes, *notes))

    return common.finish(plan, options)


def _superseded(plan: Plan) -> dict[str, str]:
    """The editions that are superseded, by id."""
    packs = cast("list[dict[str, Any]]", plan.result["packs"])
    items = (item for pack in packs for item in pack["references"])
    return {item["id"]: item["superseded"] for item in items if item["superseded"]}
