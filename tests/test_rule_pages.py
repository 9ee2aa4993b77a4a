"""The rules' own papers: every page has the same headings, and its examples are true."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.engine import validate
from spectastic.rules import (
    CORPUS_RULES,
    HISTORY_RULES,
    LIFECYCLE_RULES,
    PRIOR_ART_RULES,
    RULES,
    SPEC_RULES,
    SUPPRESSION_RULES,
    page,
)
from spectastic.rules.protocols import CorpusRule, HistoryRule, LifecycleRule, PriorArtRule, SpecRule

if TYPE_CHECKING:
    from spectastic.findings import Finding

ROOT = Path(__file__).parent.parent
BASE = ROOT / "fixtures" / "rules" / "_base"
HEADINGS = [
    "What it does",
    "Why is this bad?",
    "Example",
    "How to fix it",
    "How to silence it",
]
_EXAMPLE = re.compile(r"^(Wrong|Right), in `([^`\n]+)`:\n\n```markdown\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TOML = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(rule: str) -> list[tuple[str, str, str]]:
    return _EXAMPLE.findall(page(rule))


@pytest.mark.parametrize("rule", RULES)
def test_page(rule: str) -> None:
    text = page(rule)
    first = text.splitlines()[0]
    assert first.endswith("."), "the first line states the fact"
    assert re.findall("^## (.*)$", text, re.MULTILINE) == HEADINGS
    for part in re.split("^## .*$", text, flags=re.MULTILINE):
        assert part.strip(), "a heading without text"
    assert "`\n\n```" not in text or examples(rule)


@pytest.mark.parametrize("rule", RULES)
def test_silence_is_configuration_that_names_the_rule(rule: str) -> None:
    (written,) = _TOML.findall(page(rule))
    settings = tomllib.loads(written)
    assert rule in settings["ignore"]
    assert settings["severity"][rule] in ("error", "warning", "info")
    assert settings["severity"][rule] != RULES[rule].severity.label
    assert all(rules == [rule] for rules in settings["per-path-ignores"].values())


#: What these report cannot be shown as the text of a file.
WITHOUT_EXAMPLES = ("file-unreadable", "corpus-uncommitted")


def found_by(rule: str, root: Path) -> list[Finding]:
    for module in HISTORY_RULES:
        if module.RULE.id == rule:
            return list(module.check(load(str(root)), load(str(BASE))))
    return list(validate(Settings(root=str(root), select=(rule,))).findings)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in WITHOUT_EXAMPLES])
def test_examples(rule: str, tmp_path: Path) -> None:
    verdicts = []
    for verdict, path, text in examples(rule):
        root = tmp_path / verdict
        shutil.copytree(BASE, root)
        # Without it, nothing is said of prior art.
        (root / ".adlc").mkdir()
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        found = found_by(rule, root)
        assert bool(found) == (verdict == "Wrong"), (verdict, found)
        verdicts.append(verdict)
    assert verdicts == ["Wrong", "Right"]


def test_lists_hold_every_rule() -> None:
    listed = {rule.RULE.id for rule in SPEC_RULES} | {rule.RULE.id for rule in CORPUS_RULES}
    listed |= {rule.RULE.id for rule in HISTORY_RULES} | {rule.RULE.id for rule in SUPPRESSION_RULES}
    listed |= {rule.RULE.id for rule in PRIOR_ART_RULES} | {rule.RULE.id for rule in LIFECYCLE_RULES}
    modules = {path.stem.replace("_", "-") for path in (ROOT / "spectastic" / "rules").glob("*.py")}
    assert modules - {"--init--", "common", "history", "priors", "protocols", "repairs"} == set(RULES)
    assert listed == set(RULES)
    assert all(rule_id == rule.id for rule_id, rule in RULES.items())


def test_checks_take_what_the_lists_promise() -> None:
    rules: tuple[SpecRule | CorpusRule | HistoryRule | PriorArtRule | LifecycleRule, ...]
    for protocol, rules in (
        (SpecRule, SPEC_RULES),
        (CorpusRule, CORPUS_RULES),
        (HistoryRule, HISTORY_RULES),
        (PriorArtRule, PRIOR_ART_RULES),
        (LifecycleRule, LIFECYCLE_RULES),
    ):
        promised = len(signature(protocol.check).parameters) - 1
        for rule in rules:
            assert len(signature(rule.check).parameters) == promised


def test_page_of_no_rule() -> None:
    with pytest.raises(KeyError):
        page("corpus-provenence")


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = root / "docs" / "generate_rules.py"
    command = [sys.executable, str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_generated_pages_are_up_to_date() -> None:
    done = generate(ROOT, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_check_tells_what_differs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "rules", tmp_path / "docs" / "rules")
    shutil.copy(ROOT / "docs" / "generate_rules.py", tmp_path / "docs")
    pages = tmp_path / "docs" / "rules"
    (pages / "corpus-orphan.md").write_text("edited by hand\n", encoding="utf-8")
    (pages / "decision-markup.md").unlink()
    (pages / "gone.md").write_text("a rule that is no more\n", encoding="utf-8")
    done = generate(tmp_path, "--check")
    assert done.returncode == 1
    named = re.findall("^docs/rules/(.*) differs", done.stderr, re.MULTILINE)
    assert named == ["corpus-orphan.md", "decision-markup.md", "gone.md"]
    assert generate(tmp_path).returncode == 0
    assert generate(tmp_path, "--check").returncode == 0
    assert generate(tmp_path, "--chek").returncode == 2
