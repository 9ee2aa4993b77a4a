"""The order of prior art: the table of rankings worked out by hand, and what holds for any documents.

`fixtures/prior-art/rankings.txt` says how it is written.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from datetime import date
from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prior_art import FIXTURES, committed

from spectastic.cli.parser import Parser
from spectastic.cli.retrieve import configure
from spectastic.retrieval import dates, documents, scoring
from spectastic.retrieval.dates import UNDATED, Dated
from spectastic.retrieval.model import FIELDS, MANY, Document, Kind
from spectastic.retrieval.query import Query, of
from spectastic.retrieval.scoring import Hit, Part, parts, rank, tied

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


class Case(NamedTuple):
    """One entry of the table."""

    title: str
    options: str
    lines: tuple[str, ...]


def table() -> list[Case]:
    text = (FIXTURES / "rankings.txt").read_text(encoding="utf-8")
    found = []
    for entry in re.split(r"\n\n(?=\d+\. )", text)[1:]:
        title, options, *lines = entry.strip().split("\n")
        found.append(Case(title, options.removeprefix("$ "), tuple(lines)))
    return found


CASES = table()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("prior-art") / "repository")


def told(hit: Hit, ambiguous: set[str]) -> str:
    end = f" {hit.document.path.split('-', 2)[2]}" if hit.document.id in ambiguous else ""
    words = (f"{part.points} {part.field or 'floor'} {part.value}".rstrip() for part in hit.parts)
    day, source = hit.dated
    return f"{hit.document.id}{end} {hit.score} = {' + '.join(words)}; {day.isoformat()} {source}"


def test_the_table_is_whole() -> None:
    assert [case.title.partition(".")[0] for case in CASES] == [str(number) for number in range(1, 16)]


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_rankings(case: Case, root: Path) -> None:
    parser = Parser("retrieve", "")
    configure(parser)
    given = parser.parse_args(shlex.split(case.options))
    values = {name: value for name in FIELDS if (value := getattr(given, name)) is not None}
    library = documents.load(str(root), ".adlc")
    hits = rank(of(values), library.documents, lambda found: dates.of_files(str(root), ".adlc", found))
    lines = [told(hit, {"BUG-015"}) for hit in hits[: given.top]]
    more = max(0, len(hits) - given.top)
    assert [*lines, f"{more} more, {tied(hits, given.top)} tied"] == list(case.lines)
    # The sums of the table are right in themselves.
    for line in case.lines[:-1]:
        score, sum_ = re.findall(r" (\d+) = (.*?);", line)[0]
        assert int(score) == sum(int(term.split()[0]) for term in sum_.split(" + "))


WORDS = st.sampled_from(["", "a", "A", "a/b", "b"])
LISTS = st.lists(st.sampled_from(["a", "A", "b", "c"]), max_size=3, unique=True).map(tuple)
DAYS = st.sampled_from(["", "2025-01-01", "2025-01-02", "2025-02-30", "1969-12-31"])


def made(number: int, values: tuple[Any, ...]) -> Document:
    kind, identifier, component, domain, stack, concerns, tags, created, updated, filled = values
    held = bool(component or domain or stack or concerns or tags or filled)
    return Document(
        kind,
        identifier,
        "",
        f"p{number}",
        component=component,
        domain=domain,
        stack=stack,
        concerns=concerns,
        tags=tags,
        created=created,
        updated=updated,
        filled=held,
    )


DOCUMENTS = st.lists(
    st.tuples(
        st.sampled_from(list(Kind)),
        st.sampled_from(["X-1", "X-10", "X-2"]),
        *(WORDS, WORDS),
        *(LISTS, LISTS, LISTS),
        *(DAYS, DAYS),
        st.booleans(),
    ),
    max_size=12,
).map(lambda rows: [made(number, values) for number, values in enumerate(rows)])
QUERIES = st.builds(Query, WORDS, WORDS, LISTS, LISTS, LISTS)
FILE_DAYS = {f"p{number}": Dated(date(2025, 1, 1 + number % 3), "file") for number in range(0, 12, 2)}


def file_days(_: Sequence[Document]) -> Mapping[str, Dated]:
    return FILE_DAYS


def naive_score(query: Query, document: Document) -> int:
    """The rule of the issue, in its own words."""
    score = 3 * (query.component != "" and query.component == document.component)
    score += 2 * (query.domain != "" and query.domain == document.domain)
    score += 2 * len(set(query.concerns) & set(document.concerns))
    score += len(set(query.stack) & set(document.stack)) + len(set(query.tags) & set(document.tags))
    return score + (document.kind is Kind.LESSON and not document.filled)


def naive_day(document: Document) -> str:
    for written in (document.updated, document.created):
        if written not in ("", "2025-02-30"):
            return written
    return FILE_DAYS[document.path].day.isoformat() if document.path in FILE_DAYS else "1970-01-01"


def naive_before(left: Document, right: Document, query: Query) -> int:
    keys: tuple[tuple[Any, Any, bool], ...] = (
        (naive_score(query, left), naive_score(query, right), True),
        (naive_day(left), naive_day(right), True),
        ("lbs".index(left.kind.value[0]), "lbs".index(right.kind.value[0]), False),
        (left.id, right.id, False),
        (left.path, right.path, False),
    )
    for one, other, descending in keys:
        if one != other:
            first = one > other if descending else one < other
            return -1 if first else 1
    return 0


@settings(max_examples=300, deadline=None)
@given(QUERIES, DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_is_that_of_the_rule_and_total(query: Query, found: list[Document], random: object) -> None:
    ranked = rank(query, found, file_days)
    scored = [document for document in found if naive_score(query, document)]
    before: Callable[[Document, Document], int] = lambda left, right: naive_before(left, right, query)  # noqa: E731
    expected = sorted(scored, key=cmp_to_key(before))
    assert [hit.document for hit in ranked] == expected
    assert [hit.score for hit in ranked] == [naive_score(query, document) for document in expected]
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rank(query, shuffled, file_days) == ranked
    assert all(scoring.order(left) < scoring.order(right) for left, right in pairwise(ranked))


def test_values_of_a_query_count_once() -> None:
    document = Document(Kind.SPEC, "REQ-001", "", "p", tags=("a", "b"), filled=True)
    query = of({"tags": ("b", "a", "b", " a "), "component": " ", "stack": ()})
    assert query == Query(tags=("b", "a"))
    assert parts(query, document) == (Part("tags", "b", 1), Part("tags", "a", 1))


@pytest.mark.parametrize("kind", list(Kind))
def test_only_lessons_have_a_floor(kind: Kind) -> None:
    floor = parts(Query("x"), Document(kind, "X-1", "", "p"))
    assert floor == ((Part("", "", 1),) if kind is Kind.LESSON else ())
    assert parts(Query("x"), Document(kind, "X-1", "", "p", filled=True)) == ()


def test_file_dates_are_asked_for_once_and_only_where_they_count() -> None:
    asked: list[list[str]] = []

    def file_dates(found: Sequence[Document]) -> Mapping[str, Dated]:
        asked.append([document.path for document in found])
        return {}

    dated = Document(Kind.BUG, "BUG-001", "", "dated", component="x", updated="2025-01-01", filled=True)
    undated = dated._replace(path="undated", updated="soon", created="")
    other = undated._replace(path="other", component="y")
    ranked = rank(Query("x"), [dated, undated, other], file_dates)
    assert asked == [["undated"]]
    assert [(hit.document.path, hit.dated) for hit in ranked] == [
        ("dated", Dated(date(2025, 1, 1), "updated")),
        ("undated", UNDATED),
    ]
    asked.clear()
    assert len(rank(Query("x"), [dated], file_dates)) == 1
    assert asked == []


@pytest.mark.parametrize(
    ("scores", "top", "expected"),
    [((3, 2, 2, 2), 2, 2), ((3, 2, 2, 2), 1, 0), ((3, 2), 2, 0), ((3, 2), 9, 0), ((), 3, 0), ((3, 3), 0, 0)],
)
def test_how_many_share_the_last_score(scores: tuple[int, ...], top: int, expected: int) -> None:
    document = Document(Kind.BUG, "BUG-001", "", "p")
    assert tied([Hit(document, score, (), UNDATED) for score in scores], top) == expected


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
def test_no_time_zone_changes_anything(zone: str, tmp_path: Path) -> None:
    """A file changed at 23:30 UTC is of that day, everywhere; so is a commit of midnight UTC."""
    root = committed(tmp_path / "repository")
    new = root / ".adlc/knowledge/lessons/LESSON-900-new.md"
    new.write_text("---\nid: LESSON-900\n---\n")
    os.utime(new, (1772062200, 1772062200))  # 2026-02-25T23:30:00Z
    done = subprocess.run(
        [sys.executable, "-m", "spectastic", "retrieve", "--component", "none", "--explain"],
        cwd=root,
        env={**os.environ, "TZ": zone},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    days = re.findall(r"1 = 1 no field is filled; (.*)", done.stdout)
    assert days == ["2026-02-25 (its file)", "2026-01-01 (its last commit)", *["2025-02-01 (updated)"] * 2]


def test_many_values_of_every_list_field() -> None:
    for field in MANY:
        document = Document(Kind.BUG, "BUG-001", "", "p", filled=True)._replace(**{field: ("a", "b", "c")})  # type: ignore[arg-type]
        query = Query()._replace(**{field: ("c", "x", "a")})  # type: ignore[arg-type]
        points = scoring.POINTS[field]
        assert parts(query, document) == (Part(field, "c", points), Part(field, "a", points))
