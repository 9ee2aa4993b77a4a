"""Small trees of files for tests, written from a dict."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Link(NamedTuple):
    """A symbolic link; `target` is written as it stands."""

    target: str


def tree(root: Path, files: Mapping[str, str | bytes | Link | None]) -> Path:
    """Write `files` below `root`, which is made if need be, and give `root` back.

    Keys are paths relative to `root`; a value is the text or the bytes of a file, a `Link`, or
    None for a folder.
    """
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = os.path.join(root, name)
        os.makedirs(path if content is None else os.path.dirname(path), exist_ok=True)
        if isinstance(content, Link):
            os.symlink(content.target, path)
        elif content is not None:
            with open(path, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
    return root
