"""Names that a new file may have on every system that the repository may be cloned to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.curate.plan import CurateError
from spectastic.text import DEVICE, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spectastic.curate.plan import FileChange
    from spectastic.curate.workspace import Workspace

MAX_BYTES = 200

_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
#: What Windows keeps for itself, with any ending.
_DEVICES = re.compile(DEVICE)


def refuse(name: str, beside: Iterable[str] = ()) -> str:
    """Why a new file cannot have a name, as a clause about it; "" where it can.

    `beside` are the names in its folder.
    """
    return _shape(name) or _clash(name, _spellings(beside))


def refuse_new(workspace: Workspace, changes: Sequence[FileChange]) -> None:
    """Refuse new files and folders that some system cannot have, or not beside the others.

    Raises:
        CurateError: names the first of them.
    """
    new = [change for change in changes if change.before is None]
    after = workspace.with_changes(changes)
    known: dict[str, tuple[frozenset[str], dict[str, list[str]]]] = {}
    for change in new:
        parts = change.path.split("/")
        for depth, name in enumerate(parts):
            folder = "/".join(parts[:depth])
            if folder not in known:
                known[folder] = (frozenset(workspace.names(folder)), _spellings(after.names(folder)))
            old, spellings = known[folder]
            why = "" if name in old else _shape(name) or _clash(name, spellings)
            if why:
                message = f"{short(change.path, 200)} cannot be made: {short(name)} {why}"
                raise CurateError(message, "choose another name")


def _shape(name: str) -> str:
    if name in ("", ".", ".."):
        return "is no name"
    if odd := _FORBIDDEN.search(name):
        return f"has {odd[0]} in it, which Windows allows in no name"
    if odd := _CONTROL.search(name):
        return f"has the control character U+{ord(odd[0]):04X} in it"
    if name[-1] in ". ":
        return f"ends in {'a dot' if name[-1] == '.' else 'a blank'}, which Windows drops"
    if _DEVICES.fullmatch(name.partition(".")[0].rstrip(" ")):
        return "is a device on Windows"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "is not text that UTF-8 can hold"
    return f"is {size} bytes long, more than the {MAX_BYTES} that are safe" if size > MAX_BYTES else ""


def _clash(name: str, spellings: Mapping[str, Sequence[str]]) -> str:
    other = next((known for known in spellings.get(folded(name), ()) if known != name), "")
    if not other:
        return ""
    return f"differs from {short(other)} only in case or accents, and is the same file elsewhere"


def _spellings(names: Iterable[str]) -> dict[str, list[str]]:
    """The names that are one on some system, together."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(folded(name), []).append(name)
    return found


def folded(name: str) -> str:
    """A name as it compares where neither case nor the way of writing accents counts."""
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", name).casefold())
