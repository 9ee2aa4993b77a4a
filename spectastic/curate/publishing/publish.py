"""`corpus publish`: packs are listed in `marketplace.json`, once they are what somebody else can rely on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import ORPHANED, UNCHECKED, says_nothing
from spectastic.curate import refusals
from spectastic.curate.plan import CurateError, FileChange, Plan
from spectastic.curate.publishing import marketplace
from spectastic.curate.tables import plain
from spectastic.findings import Severity
from spectastic.rules import (
    corpus_edition_drift,
    corpus_frontmatter,
    corpus_integrity,
    corpus_license,
    corpus_orphan,
    corpus_registry,
)
from spectastic.rules.common import not_citable, some, stated
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spectastic.corpus.model import Pack, Reference, Row
    from spectastic.curate.publishing.marketplace import Marketplace
    from spectastic.curate.workspace import Workspace
    from spectastic.findings import Finding

#: A description that is shorter tells nobody when to use a pack.
MIN_DESCRIPTION = 20
#: A version that this module wrote: the first twelve digits of what the pack's content hashes to.
_OURS = re.compile(r"1\.0\.0\+[0-9a-f]{12}")
#: What a pack and a marketplace may be called where plugins are listed.
_NAME = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")


class Request(NamedTuple):
    """What to publish: `packs` by the names of their folders, all of our own where there are none.

    `name` and `owner` are those of the marketplace, `prune` drops the entries of packs that are gone.
    """

    packs: Sequence[str] = ()
    name: str = ""
    owner: str = ""
    prune: bool = False


class _Published(NamedTuple):
    """A pack to list: its folder, what it is listed as, and where its rows say that it is published."""

    pack: Pack
    plugin: str
    marketplace: str
    references: tuple[Reference, ...]


def plan_publish(workspace: Workspace, wanted: Request) -> Plan:
    """List packs in `marketplace.json`. Raises `CurateError` where one of them is not fit to be published."""
    path = f"{workspace.folder}/{marketplace.NAME}"
    before = workspace.read(path)
    listing = None if before is None else marketplace.read(path, before)
    refusals.refuse_no_registry(workspace)
    packs = _packs(workspace)
    _refuse_unknown(wanted, packs)
    name = _name(wanted, listing, packs)
    owner = wanted.owner or (listing.owner if listing else "")
    if says_nothing(owner) or printable(owner) != owner:
        raise CurateError(f"{path} needs an owner: who answers for the packs", "--owner NAME")
    chosen, notes = _chosen(wanted, name, packs)
    _refuse_unfit(workspace, chosen)
    update, gone, more = _update(workspace, listing, wanted, chosen)
    if listing is None:
        entries = [{"name": plugin, **fields} for plugin, fields in update.entries.items()]
        after = marketplace.new(name, owner, entries)
    else:
        after = marketplace.updated(listing, update)
    _refuse_unreadable(workspace, path, after)
    change = FileChange(path, before, after)
    notes += [*more, *_doubts(workspace, chosen)]
    if before == after:
        notes.insert(0, f"nothing has changed: {path} lists {some([item.plugin for item in chosen])}")
    result: dict[str, object] = {
        "path": path,
        "name": name,
        "owner": owner,
        "packs": [
            {"pack": item.pack.name, "plugin": item.plugin, "version": _version(workspace, item, listing)}
            for item in chosen
        ],
        "gone": gone,
        "pruned": gone if wanted.prune else [],
    }
    return Plan((change,) if before != after else (), result, tuple(notes))


def _packs(workspace: Workspace) -> dict[str, _Published]:
    """The packs that rows lead into, by their folders. Raises `CurateError` as `register` does."""
    refusals.refuse_corpus(workspace)
    corpus = workspace.corpus
    rows: dict[str, list[Row]] = {}
    for row in corpus.rows.values():
        rows.setdefault(row.path.split("/")[0], []).append(row)
    found: dict[str, _Published] = {}
    for pack in corpus.packs:
        mine = rows.get(pack.name, [])
        said = {(row.marketplace, row.plugin) for row in mine}
        if len(said) > 1:
            names = "; ".join(" · ".join(pair) for pair in sorted(said))
            raise CurateError(
                f"the rows of {pack.name} do not agree on where it is published, and as what: {short(names)}",
                "a pack is published as one: bring its rows into line",
            )
        references = tuple(item for item in corpus.references if item.pack == pack.name)
        if said:
            place, plugin = said.pop()
            found[pack.name] = _Published(pack, plugin, place, references)
    return found


def _refuse_unknown(wanted: Request, packs: Mapping[str, _Published]) -> None:
    for asked in wanted.packs:
        if asked not in packs:
            raise CurateError(
                f"there is no pack {short(asked) or '(blank)'} with rows in the registry",
                f"packs: {some(sorted(packs))}" if packs else "register its documents: spectastic corpus add",
            )


def _name(wanted: Request, listing: Marketplace | None, packs: Mapping[str, _Published]) -> str:
    """What the marketplace is called."""
    if listing and wanted.name not in ("", listing.name):
        raise CurateError(
            f"{listing.path} is that of {short(listing.name)}, not of {short(wanted.name)}",
            f"addresses have the name in them; to change it, change `name` in {listing.path}, and the "
            "Marketplace cells of the registry",
        )
    asked = [pack for pack in packs.values() if not wanted.packs or pack.pack.name in wanted.packs]
    names = {pack.marketplace for pack in asked}
    name = listing.name if listing else wanted.name or (names.pop() if len(names) == 1 else "")
    if not name:
        raise CurateError("it is not clear which marketplace this is", "--name M")
    if not _NAME.fullmatch(name):
        raise CurateError(
            f"a marketplace cannot be called {short(name)}",
            "lower-case words, digits and hyphens: example-bank",
        )
    return name


def _chosen(
    wanted: Request, name: str, packs: Mapping[str, _Published]
) -> tuple[list[_Published], list[str]]:
    """The packs to list, and what is to be said of the others: they are theirs who publish them."""
    notes: list[str] = []
    ours = {key for key, pack in packs.items() if pack.marketplace.lower() == name.lower()}
    for key, pack in packs.items():
        if key not in ours and not wanted.packs:
            notes.append(
                f"{key} is left out: {pack.marketplace} publishes it (--pack {key} lists it all the same)"
            )
        elif key not in ours and key in wanted.packs:
            notes.append(f"{key} is listed, and its rows say that {pack.marketplace} publishes it")
    keys = dict.fromkeys(wanted.packs) if wanted.packs else [key for key in packs if key in ours]
    chosen = [packs[key] for key in keys]
    if not chosen:
        known = some(sorted({pack.marketplace for pack in packs.values()}))
        hint = f"the Marketplace cells of the registry say: {known}" if packs else "spectastic corpus add"
        raise CurateError(f"no pack here is published at {short(name)}", hint)
    return chosen, notes


def _refuse_unfit(workspace: Workspace, chosen: Sequence[_Published]) -> None:
    """Refuse packs that an import would refuse, or that nobody should rely on yet."""
    corpus = workspace.corpus
    faults = [fault for item in chosen for fault in _faults(item)]
    findings = [item for item in corpus_registry.check(corpus) if item.severity is not Severity.INFO]
    checks = (corpus_frontmatter.check, corpus_edition_drift.check, corpus_integrity.check)
    findings += (finding for check in checks for finding in check(corpus))
    # Whoever imports a pack refuses a registry that is broken anywhere.
    own = [item for item in findings if item.path == workspace.registry and item.rule == "corpus-registry"]
    faults += (f"{item.path}: {item.message}" for item in (*own, *_inside(findings, chosen)))
    plugins = [item.plugin for item in chosen]
    twice = next((plugin for plugin in plugins if plugins.count(plugin) > 1), "")
    if twice:
        faults.append(f"two packs would be listed as {short(twice)}")
    if faults:
        more = f"; and {len(faults) - 5} more" if len(faults) > 5 else ""
        raise CurateError(
            f"not fit to be published: {'; '.join(faults[:5])}{more}",
            "`spectastic corpus confirm` and `sign-off` lift what waits for somebody's word, `spectastic "
            "validate` says more of the rest; --pack P publishes one pack without the others",
        )


def _inside(findings: Iterable[Finding], chosen: Sequence[_Published]) -> Iterator[Finding]:
    """Those about files of the packs."""
    homes = tuple(f"{item.pack.path}/" for item in chosen)
    for finding in findings:
        places = (finding.path, *(other.path for other in finding.related))
        if any(place.startswith(homes) for place in places):
            yield finding


def _faults(item: _Published) -> Iterator[str]:
    pack = item.pack
    if not _NAME.fullmatch(item.plugin) or not refusals.PACK_NAME.fullmatch(pack.name):
        yield f"{pack.path} is no name for a pack that is published: lower-case words, digits and hyphens"
    if not pack.skill:
        yield f"{pack.path} has no SKILL.md"
    elif not pack.problems and len(plain(pack.fields["description"].value)) < MIN_DESCRIPTION:
        yield f"{pack.skill}: its description has fewer than {MIN_DESCRIPTION} characters"
    current = [reference for reference in item.references if not reference.superseded]
    if not current:
        yield f"{pack.path} has no reference"
    for reference in current:
        status = reference.value("status")
        if not_citable(status) or status == UNCHECKED:
            yield f"{reference.path} is still {short(status)}"
        if reference.unreadable:
            yield f"{reference.path}: {reference.unreadable}"
        if not reference.unreadable and not stated(reference, "content-hash"):
            yield f"{reference.path} has no content-hash"


def _doubts(workspace: Workspace, chosen: Sequence[_Published]) -> Iterator[str]:
    """What does not keep a pack from being published, and whoever publishes it should know."""
    for check in (corpus_license.check, corpus_orphan.check):
        for finding in _inside(check(workspace.corpus), chosen):
            yield f"{finding.path}: {finding.message}"
    homes = {item.pack.name for item in chosen}
    for row in workspace.corpus.rows.values():
        if row.status == ORPHANED and row.path.split("/")[0] in homes:
            yield f"{row.id}, {short(row.slug)}, is orphaned: who imports the pack does not get it"
    for item in chosen:
        name = item.pack.fields["name"].value
        if name != item.pack.name:
            yield f"{item.pack.skill}: its name is {short(name)}, and its folder {item.pack.name}"


def _update(
    workspace: Workspace, listing: Marketplace | None, wanted: Request, chosen: Sequence[_Published]
) -> tuple[marketplace.Update, list[str], list[str]]:
    """What to write, the plugins whose packs are gone, and what is to be said of them."""
    entries: dict[str, dict[str, str]] = {}
    notes: list[str] = []
    known = {entry.name: entry for entry in listing.plugins} if listing else {}
    by_place = {entry.place: entry for entry in known.values()}
    folders = {pack.name for pack in workspace.corpus.packs if pack.skill}
    for item in chosen:
        source = f"./{item.pack.name}"
        fields = {
            "source": source,
            "description": plain(item.pack.fields["description"].value),
            "version": _version(workspace, item, listing),
        }
        entry = known.get(item.plugin)
        other = by_place.get(item.pack.name)
        if listing and other is not None and other is not entry:
            raise CurateError(
                f"{listing.path} lists {item.pack.path} as {short(other.name)}, and its rows call it "
                f"{short(item.plugin)}",
                f"a pack has one name: correct it in {listing.path}, or in the Plugin cells of the registry",
            )
        if entry is not None:
            # What is there was put there by hand, but for a version that was computed, and for a way
            # that leads nowhere.
            members = entry.node.members
            fields = {key: fields[key] for key in fields if key == "version" or key not in members}
            if entry.place is not None and entry.place not in folders:
                fields["source"] = source
                notes.append(f"{item.plugin} was listed with a source where no pack is: now {source}")
            elif entry.place is None:
                notes.append(f"{item.plugin} is listed as elsewhere: who imports from here does not get it")
            elif entry.place != item.pack.name:
                raise CurateError(
                    f"{listing.path if listing else ''} lists {item.plugin} with another pack: {entry.place}",
                    "correct its source, or its name",
                )
        entries[item.plugin] = fields
    gone = [
        entry.name
        for entry in known.values()
        if entry.place is not None and entry.place not in folders and entry.name not in entries
    ]
    for name in gone:
        what = "dropped" if wanted.prune else "left in the list: --prune drops it"
        notes.append(f"{short(name)} has no pack here any more, and is {what}")
    owner = wanted.owner
    return marketplace.Update(owner, entries, frozenset(gone if wanted.prune else ())), gone, notes


def _refuse_unreadable(workspace: Workspace, path: str, data: bytes) -> None:
    """Refuse a list that no `import` would read: it reads this one as `import` does."""
    listing = marketplace.read(path, data)
    folders = workspace.names(workspace.folder)
    places: dict[str, str] = {}
    for entry in listing.plugins:
        if entry.place is None or not workspace.exists(_inside_of(workspace, entry.place, "SKILL.md")):
            continue
        if entry.place in places:
            raise marketplace.twice(path, entry.place)
        places[entry.place] = entry.name
    for place, name in places.items():
        if name in folders and name not in places and name != place and _is_pack(workspace, name):
            raise CurateError(
                f"{path} lists {place or 'its own folder'} as {short(name)}, and the folder "
                f"{workspace.folder}/{name} is another pack: nobody could say which one to import",
                "give one of the two another name",
            )


def _is_pack(workspace: Workspace, folder: str) -> bool:
    return any(workspace.exists(_inside_of(workspace, folder, name)) for name in ("SKILL.md", "references"))


def _inside_of(workspace: Workspace, place: str, name: str) -> str:
    return "/".join(part for part in (workspace.folder, place, name) if part)


def _version(workspace: Workspace, item: _Published, listing: Marketplace | None) -> str:
    """The version that an entry gets: one that somebody chose stays, any other says what the pack holds.

    Who has installed a pack is told of a new one when this text changes, whatever it is.
    """
    entry = next((entry for entry in listing.plugins if entry.name == item.plugin), None) if listing else None
    said = marketplace.text_of(listing, entry, "version") if listing and entry else ""
    if said and not _OURS.fullmatch(said):
        return said
    import hashlib

    lines = [f"{item.pack.skill}\n".encode(), workspace.read(item.pack.skill) or b""]
    for reference in item.references:
        inside = reference.path.removeprefix(f"{item.pack.path}/")
        lines.append(f"\n{inside} {reference.value('edition')} {reference.digest}".encode())
    return f"1.0.0+{hashlib.sha256(b''.join(lines)).hexdigest()[:12]}"
