"""How a report is to be shown, and what all formats share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from spectastic.findings import Rule, Severity
from spectastic.text import SKIPPED, inert, printable

if TYPE_CHECKING:
    from spectastic.report.model import Report


class View(NamedTuple):
    """What a format may need to know about the place it writes to.

    `cwd` is the absolute folder that text formats show paths relative to; `""` shows them relative
    to the root. `width` is that of a terminal in columns, 0 where there is none. `encoding` is
    what the text will be encoded as. `rules` are all rules in their order, `page` gives a rule's
    page, in Markdown, by its id. `prefix` leads from the top of the git repository to the root: `""`,
    or a path that ends in `/`. Formats that other programs read show paths relative to that top.
    `suppressed`: list what comments and the baseline silence, in formats that can.
    """

    cwd: str = ""
    color: bool = False
    width: int = 0
    encoding: str = "utf-8"
    summary: bool = True
    statistics: bool = False
    rules: tuple[Rule, ...] = ()
    version: str = ""
    page: Callable[[str], str] = str
    prefix: str = ""
    suppressed: bool = True


PLAIN = View()

#: Where people read about a rule, when the report is all that they have.
DOCS = "https://github.com/spectastic/spectastic/blob/main/docs/"

#: A format gives the report piece by piece, each piece whole lines, so that a large one streams.
Formatter = Callable[["Report", View], Iterator[str]]

BOLD = "1"
GREEN = "1;32"
RED = "1;31"
YELLOW = "1;33"
BLUE = "1;34"
CYAN = "1;36"

SEVERITY_COLORS = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}

#: At the beginning of a line, GitHub's runner finds a command after `::` as well. A colon follows every path.
_FIRST = rf"[\s\x80-\U0010ffff]*+(?::{SKIPPED}(?::|\Z)|#{SKIPPED}#)"


def paint(text: str, style: str, view: View) -> str:
    """`text` in a terminal style (the numbers of an SGR sequence), where the view has colour."""
    return f"\x1b[{style}m{text}\x1b[0m" if view.color and text else text


def shown(path: str) -> str:
    """A path to begin a line with, printable and inert."""
    return f"./{inert(path)}" if _begins_command(path) else inert(path)


def _begins_command(path: str) -> bool:
    # Compiling the pattern takes longer than all else in this module, and hardly any path needs it.
    return (":" in path or "#" in path) and re.match(_FIRST, path) is not None


def paths(root: str, cwd: str) -> Callable[[str], str]:
    """A function from paths relative to `root` to paths a reader in `cwd` can open, as `shown`."""
    if cwd in ("", root):
        return shown
    known: dict[str, str] = {}

    def place(path: str) -> str:
        if path not in known:
            known[path] = shown(_relative(os.path.join(root, path), cwd).replace(os.sep, "/"))
        return known[path]

    return place


def from_top(view: View) -> Callable[[str], str]:
    """A function from paths relative to the root to paths from the top of the git repository, as `shown`."""
    return lambda path: shown(view.prefix + path)


def of_command(path: str) -> str:
    """A path, printable, as a value in a command: the runners drop each `=` that a value begins with."""
    return f"./{printable(path)}" if path.startswith("=") else printable(path)


def _relative(path: str, cwd: str) -> str:
    try:
        return os.path.relpath(path, cwd)
    except ValueError:  # Windows: another drive
        return path


def amount(number: int, noun: str) -> str:
    """`1 spec`, `2 specs`, `1,234 specs`."""
    plural = noun if number == 1 or noun == "info" else f"{noun}s"
    return f"{number:,} {plural}"
