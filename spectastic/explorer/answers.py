"""What the server of the explorer says, as bytes of HTTP/1.1 and of an event stream. Pure."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spectastic.explorer.asked import Refusal

_HEADERS = (
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer",
    "Connection: close",
)


def head(kind: str, *more: str, status: int = 200) -> bytes:
    """The head of an answer, with whatever further header lines it needs."""
    lines = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        f"Content-Type: {kind}; charset=utf-8",
        *_HEADERS,
        *more,
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("ascii")


def page(text: bytes, mark: str) -> bytes:
    """The page. `mark` tells it from others, and a script in it can read that (Server Timing)."""
    return head("text/html", f"Content-Length: {len(text)}", f'Server-Timing: page;desc="{mark}"') + text


def refused(refusal: Refusal) -> bytes:
    """A sentence on why there is no other answer."""
    body = f"{refusal.why}\n".encode()
    allowed = ("Allow: GET",) if refusal.status == HTTPStatus.METHOD_NOT_ALLOWED else ()
    more = (f"Content-Length: {len(body)}", *allowed)
    return head("text/plain", *more, status=refusal.status) + body


def event(mark: str, trouble: str) -> bytes:
    """News for an open page: which page there is now, and why there is no newer one, "" if there is."""
    # JSON in ASCII has no line break, which would end the data.
    return f"retry: 2000\ndata: {json.dumps({'page': mark, 'trouble': trouble})}\n\n".encode()
