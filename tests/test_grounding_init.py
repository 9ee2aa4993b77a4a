"""A first manifest for CSV files: what is guessed, what is told, and what is refused."""

from __future__ import annotations

import json
import os
import re
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
import repository
from hypothesis import given
from hypothesis import strategies as st
from trees import Link, tree

from spectastic import write
from spectastic.cli import main
from spectastic.cli.corpus import common
from spectastic.grounding.authoring import CADENCE, draft
from spectastic.grounding.boundary import ManifestError
from spectastic.grounding.check_data import check_data
from spectastic.grounding.columns import LONG, MOST_SHOWN, chosen
from spectastic.grounding.lines import CorpusError
from spectastic.grounding.manifest import STACK_KEY
from spectastic.grounding.schema_validator import load_manifest, validate_manifest
from spectastic.grounding.table import Table

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]

STYLES = """\
No,Kind,Style,Keywords,Color,Rules,Code,Site,Text,Count
1,bold,Brutalism,"raw, plain",#F8FAFC,"{""if_a"": ""b""}",a { b: c; },https://example.org/a,{long},5
2,bold,Minimal,"white space",#2563EB,"{}",<a><b>,https://example.org/b,{long},5
3,calm,Swiss,"grid",#FFFFFF,"{""if_c"": 1}",f();,http://example.org/c,{long},7
""".replace("{long}", "word " * (LONG // 5 + 1))
GATES = "Gate,Level\nblock,error\nwarn,warning\n"


def picked(folder: Path, text: str) -> tuple[list[str], list[str], list[str]]:
    (folder / "t.csv").write_text(text, encoding="utf-8")
    with Table(str(folder / "t.csv"), "t.csv") as table:
        return chosen(table)


def test_columns_are_guessed_from_the_data(tmp_path: Path) -> None:
    search, output, guesses = picked(tmp_path, STYLES)
    assert search == ["Kind", "Style", "Keywords", "Text"]
    assert output == ["Style", "Kind", "Keywords", "Color", "Count"]
    assert guesses == [
        (
            "search_cols: words are looked for in Kind, Style, Keywords, Text; not in No (numbers), Color"
            " (signs), Rules (JSON), Code (code), Site (addresses), Count (numbers)"
        ),
        (
            "output_cols: Style names the rows; shown are Style, Kind, Keywords, Color, Count; not No, Rules,"
            " Code, Site, Text"
        ),
        "Rules holds JSON: if these are decision rules, the table belongs in `reasoning`",
    ]


#: A table, and the columns to search and to show.
TABLES: dict[str, tuple[str, list[str], list[str]]] = {
    "words only": (GATES, ["Gate", "Level"], ["Gate", "Level"]),
    "no name": ("A,B\nsame,other\nsame,other\n", ["A", "B"], ["A", "B"]),
    "a name that is too long": (
        f"A,B\n{'long word ' * 7},one\n{'long name ' * 7},two\n",
        ["A", "B"],
        ["B", "A"],
    ),
    "only short words": ("A\nab\ncd\n", [], ["A"]),
    "only numbers": ("A,B\n1,2\n3,4\n", [], []),
    "empty cells": ("A,B\n,one\n,two\n", ["B"], ["B"]),
    "no rows": ("A,B\n", [], []),
    "nothing": ("", [], []),
    "names of nothing": ("A,,B\none,two,three\n", ["A", "B"], ["A", "B"]),
    "a column twice": ("A,B,A\none,two,three\n", ["A", "B"], ["A", "B"]),
    "a short row": ("A,B\none\ntwo,three\n", ["A", "B"], ["A", "B"]),
    "another script": ("A,Б\n1,слово\n2,другое\n", ["Б"], ["Б"]),
    "percentages and signs": ("A,B\nalpha,+5%\nbeta,-1.5\ngamma,+5%\n", ["A"], ["A", "B"]),
    "half is not most": ("A,B\nalpha,5\nbeta,words\n", ["A"], ["A", "B"]),
}


@pytest.mark.parametrize("case", TABLES)
def test_tables(case: str, tmp_path: Path) -> None:
    text, search, output = TABLES[case]
    assert picked(tmp_path, text)[:2] == (search, output)


def test_not_too_many_are_shown(tmp_path: Path) -> None:
    names = [f"C{number}" for number in range(20)]
    rows = [",".join(f"word{letter}{name}" for name in names) for letter in "abc"]
    search, output, _ = picked(tmp_path, "\n".join([",".join(names), *rows, ""]))
    assert search == names
    assert output == names[:MOST_SHOWN]


def test_a_draft_is_valid_and_fits_the_data(tmp_path: Path) -> None:
    tree(tmp_path, {"styles.csv": STYLES, "Sub Folder/CI Gates.csv": GATES, "other/styles.csv": STYLES})
    files = [str(tmp_path / name) for name in ("styles.csv", "Sub Folder/CI Gates.csv", "other/styles.csv")]
    made = draft("design", "docs team", files, str(tmp_path / "m.json"))
    assert validate_manifest(made.manifest) == []
    assert {name: domain["file"] for name, domain in made.manifest["domains"].items()} == {
        "styles": "styles.csv",
        "ci-gates": "Sub Folder/CI Gates.csv",
        "styles-2": "other/styles.csv",
    }
    assert made.manifest["detect"] == {
        "styles": ["styles", "style"],
        "ci-gates": ["ci gates", "ci gate", "gates", "gate"],
        "styles-2": ["styles 2", "styles", "style"],
    }
    assert made.manifest["default_domain"] == "styles"
    assert (made.manifest["tier"], made.manifest["upstream"]) == ("lookup-only", None)
    (tmp_path / "m.json").write_text(json.dumps(made.manifest))
    assert check_data(load_manifest(tmp_path / "m.json")) == ([], [])
    told = "\n".join(made.guesses)
    for name in (
        "domains.styles: ",
        "domains.ci-gates: ",
        "tier: ",
        "detect: ",
        "refresh_cadence: ",
        "upstream: ",
    ):
        assert name in told


def test_one_table_needs_no_detection(tmp_path: Path) -> None:
    tree(tmp_path, {"über.csv": GATES})
    made = draft("d", "o", [str(tmp_path / "über.csv")], str(tmp_path / "m.json"))
    assert "detect" not in made.manifest
    assert not any(guess.startswith("detect") for guess in made.guesses)
    assert list(made.manifest["domains"]) == ["über"]


def test_names_without_words(tmp_path: Path) -> None:
    tree(tmp_path, {"--.csv": GATES, "a b.csv": GATES})
    made = draft("d", "o", [str(tmp_path / "--.csv"), str(tmp_path / "a b.csv")], str(tmp_path / "m.json"))
    assert list(made.manifest["domains"]) == ["table", "a-b"]
    assert made.manifest["detect"]["a-b"] == ["a b"]
    (tmp_path / "ab.csv").write_text(GATES)
    made = draft("d", "o", [str(tmp_path / "ab.csv"), str(tmp_path / "a b.csv")], str(tmp_path / "m.json"))
    assert made.manifest["detect"]["ab"] == ["ab"]


def test_no_table_has_the_name_that_detect_uses_itself(tmp_path: Path) -> None:
    tree(tmp_path, {"_stack.csv": GATES, "x/_stack.csv": GATES})
    files = [str(tmp_path / name) for name in ("_stack.csv", "x/_stack.csv")]
    made = draft("d", "o", files, str(tmp_path / "m.json")).manifest
    assert list(made["domains"]) == ["stack", "stack-2"]
    assert validate_manifest(made) == []


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../out.csv", "is not below the manifest's folder"),
        ("link.csv", "is not below the manifest's folder"),
        ("a\\b.csv", "has a backslash in its name"),
    ],
)
def test_what_no_manifest_can_name(path: str, said: str, tmp_path: Path) -> None:
    tree(tmp_path, {"in/link.csv": Link("../out.csv"), "out.csv": GATES, "in/a\\b.csv": GATES})
    with pytest.raises(ManifestError, match=said):
        draft("d", "o", [str(tmp_path / "in" / path)], str(tmp_path / "in" / "m.json"))


#: Tables that nothing can be found in, and what is said.
WORDLESS = {
    "A\n1\n": "t.csv has no column of words; a table to search in needs one",
    "": "t.csv is empty; a table begins with a header, and has a row for each option",
    "\n\n": "t.csv is empty; a table begins with a header, and has a row for each option",
    "A,B\n": "t.csv has a header and no rows; what its columns are for is told from rows",
    "A|B\n1|word\n": "t.csv:1: the header is one cell, parted by |: save the file with commas",
}


@pytest.mark.parametrize("text", WORDLESS)
def test_a_table_without_anything_to_find(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(CorpusError) as raised:
        draft("d", "o", [str(tmp_path / "t.csv")], str(tmp_path / "m.json"))
    assert str(raised.value) == WORDLESS[text]


@pytest.mark.parametrize("path", ["folder", "."])
def test_a_folder_is_no_table(path: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(CorpusError, match=" is a folder; name the CSV files in it"):
        draft("d", "o", [str(tmp_path / path)], str(tmp_path / "m.json"))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (("a.csv", "a.csv"), "a.csv and a.csv are one file"),
        (("a.csv", "b.csv", "./a.csv"), "a.csv and ./a.csv are one file"),
        (("a.csv", "sub/../a.csv"), "a.csv and sub/../a.csv are one file"),
        (("link.csv", "a.csv"), "link.csv and a.csv are one file"),
    ],
)
def test_a_file_twice(
    files: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(
        tree(tmp_path, {"a.csv": GATES, "b.csv": GATES, "sub": None, "link.csv": Link("a.csv")})
    )
    with pytest.raises(ManifestError, match=re.escape(said)):
        draft("d", "o", files, "m.json")


def test_names_that_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files of one name, one that is called as another was, and what the engine means otherwise."""
    names = ["_stack.csv", "a/stack.csv", "x-2.csv", "x.csv", "b/X.CSV", "c/x.txt"]
    monkeypatch.chdir(tree(tmp_path, dict.fromkeys(names, GATES)))
    made = draft("d", "o", names, "m.json")
    assert {domain["file"]: name for name, domain in made.manifest["domains"].items()} == {
        "_stack.csv": "stack",
        "a/stack.csv": "stack-2",
        "x-2.csv": "x-2",
        "x.csv": "x",
        "b/X.CSV": "x-3",
        "c/x.txt": "x-4",
    }
    assert [guess for guess in made.guesses if "the name " in guess and "_cols" not in guess] == [
        "domains.stack: the name is not _stack, which speaks of stacks in detect",
        "domains.stack-2: the name stack is that of _stack.csv already",
        "domains.x-3: the name x is that of x.csv already",
        "domains.x-4: the name x is that of x.csv already",
    ]
    assert STACK_KEY not in made.manifest["detect"]
    assert validate_manifest(made.manifest) == []


#: What check-data will say of a table that something can be found in.
FAULTY: dict[str, tuple[str, str]] = {
    "a short row": ("A,B\none word,two\nthree\n", "t.csv:3: 1 of 2 cells"),
    "a long row": ("A,B\none word,two\nthree,four,five\n", "t.csv:3: 3 cells where the header has 2"),
    "a column twice": ("A,B,A\none,two,three\n", "t.csv:1: 2 columns are called 'A'"),
    "late": ("A,B\n" + "one,two\n" * 40_000 + "\0", "t.csv:40002: a NUL byte"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_what_the_check_will_say_is_told(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, said = FAULTY[case]
    monkeypatch.chdir(tree(tmp_path, {"t.csv": text}))
    made = draft("d", "o", ["t.csv"], "m.json")
    assert made.faults[0].startswith(said)
    (tmp_path / "m.json").write_text(json.dumps(made.manifest))
    assert check_data(load_manifest("m.json"), path="m.json").violations == [*made.faults]


@given(
    name=st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1, max_size=20
    ),
    domain=st.text(min_size=1).filter(str.strip),
    cells=st.lists(st.lists(st.text('ab word,"\n\r\ufeff{};1é', max_size=9), max_size=3), max_size=4),
)
def test_what_is_written_passes_or_is_told(name: str, domain: str, cells: list[list[str]]) -> None:
    with TemporaryDirectory() as folder:
        path, out = os.path.join(folder, f"{name}.csv"), os.path.join(folder, "m.json")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write("\n".join(",".join(row) for row in [["Name", "b"], ["some words", "x"], *cells]))
        try:
            made = draft(domain, "me", [path], out)
        except (ManifestError, CorpusError):
            return
        with open(out, "w", encoding="utf-8") as file:
            json.dump(made.manifest, file)
        assert check_data(load_manifest(out), path=out).violations == [*made.faults]


def test_what_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"none\.csv: the file cannot be read"):
        draft("d", "o", [str(tmp_path / "none.csv")], str(tmp_path / "m.json"))


# -------------------------------------------------------------------------------------------- command line


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tree(tmp_path / "here", {"styles.csv": STYLES, "gates.csv": GATES}))
    return tmp_path / "here"


def init(*arguments: str) -> int:
    return main(["ground", "init", "--domain", "design", "--from", "styles.csv", "gates.csv", *arguments])


def test_it_writes_and_tells(here: Path, capsys: Capture) -> None:
    assert init("--owner", " docs team ") == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "created manifest.json"
    assert lines[1].startswith("guessed: domains.styles: search_cols: words are looked for in Kind, Style")
    assert lines[-1] == (
        "look it through, then: spectastic ground validate --manifest manifest.json --check-data"
    )
    assert f"guessed: refresh_cadence: {CADENCE}" in lines
    assert err == ""
    assert load_manifest(here / "manifest.json")["owner"] == "docs team"
    assert main(["ground", "validate", "--manifest", "manifest.json", "--check-data"]) == 0


def test_it_never_overwrites(here: Path, capsys: Capture) -> None:
    for content in ("mine", ""):
        (here / "manifest.json").write_text(content)
        assert init("--owner", "me") == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "manifest.json is there already, and stays as it is" in err
        assert (here / "manifest.json").read_text() == content
    (here / "dangling.json").symlink_to("nowhere")
    assert init("--owner", "me", "--out", "dangling.json") == 2
    assert not (here / "nowhere").exists()


def test_a_dry_run_writes_nothing(here: Path, capsys: Capture) -> None:
    before = sorted(here.iterdir())
    assert init("--owner", "me", "--dry-run") == 0
    out, err = capsys.readouterr()
    assert sorted(here.iterdir()) == before
    assert out.startswith("diff --git a/manifest.json b/manifest.json\nnew file mode 100644\n--- /dev/null\n")
    assert '+  "owner": "me",\n' in out
    assert "spectastic: guessed: upstream: null" in err


def test_the_patch_of_a_dry_run_can_be_applied(
    here: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From any folder of the work tree, wherever the manifest is to be, as `git apply` takes it."""
    top = here / "sub" / "top"
    tree(top, {"a b/c/styles.csv": STYLES, "a b/c/gates.csv": GATES})
    repository.git(top, "init", "-q")
    outs = {"m.json": "c/m.json", "../m.json": "m.json", str(top / "m.json"): "../m.json"}
    for out, path in outs.items():
        monkeypatch.chdir(top / "a b" / "c")
        assert init("--owner", "me", "--out", out, "--dry-run") == 0
        patch, err = capsys.readouterr()
        name = os.path.normpath(f"a b/{path}")
        assert patch.startswith(f"diff --git a/{name} b/{name}\n")
        assert "look it through" not in err
        assert init("--owner", "me", "--out", out, "--dry-run", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["diff"], found["changes"]) == (patch, [{"path": out, "action": "created"}])
        assert not any("look it through" in note for note in found["notes"])
        (top / "p.patch").write_text(patch)
        repository.git(top, "apply", "p.patch")
        by_patch = (top / name).read_bytes()
        (top / name).unlink()
        assert init("--owner", "me", "--out", out) == 0
        assert (top / name).read_bytes() == by_patch
        assert "look it through, then: " in capsys.readouterr().out


def test_the_patch_outside_of_git(here: Path, capsys: Capture) -> None:
    assert init("--owner", "me", "--out", "./m.json", "--dry-run") == 0
    assert capsys.readouterr().out.startswith("diff --git a/m.json b/m.json\n")
    assert init("--owner", "me", "--out", "../m.json", "--dry-run") == 0
    assert capsys.readouterr().out.startswith("diff --git a/m.json b/m.json\n")
    assert not (here / "m.json").exists()


def test_as_json(here: Path, capsys: Capture) -> None:
    assert init("--owner", "me", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == "ground init"
    assert found["changes"] == [{"path": "manifest.json", "action": "created"}]
    assert found["result"]["manifest"] == json.loads((here / "manifest.json").read_text())
    assert len(found["result"]["guesses"]) == len(found["notes"]) - 1
    assert found["result"]["faults"] == []


@pytest.mark.parametrize("domain", ["a/b", "..", "_stack", "stack", "a\nb", "設計", '"', " design "])
def test_a_domain_is_called_anything(domain: str, here: Path, capsys: Capture) -> None:
    assert init("--owner", "me", "--domain", domain) == 0
    assert json.loads((here / "manifest.json").read_text())["domain"] == domain.strip()
    assert main(["ground", "validate", "--manifest", "manifest.json", "--check-data"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_not_right_yet_is_told(here: Path, capsys: Capture) -> None:
    (here / "gates.csv").write_text(f"{GATES}short\n")
    assert init("--owner", "me") == 0
    (told,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("not right yet: "))
    assert main(["ground", "validate", "--manifest", "manifest.json", "--check-data"]) == 1
    assert told == f"not right yet: {capsys.readouterr().out.splitlines()[0]}"


@pytest.mark.parametrize("owner", [(), ("--owner", ""), ("--owner", " ")])
def test_an_owner_is_not_made_up(owner: tuple[str, ...], here: Path, capsys: Capture) -> None:
    assert init(*owner) == 2
    assert capsys.readouterr().err == (
        "spectastic: error: the corpus has no owner\n"
        "spectastic: add --owner WHO: a corpus that nobody keeps true is refused\n"
    )
    assert not (here / "manifest.json").exists()


def test_an_owner_is_asked_for_on_a_terminal(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    answers = iter(["docs team", ""])

    def answer(question: str) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr(common, "ask", answer)
    monkeypatch.setattr(common, "asks", lambda options: not options.yes)
    assert init() == 0
    assert asked == ["owner (who keeps the corpus true: a person or a team)"]
    assert json.loads((here / "manifest.json").read_text())["owner"] == "docs team"
    assert init("--out", "other.json") == 2
    assert init("--out", "other.json", "--yes") == 2
    assert len(asked) == 2
    assert not (here / "other.json").exists()


#: What is asked for, and what is said of it.
REFUSED: dict[str, tuple[list[str], str]] = {
    "parted by semicolons": (["--from", "semi.csv"], "semi.csv:1: the header is one cell, parted by ;: save"),
    "parted by tabs": (["--from", "tab.csv"], "tab.csv:1: the header is one cell, parted by tabs: save the"),
    "missing": (["--from", "none.csv"], "none.csv: the file cannot be read: no such file or directory"),
    "a folder": (["--from", "."], ". is a folder"),
    "outside": (["--from", "../x.csv"], "../x.csv is not below the manifest's folder"),
    "out elsewhere": (["--out", "sub/m.json"], "is not below the manifest's folder"),
    "not UTF-8": (["--from", "latin.csv"], "latin.csv:1: byte 0xff is not UTF-8"),
    "NUL in a path": (["--from", "a\0b"], "--from holds a NUL"),
    "NUL in the domain": (["--domain", "a\0b"], "--domain holds a NUL"),
    "NUL in out": (["--out", "a\0b"], "--out holds a NUL"),
    "no domain": (["--domain", " "], "--domain is empty"),
    "nothing": (["--from", ""], "--from is empty"),
    "a file whose name is no text": (["--from", "a\udcff.csv"], "--from is not UTF-8, and a manifest is"),
    "no out": (["--out", " "], "--out is empty"),
    "out is a folder": (["--out", "sub/"], "--out sub/ is a folder"),
    "out is a folder to be": (["--out", "new/"], "--out new/ is a folder"),
    "twice": (["--from", "./styles.csv"], "styles.csv and ./styles.csv are one file"),
    "a header alone": (["--from", "heads.csv"], "heads.csv has a header and no rows"),
    "empty": (["--from", "empty.csv"], "empty.csv is empty"),
}


#: Those in which a table cannot be used: no wrong usage, but no answer.
TABLES_REFUSED = {
    "missing",
    "a folder",
    "not UTF-8",
    "a header alone",
    "empty",
    "parted by semicolons",
    "parted by tabs",
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, here: Path, capsys: Capture) -> None:
    arguments, said = REFUSED[case]
    (here / "sub").mkdir()
    (here / "latin.csv").write_bytes(b"\xff\n")
    tree(here, {"heads.csv": "A\n", "empty.csv": "", "semi.csv": "A;B\nblock;x\n", "tab.csv": "A\tB\nc\td\n"})
    assert init("--owner", "me", *arguments) == (1 if case in TABLES_REFUSED else 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "bug" not in err
    assert len(err.splitlines()) <= 2
    files = {"styles.csv", "gates.csv", "latin.csv", "heads.csv", "empty.csv", "semi.csv", "tab.csv"}
    assert {path.name for path in here.iterdir()} == {*files, "sub"}


@pytest.mark.usefixtures("here")
def test_what_cannot_be_written_is_said(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(write, "replace", full)
    assert init("--owner", "me") == 2
    assert "error: cannot write manifest.json: no space left on device" in capsys.readouterr().err


def test_it_needs_a_domain_and_files(capsys: Capture) -> None:
    assert main(["ground", "init", "--owner", "me"]) == 2
    assert "the following arguments are required: --domain, --from" in capsys.readouterr().err
