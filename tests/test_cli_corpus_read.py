"""The commands of `corpus` that only read, from the command line to the screen.

A story is a file `fixtures/corpus-read/<name>.txt`. Its first line names the repository, relative to it.
Then come commands, `$ list --json`, each with what it prints: stdout, then stderr behind `! `, and the exit
code in a line `[exit 1]` where it is not 0. Lines that begin with `% ` are remarks.
"""

from __future__ import annotations

import html
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from corpora import HEADER, corpus, document, row
from trees import Link, tree

from spectastic.cli import main, streams
from spectastic.cli.corpus import diff, drawing, reading
from spectastic.corpus.changes import compare
from spectastic.report import cells
from spectastic.report.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

STORIES = Path(__file__).parent.parent / "fixtures" / "corpus-read"
Capture = pytest.CaptureFixture[str]
READING = ("list", "show", "resolve", "search", "cited-by", "impact", "diff", "graph", "uri")


class Step(NamedTuple):
    """A command and what it prints."""

    story: str
    repository: str
    command: str
    printed: str


def steps() -> Iterator[Step]:
    for path in sorted(STORIES.glob("*.txt")):
        head, *blocks = path.read_text(encoding="utf-8").split("\n$ ")
        for block in blocks:
            command, _, printed = block.partition("\n")
            kept = [line for line in printed.split("\n") if not line.startswith("% ")]
            yield Step(path.stem, head.partition("\n")[0], command, "\n".join(kept).strip("\n"))


STEPS = list(steps())


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def copied(repository: str, target: Path) -> Path:
    """A repository of the fixtures, away from all ignore files."""
    shutil.copytree(STORIES / repository, target / "copy")
    (target / "copy" / ".git").mkdir()
    return target / "copy"


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(["corpus", *arguments])
    done = capsys.readouterr()
    return code, done.out, done.err


def told(code: int, out: str, err: str) -> str:
    lines = [*out.splitlines(), *(f"! {line}" for line in err.splitlines())]
    return "\n".join([*lines, *([f"[exit {code}]"] if code else [])]).strip("\n")


def test_there_are_stories() -> None:
    assert len({step.story for step in STEPS}) >= 3
    assert len(STEPS) > 50


@pytest.mark.parametrize("step", STEPS, ids=[f"{step.story}: {step.command}" for step in STEPS])
def test_stories(step: Step, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copied(step.repository, tmp_path))
    arguments = shlex.split(step.command)
    assert told(*run(capsys, *arguments)) == step.printed
    if "--json" in arguments:
        code, out, _ = run(capsys, *arguments)
        if code != 2:
            assert json.loads(out)["version"] == 1
            assert json.loads(out)["command"] == f"corpus {arguments[0]}"


LONG = "A title that says more than any terminal has room for, "


@pytest.fixture
def wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """References with long cells, in front of a terminal of 60 columns."""
    rows = [
        row(number, edition, "web/references/a.md").replace("| T |", f"| {title} |")
        for number, edition, title in ((1, "2024", LONG), (2, "x" * 100, "short"), (3, "2", "交收周期" * 20))
    ]
    corpus(tmp_path, {"knowledge/web/references/a.md": document("001-x", body=f"{LONG * 9}\n")}, *rows)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(streams, "columns", lambda _: 60)
    return tmp_path


def test_a_table_fits_the_terminal(wide: Path, capsys: Capture) -> None:
    _, out, _ = run(capsys, "list", "--root", str(wide))
    lines = out.splitlines()
    assert len(lines) == 3
    assert all(cells.width(line) <= 60 for line in lines)
    assert lines[0] == "KB-0001  2024" + " " * 46 + "…"
    assert lines[2].endswith("…")


def test_an_excerpt_fits_the_terminal(wide: Path, capsys: Capture) -> None:
    _, out, _ = run(capsys, "search", "terminal", "--root", str(wide))
    assert [cells.width(line) <= 60 for line in out.splitlines()[2::3]] == [True, True, True]


def test_a_pipe_gets_all_of_it(wide: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "columns", lambda _: 0)
    _, out, _ = run(capsys, "list", "--root", str(wide))
    first, second, _ = out.splitlines()
    assert LONG.strip() in first
    # A long cell is not a reason to push all others away.
    assert second.startswith(f"KB-0002  {'x' * 100}  ")
    assert len(first) < 200


def test_a_text_alone_is_what_the_file_has(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copied("office", tmp_path)
    monkeypatch.chdir(root)
    for token, name, end in (
        ("KB-0002", "001-office-hours.md", b"\r\n"),
        ("KB-0012", "005-notices.md", b"\n"),
    ):
        assert main(["corpus", "show", token, "--body"]) == 0
        body = capsysbinary.readouterr().out
        assert body.startswith(end + b"# ")
        data = (root / "knowledge/office/references" / name).read_bytes()
        assert data.endswith(b"---" + end + body)


def test_a_text_alone_does_not_drive_a_terminal(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copied("office", tmp_path))
    monkeypatch.setattr(streams, "is_terminal", lambda _: True)
    _, out, _ = run(capsys, "show", "KB-0012", "--body")
    assert out.startswith("# Notices\n\n\\x3a:error::Notices")
    assert "\x1b" not in out


def test_paths_lead_there_from_where_one_is(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copied("../repos/settlement", tmp_path)
    monkeypatch.chdir(root / "specs")
    assert run(capsys, "cited-by", "KB-0001@2017-09-05")[1].startswith("settlement-date.html:20:64 ")
    assert "  ../knowledge/settlement-cycles/" in run(capsys, "show", "KB-0001")[1]
    assert "\n         ../knowledge/" in run(capsys, "search", "settlement")[1]
    # For a program they are those of the repository, wherever it runs.
    here = run(capsys, "graph", "--json")[1]
    monkeypatch.chdir(root)
    assert run(capsys, "graph", "--json")[1] == here


UNREAD = {f"{name}.md": None for name in "abcdefg"}


def test_specs_that_cannot_be_read_are_told(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copied("../repos/settlement", tmp_path))
    told_of = "specs that cannot be read are left out: a.md, b.md, c.md, d.md, e.md and 2 more"
    tree(tmp_path / "copy", UNREAD)
    for command in (("cited-by", "KB-0001"), ("impact", "KB-0001"), ("graph",), ("graph", "--json")):
        code, _, err = run(capsys, *command)
        assert code == 0
        assert told_of in err
    for name in list(UNREAD)[1:]:
        (tmp_path / "copy" / name).rmdir()
    assert "a spec that cannot be read is left out: a.md\n" in run(capsys, "cited-by", "KB-0001")[2]


REGISTRIES = [
    (HEADER, "knowledge/index.md has no row"),
    ("# Nothing\n", "knowledge/index.md has no row"),
    (b"\xff\xfe", "knowledge/index.md has no row"),
]


@pytest.mark.parametrize(("registry", "message"), REGISTRIES)
def test_a_registry_without_rows(
    registry: str | bytes, message: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {".git": None, "knowledge/index.md": registry})
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "list")
    assert (code, out) == (0, "")
    assert message in err
    code, out, err = run(capsys, "show", "KB-0001", "--json")
    assert code == 1
    assert json.loads(out)["error"]["nearest"] is None
    assert "knowledge/index.md has no row KB-0001" in err
    assert run(capsys, "search", "fact")[:2] == (0, "")


def test_a_corpus_that_leads_out_is_none(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus(tmp_path / "outside", {}, row(1, "1", "web/references/a.md"))
    tree(tmp_path / "inside", {".git": None, "knowledge": Link("../outside/knowledge")})
    monkeypatch.chdir(tmp_path / "inside")
    code, out, err = run(capsys, "list")
    assert (code, out) == (2, "")
    assert "knowledge" in err


@pytest.mark.parametrize(
    "number", ["x", "-1", "0", "00", "1.5", "٣", "1_0", " 5", "5 ", "+5", "12345678901", ""]
)
def test_a_number_of_results(number: str, capsys: Capture) -> None:
    code, _, err = run(capsys, "search", "x", f"--max-results={number}")
    assert code == 2
    assert f"'{number}' is no number of results" in err


def test_every_command_has_its_help(capsys: Capture) -> None:
    for name in READING:
        code, out, _ = run(capsys, name, "--help")
        assert code == 0
        assert out.startswith(f"usage: spectastic corpus {name} ")
        assert "--json" in out


def test_a_document_that_goes_meanwhile(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copied("../repos/settlement", tmp_path))
    monkeypatch.setattr("spectastic.corpus.body.document", lambda *_: None)
    for command in (("show", "KB-0001"), ("diff", "KB-0001", "@2017-09-05")):
        code, out, err = run(capsys, *command)
        assert (code, out) == (1, "")
        assert "has gone meanwhile" in err


def test_rows_that_can_be_read_no_more_have_no_line(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spectastic.corpus import Corpus
    from spectastic.source import Unreadable

    monkeypatch.chdir(copied("../repos/settlement", tmp_path))
    monkeypatch.setattr(Corpus, "read", lambda _, path: Unreadable(path, "gone"))
    assert "knowledge/index.md:0, edition" in run(capsys, "resolve", "KB-0001@2024-05-28")[1]


PLAIN = View()

#: Two texts, and their comparison: line numbers, whether a line has changed, and what it says.
MARKED: list[tuple[str, str, list[tuple[int, bool, str]]]] = [
    ("a b\n", "a c\n", [(1, True, "a [-b-] {+c+}")]),
    ("a b c\n", "a c\n", [(1, True, "a [-b-] c")]),
    ("a c\n", "a b c\n", [(1, True, "a {+b+} c")]),
    # What is gone has no number of its own.
    ("a\nb\nc\nd\n", "a\nd\n", [(1, False, "a"), (2, True, "[-b-]"), (2, True, "[-c-]"), (2, False, "d")]),
    ("a\nd\n", "a\nb\nc\nd\n", [(1, False, "a"), (2, True, "{+b+}"), (3, True, "{+c+}"), (4, False, "d")]),
    (
        "a\n\nb",
        "x\n\ny",
        [(1, True, "[-a-]"), (1, True, ""), (1, True, "[-b-] {+x+}"), (2, True, ""), (3, True, "{+y+}")],
    ),
    ("a", "\na", [(1, False, ""), (2, False, "a")]),
    ("\na", "a", [(1, False, ""), (1, False, "a")]),
    # Nothing in it drives a terminal or a runner.
    ("::x \x1b\n", "::x ##[y]\n", [(1, True, "\\x3a:x [-\\x1b-] {+#\\x23[y]+}")]),
    ("a\n", "a\n::b\n", [(1, False, "a"), (2, True, "{+::b+}")]),
    (": x", ": y", [(1, True, ": [-x-] {+y+}")]),
]


@pytest.mark.parametrize(("old", "new", "expected"), MARKED)
def test_lines_of_a_comparison(old: str, new: str, expected: list[tuple[int, bool, str]]) -> None:
    lines = diff.marked(compare(old, new), 1, PLAIN)
    assert [(line.number, line.changed, line.text) for line in lines] == expected


def changed_at(*changed: int, of: int) -> list[diff.Line]:
    return [diff.Line(number, str(number), number in changed) for number in range(1, of + 1)]


HUNKS: list[tuple[tuple[int, ...], int, str]] = [
    ((1,), 9, "@1 1 2 3 4"),
    ((9,), 9, "@6 6 7 8 9"),
    ((5,), 20, "@2 2 3 4 5 6 7 8"),
    ((5, 12), 20, "@2 2 3 4 5 6 7 8 9 10 11 12 13 14 15"),
    ((5, 13), 20, "@2 2 3 4 5 6 7 8 @10 10 11 12 13 14 15 16"),
    ((2, 3), 4, "@1 1 2 3 4"),
    ((), 4, ""),
]


@pytest.mark.parametrize(("changed", "of", "expected"), HUNKS)
def test_only_what_is_near_a_change_is_shown(changed: tuple[int, ...], of: int, expected: str) -> None:
    shown = "".join(diff.hunks(changed_at(*changed, of=of), PLAIN))
    assert shown.replace("@@ line ", "@").replace(" @@", "").split() == expected.split()


def test_a_comparison_where_only_blanks_differ(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "knowledge/web/references/001-x.md": document("001-x", "2", "one two\n"),
        "knowledge/web/references/superseded/001-x@1.md": document("001-x", "1", "one\ntwo\n"),
    }
    corpus(tmp_path, files, row(1, "2", "web/references/001-x.md"))
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "diff", "KB-0001", "@1")
    assert (code, out) == (0, "")
    assert err == "spectastic: 1 and 2 have the same words, and only blanks differ\n"


@pytest.mark.parametrize(
    ("color", "env", "expected"), [("auto", "1", True), ("auto", "", False), ("never", "1", False)]
)
def test_colors(
    color: str, env: str, expected: bool, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copied("../repos/settlement", tmp_path))
    monkeypatch.setenv("FORCE_COLOR", env)
    _, out, _ = run(capsys, "diff", "KB-0001", "@2017-09-05", "--color", color)
    assert ("\x1b[" in out) is expected


#: Lines that a runner would take for a command, and those that it would not.
LINES = [
    ("::error::x", "\\x3a:error::x"),
    ("  ::error::x", "  \\x3a:error::x"),
    ("\u00a0::x", "\u00a0\\x3a:x"),
    ("é:é:x", "é\\x3aé:x"),
    ("a ::error::x", "a ::error::x"),
    (": :x", ": :x"),
    ("##[group]x", "#\\x23[group]x"),
    ("\x1b[31m", "\\x1b[31m"),
    ("plain: text", "plain: text"),
    ("", ""),
]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_drives_nothing(line: str, expected: str) -> None:
    assert reading.line_of(line) == expected


def test_a_row_without_a_path_belongs_to_no_pack(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus(tmp_path, {}, row(1, "1", ""))
    monkeypatch.chdir(tmp_path)
    assert 'label="no pack"' in run(capsys, "graph")[1]
    assert "KB-0001  1  document missing  T" in run(capsys, "list", "--pack", "web")[1]


NAMES = ["plain", 'a"b', "a\\b", "end\\", 'a\\"b', "&amp; &#34; &", "#35; ##[error]", "<b>x</b>", "a|b]c}"]
NAMES += [
    "ﬂ°°34¶ß",
    "style a:#x;",
    "1. item",
    "- item",
    "`c` **b** _i_",
    "end",
    '"]; evil [label="',
    "\\N \\G",
]
NAMES += ["naïve 漢字 🚀", "::error::x", "%% x", "http://a.b/c"]


def test_an_orphaned_row_whose_document_is_there(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"knowledge/web/references/001-x.md": document("001-x", "1")}
    corpus(tmp_path, files, row(1, "1", "web/references/001-x.md", status="orphaned"))
    monkeypatch.chdir(tmp_path)
    assert "  row       orphaned\n" in run(capsys, "show", "KB-0001")[1]
    assert run(capsys, "list")[1].startswith("KB-0001  1  orphaned  T")


def test_an_address_that_two_rows_share(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"knowledge/web/references/001-x.md": document("001-x", "1")}
    rows = [row(number, "1", "web/references/001-x.md", "001-x") for number in (2, 1, 3)]
    corpus(tmp_path, files, *rows)
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "uri", "spectastic://acme/corpus/web/001-x")
    assert (code, out) == (0, "KB-0002\n")
    assert err == "spectastic: this is the address of KB-0001, KB-0003 too; the first row counts\n"


def test_names_in_dot_and_mermaid() -> None:
    """What a reader of either gets back is the name; checked with Graphviz 2.42 and Mermaid 11.17, too."""
    for name in NAMES:
        node = drawing.Drawing((), (drawing._Node("r1", (name,)),), ())
        [line] = [line for line in drawing.dot(node) if "r1" in line]
        quoted = re.fullmatch(r'  r1 \[label="((?:[^"\\]|\\["\\])*)"\];\n', line)
        assert quoted is not None, line
        assert html.unescape(re.sub(r"\\(.)", r"\1", quoted[1])) == name
        [line] = [line for line in drawing.mermaid(node) if "r1" in line]
        quoted = re.fullmatch(r'  r1\["([^"<>&`*_\\|.:]*)"\]\n', line)
        assert quoted is not None, line
        assert re.sub("#([0-9]+);", lambda code: chr(int(code[1])), quoted[1]) == name
        assert not quoted[1].startswith("-")


def test_what_cannot_be_seen_is_shown_and_what_is_long_is_cut() -> None:
    node = drawing.Drawing((), (drawing._Node("r1", ("a\u202eb\x1b", "", "x" * 1000)),), ())
    [line] = [line for line in drawing.dot(node) if "r1" in line]
    assert line == f'  r1 [label="a\\\\u202eb\\\\x1b\\n{"x" * 119}…"];\n'


PAGE = (STORIES.parent.parent / "docs" / "corpus.md").read_text(encoding="utf-8")
SAMPLES = [
    (command, printed)
    for block in re.findall(r"```console\n\$ (spectastic corpus .*?)\n```", PAGE, re.DOTALL)
    for command, _, printed in (part.partition("\n") for part in block.split("\n$ "))
    if command.split()[2]
    in ("list", "show", "resolve", "search", "cited-by", "impact", "diff", "graph", "uri")
]


@pytest.mark.parametrize(("command", "printed"), SAMPLES, ids=[command for command, _ in SAMPLES])
def test_samples_in_the_manual(
    command: str, printed: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copied("../repos/settlement", tmp_path))
    _, out, _ = run(capsys, *shlex.split(command)[2:])
    assert out.strip("\n") == printed.strip("\n")


def test_the_manual_names_every_key() -> None:
    assert len(SAMPLES) >= 9
    for step in STEPS:
        if "--json" in step.command and step.printed.startswith("{"):
            keys = set(re.findall(r'"([a-z_]+)": ', re.sub(r'"provenance": \{.*?\}', "", step.printed)))
            row_cells = {"marketplace", "plugin", "slug", "file"}
            assert {key for key in keys - row_cells if f"`{key}`" not in PAGE} == set(), step.command
