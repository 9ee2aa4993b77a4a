"""Flags, brought into the shape that a configuration file has, so that both are read the same way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spectastic.findings import Severity


def as_toml(value: object) -> object:
    """A value as TOML would hold it: lists, tables of strings and lists, severities as words.

    What has no place in TOML stays as it is, and is refused by whoever reads the setting.
    """
    if isinstance(value, Severity):
        return value.label
    if isinstance(value, Mapping):
        return {name: as_toml(item) for name, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [as_toml(item) for item in value]
    return value
