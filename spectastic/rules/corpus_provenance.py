"""A citation resolves to no committed document.

## What it does

Looks up every citation of every decision in the registry, `knowledge/index.md`, and reports each
one that leads to no committed document, with the reason: there is no registry, no row with that
id, no such edition of it, no document where the row points, or a path that leaves the corpus.
Where a typo is likely, it names the nearest id, or the editions that exist.

It looks at the files as they are here. A document that git does not track, because nobody has run
`git add` yet or because `.gitignore` leaves it out, resolves here and fails in CI:
`corpus-uncommitted` warns of it, a rule of its own with its own severity.

A malformed citation (`kb-0001@2024-05-28`) belongs to `corpus-citation-form`. It is reported here
as well when it would lead nowhere even if it were spelt right.

## Why is this bad?

A citation is the promise that the fact can be read. A reader who follows this one finds nothing,
so the decision rests on air. A fact that was made up, by a person or by a language model, looks
exactly like a real one; what it cannot have is a citation that resolves.

## Example

Wrong, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0009@2099-01-01.

</spec-decision>
```

Right, in `specs/settlement.md`:

```markdown
<spec-decision id="D-001">

Trades settle on the next business day, KB-0001@2024-05-28.

</spec-decision>
```

## How to fix it

Correct the id or the edition, or commit the reference first: a document under
`knowledge/<pack>/references/` and a row for it in `knowledge/index.md`. An edition that the row has
moved on from resolves as long as its document is retained, as
`knowledge/<pack>/references/superseded/<slug>@<edition>.md`. If the registry is elsewhere, say so
with `corpus = "…"` in the configuration or with `--corpus`.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-provenance"]
severity = { corpus-provenance = "warning" }
per-path-ignores = { "specs/drafts/**" = ["corpus-provenance"] }
```

For one decision, in a comment directly before it or inside it; the reason is required:

```html
<!-- spectastic: ignore corpus-provenance -- the document comes with the pack that is under review -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import ORPHANED, Miss, Outcome
from spectastic.findings import Rule, Severity
from spectastic.rules.common import some
from spectastic.rules.repairs import Renamed, renamed
from spectastic.spec.citation import parse
from spectastic.spec.model import Citation
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution
    from spectastic.findings import Finding
    from spectastic.spec.model import Malformed, Spec

RULE = Rule("corpus-provenance", Severity.ERROR, "a citation resolves to no committed document")


Hints = dict[tuple[str, str | None, Miss | None], str]


def check(spec: Spec, corpus: Corpus) -> Iterator[Finding]:
    """Report the citations of `spec` that lead nowhere, and the malformed ones that would."""
    hints: Hints = {}
    known: Renamed = {}
    for decision in spec.citing:
        for citation in decision.citations:
            reason = _reason(citation, corpus)
            if reason is not None:
                said = short(citation.text)
                message = f"{said} resolves to nothing: {reason}"
                hint = _hint(citation, corpus, hints)
                fix = renamed(citation, corpus, known)
                yield RULE.at(spec.path, citation.span, message, hint=hint, subject=said, fix=fix)
        for malformed in decision.malformed:
            yield from _malformed(spec, malformed, corpus, hints)


def _malformed(spec: Spec, malformed: Malformed, corpus: Corpus, hints: Hints) -> Iterator[Finding]:
    """A strange spelling must not smuggle an invented fact past the gate."""
    # Without an edition to suggest (`KB-0009@`), the id alone may be an invention.
    token = malformed.suggestion
    if token is None:
        token = malformed.text.rstrip("@")
    meant = parse(token)
    if meant is None:
        return
    citation = Citation(meant[0], meant[1], malformed.span, run=meant[1])
    reason = _reason(citation, corpus)
    if reason is not None:
        said = short(malformed.text)
        message = f"{said} resolves to nothing, even read as {short(citation.text)}: {reason}"
        hint = _hint(citation, corpus, hints)
        yield RULE.at(spec.path, malformed.span, message, hint=hint, subject=said)


def _reason(citation: Citation, corpus: Corpus) -> str | None:
    """Why a citation resolves to nothing, `None` where it resolves."""
    resolution = corpus.resolve(citation)
    if resolution.outcome is not Outcome.NOTHING:
        return None
    identifier = short(resolution.id, 40)
    match resolution.miss:
        case Miss.NO_REGISTRY:
            reason = f"there is no registry {corpus.folder}/index.md"
        case Miss.NO_SUCH_ID:
            reason = f"{corpus.registry.path} has no row {identifier}"
        case Miss.NO_SUCH_EDITION if resolution.edition:
            reason = f"{identifier} has no edition {short(resolution.edition, 40)}"
        case Miss.NO_SUCH_EDITION:
            reason = f"{identifier} has no current edition"
        case Miss.DOCUMENT_MISSING if _is_orphaned(resolution):
            return f"the row of {identifier} is marked orphaned, so its document has gone"
        case Miss.DOCUMENT_MISSING:
            reason = f"the row of {identifier} leads to no document"
        case Miss.DOCUMENT_UNREADABLE:
            reason = f"the document of {identifier}, {short(resolution.path)}, cannot be read"
        case _:
            reason = f"the path in the row of {identifier} leaves the corpus"
    return f"{reason} ({short(resolution.detail)})" if resolution.detail else reason


def _hint(citation: Citation, corpus: Corpus, hints: Hints) -> str:
    """What to do, worked out once for citations alike."""
    resolution = corpus.resolve(citation)
    key = (resolution.id, resolution.edition, resolution.miss)
    hint = hints.get(key)
    if hint is None:
        hint = hints[key] = _remedy(resolution, corpus)
    return hint


def _remedy(resolution: Resolution, corpus: Corpus) -> str:
    match resolution.miss:
        case Miss.NO_REGISTRY:
            return f"commit {corpus.folder}/index.md with a row for it; --root and --corpus name other places"
        case Miss.NO_SUCH_ID if resolution.detail:
            return f"correct that row of {corpus.registry.path}"
        case Miss.NO_SUCH_ID:
            return _nearest(resolution, corpus)
        case Miss.NO_SUCH_EDITION:
            return _editions(resolution.id, corpus)
        case Miss.DOCUMENT_MISSING if _is_orphaned(resolution):
            return "cite another reference, or restore the document and clear the Status of its row"
        case Miss.DOCUMENT_MISSING:
            return "restore the document, or correct the Path of the row"
        case Miss.DOCUMENT_UNREADABLE:
            return "save the document as UTF-8 text"
        case _:
            return "a Path is relative to the corpus folder and stays inside it"


def _is_orphaned(resolution: Resolution) -> bool:
    return resolution.row is not None and resolution.row.status == ORPHANED


def _nearest(resolution: Resolution, corpus: Corpus) -> str:
    nearest = corpus.nearest(resolution.id, resolution.edition)
    if nearest is None:
        return "correct the id, or register the reference first"
    label = short(corpus.rows[nearest].label)
    return f"did you mean {nearest} ({label})? Otherwise register the reference first"


def _editions(identifier: str, corpus: Corpus) -> str:
    editions = list(corpus.editions(identifier))
    if not editions:
        return "no edition of it has a document: restore one, or correct the id"
    current = corpus.find(identifier, None)
    if current.outcome is Outcome.CURRENT:
        editions[0] = f"{short(editions[0], 30)} (current)"
    return f"editions of {identifier}: {some(editions)}"
