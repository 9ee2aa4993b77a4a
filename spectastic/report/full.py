"""For people: each finding with its source line, a caret under the token, and what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.report import cells
from spectastic.report.concise import head
from spectastic.report.statistics import table
from spectastic.report.summary import summary
from spectastic.report.view import BLUE, BOLD, PLAIN, SEVERITY_COLORS, View, paint, paths
from spectastic.text import COMMAND, inert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spectastic.findings import Finding, Related
    from spectastic.report.model import Report

#: Where a message or a hint goes on.
_INDENT = "    "


def render(report: Report, view: View) -> Iterator[str]:
    """The report, finding by finding with a blank line after each, and the summary."""
    if view.statistics:
        yield from table(report, view)
    else:
        place = paths(report.settings.root, view.cwd)
        for index, finding in enumerate(report.findings):
            blank = "\n" if index else ""
            yield blank + "\n".join(_lines(finding, place, view)) + "\n"
    if view.summary:
        if report.findings:
            yield "\n"
        yield summary(report, view)


def _lines(finding: Finding, place: Callable[[str], str], view: View) -> Iterator[str]:
    taken = cells.width(head(finding, place, PLAIN))
    yield head(finding, place, view) + _wrapped(finding.message, taken, view)
    number = str(finding.location.line)
    margin = " " * (len(number) + 1)
    if finding.location.excerpt.strip():
        yield from _snippet(finding, number, view)
    if finding.hint:
        hint = _wrapped(finding.hint, len(margin) + len("= hint:"), view)
        yield f"{margin}{paint('= hint:', BLUE, view)}{hint}"
    for related in finding.related:
        yield f"{margin}{paint('= see', BLUE, view)} {_place(related, len(margin), place, view)}"


def _wrapped(text: str, taken: int, view: View) -> str:
    """A text to follow `taken` cells, broken between words where a terminal would break anywhere."""
    text = inert(text)
    if not view.width:
        return f" {text}"
    first, *more = cells.wrap(text, view.width - taken - 1, view.width - len(_INDENT))
    return "".join((f" {first}" if first else "", *(f"\n{_INDENT}{line}" for line in more)))


def _snippet(finding: Finding, number: str, view: View) -> Iterator[str]:
    """The source line, and a run of carets as wide as the token."""
    before, token, after = _pieces(finding, view)
    if view.width:
        before, token, after = cells.fit(before, token, after, view.width - len(number) - 4)
    bar = paint("|", BLUE, view)
    carets = paint("^" * max(cells.width(token), 1), SEVERITY_COLORS[finding.severity], view)
    source = f"{before}{token}{after}".rstrip()
    yield f" {paint(number, BLUE, view)} {bar} {source}"
    yield f" {' ' * len(number)} {bar} {' ' * cells.width(before)}{carets}"


def _pieces(finding: Finding, view: View) -> tuple[str, str, str]:
    """The excerpt before, in and after the span, as the terminal shows it."""
    place = finding.location
    excerpt, start = place.excerpt, place.caret
    # A span of several lines is underlined to the end of its first.
    length = place.end_column - place.column if place.end_line == place.line else len(excerpt)
    end = start + max(length, 0)
    # No line of a file is a command to the CI runner that reads the log.
    for match in reversed([*re.finditer(COMMAND, excerpt)]):
        at = match.end() - 1
        excerpt = f"{excerpt[:at]}\\x23{excerpt[at + 1 :]}"
        start, end = start + 3 * (at < start), end + 3 * (at < end)
    before = cells.show(excerpt[:start], view.encoding)
    column = cells.width(before)
    token = cells.show(excerpt[start:end], view.encoding, column)
    after = cells.show(excerpt[end:], view.encoding, column + cells.width(token))
    return before, token, after


def _place(related: Related, margin: int, place: Callable[[str], str], view: View) -> str:
    where = f"{place(related.path)}:{related.location.line}:{related.location.column}:"
    message = _wrapped(related.message, margin + len("= see ") + cells.width(where), view)
    return paint(where, BOLD, view) + message
