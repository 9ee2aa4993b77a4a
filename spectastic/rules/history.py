"""What became of the corpus since a base revision: how `corpus-append-only` compares the two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import NOWHERE, SUPERSEDED, Outcome, says_nothing
from spectastic.corpus.retained import retained_as
from spectastic.findings import Severity
from spectastic.frontmatter import split
from spectastic.rules.common import cell, home, some, stated
from spectastic.rules.corpus_append_only import RULE
from spectastic.source import Unreadable
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Reference, Resolution, Row
    from spectastic.findings import Finding, Span

#: The field of a retained document that may change, with the lines that go on with it.
_FIELD = r"""^(?:{0}|"{0}"|'{0}')[ \t]*:[^\n]*+\n?+(?:(?:[ \t]++|-(?=[ \t\n]))[^\n]*+\n?+)*+"""
_INDENT = re.compile(rb"(?:---[ \t]*\n)?(?:[ \t]*(?:#[^\n]*)?\n)*+([ ]+)")
_STATUS = re.compile(_FIELD.format("status").encode(), re.MULTILINE)
_HASH = re.compile(_FIELD.format("content-hash").encode(), re.MULTILINE)
_SLUG = re.compile(_FIELD.format("slug").encode(), re.MULTILINE)
_NAME = re.compile(_FIELD.format("(?:id|slug)").encode(), re.MULTILINE)


class _Pair(NamedTuple):
    """The corpus and its base, and what is asked of them again and again.

    `documents` are those of the corpus by path, `dropped` the places of its rows that are no rows by
    id. `followed` collects the documents of the base that editions led to, `told` those of them of
    which there is a finding. `renamed` collects the slugs, before and now, of rows whose text stayed.
    """

    corpus: Corpus
    base: Corpus
    documents: dict[str, Reference]
    dropped: dict[str, Span]
    followed: set[str]
    told: set[str]
    renamed: set[tuple[str, str]]


def compare(corpus: Corpus, base: Corpus) -> Iterator[Finding]:
    """What `corpus` no longer has of `base`, as findings of `corpus-append-only`."""
    documents = {reference.path: reference for reference in corpus.references}
    dropped = {problem.subject: problem.span for problem in reversed(corpus.registry.problems)}
    pair = _Pair(corpus, base, documents, dropped, set(), set(), set())
    if base.rows and not corpus.rows:
        message = f"no row of the base revision is left: {some(list(base.rows))}"
        path = corpus.registry.path
        yield RULE.at(path, NOWHERE, message, hint=f"restore {path}, with every row", subject=path)
    else:
        for row in base.rows.values():
            yield from _row(row, pair)
    yield from _others(pair)


def _row(row: Row, pair: _Pair) -> Iterator[Finding]:
    """What became of a row of the base and of its editions."""
    now = pair.corpus.rows.get(row.id)
    if now is None:
        yield _gone(row, pair)
        return
    columns = _renamed(row, now, pair)
    if columns:
        names = [" · ".join(part if part else "(blank)" for part in _names(at)) for at in (row, now)]
        message = f"{row.id} was {short(names[0])} at the base revision, and is {short(names[1])} now"
        hint = "an id keeps its meaning for ever: restore the row, and give another fact an id of its own"
        yield RULE.at(now.file, cell(now, columns[0]), message, hint=hint, subject=row.id)
    # Under another slug, other documents are looked for; what was retained is then followed by its path.
    if "Slug" not in columns:
        for edition in pair.base.editions(row.id):
            then = pair.base.reference_for(pair.base.find(row.id, edition))
            if then is not None:
                pair.followed.add(then.path)
                for finding in _edition(edition, then, now, pair):
                    if then.path not in pair.told:
                        pair.told.add(then.path)
                        yield finding


def _gone(row: Row, pair: _Pair) -> Finding:
    why = _why(pair.corpus.find(row.id, None))
    message = f"{row.id}, {short(row.label)}, was registered at the base revision, and is not any more{why}"
    hint = "restore it: where its document is gone for good, the row stays, with the Status orphaned"
    span = pair.dropped.get(row.id, NOWHERE)
    return RULE.at(pair.corpus.registry.path, span, message, hint=hint, subject=row.id)


def _names(row: Row) -> tuple[str, str, str]:
    return row.marketplace, row.plugin, row.slug


def _renamed(row: Row, now: Row, pair: _Pair) -> list[str]:
    """The columns in which a row no longer says what its id names. What was blank may be filled in."""
    if row.file != pair.base.registry.path:
        # In an older corpus, names come from folders and files, and the documents carry the ids.
        return [] if now.slug == row.slug or now.path == row.path or _same_text(row.id, pair) else ["Slug"]
    columns = zip(
        ("Slug", "Plugin", "Marketplace"), reversed(_names(row)), reversed(_names(now)), strict=True
    )
    found = [column for column, then, today in columns if then != today and not says_nothing(then)]
    if found == ["Slug"] and _is_renamed(row, now, pair):
        pair.renamed.add((row.slug, now.slug))
        return []
    return found


def _is_renamed(row: Row, now: Row, pair: _Pair) -> bool:
    """Whether row and document have another slug together, and whoever cites it still finds its text."""
    then = pair.base.reference_for(pair.base.find(row.id, row.edition))
    today = pair.corpus.reference_for(pair.corpus.find(row.id, row.edition))
    if then is None or today is None:
        return False
    said = (then.value("slug"), today.value("slug"))
    return said == (row.slug, now.slug) and not _texts(then, today, pair)[0]


def _same_text(identifier: str, pair: _Pair) -> bool:
    """Whether the current document of an id has the text that it had."""
    then, today = (at.reference_for(at.find(identifier, None)) for at in (pair.base, pair.corpus))
    return then is not None and today is not None and not _texts(then, today, pair)[0]


def _edition(edition: str, then: Reference, row: Row, pair: _Pair) -> Iterator[Finding]:
    """What became of an edition that could be cited, as `then`; `row` is the one that its id has now."""
    was, now = pair.base.find(row.id, edition).outcome, pair.corpus.find(row.id, edition)
    today = pair.corpus.reference_for(now)
    subject = f"{row.id}@{short(edition, 40)}"
    if today is None and was is Outcome.CURRENT and row.edition != edition:
        yield _moved_on(edition, subject, now, row, pair)
    elif today is None:
        yield _lost(edition, subject, was, then, now, row, pair)
    elif was is Outcome.SUPERSEDED and now.outcome is Outcome.SUPERSEDED:
        yield from _changed(subject, then, today, pair)
    elif was is not now.outcome:
        if what := " and ".join(_differing(*_texts(then, today, pair))):
            message = (
                f"{subject} has another {what} as a {now.outcome.value} edition than as a {was.value} one"
            )
            hint = "move the document as it was at the base revision, and change nothing in it but its status"
            yield RULE.at(today.path, today.head, message, hint=hint, subject=subject)
    elif _texts(then, today, pair)[0]:
        # A slip of the pen may be corrected. Whether it was one is for a reviewer to see.
        message = (
            f"the text of {subject} changed, and its edition did not: who cites it has read another text"
        )
        hint = "if this is more than a slip of the pen, make it a new edition and retain the old document"
        yield RULE.at(today.path, today.head, message, hint=hint, subject=subject, severity=Severity.WARNING)


def _differing(text: bool, frontmatter: bool) -> list[str]:
    return ["text"] * text + ["frontmatter"] * frontmatter


def _moved_on(edition: str, subject: str, now: Resolution, row: Row, pair: _Pair) -> Finding:
    new = short(row.edition, 40) or "nothing"
    message = f"the edition of {row.id} moved on from {short(edition, 40)} to {new}"
    message += f", and the document of {short(edition, 40)} was not retained{_why(now)}"
    hint = f"commit that document as it was, with status: superseded, as {_place(row, edition, pair)}"
    return RULE.at(row.file, cell(row, "Edition"), message, hint=hint, subject=subject)


def _lost(
    edition: str, subject: str, was: Outcome, then: Reference, now: Resolution, row: Row, pair: _Pair
) -> Finding:
    """An edition that leads to nothing any more, although its row did not move on."""
    message = f"{subject} led to {short(then.path)} at the base revision, and leads to nothing now{_why(now)}"
    if was is Outcome.SUPERSEDED:
        hint, path = "restore it as it was: retained editions are kept for ever", then.path
    else:
        place = _place(row, edition, pair)
        hint = f"restore it; where it is gone for good, retain it as {place}, and mark its row orphaned"
        path = now.path
    left = pair.documents.get(path)
    path, span = (row.file, cell(row, "Path")) if left is None else (left.path, left.span("edition"))
    return RULE.at(path, span, message, hint=hint, subject=subject)


def _why(resolution: Resolution) -> str:
    return f" ({short(resolution.detail)})" if resolution.detail else ""


def _place(row: Row, edition: str, pair: _Pair) -> str:
    """Where a retained document has to stand."""
    name = f"{row.slug or '<slug>'}@{edition.replace('/', '-')}.md"
    return short(f"{home(row, pair.corpus)}/{SUPERSEDED}/{name}", 120)


def _others(pair: _Pair) -> Iterator[Finding]:
    """The retained documents of the base that no edition led to, by their paths."""
    before = {reference.path for reference in pair.base.references}
    added = (item for item in pair.documents.values() if item.superseded and item.path not in before)
    moved = {_mark(reference) for reference in added}
    for then in pair.base.references:
        if then.superseded and not then.unreadable and then.path not in pair.followed:
            today = pair.documents.get(then.path)
            if today is not None:
                yield from _changed(then.path, then, today, pair)
            elif not then.digest or _mark(then) not in moved:
                message = f"{short(then.path)} was a retained document at the base revision, and is gone"
                hint = "restore it as it was: retained editions are kept for ever"
                yield RULE.at(pair.corpus.registry.path, NOWHERE, message, hint=hint, subject=then.path)


def _mark(reference: Reference) -> tuple[str, str]:
    """By what a retained document is known again in another place."""
    named = retained_as(reference.path)
    edition = named[1] if named else stated(reference, "edition")
    return edition or reference.path.rpartition("/")[2], reference.digest


def _changed(subject: str, then: Reference, today: Reference, pair: _Pair) -> Iterator[Finding]:
    """What has changed in a retained document that must not."""
    if today.unreadable:
        message = f"{short(subject)} is retained, and cannot be read any more: {today.unreadable}"
        yield RULE.at(today.path, NOWHERE, message, hint="restore it as it was", subject=subject)
        return
    text, frontmatter = _texts(then, today, pair)
    if text or frontmatter:
        fields = [*today.fields, *(name for name in then.fields if name not in today.fields)]
        names = [name for name in fields if name != "status" and then.value(name) != today.value(name)]
        where = f"its frontmatter ({some(names)})" if names else "its frontmatter"
        what = " and ".join(["its text"] * text + [where] * frontmatter)
        message = f"{short(subject)} is retained, and {what} changed since the base revision"
        hint = "restore it: only the status may change; a correction is a new edition with its own document"
        span = today.span(names[0]) if names and not text else today.head
        yield RULE.at(today.path, span, message, hint=hint, subject=subject)


def _texts(then: Reference, today: Reference, pair: _Pair) -> tuple[bool, bool]:
    """Whether the texts of two documents differ, and whether their frontmatter does beside the status."""
    old, new = _parts(pair.base, then.path), _parts(pair.corpus, today.path)
    if says_nothing(then.value("content-hash")) and today.value("content-hash") == today.digest:
        # It may be written where it was still to be computed.
        old, new = ((_HASH.sub(b"", head), text) for head, text in (old, new))
    if (then.value("slug"), today.value("slug")) in pair.renamed:
        old, new = ((_SLUG.sub(b"", head), text) for head, text in (old, new))
    if _migrated(then, today, pair):
        old, new = ((_NAME.sub(b"", head), text) for head, text in (old, new))
    return old[1] != new[1], old[0] != new[0]


def _migrated(then: Reference, today: Reference, pair: _Pair) -> bool:
    """Whether a document of an older corpus now goes by the slug of the row that its id was given."""
    identifier, slug = then.value("id"), today.value("slug")
    now, was = pair.corpus.rows.get(identifier), pair.base.rows.get(identifier)
    if now is None or now.slug != slug or now.file != pair.corpus.registry.path:
        return False
    return was is None or was.file != pair.base.registry.path


def _parts(corpus: Corpus, path: str) -> tuple[bytes, bytes]:
    """The frontmatter of a document, without its status, and its text. CRLF counts as LF."""
    source = corpus.read(path)
    if isinstance(source, Unreadable):
        return b"", b""
    block = split(source.encoded)
    if block is None:
        return b"", source.data[source.base :].replace(b"\r\n", b"\n")
    frontmatter = source.encoded[block.start : block.end].replace(b"\r\n", b"\n")
    return _STATUS.sub(b"", _at_margin(frontmatter)), source.data[source.base + block.body :].replace(
        b"\r\n", b"\n"
    )


def _at_margin(frontmatter: bytes) -> bytes:
    """Frontmatter without the blanks that all of its keys are indented by."""
    indent = _INDENT.match(frontmatter)
    return frontmatter if indent is None else re.sub(b"(?m)^" + indent[1], b"", frontmatter)
