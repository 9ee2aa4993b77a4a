"""`corpus import`: packs of somebody else become packs here, and newer editions supersede older ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import ORPHANED, says_nothing
from spectastic.curate import packs, refusals, register
from spectastic.curate.confirm import left_out
from spectastic.curate.current import current_edition
from spectastic.curate.importing import foreign, offers
from spectastic.curate.importing.renames import marked, rename, renamed
from spectastic.curate.importing.told import Told, told_notes
from spectastic.curate.plan import CurateError, FileChange, Plan, merged
from spectastic.curate.supersede import Move, moved, refuse_outcome, replaced
from spectastic.rules import corpus_edition_drift
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.importing.foreign import Foreign
    from spectastic.curate.importing.offers import Copy, Delivery, Offer
    from spectastic.curate.workspace import Workspace

#: What of a reference is not its publisher's to say, or follows from something else.
_OURS = ("content-hash", "status")


class Request(NamedTuple):
    """What to import: `packs` by name, or `everything`.

    `folder` is what a pack is called here, if not as there; `marketplace` where the packs are published, if
    the source does not say. `rehash` takes texts whose declared hash is that of another one.
    """

    source: str
    packs: Sequence[str] = ()
    everything: bool = False
    marketplace: str = ""
    folder: str = ""
    rehash: bool = False


def plan_import(workspace: Workspace, wanted: Request) -> Plan:
    """Take packs over from a source: all of it, or nothing. Raises `CurateError`."""
    refusals.refuse_corpus(workspace)
    source = foreign.look(wanted.source)
    _refuse_own(workspace, source)
    packs = foreign.choose(source, wanted.packs, wanted.everything)
    if wanted.folder and len(packs) > 1:
        raise CurateError("--as names one pack, and there are several", "import them one by one: --pack P")
    deliveries = offers.read(source, packs, offers.Asked(wanted.marketplace, wanted.rehash))
    homes = [_home(workspace, delivery, wanted.folder) for delivery in deliveries]
    for home in homes:
        if homes.count(home) > 1:
            raise CurateError(f"two packs would be called {home}", "import them one by one, with --as NAME")
    work = _Work(workspace, deliveries, homes)
    changes, told = work.changes()
    refuse_outcome(workspace.corpus, workspace.with_changes(changes).corpus)
    result: dict[str, object] = {
        "source": source.shown,
        "packs": [
            {
                "marketplace": delivery.marketplace,
                "plugin": delivery.plugin,
                "pack": home,
                "references": [item.as_json() for item in items],
            }
            for delivery, home, items in zip(deliveries, homes, told, strict=True)
        ],
    }
    notes = [*source.notes, *work.notes]
    for delivery, items in zip(deliveries, told, strict=True):
        notes += told_notes(delivery, items)
    return Plan(changes, result, tuple(notes))


def _refuse_own(workspace: Workspace, source: Foreign) -> None:
    """Refuse a source that is this repository, or in its corpus, or around it."""
    root = os.path.realpath(workspace.root)
    ours = os.path.realpath(os.path.join(root, workspace.folder))
    theirs = os.path.join(source.top, source.home) if source.home else source.top
    inside = f"{theirs}{os.sep}".startswith(f"{ours}{os.sep}")
    around = f"{ours}{os.sep}".startswith(f"{theirs}{os.sep}")
    if source.top == root or inside or around:
        raise CurateError(
            f"{source.shown} is this repository's own corpus", "name another repository, or a folder outside"
        )


def _home(workspace: Workspace, delivery: Delivery, wanted: str) -> str:
    """The folder of a pack here: where it is, or else one that nothing is in."""
    rows = _rows(workspace, delivery)
    label = f"{short(delivery.marketplace)} · {short(delivery.plugin)}"
    if rows:
        known = next(iter(rows.values())).path.split("/")[0]
        if wanted not in ("", known):
            raise CurateError(f"{label} is here already, as {known}", "leave out --as")
        return known
    folder = wanted or delivery.plugin
    if folder in workspace.names(workspace.folder):
        inside = (row for row in workspace.corpus.rows.values() if row.path.split("/")[0] == folder)
        first = next(inside, None)
        what = f"the pack {first.marketplace} · {first.plugin}" if first else "something else"
        raise CurateError(
            f"{label} would be called {folder}, and {what} is in {workspace.folder}/{folder}",
            "give it another name here: --as NAME",
        )
    refusals.refuse_pack(workspace, folder)
    return folder


def _rows(workspace: Workspace, delivery: Delivery) -> dict[str, Row]:
    """The rows here of a pack, by slug."""
    rows = workspace.corpus.rows.values()
    return {row.slug: row for row in rows if (row.marketplace.lower(), row.plugin) == delivery.key}


def _documents(workspace: Workspace) -> dict[tuple[str, str], Reference]:
    """The documents here by id and edition."""
    corpus = workspace.corpus
    by_path = {reference.path: reference for reference in corpus.references}
    places = {
        (identifier, edition): corpus.find(identifier, edition).path
        for identifier in corpus.rows
        for edition in corpus.editions(identifier)
    }
    return {key: by_path[path] for key, path in places.items() if path in by_path}


class _Work:
    """What is to be done, collected pack by pack."""

    def __init__(self, workspace: Workspace, deliveries: Sequence[Delivery], homes: Sequence[str]) -> None:
        self._before = workspace
        self._deliveries = deliveries
        self._homes = homes
        self._changes: list[FileChange] = []
        self._moves: list[Move] = []
        self._entries: list[register.Entry] = []
        self._old_slugs: dict[str, str] = {}
        self._returned: set[str] = set()
        self.notes: list[str] = []
        first = self._renamed(workspace)
        #: As it is once references have the names and the status that the source gives them.
        self._place = self._marked(workspace.with_changes(first) if first else workspace, first)
        self._documents = _documents(self._place)
        self._drift = tuple(corpus_edition_drift.check(self._place.corpus))

    def changes(self) -> tuple[tuple[FileChange, ...], list[list[Told]]]:
        """All changes, and what is told of each reference of each pack."""
        told = [
            [*self._offered(delivery, home), *self._vanished(delivery)]
            for delivery, home in zip(self._deliveries, self._homes, strict=True)
        ]
        if self._moves:
            self._changes += moved(self._place, self._moves)
        after = self._before.with_changes(merged(self._changes)) if self._changes else self._before
        done = register.register(after, self._entries)
        ids = iter(zip(done.ids, done.paths, strict=True))
        for items in told:
            for number, item in enumerate(items):
                if not item.id:
                    identifier, path = next(ids)
                    items[number] = item._replace(id=identifier, path=path)
        return merged([*self._changes, *done.changes]), told

    def _renamed(self, workspace: Workspace) -> list[FileChange]:
        documents = _documents(workspace)
        moves: list[tuple[Row, str]] = []
        for delivery in self._deliveries:
            rows = _rows(workspace, delivery)
            mine = {
                row.slug: documents[row.id, row.edition]
                for row in rows.values()
                if (row.id, row.edition) in documents
            }
            names = renamed(rows, delivery.offers, mine)
            moves += ((rows[old], new) for old, new in names.items())
        self._old_slugs = {row.id: row.slug for row, _ in moves}
        return list(rename(workspace, moves))

    def _marked(self, workspace: Workspace, first: list[FileChange]) -> Workspace:
        """The workspace without the mark on what is delivered again."""
        back: list[Row] = []
        for delivery in self._deliveries:
            rows = _rows(workspace, delivery)
            known = (rows[offer.slug] for offer in delivery.offers if offer.slug in rows)
            back += (row for row in known if row.status == ORPHANED)
        self._returned = {row.id for row in back}
        self._changes += first
        if not back:
            return workspace
        again = list(moved(workspace, [marked(row, "") for row in back]))
        self._changes += again
        return workspace.with_changes(again)

    def _vanished(self, delivery: Delivery) -> Iterator[Told]:
        slugs = {offer.slug for offer in delivery.offers}
        for slug, row in _rows(self._place, delivery).items():
            if slug not in slugs and row.status != ORPHANED:
                self._moves.append(marked(row, ORPHANED))
                path = self._place.corpus.find(row.id, None).path
                yield Told("orphaned", row.id, slug, row.edition, path)

    def _offered(self, delivery: Delivery, home: str) -> Iterator[Told]:
        rows = _rows(self._place, delivery)
        marketplace = next(iter(rows.values())).marketplace if rows else delivery.marketplace
        for offer in delivery.offers:
            row = rows.get(offer.slug)
            if row is not None:
                yield self._known(offer, row)
                continue
            path = packs.document_path(self._place, home, offer.slug)
            self._refuse_there(path, offer.copy)
            entry = register.Entry(
                pack=home,
                slug=offer.slug,
                title=offer.title,
                edition=offer.edition,
                marketplace=marketplace,
                data=offer.copy.data,
                description=offer.description,
                plugin=delivery.plugin,
                about=delivery.about,
            )
            self._entries.append(entry)
            self._left_out(offer)
            self._retained(offer, path, offer.retained)
            yield Told("new", "", offer.slug, offer.edition, path)

    def _known(self, offer: Offer, row: Row) -> Told:
        """A reference that has its row here."""
        ours = self._documents.get((row.id, row.edition))
        if ours is None or ours.unreadable:
            detail = self._place.corpus.find(row.id, None).detail
            raise CurateError(
                f"{row.id}, {offer.slug}, has no document here: {detail}", "restore it, or correct its row"
            )
        told = Told("unchanged", row.id, offer.slug, row.edition, ours.path)
        told = told._replace(renamed_from=self._old_slugs.get(row.id, ""), returned=row.id in self._returned)
        missing = {
            edition: copy for edition, copy in offer.retained.items() if not self._is_here(row, edition, copy)
        }
        self._retained(offer, ours.path, missing)
        if self._is_here(row, offer.edition, offer.copy):
            if offer.edition != row.edition:
                return told._replace(state="older")
            self.notes += _provenance(ours, offer)
            return told._replace(state="renamed" if told.renamed_from else "unchanged")
        _refuse_edited(row, ours, offer)
        self._left_out(offer)
        current = current_edition(self._place, row.id, self._drift)
        self._changes += replaced(self._place, current, offer.edition, offer.copy.data)
        edition = {"Edition": offer.edition}
        self._moves.append(Move(row, current.path, edition, edition))
        return told._replace(state="superseded", edition=offer.edition, superseded=row.edition)

    def _left_out(self, offer: Offer) -> None:
        if offer.copy.gone:
            self.notes.append(left_out(offer.copy.path, offer.copy.gone))

    def _is_here(self, row: Row, edition: str, copy: Copy) -> bool:
        """Whether an edition is here. Another text under its name is refused."""
        ours = self._documents.get((row.id, edition))
        if ours is None:
            return False
        if ours.digest != copy.digest:
            edited = _is_edited(ours)
            why = ", which was edited here since it was filed," if edited else ""
            raise CurateError(
                f"{ours.path}{why} and {copy.path} are both {row.id}@{short(edition)}, with two texts",
                "one edition has one text: restore yours, or make it another reference (corpus add); "
                "or ask the publisher for another name of the edition",
            )
        return True

    def _retained(self, offer: Offer, path: str, copies: Mapping[str, Copy]) -> None:
        """Earlier editions, filed beside the document of a reference."""
        folder = path.rpartition("/")[0]
        for edition, copy in copies.items():
            target = f"{folder}/superseded/{offer.slug}@{edition}.md"
            self._refuse_there(target, copy)
            self._changes.append(FileChange(target, None, copy.data))

    def _refuse_there(self, path: str, copy: Copy) -> None:
        if self._place.exists(path):
            raise CurateError(f"{path} is there already, so {copy.path} cannot be filed", "compare the two")


def _is_edited(document: Reference) -> bool:
    declared = document.value("content-hash")
    return not says_nothing(declared) and declared.lower() != document.digest


def _refuse_edited(row: Row, ours: Reference, offer: Offer) -> None:
    """Refuse to let a newer edition take the place of a text that somebody changed here."""
    if _is_edited(ours):
        raise CurateError(
            f"{ours.path} was edited here since it was filed, and {offer.copy.path} is a newer edition of it",
            f"restore it (git restore), or file your text as a reference of your own: {row.id}@"
            f"{short(row.edition)} is what others have read",
        )


def _provenance(ours: Reference, offer: Offer) -> Iterator[str]:
    """What the source says of the same text that is not what is said here."""
    names = [name for name, text in offer.fields.items() if name not in _OURS and ours.value(name) != text]
    if names:
        yield f"{ours.path} is left as it is; {offer.copy.path} has another {', '.join(names)}"
