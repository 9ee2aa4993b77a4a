"""`validate` as a required check and as an editor calls it: the options beyond settings and one format."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest
from repository import Repository, git
from test_pull_request import HISTORY, NEW, OLD, decision

from spectastic.cli import main
from spectastic.cli.output import FORMATS
from spectastic.report import FORMATS as RENDERED

if TYPE_CHECKING:
    from pathlib import Path

    Capture = pytest.CaptureFixture[str]


pytestmark = pytest.mark.usefixtures("root")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one error (line 9 of old.md), two warnings and no baseline."""
    for name in ("NO_COLOR", "FORCE_COLOR", "SPECTASTIC_DEBUG", "CI"):
        monkeypatch.delenv(name, raising=False)
    files = {**HISTORY, "specs/odd.md": decision(7, f"T+1, kb-0001@{NEW}.")}
    root = Repository(tmp_path / "repository", files).root
    monkeypatch.chdir(root)
    return root


def run(capsys: Capture, *options: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["validate", *options])
    out, error = capsys.readouterr()
    return code, out, error


def rules(capsys: Capture, *options: str) -> tuple[int, list[str]]:
    code, out, _ = run(capsys, "--format", "json", *options)
    return code, [item["rule"] for item in json.loads(out)["findings"]]


FOUND = ["corpus-citation-form", "corpus-staleness", "corpus-provenance"]


def test_what_there_is(capsys: Capture) -> None:
    assert rules(capsys) == (1, FOUND)


# Options, and what is said of them.
USAGE: dict[str, tuple[list[str], str, str]] = {
    "baseline-without-a-file": (
        ["--write-baseline"],
        "--write-baseline needs a file",
        "name one with --baseline FILE",
    ),
    "no-baseline": (["--baseline", "b"], "there is no baseline b", "--write-baseline writes a new one"),
    "no-folder-for-it": (
        ["--baseline", "none/b", "--write-baseline"],
        "cannot write none/b: no such file or directory",
        "",
    ),
    "outside": (["--baseline", "../b"], '/../b" lies outside the root', ""),
    "not-a-baseline": (
        ["--baseline", "specs/a.md", "--write-baseline"],
        "specs/a.md:1: this is no baseline: it does not begin with",
        "name another file",
    ),
    "since-and-baseline": (
        ["--baseline", "b", "--write-baseline", "--since", "HEAD"],
        "--write-baseline and --since cannot be used together",
        "",
    ),
    "fix-and-baseline": (
        ["--baseline", "b", "--write-baseline", "--fix"],
        "--write-baseline and --fix cannot be used together",
        "",
    ),
    "stdin-and-baseline": (
        ["--baseline", "b", "--write-baseline", "-", "--stdin-filename", "x.md"],
        "--write-baseline and the path - cannot be used together",
        "",
    ),
    "unsafe-alone": (["--unsafe-fixes"], "--unsafe-fixes adds to --fix or --diff", "use one of them with it"),
    "no-such-revision": (["--since", "nowhere"], "there is no revision nowhere", ""),
    "no-such-base": (["--base", "nowhere"], "there is no revision nowhere", ""),
    "revision-is-an-option": (["--since=--output=x"], "--output=x is no revision", ""),
    "empty-revision": (["--since", ""], "--since names no revision", ""),
    "empty-base": (["--base="], "--base names no revision", ""),
    "name-without-stdin": (["--stdin-filename", "x.md"], "--stdin-filename names the text on stdin", ""),
    "stdin-without-a-name": (["-"], "the text on stdin has no name", "name it with --stdin-filename FILE"),
    "stdin-and-a-path": (
        ["-", "specs", "--stdin-filename", "x.md"],
        "the path - stands for the text on stdin",
        "",
    ),
    "stdin-is-no-spec": (["-", "--stdin-filename", "x.txt"], "x.txt: this is not a spec", ""),
    "stdin-is-elsewhere": (
        ["-", "--stdin-filename", "../x.md", "--root", "."],
        "this lies outside the root",
        "",
    ),
    "no-such-format": (["--output", "xml=x"], "argument --output: 'xml' is no format: choose from full,", ""),
    "output-without-a-file": (["--output", "json="], "'json=' is not of the form FORMAT=FILE", ""),
    "output-without-a-format": (["--output", "x.json"], "'x.json' is not of the form FORMAT=FILE", ""),
    "two-to-one-file": (
        ["--output", "json=x", "--output", "sarif=specs/../x"],
        "x: two reports cannot go to one file",
        "name another file",
    ),
    "output-twice": (
        ["--output", "json=x", "--output-file", "x"],
        "x: two reports cannot go to one file",
        "",
    ),
    "prune-without-a-file": (["--prune-baseline"], "--prune-baseline needs a file", ""),
    "prune-nothing": (["--prune-baseline", "--baseline", "b"], "there is no baseline b", "commit it if"),
    "prune-and-write": (
        ["--baseline", "b", "--write-baseline", "--prune-baseline"],
        "--write-baseline and --prune-baseline cannot be used together",
        "",
    ),
    "base-and-baseline": (
        ["--baseline", "b", "--write-baseline", "--base", "HEAD"],
        "--write-baseline and --base cannot be used together",
        "",
    ),
    "diff-and-format": (["--diff", "--format", "json"], "--diff and --format cannot be used together", ""),
    "diff-and-output": (["--diff", "--output", "json=x"], "--diff and --output cannot be used together", ""),
    "fix-stdin-and-output": (
        ["-", "--stdin-filename", "x.md", "--fix", "--output-file", "x"],
        "--output-file cannot be used where the fixed text goes to standard output",
        "",
    ),
    "statistics": (
        ["--statistics", "--output", "sarif=x"],
        "--statistics cannot be used with the format sarif",
        "use one of full, concise, json",
    ),
    "warnings": (["--max-warnings", "some"], "'some' is neither unlimited nor a number of warnings", ""),
}


@pytest.mark.parametrize("case", USAGE)
def test_usage(case: str, root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    options, message, hint = USAGE[case]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x")))
    before = sorted(root.rglob("*.md")), (root / "specs" / "a.md").read_bytes()
    code, out, error = run(capsys, *options)
    assert (code, out) == (2, "")
    assert message in error
    assert hint in error
    assert "Traceback" not in error
    assert (sorted(root.rglob("*.md")), (root / "specs" / "a.md").read_bytes()) == before


def test_a_repository_without_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    empty = Repository(tmp_path / "empty")
    empty.write({"a.md": "Text.\n"})
    monkeypatch.chdir(empty.root)
    code, out, error = run(capsys, "--since", "main")
    assert (code, out) == (2, "")
    assert "there is no revision main: no commit has been made here yet" in error
    assert run(capsys)[0] == 0


def test_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    (tmp_path / "a.md").write_text("Text.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    code, out, error = run(capsys, "--base", "main")
    assert (code, out) == (2, "")
    assert "this folder is in no git repository" in error


def test_max_warnings(capsys: Capture) -> None:
    calm = ("--ignore", "corpus-provenance")
    for limit, code in (("unlimited", 0), ("2", 0), ("1", 1), ("0", 1)):
        assert rules(capsys, *calm, "--max-warnings", limit) == (code, FOUND[:2])
    _, out, _ = run(capsys, *calm, "--max-warnings", "1")
    assert "max-warnings" in out.splitlines()[-2]
    assert rules(capsys, *calm, "--max-warnings", "0", "--exit-zero")[0] == 0


def test_exit_zero(capsys: Capture) -> None:
    assert rules(capsys, "--exit-zero") == (0, FOUND)
    code, out, _ = run(capsys, "--exit-zero", "--format", "json")
    assert json.loads(out)["summary"]["failed"] is True
    assert json.loads(out)["summary"]["exit_code"] == code == 0
    assert run(capsys, "--exit-zero", "--select", "nothing")[0] == 2


def test_every_format_can_be_asked_for() -> None:
    assert sorted(FORMATS) == sorted(RENDERED)


def test_several_outputs(root: Path, capsys: Capture) -> None:
    asked = [option for name in FORMATS for option in ("--output", f"{name}=out-{name}.txt")]
    code, out, error = run(capsys, "-q", "--format", "concise", *asked)
    assert (code, error) == (1, "")
    assert (root / "out-concise.txt").read_text(encoding="utf-8") == out
    for name in FORMATS:
        text = (root / f"out-{name}.txt").read_text(encoding="utf-8")
        assert "corpus-provenance" in text
        code, shown, _ = run(capsys, "-q", "--format", name)
        assert shown == text, "a file holds what stdout shows"


def test_the_baseline_is_pruned_and_takes_in_nothing(root: Path, capsys: Capture) -> None:
    asked = ("--baseline", "b.jsonl")
    assert run(capsys, *asked, "--write-baseline")[0] == 0
    git(root, "add", "b.jsonl")
    (root / ODD).write_text("Repaired.\n", encoding="utf-8")
    (root / "specs" / "new.md").write_text(decision(8, "KB-0099@1"), encoding="utf-8")
    code, out, error = run(capsys, *asked, "--prune-baseline", "--format", "concise", "-q")
    assert (code, error) == (1, "spectastic: b.jsonl holds 2 findings: 0 added, 1 pruned\n")
    assert [line.split(" ")[2] for line in out.splitlines()] == ["corpus-provenance"]
    code, _, error = run(capsys, *asked, "--write-baseline")
    assert code == 0
    assert error.splitlines()[1:] == ["spectastic:   added corpus-provenance (KB-0099@1) in specs/new.md"]


def test_a_baseline_that_is_not_committed(root: Path, capsys: Capture) -> None:
    asked = ("--baseline", "b.jsonl")
    run(capsys, *asked, "--write-baseline")
    code, _, error = run(capsys, *asked)
    assert (code, error) == (
        0,
        "spectastic: git does not track b.jsonl, so it counts only here: commit it\n",
    )
    git(root, "add", "b.jsonl")
    assert run(capsys, *asked)[2] == ""


def test_entries_that_nothing_can_match(root: Path, capsys: Capture) -> None:
    (root / "b.jsonl").write_text(
        '{"baseline": 1}\n'
        '{"rule": "corpus-nonsense", "path": "specs/a.md"}\n'
        '{"rule": "corpus-provenance", "path": "specs/gone.md"}\n'
        '{"rule": "corpus-provenance", "path": "drafts/a.md"}\n',
        encoding="utf-8",
    )
    (root / "drafts").mkdir()
    (root / "drafts" / "a.md").write_text("Text.\n", encoding="utf-8")
    git(root, "add", "-A")
    asked = ("--baseline", "b.jsonl", "--format", "concise", "-q")
    places = {"": "234", "--exclude=drafts/": "2", "--select=unused-suppression": "2", "specs": "2"}
    for option, lines in places.items():
        _, out, _ = run(capsys, *asked, *([option] if option else []))
        told = [line.split(":")[1] for line in out.splitlines() if "unused-suppression" in line]
        assert told == list(lines), option
    (root / "spectastic.toml").write_text('exclude = ["drafts/"]\n', encoding="utf-8")
    _, out, _ = run(capsys, *asked)
    assert out.count("unused-suppression") == 3, "what the configuration leaves out comes back no more"


def test_a_fix_leaves_the_baseline_alone(root: Path, capsys: Capture) -> None:
    asked = ("--baseline", "b.jsonl")
    run(capsys, *asked, "--write-baseline")
    (root / "specs" / "new.md").write_text(decision(8, f"T+1, kb-0001@{NEW}."), encoding="utf-8")
    _, _, error = run(capsys, *asked, "--fix")
    assert "fixed 1 finding in 1 file" in error
    assert "kb-0001" in (root / ODD).read_text(encoding="utf-8")


def test_history_is_not_asked_for(capsys: Capture) -> None:
    code, _, error = run(capsys, "specs/a.md", "--base", "HEAD")
    assert (code, "history was not compared with --base" in error) == (0, True)
    assert run(capsys, "specs/a.md", "--base", "nowhere")[0] == 2
    assert run(capsys, "--base", "nowhere", "--ignore", "corpus-append-only")[0] == 2


def test_the_corpus_alone(capsys: Capture) -> None:
    code, out, error = run(capsys, "knowledge")
    assert (code, error) == (0, "")
    assert out.startswith("Checked no spec, and the corpus: 3 references.\nPassed: no findings.\n")


def test_what_can_be_written_is(root: Path, capsys: Capture) -> None:
    outputs = ("--output", "json=none/x", "--output", "sarif=out.sarif", "--output", "gitlab=none/y")
    code, out, error = run(capsys, *outputs)
    assert code == 2
    assert "corpus-provenance" in out, "the findings are not lost"
    assert (root / "out.sarif").exists()
    assert error.count("cannot write none/") == 2


def test_step_summary(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert run(capsys)[0] == 1
    assert summary.read_text(encoding="utf-8") == "before\n"
    code, out, _ = run(capsys, "--format", "github")
    assert (code, out.splitlines()[0].split(" ")[0]) == (1, "::error")
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.count("corpus-provenance") >= 1
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    code, out, error = run(capsys, "--format", "github")
    assert code == 2
    assert "::error" in out
    assert f"cannot write the step summary {tmp_path}: is a directory" in error


def test_paths_from_the_top_of_the_repository(root: Path, capsys: Capture) -> None:
    """In formats for other programs, also where the configuration stands in a folder."""
    os.rename(root / "knowledge", root / "specs" / "knowledge")
    git(root, "add", "-A")
    code, out, _ = run(capsys, "--root", "specs", "--format", "gitlab")
    assert code == 1
    assert {item["location"]["path"] for item in json.loads(out)} == {"specs/odd.md", "specs/old.md"}
    _, out, _ = run(capsys, "--root", "specs", "--format", "json")
    assert {item["path"] for item in json.loads(out)["findings"]} == {"odd.md", "old.md"}


def given(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_text_from_an_editor(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "specs" / "a.md").write_text("what is on disk\n", encoding="utf-8")
    given(monkeypatch, "\ufeff" + decision(1, f"Once, KB-0001@{OLD}.") + decision(2, "KB-0099@1"))
    code, out, error = run(capsys, "-", "--stdin-filename", "specs/a.md", "--format", "concise", "-q")
    assert (code, error) == (1, "")
    assert [line.split(" ")[:3] for line in out.splitlines()] == [
        ["specs/a.md:3:7:", "warning", "corpus-staleness"],
        ["specs/a.md:8:1:", "error", "corpus-provenance"],
    ]
    assert (root / "specs" / "a.md").read_text(encoding="utf-8") == "what is on disk\n"


def test_text_of_a_file_that_does_not_exist(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, "<spec-decision>KB-0099@1</spec-decision>")
    code, out, _ = run(capsys, "-", "--stdin-filename", "new/folder/x.html", "--format", "concise", "-q")
    assert (code, out.split(" ")[0]) == (1, "new/folder/x.html:1:16:")


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("specs/a.md", ("--exclude", "specs/", "--force-exclude"), "exclude left out 1 file"),
        ("knowledge/trading/references/x.md", (), "corpus folder left out 1 file"),
    ],
)
def test_text_that_is_not_asked_for(
    name: str,
    options: tuple[str, ...],
    why: str,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given(monkeypatch, decision(1, "KB-0099@1"))
    code, _, error = run(capsys, "-", "--stdin-filename", name, *options)
    assert code == 0
    assert why in error


def test_excluded_text_is_checked_all_the_same(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, decision(1, "KB-0099@1"))
    assert run(capsys, "-", "--stdin-filename", "specs/a.md", "--exclude", "specs/")[0] == 1


def test_text_that_is_not_text(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, b"\xff\xfeabc")
    code, out, _ = run(capsys, "-", "--stdin-filename", "specs/a.md", "--format", "concise", "-q")
    assert (code, "file-unreadable the file is UTF-16" in out) == (1, True)
    monkeypatch.setattr(sys, "stdin", None)
    code, _, error = run(capsys, "-", "--stdin-filename", "specs/a.md")
    assert (code, error) == (2, "spectastic: error: cannot read standard input: it is closed\n")


ODD = "specs/odd.md"


def test_fix(root: Path, capsys: Capture) -> None:
    others = {path: path.read_bytes() for path in root.rglob("*.md") if path.name != "odd.md"}
    code, out, error = run(capsys, "--fix", "--format", "json")
    assert (code, error) == (1, "spectastic: fixed 1 finding in 1 file\n")
    assert [item["rule"] for item in json.loads(out)["findings"]] == FOUND[1:]
    assert (root / ODD).read_text(encoding="utf-8") == decision(7, f"T+1, KB-0001@{NEW}.")
    assert {path: path.read_bytes() for path in others} == others
    assert run(capsys, "--fix")[2] == ""


def test_unsafe_fixes(root: Path, capsys: Capture) -> None:
    code, _, error = run(capsys, "--fix", "--unsafe-fixes")
    assert code == 1, "KB-0077 is nothing, and the nearest id has no such edition"
    assert error.startswith("spectastic: fixed 2 findings in 2 files\n")
    assert f"KB-0001@{NEW}" in (root / "specs" / "old.md").read_text(encoding="utf-8")


def test_diff(root: Path, capsys: Capture) -> None:
    code, out, error = run(capsys, "--diff")
    assert (code, error) == (1, "")
    assert out.splitlines()[:2] == [f"--- a/{ODD}", f"+++ b/{ODD}"]
    assert f"\n-T+1, kb-0001@{NEW}.\n+T+1, KB-0001@{NEW}.\n" in out
    assert "kb-0001" in (root / ODD).read_text(encoding="utf-8")
    assert run(capsys, "--diff", "specs/a.md") == (0, "", "")


def test_fix_text_from_an_editor(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    text = decision(1, f"T+1, kb-0001@{NEW}.") + decision(2, "KB-0099@1")
    given(monkeypatch, text)
    code, out, error = run(capsys, "-", "--stdin-filename", "specs/a.md", "--fix")
    assert (code, out, error) == (1, text.replace("kb-", "KB-"), "spectastic: 1 finding left\n")
    given(monkeypatch, text)
    code, out, _ = run(capsys, "-", "--stdin-filename", "specs/a.md", "--diff")
    assert (code, out.count("\n+")) == (1, 2)
    given(monkeypatch, text)
    code, out, _ = run(
        capsys, "-", "--stdin-filename", "specs/a.md", "--fix", "--exclude", "specs/", "--force-exclude"
    )
    assert (code, out) == (0, text), "what is not checked is passed on"


def test_a_file_that_something_else_changes(
    root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spectastic import engine

    fix = engine.fix

    def meanwhile(*arguments: object, **options: object) -> object:
        files = fix(*arguments, **options)  # type: ignore[arg-type]
        (root / ODD).write_text("kb-0001, edited\n", encoding="utf-8")
        return files

    monkeypatch.setattr(engine, "fix", meanwhile)
    code, out, error = run(capsys, "--fix")
    assert (code, out) == (2, "")
    assert f"{ODD} was changed by something else meanwhile, and is left as it is" in error
    assert (root / ODD).read_text(encoding="utf-8") == "kb-0001, edited\n"


def test_a_full_disk(root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(root.rglob("*"))
    monkeypatch.setattr(os, "fsync", full)
    code, out, error = run(capsys, "--fix")
    assert (code, out) == (2, "")
    assert f"cannot write {ODD}: no space left on device; it is left as it is" in error
    assert (root / ODD).read_text(encoding="utf-8") == decision(7, f"T+1, kb-0001@{NEW}.")
    assert sorted(root.rglob("*")) == before, "no draft is left"


def test_fix_only_what_changed(root: Path, capsys: Capture) -> None:
    (root / "specs" / "new.md").write_text(decision(8, f"T+1, kb-0001@{NEW}."), encoding="utf-8")
    code, _, error = run(capsys, "--fix", "--since", "HEAD")
    assert (code, error) == (0, "spectastic: fixed 1 finding in 1 file\n")
    assert "kb-0001" in (root / ODD).read_text(encoding="utf-8")
    assert "KB-0001" in (root / "specs" / "new.md").read_text(encoding="utf-8")


def test_omit_suppressed(capsys: Capture) -> None:
    assert run(capsys, "--baseline", "b.jsonl", "--write-baseline")[0] == 0
    for options, listed in (((), FOUND), (("--omit-suppressed",), [])):
        code, out, _ = run(capsys, "--baseline", "b.jsonl", "--format", "json", *options)
        report = json.loads(out)
        assert (code, report["findings"]) == (0, [])
        assert [item["rule"] for item in report["suppressed"]] == listed
        assert report["summary"]["suppressed"] == {"comment": 0, "baseline": 3}, "they count all the same"


def test_what_a_baseline_holds_of_a_deleted_file(root: Path, capsys: Capture) -> None:
    assert run(capsys, "--baseline", "b.jsonl", "--write-baseline")[0] == 0
    (root / "specs" / "old.md").unlink()
    for options, told in (((), ["unused-suppression"] * 2), (("specs/a.md",), [])):
        _, out, _ = run(capsys, "--baseline", "b.jsonl", "--format", "json", *options)
        assert [item["rule"] for item in json.loads(out)["findings"]] == told
