"""The words every room shares: where something is, what is wrong there, and which rule says so.

This module imports nothing of spectastic. Every value is immutable.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """How much a finding matters; a larger number is worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The severity as a user writes it: `error`, `warning` or `info`."""
        return self.name.lower()


class Span(NamedTuple):
    """Bytes `[start, end)` of a file, counted from its first byte (a byte order mark included)."""

    start: int
    end: int


class Location(NamedTuple):
    """A span as people and formats read it.

    Lines and columns start at 1; `end_column` is exclusive. `column` counts characters (Unicode
    code points), `utf16_column` UTF-16 code units, `byte_column` bytes. A byte order mark is not
    counted. `excerpt` is the part of the source line around the span, `caret` the index in it where
    the span begins.
    """

    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    utf16_column: int = 1
    utf16_end_column: int = 1
    excerpt: str = ""
    caret: int = 0
    byte_column: int = 1
    byte_end_column: int = 1


class Edit(NamedTuple):
    """Replace the bytes of `span`, which are `old` in UTF-8, by `text`.

    An edit whose span holds anything else is no edit of that file: it is dropped, not tried.
    """

    span: Span
    text: str
    old: str
    location: Location = Location()


class Fix(NamedTuple):
    """Edits to one file that belong together. `safe`: nobody has to have read anything first."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


class Related(NamedTuple):
    """A second place that explains a finding, such as the row that moved on."""

    path: str
    span: Span
    message: str
    location: Location = Location()


class Finding(NamedTuple):
    """One thing that is wrong.

    `path` is relative to the repository root, with `/`. A rule gives `span`; the engine fills in
    `location`, and the severity in force. `subject` is what the finding is about (the citation's
    text, a row's id), and `decision` the id of the decision that it stands in, so that a finding can be
    recognised when lines move.
    """

    rule: str
    severity: Severity
    message: str
    path: str
    span: Span = Span(0, 0)
    hint: str = ""
    subject: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    location: Location = Location()
    decision: str = ""


#: What can silence a finding, in the order in which reports count it: a comment in its spec, the baseline.
COMMENT = "comment"
BASELINE = "baseline"
MEANS = (COMMENT, BASELINE)


class Suppressed(NamedTuple):
    """A finding that does not count, by what (one of `MEANS`), and the reason given."""

    finding: Finding
    by: str
    reason: str = ""


class Problem(NamedTuple):
    """Something a parser could not take as it stood; a rule turns it into a finding."""

    span: Span
    message: str
    hint: str = ""
    subject: str = ""
    related: tuple[Related, ...] = ()


class Rule(NamedTuple):
    """A check: its id as users write it, its default severity and one line on what it reports."""

    id: str
    severity: Severity
    summary: str

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        *,
        hint: str = "",
        subject: str = "",
        related: tuple[Related, ...] = (),
        fix: Fix | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of this rule, at its default severity unless one is given."""
        return Finding(
            rule=self.id,
            severity=self.severity if severity is None else severity,
            message=message,
            path=path,
            span=span,
            hint=hint,
            subject=subject,
            related=related,
            fix=fix,
        )

    def from_problem(self, path: str, problem: Problem) -> Finding:
        """A finding of this rule for what a parser reported."""
        return self.at(
            path,
            problem.span,
            problem.message,
            hint=problem.hint,
            subject=problem.subject,
            related=problem.related,
        )
