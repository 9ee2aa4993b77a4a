"""For a comment on a pull request: a verdict, a table, and below it what to do.

What a spec says ends up on a page that people trust, so nothing of it may become a link, an image, an
element, a mention of somebody or a reference to an issue. GitHub finds the last two in any text, however it
is escaped, but not in code. So a word of plain letters stays as it is, and any other becomes code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.report.summary import summary
from spectastic.report.view import PLAIN, amount
from spectastic.text import COMMAND, printable, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.findings import Finding, Location
    from spectastic.report.model import Report
    from spectastic.report.view import View

#: A bot finds its comment by this line, and replaces it.
MARKER = "<!-- spectastic report -->\n"

#: So many bytes at most: GitHub takes 65,536 characters in a comment, and 1 MiB in the summary of a step,
#: to which other commands of the step may add.
COMMENT = 65_536
STEP_SUMMARY = 1_000_000

#: A text longer than this is cut.
_LONGEST = 1000
#: Room for the closing tag and the two lines about what is left out.
_CLOSING = 1000

_BEFORE = "(\"'“‘«"
_AFTER = ")\"'”’»,.;:!?…"
#: Letters, and what is neither ASCII nor a blank; a hyphen or an apostrophe between them. Or a small number.
_PLAIN = re.compile(r"[a-zA-Z\x80-\U0010ffff]++(?:['-][a-zA-Z\x80-\U0010ffff]++)*+|[0-9]{1,4}")


def render(report: Report, view: View) -> Iterator[str]:
    """The comment. Colour, width and `--quiet` change nothing."""
    yield MARKER
    yield from document(report, view, COMMENT - len(MARKER))


def document(report: Report, view: View, room: int) -> Iterator[str]:
    """The Markdown, in at most `room` bytes (5,000 at least)."""
    checked, verdict, *more = summary(report, PLAIN).splitlines()
    label, colon, rest = verdict.partition(":")
    heading = f"**spectastic {label.lower()}:**{rest}" if colon else f"**spectastic:** {verdict}"
    opening = f"{heading}\n\n{' '.join([checked, *map(text, more)])}\n"
    yield opening
    if report.findings:
        room -= len(opening.encode()) + _CLOSING
        yield from _table(sorted(report.findings, key=lambda finding: -finding.severity), view, room)


def _table(findings: list[Finding], view: View, room: int) -> Iterator[str]:
    """The table, worst first, and what to do about it."""
    header = "\n| severity | place | rule | message |\n|---|---|---|---|\n"
    yield header
    # What to do gets a quarter of the room, and all that the table leaves over.
    rows = _fitting((_row(finding, view) for finding in findings), room * 3 // 4 - len(header))
    yield from rows
    if len(rows) < len(findings):
        left = amount(len(findings) - len(rows), "more finding")
        yield f"\n{left} did not fit here; `spectastic validate` shows all.\n"
    room -= len(header) + sum(len(row.encode()) for row in rows)
    hints = [hint for finding in findings[: len(rows)] if (hint := _hint(finding, view))]
    shown = _fitting(hints, room)
    if shown:
        yield "\n<details>\n<summary>What to do</summary>\n\n"
        yield from shown
        yield "\n</details>\n"
    if len(shown) < len(hints):
        yield f"\n{amount(len(hints) - len(shown), 'more hint')} did not fit here.\n"


def _fitting(pieces: Iterable[str], room: int) -> list[str]:
    """The first pieces that fit."""
    kept: list[str] = []
    for piece in pieces:
        room -= len(piece.encode())
        if room < 0:
            break
        kept.append(piece)
    return kept


def _row(finding: Finding, view: View) -> str:
    place = _place(finding.path, finding.location, view)
    return f"| {finding.severity.label} | {place} | {code(finding.rule)} | {text(finding.message)} |\n"


def _hint(finding: Finding, view: View) -> str:
    """An item of a list, and below it the places that explain the finding; nothing where there are none."""
    if not finding.hint and not finding.related:
        return ""
    item = f"- {_place(finding.path, finding.location, view)} {text(finding.hint)}"
    see = (
        f"  - see {_place(path, location, view)} {text(words)}"
        for path, _, words, location in finding.related
    )
    return "".join(f"{line.rstrip()}\n" for line in (item, *see))


def _place(path: str, location: Location, view: View) -> str:
    where = short(printable(view.prefix + path), _LONGEST)
    return code(f"{where}:{location.line}:{location.column}")


def text(words: str) -> str:
    """Text that Markdown shows as it is, on one line, also in a cell of a table."""
    return " ".join(map(_word, short(printable(words), _LONGEST).split()))


def _word(word: str) -> str:
    core = word.lstrip(_BEFORE)
    before = word[: len(word) - len(core)]
    inner = core.rstrip(_AFTER)
    after = core[len(inner) :]
    return before + (inner if not inner or _PLAIN.fullmatch(inner) else code(inner)) + after


def code(words: str) -> str:
    """Text as code. A bar would end a cell of a table even there, so it stands between two pieces.

    So do the marks that a CI runner would take for a command.
    """
    pieces = re.sub(COMMAND, lambda match: f"{match[0][:-1]}\0", words).replace("|", "\1")
    shown = (_code(piece) if piece.strip() else piece for piece in re.split("[\0\1]", pieces))
    marks = iter(["&#35;" if mark == "\0" else "&#124;" for mark in re.findall("[\0\1]", pieces)])
    return "".join(f"{piece}{next(marks, '')}" for piece in shown)


def _code(piece: str) -> str:
    fence = "`"
    while fence in piece:
        fence += "`"
    # A backtick at an end would lengthen the fence. One blank at either side is taken away again.
    blank = " " if piece.startswith(("`", " ")) or piece.endswith(("`", " ")) else ""
    return f"{fence}{blank}{piece}{blank}{fence}"
