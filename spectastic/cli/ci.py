"""What a CI service says in the environment about the pull request that is being checked.

Sources: GitHub, "Variables reference" and the payloads of `pull_request` and `merge_group`; GitLab,
"Predefined CI/CD variables reference".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PULL_REQUEST = ("pull_request", "pull_request_target")
#: More than any payload is long.
_MAX_PAYLOAD = 20_000_000


def base_revision(env: Mapping[str, str], root: str) -> str:
    """The revision that a pull request is to be merged into, `""` where there is no pull request.

    The first one that this clone has; if it has none of them, the last, so that somebody is told.
    """
    found = ""
    for revision in _candidates(env, root):
        found = revision
        if _exists(root, revision):
            break
    return found


def _candidates(env: Mapping[str, str], root: str) -> Iterator[str]:
    if env.get("GITHUB_ACTIONS") == "true" and _inside(root, env.get("GITHUB_WORKSPACE", "")):
        yield from _github(env, root)
    elif env.get("GITLAB_CI") == "true" and _inside(root, env.get("CI_PROJECT_DIR", "")):
        yield env.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")


def _inside(root: str, folder: str) -> bool:
    """Whether the environment speaks of the tree that is checked, and not of one it stands beside."""
    return not folder or f"{root}/".startswith(f"{os.path.realpath(folder).rstrip('/')}/")


def _github(env: Mapping[str, str], root: str) -> Iterator[str]:
    name = env.get("GITHUB_EVENT_NAME", "")
    payload = _payload(env.get("GITHUB_EVENT_PATH", ""))
    if name == "merge_group":
        yield _text(payload, "merge_group", "base_sha")
    elif name in _PULL_REQUEST:
        # The merge that GitHub makes and checks out: its first parent is the base, at that very moment.
        head = _text(payload, "pull_request", "head", "sha")
        if head and _exists(root, "HEAD^2", head):
            yield "HEAD^1"
        if branch := env.get("GITHUB_BASE_REF", ""):
            yield f"refs/remotes/origin/{branch}"
        if sha := _text(payload, "pull_request", "base", "sha"):
            yield sha


def _payload(path: str) -> object:
    import json

    try:
        with open(path, "rb") as file:
            return json.loads(file.read(_MAX_PAYLOAD))
    except (OSError, ValueError, RecursionError):
        return None


def _text(value: object, *names: str) -> str:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _exists(root: str, revision: str, commit: str = "") -> bool:
    """Whether a clone has a revision, and it is `commit`."""
    from spectastic import git

    try:
        found = git.commit(root, revision)
    except git.GitError:
        return False
    return commit in ("", found)
