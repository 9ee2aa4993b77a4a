from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import Link, tree

from spectastic.config import AUTO, ConfigError, Settings, describe, load
from spectastic.config.file import ConfigFile
from spectastic.config.keys import KEYS
from spectastic.config.lines import lines_of
from spectastic.findings import Severity
from spectastic.text import short

FIXTURES = Path(__file__).parent.parent / "fixtures" / "config"
WRONG = sorted((FIXTURES / "wrong").glob("*.toml"))
RIGHT = sorted((FIXTURES / "right").glob("*.toml"))
NAMES = ["spectastic.toml", "pyproject.toml"]
RULES = ("corpus-license", "corpus-orphan", "corpus-integrity")

Tree = dict[str, str | bytes | Link | None]


def settings(cwd: Path, *paths: str, root: str | None = None, **rest: Any) -> Settings:
    flags = rest.pop("flags", {})
    return load(root, paths, flags, str(cwd), known_rules=RULES, **rest)


def error(cwd: Path, *paths: str, **rest: Any) -> str:
    with pytest.raises(ConfigError) as raised:
        settings(cwd, *paths, **rest)
    return str(raised.value)


def expected(path: Path) -> list[str]:
    """What a fixture says about itself, in the comments that begin with `#:`."""
    return [line[3:] for line in path.read_text().splitlines() if line.startswith("#: ")]


def in_place(tmp_path: Path, text: str, name: str) -> None:
    """The text as the configuration of `tmp_path`."""
    if name == "pyproject.toml":
        # The settings one table further down, on the same lines.
        head, *lines = text.splitlines()
        lines = [
            line.replace("[", "[tool.spectastic.", 1) if line.startswith("[") else line for line in lines
        ]
        text = "\n".join([f"[tool.spectastic] {head}", *lines, ""])
    (tmp_path / name).write_text(text)


def test_there_are_fixtures() -> None:
    assert len(WRONG) > 40
    assert len(RIGHT) == 3


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_wrong_is_said_with_file_line_key_and_remedy(tmp_path: Path, path: Path, name: str) -> None:
    [message] = expected(path)
    if path.stem == "key-with-dots" and name == "pyproject.toml":
        message = message.partition("(")[0] + f"(one of {', '.join(sorted(KEYS))})"
    in_place(tmp_path, path.read_text(), name)
    assert error(tmp_path) == f"{name}:{message.replace('{name}', name)}"


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("change", ["", "\r\n", "bom"])
def test_what_is_right_is_in_force_and_says_where_it_stands(
    tmp_path: Path, path: Path, name: str, change: str
) -> None:
    in_place(tmp_path, path.read_text(), name)
    file = tmp_path / name
    if change == "bom":
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    elif change:
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    found = [f"{key} = {value} # {origin}" for key, value, origin in describe(settings(tmp_path))]
    rows = [row.replace("# :", f"# {name}:") for row in expected(path)]
    assert [row for row in found if not row.endswith("# default")] == [
        r for r in rows if not r.endswith("# default")
    ]
    assert set(found) >= set(rows)


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_what_is_described_can_be_read_again(tmp_path: Path, path: Path) -> None:
    (tmp_path / "spectastic.toml").write_text(path.read_text())
    first = settings(tmp_path)
    (tmp_path / "spectastic.toml").write_text(
        "".join(f"{key} = {value}\n" for key, value, _ in describe(first))
    )
    assert settings(tmp_path)._replace(origins={}) == first._replace(origins={})


def test_described_text_is_toml_whatever_it_holds() -> None:
    pattern = 'a"\\\x7f\n\x00é'
    rows = describe(
        Settings(
            "/", exclude=(pattern,), per_path_ignores=((pattern, ("x",)),), severity={"x": Severity.INFO}
        )
    )
    read = tomllib.loads("".join(f"{key} = {value}\n" for key, value, _ in rows))
    assert read["exclude"] == [pattern]
    assert read["per-path-ignores"] == {pattern: ["x"]}
    assert [key.partition(".")[0] for key, _, _ in rows] == list(KEYS)
    assert {origin for _, _, origin in rows} == {"default"}


GIT = {".git/HEAD": ""}
# A tree, the folder one stands in, the paths, and: the root, why, the origin of `jobs`, the paths.
ROOTS: dict[str, tuple[Tree, str, list[str], tuple[str, str, str, tuple[str, ...]]]] = {
    "nothing at all": ({"a/x.md": ""}, "a", [], ("a", "default", "default", ())),
    "git": ({**GIT, "a/b/x.md": ""}, "a/b", [], ("", "git", "default", ())),
    "git, a worktree or submodule": (
        {".git": "gitdir: x", "a/b": None},
        "a/b",
        [],
        ("", "git", "default", ()),
    ),
    "a registry": (
        {"knowledge/index.md": "", "a/b": None},
        "a/b",
        [],
        ("", "knowledge/index.md", "default", ()),
    ),
    "git before a registry": (
        {**GIT, "a/knowledge/index.md": "", "a/b": None},
        "a/b",
        [],
        ("", "git", "default", ()),
    ),
    "spectastic.toml": (
        {**GIT, "a/spectastic.toml": "jobs = 2", "a/b": None},
        "a/b",
        [],
        ("a", "spectastic.toml", "spectastic.toml:1", ()),
    ),
    "an empty spectastic.toml": (
        {**GIT, "a/spectastic.toml": "", "a/b": None},
        "a/b",
        [],
        ("a", "spectastic.toml", "default", ()),
    ),
    "pyproject.toml": (
        {"pyproject.toml": "[project]\n[tool.spectastic]\njobs = 2", "a": None},
        "a",
        [],
        ("", "pyproject.toml", "pyproject.toml:3", ()),
    ),
    "pyproject.toml, dotted": (
        {"pyproject.toml": "[tool]\nspectastic.jobs = 2"},
        "",
        [],
        ("", "pyproject.toml", "pyproject.toml:2", ()),
    ),
    "spectastic.toml before pyproject.toml": (
        {"pyproject.toml": "[tool.spectastic]\njobs = 2", "spectastic.toml": "jobs = 3"},
        "",
        [],
        ("", "spectastic.toml", "spectastic.toml:1", ()),
    ),
    "the nearest one": (
        {"spectastic.toml": "jobs = 3", "a/pyproject.toml": "[tool.spectastic]\njobs = 2"},
        "a",
        [],
        ("a", "pyproject.toml", "pyproject.toml:2", ()),
    ),
    "pyproject.toml without the table": (
        {
            "spectastic.toml": "jobs = 3",
            "a/pyproject.toml": "[project]\nname = 'spectastic'\n[tool]\nx.spectastic = 1",
            "a/b/pyproject.toml": "tool = 'spectastic'",
            "a/b/c/pyproject.toml": "this is no TOML, and none of our business",
            "a/b/c/d/pyproject.toml": None,
        },
        "a/b/c/d",
        [],
        ("", "spectastic.toml", "spectastic.toml:1", ()),
    ),
    "not above the top of git": (
        {"spectastic.toml": "jobs = 3", "a/.git": "", "a/b": None},
        "a/b",
        [],
        ("a", "git", "default", ()),
    ),
    "not above the top of git, for a registry either": (
        {"knowledge/index.md": "", "a/.git": "", "a/b": None},
        "a/b",
        [],
        ("a", "git", "default", ()),
    ),
    "paths decide, not where one stands": (
        {"a/.git": "", "a/docs/x.md": "", "a/docs/sub": None, "b/.git": ""},
        "b",
        ["../a/docs/x.md", "../a/docs/sub/"],
        ("a", "git", "default", ("docs/x.md", "docs/sub")),
    ),
    "the folder that paths have in common": (
        {"spectastic.toml": "", "a/spectastic.toml": "", "a/x.md": "", "b/y.md": ""},
        "a",
        ["x.md", "../b/y.md"],
        ("", "spectastic.toml", "default", ("a/x.md", "b/y.md")),
    ),
    "a reference outside git": (
        {"knowledge/index.md": "", "knowledge/p/references/x.md": ""},
        "",
        ["knowledge/p/references/x.md"],
        ("", "knowledge/index.md", "default", ("knowledge/p/references/x.md",)),
    ),
    "the root itself": ({**GIT, "a": None}, "a", [".."], ("", "git", "default", (".",))),
    "paths that are not there": (
        {**GIT, "a": None},
        "a",
        ["gone/x.md", "**/*.md", "./gone/"],
        ("", "git", "default", ("a/gone/x.md", "a/**/*.md", "a/gone")),
    ),
    "a link to a file keeps its name": (
        {**GIT, "a/x.md": Link("../b/y.md"), "b/y.md": "", "a/z.md": Link("nowhere")},
        "a",
        ["x.md", "z.md"],
        ("", "git", "default", ("a/x.md", "a/z.md")),
    ),
    "a link to a folder is that folder": (
        {**GIT, "a/b/x.md": "", "link": Link("a/b")},
        "",
        ["link", "link/x.md"],
        ("", "git", "default", ("a/b", "a/b/x.md")),
    ),
    "the same path twice": (
        {**GIT, "x.md": ""},
        "",
        ["x.md", "./x.md"],
        ("", "git", "default", ("x.md", "x.md")),
    ),
}


@pytest.mark.parametrize("case", ROOTS)
def test_root(tmp_path: Path, case: str) -> None:
    given, cwd, paths, (root, reason, jobs, relative) = ROOTS[case]
    # A stop above the tree, in case there is something above the temporary folder.
    top = tree(tmp_path / "top", given)
    found = settings(top / cwd, *paths)
    assert (found.root, found.paths) == (str(top / root) if root else str(top), relative)
    assert (found.origins["root"], found.origins["jobs"]) == (reason, jobs)


def test_the_folder_one_stands_in_may_be_a_link(tmp_path: Path) -> None:
    tree(tmp_path, {"real/.git": "", "real/a/x.md": "", "link": Link("real")})
    found = settings(tmp_path / "link" / "a", "x.md")
    assert (found.root, found.paths) == (str(tmp_path / "real"), ("a/x.md",))


def test_a_given_root_is_the_root(tmp_path: Path) -> None:
    tree(tmp_path, {".git": "", "spectastic.toml": "jobs = 3", "a/x.md": "", "b/spectastic.toml": "jobs = 2"})
    tree(tmp_path, {"c": Link("b")})
    found = settings(tmp_path, "a/x.md", root="a")
    assert (found.root, found.paths, found.jobs) == (str(tmp_path / "a"), ("x.md",), AUTO)
    assert found.origins["root"] == "--root"
    assert settings(tmp_path / "a", root="../b").jobs == 2
    assert settings(tmp_path, root="c").root == str(tmp_path / "b")
    assert settings(tmp_path, root=str(tmp_path / "b"), isolated=True).jobs == AUTO
    assert settings(tmp_path, root="a", config="b/spectastic.toml").jobs == 2


def test_a_named_configuration(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            ".git": "",
            "spectastic.toml": "jobs = 3",
            "ci/strict.toml": 'jobs = 2\ncorpus = "kb"\nexclude = ["/x/"]\n',
            "docs/own.toml": "jobs = 4",
            "docs/pyproject.toml": "[tool.spectastic]\njobs = 5",
            "docs/sub": None,
        },
    )
    found = settings(tmp_path / "docs", config="../ci/strict.toml")
    assert (found.root, found.jobs, found.corpus) == (str(tmp_path), 2, "kb")
    assert (found.origins["root"], found.origins["jobs"]) == ("git", "../ci/strict.toml:1")
    found = settings(tmp_path / "docs/sub", config="../own.toml")
    assert (found.root, found.jobs, found.origins["jobs"]) == (str(tmp_path / "docs"), 4, "own.toml:1")
    assert settings(tmp_path, config="docs/pyproject.toml").jobs == 5
    assert settings(tmp_path, config=str(tmp_path / "docs/pyproject.toml")).jobs == 5


def test_isolated(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {".git": "", "a/spectastic.toml": "this is = = broken", "a/pyproject.toml": "[tool.spectastic]"},
    )
    found = settings(tmp_path / "a", isolated=True, flags={"jobs": 2})
    assert (found.root, found.jobs, found.origins["root"]) == (str(tmp_path), 2, "git")


OUTSIDE = "this lies outside the root {top}/a (name a root with --root)"
USAGE: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "outside the root": ({"root": "a"}, ["x.md"], f"x.md: {OUTSIDE}"),
    "a folder beside it with a longer name": ({"root": "a"}, ["ab/x.md"], f"ab/x.md: {OUTSIDE}"),
    "through a link": ({"root": "a"}, ["a/out/x.md"], f"a/out/x.md: {OUTSIDE}"),
    "up and out": ({"root": "a"}, ["a/../x.md"], f"a/../x.md: {OUTSIDE}"),
    "an empty path": ({}, [""], "'': this cannot be the name of a file or folder"),
    "a path with NUL": ({}, ["a\0b"], "'a\\x00b': this cannot be the name of a file or folder"),
    "no such root": ({"root": "gone"}, [], "--root: there is no folder 'gone'"),
    "a root that is a file": ({"root": "x.md"}, [], "--root: there is no folder 'x.md'"),
    "an empty root": ({"root": ""}, [], "--root: there is no folder ''"),
    "no such configuration": ({"config": "gone.toml"}, [], "--config: there is no file 'gone.toml'"),
    "an empty configuration name": ({"config": ""}, [], "--config: there is no file ''"),
    "a configuration that is a folder": (
        {"config": "a"},
        [],
        "a: this is a directory, not a configuration file (rename it)",
    ),
    "no table of ours": (
        {"config": "a/pyproject.toml"},
        [],
        "a/pyproject.toml: --config: this file has no table [tool.spectastic]",
    ),
    "a configuration and none": (
        {"config": "a/pyproject.toml", "isolated": True},
        [],
        "--config: it cannot be used together with --isolated",
    ),
    "a flag with an unknown rule": (
        {"flags": {"select": ["corpus-licence"]}},
        [],
        '--select: there is no rule "corpus-licence" (did you mean "corpus-license"?)',
    ),
    "a flag with a wrong severity": (
        {"flags": {"severity": {"corpus-license": "bad"}}},
        [],
        '--severity: "bad" is no severity (one of error, info, warning)',
    ),
    "a flag of a wrong type": (
        {"flags": {"exclude": 3}},
        [],
        "--exclude: wants a list of patterns, not an integer",
    ),
    "a flag that is one string": (
        {"flags": {"exclude": "docs"}},
        [],
        '--exclude: wants a list of patterns, not a string (write ["docs"])',
    ),
    "a corpus outside the root": (
        {"root": "a", "flags": {"corpus": "kb"}},
        [],
        '--corpus: "{top}/kb" lies outside the root {top}/a (name a folder below it)',
    ),
    "a corpus that is a link out of the root": (
        {"root": "b"},
        [],
        'corpus: "knowledge" lies outside the root {top}/b (name a folder below it)',
    ),
    "a telemetry file outside the root": (
        {"root": "a", "flags": {"read-telemetry": "../reads.jsonl"}},
        [],
        '--read-telemetry: "../reads.jsonl" lies outside the root {top}/a (name a file below it)',
    ),
    "a telemetry file behind a link out of the root": (
        {"root": "a", "flags": {"read-telemetry": "out/reads.jsonl"}},
        [],
        '--read-telemetry: "out/reads.jsonl" lies outside the root {top}/a (name a file below it)',
    ),
    "an empty corpus": ({"flags": {"corpus": ""}}, [], "--corpus: wants a folder, not an empty string"),
}


@pytest.mark.parametrize("case", USAGE)
def test_wrong_usage(tmp_path: Path, case: str) -> None:
    rest, paths, message = USAGE[case]
    top = tree(
        tmp_path / "top",
        {
            **dict.fromkeys([".git", "x.md", "ab/x.md", "a/y.md"], ""),
            "a/pyproject.toml": "[project]",
            "a/out": Link(".."),
            "b/knowledge": Link("../a"),
        },
    )
    assert error(top, *paths, **rest) == message.replace("{top}", str(top))


BROKEN: dict[str, tuple[bytes | Link | None, str]] = {
    "not UTF-8": (
        b"jobs = 1\n# \xff\n",
        "{}:2: the file is not UTF-8: byte 0xff at offset 11 (save it as UTF-8)",
    ),
    "UTF-16": (
        "jobs = 1 # spectastic".encode("utf-16"),
        "{}:1: the file is UTF-16, not UTF-8 (save it as UTF-8)",
    ),
    "NUL": (b"\njobs = 1\0", "{}:2: the file holds a NUL byte, so it is not text (remove the byte)"),
    "a folder": (None, "{}: this is a directory, not a configuration file (rename it)"),
    "a dangling link": (Link("gone"), "{}: the file cannot be read: no such file or directory"),
    "a looping link": (
        Link("spectastic.toml"),
        "{}: the file cannot be read: too many levels of symbolic links",
    ),
    "a device": (
        Link("/dev/null"),
        "{}: this is a symbolic link that leads out of the repository (name the file with --config)",
    ),
    "too large": (
        b"#" * 1_000_001,
        "{}: the file is too large: 1,000,001 bytes, more than the 1,000,000 that are read",
    ),
    "nested too deeply": (b"jobs = " + b"[" * 100_000, "{}: not valid TOML: nested too deeply"),
    "a key of many parts": (
        b"jobs = 1\n" + b".".join([b"a"] * 20_000) + b" = 1",
        "{}:2: not usable TOML: a key has more than 64 parts",
    ),
    "a table of many parts": (
        b"[" + b" . ".join([b"'a'", b'"b"'] * 10_000) + b"]",
        "{}:1: not usable TOML: a key has more than 64 parts",
    ),
    "a huge number": (b"jobs = " + b"9" * 5000, "{}: not valid TOML: a number is too long to be read"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_cannot_be_used(tmp_path: Path, case: str) -> None:
    content, message = BROKEN[case]
    tree(tmp_path, {"spectastic.toml": content, "docs": None})
    assert error(tmp_path) == message.format("spectastic.toml")
    assert error(tmp_path / "docs") == message.format("../spectastic.toml")


def test_a_pyproject_that_may_be_about_us_is_not_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, {"pyproject.toml": Link("gone")})
    assert error(tmp_path) == "pyproject.toml: the file cannot be read: no such file or directory"
    (tmp_path / "pyproject.toml").unlink()
    (tmp_path / "pyproject.toml").write_text("[tool.spectastic]\nx = \n")
    assert error(tmp_path) == "pyproject.toml:2: not valid TOML at column 5: Invalid value"
    (tmp_path / "pyproject.toml").write_text("[tool]\n\nspectastic = 3\n")
    assert error(tmp_path) == "pyproject.toml:3: tool.spectastic: must be a table"


def test_an_error_carries_its_parts(tmp_path: Path) -> None:
    (tmp_path / "spectastic.toml").write_text("\nselct = []\n")
    with pytest.raises(ConfigError) as raised:
        settings(tmp_path)
    wrong = raised.value
    assert (wrong.path, wrong.line, wrong.key) == ("spectastic.toml", 2, "selct")
    assert (wrong.message, wrong.hint) == ("there is no such key", 'did you mean "select"?')


def test_flags_win_and_tables_are_merged(tmp_path: Path) -> None:
    (tmp_path / "spectastic.toml").write_text(
        'exclude = ["old/"]\nfail-on = "error"\n'
        '[severity]\ncorpus-license = "error"\ncorpus-orphan = "error"\n'
        '[per-path-ignores]\n"a.md" = ["corpus-license"]\n'
    )
    flags = {
        "exclude": ("new/",),
        "fail-on": Severity.INFO,
        "severity": {"corpus-orphan": Severity.INFO, "corpus-integrity": "error"},
        "per_path_ignores": {"b.md": ("corpus-orphan",)},
        "select": None,
        "force_exclude": True,
    }
    found = settings(tmp_path, flags=flags)
    assert (found.exclude, found.fail_on, found.select, found.force_exclude) == (
        ("new/",),
        Severity.INFO,
        (),
        True,
    )
    assert found.severity == {
        "corpus-license": Severity.ERROR,
        "corpus-orphan": Severity.INFO,
        "corpus-integrity": Severity.ERROR,
    }
    assert found.per_path_ignores == (("a.md", ("corpus-license",)), ("b.md", ("corpus-orphan",)))
    rows = {key: origin for key, _, origin in describe(found) if origin != "default"}
    assert rows == {
        "exclude": "--exclude",
        "severity.corpus-integrity": "--severity",
        "severity.corpus-license": "spectastic.toml:4",
        "severity.corpus-orphan": "--severity",
        'per-path-ignores."a.md"': "spectastic.toml:7",
        'per-path-ignores."b.md"': "--per-path-ignores",
        "fail-on": "--fail-on",
        "force-exclude": "--force-exclude",
    }
    assert found.origins["severity"] == "spectastic.toml:3, --severity"


def test_a_table_that_is_only_a_flag(tmp_path: Path) -> None:
    found = settings(tmp_path, flags={"severity": {"corpus-orphan": "info"}}, isolated=True)
    assert (found.severity, found.origins["severity"]) == ({"corpus-orphan": Severity.INFO}, "--severity")
    assert Settings("/").severity == {}


def test_a_setting_that_there_is_not_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="there is no setting 'colour'"):
        settings(tmp_path, flags={"colour": True})


def test_without_known_rules_any_will_do(tmp_path: Path) -> None:
    assert load(None, [], {"select": ["my-rule"]}, str(tmp_path), isolated=True).select == ("my-rule",)


@pytest.mark.parametrize(
    ("flag", "written", "expected"),
    [
        (None, None, "knowledge"),
        (None, "docs/kb", "docs/kb"),
        (None, "./docs/../kb/", "kb"),
        (None, "link", "docs/kb"),
        ("kb", None, "docs/kb"),
        ("../kb", None, "kb"),
        ("kb", "kb", "docs/kb"),
    ],
)
def test_corpus(tmp_path: Path, flag: str | None, written: str | None, expected: str) -> None:
    """In the file it is relative to the file, as a flag to where one stands."""
    tree(tmp_path, {".git": "", "docs/kb": None, "link": Link("docs/kb")})
    (tmp_path / "spectastic.toml").write_text(f'corpus = "{written}"\n' if written else "")
    assert settings(tmp_path / "docs", flags={"corpus": flag}).corpus == expected


@pytest.mark.parametrize("entry", ["../teton", "/teton", "link/.adlc"])
def test_the_folder_of_a_sibling_lies_below_the_root(tmp_path: Path, entry: str) -> None:
    tree(tmp_path, {"a/link": Link("../teton"), "teton/.adlc": None, "a/.git": ""})
    (tmp_path / "a/spectastic.toml").write_text(f'prior-art-siblings = ["REQ-400", "{entry}"]\n')
    assert error(tmp_path / "a") == (
        f'spectastic.toml:1: prior-art-siblings: "{entry}" lies outside the root {tmp_path}/a'
        " (put a copy below it, or name the project's ids (REQ-400..REQ-499) or its name (teton))"
    )


def test_the_default_corpus_may_be_a_link(tmp_path: Path) -> None:
    tree(tmp_path, {".git": "", "docs/kb": None, "knowledge": Link("docs/kb")})
    found = settings(tmp_path)
    assert (found.corpus, found.origins["corpus"]) == ("docs/kb", "default")


def test_no_parser_is_loaded_without_a_file(tmp_path: Path) -> None:
    """A run on one file must feel instant."""
    tree(tmp_path, {".git": "", "x.md": "", "pyproject.toml": "[project]\n"})
    code = (
        "import sys; from spectastic import config, discover;"
        f"discover.discover(config.load(None, ['x.md'], {{}}, {str(tmp_path)!r}));"
        "print([name for name in ('tomllib', 'difflib', 'json', 'spectastic.discover.patterns', 'pathlib')"
        " if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == "[]\n"


LINES = [
    ("a = 1\n\nb = 2", {("a",): 1, ("b",): 3}),
    ("[t]\na = 1\n[t.u]\nb = 2", {("t",): 1, ("t", "a"): 2, ("t", "u"): 3, ("t", "u", "b"): 4}),
    ("a.b.c = 1\na.d = 2", {("a",): 1, ("a", "b"): 1, ("a", "b", "c"): 1, ("a", "d"): 2}),
    (
        "a = { b = 1, c.d = [2] }",
        {("a",): 1, ("a", "b"): 1, ("a", "c"): 1, ("a", "c", "d"): 1, ("a", "c", "d", 0): 1},
    ),
    ("a = [1,\n 2.5, # ]\n\n 'x']", {("a",): 1, ("a", 0): 1, ("a", 1): 2, ("a", 2): 4}),
    (
        "a = [[1],\n[2,\n3]]\nb=0",
        {("a",): 1, ("a", 0): 1, ("a", 0, 0): 1, ("a", 1): 2, ("a", 1, 0): 2, ("a", 1, 1): 3, ("b",): 4},
    ),
    (
        "a = [\n{ b = 1 },\n{ b = 2 } ]\nc=1",
        {("a",): 1, ("a", 0): 2, ("a", 0, "b"): 2, ("a", 1): 3, ("a", 1, "b"): 3, ("c",): 4},
    ),
    ("a = {}\nb = []\nc = 1", {("a",): 1, ("b",): 2, ("c",): 3}),
    ('a = """\nb = 1\n"""\nc = 1', {("a",): 1, ("c",): 4}),
    ("a = '''\nb = 1\n''''\nc = 1", {("a",): 1, ("c",): 4}),
    ('a = """x""\\"""""\nc = 1', {("a",): 1, ("c",): 2}),
    ('a = "# \\" ["\nc = \'"\'', {("a",): 1, ("c",): 2}),
    ('"a.b" = 1\n\'c d\' = 2\n"\\u0065\\"" = 3', {("a.b",): 1, ("c d",): 2, ('e"',): 3}),
    ("[[x]]\na = 1\n[[x]]\na = 2\nb = 3", {("x",): 1, ("x", "a"): 2, ("x", "b"): 5}),
    ("[ a . 'b' ] # c\nd = 1979-05-27T07:32:00.5Z", {("a",): 1, ("a", "b"): 1, ("a", "b", "d"): 2}),
    ("a = -1.5e+3\r\nb = +inf\r\n", {("a",): 1, ("b",): 2}),
    ("1.2 = 3\n-_ = true", {("1",): 1, ("1", "2"): 1, ("-_",): 2}),
]


@pytest.mark.parametrize(("text", "lines"), LINES)
def test_lines(text: str, lines: dict[tuple[str | int, ...], int]) -> None:
    tomllib.loads(text)
    assert lines_of(text) == lines


def test_the_line_of_what_is_not_written_out_is_that_of_the_table_around_it() -> None:
    file = ConfigFile("/", "x.toml", "x.toml", {}, ("tool", "spectastic"), {("tool",): 3})
    assert (file.line("jobs"), file._replace(lines={}).line("jobs")) == (3, 1)


@given(st.text(alphabet="ab\"'\\[]{}=,.# \n1", max_size=40))
def test_lines_of_anything(text: str) -> None:
    """It is only ever given TOML, and has no opinion on the rest."""
    try:
        document = tomllib.loads(text)
    except ValueError:
        return
    found = lines_of(text)
    assert all(1 <= line <= text.count("\n") + 1 for line in found.values())
    assert {path[0] for path in found} == set(document)


def test_paths_on_two_drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""

    def no_common_path(_: object) -> str:
        raise ValueError

    monkeypatch.setattr(os.path, "commonpath", no_common_path)
    monkeypatch.setattr(os.path, "relpath", lambda *_: no_common_path(_))
    (tmp_path / "spectastic.toml").write_text("x = 1")
    assert error(tmp_path, "a.md", "b.md") == "the paths have no folder in common (name one with --root)"
    assert error(tmp_path).startswith(f"{tmp_path}/spectastic.toml:1: x: ")


@pytest.mark.parametrize("named", ["read", "link"])
def test_a_delegate_that_comes_with_the_repository(named: str, tmp_path: Path) -> None:
    top = tree(
        tmp_path / "top", {".git": "", "read": "#!/bin/sh\n", "../link": Link("top/read"), "../read": ""}
    )
    path = f"{top}/read" if named == "read" else f"{tmp_path}/link"
    tree(top, {"spectastic.toml": f'read-delegate = "{path}"\n'})
    said = f'spectastic.toml:1: read-delegate: "{short(path)}" lies in a repository'
    assert error(top).startswith(said)
    (top / "spectastic.toml").write_text(f'read-delegate = "{tmp_path}/read"\n')
    assert load(None, (), {}, str(top)).read_delegate == f"{tmp_path}/read"


def test_a_delegate_of_another_work_tree(tmp_path: Path) -> None:
    """The configuration may lie deeper than the top, or in another work tree of the same repository."""
    top = tree(tmp_path / "top", {".git": "", "bin/read": "", "sub/spectastic.toml": ""})
    other = tree(tmp_path / "other", {".git": "", "spectastic.toml": f'read-delegate = "{top}/bin/read"\n'})
    (top / "sub/spectastic.toml").write_text(f'read-delegate = "{top}/bin/read"\n')
    for folder in (top / "sub", other):
        assert "lies in a repository" in error(folder)


def test_prior_art_in_the_folder_of_git(tmp_path: Path) -> None:
    top = tree(tmp_path / "top", {".git/x": "", "spectastic.toml": 'prior-art-root = ".git"\n'})
    assert "is git's" in error(top)


@pytest.mark.parametrize("value", ["read-delegate = ''", "read-telemetry = ''"])
def test_no_reading(value: str, tmp_path: Path) -> None:
    top = tree(tmp_path / "top", {".git": "", "spectastic.toml": f"{value}\n"})
    found = load(None, (), {}, str(top))
    assert (found.read_delegate, found.read_telemetry) == ("", "")


def test_a_telemetry_file_may_be_a_link(tmp_path: Path) -> None:
    # It is not followed here, and refused where it is written.
    top = tree(tmp_path / "top", {".git": "", "t": Link("../x"), "spectastic.toml": "read-telemetry = 't'\n"})
    assert load(None, (), {}, str(top)).read_telemetry == "t"


#: The settings that are paths below the root, each with what it is and how one value stands in it.
PATHS = {
    "corpus": ("folder", "{}"),
    "prior-art-root": ("folder", "{}"),
    "prior-art-siblings": ("folder", "[{}]"),
    "baseline": ("file", "{}"),
    "read-telemetry": ("file", "{}"),
}
#: No path, and what is said of it; {0} is what it should have been.
NO_PATHS = {
    "a line break": ("a\nb/c", "this cannot be the name of a {0}"),
    "a carriage return": ("a/b\r", "this cannot be the name of a {0}"),
    "an escape": ("a/\x1b[2Jb", "this cannot be the name of a {0}"),
    "a delete": ("a/b\x7f", "this cannot be the name of a {0}"),
    "NUL": ("a/b\0", "this cannot be the name of a {0}"),
    "a C1 control": ("a/\u0085b", "this cannot be the name of a {0}"),
    "a line separator": ("a/\u2028b", "this cannot be the name of a {0}"),
    "a change of direction": ("a/\u202eb", "this cannot be the name of a {0}"),
    "the folder above": ("../a", "lies outside the root"),
    "a way above": ("a/../../b", "lies outside the root"),
    "absolute": ("/etc/x", "lies outside the root"),
    "a link that leads outside": ("out/x", "lies outside the root"),
    "a link with a line break behind": ("in/x", "this cannot be the name of a {0}"),
    "of git": (".git/x", "is git's"),
    "of git in capitals": ("a/.GIT/x", "is git's"),
    "of git by a link": ("git/x", "is git's"),
    "nothing but a blank": (" ", "not an empty string"),
}


@pytest.mark.parametrize("key", PATHS)
@pytest.mark.parametrize("case", NO_PATHS)
def test_what_is_no_path_below_the_root(key: str, case: str, tmp_path: Path) -> None:
    what, written = PATHS[key]
    value, said = NO_PATHS[case]
    tree(
        tmp_path / "r",
        {".git/x": "", "b\nc/x": "", "out": Link(".."), "in": Link("b\nc"), "git": Link(".git")},
    )
    if key == "prior-art-siblings" and value == " ":
        return  # it is no folder, for it has no slash
    toml = written.format(json.dumps(value))
    (tmp_path / "r/spectastic.toml").write_text(f"{key} = {toml}\n")
    with pytest.raises(ConfigError) as raised:
        load(None, [], {}, str(tmp_path / "r"))
    assert (raised.value.line, raised.value.key) == (1, key)
    assert said.format(what) in raised.value.message
    assert str(raised.value).isprintable()


def test_an_empty_prior_art_root_is_none(tmp_path: Path) -> None:
    for empty in ("", " "):
        with pytest.raises(ConfigError, match="wants a folder, not an empty string"):
            load(None, [], {"prior-art-root": empty}, str(tmp_path))
