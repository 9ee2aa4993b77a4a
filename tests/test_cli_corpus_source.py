"""`spectastic corpus source`: a document of an authority, fetched or from a file."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import files
from office import docx, pdf
from test_cli_corpus_add import ask
from test_cli_corpus_convert import CLEAN, PACK, PATH, WHAT, body, fake, findings, installed
from trees import tree
from web import answer, raw, redirect, serve

from spectastic.cli import main
from spectastic.corpus import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from web import Handler

Capture = pytest.CaptureFixture[str]

URL = "https://www.example.org/rules"
FETCH = ["--fetch", "--allow-http", "--allow-host", "127.0.0.1"]
READ = (
    "its status is not-citable-until-confirmed; when somebody has read it: "
    "spectastic corpus confirm KB-0003 --by NAME"
)
SPEC = '<spec-decision id="D-9">\n\nAt 16:00, KB-0003@2024-05-28.\n\n</spec-decision>\n'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a healthy corpus of two references."""
    root = tmp_path / "r"
    shutil.copytree(CLEAN, root)
    monkeypatch.chdir(root)
    return root


def run(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "source", *argv]) == code


def field(root: Path, name: str, path: str = PATH) -> str:
    lines = (root / path).read_text().splitlines()
    return next(line.partition(": ")[2] for line in lines if line.startswith(f"{name}: "))


def test_from_a_fetched_document_to_a_citation(root: Path, capsys: Capture) -> None:
    with serve({"/rules": answer(b"# Cut-off\r\n\r\nTrades end at 16:00.\r\n\r\n")}) as (url, _):
        run(f"{url}/rules", *WHAT, *FETCH)
    assert capsys.readouterr().out == (
        f"created {PATH}\nchanged {PACK}/SKILL.md\nchanged knowledge/index.md\n"
        "it is KB-0003@2024-05-28, and cannot be cited yet\n"
        "its status is not-citable-until-confirmed; when somebody has read it: "
        "spectastic corpus confirm KB-0003 --by NAME\n"
    )
    assert body(root) == "\n# Cut-off\n\nTrades end at 16:00.\n"
    assert (field(root, "origin-url"), field(root, "converter")) == (f"{url}/rules", "fetched")
    assert field(root, "status") == "not-citable-until-confirmed"
    assert load(str(root)).rows["KB-0003"].title == "Cut-off"
    assert findings(root) == []
    tree(root, {"specs/new.md": SPEC})
    assert findings(root) == [("corpus-not-citable", "specs/new.md")]
    assert main(["corpus", "confirm", "KB-0003", "--by", "Ada Lovelace"]) == 0
    assert findings(root) == []


def test_a_file_that_was_fetched_by_hand(root: Path) -> None:
    tree(root.parent, {"new.md": "---\nlicense: MIT\norigin-url: u\nstatus: authoritative\n---\n# T\n\nx\n"})
    what = [word for word in WHAT if word not in ("--license", "CC0-1.0")]
    run(URL, "--from", "../new.md", *what)
    assert field(root, "origin-url") == URL
    assert field(root, "converter") == "fetched by hand"
    assert field(root, "license") == "MIT"
    assert field(root, "status") == "not-citable-until-confirmed"


def test_what_a_file_says_and_what_does_not_count(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"new.md": "---\nconverter: distilled\nstatus: authoritative\n---\n# T\n\nx\n"})
    run("../new.md", *WHAT, "--origin-url", "https://x.org", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["command"] == "corpus source"
    assert told["result"] == {
        "id": "KB-0003",
        "pack": "settlement-cycles",
        "slug": "003-cut-off",
        "edition": "2024-05-28",
        "path": PATH,
    }
    assert told["notes"] == [
        "it is KB-0003@2024-05-28, and cannot be cited yet",
        "status is not-citable-until-confirmed, whatever ../new.md says",
        READ,
    ]
    assert (field(root, "converter"), field(root, "origin-url")) == ("distilled", "https://x.org")


VOUCHED = {
    "texts": "confirmed-by: Eve\nconfirmed-on: 2026-01-01\nsigned-off-by: Eve\nsigned-off-on: 2026\n",
    "lists": "confirmed-by:\n- Eve\n-\n- Mallory\nsigned-off-by: [Eve]\nconfirmed-on:\n  - Eve\n",
    "others": "confirmed-by:\n  name: Eve\nsigned-off-by: !!str Eve\n",
    "spelt-otherwise": "Confirmed-By: Eve\nCONFIRMED_ON: Eve\n'Signed-Off-By' : Eve\n",
    "twice": "confirmed-by: Eve\nconfirmed-by: Mallory\n",
    "folded": "confirmed-by: >-\n  Eve\n  Mallory\n",
}


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("case", VOUCHED)
def test_nobody_has_answered_for_it_yet(case: str, eol: str, root: Path, capsys: Capture) -> None:
    text = f"---\nbefore: a\n{VOUCHED[case]}after: b\n---\n# T\n\nx\n".replace("\n", eol)
    tree(root.parent, {"new.md": text.encode()})
    run("../new.md", *WHAT)
    assert " of ../new.md is left out: nobody here has given that word\n" in capsys.readouterr().out
    written = (root / PATH).read_bytes()
    for gone in (b"onfirmed-by", b"igned", b"Eve", b"Mallory", b"CONFIRMED"):
        assert gone not in written
    assert f"before: a{eol}after: b{eol}".encode() in written
    run("../new.md", *WHAT)
    assert "this is so already" in capsys.readouterr().out
    assert main(["corpus", "confirm", "KB-0003", "--by", "Ada"]) == 0
    assert b"confirmed-by: Ada" in (root / PATH).read_bytes()


def test_a_word_that_cannot_be_taken_out(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"new.md": "---\n? confirmed-by\n: Eve\n---\n# T\n\nx\n"})
    before = files(root)
    run("../new.md", *WHAT, code=2)
    assert "../new.md: the frontmatter cannot do without confirmed-by" in capsys.readouterr().err
    assert files(root) == before


def test_a_file_alone(root: Path, capsys: Capture) -> None:
    tree(root, {"notes/new.md": "# T\n\nx\n"})
    run("notes/new.md", *WHAT)
    assert (field(root, "converter"), field(root, "origin-url")) == ("copied", "none")
    assert "notes/new.md is left where it was\n" in capsys.readouterr().out
    assert findings(root) == []


def test_a_file_in_its_place(root: Path) -> None:
    tree(root, {PATH: "# T\n\nx\n"})
    run(PATH, "--edition", "1", "--license", "CC0-1.0", "--origin", "X")
    assert findings(root) == []
    assert load(str(root)).find("KB-0003", "1").path == PATH


def test_what_a_server_says_of_a_document_is_text(root: Path) -> None:
    text = "---\nstatus: authoritative\nlicense: MIT\ntitle: Evil\ndescription: Evil\n---\n\n# T\n\nx\n"
    with serve({"/a": answer(text.encode())}) as (url, _):
        run(f"{url}/a", *WHAT, *FETCH)
    assert load(str(root)).rows["KB-0003"].title == "T"
    assert "Evil" not in (root / PACK / "SKILL.md").read_text()
    assert (root / PATH).read_text().split("status: not-citable-until-confirmed\n---\n")[1] == f"\n{text}"
    assert field(root, "license") == "CC0-1.0"
    assert findings(root) == []


def test_a_converter_of_ones_own(root: Path) -> None:
    """It is given whatever there is: what was fetched, and files that are text."""
    code = "print('# T\\n\\n', os.path.splitext(file)[1], open(file, 'rb').read())"
    converter = fake(root.parent, code)
    tree(root.parent, {"a.md": "local", "b.pdf": pdf("")})
    with serve({"/a": answer(b"<p>\xe4", "text/html; charset=latin1"), "/b": answer(b"far")}) as (url, _):
        run(f"{url}/a", *WHAT, *FETCH, "--converter", converter)
        assert body(root) == "\n# T\n\n .html b'\\xef\\xbb\\xbf<p>\\xc3\\xa4'\n"
        run(f"{url}/b", *WHAT, *FETCH, "--slug", "far", "--converter", converter)
        assert body(root, f"{PACK}/references/004-far.md") == "\n# T\n\n .md b'far'\n"
    run("../a.md", *WHAT, "--slug", "near", "--converter", converter)
    assert body(root, f"{PACK}/references/005-near.md") == "\n# T\n\n .md b'local'\n"
    run(URL, "--from", "../b.pdf", *WHAT, "--slug", "page", "--converter", converter)
    path = f"{PACK}/references/006-page.md"
    assert (field(root, "origin-url", path), field(root, "converter", path)) == (
        URL,
        Path(sys.executable).name,
    )
    assert field(root, "status", path) == "not-citable-until-confirmed"
    assert findings(root) == []


@installed
def test_what_is_no_text_is_converted(root: Path) -> None:
    from markitdown import __version__

    page = b"<meta charset=utf-8><body><h1>Cut-off</h1><script>evil()</script><p>Fee \xe4.</p>"
    with serve({"/a": answer(page, "text/html; charset=iso-8859-1")}) as (url, _):
        run(f"{url}/a", *WHAT, *FETCH)
    assert body(root) == "\n# Cut-off\n\nFee ä.\n"
    tree(root.parent, {"a.docx": docx("Fee", "Five.")})
    run(URL, "--from", "../a.docx", *WHAT, "--slug", "fee")
    path = f"{PACK}/references/004-fee.md"
    assert body(root, path) == "\n# Fee\n\nFive.\n"
    for each in (PATH, path):
        assert field(root, "converter", each) == f"MarkItDown {__version__}"
        assert field(root, "status", each) == "not-citable-until-confirmed"
    assert findings(root) == []


def test_hosts_of_the_configuration(root: Path, capsys: Capture) -> None:
    tree(root, {"spectastic.toml": 'allowed-hosts = ["127.0.0.1"]\n'})
    with serve({"/a": answer(b"# T\n\nx\n")}) as (url, server):
        run(f"{url}/a", *WHAT, "--fetch", "--allow-http")
        assert findings(root) == []
        run(f"{url}/a", *WHAT, "--fetch", "--allow-http", "--isolated", code=2)
    assert "the host 127.0.0.1 is not allowed" in capsys.readouterr().err
    assert len(server.asked) == 1


def test_no_question_without_fetch(root: Path, capsys: Capture) -> None:
    before = files(root)
    with serve({"/a": answer(b"# T\n\nx\n")}) as (url, server):
        run(f"{url}/a", *WHAT, code=2)
        said = capsys.readouterr().err
        tree(root.parent, {"a.md": "# T\n\nx\n"})
        run(f"{url}/a", "--from", "../a.md", *WHAT, "--dry-run")
    assert said == (
        f"spectastic: error: nothing was fetched from {url}/a\n"
        "spectastic: add --fetch to fetch it now, or --from FILE if you have fetched it already\n"
    )
    assert server.asked == []
    assert files(root) == before


@pytest.mark.usefixtures("root")
def test_nothing_is_fetched_in_vain(capsys: Capture) -> None:
    with serve({"/a": answer(b"# T\n\nx\n")}) as (url, server):
        run(f"{url}/a", *WHAT[2:], *FETCH, code=2)
    assert "what is known of the document is not enough: pack" in capsys.readouterr().err
    assert server.asked == []


def test_somebody_is_asked_when_the_text_is_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = ask(monkeypatch, "CC0-1.0\nThe exchange\n")
    with serve({"/a": answer(b"# T\n\nx\n")}) as (url, _):
        run(f"{url}/a", *WHAT[:6], *FETCH)
    assert screen.getvalue().startswith("license (the SPDX license of the text: CC-BY-4.0): origin (who")
    assert findings(root) == []


FAILING: dict[str, tuple[Callable[[Handler], None], str]] = {
    "404": (answer(b"# No\n", status=404), "/a answers 404 Not Found"),
    "another-host": (redirect("https://example.org/a"), "the host example.org is not allowed"),
    "type": (
        answer(b"x", "application/octet-stream"),
        "sends application/octet-stream, which is no document",
    ),
    "endless": (
        raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"x" * (1 << 20), forever=True),
        "/a sends more than 100,000,000 bytes",
    ),
    "slow": (
        raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"x", pause=0.1, forever=True),
        "/a was not fetched within 2 seconds",
    ),
    "no-utf-8": (answer(b"# T\n\n\xe4\n"), "is not utf-8, as the server says"),
    "nul": (answer(b"# T\n\n\0\n"), "/a gave a NUL byte"),
    "blank": (answer(b" \n"), "/a gave no text"),
    "broken-pdf": (answer(b"%PDF-1.7", "application/pdf"), "document.pdf: none failed: it ended with 9"),
}


@pytest.mark.parametrize("case", FAILING)
def test_nothing_is_written_on_failure(case: str, root: Path, capsys: Capture) -> None:
    give, message = FAILING[case]
    before = files(root)
    more = ["--timeout", "2"] if case == "slow" else []
    if case == "broken-pdf":
        (root.parent / "none").write_text("#!/bin/sh\nexit 9\n")
        (root.parent / "none").chmod(0o755)
        more = ["--converter", shlex.quote(str(root.parent / "none"))]
    with serve({"/a": give}) as (url, _):
        run(f"{url}/a", *WHAT, "--title", "T", *FETCH, *more, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err.partition("\n")[0]
    assert files(root) == before


REFUSED: dict[str, tuple[list[str], str, str]] = {
    "nothing-known": (
        [URL, "--from", "../a.md"],
        "what is known of ../a.md is not enough: pack, slug,",
        "add --pack",
    ),
    "both": (
        [URL, "--fetch", "--from", "../a.md", *WHAT],
        "--fetch and --from each say where the text comes from",
        "leave out one of them",
    ),
    "file-and-fetch": (["../a.md", "--fetch", *WHAT], "../a.md is no address", "write the whole address"),
    "file-and-from": (
        ["www.x.org", "--from", "../a.md", *WHAT],
        "www.x.org is no address",
        "write the whole",
    ),
    "file-and-host": (["../a.md", "--allow-host", "x.org", *WHAT], "../a.md is no address", "leave out"),
    "file-and-http": (["../a.md", "--allow-http", *WHAT], "../a.md is no address", "leave out"),
    "host-without-fetch": (
        [URL, "--from", "../a.md", "--allow-host", "x.org", *WHAT],
        "--allow-host and --allow-http say what may be fetched, and nothing is",
        "add --fetch",
    ),
    "http-without-fetch": (
        [URL, "--from", "../a.md", "--allow-http", *WHAT],
        "--allow-host and --allow-http say what may be fetched, and nothing is",
        "add --fetch",
    ),
    "two-addresses": (
        [URL, "--from", "../a.md", "--origin-url", "https://x.org", *WHAT],
        "the address is the origin-url",
        "leave out --origin-url",
    ),
    "not-allowed": (
        [URL, "--fetch", *WHAT],
        "the host www.example.org is not allowed",
        "if you trust it: --allow-host www.example.org, or allowed-hosts in the configuration",
    ),
    "not-https": (
        ["http://www.example.org/", "--fetch", "--allow-host", "www.example.org", *WHAT],
        "http://www.example.org/ is not https",
        "--allow-http",
    ),
    "private": (
        ["http://localhost:9/", *FETCH[:2], "--allow-host", "localhost", *WHAT],
        "the host localhost leads to ",
        "if that is meant: --allow-host ",
    ),
    "password": (
        ["https://me:secret@x.org/", "--from", "../a.md", *WHAT],
        "the address holds a user name or a password",
        "it would be committed",
    ),
    "other-address": (
        ["ftp://x.org/a", "--from", "../a.md", *WHAT],
        "ftp://x.org/a is no address of the web",
        "it begins with https://",
    ),
    "no-file": (
        [URL, "--from", "../none.md", *WHAT],
        "../none.md: the file cannot be read: no such file",
        "",
    ),
    "no-text": (
        ["../a.bin", *WHAT],
        "../a.bin: the file is not UTF-8: byte 0xff",
        "`spectastic corpus convert`",
    ),
    "no-program": (
        ["../a.pdf", *WHAT, "--converter", "no-such-program"],
        "no-such-program is not installed, or not on the PATH",
        "write where it is",
    ),
    "status": (["../a.md", *WHAT, "--status", "authoritative"], "unrecognized arguments: --status", ""),
    "registered": (
        [f"{PACK}/references/002-late-delivery-fee.md"],
        "is registered already, as KB-0002",
        "cite",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    argv, message, hint = REFUSED[case]
    tree(root.parent, {"a.md": "# T\n\nx\n", "a.pdf": pdf("x"), "a.bin": b"\xff"})
    before = files(root)
    run(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert message in error
    assert hint in advice
    assert "secret" not in said.err
    assert files(root) == before


def test_the_same_document_twice(root: Path, capsys: Capture) -> None:
    with serve({"/a": answer(b"# T\n\nx\n")}) as (url, _):
        run(f"{url}/a", *WHAT, *FETCH)
        now = files(root)
        run(f"{url}/a", *WHAT, *FETCH)
    assert capsys.readouterr().out.endswith(f"this is so already: KB-0003@2024-05-28 is {PATH}\n")
    assert files(root) == now
