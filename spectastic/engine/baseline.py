"""The baseline: findings that were there when a team switched the check on.

A file of JSON lines: `{"baseline": 1}`, then one object for each finding by content (rule, path,
decision, subject) and how often it occurs, sorted, so that lines can move and branches merge. A
finding in it does not count; an entry that nothing matches any more is a suppression that
suppresses nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from spectastic.engine.errors import BaselineError
from spectastic.findings import BASELINE, Problem, Span, Suppressed
from spectastic.fingerprint import key
from spectastic.rules import HISTORY_RULES, RULES, unused_suppression
from spectastic.source import Source, Unreadable, read
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.engine.pipeline import Run
    from spectastic.findings import Finding

Key = tuple[str, str, str, str]
#: Whether a rule (its id) was checked on a file (its path) at all.
Covered = Callable[[str, str], bool]

VERSION = 1
_NAMES = ("rule", "path", "decision", "subject")
#: What compares with a base revision is over once it is merged; it is nothing to live with.
_NEVER = frozenset(module.RULE.id for module in HISTORY_RULES)


class Entry(NamedTuple):
    """One line: a finding by content, how often it may occur, and where the line stands in the file."""

    key: Key
    times: int
    span: Span


class Baseline(NamedTuple):
    """A baseline, read; `path` is relative to the root."""

    path: str
    entries: tuple[Entry, ...] = ()

    @property
    def counts(self) -> dict[Key, int]:
        """How often each finding may occur. A line that a merge has doubled counts once."""
        counts: dict[Key, int] = {}
        for entry in self.entries:
            counts[entry.key] = max(entry.times, counts.get(entry.key, 0))
        return counts


def load(root: str, path: str) -> Baseline:
    """Read a baseline; `path` is relative to `root`. Raises `BaselineError`."""
    if not os.path.lexists(os.path.join(root, path)):
        hint = "commit it if it is only missing here; --write-baseline writes a new one"
        raise BaselineError(f"there is no baseline {short(path)}", hint)
    source = read(root, path)
    if isinstance(source, Unreadable):
        raise BaselineError(f"{short(path)}: {source.message}")
    return Baseline(path, tuple(_entries(source)))


def _entries(source: Source) -> Iterator[Entry]:
    import json

    start = source.base
    for number, line in enumerate(source.data[source.base :].splitlines(keepends=True), 1):
        span = Span(start, start + len(line.rstrip()))
        start += len(line)
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if number == 1:
            _check_head(value, source.path)
            continue
        entry = _entry(value, span)
        if entry is None and line.startswith((b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")):
            hint = "keep the lines of both sides, without the marks, and run --prune-baseline"
            raise BaselineError(f"{short(source.path)}:{number}: a merge conflict is left here", hint)
        if entry is None:
            raise BaselineError(
                f"{short(source.path)}:{number}: this is no entry of a baseline: "
                f"{short(line.decode('utf-8', 'replace'), 40)}",
                "restore the file, or remove it and write it anew with --write-baseline",
            )
        yield entry
    if start == source.base:
        _check_head(None, source.path)


def _check_head(value: object, path: str) -> None:
    """The first line says what the file is: nothing else is ever taken for one, or written over."""
    version = value.get("baseline") if isinstance(value, dict) else None
    if version is None:
        raise BaselineError(
            f"{short(path)}:1: this is no baseline: it does not begin with {_HEAD.strip()}",
            "name another file, or remove this one and write it anew with --write-baseline",
        )
    if version != VERSION or isinstance(version, bool):
        raise BaselineError(
            f"{short(path)}:1: a baseline of version {short(str(version), 20)}; this program reads version 1",
            "use the version of spectastic that wrote it",
        )


def _entry(value: object, span: Span) -> Entry | None:
    if not isinstance(value, dict):
        return None
    parts = [value.get(name, "") for name in _NAMES]
    count = value.get("count", 1)
    texts = tuple(part for part in parts if isinstance(part, str))
    if len(texts) != len(_NAMES) or not (texts[0] and texts[1]):
        return None
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        return None
    rule, path, decision, subject = texts
    return Entry((rule, path, decision, subject), count, span)


class Ledger:
    """What is left of a baseline while findings are held to it."""

    __slots__ = ("_baseline", "_left")

    def __init__(self, baseline: Baseline) -> None:
        self._baseline = baseline
        self._left = baseline.counts

    def hold(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Suppressed]]:
        """The findings, in order, that the baseline does not hold, and those that it does."""
        kept: list[Finding] = []
        held: list[Suppressed] = []
        for finding in findings:
            own = key(finding)
            if self._left.get(own, 0) and finding.rule not in _NEVER:
                self._left[own] -= 1
                held.append(Suppressed(finding, BASELINE))
            else:
                kept.append(finding)
        return kept, held

    def unneeded(self, covered: Covered) -> Iterator[Finding]:
        """What is said of entries that match nothing any more."""
        problems = [
            _unneeded(entry, self._left[entry.key])
            for entry in self._baseline.entries
            if self._left[entry.key] and covered(entry.key[0], entry.key[1])
        ]
        return unused_suppression.check(self._baseline.path, problems)


def _unneeded(entry: Entry, unused: int) -> Problem:
    """What is said of an entry that matches fewer findings than it holds."""
    rule, path, _, subject = entry.key
    said = f"{short(rule, 40)} ({short(subject, 60)}) in {short(path, 80)}"
    found = entry.times - unused
    message = f"the baseline holds {said}, which is not reported any more"
    if found > 0:
        message = f"the baseline holds {said} {entry.times} times, and it is reported {found} times"
    return Problem(entry.span, message, "take it out with --prune-baseline", short(subject))


class Written(NamedTuple):
    """The text of a new baseline, how many findings it holds, those new in it, and how many are gone."""

    text: str
    total: int
    added: tuple[Key, ...]
    pruned: int


_HEAD = f'{{"baseline": {VERSION}}}\n'


def render(findings: Iterable[Finding], old: Baseline, covered: Covered) -> Written:
    """The baseline that holds `findings`, and what `old` holds of files that were not checked."""
    from json import dumps

    before = old.counts
    counts = Counter(key(finding) for finding in findings if finding.rule not in _NEVER)
    for own, count in before.items():
        if not covered(own[0], own[1]):
            counts[own] = count
    lines = [_HEAD]
    for own in sorted(counts, key=lambda own: (own[1], own[0], *own[2:])):
        entry: dict[str, object] = {name: text for name, text in zip(_NAMES, own, strict=True) if text}
        if counts[own] > 1:
            entry["count"] = counts[own]
        lines.append(dumps(entry) + "\n")
    added = tuple(sorted((counts - Counter(before)).elements(), key=lambda own: (own[1], own[0], *own[2:])))
    pruned = (Counter(before) - counts).total()
    return Written("".join(lines), counts.total(), added, pruned)


def coverage(run: Run) -> Covered:
    """Whether a rule was checked on a file in this run, or cannot find anything in it any more."""
    settings, found, policy = run.setup.settings, run.setup.found, run.setup.policy
    specs, folder = frozenset(found.specs), f"{settings.corpus}/"
    # What an option leaves out this time, the next run may find again.
    by_hand = {field for field, origin in settings.origins.items() if origin.startswith("--")}
    everything = not settings.paths and not by_hand & {"include", "exclude", "skip_folders", "corpus"}
    all_rules = not by_hand & {"select", "ignore", "per_path_ignores", "citation_scope"}

    def covered(rule: str, path: str) -> bool:
        if rule not in RULES:
            return True
        if not policy.active(rule, path):
            return all_rules
        if path in specs or (found.corpus_asked and path.startswith(folder)):
            return True
        return everything

    return covered
