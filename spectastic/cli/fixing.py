"""`validate --fix` and `--diff`: change files, or show how they would be changed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from spectastic.cli import messages, progress, streams
from spectastic.cli.errors import FINDINGS, OK, TroubleError
from spectastic.source import reason

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from spectastic.config import Settings
    from spectastic.engine import FixedFile, Request

#: How many fixes that were left out are listed.
_SHOWN = 10


def run(settings: Settings, request: Request, text: bytes | None, options: Namespace) -> int | None:
    """Fix what can be fixed; the exit code, or `None` where what is left is still to be reported.

    Raises:
        TroubleError: a file cannot be written, or was changed meanwhile; all others are done.
    """
    from spectastic import engine

    if text is not None:
        files = engine.fix_text(settings, text, request, unsafe=options.unsafe_fixes)
    else:
        with progress.shown(options) as bar:
            files = engine.fix(settings, bar, request, unsafe=options.unsafe_fixes)
    _tell_refused(files)
    if options.diff:
        return _show(settings, files)
    if text is not None:
        return _pass_on(settings, files[0].after if files else text, request, options)
    _write(settings, files)
    return None


def _tell_refused(files: Sequence[FixedFile]) -> None:
    refused = [finding for file in files for finding in file.refused]
    if refused:
        from spectastic.report.view import shown

        messages.tell("fixes left out, since something else would come of them:")
        for finding in refused[:_SHOWN]:
            title = finding.fix.title if finding.fix else ""
            messages.tell(f"  {shown(finding.path)}:{finding.location.line}: {title}")
        if len(refused) > _SHOWN:
            messages.tell(f"  and {len(refused) - _SHOWN:,} more")


def _show(settings: Settings, files: Sequence[FixedFile]) -> int:
    from spectastic.cli.output import prefix
    from spectastic.fix import diff

    # As git does, from the top of the repository.
    above = prefix(settings.root)
    shown = streams.is_terminal(sys.stdout)
    streams.write_bytes(
        piece for file in files for piece in diff(above + file.path, file.before, file.after, printable=shown)
    )
    return FINDINGS if any(file.after != file.before for file in files) else OK


def _pass_on(settings: Settings, text: bytes, request: Request, options: Namespace) -> int:
    """The fixed text goes to stdout, so what is left to say of it goes to stderr."""
    from spectastic import engine
    from spectastic.report.view import amount

    streams.write_bytes([text])
    report = engine.validate_text(settings, text, request)._replace(exit_zero=options.exit_zero)
    if report.findings:
        messages.tell(f"{amount(len(report.findings), 'finding')} left")
    return report.exit_code


def _write(settings: Settings, files: Sequence[FixedFile]) -> None:
    from spectastic.report.view import amount
    from spectastic.write import Changed, replace

    fixed = written = 0
    troubles: list[str] = []
    for file in files:
        if file.after == file.before:
            continue
        try:
            replace(os.path.join(settings.root, file.path), file.after, expected=file.before)
        except Changed:
            troubles.append(f"{file.path} was changed by something else meanwhile, and is left as it is")
        except OSError as error:
            troubles.append(f"cannot write {file.path}: {reason(error)}; it is left as it is")
        else:
            written, fixed = written + 1, fixed + file.fixed
    if written:
        messages.tell(f"fixed {amount(fixed, 'finding')} in {amount(written, 'file')}")
    if troubles:
        messages.tell(*(f"error: {trouble}" for trouble in troubles[:-1]))
        raise TroubleError(troubles[-1], "run it again")
