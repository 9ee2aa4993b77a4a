"""Measure `spectastic explore` beside `validate` and the rendering of its documents, in one run.

    python -m benchmarks.explore [--specs 5000] [--references 2000] [--rounds 5] [--trees FOLDER]

The rendering is a process that reads every document of the corpus and does no more than make HTML of it
(markdown-it-py) and clean that (nh3). Exit code 0 where the target is met, 1 where it is missed, 2 where one
of the three does not do its work.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from typing import TYPE_CHECKING

from benchmarks.measure import Command, RunError, output, side_by_side
from benchmarks.trees import Forest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.measure import Sample

#: How many times `validate` and rendering together `explore` may take.
TARGET = 2.0
SPECS, REFERENCES = 5_000, 2_000

RENDERING = """\
import os, sys, nh3
from markdown_it import MarkdownIt
render = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render
count = 0
for folder, _, names in os.walk(sys.argv[1]):
    if "references" in folder.split(os.sep):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read().partition("\\n---\\n")[2]
            count += bool(nh3.clean(render(text)))
print(count)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the times and the ratio."""
    given = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="spectastic-explore-") as temporary:
        place = Forest(given.trees or temporary).tree(given.specs, given.references)
        program = (sys.executable, "-m", "spectastic")
        page = os.path.join(temporary, "explorer.html")
        commands = {
            "validate": Command((*program, "validate", "--quiet"), place.folder),
            "rendering": Command((sys.executable, "-c", RENDERING, "knowledge"), place.folder),
            "explore": Command((*program, "explore", "--force", "--out", page), place.folder),
        }
        try:
            _check(commands, page, given)
            taken = side_by_side(commands, given.rounds)
        except RunError as failure:
            print(f"nothing to compare: {failure}", file=sys.stderr)
            return 2
        size = os.path.getsize(page)
    ratio = statistics.median(ratios(taken))
    for name, samples in taken.items():
        walls = [sample.wall for sample in samples]
        print(f"{name:<10} {statistics.median(walls):6.2f} s  ({min(walls):.2f} to {max(walls):.2f})")
    print(f"{'ratio':<10} {ratio:6.2f}    of at most {TARGET:g}; the page has {size / 1e6:.1f} MB")
    return 0 if ratio <= TARGET else 1


def ratios(taken: dict[str, list[Sample]]) -> list[float]:
    """In each round, how many times `validate` and rendering together `explore` took."""
    rounds = zip(*(taken[name] for name in ("validate", "rendering", "explore")), strict=True)
    return [ours.wall / (check.wall + render.wall) for check, render, ours in rounds]


def _check(commands: dict[str, Command], page: str, given: argparse.Namespace) -> None:
    """Each must have done its work, or its time says nothing."""
    rendered = int(output(commands["rendering"]))
    if rendered < given.references:
        raise RunError(f"of {given.references} documents, {rendered} were rendered")
    output(commands["explore"])
    with open(page, encoding="utf-8") as file:
        shown = file.read().count('<a class="id"')
    if shown != given.references:
        raise RunError(f"of {given.references} references, the page shows {shown}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.explore", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--specs", type=int, default=SPECS, help=f"how many (default: {SPECS})")
    parser.add_argument("--references", type=int, default=REFERENCES, help=f"default: {REFERENCES}")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of each (default: 5)")
    parser.add_argument("--trees", metavar="FOLDER", help="keep the tree here, and use it again")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
