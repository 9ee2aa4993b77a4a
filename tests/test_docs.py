"""The samples in the papers are what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spectastic.cli import main

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(("page", "number"), [("README.md", 1), ("docs/output.md", 2), ("docs/guide.md", 1)])
def test_samples_are_real(
    page: str, number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(CHECKOUT)
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    printed = set()
    for form in ("full", "concise"):
        assert main(["validate", "fixtures/repos/settlement", "--format", form]) == 1
        printed.update(capsys.readouterr().out.splitlines())
    samples = re.findall(r"```text\n(.*?)\n```", (CHECKOUT / page).read_text(), re.DOTALL)
    samples = [sample for sample in samples if "fixtures/repos/settlement/" in sample]
    assert len(samples) == number
    for sample in samples:
        assert set(sample.splitlines()) <= printed | {""}


def test_readme_commands_are_the_ones_that_ci_runs() -> None:
    readme = (CHECKOUT / "README.md").read_text()
    commands = re.findall(r"```sh\n(.*?)\n```", readme, re.DOTALL)
    script = (CHECKOUT / ".ci/run").read_text()
    assert "pip install -q -e '.[dev]'" in commands[0]
    assert commands[1] in script.splitlines()
    assert ".venv/bin/spectastic validate fixtures/repos/settlement" in script


@pytest.mark.parametrize(
    "page", sorted(path.relative_to(CHECKOUT).as_posix() for path in CHECKOUT.glob("docs/**/*.md"))
)
def test_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", (CHECKOUT / page).read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"`[^`\n]*`", "", text)):
        if "://" not in target:
            assert ((CHECKOUT / page).parent / target).exists(), target
