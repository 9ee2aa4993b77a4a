"""The whole pipeline: discover, read, extract, resolve, check, report.

Pure in effect: it reads files, prints nothing, keeps nothing, and gives the same report for the
same tree whatever the number of processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from spectastic import corpus as corpora
from spectastic.discover import discover, path_matcher, removed
from spectastic.findings import Finding, Severity
from spectastic.rules import CORPUS_RULES, RULES, SPEC_RULES, file_unreadable
from spectastic.source import Source, Unreadable, read
from spectastic.spec import extract
from spectastic.spec.model import State
from spectastic.spread import possible, processors, spread

if TYPE_CHECKING:
    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.spec.model import Spec

#: Below this many specs a second process costs more than it saves.
PARALLEL_FROM = 1000
#: How many specs a worker process takes at a time.
CHUNK = 50

Progress = Callable[[int, int], None]


class Report(NamedTuple):
    """What a run found. `findings` are in order of path, line, column, rule and message.

    `decisions` counts the decisions in each grounding state, worst first. `removed` says, when no
    spec was checked, how many files each setting left out.
    """

    findings: tuple[Finding, ...]
    specs: int
    citations: int
    decisions: dict[State, int]
    settings: Settings
    removed: tuple[tuple[str, int], ...] = ()

    @property
    def severities(self) -> dict[Severity, int]:
        """How many findings there are of each severity, worst first."""
        counts = dict.fromkeys(sorted(Severity, reverse=True), 0)
        for finding in self.findings:
            counts[finding.severity] += 1
        return counts

    @property
    def failed(self) -> bool:
        """Whether a finding is at or above `fail-on`. A nudge, `corpus-ungrounded-claim`, never counts."""
        return any(
            finding.severity >= self.settings.fail_on
            for finding in self.findings
            if (finding.rule, finding.severity) != ("corpus-ungrounded-claim", Severity.INFO)
        )


class Checked(NamedTuple):
    """What checking some specs gave."""

    specs: int
    citations: int
    states: dict[State, int]
    findings: list[Finding]


def validate(settings: Settings, progress: Progress | None = None) -> Report:
    """Check what `settings` ask for. `progress` is told (done, total) specs now and then.

    Raises `discover.NothingMatches` for a path given by hand that names nothing.
    """
    found = discover(settings)
    corpus = corpora.load(settings.root, settings.corpus, frozenset(settings.extra_licenses))
    total = Checked(0, 0, dict.fromkeys(State, 0), [])
    for part in _check_all(found.specs, corpus, settings):
        total = _add(total, part)
        if progress is not None:
            progress(total.specs, len(found.specs))
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
    )


def check_spec(source: Source, corpus: Corpus, *, everywhere: bool = False) -> tuple[Spec, list[Finding]]:
    """Read, resolve and check one spec; the findings are located and in no special order."""
    spec = corpus.settle(extract(source, everywhere=everywhere))
    findings = list(file_unreadable.check_source(source)) if source.problems else []
    if spec.citing or spec.problems:
        for rule in SPEC_RULES:
            findings += rule.check(spec, corpus)
    return spec, list(_located(findings, {source.path: source}, corpus.root)) if findings else []


def _check_all(paths: tuple[str, ...], corpus: Corpus, settings: Settings) -> Iterator[Checked]:
    jobs = _jobs(settings.jobs, len(paths))
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    if jobs == 1:
        return (_check_chunk(chunk, corpus, settings) for chunk in chunks)
    _ = corpus.rows  # read once, before the processes part
    return spread(lambda chunk: _check_chunk(chunk, corpus, settings), chunks, jobs)


def _jobs(wanted: int, specs: int) -> int:
    """How many processes to use; 0 leaves the choice to us."""
    if not possible() or specs <= CHUNK:
        return 1
    if wanted == 0 and specs < PARALLEL_FROM:
        return 1
    return min(wanted or processors(), -(-specs // CHUNK))


def _check_chunk(paths: Iterable[str], corpus: Corpus, settings: Settings) -> Checked:
    everywhere = settings.citation_scope == "document"
    specs, citations, states = 0, 0, dict.fromkeys(State, 0)
    findings: list[Finding] = []
    for path in paths:
        specs += 1
        source = read(settings.root, path)
        if isinstance(source, Unreadable):
            findings += file_unreadable.check_unreadable([source])
            continue
        spec, found = check_spec(source, corpus, everywhere=everywhere)
        findings += found
        for decision in spec.decisions:
            states[corpus.state(decision)] += 1
        citations += sum([len(place.citations) for place in spec.citing])
    return Checked(specs, citations, states, findings)


def _add(total: Checked, part: Checked) -> Checked:
    total.findings.extend(part.findings)
    states = {state: count + part.states[state] for state, count in total.states.items()}
    return Checked(total.specs + part.specs, total.citations + part.citations, states, total.findings)


def _check_corpus(corpus: Corpus) -> Iterator[Finding]:
    findings = [finding for rule in CORPUS_RULES for finding in rule.check(corpus)]
    return _located(findings, {}, corpus.root)


def _located(findings: list[Finding], sources: dict[str, Source], root: str) -> Iterator[Finding]:
    """Findings with their places worked out; files not yet at hand are read."""
    for finding in sorted(findings, key=lambda finding: (finding.path, finding.span)):
        source = _source(finding.path, sources, root)
        if source is None:
            yield finding
            continue
        related = tuple(
            place._replace(location=other.locate(place.span))
            for place in finding.related
            if (other := _source(place.path, sources, root)) is not None
        )
        yield finding._replace(location=source.locate(finding.span), related=related)


def _source(path: str, sources: dict[str, Source], root: str) -> Source | None:
    if path not in sources:
        if len(sources) > 8:  # findings come by path: a few files at a time are enough
            del sources[next(iter(sources))]
        # A finding may be about a link: what that leads to outside of the repository stays unread.
        real = os.path.realpath(os.path.join(root, path))
        found = read(root, path) if os.path.commonpath((root, real)) == root else None
        if not isinstance(found, Source):
            return None
        sources[path] = found
    return sources[path]


def _in_force(findings: Iterable[Finding], settings: Settings) -> Iterator[Finding]:
    """The findings that settings leave, at the severity that settings give them."""
    wanted = frozenset(settings.select or RULES) - frozenset(settings.ignore)
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
