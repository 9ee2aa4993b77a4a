"""Since a base revision, a retained edition was changed or removed, or an id moved.

## What it does

Compares the corpus with what it was at a base revision: with `--base`, or in a pull request, with
the commit at which HEAD left its target branch. It reports

- a row that is gone, and an id that names another marketplace, plugin or slug than it did (a slug may
  change in row and documents together);
- an edition that could be cited then and leads to nothing now: its document was deleted, or the
  Edition of its row moved on and the old document was not retained under `superseded/`;
- a retained document whose text has changed, or anything in its frontmatter but `status`;
- an edition that was retained with another text, or other provenance, than it had while it was current.

A pack may move, together with the Paths of its rows, and a row may be marked `orphaned`, as long as
every edition still leads to the same text.

A current document whose text changed under the same edition is a warning: a reviewer sees whether it
was a slip of the pen. Without a base revision, nothing is compared.

## Why is this bad?

A citation is a promise about the future as well: whoever follows it in ten years finds the text
that its author had read. Every check of today's tree can pass while a text behind yesterday's
citations is exchanged; only the history shows it.

## Example

Wrong, in `knowledge/fin/references/superseded/001-settlement@2017-09-05.md`:

```markdown
---
slug: 001-settlement
origin: Example body
origin-url: https://example.org/001-settlement
edition: 2017-09-05
license: CC-BY-4.0
converter: by hand
content-hash: sha256:7dd46e44c6a2afa42a90450db7554781e5300dbb9d4553e5fc7b2bb380c8cd14
status: superseded
---

Trades in US equities settle three business days later.
```

Right, in `knowledge/fin/references/superseded/001-settlement@2017-09-05.md`:

```markdown
---
slug: 001-settlement
origin: Example body
origin-url: https://example.org/001-settlement
edition: 2017-09-05
license: CC-BY-4.0
converter: by hand
content-hash: sha256:3d0f5dbc08dafbbbc729c87428b89154bd480922e6e14f5e4077ae0b905547f3
status: superseded
---

Trades in US equities settle two business days later.
```

## How to fix it

Restore what was there: `git checkout <base> -- <path>` brings a document back. A correction is a new
edition: move the old document to `references/superseded/<slug>@<edition>.md`, change nothing in it
but its `status`, then change edition and text of the current one, and its row.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-append-only"]
severity = { corpus-append-only = "warning" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-append-only"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding

RULE = Rule(
    "corpus-append-only",
    Severity.ERROR,
    "since a base revision, a retained edition was changed or removed, or an id moved",
)


def check(corpus: Corpus, base: Corpus) -> Iterator[Finding]:
    """Report what `corpus` no longer has of `base`."""
    # Imported here: most runs have no base.
    from spectastic.rules.history import compare

    return compare(corpus, base)
