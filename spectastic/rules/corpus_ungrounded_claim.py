"""A decision cites nothing.

## What it does

Points at each decision without a single citation. It is a nudge: it never makes `validate` fail.

## Why is this bad?

Often it is not: many decisions are a matter of taste or of internal policy. But a decision that
rests on a fact about the world and cites nothing was perhaps written from memory, and a wrong
memory looks exactly like a right one.

## Example

Wrong, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day.

</spec-decision>
```

Right, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001@2024-05-28.

</spec-decision>
```

## How to fix it

If the decision rests on a fact, cite the reference that states it. If it does not, leave it.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-ungrounded-claim"]
severity = { corpus-ungrounded-claim = "warning" }
per-path-ignores = { "specs/style/**" = ["corpus-ungrounded-claim"] }
```

For one decision, in a comment directly before it or inside it; the reason is required:

```html
<!-- spectastic: ignore corpus-ungrounded-claim -- a matter of taste -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding
    from spectastic.spec.model import Spec

RULE = Rule("corpus-ungrounded-claim", Severity.INFO, "a decision cites nothing")


def check(spec: Spec, _corpus: Corpus) -> Iterator[Finding]:
    """Report the decisions of `spec` with neither a citation nor anything meant as one."""
    for decision in spec.decisions:
        if not decision.citations and not decision.malformed:
            name = short(decision.id, 40) if decision.id else "this decision"
            hint = "if it rests on a fact about the world, cite the reference that states the fact"
            yield RULE.at(spec.path, decision.span, f"{name} cites nothing", hint=hint, subject=name)
