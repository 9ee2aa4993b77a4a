from __future__ import annotations

from typing import TYPE_CHECKING

from corpora import HEADER, cited, corpus, row, told

from spectastic.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from trees import Link

    from spectastic.corpus import Corpus

    Files = dict[str, str | bytes | Link | None]

INDEX = "| ID | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
WEB = "knowledge/web"


def fact(identifier: str, edition: str, slug: str = "", title: str = "") -> str:
    fields = {"id": identifier, "slug": slug, "title": title, "edition": edition}
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items() if value) + "---\nText.\n"


FILES: Files = {
    f"{WEB}/SKILL.md": "---\nname: web\ndescription: d\n---\n",
    f"{WEB}/index.md": INDEX
    + "| KB-001 | Contrast | D | 2022 | references/contrast.md |\n"
    + "| KB-002 | Focus | D | 2023 | web/references/focus.md |\n"
    + "| KB-003 | Gone | D | 2023 | references/gone.md |\n"
    + "| KB-4 | Odd | D | 2023 | references/odd.md |\n"
    + "| | Blank | D | 2023 | references/odd.md |\n"
    + "| KB-005 | Short |\n",
    f"{WEB}/references/contrast.md": fact("KB-001", "2022", "001-contrast"),
    f"{WEB}/references/focus.md": fact("KB-002", "2023"),
    f"{WEB}/references/own.md": fact("KB-006", "2020", title="Own title"),
    f"{WEB}/references/none.md": "no frontmatter",
    f"{WEB}/references/superseded/001-contrast@2018.md": fact("KB-001", "2018", "001-contrast"),
    f"{WEB}/references/superseded/old.md": fact("KB-002", "2019"),
    "knowledge/yet/references/a.md": fact("KB-006", "2021", "006-own"),
    "knowledge/yet/references/b.md": fact("KB-007", "2021", "007-more"),
}

TOKENS = {
    "KB-001@2022": f"current 2022 {WEB}/references/contrast.md",
    "KB-001": f"current 2022 {WEB}/references/contrast.md",
    "KB-001@2018.": f"superseded 2018 {WEB}/references/superseded/001-contrast@2018.md",
    "KB-002@2023": f"current 2023 {WEB}/references/focus.md",
    "KB-002@2019": f"superseded 2019 {WEB}/references/superseded/old.md",
    "KB-003@2023": f"nothing: document missing (there is no gone.md in {WEB}/references)",
    "KB-006@2020": f"current 2020 {WEB}/references/own.md",
    "KB-006@2021": "nothing: no such edition",
    "KB-007@2021": "current 2021 knowledge/yet/references/b.md",
    "KB-005@2023": "nothing: no such id",
    "KB-0001@2022": "nothing: no such id",
}


def problems(found: Corpus) -> list[tuple[str, str]]:
    return [(path, problem.message) for path, problem in found.problems]


def check(found: Corpus) -> None:
    for token, expected in TOKENS.items():
        assert told(found.resolve(cited(token))) == expected, token
    assert found.nearest("KB-0001") == "KB-001"
    assert found.editions("KB-001") == ("2022", "2018")
    assert problems(found) == [
        (f"{WEB}/index.md", "KB-4 is no id, so this row of the pack index does not count"),
        (f"{WEB}/index.md", "a blank cell is no id, so this row of the pack index does not count"),
        (f"{WEB}/index.md", "KB-005 has 2 cells where the header has 5"),
        ("knowledge/yet/references/a.md", f"KB-006 is claimed twice, and {WEB}/references/own.md came first"),
    ]
    assert [(path, hint.message.split(",")[0]) for path, hint in found.hints] == [
        (f"{WEB}/index.md", f"{WEB} is a single-layer pack"),
        ("knowledge/yet/references/a.md", "knowledge/yet is a single-layer pack"),
    ]


def test_single_layer_packs_resolve(tmp_path: Path) -> None:
    found = corpus(tmp_path, FILES)
    check(found)
    assert found.registry.exists is False
    assert list(found.rows) == ["KB-001", "KB-002", "KB-003", "KB-006", "KB-007"]


def test_a_registry_without_rows_changes_nothing(tmp_path: Path) -> None:
    found = corpus(tmp_path, {**FILES, "knowledge/index.md": HEADER})
    check(found)
    assert found.registry.exists is True


def test_a_registry_with_rows_is_the_only_authority(tmp_path: Path) -> None:
    found = corpus(tmp_path, FILES, row(9, "2022", "web/references/contrast.md", "001-contrast"))
    assert list(found.rows) == ["KB-0009"]
    assert told(found.resolve(cited("KB-001@2022"))) == "nothing: no such id"
    assert told(found.resolve(cited("KB-0009@2018"))).startswith("superseded 2018")
    assert problems(found) == []
    assert found.hints == ()


def test_rows_say_where_they_stand(tmp_path: Path) -> None:
    found = corpus(tmp_path, FILES)
    indexed, own = found.rows["KB-001"], found.rows["KB-006"]
    assert indexed[:8] == (
        *("KB-001", "", "web", "001-contrast", "Contrast", "2022", "web/references/contrast.md", ""),
    )
    assert (indexed.label, own.label, own.path) == ("Contrast", "Own title", "web/references/own.md")
    assert (found.rows["KB-007"].title, found.rows["KB-002"].slug) == ("007-more", "focus")
    for entry, cells in ((indexed, ("KB-001", "2022")), (own, ("KB-006", "2020"))):
        source = Source(entry.file, (tmp_path / entry.file).read_bytes())
        assert source.slice(entry.span)
        assert tuple(source.slice(entry.cells[name].span) for name in ("KB-NNNN", "Edition")) == cells


def test_an_index_that_is_none(tmp_path: Path) -> None:
    files: Files = {
        f"{WEB}/index.md": "# Notes\n",
        f"{WEB}/references/a.md": "text",
        "knowledge/big/index.md": b"x" * 20_000_001,
    }
    found = corpus(tmp_path, files)
    assert found.rows == {}
    assert problems(found) == [
        ("knowledge/index.md", "the corpus has documents and no registry, so nobody can cite them"),
        (
            "knowledge/big/index.md",
            "the file is too large: 20,000,001 bytes, more than the 20,000,000 that are read",
        ),
    ]
    assert found.hints == ()


def test_seven_columns_give_a_hint(tmp_path: Path) -> None:
    text = "| KB | Marketplace | Plugin | Slug | Title | Edition | Path |\n|---|---|---|---|---|---|---|\n"
    entry = "| KB-0001 | acme | web | 001-x | T | 2024 | web/references/001-x.md |\n"
    files: Files = {"knowledge/index.md": text + entry, f"{WEB}/references/001-x.md": "x"}
    found = corpus(tmp_path, files)
    assert told(found.find("KB-0001", "2024")) == f"current 2024 {WEB}/references/001-x.md"
    assert [(path, hint.message) for path, hint in found.hints] == [
        ("knowledge/index.md", "the registry has no column Status, as registries of an older kind")
    ]
    assert problems(found) == []
