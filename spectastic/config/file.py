"""A configuration file: bytes to a table, with the line of every key."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.config.settings import ConfigError
from spectastic.source import Source, Unreadable, read
from spectastic.text import short

if TYPE_CHECKING:
    from spectastic.config.lines import Path

NAMES = ("spectastic.toml", "pyproject.toml")
_OWN_TABLE = ("tool", "spectastic")
_MAX_BYTES = 1_000_000
#: Python's parser takes time that grows with the square of a key's parts.
_LONG_KEY = r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}"""
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class ConfigFile(NamedTuple):
    """A file that configures spectastic.

    `folder` is absolute. `shown` is the file's path for messages. `table` holds the settings,
    `prefix` is where they stand in the file, `lines` the line of each key.
    """

    folder: str
    name: str
    shown: str
    table: dict[str, object]
    prefix: Path
    lines: dict[Path, int]

    def line(self, *path: str | int) -> int:
        """The line of a key, or of the nearest table around it that is written out."""
        whole = (*self.prefix, *path)
        while whole and whole not in self.lines:
            whole = whole[:-1]
        return self.lines.get(whole, 1)

    def error(self, message: str, path: Path, key: str, hint: str) -> ConfigError:
        """An error about a key, or something inside its value."""
        return ConfigError(message, path=self.shown, line=self.line(*path), key=key, hint=hint)


def nearest_file(folder: str, cwd: str, top: str) -> ConfigFile | None:
    """The configuration file in one folder; None if there is none. Raises `ConfigError`.

    A link is followed as long as that leads to something below `top`.
    """
    for name in NAMES:
        path = os.path.join(folder, name)
        if not os.path.lexists(path) or (name != NAMES[0] and os.path.isdir(path)):
            continue
        if os.path.islink(path) and not os.path.realpath(path).startswith(os.path.join(top, "")):
            message = "this is a symbolic link that leads out of the repository"
            raise ConfigError(message, path=shown_from(cwd, path), hint="name the file with --config")
        if (found := read_file(path, shown_from(cwd, path))) is not None:
            return found
    return None


def read_file(path: str, shown: str) -> ConfigFile | None:
    """Read a configuration file; None for a `pyproject.toml` without a table of ours.

    Raises `ConfigError` for what cannot be read, or is not TOML.
    """
    folder, name = os.path.split(path)
    source = _source(folder, name, shown)
    project = name == NAMES[1]
    # Most projects' files are not about spectastic; the parser is not loaded for them.
    if project and b"spectastic" not in source.data:
        return None
    _check(source, shown)
    document = _parse(source, shown)
    table: object = document
    if project:
        tool = document.get("tool")
        if not isinstance(tool, dict) or _OWN_TABLE[1] not in tool:
            return None
        table = tool[_OWN_TABLE[1]]
    prefix = _OWN_TABLE if project else ()
    from spectastic.config.lines import lines_of

    lines = lines_of(source.text)
    if not isinstance(table, dict):
        line = lines.get(_OWN_TABLE, 1)
        raise ConfigError("must be a table", path=shown, line=line, key="tool.spectastic")
    return ConfigFile(folder, name, shown, table, prefix, lines)


def shown_from(cwd: str, path: str) -> str:
    """A path as one would type it in `cwd`."""
    try:
        return os.path.relpath(path, cwd)
    except ValueError:
        return path


def _source(folder: str, name: str, shown: str) -> Source:
    if os.path.isdir(os.path.join(folder, name)):
        raise ConfigError("this is a directory, not a configuration file", path=shown, hint="rename it")
    source = read(folder, name)
    if isinstance(source, Unreadable):
        raise ConfigError(source.message, path=shown, hint=source.hint)
    if len(source.data) > _MAX_BYTES:
        size = f"{len(source.data):,} bytes, more than the {_MAX_BYTES:,} that are read"
        raise ConfigError(f"the file is too large: {size}", path=shown)
    return source


def _check(source: Source, shown: str) -> None:
    for problem in source.problems:
        line = source.line_of(problem.span.start)
        raise ConfigError(problem.message, path=shown, line=line, hint=problem.hint)


def _parse(source: Source, shown: str) -> dict[str, object]:
    import tomllib

    if long := re.search(_LONG_KEY, source.text):
        line = source.text.count("\n", 0, long.start()) + 1
        raise ConfigError("not usable TOML: a key has more than 64 parts", path=shown, line=line)
    try:
        return tomllib.loads(source.text)
    except RecursionError:
        raise ConfigError("not valid TOML: nested too deeply", path=shown) from None
    except tomllib.TOMLDecodeError as error:
        message, line, column = str(error), 0, ""
        if place := _PLACE.search(message):
            message = message[: place.start()]
            line = int(place[1] or source.text.count("\n") + 1)
            column = f" at column {place[2]}" if place[2] else " at the end of the file"
        text = f"not valid TOML{column}: {short(message)}"
        raise ConfigError(text, path=shown, line=line) from None
    except ValueError:
        # Python turns only so many digits into a number.
        raise ConfigError("not valid TOML: a number is too long to be read", path=shown) from None
