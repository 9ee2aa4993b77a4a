"""The options that stand for settings, shared by every command that reads the configuration."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError, BooleanOptionalAction
from typing import TYPE_CHECKING

from spectastic.cli.errors import TroubleError
from spectastic.cli.parser import whole_number

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.config import Settings

#: Options whose value is a list: given several times, or with commas between the items.
_LISTS = {
    "--select": ("RULE", "check these rules only"),
    "--ignore": ("RULE", "leave these rules out"),
    "--include": ("PATTERN", "of the specs found, check only those that match (gitignore patterns)"),
    "--exclude": ("PATTERN", "leave out specs that match (gitignore patterns)"),
    "--skip-folders": ("NAME", "do not enter folders of these names (default: archive,withdrawn)"),
    "--extra-licenses": ("LICENSE", "licenses to count as permissive besides the built-in ones"),
}
_LEVELS = ("error", "warning", "info")


def add_settings(parser: ArgumentParser) -> None:
    """Paths, and one option for each setting."""
    parser.usage = f"{parser.prog} [OPTION…] [PATH…]"
    parser.add_argument("paths", nargs="*", metavar="PATH", help="specs or folders (default: the whole tree)")
    group = parser.add_argument_group("settings", "Each overrides the configuration file; lists take commas.")
    for option, (metavar, text) in _LISTS.items():
        group.add_argument(option, action="extend", type=_items, metavar=metavar, help=text)
    group.add_argument(
        "--severity", action="extend", type=_levels, metavar="RULE=LEVEL", help="set a rule's severity"
    )
    group.add_argument(
        "--per-path-ignores",
        action="append",
        type=_ignores,
        metavar="PATTERN=RULE",
        help="leave rules out for the paths that match; repeat it for another pattern",
    )
    group.add_argument(
        "--fail-on",
        choices=_LEVELS,
        help="least severity that fails the run (default: error); corpus-ungrounded-claim never does",
    )
    group.add_argument(
        "--max-warnings",
        type=_max_warnings,
        metavar="N",
        help="fail the run if there are more warnings than N",
    )
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="leave out the findings that this file holds (see --write-baseline)",
    )
    group.add_argument(
        "--citation-scope",
        choices=("decision", "document"),
        help="where citations count: in decisions (default), or anywhere in a spec",
    )
    group.add_argument("--corpus", metavar="DIR", help="the corpus folder (default: knowledge)")
    group.add_argument(
        "--force-exclude",
        action=BooleanOptionalAction,
        help="let exclude apply to paths given by hand too",
    )
    group.add_argument("--jobs", type=_jobs, metavar="N", help="worker processes, or auto")
    group = parser.add_argument_group("where settings come from")
    group.add_argument("--root", metavar="DIR", help="the repository root (default: found from here)")
    group.add_argument("--config", metavar="FILE", help="read this configuration file")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")


def load(options: Namespace) -> Settings:
    """The settings in force.

    Raises:
        TroubleError: the configuration or an option is wrong.
    """
    from spectastic import config
    from spectastic.rules import RULES

    names = ("fail_on", "max_warnings", "baseline", "citation_scope", "corpus", "force_exclude", "jobs")
    flags: dict[str, object] = {name: getattr(options, name) for name in names}
    for option in _LISTS:
        name = option[2:].replace("-", "_")
        items = getattr(options, name)
        flags[name] = None if items is None else tuple(items)
    flags["severity"] = None if options.severity is None else dict(options.severity)
    flags["per_path_ignores"] = (
        None if options.per_path_ignores is None else _merged(options.per_path_ignores)
    )
    try:
        settings = config.load(
            root=options.root,
            paths=options.paths,
            flags=flags,
            cwd=os.getcwd(),
            config=options.config,
            isolated=options.isolated,
            known_rules=RULES,
        )
    except config.ConfigError as error:
        raise TroubleError(str(error)) from error
    return settings


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _pair(text: str, shape: str) -> tuple[str, str]:
    left, equals, right = text.rpartition("=")
    if not equals or not left.strip() or not right.strip():
        raise ArgumentTypeError(f"'{text}' is not of the form {shape}")
    return left.strip(), right.strip()


def _levels(text: str) -> list[tuple[str, str]]:
    return [_pair(item, "RULE=LEVEL") for item in _items(text)]


def _ignores(text: str) -> tuple[str, tuple[str, ...]]:
    pattern, rules = _pair(text, "PATTERN=RULE,RULE")
    return pattern, tuple(_items(rules))


def _merged(pairs: list[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for pattern, rules in pairs:
        table.setdefault(pattern, []).extend(rules)
    return table


def _max_warnings(text: str) -> int | str:
    if text == "unlimited":
        return text
    return whole_number(text, "is neither unlimited nor a number of warnings", 0)


def _jobs(text: str) -> int | str:
    if text == "auto":
        return text
    return whole_number(text, "is neither auto nor a number of processes")
