"""The hooks, run by the real pre-commit on a throw-away repository, taken from this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
#: What installing a hook needs; the rest of the checkout may be in the middle of a change.
SHIPPED = {"spectastic", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"}

REGISTRY = """\
| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |
| --- | --- | --- | --- | --- | --- | --- | --- |
| KB-0001 | acme | trading | 001-settlement | T | 2024-05-28 | trading/references/001-settlement.md | |
"""
SPEC = '<spec-decision id="D-001">\n\nT+1, KB-0001@{edition}.\n\n</spec-decision>\n'


def git(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["PRE_COMMIT_HOME"] = str(folder.parent / "pre-commit-home")
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *identity, *arguments],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=check,
        timeout=600,
    )


@pytest.fixture(scope="module")
def hook_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout as pre-commit would clone it, with what is not committed yet."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path_factory.mktemp("hooks") / "spectastic"
    folder.mkdir()
    listed = git(CHECKOUT, "ls-files", "--cached", "--others", "--exclude-standard", "-z").stdout
    for name in filter(None, listed.split("\0")):
        if name.split("/")[0] in SHIPPED and (CHECKOUT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, folder / name)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Take the checkout as it is")
    return folder


def project(hooks: Path, name: str, hook: str) -> Path:
    """A docs repository beside the hooks, committed, with one hook installed."""
    folder = hooks.parent / name
    reference = folder / "knowledge/trading/references/001-settlement.md"
    reference.parent.mkdir(parents=True)
    reference.write_text("---\nslug: 001-settlement\nedition: 2024-05-28\n---\nT+1.\n")
    (folder / "knowledge/index.md").write_text(REGISTRY)
    (folder / "specs").mkdir()
    (folder / "specs/settlement.md").write_text(SPEC.format(edition="2024-05-28"))
    # The throw-away reference has no provenance; these cases are about citations.
    (folder / "spectastic.toml").write_text('select = ["corpus-provenance"]\n')
    revision = git(hooks, "rev-parse", "HEAD").stdout.strip()
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n"
    )
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "install"],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, "PRE_COMMIT_HOME": str(hooks.parent / "pre-commit-home")},
    )
    return folder


def commit(folder: Path) -> tuple[int, str]:
    git(folder, "add", "-A")
    done = git(folder, "commit", "-m", "Change", check=False)
    return done.returncode, done.stdout + done.stderr


def test_whole_tree_hook_stops_what_breaks_untouched_specs(hook_repository: Path) -> None:
    folder = project(hook_repository, "whole", "spectastic")
    (folder / "notes.txt").write_text("no spec is part of this commit\n")
    code, output = commit(folder)
    assert (code, "Passed" in output) == (0, True), output

    (folder / "knowledge/trading/references/001-settlement.md").unlink()
    code, output = commit(folder)
    assert code == 1, output
    assert "specs/settlement.md:3:6: error" in output
    assert "corpus-provenance" in output
    git(folder, "reset", "-q", "--hard")

    (folder / "specs/settlement.md").write_text(SPEC.format(edition="2099-01-01"))
    code, output = commit(folder)
    assert code == 1, output
    assert "KB-0001@2099-01-01" in output


def test_changed_files_hook_sees_changed_specs_only(hook_repository: Path) -> None:
    folder = project(hook_repository, "files", "spectastic-files")
    (folder / "specs/settlement.md").write_text(SPEC.format(edition="2099-01-01"))
    code, output = commit(folder)
    assert code == 1, output
    assert "KB-0001@2099-01-01" in output
    git(folder, "reset", "-q", "--hard")

    # Weaker, as documented: pre-commit passes no deleted file, so nothing looks at the specs.
    (folder / "knowledge/trading/references/001-settlement.md").unlink()
    code, output = commit(folder)
    assert (code, "Skipped" in output) == (0, True), output
