"""Which references a file may have become in an earlier run of `corpus adapt`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.corpus.model import says_nothing
from spectastic.curate import documents, slugs
from spectastic.curate.plan import CurateError

if TYPE_CHECKING:
    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.workspace import Workspace


class Known:
    """The references of a corpus, as the files for the pack `pack` are compared with them."""

    def __init__(self, workspace: Workspace, pack: str, field: str) -> None:
        """`field` is the one that says which file a reference was made of."""
        corpus = workspace.corpus
        self._pack = pack
        self._rows = {f"{workspace.folder}/{row.path}": row for row in corpus.registry.rows}
        self._texts: dict[bytes, Reference] = {}
        self._files: dict[str, Reference] = {}
        self._words: dict[str, Reference] = {}
        # The pack comes first, and in it what is current.
        for reference in sorted(corpus.references, key=lambda item: (item.pack != pack, item.superseded)):
            if not reference.unreadable:
                self._texts.setdefault(documents.text(workspace.read(reference.path) or b""), reference)
            if reference.pack == pack and reference.path in self._rows:
                self._remember(reference, field)
        skill = next((found for found in corpus.packs if found.name == pack), None)
        entries = skill.entries if skill else ()
        #: The documents that the slug map gives an edition.
        self._mapped = {
            f"{workspace.folder}/{pack}/{entry.path}": entry.edition
            for entry in entries
            if says_nothing(entry.edition)
        }

    def _remember(self, reference: Reference, field: str) -> None:
        file = reference.value(field)
        if file:
            self._files.setdefault(file, reference)
        else:
            self._words.setdefault(_words(self._rows[reference.path].slug), reference)

    def same(self, text: bytes) -> Reference | None:
        """The current reference of the pack with this text. Raises `CurateError` where another one has it."""
        found = self._texts.get(text)
        if found is None:
            return None
        row = self._rows.get(found.path)
        if found.pack != self._pack:
            known = f"{row.id}, {found.path}" if row else found.path
            raise CurateError(f"this text is a reference already: {known}")
        if found.superseded:
            raise CurateError(f"this text is that of a superseded edition: {found.path}")
        if row is None:
            raise CurateError(
                f"it is in the pack already, and no row leads to it: {found.path}",
                "`spectastic corpus add FILE` registers it",
            )
        return found

    def earlier(self, file: str, path: str) -> Reference | None:
        """The reference that was made of this file when it had another text, as far as can be told.

        `file` is what `adapted-from` would say of it. A reference that says nothing of the kind is known by
        its slug, which has the words of the file's name.
        """
        words = slugs.of_name(path.rpartition("/")[2])
        return self._files.get(file) or (self._words.get(words) if words else None)

    def row(self, reference: Reference) -> Row:
        """The row that leads to a reference."""
        return self._rows[reference.path]

    def lacks_edition(self, reference: Reference) -> bool:
        """Whether the row of a reference, or its line in the slug map, has yet to say an edition."""
        return says_nothing(self.row(reference).edition) or reference.path in self._mapped


def _words(slug: str) -> str:
    return slug.partition("-")[2].casefold()
