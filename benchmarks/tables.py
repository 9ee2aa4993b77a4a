"""Synthetic tables for the grounding benchmark: `python -m benchmarks.tables FOLDER`.

The same arguments give the same bytes everywhere.
"""

from __future__ import annotations

import csv
import json
import os
import random
import sys
from itertools import accumulate
from typing import NamedTuple

#: Rows of the table of the targets, and of a small one.
LARGE, SMALL = 200_000, 60
QUERY = "settlement ledger rotation"
COLUMNS = ("No", "Name", "Keywords", "Text")
SEARCHED = COLUMNS[1:]
_SYLLABLES = (
    "ba",
    "co",
    "de",
    "fi",
    "go",
    "hu",
    "ka",
    "li",
    "mo",
    "nu",
    "pra",
    "qui",
    "ro",
    "sta",
    "te",
    "vi",
)
_WORDS = 20_000
#: Of the words asked for, each stands in about one row of so many.
_RARITY = (40, 400, 4000)


class Table(NamedTuple):
    """A table that was written: its manifest, its file, and how large that is."""

    manifest: str
    file: str
    rows: int
    size: int

    def __str__(self) -> str:
        return f"{self.rows:,} rows, {self.size / 1e6:.1f} MB"


def write(folder: str, rows: int, seed: int = 7) -> Table:
    """Write a table of about 300 bytes a row, and its manifest."""
    os.makedirs(folder, exist_ok=True)
    random_ = random.Random(seed)
    words = sorted({"".join(random_.choices(_SYLLABLES, k=random_.randint(2, 4))) for _ in range(_WORDS)})
    # Few words are frequent and most are rare, as in any language.
    weights = list(accumulate(1 / (rank + 10) for rank in range(len(words))))
    random_.shuffle(words)
    path = os.path.join(folder, "table.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for number in range(rows):
            drawn = random_.choices(words, cum_weights=weights, k=33)
            for word, rarity in zip(QUERY.split(), _RARITY, strict=True):
                if random_.randrange(min(rarity, rows)) == 0:
                    drawn[random_.randrange(len(drawn))] = word
            name, keywords, text = " ".join(drawn[:3]), ", ".join(drawn[3:10]), " ".join(drawn[10:])
            writer.writerow((number + 1, name.capitalize(), keywords, f"{text}."))
    return Table(_manifest(folder), path, rows, os.path.getsize(path))


def _manifest(folder: str) -> str:
    path = os.path.join(folder, "manifest.json")
    manifest = {
        "manifest_version": 1,
        "domain": "benchmark",
        "tier": "lookup-only",
        "domains": {"table": {"file": "table.csv", "search_cols": SEARCHED, "output_cols": ["No", "Name"]}},
        "owner": "nobody but this benchmark",
        "refresh_cadence": "never",
        "upstream": None,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(manifest, file)
    return path


if __name__ == "__main__":
    print(write(sys.argv[1], LARGE))
