"""The console script, which ends without taking the interpreter apart: nothing may get lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SETTLEMENT = Path(__file__).parent.parent / "fixtures/repos/settlement"
RUN = "from spectastic.cli import run; run()"


def console(*arguments: str, code: str = RUN) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=SETTLEMENT, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(["validate"], 1), (["validate", "specs/settlement-date.html"], 0), (["nope"], 2)],
)
def test_it_says_what_main_says(arguments: list[str], expected: int) -> None:
    plain = console(*arguments, code="import sys; from spectastic.cli import main; sys.exit(main())")
    done = console(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert done.returncode == expected
    assert done.stdout or done.stderr


def test_long_output_arrives_whole_and_a_closed_pipe_is_no_trouble() -> None:
    explained = console("explain", "corpus-provenance")
    assert explained.stdout.rstrip().endswith("```")
    command = f'"{sys.executable}" -c "{RUN}" validate --format json | head -c 1'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}; echo ${{PIPESTATUS[0]}} >&2"],
        cwd=SETTLEMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr.strip()) == ("{", "1")


def test_a_report_in_a_file_is_whole(tmp_path: Path) -> None:
    done = console("validate", "--format", "json", "--output-file", str(tmp_path / "report.json"))
    assert done.returncode == 1
    assert (tmp_path / "report.json").read_text() == console("validate", "--format", "json").stdout
