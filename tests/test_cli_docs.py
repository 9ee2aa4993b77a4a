"""docs/cli.md says what the parsers take, no more and no less."""

from __future__ import annotations

import re
from pathlib import Path

from spectastic import cli
from spectastic.cli import config, explain, validate
from spectastic.cli.parser import Parser

PAGE = (Path(__file__).parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")


def options() -> set[str]:
    found: set[str] = set()
    for name, command in (("validate", validate), ("explain", explain), ("config", config)):
        parser = Parser(name, "")
        command.configure(parser)
        found.update(parser._option_string_actions)
    return found


def test_every_option_has_its_row() -> None:
    documented = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", PAGE))
    assert options() - {"-h"} <= documented
    assert documented - {"--version", "-m"} <= options()


def test_every_command_is_named() -> None:
    for name, summary in cli._COMMANDS.items():
        assert re.search(rf"spectastic {name} .* {re.escape(summary)}\n", PAGE)
        assert f"\n## {name}\n" in PAGE
