"""`spectastic ground search`: the rows of a table that answer a query."""

from __future__ import annotations

from spectastic.cli import messages
from spectastic.cli.errors import TroubleError
from spectastic.cli.ground import common

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence
    from typing import Any

    Filters = dict[str, str | list[str]]

#: Those of the engine, which is not imported to parse a command line.
RETRIEVERS = ("bm25", "structured", "hybrid")


def configure(parser: ArgumentParser) -> None:
    """The options of `ground search`."""
    common.add_query(parser)
    common.add_manifest(parser)
    parser.add_argument(
        "-d", "--domain", metavar="D", help="search this domain (default: told from the query)"
    )
    parser.add_argument("-s", "--stack", metavar="S", help="search this stack instead of a domain")
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="COL=VAL",
        help="only rows whose cell holds this text, whatever its case; of several for one column, any",
    )
    parser.add_argument("-n", "--max-results", type=common.limit, metavar="N", help="at most so many rows")
    parser.add_argument(
        "--retriever",
        choices=RETRIEVERS,
        metavar="R",
        help=f"{', '.join(RETRIEVERS)} (default: as the manifest says)",
    )


def run(options: Namespace) -> int:
    """Print the rows, best first; finding none is no failure.

    Raises:
        TroubleError: an option is used wrongly.
    """
    filters = parse_filters(options.filter)
    return common.guarded(options, lambda: _search(options, filters))


def parse_filters(given: Sequence[str]) -> Filters:
    """Filters by column, from `COL=VAL`; several for one column make a list.

    Raises:
        TroubleError: one has no `=`, or names no column.
    """
    found: Filters = {}
    for text in given:
        column, equals, value = text.partition("=")
        common.refuse_nul("a filter", text)
        if not (equals and column):
            raise TroubleError(
                f"--filter '{text}' is not of the form COL=VAL", "write --filter 'Column=text'"
            )
        held = found.get(column)
        if held is None:
            found[column] = value
        else:
            found[column] = [*(held if isinstance(held, list) else [held]), value]
    return found


def _search(options: Namespace, filters: Filters) -> int:
    # Not from `decision_engine`, which imports what a search does without.
    from spectastic.grounding import searching
    from spectastic.grounding.schema_validator import load_manifest

    manifest = load_manifest(options.manifest)
    query = common.query(options, manifest)
    if options.retriever:
        manifest["retriever"] = options.retriever
    limit = {} if options.max_results is None else {"max_results": options.max_results}
    if options.stack is not None:
        if options.domain is not None:
            messages.tell("--domain is left out of account: --stack says which table")
        found = searching.search_stack(manifest, query, options.stack, filters=filters or None, **limit)
    else:
        found = searching.search_domain(manifest, query, options.domain, filters=filters or None, **limit)
    return _told(found, options)


def _told(found: Mapping[str, Any], options: Namespace) -> int:
    if options.json:
        common.write_json(found)
    else:
        from spectastic.cli.ground import page

        page.show(page.search(found))
    return common.failed(options, found)
