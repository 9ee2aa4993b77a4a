"""Which files are specs.

`discover` walks the tree once. What it leaves out, and why, is answered by `removed`, which walks
again and is asked only when nothing was found.
"""

from __future__ import annotations

import os
from stat import S_ISDIR
from typing import TYPE_CHECKING, NamedTuple

from spectastic.discover.names import SUFFIXES_TOLD, is_spec_name
from spectastic.discover.walk import Walk
from spectastic.source import Unreadable, reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spectastic.config import Settings

__all__ = [
    "Discovery",
    "NothingMatches",
    "discover",
    "discover_text",
    "is_spec_name",
    "path_matcher",
    "removed",
]


class NothingMatches(Exception):  # noqa: N818 - it reads better where it is raised
    """A path given by hand that names no spec. `path` is relative to the root, `why` a clause."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


class Discovery(NamedTuple):
    """What there is to check.

    `specs` are relative to the root, with `/`, sorted by their bytes, each once. `unreadable` is
    sorted likewise. `corpus_asked`: the whole tree is asked for, or a path that covers the corpus
    folder or lies in it.
    """

    specs: tuple[str, ...]
    unreadable: tuple[Unreadable, ...]
    corpus_asked: bool


def discover(settings: Settings) -> Discovery:
    """Find the specs that `settings` ask for.

    Raises `NothingMatches` for a path given by hand that names no spec and nothing of the corpus.
    """
    walk = Walk(settings)
    corpus_asked = not settings.paths
    if not settings.paths:
        walk.walk(".")
    for path in dict.fromkeys(settings.paths):
        corpus_asked |= _covers_corpus(settings, path)
        before = walk.found
        if _in_corpus(settings, path):
            _status(settings, path)
        elif _is_folder(settings, path):
            walk.walk(path)
            if walk.found == before and not _holds_corpus(settings, path):
                _explain_empty(settings, path)
        else:
            _check_name(path)
            walk.take_by_hand(path)
    if walk.ignored:
        _take_tracked(settings, walk)
    return Discovery(walk.specs(), walk.unreadable(), corpus_asked)


def _take_tracked(settings: Settings, walk: Walk) -> None:
    """What git tracks it does not ignore, whatever a `.gitignore` says, and no environment is tracked."""
    from spectastic import git

    try:
        tracked = git.tracked(settings.root)
    except git.GitError:
        return
    found = frozenset(walk.specs())
    strict = Walk(settings._replace(force_exclude=True), ignores=False)
    for path in sorted(tracked, key=os.fsencode):
        if (
            is_spec_name(path)
            and path not in found
            and _is_asked(settings, path)
            and not strict.why_not(path)
        ):
            walk.take_tracked(path)


def _is_asked(settings: Settings, path: str) -> bool:
    """Whether a path lies below what is asked for, and not in the corpus."""
    below = (".", *settings.paths) if not settings.paths else settings.paths
    inside = any(folder == "." or f"{path}/".startswith(f"{folder}/") for folder in below)
    return inside and not _in_corpus(settings, path)


def discover_text(settings: Settings) -> tuple[Discovery, str]:
    """The one spec that `settings.paths` names, which need not be on disk, or what removes it.

    Raises `NothingMatches` for a name that is no spec's.
    """
    [path] = settings.paths
    why = "corpus folder" if _in_corpus(settings, path) else ""
    if not why:
        _check_name(path)
        why = Walk(settings).why_not(path)
    return Discovery(() if why else (path,), (), corpus_asked=False), why


def _check_name(path: str) -> None:
    if not is_spec_name(path):
        raise NothingMatches(path, f"this is not a spec: the name of a spec ends in {SUFFIXES_TOLD}")


def removed(settings: Settings) -> tuple[tuple[str, int], ...]:
    """How many files with a spec's name each setting removed, most first.

    The first element says which setting, in the words of the configuration where it is one. Where
    there is too much to count, it ends in ` (at least)`.
    """
    walk = Walk(settings, tally=True)
    for path in settings.paths or (".",):
        if _in_corpus(settings, path):
            continue
        if _is_folder(settings, path):
            walk.walk(path)
        else:
            walk.take_by_hand(path)
    return walk.removed()


def path_matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A function that says whether a path (relative to the root, `/`) matches gitignore-style patterns.

    A file matches if a folder above it does. For settings such as `per-path-ignores`.
    """
    from spectastic.discover import patterns as machinery

    return machinery.path_matcher(patterns)


def _covers_corpus(settings: Settings, path: str) -> bool:
    return _in_corpus(settings, path) or _above_corpus(settings, path)


def _in_corpus(settings: Settings, path: str) -> bool:
    return f"{path}/".startswith(f"{settings.corpus}/")


def _above_corpus(settings: Settings, path: str) -> bool:
    return path == "." or settings.corpus.startswith(f"{path}/")


def _holds_corpus(settings: Settings, path: str) -> bool:
    return _above_corpus(settings, path) and os.path.lexists(os.path.join(settings.root, settings.corpus))


def _is_folder(settings: Settings, path: str) -> bool:
    return S_ISDIR(_status(settings, path).st_mode)


def _status(settings: Settings, path: str) -> os.stat_result:
    """The status of what is at a path; raises `NothingMatches` if there is nothing."""
    try:
        return os.lstat(os.path.join(settings.root, path))
    except FileNotFoundError:
        why = "no such file or folder"
        if any(char in path for char in "*?["):
            why += " (patterns are not expanded: name a folder, or leave out the quotes)"
    except OSError as error:
        why = f"it cannot be looked at: {reason(error)}"
    except ValueError:
        why = "this cannot be the name of a file"
    raise NothingMatches(path, why)


def _explain_empty(settings: Settings, path: str) -> None:
    """Say that a folder given by hand holds no spec, and what took them away."""
    counts = removed(settings._replace(paths=(path,)))
    if counts and settings.force_exclude:
        return
    why = "no spec below it"
    if counts:
        why += "; removed: " + ", ".join(f"{count} by {setting}" for setting, count in counts)
    raise NothingMatches(path, why)
