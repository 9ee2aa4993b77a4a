"""The programs that are measured, how each is called, and what this machine is."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from typing import Any, NamedTuple

from benchmarks.measure import Command, RunError

#: The environment variable that names a markdownlint-cli2 outside PATH.
MARKDOWNLINT = "MARKDOWNLINT"


class Tool(NamedTuple):
    """A program, and what it is given for a whole tree and for one file (`{}`).

    `accepts` are the exit codes with which it says that it has checked everything, findings or not.
    """

    name: str
    tree: tuple[str, ...]
    file: tuple[str, ...]
    accepts: tuple[int, ...]


SPECTASTIC = Tool("spectastic", ("validate",), ("validate", "{}"), (0,))
RUMDL = Tool("rumdl", ("check", "--no-cache", "."), ("check", "--no-cache", "{}"), (0, 1))
CODESPELL = Tool("codespell", (".",), ("{}",), (0, 65))
RIPGREP = Tool("rg", ("KB-", "."), ("KB-", "{}"), (0, 1))
MARKDOWNLINT_CLI2 = Tool("markdownlint-cli2", ("**/*.md",), ("{}",), (0, 1))

TOOLS = (SPECTASTIC, RUMDL, CODESPELL, RIPGREP, MARKDOWNLINT_CLI2)


def find(tool: Tool) -> str | None:
    """The program's path: beside this Python, then on PATH; `None` where it is not installed."""
    if tool is MARKDOWNLINT_CLI2 and (named := os.environ.get(MARKDOWNLINT)):
        return shutil.which(named)
    beside = os.path.dirname(os.path.abspath(sys.executable))
    return shutil.which(tool.name, path=beside) or shutil.which(tool.name)


def installed() -> dict[Tool, str]:
    """The tools that are here, with their paths."""
    found = {tool: find(tool) for tool in TOOLS}
    return {tool: path for tool, path in found.items() if path is not None}


def on_tree(tool: Tool, program: str, folder: str) -> Command:
    """The command that checks all of a tree."""
    return Command((program, *tool.tree), folder, tool.accepts)


def on_file(tool: Tool, program: str, folder: str, path: str) -> Command:
    """The command that checks one file, called in the repository that holds it."""
    return Command((program, *(path if part == "{}" else part for part in tool.file)), folder, tool.accepts)


def summary(program: str, folder: str) -> dict[str, Any]:
    """What spectastic says it did on a whole tree.

    Raises:
        RunError: it says nothing that can be read.
    """
    command = (program, "validate", "--format", "json")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    try:
        found: dict[str, Any] = json.loads(done.stdout)["summary"]
    except (ValueError, KeyError) as error:
        raise RunError(f"{' '.join(command[1:])} gave no summary, exit code {done.returncode}") from error
    return found


def version(program: str) -> str:
    """The version a program gives for itself, or `unknown`."""
    words = re.findall(r"\d+(?:\.\d+)+\S*", _said(program, "--version"))
    return words[0] if words else "unknown"


def described(program: str | None) -> str:
    """The version of a program, or that there is none."""
    return "not installed" if program is None else version(program)


def commit(folder: str) -> str:
    """The commit a checkout stands at, and whether anything was changed since."""
    revision = _said("git", "-C", folder, "rev-parse", "--short=12", "HEAD").strip()
    if not revision or " " in revision:
        return "none yet"
    changed = _said("git", "-C", folder, "status", "--porcelain", "--", "spectastic")
    return f"{revision}, with local changes" if changed.strip() else revision


def machine() -> list[tuple[str, str]]:
    """What is measured on: pairs of a name and a value, without paths."""
    load = "unknown"
    if hasattr(os, "getloadavg"):
        load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return [
        ("CPU", f"{_cpu()}, {os.cpu_count()} cores"),
        ("System", f"{platform.system()} {platform.machine()}"),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("Load before the run (1, 5, 15 minutes)", load),
    ]


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            match = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.MULTILINE)
    except OSError:
        match = None
    return match[1].strip() if match else platform.processor() or "unknown CPU"


def _said(*command: str) -> str:
    """What a program prints, `""` where it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout or done.stderr if done.returncode == 0 else ""
