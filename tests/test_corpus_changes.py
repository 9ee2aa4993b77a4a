from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spectastic.corpus.changes import Piece, compare


def marked(pieces: list[Piece]) -> str:
    """The pieces as text: `[-old|new-]` for what was replaced."""
    return "".join(piece.new if piece.same else f"[-{piece.old}|{piece.new}-]" for piece in pieces)


CASES: list[tuple[str, str, str]] = [
    ("", "", ""),
    ("a b", "a b", "a b"),
    ("", "a b", "[-|a b-]"),
    ("a b", "", "[-a b|-]"),
    ("a b c", "a x c", "a [-b |x -]c"),
    ("a b c", "a c", "a [-b |-]c"),
    ("a c", "a b c", "a [-|b -]c"),
    ("a b c", "x b y", "[-a |x -]b [-c|y-]"),
    # Only blanks differ: the words are the same.
    ("a b\nc", "a\nb  c", "a\nb  c"),
    ("\na", "a", "[-\n|-]a"),
    # Words that stand many times are no anchors, those between them are.
    ("a x a y a", "a x a z a", "a x a [-y |z -]a"),
    ("a a b a a", "a a c a a", "a a [-b |c -]a a"),
    # What moved is taken out and put in.
    ("one two three four", "two three four one", "[-one |-]two three four [-|one-]"),
    # One word that stands in both by chance, between longer changes, is no island.
    ("p q r the s t u", "x y z the v w", "[-p q r the s t u|x y z the v w-]"),
    # Nor is it in a change that grew so.
    ("a b c d k e f g h", "i j k l m n o k p q", "[-a b c d k e f g h|i j k l m n o k p q-]"),
    # As many words as were changed beside them are.
    ("p q the fee s", "x y the fee v", "[-p q |x y -]the fee [-s|v-]"),
    # Chinese and Japanese have no blanks: a character is a word.
    ("交收周期为两日", "交收周期为一日", "交收周期为[-两|一-]日"),
    ("T+2 です", "T+1 です", "[-T+2 |T+1 -]です"),
]


@pytest.mark.parametrize(("old", "new", "expected"), CASES, ids=[case[2] or "nothing" for case in CASES])
def test_what_changed(old: str, new: str, expected: str) -> None:
    assert marked(compare(old, new)) == expected


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "交", " ", "\n", "  "]), max_size=30).map("".join)
TEXTS = st.one_of(
    WORDS, st.text(max_size=30), st.lists(st.integers(0, 9).map(str), max_size=40).map(" ".join)
)


@given(TEXTS, TEXTS)
def test_both_sides_come_back(old: str, new: str) -> None:
    pieces = compare(old, new)
    assert "".join(piece.old for piece in pieces) == old
    assert "".join(piece.new for piece in pieces) == new
    for piece in pieces:
        assert piece.old or piece.new
        if piece.same:
            assert "".join(piece.old.split()) == "".join(piece.new.split())
    assert all(first.same is not second.same for first, second in pairwise(pieces))


@given(TEXTS)
def test_nothing_changed_in_the_same_text(text: str) -> None:
    assert compare(text, text) == ([Piece(True, text, text)] if text else [])


HOSTILE = [
    ("the same word", "a " * 50_000, "a b " * 25_000),
    ("turned round", " ".join(map(str, range(20_000))), " ".join(map(str, reversed(range(20_000))))),
    ("few words", "x y " * 20_000 + "z", "y x " * 20_000 + "w"),
    ("one long word", "a" * 200_000, "b" * 200_000),
    ("blanks", " " * 200_000, "\n" * 200_000),
]


@pytest.mark.parametrize(("old", "new"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_hostile_texts_come_back_too(old: str, new: str) -> None:
    pieces = compare(old, new)
    assert "".join(piece.old for piece in pieces) == old
    assert "".join(piece.new for piece in pieces) == new
