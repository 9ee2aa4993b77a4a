"""Where prior art was looked for, where that is not the folder that somebody is in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli import messages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.retrieval.model import Library


def root(library: Library) -> str:
    """The root that was looked in, "" where it is the current folder."""
    top = os.path.realpath(library.root)
    return "" if top == os.path.realpath(os.getcwd()) else top


def folder(library: Library) -> str:
    """The prior-art folder, with the root where that is not the current folder."""
    return os.path.join(root(library), library.folder)


def hint(library: Library) -> str:
    """What to say where prior art is missing, and is there in this folder or on the way up to the root."""
    if not any(shelf.missing for shelf in library.shelves.values()):
        return ""
    here = os.getcwd()
    for nearer in _on_the_way(os.path.realpath(here), os.path.realpath(library.root)):
        if os.path.isdir(os.path.join(nearer, library.folder)):
            where = os.path.relpath(nearer, os.path.realpath(here))
            place = "here" if where == os.curdir else f"in {where}"
            return f"there is a folder {library.folder} {place}: --root {where}"
    return ""


def tell(library: Library) -> None:
    """Say that prior art is nearer than where it was looked for."""
    messages.tell(hint(library))


def _on_the_way(folder: str, top: str) -> Iterator[str]:
    """A folder and those above it, below `top`; none where it is not below that."""
    inside = os.path.join(top, "")
    # Above `/` is `/` again.
    while folder != top and folder.startswith(inside):
        yield folder
        folder = os.path.dirname(folder)
