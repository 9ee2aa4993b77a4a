"""The lines of a table's file: UTF-8, ended in any way."""

from __future__ import annotations

import os
from bisect import bisect_right
from io import StringIO
from itertools import chain, islice
from stat import S_ISREG

from spectastic.grounding.boundary import unwaiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

#: A longer line is no line of a table, in bytes.
LONGEST = 20_000_000

_BLOCK = 1 << 18
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class CorpusError(ValueError):
    """A table cannot be read: the message names the file, the line where there is one, and the cause."""


class Lines:
    """The lines of an open file. `name` stands for it in messages; raises `CorpusError`.

    `has_bom` says whether the file begins with a byte order mark, once a line was read.
    """

    def __init__(self, path: str, name: str) -> None:
        self.name = name
        self.has_bom = False
        self._file = _opened(path, name)
        #: Of each block that was read: how many lines are before it, and where it begins.
        self._before = [0]
        self._offsets = [0]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def block(self, number: int) -> int:
        """Which of the blocks that were read has the line after so many."""
        return bisect_right(self._before, number) - 1

    def after(self, number: int) -> Iterator[str]:
        """The lines that come after so many, each ended by LF, the last one as it is."""
        block = self.block(number)
        # Line by line nothing runs here, which is what makes it fast.
        lines: Iterable[str] = chain.from_iterable(map(StringIO, self._blocks(block)))
        return islice(lines, number - self._before[block], None)

    def _blocks(self, block: int) -> Iterator[str]:
        """The text of some lines, again and again, from a block on that is known."""
        self._file.seek(self._offsets[block])
        while raw := self._file.read(_BLOCK):
            if not raw.endswith(b"\n"):
                raw += self._rest(block)
            text = self._text(raw, block)
            block += 1
            if block == len(self._before):
                unended = not text.endswith("\n")
                self._before.append(self._before[-1] + text.count("\n") + unended)
                self._offsets.append(self._offsets[-1] + len(raw))
            yield text

    def _rest(self, block: int) -> bytes:
        rest = self._file.readline(LONGEST)
        if len(rest) == LONGEST:
            line = self._before[block] + 1
            raise self.error(f"a line from here on has more than {LONGEST:,} bytes; is this a table?", line)
        return rest

    def _text(self, raw: bytes, block: int) -> str:
        if block == 0 and raw.startswith(_BOM):
            self.has_bom = True
            raw = raw[len(_BOM) :]
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            if block == 0 and raw.startswith(_UTF16):
                raise self.error("the file is UTF-16, not UTF-8; save it as UTF-8", 1) from None
            line = self._line(raw[: error.start], block)
            raise self.error(
                f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8", line
            ) from None
        if "\0" in text:
            raise self.error("a NUL byte; remove it", self._line(raw[: raw.index(0)], block))
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def _line(self, before: bytes, block: int) -> int:
        """The number of the line behind some bytes of a block."""
        ended = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
        return self._before[block] + ended + 1

    def error(self, cause: str, line: int) -> CorpusError:
        """What to raise about a line."""
        return CorpusError(f"{self.name}:{line}: {cause}")


def _opened(path: str, name: str) -> BinaryIO:
    """A regular file, open; a pipe is not waited for."""
    try:
        file = open(path, "rb", opener=unwaiting)  # noqa: SIM115 - `Lines.close` closes it
    except IsADirectoryError:
        raise CorpusError(f"{name}: this is a folder; name a CSV file") from None
    except (OSError, ValueError) as error:
        raise CorpusError(f"{name}: the file cannot be read: {_why(error)}") from None
    if S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise CorpusError(f"{name}: this is not a regular file; name a CSV file")


def _why(error: OSError | ValueError) -> str:
    if not isinstance(error, OSError):
        return "its name holds a NUL"
    from spectastic.source import reason

    return reason(error)
