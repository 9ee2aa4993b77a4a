"""How old the data of a corpus may be. Age is a warning: the calendar alone must break nobody's build."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: How many days may pass between two looks at the upstream: the longest period of the name, and a week or so.
DAYS = {
    "daily": 3,
    "weekly": 10,
    "fortnightly": 18,
    "monthly": 38,
    "quarterly": 100,
    "half-yearly": 195,
    "semi-annually": 195,
    "yearly": 380,
    "annually": 380,
}
_KNOWN = ", ".join(DAYS)
#: Other forms of these names.
_ALSO = {"halfyearly": "half-yearly", "semiannual": "semi-annually", "semi-annual": "semi-annually"}
_ALSO |= {"semiannually": "semi-annually", "annual": "annually", "biweekly": "fortnightly"}
#: Before a name, these make another one of it: `half yearly`, `twice weekly`, `not daily`. Numbers do too.
_CHANGING = re.compile(
    "half|semi|bi|tri|twice|thrice|times|other|second|third|non?|not|never|than"
    "|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
)
#: A number of days; of thousands, by a comma or not at all. All else may be another number than it seems.
_COUNT = re.compile(r"[1-9][0-9]{0,4}|[1-9][0-9]?,[0-9]{3}")


def allowed(cadence: str) -> int | None:
    """The days that a cadence allows: `quarterly`, `every 90 days`, `every 1,000 days`.

    `None` for one that is in other words, and for one that can be read in two ways: of two cadences, of more
    than one number, of a number that is not written plainly. No reading is better than a wrong one.
    """
    found = _readings(cadence)
    return found.pop() if len(found) == 1 else None


def _readings(cadence: str) -> set[int | None]:
    """The numbers of days that a cadence may say, `None` for one that is not clear; empty for other words."""
    words = [word.strip("()[]\"'") for word in cadence.lower().split()]
    found: set[int | None] = set()
    for before, word in zip(["", *words], words, strict=False):
        plain = word.rstrip(",.;:!?)")
        name = _ALSO.get(plain, plain)
        if plain in ("day", "days") and _has_number(before):
            found.add(_counted(before, words))
        elif name in DAYS:
            changed = _CHANGING.fullmatch(before) or _has_number(before)
            found.add(None if changed else DAYS[name])
    return found


def _counted(number: str, words: Iterable[str]) -> int | None:
    """A number of days, if it is the only number of all words."""
    numbers = [word for word in words if _has_number(word)]
    return int(number.replace(",", "")) if numbers == [number] and _COUNT.fullmatch(number) else None


def _has_number(word: str) -> bool:
    return any(map(str.isnumeric, word))


def age(manifest: Mapping[str, Any], today: str | None) -> Iterator[str]:
    """A warning, where the last look at the upstream is too old for the cadence, or is still to come.

    So is one where the cadence says no number of days. Without an upstream, free text needs to say none.
    """
    from datetime import date

    upstream, cadence = manifest.get("upstream"), manifest["refresh_cadence"]
    most = allowed(cadence)
    unclear = f"refresh_cadence '{short(cadence)}' says no single number of days: write {_KNOWN}, or 'N days'"
    if not upstream:
        if most is None and _readings(cadence):
            yield unclear
        return
    checked = upstream["last_checked"]
    now = date.fromisoformat(today) if today else date.today()
    days = (now - date.fromisoformat(checked)).days
    said = f"upstream.last_checked {checked} is"
    if days < 0:
        yield f"{said} {_days(-days)} after {now}; write the day of the last look"
    elif most is None:
        yield unclear
    elif days > most:
        source = short(str(upstream["repo"]))
        yield (
            f"{said} {_days(days)} before {now}, and '{short(cadence)}' allows {most};"
            f" compare the data with {source}, and write the day"
        )


def _days(number: int) -> str:
    return "1 day" if number == 1 else f"{number:,} days"
