"""Documents fetched from the web, within bounds."""

from __future__ import annotations

import datetime
import ipaddress
import re
import socket
import ssl
import threading
from typing import TYPE_CHECKING

import pytest
from web import MARKDOWN, Handler, answer, raw, redirect, serve

from spectastic import fetch as module
from spectastic.fetch import Bounds, Fetched, FetchError, fetch, parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOCAL = Bounds(("127.0.0.1",), True, 20.0, 1000)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n"


def ask(give: Callable[[Handler], None], bounds: Bounds = LOCAL) -> Fetched:
    with serve({"/a": give}) as (url, _):
        return fetch(f"{url}/a", bounds)


TAKEN: dict[str, tuple[Callable[[Handler], None], bytes, str]] = {
    "markdown": (answer("# Ä\n".encode()), "# Ä\n".encode(), ""),
    "no-charset": (answer("ä".encode(), "text/plain"), "ä".encode(), ""),
    "mark": (answer(b"\xef\xbb\xbfa", "text/x-markdown"), b"a", ""),
    "latin-1-is-windows": (answer(b"\x96\xe4", "text/plain; charset=ISO-8859-1"), "–ä".encode(), ""),
    "ascii-is-windows": (answer(b"\x96", "text/plain; charset=us-ascii"), "–".encode(), ""),
    "latin-9": (answer(b"\xa4", "text/plain; charset=iso-8859-15"), "€".encode(), ""),
    "utf-16": (answer("ä".encode("utf-16"), 'text/plain; charset="UTF-16"'), "ä".encode(), ""),
    "utf-16-by-its-mark": (answer("ä".encode("utf-16-be"), "text/plain; charset=utf-16be"), "ä".encode(), ""),
    "mark-before-charset": (answer(b"\xef\xbb\xbf\xc3\xa4", "text/plain; charset=gbk"), "ä".encode(), ""),
    "gb2312-is-gbk": (answer(b"\xe9F\x80", "text/plain; charset=gb2312"), "镕€".encode(), ""),
    "euc-kr-is-windows": (
        answer(b"\x8cc", "text/plain; charset=euc-kr"),
        "똠".encode(),
        "",
    ),
    "japanese": (answer("日本".encode("shift_jis"), "text/plain; charset=Shift_JIS"), "日本".encode(), ""),
    "page": (answer(b"<p>\xe4", "text/html"), b"<p>\xe4", ".html"),
    "page-with-charset": (
        answer(b"<meta charset=utf-8><p>\xe4", "text/html; charset=latin1"),
        "\ufeff<meta charset=utf-8><p>ä".encode(),
        ".html",
    ),
    "xhtml": (answer(b"<p/>", "application/xhtml+xml"), b"<p/>", ".xhtml"),
    "pdf": (answer(b"%PDF-\xff", "Application/PDF; charset=utf-8"), b"%PDF-\xff", ".pdf"),
    "as-much-as-is-allowed": (answer(b"x" * 1000), b"x" * 1000, ""),
    "chunks": (
        raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", b"2\r\nde\r\n0\r\n\r\n"),
        b"abcde",
        "",
    ),
    "no-length": (raw(HEAD + b"\r\nabc", b"de"), b"abcde", ""),
    "identity": (answer(b"x", Content_Encoding="Identity"), b"x", ""),
    "nothing": (answer(b""), b"", ""),
}


@pytest.mark.parametrize("case", TAKEN)
def test_taken(case: str) -> None:
    give, data, ending = TAKEN[case]
    found = ask(give)
    assert found[:2] == (data, ending)
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/a", found.url)


TIGHT = LOCAL._replace(seconds=1.0)
REFUSED: dict[str, tuple[Callable[[Handler], None], Bounds, str]] = {
    "404": (answer(b"# No\n", status=404), LOCAL, "/a answers 404 Not Found"),
    "500": (answer(b"", status=500), LOCAL, "answers 500 Internal Server Error"),
    "204": (answer(b"", status=204), LOCAL, "answers 204 No Content"),
    "206": (answer(b"# Half", status=206), LOCAL, "answers 206 Partial Content"),
    "a-reason-that-drives-a-terminal": (raw(b"HTTP/1.1 404 \x1b[2J\r\n\r\n"), LOCAL, r"answers 404 \x1b[2J"),
    "redirect-to-nowhere": (answer(b"", status=302), LOCAL, "answers 302 Found"),
    "type": (answer(b"x", "image/png"), LOCAL, "sends image/png, which is no document"),
    "stream": (answer(b"x", "application/octet-stream"), LOCAL, "sends application/octet-stream, which"),
    "no-type": (answer(b"x", ""), LOCAL, "does not say what it sends, which is no document"),
    "packed": (answer(b"x", Content_Encoding="gzip"), LOCAL, "sends it as gzip, without being asked"),
    "not-what-it-says": (answer(b"\xe4", MARKDOWN), LOCAL, "is not utf-8, as the server says"),
    "not-utf-8": (answer(b"\xe4", "text/plain"), LOCAL, "is not utf-8, as the server says"),
    "klingon": (answer(b"x", "text/plain; charset=klingon"), LOCAL, "encoding that is not known: klingon"),
    "not-gbk": (answer(b"\xff", "text/plain; charset=gb2312"), LOCAL, "is not gb2312, as the server says"),
    "utf-32": (answer(b"x", "text/plain; charset=utf-32"), LOCAL, "that is not known: utf-32"),
    "escapes": (answer(b"x", "text/plain; charset=unicode_escape"), LOCAL, "not known: unicode_escape"),
    "retired": (answer(b"x", "text/plain; charset=iso-2022-kr"), LOCAL, "that is not known: iso-2022-kr"),
    "slow-encoding": (answer(b"x", "text/plain; charset=punycode"), LOCAL, "that is not known: punycode"),
    "no-encoding-of-text": (answer(b"x", "text/plain; charset=hex"), LOCAL, "that is not known: hex"),
    "utf-7": (answer(b"x", "text/plain; charset=utf-7"), LOCAL, "that is not known: utf-7"),
    "too-much": (answer(b"x" * 1001), LOCAL, "sends more than 1,000 bytes"),
    "endless": (raw(HEAD + b"\r\n", b"x" * 1000, forever=True), LOCAL, "sends more than 1,000 bytes"),
    "cut-off": (answer(b"half", Content_Length="8"), LOCAL, "the connection ended before the document did"),
    "cut-off-chunks": (
        raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n8\r\nhalf"),
        LOCAL,
        "cannot be fetched: incompleteread",
    ),
    "hung-up": (raw(b""), LOCAL, "cannot be fetched: remote end closed connection without response"),
    "no-http": (raw(b"SSH-2.0\r\n"), LOCAL, "cannot be fetched: ssh-2.0"),
    "slow-body": (raw(HEAD + b"\r\n", b"x", pause=0.1, forever=True), TIGHT, "not fetched within 1 seconds"),
    "slow-body-with-length": (
        raw(HEAD + b"Content-Length: 900\r\n\r\n", b"x", pause=0.1, forever=True),
        TIGHT,
        "not fetched within 1 seconds",
    ),
    "slow-headers": (
        raw(b"HTTP/1.1 200 OK\r\nX: ", b"x", pause=0.1, forever=True),
        TIGHT,
        "not fetched within 1",
    ),
    "silent": (raw(b"", pause=60), TIGHT, "was not fetched within 1 seconds"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    give, bounds, message = REFUSED[case]
    with pytest.raises(FetchError) as raised:
        ask(give, bounds)
    assert message in raised.value.message
    late = "within" in message
    assert raised.value.hint == (
        "allow it more: --timeout SECONDS" if late else "fetch it yourself, and name the file: --from FILE"
    )


def test_the_question() -> None:
    with serve({"/a b": answer(b""), "/a%20b": answer(b"x"), "/": answer(b"y")}) as (url, server):
        assert fetch(f"{url}/a%20b?q=1&r#part", LOCAL).data == b"x"
        assert fetch(url, LOCAL).data == b"y"
    (path, headers), (other, _) = server.asked
    assert (path, other) == ("/a%20b?q=1&r", "/")
    assert headers == {
        "Host": url.removeprefix("http://"),
        "Accept": ", ".join(module.TYPES),
        "Accept-Encoding": "identity",
        "User-Agent": "spectastic",
        "Connection": "close",
    }


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects(status: int) -> None:
    answers = {"/a": redirect("/b?x", status), "/b": redirect("c", status), "/c": answer(b"x")}
    with serve(answers) as (url, server):
        assert fetch(f"{url}/a", LOCAL) == Fetched(b"x", "", f"{url}/c")
    assert [path for path, _ in server.asked] == ["/a", "/b?x", "/c"]


def test_redirects_without_end() -> None:
    message = r"^it was redirected more than 5 times, to http://127\.0\.0\.1:[0-9]+/a last$"
    with serve({"/a": redirect("/a")}) as (url, server), pytest.raises(FetchError, match=message):
        fetch(f"{url}/a", LOCAL)
    assert len(server.asked) == 6


WHERE = {
    "http://127.0.0.2:1/a": "the host 127.0.0.2 is not allowed",
    "http://localhost:1/a": "the host localhost is not allowed",
    "https://example.org/": "the host example.org is not allowed",
    "file:///etc/passwd": "file:///etc/passwd is no address of the web",
    "ftp://127.0.0.1/a": "ftp://127.0.0.1/a is no address of the web",
    "http://me:secret@127.0.0.1/": "the address holds a user name or a password",
    "http://127.0.0.1/\x1b": "is no address of the web",
}


@pytest.mark.parametrize("where", WHERE)
def test_redirects_to_what_may_not_be_asked(where: str) -> None:
    with serve({"/a": redirect(where)}) as (url, server), pytest.raises(FetchError) as raised:
        fetch(f"{url}/a", LOCAL)
    assert WHERE[where] in raised.value.message
    assert "secret" not in raised.value.message
    assert len(server.asked) == 1


def test_https_does_not_lead_to_http(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first question is secure, so is the last."""
    monkeypatch.setattr(module, "_connect", lambda *_: pytest.fail("nothing may be asked"))
    with pytest.raises(FetchError, match=r"^http://127\.0\.0\.1/a is not https: anybody") as raised:
        fetch("http://127.0.0.1/a", LOCAL._replace(plain=False))
    assert raised.value.hint == "write https://, or add --allow-http"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("knowledge/a.md", "it begins with https://"),
        ("https://", "it begins with https://"),
        ("https:///a", "it begins with https://"),
        ("HTTPS//x", "it begins with https://"),
        ("javascript://x/%0aalert(1)", "it begins with https://"),
        ("https://x.org/ä", "percent-encoded"),
        ("https://bücher.example/", "percent-encoded"),
        ("https://x.org/a b", "percent-encoded"),
        ("https://x.org/a\tb", "percent-encoded"),
        ("https://x.org/a\r\nHost: y", "percent-encoded"),
        ("https://x.org/" + "a" * 2000, "at most 2,000 characters"),
        ("https://[::1", ""),
        ("https://x.org:99999/", ""),
        ("https://x.org:port/", ""),
    ],
)
def test_addresses_that_are_none(url: str, why: str) -> None:
    with pytest.raises(FetchError, match="is no address of the web") as raised:
        parse(url)
    assert why in raised.value.hint
    assert len(raised.value.message) < 200


@pytest.mark.parametrize("user", ["me:secret@", "me@", ":@", "@"])
def test_passwords(user: str) -> None:
    with pytest.raises(FetchError, match=r"^the address holds a user name or a password$") as raised:
        parse(f"https://{user}x.org/a")
    assert raised.value.hint == "leave it out: it would be committed"


#: Addresses that a name may lead to, and how they are told; "" for those that may be asked.
ADDRESSES = {
    "127.0.0.1": "127.0.0.1",
    "10.1.2.3": "10.1.2.3",
    "172.16.0.1": "172.16.0.1",
    "192.168.1.1": "192.168.1.1",
    "169.254.169.254": "169.254.169.254",
    "100.64.0.1": "100.64.0.1",
    "0.0.0.0": "0.0.0.0",
    "224.0.0.1": "224.0.0.1",
    "255.255.255.255": "255.255.255.255",
    "::1": "::1",
    "::": "::",
    "fe80::1%eth0": "fe80::1",
    "fd00::1": "fd00::1",
    "ff0e::1": "ff0e::1",
    "::ffff:10.1.2.3": "10.1.2.3",
    "2002:0a01:0203::1": "10.1.2.3",
    "192.0.0.8": "192.0.0.8",
    "192.0.0.9": "192.0.0.9",
    "64:ff9b::10.1.2.3": "10.1.2.3",
    "64:ff9b::169.254.169.254": "169.254.169.254",
    "64:ff9b:1::8.8.8.8": "64:ff9b:1::808:808",
    "64:ff9b::1:0:0": "64:ff9b::1:0:0",
    "::10.1.2.3": "::a01:203",
    "::ffff:0:10.1.2.3": "::ffff:0:a01:203",
    "fec0::1": "fec0::1",
    "5f00::1": "5f00::1",
    "100::1": "100::1",
    "4000::1": "4000::1",
    "1fff::1": "1fff::1",
    "2001:db8::1": "2001:db8::1",
    "2001:1::1": "2001:1::1",
    "3fff:fff::1": "3fff:fff::1",
    "3fff:1000::1": "",
    "64:ff9b::93.184.216.34": "",
    "93.184.216.34": "",
    "2606:2800:220:1:248:1893:25c8:1946": "",
}


@pytest.mark.parametrize("address", ADDRESSES)
def test_private_networks(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is allowed may lead anywhere: its owner decides, and can change it at any time."""
    asked: list[str] = []
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    good = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))
    found = [good, (family, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

    class Nowhere(socket.socket):
        def connect(self, address: object) -> None:
            asked.append(str(address))
            raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "socket", Nowhere)
    bounds = Bounds(("www.example.org",), False, 20.0, 1000)
    told = ADDRESSES[address]
    with pytest.raises(FetchError) as raised:
        fetch("https://WWW.example.org./a", bounds)
    if told:
        assert raised.value.message == (
            f"the host www.example.org leads to {told}, an address that is private or reserved"
        )
        assert raised.value.hint == f"if that is meant: --allow-host {told}"
        assert asked == []
        bounds = bounds._replace(hosts=("WWW.EXAMPLE.ORG.", told.upper()))
        with pytest.raises(FetchError) as raised:
            fetch("https://www.example.org/a", bounds)
    assert raised.value.message.endswith("cannot be fetched: connection refused")
    assert len(asked) == 2


def test_names_of_hosts() -> None:
    for host, message in (
        ("a" * 64, "is no name of a host"),
        ("none.invalid", "none.invalid cannot be fetched: "),
    ):
        with pytest.raises(FetchError) as raised:
            fetch(f"https://{host}", Bounds((host,), False, 20.0, 1000))
        assert message in raised.value.message


def test_no_address_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [])
    with pytest.raises(FetchError, match="cannot be fetched: it has no address"):
        fetch("https://127.0.0.1/a", LOCAL)


def test_time_that_is_over_before_there_is_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is asked for the addresses of a host may never answer."""
    done = threading.Event()

    def wait(*_: object, **__: object) -> list[object]:
        done.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", wait)
    with pytest.raises(FetchError, match=r"was not fetched within 0\.1 seconds$") as raised:
        fetch("https://127.0.0.1/a", LOCAL._replace(seconds=0.1))
    assert not done.is_set()
    assert raised.value.hint == "allow it more: --timeout SECONDS"
    done.set()


def test_time_that_is_over_before_there_is_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """No second chance at the next address, and none after a redirect."""
    whole = module._Line.hold

    def late(line: module._Line, opened: socket.socket) -> None:
        line.late = True
        whole(line, opened)

    monkeypatch.setattr(module._Line, "hold", late)
    message = r"was not fetched within 20 seconds$"
    with serve({"/a": answer(b"x")}) as (url, server), pytest.raises(FetchError, match=message):
        fetch(f"{url}/a", LOCAL)
    assert server.asked == []


def test_time_that_is_over_between_two_connections() -> None:
    line = module._Line(60)
    line.check()
    line._hang_up()
    line.close()
    with pytest.raises(TimeoutError):
        line.check()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that nobody has signed, with its key."""
    x509 = pytest.importorskip("cryptography.x509", reason="certificates are made with cryptography")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    pem = serialization.Encoding.PEM
    path.write_bytes(
        made.public_bytes(pem)
        + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return path


def test_https(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    bounds = LOCAL._replace(plain=False)
    with serve({"/a": answer(b"x")}, context) as (url, server):
        with pytest.raises(FetchError, match=r"cannot be fetched: self-signed certificate$"):
            fetch(f"{url}/a", bounds)
        assert server.asked == []
        trusting = ssl.create_default_context(cafile=certificate)
        monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
        assert fetch(f"{url}/a", bounds).data == b"x"
        with pytest.raises(FetchError, match="certificate is not valid for"):
            fetch(
                url.replace("127.0.0.1", "localhost") + "/a",
                bounds._replace(hosts=("localhost", "127.0.0.1", "::1")),
            )
