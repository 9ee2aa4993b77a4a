"""Fingerprints: by content, not by line; no two findings share one."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_sample import SAMPLE

from spectastic.findings import Finding, Fix, Location, Related, Severity, Span
from spectastic.fingerprint import fingerprints, in_report, key

PLAIN = Finding(
    "corpus-staleness", Severity.WARNING, "is old", "specs/a.md", subject="KB-1@x", decision="D-1"
)


def test_the_key() -> None:
    assert key(PLAIN) == ("corpus-staleness", "specs/a.md", "D-1", "KB-1@x")
    assert key(PLAIN._replace(subject="", decision="")) == ("corpus-staleness", "specs/a.md", "", "is old")


def test_the_digest_never_changes() -> None:
    # What is hashed, spelled out: a change to it makes every alert of every user a new one.
    first = b"16:corpus-staleness10:specs/a.md3:D-16:KB-1@x1:0"
    second = b"16:corpus-staleness10:specs/a.md3:D-16:KB-1@x1:1"
    assert fingerprints([PLAIN, PLAIN]) == [sha256(first).hexdigest(), sha256(second).hexdigest()]


STAYS: list[dict[str, Any]] = [
    {"location": Location(9, 9, 9, 9, 9, 9, "other text", 3, 9, 9)},
    {"span": Span(900, 910)},
    {"severity": Severity.ERROR},
    {"message": "is superseded"},
    {"hint": "read it"},
    {"related": (Related("b.md", Span(0, 1), "there"),)},
    {"fix": Fix("do it", (), safe=True)},
]
CHANGES: list[dict[str, Any]] = [
    {"rule": "corpus-provenance"},
    {"path": "specs/b.md"},
    {"path": "Specs/a.md"},
    {"decision": "D-2"},
    {"subject": "KB-1@y"},
    {"subject": ""},
]


@pytest.mark.parametrize("change", STAYS)
def test_what_does_not_count(change: dict[str, Any]) -> None:
    assert fingerprints([PLAIN._replace(**change)]) == fingerprints([PLAIN])


@pytest.mark.parametrize("change", CHANGES)
def test_what_counts(change: dict[str, Any]) -> None:
    assert fingerprints([PLAIN._replace(**change)]) != fingerprints([PLAIN])


# Rule, path, decision, subject: rows that a careless joining would take for one another.
CONFUSABLE = [
    (("ab", "c", "d", "e"), ("a", "bc", "d", "e")),
    (("a", "b", "", "c"), ("a", "b", "c", "")),
    (("a", "b", "c", "d"), ("b", "a", "c", "d")),
    (("a", "b\0c", "d", "e"), ("a", "b", "c\0d", "e")),
    (("a", "b", "c", "d1:0"), ("a", "b", "c", "d")),
    (("a", "b1:c", "d", "e"), ("a", "b", "1:cd", "e")),
    (("a", "b:c", "d", "e"), ("a", "b", ":cd", "e")),
    (("a", "b\nc", "d", "e"), ("a", "b", "c\nd", "e")),
    (("a", "é", "d", "e"), ("a", "\udcc3\udca9", "d", "e")),  # a name of UTF-8, and its bytes escaped
    (("a", "é", "d", "e"), ("a", "e\u0301", "d", "e")),
    (("a", "\U0001f680", "d", "e"), ("a", "\ud83d\ude80", "d", "e")),
    (("a", "\udcff", "d", "e"), ("a", "\ufffd", "d", "e")),
    (("a", "\udcff", "d", "e"), ("a", "\\udcff", "d", "e")),
]


@pytest.mark.parametrize(("left", "right"), CONFUSABLE)
def test_joining_is_unambiguous(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert fingerprints([_finding(left)]) != fingerprints([_finding(right)])


def _finding(parts: tuple[str, ...]) -> Finding:
    rule, path, decision, subject = parts
    return Finding(rule, Severity.ERROR, "m", path, subject=subject, decision=decision)


PARTS = st.tuples(*[st.text(st.sampled_from("a:1\0é\udcc3\udca9\udcff"), max_size=3)] * 4)


@given(st.lists(PARTS, max_size=12))
def test_no_two_are_the_same(rows: list[tuple[str, ...]]) -> None:
    marks = fingerprints(map(_finding, rows))
    assert len(set(marks)) == len(marks) == len(rows)
    assert all(len(mark) == 64 and set(mark) <= set("0123456789abcdef") for mark in marks)


@given(st.lists(st.integers(0, 2), max_size=8), st.lists(st.integers(0, 2), max_size=8))
def test_others_do_not_matter(kinds: list[int], more: list[int]) -> None:
    """What comes between, before or after findings of one key leaves their fingerprints alone."""
    own = [_finding(("r", "own.md", "", str(kind))) for kind in kinds]
    other = [_finding(("r", "other.md", "", str(kind))) for kind in more]
    mixed = [*other[: len(other) // 2], *own, *other[len(other) // 2 :]]
    start = len(other) // 2
    assert fingerprints(mixed)[start : start + len(own)] == fingerprints(own)


def test_lines_above_move_nothing() -> None:
    def moved(finding: Finding) -> Finding:
        place = finding.location
        return finding._replace(
            location=place._replace(line=place.line + 40, end_line=place.end_line + 40),
            span=Span(finding.span.start + 999, finding.span.end + 999),
        )

    assert fingerprints(map(moved, SAMPLE.findings)) == fingerprints(SAMPLE.findings)


def test_silencing_one_of_two_leaves_the_other_its_own() -> None:
    first = PLAIN._replace(location=Location(line=3))
    second = PLAIN._replace(location=Location(line=8))
    marks = fingerprints([first, second])
    assert in_report([first, second], []) == (marks, [])
    assert in_report([second], [first]) == ([marks[1]], [marks[0]])
    assert in_report([first], [second]) == ([marks[0]], [marks[1]])
    assert in_report([], [second, first]) == ([], [marks[1], marks[0]])


def test_in_one_line_the_column_decides() -> None:
    left, right = (PLAIN._replace(location=Location(line=3, column=column)) for column in (2, 9))
    marks = fingerprints([left, right])
    assert in_report([right], [left]) == ([marks[1]], [marks[0]])
