"""The closing lines of a report: what was checked, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import BASELINE, COMMENT
from spectastic.report import cells
from spectastic.report.view import GREEN, RED, YELLOW, View, amount, paint

if TYPE_CHECKING:
    from spectastic.report.model import Report

_BY = {COMMENT: "by comments", BASELINE: "by the baseline"}


def summary(report: Report, view: View) -> str:
    """Two lines (on a narrow terminal more): the count of what was checked, and the verdict.

    A third one where there is something to fix, or something that is not shown.
    """
    checked, more = _checked(report), _more(report)
    if view.width:
        checked, more = ("\n".join(cells.wrap(text, view.width, view.width)) for text in (checked, more))
    return "".join(f"{line}\n" for line in (checked, _verdict(report, view), more) if line)


def _checked(report: Report) -> str:
    if not report.specs:
        return f"Checked no spec{_and_the_corpus(report)}."
    specs = amount(report.specs, "spec")
    citations = amount(report.citations, "citation")
    states = [f"{count:,} {state.value}" for state, count in report.decisions.items() if count]
    total = amount(sum(report.decisions.values()), "decision")
    decisions = f"{total} ({', '.join(states)})" if states else total
    return f"Checked {specs}: {decisions}, {citations}."


def _and_the_corpus(report: Report) -> str:
    """What else was checked, where there was no spec."""
    if not report.references:
        return ""
    return f", and the corpus: {amount(report.references, 'reference')}"


def _verdict(report: Report, view: View) -> str:
    counts = [amount(count, severity.label) for severity, count in report.severities.items() if count]
    found = ", ".join(counts)
    if report.failed:
        limit = report.settings.max_warnings
        why = f", and max-warnings is {limit:,}" if report.too_many_warnings else ""
        return f"{paint('Failed:', RED, view)} {found}{why}."
    if found:
        level = report.settings.fail_on.label
        return f"{paint('Passed:', GREEN, view)} {found}, none that fails the run (fail-on is {level})."
    if not report.specs and not report.references:
        return f"{paint('No findings,', YELLOW, view)} and no spec was checked."
    return f"{paint('Passed:', GREEN, view)} no findings."


def _more(report: Report) -> str:
    """What can be fixed, and what is not shown; nothing where there is neither."""
    return " ".join(filter(None, (_fixable(report), _suppressed(report), _outside(report))))


def _fixable(report: Report) -> str:
    fixes = [finding.fix.safe for finding in report.findings if finding.fix]
    safe, unsafe = fixes.count(True), fixes.count(False)
    if not safe:
        return f"{unsafe:,} fixable with --fix --unsafe-fixes." if unsafe else ""
    return f"{safe:,} fixable with --fix" + (f", {unsafe:,} more with --unsafe-fixes." if unsafe else ".")


def _suppressed(report: Report) -> str:
    counts = [f"{count:,} {_BY[by]}" for by, count in report.silenced.items() if count]
    return f"Suppressed: {', '.join(counts)}." if counts else ""


def _outside(report: Report) -> str:
    return f"Outside the change: {report.outside:,}." if report.outside else ""
