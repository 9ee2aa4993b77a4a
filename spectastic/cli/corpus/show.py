"""`spectastic corpus show`: one edition of a reference."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import reading
from spectastic.cli.errors import OK

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.body import Body
    from spectastic.corpus.model import Reference, Resolution

#: What is said of a declared hash; the hash of the text follows where it is another one.
_HASHES = {
    "matches": "matches the text",
    "differs": "differs from that of the text,",
    "missing": "never computed; that of the text is",
    "malformed": "is no hash; that of the text is",
    "none": "none: the document has no frontmatter",
}


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus show`."""
    reading.add_reference(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--body", action="store_true", help="print the text alone, without its frontmatter")
    forms.add_argument("--fenced", action="store_true", help="print the text for a model, inside a fence")


def run(options: Namespace) -> int:
    """Print a document: what is known of it, then its text.

    Raises:
        TroubleError: the token is no citation, there is no corpus, or the configuration is wrong.
    """
    from spectastic.corpus.body import document

    settings, corpus = reading.load(options)
    answer, found = reading.find(options.token, corpus)
    read = document(corpus, found)
    if read is None:
        return reading.missing(answer, corpus, options)
    reference, body = read
    if options.json:
        shown = _as_json(corpus, found, reference, body)
        reading.write_json(options, _in_fences(shown, found, reference, body) if options.fenced else shown)
    elif options.fenced:
        streams.write([_fenced(found, body)])
    elif options.body:
        _write_body(body)
    else:
        facts = _facts(corpus, found, reference, reading.places(settings))
        streams.write(_lines(found, facts, body))
    return OK


def _write_body(body: Body) -> None:
    """For a program, byte for byte; for a terminal, nothing that would drive it."""
    if streams.is_terminal(sys.stdout):
        streams.write(_text(body))
    else:
        streams.write_bytes([body.data])


def _fenced(found: Resolution, body: Body) -> str:
    from spectastic.untrusted.fence import fenced

    return fenced(f"{found.id}@{found.edition}", body.text)


def _lines(found: Resolution, facts: Iterable[tuple[str, str]], body: Body) -> Iterator[str]:
    title = "" if found.row is None else found.row.title
    yield from reading.columns([(f"{found.id}@{found.edition}", title)])
    yield from reading.columns(facts, "  ")
    yield "\n"
    yield from _text(body)


def _text(body: Body) -> Iterator[str]:
    """The text for people, without blank lines around it."""
    for line in body.text.strip("\n").split("\n"):
        yield f"{reading.line_of(line)}\n"


def _facts(
    corpus: Corpus, found: Resolution, reference: Reference, place: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    if found.row is not None and found.row.label != found.row.title:
        yield "label", found.row.label
    if found.row is not None and found.row.status:
        yield "row", found.row.status
    yield "state", found.outcome.value
    yield "editions", ", ".join(_editions(corpus, found.id))
    yield "document", place(reference.path)
    yield "hash", _hash(reference)
    for name, field in reference.fields.items():
        if name not in ("content-hash", "edition"):
            yield name, field.value


def _editions(corpus: Corpus, identifier: str) -> Iterator[str]:
    current = corpus.find(identifier, None).edition
    for edition in corpus.editions(identifier):
        yield f"{edition} (current)" if edition == current else edition


def _hash(reference: Reference) -> str:
    from spectastic.corpus.body import hash_state

    state = hash_state(reference)
    said = "" if state in ("missing", "none") else reference.value("content-hash")
    digest = "" if state in ("matches", "none") else reference.digest
    return " ".join(filter(None, (said, _HASHES[state], digest)))


#: What others wrote, as it stands: it has no place beside a fence.
_THEIRS = ("title", "label", "row", "provenance", "body")


def _in_fences(
    shown: dict[str, object], found: Resolution, reference: Reference, body: Body
) -> dict[str, object]:
    """The same for a model: the text and its provenance in fences, and nothing of others outside of them."""
    from spectastic.corpus.body import hash_state
    from spectastic.untrusted.fence import fenced

    declared = reference.value("content-hash") if hash_state(reference) in ("matches", "differs") else None
    fields = "\n".join(f"{name}: {field.value}" for name, field in reference.fields.items())
    return {
        **{name: value for name, value in shown.items() if name not in _THEIRS},
        "hash": {**_hash_as_json(reference), "declared": declared},
        "fenced": _fenced(found, body),
        "fenced_provenance": fenced(f"{found.id}@{found.edition} PROVENANCE", fields),
    }


def _hash_as_json(reference: Reference) -> dict[str, object]:
    from spectastic.corpus.body import hash_state

    return {
        "state": hash_state(reference),
        "declared": reference.value("content-hash") or None,
        "computed": reference.digest or None,
    }


def _as_json(corpus: Corpus, found: Resolution, reference: Reference, body: Body) -> dict[str, object]:
    row = found.row
    return {
        "id": found.id,
        "edition": found.edition,
        "outcome": found.outcome.value,
        "title": "" if row is None else row.title,
        "label": "" if row is None else row.label,
        "row": None if row is None else reading.row_as_json(row),
        "editions": list(corpus.editions(found.id)),
        "path": reference.path,
        "hash": _hash_as_json(reference),
        "provenance": {name: field.value for name, field in reference.fields.items()},
        "line": body.line,
        "body": body.text,
    }
