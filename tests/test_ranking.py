from __future__ import annotations

from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spectastic import ranking

TOKENS: list[tuple[str, list[str], list[str]]] = [
    ("UI/UX e-commerce", ["commerce"], ["ui", "ux", "e"]),
    ("Don't panic", ["don", "panic"], ["t"]),
    ("k1, 3d, AI and 2024", ["and", "2024"], ["k1", "3d", "ai"]),
    ("cold_brew __ ___", ["cold_brew", "___"], ["__"]),
    ("T+1 vs T+2", [], ["t", "1", "vs", "t", "2"]),
    ("ÄÖÜ Straße", ["äöü", "straße"], []),
    ("cafe\u0301 nai\u0308ve", ["cafe", "nai"], ["ve"]),
    ("結算周期 週期", ["結算周期"], ["週期"]),
    ("fee\u00a0fee\u2028fee\x1cfee", ["fee", "fee", "fee", "fee"], []),
    ("🚀🚀🚀 !!! \x00\x00\x00", [], []),
    ("", [], []),
]


@pytest.mark.parametrize(("text", "counted", "short"), TOKENS)
def test_words(text: str, counted: list[str], short: list[str]) -> None:
    assert ranking.tokens(text) == counted
    assert ranking.dropped(text) == short


# Worked out on paper: what stands here is the formula with its numbers put in.
LATE, FEE = log(1.5 / 2.5 + 1), log(2.5 / 1.5 + 1)
SCORES: list[tuple[str, list[str], list[tuple[int, float]]]] = [
    # Three and five words, four on average; one text of two has the word.
    ("cat", ["the cat sat", "the dog sat down here"], [(0, log(2) * 2.5 / 2.21875)]),
    # Three, two and three words; a word that is asked for twice counts twice.
    (
        "late fee late",
        ["Fee, fee: late", "late-late", "nothing at all here"],
        [
            (0, LATE * 2.5 / 2.640625 + FEE * 5 / 3.640625 + LATE * 2.5 / 2.640625),
            (1, LATE * 5 / 3.21875 + LATE * 5 / 3.21875),
        ],
    ),
    # All alike: they stay in order, and a word that stands everywhere is still worth something.
    ("day", ["one day", "two day", "day six"], [(0, log(8 / 7)), (1, log(8 / 7)), (2, log(8 / 7))]),
    # The rarer word wins over the more frequent one, wherever it stands.
    (
        "red blue",
        ["red", "red", "blue", "red"],
        [(2, log(3.5 / 1.5 + 1)), *((at, log(1.5 / 3.5 + 1)) for at in (0, 1, 3))],
    ),
    # Beyond ASCII a word is whole too, and not the beginning of another one; signs are in none. The first
    # text has three words of three characters or more, the others one each: 5/3 on average.
    (
        "слово",
        ["слово и ещё одно", "словом", "“Слово”—да"],
        [(2, LATE * 2.5 / 2.05), (0, LATE * 2.5 / 3.4)],
    ),
    ("dog", ["cat", "dogs"], []),
    ("", ["cat"], []),
    ("cat", [], []),
    ("cat", ["", "a b"], []),
]


@pytest.mark.parametrize(("query", "texts", "expected"), SCORES, ids=[case[0] or "empty" for case in SCORES])
def test_scores(query: str, texts: list[str], expected: list[tuple[int, float]]) -> None:
    found = ranking.rank(ranking.tokens(query), texts)
    assert [match.place for match in found.matches] == [place for place, _ in expected]
    for match, (_, score) in zip(found.matches, expected, strict=True):
        assert isclose(match.score, score, rel_tol=1e-12)
    assert found.total == len(texts)


def test_constants_are_used() -> None:
    texts = ["fee fee fee", "fee and more words than that"]
    weight = ranking.idf(2, 2)
    assert [match.score for match in ranking.rank(["fee"], texts, k1=0.0).matches] == [weight, weight]
    even = ranking.rank(["fee"], texts, b=0.0).matches
    assert [match.score for match in even] == [weight * (3 * 2.5) / 4.5, weight * 2.5 / 2.5]


def test_weights_are_those_of_words_that_stand_somewhere() -> None:
    found = ranking.rank(["fee", "late", "fee", "none"], ["fee", "late fee", "other"])
    assert found.weights == {"fee": ranking.idf(3, 2), "late": ranking.idf(3, 1)}
    assert list(found.weights) == ["fee", "late"]


def test_texts_are_gone_through_once() -> None:
    assert len(ranking.rank(["fee"], iter(["a fee", "none", "the fee"])).matches) == 2


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [("A late FEE", {"fee"}, 7), ("a fee, a fee", {"fee"}, 2), ("none", {"fee"}, 0), ("", {"fee"}, 0)],
)
def test_where_a_word_stands_first(text: str, words: set[str], place: int) -> None:
    assert ranking.first(text, words) == place


def straightforward(query: list[str], texts: list[str]) -> list[tuple[int, float]]:
    """The formula, written down as the sources have it: every word of every text is counted."""
    corpus = [ranking.tokens(text) for text in texts]
    total = len(corpus)
    average = sum(map(len, corpus)) / total if total else 0.0
    scored = []
    for place, words in enumerate(corpus):
        score = 0.0
        for word in query:
            holding = sum(word in others for others in corpus)
            if word in words:
                tf = words.count(word)
                idf = log((total - holding + 0.5) / (holding + 0.5) + 1)
                score += (idf * (tf * 2.5)) / (tf + 1.5 * (1 - 0.75 + 0.75 * len(words) / average))
        scored.append((place, score))
    scored.sort(key=lambda pair: pair[1], reverse=True)
    return [pair for pair in scored if pair[1] > 0]


#: Of several scripts. Some have another length in lower case, or a form of its own at the end of a word.
VOCABULARY = [
    "fee",
    "late",
    "day",
    "cycle",
    "ab",
    "x",
    "CAFÉ",
    "cafés",
    "ΟΔΟΣ",
    "İzmir",
    "結算周期",
    "слово",
    "ёж",
]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=12)


@given(
    WORDS,
    st.lists(
        st.tuples(WORDS, st.sampled_from([" ", "-", "“", "\n", "。"])).map(
            lambda text: text[1].join(text[0])
        ),
        max_size=8,
    ),
)
def test_every_bit_is_that_of_the_straightforward_engine(query: list[str], texts: list[str]) -> None:
    asked = ranking.tokens(" ".join(query))
    assert [(match.place, match.score) for match in ranking.rank(asked, texts).matches] == straightforward(
        asked, texts
    )
