"""`corpus adapt`: Markdown files become the references of a pack, and what nobody has said stays `TODO`.

A file is known again by its text, or by the path that its reference keeps in `adapted-from`. What is said
once is never changed: a second run only says what was still to be said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import SUPERSEDED, says_nothing
from spectastic.curate import documents, packs, refusals, register, slugs, tables, texts
from spectastic.curate.adapting import provenance
from spectastic.curate.adapting.gather import Left
from spectastic.curate.adapting.known import Known
from spectastic.curate.adapting.told import Told, notes
from spectastic.curate.confirm import without_records
from spectastic.curate.plan import CurateError, FileChange, Plan, about, merged
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.adapting.gather import Gathered, Original
    from spectastic.curate.workspace import Workspace

#: The field that says which file a reference was made of.
FROM = "adapted-from"

#: A slug as long as they get, to try an edition with.
_LONG_SLUG = "0000-" + "x" * slugs.MAX_WORDS
_MAX_ORDINAL = 9_999


class Request(NamedTuple):
    """What to adapt into which pack. `given` are texts by the names of fields, and `marketplace`.

    `place` is the folder as `adapted-from` has it, with a `/` at its end, or "".
    """

    path: str
    pack: str
    gathered: Gathered
    place: str
    given: Mapping[str, str]


class _Document(NamedTuple):
    """A file as it is read: its frontmatter, its text, its provenance, and which option it does not use."""

    original: Original
    said: dict[str, str]
    text: bytes
    outline: texts.Outline
    fields: dict[str, str]
    taken: dict[str, str]
    unused: list[str]


def plan_adapt(workspace: Workspace, wanted: Request) -> Plan:
    """Make references of files, and complete those that were made earlier. Raises `CurateError`."""
    refusals.refuse_corpus(workspace)
    work = _Work(workspace, wanted)
    for original in wanted.gathered.originals:
        work.read(original)
    work.decide()
    if not work.told:
        raise _nothing(wanted, work.left)
    changes = work.changes()
    result = {
        "pack": wanted.pack,
        "documents": [item.as_json() for item in work.told],
        "left_out": [item._asdict() for item in work.left],
    }
    return Plan(changes, result, tuple(notes(workspace, wanted, work.told, work.left)))


def _nothing(wanted: Request, left: list[Left]) -> CurateError:
    message = f"there is no Markdown file in {wanted.path} that could be adapted"
    if not left:
        return CurateError(message)
    first = left[0]
    more = f", and {len(left) - 1} more are left out" if len(left) > 1 else ""
    return CurateError(f"{message}: {short(first.path)}: {first.why}{more}", first.hint)


class _Work:
    """Goes through the files, and collects what becomes of them."""

    def __init__(self, workspace: Workspace, wanted: Request) -> None:
        self._workspace = workspace
        self._wanted = wanted
        self._given = wanted.given
        _refuse_edition(_LONG_SLUG, wanted.given.get("edition", ""))
        self._known = Known(workspace, wanted.pack, FROM)
        self._marketplace = self._given.get("marketplace", "")
        if says_nothing(self._marketplace):
            self._marketplace = packs.default_marketplace(workspace, wanted.pack)
        known = packs.slugs(workspace, wanted.pack)
        self._ordinal = packs.last_ordinal(known)
        self._words = {slug.partition("-")[2].casefold() for slug in known}
        self._seen: dict[bytes, str] = {}
        self._read: list[tuple[_Document, Reference | None]] = []
        #: The references whose texts were found, wherever their files are now.
        self._found: set[str] = set()
        self._entries: list[register.Entry] = []
        self._documents: list[FileChange] = []
        self._rows: list[tuple[Row, str]] = []
        self.told: list[Told] = []
        self.left = list(wanted.gathered.left)

    def read(self, original: Original) -> None:
        """Read a file, and look whether its text is a reference already."""
        try:
            document = _read(original, self._given)
            first = self._seen.setdefault(document.text, original.path)
            if first != original.path:
                raise CurateError(f"it has the text of {short(first)}")
            same = self._known.same(document.text)
        except CurateError as error:
            self.left.append(Left(original.path, error.message, error.hint))
            return
        self._read.append((document, same))
        if same is not None:
            self._found.add(same.path)

    def decide(self) -> None:
        """Decide what becomes of the files that were read."""
        for document, same in self._read:
            path = document.original.path
            try:
                old = None if same else self._known.earlier(self._wanted.place + path, path)
                if same is not None:
                    self._complete(document, same)
                elif old is not None and old.path not in self._found:
                    self._changed(document, old)
                else:
                    self._register(document)
            except CurateError as error:
                self.left.append(Left(path, error.message, error.hint))

    def changes(self) -> tuple[FileChange, ...]:
        """All changes, in order. Raises `CurateError` where nothing can be registered."""
        changes = [*self._documents, *self._moved_on()]
        if not self._entries:
            return merged(changes)
        if says_nothing(self._marketplace):
            raise CurateError("nobody says where the pack is published", "add --marketplace NAME")
        after = self._workspace.with_changes(changes) if changes else self._workspace
        done = register.register(after, self._entries)
        waiting = iter(done.ids)
        self.told = [
            item._replace(id=next(waiting)) if item.state == "registered" else item for item in self.told
        ]
        return merged([*changes, *done.changes])

    def _register(self, document: _Document) -> None:
        """Make a new reference."""
        original = document.original
        self._ordinal += 1
        if self._ordinal > _MAX_ORDINAL:
            raise CurateError(f"a pack has at most {_MAX_ORDINAL:,} numbers", "adapt it into another pack")
        words = _words(original.path, self._words)
        self._words.add(words)
        slug = packs.numbered(self._ordinal, words)
        fields = {"slug": slug, **document.fields, FROM: self._wanted.place + original.path}
        _refuse_edition(slug, fields["edition"])
        title = _title(document, slug)
        path = packs.document_path(self._workspace, self._wanted.pack, slug)
        data, gone = without_records(original.data)
        entry = register.Entry(
            pack=self._wanted.pack,
            slug=slug,
            title=title,
            edition=fields["edition"],
            marketplace=self._marketplace,
            data=documents.with_hash(documents.with_fields(data, fields)),
            description=original.description or document.said.get("description", ""),
            path=path,
            about=self._wanted.gathered.about,
        )
        self._entries.append(entry)
        self._tell("registered", document, entry.slug, fields, path)
        if gone:
            self.told[-1] = self.told[-1]._replace(gone=gone)

    def _complete(self, document: _Document, old: Reference) -> None:
        """Say of a reference what was still to be said."""
        row = self._known.row(old)
        fields, filled = self._fill(document, old, provenance.ASKED)
        edition = fields.get("edition", "")
        moved = not says_nothing(edition) and self._known.lacks_edition(old)
        if moved:
            _refuse_edition(row.slug, edition)
            self._rows.append((row, edition))
        state = "completed" if filled or moved else "there"
        self._tell(state, document, row.slug, fields, old.path, row)

    def _changed(self, document: _Document, old: Reference) -> None:
        """Leave alone the text of a reference whose file has another one now, and its edition with it."""
        row = self._known.row(old)
        fields, _ = self._fill(document, old, [name for name in provenance.ASKED if name != "edition"])
        self._tell("changed", document, row.slug, fields, old.path, row)

    def _fill(self, document: _Document, old: Reference, names: Sequence[str]) -> tuple[dict[str, str], bool]:
        """The fields of a reference, with what it lacked and is known now; and whether that is anything."""
        said = {name: field.value for name, field in old.fields.items()}
        wanted = {name: document.fields[name] for name in provenance.lacking(said, names)}
        wanted = {name: text for name, text in wanted.items() if not says_nothing(text)}
        url = document.fields["origin-url"]
        if said.get("origin-url", "") in ("", provenance.TODO, "none") and url != "none":
            wanted["origin-url"] = url
        if wanted:
            before = self._workspace.read(old.path) or b""
            self._documents.append(FileChange(old.path, before, _with(old.path, before, wanted)))
        return {**said, **wanted}, bool(wanted)

    def _tell(
        self,
        state: str,
        document: _Document,
        slug: str,
        fields: Mapping[str, str],
        path: str,
        row: Row | None = None,
    ) -> None:
        new = state == "registered"
        self.told.append(
            Told(
                file=document.original.path,
                state=state,
                id=row.id if row else "",
                slug=slug,
                edition=fields.get("edition", ""),
                path=path,
                todo=tuple(provenance.lacking(fields)),
                taken=document.taken if new else {},
                unused=tuple(document.unused) if new else (),
                links=document.outline.links if new else (),
                dated=new and says_nothing(fields["edition"]) and "date" in document.said,
            )
        )

    def _moved_on(self) -> list[FileChange]:
        """The registry and the slug map, with the editions that were still to be said."""
        if not self._rows:
            return []
        workspace = self._workspace
        registry = workspace.source(workspace.registry)
        assert registry is not None  # noqa: S101 - its rows were just read
        changed = [(row, {"Edition": edition}) for row, edition in self._rows]
        changes = [FileChange(workspace.registry, registry.data, tables.set_rows(registry, changed))]
        editions = {f"{workspace.folder}/{row.path}": edition for row, edition in self._rows}
        pack = next(pack for pack in workspace.corpus.packs if pack.name == self._wanted.pack)
        entries = [
            (entry, {"Edition": editions[f"{pack.path}/{entry.path}"]})
            for entry in pack.entries
            if f"{pack.path}/{entry.path}" in editions and says_nothing(entry.edition)
        ]
        skill = workspace.source(pack.skill) if entries else None
        if skill is not None:
            changes.append(FileChange(pack.skill, skill.data, tables.set_rows(skill, entries)))
        return changes


def _read(original: Original, given: Mapping[str, str]) -> _Document:
    """What a file says. Raises `CurateError` for one that cannot become a reference."""
    _, found = documents.opened(original.data)
    for problem in found.problems:
        raise CurateError(problem.message, problem.hint)
    text = documents.text(original.data)
    if not text:
        raise CurateError("it has no text")
    said = {name: field.value for name, field in found.fields.items()}
    if said.get("status") == SUPERSEDED:
        raise CurateError("it says that it is superseded", "adapt the document that took its place")
    own = provenance.of_itself(said)
    fields, unused = provenance.complete(own, given, original.url)
    taken = {name: source for name, (_, source) in own.items() if name != source}
    return _Document(original, said, text, texts.outline(text.decode()), fields, taken, unused)


def _refuse_edition(slug: str, edition: str) -> None:
    why = refusals.refuse_edition(slug, edition) if edition else ""
    if why:
        raise CurateError(f"the edition {short(edition)} {why}", "choose another: 2024-05-28")


def _with(path: str, data: bytes, fields: Mapping[str, str]) -> bytes:
    with about(path):
        return documents.with_fields(data, fields)


def _title(document: _Document, slug: str) -> str:
    """The title of a reference: what the list says, its own, its first heading, the name of its file."""
    name = slugs.stem(document.original.path.rpartition("/")[2]).replace("-", " ").replace("_", " ")
    found = (document.original.title, document.said.get("title", ""), document.outline.heading, name)
    return next((text for text in map(tables.plain, found) if not says_nothing(text)), slug)


def _words(path: str, taken: set[str]) -> str:
    """The words of a slug: those of the file name, after those of its folder where others have them."""
    *folders, name = path.split("/")
    own = slugs.of_name(name)
    above = slugs.of_name(folders[-1] + ".") if folders else ""
    both = slugs.words(f"{above} {own}")
    if own in ("", "index", "readme") and above:
        own, both = above, both or above
    return next((words for words in (own, both) if words and words not in taken), own or slugs.NAMELESS)
