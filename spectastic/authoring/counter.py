"""The last number that was given, for each kind, where all work trees of a repository see it.

It is in git's own folder, which they share; outside of git, in the prior-art folder. Who holds the lock is
the only one that gives numbers. A counter only grows, and one that says nothing is an error: begun anew, it
would give numbers again that were given to documents on other branches.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from spectastic import write
from spectastic.authoring.model import LAST, PREFIXES, AuthoringError
from spectastic.source import READING, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.retrieval.model import Kind

HOME = "spectastic"
LOCK = "ids.lock"
#: How long to wait for others that are giving numbers, in seconds.
TIMEOUT = 30.0

_VALUE = re.compile(rb"[0-9]{1,6}(?:\r?\n)?")
_LITTER = re.compile(r"\.(?:req|lesson|bug|\.gitignore)\.[0-9a-f]{16}\.tmp")


class Place(NamedTuple):
    """The folder of the counters, absolute and as people are told of it; `hidden`: git must not see it."""

    folder: str
    shown: str
    hidden: bool

    def file(self, kind: Kind) -> str:
        """The counter of a kind."""
        return os.path.join(self.folder, PREFIXES[kind].lower())

    def name(self, kind: Kind) -> str:
        """The counter of a kind, as people are told of it."""
        return f"{self.shown}/{PREFIXES[kind].lower()}"


@contextmanager
def locked(place: Place) -> Iterator[None]:
    """Be the only one that gives numbers.

    Raises:
        AuthoringError: somebody else has been giving numbers for too long, or a link is in the way.
        OSError: the lock cannot be made.
    """
    from filelock import FileLock, Timeout

    refuse_link(place.folder, place.shown)
    if not os.path.isdir(place.folder):
        write.step(f"make {place.folder}")
        os.makedirs(place.folder, exist_ok=True)
    file = os.path.join(place.folder, LOCK)
    refuse_link(file, f"{place.shown}/{LOCK}")
    lock = FileLock(file, timeout=TIMEOUT)
    try:
        lock.acquire(poll_interval=0.02)
    except Timeout:
        raise AuthoringError(
            f"another process is giving out ids; it holds {place.shown}/{LOCK}",
            "wait until it is done, or end it: the lock goes with its process",
        ) from None
    try:
        _tidy(place)
        yield
    finally:
        lock.release()


def _tidy(place: Place) -> None:
    """Clear up after a crash, and let git not see the folder."""
    for name in os.listdir(place.folder):
        if _LITTER.fullmatch(name):
            write.remove(os.path.join(place.folder, name))
    ignore = os.path.join(place.folder, ".gitignore")
    if place.hidden and not os.path.lexists(ignore):
        write.replace(ignore, b"*\n")


def last(place: Place, kind: Kind) -> int:
    """The last number that was given; 0 where none ever was.

    Raises:
        AuthoringError: the counter is a link, empty or damaged.
    """
    refuse_link(place.folder, place.shown)
    refuse_link(place.file(kind), place.name(kind))
    try:
        handle = os.open(place.file(kind), READING | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise AuthoringError(f"{place.name(kind)} cannot be read: {reason(error)}", _hint(kind)) from error
    try:
        regular = stat.S_ISREG(os.fstat(handle).st_mode)
        data = os.read(handle, 64) if regular else b""
    finally:
        os.close(handle)
    if not regular:
        raise AuthoringError(f"{place.name(kind)} is no regular file", _hint(kind))
    if not _VALUE.fullmatch(data):
        what = "is empty" if not data.strip() else "holds no number of at most six digits"
        raise AuthoringError(f"the counter {place.name(kind)} {what}", _hint(kind))
    return int(data)


def _hint(kind: Kind) -> str:
    return f"write the number of the last {PREFIXES[kind]} that was given into it: it is never begun anew"


def store(place: Place, kind: Kind, number: int) -> None:
    """Note that a number is given; only inside of `locked`. Raises `AuthoringError` or `OSError`."""
    refuse_beyond(place, kind, number)
    refuse_link(place.file(kind), place.name(kind))
    write.replace(place.file(kind), b"%d\n" % number)


def refuse_beyond(place: Place, kind: Kind, number: int) -> None:
    """Refuse a number that no id can have. Raises `AuthoringError`."""
    if number > LAST:
        raise AuthoringError(
            f"there is no number behind {LAST}: {PREFIXES[kind]}-{LAST} is in use",
            f"look for who has taken it: a name, a branch, or {place.name(kind)}",
        )


def refuse_link(path: str, shown: str) -> None:
    """Refuse what leads somewhere else. Raises `AuthoringError`."""
    if os.path.islink(path):
        raise AuthoringError(f"{shown} is a link", "remove it: numbers are kept in place")
