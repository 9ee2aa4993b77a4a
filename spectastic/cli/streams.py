"""Terminals, pipes and files: everything the command line writes goes through here."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from spectastic.cli.errors import TroubleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TextIO


def prepare() -> None:
    """Let no console fail on a character it lacks: it shows an escape instead."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def speak_utf8() -> None:
    """Let what is written be UTF-8, whatever the console says it understands."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at the stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def columns(stream: TextIO | None) -> int:
    """The width of a terminal, 0 where the stream is none or does not know."""
    if stream is None or not is_terminal(stream):
        return 0
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


def wants_color(choice: str, env: Mapping[str, str], terminal: bool) -> bool:
    """Whether to colour: by flag (`always`, `never`), then by environment, then by terminal."""
    if choice != "auto":
        return choice == "always"
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR"):
        return True
    return terminal and env.get("TERM") != "dumb" and _understands_colors(env)


def _understands_colors(env: Mapping[str, str]) -> bool:
    # The old Windows console prints escape sequences as they stand.
    return os.name != "nt" or "WT_SESSION" in env or "TERM" in env


def write(pieces: Iterable[str]) -> None:
    """Write to stdout. A reader that has gone away (`| head`) is no error.

    Raises:
        TroubleError: stdout cannot be written for another reason.
    """

    def to(stream: TextIO) -> None:
        for piece in pieces:
            stream.write(piece)
        stream.flush()

    _stdout(to)


def write_bytes(pieces: Iterable[bytes]) -> None:
    """Write to stdout exactly these bytes, whatever its encoding. Raises as `write`."""

    def to(stream: TextIO) -> None:
        stream.flush()
        exact = getattr(stream, "buffer", None)
        for piece in pieces:
            if exact is None:
                stream.write(piece.decode("utf-8", "replace"))
            else:
                exact.write(piece)
        (exact or stream).flush()

    _stdout(to)


def _stdout(write_to: Callable[[TextIO], None]) -> None:
    stream = sys.stdout
    if stream is None:
        raise TroubleError("cannot write to standard output: it is closed")
    try:
        write_to(stream)
    except OSError as error:
        _abandon(stream)
        if not _is_broken_pipe(error):
            from spectastic.source import reason

            raise TroubleError(f"cannot write to standard output: {reason(error)}") from error


def emit(stream: TextIO | None, text: str) -> None:
    """Write to a stream whose failure nobody can be told of."""
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        _abandon(stream)


def _is_broken_pipe(error: OSError) -> bool:
    # Windows reports a pipe closed at the other end as an invalid argument.
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == 22)


def _abandon(stream: TextIO) -> None:
    """Send what is still buffered nowhere, or the interpreter complains about it at exit."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def save(path: str, pieces: Iterable[str]) -> None:
    """Write a file as a whole or not at all, in UTF-8; a link is followed, a device written to.

    Raises:
        TroubleError: the file cannot be written.
    """
    from spectastic.source import reason
    from spectastic.write import replace

    try:
        replace(path, (piece.encode("utf-8", "backslashreplace") for piece in pieces))
    except OSError as error:
        raise TroubleError(f"cannot write {path}: {reason(error)}") from error
