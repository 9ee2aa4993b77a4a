"""`spectastic corpus search`: references by words of their titles and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import OK, TroubleError
from spectastic.cli.parser import whole_number
from spectastic.report.view import amount

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator

    from spectastic.corpus.search import Found, Hit

_RESULTS = 10
_NAMED = 5
_MARGIN = " " * 9


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus search`."""
    common.add_common(parser)
    parser.add_argument("query", nargs="+", metavar="QUERY", help="words to look for")
    parser.add_argument("--all", action="store_true", help="look into superseded editions too")
    parser.add_argument(
        "--max-results",
        type=_number,
        default=_RESULTS,
        metavar="N",
        help=f"print at most so many (default: {_RESULTS})",
    )


def run(options: Namespace) -> int:
    """Print the references that answer a query, best first; finding none is no failure.

    Raises:
        TroubleError: there is nothing to look for or no corpus, or the configuration is wrong.
    """
    from spectastic.corpus.search import search

    settings, corpus = reading.load(options)
    query = " ".join(options.query)
    found = search(corpus, query, superseded=options.all, limit=options.max_results)
    if not found.words:
        raise TroubleError(
            "the query has no word of three or more letters or digits",
            "shorter words are not looked for: write them out",
        )
    if options.json:
        reading.write_json(options, _as_json(found, query))
    else:
        streams.write(_lines(found, reading.places(settings)))
    messages.tell(*_notes(found, options))
    return OK


def _lines(found: Found, place: Callable[[str], str]) -> Iterator[str]:
    for hit in found.hits:
        at = hit.resolution
        yield from reading.columns([(f"{hit.score:7.3f}", f"{at.id}@{at.edition}", hit.title)])
        where = f"{place(at.path)}:{hit.line}" if hit.line else f"{place(at.path)} (by its title)"
        yield f"{_MARGIN}{where}\n"
        if hit.excerpt:
            yield from reading.columns([(hit.excerpt,)], _MARGIN, fit=True)


def _notes(found: Found, options: Namespace) -> Iterator[str]:
    if found.dropped:
        yield f"too short to be looked for: {' '.join(found.dropped)}"
    if not found.hits:
        yield f"nothing in {amount(found.searched, 'document')}"
        if not options.all:
            yield "--all looks into superseded editions too"
    elif found.total > len(found.hits):
        yield f"{found.total - len(found.hits):,} more: --max-results shows them"
    if found.unread:
        more = f" and {len(found.unread) - _NAMED:,} more" if len(found.unread) > _NAMED else ""
        yield f"not searched, because they lead to no document: {', '.join(found.unread[:_NAMED])}{more}"


def _as_json(found: Found, query: str) -> dict[str, object]:
    return {
        "query": query,
        "tokens_used": list(found.words),
        "tokens_dropped": list(found.dropped),
        "searched": found.searched,
        "total": found.total,
        "unread": list(found.unread),
        "results": [_hit_as_json(hit) for hit in found.hits],
    }


def _hit_as_json(hit: Hit) -> dict[str, object]:
    return {
        "score": hit.score,
        "id": hit.resolution.id,
        "edition": hit.resolution.edition,
        "outcome": hit.resolution.outcome.value,
        "title": hit.title,
        "path": hit.resolution.path,
        "line": hit.line or None,
        "excerpt": hit.excerpt or None,
        "matched_terms": list(hit.words),
    }


def _number(text: str) -> int:
    return whole_number(text, "is no number of results")
