"""A reference's `content-hash` does not match its text, or was never computed.

## What it does

Computes the hash of every reference, superseded ones too, and compares it with the `content-hash`
in its frontmatter: the SHA-256 of every byte after the line break that ends the closing `---`
line, to the end of the file, with CRLF read as LF. Nothing is trimmed. It is written as `sha256:`
and 64 hexadecimal digits. A hash that is missing, or `TODO`, was never computed; the hint shows the
value to write. Where a wrong hash is right for the text of the last commit, the finding says so: then the
change has not been committed yet.

## Why is this bad?

An edition is a promise that the text behind a citation stays what it was. When the text changed
and the edition did not, everyone who cited it now vouches for words they have not read.

## Example

Wrong, in `knowledge/web/references/002-contrast.md`:

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

The contrast of text is at least 3 to 1.
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

If the change was not meant, restore the text. If it was, it is a new edition: `spectastic corpus
supersede` keeps the old document under `references/superseded/`, and gives the new one its own
`edition` and its hash. Where only a slip of the pen was corrected, writing the new hash is enough:
`spectastic corpus hash --write` does.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-integrity"]
severity = { corpus-integrity = "error" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-integrity"] }
```
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity
from spectastic.rules.common import stated
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference
    from spectastic.findings import Finding

RULE = Rule(
    "corpus-integrity",
    Severity.WARNING,
    "content-hash does not match the document's body, or was never computed",
)

#: What is hashed: without it, nobody can compute the value by other means.
DEFINITION = "the hash is the SHA-256 of every byte after the closing --- line, CRLF read as LF"

_HASH = re.compile(r"sha256:[0-9A-Fa-f]{64}")


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report the references whose declared hash is not that of their text."""
    for reference in corpus.references:
        # Without frontmatter there is no body to hash, and corpus-frontmatter says so.
        if reference.fields and not reference.unreadable:
            yield from _document(reference, corpus)


def _document(reference: Reference, corpus: Corpus) -> Iterator[Finding]:
    declared = stated(reference, "content-hash")
    if not declared:
        message = f"content-hash was never computed; {DEFINITION}"
        hint = f"if this is the text that was meant, write content-hash: {reference.digest}"
    elif not _HASH.fullmatch(declared):
        message = f"content-hash {short(declared, 40)} is not sha256: and 64 hexadecimal digits; {DEFINITION}"
        hint = f"if this is the text that was meant, write content-hash: {reference.digest}"
    elif declared.lower() != reference.digest:
        said, found = _start(declared.lower()), _start(reference.digest)
        message = f"content-hash says {said} and the body has {found}; {DEFINITION}"
        hint = f"restore the text, or make it a new edition with content-hash: {reference.digest}"
        if declared.lower() == corpus.committed_digest(reference.path):
            then = "right for the text of the last commit"
            message = f"content-hash says {said}, {then}, and the body has {found}; {DEFINITION}"
            hint = f"git diff HEAD shows what was changed since: {hint}"
    else:
        return
    yield RULE.at(reference.path, reference.span("content-hash"), message, hint=hint, subject=reference.path)


def _start(digest: str) -> str:
    return f"{digest[: len('sha256:') + 12]}…"
