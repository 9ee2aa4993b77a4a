"""A line for each run that reads bodies: whether a delegate was really called, and what came of it. Pure.

What a run claims of itself does not count, only what happened: a delegate that should have been called and
was not is a ghost skip.
"""

from __future__ import annotations

import json
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VERSION = 1
DELEGATED, FALLBACK, GHOST = "delegated", "fallback", "ghost-skip"
PASS, FAIL = "pass", "fail"


class Trace(NamedTuple):
    """What happened: the reason of the gate, whether the program was started, and how it ended.

    `exit` is its code (negative: a signal), `None` where it never ended by itself. `failure` says why its
    answer is of no use (`timeout`, `too-long`, `not-run`, `empty`), `missing` how many documents it left out.
    `claimed` is the mode that somebody says it was.
    """

    reason: str
    invoked: bool = False
    exit: int | None = None
    failure: str = ""
    missing: int = 0
    claimed: str = ""


class Outcome(NamedTuple):
    """What is recorded: the mode, its reason, and whether the gate had passed."""

    mode: str
    reason: str
    gate: str


def resolve(trace: Trace) -> Outcome:
    """What a run was."""
    passed = trace.reason == "ok"
    gate = PASS if passed else FAIL
    if not passed:
        # Nothing may be called then; that something was must not look like an ordinary day.
        against = f"called-against-gate ({trace.reason or 'no-gate'})"
        return Outcome(FALLBACK, against if trace.invoked else trace.reason or "no-gate", gate)
    if not trace.invoked:
        return Outcome(GHOST, _claimed("gate-passed-no-call", trace.claimed), gate)
    if trace.failure:
        return Outcome(FALLBACK, trace.failure, gate)
    if trace.exit is None:
        return Outcome(GHOST, _claimed("called-no-end", trace.claimed), gate)
    if trace.exit:
        return Outcome(FALLBACK, f"exit {trace.exit}", gate)
    return Outcome(DELEGATED, "partial" if trace.missing else "ok", gate)


def _claimed(reason: str, claimed: str) -> str:
    return f"{reason} ({claimed})" if claimed else reason


def line(when: str, trace: Trace, duration_ms: int, documents: int, corpora: Mapping[str, object]) -> bytes:
    """A run as a line of the file. `when` is its time in UTC; `corpora` has numbers only."""
    record = {
        "version": VERSION,
        "time": when,
        "command": "retrieve",
        **resolve(trace)._asdict(),
        "gate_reason": trace.reason,
        "invoked": trace.invoked,
        "exit": trace.exit,
        "failure": trace.failure,
        "missing": trace.missing,
        "duration_ms": duration_ms,
        "documents": documents,
        "corpora": corpora,
    }
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


class Totals(NamedTuple):
    """The runs of a file: how many of each outcome, how many documents, and the durations.

    `broken` counts lines that are no record. `first` and `last` are the times of the first and last record.
    """

    runs: int
    outcomes: Mapping[Outcome, int]
    documents: int
    median_ms: int
    longest_ms: int
    first: str
    last: str
    broken: int

    @property
    def modes(self) -> dict[str, int]:
        """How many runs were of each mode, the three always."""
        found = Counter(dict.fromkeys((DELEGATED, FALLBACK, GHOST), 0))
        for outcome, count in self.outcomes.items():
            found[outcome.mode] += count
        return dict(found)


def totals(lines: Iterable[str]) -> Totals:
    """Sum up the lines of a file. Each record is resolved anew: its mode is a claim as any other."""
    outcomes: Counter[Outcome] = Counter()
    durations: list[int] = []
    times: list[str] = []
    documents = broken = 0
    for text in lines:
        if not text.strip():
            continue
        record = _record(text)
        if record is None:
            broken += 1
            continue
        outcomes[resolve(_trace(record))] += 1
        documents += record["documents"]
        durations.append(record["duration_ms"])
        times.append(record["time"])
    return Totals(
        runs=len(times),
        outcomes=dict(sorted(outcomes.items())),
        documents=documents,
        median_ms=round(median(durations)) if durations else 0,
        longest_ms=max(durations, default=0),
        first=min(times, default=""),
        last=max(times, default=""),
        broken=broken,
    )


#: No run counts further, or takes longer: some 30 years, in ms.
_MOST = 10**12
_COUNTS = ("missing", "duration_ms", "documents")
_TYPES: Mapping[str, type] = {
    "time": str,
    "mode": str,
    "gate_reason": str,
    "invoked": bool,
    "failure": str,
    "missing": int,
    "duration_ms": int,
    "documents": int,
}


def _record(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("version") != VERSION:
        return None
    good = all(type(found.get(name)) is kind for name, kind in _TYPES.items())
    good = good and type(found["version"]) is int and all(0 <= found[name] <= _MOST for name in _COUNTS)
    return found if good and ("exit" in found and type(found["exit"]) in (int, type(None))) else None


def _trace(record: Mapping[str, Any]) -> Trace:
    claimed = record["mode"] if record["mode"] != GHOST else ""
    return Trace(
        record["gate_reason"],
        record["invoked"],
        record["exit"],
        record["failure"],
        record["missing"],
        claimed,
    )
