"""Which files a change may touch: inside of the repository, none of git's, and none that a link leads to."""

from __future__ import annotations

import os
from stat import S_ISREG
from typing import TYPE_CHECKING

from spectastic.curate.journal import HOME, NAME, is_inside
from spectastic.curate.plan import CurateError
from spectastic.curate.starters import HOOK, SETTINGS, WORKFLOW
from spectastic.source import reason
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable

#: What a command makes outside of the corpus folder.
_ELSEWHERE = (SETTINGS, HOOK, WORKFLOW)


def target(root: str, path: str) -> str:
    """The absolute path of a file that a change may write. Raises `CurateError` for any other."""
    if not is_inside(path):
        raise CurateError(f"{short(path) or 'an empty path'} is no path of a file in the repository")
    top = os.path.realpath(root)
    real = os.path.realpath(os.path.join(root, path))
    if not real.startswith(os.path.join(top, "")) or not is_inside(real[len(top) + 1 :].replace(os.sep, "/")):
        raise CurateError(f"{path} leads out of the repository", "replace the link by the file itself")
    if real != os.path.join(top, *path.split("/")):
        raise _through_link(root, path)
    return os.path.join(root, path)


def _through_link(root: str, path: str) -> CurateError:
    parts = path.split("/")
    steps = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    link = next((step for step in steps if os.path.islink(os.path.join(root, step))), path)
    said = f"{path} is a link" if link == path else f"{path} is reached through a link, {link}"
    return CurateError(
        f"{said}: files are changed under their own names only",
        "replace the link by what it leads to, or name the folder itself with --corpus",
    )


def contents(root: str, path: str) -> bytes | None:
    """What a file holds, `None` where there is none. Raises `CurateError`, as `target` does too."""
    place = target(root, path)
    try:
        if not S_ISREG(os.stat(place).st_mode):
            raise CurateError(f"{path} is no regular file", "something else has its name: remove it")
        with open(place, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise CurateError(f"{path} cannot be read: {reason(error)}") from error


def refuse_foreign(root: str, folder: str, paths: Iterable[str]) -> None:
    """Refuse to go on with a change that no command has left here, but that came with the repository.

    Anybody can commit a journal. What git tracks is not ours, and a change of ours touches the corpus, and
    what `init` makes. Raises `CurateError`.
    """
    from spectastic import git

    journal = f"{folder}/{HOME}/{NAME}"
    hint = f"delete {folder}/{HOME}, after looking at what git log says of it"
    for path in paths:
        below = path.startswith(f"{folder}/") and not path.startswith(f"{folder}/{HOME}/")
        if not below and path not in _ELSEWHERE:
            raise CurateError(f"{journal} is of no command: it would change {short(path)}", hint)
    try:
        tracked = git.tracked(os.path.join(root, folder, HOME))
    except git.NoRepositoryError:
        return
    except git.GitError as error:
        raise CurateError(
            f"it cannot be told whether {journal} is ours: {error.message}", error.hint
        ) from error
    named = short(min(tracked))
    raise CurateError(f"{journal} is not ours: git tracks {named} beside it, so it came with a commit", hint)
