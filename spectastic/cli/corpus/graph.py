"""`spectastic corpus graph`: which decisions cite which references, as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import OK, TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.engine.citing import Citing
    from spectastic.engine.graph import Graph

_FORMATS = ("dot", "mermaid", "json")


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus graph`."""
    common.add_common(parser)
    parser.add_argument(
        "--format", choices=_FORMATS, metavar="FORMAT", help=f"{', '.join(_FORMATS)} (default: dot)"
    )


def run(options: Namespace) -> int:
    """Print the graph.

    Raises:
        TroubleError: there is no corpus, or the usage or the configuration is wrong.
    """
    from spectastic.engine.graph import graph

    if options.json and options.format not in (None, "json"):
        raise TroubleError(f"--json and --format {options.format} cannot be used together")
    settings, corpus = reading.load(options)
    found = graph(settings, corpus)
    if options.json or options.format == "json":
        reading.write_json(options, _as_json(found))
    else:
        from spectastic.cli.corpus import drawing

        draw = drawing.mermaid if options.format == "mermaid" else drawing.dot
        streams.write(draw(drawing.drawing(found)))
    reading.tell_unread(found.unread)
    return OK


def _as_json(graph: Graph) -> dict[str, object]:
    return {
        "packs": [
            {"name": name, "references": [entry.row.id for entry in entries]} for name, entries in graph.packs
        ],
        "references": [reading.entry_as_json(entry) for _, entries in graph.packs for entry in entries],
        "unregistered": list(graph.unregistered),
        "specs": [
            {"path": path, "decisions": [_decision(decision) for decision in decisions]}
            for path, decisions in graph.specs
        ],
    }


def _decision(decision: Citing) -> dict[str, object]:
    return {
        "decision": decision.id,
        "decision_line": decision.line or None,
        "inside": decision.inside,
        "state": decision.state.value,
        "citations": [
            {"line": use.line, "column": use.column, **reading.citation_as_json(use)} for use in decision.uses
        ],
    }
