"""`spectastic corpus source`: a document of an authority becomes a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common, converting, taking
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.add import Door
    from spectastic.fetch import Bounds, Fetched


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus source`."""
    parser.usage = (
        f"{parser.prog} URL (--fetch | --from FILE) --pack P --slug S --edition E --license L --origin O "
        f"[OPTION…]\n       {parser.prog} FILE --pack P --slug S --edition E --license L --origin O [OPTION…]"
    )
    parser.add_argument("source", metavar="URL|FILE", help="where the document is")
    group = parser.add_argument_group("where its text comes from")
    group.add_argument("--from", dest="file", metavar="FILE", help="this file, which is from that address")
    group.add_argument("--fetch", action="store_true", help="the address: nothing is fetched otherwise")
    group.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help="a host, or a private address, that may be asked; repeat it for another (besides allowed-hosts)",
    )
    group.add_argument("--allow-http", action="store_true", help="ask without encryption too")
    converting.add_options(parser, "how long the document may take to fetch, and then to convert")
    taking.add_fields(parser, "converter", "status")
    common.add_writing(parser)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Register the document.

    Raises:
        TroubleError: it is used wrongly, or there is no text, or it cannot be registered.
    """
    if "://" not in options.source:
        if options.file is not None or options.fetch or options.allow_host or options.allow_http:
            raise TroubleError(
                f"{options.source} is no address, so there is nothing to fetch",
                "write the whole address, https://…, or leave out --from, --fetch and what belongs to them",
            )
        return _local(options, options.source, "")
    _refuse(options)
    return _remote(options) if options.fetch else _local(options, options.file, options.source)


def _refuse(options: Namespace) -> None:
    """Refuse options that do not go together with an address, and an address that is none."""
    from spectastic.fetch import parse

    with converting.troubles():
        parse(options.source)
    if options.origin_url:
        raise TroubleError("the address is the origin-url", "leave out --origin-url")
    if options.fetch and options.file is not None:
        raise TroubleError("--fetch and --from each say where the text comes from", "leave out one of them")
    if not options.fetch and (options.allow_host or options.allow_http):
        raise TroubleError(
            "--allow-host and --allow-http say what may be fetched, and nothing is", "add --fetch"
        )
    if not options.fetch and options.file is None:
        raise TroubleError(
            f"nothing was fetched from {options.source}",
            "add --fetch to fetch it now, or --from FILE if you have fetched it already",
        )


def _local(options: Namespace, file: str, url: str) -> int:
    """Register a file, which is from an address or from nowhere in particular."""
    from spectastic.convert import kind
    from spectastic.curate.doors import COPIED, FETCHED_BY_HAND, sourced

    data = converting.document(file)
    if options.converter is None and not kind(file, data):
        door = sourced(FETCHED_BY_HAND if url else COPIED, url, foreign=False)
        return taking.register(options, taking.Text(file, common.text_file(file)), door)
    used = converting.converter(options)
    door = sourced(used.name, url)
    taking.precheck(options, door)
    return taking.register(options, taking.Text(file, converting.text(file, data, used, options)), door)


def _remote(options: Namespace) -> int:
    """Fetch a document, and register it."""
    from spectastic.curate.doors import FETCHED, sourced
    from spectastic.fetch import fetch

    url = options.source
    taking.precheck(options, sourced(FETCHED, url))
    with converting.troubles():
        found = fetch(url, _bounds(options))
    text, door = _text(options, found)
    return taking.register(options, taking.Text(url, text, local=False), door)


def _text(options: Namespace, found: Fetched) -> tuple[bytes, Door]:
    """The Markdown of what was fetched, and the door for it."""
    from spectastic.convert import markdown
    from spectastic.curate.doors import FETCHED, sourced

    url = options.source
    if options.converter is None and not found.ending:
        with converting.troubles():
            return markdown(found.data, url), sourced(FETCHED, url)
    used = converting.converter(options)
    text = converting.text(f"document{found.ending or '.md'}", found.data, used, options)
    return text, sourced(used.name, url)


def _bounds(options: Namespace) -> Bounds:
    from spectastic.convert import MOST
    from spectastic.fetch import Bounds

    hosts = (*common.settings(options).allowed_hosts, *options.allow_host)
    return Bounds(hosts, options.allow_http, options.timeout, MOST)
