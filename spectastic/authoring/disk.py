"""Where the numbers of a repository are: its counter, the names in its work trees, and its branches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.authoring import numbers
from spectastic.authoring.counter import HOME, Place
from spectastic.authoring.model import AuthoringError
from spectastic.retrieval.listing import FOLDERS, home
from spectastic.source import Unreadable, reason

if TYPE_CHECKING:
    from spectastic.retrieval.model import Kind

#: Outside of git, the counters are in the prior-art folder.
_BARE = f".{HOME}"


class Territory(NamedTuple):
    """Where numbers are looked for: the counters, and the root in each work tree, this one first.

    `before` is where they were counted as long as there was no git, `None` where that still holds.
    """

    counters: Place
    roots: tuple[str, ...]
    before: Place | None = None


def territory(root: str, folder: str) -> Territory:
    """What shares numbers with the repository at `root`, whose prior art is in `folder`.

    Raises:
        AuthoringError: git cannot say which work trees there are.
    """
    from spectastic import git

    bare = Place(os.path.join(root, folder, _BARE), f"{folder}/{_BARE}", hidden=True)
    try:
        common, prefix = git.common_folder(root), git.prefix(root)
        trees = git.worktrees(root)
    except git.GitError as error:
        if _in_git(root) and not isinstance(error, git.NoRepositoryError):
            raise AuthoringError(f"the work trees cannot be listed: {error.message}", error.hint) from error
        return Territory(bare, (root,))
    others = (os.path.join(tree, prefix).rstrip(os.sep) for tree in trees)
    here = os.path.realpath(root)
    roots = dict.fromkeys([here, *(os.path.realpath(other) for other in others)])
    return Territory(Place(os.path.join(common, HOME), f".git/{HOME}", hidden=False), tuple(roots), bare)


def _in_git(root: str) -> bool:
    """Whether the folder looks like one in a repository, to somebody who cannot ask git."""
    folder = os.path.realpath(root)
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return False
        folder = os.path.dirname(folder)
    return True


def highest(roots: tuple[str, ...], folder: str, kind: Kind) -> int:
    """The highest number in the names of any work tree; 0 for none.

    Raises:
        AuthoringError: a folder cannot be listed, so that a number may be missed.
    """
    return max(numbers.in_names(kind, _names(root, folder, kind)) for root in roots)


def others(root: str, folder: str, kind: Kind, own: str, number: int) -> list[str]:
    """The names beside `own` that carry its number. Raises `AuthoringError`."""
    names = _names(root, folder, kind)
    return [name for name in names if name != own and numbers.in_names(kind, [name]) == number]


def in_branches(root: str, folder: str, kind: Kind) -> int:
    """The highest number that the branches in this clone have: in their names, or in what is committed there.

    It is what meets ours when they are merged. Fetched branches count, and nothing is fetched; outside of
    git it is 0. `folder` is the prior-art folder with links followed.

    Raises:
        AuthoringError: git cannot read its branches.
    """
    from spectastic import git

    try:
        found = git.branches(root, f"{git.prefix(root)}{folder}/{FOLDERS[kind]}")
    except git.NoRepositoryError:
        return 0
    except git.GitError as error:
        if not _in_git(root):
            return 0
        raise AuthoringError(f"the branches cannot be read: {error.message}", error.hint) from error
    return max(numbers.in_refs(kind, found.refs), numbers.in_names(kind, found.entries))


def _names(root: str, folder: str, kind: Kind) -> list[str]:
    real = home(root, folder)
    if isinstance(real, Unreadable):
        raise AuthoringError(f"{os.path.join(root, folder)}: {real.message}", real.hint)
    try:
        return os.listdir(os.path.join(root, real, FOLDERS[kind]))
    except FileNotFoundError:
        return []  # a work tree that is gone, or has no such folder
    except OSError as error:
        place = os.path.join(root, real, FOLDERS[kind])
        raise AuthoringError(f"{place} cannot be listed: {reason(error)}") from error


def refuse_links(root: str, path: str, hint: str) -> None:
    """Refuse a path, relative to the root, that is a link or leads through one. Raises `AuthoringError`."""
    if os.path.realpath(os.path.join(root, path)) != os.path.join(os.path.realpath(root), *path.split("/")):
        raise AuthoringError(f"{path} is a link, or behind one", hint)
