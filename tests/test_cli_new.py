"""`spectastic new`, from the command line to the document."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from pathlib import Path

import pytest
from prior_art import BUGS, LESSONS, SPECS, committed, document, spec
from repository import Repository, git
from trees import Link, tree

from spectastic.cli import main, new

Capture = pytest.CaptureFixture[str]
PAGE = (Path(__file__).parent.parent / "docs" / "prior-art.md").read_text(encoding="utf-8")

COLD = "No prior context retrieved — no tagged documents matched this area."
SUPPRESSED = "Spec corpus suppressed by status filter — see stderr warning (BUG-194)."
UNVERIFIED = "- id allocated without remote verification — verify before PR"
FILES: dict[str, str | bytes | Link | None] = {
    f"{LESSONS}/LESSON-003-a.md": document(id="LESSON-003", title="A lesson", component="web"),
    f"{BUGS}/BUG-002-b.md": document(id="BUG-002", title="A bug", status="closed", tags="[seat]"),
    **spec("004", title="A spec", tags="[seat]", status="approved"),
}


@pytest.fixture(autouse=True)
def _on_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import date

    monkeypatch.setattr(new, "_today", lambda: date(2026, 3, 1))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = Repository(tmp_path / "r", FILES).root
    monkeypatch.chdir(root)
    return root


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}\n\n(.*?)(?=\n## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def made(root: Path, *arguments: str, kind: str = "req") -> str:
    """The one document that a run makes."""
    before = set(root.rglob("*.md"))
    assert main(["new", "Seat holds", "--kind", kind, *arguments]) == 0
    (path,) = set(root.rglob("*.md")) - before
    return path.read_text(encoding="utf-8")


def test_a_spec(root: Path, capsys: Capture) -> None:
    text = made(root, "--component", "web", "--tags", "seat,hold", "--stack", "python", "--stack", "3.10")
    assert text.startswith(
        '---\nid: REQ-005\ntitle: "Seat holds"\nstatus: draft\ndeployable: true\ncreated: 2026-03-01\n'
        'updated: 2026-03-01\ncomponent: web\ndomain:\nstack: [python, "3.10"]\nconcerns: []\n'
        "tags: [seat, hold]\n---\n"
    )
    assert section(text, "Retrieved Context") == (
        "- BUG-002 (bug, score 4): A bug\n"
        "- REQ-004 (spec, score 4): A spec\n"
        "- LESSON-003 (lesson, score 3): A lesson\n"
    )
    assert "## Provenance" not in text
    done = capsys.readouterr()
    assert done.out.splitlines() == [
        f"created {SPECS}/REQ-005-seat-holds/requirement.md",
        "Retrieved context for this REQ:",
        "  BUG-002    (bug,    score 4): A bug",
        "  REQ-004    (spec,   score 4): A spec",
        "  LESSON-003 (lesson, score 3): A lesson",
        "next: write it, and `spectastic cite REQ-005 ID --line N` where a line rests on one",
    ]
    assert done.err.splitlines() == [
        "spectastic: lessons: 1 of 1 take part",
        "spectastic: bugs: 1 of 1 take part",
        "spectastic: specs: 1 of 1 take part",
        "spectastic: no document has the stack entry python",
        "spectastic: no document has the stack entry 3.10",
        "spectastic: no document has the tag hold",
    ]


def test_what_it_is_filed_under_is_what_is_asked_for(root: Path, capsys: Capture) -> None:
    made(root, "--component", "web", "--tags", "seat")
    capsys.readouterr()
    assert main(["retrieve", "--from", "REQ-005", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [result["id"] for result in found["results"]] == ["BUG-002", "REQ-004", "LESSON-003"]
    assert found["query"] == {"component": "web", "domain": "", "stack": [], "concerns": [], "tags": ["seat"]}


@pytest.mark.parametrize(("kind", "name"), [("lesson", f"{LESSONS}/LESSON-004"), ("bug", f"{BUGS}/BUG-003")])
def test_other_kinds(kind: str, name: str, root: Path, capsys: Capture) -> None:
    text = made(root, "--tags", "seat", kind=kind)
    assert f"id: {name.rpartition('/')[2]}\n" in text
    assert "tags: [seat]\n" in text
    assert "Retrieved Context" not in text
    done = capsys.readouterr()
    assert done.out == f"created {name}-seat-holds.md\n"
    assert done.err == ""


@pytest.mark.parametrize("kind", ["req", "lesson", "bug"])
def test_values_that_nobody_has_are_told_for_every_kind(kind: str, root: Path, capsys: Capture) -> None:
    tree(root, spec("006", status="draft", component="gate/scanner"))
    text = made(root, "--component", "gate/scaner", "--tags", "seats,door", kind=kind)
    assert "component: gate/scaner\n" in text
    told = [line for line in capsys.readouterr().err.splitlines() if "no document" in line]
    assert told == [
        "spectastic: no document has the component gate/scaner: did you mean gate/scanner (1)?",
        "spectastic: no document has the tag seats: did you mean seat (2)?",
        "spectastic: no document has the tag door",
    ]
    # What a draft has is in use.
    made(root, "--component", "gate/scanner", "--tags", "", kind=kind)
    assert "no document" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["req", "lesson"])
def test_prior_art_below_the_root_is_pointed_to(
    kind: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written to the root, where it is said that there is another folder here."""
    top = Repository(tmp_path / "r", {f"part/{LESSONS}/LESSON-003-a.md": document(), "a": ""}).root
    monkeypatch.chdir(top / "part")
    assert main(["new", "T", "--tags", "", "--kind", kind, "--dry-run"]) == 0
    assert "spectastic: there is a folder .adlc here: --root .\n" in capsys.readouterr().err


def test_a_title_without_quotes(root: Path, capsys: Capture) -> None:
    assert main(["new", "Clock", "drift"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "spectastic: error: unrecognized arguments: drift",
        'spectastic: put the title in quotes: spectastic new "What it is about"',
    ]
    assert main(["new", "Clock", "--tag", "a"]) == 2
    assert "did you mean --tags?" in capsys.readouterr().err
    tree(root, {"folder": None, "a": "x"})
    for options in (("--intake", "folder", "--gaps", "a"), ("--intake", "a", "--gaps", "folder")):
        assert main(["new", "T", "--tags", "", *options]) == 2
        err = capsys.readouterr().err
        assert "spectastic: error: folder: this is a directory\nspectastic: name a file in it\n" in err


def test_nothing_there_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Repository(tmp_path / "r", {"a": ""}).root)
    text = made(tmp_path / "r", "--tags", "seat")
    assert text.startswith("---\nid: REQ-001\n")
    assert text.endswith(f"\n## Retrieved Context\n\n{COLD}\n")


def test_a_corpus_that_is_suppressed(root: Path, capsys: Capture) -> None:
    tree(root, spec("004", status="rejected", tags="[seat]"))
    text = made(root, "--tags", "seat")
    assert section(text, "Retrieved Context") == f"{SUPPRESSED}\n\n- BUG-002 (bug, score 1): A bug\n"
    done = capsys.readouterr()
    assert f"\n  {SUPPRESSED}\n  BUG-002 (bug,    score 1): A bug\n" in done.out
    assert "\n/spec: WARNING — spec corpus has 1 requirement.md files but 0 passed" in done.err
    text = made(root, "--tags", "other")
    assert section(text, "Retrieved Context") == f"{SUPPRESSED}\n"


def test_drafts_alone_are_a_cold_start(root: Path) -> None:
    tree(root, spec("004", status="draft", tags="[seat]"))
    assert section(made(root, "--tags", "other"), "Retrieved Context") == f"{COLD}\n"


def test_queries_of_files_and_specs(root: Path, capsys: Capture) -> None:
    (root / "q.json").write_text('{"component": "web", "tags": ["a,b", "on", "x: y"]}')
    text = made(root, "--query", "q.json", "--tags", "seat")
    assert "component: web\n" in text
    assert "tags: [seat]\n" in text
    assert 'tags: ["a,b", "on", "x: y"]\n' in made(root, "--query", "q.json")
    assert "tags: [seat]\n" in made(root, "--from", "REQ-004")
    text = made(root, "--tags", "", "--component", "")
    assert "component:\n" in text
    assert section(text, "Retrieved Context") == f"{COLD}\n"
    assert main(["new", "T", "--from", "REQ-999"]) == 2
    assert "REQ-999" in capsys.readouterr().err


REFUSED = [
    (["new", "T\udcff", "--tags", "a"], r"the title has characters in it that cannot be seen: 'T\udcff'", ""),
    (
        ["new", "T", "--tags", "a,b\u200bc"],
        r"a value of tags has characters in it that cannot be seen",
        "type it",
    ),
    (["new", "T", "--component", "\udcff"], r"a value of component has characters in it", "type it"),
    (["new", "T", "--query", "odd.json"], r"a value of domain has characters in it", "type it"),
    (
        ["new", "T", "--tags", "a", "--intake", "n\u202e.txt", "--gaps", "g.yaml"],
        "the name of the source has characters in it",
        "",
    ),
    (["new", "--tags", "a"], "there is no title", 'give one: spectastic new "What it is about"'),
    (["new", "", "--tags", "a"], "the title is empty", ""),
    (["new", "T"], "it is not said where it belongs", "give --component"),
    (["new", "T", "--tags", "a", "--kind", "epic"], "invalid choice: 'epic'", ""),
    (["new", "T", "--tags", "a", "--intake", "n.txt"], "--intake comes without --gaps", "may hold []"),
    (["new", "T", "--tags", "a", "--gaps", "g.yaml"], "--gaps comes without --intake", ""),
    (
        ["new", "T", "--tags", "a", "--kind", "bug", "--intake", "n.txt", "--gaps", "g.yaml"],
        "--intake is for specs",
        "leave out --kind",
    ),
    (
        ["new", "T", "--tags", "a", "--intake", "none", "--gaps", "g.yaml"],
        "none: the file cannot be read",
        "",
    ),
    (
        ["new", "T", "--tags", "a", "--intake", "n.txt", "--gaps", "bad.yaml"],
        "bad.yaml:1: this is no list",
        "",
    ),
    (["new", "T", "--tags", "a", "--intake", "long.txt", "--gaps", "g.yaml"], "long.txt has 8,001 lines", ""),
    (["new", "T", "--tags", "a", "--prior-art-root", ".."], "lies outside the root", ""),
]


@pytest.mark.parametrize(("arguments", "said", "hint"), REFUSED)
def test_what_is_refused(arguments: list[str], said: str, hint: str, root: Path, capsys: Capture) -> None:
    tree(
        root,
        {
            "n.txt": "x",
            "g.yaml": "[]",
            "bad.yaml": "x",
            "odd.json": '{"domain": "\\ud800"}',
            "n\u202e.txt": "",
            "long.txt": "\n" * 8001,
        },
    )
    before = sorted(root.rglob("*"))
    assert main(arguments) == 2
    done = capsys.readouterr()
    assert said in done.err.splitlines()[0]
    assert hint in "".join(done.err.splitlines()[1:])
    assert done.out == ""
    assert sorted(root.rglob("*")) == before


def test_a_dry_run_writes_nothing_and_says_it_all(root: Path, capsys: Capture) -> None:
    before = sorted(root.rglob("*"))
    assert main(["new", "Seat holds", "--tags", "seat", "--dry-run"]) == 0
    assert sorted(root.rglob("*")) == before
    done = capsys.readouterr()
    path = f"{SPECS}/REQ-005-seat-holds/requirement.md"
    assert done.out.startswith(f"diff --git a/{path} b/{path}\nnew file mode 100644\n")
    assert "+- REQ-004 (spec, score 1): A spec\n" in done.out
    assert "spectastic:   REQ-004 (spec,   score 1): A spec\n" in done.err
    patch = root / "p.patch"
    patch.write_text(done.out, encoding="utf-8")
    git(root, "apply", "p.patch")
    by_patch = (root / path).read_bytes()
    (root / path).unlink()
    (root / path).parent.rmdir()
    assert main(["new", "Seat holds", "--tags", "seat"]) == 0
    assert (root / path).read_bytes() == by_patch


def test_a_dry_run_is_refused_too(root: Path, capsys: Capture) -> None:
    tree(root, {f"{SPECS}/REQ-999999-x": None})
    assert main(["new", "T", "--tags", "seat", "--dry-run"]) == 2
    assert "there is no number behind 999999: REQ-999999 is in use" in capsys.readouterr().err


def test_json(root: Path, capsys: Capture) -> None:
    tree(root, {".git/spectastic/req": "0010\n", "n.txt": "x", "g.yaml": "[]"})
    intake = ("--intake", "n.txt", "--gaps", "g.yaml")
    assert main(["new", "Seat holds", "--tags", "seat", *intake, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    path = f"{SPECS}/REQ-011-seat-holds/requirement.md"
    assert found == {
        "version": 1,
        "command": "new",
        "dry_run": False,
        "changes": [{"path": path, "action": "created"}],
        "result": {
            "id": "REQ-011",
            "kind": "spec",
            "path": path,
            "title": "Seat holds",
            "query": {"component": "", "domain": "", "stack": [], "concerns": [], "tags": ["seat"]},
            "template": None,
            "remote": "not asked",
            "work_trees": 1,
            "highest": {"counter": 10, "on_disk": 4, "branches": 4, "remote": None},
            "retrieved": [
                {"id": "BUG-002", "corpus": "bug", "score": 1},
                {"id": "REQ-004", "corpus": "spec", "score": 1},
            ],
            "spec_corpus_suppressed": False,
            "gaps": {"answered": 0, "assumed": 0, "open": 0},
        },
        "notes": found["notes"],
    }
    assert main(["new", "T", "--tags", "seat", "--kind", "bug", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)["result"]
    assert (result["id"], result["kind"], "retrieved" in result, "gaps" in result) == (
        "BUG-003",
        "bug",
        False,
        False,
    )


# Intake


def test_an_intake_with_every_disposition(root: Path, capsys: Capture) -> None:
    gaps = (
        "- {section: Business Rules, severity: blocking, gap: Who may hold?, disposition: answered}\n"
        "- {section: Business Rules, severity: blocking, gap: How many seats?}\n"
        "- {section: Description, severity: blocking, gap: Why now?, disposition: open}\n"
        "- {section: Events, severity: assumption, gap: Ten minutes?}\n"
        "- {section: Events, severity: assumption, gap: Is it logged?, disposition: open}\n"
        "- {section: Events, severity: blocking, gap: By mail?, disposition: assumed}\n"
    )
    tree(root, {"notes/stand up.txt": "Ann: a\n" * 5, "g.yaml": gaps})
    text = made(root, "--tags", "seat", "--intake", "notes/stand up.txt", "--gaps", "g.yaml")
    assert section(text, "Provenance") == (
        "- Source: stand up.txt (transcript)\n- Intake date: 2026-03-01\n\n"
        "| Section | Severity | Gap | Disposition |\n|---|---|---|---|\n"
        "| Business Rules | blocking | Who may hold? | answered |\n"
        "| Business Rules | blocking | How many seats? | open |\n"
        "| Description | blocking | Why now? | open |\n"
        "| Events | assumption | Ten minutes? | assumed |\n"
        "| Events | assumption | Is it logged? | open |\n"
        "| Events | blocking | By mail? | assumed |\n"
    )
    assert section(text, "Assumptions") == (
        "- Ten minutes? (from stand up.txt, Events)\n- By mail? (from stand up.txt, Events)\n"
    )
    assert section(text, "Open Questions") == (
        "- [ ] How many seats? (from stand up.txt, Business Rules)\n"
        "- [ ] Why now? (from stand up.txt, Description)\n"
        "- [ ] Is it logged? (from stand up.txt, Events)\n"
    )
    assert text.count("Who may hold?") == 1
    titles = re.findall("^## (.*)$", text, re.MULTILINE)
    assert titles[-3:] == ["Out of Scope", "Provenance", "Retrieved Context"]
    told = capsys.readouterr().err.splitlines()
    assert told[-1] == "spectastic: blocking gaps that are open: 2; they are among the Open Questions"
    assert str(root) not in text


# The remote


def bare(root: Path, *refs: str) -> Path:
    """A bare repository beside, which is origin, with refs."""
    git(root, "clone", "-q", "--bare", str(root), "../origin.git")
    git(root, "remote", "add", "origin", str(root.parent / "origin.git"))
    for ref in refs:
        git(root.parent / "origin.git", "update-ref", ref, "HEAD")
    return root.parent / "origin.git"


def result(capsys: Capture, *arguments: str) -> tuple[dict[str, object], list[str]]:
    assert main(["new", "T", "--tags", "seat", "--json", *arguments]) == 0
    done = capsys.readouterr()
    return json.loads(done.out)["result"], done.err.splitlines()


def test_a_remote_is_asked_only_when_it_is_to_be(root: Path, capsys: Capture) -> None:
    bare(
        root, "refs/heads/feat/REQ-041-x", "refs/tags/REQ-0042", "refs/heads/fix/bug-77", "refs/pull/1/REQ-99"
    )
    found, _ = result(capsys)
    assert (found["id"], found["remote"]) == ("REQ-005", "not asked")
    found, told = result(capsys, "--remote")
    assert (found["id"], found["remote"]) == ("REQ-043", "asked")
    assert found["highest"] == {"branches": 4, "counter": 5, "on_disk": 5, "remote": 42}
    assert not any("warning" in line for line in told)
    assert UNVERIFIED not in (root / str(found["path"])).read_text()
    assert result(capsys, "--remote", "--kind", "bug")[0]["id"] == "BUG-078"
    (root / "spectastic.toml").write_text("remote-ids = true\n")
    assert result(capsys)[0]["remote"] == "asked"
    assert result(capsys, "--no-remote")[0]["remote"] == "not asked"


DEGRADED = [
    ("none", "there is no remote"),
    ("gone", "git ls-remote failed: "),
    ("two", "none of the remotes is called origin: a, b"),
    ("ext", "transport 'ext' not allowed"),
    ("ext that is allowed", "transport 'ext' not allowed"),
    ("a helper", "transport 'odd' not allowed"),
    ("an option", "git ls-remote failed: "),
    ("an option for a name", "git ls-remote failed: "),
    ("an option for a host", "strange hostname"),
    ("escapes", "git ls-remote failed: "),
    ("too much", "git printed more than 10 bytes"),
    ("slow", "git has not answered within 0.3 seconds"),
    ("no git", "this folder is in no git repository"),
]


#: How git is set up, with {} for a file that a program would make.
CONFIGURED = {
    "gone": {"remote.origin.url": "{}.git"},
    "two": {"remote.a.url": ".", "remote.b.url": "."},
    "ext": {"remote.origin.url": "ext::touch {}"},
    "ext that is allowed": {"remote.origin.url": "ext::touch {}", "protocol.ext.allow": "always"},
    "a helper": {
        "remote.origin.url": "x",
        "remote.origin.vcs": "odd",
        "protocol.odd.allow": "always",
    },
    "an option": {"remote.origin.url": "--upload-pack=touch {}"},
    "an option for a name": {"remote.--upload-pack=touch {};.url": "/none"},
    "an option for a host": {"remote.origin.url": "ssh://-oProxyCommand=touch {}/x"},
    "escapes": {"remote.origin.url": "/none\x1b[2J"},
    "slow": {"remote.origin.url": "ssh://git@example.invalid/x.git", "core.sshCommand": "sleep 5 #"},
}


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(("how", "said"), DEGRADED)
def test_an_unreachable_remote_never_blocks(
    how: str, said: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    canary = tmp_path / "canary"
    for key, value in CONFIGURED.get(how, {}).items():
        git(root, "config", key.format(canary), value.format(canary))
    if how == "a helper":
        program(tmp_path / "bin/git-remote-odd", f"touch {canary}")
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    elif how == "ext that is allowed":
        monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext")
    elif how == "too much":
        bare(root)
        monkeypatch.setattr("spectastic.git.remote.MOST", 10)
    elif how == "slow":
        monkeypatch.setattr(new, "_PATIENCE", 0.3)
    elif how == "no git":
        (root / ".git").rename(tmp_path / "moved")
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
        (root / "spectastic.toml").write_text("")
    found, told = result(capsys, "--remote")
    assert (found["id"], found["remote"]) == ("REQ-005", "unreachable")
    (warning,) = [line for line in told if "warning" in line]
    assert warning.startswith("spectastic: warning: the remote tells no numbers: ")
    assert said in warning
    assert warning.isprintable()
    assert (
        "the id is allocated without remote verification: verify it before the pull request"
        in told[told.index(warning) + 1]
    )
    text = (root / str(found["path"])).read_text()
    assert section(text, "Assumptions") == f"{UNVERIFIED}\n"
    assert not canary.exists()
    assert result(capsys, "--remote", "--kind", "lesson")[0]["remote"] == "unreachable"


def test_the_only_remote_need_not_be_called_origin(root: Path, capsys: Capture) -> None:
    bare(root, "refs/heads/REQ-060")
    git(root, "remote", "rename", "origin", "upstream")
    assert result(capsys, "--remote")[0]["id"] == "REQ-061"


def test_what_the_configuration_says_of_a_remote_is_not_run(
    root: Path, tmp_path: Path, capsys: Capture
) -> None:
    bare(root, "refs/heads/REQ-060")
    git(root, "config", "remote.origin.uploadpack", f"touch {tmp_path / 'canary'};")
    assert result(capsys, "--remote")[0]["id"] == "REQ-061"
    assert not (tmp_path / "canary").exists()


def test_a_remote_with_many_refs_of_any_name(root: Path, capsys: Capture) -> None:
    origin = bare(root)
    commit = git(root, "rev-parse", "HEAD").strip()
    names = [f"refs/heads/{number}" for number in range(50_000)]
    names += [
        "refs/heads/main",
        "refs/heads/REQ-042",
        "refs/heads/REQ-041^x",  # no name that git would make
        "refs/tags/\x1b[2JREQ-040",
        # None of these has a number of a spec.
        "refs/pull/1/REQ-900",
        "refs/heads/REQ-1234567",
        "refs/heads/xREQ-901",
        "refs/heads/REQ-902x",
        "refs/heads/REQ-\u0669\u0663\u0660",
        "refs/adlc/ids/bug/903",
    ]
    packed = "".join(f"{commit} {name}\n" for name in sorted(names, key=str.encode))
    (origin / "packed-refs").write_text(f"# pack-refs with: sorted\n{packed}")
    git(origin, "tag", "-a", "-m", "x", "v1-REQ-043")
    assert result(capsys, "--remote", "--dry-run")[0]["id"] == "REQ-044"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are looked up in /proc")
def test_what_a_slow_remote_runs_is_ended(
    root: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "remote", "add", "origin", "ssh://git@example.invalid/x.git")
    ssh = program(tmp_path / "ssh", f"echo $$ >{tmp_path / 'pid'}; exec sleep 600")
    git(root, "config", "core.sshCommand", f"{ssh} #")
    monkeypatch.setattr(new, "_PATIENCE", 2.0)
    assert result(capsys, "--remote")[0]["remote"] == "unreachable"
    number = (tmp_path / "pid").read_text().strip()
    state = Path(f"/proc/{number}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] in "ZX"


# Other branches


def test_numbers_in_the_trees_of_branches_count(root: Path, tmp_path: Path, capsys: Capture) -> None:
    other = tmp_path / "other"
    git(root, "clone", "-q", str(root), str(other))
    git(root, "checkout", "-q", "-b", "aside")
    tree(
        root, {f"{SPECS}/REQ-031-x/requirement.md": document(id="REQ-031"), f"{BUGS}/BUG-051.md": document()}
    )
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "aside")
    git(root, "checkout", "-q", "-")
    assert not (root / f"{SPECS}/REQ-031-x").exists()
    found, _ = result(capsys, "--dry-run")
    assert (found["id"], found["remote"]) == ("REQ-032", "not asked")
    assert found["highest"] == {"branches": 31, "counter": 0, "on_disk": 4, "remote": None}
    assert result(capsys, "--dry-run", "--kind", "bug")[0]["id"] == "BUG-052"
    # What has been fetched counts as well, whoever is not asked again.
    git(other, "fetch", "-q")
    git(other, "remote", "set-url", "origin", "/nowhere")
    (other / "spectastic.toml").write_text("")
    (other / "docs").mkdir()
    for where in ("", "docs"):
        assert main(["new", "T", "--tags", "x", "--json", "--dry-run", "--root", str(other / where)]) == 0
        found = json.loads(capsys.readouterr().out)["result"]
        assert found["highest"]["branches"] == (0 if where else 31)


def test_names_of_branches_count(root: Path, capsys: Capture) -> None:
    for name in ("refs/heads/feat/req-061-x", "refs/remotes/fork/REQ-062", "refs/heads/REQ-1234567"):
        git(root, "update-ref", name, "HEAD")
    for name in ("refs/stash", "refs/notes/REQ-070", "refs/pull/1/REQ-071"):
        git(root, "update-ref", name, "HEAD")
    assert result(capsys)[0]["id"] == "REQ-063"


# A terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> tuple[int, str]:
    shown = Terminal()
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    monkeypatch.setattr("sys.stderr", shown)
    return main(["new", *arguments]), shown.getvalue()


def test_what_is_missing_is_asked_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = at_terminal(monkeypatch, "A bug at work\n\nshop\n-\n a , b\nseat, door\n")
    assert code == 0
    text = (root / SPECS / "REQ-005-a-bug-at-work/requirement.md").read_text()
    assert "component: web\ndomain: shop\nstack: []\nconcerns: [a, b]\ntags: [seat, door]\n" in text
    assert shown.startswith("title: spectastic: where it belongs (")
    for question in ("component [web]: ", "domain: ", "stack: ", "concerns: ", "tags [seat]: "):
        assert question in shown


@pytest.mark.parametrize(
    ("typed", "component"), [("y\n", "gate/scanner"), ("\n", "gate/scaner"), ("", "gate/scaner")]
)
@pytest.mark.parametrize("kind", ["req", "bug"])
def test_what_was_perhaps_meant_is_offered(
    typed: str, component: str, kind: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(root, spec("004", component="gate/scanner", tags="[seat]", status="approved"))
    options = ("T", "--component", "gate/scaner", "--tags", "door,seats", "--kind", kind)
    code, shown = at_terminal(monkeypatch, typed, *options)
    assert code == 0
    (path,) = [path for path in root.rglob("*.md") if re.search(r"-t(\.md|/)", path.as_posix())]
    text = path.read_text()
    assert f"component: {component}\n" in text
    # The end of the input takes nothing, and a tag that is like none is not asked for.
    assert "tags: [door, seats]\n" in text
    assert shown.index("did you mean gate/scanner (1)?") < shown.index(
        "take the component gate/scanner instead"
    )
    assert shown.count("instead? [y/N]: ") == 2
    # What was taken is what is asked for: 3 of the component, and not the tag.
    assert ("REQ-004 (spec, score 3)" in text) is (kind == "req" and typed == "y\n")


def test_a_title_without_words_proposes_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = at_terminal(monkeypatch, "\n" * 5, "日本")
    assert code == 0
    assert "component: domain: stack: concerns: tags: " in shown
    assert (root / SPECS / "REQ-005-spec/requirement.md").exists()


GAPS = """\
- {section: Scope, severity: blocking, gap: Who pays?}
- {section: Scope, severity: blocking, gap: When?, disposition: answered}
- {section: Rules, severity: blocking, gap: How much?}
- {section: Rules, severity: assumption, gap: In euros}
"""


@pytest.mark.parametrize(
    ("typed", "more", "code"),
    [("y\n", (), 0), ("Yes\n", (), 0), ("n\n", (), 2), ("\n", (), 2), ("", (), 2), ("", ("--yes",), 0)],
)
def test_open_blocking_gaps_halt_before_a_number_is_given(
    typed: str, more: tuple[str, ...], code: int, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(root, {"n.txt": "x", "g.yaml": GAPS})
    asked = ("T", "--tags", "seat", "--intake", "n.txt", "--gaps", "g.yaml", *more)
    found, shown = at_terminal(monkeypatch, typed, *asked)
    assert found == code
    if not more:
        assert "  1. Who pays? (Scope)\n" in shown
        assert "  2. How much? (Rules)\n" in shown
        assert "When?" not in shown
        assert ("nothing is written: blocking gaps are open" in shown) is (code == 2)
    # The next one gets the number that this one did not take.
    made = sorted(path.name for path in (root / SPECS).iterdir() if path.name.endswith("-t"))
    assert made == ([] if code else ["REQ-005-t"])
    assert at_terminal(monkeypatch, "", "U", "--tags", "seat")[0] == 0
    assert (root / SPECS / ("REQ-005-u" if code else "REQ-006-u")).is_dir()


@pytest.mark.usefixtures("root")
def test_nothing_is_asked_that_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = at_terminal(monkeypatch, "", "T", "--tags", "seat")
    assert (code, "where it belongs" in shown) == (0, False)
    code, shown = at_terminal(monkeypatch, "", "--yes", "--tags", "seat")
    assert (code, "there is no title" in shown) == (2, True)
    code, shown = at_terminal(monkeypatch, "", "T", "--yes")
    assert (code, "it is not said where it belongs" in shown) == (2, True)
    assert at_terminal(monkeypatch, "", "--tags", "seat")[0] == 2


# All of it


def test_from_the_first_spec_to_validate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    root = Repository(tmp_path / "r", {path: data for path, data in FILES.items() if SPECS not in path}).root
    monkeypatch.chdir(root)
    assert main(["new", "Seats wait", "--component", "web", "--tags", "seat"]) == 0
    path = root / SPECS / "REQ-001-seats-wait/requirement.md"
    text = path.read_text().replace("BR-1:", "BR-1: a seat is held for ten minutes")
    path.write_text(text.replace("- [ ]\n", "- [ ] After ten minutes anybody can take it.\n"))
    for _ in range(2):
        assert main(["cite", "REQ-001", "LESSON-003", "BUG-002", "--match", "BR-1"]) == 0
    rule = "- [ ] BR-1: a seat is held for ten minutes (informed by LESSON-003, BUG-002)\n"
    assert path.read_text().count(rule) == 1
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "A spec")
    capsys.readouterr()
    assert main(["validate"]) == 0
    assert "Checked 3 specs" in capsys.readouterr().out
    assert main(["validate", str(path)]) == 0
    assert git(root, "status", "--porcelain") == ""


def test_the_samples_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(committed(tmp_path / "r"))
    samples = re.findall(r"```console\n\$ spectastic ((?:new|cite) .*?)\n(.*?)```", PAGE, re.DOTALL)
    assert [command.split()[0] for command, _ in samples] == ["new", "cite"]
    for command, shown in samples:
        assert main(shlex.split(command)) == 0
        assert capsys.readouterr().out.startswith(shown.removesuffix("  …\n"))
    assert (
        "- [ ] BR-1: (informed by LESSON-001, BUG-001)\n"
        in next((tmp_path / "r" / SPECS).glob("*-seats-wait/requirement.md")).read_text()
    )


def options_of(command: str, capsys: Capture) -> set[str]:
    assert main([command, "--help"]) == 0
    return set(re.findall(r"(?<!\w)--[a-z][a-z-]+", capsys.readouterr().out))


@pytest.mark.parametrize("command", ["new", "cite"])
def test_every_option_is_on_the_page(command: str, capsys: Capture) -> None:
    missing = options_of(command, capsys) - set(re.findall(r"--[a-z][a-z-]+", PAGE))
    assert missing == {"--help", "--config", "--isolated"}
