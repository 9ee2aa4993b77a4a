"""`spectastic ground init`: a first manifest for CSV files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import common as writing
from spectastic.cli.errors import OK, TroubleError
from spectastic.cli.ground import common

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.curate.plan import Plan

_NOBODY = "a corpus that nobody keeps true is refused"
#: Options that must say something, and what.
_NEEDED = {
    "domain": "say what the corpus is about, in a word or two",
    "out": "name the manifest to write",
    "from": "name a CSV file",
}
_GUESSED = (
    "What the manifest says of the tables is guessed from their first rows, and nobody has looked it through."
)


def configure(parser: ArgumentParser) -> None:
    """The options of `ground init`."""
    parser.usage = f"{parser.prog} --domain D --from FILE… --owner WHO [OPTION…]"
    parser.add_argument(
        "--domain", metavar="D", required=True, help="what the corpus is about, in a word or two"
    )
    parser.add_argument(
        "--from",
        dest="files",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="the CSV files",
    )
    parser.add_argument("--owner", metavar="WHO", help="who keeps the corpus true: a person or a team")
    parser.add_argument(
        "--out", metavar="FILE", default="manifest.json", help="what to write (default: manifest.json)"
    )
    writing.add_writing(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Write the manifest, and tell what was guessed. A table that cannot be used is exit code 1.

    Raises:
        TroubleError: the manifest is there already, a table cannot be named in it, or nobody owns it.
    """
    given = [("domain", options.domain), ("owner", options.owner or ""), ("out", options.out)]
    for name, text in (*given, *(("from", path) for path in options.files)):
        common.refuse_nul(f"--{name}", text)
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise TroubleError(f"--{name} is not UTF-8, and a manifest is", "name it in UTF-8")
        if name in _NEEDED and not text.strip():
            raise TroubleError(f"--{name} is empty", _NEEDED[name])
    if not os.path.basename(options.out):
        raise TroubleError(f"--out {options.out} is a folder", "name a file in it: manifest.json")
    if os.path.lexists(options.out):
        raise TroubleError(f"{options.out} is there already, and stays as it is", "name another with --out")
    owner = _owner(options)
    from spectastic.grounding.lines import CorpusError

    try:
        plan, text = _plan(options, owner)
    except CorpusError as error:
        return common.fail(options, str(error), "--from takes CSV files with a header, in UTF-8")
    if not options.dry_run:
        streams.save(options.out, [text])
    more = {"confidence": common.NOTHING, "evidence_gap": [_GUESSED]}
    writing.tell(plan, options, more, patch=_from_top(plan))
    return OK


def _from_top(plan: Plan) -> Plan:
    """The plan with paths as `git apply` wants them: from the top of the work tree, or else from here."""
    from spectastic.config import git_top

    changes = []
    for change in plan.changes:
        folder, name = os.path.split(os.path.abspath(change.path))
        top = git_top(os.path.realpath(folder)) or os.getcwd()
        changes.append(change._replace(path=writing.place(top, change.path) or name))
    return plan._replace(changes=tuple(changes))


def _owner(options: Namespace) -> str:
    """Who owns the corpus; asked for where somebody can answer, and never made up."""
    owner = options.owner or ""
    if not owner.strip() and writing.asks(options):
        owner = writing.ask("owner (who keeps the corpus true: a person or a team)")
    if not owner.strip():
        raise TroubleError("the corpus has no owner", f"add --owner WHO: {_NOBODY}")
    return owner.strip()


def _plan(options: Namespace, owner: str) -> tuple[Plan, str]:
    from json import dumps

    from spectastic.curate.plan import FileChange, Plan
    from spectastic.grounding.authoring import draft
    from spectastic.grounding.boundary import ManifestError

    try:
        made = draft(options.domain.strip(), owner, options.files, options.out)
    except ManifestError as error:
        raise TroubleError(str(error), error.hint) from error
    text = dumps(made.manifest, indent=2, ensure_ascii=False) + "\n"
    change = FileChange(options.out, None, text.encode())
    notes = [f"guessed: {guess}" for guess in made.guesses]
    notes += (f"not right yet: {fault}" for fault in made.faults)
    if not options.dry_run:
        check = f"spectastic ground validate --manifest {options.out} --check-data"
        notes.append(f"look it through, then: {check}")
    result = {"manifest": made.manifest, "guesses": list(made.guesses), "faults": list(made.faults)}
    return Plan((change,), result, tuple(notes)), text
