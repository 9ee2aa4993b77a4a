"""Source: bytes to text, and the one position model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic.findings import Location, Span
from spectastic.source import (
    EXCERPT_AFTER,
    EXCERPT_BEFORE,
    MAX_BYTES,
    Source,
    Unreadable,
    read,
    read_bytes,
)

if TYPE_CHECKING:
    from pathlib import Path

BOM = b"\xef\xbb\xbf"


def place(data: bytes, needle: str) -> tuple[int, int, int, int, int, int]:
    """Where `needle` is: line, column, end line, end column, UTF-16 column and its end."""
    source = Source("a.md", data)
    start = data.index(needle.encode())
    found = source.locate(Span(start, start + len(needle.encode())))
    return found[0], found[1], found[2], found[3], found[4], found[5]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("X", (1, 1, 1, 2, 1, 2)),
        ("ab X", (1, 4, 1, 5, 4, 5)),
        ("a\nX", (2, 1, 2, 2, 1, 2)),
        ("a\r\nX", (2, 1, 2, 2, 1, 2)),
        ("a\rX", (2, 1, 2, 2, 1, 2)),
        ("a\r\r\nX", (3, 1, 3, 2, 1, 2)),
        ("a\n\n\nX\n", (4, 1, 4, 2, 1, 2)),
        ("\tX", (1, 2, 1, 3, 2, 3)),
        ("éX", (1, 2, 1, 3, 2, 3)),
        ("e\u0301X", (1, 3, 1, 4, 3, 4)),
        ("漢字X", (1, 3, 1, 4, 3, 4)),
        ("🚀X", (1, 2, 1, 3, 3, 4)),
        ("🚀é🚀X", (1, 4, 1, 5, 6, 7)),
        ("a\u2028X", (1, 3, 1, 4, 3, 4)),
        ("a\x0b\x0c\x85X", (1, 5, 1, 6, 5, 6)),
        ("\ufeffX", (1, 1, 1, 2, 1, 2)),
        ("\ufeff\ufeffX", (1, 2, 1, 3, 2, 3)),
        ("a\n\ufeffX", (2, 2, 2, 3, 2, 3)),
        ("🚀 café\tX  y", (1, 8, 1, 9, 9, 10)),
    ],
)
def test_places(text: str, wanted: tuple[int, ...]) -> None:
    assert place(text.encode(), "X") == wanted


def test_a_span_over_lines() -> None:
    assert place("a é\n🚀b".encode(), "é\n🚀") == (1, 3, 2, 2, 3, 3)


def test_columns_of_a_file_that_is_not_utf8_count_each_odd_byte() -> None:
    assert place(b"\xff\xe9X", "X") == (1, 3, 1, 4, 3, 4)


def test_a_span_outside_the_file_is_drawn_into_it() -> None:
    source = Source("a.md", BOM + b"ab")
    assert source.locate(Span(0, 99))[:4] == (1, 1, 1, 3)
    assert source.locate(Span(99, 7))[:4] == (1, 3, 1, 3)
    assert Source("a.md", b"").locate(Span(0, 0))[:4] == (1, 1, 1, 1)


TEXTS = st.lists(
    st.sampled_from(
        ["a", "é", "漢", "🚀", "\n", "\r", "\r\n", "\ufeff", "x" * 2047, "é" * 1500, "🚀" * 600, "y" * 4096]
    ),
    max_size=12,
).map("".join)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXTS, st.integers(0, 10**6), st.integers(0, 10**6), st.booleans())
def test_places_are_those_of_the_text_before(text: str, first: int, second: int, mark: bool) -> None:
    text = text.lstrip("\ufeff")
    start, end = sorted((first % (len(text) + 1), second % (len(text) + 1)))
    data = (BOM if mark else b"") + text.encode()
    base = 3 if mark else 0
    source = Source("a.md", data)
    for _ in range(2):  # asking twice, and backwards, changes nothing
        for index in (end, start):
            offset = base + len(text[:index].encode())
            found = source.locate(Span(offset, offset))
            before = text[:index]
            if before.endswith("\r") and text[index : index + 1] == "\n":
                continue  # between CR and LF
            lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            assert found.line == len(lines) == source.line_of(offset)
            assert found.column == 1 + len(lines[-1])
            assert found.utf16_column == 1 + len(lines[-1].encode("utf-16-le")) // 2


def test_a_long_line_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    count = Source._count

    def counting(self: Source, start: int, end: int) -> tuple[int, int]:
        nonlocal counted
        counted += end - start
        return count(self, start, end)

    monkeypatch.setattr(Source, "_count", counting)
    data = "é KB-0001 ".encode() * 20_000
    source = Source("a.md", data)
    for offset in range(0, len(data), 11):
        source.locate(Span(offset, offset + 7))
        source.locate(Span(offset, offset + 7))
    asked = 4 * 20_000
    assert counted < asked * 2048 + 2 * len(data)


@pytest.mark.parametrize(
    ("text", "excerpt", "caret"),
    [
        ("ab X cd", "ab X cd", 3),
        ("one\nab X cd\r\nthree", "ab X cd", 3),
        ("\tX", "\tX", 1),
        ("é漢🚀X", "é漢🚀X", 3),
        ("X", "X", 0),
        ("a" * 59 + "X", "a" * 59 + "X", 59),
        ("a" * 60 + "X", "a" * 60 + "X", 60),
        ("a" * 61 + "X", "…" + "a" * 59 + "X", 60),
        ("é" * 500 + "X", "…" + "é" * 59 + "X", 60),
        ("X" + "b" * 99, "X" + "b" * 99, 0),
        ("X" + "b" * 100, "X" + "b" * 99 + "…", 0),
        ("X" + "🚀" * 500, "X" + "🚀" * 99 + "…", 0),
        ("X" + "é" * 500, "X" + "é" * 99 + "…", 0),
    ],
)
def test_excerpt(text: str, excerpt: str, caret: int) -> None:
    data = text.encode()
    at = data.index(b"X")
    found = Source("a.md", data).locate(Span(at, at + 1))
    assert (found.excerpt, found.caret) == (excerpt, caret)
    assert found.excerpt[found.caret] == "X"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=400), st.integers(0, 400), st.integers(0, 400))
def test_any_bytes_have_places(data: bytes, start: int, end: int) -> None:
    source = Source("a.md", data)
    assert len(source.encoded) == len(data) - source.base
    assert source.encoded == source.text.encode()
    found = source.locate(Span(start, end))
    assert isinstance(found, Location)
    assert len(found.excerpt) <= EXCERPT_BEFORE + EXCERPT_AFTER + 1
    assert isinstance(source.slice(Span(start, end)), str)


@pytest.mark.parametrize(
    ("data", "text", "problem", "span"),
    [
        (b"a", "a", "", None),
        (BOM + b"a", "a", "", None),
        (BOM, "", "", None),
        (b"", "", "", None),
        (b"a\rb\r\nc\r", "a\nb\r\nc\n", "", None),
        (b"a\xffb", "a?b", "the file is not UTF-8: byte 0xff at offset 1", Span(1, 2)),
        (BOM + b"a\xe9", "a?", "the file is not UTF-8: byte 0xe9 at offset 4", Span(4, 5)),
        ("é".encode("utf-16"), "???\0", "the file is UTF-16, not UTF-8", Span(0, 2)),
        (b"a\xed\xa0\x80b", "a???b", "the file is not UTF-8: byte 0xed", Span(1, 2)),
        (b"a\0b", "a\0b", "the file holds a NUL byte", Span(1, 2)),
        (BOM + b"\0", "\0", "the file holds a NUL byte", Span(3, 4)),
    ],
)
def test_decoding(data: bytes, text: str, problem: str, span: Span | None) -> None:
    source = Source("a.md", data)
    assert source.text == text
    assert source.encoded == text.encode()
    assert [found.span for found in source.problems] == ([span] if span else [])
    assert all(found.message.startswith(problem) for found in source.problems)


def test_reading(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes(b"text")
    found = read(str(tmp_path), "docs/a.md")
    assert isinstance(found, Source)
    assert (found.path, found.data) == ("docs/a.md", b"text")


def why_not(root: Path, name: str) -> str:
    found = read(str(root), name)
    assert isinstance(found, Unreadable)
    assert found.path == name
    return found.message


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "dangling.md").symlink_to("nowhere")
    (tmp_path / "loop.md").symlink_to("loop.md")
    assert why_not(tmp_path, "missing.md") == "the file cannot be read: no such file or directory"
    assert why_not(tmp_path, "dangling.md") == "the file cannot be read: no such file or directory"
    assert why_not(tmp_path, "loop.md").startswith("the file cannot be read: ")
    assert why_not(tmp_path, "folder.md") == "this is a directory"


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="no such files here")
def test_files_that_lie_about_their_size() -> None:
    grown = read("/proc/self", "status")
    assert isinstance(grown, Source)
    assert grown.data.startswith(b"Name:")
    assert grown.data.endswith(b"\n")
    found = read("/proc/self", "mem")
    assert isinstance(found, Unreadable)
    assert found.message == "the file cannot be read: input/output error"


@pytest.mark.parametrize("grown", [5, 6, 7, 100_000])
def test_a_file_that_grows_is_whole_or_refused(
    grown: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five bytes are read at most; it has three when it is looked at."""
    (tmp_path / "a.md").write_bytes(b"abc")
    real = os.fstat

    def look(handle: int) -> os.stat_result:
        status = real(handle)
        (tmp_path / "a.md").write_bytes(b"x" * grown)
        return status

    monkeypatch.setattr(os, "fstat", look)
    found = read_bytes(str(tmp_path), "a.md", 5)
    if grown == 5:
        assert found == b"xxxxx"
    else:
        assert isinstance(found, Unreadable)
        assert found.too_large
        assert found.message == "the file is too large: it grows, and has more than the 5 bytes that are read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert why_not(tmp_path, "pipe.md") == "this is not a regular file"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_bytes(b"text")
    (tmp_path / "secret.md").chmod(0)
    assert why_not(tmp_path, "secret.md") == "the file cannot be read: permission denied"


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    with (tmp_path / "large.md").open("wb") as file:
        file.truncate(100_000_000)
    message = why_not(tmp_path, "large.md")
    assert message == f"the file is too large: 100,000,000 bytes, more than the {MAX_BYTES:,} that are read"
