"""What a client may ask the server of the explorer for: a page and its events, by a name of this machine."""

from __future__ import annotations

import pytest

from spectastic.explorer import answers, asked
from spectastic.explorer.asked import Refusal, Thing

HOST = "Host: 127.0.0.1:8000"

#: A request, with line breaks as `|`, and what it gets.
REQUESTS = [
    (f"GET / HTTP/1.1|{HOST}", Thing.PAGE),
    (f"GET /events HTTP/1.1|{HOST}", Thing.EVENTS),
    ("GET / HTTP/1.0|Host: 127.0.0.1", Thing.PAGE),
    ("GET / HTTP/1.1|Host: localhost:8000", Thing.PAGE),
    ("GET / HTTP/1.1|Host: localhost", Thing.PAGE),
    ("GET / HTTP/1.1|hOST:LocalHost:8000  ", Thing.PAGE),
    (f"GET / HTTP/1.1|{HOST}|X: \t~\x80ÿ|Cookie:", Thing.PAGE),
    # Names that are not ours, and names that look like ours.
    ("GET / HTTP/1.1|Host: evil.example", 421),
    ("GET / HTTP/1.1|Host: evil.example:8000", 421),
    ("GET / HTTP/1.1|Host: 127.0.0.1:8001", 421),
    ("GET / HTTP/1.1|Host: 127.0.0.1:", 421),
    ("GET / HTTP/1.1|Host: 127.0.0.1:08000", 421),
    ("GET / HTTP/1.1|Host: 127.0.0.1.:8000", 421),
    ("GET / HTTP/1.1|Host: localhost.:8000", 421),
    ("GET / HTTP/1.1|Host: localhost.evil.example:8000", 421),
    ("GET / HTTP/1.1|Host: evil.example#localhost:8000", 421),
    ("GET / HTTP/1.1|Host: user@localhost:8000", 421),
    ("GET / HTTP/1.1|Host: http://localhost:8000", 421),
    ("GET / HTTP/1.1|Host: [::1]:8000", 421),
    ("GET / HTTP/1.1|Host: 0.0.0.0:8000", 421),
    ("GET / HTTP/1.1|Host: 127.0.0.2:8000", 421),
    ("GET / HTTP/1.1|Host: 2130706433:8000", 421),
    ("GET / HTTP/1.1|Host: localhost:8000, evil.example", 421),
    ("GET / HTTP/1.1|Host:", 421),
    ("GET / HTTP/1.1", 400),
    ("GET / HTTP/1.1|X-Forwarded-Host: localhost", 400),
    (f"GET / HTTP/1.1|{HOST}|{HOST}", 400),
    (f"GET / HTTP/1.1|{HOST}|Host: evil.example", 400),
    # A wrong name learns nothing of what there is.
    ("POST /none HTTP/1.1|Host: evil.example", 421),
    # Other sites.
    (f"GET / HTTP/1.1|{HOST}|Origin: http://127.0.0.1:8000", Thing.PAGE),
    (f"GET /events HTTP/1.1|{HOST}|Origin: http://127.0.0.1:8000|Sec-Fetch-Site: same-origin", Thing.EVENTS),
    (f"GET /events HTTP/1.1|{HOST}|Sec-Fetch-Site: none", Thing.EVENTS),
    (f"GET / HTTP/1.1|{HOST}|Sec-Fetch-Site: cross-site", Thing.PAGE),
    (f"GET /events HTTP/1.1|{HOST}|Sec-Fetch-Site: cross-site", 403),
    (f"GET /events HTTP/1.1|{HOST}|Sec-Fetch-Site: same-site", 403),
    (f"GET / HTTP/1.1|{HOST}|Origin: http://evil.example", 403),
    (f"GET / HTTP/1.1|{HOST}|Origin: https://127.0.0.1:8000", 403),
    (f"GET / HTTP/1.1|{HOST}|Origin: http://127.0.0.1:9000", 403),
    (f"GET / HTTP/1.1|{HOST}|Origin: null", 403),
    (f"GET / HTTP/1.1|{HOST}|Origin: http://127.0.0.1:8000|Origin: http://evil.example", 403),
    # Other methods.
    *((f"{method} / HTTP/1.1|{HOST}", 405) for method in ("HEAD", "POST", "PUT", "DELETE", "TRACE", "get")),
    (f"OPTIONS * HTTP/1.1|{HOST}", 405),
    (f"CONNECT 127.0.0.1:22 HTTP/1.1|{HOST}", 405),
    (f"POST /events HTTP/1.1|{HOST}|Content-Length: 5", 405),
    # Other paths, whatever they look like.
    *(
        (f"GET {path} HTTP/1.1|{HOST}", 404)
        for path in (
            *(
                "/index.html",
                "//",
                "/.",
                "/./",
                "/events/",
                "/Events",
                "/event",
                "/events?",
                "/?",
                "/#",
                "/%2f",
            ),
            *("/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/", "/..\\..\\x", "/knowledge/index.md"),
            *(
                "/etc/passwd",
                "/favicon.ico",
                "/.git/config",
                "/~root",
                "/%00",
                "/C:/x",
                "*",
                "x",
                "?",
                "/" * 9000,
            ),
            *(
                "http://evil.example/",
                "http://127.0.0.1:8000/",
                "http://evil.example/events",
                "file:///etc/passwd",
            ),
        )
    ),
    # What is no request.
    *(
        (head, 400)
        for head in (
            *("", "|", "|GET / HTTP/1.1", "GET /", "GET / ", "GET", "GET / HTTP/2.0", "GET / HTTP/1.2"),
            *("GET / HTTP/1.15", "GET / http/1.1", "PRI * HTTP/2.0", " GET / HTTP/1.1", "GET  / HTTP/1.1"),
            *(
                "GET / / HTTP/1.1",
                "GET /\t HTTP/1.1",
                "GET /\x00 HTTP/1.1",
                "GET /ÿ HTTP/1.1",
                "G(T / HTTP/1.1",
            ),
            *("GET / HTTP/1.1 ", "SSH-2.0-OpenSSH_9.2", "\x16\x03\x01\x02\x00\x01", "\x00" * 9000),
        )
    ),
    *(
        (f"GET / HTTP/1.1|{HOST}|{line}", 400)
        for line in (
            *(
                "no colon",
                ": no name",
                "a name: x",
                "Name : x",
                " folded: x",
                "\tfolded",
                "Näme: x",
                "",
                "X: \x00",
            ),
            *("X: \x07", "X: \r", "X: \x7f"),
        )
    ),
]


@pytest.mark.parametrize(("request_", "wanted"), REQUESTS, ids=[f"{what!r:.60}" for what, _ in REQUESTS])
def test_what_is_asked(request_: str, wanted: Thing | int) -> None:
    for break_ in (b"\r\n", b"\n"):
        found = asked.read(request_.encode("latin-1").replace(b"|", break_), 8000)
        assert (found.status if isinstance(found, Refusal) else found) == wanted


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"\r\n".join(b"X%d: %s" % (n, b"y" * 40) for n in range(320)),
        b"GET / HTTP/1.1\r\nX:" + b" " * 16000 + b"y",
        b"GET / HTTP/1.1\r\n" + b"X" * 16000,
        b"A" * 16000,
        b"GET /" + b" " * 16000,
        b"\r\n" * 8000,
        b"\r" * 16000,
    ],
)
def test_the_longest_heads_are_read_at_once(head: bytes) -> None:
    # Not timed: an expression that goes back and forth would not end within the limit of the run.
    assert isinstance(asked.read(head, 8000), Refusal)


SAFE = [
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer",
    "Connection: close",
]


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        (
            answers.page("ä".encode(), "ab12"),
            [
                "HTTP/1.1 200 OK",
                "Content-Type: text/html; charset=utf-8",
                "Content-Length: 2",
                'Server-Timing: page;desc="ab12"',
            ],
        ),
        (
            answers.refused(Refusal(405, "No.")),
            [
                "HTTP/1.1 405 Method Not Allowed",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Length: 4",
                "Allow: GET",
            ],
        ),
        (
            answers.refused(Refusal(421, "No.")),
            [
                "HTTP/1.1 421 Misdirected Request",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Length: 4",
            ],
        ),
        (
            answers.head("text/event-stream"),
            ["HTTP/1.1 200 OK", "Content-Type: text/event-stream; charset=utf-8"],
        ),
    ],
)
def test_answers_say_what_browsers_may_do_with_them(answer: bytes, first: list[str]) -> None:
    head, _, _ = answer.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    assert status == first[0]
    assert sorted(fields) == sorted([*first[1:], *SAFE])


def test_an_event_is_one_line_whatever_it_tells() -> None:
    told = answers.event("ab12", "first\r\nsecond\u2028third\n\nevent: x").decode()
    assert told == (
        'retry: 2000\ndata: {"page": "ab12", "trouble": "first\\r\\nsecond\\u2028third\\n\\nevent: x"}\n\n'
    )
