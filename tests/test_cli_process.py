"""The command line as its own process: consoles, pipes, signals, and what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

REGISTRY = """\
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
"""
DEAD = "<spec-decision>\n\nSettles – ✓ 🚀 by KB-0009@2099-01-01.\n\n</spec-decision>\n"
CLEAN = "# No decision\n\nNothing to prove.\n"
BARE = {
    name: value
    for name, value in os.environ.items()
    if name not in ("NO_COLOR", "FORCE_COLOR", "CI", "SPECTASTIC_DEBUG", "PYTHONIOENCODING")
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One good spec and one with a dead citation."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "index.md").write_text(REGISTRY, encoding="utf-8")
    (tmp_path / "clean.md").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "dead.md").write_text(DEAD, encoding="utf-8")
    return tmp_path


def run(
    folder: Path, *arguments: str, stdout: int = subprocess.PIPE, **env: str
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "spectastic", *arguments]
    return subprocess.run(
        command, cwd=folder, env=BARE | env, stdout=stdout, stderr=subprocess.PIPE, timeout=60, check=False
    )


def test_a_whole_run(repository: Path) -> None:
    done = run(repository, "validate")
    assert done.returncode == 1
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("dead.md:3:18: error corpus-provenance KB-0009@2099-01-01 ")
    assert lines[1] == " 3 | Settles – ✓ 🚀 by KB-0009@2099-01-01."
    assert lines[2] == f"   | {' ' * 18}{'^' * 18}", "17 characters in 18 cells stand before the token"
    assert lines[-1] == "Failed: 1 error."


def test_a_clean_file(repository: Path) -> None:
    done = run(repository, "validate", "clean.md")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "Checked 1 spec: 0 decisions, 0 citations.\nPassed: no findings.\n"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp1252:strict"])
@pytest.mark.parametrize("name", ["full", "concise", "json"])
def test_a_console_that_lacks_characters(repository: Path, encoding: str, name: str) -> None:
    done = run(repository, "validate", "--format", name, PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    assert done.stderr == b""
    if name == "full":
        _, source, carets = done.stdout.decode(encoding.split(":")[0]).splitlines()[:3]
        assert "\\u2713 \\U0001f680 by KB-0009" in source
        assert carets.index("^") == source.index("KB-0009"), "the caret stands under the token all the same"


def test_a_reader_that_goes_away(repository: Path) -> None:
    many = "".join(DEAD.replace("0009", f"{number:04}") for number in range(2000, 4000))
    (repository / "many.md").write_text(many, encoding="utf-8")
    for name in ("full", "concise", "json"):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = run(repository, "validate", "--format", name, stdout=writer)
        finally:
            os.close(writer)
        assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_full_disk(repository: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = run(repository, "validate", "clean.md", stdout=full.fileno())
    assert done.returncode == 2
    assert done.stderr == (b"spectastic: error: cannot write to standard output: no space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 2), ("2>&-", 1), ("<&-", 1)])
def test_a_closed_stream(repository: Path, closed: str, code: int) -> None:
    command = ["sh", "-c", f'"$0" -m spectastic validate {closed}', sys.executable]
    done = subprocess.run(command, cwd=repository, env=BARE, capture_output=True, timeout=60, check=False)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


def test_the_output_is_the_same_for_any_seed_and_from_anywhere(repository: Path) -> None:
    (repository / "sub").mkdir()
    shown = {
        run(folder, "validate", "--format", "json", PYTHONHASHSEED=seed, LC_ALL=locale, TZ=zone).stdout
        for folder, seed, locale, zone in (
            (repository, "0", "C", "UTC"),
            (repository, "1", "C.UTF-8", "Asia/Tokyo"),
            (repository / "sub", "2", "C.UTF-8", "UTC"),
        )
    }
    assert len(shown) == 1
    assert json.loads(shown.pop())["summary"]["failed"] is True


def test_a_run_without_specs(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "old.md").write_text(DEAD, encoding="utf-8")
    done = run(tmp_path, "validate")
    assert done.returncode == 0
    assert done.stdout.decode() == "Checked no spec.\nNo findings, and no spec was checked.\n"
    first, second = done.stderr.decode().splitlines()
    assert first == "spectastic: warning: no spec was checked"
    assert "skip-folders" in second
    assert second.endswith("left out 1 file")


def test_main_is_the_entry_of_the_console_script(repository: Path) -> None:
    code = "import sys; from spectastic.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "validate", "-q", "--format", "concise"],
        cwd=repository,
        env=BARE,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1


#: What a clean run of one Markdown file has no use for, and what each would cost the start.
HEAVY = [
    *("json", "rich", "tomllib", "pathlib", "subprocess", "shutil", "textwrap", "dataclasses", "inspect"),
    *("difflib", "hashlib", "tempfile", "multiprocessing", "concurrent", "threading", "asyncio", "socket"),
    *("logging", "yaml", "frontmatter", "turbohtml", "pathspec", "license_expression", "unicodedata"),
    *("importlib.metadata", "markdown_it", "random", "urllib", "email", "ast"),
]


def test_a_clean_run_imports_nothing_heavy(repository: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); from spectastic.cli import main;"
        "code = main(['validate', 'clean.md']);"
        "print(*sorted(set(sys.modules) - before), sep='\\n', file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
        cwd=repository,
        env=BARE,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    loaded = set(done.stderr.decode().split())
    assert "spectastic.engine" in loaded
    assert loaded.isdisjoint(HEAVY), sorted(loaded.intersection(HEAVY))
