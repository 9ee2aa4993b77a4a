"""Asking a remote which refs it has: the one question that leaves this machine, and only when it is asked."""

from __future__ import annotations

import os

from spectastic.git.process import GitError, ask, check, run
from spectastic.text import short

#: Git connects as its user has set it up, but asks nobody anything.
_SETTINGS = (("core.askPass", ""), ("credential.interactive", "false"))
#: Ways to connect that run no helper for odd addresses, and no program that an address names.
_PROTOCOLS = ("file", "http", "https", "ssh")
#: How much a remote may say, in bytes: names of half a million refs.
MOST = 50_000_000


def refs(root: str, timeout: float) -> tuple[str, ...]:
    """The answer of `git.remote_refs`."""
    asked = ("ls-remote", "--quiet", "--upload-pack=git-upload-pack", "--", _name(root))
    done = ask(root, *asked, protocols=_PROTOCOLS, settings=_SETTINGS, seconds=timeout, most=MOST)
    lines = check(done).split(b"\n")
    return tuple(os.fsdecode(line.partition(b"\t")[2]) for line in lines if line)


def _name(root: str) -> str:
    names = [name for name in os.fsdecode(run(root, "remote")).split("\n") if name]
    if "origin" in names or len(names) == 1:
        return "origin" if "origin" in names else names[0]
    if names:
        raise GitError(f"none of the remotes is called origin: {short(', '.join(names))}")
    raise GitError("there is no remote")
