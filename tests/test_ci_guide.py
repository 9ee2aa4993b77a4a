"""docs/ci.md: its samples are what GitHub and GitLab take, and do what the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from repository import Repository

from spectastic.cli import main, output, validate
from spectastic.cli.parser import Parser
from spectastic.report.markdown import MARKER

CHECKOUT = Path(__file__).resolve().parent.parent
PAGE = (CHECKOUT / "docs/ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
#: All values as written: `on` stays a word.
PARSED: list[dict[str, Any]] = [yaml.load(block, yaml.BaseLoader) for block in BLOCKS]
WORKFLOWS = {f"{value['name']}-{index}": value for index, value in enumerate(PARSED) if "jobs" in value}
#: The job that is to be required.
REQUIRED = [name for name in WORKFLOWS if "comment" not in WORKFLOWS[name]["jobs"]]
ACTION = yaml.load((CHECKOUT / "action.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
TEMPLATE = yaml.load((CHECKOUT / "templates/gitlab-ci.yml").read_text(encoding="utf-8"), yaml.BaseLoader)


def steps(workflow: str) -> list[dict[str, Any]]:
    return [step for job in WORKFLOWS[workflow]["jobs"].values() for step in job["steps"]]


def test_every_block_is_a_mapping() -> None:
    assert len(BLOCKS) == PAGE.count("```yaml") == 7
    assert all(isinstance(value, dict) for value in PARSED)
    assert len(WORKFLOWS) == 4
    assert len(REQUIRED) == 3


@pytest.mark.parametrize("name", REQUIRED)
def test_required_workflow_runs_on_everything(name: str) -> None:
    triggers = WORKFLOWS[name]["on"]
    assert {"pull_request", "merge_group"} <= set(triggers)
    # No filter of paths, branches or kinds, and no condition: neither may keep it from reporting.
    assert triggers["pull_request"] == triggers["merge_group"] == ""
    for about in triggers.values():
        assert not {"paths", "paths-ignore"} & set(about or ())
    (job,) = WORKFLOWS[name]["jobs"].values()
    assert not {"if", "needs", "strategy", "continue-on-error"} & set(job)
    assert not any("continue-on-error" in step for step in job["steps"] if "upload" not in step["uses"])


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflow_has_the_history_and_few_rights(name: str) -> None:
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] == {"contents": "read"}
    for step in steps(name):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"fetch-depth": "0", "persist-credentials": "false"}
    for job in workflow["jobs"].values():
        rights = {right for right, level in job.get("permissions", {}).items() if level == "write"}
        text = str(job)
        assert ("security-events" in rights) == ("upload-sarif" in text)
        assert ("pull-requests" in rights) == ("gh api" in text)
        assert len(rights) <= 1
    assert "pull_request_target" not in workflow["on"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned(name: str) -> None:
    for step in steps(name):
        if "uses" in step and not step["uses"].startswith("OWNER/"):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])
            assert re.search(re.escape(step["uses"]) + r" # v\d+\.\d+\.\d+\n", PAGE)


def test_inputs_outputs_and_variables_are_those_of_the_files() -> None:
    for name in WORKFLOWS:
        for step in steps(name):
            if step.get("uses", "").startswith("OWNER/"):
                assert set(step.get("with", ())) <= set(ACTION["inputs"])
    assert set(re.findall(r"steps\.spectastic\.outputs\.([a-z-]+)", PAGE)) <= set(ACTION["outputs"])
    tables = set(re.findall(r"^\| `([A-Za-z][\w-]*)` \|", PAGE, re.MULTILINE))
    assert tables == {*ACTION["inputs"], *ACTION["outputs"], *TEMPLATE["variables"]}
    (gitlab,) = (value for value in PARSED if "include" in value)
    assert set(gitlab["variables"]) <= set(TEMPLATE["variables"])


def test_options_and_settings_exist() -> None:
    parser = Parser("validate", "")
    validate.configure(parser)
    code = " ".join(re.findall(r"`[^`\n]+`|^```.*?^```$", PAGE, re.DOTALL | re.MULTILINE))
    theirs = {"--unshallow", "--global", "--add", "--filter", "--all-files"}
    theirs |= {"--paginate", "--jq", "--silent", "--method", "--field"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)) - theirs <= set(parser._option_string_actions)
    formats = set(re.findall(r'--output "?([a-z]+)=', code)) | set(re.findall(r"--format ([a-z]+)", code))
    assert formats <= set(output.FORMATS)
    for block in re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        assert tomllib.loads(block) == {"baseline": "spectastic-baseline.jsonl"}


# Adopting a baseline


def test_baseline_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Adopt, repair on two branches, merge them, and prune: with the page's own commands and files."""
    section = PAGE.partition("### With a baseline\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert [kind for kind, _ in blocks] == ["toml", "console", "console", "text"]
    toml, adopt, prune, attributes = (text for _, text in blocks)

    def run(commands: str) -> None:
        for line in commands.splitlines():
            program, *arguments = line.removeprefix("$ ").split()
            if program == "git":
                repository.git(*arguments)
            else:
                assert (program, main(arguments)) == ("spectastic", 0)

    def spec(text: str) -> str:
        return f'<spec-decision id="D-001">\n\n{text}\n\n</spec-decision>\n'

    repository = Repository(
        tmp_path / "adopting", {f"specs/{name}.md": spec(f"KB-000{name}@a") for name in "12"}
    )
    monkeypatch.chdir(repository.root)
    assert main(["validate"]) == 1
    repository.write({"spectastic.toml": 'ignore = ["corpus-ungrounded-claim"]\n' + toml})
    run(adopt)
    staged = repository.git("diff", "--cached", "--name-only").splitlines()
    assert staged == ["spectastic-baseline.jsonl", "spectastic.toml"]
    repository.commit({".gitattributes": attributes})
    assert main(["validate"]) == 0

    # What is new counts.
    repository.write({"specs/3.md": spec("KB-0003@a")})
    assert main(["validate"]) == 1
    (repository.root / "specs/3.md").unlink()

    repository.branch("other")
    for branch, name in (("main", "1"), ("other", "2")):
        repository.git("checkout", "-q", branch)
        repository.write({f"specs/{name}.md": spec("Nothing.")})
        assert main(["validate", "--fail-on", "warning"]) == 1
        run(prune)
        assert main(["validate", "--fail-on", "warning"]) == 0
        repository.commit()
    repository.git("merge", "-q", "-m", "Merge", "main")
    capsys.readouterr()
    assert main(["validate", "--format", "concise"]) == 0
    assert "warning unused-suppression" in capsys.readouterr().out
    run(prune)
    assert (repository.root / "spectastic-baseline.jsonl").read_text() == '{"baseline": 1}\n'


# The scripts in it

GH = """\
#!/usr/bin/env python3
import json, os, sys
with open(os.environ["GH_TOLD"], "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if "--paginate" in sys.argv:
    print(os.environ["GH_OWN"], end="")
"""


@pytest.mark.parametrize(
    ("own", "method", "place"),
    [
        ("", "POST", "repos/o/r/issues/7/comments"),
        ("41\n", "PATCH", "repos/o/r/issues/comments/41"),
        ("41\n42\n", "PATCH", "repos/o/r/issues/comments/42"),
    ],
)
def test_comment_is_written_once(own: str, method: str, place: str, tmp_path: Path) -> None:
    (script,) = (step["run"] for name in WORKFLOWS for step in steps(name) if "run" in step)
    assert "${{" not in script
    (tmp_path / "gh").write_text(GH)
    (tmp_path / "gh").chmod(0o755)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        env={
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "GH_TOLD": str(tmp_path / "told"),
            "GH_OWN": own,
            "GITHUB_REPOSITORY": "o/r",
            "NUMBER": "7",
            "RUNNER_TEMP": "/runner/temp",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    looked, wrote = (json.loads(line) for line in (tmp_path / "told").read_text().splitlines())
    assert looked[:3] == ["api", "--paginate", "repos/o/r/issues/7/comments"]
    assert MARKER.strip() in looked[-1]
    assert wrote == [
        "api",
        "--silent",
        "--method",
        method,
        place,
        "--field",
        "body=@/runner/temp/spectastic.md",
    ]


@pytest.mark.parametrize(
    ("branch", "base"),
    [(None, []), ("refs/heads/release/1 x", ["--base=origin/release/1 x"]), ("main", ["--base=origin/main"])],
)
def test_azure_compares_pull_requests(branch: str | None, base: list[str], tmp_path: Path) -> None:
    (azure,) = (value for value in PARSED if "pool" in value)
    (script,) = (step["bash"] for step in azure["steps"] if "bash" in step)
    program = tmp_path / "spectastic/bin/spectastic"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 1\n')
    program.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "AGENT_TEMPDIRECTORY": str(tmp_path)}
    if branch is not None:
        environment["SYSTEM_PULLREQUEST_TARGETBRANCH"] = branch
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    expected = ["validate", *base, "--format", "azure", "--output", f"junit={tmp_path}/spectastic.xml"]
    assert (done.returncode, done.stdout.splitlines()) == (1, expected)


# Held to the published schemas, where somebody has installed what has them


def check_schema(schema: str, path: Path) -> None:
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("check-jsonschema", path=search)
    if program is None:
        pytest.skip("check-jsonschema is not installed")
    done = subprocess.run(
        [program, "--regex-variant", "nonunicode", "--builtin-schema", f"vendor.{schema}", str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("schema", "path"), [("github-actions", "action.yml"), ("gitlab-ci", "templates/gitlab-ci.yml")]
)
def test_files_have_the_published_form(schema: str, path: str) -> None:
    check_schema(schema, CHECKOUT / path)


@pytest.mark.parametrize("index", range(len(BLOCKS)))
def test_samples_have_the_published_form(index: int, tmp_path: Path) -> None:
    kinds = {"jobs": "github-workflows", "include": "gitlab-ci", "pool": "azure-pipelines"}
    schema = next((kinds[key] for key in kinds if key in PARSED[index]), None)
    if schema is None:
        assert set(PARSED[index]) == {"with"}
        return
    (tmp_path / "sample.yml").write_text(BLOCKS[index], encoding="utf-8")
    check_schema(schema, tmp_path / "sample.yml")
