"""Keeping a grounding as files, `DIR/design-system/SLUG/MASTER.md` and `pages/PAGE.md`, and nothing else.

A file says in its first line that it was written here, for which names, with a hash of what was written: so
a file of somebody else's, one that was edited since, and one of another project with the same slug are known,
and left alone. A page is there to be edited: one that was is no trouble, and not even `force` overwrites it.
"""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING, Any

from spectastic import write
from spectastic.grounding.detect import in_word
from spectastic.grounding.markdown import grounding, line
from spectastic.text import DEVICE, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from spectastic.grounding.results import Persisted

#: Longer names are cut, in bytes.
LONGEST_SLUG = 80
_HOME = "design-system"
_MARK = "<!-- Written by `spectastic ground`{}; edits are kept from being overwritten. sha256:{} -->"
_NAMES = _MARK.replace("{}", "(.*)", 1).partition("{}")[0]
#: A larger file was not written here, in bytes.
_LARGEST = 5_000_000
#: Of a name, messages show so much.
_SHOWN = 200


def persist_grounding(
    grounded: Mapping[str, Any],
    output_dir: str | os.PathLike[str],
    project: str | None = None,
    page: str | None = None,
    *,
    force: bool = False,
) -> Persisted:
    """Write a grounding below a folder, for a project (or else for its query) and a page of it.

    Both names become slugs. Nothing is written outside the folder, nor, without `force`, over a file that
    was not written here, was edited since, or was written for other names that give the same slug. All is
    looked at before anything is written. A page of these names that was edited stays as it is, with `force`
    too: it is the user's.

    Raises:
        OSError: a file cannot be written, or must not be; it names the file.
    """
    files = planned(grounded, output_dir, project, page, force=force)
    made = {path: data for path, data in files.items() if data is not None}
    for path, data in made.items():
        _write(path, data, os.fspath(output_dir))
    kept = [path for path in files if path not in made]
    result: Persisted = {"status": "success", "created_files": list(made)}
    return {**result, "kept_files": kept} if kept else result


def planned(
    grounded: Mapping[str, Any],
    output_dir: str | os.PathLike[str],
    project: str | None = None,
    page: str | None = None,
    *,
    force: bool = False,
) -> dict[str, bytes | None]:
    """The files that `persist_grounding` would write; raises as that does, and writes nothing.

    A page that was edited has `None`: it is kept.
    """
    top = os.fspath(output_dir)
    name = project or str(grounded["query"])
    folder = os.path.join(top, _HOME, slug(name, "project"))
    master = os.path.join(folder, "MASTER.md")
    files = {master: (_names(name), _master(grounded))}
    if page:
        path = os.path.join(folder, "pages", f"{slug(page, 'page')}.md")
        files[path] = (_names(name, page), _page(page))
    made: dict[str, bytes | None] = {path: _marked(names, lines) for path, (names, lines) in files.items()}
    for path, (names, _) in files.items():
        _refuse_outside(path, top)
        if path != master and _was_edited(path, names):
            made[path] = None
            continue
        _refuse(path, "" if force else names)
        if action(path, made[path]):
            _refuse_unwritable(os.path.dirname(path))
    return made


def action(path: str, data: bytes | None) -> str:
    """What writing does to a file: `created`, `changed`, or "" for one that holds it, or is kept."""
    if data is None:
        return ""
    if not os.path.lexists(path):
        return "created"
    with open(path, "rb") as file:
        return "" if file.read(len(data) + 1) == data else "changed"


def slug(name: str, otherwise: str) -> str:
    """A name that a file can have on every system: letters and digits in lower case, `_`, `-` and `.`."""
    from unicodedata import normalize

    kept = "".join(char if in_word(char) or char == "." else "-" for char in normalize("NFC", name).lower())
    parts = re.sub(r"-*\.[-.]*", ".", re.sub(r"--+", "-", kept)).strip("-.")
    cut = parts.encode()[:LONGEST_SLUG].decode("utf-8", "ignore").strip("-.") or otherwise
    return f"{cut}-{otherwise}" if re.fullmatch(DEVICE, cut.partition(".")[0]) else cut


def _names(project: str, page: str = "") -> str:
    """What a file's first line says of whom it was written for. Two spellings of one letter are one."""
    from json import dumps
    from unicodedata import normalize

    def quoted(name: str) -> str:
        # It stands in a comment, which no name may end.
        text = dumps(normalize("NFC", name), ensure_ascii=not name.isprintable())
        return text.replace("--", "-\\u002d").replace("<", "\\u003c").replace(">", "\\u003e")

    return f" for {quoted(project)}" + (f", page {quoted(page)}" if page else "")


def _master(grounded: Mapping[str, Any]) -> list[str]:
    # A value must not be read as HTML: it would vanish, or hide what follows.
    body = [text.replace("<", "&lt;") for text in grounding(grounded)]
    head = [
        "# Design system: master",
        "",
        "> A file in `pages/` wins over this one, for its page. Read that first, then this for the rest.",
        "",
    ]
    return [*head, *body]


def _page(page: str) -> list[str]:
    name = line(page.replace("-", " ").title()).replace("<", "&lt;")
    return [
        f"# {name}: overrides",
        "",
        "> What stands here wins over `../MASTER.md`, for this page. All else is as it says there.",
    ]


def _marked(names: str, lines: Iterable[str]) -> bytes:
    data = "".join(f"{text}\n" for text in lines).encode("utf-8", "backslashreplace")
    return f"{_mark(names, data)}\n".encode() + data


def _mark(names: str, data: bytes) -> str:
    from hashlib import sha256

    return _MARK.format(names, sha256(names.encode() + data).hexdigest())


def _refuse(path: str, names: str) -> None:
    """Raises `OSError` for what is not ours to overwrite; without `names`, for what is no file."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return
    if not os.path.isfile(path):
        raise OSError(errno.EEXIST, "something is there that is no file", path)
    written_for = _written_for(path) if names else ""
    if written_for is None:
        raise FileExistsError(
            errno.EEXIST, "it was not written by this command, or edited since; --force overwrites it", path
        )
    if written_for not in ("", names):
        which = f"{short(written_for, _SHOWN)}, and not {short(names, _SHOWN)}"
        raise FileExistsError(
            errno.EEXIST, f"it was written {which}; take another name, or overwrite it with --force", path
        )


def _refuse_unwritable(folder: str) -> None:
    """Raises `OSError` where the folder cannot be made, or nothing can be written in it."""
    there = folder
    while there and not os.path.lexists(there):
        there = os.path.dirname(there)
    if not os.path.isdir(there or os.curdir):
        raise NotADirectoryError(errno.ENOTDIR, "something is there that is no folder", there)
    if not os.access(there or os.curdir, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "nothing may be written in this folder", there or os.curdir)


def _refuse_outside(path: str, top: str) -> None:
    root = os.path.normcase(os.path.realpath(top))
    real = os.path.normcase(os.path.realpath(path))
    if not real.startswith(os.path.join(root, "")):
        raise PermissionError(errno.EACCES, f"a link leads out of {top}", path)


def _written_for(path: str) -> str | None:
    """The names in a file's first line, "" where it has none; `None` where it is not as it was written."""
    names, whole = _mark_in(path)
    return names if whole else None


def _was_edited(path: str, names: str) -> bool:
    """Whether a file was written here, for these names if it says for which, and is not as it was written."""
    if not os.path.isfile(path):
        return False
    written_for, whole = _mark_in(path)
    return written_for in ("", names) and not whole


def _mark_in(path: str) -> tuple[str | None, bool]:
    """The names in a file's first line, `None` if it was not written here; and whether it is as written."""
    with open(path, "rb") as file:
        data = file.read(_LARGEST)
    first, _, rest = data.partition(b"\n")
    mark = first.decode("utf-8", "replace")
    # Some editors put a byte order mark there. It is an edit as any other.
    names = re.match(_NAMES, mark.removeprefix("\ufeff"))
    return (names[1], mark == _mark(names[1], rest)) if names else (None, False)


def _write(path: str, data: bytes, top: str) -> None:
    """Write a file, unless it holds this already."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        write.step(f"create {folder}")
        os.makedirs(folder, exist_ok=True)
    # Somebody may have put a link there in the meantime.
    _refuse_outside(path, top)
    if action(path, data):
        write.replace(path, data)
