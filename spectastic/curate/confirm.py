"""`corpus confirm` and `corpus sign-off`: somebody answers for a reference, and it can be cited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import AUTHORITATIVE, UNCHECKED, UNCONFIRMED, UNSIGNED, Outcome, says_nothing
from spectastic.curate import refusals
from spectastic.curate.documents import opened, with_fields, with_hash, without_fields
from spectastic.curate.plan import CurateError, FileChange, Plan, about
from spectastic.rules.common import not_citable
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.corpus.model import Reference, Resolution
    from spectastic.curate.workspace import Workspace
    from spectastic.frontmatter import Frontmatter

LIFTED = AUTHORITATIVE

_LONGEST_NAME = 200
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
#: Line breaks and controls, what changes the direction of text, and halves of characters. Joiners are left:
#: some languages write names with them.
_NO_NAME = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_LETTER = re.compile(r"[^\W_]")


class Guard(NamedTuple):
    """A command that lifts guards: which statuses, what it says it did, and the fields that record it."""

    command: str
    statuses: tuple[str, ...]
    done: str
    by: str
    on: str


CONFIRM = Guard(
    "confirm",
    (UNCONFIRMED, UNCHECKED),
    "confirmed",
    "confirmed-by",
    "confirmed-on",
)
SIGN_OFF = Guard("sign-off", (UNSIGNED,), "signed off", "signed-off-by", "signed-off-on")
#: The commands that lift guards.
GUARDS = (CONFIRM, SIGN_OFF)
_RECORDS = tuple(name for guard in GUARDS for name in (guard.by, guard.on))


class Word(NamedTuple):
    """Who answers, and when. A date of "" was not given: it is that of today, `today`."""

    by: str
    on: str
    today: str


def plan_lift(workspace: Workspace, tokens: Iterable[str], guard: Guard, word: Word) -> Plan:
    """Lift the guard of references, all or none. Raises `CurateError`."""
    refusals.refuse_no_registry(workspace)
    word = word._replace(by=word.by.strip())
    refuse_name(word.by)
    _refuse_date(word.on, word.today)
    found: dict[str, tuple[Resolution, Reference]] = {}
    for token in tokens:
        resolution, reference = _reference(workspace, token)
        found.setdefault(reference.path, (resolution, reference))
    changes: list[FileChange] = []
    told: list[dict[str, object]] = []
    notes: list[str] = []
    for path, (resolution, reference) in found.items():
        cited = f"{resolution.id}@{resolution.edition}"
        change = _lifted(workspace, resolution, reference, guard, word)
        if change is None:
            by, on = reference.value(guard.by), reference.value(guard.on)
            notes.append(f"{cited} was {guard.done} already, by {by} on {on}")
        else:
            by, on = word.by, word.on or word.today
            changes.append(change)
            notes.append(f"{cited} is {guard.done} by {by} on {on}, and can be cited")
            notes += _doubts(change, resolution.id)
        lifted = None if change is None else reference.value("status")
        about = {"id": resolution.id, "edition": resolution.edition, "path": path}
        told.append({**about, "lifted": lifted, "by": by, "on": on})
    return Plan(tuple(changes), {"references": told}, tuple(notes))


def records(found: Frontmatter) -> tuple[str, ...]:
    """The fields of a document that say who answers for it, as they are spelt there, whatever they hold."""
    names = (*found.fields, *found.lists, *found.others)
    return tuple(name for name in names if name.strip().casefold().replace("_", "-") in _RECORDS)


def without_records(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """A document that comes in without the fields that say who answers for it; and which these are.

    What somebody else vouched for, nobody here has. Raises `CurateError` where they cannot be taken out.
    """
    gone = records(opened(data)[1])
    return (without_fields(data, gone) if gone else data), gone


def left_out(path: str, names: Iterable[str]) -> str:
    """The note that says so."""
    said = ", ".join(short(name, 40) for name in names)
    return f"{said} of {path} is left out: nobody here has given that word"


def waiting(workspace: Workspace, pack: str, guard: Guard) -> list[str]:
    """The ids of a pack whose references wait for this word. Raises `CurateError` where there is none."""
    refusals.refuse_no_registry(workspace)
    corpus = workspace.corpus
    rows = [row for row in corpus.rows.values() if pack in (row.plugin, row.path.split("/")[0])]
    if not rows:
        known = ", ".join(sorted({short(row.plugin, 40) for row in corpus.rows.values()})[:10])
        raise CurateError(f"there is no pack {short(pack) or '(blank)'}", f"packs: {known or 'none'}")
    found = [(row.id, corpus.reference_for(corpus.find(row.id, None))) for row in rows]
    ids = [name for name, reference in found if reference and reference.value("status") in guard.statuses]
    if not ids:
        raise CurateError(
            f"no reference of {short(pack)} waits for this word",
            "`spectastic corpus list` shows the statuses",
        )
    return ids


def _doubts(change: FileChange, identifier: str) -> Iterator[str]:
    """What whoever answers for a text should know of it."""
    assert change.after is not None  # noqa: S101 - a guard is lifted in a document that stays
    if with_hash(change.after) != change.after:
        yield (
            f"the content-hash of {change.path} is not that of its text: make sure that it is the one "
            f"that was read, then run `spectastic corpus hash --write {identifier}`"
        )


def refuse_name(name: str, hint: str = "say who it is: --by NAME") -> None:
    """Refuse what cannot be the name of somebody: raises `CurateError`."""
    if not name or says_nothing(name):
        raise CurateError("nobody is named", hint)
    odd = _NO_NAME.search(name)
    why = ""
    if odd:
        why = (
            "it has a line break"
            if odd[0] in "\r\n\x0b\x0c\x85\u2028\u2029"
            else "it has characters that are not seen"
        )
    elif not _LETTER.search(name):
        why = "it has no letter"
    elif len(name) > _LONGEST_NAME:
        why = f"it is longer than {_LONGEST_NAME} characters"
    if why:
        raise CurateError(f"{short(ascii(name))} is no name: {why}", hint)


def _refuse_date(given: str, today: str) -> None:
    from datetime import date, timedelta

    if not given:
        return
    hint = "write it as 2024-05-28"
    try:
        day = date.fromisoformat(given) if _DATE.fullmatch(given) else None
    except ValueError:
        day = None
    if day is None:
        raise CurateError(f"{short(given)} is no date", hint)
    # Somewhere it is tomorrow already.
    if day - date.fromisoformat(today) > timedelta(days=1):
        raise CurateError(f"{given} has yet to come", "a guard is lifted by what somebody has done")


def _reference(workspace: Workspace, token: str) -> tuple[Resolution, Reference]:
    """The current document of an id."""
    identifier, at, edition = token.partition("@")
    corpus = workspace.corpus
    found = corpus.find(identifier, edition if at else None)
    if found.row is None:
        raise refusals.refuse_unknown(corpus, identifier, "`spectastic corpus list` lists the references")
    if found.outcome is Outcome.SUPERSEDED:
        current = corpus.find(identifier, None).edition
        raise CurateError(
            f"{short(token)} is superseded, and stays as it is",
            f"the current edition is {identifier}@{current}",
        )
    reference = None if found.outcome is Outcome.NOTHING else corpus.reference_for(found)
    if reference is not None:
        return found, reference
    if at and edition not in corpus.editions(identifier):
        known = ", ".join(short(known, 40) for known in corpus.editions(identifier)[:5])
        raise CurateError(f"{identifier} has no edition {short(edition) or '(blank)'}", f"editions: {known}")
    raise CurateError(f"{identifier} has no document: {found.detail}", "run `spectastic validate`")


def _lifted(
    workspace: Workspace, found: Resolution, reference: Reference, guard: Guard, word: Word
) -> FileChange | None:
    """The document with its guard lifted, `None` where that was done before, by the same person."""
    before = workspace.read(reference.path)
    assert before is not None  # noqa: S101 - it was just read
    status = reference.value("status")
    if status in guard.statuses:
        fields = {"status": LIFTED, guard.by: word.by, guard.on: word.on or word.today}
        with about(reference.path):
            return FileChange(reference.path, before, with_fields(before, fields))
    by, on = reference.value(guard.by), reference.value(guard.on)
    if status == LIFTED and by == word.by and word.on in ("", on):
        return None
    raise _not_guarded(found, reference, guard)


def _not_guarded(found: Resolution, reference: Reference, guard: Guard) -> CurateError:
    """Why there is nothing that the command could lift."""
    status = reference.value("status")
    other = next((other for other in GUARDS if status in other.statuses), None)
    if other is not None:
        message = f"the status of {found.id} is {status}, which {guard.command} does not lift"
        return CurateError(message, f"spectastic corpus {other.command} {found.id} --by NAME")
    by = reference.value(guard.by)
    if status == LIFTED and by:
        message = f"{found.id} was {guard.done} already, by {short(by)} on {short(reference.value(guard.on))}"
        return CurateError(f"{message}: there is nothing to lift", f"{reference.path} holds the record")
    known = [status for guard in GUARDS for status in guard.statuses]
    meant = nearest(status, known) or not_citable(status)
    if meant:
        message = f"the status of {found.id} is {short(status)}, which is no status"
        return CurateError(message, f"write {meant} in {reference.path} if that is meant, and run this again")
    said = f"the status of {found.id} is {short(status)}" if status else f"{found.id} has no status"
    return CurateError(
        f"{said}: there is nothing to lift", f"{guard.command} lifts {' and '.join(guard.statuses)}"
    )
