"""The benchmark of tables compares like with like. No times here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import grounding, searchers, tables, tools
from benchmarks.measure import RunError
from spectastic.grounding.schema_validator import load_manifest

if TYPE_CHECKING:
    from benchmarks.tables import Table

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return tables.write(str(tmp_path_factory.mktemp("table")), 300)


def test_a_table_is_the_same_each_time(table: Table, tmp_path: Path) -> None:
    again = tables.write(str(tmp_path), 300)
    assert Path(again.file).read_bytes() == Path(table.file).read_bytes()
    assert (table.rows, table.size) == (300, Path(table.file).stat().st_size)
    assert len(Path(table.file).read_text().splitlines()) == 301
    assert load_manifest(table.manifest)["domain"] == "benchmark"


def test_both_find_the_same(table: Table) -> None:
    program = tools.find(tools.SPECTASTIC)
    assert program is not None
    grounding.honest(program, table)
    assert len(searchers.fit_everything(table.file, tables.QUERY)) == searchers.BEST


def test_another_result_is_no_comparison(table: Table, tmp_path: Path) -> None:
    program = tmp_path / "spectastic"
    program.write_text('#!/bin/sh\necho \'{"results": [{"No": "1"}], "scores": [9.0]}\'\n')
    program.chmod(0o755)
    with pytest.raises(RunError, match="spectastic found "):
        grounding.honest(str(program), table)
    program.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(RunError, match="ended with exit code 3"):
        grounding.honest(str(program), table)


@pytest.mark.parametrize("how", ["bm25s", "rank-bm25"])
def test_the_packages_find_the_same_best_rows(how: str, table: Table) -> None:
    pytest.importorskip(grounding.PACKAGES[how])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.searchers", how, table.file, tables.QUERY],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found = json.loads(done.stdout)
    expected = searchers.fit_everything(table.file, tables.QUERY)
    assert found[0][0] == expected[0][0]
