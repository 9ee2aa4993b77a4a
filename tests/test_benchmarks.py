"""The benchmark tree is what it claims to be, and the results page says what was measured. No times here."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import spectastic
from benchmarks import generate, report, scenarios, tools
from benchmarks.measure import RunError, Sample
from benchmarks.report import Row, Target
from benchmarks.trees import Place

ROOT = Path(__file__).resolve().parent.parent
SPECS, REFERENCES = 200, 20

DECISION = re.compile(r"<spec-decision id=\"(D-\d{3})\" grounding=\"verified\">\n(.*?)</spec-decision>", re.S)
CITATION = re.compile(r"(KB-\d{4})@(\d{4}-\d\d-\d\d)")
FIELDS = ["slug", "origin", "origin-url", "edition", "license", "converter", "content-hash", "status"]
FRONTMATTER = re.compile(rb"---\n(.*?\n)---\n(.*)", re.S)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def cells(text: str) -> list[list[str]]:
    """The rows of every table in a document, without heads and rules."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, generate.Tree]:
    folder = tmp_path_factory.mktemp("benchmark") / "tree"
    return folder, generate.write(str(folder), SPECS, REFERENCES)


@pytest.fixture(scope="module")
def specs(made: tuple[Path, generate.Tree]) -> dict[str, str]:
    return {path: data.decode() for path, data in contents(made[0]).items() if path.startswith("docs/")}


@pytest.fixture(scope="module")
def registry(made: tuple[Path, generate.Tree]) -> dict[str, list[str]]:
    text = (made[0] / "knowledge/index.md").read_text(encoding="utf-8")
    return {row[0]: row for row in cells(text)}


@pytest.fixture(scope="module")
def references(made: tuple[Path, generate.Tree]) -> dict[str, tuple[dict[str, str], bytes]]:
    found = {}
    for path, data in contents(made[0] / "knowledge").items():
        if "/references/" in path:
            match = FRONTMATTER.fullmatch(data)
            assert match, path
            lines = match[1].decode().splitlines()
            found[path] = dict(line.split(": ", 1) for line in lines), match[2]
    return found


class TestTree:
    def test_another_process_with_another_hash_seed_writes_the_same_bytes(
        self, made: tuple[Path, generate.Tree], tmp_path: Path
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.generate", str(tmp_path / "tree")]
        sizes = ["--specs", str(SPECS), "--references", str(REFERENCES)]
        environment = {**os.environ, "PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
        done = subprocess.run(
            command + sizes, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert contents(tmp_path / "tree") == contents(made[0])
        assert done.stdout.startswith("200 specs (")
        assert "300 decisions, 20 references" in done.stdout

    def test_a_small_tree_begins_a_larger_one(self, made: tuple[Path, generate.Tree], tmp_path: Path) -> None:
        generate.write(str(tmp_path / "tree"), 30, REFERENCES)
        large = contents(made[0])
        assert all(large[path] == data for path, data in contents(tmp_path / "tree").items())

    def test_another_seed_writes_another_tree(self, made: tuple[Path, generate.Tree], tmp_path: Path) -> None:
        generate.write(str(tmp_path / "tree"), 3, REFERENCES, seed="2")
        assert not contents(tmp_path / "tree" / "docs").keys() & contents(made[0] / "docs").keys()

    def test_it_holds_what_it_counts(self, made: tuple[Path, generate.Tree], specs: dict[str, str]) -> None:
        tree = made[1]
        assert (tree.specs, tree.references, tree.decisions) == (SPECS, REFERENCES, 3 * SPECS // 2)
        assert len(specs) == SPECS
        assert sum(len(DECISION.findall(text)) for text in specs.values()) == tree.decisions
        assert sum(len(text.encode()) for text in specs.values()) == tree.size
        assert 4500 < tree.size / SPECS < 5700
        assert sum(path.endswith(".html") for path in specs) == SPECS // 10

    def test_decisions_come_in_threes_and_lie_apart(self, specs: dict[str, str]) -> None:
        for path, text in specs.items():
            found = list(DECISION.finditer(text))
            assert [match[1] for match in found] in ([], ["D-001", "D-002", "D-003"]), path
            assert text.count("spec-decision") == 2 * len(found), path
            assert text.count("KB-") == sum(len(CITATION.findall(match[2])) for match in found), path
            gaps = [after.start() - before.end() for before, after in pairwise(found)]
            assert all(gap > 200 for gap in gaps), path

    def test_markdown_decisions_stand_alone_on_their_lines(self, specs: dict[str, str]) -> None:
        for path, text in specs.items():
            if path.endswith(".md"):
                assert len(re.findall(r"^<spec-decision [^>]*>\n\n", text, re.M)) == text.count("<spec-d"), (
                    path
                )
                assert text.count("\n\n</spec-decision>\n") == text.count("</spec-decision>"), path

    def test_every_citation_is_current_but_for_the_stale_ones(
        self, made: tuple[Path, generate.Tree], specs: dict[str, str], registry: dict[str, list[str]]
    ) -> None:
        stale = 0
        for text in specs.values():
            for identifier, edition in CITATION.findall(text):
                row = registry[identifier]
                if edition != row[5]:
                    pack, slug = row[2], row[3]
                    assert (made[0] / f"knowledge/{pack}/references/superseded/{slug}@{edition}.md").is_file()
                    stale += 1
        assert stale == made[1].stale == 1

    def test_registry_slug_maps_and_references_agree(
        self, made: tuple[Path, generate.Tree], registry: dict[str, list[str]], references: dict[str, object]
    ) -> None:
        assert len(registry) == REFERENCES
        assert {row[6] for row in registry.values()} == {
            path for path in references if "superseded" not in path
        }
        mapped = set()
        for skill in (made[0] / "knowledge").glob("*/SKILL.md"):
            for slug, title, _, edition, path in cells(skill.read_text(encoding="utf-8")):
                mapped.add((skill.parent.name, slug, title, edition, f"{skill.parent.name}/{path}"))
        assert mapped == {(row[2], row[3], row[4], row[5], row[6]) for row in registry.values()}

    def test_provenance_is_complete_and_hashes_hold(
        self, registry: dict[str, list[str]], references: dict[str, tuple[dict[str, str], bytes]]
    ) -> None:
        editions = {row[3]: row[5] for row in registry.values()}
        for path, (fields, body) in references.items():
            assert list(fields) == FIELDS, path
            assert all(fields.values()), path
            assert fields["content-hash"] == "sha256:" + hashlib.sha256(body).hexdigest(), path
            if "superseded" in path:
                assert path.endswith(f"/{fields['slug']}@{fields['edition']}.md")
                assert (fields["status"], fields["edition"] < editions[fields["slug"]]) == (
                    "superseded",
                    True,
                )
            else:
                assert fields["edition"] == editions[fields["slug"]], path
        assert sum("superseded" in path for path in references) == 2

    def test_a_folder_that_exists_is_left_alone(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as stop:
            generate.main([str(tmp_path), "--specs", "1"])
        assert stop.value.code == 2
        assert "File exists" in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


class TestHonest:
    """Nothing is timed before spectastic has said that it checked everything."""

    def test_spectastic_finds_what_the_tree_holds_and_nothing_else(
        self, made: tuple[Path, generate.Tree], specs: dict[str, str]
    ) -> None:
        folder, tree = made
        report = spectastic.validate(folder)
        cited = sum(len(CITATION.findall(text)) for text in specs.values())
        assert (report.specs, report.citations) == (tree.specs, cited)
        assert {state.value: count for state, count in report.decisions.items() if count} == {
            "grounded": tree.decisions - tree.stale,
            "stale": tree.stale,
        }
        assert [finding.rule for finding in report.findings] == ["corpus-staleness"] * tree.stale

    @pytest.mark.parametrize(
        ("change", "complete"),
        [
            ({}, True),
            ({"specs": 9}, False),
            ({"decisions": {"grounded": 13, "stale": 1}}, False),
            ({"decisions": {"grounded": 15, "stale": 0}}, False),
            ({"findings": {"error": 1, "warning": 1, "info": 0}}, False),
            ({"findings": {"error": 0, "warning": 0, "info": 0}}, False),
        ],
    )
    def test_a_run_that_skipped_work_is_not_timed(
        self, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], complete: bool
    ) -> None:
        said = {
            "specs": 10,
            "decisions": {"grounded": 14, "stale": 1},
            "findings": {"error": 0, "warning": 1, "info": 0},
        }
        monkeypatch.setattr(tools, "summary", lambda _program, _folder: said | change)
        place = Place("tree", generate.Tree(specs=10, references=6, decisions=15, stale=1, size=1))
        if complete:
            scenarios.honest(place, "spectastic")
        else:
            with pytest.raises(RunError, match="spectastic found"):
                scenarios.honest(place, "spectastic")


def samples(*walls: float) -> list[Sample]:
    return [Sample(wall, wall / 2) for wall in walls]


class TestReport:
    def test_ratios_pair_neighbouring_runs(self) -> None:
        assert report.ratios(samples(1, 2, 3), samples(2, 2, 2)) == [0.5, 1.0, 1.5]

    def test_one_long_run_pairs_with_all(self) -> None:
        assert report.ratios(samples(1, 2), samples(4)) == [0.25, 0.5]

    def test_runs_that_do_not_pair_are_refused(self) -> None:
        with pytest.raises(ValueError, match="zip"):
            report.ratios(samples(1, 2, 3), samples(1, 2))

    @pytest.mark.parametrize(
        ("target", "met", "line"),
        [
            (Target("a", 0.5, [0.9, 0.4, 0.3]), True, "| a | ≤ 0.50 × | 0.40 × | 0.30 × to 0.90 × | yes |"),
            (Target("a", 0.5, [0.5]), True, "| a | ≤ 0.50 × | 0.50 × |  | yes |"),
            (Target("a", 0.5, [0.501]), False, "| a | ≤ 0.50 × | 0.50 × |  | **no** |"),
            (
                Target("b", 1 / 50, [1 / 80, 1 / 64], inverse=True),
                True,
                "| b | ≤ 1/50 | 1/71.1 | 1/80 to 1/64 | yes |",
            ),
            (Target("b", 1 / 6, [1.5], inverse=True), False, "| b | ≤ 1/6 | 1.50 × |  | **no** |"),
            (Target("c", 150, [149.6], "MB"), True, "| c | ≤ 150.0 MB | 149.6 MB |  | yes |"),
            (Target("d", 1, []), None, "| d | ≤ 1.00 × | not measured |  |  |"),
        ],
    )
    def test_a_target_is_a_line(self, target: Target, met: bool | None, line: str) -> None:
        assert target.met is met
        assert line in report.render([target], [], [], []).splitlines()

    @pytest.mark.parametrize(
        ("row", "line"),
        [
            (
                Row("s", "t", samples(0.9, 0.5, 2), 12_600_000),
                "| s | t | 3 | 900 ms | 500 ms to 2.00 s | 450 ms | 13 MB |",
            ),
            (Row("s", "t", samples(34.04)), "| s | t | 1 | 34.0 s |  | 17.0 s |  |"),
            (Row("s", "t"), "| s | t |  | not installed |  |  |  |"),
            (
                Row("s", "t", instead="t ended with exit code 3"),
                "| s | t |  | t ended with exit code 3 |  |  |  |",
            ),
            (Row("a|b", "t"), "| a\\|b | t |  | not installed |  |  |  |"),
        ],
    )
    def test_a_tool_is_a_line(self, row: Row, line: str) -> None:
        assert line in report.render([], [row], [], []).splitlines()

    def test_the_page(self) -> None:
        page = report.render([], [], [("CPU", "one"), ("Python", "two")], ["first", "second"])
        assert page.startswith("# Results\n\n")
        assert page.endswith("| CPU | one |\n| Python | two |\n\n- first\n- second\n")

    @pytest.mark.parametrize(
        ("value", "text"),
        [(0.0483, "48.3 ms"), (0.1, "100 ms"), (0.5124, "512 ms"), (1.024, "1.02 s"), (34.04, "34.0 s")],
    )
    def test_a_duration(self, value: float, text: str) -> None:
        assert report.seconds(value) == text
