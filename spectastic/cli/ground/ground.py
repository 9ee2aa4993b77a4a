"""`spectastic ground ground`: what a decision should choose from, by a whole manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spectastic.cli import messages
from spectastic.cli.errors import TroubleError
from spectastic.cli.ground import common
from spectastic.cli.parser import whole_number

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

_DIALS = {
    "variance": "how bold: chooses among the rows that are found, changes none",
    "motion": "how much moves: rows of the domain gsap",
    "density": "how dense: sets the spacing scale",
}
#: What a file of `--persist` is in for, as somebody reads it.
_WOULD = {"created": "would be written", "changed": "would be replaced", "unchanged": "holds it already"}
_KEPT = "kept, for it was edited"
#: What only says how `--persist` is done.
_PERSISTING = ("project_name", "page", "force", "dry_run")


def configure(parser: ArgumentParser) -> None:
    """The options of `ground ground`."""
    common.add_query(parser)
    common.add_manifest(parser)
    parser.add_argument(
        "--context", metavar="JSON", help="conditions that hold, as an object: '{\"b2b\": true}'"
    )
    parser.add_argument(
        "--allow-rules-module",
        action="store_true",
        help="run the manifest's rules_module: it is code, and may do whatever you may",
    )
    parser.add_argument(
        "--isolated",
        action="store_true",
        help="read no configuration file, whose rules-modules may allow that too",
    )
    group = parser.add_argument_group("dials", "From 1 to 10; unset, each changes nothing.")
    for name, text in _DIALS.items():
        group.add_argument(f"--{name}", type=_dial, metavar="N", help=text)
    group = parser.add_argument_group("keeping it")
    group.add_argument(
        "--persist", metavar="DIR", help="write DIR/design-system/PROJECT/MASTER.md; nothing outside of DIR"
    )
    group.add_argument("-p", "--project-name", metavar="P", help="the project (default: the query)")
    group.add_argument(
        "--page", metavar="PG", help="write pages/PG.md too, whose overrides win over the master"
    )
    group.add_argument(
        "--force",
        action="store_true",
        help="overwrite files that were not written by this, or edited since; never an edited page",
    )
    group.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")


def run(options: Namespace) -> int:
    """Print what was found, and keep it where that is asked for.

    Raises:
        TroubleError: an option is used wrongly.
    """
    context = _context(options.context)
    for name in ("persist", "project_name", "page"):
        common.refuse_nul(f"--{name.replace('_', '-')}", getattr(options, name) or "")
    if options.persist == "":
        raise TroubleError("--persist is empty", "name a folder; `.` is the one you are in")
    if options.persist is None and any(getattr(options, name) for name in _PERSISTING):
        given = next(name for name in _PERSISTING if getattr(options, name))
        raise TroubleError(
            f"--{given.replace('_', '-')} says how to --persist, which is missing", "add --persist DIR"
        )
    return common.guarded(options, lambda: _ground(options, context))


def _context(text: str | None) -> dict[str, Any] | None:
    """The context, from JSON.

    Raises:
        TroubleError: it is no JSON, or no object.
    """
    if text is None:
        return None
    from json import loads

    from spectastic.grounding.schema_validator import TwiceError, once

    hint = "write an object: '{\"b2b\": true}'"
    try:
        value = loads(text, object_pairs_hook=once)
    except TwiceError as error:
        raise TroubleError(f"--context has the key '{error}' twice in one object", "remove one") from None
    except (ValueError, RecursionError) as error:
        cause = error if isinstance(error, ValueError) else "it is nested too deeply"
        raise TroubleError(f"--context is no JSON: {cause}", hint) from None
    if not isinstance(value, dict):
        raise TroubleError(f"--context is no object, but {text}", hint)
    return value


def _dial(text: str) -> int:
    """A dial from the command line; raises `ArgumentTypeError`."""
    return whole_number(text, "is no whole number from 1 to 10", most=10)


def _ground(options: Namespace, context: dict[str, Any] | None) -> int:
    from spectastic.grounding import decision_engine
    from spectastic.grounding.schema_validator import load_manifest

    manifest = load_manifest(options.manifest)
    query = common.query(options, manifest)
    dials = {name: getattr(options, name) for name in _DIALS}
    found: dict[str, Any] = {
        **decision_engine.ground(
            manifest, query, context, dials, allow_rules_module=_allowed(options, manifest)
        )
    }
    notes = [] if options.persist is None else _keep(options, found)
    _tell(found, options)
    messages.tell(*notes)
    return common.failed(options, found)


def _allowed(options: Namespace, manifest: Mapping[str, Any]) -> bool:
    """Whether the rules module may run, if there is one. Only then the configuration is asked, if at all."""
    module = (manifest.get("reasoning") or {}).get("rules_module")
    if options.allow_rules_module or not module or options.isolated:
        return bool(options.allow_rules_module)
    from spectastic.cli.ground import trust

    return trust.by_setting(manifest, module)


def _keep(options: Namespace, found: dict[str, Any]) -> list[str]:
    """Write the files, or with `--dry-run` see what that would do; adds it to the result, and says it.

    A result that is an error is not kept: it would take the place of a good one.
    """
    if "error" in found:
        return ["nothing is written: there is no grounding to keep"]
    from spectastic.grounding import persist

    given = (found, options.persist, options.project_name, options.page)
    if not options.dry_run:
        done = found["persisted"] = persist.persist_grounding(*given, force=options.force)
        kept = [f"{_KEPT}: {path}" for path in done.get("kept_files", ())]
        return [*(f"written: {path}" for path in done["created_files"]), *kept]
    files = persist.planned(*given, force=options.force)
    actions = {path: persist.action(path, data) or "unchanged" for path, data in files.items()}
    found["would_persist"] = [{"path": path, "action": actions[path]} for path in files]
    return [f"{_KEPT if data is None else _WOULD[actions[path]]}: {path}" for path, data in files.items()]


def _tell(found: dict[str, Any], options: Namespace) -> None:
    if options.json:
        common.write_json(found)
        return
    from spectastic.cli.ground import page
    from spectastic.grounding.markdown import grounding

    page.show((*grounding(found, beneath=True), *page.more(found)))
