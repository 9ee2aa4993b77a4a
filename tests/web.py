"""A web server on this machine, with answers as a test wants them."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator, Mapping

MARKDOWN = "text/markdown; charset=utf-8"


class Server(ThreadingHTTPServer):
    """What was asked is in `asked`: path and headers; `over` is set when the test is done."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, answers: Mapping[str, Callable[[Handler], None]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.over = Event()

    def handle_error(self, *_: Any) -> None:
        """A client that has hung up is what some tests want."""


class Handler(BaseHTTPRequestHandler):
    """Answers a question as `Server.answers` has it."""

    server: Server

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        self.server.answers[self.path.partition("?")[0]](self)

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


def answer(data: bytes, kind: str = MARKDOWN, status: int = 200, **more: str) -> Callable[[Handler], None]:
    """An answer with a body; `more` headers with `_` for `-`. A header of "" is not sent."""

    def send(handler: Handler) -> None:
        handler.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(data))}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        for name, value in headers.items():
            if value:
                handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return send


def raw(*pieces: bytes, pause: float = 0.0, forever: bool = False) -> Callable[[Handler], None]:
    """Bytes just as they are, with pauses in between; the last one again and again."""

    def send(handler: Handler) -> None:
        over = handler.server.over
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            if over.wait(pause):
                return
        while forever and not over.wait(pause):
            handler.wfile.write(pieces[-1])
            handler.wfile.flush()

    return send


def redirect(where: str, status: int = 302) -> Callable[[Handler], None]:
    return answer(b"", status=status, Location=where)


@contextmanager
def serve(
    answers: Mapping[str, Callable[[Handler], None]], context: ssl.SSLContext | None = None
) -> Iterator[tuple[str, Server]]:
    """A server: its address, `http://127.0.0.1:PORT`, and what it knows."""
    server = Server(answers)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http{'s' if context else ''}://127.0.0.1:{server.server_address[1]}", server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
