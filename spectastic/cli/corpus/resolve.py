"""`spectastic corpus resolve`: what citations lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import FINDINGS, OK
from spectastic.engine.tokens import Answer, read
from spectastic.source import Unreadable
from spectastic.spec.model import State
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Row
    from spectastic.source import Source


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus resolve`."""
    common.add_common(parser)
    parser.add_argument("tokens", nargs="+", metavar="TOKEN", help="text with citations, as in a decision")


def run(options: Namespace) -> int:
    """Say of each citation what it leads to; 1 if one of them leads to nothing.

    Raises:
        TroubleError: there is no corpus, or the configuration is wrong.
    """
    settings, corpus = reading.load(options)
    answers = [(text, read(text, corpus)) for text in options.tokens]
    rows = _Rows(corpus)
    if options.json:
        entries = [entry for text, found in answers for entry in _as_json(text, found, rows)]
        reading.write_json(options, {"tokens": entries})
    else:
        streams.write(_lines(answers, rows, reading.places(settings)))
    return OK if all(found and all(answer.found for answer in found) for _, found in answers) else FINDINGS


class _Rows:
    """Where rows stand, each file read once."""

    __slots__ = ("_corpus", "_sources")

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._sources: dict[str, Source | Unreadable] = {}

    def line(self, row: Row) -> int:
        """The number of a row's line, 0 where its file can be read no more."""
        if row.file not in self._sources:
            self._sources[row.file] = self._corpus.read(row.file)
        source = self._sources[row.file]
        return 0 if isinstance(source, Unreadable) else source.line_of(row.span.start)


def _lines(
    answers: Iterable[tuple[str, list[Answer]]], rows: _Rows, place: Callable[[str], str]
) -> Iterator[str]:
    for text, found in answers:
        if not found:
            yield f"{reading.line_of(short(text))}: no citation\n"
            yield f"  {reading.SHAPE}\n"
        for answer in found:
            outcome = "no citation" if answer.resolution is None else answer.resolution.outcome.value
            yield f"{reading.line_of(short(answer.text))}: {outcome}\n"
            yield from reading.columns(_facts(answer, rows, place), "  ")


def _facts(answer: Answer, rows: _Rows, place: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    citation, resolution = answer.citation, answer.resolution
    if citation is not None and resolution is not None:
        yield "id", citation.id
        lands = resolution.edition if answer.found else None
        if citation.edition is not None:
            yield "edition", citation.edition
        elif lands is not None:
            yield "edition", f"{lands}, which it does not name"
        if resolution.row is not None:
            row = resolution.row
            yield "row", f"{place(row.file)}:{rows.line(row)}, edition {row.edition}: {row.label}"
        if answer.found:
            yield "document", place(resolution.path)
    yield "state", answer.state.value
    for finding in answer.findings:
        yield "because", finding.message
        yield "hint", finding.hint


def _as_json(text: str, found: list[Answer], rows: _Rows) -> Iterator[dict[str, object]]:
    if not found:
        yield _entry(text, Answer("", None, None, State.UNGROUNDED, ()), rows)
    for answer in found:
        yield _entry(text, answer, rows)


def _entry(text: str, answer: Answer, rows: _Rows) -> dict[str, object]:
    citation, resolution = answer.citation, answer.resolution
    row = None if resolution is None else resolution.row
    found = resolution if answer.found else None
    findings = [{"rule": one.rule, "message": one.message, "hint": one.hint} for one in answer.findings]
    return {
        "given": text,
        "citation": answer.text or None,
        "id": None if citation is None else citation.id,
        "pinned": None if citation is None else citation.edition,
        "outcome": None if resolution is None else resolution.outcome.value,
        "edition": None if found is None else found.edition,
        "path": None if found is None else found.path,
        "row": None if row is None else {**reading.row_as_json(row), "line": rows.line(row)},
        "label": None if row is None else row.label,
        "state": answer.state.value,
        "findings": findings,
    }
