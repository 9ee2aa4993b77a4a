"""Clients of the explorer's server that are hostile, slow or broken: nobody else notices them."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Event

import pytest
from sites import LONG, body, everything, everything_there, is_up, serving

from spectastic.explorer import serve as module

#: What is sent, with {port} for the port, and the statuses of its answers ("" for none).
HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", ""),
    "a beginning": (b"GET / HT", ""),
    "garbage": (bytes(range(256)) * 100, "400"),
    "a greeting of TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500, "400"),
    "only line breaks": (b"\r\n" * 50_000, "400"),
    "another protocol": (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "400"),
    "HTTP/0.9": (b"GET /\r\n\r\n", "400"),
    "a target without end": (b"GET /" + b"a" * 5_000_000, "431"),
    "a header without end": (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 5_000_000, "431"),
    "headers without end": (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 500_000, "431"),
    "a head that just does not fit": (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n" % (b"a" * 16_400),
        "431",
    ),
    "another host": (b"GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n", "421"),
    "another host as target": (b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", "404"),
    "a file": (b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n", "404"),
    "a body": (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n" + b"x" * 60_000,
        "405",
    ),
    "chunks": (
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\nx",
        "405",
    ),
    "a body where there is none": (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
        "200",
    ),
    "questions in a row": (b"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n" * 500, "200"),
    "a question after the stream": (
        b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "200",
    ),
    "an upgrade": (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "200",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_clients_get_their_answer_and_nobody_else_notices(what: str) -> None:
    data, status = HOSTILE[what]
    with serving() as site:
        with site.connect() as connection:
            # The server may have hung up before it has everything.
            with suppress(OSError):
                connection.sendall(data.replace(b"{port}", str(site.port).encode()))
                connection.shutdown(socket.SHUT_WR)
            answer = (everything_there if len(data) > 1_000_000 else everything)(connection)
        assert is_up(site)
        assert answer.count(b"Connection: close") == (1 if status else 0) or len(data) > 1_000_000
        assert answer[9:12].decode() in (status, "" if len(data) > 1_000_000 else status)
        assert site.told[1:] == []


def test_a_head_may_come_in_pieces() -> None:
    with serving() as site, site.connect() as connection:
        for byte in f"GET / HTTP/1.1\r\nHost: localhost:{site.port}\r\n\r\n".encode():
            connection.sendall(bytes([byte]))
        assert body(everything(connection)) == "a page"


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
def test_who_never_comes_to_the_end_is_told_so(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    with serving() as site, site.connect() as connection:
        connection.sendall(sent)
        assert everything(connection).startswith(b"HTTP/1.1 408 ")


def test_nobody_is_listened_to_past_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    with serving() as site:
        assert site.ask(b"").startswith(b"HTTP/1.1 408 ")


def test_who_comes_too_slowly_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each piece comes in time, and all of them do not.
    monkeypatch.setattr(module, "_PATIENCE", 0.3)
    with serving() as site, site.connect() as connection:
        connection.settimeout(0.02)
        answer = b""
        for _ in range(1000):
            try:
                connection.sendall(b"G")
                answer = connection.recv(1000)
                break
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_who_takes_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    with serving("x" * 20_000_000) as site, site.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        Event().wait(0.5)
        assert len(everything_there(connection)) < 20_000_000
        site.change("short")
        assert is_up(site)


def test_what_is_still_on_its_way_after_the_answer_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FAREWELL", LONG)
    with serving() as site, site.connect() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert everything(connection).startswith(b"HTTP/1.1 405 ")
        # Else the first of these is met by a reset, and the next one fails.
        for _ in range(5):
            connection.sendall(b"more")
            Event().wait(0.02)


def test_who_talks_on_after_the_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FAREWELL", 0.2)
    with serving() as site, site.connect() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert everything(connection).startswith(b"HTTP/1.1 405 ")
        with pytest.raises(OSError, match=r"."):  # noqa: PT012 - some time, one fails
            for _ in range(100_000):
                connection.sendall(b"more" * 1000)
                Event().wait(0.001)
