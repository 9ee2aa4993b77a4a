"""Many specs as pages, with all the processes that there are."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from spectastic.engine.pipeline import CHUNK, processes
from spectastic.engine.policy import Policy
from spectastic.explorer.documents import Documents
from spectastic.explorer.files import is_ours
from spectastic.explorer.rendering import spec_page
from spectastic.source import Unreadable, read
from spectastic.spec import extract, is_html
from spectastic.spread import processors, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.engine.pipeline import Progress
    from spectastic.explorer.rendering import Rendered
    from spectastic.source import Source


class Page(NamedTuple):
    """The page of a spec, `None` where it has none: `trouble` says why, `hint` what to do.

    `agrees`: it shows the decisions as `validate` reads them in the source.
    """

    spec: str
    text: str | None
    trouble: str = ""
    hint: str = ""
    agrees: bool = True


def site(
    settings: Settings, corpus: Corpus, specs: Sequence[str], out: str, progress: Progress | None = None
) -> list[Page]:
    """The page of each spec, in order of their paths, to be written below the folder `out`.

    `progress` is told (done, total) specs now and then.
    """
    make = partial(
        spec_page,
        corpus=corpus,
        everywhere=settings.citation_scope == "document",
        policy=Policy(settings),
        documents=Documents(corpus),
    )

    def work(chunk: Sequence[str]) -> list[Page]:
        return [_page(path, settings.root, out, make) for path in chunk]

    # Read once, before the processes part.
    _ = corpus.rows
    chunks = [specs[start : start + CHUNK] for start in range(0, len(specs), CHUNK)]
    jobs = processes(settings.jobs or processors(), len(specs))
    pages: list[Page] = []
    for part in spread(work, chunks, jobs) if jobs > 1 else map(work, chunks):
        pages += part
        if progress is not None:
            progress(len(pages), len(specs))
    return sorted(pages, key=lambda page: os.fsencode(page.spec))


def _page(path: str, root: str, out: str, make: Callable[[Source], Rendered]) -> Page:
    source = read(root, path)
    if isinstance(source, Unreadable):
        return Page(path, None, source.message, source.hint, agrees=False)
    # Where pages are committed, they are specs to everybody else; who imitates one hides no decision by it.
    expected = is_html(path) and _is_below(os.path.join(root, path), out)
    if (expected or is_ours(source.data)) and not extract(source).decisions:
        return Page(path, None, "" if expected else "left out, for it is such a page itself")
    made = make(source)
    if source.problems:
        problem = source.problems[0]
        return Page(path, made.text, problem.message, problem.hint, agrees=False)
    trouble = "" if made.agrees else "rendered, it shows other decisions or citations than its source has"
    return Page(path, made.text, trouble, agrees=made.agrees)


def _is_below(path: str, folder: str) -> bool:
    """Whether a file is in a folder, or below it."""
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))
