"""Corpus: the folder `knowledge/`, read as far as questions about it need."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from spectastic.corpus import references, verdicts
from spectastic.corpus.files import Disk
from spectastic.corpus.listing import Document, Kind, Tree
from spectastic.corpus.model import NOWHERE, SUPERSEDED, Miss, Outcome
from spectastic.corpus.nearest import Nearest
from spectastic.corpus.resolver import Resolver
from spectastic.corpus.row_checks import leaves
from spectastic.corpus.store import Store
from spectastic.findings import Problem
from spectastic.source import Source, Unreadable
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from spectastic.corpus.legacy import Legacy
    from spectastic.corpus.model import Pack, Reference, Registry, Resolution, Row
    from spectastic.corpus.protocols import Files
    from spectastic.corpus.survey import Survey
    from spectastic.spec.model import Citation, Decision, Spec, State

    #: Asks git what it tracks below the corpus folder; `None` where it cannot tell.
    Tracked = Callable[[], frozenset[str] | None]
    #: Asks git what files were when they were last committed; without those that it does not know.
    Committed = Callable[[Collection[str]], Mapping[str, bytes]]


class Corpus:
    """A corpus. Everything is read when it is first asked for, and once.

    `root` is the absolute path of the repository, `folder` the corpus folder relative to it, with
    `/`. Nothing outside of that folder is read, whatever a document or a link says.
    """

    def __init__(
        self,
        files: Files,
        folder: str,
        licenses: frozenset[str],
        tracked: Tracked | None = None,
        committed: Committed | None = None,
    ) -> None:
        self.root = files.root
        self.licenses = licenses
        self._files = files
        self._tree = Tree(files, folder)
        self.folder = self._tree.folder
        self._store = Store(self._tree)
        self._tracked = tracked
        self._committed = committed
        self._untracked: dict[str, tuple[str, ...]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        # Another process reads for itself: what is cached here may be large. What git was asked, it
        # need not ask again. What was committed is asked about the corpus itself, which none checks.
        tracked: Tracked | None = None if self.tracked is None else partial(frozenset, self.tracked)
        return Corpus, (self._files, self.folder, self.licenses, tracked)

    @cached_property
    def tracked(self) -> frozenset[str] | None:
        """What git tracks below the corpus folder, as `git.tracked` has it; `None` where nobody knows."""
        return None if self._tracked is None else self._tracked()

    def untracked(self, path: str) -> tuple[str, ...]:
        """What git does not track of a file and of the links on the way to it; nothing if nobody knows."""
        if self.tracked is None:
            return ()
        found = self._untracked.get(path)
        if found is None:
            from spectastic.corpus.evidence import untracked

            found = self._untracked[path] = untracked(self.root, path, self.tracked)
        return found

    def committed_digest(self, path: str) -> str:
        """The digest of a document as it was last committed, "" where nobody knows."""
        return self._committed_digests.get(path, "")

    def read(self, path: str) -> Source | Unreadable:
        """A file of the corpus, as it is where this corpus is: on disk, or in a commit."""
        return self._files.read(path)

    @cached_property
    def registry(self) -> Registry:
        """The registry. In a single-layer corpus, which has none, its rows come from the packs."""
        own, _ = self._own_registry
        return own if own.rows else own._replace(rows=self.older.rows)

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The row of each id that counts, in file order."""
        return self._resolver.rows

    @cached_property
    def packs(self) -> tuple[Pack, ...]:
        """Every folder directly under the corpus folder, sorted by name."""
        return tuple(pack for pack, _ in self._packs)

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Every document of every `references/`, superseded ones too, sorted by path.

        Documents elsewhere in the corpus belong to them if a row leads there: what can be cited is
        checked.
        """
        # Looking for others asks for these: read with their digests, they need not be read again.
        self._store.documents(self._survey.documents)
        return self._store.documents([*self._survey.documents, *self._elsewhere])

    @cached_property
    def problems(self) -> tuple[tuple[str, Problem], ...]:
        """What is wrong with the corpus as a whole, each with its path; the registry has its own."""
        found = [*self._no_registry(), *self._survey.problems]
        for pack, faults in self._packs:
            found += ((pack.skill, fault) for fault in faults)
        if not self._own_registry[0].rows:
            found += self.older.problems
        found += self._unread()
        found += self._leaving({path for path, _ in found})
        return tuple(found)

    @cached_property
    def hints(self) -> tuple[tuple[str, Problem], ...]:
        """What is of an older kind and still works, each with its path."""
        own = tuple((self.registry.path, hint) for hint in self.registry.hints)
        return own if self._own_registry[0].rows else (*own, *self.older.hints)

    def resolve(self, citation: Citation) -> Resolution:
        """What a citation leads to: the longest edition that exists ends it."""
        return self._resolver.resolve(citation)

    def find(self, id: str, edition: str | None) -> Resolution:  # noqa: A002 - DESIGN's word
        """What exactly this edition of an id leads to; the current one where it is `None`."""
        return self._resolver.find(id, edition)

    def editions(self, id: str) -> tuple[str, ...]:  # noqa: A002
        """The editions of an id that have a document: the current one, then retained ones."""
        return self._resolver.editions(id)

    def nearest(self, id: str, edition: str | None = None) -> str | None:  # noqa: A002
        """The registered id that a mistyped one most likely meant; rather one that has `edition`."""
        return self._nearest.find(id, lambda known: edition in self.editions(known))

    def settle(self, spec: Spec) -> Spec:
        """The spec with every citation ended at the edition that it leads to."""
        decisions = tuple(verdicts.settled(decision, self._resolver) for decision in spec.decisions)
        loose = None if spec.loose is None else verdicts.settled(spec.loose, self._resolver)
        return spec._replace(decisions=decisions, loose=loose)

    def state(self, decision: Decision) -> State:
        """The grounding state of a decision (DESIGN section 3)."""
        return verdicts.state(decision, self._resolver)

    def reference_for(self, resolution: Resolution) -> Reference | None:
        """The document that a citation leads to, `None` where it leads nowhere.

        Its digest is only there once `references` has been asked for.
        """
        if resolution.outcome is Outcome.NOTHING:
            return None
        superseded = resolution.outcome is Outcome.SUPERSEDED
        return self._store.document(self._placed(resolution.path, superseded))

    @cached_property
    def _committed_digests(self) -> dict[str, str]:
        paths = [reference.path for reference in self.references]
        found = {} if self._committed is None else self._committed(paths)
        return {path: references.parse(Source(path, found[path]), "", False).digest for path in found}

    @cached_property
    def _own_registry(self) -> tuple[Registry, str | None]:
        return self._store.registry()

    @cached_property
    def _survey(self) -> Survey:
        from spectastic.corpus.survey import survey

        return survey(self._tree)

    @cached_property
    def _packs(self) -> list[tuple[Pack, tuple[Problem, ...]]]:
        return [self._store.pack(folder) for folder in self._survey.packs]

    @cached_property
    def _resolver(self) -> Resolver:
        trouble = None if self.registry.rows else self._own_registry[1]
        return Resolver(self._tree, self.registry, trouble, self._read)

    @cached_property
    def _nearest(self) -> Nearest:
        return Nearest(self.rows)

    @cached_property
    def older(self) -> Legacy:
        """What packs of an older kind say. It counts only where the registry has no rows."""
        from spectastic.corpus import legacy

        packs = []
        unreadable: list[tuple[str, Problem]] = []
        for folder in self._survey.packs:
            index = self._store.pack_index(folder)
            if isinstance(index, Unreadable):
                unreadable.append((index.path, Problem(NOWHERE, index.message, index.hint, index.path)))
                index = None
            own = [
                item for item in self._survey.documents if item.pack == folder.name and not item.superseded
            ]
            packs.append((folder.name, folder.path, index, self._store.documents(own)))
        found = legacy.merge(packs, self._own_registry[0].path)
        return found._replace(problems=(*found.problems, *unreadable))

    @cached_property
    def _elsewhere(self) -> tuple[Document, ...]:
        """The documents outside of `references/` that rows lead to, and what is retained beside them."""
        known = {document.path for document in self._survey.documents}
        led = {self.find(row.id, None).path for row in self.rows.values()} - {""}
        homes = {path.rpartition("/")[0] for path in led}
        beside = (
            item
            for item in self._survey.nested
            if item.superseded and item.path.rsplit("/", 2)[0] in homes and item.path not in led
        )
        return (*(self._placed(path, False) for path in sorted(led - known)), *beside)

    def _read(self, path: str) -> Reference:
        superseded = path.rsplit("/", 2)[-2:-1] == [SUPERSEDED]
        return self._store.document(self._placed(path, superseded))

    def _placed(self, path: str, superseded: bool) -> Document:
        pack = path.removeprefix(f"{self._tree.home.path}/").partition("/")[0]
        return Document(path, pack, superseded)

    def _no_registry(self) -> Iterator[tuple[str, Problem]]:
        """Why there is no registry, where there should be one."""
        own, trouble = self._own_registry
        if trouble is None or self._tree.home.kind is not Kind.FOLDER:
            return
        hint = "write its table, | KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |"
        if own.exists or trouble:
            yield own.path, Problem(NOWHERE, f"the registry cannot be read: {trouble}", hint, own.path)
        elif self._survey.documents and not self.older.rows:
            message = "the corpus has documents and no registry, so nobody can cite them"
            yield own.path, Problem(NOWHERE, message, hint, own.path)

    def _unread(self) -> Iterator[tuple[str, Problem]]:
        """Documents too deep in `references/` to be found by anybody."""
        read = {document.path for document in self._elsewhere}
        for item in self._survey.nested:
            if item.path not in read:
                message = "this document is not read: it lies deeper than references/, and no row leads to it"
                yield item.path, Problem(NOWHERE, message, "move it up, or register it", item.path)

    def _leaving(self, told: Collection[str]) -> Iterator[tuple[str, Problem]]:
        """Rows whose path leaves the corpus through a link that nothing else has told of."""
        for row in self.rows.values():
            if self.find(row.id, None).miss is Miss.OUTSIDE_CORPUS and not leaves(row.path):
                link = self._tree.find(row.path).path
                if link not in told:
                    message = (
                        f"the path of {short(row.id)}, {short(row.path)}, leaves the corpus at {short(link)}"
                    )
                    span = row.cells["Path"].span if "Path" in row.cells else row.span
                    yield (
                        row.file,
                        Problem(span, message, "commit the document inside the corpus", short(row.id)),
                    )


def load(
    root: str,
    folder: str = "knowledge",
    licenses: frozenset[str] = frozenset(),
    tracked: Tracked | None = None,
    committed: Committed | None = None,
) -> Corpus:
    """The corpus in `folder` of the repository at `root`; no file of it is read yet.

    `licenses` are further licenses that count as permissive, from the configuration. `tracked` asks
    what git tracks, once and only if need be: the answer of `git.tracked`, or `None`. `committed` asks
    what files were in the last commit.
    """
    return Corpus(Disk(root), folder, licenses, tracked, committed)


def load_snapshot(
    root: str, commit: str, folder: str = "knowledge", licenses: frozenset[str] = frozenset()
) -> Corpus:
    """The corpus as it was in a commit, of which this is the id. The work tree is not touched.

    Raises `git.GitError` where git cannot tell, then or when something is asked first.
    """
    from spectastic.corpus.snapshot import Snapshot

    return Corpus(Snapshot(root, commit, folder), folder, licenses)
