"""The whole pipeline: discover, read, extract, resolve, check, suppress, report.

Pure in effect: it reads files, asks git, prints nothing, keeps nothing, and gives the same report
for the same tree whatever the number of processes. Only `write_baseline` writes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import steady
from spectastic.discover import discover_text
from spectastic.engine.checker import check_spec
from spectastic.engine.errors import UnsteadyError
from spectastic.engine.pipeline import Progress, Request, Run, Setup, check, check_texts, prepare
from spectastic.report.model import Report
from spectastic.rules import corpus_uncommitted
from spectastic.source import Source, read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.config import Settings
    from spectastic.engine.baseline import Baseline, Written
    from spectastic.findings import Finding, Suppressed

#: How often a corpus is read that a command changes meanwhile.
_TRIES = 5

__all__ = [
    "FixedFile",
    "Progress",
    "Report",
    "Request",
    "check_spec",
    "fix",
    "fix_text",
    "validate",
    "validate_text",
    "write_baseline",
]


def validate(settings: Settings, progress: Progress | None = None, request: Request | None = None) -> Report:
    """Check what `settings` ask for. `progress` is told (done, total) files now and then.

    Raises `discover.NothingMatches` for a path given by hand that names nothing, `git.GitError`
    for a revision of `request` that cannot be compared with, and `engine.baseline.BaselineError`
    for a baseline that cannot be read. A corpus that a command changes meanwhile is read again.
    """
    return _report(_steady(settings, request, progress))


def validate_text(settings: Settings, data: bytes, request: Request | None = None) -> Report:
    """Check `data` as the text of the one spec that `settings.paths` names. Raises as `validate`."""
    found, why = discover_text(settings)
    setup = prepare(settings, request or Request(), found)
    run = check_texts(setup, [Source(path, data) for path in found.specs])
    return _report(run._replace(removed=((why, 1),) if why else ()))


class FixedFile(NamedTuple):
    """A file before and after fixing, and how many findings that fixes. `path` is relative to the root.

    `refused` are findings whose fix would do harm.
    """

    path: str
    before: bytes
    after: bytes
    fixed: int
    refused: tuple[Finding, ...]


def fix(
    settings: Settings, progress: Progress | None = None, request: Request | None = None, *, unsafe: bool
) -> list[FixedFile]:
    """What fixing would make of specs with findings to fix; nothing is written. Raises as `validate`."""
    run = _steady(settings, request, progress)
    found = _report(run).findings
    paths = {finding.path for finding in found if finding.fix and (unsafe or finding.fix.safe)}
    # What a link leads to may be anything, and is fixed under its own name if it is a spec.
    own = (path for path in paths if not os.path.islink(os.path.join(settings.root, path)))
    sources = (read(settings.root, path) for path in sorted(own, key=os.fsencode))
    return _fixed(run.setup, (source for source in sources if isinstance(source, Source)), unsafe)


def fix_text(
    settings: Settings, data: bytes, request: Request | None = None, *, unsafe: bool
) -> list[FixedFile]:
    """As `fix`, for `data` as the text of the one spec that `settings.paths` names."""
    found, _ = discover_text(settings)
    setup = prepare(settings, request or Request(), found)
    return _fixed(setup, (Source(path, data) for path in found.specs), unsafe)


def _fixed(setup: Setup, sources: Iterable[Source], unsafe: bool) -> list[FixedFile]:
    from spectastic.engine.fixing import fix_source

    everywhere = setup.settings.citation_scope == "document"
    known = _known(setup.settings)

    def reported(text: Source) -> list[Finding]:
        findings, _, _ = _held(check_texts(setup, [text]), known)
        # Whether git tracks a document says nothing about the token that leads to it.
        return [finding for finding in findings if finding.rule != corpus_uncommitted.RULE.id]

    def unreported(text: Source) -> list[Finding]:
        _, findings = check_spec(text, setup.corpus, everywhere=everywhere)
        return [finding for finding in findings if finding.rule != corpus_uncommitted.RULE.id]

    files = []
    for source in sources:
        done = fix_source(source, reported, unsafe=unsafe, witness=unreported)
        files.append(FixedFile(source.path, source.data, done.source.data, len(done.fixed), done.refused))
    return files


def write_baseline(
    settings: Settings, progress: Progress | None = None, *, prune: bool = False
) -> tuple[Report, Written]:
    """Write the baseline anew, so that it holds what is found now, or (`prune`) what it held of that.

    Raises as `validate`, and `OSError`.
    """
    from spectastic.engine import baseline
    from spectastic.write import replace

    target = os.path.join(settings.root, settings.baseline)
    exists = prune or os.path.lexists(target)
    old = baseline.load(settings.root, settings.baseline) if exists else baseline.Baseline(settings.baseline)
    run = _steady(settings, None, progress)
    findings = sorted(run.tally.findings, key=_order)
    if prune:
        _, held = baseline.Ledger(old).hold(findings)
        findings = [entry.finding for entry in held]
    written = baseline.render(findings, old, baseline.coverage(run))
    replace(target, written.text.encode())
    return _report(run), written


def _steady(settings: Settings, request: Request | None, progress: Progress | None) -> Run:
    """A run through a corpus that nobody changed meanwhile.

    Half of a change looks like a mistake: the registry names one edition, the document another.
    """
    for _ in range(_TRIES):
        before = steady.settled(settings.root, settings.corpus)
        run = check(prepare(settings, request or Request()), progress)
        if steady.mark(settings.root, settings.corpus) == before:
            return run
    raise UnsteadyError(
        f"{settings.corpus} was being changed each of the {_TRIES} times that it was read",
        "run this again when nothing writes to it",
    )


def _report(run: Run) -> Report:
    """What a run found, held to the baseline."""
    setup, tally = run.setup, run.tally
    findings, outside, held = _held(run, _known(setup.settings))
    suppressed = [*tally.suppressed, *held]
    return Report(
        findings=tuple(findings),
        specs=tally.specs,
        citations=tally.citations,
        decisions=tally.states,
        settings=setup.settings,
        removed=run.removed,
        references=run.references,
        suppressed=tuple(sorted(suppressed, key=lambda entry: _order(entry.finding))),
        outside=len(outside),
        notices=tuple(setup.notices),
    )


def _known(settings: Settings) -> Baseline | None:
    """The baseline of the settings, `None` where they name none."""
    if not settings.baseline:
        return None
    # Imported here: most runs have none.
    from spectastic.engine.baseline import load

    return load(settings.root, settings.baseline)


def _held(run: Run, known: Baseline | None) -> tuple[list[Finding], list[Finding], list[Suppressed]]:
    """The findings to report, those that are not new, and those that the baseline holds; in order."""
    findings, outside = (sorted(found, key=_order) for found in (run.tally.findings, run.tally.outside))
    if known is None:
        return findings, outside, []
    from spectastic.engine.baseline import Ledger, coverage
    from spectastic.locate import Locator

    ledger = Ledger(known)
    outside, held_outside = ledger.hold(outside)
    findings, held = ledger.hold(findings)
    unneeded = run.setup.policy.apply(ledger.unneeded(coverage(run)))
    findings = sorted([*findings, *Locator(run.setup.settings.root).locate(unneeded)], key=_order)
    return findings, outside, [*held_outside, *held]


def _order(finding: Finding) -> tuple[bytes, int, int, str, str]:
    path = finding.path.encode("utf-8", "surrogateescape")
    return path, finding.location.line, finding.location.column, finding.rule, finding.message
