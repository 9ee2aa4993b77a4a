"""spectastic proves that every citation in a spec leads to committed text at exactly that edition.

The public API: `validate(root)` gives a `Report`. Nothing here prints, keeps state or exits.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.findings import Edit, Finding, Fix, Location, Related, Rule, Severity, Span, Suppressed
    from spectastic.report.model import Report
    from spectastic.spec.model import Citation, Decision, Spec, State

__version__ = "0.1.0"

__all__ = [
    "Citation",
    "Corpus",
    "Decision",
    "Edit",
    "Finding",
    "Fix",
    "Location",
    "Related",
    "Report",
    "Rule",
    "Settings",
    "Severity",
    "Span",
    "Spec",
    "State",
    "Suppressed",
    "__version__",
    "load_corpus",
    "validate",
]

#: Names that are imported when they are first asked for: a command pays for what it uses.
_LATER = {
    "Citation": "spectastic.spec.model",
    "Corpus": "spectastic.corpus",
    "Decision": "spectastic.spec.model",
    "Report": "spectastic.report.model",
    "Settings": "spectastic.config",
    "Spec": "spectastic.spec.model",
    "State": "spectastic.spec.model",
    **dict.fromkeys(
        ("Edit", "Finding", "Fix", "Location", "Related", "Rule", "Severity", "Span", "Suppressed"),
        "spectastic.findings",
    ),
}


def validate(
    root: str | os.PathLike[str] = ".",
    paths: Iterable[str | os.PathLike[str]] = (),
    *,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    settings: Mapping[str, object] | None = None,
    progress: Callable[[int, int], None] | None = None,
    base: str = "",
    since: str = "",
) -> Report:
    """Check the repository at `root`.

    Args:
        root: the repository's root folder; its `spectastic.toml` or `pyproject.toml` applies.
        paths: files or folders to check, relative to `root`; all of it when there are none.
        config: another configuration file.
        isolated: ignore configuration files.
        settings: settings by name, as in the configuration file, which win over the file. One process
            does the work unless `jobs` says otherwise: forking is not for programs with threads.
        progress: called with (done, total) numbers of specs now and then.
        base: a revision; the corpus's history is held to the point where HEAD left it.
        since: a revision; only what is new since HEAD left it is reported.

    Returns:
        The report: findings in order, counts of specs, citations and decisions by grounding state.

    Raises:
        spectastic.config.ConfigError: the configuration, or a path, cannot be used.
        spectastic.discover.NothingMatches: a path names no spec.
        spectastic.git.GitError: a revision cannot be compared with.
        spectastic.engine.errors.BaselineError: the baseline cannot be used.
        spectastic.engine.errors.UnsteadyError: the corpus changes all the time.
        TypeError: a setting has a name that does not exist.
    """
    from spectastic import config as configuration
    from spectastic import engine
    from spectastic.rules import RULES

    folder = os.fspath(root)
    given: dict[str, object] = {"jobs": 1, **(settings or {})}
    for name in ("corpus", "baseline"):
        if given.get(name) and isinstance(given[name], str):
            # As in the configuration file, and not as on the command line, relative to the root.
            given[name] = os.path.join(os.path.abspath(folder), str(given[name]))
    asked = [os.path.join(folder, os.fspath(path)) for path in paths]
    chosen = configuration.load(
        folder,
        asked,
        given,
        os.getcwd(),
        config=None if config is None else os.fspath(config),
        isolated=isolated,
        known_rules=RULES,
    )
    return engine.validate(chosen, progress, engine.Request(base=base, since=since))


def load_corpus(root: str | os.PathLike[str] = ".", folder: str = "knowledge") -> Corpus:
    """The corpus of a repository, to resolve citations against. Files are read when needed."""
    from spectastic import corpus

    return corpus.load(os.path.realpath(root), folder)


def __getattr__(name: str) -> object:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
