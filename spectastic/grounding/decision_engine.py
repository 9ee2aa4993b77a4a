"""Grounding: what a decision should choose from, by a whole manifest.

    category ──► rule row ──► rules ──► priorities ──► planned searches ──► selections
    the best row   of that      which     what to        one for each         the best row of
    of a domain    category     hold      prefer         domain               each, and the others

Whatever was not found, or only in a roundabout way, is told in `evidence_gap`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from spectastic.grounding.boundary import ManifestError, data_file
from spectastic.grounding.choosing import choose, priorities
from spectastic.grounding.detect import detect_domain
from spectastic.grounding.dials import MOTION_COLUMN, MOTION_DOMAIN, Setting, resolve_dial, setting
from spectastic.grounding.kinds import TIERS
from spectastic.grounding.persist import persist_grounding
from spectastic.grounding.rules import (
    RuleRow,
    evaluate_rules,
    objects,
    parse_rules,
    rule_row,
    run_module,
    unasked,
)
from spectastic.grounding.searching import (
    column_gaps,
    number,
    preference_gaps,
    search_domain,
    search_stack,
)
from spectastic.grounding.table import CorpusError, Table
from spectastic.ranking import dropped, tokens
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spectastic.grounding.results import (
        Confidence,
        GroundResult,
        Motion,
        RulesEvaluation,
        SearchResult,
        Selection,
    )
    from spectastic.grounding.table import Row

__all__ = [
    "detect_domain",
    "evaluate_rules",
    "ground",
    "persist_grounding",
    "resolve_dial",
    "search_domain",
    "search_stack",
]

#: The category where nothing says another.
CATEGORY = "General"
#: What to do about a manifest without rules.
_REASON = (
    f"add `reasoning` with file, match_column and plan, and tier {TIERS[1]} (docs/grounding.md shows it);"
    " or look for rows with ground search"
)
#: So many priorities are added to the query.
_ADDED = 2
#: Scores of the weakest planned search from which the whole is sure, and fairly sure.
_HIGH, _MEDIUM = 0.4, 0.15
_CLEAN = "No gap: every planned search found rows that answer the query well."
_PREFERRED = " In domain '{}', what the rule prefers was looked for as a part of it."


class _Log:
    """What comes up on the way: gaps, what is said where there is none, and what the searches told."""

    def __init__(self, query: str) -> None:
        self.gaps: list[str] = []
        self.clean = _CLEAN
        self.errors: list[str] = []
        self.warnings: list[str] = []
        self.suggestions: list[str] = []
        # A search may be asked for more, which is not the user's to spell.
        self._short = frozenset(dropped(query))
        self.dropped: dict[str, str | None] = {}

    def gap(self, *texts: str) -> None:
        self.gaps += filter(None, texts)

    def note(self, found: SearchResult) -> None:
        """Keep what a search told beside its rows."""
        if "error" in found:
            self.errors.append(found["error"])
        self.suggestions += found.get("suggestions", [])
        self.warnings += found.get("corpus_warnings", [])
        for word, near in found.get("tokens_dropped", {}).items():
            if word in self._short:
                self.dropped[word] = self.dropped.get(word) or near


class _Run(NamedTuple):
    """One grounding: what it is asked, and where it tells what comes up."""

    manifest: Mapping[str, Any]
    reasoning: Mapping[str, Any]
    query: str
    setting: Setting
    log: _Log


def ground(
    manifest: Mapping[str, Any],
    query: str,
    context: Mapping[str, Any] | None = None,
    dials: Mapping[str, object] | None = None,
    *,
    allow_rules_module: bool = False,
) -> GroundResult:
    """What a decision should choose from: the category, its rules, and rows of the planned domains.

    `context` has conditions that hold whatever the query says. `dials` are `variance`, `motion` and
    `density`. A `rules_module` of the manifest is code: it runs only if that is allowed.

    Raises:
        ManifestError: the manifest has no reasoning, leads outside its folder, or has a value that cannot be
            used; or its rules module fails.
        ValueError: the context is no object, or a dial is no number.
    """
    reasoning = manifest.get("reasoning")
    if not isinstance(reasoning, dict):
        raise ManifestError("the manifest has no key `reasoning`, so there is nothing to ground by", _REASON)
    known = objects("the context", context)
    dialled = setting(dials)
    run = _Run(manifest, reasoning, query, dialled or Setting(), _Log(query))
    limits = _plan(reasoning)
    category = _category(run)
    rule = _rule(run, category)
    evaluation = _evaluated(run, rule.row, known, allowed=allow_rules_module)
    wanted = priorities(rule.row.get(reasoning.get("priority_column") or ""))
    selections = _selections(run, limits, wanted)
    more = _dialled(run) if dialled else {}
    hidden = reasoning.get("rules_column")
    log = run.log
    result = {
        **({"error": log.errors[0]} if log.errors else {}),
        "domain": manifest.get("domain", ""),
        "query": query,
        "category": category,
        "rule": {column: cell for column, cell in rule.row.items() if column != hidden},
        "rules_evaluation": evaluation,
        "selections": selections,
        "confidence": _confidence(selections.values()),
        # A domain may be searched for the category, and by the plan.
        "evidence_gap": list(dict.fromkeys(log.gaps)) or [log.clean],
        "tokens_used": list(dict.fromkeys(tokens(query))),
        "tokens_dropped": log.dropped,
        "suggestions": list(dict.fromkeys(log.suggestions)),
        "corpus_warnings": list(dict.fromkeys(log.warnings)),
        **more,
    }
    return cast("GroundResult", result)


def _plan(reasoning: Mapping[str, Any]) -> dict[str, int]:
    """How many rows of which domain, in order; raises `ManifestError`."""
    plan = reasoning.get("plan") or {}
    if not isinstance(plan, dict):
        raise ManifestError("reasoning.plan must be an object: domains, and how many rows of each")
    return {domain: number(rows, f"reasoning.plan.{domain}") for domain, rows in plan.items()}


def _category(run: _Run) -> str:
    """The category of the best row of the category domain, or the default."""
    own, general = (part.get("default_category") for part in (run.reasoning, run.manifest))
    default: str = own or general or CATEGORY
    domain, column = run.reasoning.get("category_domain"), run.reasoning.get("category_column")
    if not (domain and column):
        return default
    found = search_domain(run.manifest, run.query, domain, 1)
    run.log.note(found)
    cell = found["results"][0].get(column) if found["results"] else None
    if cell and cell.strip():
        return cell
    if not found["results"]:
        why = found.get("error") or f"no row of domain '{short(domain)}' answers the query"
    else:
        why = f"the best row of domain '{short(domain)}' has no {short(column)}"
    run.log.gap(f"Category '{short(default)}' is the default: {why}.", *column_gaps(found))
    return default


def _rule(run: _Run, category: str) -> RuleRow:
    """The row of the category in the table of rules."""
    name, column = run.reasoning.get("file"), run.reasoning.get("match_column")
    if not (isinstance(name, str) and isinstance(column, str)):
        raise ManifestError("reasoning must name a file and its match_column")
    try:
        with Table(data_file(run.manifest, name), name) as table:
            keys = (column, run.reasoning.get("rules_column"), run.reasoning.get("priority_column"))
            for key in filter(None, keys):
                if key not in table.header:
                    table.warn(1, f"there is no column '{short(key)}'")
            found = rule_row(table.rows(), column, category)
            run.log.warnings += table.warnings
    except CorpusError as error:
        run.log.errors.append(str(error))
        found = RuleRow({}, f"No decision rules: {error}.")
    run.log.gap(found.gap)
    return found


def _evaluated(run: _Run, row: Row, context: Mapping[str, Any], *, allowed: bool) -> RulesEvaluation:
    parsed = parse_rules(row.get(run.reasoning.get("rules_column") or ""))
    run.log.gap(parsed.gap)
    module = run.reasoning.get("rules_module")
    if module and allowed:
        return run_module(run.manifest, module, parsed.rules, run.query, context)
    if module:
        run.log.gap(
            f"The rules module {short(str(module))} was not run: it is code, and was not allowed to"
            " (--allow-rules-module). The rules are evaluated without it."
        )
    elif row and not parsed.gap:
        # Else no rule is applied, which is told; and what a module asks for, nobody knows.
        run.log.gap(*unasked(parsed.rules, context))
    return evaluate_rules(parsed.rules, run.query, context)


def _selections(run: _Run, limits: Mapping[str, int], wanted: Sequence[str]) -> dict[str, Selection]:
    """The best row of each planned domain, and the others."""
    if not limits:
        run.log.gap("The plan is empty: nothing was searched.")
    preferred = run.reasoning.get("priority_domain")
    if run.setting.variance and preferred not in limits:
        run.log.gap("The dial variance has nothing to choose from: no planned domain has priorities.")
    selections: dict[str, Selection] = {}
    for domain, rows in limits.items():
        added = wanted[:_ADDED] if domain == preferred else ()
        found = search_domain(run.manifest, " ".join([run.query, *added]), domain, rows)
        run.log.note(found)
        run.log.gap(*found["evidence_gap"])
        if tokens(" ".join(added)):
            run.log.gap(*preference_gaps(found, run.query))
            run.log.clean = _CLEAN + _PREFERRED.format(short(domain))
        place = _picked(run, domain, found["results"], wanted) if domain == preferred else 0
        selections[domain] = _selection(found, place)
    return selections


def _selection(found: SearchResult, place: int) -> Selection:
    rows = found["results"]
    return {
        "best": rows[place] if rows else {},
        "alternatives": rows[:place] + rows[place + 1 :],
        "confidence": found["confidence"],
    }


def _picked(run: _Run, domain: str, rows: Sequence[Row], wanted: Sequence[str]) -> int:
    """Which row of the priority domain is best. A pick that a dial changed is told."""
    if not rows:
        return 0
    column = (run.reasoning.get("name_columns") or {}).get(domain)
    own = choose(rows, wanted, column)
    variance = run.setting.variance
    if variance is None:
        return own
    place = choose(rows, [*run.setting.styles, *wanted], column)
    if place != own:
        run.log.gap(
            f"The dial variance ({variance.value}, {variance.label}) changed the pick of domain"
            f" '{short(domain)}' to '{_called(rows[place], column)}'; the rule's own pick is"
            f" '{_called(rows[own], column)}'."
        )
    return place


def _called(row: Row, column: str | None) -> str:
    """What a row is called: the cell of its name, or else the first that is not blank."""
    cells = (row.get(column) if column else None, *row.values())
    return next(filter(None, (short(cell or "") for cell in cells)), "")


def _confidence(selections: Iterable[Selection]) -> Confidence:
    """That of the weakest planned search."""
    score = min((selection["confidence"]["score"] for selection in selections), default=0.0)
    return {"label": "high" if score >= _HIGH else "medium" if score >= _MEDIUM else "low", "score": score}


def _dialled(run: _Run) -> dict[str, object]:
    """What dials that are set add to the result."""
    more: dict[str, object] = {"dials": run.setting.told()}
    if run.setting.motion:
        motion = _motion(run, run.setting.motion.label)
        if motion:
            more["motion"] = motion
    if run.setting.spacing:
        more["spacing_scale"] = run.setting.spacing
    return more


def _motion(run: _Run, tier: str) -> Motion | None:
    """The rows of the motion domain in a tier; the filter comes before the ranking, so that none is lost."""
    if MOTION_DOMAIN not in run.manifest.get("domains", {}):
        run.log.gap(f"The dial motion ({tier}) has no rows: the manifest has no domain '{MOTION_DOMAIN}'.")
        return None
    found = search_domain(run.manifest, run.query, MOTION_DOMAIN, filters={MOTION_COLUMN: tier})
    run.log.note(found)
    if not found["results"]:
        why, *more = found["evidence_gap"]
        run.log.gap(f"The dial motion ({tier}) has no rows. {why}", *more)
        return None
    run.log.gap(*found["evidence_gap"])
    return {"tier": tier, **_selection(found, 0)}
