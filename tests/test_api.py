"""The public API: what `import spectastic` offers to a program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from corpora import HEADER, document, row
from trees import Link, tree

import spectastic
from spectastic.config import ConfigError
from spectastic.corpus.model import Outcome
from spectastic.discover import NothingMatches
from spectastic.engine import Report
from spectastic.findings import Severity
from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).resolve().parent.parent
SPEC = "<spec-decision>\n\n{}\n\n</spec-decision>\n"
FILES: dict[str, str | bytes | Link | None] = {
    "specs/dead.md": SPEC.format("KB-0009@1"),
    "specs/good.md": SPEC.format("KB-0001@1"),
    "knowledge/index.md": HEADER + row(1, "1", "web/references/001-x.md"),
    "knowledge/web/references/001-x.md": document(edition="1"),
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return tree(tmp_path / "repository", FILES)


@pytest.fixture(autouse=True)
def silent(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing in here prints, whatever happens."""
    yield
    assert capfd.readouterr() == ("", "")


def dead(report: Report) -> list[str]:
    """The citations that lead nowhere, with their places."""
    return [
        f"{finding.path}:{finding.location.line}:{finding.location.column} {finding.subject}"
        for finding in report.findings
        if finding.rule == "corpus-provenance"
    ]


DEAD = ["specs/dead.md:3:1 KB-0009@1"]


def test_every_name_is_there() -> None:
    assert sorted(spectastic.__all__) == spectastic.__all__
    for name in spectastic.__all__:
        value = getattr(spectastic, name)
        assert name == "__version__" or value.__name__ == name
    assert spectastic.Report is Report
    assert spectastic.State is State
    assert spectastic.Severity is Severity
    with pytest.raises(AttributeError, match="has no attribute 'validat'"):
        _ = spectastic.validat


def test_names_are_there_in_a_fresh_process_and_cost_nothing_before() -> None:
    code = (
        "import sys, spectastic\n"
        "assert not {'yaml', 'json', 'rich', 'spectastic.engine', 'spectastic.corpus'} & sys.modules.keys()\n"
        "for name in spectastic.__all__: getattr(spectastic, name)\n"
        "from spectastic import *\n"
        "assert Report.__module__.startswith('spectastic') and callable(validate)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_report(repository: Path) -> None:
    report = spectastic.validate(repository)
    assert isinstance(report, spectastic.Report)
    assert dead(report) == DEAD
    assert all(isinstance(finding, spectastic.Finding) for finding in report.findings)
    assert report.failed is True
    assert (report.specs, report.citations) == (2, 2)
    assert report.decisions[spectastic.State.GROUNDED] == 1
    assert report.settings.root == os.path.realpath(repository)
    assert report.settings.jobs == 1, "a program may have threads, and these do not survive a fork"


@pytest.mark.parametrize(
    "kind", [str, Path, lambda path: os.path.join(path, ""), lambda path: f"{path}/specs/.."]
)
def test_kinds_of_roots(kind: Any, repository: Path) -> None:
    assert dead(spectastic.validate(kind(repository))) == DEAD


def test_relative_roots_and_paths(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.parent)
    assert dead(spectastic.validate("repository")) == DEAD
    assert dead(spectastic.validate("./repository", ["specs/dead.md"])) == DEAD
    assert dead(spectastic.validate("repository", iter([Path("specs")]))) == DEAD
    monkeypatch.chdir(repository / "specs")
    assert dead(spectastic.validate("..", ["specs/dead.md"])) == DEAD, "paths are relative to the root"
    assert dead(spectastic.validate("..", [repository / "specs" / "dead.md"])) == DEAD
    assert spectastic.validate("..", ["specs/good.md"]).findings == ()
    with pytest.raises(NothingMatches, match=r"dead\.md"):
        spectastic.validate("..", ["dead.md"])
    monkeypatch.chdir(repository)
    assert dead(spectastic.validate()) == DEAD, "the root is the current folder"
    assert spectastic.validate("specs").specs == 2, "what is given as the root is the root"


def test_a_root_that_is_a_link(repository: Path) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    report = spectastic.validate(link, ["specs"])
    assert dead(report) == DEAD
    assert report.findings[0].location.excerpt == "KB-0009@1"
    assert dead(spectastic.validate(link, [link / "specs" / "dead.md"])) == DEAD


def test_no_paths_and_the_root_as_a_path(repository: Path) -> None:
    whole = spectastic.validate(repository)
    assert whole.references == 1
    assert spectastic.validate(repository, ["."]).findings == whole.findings
    assert spectastic.validate(repository, ()).findings == whole.findings


SETTINGS: list[tuple[dict[str, object], int]] = [
    ({}, 0),
    ({"ignore": []}, 1),
    ({"ignore": ("corpus-citation-form",)}, 1),
    ({"select": ["corpus-provenance"]}, 0),
    ({"fail-on": "warning", "ignore": None}, 0),
    ({"per_path_ignores": {"specs/": ["corpus-provenance"]}, "ignore": []}, 0),
    ({"per-path-ignores": {"notes/": ["corpus-provenance"]}, "ignore": set()}, 1),
    ({"exclude": ["specs/"], "ignore": []}, 0),
]


@pytest.mark.parametrize(("settings", "count"), SETTINGS)
def test_settings_win_over_the_file(settings: dict[str, object], count: int, repository: Path) -> None:
    (repository / "spectastic.toml").write_text('ignore = ["corpus-provenance"]\n')
    assert len(dead(spectastic.validate(repository, settings=settings))) == count


def test_severities_are_words_or_values(repository: Path) -> None:
    for level in ("info", Severity.INFO):
        report = spectastic.validate(
            repository, settings={"severity": {"corpus-provenance": level}, "fail_on": level, "jobs": "auto"}
        )
        assert [finding.severity for finding in report.findings if finding.path == "specs/dead.md"] == [1]
        assert report.failed


def test_configuration_files(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "spectastic.toml").write_text('exclude = ["dead.md"]\n')
    other = repository.parent / "other.toml"
    other.write_text('exclude = ["good.md"]\n')
    monkeypatch.chdir(repository.parent)
    assert spectastic.validate(repository).specs == 1
    assert dead(spectastic.validate(repository)) == []
    assert dead(spectastic.validate(repository, config=other)) == DEAD
    assert dead(spectastic.validate(repository, config="other.toml")) == DEAD
    assert spectastic.validate(repository, isolated=True).specs == 2
    assert spectastic.validate(repository, ["specs"], settings={"exclude": []}).specs == 2


def test_the_corpus_is_relative_to_the_root(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "knowledge").rename(repository / "facts")
    for folder in (repository, repository.parent, repository / "specs"):
        monkeypatch.chdir(folder)
        report = spectastic.validate(repository, settings={"corpus": "facts"})
        assert (report.settings.corpus, dead(report)) == ("facts", DEAD)
        by_path = spectastic.validate(repository, settings={"corpus": str(repository / "facts")})
        assert by_path.settings.corpus == "facts"


ERRORS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"settings": {"selct": []}}, TypeError, "no setting 'selct'"),
    ({"settings": {"select": ["corpus-provenence"]}}, ConfigError, 'did you mean "corpus-provenance"'),
    ({"settings": {"select": "corpus-provenance"}}, ConfigError, "not a string"),
    ({"settings": {"fail-on": "fatal"}}, ConfigError, "no severity"),
    ({"settings": {"jobs": 0}}, ConfigError, "jobs"),
    ({"settings": {"corpus": "../elsewhere"}}, ConfigError, "outside the root"),
    ({"settings": {"corpus": 1}}, ConfigError, "corpus"),
    ({"paths": ["specs/none.md"]}, NothingMatches, "specs/none.md: no such file or folder"),
    ({"paths": ["spectastic.toml"]}, NothingMatches, "this is not a spec"),
    ({"paths": [".."]}, ConfigError, "outside the root"),
    ({"paths": ["/"]}, ConfigError, "outside the root"),
    ({"paths": ["a\0b.md"]}, ConfigError, "cannot be the name of a file"),
    ({"root": "none"}, ConfigError, "there is no folder 'none'"),
    ({"root": ""}, ConfigError, "there is no folder ''"),
    ({"config": "none.toml"}, ConfigError, "there is no file 'none.toml'"),
    ({"config": "spectastic.toml", "isolated": True}, ConfigError, "cannot be used together"),
]


@pytest.mark.parametrize(("given", "error", "message"), ERRORS, ids=[str(given) for given, _, _ in ERRORS])
def test_errors(
    given: dict[str, Any],
    error: type[Exception],
    message: str,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(repository)
    (repository / "spectastic.toml").write_text("")
    with pytest.raises(error) as caught:
        spectastic.validate(**{"root": repository, **given})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_error_in_the_file_names_its_line(repository: Path) -> None:
    (repository / "spectastic.toml").write_text('\nexclud = ["x"]\n')
    with pytest.raises(ConfigError) as caught:
        spectastic.validate(repository)
    assert (os.path.basename(caught.value.path), caught.value.line, caught.value.key) == (
        "spectastic.toml",
        2,
        "exclud",
    )


def test_calls_know_nothing_of_each_other(repository: Path) -> None:
    first = spectastic.validate(repository)
    assert spectastic.validate(repository) == first
    with open(repository / "knowledge" / "index.md", "a") as registry:
        registry.write(row(9, "1", "web/references/009-y.md", "009-y"))
    tree(repository, {"knowledge/web/references/009-y.md": document("009-y", "1")})
    assert dead(spectastic.validate(repository)) == [], "a corpus that was mended is seen at once"
    (repository / "knowledge" / "web" / "references" / "001-x.md").unlink()
    assert dead(spectastic.validate(repository)) == ["specs/good.md:3:1 KB-0001@1"]
    (repository / "spectastic.toml").write_text('ignore = ["corpus-provenance"]\n')
    assert dead(spectastic.validate(repository)) == []
    (repository / "specs" / "dead.md").unlink()
    assert spectastic.validate(repository).specs == 1
    other = tree(repository.parent / "other", FILES)
    assert dead(spectastic.validate(other)) == DEAD


def test_a_run_changes_nothing(repository: Path) -> None:
    def state() -> tuple[Any, ...]:
        files = sorted((str(path), path.stat().st_mtime_ns) for path in repository.rglob("*"))
        return files, os.getcwd(), dict(os.environ), threading.active_count()

    before = state()
    spectastic.validate(repository)
    spectastic.load_corpus(repository).rows  # noqa: B018
    assert state() == before


def test_threads_do_not_disturb_each_other(repository: Path) -> None:
    other = tree(repository.parent / "other", {**FILES, "specs/dead.md": SPEC.format("x KB-0008@1")})
    found: dict[int, list[str]] = {}

    def look(number: int) -> None:
        found[number] = dead(spectastic.validate(other if number % 2 else repository))

    threads = [threading.Thread(target=look, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(6)] == [DEAD, ["specs/dead.md:3:3 KB-0008@1"]] * 3


def test_progress(repository: Path) -> None:
    calls: list[tuple[int, int]] = []
    spectastic.validate(repository, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(2, 2)]


def test_a_corpus(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = spectastic.load_corpus(repository)
    assert isinstance(corpus, spectastic.Corpus)
    assert corpus.root == os.path.realpath(repository)
    found = corpus.find("KB-0001", "1")
    assert (found.outcome, found.path) == (Outcome.CURRENT, "knowledge/web/references/001-x.md")
    assert corpus.find("KB-0009", "1").outcome is Outcome.NOTHING
    assert list(corpus.rows) == ["KB-0001"]
    (repository / "knowledge").rename(repository / "facts")
    assert spectastic.load_corpus(repository).find("KB-0001", "1").outcome is Outcome.NOTHING
    monkeypatch.chdir(repository)
    assert spectastic.load_corpus(folder="facts").find("KB-0001", None).outcome is Outcome.CURRENT


def test_the_wheel_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    source = tmp_path / "source"
    shutil.copytree(
        CHECKOUT / "spectastic", source / "spectastic", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, source)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(source)),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"spectastic_lint-{spectastic.__version__}-py3-none-any")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"spectastic_lint-{spectastic.__version__}.dist-info/METADATA").decode()
        entries = archive.read(
            f"spectastic_lint-{spectastic.__version__}.dist-info/entry_points.txt"
        ).decode()
    modules = {str(path.relative_to(source)) for path in (source / "spectastic").rglob("*.py")}
    assert modules | {"spectastic/py.typed"} <= names
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"spectastic"}
    assert "Classifier: Typing :: Typed" in metadata
    assert "spectastic = spectastic.cli:run" in entries
