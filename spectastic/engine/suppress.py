"""Suppression by comment: which findings of a spec count, and which comments were of no use.

Pure. A finding is silenced where the first byte of its span lies in the scope of a comment that
names its rule. Every list is sorted once and swept once, however scopes are nested.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from spectastic.findings import COMMENT, Problem, Span, Suppressed
from spectastic.rules import PRIOR_ART_RULES, RULES, SPEC_RULES, file_unreadable, unused_suppression
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spectastic.findings import Finding
    from spectastic.spec.model import Spec, Suppression

#: What no comment can silence: each would hide that something else went unchecked.
ALWAYS_TOLD = frozenset({unused_suppression.RULE.id, file_unreadable.RULE.id})
#: Comparing words takes time: in one spec this many unknown names are told which rule is near.
MAX_HINTS = 100

_SPEC_RULES = frozenset(
    {module.RULE.id for module in SPEC_RULES} | {module.RULE.id for module in PRIOR_ART_RULES}
)
#: Where findings about a file as such are, and the scopes that hold them begin: before the first byte.
_WHOLE_FILE = -1


def apply(
    spec: Spec, findings: Sequence[Finding], is_active: Callable[[str], bool]
) -> tuple[list[Finding], list[Suppressed]]:
    """The findings of `spec` that count and those that its comments silence, each in the order given.

    The findings about the comments themselves come last among those that count. A comment is not
    blamed for a rule that finds nothing while `is_active` says that the rule is not in force.
    """
    if not spec.suppressions:
        return list(findings), []
    comments: defaultdict[str, list[Suppression]] = defaultdict(list)
    for suppression in spec.suppressions:
        if suppression.problem is None:
            for rule in {name for name, _ in suppression.rules} - ALWAYS_TOLD:
                comments[rule].append(suppression)
    places: defaultdict[str, list[int]] = defaultdict(list)
    by_rule: defaultdict[str, list[int]] = defaultdict(list)
    for index, finding in enumerate(findings):
        places[finding.rule].append(_place(finding))
        by_rule[finding.rule].append(index)
    reasons: dict[int, str] = {}
    for rule, silencing in comments.items():
        held = _innermost(places[rule], [_scope(comment) for comment in silencing])
        for index, holder in zip(by_rule[rule], held, strict=True):
            if holder is not None:
                reasons[index] = silencing[holder].reason
    counting = [finding for index, finding in enumerate(findings) if index not in reasons]
    silenced = [Suppressed(findings[index], COMMENT, reasons[index]) for index in sorted(reasons)]
    ordered = {rule: sorted(found) for rule, found in places.items()}
    meant = _meant(spec)
    problems = [
        found for comment in spec.suppressions for found in _problems(comment, ordered, meant, is_active)
    ]
    return counting + decision_ids(spec, [*unused_suppression.check(spec.path, problems)]), silenced


def decision_ids(spec: Spec, findings: Iterable[Finding]) -> list[Finding]:
    """The findings of `spec`, each with the id of the innermost decision that holds its first byte.

    A finding about the file as such stands in no decision.
    """
    found = list(findings)
    extents = [decision.extent for decision in spec.decisions]
    ids = [short(decision.id or "") for decision in spec.decisions]
    held = _innermost([_place(finding) for finding in found], extents)
    return [
        finding if holder is None else finding._replace(decision=ids[holder])
        for finding, holder in zip(found, held, strict=True)
    ]


def _place(finding: Finding) -> int:
    """Where a finding is: at the first byte of its span."""
    return _WHOLE_FILE if finding.span == (0, 0) else finding.span.start


def _scope(suppression: Suppression) -> Span:
    return Span(_WHOLE_FILE, sys.maxsize) if suppression.whole_file else suppression.scope


def _innermost(places: Sequence[int], spans: Sequence[Span]) -> list[int | None]:
    """For each place the index of the span that holds it: the one that begins last, then the shortest.

    Of equal spans, that is the first.
    """
    held: list[int | None] = [None] * len(places)
    # Those to come, the next one last; and those around the place that the sweep has come to.
    coming = sorted(range(len(spans)), key=lambda index: (-spans[index].start, spans[index].end, index))
    around: list[int] = []
    for at in sorted(range(len(places)), key=places.__getitem__):
        place = places[at]
        while coming and spans[coming[-1]].start <= place:
            around.append(coming.pop())
        while around and spans[around[-1]].end <= place:
            around.pop()
        if around:
            held[at] = around[-1]
    return held


def _meant(spec: Spec) -> dict[str, str]:
    """The rules that are nearest to the first names of a spec that are no rule's."""
    names = (name for comment in spec.suppressions for name, _ in comment.rules)
    unknown = dict.fromkeys(name for name in names if name not in RULES)
    return {name: nearest(name, RULES, parts=True) for name in islice(unknown, MAX_HINTS)}


def _problems(
    suppression: Suppression,
    places: dict[str, list[int]],
    meant: dict[str, str],
    is_active: Callable[[str], bool],
) -> Iterator[Problem]:
    """What is wrong with one comment. `places`: where the findings of each rule are, in order."""
    if suppression.problem is not None:
        yield suppression.problem
        return
    seen: set[str] = set()
    for name, span in suppression.rules:
        said = _wrong_name(name, meant.get(name), twice=name in seen)
        seen.add(name)
        if said is None and is_active(name):
            said = _unused(suppression, name, places.get(name, []))
        if said is not None:
            yield Problem(span, *said, subject=short(name))


def _wrong_name(name: str, near: str | None, *, twice: bool) -> tuple[str, str] | None:
    """Why a comment cannot name a rule, whatever is found: a message and a hint."""
    if name not in RULES:
        hint = f"did you mean {near}?" if near else "`spectastic explain` lists the rules"
        return f"there is no rule {short(name)} to silence", hint
    if twice:
        return f"the comment names {name} twice", "remove the second one"
    if name in ALWAYS_TOLD:
        return f"no comment can silence {name}", "remove it; per-path-ignores can silence the rule for a file"
    return None


def _unused(suppression: Suppression, rule: str, places: list[int]) -> tuple[str, str] | None:
    """What to say where a comment silences nothing of a rule."""
    scope = _scope(suppression)
    if bisect_left(places, scope.start) < bisect_left(places, scope.end):
        return None
    hint = "remove the comment" if len(suppression.rules) == 1 else f"remove {rule} from the comment"
    if scope.start == suppression.span.start and not suppression.whole_file:
        hint += ", or put it right before the decision that it is about"
    if rule not in _SPEC_RULES:
        return f"{rule} is about the corpus and finds nothing in a spec, whatever is silenced", hint
    return f"{rule} finds nothing {_where(suppression)}, so the comment silences nothing", hint


def _where(suppression: Suppression) -> str:
    if suppression.whole_file:
        return "in this file"
    if suppression.scope.start == suppression.span.start:
        return "from here to the next blank line"
    return "in the decision"
