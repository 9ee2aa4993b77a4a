"""The shapes a rule module can have. A rule says what it saw and where, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding, Rule
    from spectastic.rules.priors import Priors
    from spectastic.spec.model import Spec
    from spectastic.spec.page import Page


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


class PriorArtRule(Protocol):
    """A rule about what one spec, or a document of prior art, was built on; `priors` knows what there is."""

    RULE: Rule

    def check(self, page: Page, priors: Priors, /) -> Iterator[Finding]:
        """What the rule finds in `page`."""
        ...


class LifecycleRule(Protocol):
    """A rule about the files that move specs through their lifecycle."""

    RULE: Rule

    def check(self, priors: Priors, told: Collection[str], /) -> Iterator[Finding]:
        """What the rule finds; `told` are the subjects of its findings in specs."""
        ...


class HistoryRule(Protocol):
    """A rule about what has become of the corpus; `base` is the corpus at a base revision."""

    RULE: Rule

    def check(self, corpus: Corpus, base: Corpus, /) -> Iterator[Finding]:
        """What the rule finds in `corpus`, compared with `base`."""
        ...
