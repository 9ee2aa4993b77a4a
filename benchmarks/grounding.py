"""Measure `spectastic ground search` beside other BM25s, in one run, and hold it to its targets.

    python -m benchmarks.grounding [--write] [--rounds 5]

Exit code 0 where every target is met, 1 where one is missed, 2 where spectastic is not installed or finds
something else than the straightforward BM25.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import json
import math
import os
import sys
import tempfile
from typing import TYPE_CHECKING

from benchmarks import tables, tools
from benchmarks.measure import Command, RunError, output, run, side_by_side
from benchmarks.report import Row, Target, ratios, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.tables import Table

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
OURS, BASELINE, BARE = "spectastic ground search", "fit-everything BM25", "python -c 'import csv, re, json'"
#: Packages of the registry that are measured where they are installed.
PACKAGES = {"bm25s": "bm25s", "rank-bm25": "rank_bm25"}
TIME_LIMIT, MEMORY_LIMIT, START_LIMIT = 1 / 3, 150.0, 1.5
#: A run on a small table is short, so there can be many.
SMALL_ROUNDS = 6

NOTES = """\
Every time is of a whole process, started and awaited, its output thrown away: reading the file and \
building an index are part of it. The programs take turns (A B A B …) after one untimed round; a \
ratio is the median of the ratios of neighbouring runs.
Before anything is timed, spectastic and the fit-everything BM25 have to give the same rows with the \
same scores (to 1e-9).
bm25s and rank-bm25 are used where they are installed: `pip install bm25s rank-bm25`. They index \
everything, which pays for many queries in one process; here there is one, as on a command line.
Peak memory is measured in a run of its own: the largest sum of the peaks (`VmHWM`) of all processes \
alive at one moment, at least what `wait4` reports.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the page, and keep it where that is asked for."""
    given = _parser().parse_args(arguments)
    program = tools.find(tools.SPECTASTIC)
    if program is None:
        print("spectastic is not installed beside this Python or on PATH", file=sys.stderr)
        return 2
    facts = [
        ("Date", datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")),
        ("Commit", tools.commit(HERE)),
        *tools.machine(),
    ]
    with tempfile.TemporaryDirectory(prefix="spectastic-benchmark-") as folder:
        large = tables.write(os.path.join(folder, "large"), tables.LARGE)
        small = tables.write(os.path.join(folder, "small"), tables.SMALL)
        facts += [("Table", str(large)), ("Table", str(small)), ("Query", tables.QUERY)]
        try:
            honest(program, large)
            honest(program, small)
            targets, rows = _large(program, large, given.rounds)
            more_targets, more_rows = _small(program, small, SMALL_ROUNDS * given.rounds)
        except RunError as failure:
            print(f"nothing to compare: {failure}", file=sys.stderr)
            return 2
    page = render(
        [*targets, *more_targets], [*rows, *more_rows], facts, NOTES.splitlines(), "benchmarks.grounding"
    )
    print(page, end="")
    if given.write:
        with open(os.path.join(HERE, "GROUNDING.md"), "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
    return 1 if any(target.met is False for target in (*targets, *more_targets)) else 0


def _parser() -> argparse.ArgumentParser:
    summary = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grounding", description=summary)
    parser.add_argument("--write", action="store_true", help="keep the page as benchmarks/GROUNDING.md")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of each program (default: 5)")
    return parser


def ours(program: str, table: Table) -> Command:
    """Our search of a table."""
    words = (program, "ground", "search", "--manifest", table.manifest, tables.QUERY, "--json")
    return Command(words, ROOT)


def other(how: str, table: Table) -> Command:
    """A search of a table by another."""
    return Command((sys.executable, "-m", "benchmarks.searchers", how, table.file, tables.QUERY), ROOT)


def honest(program: str, table: Table) -> None:
    """Make sure that the same rows are found with the same scores, before anybody times how fast.

    Raises:
        RunError: they are not.
    """
    found = json.loads(output(ours(program, table)))
    expected = json.loads(output(other("fit-everything", table)))
    mine = [(int(row["No"]) - 1, score) for row, score in zip(found["results"], found["scores"], strict=True)]
    alike = [place for place, _ in mine] == [place for place, _ in expected] and all(
        math.isclose(score, wanted, rel_tol=1e-9)
        for (_, score), (_, wanted) in zip(mine, expected, strict=True)
    )
    if not alike:
        raise RunError(f"in {table}, spectastic found {mine} and the fit-everything BM25 {expected}")


def _large(program: str, table: Table, rounds: int) -> tuple[list[Target], list[Row]]:
    """All searchers on the large table."""
    scenario = f"one search of {table.rows:,} rows"
    commands = {OURS: ours(program, table), BASELINE: other("fit-everything", table)}
    missing = {}
    for name, module in PACKAGES.items():
        if importlib.util.find_spec(module):
            commands[name] = other(name, table)
        else:
            missing[name] = f"not installed: pip install {name}"
    _say(f"{scenario}, {rounds} rounds")
    taken = side_by_side(commands, rounds)
    memories = {name: run(command, watch=True).memory for name, command in commands.items()}
    name = f"{scenario}: spectastic / {BASELINE}"
    targets = [
        Target(name, TIME_LIMIT, ratios(taken[OURS], taken[BASELINE]), inverse=True),
        Target(f"{scenario}: peak memory", MEMORY_LIMIT, [memories[OURS] / 1e6], unit="MB"),
    ]
    rows = [Row(scenario, name, taken[name], memories[name]) for name in commands]
    return targets, rows + [Row(scenario, name, instead=why) for name, why in missing.items()]


def _small(program: str, table: Table, rounds: int) -> tuple[list[Target], list[Row]]:
    """A whole process on a small table, beside an interpreter that only imports what it takes."""
    scenario = f"one search of {table.rows:,} rows"
    commands = {
        OURS: ours(program, table),
        BARE: Command((sys.executable, "-c", "import csv, re, json"), ROOT),
    }
    _say(f"{scenario}, {rounds} rounds")
    taken = side_by_side(commands, rounds)
    name = f"{scenario}: spectastic / bare Python"
    target = Target(name, START_LIMIT, ratios(taken[OURS], taken[BARE]))
    return [target], [Row(scenario, name, samples) for name, samples in taken.items()]


def _say(what: str) -> None:
    print(f"measuring {what} …", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
