"""Who may let a rules module run: the command line, or the configuration where only its owners change it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from claims import MANIFEST, claims_in, process, write
from trees import Link, tree

from spectastic.cli import main

Capture = pytest.CaptureFixture[str]

MODULE = """\
import os
open(os.path.join(os.path.dirname(__file__), "ran"), "w").close()
def evaluate(rules, query, context):
    return {"matched": {"own": query}, "unmatched": {}}
"""
LISTED = 'rules-modules = ["tables/rules.py"]\n'
GROUND = ["ground", "--manifest", "tables/m.json", "contrast", "--json"]


@pytest.fixture(autouse=True)
def outside_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may run on a CI service themselves."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a corpus, whose rules are evaluated by a module that leaves a trace."""
    top = tree(tmp_path / "top", {".git": "", "spectastic.toml": LISTED, "sub": None})
    ruled(top / "tables")
    monkeypatch.chdir(top)
    return top


def ruled(folder: Path, module: str = "rules.py") -> None:
    tree(claims_in(folder), {"rules.py": MODULE})
    write(folder, reasoning={**MANIFEST["reasoning"], "rules_module": module})


def ran(folder: Path) -> bool:
    """Whether the module ran since this was asked last."""
    trace = folder / "ran"
    found = trace.exists()
    trace.unlink(missing_ok=True)
    return found


def test_the_setting_allows_a_module(top: Path, capsys: Capture) -> None:
    assert main(["ground", *GROUND]) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["rules_evaluation"], err) == (
        {"matched": {"own": "contrast"}, "unmatched": {}},
        "",
    )
    assert ran(top / "tables")


@pytest.mark.parametrize("value", ["", "rules-modules = []", 'rules-modules = ["other/rules.py"]'])
def test_no_other_module_runs(value: str, top: Path, capsys: Capture) -> None:
    (top / "spectastic.toml").write_text(value)
    assert main(["ground", *GROUND]) == 0
    gaps = json.loads(capsys.readouterr().out)["evidence_gap"]
    assert gaps[0].startswith("The rules module rules.py was not run: it is code, and was not allowed to")
    assert not ran(top / "tables")
    assert main(["ground", *GROUND, "--allow-rules-module"]) == 0
    assert ran(top / "tables")


#: What the manifest names, files that are there besides, what is listed, and whether that is the same.
NAMED: dict[str, tuple[str, dict[str, str | Link], str, bool]] = {
    "a twin": ("rules.ts", {}, "tables/rules.py", True),
    "a path with dots": ("./rules.py", {}, "./tables/../tables/rules.py", True),
    "listed through a link": ("rules.py", {"link.py": Link("tables/rules.py")}, "link.py", True),
    "named through a link": ("r.py", {"tables/r.py": Link("rules.py")}, "tables/rules.py", True),
    "a link that is listed, to another": (
        "other.py",
        {"tables/other.py": Link("rules.py"), "tables/rules2.py": ""},
        "tables/rules2.py",
        False,
    ),
    "the folder": ("rules.py", {"tables.py": ""}, "tables.py", False),
    "another case": ("rules.py", {}, "tables/Rules.py", False),
    "its beginning": ("rules.py", {}, "tables/rules.py.py", False),
}


@pytest.mark.parametrize("case", NAMED)
def test_it_is_that_very_file(case: str, top: Path) -> None:
    module, files, listed, same = NAMED[case]
    tree(top, dict(files))
    ruled(top / "tables", module)
    (top / "spectastic.toml").write_text(f"rules-modules = [{json.dumps(listed)}]\n")
    assert main(["ground", *GROUND]) == 0
    assert ran(top / "tables") == same


def test_it_is_not_that_name_elsewhere(top: Path, tmp_path: Path, capsys: Capture) -> None:
    """A corpus that was downloaded runs nothing, whatever its folder and its own configuration say."""
    ruled(tmp_path / "far" / "tables")
    (tmp_path / "far" / "spectastic.toml").write_text(LISTED)
    (tmp_path / "far" / "tables" / "spectastic.toml").write_text('rules-modules = ["rules.py"]\n')
    arguments = ["ground", "--manifest", str(tmp_path / "far/tables/m.json"), "contrast"]
    assert main(["ground", *arguments]) == 0
    assert "was not run" in capsys.readouterr().out
    assert not ran(tmp_path / "far" / "tables")
    assert top == Path.cwd()


def test_the_configuration_is_found_from_the_current_folder(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(top / "sub")
    arguments = ["ground", "ground", "--manifest", "../tables/m.json", "contrast"]
    assert main(arguments) == 0
    assert ran(top / "tables")
    assert main([*arguments, "--isolated"]) == 0
    assert not ran(top / "tables")
    assert main([*arguments, "--isolated", "--allow-rules-module"]) == 0
    assert ran(top / "tables")


def test_in_ci_the_setting_counts_for_nothing(
    top: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There a pull request brings the setting, the manifest and the module."""
    monkeypatch.setenv("CI", "true")
    assert main(["ground", *GROUND]) == 0
    out, err = capsys.readouterr()
    assert "was not run" in json.loads(out)["evidence_gap"][0]
    assert err == (
        "spectastic: rules-modules of spectastic.toml:1 counts for nothing in CI\n"
        "spectastic: where the code is trusted, add --allow-rules-module to the command\n"
    )
    assert not ran(top / "tables")
    assert main(["ground", *GROUND, "--allow-rules-module"]) == 0
    assert ran(top / "tables")
    (top / "spectastic.toml").write_text('rules-modules = ["other.py"]\n')
    capsys.readouterr()
    assert main(["ground", *GROUND]) == 0
    assert capsys.readouterr().err == "", "nothing was allowed, so there is nothing to say"
    monkeypatch.setenv("CI", "false")
    (top / "spectastic.toml").write_text(LISTED)
    assert main(["ground", *GROUND]) == 0
    assert ran(top / "tables")


@pytest.mark.parametrize("flag", [[], ["--allow-rules-module"]])
def test_a_module_outside_of_the_manifests_folder(flag: list[str], top: Path, capsys: Capture) -> None:
    tree(top, {"tables/out.py": Link("../out.py"), "out.py": MODULE, "spectastic.toml": LISTED})
    ruled(top / "tables", "out.py")
    assert main(["ground", *GROUND, *flag]) == 1
    assert "'out.py' leads out of the manifest's folder through a link" in capsys.readouterr().err
    assert not ran(top)


def test_a_wrong_configuration_is_said(top: Path, capsys: Capture) -> None:
    (top / "spectastic.toml").write_text('rules-modules = ["../rules.py"]\n')
    assert main(["ground", *GROUND]) == 2
    out, err = capsys.readouterr()
    said = (
        f'spectastic.toml:1: rules-modules: "../rules.py" lies outside the root {top} (name a file below it)'
    )
    assert json.loads(out)["error"] == said
    assert err == f"spectastic: error: {said}\nspectastic: or leave it out with --isolated\n"
    for flag in ("--isolated", "--allow-rules-module"):
        assert main(["ground", *GROUND, flag]) == 0


def test_only_ground_runs_it(top: Path) -> None:
    """Neither the check of the specs, which is the hook's and CI's, nor a look at the tables."""
    corpus = ("--manifest", "tables/m.json")
    tree(top, {"spec.md": "# A spec\n"})
    assert process(top, "search", *corpus, "contrast").returncode == 0
    assert process(top, "validate", *corpus, "--check-data").returncode == 0
    assert main(["validate"]) == 0
    assert main(["config"]) == 0
    assert not ran(top / "tables")
    assert process(top, *GROUND).returncode == 0
    assert ran(top / "tables")


#: What is asked, and whether that reads the configuration.
READS = {
    ("search", "--manifest", "tables/m.json", "contrast"): False,
    ("ground", "--manifest", "plain/m.json", "contrast"): False,
    (*GROUND, "--allow-rules-module"): False,
    (*GROUND, "--isolated"): False,
    ("validate", "--manifest", "tables/m.json", "--check-data"): False,
    tuple(GROUND): True,
}


@pytest.mark.parametrize("arguments", READS)
def test_the_configuration_costs_only_those_who_need_it(arguments: tuple[str, ...], top: Path) -> None:
    claims_in(top / "plain")
    code = (
        "import sys; from spectastic.cli import main; code = main(['ground', *sys.argv[1:]]);"
        "print(*sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=top, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert ("spectastic.config" in done.stderr.split()) == READS[arguments]
