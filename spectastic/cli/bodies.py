"""`spectastic retrieve --read` and `--telemetry`: the texts of documents in fences, and how they came."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus.reading import columns, write_json
from spectastic.cli.errors import OK, TroubleError
from spectastic.retrieval.gate import PROGRAM
from spectastic.retrieval.model import Kind
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from spectastic.config import Settings
    from spectastic.retrieval.bodies import Body, Reading
    from spectastic.retrieval.gate import Gate
    from spectastic.retrieval.model import Document, Library
    from spectastic.retrieval.telemetry import Totals

_CLOSED = {
    "disabled-via-env": "ADLC_DISABLE_DELEGATE is set",
    "disabled-via-config": 'the configuration says read-delegate = "off"',
    "not-opted-in": "no delegate is named",
    "no-documents": "there is none that a delegate may be asked for",
}


def read(
    options: Namespace,
    settings: Settings,
    library: Library,
    documents: Sequence[Document],
    scored: Sequence[Document],
) -> Reading:
    """Read the texts of documents, say in one line how, and record it where that is wanted.

    `scored` are all that match, of which `documents` are told.
    """
    from spectastic.retrieval.bodies import read_bodies

    reading = read_bodies(settings.root, documents, os.environ, settings.read_delegate, options.timeout)
    messages.tell(_line(reading))
    if settings.read_telemetry:
        _record(settings, reading, library, scored)
    return reading


def _line(reading: Reading) -> str:
    """How the texts were read: one line, whatever happened."""
    total = sum(not body.why for body in reading.bodies)
    lost = [body for body in reading.bodies if body.why]
    named = ", ".join(f"{short(body.document.path)}: {body.why}" for body in lost[:3])
    tail = f"; not read: {len(lost)} ({named})" if lost else ""
    if not reading.bodies:
        return "bodies: there is no document to read"
    if not reading.gate.open:
        return f"bodies: read directly: {total}, since {_closed(reading.gate)}{tail}"
    name = short(os.path.basename(reading.gate.program))
    told = sum(body.told for body in reading.bodies)
    if reading.complaint:
        return f"bodies: {name} failed ({short(reading.complaint, 200)}): read directly: {total}{tail}"
    line = f"bodies: told by {name}: {told}"
    if told < total:
        line += f"; read directly: {total - told}"
    if reading.refused:
        line += f"; blocks dropped: {', '.join(f'{why} {count}' for why, count in reading.refused.items())}"
    return line + tail


def _closed(gate: Gate) -> str:
    """Why no delegate is called."""
    if not gate.wrong:
        return _CLOSED[gate.reason]
    # Looked up where the gate looks: what the variable names wins.
    named = PROGRAM if os.environ.get(PROGRAM) else "read-delegate"
    return f"{named} names {short(gate.program, 200)}, which {gate.wrong}"


def _record(settings: Settings, reading: Reading, library: Library, scored: Sequence[Document]) -> None:
    """Append a line to the telemetry file. The work is done whether that can be, or not."""
    from datetime import UTC, datetime

    from spectastic import write
    from spectastic.retrieval import telemetry
    from spectastic.source import reason

    corpora: dict[str, object] = {}
    for kind in Kind:
        shelf = library.shelves[kind]
        returned = [body for body in reading.bodies if body.document.kind is kind]
        corpora[kind.value] = {
            "on_disk": shelf.on_disk,
            "admitted": len(shelf.admitted),
            "scored": sum(document.kind is kind for document in scored),
            "returned": len(returned),
            "read": sum(not body.why for body in returned),
            "told": sum(body.told for body in returned),
        }
    when = datetime.now(UTC).isoformat(timespec="seconds")
    line = telemetry.line(when, reading.trace, reading.duration_ms, len(reading.bodies), corpora)
    try:
        write.append(os.path.join(settings.root, settings.read_telemetry), line)
    except OSError as error:
        messages.tell(f"this run is not recorded: {short(settings.read_telemetry)}: {reason(error)}")


def lines(reading: Reading) -> Iterator[str]:
    """The texts, each in a fence of its own."""
    for body in reading.bodies:
        if not body.why:
            yield f"\n{_fenced(body)}"


def _fenced(body: Body) -> str:
    from spectastic.untrusted.fence import fenced

    how = "as a delegate tells it" if body.told else body.document.path
    return fenced(f"{body.document.id} {how}", body.text)


def as_json(reading: Reading) -> dict[str, object]:
    """How the texts were read, and the texts, in fences too."""
    from spectastic.retrieval.telemetry import resolve

    return {
        "read": {
            **resolve(reading.trace)._asdict(),
            "handed_over": reading.asked,
            "dropped": dict(reading.refused),
        },
        "bodies": [
            {
                "id": body.document.id,
                "path": body.document.path,
                "by": None if body.why else "delegate" if body.told else "direct",
                "reason": body.why or None,
                "fenced": None if body.why else _fenced(body),
            }
            for body in reading.bodies
        ],
    }


def tell_telemetry(options: Namespace, settings: Settings) -> int:
    """Sum the telemetry file up.

    Raises:
        TroubleError: there is no such setting, or the file cannot be read.
    """
    from spectastic.retrieval import telemetry
    from spectastic.source import Unreadable
    from spectastic.source import read as read_file

    path = settings.read_telemetry
    if not path:
        raise TroubleError(
            "no telemetry is recorded",
            'name a file in the configuration: read-telemetry = ".adlc/reads.jsonl"',
        )
    text = ""
    if os.path.lexists(os.path.join(settings.root, path)):
        if os.path.islink(os.path.join(settings.root, path)):
            raise TroubleError(f"{path} is a link", "remove it: the next run makes a file")
        source = read_file(settings.root, path)
        if isinstance(source, Unreadable):
            raise TroubleError(f"{path}: {source.message}", "remove it, or name another file: read-telemetry")
        text = source.text
    found = telemetry.totals(text.split("\n"))
    if options.json:
        outcomes = [{**outcome._asdict(), "runs": count} for outcome, count in found.outcomes.items()]
        write_json(options, {**found._asdict(), "modes": found.modes, "outcomes": outcomes})
        return OK
    streams.write(_totals(found))
    return OK


def _totals(found: Totals) -> Iterator[str]:
    yield f"runs: {found.runs} ({', '.join(f'{mode} {count}' for mode, count in found.modes.items())})\n"
    yield from columns(
        (
            (outcome.mode, f"gate {outcome.gate}", short(outcome.reason), str(count))
            for outcome, count in found.outcomes.items()
        ),
        "  ",
    )
    if found.runs:
        yield f"documents: {found.documents}\n"
        yield f"milliseconds: median {found.median_ms}, longest {found.longest_ms}\n"
        yield from columns([(f"from {short(found.first)} to {short(found.last)}",)])
    if found.broken:
        yield f"lines that are no record: {found.broken}\n"
