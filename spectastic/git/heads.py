"""What the branches have that this clone knows of: its own, and those of remotes as they were fetched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.git.process import run

if TYPE_CHECKING:
    from collections.abc import Iterator

#: How many branches are looked into, those with the latest commits: a clone may have any number.
MOST = 10_000


class Branches(NamedTuple):
    """The full names of branches, and the names in one folder of their trees."""

    refs: tuple[str, ...]
    entries: frozenset[str]


def look(root: str, folder: str) -> Branches:
    """The answer of `git.branches`."""
    asked = ("--sort=-committerdate", f"--count={MOST}", "--format=%(objectname) %(refname)")
    lines = run(root, "for-each-ref", *asked, "refs/heads", "refs/remotes").split(b"\n")
    pairs = [line.partition(b" ") for line in lines if line]
    commits = dict.fromkeys(oid for oid, _, _ in pairs)
    return Branches(
        tuple(os.fsdecode(name) for _, _, name in pairs), frozenset(_entries(root, list(commits), folder))
    )


def _entries(root: str, commits: list[bytes], folder: str) -> Iterator[str]:
    """The names in a folder of several commits; a folder that is the same in all is read once."""
    from spectastic.git import blobs

    if not commits:
        return
    wanted = b"".join(b"%b:%b\n" % (commit, os.fsencode(folder)) for commit in commits)
    answers = run(root, "cat-file", "--batch-check=%(objecttype) %(objectname)", input=wanted).split(b"\n")
    trees = [answer[5:].decode() for answer in answers if answer.startswith(b"tree ")]
    for oid, data in blobs(root, trees).items():
        yield from _names(data, len(oid) // 2)


def _names(tree: bytes, size: int) -> Iterator[str]:
    """The names in a tree as git keeps it: a mode, a blank, a name, NUL, and an id of `size` bytes, each."""
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        yield os.fsdecode(tree[at:end].partition(b" ")[2])
        at = end + 1 + size
