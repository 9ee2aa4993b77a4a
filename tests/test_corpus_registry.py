"""The registry's reader: a case is `fixtures/registries/<name>.md` with `<name>.txt` beside it.

In the latter, `ID EDITION PATH` is a row that counts, and `! LINE:COLUMN MESSAGE ; HINT` a problem,
of whose message and hint the given parts are told. Rows and problems come in any order.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from spectastic.corpus import registry
from spectastic.corpus.model import COLUMNS, Registry
from spectastic.source import Source

FIXTURES = Path(__file__).parent.parent / "fixtures" / "registries"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.md"))


class Expected(NamedTuple):
    rows: list[str]
    problems: list[str]


def load(name: str) -> tuple[Source, Registry]:
    source = Source("index.md", (FIXTURES / f"{name}.md").read_bytes())
    return source, registry.parse(source, names=("index.md", "web"))


def expected(name: str) -> Expected:
    lines = (FIXTURES / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    wanted = [line for line in lines if line and not line.startswith("#")]
    problems = [line[2:] for line in wanted if line.startswith("!")]
    return Expected([line for line in wanted if not line.startswith("!")], problems)


def test_there_are_cases() -> None:
    assert len(NAMES) > 40


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    source, found = load(name)
    wanted = expected(name)
    assert [f"{row.id} {row.edition} {row.path}" for row in found.rows] == wanted.rows
    problems = list(found.problems)
    for line in wanted.problems:
        place, _, text = line.partition(" ")
        parts = text.split(" ; ")
        match = [
            problem
            for problem in problems
            if place == "{0.line}:{0.column}".format(source.locate(problem.span))
            and all(part in f"{problem.message} ; {problem.hint}" for part in parts)
        ]
        assert match, f"{line} is not among {[(source.locate(p.span), p.message) for p in problems]}"
        problems.remove(match[0])
    assert not problems


@pytest.mark.parametrize("name", NAMES)
def test_spans(name: str) -> None:
    source, found = load(name)
    assert found.path == "index.md"
    for row in found.rows:
        assert row.file == "index.md"
        assert set(row.cells) <= set(COLUMNS)
        assert len(row.cells) == len(list(row.cells))
        for cell in row.cells.values():
            assert row.span.start <= cell.span.start <= cell.span.end <= row.span.end
        assert row.id in source.slice(row.cells["KB-NNNN"].span) or name == "marked-up-cells"
    for problem in found.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(source.data)
        assert len(problem.message) < 250
        assert len(problem.hint) < 250


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("utf16", "lone-cr", "crlf-and-bom")])
def test_line_ends_and_byte_order_mark_change_nothing(name: str) -> None:
    source, found = load(name)
    data = b"\xef\xbb\xbf" + source.data.replace(b"\n", b"\r\n")
    other = Source("index.md", data)
    again = registry.parse(other, names=("index.md", "web"))
    assert [row[:8] for row in again.rows] == [row[:8] for row in found.rows]
    places = [source.locate(problem.span)[:4] for problem in found.problems]
    assert [other.locate(problem.span)[:4] for problem in again.problems] == places


def test_values_of_a_row() -> None:
    _, found = load("any-order-any-case")
    row = found.rows[0]
    assert row[:8] == (
        "KB-0001",
        "acme",
        "web",
        "001-x",
        "T",
        "2024-05-28",
        "web/references/001-x.md",
        "orphaned",
    )
    assert row.label == "acme · web · 001-x"
    assert row._replace(plugin="").label == "T"
    assert row.cells["Edition"].text == "2024-05-28"


def test_related_places_name_the_first_row() -> None:
    for name, line in {"duplicate-ids": 3, "one-fact-two-ids": 3, "second-table": 1}.items():
        source, found = load(name)
        for problem in found.problems:
            assert [source.locate(place.span).line for place in problem.related] == [line]
            assert problem.related[0].path == "index.md"


def test_an_older_registry_gets_a_hint() -> None:
    source, found = load("seven-columns")
    assert [hint.message for hint in found.hints] == [
        "the registry has no column Status, as registries of an older kind"
    ]
    assert source.slice(found.hints[0].span).startswith("| KB-NNNN")
    assert load("healthy")[1].hints == ()
    assert load("empty")[1].hints == ()


def test_a_pack_may_have_the_name_of_the_corpus_folder() -> None:
    source = Source("knowledge/index.md", (FIXTURES / "odd-paths.md").read_bytes())
    messages = [
        problem.message for problem in registry.parse(source, "docs/knowledge", ["knowledge"]).problems
    ]
    assert not any("begins with" in message for message in messages)
    messages = [problem.message for problem in registry.parse(source, "docs/knowledge", ["web"]).problems]
    assert any("begins with knowledge/" in message for message in messages)


def test_many_rows() -> None:
    header = (FIXTURES / "header-only.md").read_text(encoding="utf-8")
    rows = "".join(
        f"| KB-{n:05d} | acme | web | {n:05d}-x | T | 2024 | w/{n:05d}.md | |\n" for n in range(30_000)
    )
    found = registry.parse(Source("index.md", (header + rows).encode()))
    assert len(found.rows) == 30_000
    assert found.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "|" * 100_000,
        "|`" * 50_000,
        "| KB-0001 | " + "*a " * 50_000 + "|",
        "> " * 5_000 + "| KB-0001 |",
        "`|" * 50_000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_lines(text: str) -> None:
    header = (FIXTURES / "header-only.md").read_text(encoding="utf-8")
    for document in (text, header + text):
        found = registry.parse(Source("index.md", document.encode()))
        assert found.rows == ()
        assert found.problems


def test_an_endless_header() -> None:
    wide = "|a" * 20_000 + "|\n" + "|-" * 20_000 + "|\n| KB-0001 |\n"
    found = registry.parse(Source("index.md", wide.encode()))
    assert [problem.message for problem in found.problems] == [
        "index.md has no table with the columns of a registry"
    ]
