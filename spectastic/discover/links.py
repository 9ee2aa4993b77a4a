"""Where a file with a spec's name really is: a link counts only if it stays inside the root."""

from __future__ import annotations

import errno
import os
from stat import S_ISDIR, S_ISREG

from spectastic.source import Unreadable, reason
from spectastic.text import short


def follow(root: str, path: str, file: str) -> str | Unreadable:
    """The path of the regular file that `file` is or leads to, relative to `root`; nothing is opened.

    `path` is what the file is called in messages, and the answer if it is no link.
    """
    try:
        if os.path.islink(file):
            return _follow_link(root, path, file)
        mode = os.lstat(file).st_mode
    except OSError as error:
        return Unreadable(path, f"the file cannot be looked at: {reason(error)}")
    if S_ISREG(mode):
        return path
    return Unreadable(path, "this is not a regular file", "remove it, or exclude it")


def _follow_link(root: str, path: str, link: str) -> str | Unreadable:
    try:
        target = os.path.realpath(link, strict=True)
        mode = os.stat(target).st_mode
    except OSError as error:
        return Unreadable(path, *_broken(link, error))
    inside = os.path.join(root, "")
    if not target.startswith(inside):
        leads = f"this link leads outside the repository root: {_quoted(link)}"
        return Unreadable(path, leads, "put a copy in its place, or exclude it")
    if ".git" in target[len(inside) :].split(os.sep):
        leads = f"this link leads into git's own folder: {_quoted(link)}"
        return Unreadable(path, leads, "put a copy in its place, or exclude it")
    if S_ISDIR(mode):
        leads = f"this link with a spec's name leads to a directory: {_quoted(link)}"
        return Unreadable(path, leads, "rename it; links to directories are not followed")
    if not S_ISREG(mode):
        leads = f"this link leads to something that is not a regular file: {_quoted(link)}"
        return Unreadable(path, leads, "remove it, or exclude it")
    return target[len(inside) :].replace(os.sep, "/")


def _broken(link: str, error: OSError) -> tuple[str, str]:
    if error.errno == errno.ELOOP:
        return "this link leads back to itself", "remove it"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return f"this link leads to nothing: {_quoted(link)}", "restore what it names, or remove it"
    return f"this link cannot be followed: {reason(error)}", "remove it, or exclude it"


def _quoted(link: str) -> str:
    return short(os.readlink(link))
