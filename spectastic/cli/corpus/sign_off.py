"""`spectastic corpus sign-off`: an interview is right, says the expert, and it can be cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import confirm

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus sign-off`."""
    confirm.add_word(parser)
    # It is the expert who signs, not whoever types this: git does not know that name.
    parser.add_argument("--by", metavar="NAME", required=True, help="who signs it off")


def run(options: Namespace) -> int:
    """Lift the guard.

    Raises:
        TroubleError: there is nothing to sign off.
    """
    from spectastic.curate.confirm import SIGN_OFF

    return confirm.lift(options, SIGN_OFF, options.by)
