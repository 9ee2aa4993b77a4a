"""The scanner against hand-made cases, see fixtures/scanner/README.md, and what must not change them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from spectastic.findings import Span
from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from spectastic.spec.model import Decision

FIXTURES = Path(__file__).parent.parent / "fixtures" / "scanner"
_END_TAG = re.compile(r"</spec-decision[^>]*>\Z", re.IGNORECASE)
_NAMED = {"CR": "\r", "LF": "\n", "TAB": "\t", "SP": " ", "BOM": "\ufeff", "NUL": "\0"}
_NOTATION = re.compile(r"\{(?:(CR|LF|TAB|SP|BOM|NUL)|U\+([0-9A-F]{4,6}))\}")


class Case(NamedTuple):
    title: str
    path: str
    everywhere: bool
    document: str
    expected: list[str]


def read_notation(text: str) -> str:
    return _NOTATION.sub(lambda match: _NAMED[match[1]] if match[1] else chr(int(match[2], 16)), text)


def read_cases(path: Path) -> list[Case]:
    parts = re.split(r"^@@@(?: (.*))?\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert parts[0] == "", f"{path.name} begins with a case"
    cases = []
    for title, document, end, expected in zip(*[iter(parts[1:])] * 4, strict=True):
        assert title, f"{path.name}: a case has no title"
        assert end is None, f"{path.name}: {title}: a line @@@ ends the document"
        kind = re.match(r"\[(html|document)\] ", title)
        flavour = kind[1] if kind else ""
        name = "spec.html" if flavour == "html" else "spec.md"
        lines = [read_notation(line) for line in expected.splitlines() if line.strip()]
        text = read_notation(document.removesuffix("\n"))
        cases.append(Case(f"{path.stem}: {title}", name, flavour == "document", text, lines))
    return cases


CASES = [case for path in sorted(FIXTURES.glob("*.txt")) for case in read_cases(path)]


def described(case: Case, data: bytes) -> list[str]:
    """What is found in `data`, a line for each thing, in the format of the cases."""
    source = Source(case.path, data)
    spec = extract(source, everywhere=case.everywhere)

    def place(span: Span) -> str:
        found = source.locate(span)
        return f"{found.line}:{found.column}-{found.end_line}:{found.end_column}"

    lines = []
    for decision in spec.decisions:
        tag = f"decision {decision.id or '-'} {decision.grounding or '-'} {place(decision.span)}"
        lines.append(f"{tag} to {_end(decision, source)}")
        lines += _tokens(decision, place)
    if spec.loose and (spec.loose.citations or spec.loose.malformed):
        lines += ["loose", *_tokens(spec.loose, place)]
    return lines + [f"problem {place(problem.span)} {problem.message}" for problem in spec.problems]


def _end(decision: Decision, source: Source) -> str:
    start, end = decision.extent
    assert start == decision.span.start
    if not _END_TAG.search(source.slice(decision.extent)):
        assert end == len(source.data)
        return "end"
    found = source.locate(Span(end, end))
    return f"{found.line}:{found.column}"


def _tokens(decision: Decision, place: Callable[[Span], str]) -> list[str]:
    found = []
    for citation in decision.citations:
        odd = citation.spelling
        what = f" odd {place(odd.at)} -> {odd.suggestion}" if odd else ""
        found.append((citation.span, f"  cites {citation.text} {place(citation.span)}{what}"))
    for malformed in decision.malformed:
        what = f"  malformed {malformed.text} {place(malformed.span)} -> {malformed.suggestion or '-'}"
        found.append((malformed.span, f"{what} | {malformed.message}"))
    return [line for _, line in sorted(found)]


def shortened(found: list[str], expected: list[str]) -> list[str]:
    """`found`, each line cut to what the case says about it."""
    lines = []
    for index, line in enumerate(found):
        wanted = expected[index] if index < len(expected) else ""
        if line.startswith("decision ") and " to " not in wanted:
            line = line.rpartition(" to ")[0]
        told = line.startswith(wanted) and (line.startswith("problem") or " | " in wanted)
        lines.append(wanted if told else line.partition(" | ")[0])
    return lines


def check(case: Case, data: bytes) -> None:
    found = described(case, data)
    assert shortened(found, case.expected) == case.expected


def test_there_are_cases() -> None:
    assert len(CASES) >= 150
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case) -> None:
    check(case, case.document.encode())


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_line_ends_and_a_byte_order_mark_change_nothing(case: Case) -> None:
    plain = _with_lf(case.document)
    for line_end in ("\n", "\r\n", "\r"):
        check(case, plain.replace("\n", line_end).encode())
    if not plain.startswith("\ufeff"):
        check(case, b"\xef\xbb\xbf" + plain.encode())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_white_space_at_the_end_changes_nothing(case: Case) -> None:
    for end in ("\n", "\n\n", "\n \t\n", "\r\n\r\n"):
        check(case, (case.document + end).encode())


def test_shown_characters_that_are_not_written_get_what_is_left() -> None:
    shown = Shown([("aXXb", 0, 6)], Source("spec.md", b"a -- b!"))
    assert shown.span(0, 1) == Span(0, 1)
    assert shown.span(1, 3) == Span(1, 6)
    assert shown.span(3, 4) == Span(5, 6)
