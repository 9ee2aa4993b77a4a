"""What the subcommands of `corpus` share: their options, the workspace, and how a plan is carried out."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from spectastic.cli import messages, named, progress, streams
from spectastic.cli.errors import OK, TroubleError
from spectastic.text import inert

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spectastic.config import Settings
    from spectastic.curate.plan import Plan
    from spectastic.curate.workspace import Workspace
    from spectastic.source import Source

#: Writing more files than this shows a progress bar.
MANY = 50
#: What agrees, in lower case.
YES = ("y", "yes")
#: What to do with a document that is no text.
MAKE_MARKDOWN = "make Markdown of it first: `spectastic corpus convert`"


def add_common(parser: ArgumentParser) -> None:
    """Where the corpus is, and `--json`."""
    group = parser.add_argument_group("which corpus")
    group.add_argument("--root", metavar="DIR", help="the repository root (default: found from here)")
    group.add_argument("--config", metavar="FILE", help="read this configuration file")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")
    group.add_argument("--corpus", metavar="DIR", help="the corpus folder (default: knowledge)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_writing(parser: ArgumentParser, *, asking: bool = True) -> None:
    """The options of every command that writes; `asking` for one that asks for what is missing."""
    parser.add_argument(
        "--dry-run", action="store_true", help="show the changes as a patch, and write nothing"
    )
    if asking:
        parser.add_argument("--yes", action="store_true", help="ask nothing: what is missing is an error")


def settings(options: Namespace) -> Settings:
    """The settings in force for a command about the corpus. Raises as `load`."""
    return load(options, {"corpus": options.corpus})


def load(options: Namespace, flags: Mapping[str, object], paths: Sequence[str] = ()) -> Settings:
    """The settings in force; `flags` are those that options say, `paths` the specs and folders meant.

    Raises:
        TroubleError: the configuration or an option is wrong.
    """
    from spectastic import config

    try:
        return config.load(
            root=options.root,
            paths=paths,
            flags=flags,
            cwd=os.getcwd(),
            config=options.config,
            isolated=options.isolated,
        )
    except config.ConfigError as error:
        raise TroubleError(str(error)) from error


def workspace(options: Namespace) -> Workspace:
    """The corpus that the options name. Raises as `settings`."""
    return _workspace(settings(options))


def _workspace(found: Settings) -> Workspace:
    from spectastic import corpus
    from spectastic.curate.workspace import Workspace

    loaded = corpus.load(found.root, found.corpus, frozenset(found.extra_licenses))
    return Workspace(found.root, found.corpus, loaded)


def asks(options: Namespace) -> bool:
    """Whether somebody is there to answer questions."""
    return not options.yes and streams.is_terminal(sys.stdin) and streams.is_terminal(sys.stderr)


def ask(question: str, refuse: Callable[[str], str] = lambda _: "") -> str:
    """What somebody at the terminal answers, "" for nothing.

    It is asked again until `refuse` has nothing against the answer, or the input ends.
    """
    while True:
        streams.emit(sys.stderr, f"{inert(question)}: ")
        line = sys.stdin.readline()
        answer = line.strip()
        why = refuse(answer) if line else ""
        if not why:
            return answer
        messages.tell(why)


def text_file(path: str) -> bytes:
    """What a text file holds that was named on the command line.

    Raises:
        TroubleError: it cannot be read, or is no text.
    """
    if path.lower().endswith((".html", ".htm", ".xhtml")):
        raise TroubleError(f"{path} is HTML, not Markdown", MAKE_MARKDOWN)
    found = named.source(path)
    refuse_no_text(path, found)
    return found.data


def refuse_no_text(path: str, found: Source) -> None:
    """Refuse what is no text in UTF-8; `path` says where it is from. Raises `TroubleError`."""
    for problem in found.problems:
        hint = problem.hint if found.data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise TroubleError(f"{path}: {problem.message}", hint or MAKE_MARKDOWN)
    if found.data.startswith(b"%PDF-"):
        raise TroubleError(f"{path} is a PDF, not Markdown", MAKE_MARKDOWN)


def place(root: str, path: str) -> str:
    """The path of a file relative to the root, with `/`; "" for one outside of it."""
    folder, name = os.path.split(os.path.abspath(path))
    inside = os.path.join(os.path.realpath(root), "")
    real = os.path.join(os.path.realpath(folder), name)
    return real[len(inside) :].replace(os.sep, "/") if real.startswith(inside) else ""


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what a command is refused for into `TroubleError`."""
    from spectastic.curate.plan import CurateError
    from spectastic.curate.transaction import Held
    from spectastic.source import reason

    try:
        yield
    except (CurateError, Held) as error:
        raise TroubleError(error.message, error.hint) from error
    except OSError as error:
        where = f"{shown(error.filename)}: " if isinstance(error.filename, str) else ""
        raise TroubleError(f"the corpus cannot be read or written: {where}{reason(error)}") from error


def shown(path: str) -> str:
    """A path as somebody in this folder would write it."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def finish(plan_function: Callable[[Workspace], Plan], options: Namespace) -> int:
    """As `carry_out`; the exit code."""
    carry_out(plan_function, options)
    return OK


def carry_out(plan_function: Callable[[Workspace], Plan], options: Namespace) -> Plan:
    """Work out what is to be done, do it (or show it, with `--dry-run`), and say so.

    Raises:
        TroubleError: it is refused, or cannot be written.
    """
    found = settings(options)
    with refusals():
        plan = _dry(plan_function, found) if options.dry_run else _real(plan_function, found)
    tell(plan, options)
    return plan


def _dry(plan_function: Callable[[Workspace], Plan], found: Settings) -> Plan:
    return planned(found.root, found.corpus, lambda: _checked(plan_function, found))


def planned(root: str, folder: str, make: Callable[[], Plan]) -> Plan:
    """The plan for files below a folder, of which nothing is done. Raises `CurateError` and `OSError`."""
    from spectastic.curate import transaction
    from spectastic.curate.plan import CurateError

    if transaction.interrupted(root, folder):
        raise CurateError(
            "an earlier change of the corpus was interrupted, or is being made now",
            "run this without --dry-run, or any other command that writes: it finishes that change first",
        )
    return make()


def _real(plan_function: Callable[[Workspace], Plan], found: Settings) -> Plan:
    if not os.path.isdir(os.path.join(found.root, found.corpus)):
        # What will be refused, or writes nothing, must not leave a folder for the lock behind.
        plan = _checked(plan_function, found)
        if not plan.changes:
            return plan
    return written(found.root, found.corpus, lambda: _checked(plan_function, found))


def written(root: str, folder: str, make: Callable[[], Plan]) -> Plan:
    """The plan for files below a folder, worked out and carried out by the only one that writes there.

    Raises `CurateError`, `Held` and `OSError`.
    """
    from spectastic.curate import transaction

    with transaction.locked(root, folder) as finished:
        if finished:
            messages.tell(f"a change that was interrupted is finished: {', '.join(finished)}")
        plan = make()
        with progress.during("Writing") if len(plan.changes) > MANY else nullcontext() as bar:
            transaction.commit(root, folder, plan, bar)
    return plan


def _checked(plan_function: Callable[[Workspace], Plan], found: Settings) -> Plan:
    """The plan, with one change for each file, all of them files that may be written on any system."""
    from spectastic.curate.names import refuse_new
    from spectastic.curate.places import target
    from spectastic.curate.plan import merged

    workspace = _workspace(found)
    plan = plan_function(workspace)
    plan = plan._replace(changes=merged(plan.changes))
    refuse_new(workspace, plan.changes)
    for change in plan.changes:
        target(found.root, change.path)
    return plan


def tell(
    plan: Plan, options: Namespace, more: Mapping[str, object] | None = None, patch: Plan | None = None
) -> None:
    """Say what a plan does, or did: as text, with `--dry-run` as a patch, with `--json` as a document.

    `more` is what the document says besides. `patch` is the plan with the paths of a patch, where these are
    others.
    """
    patch = patch or plan
    if options.json:
        streams.write([_document(plan, options, more or {}, patch)])
    elif options.dry_run:
        from spectastic.curate.plan import diff

        streams.write_bytes(diff(patch, printable=streams.is_terminal(sys.stdout)))
        messages.tell(*plan.notes)
    else:
        streams.write(_lines(plan))


def _lines(plan: Plan) -> Iterator[str]:
    from spectastic.text import printable

    for change in plan.changes:
        yield f"{change.action} {printable(change.path)}\n"
    for note in plan.notes:
        yield f"{printable(note)}\n"


def _document(plan: Plan, options: Namespace, more: Mapping[str, object], patch: Plan) -> str:
    from json import dumps

    from spectastic.curate.plan import diff

    document: dict[str, object] = {
        "version": 1,
        "command": options.command,
        "dry_run": options.dry_run,
        "changes": [{"path": change.path, "action": change.action} for change in plan.changes],
        "result": dict(plan.result),
        "notes": list(plan.notes),
        **more,
    }
    if options.dry_run:
        document["diff"] = b"".join(diff(patch)).decode("utf-8", "surrogateescape")
    return dumps(document, indent=2) + "\n"
