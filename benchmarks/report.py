"""From samples to the page: medians, paired ratios, targets, and the tables that show them. Pure."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.measure import Sample

NOT_INSTALLED = "not installed"


class Row(NamedTuple):
    """One tool in one scenario. Without `samples`, `instead` says why there are none."""

    scenario: str
    tool: str
    samples: Sequence[Sample] = ()
    memory: int = 0
    instead: str = NOT_INSTALLED


class Target(NamedTuple):
    """A limit, and what was measured against it: the median of `values` counts.

    `inverse` shows values as parts (`1/50`), as the target itself is given. No `values`: not measured.
    """

    name: str
    limit: float
    values: Sequence[float]
    unit: str = "×"
    inverse: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the target is met; `None` where nothing was measured."""
        return median(self.values) <= self.limit if self.values else None


def ratios(ours: Sequence[Sample], others: Sequence[Sample]) -> list[float]:
    """Our wall clock by theirs, pair by pair; a single run of theirs pairs with each of ours.

    Raises:
        ValueError: the runs do not pair up.
    """
    if len(others) == 1:
        others = [others[0]] * len(ours)
    return [mine.wall / other.wall for mine, other in zip(ours, others, strict=True)]


def render(
    targets: Iterable[Target],
    rows: Iterable[Row],
    facts: Iterable[tuple[str, str]],
    notes: Iterable[str],
    command: str = "benchmarks.run",
) -> str:
    """The whole page, in Markdown; `command` is the module that wrote it."""
    parts = (
        "# Results",
        f"Written by `python -m {command} --write`; how to read it: [README.md](README.md).",
        "## Targets",
        _table(("target", "limit", "measured", "range", "met"), [_target(target) for target in targets]),
        "## Measurements",
        _table(
            ("scenario", "tool", "runs", "wall, median", "wall, range", "CPU, median", "peak memory"),
            [_row(row) for row in rows],
        ),
        "## Where and when",
        _table(("what", "value"), facts),
        "\n".join(f"- {note}" for note in notes),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def _target(target: Target) -> tuple[str, ...]:
    limit = f"≤ {_value(target, target.limit)}"
    if target.met is None:
        return (target.name, limit, "not measured", "", "")
    low, high = min(target.values), max(target.values)
    spread = f"{_value(target, low)} to {_value(target, high)}" if len(target.values) > 1 else ""
    return (
        target.name,
        limit,
        _value(target, median(target.values)),
        spread,
        "yes" if target.met else "**no**",
    )


def _value(target: Target, value: float) -> str:
    if target.inverse and value < 1:
        return f"1/{1 / value:.3g}"
    digits = 1 if target.unit == "MB" else 2
    return f"{value:.{digits}f} {target.unit}"


def _row(row: Row) -> tuple[str, ...]:
    if not row.samples:
        return (row.scenario, row.tool, "", row.instead, "", "", "")
    walls = [sample.wall for sample in row.samples]
    return (
        row.scenario,
        row.tool,
        str(len(walls)),
        seconds(median(walls)),
        f"{seconds(min(walls))} to {seconds(max(walls))}" if len(walls) > 1 else "",
        seconds(median(sample.cpu for sample in row.samples)),
        f"{row.memory / 1e6:.0f} MB" if row.memory else "",
    )


def seconds(value: float) -> str:
    """A duration for people: `48.3 ms`, `512 ms`, `1.02 s`, `34.0 s`."""
    if value >= 1:
        return f"{value:.2f} s" if value < 10 else f"{value:.1f} s"
    return f"{value * 1e3:.0f} ms" if value >= 0.1 else f"{value * 1e3:.1f} ms"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
