"""What a client asks the server of the explorer for, out of the bytes it sent. Pure.

A request is of HTTP/1.1 (RFC 9112), and there are two that get an answer. The `Host` has to be a name of this
machine: a page of somebody else's, whose name was made to lead here (DNS rebinding), sends its own.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

#: The most bytes that the head of a request may have.
LONGEST = 16_384
#: Where a head ends. A single line feed is as good as a line break.
END = re.compile(rb"\r?\n\r?\n")

_BREAK = re.compile(rb"\r?\n")
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_LINE = re.compile(rb"(%s) ([!-~]+) HTTP/1\.[01]" % _TOKEN)
_NAME = re.compile(_TOKEN)
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_NAMES = ("127.0.0.1", "localhost")


class Thing(Enum):
    """What there is, by its path. No path is ever that of a file."""

    PAGE = b"/"
    EVENTS = b"/events"


class Refusal(NamedTuple):
    """A status of HTTP, and a sentence that says why."""

    status: int
    why: str


GARBAGE = Refusal(400, "This is not a request of HTTP/1.1 that can be understood.")
SLOW = Refusal(408, "The request did not come to its end in time.")
TOO_LONG = Refusal(431, f"The head of the request has more than {LONGEST:,} bytes.")
FULL = Refusal(503, "Too many connections are open: close some of the pages, and try again.")
_NO_HOST = Refusal(400, "A request names one host, no more and no less.")
_OTHER_HOST = Refusal(421, "This server answers to 127.0.0.1 and to localhost, and to no other name.")
_OTHER_SITE = Refusal(403, "The pages of other sites get nothing from here.")
_OTHER_METHOD = Refusal(405, "GET is all that can be done here.")
_NOTHING = Refusal(404, "There is nothing here: the page is at /.")


def read(head: bytes, port: int) -> Thing | Refusal:
    """What a head asks for of the server at `port`: everything before the blank line that ends it."""
    line, *rest = _BREAK.split(head)
    match = _LINE.fullmatch(line)
    fields = _fields(rest)
    if match is None or fields is None:
        return GARBAGE
    hosts = fields.get(b"host", [])
    if len(hosts) != 1:
        return _NO_HOST
    known = {f"{name}{end}".encode() for name in _NAMES for end in ("", f":{port}")}
    if hosts[0].lower() not in known:
        return _OTHER_HOST
    method, path = match.groups()
    if not _is_own(fields, hosts[0], path):
        return _OTHER_SITE
    if method != b"GET":
        return _OTHER_METHOD
    return next((thing for thing in Thing if thing.value == path), _NOTHING)


def _fields(lines: list[bytes]) -> dict[bytes, list[bytes]] | None:
    """The values of each header field by its name in lower case, None where a line is no field."""
    fields: dict[bytes, list[bytes]] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not colon or not _NAME.fullmatch(name) or _CONTROL.search(value):
            return None
        fields.setdefault(name.lower(), []).append(value.strip(b" \t"))
    return fields


def _is_own(fields: dict[bytes, list[bytes]], host: bytes, path: bytes) -> bool:
    """Whether no page of another site asks; anybody may lead a reader to the page itself.

    Browsers say where a question comes from by `Origin` (Fetch) and `Sec-Fetch-Site` (Fetch Metadata).
    """
    if any(origin != b"http://" + host for origin in fields.get(b"origin", [])):
        return False
    sites = fields.get(b"sec-fetch-site", [])
    return path != Thing.EVENTS.value or all(site in (b"same-origin", b"none") for site in sites)
