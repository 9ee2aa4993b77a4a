"""The shapes a rule module can have. A rule says what it saw and where, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding, Rule
    from spectastic.spec.model import Spec


class SpecRule(Protocol):
    """A rule about one spec; `corpus` answers its citations."""

    RULE: Rule

    def check(self, spec: Spec, corpus: Corpus, /) -> Iterator[Finding]:
        """What the rule finds in `spec`."""
        ...


class CorpusRule(Protocol):
    """A rule about the corpus itself."""

    RULE: Rule

    def check(self, corpus: Corpus, /) -> Iterator[Finding]:
        """What the rule finds in `corpus`."""
        ...


class HistoryRule(Protocol):
    """A rule about what has become of the corpus; `base` is the corpus at a base revision."""

    RULE: Rule

    def check(self, corpus: Corpus, base: Corpus, /) -> Iterator[Finding]:
        """What the rule finds in `corpus`, compared with `base`."""
        ...
