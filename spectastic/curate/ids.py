"""Ids for the registry: one that was ever given is never given again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus.layout import ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.corpus.model import Registry
    from spectastic.curate.workspace import Workspace

#: How an id stands in a line of the file, whatever is wrong with that line.
_IN_TEXT = re.compile(r"(?<![A-Za-z0-9_-])KB-([0-9]{3,})(?![0-9])")
_PIPED_LINE = re.compile(r"^[^|\r\n]*\|[^\r\n]*", re.MULTILINE)
#: More digits than this are nobody's numbering, and Python would refuse to read some of them.
_MAX_DIGITS = 17


def free_ids(registry: Registry, taken: Iterable[str] = (), avoided: Iterable[str] = ()) -> Iterator[str]:
    """Ids after the highest one of the registry and of `taken`, without end, and without those `avoided`."""
    known = {*taken, *(row.id for row in registry.rows), *(problem.subject for problem in registry.problems)}
    avoided = frozenset(avoided)
    number = max((_number(name) for name in known), default=0)
    while True:
        number += 1
        name = f"KB-{number:04d}"
        if name not in known and name not in avoided:
            yield name


def taken(workspace: Workspace) -> frozenset[str]:
    """The ids that something in the corpus has or had: lines of the registry that are no good rows too.

    Rows of every commit count, whatever has become of them since.
    """
    source = workspace.source(workspace.registry)
    texts = [source.text if source else "", _committed(workspace)]
    lines = (line for text in texts for line in _PIPED_LINE.findall(text))
    found = {f"KB-{match[1]}" for line in lines for match in _IN_TEXT.finditer(line)}
    return frozenset(found.union(reference.value("id") for reference in workspace.corpus.references))


def mentioned(workspace: Workspace) -> frozenset[str]:
    """The ids that some text of the repository speaks of; none where there is no git to ask.

    Somebody may have invented one, or cite what has gone: a new reference must not be what that leads to.
    """
    from spectastic import git

    try:
        return frozenset(git.mentions(workspace.root, "KB-[0-9]{3,}"))
    except git.GitError:
        return frozenset()


def _committed(workspace: Workspace) -> str:
    """Every line that the registry of a commit has had, "" where there is no git to ask."""
    from spectastic import git

    try:
        return git.edits(workspace.root, workspace.registry)
    except git.GitError:
        return ""


def _number(name: str) -> int:
    """The number of an id, 0 for what is none."""
    digits = name.removeprefix("KB-").lstrip("0")
    return int(digits or "0") if ID.fullmatch(name) and len(digits) <= _MAX_DIGITS else 0
