"""Prior art in `validate`: what is discovered, read and compared, besides the cases of the two rules."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from prior_art import BUGS, FIXTURES, LESSONS, SPECS, document, spec
from repository import Repository
from trees import Link, tree

from spectastic.cli import main
from spectastic.config import Settings
from spectastic.discover import discover
from spectastic.engine import Request, validate
from spectastic.engine import pipeline as running
from spectastic.findings import Span
from spectastic.retrieval.catalogue import Catalogue
from spectastic.retrieval.lifecycle import written_in
from spectastic.retrieval.model import Kind
from spectastic.retrieval.trees import Disk, Snapshot
from spectastic.rules.priors import Priors
from spectastic.source import Source, Unreadable
from spectastic.spec import blanks, cited, extract, gaps, marked
from spectastic.spec.page import read

if TYPE_CHECKING:
    from pathlib import Path

PROVENANCE, PARITY = "prior-art-provenance", "retrieval-status-parity"
CITING = "Fast (informed by LESSON-001).\n"


def found(root: Path, *paths: str, request: Request | None = None, **settings: object) -> list[str]:
    asked = Settings(root=str(root), paths=paths)._replace(**settings)  # type: ignore[arg-type]
    return [f"{finding.path} {finding.message}" for finding in validate(asked, request=request).findings]


def ids(text: str, path: str = "a.md") -> list[str]:
    page = read(Source(path, text.encode()))
    return [mention.id for mention in cited.mentions(page)]


# What is discovered


def test_the_prior_art_root_is_discovered_though_its_name_begins_with_a_dot(tmp_path: Path) -> None:
    files = {
        f"{LESSONS}/LESSON-001-x.md": "---\nid: LESSON-001\n---\n\n<spec-decision>KB-1</spec-decision>\n",
        f"{BUGS}/BUG-001-x.md": "<spec-decision>\n\nKB-0009@1\n",
        f"{SPECS}/REQ-001-x/requirement.md": document(id="REQ-001"),
        ".adlc/context/overview.md": "# X\n",
    }
    tree(tmp_path, files)
    settings = Settings(root=str(tmp_path))
    assert discover(settings).specs == tuple(sorted(files))
    # They are specs as others are: their decisions and citations are checked.
    rules = {finding.rule for finding in validate(settings).findings}
    assert rules >= {"corpus-provenance", "decision-markup"}


def test_settings_that_leave_folders_out_leave_it_out_too(tmp_path: Path) -> None:
    tree(tmp_path, {"a.md": "x\n", f"{LESSONS}/LESSON-001-x.md": "x\n"})
    for left_out in ({"exclude": (".adlc/",)}, {"skip_folders": (".adlc",)}, {"include": ("a.md",)}):
        settings = Settings(root=str(tmp_path))._replace(**left_out)  # type: ignore[arg-type]
        assert discover(settings).specs == ("a.md",)


def test_a_root_that_is_a_link_is_read_where_it_leads(tmp_path: Path) -> None:
    real = {"docs/prior/specs/REQ-001-x/requirement.md": document(id="REQ-001")}
    tree(tmp_path, {**real, ".adlc": Link("docs/prior"), "a.md": "A (informed by REQ-001, REQ-002).\n"})
    assert found(tmp_path) == [
        "a.md REQ-002 has no document below .adlc",
        "docs/prior/specs/REQ-001-x/requirement.md the spec has no section Retrieved Context",
    ]


def test_a_root_that_leads_outside_is_no_root(tmp_path: Path) -> None:
    tree(tmp_path / "other", {"knowledge/lessons/LESSON-001-x.md": document()})
    tree(tmp_path / "here", {".adlc": Link("../other"), "a.md": CITING})
    assert found(tmp_path / "here") == [
        "a.md LESSON-001 has no document below .adlc (.adlc: this link leads outside of the repository)"
    ]


def test_a_document_that_leads_outside_is_none(tmp_path: Path) -> None:
    tree(tmp_path, {"secret.md": document(status="superseded"), "here/a.md": CITING})
    tree(tmp_path / "here", {f"{LESSONS}/LESSON-001-x.md": Link("../../../../secret.md")})
    [message] = [line for line in found(tmp_path / "here") if line.startswith("a.md")]
    assert message == "a.md LESSON-001 has no document below .adlc"


def test_a_template_that_leads_outside_is_not_read(tmp_path: Path) -> None:
    files: dict[str, str | Link] = {
        f"{BUGS}/BUG-001-x.md": document(id="BUG-001") + "[Step one]\n",
        ".adlc/templates": Link("../../elsewhere"),
    }
    tree(tmp_path / "elsewhere", {"bug-template.md": "[Step one]\n"})
    tree(tmp_path / "here", files)
    assert found(tmp_path / "here") == []
    os.unlink(tmp_path / "here/.adlc/templates")
    tree(tmp_path / "here", {".adlc/templates/bug-template.md": "[Step one]\n"})
    assert found(tmp_path / "here") == [f"{BUGS}/BUG-001-x.md Step one was left to be filled in"]


# What is asked, and when


def test_nothing_is_listed_without_an_id_or_a_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.md": "REQ-001 is retrievable, and nobody is informed.\n", "b.md": "REQ-001\n"})
    monkeypatch.setattr("spectastic.retrieval.catalogue.Catalogue.find", pytest.fail)
    assert found(tmp_path) == []


def test_each_rule_can_be_chosen_alone(tmp_path: Path) -> None:
    tree(tmp_path, {".adlc": None, "a.md": f"{CITING}\n<!-- /retrieval-status -->\n"})
    assert found(tmp_path, select=(PROVENANCE,)) == ["a.md LESSON-001 has no document below .adlc"]
    assert found(tmp_path, select=(PARITY,)) == ["a.md this marker ends no block"]
    assert found(tmp_path, ignore=(PARITY, PROVENANCE)) == []


def test_every_number_of_processes_finds_the_same(tmp_path: Path) -> None:
    specs = {f"{SPECS}/REQ-{100 + n}-x/requirement.md": document(id=f"REQ-{100 + n}") for n in range(60)}
    tree(tmp_path, {**specs, **{f"docs/{n}.md": f"A (informed by REQ-{160 - n}).\n" for n in range(60)}})
    alone = found(tmp_path, jobs=1)
    assert len(alone) == 60 + 1
    assert "docs/0.md REQ-160 has no document below .adlc" in alone
    assert found(tmp_path, jobs=2) == alone


def test_one_file_is_checked_like_the_tree(tmp_path: Path) -> None:
    tree(tmp_path, {"a.md": CITING, "finish.sh": "status: draft\n"})
    assert found(tmp_path, "a.md", lifecycle=("*.sh",)) == ["a.md LESSON-001 has no document below .adlc"]
    assert len(found(tmp_path, lifecycle=("*.sh",))) == 2


def test_sarif_has_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree(tmp_path, {".adlc": None, "spectastic.toml": "", "a.md": f"# é\n\n{CITING}"})
    assert main(["validate", "--root", str(tmp_path), "--format", "sarif"]) == 1
    [result] = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (result["ruleId"], result["level"]) == (PROVENANCE, "error")
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (3, 19, 29)


# What is new since a commit


def test_a_document_that_has_gone_makes_its_citations_new(tmp_path: Path) -> None:
    made = Repository(tmp_path, {"a.md": f"{CITING}\nOld (informed by LESSON-009).\n"})
    tree(
        tmp_path, {f"{LESSONS}/LESSON-001-x.md": document(), f"{LESSONS}/other.md": document(id="LESSON-002")}
    )
    made.commit()
    old = f"{LESSONS}/LESSON-001-x.md"
    since = Request(since="HEAD")
    assert found(tmp_path, request=since) == []
    os.unlink(tmp_path / old)
    assert found(tmp_path, request=since) == ["a.md LESSON-001 has no document below .adlc"]


def test_what_a_lifecycle_file_wrote_before_is_old(tmp_path: Path) -> None:
    made = Repository(tmp_path, {"a.md": "x\n", "finish.sh": "status: draft\n"})
    made.commit()
    since, scripts = Request(since="HEAD"), ("*.sh",)
    assert len(found(tmp_path, lifecycle=scripts)) == 1
    assert found(tmp_path, request=since, lifecycle=scripts) == []
    (tmp_path / "finish.sh").write_text("status: draft\nstatus: rejected\n")
    assert found(tmp_path, request=since, lifecycle=scripts) == [
        "finish.sh rejected is written here, and spectastic retrieve leaves it out"
    ]
    assert found(tmp_path, request=since, lifecycle=scripts, ignore=(PARITY, PROVENANCE)) == []


# What retrieval cannot take


def test_the_fixture_corpus_has_each_fault_once(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "corpus", tmp_path, dirs_exist_ok=True)
    told = [
        f"{finding.path.removeprefix('.adlc/')}:{finding.location.line}:{finding.location.column}"
        f" {finding.severity.label} {finding.message}"
        for finding in validate(Settings(root=str(tmp_path))).findings
        if not finding.message.endswith("no section Retrieved Context")
    ]
    bugs, lessons, out = (
        "bugs/BUG-01",
        "knowledge/lessons/LESSON-0",
        "warning retrieve leaves this document out:",
    )
    invalid = "the frontmatter is not valid YAML:"
    mapping = "mapping values are not allowed in this context"
    assert told == [
        f"{bugs}5-mail-loop-again.md:2:5 warning BUG-015 is also the id of .adlc/{bugs}5-mail-loop.md",
        f"{bugs}5-mail-loop.md:2:5 warning BUG-015 is also the id of .adlc/{bugs}5-mail-loop-again.md",
        f"{bugs}6-tab-in-the-head.md:4:1 {out} {invalid} found character that cannot start any token",
        f"{lessons}26-caches-end-at-midnight.md:5:1 warning the field domain cannot be compared",
        f"{lessons}30-notes-of-a-meeting.md:1:1 {out} there is no frontmatter",
        f"{lessons}31-never-closed.md:1:1 {out} the frontmatter opens on the first line and is never closed",
        f"{lessons}32-a-colon-too-many.md:3:15 {out} {invalid} {mapping}",
        f"{lessons}33-merged-in-a-hurry.md:3:1 {out} a merge conflict is left here: <<<<<<< HEAD",
        f"{lessons}34-a-list.md:2:1 {out} the frontmatter cannot be taken as it is: it is no list of fields",
        # What is no text is told once.
        f"{lessons}35-latin.md:3:10 error the file is not UTF-8: byte 0xe4 at offset 28",
        "specs/REQ-014-timetable-api/requirement.md:4:1 warning the field status cannot be compared",
        f"specs/REQ-016-half-a-head/requirement.md:4:7 {out} {invalid} did not find expected ',' or ']'",
    ]


def test_what_the_page_shows_is_what_validate_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES.parent.parent)
    page = (FIXTURES.parent.parent / "docs/prior-art.md").read_text(encoding="utf-8")
    [(options, sample)] = re.findall(r"```console\n\$ spectastic validate (.*?)\n(.*?)\n```", page, re.DOTALL)
    assert main(["validate", *options.split()]) == 1
    printed = capsys.readouterr().out.splitlines()
    shown = [line for line in sample.splitlines() if line != "…"]
    assert [line for line in printed if line in shown] == shown


def test_validate_names_what_retrieve_does_in_the_same_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(FIXTURES / "corpus", tmp_path, dirs_exist_ok=True)
    assert main(["retrieve", "--root", str(tmp_path), "--isolated", "--component", "gate/scanner"]) == 0
    lines = capsys.readouterr().err.splitlines()
    retrieved = {line.split(": ", 3)[3] for line in lines if line.startswith("spectastic: left out: ")}
    retrieved |= {line.split("taken, but ")[1].split(": ", 1)[1] for line in lines if "taken, but " in line}
    assert len(retrieved) == 10
    told = {
        f"{finding.message.removeprefix('retrieve leaves this document out: ')} ({finding.hint})"
        for finding in validate(Settings(root=str(tmp_path))).findings
    }
    assert retrieved - told == {"the frontmatter is not UTF-8 (save it as UTF-8)"}


def test_an_id_that_somebody_else_takes_is_new_in_both_documents(tmp_path: Path) -> None:
    made = Repository(tmp_path, spec("001"))
    made.commit()
    old = f"{SPECS}/REQ-001-x/requirement.md"
    tree(tmp_path, {f"{BUGS}/BUG-001-x.md": document(id="REQ-001")})
    told = [line for line in found(tmp_path, request=Request(since="HEAD")) if "REQ-001" in line]
    assert told == [
        f"{BUGS}/BUG-001-x.md REQ-001 is also the id of {old}",
        f"{old} REQ-001 is also the id of {BUGS}/BUG-001-x.md",
    ]
    made.commit()
    assert found(tmp_path, request=Request(since="HEAD")) == []


def test_documents_are_not_looked_through_for_a_spec_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {**spec("001"), "a.md": "A (informed by REQ-001).\n"})
    monkeypatch.setattr("spectastic.retrieval.catalogue.Catalogue.called", pytest.fail)
    assert found(tmp_path, "a.md") == []


def test_what_cannot_be_read_has_no_id() -> None:
    files = {f"{BUGS}/BUG-001-x.md": document(id="X").encode(), f"{BUGS}/BUG-003.md": b"---\nid: X\n"}
    unreadable = Unreadable(f"{BUGS}/BUG-002-x.md", "it may not be read")
    snapshot = Snapshot([*files, unreadable.path], lambda path: files.get(path, unreadable))  # type: ignore[arg-type]
    catalogue = Catalogue(snapshot, ".adlc")
    assert list(catalogue.called("X")) == [f"{BUGS}/BUG-001-x.md"]
    assert catalogue.called("BUG-002") == catalogue.called("BUG-003") == {}


# A change that was interrupted


INTERRUPTED = "a change of the prior art was interrupted, or is being made now: some files are old, some new"


@pytest.mark.parametrize("folder", [".adlc", "docs/prior art"])
def test_a_change_that_was_interrupted_is_told(folder: str, tmp_path: Path) -> None:
    made = Repository(tmp_path, {"a.md": "x\n", f"{folder}/bugs/BUG-001-x.md": document(id="BUG-001")})
    made.commit()
    journal = f"{folder}/.spectastic/journal.json"
    tree(tmp_path, {journal: "{}"})
    assert found(tmp_path, prior_art_root=folder) == [f"{journal} {INTERRUPTED}"]
    assert found(tmp_path, prior_art_root=folder, request=Request(since="HEAD")) == [
        f"{journal} {INTERRUPTED}"
    ]
    assert found(tmp_path, prior_art_root=folder, select=(PARITY,)) == [f"{journal} {INTERRUPTED}"]
    assert found(tmp_path, prior_art_root=folder, ignore=(PARITY,)) == []
    with_lifecycle = found(
        tmp_path, prior_art_root=folder, lifecycle=("none.sh",), request=Request(since="HEAD")
    )
    assert f"{journal} {INTERRUPTED}" in with_lifecycle
    (tmp_path / journal).unlink()
    assert found(tmp_path, prior_art_root=folder) == []


def test_a_root_that_is_a_link_has_its_journal_where_it_leads(tmp_path: Path) -> None:
    tree(tmp_path, {"docs/prior/.spectastic/journal.json": "{}", ".adlc": Link("docs/prior"), "a.md": "x\n"})
    assert found(tmp_path) == [f"docs/prior/.spectastic/journal.json {INTERRUPTED}"]


# Where it is read from


def test_a_commit_lists_what_the_disk_does(tmp_path: Path) -> None:
    files = {
        f"{LESSONS}/LESSON-001-x.md": document(),
        f"{LESSONS}/.LESSON-002.md": document(),
        f"{LESSONS}/LESSON-003.txt": document(),
        f"{LESSONS}/deep/LESSON-004.md": document(),
        f"{SPECS}/REQ-001-x/requirement.md": document(),
        f"{SPECS}/REQ-002-x/deep/requirement.md": document(),
        f"{SPECS}/REQ-003-x/architecture.md": document(),
        f"{SPECS}/requirement.md": document(),
        f"{SPECS}/.hidden/requirement.md": document(),
    }
    tree(tmp_path, files)
    disk, snapshot = Disk(str(tmp_path)), Snapshot(files, lambda path: files[path].encode())
    for kind in Kind:
        assert snapshot.listed(".adlc", kind).paths == disk.listed(".adlc", kind).paths
    assert snapshot.listed(".adlc", Kind.LESSON).paths == (f"{LESSONS}/LESSON-001-x.md",)
    assert list(snapshot.files()) == list(disk.files()) == sorted(files)
    assert snapshot.home(".adlc") == disk.home(".adlc") == ".adlc"
    path = f"{LESSONS}/LESSON-001-x.md"
    assert snapshot.read(path) == disk.read(path) == document().encode()


def test_files_pass_over_links_and_the_folders_of_tools(tmp_path: Path) -> None:
    tree(
        tmp_path, {".git/x": "", "node_modules/x": "", "b/x": "", "a": "", "link": Link("a"), "c": Link("b")}
    )
    assert Disk(str(tmp_path)).files() == ["a", "b/x"]
    assert isinstance(Disk(str(tmp_path)).read("nothing"), Unreadable)
    assert Disk(str(tmp_path / "nowhere")).files() == []


def test_an_id_is_found_by_name_and_by_field(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            f"{SPECS}/REQ-120-x/requirement.md": document(id="REQ-120", status="Draft", title="A"),
            f"{SPECS}/REQ-1200/requirement.md": document(id="REQ-007"),
            f"{SPECS}/REQ-1234567-x/requirement.md": document(id="REQ-1234567"),
            f"{BUGS}/BUG-001.md": "no frontmatter\n",
            f"{BUGS}/notes.md": document(id="BUG-002"),
            f"{LESSONS}/LESSON-12.md": document(id=None),
            "theirs/bugs/BUG-003-x.md": document(id="BUG-003", status="closed"),
        },
    )
    catalogue = Catalogue(Disk(str(tmp_path)), ".adlc", ["theirs", "nowhere"])
    assert [(entry.id, entry.status, entry.title) for entry in catalogue.find("REQ-120")] == [
        ("REQ-120", "draft", "A")
    ]
    paths = {name: [entry.path for entry in catalogue.find(name)] for name in ("REQ-1200", "REQ-007")}
    assert paths["REQ-1200"] == paths["REQ-007"] == [f"{SPECS}/REQ-1200/requirement.md"]
    assert catalogue.ids() >= {"REQ-120", "REQ-1200", "REQ-007", "BUG-001", "BUG-002", "BUG-003"}
    assert catalogue.find("REQ-12") == catalogue.find("LESSON-012") == catalogue.find("BUG-004") == ()
    assert catalogue.find("") == catalogue.find("REQ-123456") == ()
    assert catalogue.kind("theirs/bugs/BUG-003-x.md") is None
    assert catalogue.kind(f"{BUGS}/notes.md") is Kind.BUG
    assert sorted(entry.status for entry in catalogue.specs()) == ["", "", "draft"]


@pytest.mark.parametrize(
    ("line", "statuses"),
    [
        ("status: complete", ["complete"]),
        ("Set `status: complete`, then status: approved.", ["complete", "approved"]),
        ('"status": "In-Review"', ["in-review"]),
        ("**Status:** draft", ["draft"]),
        ("status:deployed", ["deployed"]),
        ("sed 's/^status: .*/status: complete/'", ["complete"]),
        ('[ "$line" = "status: draft" ] || exit', []),
        ('line="status: complete"', ["complete"]),
        ('line = "status: complete"', ["complete"]),
        ("The spec must be `status: draft` to begin.", []),
        ("It stays `status: draft` until somebody has read it.", []),
        ("Retrieval leaves out `status: draft`.", []),
        ("Don't forget to set `status: complete`.", ["complete"]),
        ("Do not forget to set `status: complete`.", ["complete"]),
        ("Do not set `status: complete`.", []),
        ("status: draft | approved", []),
        ("status: draft|approved", []),
        ("status: open/closed", []),
        ("my-status: draft, retrieval-status: draft, thestatus: draft", []),
        ("status: <new>, status: $new, status: 3", []),
        ("status draft; set the status to draft", []),
        ("status:\n  draft", []),
    ],
)
def test_what_sets_a_status(line: str, statuses: list[str]) -> None:
    assert [written.status for written in written_in("a.sh", line.encode())] == statuses


def test_a_block_of_written_statuses_counts_in_markdown_only() -> None:
    data = (
        b"<!-- retrieval-status: lifecycle-write -->\n- `done`\n- status: done\n<!-- /retrieval-status -->\n"
    )
    assert [written.span for written in written_in("a.md", data)] == [
        Span(46, 50),
        Span(54, 60),
        Span(62, 66),
    ]
    assert [written.span for written in written_in("a.txt", data)] == [Span(62, 66)]


# What a document says


def test_a_block_of_left_out_statuses_writes_none() -> None:
    data = b"<!-- retrieval-status: spec-exclude -->\n- `draft`\n<!-- /retrieval-status -->\n"
    assert list(written_in("a.md", data)) == []


def test_a_block_ends_a_bracket() -> None:
    assert ids("- (informed by REQ-001\n- REQ-002)\n\n(informed by REQ-003\n\nREQ-004\n") == [
        "REQ-001",
        "REQ-003",
    ]


def test_a_bracket_that_is_never_closed_ends_with_its_block_or_the_text() -> None:
    assert ids("(see above\n\ninformed by REQ-001)\n") == []
    assert ids("x (informed by REQ-001", "a.html") == ["REQ-001"]


def test_code_that_overlaps_moves_nothing() -> None:
    page = read(Source("a.html", b"<code>a<kbd>bc</code>de</kbd> (informed by REQ-001)"))
    assert page.masked == "      (informed by REQ-001)"
    assert len(page.masked) == len(page.text)


def test_a_comment_ends_with_its_block() -> None:
    text = b"> <!-- open\n\n<!-- /retrieval-status -->\n"
    assert [block.kind for block in marked.blocks(read(Source("a.md", text)))] == [marked.STRAY]


def test_a_code_block_is_no_status() -> None:
    text = b"<!-- retrieval-status: spec-exclude -->\n- ```\n  x\n  ```\n<!-- /retrieval-status -->\n"
    [block] = marked.blocks(read(Source("a.md", text)))
    assert (block.statuses, block.closed) == ((), True)


@pytest.mark.parametrize(
    "text",
    [
        "> x (informed\n> by REQ-001)\n",
        "- [x] y (informed by [REQ-001](a.md \"t\"))\n",
        "x (we were informed by *REQ*-001)\n",
        "x [INFORMED BY REQ-001]\n",
        "x (informed by &#82;EQ-001)\n",
        "| a |\n|---|\n| (informed by REQ-001) |\n",
        "x[^1]\n\n[^1]: (informed by REQ-001)\n",
        "<details>\n<summary>x (informed by REQ-001)</summary>\n</details>\n",
        "<spec-decision>\n\n(informed by REQ-001)\n\n</spec-decision>\n",
        "# Retrieved `Context`\n\nREQ-001\n",
        "Retrieved Context\n---\nREQ-001\n\n# Next\nREQ-002\n",
        "## Retrieved Context\n### Retrieved Context\nREQ-001\n## Next\nREQ-002\n",
        "---\nx: (informed by REQ-009)\n---\n(informed by REQ-001)\n",
        "# A title as long as the fields\n\n---\nx: (informed by REQ-009)\n---\n(informed by REQ-001)\n",
        "<code>(informed by\n\n(informed by REQ-001)\n",
        "<code><code></code> (informed by REQ-001)\n",
        "</code>(informed by REQ-001)\n",
        "<pre><code>(informed by REQ-009)</code></pre>\n\n(informed by REQ-001)\n",
    ],
)  # fmt: skip
def test_every_form_is_read(text: str) -> None:
    assert ids(text) == ["REQ-001"]
    assert ids(text.replace("\n", "\r\n")) == ["REQ-001"]


def test_html_is_read_as_a_browser_shows_it() -> None:
    text = (
        "<template>(informed by REQ-001)</template><!-- (informed by REQ-002) -->"
        "<pre>(informed by REQ-003)</pre>"
        "<p>(informed by REQ-004 <samp>REQ-005</samp><p>REQ-006)</p><spec-decision>(informed by REQ-007)"
        "</spec-decision><h2>Retrieved context</h2>REQ-008<h3>x</h3>REQ-009<h1>y</h1>REQ-010"
    )
    assert ids(text, "a.html") == ["REQ-004", "REQ-007", "REQ-008", "REQ-009"]


def test_the_hint_is_all_that_a_spec_costs() -> None:
    assert not extract(Source("a.md", b"REQ-001 LESSON-002")).prior_art
    for text in (b"RETRIEVED\nContext", b"Informed By", b"retrieval-status"):
        assert extract(Source("a.md", text)).prior_art
        assert extract(Source("a.md", b"<spec-decision>" + text)).prior_art
        assert extract(Source("a.md", b"\r\n<spec-decision>" + text)).prior_art


def test_blocks_may_stand_in_lists_and_quotes() -> None:
    text = (
        "- x\n  <!-- retrieval-status: spec-exclude -->\n  - `a` `b`\n  - c d\n    - e\n  -\n"
        "  <!-- /retrieval-status -->\n- f\n"
    )
    [block] = marked.blocks(read(Source("a.md", text.encode())))
    assert [word.text for word in block.statuses] == ["a", "c", "e"]
    assert block.closed


def test_a_code_span_that_is_not_written_as_it_is_shown_is_pointed_at_as_a_whole() -> None:
    text = b"<!-- retrieval-status: spec-exclude -->\n- `a\n  b`\n\n  ```\n  c\n  ```\n"
    [block] = marked.blocks(read(Source("a.md", text)))
    assert [(word.text, word.span) for word in block.statuses] == [("a b", Span(42, 49))]


def test_more_gaps_than_are_compared_are_told() -> None:
    head = "## Assumptions\n\nx\n\n## Provenance\n\n| Gap | Disposition |\n|---|---|\n"
    rows = "".join(f"| gap {n} | assumed |\n" for n in range(gaps.MAX_GAPS + 5))
    problems = list(gaps.unmirrored(read(Source("a.md", (head + rows).encode()))))
    assert len(problems) == gaps.MAX_GAPS + 1
    assert problems[-1].message == "only the first 200 gaps are compared"


def test_tables_without_the_two_columns_have_no_gaps() -> None:
    text = (
        "## Provenance\n\n| Gap |\n|---|\n| x |\n\n## X\n\n| Gap | Disposition |\n|---|---|\n| x | open |\n"
    )
    assert list(gaps.unmirrored(read(Source("a.md", text.encode())))) == []


def test_the_title_of_another_document_is_no_blank(tmp_path: Path) -> None:
    entry = "- LESSON-001 (lesson, score 2): [Rule statement …]\n"
    spec = f"---\nid: REQ-001\nstatus: open\n---\n\n[Rule of ours …]\n\n## Retrieved Context\n\n{entry}"
    lesson = "---\nid: LESSON-001\ntitle: x\n---\n"
    files = {"specs/REQ-001-x/requirement.md": spec, "knowledge/lessons/LESSON-001-x.md": lesson}
    tree(tmp_path, {f".adlc/{name}": text for name, text in files.items()})
    said = [finding.message for finding in validate(Settings(str(tmp_path))).findings]
    assert said == ["Rule of ours … was left to be filled in"]


def test_long_values_are_no_blanks() -> None:
    page = read(
        Source("a.md", f'---\na: "<{"x" * 300}>"\nb: <x>\nc: a | b\n---\n[{"x" * 300} ...]\n'.encode())
    )
    assert [blank.text for blank in blanks.left(page, frozenset())] == ["<x>", "a | b"]


@pytest.mark.parametrize(
    ("title", "blank"),
    [
        ("a | b", False),
        ("<T>", False),
        ("[x]", False),
        ("Use List<int>", False),
        ("[Title]", True),
        ("<Feature name>", True),
        ("[what the bug was]", True),
        ("[WIP] Title of the page", False),
    ],
)
def test_a_title_may_have_brackets(title: str, blank: bool) -> None:
    page = read(Source("a.md", f'---\ntitle: "{title}"\n---\n'.encode()))
    assert [found.text for found in blanks.left(page, frozenset())] == ([title] if blank else [])


def test_the_configuration_is_pointed_at_where_it_is_known(tmp_path: Path) -> None:
    tree(tmp_path, {"spectastic.toml": 'lifecycle = ["x"]\n'})
    here = Priors(str(tmp_path), ".adlc", (), ("x",), "spectastic.toml")
    assert here.place_of("x") == Span(14, 15)
    assert here.place_of("y") == Span(0, 0)
    assert Priors(str(tmp_path / "nowhere"), ".adlc", (), ("x",)).place_of("x") == Span(0, 0)


@pytest.mark.parametrize(
    ("origin", "path"),
    [
        ("pyproject.toml:12", "pyproject.toml"),
        ("../up/spectastic.toml:3", "spectastic.toml"),
        ("--lifecycle", "spectastic.toml"),
    ],
)
def test_the_file_that_names_lifecycle_files(tmp_path: Path, origin: str, path: str) -> None:
    tree(tmp_path, {"a.md": ""})
    assert found(tmp_path, lifecycle=("gone",), origins={"lifecycle": origin}) == [
        f"{path} no file matches gone"
    ]


def test_a_lifecycle_file_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"a.sh": "status: draft\n", "b.sh": "status: complete\n"})
    read_it = Disk.read
    trouble = Unreadable("a.sh", "the file cannot be read: permission denied")
    monkeypatch.setattr(Disk, "read", lambda self, path: trouble if path == "a.sh" else read_it(self, path))
    assert found(tmp_path, lifecycle=("*.sh",)) == ["a.sh the file cannot be read: permission denied"]


@pytest.mark.parametrize(
    "piece",
    [
        "(informed by ", "(informed by REQ-001 ", "informed by ", "# Retrieved Context\n\n", "[", "((((",
        "<!-- retrieval-status: spec-exclude -->\n", "<code>", "`", "<h1>", "[a", "status: ", "REQ-1",
        "| a |\n|---|\n",
    ],
)  # fmt: skip
def test_hostile_text_is_read_in_the_end(piece: str, tmp_path: Path) -> None:
    """Each of these would not end within the patience of a test run if it cost the square of its length."""
    tree(
        tmp_path,
        {f"{SPECS}/REQ-001-x/requirement.md": piece * (300_000 // len(piece)), "a.html": piece * 9_000},
    )
    assert running.check(running.prepare(Settings(root=str(tmp_path)), Request())).tally.specs == 2


def test_what_new_writes_where_specs_are_suppressed_is_no_citation(tmp_path: Path) -> None:
    text = "Spec corpus suppressed by status filter — see stderr warning (BUG-194)."
    tree(tmp_path, {".adlc": None, "a.md": f"## Retrieved Context\n\n{text}\n\nBUG-195\n"})
    assert found(tmp_path, select=(PROVENANCE,)) == ["a.md BUG-195 has no document below .adlc"]
