"""A citation leads to a document that git does not track.

## What it does

Reports each citation that resolves here and would not resolve in another checkout: its document,
the registry file with its row, or a symlink on the way to the document is not tracked by git,
because nobody has run `git add` yet or because `.gitignore` leaves it out. What is staged counts as
tracked, and so does everything in a submodule. Each such file is reported once in a decision, at the
first citation that needs it.

Where there is no git, no repository, or one that tracks no file at all, nothing is reported.

## Why is this bad?

The check passes here and fails in CI, or for the next person who clones the repository: what they
get is the citation without the text that it leads to.

## Example

Wrong: `specs/settlement.md` cites `KB-0001@2024-05-28`, and `git status` lists
`knowledge/fin/references/001-settlement.md` as untracked.

Right: the document is staged or committed together with the spec that cites it.

## How to fix it

Run the `git add` that the hint shows. Where `.gitignore` leaves the file out on purpose, move the
document to a folder that is committed, and correct the Path of its row.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-uncommitted"]
severity = { corpus-uncommitted = "error" }
per-path-ignores = { "specs/drafts/**" = ["corpus-uncommitted"] }
```

For one decision, in a comment directly before it or inside it; the reason is required:

```html
<!-- spectastic: ignore corpus-uncommitted -- the document is generated before each release -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import Outcome
from spectastic.findings import Rule, Severity
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution
    from spectastic.findings import Finding
    from spectastic.spec.model import Spec

RULE = Rule("corpus-uncommitted", Severity.WARNING, "a citation leads to a document that git does not track")


def check(spec: Spec, corpus: Corpus) -> Iterator[Finding]:
    """Report the files that citations of `spec` need and git does not track."""
    for decision in spec.citing:
        told: set[str] = set()
        for citation in decision.citations:
            for path, said in _missing(corpus.resolve(citation), corpus):
                if path not in told:
                    told.add(path)
                    message = f"{short(citation.text)} {said}: the citation fails in every other checkout"
                    yield RULE.at(spec.path, citation.span, message, hint=_hint(path), subject=path)


def _missing(resolution: Resolution, corpus: Corpus) -> Iterator[tuple[str, str]]:
    """What git lacks of the files that a citation needs, each with what the citation has to do with it."""
    if resolution.outcome is Outcome.NOTHING:
        return
    file = resolution.row.file if resolution.row else ""
    told = False
    for path in corpus.untracked(file):
        told = True
        how = "has its row in" if path == file else f"has its row in {short(file)}, by way of"
        yield path, f"{how} {short(path)}, which git does not track"
    if told:
        return  # without its row, a document is not even looked for
    for path in corpus.untracked(resolution.path):
        how = "leads to" if path == resolution.path else f"leads to {short(resolution.path)} by way of"
        yield path, f"{how} {short(path)}, which git does not track"


def _hint(path: str) -> str:
    from shlex import quote

    return f"run git add {quote(path)}, with --force if .gitignore leaves it out"
