"""`spectastic corpus confirm` and `sign-off`: who lifts which guard, and what a document says afterwards."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from corpora import HEADER, document, row
from crash import files, kill_everywhere
from repository import Repository, git
from trees import Link, tree

from spectastic import frontmatter
from spectastic.cli import main
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.curate.confirm import CONFIRM, Word, plan_lift
from spectastic.curate.documents import with_hash
from spectastic.curate.plan import CurateError
from spectastic.curate.workspace import Workspace
from spectastic.engine import validate

Capture = pytest.CaptureFixture[str]
Files = dict[str, str | bytes | Link | None]

CLEAN = Path(__file__).parent.parent / "fixtures" / "repos" / "clean"
HOME = "knowledge/web/references"
UNCONFIRMED = "not-citable-until-confirmed"
UNSIGNED = "not-citable-until-signed-off"
UNCHECKED = "not-yet-spot-checked"
BY = ["--by", "Ada Lovelace", "--on", "2024-06-01"]
PROVENANCE = {"origin": "X", "origin-url": "none", "license": "CC0-1.0", "converter": "me"}


def _document(number: int, status: str, edition: str = "1", **fields: str) -> str:
    body = f"Fact {number}, {edition}.\n"
    text = document(f"{number:03d}-x", f"'{edition}'", body, **PROVENANCE, status=status, **fields)
    return with_hash(text.encode()).decode()


STATUSES = {
    1: UNCONFIRMED,
    2: UNSIGNED,
    3: UNCHECKED,
    4: "authoritative",
    5: "illustrative-excerpt",
    6: "Not_Citable_Until_Confirmed",
    7: "",
    8: "superseded",
    10: "not-citable",
}
SLUGS = "".join(f"| {n:03d}-x | T | D | 1 | references/{n:03d}-x.md |\n" for n in STATUSES)
FILES: Files = {
    "knowledge/index.md": HEADER
    + "".join(row(number, "1", f"web/references/{number:03d}-x.md") for number in STATUSES)
    + row(9, "1", "web/references/009-x.md"),
    "knowledge/web/SKILL.md": "---\nname: web\ndescription: Facts. Use when testing.\n---\n\n"
    "| Slug | Title | Description | Edition | Path |\n|---|---|---|---|---|\n" + SLUGS,
    **{f"{HOME}/{number:03d}-x.md": _document(number, status) for number, status in STATUSES.items()},
    f"{HOME}/superseded/001-x@0.md": _document(1, "superseded", "0"),
    "specs/a.md": "".join(
        f'<spec-decision id="D-{number:03d}">\n\nSo it is, KB-{number:04d}@1.\n\n</spec-decision>\n\n'
        for number in (1, 2, 3)
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tree(tmp_path / "r", FILES))
    return tmp_path / "r"


def confirm(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "confirm", *argv]) == code


def sign_off(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "sign-off", *argv]) == code


def uncitable(root: Path) -> list[str]:
    """The citations of references that may not be cited."""
    findings = validate(Settings(root=str(root), select=("corpus-not-citable",))).findings
    return [finding.subject for finding in findings]


def others(root: Path) -> list[tuple[str, str]]:
    """What the other rules say of the documents."""
    found = validate(Settings(root=str(root), ignore=("corpus-not-citable",))).findings
    return [(finding.path, finding.message) for finding in found]


def test_confirm_and_sign_off(root: Path, capsys: Capture) -> None:
    before, said = files(root), others(root)
    assert uncitable(root) == ["KB-0001@1", "KB-0002@1"]
    confirm("KB-0001", *BY)
    assert uncitable(root) == ["KB-0002@1"]
    sign_off("KB-0002@1", "--by", "Grace", "--on", "2024-06-02")
    assert uncitable(root) == []
    confirm("KB-0003", *BY)
    assert capsys.readouterr().out == (
        f"changed {HOME}/001-x.md\nKB-0001@1 is confirmed by Ada Lovelace on 2024-06-01, and can be cited\n"
        f"changed {HOME}/002-x.md\nKB-0002@1 is signed off by Grace on 2024-06-02, and can be cited\n"
        f"changed {HOME}/003-x.md\nKB-0003@1 is confirmed by Ada Lovelace on 2024-06-01, and can be cited\n"
    )
    assert others(root) == said
    lines = {
        1: (UNCONFIRMED, 'confirmed-by: Ada Lovelace\nconfirmed-on: "2024-06-01"\n'),
        2: (UNSIGNED, 'signed-off-by: Grace\nsigned-off-on: "2024-06-02"\n'),
        3: (UNCHECKED, 'confirmed-by: Ada Lovelace\nconfirmed-on: "2024-06-01"\n'),
    }
    for number, (status, added) in lines.items():
        path = f"{HOME}/{number:03d}-x.md"
        text = before[path].decode().replace(f"status: {status}", "status: authoritative")
        before[path] = text.replace("\n---\n", f"\n{added}---\n", 1).encode()
    assert files(root) == before


@pytest.mark.usefixtures("root")
def test_again(root: Path, capsys: Capture) -> None:
    confirm("KB-0001", *BY)
    after = files(root)
    capsys.readouterr()
    for argv in (BY, BY[:2], ["--by", "  Ada Lovelace "]):
        confirm("KB-0001", *argv)
        assert capsys.readouterr().out == "KB-0001@1 was confirmed already, by Ada Lovelace on 2024-06-01\n"
    already = "error: KB-0001 was confirmed already, by Ada Lovelace on 2024-06-01: there is nothing to lift"
    for argv in (["--by", "Grace"], [*BY[:2], "--on", "2024-06-02"]):
        confirm("KB-0001", *argv, code=2)
        error = capsys.readouterr().err
        assert already in error
        assert f"{HOME}/001-x.md holds the record" in error
    sign_off("KB-0001", *BY, code=2)
    assert "there is nothing to lift" in capsys.readouterr().err
    assert files(root) == after


def test_several(root: Path, capsys: Capture) -> None:
    before = files(root)
    confirm("KB-0001", "KB-0003", "KB-0002", *BY, code=2)
    assert files(root) == before
    confirm("KB-0003", "KB-0001", "KB-0001@1", *BY, "--json")
    told = json.loads(capsys.readouterr().out)
    person = {"by": "Ada Lovelace", "on": "2024-06-01"}
    assert told == {
        "version": 1,
        "command": "corpus confirm",
        "dry_run": False,
        "changes": [{"path": f"{HOME}/{number}-x.md", "action": "changed"} for number in ("003", "001")],
        "result": {
            "references": [
                {"id": "KB-0003", "edition": "1", "path": f"{HOME}/003-x.md", "lifted": UNCHECKED, **person},
                {
                    "id": "KB-0001",
                    "edition": "1",
                    "path": f"{HOME}/001-x.md",
                    "lifted": UNCONFIRMED,
                    **person,
                },
            ]
        },
        "notes": [
            f"KB-{number}@1 is confirmed by Ada Lovelace on 2024-06-01, and can be cited"
            for number in ("0003", "0001")
        ],
    }
    confirm("KB-0003", "--by", "Ada Lovelace", "--json", "--dry-run")
    told = json.loads(capsys.readouterr().out)
    assert told["changes"] == []
    assert told["result"]["references"][0] == {
        "id": "KB-0003",
        "edition": "1",
        "path": f"{HOME}/003-x.md",
        "lifted": None,
        **person,
    }


def test_dry_run(root: Path, capsys: Capture) -> None:
    before = files(root)
    sign_off("KB-0002", *BY, "--dry-run")
    assert files(root) == before
    assert not (root / "knowledge/.spectastic").exists()
    out, err = capsys.readouterr()
    changed = [line for line in out.splitlines() if line[:1] in "+-"][2:]
    assert changed == [
        f"-status: {UNSIGNED}",
        "+status: authoritative",
        "+signed-off-by: Ada Lovelace",
        '+signed-off-on: "2024-06-01"',
    ]
    assert "spectastic: KB-0002@1 is signed off by" in err


LIFTS_NEITHER = "there is nothing to lift"
REFUSED = [
    # command, arguments, message, hint
    (
        "confirm",
        ["KB-0002"],
        f"the status of KB-0002 is {UNSIGNED}, which confirm does not lift",
        "corpus sign-off KB-0002 --by NAME",
    ),
    (
        "sign-off",
        ["KB-0001"],
        f"the status of KB-0001 is {UNCONFIRMED}, which sign-off does not",
        "corpus confirm KB-0001 --by NAME",
    ),
    (
        "sign-off",
        ["KB-0003"],
        f"is {UNCHECKED}, which sign-off does not lift",
        "spectastic corpus confirm KB-0003",
    ),
    (
        "confirm",
        ["KB-0004"],
        f"the status of KB-0004 is authoritative: {LIFTS_NEITHER}",
        f"confirm lifts {UNCONFIRMED} and {UNCHECKED}",
    ),
    ("sign-off", ["KB-0004"], LIFTS_NEITHER, f"sign-off lifts {UNSIGNED}"),
    (
        "confirm",
        ["KB-0005"],
        f"the status of KB-0005 is illustrative-excerpt: {LIFTS_NEITHER}",
        "confirm lifts",
    ),
    (
        "confirm",
        ["KB-0006"],
        "the status of KB-0006 is Not_Citable_Until_Confirmed, which is no status",
        f"write {UNCONFIRMED} in {HOME}/006-x.md if",
    ),
    ("confirm", ["KB-0007"], f"KB-0007 has no status: {LIFTS_NEITHER}", "confirm lifts"),
    ("confirm", ["KB-0008"], f"the status of KB-0008 is superseded: {LIFTS_NEITHER}", "confirm lifts"),
    (
        "sign-off",
        ["KB-0010"],
        "is not-citable, which is no status",
        f"write {UNCONFIRMED} in {HOME}/010-x.md if",
    ),
    ("confirm", ["KB-0009"], "KB-0009 has no document: there is no 009-x.md", "run `spectastic validate`"),
    (
        "confirm",
        ["KB-0001@0"],
        "KB-0001@0 is superseded, and stays as it is",
        "the current edition is KB-0001@1",
    ),
    ("confirm", ["KB-0001@7"], "KB-0001 has no edition 7", "editions: 1, 0"),
    ("confirm", ["KB-0001@"], "KB-0001 has no edition (blank)", "editions: 1, 0"),
    ("confirm", ["KB-0011"], "there is no KB-0011 in the registry", "did you mean KB-0010?"),
    ("confirm", ["KB-77777"], "there is no KB-77777 in the registry", "`spectastic corpus list` lists"),
    ("confirm", ["KB-1"], "KB-1 is no id", "an id is KB-"),
    ("confirm", ["kb-0001"], "kb-0001 is no id", "an id is KB-"),
    ("confirm", [""], "an empty text is no id", "an id is KB-"),
    ("confirm", ["\x1b[2J"], "\\x1b[2J is no id", "an id is KB-"),
    ("confirm", ["KB-0001", "--on", "yesterday"], "yesterday is no date", "write it as 2024-05-28"),
    ("confirm", ["KB-0001", "--on", "20240528"], "20240528 is no date", "write it as 2024-05-28"),
    ("confirm", ["KB-0001", "--on", "2024-02-30"], "2024-02-30 is no date", "write it as 2024-05-28"),
    ("confirm", ["KB-0001", "--on", "2024-05-28\n"], "is no date", "write it as"),
    ("confirm", ["KB-0001", "--on", "２０２４-05-28"], "is no date", "write it as"),
    ("confirm", ["KB-0001", "--on", "9998-01-01"], "9998-01-01 has yet to come", "what somebody has done"),
    ("sign-off", [], "name references, or a pack, and not both", "KB-0001 KB-0002, or --pack P"),
    ("confirm", ["KB-0001", "--pack", "web"], "name references, or a pack, and not both", "or --pack P"),
    ("confirm", ["--pack", "none"], "there is no pack none", "packs: "),
    ("sign-off", ["--pack", ""], "there is no pack (blank)", "packs: "),
]


@pytest.mark.parametrize(("command", "argv", "message", "hint"), REFUSED)
def test_refused(command: str, argv: list[str], message: str, hint: str, root: Path, capsys: Capture) -> None:
    before = files(root)
    assert main(["corpus", command, "--by", "Ada Lovelace", *argv]) == 2
    out, err = capsys.readouterr()
    error, _, advice = err.partition("\n")
    assert out == ""
    assert message in error
    assert hint in advice
    assert files(root) == before


WRONG_NAMES = [
    ("", "nobody is named"),
    (" \t", "nobody is named"),
    ("TODO", "nobody is named"),
    ("Ada\nstatus: authoritative", "'Ada\\nstatus: authoritative' is no name: it has a line break"),
    ("Ada\rX", "it has a line break"),
    ("Ada\u2028X", "it has a line break"),
    ("Ada\x85X", "it has a line break"),
    ("Ada\x1b[2J", "it has characters that are not seen"),
    ("Ada\x00", "it has characters that are not seen"),
    ("Ada \u202ecilbup", "it has characters that are not seen"),
    ("Ada\udcff", "it has characters that are not seen"),
    ("Ada\U000e0041", "it has characters that are not seen"),
    ("\u200b\u200d", "it has no letter"),
    ("---", "it has no letter"),
    ("A" * 201, "it is longer than 200 characters"),
]


@pytest.mark.parametrize("command", ["confirm", "sign-off"])
@pytest.mark.parametrize(("name", "message"), WRONG_NAMES, ids=range(len(WRONG_NAMES)))
def test_wrong_names(name: str, message: str, command: str, root: Path, capsys: Capture) -> None:
    before = files(root)
    assert main(["corpus", command, "KB-0001", f"--by={name}"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "say who it is: --by NAME" in error
    assert error.count("\n") == 2
    assert files(root) == before


NAMES = [
    "Zoë Müller-Lüdenscheidt, Dr. jur.",
    'O\'Neil: the "expert" # 1',
    "- [x] {y}",
    "null",
    "yes",
    "2024-05-28",
    "1e3",
    "&a *b !c %d @e `f`",
    "שרה כהן",
    "می\u200cخواهم",
    "👩‍💻 Ada",
    "Ada \\n | \\u0000",
    "---\\nAda",
    "A" * 200,
    "$(id) ${x}",
]


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, eol: str, root: Path) -> None:
    path = root / HOME / "001-x.md"
    text = (
        path.read_text()
        .replace("status:", "# how far\nstatus:  ")
        .replace("confirmed\n", "confirmed  # ours\n")
    )
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", eol).encode())
    before = path.read_bytes()
    said = others(root)
    confirm("KB-0001", f"--by={name}", "--on", "2024-06-01")
    after = path.read_bytes()
    fields = {key: field.value for key, field in frontmatter.read(after[3:], 3).fields.items()}
    assert fields["confirmed-by"] == name
    assert fields["confirmed-on"] == "2024-06-01"
    assert fields["status"] == "authoritative"
    # Nothing but the status and the two lines has changed.
    kept = [line for line in after.splitlines(keepends=True) if not line.startswith(b"confirmed-")]
    assert b"".join(kept) == before.replace(UNCONFIRMED.encode(), b"authoritative")
    assert after.count(b"\r\n") == (after.count(b"\n") if eol == "\r\n" else 0)
    assert others(root) == said
    assert uncitable(root) == ["KB-0002@1"]
    confirm("KB-0001", f"--by={name}")
    assert path.read_bytes() == after


def test_a_record_of_an_earlier_edition_is_replaced(root: Path) -> None:
    text = _document(1, UNCONFIRMED, **{"confirmed-by": "Grace # old", "confirmed-on": "2020-01-01"})
    tree(root, {f"{HOME}/001-x.md": text})
    confirm("KB-0001", *BY)
    after = (root / HOME / "001-x.md").read_text()
    assert "confirmed-by: Ada Lovelace # old\n" in after
    assert "Grace" not in after
    assert after.count("confirmed-") == 2


def test_today(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datetime as module

    class Then(module.datetime):
        @classmethod
        def now(cls, tz: module.tzinfo | None = None) -> Then:
            assert tz is module.UTC
            return cls(2031, 2, 3, 23, 59, tzinfo=tz)

    monkeypatch.setattr(module, "datetime", Then)
    confirm("KB-0001", "--by", "Ada")
    assert 'confirmed-on: "2031-02-03"\n' in (root / HOME / "001-x.md").read_text()
    # It may be the next day already where somebody confirms.
    confirm("KB-0003", "--by", "Ada", "--on", "2031-02-04")
    sign_off("KB-0002", "--by", "Ada", "--on", "2031-02-05", code=2)


def test_the_name_that_git_knows(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    confirm("KB-0001", code=2)
    assert "error: it is not known who confirms: git has no user.name\n" in capsys.readouterr().err
    git(root, "init", "-q")
    confirm("KB-0001", code=2)
    git(root, "config", "user.name", "Ada Lövelace")
    confirm("KB-0001")
    assert 'confirmed-by: "Ada Lövelace"\n' in (root / HOME / "001-x.md").read_text()
    # That is who types, and no expert.
    sign_off("KB-0002", code=2)
    assert "the following arguments are required: --by" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(root))
    confirm("KB-0003", code=2)
    assert "git has no user.name" in capsys.readouterr().err


def test_a_hash_of_another_text(root: Path, capsys: Capture) -> None:
    path = root / HOME / "001-x.md"
    path.write_text(path.read_text().replace("Fact 1", "Fact one"))
    confirm("KB-0001", *BY)
    said = capsys.readouterr().out
    assert f"the content-hash of {HOME}/001-x.md is not that of its text" in said
    assert "`spectastic corpus hash --write KB-0001`" in said
    assert uncitable(root) == ["KB-0002@1"]


def test_frontmatter_that_cannot_be_changed(root: Path, capsys: Capture) -> None:
    tree(
        root, {f"{HOME}/001-x.md": f"---\n{{slug: 001-x, edition: '1', status: {UNCONFIRMED}}}\n---\n\nA.\n"}
    )
    before = files(root)
    confirm("KB-0001", *BY, code=2)
    assert f"{HOME}/001-x.md: the frontmatter cannot be changed: status" in capsys.readouterr().err
    assert files(root) == before


def test_no_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tree(tmp_path / "r", {"README.md": "x"}))
    confirm("KB-0001", *BY, code=2)
    assert "there is no registry knowledge/index.md" in capsys.readouterr().err
    assert list(files(tmp_path / "r")) == ["README.md"]


def test_a_copied_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(CLEAN, tmp_path / "r")
    path = tmp_path / "r/knowledge/settlement-cycles/references/001-us-equities-settlement-cycle.md"
    text = path.read_text()
    path.write_text(text.replace("status: authoritative", f"status: {UNSIGNED}"))
    assert path.read_text() != text
    Repository(tmp_path / "r").commit()
    monkeypatch.chdir(tmp_path / "r/specs")
    assert main(["validate", "--fail-on", "warning"]) == 1
    sign_off("KB-0001", "--by", "Ada")
    assert main(["validate", "--fail-on", "info"]) == 0
    assert main(["corpus", "hash", "--check"]) == 0


def test_a_plan_touches_nothing(root: Path) -> None:
    before = files(root)
    workspace = Workspace(str(root), "knowledge", load(str(root)))
    plan = plan_lift(workspace, ["KB-0001"], CONFIRM, Word("Ada", "", "2024-06-01"))
    assert [change.path for change in plan.changes] == [f"{HOME}/001-x.md"]
    with pytest.raises(CurateError):
        plan_lift(workspace, [], CONFIRM, Word("", "", "2024-06-01"))
    assert files(root) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(root: Path) -> None:
    def check(work: Path) -> None:
        assert uncitable(work) == ["KB-0002@1"]

    assert kill_everywhere(root, ["corpus", "confirm", "KB-0001", "KB-0003", *BY], check) > 10
