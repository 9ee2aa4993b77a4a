"""`spectastic cite`: which lines take a citation, how it is written, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from prior_art import BUGS, LESSONS, SPECS, document, spec
from trees import Link, tree

from spectastic import write
from spectastic.cli import main

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]
FILE = f"{SPECS}/REQ-007-x/requirement.md"
HEAD = "---\nid: REQ-007\ntags: [seat]\n---\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tree(
        tmp_path / "r",
        {
            ".git": None,
            f"{LESSONS}/LESSON-001-a.md": document(),
            f"{LESSONS}/LESSON-0010-b.md": document(id="LESSON-0010"),
            f"{BUGS}/BUG-002-b.md": document(id="BUG-002", status="closed"),
            **spec("120"),
            **spec("1200"),
            **spec("009", status="superseded"),
        },
    )
    monkeypatch.chdir(root)
    return root


def cite(root: Path, text: str | bytes, *arguments: str) -> tuple[int, bytes]:
    """The exit code, and what the file holds then, without its frontmatter."""
    data = text.encode() if isinstance(text, str) else text
    tree(root, {FILE: HEAD.encode() + data})
    code = main(["cite", "REQ-007", *arguments])
    after = (root / FILE).read_bytes()
    assert after.startswith(HEAD.encode())
    return code, after[len(HEAD) :]


#: What is said of ids that are nobody's, and what helps.
NOBODY = [
    (
        "REQ-007",
        "LESSON-004",
        "LESSON-004 (.adlc/knowledge/lessons/LESSON-004-a.md) cannot be read: there is no front",
        "begin it with",
    ),
    (
        "LESSON-004",
        "BUG-002",
        "LESSON-004 (.adlc/knowledge/lessons/LESSON-004-a.md) cannot be read: there is no front",
        "begin it with",
    ),
    ("REQ-777", "BUG-002", "there is no document REQ-777", "the last one is REQ-1200; `spectastic retrieve"),
    ("REQ-007", "BUG-02", "there is no document BUG-02", "did you mean BUG-002?"),
    ("REQ-007", "bug2", "there is no document bug2", "did you mean BUG-002?"),
    ("REQ-007", "X-1", "there is no document X-1", "an id is REQ-, LESSON- or BUG- and three to six digits"),
]


@pytest.mark.parametrize(("document_id", "cited", "said", "hint"), NOBODY)
def test_ids_that_are_nobodys(
    document_id: str, cited: str, said: str, hint: str, root: Path, capsys: Capture
) -> None:
    tree(root, {FILE: HEAD + "One.\n", f"{LESSONS}/LESSON-004-a.md": "No frontmatter.\n"})
    assert main(["cite", document_id, cited, "--line", "5"]) == 2
    error, told = capsys.readouterr().err.splitlines()
    assert error.startswith(f"spectastic: error: {said}")
    assert told.startswith(f"spectastic: {hint}")


def test_where_there_is_nothing_of_a_kind(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tree(tmp_path / "r", {".git": None, f"part/{LESSONS}/LESSON-001-a.md": document(), "other": None})
    ask = ["cite", "REQ-001", "LESSON-001", "--line", "5"]
    hints = {"part": "there is a folder .adlc here: --root .", "other": f"there are no specs in {top}/.adlc"}
    for folder, hint in {**hints, ".": "there are no specs in .adlc"}.items():
        monkeypatch.chdir(top / folder)
        assert main(ask) == 2
        told = capsys.readouterr().err.splitlines()
        assert told == ["spectastic: error: there is no document REQ-001", f"spectastic: {hint}"]


#: A text, the line that cites (the frontmatter has four), the ids, and what becomes of the text.
LINES: dict[str, tuple[str, int, str, str]] = {
    "paragraph": ("One.\n", 5, "LESSON-001", "One. (informed by LESSON-001)\n"),
    "no line end": ("One.", 5, "LESSON-001", "One. (informed by LESSON-001)"),
    "several": ("One.\n", 5, "LESSON-001 BUG-002", "One. (informed by LESSON-001, BUG-002)\n"),
    "each once": ("One.\n", 5, "BUG-002 BUG-002", "One. (informed by BUG-002)\n"),
    "in order": ("One.\n", 5, "BUG-002 LESSON-001", "One. (informed by BUG-002, LESSON-001)\n"),
    "item": ("- [ ] BR-1: x\n- b\n", 5, "REQ-120", "- [ ] BR-1: x (informed by REQ-120)\n- b\n"),
    "second line": ("- a\n  b\n- c\n", 6, "REQ-120", "- a\n  b (informed by REQ-120)\n- c\n"),
    "loose item": ("- a\n\n- c\n", 7, "REQ-120", "- a\n\n- c (informed by REQ-120)\n"),
    "quote": ("> a\n", 5, "REQ-120", "> a (informed by REQ-120)\n"),
    "behind bold": ("a **b**\n", 5, "REQ-120", "a **b** (informed by REQ-120)\n"),
    "behind code": ("a `b`\n", 5, "REQ-120", "a `b` (informed by REQ-120)\n"),
    "behind a comment": ("a <!-- b -->\n", 5, "REQ-120", "a <!-- b --> (informed by REQ-120)\n"),
    "hard break": ("a  \nb\n", 5, "REQ-120", "a (informed by REQ-120)  \nb\n"),
    "crlf": ("a\r\n\r\nb\r\n", 7, "REQ-120", "a\r\n\r\nb (informed by REQ-120)\r\n"),
    "umlauts": ("ä€\n", 5, "REQ-120", "ä€ (informed by REQ-120)\n"),
    "more": ("a (informed by BUG-002)\n", 5, "REQ-120", "a (informed by BUG-002, REQ-120)\n"),
    "more with a stop": ("a (informed by BUG-002).\n", 5, "REQ-120", "a (informed by BUG-002, REQ-120).\n"),
    "more with text": (
        "a (informed by REQ-120 BR-8)\n",
        5,
        "BUG-002",
        "a (informed by REQ-120 BR-8, BUG-002)\n",
    ),
    "none yet": ("a (informed by )\n", 5, "BUG-002", "a (informed by BUG-002)\n"),
    "longer id": ("a (informed by REQ-1200)\n", 5, "REQ-120", "a (informed by REQ-1200, REQ-120)\n"),
    "wrapped": ("a (informed by\nBUG-002)\n", 6, "REQ-120", "a (informed by\nBUG-002, REQ-120)\n"),
    "same, wrapped": (
        "a (informed by BUG-002,\nREQ-120)\n",
        6,
        "REQ-120",
        "a (informed by BUG-002,\nREQ-120)\n",
    ),
    "same": ("a (Informed by BUG-002).\n", 5, "BUG-002", "a (Informed by BUG-002).\n"),
    "above": (
        "a (informed by BUG-002)\n\nb\n",
        7,
        "BUG-002",
        "a (informed by BUG-002)\n\nb (informed by BUG-002)\n",
    ),
    "below an open one": (
        "a (informed by\n \nb\n",
        7,
        "BUG-002",
        "a (informed by\n \nb (informed by BUG-002)\n",
    ),
    "below one, crlf": (
        "a (informed by\r\n\r\nb\r\n",
        7,
        "BUG-002",
        "a (informed by\r\n\r\nb (informed by BUG-002)\r\n",
    ),
    "in the middle": (
        "a (informed by BUG-002) b\n",
        5,
        "BUG-002",
        "a (informed by BUG-002) b\n",
    ),
    "some of them in the middle": (
        "a (informed by BUG-002) b\n",
        5,
        "LESSON-001 BUG-002",
        "a (informed by BUG-002, LESSON-001) b\n",
    ),
    "in two places": (
        "a (informed by BUG-002) b (informed by REQ-007).\n",
        5,
        "BUG-002 LESSON-001",
        "a (informed by BUG-002) b (informed by REQ-007, LESSON-001).\n",
    ),
    "in the line before": (
        "a (informed by BUG-002)\nb\n",
        6,
        "BUG-002",
        "a (informed by BUG-002)\nb (informed by BUG-002)\n",
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_lines(case: str, root: Path, capsys: Capture) -> None:
    text, line, ids, expected = LINES[case]
    assert cite(root, text, *ids.split(), "--line", str(line)) == (0, expected.encode())
    capsys.readouterr()
    before = (root / FILE).stat().st_mtime_ns
    assert main(["cite", "REQ-007", *ids.split(), "--line", str(line)]) == 0
    assert (root / FILE).read_bytes() == HEAD.encode() + expected.encode()
    assert (root / FILE).stat().st_mtime_ns == before
    assert capsys.readouterr().out == f"{FILE}:{line} cites this already\n"


NO_LINES: dict[str, tuple[str, int, str]] = {
    "behind the end": ("a\n", 7, "has no line 7"),
    "empty": ("a\n\nb\n", 6, ":6 is empty"),
    "blanks": ("a\n \t\nb\n", 6, ":6 is empty"),
    "after the last line end": ("a\n", 6, ":6 is empty"),
    "frontmatter": ("a\n", 3, ":3 is part of the frontmatter"),
    "its fence": ("a\n", 4, ":4 is part of the frontmatter"),
    "heading": ("# a\n", 5, ":5 is no line of plain text"),
    "underlined heading": ("a\n===\n", 5, ":5 is no line of plain text"),
    "the line under it": ("a\n===\n", 6, ":6 is no line of plain text"),
    "rule": ("a\n\n---\n", 7, ":7 is no line of plain text"),
    "table": ("|a|b|\n|-|-|\n|c|d|\n", 7, ":7 is no line of plain text"),
    "table without pipes": ("a|b\n-|-\nc|d\n", 7, ":7 is no line of plain text"),
    "fence": ("```\na\n```\n", 6, ":6 is no line of plain text"),
    "its end": ("```\na\n```\n", 7, ":7 is no line of plain text"),
    "indented code": ("a\n\n    b\n", 7, ":7 is no line of plain text"),
    "comment": ("<!--\na\n-->\n", 6, ":6 is no line of plain text"),
    "html": ("<p>\na\n</p>\n", 6, ":6 is no line of plain text"),
    "code span": ("a `b\nc` d\n", 5, ":5 is no line of plain text"),
    "comment in a line": ("a <!-- b\nc --> d\n", 5, ":5 is no line of plain text"),
    "backslash": ("a\\\nb\n", 5, ":5 is no line of plain text"),
    "definition": ("[a]: b\n\n[a]\n", 5, ":5 is no line of plain text"),
    "open citation": ("a (informed by BUG-002,\nREQ-120)\n", 5, ":5 ends in the middle of a citation"),
}


@pytest.mark.parametrize("case", NO_LINES)
def test_lines_that_take_none(case: str, root: Path, capsys: Capture) -> None:
    text, line, said = NO_LINES[case]
    assert cite(root, text, "REQ-120", "--line", str(line)) == (2, text.encode())
    assert said in capsys.readouterr().err


def test_a_byte_order_mark_and_what_stands_before_frontmatter(root: Path) -> None:
    data = b"\xef\xbb\xbf<!-- x -->\n\n# Title\n\n---\nid: REQ-007\n---\nOne.\n"
    tree(root, {FILE: data})
    assert main(["cite", "REQ-007", "BUG-002", "--line", "1"]) == 2
    assert main(["cite", "REQ-007", "BUG-002", "--line", "6"]) == 2
    assert (root / FILE).read_bytes() == data
    assert main(["cite", "REQ-007", "BUG-002", "--line", "8"]) == 0
    assert (root / FILE).read_bytes() == data[:-1] + b" (informed by BUG-002)\n"


def test_match(root: Path, capsys: Capture) -> None:
    text = "id: REQ-007 once\n\nTwice.\nTwice.\n"
    assert cite(root, text, "BUG-002", "--match", "REQ-007")[1].startswith(
        b"id: REQ-007 once (informed by BUG-002)\n\nTwice.\n"
    )
    capsys.readouterr()
    assert cite(root, text, "BUG-002", "--match", "Twice") == (2, text.encode())
    assert "2 lines hold Twice: 7, 8" in capsys.readouterr().err
    assert cite(root, text, "BUG-002", "--match", "thrice") == (2, text.encode())
    assert "no line holds thrice" in capsys.readouterr().err
    assert cite(root, "x\n" * 11, "BUG-002", "--match", "x") == (2, b"x\n" * 11)
    assert "11 lines hold x: 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, …" in capsys.readouterr().err


IDS = [
    (["REQ-999"], "there is no document REQ-999"),
    (["LESSON-010"], "there is no document LESSON-010"),
    (["BUG-002", "BUG-003"], "there is no document BUG-003"),
    (["REQ-007"], "REQ-007 cannot be informed by itself"),
    (["../../etc/passwd"], "there is no document ../../etc/passwd"),
    (["REQ-120\n"], "there is no document REQ-120"),
    ([""], "there is no document without an id"),
]


@pytest.mark.parametrize(("ids", "said"), IDS)
def test_ids_that_nobody_has(ids: list[str], said: str, root: Path, capsys: Capture) -> None:
    assert cite(root, "a\n", *ids, "--line", "5") == (2, b"a\n")
    assert said in capsys.readouterr().err


def test_a_superseded_one_is_told(root: Path, capsys: Capture) -> None:
    assert cite(root, "a\n", "REQ-009", "--line", "5") == (0, b"a (informed by REQ-009)\n")
    assert "REQ-009 has the status superseded: it takes no part in retrieval\n" in capsys.readouterr().out


def test_who_cites(root: Path, capsys: Capture) -> None:
    assert main(["cite", "REQ-777", "BUG-002", "--line", "5"]) == 2
    assert "there is no document REQ-777" in capsys.readouterr().err
    tree(root, {f"{SPECS}/REQ-007-a/requirement.md": HEAD, f"{SPECS}/REQ-007-b/requirement.md": HEAD})
    assert main(["cite", "REQ-007", "BUG-002", "--line", "5"]) == 2
    assert (
        f"REQ-007 is the id of {SPECS}/REQ-007-a/requirement.md and {SPECS}/REQ-007-b"
        in capsys.readouterr().err
    )


def test_links_and_bad_text(root: Path, capsys: Capture) -> None:
    tree(root, {".adlc/x.md": HEAD + "a\n", FILE: Link("../../x.md")})
    assert main(["cite", "REQ-007", "BUG-002", "--line", "5"]) == 2
    assert "is a link, or behind one" in capsys.readouterr().err
    (root / FILE).unlink()
    assert cite(root, b"a\xff\n", "BUG-002", "--line", "5") == (2, b"a\xff\n")
    assert "the file is not UTF-8: byte 0xff" in capsys.readouterr().err


def test_json_and_dry_run(root: Path, capsys: Capture) -> None:
    assert cite(root, "a\n", "BUG-002", "--line", "5", "--dry-run") == (0, b"a\n")
    out = capsys.readouterr().out
    assert out.startswith(f"diff --git a/{FILE} b/{FILE}\n")
    assert "-a\n+a (informed by BUG-002)\n" in out
    for added in (["BUG-002"], []):
        tree(root, {FILE: HEAD + ("a\n" if added else "a (informed by BUG-002)\n")})
        assert main(["cite", "REQ-007", "BUG-002", "--line", "5", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["result"] == {"path": FILE, "line": 5, "text": "a (informed by BUG-002)", "added": added}
        assert found["changes"] == [{"path": FILE, "action": "changed"}] * len(added)


def test_a_document_that_changes_meanwhile(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def step(name: str) -> None:
        if name.startswith("write"):
            (root / FILE).write_text(HEAD + "mine\n")

    monkeypatch.setattr(write, "step", step)
    assert cite(root, "a\n", "BUG-002", "--line", "5") == (2, b"mine\n")
    assert "was changed meanwhile" in capsys.readouterr().err


def test_a_document_that_goes_meanwhile(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    from spectastic.source import Unreadable

    tree(root, {FILE: HEAD + "a\n"})
    monkeypatch.setattr("spectastic.source.read", lambda _, path: Unreadable(path, "it has gone"))
    assert main(["cite", "REQ-007", "BUG-002", "--line", "5"]) == 2
    assert f"{FILE}: it has gone" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "x", "٣", "1.5", "1_0", " 5", "+5", "9999999999"])
def test_wrong_usage(number: str, root: Path, capsys: Capture) -> None:
    assert cite(root, "a\n", "BUG-002", f"--line={number}") == (2, b"a\n")
    assert "is no number of a line" in capsys.readouterr().err
    assert main(["cite", "REQ-007", "BUG-002"]) == 2
    assert main(["cite", "REQ-007", "BUG-002", "--line", "1", "--match", "a"]) == 2
