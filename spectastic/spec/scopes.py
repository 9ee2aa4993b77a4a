"""Which part of a spec each suppression is about.

- `ignore-file`: all of it.
- `ignore` directly before a decision, with nothing but blanks, line breaks and other comments
  between: that decision. Indentation and, in Markdown, the marks of block quotes are blanks.
- Else, in a decision: the innermost one around it. So is one behind text in a line of a decision,
  whatever follows.
- Elsewhere: from the comment to the first blank line after the text that follows it.

The reader tells of comments and decisions in document order, and time is linear in the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.findings import Problem, Span
from spectastic.spec.model import Suppression
from spectastic.spec.suppression import parse
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from spectastic.source import Source
    from spectastic.spec.html import Places
    from spectastic.spec.model import Decision
    from spectastic.spec.suppression import Directive

_BLANK = {
    "html": (re.compile(b"\\s*"), re.compile(b"\\n[ \\t\\f\\v]*(?=\\n|\\Z)")),
    "markdown": (
        re.compile(b"[ \\t\\f\\v]*(?:\\n[ \\t\\f\\v>]*)*"),
        re.compile(b"\\n[ \\t\\f\\v>]*(?=\\n|\\Z)"),
    ),
}


class Comments:
    """Collects the comments of a spec; `finish` gives those that are suppressions."""

    __slots__ = ("_base", "_blank_line", "_end", "_found", "_gap", "_owners", "_run", "_stop", "_text")

    def __init__(self, source: Source, html: bool) -> None:
        self._text = source.encoded
        self._base = source.base
        self._gap, self._blank_line = _BLANK["html" if html else "markdown"]
        self._found: list[Suppression] = []
        #: For each that was found, the decision that it is about.
        self._owners: list[int | None] = []
        #: Those that nothing but comments and blanks follow so far, and where the last comment ends.
        self._run: list[int] = []
        self._end = 0
        #: Where a blank line was looked for, and where it was found.
        self._stop = (0, -1)

    def add(
        self, places: Places, part: tuple[int, int], doubt: str, inside: int | None, *, behind: bool
    ) -> None:
        """A comment, the characters `part` of `places`, in the decision `inside`.

        `doubt` names what is still open before it in a browser, which then sees no comment. `behind`:
        it stands behind text of that decision in its line, so it is about no other.
        """
        start, end = part
        comment = places.text[start:end]
        directive = parse(comment)
        # Places are asked in rising order, which is what they are quick at.
        first = places.start(start)
        rules = () if directive is None else _placed(directive, places, start)
        span = Span(first, places.end(end))
        if not self._follows(first):
            self._part()
        self._end = span.end
        if directive is None:
            return
        problem = _problem(directive, span, comment, doubt)
        scope = Span(0, self._base + len(self._text)) if directive.whole_file else span
        if not directive.whole_file and not behind:
            self._run.append(len(self._found))
        self._found.append(Suppression(span, scope, rules, directive.reason, problem, directive.whole_file))
        self._owners.append(None if directive.whole_file else inside)

    def opened(self, start: int, index: int) -> None:
        """The start tag of a decision, the one with that index."""
        if self._follows(start):
            for found in self._run:
                self._owners[found] = index
            self._run.clear()
        else:
            self._part()

    def finish(self, decisions: Sequence[Decision], unclosed: Collection[int]) -> tuple[Suppression, ...]:
        """The suppressions, in order, given all decisions of the spec and which are never closed."""
        self._part()
        # Where a decision ends that is never closed nobody has said: its start tag is all there is of it.
        scopes = [
            decision.span if index in unclosed else decision.extent
            for index, decision in enumerate(decisions)
        ]
        return tuple(
            [
                found if owner is None else found._replace(scope=scopes[owner])
                for found, owner in zip(self._found, self._owners, strict=True)
            ]
        )

    def _follows(self, start: int) -> bool:
        """Whether what begins at an offset comes directly after suppressions."""
        if not self._run:
            return False
        return self._gap.fullmatch(self._text, self._end - self._base, start - self._base) is not None

    def _part(self) -> None:
        """Other text follows the last comments."""
        for index in self._run:
            found = self._found[index]
            if self._owners[index] is None:
                self._found[index] = found._replace(scope=Span(found.span.start, self._after()))
        self._run.clear()

    def _after(self) -> int:
        """Where the text that follows the last comment ends: at a blank line."""
        gap = self._gap.match(self._text, self._end - self._base)
        start = self._end - self._base if gap is None else gap.end()
        asked, found = self._stop
        if not asked <= start <= found:
            line = self._blank_line.search(self._text, start)
            found = len(self._text) if line is None else line.start() + 1
            self._stop = start, found
        return self._base + found


def _placed(directive: Directive, places: Places, start: int) -> tuple[tuple[str, Span], ...]:
    """The names in a comment that begins at character `start`, with their places in the file."""
    return tuple(
        [
            (name, Span(places.start(start + first), places.end(start + end)))
            for name, first, end in directive.rules
        ]
    )


def _problem(directive: Directive, span: Span, comment: str, doubt: str) -> Problem | None:
    """Why a comment silences nothing, if that is so."""
    if directive.problem is not None:
        return Problem(span, *directive.problem, subject=short(comment))
    if not doubt:
        return None
    message = f"the comment silences nothing: to a browser it is part of the {doubt} before it"
    return Problem(span, message, f"end the {doubt} that is open before it", subject=short(comment))
