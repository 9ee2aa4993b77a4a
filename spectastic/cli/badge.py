"""`spectastic badge`: how many decisions are grounded, as an SVG for a README."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import pages, streams
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import FINDINGS, OK, TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """The options of `badge`."""
    common.add_common(parser)
    parser.add_argument("--out", metavar="FILE", help="write it there (default: print it)")
    pages.add_writing(parser, checking=True)


def run(options: Namespace) -> int:
    """Print the badge, or write it.

    Raises:
        TroubleError: there is no corpus, the usage or the configuration is wrong, or the file must not be
            written.
    """
    from spectastic.engine.citing import counted, every_decision
    from spectastic.explorer import badge

    if options.out is None and (options.check or options.force or options.dry_run or options.json):
        raise TroubleError("this goes with a file", "name it with --out FILE")
    settings, corpus = reading.load(options)
    cited = every_decision(settings, corpus)
    reading.tell_unread(cited.unread, cited.damaged)
    drawn = badge.render(counted(cited))
    if options.out is None:
        streams.write([drawn])
        return OK
    code = pages.put({options.out: drawn.encode()}, options, mark=badge.MARK)
    return FINDINGS if options.check and (cited.unread or cited.damaged) else code
