"""What is measured: the whole tree, one file, growth, and memory; and the target of each."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from benchmarks import tools
from benchmarks.measure import Command, RunError, run, side_by_side
from benchmarks.report import Row, Target, ratios
from benchmarks.tools import CODESPELL, MARKDOWNLINT_CLI2, RUMDL, SPECTASTIC, TOOLS, Tool
from benchmarks.trees import describe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.measure import Sample
    from benchmarks.trees import Forest, Place

    Found = Mapping[Tool, str]
    Outcome = tuple[list[Target], list[Row]]
    Taken = Mapping[Tool, Sequence[Sample]]

MEDIUM, WHOLE, LARGE = 500, 5_000, 50_000
#: A tenfold tree may take this much longer.
GROWTH = 10.5
MEMORY_LIMIT = 150.0
#: Runs on one file are short, so they can be many.
FILE_ROUNDS = 3


def measure(forest: Forest, programs: Found, rounds: int, *, large: bool) -> Outcome:
    """Every scenario. `large` includes the tree of 50,000 specs.

    Raises:
        RunError: spectastic did not do its work.
    """
    targets: list[Target] = []
    rows: list[Row] = []
    parts = [one_file(forest, programs, FILE_ROUNDS * rounds), whole_tree(forest, programs, rounds)]
    parts.append(growth(forest, programs, MEDIUM, WHOLE, rounds))
    if large:
        parts.append(growth(forest, programs, WHOLE, LARGE, max(1, rounds // 2)))
        parts.append(memory(forest, programs))
    for more_targets, more_rows in parts:
        targets += more_targets
        rows += more_rows
    return targets, rows


def honest(place: Place, program: str) -> None:
    """Make sure that spectastic checks all of a tree, before anybody times how fast it is.

    Raises:
        RunError: it did not find exactly what the tree holds.
    """
    tree, summary = place.tree, tools.summary(program, place.folder)
    found = (summary["specs"], sum(summary["decisions"].values()), summary["decisions"]["stale"])
    expected = (tree.specs, tree.decisions, tree.stale)
    if found != expected or summary["findings"] != {"error": 0, "warning": tree.stale, "info": 0}:
        raise RunError(f"spectastic found {summary} in {describe(tree)}, {tree.stale} stale citations")


def whole_tree(forest: Forest, programs: Found, rounds: int) -> Outcome:
    """All tools on the tree of 5,000 specs; markdownlint-cli2 once, since it takes half a minute."""
    place = forest.tree(WHOLE)
    honest(place, programs[SPECTASTIC])
    _say(f"the whole tree, {rounds} rounds")
    commands = {tool: tools.on_tree(tool, path, place.folder) for tool, path in programs.items()}
    slow = commands.pop(MARKDOWNLINT_CLI2, None)
    taken, failed = _compare(commands, rounds)
    memories = {tool: run(commands[tool], watch=True).memory for tool in taken}
    if slow is not None:
        _say("the whole tree, markdownlint-cli2, one run")
        try:
            sample = run(slow, watch=True)
            taken[MARKDOWNLINT_CLI2], memories[MARKDOWNLINT_CLI2] = [sample], sample.memory
        except RunError as failure:
            failed[MARKDOWNLINT_CLI2] = str(failure)
    name = f"whole tree, {WHOLE:,} specs"
    targets = [
        _against(f"{name}: spectastic / cold rumdl", 0.5, taken, RUMDL),
        _against(f"{name}: spectastic / markdownlint-cli2", 1 / 50, taken, MARKDOWNLINT_CLI2, inverse=True),
    ]
    return targets, _rows(name, taken, failed, memories)


def one_file(forest: Forest, programs: Found, rounds: int) -> Outcome:
    """All tools on one Markdown spec with decisions, in a small repository."""
    place = forest.small()
    path = _first_spec(place)
    _say(f"one file, {rounds} rounds")
    commands = {tool: tools.on_file(tool, program, place.folder, path) for tool, program in programs.items()}
    taken, failed = _compare(commands, rounds)
    name = "one file of a small repository"
    bare = Command((sys.executable, "-c", "pass"), place.folder)
    targets = [
        _against(f"{name}: spectastic / codespell", 1.0, taken, CODESPELL),
        _against(f"{name}: spectastic / markdownlint-cli2", 1 / 6, taken, MARKDOWNLINT_CLI2, inverse=True),
    ]
    samples = side_by_side({"python": bare}, rounds)["python"]
    return targets, [*_rows(name, taken, failed, {}), Row(name, "python -c pass", samples)]


def growth(forest: Forest, programs: Found, few: int, many: int, rounds: int) -> Outcome:
    """spectastic on a tree and on one of ten times as many specs."""
    program = programs[SPECTASTIC]
    commands = {count: tools.on_tree(SPECTASTIC, program, forest.tree(count).folder) for count in (few, many)}
    _say(f"growth from {few:,} to {many:,} specs, {rounds} rounds")
    taken = side_by_side({f"{count:,}": command for count, command in commands.items()}, rounds)
    small, big = taken.values()
    name = f"growth, {few:,} to {many:,} specs"
    rows = [Row(f"{name}: {label}", SPECTASTIC.name, samples) for label, samples in taken.items()]
    return [Target(f"{name}: ten times the files", GROWTH, ratios(big, small))], rows


def memory(forest: Forest, programs: Found) -> Outcome:
    """The peak memory of spectastic on the tree of 50,000 specs."""
    place = forest.tree(LARGE)
    honest(place, programs[SPECTASTIC])
    command = tools.on_tree(SPECTASTIC, programs[SPECTASTIC], place.folder)
    _say(f"memory at {LARGE:,} specs")
    sample = run(command, watch=True)
    name = f"memory, {LARGE:,} specs"
    target = Target(f"{name}: peak of all processes", MEMORY_LIMIT, [sample.memory / 1e6], "MB")
    return [target], [Row(name, SPECTASTIC.name, [sample], sample.memory)]


def _compare(
    commands: Mapping[Tool, Command], rounds: int
) -> tuple[dict[Tool, Sequence[Sample]], dict[Tool, str]]:
    """Samples of the tools that do their work, and what the others said."""
    works: dict[str, Command] = {}
    failed: dict[Tool, str] = {}
    for tool, command in commands.items():
        try:
            run(command)
            works[tool.name] = command
        except RunError as failure:
            if tool is SPECTASTIC:
                raise
            failed[tool] = str(failure)
    taken = side_by_side(works, rounds)
    return {tool: taken[tool.name] for tool in commands if tool.name in taken}, failed


def _against(name: str, limit: float, taken: Taken, other: Tool, *, inverse: bool = False) -> Target:
    values = ratios(taken[SPECTASTIC], taken[other]) if other in taken else []
    return Target(name, limit, values, inverse=inverse)


def _rows(
    name: str,
    taken: Taken,
    failed: Mapping[Tool, str],
    memories: Mapping[Tool, int],
) -> list[Row]:
    rows: list[Row] = []
    for tool in TOOLS:
        if tool in taken:
            rows.append(Row(name, tool.name, taken[tool], memories.get(tool, 0)))
        elif tool in failed:
            rows.append(Row(name, tool.name, instead=failed[tool]))
        else:
            rows.append(Row(name, tool.name))
    return rows


def _first_spec(place: Place) -> str:
    """The tree's first spec: Markdown, with decisions and nothing stale. Relative, with `/`."""
    names = sorted(os.listdir(os.path.join(place.folder, "docs", "area-000")))
    return f"docs/area-000/{names[0]}"


def _say(what: str) -> None:
    print(f"measuring {what} …", file=sys.stderr, flush=True)
