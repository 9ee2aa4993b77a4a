"""Where reports go: stdout, files, and the step summary of GitHub Actions."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.errors import TroubleError
from spectastic.source import reason

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.report import View
    from spectastic.report.model import Report

#: The formats, in the order in which they are told. `report.FORMATS` has the functions.
FORMATS = ("full", "concise", "json", "github", "gitlab", "sarif", "junit", "rdjson", "azure", "markdown")
_WITH_STATISTICS = ("full", "concise", "json")


def configure(parser: ArgumentParser) -> None:
    """The options about output."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=FORMATS,
        default="full",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: full)",
    )
    group.add_argument("--output-file", metavar="FILE", help="write the report there instead of to stdout")
    group.add_argument(
        "--output",
        action="append",
        type=_output,
        default=[],
        metavar="FORMAT=FILE",
        help="write the report to a file as well, in another format; repeat it for more",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="print findings only, no summary")
    group.add_argument("--statistics", action="store_true", help="print how often each rule fired instead")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="when to colour (default: auto)",
    )
    group.add_argument(
        "--omit-suppressed",
        action="store_true",
        help="leave what comments and the baseline silence out of json and sarif (GitHub shows it as open)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    group.add_argument("--no-progress", action="store_true", help="show no progress bar")


def _output(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not path:
        raise ArgumentTypeError(f"'{text}' is not of the form FORMAT=FILE")
    if name not in FORMATS:
        raise ArgumentTypeError(f"'{name}' is no format: choose from {', '.join(FORMATS)}")
    return name, path


def check(options: Namespace) -> None:
    """Refuse what cannot be done, before any work is. Raises `TroubleError`."""
    if options.statistics:
        for name in (options.format, *(name for name, _ in options.output)):
            if name not in _WITH_STATISTICS:
                formats = ", ".join(_WITH_STATISTICS)
                raise TroubleError(
                    f"--statistics cannot be used with the format {name}", f"use one of {formats}"
                )
    paths = [path for _, path in options.output]
    paths += [] if options.output_file is None else [options.output_file]
    real = [os.path.realpath(path) for path in paths]
    for path, place in zip(paths, real, strict=True):
        if real.count(place) > 1:
            raise TroubleError(f"{path}: two reports cannot go to one file", "name another file")
        _check_link(path, place)


def _check_link(path: str, real: str) -> None:
    """Refuse a link of the repository that leads out of it, or into git's folder: it may be anybody's."""
    from spectastic.config import git_top

    folder, name = os.path.split(os.path.abspath(path))
    top = git_top(os.path.realpath(folder))
    if not top or os.path.join(os.path.realpath(folder), name) == real:
        return
    below = os.path.join(top, "")
    if not real.startswith(below) or ".git" in real[len(below) :].split(os.sep):
        message = f"{path} is a symbolic link that leads out of the repository"
        raise TroubleError(message, "remove it, or name another file")


def show(report: Report, options: Namespace) -> None:
    """Print and write the report everywhere it is wanted.

    Raises:
        TroubleError: something cannot be written; what can be, has been.
    """
    from spectastic.report import FORMATS as RENDER

    troubles: list[TroubleError] = []
    plain = _view(report, options)
    try:
        if options.output_file is None:
            streams.write(RENDER[options.format](report, _on_terminal(plain, options)))
    except TroubleError as error:
        troubles.append(error)
    files = [*options.output] + (
        [] if options.output_file is None else [(options.format, options.output_file)]
    )
    for name, path in files:
        try:
            streams.save(path, RENDER[name](report, plain))
        except TroubleError as error:
            troubles.append(error)
    if "github" in (options.format, *(name for name, _ in options.output)):
        _append_summary(report, plain, troubles)
    if troubles:
        for trouble in troubles[1:]:
            messages.tell_trouble(trouble)
        raise troubles[0]
    # With nothing on the screen, the exit code alone would leave people to guess.
    if report.findings and options.output_file is not None and not options.quiet:
        messages.tell(f"report written to {options.output_file}")


def _append_summary(report: Report, view: View, troubles: list[TroubleError]) -> None:
    path = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        return
    from spectastic.report.github import step_summary

    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(step_summary(report, view))
    except OSError as error:
        troubles.append(TroubleError(f"cannot write the step summary {path}: {reason(error)}"))


def _view(report: Report, options: Namespace) -> View:
    """How files are written: the same bytes wherever the run takes place."""
    import spectastic
    from spectastic.report import View
    from spectastic.rules import RULES, page

    return View(
        cwd=os.getcwd(),
        summary=not options.quiet,
        statistics=options.statistics,
        rules=tuple(RULES.values()),
        version=spectastic.__version__,
        page=page,
        prefix=prefix(report.settings.root),
        suppressed=not options.omit_suppressed,
    )


def _on_terminal(view: View, options: Namespace) -> View:
    terminal = streams.is_terminal(sys.stdout)
    return view._replace(
        color=streams.wants_color(options.color, os.environ, terminal),
        width=streams.columns(sys.stdout),
        encoding=getattr(sys.stdout, "encoding", None) or "utf-8",
    )


def prefix(root: str) -> str:
    """The way from the top of the git repository to the root."""
    from spectastic.config import git_top

    top = git_top(root)
    inside = os.path.relpath(root, top) if top else "."
    return "" if inside == "." else inside.replace(os.sep, "/") + "/"
