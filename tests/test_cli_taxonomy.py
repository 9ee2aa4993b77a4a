"""`spectastic taxonomy`, from the command line to the files."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import crash
import pytest
from prior_art import BUGS, FIXTURES, LESSONS, SPECS, committed, document
from repository import git
from trees import Link, tree

from spectastic.cli import main

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]
TAXONOMY = ".adlc/context/taxonomy.md"
FILES = {
    f"{LESSONS}/LESSON-001-a.md": document(id="LESSON-001", tags="[json-rpc, retry]", component="tools/lint"),
    f"{LESSONS}/LESSON-002-a.md": document(id="LESSON-002", tags="[jsonrpc]", component="app/tools/lint"),
    f"{BUGS}/BUG-001-a.md": document(id="BUG-001", status="open", tags="[json-rpc]", component="web"),
    f"{SPECS}/REQ-001-a/requirement.md": document(
        id="REQ-001", status="draft", concerns="[retries]", component="web", domain="x"
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tree(tmp_path / "repository", {".git": None, **FILES})
    monkeypatch.chdir(made)
    return made


def run(capsys: Capture, *options: str) -> tuple[int, str, list[str]]:
    code = main(["taxonomy", *options])
    done = capsys.readouterr()
    return code, done.out, done.err.splitlines()


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("root")
def test_what_is_told(capsys: Capture) -> None:
    code, out, err = run(capsys)
    assert code == 0
    assert (
        out
        == """\
4 documents; different values: component 3, domain 1, stack 0, concerns 1, tags 3
Twins (kept; twin; how they differ):
  component  app/tools/lint (1)  tools/lint (1)  prefix: renamed by --rename only
  tags       json-rpc (2)        jsonrpc (1)     separator
One word in several fields:
  concerns retries (1), tags retry (1)
Used once:
  component (2): app/tools/lint, tools/lint
  domain (1): x
  concerns (1): retries
  tags (2): jsonrpc, retry
"""
    )
    assert err == [f"spectastic: there is no {TAXONOMY}: values are held against nothing"]


def test_held_against_the_taxonomy(root: Path, capsys: Capture) -> None:
    tree(
        root, {TAXONOMY: "# Values\n\n## Component\n\n- `tools/lint`\n\n## Tags\n\n- `json-rpc`\n- `retry`\n"}
    )
    code, out, err = run(capsys, "--check")
    assert (code, err) == (1, [])
    assert (
        "Not in the taxonomy:\n  component (2): app/tools/lint (1), web (2)\n  tags (1): jsonrpc (1)\n" in out
    )
    assert "tools/lint (1)  app/tools/lint (1)  prefix\n" in out
    code, out, _ = run(capsys, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["version"], found["command"], found["documents"]) == (1, "taxonomy", 4)
    assert found["held_against"] == ["component", "tags"]
    assert [item["value"] for item in found["not_in_taxonomy"]] == ["app/tools/lint", "web", "jsonrpc"]
    assert found["twins"][0] == {
        "field": "component",
        "value": "app/tools/lint",
        "uses": 1,
        "keep": "tools/lint",
        "keep_uses": 1,
        "kind": "prefix",
        "sure": True,
    }
    assert found["on_more_than_half"] == []
    assert [item["value"] for item in found["several_fields"][0]] == ["retries", "retry"]
    assert found["different_values"]["component"] == 3


def test_check(root: Path, capsys: Capture) -> None:
    assert run(capsys, "--check")[0] == 1
    assert run(capsys, "--rename", "component", "app/tools/lint", "tools/lint", "--fix")[0] == 0
    # What is used once, and one word in two fields, are told and no failure.
    assert run(capsys, "--check")[0] == 0
    tree(root, {"other.md": "## Domain\n- `y`\n"})
    assert run(capsys, "--check", "--taxonomy", "other.md")[0] == 1


def test_fix(root: Path, capsys: Capture) -> None:
    before = contents(root)
    code, patch, err = run(capsys, "--fix", "--dry-run")
    assert code == 0
    assert err[-1] == "spectastic: tags jsonrpc is now json-rpc: 1"
    assert contents(root) == before
    code, out, _ = run(capsys, "--fix")
    path = f"{LESSONS}/LESSON-002-a.md"
    assert (code, out) == (0, f"changed {path}\ntags jsonrpc is now json-rpc: 1\n")
    after = {name: data for name, data in contents(root).items() if "/.spectastic/" not in name}
    assert after == {**before, path: before[path].replace(b"[jsonrpc]", b"[json-rpc]")}
    # The patch does the same.
    (root / path).write_bytes(before[path])
    (root / "p.patch").write_text(patch)
    git(root, "init", "-q")
    git(root, "apply", "p.patch")
    assert (root / path).read_bytes() == after[path]
    code, out, _ = run(capsys, "--fix")
    assert (code, out) == (0, "there is nothing to rename\n")


def test_fix_of_nothing_leaves_nothing_behind(root: Path, capsys: Capture) -> None:
    run(capsys, "--rename", "tags", "retry", "json-rpc", "--dry-run")
    run(capsys, "--rename", "tags", "retries", "retry")
    assert not (root / ".adlc/.spectastic").exists()


def test_rename(root: Path, capsys: Capture) -> None:
    code, out, _ = run(
        capsys, "--rename", "tags", "json-rpc", "rpc", "--rename", "component", "web", "a: b", "--json"
    )
    assert code == 0
    assert json.loads(out)["result"] == {
        "renamed": [
            {"field": "component", "old": "web", "new": "a: b", "documents": 2},
            {"field": "tags", "old": "json-rpc", "new": "rpc", "documents": 2},
        ],
        "left": [],
    }
    assert b'component: "a: b"\n' in (root / f"{BUGS}/BUG-001-a.md").read_bytes()
    assert b"tags: [rpc, retry]\n" in (root / f"{LESSONS}/LESSON-001-a.md").read_bytes()
    code, out, _ = run(capsys, "--rename", "tags", "json-rpc", "rpc")
    # Done before, or a slip of the pen: nobody can tell, so it is said.
    assert (code, out) == (2, "")


@pytest.mark.usefixtures("root")
def test_an_old_value_that_comes_into_use(capsys: Capture) -> None:
    """What another rename makes may be renamed on: a to b, and b to c."""
    chain = ("--rename", "tags", "jsonrpc", "rpc", "--rename", "tags", "rpc", "wire")
    code, out, _ = run(capsys, *chain)
    assert (code, out.splitlines()[-1]) == (0, "tags jsonrpc is now wire: 1")
    # Only in its own field.
    assert run(capsys, "--rename", "tags", "retry", "r", "--rename", "concerns", "r", "s")[0] == 2


@pytest.mark.parametrize(
    "new", ["null", "~", "true", "1.5", "2024-01-01", "a # b", "a: b", 'a "b"', "[a]", "it's"]
)
def test_a_new_value_is_found_again(new: str, root: Path, capsys: Capture) -> None:
    code, _, _ = run(capsys, "--rename", "tags", "json-rpc", new, "--rename", "component", "web", new)
    assert code == 0
    (root / "q.json").write_text(json.dumps({"tags": [new], "component": new}))
    capsys.readouterr()
    assert main(["retrieve", "--query", "q.json", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["id"], [part["value"] for part in result["parts"]]) == ("LESSON-001", [new])
    # And it can be taken back.
    assert run(capsys, "--rename", "tags", new, "json-rpc", "--rename", "component", new, "web")[0] == 0
    after = contents(root)[f"{BUGS}/BUG-001-a.md"].decode().replace(chr(34), "")
    assert after == FILES[f"{BUGS}/BUG-001-a.md"].replace(chr(34), "")


def test_a_crash_anywhere_is_made_good(root: Path, tmp_path: Path, capsys: Capture) -> None:
    command = ["taxonomy", "--rename", "component", "web", "www", "--rename", "tags", "json-rpc", "rpc"]
    work = tmp_path / "work"
    shutil.copytree(root, work)
    assert crash.run(work, command) == 0
    new = crash.files(work)
    assert sum(new[path] != data for path, data in crash.files(root).items()) == 3
    for point in range(1, 200):
        shutil.rmtree(work)
        shutil.copytree(root, work)
        if crash.run(work, command, point) == 0:
            break
        decided = (work / ".adlc/.spectastic/journal.json").exists()
        left = {path: data for path, data in crash.files(work).items() if not path.endswith(".tmp")}
        assert decided or left in (crash.files(root), new)
        capsys.readouterr()
        main(["validate", "--root", str(work)])
        assert ("a change of the prior art was interrupted" in capsys.readouterr().out) is decided
        # Where all was done but to say so, nobody has the old values any more.
        done = not decided and left == new
        assert crash.run(work, command) == (2 if done else 0)
        assert crash.files(work) == new
    assert 10 < point < 199


def test_what_is_left_is_named(root: Path, capsys: Capture) -> None:
    tree(root, {f"{LESSONS}/LESSON-003-a.md": Link("LESSON-002-a.md")})
    code, out, _ = run(capsys, "--rename", "tags", "jsonrpc", "rpc")
    assert code == 1
    assert "left as it is: .adlc/knowledge/lessons/LESSON-003-a.md: " in out
    assert "LESSON-003-a.md is a link: files are changed under their own names only" in out
    assert b"[rpc]" in (root / f"{LESSONS}/LESSON-002-a.md").read_bytes()


REFUSED = {
    "check-and-fix": (["--check", "--fix"], "--check and renaming do not go together"),
    "dry-run-alone": (["--dry-run"], "add --fix or --rename"),
    "field": (["--rename", "tag", "a", "b"], "did you mean tags?"),
    "field-like-nothing": (["--rename", "", "a", "b"], "fields: component, domain"),
    "value": (
        ["--rename", "tags", "jsn-rpc", "b"],
        "no document has the tag jsn-rpc\nspectastic: did you mean json-rpc (2)?",
    ),
    "value-like-nothing": (["--rename", "tags", "zzz", "b"], "shows what is in use"),
    "value-beside-a-new-one-in-use": (["--rename", "tags", "rety", "json-rpc"], "did you mean retry (1)?"),
    "value-like-the-new-one": (
        ["--rename", "tags", "retr", "retry"],
        "retry is in use: it may have been ren",
    ),
    "taxonomy-a-folder": (["--taxonomy", ".adlc"], "name a file in it"),
    "misspelt-and-no-values": (
        ["--taxonomy", "typo.md"],
        "no field Tgs, and what it lists is held against no",
    ),
    "new-empty": (["--rename", "tags", "retry", " "], "nothing is no value"),
    "new-with-blanks-around": (["--rename", "tags", "retry", " a"], "a is no value"),
    "new-of-two-lines": (["--rename", "tags", "retry", "a\nb"], "a b is no value"),
    "two-new": (["--rename", "tags", "retry", "a", "--rename", "tags", "retry", "b"], "has two new values"),
    "no-file": (["--taxonomy", "nowhere.md"], "nowhere.md: the file cannot be read"),
    "no-values": (["--taxonomy", "empty.md"], "empty.md lists no values"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    tree(root, {"empty.md": "# Nothing\n", "typo.md": "## Tgs\n- a\n"})
    before = contents(root)
    options, said = REFUSED[case]
    code, out, err = run(capsys, *options)
    assert (code, out) == (2, "")
    assert said in "\n".join(err)
    assert contents(root) == before


def test_a_taxonomy_that_a_link_leads_to(root: Path, capsys: Capture, tmp_path: Path) -> None:
    tree(tmp_path, {"secret.md": "## Tags\n- `secret`\n"})
    tree(root, {TAXONOMY: Link(str(tmp_path / "secret.md"))})
    code, _, err = run(capsys)
    assert code == 2
    assert "this link leads out of .adlc" in "\n".join(err)
    (root / TAXONOMY).unlink()
    tree(root, {TAXONOMY: None})
    code, _, err = run(capsys)
    assert code == 2
    assert "this is a directory" in "\n".join(err)
    assert err[-1].endswith("put the file in its place, or name one: --taxonomy")


def test_a_taxonomy_without_values(root: Path, capsys: Capture) -> None:
    tree(root, {TAXONOMY: "# To be written\n"})
    code, _, err = run(capsys)
    assert (code, err) == (0, [f"spectastic: {TAXONOMY} lists no values: values are held against nothing"])
    (root / f"{LESSONS}/LESSON-002-a.md").unlink()
    assert run(capsys, "--check")[0] == 1
    (root / TAXONOMY).unlink()
    assert run(capsys, "--check")[0] == 0


def test_a_heading_that_is_misspelt(root: Path, capsys: Capture) -> None:
    """All values are listed but those below the heading, so that nothing else would fail the check."""
    (root / f"{LESSONS}/LESSON-002-a.md").unlink()
    tree(root, {TAXONOMY: "## Compnent\n- `tools/lint`\n## Tags\n- `json-rpc`\n- `retry`\n"})
    said = (
        f"spectastic: {TAXONOMY}: there is no field Compnent, and what it lists is held against nothing:"
        " did you mean component?"
    )
    code, _, err = run(capsys, "--check")
    assert (code, err) == (1, [said])
    assert run(capsys)[0] == 0
    code, out, _ = run(capsys, "--json")
    assert json.loads(out)["misspelt_fields"] == [{"name": "Compnent", "meant": "component"}]
    assert json.loads(out)["held_against"] == ["tags"]
    tree(root, {TAXONOMY: "## Component\n- `tools/lint`\n- `web`\n## Tags\n- `json-rpc`\n- `retry`\n"})
    assert run(capsys, "--check")[:3:2] == (0, [])


def test_prior_art_below_the_root_is_pointed_to(
    root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tree(root / "part", {"below/.adlc/bugs/BUG-001-a.md": document(id="BUG-001"), ".git": None})
    monkeypatch.chdir(top / "below")
    code, out, err = run(capsys)
    assert (code, out.partition(";")[0]) == (0, "0 documents")
    assert err == [
        "spectastic: there is a folder .adlc here: --root .",
        f"spectastic: there is no {top}/{TAXONOMY}: values are held against nothing",
    ]


def test_broad_values_and_unreadable_documents(root: Path, capsys: Capture) -> None:
    tree(
        root, {f"{LESSONS}/LESSON-00{n}-b.md": document(id=f"LESSON-00{n}", component="web") for n in (4, 5)}
    )
    tree(root, {f"{LESSONS}/LESSON-006-b.md": "no frontmatter\n"})
    _, out, err = run(capsys)
    assert "On more than half of all documents:\n  component (1): web (4)\n" in out
    assert any("LESSON-006-b.md: there is no frontmatter" in line for line in err)


def test_a_cold_start(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree(tmp_path, {".git": None}))
    code, out, _ = run(capsys)
    assert (code, out) == (
        0,
        "0 documents; different values: component 0, domain 0, stack 0, concerns 0, tags 0\n",
    )
    code, out, _ = run(capsys, "--fix")
    assert (code, out) == (0, "there is nothing to rename\n")
    assert not (tmp_path / ".adlc").exists()


def test_the_sample_of_the_page(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (FIXTURES.parent.parent / "docs/prior-art.md").read_text(encoding="utf-8")
    (printed,) = re.findall(r"```console\n\$ spectastic taxonomy\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(committed(tmp_path / "repository"))
    assert run(capsys)[:2] == (0, printed)


@pytest.mark.usefixtures("root")
def test_every_option_is_on_the_page(capsys: Capture) -> None:
    page = (FIXTURES.parent.parent / "docs/prior-art.md").read_text(encoding="utf-8")
    options = set(re.findall(r"(?<!\w)--[a-z][a-z-]+", run(capsys, "--help")[1]))
    assert options - set(re.findall(r"--[a-z][a-z-]+", page)) == {"--help", "--config", "--isolated"}
