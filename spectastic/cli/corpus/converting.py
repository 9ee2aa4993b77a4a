"""What `corpus convert` and `corpus source` share: how a document is made into Markdown."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from contextlib import contextmanager
from typing import TYPE_CHECKING

from spectastic.cli import named
from spectastic.cli.errors import TroubleError
from spectastic.cli.parser import quoted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from spectastic.convert import Converter

_LONGEST = 86_400


def add_options(parser: ArgumentParser, what: str) -> None:
    """How to convert, and for how long; `what` names what may take that long."""
    group = parser.add_argument_group("how it becomes Markdown")
    group.add_argument(
        "--converter",
        metavar="CMD",
        help="run this program on the document, not MarkItDown: {} or the last word is the file, what it "
        "prints is the Markdown",
    )
    group.add_argument(
        "--timeout", type=seconds, default=60.0, metavar="SECONDS", help=f"{what} (default: 60)"
    )


def seconds(text: str) -> float:
    """A number of seconds in an option: ASCII digits, perhaps a fraction; raises `ArgumentTypeError`."""
    found = float(text) if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", text) else 0.0
    if not 0 < found <= _LONGEST:
        raise ArgumentTypeError(f"'{quoted(text)}' is no number of seconds from 0 to {_LONGEST:,}")
    return found


@contextmanager
def troubles(file: str = "") -> Iterator[None]:
    """Turns what stands in the way of a text into `TroubleError`, about this file."""
    from spectastic.convert import ConvertError
    from spectastic.fetch import FetchError

    try:
        yield
    except (ConvertError, FetchError) as error:
        raise TroubleError(f"{file}: {error.message}" if file else error.message, error.hint) from error


def converter(options: Namespace) -> Converter:
    """The converter that the options name. Raises `TroubleError` where it is not there."""
    from spectastic import convert

    with troubles():
        return convert.markitdown() if options.converter is None else convert.program(options.converter)


def document(path: str) -> bytes:
    """What a document holds that was named on the command line. Raises `TroubleError`."""
    from spectastic.convert import MOST

    return named.data(path, MOST)


def text(file: str, data: bytes, used: Converter, options: Namespace) -> bytes:
    """The Markdown of a document. Raises `TroubleError`."""
    from spectastic.convert import convert

    with troubles(file):
        return convert(file, data, used, options.timeout)
