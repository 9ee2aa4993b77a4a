"""The badge for a README, and the commands that write pages."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from spectastic.explorer import badge, page
from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Mapping

G, S, U, A, N = State.GROUNDED, State.STALE, State.UNPINNED, State.ASSUMED, State.UNGROUNDED
CASES: list[tuple[dict[State, int], str, str]] = [
    # Decisions by state; what is said, and the state whose colour and shape it has.
    ({G: 14}, "14/14", "grounded"),
    ({G: 14, S: 2}, "14/16", "stale"),
    ({G: 14, U: 1, A: 1}, "14/16", "unpinned"),
    ({G: 14, A: 2}, "14/16", "grounded"),
    ({A: 3}, "0/3", "assumed"),
    ({G: 1, N: 1, S: 5}, "1/7", "ungrounded"),
    ({G: 1000}, "1000/1000", "grounded"),
]


def words(states: Mapping[State, int]) -> tuple[list[str], str, str]:
    """What a badge says: its texts, its name, and its colour."""
    root = ET.fromstring(badge.render(states))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text or "" for element in root.iter(f"{space}text")]
    colour = [element.get("fill", "") for element in root.iter(f"{space}rect")][-1]
    title = root.findtext(f"{space}title") or ""
    assert root.get("role") == "img"
    assert root.get("aria-label") == title
    return texts, title, colour


@pytest.mark.parametrize(("states", "said", "worst"), CASES)
def test_what_it_says(states: dict[State, int], said: str, worst: str) -> None:
    assert words(states) == (
        ["grounding", said],
        f"grounding {said}, {worst}",
        badge._COLOURS[State(worst)],
    )


@pytest.mark.parametrize("states", [{}, dict.fromkeys(State, 0)])
def test_without_decisions(states: dict[State, int]) -> None:
    assert words(states)[:2] == (["grounding", "–"], "grounding: no decisions")


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_are_those_of_the_pages() -> None:
    styles = page.asset("base.css")
    for state, colour in badge._COLOURS.items():
        assert f"--{state.value}: light-dark({colour}, " in styles


@pytest.mark.parametrize("state", State)
def test_white_text_can_be_read_on_every_colour(state: State) -> None:
    assert 1.05 / (luminance(badge._COLOURS[state]) + 0.05) >= 4.5


def test_states_differ_in_shape_too() -> None:
    assert len(set(badge._SHAPES.values())) == len(set(badge._COLOURS.values())) == len(State)


def test_it_is_wide_enough_for_its_text() -> None:
    # "1000/1000" has 8 digits of 7 px and a slash of 3.7: 59.7, beside the mark (17) and twice 7 around.
    root = ET.fromstring(badge.render({G: 1000}))
    assert root.get("width") == str(61 + 14 + 60 + 17 + 14)


def test_it_asks_for_nothing() -> None:
    text = badge.render({G: 1})
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert badge.MARK in text.encode()[:200]
