"""`spectastic ground validate`: whether a manifest keeps the contract, and the tables keep theirs."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.errors import FINDINGS, OK, TroubleError
from spectastic.cli.ground import common

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

_SURE = {"label": "high", "score": 1.0}
_UNSEEN = "The data was not looked at; --check-data opens every file."


def configure(parser: ArgumentParser) -> None:
    """The options of `ground validate`."""
    common.add_manifest(parser)
    parser.add_argument(
        "--check-data",
        action="store_true",
        help="open every file too: columns, row widths, rules, and how old the data is",
    )
    parser.add_argument(
        "--today", type=day, metavar="DAY", help="count the age of the data from this day: 2026-05-31"
    )


def day(text: str) -> str:
    """A day from the command line; raises `ArgumentTypeError`."""
    from spectastic.grounding.kinds import is_date

    if not is_date(text):
        raise ArgumentTypeError(f"'{text}' is no day of the calendar, as 2026-05-31")
    return text


def run(options: Namespace) -> int:
    """Print what is wrong, a line each; warnings fail nothing.

    Raises:
        TroubleError: an option is used wrongly.
    """
    if options.today and not options.check_data:
        raise TroubleError("--today says how to --check-data, which is missing", "add --check-data")
    return common.guarded(options, lambda: _validate(options))


def _validate(options: Namespace) -> int:
    from spectastic.grounding.schema_validator import (
        read_manifest,
        unknown_keys,
        validate_manifest,
        with_folder,
    )

    path = options.manifest
    data = read_manifest(path)
    violations = [f"{path}: {text}" for text in validate_manifest(data)]
    warnings = [f"{path}: {text}" for text in unknown_keys(data)]
    checks = options.check_data and not violations
    if checks:
        from spectastic.grounding.check_data import check_data

        found = check_data(with_folder(data, path), options.today, path)
        violations += found.violations
        warnings += found.warnings
    if options.json:
        common.write_json(
            {
                "manifest": path,
                "valid": not violations,
                "checked_data": checks,
                "violations": violations,
                "warnings": warnings,
                **_evidence(violations, looked=checks),
            }
        )
    else:
        _tell(violations, warnings, looked=checks, asked=options.check_data)
    return FINDINGS if violations else OK


def _evidence(violations: Sequence[str], *, looked: bool) -> dict[str, object]:
    """How far the corpus can be relied on: as far as it was looked at and nothing was found."""
    unseen = () if violations or looked else (_UNSEEN,)
    gaps = [*violations, *unseen]
    return {"confidence": common.NOTHING if gaps else _SURE, "evidence_gap": gaps}


def _tell(violations: Sequence[str], warnings: Sequence[str], *, looked: bool, asked: bool) -> None:
    """Violations on stdout, warnings on stderr, and how it went."""
    from spectastic.report.view import amount, shown

    streams.write(f"{shown(violation)}\n" for violation in violations)
    messages.tell(*(f"warning: {warning}" for warning in warnings))
    if violations:
        unseen = "; the data was not looked at" if asked and not looked else ""
        streams.write([f"Failed: {amount(len(violations), 'violation')}{unseen}.\n"])
    else:
        more = f", {amount(len(warnings), 'warning')}" if warnings else ""
        what = "the manifest and its data keep" if looked else "the manifest keeps"
        streams.write([f"Passed: {what} the contract{more}.\n"])
