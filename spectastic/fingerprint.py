"""What a finding is recognised by in a later run: its content, never its line.

A finding keeps its fingerprint when lines move above it, when its message is worded differently
(if it has a subject), and when its severity changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spectastic.findings import Finding


def key(finding: Finding) -> tuple[str, str, str, str]:
    """Rule, path, decision, and the subject or else the message: findings that agree in it look the same."""
    return finding.rule, finding.path, finding.decision, finding.subject or finding.message


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """A SHA-256 in hexadecimal for each finding, no two the same.

    Findings with the same key are told apart by how many of them come before.
    """
    from hashlib import sha256

    seen: dict[tuple[str, str, str, str], int] = {}
    marks: list[str] = []
    for finding in findings:
        own = key(finding)
        seen[own] = number = seen.get(own, -1) + 1
        marks.append(sha256(b"".join(map(_framed, (*own, str(number))))).hexdigest())
    return marks


def in_report(findings: Sequence[Finding], suppressed: Sequence[Finding]) -> tuple[list[str], list[str]]:
    """The fingerprints of both lists, counted as one list in order of place.

    So silencing one of two findings that look the same does not give its fingerprint to the other.
    """
    both = [*findings, *suppressed]
    # Only findings in one file can have the same key, so the path need not be compared.
    order = sorted(range(len(both)), key=lambda index: _place(both[index]))
    marks = [""] * len(both)
    for index, mark in zip(order, fingerprints(both[index] for index in order), strict=True):
        marks[index] = mark
    return marks[: len(findings)], marks[len(findings) :]


def _place(finding: Finding) -> tuple[int, int]:
    return finding.location.line, finding.location.column


def _framed(part: str) -> bytes:
    """A text with its length in front: whatever texts hold, no two rows of them give the same bytes.

    A byte of a file name that is not UTF-8 stays an escape, or it could pass for a character.
    """
    data = part.encode("utf-8", "surrogatepass")
    return b"%d:%b" % (len(data), data)
