"""All the files of a change together, or none: after a crash at any point the next writer finishes it.

First the new contents are put aside in `.spectastic/`, below the corpus folder; then a journal that
names them is put in place, by which the change is decided; then the files are replaced one by one.
Whoever takes the lock next finds a journal that is left over and goes on with it.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from spectastic import write
from spectastic.curate import journal
from spectastic.curate.journal import HOME, NAME, Entry, Journal, digest
from spectastic.curate.places import contents, refuse_foreign, target
from spectastic.curate.plan import CurateError, FileChange, Plan, merged
from spectastic.source import reason
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LOCK = "lock"
_HOLDER = "holder.json"
_OURS = re.compile(r"draft-[0-9]+|\.(?:draft-[0-9]+|journal\.json|\.gitignore)\.[0-9a-f]{16}\.tmp")


class Held(Exception):  # noqa: N818 - it reads better where it is raised
    """Somebody else writes: `message` says who and since when, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@contextmanager
def locked(root: str, folder: str, *, timeout: float = 10.0) -> Iterator[tuple[str, ...]]:
    """Be the only one that writes to the corpus `folder` of the repository at `root`.

    A change that was interrupted is finished first; gives the files of that one.

    Raises:
        Held: somebody else has been writing for longer than `timeout` seconds.
        CurateError: an interrupted change cannot be finished.
        OSError: the lock cannot be made.
    """
    from filelock import FileLock, Timeout

    home = _home(root, folder)
    lock = FileLock(os.path.join(home, _LOCK), timeout=timeout)
    try:
        lock.acquire(poll_interval=0.02)
    except Timeout:
        raise _held(home, f"{folder}/{HOME}") from None
    try:
        _sign(home)
        _hide(home)
        yield _recover(root, folder)
    finally:
        with suppress(OSError):
            os.unlink(os.path.join(home, _HOLDER))
        lock.release()


def commit(root: str, folder: str, plan: Plan, progress: Callable[[int, int], None] | None = None) -> None:
    """Make the changes of a plan, all of them or none; only inside of `locked`.

    `progress` is told (done, total) files.

    Raises:
        CurateError: a file is not what the plan found, or must not be written.
        OSError: a file cannot be written.
    """
    changes = merged(plan.changes)
    if not changes:
        return
    for change in changes:
        _verify(root, change)
    home = _home(root, folder)
    try:
        drafts = (_draft(home, number, change) for number, change in enumerate(changes))
        decided = Journal(tuple(drafts))
        write.replace(os.path.join(home, NAME), journal.write(decided))
    except BaseException:
        if not os.path.lexists(os.path.join(home, NAME)):
            _sweep(home)
        raise
    _go_on(root, folder, decided, progress)


def interrupted(root: str, folder: str) -> Journal | None:
    """The change that is decided and not finished, if there is one. Raises `CurateError`."""
    data = contents(root, f"{folder}/{HOME}/{NAME}")
    found = None if data is None else journal.read(data)
    if data is not None and found is None:
        raise CurateError(
            f"{folder}/{HOME}/{NAME} is no journal of an interrupted change",
            "delete it, after looking at what git status says of the corpus",
        )
    return found


def _home(root: str, folder: str) -> str:
    """The folder for drafts and the lock; it is made if need be."""
    home = os.path.join(root, folder, HOME)
    if os.path.islink(home) or (os.path.lexists(home) and not os.path.isdir(home)):
        raise CurateError(f"{folder}/{HOME} is no folder", "remove it: it is made anew")
    target(root, f"{folder}/{HOME}/{NAME}")
    if not os.path.isdir(home):
        write.step(f"make {home}")
        os.makedirs(home, exist_ok=True)
    return home


def _hide(home: str) -> None:
    """Let git not see the folder. Who has no lock yet writes nothing: it would be swept."""
    ignore = os.path.join(home, ".gitignore")
    if not os.path.lexists(ignore):
        write.replace(ignore, b"*\n")


def _sign(home: str) -> None:
    """Leave word of who has the lock."""
    from datetime import UTC, datetime
    from json import dumps
    from socket import gethostname

    since = datetime.now(UTC).isoformat(timespec="seconds")
    said = dumps({"pid": os.getpid(), "host": gethostname(), "since": since})
    with suppress(OSError):
        write.leave(os.path.join(home, _HOLDER), said.encode())


def _held(home: str, shown: str) -> Held:
    from json import loads

    who = ""
    with suppress(OSError, ValueError, KeyError, TypeError):
        with open(os.path.join(home, _HOLDER), encoding="utf-8") as file:
            said = loads(file.read(1000))
        who = f" (process {said['pid']} on {short(str(said['host']))}, since {short(str(said['since']))})"
    return Held(
        f"another command is writing to the corpus{who}; it holds {shown}/{_LOCK}",
        "wait until it is done, or end it: the lock goes with its process",
    )


def _recover(root: str, folder: str) -> tuple[str, ...]:
    """Finish what was interrupted, and clear up what was never decided; the files that were finished."""
    found = interrupted(root, folder)
    if found is None:
        _sweep(os.path.join(root, folder, HOME))
        return ()
    refuse_foreign(root, folder, found.paths)
    for path in found.paths:
        _sweep_beside(target(root, path))
    _go_on(root, folder, found)
    return found.paths


def _go_on(
    root: str, folder: str, decided: Journal, progress: Callable[[int, int], None] | None = None
) -> None:
    """Do what is left of a change that is decided: new contents first, removals last."""
    home = os.path.join(root, folder, HOME)
    entries = sorted(decided.entries, key=lambda entry: not entry.after)
    for entry in entries:
        if digest(contents(root, entry.path)) not in (entry.before, entry.after):
            raise _edited(entry, folder)
    for done, entry in enumerate(entries, 1):
        try:
            _apply(root, folder, entry)
        except write.Changed:
            raise _edited(entry, folder) from None
        except OSError as error:
            raise CurateError(
                f"{entry.path} cannot be written: {reason(error)}; the change is half done",
                "when it can be, run any command that writes: it finishes the change first",
            ) from error
        if progress is not None:
            progress(done, len(entries))
    write.remove(os.path.join(home, NAME))
    _sweep(home)


def _edited(entry: Entry, folder: str) -> CurateError:
    return CurateError(
        f"a change was interrupted, and {entry.path} has been edited since by somebody else",
        f"put back what it was (git restore {entry.path}) and run this again; "
        f"or delete {folder}/{HOME}/{NAME} to give up the rest of that change",
    )


def _apply(root: str, folder: str, entry: Entry) -> None:
    """Bring one file to what it is to hold, unless it does already."""
    now = contents(root, entry.path)
    if digest(now) == entry.after:
        return
    place = target(root, entry.path)
    if not entry.after:
        write.remove(place)
        return
    data = contents(root, f"{folder}/{HOME}/{entry.draft}")
    if data is None or digest(data) != entry.after:
        raise CurateError(
            f"a change was interrupted, and its new text of {entry.path} is lost",
            f"delete {folder}/{HOME}/{NAME}, and correct by hand what git status shows",
        )
    write.step(f"make the folder of {place}")
    os.makedirs(os.path.dirname(place), exist_ok=True)
    write.replace(place, data, expected=now)


def _verify(root: str, change: FileChange) -> None:
    """That a file still is what the plan found, and can be written: nothing is decided before that."""
    file = target(root, change.path)
    if contents(root, change.path) != change.before:
        raise CurateError(f"{change.path} was changed by something else meanwhile", "run it again")
    place = file if change.before is not None else os.path.dirname(file)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    why = "" if change.before is not None or os.path.isdir(place) else "a file is in the way"
    if not (os.access(place, os.W_OK) and os.access(os.path.dirname(place), os.X_OK)):
        why = why or "permission denied"
    if why:
        raise CurateError(f"{change.path} cannot be written: {why}")


def _draft(home: str, number: int, change: FileChange) -> Entry:
    name = ""
    if change.after is not None:
        name = f"draft-{number}"
        write.replace(os.path.join(home, name), change.after)
    return Entry(change.path, digest(change.before), digest(change.after), name)


def _sweep(home: str) -> None:
    """Remove drafts that no journal names."""
    for name in os.listdir(home):
        if _OURS.fullmatch(name):
            write.step(f"remove {name}")
            os.unlink(os.path.join(home, name))


def _sweep_beside(target: str) -> None:
    """Remove what a crash left of a file that was being written."""
    folder, name = os.path.split(os.path.realpath(target))
    litter = re.compile(rf"\.{re.escape(name[:50])}\.[0-9a-f]{{16}}\.tmp")
    with suppress(OSError):
        for other in os.listdir(folder):
            if litter.fullmatch(other):
                os.unlink(os.path.join(folder, other))
