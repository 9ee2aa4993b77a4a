"""A reference lacks a required provenance field, or its YAML does not parse.

## What it does

Reads the YAML frontmatter of every reference, superseded ones too, and asks for `slug`, `origin`,
`origin-url`, `edition`, `license`, `converter` and `status`. A field that is empty or says `TODO`
counts as missing. (`content-hash` is required too; `corpus-integrity` asks for it, and shows the
value.) Values are text as written: `edition: 2024-05-28` needs no quotation marks.

It also reports YAML that does not parse, a `slug` of another shape than `001-some-words`, a
`status` that is nearly one of the two words that forbid citing, and a `SKILL.md` without `name` or
`description`. A document of an older corpus may carry its `id` in place of the slug.

## Why is this bad?

Provenance is what separates a committed fact from a paragraph that somebody pasted: without it no
reader can go back to the origin, and no tool can tell which edition this is.

## Example

Wrong, in `knowledge/web/references/002-contrast.md`:

```markdown
---
slug: 002-contrast
origin: Example body
edition: 2022-07-08
license: TODO
converter: by hand
content-hash: sha256:7aba4d79d9ade054759a35044391f9a0cf2eaafd60958cb026ee96c6f04497d6
status: authoritative
---

The contrast of text is at least 4.5 to 1.
```

Right, in `knowledge/web/references/002-contrast.md`:

```markdown
---
slug: 002-contrast
origin: Example body
origin-url: https://example.org/contrast
edition: 2022-07-08
license: CC-BY-4.0
converter: by hand
content-hash: sha256:7aba4d79d9ade054759a35044391f9a0cf2eaafd60958cb026ee96c6f04497d6
status: authoritative
---

The contrast of text is at least 4.5 to 1.
```

## How to fix it

Add each missing field as `name: value` between the two `---` lines. A value with a colon and a
blank, or one that begins with a sign such as `@`, `*` or `[`, needs quotation marks.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-frontmatter"]
severity = { corpus-frontmatter = "warning" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-frontmatter"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.layout import ID, ID_HINT, SLUG, SLUG_HINT
from spectastic.findings import Rule, Severity
from spectastic.rules.common import NOT_CITABLE, not_citable, stated
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference
    from spectastic.findings import Finding

RULE = Rule(
    "corpus-frontmatter",
    Severity.ERROR,
    "a reference lacks a required provenance field, or its YAML does not parse",
)

#: All but `content-hash`: corpus-integrity can say what to write there.
REQUIRED = ("slug", "origin", "origin-url", "edition", "license", "converter", "status")


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report the references, and the `SKILL.md` of packs, whose frontmatter is not complete."""
    for reference in corpus.references:
        if not reference.unreadable:
            yield from _document(reference)
    for pack in corpus.packs:
        for problem in pack.problems:
            yield RULE.from_problem(pack.skill, problem)


def _document(reference: Reference) -> Iterator[Finding]:
    for problem in reference.problems:
        yield RULE.from_problem(reference.path, problem)
    yield from _fields(reference)
    yield from _shapes(reference)


def _fields(reference: Reference) -> Iterator[Finding]:
    """The fields that say nothing: one finding for the missing ones, one for each `TODO`."""
    missing = []
    for name in REQUIRED:
        field = reference.fields.get(name)
        if name == "slug" and field is None and "id" in reference.fields:
            continue
        if field is None or not field.value.strip():
            missing.append(name)
        elif not stated(reference, name):
            message = f"{name} is still TODO"
            yield RULE.at(reference.path, field.span, message, hint=f"say what the {name} is", subject=name)
    # One cause, one finding: what could not be parsed is missing as a consequence.
    if missing and not reference.problems:
        names = ", ".join(missing)
        # No digest: there is no text after the frontmatter, so there is no frontmatter.
        lead = "the frontmatter lacks" if reference.digest else "there is no frontmatter, so no"
        hint = "write each as `name: value` between the two --- lines"
        yield RULE.at(reference.path, reference.head, f"{lead} {names}", hint=hint, subject=names)


def _shapes(reference: Reference) -> Iterator[Finding]:
    """Values of a shape that nothing else will recognise."""
    slug, identifier, status = (stated(reference, name) for name in ("slug", "id", "status"))
    if slug and not SLUG.fullmatch(slug):
        message = f"{short(slug)} is no slug"
        yield RULE.at(reference.path, reference.span("slug"), message, hint=SLUG_HINT, subject=short(slug))
    if not slug and identifier and not ID.fullmatch(identifier):
        message = f"{short(identifier)} is no id"
        hint = f"{ID_HINT}; better, give the document a slug"
        yield RULE.at(reference.path, reference.span("id"), message, hint=hint, subject=short(identifier))
    meant = not_citable(status)
    if meant and status not in NOT_CITABLE:
        message = f"the status {short(status)} is nearly {meant}, and is none of the words that forbid citing"
        hint = f"write {meant}, or a word that cannot be mistaken for it"
        yield RULE.at(reference.path, reference.span("status"), message, hint=hint, subject=short(status))
