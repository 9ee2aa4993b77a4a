"""Commands with subcommands, `spectastic GROUP SUB …`: one module for each, imported when it is run."""

from __future__ import annotations

from spectastic.cli import streams
from spectastic.cli.errors import OK, TroubleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.cli.parser import Command


def run(group: str, commands: Mapping[str, str], page: str, arguments: list[str]) -> int:
    """Run a subcommand and return its exit code.

    `commands` says what each does; its module has its name, with `_` for `-`, in the package of the group.
    That of a keyword of Python ends in `_`.
    `page` is the help of the group, with a place for `{commands}`.

    Raises:
        TroubleError: there is no such subcommand, or it is used wrongly.
    """
    if not arguments or arguments[0] in ("-h", "--help"):
        streams.write([_help(commands, page)])
        return OK
    name, *rest = arguments
    if name not in commands:
        raise _unknown(group, name, commands)
    from spectastic.cli import run_command

    return run_command(f"{group} {name}", commands[name], _command(group, name), rest)


def _command(group: str, name: str) -> Command:
    from importlib import import_module
    from keyword import iskeyword

    module = f"{name}_" if iskeyword(name) else name.replace("-", "_")
    command: Command = import_module(f"spectastic.cli.{group}.{module}")
    return command


def _unknown(group: str, name: str, commands: Mapping[str, str]) -> TroubleError:
    if name.startswith("-"):
        return TroubleError(f"there is no option {name} before the command", "options follow the command")
    from spectastic.text import nearest

    meant = nearest(name, commands, parts=True)
    hint = f"did you mean {group} {meant}?" if meant else f"`spectastic {group} --help` lists the commands"
    return TroubleError(f"'{name}' is no command of {group}", hint)


def _help(commands: Mapping[str, str], page: str) -> str:
    longest = max(map(len, commands))
    lines = (f"  {name:<{longest}}  {summary}" for name, summary in commands.items())
    return page.format(commands="\n".join(lines))
