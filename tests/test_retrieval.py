"""Queries, dates, links, words, values and what is said: the small parts of retrieval."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

import pytest
from prior_art import BUGS, LESSONS, document, spec
from repository import Repository
from trees import tree

from spectastic import git, ranking
from spectastic.retrieval import dates, fulltext, links, report, scoring, vocabulary
from spectastic.retrieval.dates import Dated, calendar, of_files, of_seconds, own
from spectastic.retrieval.documents import load
from spectastic.retrieval.fulltext import Answer
from spectastic.retrieval.links import Near, is_id, mentions
from spectastic.retrieval.model import Document, Kind, Library, Shelf
from spectastic.retrieval.query import Query, QueryError, from_json, of
from spectastic.retrieval.reasons import Outcome, why_not
from spectastic.retrieval.scoring import Hit, Part
from spectastic.retrieval.vocabulary import Unknown, propose, unknown
from spectastic.source import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

DAY = Dated(date(2026, 1, 1), "updated")


def lesson(identifier: str = "LESSON-001", **values: object) -> Document:
    made = Document(Kind.LESSON, identifier, "T", f"{identifier}.md", filled=True)
    return made._replace(**values)  # type: ignore[arg-type]


# Queries.


def test_a_query_from_json() -> None:
    text = '{"component": "a", "tags": ["x", "y"], "stack": "z", "concerns": []}'
    assert from_json(text) == {"component": "a", "tags": ("x", "y"), "stack": ("z",), "concerns": ()}
    query = Query("a", "b", ("c",), ("d", "e"), ())
    assert of(from_json(json.dumps(query.as_json()))) == query
    assert list(query.values()) == [
        ("component", "a"), ("domain", "b"), ("stack", "c"), ("concerns", "d"), ("concerns", "e"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("{", "not valid JSON", '"component"'),
        ("[" * 100_000, "not valid JSON: it is nested too deeply", '"component"'),
        ("[]", "no JSON object", '"component"'),
        ('"a"', "no JSON object", '"component"'),
        ('{"concern": []}', "no field concern", "did you mean concerns?"),
        ('{"zzz": []}', "no field zzz", "fields: component, domain, stack, concerns, tags"),
        ('{"": []}', "no field without a name", "fields:"),
        ('{"component": ["a"]}', "component is no string", "one value"),
        ('{"component": null}', "component is no string", "one value"),
        ('{"tags": ["a"], "tags": ["b"]}', "tags stands there twice", "keep one of the two"),
        ('{"": 1, "": 2}', "a field without a name stands there twice", "keep one of the two"),
        ('{"tags": [1]}', "tags is no list of strings", '"tags": ['),
        ('{"tags": {"a": 1}}', "tags is no list of strings", '"tags": ['),
    ],
)
def test_what_is_no_query(text: str, message: str, hint: str) -> None:
    with pytest.raises(QueryError) as caught:
        from_json(text)
    assert message in caught.value.message
    assert str(caught.value) == caught.value.message
    assert hint in caught.value.hint


# Dates.

DATES: list[tuple[str, date | None]] = [
    ("2026-01-31", date(2026, 1, 31)),
    ("2024-02-29", date(2024, 2, 29)),
    ("2025-02-29", None),
    ("2026-02-30", None),
    ("2026-13-01", None),
    ("0000-01-01", None),
    ("0001-01-01", date(1, 1, 1)),
    ("9999-12-31", date(9999, 12, 31)),
    ("2026-1-1", None),
    ("20260101", None),
    ("2026-W01-1", None),
    ("2026-01-31T10:00:00Z", None),
    ("2026-01-31\n", None),
    ("٢٠٢٦-01-31", None),
    ("YYYY-MM-DD", None),
    ("", None),
]


@pytest.mark.parametrize(("written", "day"), DATES)
def test_only_days_of_the_calendar_are_dates(written: str, day: date | None) -> None:
    assert calendar(written) == day
    found = own(lesson(created="2020-01-01", updated=written))
    assert found == (Dated(day, "updated") if day else Dated(date(2020, 1, 1), "created"))
    assert own(lesson(updated=written)) == (Dated(day, "updated") if day else None)


@pytest.mark.parametrize(
    ("seconds", "day"),
    [
        (0, "1970-01-01"),
        (-1, "1969-12-31"),
        (86_399.9, "1970-01-01"),
        (86_400, "1970-01-02"),
        (1e300, "1970-01-01"),
    ],
)
def test_moments(seconds: float, day: str) -> None:
    assert of_seconds(seconds).isoformat() == day


def test_the_dates_of_files(tmp_path: Path) -> None:
    names = ("old", "é b", "gone")
    made = Repository(tmp_path / "root", {f"sub/.adlc/{name}.md": "1" for name in names})
    root = made.root / "sub"
    made.write({"sub/.adlc/é b.md": "2"})
    commit_at(made, 1_772_321_400)  # 2026-02-28T23:30:00Z, when it was 1 March in the committer's zone
    made.write({"sub/.adlc/new.md": "1", "sub/.adlc/staged.md": "1", "sub/.adlc/old.md": "not committed"})
    made.git("add", "sub/.adlc/staged.md")
    made.git("rm", "-q", "--cached", "sub/.adlc/gone.md")
    for name in ("new", "staged", "old", "gone"):
        os.utime(root / f".adlc/{name}.md", (86_400, 86_400))
    wanted = [lesson(path=f".adlc/{name}.md") for name in ("old", "é b", "new", "staged", "gone", "nowhere")]
    file = Dated(date(1970, 1, 2), "file")
    assert of_files(str(root), ".adlc", wanted) == {
        ".adlc/old.md": Dated(date(2026, 1, 1), "commit"),
        ".adlc/é b.md": Dated(date(2026, 2, 28), "commit"),
        ".adlc/new.md": file,
        ".adlc/staged.md": file,
        ".adlc/gone.md": file,
    }


def commit_at(made: Repository, seconds: int) -> str:
    """Commit everything as somebody an hour east of UTC, at a moment of its own."""
    made.git("add", "-A")
    contents, parent = made.git("write-tree"), made.git("rev-parse", "HEAD")
    raw = (
        f"tree {contents}\nparent {parent}\nauthor T <t@example.org> 0 +0000\n"
        f"committer T <t@example.org> {seconds} +0100\n\nChange\n"
    )
    (made.root / "raw").write_text(raw)
    commit = made.git("hash-object", "-t", "commit", "-w", "raw")
    (made.root / "raw").unlink()
    made.git("reset", "-q", commit)
    return commit


def test_one_question_to_git_for_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(tree(tmp_path, {"a.md": ""}))
    asked: list[str] = []

    def tracked(*_: str) -> frozenset[str]:
        asked.append("tracked")
        return frozenset({"a.md", "b.md"})

    def committed(*_: str) -> dict[str, int]:
        asked.append("dates")
        return {"a.md": 0, "b.md": 0}

    monkeypatch.setattr(git, "tracked", tracked)
    monkeypatch.setattr(git, "dates", committed)
    assert len(of_files(root, ".", [lesson(path="a.md"), lesson(path="b.md")])) == 2
    assert asked == ["tracked", "dates"]
    assert of_files(root, ".", []) == {}
    assert asked == ["tracked", "dates"]


def test_without_a_repository_the_file_counts(tmp_path: Path) -> None:
    tree(tmp_path, {"a.md": ""})
    os.utime(tmp_path / "a.md", (86_400, 86_400))
    assert dates.of_files(str(tmp_path), ".", [lesson(path="a.md")]) == {
        "a.md": Dated(date(1970, 1, 2), "file")
    }


# Ids in texts.

MENTIONS: list[tuple[str, list[str]]] = [
    ("REQ-001 LESSON-0001, (BUG-123456)", ["REQ-001", "LESSON-0001", "BUG-123456"]),
    ("REQ-570 BR-8 and **REQ-571**/`REQ-572`", ["REQ-570", "REQ-571", "REQ-572"]),
    ("specs/REQ-012-seat-map/requirement.md", ["REQ-012"]),
    ("REQ-120 REQ-1200", ["REQ-120", "REQ-1200"]),
    ("REQ-12 REQ-1234567 req-001 KB-0001 TASK-001", []),
    ("XREQ-001 _REQ-001 REQ-001_ REQ-001a éREQ-001 REQ-001٣ REQ-٣٣٣", []),
    ("REQ–001 REQ 001", []),
    ("(informed by REQ-001,\nLESSON-002)", ["REQ-001", "LESSON-002"]),
    ("BUG-001 BUG-001", ["BUG-001", "BUG-001"]),
]


@pytest.mark.parametrize(("text", "expected"), MENTIONS)
def test_ids_in_texts(text: str, expected: list[str]) -> None:
    assert mentions(text) == Counter(expected)


@pytest.mark.parametrize(
    ("text", "expected"), [("REQ-001", True), ("REQ-001\n", False), ("REQ-٣٣٣", False), ("REQ-001 ", False)]
)
def test_what_is_an_id(text: str, expected: bool) -> None:
    assert is_id(text) == expected


def library_with(*lessons: Document) -> Library:
    shelves = {kind: Shelf(kind, "") for kind in Kind}
    return Library("", "", shelves | {Kind.LESSON: Shelf(Kind.LESSON, "", lessons)})


def test_what_lies_one_step_away() -> None:
    """Of nine hits that are shown, eight are looked at; the tenth is below the cut."""
    hits = [Hit(lesson(f"LESSON-{number:03}"), 1, (), DAY) for number in range(1, 11)]
    others = [lesson(f"LESSON-{number}") for number in (100, 101, 102, 103, 104, 105)]
    held = {hit.document.path: "" for hit in hits} | {other.path: "" for other in others}
    held["LESSON-001.md"] = "LESSON-100 LESSON-100 LESSON-102 LESSON-001 LESSON-002 LESSON-010 LESSON-999"
    held["LESSON-008.md"] = "LESSON-102"
    held["LESSON-009.md"] = "LESSON-104"
    held["LESSON-101.md"] = "LESSON-001 LESSON-001 LESSON-001 LESSON-008"
    held["LESSON-103.md"] = "LESSON-002 and LESSON-009 and LESSON-103"
    held["LESSON-105.md"] = "LESSON-009 and LESSON-010"
    documents = (*(hit.document for hit in hits), *others)
    days = {document.path: DAY for document in documents}
    days["LESSON-102.md"] = Dated(date(2026, 1, 2), "updated")
    library = library_with(*documents)
    found = links.see_also(library, hits, 9, days, held)
    assert [(near.document.id, near.cited_by, near.cites, near.mentions) for near in found] == [
        ("LESSON-101", (), ("LESSON-001", "LESSON-008"), 4),
        ("LESSON-102", ("LESSON-001", "LESSON-008"), (), 2),
        ("LESSON-100", ("LESSON-001",), (), 2),
        ("LESSON-010", ("LESSON-001",), (), 1),
        ("LESSON-103", (), ("LESSON-002",), 1),
    ]
    assert links.see_also(library, hits, 1, days, held)[0] == Near(others[1], (), ("LESSON-001",), 3)
    assert links.see_also(library, [], 9, days, held) == ()


def test_a_second_document_of_a_cited_id_is_not_one_step_away() -> None:
    one, other = lesson(), lesson(path="other.md")
    library = library_with(one, other)
    held = {one.path: "", other.path: "LESSON-001"}
    assert links.see_also(library, [Hit(one, 1, (), DAY)], 1, {one.path: DAY, other.path: DAY}, held) == ()


def test_texts_that_have_gone(tmp_path: Path) -> None:
    tree(tmp_path, {"LESSON-001.md": "---\na: b\n---\nText.\n"})
    found = links.texts(str(tmp_path), [lesson(), lesson("LESSON-002")])
    assert found == {"LESSON-001.md": "---\na: b\n---\nText.\n", "LESSON-002.md": ""}


# Words.


def test_words_of_titles_and_bodies(tmp_path: Path) -> None:
    """Frontmatter is not searched; the title is, also of a file that has gone; equals come by the rule."""
    tree(
        tmp_path,
        {
            "LESSON-001.md": "---\nferry: ferry\n---\nNothing here.\n",
            "LESSON-002.md": "---\na: b\n---\nA ferry.\n",
            "LESSON-003.md": "---\na: b\n---\nA ferry.\n",
        },
    )
    documents = [
        *(lesson(f"LESSON-00{number}") for number in (1, 2, 3)),
        lesson("LESSON-004", title="Ferry, the"),
        lesson("LESSON-005"),
    ]
    days = {document.path: DAY for document in documents} | {
        "LESSON-003.md": Dated(date(2026, 1, 2), "updated")
    }
    found = fulltext.search(str(tmp_path), documents, ranking.tokens("ferry"), days)
    assert sorted(answer.document.id for answer in found) == [
        "LESSON-002",
        "LESSON-003",
        "LESSON-004",
    ]
    assert [answer.document.id for answer in found if answer.document.id != "LESSON-004"] == [
        "LESSON-003",
        "LESSON-002",
    ]
    texts = ["T\nNothing here.\n", "T\nA ferry.\n", "T\nA ferry.\n", "Ferry, the\n", "T\n"]
    scores = {documents[match.place].id: match.score for match in ranking.rank(["ferry"], texts).matches}
    assert {answer.document.id: answer.score for answer in found} == scores


# Values.

USED = [
    lesson(component="daemon/harness", domain="adlc", tags=("slash_command", "gh", "retrieval")),
    lesson(component="daemon/harness", tags=("slash-command",)),
    lesson(
        component="cli/prompt", tags=("slash_command",), concerns=("retrieval", "security"), stack=("Rust",)
    ),
]
UNKNOWN: list[tuple[str, str, Unknown | None]] = [
    ("component", "daemon/harness", None),
    ("component", "Daemon/Harness", Unknown("component", "Daemon/Harness", "daemon/harness", 2)),
    ("component", "harness", Unknown("component", "harness", "daemon/harness", 2)),
    ("component", "cli/prompts", Unknown("component", "cli/prompts", "cli/prompt", 1)),
    ("component", "zzz", Unknown("component", "zzz")),
    ("tags", "slash command", Unknown("tags", "slash command", "slash_command", 2)),
    ("tags", "slash_commands", Unknown("tags", "slash_commands", "slash_command", 2)),
    ("tags", "security", Unknown("tags", "security", elsewhere=("concerns",))),
    ("domain", "retrieval", Unknown("domain", "retrieval", elsewhere=("concerns", "tags"))),
    ("stack", "rust", Unknown("stack", "rust", "Rust", 1)),
    ("stack", "x" * 10_000, Unknown("stack", "x" * 10_000)),
]


@pytest.mark.parametrize(("field", "value", "expected"), UNKNOWN)
def test_values_that_match_nothing(field: str, value: str, expected: Unknown | None) -> None:
    query = of({field: value if field in ("component", "domain") else (value,)})
    assert unknown(query, vocabulary.of(USED)) == ((expected,) if expected else ())


def test_values_are_proposed_from_documents_and_from_their_own_words() -> None:
    """The weights are worked out by hand below; what has less than half of the best is left out."""
    answers = [
        Answer(lesson(component="x", stack=("a",), tags=("t", "s")), 3.0),
        Answer(lesson(component="y", stack=("a", "b"), tags=("u",)), 1.0),
        Answer(lesson(component="y", tags=("s",)), 1.0),
    ]
    used = vocabulary.of([*(answer.document for answer in answers), lesson(stack=("alpha_beta", "a", "ccc"))])
    query = propose("Alpha and beta.", answers, used)
    # x 3, y 1 + 1 = 2. a 3 + 1 = 4, b 1, alpha_beta 3: both its words stand there, so as much as the best
    # answer; ccc none. s 3 + 1 = 4, t 3, u 1.
    assert query == Query("x", "", ("a", "alpha_beta"), (), ("s", "t"))


def test_a_proposal_is_cut_and_does_not_depend_on_order() -> None:
    answers = [Answer(lesson(tags=tuple("gfedcba"), stack=tuple("wxyz")), 1.0)]
    used = vocabulary.of([answers[0].document, lesson(tags=("g",), stack=("z",))])
    assert propose("", answers, used) == Query(stack=("z", "w", "x"), tags=("g", "a", "b", "c", "d"))
    many = [Answer(lesson(f"LESSON-{n:03}", tags=(f"t{n}",)), 1.0) for n in range(9)]
    assert propose("", many, vocabulary.of([])).tags == ("t0", "t1", "t2", "t3", "t4")
    assert propose("", [*many[:8], Answer(lesson(tags=("t8", "t7")), 9.0)], vocabulary.of([])).tags[0] == "t0"
    assert propose("nothing", [], vocabulary.of([lesson(tags=("nothing", "gh"))])) == Query(tags=("nothing",))


# What is said.


def library_of(tmp_path: Path, *statuses: str, broken: int = 0) -> Library:
    files: dict[str, str] = {}
    for number, status in enumerate(statuses, 1):
        files |= spec(f"{number:03}", status=status)
    for number in range(broken):
        files[f".adlc/specs/REQ-9{number:02}-x/requirement.md"] = "none\n"
    return load(str(tree(tmp_path, files)), ".adlc")


WARNING = (
    "/spec: WARNING — spec corpus has {} requirement.md files but 0 passed the status filter (statuses seen:"
    " {}). Retrieval is running on lessons+bugs only. This is a filter/vocabulary mismatch, not a cold start"
    " — see BUG-194."
)
YOUNG = ", and drafts take no part yet: lessons and bugs alone were looked at"
SHRINKS: list[tuple[tuple[str, ...], int, str | None]] = [
    ((), 0, None),
    (("complete",), 0, None),
    (("complete", "draft"), 0, None),
    (("draft", "", "superseded"), 0, None),
    (("superseded", "draft", "Draft", "superseded"), 0, WARNING.format(4, "draft, superseded")),
    (("Rejected",), 0, WARNING.format(1, "rejected")),
    ((), 2, WARNING.format(2, "none could be read")),
    (("draft",), 1, WARNING.format(2, "draft")),
    (
        ("draft",),
        0,
        f"the only spec is a draft{YOUNG}",
    ),
    (
        ("draft", "DRAFT"),
        0,
        f"all 2 specs are drafts{YOUNG}",
    ),
]


@pytest.mark.parametrize(("statuses", "broken", "message"), SHRINKS)
def test_a_corpus_of_specs_that_none_of_passes(
    statuses: tuple[str, ...], broken: int, message: str | None, tmp_path: Path
) -> None:
    found = report.shrink(library_of(tmp_path, *statuses, broken=broken))
    assert (found and found.message) == message
    assert (found is not None and found.drafts) == (message is not None and "draft" in message[:25])


def test_lines_line_up() -> None:
    hits = [
        Hit(lesson("LESSON-034", title="A\n title  "), 5, (), DAY),
        Hit(lesson("BUG-1200", title="", kind=Kind.BUG), 12, (), DAY),
        Hit(lesson("REQ-001", kind=Kind.SPEC), 1, (), DAY),
    ]
    assert list(report.lines(hits, suppressed=False)) == [
        "LESSON-034 (lesson, score 5): A title",
        "BUG-1200   (bug,    score 12): (no title)",
        "REQ-001    (spec,   score 1): T",
    ]
    assert next(iter(report.lines(hits[1:2], suppressed=False))) == "BUG-1200 (bug,    score 12): (no title)"


def test_each_empty_outcome_has_its_own_text() -> None:
    hit = Hit(lesson(), 5, (), DAY)
    cold = "No prior context retrieved — no tagged documents matched this area."
    suppressed = "Spec corpus suppressed by status filter — see stderr warning (BUG-194)."
    assert list(report.lines([], suppressed=False)) == [cold]
    assert list(report.lines([], suppressed=True)) == [suppressed]
    assert list(report.lines([hit], suppressed=True)) == [suppressed, "LESSON-001 (lesson, score 5): T"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("updated", "updated"),
        ("commit", "its last commit"),
        ("file", "its file"),
        ("none", "nothing dates it"),
    ],
)
def test_sums(source: str, shown: str) -> None:
    hit = Hit(lesson(), 3, (Part("concerns", "a", 2), Part("", "", 1)), Dated(date(2026, 1, 2), source))
    assert report.sums(hit) == f"3 = 2 concerns a + 1 no field is filled; 2026-01-02 ({shown})"


def test_counts() -> None:
    wrong = Unreadable("x.md", "why")
    shelf = Shelf(
        Kind.BUG, "f", (lesson(),), (lesson(status="b"), lesson(status="A"), lesson(), lesson(status="a"))
    )
    assert report.counts(shelf) == "bugs: 1 of 5 take part; left out by status: (none) 1, a 2, b 1"
    assert report.counts(Shelf(Kind.SPEC, "f", unreadable=(wrong,))) == (
        "specs: 0 of 1 take part; without readable frontmatter: 1"
    )
    assert report.counts(Shelf(Kind.LESSON, ".adlc/x", missing=True)) == (
        "lessons: 0 of 0 take part: there is no folder .adlc/x"
    )


# What became of one document.


def test_what_became_of_a_document(tmp_path: Path) -> None:
    files = {
        f"{LESSONS}/LESSON-{number:03}-x.md": document(
            id=f"LESSON-{number:03}", updated=f"2026-01-{number:02}"
        )
        for number in range(1, 6)
    }
    files[f"{LESSONS}/LESSON-006-x.md"] = document(id="LESSON-006", component="other")
    files[f"{LESSONS}/LESSON-007-x.md"] = "none\n"
    files[f"{LESSONS}/LESSON-0070-x.md"] = "none\n"
    files[f"{BUGS}/BUG-001-x.md"] = document(id="BUG-001", status="Open")
    files[f"{BUGS}/BUG-002-x.md"] = document(id="BUG-002")
    files |= spec("001", status="draft") | spec("002", status="done")
    library = load(str(tree(tmp_path, files)), ".adlc")
    hits = scoring.rank(Query("web"), library.documents, lambda _: {})
    since = date(2026, 1, 1)
    told = {}
    for identifier in (
        "LESSON-001",
        "LESSON-003",
        "LESSON-004",
        "LESSON-005",
        "LESSON-006",
        "LESSON-007",
        "BUG-001",
        "BUG-002",
        "REQ-001",
    ):
        [reason] = why_not(library, identifier, hits, 2, since)
        told[identifier] = (reason.outcome, reason.text, reason.hit is not None)
    assert told == {
        "LESSON-001": (
            Outcome.OLDER, "it is of 2026-01-01, which is not newer than what --since names", True,
        ),
        "LESSON-003": (
            Outcome.BELOW,
            (
                "number 3 of 4, below the first 2, the last of which has score 3 and is of 2026-01-04;"
                " --top 3 shows it"
            ),
            True,
        ),
        "LESSON-004": (Outcome.SHOWN, "it is shown: number 2 of 4", True),
        "LESSON-005": (Outcome.SHOWN, "it is shown: number 1 of 4", True),
        "LESSON-006": (Outcome.UNRELATED, "score 0: it shares no value with the query", False),
        "LESSON-007": (Outcome.UNREADABLE, "left out, because there is no frontmatter", False),
        "BUG-001": (
            Outcome.STATUS, "its status is open, and bugs take part when they are closed or resolved", False,
        ),
        "BUG-002": (
            Outcome.STATUS, "it has no status, and bugs take part when they are closed or resolved", False,
        ),
        "REQ-001": (
            Outcome.STATUS,
            "its status is draft, and specs take part unless they are cancelled, draft, rejected, superseded",
            False,
        ),
    }  # fmt: skip
    assert why_not(library, "LESSON-1", hits, 2) == ()
    assert [r.outcome for r in why_not(library, "LESSON-001", hits, 9)] == [Outcome.SHOWN]
    [itself] = why_not(library, "REQ-002", hits, 9, itself=".adlc/specs/REQ-002-x/requirement.md")
    assert (itself.outcome, itself.text) == (Outcome.ITSELF, "the query was taken from it")
