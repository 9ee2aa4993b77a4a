"""`spectastic new`: begin a spec, a lesson or a bug."""

from __future__ import annotations

import os
from argparse import BooleanOptionalAction
from contextlib import contextmanager
from typing import TYPE_CHECKING

from spectastic.authoring.model import PREFIXES, AuthoringError, Draft, checked_line, checked_query
from spectastic.cli import filing, looked, messages, retrieve, retrieved
from spectastic.cli.corpus import common
from spectastic.cli.errors import OK, TroubleError
from spectastic.retrieval.model import Kind
from spectastic.retrieval.scoring import TOP

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from datetime import date

    from spectastic.authoring.compose import Basis
    from spectastic.authoring.create import Created, Desk
    from spectastic.authoring.intake import Intake
    from spectastic.cli.parser import Parser
    from spectastic.config import Settings
    from spectastic.curate.plan import Plan
    from spectastic.retrieval.model import Library
    from spectastic.retrieval.query import Query

_KINDS = {prefix.lower(): kind for kind, prefix in PREFIXES.items()}
#: How long a remote may take to say which refs it has, in seconds.
_PATIENCE = 30.0


def configure(parser: Parser) -> None:
    """The options of `new`."""
    parser.words = 'put the title in quotes: spectastic new "What it is about"'
    parser.add_argument("title", metavar="TITLE", nargs="?", help="what it is about, in a few words")
    parser.add_argument(
        "--kind", choices=tuple(_KINDS), default="req", help="a spec (req, default), a lesson, a bug"
    )
    retrieve.add_query(parser)
    parser.set_defaults(since=None)
    group = parser.add_argument_group("number")
    group.add_argument(
        "--remote",
        action=BooleanOptionalAction,
        help="ask the remote for numbers on its branches and tags (default: the setting remote-ids)",
    )
    group = parser.add_argument_group("intake")
    group.add_argument("--intake", metavar="FILE", help="the notes, ticket or transcript that it is made of")
    group.add_argument("--gaps", metavar="GAPS.yaml", help="the gaps that were found in it")
    common.add_writing(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    retrieve.add_where(parser)


def run(options: Namespace) -> int:
    """Write the document, and say what it is built on.

    Raises:
        TroubleError: something is missing or wrong, or it cannot be written.
    """
    from spectastic.retrieval import documents

    kind = _KINDS[options.kind]
    settings = retrieve.settings(options)
    with refusals():
        day = _today()
        intake = _intake(options, settings, kind, day)
        title = _title(options)
        library = documents.load(settings.root, settings.prior_art_root)
        for trouble in library.trouble:
            raise TroubleError(f"{trouble.path}: {trouble.message}", trouble.hint)
        query = checked_query(filing.query_for(options, library, title))
        if kind is Kind.SPEC:
            retrieved.tell_counts(library)
        else:
            looked.tell(library)
        query = filing.settled(options, library, query)
        draft = Draft(kind, title, query, day)
        desk, unverified = _desk(options, settings, library, kind)
        hits = _answer(library, query) if kind is Kind.SPEC else None
        tell_plan(_carry_out(options, library, desk, draft, hits, intake, unverified), options)
    return OK


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what a document is refused for into `TroubleError`."""
    from spectastic.source import reason

    try:
        yield
    except AuthoringError as error:
        raise TroubleError(error.message, error.hint) from error
    except OSError as error:
        where = f"{common.shown(error.filename)}: " if isinstance(error.filename, str) else ""
        raise TroubleError(f"it cannot be written: {where}{reason(error)}") from error


def tell_plan(plan: Plan, options: Namespace) -> None:
    """Say what was done, or would be."""
    common.tell(plan, options)


def _today() -> date:
    from datetime import UTC, datetime

    return datetime.now(UTC).date()


def _title(options: Namespace) -> str:
    title = options.title
    if title is None and common.asks(options):
        title = common.ask("title")
    if title is None:
        raise TroubleError("there is no title", 'give one: spectastic new "What it is about"')
    return checked_line(title)


def _intake(options: Namespace, settings: Settings, kind: Kind, day: date) -> Intake | None:
    from spectastic.authoring import intake

    if options.intake is None and options.gaps is None:
        return None
    if kind is not Kind.SPEC:
        raise TroubleError("--intake is for specs", "leave out --kind, or --intake and --gaps")
    if options.intake is None or options.gaps is None:
        raise TroubleError(
            f"--{'gaps' if options.intake is None else 'intake'} comes without "
            f"--{'intake' if options.intake is None else 'gaps'}",
            "give both; a file of gaps may hold [] alone",
        )
    name = os.path.basename(os.path.abspath(options.intake))
    text = common.text_file(options.intake).decode("utf-8")
    gaps = intake.gaps(common.text_file(options.gaps).decode("utf-8"), options.gaps)
    source = checked_line(name, "the name of the source")
    everywhere = settings.citation_scope == "document"
    found = intake.checked(intake.Intake(source, intake.kind(name, text), day, gaps), everywhere=everywhere)
    _halt(found, options)
    return found


def _halt(found: Intake, options: Namespace) -> None:
    """Let somebody at a terminal answer what no faithful spec can do without, before a number is given.

    Raises:
        TroubleError: they would rather not go on.
    """
    waiting = found.blocking()
    if not waiting or not common.asks(options):
        return
    messages.tell("nobody has answered yet, and the spec cannot be faithful without:")
    messages.tell(*(f"  {number}. {gap.gap} ({gap.section})" for number, gap in enumerate(waiting, 1)))
    if common.ask("go on with these open? [y/N]").lower() not in common.YES:
        raise TroubleError(
            "nothing is written: blocking gaps are open",
            f"say `disposition: answered` of those that are, in {options.gaps}; --yes goes on without asking",
        )


def _desk(options: Namespace, settings: Settings, library: Library, kind: Kind) -> tuple[Desk, bool]:
    """Where the document is made, and whether its number is unsure because the remote said nothing."""
    from spectastic import git
    from spectastic.authoring import disk, numbers
    from spectastic.authoring.create import Desk

    ids = [document.id for document in (*library.documents, *library.kept_out)]
    known = numbers.in_names(kind, ids)
    territory = disk.territory(settings.root, library.folder)
    branches = disk.in_branches(settings.root, library.folder, kind)
    desk = Desk(settings.root, library.folder, territory, known, branches)
    if not (settings.remote_ids if options.remote is None else options.remote):
        return desk, False
    try:
        return desk._replace(remote=numbers.in_refs(kind, git.remote_refs(settings.root, _PATIENCE))), False
    except git.GitError as error:
        messages.tell(
            f"warning: the remote tells no numbers: {error.message}",
            "the id is allocated without remote verification: verify it before the pull request",
        )
        return desk, True


def _answer(library: Library, query: Query) -> retrieved.Answer:
    """What `retrieve` finds for the fields of the spec."""
    from spectastic.retrieval import scoring

    ranked = scoring.rank(query, library.documents, retrieve.file_dates(library))
    return retrieved.Answer(library, query, ranked, TOP, None, "", ())


def _carry_out(
    options: Namespace,
    library: Library,
    desk: Desk,
    draft: Draft,
    answer: retrieved.Answer | None,
    intake: Intake | None,
    unverified: bool,
) -> Plan:
    from spectastic.authoring import compose, create, templates

    template = templates.load(desk.root, desk.home, draft.kind)
    basis = compose.Basis(_retrieved(library, answer), intake, unverified)

    def text(identifier: str, path: str) -> bytes:
        return compose.document(template, draft, identifier, path, basis)

    made = (create.planned if options.dry_run else create.create)(desk, draft, text)
    still_open = len(intake.blocking()) if intake else 0
    if still_open:
        messages.tell(f"blocking gaps that are open: {still_open}; they are among the Open Questions")
    return _plan(made, draft, template.path, basis, answer, unverified)


def _retrieved(library: Library, answer: retrieved.Answer | None) -> tuple[str, ...]:
    from spectastic.authoring import compose
    from spectastic.retrieval import report

    if answer is None:
        return ()
    shrink = report.shrink(library)
    return compose.retrieved(answer.shown, shrink is not None and not shrink.drafts)


def _plan(
    made: Created,
    draft: Draft,
    template: str,
    basis: Basis,
    answer: retrieved.Answer | None,
    unverified: bool,
) -> Plan:
    from spectastic.curate.plan import FileChange, Plan
    from spectastic.retrieval import report

    highest = made.highest
    remote = "unreachable" if unverified else "not asked" if highest.remote is None else "asked"
    result: dict[str, object] = {
        "id": made.id,
        "kind": draft.kind.value,
        "path": made.path,
        "title": draft.title,
        "query": draft.query.as_json(),
        "template": template or None,
        "remote": remote,
        "work_trees": made.work_trees,
        "highest": {
            "counter": highest.counter,
            "on_disk": highest.disk,
            "branches": highest.branches,
            "remote": highest.remote,
        },
    }
    notes: list[str] = []
    if answer is not None:
        result["retrieved"] = [
            {"id": hit.document.id, "corpus": hit.document.kind.value, "score": hit.score}
            for hit in answer.shown
        ]
        suppressed = basis.retrieved[:1] == (report.SUPPRESSED,)
        result["spec_corpus_suppressed"] = suppressed
        notes += [report.HEADING, *(f"  {line}" for line in report.lines(answer.shown, suppressed))]
        notes.append(f"next: write it, and `spectastic cite {made.id} ID --line N` where a line rests on one")
    if basis.intake is not None:
        result["gaps"] = {each: len(basis.intake.of(each)) for each in ("answered", "assumed", "open")}
    return Plan((FileChange(made.path, None, made.data),), result, tuple(notes))
