"""`spectastic retrieve`, from the command line to the screen."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prior_art import BUGS, LESSONS, SPECS, committed, document, spec
from repository import Repository
from trees import Link, tree

from spectastic.cli import main

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = (Path(__file__).parent.parent / "docs" / "prior-art.md").read_text(encoding="utf-8")
Capture = pytest.CaptureFixture[str]

COLD = "  No prior context retrieved — no tagged documents matched this area."
SUPPRESSED = "  Spec corpus suppressed by status filter — see stderr warning (BUG-194)."
HEADING = "Retrieved context for this REQ:"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("prior-art") / "repository")


@pytest.fixture
def inside(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(corpus)
    return corpus


def run(capsys: Capture, *arguments: str) -> tuple[int, list[str], list[str]]:
    code = main(["retrieve", *arguments])
    done = capsys.readouterr()
    return code, done.out.splitlines(), done.err.splitlines()


def at(root: Path, files: Mapping[str, str | bytes | Link | None], monkeypatch: pytest.MonkeyPatch) -> Path:
    tree(root, {".git": None, **files})
    monkeypatch.chdir(root)
    return root


def read(capsys: Capture, *arguments: str) -> dict[str, object]:
    code = main(["retrieve", "--json", *arguments])
    assert code == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["version"], found["command"]) == (1, "retrieve")
    assert isinstance(found, dict)
    return found


SAMPLES = re.findall(r"```console\n\$ spectastic retrieve (.*?)\n(.*?)\n```", PAGE, re.DOTALL)


def test_the_page_has_samples() -> None:
    assert len(SAMPLES) == 5


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize(("options", "printed"), SAMPLES)
def test_samples_of_the_page(options: str, printed: str, capsys: Capture) -> None:
    code, out, _ = run(capsys, *shlex.split(options))
    assert (code, "\n".join(out)) == (0, printed)


@pytest.mark.usefixtures("inside")
def test_what_the_page_shows_of_standard_error(capsys: Capture) -> None:
    _, _, err = run(capsys, "--component", "gate/scaner")
    shown = [
        line for sample in re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL) for line in sample.split("\n")
    ]
    assert len(shown) == 4
    assert set(shown) <= set(err)
    assert sum(line.startswith("spectastic: left out: ") for line in err) == 8
    statuses = "left out by status: cancelled 1, draft 2, rejected 1, superseded 1"
    assert err[-2:] == [
        f"spectastic: specs: 12 of 18 take part; {statuses}; without readable frontmatter: 1",
        "spectastic: no document has the component gate/scaner: did you mean gate/scanner (8)?",
    ]


@pytest.mark.usefixtures("inside")
def test_every_option_is_on_the_page(capsys: Capture) -> None:
    assert main(["retrieve", "--help"]) == 0
    options = set(re.findall(r"(?<!\w)--[a-z][a-z-]+", capsys.readouterr().out))
    assert options - set(re.findall(r"--[a-z][a-z-]+", PAGE)) == {"--help", "--config", "--isolated"}


@pytest.mark.usefixtures("inside")
def test_json_has_what_was_not_understood(capsys: Capture) -> None:
    shelves: Any = read(capsys, "--concerns", "idempotency")["corpora"]
    told = {item["path"]: item for shelf in shelves for item in shelf["not_understood"]}
    (path,) = (path for path in told if "LESSON-026" in path)
    assert "the field domain cannot be compared" in told[path]["reason"]
    assert all(item["hint"] for shelf in shelves for item in shelf["unreadable"])


@pytest.mark.usefixtures("inside")
def test_json_has_everything(capsys: Capture) -> None:
    found = read(capsys, "--concerns", "audit", "--component", "ledger/export", "--top", "2")
    results = found.pop("results")
    assert results == [
        {
            "id": "LESSON-022",
            "corpus": "lesson",
            "title": "A CSV file has a locale",
            "path": f"{LESSONS}/LESSON-022-a-csv-has-a-locale.md",
            "status": "",
            "score": 5,
            "date": "2025-11-03",
            "date_from": "created",
            "parts": [
                {"field": "component", "value": "ledger/export", "points": 3},
                {"field": "concerns", "value": "audit", "points": 2},
            ],
        },
        {
            "id": "REQ-011",
            "corpus": "spec",
            "title": "Ledger export",
            "path": f"{SPECS}/REQ-011-ledger-export/requirement.md",
            "status": "",
            "score": 5,
            "date": "2025-07-15",
            "date_from": "updated",
            "parts": [
                {"field": "component", "value": "ledger/export", "points": 3},
                {"field": "concerns", "value": "audit", "points": 2},
            ],
        },
    ]
    corpora = found.pop("corpora")
    assert isinstance(corpora, list)
    assert [(each["corpus"], each["on_disk"], each["admitted"], each["exists"]) for each in corpora] == [
        ("lesson", 35, 29, True),
        ("bug", 17, 11, True),
        ("spec", 18, 12, True),
    ]
    assert corpora[2]["left_out_by_status"] == {"cancelled": 1, "draft": 2, "rejected": 1, "superseded": 1}
    assert [item["path"] for item in corpora[1]["unreadable"]] == [f"{BUGS}/BUG-016-tab-in-the-head.md"]
    assert {key: found[key] for key in list(found)[2:]} == {
        "prior_art_root": ".adlc",
        "not_read": [],
        "spec_corpus_suppressed": False,
        "all_specs_are_drafts": False,
        "statuses_seen": [],
        "query": {"component": "ledger/export", "domain": "", "stack": [], "concerns": ["audit"], "tags": []},
        "since": None,
        "taken_from": None,
        "unknown_values": [],
        "total": 9,
        "tied_with_last": 1,
    }
    assert f"`{'`, `'.join(('total', 'tied_with_last'))}`" in PAGE
    for key in (*found, "results", "corpora"):
        assert f"`{key}`" in PAGE


# Queries.


@pytest.mark.usefixtures("inside")
def test_where_a_query_comes_from(capsys: Capture, tmp_path: Path) -> None:
    """REQ-007 is a draft in the folder; an option wins over the same field, and "" takes it away."""
    path = f"{SPECS}/REQ-007-loyalty-card/requirement.md"
    own = {
        "component": "booking/payments", "domain": "booking", "stack": ["python"],
        "concerns": ["privacy"], "tags": ["loyalty"],
    }  # fmt: skip
    assert read(capsys, "--from", path)["query"] == own
    assert read(capsys, "--from", "REQ-007")["query"] == own
    options = ("--tags", "a,b", "--tags", " c ,a", "--domain", "", "--stack", "")
    changed = {**own, "domain": "", "stack": [], "tags": ["a", "b", "c"]}
    assert read(capsys, "--from", path, *options)["query"] == changed
    (tmp_path / "q.json").write_text(json.dumps({"domain": "x", "tags": ["t"], "component": "y"}))
    asked = read(capsys, "--query", str(tmp_path / "q.json"), "--component", "z")["query"]
    assert asked == {"component": "z", "domain": "x", "stack": [], "concerns": [], "tags": ["t"]}
    (tmp_path / "spec.md").write_text(document(component="a/b"))
    found = read(capsys, "--from", str(tmp_path / "spec.md"))
    assert (found["query"]["component"], found["taken_from"]) == ("a/b", str(tmp_path / "spec.md"))  # type: ignore[index]


@pytest.mark.usefixtures("inside")
def test_a_spec_is_left_out_of_its_own_list(capsys: Capture) -> None:
    for named in ("REQ-003", f"{SPECS}/REQ-003-card-payments/requirement.md"):
        found = read(capsys, "--from", named, "--top", "99", "--see-also")
        assert found["taken_from"] == f"{SPECS}/REQ-003-card-payments/requirement.md"
        told = [*found["results"], *found["see_also"]]  # type: ignore[misc]
        assert "LESSON-002" in {each["id"] for each in told}
        assert "REQ-003" not in {each["id"] for each in told}
    assert run(capsys, "--from", "REQ-003", "--why-not", "REQ-003")[1][1] == "  the query was taken from it"


# Options, what is said, and a part of what to do.
WRONG: list[tuple[str, str, str]] = [
    ("", "there is nothing to look for", "--suggest"),
    ("--component '' --tags ,", "there is nothing to look for", "--from SPEC"),
    ("--since 2026-01-01", "there is nothing to look for", "--query FILE.json"),
    ("--why-not REQ-001", "there is nothing to look for", "--component"),
    ("--from none.md", "none.md: the file cannot be read: no such file or directory", ""),
    ("--from REQ-999", "there is no document REQ-999", "the last one is REQ-1000; `spectastic retrieve --te"),
    ("--from BUG-01", "there is no document BUG-01", "did you mean BUG-001?"),
    ("--from lesson-001", "there is no document lesson-001", "did you mean LESSON-001?"),
    ("--from BUG-016", f"BUG-016 ({BUGS}/BUG-016-tab-in-the-head.md) cannot be read: the frontm", "quotes"),
    ("--component x --since BUG-016", "BUG-016 (.adlc/bugs/BUG-016-tab-in-the-head.md) cannot be", "quotes"),
    (
        f"--from {SPECS}/REQ-003-card-payments",
        f"{SPECS}/REQ-003-card-payments: this is a directory",
        f"name a file, such as {SPECS}/REQ-003-card-payments/requirement.md",
    ),
    ("--from .adlc", ".adlc: this is a directory", "name a file in it"),
    ("--like .adlc", ".adlc: this is a directory", "name a file in it"),
    ("--query .adlc", ".adlc: this is a directory", "name a file in it"),
    ("--from /dev/null", "/dev/null: this is not a regular file", "name a regular file"),
    (
        f"--from {LESSONS}/LESSON-030-notes-of-a-meeting.md",
        "LESSON-030-notes-of-a-meeting.md: there is no front",
        "---",
    ),
    ("--from LESSON-010", "LESSON-010-write-down-who-decided.md fills none of the fields", "--component"),
    ("--from a --query b", "argument --query: not allowed with argument --from", ""),
    ("--query none.json", "none.json: the file cannot be read: no such file or directory", ""),
    (
        f"--query {BUGS}/BUG-001-two-passengers-one-seat.md",
        "one-seat.md: it is not valid JSON",
        '"component"',
    ),
    (f"--query {LESSONS}/LESSON-035-latin.md", "latin.md: the file is not UTF-8", "UTF-8"),
    ("--component x --since REQ-999", "there is no document REQ-999", "the last one is REQ-1000;"),
    ("--component x --since BUG-02", "there is no document BUG-02", "did you mean BUG-002?"),
    ("--component x --since req7", "there is no document req7", "did you mean REQ-007?"),
    ("--component x --since req77", "there is no document req77", "an id is REQ-, LESSON- or BUG- and"),
    (
        "--component x --since 2025-13-01",
        "--since: 2025-13-01 is no day of the calendar",
        "a day (2026-01-31)",
    ),
    (
        "--component x --since yesterday",
        "there is no revision yesterday",
        "name the id of a document (REQ-012",
    ),
    ("--component x --since REQ-0011", "there is no document REQ-0011", "did you mean REQ-011?"),
    ("--component x --since no-such-branch", "--since: there is no revision no-such-branch", "or a revision"),
    ("--component x --since 2026-02-30", "--since: 2026-02-30 is no day of the calendar", "or a revision"),
    ("--component x --since=-x", "--since: -x is no revision", "a day (2026-01-31)"),
    ("--component x --why-not lesson-001x", "there is no document lesson-001x", "did you mean LESSON-001?"),
    ("--component x --why-not ''", "there is no document without an id", "three to six digits"),
    ("--component x --top 0", "'0' is no number of documents", ""),
    ("--component x --top ٣", "'٣' is no number of documents", ""),
    ("--component x --top 1_0", "'1_0' is no number of documents", ""),
    ("--component x --top +5", "'+5' is no number of documents", ""),
    ("--text ab", "the text has no word of three or more letters", "write them out"),
    ("--text abc --suggest x", "--text and --suggest do not go together", "of its own"),
    ("--text abc --tags x", "--text and --tags do not go together", "of its own"),
    ("--text abc --from x", "--text and --from do not go together", "of its own"),
    ("--suggest abc --explain", "--suggest and --explain do not go together", "of its own"),
    ("--suggest abc --see-also", "--suggest and --see-also do not go together", "of its own"),
    ("--like x --why-not REQ-001", "--like and --why-not do not go together", "of its own"),
    ("--like none.md", "none.md: the file cannot be read", ""),
    ("some words", "unrecognized arguments: some words", '--text "some words"'),
    ("--suggest two words", "unrecognized arguments: words", "put what belongs together in quotes"),
    ("--tag x", "unrecognized arguments: --tag x", "did you mean --tags?"),
    ("--component x --prior-art-root .", "the prior-art folder cannot be the root itself", ""),
    ("--component x --prior-art-root ..", "lies outside the root", "name a folder below it"),
]


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize(("options", "message", "hint"), WRONG)
def test_wrong_usage(options: str, message: str, hint: str, capsys: Capture) -> None:
    code, out, err = run(capsys, *shlex.split(options))
    assert (code, out) == (2, [])
    assert message in err[0]
    assert hint in err[-1]


@pytest.mark.usefixtures("inside")
def test_a_file_that_is_too_large_cannot_be_excluded(capsys: Capture, tmp_path: Path) -> None:
    with (tmp_path / "large.md").open("wb") as file:
        file.truncate(20_000_001)
    code, _, err = run(capsys, "--like", str(tmp_path / "large.md"))
    assert (code, err[-1]) == (2, "spectastic: split it")
    assert "large.md: the file is too large: 20,000,001 bytes" in err[-2]


# Nothing to tell.


@pytest.mark.parametrize("files", [{}, {".adlc": None}, {f"{LESSONS}/x.md": "---\ncomponent: y\n---\n"}])
def test_a_cold_start(
    files: dict[str, str | None], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(tmp_path, files, monkeypatch)
    code, out, err = run(capsys, "--component", "x", "--explain")
    assert (code, out) == (0, [HEADING, COLD])
    assert "spectastic: specs: 0 of 0 take part: there is no folder .adlc/specs" in err
    assert not any("WARNING" in line for line in err)
    assert read(capsys, "--component", "x")["spec_corpus_suppressed"] is False


def test_prior_art_below_the_root_is_pointed_to(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The root is the repository's, and the documents are in a folder of it with an `.adlc` of its own."""
    root = at(tmp_path, {f"part/{LESSONS}/LESSON-001-x.md": document(), "part/src/deep": None}, monkeypatch)
    monkeypatch.chdir(root / "part")
    _, out, err = run(capsys, "--component", "web")
    missing = f"there is no folder .adlc/specs in {root}"
    assert (out, err[2]) == ([HEADING, COLD], f"spectastic: specs: 0 of 0 take part: {missing}")
    assert err[3] == "spectastic: there is a folder .adlc here: --root ."
    _, out, err = run(capsys, "--component", "web", "--root", ".")
    assert out == [HEADING, "  LESSON-001 (lesson, score 3): T"]
    assert "spectastic: specs: 0 of 0 take part: there is no folder .adlc/specs" in err
    assert not any("--root" in line for line in err)
    monkeypatch.chdir(root / "part/src/deep")
    _, _, err = run(capsys, "--component", "web")
    assert err[3] == "spectastic: there is a folder .adlc in ../..: --root ../.."
    # Not where nothing is missing, nor for a root that is elsewhere.
    tree(root, {"other": None, **{f".adlc/{name}": None for name in ("bugs", "specs", "knowledge/lessons")}})
    _, _, err = run(capsys, "--component", "web")
    assert not any("--root" in line for line in err)
    _, _, err = run(capsys, "--component", "web", "--root", str(root / "other"))
    assert f"there is no folder .adlc/specs in {root / 'other'}" in err[2]
    assert not any("--root" in line for line in err)
    # A search upwards ends, whatever the root.
    monkeypatch.chdir("/")
    assert run(capsys, "--component", "web", "--root", "/")[0] == 0


def test_a_shrunken_corpus_is_no_cold_start(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(tmp_path, {**spec("001", status="Superseded"), **spec("002", status="draft")}, monkeypatch)
    code, out, err = run(capsys, "--component", "web")
    assert (code, out) == (0, [HEADING, SUPPRESSED])
    [line] = [line for line in err if "WARNING" in line]
    assert line == (
        "/spec: WARNING — spec corpus has 2 requirement.md files but 0 passed the status filter (statuses"
        " seen: draft, superseded). Retrieval is running on lessons+bugs only. This is a filter/vocabulary"
        " mismatch, not a cold start — see BUG-194."
    )
    found = read(capsys, "--component", "web")
    assert (found["spec_corpus_suppressed"], found["all_specs_are_drafts"]) == (True, False)
    assert found["statuses_seen"] == ["draft", "superseded"]
    tree(tmp_path, {f"{LESSONS}/LESSON-001-x.md": document()})
    code, out, err = run(capsys, "--component", "web")
    assert out == [HEADING, SUPPRESSED, "  LESSON-001 (lesson, score 3): T"]
    assert sum("WARNING" in line for line in err) == 1


def test_a_young_project_is_told_that_all_are_drafts(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(tmp_path, {**spec("001", status="draft"), **spec("002", status="Draft")}, monkeypatch)
    code, out, err = run(capsys, "--component", "web")
    assert (code, out) == (0, [HEADING, COLD])
    assert err[-2].startswith("spectastic: all 2 specs are drafts, and")
    found = read(capsys, "--component", "web")
    assert (found["spec_corpus_suppressed"], found["all_specs_are_drafts"]) == (False, True)


def test_a_folder_that_leads_away_is_named(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"outside/bugs/BUG-001-x.md": document(status="closed")})
    at(tmp_path / "root", {".adlc": Link("../outside")}, monkeypatch)
    code, out, err = run(capsys, "--component", "web")
    assert (code, out) == (0, [HEADING, COLD])
    assert (
        err[0]
        == "spectastic: not read: .adlc: this link leads outside of the repository (put a copy in its place)"
    )
    assert read(capsys, "--component", "x")["not_read"] == [
        {"path": ".adlc", "reason": "this link leads outside of the repository"}
    ]


# Ways to look.


@pytest.mark.usefixtures("inside")
def test_see_also(capsys: Capture) -> None:
    """By hand, from the texts: LESSON-018 names REQ-003 and REQ-011, and REQ-011 names it."""
    code, out, _ = run(capsys, "--concerns", "audit", "--tags", "refund", "--top", "1", "--see-also")
    assert (code, out) == (
        0,
        [
            HEADING,
            "  LESSON-018 (lesson, score 3): Refunds are entries, not corrections",
            "See also, because the first ones cite it or it cites them:",
            "  REQ-011 (spec): Ledger export — cited by LESSON-018; cites LESSON-018",
            "  REQ-003 (spec): Card payments — cited by LESSON-018",
        ],
    )
    found = read(capsys, "--concerns", "audit", "--tags", "refund", "--top", "1", "--see-also")["see_also"]
    assert [(each["id"], each["cited_by"], each["cites"], each["mentions"]) for each in found] == [  # type: ignore[attr-defined]
        ("REQ-011", ["LESSON-018"], ["LESSON-018"], 2),
        ("REQ-003", ["LESSON-018"], [], 1),
    ]


@pytest.mark.usefixtures("inside")
def test_nothing_to_see_also(capsys: Capture) -> None:
    _, out, _ = run(capsys, "--tags", "passenger-list", "--top", "1", "--see-also")
    assert out == [HEADING, "  LESSON-012 (lesson, score 1): Read the log before the code"]


def test_much_to_see_also(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, str | bytes | Link | None] = {f"{LESSONS}/LESSON-001-x.md": document()}
    for number in range(100, 117):
        text = document(id=f"LESSON-{number}", component="other") + "See LESSON-001.\n"
        files[f"{LESSONS}/LESSON-{number}-x.md"] = text
    at(tmp_path, files, monkeypatch)
    _, out, _ = run(capsys, "--component", "web", "--see-also")
    assert len(out) == 3 + 15 + 1
    assert out[3] == "  LESSON-100 (lesson): T — cites LESSON-001"
    assert out[-1] == "  2 more: --json has them"
    found = read(capsys, "--component", "web", "--see-also")["see_also"]
    assert isinstance(found, list)
    assert len(found) == 17


def ids(found: dict[str, object]) -> list[str]:
    return [each["id"] for each in found["results"]]  # type: ignore[attr-defined]


@pytest.mark.usefixtures("inside")
def test_since(capsys: Capture) -> None:
    """Of booking/seats: 2026-01-01 (its commit), 2025-10-02, 2025-04-01, 03-30, 03-20 and 03-04."""
    query = ("--component", "booking/seats")
    floor = ["LESSON-012"]
    assert ids(read(capsys, *query, "--since", "2025-10-01")) == ["LESSON-017", "LESSON-020", *floor]
    assert ids(read(capsys, *query, "--since", "2025-10-02")) == ["LESSON-017", *floor]
    # BUG-002 was created on 2025-06-10; LESSON-017 is of its commit.
    found = read(capsys, *query, "--since", "BUG-002")
    assert (ids(found), found["since"]) == (["LESSON-017", "LESSON-020", *floor], "2025-06-10")
    assert read(capsys, *query, "--since", "LESSON-017")["since"] == "2026-01-01"
    found = read(capsys, *query, "--since", "HEAD")
    assert (ids(found), found["since"]) == ([], "2026-01-01")
    assert run(capsys, *query, "--since", "HEAD")[1] == [HEADING, COLD]


@pytest.mark.usefixtures("inside")
def test_since_a_spec_asks_what_the_spec_asks(capsys: Capture) -> None:
    """REQ-012 is of 2025-11-15, when it was created: LESSON-023 came five days later, LESSON-008 before."""
    found = read(capsys, "--since", "REQ-012")
    assert (ids(found), found["since"]) == (
        ["BUG-014", "LESSON-023", "LESSON-025", "LESSON-012"],
        "2025-11-15",
    )
    _, out, _ = run(capsys, "--since", "REQ-012", "--why-not", "LESSON-008")
    assert out == [
        f"LESSON-008 (lesson): {LESSONS}/LESSON-008-read-before-you-trust-the-shell.md",
        "  it is of 2025-06-11, which is not newer than what --since names",
        "  6 = 3 component ops/deploy + 2 domain operations + 1 tags deploy; 2025-06-11 (updated)",
    ]


@pytest.mark.usefixtures("inside")
def test_why_not_as_json(capsys: Capture) -> None:
    found = read(capsys, "--component", "notify/mail", "--why-not", "BUG-015")
    assert (found["id"], found["query"]["component"]) == ("BUG-015", "notify/mail")  # type: ignore[index]
    assert [(each["outcome"], each["path"], each["score"]) for each in found["why_not"]] == [  # type: ignore[attr-defined]
        ("shown", f"{BUGS}/BUG-015-mail-loop-again.md", 3),
        ("shown", f"{BUGS}/BUG-015-mail-loop.md", 3),
    ]
    found = read(capsys, "--component", "x", "--why-not", "LESSON-032")
    assert [(each["outcome"], "score" in each) for each in found["why_not"]] == [("unreadable", False)]  # type: ignore[attr-defined]
    assert run(capsys, "--component", "x", "--why-not", "LESSON-030")[1] == [
        f"LESSON-030: {LESSONS}/LESSON-030-notes-of-a-meeting.md",
        "  left out, because there is no frontmatter",
    ]


@pytest.mark.usefixtures("inside")
def test_words(capsys: Capture) -> None:
    """`pier` stands in BUG-005, which takes no part; `buffer` in BUG-012 and, once each, in BUG-013."""
    code, out, err = run(capsys, "--text", "a pier")
    assert (code, out) == (0, [])
    assert err[-1] == "spectastic: no text holds any of these words"
    _, out, err = run(capsys, "--text", "Buffer", "--top", "1")
    assert re.fullmatch(r"  \d\.\d{3}  BUG-01[23] \(bug\): Scans .*", out[0])
    assert err[-1] == "spectastic: 1 more: --top shows them"
    found = read(capsys, "--text", "buffer")
    assert (found["text"], found["total"], sorted(ids(found))) == ("buffer", 2, ["BUG-012", "BUG-013"])


@pytest.mark.usefixtures("inside")
def test_what_stands_nearly_everywhere_proposes_nothing(capsys: Capture) -> None:
    """`the` is in most documents, and `midnight` in few: the one says nothing, and changes nothing."""
    _, out, err = run(capsys, "--suggest", "the")
    assert (out, err[-1]) == ([], "spectastic: no document is like that: there is no value to propose")
    _, alone, _ = run(capsys, "--suggest", "midnight")
    _, among, _ = run(capsys, "--suggest", "the the the midnight")
    assert alone == among != []


def test_of_a_few_documents_every_word_counts(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lessons = {f"{LESSONS}/LESSON-00{n}-x.md": document(id=f"LESSON-00{n}") for n in range(1, 10)}
    at(tmp_path, dict(list(lessons.items())[:8]), monkeypatch)
    assert run(capsys, "--suggest", "text")[1] == ["spectastic retrieve --component web"]
    tree(tmp_path, lessons)
    assert run(capsys, "--suggest", "text")[1] == []


@pytest.mark.usefixtures("inside")
def test_proposals_can_be_run(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "idea.md").write_text("# Idea\n\nA refund is paid to the card, once, whatever is repeated.\n")
    _, [line], _ = run(capsys, "--like", str(tmp_path / "idea.md"))
    words = shlex.split(line)
    assert words[:2] == ["spectastic", "retrieve"]
    assert words[words.index("--component") + 1] == "booking/payments"
    found = read(capsys, "--like", str(tmp_path / "idea.md"))["query"]
    assert read(capsys, *words[2:])["query"] == found
    code, out, err = run(capsys, "--suggest", "zzz")
    assert (code, out, err[-1]) == (
        0,
        [],
        "spectastic: no document is like that: there is no value to propose",
    )


@pytest.mark.usefixtures("inside")
def test_values_that_match_nothing_are_told(capsys: Capture) -> None:
    """`ticket` is a tag of six documents that take part, `privacy` a concern."""
    options = ("--concerns", "ticket", "--tags", "privacy,zzz", "--stack", "Kotlin", "--domain", "boarding")
    _, _, err = run(capsys, *options)
    assert err[-4:] == [
        "spectastic: no document has the stack entry Kotlin: did you mean kotlin (8)?",
        "spectastic: no document has the concern ticket: it is used as tag",
        "spectastic: no document has the tag privacy: it is used as concern",
        "spectastic: no document has the tag zzz",
    ]
    assert read(capsys, *options)["unknown_values"] == [
        {"field": "stack", "value": "Kotlin", "did_you_mean": "kotlin", "uses": 8, "used_as": []},
        {"field": "concerns", "value": "ticket", "did_you_mean": None, "uses": 0, "used_as": ["tags"]},
        {"field": "tags", "value": "privacy", "did_you_mean": None, "uses": 0, "used_as": ["concerns"]},
        {"field": "tags", "value": "zzz", "did_you_mean": None, "uses": 0, "used_as": []},
    ]


# Whose text it is.


def test_hostile_text_drives_nothing(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = '"\\e[31m::error::x ##[error]y \\n\\u202e"'
    files = {
        f"{LESSONS}/LESSON-001-x.md": document(id=bad, title=bad, component="web", tags=f"[{bad}]"),
        f"{LESSONS}/LESSON-002-\x1b[31m.md": "none\n",
        f"{BUGS}/BUG-001-x.md": document(status=bad),
    }
    at(tmp_path, files, monkeypatch)
    options = (
        "--component",
        "web",
        "--tags",
        "\x1b[31m::error::x ##[error]y \n\u202e",
        "--explain",
        "--see-also",
    )
    for arguments in (options, ("--text", "text"), ("--suggest", "text web")):
        code, out, err = run(capsys, *arguments)
        assert code == 0
        printed = "\n".join([*out, *err])
        assert out
        assert "\x1b" not in printed
        assert "\u202e" not in printed
        assert "##[" not in printed
        assert not any(line.lstrip().startswith("::") for line in printed.split("\n"))


@pytest.mark.usefixtures("inside")
def test_another_folder(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "notes/bugs/BUG-001-x.md": document(status="closed"),
        "spectastic.toml": 'prior-art-root = "notes"',
    }
    at(tmp_path, files, monkeypatch)
    found = read(capsys, "--component", "web")
    assert (found["prior_art_root"], ids(found)) == ("notes", ["LESSON-001"])
    assert ids(read(capsys, "--component", "web", "--isolated")) == []
    assert ids(read(capsys, "--component", "web", "--isolated", "--prior-art-root", "notes")) == [
        "LESSON-001"
    ]
    (tmp_path / "spectastic.toml").write_text("prior-art-root = 1")
    code, _, err = run(capsys, "--component", "web")
    assert (code, err[0]) == (
        2,
        "spectastic: error: spectastic.toml:1: prior-art-root: wants a folder, not an integer",
    )


def test_a_repository_below_another_folder(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The root may lie below git's; the dates of the commits are found all the same."""
    text = document(updated=None)
    made = Repository(tmp_path / "repo", {"sub/spectastic.toml": "", f"sub/{LESSONS}/LESSON-001-x.md": text})
    monkeypatch.chdir(made.root / "sub")
    results = read(capsys, "--component", "web")["results"]
    assert isinstance(results, list)
    assert [(each["date"], each["date_from"]) for each in results] == [("2026-01-01", "commit")]
