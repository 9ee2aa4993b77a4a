"""Giving a new document its number and its place, so that nobody else has either.

Under the lock the counter is written first, and then the document appears with all that is in it. So a
crash may lose a number, and never gives one twice; where something has the name by then, it is the next one.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from spectastic import write
from spectastic.authoring import counter, disk
from spectastic.authoring.model import PREFIXES, Draft, identifier, path
from spectastic.retrieval.listing import FOLDERS, REQUIREMENT
from spectastic.retrieval.model import Kind

if TYPE_CHECKING:
    from collections.abc import Callable


class Highest(NamedTuple):
    """The highest number that each source knows of; `remote` is `None` where it told nothing."""

    counter: int
    disk: int
    branches: int = 0
    remote: int | None = None

    @property
    def next(self) -> int:
        """The number for the next document."""
        return max(self.counter, self.disk, self.branches, self.remote or 0) + 1


class Created(NamedTuple):
    """A document as it was written, or would be, and what its number was the next one of."""

    id: str
    path: str
    data: bytes
    highest: Highest
    work_trees: int


class Desk(NamedTuple):
    """Where documents are made: the repository at `root`, its prior-art folder, and all else that is known.

    `known` is the highest number in the frontmatter of documents, `branches` that of the branches in this
    clone, `remote` that of the remote, if it said.
    """

    root: str
    home: str
    territory: disk.Territory
    known: int = 0
    branches: int = 0
    remote: int | None = None


def planned(desk: Desk, draft: Draft, compose: Callable[[str, str], bytes]) -> Created:
    """What would be written now. Raises `AuthoringError`."""
    _in_place(desk, draft.kind)
    highest = _highest(desk, draft.kind)
    counter.refuse_beyond(desk.territory.counters, draft.kind, highest.next)
    return _made(desk, draft, compose, highest, highest.next)


def create(desk: Desk, draft: Draft, compose: Callable[[str, str], bytes]) -> Created:
    """Write a new document with the next number.

    Raises:
        AuthoringError: it cannot be made, or has no number.
        OSError: it cannot be written.
    """
    planned(desk, draft, compose)  # what is refused takes no number
    place = desk.territory.counters
    with counter.locked(place):
        folder = os.path.join(desk.root, desk.home, FOLDERS[draft.kind])
        write.step(f"make {folder}")
        os.makedirs(folder, exist_ok=True)
        _sweep(folder, draft.kind)
        highest = _highest(desk, draft.kind)
        number = highest.next
        while True:
            counter.store(place, draft.kind, number)
            made = _made(desk, draft, compose, highest, number)
            try:
                _write(desk, draft.kind, made, number)
            except FileExistsError:
                number += 1
            else:
                return made


def _highest(desk: Desk, kind: Kind) -> Highest:
    trees = desk.territory
    on_disk = disk.highest(trees.roots, desk.home, kind)
    counted = max(counter.last(place, kind) for place in (trees.counters, trees.before) if place)
    return Highest(counted, max(on_disk, desk.known), desk.branches, desk.remote)


def _made(
    desk: Desk, draft: Draft, compose: Callable[[str, str], bytes], highest: Highest, number: int
) -> Created:
    name = identifier(draft.kind, number)
    place = path(desk.home, draft.kind, name, draft.title)
    return Created(name, place, compose(name, place), highest, len(desk.territory.roots))


def _write(desk: Desk, kind: Kind, made: Created, number: int) -> None:
    """Make the document. Raises `FileExistsError` where its name or its number is taken."""
    file = os.path.join(desk.root, made.path)
    own = os.path.dirname(file) if kind is Kind.SPEC else file
    if kind is Kind.SPEC:
        write.create_folder(own, REQUIREMENT, made.data)
    else:
        write.create(file, made.data)
    # Whoever takes no lock may have taken the number under another name.
    if disk.others(desk.root, desk.home, kind, os.path.basename(own), number):
        os.unlink(file)
        if kind is Kind.SPEC:
            os.rmdir(own)
        raise FileExistsError(own)


def _in_place(desk: Desk, kind: Kind) -> None:
    """Documents are made in the folder itself, not where a link leads."""
    disk.refuse_links(desk.root, f"{desk.home}/{FOLDERS[kind]}", "put the folder itself in its place")


def _sweep(folder: str, kind: Kind) -> None:
    """Remove what a crash left; nobody else is writing here."""
    litter = re.compile(rf"\.{PREFIXES[kind]}-[0-9]{{3,6}}-[a-z0-9.-]*\.[0-9a-f]{{16}}\.tmp")
    for name in filter(litter.fullmatch, os.listdir(folder)):
        place = os.path.join(folder, name)
        write.step(f"remove {place}")
        with suppress(OSError):
            if os.path.isdir(place) and not os.path.islink(place):
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(place, REQUIREMENT))
                os.rmdir(place)
            else:
                os.unlink(place)
