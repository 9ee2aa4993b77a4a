"""The explorer over HTTP, for the browser on this machine: one page, and news of it.

Nothing that a client sends is ever a path: there is the page, held in memory, and a stream of events
(server-sent events, HTML standard), which tells an open page that there is another one. One thread looks for
changes and builds, one accepts connections, and each connection has one of its own.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager, suppress
from hashlib import sha256
from socket import SHUT_WR, socket
from socketserver import TCPServer, ThreadingMixIn
from threading import BoundedSemaphore, Event, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from spectastic.explorer import answers, asked
from spectastic.explorer.asked import Refusal, Thing
from spectastic.source import reason
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

ADDRESS = "127.0.0.1"
#: How many pages can be told of changes at a time, and how many connections there are at most.
STREAMS = 32
CONNECTIONS = 96

#: How long a client may take for its question, and for taking the answer, in seconds.
_PATIENCE = 10.0
#: How often a stream looks for news, in seconds.
_LOOK = 0.2
#: How long, and for how many bytes, a client that still talks is listened to once it has its answer.
_FAREWELL = 1.0
_FAREWELL_BYTES = 65_536
#: Looking for changes takes at most one part in so many of the time.
_SHARE = 10
#: How much is told of what went wrong, in characters: `live.css` keeps so much room in a page.
_LONGEST = 300

_FREE = "choose another with --port; --port 0 takes one that is free"


class PortError(Exception):
    """The server cannot be had at a port. `hint` says what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Shown(NamedTuple):
    """The last page that could be built, what tells it from others, and why there is no newer one."""

    page: bytes
    mark: str
    trouble: str = ""


def serve(
    build: Callable[[], str],
    changed: Callable[[], Hashable],
    port: int,
    tell: Callable[[str], None],
    ready: Callable[[str], object] | None = None,
    interval: float = 1.0,
) -> None:
    """Serve the page that `build` gives on 127.0.0.1 alone, until Ctrl-C; then return.

    `changed` gives a value that is another one once a new page is due. It is asked every `interval`
    seconds, or less often if it takes long. `tell` gets lines for the terminal. `ready` is called with the
    address once the page can be had. A build that fails later on leaves the last page, and is told there
    and in it.

    Raises `PortError`, whatever the first `build` and the first `changed` raise, and `KeyboardInterrupt`
    as long as there is no page yet.
    """
    with _bound(port) as server:
        # Asked before, so that what changes during the build is not missed.
        seen = changed()
        server.show(build())
        server.tell = tell
        address = f"http://{ADDRESS}:{server.port}/"
        with suppress(KeyboardInterrupt), _answering(server):
            tell(f"serving {address} on this machine alone; Ctrl-C ends it")
            if ready is not None:
                ready(address)
            _watch(server, build, changed, seen, interval)


def _watch(
    server: _Server,
    build: Callable[[], str],
    changed: Callable[[], Hashable],
    first: Hashable,
    interval: float,
) -> None:
    """Build again whenever something changed, for ever."""
    seen: tuple[Hashable, str] = (first, "")
    pause = interval
    while True:
        sleep(pause)
        begin = monotonic()
        now = _asked(changed)
        pause = max(interval, (monotonic() - begin) * (_SHARE - 1))
        if now != seen:
            seen = now
            _renew(server, build, now[1])


def _renew(server: _Server, build: Callable[[], str], trouble: str) -> None:
    """Show another page, or the trouble that keeps it from being built."""
    if not trouble:
        try:
            server.show(build())
        except Exception as error:  # whatever it is, the last page stays
            trouble = _told(error)
    if trouble:
        server.complain(trouble)


def _asked(changed: Callable[[], Hashable]) -> tuple[Hashable, str]:
    """What `changed` gives, and why it gives nothing."""
    try:
        return changed(), ""
    except Exception as error:  # it is asked again
        return None, _told(error)


def _told(error: Exception) -> str:
    """An error in a line, with what to do about it."""
    message = str(error) or type(error).__name__
    hint = str(getattr(error, "hint", ""))
    return short(printable(message if hint in message else f"{message} ({hint})"), _LONGEST)


class _Server(ThreadingMixIn, TCPServer):
    """Answers what is asked. `shown` is replaced as a whole, so that it can be read from any thread."""

    daemon_threads = True
    block_on_close = False
    # On Windows this would let two servers have one port.
    allow_reuse_address = os.name != "nt"
    request_queue_size = CONNECTIONS

    shown: Shown
    tell: Callable[[str], None]

    def __init__(self, port: int) -> None:
        self.over = Event()
        self.places = BoundedSemaphore(CONNECTIONS)
        self.streams = BoundedSemaphore(STREAMS)
        super().__init__((ADDRESS, port), None)  # type: ignore[arg-type]  # `finish_request` needs none
        self.port: int = self.socket.getsockname()[1]

    def show(self, text: str) -> None:
        """Have a page from now on."""
        page = text.encode("utf-8", "backslashreplace")
        before = getattr(self, "shown", None)
        self.shown = Shown(page, sha256(page).hexdigest()[:32])
        if before is not None and before != self.shown:
            same = before.mark == self.shown.mark
            self.tell("it builds again, and the page is the same" if same else "rebuilt the page")

    def complain(self, trouble: str) -> None:
        """Keep the page, and say why there is no newer one."""
        self.shown = self.shown._replace(trouble=trouble)
        self.tell(f"cannot rebuild the page, so the last one stays: {trouble}")

    def process_request(self, request: socket, client_address: object) -> None:  # type: ignore[override]
        """Give a connection its thread, if there is a place for it."""
        if not self.places.acquire(blocking=False):
            request.setblocking(False)
            with suppress(OSError):
                request.send(answers.refused(asked.FULL))
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no further thread can be had
            self.places.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: socket, client_address: object) -> None:  # type: ignore[override]
        """Answer, and leave the place to the next one."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()

    def handle_error(self, request: socket, client_address: object) -> None:  # type: ignore[override]  # noqa: ARG002
        """Say that an answer failed, which is a mistake of ours; the server goes on."""
        self.tell(f"error: a request was not answered: {sys.exc_info()[1]!r}; this is a bug in spectastic")

    def finish_request(self, request: socket, client_address: object) -> None:  # type: ignore[override]  # noqa: ARG002
        """Answer the one question of a connection."""
        with suppress(OSError):  # whoever asked has gone, or takes too long
            thing = _question(request, self.port)
            request.settimeout(_PATIENCE)
            if thing is Thing.EVENTS:
                self._stream(request)
            elif thing is Thing.PAGE:
                request.sendall(answers.page(*self.shown[:2]))
            elif thing is not None:
                request.sendall(answers.refused(thing))
            _part(request)

    def _stream(self, connection: socket) -> None:
        """Tell what is shown, now and whenever it is something else, until somebody hangs up."""
        if not self.streams.acquire(blocking=False):
            connection.sendall(answers.refused(asked.FULL))
            return
        try:
            connection.sendall(answers.head("text/event-stream"))
            told = None
            while not self.over.is_set():
                shown = self.shown
                if shown is not told:
                    connection.settimeout(_PATIENCE)
                    connection.sendall(answers.event(shown.mark, shown.trouble))
                    told = shown
                connection.settimeout(_LOOK)
                with suppress(TimeoutError):
                    # The end, or a further question, which there is no answer to.
                    connection.recv(1)
                    return
        finally:
            self.streams.release()


def _question(connection: socket, port: int) -> Thing | Refusal | None:
    """What is asked for, None if whoever asks has gone. Raises `OSError`."""
    head = b""
    end = monotonic() + _PATIENCE
    while (match := asked.END.search(head)) is None:
        if len(head) > asked.LONGEST:
            return asked.TOO_LONG
        left = end - monotonic()
        if left <= 0:
            return asked.SLOW
        connection.settimeout(left)
        try:
            more = connection.recv(asked.LONGEST)
        except TimeoutError:
            return asked.SLOW
        if not more:
            return None
        head += more
        if not head[:1].isalpha():  # such as a greeting of TLS
            return asked.GARBAGE
    return asked.TOO_LONG if match.start() > asked.LONGEST else asked.read(head[: match.start()], port)


def _part(connection: socket) -> None:
    """End a connection so that the answer arrives: what is left unread would take it back (RFC 9112, 9.6)."""
    connection.shutdown(SHUT_WR)
    left = _FAREWELL_BYTES
    end = monotonic() + _FAREWELL
    while left > 0 and (rest := end - monotonic()) > 0:
        connection.settimeout(rest)
        more = connection.recv(4096)
        if not more:
            return
        left -= len(more)


@contextmanager
def _bound(port: int) -> Iterator[_Server]:
    """A server that has its port, and answers nobody yet."""
    try:
        server = _Server(port)
    except OverflowError:
        hint = "a port is a number from 1 to 65535, or 0 for one that is free"
        raise PortError(f"there is no port {port}", hint) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortError(f"port {port} is in use", _FREE) from error
        raise PortError(f"port {port} cannot be used: {reason(error)}", _FREE) from error
    with server:
        yield server


@contextmanager
def _answering(server: _Server) -> Iterator[None]:
    """A server that answers, in a thread, until this ends."""
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.over.set()
        server.shutdown()
        thread.join()
