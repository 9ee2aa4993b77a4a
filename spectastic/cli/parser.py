"""argparse, set up so that it starts fast and its errors are ours."""

from __future__ import annotations

import argparse
import os
import re
import sys

from spectastic.cli import streams
from spectastic.cli.errors import TroubleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, Protocol

    class Command(Protocol):
        """A module of this package: its options, and the function that does it and returns an exit code."""

        def configure(self, parser: Parser, /) -> None:
            """Add the options to a parser."""

        def run(self, options: argparse.Namespace, /) -> int:
            """Do it; raises `TroubleError`."""


#: Numbers of an option are not larger, where it says nothing else.
_MOST = 999_999_999
#: A longer value is shortened in a message, in characters.
_SHOWN = 100
_CHOICE = r"invalid choice: '(?P<given>.*)' \(choose from (?P<known>.*)\)"


class Parser(argparse.ArgumentParser):
    """The parser of one command; raises `TroubleError` where argparse would print and exit.

    `words` is what to do about words that are no options and have no place, "" for nothing in particular.
    """

    words = ""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(
            prog=f"spectastic {name}", description=description, formatter_class=_help, allow_abbrev=False
        )

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """The options; raises `TroubleError` for wrong ones, and `SystemExit` once the help is shown."""
        options = self.parse_args(arguments)
        for word in arguments[: arguments.index("--") if "--" in arguments else None]:
            # Python before 3.13 takes this for an option without a value, and gives an empty list.
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"argument {word[:-3]}: -- is no value")
        return options

    def print_help(self, file: object = None) -> None:  # noqa: ARG002 - argparse's signature
        """Print the help to stdout."""
        streams.write([self.format_help()])

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and which option was meant."""
        hint = f"`{self.prog} --help` shows what it takes"
        if message.startswith("unrecognized arguments: "):
            hint = self._meant(message.split(": ", 1)[1]) or hint
        elif choice := re.search(_CHOICE, message):
            hint = _near(choice["given"], choice["known"]) or hint
        raise TroubleError(message, hint)

    def _meant(self, words: str) -> str:
        from spectastic.text import nearest

        word = words.split()[0].partition("=")[0]
        if not word.startswith("-"):
            return self.words
        option = nearest(word, self._option_string_actions, parts=True)
        return f"did you mean {option}?" if option else ""


def whole_number(text: str, wrong: str, least: int = 1, most: int = _MOST) -> int:
    """The whole number in an option: digits of ASCII alone, with no sign, blank or `_`.

    Python's own reading takes `1_0`, ` 5` and `٥` for numbers. `wrong` goes on after the text that is none.

    Raises:
        ArgumentTypeError: it is no number, or not one from `least` to `most`.
    """
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(_MOST))
    if not (digits and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"'{quoted(text)}' {wrong}")
    return int(text)


def quoted(text: str) -> str:
    """What somebody typed, blanks and all, unless it is so long that it would hide what is said of it."""
    from spectastic.text import short

    return text if len(text) <= _SHOWN else short(text, _SHOWN)


def _near(given: str, known: str) -> str:
    from spectastic.text import nearest

    meant = nearest(given, known.replace("'", "").split(", "), parts=True)
    return f"did you mean {meant}?" if meant else ""


def _help(prog: str) -> argparse.HelpFormatter:
    # Asked for the width, argparse imports half of the standard library to find it.
    return argparse.HelpFormatter(prog, max_help_position=34, width=_width())


def _width() -> int:
    asked = os.environ.get("COLUMNS", "")
    columns = int(asked) if asked.isascii() and asked.isdigit() else streams.columns(sys.stdout) or 80
    return min(columns, 110) - 2
