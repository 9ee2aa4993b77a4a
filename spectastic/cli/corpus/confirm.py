"""`spectastic corpus confirm`: a source is what it claims to be, and can be cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.confirm import Guard
    from spectastic.curate.plan import Plan
    from spectastic.curate.workspace import Workspace


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus confirm`."""
    add_word(parser)
    parser.add_argument("--by", metavar="NAME", help="who confirms it (default: git's user.name)")


def add_word(parser: ArgumentParser) -> None:
    """The references, and when somebody answered for them."""
    parser.add_argument("ids", nargs="*", metavar="KB-NNNN", help="the reference, at its current edition")
    parser.add_argument("--pack", metavar="P", help="all references of this pack that wait for this word")
    parser.add_argument("--on", metavar="DATE", default="", help="when (default: today, in UTC): 2024-05-28")
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Lift the guard.

    Raises:
        TroubleError: it is not known who confirms, or there is nothing to confirm.
    """
    from spectastic.curate.confirm import CONFIRM

    by = options.by
    if by is None:
        by = _user(common.settings(options).root)
        if not by:
            raise TroubleError("it is not known who confirms: git has no user.name", "add --by NAME")
    return lift(options, CONFIRM, by)


def lift(options: Namespace, guard: Guard, by: str) -> int:
    """Lift a guard in somebody's name. Raises `TroubleError`."""
    from datetime import UTC, datetime

    from spectastic.curate.confirm import Word, plan_lift, waiting

    word = Word(by, options.on, datetime.now(UTC).date().isoformat())
    if bool(options.ids) == (options.pack is not None):
        raise TroubleError("name references, or a pack, and not both", "KB-0001 KB-0002, or --pack P")

    def plan(workspace: Workspace) -> Plan:
        tokens = options.ids or waiting(workspace, options.pack, guard)
        return plan_lift(workspace, tokens, guard, word)

    return common.finish(plan, options)


def _user(root: str) -> str:
    """The name that git signs commits with, "" where it has none."""
    from spectastic.git import GitError, user

    try:
        return user(root)
    except GitError:
        return ""
