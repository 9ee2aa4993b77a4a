"""What is told of a retrieval, as lines: documents, counts, and a corpus that should not be empty. Pure.

The heading, the lines of the documents and the three fixed texts are a contract: others read them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval.documents import folded_status
from spectastic.retrieval.model import Kind
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.retrieval.model import Document, Library, Shelf
    from spectastic.retrieval.scoring import Hit

HEADING = "Retrieved context for this REQ:"
COLD = "No prior context retrieved — no tagged documents matched this area."
SUPPRESSED = "Spec corpus suppressed by status filter — see stderr warning (BUG-194)."

#: What stands in place of an empty title, and of an empty status.
UNTITLED = "(no title)"
NO_STATUS = "(none)"
#: The width of the longest corpus with its bracket and comma.
_KIND = len("(lesson,")


class Shrink(NamedTuple):
    """A folder of specs of which none takes part. `statuses` has those that were seen, sorted.

    With `drafts`, all of them are drafts: a young project, and nothing wrong.
    """

    specs: int
    statuses: tuple[str, ...]
    drafts: bool

    @property
    def message(self) -> str:
        """What to say on standard error."""
        if self.drafts:
            are = "the only spec is a draft" if self.specs == 1 else f"all {self.specs} specs are drafts"
            return f"{are}, and drafts take no part yet: lessons and bugs alone were looked at"
        return (
            f"/spec: WARNING — spec corpus has {self.specs} requirement.md files but 0 passed the status"
            f" filter (statuses seen: {', '.join(self.statuses) or 'none could be read'}). Retrieval is"
            " running on lessons+bugs only. This is a filter/vocabulary mismatch, not a cold start — see"
            " BUG-194."
        )


def shrink(library: Library) -> Shrink | None:
    """What to say where there are specs and none of them takes part."""
    shelf = library.shelves[Kind.SPEC]
    if shelf.admitted or not shelf.on_disk:
        return None
    statuses = tuple(sorted({folded_status(document.status) for document in shelf.left_out}))
    return Shrink(shelf.on_disk, statuses, statuses == ("draft",) and not shelf.unreadable)


def lines(hits: Sequence[Hit], suppressed: bool) -> Iterator[str]:
    """The documents, a line each, with the corpora below each other; or what to say where there is none.

    `suppressed` says that `shrink` found a mismatch, which is never told as a cold start.
    """
    if suppressed:
        yield SUPPRESSED
    elif not hits:
        yield COLD
    widest = max((len(label(hit.document)) for hit in hits), default=0)
    for hit in hits:
        kind = f"({hit.document.kind.value},"
        yield f"{label(hit.document):<{widest}} {kind:<{_KIND}} score {hit.score}): {title(hit.document)}"


def label(document: Document) -> str:
    """The id of a document as a line shows it."""
    return short(document.id, 40)


def title(document: Document) -> str:
    """The title of a document as a line shows it."""
    return short(document.title, 200) or UNTITLED


def sums(hit: Hit) -> str:
    """How a score came about, and where the day of the document is from."""
    parts = " + ".join(
        f"{part.points} {part.field} {part.value}" if part.field else f"{part.points} no field is filled"
        for part in hit.parts
    )
    source = {"commit": "its last commit", "file": "its file", "none": "nothing dates it"}
    day, origin = hit.dated
    return f"{hit.score} = {parts}; {day.isoformat()} ({source.get(origin, origin)})"


def counts(shelf: Shelf, root: str = "") -> str:
    """What of a corpus takes part, and what its status keeps out; `root` is told with a missing folder."""
    name = shelf.kind.plural
    if shelf.missing:
        return f"{name}: 0 of 0 take part: there is no folder {shelf.folder}" + (
            f" in {root}" if root else ""
        )
    told = f"{name}: {len(shelf.admitted)} of {shelf.on_disk} take part"
    if shelf.left_out:
        told += f"; left out by status: {', '.join(f'{status} {n}' for status, n in statuses(shelf).items())}"
    if shelf.unreadable:
        told += f"; without readable frontmatter: {len(shelf.unreadable)}"
    return told


def statuses(shelf: Shelf) -> dict[str, int]:
    """How many documents each status keeps out, by status."""
    found = Counter(short(folded_status(document.status), 40) or NO_STATUS for document in shelf.left_out)
    return dict(sorted(found.items()))
