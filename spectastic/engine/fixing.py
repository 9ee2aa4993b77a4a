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

from spectastic.engine.outline import outline
from spectastic.fix import Moves, applicable, apply, choose
from spectastic.rules import corpus_provenance
from spectastic.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spectastic.findings import Edit, Finding, Span

    Check = Callable[[Source], Sequence[Finding]]
    _Key = tuple[str, str, Span]

#: How often a spec is gone over. A token takes three steps at most (respelt, renamed, pinned or re-grounded),
#: one that touches another waits, and of several glued together each shows the next.
ROUNDS = 32
#: How often a spec is checked in one round. Harmful fixes mostly show themselves, so that two are enough.
CHECKS = 16


class Fixed(NamedTuple):
    """A spec as fixed, and the findings that this fixed, in the order in which they went.

    `refused` are findings whose fix would do harm, and so was left out.
    """

    source: Source
    fixed: tuple[Finding, ...]
    refused: tuple[Finding, ...]
    rounds: int


def fix_source(source: Source, check: Check, *, unsafe: bool, witness: Check | None = None) -> Fixed:
    """Fix a spec until nothing changes any more. To do so again changes nothing.

    `check` gives the findings of a spec that may be fixed, `witness` further ones that may not come up:
    those of rules that are switched off or silenced. `unsafe`: also make fixes that are not safe.
    """
    spec = _Checked(source, check(source), witness(source) if witness else ())
    first = spec
    fixed: list[Finding] = []
    refused: dict[Finding, None] = {}
    for rounds in range(ROUNDS):
        chosen = choose((finding for finding in _fixable(spec) if finding not in refused), unsafe=unsafe)
        if not chosen:
            return Fixed(spec.source, tuple(fixed), tuple(refused), rounds)
        taken, spec = _take(spec, chosen, check, witness)
        fixed += taken
        # In a spec that has changed, everything deserves another look.
        refused = {} if taken else refused | dict.fromkeys(chosen)
    # A spec that does not come to rest is none that we understand.
    return Fixed(source, (), tuple(choose(_fixable(first), unsafe=unsafe)), ROUNDS)


class _Checked(NamedTuple):
    """A spec, what may be fixed in it, and what else was found."""

    source: Source
    findings: Sequence[Finding]
    others: Sequence[Finding]


def _fixable(spec: _Checked) -> list[Finding]:
    return [applicable(spec.source, finding) for finding in spec.findings if finding.fix]


def _take(
    spec: _Checked, chosen: list[Finding], check: Check, witness: Check | None
) -> tuple[list[Finding], _Checked]:
    """Those of the chosen findings whose fixes do no harm, and the spec with these made.

    Fixes that show themselves guilty are left out. A set that goes wrong without one is halved. What
    has not been tried when the checks are used up is left out as well.
    """
    taken: list[Finding] = []
    best = spec
    pending = [chosen]
    for _ in range(CHECKS):
        if not pending:
            break
        part = pending.pop()
        trial = _Trial(spec, [*taken, *part])
        source = trial.source
        after = _Checked(source, check(source), witness(source) if witness else ())
        harmless, guilty = trial.verdict(after)
        if harmless:
            taken += part
            best = after
            continue
        innocent = [finding for finding in part if finding not in guilty]
        if len(innocent) < len(part):
            pending += [innocent] if innocent else []
        elif len(part) > 1:
            half = len(part) // 2
            pending += (part[half:], part[:half])
    return taken, best


class _Trial:
    """Some fixes of a spec, made to see what comes of it."""

    __slots__ = ("_before", "_moves", "_owners", "_places", "source")

    def __init__(self, before: _Checked, findings: list[Finding]) -> None:
        owners: dict[Edit, Finding] = {
            edit: finding for finding in findings if finding.fix for edit in finding.fix.edits
        }
        self._before = before
        self._moves = Moves(owners)
        self.source = Source(before.source.path, apply(before.source.data, owners))
        #: The bytes that each edit wrote, and the finding that it was for.
        self._places = self._moves.written()
        self._owners = [owners[edit] for edit in self._moves.edits]

    def verdict(self, after: _Checked) -> tuple[bool, set[Finding]]:
        """Whether the fixes do no harm, and those that most likely do some."""
        guilty: set[Finding] = set()
        harmless = True
        known = Counter(map(self._expected, (*self._before.findings, *self._before.others)))
        unfixed = {self._expected(finding): finding for finding in self._owners}
        spoken = self._spoken()
        for finding in (*after.findings, *after.others):
            key = self._key(finding)
            if key in unfixed:
                guilty.add(unfixed[key])
            elif known[key]:
                known[key] -= 1
            else:
                near = self._near(finding.span)
                if len(near) != 1:
                    harmless = False
                elif not self._may_come_up(finding, near[0], spoken[near[0]]):
                    guilty.add(self._owners[near[0]])
        if guilty:
            return False, guilty
        keeps, suspects = self._markup()
        return harmless and keeps, suspects

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

    def _spoken(self) -> list[set[str]]:
        """For each edit, the rules that speak of what it replaces."""
        rules: list[set[str]] = [set() for _ in self._places]
        for finding in (*self._before.findings, *self._before.others):
            number = self._moves.around(finding.span)
            if number is not None:
                rules[number].add(finding.rule)
        return rules

    def _near(self, span: Span) -> list[int]:
        """The first two edits that wrote what a span overlaps or touches."""
        last = bisect_right(self._places, span.end, key=lambda place: place.start)
        return [number for number in range(max(0, last - 2), last) if self._places[number].end >= span.start]

    def _may_come_up(self, finding: Finding, number: int, spoken: set[str]) -> bool:
        """Whether a finding that was not there before is one that a fix may bring up."""
        place, owner = self._places[number], self._owners[number]
        safe = owner.fix is not None and owner.fix.safe
        if finding.rule == owner.rule and safe:
            return place.start <= finding.span.start and finding.span.end <= place.end
        if finding.span != place or finding.rule == owner.rule:
            return False
        hidden = safe or owner.rule == corpus_provenance.RULE.id
        return finding.rule in spoken or (hidden and finding.rule != corpus_provenance.RULE.id)
