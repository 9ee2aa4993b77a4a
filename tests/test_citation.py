"""The citation grammar against the tables of fixtures/citations, see the README there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic.spec.citation import Fault, Token, author_reading, can_end_at, find, parse, shown

FIXTURES = Path(__file__).parent.parent / "fixtures" / "citations"
_NOTATION = re.compile(r"\{(?:SP|U\+([0-9A-F]{4,6}))\}")


def rows(name: str) -> list[tuple[str, str]]:
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" => ") for line in lines if line and not line.startswith("# ")]
    found = [(_read(text), "" if result == "-" else _read(result)) for text, result in pairs]
    assert found, name
    return found


def _read(text: str) -> str:
    return _NOTATION.sub(lambda match: chr(int(match[1], 16)) if match[1] else " ", text)


def described(found: Token | Fault, text: str) -> str:
    written = text[found.start : found.end]
    if isinstance(found, Fault):
        return f"!{written} -> {found.suggestion or '-'}"
    assert written == (found.id if found.edition is None else f"{found.id}@{found.edition}")
    more = (found.run or "")[len(found.edition or "") :]
    odd = f" ? {found.fault.suggestion}" if found.fault else ""
    return written + (f" + {more}" if more else "") + odd


@pytest.mark.parametrize(("text", "expected"), rows("find.txt"))
def test_find(text: str, expected: str) -> None:
    assert " ; ".join(described(found, text) for found in find(text)) == expected


@pytest.mark.parametrize(("run", "expected"), rows("ends.txt"))
def test_where_an_edition_may_end(run: str, expected: str) -> None:
    ends = [run[:length] for length in range(len(run), 0, -1) if can_end_at(run, length)]
    assert " ".join(ends) == expected


@pytest.mark.parametrize(("run", "expected"), rows("readings.txt"))
def test_author_reading(run: str, expected: str) -> None:
    assert author_reading(run) == expected


@pytest.mark.parametrize(("token", "expected"), rows("tokens.txt"))
def test_parse(token: str, expected: str) -> None:
    found = parse(token)
    assert ("" if found is None else " ".join(part for part in found if part)) == expected


def test_an_edition_is_never_empty() -> None:
    assert not can_end_at(",a", 0)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x kb-0001@a", "kb"),
        ("x KB0001@a", "KB0001"),
        ("x KB–0001@a", "–"),
        ("x KB-1@a", "1"),
        ("x KB-00٢1@a", "٢"),
        ("x KВ-0001@a", "В"),
        ("x KB-0001 @2024", " @"),
        ("x KB-0001＠a", "＠"),
        ("x KB-0001\u2060@a", "\u2060"),
        ("x KB-00\u00ad01@a", "\u00ad"),
        ("x KB-0001@", "KB-0001@"),
    ],
)
def test_the_part_that_is_wrong(text: str, place: str) -> None:
    (fault,) = find(text)
    assert isinstance(fault, Fault)
    assert text[fault.at_start : fault.at_end] == place


def test_messages_stay_short() -> None:
    for text in (
        "KB-" + "1" * 5000 + "@",
        "kb-" + "1" * 5000 + "@" + "x" * 5000,
        "kb-0001@" + "\u200b" * 5000 + "a",
    ):
        (fault,) = find(text)
        assert isinstance(fault, Fault)
        assert len(fault.message) < 140
    assert shown("x" * 61) == "x" * 59 + "…"


ALPHABET = "KBkb-–_0012٣@,.:/ \t<`'\"()|é🚀\u200b\u00ad漢" + "\ufeff"


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(ALPHABET), max_size=40))
def test_what_is_found(text: str) -> None:
    end = 0
    for found in find(text):
        assert end <= found.start < found.end <= len(text)
        end = found.end
        if isinstance(found, Fault):
            assert found.start <= found.at_start < found.at_end <= found.end
            if found.suggestion is not None:
                assert parse(found.suggestion) is not None
        elif found.run is not None and found.edition is not None:
            assert text.startswith(found.run, found.run_start)
            assert found.run.startswith(found.edition)
            assert parse(text[found.start : found.end]) == (found.id, found.edition)
        else:
            assert parse(text[found.start : found.end]) == (found.id, None)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_token_that_blanks_surround_is_found_whole(text: str) -> None:
    edition = "".join(text.split()).replace("<", "").replace("`", "").replace("KB", "") or "x"
    found = [item for item in find(f" KB-0001@{edition} ") if isinstance(item, Token)]
    if found:
        assert edition.startswith(found[0].run or "?")


@settings(max_examples=400)
@given(st.text(alphabet="KkBb-_ @01ax.,\n", max_size=40))
def test_ascii_has_a_grammar_of_its_own_and_the_same(text: str) -> None:
    # One character of another script, far from everything, makes the other patterns read the text.
    assert list(find(text)) == list(find(f"{text}\n\n日"))
