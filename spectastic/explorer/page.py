"""The shell of every page: templates, its own styles and scripts, and the policy that allows no others."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

#: The states as pages count them, best first.
STATES = (State.GROUNDED, State.STALE, State.UNPINNED, State.ASSUMED, State.UNGROUNDED)
GENERATOR = "spectastic"
#: How a page says who wrote it, by which it is known again.
MARK = f'<meta name="generator" content="{GENERATOR}">'.encode()


def render(
    template: str,
    *,
    styles: Sequence[str],
    scripts: Sequence[str] = (),
    start: Sequence[str] = (),
    connects: bool = False,
    **values: object,
) -> str:
    """A whole page from a template of `assets/`, which extends `base.html`.

    `styles`, `scripts` and `start` name files of `assets/`; each kind is joined in order and put into the
    page, `start` before anything is shown and `scripts` where all is there. The policy (Content Security
    Policy level 3) allows exactly these, by their hashes, and no image, font or frame. With `connects` the
    page may ask the server that it came from. Every value is escaped but `markupsafe.Markup`.
    """
    style, script, begin = (_joined(names) for names in (styles, scripts, start))
    sources = {"style-src": _source(style), "script-src": _source(begin, script)}
    if connects:
        sources["connect-src"] = "'self'"
    allowed = (f"{kind} {source}" for kind, source in sources.items())
    policy = "; ".join(("default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"))
    return fill(
        template, policy=policy, style=style, script=script, start=begin, generator=GENERATOR, **values
    )


def fill(template: str, **values: object) -> str:
    """A template of `assets/` with its values, each escaped but `markupsafe.Markup`."""
    return _environment().get_template(template).render(**values)


def asset(name: str) -> str:
    """The text of a file of `assets/`."""
    return resources.files("spectastic.explorer").joinpath("assets", name).read_text("utf-8")


def _joined(names: Sequence[str]) -> str:
    # A script or style element's hash is that of its text, to the byte.
    return "".join(asset(name) for name in names)


def _source(*texts: str) -> str:
    hashes = (hashlib.sha256(text.encode()).digest() for text in texts if text)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes) or "'none'"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
