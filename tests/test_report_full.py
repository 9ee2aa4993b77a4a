"""`--format full`: the caret stands under the token, as wide as the token, on any line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_hostile import LISTS, TEXT, drives
from rich.cells import cell_len
from test_report_samples import REGISTRY, RULES, finding, related, report, sample

from spectastic.findings import Finding, Location
from spectastic.report import FORMATS, View

GOLDEN = Path(__file__).parent.parent / "fixtures" / "report"
PLAIN = View(cwd="/repo", rules=RULES, version="1.2.3")


def full(*findings: Finding, **view: Any) -> str:
    return "".join(FORMATS["full"](report(*findings), PLAIN._replace(summary=False, **view)))


CARETS = [
    # the line, the token, and the two lines that show it
    ("see KB-0009@x.", "KB-0009@x", ["see KB-0009@x.", "    ^^^^^^^^^"]),
    ("KB-0009", "KB-0009", ["KB-0009", "^^^^^^^"]),
    ("\tKB-0009", "KB-0009", ["    KB-0009", "    ^^^^^^^"]),
    ("a\tb\tKB-0009", "KB-0009", ["a   b   KB-0009", "        ^^^^^^^"]),
    ("KB-1\t@x", "KB-1\t@x", ["KB-1    @x", "^^^^^^^^^^"]),
    ("日本 KB-0009", "KB-0009", ["日本 KB-0009", "     ^^^^^^^"]),
    ("KB-0009@改訂 x", "KB-0009@改訂", ["KB-0009@改訂 x", "^^^^^^^^^^^^"]),
    ("cafe\u0301 KB-0009", "KB-0009", ["cafe\u0301 KB-0009", "     ^^^^^^^"]),
    ("🚀 café\tKB-0009", "KB-0009", ["🚀 café KB-0009", "        ^^^^^^^"]),
    ("⚠\ufe0f KB-0009", "KB-0009", ["⚠ KB-0009", "  ^^^^^^^"]),
    ("KB-0001@2024\u00ad-05", "KB-0001@2024\u00ad-05", ["KB-0001@2024\\xad-05", "^" * 19]),
    ("a\x1b[31mb KB-0009", "KB-0009", ["a\\x1b[31mb KB-0009", "           ^^^^^^^"]),
    ("KB-0009\r\nnext", "KB-0009", ["KB-0009", "^^^^^^^"]),
    ("open <b\nc> x", "<b\nc>", ["open <b", "     ^^"]),  # a span of two lines
    ("\ufeffKB-0009", "KB-0009", ["KB-0009", "^^^^^^^"]),  # a byte order mark takes no place
    ("trailing KB-0009  ", "KB-0009", ["trailing KB-0009", "         ^^^^^^^"]),
]


@pytest.mark.parametrize(("line", "token", "expected"), CARETS)
def test_caret(line: str, token: str, expected: list[str]) -> None:
    _, source, carets = full(finding(line, token)).splitlines()
    assert [source, carets] == [f" 1 | {expected[0]}", f"   | {expected[1]}"]


COMMANDS = [
    # the line, the token, and the two lines that show it
    ("see ##[error]x KB-0009", "KB-0009", ["see #\\x23[error]x KB-0009", "                  ^^^^^^^"]),
    ("##[x] KB-0009 ##vso[y]", "KB-0009", ["#\\x23[x] KB-0009 #\\x23vso[y]", "         ^^^^^^^"]),
    ("a ##[x] b", "##[x]", ["a #\\x23[x] b", "  ^^^^^^^^"]),
    ("a ##[x] b", "#[x]", ["a #\\x23[x] b", "   ^^^^^^^"]),  # the mark stands on either side of an edge
    ("a ##[x] b", "[x]", ["a #\\x23[x] b", "       ^^^"]),
    ("a ##[x] b", "a #", ["a #\\x23[x] b", "^^^"]),
    ("#\ufe0f#[x] KB-0009", "KB-0009", ["#\\x23[x] KB-0009", "         ^^^^^^^"]),  # not joined by the cut
    ("## Heading KB-0009", "KB-0009", ["## Heading KB-0009", "           ^^^^^^^"]),
    ("::error::KB-0009", "KB-0009", ["::error::KB-0009", "         ^^^^^^^"]),  # not at the start of the line
]


@pytest.mark.parametrize(("line", "token", "expected"), COMMANDS)
def test_no_line_of_a_file_drives_a_runner(line: str, token: str, expected: list[str]) -> None:
    _, source, carets = full(finding(line, token)).splitlines()
    assert [source, carets] == [f" 1 | {expected[0]}", f"   | {expected[1]}"]
    assert not drives(source)


@settings(deadline=None)
@given(LISTS, TEXT, TEXT, TEXT, st.sampled_from([0, 40]))
def test_no_report_drives_a_runner(
    found: list[Finding], before: str, token: str, after: str, width: int
) -> None:
    text = f"{before}{token}{after}".encode("utf-8", "replace").decode()
    shown = full(*found, finding(text, token.encode("utf-8", "replace").decode()), width=width)
    # Where a terminal is, there is no runner: a word may begin a line there.
    assert not any(drives(line if not width else f"x {line}") for line in shown.split("\n"))


def test_an_empty_span_has_a_caret_of_its_own() -> None:
    at_end = finding("abc", "c")._replace(location=Location(1, 4, 1, 4, 4, 4, "abc", 3))
    assert full(at_end).splitlines()[1:] == [" 1 | abc", "   |    ^"]


def test_a_long_line_is_shown_around_the_token() -> None:
    source, carets = full(finding("x" * 500 + "KB-0009" + "y" * 500, "KB-0009")).splitlines()[1:]
    assert source == f" 1 | …{'x' * 59}KB-0009{'y' * 93}…"
    assert carets == f"   | {' ' * 60}^^^^^^^"


def test_a_token_longer_than_the_excerpt_is_underlined_as_far_as_it_is_shown() -> None:
    source, carets = full(finding("see " + "T" * 300, "T" * 300)).splitlines()[1:]
    assert source == f" 1 | see {'T' * 100}…"
    assert carets == f"   |     {'^' * 101}"


def test_a_narrow_terminal_shows_the_token_and_less_around_it() -> None:
    source, carets = full(finding("x" * 70 + "KB-0009" + "y" * 70, "KB-0009"), width=40).splitlines()[-2:]
    assert source == f" 1 | …{'x' * 13}KB-0009{'y' * 13}…"
    assert carets == f"   | {' ' * 14}^^^^^^^"


def test_on_a_terminal_words_are_not_broken() -> None:
    row = related(REGISTRY, "2024-05-28", "the edition in force", "knowledge/index.md")
    long = finding("KB-0009", "KB-0009", message="it is 日本 wrong", hint="put it right soon", related=(row,))
    assert full(long, width=26).splitlines() == [
        "docs/settlement.md:1:1: error corpus-provenance",
        "    it is 日本 wrong",
        " 1 | KB-0009",
        "   | ^^^^^^^",
        "  = hint: put it right",
        "    soon",
        "  = see knowledge/index.md:3:44:",
        "    the edition in force",
    ]
    assert full(long, width=56).splitlines()[:2] == [
        "docs/settlement.md:1:1: error corpus-provenance it is",
        "    日本 wrong",
    ]


def test_a_finding_without_a_line_has_a_head_and_a_hint() -> None:
    whole_file = RULES[0].at("docs/a.md", (0, 0), "the file is empty", hint="write it")  # type: ignore[arg-type]
    assert (
        full(whole_file) == "docs/a.md:1:1: error corpus-provenance the file is empty\n  = hint: write it\n"
    )


def test_the_margin_grows_with_the_line_number() -> None:
    text = "\n" * 99 + "KB-0009"
    assert full(finding(text, "KB-0009", hint="h")).splitlines()[1:] == [
        " 100 | KB-0009",
        "     | ^^^^^^^",
        "    = hint: h",
    ]


@settings(deadline=None)
@given(st.text(max_size=80), st.text(min_size=1, max_size=40), st.text(max_size=80), st.integers(30, 120))
def test_on_any_line_the_carets_are_as_wide_as_what_they_mean(
    before: str, token: str, after: str, width: int
) -> None:
    line = "".join((before, "<", token, ">", after)).encode("utf-8", "replace").decode()
    line = re.sub(r"[\r\n]", " ", line)
    token = re.sub(r"[\r\n]", " ", f"<{token}>".encode("utf-8", "replace").decode())
    shown = finding(line, token, message="m", path="a")
    lines = full(shown, width=width).split("\n")
    assert len(lines) in (4, 5), "no line of the file breaks a line of the report, but the width may"
    source, carets = (text[5:] for text in lines[-3:-1])
    assert set(carets) <= {" ", "^"}
    assert "^" in carets
    assert cell_len(source) <= width - 5
    assert len(carets) <= width - 5
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", source)


@pytest.mark.parametrize(
    ("name", "view"), [("full.txt", PLAIN), ("full-color.txt", PLAIN._replace(color=True))]
)
def test_golden(name: str, view: View) -> None:
    shown = "".join(FORMATS["full"](sample(), view)).replace("\x1b", "␛")
    assert shown == (GOLDEN / name).read_text(encoding="utf-8")


def test_it_streams() -> None:
    pieces = FORMATS["full"](report(*[finding("KB-0009", "KB-0009")] * 3), PLAIN)
    assert next(pieces).startswith("docs/settlement.md:1:1: error")
    assert len(list(pieces)) == 4, "two more findings, a blank line, the summary"
