"""Results as text: Markdown, which a terminal shows with colours and without the signs."""

from __future__ import annotations

import os
import re
import sys

from spectastic.cli import streams
from spectastic.grounding.markdown import bullets, line
from spectastic.text import inert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

_BOLD, _DIM, _GREEN, _YELLOW, _RED = "1", "2", "32", "33", "31"
_SURE = {"high": _GREEN, "medium": _YELLOW, "low": _RED}
_STRONG = r"\*\*(.+?)\*\*"
_CONFIDENCE = r"(?<=\*\*Confidence:\*\* )(?:high|medium|low)\b"
#: A title is no longer.
_TITLE = 80
#: So many oddities of the data are told.
_WARNINGS = 3


def search(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of what a search found."""
    yield f"## {line(found['query']) or '(no query)'}"
    yield ""
    which = "stack" if "stack" in found else "domain"
    close = f" · **Nearly:** {line(found['runner_up_domain'])}" if "runner_up_domain" in found else ""
    yield f"**{which.capitalize()}:** {line(found[which])}{close}"
    yield _source(found)
    for number, row in enumerate(found["results"]):
        yield from ("", f"### {number + 1}. {_title(row)}", "")
        yield from bullets(row)
        words = found.get("matched_terms", [])[number : number + 1]
        yield from (f"- **(matched):** {line(', '.join(held))}" for held in words if held)
    yield from listed("Evidence gap", found["evidence_gap"])
    yield from more(found)


def more(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines of what is told beside the rows: short words, spelling, and what is odd about the data."""
    dropped = found.get("tokens_dropped", {}).items()
    near = [f"{word} (did you mean {meant}?)" if meant else word for word, meant in dropped]
    yield from listed("Too short to be looked for", near)
    yield from listed("Did you mean", found.get("suggestions", ()))
    warnings = list(found.get("corpus_warnings", ()))
    rest = len(warnings) - _WARNINGS
    if rest > 0:
        warnings[_WARNINGS:] = [f"and {rest:,} more; spectastic ground validate --check-data lists them"]
    yield from listed("About the data", warnings)


def _source(found: Mapping[str, Any]) -> str:
    of = f" of {found['filtered_from']:,}" if "filtered_from" in found else ""
    held = found["confidence"]
    parts = [f"**Source:** {line(found['file'])}"] if "file" in found else []
    parts += [f"**Found:** {found['count']}{of}", f"**Confidence:** {held['label']} ({held['score']})"]
    return " · ".join(parts)


def listed(head: str, items: Iterable[object]) -> Iterator[str]:
    """A list under a heading; nothing where there is nothing to list."""
    lines = [f"- {line(item)}" for item in items]
    if lines:
        yield from ("", f"### {head}", "", *lines)


def _title(row: Mapping[Any, Any]) -> str:
    """What a row is called: its first cell that is not empty."""
    from spectastic.text import short

    return short(next(filter(None, map(line, row.values())), "(empty)"), _TITLE)


def show(lines: Iterable[str]) -> None:
    """Print lines of Markdown; on a terminal, draw them."""
    shown: Iterable[str] = map(inert, lines)
    if streams.is_terminal(sys.stdout):
        color = streams.wants_color("auto", os.environ, terminal=True)
        width = max(40, min(streams.columns(sys.stdout), 110))
        shown = (part for text in shown for part in drawn(text, width, color=color))
    streams.write(f"{text}\n" for text in shown)


def drawn(text: str, width: int, *, color: bool) -> Iterator[str]:
    """A line of Markdown as a terminal shows it, folded to its width."""
    from textwrap import wrap

    if text.startswith("#"):
        yield _paint(text.lstrip("#").strip(), _BOLD, color=color)
        return
    item = text.startswith("- ")
    text = f"  {text[2:]}" if item else text
    parts = wrap(text, width, subsequent_indent="    " if item else "", break_on_hyphens=False)
    for part in parts or [""]:
        yield _without_signs(part, color=color)


def _without_signs(text: str, *, color: bool) -> str:
    """Names of columns dim instead of between asterisks, and how sure it is in a colour."""
    text = re.sub(_CONFIDENCE, lambda match: _paint(match[0], _SURE[match[0]], color=color), text)
    return re.sub(_STRONG, lambda match: _paint(match[1], _DIM, color=color), text)


def _paint(text: str, style: str, *, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color else text
