"""`spectastic corpus interview`: what an expert has answered becomes a reference."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import common, taking
from spectastic.cli.errors import TroubleError
from spectastic.source import MAX_BYTES, Source, reason
from spectastic.text import printable, short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_STDIN = "standard input"
_END = "."


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus interview`."""
    parser.usage = f"{parser.prog} ROLE --pack P --slug S --edition E --license L [--from FILE|-] [OPTION…]"
    parser.add_argument("role", metavar="ROLE", help="whose answer it is: 'head of settlement'")
    group = parser.add_argument_group("what was said")
    group.add_argument(
        "--from", dest="file", metavar="FILE", help="a Markdown file with the answer, - for standard input"
    )
    group.add_argument(
        "--question", metavar="TEXT", help="what was asked: the heading above the answer, and the title"
    )
    group.add_argument("--by", default="", metavar="NAME", help="the name of who answered")
    taking.add_fields(parser, "converter", "status", "origin")
    common.add_writing(parser)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Register the answer.

    Raises:
        TroubleError: there is no answer, or it cannot be registered.
    """
    from spectastic.curate.doors import interviewed

    with common.refusals():
        door = interviewed(options.role, options.by)
    if options.file is None and not common.asks(options):
        raise TroubleError(
            "nobody is here to be asked for the answer",
            "name its file: --from FILE, or --from - for a pipe",
        )
    question = options.question
    if options.file is None and not question and not options.title:
        question = common.ask("question (what was asked; it becomes the title)")
    heading = _heading(question or "")
    if options.file is None:
        text = taking.Text(_STDIN, _typed(), heading, local=False)
    elif options.file == "-":
        text = taking.Text(_STDIN, _piped(), heading, local=False)
    else:
        text = taking.Text(options.file, common.text_file(options.file), heading)
    return taking.register(options, text, door)


def _heading(question: str) -> str:
    """A question as one line of Markdown."""
    line = " ".join(question.split())
    if printable(line) != line:
        raise TroubleError(
            f"the question has characters in it that cannot be seen: {short(ascii(line))}", "type it anew"
        )
    return line


def _typed() -> bytes:
    """The answer, line by line as somebody types it."""
    streams.emit(sys.stderr, f"answer (end it with a line that holds {_END} alone):\n")
    lines: list[str] = []
    while (line := sys.stdin.readline()) and line.strip("\r\n") != _END:
        lines.append(line)
    return _checked("".join(lines).encode("utf-8", "surrogateescape"))


def _piped() -> bytes:
    """The answer on standard input."""
    if sys.stdin is None:
        raise TroubleError("standard input is closed", "name a file: --from FILE")
    try:
        return _checked(sys.stdin.buffer.read(MAX_BYTES + 1))
    except OSError as error:
        raise TroubleError(f"cannot read standard input: {reason(error)}") from error


def _checked(data: bytes) -> bytes:
    """A text that may be registered. Raises `TroubleError`."""
    if len(data) > MAX_BYTES:
        raise TroubleError(f"the answer is too large: more than {MAX_BYTES:,} bytes")
    common.refuse_no_text(_STDIN, Source(_STDIN, data))
    return data
