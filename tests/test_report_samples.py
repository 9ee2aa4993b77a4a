"""Reports to show: small builders the tests of all formats share, held to the real `Source`."""

from __future__ import annotations

from typing import Any

from spectastic.config import Settings
from spectastic.engine import Report
from spectastic.findings import Finding, Related, Rule, Severity, Span
from spectastic.source import Source
from spectastic.spec.model import State

RULES = (
    Rule("corpus-provenance", Severity.ERROR, "a citation resolves to no committed document"),
    Rule("corpus-staleness", Severity.WARNING, "a pinned edition is superseded"),
    Rule("corpus-ungrounded-claim", Severity.INFO, "a decision cites nothing"),
)

SPEC = """\
# Settlement

<spec-decision id="D-001">

Trade date + 1, KB-0009@2099-01-01, replaces the T+2 of KB-0001@2017-09-05.

</spec-decision>

<spec-decision id="D-002">
"""
REGISTRY = """\
| KB-NNNN | Title | Edition |
|---|---|---|
| KB-0001 | US equities settlement cycle | 2024-05-28 |
"""


def finding(
    text: str, token: str, rule: Rule = RULES[0], path: str = "docs/settlement.md", **more: Any
) -> Finding:
    """A finding of `rule` on the first occurrence of `token` in a file of that text, located."""
    data = text.encode()
    start = data.index(token.encode())
    span = Span(start, start + len(token.encode()))
    message = more.pop("message", f"{token} is wrong")
    return rule.at(path, span, message, **more)._replace(location=Source(path, data).locate(span))


def related(text: str, token: str, message: str, path: str) -> Related:
    """A second place, located."""
    data = text.encode()
    start = data.index(token.encode())
    span = Span(start, start + len(token.encode()))
    return Related(path, span, message, Source(path, data).locate(span))


def report(*findings: Finding, **more: Any) -> Report:
    """A report on 14 specs with 16 decisions, unless told otherwise."""
    settings = Settings(root="/repo", fail_on=more.pop("fail_on", Severity.ERROR))
    values: dict[str, Any] = {
        "findings": findings,
        "specs": 14,
        "citations": 31,
        "decisions": states(grounded=12, stale=1, assumed=3),
        "removed": (),
        "settings": settings,
    }
    return Report(**(values | more))


def states(**counts: int) -> dict[State, int]:
    """Decisions by state, every state named."""
    return {state: counts.get(state.value, 0) for state in State}


def sample() -> Report:
    """Three findings with all that a finding can have."""
    row = related(REGISTRY, "2024-05-28", "the current edition", "knowledge/index.md")
    return report(
        finding(
            SPEC,
            "KB-0009@2099-01-01",
            message="KB-0009@2099-01-01 resolves to nothing: knowledge/index.md has no row KB-0009",
            hint="did you mean KB-0001?",
            subject="KB-0009@2099-01-01",
        ),
        finding(
            SPEC,
            "KB-0001@2017-09-05",
            RULES[1],
            message="KB-0001@2017-09-05 is superseded by 2024-05-28",
            hint="read the current edition, then cite KB-0001@2024-05-28",
            subject="KB-0001@2017-09-05",
            related=(row,),
        ),
        finding(
            SPEC,
            '<spec-decision id="D-002">',
            RULES[2],
            message="decision D-002 cites nothing",
            subject="D-002",
        ),
        decisions=states(ungrounded=1, grounded=12, assumed=3),
    )


def test_the_sample_counts_what_it_shows() -> None:
    assert list(sample().severities.values()) == [1, 1, 1]
    assert sample().failed
