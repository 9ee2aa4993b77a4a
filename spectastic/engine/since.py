"""Which findings are new since a commit.

A finding is old if the lines that it stands on have not changed since that commit, and the same
finding stood on them then: with the spec's text of that time, and the corpus of that time. So a
finding is new where a line was written, and just as well where a row, an edition or a document has
moved on below a line that nobody touched.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from spectastic import git
from spectastic.corpus.model import NOWHERE
from spectastic.discover import is_spec_name, path_matcher
from spectastic.engine.checker import Checker
from spectastic.engine.prior import priors
from spectastic.locate import Locator
from spectastic.rules import CORPUS_RULES, LIFECYCLE_RULES, file_unreadable
from spectastic.source import MAX_BYTES, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.engine.policy import Policy
    from spectastic.findings import Finding
    from spectastic.retrieval.trees import Tree

#: A finding as its line shows it: rule, line (0 for the file as a whole), column, message.
_Seen = tuple[str, int, int, str]
#: New findings, and old ones.
Split = tuple[list["Finding"], list["Finding"]]

#: Lines, as `Source` counts them.
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
#: With more lines than this that may differ, all of them count as changed: comparing takes their square.
_COMPARED = 2000


class Since:
    """What has changed since a commit (an object id), below the root that settings name.

    `base` is the corpus at that commit. Raises `git.GitError` where git cannot tell.
    """

    def __init__(self, settings: Settings, commit: str, base: Corpus, policy: Policy) -> None:
        self._base = base
        self._policy = policy
        everywhere = settings.citation_scope == "document"
        self._priors = priors(settings, policy, self._tree)
        self._checker = Checker(base, policy, everywhere=everywhere, priors=self._priors)
        self._prior_art = f"{settings.prior_art_root}/"
        self._root = settings.root
        self._lifecycle = settings.lifecycle
        self._skip = frozenset(settings.skip_folders)
        self._skipped = path_matcher(settings.exclude)
        self._changes = git.changes(settings.root, commit)
        self._files = git.listing(settings.root, commit)
        self._texts: dict[str, bytes] = {}
        self._held: dict[str, bytes] = {}
        self._locator = Locator(settings.root)
        self._of_corpus: set[tuple[str, _Seen | None]] | None = None

    def look_at(self, paths: Iterable[str]) -> None:
        """Get ready for some specs: fetch what those that have changed were, and forget others."""
        wanted = {path: entry for path in paths if (entry := self._changed(path)) is not None}
        found = git.blobs(self._root, [entry.oid for entry in wanted.values()]) if wanted else {}
        self._texts = {path: found[entry.oid] for path, entry in wanted.items() if entry.oid in found}

    def look_at_text(self, source: Source) -> None:
        """Get ready for a spec that is not as it is on disk: an editor's buffer."""
        change = self._changes.get(source.path)
        base_path = source.path if change is None else change.base_path
        entry = self._files.get(base_path or "")
        if entry is None or entry.size > MAX_BYTES:
            self._changes[source.path] = git.Change(source.path, None, None)
            return
        text = git.blobs(self._root, [entry.oid]).get(entry.oid, b"")
        self._texts = {source.path: text}
        self._changes[source.path] = git.Change(source.path, base_path, compared(text, source.data))

    def _changed(self, path: str) -> git.Entry | None:
        change = self._changes.get(path)
        entry = None if change is None else self._files.get(change.base_path or "")
        return entry if entry is not None and entry.size <= MAX_BYTES else None

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
            located = [*Locator(self._base.root, self._base.read).locate(self._policy.apply(found))]
            located += self._of_lifecycle()
            self._of_corpus = {(finding.path, _seen(finding, finding.location.line)) for finding in located}
        seen = self._of_corpus
        return _split(findings, lambda finding: (self._path_then(finding.path), self._then(finding)) in seen)

    def _of_lifecycle(self) -> Iterator[Finding]:
        """What was found in lifecycle files then."""
        if self._priors is None or not self._lifecycle:
            return
        found = [finding for rule in LIFECYCLE_RULES for finding in rule.check(self._priors, ())]
        locator = Locator(self._root, lambda path: Source(path, self._contents(path)))
        yield from locator.locate(self._policy.apply(found))

    def _tree(self) -> Tree:
        """The files of the commit, for those who ask about prior art."""
        from spectastic.retrieval.trees import Snapshot

        return Snapshot(self._files, self._contents)

    def _contents(self, path: str) -> bytes:
        """What a file held; all Markdown of the prior-art root is fetched at once."""
        if path not in self._held:
            wanted = [path]
            if path.startswith(self._prior_art):
                wanted += (
                    name for name in self._files if name.startswith(self._prior_art) and name.endswith(".md")
                )
            oids = {name: self._files[name].oid for name in wanted if name in self._files}
            found = git.blobs(self._root, oids.values())
            self._held.update((name, found.get(oid, b"")) for name, oid in oids.items())
            self._held.setdefault(path, b"")
        return self._held[path]

    def _before(self, source: Source) -> Source | None:
        """What a spec was, under the name that it has now; `None` where it was not, or nobody can say."""
        change = self._changes.get(source.path)
        if os.path.islink(os.path.join(self._root, source.path)):
            return None  # it may lead to a text that has changed
        if change is None:
            return source if source.path in self._files else None
        if change.base_path and change.base_path != source.path and not self._was_checked(change.base_path):
            return None
        data = None if change.hunks is None else self._texts.get(source.path)
        return None if data is None else Source(source.path, data)

    def _was_checked(self, path: str) -> bool:
        """Whether a file was a spec under a name that it no longer has, as the settings of now have it."""
        folders = path.split("/")[:-1]
        return is_spec_name(path) and not self._skipped(path) and not self._skip.intersection(folders)

    def _path_then(self, path: str) -> str:
        change = self._changes.get(path)
        return path if change is None else change.base_path or ""

    def _then(self, finding: Finding) -> _Seen | None:
        """The finding as the commit would show it; `None` where a line of it has changed."""
        if finding.rule == file_unreadable.RULE.id:
            return None  # what it holds was not looked at
        if finding.span == NOWHERE:
            return _seen(finding, 0)
        change = self._changes.get(finding.path)
        hunks = () if change is None else change.hunks
        if hunks is None:
            return None
        lines = range(finding.location.line, finding.location.end_line + 1)
        then = [_line_then(hunks, line) for line in lines]
        first = then[0]
        whole = first is not None and then == list(range(first, first + len(lines)))
        return _seen(finding, first) if whole and first is not None else None


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


def compared(old: bytes, new: bytes) -> tuple[git.Hunk, ...]:
    """How lines differ, as git has it. What is the same at both ends is left out of the comparison."""
    from difflib import SequenceMatcher

    before, after = _LINE.findall(old), _LINE.findall(new)
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    most -= head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    parts = before[head : len(before) - tail], after[head : len(after) - tail]
    codes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(parts[0]), 0, len(parts[1]))]
    if max(map(len, parts)) <= _COMPARED:
        codes = SequenceMatcher(None, *parts).get_opcodes()
    found = []
    for tag, old_start, old_end, new_start, new_end in codes:
        if tag != "equal":
            olds, news = old_end - old_start, new_end - new_start
            found.append(git.Hunk(head + old_start + bool(olds), olds, head + new_start + bool(news), news))
    return tuple(found)
