"""Git repositories for tests, with a history."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from trees import tree

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from trees import Link

_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "Tester"),
        ("EMAIL", "tester@example.org"),
        ("DATE", "2026-01-01T00:00:00Z"),
    )
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, as nobody in particular, and give what it printed, without the last line end."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        **_IDENTITY,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return os.fsdecode(done.stdout).rstrip("\n")


class Repository:
    """A repository at `root`; its branch is `main`."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes | Link | None] = {}) -> None:
        self.root = tree(root, {})
        self.git("init", "-q", "-b", "main")
        if files:
            self.commit(files)

    def git(self, *arguments: str) -> str:
        return git(self.root, *arguments)

    def write(self, files: Mapping[str, str | bytes | Link | None]) -> None:
        tree(self.root, files)

    def commit(self, files: Mapping[str, str | bytes | Link | None] = {}) -> str:
        """Write files, commit everything, and give the commit's id."""
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "Change the tree")
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str) -> None:
        self.git("checkout", "-q", "-b", name)

    def clone(self, target: Path, *options: str) -> Repository:
        """A clone in a folder that does not exist yet."""
        git(self.root, "clone", "-q", *options, f"file://{self.root}", str(target))
        clone = object.__new__(Repository)
        clone.root = target
        return clone
