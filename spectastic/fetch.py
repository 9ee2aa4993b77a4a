"""A document fetched from the web, within bounds. The only place that opens a connection.

Each address on the way is checked before it is asked: its host is one that somebody has allowed, and it
leads to no private network, unless that very address is allowed. Nothing is sent but the question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.text import printable, short

if TYPE_CHECKING:
    import socket
    from collections.abc import Collection
    from http.client import HTTPResponse
    from ipaddress import IPv4Address, IPv6Address
    from threading import Thread
    from urllib.parse import SplitResult

    #: What `getaddrinfo` gives: family, kind, protocol, a name that is of no use here, address.
    _Address = tuple[Any, Any, int, str, tuple[Any, ...]]

#: What is taken, and the ending of a file of that kind; "" for text.
TYPES = {
    "text/markdown": "",
    "text/x-markdown": "",
    "text/plain": "",
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "application/pdf": ".pdf",
    "application/epub+zip": ".epub",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5
_PIECE = 1 << 16
_LONGEST = 2000
_BOM = b"\xef\xbb\xbf"
#: The addresses of IPv6 that are given out to the world; all others are for something else.
_UNICAST = "2000::/3"
#: What of it, and of IPv4, is for protocols and for samples.
_RESERVED = ("192.0.0.0/24", "2001::/23", "2001:db8::/32", "3fff::/20")
#: Where a gateway leads to IPv4, wherever that is.
_GATEWAY = "64:ff9b::/96"
_BY_HAND = "fetch it yourself, and name the file: --from FILE"


class FetchError(Exception):
    """Nothing was fetched: `message` says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Bounds(NamedTuple):
    """What may be asked: hosts (names and addresses), plain `http` too or not, for how long, for how much."""

    hosts: Collection[str]
    plain: bool
    seconds: float
    most: int


class Fetched(NamedTuple):
    """A document: what it holds (text in UTF-8), the ending of such files ("" for text), where it was."""

    data: bytes
    ending: str
    url: str


def parse(url: str) -> SplitResult:
    """The parts of an address of the web. Raises `FetchError` for what is none, or holds a password."""
    from urllib.parse import urlsplit

    shown = short(printable(url))
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise FetchError(f"{shown} is no address of the web: {error}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise FetchError(f"{shown} is no address of the web", "it begins with https://")
    if not url.isascii() or not url.isprintable() or " " in url or len(url) > _LONGEST:
        raise FetchError(
            f"{shown} is no address of the web",
            f"at most {_LONGEST:,} characters, percent-encoded where they are not ASCII",
        )
    if parts.username is not None or parts.password is not None:
        raise FetchError("the address holds a user name or a password", "leave it out: it would be committed")
    return parts


def fetch(url: str, bounds: Bounds) -> Fetched:
    """Fetch a document. Raises `FetchError`."""
    from http.client import HTTPException
    from urllib.parse import urljoin

    line = _Line(bounds.seconds)
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            found = _ask(url, bounds, line)
            if isinstance(found, Fetched):
                return found
            url = urljoin(url, found)
    except (OSError, HTTPException) as error:
        if line.late:
            raise FetchError(
                f"{_shown(url)} was not fetched within {bounds.seconds:g} seconds",
                "allow it more: --timeout SECONDS",
            ) from None
        raise FetchError(f"{_shown(url)} cannot be fetched: {_why(error)}", _BY_HAND) from error
    finally:
        line.close()
    raise FetchError(f"it was redirected more than {_MOST_REDIRECTS} times, to {_shown(url)} last", _BY_HAND)


class _Line:
    """The connection that is open, which is ended when time is over: whoever waits for it gets an error."""

    def __init__(self, seconds: float) -> None:
        from threading import Timer
        from time import monotonic

        self.late = False
        self._end = monotonic() + seconds
        self.seconds = seconds
        self._socket: socket.socket | None = None
        self._timer = Timer(seconds, self._hang_up)
        self._timer.daemon = True
        self._timer.start()

    def hold(self, opened: socket.socket) -> None:
        """Watch this connection from now on. Raises `TimeoutError` where time is over already."""
        self._socket = opened
        self.check()

    def check(self) -> None:
        """Raise `TimeoutError` where time is over: what a connection gave then may be a part."""
        if self.late:
            raise TimeoutError

    def wait(self, thread: Thread) -> None:
        """Wait for a thread to end, no longer than there is time. Raises `TimeoutError`."""
        from time import monotonic

        thread.join(max(0.0, self._end - monotonic()))
        self.late = self.late or thread.is_alive()
        self.check()

    def close(self) -> None:
        """Watch nothing any more."""
        self._timer.cancel()
        self._socket = None

    def _hang_up(self) -> None:
        import socket
        from contextlib import suppress

        self.late = True
        opened = self._socket
        if opened is not None:
            with suppress(OSError):
                socket.socket.shutdown(opened, socket.SHUT_RDWR)


def _ask(url: str, bounds: Bounds, line: _Line) -> Fetched | str:
    """What an address answers: a document, or where else to ask."""
    from http.client import HTTPConnection

    parts = parse(url)
    host = _allowed(parts, bounds)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = HTTPConnection(host, port)
    try:
        connection.sock = _connect(host, port, parts.scheme == "https", bounds, line)
        headers = {
            "Host": parts.netloc,
            "Accept": ", ".join(TYPES),
            "Accept-Encoding": "identity",
            "User-Agent": "spectastic",
            "Connection": "close",
        }
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", target, headers=headers)
        with connection.getresponse() as response:
            # A connection that is ended looks as if the headers had come to their end.
            line.check()
            where = response.getheader("Location")
            if response.status in _REDIRECTS and where:
                return where
            return _document(response, url, bounds, line)
    finally:
        connection.close()


def _allowed(parts: SplitResult, bounds: Bounds) -> str:
    """The host of an address, where it may be asked."""
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "https" and not bounds.plain:
        message = f"{_shown(parts.geturl())} is not https: anybody on the way can change what it says"
        raise FetchError(message, "write https://, or add --allow-http")
    if host not in _hosts(bounds):
        raise FetchError(
            f"the host {short(host)} is not allowed",
            f"if you trust it: --allow-host {short(host)}, or allowed-hosts in the configuration",
        )
    return host


def _hosts(bounds: Bounds) -> set[str]:
    return {host.lower().rstrip(".") for host in bounds.hosts}


def _connect(host: str, port: int, secure: bool, bounds: Bounds, line: _Line) -> socket.socket:
    """A connection to one of the addresses of a host, all of which are looked at first."""
    import socket

    found = _addresses(host, port, line)
    for info in found:
        _refuse_private(host, str(info[4][0]), bounds)
    problem: OSError = OSError("it has no address")
    for family, kind, protocol, _, address in found:
        opened = socket.socket(family, kind, protocol)
        try:
            opened.settimeout(line.seconds)
            line.hold(opened)
            opened.connect(address)
            return _secured(opened, host, line) if secure else opened
        except OSError as error:
            opened.close()
            problem = error
    raise problem


def _addresses(host: str, port: int, line: _Line) -> list[_Address]:
    """The addresses of a host. Who is asked for them may be slow, and cannot be hurried."""
    import socket
    from threading import Thread

    found: list[list[_Address]] = []
    failed: list[Exception] = []

    def ask() -> None:
        try:
            found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            failed.append(error)

    asking = Thread(target=ask, daemon=True)
    asking.start()
    line.wait(asking)
    for error in failed:
        if isinstance(error, UnicodeError):
            raise FetchError(f"{short(host)} is no name of a host") from None
        raise error
    return found[0]


def _secured(opened: socket.socket, host: str, line: _Line) -> socket.socket:
    import ssl

    wrapped = ssl.create_default_context().wrap_socket(
        opened, server_hostname=host, do_handshake_on_connect=False
    )
    try:
        line.hold(wrapped)
        wrapped.do_handshake()
    except OSError:
        wrapped.close()
        raise
    return wrapped


def _refuse_private(host: str, address: str, bounds: Bounds) -> None:
    """Refuse an address that the world cannot reach: what is there is not for everybody's eyes."""
    from ipaddress import IPv6Address, ip_address

    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        # An IPv4 address in the clothes of another.
        found = found.ipv4_mapped or found.sixtofour or _translated(found) or found
    if not _is_public(found) and str(found) not in _hosts(bounds):
        raise FetchError(
            f"the host {short(host)} leads to {found}, an address that is private or reserved",
            f"if that is meant: --allow-host {found}",
        )


def _translated(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a gateway to IPv4 turns this one into (RFC 6052)."""
    from ipaddress import IPv4Address, ip_network

    return IPv4Address(int(address) & 0xFFFFFFFF) if address in ip_network(_GATEWAY) else None


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether the world can reach an address. What Python says of it depends on its version."""
    from ipaddress import ip_network

    if not address.is_global or address.is_multicast:
        return False
    inside = [text for text in (_UNICAST, *_RESERVED) if address in ip_network(text)]
    return inside == ([_UNICAST] if address.version == 6 else [])


def _document(response: HTTPResponse, url: str, bounds: Bounds, line: _Line) -> Fetched:
    """What an answer holds."""
    if response.status != 200:
        said = short(printable(f"{response.status} {response.reason}"))
        raise FetchError(f"{_shown(url)} answers {said}", _BY_HAND)
    given = response.headers.get("Content-Type")
    kind = response.headers.get_content_type() if given else ""
    if kind not in TYPES:
        said = f"sends {short(printable(kind))}" if kind else "does not say what it sends"
        raise FetchError(f"{_shown(url)} {said}, which is no document that is known here", _BY_HAND)
    coding = response.headers.get("Content-Encoding", "identity")
    if coding.strip().lower() != "identity":
        raise FetchError(
            f"{_shown(url)} sends it as {short(printable(coding))}, without being asked", _BY_HAND
        )
    data = _body(response, url, bounds)
    line.check()
    charset = response.headers.get_content_charset()
    ending = TYPES[kind]
    if not ending or (charset and "html" in ending):
        data = _utf8(data, charset or "utf-8", url)
        # A mark tells whoever reads a page on that it is UTF-8, whatever the page itself says.
        data = data if not ending else _BOM + data
    return Fetched(data, ending, url)


def _body(response: HTTPResponse, url: str, bounds: Bounds) -> bytes:
    data = bytearray()
    while piece := response.read1(_PIECE):
        data += piece
        if len(data) > bounds.most:
            raise FetchError(f"{_shown(url)} sends more than {bounds.most:,} bytes", _BY_HAND)
    if response.length:
        raise OSError("the connection ended before the document did")
    return bytes(data)


def _utf8(data: bytes, charset: str, url: str) -> bytes:
    """Text in UTF-8, read as the server says."""
    from spectastic.charset import CharsetError, named, read

    name = named(charset)
    if not name:
        raise FetchError(
            f"{_shown(url)} is in an encoding that is not known: {short(printable(charset))}", _BY_HAND
        )
    try:
        return read(data, name).encode()
    except CharsetError:
        raise FetchError(
            f"{_shown(url)} is not {short(printable(charset))}, as the server says", _BY_HAND
        ) from None


def _shown(url: str) -> str:
    return short(printable(url))


def _why(error: Exception) -> str:
    """What an error says, in few words."""
    said = getattr(error, "verify_message", None) or getattr(error, "strerror", None) or str(error)
    return short(printable(str(said) or type(error).__name__), 200).lower()
