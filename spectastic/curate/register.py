"""Registering documents: files, rows of the registry and rows of slug maps, all in one go.

Every command that gives ids goes through here, so that they mint, check and write in the same way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus import tables as markdown
from spectastic.corpus.layout import REGISTRY, SLUG, SLUG_HINT, SLUG_MAP, choose
from spectastic.corpus.model import ORPHANED
from spectastic.curate import ids, names, tables
from spectastic.curate.plan import CurateError, FileChange
from spectastic.frontmatter import conflict_problems
from spectastic.source import Source
from spectastic.spec.citation import Token, find
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from spectastic.corpus.layout import Layout
    from spectastic.corpus.model import Row, SlugEntry
    from spectastic.corpus.tables import Table
    from spectastic.curate.workspace import Workspace

#: What the name of a new pack is like.
PACK = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_PACK = 64
_ORDINAL = re.compile(r"([0-9]{1,4})-")


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
    refuse_corpus(workspace, kept)
    for entry in entries:
        _refuse_entry(workspace, entry)
    paths = tuple(entry.path or document_path(workspace, entry.pack, entry.slug) for entry in entries)
    _refuse_twice(workspace, entries, paths)
    known = ids.taken(workspace) | kept
    free = ids.free_ids(workspace.corpus.registry, known, ids.mentioned(workspace))
    found = tuple(entry.id or next(free) for entry in entries)
    documents = [
        FileChange(path, workspace.read(path), entry.data)
        for entry, path in zip(entries, paths, strict=True)
        if entry.status != ORPHANED
    ]
    packs: dict[str, list[tuple[Entry, str]]] = {}
    for entry, path in zip(entries, paths, strict=True):
        packs.setdefault(entry.pack, []).append((entry, path))
    skills = [_skill(workspace, pack, items) for pack, items in packs.items()]
    changes = (*documents, *skills, _registry(workspace, entries, found, paths))
    return Registered(tuple(changes), found, paths)


def document_path(workspace: Workspace, pack: str, slug: str) -> str:
    """Where the document of a slug stands, relative to the root."""
    return f"{workspace.folder}/{pack}/references/{slug}.md"


def next_slug(known: Iterable[str], words: str) -> str:
    """A slug as it is, or `words` with the ordinal after those of `known`: `003-settlement-cycle`.

    `known` are the slugs of the pack, see `slugs`.
    """
    if SLUG.fullmatch(words):
        return words
    return numbered(last_ordinal(known) + 1, words)


def last_ordinal(known: Iterable[str]) -> int:
    """The highest number that a slug begins with, 0 where none does."""
    return max((int(match[1]) for name in known if (match := _ORDINAL.match(name))), default=0)


def numbered(ordinal: int, words: str) -> str:
    """A slug of a number and words: `003-settlement-cycle`."""
    return f"{ordinal:03d}-{words}"


def slugs(workspace: Workspace, pack: str) -> dict[str, str]:
    """Every slug that a pack has or had, each with where it was found."""
    corpus = workspace.corpus
    rows = corpus.rows.values()
    found = {row.slug: row.id for row in rows if pack in (row.plugin, row.path.split("/")[0])}
    for entry in _entries(workspace, pack):
        found.setdefault(entry.slug, f"{pack}/SKILL.md")
    for reference in corpus.references:
        if reference.pack == pack:
            name = reference.path.rpartition("/")[2].removesuffix(".md")
            for slug in (reference.value("slug"), name.partition("@")[0] if reference.superseded else name):
                found.setdefault(slug, reference.path)
    found.pop("", None)
    return found


def default_marketplace(workspace: Workspace, pack: str) -> str:
    """The marketplace of a pack's rows; else the only one in the registry; else that of marketplace.json."""
    rows = workspace.corpus.rows.values()
    for named in (
        {row.marketplace for row in rows if row.plugin == pack and row.marketplace},
        {row.marketplace for row in rows if row.marketplace},
    ):
        if len(named) == 1:
            return named.pop()
    return _published(workspace)


def _published(workspace: Workspace) -> str:
    """The name in marketplace.json."""
    from json import loads

    try:
        name = loads(workspace.read(f"{workspace.folder}/marketplace.json") or b"{}")["name"]
    except (ValueError, KeyError, TypeError):
        return ""
    return name if isinstance(name, str) else ""


def refuse_edition(slug: str, edition: str) -> str:
    """Why a document cannot have an edition, as a clause about it; "" where it can.

    It must be one that a citation can name, and that the name of a retained copy can hold.
    """
    token = next(find(f"KB-0001@{edition}"), None)
    if not isinstance(token, Token) or token.run != edition:
        return "holds what no citation can (a blank, <, ` or an id), so nobody could cite it"
    if printable(edition) != edition:
        return "has characters in it that cannot be seen"
    why = names.refuse(f"{slug}@{edition}.md")
    return f"cannot be part of a file name, as in superseded/: {slug}@{edition}.md {why}" if why else ""


def refuse_older(older: Row) -> CurateError:
    """Why a corpus whose packs give the ids, as that of this row, cannot be written to, and what to do."""
    return CurateError(
        f"this corpus is of an older kind: {older.id} has its id from {older.file}, not from a registry",
        f"{migration(older)} gives its documents rows in a registry",
    )


def migration(older: Row) -> str:
    """The command that makes a pack of an older kind, that of this row, one with rows in a registry."""
    from shlex import quote

    return f"`spectastic corpus migrate {quote(older.plugin)}`"


def refuse_corpus(workspace: Workspace, kept: Collection[str] = ()) -> None:
    """Raise `CurateError` where the registry cannot be written to; `kept` are ids that get rows in it."""
    corpus = workspace.corpus
    path = workspace.registry
    older = next((row for row in corpus.registry.rows if row.file != path and row.id not in kept), None)
    if older is not None:
        raise refuse_older(older)
    for row in corpus.registry.rows:
        if row.file == path and row.id in kept:
            raise CurateError(f"{row.id} is registered already: {short(row.label)}")
    source = workspace.source(path)
    if source is not None:
        for problem in conflict_problems(source.encoded, source.base):
            line = source.line_of(problem.span.start)
            raise CurateError(f"{path}:{line}: {problem.message}", problem.hint)


def _refuse_entry(workspace: Workspace, entry: Entry) -> None:
    if not SLUG.fullmatch(entry.slug):
        raise CurateError(f"{short(entry.slug) or 'an empty text'} is no slug", SLUG_HINT)
    # What has an id has been cited at this edition, whatever it is.
    why = "" if entry.id else refuse_edition(entry.slug, entry.edition)
    if why:
        raise CurateError(
            f"the edition {short(entry.edition) or '(none)'} {why}", "choose another: 2024-05-28"
        )
    for column, text in (("title", entry.title), ("marketplace", entry.marketplace)):
        if tables.plain(text) in ("", "TODO"):
            raise CurateError(f"{entry.slug} has no {column}")
    if entry.pack not in workspace.names(workspace.folder):
        refuse_pack(workspace, entry.pack)


def refuse_pack(workspace: Workspace, pack: str) -> None:
    """Refuse a name that a new pack cannot have."""
    why = names.refuse(pack, workspace.names(workspace.folder))
    if why:
        raise CurateError(f"a pack cannot be named {short(pack) or '(nothing)'}: the name {why}")
    if not PACK.fullmatch(pack) or len(pack) > _LONGEST_PACK:
        raise CurateError(
            f"a pack cannot be named {short(pack)}",
            f"the name of a new pack is lower-case words and hyphens, at most {_LONGEST_PACK} characters",
        )


def _refuse_twice(workspace: Workspace, entries: Sequence[Entry], paths: Sequence[str]) -> None:
    """Refuse a slug or a path that is registered, or that two entries share."""
    known: dict[tuple[str, ...], Row | None] = {}
    for row in workspace.corpus.rows.values():
        if row.file != workspace.registry:
            continue
        home = row.path.split("/")[0]
        for key in _keys(home, row.marketplace, row.plugin, row.slug, f"{workspace.folder}/{row.path}"):
            known.setdefault(key, row)
    for entry, path in zip(entries, paths, strict=True):
        for key in _keys(entry.pack, entry.marketplace, entry.plugin or entry.pack, entry.slug, path):
            if key not in known:
                known[key] = None
                continue
            first = known[key]
            if first is None:
                raise CurateError(f"{entry.slug} is to be registered twice in the pack {entry.pack}")
            raise CurateError(
                f"{short(first.slug)} of the pack {entry.pack} is registered already, as {first.id}",
                f"for a new edition: spectastic corpus supersede {first.id} --edition E --from FILE",
            )


def _keys(pack: str, marketplace: str, plugin: str, slug: str, path: str) -> tuple[tuple[str, ...], ...]:
    """What no two rows share. Slugs that differ in case would share a file on some systems."""
    folded = slug.casefold()
    return (pack, folded), (marketplace, plugin, folded), (path,)


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
    mapped = {entry.slug: entry for entry in _entries(workspace, pack)}
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


def _entries(workspace: Workspace, pack: str) -> tuple[SlugEntry, ...]:
    """The slug map of a pack."""
    return next((found.entries for found in workspace.corpus.packs if found.name == pack), ())


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
    assert table is not None  # noqa: S101 - it was written
    return table
