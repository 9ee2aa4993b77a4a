"""The text of a new document: a template, filled in. Pure; what comes out is read back before it counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.authoring import fields, sections
from spectastic.authoring.model import PREFIXES, AuthoringError
from spectastic.retrieval import documents, report
from spectastic.retrieval.model import Kind
from spectastic.retrieval.query import of_document
from spectastic.source import Unreadable
from spectastic.text import inert

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spectastic.authoring.intake import Intake
    from spectastic.authoring.model import Draft
    from spectastic.authoring.templates import Template
    from spectastic.retrieval.scoring import Hit

RETRIEVED, PROVENANCE = "Retrieved Context", "Provenance"
ASSUMPTIONS, QUESTIONS, SCOPE = "Assumptions", "Open Questions", "Out of Scope"
#: What a spec says whose number was given though the remote could not be asked.
UNVERIFIED = "- id allocated without remote verification — verify before PR"


class Basis(NamedTuple):
    """What a spec is built on: lines of `## Retrieved Context`, an intake, and whether its id is sure."""

    retrieved: tuple[str, ...] = ()
    intake: Intake | None = None
    unverified: bool = False


def retrieved(hits: Sequence[Hit], suppressed: bool) -> tuple[str, ...]:
    """The lines of `## Retrieved Context`: a sentence by itself, documents as a list.

    What a title would do to the text around it, it does not do here.
    """
    lines = list(report.lines(hits, suppressed))
    heads = len(lines) - len(hits)
    listed = [f"- {_inert(' '.join(line.split()))}" for line in lines[heads:]]
    gap = [""] if heads and listed else []
    return (*lines[:heads], *gap, *listed)


def _inert(line: str) -> str:
    return inert(line).replace("<", "\\<")


def document(template: Template, draft: Draft, identifier: str, path: str, basis: Basis) -> bytes:
    """The document as it is to be written at `path`.

    Raises:
        AuthoringError: the template makes something else of it than is meant.
    """
    written = fields.values(draft, identifier)
    text = fields.filled(template.text, written)
    start = len(text) - len(documents.body(text))
    body = _titled(text[start:], draft.kind, identifier)
    if draft.kind is Kind.SPEC:
        body = _based(body, basis)
    text = text[:start] + body
    _check(template, draft, identifier, path, text)
    if draft.kind is Kind.SPEC:
        _check_sections(template, body, basis)
    return text


def _titled(body: bytes, kind: Kind, identifier: str) -> bytes:
    """The body with the id in place of `REQ-xxx` in headings of the first level."""
    sample = re.compile(rb"\b%b-x{3,}\b" % PREFIXES[kind].encode(), re.IGNORECASE)
    for section in reversed(sections.sections(body)):
        if section.level == 1:
            heading = sample.sub(identifier.encode(), body[section.start : section.body])
            body = body[: section.start] + heading + body[section.body :]
    return body


def _based(body: bytes, basis: Basis) -> bytes:
    body = sections.without(body, (PROVENANCE, RETRIEVED))
    intake = basis.intake
    assumed = [UNVERIFIED] if basis.unverified else []
    if intake is not None:
        assumed += intake.mirrored("assumed", "")
        body = sections.append(body, QUESTIONS, intake.mirrored("open", "[ ] "))
    body = sections.append(body, ASSUMPTIONS, assumed)
    if intake is not None:
        scope = sections.find(body, SCOPE)
        at = len(body) if scope is None else scope.end
        body = sections.insert(body, at, PROVENANCE, _lines(intake.section()))
    return sections.insert(body, len(body), RETRIEVED, _lines(basis.retrieved))


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _check(template: Template, draft: Draft, identifier: str, path: str, text: bytes) -> None:
    """That others read from the frontmatter what was meant."""
    found = documents.parse(text, draft.kind, path)
    wrong = ""
    if isinstance(found, Unreadable):
        wrong = found.message
    elif found.notes:
        wrong = found.notes[0].message
    else:
        read = found.document
        meant = (identifier, draft.title, draft.query, draft.day.isoformat())
        if (read.id, read.title, of_document(read), read.updated) != meant:
            wrong = "a value would be read as another one"
    if wrong:
        hint = "write one `field: value` on a line" if template.path else "choose plainer words"
        raise AuthoringError(f"{_named(template)}cannot be filled in: {wrong}", hint)


def _check_sections(template: Template, body: bytes, basis: Basis) -> None:
    """That our sections are there, once, and that nothing before them swallows them."""
    wanted = {RETRIEVED: 1, PROVENANCE: int(basis.intake is not None)}
    wanted |= {ASSUMPTIONS: 1} if basis.unverified or (basis.intake and basis.intake.of("assumed")) else {}
    wanted |= {QUESTIONS: 1} if basis.intake and basis.intake.of("open") else {}
    found = [section.title for section in sections.sections(body)]
    for title, count in wanted.items():
        if sum(sections.same(each, title) for each in found) != count:
            raise AuthoringError(
                f"{_named(template)}does not leave room for the section {title}",
                "look for a comment or a code block that is never closed, and for headings that come twice",
            )


def _named(template: Template) -> str:
    return f"the template {template.path} " if template.path else "the document "
