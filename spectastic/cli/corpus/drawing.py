"""A graph of the corpus as text for Graphviz and for Mermaid.

Nodes have made-up names; what people wrote stands in labels alone, quoted so that it reads there as it was
written, and drives nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import Outcome
from spectastic.spec.model import State
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.engine.citing import Citing, Use
    from spectastic.engine.graph import Graph

#: Longer names are cut.
_LONGEST = 120

_GREEN, _BLUE, _AMBER, _RED, _GREY = "#1a7f37", "#0969da", "#9a6700", "#cf222e", "#6e7781"
#: The border of a decision, by its state.
_STATES = {
    State.GROUNDED: _GREEN,
    State.UNPINNED: _BLUE,
    State.STALE: _AMBER,
    State.UNGROUNDED: _RED,
    State.ASSUMED: _GREY,
}
#: The color of a citation, its line in Graphviz and its arrow in Mermaid, by what it leads to.
_KINDS = {
    "current": (_GREEN, "solid", "-->"),
    "bare": (_BLUE, "dashed", "-.->"),
    "superseded": (_AMBER, "dashed", "-.->"),
    "nothing": (_RED, "dotted", "-.-x"),
}


class _Node(NamedTuple):
    name: str
    lines: tuple[str, ...]
    state: State | None = None


class _Box(NamedTuple):
    name: str
    label: str
    nodes: tuple[_Node, ...]


class _Edge(NamedTuple):
    start: str
    end: str
    lines: tuple[str, ...]
    kind: str


class Drawing(NamedTuple):
    """What is drawn, of a graph: packs and specs are boxes."""

    boxes: tuple[_Box, ...]
    alone: tuple[_Node, ...]
    edges: tuple[_Edge, ...]


def drawing(graph: Graph) -> Drawing:
    """What is drawn of a graph."""
    boxes: list[_Box] = []
    names: dict[str, str] = {}
    for number, (pack, entries) in enumerate(graph.packs, 1):
        nodes = []
        for entry in entries:
            row = entry.row
            names[row.id] = name = f"r{len(names) + 1}"
            nodes.append(_Node(name, (f"{row.id}@{row.edition}", row.title or row.label)))
        boxes.append(_Box(f"p{number}", pack or "no pack", tuple(nodes)))
    alone = []
    for identifier in graph.unregistered:
        names[identifier] = name = f"r{len(names) + 1}"
        alone.append(_Node(name, (identifier, "not registered"), State.UNGROUNDED))
    edges: list[_Edge] = []
    total = 0
    for number, (path, decisions) in enumerate(graph.specs, 1):
        nodes = []
        for decision in decisions:
            total += 1
            nodes.append(_Node(f"d{total}", (_named(decision), decision.state.value), decision.state))
            edges += (_edge(f"d{total}", names[use.id], use) for use in decision.uses)
        boxes.append(_Box(f"s{number}", path, tuple(nodes)))
    return Drawing(tuple(boxes), tuple(alone), tuple(edges))


def _named(decision: Citing) -> str:
    if not decision.inside:
        return "outside of decisions"
    return decision.id or f"line {decision.line}"


def _edge(start: str, end: str, use: Use) -> _Edge:
    if use.outcome is Outcome.CURRENT:
        return _Edge(start, end, (use.edition or "no edition",), "bare" if use.edition is None else "current")
    return _Edge(start, end, (use.edition or "no edition", use.outcome.value), use.outcome.value)


def dot(drawn: Drawing) -> Iterator[str]:
    """For Graphviz."""
    yield "digraph corpus {\n  rankdir=LR;\n  node [shape=box];\n"
    for box in drawn.boxes:
        yield f"  subgraph cluster_{box.name} {{\n    label={_in_dot(box.label)};\n"
        yield from (f"    {_dot_node(node)}" for node in box.nodes)
        yield "  }\n"
    yield from (f"  {_dot_node(node)}" for node in drawn.alone)
    for edge in drawn.edges:
        color, style, _ = _KINDS[edge.kind]
        look = f'color="{color}", style={style}'
        yield f"  {edge.start} -> {edge.end} [label={_in_dot(*edge.lines)}, {look}];\n"
    yield "}\n"


def _dot_node(node: _Node) -> str:
    color = "" if node.state is None else f', color="{_STATES[node.state]}"'
    return f"{node.name} [label={_in_dot(*node.lines)}{color}];\n"


#: Graphviz reads backslashes and character references in a label.
_DOT = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;", "#": "&#35;"})


def _in_dot(*lines: str) -> str:
    return '"' + "\\n".join(_plain(line).translate(_DOT) for line in lines if line) + '"'


def mermaid(drawn: Drawing) -> Iterator[str]:
    """For Mermaid, which many places show that show Markdown."""
    yield "flowchart LR\n"
    for state, color in _STATES.items():
        yield f"  classDef {state.value} stroke:{color}\n"
    for box in drawn.boxes:
        yield f"  subgraph {box.name}[{_in_mermaid(box.label)}]\n"
        yield from (f"    {_mermaid_node(node)}" for node in box.nodes)
        yield "  end\n"
    yield from (f"  {_mermaid_node(node)}" for node in drawn.alone)
    for edge in drawn.edges:
        yield f"  {edge.start} {_KINDS[edge.kind][2]}|{_in_mermaid(*edge.lines)}| {edge.end}\n"
    for kind, (color, _, _) in _KINDS.items():
        if numbers := [str(number) for number, edge in enumerate(drawn.edges) if edge.kind == kind]:
            yield f"  linkStyle {','.join(numbers)} stroke:{color}\n"


def _mermaid_node(node: _Node) -> str:
    state = "" if node.state is None else f":::{node.state.value}"
    return f"{node.name}[{_in_mermaid(*node.lines)}]{state}\n"


#: Mermaid reads Markdown, HTML and codes of its own in a label, and marks the codes by two of these letters.
_READ_BY_MERMAID = re.compile("^[^A-Za-z0-9\x80-\U0010ffff]|[^A-Za-z0-9 @,/\\-\x80-\U0010ffff]|[ﬂ¶]")


def _in_mermaid(*lines: str) -> str:
    shown = (_READ_BY_MERMAID.sub(lambda found: f"#{ord(found[0])};", _plain(line)) for line in lines if line)
    return '"' + "<br/>".join(shown) + '"'


def _plain(text: str) -> str:
    """Somebody's text on one line, and not too long."""
    return printable(short(text, _LONGEST)) or "(blank)"
