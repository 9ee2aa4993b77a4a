"""`spectastic corpus adapt`: make a pack of a folder of Markdown files, or of an llms.txt."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli.corpus import common

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

#: The options that say what the documents do not say themselves: what each takes, and its help.
_FIELDS = {
    "edition": ("EDITION", "which edition of the original they are, in practice a date: 2024-05-28"),
    "license": ("LICENSE", "the SPDX license of the texts: CC-BY-4.0"),
    "origin": ("WHO", "who published the original"),
    "origin-url": ("URL", "where the original is; for an llms.txt, where that is (default: none)"),
    "marketplace": (
        "NAME",
        "where the pack is published (default: as the registry has it; needed for the first row)",
    ),
    "converter": ("WHAT", "how the texts came about (default: verbatim copy)"),
    "status": ("STATUS", "how far they can be trusted (default: authoritative)"),
}


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus adapt`."""
    parser.usage = f"{parser.prog} PATH --pack P [OPTION…]"
    parser.add_argument("path", metavar="PATH", help="a folder of Markdown files, or an llms.txt")
    group = parser.add_argument_group("what they are")
    group.add_argument(
        "--pack", required=True, metavar="PACK", help="the pack that they belong to; a new one is made"
    )
    for name, (metavar, text) in _FIELDS.items():
        group.add_argument(f"--{name}", metavar=metavar, help=text)
    common.add_writing(parser, asking=False)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Adapt the files.

    Raises:
        TroubleError: nothing can be adapted, or something is missing.
    """
    from spectastic.curate.adapting.adapt import Request, plan_adapt
    from spectastic.curate.adapting.gather import gather

    found = common.settings(options)
    given = {name: getattr(options, name.replace("-", "_")) or "" for name in _FIELDS}
    with common.refusals():
        gathered = gather(options.path, os.path.join(found.root, found.corpus), given["origin-url"])
    wanted = Request(options.path, options.pack, gathered, _place(found.root, gathered.folder), given)
    return common.finish(lambda workspace: plan_adapt(workspace, wanted), options)


def _place(root: str, folder: str) -> str:
    """A folder, as documents made of its files say it: relative to the root, or by its name alone."""
    real, top = os.path.realpath(folder), os.path.realpath(root)
    if real == top:
        return ""
    inside = common.place(root, real)
    return f"{inside or os.path.basename(real)}/"
