"""`corpus migrate`: a single-layer pack, whose documents carry their ids, gets rows in a registry.

The `id` of a document goes, and its slug takes that line: from then on the registry alone says which
fact an id is, and a second place that says so could only disagree with it. Texts, hashes, and the paths
of current documents stay; a retained document is named after its slug.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import body
from spectastic.corpus import tables as markdown
from spectastic.corpus.layout import PACK_INDEX, SLUG, choose
from spectastic.corpus.model import ORPHANED, Outcome, says_nothing
from spectastic.curate import documents, names, packs, register, slugs, tables, texts
from spectastic.curate.migrating import older
from spectastic.curate.plan import CurateError, FileChange, Plan, merged
from spectastic.rules import corpus_append_only
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.workspace import Workspace
    from spectastic.source import Source


class _Item(NamedTuple):
    """A row of an older kind, its new slug, and its current document (`None` where that is missing)."""

    row: Row
    slug: str
    document: Reference | None


class _Done(NamedTuple):
    """What becomes of documents: the changes, what programs are told, and what people are.

    `taken` are the names in a folder, as they compare on systems that ignore case.
    """

    changes: list[FileChange]
    told: list[dict[str, object]]
    notes: list[str]
    taken: dict[str, set[str]]


def plan_migrate(workspace: Workspace, pack: str, marketplace: str = "") -> Plan:
    """Give the documents of a pack (of all packs, for "") rows in the registry. Raises `CurateError`.

    `marketplace` is where the packs are published.
    """
    waiting = older.waiting(workspace)
    chosen = older.chosen(workspace, pack, waiting)
    if not chosen:
        return Plan((), _result((), (), (), ()), (older.already(workspace, pack),))
    older.refuse_claims(workspace, {name: waiting[name] for name in chosen})
    before = older.without_registry(workspace)
    entries: list[register.Entry] = []
    retained = _Done([], [], [], {})
    for name in chosen:
        items = _items(workspace, name, waiting[name], before)
        published = _marketplace(workspace, name, marketplace)
        entries += (_entry(workspace, item, published, retained.notes) for item in items)
        for item in items:
            _retain(workspace, item, before, retained)
    done = register.register(workspace, entries)
    indexes, kept = _indexes(workspace, chosen)
    changes = merged([*done.changes, *retained.changes, *indexes])
    _refuse_loss(workspace, changes, before, [entry.id for entry in entries])
    result = _result(chosen, entries, retained.told, [change.path for change in indexes])
    return Plan(changes, result, tuple(_notes(workspace, entries, chosen, (*retained.notes, *kept))))


def _result(
    packs: Sequence[str],
    entries: Iterable[register.Entry],
    retained: Sequence[dict[str, object]],
    removed: Sequence[str],
) -> dict[str, object]:
    references = [
        {
            "id": entry.id,
            "pack": entry.pack,
            "slug": entry.slug,
            "edition": entry.edition,
            "path": entry.path,
            "status": entry.status,
        }
        for entry in entries
    ]
    return {
        "packs": list(packs),
        "references": references,
        "retained": list(retained),
        "removed": list(removed),
    }


def _items(workspace: Workspace, pack: str, rows: Sequence[Row], before: Corpus) -> list[_Item]:
    """The rows of a pack with slugs: those that they have, or the words of file names with new numbers."""
    current = {item.path: item for item in before.references if not item.superseded}
    own = [row.slug or slugs.stem(row.path.rpartition("/")[2]) for row in rows]
    registered = older.registered(workspace).values()
    used = {row.slug.casefold() for row in registered if pack in (row.plugin, row.path.split("/")[0])}
    ordinal = packs.last_ordinal([*packs.slugs(workspace, pack), *own])
    found: list[_Item] = []
    for row, name in zip(rows, own, strict=True):
        document = current.get(f"{workspace.folder}/{row.path}")
        slug = name
        if not SLUG.fullmatch(name) or name.casefold() in used:
            ordinal += 1
            words = slugs.of_name(name) or slugs.words(row.title) or slugs.NAMELESS
            slug = packs.numbered(ordinal, words)
        used.add(slug.casefold())
        found.append(_Item(row, slug, document))
    return found


def _marketplace(workspace: Workspace, pack: str, given: str) -> str:
    found = given if not says_nothing(given) else packs.default_marketplace(workspace, pack)
    if says_nothing(found):
        raise CurateError("nobody says where the packs are published", "add --marketplace NAME")
    return found


def _entry(workspace: Workspace, item: _Item, marketplace: str, notes: list[str]) -> register.Entry:
    row, document = item.row, item.document
    path = f"{workspace.folder}/{row.path}"
    data = (workspace.read(path) if document else None) or b""
    title = row.title
    if says_nothing(title) or title == slugs.stem(path.rpartition("/")[2]):
        title = texts.outline(documents.text(data).decode("utf-8", "replace")).heading or item.slug
    if document is None:
        notes.append(f"{row.id} is marked {ORPHANED}, since {path} is not there: restore it, or leave it so")
    described = row.cells.get("Description")
    return register.Entry(
        pack=row.plugin,
        slug=item.slug,
        title=item.slug if tables.plain(title) in ("", "TODO") else title,
        edition="TODO" if says_nothing(row.edition) else row.edition,
        marketplace=marketplace,
        data=_renamed(document, data, item.slug, notes) if document else data,
        description=described.text if described else "",
        path=path,
        id=row.id,
        status="" if document else ORPHANED,
    )


def _renamed(document: Reference, data: bytes, slug: str, notes: list[str]) -> bytes:
    """A document with its slug in the place of its id; as it is where that cannot be written."""
    if not document.fields:
        why = document.unreadable or "there is no frontmatter that could hold its slug"
        notes.append(f"{document.path} stays as it is: {why}")
        return data
    try:
        return documents.with_field_for(data, "id", "slug", slug)
    except CurateError as error:
        notes.append(f"{document.path} stays as it is, write slug: {slug} for its id: {error.message}")
        return data


def _retain(workspace: Workspace, item: _Item, before: Corpus, done: _Done) -> None:
    """Let the retained editions of a reference go by its slug."""
    for edition in before.editions(item.row.id):
        found = before.find(item.row.id, edition)
        document = before.reference_for(found)
        if found.outcome is not Outcome.SUPERSEDED or document is None:
            continue
        data = workspace.read(found.path) or b""
        after = _renamed(document, data, item.slug, done.notes)
        path = _retained_path(workspace, found.path, f"{item.slug}@{edition}.md", done)
        if path == found.path:
            done.changes.append(FileChange(path, data, after))
        else:
            done.changes.extend((FileChange(found.path, data, None), FileChange(path, None, after)))
        done.told.append({"id": item.row.id, "edition": edition, "from": found.path, "path": path})


def _retained_path(workspace: Workspace, path: str, name: str, done: _Done) -> str:
    """Where a retained document is to be called `name`: where it is, if it is called so, or cannot be."""
    folder, _, known = path.rpartition("/")
    if known == name:
        return path
    taken = done.taken.get(folder)
    if taken is None:
        taken = done.taken[folder] = set(map(names.folded, workspace.names(folder)))
    why = names.refuse(name) or ("is taken" if names.folded(name) in taken else "")
    if why:
        done.notes.append(f"{path} keeps its name: {short(name)} {why}")
        return path
    taken.add(names.folded(name))
    return f"{folder}/{name}"


def _indexes(workspace: Workspace, packs: Iterable[str]) -> tuple[list[FileChange], list[str]]:
    """The indexes of packs that go, and why others do not."""
    faulty = {path for path, _ in workspace.corpus.older.problems}
    gone: list[FileChange] = []
    kept: list[str] = []
    for pack in packs:
        path = f"{workspace.folder}/{pack}/index.md"
        source = workspace.source(path)
        rest = None if source is None else _beside_table(source)
        if source is None or rest is None:
            continue
        if rest or path in faulty:
            what = "says more than its table" if rest else "has rows that do not count"
            kept.append(f"{path} is left, since it {what}: its ids do not count any more, take the table out")
        else:
            gone.append(FileChange(path, source.data, None))
    return gone, kept


def _beside_table(source: Source) -> str | None:
    """What an index says beside its table and a heading above it; `None` where it has no such table."""
    table = choose(markdown.read(source).tables, PACK_INDEX, source).table
    if table is None:
        return None
    end = source.data.find(b"\n", table.header.span.end) + 1
    end = source.data.find(b"\n", end)
    last = max(table.rows[-1].span.end if table.rows else 0, len(source.data) if end < 0 else end)
    lines = (source.data[source.base : table.header.span.start] + source.data[last:]).decode().split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return "" if len(said) <= 1 and all(line.startswith("#") for line in said) else " ".join(said)


def _refuse_loss(
    workspace: Workspace, changes: Sequence[FileChange], before: Corpus, ids: Sequence[str]
) -> None:
    """Refuse what would let a citation lead to something else than it does."""
    after = workspace.with_changes(changes).corpus
    moved = dict.fromkeys(ids, before)
    for identifier in {**dict.fromkeys(workspace.corpus.rows), **moved}:
        then = moved.get(identifier, workspace.corpus)
        for edition in (None, *then.editions(identifier)):
            if _led(then, identifier, edition) != _led(after, identifier, edition):
                cited = f"{identifier}@{edition}" if edition else identifier
                raise CurateError(
                    f"this would break the corpus: {short(cited)} would not lead to the same text",
                    "run `spectastic validate`, and correct what it says of the pack",
                )
    for finding in corpus_append_only.check(after, workspace.corpus):
        message = f"this would break the corpus: {finding.path}: {finding.message}"
        raise CurateError(message, finding.hint)


def _led(corpus: Corpus, identifier: str, edition: str | None) -> tuple[Outcome, str | None, bytes] | None:
    """What a citation leads to, with its text."""
    found = corpus.find(identifier, edition)
    document = body.document(corpus, found)
    return None if document is None else (found.outcome, found.edition, document[1].data)


def _notes(
    workspace: Workspace, entries: Sequence[register.Entry], packs: Sequence[str], more: Iterable[str]
) -> Iterator[str]:
    named = ", ".join(packs)
    yield f"the ids of {named} stand in {workspace.registry} now, and every citation leads where it did:"
    yield from (f"  {entry.id}  {entry.slug}" for entry in entries)
    for pack in packs:
        if not workspace.exists(f"{workspace.folder}/{pack}/SKILL.md"):
            path = f"{workspace.folder}/{pack}/SKILL.md"
            yield f"{path} is new: say in its description when to use the pack"
    yield from more
