"""Which files are prior art. Links are followed inside of the prior-art folder, and refused elsewhere."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.model import Kind
from spectastic.source import Unreadable, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Where each corpus is, below the prior-art folder.
FOLDERS = {Kind.LESSON: "knowledge/lessons", Kind.BUG: "bugs", Kind.SPEC: "specs"}
#: The file that makes a folder a spec.
REQUIREMENT = "requirement.md"
#: Where a project keeps the templates of new documents, below the prior-art folder.
TEMPLATES = "templates"
TEMPLATE_NAMES = {
    Kind.SPEC: "requirement-template.md",
    Kind.LESSON: "lesson-template.md",
    Kind.BUG: "bug-template.md",
}

_HINT = "put a copy in its place"


class Listing(NamedTuple):
    """The documents of one corpus by path, in order, those not to be read, and the folder's trouble."""

    paths: tuple[str, ...] = ()
    refused: tuple[Unreadable, ...] = ()
    trouble: Unreadable | None = None
    missing: bool = False


def home(root: str, folder: str) -> str | Unreadable:
    """The prior-art folder, relative to the root, with links followed; it need not be there."""
    top = os.path.realpath(root)
    real = os.path.realpath(os.path.join(top, folder))
    if real == top or not _within(real, top):
        return Unreadable(folder, "this link leads outside of the repository", _HINT)
    return os.path.relpath(real, top).replace(os.sep, "/")


def listed(root: str, folder: str, kind: Kind) -> Listing:
    """The documents of a corpus below `folder`, which `home` gave."""
    place = f"{folder}/{FOLDERS[kind]}"
    where = os.path.join(root, place)
    if not os.path.lexists(where):
        return Listing(missing=True)
    led = _led(root, folder, place)
    if led is not None:
        return Listing(trouble=led)
    paths: list[str] = []
    refused: list[Unreadable] = []
    try:
        for path, linked in sorted(_found(where, place, kind), key=lambda found: os.fsencode(found[0])):
            wrong = _led(root, folder, path) if linked else None
            if wrong is None:
                paths.append(path)
            else:
                refused.append(wrong)
    except OSError as error:
        return Listing(trouble=Unreadable(place, f"the folder cannot be listed: {reason(error)}"))
    return Listing(tuple(paths), tuple(refused))


def _found(where: str, place: str, kind: Kind) -> Iterator[tuple[str, bool]]:
    """The paths that have the right name, each with whether a link is on the way."""
    with os.scandir(where) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if kind is not Kind.SPEC:
                if entry.name.endswith(".md"):
                    yield f"{place}/{entry.name}", entry.is_symlink()
            elif entry.is_symlink() or entry.is_dir():
                found = _requirement(where, entry)
                if found is not None:
                    yield f"{place}/{entry.name}/{REQUIREMENT}", found


def _requirement(where: str, entry: os.DirEntry[str]) -> bool | None:
    """Whether a link is on the way to a spec's file; `None` where there is no such file."""
    if entry.is_symlink():
        # Not looked behind: what it leads to may be nobody's business.
        return True
    try:
        mode = os.lstat(os.path.join(where, entry.name, REQUIREMENT)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return False  # reading it will say why
    return stat.S_ISLNK(mode)


def _led(root: str, folder: str, path: str) -> Unreadable | None:
    """Why a path that may be a link cannot be followed, if it cannot."""
    try:
        real = os.path.realpath(os.path.join(root, path), strict=True)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Unreadable(path, "this link leads in a circle", "remove it")
        return Unreadable(path, "this link leads nowhere", "restore what it names, or remove it")
    if _within(real, os.path.realpath(os.path.join(root, folder))):
        return None
    return Unreadable(path, f"this link leads out of {folder}", _HINT)


def _within(real: str, folder: str) -> bool:
    return f"{real}{os.sep}".startswith(os.path.join(folder, ""))
