"""Where findings are: lines and columns, of related places too, and nothing from outside of the root."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, row
from test_engine import decision, fact, place, place_of_related
from trees import Link, tree

from spectastic import engine
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.findings import Finding, Severity, Span
from spectastic.locate import Locator
from spectastic.source import Source

if TYPE_CHECKING:
    from pathlib import Path


def places(root: Path, rule: str) -> list[tuple[str, str]]:
    """The place of each finding and the one that is related to it."""
    findings = engine.validate(Settings(str(root), select=(rule,))).findings
    return [(place(finding), place_of_related(finding)) for finding in findings]


def test_related_places(tmp_path: Path) -> None:
    """Far more files than are kept at hand, each with a place in the registry and one of its own."""
    numbers = range(1, 41)
    rows = "".join(row(number, "é", f"p/references/{number:03d}-x.md") for number in numbers)
    files: dict[str, str | bytes | Link | None] = {
        f"knowledge/p/references/{number:03d}-x.md": "\ufeff" * (number % 2)
        + fact(f"{number:03d}-x", f"{number}")
        for number in numbers
    }
    files["knowledge/index.md"] = f"# Ä registry\n\n{HEADER}{rows}"
    expected = [
        (f"knowledge/index.md:{number + 4}:38", f"knowledge/p/references/{number:03d}-x.md:3:10")
        for number in numbers
    ]
    assert places(tree(tmp_path, files), "corpus-edition-drift") == expected


def test_related_places_of_specs(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = {
        "knowledge/index.md": f"\n\n{HEADER}{row(1, '1', 'p/references/001-x.md')}",
        "knowledge/p/references/001-x.md": fact(),
        "knowledge/p/references/superseded/001-x@0.md": fact(edition="0", status="superseded"),
    }
    for number in range(60):
        files[f"{number:02d}.md"] = decision("é" * number + " KB-0001@0")
    expected = [(f"{number:02d}.md:3:{number + 2}", "knowledge/index.md:5:38") for number in range(60)]
    assert places(tree(tmp_path, files), "corpus-staleness") == expected


def test_findings_about_other_files(tmp_path: Path) -> None:
    """A file at hand is taken for its own findings only, and what cannot be read is left without a place."""
    root = tree(tmp_path, {"a.md": "a\n\nb\n", "b.md": "éé\n"})
    names = ("b.md", "none.md", "a.md")
    findings = [Finding("rule", Severity.ERROR, "message", name, Span(2, 3)) for name in names]
    located = Locator(str(root)).locate(findings, Source("a.md", b"a\n\nb\n"))
    assert [place(finding) for finding in located] == ["a.md:2:1", "b.md:1:2", "none.md:1:1"]


SECRET = "TOP-SECRET"


@pytest.mark.parametrize("output", ["full", "concise", "json"])
def test_nothing_outside_of_the_root_is_shown(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "repository-of-others"
    tree(
        outside,
        {
            "a.md": f"{SECRET}\n{decision(f'KB-0009@{SECRET}')}",
            "pack/SKILL.md": f"{SECRET}\n",
            "pack/references/009-x.md": f"{SECRET}\n",
        },
    )
    root = tree(
        tmp_path / "repository",
        {
            ".git": None,
            "a.md": Link("../repository-of-others/a.md"),
            "b.md": Link(str(outside / "a.md")),
            "folder": Link("../repository-of-others"),
            "knowledge/index.md": HEADER
            + row(1, "1", "web/references/001-x.md")
            + row(2, "1", "web/references/002-y.md", "002-y")
            + row(3, "1", "../../repository-of-others/a.md", "003-z"),
            "knowledge/web/SKILL.md": Link("../../../repository-of-others/pack/SKILL.md"),
            "knowledge/web/references/001-x.md": Link("../../../../repository-of-others/a.md"),
            "knowledge/web/references/superseded/001-x@0.md": Link(str(outside / "a.md")),
            "knowledge/pack": Link(str(outside / "pack")),
            "c.md": decision("KB-0001@1 KB-0001@0 KB-0002@1 KB-0003@1"),
        },
    )
    monkeypatch.chdir(root)
    assert main(["validate", "--format", output, "--color", "never"]) == 1
    out, err = capsys.readouterr()
    assert SECRET not in out + err
    for path in ("a.md", "b.md", "c.md", "knowledge/web/references/001-x.md", "knowledge/pack"):
        assert path in out, "each link is told"


def test_a_link_that_stays_inside_is_read_and_shown(tmp_path: Path) -> None:
    root = tree(tmp_path, {"a.md": Link("sub/text.txt"), "sub/text.txt": decision("é KB-0009@1")})
    (finding,) = engine.validate(Settings(str(root))).findings
    assert (place(finding), finding.location.excerpt) == ("a.md:3:3", "é KB-0009@1")
