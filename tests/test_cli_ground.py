"""`spectastic ground`, from the command line to the screen: answers, bad input, terminals and processes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from claims import GATES, MANIFEST, claims_in, process, write
from trees import Link, tree

from spectastic.cli import main, streams
from spectastic.cli.ground import COMMANDS, common, page, search
from spectastic.cli.parser import Parser
from spectastic.grounding import decision_engine, searching
from spectastic.grounding.bm25_search import RETRIEVERS
from spectastic.grounding.kinds import RETRIEVER_NAMES

Capture = pytest.CaptureFixture[str]
FIXTURES = Path(__file__).parent.parent / "fixtures" / "ground"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a corpus, which is the current one."""
    monkeypatch.chdir(claims_in(tmp_path / "here"))
    return tmp_path / "here"


def run(capsys: Capture, command: str, *arguments: str) -> tuple[int, str, str]:
    code = main(["ground", command, "--manifest", "m.json", *arguments])
    done = capsys.readouterr()
    return code, done.out, done.err


# --------------------------------------------------------------------------------------------------- search

SEARCHED = """\
## contrast

**Domain:** gate
**Source:** gates.csv · **Found:** 2 of 3 · **Confidence:** low (0.048)

### 1. block merge

- **Gate:** block merge
- **For:** error contrast
- **(matched):** contrast

### 2. warn only

- **Gate:** warn only
- **For:** warning contrast
- **(matched):** contrast

### Evidence gap

- Weak top score in domain 'gate': 0.482, less than 1.5.
"""
# By hand: "contrast" stands in 2 of 3 rows, idf = ln(1.5/2.5 + 1) = 0.470004. Rows have 4, 4 and 2 words, the
# mean is 10/3: tf part = 2.5/(1 + 1.5*(0.25 + 0.75*4/(10/3))) = 2.5/2.725 = 0.917431. Score 0.431196.


def test_search_as_text(here: Path, capsys: Capture) -> None:
    assert here.exists()
    score = 0.4700036 * 2.5 / 2.725
    expected = SEARCHED.replace("0.048", str(round(score / 10, 3))).replace("0.482", f"{score:.3g}")
    assert run(capsys, "search", "contrast", "--domain", "gate") == (0, expected, "")


@pytest.mark.usefixtures("here")
def test_search_as_json(capsys: Capture) -> None:
    code, out, err = run(capsys, "search", "contrast", "--domain", "gate", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert out == json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    expected = ["count", "results", "scores", "filtered_from", "domain", "query", "file", "confidence"]
    assert [*found][:9] == [*expected, "evidence_gap"]
    assert found["results"] == [
        {"Gate": "block merge", "For": "error contrast"},
        {"Gate": "warn only", "For": "warning contrast"},
    ]
    assert found["scores"] == pytest.approx([0.4700036 * 2.5 / 2.725] * 2)
    assert (found["domain"], found["file"], found["filtered_from"]) == ("gate", "gates.csv", 3)


#: Options, and what of the result they change.
OPTIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "detected": (["how", "to", "merge"], {"domain": "gate", "query": "how to merge", "count": 1}),
    "detected otherwise": (["settles"], {"domain": "claim", "count": 1}),
    "short options": (["contrast", "-d", "gate", "-n", "1"], {"count": 1}),
    "stack": (["contrast", "--stack", "web"], {"domain": "stack", "stack": "web", "count": 2}),
    "stack, short": (
        ["contrast", "-s", "web"],
        {"results": [{"Gate": "block merge"}, {"Gate": "warn only"}]},
    ),
    "filter": (["contrast", "--domain", "gate", "--filter", "Gate=WARN"], {"count": 1, "filtered_from": 3}),
    "filters, any": (
        ["contrast", "-d", "gate", "--filter", "Gate=warn", "--filter", "Gate=block"],
        {"count": 2},
    ),
    "filters, three": (
        [
            "warning info",
            *["-d", "gate", "--filter", "Gate=warn", "--filter", "Gate=zz", "--filter", "Gate=comm"],
        ],
        {"count": 2},
    ),
    "filters, all": (
        ["contrast", "-d", "gate", "--filter", "Gate=warn", "--filter", "For=error"],
        {"count": 0},
    ),
    "filter with =": (["contrast", "-d", "gate", "--filter", "Gate=a=b"], {"count": 0}),
    "an empty filter matches all": (["contrast", "-d", "gate", "--filter", "Gate="], {"count": 2}),
    "structured": (["x", "-d", "gate", "--retriever", "structured"], {"count": 3, "scores": [1.0, 1.0, 1.0]}),
    "an empty query, structured": (["", "-d", "gate", "--retriever", "structured"], {"count": 3}),
    "an empty query, hybrid": ([" ", "-d", "gate", "--retriever", "hybrid"], {"count": 3}),
    "nothing": (["xyzzy", "-d", "gate"], {"count": 0, "confidence": {"label": "low", "score": 0.0}}),
    "a query like an option": (["-d", "gate", "--", "--contrast"], {"count": 2, "query": "--contrast"}),
}


@pytest.mark.parametrize("case", OPTIONS)
@pytest.mark.usefixtures("here")
def test_search_options(case: str, capsys: Capture) -> None:
    arguments, expected = OPTIONS[case]
    code = main(["ground", "search", "--manifest", "m.json", "--json", *arguments])
    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert {key: found[key] for key in expected} == expected
    assert found["evidence_gap"] or found["confidence"]["label"] != "low"


def test_what_search_is_asked(here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The options reach the engine as they are; what was not given is not told."""
    assert here.exists()
    asked: list[tuple[Any, ...]] = []
    empty = {"count": 0, "results": [], "query": "q", "domain": "d", "stack": "s", "evidence_gap": ["g"]}
    empty["confidence"] = {"label": "low", "score": 0.0}

    def domain(manifest: dict[str, Any], *given: Any, **named: Any) -> dict[str, Any]:
        asked.append((manifest.get("retriever"), *given, named))
        return empty

    monkeypatch.setattr(searching, "search_domain", domain)
    monkeypatch.setattr(searching, "search_stack", domain)
    run(capsys, "search", "a", "b")
    run(capsys, "search", "a", "--domain", "", "--retriever", "hybrid", "-n", "7", "--filter", "A=1")
    _, _, err = run(capsys, "search", "a", "-d", "claim", "-s", "", "--filter", "A=1", "--filter", "A=2")
    assert asked == [
        (None, "a b", None, {"filters": None}),
        ("hybrid", "a", "", {"filters": {"A": "1"}, "max_results": 7}),
        (None, "a", "", {"filters": {"A": ["1", "2"]}}),
    ]
    assert err == "spectastic: --domain is left out of account: --stack says which table\n"


def test_a_filter_is_parted_at_the_first_sign() -> None:
    given = ["A=b=c", "B=", "A=d", "A==", "a=x"]
    assert search.parse_filters(given) == {"A": ["b=c", "d", "="], "B": "", "a": "x"}


# --------------------------------------------------------------------------------------------------- ground


@pytest.mark.usefixtures("here")
def test_ground_as_json(capsys: Capture) -> None:
    code, out, err = run(capsys, "ground", "contrast", "--context", '{"legal": true}', "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    expected = ["domain", "query", "category", "rule", "rules_evaluation", "selections", "confidence"]
    assert [*found][:8] == [*expected, "evidence_gap"]
    assert (found["category"], found["rule"]) == ("Contrast", {"Kind": "Contrast", "Prefer": "warn + block"})
    assert found["rules_evaluation"] == {"matched": {"if_legal": "block"}, "unmatched": {"if_draft": [1]}}
    assert found["selections"]["gate"]["best"]["Gate"] == "warn only"
    assert "dials" not in found


@pytest.mark.usefixtures("here")
def test_ground_as_text(capsys: Capture) -> None:
    code, out, err = run(capsys, "ground", "contrast", "of", "UI", "--density", "9")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["## contrast of UI", ""]
    for line in (
        "- **Category:** Contrast",
        "### Rule row",
        "- **Kind:** Contrast",
        "- **Prefer:** warn + block",
        "### Rules that do not hold",
        "- `if_legal` → block",
        "- `if_draft` → [1]",
        "### gate",
        "- **Gate:** warn only",
        "- **Density:** 9 (Dense / Dashboard)",
        "### Evidence gap",
        "### Too short to be looked for",
        "- of",
    ):
        assert line in lines


#: What of the tables is another, and the line under what is best of a domain.
BENEATH: dict[str, tuple[dict[str, str], str, str | None]] = {
    # Both rows hold "contrast": one is best, the other an alternative.
    "one more": ({}, "contrast", "**Confidence:** low (0.082) · and 1 more, see --json"),
    # What is preferred is looked for too, and "merge", "block", "only" and "warn" are in these rows alone.
    "none": ({"gates.csv": "Gate,For\nwarn only,contrast\ncomment,info\n"}, "contrast", "**Confidence:** "),
    "no row at all": ({"gates.csv": "Gate,For\nx,y\n"}, "contrast", None),
}


@pytest.mark.parametrize("case", BENEATH)
def test_ground_says_what_it_does_not_show(case: str, here: Path, capsys: Capture) -> None:
    files, query, said = BENEATH[case]
    tree(here, files)
    found = json.loads(run(capsys, "ground", query, "--json")[1])["selections"]["gate"]
    out = run(capsys, "ground", query)[1]
    beneath = [line for line in out.splitlines() if line.startswith("**Confidence:** ")]
    if said is None:
        assert (found["best"], beneath) == ({}, [])
        return
    held, others = found["confidence"], len(found["alternatives"])
    more = f" · and {others} more, see --json" if others else ""
    assert others == (1 if "more" in said else 0)
    assert beneath == [f"**Confidence:** {held['label']} ({held['score']}){more}"]
    lines = out.splitlines()
    assert lines[lines.index(beneath[0]) - 2].startswith("- **For:** ")
    assert lines[lines.index(beneath[0]) - 1] == ""


def test_the_motion_domain_says_so_too(here: Path, capsys: Capture) -> None:
    gsap = {"file": "gsap.csv", "search_cols": ["Move"], "output_cols": ["Move"]}
    write(here, domains={**MANIFEST["domains"], "gsap": gsap})
    tree(
        here, {"gsap.csv": "Move,Intensity Tier\ncontrast in,Subtle\ncontrast out,Subtle\ncontrast,Complex\n"}
    )
    lines = run(capsys, "ground", "contrast", "--motion", "2")[1].splitlines()
    at = lines.index("### motion (Subtle)")
    assert lines[at + 2] == "- **Move:** contrast in"
    assert re.fullmatch(r"\*\*Confidence:\*\* low \(0\.\d+\) · and 1 more, see --json", lines[at + 4])


def test_what_is_kept_says_nothing_of_options(here: Path, capsys: Capture) -> None:
    run(capsys, "ground", "contrast", "--persist", "out", "-p", "My App")
    assert "see --json" not in (here / MASTER).read_text()


#: A context, and what the gaps say of it. The rules of the row ask for `legal` and `draft`.
ASKED_FOR: dict[str, tuple[str, list[str]]] = {
    "known": ('{"legal": true, "draft": false}', []),
    "misspelt": ('{"leagl": true}', ["No rule asks for 'leagl'; did you mean 'legal'?"]),
    "in capitals": ('{"LEGAL": true}', ["No rule asks for 'LEGAL'; did you mean 'legal'?"]),
    "with the prefix": ('{"if_draft": true}', ["No rule asks for 'if_draft'; did you mean 'draft'?"]),
    "like nothing": ('{"xyzzy": false}', ["No rule asks for 'xyzzy'."]),
    "two": (
        '{"drft": 1, "legal": 1, "zz": 1}',
        ["No rule asks for 'drft'; did you mean 'draft'?", "No rule asks for 'zz'."],
    ),
}


@pytest.mark.parametrize("case", ASKED_FOR)
@pytest.mark.usefixtures("here")
def test_what_no_rule_asks_for(case: str, capsys: Capture) -> None:
    context, said = ASKED_FOR[case]
    before = json.loads(run(capsys, "ground", "contrast", "--json")[1])["evidence_gap"]
    found = json.loads(run(capsys, "ground", "contrast", "--context", context, "--json")[1])
    assert [gap for gap in found["evidence_gap"] if gap not in before] == said
    out = run(capsys, "ground", "contrast", "--context", context)[1]
    assert all(f"- {gap}" in out.splitlines() for gap in said)


def test_a_filter_on_a_column_that_is_not_there_is_a_gap(here: Path, capsys: Capture) -> None:
    said = "There is no filter column 'gate' in domain 'gate'; did you mean 'Gate'?"
    none = "No match in domain 'gate': the filters leave none of its 3 rows."
    found = json.loads(run(capsys, "search", "contrast", "-d", "gate", "--filter", "gate=warn", "--json")[1])
    assert (found["count"], found["evidence_gap"]) == (0, [none, said])
    out = run(capsys, "search", "contrast", "-d", "gate", "--filter", "gate=warn")[1]
    assert f"- {said}" in out.splitlines()
    # In the planned domain; in that of the category; in a stack; and where the filter leaves all.
    domains = MANIFEST["domains"]
    write(here, domains={**domains, "gate": {**domains["gate"], "filters": {"gate": "warn"}}})
    gaps = json.loads(run(capsys, "ground", "contrast", "--json")[1])["evidence_gap"]
    assert {none, said} <= set(gaps)
    write(here, domains={**domains, "claim": {**domains["claim"], "filters": {"Xyzzy": "warn"}}})
    gaps = json.loads(run(capsys, "ground", "contrast", "--json")[1])["evidence_gap"]
    assert "There is no filter column 'Xyzzy' in domain 'claim'." in gaps
    found = json.loads(run(capsys, "search", "contrast", "-s", "web", "--filter", "Foor=x", "--json")[1])
    assert found["evidence_gap"][1] == "There is no filter column 'Foor' in stack 'web'; did you mean 'For'?"
    found = json.loads(run(capsys, "search", "warning", "-d", "gate", "--filter", "gate=", "--json")[1])
    assert (found["count"], found["evidence_gap"][-1]) == (1, said)


def test_what_ground_is_asked(here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert here.exists()
    asked: list[tuple[Any, ...]] = []

    def ground(manifest: dict[str, Any], *given: Any, **named: Any) -> dict[str, Any]:
        asked.append((manifest["owner"], *given, named))
        return {"error": "broken", "confidence": {}, "evidence_gap": ["g"]}

    monkeypatch.setattr(decision_engine, "ground", ground)
    unset = {"variance": None, "motion": None, "density": None}
    code, out, err = run(capsys, "ground", "a", "b", "--json")
    assert (code, err) == (1, "spectastic: error: broken\n")
    assert json.loads(out) == {"error": "broken", "confidence": {}, "evidence_gap": ["g"]}
    # What is no grounding takes the place of none.
    code, _, err = run(capsys, "ground", "a", "b", "--persist", ".", "--force", "--json")
    assert (code, (here / "design-system").exists()) == (1, False)
    assert "nothing is written: there is no grounding to keep" in err
    asked.pop()
    run(capsys, "ground", "a", "--context", "{}", "--allow-rules-module", "--variance", "1", "--json")
    run(capsys, "ground", "a", "--motion", "10", "--density", "05", "--json")
    assert asked == [
        ("docs team", "a b", None, unset, {"allow_rules_module": False}),
        ("docs team", "a", {}, {**unset, "variance": 1}, {"allow_rules_module": True}),
        ("docs team", "a", None, {**unset, "motion": 10, "density": 5}, {"allow_rules_module": False}),
    ]


def test_the_rules_module_runs_only_if_that_is_allowed(here: Path, capsys: Capture) -> None:
    module = "open('ran', 'w').close()\ndef evaluate(rules, query, context):\n"
    module += "    return {'matched': {'own': query}, 'unmatched': {}}\n"
    (here / "rules.py").write_text(module)
    write(here, reasoning={**MANIFEST["reasoning"], "rules_module": "rules.ts"})
    for command in (["search", "contrast"], ["validate", "--check-data"], ["ground", "contrast"]):
        assert run(capsys, *command)[0] == 0
    assert not (here / "ran").exists()
    code, out, _ = run(capsys, "ground", "contrast", "--allow-rules-module", "--json")
    assert code == 0
    assert json.loads(out)["rules_evaluation"] == {"matched": {"own": "contrast"}, "unmatched": {}}
    assert (here / "ran").exists()


@pytest.mark.parametrize("form", ["text", "json"])
def test_persist(form: str, here: Path, capsys: Capture) -> None:
    keep = ["ground", "contrast", "--persist", "out", "--project-name", "My App", "--page", "Home"]
    keep += ["--json"] if form == "json" else []
    master = here / "out" / "design-system" / "my-app" / "MASTER.md"
    names = [os.path.relpath(path, here) for path in (master, master.parent / "pages" / "home.md")]
    code, out, err = run(capsys, *keep, "--dry-run")
    assert (code, (here / "out").exists(), '"persisted"' in out) == (0, False, False)
    assert err == "".join(f"spectastic: would be written: {name}\n" for name in names)
    code, out, err = run(capsys, *keep)
    assert code == 0
    assert err == "".join(f"spectastic: written: {name}\n" for name in names)
    assert "warn only" in master.read_text()
    assert (here / names[1]).exists()
    if form == "json":
        assert json.loads(out)["persisted"] == {"status": "success", "created_files": names}
    master.write_text("mine")
    code, out, err = run(capsys, *keep)
    assert code == 1
    clean(out, err, f"{names[0]}: it was not written by this command")
    assert run(capsys, *keep, "--dry-run") == (code, out, err)
    assert master.read_text() == "mine"
    assert run(capsys, *keep, "--force")[0] == 0
    assert "warn only" in master.read_text()


MASTER = os.path.join("out", "design-system", "my-app", "MASTER.md")
#: What is in the way, and what is said of that; `{m}` stands for the master's path.
IN_THE_WAY: dict[str, tuple[str, Any, str]] = {
    "a file of somebody's": (
        "{m}",
        "mine\n",
        "{m}: it was not written by this command, or edited since; --force",
    ),
    "a folder": ("{m}", None, "{m}: something is there that is no file"),
    "a file for a folder": (
        "out/design-system",
        "",
        "out/design-system: something is there that is no folder",
    ),
    "a file for DIR": ("out", "", "out: something is there that is no folder"),
    "a link that leads out": ("out/design-system", Link("../.."), "{m}: a link leads out of out"),
    "a link to nothing": ("{m}", Link("nothing"), "{m}: something is there that is no file"),
}


@pytest.mark.parametrize("case", IN_THE_WAY)
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_what_is_in_the_way_is_said_before(case: str, form: str, dry: list[str], here: Path) -> None:
    """As a process; with `--dry-run` just as without."""
    at, content, said = (
        part.replace("{m}", MASTER) if isinstance(part, str) else part for part in IN_THE_WAY[case]
    )
    tree(here, {at: content})
    before = sorted(here.rglob("*"))
    keep = ["ground", "--manifest", "m.json", "contrast", "--persist", "out", "-p", "My App", "--page", "P"]
    done = process(here, *keep, *dry, *(["--json"] if form == "json" else []))
    err = done.stderr.decode("utf-8")
    assert (done.returncode, sorted(here.rglob("*"))) == (1, before)
    assert err.startswith(f"spectastic: error: {said}")
    assert err.endswith("\nspectastic: or name another folder with --persist\n")
    if form == "json":
        found = json.loads(done.stdout)
        assert found["error"].startswith(said)
        assert {"confidence", "evidence_gap"} <= set(found)
    else:
        assert done.stdout == b""


def test_a_dry_run_tells_what_would_become_of_each_file(here: Path, capsys: Capture) -> None:
    keep = ["--persist", "out", "-p", "My App", "--json"]
    page = os.path.join("out", "design-system", "my-app", "pages", "p.md")
    assert run(capsys, "ground", "contrast", *keep)[0] == 0
    before = (here / MASTER).read_bytes()
    dry = [*keep, "--page", "P", "--dry-run"]
    expected = {
        "contrast": ("holds it already", "unchanged"),
        "contrast color": ("would be replaced", "changed"),
    }
    for query, (said, action) in expected.items():
        code, out, err = run(capsys, "ground", query, *dry)
        assert (code, (here / MASTER).read_bytes(), (here / page).exists()) == (0, before, False)
        assert json.loads(out)["would_persist"] == [
            {"path": MASTER, "action": action},
            {"path": page, "action": "created"},
        ]
        assert err == f"spectastic: {said}: {MASTER}\nspectastic: would be written: {page}\n"


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_page_that_was_edited_is_kept(force: list[str], here: Path, capsys: Capture) -> None:
    keep = ["--persist", "out", "-p", "My App", "--page", "P", "--json", *force]
    assert run(capsys, "ground", "contrast", *keep)[0] == 0
    place = here / "out" / "design-system" / "my-app" / "pages" / "p.md"
    name = os.path.relpath(place, here)
    mine = place.read_text() + "\nSquare corners.\n"
    place.write_text(mine)
    before = (here / MASTER).read_bytes()
    code, out, err = run(capsys, "ground", "contrast color", *keep, "--dry-run")
    assert (code, (here / MASTER).read_bytes()) == (0, before)
    assert json.loads(out)["would_persist"] == [
        {"path": MASTER, "action": "changed"},
        {"path": name, "action": "unchanged"},
    ]
    assert err == f"spectastic: would be replaced: {MASTER}\nspectastic: kept, for it was edited: {name}\n"
    code, out, err = run(capsys, "ground", "contrast color", *keep)
    assert (code, place.read_text()) == (0, mine)
    assert (here / MASTER).read_bytes() != before
    persisted = {"status": "success", "created_files": [MASTER], "kept_files": [name]}
    assert json.loads(out)["persisted"] == persisted
    assert err == f"spectastic: written: {MASTER}\nspectastic: kept, for it was edited: {name}\n"


@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_two_projects_with_one_slug(dry: list[str], here: Path, capsys: Capture) -> None:
    assert run(capsys, "ground", "contrast", "--persist", "out", "-p", "My App")[0] == 0
    before = (here / MASTER).read_bytes()
    keep = ["ground", "contrast color", "--persist", "out", "-p", "my-app!", *dry]
    code, _, err = run(capsys, *keep)
    assert (code, (here / MASTER).read_bytes()) == (1, before)
    assert err == (
        f'spectastic: error: {MASTER}: it was written for "My App", and not for "my-app!"; take another'
        " name, or overwrite it with --force\nspectastic: or name another folder with --persist\n"
    )
    assert run(capsys, *keep, "--force")[0] == 0


def test_persist_needs_no_names(here: Path, capsys: Capture) -> None:
    for dry in (["--dry-run"], []):
        err = run(capsys, "ground", "Contrast it", "--persist", "out", *dry)[2]
        assert err.endswith("written: out/design-system/contrast-it/MASTER.md\n")
    assert [path.name for path in (here / "out/design-system/contrast-it").iterdir()] == ["MASTER.md"]


# ------------------------------------------------------------------------------------------------- validate


def test_validate(here: Path, capsys: Capture) -> None:
    assert run(capsys, "validate") == (0, "Passed: the manifest keeps the contract.\n", "")
    passed = "Passed: the manifest and its data keep the contract.\n"
    assert run(capsys, "validate", "--check-data") == (0, passed, "")
    write(here, owner="", retriver="bm25", domain=1)
    code, out, err = run(capsys, "validate", "--check-data")
    strange = "m.json: retriver is no key of a manifest: did you mean retriever?"
    assert (code, err) == (1, f"spectastic: warning: {strange}\n")
    assert json.loads(run(capsys, "validate", "--json")[1])["warnings"] == [strange]
    assert out == (
        "m.json: domain must be text that is not blank, not 1\n"
        'm.json: owner must be text that is not blank, not ""\n'
        "Failed: 2 violations; the data was not looked at.\n"
    )


def test_validate_looks_at_the_data(here: Path, capsys: Capture) -> None:
    upstream = {"repo": "r", "sha": "s", "last_checked": "2026-01-01"}
    write(here, upstream=upstream, retriver="bm25")
    (here / "gates.csv").write_text("Gate,For\nblock\n")
    day = ("--today", "2026-06-01")
    code, out, err = run(capsys, "validate")
    assert (code, out) == (0, "Passed: the manifest keeps the contract, 1 warning.\n")
    assert err == "spectastic: warning: m.json: retriver is no key of a manifest: did you mean retriever?\n"
    code, out, err = run(capsys, "validate", "--check-data", *day)
    assert code == 1
    assert re.fullmatch(r"gates\.csv:2: 1 .*cells.*\nFailed: 1 violation\.\n", out)
    assert err.splitlines()[1].startswith(
        "spectastic: warning: m.json: upstream.last_checked 2026-01-01 is 151 days"
    )
    code, out, err = run(capsys, "validate", "--check-data", "--json", *day)
    found = json.loads(out)
    assert (code, err) == (1, "")
    keys = ["manifest", "valid", "checked_data", "violations", "warnings", "confidence", "evidence_gap"]
    assert [*found] == keys
    assert (found["valid"], found["checked_data"], len(found["warnings"])) == (False, True, 2)
    (here / "gates.csv").write_text(GATES)
    assert run(capsys, "validate", "--check-data", *day)[0] == 0, "age fails nothing"


def test_validate_of_what_is_no_manifest(here: Path, capsys: Capture) -> None:
    (here / "m.json").write_text("[]")
    code, out, _ = run(capsys, "validate", "--json")
    assert (code, json.loads(out)["violations"]) == (1, ["m.json: the manifest must be an object, not []"])


def test_a_misspelt_key_is_named_where_the_right_one_is_missing(here: Path, capsys: Capture) -> None:
    write(here, refresh_cadence="gone", refresh_cadance="quarterly")
    strange = "m.json: refresh_cadance is no key of a manifest: did you mean refresh_cadence?"
    code, out, err = run(capsys, "validate")
    assert (code, err) == (1, f"spectastic: warning: {strange}\n")
    assert out.startswith("m.json: refresh_cadence is missing: ")
    found = json.loads(run(capsys, "validate", "--json")[1])
    assert (found["valid"], found["warnings"]) == (False, [strange])


# ------------------------------------------------------------------------------------------------ bad input


@pytest.mark.usefixtures("here")
def test_an_empty_query_says_how_to_ask_without_words(capsys: Capture) -> None:
    said = 'spectastic: only structured and hybrid retrieval can do without words; QUERY is then ""\n'
    assert run(capsys, "search", "") == (2, "", f"spectastic: error: the query is empty\n{said}")
    assert run(capsys, "search", "", "--retriever", "structured", "-d", "gate")[0] == 0


def test_without_reasoning_the_next_step_is_named(here: Path, capsys: Capture) -> None:
    write(here, tier="lookup-only", reasoning="gone")
    hint = run(capsys, "ground", "contrast")[2].splitlines()[1]
    assert "add `reasoning` with file, match_column and plan" in hint
    assert "tier conditional-grounding" in hint
    assert "ground search" in hint


def asked() -> list[tuple[int, str, str]]:
    """The rows of a table: exit code, command, how the error begins."""
    text = (FIXTURES / "bad.txt").read_text(encoding="utf-8")
    rows = (line.split("|") for line in text.splitlines() if not line.startswith("#"))
    return [(int(code), command.strip(), said.strip()) for code, command, said in rows]


def clean(out: str, err: str, said: str) -> None:
    """One clear error and a hint at most."""
    assert err.startswith(f"spectastic: error: {said}" if said else "")
    assert bool(err) == bool(said)
    assert len(err.splitlines()) <= 2
    assert "bug" not in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize(("code", "command", "said"), asked())
@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.usefixtures("here")
def test_bad_usage(code: int, command: str, said: str, form: str, capsys: Capture) -> None:
    name, *rest = (part.replace("\\0", "\0") for part in shlex.split(command))
    flags = ["--manifest", "m.json", *(["--json"] if form == "json" else [])] if name in COMMANDS else []
    arguments = [name, *flags, *rest]
    assert main(["ground", *arguments]) == code
    out, err = capsys.readouterr()
    clean(out, err, said)
    if "--json" in arguments:
        told = json.loads(out)
        assert ("error" in told) == bool(code)
        assert {"confidence", "evidence_gap"} <= set(told)
    else:
        assert (out == "") == (code == 2)


@pytest.mark.usefixtures("here")
def test_a_query_asks_for_no_document(capsys: Capture) -> None:
    """Behind `--` nothing is an option."""
    code, out, err = run(capsys, "search", "-n", "0", "--", "--json")
    assert (code, out) == (2, "")
    clean(out, err, "argument -n/--max-results: '0' is no number of rows")
    code, out, _ = run(capsys, "search", "--json", "-n", "0", "--", "a")
    assert (code, json.loads(out)["confidence"]) == (2, common.NOTHING)


def test_there_is_bad_usage() -> None:
    assert len(asked()) > 45


@pytest.mark.usefixtures("here")
def test_a_context_that_is_nested_too_deeply(capsys: Capture) -> None:
    assert run(capsys, "ground", "a", "--context", "[" * 99_999)[0] == 2
    code, out, err = run(capsys, "ground", "a", "--context", "[" * 99_999)
    assert code == 2
    clean(out, err, "--context is no JSON: it is nested too deeply")


SEARCH, GROUND = ["search", "error", "-d", "gate"], ["ground", "contrast"]
REASONING = MANIFEST["reasoning"]
#: Which file is another (`None`: none; "/": a folder; a dict: changes of the manifest), what is asked, and
#: how the error begins. The exit code is 1.
BROKEN: dict[str, tuple[str, Any, list[str], str]] = {
    "no manifest": ("m.json", None, SEARCH, "m.json cannot be read: no such file or directory"),
    "a folder": ("m.json", "/", GROUND, "m.json cannot be read: is a directory"),
    "no JSON": ("m.json", "{", SEARCH, "m.json is no JSON: Expecting property name"),
    "a list": ("m.json", "[]", GROUND, "m.json: the manifest must be an object, not []"),
    "UTF-16": ("m.json", b"\xff\xfe{", ["validate"], "m.json is not UTF-8: byte 0xff at offset 0"),
    "nobody's": ("m.json", {"owner": ""}, SEARCH, 'm.json: owner must be text that is not blank, not ""'),
    "two violations": (
        "m.json",
        {"owner": "", "retriever": "x"},
        SEARCH,
        'm.json: owner must be text that is not blank, not "", and 1 more',
    ),
    "a plan in words": (
        "m.json",
        {"reasoning": {**REASONING, "plan": {"gate": "three"}}},
        GROUND,
        'm.json: reasoning.plan.gate must be a whole number of 0 or more, or its digits as text, not "three"',
    ),
    "no reasoning": (
        "m.json",
        {"tier": "lookup-only", "reasoning": "gone"},
        GROUND,
        "the manifest has no key `reasoning`, so there is nothing to ground by",
    ),
    "reasoning that is null": ("m.json", {"reasoning": None}, GROUND, "the manifest has no key `reasoning`"),
    "no table": ("gates.csv", None, SEARCH, "gates.csv: the file cannot be read: no such file"),
    "a folder for a table": ("gates.csv", "/", SEARCH, "gates.csv: this is a folder"),
    "no table of the plan": ("gates.csv", None, GROUND, "gates.csv: the file cannot be read"),
    "no table of rules": ("rules.csv", None, GROUND, "rules.csv: the file cannot be read"),
    "Latin 1": ("gates.csv", b"Gate\n\xfc\n", SEARCH, "gates.csv:2: byte 0xfc is not UTF-8"),
    "NUL": ("gates.csv", b"Gate\n\0\n", SEARCH, "gates.csv:2: a NUL byte"),
    "a cell of 200 KB": (
        "gates.csv",
        b'Gate,For\n"' + b"a" * 200_000 + b'",b\n',
        SEARCH,
        "gates.csv:2: a cell of more than 131,072 characters",
    ),
    "a link that leads out": (
        "gates.csv",
        Link("/etc/hostname"),
        SEARCH,
        "'gates.csv' leads out of the manifest's folder through a link",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("form", ["text", "json"])
def test_broken_files(case: str, form: str, here: Path, capsys: Capture) -> None:
    name, content, (command, *rest), said = BROKEN[case]
    (here / name).unlink()
    if isinstance(content, dict):
        write(here, name, **content)
    elif content is not None:
        tree(here, {name: None if content == "/" else content})
    code, out, err = run(capsys, command, *(["--json"] if form == "json" else []), *rest)
    assert code == 1
    clean(out, err, said)
    if form == "json":
        found = json.loads(out)
        assert {"error", "confidence", "evidence_gap"} <= set(found)
        assert found["evidence_gap"]


def test_a_persisted_file_in_the_way_is_said(here: Path, capsys: Capture) -> None:
    (here / "out").write_text("a file")
    code, out, err = run(capsys, "ground", "contrast", "--persist", "out")
    assert (code, out) == (1, "")
    assert err.startswith("spectastic: error: ")
    assert err == (
        "spectastic: error: out: something is there that is no folder\n"
        "spectastic: or name another folder with --persist\n"
    )
    assert run(capsys, "ground", "contrast", "--persist", "out", "--dry-run") == (code, out, err)


def test_help(capsys: Capture) -> None:
    assert main(["ground"]) == 0
    text = capsys.readouterr().out
    for name, summary in COMMANDS.items():
        assert f"  {name:<8}  {summary}\n" in text
        assert main(["ground", name, "--help"]) == 0
        assert f"usage: spectastic ground {name}" in capsys.readouterr().out


# ------------------------------------------------------------------------------------- terminals and escapes


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("plain café 設計 🚀", '"plain café 設計 🚀"\n'),
        ("\x1b[31m\x07\x7f\x9b", '"\\u001b[31m\\u0007\\u007f\\u009b"\n'),
        ("a\u202eb\u200b", '"a\\u202eb\\u200b"\n'),
        ("\udc80\U000e0041", '"\\udc80\\udb40\\udc41"\n'),
        ("a\nb\u00a0", '"a\\nb\u00a0"\n'),
        ("##[error]", '"#\\u0023[error]"\n'),
        ([1, {"a\x85": None}], '[\n  1,\n  {\n    "a\\u0085": null\n  }\n]\n'),
    ],
)
def test_json_drives_no_terminal(value: object, printed: str, capsys: Capture) -> None:
    common.write_json(value)
    out = capsys.readouterr().out
    assert out == printed
    assert json.loads(out) == value


def test_text_drives_no_terminal(here: Path, capsys: Capture) -> None:
    (here / "gates.csv").write_text("Gate,For\n\x1b]0;x\x07block ##[error],contrast\n")
    code, out, _ = run(capsys, "search", "contrast", "-d", "gate")
    assert code == 0
    assert "\x1b" not in out
    assert "- **Gate:** \\x1b]0;x\\x07block #\\x23[error]" in out.splitlines()


@pytest.mark.parametrize(
    ("text", "width", "color", "shown"),
    [
        ("### 1. Gate", 40, True, ["\x1b[1m1. Gate\x1b[0m"]),
        ("### 1. Gate", 40, False, ["1. Gate"]),
        ("", 40, True, [""]),
        ("- **Gate:** block", 40, True, ["  \x1b[2mGate:\x1b[0m block"]),
        ("- **Gate:** aaa bbb-ccc ddd", 16, False, ["  Gate: aaa", "    bbb-ccc ddd"]),
        (
            "**Found:** 1 · **Confidence:** high (0.5)",
            60,
            True,
            ["\x1b[2mFound:\x1b[0m 1 · \x1b[2mConfidence:\x1b[0m \x1b[32mhigh\x1b[0m (0.5)"],
        ),
        ("- **Confidence:** low (0.0)", 60, True, ["  \x1b[2mConfidence:\x1b[0m \x1b[31mlow\x1b[0m (0.0)"]),
        ("- a ** b", 40, True, ["  a ** b"]),
    ],
)
def test_a_terminal_shows_it_drawn(text: str, width: int, color: bool, shown: list[str]) -> None:
    assert list(page.drawn(text, width, color=color)) == shown


@pytest.mark.usefixtures("here")
def test_on_a_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "is_terminal", lambda _: True)
    monkeypatch.setattr(streams, "columns", lambda _: 60)
    _, out, _ = run(capsys, "search", "contrast", "-d", "gate")
    assert "\x1b[1m1. block merge\x1b[0m\n" in out
    monkeypatch.setenv("NO_COLOR", "1")
    _, out, _ = run(capsys, "search", "contrast", "-d", "gate")
    assert "\x1b" not in out
    assert "\n1. block merge\n" in out
    assert "\n  Gate: block merge\n" in out


def test_a_result_may_have_less_to_tell() -> None:
    held = {"label": "low", "score": 0.0}
    error = {"query": "", "domain": "x", "count": 0, "results": [], "confidence": held, "evidence_gap": []}
    assert list(page.search(error)) == [
        "## (no query)",
        "",
        "**Domain:** x",
        "**Found:** 0 · **Confidence:** low (0.0)",
    ]
    more = {
        **error,
        "runner_up_domain": "y",
        "results": [{"A": None}],
        "tokens_dropped": {"ui": "uis", "of": None},
        "suggestions": ["near"],
        "corpus_warnings": [f"f:{line}: odd" for line in range(5)],
    }
    assert list(page.search(more))[2:] == [
        "**Domain:** x · **Nearly:** y",
        "**Found:** 0 · **Confidence:** low (0.0)",
        *("", "### 1. (empty)", ""),
        *("", "### Too short to be looked for", "", "- ui (did you mean uis?)", "- of"),
        *("", "### Did you mean", "", "- near"),
        *("", "### About the data", "", "- f:0: odd", "- f:1: odd", "- f:2: odd"),
        "- and 2 more; spectastic ground validate --check-data lists them",
    ]


# ------------------------------------------------------------------------------------------------ processes


@pytest.mark.parametrize("encoding", ["cp1252", "gbk", "ascii", "utf-16", "utf-8"])
def test_output_is_utf8_whatever_the_console_says(encoding: str, here: Path) -> None:
    for form in ([], ["--json"]):
        done = process(here, "search", "--manifest", "m.json", "café", *form, PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        assert "Naïve “quote”" in done.stdout.decode("utf-8")
    done = process(here, "search", "--manifest", "m.json", "a", "-d", "設計", PYTHONIOENCODING=encoding)
    assert (done.returncode, "unknown domain '設計'" in done.stderr.decode("utf-8")) == (1, True)


def test_exit_codes_of_a_process(here: Path) -> None:
    base = ("--manifest", "m.json")
    assert process(here, "search", *base, "xyzzy").returncode == 0
    assert process(here, "ground", *base, "contrast").returncode == 0
    assert process(here, "validate", *base, "--check-data").returncode == 0
    assert process(here, "validate", "--manifest", "none.json").returncode == 1
    assert process(here, "search", *base, "a", "--filter", "b").returncode == 2
    assert process(here).returncode == 0
    done = process(here, "init", "--domain", "d", "--from", "gates.csv", "--out", "new.json")
    assert (done.returncode, done.stdout) == (2, b""), "there is no terminal to ask for the owner"


def test_a_query_that_is_no_text(here: Path) -> None:
    """A byte that is not UTF-8 arrives as a lone surrogate."""
    words = [sys.executable, "-m", "spectastic", "ground", "search", "--manifest", "m.json"]
    command: list[str | bytes] = [*words, b"caf\xe9"]
    forms: tuple[list[str], ...] = ([], ["--json"])
    for form in forms:
        done = subprocess.run([*command, *form], cwd=here, capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"caf\\udce9" in done.stdout


# -------------------------------------------------------------------------------------------- paper and tools


def test_the_page_has_every_option() -> None:
    text = (FIXTURES.parent.parent / "docs" / "grounding.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))
    options: set[str] = set()
    for name in COMMANDS:
        parser = Parser(name, "")
        import_module(f"spectastic.cli.ground.{name}").configure(parser)
        options.update(parser._option_string_actions)
    assert options - {"-h", "--help", "--yes"} <= documented
    assert documented - {"--help"} <= options


def test_what_the_page_shows_works(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of step 1 as they stand there, its commands, and the answers that the page shows."""
    monkeypatch.chdir(tmp_path)
    text = (FIXTURES.parent.parent / "docs" / "grounding.md").read_text(encoding="utf-8")
    files = re.findall(r"`(claims/\w+\.csv)`[^`]*?\n\n```csv\n(.*?)```", text, re.DOTALL)
    assert [name for name, _ in files] == ["claims/gates.csv", "claims/claims.csv", "claims/rules.csv"]
    tree(tmp_path, dict(files))
    commands = [shlex.split(line)[1:] for line in re.findall(r"^\$ spectastic (.*)$", text, re.MULTILINE)]
    assert [command[0] for command in commands] == ["init", "search", "ground"]
    init, searched, grounded = commands

    assert main(["ground", *init]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = re.search(r"\$ spectastic ground init .*?\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    assert set(shown[1].splitlines()) - {"…"} <= set(lines)
    assert main(["ground", *searched, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["Gate"] == "block the merge"

    block = re.search(r'```json\n("tier".*?),\n```', text, re.DOTALL)
    assert block is not None
    path = tmp_path / "claims" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **json.loads(f"{{{block[1]}}}")}))
    assert main(["ground", "validate", "--manifest", str(path), "--check-data"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["ground", *grounded]) == 0
    assert f"```text\n{capsys.readouterr().out}```\n" in text


def test_the_retrievers_are_those_of_the_engine() -> None:
    assert set(search.RETRIEVERS) == set(RETRIEVERS) == set(RETRIEVER_NAMES)
