"""A badge for a README: how many decisions are grounded, as an SVG of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.explorer import page
from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Mapping

_LABEL = "grounding"
#: How a badge says who wrote it, by which it is known again.
MARK = b"<!-- Made by spectastic. -->"
#: Widths of 11 px DejaVu Sans and Verdana, in tenths of a pixel; every text here is of these.
_DIGIT, _SLASH, _DASH, _LABEL_WIDTH = 70, 37, 55, 610
_PADDING = 7
_MARK = 17
#: White text on each has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3).
_COLOURS = {
    State.UNGROUNDED: "#ad1f2d",
    State.STALE: "#8a4b00",
    State.UNPINNED: "#1b62a5",
    State.GROUNDED: "#14694a",
    State.ASSUMED: "#585d66",
}
#: A shape for each state too, drawn in a square of 16.
_SHAPES = {
    State.UNGROUNDED: '<path d="M4 4l8 8M12 4l-8 8"/>',
    State.STALE: '<path d="M8 3l5.5 10h-11z"/>',
    State.UNPINNED: '<circle cx="8" cy="8" r="4.5" stroke-dasharray="3 2.2"/>',
    State.GROUNDED: '<path d="M3.5 8.5l3 3 6-6.5"/>',
    State.ASSUMED: '<path d="M8 3l5 5-5 5-5-5z"/>',
}


def render(states: Mapping[State, int]) -> str:
    """The badge for so many decisions in each state. Its colour and shape are those of the worst state."""
    from markupsafe import Markup

    total = sum(states.values())
    text = f"{states.get(State.GROUNDED, 0)}/{total}" if total else "–"
    worst = next((state for state in State if states.get(state)), State.ASSUMED)
    left = _LABEL_WIDTH // 10 + 2 * _PADDING
    right = _MARK + _width(text) + 2 * _PADDING
    return page.fill(
        "badge.svg",
        label=_LABEL,
        text=text,
        spoken=f"{_LABEL} {text}, {worst.value}" if total else f"{_LABEL}: no decisions",
        left=left,
        width=left + right,
        label_at=left / 2,
        text_at=left + _MARK + (right - _MARK) / 2,
        mark_at=left + _PADDING - 1,
        colour=_COLOURS[worst],
        shape=Markup(_SHAPES[worst]),  # noqa: S704 - one of ours
    )


def _width(text: str) -> int:
    """How wide a text is, in pixels, rounded up."""
    tenths = sum(_SLASH if char == "/" else _DASH if char == "–" else _DIGIT for char in text)
    return -(-tenths // 10)
