"""What rules about prior art ask, found out when it is first asked: most runs have none.

The documents and the ids of other projects, the statuses that lifecycle files write, and what templates
leave to be filled in.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spectastic.corpus.nearest import Nearest
    from spectastic.findings import Span
    from spectastic.retrieval.catalogue import Catalogue, Entry
    from spectastic.retrieval.lifecycle import Lifecycle, Written
    from spectastic.retrieval.model import Kind
    from spectastic.retrieval.trees import Tree
    from spectastic.spec.cited import Mention

_ID = re.compile(r"(REQ|LESSON|BUG)-([0-9]{3,6})")


class Priors:
    """Prior art of one repository, as it is now or, with a `tree` of its own, as it was in a commit.

    `folder` is the prior-art root. `siblings` are entries of the setting `prior-art-siblings`: folders with
    a slash at their end, ids and ranges of ids, and names. `lifecycle` are patterns, which the file
    `configured` holds.
    """

    def __init__(
        self,
        root: str,
        folder: str,
        siblings: Sequence[str] = (),
        lifecycle: Sequence[str] = (),
        configured: str = "",
        tree: Callable[[], Tree] | None = None,
    ) -> None:
        self.folder = folder
        self.configured = configured or "spectastic.toml"
        self._root = root
        self._siblings = siblings
        self._lifecycle = lifecycle
        self._make = tree
        where = os.path.join(root, folder)
        self.exists = os.path.isdir(where)
        self._prefix = f"{self.catalogue.home if os.path.islink(where) else folder}/"

    @property
    def in_use(self) -> bool:
        """Whether the repository has prior art of this kind: elsewhere, its words may mean anything."""
        return self.exists or bool(self._siblings or self._lifecycle)

    @cached_property
    def interrupted(self) -> str:
        """The journal of a change that is not finished, "" where there is none; no commit has one."""
        from spectastic.corpus.steady import JOURNAL

        path = f"{self._prefix}{JOURNAL}"
        return path if self._make is None and os.path.isfile(os.path.join(self._root, path)) else ""

    def concerns(self, path: str) -> bool:
        """Whether a file lies below the prior-art root."""
        return path.startswith(self._prefix)

    def is_template(self, path: str) -> bool:
        """Whether a file is one that documents are made from."""
        from spectastic.retrieval.listing import TEMPLATES

        return path.startswith(f"{self._prefix}{TEMPLATES}/")

    @cached_property
    def tree(self) -> Tree:
        """Where files are read from."""
        if self._make is not None:
            return self._make()
        from spectastic.retrieval.trees import Disk

        return Disk(self._root)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The documents, those of other projects in folders below this root included."""
        from spectastic.retrieval.catalogue import Catalogue

        folders = [entry.rstrip("/") for entry in self._siblings if entry.endswith("/")]
        return Catalogue(self.tree, self.folder, folders)

    def kind(self, path: str) -> Kind | None:
        """Which corpus a file is a document of."""
        return self.catalogue.kind(path) if self.concerns(path) else None

    def find(self, identifier: str) -> tuple[Entry, ...]:
        """The documents with an id."""
        return self.catalogue.find(identifier)

    def others(self, identifier: str, path: str) -> str:
        """The documents besides `path` that retrieval calls by an id, in words; "" for none."""
        paths = self.catalogue.called(identifier)
        first = next((other for other in paths if other != path), "")
        more = len(paths) - (path in paths) - 1
        return f"{short(first)} and {more} more" if more > 0 else short(first)

    def is_elsewhere(self, mention: Mention, path: str) -> bool:
        """Whether an id that `path` names is another project's, by configuration or by the way to it."""
        if mention.folder and not self._leads_here(mention, path):
            return True
        if mention.qualifier and mention.qualifier in self._siblings:
            return True
        parts = _ID.fullmatch(mention.id)
        return parts is not None and any(
            parts[1] == kind and first <= int(parts[2]) <= last for kind, first, last in self._ranges
        )

    def _leads_here(self, mention: Mention, path: str) -> bool:
        """Whether a way leads to documents of its kind, from the file, the root or the prior-art root."""
        from posixpath import dirname, join, normpath

        from spectastic.retrieval.listing import FOLDERS
        from spectastic.retrieval.model import PREFIXES

        kinds = {prefix: kind for kind, prefix in PREFIXES.items()}
        below = FOLDERS[kinds[re.split("[^A-Z]", mention.id.upper())[0]]]
        homes = [self.folder, self._prefix, *(entry for entry in self._siblings if entry.endswith("/"))]
        known = {normpath(join(home, below)) for home in homes}
        starts = (dirname(path), "", self._prefix)
        # `other/REQ-012` is a file of its own, in a folder that is called like that.
        return not known.isdisjoint(normpath(join(start, mention.folder)) for start in starts)

    @cached_property
    def _ranges(self) -> list[tuple[str, int, int]]:
        found = []
        for entry in self._siblings:
            first, _, last = entry.partition("..")
            parts, end = _ID.fullmatch(first), _ID.fullmatch(last or first)
            if parts is not None and end is not None:
                found.append((parts[1], int(parts[2]), int(end[2])))
        return found

    def nearest(self, identifier: str) -> tuple[str, str] | None:
        """The id that a wrong one was most likely meant for, and the title of its document."""
        kind, digits = identifier[: -len(_digits(identifier)) - 1].upper(), _digits(identifier)
        found = self._nearest(kind).find(f"{kind}-{digits}") if digits.isascii() else None
        return None if found is None else (found, self.find(found)[0].title)

    def _nearest(self, kind: str) -> Nearest:
        if kind not in self._near:
            from spectastic.corpus.nearest import Nearest

            ids = [known for known in self.catalogue.ids() if re.fullmatch(rf"{kind}-[0-9]+", known)]
            self._near[kind] = Nearest(ids, f"{kind}-")
        return self._near[kind]

    @cached_property
    def _near(self) -> dict[str, Nearest]:
        return {}

    @cached_property
    def statuses(self) -> Counter[str]:
        """How many specs have each status."""
        return Counter(entry.status for entry in self.catalogue.specs())

    @cached_property
    def lifecycle(self) -> tuple[Lifecycle, ...]:
        """What the patterns of the setting `lifecycle` find."""
        from spectastic.retrieval.lifecycle import read

        return read(self.tree, self._lifecycle)

    @cached_property
    def written(self) -> dict[str, Written]:
        """The statuses that lifecycle files write, each with the first place where one does."""
        found: dict[str, Written] = {}
        for lifecycle in self.lifecycle:
            for written in lifecycle.written:
                found.setdefault(written.status, written)
        return found

    def place_of(self, pattern: str) -> Span:
        """Where the configuration names a pattern; the whole file where it cannot be found."""
        from spectastic.findings import Span
        from spectastic.source import Unreadable

        data = self.tree.read(self.configured)
        wanted = pattern.encode()
        for quote in (b'"', b"'"):
            at = -1 if isinstance(data, Unreadable) else data.find(quote + wanted + quote)
            if at >= 0:
                return Span(at + 1, at + 1 + len(wanted))
        return Span(0, 0)

    def placeholders(self, kind: Kind) -> frozenset[str]:
        """What the project's template for a kind has in square brackets, with single blanks."""
        from spectastic.retrieval.listing import TEMPLATE_NAMES, TEMPLATES

        if kind not in self._left:
            self._left[kind] = self._placeholders(f"{self._prefix}{TEMPLATES}/{TEMPLATE_NAMES[kind]}")
        return self._left[kind]

    def _placeholders(self, path: str) -> frozenset[str]:
        from spectastic.source import Source, Unreadable
        from spectastic.spec import blanks, page

        data = self.tree.read(path)
        if isinstance(data, Unreadable):
            return frozenset()
        return frozenset(blank.text for blank in blanks.bracketed(page.read(Source(path, data))))

    @cached_property
    def _left(self) -> dict[Kind, frozenset[str]]:
        return {}


def _digits(identifier: str) -> str:
    return re.split(r"\D", identifier)[-1]
