"""A registry row has no file, or a reference has no row.

## What it does

Reports a row of the registry whose Path names no document, unless its Status is `orphaned`; a
current reference that no row leads to; and a superseded one whose slug has no row.

A row that is `orphaned` may have its document still: `spectastic corpus import` marks what its
publisher delivers no more, and keeps the text behind the citations.

## Why is this bad?

Citations of a row without a file are dead. A reference without a row cannot be cited at all: it
has no id, so people who need the fact will not find it and write it from memory.

## Example

Wrong, in `knowledge/index.md`:

```markdown
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
| KB-0002 | acme | web | 002-contrast | Contrast | 2022-07-08 | web/references/text-contrast.md | |
```

Right, in `knowledge/index.md`:

```markdown
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
| KB-0001 | acme | fin | 001-settlement | Settlement | 2024-05-28 | fin/references/001-settlement.md | |
| KB-0002 | acme | web | 002-contrast | Contrast | 2022-07-08 | web/references/002-contrast.md | |
| KB-0003 | acme | fin | 003-cut-off | Cut-off | 2025-01-15 | fin/references/003-cut-off.md | |
| KB-0004 | acme | web | 004-gone | A page | 2020-01-01 | web/references/004-gone.md | orphaned |
```

## How to fix it

Correct the Path, restore the document, or register the reference under the next free id. A row is
never deleted, since somebody may have cited it: where the document is gone for good, write
`orphaned` into its Status cell.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-orphan"]
severity = { corpus-orphan = "error" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-orphan"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import ORPHANED, Miss
from spectastic.corpus.retained import retained_as
from spectastic.findings import Rule, Severity
from spectastic.rules.common import beside, cell, home, registered_path, stated
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Row
    from spectastic.findings import Finding

RULE = Rule("corpus-orphan", Severity.WARNING, "a registry row has no file, or a reference has no row")


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report rows without a document, and documents without a row."""
    if not corpus.rows and not corpus.registry.exists:
        return  # one cause, one finding: corpus-registry tells that there is no registry
    paths: set[str] = set()
    owners: set[tuple[str, str]] = set()
    for row in corpus.rows.values():
        yield from _row(row, corpus)
        paths |= {registered_path(row, corpus), corpus.find(row.id, None).path}
        owners |= {(home(row, corpus), row.slug), (home(row, corpus), row.id)}
    for reference in corpus.references:
        if not _has_row(reference, paths, owners):
            yield from _reference(reference, corpus)


def _row(row: Row, corpus: Corpus) -> Iterator[Finding]:
    found = corpus.find(row.id, None)
    if found.miss is Miss.DOCUMENT_MISSING and row.status != ORPHANED:
        detail = f" ({short(found.detail)})" if found.detail else ""
        message = f"the path of {row.id} leads to no document: {short(row.path)}{detail}"
        hint = "correct the path, restore the document, or write orphaned into the Status cell"
        yield RULE.at(row.file, cell(row, "Path"), message, hint=hint, subject=row.id)


def _has_row(reference: Reference, paths: Collection[str], owners: Collection[tuple[str, str]]) -> bool:
    if not reference.superseded:
        return reference.path in paths
    place = beside(reference)
    named = retained_as(reference.path)
    names = {stated(reference, "slug"), stated(reference, "id"), named[0] if named else ""} - {""}
    return any((place, name) in owners for name in names)


def _reference(reference: Reference, corpus: Corpus) -> Iterator[Finding]:
    if reference.superseded:
        message = (
            f"no row of {corpus.registry.path} has the slug of this superseded document and a path beside it"
        )
        hint = "correct its slug, or register the document that took its place"
    else:
        message = f"no row of {corpus.registry.path} leads to this document, so nobody can cite it"
        hint = f"add a row with the path {reference.path.removeprefix(corpus.folder + '/')}"
    yield RULE.at(reference.path, reference.head, message, hint=hint, subject=reference.path)
