"""What differs between a commit and the work tree: which files, and which lines of them.

Git's list of what differs is what counts. Which lines differ is read from a patch, and where that
cannot be told apart from something else, the whole file does.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

from spectastic.git.model import Change, Hunk
from spectastic.git.process import call, check, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Filters = list[tuple[str, str]]

#: Larger files are nobody's text (`source.MAX_BYTES`): their lines are not compared.
MAX_BYTES = 20_000_000

#: How to compare, whatever a configuration says. `diff-index`, unlike `diff`, never writes the index.
_COMPARING = (
    *("--relative", "--no-abbrev", "--ignore-submodules=all", "--no-ext-diff", "--no-textconv", "--no-color"),
    *("--find-renames", "-l1000", "--diff-algorithm=myers", "--indent-heuristic"),
)
_PATCH = ("--patch", "--unified=0", "--inter-hunk-context=0", "--text", "--src-prefix=a/", "--dst-prefix=b/")
#: How many bytes of paths one call takes; Windows allows 32,767 characters.
_ARGUMENTS = 16_000

_HUNK = re.compile(rb"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@")
_LONE_CR = re.compile(rb"\r(?!\n)")
_ESCAPE = re.compile(rb'\\([abfnrtv"\\]|[0-7]{3})')
_ESCAPES = dict(zip(b'abfnrtv"\\', b'\a\b\f\n\r\t\v"\\', strict=True))


def compare(root: str, commit: str) -> dict[str, Change]:
    """The answer of `git.changes`."""
    filters = _no_filters(root)
    found: dict[str, Change] = {}
    readable: list[Change] = []
    for status, oid, base, path in _differing(root, commit, filters):
        if status in "DR" and os.path.lexists(os.path.join(root, base)):
            found[base] = Change(base, base, None)
        data = _contents(os.path.join(root, path)) if status in "MR" else None
        same = data is not None and _oid(data, len(oid)) == oid
        if status == "D" or (same and status == "M"):
            continue
        found[path] = Change(path, None if status == "A" else base, () if same else None)
        # A lone CR ends a line for `Source` and not for git, so that git's numbers would say nothing.
        if data is not None and not same and b"\0" not in data and not _LONE_CR.search(data):
            readable.append(found[path])
    wanted = {change.path: change for change in readable}
    for change in _compared(root, commit, readable, filters) if readable else ():
        if change.path in wanted and change.base_path == wanted[change.path].base_path:
            found[change.path] = change
    return found


def _differing(root: str, commit: str, filters: Filters) -> Iterator[tuple[str, str, str, str]]:
    """Of each path that differs: git's letter for it, what it was (object id and path), and the path."""
    data = run(root, "diff-index", "--raw", "-z", *_COMPARING, commit, "--", settings=filters)
    fields = iter(data.split(b"\0")[:-1])
    for about in fields:
        _, _, oid, _, status = about.decode().split(" ")
        base = path = os.fsdecode(next(fields))
        if status[0] == "R":
            path = os.fsdecode(next(fields))
        yield status[0], oid, base, path


def _compared(root: str, commit: str, part: Iterable[Change], filters: Filters) -> Iterator[Change]:
    """Some changes, with the lines that differ."""
    paths = dict.fromkeys(path for change in part for path in (change.base_path or "", change.path))
    if sum(len(os.fsencode(path)) + 1 for path in paths) > _ARGUMENTS:
        paths = {}  # all that differ: each call looks at the whole index, so there is no second one
    return _sections(run(root, "diff-index", *_PATCH, *_COMPARING, commit, "--", *paths, settings=filters))


def _sections(patch: bytes) -> Iterator[Change]:
    """The sections of a patch that has no context lines.

    The lines of a hunk are counted, so that no content is taken for a header.
    """
    base = path = ""
    hunks: list[Hunk] = []
    plain = False
    lines = iter([*patch.split(b"\n"), b"diff --git "])
    for line in lines:
        if line.startswith(b"diff --git "):
            if plain:
                yield Change(path, base, tuple(hunks))
            hunks, plain = [], False
        elif line.startswith(b"--- "):
            base = _name(line[4:])
        elif line.startswith(b"+++ "):
            path, plain = _name(line[4:]), True
        elif match := _HUNK.match(line):
            hunk = Hunk(*(1 if number is None else int(number) for number in match.groups()))
            hunks.append(hunk)
            plain = _pass(lines, hunk.old_count + hunk.new_count) and plain


def _pass(lines: Iterator[bytes], count: int) -> bool:
    """Pass the lines of a hunk; false where one, which may be gone by now, has a lone CR in it."""
    plain = True
    while count:
        line = next(lines, b"")
        # `\ No newline at end of file` is none of the lines that are counted.
        count -= not line.startswith(b"\\")
        plain = plain and b"\r" not in line[:-1]
    return plain


def _name(written: bytes) -> str:
    """A path in a patch, without its `a/` or `b/`. Git quotes odd ones, and puts a tab behind blanks."""
    written = written.removesuffix(b"\t")
    if written.startswith(b'"'):
        written = _ESCAPE.sub(_unescaped, written[1:-1])
    return os.fsdecode(written[2:])


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) if len(code) == 3 else _ESCAPES[code[0]]])


def _contents(file: str) -> bytes | None:
    """What a regular file of the work tree holds; `None` where it is none, or too large."""
    try:
        status = os.lstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return None
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return None


def _oid(data: bytes, digits: int) -> str:
    """The id that git gives to contents."""
    import hashlib

    kind = "sha1" if digits == 40 else "sha256"
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _no_filters(root: str) -> Filters:
    """Settings that switch off the programs that a configuration has git send files through."""
    done = call(root, "config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$")
    keys = check(done, (0, 1)).split(b"\0")[:-1]
    names = sorted({os.fsdecode(key).rpartition(".")[0] for key in keys})
    off = (("clean", ""), ("process", ""), ("required", "false"))
    return [(f"{name}.{key}", value) for name in names for key, value in off]
