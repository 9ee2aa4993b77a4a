"""Registry, frontmatter, file name or slug map name different editions.

## What it does

Compares the places that say which edition of what a document is:

- a registry row with the frontmatter of the document it leads to: edition and slug (in an older
  corpus, the id);
- the name of a superseded document, `<slug>@<edition>.md`, with its frontmatter;
- the slug map in a pack's `SKILL.md` with the documents and the registry: edition, slug and path;
- the status with the folder: `superseded` under `references/superseded/`, and only there;
- the editions of one slug: none is both current and superseded.

A finding names both places.

## Why is this bad?

A citation is resolved by what the registry says and read by what the document says. When the two
disagree, the edition in the citation is the name of one text and leads to another.

## Example

Wrong, in `knowledge/index.md`:

```markdown
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
| KB-0002 | acme | web | 002-contrast | Contrast | 2024-12-12 | web/references/002-contrast.md | |
```

Right, in `knowledge/index.md`:

```markdown
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
| KB-0002 | acme | web | 002-contrast | Contrast | 2022-07-08 | web/references/002-contrast.md | |
```

## How to fix it

Find out which place is right, usually the one that was changed last, and bring the other one into
line. For a new edition: move the old document to `references/superseded/<slug>@<edition>.md` with
`status: superseded`, then change edition and text of the current one, its row, and the slug map.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-edition-drift"]
severity = { corpus-edition-drift = "warning" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-edition-drift"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import SUPERSEDED, Outcome
from spectastic.corpus.retained import retained_as
from spectastic.findings import Related, Rule, Severity
from spectastic.rules.common import beside, cell, home, registered_path, stated
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Pack, Reference, Row, SlugEntry
    from spectastic.findings import Finding, Span

RULE = Rule(
    "corpus-edition-drift",
    Severity.ERROR,
    "registry, frontmatter, file name or slug map name different editions",
)


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report each pair of places in the corpus that disagree."""
    # One that cannot be read says nothing to compare; `file-unreadable` tells of it.
    unreadable = {reference.path for reference in corpus.references if reference.unreadable}
    documents = {item.path: item for item in corpus.references if item.path not in unreadable}
    current: dict[tuple[str, str], Row] = {}
    for row in corpus.rows.values():
        found = corpus.find(row.id, None)
        if found.outcome is Outcome.CURRENT and found.path in documents:
            yield from _row(row, documents[found.path])
            current.setdefault((home(row, corpus), row.slug), row)
    for reference in documents.values():
        if reference.superseded:
            yield from _superseded(reference, current)
        elif stated(reference, "status") == SUPERSEDED:
            message = "the status is superseded, and the document is not in superseded/"
            hint = "move it to superseded/<slug>@<edition>.md, or correct the status"
            span = reference.span("status")
            yield RULE.at(reference.path, span, message, hint=hint, subject=SUPERSEDED)
    for pack in corpus.packs:
        readable = pack._replace(
            entries=tuple(entry for entry in pack.entries if f"{pack.path}/{entry.path}" not in unreadable)
        )
        yield from _slug_map(readable, documents, current, corpus)


def _row(row: Row, document: Reference) -> Iterator[Finding]:
    """A registry row and the document that it leads to."""
    pairs = [("edition", "Edition", row.edition), ("slug", "Slug", row.slug)]
    if not stated(document, "slug"):
        pairs.append(("id", "KB-NNNN", row.id))
    for name, column, registered in pairs:
        declared = stated(document, name)
        if declared and registered and declared != registered:
            said = f"{row.id} is registered with the {name} {short(registered, 40)}"
            yield RULE.at(
                row.file,
                cell(row, column),
                f"{said}, and {document.path} says {short(declared, 40)}",
                hint="bring the row and the frontmatter into line; citations follow the row",
                subject=row.id,
                related=(Related(document.path, document.span(name), f"the {name} in the document"),),
            )


def _superseded(reference: Reference, current: Mapping[tuple[str, str], Row]) -> Iterator[Finding]:
    """A retained document: its name, its frontmatter, its status and the current edition."""
    named = retained_as(reference.path)
    if named is None:
        message = "the file of a superseded document is not named <slug>@<edition>.md"
        slug, edition = (short(stated(reference, name), 40) or f"<{name}>" for name in ("slug", "edition"))
        hint = f"rename it to {slug}@{edition}.md"
        yield RULE.at(reference.path, reference.head, message, hint=hint, subject=reference.path)
        return
    for name, said in zip(("slug", "edition"), named, strict=True):
        declared = stated(reference, name)
        if declared and declared != said:
            message = (
                f"the file name gives the {name} {short(said, 40)}, and the frontmatter {short(declared, 40)}"
            )
            hint = "rename the file or correct the frontmatter; until then both are found"
            yield RULE.at(reference.path, reference.span(name), message, hint=hint, subject=short(declared))
    yield from _status(reference, named, current)


def _status(
    reference: Reference, named: tuple[str, str], current: Mapping[tuple[str, str], Row]
) -> Iterator[Finding]:
    place = beside(reference)
    slugs = {named[0], stated(reference, "slug")}
    rows = (current[place, slug] for slug in sorted(slugs) if (place, slug) in current)
    row = next((row for row in rows if row.edition in {named[1], stated(reference, "edition")}), None)
    status = stated(reference, "status")
    related: tuple[Related, ...] = ()
    if row is not None:
        message = (
            f"edition {short(row.edition, 40)} of {short(row.slug)} is both superseded, here, and current"
        )
        hint = "remove this copy, or register the edition that took its place"
        related = (Related(row.file, cell(row, "Edition"), f"the current edition of {row.id}"),)
    elif status and status != SUPERSEDED:
        message = f"the document is in superseded/, and its status is {short(status)}"
        hint = "write status: superseded, or move the document back"
    else:
        return
    span = reference.span("status")
    yield RULE.at(reference.path, span, message, hint=hint, subject=reference.path, related=related)


def _slug_map(
    pack: Pack, documents: Mapping[str, Reference], current: Mapping[tuple[str, str], Row], corpus: Corpus
) -> Iterator[Finding]:
    """The entries of a pack's slug map, each with its document and its row."""
    for entry in pack.entries:
        document = documents.get(f"{pack.path}/{entry.path}")
        if document is None:
            said = f"the slug map gives {short(entry.slug, 40)} the path {short(entry.path)}"
            message = f"{said}, where no document is"
            hint = (
                "correct the path, which is relative to the pack, or remove the line if the document has gone"
            )
            yield RULE.at(
                pack.skill, _entry_cell(entry, "Path"), message, hint=hint, subject=short(entry.slug)
            )
            continue
        for name, column, mapped in (("edition", "Edition", entry.edition), ("slug", "Slug", entry.slug)):
            declared = stated(document, name)
            if declared and declared != mapped:
                said = f"the slug map gives {short(entry.path)} the {name} {short(mapped, 40) or '(none)'}"
                yield RULE.at(
                    pack.skill,
                    _entry_cell(entry, column),
                    f"{said}, and the document says {short(declared, 40)}",
                    hint="bring the slug map and the frontmatter into line",
                    subject=short(entry.slug),
                    related=(Related(document.path, document.span(name), f"the {name} in the document"),),
                )
        yield from _other_path(pack, entry, document, current, corpus)


def _other_path(
    pack: Pack,
    entry: SlugEntry,
    document: Reference,
    current: Mapping[tuple[str, str], Row],
    corpus: Corpus,
) -> Iterator[Finding]:
    row = current.get((document.path.rpartition("/")[0], entry.slug))
    if row is not None and registered_path(row, corpus) != document.path:
        said = f"the slug map gives {short(entry.slug, 40)} the path {short(entry.path)}"
        yield RULE.at(
            pack.skill,
            _entry_cell(entry, "Path"),
            f"{said}, and its row in the registry {short(row.path)}",
            hint="let both lead to the current document",
            subject=short(entry.slug),
            related=(Related(row.file, cell(row, "Path"), f"the path of {row.id}"),),
        )


def _entry_cell(entry: SlugEntry, name: str) -> Span:
    found = entry.cells.get(name)
    return entry.span if found is None else found.span
