"""Report: what a run found. Every format prints one of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.config import UNLIMITED
from spectastic.findings import MEANS, Finding, Severity, Suppressed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.config import Settings
    from spectastic.spec.model import State

#: A nudge: whatever its severity, it never makes a run fail (DESIGN section 4).
NUDGE = "corpus-ungrounded-claim"


class Report(NamedTuple):
    """What a run found. `findings` are in order of path, line, column, rule and message.

    `specs` counts the specs that were read, `references` the documents of the corpus (`None` where
    the corpus was not asked for), `decisions` the decisions in each grounding state, worst first.
    `removed` says, when there was no spec to check, how many files each setting left out.
    `suppressed` are the findings that a comment or the baseline silences, in the same order, `outside`
    counts those that a run about changes (`--since`) leaves out. `notices` are for the person who
    started the run: what could not be looked at, and does not make the run fail. `exit_zero`: findings
    do not change the exit code.
    """

    findings: tuple[Finding, ...]
    specs: int
    citations: int
    decisions: dict[State, int]
    settings: Settings
    removed: tuple[tuple[str, int], ...] = ()
    references: int | None = None
    suppressed: tuple[Suppressed, ...] = ()
    outside: int = 0
    notices: tuple[str, ...] = ()
    exit_zero: bool = False

    @property
    def severities(self) -> dict[Severity, int]:
        """How many findings there are of each severity, worst first."""
        counts = dict.fromkeys(sorted(Severity, reverse=True), 0)
        for finding in self.findings:
            counts[finding.severity] += 1
        return counts

    @property
    def silenced(self) -> dict[str, int]:
        """How many findings each of `MEANS` silences."""
        counts = dict.fromkeys(MEANS, 0)
        for entry in self.suppressed:
            counts[entry.by] += 1
        return counts

    @property
    def too_many_warnings(self) -> bool:
        """Whether there are more warnings than `max-warnings` allows."""
        limit = self.settings.max_warnings
        return limit != UNLIMITED and sum(map(_is_counted, self.findings)) > limit

    @property
    def failing(self) -> Iterator[bool]:
        """For each finding whether it makes the run fail: by itself, or as one of too many warnings."""
        many = self.too_many_warnings
        for finding in self.findings:
            # A nudge never does, whatever its severity.
            by_itself = finding.severity >= self.settings.fail_on and finding.rule != NUDGE
            yield by_itself or (many and _is_counted(finding))

    @property
    def failed(self) -> bool:
        """Whether the run fails."""
        return any(self.failing)

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return 0 if self.exit_zero else int(self.failed)


def _is_counted(finding: Finding) -> bool:
    """Whether `max-warnings` counts a finding."""
    return finding.severity is Severity.WARNING and finding.rule != NUDGE
