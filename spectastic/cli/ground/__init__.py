"""`spectastic ground SUB …`: one module for each subcommand, imported when it is run."""

from __future__ import annotations

from spectastic.cli import group, streams
from spectastic.cli.errors import TroubleError

#: What each subcommand does. Its module has its name.
COMMANDS = {
    "search": "find the rows of a table that answer a query",
    "ground": "find what a decision should choose from: category, rules, and rows of the planned tables",
    "validate": "check a manifest, and with --check-data the tables behind it",
    "init": "write a manifest for CSV files, with columns guessed from the data",
}

_HELP = """\
usage: spectastic ground COMMAND [OPTION…]

Narrow the options of a decision by curated tables, before it is made.

commands:
{commands}

`spectastic ground COMMAND --help` shows the options of a command.
"""


def run(arguments: list[str]) -> int:
    """Run a subcommand and return its exit code. Raises as `group.run`.

    With `--json`, wrong usage is told on stdout as well: nobody knows yet what else is asked for.
    """
    streams.speak_utf8()
    try:
        return group.run("ground", COMMANDS, _HELP, arguments)
    except TroubleError as error:
        if "--json" in arguments[: [*arguments, "--"].index("--")]:
            from spectastic.cli.ground import common

            common.write_error(str(error))
        raise
