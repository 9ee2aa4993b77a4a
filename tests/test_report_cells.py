"""What a terminal makes of a line: widths, tabs, escapes and cuts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from spectastic.report import cells

WIDTHS = [
    ("", 0),
    ("KB-0001", 7),
    ("café", 4),
    ("cafe\u0301", 4),  # an accent of its own
    ("日本", 4),
    ("ｶﾅ", 2),  # half-width
    ("Ａ", 2),  # full-width
    ("🚀", 2),
    ("…“”’–", 5),  # "ambiguous" in East Asian width: one cell outside East Asian fonts
    ("\u1112\u1161\u11ab", 2),  # a syllable in parts: the lead is wide, vowel and tail add nothing
    ("ก\u0e31", 1),  # a Thai vowel above its consonant
    ("א", 1),
]


@pytest.mark.parametrize(("text", "expected"), WIDTHS)
def test_width(text: str, expected: int) -> None:
    assert cells.width(text) == expected
    assert cell_len(text) == expected, "rich measures the same"


SHOWN = [
    ("plain", 0, "plain"),
    ("\tx", 0, "    x"),
    ("ab\tx", 0, "ab  x"),
    ("abcd\tx", 0, "abcd    x"),
    ("\tx", 3, " x"),  # the tab begins in the fourth cell
    ("日\tx", 0, "日  x"),  # two cells, so two are left to the stop
    ("e\u0301\tx", 0, "e\u0301   x"),
    ("a\x1b[31mb", 0, "a\\x1b[31mb"),
    ("a\u200bb\u202ec", 0, "a\\u200bb\\u202ec"),
    ("⚠\ufe0f!", 0, "⚠!"),  # the variation selector makes terminals disagree on the width
    ("\x7f", 0, "\\x7f"),
]


@pytest.mark.parametrize(("text", "column", "expected"), SHOWN)
def test_show(text: str, column: int, expected: str) -> None:
    assert cells.show(text, column=column) == expected


def test_show_escapes_what_the_console_cannot_encode() -> None:
    assert cells.show("–✓", "cp1252") == "–\\u2713"
    assert cells.show("–✓", "UTF8") == "–✓"
    assert cells.show("–", "ascii") == "\\u2013"


FITS = [
    # before, token, after, room, expected
    ("ab", "TOKEN", "cd", 20, ("ab", "TOKEN", "cd")),
    ("a" * 7, "T" * 5, "z" * 8, 20, ("a" * 7, "T" * 5, "z" * 8)),  # exactly
    ("a" * 30, "T" * 6, "", 20, ("…" + "a" * 13, "T" * 6, "")),  # nothing follows: the left has it all
    ("", "T" * 6, "z" * 30, 20, ("", "T" * 6, "z" * 13 + "…")),
    ("a" * 30, "T" * 6, "z" * 30, 20, ("…" + "a" * 6, "T" * 6, "z" * 6 + "…")),
    ("a" * 30, "T" * 30, "z" * 30, 20, ("", "T" * 19 + "…", "")),  # the token alone is too long
    ("日" * 10, "T" * 6, "", 20, ("…" + "日" * 6, "T" * 6, "")),  # 13 cells hold 6 wide characters
    # 7 cells are left: 3 for what follows, 4 for what stands before; no accent on the ellipsis
    ("e\u0301" * 10, "T" * 13, "z" * 9, 20, ("…e\u0301e\u0301e\u0301", "T" * 13, "zz…")),
    ("a" * 30, "T" * 6, "z" * 30, 3, ("…" + "a" * 6, "T" * 6, "z" * 6 + "…")),  # 20 is the least
]


@pytest.mark.parametrize(("before", "token", "after", "room", "expected"), FITS)
def test_fit(before: str, token: str, after: str, room: int, expected: tuple[str, str, str]) -> None:
    assert cells.fit(before, token, after, room) == expected


WRAPPED = [
    ("", 5, 9, [""]),
    ("one", 5, 9, ["one"]),
    ("one two", 7, 9, ["one two"]),
    ("one two", 6, 9, ["one", "two"]),
    ("one two three four", 5, 9, ["one", "two three", "four"]),
    ("one two", 2, 9, ["", "one two"]),  # not a word fits on the first line
    ("one two", -5, 9, ["", "one two"]),
    ("a sha256:0123456789 b", 5, 9, ["a", "sha256:0123456789", "b"]),  # a word is never broken
    ("日本 日本", 8, 9, ["日本", "日本"]),  # nine cells
    ("a  b", 9, 9, ["a  b"]),
]


@pytest.mark.parametrize(("text", "first", "room", "expected"), WRAPPED)
def test_wrap(text: str, first: int, room: int, expected: list[str]) -> None:
    assert cells.wrap(text, first, room) == expected


PIECES = st.text(st.sampled_from("ab 日🚀e\u0301é…"), max_size=60)


@settings(deadline=None)
@given(PIECES, PIECES, PIECES, st.integers(0, 120))
def test_fit_fits_and_invents_nothing(before: str, token: str, after: str, room: int) -> None:
    pieces = cells.fit(before, token, after, room)
    assert sum(map(cells.width, pieces)) <= max(room, 20)
    left, middle, right = pieces
    assert before.endswith(left.removeprefix("…"))
    assert token.startswith(middle.removesuffix("…"))
    assert after.startswith(right.removesuffix("…"))
    assert not token or middle
