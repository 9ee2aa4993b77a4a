"""Ids for the registry: one that was ever given is never given again. Pure."""

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


def next_id(registry: Registry, taken: Iterable[str] = ()) -> str:
    """The id after the highest one of the registry and of `taken`."""
    return next(free_ids(registry, taken))


def free_ids(registry: Registry, taken: Iterable[str] = ()) -> Iterator[str]:
    """Ids that nothing has, in order, without end."""
    known = {*taken, *(row.id for row in registry.rows), *(problem.subject for problem in registry.problems)}
    number = max((_number(name) for name in known), default=0)
    while True:
        number += 1
        name = f"KB-{number:04d}"
        if name not in known:
            yield name


def taken(workspace: Workspace) -> frozenset[str]:
    """The ids that something in the corpus has or had: lines of the registry that are no good rows too."""
    source = workspace.source(workspace.registry)
    lines = _PIPED_LINE.findall(source.text) if source else ()
    found = {f"KB-{match[1]}" for line in lines for match in _IN_TEXT.finditer(line)}
    return frozenset(found.union(reference.value("id") for reference in workspace.corpus.references))


def _number(name: str) -> int:
    """The number of an id, 0 for what is none."""
    digits = name.removeprefix("KB-").lstrip("0")
    return int(digits or "0") if ID.fullmatch(name) and len(digits) <= _MAX_DIGITS else 0
