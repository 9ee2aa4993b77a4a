"""`spectastic init`: what it writes where, what it leaves alone, and that the result validates."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from corpora import HEADER, document
from crash import files, kill_everywhere
from repository import Repository
from trees import Link, tree

from spectastic.cli import main
from spectastic.config import Settings, load
from spectastic.curate import starters
from spectastic.engine import validate

Capture = pytest.CaptureFixture[str]
Files = dict[str, str | bytes | Link | None]

CHECKOUT = Path(__file__).resolve().parent.parent
CLEAN = CHECKOUT / "fixtures" / "repos" / "clean"
REGISTRY = "knowledge/index.md"
EXAMPLE = {"knowledge/example/SKILL.md", "knowledge/example/references/001-example.md"}
HOOK = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/spectastic.yml"
DECISION = '<spec-decision id="D-001">The shop opens at 09:00, KB-0001@1.</spec-decision>'
ADD = "`spectastic corpus add --help` tells how to register your own documents"
ALL = {REGISTRY, *EXAMPLE, "spectastic.toml", HOOK, WORKFLOW}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = Repository(tmp_path / "r")
    monkeypatch.chdir(made.root)
    return made.root


def init(*argv: str, code: int = 0) -> None:
    assert main(["init", *argv]) == code


def add_all(root: Path) -> None:
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)


def test_no_example(root: Path, capsys: Capture) -> None:
    init("--no-example")
    assert set(files(root)) == ALL - EXAMPLE
    assert "without an example: `spectastic corpus add` registers a document" in capsys.readouterr().out
    add_all(root)
    assert validate(Settings(root=str(root))).findings == ()
    init("--no-example")
    assert "nothing is missing, and nothing was written" in capsys.readouterr().out


def test_an_empty_repository(root: Path, capsys: Capture) -> None:
    init()
    out = capsys.readouterr().out
    made = files(root)
    assert set(made) == ALL
    order = [REGISTRY, "knowledge/example/references/001-example.md", "knowledge/example/SKILL.md"]
    order += ["spectastic.toml", HOOK, WORKFLOW]
    assert out.splitlines() == [
        *(f"created {path}" for path in order),
        "what to do next:",
        f"  1. put your own in place of OWNER and FULL_COMMIT_SHA in {HOOK} and {WORKFLOW}",
        f"  2. git add {' '.join(order)}",
        f"  3. cite the example in a spec: {DECISION}",
        (
            "  4. before you commit: what is registered stays for ever, so take the example out again "
            "(its row and its folder); `spectastic init --no-example` begins without it"
        ),
        f"  5. run `spectastic validate`; {ADD}",
    ]
    add_all(root)
    assert main(["validate", "--fail-on", "info"]) == 0
    assert validate(Settings(root=str(root))).findings == ()
    capsys.readouterr()
    init()
    assert capsys.readouterr().out.splitlines() == [
        "nothing is missing, and nothing was written",
        *(f"{path} is there already" for path in (REGISTRY, "spectastic.toml", HOOK, WORKFLOW)),
    ]
    assert files(root) == made


def test_the_example_can_be_cited(root: Path, capsys: Capture) -> None:
    init()
    assert f": {DECISION}\n" in capsys.readouterr().out
    tree(root, {"specs/a.md": f"# A\n\n{DECISION}\n"})
    add_all(root)
    assert validate(Settings(root=str(root))).findings == ()
    tree(root, {"specs/a.md": f"# A\n\n{DECISION.replace('@1', '@2')}\n"})
    (finding,) = validate(Settings(root=str(root))).findings
    assert "KB-0001@2" in finding.message


def test_the_registry_and_the_settings(root: Path) -> None:
    init("--marketplace", "acme | co")
    assert (
        "| KB-0001 | acme \\| co | example | 001-example | Example reference | 1 "
        "| example/references/001-example.md | |\n"
    ) in (root / REGISTRY).read_text()
    settings = tomllib.loads((root / "spectastic.toml").read_text())
    assert settings == {"corpus": "knowledge", "fail-on": "error"}
    # What is commented out is valid, too.
    text = re.sub(r"(?m)^# (?=exclude|\[|\")", "", (root / "spectastic.toml").read_text())
    (root / "spectastic.toml").write_text(text)
    loaded = load(root=str(root), paths=(), flags={}, cwd=str(root))
    assert loaded.exclude == ("drafts/",)
    assert loaded.per_path_ignores == (("minutes/**", ("corpus-staleness",)),)


def test_the_hook_and_the_workflow(root: Path) -> None:
    init()
    hook = yaml.safe_load((root / HOOK).read_text())
    ids = {entry["id"] for entry in yaml.safe_load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())}
    assert hook == {"repos": [{"repo": _PLACE, "rev": "FULL_COMMIT_SHA", "hooks": [{"id": "spectastic"}]}]}
    assert "spectastic" in ids
    assert yaml.safe_load("repos:\n" + starters.HOOK_ENTRY) == hook
    page = (
        (CHECKOUT / "docs/ci.md").read_text(encoding="utf-8").replace("<full commit SHA>", "FULL_COMMIT_SHA")
    )
    blocks = [
        yaml.load(block, yaml.BaseLoader) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    ]
    first = next(block for block in blocks if "jobs" in block)
    workflow = yaml.load((root / WORKFLOW).read_text(), yaml.BaseLoader)
    assert workflow == {**first, "name": "spectastic"}
    assert "paths" not in str(workflow)
    includes = next(block for block in blocks if "include" in block)
    assert yaml.safe_load(starters.GITLAB_ENTRY)["include"] == includes["include"]


_PLACE = "https://github.com/OWNER/spectastic"

DOCUMENT = "knowledge/web/references/001-x.md"
LEGACY: Files = {
    "knowledge/web/SKILL.md": "---\nname: web\ndescription: D\n---\n",
    "knowledge/web/index.md": (
        "| ID | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
        "| KB-0001 | T | D | 2024-05-28 | references/001-x.md |\n"
    ),
    DOCUMENT: document(id="KB-0001"),
}

CORPORA: list[tuple[Files, set[str], str]] = [
    # what there is, what of the corpus is written, a line about it
    (
        {REGISTRY: HEADER},
        set(),
        f"{REGISTRY} is there already; it has no row to cite yet: `spectastic corpus add` registers",
    ),
    ({REGISTRY: "Soon.\r\n"}, set(), f"{REGISTRY} is there already; it has no row to cite yet"),
    ({REGISTRY: HEADER + "| KB-1 | x |\n"}, set(), f"{REGISTRY} is there already; it has no row"),
    (
        {DOCUMENT: document()},
        {REGISTRY},
        f"{REGISTRY} is without an example, since {DOCUMENT} is there: `spectastic corpus add` registers it",
    ),
    ({"knowledge/example/SKILL.md": "mine"}, {REGISTRY}, "since knowledge/example/SKILL.md is there"),
    (
        LEGACY,
        set(),
        "left out: KB-0001 has its id from knowledge/web/index.md: `spectastic corpus migrate web` gives its",
    ),
    ({"knowledge/example/notes.txt": "mine", "knowledge/README.md": "x"}, {REGISTRY, *EXAMPLE}, "KB-0001@1"),
]


@pytest.mark.parametrize(("there", "written", "line"), CORPORA)
def test_a_corpus_that_is_there(
    there: Files, written: set[str], line: str, root: Path, capsys: Capture
) -> None:
    tree(root, there)
    before = files(root)
    init()
    assert line in capsys.readouterr().out
    after = files(root)
    assert {path: after[path] for path in before} == before
    assert {path for path in after if path.startswith("knowledge/")} - set(before) == written
    init()
    assert "nothing is missing, and nothing was written" in capsys.readouterr().out
    assert files(root) == after


def test_a_healthy_repository(root: Path, capsys: Capture) -> None:
    shutil.copytree(CLEAN, root, dirs_exist_ok=True)
    before = files(root)
    init()
    assert f"{REGISTRY} is there already\nspectastic.toml is there already\n" in capsys.readouterr().out
    after = files(root)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) == {HOOK, WORKFLOW}
    add_all(root)
    assert validate(Settings(root=str(root))).findings == ()


def test_the_published_name(root: Path) -> None:
    tree(root, {"knowledge/marketplace.json": '{"name": "acme"}'})
    init()
    assert "| KB-0001 | acme | example |" in (root / REGISTRY).read_text()


CONFIGURED: list[tuple[Files, list[str], bool, list[str]]] = [
    # what there is, arguments, whether spectastic.toml is written, lines
    ({"pyproject.toml": "[tool.ruff]\n"}, [], True, []),
    (
        {"pyproject.toml": "[tool.spectastic]\n"},
        [],
        False,
        ["spectastic.toml is left out: pyproject.toml configures spectastic"],
    ),
    (
        {"pyproject.toml": "[tool.spectastic]\n"},
        ["--corpus", "kb"],
        False,
        ["add to pyproject.toml, which is not edited:", '    corpus = "kb"'],
    ),
    ({"spectastic.toml": "corpus = 'kb/'"}, [], False, ["spectastic.toml is there already"]),
    ({"spectastic.toml": ""}, ["--corpus", "kb"], False, ["add to spectastic.toml, which is not edited:"]),
    (
        {"spectastic.toml": 'corpus = "a\\u0000b"'},
        ["--isolated"],
        False,
        ["add to spectastic.toml, which is not edited:", '    corpus = "knowledge"'],
    ),
]


@pytest.mark.parametrize(("there", "argv", "written", "lines"), CONFIGURED)
def test_configurations(
    there: Files, argv: list[str], written: bool, lines: list[str], root: Path, capsys: Capture
) -> None:
    tree(root, there)
    before = files(root)
    init(*argv)
    said = capsys.readouterr().out.splitlines()
    assert set(lines) <= set(said)
    wanted = any(line.startswith("add to ") for line in lines)
    assert any(line.startswith("add to ") for line in said) == wanted
    after = files(root)
    assert {path: after[path] for path in before} == before
    assert ("spectastic.toml" in after.keys() - before.keys()) == written


FOLDERS = ["kb", "docs/know ledge", "wissen-für-ü", 'k"q', "k\u00a0b", "-kb", "#kb"]


@pytest.mark.skipif(os.name == "nt", reason="no such names")
@pytest.mark.parametrize("folder", FOLDERS)
def test_another_folder(folder: str, root: Path) -> None:
    tree(root, {folder: None})
    init(f"--corpus={folder}")
    assert f"{folder}/index.md" in files(root)
    settings = load(root=str(root), paths=(), flags={}, cwd=str(root))
    assert settings.corpus == folder
    add_all(root)
    assert validate(settings).findings == ()


@pytest.mark.skipif(os.name == "nt", reason="no such names")
def test_a_folder_that_no_toml_can_name(root: Path, capsys: Capture) -> None:
    os.mkdir(os.fsencode(root) + b"/k\xff")
    init("--corpus", "k\udcff", code=2)
    assert "'k\\udcff' is no name that spectastic.toml can hold" in capsys.readouterr().err
    assert files(root) == {}


HOOKS = [
    # a file that is there, whether it has the hook
    ("repos: []\n", False),
    ("", False),
    ("repos:\r\n- repo: x\r\n  hooks:\r\n  - id: spectastic\r\n", True),
    ("repos:\n- repo: x\n  hooks: [{'id': 'spectastic-files'}]\n", True),
    ('repos:\n- repo: x\n  hooks: [{"id":"spectastic"}]\n', True),
    ("repos:\n- repo: x\n  hooks:\n  # - id: spectastic\n  - id: spectastic-other\n", False),
    ("repos:\n- repo: local\n  hooks:\n  - id: specs\n    entry: spectastic validate\n", True),
    ("repos:\n- repo: x/spectastic\n  hooks:\n  - id: other\n", False),
    (b"\xff\xfe", False),
    ("id " * 100_000, False),
    ("id" + " " * 300_000, False),
]


@pytest.mark.parametrize(("text", "found"), HOOKS, ids=range(len(HOOKS)))
def test_hooks(text: str | bytes, found: bool, root: Path, capsys: Capture) -> None:
    tree(root, {HOOK: text})
    before = files(root)
    init()
    said = capsys.readouterr().out
    assert f"{HOOK} is there already\n" in said
    assert (f"add to {HOOK}, which is not edited:\n" in said) != found
    assert ("      - repo: https://github.com/OWNER/spectastic\n" in said) != found
    assert f" FULL_COMMIT_SHA in {WORKFLOW}\n" in said
    assert files(root)[HOOK] == before[HOOK]


SERVICES: list[tuple[Files, bool, str]] = [
    # what there is, whether the workflow is written, a line
    ({".github/CODEOWNERS": "x"}, True, f"created {WORKFLOW}"),
    ({".github": None, ".gitlab-ci.yml": "x: {}\n"}, True, f"created {WORKFLOW}"),
    (
        {".gitlab-ci.yml": "x: {}\n"},
        False,
        "here\nadd to .gitlab-ci.yml, which is not edited:\n    include:\n      - project: OWNER/spectastic",
    ),
    ({".gitlab-ci.yml": "include:\n- project: x/spectastic\n"}, False, f"{WORKFLOW} is left out: "),
    ({".gitlab-ci.yml": b"\xff"}, False, "add to .gitlab-ci.yml"),
    (
        {".github/workflows/specs.yml": "x:\n- uses: me/spectastic@0123abc\n"},
        False,
        f"{WORKFLOW} is left out: .github/workflows/specs.yml runs spectastic already",
    ),
    (
        {".github/workflows/specs.yaml": "run: spectastic validate\n"},
        False,
        "specs.yaml runs spectastic already",
    ),
    ({".github/workflows/specs.txt": "run: spectastic validate\n"}, True, f"created {WORKFLOW}"),
    ({".github/workflows/specs.yml": "# run: spectastic validate\n"}, True, f"created {WORKFLOW}"),
    ({".github/workflows/odd.yml": None, ".github/workflows/b.yml": b"\xff"}, True, f"created {WORKFLOW}"),
    ({WORKFLOW: "mine"}, False, f"{WORKFLOW} is there already"),
]


@pytest.mark.parametrize(("there", "written", "line"), SERVICES, ids=range(len(SERVICES)))
def test_services(there: Files, written: bool, line: str, root: Path, capsys: Capture) -> None:
    tree(root, there)
    before = files(root)
    init()
    said = capsys.readouterr().out
    assert line in said
    assert ("add to .gitlab-ci.yml" in said) == ("add to .gitlab-ci.yml" in line)
    after = files(root)
    assert {path: after[path] for path in before} == before
    assert (WORKFLOW in after.keys() - before.keys()) == written


OBSTACLES: list[tuple[Files, str]] = [
    ({REGISTRY: None}, f"{REGISTRY} is in the way: it is a folder, not a file"),
    ({REGISTRY: Link("nowhere")}, f"{REGISTRY} is in the way: it is a link that leads nowhere"),
    ({REGISTRY: Link("../../index.md")}, f"{REGISTRY} leads out of the repository"),
    ({"knowledge": "x"}, f"knowledge is in the way of {REGISTRY}: it is no folder"),
    (
        {"knowledge/example": "x"},
        "knowledge/example is in the way of knowledge/example/SKILL.md: it is no folder",
    ),
    ({"knowledge/example": Link("../..")}, "knowledge/example leads out of the repository"),
    ({"knowledge/example/SKILL.md": None}, "knowledge/example/SKILL.md is in the way: it is a folder"),
    ({"knowledge/Example": None}, "example: the name differs from Example only in case"),
    ({HOOK: None}, f"{HOOK} is in the way: it is a folder, not a file"),
    ({HOOK: Link("/etc/passwd")}, f"{HOOK} leads out of the repository"),
    ({".github": "x"}, f".github is in the way of {WORKFLOW}: it is no folder"),
    ({".github": Link("..")}, ".github leads out of the repository"),
    ({".github": Link("nowhere")}, f".github is in the way of {WORKFLOW}: it is a link that leads nowhere"),
    ({WORKFLOW: Link("loop"), ".github/workflows/loop": Link("spectastic.yml")}, f"{WORKFLOW} is in the way"),
    ({"spectastic.toml": None}, "spectastic.toml"),
    ({"spectastic.toml": "a = "}, "spectastic.toml"),
]


@pytest.mark.parametrize("argv", [[], ["--dry-run"], ["--isolated"]], ids=str)
@pytest.mark.parametrize(("there", "message"), OBSTACLES, ids=range(len(OBSTACLES)))
def test_what_is_in_the_way(there: Files, message: str, argv: list[str], root: Path, capsys: Capture) -> None:
    tree(root, there)
    before = sorted(map(str, root.rglob("*")))
    init(*argv, code=2)
    out, error = capsys.readouterr()
    assert out == ""
    assert message in error
    assert "Traceback" not in error
    assert sorted(path for path in map(str, root.rglob("*")) if ".spectastic" not in path) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_in_the_way(root: Path, capsys: Capture) -> None:
    os.mkfifo(root / HOOK)
    init(code=2)
    assert f"{HOOK} is in the way: it is neither a file nor a folder" in capsys.readouterr().err


def test_a_link_to_a_file_counts_as_one(root: Path, capsys: Capture) -> None:
    tree(root, {HOOK: Link("hooks.yaml"), "hooks.yaml": "repos: []\n"})
    init()
    assert f"add to {HOOK}, which is not edited:" in capsys.readouterr().out
    assert (root / "hooks.yaml").read_text() == "repos: []\n"


def test_a_folder_of_a_repository(root: Path, capsys: Capture) -> None:
    tree(root, {"docs": None})
    init("--root", "docs")
    said = capsys.readouterr().out
    assert set(files(root)) == {f"docs/{path}" for path in ALL - {HOOK, WORKFLOW}}
    for path in (HOOK, WORKFLOW):
        assert f"{path} is left out: it belongs to the top of the git repository" in said
    assert "put your own in place" not in said


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree(tmp_path / "r", {}))
    init()
    assert set(files(tmp_path / "r")) == ALL


def test_dry_run(root: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    init("--dry-run")
    assert [path.name for path in root.iterdir()] == [".git"]
    patch, notes = capfdbinary.readouterr()
    assert b"spectastic: what to do next:\n" in notes
    other = Repository(root.parent / "other")
    subprocess.run(["git", "apply"], input=patch, cwd=other.root, check=True)
    init()
    assert files(other.root) == files(root)


def test_json(root: Path, capsys: Capture) -> None:
    tree(root, {HOOK: "repos: []\n", ".gitlab-ci.yml": "{}\n"})
    init("--json")
    told = json.loads(capsys.readouterr().out)
    notes = told.pop("notes")
    assert "what to do next:" in notes
    assert told == {
        "version": 1,
        "command": "init",
        "dry_run": False,
        "changes": [
            {"path": path, "action": "created"}
            for path in (REGISTRY, *sorted(EXAMPLE, reverse=True), "spectastic.toml")
        ],
        "result": {
            "citation": "KB-0001@1",
            "items": [
                {"path": REGISTRY, "state": "written", "why": ""},
                {"path": "spectastic.toml", "state": "written", "why": ""},
                {"path": HOOK, "state": "there", "why": ""},
                {
                    "path": WORKFLOW,
                    "state": "left out",
                    "why": ".gitlab-ci.yml says that GitLab runs the checks here",
                },
            ],
            "to_add": {HOOK: starters.HOOK_ENTRY, ".gitlab-ci.yml": starters.GITLAB_ENTRY},
        },
    }
    init("--json", "--dry-run")
    told = json.loads(capsys.readouterr().out)
    assert (told["changes"], told["result"]["citation"], told["dry_run"]) == ([], None, True)


def test_then_add(root: Path) -> None:
    init()
    tree(root.parent, {"new.md": "# Cut-off\n\nTrades end at 16:00.\n"})
    what = ["--pack", "p", "--slug", "cut-off", "--edition", "1", "--license", "CC0-1.0", "--origin", "X"]
    assert main(["corpus", "add", "../new.md", *what]) == 0
    add_all(root)
    assert validate(Settings(root=str(root))).findings == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(tmp_path: Path) -> None:
    root = tree(tmp_path / "empty", {"README.md": "x"})

    def check(work: Path) -> None:
        assert validate(Settings(root=str(work))).findings == ()

    assert kill_everywhere(root, ["init", "--root", "."], check) > 40
