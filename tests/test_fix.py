"""Edits: which can be made, which go together, and patches that git and patch take."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic.findings import Edit, Finding, Fix, Rule, Severity, Span
from spectastic.fix import Moves, applicable, apply, choose, diff
from spectastic.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RULE = Rule("some-rule", Severity.WARNING, "for tests")
OTHER = Rule("another-rule", Severity.WARNING, "for tests")


def edit(start: int, end: int, text: str = "new", old: str = "old") -> Edit:
    return Edit(Span(start, end), text, old)


def found(*edits: Edit, rule: Rule = RULE, safe: bool = True) -> Finding:
    return rule.at("a.md", Span(0, 0), "wrong", fix=Fix("fix it", edits, safe))


# In these rows `old` is what stands between the two marks.
POSSIBLE = [
    # file, new, whether that is an edit of it
    ("see «KB-0001» there", "KB-0001@a", True),
    ("«KB-0001»", "KB-0001@a", True),
    ("\ufeff«KB-0001»", "KB-0001@a", True),
    ("é🚀 «KB‑0001»", "KB-0001", True),
    ("see «KB-0001».", "KB-0001@a", True),
    ("see «KB-0001». Then", "KB-0001@a", True),
    ("«KB-0001»'s, «", "KB-0001@a", True),
    ("(«KB-0001»)", "KB-0001@a", True),
    ("[«KB-0001»](u.md)", "KB-0001@a", True),
    ("|«KB-0001»|b|", "KB-0001@a", True),
    ("«KB-0001»/KB-0002", "KB-0001@a", True),
    ("KB-0001/«KB-0002»", "KB-0002@a", True),
    ("KB-0001@a/KB-0002@b/«KB-0003»", "KB-0003@c", True),
    ("kb_1@a/«KB-0003»/kb-0001@b", "KB-0003@c", True),
    ("and/or, T+1/T+2,«KB-0003»", "KB-0003@c", True),
    ("«KB-0001»/ and", "KB-0001@a", True),
    ("«KB-0001».", "KB-0001@a", True),
    ("«KB-0001»...", "KB-0001@a", True),
    ("#«KB-0001»", "KB-0001@a", True),
    # nothing, or a line end, is changed
    ("«KB-0001»", "KB-0001", False),
    ("«KB-0001»", "KB-0001\n", False),
    ("«KB-0001»", "KB-0001\r", False),
    ("«KB-\n0001»", "KB-0001", False),
    ("«»KB-0001", "KB-0001", False),
    ("«KB-0001»", "KB-0001@\ud800", False),
    # an address, a file name
    ("https://example.org/«KB-0001»", "KB-0001@a", False),
    ("https://example.org/x?a,b;id=«KB-0001»", "KB-0001@a", False),
    ("<https://example.org/«KB-0001»>", "KB-0001@a", False),
    ("docs/«KB-0001»", "KB-0001@a", False),
    ("docs\\«KB-0001»", "KB-0001@a", False),
    ("/«KB-0001»", "KB-0001@a", False),
    ("KB-0001/docs/«KB-0001»", "KB-0001@a", False),
    ("`«KB-0001».md`", "KB-0001@a", False),
    ("`«KB-0001».md5`", "KB-0001@a", False),
    ("«KB-0001»/index", "KB-0001@a", False),
    ("«KB-0001»\\index", "KB-0001@a", False),
    ("a.md#«KB-0001»", "KB-0001@a", False),
    # a longer word
    ("«KB-0001»abc", "KB-0001@a", False),
    ("«KB-0001»-1", "KB-0001@a", False),
    ("«KB-0001».5", "KB-0001@a", False),
    ("«KB-0001»_1", "KB-0001@a", False),
    ("«KB-0001»:5", "KB-0001@a", False),
    ("«KB-0001@a»5", "KB-0001@b", False),
    ("«KB-0001»KB-0002", "KB-0001@a", True),
    ("«KB-0001»KB", "KB-0001@a", False),
    ("«KB-0001»-based, «", "KB-0001@a", True),
    ("«KB-0001»_", "KB-0001@a", True),
    ("«KB-0001»に", "KB-0001@a", True),
    ("«KB-0001»,5", "KB-0001@a", True),
    ("x" * 300 + "/«KB-0001»", "KB-0001@a", False),
    ("KB-0001/" * 40 + "«KB-0001»", "KB-0001@a", False),  # too long to be sure
]


def placed(marked: str, new: str) -> tuple[Source, Edit]:
    before, old, after = (
        part.encode("utf-8", "surrogateescape") for part in marked.replace("»", "«", 1).split("«", 2)
    )
    data = before + old + after
    return Source("a.md", data), Edit(Span(len(before), len(before + old)), new, old.decode())


@pytest.mark.parametrize(("marked", "new", "possible"), POSSIBLE)
def test_possible(marked: str, new: str, possible: bool) -> None:
    source, change = placed(marked, new)
    finding = found(change)
    assert applicable(source, finding) == (finding if possible else finding._replace(fix=None))


TAKEN = b"\xef\xbb\xbfKB-0001 and KB-0002, \xff KB&#45;0003"
APPLICABLE: list[tuple[list[Edit], bool]] = [
    ([edit(3, 10, "KB-0001@a", "KB-0001")], True),
    ([edit(15, 22, "KB-0002@a", "KB-0002"), edit(3, 10, "KB-0001@a", "KB-0001")], True),
    ([], False),
    ([edit(3, 10, "KB-0001@a", "KB-0002")], False),
    ([edit(3, 9, "KB-0001@a", "KB-0001")], False),
    ([edit(3, 11, "KB-0001@a", "KB-0001")], False),
    ([edit(26, 37, "KB-0003@a", "KB-0003")], False),
    ([edit(24, 25, "x", "?")], False),
    # outside
    ([edit(37, 44, "KB-0003@a", "KB-0003")], False),
    ([edit(99, 106, "KB-0003@a", "KB-0003")], False),
    ([edit(-34, -27, "KB-0001@a", "KB-0001")], False),
    ([edit(0, 3, "x", "\ufeff")], False),
    ([edit(10, 3, "x", "KB-0001")], False),
    # one of two
    ([edit(3, 10, "KB-0001@a", "KB-0001"), edit(15, 22, "KB-0002@a", "KB-0001")], False),
    # each other's way
    ([edit(3, 10, "KB-0001@a", "KB-0001"), edit(3, 10, "KB-0001@a", "KB-0001")], False),
    ([edit(3, 10, "KB-0001@a", "KB-0001"), edit(10, 14, "x", " and")], False),
]


@pytest.mark.parametrize(("edits", "expected"), APPLICABLE)
def test_applicable(edits: list[Edit], expected: bool) -> None:
    kept = applicable(Source("a.md", TAKEN), found(*edits))
    assert (kept.fix is not None) == expected
    assert kept._replace(fix=None) == found()._replace(fix=None)


def test_what_has_no_fix_is_left_as_it_is() -> None:
    finding = RULE.at("a.md", Span(0, 1), "wrong")
    assert applicable(Source("a.md", b"x"), finding) is finding


CHOSEN: list[tuple[list[Finding], bool, list[int]]] = [
    # findings, unsafe, which are chosen and in which order
    ([], True, []),
    ([RULE.at("a.md", Span(0, 1), "no fix")], True, []),
    ([found(edit(5, 8)), found(edit(0, 3))], False, [1, 0]),
    ([found(edit(0, 3)), found(edit(4, 8))], False, [0, 1]),
    ([found(edit(0, 3)), found(edit(3, 8))], False, [0]),  # they touch
    ([found(edit(0, 3)), found(edit(3, 5)), found(edit(5, 8))], False, [0, 2]),
    ([found(edit(0, 3)), found(edit(2, 8))], False, [0]),
    ([found(edit(0, 9)), found(edit(2, 4))], False, [0]),
    ([found(edit(2, 4)), found(edit(0, 9))], False, [1]),
    ([found(edit(0, 3), safe=False), found(edit(4, 8))], False, [1]),
    ([found(edit(0, 3), safe=False), found(edit(4, 8))], True, [0, 1]),
    # the safe one first, then by name
    ([found(edit(0, 3), safe=False, rule=OTHER), found(edit(0, 3))], True, [1]),
    ([found(edit(0, 3)), found(edit(0, 3), rule=OTHER)], True, [1]),
    # all edits of a fix, or none
    ([found(edit(0, 3), edit(20, 23)), found(edit(10, 13)), found(edit(22, 25))], True, [0, 1]),
    ([found(edit(0, 3)), found(edit(2, 3), edit(30, 33)), found(edit(29, 31))], True, [0, 2]),
    ([found(edit(0, 1), edit(9, 10)), found(edit(2, 3), edit(10, 11)), found(edit(4, 5))], True, [0, 2]),
]


@pytest.mark.parametrize(("findings", "unsafe", "expected"), CHOSEN)
def test_choose(findings: list[Finding], unsafe: bool, expected: list[int]) -> None:
    assert choose(findings, unsafe=unsafe) == [findings[index] for index in expected]


APPLIED = [
    (b"", [], b""),
    (b"abc", [], b"abc"),
    (b"abcdef", [edit(1, 2, "XY")], b"aXYcdef"),
    (b"abcdef", [edit(4, 6, ""), edit(0, 1, "é")], "ébcd".encode()),
    (b"abcdef", [edit(0, 2, "X"), edit(2, 4, "Y")], b"XYef"),
    (b"\xff\r\n\0abc \r", [edit(4, 7, "x")], b"\xff\r\n\0x \r"),
]


@pytest.mark.parametrize(("data", "edits", "expected"), APPLIED)
def test_apply(data: bytes, edits: list[Edit], expected: bytes) -> None:
    assert apply(data, edits) == expected


@pytest.mark.parametrize(
    "edits", [[edit(0, 3), edit(2, 4)], [edit(0, 3), edit(0, 3)], [edit(1, 2), edit(0, 9)]]
)
def test_apply_never_makes_two_edits_in_one_place(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply(b"abcdefghij", edits)


# The first edit takes away two bytes, the second brings three.
MOVED = [
    (Span(0, 0), Span(0, 0)),
    (Span(0, 4), Span(0, 4)),
    (Span(0, 99), Span(0, 100)),
    (Span(4, 8), Span(4, 6)),  # the first edit
    (Span(4, 5), Span(4, 6)),  # a part of it
    (Span(6, 8), Span(4, 6)),
    (Span(2, 6), Span(2, 6)),
    (Span(6, 9), Span(4, 7)),
    (Span(8, 10), Span(6, 8)),  # between the two
    (Span(9, 9), Span(7, 7)),
    (Span(9, 12), Span(7, 13)),
    (Span(10, 12), Span(8, 13)),  # the second edit
    (Span(4, 12), Span(4, 13)),
    (Span(12, 14), Span(13, 15)),
    (Span(50, 50), Span(51, 51)),
]


@pytest.mark.parametrize(("before", "after"), MOVED)
def test_moves(before: Span, after: Span) -> None:
    moves = Moves([edit(10, 12, "é345"), edit(4, 8, "12")])
    assert moves.after(before) == after


def test_what_was_written_and_where_it_stood() -> None:
    moves = Moves([edit(10, 12, "é345"), edit(4, 8, "12")])
    assert moves.written() == [Span(4, 6), Span(8, 13)]
    spans = [
        Span(3, 5),
        Span(4, 8),
        Span(5, 6),
        Span(7, 9),
        Span(8, 9),
        Span(10, 11),
        Span(11, 13),
        Span(0, 1),
    ]
    assert list(map(moves.around, spans)) == [None, 0, 0, None, None, 1, None, None]
    assert Moves([]).after(Span(3, 4)) == Span(3, 4)
    assert Moves([]).around(Span(3, 4)) is None


SPACED = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3), st.text("aé🚀", max_size=4)), max_size=5)


@given(st.binary(min_size=45, max_size=45), SPACED)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_bytes_outside_of_edits_are_kept_and_found_again(
    data: bytes, rows: list[tuple[int, int, str]]
) -> None:
    edits, at = [], 0
    for gap, size, text in rows:
        edits.append(edit(at + gap, at + gap + size, text))
        at += gap + size
    new, moves = apply(data, edits), Moves(edits)
    outside = [*range(at)] if not edits else [*range(len(data))]
    for one in edits:
        outside = [offset for offset in outside if not one.span.start <= offset < one.span.end]
        written = moves.after(one.span)
        if one.span.start < one.span.end:
            assert new[written.start : written.end] == one.text.encode()
    for offset in outside:
        span = moves.after(Span(offset, offset + 1))
        assert new[span.start : span.end] == data[offset : offset + 1]
    assert len(new) == len(data) + sum(
        len(one.text.encode()) - one.span.end + one.span.start for one in edits
    )


def lines(count: int, **changed: str) -> bytes:
    return "".join(changed.get(f"_{number}", f"line {number}\n") for number in range(1, count + 1)).encode()


def shown(before: bytes, after: bytes, path: str = "specs/a.md", printable: bool = False) -> str:
    return b"".join(diff(path, before, after, printable=printable)).decode("utf-8", "surrogateescape")


def test_no_difference() -> None:
    assert shown(lines(3), lines(3)) == ""
    assert shown(b"", b"") == ""


def test_diff() -> None:
    assert shown(lines(20), lines(20, _2="two\n", _9="nine\n", _16="16\n", _17="17\n")) == (
        "--- a/specs/a.md\n+++ b/specs/a.md\n"
        "@@ -1,20 +1,20 @@\n line 1\n-line 2\n+two\n line 3\n line 4\n line 5\n line 6\n line 7\n line 8\n"
        "-line 9\n+nine\n line 10\n line 11\n line 12\n line 13\n line 14\n line 15\n"
        "-line 16\n-line 17\n+16\n+17\n line 18\n line 19\n line 20\n"
    )


def test_hunks_are_apart_where_their_context_is() -> None:
    assert shown(lines(20), lines(20, _2="two\n", _10="ten\n")) == (
        "--- a/specs/a.md\n+++ b/specs/a.md\n"
        "@@ -1,5 +1,5 @@\n line 1\n-line 2\n+two\n line 3\n line 4\n line 5\n"
        "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n line 11\n line 12\n line 13\n"
    )


def test_a_file_of_one_line_without_an_end() -> None:
    missing = "\\ No newline at end of file\n"
    assert shown(b"a", b"b") == (
        f"--- a/specs/a.md\n+++ b/specs/a.md\n@@ -1 +1 @@\n-a\n{missing}+b\n{missing}"
    )


def test_on_a_terminal_nothing_drives_it() -> None:
    assert shown("a\x1b[2J\tb\u202e\r\n".encode() + b"\xff", b"x\x1b[2J\r\n\xff", printable=True) == (
        "--- a/specs/a.md\n+++ b/specs/a.md\n@@ -1,2 +1,2 @@\n"
        "-a\\x1b[2J\tb\\u202e\n+x\\x1b[2J\n \\xff\n\\ No newline at end of file\n"
    )


def test_a_diff_is_of_lines_that_pair_up() -> None:
    with pytest.raises(ValueError, match="zip"):
        shown(b"a\nb\n", b"a\n")


PATHS = [
    "a.md",
    "specs/with blank.md",
    "specs/naïve.md",
    'specs/"quoted".md',
    "specs/back\\slash.md",
    "specs/tab\tand\nline\x01end\x7f.md",
    "specs/naïve blank.md",
    "specs/\udcff.md",
    "-dash.md",
    "specs/trailing ",
]


def git(*arguments: str, cwd: Path, data: bytes | None = None) -> bytes:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    done = subprocess.run(["git", *arguments], cwd=cwd, env=env, input=data, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is missing")
    git("init", "-q", cwd=tmp_path)
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize("path", PATHS)
def test_git_takes_the_patch_and_would_write_the_same(path: str, repository: Path) -> None:
    before, after = (
        lines(30),
        lines(30, _7="7 \r\n", _8="8\n", _25="\udcff".encode("utf-8", "replace").decode() + "\n"),
    )
    file = repository / path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(before)
    git("add", "-A", cwd=repository)
    file.write_bytes(after)
    patch = b"".join(diff(path, before, after))
    theirs = git("diff", "--no-color", cwd=repository)
    # Git says more: what file it is about, and which heading a hunk is under.
    body = theirs[theirs.index(b"--- ") :]
    plain = b"".join(
        part if not part.startswith(b"@@") else b"@@" + part.split(b"@@")[1] + b"@@\n"
        for part in body.splitlines(keepends=True)
    )
    assert patch == plain
    file.write_bytes(before)
    git("apply", "-", cwd=repository, data=patch)
    assert file.read_bytes() == after


ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", " \n"])
WORDS = st.sampled_from(
    ["a", "KB-0001", "é🚀", "\t", "\ufeff", "-- a", "+x", "@@ -1 +1 @@", "\\", "\x0c", ""]
)
LINES = st.lists(st.tuples(WORDS, ENDS), min_size=1, max_size=40)


def changed(rows: Sequence[tuple[str, str]], which: set[int]) -> str:
    return "".join(
        f"{'KB-0001@a' if number in which else word}{end}" for number, (word, end) in enumerate(rows)
    )


@pytest.mark.parametrize("tool", ["git", "patch"])
def test_patches_give_back_just_these_bytes(tool: str, tmp_path: Path) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is missing")

    @given(
        LINES,
        st.sets(st.integers(0, 39), min_size=1, max_size=6),
        st.booleans(),
        st.sampled_from([b"", b"\xff", b"\xef\xbb\xbf"]),
    )
    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    def check(rows: list[tuple[str, str]], which: set[int], ends: bool, start: bytes) -> None:
        before, after = (start + changed(rows, chosen).encode() for chosen in (set(), which))
        if not ends:
            before, after = before + b"x", after + b"x"
        target = tmp_path / "a b.md"
        target.write_bytes(before)
        patch = b"".join(diff("a b.md", before, after))
        if before == after:
            assert patch == b""
            return
        if tool == "git":
            git("apply", "-", cwd=tmp_path, data=patch)
        else:
            command = ["patch", "--binary", "-s", "-p1"]
            done = subprocess.run(command, cwd=tmp_path, input=patch, capture_output=True, timeout=60)
            assert done.returncode == 0, done.stdout
        assert target.read_bytes() == after

    check()
