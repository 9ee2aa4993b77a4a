"""`spectastic corpus supersede`: put a new edition in the place of a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common, reading
from spectastic.report.view import amount
from spectastic.text import inert

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator, Mapping

    from spectastic.curate.plan import Plan
    from spectastic.curate.supersede import Uses
    from spectastic.curate.workspace import Workspace
    from spectastic.engine.citing import Pair


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus supersede`."""
    parser.usage = f"{parser.prog} KB-NNNN --edition E --from FILE [OPTION…]"
    parser.add_argument("id", metavar="KB-NNNN", help="the reference")
    parser.add_argument(
        "--edition", required=True, metavar="EDITION", help="the new edition, in practice a date: 2024-05-28"
    )
    parser.add_argument(
        "--from",
        required=True,
        dest="file",
        metavar="FILE",
        help="a Markdown file with the new text; what its frontmatter does not say is taken over",
    )
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Supersede the current edition, and list the decisions that are stale now.

    Raises:
        TroubleError: it cannot be superseded like this.
    """
    from spectastic.curate.supersede import Request, plan_supersede, uses

    settings = common.settings(options)
    data = common.text_file(options.file)
    place = common.place(settings.root, options.file)
    wanted = Request(options.id, options.edition, options.file, data, place)

    def plan(workspace: Workspace) -> Plan:
        planned = plan_supersede(workspace, wanted)
        old = planned.result["superseded"]
        superseded = {} if old is None else {str(planned.result["id"]): str(old)}
        return _with_uses(planned, uses(settings, workspace, planned.changes, superseded), superseded)

    return common.finish(plan, options)


def _with_uses(plan: Plan, found: Uses, superseded: Mapping[str, str]) -> Plan:
    """The plan, with what it does to specs."""
    notes = stale_notes(found, superseded) if plan.changes else ()
    return plan._replace(result={**plan.result, **uses_as_json(found)}, notes=(*plan.notes, *notes))


def uses_as_json(found: Uses) -> dict[str, object]:
    """What a change does to specs, as programs are told of it."""
    stale = [reading.use_as_json(*pair) for pair in found.stale]
    return {"stale": stale, "bare": [reading.use_as_json(*pair) for pair in found.bare]}


def stale_notes(found: Uses, superseded: Mapping[str, str]) -> Iterator[str]:
    """What a change does to specs, for people. `superseded` has the old editions by id."""
    several = len(superseded) > 1
    old = "superseded editions" if several else inert("@".join(next(iter(superseded.items()))))
    if found.stale:
        yield f"turned stale by this, {amount(len(found.stale), 'citation')} of {old}:"
        yield from _lines(found.stale)
    else:
        yield f"nothing cites {old}, so nothing turned stale"
    if found.bare:
        count = amount(len(found.bare), "citation")
        yield f"moved on to the new edition{'s' * several} without notice, {count} without one:"
        yield from _lines(found.bare)
    if found.unread:
        named = ", ".join(inert(item.path) for item in found.unread)
        yield f"specs that cannot be read are left out: {named}"


def _lines(found: Iterable[Pair]) -> Iterator[str]:
    rows = (
        (f"{decision.path}:{use.line}:{use.column}", reading.named(decision), use.text, decision.state.value)
        for decision, use in found
    )
    yield from (line.rstrip("\n") for line in reading.columns(rows, "  "))
