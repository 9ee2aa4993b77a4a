"""Measure spectastic beside its neighbours, in one run, and hold it to its targets.

    python -m benchmarks.run [--write] [--rounds 7] [--trees FOLDER] [--skip-large]

Exit code 0 where every target that was measured is met, 1 where one is missed, 2 where spectastic
is not installed or does not do its work.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import tempfile
from typing import TYPE_CHECKING

from benchmarks import report, scenarios, tools
from benchmarks.measure import RunError
from benchmarks.trees import Forest

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = os.path.dirname(os.path.abspath(__file__))

NOTES = """\
Every time is of a whole process, started and awaited, its output thrown away. The tools take turns \
(A B A B …) after one untimed round; a ratio is the median of the ratios of neighbouring runs.
rumdl runs with `--no-cache`. The files are in the system's page cache for every tool.
rumdl and markdownlint-cli2 read the Markdown files alone, spectastic the HTML files too. `rg KB-` only \
looks for three bytes: the floor.
Peak memory is measured in a run of its own: the largest sum of the peaks (`VmHWM`) of all processes of \
the tool alive at one moment, at least what `wait4` reports.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the page, and keep it where that is asked for."""
    given = _parser().parse_args(arguments)
    programs = tools.installed()
    if tools.SPECTASTIC not in programs:
        print("spectastic is not installed beside this Python or on PATH", file=sys.stderr)
        return 2
    facts = [
        ("Date", datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")),
        ("Commit", tools.commit(HERE)),
        *tools.machine(),
        *((tool.name, tools.described(programs.get(tool))) for tool in tools.TOOLS),
    ]
    with tempfile.TemporaryDirectory(prefix="spectastic-benchmark-") as temporary:
        forest = Forest(given.trees or temporary)
        try:
            targets, rows = scenarios.measure(forest, programs, given.rounds, large=not given.skip_large)
        except RunError as failure:
            print(f"nothing to compare: {failure}", file=sys.stderr)
            return 2
        facts += [("Tree", str(tree)) for tree in forest.described()]
    page = report.render(targets, rows, facts, NOTES.splitlines())
    print(page, end="")
    if given.write:
        with open(os.path.join(HERE, "RESULTS.md"), "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
    return 1 if any(target.met is False for target in targets) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="keep the page as benchmarks/RESULTS.md")
    parser.add_argument("--rounds", type=int, default=7, help="timed runs of each tool (default: 7)")
    parser.add_argument("--trees", metavar="FOLDER", help="keep the generated trees here, and use them again")
    parser.add_argument("--skip-large", action="store_true", help="leave out the tree of 50,000 specs")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
