"""Documents of other kinds made into Markdown, by MarkItDown or by another program.

Either runs in a process of its own, within bounds (`program`): a document is anybody's.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from spectastic.program import Kind, ProgramError, locate, run
from spectastic.source import MAX_BYTES
from spectastic.text import printable, short

#: The kinds of file that MarkItDown is asked to convert, and what each is called.
KINDS = {
    ".pdf": "PDF",
    ".docx": "a Word document",
    ".pptx": "a PowerPoint presentation",
    ".xlsx": "an Excel workbook",
    ".epub": "an EPUB book",
    ".html": "HTML",
    ".htm": "HTML",
    ".xhtml": "HTML",
    ".csv": "CSV",
}
#: The files that are text as they are.
TEXTS = (".md", ".markdown", ".txt")
#: What installs MarkItDown.
INSTALL = "pip install 'spectastic-lint[convert]'"
#: How long a conversion may take, in seconds, unless somebody says otherwise.
SECONDS = 60.0
#: The largest document that is converted, in bytes.
MOST = 100_000_000
#: What `child` exits with where a part of MarkItDown is not installed.
NOT_INSTALLED = 3

_HINTS = {Kind.LATE: "allow it more: --timeout SECONDS", Kind.TOO_MUCH: "convert a part of the document"}
_SELF = "MarkItDown"
_CHILD = "spectastic.convert.child"


class ConvertError(Exception):
    """A document cannot be made into Markdown: `message` says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Converter(NamedTuple):
    """A program that converts: its words, where `{}` stands for the file, and its name for `converter:`."""

    command: tuple[str, ...]
    name: str

    @property
    def is_ours(self) -> bool:
        """Whether it is MarkItDown, which we call, and whose kinds of file we know."""
        return _CHILD in self.command


def markitdown() -> Converter:
    """MarkItDown, as it is installed. Raises `ConvertError` where it is not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("markitdown")
    except PackageNotFoundError:
        raise ConvertError(
            "MarkItDown is not installed, which converts documents",
            f"{INSTALL}, or name another program: --converter CMD",
        ) from None
    return Converter((sys.executable, "-P", "-m", _CHILD, "{}"), f"{_SELF} {found}")


def program(text: str) -> Converter:
    """A program as somebody types it: split as a shell would, and nothing else of what a shell does.

    The file is appended, unless one of the words is `{}`. Raises `ConvertError`.
    """
    import shlex

    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ConvertError(f"{short(text)} is no command: {str(error).lower()}", "quote it") from None
    if not words or not words[0] or "\0" in text:
        raise ConvertError("no converter is named", "write the program and its options: --converter CMD")
    if any("{}" in word and word != "{}" for word in words):
        # In `sh -c 'cat {}'`, the name of a file would be a part of a script.
        raise ConvertError("{} stands for the file as a word of its own", "put blanks around it")
    path = locate(words[0])
    if not path:
        raise ConvertError(
            f"{short(words[0])} is not installed, or not on the PATH", "install it, or write where it is"
        )
    rest = words[1:] if "{}" in words else [*words[1:], "{}"]
    stem = os.path.basename(words[0])
    return Converter((path, *rest), printable(stem))


def kind(name: str, data: bytes) -> str:
    """The ending of a document of a kind that can be converted: by its name, or as a PDF begins; else ""."""
    ending = os.path.splitext(name)[1].lower()
    if ending in KINDS:
        return ending
    return ".pdf" if data.startswith(b"%PDF-") else ""


def convert(name: str, data: bytes, converter: Converter, seconds: float = SECONDS) -> bytes:
    """The Markdown of a document: UTF-8, with LF, and one of them at the end.

    `name` is that of its file: its ending says what it is. Raises `ConvertError`.
    """
    from tempfile import TemporaryDirectory

    ending = kind(name, data)
    if not data:
        raise ConvertError("the file is empty")
    if converter.is_ours and not ending:
        known = ", ".join(word.removeprefix(".") for word in KINDS)
        raise ConvertError(
            f"MarkItDown is not asked to convert such a file: {short(os.path.basename(name))}",
            f"it is asked for {known}; for others, name a program: --converter CMD",
        )
    # A copy: what was read is what is converted, and its name is no option, whatever it begins with.
    with TemporaryDirectory(prefix="spectastic-", ignore_cleanup_errors=True) as folder:
        path = os.path.join(os.path.realpath(folder), f"document{ending or _ending(name)}")
        with open(path, "wb") as file:
            file.write(data)
        return markdown(_output(path, converter, seconds), converter.name)


def _ending(name: str) -> str:
    """The ending of a name, where it is a plain one."""
    ending = os.path.splitext(name)[1]
    return ending if ending[1:].isascii() and ending[1:].isalnum() else ""


def _output(path: str, converter: Converter, seconds: float) -> bytes:
    command = [path if word == "{}" else word for word in converter.command]
    try:
        done = run(command, seconds=seconds, most=MAX_BYTES)
    except ProgramError as error:
        raise ConvertError(f"{converter.name} {error.message}", _HINTS.get(error.kind, "")) from error
    if done.code == 0:
        return done.output
    said = last_line(done.complaint)
    if converter.is_ours and done.code == NOT_INSTALLED:
        raise ConvertError(said, INSTALL)
    if not said:
        said = f"it was ended by signal {-done.code}" if done.code < 0 else f"it ended with {done.code}"
    raise ConvertError(f"{converter.name} failed: {said}")


def last_line(data: bytes) -> str:
    """The last line that says something."""
    lines = data.decode("utf-8", "replace").splitlines()
    return next((printable(short(line, 200)) for line in reversed(lines) if line.strip()), "")


def markdown(data: bytes, name: str) -> bytes:
    """What somebody of this name has given, as a text of ours. Raises `ConvertError` where it is none."""
    try:
        # Not as `utf-8-sig`, which counts offsets from behind the mark.
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        found = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise ConvertError(f"{name} gave what is not UTF-8: {found}", "it has to be UTF-8") from None
    if "\0" in text:
        raise ConvertError(f"{name} gave a NUL byte, so it is not text")
    if not text.strip():
        raise ConvertError(
            f"{name} gave no text",
            "scanned pages have no text: read them with a program that recognises characters, first",
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return (text.rstrip("\n") + "\n").encode()
