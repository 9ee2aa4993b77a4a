"""`spectastic corpus add`: register a document as a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.add import Request
    from spectastic.curate.workspace import Workspace

#: The options that say what a document is: what each takes, and its help.
_FIELDS = {
    "pack": ("PACK", "the pack that it belongs to; a new one is made"),
    "slug": ("SLUG", "its name in the pack; without a number it gets the next one: 003-settlement-cycle"),
    "title": ("TITLE", "its title (default: its first heading)"),
    "edition": ("EDITION", "which edition of the original this is, in practice a date: 2024-05-28"),
    "license": ("LICENSE", "the SPDX license of the text: CC-BY-4.0"),
    "origin": ("WHO", "who published the original"),
    "origin-url": ("URL", "where the original is (default: none)"),
    "marketplace": ("NAME", "where the pack is published (default: as the registry has it)"),
    "description": ("TEXT", "what it tells, for the slug map"),
    "converter": ("WHAT", "how the text came about (default: hand-written)"),
    "status": ("STATUS", "how far it can be trusted (default: authoritative)"),
}


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus add`."""
    parser.usage = f"{parser.prog} FILE --pack P --slug S --edition E --license L --origin O [OPTION…]"
    parser.add_argument(
        "file", metavar="FILE", help="a Markdown file; its frontmatter counts where options are missing"
    )
    group = parser.add_argument_group("what it is")
    for name, (metavar, text) in _FIELDS.items():
        group.add_argument(f"--{name}", metavar=metavar, help=text)
    common.add_writing(parser)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Register the document.

    Raises:
        TroubleError: something is missing, or it cannot be registered.
    """
    from spectastic.curate.add import plan_add

    wanted = _wanted(common.workspace(options), options)
    return common.finish(lambda workspace: plan_add(workspace, wanted), options)


def _wanted(workspace: Workspace, options: Namespace) -> Request:
    """What is to be added; what is missing is asked for, where somebody can answer."""
    from spectastic.curate.add import request

    data = common.text_file(options.file)
    place = common.place(workspace.root, options.file)
    given = {name: getattr(options, name.replace("-", "_")) or "" for name in _FIELDS}
    with common.refusals():
        wanted = request(workspace, options.file, data, place, given)
        if wanted.missing and common.asks(options):
            given |= {name: common.ask(f"{name} ({_FIELDS[name][1]})") for name in wanted.missing}
            wanted = request(workspace, options.file, data, place, given)
    if wanted.missing:
        flags = " ".join(f"--{name} {_FIELDS[name][0]}" for name in wanted.missing)
        raise TroubleError(
            f"what is known of {options.file} is not enough: {', '.join(wanted.missing)}", f"add {flags}"
        )
    return wanted
