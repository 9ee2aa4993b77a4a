"""What cannot be registered, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus.layout import ID, ID_HINT, SLUG, SLUG_HINT
from spectastic.corpus.model import Miss
from spectastic.corpus.references import digest
from spectastic.curate import documents, names, tables
from spectastic.curate.plan import CurateError
from spectastic.frontmatter import conflict_problems
from spectastic.spec.citation import Token, find
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Row
    from spectastic.curate.register import Entry
    from spectastic.curate.workspace import Workspace

#: What the name of a new pack is like.
PACK_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_PACK = 64
#: A slug, with its number or without.
WORDS = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


def refuse_edition(slug: str, edition: str) -> str:
    """Why a document cannot have an edition, as a clause about it; "" where it can.

    It must be one that a citation can name, and that the name of a retained copy can hold.
    """
    if why := _uncitable(edition):
        return why
    if printable(edition) != edition:
        return "has characters in it that cannot be seen"
    why = names.refuse(f"{slug}@{edition}.md")
    return f"cannot be part of a file name, as in superseded/: {slug}@{edition}.md {why}" if why else ""


def _uncitable(edition: str) -> str:
    """Why an edition would not be read out of a citation of it, "" where it would."""
    token = next(find(f"KB-0001@{edition}"), None)
    if not isinstance(token, Token) or token.run != edition:
        return "cannot be cited: a blank, <, ` or an id in it ends a citation"
    if token.fault is not None:
        return f"cannot be cited: {token.fault.message.partition(': ')[2]}"
    if token.edition != edition:
        return f"cannot be cited: in a text, it would be read as {short(token.edition or '')}"
    return ""


def refuse_corpus(workspace: Workspace, kept: Collection[str] = ()) -> None:
    """Raise `CurateError` where the registry cannot be written to; `kept` are ids that get rows in it."""
    corpus = workspace.corpus
    path = workspace.registry
    older = next((row for row in corpus.registry.rows if row.file != path and row.id not in kept), None)
    if older is not None:
        raise refuse_older(older)
    for row in corpus.registry.rows:
        if row.file == path and row.id in kept:
            raise CurateError(f"{row.id} is registered already: {short(row.label)}")
    source = workspace.source(path)
    if source is not None:
        for problem in conflict_problems(source.encoded, source.base):
            line = source.line_of(problem.span.start)
            raise CurateError(f"{path}:{line}: {problem.message}", problem.hint)


def refuse_no_registry(workspace: Workspace) -> None:
    """Refuse a corpus in which no id is given."""
    if workspace.corpus.find("", None).miss is Miss.NO_REGISTRY:
        message = f"there is no registry {workspace.registry}"
        raise CurateError(message, "`spectastic init` makes one; --corpus names another")


def refuse_older(older: Row) -> CurateError:
    """Why a corpus whose packs give the ids, as that of this row, cannot be written to, and what to do."""
    return CurateError(
        f"this corpus is of an older kind: {older.id} has its id from {older.file}, not from a registry",
        f"{migration(older)} gives its documents rows in a registry",
    )


def refuse_unknown(corpus: Corpus, identifier: str, hint: str, detail: str = "") -> CurateError:
    """Why nothing is done about an id that no row has; the `hint` is for where none is like it."""
    if not ID.fullmatch(identifier):
        return CurateError(f"{short(identifier) or 'an empty text'} is no id", ID_HINT)
    near = corpus.nearest(identifier)
    why = f": {detail}" if detail else ""
    return CurateError(
        f"there is no {short(identifier)} in the registry{why}", f"did you mean {near}?" if near else hint
    )


def migration(older: Row) -> str:
    """The command that makes a pack of an older kind, that of this row, one with rows in a registry."""
    from shlex import quote

    return f"`spectastic corpus migrate {quote(older.plugin)}`"


def refuse_entry(workspace: Workspace, entry: Entry) -> None:
    """Refuse an entry that says too little, or what a row and a file name cannot say."""
    if not SLUG.fullmatch(entry.slug):
        raise CurateError(f"{short(entry.slug) or 'an empty text'} is no slug", SLUG_HINT)
    # What has an id has been cited at this edition, whatever it is.
    why = "" if entry.id else refuse_edition(entry.slug, entry.edition)
    if why:
        raise CurateError(
            f"the edition {short(entry.edition) or '(none)'} {why}", "choose another: 2024-05-28"
        )
    for column, text in (("title", entry.title), ("marketplace", entry.marketplace)):
        if tables.plain(text) in ("", "TODO"):
            raise CurateError(f"{entry.slug} has no {column}")
    if entry.pack not in workspace.names(workspace.folder):
        refuse_pack(workspace, entry.pack)


def refuse_same_text(workspace: Workspace, data: bytes, besides: Callable[[Reference], bool]) -> None:
    """Refuse a document without a text, and one whose text is a reference already, but for some of these."""
    base, found = documents.opened(data)
    body = data[found.block.body if found.block else base :]
    if not body.strip():
        raise CurateError("the document has no text", "write what can be cited")
    computed = digest(body)
    corpus = workspace.corpus
    same = next((item for item in corpus.references if item.digest == computed and not besides(item)), None)
    if same:
        row = next((row for row in corpus.rows.values() if corpus.find(row.id, None).path == same.path), None)
        known = f"{row.id}, {same.path}" if row else same.path
        hint = f"cite it as {row.id}@{row.edition}" if row else "add that file, or remove it"
        raise CurateError(f"this text is a reference already: {known}", hint)


def refuse_words(words: str) -> str:
    """Why these are not the words of a slug, as a sentence; "" where they are."""
    return "" if WORDS.fullmatch(words) else f"{short(words) or '(nothing)'} is no slug: {SLUG_HINT}"


def refuse_pack(workspace: Workspace, pack: str) -> None:
    """Refuse a name that a new pack cannot have."""
    why = names.refuse(pack, workspace.names(workspace.folder))
    if why:
        raise CurateError(f"a pack cannot be named {short(pack) or '(nothing)'}: the name {why}")
    if not PACK_NAME.fullmatch(pack) or len(pack) > _LONGEST_PACK:
        raise CurateError(
            f"a pack cannot be named {short(pack)}",
            f"the name of a new pack is lower-case words and hyphens, at most {_LONGEST_PACK} characters",
        )


def refuse_twice(workspace: Workspace, entries: Sequence[Entry], paths: Sequence[str]) -> None:
    """Refuse a slug or a path that is registered, or that two entries share."""
    known: dict[tuple[str, ...], Row | None] = {}
    for row in workspace.corpus.rows.values():
        if row.file != workspace.registry:
            continue
        home = row.path.split("/")[0]
        for key in _keys(home, row.marketplace, row.plugin, row.slug, f"{workspace.folder}/{row.path}"):
            known.setdefault(key, row)
    for entry, path in zip(entries, paths, strict=True):
        for key in _keys(entry.pack, entry.marketplace, entry.plugin or entry.pack, entry.slug, path):
            if key not in known:
                known[key] = None
                continue
            first = known[key]
            if first is None:
                raise CurateError(f"{entry.slug} is to be registered twice in the pack {entry.pack}")
            raise CurateError(
                f"{short(first.slug)} of the pack {entry.pack} is registered already, as {first.id}",
                f"for a new edition: spectastic corpus supersede {first.id} --edition E --from FILE",
            )


def _keys(pack: str, marketplace: str, plugin: str, slug: str, path: str) -> tuple[tuple[str, ...], ...]:
    """What no two rows share. Slugs that differ in case would share a file on some systems."""
    folded = slug.casefold()
    return (pack, folded), (marketplace, plugin, folded), (path,)
