"""Settings from a configuration file and from flags, with where each came from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from spectastic.config.keys import KEYS, Key, Known, WrongValueError, mean
from spectastic.config.place import git_top, locate
from spectastic.config.settings import AUTO, UNLIMITED, ConfigError, Settings
from spectastic.findings import Severity
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from spectastic.config.file import ConfigFile

__all__ = ["AUTO", "UNLIMITED", "ConfigError", "Settings", "describe", "git_top", "load"]


def load(
    root: str | None,
    paths: Sequence[str],
    flags: Mapping[str, object],
    cwd: str,
    config: str | None = None,
    isolated: bool = False,
    known_rules: Collection[str] = (),
) -> Settings:
    """The settings of a run.

    `root`, `paths` and `config` are as given, relative to `cwd`. `flags` maps the names of settings
    (`fail-on` or `fail_on`) to values: strings, sequences of strings, mappings, `Severity`; None
    stands for a flag that was not given. `known_rules`: the ids that exist, none to accept any.

    Raises `ConfigError` for everything that cannot be used, and `TypeError` for a setting that there
    is not.
    """
    place, relative = locate(root, paths, cwd, config, isolated)
    known = Known(frozenset(known_rules), place.root)
    values = _Values(place.reason)
    if place.file is not None:
        _apply_file(place.file, known, values)
    _apply_flags(flags, cwd, known, values)
    if "corpus" not in values.values:
        _apply_default_corpus(known, values)
    tables = values.values
    tables["per_path_ignores"] = tuple(tables.get("per_path_ignores", {}).items())
    return Settings(place.root, relative, origins=values.origins)._replace(**tables)


class _Values:
    """What was read so far, by field of `Settings`, and where each came from."""

    __slots__ = ("origins", "values")

    def __init__(self, root_from: str) -> None:
        self.values: dict[str, Any] = {}
        self.origins = {key.field: "default" for key in KEYS.values()} | {"root": root_from}

    def put(self, key: Key, value: object, origin: str) -> None:
        """A later value replaces an earlier one; tables are merged entry by entry."""
        field = key.field
        if key.table and field in self.values:
            value = self.values[field] | value
            origin = f"{self.origins[field]}, {origin}"
        self.values[field] = value
        self.origins[field] = origin


def _apply_file(file: ConfigFile, known: Known, values: _Values) -> None:
    shown = file.name if file.folder == known.root else file.shown
    for name, value in file.table.items():
        key = KEYS.get(name)
        if key is None:
            raise file.error("there is no such key", (name,), short(name), _key_hint(file, name))
        try:
            read = key.read(value, known)
        except WrongValueError as wrong:
            raise file.error(wrong.message, (name, *wrong.at), name, wrong.hint) from None
        values.put(key, read, f"{shown}:{file.line(name)}")
        for entry in read if isinstance(read, dict) else ():
            values.origins[f"{key.field}.{entry}"] = f"{shown}:{file.line(name, entry)}"


def _key_hint(file: ConfigFile, name: str) -> str:
    if name == "tool" and not file.prefix:
        return f"in {file.name} the settings stand at the top, without [tool.spectastic]"
    return mean(name, KEYS)


def _apply_flags(flags: Mapping[str, object], cwd: str, known: Known, values: _Values) -> None:
    for name, value in flags.items():
        key = KEYS.get(name.replace("_", "-"))
        if key is None:
            raise TypeError(f"there is no setting {name!r}")
        if value is None:
            continue
        # Imported here: most runs have no flag that is a setting.
        from spectastic.config.flags import as_toml

        flag = f"--{key.name}"
        if key.path and isinstance(value, str) and value:
            value = os.path.join(os.path.realpath(cwd), value)
        try:
            read = key.read(as_toml(value), known)
        except WrongValueError as wrong:
            raise ConfigError(wrong.message, key=flag, hint=wrong.hint) from None
        values.put(key, read, flag)
        for entry in read if isinstance(read, dict) else ():
            values.origins[f"{key.field}.{entry}"] = flag


def _apply_default_corpus(known: Known, values: _Values) -> None:
    """The default is read like any value, for the folder may be a link."""
    key = KEYS["corpus"]
    try:
        values.put(key, key.read(Settings._field_defaults[key.field], known), "default")
    except WrongValueError as wrong:
        raise ConfigError(wrong.message, key=key.name, hint=wrong.hint) from None


def describe(settings: Settings) -> tuple[tuple[str, str, str], ...]:
    """Every setting in force: (key, value as TOML, where it came from), in a fixed order.

    A table that is not empty is told entry by entry, under dotted keys.
    """
    rows: list[tuple[str, str, str]] = []
    for key in KEYS.values():
        value = getattr(settings, key.field)
        entries = dict(value) if key.table else {}
        for name in sorted(entries):
            origin = settings.origins.get(f"{key.field}.{name}", "default")
            rows.append((f"{key.name}.{_quoted_key(name)}", _toml(entries[name]), origin))
        if not entries:
            text = "{}" if key.table else _toml(key.words.get(value, value))
            rows.append((key.name, text, settings.origins.get(key.field, "default")))
    return tuple(rows)


def _toml(value: object) -> str:
    if isinstance(value, Severity):
        return _quoted(value.label)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return str(value)


def _quoted_key(name: str) -> str:
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else _quoted(name)


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
