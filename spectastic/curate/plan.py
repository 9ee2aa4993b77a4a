"""Plans: what a command will do to files, worked out without touching any. Pure."""

from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from spectastic.fix import CONTEXT, LINE, header, marked, quoted, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

#: Lines that are compared with each other one by one; what is longer counts as replaced as a whole.
_MAX_PAIRS = 250_000


class CurateError(Exception):
    """A command is refused, and nothing was written: `message` says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@contextmanager
def about(path: str) -> Iterator[None]:
    """Lets a refusal say which file it is about."""
    try:
        yield
    except CurateError as error:
        raise CurateError(f"{path}: {error.message}", error.hint) from error


class FileChange(NamedTuple):
    """A file before and after; `None` stands for no such file. `path` is relative to the root, with `/`."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def action(self) -> str:
        """What happens to the file: `created`, `changed` or `removed`."""
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "changed"


class Plan(NamedTuple):
    """What a command will do: changes in order, none of which changes nothing.

    `result` is what programs are told (ids, paths, editions), `notes` what people are: what was done,
    what is left to do.
    """

    changes: tuple[FileChange, ...]
    result: Mapping[str, object] = MappingProxyType({})
    notes: tuple[str, ...] = ()


def merged(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """One change for each file, in the order of the first ones; none that changes nothing."""
    found: dict[str, FileChange] = {}
    for change in changes:
        first = found.get(change.path, change)
        found[change.path] = first._replace(after=change.after)
    return tuple(change for change in found.values() if change.before != change.after)


def diff(plan: Plan, *, printable: bool = False) -> Iterator[bytes]:
    """A patch that does what the plan does, for `git apply`; new and removed files are in it.

    `printable` shows what would drive a terminal as escapes: then it is for reading only.
    """
    for change in merged(plan.changes):
        for line in _patch(change):
            yield shown(line) if printable else line


def _patch(change: FileChange) -> Iterator[bytes]:
    old, new = quoted(f"a/{change.path}"), quoted(f"b/{change.path}")
    yield f"diff --git {old} {new}\n".encode()
    if change.before is None:
        yield b"new file mode 100644\n"
    elif change.after is None:
        yield b"deleted file mode 100644\n"
    hunks = list(_hunks(LINE.findall(change.before or b""), LINE.findall(change.after or b"")))
    if hunks:
        yield header("---", old if change.before is not None else "/dev/null")
        yield header("+++", new if change.after is not None else "/dev/null")
        yield from (line for hunk in hunks for line in hunk)


#: Lines `[first, last)` of the old file that lines of the new one take the place of.
_Block = tuple[int, int, int, int]


def _hunks(old: list[bytes], new: list[bytes]) -> Iterator[list[bytes]]:
    group: list[_Block] = []
    for block in _blocks(old, new):
        if group and block[0] - group[-1][1] > 2 * CONTEXT:
            yield _hunk(group, old, new)
            group = []
        group.append(block)
    if group:
        yield _hunk(group, old, new)


def _hunk(blocks: Sequence[_Block], old: list[bytes], new: list[bytes]) -> list[bytes]:
    first, last = max(0, blocks[0][0] - CONTEXT), min(len(old), blocks[-1][1] + CONTEXT)
    lines: list[bytes] = []
    at = first
    for start, end, new_start, new_end in blocks:
        lines += (marked(b" ", line) for line in old[at:start])
        lines += (marked(b"-", line) for line in old[start:end])
        lines += (marked(b"+", line) for line in new[new_start:new_end])
        at = end
    lines += (marked(b" ", line) for line in old[at:last])
    new_first = blocks[0][2] - (blocks[0][0] - first)
    new_last = blocks[-1][3] + (last - blocks[-1][1])
    return [f"@@ -{_range(first, last)} +{_range(new_first, new_last)} @@\n".encode(), *lines]


def _range(first: int, last: int) -> str:
    """Lines as a hunk numbers them: an empty range stands behind the line before it."""
    size = last - first
    start = first + 1 if size else first
    return str(start) if size == 1 else f"{start},{size}"


def _blocks(old: list[bytes], new: list[bytes]) -> Iterator[_Block]:
    """Where two files differ. Takes linear time: a long difference in the middle is one block."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((at for at in range(least - head) if old[-1 - at] != new[-1 - at]), least - head)
    inner_old, inner_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if not inner_old and not inner_new:
        return
    if len(inner_old) * len(inner_new) > _MAX_PAIRS:
        yield head, head + len(inner_old), head, head + len(inner_new)
        return
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, inner_old, inner_new, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield head + start, head + end, head + new_start, head + new_end
