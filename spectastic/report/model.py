"""Report: what a run found. Every format prints one of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.findings import Finding, Severity, Suppressed

if TYPE_CHECKING:
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
    started the run: what could not be looked at, and does not make the run fail.
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

    @property
    def severities(self) -> dict[Severity, int]:
        """How many findings there are of each severity, worst first."""
        counts = dict.fromkeys(sorted(Severity, reverse=True), 0)
        for finding in self.findings:
            counts[finding.severity] += 1
        return counts

    @property
    def failed(self) -> bool:
        """Whether a finding, other than a nudge, is at or above `fail-on`."""
        limit = self.settings.fail_on
        return any(finding.severity >= limit for finding in self.findings if finding.rule != NUDGE)
