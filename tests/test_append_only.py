"""What `corpus-append-only` makes of a real history, and of values that no fixture can hold."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from repository import Repository
from test_rules import CASES, FIXTURES, name_of
from trees import Link, tree

from spectastic.corpus import load, load_snapshot
from spectastic.rules.corpus_append_only import RULE, check
from spectastic.rules.history import _parts
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from spectastic.findings import Finding

WEB = "knowledge/web/references"
OLD = f"{WEB}/superseded"

Files = dict[str, "str | bytes | Link | None"]


def compared(root: Path, before: Mapping[str, str | bytes | Link | None], after: Files) -> list[Finding]:
    base, now = tree(root / "base", before), tree(root / "now", after)
    return list(check(load(str(now)), load(str(base))))


def messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.subject} {finding.message}" for finding in findings]


@pytest.mark.parametrize("case", [case for case in CASES if case.parent.name == RULE.id], ids=name_of)
def test_a_commit_is_as_good_as_a_folder(case: Path, tmp_path: Path) -> None:
    before = case / "base" if (case / "base").exists() else FIXTURES / "_base"
    made = Repository(tmp_path / "repo")
    shutil.copytree(before, made.root, dirs_exist_ok=True)
    commit = made.commit()
    shutil.rmtree(made.root / "knowledge", ignore_errors=True)
    if (case / "knowledge").exists():
        shutil.copytree(case / "knowledge", made.root / "knowledge")
    now = str(made.root)
    assert list(check(load(now), load_snapshot(now, commit))) == list(check(load(now), load(str(before))))


@pytest.mark.parametrize("case", sorted(FIXTURES.glob("*/*/knowledge/")), ids=lambda path: path.parent.name)
def test_nothing_has_changed(case: Path) -> None:
    """Whatever is wrong with a corpus, it has lost nothing since itself."""
    found = load(str(case.parent))
    assert list(check(found, load(str(case.parent)))) == []


REGISTRY = HEADER + row(1, "2", "web/references/001-x.md")
BEFORE: Files = {
    "knowledge/index.md": REGISTRY,
    f"{WEB}/001-x.md": document(edition="2", body="Two.\n"),
    f"{OLD}/001-x@1.md": document(edition="1", body="One.\n", status="superseded"),
}

# What a retained document holds afterwards, and what is said to have changed, "" for nothing.
RETAINED: dict[str, tuple[str, str | bytes, str]] = {
    "line ends": ("---\nslug: 001-x\n---\n\na\n", b"---\r\nslug: 001-x\r\n---\r\n\r\na\r\n", ""),
    "line ends back": ("---\r\nslug: 001-x\r\n---\r\na\r\n", "---\nslug: 001-x\n---\na\n", ""),
    "a byte order mark": ("---\nslug: 001-x\n---\na\n", "\ufeff---\nslug: 001-x\n---\na\n", ""),
    "a mark goes": ("\ufeff---\nslug: 001-x\n---\na\n", "---\nslug: 001-x\n---\na\n", ""),
    "a lone CR": ("---\nslug: 001-x\n---\na\rb\n", "---\nslug: 001-x\n---\na\nb\n", "its text"),
    "a last line end": ("---\nslug: 001-x\n---\na\n", "---\nslug: 001-x\n---\na", "its text"),
    "blanks": ("---\nslug: 001-x\n---\na\n", "---\nslug: 001-x\n---\na \n", "its text"),
    "a status comes": ("---\nslug: 001-x\n---\n", "---\nslug: 001-x\nstatus: superseded\n---\n", ""),
    "a status goes": ("---\nstatus: x\nslug: 001-x\n---\n", "---\nslug: 001-x\n---\n", ""),
    "a status moves": ("---\nstatus: x\nslug: 001-x\n---\n", "---\nslug: 001-x\n'status': y\n---\n", ""),
    "a long status": (
        "---\nstatus: x\nslug: 001-x\n---\n",
        "---\nstatus: >-\n  not yet\n\tknown\nslug: 001-x\n---\n",
        "",
    ),
    "a quoted name": (
        '---\n"status": x\nslug: 001-x\n---\n',
        "---\nstatus : y # why\nslug: 001-x\n---\n",
        "",
    ),
    "two of them": (
        "---\nstatus: x\nslug: 001-x\n---\n",
        "---\nstatus: y\nstatus: z\nslug: 001-x\n---\n",
        "",
    ),
    "another status": (
        "---\nslug: 001-x\nreview:\n  status: x\n---\n",
        "---\nslug: 001-x\nreview:\n  status: y\n---\n",
        "its frontmatter",
    ),
    "a name like it": (
        "---\nslug: 001-x\nstatus-of: x\n---\n",
        "---\nslug: 001-x\nstatus-of: y\n---\n",
        "its frontmatter (status-of)",
    ),
    "a field": ("---\nslug: 001-x\na: b\n---\n", "---\nslug: 001-x\na: c\n---\n", "its frontmatter (a)"),
    "a field goes": ("---\nslug: 001-x\na: b\n---\n", "---\nslug: 001-x\n---\n", "its frontmatter (a)"),
    "a list": ("---\nslug: 001-x\na: [b]\n---\n", "---\nslug: 001-x\na: [c]\n---\n", "its frontmatter"),
    "a comment": ("---\nslug: 001-x\n---\n", "---\nslug: 001-x # no\n---\n", "its frontmatter"),
    "a date": ("---\ne: 2024-05-28\n---\n", "---\ne: '2024-05-28'\n---\n", "its frontmatter"),
    "frontmatter gone": ("---\na: b\n---\nx\n", "x\n", "its frontmatter (a)"),
    "frontmatter torn": ("---\na: b\n---\nx\n", "---\na: b\nx\n", "its text and its frontmatter (a)"),
    "both": ("---\na: b\n---\nx\n", "---\na: c\n---\ny\n", "its text and its frontmatter (a)"),
}


@pytest.mark.parametrize("name", RETAINED)
def test_retained_documents(tmp_path: Path, name: str) -> None:
    before, after, expected = RETAINED[name]
    path = f"{OLD}/001-x@1.md"
    found = compared(tmp_path, {**BEFORE, path: before}, {**BEFORE, path: after})
    whole = f"{path} KB-0001@1 KB-0001@1 is retained, and {expected} changed since the base revision"
    assert messages(found) == ([whole] if expected else [])


def test_a_document_that_is_taken_away_in_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was there when the corpus was listed. Nothing passes in silence."""
    base, now = load(str(tree(tmp_path / "base", BEFORE))), load(str(tree(tmp_path / "now", BEFORE)))
    monkeypatch.setattr(now, "read", lambda path: Unreadable(path, "the file cannot be read"))
    what = "its text and its frontmatter changed since the base revision"
    told = messages(list(check(now, base)))
    assert f"{OLD}/001-x@1.md KB-0001@1 KB-0001@1 is retained, and {what}" in told
    assert _parts(now, "x") == (b"", b"")


def test_documents_behind_links(tmp_path: Path) -> None:
    before: Files = {
        **BEFORE,
        f"{OLD}/001-x@1.md": Link("../../texts/one.md"),
        "knowledge/web/texts/one.md": "One.\n",
    }
    after: Files = {**before, "knowledge/web/texts/one.md": "Won.\n"}
    assert messages(compared(tmp_path, before, after)) == [
        f"{OLD}/001-x@1.md KB-0001@1 KB-0001@1 is retained, and its text changed since the base revision"
    ]


def test_a_moved_document_is_not_any_document_with_its_text(tmp_path: Path) -> None:
    """Two facts may have the same words. One that was there before is no proof that the other moved."""
    twin = document("008-y", "1", "One.\n")
    before: Files = {**BEFORE, f"{OLD}/008-y@1.md": twin, f"{OLD}/009-z@1.md": twin}
    after: Files = {**BEFORE, f"{OLD}/008-y@1.md": twin}
    what = "was a retained document at the base revision, and is gone"
    told = messages(compared(tmp_path, before, after))
    assert told == [f"knowledge/index.md {OLD}/009-z@1.md {OLD}/009-z@1.md {what}"]


def test_messages_quote_little(tmp_path: Path) -> None:
    long = "x" * 200
    slug = f"001-{'y' * 5_000}"
    before: Files = {
        "knowledge/index.md": HEADER
        + row(1, "v" * 9_000, "web/references/001-x.md", slug)
        + row(2, "1", f"web/references/{long}.md", "002-y")
        + row(3, "1", "web/references/003-z.md", slug),
        f"{WEB}/001-x.md": document(),
        f"{WEB}/{long}.md": document(),
        f"{OLD}/{long}.md": document("002-y", "9" * 3_000),
        f"{OLD}/{long}2.md": f"---\nslug: q\n{'k' * 1_000}: 1\n---\n",
    }
    after: Files = {
        "knowledge/index.md": HEADER
        + row(1, "w" * 9_000, "web/references/001-x.md", slug)
        + row(2, "1", f"nowhere/{long}/{long}.md", "002-y"),
        f"{WEB}/001-x.md": document(),
        f"{OLD}/{long}2.md": f"---\nslug: q\n{'k' * 1_000}: 2\n---\n",
    }
    found = compared(tmp_path, before, after)
    assert {finding.subject.partition("@")[0] for finding in found} >= {"KB-0001", "KB-0002", "KB-0003"}
    assert len(found) == 5
    for finding in found:
        assert len(finding.message) < 500, finding
        assert len(finding.hint) < 400, finding
        assert len(finding.subject) < 400, finding


def test_long_frontmatter(tmp_path: Path) -> None:
    """Every line could go on with the status."""
    path = f"{OLD}/001-x@1.md"
    before = "---\nstatus: x\n" + " \n" * 30_000 + "---\n"
    after = "---\nstatus: x\n" + " " * 60_000 + "\n---\n"
    assert compared(tmp_path, {**BEFORE, path: before}, {**BEFORE, path: after}) == []
