"""`corpus supersede`: a new edition takes the place of a reference, and the old one is retained."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic import frontmatter
from spectastic.corpus.model import SUPERSEDED, Outcome, says_nothing
from spectastic.curate import documents, names, refusals, tables
from spectastic.curate.confirm import records
from spectastic.curate.current import current_edition, refuse_names
from spectastic.curate.plan import CurateError, FileChange, Plan, about, merged
from spectastic.rules import corpus_append_only, corpus_edition_drift
from spectastic.source import Source
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Row
    from spectastic.curate.current import Current
    from spectastic.curate.workspace import Workspace
    from spectastic.engine.citing import Pair
    from spectastic.findings import Finding, Problem
    from spectastic.source import Unreadable

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
#: What is never taken over, as each document has its own.
_OWN = ("slug", "edition", "content-hash")


class Request(NamedTuple):
    """A new edition: `data` is what `file` holds, `place` its path below the root ("" for one outside)."""

    id: str
    edition: str
    file: str
    data: bytes
    place: str = ""


class Uses(NamedTuple):
    """The citations that a new edition makes stale (`stale`), or moves on with it (`bare`: no edition)."""

    stale: tuple[Pair, ...]
    bare: tuple[Pair, ...]
    unread: tuple[Unreadable, ...]


class Move(NamedTuple):
    """What tables are to say of a reference from now on, by column: its row, and its line in the slug map.

    `path` is where its document is as long as they do not.
    """

    row: Row
    path: str
    cells: Mapping[str, str]
    mapped: Mapping[str, str]


def plan_supersede(workspace: Workspace, wanted: Request) -> Plan:
    """Retain the current edition of a reference, and put a new one in its place. Raises `CurateError`."""
    current = current_edition(workspace, wanted.id)
    if says_nothing(wanted.edition):
        said = f"the edition {short(wanted.edition) or '(blank)'} says nothing"
        raise CurateError(said, "name the new edition, in practice a date: 2024-05-28")
    row = current.row
    new, taken, notes = _document(current, wanted)
    result: dict[str, object] = {
        "id": row.id,
        "edition": wanted.edition,
        "path": current.path,
        "superseded": None,
        "retained": None,
        "taken_over": [],
    }
    if wanted.edition == row.edition and new == current.data:
        return Plan((), result, (f"this is so already: {row.id}@{row.edition} is {current.path}",))
    _refuse_known(workspace, current, wanted, new)
    edition = {"Edition": wanted.edition}
    changes = merged(
        [
            *replaced(workspace, current, wanted.edition, new),
            *moved(workspace, [Move(row, current.path, edition, edition)]),
        ]
    )
    names.refuse_new(workspace, changes)
    refuse_outcome(workspace.corpus, workspace.with_changes(changes).corpus)
    retained = current.retained(row.edition)
    result |= {"superseded": row.edition, "retained": retained, "taken_over": list(taken)}
    if taken:
        notes.append(f"taken over from {row.edition}, check whether it still holds: {', '.join(taken)}")
    if wanted.place:
        notes.append(f"{wanted.place} is left where it was")
    notes.append(f"what changed: spectastic corpus diff {row.id} @{short(row.edition)}")
    return Plan(changes, result, (f"cite it as {row.id}@{wanted.edition}", *notes))


def replaced(workspace: Workspace, current: Current, edition: str, new: bytes) -> tuple[FileChange, ...]:
    """The old document as it is retained, and the new one in its place. Raises `CurateError`."""
    refuse_names(workspace, current, edition)
    old = _with(current.path, current.data, {"status": SUPERSEDED})
    retained = FileChange(current.retained(current.row.edition), None, old)
    return retained, FileChange(current.path, current.data, new)


def uses(
    settings: Settings, workspace: Workspace, changes: Iterable[FileChange], superseded: Mapping[str, str]
) -> Uses:
    """What the specs cite of references that changes supersede: `superseded` has their old editions by id."""
    from spectastic.engine.citing import citing, every_decision, pairs

    if not superseded:
        return Uses((), (), ())
    after = workspace.with_changes(changes).corpus
    only = next(iter(superseded)) if len(superseded) == 1 else ""
    cited = citing(settings, after, only) if only else every_decision(settings, after)
    found = [pair for pair in pairs(cited) if pair[1].id in superseded]
    stale = (
        pair
        for pair in found
        if pair[1].outcome is Outcome.SUPERSEDED and pair[1].lands == superseded[pair[1].id]
    )
    bare = (pair for pair in found if pair[1].edition is None)
    return Uses(tuple(stale), tuple(bare), cited.unread)


def _refuse_known(workspace: Workspace, current: Current, wanted: Request, new: bytes) -> None:
    """Refuse an edition or a text that is there already."""
    row, edition = current.row, wanted.edition
    same = documents.text(new) == documents.text(current.data)
    if edition == row.edition:
        message = f"{row.id} has the edition {edition} already: it is the current one"
        if same:
            raise CurateError(
                f"{message}, with this text and another frontmatter",
                f"correct the frontmatter of {current.path}",
            )
        raise CurateError(f"{message}, with another text", "another text is another edition: choose its name")
    if edition in workspace.corpus.editions(row.id):
        path = workspace.corpus.find(row.id, edition).path
        raise CurateError(
            f"{row.id} has the edition {edition} already: {path}",
            "another text is another edition: choose its name",
        )
    if same:
        hint = f"cite it as {row.id}@{row.edition}"
        if wanted.place == current.path:
            hint = "--from names the new text: put it into another file, and restore the old one here"
        raise CurateError(f"{wanted.file} has the text of the current edition, {row.edition}", hint)
    retained = f"{current.folder}/{row.slug}@"
    # A rule may be put back into force: then its text is one that this reference had before.
    own = (current.path, retained)
    refusals.refuse_same_text(workspace, new, lambda item: item.path.startswith(own))


def _document(current: Current, wanted: Request) -> tuple[bytes, tuple[str, ...], list[str]]:
    """The new document; the fields that it has from the old one; and what is to be said about it."""
    base, found = documents.opened(wanted.data)
    for problem in (*Source(wanted.file, wanted.data).problems, *found.problems):
        raise CurateError(f"{wanted.file}: {problem.message}", problem.hint)
    if not wanted.data[found.block.body if found.block else base :].strip():
        raise CurateError(f"{wanted.file} has no text", "write what can be cited")
    said = {name: field.value for name, field in found.fields.items() if _is_said(name, field.value)}
    names_taken = documents.FIELDS if found.block else current.reference.fields
    old = {name: current.reference.value(name) for name in names_taken if name not in _OWN}
    taken = {name: value for name, value in old.items() if name not in said and _is_said(name, value)}
    _refuse_vouched(current, wanted, said, taken)
    data = wanted.data if found.block else _headed(current, wanted.data)
    fields = {**taken, "slug": current.row.slug, "edition": wanted.edition}
    written = _with(wanted.file, data, fields, hashed=True)
    return written, tuple(taken), list(_corrected(current, wanted, said))


def _is_said(name: str, value: str) -> bool:
    """Whether a field says something that a current document may."""
    return not says_nothing(value) and not (name == "status" and value == SUPERSEDED)


def _refuse_vouched(
    current: Current, wanted: Request, said: Mapping[str, str], taken: Mapping[str, str]
) -> None:
    """Refuse to let a new text pass as one that somebody vouched for."""
    vouched = records(documents.opened(current.data)[1])
    repeated = [name for name in vouched if said.get(name) == current.reference.value(name)]
    if repeated:
        raise CurateError(
            f"{wanted.file} repeats {', '.join(repeated)} of {current.row.edition}, which is another text",
            f"take that out of {wanted.file}, and let it say its own status",
        )
    if vouched and ("status" in taken or vouched[0] in taken):
        raise CurateError(
            f"{wanted.file} says no status, and that of {current.row.edition} rests on {', '.join(vouched)}",
            f"begin {wanted.file} with frontmatter that says its own status",
        )


def _corrected(current: Current, wanted: Request, said: Mapping[str, str]) -> Iterator[str]:
    """What the frontmatter of the new text says and does not keep."""
    edition = said.get("edition", wanted.edition)
    if edition not in (wanted.edition, current.row.edition):
        yield f"{wanted.file} says the edition {short(edition)}: {short(wanted.edition)} was written"
    slug = said.get("slug", current.row.slug)
    if slug != current.row.slug:
        yield f"{wanted.file} says the slug {short(slug)}: {current.row.slug} was kept"


def _headed(current: Current, body: bytes) -> bytes:
    """A text under the frontmatter of the current document, with the line ends of the text."""
    mark = _BOM if body.startswith(_BOM) else b""
    body = body[len(mark) :]
    old = current.data.removeprefix(_BOM)
    block = frontmatter.split(old)
    assert block is not None  # noqa: S101 - it has fields
    first = _LINE_END.search(body) or _LINE_END.search(old)
    eol = first[0] if first else b"\n"
    lines = [line for line in _LINE_END.split(old[: block.body]) if line]
    gap = b"" if _LINE_END.match(body) else eol
    return mark + b"".join(line + eol for line in lines) + gap + body


def _with(path: str, data: bytes, fields: Mapping[str, str], *, hashed: bool = False) -> bytes:
    """A document with fields set, and with its hash. A list or a mapping is not replaced by a text."""
    with about(path):
        after = documents.with_fields(data, fields)
        after = documents.with_hash(after) if hashed else after
    known = {problem.message for problem in _problems(data)}
    for problem in _problems(after):
        if problem.message not in known:
            message = f"{path}: the frontmatter cannot be changed: {problem.message}"
            raise CurateError(message, "write one `field: value` a line")
    return after


def _problems(data: bytes) -> tuple[Problem, ...]:
    return documents.opened(data)[1].problems


def moved(workspace: Workspace, moves: Sequence[Move]) -> Iterator[FileChange]:
    """The slug maps and the registry, moved on."""
    mapped = {move.path: move.mapped for move in moves if move.mapped}
    for pack in workspace.corpus.packs:
        paths = [(entry, f"{pack.path}/{entry.path}") for entry in pack.entries]
        cells = [(entry, mapped[path]) for entry, path in paths if path in mapped]
        if cells:
            source = _source(workspace, pack.skill)
            yield FileChange(pack.skill, source.data, tables.set_rows(source, cells))
    source = _source(workspace, workspace.registry)
    rows = [(move.row, move.cells) for move in moves]
    yield FileChange(workspace.registry, source.data, tables.set_rows(source, rows))


def _source(workspace: Workspace, path: str) -> Source:
    """A file with a table that may be changed."""
    source = workspace.source(path)
    if source is None:
        raise CurateError(f"{path} has gone meanwhile", "run this again")
    for problem in frontmatter.conflict_problems(source.encoded, source.base):
        line = source.line_of(problem.span.start)
        raise CurateError(f"{path}:{line}: {problem.message}", problem.hint)
    return source


def refuse_outcome(before: Corpus, after: Corpus) -> None:
    """Refuse what would break the corpus: an edition lost, or places that disagree from then on."""
    known = {_key(finding) for finding in corpus_edition_drift.check(before)}
    for finding in (*corpus_append_only.check(after, before), *corpus_edition_drift.check(after)):
        if _key(finding) not in known:
            message = f"this would break the corpus: {finding.path}: {finding.message}"
            raise CurateError(message, finding.hint)


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.path, finding.message
