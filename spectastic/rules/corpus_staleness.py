"""A citation pins an edition that has been superseded.

## What it does

Reports each citation whose edition is retained in the corpus but is no longer the current one,
and names the edition that is, with the row that says so.

## Why is this bad?

The citation still leads to committed text, so the decision can be checked. But the fact has moved
on since, and whether the decision still holds is a question that nobody has answered yet.

## Example

Wrong, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle two business days later, KB-0001@2017-09-05.

</spec-decision>
```

Right, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001@2024-05-28.

</spec-decision>
```

## How to fix it

Read the current edition. If the decision still holds, cite that edition; if it does not, change
the decision. A decision that is meant to describe the past may keep its pin: silence the rule for
that file.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-staleness"]
severity = { corpus-staleness = "error" }
per-path-ignores = { "specs/history/**" = ["corpus-staleness"] }
```

For one decision, in a comment directly before it or inside it; the reason is required:

```html
<!-- spectastic: ignore corpus-staleness -- a claim about the past, under the rule in force then -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import Outcome
from spectastic.findings import Related, Rule, Severity
from spectastic.rules.common import cell, citations
from spectastic.rules.repairs import regrounded
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution
    from spectastic.findings import Finding
    from spectastic.spec.model import Spec

RULE = Rule("corpus-staleness", Severity.WARNING, "a citation pins an edition that has been superseded")


def check(spec: Spec, corpus: Corpus) -> Iterator[Finding]:
    """Report the citations of `spec` whose edition is not the current one."""
    for citation in citations(spec):
        resolution = corpus.resolve(citation)
        if resolution.outcome is Outcome.SUPERSEDED:
            now, hint = _current(resolution, corpus)
            message = f"{short(citation.text)} is superseded: {now}"
            yield RULE.at(
                spec.path,
                citation.span,
                message,
                hint=hint,
                subject=short(citation.text),
                related=_row(resolution),
                fix=regrounded(citation, corpus),
            )


def _current(resolution: Resolution, corpus: Corpus) -> tuple[str, str]:
    """What has become of the fact, and what to do about it."""
    row = resolution.row
    label = f" of {short(row.label)}" if row else ""
    current = corpus.find(resolution.id, None)
    if current.outcome is Outcome.CURRENT and current.edition:
        edition = short(current.edition, 40)
        return (
            f"the current edition{label} is {edition}",
            f"read what changed, then cite {resolution.id}@{edition}",
        )
    return (
        f"there is no current document{label} any more",
        "find out what became of the fact, and say so in the decision",
    )


def _row(resolution: Resolution) -> tuple[Related, ...]:
    row = resolution.row
    if row is None:
        return ()
    return (Related(row.file, cell(row, "Edition"), f"the row of {row.id}"),)
