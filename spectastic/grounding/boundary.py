"""The boundary of what is read because of a manifest: its folder, and nothing outside."""

from __future__ import annotations

import os

from spectastic.grounding.kinds import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

#: Where the manifest's folder is kept in what `load_manifest` gives: absolute, links followed.
FOLDER = "_manifest_dir"


class ManifestError(ValueError):
    """A manifest cannot be used, or leads where nothing may be read.

    `hint` says what to do; `violations` is what `validate_manifest` found, if that is the reason.
    """

    def __init__(self, message: str, hint: str = "", violations: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.violations = tuple(violations)


def with_folder(data: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A manifest that was read from `path`, with its folder: that of the path, links in it followed.

    Where a link in place of the manifest itself leads is no matter: it does not move the boundary.
    """
    return {**data, FOLDER: os.path.realpath(os.path.dirname(path) or os.curdir)}


def resolve_data_path(manifest: Mapping[str, Any], relative: str) -> Path:
    """As `data_file`, for those who want a `Path`."""
    from pathlib import Path

    return Path(data_file(manifest, relative))


def unwaiting(path: str, flags: int) -> int:
    """Opens a file for `open`: a named pipe must not make us wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def python_twin(file: str) -> str:
    """The rules module to run where a manifest names a file: of one in TypeScript, its twin in Python."""
    return f"{file[:-3]}.py" if file.endswith((".ts", ".js")) else file


def data_file(manifest: Mapping[str, Any], relative: str) -> str:
    """Where a file of the corpus really is: absolute, links followed, inside the manifest's folder.

    The file may be missing. What is opened is what was looked at: no link is left in the path.

    Raises:
        ManifestError: the path, or that of `data_dir`, leads out of the manifest's folder, or has letters
            that file names do not have here.
    """
    folder: str | None = manifest.get(FOLDER)
    if folder is None:
        raise ManifestError(f"the manifest has no {FOLDER}", "load it with load_manifest")
    base = manifest.get("data_dir") or ""
    for path in (base, relative):
        if why := outside(path):
            raise ManifestError(
                f"'{path}' {why}; it must be manifest-relative", "name a file below its folder"
            )
    root = os.path.realpath(folder)
    inner = (part for path in (base, relative) for part in path.replace("\\", "/").split("/"))
    try:
        found: str = os.path.realpath(os.path.join(root, *filter(None, inner)))
    except UnicodeEncodeError as error:
        whole = "/".join(filter(None, (base, relative)))
        cause = f"'{whole}' cannot be the name of a file here, where names are in {error.encoding}"
        raise ManifestError(cause, "rename it, or set PYTHONUTF8=1") from None
    if not _below(found, root):
        raise ManifestError(
            f"'{relative}' leads out of the manifest's folder through a link; it must be manifest-relative",
            "put a copy in its place",
        )
    return found


def _below(path: str, root: str) -> bool:
    """Whether a real path is in a real folder, or that folder itself."""
    path, root = os.path.normcase(path), os.path.normcase(root)
    return path == root or path.startswith(os.path.join(root, ""))
