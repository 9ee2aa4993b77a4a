"""Reading specs: a document's text becomes decisions, citations and suppressions.

Reading never fails for what a document contains; what it could not take is in `Spec.problems`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic import frontmatter
from spectastic.findings import Span
from spectastic.spec.model import Spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.findings import Problem
    from spectastic.source import Source
    from spectastic.spec.model import Decision
    from spectastic.spec.visible import Reader

_START_TAG = re.compile(b"<spec-decision(?=[\\s/>])")
#: What every suppression begins with: only marks and blanks may stand before the first word of its comment.
_SUPPRESSION = re.compile(b"<!--[^a-z<]*spectastic")


def is_html(path: str) -> bool:
    """Whether a spec is read as HTML; everything else is Markdown."""
    return path.lower().endswith((".html", ".htm"))


def extract(source: Source, *, everywhere: bool = False, looking: bool = False) -> Spec:
    """Read a spec. `everywhere`: citations outside decisions count as well.

    With `looking`, `Spec.addressing` is filled in.
    """
    lowered = source.encoded.lower()
    # A single byte is found much faster than a word.
    markup = b"<" in lowered
    # `<spec` alone may be a misspelt decision, which must not go unseen.
    tagged = markup and (b"<spec" in lowered or b"</spec-decision" in lowered)
    suppressing = markup and b"<!--" in lowered and _SUPPRESSION.search(lowered) is not None
    # `informed by`, `Retrieved Context`, `retrieval-status`.
    prior_art = b"retriev" in lowered or b"informed" in lowered
    if not (tagged or everywhere or suppressing):
        return Spec(source.path, prior_art=prior_art)
    spec = _read(source, lowered, everywhere, suppressing)
    if looking:
        spec = _looked_at(spec, source)
    return spec._replace(prior_art=True) if prior_art else spec


def _read(source: Source, lowered: bytes, everywhere: bool, suppressing: bool) -> Spec:
    if b"\r\n" not in lowered:
        return _scan(source, lowered, everywhere, suppressing)
    from spectastic.spec.crlf import moved, with_lf

    plain = with_lf(source)
    return moved(_scan(plain, plain.encoded.lower(), everywhere, suppressing), source)


def _scan(source: Source, lowered: bytes, everywhere: bool, suppressing: bool) -> Spec:
    from spectastic.spec.visible import Reader

    comments = None
    if suppressing:
        from spectastic.spec.scopes import Comments

        comments = Comments(source, is_html(source.path))
    reader = Reader(source, everywhere=everywhere, comments=comments)
    if is_html(source.path):
        from spectastic.spec import html

        # A browser shows what looks like frontmatter.
        html.scan(reader, lowered)
    else:
        from spectastic.spec import markdown

        markdown.scan(reader, lowered, _body(reader, lowered))
    return reader.finish()


def _looked_at(spec: Spec, source: Source) -> Spec:
    """The spec with what addresses a model in its decisions. That is asked of the text as it is written."""
    if not spec.decisions:
        return spec
    from spectastic.untrusted import suspicious

    pieces = [
        (start, source.encoded[start - source.base : end - source.base].decode())
        for start, end in _outermost(spec.decisions)
    ]
    if not suspicious("\n".join([text for _, text in pieces])):
        return spec
    from spectastic.untrusted.look import problems

    found: list[Problem] = []
    for at, text in pieces:
        if suspicious(text):
            found += problems(text, at, html=is_html(spec.path))
    return spec._replace(addressing=tuple(found))


def _outermost(decisions: Iterable[Decision]) -> Iterator[Span]:
    """Where the decisions are that stand in no other, in document order."""
    done = 0
    for decision in decisions:
        if decision.extent.start >= done:
            done = decision.extent.end
            yield decision.extent


def _body(reader: Reader, lowered: bytes) -> int:
    """Where a spec's text begins, after its frontmatter."""
    block = frontmatter.split(reader.source.encoded)
    if block is None:
        return 0
    hidden = _START_TAG.search(lowered, 0, block.body)
    if hidden is not None:
        base = reader.source.base
        span = Span(base + hidden.start(), base + hidden.end())
        reader.problem(span, "a decision in the frontmatter is seen by nobody", "move it below the ---")
    return block.body
