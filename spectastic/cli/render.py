"""`spectastic render`: specs as pages, with a badge on every decision."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli import messages, pages, progress
from spectastic.cli.corpus import common
from spectastic.cli.errors import FINDINGS, OK, TroubleError
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.cli.progress import Bar
    from spectastic.config import Settings

_OUT = "rendered"
#: More files than this show a progress bar.
_MANY = 20


def configure(parser: ArgumentParser) -> None:
    """The options of `render`."""
    parser.usage = f"{parser.prog} [OPTION…] [SPEC…]"
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="specs or folders (default: the whole tree)")
    common.add_common(parser)
    parser.add_argument("--out", metavar="DIR", default=_OUT, help=f"write there (default: {_OUT})")
    pages.add_writing(parser, checking=True)


def run(options: Namespace) -> int:
    """Write a page for each spec; 1 with `--check` where one is out of date or shows what is not checked.

    Raises:
        TroubleError: the usage or the configuration is wrong, or a page must not be written.
    """
    from spectastic.discover import NothingMatches, discover
    from spectastic.explorer.page import MARK

    if not options.out:
        raise TroubleError("--out is empty", "name a folder; `.` is the one you are in")
    settings = common.load(options, {"corpus": options.corpus}, options.specs)
    try:
        found = discover(settings)
    except NothingMatches as error:
        raise TroubleError(str(error), "`spectastic validate --help` says what is a spec") from error
    for trouble in found.unreadable:
        messages.tell(f"{short(trouble.path)}: {trouble.message}", trouble.hint)
    specs = [path for path in found.specs if not _is_below(os.path.join(settings.root, path), options.out)]
    made, odd = _render(settings, specs)
    written = {os.path.join(options.out, f"{path}.html"): text.encode() for path, text in made.items()}
    gone = [] if options.specs else sorted(_others(options.out, written))
    code = pages.put(written, options, mark=MARK, below=options.out, gone=gone)
    return FINDINGS if code == OK and options.check and (odd or found.unreadable) else code


def _is_below(path: str, folder: str) -> bool:
    """Whether a file is one of the pages: where they are committed, they are specs to everybody else."""
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def _render(settings: Settings, specs: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The page of each spec, by path; and the specs that have none, or one that shows what is not checked."""
    from spectastic import corpus
    from spectastic.explorer.page import MARK
    from spectastic.explorer.rendering import spec_page
    from spectastic.source import Unreadable, read

    known = corpus.load(settings.root, settings.corpus, frozenset(settings.extra_licenses))
    everywhere = settings.citation_scope == "document"
    made: dict[str, str] = {}
    odd: list[str] = []
    for path in _told(specs):
        source = read(settings.root, path)
        if isinstance(source, Unreadable):
            messages.tell(f"{short(path)}: {source.message}", source.hint)
            odd.append(path)
            continue
        if MARK in source.data:
            messages.tell(f"{short(path)} is left out: it is such a page itself")
            continue
        page = spec_page(source, known, everywhere=everywhere)
        made[path] = page.text
        if not page.agrees:
            messages.tell(
                f"{short(path)}: rendered, it shows other decisions or citations than its source has"
            )
            odd.append(path)
    return made, odd


def _told(specs: Sequence[str]) -> Iterator[str]:
    """The specs, with a bar that says how far they are."""
    if len(specs) <= _MANY:
        yield from specs
        return
    with progress.during("Rendering") as bar:
        for done, path in enumerate(specs, start=1):
            yield path
            _advance(bar, done, len(specs))


def _advance(bar: Bar | None, done: int, total: int) -> None:
    if bar is not None:
        bar(done, total)


def _others(folder: str, written: Mapping[str, bytes]) -> Iterator[str]:
    """The pages of ours below a folder that no spec belongs to. No link is followed."""
    from spectastic.explorer import files
    from spectastic.explorer.page import MARK

    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            is_page = name.endswith(".html") and path not in written and not os.path.islink(path)
            # A pipe would be waited for.
            if is_page and os.path.isfile(path) and MARK in files.head(path):
                yield path
