"""The fixes that rules offer: which token each would write, and which findings have none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spectastic.corpus import load
from spectastic.findings import Span
from spectastic.rules import corpus_citation_form, corpus_provenance, corpus_staleness
from spectastic.rules.repairs import pinned
from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.model import Citation

if TYPE_CHECKING:
    from spectastic.findings import Finding

CORPUS = Path(__file__).parent.parent / "fixtures" / "fixes" / "_corpus"
FORM, STALE, DEAD = corpus_citation_form, corpus_staleness, corpus_provenance
SAFE, UNSAFE = True, False
LONG = (
    "KB-0015@2024-05-28-with-a-name-that-is-longer-than-what-any-hint-would-show-in-full"
    "-since-hints-are-short"
)

#: A visible text, the rule, and what each of its findings offers: safe or not, the old token, the new one.
OFFERED = [
    # a spelling
    ("kb-0001@2024-05-28", FORM, [(SAFE, "kb-0001@2024-05-28", "KB-0001@2024-05-28")]),
    ("(KB_0001@2024-05-28),", FORM, [(SAFE, "KB_0001@2024-05-28", "KB-0001@2024-05-28")]),
    ("KB0001@2024-05-28.", FORM, [(SAFE, "KB0001@2024-05-28", "KB-0001@2024-05-28")]),
    ("KB–0001@2024-05-28", FORM, [(SAFE, "KB–0001@2024-05-28", "KB-0001@2024-05-28")]),
    ("KB-0001@2024‑05‑28", FORM, [(SAFE, "KB-0001@2024‑05‑28", "KB-0001@2024-05-28")]),
    ("KB-0001@2024\u200b-05-28", FORM, [(SAFE, "KB-0001@2024\u200b-05-28", "KB-0001@2024-05-28")]),
    ("KB-0001@2024-05-28\u200b, x", FORM, [(SAFE, "KB-0001@2024-05-28\u200b", "KB-0001@2024-05-28")]),
    ("KB-000\u00ad1@2024-05-28", FORM, [(SAFE, "KB-000\u00ad1@2024-05-28", "KB-0001@2024-05-28")]),
    ("KB-٠٠٠1@2024-05-28", FORM, [(SAFE, "KB-٠٠٠1@2024-05-28", "KB-0001@2024-05-28")]),
    ("КВ-0001@2024-05-28", FORM, [(SAFE, "КВ-0001@2024-05-28", "KB-0001@2024-05-28")]),
    ("KB-0001＠2024-05-28", FORM, [(SAFE, "KB-0001＠2024-05-28", "KB-0001@2024-05-28")]),
    ("KB‑0001", FORM, [(SAFE, "KB‑0001", "KB-0001")]),
    ("kb-0009@2099-01-01", FORM, [(SAFE, "kb-0009@2099-01-01", "KB-0009@2099-01-01")]),
    ("KB-0001@2024-05-28/kb-0002@x", FORM, [(SAFE, "kb-0002@x", "KB-0002@x")]),
    # a spelling that only its author can mend
    ("KB-1@2024-05-28", FORM, [None]),
    ("KB-0001@ and", FORM, [None]),
    # a blank may stand between two things
    ("KB-0001 @2024-05-28", FORM, [(SAFE, "KB-0001 @2024-05-28", "KB-0001@2024-05-28")]),
    ("KB 0001@2024-05-28", FORM, [(SAFE, "KB 0001@2024-05-28", "KB-0001@2024-05-28")]),
    ("KB-0001 @alice", FORM, [None]),
    # a bare citation
    ("KB-0001", FORM, [(UNSAFE, "KB-0001", "KB-0001@2024-05-28")]),
    ("KB-0004.", FORM, [(UNSAFE, "KB-0004", "KB-0004@rev(2)")]),
    ("KB-0003", FORM, [(UNSAFE, "KB-0003", "KB-0003@2025-01-15")]),
    ("KB-0007", FORM, [None]),
    ("KB-0009", FORM, [None]),
    ("KB-0011", FORM, [None]),
    ("KB-0012", FORM, [None]),
    ("KB-0013", FORM, [None]),
    ("KB-0014", FORM, [None]),
    # never shortened, though hints are
    ("KB-0015", FORM, [(UNSAFE, "KB-0015", LONG)]),
    # a stale one
    ("KB-0001@2017-09-05,", STALE, [(UNSAFE, "KB-0001@2017-09-05", "KB-0001@2024-05-28")]),
    ("KB-0004@rev", STALE, [(UNSAFE, "KB-0004@rev", "KB-0004@rev(2)")]),
    ("KB-0008@1.9.", STALE, [(UNSAFE, "KB-0008@1.9", "KB-0008@1.10")]),
    ("KB-0007@1st", STALE, [None]),
    ("KB-0013@v0", STALE, [None]),
    # an id that does not exist
    ("KB-00002@2022-07-08", DEAD, [(UNSAFE, "KB-00002@2022-07-08", "KB-0002@2022-07-08")]),
    ("KB-00001@2017-09-05", DEAD, [(UNSAFE, "KB-00001@2017-09-05", "KB-0001@2017-09-05")]),
    ("KB-00002", DEAD, [(UNSAFE, "KB-00002", "KB-0002")]),
    ("KB-00002 KB-00002", DEAD, 2 * [(UNSAFE, "KB-00002", "KB-0002")]),
    ("KB-00002@1999", DEAD, [None]),
    ("KB-00011", DEAD, [None]),
    ("KB-9999@2022-07-08", DEAD, [None]),
    # an edition that does not exist, and a misspelling that would lead nowhere
    ("KB-0002@1999", DEAD, [None]),
    ("KB-0011", DEAD, [None]),
    ("kb-00002@2022-07-08", DEAD, [None]),
]


def check(text: str, rule: object, root: Path = CORPUS) -> list[Finding]:
    corpus = load(str(root))
    source = Source("a.md", f"<spec-decision>\n\n{text}\n\n</spec-decision>\n".encode())
    assert rule in (FORM, STALE, DEAD)
    spec = corpus.settle(extract(source))
    findings = [finding for one in (FORM, STALE, DEAD) if one is rule for finding in one.check(spec, corpus)]
    for finding in findings:
        if finding.fix is not None:
            (edit,) = finding.fix.edits
            assert source.slice(edit.span) == edit.old
            assert edit.span.start <= finding.span.start
            assert finding.span.end <= edit.span.end
    return findings


def offered(finding: Finding) -> tuple[bool, str, str] | None:
    if finding.fix is None:
        return None
    (edit,) = finding.fix.edits
    return finding.fix.safe, edit.old, edit.text


@pytest.mark.parametrize(("text", "rule", "expected"), OFFERED, ids=lambda value: str(value)[:40])
def test_offered(text: str, rule: object, expected: list[tuple[bool, str, str] | None]) -> None:
    assert [offered(finding) for finding in check(text, rule)] == expected


@pytest.mark.parametrize(
    "text", ["KB-0001@2017&#45;09-05", "KB-0001@2017<b>-09-05</b>", "KB-0001@2017\\-09-05"]
)
def test_what_stands_there_in_another_spelling_is_told(text: str) -> None:
    corpus = load(str(CORPUS))
    source = Source("a.md", f"<spec-decision>\n\n{text}\n\n</spec-decision>\n".encode())
    (finding,) = STALE.check(corpus.settle(extract(source)), corpus)
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert (edit.old, source.slice(edit.span)) == ("KB-0001@2017-09-05", text.removesuffix("</b>"))


TITLES = [
    ("kb-0001@2024-05-28", FORM, "write KB-0001@2024-05-28"),
    ("KB-0001", FORM, "pin to the current edition, 2024-05-28"),
    ("KB-0015", FORM, "pin to the current edition, 2024-05-28-with-a-name-that-is-longer-t…"),
    ("KB-0001@2017-09-05", STALE, "move to the current edition, 2024-05-28"),
    ("KB-00002", DEAD, "take the nearest id, KB-0002"),
]


@pytest.mark.parametrize(("text", "rule", "title"), TITLES)
def test_titles(text: str, rule: object, title: str) -> None:
    (finding,) = check(text, rule)
    assert finding.fix is not None
    assert finding.fix.title == title


def test_without_a_corpus_only_spellings_are_mended(tmp_path: Path) -> None:
    text = "kb-0001@2024-05-28 KB-0002 KB-0001 @2024-05-28 KB–0003 @2024"
    assert [offered(finding) for finding in check(text, FORM, tmp_path)] == [
        None,
        (SAFE, "kb-0001@2024-05-28", "KB-0001@2024-05-28"),
        None,
        None,
    ]
    assert [finding.fix for finding in check(text, DEAD, tmp_path)] == [None] * 4


def test_a_row_that_is_broken_is_mended_not_its_citations(tmp_path: Path) -> None:
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "index.md").write_bytes(
        (CORPUS / "knowledge" / "index.md").read_bytes() + b"| KB-0001 |\n| KB-00002 |\n"
    )
    (finding,) = check("KB-00002@2022-07-08", DEAD, tmp_path)
    assert "correct that row" in finding.hint
    assert finding.fix is None


def test_a_stale_citation_of_what_has_no_current_edition(tmp_path: Path) -> None:
    corpus = load(str(tmp_path))
    assert pinned(Citation("KB-0001", None, Span(0, 7)), corpus) is None
