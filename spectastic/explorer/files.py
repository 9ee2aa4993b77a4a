"""Pages as files: written whole, and never over what was not written here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic import write
from spectastic.explorer.page import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: A page says who wrote it this near to its beginning, in bytes.
_HEAD = 4096


class Refused(Exception):  # noqa: N818 - it reads better where it is raised
    """A file that must not be written: `message` says which and why, `hint` what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def put(
    pages: Mapping[str, bytes], *, mark: bytes = MARK, force: bool = False, dry: bool = False
) -> list[str]:
    """Write files, by path, with the folders that they need; gives those that changed.

    All are looked at before any is written. A file that does not hold `mark` at its beginning is somebody
    else's: with `force` it is replaced too. A link or a folder never is. With `dry` nothing is written.

    Raises:
        Refused: something else has the name of a page.
        OSError: a file cannot be read or written.
    """
    wanted = [path for path, data in pages.items() if _differs(path, data, mark, force=force)]
    for path in () if dry else wanted:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write.replace(path, pages[path])
    return wanted


def _differs(path: str, data: bytes, mark: bytes, *, force: bool) -> bool:
    """Whether a page is to be written. Raises `Refused`."""
    if os.path.islink(path) or (os.path.lexists(path) and not os.path.isfile(path)):
        raise Refused(f"{path} is a link, a folder or a device, no page", "name another place: --out")
    held = read(path)
    if held is not None and not is_ours(held, mark) and not force:
        raise Refused(
            f"{path} was not written by this command", "name another place, or --force to replace it"
        )
    return held != data


def refuse_links(paths: Iterable[str], folder: str = "") -> None:
    """Refuse paths that lead through a link, and so perhaps out of a repository. Raises `Refused`.

    Whoever names a place from the root on means it: of a whole path, what is below `folder` counts, if any.
    """
    looked: set[str] = set()
    for path in paths:
        place = folder or os.path.dirname(path) if os.path.isabs(path) else ""
        inside = os.path.relpath(path, place) if place else path
        for name in os.path.dirname(inside).split(os.sep):
            place = os.path.join(place, name)
            if place not in looked and os.path.islink(place):
                raise Refused(
                    f"{place} is a link: nothing is written through one", "remove it, or name another --out"
                )
            looked.add(place)


def read(path: str) -> bytes | None:
    """What a page holds; `None` where there is none. Raises `OSError`."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def is_ours(data: bytes, mark: bytes = MARK) -> bool:
    """Whether a file says, at its beginning, that it was written here."""
    return mark in data[:_HEAD]


def is_page(path: str) -> bool:
    """Whether there is a page at a path. No link is followed. Raises `OSError`."""
    # A pipe would be waited for.
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return is_ours(file.read(_HEAD))
