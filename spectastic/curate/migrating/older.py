"""Packs of an older kind that wait to be migrated, and what stands in the way of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.row_checks import path_fault
from spectastic.curate.plan import CurateError, FileChange
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Row
    from spectastic.curate.workspace import Workspace


def waiting(workspace: Workspace) -> dict[str, list[Row]]:
    """The rows of older packs that the registry does not have, by pack."""
    own = registered(workspace)
    found: dict[str, list[Row]] = {}
    for row in workspace.corpus.older.rows:
        known = own.get(row.id)
        if known is None or known.path != row.path:
            found.setdefault(row.plugin, []).append(row)
    return found


def registered(workspace: Workspace) -> dict[str, Row]:
    """The rows that stand in the registry itself, by id."""
    rows = workspace.corpus.registry.rows
    return {row.id: row for row in rows if row.file == workspace.registry}


def chosen(workspace: Workspace, pack: str, packs: Mapping[str, object]) -> list[str]:
    """The packs to migrate, none where that was done before."""
    if not pack:
        return sorted(packs)
    known = [found.name for found in workspace.corpus.packs]
    if pack not in known:
        near = nearest(pack, known)
        hint = f"did you mean {near}?" if near else f"the packs are the folders of {workspace.folder}"
        raise CurateError(f"there is no pack {short(pack) or '(nothing)'}", hint)
    others = sorted(set(packs) - {pack})
    if pack in packs and others and not registered(workspace):
        raise CurateError(
            f"{short(others[0])} is of an older kind too, and its citations would lead nowhere: "
            "once a registry has rows, ids come from there alone",
            "migrate them together: spectastic corpus migrate --all",
        )
    return [pack] if pack in packs else []


def already(workspace: Workspace, pack: str) -> str:
    """Why there is nothing to do. Refuses a pack that has nothing to migrate, and no rows either."""
    rows = registered(workspace).values()
    if not pack:
        return "no pack is of an older kind: nothing is to be done"
    if any(row.path.split("/")[0] == pack for row in rows):
        return f"this is so already: the documents of {pack} have rows in {workspace.registry}"
    raise CurateError(
        f"the documents of {pack} carry no ids, so there is nothing to migrate",
        "register them: spectastic corpus add",
    )


def refuse_claims(workspace: Workspace, packs: Mapping[str, list[Row]]) -> None:
    """Refuse an id that two places claim, and rows that no registry can hold; `packs` are to be migrated."""
    own = registered(workspace)
    claims = [*workspace.corpus.older.claims]
    rows = [row for found in packs.values() for row in found]
    claims += ((row, own[row.id]) for row in rows if row.id in own)
    for row, first in claims:
        if row.plugin in packs or first.plugin in packs:
            places = " and by ".join(_place(workspace, found) for found in (first, row))
            raise CurateError(
                f"{short(row.id, 40)} is claimed twice, by {places}",
                "decide which fact the id is, and give the other one an id of its own",
            )
    for row in rows:
        fault = path_fault(row.path, workspace.folder.rpartition("/")[2], workspace.names(workspace.folder))
        if fault:
            where = _place(workspace, row)
            raise CurateError(f"{where}: the path of {row.id}, {short(row.path)}, {fault[0]}", fault[1])


def _place(workspace: Workspace, row: Row) -> str:
    source = workspace.source(row.file)
    return f"{row.file}:{source.line_of(row.span.start)}" if source else row.file


def without_registry(workspace: Workspace) -> Corpus:
    """The corpus as it is without its registry, where ids lead to what the packs say."""
    data = workspace.read(workspace.registry)
    if data is None or not registered(workspace):
        return workspace.corpus
    return workspace.with_changes([FileChange(workspace.registry, data, None)]).corpus
