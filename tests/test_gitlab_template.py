"""templates/gitlab-ci.yml, its script run as GitLab's runner runs it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from corpora import HEADER
from repository import Repository
from stub_program import ARGUMENTS, install, told

CHECKOUT = Path(__file__).resolve().parent.parent
TEMPLATE = yaml.load((CHECKOUT / "templates/gitlab-ci.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
JOB = TEMPLATE["spectastic"]
REPORT = "gl-code-quality-report.json"

#: GitLab's runner takes bash where an image has it, and sh elsewhere. It evaluates the lines of a job at the
#: end of a pipe, where bash makes 1 of the code of a command that fails, or in a subshell, if told to.
SHELLS = [
    f"{shell} {evaluate}"
    for shell in ("bash", "sh")
    if shutil.which(shell)
    for evaluate in ("eval %s", "(eval %s)")
]

#: Stands for the python3 of the image: makes an environment at once, whose pip does nothing but tell.
PYTHON3 = """\
#!/bin/sh
[ "$1 $2 $3" = "-I -m venv" ] || exit 99
[ "${STUB_VENV:-0}" = 0 ] || exit "$STUB_VENV"
mkdir -p "$4/bin" && cp "$STUB_WRAPPER" "$4/bin/python"
"""
WRAPPER = """\
#!/bin/sh
if [ "$1 $2 $3 $4" = "-I -m pip install" ]; then
  shift 4
  printf '%s\\n' "$@" > "$STUB_PIP_TOLD"
  exit "${STUB_PIP:-0}"
fi
exec "$STUB_PYTHON" "$@"
"""


class Outcome(NamedTuple):
    code: int
    log: str


class Runner:
    """As much of GitLab's runner as the job needs."""

    def __init__(self, root: Path, python: Path) -> None:
        self.workspace = root / "builds/a group"
        self.told = root / "told.json"
        self.pip_told = root / "pip.txt"
        for folder in (self.workspace, root / "bin", root / "tmp dir"):
            folder.mkdir(parents=True)
        for name, text in (("python3", PYTHON3), ("wrapper", WRAPPER)):
            (root / "bin" / name).write_text(text)
            (root / "bin" / name).chmod(0o755)
        #: What the file that includes the template says.
        self.variables = {"SPECTASTIC_SOURCE": "a/source"}
        #: Text to put in place of another in the script.
        self.changed: dict[str, str] = {}
        self.environment = {
            "PATH": f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "TMPDIR": str(root / "tmp dir"),
            "CI_PROJECT_DIR": str(self.workspace),
            "GITLAB_CI": "true",
            "STUB_PYTHON": str(python),
            "STUB_WRAPPER": str(root / "bin/wrapper"),
            "STUB_TOLD": str(self.told),
            "STUB_PIP_TOLD": str(self.pip_told),
        }

    def run(self, variables: dict[str, str], shell: str = SHELLS[0], **environment: str) -> Outcome:
        """Run the job; a pipeline's variables win over those of the template."""
        lines = "\n".join(JOB["script"])
        for old, new in self.changed.items():
            lines = lines.replace(old, new)
        name, _, evaluate = shell.partition(" ")
        options = "set -e; if set -o | grep -q pipefail; then set -o pipefail; fi"
        script = self.told.with_name("script.sh")
        script.write_text(f"{options}\n: | {evaluate % shlex.quote(lines)}\nexit 0\n", encoding="utf-8")
        done = subprocess.run(
            [name, str(script)],
            cwd=self.workspace,
            env={
                **os.environ,
                **self.environment,
                **TEMPLATE["variables"],
                **JOB["variables"],
                **self.variables,
                **variables,
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Outcome(done.returncode, done.stdout)

    @property
    def report(self) -> Path:
        return self.workspace / REPORT


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("stub") / "environment")


@pytest.fixture
def runner(tmp_path: Path, stub: Path) -> Runner:
    return Runner(tmp_path / "a runner", stub)


@pytest.fixture
def real(tmp_path: Path) -> Runner:
    """A runner on which the real program gets installed."""
    return Runner(tmp_path / "a runner", Path(sys.executable))


# What is written down


def test_job() -> None:
    assert set(TEMPLATE) == {"variables", "spectastic"}
    assert all(name.startswith("SPECTASTIC_") for name in TEMPLATE["variables"])
    assert JOB["image"] == "$SPECTASTIC_IMAGE"
    # Only what is asked for in the template itself, and not for each job of the pipeline.
    assert JOB["variables"] == {"GIT_DEPTH": "0"}
    # On every merge request, whatever it touches, and on the branch that they go to.
    assert JOB["rules"] == [
        {"if": '$CI_PIPELINE_SOURCE == "merge_request_event"'},
        {"if": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"},
    ]
    assert "allow_failure" not in JOB


def test_report_is_kept_whatever_the_outcome() -> None:
    artifacts = JOB["artifacts"]
    assert artifacts["when"] == "always"
    assert artifacts["reports"] == {"codequality": REPORT}
    assert artifacts["paths"] == [REPORT]


def test_nothing_is_installed_by_default() -> None:
    # A name that nobody has claimed is anybody's.
    assert TEMPLATE["variables"]["SPECTASTIC_VERSION"] == TEMPLATE["variables"]["SPECTASTIC_SOURCE"] == ""


# The script


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("code", [0, 1, 2])
def test_codes_are_passed_on(code: int, shell: str, runner: Runner) -> None:
    outcome = runner.run({}, shell, STUB_CODE=str(code), STUB_WRITES="1" if code < 2 else "")
    assert outcome == (code, "the stub was here\n")
    assert told(runner.told).arguments == ["validate", "--format", "full", "--output", f"gitlab={REPORT}"]
    assert told(runner.told).folder == str(runner.workspace)
    assert runner.report.exists() == (code < 2)


@pytest.mark.parametrize("shell", SHELLS[:1])
@pytest.mark.parametrize("text", ARGUMENTS)
def test_arguments_are_split_and_never_evaluated(text: str, shell: str, runner: Runner) -> None:
    outcome = runner.run({"SPECTASTIC_ARGS": text}, shell)
    assert outcome == (0, "the stub was here\n")
    assert told(runner.told).arguments[5:] == ARGUMENTS[text]
    assert list(runner.workspace.iterdir()) == []


@pytest.mark.parametrize("text", ["'x", 'a "b', "a\\"])
@pytest.mark.parametrize("shell", SHELLS)
def test_arguments_that_cannot_be_split(text: str, shell: str, runner: Runner) -> None:
    outcome = runner.run({"SPECTASTIC_ARGS": text}, shell)
    assert outcome.code == 2
    assert outcome.log.startswith("spectastic cannot be run with SPECTASTIC_ARGS: no ")
    assert outcome.log.count("\n") == 1
    assert not runner.told.exists()


def test_arguments_that_are_too_long(runner: Runner) -> None:
    # A variable cannot hold as much either, so they are made in the script.
    runner.changed = {'shlex.split(os.environ.get("SPECTASTIC_ARGS", ""))': '["x" * 200_000]'}
    outcome = runner.run({})
    assert outcome.code == 2
    assert "spectastic cannot be run with SPECTASTIC_ARGS: [errno 7] argument list too long" in outcome.log


INSTALLED = {
    "version": ({"SPECTASTIC_SOURCE": "", "SPECTASTIC_VERSION": "1.2"}, "spectastic-lint==1.2"),
    "source": ({"SPECTASTIC_SOURCE": "git+https://example.org/x@1"}, "git+https://example.org/x@1"),
    "both": ({"SPECTASTIC_SOURCE": "./x.whl", "SPECTASTIC_VERSION": "1.2"}, "./x.whl"),
    "injection": ({"SPECTASTIC_SOURCE": "x; touch y $(touch z)"}, "x; touch y $(touch z)"),
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("case", INSTALLED)
def test_what_is_installed(case: str, shell: str, runner: Runner) -> None:
    variables, wanted = INSTALLED[case]
    assert runner.run(variables, shell).code == 0
    assert runner.pip_told.read_text().splitlines()[-1] == wanted
    assert list(runner.workspace.iterdir()) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_neither_source_nor_version(shell: str, runner: Runner) -> None:
    outcome = runner.run({"SPECTASTIC_SOURCE": ""}, shell)
    wanted = "set SPECTASTIC_SOURCE, or once there is a release SPECTASTIC_VERSION"
    assert outcome == (2, f"Nothing says what to install: {wanted}.\n")
    assert not runner.pip_told.exists()
    assert not runner.told.exists()
    assert list(runner.workspace.iterdir()) == []


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "broken", [{"STUB_PIP": "1"}, {"STUB_VENV": "1"}, {"TMPDIR": "/no/such"}, {"STUB_PYTHON": "false"}]
)
def test_installation_that_fails_is_no_finding(broken: dict[str, str], shell: str, runner: Runner) -> None:
    assert runner.run({}, shell, **broken).code == 2
    assert not runner.told.exists()


def test_nothing_is_imported_from_the_tree(runner: Runner) -> None:
    for name in ("shlex.py", "sitecustomize.py", "spectastic.py"):
        (runner.workspace / name).write_text("raise SystemExit(0)\n")
    outcome = runner.run({}, PYTHONPATH=str(runner.workspace), STUB_CODE="1")
    assert outcome == (1, "the stub was here\n")


# With the real program

SPEC = '<spec-decision id="D-001">\n\nT+1, KB-0001@2024-05-28.\n\n</spec-decision>\n'
FILES = {
    "specs/a.md": SPEC,
    "knowledge/index.md": HEADER
    + "| KB-0001 | acme | trading | 001-cycle | T | 2024-05-28 | trading/references/001-cycle.md | |\n",
    "knowledge/trading/references/001-cycle.md": "---\nslug: 001-cycle\nedition: 2024-05-28\n---\nT+1.\n",
    # The reference has no provenance; these cases are about citations.
    "spectastic.toml": 'select = ["corpus-provenance", "corpus-append-only"]\n',
}


@pytest.mark.parametrize("shell", SHELLS)
def test_report_of_findings(shell: str, real: Runner) -> None:
    repository = Repository(real.workspace, FILES)
    assert real.run({}, shell).code == 0
    assert json.loads(real.report.read_text()) == []

    repository.write({"specs/a.md": SPEC.replace("28", "29")})
    outcome = real.run({}, shell)
    assert outcome.code == 1
    assert "specs/a.md:3:6: error corpus-provenance" in outcome.log
    (issue,) = json.loads(real.report.read_text())
    assert issue["check_name"] == "corpus-provenance"
    assert issue["location"]["path"] == "specs/a.md"

    assert real.run({"SPECTASTIC_ARGS": "--no-such-option"}, shell).code == 2


def test_shallow_clone_is_trouble(real: Runner, tmp_path: Path) -> None:
    upstream = Repository(tmp_path / "upstream", FILES)
    upstream.branch("feature")
    upstream.commit({"specs/b.md": SPEC})
    base = upstream.git("rev-parse", "main")
    real.workspace.rmdir()
    upstream.clone(real.workspace, "--branch", "feature", "--depth", "1")
    request = {"CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    outcome = real.run({}, **request)
    assert outcome.code == 2
    assert 'GIT_DEPTH: "0"' in outcome.log

    shutil.rmtree(real.workspace)
    upstream.clone(real.workspace, "--branch", "feature")
    assert real.run({}, **request).code == 0
