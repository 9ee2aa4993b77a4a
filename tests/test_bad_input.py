"""Bad input: each gives findings or an error that names the file, none a traceback, none silence."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, row
from test_engine import decision, fact
from trees import Link, tree

from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


class Special:
    """What no text can hold; `make` makes it at a path."""

    def __init__(self, make: Callable[[str], object]) -> None:
        self.make = make


Content = str | bytes | Link | Special | None

SPEC, REGISTRY, REFERENCE = "specs/bad.md", "knowledge/index.md", "knowledge/web/references/001-x.md"
RETAINED, SKILL = "knowledge/web/references/superseded/001-x@0.md", "knowledge/web/SKILL.md"
ROW = row(1, "1", "web/references/001-x.md")
OLD = fact(edition="0", status="superseded")
SLUG_MAP = (
    "---\nname: web\ndescription: Facts.\n---\n\n"
    "| Slug | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
    "| 001-x | T | D | 1 | references/001-x.md |\n"
)
#: A repository in which nothing is wrong.
HEALTHY: dict[str, str | bytes | Link | None] = {
    ".git": None,
    SPEC: decision("KB-0001@1"),
    "specs/good.md": decision("KB-0001@1 KB-0001@0"),
    REGISTRY: HEADER + ROW,
    REFERENCE: fact(),
    RETAINED: OLD,
    SKILL: SLUG_MAP,
    "spectastic.toml": 'ignore = ["corpus-staleness"]\n',
}
UNREAD = "file-unreadable"
#: The citations of the two specs, where they lead nowhere.
BAD = f"{SPEC}:3:1: error corpus-provenance"
GOOD = "specs/good.md:3:1: error corpus-provenance"
GOOD_OLD = "specs/good.md:3:11: error corpus-provenance"


def _huge(path: str) -> None:
    with open(path, "wb") as file:
        file.truncate(100_000_000)


HUGE = Special(_huge)
PIPE = Special(lambda path: os.mkfifo(path))
TAG = '!!python/object/apply:os.system ["touch run"]'
BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}{f', *a{n - 1}' * 9}]\n" for n in range(1, 12))
CONFLICT = "<<<<<<< HEAD\nconverter: me\n=======\nconverter: you\n>>>>>>> theirs\n"


def repository(root: Path, path: str, content: Content) -> Path:
    """The healthy repository with one thing in it replaced; `None` stands for a folder."""
    files = {name: text for name, text in HEALTHY.items() if name != path}
    if isinstance(content, Special):
        tree(root, {**files, os.path.dirname(path) or ".": None})
        content.make(os.path.join(root, path))
        return root
    return tree(root, {**files, path: content})


def told(out: str) -> list[str]:
    """The findings in a concise output."""
    return [line for line in out.splitlines() if re.match(r"[^ ]+:[0-9]+:[0-9]+: ", line)]


def check(found: list[str], expected: list[str]) -> None:
    """Each finding begins as expected up to ` … `, and has what follows in it; there is no other."""
    wanted = [line.partition(" … ")[::2] for line in expected]
    assert len(found) == len(wanted), "\n".join(found)
    for line, (start, text) in zip(found, wanted, strict=True):
        assert line.startswith(start), line
        assert text in line, line


def _moved(finding: str, lines: int) -> str:
    """The same finding some lines further down."""
    return finding.replace(":3:", f":{3 + lines}:")


def _no_document(why: str) -> list[str]:
    """What a row and a slug map that lead to no document give."""
    return [
        f"{REGISTRY}:3:42: warning corpus-orphan … {why}",
        f"{SKILL}:8:23: error corpus-edition-drift",
        f"{REFERENCE}:1:1: error corpus-registry … {why}",
        f"{BAD} … {why}",
        f"{GOOD} … {why}",
    ]


def _no_registry(why: str, *said: str) -> list[str]:
    """What a registry without rows gives: the gate never fails open."""
    orphans = [f"{path}:1:1: warning corpus-orphan" for path in (REFERENCE, RETAINED)]
    dead = [f"{citation} … {why}" for citation in (BAD, GOOD, GOOD_OLD)]
    return [*(f"{REGISTRY}:1:1: error corpus-registry … {text}" for text in said), *orphans, *dead]


#: name: (path, what is there, what is told)
CASES: dict[str, tuple[str, Content, list[str]]] = {
    "spec: not UTF-8": (
        SPEC,
        decision("KB-0009@1").encode() + b"caf\xe9\n",
        [f"{BAD} … KB-0009@1", f"{SPEC}:6:4: error {UNREAD} … 0xe9"],
    ),
    "spec: UTF-16": (SPEC, decision("KB-0009@1").encode("utf-16"), [f"{SPEC}:1:1: error {UNREAD} … UTF-16"]),
    "spec: NUL": (SPEC, decision("KB-0009@1\0"), [BAD, f"{SPEC}:3:10: error {UNREAD} … NUL"]),
    "spec: 100 MB": (SPEC, HUGE, [f"{SPEC}:1:1: error {UNREAD} … 100,000,000 bytes"]),
    "spec: a folder": (SPEC, None, [f"{SPEC}:1:1: error {UNREAD}"]),
    "spec: a dangling link": (SPEC, Link("none.md"), [f"{SPEC}:1:1: error {UNREAD} … nothing: none.md"]),
    "spec: a looping link": (SPEC, Link("bad.md"), [f"{SPEC}:1:1: error {UNREAD} … back to itself"]),
    "spec: a link to a folder": (SPEC, Link("../knowledge"), [f"{SPEC}:1:1: error {UNREAD} … ../knowledge"]),
    # Nothing reads a spec's frontmatter, and nothing in it keeps the rest from being read.
    "spec: a bomb": (SPEC, f"---\n{BOMB}---\n{decision('KB-0009@1')}", [_moved(BAD, 14)]),
    "spec: a tag": (SPEC, f"---\na: {TAG}\n---\n{decision('KB-0009@1')}", [_moved(BAD, 3)]),
    "spec: a conflict": (SPEC, f"---\n{CONFLICT}---\n{decision('KB-0009@1')}", [_moved(BAD, 7)]),
    "spec: a conflict around decisions": (
        SPEC,
        f"<<<<<<< HEAD\n\n{decision('KB-0009@1')}=======\n\n{decision('KB-0008@1')}>>>>>>> theirs\n",
        [_moved(BAD, 2), _moved(BAD, 9)],
    ),
    "reference: not UTF-8": (
        REFERENCE,
        fact().encode() + b"caf\xe9\n",
        [f"{REFERENCE}:1:1: error {UNREAD} … 0xe9", f"{BAD} … {REFERENCE}", GOOD],
    ),
    "reference: UTF-16": (
        REFERENCE,
        fact().encode("utf-16"),
        [f"{REFERENCE}:1:1: error {UNREAD} … UTF-16", BAD, GOOD],
    ),
    "reference: NUL": (REFERENCE, fact() + "\0", [f"{REFERENCE}:1:1: error {UNREAD} … NUL", BAD, GOOD]),
    "reference: 100 MB": (
        REFERENCE,
        HUGE,
        [f"{REFERENCE}:1:1: error {UNREAD} … 100,000,000 bytes", BAD, GOOD],
    ),
    "reference: a folder": (REFERENCE, None, _no_document("folder")),
    "reference: a dangling link": (REFERENCE, Link("none.md"), _no_document("leads nowhere")),
    "reference: a looping link": (REFERENCE, Link("001-x.md"), _no_document("circle")),
    "reference: a bomb": (
        REFERENCE,
        fact().replace("license:", BOMB + "license:"),
        [f"{REFERENCE}:7:5: error corpus-frontmatter … anchor"],
    ),
    "reference: a tag": (
        REFERENCE,
        fact().replace("MIT", TAG),
        [f"{REFERENCE}:7:10: error corpus-frontmatter … python/object"],
    ),
    "reference: a conflict": (
        REFERENCE,
        fact().replace("converter: by hand\n", CONFLICT),
        [f"{REFERENCE}:8:1: error corpus-frontmatter … <<<<<<< HEAD"],
    ),
    "retained: not UTF-8": (RETAINED, b"\xff", [f"{RETAINED}:1:1: error {UNREAD} … 0xff", GOOD_OLD]),
    "retained: a folder": (RETAINED, None, [f"{RETAINED}:1:1: error corpus-registry … folder", GOOD_OLD]),
    "retained: a conflict": (
        RETAINED,
        OLD.replace("converter: by hand\n", CONFLICT),
        [f"{RETAINED}:8:1: error corpus-frontmatter … <<<<<<< HEAD"],
    ),
    "skill: not UTF-8": (
        SKILL,
        SLUG_MAP.replace("Facts", "Fäcts").encode("latin-1"),
        [f"{SKILL}:3:15: error corpus-registry … 0xe4"],
    ),
    "skill: 100 MB": (SKILL, HUGE, [f"{SKILL}:1:1: error … 100,000,000 bytes"]),
    "skill: a folder": (SKILL, None, [f"{SKILL}:1:1: error … folder"]),
    "skill: a tag": (
        SKILL,
        SLUG_MAP.replace("Facts.", TAG),
        [f"{SKILL}:3:14: error corpus-frontmatter … python/object"],
    ),
    "skill: a bomb": (
        SKILL,
        SLUG_MAP.replace("name", f"{BOMB}name"),
        [f"{SKILL}:2:5: error corpus-frontmatter … anchor"],
    ),
    "skill: a conflict": (
        SKILL,
        SLUG_MAP.replace("name", f"{CONFLICT}name"),
        [f"{SKILL}:2:1: error corpus-frontmatter … <<<<<<< HEAD"],
    ),
    "registry: not UTF-8": (
        REGISTRY,
        f"# Café\n\n{HEADER}{ROW}".encode("latin-1"),
        [f"{REGISTRY}:1:6: error corpus-registry … 0xe9"],
    ),
    "registry: UTF-16": (REGISTRY, (HEADER + ROW).encode("utf-16"), _no_registry("no row KB-0001", "UTF-16")),
    "registry: NUL": (REGISTRY, f"\0\n\n{HEADER}{ROW}", [f"{REGISTRY}:1:1: error corpus-registry … NUL"]),
    "registry: 100 MB": (REGISTRY, HUGE, _no_registry("no registry", "100,000,000 bytes")),
    "registry: a folder": (REGISTRY, None, _no_registry("no registry", "folder")),
    "registry: a dangling link": (
        REGISTRY,
        Link("none.md"),
        _no_registry("leads nowhere", "pack", "leads nowhere"),
    ),
    "registry: a looping link": (
        REGISTRY,
        Link("index.md"),
        _no_registry("in a circle", "pack", "in a circle"),
    ),
    "registry: empty": (REGISTRY, "", _no_registry("no row KB-0001", "no table")),
    "registry: no table": (REGISTRY, "# Facts\n\nNone yet.\n", _no_registry("no row KB-0001", "no table")),
    "registry: two tables": (
        REGISTRY,
        f"{HEADER}{ROW}\nMore:\n\n{HEADER}{row(9, '1', 'web/references/001-x.md')}",
        [f"{REGISTRY}:7:1: error corpus-registry … second registry table"],
    ),
    "registry: a conflict": (
        REGISTRY,
        f"{HEADER}<<<<<<< HEAD\n{ROW}=======\n{ROW.replace('acme', 'other')}>>>>>>> theirs\n",
        [
            f"{REGISTRY}:3:1: error corpus-registry … <<<<<<< HEAD",
            f"{REGISTRY}:6:3: error corpus-registry … registered twice",
        ],
    ),
    "registry: a conflict and no row": (
        REGISTRY,
        f"<<<<<<< HEAD\n{HEADER}=======\n>>>>>>> theirs\n",
        _no_registry("no row KB-0001", "<<<<<<< HEAD"),
    ),
}


def run(capsys: Capture, *arguments: str) -> tuple[int, list[str], str]:
    """The exit code, the findings and the closing summary. Nothing is said on stderr but what is meant."""
    code = main(["validate", "--format", "concise", *arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    assert "bug" not in err
    return code, told(out), out + err


@pytest.mark.parametrize("case", CASES)
def test_whole_tree(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    path, content, expected = CASES[case]
    monkeypatch.chdir(repository(tmp_path, path, content))
    code, found, _ = run(capsys)
    check(found, expected)
    assert code == 1
    for other in ("full", "json"):
        assert main(["validate", "--format", other]) == 1
        assert path in capsys.readouterr().out
    assert not os.path.exists("run"), "no tag was obeyed"


#: A link to a folder, given by hand, means that folder.
BY_HAND = [case for case in CASES if case.startswith("spec: ") and case != "spec: a link to a folder"]


@pytest.mark.parametrize("case", BY_HAND)
def test_by_hand(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    path, content, expected = CASES[case]
    monkeypatch.chdir(repository(tmp_path, path, content))
    if case == "spec: a folder":
        # A folder given by hand is looked into, whatever it is called.
        tree(tmp_path, {f"{SPEC}/inner.md": ""})
    code, found, _ = run(capsys, SPEC)
    check(found, expected)
    assert code == 1


def test_a_healthy_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tree(tmp_path, HEALTHY))
    assert run(capsys)[:2] == (0, [])


#: What a configuration file is, and what the error says.
CONFIGURATIONS: list[tuple[Content, str]] = [
    ('exclude = ["caf\u00e9"]\n'.encode("latin-1"), "spectastic.toml:1: the file is not UTF-8"),
    ("".encode("utf-16"), "UTF-16"),
    ("\0", "NUL"),
    (HUGE, "too large"),
    (None, "directory"),
    (Link("none.toml"), "cannot be read"),
    (Link("spectastic.toml"), "cannot be read"),
    ('<<<<<<< HEAD\nfail-on = "error"\n=======\n>>>>>>> theirs\n', "spectastic.toml:1: not valid TOML"),
]


@pytest.mark.parametrize(("content", "message"), CONFIGURATIONS)
def test_configuration(
    content: Content, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(repository(tmp_path, "spectastic.toml", content))
    code, found, said = run(capsys)
    assert (code, found) == (2, [])
    assert said.startswith("spectastic: error: spectastic.toml")
    assert message in said


# What could hang is tried in a process of its own.


def process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "spectastic", "validate", "--format", "concise", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


PIPES: list[tuple[str, list[str]]] = [
    (SPEC, [f"{SPEC}:1:1: error {UNREAD} … not a regular file"]),
    (REFERENCE, _no_document("no regular file")),
    (REGISTRY, _no_registry("no registry", "no regular file")),
    (RETAINED, [f"{RETAINED}:1:1: error corpus-registry … no regular file", GOOD_OLD]),
    (SKILL, [f"{SKILL}:1:1: error … no regular file"]),
    (".gitignore", [f".gitignore:1:1: error {UNREAD} … not a regular file"]),
]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_named_pipes(tmp_path: Path) -> None:
    for number, (path, expected) in enumerate(PIPES):
        done = process(repository(tmp_path / str(number), path, PIPE))
        check(told(done.stdout), expected)
        assert (done.returncode, done.stderr) == (1, "")
    done = process(repository(tmp_path / "configuration", "spectastic.toml", PIPE))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("spectastic: error: spectastic.toml: this is not a regular file")
