r"""A registry row is malformed, duplicated, or points outside the corpus.

## What it does

Reports everything in `knowledge/index.md` that is not read as a row of the registry although it
looks like one: a row with a wrong number of cells, an id that is no id (`KB-42`), a second row with
the same id, a row after the end of the table, a second table, a header that is missing or
misspelt, a Path that is absolute, contains `..` or leaves the corpus through a symlink. The other
rows still count.

An Edition that is blank or `TODO` in the row and in its document is told once, by `corpus-frontmatter`.

The slug map in a pack's `SKILL.md` is read in the same way. What is in the way of reading the corpus
folder is reported here too: a symlink that leads outside, a folder with the name of a document, a
document that lies too deep to be found.

Older corpora, with a registry of seven columns or an `index.md` in each pack, are still read; a
note says how to bring them up to date.

## Why is this bad?

The registry is the only authority on what an id means. A row that is dropped in silence turns
good citations into dead ones, and two rows with one id give two readers two different facts.

## Example

Wrong, in `knowledge/index.md`:

```markdown
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
| KB-2 | acme | web | 002-contrast | Contrast | 2022-07-08 | web/references/002-contrast.md | |
```

Right, in `knowledge/index.md`:

```markdown
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
|---|---|---|---|---|---|---|---|
| KB-0002 | acme | web | 002-contrast | Contrast | 2022-07-08 | web/references/002-contrast.md | |
```

## How to fix it

Give each row one cell for each column of the header and an id of its own: `KB-` and three or more
digits. A pipe inside a cell is written `\|`. A Path is relative to the corpus folder.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-registry"]
severity = { corpus-registry = "warning" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-registry"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import says_nothing
from spectastic.findings import Rule, Severity
from spectastic.rules.common import cell, registered_path, stated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding, Span

RULE = Rule(
    "corpus-registry", Severity.ERROR, "a registry row is malformed, duplicated, or points outside the corpus"
)


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report what the registry's reader, and the walk through the corpus, could not take."""
    told = _told_by_documents(corpus)
    for problem in corpus.registry.problems:
        if problem.span not in told:
            yield RULE.from_problem(corpus.registry.path, problem)
    for path, problem in corpus.problems:
        yield RULE.from_problem(path, problem)
    for path, hint in corpus.hints:
        yield RULE.from_problem(path, hint)._replace(severity=Severity.INFO)


def _told_by_documents(corpus: Corpus) -> set[Span]:
    """The cells of editions that the document does not say either: of that, corpus-frontmatter tells."""
    rows = [row for row in corpus.registry.rows if says_nothing(row.edition)]
    if not rows:
        return set()  # then no document need be read for this
    todo = {item.path for item in corpus.references if not (item.unreadable or stated(item, "edition"))}
    return {cell(row, "Edition") for row in rows if registered_path(row, corpus) in todo}
