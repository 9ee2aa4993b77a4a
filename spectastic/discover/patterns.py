"""Patterns as `.gitignore` writes them, matched as git matches them.

Own code and not a library's, for three promises: the same verdict as git on folders (`*`, `!*/`,
`!*.md` keeps the Markdown of a whole tree), time linear in the length of a name whatever the
pattern (`*a*a*a*a*b` is a pattern anyone can send), and no pattern that raises. Like git this
works on bytes: `?` is one byte of a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.discover.names import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: More patterns than this in one list are refused: every name is held against all of them.
MAX_PATTERNS = 10_000
#: A longer pattern matches nothing. No path is as long.
MAX_LENGTH = 4096

_SPECIAL = re.compile(rb"[*?\[\\]")
_STAR = b"*"
_CLASSES = {
    b"alnum": rb"[0-9A-Za-z]",
    b"alpha": rb"[A-Za-z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[!-~]",
    b"lower": rb"[a-z]",
    b"print": rb"[ -~]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t-\r]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9A-Fa-f]",
}


class _Rule(NamedTuple):
    """One line: `body` is what is left of it without `!`, the leading and the closing slash."""

    body: bytes
    negated: bool
    folders_only: bool
    by_name: bool


class _Group:
    """Neighbouring rules that all ignore, or all re-include: their order cannot matter."""

    __slots__ = ("_globs", "_literals", "_name_glob", "_path_glob", "verdict")

    def __init__(self, verdict: bool, rules: Sequence[_Rule]) -> None:
        self.verdict = verdict
        plain = [rule for rule in rules if not _SPECIAL.search(rule.body)]
        #: Literal bodies by (by_name, folders_only).
        self._literals = {
            (by_name, folders_only): frozenset(
                rule.body for rule in plain if (rule.by_name, rule.folders_only) == (by_name, folders_only)
            )
            for by_name in (True, False)
            for folders_only in (True, False)
        }
        self._globs = [rule for rule in rules if _SPECIAL.search(rule.body)]
        self._name_glob = _alternatives(rule for rule in self._globs if rule.by_name)
        self._path_glob = _alternatives(rule for rule in self._globs if not rule.by_name)

    def holds(self, path: bytes, name: bytes, folder: bool) -> bool:
        """Whether one of the rules matches."""
        literals = self._literals
        if name in literals[True, False] or path in literals[False, False]:
            return True
        if folder and (name in literals[True, True] or path in literals[False, True]):
            return True
        end = b"/" if folder else b""
        if self._name_glob is not None and self._name_glob.fullmatch(name + end):
            return True
        return self._path_glob is not None and self._path_glob.fullmatch(path + end) is not None


class Patterns:
    """A list of patterns: the last one that matches decides."""

    __slots__ = ("_groups",)

    def __init__(self, lines: Iterable[bytes]) -> None:
        rules = [rule for line in lines if (rule := _parse(line)) is not None]
        self._groups: list[_Group] = []
        start = 0
        for index in range(1, len(rules) + 1):
            if index == len(rules) or rules[index].negated != rules[start].negated:
                self._groups.append(_Group(not rules[start].negated, rules[start:index]))
                start = index
        self._groups.reverse()

    def __bool__(self) -> bool:
        return bool(self._groups)

    def verdict(self, path: bytes, name: bytes, folder: bool) -> bool | None:
        """True: matched. False: matched by a pattern with `!`. None: no pattern speaks of it.

        `path` is relative to the folder of the patterns, `name` its last part.
        """
        for group in self._groups:
            if group.holds(path, name, folder):
                return group.verdict
        return None


def from_file(data: bytes) -> Patterns | None:
    """The patterns of a `.gitignore`, split into lines as git does; None if there are too many."""
    lines = [line.removesuffix(b"\r") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    return None if len(lines) > MAX_PATTERNS else Patterns(lines)


def from_settings(patterns: Iterable[str]) -> Patterns:
    """The patterns of a setting. `./docs` is read as `/docs`, which is what its author means."""
    return Patterns(encode(_anchored(pattern)) for pattern in patterns)


def path_matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A function that says whether a path (relative to the root, `/`), or a folder above it, matches."""
    compiled = from_settings(patterns)

    def matches(path: str) -> bool:
        parts = encode(path).split(b"/")
        held = False
        for depth, name in enumerate(parts, 1):
            verdict = compiled.verdict(b"/".join(parts[:depth]), name, depth < len(parts))
            held = held if verdict is None else verdict
        return held

    return matches


def _anchored(pattern: str) -> str:
    for prefix, replacement in (("./", "/"), ("!./", "!/")):
        if pattern.startswith(prefix):
            return replacement + pattern[len(prefix) :]
    return pattern


def _parse(line: bytes) -> _Rule | None:
    if line.startswith(b"#") or len(line) > MAX_LENGTH:
        return None
    line = _without_trailing_blanks(line.split(b"\0", 1)[0])
    negated = line.startswith(b"!")
    body = line[negated:]
    folders_only = body.endswith(b"/")
    body = body[: len(body) - folders_only]
    by_name = b"/" not in body
    body = body.removeprefix(b"/")
    return _Rule(body, negated, folders_only, by_name) if body else None


def _without_trailing_blanks(line: bytes) -> bytes:
    """The line without spaces at its end; one after a backslash stays."""
    bare = line.rstrip(b" ")
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + 1] if backslashes % 2 else bare


def _alternatives(rules: Iterable[_Rule]) -> re.Pattern[bytes] | None:
    """One expression for many rules; folders are matched with a slash at their end."""
    parts = [
        expression + (b"/" if rule.folders_only else b"/?")
        for rule in rules
        if (expression := translate(rule.body)) is not None
    ]
    return re.compile(b"|".join(b"(?:%s)" % part for part in parts), re.DOTALL) if parts else None


def translate(body: bytes) -> bytes | None:
    """A regular expression for a pattern; None if nothing can match it.

    Between two stars the leftmost match of what stands there is as good as any other, so each such
    piece is an atomic group and nothing is tried twice. The same holds for `**` and whole folders.
    """
    items = _items(body)
    if items is None:
        return None
    runs: list[list[bytes]] = [[]]
    for segment in _split(items, b"/"):
        if len(segment) > 1 and all(item == _STAR for item in segment):
            runs.append([])
        else:
            runs[-1].append(_segment(segment))
    return _join_runs(runs)


def _join_runs(runs: list[list[bytes]]) -> bytes:
    """Runs of folders with `**` between them, as one expression."""
    *before, last = runs
    out = [b"/".join(before[0]) + b"/"] if before and before[0] else []
    out += [rb"(?>(?:[^/]*+/)*?%s/)" % b"/".join(run) for run in before[1:] if run]
    if not last:
        return b"".join(out) + b".+"
    if before:
        out.append(rb"(?:[^/]*+/)*?")
    return b"".join(out) + b"/".join(last)


def _segment(items: list[bytes]) -> bytes:
    pieces = [b"".join(piece) for piece in _split(items, _STAR)]
    if len(pieces) == 1:
        return pieces[0]
    first, *middle, last = pieces
    # A name has at least one byte; without this, `a/*` would match the folder `a/` itself.
    return (
        b"(?=[^/])" + first + b"".join(b"(?>[^/]*?%s)" % piece for piece in middle if piece) + b"[^/]*" + last
    )


def _split(items: list[bytes], separator: bytes) -> list[list[bytes]]:
    parts: list[list[bytes]] = [[]]
    for item in items:
        if item == separator:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _items(body: bytes) -> list[bytes] | None:
    """The pattern as `_STAR`, `/` and expressions that take exactly one byte."""
    items: list[bytes] = []
    index = 0
    while index < len(body):
        char = body[index : index + 1]
        index += 1
        if char == b"*":
            items.append(_STAR)
        elif char == b"?":
            items.append(b"[^/]")
        elif char == b"[":
            found = _bracket(body, index)
            if found is None:
                return None
            expression, index = found
            items.append(expression)
        else:
            if char == b"\\":
                char = body[index : index + 1]
                index += 1
                if not char:
                    return None
            items.append(re.escape(char) if char != b"*" else rb"\*")
    return items


def _bracket(body: bytes, index: int) -> tuple[bytes, int] | None:
    """The expression for `[...]` and the index after it; None if it is never closed or unknown."""
    negated = body[index : index + 1] in (b"!", b"^")
    index += negated
    first = index
    members: list[bytes] = []
    low = -1  # the byte that a `-` would make the beginning of a range
    while index < len(body) and (body[index] != 0x5D or index == first):
        name, after = _named_class(body, index)
        if name is not None:
            if name not in _CLASSES:
                return None
            members.append(_CLASSES[name][1:-1])
            index, low = after, -1
            continue
        is_range = low >= 0 and body[index] == 0x2D and body[index + 1 : index + 2] not in (b"", b"]")
        index += is_range
        index += body[index] == 0x5C
        if index >= len(body):
            return None
        byte = body[index]
        index += 1
        if not is_range:
            members.append(b"\\x%02x" % byte)
        elif low <= byte:
            members.append(b"\\x%02x-\\x%02x" % (low, byte))
        low = -1 if is_range else byte
    if index >= len(body):
        return None
    inside = b"".join(members)
    if negated:
        return b"[^/%s]" % inside, index + 1
    return (b"(?!/)[%s]" % inside if inside else b"(?!)"), index + 1


def _named_class(body: bytes, index: int) -> tuple[bytes | None, int]:
    """The name of a class such as `[:alpha:]` that begins at `index`, and the index after it."""
    if body[index : index + 2] != b"[:":
        return None, index
    end = body.find(b"]", index + 2)
    if end < index + 3 or body[end - 1 : end] != b":":
        return None, index
    return body[index + 2 : end - 1], end + 1
