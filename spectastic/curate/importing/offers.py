"""What the packs of a source offer: each reference as it will be filed here, checked before anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.body import body, hash_state
from spectastic.corpus.corpus import Corpus
from spectastic.corpus.layout import SLUG, SLUG_HINT
from spectastic.corpus.model import ORPHANED, UNCHECKED, says_nothing
from spectastic.corpus.retained import retained_as
from spectastic.curate import documents, refusals
from spectastic.curate.confirm import without_records
from spectastic.curate.importing import foreign
from spectastic.curate.plan import CurateError, about
from spectastic.curate.tables import plain
from spectastic.curate.texts import outline
from spectastic.rules import corpus_edition_drift, corpus_frontmatter
from spectastic.source import Source
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spectastic.corpus.model import Pack, Reference, Row, SlugEntry
    from spectastic.curate.importing.foreign import Foreign, Found, Offered

#: How much of a hash is shown.
_SHOWN = len("sha256:") + 13


class Copy(NamedTuple):
    """A document as it will be filed, the hash of its text, and where it was found, for people.

    `gone` are the fields of it that say who answers for it there.
    """

    data: bytes
    digest: str
    path: str
    gone: tuple[str, ...] = ()


class Offer(NamedTuple):
    """A reference on offer. `fields` are those of the source, `retained` its earlier editions."""

    slug: str
    title: str
    description: str
    edition: str
    copy: Copy
    fields: Mapping[str, str]
    retained: Mapping[str, Copy]


class Delivery(NamedTuple):
    """A pack of a source. Together, `marketplace` and `plugin` name it wherever it is."""

    found: Found
    marketplace: str
    plugin: str
    about: str
    offers: tuple[Offer, ...]

    @property
    def key(self) -> tuple[str, str]:
        """What is compared: case does not count in a marketplace."""
        return self.marketplace.lower(), self.plugin


class Asked(NamedTuple):
    """How to read: the marketplace where the source names none, and whether wrong hashes are corrected."""

    marketplace: str
    rehash: bool


def read(source: Foreign, packs: Sequence[Found], asked: Asked) -> tuple[Delivery, ...]:
    """What packs of a source offer. Raises `CurateError` for what cannot be trusted to be what it says."""
    files = foreign.Offered(source, packs)
    corpus = Corpus(files, foreign.HOME, frozenset())
    reader = _Reader(source, corpus, files, asked)
    try:
        _refuse_faults(corpus, source)
        found = tuple(reader.delivery(pack) for pack in packs)
    except CurateError as error:
        raise CurateError(files.told(error.message), files.told(error.hint)) from error
    names: dict[tuple[str, str], Delivery] = {}
    for item in found:
        first = names.setdefault(item.key, item)
        if first is not item:
            places = " and ".join(source.path(other.found.place) for other in (first, item))
            raise CurateError(f"two packs of {source.shown} are {' · '.join(item.key)}: {places}")
    return found


def _refuse_faults(corpus: Corpus, source: Foreign) -> None:
    """Refuse packs that the checks find wanting: they would be found wanting here as well."""
    registry = corpus.registry.path
    for row in corpus.registry.rows:
        if row.file != registry:
            raise CurateError(
                f"{row.file} gives {row.id} its id: this pack is of an older kind",
                "its publisher has to give its documents slugs; or add them one by one",
            )
    problems = [(registry, problem) for problem in corpus.registry.problems]
    problems += [item for item in corpus.problems if source.registry or item[0] != registry]
    problems += [(pack.skill, problem) for pack in corpus.packs for problem in pack.problems]
    for path, problem in problems:
        raise CurateError(f"{path}{_line(corpus, path, problem.span.start)}: {problem.message}", problem.hint)
    for reference in corpus.references:
        if reference.unreadable:
            raise CurateError(f"{reference.path}: {reference.unreadable}")
    for finding in (*corpus_edition_drift.check(corpus), *corpus_frontmatter.check(corpus)):
        where = _line(corpus, finding.path, finding.span.start)
        raise CurateError(f"{finding.path}{where}: {finding.message}", finding.hint)


def _line(corpus: Corpus, path: str, offset: int) -> str:
    """Where in a file, as `:7`; "" for a folder, and for a file as a whole."""
    source = corpus.read(path) if offset else None
    return f":{source.line_of(offset)}" if isinstance(source, Source) else ""


class _Reader(NamedTuple):
    """Reads the packs of a source. `corpus` is made of `files`."""

    source: Foreign
    corpus: Corpus
    files: Offered
    asked: Asked

    def delivery(self, found: Found) -> Delivery:
        """What a pack offers."""
        corpus = self.corpus
        name = self.files.names()[found.place]
        pack = next(item for item in corpus.packs if item.name == name)
        if not pack.skill:
            raise CurateError(
                f"{pack.path}/ has no SKILL.md", "a pack is a folder with SKILL.md and references/"
            )
        mine = [item for item in corpus.references if item.pack == name]
        by_path = {corpus.find(row.id, None).path: row for row in corpus.rows.values()}
        rows = {item.path: by_path[item.path] for item in mine if item.path in by_path}
        retained = self._retained(mine)
        offers = tuple(
            self._offer(pack, item, rows.get(item.path), retained)
            for item in mine
            if not item.superseded and not (item.path in rows and rows[item.path].status == ORPHANED)
        )
        if not offers:
            raise CurateError(f"{pack.path}/ has no reference to import")
        _refuse_twice(offers)
        marketplace, plugin = _identity(self.source, found, pack, rows.values(), self.asked)
        return Delivery(found, marketplace, plugin, plain(pack.fields["description"].value), offers)

    def _retained(self, references: Iterable[Reference]) -> dict[str, dict[str, Copy]]:
        """The retained documents by slug and edition."""
        found: dict[str, dict[str, Copy]] = {}
        for item in references:
            named = retained_as(item.path) if item.superseded else None
            if named:
                found.setdefault(named[0], {})[named[1]] = self._copy(item, {})
        return found

    def _offer(
        self, pack: Pack, reference: Reference, row: Row | None, retained: Mapping[str, Mapping[str, Copy]]
    ) -> Offer:
        slug = reference.value("slug")
        if not SLUG.fullmatch(slug):
            raise CurateError(f"{reference.path} has no slug", SLUG_HINT)
        edition = row.edition if row else reference.value("edition")
        entry = next((item for item in pack.entries if f"{pack.path}/{item.path}" == reference.path), None)
        fields = {name: reference.value(name) for name in documents.FIELDS}
        return Offer(
            slug=slug,
            title=self._title(reference, row, entry) or slug,
            description=entry.description if entry else "",
            edition=edition,
            copy=self._copy(reference, {"slug": slug, "edition": edition, "status": UNCHECKED}),
            fields=fields,
            retained=retained.get(slug, {}),
        )

    def _title(self, reference: Reference, row: Row | None, entry: SlugEntry | None) -> str:
        """What the registry, the slug map or the text itself calls a reference."""
        names = (
            row.title if row else "",
            entry.title if entry else "",
            outline(self._text(reference).decode()).heading,
        )
        return next((name for name in map(plain, names) if not says_nothing(name)), "")

    def _text(self, reference: Reference) -> bytes:
        source = self.corpus.read(reference.path)
        return body(source).data if isinstance(source, Source) else b""

    def _copy(self, reference: Reference, fields: Mapping[str, str]) -> Copy:
        """A document as it will be filed: a retained one, for which there are no fields, as it is."""
        if not self.asked.rehash:
            _refuse_hash(reference)
        source = self.corpus.read(reference.path)
        data = source.data if isinstance(source, Source) else b""
        gone: tuple[str, ...] = ()
        with about(reference.path):
            if fields:
                data, gone = without_records(data)
                data = documents.with_fields(data, fields)
            data = documents.with_hash(data)
        return Copy(data, reference.digest, self.files.told(reference.path), gone)


def _refuse_twice(offers: Iterable[Offer]) -> None:
    known: dict[str, Offer] = {}
    for offer in offers:
        first = known.setdefault(offer.slug.casefold(), offer)
        if first is not offer:
            raise CurateError(f"{first.copy.path} and {offer.copy.path} have one slug, {offer.slug}")


def _identity(
    source: Foreign, found: Found, pack: Pack, rows: Iterable[Row], asked: Asked
) -> tuple[str, str]:
    """Marketplace and plugin of a pack: as its rows say, or else as its listing and its `SKILL.md` do."""
    said = {(row.marketplace, row.plugin) for row in rows}
    if len(said) > 1:
        names = ", ".join(" · ".join(pair) for pair in sorted(said))
        raise CurateError(
            f"the rows of {pack.path}/ do not agree on where it is published, and as what: {short(names)}"
        )
    if said:
        marketplace, plugin = said.pop()
    else:
        marketplace = source.listing.name if source.listing else asked.marketplace
        own = pack.fields["name"].value
        plugin = own if not source.listing and refusals.PACK_NAME.fullmatch(own) else found.name
    # As the cells of a row say it, or the next import would not know the pack again.
    marketplace, plugin, wanted = plain(marketplace), plain(plugin), plain(asked.marketplace)
    if says_nothing(marketplace):
        raise CurateError(
            f"{source.shown} does not say where {short(plugin)} is published", "--marketplace M"
        )
    if wanted and wanted.lower() != marketplace.lower():
        raise CurateError(
            f"{source.shown} says that {short(plugin)} is published at {short(marketplace)},"
            f" not at {short(wanted)}",
            "leave out --marketplace",
        )
    return marketplace, plugin


def _refuse_hash(reference: Reference) -> None:
    """Refuse a text that is not the one whose hash its publisher declares: it was changed on the way."""
    if hash_state(reference) in ("differs", "malformed"):
        declared, computed = (
            short(text, _SHOWN) for text in (reference.value("content-hash"), reference.digest)
        )
        raise CurateError(
            f"{reference.path} declares the hash {declared}, and its text has {computed}",
            "ask its publisher which text is meant; --rehash takes the text as it is here",
        )
