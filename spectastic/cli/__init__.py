"""The command line: one file per command. A command parses, calls one function, and prints."""

from __future__ import annotations

import os
import sys

from spectastic.cli import messages, streams
from spectastic.cli.errors import INTERRUPTED, OK, TROUBLE, TroubleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from spectastic.cli.parser import Command

_COMMANDS = {
    "validate": "check that every citation leads to committed text",
    "init": "set up a corpus, a configuration and the checks of a repository",
    "corpus": "write the corpus, change it, search it: `spectastic corpus --help`",
    "ground": "narrow the options of a decision by curated tables: `spectastic ground --help`",
    "retrieve": "find what was decided, learned and fixed before a spec is written",
    "taxonomy": "look over the values that prior art is filed under, and rename twins",
    "new": "begin a spec, a lesson or a bug: its number, its text, and what it is built on",
    "cite": "say at the end of a line which documents it is informed by",
    "explore": "make a page of the corpus: search it, resolve citations, see what cites what",
    "render": "make pages of specs, with a badge on every decision",
    "badge": "draw how many decisions are grounded, as an SVG for a README",
    "explain": "list the rules, or print the page of one",
    "config": "print the settings in force, and where each came from",
}

_HELP = """\
usage: spectastic COMMAND [OPTION…]
       spectastic --help | --version

Prove that every citation in your specs leads to committed text at exactly that edition.

commands:
{commands}

`spectastic COMMAND --help` shows the options of a command.
Exit codes: 0 nothing that fails the run, 1 findings, 2 wrong usage, configuration or internal error.
"""


def run() -> NoReturn:
    """The console script: `main`, without what a short-lived process can do without.

    On a small check the collector finds nothing to collect, and taking the interpreter apart costs
    a sixth of the whole; there is nothing that it would still have to do.
    """
    import gc

    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            # Nobody may be reading any more, or the stream may never have been there.
            continue
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (default: that of the process) and return its exit code."""
    streams.prepare()
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except TroubleError as error:
        messages.tell_trouble(error)
        return TROUBLE
    except KeyboardInterrupt:
        messages.tell("interrupted")
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("SPECTASTIC_DEBUG"):
            raise
        messages.tell_bug(error)
        return TROUBLE


def _run(arguments: list[str]) -> int:
    if not arguments:
        streams.emit(sys.stderr, _help())
        return TROUBLE
    name, *rest = arguments
    if name in ("-h", "--help"):
        streams.write([_help()])
        return OK
    if name in ("-V", "--version"):
        from spectastic import __version__

        streams.write([f"spectastic {__version__}\n"])
        return OK
    if name not in _COMMANDS:
        raise _unknown(name)
    if name == "corpus":
        from spectastic.cli import corpus

        return corpus.run(rest)
    if name == "ground":
        from spectastic.cli import ground

        return ground.run(rest)
    return run_command(name, _COMMANDS[name], _command(name), rest)


def run_command(name: str, summary: str, command: Command, arguments: list[str]) -> int:
    """Run a command, whose words are `name`, and return its exit code."""
    # The parser of one command is all that a run builds.
    from spectastic.cli.parser import Parser

    parser = Parser(name, summary)
    parser.set_defaults(command=name)
    command.configure(parser)
    try:
        options = parser.parse(arguments)
    except SystemExit:  # argparse, having shown the help
        return OK
    return command.run(options)


def _command(name: str) -> Command:
    if name == "validate":
        from spectastic.cli import validate

        return validate
    if name == "init":
        from spectastic.cli import init

        return init
    if name == "retrieve":
        from spectastic.cli import retrieve

        return retrieve
    if name == "taxonomy":
        from spectastic.cli import taxonomy

        return taxonomy
    if name in ("new", "cite"):
        from spectastic.cli import cite, new

        return new if name == "new" else cite
    if name in ("explore", "render", "badge"):
        from spectastic.cli import badge, explore, render

        return {"explore": explore, "render": render, "badge": badge}[name]
    if name == "explain":
        from spectastic.cli import explain

        return explain
    from spectastic.cli import config

    return config


def _unknown(name: str) -> TroubleError:
    from spectastic.text import nearest

    if name.startswith("-"):
        meant = nearest(name, ("--help", "--version"))
        hint = f"did you mean {meant}?" if meant else "options follow the command"
        return TroubleError(f"there is no option {name} before the command", hint)
    if os.path.exists(name):
        return TroubleError(f"'{name}' is no command", f"to check it: spectastic validate {name}")
    from spectastic.cli import corpus, ground

    for group, commands in (("corpus", corpus.COMMANDS), ("ground", ground.COMMANDS)):
        if name in commands:
            return TroubleError(f"'{name}' is no command", f"did you mean {group} {name}?")
    meant = nearest(name, _COMMANDS, parts=True)
    hint = f"did you mean {meant}?" if meant else f"commands: {', '.join(_COMMANDS)}"
    return TroubleError(f"'{name}' is no command", hint)


def _help() -> str:
    lines = (f"  {name:<10} {summary}" for name, summary in _COMMANDS.items())
    return _HELP.format(commands="\n".join(lines))
