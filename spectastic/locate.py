"""Findings with their places: byte spans become lines, columns and an excerpt."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from spectastic.source import Source, Unreadable, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spectastic.findings import Finding, Related

#: How many files are kept at hand. Findings come by path, and most point into the registry besides.
KEPT = 16


class Locator:
    """Works out where findings are. Files are read once, as long as few are asked for in turn."""

    __slots__ = ("_read", "_sources")

    def __init__(self, root: str, files: Callable[[str], Source | Unreadable] | None = None) -> None:
        """`files` reads a path (relative to the root) where it is not the disk that is looked at."""
        self._read = files or partial(_from_disk, root)
        self._sources: dict[str, Source | None] = {}

    def locate(self, findings: Iterable[Finding], source: Source | None = None) -> Iterator[Finding]:
        """The findings with locations, by path and place; `source` is a file that was just read."""
        for finding in sorted(findings, key=lambda finding: (finding.path, finding.span)):
            own = source if source and source.path == finding.path else self._source(finding.path)
            located = finding if own is None else finding._replace(location=own.locate(finding.span))
            if finding.related:
                located = located._replace(related=tuple(map(self._related, finding.related)))
            if finding.fix is not None and own is not None:
                edits = tuple(edit._replace(location=own.locate(edit.span)) for edit in finding.fix.edits)
                located = located._replace(fix=finding.fix._replace(edits=edits))
            yield located

    def _related(self, place: Related) -> Related:
        source = self._source(place.path)
        return place if source is None else place._replace(location=source.locate(place.span))

    def _source(self, path: str) -> Source | None:
        if path in self._sources:
            # Put last, so that what everything points at stays at hand.
            self._sources[path] = self._sources.pop(path)
            return self._sources[path]
        found = self._read(path)
        if len(self._sources) >= KEPT:
            del self._sources[next(iter(self._sources))]
        self._sources[path] = found if isinstance(found, Source) else None
        return self._sources[path]


def _from_disk(root: str, path: str) -> Source | Unreadable:
    # A finding may be about a link: what that leads to outside of the repository stays unread.
    real = os.path.realpath(os.path.join(root, path))
    inside = os.path.commonpath((root, real)) == root
    return read(root, path) if inside else Unreadable(path, "it leads out of the repository")
