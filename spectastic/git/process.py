"""Running git, so that neither its surroundings nor its configuration change what it says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from subprocess import CompletedProcess

#: The variables of git's that count: where it is installed, and its configuration. Others, such as those
#: that a hook runs with, name another repository, another index or another way to compare.
_KEPT = (
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    # No protocol at all, whatever a configuration allows: nothing is fetched behind our back.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "SSH_ASKPASS_REQUIRE": "never",
}
_OPTIONS = (
    *("--no-optional-locks", "--literal-pathspecs", "--no-pager"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.quotePath=false"),
)

_PARTIAL = (
    "this is a partial clone, and it lacks files of an earlier revision",
    "clone it without --filter (in actions/checkout, without filter)",
)
#: What git says, and what we make of it.
_FAULTS = (
    (
        ("dubious ownership", "unsafe repository"),
        "git does not trust this repository, because it belongs to another user",
        "if you do, add its folder: git config --global --add safe.directory <folder>",
    ),
    (("promisor", "lazy fetching"), *_PARTIAL),
)


class GitError(Exception):
    """Something that git cannot answer; `message` says what, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NoRepositoryError(GitError):
    """There is no repository to ask about."""


def partial() -> GitError:
    """The error for an object that is not there."""
    return GitError(*_PARTIAL)


def run(
    root: str,
    *arguments: str,
    input: bytes | None = None,  # noqa: A002 - as subprocess has it
    settings: Sequence[tuple[str, str]] = (),
) -> bytes:
    """What git prints, run in `root`, with further settings. Raises `GitError` where it fails."""
    return check(call(root, *arguments, input=input, settings=settings))


def check(done: CompletedProcess[bytes], good: tuple[int, ...] = (0,)) -> bytes:
    """What git printed, if it ended with a good code."""
    if done.returncode in good:
        return done.stdout
    raise_known(done)
    words = iter(done.args[len(_OPTIONS) + 3 :])
    command = next(word for word in words if word != "-c" or not next(words))
    said = short(text(done.stderr), 200) or f"it ended with {done.returncode}"
    raise GitError(f"git {command} failed: {said}")


def raise_known(done: CompletedProcess[bytes]) -> None:
    """Raise what git's complaint means, where we know."""
    said = text(done.stderr)
    if "not a git repository" in said:
        message = "this folder is in no git repository"
        raise NoRepositoryError(message, "run it in a clone of the repository, with its .git folder")
    for phrases, message, hint in _FAULTS:
        if any(phrase in said for phrase in phrases):
            raise GitError(message, hint)


def text(data: bytes) -> str:
    """A line that git printed."""
    return data.decode("utf-8", "replace").strip()


def call(
    root: str,
    *arguments: str,
    input: bytes | None = None,  # noqa: A002 - as subprocess has it
    settings: Sequence[tuple[str, str]] = (),
) -> CompletedProcess[bytes]:
    """Run git in `root`, whatever comes of it."""
    import subprocess

    command = [_program(), *_OPTIONS, "-C", root, *arguments]
    try:
        return subprocess.run(  # noqa: S603 - an absolute path, and no shell
            command,
            input=input,
            stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True,
            check=False,
            env=_environment(os.environ, settings),
        )
    except OSError as error:
        raise GitError(f"git cannot be run: {(error.strerror or '').lower()}") from error


def ask(
    root: str,
    *arguments: str,
    protocols: Sequence[str],
    settings: Sequence[tuple[str, str]],
    seconds: float,
    most: int,
) -> CompletedProcess[bytes]:
    """Run git in `root` to ask another machine, away from the terminal, and by these protocols alone.

    It may take so many seconds and print `most` bytes; what it has started ends with it. Raises `GitError`.
    """
    from subprocess import CompletedProcess

    from spectastic import program

    command = [_program(), *_OPTIONS, "-C", root, *arguments]
    # A variable: it counts more than any configuration.
    allowed = {"GIT_ALLOW_PROTOCOL": ":".join(protocols)}
    try:
        done = program.run(
            command, seconds=seconds, most=most, environment=_environment(os.environ, settings) | allowed
        )
    except program.ProgramError as error:
        late = error.kind is program.Kind.LATE
        said = f"has not answered within {seconds:g} seconds" if late else error.message
        raise GitError(f"git {said}") from error
    return CompletedProcess(command, done.code, done.output, done.complaint)


def _environment(given: Mapping[str, str], settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    kept = {
        name: value for name, value in given.items() if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    if settings:
        # Behind those that are there: a later one wins. On the command line, a name could not hold a `=`.
        first = int(kept.get("GIT_CONFIG_COUNT") or "0")
        for number, (name, value) in enumerate(settings, first):
            kept |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        kept["GIT_CONFIG_COUNT"] = str(first + len(settings))
    return {**kept, **_ENVIRONMENT}


def _program() -> str:
    """Where git is. It is never the one in the current folder, which may be anybody's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in filter(os.path.isabs, os.get_exec_path()):
        program = os.path.join(folder, name)
        if os.access(program, os.X_OK) and not os.path.isdir(program):
            return program
    raise GitError("git is not installed, or not on the PATH", "install git")
