"""The baseline: what it holds, what of it is of no use any more, and what is no baseline."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spectastic.engine import baseline
from spectastic.engine.baseline import Baseline, Ledger, load, render
from spectastic.engine.errors import BaselineError
from spectastic.findings import Finding, Severity, Span

if TYPE_CHECKING:
    from pathlib import Path

HEAD = '{"baseline": 1}\n'
RULE = "corpus-provenance"


def finding(subject: str = "KB-0009@1", path: str = "a.md", rule: str = RULE, decision: str = "") -> Finding:
    return Finding(rule, Severity.ERROR, "m", path, Span(3, 4), subject=subject, decision=decision)


def entry(**fields: object) -> str:
    return json.dumps({"rule": RULE, "path": "a.md", "subject": "KB-0009@1", **fields}) + "\n"


def everywhere(_rule: str, _path: str) -> bool:
    return True


def written(root: Path, text: str) -> Baseline:
    (root / "b.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
    return load(str(root), "b.jsonl")


def held(root: Path, text: str, *findings: Finding) -> tuple[list[Finding], list[Finding], list[str]]:
    """Findings that count, those that are held, and what is said of entries of no use, with places."""
    ledger = Ledger(written(root, text))
    kept, suppressed = ledger.hold(findings)
    told = [f"{item.span.start} {item.message}" for item in ledger.unneeded(everywhere)]
    return kept, [item.finding for item in suppressed], told


def gone(subject: str = "KB-0009@1", path: str = "a.md") -> str:
    return f"the baseline holds {RULE} ({subject}) in {path}, which is not reported any more"


# A baseline's entries; findings; how many of them count; what is said of entries.
HELD: dict[str, tuple[str, list[Finding], int, list[str]]] = {
    "nothing": ("", [finding()], 1, []),
    "held": (entry(), [finding()], 0, []),
    "another-subject": (entry(), [finding("KB-0008@1")], 1, [f"16 {gone()}"]),
    "another-path": (entry(), [finding(path="b.md")], 1, [f"16 {gone()}"]),
    "another-rule": (entry(), [finding(rule="corpus-staleness")], 1, [f"16 {gone()}"]),
    "another-decision": (entry(decision="D-1"), [finding(decision="D-2")], 1, [f"16 {gone()}"]),
    "own-decision": (entry(decision="D-1"), [finding(decision="D-1")], 0, []),
    "once-of-two": (entry(), [finding(), finding()], 1, []),
    "two": (entry(count=2), [finding(), finding()], 0, []),
    "two-and-one-is-left": (
        entry(count=2),
        [finding()],
        0,
        [f"16 the baseline holds {RULE} (KB-0009@1) in a.md 2 times, and it is reported 1 times"],
    ),
    "line-doubled-by-a-merge": (entry() + entry(), [finding(), finding()], 1, []),
    "line-doubled-with-other-counts": (entry(count=2) + entry(), [finding()] * 3, 1, []),
    "line-doubled-with-other-counts-in-turn": (entry() + entry(count=2), [finding()] * 3, 1, []),
    "line-doubled-and-gone": (entry() * 2, [], 0, [f"16 {gone()}", f"{16 + len(entry())} {gone()}"]),
    "blank-lines": (f"\n{entry()}\n\n", [finding()], 0, []),
    "further-keys": (entry(note="old"), [finding()], 0, []),
    "history": (entry(rule="corpus-append-only"), [finding(rule="corpus-append-only")], 1, None),  # type: ignore[dict-item]
    "no-subject": (entry(subject="m"), [finding("")], 0, []),
}


@pytest.mark.parametrize("case", HELD)
def test_hold(case: str, tmp_path: Path) -> None:
    entries, findings, count, said = HELD[case]
    kept, silenced, told = held(tmp_path, HEAD + entries, *findings)
    assert (len(kept), len(silenced)) == (count, len(findings) - count)
    if said is not None:
        assert told == said


def test_what_was_not_checked_is_not_missed(tmp_path: Path) -> None:
    ledger = Ledger(written(tmp_path, HEAD + entry() + entry(path="b.md")))
    (told,) = ledger.unneeded(lambda rule, path: (rule, path) == (RULE, "b.md"))
    assert (told.rule, told.path, told.message) == ("unused-suppression", "b.jsonl", gone(path="b.md"))
    assert told.span == Span(16 + len(entry()), 16 + len(entry()) + len(entry(path="b.md")) - 1)


# A file that is no baseline, and what is said of it.
WRONG = {
    "empty": ("", "b.jsonl:1: this is no baseline"),
    "prose": ("# Readme\n", "b.jsonl:1: this is no baseline"),
    "another-json": ('{"findings": []}\n', "b.jsonl:1: this is no baseline"),
    "no-head": (entry(), "b.jsonl:1: this is no baseline"),
    "later-version": (
        '{"baseline": 2}\n',
        "b.jsonl:1: a baseline of version 2; this program reads version 1",
    ),
    "true": ('{"baseline": true}\n', "b.jsonl:1: a baseline of version True"),
    "cut-off": (HEAD + entry()[:-9], "b.jsonl:2: this is no entry of a baseline: "),
    "merge-conflict": (
        HEAD + "<<<<<<< HEAD\n" + entry(),
        "b.jsonl:2: a merge conflict is left here",
    ),
    "no-rule": (HEAD + '{"path": "a.md"}\n', "b.jsonl:2: this is no entry"),
    "no-path": (HEAD + f'{{"rule": "{RULE}"}}\n', "b.jsonl:2: this is no entry"),
    "number-for-a-path": (HEAD + entry(path=3), "b.jsonl:2: this is no entry"),
    "count-of-none": (HEAD + entry(count=0), "b.jsonl:2: this is no entry"),
    "count-is-true": (HEAD + entry(count=True), "b.jsonl:2: this is no entry"),
    "count-is-text": (HEAD + entry(count="2"), "b.jsonl:2: this is no entry"),
    "array": (HEAD + "[]\n", "b.jsonl:2: this is no entry"),
    "nested": (HEAD + "[" * 100_000 + "\n", "b.jsonl:2: this is no entry"),
    "second-of-three": (HEAD + entry() + "x\n" + entry(), "b.jsonl:3: this is no entry of a baseline: x"),
}


@pytest.mark.parametrize("case", WRONG)
def test_no_baseline(case: str, tmp_path: Path) -> None:
    text, message = WRONG[case]
    with pytest.raises(BaselineError) as caught:
        written(tmp_path, text)
    assert caught.value.message.startswith(message)
    assert caught.value.hint


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match=r"there is no baseline b\.jsonl") as caught:
        load(str(tmp_path), "b.jsonl")
    assert caught.value.hint.startswith("commit it if it is only missing here")
    (tmp_path / "b.jsonl").mkdir()
    with pytest.raises(BaselineError, match=r"b\.jsonl: this is a directory"):
        load(str(tmp_path), "b.jsonl")


def test_render() -> None:
    findings = [finding("KB-0002@1", "b.md"), finding(), finding(), finding(rule="corpus-append-only")]
    made = render(findings, Baseline("b.jsonl"), everywhere)
    assert made.text == HEAD + entry(count=2) + entry(path="b.md", subject="KB-0002@1")
    assert (made.total, len(made.added), made.pruned) == (3, 3, 0)


def test_render_again(tmp_path: Path) -> None:
    old = written(tmp_path, HEAD + entry(count=3) + entry(path="b.md") + entry(path="c.md"))
    made = render([finding(), finding("new")], old, lambda _, path: path != "c.md")
    assert made.text == HEAD + entry() + entry(subject="new") + entry(path="c.md")
    assert (made.total, made.added, made.pruned) == (3, ((RULE, "a.md", "", "new"),), 3)


TEXTS = st.text(min_size=1, max_size=5)
PATHS = st.binary(min_size=1, max_size=5).map(lambda data: data.decode("utf-8", "surrogateescape"))


@given(st.lists(st.builds(finding, TEXTS, PATHS, TEXTS, TEXTS), max_size=8))
def test_what_is_written_holds_what_was_found(findings: list[Finding]) -> None:
    made = render(findings, Baseline("b"), everywhere)
    from spectastic.source import Source

    read = Baseline("b", tuple(baseline._entries(Source("b", made.text.encode()))))
    kept, silenced = Ledger(read).hold(findings)
    assert kept == [item for item in findings if item.rule == "corpus-append-only"]
    assert len(silenced) == made.total
    assert list(Ledger(read).unneeded(lambda *_: False)) == []
    assert render(findings, read, everywhere) == made._replace(added=())
