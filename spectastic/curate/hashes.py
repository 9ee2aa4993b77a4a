"""`corpus hash`: whether the documents of the corpus say the hash of their text, and making them say it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.layout import ID
from spectastic.corpus.model import Outcome, says_nothing
from spectastic.curate import refusals
from spectastic.curate.documents import with_hash
from spectastic.curate.plan import CurateError, FileChange, Plan, about
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference
    from spectastic.curate.workspace import Workspace


class State(Enum):
    """What a document's `content-hash` is."""

    RIGHT = "right"
    WRONG = "wrong"
    MISSING = "missing"
    UNREADABLE = "unreadable"


class Hashed(NamedTuple):
    """A document: its path, the id of its row (""), what it declares, and the hash of its text.

    `why` says why there is no hash of it. `retained`: it is kept for ever as it was.
    """

    path: str
    id: str
    edition: str
    state: State
    declared: str
    digest: str
    why: str = ""
    retained: bool = False

    @property
    def left(self) -> bool:
        """Whether `hash --write` has to leave it as it is, although it is not right."""
        return self.state is State.UNREADABLE or (self.retained and self.state is State.WRONG)


def hashes(workspace: Workspace, wanted: Iterable[str] = ()) -> tuple[Hashed, ...]:
    """The documents that `wanted` names (`KB-0001`, `KB-0001@2024-05-28`), or all, by path.

    Raises `CurateError` for a name that leads to no document, and where there is no corpus.
    """
    if not workspace.exists(workspace.folder):
        hint = "`spectastic init` makes one; --corpus names another"
        raise CurateError(f"there is no folder {workspace.folder}", hint)
    corpus = workspace.corpus
    asked = dict.fromkeys(wanted)
    paths = {_path(corpus, name) for name in asked}
    ids = _ids(corpus)
    return tuple(
        _hashed(reference, ids.get(reference.path, ""))
        for reference in corpus.references
        if not asked or reference.path in paths
    )


def plan_hashes(workspace: Workspace, wanted: Iterable[str] = ()) -> Plan:
    """Write the hashes that are wrong or missing. Raises `CurateError`."""
    found = hashes(workspace, wanted)
    changes = tuple(_changes(workspace, found))
    left = [item.path for item in found if item.left]
    result = {"documents": [as_json(item) for item in found], "left": left}
    return Plan(changes, result, tuple(_notes(found)))


def as_json(item: Hashed) -> dict[str, str | bool]:
    """A document as programs are told of it."""
    return {
        name: value.value if isinstance(value, State) else value for name, value in item._asdict().items()
    }


def _path(corpus: Corpus, name: str) -> str:
    """The path of the document that a name stands for."""
    identifier, at, edition = name.partition("@")
    hint = "`spectastic corpus list` lists the references"
    if not ID.fullmatch(identifier):
        raise refusals.refuse_unknown(corpus, name, hint)
    found = corpus.find(identifier, edition if at else None)
    if found.path and (found.outcome is not Outcome.NOTHING or found.row is not None):
        return found.path
    if found.row is None:
        raise refusals.refuse_unknown(corpus, identifier, hint)
    if at and edition not in corpus.editions(identifier):
        known = ", ".join(short(known, 40) for known in corpus.editions(identifier)[:5])
        raise CurateError(f"{identifier} has no edition {short(edition) or '(blank)'}", f"editions: {known}")
    raise CurateError(f"{identifier} has no document: {found.detail}", "run `spectastic validate`")


def _ids(corpus: Corpus) -> dict[str, str]:
    """The ids of documents by their paths, those of retained ones too."""
    found: dict[str, str] = {}
    for row in corpus.rows.values():
        for edition in (None, *corpus.editions(row.id)):
            path = corpus.find(row.id, edition).path
            if path:
                found.setdefault(path, row.id)
    return found


def _hashed(reference: Reference, identifier: str) -> Hashed:
    declared = reference.value("content-hash")
    why = reference.unreadable
    if not why and not reference.digest:
        why = "there is no frontmatter to say a hash in"
    if not why and reference.problems and not reference.fields:
        why = reference.problems[0].message
    if why:
        state = State.UNREADABLE
    elif says_nothing(declared):
        state = State.MISSING
    else:
        state = State.RIGHT if declared.lower() == reference.digest else State.WRONG
    return Hashed(
        reference.path,
        identifier,
        reference.value("edition"),
        state,
        declared,
        reference.digest,
        why,
        reference.superseded,
    )


def _changes(workspace: Workspace, found: Sequence[Hashed]) -> Iterator[FileChange]:
    for item in found:
        if item.state in (State.WRONG, State.MISSING) and not item.left:
            before = workspace.read(item.path)
            assert before is not None  # noqa: S101 - it was just read
            with about(item.path):
                yield FileChange(item.path, before, with_hash(before))


def _notes(found: Sequence[Hashed]) -> Iterator[str]:
    for item in found:
        if item.state is State.WRONG and item.retained:
            yield f"{item.path} is retained, and has another text than it was retained with: restore it"
        elif item.state is State.WRONG:
            yield f"{item.path} had the hash of another text: make sure that the change to it was meant"
        elif item.state is State.UNREADABLE:
            yield f"{item.path} was left as it is: {item.why}"
    if all(item.state is State.RIGHT for item in found):
        yield f"every hash is right ({len(found)})"
