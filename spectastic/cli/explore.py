"""`spectastic explore`: the corpus, and what cites it, as one page."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING

from spectastic.cli import messages, pages, progress
from spectastic.cli.corpus import common, reading
from spectastic.cli.errors import OK, TroubleError
from spectastic.cli.parser import whole_number

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Hashable


_OUT = "corpus-explorer.html"
_PORT = 8765


def configure(parser: ArgumentParser) -> None:
    """The options of `explore`."""
    common.add_common(parser)
    parser.add_argument("--out", metavar="FILE", help=f"write the page there (default: {_OUT})")
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    pages.add_writing(parser, checking=False)
    serving = parser.add_argument_group("while you write")
    serving.add_argument(
        "--serve", action="store_true", help="serve the page on this machine; it follows what changes"
    )
    serving.add_argument(
        "--port", type=_port, metavar="N", help=f"the port to serve on, 0 for a free one (default: {_PORT})"
    )


def run(options: Namespace) -> int:
    """Write the page, or serve it.

    Raises:
        TroubleError: there is no corpus, the usage or the configuration is wrong, or the page must not be
            written.
    """
    from spectastic.explorer.page import MARK

    if options.serve:
        return _serve(options)
    if options.port is not None:
        raise TroubleError("--port goes with --serve")
    path = options.out or _OUT
    pages.put({path: _page(options, live=False).encode("utf-8", "backslashreplace")}, options, mark=MARK)
    if options.open:
        _open(path)
    return OK


def _page(options: Namespace, *, live: bool) -> str:
    from spectastic.explorer import corpus_page
    from spectastic.explorer.gather import gather

    settings, corpus = reading.load(options, as_checked=True)
    if live:
        # The threads that answer are there already, and a process that has threads must not fork.
        settings = settings._replace(jobs=1)
    with nullcontext() if live else progress.during("Building") as bar:
        explorer = gather(settings, corpus, bar)
    reading.tell_unread(explorer.unread, explorer.damaged)
    return corpus_page.render(explorer, live=live)


def _serve(options: Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from spectastic.explorer import serve

    if options.out or options.json:
        raise TroubleError(f"--serve writes nothing, so {'--out' if options.out else '--json'} is of no use")
    try:
        serve.serve(
            lambda: _page(options, live=True),
            lambda: _seen(options),
            _PORT if options.port is None else options.port,
            messages.tell,
            _open_address if options.open else None,
        )
    except serve.PortError as error:
        raise TroubleError(str(error), error.hint) from error
    return OK


def _seen(options: Namespace) -> Hashable:
    """What is another value once the page is."""
    from spectastic.explorer.signature import signature

    settings = common.settings(options)
    return repr(settings), signature(settings)


def _open(path: str) -> None:
    from pathlib import Path

    _open_address(Path(os.path.abspath(path)).as_uri())


def _open_address(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        messages.tell(f"no browser can be started; the page is at {address}")


def _port(text: str) -> int:
    return whole_number(text, "is no port: a number from 0 to 65535", least=0, most=65_535)
