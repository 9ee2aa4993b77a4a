"""Questions to git: the only room that runs a process.

Nothing is fetched, nothing is written, and no program is run that a configuration names: hooks, text
converters, external diffs and filters stay out. Only `remote_refs` asks another machine, as its user has
set git up to. `root` is a folder inside a work tree, and paths are relative to it, with `/`. What git
cannot answer is a `GitError`, in words for people.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.git.process import GitError as GitError
from spectastic.git.process import NoRepositoryError as NoRepositoryError
from spectastic.git.process import call, check, partial, raise_known, run, text
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.git.heads import Branches as Branches
    from spectastic.git.model import Change as Change
    from spectastic.git.model import Entry as Entry
    from spectastic.git.model import Hunk as Hunk

#: Names that are imported when they are first asked for: most runs want no more than what is tracked.
_LATER = ("Change", "Entry", "Hunk")

_DEPTH = (
    "fetch the whole history: fetch-depth: 0 for actions/checkout, "
    'GIT_DEPTH: "0" in GitLab, git fetch --unshallow elsewhere'
)


def commit(root: str, rev: str) -> str:
    """The full id of the commit that a revision names."""
    if not rev or rev.startswith("-") or "\0" in rev:
        raise GitError(f"{short(rev) or 'an empty name'} is no revision", "name a commit, a branch or a tag")
    found = _resolved(root, rev)
    if found is None:
        raise _no_revision(root, rev)
    return found


def merge_base(root: str, rev: str) -> str:
    """The commit at which HEAD and a revision parted."""
    theirs, ours = commit(root, rev), commit(root, "HEAD")
    done = call(root, "merge-base", "--all", theirs, ours)
    found, *others = text(check(done, (0, 1))).split() or [""]
    if others:
        message = (
            f"HEAD and {short(rev)} have been merged crosswise, and have more than one commit to compare with"
        )
        raise GitError(message, f"merge {short(rev)} into this branch first")
    cut = f"this clone is shallow, and its history ends before HEAD and {short(rev)} meet"
    if not found:
        if _is_shallow(root):
            raise GitError(cut, _DEPTH)
        raise GitError(f"HEAD and {short(rev)} have no commit in common", "name a revision of this history")
    # Where one is an ancestor of the other, that one it is, however much is missing. Otherwise a later
    # common commit may be hidden behind each place at which history was cut before it met the one found.
    beyond = ("rev-list", "--max-parents=0", "--max-count=1", theirs, ours, f"^{found}")
    if found not in (theirs, ours) and _is_shallow(root) and run(root, *beyond):
        raise GitError(cut, _DEPTH)
    return found


def tracked(root: str, folder: str = "") -> frozenset[str]:
    """The paths below a folder that git tracks. That of a submodule has a `/` behind it.

    Where the folder is not what it seems, because a link leads there, it is everything below `root`.
    Raises `NoRepositoryError` where git tracks nothing below `root` at all: that is no checkout of
    anything, but a repository in which nobody has added a file yet, or a folder that another one ignores.
    """
    real, top = os.path.realpath(os.path.join(root, folder)), os.path.realpath(root)
    below = [folder] if folder and real == os.path.normpath(os.path.join(top, folder)) else []
    records = run(root, "ls-files", "-z", "--stage", "--", *below).split(b"\0")
    found = [record.partition(b"\t") for record in records if record]
    if not found and not (below and run(root, "ls-files", "-z")):
        raise NoRepositoryError("git tracks nothing in this folder", "add its files to git")
    return frozenset(os.fsdecode(path) + "/" * about.startswith(b"160000") for about, _, path in found)


def listing(root: str, commit: str, folder: str = "") -> dict[str, Entry]:
    """What a commit (its id) has below a folder, links and submodules too, in the order of their bytes."""
    from spectastic.git.model import Entry

    below = ["--", folder] if folder else []
    records = run(root, "ls-tree", "-r", "-z", "-l", commit, *below).split(b"\0")
    found: dict[str, Entry] = {}
    for record in records[:-1]:
        about, _, path = record.partition(b"\t")
        mode, kind, oid, size = about.decode().split()
        if kind == "blob" and not size.isdigit():
            raise partial()
        found[os.fsdecode(path)] = Entry(mode, kind, oid, int(size) if kind == "blob" else 0)
    return found


def mentions(root: str, pattern: str) -> frozenset[str]:
    """Everything in the text files below `root` that matches a POSIX pattern, but for what git ignores."""
    found = call(root, "grep", "--untracked", "-I", "-h", "-o", "-E", "-e", pattern)
    return frozenset(text(check(found, (0, 1))).split("\n")) - {""}


def edits(root: str, path: str) -> str:
    """The lines that the commits up to HEAD have put into a file or taken out of it, "" where it has none."""
    plain = ("--format=", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv")
    patches = run(root, "log", "--patch", *plain, "HEAD", "--", path).decode("utf-8", "replace")
    return "\n".join(line[1:] for line in patches.split("\n") if line.startswith(("+", "-")))


def blobs(root: str, oids: Iterable[str]) -> dict[str, bytes]:
    """The contents of objects by their ids. One process reads them all."""
    wanted = list(dict.fromkeys(oids))
    if not wanted:
        return {}
    data = run(root, "cat-file", "--batch", input="".join(f"{oid}\n" for oid in wanted).encode())
    found: dict[str, bytes] = {}
    at = 0
    for oid in wanted:
        end = data.find(b"\n", at)
        size = data[at:end].rpartition(b" ")[2]
        if not size.isdigit():
            raise partial()
        at = end + 1 + int(size)
        found[oid] = data[end + 1 : at]
        at += 1
    return found


def dates(root: str, folder: str) -> dict[str, int]:
    """When the last commit of HEAD's history that touched it was made, for each path below a folder.

    In seconds since 1970, as the committer's clock said. Paths that are gone by now are among them, and a
    merge counts only through the commits that it joined. A shallow clone knows nothing older than its end.
    """
    from spectastic.git import history

    return history.dates(root, folder)


def date(root: str, commit: str) -> int:
    """When a commit (its id) was made, in seconds since 1970."""
    from spectastic.git import history

    return history.date(root, commit)


def user(root: str) -> str:
    """The name that commits are signed with, "" where there is none. Raises `GitError` where git fails."""
    done = call(root, "config", "--get", "user.name")
    return text(done.stdout) if done.returncode == 0 else ""


def changes(root: str, commit: str) -> dict[str, Change]:
    """What differs between a commit (its id) and the work tree, by path.

    A file that git does not track any more but that is still there has changed as a whole. One that
    it never tracked is not told: `listing` does not have it.
    """
    from spectastic.git.compare import compare

    return compare(root, commit)


def common_folder(root: str) -> str:
    """Git's own folder, the one that all work trees of the repository share; absolute, links followed."""
    return os.path.realpath(os.path.join(root, _path(run(root, "rev-parse", "--git-common-dir"))))


def prefix(root: str) -> str:
    """Where `root` is in its work tree, with a `/` at the end; "" at the top."""
    return _path(run(root, "rev-parse", "--show-prefix"))


def worktrees(root: str) -> tuple[str, ...]:
    """The folders of all work trees of the repository, those that are gone too, and that of a bare one."""
    done = call(root, "worktree", "list", "--porcelain", "-z")
    ends = b"\0"
    if done.returncode == 129:  # before git 2.36, which cannot tell of a path with a line break in it
        done, ends = call(root, "worktree", "list", "--porcelain"), b"\n"
    lines = check(done).split(ends)
    return tuple(os.fsdecode(line[9:]) for line in lines if line.startswith(b"worktree "))


def branches(root: str, folder: str) -> Branches:
    """The branches that are here, fetched ones too, and the names in a folder of their trees.

    `folder` is relative to the top of the work tree. Of more than 10,000 branches, those with the latest
    commits. A folder that a partial clone lacks is left out.
    """
    from spectastic.git.heads import look

    return look(root, folder)


def remote_refs(root: str, timeout: float) -> tuple[str, ...]:
    """The names of all refs of the remote (`origin`, else the only one). The one question over a network.

    Nobody is asked for a password, and it takes at most `timeout` seconds.
    """
    from spectastic.git import remote

    return remote.refs(root, timeout)


def _path(data: bytes) -> str:
    return os.fsdecode(data.removesuffix(b"\n"))


def _resolved(root: str, rev: str) -> str | None:
    # Not quietly: where a tag and a branch have one name, git warns, and takes the tag.
    warn = (("core.warnAmbiguousRefs", "true"),)
    done = call(root, "rev-parse", "--verify", f"{rev}^{{commit}}", settings=warn)
    raise_known(done)
    if b"is ambiguous" in done.stderr and done.stdout:
        hint = f"write the whole name, such as refs/remotes/{short(rev)} or refs/heads/{short(rev)}"
        raise GitError(f"{short(rev)} names more than one thing", hint)
    found = text(done.stdout)
    return found if len(found) in (40, 64) and set(found) <= set("0123456789abcdef") else None


def _no_revision(root: str, rev: str) -> GitError:
    message = f"there is no revision {short(rev)}"
    if _resolved(root, "HEAD") is None:
        return GitError(f"{message}: no commit has been made here yet", "commit something first")
    if _resolved(root, f"origin/{rev}"):
        return GitError(message, f"did you mean origin/{short(rev)}?")
    if _is_shallow(root):
        return GitError(f"{message} in this clone, which is shallow", _DEPTH)
    return GitError(message, "name a commit, a branch or a tag that git log knows, or fetch it first")


def _is_shallow(root: str) -> bool:
    return text(run(root, "rev-parse", "--is-shallow-repository")) == "true"


def __getattr__(name: str) -> object:
    if name in _LATER:
        from spectastic.git import model

        return getattr(model, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
