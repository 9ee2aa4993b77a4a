"""action.yml, its steps run as GitHub's runner runs them."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from corpora import HEADER
from github_runner import ACTION, CHECKOUT, STEPS, Runner
from repository import Repository
from stub_program import ARGUMENTS, install, told

#: What installing needs; the rest of the checkout may be in the middle of a change.
SHIPPED = ("spectastic", "pyproject.toml", "README.md", "LICENSE")

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path / "a runner")


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python in whose environment the stub is installed as spectastic."""
    return install(tmp_path_factory.mktemp("stub") / "environment")


# What is written down


def test_scripts_are_free_of_expressions() -> None:
    for step in STEPS.values():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        # On Windows the runner may write it in the console's encoding.
        assert step["run"].isascii()
        assert set(step) == {"id", "name", "shell", "env", "run"}


def test_bash_on_windows_leaves_the_inputs_as_they_are() -> None:
    # It makes Windows paths of variables that look like a path.
    names = {name for name in STEPS["validate"]["env"] if name.startswith("SPECTASTIC_")}
    kept = STEPS["validate"]["env"]["MSYS2_ENV_CONV_EXCL"].split(";")
    assert set(kept) == names - {"SPECTASTIC_PYTHON"}


def test_every_input_is_used_and_every_output_described() -> None:
    used = set(re.findall(r"inputs\.([a-z-]+)", json.dumps(ACTION["runs"])))
    assert used == set(ACTION["inputs"])
    assert set(ACTION["outputs"]) == {"exit-code", "sarif-file"}
    for about in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert about["description"].strip()


@pytest.mark.parametrize("step", STEPS)
def test_python_in_the_scripts_compiles(step: str) -> None:
    (script,) = re.findall(r"<<'PYTHON'[^\n]*\n(.*?)\nPYTHON\n", STEPS[step]["run"] + "\n", re.DOTALL)
    compile(script, step, "exec")


# The step that validates

CODES = {0: 0, 1: 1, 2: 2, 3: 2, 101: 2, 130: 2, -9: 2, -15: 2}


@pytest.mark.parametrize("code", CODES)
def test_codes_are_passed_on_and_told(code: int, runner: Runner, stub: Path) -> None:
    runner.environment["STUB_CODE"] = str(code)
    outcome = runner.run({}, installed=stub)
    assert outcome.code == CODES[code], outcome.log
    assert outcome.outputs == {"exit-code": str(CODES[code]), "sarif-file": ""}
    assert "the stub was here" in outcome.log
    assert runner.arguments() == []


@pytest.mark.parametrize("text", ARGUMENTS)
def test_arguments_are_split_and_never_evaluated(text: str, runner: Runner, stub: Path) -> None:
    outcome = runner.run({"args": text}, installed=stub)
    assert outcome == (0, {"exit-code": "0", "sarif-file": ""}, "the stub was here\n")
    assert runner.arguments() == ARGUMENTS[text]
    assert list(runner.workspace.iterdir()) == []
    assert told(runner.told).stdin == ""


#: Inputs that cannot be used, and what is said about them.
TROUBLE = {
    "quote": ({"args": "--ignore 'x"}, "::error title=spectastic::The input 'args' cannot be split"),
    "double-quote": ({"args": 'a "b\nc'}, "no closing quotation"),
    "backslash": ({"args": "a\\"}, "no escaped character"),
    "no-folder": ({"working-directory": "nowhere"}, "nowhere: no such file or directory"),
    "a-file": ({"working-directory": "a.md"}, "a.md: not a directory"),
    "sarif-of-two-lines": ({"sarif": "x\nexit-code=0"}, "The input 'sarif' is no path: 'x\\nexit-code=0'"),
    "a-command": ({"working-directory": "x\n::warning::y%"}, "run in: x%0A::warning::y%25: no such file"),
}


@pytest.mark.parametrize("case", TROUBLE)
def test_inputs_that_cannot_be_used(case: str, runner: Runner, stub: Path) -> None:
    (runner.workspace / "a.md").write_text("")
    inputs, said = TROUBLE[case]
    outcome = runner.run(inputs, installed=stub)
    assert (outcome.code, outcome.outputs) == (2, {"exit-code": "2", "sarif-file": ""})
    assert said in outcome.log
    assert outcome.log.count("\n") == 1
    assert not runner.told.exists()


@pytest.mark.parametrize(
    ("code", "writes", "named"), [(0, 1, 1), (1, 1, 1), (2, 1, 0), (-9, 1, 0), (0, 0, 0)]
)
def test_sarif_file_is_told_where_there_is_one(
    code: int, writes: bool, named: bool, runner: Runner, stub: Path
) -> None:
    runner.environment = {"STUB_CODE": str(code), "STUB_WRITES": "1" if writes else ""}
    (runner.workspace / "the docs").mkdir()
    inputs = {"sarif": "a report=1.sarif", "working-directory": "the docs", "args": "-q"}
    outcome = runner.run(inputs, installed=stub)
    assert runner.arguments() == ["--output", "sarif=a report=1.sarif", "--omit-suppressed", "-q"]
    written = runner.workspace / "the docs/a report=1.sarif"
    assert outcome.outputs["sarif-file"] == (str(written) if named else "")
    assert told(runner.told).folder == str(runner.workspace / "the docs")


@pytest.mark.parametrize("name", ["shlex.py", "subprocess.py", "encodings.py", "sitecustomize.py", "json.py"])
def test_nothing_is_imported_from_the_tree(name: str, runner: Runner, stub: Path) -> None:
    (runner.workspace / name).write_text("open('imported', 'w').close()\nraise SystemExit(0)\n")
    (runner.workspace / "spectastic").mkdir()
    (runner.workspace / "spectastic/__main__.py").write_text("raise SystemExit(0)\n")
    runner.environment = {"PYTHONPATH": str(runner.workspace), "STUB_CODE": "1"}
    outcome = runner.run({}, installed=stub)
    assert outcome.code == 1, outcome.log
    assert "the stub was here" in outcome.log
    assert not (runner.workspace / "imported").exists()


def test_broken_python_is_trouble(runner: Runner, tmp_path: Path) -> None:
    # With 1, as a Python does that cannot find its own library.
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    for broken in (python, tmp_path / "missing"):
        outcome = runner.run({}, installed=broken)
        assert (outcome.code, outcome.outputs["exit-code"]) == (2, "2")


def test_outputs_that_cannot_be_written_are_trouble(runner: Runner, stub: Path) -> None:
    runner.changed = {"$GITHUB_OUTPUT": "$RUNNER_TEMP/no/such/folder"}
    for code in ("0", "1"):
        runner.environment["STUB_CODE"] = code
        assert runner.run({}, installed=stub).code == 2


# The step that installs


def test_python_that_is_no_program(runner: Runner) -> None:
    for name in ("", "no-such-python", "exit", "./python"):
        outcome = runner.run({"python": name})
        assert (outcome.code, outcome.outputs) == (2, {"exit-code": "2", "sarif-file": ""}), name
        assert outcome.log.startswith("::error title=spectastic::The input 'python' names no program")
        assert outcome.log.count("\n") == 1


def test_python_that_is_too_old(runner: Runner) -> None:
    runner.changed = {"(3, 11)": "(99, 0)"}
    outcome = runner.run({"python": sys.executable})
    assert (outcome.code, outcome.outputs["exit-code"]) == (2, "2")
    assert f"leads to {sys.version.split()[0]}: use actions/setup-python" in outcome.log


@pytest.mark.parametrize("version", ["0.1 --index-url=x", "@ https://example.org/x", "1;touch x", "a\nb"])
def test_version_that_is_none(version: str, runner: Runner) -> None:
    outcome = runner.run({"python": sys.executable, "version": version})
    assert (outcome.code, outcome.outputs["exit-code"]) == (2, "2")
    assert outcome.log == f"::error title=spectastic::The input 'version' is no version: {version!r}\n"


def test_temporary_folder_that_is_missing(runner: Runner) -> None:
    runner.environment["RUNNER_TEMP"] = str(runner.temp / "missing")
    outcome = runner.run({"python": sys.executable})
    assert (outcome.code, outcome.outputs["exit-code"]) == (2, "2")
    assert "No folder can be made in RUNNER_TEMP: no such file or directory" in outcome.log


def test_installation_that_fails_is_no_finding(runner: Runner) -> None:
    # Without a pip in it, an environment is made in no time, and what is called in pip's place ends with 1.
    runner.changed = {'"venv", folder': '"venv", "--without-pip", folder'}
    outcome = runner.run({"python": sys.executable, "version": "99.0"})
    assert (outcome.code, outcome.outputs) == (2, {"exit-code": "2", "sarif-file": ""})
    assert "No module named pip" in outcome.log
    assert "::error title=spectastic::pip could not install spectastic-lint==99.0." in outcome.log


def test_environment_that_cannot_be_made(runner: Runner) -> None:
    runner.changed = {'"venv", folder': '"venv", "--no-such-option", folder'}
    outcome = runner.run({"python": sys.executable})
    assert (outcome.code, outcome.outputs["exit-code"]) == (2, "2")
    assert "::error title=spectastic::No virtual environment could be made." in outcome.log


# With the real program

SPEC = '<spec-decision id="D-001">\n\nT+1, KB-0001@2024-05-28.\n\n</spec-decision>\n'
ROW = "| KB-0001 | acme | trading | 001-cycle | T | 2024-05-28 | trading/references/001-cycle.md | |\n"
FILES = {
    "specs/a.md": SPEC,
    "knowledge/index.md": HEADER + ROW,
    "knowledge/trading/references/001-cycle.md": "---\nslug: 001-cycle\nedition: 2024-05-28\n---\nT+1.\n",
    # The reference has no provenance; these cases are about citations.
    "spectastic.toml": 'select = ["corpus-provenance", "corpus-append-only"]\n',
}
DEAD = {"specs/a.md": SPEC.replace("28", "29")}


def test_findings_and_no_findings(runner: Runner) -> None:
    python = Path(sys.executable)
    repository = Repository(runner.workspace, FILES)
    clean = runner.run({"sarif": "../runner temp/x.sarif"}, installed=python)
    assert (clean.code, clean.outputs["exit-code"]) == (0, "0"), clean.log
    assert repository.git("status", "--porcelain") == ""

    repository.write(DEAD)
    failed = runner.run({"sarif": "../runner temp/x.sarif"}, installed=python)
    assert (failed.code, failed.outputs["exit-code"]) == (1, "1")
    assert re.search(r"^::error file=specs/a.md,line=3,.*KB-0001@2024-05-29", failed.log, re.MULTILINE)
    assert "KB-0001@2024-05-29" in (runner.temp / "summary.md").read_text(encoding="utf-8")
    sarif = json.loads(Path(failed.outputs["sarif-file"]).read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["corpus-provenance"]

    assert runner.run({"args": "--exit-zero"}, installed=python).code == 0
    unknown = runner.run({"args": "--no-such-option"}, installed=python)
    assert (unknown.code, unknown.outputs["exit-code"]) == (2, "2")


def test_shallow_checkout_is_trouble(runner: Runner, tmp_path: Path) -> None:
    upstream = Repository(tmp_path / "upstream", FILES)
    upstream.branch("feature")
    head = upstream.commit({"specs/b.md": SPEC})
    upstream.git("checkout", "-q", "-b", "merge", "main")
    upstream.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")
    event = tmp_path / "event.json"
    base = upstream.git("rev-parse", "main")
    event.write_text(json.dumps({"pull_request": {"head": {"sha": head}, "base": {"sha": base}}}))
    runner.environment = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_BASE_REF": "main",
        "GITHUB_EVENT_PATH": str(event),
    }
    runner.workspace.rmdir()
    upstream.clone(runner.workspace, "--branch", "merge", "--depth", "1")
    shallow = runner.run({}, installed=Path(sys.executable))
    assert (shallow.code, shallow.outputs["exit-code"]) == (2, "2")
    assert "fetch-depth: 0" in shallow.log

    shutil.rmtree(runner.workspace)
    upstream.clone(runner.workspace, "--branch", "merge")
    assert runner.run({}, installed=Path(sys.executable)).code == 0


def test_the_whole_action(runner: Runner, tmp_path: Path) -> None:
    # The one test that installs: the checkout, from a folder as the runner would download it to.
    runner.action_path = tmp_path / "an action"
    for name in SHIPPED:
        if (CHECKOUT / name).is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(CHECKOUT / name, runner.action_path / name, ignore=ignore)
        else:
            shutil.copy(CHECKOUT / name, runner.action_path / name)
    before = sorted(runner.action_path.rglob("*"))
    # Settings of pip's that would lead it elsewhere.
    runner.environment = {"PIP_TARGET": str(runner.workspace), "PIP_USER": "1", "PIP_PREFIX": str(tmp_path)}
    repository = Repository(runner.workspace, {**FILES, **DEAD})
    outcome = runner.run({"python": sys.executable, "args": "--fail-on error"})
    assert (outcome.code, outcome.outputs["exit-code"]) == (1, "1"), outcome.log
    assert "::error file=specs/a.md,line=3," in outcome.log
    # It left nothing behind but its own environment.
    assert repository.git("status", "--porcelain", "--ignored") == ""
    assert sorted(runner.action_path.rglob("*")) == before
    (folder,) = (path for path in runner.temp.iterdir() if path.is_dir())
    assert (folder / "pyvenv.cfg").is_file()
