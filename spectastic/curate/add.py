"""`corpus add`, and the other doors by which a document becomes a reference."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.layout import SLUG, SLUG_HINT
from spectastic.corpus.listing import is_document
from spectastic.corpus.model import AUTHORITATIVE, SUPERSEDED, says_nothing
from spectastic.curate import documents, packs, refusals, register
from spectastic.curate.confirm import GUARDS, left_out, records, without_records
from spectastic.curate.plan import CurateError, Plan, about
from spectastic.curate.tables import plain
from spectastic.curate.texts import outline
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.corpus.model import Row
    from spectastic.curate.confirm import Guard
    from spectastic.curate.workspace import Workspace

#: What nobody but its author knows of a document, as flags and frontmatter name it.
REQUIRED = ("pack", "slug", "title", "edition", "license", "origin", "marketplace")
#: What is written where nobody says otherwise.
DEFAULTS = {"origin-url": "none", "converter": "hand-written", "status": AUTHORITATIVE}


class Door(NamedTuple):
    """How a command takes documents in.

    `defaults` are the fields that are written where nobody says otherwise; `fixed` those that nobody can
    say otherwise. `foreign`: the text was made by a program or sent by a server. What looks like
    frontmatter in it is a part of the text, and says nothing about the document.
    """

    defaults: Mapping[str, str] = DEFAULTS
    fixed: Mapping[str, str] = MappingProxyType({})
    foreign: bool = False


#: The door of `corpus add`.
ADD = Door()


class Request(NamedTuple):
    """A document to add. `place` is its path relative to the root, "" for one outside of the repository.

    `fields` are what is known of it, by the names of `REQUIRED`, of `DEFAULTS`, and `description`. A
    `heading` is put above its text. `overruled` are fields of its frontmatter that do not count, `records`
    those that say who answers for it; where it comes in by a door that waits for that, `guarded`, they go.
    """

    file: str
    data: bytes
    place: str
    fields: Mapping[str, str]
    foreign: bool = False
    heading: str = ""
    overruled: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    guarded: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """The fields of `REQUIRED` that nobody has given."""
        return tuple(name for name in REQUIRED if says_nothing(self.fields.get(name, "")))


def request(
    workspace: Workspace, file: str, data: bytes, place: str, given: Mapping[str, str], door: Door = ADD
) -> Request:
    """What is known of a document: what was given, what its frontmatter says, what follows from its place."""
    _, found = documents.opened(b"" if door.foreign else data)
    said = {name: field.value for name, field in found.fields.items() if not says_nothing(field.value)}
    fields = {**door.defaults, **_from_place(workspace, place), **said}
    fields |= {name: text for name, text in given.items() if not says_nothing(text)}
    fields |= door.fixed
    if says_nothing(fields.get("title", "")):
        # What looks like frontmatter is no heading, even where it is a part of the text.
        fields["title"] = outline(documents.text(data).decode("utf-8", "replace")).heading
    if says_nothing(fields.get("marketplace", "")) and "pack" in fields:
        fields["marketplace"] = packs.default_marketplace(workspace, fields["pack"])
    overruled = tuple(name for name, text in door.fixed.items() if said.get(name, text) != text)
    guarded = _guard(door.fixed.get("status", "")) is not None
    return Request(file, data, place, fields, door.foreign, "", overruled, records(found), guarded)


def plan_add(workspace: Workspace, wanted: Request) -> Plan:
    """Register a document. Raises `CurateError`."""
    if wanted.missing:
        raise CurateError(f"{wanted.file} lacks {', '.join(wanted.missing)}")
    fields = wanted.fields
    pack = fields["pack"]
    here = wanted.place if _in_place(workspace, wanted.place, pack) else ""
    if fields["status"] == SUPERSEDED:
        raise CurateError(
            "a current document cannot have the status superseded", "say how far it can be trusted"
        )
    if here and workspace.read(here) != wanted.data:
        raise CurateError(f"{wanted.file} was changed by something else meanwhile", "run it again")
    done = _done(workspace, wanted, pack)
    if done is not None:
        result = {"id": done.id, "pack": pack, "slug": done.slug, "edition": done.edition}
        path = workspace.corpus.find(done.id, None).path
        note = f"this is so already: {done.id}@{done.edition} is {path}"
        return Plan((), {**result, "path": path}, (note,))
    _refuse_registered(workspace, wanted, here)
    refusals.refuse_same_text(workspace, _document(wanted, fields["slug"]), lambda item: item.path == here)
    slug = _slug(workspace, pack, fields["slug"], here)
    path = here or packs.document_path(workspace, pack, slug)
    if not here and workspace.exists(path):
        raise CurateError(f"{path} is there already", "add that file, or choose another slug")
    data = _document(wanted, slug)
    entry = register.Entry(
        pack=pack,
        slug=slug,
        title=fields["title"],
        edition=fields["edition"],
        marketplace=fields["marketplace"],
        data=data,
        description=fields.get("description", ""),
        path=path,
    )
    registered = register.register(workspace, [entry])
    identifier = registered.ids[0]
    result = {"id": identifier, "pack": pack, "slug": slug, "edition": entry.edition, "path": path}
    return Plan(registered.changes, result, tuple(_notes(workspace, wanted, entry, identifier)))


def _done(workspace: Workspace, wanted: Request, pack: str) -> Row | None:
    """The row of the very document that is to be added, where it has been."""
    fields, words = wanted.fields, wanted.fields["slug"]
    for row in workspace.corpus.rows.values():
        path = workspace.corpus.find(row.id, None).path
        # How it would be written is worked out for the one row that it can be.
        if (
            path == packs.document_path(workspace, pack, row.slug)
            and words in (row.slug, row.slug.partition("-")[2])
            and (row.edition, row.title) == (fields["edition"], plain(fields["title"]))
            and workspace.read(path) == _document(wanted, row.slug)
        ):
            return row
    return None


def _from_place(workspace: Workspace, place: str) -> dict[str, str]:
    """What the path of a document says that stands where references do."""
    parts = place.removeprefix(f"{workspace.folder}/").split("/")
    if not place.startswith(f"{workspace.folder}/") or len(parts) != 3 or parts[1] != "references":
        return {}
    stem = parts[2].removesuffix(".md")
    return {"pack": parts[0], **({"slug": stem} if SLUG.fullmatch(stem) else {})}


def _in_place(workspace: Workspace, place: str, pack: str) -> bool:
    """Whether a document stands where the references of a pack do."""
    folder, _, name = place.rpartition("/")
    home = f"{workspace.folder}/{pack}/references"
    if folder == f"{home}/{SUPERSEDED}":
        raise CurateError(f"{place} is a retained edition, which no row leads to", "add the current document")
    return folder == home and is_document(name)


def _slug(workspace: Workspace, pack: str, words: str, place: str) -> str:
    """The whole slug of a document. It, and its words, are nobody else's in the pack."""
    if not refusals.WORDS.fullmatch(words):
        raise CurateError(f"{short(words)} is no slug", SLUG_HINT)
    slugs = packs.slugs(workspace, pack)
    for known, where in slugs.items():
        part = known if SLUG.fullmatch(words) else known.partition("-")[2]
        same = words.casefold() in (known.casefold(), part.casefold())
        if same and where not in (place, f"{pack}/SKILL.md"):
            raise CurateError(f"the pack {pack} has {known} already: {where}", _other_edition(where))
    return packs.next_slug(slugs, words)


def _other_edition(where: str) -> str:
    if not where.startswith("KB-"):
        return "add that file, or choose another slug"
    supersede = f"spectastic corpus supersede {where} --edition E --from FILE"
    return f"for a new edition of it: {supersede}; for another fact, choose another slug"


def _refuse_registered(workspace: Workspace, wanted: Request, here: str) -> None:
    """Refuse a file that a row leads to."""
    for row in workspace.corpus.rows.values():
        if here and here == f"{workspace.folder}/{row.path}":
            hint = f"cite it as {row.id}@{row.edition}"
            raise CurateError(f"{wanted.file} is registered already, as {row.id}", hint)


def _document(wanted: Request, slug: str) -> bytes:
    """The document with its provenance, and with its hash."""
    written = {name: wanted.fields[name] for name in documents.FIELDS if name in wanted.fields}
    written.pop("content-hash", None)
    written["slug"] = slug
    with about(wanted.file):
        if wanted.foreign:
            return documents.compose(written, wanted.data)
        data = _with_heading(wanted)
        if wanted.guarded:
            data, _ = without_records(data)
        return documents.with_hash(documents.with_fields(data, written))


def _with_heading(wanted: Request) -> bytes:
    """The document with its heading above the text, unless the text begins with it."""
    data = wanted.data
    base, found = documents.opened(data)
    block = found.block
    body = block.body if block else base
    text = data[body:].lstrip(b"\r\n")
    if not wanted.heading or not text.strip():
        return data
    own = outline(text.decode("utf-8", "replace"))
    if own.first and own.heading == plain(wanted.heading):
        return data
    eol = b"\r\n" if b"\r\n" in data else b"\n"
    gap = data[body : len(data) - len(text)] or (eol if block else b"")
    return data[:body] + gap + b"# " + wanted.heading.encode() + eol * 2 + text


def _guard(status: str) -> Guard | None:
    """The guard that a status is, if it is one."""
    return next((guard for guard in GUARDS if status in guard.statuses), None)


def _notes(workspace: Workspace, wanted: Request, entry: register.Entry, identifier: str) -> list[str]:
    guard = _guard(wanted.fields["status"])
    cited = f"{identifier}@{entry.edition}"
    notes = [f"cite it as {cited}" if guard is None else f"it is {cited}, and cannot be cited yet"]
    if wanted.fields["origin-url"] == DEFAULTS["origin-url"]:
        notes.append(
            "origin-url is none: if the original can be looked up somewhere, say so in the frontmatter"
        )
    if not workspace.exists(f"{workspace.folder}/{entry.pack}/SKILL.md"):
        notes.append(
            f"{workspace.folder}/{entry.pack}/SKILL.md is new: say in its description when to use the pack"
        )
    notes += (f"{name} is {wanted.fields[name]}, whatever {wanted.file} says" for name in wanted.overruled)
    if wanted.records and wanted.guarded:
        notes.append(left_out(wanted.file, wanted.records))
    elif wanted.records:
        said = ", ".join(short(name, 40) for name in wanted.records)
        notes.append(f"{said} is what {wanted.file} says: nobody has recorded it here")
    if guard is not None:
        lift = f"spectastic corpus {guard.command} {identifier} --by NAME"
        notes.append(f"its status is {wanted.fields['status']}; when somebody has read it: {lift}")
    if wanted.place and wanted.place != entry.path:
        notes.append(f"{wanted.place} is left where it was")
    return notes
