"""Registering documents: files, rows of the registry and rows of slug maps, all in one go.

Every command that gives ids goes through here, so that they mint, check and write in the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import tables as markdown
from spectastic.corpus.layout import REGISTRY, SLUG_MAP, choose
from spectastic.corpus.model import ORPHANED, Outcome, says_nothing
from spectastic.curate import ids, packs, refusals, tables
from spectastic.curate.plan import CurateError, FileChange
from spectastic.source import Source
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.layout import Layout
    from spectastic.corpus.model import SlugEntry
    from spectastic.corpus.tables import Table
    from spectastic.curate.workspace import Workspace


class Entry(NamedTuple):
    """A document to register: `data` is the whole file, frontmatter included, and says the same.

    `path` is where it stands or will stand, relative to the root; "" for `<pack>/references/<slug>.md`.
    `plugin` is the name of the pack where it was published, "" for that of its folder. `about` is the
    description of the pack, for the `SKILL.md` of a new one. `id` is one that the document has already, ""
    for a new one. `status` is that of the row; a document that is `orphaned` is not there, nor in a slug map.
    """

    pack: str
    slug: str
    title: str
    edition: str
    marketplace: str
    data: bytes
    description: str = ""
    path: str = ""
    plugin: str = ""
    about: str = ""
    id: str = ""
    status: str = ""


class Registered(NamedTuple):
    """What came of entries, in their order: the changes, and each one's id and path."""

    changes: tuple[FileChange, ...]
    ids: tuple[str, ...]
    paths: tuple[str, ...]


def register(workspace: Workspace, entries: Sequence[Entry]) -> Registered:
    """Give documents ids. Raises `CurateError` where one of them cannot be registered."""
    if not entries:
        return Registered((), (), ())
    kept = frozenset(entry.id for entry in entries)
    refusals.refuse_corpus(workspace, kept)
    for entry in entries:
        refusals.refuse_entry(workspace, entry)
    paths = tuple(entry.path or packs.document_path(workspace, entry.pack, entry.slug) for entry in entries)
    refusals.refuse_twice(workspace, entries, paths)
    known = ids.taken(workspace) | kept
    free = ids.free_ids(workspace.corpus.registry, known, ids.mentioned(workspace))
    found = tuple(entry.id or next(free) for entry in entries)
    documents = [
        FileChange(path, workspace.read(path), entry.data)
        for entry, path in zip(entries, paths, strict=True)
        if entry.status != ORPHANED
    ]
    mapped: dict[str, list[tuple[Entry, str]]] = {}
    for entry, path in zip(entries, paths, strict=True):
        mapped.setdefault(entry.pack, []).append((entry, path))
    skills = [_skill(workspace, pack, items) for pack, items in mapped.items()]
    changes = (*documents, *skills, _registry(workspace, entries, found, paths))
    _refuse_outcome(workspace.with_changes(changes).corpus, entries, found, paths)
    return Registered(changes, found, paths)


def _refuse_outcome(
    corpus: Corpus, entries: Sequence[Entry], found: Sequence[str], paths: Sequence[str]
) -> None:
    """Refuse to give ids that would lead to anything but these documents."""
    for entry, identifier, path in zip(entries, found, paths, strict=True):
        if entry.status == ORPHANED or says_nothing(entry.edition):
            continue
        led = corpus.find(identifier, entry.edition)
        if (led.outcome, led.path) != (Outcome.CURRENT, path):
            why = led.detail or f"it leads to {led.path or 'nothing'}"
            raise CurateError(
                f"{identifier}@{short(entry.edition)} would not lead to {path}: {why}",
                "`spectastic validate` says what is wrong with the corpus",
            )


def _registry(
    workspace: Workspace, entries: Sequence[Entry], found: Sequence[str], paths: Sequence[str]
) -> FileChange:
    path = workspace.registry
    before = workspace.read(path)
    source, table = _with_table(
        Source(path, before) if before else None, path, REGISTRY, tables.new_registry()
    )
    rows = [
        {
            "KB-NNNN": identifier,
            "Marketplace": entry.marketplace,
            "Plugin": entry.plugin or entry.pack,
            "Slug": entry.slug,
            "Title": entry.title,
            "Edition": entry.edition,
            "Path": place.removeprefix(f"{workspace.folder}/"),
            "Status": entry.status,
        }
        for entry, identifier, place in zip(entries, found, paths, strict=True)
    ]
    return FileChange(path, before, tables.append_rows(source, table, rows))


def _skill(workspace: Workspace, pack: str, items: Sequence[tuple[Entry, str]]) -> FileChange:
    """The `SKILL.md` of a pack, with a row of its slug map for each entry."""
    home = f"{workspace.folder}/{pack}"
    path = f"{home}/SKILL.md"
    before = workspace.read(path)
    about = next((entry.about for entry, _ in items if entry.about), "") or _about(pack)
    source = workspace.source(path) if before else None
    source, table = _with_table(source, path, SLUG_MAP, tables.new_skill(pack, about))
    mapped = {entry.slug: entry for entry in packs.slug_map(workspace, pack)}
    changed: list[tuple[SlugEntry, dict[str, str]]] = []
    added: list[dict[str, str]] = []
    for entry, place in items:
        if entry.status == ORPHANED:
            continue
        values = {"Slug": entry.slug, "Edition": entry.edition, "Path": place.removeprefix(f"{home}/")}
        texts = {"Title": entry.title, "Description": entry.description}
        known = mapped.get(entry.slug)
        if known is None:
            added.append({**values, **texts})
        else:
            blank = {name: text for name, text in texts.items() if not known.cells[name].text}
            changed.append((known, {**values, **blank}))
    if changed:
        source = Source(path, tables.set_rows(source, changed))
        table = _table(source, SLUG_MAP)
    return FileChange(path, before, tables.append_rows(source, table, added))


def _about(pack: str) -> str:
    words = pack.replace("-", " ").replace("_", " ")
    return (
        f"References on {words}, each with its edition and license. Use when a spec states a fact about it."
    )


def _with_table(source: Source | None, path: str, layout: Layout, new: str) -> tuple[Source, Table]:
    """A file with its table of a kind: as it is, with an empty one at its end, or made anew."""
    if source is None:
        source = Source(path, new.encode())
    choice = choose(markdown.read(source).tables, layout, source)
    if choice.table is not None:
        return source, choice.table
    for problem in choice.problems:
        line = source.line_of(problem.span.start)
        raise CurateError(f"{path}:{line}: {problem.message}", problem.hint)
    eol = "\r\n" if b"\r\n" in source.data else "\n"
    gap = eol if source.data.endswith((b"\n", b"\r")) else eol * 2
    source = Source(path, source.data + (gap + tables.head(layout.columns).replace("\n", eol)).encode())
    return source, _table(source, layout)


def _table(source: Source, layout: Layout) -> Table:
    table = choose(markdown.read(source).tables, layout, source).table
    if table is None:
        raise CurateError(
            f"{source.path} has no {layout.what}, and one at its end would not be seen",
            "close the comment, the code block or the HTML that is open there",
        )
    return table
