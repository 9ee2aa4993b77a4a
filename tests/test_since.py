"""Which line is which: from the lines of now to those of a commit."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spectastic.engine.since import _line_then

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
