"""Which findings are new since a commit.

A finding is old if the lines that it stands on have not changed since that commit, and the same
finding stood on them then: with the spec's text of that time, and the corpus of that time. So a
finding is new where a line was written, and just as well where a row, an edition or a document has
moved on below a line that nobody touched.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from spectastic import git
from spectastic.corpus.model import NOWHERE
from spectastic.discover import is_spec_name
from spectastic.engine.checker import Checker
from spectastic.locate import Locator
from spectastic.rules import CORPUS_RULES, HISTORY_RULES, file_unreadable
from spectastic.source import MAX_BYTES, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.engine.policy import Policy
    from spectastic.findings import Finding

#: A finding as its line shows it: rule, line (0 for the file as a whole), column, message.
_Seen = tuple[str, int, int, str]
#: New findings, and old ones.
Split = tuple[list["Finding"], list["Finding"]]

#: What these report has no place in an earlier revision, or was never looked at.
_ALWAYS = frozenset([file_unreadable.RULE.id, *(module.RULE.id for module in HISTORY_RULES)])


class Since:
    """What has changed since a commit (an object id), below the root that settings name.

    `base` is the corpus at that commit. Raises `git.GitError` where git cannot tell.
    """

    def __init__(self, settings: Settings, commit: str, base: Corpus, policy: Policy) -> None:
        self._base = base
        self._policy = policy
        self._checker = Checker(base, policy, everywhere=settings.citation_scope == "document")
        self._changes = git.changes(settings.root, commit)
        self._files = git.listing(settings.root, commit)
        self._blobs = git.blobs(settings.root, sorted(set(self._earlier_specs())))
        self._locator = Locator(settings.root)
        self._of_corpus: set[tuple[str, _Seen | None]] | None = None

    def _earlier_specs(self) -> Iterator[str]:
        """The objects that hold what specs were before they changed."""
        for change in self._changes.values():
            entry = self._files.get(change.base_path or "")
            if entry is not None and is_spec_name(change.path) and entry.size <= MAX_BYTES:
                yield entry.oid

    def split_spec(self, source: Source, findings: Sequence[Finding]) -> Split:
        """The findings of a spec, which have locations: new ones, and old ones."""
        before = self._before(source)
        if before is None:
            return list(findings), []
        found = self._locator.locate(self._checker.check(before).findings, before)
        seen = {_seen(finding, finding.location.line) for finding in found}
        return _split(findings, lambda finding: self._then(finding) in seen)

    def split_corpus(self, findings: Sequence[Finding]) -> Split:
        """The findings about the corpus, which have locations: new ones, and old ones."""
        if self._of_corpus is None:
            found = [finding for rule in CORPUS_RULES for finding in rule.check(self._base)]
            located = Locator(self._base.root, self._base.read).locate(self._policy.apply(found))
            self._of_corpus = {(finding.path, _seen(finding, finding.location.line)) for finding in located}
        seen = self._of_corpus
        return _split(findings, lambda finding: (self._path_then(finding.path), self._then(finding)) in seen)

    def _before(self, source: Source) -> Source | None:
        """What a spec was, under the name that it has now; `None` where it was not, or nobody can say."""
        change = self._changes.get(source.path)
        if change is None:
            return source if source.path in self._files else None
        entry = self._files.get(change.base_path or "")
        data = self._blobs.get(entry.oid) if entry is not None and change.hunks is not None else None
        return None if data is None else Source(source.path, data)

    def _path_then(self, path: str) -> str:
        change = self._changes.get(path)
        return path if change is None else change.base_path or ""

    def _then(self, finding: Finding) -> _Seen | None:
        """The finding as the commit would show it; `None` where a line of it has changed."""
        if finding.rule in _ALWAYS:
            return None
        if finding.span == NOWHERE:
            return _seen(finding, 0)
        change = self._changes.get(finding.path)
        hunks = () if change is None else change.hunks
        if hunks is None:
            return None
        first, last = (_line_then(hunks, line) for line in (finding.location.line, finding.location.end_line))
        moved = finding.location.end_line - finding.location.line
        return None if first is None or last is None or last - first != moved else _seen(finding, first)


def _split(findings: Iterable[Finding], is_old: Callable[[Finding], bool]) -> Split:
    new: list[Finding] = []
    old: list[Finding] = []
    for finding in findings:
        (old if is_old(finding) else new).append(finding)
    return new, old


def _seen(finding: Finding, line: int) -> _Seen:
    whole = finding.span == NOWHERE
    return finding.rule, 0 if whole else line, 0 if whole else finding.location.column, finding.message


def _line_then(hunks: Sequence[tuple[int, int, int, int]], line: int) -> int | None:
    """The number that a line had, `None` for a line that was written or changed.

    `hunks` are (old start, old count, new start, new count) as in a unified diff without context:
    with a count of 0, the start is the line before.
    """
    at = bisect_right(hunks, line, key=lambda hunk: hunk[2] + (hunk[3] == 0))
    if at == 0:
        return line
    old_start, old_count, new_start, new_count = hunks[at - 1]
    behind = new_start + max(new_count, 1)
    if line < behind and new_count:
        return None
    return line - behind + old_start + max(old_count, 1)
