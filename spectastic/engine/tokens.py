"""Citations that stand in no spec, read and answered just as `validate` would."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import Outcome
from spectastic.findings import Span
from spectastic.rules import SPEC_RULES
from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.citation import parse
from spectastic.spec.model import Citation, Decision, Spec, State

if TYPE_CHECKING:
    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution
    from spectastic.findings import Finding


class Answer(NamedTuple):
    """A token as it was read, and what it leads to.

    `citation` and `resolution` are `None` for a near miss, which leads to nothing. `state` and
    `findings` are those of a decision that cites this and nothing else.
    """

    text: str
    citation: Citation | None
    resolution: Resolution | None
    state: State
    findings: tuple[Finding, ...]

    @property
    def found(self) -> bool:
        """Whether it leads to a document."""
        return self.resolution is not None and self.resolution.outcome is not Outcome.NOTHING


def read(text: str, corpus: Corpus) -> list[Answer]:
    """Every citation and near miss in a text, in order, as in the visible text of a decision."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;")
    spec = extract(Source("tokens.html", shown.encode("utf-8", "replace")), everywhere=True)
    spec = corpus.settle(spec)
    parts: list[tuple[Span, str, Decision]] = []
    for decision in spec.citing:
        parts += ((one.span, one.text, decision.only(one)) for one in decision.written)
    return [
        _answer(written, decision, corpus) for _, written, decision in sorted(parts, key=lambda part: part[0])
    ]


def ask(token: str, corpus: Corpus) -> Answer | None:
    """What a token leads to that is one citation and nothing else; `None` where it is none.

    Everything after the @ is the edition, whatever it holds.
    """
    parsed = parse(token)
    if parsed is None:
        return None
    decision = Decision(None, None, Span(0, 0), (Citation(*parsed, Span(0, 0)),))
    return _answer(token, decision, corpus)


def _answer(text: str, decision: Decision, corpus: Corpus) -> Answer:
    citation = next(iter(decision.citations), None)
    resolution = None if citation is None else corpus.resolve(citation)
    return Answer(text, citation, resolution, corpus.state(decision), findings_of(decision, corpus))


def findings_of(decision: Decision, corpus: Corpus, path: str = "") -> tuple[Finding, ...]:
    """What the rules say of a decision, in the spec at `path`, and of what it cites."""
    spec = Spec(path, (decision,))
    return tuple(finding for rule in SPEC_RULES for finding in rule.check(spec, corpus))
