"""`spectastic retrieve` and `new` as processes: bad input, and what must not change an answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from prior_art import BUGS, LESSONS, SPECS, document
from repository import Repository, git
from trees import Link, tree

if TYPE_CHECKING:
    from pathlib import Path

ASK = ("--tags", "seat")
#: What a shell would say of a program, too.
Done = tuple[int, str, list[str]]


def run(root: Path, *arguments: str, command: str = "retrieve", **environment: str) -> Done:
    """A process in `root`: its exit code, what it printed, and the lines of its complaint."""
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ADLC_", "GIT_", "COLUMNS", "PYTHONHASHSEED"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "spectastic", command, *arguments],
        cwd=root,
        env={**surroundings, "GIT_CEILING_DIRECTORIES": str(root.parent), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err
    assert "this is a bug" not in err
    return done.returncode, out, err.splitlines()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files: dict[str, str | bytes | Link | None] = {
        f"{LESSONS}/LESSON-001-a.md": document(id="LESSON-001", tags="[seat]", updated="2026-01-01"),
        f"{BUGS}/BUG-002-b.md": document(id="BUG-002", tags="[seat]", status="open"),
        f"{SPECS}/REQ-120-c/requirement.md": document(id="REQ-120", tags="[seat]", status="approved"),
        f"{SPECS}/REQ-1200-d/requirement.md": document(id="REQ-1200", tags="[seat]", status="approved"),
        "a.json": '{"tags": ["seat"]}',
        "no.json": "{tags: seat}",
        "list.json": "[]",
        "number.json": "3",
        "empty.json": "",
        "nul.json": '{"tags": ["a\0"]}',
        "nul-escaped.json": '{"tags": ["a\\u0000b"]}',
        "half-a-pair.json": '{"tags": ["\\ud800"]}',
        "deep.json": "[" * 100_000,
        "deep-inside.json": '{"tags": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "twice.json": '{"tags": ["a"], "tags": ["b"]}',
        "other-field.json": '{"tag": ["a"]}',
        "other-type.json": '{"tags": [1]}',
        "huge-number.json": '{"tags": ' + "9" * 10_000 + "}",
        "latin.json": b'{"tags": ["\xe4"]}',
        "plain.md": "No frontmatter.\n",
        "broken.md": "---\na: [\n---\n",
        "fields.md": "---\ntitle: x\n---\n",
        "nul.md": "---\ntags: [seat]\n---\n\0\n",
        "binary": b"\x7fELF\x02\x01\x01\0\0\xff\xfe" * 50,
        "latin.md": b"---\ntags: [\xe4]\n---\n",
        "folder/x": "",
        "dangling": Link("nowhere"),
        "circle": Link("circle"),
    }
    tree(tmp_path / "r", files)
    git(tmp_path / "r", "init", "-q")
    with (tmp_path / "r/large.json").open("wb") as file:
        file.truncate(100_000_000)
    os.mkfifo(tmp_path / "r/pipe")
    return tmp_path / "r"


#: The options, and what the error says.
WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing": ((), "there is nothing to look for"),
    "top-zero": ((*ASK, "--top", "0"), "'0' is no number of documents"),
    "top-grouped": ((*ASK, "--top", "1_0"), "'1_0' is no number of documents"),
    "top-negative": ((*ASK, "--top", "-1"), "--top"),
    "top-word": ((*ASK, "--top", "ten"), "'ten' is no number of documents"),
    "top-fraction": ((*ASK, "--top", "1.5"), "'1.5' is no number of documents"),
    "top-of-another-script": ((*ASK, "--top", "٣"), "is no number of documents"),
    "top-without-end": ((*ASK, "--top", "9" * 5000), "is no number of documents"),
    "top-empty": ((*ASK, "--top", ""), "'' is no number of documents"),
    "query-missing": (("--query", "none.json"), "none.json: "),
    "query-no-json": (("--query", "no.json"), "no.json: "),
    "query-empty": (("--query", "empty.json"), "empty.json: "),
    "query-list": (("--query", "list.json"), "list.json: "),
    "query-number": (("--query", "number.json"), "number.json: "),
    "query-deep": (("--query", "deep.json"), "deep.json: "),
    "query-deep-inside": (("--query", "deep-inside.json"), "deep-inside.json: "),
    "query-large": (("--query", "large.json"), "large.json: "),
    "query-nul": (("--query", "nul.json"), "nul.json: "),
    "query-twice": (("--query", "twice.json"), "twice.json: tags stands there twice"),
    "query-other-field": (("--query", "other-field.json"), "other-field.json: "),
    "query-other-type": (("--query", "other-type.json"), "other-type.json: "),
    "query-huge-number": (("--query", "huge-number.json"), "huge-number.json: "),
    "query-no-utf-8": (("--query", "latin.json"), "latin.json: "),
    "query-folder": (("--query", "folder"), "folder: "),
    "query-dangling": (("--query", "dangling"), "dangling: "),
    "query-circle": (("--query", "circle"), "circle: "),
    "query-pipe": (("--query", "pipe"), "pipe: "),
    "query-nothing": (("--query", ""), ""),
    "query-and-from": (("--query", "a.json", "--from", "fields.md"), "not allowed with"),
    "from-missing": (("--from", "none.md"), "none.md: "),
    "from-outside-missing": (("--from", "../none.md"), "../none.md: "),
    "from-plain": (("--from", "plain.md"), "plain.md: there is no frontmatter"),
    "from-broken": (("--from", "broken.md"), "broken.md: the frontmatter is not valid YAML"),
    "from-empty-fields": (("--from", "fields.md"), "fields.md fills none of the fields"),
    "from-binary": (("--from", "binary"), "binary: "),
    "from-no-utf-8": (("--from", "latin.md"), "latin.md: "),
    "from-nul": (("--from", "nul.md"), "nul.md: "),
    "from-folder": (("--from", "folder"), "folder: "),
    "from-pipe": (("--from", "pipe"), "pipe: "),
    "from-unknown-id": (("--from", "REQ-999"), "there is no document REQ-999"),
    "from-id-of-another-script": (("--from", "REQ-١٢٠"), "REQ-"),
    "from-half-an-id": (("--from", "REQ-12"), "there is no document REQ-12"),
    "since-nonsense": ((*ASK, "--since", "soon"), "--since: "),
    "since-no-day": ((*ASK, "--since", "2026-02-30"), "--since: "),
    "since-option": ((*ASK, "--since=-x"), "--since: -x is no revision"),
    "since-long-option": ((*ASK, "--since=--output=x"), "--since: --output=x is no revision"),
    "since-empty": ((*ASK, "--since", ""), "--since: "),
    "since-unknown-id": ((*ASK, "--since", "REQ-999"), "there is no document REQ-999"),
    "since-half-an-id": ((*ASK, "--since", "REQ-12"), "there is no document REQ-12"),
    "since-id-of-another-script": ((*ASK, "--since", "REQ-١٢٠"), "--since: "),
    "since-escape": ((*ASK, "--since", "\x1b[2J"), "--since: there is no revision \\x1b[2J"),
    "why-not-unknown": ((*ASK, "--why-not", "REQ-999"), "there is no document REQ-999"),
    "why-not-prefix": ((*ASK, "--why-not", "REQ-12"), "there is no document REQ-12"),
    "why-not-of-another-script": ((*ASK, "--why-not", "REQ-١٢٠"), "there is no document REQ-"),
    "why-not-empty": ((*ASK, "--why-not", ""), "there is no document without an id"),
    "like-binary": (("--like", "binary"), "binary: "),
    "like-missing": (("--like", "none"), "none: "),
    "like-folder": (("--like", "folder"), "folder: "),
    "like-no-utf-8": (("--like", "latin.md"), "latin.md: "),
    "like-pipe": (("--like", "pipe"), "pipe: "),
    "text-without-words": (("--text", "a - b"), "the text has no word"),
    "text-and-a-query": (("--text", "seat", *ASK), "--text and --tags do not go together"),
    "timeout-zero": ((*ASK, "--read", "--timeout", "0"), "'0' is no number of seconds"),
    "timeout-grouped": ((*ASK, "--read", "--timeout", "1_0"), "'1_0' is no number of seconds"),
    "timeout-infinite": ((*ASK, "--read", "--timeout", "inf"), "'inf' is no number of seconds"),
    "root-missing": ((*ASK, "--root", "none"), "--root: there is no folder"),
    "prior-art-root-above": ((*ASK, "--prior-art-root", ".."), "lies outside the root"),
    "prior-art-root-here": ((*ASK, "--prior-art-root", "."), "cannot be the root itself"),
    "prior-art-root-of-git": ((*ASK, "--prior-art-root", ".git"), "is git's"),
    "prior-art-root-of-two-lines": ((*ASK, "--prior-art-root", "a\nb"), "cannot be the name of a folder"),
    "prior-art-root-nothing": ((*ASK, "--prior-art-root", ""), "not an empty string"),
    "unknown-option": ((*ASK, "--tops", "1"), "--tops"),
    "an-argument-too-much": ((*ASK, "x"), "x"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_is_one_line_and_code_2(case: str, root: Path) -> None:
    arguments, said = WRONG[case]
    code, out, err = run(root, *arguments)
    errors = [line for line in err if "error: " in line]
    assert (code, out, len(errors)) == (2, "", 1)
    assert said in errors[0]
    assert all(line.isprintable() and len(line) < 1500 for line in err)


@pytest.mark.parametrize("name", ["nul-escaped", "half-a-pair"])
@pytest.mark.parametrize("more", [(), ("--json",), ("--explain", "--read", "--see-also")])
def test_a_value_that_no_document_can_have_is_told_and_found_nowhere(
    name: str, more: tuple[str, ...], root: Path
) -> None:
    code, out, err = run(root, "--query", f"{name}.json", *more)
    assert code == 0
    assert ('"results": []' if more == ("--json",) else "No prior context retrieved") in out
    (told,) = [line for line in err if "no document has the tag" in line]
    assert told.isprintable()


def test_a_spec_outside_of_the_repository_may_be_read_since_it_is_named(root: Path) -> None:
    tree(root.parent, {"outside.md": "---\ntags: [seat]\n---\n"})
    code, out, _ = run(root, "--from", "../outside.md")
    assert (code, out.count("score 1")) == (0, 3)


def test_what_is_newer_than_the_future_is_nothing(root: Path) -> None:
    code, out, _ = run(root, *ASK, "--since", "2999-12-31")
    assert (code, "No prior context retrieved" in out) == (0, True)


#: What the telemetry file is, and what is said.
TELEMETRY = {
    "link": (Link("../elsewhere"), "reads.jsonl"),
    "dangling-link": (Link("nowhere"), "reads.jsonl"),
    "folder": (None, "reads.jsonl"),
    "other-file": ("Dear diary,\n", "reads.jsonl"),
}


@pytest.mark.parametrize("case", TELEMETRY)
def test_a_telemetry_file_that_is_none_stops_nothing(case: str, root: Path) -> None:
    content, said = TELEMETRY[case]
    tree(root.parent, {"elsewhere": ""})
    tree(root, {"spectastic.toml": 'read-telemetry = "reads.jsonl"\n', "reads.jsonl": content})
    code, out, err = run(root, *ASK, "--read")
    assert (code, out.count("| Text.")) == (0, 3)
    assert len([line for line in err if said in line]) == 1
    assert (root.parent / "elsewhere").read_text() == ""
    if isinstance(content, str):
        assert (root / "reads.jsonl").read_text() == content
    assert not (root / "nowhere").exists()
    code, out, err = run(root, "--telemetry")
    if isinstance(content, str):
        assert (code, err, out.splitlines()[0].startswith("runs: 0 ")) == (0, [], True)
    else:
        assert (code, out, len([line for line in err if "error: " in line])) == (2, "", 1)


def test_a_telemetry_file_in_a_folder_that_cannot_be_written(root: Path) -> None:
    tree(root, {"spectastic.toml": 'read-telemetry = "a.json/reads.jsonl"\n'})
    code, out, err = run(root, *ASK, "--read")
    assert (code, out.count("| Text.")) == (0, 3)
    assert len([line for line in err if "reads.jsonl" in line]) == 1


#: A delegate that cannot be: how it is named, and what is said.
DELEGATES = {
    "relative": ("./delegate", "no absolute path"),
    "a-name": ("cat", "no absolute path"),
    "blank": (" ", "no absolute path"),
    "missing": ("{}/none", "/none, which is not there"),
    "folder": ("{}/folder", "/folder, which is no file"),
    "not-executable": ("{}/plain.md", "/plain.md, which is no program: it may not be run"),
    "escapes": ("{}/\x1b[2J", "which is not there"),
    "no-program": ("{}/empty", "empty"),
}


@pytest.mark.parametrize("case", DELEGATES)
def test_a_delegate_that_cannot_be_called_stops_nothing(case: str, root: Path) -> None:
    named, said = DELEGATES[case]
    tree(root, {"delegate": "#!/bin/sh\ntouch canary\n", "empty": b"\0\1\2"})
    for name in ("delegate", "empty"):
        (root / name).chmod(0o755)
    code, out, err = run(root, *ASK, "--read", ADLC_READ_BIN=named.format(root))
    assert (code, out.count("| Text.")) == (0, 3)
    told = [line for line in err if "bodies: " in line]
    assert len(told) == 1
    assert said in told[0]
    assert told[0].isprintable()
    assert not (root / "canary").exists()


def test_a_delegate_that_leaves_something_behind_has_ended(root: Path) -> None:
    blocks = "".join(
        f'<doc id="{name}">\nAbout {name}.\n</doc>\n' for name in ("LESSON-001", "REQ-120", "REQ-1200")
    )
    script = f"#!/bin/sh\nsleep 600 &\ncat <<'END'\n{blocks}END\n"
    tree(root.parent, {"delegate": script})
    (root.parent / "delegate").chmod(0o755)
    code, out, err = run(root, *ASK, "--read", "--timeout", "60", ADLC_READ_BIN=str(root.parent / "delegate"))
    assert (code, "spectastic: bodies: told by delegate: 3" in err) == (0, True)
    assert [f"| About {name}.\n" in out for name in ("LESSON-001", "REQ-120", "REQ-1200")] == [True] * 3


# What an answer must not depend on


def answers(root: Path, **environment: str) -> Done:
    return run(root, "--component", "web", "--json", "--see-also", "--read", "--explain", **environment)


def test_surroundings_change_no_byte(root: Path) -> None:
    alike = {
        f"{LESSONS}/LESSON-{number:03d}-x.md": document(
            id=f"LESSON-{number:03d}", updated=None, tags="[a, b, c]", title=f"ä {number}"
        )
        for number in range(100, 130)
    }
    tree(root, alike)
    made = Repository(root, {})
    made.commit()
    expected = answers(root)
    assert expected[0] == 0
    for zone in ("UTC", "Pacific/Kiritimati", "Etc/GMT+12"):
        assert answers(root, TZ=zone) == expected
    for locale in ("C", "C.UTF-8", "tr_TR.UTF-8", "POSIX"):
        assert answers(root, LC_ALL=locale) == expected
    for seed in ("0", "1", "4242"):
        assert answers(root, PYTHONHASHSEED=seed) == expected
    # The same files, made in another order.
    other = root.parent / "other"
    for path in sorted((path for path in root.rglob("*") if path.is_file()), reverse=True):
        if ".git/" not in str(path) and path.stat().st_size < 1_000_000:
            copy = other / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    git(other, "init", "-q")
    Repository(other, {}).commit()
    assert answers(other) == expected


def results(done: Done) -> list[tuple[str, str, str]]:
    assert done[0] == 0
    return [(item["id"], item["date"], item["date_from"]) for item in json.loads(done[1])["results"]]


def counts(err: list[str]) -> list[str]:
    return [line for line in err if " take part" in line]


def test_counts_are_always_shown(root: Path) -> None:
    expected = [
        "spectastic: lessons: 1 of 1 take part",
        "spectastic: bugs: 0 of 1 take part; left out by status: open 1",
        "spectastic: specs: 2 of 2 take part",
    ]
    for arguments in (
        ASK,
        (*ASK, "--json"),
        (*ASK, "--explain"),
        (*ASK, "--why-not", "BUG-002"),
        (*ASK, "--since", "2026-01-01"),
        (*ASK, "--read"),
        ("--text", "seat"),
        ("--suggest", "seat"),
        ("--like", "fields.md"),
        ("--tags", "none"),
    ):
        assert counts(run(root, *arguments)[2]) == expected
    assert counts(run(root, "T", *ASK, "--dry-run", command="new")[2]) == expected


@pytest.mark.parametrize("drafts", [False, True])
def test_the_shrink_diagnostic_everywhere(drafts: bool, root: Path) -> None:
    for number, status in (("120-c", "superseded"), ("1200-d", "rejected")):
        path = root / f"{SPECS}/REQ-{number}/requirement.md"
        path.write_text(
            path.read_text().replace("status: approved", f"status: {'draft' if drafts else status}")
        )
    line = (
        "/spec: WARNING — spec corpus has 2 requirement.md files but 0 passed the status filter "
        "(statuses seen: rejected, superseded). Retrieval is running on lessons+bugs only. "
        "This is a filter/vocabulary mismatch, not a cold start — see BUG-194."
    )
    suppressed = "Spec corpus suppressed by status filter — see stderr warning (BUG-194)."
    code, out, err = run(root, *ASK)
    assert (code, err.count(line), suppressed in out) == (0, 0 if drafts else 1, not drafts)
    assert any("all 2" in told and "draft" in told for told in err) is drafts
    assert "LESSON-001" in out
    code, out, err = run(root, *ASK, "--json")
    found = json.loads(out)
    assert (code, err.count(line)) == (0, 0 if drafts else 1)
    assert (found["spec_corpus_suppressed"], found["all_specs_are_drafts"]) == (not drafts, drafts)
    assert found["statuses_seen"] == (["draft"] if drafts else ["rejected", "superseded"])
    code, out, err = run(root, "T", *ASK, "--json", command="new")
    made = json.loads(out)["result"]
    assert (code, err.count(line), made["spec_corpus_suppressed"]) == (0, 0 if drafts else 1, not drafts)
    text = (root / made["path"]).read_text()
    assert (suppressed in text, "- LESSON-001 (lesson, score 1): T\n" in text) == (not drafts, True)
    assert "No prior context" not in text


def test_without_git(root: Path) -> None:
    (root / ".git").rename(root.parent / "moved")
    (root / "spectastic.toml").write_text("")
    tree(root, {f"{LESSONS}/LESSON-003-x.md": document(id="LESSON-003", tags="[seat]", updated=None)})
    os.utime(root / f"{LESSONS}/LESSON-003-x.md", (0, 86_400 * 365))
    assert results(run(root, *ASK, "--json")) == [
        ("LESSON-001", "2026-01-01", "updated"),
        ("REQ-120", "2026-01-01", "updated"),
        ("REQ-1200", "2026-01-01", "updated"),
        ("LESSON-003", "1971-01-01", "file"),
    ]


def test_a_shallow_clone_has_the_days_that_it_knows(root: Path) -> None:
    made = Repository(
        root.parent / "s", {f"{LESSONS}/LESSON-004-x.md": document(id="LESSON-004", updated=None)}
    )
    made.commit()
    git(made.root, "clone", "-q", "--depth", "1", f"file://{made.root}", str(root.parent / "shallow"))
    assert results(run(root.parent / "shallow", "--component", "web", "--json")) == [
        ("LESSON-004", "2026-01-01", "commit")
    ]


def test_an_id_is_not_the_beginning_of_another(root: Path) -> None:
    code, out, _ = run(root, "--from", "REQ-120", "--json")
    assert (code, [item["id"] for item in json.loads(out)["results"]]) == (0, ["LESSON-001", "REQ-1200"])
    code, out, _ = run(root, "--from", "REQ-1200", "--json")
    assert (code, [item["id"] for item in json.loads(out)["results"]]) == (0, ["LESSON-001", "REQ-120"])
    for name in ("REQ-120", "REQ-1200"):
        code, out, _ = run(root, *ASK, "--why-not", name, "--json")
        (told,) = json.loads(out)["why_not"]
        assert f"/{name}-" in told["path"]
    # Next to both, the next number is behind the greater one.
    code, out, _ = run(root, "T", *ASK, "--dry-run", "--json", command="new")
    assert json.loads(out)["result"]["id"] == "REQ-1201"
