"""Single-layer corpora, an older kind: the documents carry their ids themselves.

A pack then has an `index.md` of five columns, and each document `id: KB-NNN` in its frontmatter.
Rows made from them let everything else work as it does with a registry. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import tables
from spectastic.corpus.layout import ID, ID_HINT, PACK_INDEX, Cells, Texts, choose, rows
from spectastic.corpus.model import NOWHERE, Cell, Row
from spectastic.findings import Problem, Related, Span
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spectastic.corpus.model import Reference
    from spectastic.source import Source


class Legacy(NamedTuple):
    """Rows made from packs, what is wrong with their indexes, and a hint for each such pack.

    `claims` are rows that do not count, each with the one that has its id.
    """

    rows: tuple[Row, ...]
    problems: tuple[tuple[str, Problem], ...]
    hints: tuple[tuple[str, Problem], ...]
    claims: tuple[tuple[Row, Row], ...] = ()


def merge(packs: Iterable[tuple[str, str, Source | None, Sequence[Reference]]], registry: str) -> Legacy:
    """The rows of all packs: each one's name and folder, its `index.md`, its current documents.

    The index of a pack comes before the documents it does not name, and where two packs claim an
    id, the first one has it. `registry` is the path of the registry, which hints speak of.
    """
    kept: dict[str, Row] = {}
    problems: list[tuple[str, Problem]] = []
    hints: list[tuple[str, Problem]] = []
    claims: list[tuple[Row, Row]] = []
    for name, folder, index, documents in packs:
        found: list[Row] = []
        if index is not None:
            indexed, faults = _index_rows(index, name, documents)
            found += indexed
            problems += ((index.path, problem) for problem in faults)
        listed = {row.id for row in found}
        found += (row for row in _document_rows(documents, name) if row.id not in listed)
        for row in found:
            first = kept.setdefault(row.id, row)
            if first is not row:
                claims.append((row, first))
                problems.append((row.file, _duplicate(row, first)))
        if found:
            hints.append((found[0].file, _hint(name, folder, registry)))
    return Legacy(tuple(kept.values()), tuple(problems), tuple(hints), tuple(claims))


def _index_rows(source: Source, pack: str, documents: Sequence[Reference]) -> tuple[list[Row], list[Problem]]:
    choice = choose(tables.read(source).tables, PACK_INDEX, source)
    problems = [*source.problems, *choice.problems]
    places = {("KB-NNNN" if name == "ID" else name): place for name, place in choice.places.items()}
    slugs = {document.path: _slug(document) for document in documents}
    folder = source.path.rpartition("/")[0]
    found: list[Row] = []
    for item in rows(choice, PACK_INDEX):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        row = _row(Texts(*item, places), item[0].span, Cells(item[0], places), pack, source.path)
        if ID.fullmatch(row.id):
            path = row.path.removeprefix(f"{pack}/")
            found.append(row._replace(slug=slugs.get(f"{folder}/{path}", ""), path=f"{pack}/{path}"))
        else:
            said = short(row.id) or "a blank cell"
            message = f"{said} is no id, so this row of the pack index does not count"
            problems.append(Problem(row.cells["KB-NNNN"].span, message, ID_HINT, said))
    return found, problems


def _row(text: Texts, span: Span, cells: Mapping[str, Cell], pack: str, file: str) -> Row:
    return Row(
        text["KB-NNNN"], "", pack, "", text["Title"], text["Edition"], text.path, "", cells, span, file
    )


def _document_rows(documents: Sequence[Reference], pack: str) -> Iterator[Row]:
    for document in documents:
        identifier = document.value("id")
        if ID.fullmatch(identifier):
            edition = document.value("edition")
            inside = document.path.partition("/references/")[2]
            yield Row(
                id=identifier,
                marketplace="",
                plugin=pack,
                slug=_slug(document),
                title=document.value("title") or _slug(document),
                edition=edition,
                path=f"{pack}/references/{inside}",
                status="",
                cells={
                    "KB-NNNN": Cell(identifier, document.span("id")),
                    "Edition": Cell(edition, document.span("edition")),
                },
                span=document.span("id"),
                file=document.path,
            )


def _slug(document: Reference) -> str:
    """The slug of a document; its file name stands in where it has none."""
    return document.value("slug") or document.path.rpartition("/")[2].removesuffix(".md")


def _duplicate(row: Row, first: Row) -> Problem:
    name = short(row.id, 40)
    message = f"{name} is claimed twice, and {first.file} came first"
    related = (Related(first.file, first.span, f"the {name} that counts"),)
    return Problem(row.span, message, "give this document an id of its own", name, related)


def _hint(name: str, folder: str, registry: str) -> Problem:
    message = f"{folder} is a single-layer pack, of an older kind: its documents carry their ids themselves"
    from shlex import quote

    migrate = f"`spectastic corpus migrate {quote(name)}`"
    hint = f"{migrate} gives each document a slug, and each id a row in {registry}"
    return Problem(NOWHERE, message, hint, folder)
