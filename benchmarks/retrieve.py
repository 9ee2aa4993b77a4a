"""Measure `spectastic retrieve` beside the least that reading prior art takes, in one run.

    python -m benchmarks.retrieve [--documents 20000] [--rounds 5] [--tree FOLDER]

The floor is a process that lists the same files, reads the first 4 KB of each and parses its frontmatter
with `yaml.CSafeLoader`; it ranks and prints nothing. Exit code 0 where the target is met, 1 where it is
missed, 2 where one of the two does not do its work.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import sys
import tempfile
from typing import TYPE_CHECKING

from benchmarks.measure import Command, RunError, output, side_by_side

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How many times the floor `retrieve` may take.
TARGET = 1.5
DOCUMENTS = 20_000

FLOOR = """\
import os, sys, yaml
def paths(home):
    for folder in ("knowledge/lessons", "bugs"):
        for name in os.listdir(os.path.join(home, folder)):
            yield os.path.join(home, folder, name)
    for name in os.listdir(os.path.join(home, "specs")):
        yield os.path.join(home, "specs", name, "requirement.md")
count = 0
for path in paths(sys.argv[1]):
    with open(path, "rb") as file:
        head = file.read(4096)
    start = head.index(b"---\\n") + 4
    fields = yaml.load(head[start : head.index(b"\\n---\\n", start)], yaml.CSafeLoader)
    count += bool(fields["id"])
print(count)
"""

_COMPONENTS = [f"{area}/{part}" for area in ("booking", "gate", "ledger", "notify") for part in "abcdefghij"]
_DOMAINS = ("boarding", "booking", "accounting", "operations", "notifications")
_WORDS = ("berth", "crew", "ferry", "ticket", "queue", "clock", "ledger", "gate", "signal", "manifest")


def write(folder: str, documents: int = DOCUMENTS, seed: int = 1) -> str:
    """Write a prior-art folder of so many documents of about 5 KB, and give its path.

    Half of them are lessons, a quarter each bugs and specs. One in fifty has what needs a YAML parser.
    """
    random.seed(seed)
    home = os.path.join(folder, ".adlc")
    for number in range(documents):
        kind = ("LESSON", "BUG", "LESSON", "REQ")[number % 4]
        identifier = f"{kind}-{number:05}"
        place = {
            "LESSON": f"knowledge/lessons/{identifier}-words.md",
            "BUG": f"bugs/{identifier}-words.md",
            "REQ": f"specs/{identifier}-words/requirement.md",
        }[kind]
        path = os.path.join(home, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(_document(identifier, number))
    return home


def _document(identifier: str, number: int) -> str:
    status = {"B": "resolved", "R": "complete"}.get(identifier[0], "")
    day = f"20{random.randint(20, 26)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    lines = [
        "---",
        f"id: {identifier}",
        f'title: "What {random.choice(_WORDS)} number {number} taught"',
        *([f"status: {status}"] if status else []),
        f"component: {random.choice(_COMPONENTS)}",
        f"domain: {random.choice(_DOMAINS)}" + (" # of many" if number % 50 == 0 else ""),
        f"stack: [{', '.join(random.sample(('python', 'sqlite', 'kotlin', 'mqtt'), 2))}]",
        f"concerns: [{', '.join(random.sample(('retries', 'privacy', 'clocks', 'locks'), 2))}]",
        f"tags: [{', '.join(random.sample(_WORDS, 4))}]",
        f"created: {day}",
        f"updated: {day}",
        "---",
        "",
    ]
    text = " ".join(random.choices(_WORDS, k=780))
    return "\n".join(lines) + f"\n## What happened\n\n{text}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print both times and their ratio."""
    given = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="spectastic-prior-art-") as temporary:
        root = given.tree or temporary
        home = os.path.join(root, ".adlc")
        if not os.path.isdir(home):
            write(root, given.documents)
        query = ("--component", "gate/a", "--domain", "boarding", "--tags", "clock,gate")
        module = (sys.executable, "-m", "spectastic", "retrieve", "--root", root, "--isolated", *query)
        commands = {
            "floor": Command((sys.executable, "-c", FLOOR, home), root),
            "retrieve": Command(module, root),
        }
        try:
            _check(commands, given.documents)
            taken = side_by_side(commands, given.rounds)
        except RunError as failure:
            print(f"nothing to compare: {failure}", file=sys.stderr)
            return 2
    times = {name: [sample.wall for sample in samples] for name, samples in taken.items()}
    ratio = statistics.median(
        ours / floor for ours, floor in zip(times["retrieve"], times["floor"], strict=True)
    )
    for name, samples in times.items():
        print(f"{name:<10} {statistics.median(samples):6.2f} s  ({min(samples):.2f} to {max(samples):.2f})")
    print(f"{'ratio':<10} {ratio:6.2f}    of at most {TARGET}, over {given.documents:,} documents")
    return 0 if ratio <= TARGET else 1


def _check(commands: dict[str, Command], documents: int) -> None:
    """Both must have read every document, or their times say nothing."""
    floor, ours = (output(command, errors=True) for command in commands.values())
    taken = sum(int(count) for count in re.findall(r"^spectastic: \w+: (\d+) of \d+ take part", ours, re.M))
    if (floor, taken) != (f"{documents}\n", documents):
        raise RunError(f"of {documents} documents, the floor read {floor.strip()} and retrieve {taken}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.retrieve", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help=f"how many (default: {DOCUMENTS})")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of each (default: 5)")
    parser.add_argument("--tree", metavar="FOLDER", help="keep the documents here, and use them again")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
