"""What a CI service says in the environment about the pull request that is being checked.

Sources: GitHub, "Variables reference" and the payloads of `pull_request` and `merge_group`; GitLab,
"Predefined CI/CD variables reference".
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_EVENTS = ("pull_request", "pull_request_target", "merge_group")
#: More than any payload is long.
_MAX_PAYLOAD = 20_000_000


def in_ci(env: Mapping[str, str]) -> bool:
    """Whether this runs on a CI service: GitHub, GitLab and most others say `CI=true`."""
    return env.get("CI", "").lower() not in ("", "0", "false")


def base_revision(env: Mapping[str, str], root: str) -> str:
    """The revision that a pull request is to be merged into, `""` where there is no pull request.

    The first one that this clone has; if it has none of them, the last, so that somebody is told.

    Raises:
        TroubleError: there is one, and nothing says what its base is.
    """
    candidates = _candidates(env, root)
    if candidates is None:
        return ""
    found = ""
    for revision in candidates:
        found = revision
        if _exists(root, revision):
            return found
    if not found:
        message = "the environment speaks of a pull request, and does not say what it is to be merged into"
        raise TroubleError(message, "name it with --base REV, or leave out corpus-append-only with --ignore")
    return found


def _candidates(env: Mapping[str, str], root: str) -> Iterator[str] | None:
    if env.get("GITHUB_ACTIONS") == "true" and _inside(root, env.get("GITHUB_WORKSPACE", "")):
        return _github(env, root) if env.get("GITHUB_EVENT_NAME") in _EVENTS else None
    if env.get("GITLAB_CI") == "true" and _inside(root, env.get("CI_PROJECT_DIR", "")):
        return _gitlab(env) if env.get("CI_MERGE_REQUEST_IID") else None
    return None


def _inside(root: str, folder: str) -> bool:
    """Whether the environment speaks of the tree that is checked, and not of one it stands beside."""
    return not folder or f"{root}/".startswith(f"{os.path.realpath(folder).rstrip('/')}/")


def _github(env: Mapping[str, str], root: str) -> Iterator[str]:
    payload = _payload(env.get("GITHUB_EVENT_PATH", ""))
    # The merge that GitHub makes and checks out: its first parent is the base, at that very moment.
    head = _text(payload, "pull_request", "head", "sha")
    if head and _exists(root, "HEAD^2", head):
        yield "HEAD^1"
    if branch := env.get("GITHUB_BASE_REF", ""):
        yield f"refs/remotes/origin/{branch}"
    for place in (("pull_request", "base", "sha"), ("merge_group", "base_sha")):
        if sha := _text(payload, *place):
            yield sha


def _gitlab(env: Mapping[str, str]) -> Iterator[str]:
    if sha := env.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", ""):
        yield sha
    if branch := env.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", ""):
        yield f"refs/remotes/origin/{branch}"


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
