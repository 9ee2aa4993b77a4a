"""What `explore`, `render` and `badge` share: pages put where they belong, or compared with those there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import reading
from spectastic.cli.errors import FINDINGS, OK, TroubleError
from spectastic.source import reason
from spectastic.text import inert

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Mapping


def add_writing(parser: ArgumentParser, *, checking: bool) -> None:
    """How pages are written; with `checking`, also how they are compared."""
    parser.add_argument("--force", action="store_true", help="replace files that were not written by this")
    parser.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
    if checking:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit with 1 where something is out of date"
        )


def put(
    pages: Mapping[str, bytes],
    options: Namespace,
    *,
    mark: bytes,
    below: str = "",
    gone: Iterable[str] = (),
) -> int:
    """Write pages by path, or look at those that are there, and say so; the exit code.

    A file is known as ours by `mark`. No link is followed, see `files.refuse_links`, to which `below` is the
    folder. `gone` are pages there that nothing belongs to any more: they are told, and left.

    Raises:
        TroubleError: a page must not, or cannot, be written.
    """
    from spectastic.explorer import files

    check = bool(getattr(options, "check", False))
    try:
        files.refuse_links(pages, below)
        missing = {path for path in pages if not os.path.lexists(path)}
        changed = files.put(pages, mark=mark, force=options.force or check, dry=options.dry_run or check)
    except files.Refused as refused:
        raise TroubleError(refused.message, refused.hint) from refused
    except OSError as error:
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        raise TroubleError(
            f"a page cannot be read or written: {where}{reason(error)}", "name another place: --out"
        ) from error
    actions = {path: "write" if path in missing else "replace" for path in changed}
    actions.update(dict.fromkeys(gone, "gone"))
    if options.json:
        listed = [{"path": path, "action": action} for path, action in actions.items()]
        reading.write_json(options, {"pages": len(pages), "changes": listed})
    else:
        words, summed = _CHECKED if check else _WOULD if options.dry_run else _DONE
        streams.write(f"{words[action]} {inert(path)}\n" for path, action in actions.items())
        if len(pages) > 1:
            same = f"{len(pages) - len(changed):,} up to date\n"
            streams.write([f"{len(changed):,} {summed}, {same}" if changed else same])
        if len(pages) == 1 and not changed:
            streams.write([f"up to date: {inert(next(iter(pages)))}\n"])
    return FINDINGS if check and actions else OK


_GONE = "its spec is gone, remove it:"
#: What is said of a page, and what of all that are not up to date.
_DONE = {"write": "wrote", "replace": "rewrote", "gone": _GONE}, "written"
_WOULD = {"write": "would write", "replace": "would rewrite", "gone": _GONE}, "to be written"
_CHECKED = {"write": "missing:", "replace": "out of date:", "gone": _GONE}, "missing or out of date"
