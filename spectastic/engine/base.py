"""The corpus at a base revision, wherever it stood then.

A pull request may move the corpus folder, turn it into a link or name another one in its
configuration. Its history is held to the corpus of that time all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic import corpus as corpora
from spectastic import git
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.config import Settings
    from spectastic.corpus import Corpus

_DEFAULT = "knowledge"


def load(settings: Settings, commit: str) -> Corpus:
    """The corpus in a commit (its id). Raises `git.GitError` where git cannot show it."""
    folder = next((name for name in _folders(settings, commit) if _is_there(settings, commit, name)), "")
    licenses = frozenset(settings.extra_licenses)
    return corpora.load_snapshot(settings.root, commit, folder or settings.corpus, licenses)


def _folders(settings: Settings, commit: str) -> Iterator[str]:
    yield settings.corpus
    yield from _configured(settings, commit)
    yield _DEFAULT


def _is_there(settings: Settings, commit: str, folder: str) -> bool:
    entries = git.listing(settings.root, commit, folder)
    own = entries.get(folder)
    if own is not None and own.kind == "commit":
        message = f"the corpus, {short(folder)}, is a submodule, whose history cannot be compared from here"
        raise git.GitError(message, "check it in its own repository, and leave out corpus-append-only here")
    return any(path.startswith(f"{folder}/") for path in entries)


def _configured(settings: Settings, commit: str) -> Iterator[str]:
    """The corpus folders that the configuration files of that time name."""
    import tomllib

    for name, tables in (("spectastic.toml", ()), ("pyproject.toml", ("tool", "spectastic"))):
        entry = git.listing(settings.root, commit, name).get(name)
        data = git.blobs(settings.root, [entry.oid]).get(entry.oid, b"") if entry is not None else b""
        if b"corpus" not in data or len(data) > 100_000:
            continue
        try:
            value: object = tomllib.loads(data.decode())
        except (ValueError, RecursionError):
            continue
        for key in (*tables, "corpus"):
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, str) and value.strip("/"):
            yield value.removeprefix("./").rstrip("/")
