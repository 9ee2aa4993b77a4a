"""`spectastic validate`: check specs and the corpus, and print what is wrong."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from spectastic.cli import flags, messages, output, progress, streams
from spectastic.cli.errors import TroubleError
from spectastic.source import reason

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from spectastic.config import Settings
    from spectastic.engine import Request
    from spectastic.report.model import Report

_REPORTS = ("--format", "--output", "--output-file", "--statistics")
_ALONE = ("--since", "--base", "--fix", "--diff", "the path -")
#: Options, and those that they cannot be used with.
_CONFLICTS = {
    "--write-baseline": ("--prune-baseline", *_ALONE),
    "--prune-baseline": _ALONE,
    "--diff": _REPORTS,
}
#: How many additions to a baseline are listed.
_SHOWN = 10


def configure(parser: ArgumentParser) -> None:
    """The options of `validate`."""
    flags.add_settings(parser)
    parser.add_argument(
        "--stdin-filename", metavar="FILE", help="check the text on stdin (path -) as this file"
    )
    group = parser.add_argument_group("comparing")
    group.add_argument("--since", metavar="REV", help="report only what is new since HEAD left this revision")
    group.add_argument(
        "--base",
        metavar="REV",
        help="hold the corpus's history to this revision (default: as --since; in CI, what it merges into)",
    )
    group.add_argument(
        "--write-baseline", action="store_true", help="let the baseline hold all that is found now"
    )
    group.add_argument("--prune-baseline", action="store_true", help="take out of it what is needed no more")
    group = parser.add_argument_group("fixing")
    group.add_argument("--fix", action="store_true", help="apply safe fixes")
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff, unsafe fixes as well"
    )
    group.add_argument(
        "--diff", action="store_true", help="print what --fix would change, and change nothing"
    )
    output.configure(parser)


def run(options: Namespace) -> int:
    """Validate and report; 1 if the run fails for what was found, else 0.

    Raises:
        TroubleError: the usage or the configuration is wrong, or the report cannot be written.
    """
    try:
        return _run(options)
    except TroubleError as error:
        if options.format == "github":
            # The log of a step is folded: without this, nothing on the page says why it failed.
            from spectastic.report.github import trouble

            streams.write([trouble(str(error), error.hint)])
        raise


def _run(options: Namespace) -> int:
    _check_usage(options)
    output.check(options)
    text = _standard_input(options)
    settings = flags.load(options)
    with _explained(settings):
        request = _request(options, settings)
        if options.fix or options.diff:
            from spectastic.cli import fixing

            code = fixing.run(settings, request, text, options)
            if code is not None:
                return code
        report = _validate(settings, request, text, options)
    report = report._replace(exit_zero=options.exit_zero)
    output.show(report, options)
    messages.tell(*report.notices)
    if options.base is not None and report.references is None:
        messages.tell("history was not compared with --base: the corpus was not asked for")
    if not report.specs and not (settings.paths and report.references is not None):
        messages.tell(*_nothing_checked(report))
    return report.exit_code


def _validate(settings: Settings, request: Request, text: bytes | None, options: Namespace) -> Report:
    from spectastic import engine

    if text is not None:
        return engine.validate_text(settings, text, request)
    with progress.shown(options) as bar:
        if options.write_baseline or options.prune_baseline:
            return _write_baseline(settings, bar, options.prune_baseline)
        return engine.validate(settings, bar, request)


def _write_baseline(settings: Settings, bar: progress.Bar | None, prune: bool) -> Report:
    from spectastic import engine
    from spectastic.report.view import amount
    from spectastic.text import short

    option = "--prune-baseline" if prune else "--write-baseline"
    if not settings.baseline:
        raise TroubleError(f"{option} needs a file", "name one with --baseline FILE")
    try:
        report, written = engine.write_baseline(settings, bar, prune=prune)
    except OSError as error:
        raise TroubleError(f"cannot write {settings.baseline}: {reason(error)}") from error
    held = f"{settings.baseline} holds {amount(written.total, 'finding')}"
    messages.tell(f"{held}: {len(written.added):,} added, {written.pruned:,} pruned")
    # What a first baseline holds is everything; later, what is added is what nobody has looked at.
    if written.total > len(written.added):
        added = [
            f"  added {rule} ({short(subject, 60)}) in {path}" for rule, path, _, subject in written.added
        ]
        more = [f"  and {len(added) - _SHOWN:,} more"] if len(added) > _SHOWN else []
        messages.tell(*added[:_SHOWN], *more)
    return report


def _check_usage(options: Namespace) -> None:
    """Refuse options that do not go together. Raises `TroubleError`."""
    given = {
        "--write-baseline": options.write_baseline,
        "--prune-baseline": options.prune_baseline,
        "--since": options.since is not None,
        "--base": options.base is not None,
        "--fix": options.fix,
        "--diff": options.diff,
        "the path -": "-" in options.paths,
        "--format": options.format != "full",
        "--output": bool(options.output),
        "--output-file": options.output_file is not None,
        "--statistics": options.statistics,
    }
    for option, others in _CONFLICTS.items():
        for other in others:
            if given[option] and given[other]:
                raise TroubleError(f"{option} and {other} cannot be used together")
    if options.fix and given["the path -"]:
        for other in _REPORTS:
            if given[other]:
                raise TroubleError(f"{other} cannot be used where the fixed text goes to standard output")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise TroubleError("--unsafe-fixes adds to --fix or --diff", "use one of them with it")
    for name in ("since", "base"):
        if getattr(options, name) == "":
            raise TroubleError(f"--{name} names no revision")


def _standard_input(options: Namespace) -> bytes | None:
    """The text to check instead of files; from here on it goes by the name it was given."""
    if "-" not in options.paths:
        if options.stdin_filename is not None:
            raise TroubleError("--stdin-filename names the text on stdin", "use it with the path -")
        return None
    if options.paths != ["-"]:
        raise TroubleError("the path - stands for the text on stdin, and cannot be used with other paths")
    if not options.stdin_filename:
        raise TroubleError("the text on stdin has no name", "name it with --stdin-filename FILE")
    options.paths = [options.stdin_filename]
    try:
        return sys.stdin.buffer.read()
    except (OSError, AttributeError) as error:
        why = reason(error) if isinstance(error, OSError) else "it is closed"
        raise TroubleError(f"cannot read standard input: {why}") from error


def _request(options: Namespace, settings: Settings) -> Request:
    from spectastic.engine import Request

    if options.base is not None:
        # Asked for by hand, it has to exist, whatever comes of it.
        from spectastic.git import commit

        commit(settings.root, options.base)
    base = options.base
    if base is None and options.since is None:
        from spectastic.cli.ci import base_revision

        base = base_revision(os.environ, settings.root)
    return Request(base=base or "", since=options.since or "")


@contextmanager
def _explained(settings: Settings) -> Iterator[None]:
    """Turn what keeps the engine from its work into trouble that a user can do something about."""
    from spectastic.discover import NothingMatches
    from spectastic.engine.errors import EngineError
    from spectastic.git import GitError
    from spectastic.report.view import paths

    try:
        yield
    except NothingMatches as error:
        place = paths(settings.root, os.getcwd())
        raise TroubleError(f"{place(error.path)}: {error.why}") from error
    except (EngineError, GitError) as error:
        raise TroubleError(error.message, error.hint) from error


def _nothing_checked(report: Report) -> list[str]:
    if not report.removed:
        where = "there is no Markdown or HTML file"
        if report.settings.paths:
            where = "the paths given lead to none"
        elif any(finding.rule == "file-unreadable" for finding in report.findings):
            where = "what there is cannot be read"
        return [f"warning: no spec was checked: {where}"]
    causes = [f"  {reason} left out {_files(number)}" for reason, number in report.removed]
    return ["warning: no spec was checked", *causes]


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number:,} files"
