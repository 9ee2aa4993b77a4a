"""A spec as a page: its text, a badge on every decision, and the text of what it cites at the end.

The spec is rendered and cleaned, and then read once more as the HTML spec that it has become. Badges go where
that finds decisions and citations; what it finds must be what the source says (docs/decisions/0025).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import partial
from html import escape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from spectastic import frontmatter
from spectastic.corpus.body import document
from spectastic.corpus.model import Outcome
from spectastic.explorer import clean, page
from spectastic.rules import SPEC_RULES
from spectastic.source import Source
from spectastic.spec import extract, is_html
from spectastic.spec.markup import DECISION
from spectastic.spec.model import Spec, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from markupsafe import Markup

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution
    from spectastic.engine.policy import Policy
    from spectastic.findings import Finding, Span
    from spectastic.spec.model import Citation, Decision, Malformed

#: The states, best first, as a page counts them.
_STATES = (State.GROUNDED, State.STALE, State.UNPINNED, State.ASSUMED, State.UNGROUNDED)
#: What a decision becomes: an element without a meaning of its own may stand wherever that one could.
_ELEMENT = "rendered-decision"
_END = f"</{DECISION}>".encode()
#: A link of the cleaned body, as a whole.
_LINK = re.compile(rb"<a [^>]*>.*?</a>", re.DOTALL)
#: So much of documents is kept for further specs that cite them, in characters.
_KEPT = 50_000_000


class Rendered(NamedTuple):
    """A page, and whether it shows the decisions as `validate` reads them in the source."""

    text: str
    agrees: bool


class _Insert(NamedTuple):
    """`html` in the place of the bytes `[start, end)` of the body."""

    start: int
    end: int
    html: str


class Cited(NamedTuple):
    """A document that is shown at the end of the page. `anchor` is its id there."""

    anchor: str
    label: str
    outcome: str
    path: str
    license: str
    body: str


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
    shown = corpus.settle(extract(Source("rendered.html", body), everywhere=everywhere))
    written = corpus.settle(extract(source, everywhere=everywhere))
    agrees = _summary(shown, corpus) == _summary(written, corpus)
    said = partial(_said, corpus=corpus, path=source.path, policy=policy)
    marked = _Marks(corpus, body, said, documents or Documents(corpus))
    inserts = [insert for decision in shown.citing for insert in marked.decision(decision, shown.loose)]
    states = Counter(corpus.state(decision) for decision in written.decisions)
    text = page.render(
        "spec.html",
        styles=("base.css", "spec.css"),
        scripts=("spec.js",),
        title=source.path,
        agrees=agrees,
        states=[(state.value, states[state]) for state in _STATES if states[state]],
        total=len(written.decisions),
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
            [item.text for item in _written(decision)],
        )
        for decision in spec.citing
    ]


def _said(alone: Decision, *, corpus: Corpus, path: str, policy: Policy | None) -> tuple[Finding, ...]:
    """What `validate` says of one citation in a spec."""
    spec = Spec(path, (alone,))
    found = (found for rule in SPEC_RULES for found in rule.check(spec, corpus))
    return tuple(found if policy is None else policy.apply(found))


def _written(decision: Decision) -> list[Citation | Malformed]:
    """The citations of a decision and its near misses, in order."""
    items: list[Citation | Malformed] = [*decision.citations, *decision.malformed]
    return sorted(items, key=lambda item: item.span)


def _with(body: bytes, inserts: Iterable[_Insert]) -> str:
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


class Documents:
    """The documents that citations lead to, rendered, each once for many specs."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._kept: dict[tuple[str, str | None], Cited | None] = {}
        self._size = 0

    def of(self, resolution: Resolution) -> Cited | None:
        """The document, `None` where there is none that can be read."""
        key = resolution.id, resolution.edition
        if resolution.outcome is Outcome.NOTHING:
            return None
        if key not in self._kept:
            cited = self._rendered(resolution)
            self._size += 0 if cited is None else len(cited.body)
            if self._size > _KEPT:
                self._kept.clear()
                self._size = 0
            self._kept[key] = cited
        return self._kept[key]

    def _rendered(self, resolution: Resolution) -> Cited | None:
        read = document(self._corpus, resolution)
        if read is None or resolution.row is None:
            return None
        reference, body = read
        return Cited(
            f"{resolution.id}@{resolution.edition}",
            resolution.row.label,
            resolution.outcome.value,
            reference.path,
            reference.value("license"),
            clean.reachable(clean.markdown(body.text, demote=3)),
        )


class _Marks:
    """Makes the marks of decisions and citations, and collects what they lead to."""

    def __init__(
        self,
        corpus: Corpus,
        body: bytes,
        said: Callable[[Decision], tuple[Finding, ...]],
        documents: Documents,
    ) -> None:
        self._corpus = corpus
        self._body = body
        self._said = said
        self._documents = documents
        self._links = [match.span() for match in _LINK.finditer(body)]
        self._tips = 0
        self.cited: dict[str, Cited] = {}
        self.findings: list[Finding] = []

    def decision(self, decision: Decision, loose: Decision | None) -> Iterator[_Insert]:
        """What a decision and what it cites get. `loose` is the text around all of them."""
        if decision is not loose:
            yield from self._frame(decision)
        for citation in decision.citations:
            alone = decision._replace(citations=(citation,), malformed=())
            yield self._mark(citation.span, self._said(alone), self._corpus.resolve(citation), alone)
        for malformed in decision.malformed:
            alone = decision._replace(citations=(), malformed=(malformed,))
            yield self._mark(malformed.span, self._said(alone), None, alone)

    def _frame(self, decision: Decision) -> Iterator[_Insert]:
        state = self._corpus.state(decision).value
        named = f" {escape(decision.id)}" if decision.id else ""
        head = f'<span class="decision-id">{named.strip() or "decision"}</span>{_badge(state)}'
        yield _Insert(
            decision.span.start,
            decision.span.end,
            f'<{_ELEMENT} class="decision decision-{state}" role="group" '
            f'aria-label="Decision{named}, {state}"><span class="decision-head">{head}</span>',
        )
        end = decision.extent.end - len(_END)
        # Cleaned HTML closes what it opens.
        assert self._body[end : decision.extent.end] == _END  # noqa: S101 - or the page would be broken
        yield _Insert(end, decision.extent.end, f"</{_ELEMENT}>")

    def _mark(
        self, span: Span, found: tuple[Finding, ...], resolution: Resolution | None, alone: Decision
    ) -> _Insert:
        """A citation as a link to what it leads to: a document's text, or what is wrong with it."""
        state = self._corpus.state(alone).value
        cited = None if resolution is None else self._documents.of(resolution)
        target, said = ("", "")
        if cited is not None:
            self.cited.setdefault(cited.anchor, cited)
            target, said = cited.anchor, cited.label
        if cited is None and found:
            target = f"finding-{len(self.findings) + 1}"
            self.findings += found
        if found:
            said = " · ".join(filter(None, (said, found[0].message)))
        self._tips += 1
        tip = f"tip-{self._tips}"
        link = f'class="citation state-{state}" href="#{quote(target, safe="@")}" aria-describedby="{tip}"'
        mark = f'<svg aria-hidden="true"><use href="#mark-{state}"></use></svg>'
        shown = f'<span class="tip" role="tooltip" id="{tip}">{escape(said or state)}</span>'
        token = self._body[span.start : span.end]
        around = self._link_around(span)
        if around is None and b"<" not in token:
            return _Insert(
                span.start,
                span.end,
                f'<span class="cite"><a {link}>{token.decode()}{mark}</a>{shown}</span>',
            )
        # A link in a link, or one around half an element, would be taken apart: the mark alone is one.
        at = span.end if around is None else around
        named = f'aria-label="{escape(_written(alone)[0].text)}"'
        return _Insert(at, at, f'<span class="cite"><a {link} {named}>{mark}</a>{shown}</span>')

    def _link_around(self, span: Span) -> int | None:
        """Where the link ends that a part of the body stands in, `None` where it stands in none."""
        # Cleaned HTML has no link in a link.
        at = bisect_right(self._links, (span.start, 0)) - 1
        return self._links[at][1] if at >= 0 and self._links[at][1] >= span.end else None


def _badge(state: str) -> str:
    mark = f'<svg aria-hidden="true"><use href="#mark-{state}"></use></svg>'
    return f'<span class="state state-{state}">{mark}{state}</span>'
