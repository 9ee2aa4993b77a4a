"""Writing files, each as a whole or not at all. The only place that changes a file."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from stat import S_IMODE, S_ISREG
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Windows must not change line ends. Opening a named pipe to read must not wait for a writer.
_BINARY = getattr(os, "O_BINARY", 0)
_READING = os.O_RDONLY | _BINARY | getattr(os, "O_NONBLOCK", 0)


class Changed(Exception):  # noqa: N818 - it reads better where it is raised
    """The file does not hold what the new contents were made of. It was left as it is."""


def step(name: str, /) -> None:
    """Called before each thing that changes the disk, with a word for it. Does nothing.

    A test puts something else in its place that ends the process there, as a crash would.
    """


def replace(path: str, data: bytes | Iterable[bytes], *, expected: bytes | None = None) -> None:
    """Make `data` the contents of a file, or leave the file as it was. Links are followed.

    A new file takes the old one's place in one step and keeps its mode, so that a crash or a full disk
    leaves the old contents or the new. A device or a pipe is written to directly. With `expected`, the
    file has to exist and to hold just these bytes until the moment before it is replaced.

    Raises:
        Changed: the file holds something other than `expected`.
        OSError: the file cannot be written.
    """
    pieces = (data,) if isinstance(data, bytes) else data
    target = os.path.realpath(path)
    status = _status(target)
    if status is None or S_ISREG(status.st_mode):
        _replace(target, status, pieces, expected)
    elif expected is not None:
        raise Changed(path)
    else:
        step(f"write {path}")
        with open(os.open(target, os.O_WRONLY | _BINARY), "wb") as file:
            file.writelines(pieces)


def create(path: str, data: bytes) -> None:
    """Make a new file, with all that it holds in one step.

    Raises:
        FileExistsError: something has its name.
        OSError: it cannot be written.
    """
    folder, name = os.path.split(path)
    draft = _draft(folder, name)
    try:
        _fill(draft, data)
        step(f"create {path}")
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            _rename_new(draft, path)
    finally:
        with suppress(OSError):
            os.unlink(draft)
    step(f"settle {folder}")
    _settle(folder)


def create_folder(path: str, name: str, data: bytes) -> None:
    """Make a new folder with one file in it, both in one step. Raises as `create`."""
    folder = os.path.dirname(path)
    draft = _draft(folder, os.path.basename(path))
    step(f"make {draft}")
    os.mkdir(draft)
    try:
        _fill(os.path.join(draft, name), data)
        _settle(draft)
        step(f"create {path}")
        _rename_new(draft, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(os.path.join(draft, name))
        with suppress(OSError):
            os.rmdir(draft)
        raise
    step(f"settle {folder}")
    _settle(folder)


def _draft(folder: str, name: str) -> str:
    """A name for what is not whole yet."""
    return os.path.join(folder, f".{name[:50]}.{os.urandom(8).hex()}.tmp")


def _fill(draft: str, data: bytes) -> None:
    step(f"write {draft}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _rename_new(draft: str, path: str) -> None:
    """Give a draft its name, unless something has it. An empty folder made right now would go."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
    try:
        os.rename(draft, path)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
        raise


def leave(path: str, data: bytes) -> None:
    """Leave a new file, in place of whatever has its name; a link there is not followed.

    It need not outlast a crash. Raises `OSError`.
    """
    with suppress(FileNotFoundError):
        os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666), "wb") as file:
        file.write(data)


def append(path: str, line: bytes) -> None:
    """Add a line to a private file, which is made if need be; it need not outlast a crash.

    No link is followed, whoever left it, and nothing is waited for. A file that does not begin as `line` does
    is another one, and left alone. Raises `OSError`.
    """
    real = os.path.realpath(os.path.dirname(path))
    # Where O_NOFOLLOW is missing, the second half is all there is.
    if real != os.path.abspath(os.path.dirname(path)) or os.path.islink(path):
        raise OSError(errno.ELOOP, "it is reached through a link", path)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags, 0o600)
    try:
        status = os.fstat(handle)
        if not S_ISREG(status.st_mode) or (status.st_size and os.read(handle, 1) != line[:1]):
            raise OSError(errno.EEXIST, "something else has its name", path)
        if S_IMODE(status.st_mode) != 0o600 and os.chmod in os.supports_fd:
            os.chmod(handle, 0o600)
        if status.st_size and os.lseek(handle, -1, os.SEEK_END) >= 0 and os.read(handle, 1) != b"\n":
            line = b"\n" + line  # half a line that a full disk has left
        # In one piece: another run may be adding its own.
        os.write(handle, line)
    finally:
        os.close(handle)


def remove(path: str) -> None:
    """Remove a file, or a link; raises `OSError`."""
    step(f"remove {path}")
    os.unlink(path)
    step(f"settle {os.path.dirname(path)}")
    _settle(os.path.dirname(path))


def _status(target: str) -> os.stat_result | None:
    """What is known of a file, `None` where there is none."""
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


def _replace(
    target: str, status: os.stat_result | None, pieces: Iterable[bytes], expected: bytes | None
) -> None:
    if status is not None and not os.access(target, os.W_OK):
        # The folder alone would let us replace what its owner has locked.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    folder, name = os.path.split(target)
    draft = _draft(folder, name)
    # What replaces a private file is private from its first byte on.
    mode = 0o666 if status is None else 0o600
    step(f"create {draft}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode), "wb") as file:
            if status is not None:
                _make_like(draft, file.fileno(), status)
            step(f"write {draft}")
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if expected is not None and not _holds(target, expected):
            raise Changed(target)
        step(f"replace {target}")
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
    step(f"settle {folder}")
    _settle(folder)


def _make_like(draft: str, handle: int, status: os.stat_result) -> None:
    """Give a new file the mode of the old one, and its owner where we may."""
    own = os.fstat(handle)
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with suppress(OSError, AttributeError):
            os.fchown(handle, status.st_uid, status.st_gid)
    os.chmod(handle if os.chmod in os.supports_fd else draft, S_IMODE(status.st_mode))


def _holds(target: str, expected: bytes) -> bool:
    """Whether a file holds just these bytes."""
    try:
        handle = os.open(target, _READING)
    except FileNotFoundError:
        return False
    with open(handle, "rb") as file:
        return file.read(len(expected) + 1) == expected


def _settle(folder: str) -> None:
    """Make a rename outlast a crash, where the system lets us."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
