"""Which decisions cite what: the specs are walked and read as `validate` does."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import Outcome
from spectastic.discover import discover
from spectastic.engine.pipeline import CHUNK, processes
from spectastic.source import Source, Unreadable, read
from spectastic.spec import extract
from spectastic.spec.model import State
from spectastic.spread import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.engine.pipeline import Progress
    from spectastic.spec.model import Decision

#: What may vanish between two characters that a reader sees: all but letters, digits, blanks and these.
_MAYBE_MARKUP = r"[^A-Za-z0-9\s.,;:/?%@)-]"
#: Nobody registers a longer id, and a pattern for it would be too deep.
_MAX_ID = 40


class Use(NamedTuple):
    """A citation, where its decision has it first, and what it leads to.

    `edition` is the pin, `None` for a bare one; `lands` the edition that it leads to, `""` where it
    leads to nothing.
    """

    text: str
    id: str
    edition: str | None
    outcome: Outcome
    lands: str
    line: int
    column: int

    @property
    def state(self) -> State:
        """The state of a decision that cites this and nothing else, as far as the corpus has a say."""
        if self.outcome is Outcome.CURRENT:
            return State.UNPINNED if self.edition is None else State.GROUNDED
        return State.STALE if self.outcome is Outcome.SUPERSEDED else State.UNGROUNDED


class Citing(NamedTuple):
    """A decision and what it cites, each citation once. `line` is that of its start tag.

    `id` is `None` where it has none. Where text outside of decisions counts too (`citation-scope`), it is
    one more for each spec, and not `inside`.
    """

    path: str
    id: str | None
    line: int
    state: State
    uses: tuple[Use, ...]
    inside: bool = True


class Citations(NamedTuple):
    """What was found, by path and place; how many specs there are, and those that nobody can read.

    `damaged` are read in part: they are no text as it should be.
    """

    decisions: tuple[Citing, ...]
    specs: int
    unread: tuple[Unreadable, ...]
    damaged: tuple[Unreadable, ...] = ()


def every_decision(settings: Settings, corpus: Corpus, progress: Progress | None = None) -> Citations:
    """All decisions of all specs, whatever they cite. `progress` is told (done, total) files now and then."""
    return _walk(settings, corpus, "", lambda _: True, progress)


def citing(settings: Settings, corpus: Corpus, identifier: str) -> Citations:
    """The decisions that cite an id, with their citations of it and no others."""
    return _walk(settings, corpus, identifier, mentions(identifier))


def mentions(identifier: str) -> Callable[[bytes], bool]:
    r"""A function that says whether the bytes of a file may cite an id. Only a yes can be wrong.

    Markup inside of a citation is not seen, as in `KB-00<b>01</b>` or `KB\-0001`: then something that may
    be markup stands right behind its beginning. Or a character of it is an escape, `&#75;B-0001`.
    """
    if len(identifier) > _MAX_ID:
        return lambda _: True
    whole = identifier.encode()
    beginning = ""
    for character in reversed(identifier[1:-1]):
        beginning = f"(?:{character}{beginning})?"
    divided = re.compile(f"{identifier[0]}{beginning}{_MAYBE_MARKUP}".encode())

    def found(data: bytes) -> bool:
        return whole in data or b"&#" in data or divided.search(data) is not None

    return found


class _Part(NamedTuple):
    """What some specs gave."""

    decisions: list[Citing]
    unread: list[Unreadable]
    damaged: list[Unreadable]


def _walk(
    settings: Settings,
    corpus: Corpus,
    identifier: str,
    wanted: Callable[[bytes], bool],
    progress: Progress | None = None,
) -> Citations:
    found = discover(settings)
    paths = found.specs

    def work(chunk: Iterable[str]) -> _Part:
        return _read(chunk, settings, corpus, identifier, wanted)

    jobs = processes(settings.jobs, len(paths))
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    # The registry is read once, before the processes part.
    parts = []
    for part in spread(work, chunks, jobs) if jobs > 1 and corpus.rows else map(work, chunks):
        parts.append(part)
        if progress is not None:
            progress(min(len(parts) * CHUNK, len(paths)), len(paths))
    decisions = [decision for part in parts for decision in part.decisions]
    unread = [*found.unreadable, *(trouble for part in parts for trouble in part.unread)]
    # Within a spec they are in order already.
    decisions.sort(key=lambda decision: os.fsencode(decision.path))
    damaged = [trouble for part in parts for trouble in part.damaged]
    for troubles in (unread, damaged):
        troubles.sort(key=lambda trouble: os.fsencode(trouble.path))
    return Citations(tuple(decisions), len(paths), tuple(unread), tuple(damaged))


def _read(
    paths: Iterable[str],
    settings: Settings,
    corpus: Corpus,
    identifier: str,
    wanted: Callable[[bytes], bool],
) -> _Part:
    part = _Part([], [], [])
    for path in paths:
        source = read(settings.root, path)
        if isinstance(source, Unreadable):
            part.unread.append(source)
            continue
        if source.problems:
            problem = source.problems[0]
            part.damaged.append(Unreadable(path, problem.message, problem.hint))
        if wanted(source.encoded):
            spec = corpus.settle(extract(source, everywhere=settings.citation_scope == "document"))
            for decision in spec.citing:
                inside = decision is not spec.loose
                uses = tuple(_uses(decision, source, corpus, identifier))
                if uses or (inside and not identifier):
                    line = source.line_of(decision.span.start) if inside else 0
                    state = corpus.state(decision)
                    part.decisions.append(Citing(path, decision.id, line, state, uses, inside))
    return part


def _uses(decision: Decision, source: Source, corpus: Corpus, identifier: str) -> Iterator[Use]:
    """The citations of an id, of any where it is `""`, each where it comes first."""
    seen: set[str] = set()
    for citation in decision.citations:
        if identifier in ("", citation.id) and citation.text not in seen:
            seen.add(citation.text)
            to = corpus.resolve(citation)
            lands = "" if to.outcome is Outcome.NOTHING else to.edition or ""
            place = source.locate(citation.span)
            yield Use(
                citation.text, citation.id, citation.edition, to.outcome, lands, place.line, place.column
            )


#: A citation and the decision that it stands in.
Pair = tuple[Citing, Use]


def pairs(cited: Citations) -> list[Pair]:
    """Every citation with its decision, by path and place."""
    found = [(decision, use) for decision in cited.decisions for use in decision.uses]
    found.sort(key=_place)
    return found


def _place(pair: Pair) -> tuple[bytes, int, int]:
    return os.fsencode(pair[0].path), pair[1].line, pair[1].column


def counted(cited: Citations) -> dict[State, int]:
    """How many decisions there are in each state, every state named. What is cited around them is none."""
    states = dict.fromkeys(State, 0)
    for decision in cited.decisions:
        states[decision.state] += decision.inside
    return states


class Impact(NamedTuple):
    """The decisions that cite a reference, by what a new edition of it would do to them.

    `pinned` pin the edition that is current now: they would turn stale, if they are no worse already.
    `bare` name no edition: they would move on to the new one, and nobody would notice. For `other` nothing
    changes. Each comes with the citation that says so.
    """

    pinned: tuple[Pair, ...]
    bare: tuple[Pair, ...]
    other: tuple[Pair, ...]


def impact(cited: Citations) -> Impact:
    """What a new edition would do to the decisions that `citing` found, each counted once."""
    groups: tuple[list[Pair], ...] = ([], [], [])
    for decision in cited.decisions:
        group, use = min(((_group(use), use) for use in decision.uses), key=lambda pair: pair[0])
        groups[group].append((decision, use))
    return Impact(*(tuple(sorted(group, key=_place)) for group in groups))


def _group(use: Use) -> int:
    if use.edition is None:
        return 1
    return 0 if use.outcome is Outcome.CURRENT else 2


def state_after(decision: Citing) -> State:
    """What a decision that pins the current edition would be after it was superseded."""
    return State.UNGROUNDED if decision.state is State.UNGROUNDED else State.STALE
