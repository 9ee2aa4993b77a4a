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

    from spectastic.config import Settings

_OUT = "rendered"


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
    from spectastic.discover.names import SUFFIXES_TOLD
    from spectastic.explorer.page import MARK

    if not options.out:
        raise TroubleError("--out is empty", "name a folder; `.` is the one you are in")
    settings = common.load(options, {"corpus": options.corpus}, options.specs)
    try:
        found = discover(settings)
    except NothingMatches as error:
        raise TroubleError(str(error)) from error
    for trouble in found.unreadable:
        messages.tell(f"{short(trouble.path)}: {trouble.message}", trouble.hint)
    if not found.specs:
        messages.tell(f"no page was made: a spec is a file {SUFFIXES_TOLD} outside of {settings.corpus}")
    made, agree = _render(settings, found.specs, options.out)
    written = {os.path.join(options.out, f"{path}.html"): text.encode() for path, text in made.items()}
    gone = [] if options.specs else sorted(_others(options.out, written))
    code = pages.put(written, options, mark=MARK, below=options.out, gone=gone)
    return FINDINGS if code == OK and options.check and not (agree and not found.unreadable) else code


def _render(settings: Settings, specs: Sequence[str], out: str) -> tuple[dict[str, str], bool]:
    """The page of each spec that has one, by path; and whether each shows what is checked."""
    from spectastic import corpus
    from spectastic.explorer.site import site

    # Git has no say: pages of one tree are the same before and after the commit.
    known = corpus.load(settings.root, settings.corpus, frozenset(settings.extra_licenses))
    with progress.during("Rendering") as bar:
        pages = site(settings, known, specs, out, bar)
    for page in pages:
        if page.trouble:
            messages.tell(f"{short(page.spec)}: {page.trouble}", page.hint)
    return {page.spec: page.text for page in pages if page.text is not None}, all(
        page.agrees for page in pages
    )


def _others(folder: str, written: Mapping[str, bytes]) -> Iterator[str]:
    """The pages of ours below a folder that no spec belongs to. No link is followed."""
    from spectastic.explorer.files import is_page

    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if name.endswith(".html") and path not in written and is_page(path):
                yield path
