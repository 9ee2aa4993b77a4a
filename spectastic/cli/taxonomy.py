"""`spectastic taxonomy`: the values that prior art is filed under, looked over and renamed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli import looked, messages, retrieve, retrieved, streams
from spectastic.cli.corpus import common
from spectastic.cli.corpus.reading import columns, line_of, write_json
from spectastic.cli.errors import FINDINGS, OK, TroubleError
from spectastic.retrieval import listed, taxonomy
from spectastic.retrieval.model import FIELDS
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.curate.plan import Plan
    from spectastic.retrieval.listed import Taxonomy
    from spectastic.retrieval.model import Document, Library
    from spectastic.retrieval.taxonomy import Listed, Overview, Renames, Value

_INDENT = "  "
_AGAINST_NOTHING = "values are held against nothing"


def configure(parser: ArgumentParser) -> None:
    """The options of `taxonomy`."""
    parser.add_argument(
        "--check",
        action="store_true",
        help="exit with 1 where there are twins or unlisted values",
    )
    group = parser.add_argument_group("renaming", "Writes to every document that has the value.")
    group.add_argument("--fix", action="store_true", help="write twins as one, where it is sure which")
    group.add_argument(
        "--rename",
        nargs=3,
        action="append",
        metavar=("FIELD", "OLD", "NEW"),
        help="rename a value of a field; may be given several times",
    )
    common.add_writing(parser, asking=False)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    retrieve.add_where(parser)
    parser.add_argument(
        "--taxonomy",
        metavar="FILE",
        help=f"the values to use (default: {listed.FILE} in that folder)",
    )


def run(options: Namespace) -> int:
    """Tell what is wrong with the values, or rename some.

    Raises:
        TroubleError: the configuration, a file or an option is wrong, or a document cannot be written.
    """
    from spectastic.retrieval import documents

    writing = options.fix or options.rename is not None
    if options.check and writing:
        raise TroubleError("--check and renaming do not go together", "--check looks, and writes nothing")
    if options.dry_run and not writing:
        raise TroubleError("--dry-run shows what would be renamed, and nothing is", "add --fix or --rename")
    settings = retrieve.settings(options)
    library = documents.load(settings.root, settings.prior_art_root)
    looked.tell(library)
    file = _listed(options, library)
    known = {} if file is None else file.values
    if writing:
        return _rename(options, library, known)
    found = taxonomy.overview(_all(library), known)
    retrieved.tell_unreadable(library)
    if options.json:
        write_json(options, _as_json(found, file, library))
    else:
        streams.write(_lines(found))
    # A file that checks nothing, or not what it was written to check, must not pass for one that does.
    broken = file is not None and (not known or file.misspelt)
    return FINDINGS if options.check and (found.twins or found.outside or broken) else OK


def _all(library: Library) -> tuple[Document, ...]:
    """All that can be read: what its status keeps out of the ranking is filed under the same values."""
    return (*library.documents, *library.kept_out)


def _listed(options: Namespace, library: Library) -> Taxonomy | None:
    """What the taxonomy lists, and says what of it was not understood; `None` where there is none.

    Raises:
        TroubleError: a file that was named cannot be read, or lists nothing.
    """
    from spectastic.source import Unreadable, read

    if options.taxonomy is not None:
        known = listed.read(common.text_file(options.taxonomy).decode("utf-8", "replace"))
        _tell_misspelt(options.taxonomy, known)
        if not known.values:
            raise TroubleError(
                f"{options.taxonomy} lists no values",
                "write a heading for each field (## Component), and below it a list: - `booking/seats`",
            )
        return known
    path = f"{library.folder}/{listed.FILE}"
    source = read(library.root, path) if _is_there(library, path) else None
    if isinstance(source, Unreadable):
        raise TroubleError(f"{path}: {source.message}", "put the file in its place, or name one: --taxonomy")
    if source is None:
        messages.tell(f"there is no {os.path.join(looked.root(library), path)}: {_AGAINST_NOTHING}")
        return None
    known = listed.read(source.text)
    _tell_misspelt(path, known)
    if not known.values:
        messages.tell(f"{path} lists no values: {_AGAINST_NOTHING}")
    return known


def _tell_misspelt(path: str, known: Taxonomy) -> None:
    for name, meant in known.misspelt:
        messages.tell(
            f"{path}: there is no field {short(name)}, and what it lists is held against nothing:"
            f" did you mean {meant}?"
        )


def _is_there(library: Library, path: str) -> bool:
    """Whether the usual file is there; what a link out of the prior-art folder leads to is not read."""
    where = os.path.join(library.root, path)
    real = os.path.realpath(where)
    inside = os.path.join(os.path.realpath(library.root), *library.folder.split("/"), "")
    if os.path.lexists(where) and not real.startswith(inside):
        raise TroubleError(f"{path}: this link leads out of {library.folder}", "put a copy in its place")
    return os.path.lexists(where)


def _rename(options: Namespace, library: Library, known: Listed) -> int:
    from spectastic.curate import renaming, transaction
    from spectastic.retrieval import documents

    # What an interrupted change has written already is nobody's old value any more.
    pending = transaction.interrupted(library.root, library.folder) is not None
    asked = _asked(options.rename or (), _all(library), pending)

    def plan() -> Plan:
        # Read again: another writer may just have let go.
        now = _all(documents.load(library.root, library.folder))
        found = taxonomy.renames(taxonomy.overview(now, known).twins) if options.fix else {}
        merged = {field: {**found.get(field, {}), **asked.get(field, {})} for field in FIELDS}
        return renaming.plan_renames(library.root, now, taxonomy.settled(merged))

    with common.refusals():
        # What changes nothing needs no lock and leaves no folder for one, unless something is to be finished.
        idle = not pending and not plan().changes
        carry = common.planned if options.dry_run or idle else common.written
        done = carry(library.root, library.folder, plan)
    common.tell(done, options)
    return FINDINGS if done.result["left"] else OK


def _asked(triples: Sequence[Sequence[str]], documents: Sequence[Document], pending: bool) -> Renames:
    """What --rename says; where a change is `pending`, an old value may be gone.

    Raises:
        TroubleError: there is no such field or value, or there are two new ones for it.
    """
    from spectastic.retrieval import vocabulary

    used = vocabulary.of(documents)
    found: Renames = {}
    for field, old, new in triples:
        if field not in FIELDS:
            near = nearest(field, FIELDS, parts=True)
            hint = f"did you mean {near}?" if near else f"fields: {', '.join(FIELDS)}"
            raise TroubleError(f"--rename: there is no field {short(field) or 'without a name'}", hint)
        if not new.strip() or new != new.strip() or not new.isprintable():
            hint = "write it on one line, without blanks around it"
            raise TroubleError(f"--rename: {short(new) or 'nothing'} is no value", hint)
        # a to b, and b to c: b comes into use.
        if not pending and not used[field][old] and [field, old] not in [[own, to] for own, _, to in triples]:
            what = f"{retrieved.noun(field)} {short(old)}"
            raise TroubleError(f"--rename: no document has the {what}", _instead(old, new, used[field]))
        if found.setdefault(field, {}).setdefault(old, new) != new:
            raise TroubleError(f"--rename: {field} {short(old)} has two new values", "keep one of the two")
    return found


def _instead(old: str, new: str, used: Mapping[str, int]) -> str:
    """What was perhaps meant by an old value that nobody uses."""
    words = {word.lower(): word for word in sorted(used) if word != new}
    near = words.get(nearest(old, words, parts=True), "")
    if near:
        return f"did you mean {short(near)} ({used[near]})?"
    if used[new]:
        return f"{short(new)} is in use: it may have been renamed before"
    return "`spectastic taxonomy` shows what is in use"


def _lines(found: Overview) -> Iterator[str]:
    counts = ", ".join(f"{field} {found.values[field]}" for field in FIELDS)
    yield f"{found.documents} documents; different values: {counts}\n"
    if found.twins:
        yield "Twins (kept; twin; how they differ):\n"
        yield from columns(
            (
                (
                    twin.field,
                    f"{short(twin.keep)} ({twin.keep_uses})",
                    f"{short(twin.value)} ({twin.uses})",
                    twin.kind if twin.sure else f"{twin.kind}: renamed by --rename only",
                )
                for twin in found.twins
            ),
            _INDENT,
        )
    if found.shared:
        yield "One word in several fields:\n"
        for values in found.shared:
            yield f"{_INDENT}{line_of(', '.join(f'{item.field} {_counted(item)}' for item in values))}\n"
    yield from _by_field("On more than half of all documents:", found.broad)
    yield from _by_field("Not in the taxonomy:", found.outside)
    yield from _by_field("Used once:", found.once, counted=False)


def _counted(item: Value) -> str:
    return f"{short(item.value)} ({item.uses})"


def _by_field(heading: str, values: Sequence[Value], *, counted: bool = True) -> Iterator[str]:
    """A line for each field, with its values."""
    if values:
        yield f"{heading}\n"
    for field in FIELDS:
        own = [item for item in values if item.field == field]
        if own:
            told = ", ".join(_counted(item) if counted else short(item.value) for item in own)
            yield f"{_INDENT}{line_of(f'{field} ({len(own)}): {told}')}\n"


def _as_json(found: Overview, file: Taxonomy | None, library: Library) -> Mapping[str, object]:
    def told(values: Sequence[Value]) -> list[object]:
        return [item._asdict() for item in values]

    return {
        "prior_art_root": library.folder,
        "documents": found.documents,
        "different_values": dict(found.values),
        "held_against": sorted(file.values) if file else [],
        "misspelt_fields": [item._asdict() for item in file.misspelt] if file else [],
        "twins": [twin._asdict() for twin in found.twins],
        "several_fields": [told(values) for values in found.shared],
        "on_more_than_half": told(found.broad),
        "not_in_taxonomy": told(found.outside),
        "used_once": told(found.once),
    }
