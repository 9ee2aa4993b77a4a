"""A stand-in for spectastic: tells what it was given, writes what it is asked for, and ends as it is told."""

from __future__ import annotations

import json
import venv
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

#: It looks at the variables STUB_TOLD, STUB_CODE (negative: a signal) and STUB_WRITES (not empty: yes).
_PROGRAM = """\
import json, os, sys

if sys.argv[1:] == ["--version"]:
    raise SystemExit(0)
told = {"arguments": sys.argv[1:], "folder": os.getcwd(), "stdin": sys.stdin.read()}
with open(os.environ["STUB_TOLD"], "w", encoding="utf-8") as file:
    json.dump(told, file)
print("the stub was here", flush=True)
for option, value in zip(sys.argv, sys.argv[1:]):
    if option == "--output" and os.environ.get("STUB_WRITES"):
        with open(value.partition("=")[2], "w", encoding="utf-8") as file:
            file.write("{}")
code = int(os.environ.get("STUB_CODE", "0"))
if code < 0:
    os.kill(os.getpid(), -code)
raise SystemExit(code)
"""


class Told(NamedTuple):
    """What the stand-in was given."""

    arguments: list[str]
    folder: str
    stdin: str


def install(folder: Path) -> Path:
    """Make a virtual environment with the stand-in in it, and give its Python."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "spectastic").mkdir()
    (packages / "spectastic/__main__.py").write_text(_PROGRAM, encoding="utf-8")
    return folder / "bin/python"


def told(path: Path) -> Told:
    """Read the file that STUB_TOLD named."""
    return Told(**json.loads(path.read_text(encoding="utf-8")))


#: A text with arguments, and what they are. Nothing of it is ever run or expanded.
ARGUMENTS = {
    "": [],
    "  ": [],
    "--fail-on warning": ["--fail-on", "warning"],
    "--fail-on\nwarning\n": ["--fail-on", "warning"],
    "'a path with spaces/x.md' b": ["a path with spaces/x.md", "b"],
    '"it\'s" a\\ b': ["it's", "a b"],
    "''": [""],
    "--format full": ["--format", "full"],
    "-": ["-"],
    "; touch x": [";", "touch", "x"],
    "&& touch x": ["&&", "touch", "x"],
    "| touch x > y": ["|", "touch", "x", ">", "y"],
    "$(touch x)": ["$(touch", "x)"],
    "`touch x`": ["`touch", "x`"],
    "$HOME ${PATH} ~ * docs/**": ["$HOME", "${PATH}", "~", "*", "docs/**"],
    "a\ntouch x\nPYTHON\ntouch x": ["a", "touch", "x", "PYTHON", "touch", "x"],
    "'\nexit-code=0\n'": ["\nexit-code=0\n"],
    "# no comment": ["#", "no", "comment"],
    "$'a' %PATH% ünï": ["$a", "%PATH%", "ünï"],
}
