"""Where a new document belongs: the five fields that it is filed under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import asking, messages, retrieve, retrieved
from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError
from spectastic.retrieval.model import FIELDS, MANY
from spectastic.retrieval.query import Query, of
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import Namespace

    from spectastic.retrieval.model import Library

_NO_QUERY = (
    "give --component, --domain, --stack, --concerns or --tags, or --from SPEC, or --query FILE.json;"
    ' an empty one (--tags "") says that there is none'
)


def query_for(options: Namespace, library: Library, title: str) -> Query:
    """The fields of the document: those that are given, else those that somebody at a terminal answers."""
    given = [field for field in FIELDS if getattr(options, field) is not None]
    if options.query is None and options.source is None:
        if not given and common.asks(options):
            return _asked(library, title)
        if not given:
            raise TroubleError("it is not said where it belongs", _NO_QUERY)
        if not any(getattr(options, field) for field in given):
            return Query()
    return asking.query_of(options, library).query


def _asked(library: Library, title: str) -> Query:
    """What somebody answers to a proposal that the title makes."""
    from spectastic.retrieval import fulltext, scoring, vocabulary

    days = scoring.dated(library.documents, retrieve.file_dates(library))
    found = fulltext.alike(library.root, library.documents, title, days)
    proposed = vocabulary.propose(title, found, vocabulary.of(library.documents)).as_json()
    messages.tell("where it belongs (Enter takes what is in brackets, - leaves it empty, lists take commas)")
    values: dict[str, str | tuple[str, ...]] = {}
    for field in FIELDS:
        value = proposed[field]
        default = ",".join(value) if isinstance(value, list) else str(value)
        answer = common.ask(f"{field} [{default}]" if default else field) or default
        answer = "" if answer == "-" else answer
        values[field] = tuple(answer.split(",")) if field in MANY else answer
    return of(values)


def settled(options: Namespace, library: Library, query: Query) -> Query:
    """The query, once it is said which of its values no document has, before anything is written.

    Somebody at a terminal may take the value that was perhaps meant.
    """
    from spectastic.retrieval import vocabulary

    # What a draft is filed under is in use, though a draft takes no part in retrieval.
    unknown = vocabulary.unknown(query, vocabulary.of((*library.documents, *library.kept_out)))
    retrieved.tell_unknown(unknown)
    if not common.asks(options):
        return query
    taken: dict[tuple[str, str], str] = {}
    for item in unknown:
        question = f"take the {retrieved.noun(item.field)} {short(item.near)} instead? [y/N]"
        if item.near and common.ask(question).lower() in common.YES:
            taken[item.field, item.value] = item.near
    return query.replaced(taken)
