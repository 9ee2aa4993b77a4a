"""`spectastic ground` as a process on bad input: a clear line, with `--json` a document, in any locale."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from claims import GATES, MANIFEST, claims_in, process, write
from trees import tree

from spectastic.grounding.lines import LONGEST
from spectastic.text import printable

if TYPE_CHECKING:
    from pathlib import Path

ASK = {
    "search": ["search", "--manifest", "m.json", "contrast", "-d", "gate"],
    "ground": ["ground", "--manifest", "m.json", "contrast"],
    "validate": ["validate", "--manifest", "m.json", "--check-data"],
    "init": ["init", "--domain", "d", "--owner", "me", "--out", "new.json", "--from", "gates.csv"],
}
FORMS: dict[str, list[str]] = {"text": [], "json": ["--json"]}
#: What a system may say of its texts. The last one has file names in ASCII, too.
LOCALES: list[dict[str, str]] = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]
#: What a table holds (`None`: there is none; "/": it is a folder), and what is said of it.
TABLES: dict[str, tuple[bytes | str | None, str]] = {
    "not UTF-8": (
        b"Gate,For\n\xfc,contrast\n",
        "gates.csv:2: byte 0xfc is not UTF-8; save the file as UTF-8",
    ),
    "UTF-16": (GATES.encode("utf-16"), "gates.csv:1: the file is UTF-16, not UTF-8; save it as UTF-8"),
    "NUL": (b"Gate,For\na,b\0c\n", "gates.csv:2: a NUL byte; remove it"),
    "a cell that is too long": (
        'Gate,For\n"' + "a," * 99_999 + '",b\n',
        "gates.csv:2: a cell of more than 131,072 characters; is a quote never closed?",
    ),
    "missing": (None, "gates.csv: the file cannot be read: no such file or directory"),
    "a folder": ("/", "gates.csv: this is a folder; name a CSV file"),
}
#: In other words.
OTHERWISE = {
    ("missing", "validate"): "m.json: domains.gate.file, stacks.web: there is no file gates.csv; add it, or",
    ("a folder", "init"): "gates.csv is a folder",
}
REASONING = MANIFEST["reasoning"]
DOMAINS = MANIFEST["domains"]


def planned(value: object) -> dict[str, Any]:
    return {"reasoning": {**REASONING, "plan": {"gate": value}}}


def gate(**changes: Any) -> dict[str, Any]:
    return {"domains": {**DOMAINS, "gate": {**DOMAINS["gate"], **changes}}}


PLAN = "m.json: reasoning.plan.gate must be a whole number of 0 or more, or its digits as text, not "
#: What the manifest is, or how it is another, and what is said of it.
MANIFESTS: dict[str, tuple[bytes | dict[str, Any] | str | None, str]] = {
    "missing": (None, "m.json cannot be read: no such file or directory"),
    "a folder": ("/", "m.json cannot be read: is a directory"),
    "empty": (b"", "m.json is no JSON: Expecting value: line 1 column 1 (char 0)"),
    "not UTF-8": (b'{"owner": "\xfc"}', "m.json is not UTF-8: byte 0xfc at offset 11"),
    "NUL": (b'{"owner": "\0"}', "m.json is no JSON: Invalid control character at: line 1 column 12"),
    "too deep": (b"[" * 100_000, "m.json is nested too deeply"),
    "a list": (b"[]", "m.json: the manifest must be an object, not []"),
    "domains, a list": ({"domains": []}, "m.json: domains must be an object with one entry or more, not []"),
    "a domain, a list": (
        {"domains": {**DOMAINS, "gate": [1]}},
        "m.json: domains.gate must be an object, not [1]",
    ),
    "filters, a list": (gate(filters=["a"]), 'm.json: domains.gate.filters must be an object, not ["a"]'),
    "a limit of 0": (gate(max_results=0), "m.json: domains.gate.max_results must be a whole number of 1 or"),
    "reasoning, a list": ({"reasoning": []}, "m.json: reasoning must be an object, not []"),
    "the plan, a list": (
        {"reasoning": {**REASONING, "plan": ["gate"]}},
        'm.json: reasoning.plan must be an object, not ["gate"]',
    ),
    "a plan in words": (planned("three"), f'{PLAN}"three"'),
    "a plan of a half": (planned(0.5), f"{PLAN}0.5"),
    "a plan below nothing": (planned(-2), f"{PLAN}-2"),
    "a plan of truth": (planned(True), f"{PLAN}true"),
    "a plan of lists": (planned([3]), f"{PLAN}[3]"),
}
#: What is asked of a corpus that is right, the exit code, and what is said.
ASKED: dict[str, tuple[list[str], int, str]] = {
    "no manifest": (["search", "contrast"], 2, "the following arguments are required: --manifest"),
    "an empty name": (["search", "--manifest", "", "a"], 1, "the path of the manifest is empty"),
    "an empty query": ([*ASK["search"][:3], ""], 2, "the query is empty"),
    "a blank query": ([*ASK["ground"][:3], " \t"], 2, "the query is empty"),
    "no query": (ASK["search"][:3], 2, "the following arguments are required: QUERY"),
    "a limit of 0": ([*ASK["search"], "-n", "0"], 2, "argument -n/--max-results: '0' is no number of rows"),
    "a limit below": (
        [*ASK["search"], "-n", "-3"],
        2,
        "argument -n/--max-results: '-3' is no number of rows",
    ),
    "no filter": ([*ASK["search"], "--filter", "Gäte"], 2, "--filter 'G"),
    "an unknown domain": ([*ASK["search"], "-d", "gäte"], 1, "unknown domain 'g"),
    "an unknown option": ([*ASK["validate"], "--chek"], 2, "unrecognized arguments: --chek"),
    "a context that is a list": ([*ASK["ground"], "--context", '["é"]'], 2, '--context is no object, but ["'),
    "a context that is text": ([*ASK["ground"], "--context", '"a"'], 2, '--context is no object, but "a"'),
    "a context that is no JSON": ([*ASK["ground"], "--context", "{é}"], 2, "--context is no JSON: Expecting"),
    "a context with a key twice": (
        [*ASK["ground"], "--context", '{"a": 0, "b": {}, "a": 1}'],
        2,
        "--context has the key 'a' twice in one object",
    ),
    "a context without end": ([*ASK["ground"], "--context", "[" * 9_999], 2, "--context is no JSON: "),
    "a dial of 0": (
        [*ASK["ground"], "--motion", "0"],
        2,
        "argument --motion: '0' is no whole number from 1 to 10",
    ),
    "nowhere": ([*ASK["ground"], "--persist", ""], 2, "--persist is empty"),
    "a day without data": (
        [*ASK["validate"][:3], "--today", "2026-05-31"],
        2,
        "--today says how to --check-data, which is missing",
    ),
    "no day": ([*ASK["validate"], "--today", "now"], 2, "argument --today: 'now' is no day of the calendar"),
    "no domain": ([*ASK["init"], "--domain", " "], 2, "--domain is empty"),
    "no file": ([*ASK["init"], "--from", "none.csv"], 1, "none.csv: the file cannot be read: no such file"),
    "no owner": ([*ASK["init"], "--owner", ""], 2, "the corpus has no owner"),
    "no command": (["grond"], 2, "'grond' is no command of ground"),
}


def broken(folder: Path, name: str, content: bytes | dict[str, Any] | str | None) -> None:
    """Another file in the place of one of the corpus."""
    (claims_in(folder) / name).unlink()
    if isinstance(content, dict):
        write(folder, name, **content)
    elif content is not None:
        tree(folder, {name: None if content == "/" else content})


def check(folder: Path, arguments: list[str], form: str, code: int, said: str, locale: int) -> None:
    """One clear line on stderr, or on stdout where `validate` lists what is wrong."""
    before = sorted(path.name for path in folder.iterdir())
    done = process(folder, *arguments, *FORMS[form], **LOCALES[locale % len(LOCALES)])
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    assert done.returncode == code
    assert "Traceback" not in out + err
    assert "bug" not in err
    assert sorted(path.name for path in folder.iterdir()) == before
    lists = not err
    if lists:
        assert (arguments[0], code) == ("validate", 1)
    else:
        assert err.startswith(f"spectastic: error: {said}")
        assert 1 <= err.count("\n") <= 2
    if form == "json":
        told = json.loads(out)
        assert told["confidence"] == {"label": "low", "score": 0.0}
        assert told["evidence_gap"]
        assert printable(told["violations"][0] if lists else told["error"]).startswith(said)
    elif lists:
        assert out.startswith(said)
    elif code == 2 or arguments[0] == "validate":
        assert out == ""


@pytest.mark.parametrize("command", ASK)
@pytest.mark.parametrize(("locale", "case"), list(enumerate(TABLES)))
@pytest.mark.parametrize("form", FORMS)
def test_a_table(locale: int, case: str, command: str, form: str, tmp_path: Path) -> None:
    content, said = TABLES[case]
    broken(tmp_path, "gates.csv", content)
    said = OTHERWISE.get((case, command), said)
    locale += [*ASK].index(command)
    check(tmp_path, ASK[command], form, 1, said, locale)


@pytest.mark.parametrize(("locale", "case"), list(enumerate(MANIFESTS)))
@pytest.mark.parametrize("form", FORMS)
def test_a_manifest(locale: int, case: str, form: str, tmp_path: Path) -> None:
    content, said = MANIFESTS[case]
    broken(tmp_path, "m.json", content)
    for command in ("search", "ground", "validate"):
        check(tmp_path, ASK[command], form, 1, said, locale)


@pytest.mark.parametrize(("locale", "case"), list(enumerate(ASKED)))
@pytest.mark.parametrize("form", FORMS)
def test_a_question(locale: int, case: str, form: str, tmp_path: Path) -> None:
    arguments, code, said = ASKED[case]
    check(claims_in(tmp_path), arguments, form, code, said, locale)


@pytest.mark.parametrize("form", FORMS)
def test_a_cell_of_100_megabytes(form: str, tmp_path: Path) -> None:
    with (claims_in(tmp_path) / "gates.csv").open("wb") as file:
        file.write(b'Gate,For\n"')
        # The file system knows of what follows, and holds none of it.
        file.truncate(100_000_000)
    for locale, command in enumerate(ASK):
        said = f"gates.csv:1: a line from here on has more than {LONGEST:,} bytes; is this a table?"
        check(tmp_path, ASK[command], form, 1, said, locale)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("name", "encodings"),
    [("設計.csv", ["", "", "", "ascii"]), ("\ud800.csv", ["utf-8", "utf-8", "utf-8", "ascii"])],
)
def test_a_name_that_no_file_can_have(name: str, encodings: list[str], form: str, tmp_path: Path) -> None:
    """What one system calls a file, another may have no letters for."""
    claims_in(tmp_path)
    (tmp_path / "設計.csv").write_text(GATES)
    write(tmp_path, stacks="gone", **gate(file=name))
    shown = name.replace("\ud800", "\\ud800")
    for locale, encoding in enumerate(encodings):
        said = f"'{shown}' cannot be the name of a file here, where names are in {encoding}"
        for command in ("search", "ground"):
            if encoding:
                check(tmp_path, ASK[command], form, 1, said, locale)
                continue
            done = process(tmp_path, *ASK[command], *FORMS[form], **LOCALES[locale])
            assert (done.returncode, done.stderr) == (0, b"")
        if encoding:
            check(tmp_path, ASK["validate"], form, 1, f"m.json: domains.gate.file: {said}", locale)


@pytest.mark.parametrize("form", FORMS)
def test_rules_that_are_no_object_are_a_gap(form: str, tmp_path: Path) -> None:
    """The rest of the answer stands; `validate` finds them."""
    tree(claims_in(tmp_path), {"rules.csv": 'Kind,Rules,Prefer\nContrast,"[""é""]",warn\n'})
    done = process(tmp_path, *ASK["ground"], *FORMS[form], **LOCALES[1])
    assert (done.returncode, done.stderr) == (0, b"")
    assert "The rules are no JSON object, and none is applied: ['é']" in done.stdout.decode("utf-8")
    check(tmp_path, ASK["validate"], form, 1, "rules.csv:2: ", 1)


def test_what_is_right_is_said_as_one_document(tmp_path: Path) -> None:
    """Every output carries how sure it is and what is lacking, with an answer as without."""
    claims_in(tmp_path)
    documents: dict[str, dict[str, Any]] = {}
    for name, arguments in {**ASK, "manifest alone": ASK["validate"][:3]}.items():
        done = process(tmp_path, *arguments, "--json", PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stderr) == (0, b"")
        documents[name] = json.loads(done.stdout.decode("utf-8"))
    assert all({"confidence", "evidence_gap"} <= set(document) for document in documents.values())
    sure, nothing = {"label": "high", "score": 1.0}, {"label": "low", "score": 0.0}
    assert (documents["validate"]["confidence"], documents["validate"]["evidence_gap"]) == (sure, [])
    unseen = documents["manifest alone"]
    assert (unseen["valid"], unseen["confidence"], len(unseen["evidence_gap"])) == (True, nothing, 1)
    assert (documents["init"]["confidence"], len(documents["init"]["evidence_gap"])) == (nothing, 1)
