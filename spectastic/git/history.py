"""When the files of a folder were last changed, as the history of HEAD has it."""

from __future__ import annotations

import os
import re

from spectastic.git.process import call, check, run, text

#: Whatever a configuration says: every commit shows its files, the first one too, and none runs a program.
_SETTINGS = (("log.showRoot", "true"), ("log.showSignature", "false"))
_LISTING = ("-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--relative")
_COMMIT = re.compile(rb"\x01([0-9]+)")


def dates(root: str, folder: str) -> dict[str, int]:
    """The answer of `git.dates`."""
    if not text(check(call(root, "rev-parse", "--quiet", "--verify", "HEAD"), (0, 1))):
        return {}
    data = run(root, "log", "--format=%x01%ct", *_LISTING, "HEAD", "--", folder, settings=_SETTINGS)
    found: dict[str, int] = {}
    seconds = 0
    for field in data.split(b"\0"):
        name = field.removeprefix(b"\n")
        commit = _COMMIT.fullmatch(name)
        if commit:
            seconds = int(commit[1])
        elif name:
            found.setdefault(os.fsdecode(name), seconds)
    return found


def date(root: str, commit: str) -> int:
    """The answer of `git.date`."""
    return int(text(run(root, "log", "-1", "--no-patch", "--format=%ct", commit, settings=_SETTINGS)))
