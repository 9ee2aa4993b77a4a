"""Where a run takes place: its root, the configuration in force, and the paths given by hand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.config.file import ConfigFile, nearest_file, read_file
from spectastic.config.settings import ConfigError
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_REGISTRY = os.path.join("knowledge", "index.md")


class Place(NamedTuple):
    """The root (absolute, links resolved), what made it the root, and the configuration file."""

    root: str
    reason: str
    file: ConfigFile | None


def locate(
    root: str | None, paths: Sequence[str], cwd: str, config: str | None, isolated: bool
) -> tuple[Place, tuple[str, ...]]:
    """Find the root, the configuration file, and the paths relative to that root.

    Raises `ConfigError` for a root or a configuration that cannot be used, and for a path outside
    the root.
    """
    if isolated and config is not None:
        raise ConfigError("it cannot be used together with --isolated", key="--config")
    cwd = os.path.realpath(cwd)
    real = [_real(cwd, path) for path in paths]
    named = _named_file(cwd, config)
    if root is not None:
        folder = _folder(cwd, root)
        file = named if named or isolated else nearest_file(folder, cwd, git_top(folder) or folder)
        place = Place(folder, "--root", file)
    else:
        place = _search(_start(cwd, real), cwd, named, isolated)
    return place, tuple(_below(place.root, path, given) for path, given in zip(real, paths, strict=True))


def _search(start: str, cwd: str, named: ConfigFile | None, isolated: bool) -> Place:
    """The root for a run that begins in `start`."""
    top = git_top(start)
    above = list(upward(start, top))
    if named is not None and named.folder in above:
        return Place(named.folder, named.name, named)
    if named is None and not isolated:
        for folder in above:
            if (file := nearest_file(folder, cwd, top or folder)) is not None:
                return Place(folder, file.name, file)
    if top:
        return Place(top, "git", named)
    for folder in above:
        if os.path.lexists(os.path.join(folder, _REGISTRY)):
            return Place(folder, "knowledge/index.md", named)
    return Place(start, "default", named)


def git_top(folder: str) -> str:
    """The top of the git working tree that a folder is in, "" outside git."""
    return next((above for above in upward(folder) if os.path.lexists(os.path.join(above, ".git"))), "")


def upward(folder: str, last: str = "") -> Iterator[str]:
    """A folder and those above it, up to `last`."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if folder in (last, parent):
            return
        folder = parent


def _start(cwd: str, paths: Sequence[str]) -> str:
    """The deepest folder that holds everything given by hand; `cwd` if nothing was."""
    if not paths:
        return cwd
    folders = [
        path if os.path.isdir(path) and not os.path.islink(path) else os.path.dirname(path) for path in paths
    ]
    try:
        start = os.path.commonpath(folders)
    except ValueError:
        raise ConfigError("the paths have no folder in common", hint="name one with --root") from None
    return next(folder for folder in upward(start) if os.path.isdir(folder))


def _real(cwd: str, given: str) -> str:
    """The absolute path of an argument. Links are resolved, but not one to a file: its name counts."""
    if not given or "\0" in given:
        raise ConfigError("this cannot be the name of a file or folder", key=repr(short(given)))
    path = os.path.join(cwd, given)
    if os.path.isdir(path):
        return os.path.realpath(path)
    folder, name = os.path.split(path.rstrip(os.sep))
    return os.path.join(os.path.realpath(folder), name)


def _below(root: str, path: str, given: str) -> str:
    if path == root:
        return "."
    inside = os.path.join(root, "")
    if not path.startswith(inside):
        raise ConfigError(
            f"this lies outside the root {root}", key=short(given), hint="name a root with --root"
        )
    return path[len(inside) :].replace(os.sep, "/")


def _folder(cwd: str, given: str) -> str:
    if not given or "\0" in given or not os.path.isdir(os.path.join(cwd, given)):
        raise ConfigError(f"there is no folder {short(given)!r}", key="--root")
    return os.path.realpath(os.path.join(cwd, given))


def _named_file(cwd: str, config: str | None) -> ConfigFile | None:
    if config is None:
        return None
    path = os.path.join(cwd, config)
    if not config or "\0" in config or not os.path.lexists(path):
        raise ConfigError(f"there is no file {short(config)!r}", key="--config")
    folder, name = os.path.split(path)
    file = read_file(os.path.join(os.path.realpath(folder), name), config)
    if file is None:
        raise ConfigError("this file has no table [tool.spectastic]", path=config, key="--config")
    return file
