"""Findings with their places: byte spans become lines, columns and an excerpt."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from spectastic.findings import Edit, Fix
from spectastic.source import Source, Unreadable, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spectastic.findings import Finding, Location, Related, Span

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
            related = tuple(map(self._related, finding.related))
            if own is None:
                yield finding._replace(related=related)
                continue
            location = own.locate(finding.span)
            fix = finding.fix and _located(finding.fix, finding.span, location, own)
            yield finding._replace(related=related, location=location, fix=fix)

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


def _located(fix: Fix, span: Span, location: Location, source: Source) -> Fix:
    """A fix with places; `location` is that of `span`, which is mostly what a fix replaces."""
    edits = [
        Edit(edit.span, edit.text, edit.old, location if edit.span == span else source.locate(edit.span))
        for edit in fix.edits
    ]
    return Fix(fix.title, tuple(edits), fix.safe)


def _from_disk(root: str, path: str) -> Source | Unreadable:
    # A finding may be about a link: what that leads to outside of the repository stays unread.
    real = os.path.realpath(os.path.join(root, path))
    inside = os.path.commonpath((root, real)) == root
    return read(root, path) if inside else Unreadable(path, "it leads out of the repository")
