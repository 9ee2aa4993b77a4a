"""A status that the lifecycle writes is one that retrieval leaves out.

## What it does

Holds two lists against each other. One is what retrieval leaves out: the statuses between
`<!-- retrieval-status: spec-exclude -->` and `<!-- /retrieval-status -->` in Markdown files, and those that
`spectastic retrieve` itself leaves out (`draft`, `superseded`, `cancelled`, `rejected`). The other is what
the files of the setting `lifecycle` write: each line that sets `status:` to a word, and each block of the
kind `lifecycle-write`. A status on both lists is an error.

So is a block without a status, without an end or of an unknown kind, an end without a block, and a pattern
of `lifecycle` that finds no file or none that sets a status. A status in a block that more than half of all
specs have is an error too (`draft` is not: a young project has nothing else). A spec whose status is a slip
away from one that is left out (`canceled`) takes part against its author's will: a warning.

## Why is this bad?

A spec goes through its lifecycle, is written a status at the end, and is from then on never retrieved.
Nothing fails: the next author is told that there is no prior art.

## Example

Wrong, in `skills/spec/SKILL.md`:

```markdown
<!-- retrieval-status: spec-exclude -->
<!-- /retrieval-status -->
```

Right, in `skills/spec/SKILL.md`:

```markdown
<!-- retrieval-status: spec-exclude -->
- `draft`: nothing is decided yet
<!-- /retrieval-status -->
```

## How to fix it

The markers stand at the start of a line; the status of a list item is its first code span, or else its
first word. A mention in running text, in code or in a comment is no block. What is compared is named in the
configuration, so that nothing that is deleted ends the comparison.

A line of a lifecycle file sets a status as a field, a command, a cell of a table or a sentence does. What
only speaks of one does not: a condition (`if status: draft`), a prohibition (`never write status: draft`),
a list of what there is (`status: draft | approved`), and what a substitution takes away.

Where a command was interrupted while it changed prior art (`spectastic taxonomy --rename`), some documents
are old and some new, so that no comparison holds. The rule says so; run the command again.

Take the status out of the block, or let the lifecycle write another one. Name in `lifecycle` only the files
that finish a spec, not those that begin one as a draft or withdraw it.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["retrieval-status-parity"]
severity = { retrieval-status-parity = "warning" }
per-path-ignores = { "skills/archive/**" = ["retrieval-status-parity"] }
```

For a block or a spec, in a comment before it, down to the next blank line; the reason is required. What is
found in lifecycle files and in the configuration cannot be silenced by a comment:

```html
<!-- spectastic: ignore retrieval-status-parity -- this list is of the tool that we are leaving -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Related, Rule, Severity, Span
from spectastic.rules.common import some
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from spectastic.findings import Finding
    from spectastic.rules.priors import Priors
    from spectastic.spec.marked import Block
    from spectastic.spec.page import Page
    from spectastic.spec.structure import Word

RULE = Rule(
    "retrieval-status-parity",
    Severity.ERROR,
    "a status that the lifecycle writes is one that retrieval leaves out",
)

#: A young project's specs all have it.
_YOUNG = "draft"
_WHOLE_FILE = Span(0, 0)


def check(page: Page, priors: Priors) -> Iterator[Finding]:
    """Report what is wrong with the blocks of a file, and with the status of a spec."""
    if not priors.in_use:
        return
    if page.markers:
        from spectastic.spec.marked import blocks

        for block in blocks(page):
            yield from _block(block, page, priors)
    kind = priors.kind(page.path)
    if kind is not None and kind.value == "spec":
        yield from _slip(page)


def _block(block: Block, page: Page, priors: Priors) -> Iterator[Finding]:
    from spectastic.spec.marked import EXCLUDED, KINDS, STRAY

    wrong = ""
    hint = "write <!-- /retrieval-status --> behind its list"
    if block.kind == STRAY:
        wrong, hint = "this marker ends no block", "restore the marker that began it, or remove it"
    elif block.kind not in KINDS:
        meant = nearest(block.kind, KINDS, parts=True)
        wrong = f"there is no kind of retrieval-status {short(block.kind) or 'without a name'}"
        hint = f"did you mean {meant}?" if meant else f"one of {', '.join(KINDS)}"
    elif not block.closed:
        wrong = "the block is never ended"
    elif not block.statuses:
        wrong, hint = "the block names no status", "write a list: - `draft`"
    if wrong:
        yield RULE.at(page.path, block.span, wrong, hint=hint, subject=block.kind[:80])
    if block.kind == EXCLUDED:
        for word in block.statuses:
            yield from _excluded(word, page, priors)


def _excluded(word: Word, page: Page, priors: Priors) -> Iterator[Finding]:
    """What is wrong with leaving out a status."""
    from spectastic.retrieval.documents import folded_status

    status = folded_status(word.text)
    written = priors.written.get(status)
    said = short(status)
    if written is not None:
        message = f"{said} is left out by retrieval, and {short(written.path)} writes it"
        hint = "take it off this list, or let the lifecycle write another status"
        related = (Related(written.path, written.span, "it is written here"),)
        yield RULE.at(page.path, word.span, message, hint=hint, subject=said, related=related)
        return
    have, total = priors.statuses[status], priors.statuses.total()
    if status != _YOUNG and 2 * have > total:
        message = f"{said} is left out by retrieval, and {have} of {total} specs have it"
        yield RULE.at(page.path, word.span, message, hint="take it off this list", subject=said)


def _slip(page: Page) -> Iterator[Finding]:
    """A spec that takes part because its status is misspelt."""
    from spectastic.retrieval.documents import EXCLUDED, folded_status

    field = page.fields().fields.get("status")
    if field is None:
        return
    status = folded_status(field.value)
    meant = nearest(status, EXCLUDED, cutoff=0.85)
    if meant and meant != status:
        message = f"no status {short(status)} is left out by retrieval, so the spec takes part"
        hint = f"did you mean {meant}?"
        subject = short(status)
        yield RULE.at(page.path, field.span, message, hint=hint, subject=subject, severity=Severity.WARNING)


def _suppressed(priors: Priors, told: Collection[str]) -> Iterator[Finding]:
    """A corpus of which retrieval leaves out every spec, whatever list stands where."""
    from spectastic.retrieval.documents import EXCLUDED

    have = priors.statuses if priors.lifecycle else {}
    if have.keys() - {_YOUNG} and have.keys() <= EXCLUDED and not told & have.keys():
        said = ", ".join(f"{short(status)} {number}" for status, number in sorted(have.items()))
        message = f"retrieval leaves out every spec: {said}"
        hint = "the status of a spec that is done must be another one"
        span = priors.place_of(priors.lifecycle[0].pattern)
        yield RULE.at(priors.configured, span, message, hint=hint, subject="every spec")


def check_lifecycle(priors: Priors, told: Collection[str]) -> Iterator[Finding]:
    """Report what is wrong with lifecycle files; `told` are statuses that were reported in a block."""
    from spectastic.retrieval.documents import EXCLUDED

    journal = priors.interrupted
    if journal:
        what = "a change of the prior art was interrupted, or is being made now"
        message = f"{what}: some files are old, some new"
        hint = "run the command again: what was interrupted is finished"
        yield RULE.at(journal, _WHOLE_FILE, message, hint=hint, subject=journal)
    yield from _suppressed(priors, told)
    places: set[tuple[str, Span]] = set()
    for lifecycle in priors.lifecycle:
        for trouble in lifecycle.unreadable:
            yield RULE.at(trouble.path, _WHOLE_FILE, trouble.message, hint=trouble.hint, subject=trouble.path)
        for written in lifecycle.written:
            place = written.path, written.span
            if written.status in EXCLUDED and written.status not in told and place not in places:
                places.add(place)
                message = f"{written.status} is written here, and spectastic retrieve leaves it out"
                hint = "write another status, or name only files that finish a spec in lifecycle"
                yield RULE.at(written.path, written.span, message, hint=hint, subject=written.status)
        if not lifecycle.written:
            said = short(lifecycle.pattern)
            message = f"no file matches {said}"
            if lifecycle.files:
                message = f"no line sets a status: in what {said} matches: {some(lifecycle.files)}"
            hint = "name the files that write the status of a spec"
            span = priors.place_of(lifecycle.pattern)
            yield RULE.at(priors.configured, span, message, hint=hint, subject=said)


class _Lifecycle:
    """The other half of the rule, which is about the project itself."""

    RULE = RULE

    def check(self, priors: Priors, told: Collection[str]) -> Iterator[Finding]:
        """What the rule finds in lifecycle files."""
        return check_lifecycle(priors, told)


LIFECYCLE = _Lifecycle()
