"""Suppression comments: which there are, what they name and how far they reach, see fixtures/suppressions."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_scanner_properties import DOCUMENTS, NAMES

from spectastic import spec as reading
from spectastic.findings import Span
from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.suppression import MAX_REASON, MAX_RULES, parse

FIXTURES = Path(__file__).parent.parent / "fixtures" / "suppressions"
CASES = sorted(path.with_suffix("") for path in FIXTURES.glob("*.txt"))


def document_of(case: Path) -> Path:
    (document,) = (path for path in (case.with_suffix(".md"), case.with_suffix(".html")) if path.exists())
    return document


def expected_of(case: Path) -> list[str]:
    lines = case.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def described(name: str, data: bytes) -> list[str]:
    source = Source(name, data)

    def place(offset: int) -> str:
        found = source.locate(Span(offset, offset))
        return f"{found.line}:{found.column}"

    lines = []
    for found in extract(source).suppressions:
        written = source.slice(found.span)
        assert written.startswith("<!--")
        assert written.endswith(("-->", "--!>"))
        start, names = place(found.span.start), ",".join(rule for rule, _ in found.rules)
        assert all(source.slice(span) == rule for rule, span in found.rules)
        if found.problem is not None:
            assert found.problem.span == found.span
            lines.append(f"{start} problem {found.problem.message}")
        elif found.whole_file:
            assert found.scope == (0, len(data))
            lines.append(f"{start} ignore-file {names} {found.reason}")
        else:
            scope = f"{place(found.scope.start)}-{place(found.scope.end)}"
            lines.append(f"{start} ignore {names} in {scope} {found.reason}")
    return lines


def check(case: Path, data: bytes) -> None:
    found, expected = described(document_of(case).name, data), expected_of(case)
    cut = [
        wanted if " problem " in wanted and line.startswith(wanted) else line
        for line, wanted in zip(found, expected, strict=False)
    ]
    assert [*cut, *found[len(expected) :]] == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    check(case, document_of(case).read_bytes())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_line_ends_and_a_byte_order_mark_change_nothing(case: Path) -> None:
    data = document_of(case).read_bytes()
    for line_end in (b"\r\n", b"\r"):
        check(case, data.replace(b"\n", line_end))
    check(case, b"\xef\xbb\xbf" + data)
    check(case, b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))


def test_every_document_has_expectations() -> None:
    assert len(CASES) >= 15
    documents = [*FIXTURES.glob("*.md"), *FIXTURES.glob("*.html")]
    assert {path.stem for path in documents} - {"README"} == {case.name for case in CASES}


@pytest.mark.parametrize(
    "text",
    [
        "No comment, but spectastic: ignore corpus-staleness -- x",
        "<!-- a comment --> spectastic: ignore corpus-staleness -- x",
        "<!-- see spectastic --> <!-- a comment -->",
        "spectastic <!-- a comment -->",
        "<! -- spectastic: ignore corpus-staleness -- x -->",
        "<b> &lt;!-- spectastic --&gt;",
    ],
)
def test_what_cannot_hold_a_suppression_is_not_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(reading, "_scan", never)
    for name in ("a.md", "a.html"):
        assert extract(Source(name, text.encode())).suppressions == ()


@pytest.mark.parametrize(
    "start", ["<!--", "<!-- ", "<!--\n\n\t", "<!--\r\n", "> > <!--\n> > ", "<!--\u00a0", "<!---"]
)
@pytest.mark.parametrize("word", ["spectastic:", "SpecTastic:", "spectastic -"])
def test_what_can_hold_a_suppression_is_read(start: str, word: str) -> None:
    text = f"{start}{word} ignore corpus-staleness -- x -->\n"
    assert len(extract(Source("a.md", text.encode())).suppressions) == 1


def test_many_names_in_one_comment() -> None:
    names = [f"a{number}" for number in range(MAX_RULES)]
    few, many = f"<!-- spectastic: ignore {','.join(names)} -- x -->", ",b" * 100_000
    found = parse(few)
    assert found is not None
    assert [few[start:end] for _, start, end in found.rules] == names
    found = parse(few.replace(" -- x", f"{many} -- x"))
    assert found is not None
    assert found.rules == ()
    assert found.problem is not None
    assert found.problem[0] == f"the comment silences nothing: it names more than {MAX_RULES} rules"


def test_long_texts_are_cut() -> None:
    long = "x" * 500_000
    found = parse(f"<!-- spectastic: ignore {long} -- {long} -->")
    assert found is not None
    assert found.problem is None
    assert len(found.reason) == MAX_REASON
    for asked in (long, f"ignore a {'—' * 500_000} b", f"ignore {long}"):
        text = f"<!-- spectastic: {asked} -->"
        (suppression,) = extract(Source("a.md", text.encode())).suppressions
        assert suppression.problem is not None
        assert len(suppression.problem.message) < 200
        assert len(suppression.problem.hint) < 200
        assert len(suppression.problem.subject) < 200


# What holds whatever the document

COMMENT = "<!-- spectastic: ignore corpus-staleness, b -- x -->"
MIXED = st.lists(st.one_of(DOCUMENTS, st.just(COMMENT), st.just(f"\n\n{COMMENT}\n")), max_size=5).map("".join)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(NAMES, MIXED, st.booleans())
def test_suppressions_change_nothing_else(name: str, text: str, everywhere: bool) -> None:
    spec = extract(Source(name, text.encode()), everywhere=everywhere)
    other = extract(Source(name, text.replace("spectastic:", "zpectastic:").encode()), everywhere=everywhere)
    assert other.suppressions == ()
    assert spec._replace(suppressions=()) == other


@settings(max_examples=400, deadline=None, derandomize=True)
@given(NAMES, MIXED)
def test_places_are_places(name: str, text: str) -> None:
    wanted = described(name, text.encode())
    for line_end in ("\r\n", "\r"):
        assert described(name, text.replace("\n", line_end).encode()) == wanted
    spec = extract(Source(name, text.encode()))
    for found in spec.suppressions:
        assert found.scope.start <= found.scope.end <= len(text.encode())
    for first, second in pairwise(spec.suppressions):
        assert first.span.end <= second.span.start
    open_to = [len(text.encode())]
    for decision in spec.decisions:
        while open_to[-1] <= decision.extent.start:
            open_to.pop()
        assert decision.span.end <= decision.extent.end <= open_to[-1], "extents lie inside each other"
        open_to.append(decision.extent.end)


BLOCKS = st.lists(
    st.sampled_from(["Text.", "- item", "> quote", "# Heading", "<spec-decision>", "</spec-decision>"]),
    max_size=6,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(BLOCKS, st.sampled_from(["", "> ", "- ", "1. ", "> - "]), st.sampled_from(["```", "~~~~", "```html"]))
def test_a_suppression_in_a_fence_is_none(blocks: list[str], prefix: str, fence: str) -> None:
    rest = re.sub(r"[^>\s]", " ", prefix)
    lines = [f"{prefix}{fence}", f"{rest}{COMMENT}", f"{rest}{fence[:4].rstrip('h')}"]
    text = "\n\n".join([*blocks, "Text.", "\n".join(lines), "Text.\n"])
    assert extract(Source("a.md", text.encode())).suppressions == ()
    # The fence alone makes the difference.
    bare = text.replace(fence, "x").replace("```", "x")
    assert len(extract(Source("a.md", bare.encode())).suppressions) == 1


# Large and hostile


def _nested(count: int, name: str) -> str:
    start = "".join(f"{COMMENT}\n<spec-decision>\n{COMMENT} " for _ in range(count))
    return start + "</spec-decision>\n" * (count if name.endswith(".md") else count // 2)


HOSTILE = {
    "comments": f"{COMMENT}\n" * 20_000,
    "comments in a line": f"{COMMENT} a " * 20_000,
    "comments before a decision": f"{COMMENT}\n" * 20_000 + "<spec-decision>",
    "comments before distant text": (f"{COMMENT}\nx\n" * 10_000) + "\n" * 100_000,
    "blanks between": f"{COMMENT}{' ' * 100}" * 5_000,
    "blank lines between": f"{COMMENT}{'> ' * 100}x" * 5_000,
    "a comment with many names": COMMENT.replace("b", "b, " * 200_000),
    "a comment with a long name": COMMENT.replace("b", "b" * 1_000_000),
    "a comment with many dashes": COMMENT.replace("x", "- " * 300_000),
    "a comment with many lines": "> a " + COMMENT.replace("b", "b\n> " * 100_000),
    "comments that never end": COMMENT.replace("-->", "") * 20_000,
    "blanks before the word": "<!--" + " " * 500_000 + "spectastic" + ":" * 500_000 + " ignore",
    "elements that never end": f"<title>{COMMENT}\n\n" * 5_000,
    "tags that never end": f'<div x="\n\n{COMMENT}\n\n' * 5_000,
    "half a comment in each block": f"<div>\n<!-- a\n\n{COMMENT}\n\n" * 5_000,
}


def read_hostile(name: str) -> None:
    """Read every hostile document; run in a process of its own."""
    for text in (*HOSTILE.values(), _nested(10_000, name)):
        extract(Source(name, text.encode()))


@pytest.mark.parametrize("name", ["spec.md", "spec.html"])
def test_hostile_documents_are_read_in_linear_time(name: str) -> None:
    """Not a measurement: quadratic time would take many minutes here."""
    subprocess.run([sys.executable, __file__, name], check=True, timeout=120)


def test_ten_thousand_nested_decisions() -> None:
    count = 10_000
    source = Source("spec.md", _nested(count, "spec.md").encode())
    spec = extract(source)
    assert len(spec.decisions) == count
    assert len(spec.suppressions) == 2 * count
    for index in (0, 1, count // 2, count - 1):
        before, inside = spec.suppressions[2 * index : 2 * index + 2]
        assert before.scope == spec.decisions[index].extent
        # What stands in one decision stands directly before the next.
        assert inside.scope == spec.decisions[min(index + 1, count - 1)].extent


if __name__ == "__main__":
    read_hostile(sys.argv[1])
