"""As much of GitHub's runner as a composite action needs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import yaml
from stub_program import told

CHECKOUT = Path(__file__).resolve().parent.parent
#: All values as written: `on` stays a word, and so does `false`.
ACTION = yaml.load((CHECKOUT / "action.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"]}
DEFAULTS = {name: about["default"] for name, about in ACTION["inputs"].items()}


class Outcome(NamedTuple):
    code: int
    outputs: dict[str, str]
    log: str


class Runner:
    """A runner with folders of its own, whose names have blanks in them."""

    def __init__(self, root: Path) -> None:
        self.workspace = root / "work space"
        self.temp = root / "runner temp"
        self.told = root / "told.json"
        self.workspace.mkdir(parents=True)
        self.temp.mkdir()
        self.action_path = CHECKOUT
        self.environment: dict[str, str] = {}
        #: Text to put in place of another, in every script.
        self.changed: dict[str, str] = {}

    def run(self, inputs: dict[str, str], *, installed: Path | None = None) -> Outcome:
        """Run the action; where `installed` is given, a Python with a spectastic, the first step is done."""
        assert inputs.keys() <= DEFAULTS.keys()
        outputs: dict[str, dict[str, str]] = {name: {} for name in STEPS}
        steps = list(STEPS)
        if installed is not None:
            outputs["install"] = {"python": str(installed)}
            steps.remove("install")
        code, log = 0, ""
        for name in steps:
            code, outputs[name], printed = self._step(STEPS[name], {**DEFAULTS, **inputs}, outputs)
            log += printed
            if code:
                break
        given = {
            name: evaluate(output["value"], DEFAULTS, outputs) for name, output in ACTION["outputs"].items()
        }
        return Outcome(code, given, log)

    def _step(
        self, step: dict[str, object], inputs: dict[str, str], outputs: dict[str, dict[str, str]]
    ) -> tuple[int, dict[str, str], str]:
        script, commands = self.temp / f"{step['id']}.sh", self.temp / f"{step['id']}_output"
        text = str(step["run"])
        for old, new in self.changed.items():
            text = text.replace(old, new)
        script.write_text(text, encoding="utf-8")
        commands.write_text("")
        environment = step["env"]
        assert isinstance(environment, dict)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env={
                **os.environ,
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(self.action_path),
                "GITHUB_OUTPUT": str(commands),
                "GITHUB_STEP_SUMMARY": str(self.temp / "summary.md"),
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.temp),
                "STUB_TOLD": str(self.told),
                **self.environment,
                **{name: evaluate(value, inputs, outputs) for name, value in environment.items()},
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        pairs = (line.partition("=") for line in commands.read_text(encoding="utf-8").splitlines())
        return done.returncode, {name: value for name, _, value in pairs}, done.stdout

    def arguments(self) -> list[str]:
        """What the stub was given after what it is always given."""
        arguments = told(self.told).arguments
        assert arguments[:3] == ["validate", "--format", "github"]
        return arguments[3:]


def evaluate(text: str, inputs: dict[str, str], outputs: dict[str, dict[str, str]]) -> str:
    """The value of a text with expressions; only those that action.yml has are understood."""

    def term(words: str) -> str:
        if found := re.fullmatch(r"inputs\.([a-z-]+)", words):
            return inputs[found[1]]
        found = re.fullmatch(r"steps\.([a-z]+)\.outputs\.([a-z-]+)", words)
        assert found, words
        return outputs[found[1]].get(found[2], "")

    def value(match: re.Match[str]) -> str:
        terms = [term(words.strip()) for words in match[1].split("||")]
        return next(filter(None, terms), "")

    return re.sub(r"\$\{\{(.*?)\}\}", value, text)
