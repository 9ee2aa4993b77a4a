"""MarkItDown on one file, in a process of its own: `python -m spectastic.convert.child FILE`.

What it converts is printed; a failure is one line on stderr. A document makes it open no connection, run
no program and unpack no more than it may: MarkItDown itself and what it is made of could do all three.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from spectastic.charset import CharsetError, read_page
from spectastic.convert import KINDS, MOST, NOT_INSTALLED
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markitdown import DocumentConverter

#: What the process may take, in bytes. It needs a quarter of a gigabyte.
_MEMORY = 4 << 30
#: What an archive may hold, in bytes, and how many files.
_UNPACKED = 3 * MOST
_FILES = 20_000
#: What a document must not bring about, as Python's audit hooks call it.
_FORBIDDEN = (
    *("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind"),
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty"),
    *("os.startfile", "urllib.Request", "ftplib.connect", "smtplib.connect", "webbrowser.open"),
)


class _RefusedError(Exception):
    """Something that is not done; the text says what."""


def main(path: str) -> int:
    """Print a file as Markdown, and give the exit code."""
    # Whatever a library prints is no part of the text.
    output = os.dup(1)
    os.dup2(2, 1)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = _markdown(os.path.splitext(path)[1], data)
    except _MissingError as error:
        return _fail(str(error), NOT_INSTALLED)
    except MemoryError:
        return _fail("the document needs too much memory")
    except RecursionError:
        return _fail("the document is nested too deeply")
    except Exception as error:
        said = str(error) if isinstance(error, _RefusedError) else f"{type(error).__name__}: {error}"
        return _fail(f"the document cannot be converted: {said}")
    with open(output, "wb") as out:
        out.write(text.encode("utf-8", "replace"))
    return 0


class _MissingError(Exception):
    """A part of MarkItDown is not installed."""


def _fail(said: str, code: int = 1) -> int:
    sys.stderr.write(f"\n{short(said, 300).encode('ascii', 'backslashreplace').decode()}\n")
    return code


def _markdown(ending: str, data: bytes) -> str:
    import logging

    from markitdown import FileConversionException, MarkItDown, MissingDependencyException, StreamInfo

    logging.disable()
    kind = KINDS[ending]
    ending = ".html" if kind == "HTML" else ending
    maker = MarkItDown(enable_builtins=False, enable_plugins=False)
    maker.register_converter(_converter(ending))
    _confine()
    if data.startswith(b"PK"):
        _refuse_bomb(data)
    charset = None
    if kind == "HTML":
        data, charset = _page(data), "utf-8"
    try:
        info = StreamInfo(extension=ending, charset=charset)
        return maker.convert_stream(io.BytesIO(data), stream_info=info).markdown
    except FileConversionException as error:
        # It wraps what went wrong, with a traceback in its text.
        inner = next((tried.exc_info[1] for tried in error.attempts or () if tried.exc_info), None)
        if isinstance(inner, MissingDependencyException):
            raise _MissingError(f"MarkItDown lacks what it needs for {kind}") from None
        raise (inner or error) from None


def _converter(ending: str) -> DocumentConverter:
    """The one converter of MarkItDown that is for a kind of file. Others look at pages, sound, archives."""
    from markitdown import converters

    classes: dict[str, type[DocumentConverter]] = {
        ".pdf": converters.PdfConverter,
        ".docx": converters.DocxConverter,
        ".pptx": converters.PptxConverter,
        ".xlsx": converters.XlsxConverter,
        ".epub": converters.EpubConverter,
        ".html": converters.HtmlConverter,
        ".csv": converters.CsvConverter,
    }
    return classes[ending]()


def _page(data: bytes) -> bytes:
    """A page in UTF-8."""
    try:
        # Half of a surrogate pair, which UTF-16 can hold, is no text.
        return read_page(data).encode("utf-8", "replace")
    except CharsetError as error:
        raise _RefusedError(f"it declares {error}, which no browser reads") from None


def _refuse_bomb(data: bytes) -> None:
    """Refuse an archive that holds much more than it seems to. Python unpacks no more than is declared."""
    from zipfile import ZipFile

    with ZipFile(io.BytesIO(data)) as archive:
        infos = archive.infolist()
    whole = sum(info.file_size for info in infos)
    if whole > _UNPACKED or len(infos) > _FILES:
        raise _RefusedError(f"it unpacks to {whole:,} bytes in {len(infos):,} files")


def _confine() -> None:
    """From now on, no connections, no programs, and so much memory."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_hook)


def _hook(event: str, _: Sequence[object]) -> None:
    if event in _FORBIDDEN:
        raise _RefusedError(f"it wants {event}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
