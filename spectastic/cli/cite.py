"""`spectastic cite`: say at the end of a line which documents it is informed by."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.authoring.model import AuthoringError
from spectastic.cli import asking, retrieve
from spectastic.cli.corpus import common
from spectastic.cli.errors import OK, TroubleError
from spectastic.cli.new import refusals
from spectastic.cli.parser import whole_number

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.plan import Plan
    from spectastic.retrieval.model import Document, Library
    from spectastic.source import Source


def configure(parser: ArgumentParser) -> None:
    """The options of `cite`."""
    parser.add_argument("document", metavar="REQ-NNN", help="the document that cites")
    parser.add_argument("ids", metavar="ID", nargs="+", help="what the line is informed by")
    line = parser.add_mutually_exclusive_group(required=True)
    line.add_argument("--line", type=_number, metavar="N", help="the number of the line")
    line.add_argument("--match", metavar="TEXT", help="a text that only this line holds")
    common.add_writing(parser, asking=False)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    retrieve.add_where(parser)


def run(options: Namespace) -> int:
    """Write the citation.

    Raises:
        TroubleError: an id or the line is not there, or it cannot be written.
    """
    from spectastic.retrieval import documents

    settings = retrieve.settings(options)
    with refusals():
        library = documents.load(settings.root, settings.prior_art_root)
        common.tell(_carry_out(options, library), options)
    return OK


def _carry_out(options: Namespace, library: Library) -> Plan:
    from spectastic import write
    from spectastic.authoring import citing
    from spectastic.curate.plan import FileChange, Plan

    document = _only(options.document, library)
    notes = _known(options, library)
    source = _source(library.root, document.path)
    number = citing.line_with(source, options.match) if options.line is None else options.line
    cited = citing.cite(source, number, options.ids)
    result = {"path": document.path, "line": cited.line, "text": cited.text, "added": list(cited.added)}
    if not cited.added:
        return Plan((), result, (*notes, f"{document.path}:{cited.line} cites this already"))
    if not options.dry_run:
        try:
            write.replace(os.path.join(library.root, document.path), cited.data, expected=source.data)
        except write.Changed:
            raise AuthoringError(f"{document.path} was changed meanwhile", "run it again") from None
    change = FileChange(document.path, source.data, cited.data)
    return Plan((change,), result, (*notes, f"{document.path}:{cited.line}: {cited.text.strip()}"))


def _only(identifier: str, library: Library) -> Document:
    """The one document with an id."""
    found = asking.documents(identifier, library)
    if len(found) > 1:
        paths = " and ".join(document.path for document in found)
        raise TroubleError(f"{identifier} is the id of {paths}", "give one of them another id")
    return found[0]


def _known(options: Namespace, library: Library) -> tuple[str, ...]:
    """What there is to say of the ids that are cited. Raises `TroubleError` for one that is nobody's."""
    notes = []
    for identifier in dict.fromkeys(options.ids):
        found = asking.documents(identifier, library)
        if identifier == options.document:
            raise TroubleError(f"{identifier} cannot be informed by itself", "name another document")
        if all(each in library.kept_out for each in found):
            notes.append(
                f"{identifier} has the status {found[0].status or '(none)'}: it takes no part in retrieval"
            )
    return tuple(notes)


def _source(root: str, path: str) -> Source:
    from spectastic.authoring.disk import refuse_links
    from spectastic.source import Unreadable, read

    refuse_links(root, path, "name the document that it leads to")
    found = read(root, path)
    if isinstance(found, Unreadable):
        raise AuthoringError(f"{path}: {found.message}", found.hint)
    for problem in found.problems:
        raise AuthoringError(f"{path}: {problem.message}", problem.hint)
    return found


def _number(text: str) -> int:
    return whole_number(text, "is no number of a line")
