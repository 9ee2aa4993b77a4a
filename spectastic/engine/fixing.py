"""Fixing one spec: apply what can be fixed, look again, and keep only what did no harm.

What fixing promises is checked each time, not hoped for. Once fixes are made, each finding of the spec

- speaks of bytes that no fix wrote, and the same rule spoke of the same bytes before; or
- is about just the token that a fix wrote, and its rule had already spoken of that token; or
- is about just the token that a *correction* wrote: of a spelling, or of an id that does not exist. Such
  a token led nowhere, so that it is stale, bare or not citable was hidden until then. That it leads to
  nothing was not (`corpus-provenance` looks through a misspelling), so this it may not turn out to be; or
- is about a misspelling inside a respelt token: the next one of two that were glued together.

The findings that fixes were for are gone, and markup (links, tables, emphasis) is what it was. So a fix
never breaks another token, and pinning or re-grounding never brings up anything new.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from spectastic.fix import Moves, applicable, apply, choose
from spectastic.rules import corpus_provenance
from spectastic.source import Source
from spectastic.spec.outline import outline

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spectastic.findings import Edit, Finding, Span

    Check = Callable[[Source], Sequence[Finding]]
    _Key = tuple[str, str, Span]

#: How often a spec is checked while it is fixed, all in all. A token takes three steps at most (respelt,
#: renamed, pinned or re-grounded), one that touches another waits, and of several glued together each shows
#: the next. Harmful fixes mostly show themselves; others are found by halving.
CHECKS = 128


class Fixed(NamedTuple):
    """A spec as fixed, and the findings that this fixed, in the order in which they went.

    `refused` are findings whose fix would do harm, and so was left out.
    """

    source: Source
    fixed: tuple[Finding, ...]
    refused: tuple[Finding, ...]


def fix_source(source: Source, check: Check, *, unsafe: bool, witness: Check | None = None) -> Fixed:
    """Fix a spec until nothing changes any more. To do so again changes nothing.

    `check` gives the findings of a spec that may be fixed, `witness` further ones that may not come up:
    those of rules that are switched off or silenced. `unsafe`: also make fixes that are not safe.
    """
    look = _Look(check, witness)
    spec = look(source)
    try:
        return _fix(spec, look, unsafe=unsafe)
    except _TooManyChecksError:
        # A spec that does not come to rest is none that we understand.
        return Fixed(source, (), tuple(choose(_fixable(spec), unsafe=unsafe)))


class _TooManyChecksError(Exception):
    """All checks of a spec are used up."""


class _Checked(NamedTuple):
    """A spec, what may be fixed in it, and what else was found."""

    source: Source
    findings: Sequence[Finding]
    others: Sequence[Finding]


class _Look:
    """Checks a spec, and what fixes make of it, up to `CHECKS` times."""

    __slots__ = ("_check", "_left", "_witness")

    def __init__(self, check: Check, witness: Check | None) -> None:
        self._check = check
        self._witness = witness
        #: The spec as it came is looked at besides.
        self._left = CHECKS + 1

    def __call__(self, source: Source) -> _Checked:
        if not self._left:
            raise _TooManyChecksError
        self._left -= 1
        return _Checked(source, self._check(source), self._witness(source) if self._witness else ())


def _fix(spec: _Checked, look: _Look, *, unsafe: bool) -> Fixed:
    fixed: list[Finding] = []
    refused: dict[Finding, None] = {}
    while True:
        chosen = choose((finding for finding in _fixable(spec) if finding not in refused), unsafe=unsafe)
        if not chosen:
            return Fixed(spec.source, tuple(fixed), tuple(refused))
        taken, spec = _take(spec, chosen, look)
        fixed += taken
        # In a spec that has changed, everything deserves another look.
        refused = {} if taken else refused | dict.fromkeys(chosen)


def _fixable(spec: _Checked) -> list[Finding]:
    return [applicable(spec.source, finding) for finding in spec.findings if finding.fix]


def _take(spec: _Checked, chosen: list[Finding], look: _Look) -> tuple[list[Finding], _Checked]:
    """Those of the chosen findings whose fixes do no harm, and the spec with these made.

    Fixes that show that they do harm are left out. A set that does harm, and none of it shows, is halved.
    """
    taken: list[Finding] = []
    best = spec
    pending = [chosen]
    while pending:
        part = pending.pop()
        trial = _Trial(spec, [*taken, *part])
        after = look(trial.source)
        harmless, harmful = trial.verdict(after)
        if harmless:
            taken += part
            best = after
            continue
        others = [finding for finding in part if finding not in harmful]
        if len(others) < len(part):
            pending += [others] if others else []
        elif len(part) > 1:
            half = len(part) // 2
            pending += (part[half:], part[:half])
    return taken, best


class _Trial:
    """Some fixes of a spec, made to see what comes of it."""

    __slots__ = ("_before", "_moves", "_owners", "_places", "_spoken", "source")

    def __init__(self, before: _Checked, findings: list[Finding]) -> None:
        owners: dict[Edit, Finding] = {
            edit: finding for finding in findings if finding.fix for edit in finding.fix.edits
        }
        self._before = before
        self._moves = Moves(owners)
        self.source = Source(before.source.path, apply(before.source.data, owners))
        #: Of each edit: the bytes that it wrote, the finding that it was for, the rules that spoke of what it
        #: replaces.
        self._places = self._moves.written()
        self._owners = [owners[edit] for edit in self._moves.edits]
        self._spoken: list[set[str]] = [set() for _ in self._places]
        for finding in (*before.findings, *before.others):
            number = self._moves.around(finding.span)
            if number is not None:
                self._spoken[number].add(finding.rule)

    def verdict(self, after: _Checked) -> tuple[bool, set[Finding]]:
        """Whether the fixes do no harm, and those that most likely do some."""
        harmful: set[Finding] = set()
        harmless = True
        known = Counter(map(self._expected, (*self._before.findings, *self._before.others)))
        unfixed = {self._expected(finding): finding for finding in self._owners}
        for finding in (*after.findings, *after.others):
            key = self._key(finding)
            if key in unfixed:
                harmful.add(unfixed[key])
            elif known[key]:
                known[key] -= 1
            else:
                near = self._near(finding.span)
                if len(near) != 1:
                    harmless = False
                elif not self._may_come_up(finding, near[0]):
                    harmful.add(self._owners[near[0]])
        if harmful:
            return False, harmful
        same, moved = self._markup()
        return harmless and same, moved

    def _markup(self) -> tuple[bool, set[Finding]]:
        """Whether all markup is what it was, and the fixes that are in another piece of it now."""
        old = outline(self._before.source, [edit.span.start for edit in self._moves.edits])
        new = outline(self.source, [place.start for place in self._places])
        moved = zip(self._owners, old.places, new.places, strict=True)
        return old.markup == new.markup, {owner for owner, was, now in moved if was != now}

    def _expected(self, finding: Finding) -> _Key:
        """What an old finding is known by if it is still there."""
        return self._key(finding._replace(span=self._moves.after(finding.span)))

    def _key(self, finding: Finding) -> _Key:
        """What a new finding is known by. What is said counts only where something was written."""
        span = finding.span
        at = bisect_right(self._places, span.start, key=lambda place: place.start) - 1
        is_inside = at >= 0 and span.start < span.end <= self._places[at].end
        return finding.rule, finding.message if is_inside else "", span

    def _near(self, span: Span) -> list[int]:
        """The first two edits that wrote what a span overlaps or touches."""
        last = bisect_right(self._places, span.end, key=lambda place: place.start)
        return [number for number in range(max(0, last - 2), last) if self._places[number].end >= span.start]

    def _may_come_up(self, finding: Finding, number: int) -> bool:
        """Whether a finding that was not there before is one that a fix may bring up."""
        return (
            self._was_said_of_the_token(finding, number)
            or self._was_hidden(finding, number)
            or self._is_the_next_misspelling(finding, number)
        )

    def _was_said_of_the_token(self, finding: Finding, number: int) -> bool:
        """Of just the token that a fix wrote, by a rule that had already spoken of it."""
        return self._is_of_the_token(finding, number) and finding.rule in self._spoken[number]

    def _was_hidden(self, finding: Finding, number: int) -> bool:
        """Of just the token that a correction wrote, which led nowhere: but not that it leads to nothing."""
        owner = self._owners[number]
        corrects = _is_safe(owner) or owner.rule == corpus_provenance.RULE.id
        return (
            self._is_of_the_token(finding, number) and corrects and finding.rule != corpus_provenance.RULE.id
        )

    def _is_the_next_misspelling(self, finding: Finding, number: int) -> bool:
        """Inside a respelt token, by the rule that had it respelt."""
        place, owner = self._places[number], self._owners[number]
        inside = place.start <= finding.span.start and finding.span.end <= place.end
        return inside and _is_safe(owner) and finding.rule == owner.rule

    def _is_of_the_token(self, finding: Finding, number: int) -> bool:
        """Of just the token that a fix wrote, and not what the fix was for."""
        return finding.span == self._places[number] and finding.rule != self._owners[number].rule


def _is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.safe
