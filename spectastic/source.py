"""Source: a file's bytes, the text a scanner reads, and the one position model.

Offsets are bytes of the file, always. Scanners read `Source.text`, which is the file without its
byte order mark, with every lone CR turned into LF (CommonMark and HTML end a line there, not
every parser does) and with each byte that is not UTF-8 turned into `?`. Each of these keeps
lengths, so `Source.base` plus a byte offset into the encoded text is an offset into the file.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.findings import Location, Problem, Span

#: Files larger than this are reported and not read: a spec or a reference is text for people.
MAX_BYTES = 20_000_000

#: How much of a source line a finding carries along, in characters, left and right of its span.
EXCERPT_BEFORE = 60
EXCERPT_AFTER = 100

_BOM = b"\xef\xbb\xbf"
#: The bytes of UTF-8 that go on with a character, and those that begin one of two UTF-16 units.
_CONTINUATION = bytes(range(0x80, 0xC0))
_ASTRAL = bytes(range(0xF0, 0xF8))
#: In a long line, columns are known this many bytes apart.
_STEP = 2048
_LINE_END = re.compile(rb"\r\n|\r|\n")
_LONE_CR = re.compile(r"\r(?!\n)")
_ESCAPED = re.compile("[\udc80-\udcff]")
#: Opening a named pipe must not wait for a writer; Windows must not change line ends.
READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Source:
    """One file, as bytes and as text. `path` is relative to the repository root, with `/`."""

    __slots__ = ("_line_starts", "_long_lines", "base", "data", "encoded", "path", "problems", "text")

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.base = len(_BOM) if data.startswith(_BOM) else 0
        self.text, self.problems = _decode(data, self.base)
        #: `text` as UTF-8, of the same length as `data[base:]`.
        self.encoded = self.text.encode() if self.problems or b"\r" in data else data[self.base :]
        self._line_starts: list[int] | None = None
        self._long_lines: dict[int, list[tuple[int, int]]] = {}

    @property
    def line_starts(self) -> list[int]:
        """The file offset at which each line begins."""
        if self._line_starts is None:
            ends = [match.end() for match in _LINE_END.finditer(self.data)]
            self._line_starts = [self.base, *ends]
        return self._line_starts

    def line_of(self, offset: int) -> int:
        """The number (from 1) of the line that holds the byte at `offset`."""
        return max(1, bisect_right(self.line_starts, offset))

    def slice(self, span: Span) -> str:
        """The text of a span, as it stands in the file."""
        return self.data[span.start : span.end].decode("utf-8", "replace")

    def locate(self, span: Span) -> Location:
        """Where a span is, for people. Takes about the same time wherever it is, after the first one."""
        # Imported here: who only opens files does without the words of findings.
        from spectastic.findings import Location

        start = min(max(span.start, self.base), len(self.data))
        end = min(max(span.end, start), len(self.data))
        line, column, utf16 = self._position(start)
        end_line, end_column, end_utf16 = self._position(end)
        excerpt, caret = self._excerpt(line, start)
        return Location(
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            utf16_column=utf16,
            utf16_end_column=end_utf16,
            excerpt=excerpt,
            caret=caret,
            byte_column=start - self.line_starts[line - 1] + 1,
            byte_end_column=end - self.line_starts[end_line - 1] + 1,
        )

    def _position(self, offset: int) -> tuple[int, int, int]:
        line = self.line_of(offset)
        line_start = self.line_starts[line - 1]
        chunk = (offset - line_start) // _STEP
        if chunk == 0:
            chars, units = self._count(line_start, offset)
        else:
            if line not in self._long_lines:
                self._long_lines[line] = list(self._counted(line))
            chars, units = self._long_lines[line][chunk]
            more_chars, more_units = self._count(line_start + chunk * _STEP, offset)
            chars, units = chars + more_chars, units + more_units
        return line, chars + 1, units + 1

    def _counted(self, line: int) -> Iterator[tuple[int, int]]:
        """Characters and UTF-16 units from the start of a line to every `_STEP` bytes of it."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.data)
        chars = units = 0
        for at in range(start, end + 1, _STEP):
            yield chars, units
            more_chars, more_units = self._count(at, at + _STEP)
            chars, units = chars + more_chars, units + more_units

    def _count(self, start: int, end: int) -> tuple[int, int]:
        """How many characters begin in some bytes of the file, and how many UTF-16 units they are."""
        part = self.encoded[start - self.base : end - self.base]
        chars = len(part) if part.isascii() else len(part.translate(None, _CONTINUATION))
        astral = 0 if chars == len(part) else len(part) - len(part.translate(None, _ASTRAL))
        return chars, chars + astral

    def _excerpt(self, line: int, offset: int) -> tuple[str, int]:
        line_start = self.line_starts[line - 1]
        line_end = self.line_starts[line] if line < len(self.line_starts) else len(self.data)
        # A character is at most four bytes long, so this window holds what is shown and no more.
        left = max(line_start, offset - 4 * EXCERPT_BEFORE)
        right = min(line_end, offset + 4 * EXCERPT_AFTER)
        before = _trim_start(self.data[left:offset], left > line_start)
        after = self.data[offset:right].decode("utf-8", "replace").rstrip("\r\n")
        if len(after) > EXCERPT_AFTER or right < line_end:
            after = after[:EXCERPT_AFTER].rstrip("\ufffd") + "…"
        if left > line_start or len(before) > EXCERPT_BEFORE:
            before = "…" + before[1 - EXCERPT_BEFORE :]
        return before + after, len(before)


def _trim_start(data: bytes, cut: bool) -> str:
    text = data.decode("utf-8", "replace")
    return text.lstrip("\ufffd") if cut else text


def _decode(data: bytes, base: int) -> tuple[str, tuple[Problem, ...]]:
    """The text to scan, and what stops the file from being plain UTF-8 text."""
    problems: list[Problem] = []
    try:
        text = data[base:].decode("utf-8")
    except UnicodeDecodeError as error:
        from spectastic.findings import Span

        place = Span(base + error.start, base + error.end)
        problems.append(_not_utf8(data, place))
        # One byte becomes one ASCII character, so every offset stays what it was.
        text = _ESCAPED.sub("?", data[base:].decode("utf-8", "surrogateescape"))
    if not problems and (nul := data.find(b"\0")) >= 0:
        from spectastic.findings import Problem, Span

        problems.append(
            Problem(Span(nul, nul + 1), "the file holds a NUL byte, so it is not text", "remove the byte")
        )
    if "\r" in text:
        text = _LONE_CR.sub("\n", text)
    return text, tuple(problems)


def _not_utf8(data: bytes, place: Span) -> Problem:
    from spectastic.findings import Problem, Span

    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Problem(Span(0, 2), "the file is UTF-16, not UTF-8", "save it as UTF-8")
    found = f"0x{data[place.start]:02x}"
    return Problem(place, f"the file is not UTF-8: byte {found} at offset {place.start}", "save it as UTF-8")


class Unreadable(NamedTuple):
    """A path that could not be read, and why; `too_large` where a part of it could be."""

    path: str
    message: str
    hint: str = ""
    too_large: bool = False


def too_large(path: str, size: int, most: int) -> Unreadable:
    """A file of more than `most` bytes."""
    return _too_large(path, f"{size:,} bytes, more than the {most:,} that are read")


def _grown(path: str, most: int) -> Unreadable:
    """A file that had no more than `most` bytes when it was looked at, and gave more."""
    return _too_large(path, f"it grows, and has more than the {most:,} bytes that are read")


def _too_large(path: str, how: str) -> Unreadable:
    return Unreadable(path, f"the file is too large: {how}", "split it, or exclude it", too_large=True)


def read(root: str, path: str) -> Source | Unreadable:
    """Read a regular file of at most `MAX_BYTES`; `path` is relative to `root`, with `/`.

    Raises nothing: what stands in the way comes back as `Unreadable`.
    """
    found = read_bytes(root, path, MAX_BYTES)
    return found if isinstance(found, Unreadable) else Source(path, found)


def head(root: str, path: str, size: int) -> bytes | Unreadable:
    """The first `size` bytes of a regular file, or all of them if it has fewer. Otherwise as `read`."""
    return read_bytes(root, path, MAX_BYTES, size)


def read_bytes(root: str, path: str, most: int, first: int | None = None) -> bytes | Unreadable:
    """What a regular file of at most `most` bytes holds, or its `first` bytes; otherwise as `read`."""
    try:
        handle = os.open(os.path.join(root, path), READING)
    except OSError as error:
        return Unreadable(path, f"the file cannot be read: {reason(error)}")
    try:
        status = os.fstat(handle)
        if not S_ISREG(status.st_mode):
            what = "a directory" if S_ISDIR(status.st_mode) else "not a regular file"
            return Unreadable(path, f"this is {what}", "remove it, or exclude it")
        if status.st_size > most:
            return too_large(path, status.st_size, most)
        if first is not None:
            return os.read(handle, first)
        data = _contents(handle, status.st_size, most + 1)
        return data if len(data) <= most else _grown(path, most)
    except OSError as error:
        return Unreadable(path, f"the file cannot be read: {reason(error)}")
    finally:
        os.close(handle)


def _contents(handle: int, size: int, most: int) -> bytes:
    """Everything that a file holds, though it may be growing; never more than `most` bytes."""
    data = os.read(handle, size + 1)
    if len(data) == size:
        return data
    parts, left = [data], most - len(data)
    while left > 0 and (data := os.read(handle, left)):
        parts.append(data)
        left -= len(data)
    return b"".join(parts)


def reason(error: OSError) -> str:
    """What the operating system says, without numbers or paths."""
    text = error.strerror or type(error).__name__
    # Our own reasons may quote a name.
    return text[:1].lower() + text[1:]
