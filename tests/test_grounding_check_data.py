"""The tables behind a manifest, held to what it says of them; and how old the data may be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from trees import Link, tree

from spectastic.grounding.age import DAYS, allowed
from spectastic.grounding.check_data import MOST, Checked, check_data
from spectastic.grounding.schema_validator import validate_manifest, with_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TODAY = "2026-06-01"
CLAIMS = "Claim,Severity\nSecurity,error\nTypo,info\n"
GATES = "Gate,Level\nblock,error\n"
RULES = 'Kind,Rules,Prefer\nSecurity,"{""if_legal"": ""block""}",block + warn\nTypo,,\n'
FILES = {"claims.csv": CLAIMS, "gates.csv": GATES, "rules.csv": RULES}


def manifest(**changes: Any) -> dict[str, Any]:
    """A manifest that fits `FILES`; `reasoning__plan` changes what is inside."""
    made: dict[str, Any] = {
        "manifest_version": 1,
        "domain": "claims",
        "tier": "conditional-grounding",
        "domains": {
            "claim": {"file": "claims.csv", "search_cols": ["Claim"], "output_cols": ["Claim", "Severity"]},
            "gate": {"file": "gates.csv", "search_cols": ["Gate"], "output_cols": ["Gate"]},
        },
        "reasoning": {
            "file": "rules.csv",
            "match_column": "Kind",
            "category_domain": "claim",
            "category_column": "Claim",
            "rules_column": "Rules",
            "priority_column": "Prefer",
            "priority_domain": "gate",
            "name_columns": {"gate": "Gate"},
            "plan": {"gate": 2},
        },
        "owner": "docs team",
        "refresh_cadence": "quarterly",
        "upstream": {"repo": "r", "sha": "s", "last_checked": "2026-05-31"},
    }
    for name, value in changes.items():
        *way, last = name.split("__")
        holder = made
        for step in way:
            holder = holder[step]
        if value is None:
            del holder[last]
        else:
            holder[last] = value
    return made


def checked(
    folder: Path, files: Mapping[str, str | bytes | Link | None], path: str = "m.json", **changes: Any
) -> Checked:
    """What is said of `FILES` with changes, of which None takes a file away."""
    tree(folder, {name: content for name, content in {**FILES, **files}.items() if content is not None})
    made = manifest(**changes)
    assert validate_manifest(made) == []
    return check_data(with_folder(made, str(folder / "m.json")), TODAY, path)


def test_what_is_right(tmp_path: Path) -> None:
    assert checked(tmp_path, {}) == Checked([], [])


def test_without_reasoning(tmp_path: Path) -> None:
    assert checked(tmp_path, {"rules.csv": None}, reasoning=None) == Checked([], [])


#: What is changed in the files, what in the manifest, and what is said.
VIOLATIONS: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "missing": (
        {"gates.csv": None},
        {},
        ["m.json: domains.gate.file: there is no file gates.csv; add it, or correct the name"],
    ),
    "missing for two": (
        {"gates.csv": None},
        {"reasoning__file": "gates.csv"},
        ["m.json: domains.gate.file, reasoning.file: there is no file gates.csv; add it, or correct the na"],
    ),
    "folder": ({"gates.csv": None, "gates.csv/a": ""}, {}, ["gates.csv: this is a folder; name a CSV file"]),
    "link out": (
        {"gates.csv": Link("../out.csv")},
        {},
        [
            (
                "m.json: domains.gate.file: 'gates.csv' leads out of the manifest's folder through a link;"
                " it must be manifest-relative; put a copy in its place"
            )
        ],
    ),
    "not UTF-8": (
        {"gates.csv": b"Gate,Level\nbl\xf6ck,error\n"},
        {},
        ["gates.csv:2: byte 0xf6 is not UTF-8; save the file as UTF-8"],
    ),
    "NUL": ({"gates.csv": b"Gate,Level\nbl\0ck,error\n"}, {}, ["gates.csv:2: a NUL byte; remove it"]),
    "no such column": (
        {"claims.csv": "claim,Severity\nTypo,info\n"},
        {},
        [
            (
                "claims.csv:1: there is no column 'Claim' (domains.claim.search_cols, domains.claim."
                "output_cols); did you mean 'claim'?"
            )
        ],
    ),
    "a column like nothing": (
        {},
        {"domains__gate__filters": {"Xyzzy": "a"}, "reasoning__name_columns": {"gate": "Plugh"}},
        [
            "m.json: reasoning.name_columns.gate 'Plugh' is not among domains.gate.output_cols, so nothing",
            "gates.csv:1: there is no column 'Xyzzy' (domains.gate.filters); it has Gate, Level",
            "gates.csv:1: there is no column 'Plugh' (reasoning.name_columns.gate); it has Gate, Level",
        ],
    ),
    "reasoning columns": (
        {"rules.csv": "A\n1\n"},
        {},
        [
            "rules.csv:1: there is no column 'Kind' (reasoning.match_column); it has A",
            "rules.csv:1: there is no column 'Rules' (reasoning.rules_column); it has A",
            "rules.csv:1: there is no column 'Prefer' (reasoning.priority_column); it has A",
        ],
    ),
    "stack": (
        {"s/a.csv": "Gate\nx\n"},
        {"stacks": {"a": "s\\a.csv"}, "stack_cols": {"search_cols": ["Gate"], "output_cols": ["Do"]}},
        ["s/a.csv:1: there is no column 'Do' (stack_cols.output_cols); it has Gate"],
    ),
    "short row": ({"gates.csv": "Gate,Level\n\nblock\n"}, {}, ["gates.csv:3: 1 "]),
    "long row": ({"gates.csv": "Gate,Level\na,b,c\n"}, {}, ["gates.csv:2: 3 "]),
    "rules a list": (
        {"rules.csv": 'Kind,Rules,Prefer\nA,,\n"B\nC","[1]",\nD,[],\n'},
        {},
        [
            (
                "rules.csv:3: Rules: The rules are no JSON object, and none is applied: [1]."
                " Write an object of conditions and directives"
            ),
            (
                "rules.csv:5: Rules: The rules are no JSON object, and none is applied: []."
                " Write an object of conditions and directives"
            ),
        ],
    ),
    "rules no JSON": (
        {"rules.csv": "Kind,Rules,Prefer\nA,{,\n"},
        {},
        ["rules.csv:2: Rules: The rules are not JSON, and none is applied: Expecting property name"],
    ),
    "a broken quote in a row that is short": (
        {"gates.csv": 'Gate,Level\n"warn,x\nfail,y"\nlast,z\n'},
        {},
        ["gates.csv:2: perhaps a broken quote swallows the lines up to 3: they are one row of 1 cell"],
    ),
    "rules with a key twice": (
        {"rules.csv": 'Kind,Rules,Prefer\nA,"{""if_a"": 1, ""if_a"": 2}",\n'},
        {},
        [
            (
                "rules.csv:2: Rules: The rules have the key 'if_a' twice in one object, and none is applied."
                " Write an object of conditions and directives"
            )
        ],
    ),
    "no category": (
        {"rules.csv": "Kind,Rules,Prefer\n ,,\n"},
        {},
        ["rules.csv:2: Kind: the cell is empty, so no category leads here; name one, or remove the row"],
    ),
    "category twice": (
        {"rules.csv": "Kind,Rules,Prefer\r\nA,,\r\nb,,\r\n a ,,\r\n"},
        {},
        ["rules.csv:4: Kind: 'a' stands above already, and that counts; make one row"],
    ),
    "category not shown": (
        {},
        {"domains__claim__output_cols": ["Severity"]},
        [
            (
                "m.json: reasoning.category_column 'Claim' is not among domains.claim.output_cols, so no"
                " category is ever seen; add it there"
            )
        ],
    ),
    "name not shown": (
        {},
        {"domains__gate__output_cols": ["Level"]},
        [
            (
                "m.json: reasoning.name_columns.gate 'Gate' is not among domains.gate.output_cols, so nothing"
                " that is preferred is ever seen in it; add it there"
            )
        ],
    ),
    "no module": (
        {},
        {"reasoning__rules_module": "rules.ts"},
        ["m.json: reasoning.rules_module: there is no file rules.py; add it, or correct the name"],
    ),
    "a module that is none": (
        {"rules.rb": ""},
        {"reasoning__rules_module": "rules.rb"},
        ["m.json: reasoning.rules_module: rules.rb is no Python file; name a .py file"],
    ),
    "a module that leads out": (
        {"rules.py": Link("/dev/null")},
        {"reasoning__rules_module": "rules.js"},
        ["m.json: reasoning.rules_module: 'rules.py' leads out of the manifest's folder through a link;"],
    ),
    "empty file": (
        {"gates.csv": ""},
        {},
        [
            (
                "gates.csv:1: there is no column 'Gate' (domains.gate.search_cols, domains.gate.output_cols,"
                " reasoning.name_columns.gate); it has none"
            ),
            "gates.csv:1: the file is empty",
        ],
    ),
    "byte order mark": (
        {"gates.csv": f"\ufeff{GATES}"},
        {},
        ["gates.csv:1: the file begins with a byte order mark"],
    ),
    **{
        f"parted by {said}": (
            {"gates.csv": f"Gate{sign}Level\nblock{sign}error\n"},
            {
                "domains__gate__search_cols": [f"Gate{sign}Level"],
                "domains__gate__output_cols": [f"Gate{sign}Level"],
            }
            | {"reasoning__name_columns": {}},
            [f"gates.csv:1: the header is one cell, parted by {said}: save the file with commas"],
        )
        for sign, said in ((";", ";"), ("\t", "tabs"), ("|", "|"))
    },
    # The mistake itself, and not what follows from it.
    "parted, and columns by their names": (
        {"gates.csv": "Gate;Level;Cost\nblock;error;1,5\n"},
        {},
        ["gates.csv:1: the header is one cell, parted by ;: save the file with commas"],
    ),
    "header twice": ({"gates.csv": "Gate,Gate\na,b\n"}, {}, ["gates.csv:1: 2 columns are called 'Gate'"]),
}


@pytest.mark.parametrize("case", VIOLATIONS)
def test_violations(case: str, tmp_path: Path) -> None:
    files, changes, said = VIOLATIONS[case]
    found = checked(tmp_path, files, **changes)
    assert len(found.violations) == len(said), found.violations
    for violation, expected in zip(found.violations, said, strict=True):
        assert violation.startswith(expected)
    assert found.warnings == []


#: As above, for what fails nothing.
WARNINGS: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "no rows": (
        {"gates.csv": "Gate,Level\n\n"},
        {},
        ["gates.csv: the table has no rows, so it answers nothing"],
    ),
    "perhaps a broken quote": (
        {"gates.csv": 'Gate,Level\nwarn,"x\nfail,y"\nlast,z\n'},
        {},
        ["gates.csv:2: perhaps a broken quote swallows the lines up to 3"],
    ),
    "idle": (
        {},
        {"reasoning__category_column": None, "reasoning__priority_domain": None},
        [
            "m.json: reasoning.category_domain does nothing without reasoning.category_column",
            "m.json: reasoning.priority_column does nothing without reasoning.priority_domain",
        ],
    ),
    "idle the other way": (
        {},
        {"reasoning__category_domain": None, "reasoning__priority_column": None},
        [
            "m.json: reasoning.category_column does nothing without reasoning.category_domain",
            "m.json: reasoning.priority_domain does nothing without reasoning.priority_column",
        ],
    ),
    "empty plan": (
        {},
        {"reasoning__plan": {}},
        ["m.json: reasoning.plan is empty: a query is answered with rules and without rows"],
    ),
    "priorities of what is not planned": (
        {},
        {"reasoning__plan": {"claim": 1}},
        [
            (
                "m.json: reasoning.priority_domain 'gate' is not in reasoning.plan, so what is preferred"
                " there does nothing; add it to the plan"
            )
        ],
    ),
    "idle, and not planned": (
        {},
        {"reasoning__priority_column": None, "reasoning__plan": {"claim": 1}},
        ["m.json: reasoning.priority_domain does nothing without reasoning.priority_column"],
    ),
    "many guesses": (
        {"gates.csv": "Gate,Level\n" + 'warn,"x\nfail,y"\n' * 60},
        {},
        [
            *(f"gates.csv:{line}: perhaps a broken quote" for line in range(2, 102, 2)),
            "gates.csv: 10 more where a quote is perhaps broken",
        ],
    ),
    "prose of two columns": (
        {"gates.csv": 'Gate,Level\nwarn,"Good for text,not for maps\nbad for maps,good for text"\n'},
        {},
        ["gates.csv:2: perhaps a broken quote swallows the lines up to 3"],
    ),
    "old": (
        {},
        {"upstream__last_checked": "2026-02-20"},
        [
            (
                "m.json: upstream.last_checked 2026-02-20 is 101 days before 2026-06-01, and 'quarterly'"
                " allows 100; compare the data with r, and write the day"
            )
        ],
    ),
    "not old yet": ({}, {"upstream__last_checked": "2026-02-21"}, []),
    "today": ({}, {"upstream__last_checked": "2026-06-01"}, []),
    "tomorrow": (
        {},
        {"upstream__last_checked": "2026-06-02"},
        ["m.json: upstream.last_checked 2026-06-02 is 1 day after 2026-06-01; write the day of the last"],
    ),
    "other words": (
        {},
        {"refresh_cadence": "when it hurts", "upstream__last_checked": "1999-01-01"},
        ["m.json: refresh_cadence 'when it hurts' says no single number of days: write daily, weekly,"],
    ),
}


@pytest.mark.parametrize("case", WARNINGS)
def test_warnings(case: str, tmp_path: Path) -> None:
    files, changes, said = WARNINGS[case]
    found = checked(tmp_path, files, **changes)
    assert found.violations == []
    assert len(found.warnings) == len(said), found.warnings
    for warning, expected in zip(found.warnings, said, strict=True):
        assert warning.startswith(expected)


def test_what_is_written_here_is_never_old(tmp_path: Path) -> None:
    made = manifest(reasoning=None) | {"upstream": None, "refresh_cadence": "when it hurts"}
    tree(tmp_path, FILES)
    assert check_data(with_folder(made, str(tmp_path / "m.json")), "2999-01-01") == Checked([], [])


@pytest.mark.parametrize(
    ("cadence", "told"),
    [
        ("weekly or monthly", True),
        ("half yearly", True),
        ("30 to 60 days", True),
        ("1.000 days", True),
        ("quarterly, with the review", False),
        ("every 90 days", False),
        ("when it hurts", False),
        ("with each release", False),
    ],
)
def test_a_cadence_of_two_readings_is_told_without_upstream(cadence: str, told: bool, tmp_path: Path) -> None:
    tree(tmp_path, FILES)
    made = manifest() | {"upstream": None, "refresh_cadence": cadence}
    warnings = check_data(with_folder(made, str(tmp_path / "m.json")), TODAY, "m.json").warnings
    said = [f"m.json: refresh_cadence '{cadence}' says no single number of days: write "]
    assert [warning[: len(said[0])] for warning in warnings] == (said if told else [])


def test_without_a_day_the_clock_counts(tmp_path: Path) -> None:
    tree(tmp_path, FILES)
    made = manifest(upstream__last_checked="1999-12-31")
    (warning,) = check_data(with_folder(made, str(tmp_path / "m.json"))).warnings
    assert "upstream.last_checked 1999-12-31 is " in warning


def test_many_rows_are_counted(tmp_path: Path) -> None:
    rows = "".join(f"A{number},[],\n" for number in range(MOST + 3))
    found = checked(tmp_path, {"rules.csv": f"Kind,Rules,Prefer\n{rows}"})
    assert found.violations[MOST - 1].startswith(f"rules.csv:{MOST + 1}: ")
    assert found.violations[MOST:] == ["rules.csv: 3 more of these"]


def test_files_are_named_as_the_manifest_is(tmp_path: Path) -> None:
    files = {"data/deep/gates.csv": "A\n1\n", "data/claims.csv": CLAIMS}
    found = checked(
        tmp_path,
        files,
        "x/y/m.json",
        reasoning=None,
        domains__gate__file="./deep\\gates.csv",
        data_dir="data/",
    )
    assert [violation.partition(":")[0] for violation in found.violations] == ["x/y/data/deep/gates.csv"]


def test_a_file_that_two_domains_share_is_told_once(tmp_path: Path) -> None:
    same = {"file": "claims.csv", "search_cols": ["Nope"], "output_cols": ["Claim"]}
    found = checked(tmp_path, {"claims.csv": "Claim\na,b\n"}, reasoning=None, domains={"a": same, "b": same})
    assert found.violations[0] == (
        "claims.csv:1: there is no column 'Nope' (domains.a.search_cols, domains.b.search_cols); it has Claim"
    )
    assert len(found.violations) == 2


def test_the_module_is_not_run(tmp_path: Path) -> None:
    module = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"
    found = checked(tmp_path, {"rules.py": module}, reasoning__rules_module="rules.ts")
    assert found == Checked([], [])
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("cadence", "days"),
    [
        *DAYS.items(),
        ("Quarterly, with the design review", 100),
        ("every quarter", None),
        ("half-yearly", 195),
        ("halfyearly", 195),
        ("semi-annual", 195),
        ("Annual", 380),
        ("biweekly", 18),
        ("every 90 days", 90),
        ("1 day", 1),
        ("daysandweekly", None),
        ("90days", None),
        ("123456 days", None),
        ("", None),
        # Thousands parted by commas are read exactly, and what looks nearly so is not read.
        ("every 1,000 days", 1000),
        ("1,000 days.", 1000),
        ("12,345 days", 12_345),
        ("every (90 days)", 90),
        ("1000 days", 1000),
        *(
            (f"every {number} days", None)
            for number in (
                *("1,00", "1,0000", "1000,000", "10,00,000", ",100", "100,", "1.000", "1.5", "0.5", ".5"),
                *("1 000", "1\u00a0000", "1\u202f000", "1'000", "1’000", "1_000", "1e3", "0x1f", "1/2"),
                *("-5", "+5", "−5", "~90", "<90", "0", "00", "007", "0,090", "1,000,000"),
                *("٩٠", "９０", "²90", "90²", "x90", "9O", "30-60", "30–60", "30 to 60", "30 or 60", "#90"),
            )
        ),
        ("every 90 days, 30 days in summer", None),
        ("90 business days", None),
        ("day 90", None),
        ("every 30 days since 2024", None),
        # A name counts as a word of its own, as long as nothing before it changes what it says.
        ("at least (monthly)", 38),
        ("Checked QUARTERLY.", 100),
        ("quarterly, that is quarterly", 100),
        ("quarterly since 2024", 100),
        ("every 38 days (monthly)", 38),
        ("weekly or monthly", None),
        ("quarterly, or every 30 days", None),
        ("quarterly, every 1.5 days", None),
        ("monthly/quarterly", None),
        ("6-monthly", None),
        ("6 monthly", None),
        ("two-weekly", None),
        ("bi-monthly", None),
        ("bi monthly", None),
        ("half yearly", None),
        ("half\u2011yearly", None),
        ("semi annually", None),
        ("Twice yearly", None),
        ("four times yearly", None),
        ("every other weekly meeting", None),
        ("not daily", None),
        ("less than yearly", None),
        ("day-to-daily", None),
        ("x_daily", None),
    ],
)
def test_cadences(cadence: str, days: int | None) -> None:
    assert allowed(cadence) == days


def test_a_manifest_is_json() -> None:
    assert json.loads(json.dumps(manifest())) == manifest()
