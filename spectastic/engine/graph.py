"""The corpus and the specs as a graph: packs, references, decisions, and what cites what."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.catalog import catalog
from spectastic.engine.citing import every_decision

if TYPE_CHECKING:
    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.corpus.catalog import Entry
    from spectastic.engine.citing import Citing
    from spectastic.source import Unreadable


class Graph(NamedTuple):
    """`packs` are folders with their references, `specs` paths with their decisions.

    `unregistered` are ids that are cited and have no row. Everything is in order: packs by name, references
    as in the registry, specs by path.
    """

    packs: tuple[tuple[str, tuple[Entry, ...]], ...]
    specs: tuple[tuple[str, tuple[Citing, ...]], ...]
    unregistered: tuple[str, ...]
    unread: tuple[Unreadable, ...]


def graph(settings: Settings, corpus: Corpus) -> Graph:
    """All that there is. Specs without a decision are left out."""
    entries = sorted(catalog(corpus), key=lambda entry: entry.pack)
    found = every_decision(settings, corpus)
    cited = {use.id for decision in found.decisions for use in decision.uses}
    return Graph(
        packs=tuple((name, tuple(group)) for name, group in groupby(entries, lambda entry: entry.pack)),
        specs=tuple(
            (path, tuple(group)) for path, group in groupby(found.decisions, lambda decision: decision.path)
        ),
        unregistered=tuple(sorted(cited - corpus.rows.keys())),
        unread=found.unread,
    )
