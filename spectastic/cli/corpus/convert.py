"""`spectastic corpus convert`: a PDF, a Word document, a page … becomes a reference."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli.corpus import common, converting, taking
from spectastic.cli.errors import OK, TroubleError
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.convert import Converter


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus convert`."""
    parser.usage = (
        f"{parser.prog} FILE --pack P --slug S --edition E --license L --origin O [OPTION…]\n"
        f"       {parser.prog} FILE --output FILE.md [OPTION…]"
    )
    parser.add_argument("file", metavar="FILE", help="a PDF, DOCX, PPTX, XLSX, EPUB, HTML or CSV file")
    parser.add_argument(
        "--output", metavar="FILE.md", help="write the Markdown to this file, and register nothing"
    )
    converting.add_options(parser, "how long the conversion may take")
    taking.add_fields(parser, "converter", "status")
    common.add_writing(parser)
    common.add_common(parser)


def run(options: Namespace) -> int:
    """Convert the document, and register it or write it down.

    Raises:
        TroubleError: it cannot be converted or registered.
    """
    from spectastic.convert import TEXTS
    from spectastic.curate.doors import converted

    if options.converter is None and options.file.lower().endswith(TEXTS):
        raise TroubleError(
            f"{options.file} is text already: there is nothing to convert",
            "`spectastic corpus add` registers it",
        )
    used = converting.converter(options)
    if options.output is not None:
        return _write_down(options, used)
    door = converted(used.name)
    data = converting.document(options.file)
    taking.precheck(options, door)
    text = converting.text(options.file, data, used, options)
    return taking.register(options, taking.Text(options.file, text), door)


def _write_down(options: Namespace, used: Converter) -> int:
    """Write the Markdown to a file that is not there yet."""
    from spectastic.curate.plan import FileChange, Plan
    from spectastic.source import Unreadable, read_bytes

    said = [name for name in taking.FIELDS if name != "converter" and getattr(options, _field(name), None)]
    if said:
        raise TroubleError(
            f"--output registers nothing, so --{said[0]} says nothing", "leave out one of the two"
        )
    folder, name = os.path.split(os.path.abspath(options.output))
    root = common.settings(options).root
    place = common.place(root, options.output)
    _refuse_place(options.output, place, folder, name)
    text = converting.text(options.file, converting.document(options.file), used, options)
    before = read_bytes(folder, name, len(text)) if os.path.lexists(options.output) else None
    if before is not None and (isinstance(before, Unreadable) or before != text):
        raise TroubleError(f"{options.output} is there already, and differs", "name another file")
    result = {"converter": used.name, "output": options.output}
    if before is None:
        plan = Plan(
            (FileChange(place or options.output, None, text),), result, (f"converted by {used.name}",)
        )
        if options.dry_run and not place and not options.json:
            note = f"{options.output} would be created; it is outside of {root}, so no patch can make it"
            plan = plan._replace(changes=(), notes=(note, *plan.notes))
        if not options.dry_run:
            _save(options.output, text)
    else:
        plan = Plan((), result, (f"this is so already: {options.output} is what {used.name} makes of it",))
    common.tell(plan, options)
    return OK


def _refuse_place(path: str, place: str, folder: str, name: str) -> None:
    """Refuse a file that is git's, or that some system cannot have, before anything is converted."""
    from spectastic.curate import names
    from spectastic.curate.journal import is_inside

    real = os.path.splitdrive(os.path.realpath(folder))[1].split(os.sep)
    parts = place.split("/") if place else [*filter(None, real), name]
    # Below a folder: there, nothing is the name of a drive.
    if not all(is_inside(f"_/{part}") for part in parts):
        raise TroubleError(f"{path} is a file of git's own", "name another file")
    beside = os.listdir(folder) if os.path.isdir(folder) else ()
    if why := names.refuse(name, beside):
        raise TroubleError(f"{path} cannot be made: {short(name)} {why}", "choose another name")


def _field(name: str) -> str:
    return name.replace("-", "_")


def _save(path: str, text: bytes) -> None:
    from spectastic.source import reason
    from spectastic.write import replace

    try:
        replace(path, text)
    except OSError as error:
        raise TroubleError(f"cannot write {path}: {reason(error)}") from error
