"""The pipeline from end to end: each setting, what is counted, and the order of findings."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, document, row
from trees import Link, tree

from spectastic import engine
from spectastic.config import Settings
from spectastic.discover import NothingMatches
from spectastic.findings import Severity
from spectastic.spec.model import State

if TYPE_CHECKING:
    from pathlib import Path

    from spectastic.engine import Report
    from spectastic.findings import Finding

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="file names of any bytes, and processes by fork"
)


def decision(text: str) -> str:
    """A decision whose text begins on its third line."""
    return f"<spec-decision>\n\n{text}\n\n</spec-decision>\n"


def fact(slug: str = "001-x", edition: str = "1", **fields: str) -> str:
    """A document without fault."""
    digest = hashlib.sha256(b"\nA fact.\n").hexdigest()
    whole = {
        "origin": "Example body",
        "origin-url": "https://example.org/x",
        "license": "MIT",
        "converter": "by hand",
        "content-hash": f"sha256:{digest}",
    }
    return document(slug, edition, **whole | fields)


def place(finding: Finding) -> str:
    return f"{finding.path}:{finding.location.line}:{finding.location.column}"


def place_of_related(finding: Finding) -> str:
    (related,) = finding.related
    return f"{related.path}:{related.location.line}:{related.location.column}"


def told(report: Report) -> list[str]:
    return [f"{place(finding)} {finding.severity.label} {finding.rule}" for finding in report.findings]


DEAD = "specs/dead.md:3:1 error corpus-provenance"
BARE = "specs/bare.md:3:1 warning corpus-citation-form"
CLAIM = "specs/claim.md:1:1 info corpus-ungrounded-claim"
BROKEN = "specs/sub/broken.md:1:1 error file-unreadable"
ARCHIVED = "specs/archive/old.md:3:1 error corpus-provenance"
LOOSE = "notes/loose.md:1:5 error corpus-provenance"
LICENSE = "knowledge/web/references/001-x.md:7:10 warning corpus-license"
ELSEWHERE = "facts/web/references/002-y.md:7:10 warning corpus-license"
#: Where `facts` is the corpus, what `knowledge` holds are specs, and the ids of `knowledge` are unknown.
BARE_UNKNOWN = "specs/bare.md:3:1 error corpus-provenance"
GOOD_UNKNOWN = "specs/good.md:3:1 error corpus-provenance"
#: And where `knowledge` is, `facts/index.md` is a spec like any other.
SEEN_IN_REGISTRY = [
    "facts/index.md:3:3 warning corpus-citation-form",
    "facts/index.md:3:3 error corpus-provenance",
]

TREE: dict[str, str | bytes | Link | None] = {
    "specs/dead.md": decision("KB-0009@1"),
    "specs/bare.md": decision("KB-0001"),
    "specs/claim.md": decision("Nothing."),
    "specs/good.md": decision("KB-0001@1"),
    "specs/sub/broken.md": b"\xff",
    "specs/archive/old.md": decision("KB-0008@1"),
    "notes/loose.md": "See KB-0007@1.\n",
    "knowledge/index.md": HEADER + row(1, "1", "web/references/001-x.md"),
    "knowledge/web/references/001-x.md": fact(license="MPL-2.0"),
    "facts/index.md": HEADER + row(2, "1", "web/references/002-y.md", "002-y"),
    "facts/web/references/002-y.md": fact("002-y", license="MPL-2.0"),
}
EVERYTHING = [LICENSE, BARE, CLAIM, DEAD, BROKEN]
OF_SPECS = [BARE, CLAIM, DEAD, BROKEN]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree(tmp_path_factory.mktemp("engine"), TREE)


SETTINGS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "none": ({}, EVERYTHING),
    "select": ({"select": ("corpus-provenance", "corpus-license")}, [LICENSE, DEAD, BROKEN]),
    "ignore": ({"ignore": ("corpus-provenance", "file-unreadable")}, [LICENSE, BARE, CLAIM]),
    "ignore wins over select": (
        {"select": ("corpus-provenance", "corpus-license"), "ignore": ("corpus-provenance",)},
        [LICENSE, BROKEN],
    ),
    "select never drops what cannot be read, ignore does": (
        {"select": ("corpus-citation-form",), "ignore": ("file-unreadable",)},
        [BARE],
    ),
    "severity": (
        {"severity": {"corpus-provenance": INFO, "corpus-license": ERROR, "corpus-staleness": ERROR}},
        [
            "knowledge/web/references/001-x.md:7:10 error corpus-license",
            BARE,
            CLAIM,
            "specs/dead.md:3:1 info corpus-provenance",
            BROKEN,
        ],
    ),
    "per-path-ignores of a folder": (
        {"per_path_ignores": (("specs/", ("corpus-provenance", "corpus-citation-form")),)},
        [LICENSE, CLAIM, BROKEN],
    ),
    "per-path-ignores of one rule and one file": (
        {"per_path_ignores": (("/specs/dead.md", ("corpus-provenance", "corpus-license")),)},
        [LICENSE, BARE, CLAIM, BROKEN],
    ),
    "per-path-ignores of other rules": (
        {"per_path_ignores": (("*.md", ("corpus-staleness", "corpus-orphan")),)},
        EVERYTHING,
    ),
    "per-path-ignores of the corpus and of what cannot be read": (
        {"per_path_ignores": (("knowledge/**", ("corpus-license",)), ("broken.md", ("file-unreadable",)))},
        [BARE, CLAIM, DEAD],
    ),
    "per-path-ignores, each pattern for its own rules": (
        {"per_path_ignores": (("dead.md", ("corpus-citation-form",)), ("bare.md", ("corpus-provenance",)))},
        EVERYTHING,
    ),
    "extra-licenses": ({"extra_licenses": ("mpl-2.0",)}, OF_SPECS),
    "extra-licenses of another name": ({"extra_licenses": ("MPL-1.1",)}, EVERYTHING),
    "per-path-ignores: a pattern that only takes back": (
        {"per_path_ignores": (("!specs/dead.md", ("corpus-provenance", "corpus-license")),)},
        EVERYTHING,
    ),
    "citation-scope": (
        {"citation_scope": "document"},
        [*SEEN_IN_REGISTRY, LICENSE, LOOSE, BARE, CLAIM, DEAD, BROKEN],
    ),
    "skip-folders": ({"skip_folders": ()}, [LICENSE, ARCHIVED, BARE, CLAIM, DEAD, BROKEN]),
    "skip-folders of other names": ({"skip_folders": ("specs",)}, [LICENSE]),
    "include": ({"include": ("/specs/*.md",)}, [LICENSE, BARE, CLAIM, DEAD]),
    "exclude": ({"exclude": ("specs/dead.md", "broken.md")}, [LICENSE, BARE, CLAIM]),
    "exclude wins over include": (
        {"include": ("/specs/*.md",), "exclude": ("dead.md",)},
        [LICENSE, BARE, CLAIM],
    ),
    "corpus": (
        {"corpus": "facts"},
        [ELSEWHERE, BARE, BARE_UNKNOWN, CLAIM, DEAD, GOOD_UNKNOWN, BROKEN],
    ),
    "paths: a folder": ({"paths": ("specs",)}, OF_SPECS),
    "paths: a file": ({"paths": ("specs/dead.md",)}, [DEAD]),
    "paths: the corpus": ({"paths": ("knowledge",)}, [LICENSE]),
    "paths: a file of the corpus": ({"paths": ("knowledge/web/references/001-x.md",)}, [LICENSE]),
    "paths: the corpus and a file": ({"paths": ("specs/dead.md", "knowledge")}, [LICENSE, DEAD]),
    "paths: the root": ({"paths": (".",)}, EVERYTHING),
    "paths: a folder that would be skipped": ({"paths": ("specs/archive",)}, [ARCHIVED]),
    "paths: a file that would be excluded": (
        {"paths": ("specs/dead.md", "specs/bare.md"), "exclude": ("dead.md",)},
        [BARE, DEAD],
    ),
    "force-exclude": (
        {"paths": ("specs/dead.md", "specs/bare.md"), "exclude": ("dead.md",), "force_exclude": True},
        [BARE],
    ),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_settings(case: str, repository: Path) -> None:
    given, expected = SETTINGS[case]
    assert told(engine.validate(Settings(str(repository), **given))) == expected


#: Settings, and whether the run fails.
FAILURES: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"ignore": ("corpus-provenance",)}, True),
    ({"ignore": ("corpus-provenance", "file-unreadable")}, False),
    ({"ignore": ("corpus-provenance", "file-unreadable"), "fail_on": WARNING}, True),
    ({"paths": ("specs/bare.md",), "fail_on": ERROR}, False),
    ({"paths": ("specs/bare.md",), "fail_on": WARNING}, True),
    ({"paths": ("specs/bare.md",), "fail_on": INFO}, True),
    ({"paths": ("specs/bare.md",), "severity": {"corpus-citation-form": ERROR}}, True),
    ({"paths": ("specs/bare.md",), "severity": {"corpus-citation-form": INFO}, "fail_on": WARNING}, False),
    ({"paths": ("specs/bare.md",), "severity": {"corpus-citation-form": INFO}, "fail_on": INFO}, True),
    ({"paths": ("specs/claim.md",), "fail_on": INFO}, False),
    ({"paths": ("specs/claim.md",), "severity": {"corpus-ungrounded-claim": ERROR}, "fail_on": INFO}, False),
    ({"paths": ("specs/claim.md", "specs/bare.md"), "fail_on": WARNING}, True),
    ({"paths": ("specs/good.md",), "fail_on": INFO}, False),
]


@pytest.mark.parametrize(("given", "failed"), FAILURES)
def test_what_fails_a_run(given: dict[str, Any], failed: bool, repository: Path) -> None:
    assert engine.validate(Settings(str(repository), **given)).failed is failed


def test_what_is_counted(repository: Path) -> None:
    report = engine.validate(Settings(str(repository)))
    assert list(report.severities.items()) == [(ERROR, 2), (WARNING, 2), (INFO, 1)]
    # Five of `specs`, one of `notes`, and the two of `facts`, which is no corpus here.
    assert (report.specs, report.citations, report.references) == (8, 3, 1)
    counts = {State.UNGROUNDED: 1, State.STALE: 0, State.UNPINNED: 1, State.GROUNDED: 1, State.ASSUMED: 1}
    assert list(report.decisions.items()) == list(counts.items())
    assert report.removed == ()
    wider = engine.validate(Settings(str(repository), citation_scope="document"))
    assert (wider.specs, wider.citations) == (8, 5)
    assert wider.decisions == report.decisions, "text around decisions is no decision"
    assert engine.validate(Settings(str(repository), paths=("specs/good.md",))).references is None


def test_what_was_left_out_is_told_where_nothing_is_checked(repository: Path) -> None:
    report = engine.validate(Settings(str(repository), exclude=("specs/", "notes/", "facts/")))
    assert (report.specs, report.citations, sum(report.decisions.values())) == (0, 0, 0)
    # Six, one and two: what is not entered counts whole.
    assert dict(report.removed)["exclude"] == 9
    with pytest.raises(NothingMatches, match=r"specs/none\.md"):
        engine.validate(Settings(str(repository), paths=("specs/good.md", "specs/none.md")))


# The order of findings.

TWICE = decision("kb-0009@1 and KB-0001\n\nKB-0009@1")
#: Sorted by their bytes; `\udcff` stands for a byte that is no UTF-8.
NAMES = ["A.md", "B.md", "a-b.md", "a.md", "a/b.md", "a0.md", "b.md", "é.md", "ｚ.md", "🚀.md", "\udcff.md"]


@on_linux
def test_order(tmp_path: Path) -> None:
    files: dict[str, str | bytes | Link | None] = dict.fromkeys(reversed(NAMES), TWICE)
    files["knowledge/index.md"] = Link("nowhere")
    report = engine.validate(Settings(str(tree(tmp_path, files))))
    of_one = [
        "3:1 warning corpus-citation-form",
        "3:1 error corpus-provenance",
        "3:15 warning corpus-citation-form",
        "3:15 error corpus-provenance",
        "5:1 error corpus-provenance",
    ]
    readable = [f"{name}:{line}" for name in NAMES[:-1] for line in of_one]
    of_registry = ["knowledge/index.md:1:1 error corpus-registry"] * 2
    readable[35:35] = of_registry  # between b.md and é.md
    assert told(report) == [*readable, "\udcff.md:1:1 error file-unreadable"]
    messages = [finding.message for finding in report.findings if finding.path == "knowledge/index.md"]
    assert messages == sorted(messages)
    assert len(set(messages)) == 2


def test_order_is_by_number(tmp_path: Path) -> None:
    text = decision("a KB-0009@1 KB-0009@2" + "\nx" * 7 + "\nKB-0001 KB-0009@3")
    report = engine.validate(Settings(str(tree(tmp_path, {"a.md": text}))))
    expected = ["a.md:3:3", "a.md:3:13", "a.md:11:1", "a.md:11:1", "a.md:11:9"]
    assert [place(finding) for finding in report.findings] == expected


def test_at_one_place_rules_come_before_messages(tmp_path: Path) -> None:
    """Sorted by their messages these would stand the other way round."""
    report = engine.validate(Settings(str(tree(tmp_path, {"a.md": "<spec-decision>\n\nNothing.\n"}))))
    assert told(report) == ["a.md:1:1 info corpus-ungrounded-claim", "a.md:1:1 warning decision-markup"]
    assert report.findings[0].message > report.findings[1].message


def test_markup_without_a_decision(tmp_path: Path) -> None:
    report = engine.validate(Settings(str(tree(tmp_path, {"a.md": "Text.\n\n</spec-decision>\n"}))))
    assert told(report) == ["a.md:3:1 warning decision-markup"]
    assert sum(report.decisions.values()) == 0
