"""What searching and grounding give: objects for JSON, by the contract. Readers must expect more keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

if TYPE_CHECKING:
    from spectastic.grounding.table import Row


class Confidence(TypedDict):
    """How sure a result is: `score` goes from 0 to 1."""

    label: Literal["high", "medium", "low"]
    score: float


class Told(TypedDict, total=False):
    """What a search says beyond the first version of the contract.

    `tokens_used` were looked for; `tokens_dropped` are too short, each with a near word of the table or
    null. `matched_terms` has for each result the words of the query that it holds.
    """

    tokens_used: list[str]
    tokens_dropped: dict[str, str | None]
    matched_terms: list[list[str]]
    suggestions: list[str]
    corpus_warnings: list[str]


class RowsResult(Told):
    """Rows of one table, best first; `filtered_from` counts its rows before filters. Or an `error`."""

    error: NotRequired[str]
    count: int
    results: list[Row]
    scores: NotRequired[list[float]]
    filtered_from: NotRequired[int]


class SearchResult(RowsResult):
    """Rows of a domain or a stack. `runner_up_domain` is there where another domain was nearly taken."""

    domain: str
    stack: NotRequired[str]
    query: str
    file: NotRequired[str]
    confidence: Confidence
    evidence_gap: list[str]
    runner_up_domain: NotRequired[str]


class RulesEvaluation(TypedDict):
    """Decision rules: those whose condition holds, and the others. Both are told."""

    matched: dict[str, Any]
    unmatched: dict[str, Any]


class Selection(TypedDict):
    """What is best of a planned domain, `{}` where nothing was found, and the other rows."""

    best: Row
    alternatives: list[Row]
    confidence: Confidence


class Dials(TypedDict):
    """The dials as they count, from 1 to 10, and what each means; null where unset."""

    variance: int | None
    variance_label: str | None
    motion: int | None
    motion_label: str | None
    density: int | None
    density_label: str | None


class Motion(TypedDict):
    """What is best of the motion domain in a tier of intensity."""

    tier: str
    best: Row
    alternatives: list[Row]
    confidence: Confidence


class GroundResult(TypedDict):
    """What a decision should choose from. `error` is the first table that could not be read."""

    error: NotRequired[str]
    domain: str
    query: str
    category: str
    rule: Row
    rules_evaluation: RulesEvaluation
    selections: dict[str, Selection]
    confidence: Confidence
    evidence_gap: list[str]
    tokens_used: NotRequired[list[str]]
    tokens_dropped: NotRequired[dict[str, str | None]]
    suggestions: NotRequired[list[str]]
    corpus_warnings: NotRequired[list[str]]
    dials: NotRequired[Dials]
    motion: NotRequired[Motion]
    spacing_scale: NotRequired[dict[str, str]]


class Persisted(TypedDict):
    """Which files were written, or hold it already; and which pages are kept, for they were edited."""

    status: Literal["success"]
    created_files: list[str]
    kept_files: NotRequired[list[str]]
