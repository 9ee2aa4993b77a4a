"""Plans: one change for each file, and a patch that git applies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repository import git
from trees import tree

from spectastic.curate.plan import CurateError, FileChange, Plan, diff, merged

if TYPE_CHECKING:
    from pathlib import Path

LINES = [f"line {number}\n".encode() for number in range(40)]


def _with(*changes: tuple[int, int, bytes]) -> bytes:
    """The lines, with those `[first, last)` replaced."""
    lines = list(LINES)
    for first, last, text in sorted(changes, reverse=True):
        lines[first:last] = [text]
    return b"".join(lines)


WHOLE = b"".join(LINES)
PAIRS: dict[str, tuple[bytes | None, bytes | None]] = {
    "new": (None, b"a\nb\n"),
    "new-no-line-end": (None, b"a\nb"),
    "new-empty": (None, b""),
    "new-one-line": (None, b"a\n"),
    "removed": (b"a\nb\n", None),
    "removed-no-line-end": (b"a", None),
    "removed-empty": (b"", None),
    "emptied": (b"a\n", b""),
    "filled": (b"", b"a\n"),
    "first-line": (WHOLE, _with((0, 1, b"x\n"))),
    "last-line": (WHOLE, _with((39, 40, b"x"))),
    "line-end-added": (WHOLE[:-1], WHOLE),
    "inserted": (WHOLE, _with((20, 20, b"x\ny\n"))),
    "appended": (WHOLE, WHOLE + b"x\n"),
    "deleted": (WHOLE, _with((10, 15, b""))),
    "near": (WHOLE, _with((10, 11, b"x\n"), (16, 17, b"y\n"))),
    "just-apart": (WHOLE, _with((10, 11, b"x\n"), (18, 19, b"y\n"))),
    "far": (WHOLE, _with((1, 2, b"x\n"), (20, 20, b"z\nz\n"), (37, 38, b"y\n"))),
    "crlf": (b"a\r\nb\r\n", b"a\r\nc\r\nd"),
    "lone-cr": (b"a\rb\rc\n", b"a\rx\rc\n"),
    "repeated": (b"a\n" * 30, b"a\n" * 20 + b"b\n" + b"a\n" * 12),
    "not-utf8": (b"\xff\n\xfe\n", b"\xff\nx\n"),
    "bigger-than-is-compared": (
        b"".join(b"old %d\n" % number for number in range(600)),
        b"".join(b"new %d\n" % number for number in range(600)) + b"more\n",
    ),
}


def _apply(root: Path, changes: tuple[FileChange, ...]) -> dict[str, bytes | None]:
    """What the files are after git has applied the patch."""
    tree(root, {change.path: change.before for change in changes if change.before is not None})
    tree(root, {"change.patch": b"".join(diff(Plan(changes)))})
    git(root, "apply", "--whitespace=nowarn", "change.patch")
    paths = [root / change.path for change in changes]
    return {
        change.path: path.read_bytes() if path.exists() else None
        for change, path in zip(changes, paths, strict=True)
    }


@pytest.mark.parametrize("case", PAIRS)
def test_git_applies_the_patch(case: str, tmp_path: Path) -> None:
    before, after = PAIRS[case]
    assert _apply(tmp_path, (FileChange("a/b.md", before, after),)) == {"a/b.md": after}


def test_git_applies_the_patch_of_many_files(tmp_path: Path) -> None:
    names = ["a b.md", "ü.md", 'q"q.md', "x\\y.md", "deep/er/z.md"]
    pairs = [name for name in PAIRS if name not in ("new-empty", "removed-empty")]
    changes = tuple(
        FileChange(names[number] if number < len(names) else f"{case}.md", *PAIRS[case])
        for number, case in enumerate(pairs)
    )
    assert _apply(tmp_path, changes) == {change.path: change.after for change in changes}


_TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b"a b\r\n", b"d"]), max_size=30).map(
    b"".join
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(_TEXTS, _TEXTS), min_size=1, max_size=6))
def test_git_applies_any_patch(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[bytes, bytes]]
) -> None:
    changes = tuple(FileChange(f"{number}.md", *pair) for number, pair in enumerate(pairs))
    wanted = {change.path: change.after for change in changes}
    if merged(changes):
        assert _apply(tmp_path_factory.mktemp("r"), changes) == wanted
    else:
        assert list(diff(Plan(changes))) == []


def test_hunks_show_little() -> None:
    patch = list(diff(Plan((FileChange("a.md", *PAIRS["far"]),))))
    assert [line for line in patch if line.startswith(b"@@")] == [
        b"@@ -1,5 +1,5 @@\n",
        b"@@ -18,6 +18,8 @@\n",
        b"@@ -35,6 +37,6 @@\n",
    ]
    assert len(patch) == 3 + 3 + (4 + 2) + (6 + 2) + (5 + 2)


def test_a_terminal_sees_escapes() -> None:
    plan = Plan((FileChange("a.md", None, b"\x1b[2J\xff\r\nb"),))
    shown = b"".join(diff(plan, printable=True))
    assert b"+\\x1b[2J\\xff\n+b\n" in shown
    assert b"\x1b" not in shown


def test_merged() -> None:
    changes = (
        FileChange("a", b"1", b"2"),
        FileChange("b", None, b"1"),
        FileChange("c", b"1", b"1"),
        FileChange("a", b"2", b"3"),
        FileChange("b", b"1", None),
        FileChange("d", b"1", None),
        FileChange("d", None, b"1"),
    )
    assert merged(changes) == (FileChange("a", b"1", b"3"),)


def test_actions() -> None:
    actions = [FileChange("a", *PAIRS[case]).action for case in ("new", "far", "removed")]
    assert actions == ["created", "changed", "removed"]


def test_what_is_refused_says_so() -> None:
    error = CurateError("no", "do this")
    assert (error.message, error.hint, str(error)) == ("no", "do this", "no")
