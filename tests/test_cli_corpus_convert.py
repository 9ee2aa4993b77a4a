"""`spectastic corpus convert`: from a document of another kind to a reference that validates."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crash import files, kill_everywhere
from office import archive, docx, pdf, xlsx
from trees import Link, tree

from spectastic import convert, program
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.convert import Converter, ConvertError
from spectastic.corpus import load
from spectastic.engine import validate

if TYPE_CHECKING:
    from collections.abc import Mapping

Capture = pytest.CaptureFixture[str]

CLEAN = Path(__file__).parent.parent / "fixtures" / "repos" / "clean"
PACK = "knowledge/settlement-cycles"
WHAT = ["--pack", "settlement-cycles", "--slug", "cut-off", "--edition", "2024-05-28", "--license", "CC0-1.0"]
WHAT += ["--origin", "The exchange"]
PATH = f"{PACK}/references/003-cut-off.md"

installed = pytest.mark.skipif(
    find_spec("markitdown") is None, reason="MarkItDown is not installed: pip install -e '.[convert]'"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a healthy corpus of two references."""
    root = tmp_path / "r"
    shutil.copytree(CLEAN, root)
    monkeypatch.chdir(root)
    return root


def run(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "convert", *argv]) == code


def fake(folder: Path, code: str) -> str:
    """A converter, as `--converter` takes it, that runs some Python."""
    script = folder / "fake converter.py"
    script.write_text(f"import os, sys, time\nfile = sys.argv[-1]\n{code}\n")
    return shlex.join([sys.executable, str(script)])


def body(root: Path, path: str = PATH) -> str:
    return (root / path).read_bytes().decode().split("---\n", 2)[2]


def findings(root: Path) -> list[tuple[str, str]]:
    return [(item.rule, item.path) for item in validate(Settings(root=str(root))).findings]


def test_a_converter_of_ones_own(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"-a b.x": b"\xff\0"})
    converter = fake(root.parent, "print('# Cut-off\\r\\n\\r\\nfrom', open(file, 'rb').read(), '\\n\\n')")
    before = files(root)
    run("../-a b.x", *WHAT, "--converter", converter)
    assert capsys.readouterr().out == (
        f"created {PATH}\nchanged {PACK}/SKILL.md\nchanged knowledge/index.md\n"
        "it is KB-0003@2024-05-28, and cannot be cited yet\n"
        "origin-url is none: if the original can be looked up somewhere, say so in the frontmatter\n"
        "its status is not-yet-spot-checked; when somebody has read it: "
        "spectastic corpus confirm KB-0003 --by NAME\n"
    )
    text = "\n# Cut-off\n\nfrom b'\\xff\\x00' \n"
    assert (root / PATH).read_bytes().decode() == (
        "---\nslug: 003-cut-off\norigin: The exchange\norigin-url: none\n"
        f'edition: "2024-05-28"\nlicense: CC0-1.0\nconverter: {os.path.basename(sys.executable)}\n'
        f"content-hash: sha256:{hashlib.sha256(text.encode()).hexdigest()}\n"
        f"status: not-yet-spot-checked\n---\n{text}"
    )
    assert set(files(root)) == {*before, PATH}
    assert load(str(root)).rows["KB-0003"].title == "Cut-off"


def test_from_a_document_to_a_citation(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"a.pdf": pdf("ignored")})
    run("../a.pdf", *WHAT, "--converter", fake(root.parent, "print('# Cut-off\\n\\nAt 16:00.')"))
    spec = '<spec-decision id="D-9">\n\nAt 16:00, KB-0003@2024-05-28.\n\n</spec-decision>\n'
    tree(root, {"specs/new.md": spec})
    assert findings(root) == []
    assert "status: not-yet-spot-checked\n" in (root / PATH).read_text()
    assert main(["corpus", "confirm", "KB-0003", "--by", "Ada Lovelace"]) == 0
    assert findings(root) == []
    assert "status: authoritative\n" in (root / PATH).read_text()
    assert "KB-0003@2024-05-28 is confirmed by Ada Lovelace" in capsys.readouterr().out


def test_what_a_document_says_of_itself_is_text(root: Path) -> None:
    """Or a hostile document could make itself authoritative, and choose where it goes."""
    text = "---\nstatus: authoritative\npack: evil\nlicense: MIT\ntitle: T\nmarketplace: evil\n---\n\nText.\n"
    tree(root.parent, {"a.pdf": b"x"})
    run("../a.pdf", *WHAT, "--title", "Mine", "--converter", fake(root.parent, f"print({text!r}, end='')"))
    assert findings(root) == []
    row = load(str(root)).rows["KB-0003"]
    assert (row.title, row.plugin, row.marketplace) == ("Mine", "settlement-cycles", "example-bank")
    written = (root / PATH).read_text()
    assert written.endswith(
        f"license: CC0-1.0\nconverter: {os.path.basename(sys.executable)}\n"
        + written[written.index("content-hash") :]
    )
    assert written.split("status: not-yet-spot-checked\n---\n", 1)[1] == f"\n{text}"


PAGE = """\
<!doctype html><title>T</title><body><h1>Cut-off</h1><script>document.write('evil')</script>
<style>p{}</style><p onclick='evil()'>Trades <b>end</b> at 16:00 – ä.</p>
"""


@installed
@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.pdf", pdf("Trades end at 16:00."), "\nTrades end at 16:00.\n"),
        ("A.PDF", pdf("Trades end at 16:00."), "\nTrades end at 16:00.\n"),
        ("no-ending", pdf("Trades end at 16:00."), "\nTrades end at 16:00.\n"),
        ("a.docx", docx("Cut-off", "Trades end at 16:00 – ä."), "\n# Cut-off\n\nTrades end at 16:00 – ä.\n"),
        (
            "a.xlsx",
            xlsx([["Fee", "Euro"], ["late", "twelve"]]),
            "\n## Fees\n| Fee | Euro |\n| --- | --- |\n| late | twelve |\n",
        ),
        (
            "a.html",
            PAGE.encode(),
            "\n# Cut-off\n\nTrades **end** at 16:00 – ä.\n",
        ),
        (
            "a.htm",
            b"<meta charset=windows-1252><body><p>Fee \x96 5 \x80, \xe4.</p>",
            "\nFee – 5 €, ä.\n",
        ),
        ("b.html", b"<meta charset=klingon><p>Fee \x80.</p>", "\nFee €.\n"),
        ("d.html", b"<meta charset=gb2312><p>\xe9F</p>", "\n镕\n"),
        ("e.html", b"<meta charset=utf-7><p>+AGE-</p>", "\n+AGE-\n"),
        ("c.xhtml", "\ufeff<p>Fee ä.</p>".encode("utf-16-le"), "\nFee ä.\n"),
        ("a.csv", b"Fee,Euro\nlate,12\n", "\n| Fee | Euro |\n| --- | --- |\n| late | 12 |\n"),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_real_documents(name: str, data: bytes, text: str, root: Path) -> None:
    tree(root.parent, {name: data})
    run(f"../{name}", *WHAT, "--title", "T")
    assert findings(root) == []
    assert body(root) == text
    from markitdown import __version__

    assert f"\nconverter: MarkItDown {__version__}\n" in (root / PATH).read_text()


def _nested(depth: int) -> bytes:
    return b"<body>" + b"<div>" * depth + b"deep" + b"</div>" * depth


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + at)} "{f"&{chr(97 + at)};" * 10}">' for at in range(12)
)
HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a.pdf", b"", "../a.pdf: the file is empty"),
    "broken-pdf": ("a.pdf", b"%PDF-1.7\n\xff\xff", "the document cannot be converted: "),
    "no-pdf": ("a.pdf", b"\x00\x01\x02", "the document cannot be converted: "),
    "scanned-pdf": ("a.pdf", pdf(""), "gave no text"),
    "no-archive": ("a.docx", b"PK\x03\x04 and nothing else", "cannot be converted: BadZipFile: "),
    "another-archive": ("a.docx", archive({"x": "y"}), "the document cannot be converted: "),
    "bomb": (
        "a.docx",
        archive({"word/document.xml": b" " * 300_000_001}),
        "cannot be converted: it unpacks to 300,000,001 bytes in 1 files",
    ),
    "many-files": ("a.xlsx", archive({str(number): b"" for number in range(20_001)}), "in 20,001 files"),
    "laughs": ("a.docx", docx("T", "&m;", LAUGHS + "]>"), "the document cannot be converted: "),
    "blank-page": ("a.html", b"<body><script>alert(1)</script></body>", "gave no text"),
}


@installed
@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_documents(case: str, root: Path, capsys: Capture) -> None:
    name, data, message = HOSTILE[case]
    tree(root.parent, {name: data})
    before = files(root)
    run(f"../{name}", *WHAT, "--title", "T", code=2)
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err.partition("\n")[0]
    assert "Traceback" not in said.err
    assert "this is a bug" not in said.err
    assert ("scanned pages have no text" in said.err) == ("gave no text" in message)
    assert files(root) == before


@installed
def test_a_page_that_is_nested_without_end(root: Path) -> None:
    tree(root.parent, {"a.html": _nested(100_000)})
    run("../a.html", *WHAT, "--title", "T")
    assert body(root) == "\ndeep\n"


@installed
def test_nothing_outside_is_read_because_a_document_says_so(root: Path) -> None:
    secret = root.parent / "secret.txt"
    secret.write_text("the secret")
    outside = f'<!DOCTYPE x [<!ENTITY secret SYSTEM "{secret.as_uri()}">]>'
    tree(
        root.parent,
        {
            "a.docx": docx("T", "Fact &secret;.", outside),
            "a.html": f"<p>Fact.<img src='{secret.as_uri()}'></p>",
        },
    )
    code = main(["corpus", "convert", "../a.docx", *WHAT])
    assert code == 2 or "the secret" not in body(root)
    run("../a.html", *WHAT, "--slug", "page", "--title", "P")
    assert not [path for path, data in files(root).items() if b"the secret" in data]


@installed
def test_what_a_conversion_must_not_do(tmp_path: Path) -> None:
    code = (
        "import os, socket, subprocess, sys, urllib.request\nfrom spectastic.convert import child\n"
        "child._confine()\n"
        "for do in (lambda: socket.create_connection(('127.0.0.1', 9)), lambda: subprocess.run(['true']),\n"
        "    lambda: os.system('true'), lambda: urllib.request.urlopen('file:///etc/passwd'),\n"
        "    lambda: socket.getaddrinfo('localhost', 1), os.fork, lambda: bytearray(5 << 30)):\n"
        "    try: do()\n"
        "    except (child._RefusedError, MemoryError) as error: print(type(error).__name__, error)\n"
    )
    done = program.run([sys.executable, "-c", code], seconds=60, most=10_000)
    assert done.output.decode().splitlines() == [
        "_RefusedError it wants socket.getaddrinfo",
        "_RefusedError it wants subprocess.Popen",
        "_RefusedError it wants os.system",
        "_RefusedError it wants urllib.Request",
        "_RefusedError it wants socket.getaddrinfo",
        "_RefusedError it wants os.fork",
        "MemoryError ",
    ]
    assert str(tmp_path) not in done.complaint.decode()


#: What is put in the place of something in the process that converts, its exit code, and what it says.
BROKEN = {
    "memory": ("child._refuse_bomb = lambda _: bytearray(5 << 30)", 1, "the document needs too much memory"),
    "depth": (
        "def deep(_): deep(_)\nchild._refuse_bomb = deep",
        1,
        "the document is nested too deeply",
    ),
    "part": (
        "sys.modules['mammoth'] = None",
        convert.NOT_INSTALLED,
        "MarkItDown lacks what it needs for a Word document",
    ),
    "program": (
        "import os\nchild._refuse_bomb = lambda _: os.system('true')",
        1,
        "the document cannot be converted: it wants os.system",
    ),
}


@installed
@pytest.mark.parametrize("case", BROKEN)
def test_what_goes_wrong_where_it_is_converted(case: str, tmp_path: Path) -> None:
    instead, exit_code, said = BROKEN[case]
    tree(tmp_path, {"a.docx": docx("T", "x")})
    code = f"import sys\nfrom spectastic.convert import child\n{instead}\nsys.exit(child.main(sys.argv[1]))"
    done = program.run([sys.executable, "-c", code, str(tmp_path / "a.docx")], seconds=60, most=1000)
    assert (done.code, done.output) == (exit_code, b"")
    assert done.complaint.decode().splitlines()[-1] == said


PDF = pdf("ignored")
TIGHT = ["--timeout", "1.5"]
#: What a converter does; more arguments; the error, and the hint.
FAILING: dict[str, tuple[str, list[str], str, str]] = {
    "slow": ("time.sleep(600)", TIGHT, "was not done after 1.5 seconds", "allow it more: --timeout SECONDS"),
    "slow-with-output": ("print('# T', flush=True); time.sleep(600)", TIGHT, "was not done after", "allow"),
    "failing": (
        "print('half'); sys.stderr.write('one\\n\\x1b[2Jtwo \\u2028three\\n \\n'); sys.exit(7)",
        [],
        "a.pdf: python",
        "",
    ),
    "says-nothing": ("sys.exit(7)", [], "failed: it ended with 7", ""),
    "killed": ("os.kill(os.getpid(), 9)", [], "failed: it was ended by signal 9", ""),
    "huge": (
        "while True: sys.stdout.write('x' * 65536)",
        [],
        "printed more than 20,000,000 bytes",
        "convert a part of the document",
    ),
    "latin-1": (
        "sys.stdout.buffer.write(b'# T\\n\\n\\xe4\\n')",
        [],
        "gave what is not UTF-8: byte 0xe4 at offset 5",
        "UTF-8",
    ),
    "marked-latin-1": (
        "sys.stdout.buffer.write(b'\\xef\\xbb\\xbf# T\\n\\n\\xe4\\n')",
        [],
        "gave what is not UTF-8: byte 0xe4 at offset 8",
        "UTF-8",
    ),
    "nul": ("sys.stdout.buffer.write(b'# T\\n\\n\\0\\n')", [], "gave a NUL byte", ""),
    "blank": ("print(' \\n\\f\\n')", [], "gave no text", "scanned pages have no text"),
}


@pytest.mark.parametrize("case", FAILING)
def test_converters_that_fail(case: str, root: Path, capsys: Capture) -> None:
    code, more, message, hint = FAILING[case]
    tree(root.parent, {"a.pdf": PDF})
    before = files(root)
    converter = fake(root.parent, code)
    for argv in (["../a.pdf", *WHAT], ["../a.pdf", "--output", "new.md"]):
        run(*argv, "--converter", converter, *more, code=2)
        said = capsys.readouterr()
        assert said.out == ""
        error, _, advice = said.err.partition("\n")
        assert error.startswith(f"spectastic: error: ../a.pdf: {os.path.basename(sys.executable)} ")
        assert message in error
        assert hint in advice
        assert files(root) == before


def test_a_converter_that_leaves_something_running_has_ended(root: Path) -> None:
    tree(root.parent, {"a.pdf": PDF})
    child = "import subprocess; subprocess.Popen(['sleep', '600'])"
    converter = fake(root.parent, f"{child}; print('# Title\\n\\nText.')")
    run("../a.pdf", *WHAT, "--converter", converter)
    assert load(str(root)).rows["KB-0003"].title == "Title"


def test_the_last_line_of_a_complaint(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"a.pdf": PDF})
    code = "sys.stderr.write('one\\n\\x1b[2Jtwo\\n \\n'); sys.exit(7)"
    run("../a.pdf", *WHAT, "--converter", fake(root.parent, code), code=2)
    name = os.path.basename(sys.executable)
    assert capsys.readouterr().err == f"spectastic: error: ../a.pdf: {name} failed: \\x1b[2Jtwo\n"


def test_what_a_converter_warns_of_is_no_text(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tree(root.parent, {"a.pdf": PDF})
    run(
        "../a.pdf",
        *WHAT,
        "--converter",
        fake(root.parent, "sys.stderr.write('careful!'); print('# T\\n\\nx')"),
    )
    assert body(root) == "\n# T\n\nx\n"
    assert capfd.readouterr().err == ""


REFUSED: dict[str, tuple[Mapping[str, str | bytes | Link | None], list[str], str, str]] = {
    # files, arguments, the error, the hint
    "nothing-known": (
        {"../a.pdf": PDF},
        ["../a.pdf", "--converter", "cat"],
        "what is known of the document is not enough: pack, slug, edition, license, origin, marketplace",
        "add --pack PACK --slug SLUG --edition EDITION --license LICENSE --origin WHO --marketplace NAME",
    ),
    "no-title": (
        {"../a.pdf": b"no heading"},
        ["../a.pdf", *WHAT, "--converter", "cat"],
        "what is known of ../a.pdf is not enough: title",
        "add --title TITLE",
    ),
    "text": ({"../a.MD": "x"}, ["../a.MD", *WHAT], "../a.MD is text already", "`spectastic corpus add`"),
    "no-file": (
        {},
        ["../a.pdf", *WHAT, "--converter", "cat"],
        "../a.pdf: the file cannot be read: no such",
        "",
    ),
    "folder": ({}, [".", *WHAT, "--converter", "cat"], ".: this is a directory", ""),
    "empty": ({"../a.x": b""}, ["../a.x", *WHAT, "--converter", "cat"], "../a.x: the file is empty", ""),
    "no-program": (
        {"../a.pdf": PDF},
        ["../a.pdf", *WHAT, "--converter", "no-such-program -x"],
        "no-such-program is not installed, or not on the PATH",
        "install it, or write where it is",
    ),
    "no-command": ({}, ["a.pdf", *WHAT, "--converter", " "], "no converter is named", "--converter CMD"),
    "empty-command": ({}, ["a.pdf", *WHAT, "--converter", "''"], "no converter is named", "--converter CMD"),
    "quotes": (
        {},
        ["a.pdf", *WHAT, "--converter", "cat 'x"],
        "cat 'x is no command: no closing quotation",
        "quote",
    ),
    "inside-a-script": (
        {},
        ["a.pdf", *WHAT, "--converter", "sh -c 'cat {}'"],
        "{} stands for the file as a word of its own",
        "put blanks around it",
    ),
    "timeout-zero": ({}, ["a.pdf", *WHAT, "--timeout", "0"], "'0' is no number of seconds", ""),
    "timeout-nan": ({}, ["a.pdf", *WHAT, "--timeout", "nan"], "'nan' is no number of seconds", ""),
    "timeout-word": ({}, ["a.pdf", *WHAT, "--timeout", "1m"], "'1m' is no number of seconds", ""),
    **{
        f"timeout-{word}": (
            {},
            ["a.pdf", *WHAT, f"--timeout={word}"],
            f"'{word}' is no number of seconds",
            "",
        )
        for word in ("1_0", " 5", "5 ", "٥", "+5", "-5", "1e3", "inf", ".5", "5.", "1.5.5", "0.0", "")
    },
    "timeout-long": ({}, ["a.pdf", *WHAT, "--timeout", "86401"], "'86401' is no number of seconds", ""),
    "same-text": (
        {"../a.pdf": b"# X\n\n"},
        ["../a.pdf", *WHAT, "--slug", "late-delivery-fee", "--converter", "cat"],
        "the pack settlement-cycles has 002-late-delivery-fee already: KB-0002",
        "supersede KB-0002",
    ),
    "output-and-pack": (
        {"../a.pdf": b"# X\n"},
        ["../a.pdf", "--output", "x.md", "--converter", "cat", "--origin-url", "u"],
        "--output registers nothing, so --origin-url says nothing",
        "leave out one of the two",
    ),
    "output-exists": (
        {"../a.pdf": b"# X\n", "x.md": "# Y\n"},
        ["../a.pdf", "--output", "x.md", "--converter", "cat"],
        "x.md is there already, and differs",
        "name another file",
    ),
    "output-is-longer": (
        {"../a.pdf": b"# X\n", "x.md": "# X\n# Y\n"},
        ["../a.pdf", "--output", "x.md", "--converter", "cat"],
        "x.md is there already, and differs",
        "name another file",
    ),
    "output-is-a-folder": (
        {"../a.pdf": b"# X\n"},
        ["../a.pdf", "--output", "specs", "--converter", "cat"],
        "specs is there already, and differs",
        "name another file",
    ),
    "output-is-a-link": (
        {"../a.pdf": b"# X\n", "x.md": Link("nowhere")},
        ["../a.pdf", "--output", "x.md", "--converter", "cat"],
        "x.md is there already, and differs",
        "name another file",
    ),
    "output-nowhere": (
        {"../a.pdf": b"# X\n"},
        ["../a.pdf", "--output", "none/x.md", "--converter", "cat"],
        "cannot write none/x.md: no such file or directory",
        "",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    tree(root, more)
    before = files(root)
    run(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert message in error
    assert hint in advice
    assert files(root) == before


def test_a_document_that_is_too_large(root: Path, capsys: Capture) -> None:
    with open(root.parent / "a.pdf", "wb") as file:
        file.truncate(100_000_001)
    run("../a.pdf", *WHAT, "--converter", "cat", code=2)
    said = capsys.readouterr().err
    assert (
        "../a.pdf: the file is too large: 100,000,001 bytes, more than the 100,000,000 that are read" in said
    )
    assert "split it\n" in said


def test_nothing_is_converted_in_vain(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"a.pdf": PDF})
    run("../a.pdf", *WHAT[2:], "--converter", fake(root.parent, "open('../ran', 'w')"), code=2)
    assert "is not enough: pack" in capsys.readouterr().err
    assert not (root.parent / "ran").exists()


def test_the_same_document_twice(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"a.pdf": PDF})
    argv = ["../a.pdf", *WHAT, "--converter", fake(root.parent, "print('# T\\n\\nx')")]
    run(*argv)
    now = files(root)
    run(*argv)
    assert capsys.readouterr().out.endswith(f"this is so already: KB-0003@2024-05-28 is {PATH}\n")
    assert files(root) == now


def test_words_of_a_command(root: Path) -> None:
    """Split as a shell would, and nothing else of what a shell does."""
    tree(root.parent, {"a.pdf": PDF})
    converter = fake(
        root.parent, "print('# T\\n\\n', sys.argv[1:-1], os.path.splitext(file)[1], file == sys.argv[1])"
    )
    run("../a.pdf", *WHAT, "--converter", f"{converter} 'a b' $HOME; *")
    assert body(root).split("\n\n")[1].strip() == "['a b', '$HOME;', '*'] .pdf False"
    converter = fake(root.parent, "print('# U\\n\\n', os.path.isabs(sys.argv[1]), sys.argv[2:])")
    run("../a.pdf", *WHAT, "--slug", "other", "--converter", f"{converter} {{}} -t gfm")
    assert body(root, f"{PACK}/references/004-other.md").split("\n\n")[1].strip() == "True ['-t', 'gfm']"


def test_the_name_of_a_converter(tmp_path: Path) -> None:
    script = tmp_path / "a\u202eb"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    made = convert.program(shlex.quote(str(script)))
    assert made == Converter((str(script), "{}"), "a\\u202eb")
    assert not made.is_ours


def test_markdown_only(root: Path, capsys: Capture) -> None:
    tree(root.parent, {"a.pdf": PDF})
    before = files(root)
    argv = [
        "../a.pdf",
        "--output",
        "../new.md",
        "--converter",
        fake(root.parent, "print('\\ufeff# T\\n\\nx')"),
    ]
    run(*argv, "--dry-run", "--yes")
    said = capsys.readouterr()
    assert said.out == ""
    assert f"../new.md would be created; it is outside of {root}, so no patch can make it\n" in said.err
    assert not (root.parent / "new.md").exists()
    run(*argv, "--json")
    name = os.path.basename(sys.executable)
    assert json.loads(capsys.readouterr().out) == {
        "version": 1,
        "command": "corpus convert",
        "dry_run": False,
        "changes": [{"path": "../new.md", "action": "created"}],
        "result": {"converter": name, "output": "../new.md"},
        "notes": [f"converted by {name}"],
    }
    assert (root.parent / "new.md").read_bytes() == b"# T\n\nx\n"
    run(*argv)
    assert capsys.readouterr().out == f"this is so already: ../new.md is what {name} makes of it\n"
    assert files(root) == before
    assert main(["corpus", "supersede", "KB-0002", "--edition", "2027", "--from", "../new.md"]) == 0
    assert [rule for rule, _ in findings(root) if rule != "corpus-staleness"] == []


def test_a_patch_that_makes_the_file(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """From wherever, by whatever way the file is named: a patch is about files below the root."""
    tree(root.parent, {"a.pdf": PDF})
    tree(root, {"docs/x.md": "x"})
    monkeypatch.chdir(root / "docs")
    converter = fake(root.parent, "print('# T')")
    for output in ("new.md", str(root / "docs/new.md"), "../docs/new.md"):
        argv = ["../../a.pdf", "--output", output, "--converter", converter]
        run(*argv, "--dry-run")
        assert capsys.readouterr().out == (
            "diff --git a/docs/new.md b/docs/new.md\nnew file mode 100644\n--- /dev/null\n"
            "+++ b/docs/new.md\n@@ -0,0 +1 @@\n+# T\n"
        )
    run(*argv)
    assert capsys.readouterr().out.startswith("created docs/new.md\n")
    assert (root / "docs/new.md").read_text() == "# T\n"


#: Where Markdown is not written to, and why.
NO_PLACES = {
    ".git/hooks/post-checkout": "is a file of git's own",
    ".GIT/x.md": "is a file of git's own",
    ".git": "is a file of git's own",
    "link/x.md": "is a file of git's own",
    "../other/.git/x.md": "is a file of git's own",
    "../.git": "is a file of git's own",
    "con.md": "cannot be made: con.md is a device on Windows",
    "../nul.md": "cannot be made: nul.md is a device on Windows",
    "a:b.md": "has : in it, which Windows allows in no name",
    "a.md.": "ends in a dot, which Windows drops",
    "Specs": "differs from specs only in case or accents, and is the same file elsewhere",
    "x" * 201: "is 201 bytes long, more than the 200 that are safe",
}


@pytest.mark.parametrize("output", NO_PLACES)
def test_where_nothing_is_written(output: str, root: Path, capsys: Capture) -> None:
    tree(root.parent, {"a.pdf": PDF, "other/.git/config": ""})
    tree(root, {".git/hooks/x": "", "link": Link(".git/hooks")})
    converter = fake(root.parent, "raise SystemExit(9)")
    before = files(root.parent)
    for more in ([], ["--dry-run"]):
        run("../a.pdf", "--output", output, "--converter", converter, *more, code=2)
        said = capsys.readouterr()
        assert NO_PLACES[output] in said.err
        assert said.out == ""
    assert files(root.parent) == before
    assert not (root.parent / ".git").exists()


def test_without_markitdown(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    tree(root.parent, {"a.pdf": PDF})
    run("../a.pdf", *WHAT, code=2)
    assert capsys.readouterr().err == (
        "spectastic: error: MarkItDown is not installed, which converts documents\n"
        "spectastic: pip install 'spectastic-lint[convert]', or name another program: --converter CMD\n"
    )


def test_without_a_part_of_markitdown(tmp_path: Path) -> None:
    """What the process says that has found out, stands for MarkItDown that was installed bare."""
    code = f"import sys; sys.stderr.write('\\nMarkItDown lacks x\\n'); sys.exit({convert.NOT_INSTALLED})"
    ours = Converter((sys.executable, "-c", code, "spectastic.convert.child"), "MarkItDown 9")
    with pytest.raises(ConvertError, match=r"^MarkItDown lacks x$") as raised:
        convert.convert("a.pdf", b"x", ours)
    assert raised.value.hint == "pip install 'spectastic-lint[convert]'"
    other = Converter((sys.executable, "-c", code), "other")
    with pytest.raises(ConvertError, match=r"^other failed: MarkItDown lacks x$"):
        convert.convert("a.pdf", b"x", other)
    assert list(tmp_path.iterdir()) == []


def test_kinds_that_markitdown_is_not_asked_for(
    root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = Converter(("none", "spectastic.convert.child"), "MarkItDown 9")
    monkeypatch.setattr(convert, "markitdown", lambda: ours)
    tree(root.parent, {"a.zip": archive({"x": "y"})})
    run("../a.zip", *WHAT, code=2)
    assert capsys.readouterr().err == (
        "spectastic: error: ../a.zip: MarkItDown is not asked to convert such a file: a.zip\n"
        "spectastic: it is asked for pdf, docx, pptx, xlsx, epub, html, htm, xhtml, csv; for others, name a "
        "program: --converter CMD\n"
    )


def test_a_program_that_has_gone(root: Path, capsys: Capture) -> None:
    gone = Converter((str(root / "none"), "{}"), "gone")
    with pytest.raises(ConvertError, match=r"^gone cannot be run: no such file or directory$") as raised:
        convert.convert("a.pdf", b"x", gone)
    assert raised.value.hint == ""
    assert capsys.readouterr().err == ""


def test_killed_at_every_point(root: Path) -> None:
    (root.parent / "a.pdf").write_bytes(PDF)
    converter = fake(root.parent, "print('# Cut-off\\n\\nx')")
    argv = ["corpus", "convert", str(root.parent / "a.pdf"), *WHAT, "--converter", converter]

    def check(work: Path) -> None:
        assert findings(work) == []
        assert load(str(work)).find("KB-0003", "2024-05-28").path == PATH

    assert kill_everywhere(root, argv, check) > 8
