"""Every rule against small repositories: what fires, and the near misses that must not.

A case is a folder `fixtures/rules/<rule>/<case>/`: the files of a repository and `expected.txt`,
one line for each finding of that rule, `path:line:column-end rule severity text ; text`, where each
text occurs in the message, the hint or a related place (`path:line:column message`). The end is a
column, and `line:column` where that is on another line. A case whose name begins with `clean`
expects none. A case without `knowledge/` borrows that of `_base`, unless
`no-corpus` is in its name. A rule about history compares it with the files in `base/` or, where there
are none, with `_base`. A case with a `spectastic.toml` is run with it.
A case with an `untracked.txt` is a git repository that tracks everything else.
"""

from __future__ import annotations

import ast
import importlib
import re
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from repository import Repository

from spectastic import config
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.engine import validate
from spectastic.locate import Locator
from spectastic.rules import HISTORY_RULES, RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType, ModuleType

    from spectastic.findings import Finding

FIXTURES = Path(__file__).parent.parent / "fixtures" / "rules"
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/expected.txt"))


class Expected(NamedTuple):
    place: str
    rule: str
    severity: str
    texts: tuple[str, ...]


def expected_of(case: Path) -> list[Expected]:
    lines = (case / "expected.txt").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if line and not line.startswith("#"):
            place, rule, severity, text = (*line.split(" ", 3), "")[:4]
            found.append(Expected(place, rule, severity, tuple(text.split(" ; "))))
    return found


def build(case: Path, target: Path) -> Path:
    """The repository of a case, away from any other configuration and ignore file."""
    if not (case / "knowledge").exists() and "no-corpus" not in case.name:
        shutil.copytree(FIXTURES / "_base", target, dirs_exist_ok=True)
    ours = shutil.ignore_patterns("expected.txt", "base", "untracked.txt")
    shutil.copytree(case, target, dirs_exist_ok=True, ignore=ours)
    base = case / "base"
    shutil.copytree(base if base.exists() else FIXTURES / "_base", base_of(target))
    if (case / "untracked.txt").exists():
        made = Repository(target)
        made.git("add", "--all")
        for name in (case / "untracked.txt").read_text(encoding="utf-8").splitlines():
            made.git("rm", "-r", "-q", "--cached", "--", name)
    return target


def base_of(root: Path) -> Path:
    """Where the files of the base revision are."""
    return root.with_name(f"{root.name}.base")


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    root = tmp_path_factory.mktemp("rules")
    return {case: build(case, root / case.parent.name / case.name) for case in CASES}


def run(root: Path, rule: str) -> list[Finding]:
    for module in HISTORY_RULES:
        if module.RULE.id == rule:
            found = module.check(load(str(root)), load(str(base_of(root))))
            return sorted(Locator(str(root)).locate(found), key=lambda f: (f.path, f.location[:2], f.message))
    settings = Settings(root=str(root), select=(rule,))
    if (root / "spectastic.toml").exists():
        settings = config.load(str(root), [], {"select": (rule,)}, str(root), known_rules=RULES)
    return list(validate(settings).findings)


def related(finding: Finding) -> str:
    places = ((place, place.location) for place in finding.related)
    return " ".join(f"{at.path}:{where.line}:{where.column} {at.message}" for at, where in places)


def place_of(finding: Finding) -> str:
    at = finding.location
    end = f"{at.end_line}:{at.end_column}" if at.end_line != at.line else str(at.end_column)
    return f"{finding.path}:{at.line}:{at.column}-{end}"


def matches(finding: Finding, wanted: Expected) -> bool:
    place = place_of(finding)
    said = f"{finding.message}\n{finding.hint}\n{related(finding)}"
    got = (place, finding.rule, finding.severity.label)
    return got == wanted[:3] and all(text in said for text in wanted.texts)


def satisfied(findings: list[Finding], expected: list[Expected]) -> bool:
    return len(findings) == len(expected) and all(map(matches, findings, expected))


def shown(findings: list[Finding]) -> str:
    return "\n".join(
        f"{place_of(f)} {f.rule} {f.severity.label} {f.message} ; {f.hint} ; {related(f)}" for f in findings
    )


def name_of(case: Path) -> str:
    return f"{case.parent.name}/{case.name}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case(case: Path, repositories: dict[Path, Path]) -> None:
    findings = run(repositories[case], case.parent.name)
    assert satisfied(findings, expected_of(case)), f"got:\n{shown(findings)}"
    places = {(f.path, f.span, f.subject) for f in findings}
    assert len(places) == len(findings), "one finding for a place, and for what it is about"


def _with_crlf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _with_mark(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data.removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize("change", [_with_crlf, _with_mark])
def test_encoding_changes_nothing(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    for case in CASES:
        if case.name == "not-utf8":
            continue
        root = build(case, tmp_path / case.parent.name / case.name)
        for path in root.rglob("*.*"):
            if path.is_file() and ".git" not in path.parts:
                path.write_bytes(change(path.read_bytes()))
        findings = run(root, case.parent.name)
        assert satisfied(findings, expected_of(case)), f"{name_of(case)}:\n{shown(findings)}"


def test_messages_quote_little(tmp_path: Path) -> None:
    long = "x" * 50_000
    shutil.copytree(FIXTURES / "_base", tmp_path, dirs_exist_ok=True)
    tokens = f"KB-0001@{long} kb-0001@{long} KB-{'9' * 50_000}@1 KB-0009 KB{'0' * 50_000}1@{long}"
    (tmp_path / "a.md").write_text(f'<spec-decision id="{long}">\n\n{tokens}\n\n</spec-decision>\n')
    references = tmp_path / "knowledge" / "web" / "references"
    fields = ("slug", "edition", "license", "status", "content-hash")
    text = "".join(f"{field}: not-citable {long[:12_000]}\n" for field in fields)
    for name in ("002-contrast.md", "superseded/002-contrast@1.md", "superseded/other.md"):
        (references / name).parent.mkdir(exist_ok=True)
        (references / name).write_text(f"---\n{text}---\n")
    findings = validate(Settings(root=str(tmp_path))).findings
    assert len({finding.rule for finding in findings}) >= 6
    for finding in findings:
        assert len(finding.message) < 400, finding
        assert len(finding.hint) < 400, finding
        assert len(finding.subject) < 400, finding


@pytest.mark.parametrize("rule", RULES)
def test_cases_of_every_rule(rule: str) -> None:
    cases = [case for case in CASES if case.parent.name == rule]
    clean = [case for case in cases if case.name.startswith("clean")]
    assert clean, "a near miss that must not fire"
    assert len(clean) < len(cases), "something that fires"
    for case in cases:
        assert (case in clean) == (not expected_of(case)), case
        # A file that cannot be read is always told of, whichever rules are chosen.
        assert {wanted.rule for wanted in expected_of(case)} - {"file-unreadable"} <= {rule}, case


def test_every_folder_belongs_to_a_rule() -> None:
    assert {path.name for path in FIXTURES.iterdir()} - {"_base"} == set(RULES)


def test_base_is_clean(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "_base", tmp_path, dirs_exist_ok=True)
    assert validate(Settings(root=str(tmp_path))).findings == ()


# Every rule is able to fail: each condition of its module, and of what rules share, is noticed by some
# case when it is negated. A crash tells nothing: the case goes on as if nothing had been noticed.


class Condition(NamedTuple):
    module: str
    number: int
    line: int
    text: str


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"spectastic.rules.{name.replace('-', '_')}")


def _tree(name: str) -> ast.Module:
    return ast.parse(Path(_module(name).__file__ or "").read_text(encoding="utf-8"))


def _tests(tree: ast.AST) -> Iterator[tuple[ast.expr, Callable[[ast.expr], None]]]:
    """Every condition in a tree, with what replaces it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            is_typing = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
            if not is_typing:
                yield node.test, partial(setattr, node, "test")
        if isinstance(node, ast.match_case) and node.guard is not None:
            yield node.guard, partial(setattr, node, "guard")
        for parts in _parts(node):
            for index, part in enumerate(parts):
                yield part, partial(parts.__setitem__, index)


def _parts(node: ast.AST) -> Iterator[list[ast.expr]]:
    if isinstance(node, ast.comprehension):
        yield node.ifs
    if isinstance(node, ast.BoolOp):
        yield node.values


def _conditions() -> Iterator[Condition]:
    for module in ("common", *RULES):
        for index, (test, _) in enumerate(_tests(_tree(module))):
            yield Condition(module, index, test.lineno, ast.unparse(test))


def _negated(condition: Condition) -> CodeType:
    tree = _tree(condition.module)
    test, replace = list(_tests(tree))[condition.number]
    replace(ast.copy_location(ast.UnaryOp(ast.Not(), test), test))
    return compile(ast.fix_missing_locations(tree), f"<{condition.module} negated>", "exec")


def _noticed(rules: Iterable[str], repositories: dict[Path, Path]) -> bool:
    for case in CASES:
        if case.parent.name in rules:
            try:
                findings = run(repositories[case], case.parent.name)
            except Exception:
                continue
            if not satisfied(findings, expected_of(case)):
                return True
    return False


@pytest.mark.parametrize("condition", list(_conditions()), ids=lambda c: f"{c.module}:{c.line}: {c.text}")
def test_negating_a_condition_is_noticed(
    condition: Condition, repositories: dict[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = _module(condition.module)
    mutant: dict[str, Any] = {"__name__": original.__name__}
    exec(_negated(condition), mutant)
    rules = set()
    for rule in RULES:
        module = _module(rule)
        for name, value in mutant.items():
            mine = callable(value) and getattr(value, "__globals__", None) is mutant
            if mine and getattr(module, name, None) is getattr(original, name):
                rules.add(rule)
                monkeypatch.setattr(module, name, value)
    assert _noticed(rules, repositories)


@pytest.mark.parametrize("rule", RULES)
def test_silence_is_noticed(
    rule: str, repositories: dict[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _module(rule)
    for name in [name for name in vars(module) if re.fullmatch("check(_.*)?", name)]:
        monkeypatch.setattr(module, name, lambda *_: iter(()))
    assert _noticed([rule], repositories)
