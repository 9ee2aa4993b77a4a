"""A file is replaced as a whole or not at all, and only while it holds what is expected."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from spectastic import write
from spectastic.write import Changed, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

posix = pytest.mark.skipif(os.name == "nt", reason="links, modes and devices are those of POSIX")


def alone(path: Path) -> bool:
    """Whether no draft is left beside a file."""
    return os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("data", [b"", b"new\r\n\xff\0", [b"n", b"", b"ew"], b"x" * 300_000])
@pytest.mark.parametrize("old", [None, b"", b"old"])
def test_contents_are_replaced(data: bytes | list[bytes], old: bytes | None, tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    if old is not None:
        target.write_bytes(old)
    replace(str(target), data)
    assert target.read_bytes() == (data if isinstance(data, bytes) else b"".join(data))
    assert alone(target)


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    replace("a.md", b"new")
    assert (tmp_path / "a.md").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["ä" * 120, ".hidden", "no extension", "-"])
def test_any_name_will_do(name: str, tmp_path: Path) -> None:
    replace(str(tmp_path / name), b"new")
    assert os.listdir(tmp_path) == [name]


HELD = [
    # on disk, expected, whether that is the same
    (b"old", b"old", True),
    (b"", b"", True),
    (b"old\n", b"old", False),
    (b"ol", b"old", False),
    (b"olD", b"old", False),
    (b"", b"old", False),
    (b"old", b"", False),
    (None, b"old", False),
    (None, b"", False),
]


@pytest.mark.parametrize(("held", "expected", "same"), HELD)
def test_a_file_that_changed_is_left_alone(
    held: bytes | None, expected: bytes, same: bool, tmp_path: Path
) -> None:
    target = tmp_path / "a.md"
    if held is not None:
        target.write_bytes(held)
    if same:
        replace(str(target), b"new", expected=expected)
        assert target.read_bytes() == b"new"
    else:
        with pytest.raises(Changed):
            replace(str(target), b"new", expected=expected)
        assert (target.read_bytes() if target.exists() else None) == held
    assert os.listdir(tmp_path) == ([] if held is None else ["a.md"])


def test_it_is_looked_at_when_the_new_file_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    fsync = os.fsync

    def meanwhile(handle: int) -> None:
        target.write_bytes(b"somebody else's")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(Changed):
        replace(str(target), b"new", expected=b"old")
    assert target.read_bytes() == b"somebody else's"
    assert alone(target)


@posix
def test_a_link_is_followed_and_the_mode_kept(tmp_path: Path) -> None:
    target, link, other = tmp_path / "far" / "real.md", tmp_path / "link.md", tmp_path / "other.md"
    target.parent.mkdir()
    target.write_bytes(b"old")
    target.chmod(0o2640)
    link.symlink_to("far/real.md")
    other.symlink_to("link.md")
    replace(str(other), b"new", expected=b"old")
    assert (link.is_symlink(), other.is_symlink()) == (True, True)
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o2640
    assert alone(target)


@posix
def test_a_new_file_gets_the_mode_that_is_usual(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace(str(tmp_path / "a.md"), b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == 0o640


@posix
def test_a_dangling_link_makes_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to("real.md")
    replace(str(tmp_path / "link.md"), b"new")
    assert (tmp_path / "real.md").read_bytes() == b"new"
    assert (tmp_path / "link.md").is_symlink()


@posix
def test_the_draft_of_a_private_file_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    target.chmod(0o600)
    opened: list[int] = []
    real = os.open

    def noted(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        if flags & os.O_CREAT:
            assert flags & os.O_EXCL
            opened.append(mode)
        return real(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", noted)
    replace(str(target), b"new")
    assert opened == [0o600]


@posix
@pytest.mark.parametrize("allowed", [True, False])
def test_the_owner_is_kept_where_we_may(
    allowed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    given: list[tuple[int, int]] = []

    def chown(_handle: int, user: int, group: int) -> None:
        given.append((user, group))
        if not allowed:
            raise PermissionError(errno.EPERM, "Operation not permitted")

    real = os.fstat

    def somebody_else(handle: int) -> os.stat_result:
        values = list(real(handle))
        values[4] += 1
        return os.stat_result(values)

    monkeypatch.setattr(os, "fchown", chown)
    monkeypatch.setattr(os, "fstat", somebody_else)
    replace(str(target), b"new")
    assert given == [(os.getuid(), target.stat().st_gid)]
    assert target.read_bytes() == b"new"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such devices")
def test_a_device_is_written_to() -> None:
    replace("/dev/null", b"new")
    with pytest.raises(OSError, match="No space left") as caught:
        replace("/dev/full", b"new")
    assert caught.value.errno == errno.ENOSPC
    with pytest.raises(Changed):
        replace("/dev/null", b"new", expected=b"")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@posix
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    replace(str(pipe), [b"n", b"ew"])
    reader.join()
    assert read == [b"new"]


@posix
def test_a_pipe_in_place_of_the_file_is_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    fsync = os.fsync

    def meanwhile(handle: int) -> None:
        target.unlink()
        os.mkfifo(target)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(Changed):
        replace(str(target), b"new", expected=b"old")
    assert alone(target)


def no_space(*_args: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupted(*_args: object) -> None:
    raise KeyboardInterrupt


FAILING: list[tuple[str, Callable[..., None], type[BaseException]]] = [
    ("fsync", no_space, OSError),
    ("replace", no_space, OSError),
    ("fsync", interrupted, KeyboardInterrupt),
    ("replace", interrupted, KeyboardInterrupt),
]


@pytest.mark.parametrize(("step", "fails", "how"), FAILING)
@pytest.mark.parametrize("old", [None, b"old"])
def test_whatever_goes_wrong_the_old_file_stays(
    step: str,
    fails: Callable[..., None],
    how: type[BaseException],
    old: bytes | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = tmp_path / "a.md"
    if old is not None:
        target.write_bytes(old)
    monkeypatch.setattr(os, step, fails)
    with pytest.raises(how):
        replace(str(target), b"new", expected=old)
    assert os.listdir(tmp_path) == ([] if old is None else ["a.md"])
    assert old is None or target.read_bytes() == old


def test_an_interrupt_right_after_the_rename_is_not_masked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.md"
    real = os.replace

    def late(source: str, place: str) -> None:
        real(source, place)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", late)
    with pytest.raises(KeyboardInterrupt):
        replace(str(target), b"new")
    assert target.read_bytes() == b"new"
    assert alone(target)


def half() -> Iterator[bytes]:
    yield b"half" * 10_000
    raise RuntimeError


def test_nothing_is_left_of_pieces_that_break_off(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        replace(str(target), half())
    assert target.read_bytes() == b"old"
    assert alone(target)


def test_a_folder_that_cannot_be_flushed_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def files_only(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(handle)

    monkeypatch.setattr(os, "fsync", files_only)
    replace(str(tmp_path / "a.md"), b"new")
    assert (tmp_path / "a.md").read_bytes() == b"new"


UNWRITABLE = [
    ("none/a.md", errno.ENOENT),
    (".", errno.EISDIR),
    ("", errno.EISDIR),
    ("file/a.md", errno.ENOTDIR),
]


@posix
@pytest.mark.parametrize(("path", "number"), UNWRITABLE)
@pytest.mark.parametrize("expected", [None, b"old"])
def test_what_cannot_be_written(
    path: str, number: int, expected: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises((OSError, Changed)) as caught:
        replace(path, b"new", expected=expected)
    assert isinstance(caught.value, Changed) or getattr(caught.value, "errno", 0) == number
    assert os.listdir(tmp_path) == ["file"]


@posix
def test_a_link_to_itself_is_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "a.md"
    link.symlink_to("a.md")
    with pytest.raises(OSError, match="symbolic links") as caught:
        replace(str(link), b"new")
    assert caught.value.errno == errno.ELOOP
    assert link.is_symlink()


def test_a_file_under_lock_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    # Whoever runs the tests may be allowed everything.
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    with pytest.raises(PermissionError):
        replace(str(target), b"new", expected=b"old")
    assert target.read_bytes() == b"old"
    assert alone(target)


LIMITED = """
import resource, signal, sys
from spectastic.write import replace
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    replace(sys.argv[1], b"x" * 200_000, expected=b"old")
except OSError as error:
    print(error.errno)
"""


@posix
def test_a_file_that_may_not_grow_for_real(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(target)], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.strip() == str(errno.EFBIG)
    assert target.read_bytes() == b"old"
    assert alone(target)


FULL = """
import os, subprocess, sys
from spectastic.write import replace
place = sys.argv[1]
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place]).returncode:
    sys.exit(77)
target = os.path.join(place, "a.md")
with open(target, "wb") as file:
    file.write(b"old" * 10_000)
try:
    replace(target, b"new" * 20_000, expected=b"old" * 10_000)
except OSError as error:
    print(error.errno, os.listdir(place), open(target, "rb").read() == b"old" * 10_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system of its own")
def test_a_full_disk_for_real(tmp_path: Path) -> None:
    command = ["unshare", "--mount", "--map-root-user", sys.executable, "-c", FULL, str(tmp_path)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("unshare is missing")
    if ran.returncode == 77 or "unshare" in ran.stderr:
        pytest.skip("nothing may be mounted here")
    assert (ran.stdout.strip(), ran.stderr) == (f"{errno.ENOSPC} ['a.md'] True", "")


KILLED = """
import os, signal, sys
from spectastic import write
real = os.fsync
def killed(handle):
    real(handle)
    os.kill(os.getpid(), signal.SIGKILL)
os.fsync = killed
write.replace(sys.argv[1], b"new")
"""


@posix
def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_bytes(b"old")
    ran = subprocess.run([sys.executable, "-c", KILLED, str(target)], capture_output=True, timeout=60)
    assert ran.returncode != 0
    assert target.read_bytes() == b"old"
    # What is left behind is hidden, and no spec by its name.
    assert all(name == "a.md" or (name[0] == "." and name.endswith(".tmp")) for name in os.listdir(tmp_path))


def test_names_of_drafts_cannot_be_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts: list[str] = []
    monkeypatch.setattr(os, "replace", lambda draft, _target: drafts.append(draft))
    for _ in range(2):
        write.replace(str(tmp_path / "a.md"), b"new")
    assert len(set(drafts)) == 2
    assert all(len(os.path.basename(draft)) >= len(".a.md..tmp") + 16 for draft in drafts)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_new_files_and_folders(tmp_path: Path) -> None:
    write.create(str(tmp_path / "a.md"), b"a\r\n")
    write.create_folder(str(tmp_path / "b"), "c.md", b"c")
    assert contents(tmp_path) == {"a.md": b"a\r\n", "b/c.md": b"c"}
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) & 0o111 == 0


@pytest.mark.parametrize("there", ["file", "folder", "full", "link"])
@pytest.mark.parametrize("make", ["file", "folder"])
def test_what_is_there_is_not_made_anew(there: str, make: str, tmp_path: Path) -> None:
    target = tmp_path / "a"
    if there == "file":
        target.write_bytes(b"mine")
    elif there == "link":
        target.symlink_to("nowhere")
    else:
        target.mkdir()
        (target / "mine").touch() if there == "full" else None
    before = os.lstat(target)
    arguments = (b"x",) if make == "file" else ("x", b"x")
    with pytest.raises(FileExistsError):
        getattr(write, "create" if make == "file" else "create_folder")(str(target), *arguments)
    assert os.lstat(target) == before
    assert alone(target)


def test_a_file_is_never_replaced_by_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where it appears right after somebody has looked."""
    target = tmp_path / "a"
    target.write_bytes(b"mine")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    with pytest.raises(FileExistsError):
        write.create(str(target), b"x")
    assert contents(tmp_path) == {"a": b"mine"}


@pytest.mark.parametrize("there", [True, False])
def test_without_hard_links(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "a"
    if there:
        target.write_bytes(b"mine")
        with pytest.raises(FileExistsError):
            write.create(str(target), b"x")
    else:
        write.create(str(target), b"x")
    assert contents(tmp_path) == {"a": b"mine" if there else b"x"}


@pytest.mark.parametrize(
    ("code", "raised"),
    [(errno.ENOTEMPTY, FileExistsError), (errno.ENOTDIR, FileExistsError), (errno.ENOSPC, OSError)],
)
def test_a_folder_that_cannot_have_its_name(
    code: int, raised: type[OSError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(raised) as caught:
        write.create_folder(str(tmp_path / "a"), "x", b"x")
    assert isinstance(caught.value, FileExistsError) == (raised is FileExistsError)
    assert os.listdir(tmp_path) == []
