from __future__ import annotations

import random

import pytest

from spectastic.text import nearest, printable, short

SHORT = [
    ("", ""),
    ("plain", "plain"),
    ("a  b\n\tc\u2028d\r\ne", "a b c d e"),
    ("  around  ", "around"),
    ("x" * 10, "xxxxxxxxxx"),
    ("x" * 11, "xxxxxxxxx…"),
    ("é" * 11, "ééééééééé…"),
    # What is cut off is told, even where the beginning is nearly all blanks.
    ("a" + " " * 50 + "b", "a…"),
    (" " * 50, "…"),
    ("a b " * 1_000_000, "a b a b a…"),
]


@pytest.mark.parametrize(("text", "expected"), SHORT)
def test_short(text: str, expected: str) -> None:
    assert short(text, 10) == expected


PRINTABLE = [
    ("plain – ﬁne 🚀 \t", "plain – ﬁne 🚀 \t"),
    ("\x1b[31mred\x07\r\n", "\\x1b[31mred\\x07\\x0d\\x0a"),
    ("a\x7f\x9b", "a\\x7f\\x9b"),
    ("right\u202eto\u2066left\u200b", "right\\u202eto\\u2066left\\u200b"),
    ("tag\U000e0041", "tag\\U000e0041"),
    ("half \ud83d", "half \\ud83d"),
]


@pytest.mark.parametrize(("text", "expected"), PRINTABLE)
def test_printable(text: str, expected: str) -> None:
    assert printable(text) == expected


WORDS = ["corpus-orphan", "corpus-license", "corpus-registry", "severity", "--statistics", "--severity"]
#: A word, the nearest one, and the nearest one where a part will do.
NEAREST = [
    ("corpus-licence", "corpus-license", "corpus-license"),
    ("CORPUS_LICENSE", "corpus-license", "corpus-license"),
    ("Severity_", "severity", "severity"),
    ("orphan", "", "corpus-orphan"),
    ("--stat", "", "--statistics"),
    ("corpus", "", ""),
    ("orp", "", ""),
    ("", "", ""),
    ("nothing like it", "", ""),
    ("s" * 10_000, "", ""),
]


@pytest.mark.parametrize(("word", "whole", "part"), NEAREST)
def test_nearest(word: str, whole: str, part: str) -> None:
    assert nearest(word, WORDS) == whole
    assert nearest(word, WORDS, parts=True) == part


def test_nearest_needs_to_be_near_enough() -> None:
    # Twice the 13 letters that they share, of the 27 that they have, is 0.963.
    assert nearest("corpus-regist", ["corpus-registr"], cutoff=0.96) == "corpus-registr"
    assert nearest("corpus-regist", ["corpus-registr"], cutoff=0.97) == ""
    assert nearest("word", []) == ""
    assert nearest("word", ["word" * 25]) == ""


@pytest.mark.parametrize("seed", range(5))
def test_nearest_is_always_the_same(seed: int) -> None:
    words = ["corpus-a", "corpus-b", "corpus-c", "severity"]
    random.Random(seed).shuffle(words)
    assert nearest("corpus-x", words) == nearest("corpus-x", sorted(words))
