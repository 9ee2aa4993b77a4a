"""A comment or a baseline entry silences nothing.

## What it does

Reports each comment that is meant to silence a rule and does not do so:

- it gives no reason, names no rule, or is not understood (`ignore-next-line`, `spectastic ignore`,
  a long dash in the place of `--`); such a comment silences nothing;
- it names a rule that does not exist, or the same rule twice;
- it names a rule that finds nothing there. Rules about the corpus never find anything in a spec.

A rule that is not in force for the file, because it is ignored or not selected, is not counted
against a comment. Entries of the baseline that no finding needs any more are reported as well.

## Why is this bad?

A comment that silences nothing looks as if something had been excused. When the cause is gone,
what is left hides the next mistake in the same place. Without a reason, nobody can tell later
whether the excuse still holds.

## Example

Wrong, in `specs/settlement.md`:

```markdown
<!-- spectastic: ignore corpus-staleness -->
<spec-decision id="D-001">

Trades of 2020 settled two business days later, KB-0001@2017-09-05.

</spec-decision>
```

Right, in `specs/settlement.md`:

```markdown
<!-- spectastic: ignore corpus-staleness -- a claim about the past, under the rule in force then -->
<spec-decision id="D-001">

Trades of 2020 settled two business days later, KB-0001@2017-09-05.

</spec-decision>
```

## How to fix it

Write `<!-- spectastic: ignore RULE, RULE -- reason -->`, best on a line of its own. Directly before a
decision, with at most blank lines and other comments between, it silences the rules in that decision;
inside one, in that; elsewhere, in the text from the comment to the next blank line. With
`ignore-file` in the place of `ignore` it silences them in the whole file, wherever it stands. A
comment in code, in an attribute or in the frontmatter is a sample and does nothing.

Remove a comment, or the name in it, that is not needed. For baseline entries, run
`spectastic validate --prune-baseline`: it takes out what is needed no more, and adds nothing.

## How to silence it

Not by a comment. In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["unused-suppression"]
severity = { unused-suppression = "error" }
per-path-ignores = { "specs/imported/**" = ["unused-suppression"] }
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.findings import Finding, Problem

RULE = Rule("unused-suppression", Severity.WARNING, "a comment or a baseline entry silences nothing")


def check(path: str, problems: Iterable[Problem]) -> Iterator[Finding]:
    """Report what is wrong with the suppressions of a file."""
    for problem in problems:
        yield RULE.from_problem(path, problem)
