"""The samples in the papers are what the program prints."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import spectastic
from spectastic import config
from spectastic.cli import main
from spectastic.config import ConfigError
from spectastic.config.keys import KEYS
from spectastic.discover import NothingMatches
from spectastic.engine.errors import BaselineError
from spectastic.git import GitError
from spectastic.rules import RULES

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


def test_every_room_is_on_the_map() -> None:
    page = (CHECKOUT / "docs/architecture.md").read_text()
    package = CHECKOUT / "spectastic"
    rooms = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    rooms |= {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    assert sorted(re.findall(r"^\| `([a-z]+(?:/|\.py))` \|", page, re.MULTILINE)) == sorted(rooms)


def test_configuration_in_the_guide_can_be_used(tmp_path: Path) -> None:
    guide = (CHECKOUT / "docs/guide.md").read_text()
    blocks = re.findall(r"^```toml\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    for block in blocks:
        (tmp_path / "spectastic.toml").write_text(block)
        config.load(str(tmp_path), [], {}, str(tmp_path), known_rules=RULES)
    (table,) = re.findall(r"^\| key \| option .*?\n\n", guide, re.DOTALL | re.MULTILINE)
    keys = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    assert set(re.findall(r"`([a-z-]+)`", " ".join(keys))) == set(KEYS)


#: What the guide says of each: a repository, what is asked for, and what is raised.
RAISED: dict[type[Exception], tuple[str, dict[str, str]]] = {
    ConfigError: ("no-such-key = 1", {}),
    NothingMatches: ("", {"paths": "none.md"}),
    GitError: ("", {"base": "no-such-revision"}),
    BaselineError: ('baseline = "none.jsonl"', {}),
}


@pytest.mark.parametrize("error", RAISED)
def test_exceptions_are_those_of_the_guide(error: type[Exception], tmp_path: Path) -> None:
    guide = (CHECKOUT / "docs/guide.md").read_text()
    named = re.findall(r"^\| `(spectastic\.[\w.]+)` \| ", guide, re.MULTILINE)
    assert sorted(name.rpartition(".")[2] for name in named) == sorted(each.__name__ for each in RAISED)
    for name in named:
        module, _, own = name.rpartition(".")
        assert issubclass(getattr(import_module(module), own), Exception)
    text, asked = RAISED[error]
    (tmp_path / "spectastic.toml").write_text(text)
    (tmp_path / "a.md").write_text("Text.\n")
    paths = [asked["paths"]] if "paths" in asked else []
    with pytest.raises(error):
        spectastic.validate(tmp_path, paths, base=asked.get("base", ""))
