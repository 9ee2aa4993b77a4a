"""Dials: how bold, how moving and how dense a design should be, from 1 to 10, unset unless given. Pure."""

from __future__ import annotations

from math import isfinite, isnan
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spectastic.grounding.results import Dials

LOWEST, HIGHEST = 1, 10
#: Where the second and the third tier of a dial begin.
_TIERS = (4, 8)

LABELS: Mapping[str, Sequence[str]] = {
    "variance": ("Centered / Minimal", "Balanced / Modern", "Bold / Asymmetric"),
    "motion": ("Subtle", "Standard", "Complex"),
    "density": ("Spacious", "Standard", "Dense / Dashboard"),
}
#: What a row of each tier of variance speaks of, the most telling word first.
STYLES = (
    ("Minimalism", "Minimal", "Swiss", "Clean", "Flat"),
    ("Modern", "Soft UI", "Bento"),
    ("Brutalism", "Maximalism", "Asymmetric", "Bold"),
)
_STEPS = ("xs", "sm", "md", "lg", "xl", "2xl", "3xl")
#: Pixels of each step, for each tier of density.
_PIXELS = ((4, 8, 24, 32, 48, 64, 96), (4, 8, 16, 24, 32, 48, 64), (2, 4, 8, 12, 16, 24, 32))

#: The domain that motion is taken from, and its column of tiers.
MOTION_DOMAIN = "gsap"
MOTION_COLUMN = "Intensity Tier"


class Dial(NamedTuple):
    """A dial that is set: its value, its tier (from 0), and what that means."""

    value: int
    tier: int
    label: str


def resolve_dial(name: str, value: object) -> Dial | None:
    """A dial by its value, cut to a whole number from 1 to 10; `None` if it is unset or there is none.

    Raises:
        ValueError: the value is no number.
    """
    if value is None or name not in LABELS:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"the dial {name} must be a number from {LOWEST} to {HIGHEST}")
    if isinstance(value, float) and isnan(value):
        return None
    whole = (
        int(value) if not isinstance(value, float) or isfinite(value) else HIGHEST if value > 0 else LOWEST
    )
    whole = min(HIGHEST, max(LOWEST, whole))
    tier = sum(whole >= start for start in _TIERS)
    return Dial(whole, tier, LABELS[name][tier])


class Setting(NamedTuple):
    """All dials, `None` where unset."""

    variance: Dial | None = None
    motion: Dial | None = None
    density: Dial | None = None

    @property
    def styles(self) -> Sequence[str]:
        """What the variance speaks for."""
        return STYLES[self.variance.tier] if self.variance else ()

    @property
    def spacing(self) -> dict[str, str] | None:
        """The spacing scale of the density."""
        if self.density is None:
            return None
        return {step: f"{pixels}px" for step, pixels in zip(_STEPS, _PIXELS[self.density.tier], strict=True)}

    def told(self) -> Dials:
        """The dials, for a result."""
        return {
            "variance": self.variance and self.variance.value,
            "variance_label": self.variance and self.variance.label,
            "motion": self.motion and self.motion.value,
            "motion_label": self.motion and self.motion.label,
            "density": self.density and self.density.value,
            "density_label": self.density and self.density.label,
        }


def setting(dials: Mapping[str, object] | None) -> Setting | None:
    """The dials as they count, or `None` if not one is set; raises `ValueError`."""
    found = Setting(*(resolve_dial(name, (dials or {}).get(name)) for name in LABELS))
    return found if any(found) else None
