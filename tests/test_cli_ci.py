"""What the environment says of a pull request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from repository import Repository

from spectastic.cli.ci import base_revision
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repository, dict[str, str]]:
    """A clone on a merge commit, and the commits by name."""
    upstream = Repository(tmp_path_factory.mktemp("ci") / "upstream", {"a.md": "a\n"})
    base = upstream.commit({"b.md": "b\n"})
    upstream.branch("feature")
    head = upstream.commit({"c.md": "c\n"})
    upstream.git("checkout", "-q", "main")
    upstream.branch("merge")
    upstream.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")
    clone = upstream.clone(upstream.root.parent / "clone", "--branch", "merge")
    return clone, {"base": base, "head": head, "merge": clone.git("rev-parse", "HEAD"), "none": "0" * 40}


PULL = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_BASE_REF": "main"}
MERGE = {"GITLAB_CI": "true", "CI_MERGE_REQUEST_IID": "7"}
# The environment, the payload (with names for commits), and the revision.
CASES: dict[str, tuple[dict[str, str], object, str]] = {
    "nothing": ({}, None, ""),
    "push": ({**PULL, "GITHUB_EVENT_NAME": "push"}, None, ""),
    "not-actions": ({**PULL, "GITHUB_ACTIONS": ""}, None, ""),
    "merge-commit": (PULL, {"pull_request": {"head": {"sha": "head"}, "base": {"sha": "base"}}}, "HEAD^1"),
    "another-head": (PULL, {"pull_request": {"head": {"sha": "none"}}}, "refs/remotes/origin/main"),
    "target": (
        {**PULL, "GITHUB_EVENT_NAME": "pull_request_target"},
        {"pull_request": {"head": {"sha": "none"}}},
        "refs/remotes/origin/main",
    ),
    "no-payload": (PULL, None, "refs/remotes/origin/main"),
    "payload-is-a-list": (PULL, [1], "refs/remotes/origin/main"),
    "no-branch": (
        {**PULL, "GITHUB_BASE_REF": "gone"},
        {"pull_request": {"base": {"sha": "base"}}},
        "base",
    ),
    "nothing-is-here": (
        {**PULL, "GITHUB_BASE_REF": "gone"},
        {"pull_request": {"base": {"sha": "none"}}},
        "none",
    ),
    "hostile-branch": ({**PULL, "GITHUB_BASE_REF": "--output=x"}, None, "refs/remotes/origin/--output=x"),
    "queue": (
        {**PULL, "GITHUB_EVENT_NAME": "merge_group"},
        {"merge_group": {"base_sha": "base"}},
        "refs/remotes/origin/main",
    ),
    "queue-without-a-branch": (
        {**PULL, "GITHUB_EVENT_NAME": "merge_group", "GITHUB_BASE_REF": ""},
        {"merge_group": {"base_sha": "base"}},
        "base",
    ),
    "gitlab": ({**MERGE, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "base"}, None, "base"),
    "gitlab-branch": (
        {**MERGE, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"},
        None,
        "refs/remotes/origin/main",
    ),
    "gitlab-shallow": (
        {**MERGE, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "none", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"},
        None,
        "refs/remotes/origin/main",
    ),
    "gitlab-push": ({"GITLAB_CI": "true", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "base"}, None, ""),
}


@pytest.mark.parametrize("case", CASES)
def test_base_revision(case: str, merged: tuple[Repository, dict[str, str]], tmp_path: Path) -> None:
    clone, commits = merged
    env, payload, wanted = CASES[case]
    env = {name: commits.get(value, value) for name, value in env.items()}
    event = tmp_path / "event.json"
    text = json.dumps(payload)
    for name, commit in commits.items():
        text = text.replace(f'"sha": "{name}"', f'"sha": "{commit}"').replace(
            f'sha": "{name}"', f'sha": "{commit}"'
        )
    event.write_text(text, encoding="utf-8")
    found = base_revision({**env, "GITHUB_EVENT_PATH": str(event)}, str(clone.root))
    assert found == commits.get(wanted, wanted)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\x00"])
def test_damaged_payload(text: str, merged: tuple[Repository, dict[str, str]], tmp_path: Path) -> None:
    (tmp_path / "event.json").write_text(text, encoding="utf-8")
    for path in (tmp_path / "event.json", tmp_path / "none.json", tmp_path):
        env = {**PULL, "GITHUB_EVENT_PATH": str(path)}
        assert base_revision(env, str(merged[0].root)) == "refs/remotes/origin/main"


NOTHING_SAID = [
    {**PULL, "GITHUB_BASE_REF": ""},
    {**PULL, "GITHUB_BASE_REF": "", "GITHUB_EVENT_NAME": "merge_group"},
    {**MERGE},
]


@pytest.mark.parametrize("env", NOTHING_SAID)
def test_a_base_that_nobody_names(env: dict[str, str], merged: tuple[Repository, dict[str, str]]) -> None:
    with pytest.raises(TroubleError, match="does not say what it is to be merged into"):
        base_revision(env, str(merged[0].root))


def test_another_tree_is_not_meant(merged: tuple[Repository, dict[str, str]], tmp_path: Path) -> None:
    root = str(merged[0].root)
    for folder, found in ((root, "refs/remotes/origin/main"), (str(tmp_path), ""), (f"{root}/x", "")):
        assert base_revision({**PULL, "GITHUB_WORKSPACE": folder}, root) == found
    gitlab = {**MERGE, "CI_MERGE_REQUEST_DIFF_BASE_SHA": "x", "CI_PROJECT_DIR": str(tmp_path)}
    assert base_revision(gitlab, root) == ""
