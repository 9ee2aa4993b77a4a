"""What `spectastic retrieve` prints: the documents to stdout, what is said about them to stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from spectastic.cli import bodies, looked, messages, streams
from spectastic.cli.corpus.reading import line_of, write_json
from spectastic.retrieval import report
from spectastic.retrieval.scoring import TOP, tied
from spectastic.text import inert, short

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from spectastic.retrieval.bodies import Reading
    from spectastic.retrieval.fulltext import Answer as Found
    from spectastic.retrieval.links import Near
    from spectastic.retrieval.model import Document, Library, Shelf
    from spectastic.retrieval.query import Query
    from spectastic.retrieval.reasons import Reason
    from spectastic.retrieval.scoring import Hit
    from spectastic.retrieval.vocabulary import Unknown
    from spectastic.source import Unreadable

_INDENT = "  "
_SEE_ALSO = "See also, because the first ones cite it or it cites them:"


class Answer(NamedTuple):
    """What was asked, and all that answers: of `hits`, the first `top` are shown."""

    library: Library
    query: Query
    hits: tuple[Hit, ...]
    top: int
    since: date | None
    itself: str
    unknown: tuple[Unknown, ...]
    see_also: tuple[Near, ...] | None = None
    reading: Reading | None = None

    @property
    def shown(self) -> tuple[Hit, ...]:
        """The hits that are told."""
        return self.hits[: self.top]


def tell_counts(library: Library) -> None:
    """Say how much of each corpus takes part, what was left out by name, and an empty corpus of specs."""
    tell_unreadable(library)
    root = looked.root(library)
    for shelf in library.shelves.values():
        messages.tell(report.counts(shelf, root))
    looked.tell(library)
    shrink = report.shrink(library)
    if shrink is None:
        return
    if shrink.drafts:
        messages.tell(shrink.message)
    else:
        # A line that others look for: it begins as it is fixed, without our name.
        streams.emit(sys.stderr, f"{inert(shrink.message)}\n")


def tell_unreadable(library: Library) -> None:
    """Say what could not be read, or not be understood, by name."""
    messages.tell(*(short(item, 2000) for item in _noticed(library)))


def _noticed(library: Library) -> Iterator[str]:
    for item in library.trouble:
        yield f"not read: {_told(item)}"
    for shelf in library.shelves.values():
        for item in shelf.unreadable:
            yield f"left out: {_told(item)}"
        for item in shelf.notes:
            yield f"taken, but {_told(item)}"


def _told(item: Unreadable) -> str:
    return f"{item.path}: {item.message}" + (f" ({item.hint})" if item.hint else "")


def tell_unknown(unknown: Sequence[Unknown]) -> None:
    """Say which values no document has, and which ones were perhaps meant."""
    for item in unknown:
        line = f"no document has the {noun(item.field)} {short(item.value)}"
        if item.near:
            line += f": did you mean {short(item.near)} ({item.uses})?"
        elif item.elsewhere:
            line += f": it is used as {' and '.join(map(noun, item.elsewhere))}"
        messages.tell(line)


def noun(field: str) -> str:
    """The word for one value of a field."""
    return {"concerns": "concern", "tags": "tag", "stack": "stack entry"}.get(field, field)


def print_answer(options: Namespace, answer: Answer) -> None:
    """Print the ranking."""
    if options.json:
        write_json(options, _as_json(answer))
    else:
        streams.write(_lines(options, answer))


def _lines(options: Namespace, answer: Answer) -> Iterator[str]:
    shrink = report.shrink(answer.library)
    suppressed = shrink is not None and not shrink.drafts
    yield f"{report.HEADING}\n"
    lines = list(report.lines(answer.shown, suppressed))
    heads = len(lines) - len(answer.shown)
    for at, line in enumerate(lines):
        yield f"{_INDENT}{inert(line)}\n"
        if options.explain and at >= heads:
            yield f"{_INDENT * 3}{inert(report.sums(answer.shown[at - heads]))}\n"
    if options.explain and answer.hits:
        more = tied(answer.hits, answer.top)
        rest = len(answer.hits) - len(answer.shown)
        yield f"{_INDENT}{rest} more match, {more} of them with the score of the last one\n"
    if answer.see_also:
        yield f"{_SEE_ALSO}\n"
        for near in answer.see_also[:TOP]:
            yield f"{_INDENT}{inert(_near(near))}\n"
        if len(answer.see_also) > TOP:
            yield f"{_INDENT}{len(answer.see_also) - TOP} more: --json has them\n"
    if answer.reading is not None:
        yield from bodies.lines(answer.reading)


def _near(near: Near) -> str:
    because = [f"cited by {', '.join(map(short, near.cited_by))}"] if near.cited_by else []
    because += [f"cites {', '.join(map(short, near.cites))}"] if near.cites else []
    document = near.document
    return f"{_name(document)}: {report.title(document)} — {'; '.join(because)}"


def _name(document: Document) -> str:
    return f"{report.label(document)} ({document.kind.value})"


def print_reasons(options: Namespace, answer: Answer, reasons: Sequence[Reason]) -> None:
    """Print what became of the documents with one id."""
    if options.json:
        found = [
            {
                "outcome": reason.outcome.value,
                "path": reason.path,
                "reason": reason.text,
                **({} if reason.hit is None else _hit_as_json(reason.hit)),
            }
            for reason in reasons
        ]
        write_json(options, {**_about(answer.library, answer.query), "id": options.why_not, "why_not": found})
        return
    streams.write(_why(reason, options.why_not) for reason in reasons)


def _why(reason: Reason, identifier: str) -> str:
    head = short(identifier) if reason.document is None else f"{_name(reason.document)}"
    lines = [f"{head}: {reason.path}", f"{_INDENT}{reason.text}"]
    if reason.hit is not None:
        lines.append(f"{_INDENT}{report.sums(reason.hit)}")
    return "".join(f"{line_of(line)}\n" for line in lines)


def print_found(
    options: Namespace, library: Library, found: Sequence[Found], reading: Reading | None
) -> None:
    """Print the documents that answer words, best first."""
    if options.json:
        results = [{**_document_as_json(each.document), "score": each.score} for each in found[: options.top]]
        about = {**_corpora(library), "text": options.text, "total": len(found)}
        texts = {} if reading is None else bodies.as_json(reading)
        write_json(options, {**about, "results": results, **texts})
        return
    streams.write(
        f"{line_of(f'{each.score:7.3f}  {_name(each.document)}: {report.title(each.document)}')}\n"
        for each in found[: options.top]
    )
    if reading is not None:
        streams.write(bodies.lines(reading))
    if len(found) > options.top:
        messages.tell(f"{len(found) - options.top} more: --top shows them")
    if not found:
        messages.tell("no text holds any of these words")


def print_proposal(options: Namespace, library: Library, query: Query) -> None:
    """Print a proposed query, as options to go on with."""
    if options.json:
        write_json(options, {**_corpora(library), "query": query.as_json()})
        return
    if not any(query):
        messages.tell("no document is like that: there is no value to propose")
        return
    import shlex

    fields = query.as_json().items()
    given = [(field, ",".join(value) if isinstance(value, list) else str(value)) for field, value in fields]
    words = (f" --{field} {shlex.quote(value)}" for field, value in given if value)
    streams.write([f"{inert('spectastic retrieve' + ''.join(words))}\n"])


def _as_json(answer: Answer) -> dict[str, object]:
    values: dict[str, object] = {
        **_about(answer.library, answer.query),
        "since": None if answer.since is None else answer.since.isoformat(),
        "taken_from": answer.itself or None,
        "unknown_values": [
            {
                "field": item.field,
                "value": item.value,
                "did_you_mean": item.near or None,
                "uses": item.uses,
                "used_as": list(item.elsewhere),
            }
            for item in answer.unknown
        ],
        "total": len(answer.hits),
        "tied_with_last": tied(answer.hits, answer.top),
        "results": [{**_document_as_json(hit.document), **_hit_as_json(hit)} for hit in answer.shown],
    }
    if answer.see_also is not None:
        values["see_also"] = [
            {
                **_document_as_json(near.document),
                "cited_by": list(near.cited_by),
                "cites": list(near.cites),
                "mentions": near.mentions,
            }
            for near in answer.see_also
        ]
    if answer.reading is not None:
        values.update(bodies.as_json(answer.reading))
    return values


def _about(library: Library, query: Query) -> dict[str, object]:
    return {**_corpora(library), "query": query.as_json()}


def _corpora(library: Library) -> dict[str, object]:
    shrink = report.shrink(library)
    return {
        "prior_art_root": library.folder,
        "corpora": [_shelf_as_json(shelf) for shelf in library.shelves.values()],
        "not_read": [{"path": item.path, "reason": item.message} for item in library.trouble],
        "spec_corpus_suppressed": shrink is not None and not shrink.drafts,
        "all_specs_are_drafts": shrink is not None and shrink.drafts,
        "statuses_seen": list(shrink.statuses) if shrink else [],
    }


def _shelf_as_json(shelf: Shelf) -> Mapping[str, object]:
    return {
        "corpus": shelf.kind.value,
        "folder": shelf.folder,
        "exists": not shelf.missing,
        "on_disk": shelf.on_disk,
        "admitted": len(shelf.admitted),
        "left_out_by_status": report.statuses(shelf),
        "unreadable": [_told_as_json(item) for item in shelf.unreadable],
        "not_understood": [_told_as_json(item) for item in shelf.notes],
    }


def _told_as_json(item: Unreadable) -> dict[str, object]:
    return {"path": item.path, "reason": item.message, "hint": item.hint}


def _document_as_json(document: Document) -> dict[str, object]:
    return {
        "id": document.id,
        "corpus": document.kind.value,
        "title": document.title,
        "path": document.path,
        "status": document.status,
    }


def _hit_as_json(hit: Hit) -> dict[str, object]:
    return {
        "score": hit.score,
        "date": hit.dated.day.isoformat(),
        "date_from": hit.dated.source,
        "parts": [part._asdict() for part in hit.parts],
    }
