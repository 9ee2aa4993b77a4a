"""A spec or a reference cannot be read as text.

## What it does

Reports each file that should be checked and cannot be: it is not UTF-8, holds a NUL byte, is too
large, may not be read, is a symlink that dangles, loops or leaves the repository, or is a folder
with the name of a document. A file with a byte order mark is fine.

## Why is this bad?

What cannot be read cannot be checked. A file that is passed over in silence looks the same as one
in which nothing is wrong.

## Example

Wrong: `specs/settlement.md` was saved as UTF-16, or is a symlink to a file that was moved.

Right: `specs/settlement.md` is a regular file in UTF-8.

## How to fix it

Save the file as UTF-8, repair or remove the symlink, or give the folder another name. A file that
is no spec at all can be left out with `exclude = ["…"]` in the configuration.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
exclude = ["specs/scans/**"]
ignore = ["file-unreadable"]
severity = { file-unreadable = "warning" }
per-path-ignores = { "specs/scans/**" = ["file-unreadable"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import NOWHERE
from spectastic.findings import Rule, Severity
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding
    from spectastic.source import Source

RULE = Rule("file-unreadable", Severity.ERROR, "a spec or a reference cannot be read as text")


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report the references that could not be read, or not as text."""
    for reference in corpus.references:
        if reference.unreadable:
            yield from check_unreadable([Unreadable(reference.path, reference.unreadable)])


def check_unreadable(unreadable: Iterable[Unreadable]) -> Iterator[Finding]:
    """Report the paths that could not be read at all."""
    for item in unreadable:
        yield RULE.at(item.path, NOWHERE, item.message, hint=item.hint, subject=item.path)


def check_source(source: Source) -> Iterator[Finding]:
    """Report what keeps a file that was read from being plain text."""
    for problem in source.problems:
        yield RULE.from_problem(source.path, problem)
