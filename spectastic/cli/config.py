"""`spectastic config`: print the settings in force, and where each came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import flags, streams
from spectastic.cli.errors import OK
from spectastic.findings import Severity
from spectastic.text import printable

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from spectastic.config import Settings


def configure(parser: ArgumentParser) -> None:
    """The options of `config`."""
    flags.add_settings(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Print the settings.

    Raises:
        TroubleError: the configuration or an option is wrong.
    """
    settings = flags.load(options)
    streams.write(
        [_document(settings)] if options.json else (printable(line) + "\n" for line in _lines(settings))
    )
    return OK


def _lines(settings: Settings) -> Iterator[str]:
    """TOML, with the origins as comments."""
    from spectastic.config import describe

    yield f"# root: {settings.root} ({settings.origins.get('root', 'default')})"
    yield f"# paths: {', '.join(settings.paths) or 'the whole tree'}"
    rows = [(f"{key} = {value}", origin) for key, value, origin in describe(settings)]
    longest = max(len(text) for text, _ in rows if len(text) <= 60)
    for text, origin in rows:
        yield f"{text:<{longest}}  # {origin}"


def _document(settings: Settings) -> str:
    from json import dumps

    from spectastic.config.keys import KEYS

    entries = {
        name.replace("_", "-"): {"value": _plain(value), "origin": settings.origins.get(name, "default")}
        for name, value in settings._asdict().items()
        if name not in ("root", "paths", "origins")
    }
    ignores = {pattern: list(rules) for pattern, rules in settings.per_path_ignores}
    entries["per-path-ignores"]["value"] = ignores
    for key in KEYS.values():
        if key.words:
            value = getattr(settings, key.field)
            entries[key.name]["value"] = key.words.get(value, value)
    root = {"value": settings.root, "origin": settings.origins.get("root", "default")}
    document = {"version": 1, "root": root, "paths": list(settings.paths), "settings": entries}
    return dumps(document, indent=2) + "\n"


def _plain(value: object) -> object:
    """A setting as JSON has it: lists, tables, strings and numbers."""
    match value:
        case Severity():
            return value.label
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case tuple():
            return list(value)
        case _:
            return value
