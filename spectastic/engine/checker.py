"""One spec: read, resolve, check, suppress."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.rules import PRIOR_ART_RULES, SPEC_RULES, corpus_instruction, file_unreadable
from spectastic.spec import extract

if TYPE_CHECKING:
    from spectastic.corpus import Corpus
    from spectastic.engine.policy import Policy
    from spectastic.findings import Finding, Suppressed
    from spectastic.rules.priors import Priors
    from spectastic.source import Source
    from spectastic.spec.model import Spec


def check_spec(
    source: Source,
    corpus: Corpus,
    *,
    everywhere: bool = False,
    looking: bool = True,
    priors: Priors | None = None,
) -> tuple[Spec, list[Finding]]:
    """Read, resolve and check one spec. `everywhere`: citations outside decisions count as well.

    Without `looking`, nobody looks for what addresses a model: that takes its time. Without `priors`,
    nothing is asked about prior art.
    """
    spec = corpus.settle(extract(source, everywhere=everywhere, looking=looking))
    findings = list(file_unreadable.check_source(source)) if source.problems else []
    if spec.citing or spec.problems:
        for rule in SPEC_RULES:
            findings += rule.check(spec, corpus)
    if priors is not None and (spec.prior_art or priors.kind(spec.path) is not None):
        # Imported here: most specs have nothing to do with prior art.
        from spectastic.spec.page import read

        page = read(source)
        for prior_art_rule in PRIOR_ART_RULES:
            findings += prior_art_rule.check(page, priors)
    return spec, findings


class Checked(NamedTuple):
    """A spec with the findings that count, and those that its comments silence; without locations."""

    spec: Spec
    findings: list[Finding]
    suppressed: list[Suppressed]


class Checker:
    """Checks specs against one corpus, and prior art where there are `priors`, under one policy."""

    __slots__ = ("_everywhere", "_policy", "corpus", "priors")

    def __init__(
        self, corpus: Corpus, policy: Policy, *, everywhere: bool, priors: Priors | None = None
    ) -> None:
        self.corpus = corpus
        self.priors = priors
        self._policy = policy
        self._everywhere = everywhere

    def check(self, source: Source) -> Checked:
        """What is wrong with a spec."""
        looking = self._policy.active(corpus_instruction.RULE.id, source.path)
        spec, findings = check_spec(
            source, self.corpus, everywhere=self._everywhere, looking=looking, priors=self.priors
        )
        suppressed: list[Suppressed] = []
        if findings or spec.suppressions:
            # Imported here: most specs have nothing wrong with them.
            from spectastic.engine import suppress
            from spectastic.fix import applicable

            findings = [applicable(source, finding) for finding in suppress.decision_ids(spec, findings)]
            findings, suppressed = suppress.apply(
                spec, findings, lambda rule: self._policy.active(rule, spec.path)
            )
            findings = list(self._policy.apply(findings))
            suppressed = [
                entry._replace(finding=finding)
                for entry in suppressed
                for finding in self._policy.apply([entry.finding])
            ]
        return Checked(spec, findings, suppressed)
