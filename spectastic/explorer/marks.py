"""The marks of decisions and citations in a rendered spec, and what they lead to."""

from __future__ import annotations

import re
from bisect import bisect_right
from html import escape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from spectastic.engine import suppress, tokens
from spectastic.spec.markup import DECISION
from spectastic.spec.model import Citation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.corpus import Corpus
    from spectastic.engine.policy import Policy
    from spectastic.explorer.documents import Cited, Documents
    from spectastic.findings import Finding, Span
    from spectastic.spec.model import Decision, Malformed, Spec

#: What a decision becomes: an element without a meaning of its own may stand wherever that one could.
_ELEMENT = "rendered-decision"
_END = f"</{DECISION}>".encode()
#: A longer citation may need more than one line, in characters.
_SHORT = 30
#: A link of the cleaned body, as a whole.
_LINK = re.compile(rb"<a [^>]*>.*?</a>", re.DOTALL)


class Insert(NamedTuple):
    """`html` in the place of the bytes `[start, end)` of the body."""

    start: int
    end: int
    html: str


class Said(NamedTuple):
    """What the rules say of one citation or near miss, and what of that counts in its spec."""

    alone: Decision
    found: tuple[Finding, ...]
    counts: tuple[Finding, ...]


def said_of(spec: Spec, corpus: Corpus, policy: Policy | None) -> list[list[Said]]:
    """Of each decision, what is said of each of its citations and near misses, in order."""
    each = [
        [(one, tokens.findings_of(one, corpus, spec.path)) for one in map(decision.only, decision.written)]
        for decision in spec.citing
    ]
    told, _ = suppress.apply(spec, [item for part in each for _, found in part for item in found], _nobody)
    counting = set(map(id, told))

    def in_force(found: Iterable[Finding]) -> tuple[Finding, ...]:
        kept = [item for item in found if id(item) in counting]
        return tuple(kept if policy is None else policy.apply(kept))

    return [[Said(one, found, in_force(found)) for one, found in part] for part in each]


def _nobody(_: str) -> bool:
    """Comments of no use are not told here."""
    return False


class Marks:
    """Makes the marks of decisions and citations, and collects what they lead to."""

    def __init__(self, corpus: Corpus, body: bytes, documents: Documents) -> None:
        self._corpus = corpus
        self._body = body
        self._documents = documents
        self._links = [match.span() for match in _LINK.finditer(body)]
        self._tips = 0
        self.cited: dict[str, Cited] = {}
        self.findings: list[Finding] = []

    def decision(self, decision: Decision, said: Iterable[Said], *, framed: bool) -> Iterator[Insert]:
        """What a decision and what it cites get; what stands around all of them gets no frame."""
        if framed:
            yield from self._frame(decision)
        for item, of_it in zip(decision.written, said, strict=True):
            yield self._mark(item, decision.only(item), of_it)

    def _frame(self, decision: Decision) -> Iterator[Insert]:
        state = self._corpus.state(decision).value
        named = f" {escape(decision.id)}" if decision.id else ""
        head = f'<span class="decision-id">{named.strip() or "decision"}</span>{_badge(state)}'
        yield Insert(
            decision.span.start,
            decision.span.end,
            f'<{_ELEMENT} class="decision decision-{state}" role="group" '
            f'aria-label="Decision{named}, {state}"><span class="decision-head">{head}</span>',
        )
        end = decision.extent.end - len(_END)
        # Cleaned HTML closes what it opens.
        assert self._body[end : decision.extent.end] == _END  # noqa: S101 - or the page would be broken
        yield Insert(end, decision.extent.end, f"</{_ELEMENT}>")

    def _mark(self, item: Citation | Malformed, alone: Decision, said: Said) -> Insert:
        """A citation as a link to what it leads to: a document's text, or what is wrong with it."""
        state = self._corpus.state(alone).value
        cited = self._documents.of(self._corpus.resolve(item)) if isinstance(item, Citation) else None
        target, label = "", ""
        if cited is not None:
            self.cited.setdefault(cited.anchor, cited)
            target, label = cited.anchor, cited.label
        elif said.counts:
            target = f"finding-{len(self.findings) + 1}"
            self.findings += said.counts
        # What leads to nothing leads there whether or not that counts.
        told = said.counts or (said.found if cited is None else ())
        label = " · ".join(filter(None, (label, told[0].message if told else ""))) or state
        self._tips += 1
        tip = f"tip-{self._tips}"
        leads = f'href="#{quote(target, safe="@")}"' if target else 'tabindex="0"'
        name = "a" if target else "span"
        # Its mark does not go to the next line alone.
        whole = " whole" if len(item.text) <= _SHORT else ""
        opened = f'<{name} class="citation state-{state}{whole}" {leads} aria-describedby="{tip}"'
        mark = _drawn(state)
        shown = f'<span class="tip" role="tooltip" id="{tip}">{escape(label)}</span>'
        token = self._body[item.span.start : item.span.end]
        around = self._link_around(item.span)
        if around is None and b"<" not in token:
            return Insert(
                item.span.start,
                item.span.end,
                f'<span class="cite">{opened}>{token.decode()}{mark}</{name}>{shown}</span>',
            )
        # A link in a link, or one around half an element, would be taken apart: the mark alone is one.
        at = item.span.end if around is None else around
        named = f'role="{"link" if target else "note"}" aria-label="{escape(item.text)}"'
        return Insert(at, at, f'<span class="cite">{opened} {named}>{mark}</{name}>{shown}</span>')

    def _link_around(self, span: Span) -> int | None:
        """Where the link ends that a part of the body stands in, `None` where it stands in none."""
        # Cleaned HTML has no link in a link.
        at = bisect_right(self._links, (span.start, 0)) - 1
        return self._links[at][1] if at >= 0 and self._links[at][1] >= span.end else None


def _badge(state: str) -> str:
    return f'<span class="state state-{state}">{_drawn(state)}{state}</span>'


def _drawn(state: str) -> str:
    """The shape of a state, from `assets/marks.html`."""
    return f'<svg aria-hidden="true"><use href="#mark-{state}"></use></svg>'
