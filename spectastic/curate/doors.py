"""The doors by which documents come in that somebody has to answer for before they count."""

from __future__ import annotations

from spectastic.corpus.model import UNCHECKED, UNCONFIRMED, UNSIGNED
from spectastic.curate.add import DEFAULTS, Door
from spectastic.curate.confirm import refuse_name

#: How a text came about that we did not make ourselves, as `converter:` says it.
FETCHED = "fetched"
FETCHED_BY_HAND = "fetched by hand"
COPIED = "copied"

_ORIGIN_URL = {"origin-url": DEFAULTS["origin-url"]}


def converted(converter: str) -> Door:
    """For what a program has made of a document."""
    return Door(_ORIGIN_URL, {"converter": converter, "status": UNCHECKED}, foreign=True)


def sourced(how: str, url: str = "", *, foreign: bool = True) -> Door:
    """For a document of an authority, which came about like this, from this address.

    A text that is not `foreign` may say itself how it came about.
    """
    fixed = {"status": UNCONFIRMED, **({"origin-url": url} if url else {})}
    if foreign:
        return Door(_ORIGIN_URL, {**fixed, "converter": how}, foreign=True)
    return Door({**_ORIGIN_URL, "converter": how}, fixed)


def interviewed(role: str, by: str = "") -> Door:
    """For what somebody of this role has answered, whose name is `by`. Raises `CurateError`."""
    role, by = role.strip(), by.strip()
    refuse_name(role, "say whose answer it is: `corpus interview ROLE`")
    if by:
        refuse_name(by)
    origin = f"interview with {role}" + (f" ({by})" if by else "")
    return Door(_ORIGIN_URL, {"origin": origin, "converter": "interview", "status": UNSIGNED})
