"""The required check from end to end: a repository with a history, a pull request, and what CI says of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest
from corpora import HEADER, document
from repository import Repository

from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

REFERENCES = "knowledge/trading/references"
NEW = "2024-05-28"
OLD = "2017-09-05"


def fact(slug: str, edition: str, body: str, **fields: str) -> str:
    """A document with all that a document needs, its hash too."""
    from spectastic.corpus.references import digest

    own = {
        "origin": "An authority",
        "origin-url": "https://example.org/fact",
        "license": "CC-BY-4.0",
        "converter": "by hand",
        "content-hash": digest(f"\n{body}".encode()),
        **fields,
    }
    return document(slug, edition, body, **own)


def row(number: int, slug: str, edition: str, plugin: str = "trading") -> str:
    path = f"trading/references/{slug}.md"
    return f"| KB-{number:04d} | acme | {plugin} | {slug} | T | {edition} | {path} | |\n"


def registry(*rows: str) -> str:
    return f"# Registry\n\n{HEADER}{''.join(rows)}"


def skill(*slugs: tuple[str, str]) -> str:
    entries = "".join(f"| {slug} | T | D | {edition} | references/{slug}.md |\n" for slug, edition in slugs)
    head = "| Slug | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
    return f"---\nname: trading\ndescription: Facts about trading.\n---\n\n{head}{entries}"


def decision(number: int, text: str) -> str:
    return f'<spec-decision id="D-{number:03d}">\n\n{text}\n\n</spec-decision>\n'


CYCLE, FEE = "001-cycle", "002-fee"
RETAINED = f"{REFERENCES}/superseded/{CYCLE}@{OLD}.md"
HISTORY: dict[str, str] = {
    "knowledge/index.md": registry(row(1, CYCLE, NEW), row(2, FEE, "2022-07-08")),
    "knowledge/trading/SKILL.md": skill((CYCLE, NEW), (FEE, "2022-07-08")),
    f"{REFERENCES}/{CYCLE}.md": fact(CYCLE, NEW, "One day.\n"),
    f"{REFERENCES}/{FEE}.md": fact(FEE, "2022-07-08", "Half a point.\n"),
    RETAINED: fact(CYCLE, OLD, "Two days.\n", status="superseded"),
    **{f"specs/{name}.md": decision(index, f"T+1, KB-0001@{NEW}.") for index, name in enumerate("abc", 1)},
    "specs/fee.md": decision(4, "A fee, KB-0002@2022-07-08."),
    "specs/old.md": decision(5, f"Once T+2, KB-0001@{OLD}.") + decision(6, "Invented, KB-0077@2020-01-01."),
}
BASELINE = "baseline.jsonl"


@pytest.fixture
def upstream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The repository on its server. Two old findings, one of them an error, are in its baseline."""
    repository = Repository(tmp_path / "upstream", HISTORY)
    monkeypatch.chdir(repository.root)
    assert main(["validate", "-q", "--baseline", BASELINE, "--write-baseline"]) == 0
    repository.commit({"spectastic.toml": f'baseline = "{BASELINE}"\n'})
    return repository


class Outcome(NamedTuple):
    code: int
    #: `path:line:column rule` of each finding.
    found: list[str]
    summary: dict[str, object]
    error: str


def check(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *options: str
) -> Outcome:
    monkeypatch.chdir(root)
    capsys.readouterr()
    code = main(["validate", "--format", "json", *options])
    out, error = capsys.readouterr()
    report = json.loads(out) if out else {"findings": [], "summary": {}}
    found = [f"{item['path']}:{item['line']}:{item['column']} {item['rule']}" for item in report["findings"]]
    return Outcome(code, found, report["summary"], error)


def pull_request(
    upstream: Repository,
    target: Path,
    changes: Mapping[str, str | None],
    monkeypatch: pytest.MonkeyPatch,
    *options: str,
) -> Path:
    """A branch with these changes, merged as GitHub does, in a clone as actions/checkout makes it."""
    base = upstream.git("rev-parse", "HEAD")
    upstream.branch("feature")
    for name, text in changes.items():
        if text is None:
            (upstream.root / name).unlink()
        else:
            upstream.write({name: text})
    head = upstream.commit()
    upstream.git("checkout", "-q", "-b", "merge", "main")
    upstream.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")
    clone = upstream.clone(target, *options, "--branch", "merge")
    event = target.parent / "event.json"
    payload = {"pull_request": {"head": {"sha": head}, "base": {"sha": base}}}
    event.write_text(json.dumps(payload), encoding="utf-8")
    for name, value in {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_BASE_REF": "main",
        "GITHUB_WORKSPACE": str(target),
        "GITHUB_EVENT_PATH": str(event),
    }.items():
        monkeypatch.setenv(name, value)
    return clone.root


NEXT = "2027-01-04"
SUPERSEDE: dict[str, str | None] = {
    "knowledge/index.md": registry(row(1, CYCLE, NEXT), row(2, FEE, "2022-07-08")),
    "knowledge/trading/SKILL.md": skill((CYCLE, NEXT), (FEE, "2022-07-08")),
    f"{REFERENCES}/{CYCLE}.md": fact(CYCLE, NEXT, "At once.\n"),
    f"{REFERENCES}/superseded/{CYCLE}@{NEW}.md": fact(CYCLE, NEW, "One day.\n", status="superseded"),
}
IGNORE = "<!-- spectastic: ignore corpus-staleness -- the rule in force at the trade date -->\n"

#: What a pull request changes, the exit code, and what is found in it.
CASES: dict[str, tuple[Mapping[str, str | None], int, list[str]]] = {
    "clean": ({"specs/new.md": decision(9, f"Also T+1, KB-0001@{NEW}.")}, 0, []),
    "fabricated": (
        {"specs/new.md": decision(9, "Made up, KB-0042@2024-01-01.")},
        1,
        ["specs/new.md:3:10 corpus-provenance"],
    ),
    "superseded": (SUPERSEDE, 0, [f"specs/{name}.md:3:6 corpus-staleness" for name in "abc"]),
    "edited-retained": (
        {RETAINED: fact(CYCLE, OLD, "Three days.\n", status="superseded")},
        1,
        [f"{RETAINED}:1:1 corpus-append-only"],
    ),
    "deleted-retained": (
        {RETAINED: None},
        1,
        [
            f"{BASELINE}:3:1 unused-suppression",
            "knowledge/index.md:5:59 corpus-append-only",
            "specs/old.md:3:11 corpus-provenance",
        ],
    ),
    "renumbered": (
        {
            "knowledge/index.md": registry(row(3, CYCLE, NEW), row(2, FEE, "2022-07-08")),
            **{
                f"specs/{name}.md": decision(index, f"T+1, KB-0003@{NEW}.")
                for index, name in enumerate("abc", 1)
            },
        },
        1,
        [
            f"{BASELINE}:3:1 unused-suppression",
            "knowledge/index.md:1:1 corpus-append-only",
            "specs/old.md:3:11 corpus-provenance",
        ],
    ),
    "reassigned": (
        {
            "knowledge/index.md": registry(row(1, CYCLE, NEW), row(2, FEE, "2022-07-08", "other")),
            "specs/fee.md": decision(4, "A fee, KB-0002@2022-07-08."),
        },
        1,
        ["knowledge/index.md:6:20 corpus-append-only"],
    ),
    "not-retained": (
        {name: text for name, text in SUPERSEDE.items() if f"@{NEW}" not in name},
        1,
        [
            "knowledge/index.md:5:46 corpus-append-only",
            *(f"specs/{name}.md:3:6 corpus-provenance" for name in "abc"),
        ],
    ),
    "suppressed": ({"specs/new.md": IGNORE + decision(9, f"Then T+2, KB-0001@{OLD}.")}, 0, []),
    "repaired": (
        {"specs/old.md": decision(5, f"Once T+2, KB-0001@{OLD}.") + decision(6, "Invented.")},
        0,
        [f"{BASELINE}:2:1 unused-suppression", "specs/old.md:6:1 corpus-ungrounded-claim"],
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("depth", ["whole", "two"])
def test_pull_request(
    case: str,
    depth: str,
    upstream: Repository,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changes, code, found = CASES[case]
    options = () if depth == "whole" else ("--depth", "2")
    clone = pull_request(upstream, tmp_path / "clone", changes, monkeypatch, *options)
    whole = check(clone, capsys, monkeypatch)
    assert (whole.code, whole.found, whole.error) == (code, found, "")
    new = check(clone, capsys, monkeypatch, "--since", "HEAD^1")
    assert (new.code, new.found) == (code, found)


def test_shallow_clone_cannot_pass(
    upstream: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = {RETAINED: fact(CYCLE, OLD, "Three days.\n", status="superseded")}
    clone = pull_request(upstream, tmp_path / "clone", changes, monkeypatch, "--depth", "1")
    outcome = check(clone, capsys, monkeypatch)
    assert (outcome.code, outcome.found) == (2, [])
    assert "fetch-depth: 0" in outcome.error
    assert check(clone, capsys, monkeypatch, "--ignore", "corpus-append-only").code == 0


def test_suppressed_counts(
    upstream: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = pull_request(upstream, tmp_path / "clone", CASES["suppressed"][0], monkeypatch)
    assert check(clone, capsys, monkeypatch).summary["suppressed"] == {"comment": 1, "baseline": 2}


def test_baseline_shrinks(
    upstream: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = pull_request(upstream, tmp_path / "clone", CASES["repaired"][0], monkeypatch)
    baseline = clone / BASELINE
    before = baseline.read_text(encoding="utf-8").splitlines()
    pruned = check(clone, capsys, monkeypatch, "--write-baseline", "--ignore", "corpus-ungrounded-claim")
    assert (pruned.code, pruned.found) == (0, [])
    assert f"{BASELINE} holds 1 finding: 0 added, 1 pruned" in pruned.error
    after = baseline.read_text(encoding="utf-8").splitlines()
    assert after == [line for line in before if "KB-0077" not in line]
    assert check(clone, capsys, monkeypatch).code == 0
