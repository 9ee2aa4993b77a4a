"""Searching a domain or a stack of a manifest, and how sure the result is."""

from __future__ import annotations

from spectastic.grounding.bm25_search import CorpusError, Found, counted, find, told
from spectastic.grounding.boundary import ManifestError, data_file
from spectastic.grounding.detect import detect
from spectastic.grounding.kinds import rows
from spectastic.ranking import tokens
from spectastic.text import nearest, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from spectastic.grounding.results import Confidence, SearchResult

#: How many rows are given where nothing says it.
MAX_RESULTS = 3
#: Top scores from which a search is sure, and fairly sure. A score of `_FULL` and more counts as 1.
_HIGH, _MEDIUM, _FULL = 4.0, 1.5, 10
#: How a gap begins that tells of a filter on nothing.
_NO_COLUMN = "There is no filter column"


class _Request:
    """One search: `name` says of what, `subject` says it in the result."""

    __slots__ = ("columns", "file", "filters", "max_results", "name", "subject")

    def __init__(
        self,
        name: str,
        subject: Mapping[str, str],
        file: str,
        columns: tuple[Sequence[str], Sequence[str]],
        max_results: int,
        filters: Mapping[str, object],
    ) -> None:
        self.name = name
        self.subject = subject
        self.file = file
        self.columns = columns
        self.max_results = max_results
        self.filters = filters


def search_domain(
    manifest: Mapping[str, Any],
    query: str,
    domain: str | None = None,
    max_results: int | None = None,
    filters: Mapping[str, object] | None = None,
) -> SearchResult:
    """The rows of a domain that answer a query; without a domain, of the one that the query speaks of.

    Filters of the call take the place of the domain's for the same column. Without `max_results`, or with
    0, as many rows are given as the domain says. What goes wrong with the data is an `error` in the result.

    Raises:
        ManifestError: the manifest leads outside its folder, or a value in it cannot be used.
    """
    name, runner_up = detect(manifest, query) if domain is None else (domain, None)
    domains: Mapping[str, Any] = manifest.get("domains") or {}
    if name not in domains:
        return _unknown("domain", name, domains, {"domain": name}, query)
    config: Mapping[str, Any] = domains[name]
    own = config.get("max_results")
    result = _search(
        manifest,
        query,
        _Request(
            f"domain '{short(name)}'",
            {"domain": name},
            config["file"],
            _columns(config, f"domain '{short(name)}'"),
            max_results or number(MAX_RESULTS if own is None else own, f"domains.{name}.max_results"),
            {**_filters(config.get("filters")), **_filters(filters)},
        ),
    )
    if runner_up:
        result["runner_up_domain"] = runner_up
    return result


def search_stack(
    manifest: Mapping[str, Any],
    query: str,
    stack: str,
    max_results: int = MAX_RESULTS,
    filters: Mapping[str, object] | None = None,
) -> SearchResult:
    """The rows of a stack that answer a query; as `search_domain`."""
    stacks: Mapping[str, Any] = manifest.get("stacks") or {}
    subject = {"domain": "stack", "stack": stack}
    if stack not in stacks:
        return _unknown("stack", stack, stacks, subject, query)
    name = f"stack '{short(stack)}'"
    columns = _columns(manifest.get("stack_cols") or {}, "stack_cols")
    request = _Request(name, subject, stacks[stack], columns, max_results or MAX_RESULTS, _filters(filters))
    return _search(manifest, query, request)


def _search(manifest: Mapping[str, Any], query: str, request: _Request) -> SearchResult:
    retriever = manifest.get("retriever") or "bm25"
    path = data_file(manifest, request.file)
    try:
        if retriever == "bm25" and not query.strip():
            raise CorpusError("the query is empty")
        if request.max_results < 0:
            raise CorpusError(f"max_results is {request.max_results}; it must be 1 or more")
        found = find(
            path, request.file, request.columns, query, request.max_results, request.filters, retriever
        )
    except CorpusError as error:
        return _failed(str(error), {**request.subject}, query, {"file": request.file})
    result: Any = {
        **counted(found),
        **request.subject,
        "query": query,
        "file": request.file,
        "confidence": confidence(found.scores),
        "evidence_gap": _gaps(found, request.name),
        **told(found),
    }
    searched: SearchResult = result
    return searched


def _failed(message: str, subject: Mapping[str, str], query: str, more: Mapping[str, Any]) -> SearchResult:
    result: Any = {
        "error": message,
        "count": 0,
        "results": [],
        **subject,
        "query": query,
        **more,
        "confidence": confidence([]),
        "evidence_gap": [message],
    }
    failed: SearchResult = result
    return failed


def _unknown(
    kind: str, name: str, known: Iterable[str], subject: Mapping[str, str], query: str
) -> SearchResult:
    names = {known_name.lower(): known_name for known_name in known}
    meant = names.get(nearest(name, names), "")
    listed = ", ".join(map(short, names.values())) or "none"
    message = f"unknown {kind} '{short(name)}'; the manifest has: {short(listed, 300)}"
    result = _failed(message, subject, query, {})
    result["suggestions"] = [meant] if meant else []
    return result


def confidence(scores: Sequence[float]) -> Confidence:
    """How sure a search is, by its top score."""
    if not scores:
        return {"label": "low", "score": 0.0}
    top = scores[0]
    label = "high" if top >= _HIGH else "medium" if top >= _MEDIUM else "low"
    return {"label": label, "score": round(min(1.0, top / _FULL), 3)}  # type: ignore[typeddict-item]


def _gaps(found: Found, name: str) -> list[str]:
    gaps = []
    if not found.scores:
        gaps.append(f"No match in {name}: {_why_none(found)}.")
    elif found.scores[0] < _MEDIUM:
        gaps.append(f"Weak top score in {name}: {found.scores[0]:.3g}, less than {_MEDIUM}.")
    for column, meant in found.lacking.items():
        hint = f"; did you mean '{short(meant)}'?" if meant else "."
        gaps.append(f"{_NO_COLUMN} '{short(column)}' in {name}{hint}")
    return gaps


def column_gaps(found: SearchResult) -> list[str]:
    """Of the gaps of a search, those that tell of filters on columns that the table does not have."""
    return [gap for gap in found["evidence_gap"] if gap.startswith(_NO_COLUMN)]


def preference_gaps(found: SearchResult, query: str) -> list[str]:
    """What the rows of a search lack that looked for more than a query: whether they answer the query itself.

    `found` is of a domain. Rows that no words were looked for in are as good as their filters.
    """
    if not (found["results"] and found["tokens_used"]):
        return []
    asked = set(tokens(query))
    pairs = zip(found["scores"], found["matched_terms"], strict=True)
    own = next((score for score, words in pairs if not asked.isdisjoint(words)), None)
    name = f"domain '{short(found['domain'])}'"
    if own is None:
        return [
            f"In {name}, only what the rule prefers was found: none of these rows holds a word of the query."
        ]
    if own < _MEDIUM <= found["scores"][0]:
        holder = "a row that holds a word of the query"
        return [f"Weak top score in {name} of {holder}: {own:.3g}, less than {_MEDIUM}."]
    return []


def _why_none(found: Found) -> str:
    if not found.total:
        return "the table has no rows"
    if not found.kept:
        return f"the filters leave none of its {found.total:,} rows"
    if not found.used:
        return "the query has no word of three letters or more"
    what = "rows that the filters leave" if found.kept < found.total else "rows"
    return f"none of the {found.kept:,} {what} holds a word of the query"


def number(value: object, what: str) -> int:
    """A number of rows from a manifest, where it may be a string too; raises `ManifestError`."""
    if (found := rows(value)) is not None:
        return found
    raise ManifestError(f"{what} is {short(repr(value))}; it must be a number of rows", "write 1 or more")


def _filters(value: Any) -> Mapping[str, object]:
    if value is not None and not isinstance(value, dict):
        raise ManifestError(f"filters are {short(repr(value))}; they must be an object: column and text")
    return value or {}


def _columns(config: Mapping[str, Any], what: str) -> tuple[Sequence[str], Sequence[str]]:
    pair = (config.get("search_cols"), config.get("output_cols"))
    for key, value in zip(("search_cols", "output_cols"), pair, strict=True):
        if not (isinstance(value, list) and all(isinstance(column, str) for column in value)):
            raise ManifestError(f"{what}: {key} must be a list of columns", "name columns of the header")
    return pair  # type: ignore[return-value]
