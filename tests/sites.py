"""The server of the explorer, running, with a page and changes as a test wants them."""

from __future__ import annotations

import json
import socket
from contextlib import contextmanager
from hashlib import sha256
from threading import Event, Thread
from typing import TYPE_CHECKING

from spectastic.explorer.serve import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Longer than anything takes that a test waits for, in seconds.
LONG = 30.0


def eventually(check: Callable[[], bool]) -> None:
    """Wait until something holds; fail where it never does."""
    for _ in range(1500):
        if check():
            return
        Event().wait(LONG / 1500)
    raise AssertionError("it never came to be")


def event(page: str, trouble: str = "") -> str:
    """What a stream tells of a page."""
    mark = sha256(page.encode()).hexdigest()[:32]
    return f"retry: 2000\ndata: {json.dumps({'page': mark, 'trouble': trouble})}"


class Site:
    """What the server builds, and what it told its terminal.

    `page` is the next page, or what the next build raises; `change` makes the server look for it, and waits
    until it has done so. `trouble`, unless None, is what looking for changes raises.
    """

    def __init__(self, page: str) -> None:
        self.page: str | Exception = page
        self.trouble: Exception | None = None
        self.told: list[str] = []
        self.address = ""
        self.number = 0
        self.built = 0
        self.is_ready = Event()
        self.over = Event()
        self.looks = 0
        self.raised: BaseException | None = None

    def build(self) -> str:
        self.built += 1
        if isinstance(self.page, Exception):
            raise self.page
        return self.page

    def changed(self) -> int:
        if self.over.is_set():
            raise KeyboardInterrupt
        self.looks += 1
        if self.trouble is not None:
            raise self.trouble
        return self.number

    def ready(self, address: str) -> None:
        self.address = address
        self.is_ready.set()

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rpartition(":")[2])

    def change(self, page: str | Exception) -> None:
        self.page = page
        self.number += 1
        self.looked()

    def looked(self) -> None:
        """Wait until the server has looked for changes, and done what it does about them."""
        # One look may be under way, the next one sees everything, and with the third it is through.
        wanted = self.looks + 3
        eventually(lambda: self.looks >= wanted)

    def run(self, port: int) -> None:
        try:
            serve(self.build, self.changed, port, self.told.append, self.ready, interval=0.01)
        except BaseException as error:
            self.raised = error
        self.is_ready.set()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONG)

    def ask(self, request: bytes) -> bytes:
        """All that the server says to some bytes until it hangs up."""
        with self.connect() as connection:
            connection.sendall(request)
            return everything(connection)

    def get(self, path: str = "/", *fields: str) -> bytes:
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *fields, "", ""]
        return self.ask("\r\n".join(lines).encode())

    def follow(self) -> Stream:
        return Stream(self)


def body(answer: bytes) -> str:
    """The body of an answer."""
    return answer.partition(b"\r\n\r\n")[2].decode()


def is_up(site: Site) -> bool:
    """Whether a server gives its page."""
    answer = site.get()
    return answer.startswith(b"HTTP/1.1 200 OK\r\n") and body(answer) == site.page


class Stream:
    """A stream of events."""

    def __init__(self, site: Site) -> None:
        self.connection = site.connect()
        self.connection.sendall(f"GET /events HTTP/1.1\r\nHost: localhost:{site.port}\r\n\r\n".encode())
        self.file = self.connection.makefile("rb")
        self.head = self.block()

    def block(self) -> str:
        """The next lines up to a blank one, "" at the end."""
        lines = []
        while (line := self.file.readline().rstrip(b"\r\n")) != b"":
            lines.append(line.decode())
        return "\n".join(lines)

    def close(self) -> None:
        self.file.close()
        self.connection.close()


def everything(connection: socket.socket) -> bytes:
    data = b""
    while more := connection.recv(65536):
        data += more
    return data


def everything_there(connection: socket.socket) -> bytes:
    """The same from a server that may not wait for the end of the question."""
    try:
        return everything(connection)
    except ConnectionResetError:
        return b""


@contextmanager
def serving(page: str = "a page", port: int = 0) -> Iterator[Site]:
    """A server in a thread, which has ended without an error when this is over."""
    site = Site(page)
    thread = Thread(target=site.run, args=(port,), daemon=True)
    thread.start()
    try:
        assert site.is_ready.wait(LONG)
        yield site
    finally:
        site.over.set()
        thread.join(LONG)
    assert not thread.is_alive()
    assert site.raised is None
