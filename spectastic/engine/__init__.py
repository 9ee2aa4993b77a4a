"""The whole pipeline: discover, read, extract, resolve, check, report.

Pure in effect: it reads files, prints nothing, keeps nothing, and gives the same report for the
same tree whatever the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from spectastic import corpus as corpora
from spectastic.discover import discover, path_matcher, removed
from spectastic.locate import Locator
from spectastic.report.model import Report
from spectastic.rules import CORPUS_RULES, RULES, SPEC_RULES, file_unreadable
from spectastic.source import Source, Unreadable, read
from spectastic.spec import extract
from spectastic.spec.model import State
from spectastic.spread import possible, processors, spread

if TYPE_CHECKING:
    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.findings import Finding
    from spectastic.spec.model import Spec

__all__ = ["Report", "check_spec", "validate"]

#: Below this many specs a second process costs more than it saves.
PARALLEL_FROM = 1000
#: How many specs a worker process takes at a time.
CHUNK = 50

Progress = Callable[[int, int], None]


class Checked(NamedTuple):
    """What checking some files gave; `specs` are those that could be read."""

    files: int
    specs: int
    citations: int
    states: dict[State, int]
    findings: list[Finding]


def validate(settings: Settings, progress: Progress | None = None) -> Report:
    """Check what `settings` ask for. `progress` is told (done, total) files now and then.

    Raises `discover.NothingMatches` for a path given by hand that names nothing.
    """
    found = discover(settings)
    corpus = corpora.load(settings.root, settings.corpus, frozenset(settings.extra_licenses))
    total = Checked(0, 0, 0, dict.fromkeys(State, 0), [])
    for part in _check_all(found.specs, corpus, settings):
        total = _add(total, part)
        if progress is not None:
            progress(total.files, len(found.specs))
    findings = total.findings
    findings += file_unreadable.check_unreadable(found.unreadable)
    if found.corpus_asked:
        findings += _check_corpus(corpus)
    return Report(
        findings=tuple(sorted(_in_force(findings, settings), key=_order)),
        specs=total.specs,
        citations=total.citations,
        decisions=total.states,
        settings=settings,
        removed=() if found.specs else removed(settings),
        references=len(corpus.references) if found.corpus_asked else None,
    )


def check_spec(source: Source, corpus: Corpus, *, everywhere: bool = False) -> tuple[Spec, list[Finding]]:
    """Read, resolve and check one spec. `everywhere`: citations outside decisions count as well."""
    spec = corpus.settle(extract(source, everywhere=everywhere))
    findings = list(file_unreadable.check_source(source)) if source.problems else []
    if spec.citing or spec.problems:
        for rule in SPEC_RULES:
            findings += rule.check(spec, corpus)
    return spec, findings


def _check_all(paths: tuple[str, ...], corpus: Corpus, settings: Settings) -> Iterator[Checked]:
    locator = Locator(settings.root)
    jobs = _jobs(settings.jobs, len(paths))
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    if jobs == 1:
        return (_check_files(chunk, corpus, locator, settings) for chunk in chunks)
    _ = corpus.rows  # read once, before the processes part
    return spread(lambda chunk: _check_files(chunk, corpus, locator, settings), chunks, jobs)


def _jobs(wanted: int, specs: int) -> int:
    """How many processes to use; 0 leaves the choice to us."""
    if not possible() or specs <= CHUNK:
        return 1
    if wanted == 0 and specs < PARALLEL_FROM:
        return 1
    return min(wanted or processors(), -(-specs // CHUNK))


def _check_files(paths: Iterable[str], corpus: Corpus, locator: Locator, settings: Settings) -> Checked:
    everywhere = settings.citation_scope == "document"
    files, specs, citations, states = 0, 0, 0, dict.fromkeys(State, 0)
    findings: list[Finding] = []
    for path in paths:
        files += 1
        source = read(settings.root, path)
        if isinstance(source, Unreadable):
            findings += file_unreadable.check_unreadable([source])
            continue
        specs += 1
        spec, found = check_spec(source, corpus, everywhere=everywhere)
        if found:
            findings += locator.locate(found, source)
        for decision in spec.decisions:
            states[corpus.state(decision)] += 1
        citations += sum([len(place.citations) for place in spec.citing])
    return Checked(files, specs, citations, states, findings)


def _add(total: Checked, part: Checked) -> Checked:
    total.findings.extend(part.findings)
    return Checked(
        files=total.files + part.files,
        specs=total.specs + part.specs,
        citations=total.citations + part.citations,
        states={state: count + part.states[state] for state, count in total.states.items()},
        findings=total.findings,
    )


def _check_corpus(corpus: Corpus) -> Iterator[Finding]:
    findings = [finding for rule in CORPUS_RULES for finding in rule.check(corpus)]
    return Locator(corpus.root).locate(findings)


def _in_force(findings: Iterable[Finding], settings: Settings) -> Iterator[Finding]:
    """The findings that settings leave, at the severity that settings give them."""
    # What cannot be read was not checked: choosing some rules must not make that look like nothing wrong.
    wanted = frozenset((*settings.select, file_unreadable.RULE.id) if settings.select else RULES)
    wanted -= frozenset(settings.ignore)
    ignores = [(path_matcher((pattern,)), frozenset(rules)) for pattern, rules in settings.per_path_ignores]
    for finding in findings:
        if finding.rule not in wanted:
            continue
        if any(finding.rule in rules and matches(finding.path) for matches, rules in ignores):
            continue
        severity = settings.severity.get(finding.rule)
        yield finding if severity is None else finding._replace(severity=severity)


def _order(finding: Finding) -> tuple[bytes, int, int, str, str]:
    path = finding.path.encode("utf-8", "surrogateescape")
    return path, finding.location.line, finding.location.column, finding.rule, finding.message
