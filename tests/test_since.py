"""What is new since a commit: which line is which, and which finding was there."""

from __future__ import annotations

import json
import os
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository import Repository
from test_pull_request import (
    CYCLE,
    FEE,
    HISTORY,
    IGNORE,
    NEW,
    OLD,
    REFERENCES,
    RETAINED,
    SUPERSEDE,
    decision,
    fact,
    registry,
    row,
    skill,
)
from trees import Link

from spectastic import engine
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.engine import Request
from spectastic.engine.since import _line_then

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Content = str | bytes | Link | None

#: Hunks as git writes them, a line, and the line that it was.
LINES = [
    ([], 7, 7),
    ([(5, 2, 5, 3)], 4, 4),
    ([(5, 2, 5, 3)], 5, None),
    ([(5, 2, 5, 3)], 7, None),
    ([(5, 2, 5, 3)], 8, 7),
    ([(10, 2, 9, 0)], 9, 9),
    ([(10, 2, 9, 0)], 10, 12),
    ([(9, 0, 10, 2)], 9, 9),
    ([(9, 0, 10, 2)], 10, None),
    ([(9, 0, 10, 2)], 12, 10),
    ([(0, 0, 1, 3)], 4, 1),
    ([(1, 2, 0, 0)], 1, 3),
    ([(1, 1, 1, 1), (5, 0, 6, 1), (9, 3, 9, 0)], 8, 7),
    ([(1, 1, 1, 1), (5, 0, 6, 1), (9, 3, 9, 0)], 11, 13),
]


@pytest.mark.parametrize(("hunks", "line", "then"), LINES)
def test_line_then(hunks: list[tuple[int, int, int, int]], line: int, then: int | None) -> None:
    assert _line_then(hunks, line) == then


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_a_line_that_has_not_changed_is_the_same(old: list[str], new: list[str]) -> None:
    hunks = []
    same: dict[int, int] = {}
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, False).get_opcodes():
        if tag == "equal":
            same |= {new_start + 1 + at: old_start + 1 + at for at in range(old_end - old_start)}
        else:
            old_count, new_count = old_end - old_start, new_end - new_start
            hunks.append((old_start + bool(old_count), old_count, new_start + bool(new_count), new_count))
    assert {line: _line_then(hunks, line) for line in range(1, len(new) + 1)} == {
        line: same.get(line) for line in range(1, len(new) + 1)
    }


# Repositories without a baseline. The one all begin with has an old finding of each kind.

STALE, DEAD = "specs/old.md:3:11 corpus-staleness", "specs/old.md:8:11 corpus-provenance"
LICENSED = f"{REFERENCES}/{FEE}.md:7:10 corpus-license"
UNKNOWN = {"license": "Nobody-Knows-1.0"}
BEFORE: dict[str, str] = {**HISTORY, f"{REFERENCES}/{FEE}.md": fact(FEE, "2022-07-08", "Half.\n", **UNKNOWN)}

OPEN = "".join(decision(number, f"T+1, KB-0001@{NEW}.") for number in (1, 2, 3))
LAST_OPEN = OPEN.removesuffix("</spec-decision>\n")
#: A citation over three lines, of which the middle one is a tag's.
LONG = '<spec-decision>\n\nDead, KB-0077<b\nclass="a"\nid="b">@2020-01-01</b>.\n\n</spec-decision>\n'
RENAMED = BEFORE["specs/old.md"] + "\nA line more.\n"

# What there is besides, what the change makes of it (`None`: removed), and what is new after it.
CASES: dict[str, tuple[Mapping[str, Content], Mapping[str, Content], list[str]]] = {
    "nothing": ({}, {}, []),
    "another-spec": ({}, {"specs/new.md": decision(9, f"T+1, KB-0001@{NEW}.")}, []),
    "a-new-finding": (
        {},
        {"specs/new.md": decision(9, "Made up, KB-0042@2024-01-01.")},
        ["specs/new.md:3:10 corpus-provenance"],
    ),
    "a-finding-beside-old-ones": (
        {},
        {"specs/old.md": decision(8, "KB-0042@1") + BEFORE["specs/old.md"]},
        ["specs/old.md:3:1 corpus-provenance"],
    ),
    "an-old-line-rewritten": (
        {},
        {"specs/old.md": BEFORE["specs/old.md"].replace("Invented,", "INVENTED,")},
        [DEAD],
    ),
    # Nobody touched these lines.
    "become-stale": (
        {"specs/old.md": "Nothing.\n"},
        SUPERSEDE,
        [f"specs/{name}.md:3:6 corpus-staleness" for name in "abc"],
    ),
    "become-dead": (
        {},
        {
            "knowledge/index.md": registry(row(1, CYCLE, NEW)),
            "knowledge/trading/SKILL.md": skill((CYCLE, NEW)),
        },
        [
            "knowledge/index.md:1:1 corpus-append-only",
            f"{REFERENCES}/{FEE}.md:1:1 corpus-orphan",
            "specs/fee.md:3:8 corpus-provenance",
        ],
    ),
    "never-closed": (
        {"specs/open.md": OPEN},
        {"specs/open.md": LAST_OPEN},
        ["specs/open.md:11:1 decision-markup"],
    ),
    "comment-removed": (
        {"specs/a.md": IGNORE + decision(1, f"Then, KB-0001@{OLD}.")},
        {"specs/a.md": decision(1, f"Then, KB-0001@{OLD}.")},
        ["specs/a.md:3:7 corpus-staleness"],
    ),
    "comment-of-no-use": (
        {"specs/a.md": IGNORE + decision(1, f"Then, KB-0001@{OLD}.")},
        {"specs/a.md": IGNORE + decision(1, f"Now, KB-0001@{NEW}.")},
        ["specs/a.md:1:25 unused-suppression"],
    ),
    # The corpus.
    "a-corpus-finding-is-new": (
        {},
        {f"{REFERENCES}/{CYCLE}.md": fact(CYCLE, NEW, "One day.\n", **UNKNOWN)},
        [f"{REFERENCES}/{CYCLE}.md:7:10 corpus-license"],
    ),
    "a-corpus-finding-has-changed": (
        {},
        {f"{REFERENCES}/{FEE}.md": BEFORE[f"{REFERENCES}/{FEE}.md"].replace("Nobody-Knows", "Who-Knows")},
        [LICENSED],
    ),
    "a-corpus-finding-has-moved": (
        {},
        {f"{REFERENCES}/{FEE}.md": BEFORE[f"{REFERENCES}/{FEE}.md"].replace("---", "---\ntitle: Fee", 1)},
        [],
    ),
    "a-finding-about-a-whole-file": (
        {"knowledge/index.md": "Nothing.\n"},
        {"knowledge/index.md": "Something.\n"},
        [],
    ),
    "append-only": (
        {},
        {RETAINED: fact(CYCLE, OLD, "Three days.\n", status="superseded")},
        [f"{RETAINED}:1:1 corpus-append-only"],
    ),
    # Names.
    "spec-renamed": ({}, {"specs/old.md": None, "texts/older.md": RENAMED}, []),
    "spec-renamed-and-rewritten": (
        {},
        {"specs/old.md": None, "texts/older.md": RENAMED.replace("Invented,", "INVENTED,")},
        ["texts/older.md:8:11 corpus-provenance"],
    ),
    "spec-from-a-folder-that-is-skipped": (
        {"archive/long.md": LONG},
        {"archive/long.md": None, "specs/long.md": LONG},
        ["specs/long.md:3:7 corpus-provenance"],
    ),
    "spec-copied": (
        {},
        {"texts/copy.md": BEFORE["specs/old.md"]},
        [
            "texts/copy.md:3:11 corpus-staleness",
            "texts/copy.md:8:11 corpus-provenance",
        ],
    ),
    "pack-renamed": (
        {},
        {
            **{path: None for path in BEFORE if path.startswith("knowledge/trading/")},
            **{
                path.replace("/trading/", "/dealing/"): text
                for path, text in BEFORE.items()
                if path.startswith("knowledge/trading/")
            },
            "knowledge/index.md": BEFORE["knowledge/index.md"].replace(" trading/", " dealing/"),
        },
        [],
    ),
    # Lines.
    "first-line-of-three": (
        {"specs/long.md": LONG},
        {"specs/long.md": LONG.replace("Dead", "DEAD")},
        ["specs/long.md:3:7 corpus-provenance"],
    ),
    "last-line-of-three": (
        {"specs/long.md": LONG},
        {"specs/long.md": LONG.replace("</b>.", "</b>!")},
        ["specs/long.md:3:7 corpus-provenance"],
    ),
    "a-line-in-between": (
        {"specs/long.md": LONG},
        {"specs/long.md": LONG.replace('"a"', '"a"\ntitle="c"')},
        ["specs/long.md:3:7 corpus-provenance"],
    ),
    "the-line-in-between": (
        {"specs/long.md": LONG},
        {"specs/long.md": LONG.replace('"a"', '"b"')},
        ["specs/long.md:3:7 corpus-provenance"],
    ),
    "no-line-of-three": (
        {"specs/long.md": LONG},
        {"specs/long.md": f"# Title\n\n{LONG}# End\n"},
        [],
    ),
    # What git cannot compare line by line counts as changed.
    "lone-cr": (
        {"specs/cr.md": b"Top\rof\n\n" + LONG.encode()},
        {"specs/cr.md": b"Top\rof\n\n" + LONG.encode() + b"End\n"},
        ["specs/cr.md:6:7 corpus-provenance"],
    ),
    "lone-cr-untouched": ({"specs/cr.md": b"Top\rof\n\n" + LONG.encode()}, {}, []),
    "nul": (
        {"specs/nul.md": LONG + "\0\n"},
        {"specs/nul.md": LONG + "\0\nEnd\n"},
        ["specs/nul.md:3:7 corpus-provenance", "specs/nul.md:8:1 file-unreadable"],
    ),
    "unreadable": ({"specs/nul.md": "\0\n"}, {}, ["specs/nul.md:1:1 file-unreadable"]),
    "what-a-link-leads-to": (
        {"specs/link.md": Link("../text.txt"), "text.txt": "Nothing.\n"},
        {"text.txt": LONG},
        ["specs/link.md:3:7 corpus-provenance"],
    ),
    "a-file-for-a-link": (
        {"specs/link.md": Link("old.md")},
        {"specs/link.md": BEFORE["specs/old.md"]},
        ["specs/link.md:3:11 corpus-staleness", "specs/link.md:8:11 corpus-provenance"],
    ),
}


def apply(repository: Repository, changes: Mapping[str, Content]) -> None:
    for name in changes:
        if os.path.lexists(repository.root / name):
            os.unlink(repository.root / name)
    repository.write({name: content for name, content in changes.items() if content is not None})


def since(root: Path, revision: str, *paths: str) -> tuple[list[str], list[str]]:
    """What is new since a revision, and what is not."""
    settings = Settings(str(root), paths)
    reports = [
        engine.validate(settings, None, request)
        for request in (Request(since=revision), Request(base=revision))
    ]
    new, everything = (
        [f"{item.path}:{item.location.line}:{item.location.column} {item.rule}" for item in report.findings]
        for report in reports
    )
    old = [place for place in everything if place not in new]
    assert reports[0].outside == len(old)
    return new, old


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_what_is_new(case: str, committed: bool, tmp_path: Path) -> None:
    before, changes, new = CASES[case]
    repository = Repository(tmp_path / "repository", {**BEFORE, **before})
    apply(repository, changes)
    repository.git("add", "-A")
    if committed:
        repository.commit()
    found, _ = since(repository.root, "HEAD~1" if committed else "HEAD")
    assert found == new


def test_what_is_not_new(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", BEFORE)
    assert since(repository.root, "HEAD") == ([], [LICENSED, STALE, DEAD])
    assert since(repository.root, "HEAD", "specs") == ([], [STALE, DEAD])


def test_a_file_that_git_does_not_track(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository", {**BEFORE, ".gitignore": "draft.md\n"})
    dead = decision(9, "KB-0042@1")
    repository.write({"specs/new.md": dead, "specs/draft.md": dead})
    assert since(repository.root, "HEAD")[0] == ["specs/new.md:3:1 corpus-provenance"]
    assert since(repository.root, "HEAD", "specs/draft.md") == (["specs/draft.md:3:1 corpus-provenance"], [])


def test_history_is_held_to_the_same_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = Repository(tmp_path / "repository", BEFORE)
    repository.commit({RETAINED: fact(CYCLE, OLD, "Three days.\n", status="superseded")})
    monkeypatch.chdir(repository.root)
    for options, code in (
        ([], 1),
        (["--since", "HEAD~1"], 1),
        (["--since", "HEAD~1", "--base", "HEAD"], 0),
        (["--since", "HEAD"], 0),
    ):
        assert main(["validate", "--format", "json", *options]) == code
        report = json.loads(capsys.readouterr().out)
        told = [item["path"] for item in report["findings"] if item["rule"] == "corpus-append-only"]
        assert told == ([RETAINED] if options == ["--since", "HEAD~1"] else [])
