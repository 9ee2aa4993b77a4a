"""A citation in a decision is bare or malformed.

## What it does

Reports a citation without an edition (`KB-0001`), and what was surely meant as a citation but is
none: `kb-0001@2024-05-28`, `KB-1@2024-05-28`, `KB_0001@2024-05-28`, `KB-0001@` with nothing behind
it, `KB-0001 @2024-05-28`, a dash that is not a hyphen, a digit of another script, an invisible
character inside. It names the character that is wrong and shows the token to write.

In lower case, with too few digits or with `_`, an id without an `@` is not reported: `kb-0001` may be
the name of a file. `kb-0001@2024-05-28` is surely meant as a citation.

It needs no corpus, so it also works before the first reference is registered.

## Why is this bad?

A bare citation follows the fact wherever it moves: nobody can tell which text the author had
read, so no later change can be noticed. A malformed one is read by nobody at all.

## Example

Wrong, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001.

</spec-decision>
```

Right, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001@2024-05-28.

</spec-decision>
```

## How to fix it

Write the token that the hint shows: `KB-`, three or more digits, `@`, and the edition that you
have read, as it stands in the Edition column of `knowledge/index.md`.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-citation-form"]
severity = { corpus-citation-form = "error" }
per-path-ignores = { "specs/drafts/**" = ["corpus-citation-form"] }
```

For one decision, in a comment directly before it or inside it; the reason is required:

```html
<!-- spectastic: ignore corpus-citation-form -- an example of how not to cite -->
```
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus.model import Outcome
from spectastic.findings import Rule, Severity
from spectastic.rules.repairs import pinned, respelt
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding
    from spectastic.spec.model import Citation, Malformed, Spec

RULE = Rule("corpus-citation-form", Severity.WARNING, "a citation in a decision is bare or malformed")

_SHAPE = "a citation is KB-, three or more digits, @ and an edition, as in KB-<digits>@<edition>"
_NUMBER = re.compile("[0-9]+")


def check(spec: Spec, corpus: Corpus) -> Iterator[Finding]:
    """Report the citations of `spec` without an edition, and the near misses."""
    for decision in spec.citing:
        for citation in decision.citations:
            if citation.edition is None:
                identifier = short(citation.id, 40)
                message = f"{identifier} pins no edition"
                hint = f"write {identifier}@{_edition(citation, corpus)}"
                fix = pinned(citation, corpus)
                yield RULE.at(spec.path, citation.span, message, hint=hint, subject=identifier, fix=fix)
        for malformed in decision.malformed:
            yield RULE.at(
                spec.path,
                malformed.at,
                malformed.message,
                hint=_remedy(malformed, corpus),
                subject=short(malformed.text),
                fix=respelt(malformed, corpus),
            )


def _remedy(malformed: Malformed, corpus: Corpus) -> str:
    """The token to write, or, where only its author knows, the one that comes nearest."""
    if malformed.suggestion is not None:
        return f"write {short(malformed.suggestion)}"
    number = "".join(_NUMBER.findall(malformed.text)[:1])
    nearest = corpus.nearest(f"KB-{number}")
    if nearest is None:
        return _SHAPE
    editions = corpus.editions(nearest)
    edition = malformed.text.rpartition("@")[2]
    if edition not in editions:
        edition = next(iter(editions), "<edition>")
    return f"if {nearest} is meant, write {nearest}@{short(edition)}"


def _edition(citation: Citation, corpus: Corpus) -> str:
    """The edition to pin, where the corpus knows one that can be written in a token."""
    current = corpus.resolve(citation)
    edition = current.edition
    if current.outcome is Outcome.CURRENT and edition and len(edition.split()) == 1:
        return short(edition)
    return "<edition>"
