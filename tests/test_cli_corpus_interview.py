"""`spectastic corpus interview`: an expert's answer, from a file, a pipe or a terminal."""

from __future__ import annotations

import io
import json
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from crash import files, kill_everywhere
from test_cli_corpus_add import Terminal, ask
from test_cli_corpus_convert import CLEAN, PACK, PATH, body, findings
from test_cli_corpus_source import SPEC, field
from trees import tree

from spectastic.cli import main
from spectastic.corpus import load

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]

ROLE = "Head of settlement"
WHAT = ["--pack", "settlement-cycles", "--slug", "cut-off", "--edition", "2024-05-28", "--license", "CC0-1.0"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a healthy corpus of two references, and an answer beside it."""
    root = tmp_path / "r"
    shutil.copytree(CLEAN, root)
    tree(tmp_path, {"answer.md": "# Cut-off\n\nWe stop at 16:00.\n"})
    monkeypatch.chdir(root)
    return root


def run(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "interview", *argv]) == code


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_from_an_answer_to_a_citation(root: Path, capsys: Capture) -> None:
    run(ROLE, "--from", "../answer.md", *WHAT)
    assert capsys.readouterr().out == (
        f"created {PATH}\nchanged {PACK}/SKILL.md\nchanged knowledge/index.md\n"
        "it is KB-0003@2024-05-28, and cannot be cited yet\n"
        "origin-url is none: if the original can be looked up somewhere, say so in the frontmatter\n"
        "its status is not-citable-until-signed-off; when somebody has read it: "
        "spectastic corpus sign-off KB-0003 --by NAME\n"
    )
    assert field(root, "origin") == "interview with Head of settlement"
    assert (field(root, "converter"), field(root, "license")) == ("interview", "CC0-1.0")
    assert body(root) == "\n# Cut-off\n\nWe stop at 16:00.\n"
    assert findings(root) == []
    tree(root, {"specs/new.md": SPEC})
    assert findings(root) == [("corpus-not-citable", "specs/new.md")]
    assert main(["corpus", "sign-off", "KB-0003", "--by", "Grace Hopper"]) == 0
    assert findings(root) == []


def test_json(root: Path, capsys: Capture) -> None:
    run(ROLE, "--from", "../answer.md", *WHAT, "--by", " Grace Hopper ", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["command"], told["result"]["id"], told["result"]["path"]) == (
        "corpus interview",
        "KB-0003",
        PATH,
    )
    assert field(root, "origin") == "interview with Head of settlement (Grace Hopper)"


#: The file, more arguments, the title, and the text that comes of it.
QUESTIONS = {
    "title-and-heading": (
        "We stop at 16:00.\n",
        ["--question", " When  do\nyou stop? "],
        "When do you stop?",
        "\n# When do you stop?\n\nWe stop at 16:00.\n",
    ),
    "a-title-of-its-own": (
        "\n\nWe stop.\n",
        ["--question", "When?", "--title", "Cut-off"],
        "Cut-off",
        "\n\n# When?\n\nWe stop.\n",
    ),
    "a-heading-below": (
        "# So\n\nWe stop.\n",
        ["--question", "When?"],
        "When?",
        "\n# When?\n\n# So\n\nWe stop.\n",
    ),
    "the-heading-is-there": (
        "# When?\n\nWe stop.\n",
        ["--question", "When?"],
        "When?",
        "\n# When?\n\nWe stop.\n",
    ),
    "crlf": ("We\r\nstop.\r\n", ["--question", "When?"], "When?", "\r\n# When?\r\n\r\nWe\r\nstop.\r\n"),
    "frontmatter": (
        "---\ntitle: Old\nslug: x\n---\nWe stop.\n",
        ["--question", "When?"],
        "When?",
        "\n# When?\n\nWe stop.\n",
    ),
    "frontmatter-with-a-blank-line": (
        "---\nslug: x\n---\n\nWe stop.\n",
        ["--question", "When?"],
        "When?",
        "\n# When?\n\nWe stop.\n",
    ),
    "mark": ("\ufeffWe stop.\n", ["--question", "When?"], "When?", "\n# When?\n\nWe stop.\n"),
    "no-question": ("# So\n\nWe stop.\n", [], "So", "\n# So\n\nWe stop.\n"),
    "blank-question": ("# So\n\nWe stop.\n", ["--question", " "], "So", "\n# So\n\nWe stop.\n"),
}


@pytest.mark.parametrize("case", QUESTIONS)
def test_questions(case: str, root: Path) -> None:
    text, more, title, expected = QUESTIONS[case]
    tree(root.parent, {"answer.md": text})
    run(ROLE, "--from", "../answer.md", *WHAT, *more)
    assert findings(root) == []
    assert load(str(root)).rows["KB-0003"].title == title
    written = (root / PATH).read_bytes().decode().replace("---\r\n", "---\n")
    assert written.split("---\n", 2)[2] == expected


def test_an_answer_in_its_place(root: Path) -> None:
    tree(root, {PATH: "We stop.\n"})
    run(ROLE, "--from", PATH, "--question", "When?", "--edition", "1", "--license", "CC0-1.0")
    assert findings(root) == []
    assert body(root) == "\n# When?\n\nWe stop.\n"


def test_what_an_answer_says_of_itself(root: Path, capsys: Capture) -> None:
    text = "---\nlicense: MIT\nsigned-off-by: [Eve]\nSigned-off-on: 1\n"
    text += "origin: The pope\nconverter: me\nstatus: authoritative\n---\n# T\n\nx\n"
    tree(root.parent, {"answer.md": text})
    run(ROLE, "--from", "../answer.md", *WHAT[:6])
    assert (field(root, "license"), field(root, "converter")) == ("MIT", "interview")
    assert field(root, "status") == "not-citable-until-signed-off"
    out = capsys.readouterr().out
    assert "igned-off" not in (root / PATH).read_text().replace("not-citable-until-signed-off", "")
    assert (
        "Signed-off-on, signed-off-by of ../answer.md is left out: nobody here has given that word\n" in out
    )
    assert "origin is interview with Head of settlement, whatever ../answer.md says\n" in out
    assert "status is not-citable-until-signed-off, whatever ../answer.md says\n" in out


def test_a_pipe(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    tree(root, {"-": "not this"})
    pipe(monkeypatch, "# Cut-off\n\nUm 16 Uhr – ä.\n.\nMore.\n".encode())
    run(ROLE, "--from", "-", *WHAT)
    assert body(root) == "\n# Cut-off\n\nUm 16 Uhr – ä.\n.\nMore.\n"
    assert "is left where it was" not in capsys.readouterr().out
    assert findings(root) == []


#: What somebody types, what they have said before, the text and the title.
TYPED = {
    "dot": (
        "When?\nWe stop\n\n. at 16:00.\n.\nnot this\n",
        WHAT,
        "\n# When?\n\nWe stop\n\n. at 16:00.\n",
        "When?",
    ),
    "end": ("When?\nWe stop", WHAT, "\n# When?\n\nWe stop", "When?"),
    "no-question": ("\n# So\nWe stop\n.\n", WHAT, "\n# So\nWe stop\n", "So"),
    "question-given": ("We stop\n.\n", [*WHAT, "--question", "Why?"], "\n# Why?\n\nWe stop\n", "Why?"),
    "title-given": ("We stop\n.\n", [*WHAT, "--title", "T"], "\nWe stop\n", "T"),
    "license-asked": ("When?\nWe stop\n.\nCC0-1.0\n", WHAT[:6], "\n# When?\n\nWe stop\n", "When?"),
    "title-asked": ("\nWe stop\n.\nT\n", WHAT, "\nWe stop\n", "T"),
}


@pytest.mark.parametrize("case", TYPED)
def test_typed(case: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers, argv, expected, title = TYPED[case]
    screen = ask(monkeypatch, answers)
    run(ROLE, *argv)
    assert "answer (end it with a line that holds . alone):\n" in screen.getvalue()
    assert ("what was asked" in screen.getvalue()) == (case not in ("question-given", "title-given"))
    assert body(root) == expected
    assert load(str(root)).rows["KB-0003"].title == title
    assert findings(root) == []


REFUSED: dict[str, tuple[list[str], str, str]] = {
    "nobody-there": (
        [ROLE, *WHAT],
        "nobody is here to be asked for the answer",
        "name its file: --from FILE, or --from - for a pipe",
    ),
    "nothing-known": (
        [ROLE, "--from", "../answer.md"],
        "what is known of ../answer.md is not enough: pack, slug, edition, license, marketplace",
        "add --pack PACK --slug SLUG --edition EDITION --license LICENSE --marketplace NAME",
    ),
    "role": ([" ", "--from", "../answer.md", *WHAT], "nobody is named", "say whose answer it is"),
    "role-todo": (["TODO", "--from", "../answer.md", *WHAT], "nobody is named", "say whose answer it is"),
    "role-in-lines": (
        ["a\nb", "--from", "../answer.md", *WHAT],
        "it has a line break",
        "say whose answer it is",
    ),
    "by": ([ROLE, "--by", "\u202eada", "--from", "../answer.md", *WHAT], "that are not seen", "--by NAME"),
    "question": (
        [ROLE, "--question", "Wh\u200ben?", "--from", "../answer.md", *WHAT],
        r"the question has characters in it that cannot be seen: 'Wh\u200ben?'",
        "type it anew",
    ),
    "empty": (
        [ROLE, "--question", "When?", "--from", "../empty.md", *WHAT],
        "the document has no text",
        "write what can be cited",
    ),
    "pdf": (
        [ROLE, "--from", "../a.pdf", *WHAT],
        "../a.pdf is a PDF, not Markdown",
        "`spectastic corpus convert`",
    ),
    "origin": ([ROLE, "--origin", "X", *WHAT], "unrecognized arguments: --origin", ""),
    "status": ([ROLE, "--status", "authoritative", *WHAT], "unrecognized arguments: --status", ""),
    "pipe-empty": ([ROLE, "--from", "-", "--title", "T", *WHAT], "the document has no text", ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    argv, message, hint = REFUSED[case]
    tree(root.parent, {"empty.md": " \n", "a.pdf": "%PDF-1.4\n"})
    pipe(monkeypatch, b"")
    before = files(root)
    run(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert message in error
    assert hint in advice
    assert files(root) == before


PIPED = {
    "nul": (b"a\0b", "standard input: the file holds a NUL byte"),
    "latin-1": (b"\xe4", "standard input: the file is not UTF-8: byte 0xe4"),
    "pdf": (b"%PDF-1.4\n", "standard input is a PDF, not Markdown"),
    "too-large": (b"x" * 20_000_001, "the answer is too large: more than 20,000,000 bytes"),
}


@pytest.mark.parametrize("case", PIPED)
def test_pipes_that_are_refused(
    case: str, root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, message = PIPED[case]
    before = files(root)
    pipe(monkeypatch, data)
    run(ROLE, "--from", "-", "--title", "T", *WHAT, code=2)
    assert message in capsys.readouterr().err
    assert files(root) == before


def test_no_standard_input(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(root)
    monkeypatch.setattr(sys, "stdin", None)
    run(ROLE, "--from", "-", *WHAT, code=2)
    assert "standard input is closed" in capsys.readouterr().err

    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise IsADirectoryError(21, "Is a directory")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Broken()))
    run(ROLE, "--from", "-", *WHAT, code=2)
    assert "cannot read standard input: is a directory" in capsys.readouterr().err
    assert files(root) == before


def test_a_terminal_and_nobody_who_wants_to_be_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(root)
    screen = ask(monkeypatch, "When?\nWe stop\n.\n")
    assert isinstance(screen, Terminal)
    run(ROLE, *WHAT, "--yes", code=2)
    assert "nobody is here to be asked" in screen.getvalue()
    assert files(root) == before


def test_killed_at_every_point(root: Path) -> None:
    argv = ["corpus", "interview", ROLE, "--from", str(root.parent / "answer.md"), *WHAT]

    def check(work: Path) -> None:
        assert findings(work) == []
        assert field(work, "status") == "not-citable-until-signed-off"

    assert kill_everywhere(root, argv, check) > 8
