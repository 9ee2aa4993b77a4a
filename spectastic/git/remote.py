"""Asking a remote which refs it has: the one question that leaves this machine, and only when it is asked."""

from __future__ import annotations

import os

from spectastic.git.process import GitError, call, check, run
from spectastic.text import short

#: Git connects as its user has set it up, but asks nobody anything, and runs no helper for odd addresses.
_SETTINGS = (
    *((f"protocol.{name}.allow", "always") for name in ("file", "http", "https", "ssh")),
    ("core.askPass", ""),
    ("credential.interactive", "false"),
)


def refs(root: str, timeout: float) -> tuple[str, ...]:
    """The answer of `git.remote_refs`."""
    name = _name(root)
    asked = ("ls-remote", "--quiet", "--upload-pack=git-upload-pack", "--", name)
    lines = check(call(root, *asked, settings=_SETTINGS, timeout=timeout)).split(b"\n")
    return tuple(os.fsdecode(line.partition(b"\t")[2]) for line in lines if line)


def _name(root: str) -> str:
    names = os.fsdecode(run(root, "remote")).split()
    if "origin" in names or len(names) == 1:
        return "origin" if "origin" in names else names[0]
    if names:
        raise GitError(f"none of the remotes is called origin: {short(', '.join(names))}")
    raise GitError("there is no remote")
