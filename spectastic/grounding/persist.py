"""Keeping a grounding as files, `DIR/design-system/SLUG/MASTER.md` and `pages/PAGE.md`, and nothing else.

A file says in its first line that it was written here, with a hash of what was written: so a file of somebody
else's, or one that was edited since, is known and left alone.
"""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING, Any

from spectastic import write
from spectastic.grounding.detect import in_word
from spectastic.grounding.markdown import grounding, line
from spectastic.text import DEVICE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from spectastic.grounding.results import Persisted

#: Longer names are cut, in bytes.
LONGEST_SLUG = 80
_HOME = "design-system"
_MARK = "<!-- Written by `spectastic ground`; edits are kept from being overwritten. sha256:{} -->"
#: A larger file was not written here, in bytes.
_LARGEST = 5_000_000


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
    was not written here or was edited since. All is looked at before anything is written.

    Raises:
        OSError: a file cannot be written, or must not be; it names the file.
    """
    files = planned(grounded, output_dir, project, page, force=force)
    for path, data in files.items():
        _write(path, data, os.fspath(output_dir))
    return {"status": "success", "created_files": list(files)}


def planned(
    grounded: Mapping[str, Any],
    output_dir: str | os.PathLike[str],
    project: str | None = None,
    page: str | None = None,
    *,
    force: bool = False,
) -> dict[str, bytes]:
    """The files that `persist_grounding` would write; raises as that does, and writes nothing."""
    top = os.fspath(output_dir)
    folder = os.path.join(top, _HOME, slug(project or str(grounded["query"]), "project"))
    files = {os.path.join(folder, "MASTER.md"): _master(grounded)}
    if page:
        files[os.path.join(folder, "pages", f"{slug(page, 'page')}.md")] = _page(page)
    for path in files:
        _refuse(path, top, force=force)
    return files


def slug(name: str, otherwise: str) -> str:
    """A name that a file can have on every system: letters and digits in lower case, `_`, `-` and `.`."""
    from unicodedata import normalize

    kept = "".join(char if in_word(char) or char == "." else "-" for char in normalize("NFC", name).lower())
    parts = re.sub(r"-*\.[-.]*", ".", re.sub(r"--+", "-", kept)).strip("-.")
    cut = parts.encode()[:LONGEST_SLUG].decode("utf-8", "ignore").strip("-.") or otherwise
    return f"{cut}-{otherwise}" if re.fullmatch(DEVICE, cut.partition(".")[0]) else cut


def _master(grounded: Mapping[str, Any]) -> bytes:
    # A value must not be read as HTML: it would vanish, or hide what follows.
    body = [text.replace("<", "&lt;") for text in grounding(grounded)]
    head = [
        "# Design system: master",
        "",
        "> A file in `pages/` wins over this one, for its page. Read that first, then this for the rest.",
        "",
    ]
    return _marked([*head, *body])


def _page(page: str) -> bytes:
    name = line(page.replace("-", " ").title()).replace("<", "&lt;")
    return _marked(
        [
            f"# {name}: overrides",
            "",
            "> What stands here wins over `../MASTER.md`, for this page. All else is as it says there.",
        ]
    )


def _marked(lines: Iterable[str]) -> bytes:
    data = "".join(f"{text}\n" for text in lines).encode("utf-8", "backslashreplace")
    return f"{_MARK.format(_hash(data))}\n".encode() + data


def _hash(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()


def _refuse(path: str, top: str, *, force: bool) -> None:
    """Raises `OSError` for a file outside the folder, or one that is not ours to overwrite."""
    _refuse_outside(path, top)
    if not os.path.lexists(path):
        return
    if not os.path.isfile(path):
        raise OSError(errno.EEXIST, "something is there that is no file", path)
    if not (force or _is_ours(path)):
        raise FileExistsError(
            errno.EEXIST, "it was not written by this command, or edited since; --force overwrites it", path
        )


def _refuse_outside(path: str, top: str) -> None:
    root = os.path.normcase(os.path.realpath(top))
    real = os.path.normcase(os.path.realpath(path))
    if not real.startswith(os.path.join(root, "")):
        raise PermissionError(errno.EACCES, f"a link leads out of {top}", path)


def _is_ours(path: str) -> bool:
    with open(path, "rb") as file:
        data = file.read(_LARGEST)
    first, _, rest = data.partition(b"\n")
    return first.decode("utf-8", "replace") == _MARK.format(_hash(rest))


def _write(path: str, data: bytes, top: str) -> None:
    """Write a file, unless it holds this already."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        write.step(f"create {folder}")
        os.makedirs(folder, exist_ok=True)
    # Somebody may have put a link there in the meantime.
    _refuse_outside(path, top)
    if os.path.lexists(path):
        with open(path, "rb") as file:
            if file.read(len(data) + 1) == data:
                return
    write.replace(path, data)
