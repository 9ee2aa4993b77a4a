"""A document rests on prior art that is not there, or does not say what it rests on.

## What it does

Looks at ids (`REQ-`, `LESSON-`, `BUG-` and three to six digits) in brackets, after `informed by`, and below a
heading `Retrieved Context`; in code and comments they are samples. An id without a document below the
prior-art root (`prior-art-root`, by default `.adlc`) is an error, one whose document is `draft`,
`superseded`, `cancelled` or `rejected` a warning.

Of documents there it reports what was left to be filled in: values like `YYYY-MM-DD`, and text in square
brackets that the project's template has, or that ends in an ellipsis. A warning is what `spectastic retrieve`
cannot take: no readable frontmatter, an id that two documents have, a field that cannot be compared, or
whose name is misspelt.

Of a spec (`specs/*/requirement.md`) it reports a section `Retrieved Context` that is missing or empty, and
each gap below `Provenance` that is not repeated word for word: under `Assumptions` where it was `assumed`,
under `Open Questions` where it is `open`. Templates are not looked at.

## Why is this bad?

`informed by LESSON-034` says that somebody read a lesson and acted on it. If there is no such lesson,
nobody did. Tables, several ids in one bracket, wrapped lines and further words (`REQ-570 BR-8`) are read as
a reader does. A gap that was assumed and is told nowhere else is an assumption that no reviewer sees.

A document that `spectastic retrieve` leaves out is written for nobody, and so is a value in a field that it
does not know. It says so on standard error each time, where the author of that document is not looking.

## Example

Wrong, in `docs/refunds.md`:

```markdown
- BR-1: A refund is paid once (informed by LESSON-034).
```

Right, in `docs/refunds.md`:

```markdown
- BR-1: A refund is paid once. A lesson would be named as in `(informed by LESSON-034)`.
```

## How to fix it

Correct the id; `spectastic retrieve` lists what there is. For one that is another project's, name that
project in `prior-art-siblings`: by a copy of its prior-art folder below this root, which is looked into,
or, on trust, by ids (`"REQ-400..REQ-499"`) or by the name that stands before its ids (`"teton"` for
`teton:REQ-570`).

Correct the frontmatter where the finding points; `retrieve` says the same of it. A name of a field counts as
misspelt where it is one slip away from a field that is missing (`componet`, `tilte`, `tag`), or differs in
capitals; other fields are your own.

Cite what took the place of a superseded document. Write a section `Retrieved Context` with what
`spectastic retrieve` prints, the line about no prior context included.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["prior-art-provenance"]
severity = { prior-art-provenance = "warning" }
per-path-ignores = { ".adlc/specs/REQ-0*/**" = ["prior-art-provenance"] }
```

For the text down to the next blank line, in a comment before it; the reason is required. With
`ignore-file`, for the whole document:

```html
<!-- spectastic: ignore prior-art-provenance -- the lesson was withdrawn after this was decided -->
```
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity, Span
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.findings import Finding
    from spectastic.retrieval.catalogue import Entry
    from spectastic.retrieval.model import Kind
    from spectastic.rules.priors import Priors
    from spectastic.spec.blanks import Blank
    from spectastic.spec.cited import Mention
    from spectastic.spec.page import Page

RULE = Rule(
    "prior-art-provenance",
    Severity.ERROR,
    "a document rests on prior art that is not there, or does not say on what",
)

#: No document may rest on one with these statuses, and what to do about it.
_REMEDIES = {
    "draft": "wait until it is decided, or leave it out",
    "superseded": "cite what took its place",
    "cancelled": "cite what was decided instead, or leave it out",
    "rejected": "cite what was decided instead, or leave it out",
}
_WHOLE_FILE = Span(0, 0)


def check(page: Page, priors: Priors) -> Iterator[Finding]:
    """Report the ids without a document, and what a document does not say of what it rests on."""
    if not priors.in_use or priors.is_template(page.path):
        return
    from spectastic.spec.cited import mentions

    for mention in mentions(page):
        yield from _cited(mention, page, priors)
    yield from _document(page, priors)


def _cited(mention: Mention, page: Page, priors: Priors) -> Iterator[Finding]:
    if priors.is_elsewhere(mention, page.path):
        return
    span, said = page.span(mention.start, mention.end), short(mention.id)
    entries = priors.find(mention.id)
    if not entries:
        reason = f" ({short(priors.catalogue.trouble)})" if priors.catalogue.trouble else ""
        message = f"{said} has no document below {short(priors.folder)}{reason}"
        yield RULE.at(page.path, span, message, hint=_remedy(mention, priors), subject=said)
    elif all(entry.status in _REMEDIES for entry in entries):
        yield _resting(entries, page, span, said)


def _resting(entries: Sequence[Entry], page: Page, span: Span, said: str) -> Finding:
    """A warning about an id whose documents no other may rest on."""
    status = entries[0].status
    message = f"{said} is {status}: {short(entries[0].path)}"
    return RULE.at(page.path, span, message, hint=_REMEDIES[status], subject=said, severity=Severity.WARNING)


def _remedy(mention: Mention, priors: Priors) -> str:
    if not priors.exists:
        return f"there is no folder {short(priors.folder)}: prior-art-root names another one"
    meant = priors.nearest(mention.id)
    if meant is None:
        return "correct the id, or name its project in prior-art-siblings"
    identifier, title = meant
    named = f"{identifier} ({short(title)})" if title else identifier
    return f"did you mean {named}? Otherwise name its project in prior-art-siblings"


def _document(page: Page, priors: Priors) -> Iterator[Finding]:
    """What is wrong with a document of prior art itself."""
    kind = priors.kind(page.path)
    if kind is None:
        return
    yield from _taken(page, priors, kind)
    for blank in _blanks(page, priors, kind):
        said = short(blank.text)
        yield RULE.at(
            page.path,
            blank.span,
            f"{said} was left to be filled in",
            hint="say what is the case",
            subject=said,
        )
    if kind.value == "spec":
        yield from _retrieved(page)
        yield from _unmirrored(page)


def _blanks(page: Page, priors: Priors, kind: Kind) -> Iterator[Blank]:
    """What was left to be filled in. The titles of other documents somebody else has written."""
    from spectastic.spec import retrieved
    from spectastic.spec.blanks import left

    blanks = [*left(page, priors.placeholders(kind))]
    titles = [page.span(*each) for each in retrieved.parts(page)[1]] if blanks else []
    starts = [title.start for title in titles]
    for blank in blanks:
        at = bisect_right(starts, blank.span.start) - 1
        if at < 0 or blank.span.start >= titles[at].end:
            yield blank


def _taken(page: Page, priors: Priors, kind: Kind) -> Iterator[Finding]:
    """What retrieval cannot take of a document, in its own words. What is no text is told of elsewhere."""
    from spectastic.retrieval import faults

    found = page.fields()
    why = faults.left_out(found)
    if why is not None:
        if not page.source.problems:
            message = f"retrieve leaves this document out: {why.message}"
            yield RULE.at(page.path, why.span, message, hint=why.hint, severity=Severity.WARNING)
        return
    yield from _same_id(page, priors, kind)
    odd, misspelt = faults.odd(found), faults.misspelt(found)
    places = page.keys() if odd or misspelt else {}
    for note in faults.not_understood(found, odd, places):
        yield RULE.from_problem(page.path, note)._replace(severity=Severity.WARNING)
    for name, meant in misspelt.items():
        said = short(name)
        message, hint = f"retrieve does not know the field {said}", f"did you mean {meant}?"
        span = places.get(name, _WHOLE_FILE)
        yield RULE.at(page.path, span, message, hint=hint, subject=said, severity=Severity.WARNING)


def _same_id(page: Page, priors: Priors, kind: Kind) -> Iterator[Finding]:
    """Two documents that nobody can tell apart by what they are called."""
    from spectastic.retrieval.documents import identifier

    found = page.fields()
    called = identifier(kind, page.path, found)
    others = priors.others(called, page.path)
    if others:
        written, said = found.fields.get("id"), short(called)
        span = written.span if written else page.keys().get("id", _WHOLE_FILE)
        message, hint = f"{said} is also the id of {others}", "give each document an id of its own"
        yield RULE.at(page.path, span, message, hint=hint, subject=said, severity=Severity.WARNING)


def _retrieved(page: Page) -> Iterator[Finding]:
    """A spec says what it was built on, be it nothing."""
    from spectastic.spec.cited import RETRIEVED

    hint = "write below ## Retrieved Context what spectastic retrieve prints"
    told = False
    for heading, end in page.sections(RETRIEVED):
        told = True
        if not page.said(heading.end, end):
            span = page.span(heading.start, heading.end)
            yield RULE.at(page.path, span, "nothing stands below Retrieved Context", hint=hint)
    if not told:
        yield RULE.at(page.path, _WHOLE_FILE, "the spec has no section Retrieved Context", hint=hint)


def _unmirrored(page: Page) -> Iterator[Finding]:
    """The gaps that the author alone knows of."""
    from spectastic.spec.gaps import unmirrored

    for problem in unmirrored(page):
        yield RULE.from_problem(page.path, problem)
