"""Other people's programs, run within bounds: of time, of what they print, and never through a shell."""

from __future__ import annotations

import os
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from subprocess import Popen
    from threading import Event, Thread

#: How much of what a program complains about is kept: its end.
_COMPLAINT = 20_000
_PIECE = 1 << 16
#: How long what a program has left behind may go on printing for it, in seconds: its `tee`.
_LINGER = 0.5
#: How long the pipes of a program that has ended are waited for altogether, in seconds.
_GRACE = 2.0


class Kind(Enum):
    """What became of a program that gave nothing: it could not be run, took too long or printed too much."""

    NOT_RUN = "not run"
    LATE = "late"
    TOO_MUCH = "too much"


class ProgramError(Exception):
    """A program cannot be run, or left its bounds; `kind` says which, `message` as a clause about it."""

    def __init__(self, message: str, kind: Kind) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


class Done(NamedTuple):
    """What came of a program: its exit code (negative: the signal that ended it) and what it printed."""

    code: int
    output: bytes
    complaint: bytes


def locate(name: str) -> str:
    """The absolute path of a program: a path as it is given, or a name on the PATH. "" where there is none.

    The current folder is not looked in for a name, whatever the PATH says: it may be anybody's.
    """
    import shutil

    folders = os.pathsep.join(filter(os.path.isabs, os.get_exec_path()))
    found = shutil.which(name, path=folders) or ""
    named = os.path.dirname(name) != ""
    return os.path.abspath(found) if found and (named or os.path.isabs(found)) else ""


def run(
    command: Sequence[str], *, seconds: float, most: int, environment: Mapping[str, str] | None = None
) -> Done:
    """Run a program for at most so many seconds, and read at most `most` bytes of its output.

    It is given nothing to read, and has ended when it has, whatever goes on in the background: that is
    ended too, as is every process that it has started where it leaves its bounds (on Windows, it alone),
    unless one has made itself a session of its own. Raises `ProgramError`.
    """
    import subprocess
    from threading import Event, Thread
    from time import monotonic

    output, complaint = _Pipe(most, keep_end=False), _Pipe(_COMPLAINT, keep_end=True)
    try:
        process = subprocess.Popen(  # noqa: S603 - a list of words, and no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=output.writing,
            stderr=complaint.writing,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        output.abandon()
        complaint.abandon()
        why = getattr(error, "strerror", None) or str(error)
        raise ProgramError(f"cannot be run: {why.lower()}", Kind.NOT_RUN) from error
    finally:
        os.close(output.writing)
        os.close(complaint.writing)
    news, ended = Event(), Event()
    readers = [Thread(target=pipe.read, args=(news,), daemon=True) for pipe in (output, complaint)]
    in_time = False
    try:
        for thread in (*readers, Thread(target=_watch, args=(process, ended, news), daemon=True)):
            thread.start()
        in_time = _wait(ended, (output, complaint), news, seconds)
    finally:
        last = monotonic() + _GRACE
        if in_time:
            _join(readers, monotonic() + _LINGER)
        _end(process)
        _join(readers, last)
    if output.overflown:
        raise ProgramError(f"printed more than {most:,} bytes", Kind.TOO_MUCH)
    if not in_time:
        raise ProgramError(f"was not done after {seconds:g} seconds", Kind.LATE)
    return Done(process.returncode, bytes(output.data), bytes(complaint.data))


class _Pipe:
    """A pipe that a program writes to, and what has come through it."""

    __slots__ = ("data", "keep_end", "most", "overflown", "reading", "writing")

    def __init__(self, most: int, *, keep_end: bool) -> None:
        self.reading, self.writing = os.pipe()
        self.most = most
        self.keep_end = keep_end
        self.data = bytearray()
        self.overflown = False

    def read(self, news: Event) -> None:
        """Read until the pipe is closed or overflows, and say so."""
        while not self.overflown and (piece := os.read(self.reading, _PIECE)):
            self.data += piece
            if self.keep_end:
                del self.data[: -self.most]
            else:
                self.overflown = len(self.data) > self.most
        os.close(self.reading)
        news.set()

    def abandon(self) -> None:
        """Close the reading end of a pipe that nobody will write to."""
        os.close(self.reading)


def _watch(process: Popen[bytes], ended: Event, news: Event) -> None:
    """Say when a program has ended. It is not reaped, so that its number is not somebody else's yet."""
    with suppress(OSError):
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        else:
            process.wait()
    ended.set()
    news.set()


def _wait(ended: Event, pipes: tuple[_Pipe, _Pipe], news: Event, seconds: float) -> bool:
    """Whether a program came to its end in time, and within its bounds."""
    from time import monotonic

    end = monotonic() + seconds
    while not ended.is_set():
        if not news.wait(max(0.0, end - monotonic())):
            return False
        news.clear()
        if any(pipe.overflown for pipe in pipes):
            return False
    return True


def _join(threads: Sequence[Thread], end: float) -> None:
    """Wait for threads, all together until `end` by the monotonic clock."""
    from time import monotonic

    for thread in threads:
        thread.join(max(0.0, end - monotonic()))


def _end(process: Popen[bytes]) -> None:
    """End a program, and what it has started."""
    with suppress(OSError):
        if os.name == "nt":
            process.kill()
        else:
            from signal import SIGKILL

            os.killpg(process.pid, SIGKILL)
    process.wait()
