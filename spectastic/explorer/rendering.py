"""A spec as a page: its text, a badge on every decision, and the text of what it cites at the end.

The spec is rendered and cleaned, and then read once more as the HTML spec that it has become. Badges go where
that finds decisions and citations; what it finds must be what the source says (docs/decisions/0025).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from spectastic import frontmatter
from spectastic.explorer import clean, page
from spectastic.explorer.documents import Documents
from spectastic.explorer.marks import Marks, said_of
from spectastic.source import Source
from spectastic.spec import extract, is_html
from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markupsafe import Markup

    from spectastic.corpus import Corpus
    from spectastic.engine.policy import Policy
    from spectastic.explorer.marks import Insert
    from spectastic.spec.model import Spec


class Rendered(NamedTuple):
    """A page, and whether it shows the decisions as `validate` reads them in the source."""

    text: str
    agrees: bool


def spec_page(
    source: Source,
    corpus: Corpus,
    *,
    everywhere: bool = False,
    policy: Policy | None = None,
    documents: Documents | None = None,
) -> Rendered:
    """The page of a spec. `everywhere`: citations outside of decisions count as well.

    `policy` says which findings are told (without: all), and `documents` saves those of one page for the
    next.
    """
    body = _body(source).encode()
    # With the path of the source, which says what is in force.
    shown = corpus.settle(extract(Source("rendered.html", body), everywhere=everywhere))._replace(
        path=source.path
    )
    spec = corpus.settle(extract(source, everywhere=everywhere))
    same = _summary(shown, corpus) == _summary(spec, corpus)
    agrees = same and not source.problems
    marked = Marks(corpus, body, documents or Documents(corpus))
    # Only the source has the comments that silence rules.
    said = said_of(spec if same else shown, corpus, policy)
    inserts = [
        insert
        for decision, of_it in zip(shown.citing, said, strict=True)
        for insert in marked.decision(decision, of_it, framed=decision is not shown.loose)
    ]
    states = Counter(corpus.state(decision) for decision in spec.decisions)
    text = page.render(
        "spec.html",
        styles=("base.css", "spec.css"),
        scripts=("spec.js",),
        title=source.path,
        agrees=agrees,
        problem=source.problems[0].message if source.problems else "",
        states=[(state.value, states[state]) for state in page.STATES if states[state]],
        total=len(spec.decisions),
        grounded=states[State.GROUNDED],
        body=_safe(clean.reachable(clean.shown(_with(body, inserts)))),
        findings=marked.findings,
        cited=[cited._replace(body=_safe(cited.body)) for cited in marked.cited.values()],
    )
    return Rendered(text, agrees)


def _body(source: Source) -> str:
    """The text of a spec as safe HTML, with its decisions as they are."""
    if is_html(source.path):
        return clean.html(source.text, demote=1, decisions=True)
    block = frontmatter.split(source.encoded)
    text = source.encoded[block.body if block else 0 :].decode()
    return clean.markdown(text, demote=1, decisions=True)


def _summary(spec: Spec, corpus: Corpus) -> list[tuple[str | None, State, list[str]]]:
    """What a reader has to be shown of a spec: each decision, its state and what it cites, in order."""
    return [
        (
            decision.id,
            corpus.state(decision),
            [item.text for item in decision.written],
        )
        for decision in spec.citing
    ]


def _with(body: bytes, inserts: Iterable[Insert]) -> str:
    """The body with everything put in."""
    parts: list[bytes] = []
    at = 0
    for insert in sorted(inserts):
        parts += body[at : insert.start], insert.html.encode()
        at = insert.end
    return b"".join((*parts, body[at:])).decode()


def _safe(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - cleaned, and marked up by this module alone
