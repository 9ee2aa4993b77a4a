"""A decision's markup is not what it seems.

## What it does

Reports a `<spec-decision>` that is never closed, an end tag that closes nothing, a tag that is a
slip of the pen for a decision's (`<spec-decison>`), and markup that readers see differently:
`<spec-decision/>`, which opens an element in HTML although it looks closed, and text that a browser
hides while a Markdown renderer shows it.

Such text is still read, as visible text of the decision that it stands in.

## Why is this bad?

Where a decision ends says which citations belong to it. A missing end tag swallows what follows;
hidden text is a claim that the readers of one page see and those of another do not.

## Example

Wrong, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001@2024-05-28.
```

Right, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001@2024-05-28.

</spec-decision>
```

## How to fix it

Close every `<spec-decision>` with `</spec-decision>`. In Markdown, let both tags stand on lines
of their own with blank lines around them. To show the markup instead of using it, put it in a
code block.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["decision-markup"]
severity = { decision-markup = "error" }
per-path-ignores = { "specs/imported/**" = ["decision-markup"] }
```

For one decision, in a comment directly before it or inside it, and for other text in a comment before
it, down to the next blank line; the reason is required:

```html
<!-- spectastic: ignore decision-markup -- both tags are written by the page template -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding
    from spectastic.spec.model import Spec

RULE = Rule("decision-markup", Severity.WARNING, "a decision's markup is not what it seems")


def check(spec: Spec, _corpus: Corpus) -> Iterator[Finding]:
    """Report what the scanner could not take as it stands."""
    for problem in spec.problems:
        yield RULE.from_problem(spec.path, problem)
