"""What `spectastic retrieve` is asked for: the query, and the day after which documents count."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.cli import looked, named
from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from spectastic.retrieval.dates import Dated
    from spectastic.retrieval.model import Document, Library
    from spectastic.retrieval.query import Query

    FileDates = Callable[[Sequence[Document]], Mapping[str, Dated]]

_WAYS = (
    "give --component, --domain, --stack, --concerns or --tags, or --from SPEC, or --query FILE.json;"
    ' --suggest "one sentence" proposes values'
)

#: What is written like an id, and may be none: `BUG-02`, `lesson-7`, `REQ12`.
_LIKE_ID = re.compile(r"(?P<prefix>(?i:REQ|LESSON|BUG))[-_ ]?(?P<number>[0-9]{1,9})[A-Za-z]?")
_LIKE_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_SINCE = "name the id of a document (REQ-012), a day (2026-01-31) or a revision (a commit, a branch, a tag)"


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
        return next(iter(_with(options.since or "", library)), None)
    if not os.path.exists(options.source):
        known = _with(options.source, library)
        if known or _LIKE_ID.fullmatch(options.source):
            return (known or documents(options.source, library))[0]
    data = common.text_file(options.source)
    path = common.place(library.root, options.source) or options.source
    found = parse(data, Kind.SPEC, path)
    if isinstance(found, Unreadable):
        raise TroubleError(f"{options.source}: {found.message}", found.hint)
    return found.document


def _query_file(path: str) -> dict[str, str | tuple[str, ...]]:
    from spectastic.retrieval.query import QueryError, from_json

    found = named.source(path)
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
    if is_id(named) or _with(named, library):
        document = documents(named, library)[0]
        made = own(document, ("created", "updated")) or dates([document]).get(document.path, UNDATED)
        return made.day
    try:
        return of_seconds(git.date(library.root, git.commit(library.root, named)))
    except git.GitError as error:
        # A branch may be called bug-12: only what is none is taken for an id.
        if _LIKE_ID.fullmatch(named):
            raise no_document(named, library) from error
        if _LIKE_DATE.fullmatch(named):
            raise TroubleError(f"--since: {named} is no day of the calendar", _SINCE) from error
        raise TroubleError(f"--since: {error.message}", _since_hint(error.hint)) from error


def _since_hint(of_git: str) -> str:
    """What git says that helps is said; that of a revision alone would hide the other two forms."""
    return of_git if of_git and not of_git.startswith("name a commit") else _SINCE


def documents(identifier: str, library: Library) -> Sequence[Document]:
    """All documents with an id: one, unless two have the same.

    Raises:
        TroubleError: none has it.
    """
    found = _with(identifier, library)
    if not found:
        raise no_document(identifier, library)
    return found


def _with(identifier: str, library: Library) -> Sequence[Document]:
    return [each for each in (*library.documents, *library.kept_out) if each.id == identifier]


def no_document(identifier: str, library: Library) -> TroubleError:
    """The error for an id that no document has, or one that cannot be read."""
    from spectastic.retrieval.reasons import unreadable
    from spectastic.text import short

    for item in unreadable(library, identifier):
        hint = item.hint or "repair the file, and try again"
        return TroubleError(f"{identifier} ({short(item.path, 200)}) cannot be read: {item.message}", hint)
    return TroubleError(
        f"there is no document {short(identifier) or 'without an id'}", _meant(identifier, library)
    )


def _meant(identifier: str, library: Library) -> str:
    """What helps where there is no document with an id."""
    from spectastic.retrieval.links import is_id
    from spectastic.retrieval.model import PREFIXES
    from spectastic.text import nearest, short

    ids = [document.id for document in (*library.documents, *library.kept_out)]
    known = {each.lower(): each for each in ids}
    near = _same(identifier, ids) or known.get(nearest(identifier, known), "")
    if near:
        return f"did you mean {short(near)}?"
    if not is_id(identifier):
        return "an id is REQ-, LESSON- or BUG- and three to six digits"
    prefix = identifier.partition("-")[0]
    kind = next(kind for kind in PREFIXES if PREFIXES[kind] == prefix)
    numbers = {int(each.partition("-")[2]): each for each in ids if is_id(each) and each.startswith(prefix)}
    if not numbers:
        return looked.hint(library) or f"there are no {kind.plural} in {looked.folder(library)}"
    last = numbers[max(numbers)]
    return f"the last one is {last}; `spectastic retrieve --text WORDS` finds one by its words"


def _same(identifier: str, ids: Iterable[str]) -> str:
    """The id that has the same number, written in another way: `BUG-02`, `bug_2`. "" where there is none."""
    asked = _LIKE_ID.fullmatch(identifier)
    for each in ids if asked else ():
        found = _LIKE_ID.fullmatch(each)
        if found and asked and _key(found) == _key(asked):
            return each
    return ""


def _key(found: re.Match[str]) -> tuple[str, int]:
    return found["prefix"].upper(), int(found["number"])
