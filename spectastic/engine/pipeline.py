"""From what is asked for to findings: everything but the baseline and the report."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from spectastic import corpus as corpora
from spectastic import git
from spectastic.config import git_top
from spectastic.discover import discover, removed
from spectastic.engine.checker import Checker
from spectastic.engine.policy import Policy
from spectastic.engine.prior import priors
from spectastic.locate import Locator
from spectastic.rules import (
    CORPUS_RULES,
    HISTORY_RULES,
    LIFECYCLE_RULES,
    corpus_append_only,
    corpus_uncommitted,
    file_unreadable,
)
from spectastic.source import Source, Unreadable, read
from spectastic.spec.model import State
from spectastic.spread import possible, processors, spread

if TYPE_CHECKING:
    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.discover import Discovery
    from spectastic.engine.since import Since
    from spectastic.findings import Finding, Suppressed

#: Below this many specs a second process costs more than it saves.
PARALLEL_FROM = 1000
#: How many specs a worker process takes at a time.
CHUNK = 50

Progress = Callable[[int, int], None]


class Request(NamedTuple):
    """What one run is asked for, besides the settings: revisions, as git names them, "" for none.

    History is held to the point where HEAD left `base`, or else `since`; only what is new since HEAD
    left `since` is reported.
    """

    base: str = ""
    since: str = ""


class Setup(NamedTuple):
    """What a run works with. `notices` collects what its user should know."""

    settings: Settings
    policy: Policy
    found: Discovery
    corpus: Corpus
    checker: Checker
    base: Corpus | None
    since: Since | None
    notices: list[str]


class Tally(NamedTuple):
    """What checking files gave: `specs` are those that could be read, `outside` findings are not new."""

    files: int
    specs: int
    citations: int
    states: dict[State, int]
    findings: list[Finding]
    suppressed: list[Suppressed]
    outside: list[Finding]


class Run(NamedTuple):
    """What a run found, about specs and about the corpus together; the rest as in `Report`."""

    setup: Setup
    tally: Tally
    references: int | None = None
    removed: tuple[tuple[str, int], ...] = ()


def prepare(settings: Settings, request: Request, found: Discovery | None = None) -> Setup:
    """Find out what there is to do. `found` stands for what would be discovered.

    Raises `discover.NothingMatches` and `git.GitError`.
    """
    found = discover(settings) if found is None else found
    policy = Policy(settings)
    notices: list[str] = []
    corpus = corpus_for(settings, policy, notices.append)
    everywhere = settings.citation_scope == "document"
    checker = Checker(corpus, policy, everywhere=everywhere, priors=priors(settings, policy))
    commits: dict[str, str] = {}
    corpora_at: dict[str, Corpus] = {}

    def at(revision: str) -> Corpus:
        if revision not in commits:
            commits[revision] = git.merge_base(settings.root, revision)
        commit = commits[revision]
        if commit not in corpora_at:
            from spectastic.engine import base as bases

            corpora_at[commit] = bases.load(settings, commit)
        return corpora_at[commit]

    if settings.baseline and _is_untracked(settings, settings.baseline):
        notices.append(f"git does not track {settings.baseline}, so it counts only here: commit it")
    base, revision = None, request.base or request.since
    if revision and found.corpus_asked and policy.wants(corpus_append_only.RULE.id):
        base = at(revision)
    since = None
    if request.since:
        from spectastic.engine.since import Since

        earlier = at(request.since)
        since = Since(settings, commits[request.since], earlier, policy)
    return Setup(settings, policy, found, corpus, checker, base, since, notices)


def corpus_for(settings: Settings, policy: Policy, tell: Callable[[str], None]) -> Corpus:
    """The corpus, with what git says of it, where the rules in force ask for that.

    `tell` gets what cannot be asked, when it is.
    """
    licenses = frozenset(settings.extra_licenses)
    tracked = _tracked(settings, policy, tell)
    return corpora.load(settings.root, settings.corpus, licenses, tracked, partial(_committed, settings))


def _is_untracked(settings: Settings, path: str) -> bool:
    """Whether a file is there, in a repository that tracks others and not this one."""
    if not git_top(settings.root) or not os.path.lexists(os.path.join(settings.root, path)):
        return False
    try:
        return path not in git.tracked(settings.root, path)
    except git.GitError:
        return False


def _tracked(
    settings: Settings, policy: Policy, tell: Callable[[str], None]
) -> Callable[[], frozenset[str] | None]:
    """Asks git, when it is first needed, which files of the corpus it tracks."""

    def ask() -> frozenset[str] | None:
        if not (policy.wants(corpus_uncommitted.RULE.id) and git_top(settings.root)):
            return None
        try:
            return git.tracked(settings.root, settings.corpus)
        except git.NoRepositoryError:
            return None
        except git.GitError as error:
            tell(f"{corpus_uncommitted.RULE.id} is not checked: {error.message}")
            return None

    return ask


def _committed(settings: Settings, paths: Collection[str]) -> dict[str, bytes]:
    """What files of the corpus were in the last commit; nothing where git cannot tell: it is only a hint."""
    if not git_top(settings.root):
        return {}
    try:
        entries = git.listing(settings.root, git.commit(settings.root, "HEAD"), settings.corpus)
        wanted = {path: entries[path].oid for path in paths if path in entries}
        contents = git.blobs(settings.root, wanted.values())
    except git.GitError:
        return {}
    return {path: contents[oid] for path, oid in wanted.items()}


def check(setup: Setup, progress: Progress | None = None) -> Run:
    """Check everything. `progress` is told (done, total) files now and then."""
    found, settings = setup.found, setup.settings
    total = _nothing()
    for part in _check_all(setup):
        total = _add(total, part)
        if progress is not None:
            progress(total.files, len(found.specs))
    total.findings.extend(setup.policy.apply(file_unreadable.check_unreadable(found.unreadable)))
    if found.corpus_asked:
        new, old = _check_corpus(setup, total)
        total.findings.extend(new)
        total.outside.extend(old)
    references = len(setup.corpus.references) if found.corpus_asked else None
    return Run(setup, total, references, () if found.specs else removed(settings))


def check_texts(setup: Setup, sources: Iterable[Source]) -> Run:
    """Check specs that are not read from the disk, and nothing else."""
    total = _nothing()
    for source in sources:
        if setup.since is not None:
            setup.since.look_at_text(source)
        total = _add(total, _check_source(source, setup, Locator(setup.settings.root)))
    return Run(setup, total)


def _check_all(setup: Setup) -> Iterator[Tally]:
    paths, settings = setup.found.specs, setup.settings
    locator = Locator(settings.root)
    jobs = processes(settings.jobs, len(paths))
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    if jobs == 1:
        return (_check_files(chunk, setup, locator) for chunk in chunks)
    # Read and asked once, before the processes part.
    _ = setup.corpus.rows and setup.corpus.tracked
    known = setup.checker.priors
    _ = known is not None and known.exists and known.catalogue.called("")
    return spread(lambda chunk: _check_files(chunk, setup, locator), chunks, jobs)


def processes(wanted: int, specs: int) -> int:
    """How many processes to use; 0 leaves the choice to us."""
    if not possible() or specs <= CHUNK:
        return 1
    if wanted == 0 and specs < PARALLEL_FROM:
        return 1
    return min(wanted or processors(), -(-specs // CHUNK))


def _check_files(paths: Sequence[str], setup: Setup, locator: Locator) -> Tally:
    total = _nothing()
    if setup.since is not None:
        setup.since.look_at(paths)
    for path in paths:
        source = read(setup.settings.root, path)
        if isinstance(source, Unreadable):
            total.findings.extend(setup.policy.apply(file_unreadable.check_unreadable([source])))
            total = total._replace(files=total.files + 1)
        else:
            total = _add(total, _check_source(source, setup, locator))
    return total


def _check_source(source: Source, setup: Setup, locator: Locator) -> Tally:
    checked = setup.checker.check(source)
    states = dict.fromkeys(State, 0)
    for decision in checked.spec.decisions:
        states[setup.corpus.state(decision)] += 1
    findings = list(locator.locate(checked.findings, source))
    outside: list[Finding] = []
    if findings and setup.since is not None:
        findings, outside = setup.since.split_spec(source, findings)
    suppressed = [
        entry._replace(finding=finding)
        for entry in checked.suppressed
        for finding in locator.locate([entry.finding], source)
    ]
    citations = sum([len(place.citations) for place in checked.spec.citing])
    return Tally(1, 1, citations, states, findings, suppressed, outside)


def _nothing() -> Tally:
    return Tally(0, 0, 0, dict.fromkeys(State, 0), [], [], [])


def _add(total: Tally, part: Tally) -> Tally:
    """Both together, in the lists of the first."""
    total.findings.extend(part.findings)
    total.suppressed.extend(part.suppressed)
    total.outside.extend(part.outside)
    for state, count in part.states.items():
        total.states[state] += count
    return total._replace(
        files=total.files + part.files,
        specs=total.specs + part.specs,
        citations=total.citations + part.citations,
    )


def _check_corpus(setup: Setup, tally: Tally) -> tuple[list[Finding], list[Finding]]:
    """The findings about the corpus: new ones, and those that are not. `tally` is what specs gave."""
    found = [finding for rule in CORPUS_RULES for finding in rule.check(setup.corpus)]
    if setup.base is not None:
        found += [finding for rule in HISTORY_RULES for finding in rule.check(setup.corpus, setup.base)]
    if (known := setup.checker.priors) is not None and known.in_use:
        seen = [*tally.findings, *tally.outside, *(entry.finding for entry in tally.suppressed)]
        for rule in LIFECYCLE_RULES:
            told = {finding.subject for finding in seen if finding.rule == rule.RULE.id}
            found += rule.check(known, told)
    located = list(Locator(setup.settings.root).locate(setup.policy.apply(found)))
    return (located, []) if setup.since is None else setup.since.split_corpus(located)
