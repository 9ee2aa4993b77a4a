"""What the explorer shows: every registered reference, its editions, and what cites them."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.body import document, hash_state
from spectastic.corpus.catalog import catalog
from spectastic.corpus.changes import compare
from spectastic.corpus.model import Outcome
from spectastic.engine.citing import counted, every_decision, pairs
from spectastic.engine.pipeline import CHUNK, processes
from spectastic.engine.policy import Policy
from spectastic.explorer import clean
from spectastic.rules.common import stated
from spectastic.rules.corpus_license import permissive
from spectastic.spread import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.corpus.catalog import Entry
    from spectastic.corpus.changes import Piece
    from spectastic.corpus.model import Reference
    from spectastic.engine.citing import Pair
    from spectastic.engine.pipeline import Progress
    from spectastic.source import Unreadable
    from spectastic.spec.model import State

#: Of more editions than this, only neighbours and the current one are compared.
_ALL_PAIRS = 6


class Edition(NamedTuple):
    """One edition of a reference: its document, and its text as written and as safe HTML.

    `hash` is a word of `corpus.body.hash_state`. `license` is the one declared, and `permissive` what
    `corpus-license` says of it, `None` where nothing is declared.
    """

    name: str
    outcome: Outcome
    reference: Reference
    hash: str
    license: str
    permissive: bool | None
    text: str
    html: str


class Shown(NamedTuple):
    """A registered reference.

    `editions` are in the order of `Corpus.editions`, the current one first where there is one. `changes`
    holds the pieces between two editions, by (older, newer) name. `citing` are the decisions that cite it,
    with the citation.
    """

    entry: Entry
    editions: tuple[Edition, ...]
    changes: Mapping[tuple[str, str], list[Piece]]
    citing: tuple[Pair, ...]


class Explorer(NamedTuple):
    """All that the page shows. `dead` are the citations that lead to nothing, `states` counts decisions.

    `unread` are specs that are left out, `damaged` those read in part.
    """

    corpus: Corpus
    policy: Policy
    references: tuple[Shown, ...]
    dead: tuple[Pair, ...]
    states: Mapping[State, int]
    specs: int
    unread: tuple[Unreadable, ...]
    damaged: tuple[Unreadable, ...]


def gather(settings: Settings, corpus: Corpus, progress: Progress | None = None) -> Explorer:
    """Read the corpus and the specs. Bodies are rendered and cleaned, see `clean`.

    `progress` is told (done, total) specs and references now and then, the last time with all of them.
    """
    entries = tuple(catalog(corpus))

    def told(specs: int, all_specs: int, references: int = 0) -> None:
        if progress is not None:
            progress(specs + references, all_specs + len(entries))

    cited = every_decision(settings, corpus, told)
    citing: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs(cited):
        citing[pair[1].id].append(pair)
    documents = _all_documents(entries, corpus, settings, partial(told, cited.specs, cited.specs))
    dead = (pair for found in citing.values() for pair in found if pair[1].outcome is Outcome.NOTHING)
    return Explorer(
        corpus,
        Policy(settings),
        tuple(
            Shown(entry, *documents[entry.row.id], tuple(citing.get(entry.row.id, ()))) for entry in entries
        ),
        tuple(sorted(dead, key=lambda pair: (pair[0].path, pair[1].line, pair[1].column))),
        counted(cited),
        cited.specs,
        cited.unread,
        cited.damaged,
    )


class _Documents(NamedTuple):
    """The editions of a reference, and what changed between them."""

    editions: tuple[Edition, ...]
    changes: dict[tuple[str, str], list[Piece]]


def _all_documents(
    entries: Sequence[Entry], corpus: Corpus, settings: Settings, told: Callable[[int], None]
) -> dict[str, _Documents]:
    """The documents of all references, by id; `told` gets how many are done. This takes the longest."""

    def work(chunk: Sequence[Entry]) -> list[tuple[str, _Documents]]:
        return [(entry.row.id, _documents(entry, corpus)) for entry in chunk]

    chunks = [entries[start : start + CHUNK] for start in range(0, len(entries), CHUNK)]
    jobs = processes(settings.jobs, len(entries))
    found: dict[str, _Documents] = {}
    for part in spread(work, chunks, jobs) if jobs > 1 else map(work, chunks):
        found.update(part)
        told(len(found))
    return found


def _documents(entry: Entry, corpus: Corpus) -> _Documents:
    editions = tuple(_editions(entry, corpus))
    changes = {
        (older.name, newer.name): compare(older.text, newer.text) for newer, older in _compared(editions)
    }
    return _Documents(editions, changes)


def _editions(entry: Entry, corpus: Corpus) -> Iterator[Edition]:
    extra = frozenset(name.lower() for name in corpus.licenses)
    for name in entry.editions:
        found = corpus.find(entry.row.id, name)
        read = document(corpus, found)
        if read is not None:
            reference, body = read
            declared = stated(reference, "license")
            verdict = permissive(declared, extra) if declared else None
            html = clean.reachable(clean.markdown(body.text))
            state = hash_state(reference)
            yield Edition(name, found.outcome, reference, state, declared, verdict, body.text, html)


def _compared(editions: tuple[Edition, ...]) -> Iterator[tuple[Edition, Edition]]:
    """The pairs of editions that somebody may want to compare, the newer one first."""
    for at, newer in enumerate(editions):
        for distance, older in enumerate(editions[at + 1 :], start=1):
            if len(editions) <= _ALL_PAIRS or distance == 1 or at == 0:
                yield newer, older
