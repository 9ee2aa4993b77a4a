"""`spectastic explain`: list the rules, or print the page of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.errors import OK, TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator


def configure(parser: ArgumentParser) -> None:
    """The options of `explain`."""
    parser.add_argument("rule", nargs="?", metavar="RULE", help="the rule to explain (default: list all)")


def run(options: Namespace) -> int:
    """Print a rule's page, or one line for each rule.

    Raises:
        TroubleError: there is no such rule.
    """
    streams.write(_list() if options.rule is None else [_page(options.rule)])
    return OK


def _list() -> Iterator[str]:
    from spectastic.rules import RULES

    longest = max(map(len, RULES))
    for rule in RULES.values():
        yield f"{rule.id:<{longest}}  {rule.severity.label:<7}  {rule.summary}\n"


def _page(name: str) -> str:
    from spectastic import rules
    from spectastic.text import nearest

    if name not in rules.RULES:
        meant = nearest(name, rules.RULES, parts=True)
        hint = f"did you mean {meant}?" if meant else "`spectastic explain` lists the rules"
        raise TroubleError(f"there is no rule '{name}'", hint)
    rule = rules.RULES[name]
    return f"{rule.id} ({rule.severity.label})\n\n{rules.page(name).strip()}\n"
