"""What `spectastic retrieve` is asked for: the query, and the day after which documents count."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from spectastic.retrieval.dates import Dated
    from spectastic.retrieval.model import Document, Library
    from spectastic.retrieval.query import Query

    FileDates = Callable[[Sequence[Document]], Mapping[str, Dated]]

_WAYS = (
    "give --component, --domain, --stack, --concerns or --tags, or --from SPEC, or --query FILE.json;"
    ' --suggest "one sentence" proposes values'
)


class Asked(NamedTuple):
    """The query, and the path of the document that it was taken from ("" for none)."""

    query: Query
    itself: str = ""


def query_of(options: Namespace, library: Library) -> Asked:
    """The query: options over a file or a spec; without any, that of the document that --since names.

    Raises:
        TroubleError: there is none, or it cannot be used.
    """
    from spectastic.retrieval import query

    given = {
        name: value
        for name in ("component", "domain", "stack", "concerns", "tags")
        if (value := getattr(options, name)) is not None
    }
    flags = {name: value if isinstance(value, str) else tuple(value) for name, value in given.items()}
    base: dict[str, str | tuple[str, ...]] = {}
    itself = ""
    if options.query is not None:
        base = _query_file(options.query)
    elif options.source is not None or not flags:
        document = _source(options, library)
        if document is not None:
            base = query.of_document(document)._asdict()
            itself = document.path
    asked = query.of({**base, **flags})
    if not any(asked):
        if itself:
            raise TroubleError(f"{itself} fills none of the fields that are compared", _WAYS)
        raise TroubleError("there is nothing to look for", _WAYS)
    return Asked(asked, itself)


def _source(options: Namespace, library: Library) -> Document | None:
    """The document that --from or --since names."""
    from spectastic.retrieval.documents import parse
    from spectastic.retrieval.model import Kind
    from spectastic.source import Unreadable

    if options.source is None:
        return _by_id(options.since or "", library)
    known = None if os.path.exists(options.source) else _by_id(options.source, library)
    if known is not None:
        return known
    data = common.text_file(options.source)
    path = common.place(library.root, options.source) or options.source
    found = parse(data, Kind.SPEC, path)
    if isinstance(found, Unreadable):
        raise TroubleError(f"{options.source}: {found.message}", found.hint)
    return found.document


def _by_id(identifier: str, library: Library) -> Document | None:
    documents = (*library.documents, *library.kept_out)
    return next((document for document in documents if document.id == identifier), None)


def _query_file(path: str) -> dict[str, str | tuple[str, ...]]:
    from spectastic.retrieval.query import QueryError, from_json
    from spectastic.source import Unreadable, read

    folder, name = os.path.split(os.path.abspath(path))
    found = read(folder, name)
    if isinstance(found, Unreadable):
        raise TroubleError(f"{path}: {found.message}", found.hint)
    for problem in found.problems:
        raise TroubleError(f"{path}: {problem.message}", problem.hint)
    try:
        return from_json(found.text)
    except QueryError as error:
        raise TroubleError(f"{path}: {error.message}", error.hint) from error


def since(named: str, library: Library, dates: FileDates) -> date:
    """The day after which documents count: a date, the day a document was made, or that of a revision.

    Raises:
        TroubleError: it names none of them.
    """
    from spectastic import git
    from spectastic.retrieval.dates import UNDATED, calendar, of_seconds, own
    from spectastic.retrieval.links import is_id

    day = calendar(named)
    if day is not None:
        return day
    document = _by_id(named, library)
    if document is not None:
        made = own(document, ("created", "updated")) or dates([document]).get(document.path, UNDATED)
        return made.day
    if is_id(named):
        raise no_document(named, library)
    try:
        return of_seconds(git.date(library.root, git.commit(library.root, named)))
    except git.GitError as error:
        hint = error.hint or "name a document, a date such as 2026-01-31, or a revision"
        raise TroubleError(f"--since: {error.message}", hint) from error


def no_document(identifier: str, library: Library) -> TroubleError:
    """The error for an id that no document has."""
    from spectastic.text import nearest, short

    known = {document.id.lower(): document.id for document in (*library.documents, *library.kept_out)}
    near = known.get(nearest(identifier, known), "")
    hint = (
        f"did you mean {short(near)}?" if near else "an id is REQ-, LESSON- or BUG- and three to six digits"
    )
    return TroubleError(f"there is no document {short(identifier) or 'without an id'}", hint)
