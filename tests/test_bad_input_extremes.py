"""Bad input of the other kind: what may not be read, and far too much of everything."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, row
from test_bad_input import (
    BAD,
    GOOD,
    GOOD_OLD,
    HEALTHY,
    REFERENCE,
    REGISTRY,
    RETAINED,
    SKILL,
    SPEC,
    check,
    told,
)
from test_engine import decision, fact
from trees import tree

from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

Capture = pytest.CaptureFixture[str]

DENIED = "permission denied"
ORPHANS = [f"{REFERENCE}:1:1: warning corpus-orphan", f"{RETAINED}:1:1: warning corpus-orphan"]
#: What nobody may read, and what is told.
FORBIDDEN: list[tuple[str, int, list[str]]] = [
    (SPEC, 1, [f"{SPEC}:1:1: error file-unreadable … {DENIED}"]),
    (
        REFERENCE,
        1,
        [
            f"{REGISTRY}:3:42: warning corpus-orphan … {DENIED}",
            f"{REFERENCE}:1:1: error file-unreadable … {DENIED}",
            f"{BAD} … {DENIED}",
            f"{GOOD} … {DENIED}",
        ],
    ),
    (RETAINED, 1, [f"{RETAINED}:1:1: error file-unreadable … {DENIED}", f"{GOOD_OLD} … {DENIED}"]),
    (
        REGISTRY,
        1,
        [f"{REGISTRY}:1:1: error corpus-registry … {DENIED}", *ORPHANS]
        + [f"{citation} … {DENIED}" for citation in (BAD, GOOD, GOOD_OLD)],
    ),
    (SKILL, 1, [f"{SKILL}:1:1: error … {DENIED}"]),
    ("specs", 1, [f"specs:1:1: error file-unreadable … {DENIED}"]),
    (
        "knowledge",
        1,
        [f"{path}:1:1: error corpus-registry … {DENIED}" for path in ("knowledge", REGISTRY)]
        + [f"{citation} … {DENIED}" for citation in (BAD, GOOD, GOOD_OLD)],
    ),
    ("spectastic.toml", 2, []),
    (".", 2, []),
]

#: Runs as somebody whom permissions concern, after a run that imports what that one may not look at.
SCRIPT = """
import contextlib, io, json, os, sys
from spectastic.cli import main

def run(root):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["validate", "--format", "concise", "--root", root])
    return code, out.getvalue(), err.getvalue()

if os.getuid() == 0:
    for root in sys.argv[1:]:
        run(root)
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps([run(root) for root in sys.argv[1:]]))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can look into, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="spectastic-"))
    folder.chmod(0o755)
    yield folder
    for name, _, _ in FORBIDDEN:
        for path in folder.glob(f"*/{name}"):
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="the system has no users to become")
def test_what_may_not_be_read(open_folder: Path) -> None:
    roots = [tree(open_folder / str(number), HEALTHY) for number in range(len(FORBIDDEN))]
    for root, (path, _, _) in zip(roots, FORBIDDEN, strict=True):
        (root / path).chmod(0)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *map(str, roots)],
        cwd=open_folder,
        env={**os.environ, "SPECTASTIC_DEBUG": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if "PermissionError: [Errno 1]" in done.stderr:
        pytest.skip("this process may not become another user")
    assert done.stderr == ""
    said = json.loads(done.stdout)
    for (code, out, err), root, (path, expected_code, expected) in zip(said, roots, FORBIDDEN, strict=True):
        check([line.removeprefix(f"{root.name}/") for line in told(out)], expected)
        assert code == expected_code, path
        assert "bug" not in err
        assert code == 1 or DENIED in err, path


def results(capsys: Capture, *arguments: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the report."""
    code = main(["validate", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


def test_50_000_citations_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    tokens = ["KB-0001@1"] * 50_000
    tokens[0] = tokens[25_000] = tokens[-1] = "KB-0009@1"
    monkeypatch.chdir(tree(tmp_path, {**HEALTHY, SPEC: decision("🚀 " + " ".join(tokens))}))
    code, report = results(capsys, SPEC)
    assert (code, report["summary"]["citations"]) == (1, 50_000)
    # The rocket is one character, four bytes, and two units of UTF-16.
    expected = [(3 + 10 * index, 4 + 10 * index, 22 + 10 * index) for index in (0, 25_000, 49_999)]
    found = [(item["column"], item["utf16_column"], item["span"]["start"]) for item in report["findings"]]
    assert found == expected
    assert {(item["line"], item["rule"]) for item in report["findings"]} == {(3, "corpus-provenance")}


def test_many_dead_citations_on_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    tokens = [f"KB-{number}@1" for number in range(1000, 6000)]
    monkeypatch.chdir(tree(tmp_path, {**HEALTHY, SPEC: f"<spec-decision>{' '.join(tokens)}</spec-decision>"}))
    code, report = results(capsys, SPEC)
    found = [(item["line"], item["column"], item["subject"]) for item in report["findings"]]
    assert (code, found) == (1, [(1, 16 + 10 * index, token) for index, token in enumerate(tokens)])


NESTED = [
    ("specs/deep.md", "<spec-decision>\n", True),
    ("specs/deep.md", "<spec-decision>\n", False),
    ("specs/deep.md", "<spec-decision><p>\n\n", True),
    ("specs/deep.html", "<spec-decision>\n", True),
    ("specs/deep.html", "<spec-decision><div>\n", False),
]


@pytest.mark.parametrize(("name", "opening", "closed"), NESTED)
def test_10_000_nested_decisions(
    name: str, opening: str, closed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    text = f"{opening * 10_000}\nKB-0009@1\n\n" + "</spec-decision>\n" * 10_000 * closed
    monkeypatch.chdir(tree(tmp_path, {**HEALTHY, name: text}))
    code, report = results(capsys, name, "--ignore", "corpus-ungrounded-claim")
    states = report["summary"]["decisions"]
    assert (code, states["ungrounded"], states["assumed"]) == (1, 1, 9_999), (
        "a citation is of the innermost one"
    )
    dead = [item["line"] for item in report["findings"] if item["rule"] == "corpus-provenance"]
    assert dead == [text[: text.index("KB")].count("\n") + 1]
    assert closed or len(report["findings"]) == 10_001, "each that is never closed is told"


def test_100_000_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    last = "web/references/100000-x.md"
    rows = [row(1, "1", "web/references/001-x.md")]
    rows += [
        row(number, "1", f"web/references/{number}-x.md", status="orphaned") for number in range(2, 100_000)
    ]
    rows += [row(100_000, "1", last), row(50_000, "1", last, "100001-x")]
    files = {
        **HEALTHY,
        REGISTRY: HEADER + "".join(rows),
        f"knowledge/{last}": fact("100000-x"),
        SPEC: decision("KB-0001@1 KB-100000@1 KB-100000@2 KB-100001@1 KB-77777@1"),
    }
    monkeypatch.chdir(tree(tmp_path, files))
    code = main(["validate", "--format", "concise", "--quiet"])
    out, err = capsys.readouterr()
    expected = [
        f"{REGISTRY}:100003:3: error corpus-registry … registered twice, and line 50002 came first",
        f"{SPEC}:3:23: error corpus-provenance … KB-100000 has no edition 2",
        f"{SPEC}:3:35: error corpus-provenance … no row KB-100001",
        f"{SPEC}:3:47: error corpus-provenance … orphaned",
    ]
    check([line for line in told(out) if "warning" not in line], expected)
    assert (code, err) == (1, "")
