"""`spectastic validate`: check specs and the corpus, and print what is wrong."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from spectastic.cli import flags, messages, progress, streams
from spectastic.cli.errors import FINDINGS, OK, TroubleError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.config import Settings
    from spectastic.report import View
    from spectastic.report.model import Report

_FORMATS = ("full", "concise", "json")


def configure(parser: ArgumentParser) -> None:
    """The options of `validate`."""
    flags.add_settings(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=_FORMATS, default="full", help="how to print (default: full)")
    group.add_argument("--output-file", metavar="FILE", help="write the report there instead of to stdout")
    group.add_argument("-q", "--quiet", action="store_true", help="print findings only, no summary")
    group.add_argument("--statistics", action="store_true", help="print how often each rule fired instead")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="when to colour (default: auto)",
    )
    group.add_argument("--no-progress", action="store_true", help="show no progress bar")


def run(options: Namespace) -> int:
    """Validate and report; `FINDINGS` if anything at or above `fail-on` was found, else `OK`.

    Raises:
        TroubleError: the usage or the configuration is wrong, or the report cannot be written.
    """
    settings = flags.load(options)
    report = _validate(settings, options)
    _print(report, options)
    if not report.specs:
        messages.tell(*_nothing_checked(report))
    return FINDINGS if report.failed else OK


def _validate(settings: Settings, options: Namespace) -> Report:
    from spectastic import engine
    from spectastic.discover import NothingMatches
    from spectastic.report.view import paths

    bar = None
    if not (options.quiet or options.no_progress) and progress.wanted(
        os.environ, streams.is_terminal(sys.stderr)
    ):
        bar = progress.Bar(color=streams.wants_color(options.color, os.environ, terminal=True))
    try:
        return engine.validate(settings, bar)
    except NothingMatches as error:
        place = paths(settings.root, os.getcwd())
        raise TroubleError(f"{place(error.path)}: {error.why}") from error
    finally:
        if bar is not None:
            bar.close()


def _print(report: Report, options: Namespace) -> None:
    from spectastic.report import FORMATS

    pieces = FORMATS[options.format](report, _view(options))
    if options.output_file is None:
        streams.write(pieces)
        return
    streams.save(options.output_file, pieces)
    # With nothing on the screen, the exit code alone would leave people to guess.
    if report.findings and not options.quiet:
        messages.tell(f"report written to {options.output_file}")


def _view(options: Namespace) -> View:
    import spectastic
    from spectastic.report import View
    from spectastic.rules import RULES

    view = View(
        cwd=os.getcwd(),
        summary=not options.quiet,
        statistics=options.statistics,
        rules=tuple(RULES.values()),
        version=spectastic.__version__,
    )
    if options.output_file is not None:
        return view
    terminal = streams.is_terminal(sys.stdout)
    return view._replace(
        color=streams.wants_color(options.color, os.environ, terminal),
        width=streams.columns(sys.stdout),
        encoding=getattr(sys.stdout, "encoding", None) or "utf-8",
    )


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
