"""What the commands share that take a document in: what is known of it, and how it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.cli.corpus import common
from spectastic.cli.errors import TroubleError
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.add import Door, Request
    from spectastic.curate.workspace import Workspace

#: The options that say what a document is: what each takes, and its help.
FIELDS = {
    "pack": ("PACK", "the pack that it belongs to; a new one is made"),
    "slug": ("SLUG", "its name in the pack; without a number it gets the next one: 003-settlement-cycle"),
    "title": ("TITLE", "its title (default: its first heading)"),
    "edition": ("EDITION", "which edition of the original this is, in practice a date: 2024-05-28"),
    "license": ("LICENSE", "the SPDX license of the text: CC-BY-4.0"),
    "origin": ("WHO", "who published the original"),
    "origin-url": ("URL", "where the original is (default: none)"),
    "marketplace": (
        "NAME",
        "where the pack is published (default: as the registry has it; needed for the first row)",
    ),
    "description": ("TEXT", "what it tells, for the slug map"),
    "converter": ("WHAT", "how the text came about (default: hand-written)"),
    "status": ("STATUS", "how far it can be trusted (default: authoritative)"),
}
#: Stands for a text that is not there yet, and may have any title.
_UNKNOWN = b"# ?\n"


class Text(NamedTuple):
    """A text to register, and what it is from: a file as it was named, unless it is not `local`.

    A `heading` is put above it.
    """

    file: str
    data: bytes
    heading: str = ""
    local: bool = True


def add_fields(parser: ArgumentParser, *without: str) -> None:
    """The options that say what a document is."""
    group = parser.add_argument_group("what it is")
    for name, (metavar, text) in FIELDS.items():
        if name not in without:
            group.add_argument(f"--{name}", metavar=metavar, help=text)


def register(options: Namespace, text: Text, door: Door) -> int:
    """Register a text by a door, and give the exit code.

    Raises:
        TroubleError: something is missing, or it cannot be registered.
    """
    from spectastic.curate.add import plan_add

    wanted = _complete(common.workspace(options), options, text, door)
    return common.finish(lambda workspace: plan_add(workspace, wanted), options)


def precheck(options: Namespace, door: Door) -> None:
    """Raise `TroubleError` where it is clear before there is a text that too little will be known of it.

    So nothing is fetched or converted in vain.
    """
    if not common.asks(options):
        _complete(common.workspace(options), options, Text("the document", _UNKNOWN, local=False), door)


def _asked(name: str) -> str:
    """What somebody says of a document."""
    from spectastic.curate.refusals import refuse_edition, refuse_words

    def refuse(answer: str) -> str:
        if not answer:
            return "this has to be said; Ctrl-C ends it, and nothing is changed"
        if name == "slug":
            return refuse_words(answer)
        # The slug may not be known yet, and only very long ones make a difference.
        why = refuse_edition("001-x", answer) if name == "edition" else ""
        return f"the edition {short(answer)} {why}" if why else ""

    return common.ask(f"{name} ({FIELDS[name][1]})", refuse)


def _complete(workspace: Workspace, options: Namespace, text: Text, door: Door) -> Request:
    """What is to be registered; what is missing is asked for, where somebody can answer."""
    from spectastic.curate.add import request

    place = common.place(workspace.root, text.file) if text.local else ""
    given = {name: getattr(options, name.replace("-", "_"), None) or "" for name in FIELDS}
    if text.heading and not given["title"]:
        given["title"] = text.heading
    with common.refusals():
        wanted = request(workspace, text.file, text.data, place, given, door)
        if wanted.missing and common.asks(options):
            given |= {name: _asked(name) for name in wanted.missing}
            wanted = request(workspace, text.file, text.data, place, given, door)
    if wanted.missing:
        flags = " ".join(f"--{name} {FIELDS[name][0]}" for name in wanted.missing)
        raise TroubleError(
            f"what is known of {text.file} is not enough: {', '.join(wanted.missing)}", f"add {flags}"
        )
    return wanted._replace(heading=text.heading)
