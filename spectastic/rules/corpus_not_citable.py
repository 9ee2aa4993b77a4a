"""A decision cites a reference that may not be cited yet.

## What it does

Reports each citation of a reference whose `status` is `not-citable-until-confirmed` or
`not-citable-until-signed-off`, or a misspelling of one of them.

## Why is this bad?

Whoever filed the reference said that somebody has still to confirm its text or to sign it off.
Until then the decision rests on a draft, and the citation makes it look settled.

## Example

Wrong, in `specs/fx.md`:

```markdown
<spec-decision id="D-002">

Orders after the cut-off wait until the next day, KB-0003@2025-01-15.

</spec-decision>
```

Right, in `specs/fx.md`:

```markdown
<spec-decision id="D-002">

Contrast of text is at least 4.5 to 1, KB-0002@2022-07-08.

</spec-decision>
```

## How to fix it

Have the reference confirmed or signed off and change its `status` to `authoritative`, or rest the
decision on another one.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
ignore = ["corpus-not-citable"]
severity = { corpus-not-citable = "error" }
per-path-ignores = { "specs/drafts/**" = ["corpus-not-citable"] }
```

For one decision, in a comment directly before it or inside it; the reason is required:

```html
<!-- spectastic: ignore corpus-not-citable -- the sign-off is due before this is released -->
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.findings import Related, Rule, Severity
from spectastic.rules.common import NOT_CITABLE, citations, not_citable
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding
    from spectastic.spec.model import Spec

#: What ends each of `NOT_CITABLE`, and the command that records it.
_WORDS = ("confirmed: `spectastic corpus confirm", "signed off: `spectastic corpus sign-off")

RULE = Rule("corpus-not-citable", Severity.WARNING, "a decision cites a reference that may not be cited yet")


def check(spec: Spec, corpus: Corpus) -> Iterator[Finding]:
    """Report the citations of `spec` whose reference waits for somebody's word."""
    for citation in citations(spec):
        reference = corpus.reference_for(corpus.resolve(citation))
        if reference is not None and not_citable(reference.value("status")):
            status = short(reference.value("status"))
            yield RULE.at(
                spec.path,
                citation.span,
                f"{short(citation.text)} leads to a reference whose status is {status}",
                hint=f"have it {_word(status)} {citation.id} --by NAME`; or cite another reference",
                subject=short(citation.text),
                related=(Related(reference.path, reference.span("status"), "the status of the reference"),),
            )


def _word(status: str) -> str:
    """What it waits for, and the beginning of the command that records it."""
    return dict(zip(NOT_CITABLE, _WORDS, strict=True))[not_citable(status)]
