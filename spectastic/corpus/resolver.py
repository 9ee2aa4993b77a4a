"""The resolver: what a citation leads to, by the registry and by nothing else (DESIGN section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.listing import Kind, Place
from spectastic.corpus.model import Miss, Outcome, Resolution, says_nothing
from spectastic.corpus.retained import Retained, folder_of
from spectastic.corpus.row_checks import leaves
from spectastic.spec.citation import can_end_at
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable

    from spectastic.corpus.listing import Tree
    from spectastic.corpus.model import Reference, Registry, Row
    from spectastic.spec.model import Citation


class Resolver:
    """Answers citations. Reads directories on the way, and documents only where names do not do."""

    __slots__ = (
        "_answers",
        "_broken",
        "_current",
        "_known",
        "_read",
        "_registry",
        "_retained",
        "_runs",
        "_tree",
        "_trouble",
        "rows",
    )

    def __init__(
        self, tree: Tree, registry: Registry, trouble: str | None, read: Callable[[str], Reference]
    ) -> None:
        """`trouble` says why there is no registry, `None` where there is one; `read` reads a path."""
        self._trouble = trouble
        self._tree = tree
        self._registry = registry
        self._read = read
        self.rows: dict[str, Row] = {}
        for row in registry.rows:
            self.rows.setdefault(row.id, row)
        self._broken: dict[str, str] | None = None
        self._known: dict[tuple[str, bool], _Editions] = {}
        self._current: dict[str, Place] = {}
        self._retained: dict[str, Retained] = {}
        self._answers: dict[tuple[str, str | None], Resolution] = {}
        self._runs: dict[tuple[str, str], str | None] = {}

    def resolve(self, citation: Citation) -> Resolution:
        """The answer to a citation, its edition ended where the longest edition that exists ends."""
        if citation.run is None:
            return self.find(citation.id, citation.edition)
        key = (citation.id, citation.run)
        if key not in self._runs:
            self._runs[key] = self._longest(*key)
        edition = self._runs[key]
        return self.find(citation.id, citation.edition if edition is None else edition)

    def find(self, identifier: str, edition: str | None) -> Resolution:
        """The answer for exactly this edition; for the current one where it is `None`."""
        key = (identifier, edition)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._find(identifier, edition)
        return answer

    def editions(self, identifier: str) -> tuple[str, ...]:
        """The editions that exist: the current one first, then the retained ones, newest name first."""
        row = self.rows.get(identifier)
        if row is None:
            return ()
        current = [row.edition] if self._is_current(row) else []
        retained = {*self._named(row), *self._declared(row)}.difference(current)
        return (*current, *sorted(retained, reverse=True))

    def _find(self, identifier: str, edition: str | None) -> Resolution:
        row = self.rows.get(identifier)
        if row is None:
            return self._unknown(identifier, edition)
        if edition in (None, row.edition) and self._is_current(row):
            return self._led(Outcome.CURRENT, row, row.edition, self._place(row).path)
        if edition is not None:
            path = self._named(row).get(edition) or self._declared(row).get(edition)
            if path is not None:
                return self._led(Outcome.SUPERSEDED, row, edition, path)
        miss, detail = self._miss(row, edition)
        return Resolution(Outcome.NOTHING, identifier, edition, row, "", miss, detail)

    def _led(self, outcome: Outcome, row: Row, edition: str, path: str) -> Resolution:
        """The answer for a document that is there. One that cannot be read leads to nothing."""
        trouble = self._read(path).unreadable
        if trouble:
            return Resolution(Outcome.NOTHING, row.id, edition, row, path, Miss.DOCUMENT_UNREADABLE, trouble)
        return Resolution(outcome, row.id, edition, row, path)

    def _longest(self, identifier: str, run: str) -> str | None:
        """The longest edition of an id that `run` begins with and may end at."""
        row = self.rows.get(identifier)
        if row is None:
            return None
        named = self._editions_of(row, declared=False)
        if run in named.names:
            return run
        return self._editions_of(row, declared=True).longest(run)

    def _editions_of(self, row: Row, *, declared: bool) -> _Editions:
        key = (row.id, declared)
        if key not in self._known:
            names = {*self._named(row), *([row.edition] if self._is_current(row) else [])}
            self._known[key] = _Editions(names.union(self._declared(row)) if declared else names)
        return self._known[key]

    def _is_current(self, row: Row) -> bool:
        return not says_nothing(row.edition) and self._place(row).kind is Kind.FILE

    def _place(self, row: Row) -> Place:
        """Where the document of a row is."""
        place = self._current.get(row.id)
        if place is None:
            place = self._current[row.id] = _written(row) or self._tree.find(row.path)
        return place

    def _named(self, row: Row) -> dict[str, str]:
        retained = self._beside(row)
        return retained.named(row) if retained else {}

    def _declared(self, row: Row) -> dict[str, str]:
        retained = self._beside(row)
        return retained.declared(row) if retained else {}

    def _beside(self, row: Row) -> Retained | None:
        """The retained documents beside the document of a row, whether that exists or not."""
        if _written(row) is not None:
            return None
        folder = folder_of(self._tree, row)
        if not folder:
            return None
        if folder not in self._retained:
            self._retained[folder] = Retained(self._tree, folder, self._read)
        return self._retained[folder]

    def _unknown(self, identifier: str, edition: str | None) -> Resolution:
        if self._trouble is not None:
            return Resolution(Outcome.NOTHING, identifier, edition, None, "", Miss.NO_REGISTRY, self._trouble)
        if self._broken is None:
            self._broken = _first_messages(self._registry)
        detail = self._broken.get(identifier, "")
        return Resolution(Outcome.NOTHING, identifier, edition, None, "", Miss.NO_SUCH_ID, detail)

    def _miss(self, row: Row, edition: str | None) -> tuple[Miss, str]:
        if edition not in (None, row.edition):
            return Miss.NO_SUCH_EDITION, ""
        if says_nothing(row.edition):
            return Miss.NO_SUCH_EDITION, "its row names no edition"
        place = self._place(row)
        miss = Miss.OUTSIDE_CORPUS if place.kind is Kind.OUTSIDE else Miss.DOCUMENT_MISSING
        return miss, place.detail or f"{short(place.path)} is a folder"


class _Editions:
    """The editions of one id. A long run is held to the few of them, not cut in its many ways."""

    __slots__ = ("_lengths", "names")

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self._lengths = sorted({len(name) for name in names}, reverse=True)

    def longest(self, run: str) -> str | None:
        """The longest edition that `run` begins with and may end at."""
        for length in self._lengths:
            if length <= len(run) and run[:length] in self.names and can_end_at(run, length):
                return run[:length]
        return None


def _written(row: Row) -> Place | None:
    """The verdict on a path that its spelling alone decides."""
    if not row.path:
        return Place(Kind.MISSING, "", "its row has no Path")
    if leaves(row.path):
        return Place(Kind.OUTSIDE, "", short(row.path))
    return None


def _first_messages(registry: Registry) -> dict[str, str]:
    """What the reader said about rows that do not count, by id."""
    messages: dict[str, str] = {}
    for problem in registry.problems:
        messages.setdefault(problem.subject, problem.message)
    messages.pop("", None)
    return messages
