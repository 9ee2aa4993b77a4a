"""How old the data of a corpus may be. Age is a warning: the calendar alone must break nobody's build."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
_ALSO = {"halfyearly": "half-yearly", "semiannual": "semi-annually", "semi-annual": "semi-annually"}
_ALSO |= {"semiannually": "semi-annually", "annual": "annually", "biweekly": "fortnightly"}


def allowed(cadence: str) -> int | None:
    """The days that a cadence allows, `None` for one that is in other words: `quarterly`, `every 90 days`."""
    text = cadence.lower()
    for word in re.findall(r"[a-z]+(?:-[a-z]+)*", text):
        if (name := _ALSO.get(word, word)) in DAYS:
            return DAYS[name]
    counted = re.search(r"\b([0-9]{1,5}) days?\b", text)
    return int(counted[1]) if counted else None


def age(manifest: Mapping[str, Any], today: str | None) -> Iterator[str]:
    """A warning, where the last look at the upstream is too old for the cadence, or is still to come."""
    from datetime import date

    upstream, cadence = manifest.get("upstream"), manifest["refresh_cadence"]
    if not upstream:
        return
    checked = upstream["last_checked"]
    now = date.fromisoformat(today) if today else date.today()
    days = (now - date.fromisoformat(checked)).days
    most = allowed(cadence)
    said = f"upstream.last_checked {checked} is"
    if days < 0:
        yield f"{said} {_days(-days)} after {now}; write the day of the last look"
    elif most is None:
        known = ", ".join(DAYS)
        yield f"refresh_cadence '{short(cadence)}' says no number of days: write {known}, or 'N days'"
    elif days > most:
        source = short(str(upstream["repo"]))
        yield (
            f"{said} {_days(days)} before {now}, and '{short(cadence)}' allows {most};"
            f" compare the data with {source}, and write the day"
        )


def _days(number: int) -> str:
    return "1 day" if number == 1 else f"{number:,} days"
