"""What a scanner finds in a spec: decisions, and the citations in them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from spectastic.findings import Problem, Span


class Malformed(NamedTuple):
    """A near miss: what an author meant as a citation and no resolver can read.

    `span` is the token, `at` the part of it that is wrong (the same span where all of it is).
    `message` says what is wrong. `suggestion` is the exact token to write, where that is certain.
    """

    text: str
    span: Span
    at: Span
    message: str
    suggestion: str | None


class Citation(NamedTuple):
    """A well-formed token: `KB-0001` or `KB-0001@2024-05-28`.

    `edition` is `None` for a bare one. Where the token ends can depend on which editions exist,
    so `run` keeps everything that could belong to the edition, and `ends[i]` the file offset
    just after `run[i]` (an empty `ends` means one byte per character, as it stands in the file).
    `spelling` says what is odd about the edition's characters: a citation that resolves may be
    spelled so, one that resolves to nothing is a near miss.
    """

    id: str
    edition: str | None
    span: Span
    run: str | None = None
    ends: tuple[int, ...] = ()
    spelling: Malformed | None = None

    @property
    def text(self) -> str:
        """The citation as its author would write it."""
        return self.id if self.edition is None else f"{self.id}@{self.edition}"

    def ending_with(self, edition: str) -> Citation:
        """The same citation, read so that its edition is `edition`, a beginning of `run`."""
        if self.run is None or edition == self.edition:
            return self
        return self._replace(edition=edition, span=Span(self.span.start, self.after(len(edition))))

    def after(self, length: int) -> int:
        """The file offset just behind the first `length` (at least one) characters of `run`."""
        plain = self.span.start + len(self.id) + 1 + length
        return self.ends[length - 1] if self.ends else plain


class Decision(NamedTuple):
    """One `<spec-decision>` element: `span` is its start tag, `extent` all of it.

    Citations of a nested decision belong to the nested one alone. A decision that is never closed
    reaches to the end of the file.
    """

    id: str | None
    grounding: str | None
    span: Span
    citations: tuple[Citation, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    extent: Span = Span(0, 0)

    @property
    def written(self) -> list[Citation | Malformed]:
        """The citations and the near misses, in order."""
        items: list[Citation | Malformed] = [*self.citations, *self.malformed]
        return sorted(items, key=lambda item: item.span)

    def only(self, item: Citation | Malformed) -> Decision:
        """The decision if it had this citation, or this near miss, and no other."""
        citations, malformed = ((item,), ()) if isinstance(item, Citation) else ((), (item,))
        return self._replace(citations=citations, malformed=malformed)


class Suppression(NamedTuple):
    """A comment that silences rules: `<!-- spectastic: ignore RULE -- reason -->`.

    `span` is the comment, `scope` the bytes of the file in which findings are silenced; with
    `whole_file` also those about the file as such. `rules` are the names as written, each with its
    place. `problem` says why the comment silences nothing, whatever its rules: no reason, no rule, a
    word that is not understood.
    """

    span: Span
    scope: Span
    rules: tuple[tuple[str, Span], ...] = ()
    reason: str = ""
    problem: Problem | None = None
    whole_file: bool = False


class Spec(NamedTuple):
    """A spec, read. `loose` holds what is cited outside decisions, when that is asked for.

    `addressing` is what speaks to a model in the text of a decision, when that is asked for. `prior_art`
    tells whether the text may say what it was built on, or which statuses are retrieved.
    """

    path: str
    decisions: tuple[Decision, ...] = ()
    loose: Decision | None = None
    problems: tuple[Problem, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    addressing: tuple[Problem, ...] = ()
    prior_art: bool = False

    @property
    def citing(self) -> tuple[Decision, ...]:
        """Every place that cites: the decisions, and the text around them where that counts."""
        return self.decisions if self.loose is None else (*self.decisions, self.loose)


class State(Enum):
    """The grounding state of a decision, worst first."""

    UNGROUNDED = "ungrounded"
    STALE = "stale"
    UNPINNED = "unpinned"
    GROUNDED = "grounded"
    ASSUMED = "assumed"
