"""Terminals, pipes and files: when to colour, and writing as a whole or not at all."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

import pytest

from spectastic.cli import streams
from spectastic.cli.errors import TroubleError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COLORS = [
    # flag, environment, terminal?, expected
    ("auto", {}, True, True),
    ("auto", {}, False, False),
    ("auto", {"NO_COLOR": "1"}, True, False),
    ("auto", {"NO_COLOR": ""}, True, True),  # empty means not set
    ("auto", {"FORCE_COLOR": "1"}, False, True),
    ("auto", {"FORCE_COLOR": ""}, False, False),
    ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ("auto", {"TERM": "dumb"}, True, False),
    ("auto", {"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ("auto", {"TERM": "xterm"}, False, False),
    ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
    ("never", {"FORCE_COLOR": "1"}, True, False),
]


@pytest.mark.parametrize(("flag", "env", "terminal", "expected"), COLORS)
def test_wants_color(flag: str, env: dict[str, str], terminal: bool, expected: bool) -> None:
    assert streams.wants_color(flag, {"WT_SESSION": "1"} | env, terminal) is expected


def test_an_old_windows_console_gets_no_escape_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.name", "nt")
    assert not streams.wants_color("auto", {}, terminal=True)
    assert streams.wants_color("auto", {"WT_SESSION": "1"}, terminal=True)


def test_what_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()
    assert not streams.is_terminal(None)
    assert not streams.is_terminal(closed)
    assert streams.columns(None) == 0
    assert streams.columns(io.StringIO()) == 0


class Talker(io.StringIO):
    """Says it is a terminal and has no descriptor."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_that_does_not_know_its_width() -> None:
    assert streams.is_terminal(Talker())
    assert streams.columns(Talker()) == 0


class Failing(io.StringIO):
    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, _text: str, /) -> int:
        raise self.error


def test_a_reader_that_has_gone_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Failing(BrokenPipeError(32, "Broken pipe")))
    streams.write(["text"])


def test_a_full_disk_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Failing(OSError(28, "No space left on device")))
    with pytest.raises(TroubleError, match="cannot write to standard output: no space left on device"):
        streams.write(["text"])


def test_so_is_a_closed_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(TroubleError, match="it is closed"):
        streams.write(["text"])


def test_bytes_are_written_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = io.BytesIO()
    stdout = io.TextIOWrapper(kept, encoding="ascii", newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stdout)
    stdout.write("text\n")
    streams.write_bytes([b"\xff\n", "é".encode(), b""])
    assert kept.getvalue() == b"text\r\n\xff\n\xc3\xa9"


def test_bytes_for_a_stream_of_text(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stdout)
    streams.write_bytes([b"\xff\n", "é".encode()])
    assert stdout.getvalue() == "\ufffd\né"


TROUBLES = [
    (None, "it is closed"),
    (Failing(OSError(28, "No space left on device")), "no space left on device"),
]


@pytest.mark.parametrize(("stdout", "why"), TROUBLES)
def test_bytes_that_cannot_be_written(
    stdout: Failing | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stdout)
    with pytest.raises(TroubleError, match=f"cannot write to standard output: {why}"):
        streams.write_bytes([b"bytes"])


def test_nobody_need_read_the_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Failing(BrokenPipeError(32, "Broken pipe")))
    streams.write_bytes([b"bytes"])


@pytest.mark.parametrize("stream", [None, Failing(OSError(5, "Input/output error"))])
def test_emit_gives_up_in_silence(stream: Failing | None) -> None:
    streams.emit(stream, "text")


def test_save_writes_utf_8_with_plain_line_ends(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    streams.save(str(target), ["é\n", "🚀\udcff\n"])
    assert target.read_bytes() == "é\n🚀\\udcff\n".encode()
    assert os.listdir(tmp_path) == ["report.txt"]


def broken() -> Iterator[str]:
    yield "half"
    raise RuntimeError


def test_save_keeps_the_old_file_when_it_fails_half_way(tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError):
        streams.save(str(target), broken())
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.txt"], "and leaves no draft"


@pytest.mark.skipif(os.name == "nt", reason="links and modes are those of POSIX")
def test_save_follows_a_link_and_keeps_the_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    streams.save(str(link), ["new"])
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no devices")
def test_save_writes_to_a_device_and_does_not_replace_it(tmp_path: Path) -> None:
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    streams.save(str(link), ["text"])
    assert not os.path.isfile("/dev/null")


UNWRITABLE = [("none/report.txt", "no such file or directory"), (".", "is a directory"), ("", "")]


@pytest.mark.parametrize(("path", "why"), UNWRITABLE)
def test_save_says_why_it_cannot(
    path: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TroubleError, match=f"cannot write {path}: {why}"):
        streams.save(path, ["text"])
    assert os.listdir(tmp_path) == []
