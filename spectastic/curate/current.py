"""The current edition of a reference, looked at before another one takes its place."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.layout import SLUG, SLUG_HINT
from spectastic.corpus.model import ORPHANED, SUPERSEDED
from spectastic.curate import names, refusals
from spectastic.curate.documents import with_hash
from spectastic.curate.plan import CurateError
from spectastic.rules import corpus_edition_drift
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.workspace import Workspace
    from spectastic.findings import Finding


#: A content hash that says something.
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


class Current(NamedTuple):
    """What is to be superseded. Paths are relative to the root."""

    row: Row
    reference: Reference
    data: bytes

    @property
    def path(self) -> str:
        """Where its document is."""
        return self.reference.path

    @property
    def folder(self) -> str:
        """Where its retained editions are."""
        return f"{self.path.rpartition('/')[0]}/{SUPERSEDED}"

    def retained(self, edition: str) -> str:
        """The path of a retained edition."""
        return f"{self.folder}/{self.row.slug}@{edition}.md"


def current_edition(workspace: Workspace, identifier: str, drift: Sequence[Finding] | None = None) -> Current:
    """The current edition of an id, sound enough to be retained.

    `drift` is what `corpus-edition-drift` finds, for who asks about many ids.
    """
    refusals.refuse_no_registry(workspace)
    row = _row(workspace.corpus, identifier)
    if row.file != workspace.registry:
        raise refusals.refuse_older(row)
    if row.status == ORPHANED:
        raise CurateError(
            f"{row.id} is orphaned: its original has gone",
            "register what took its place: spectastic corpus add",
        )
    if not SLUG.fullmatch(row.slug):
        message = f"{row.id} has no slug to retain it under: {short(row.slug) or '(blank)'} is none"
        raise CurateError(message, SLUG_HINT)
    corpus = workspace.corpus
    found = corpus.find(row.id, None)
    reference = corpus.reference_for(found)
    data = workspace.read(reference.path) if reference else None
    if reference is None or data is None:
        why = found.detail or "its document has gone"
        raise CurateError(
            f"{row.id} has no document that could be retained: {why}", "restore it, or correct its row"
        )
    if not reference.fields:
        for problem in reference.problems:
            raise CurateError(f"{reference.path}: {problem.message}", problem.hint)
        raise CurateError(
            f"{reference.path} has no frontmatter, so it cannot be retained as it is",
            "write its provenance first: `spectastic validate` says what is missing",
        )
    _refuse_altered(row, reference, data)
    current = Current(row, reference, data)
    if workspace.exists(current.retained(row.edition)):
        raise CurateError(
            f"{current.retained(row.edition)} is there already, so {row.edition} cannot be retained",
            "compare it with the current document; where it is the same text, remove it",
        )
    for finding in corpus_edition_drift.check(corpus) if drift is None else drift:
        if _is_about(finding, current, corpus):
            raise CurateError(f"{finding.path}: {finding.message}", finding.hint)
    return current


def _refuse_altered(row: Row, reference: Reference, data: bytes) -> None:
    """Refuse to retain for ever what is not the text that was cited."""
    declared = reference.value("content-hash")
    if _HASH.fullmatch(declared.lower()) and with_hash(data) != data:
        raise CurateError(
            f"{reference.path} has another text than its content-hash says: it is not {row.id}@{row.edition}",
            f"restore it; if the change was meant: spectastic corpus hash --write {row.id}",
        )


def _row(corpus: Corpus, identifier: str) -> Row:
    found = corpus.find(identifier, None)
    if found.row is not None:
        return found.row
    bare, at, _ = identifier.partition("@")
    if at and bare in corpus.rows:
        raise CurateError(
            f"{short(identifier)} names an edition, and the current one is superseded", f"write {bare}"
        )
    raise refusals.refuse_unknown(corpus, identifier, "register it: spectastic corpus add", found.detail)


def _is_about(finding: Finding, current: Current, corpus: Corpus) -> bool:
    """Whether places disagree that say what the current document is."""
    row = current.row
    if current.path in (finding.path, *(other.path for other in finding.related)):
        return True
    cells = {cell.span for cell in row.cells.values()}
    if any(other.path == row.file and other.span in cells for other in finding.related):
        return True
    skills = [pack.skill for pack in corpus.packs if current.path.startswith(f"{pack.path}/")]
    return finding.path in skills and finding.subject == short(row.slug)


def refuse_names(workspace: Workspace, current: Current, edition: str) -> None:
    """Refuse an edition, the old one or the new, whose retained file some system cannot have."""
    row = current.row
    beside = workspace.names(current.folder)
    name = f"{row.slug}@{row.edition}.md"
    if why := names.refuse(name, beside):
        message = f"the current edition {short(row.edition)} cannot be retained: {short(name)} {why}"
        hint = "name it otherwise first, in its row, in the slug map, in the document and where it is cited"
        raise CurateError(message, hint)
    why = refusals.refuse_edition(row.slug, edition)
    if not why and (clash := names.refuse(f"{row.slug}@{edition}.md", [*beside, name])):
        why = f"cannot be part of a file name: {row.slug}@{edition}.md {clash}"
    if why:
        raise CurateError(f"the edition {short(edition)} {why}", "choose another: 2024-05-28")
    folder = os.path.join(workspace.root, current.folder)
    if workspace.exists(current.folder) and not os.path.isdir(folder):
        raise CurateError(f"{current.folder} is no folder", "something else has its name: remove it")
