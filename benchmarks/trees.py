"""The trees of one run: each is written when it is first needed, and found again in a kept folder."""

from __future__ import annotations

import hashlib
import json
import os
from typing import NamedTuple

from benchmarks import generate
from benchmarks.generate import Tree

REFERENCES = 500
SMALL = (10, 6)


class Place(NamedTuple):
    """A tree and the folder it lies in."""

    folder: str
    tree: Tree


class Forest:
    """Trees under `folder`, each in a subfolder named after what it holds and what wrote it."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.abspath(folder)
        self._places: dict[tuple[int, int], Place] = {}

    def tree(self, specs: int, references: int = REFERENCES) -> Place:
        """The tree of that size, written now if it is not there.

        Raises:
            OSError: it cannot be written.
        """
        key = (specs, references)
        if key not in self._places:
            self._places[key] = self._find(specs, references)
        return self._places[key]

    def small(self) -> Place:
        """A small repository, for runs on one file."""
        return self.tree(*SMALL)

    def described(self) -> list[str]:
        """What each tree of this run holds, for people, the smallest first."""
        return [describe(place.tree) for _, place in sorted(self._places.items())]

    def _find(self, specs: int, references: int) -> Place:
        target = os.path.join(self._folder, f"{specs}-{references}-{_edition()}")
        notes = target + ".json"
        if os.path.isdir(target):
            with open(notes, encoding="utf-8") as file:
                return Place(target, Tree(**json.load(file)))
        # The folder gets its name last, so a tree that was only half written is never taken for one.
        part = f"{target}.{os.getpid()}.part"
        tree = generate.write(part, specs, references)
        with open(notes, "w", encoding="utf-8") as file:
            json.dump(tree._asdict(), file)
        os.rename(part, target)
        if hasattr(os, "sync"):
            os.sync()  # or the writing would still go on while the first tool runs
        return Place(target, tree)


def describe(tree: Tree) -> str:
    """A tree in one line."""
    return (
        f"{tree.specs:,} specs ({tree.size / 1e6:.2f} MB), {tree.decisions:,} decisions, "
        f"{tree.references:,} references"
    )


def _edition() -> str:
    """A short digest of the code that writes trees: other code, other trees."""
    digest = hashlib.sha256()
    here = os.path.dirname(os.path.abspath(__file__))
    for name in ("generate.py", "knowledge.py", "prose.py", "words.toml"):
        with open(os.path.join(here, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:12]
