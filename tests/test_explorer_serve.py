"""The explorer over HTTP: what it serves, to whom, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest
from sites import LONG, Site, body, event, eventually, everything_there, is_up, serving

from spectastic.explorer import serve as module
from spectastic.explorer.serve import CONNECTIONS, STREAMS, PortError, serve


def test_a_page_and_what_it_is_told() -> None:
    with serving("<p>Grüße</p>") as site:
        assert site.address == f"http://127.0.0.1:{site.port}/"
        assert site.told == [f"serving {site.address} on this machine alone; Ctrl-C ends it"]
        assert is_up(site)
        stream = site.follow()
        assert stream.head.startswith("HTTP/1.1 200 OK\nContent-Type: text/event-stream; charset=utf-8\n")
        assert stream.block() == event("<p>Grüße</p>")
        site.change("another")
        assert stream.block() == event("another")
        assert is_up(site)
        assert site.told[1:] == ["rebuilt the page"]
        # Built again, and the same: nobody needs to know.
        site.change("another")
        site.change("third")
        assert stream.block() == event("third")
        assert (site.built, site.told[1:]) == (4, ["rebuilt the page"] * 2)
        stream.close()


class HintedError(Exception):
    hint = "mend it"


TROUBLES: list[tuple[Exception, str]] = [
    (ValueError("no such thing"), "no such thing"),
    (HintedError("a row is broken"), "a row is broken (mend it)"),
    (HintedError("a row is broken: mend it"), "a row is broken: mend it"),
    (RecursionError(), "RecursionError"),
    (ValueError("\u202eabc\x1b[2J\nmore"), "\\u202eabc\\x1b[2J\\x0amore"),
    (ValueError("x" * 5000), "x" * 299 + "…"),
]


@pytest.mark.parametrize(("error", "told"), TROUBLES)
def test_a_build_that_fails_leaves_the_last_page(error: Exception, told: str) -> None:
    with serving("first") as site:
        stream = site.follow()
        assert stream.block() == event("first")
        site.change(error)
        assert stream.block() == event("first", told)
        assert body(site.get()) == "first"
        assert site.told[1:] == [f"cannot rebuild the page, so the last one stays: {told}"]
        # Who comes now learns of it too.
        late = site.follow()
        assert late.block() == event("first", told)
        site.change("first")
        assert stream.block() == late.block() == event("first")
        assert site.told[2:] == ["it builds again, and the page is the same"]
        stream.close()
        late.close()


def test_trouble_with_looking_for_changes_is_told_once_and_passes() -> None:
    with serving("first") as site:
        site.trouble = OSError("the folder is gone")
        site.looked()
        site.looked()
        stream = site.follow()
        assert stream.block() == event("first", "the folder is gone")
        site.trouble = None
        assert stream.block() == event("first")
        assert site.told[1:] == [
            "cannot rebuild the page, so the last one stays: the folder is gone",
            "it builds again, and the page is the same",
        ]
        stream.close()


def test_the_first_build_must_work() -> None:
    def broken() -> str:
        raise ValueError("no page")

    told: list[str] = []
    with pytest.raises(ValueError, match="no page"):
        serve(broken, lambda: 0, 0, told.append)
    assert told == []


def test_ctrl_c_before_there_is_a_page_is_no_end_of_serving() -> None:
    def stopped() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        serve(stopped, lambda: 0, 0, print)


def test_a_text_that_is_no_unicode_is_shown_all_the_same() -> None:
    with serving("a\udcffb") as site:
        assert body(site.get()) == "a\\udcffb"


def test_it_returns_once_it_is_ended_and_open_streams_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOK", 0.001)
    with serving() as site:
        stream = site.follow()
        assert stream.block() == event("a page")
        # Nothing is told as long as there is nothing new.
        site.looked()
        site.change("another")
        assert stream.block() == event("another")
    assert stream.block() == ""
    stream.close()


def test_it_says_where_it_is_and_needs_nobody_to_call() -> None:
    answers = iter([0])

    def changed() -> int:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    told: list[str] = []
    serve(str, changed, 0, told.append, interval=0)
    assert len(told) == 1


def test_looking_for_changes_may_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    clock = iter([100.0, 100.5, 200.0, 200.01])
    monkeypatch.setattr(module, "monotonic", lambda: next(clock))
    monkeypatch.setattr(module, "sleep", slept.append)
    # It ends where the clock has no further time to tell.
    with pytest.raises(StopIteration):
        module._watch(None, str, lambda: 0, 0, 1.0)  # type: ignore[arg-type]
    # Half a second of looking: nine halves of rest. Next to none: the interval.
    assert slept == [1.0, 4.5, 1.0]


@pytest.mark.parametrize("port", [-1, 65_536, 10**9])
def test_a_port_that_there_is_not(port: int) -> None:
    with pytest.raises(PortError, match=f"there is no port {port}$") as raised:
        serve(str, lambda: 0, port, print)
    assert raised.value.hint == "a port is a number from 1 to 65535, or 0 for one that is free"


def test_a_port_that_is_taken_is_told_before_anything_is_built() -> None:
    with serving() as site, pytest.raises(PortError, match=f"port {site.port} is in use$") as raised:
        serve(site.build, site.changed, site.port, site.told.append)
    assert raised.value.hint == "choose another with --port; --port 0 takes one that is free"
    assert site.built == 1


def test_a_port_that_must_not_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(PortError, match=r"port 80 cannot be used: permission denied$"):
        serve(str, lambda: 0, 80, print)


def test_a_port_is_free_again_at_once() -> None:
    with serving() as site:
        stream = site.follow()
        port = site.port
    with serving(port=port) as again:
        assert is_up(again)
    stream.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of this machine")
def test_nobody_reaches_it_by_another_address() -> None:
    with serving() as site, pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", site.port), timeout=LONG)


def test_streams_are_bounded_and_who_leaves_makes_room() -> None:
    with serving() as site, ExitStack() as stack:
        streams = [site.follow() for _ in range(STREAMS)]
        for stream in streams:
            stack.callback(stream.close)
            assert stream.block() == event("a page")
        refused = site.get("/events")
        assert refused.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert "close some of the pages" in body(refused)
        assert is_up(site)
        streams.pop().close()
        eventually(lambda: is_stream(site))
        site.change("another")
        assert {stream.block() for stream in streams} == {event("another")}


def is_stream(site: Site) -> bool:
    stream = site.follow()
    stream.close()
    return stream.head.startswith("HTTP/1.1 200 ")


def test_connections_are_bounded_and_who_leaves_makes_room() -> None:
    with serving() as site, ExitStack() as stack:
        for _ in range(CONNECTIONS):
            stack.enter_context(site.connect())
        eventually(lambda: site.get().startswith(b"HTTP/1.1 503 "))
        stack.close()
        eventually(lambda: is_up(site))


def test_a_machine_without_room_for_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as site:
        with monkeypatch.context() as patched:
            patched.setattr("socketserver.threading.Thread", none_left)
            for _ in range(CONNECTIONS + 5):
                with site.connect() as connection:
                    assert everything_there(connection) == b""
        assert is_up(site)


def none_left(*_: object, **__: object) -> None:
    raise RuntimeError("can't start new thread")


def test_a_mistake_of_ours_is_told_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as site:
        with monkeypatch.context() as patched:
            patched.setattr("spectastic.explorer.answers.page", lambda *_: 1 // 0)
            assert site.get() == b""
        assert is_up(site)
        (told,) = site.told[1:]
        assert told.startswith("error: a request was not answered: ZeroDivisionError(")
        assert told.endswith("; this is a bug in spectastic")


CODE = """\
import signal, time
from spectastic.explorer.serve import serve
signal.signal(signal.SIGINT, signal.default_int_handler)
serve(lambda: "a page", lambda: 0, 0, lambda line: print(line, flush=True))
print("over", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT for one process")
def test_ctrl_c_ends_it_with_streams_open() -> None:
    with (
        subprocess.Popen(
            [sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as child,
        ExitStack() as stack,
    ):
        stack.callback(child.kill)
        assert child.stdout is not None
        site = Site("a page")
        site.address = child.stdout.readline().split()[1].decode()
        streams = [site.follow() for _ in range(5)]
        for stream in streams:
            stack.callback(stream.close)
            assert stream.block() == event("a page")
        slow = stack.enter_context(site.connect())
        slow.sendall(b"GET / HT")
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == b"over\n"
        assert child.wait(LONG) == 0
        assert {stream.block() for stream in streams} == {""}
