"""What goes to stderr: notices and errors, one or two lines each."""

from __future__ import annotations

import sys

from spectastic.cli import streams
from spectastic.text import inert, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from spectastic.cli.errors import TroubleError

_LONGEST = 500


def tell(*lines: str) -> None:
    """Write lines to stderr, each led by the program's name; without stderr, nothing."""
    text = "".join(f"spectastic: {inert(line)}\n" for line in lines if line)
    streams.emit(sys.stderr, text)


def tell_trouble(error: TroubleError) -> None:
    """An error the user can correct: what is wrong, and what to do."""
    tell(_quoted(f"error: {error}"), _quoted(error.hint))


def tell_bug(error: Exception) -> None:
    """An error that is ours."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    tell(
        _quoted(f"error: {what}"),
        "this is a bug in spectastic; SPECTASTIC_DEBUG=1 shows the traceback to report",
    )


def _quoted(line: str) -> str:
    """A line that quotes what somebody typed, however long that was."""
    return short(inert(line), _LONGEST)
