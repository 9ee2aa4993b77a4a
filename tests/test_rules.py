"""Every rule against small repositories: what fires, and the near misses that must not.

A case is a folder `fixtures/rules/<rule>/<case>/`: the files of a repository and `expected.txt`,
one line for each finding of that rule, `path:line:column rule severity text ; text`, where each
text occurs in the message, the hint or a related place (`path:line:column message`). A case whose
name begins with `clean` expects none. A case without `knowledge/` borrows that of `_base`, unless
`no-corpus` is in its name.
"""

from __future__ import annotations

import ast
import importlib
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from spectastic.config import Settings
from spectastic.engine import validate
from spectastic.rules import RULES
from spectastic.rules.common import not_citable, some
from spectastic.rules.corpus_license import permissive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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
    shutil.copytree(case, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("expected.txt"))
    return target


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    root = tmp_path_factory.mktemp("rules")
    return {case: build(case, root / case.parent.name / case.name) for case in CASES}


def run(root: Path, rule: str) -> list[Finding]:
    return list(validate(Settings(root=str(root), select=(rule,))).findings)


def related(finding: Finding) -> str:
    places = ((place, place.location) for place in finding.related)
    return " ".join(f"{at.path}:{where.line}:{where.column} {at.message}" for at, where in places)


def matches(finding: Finding, wanted: Expected) -> bool:
    place = f"{finding.path}:{finding.location.line}:{finding.location.column}"
    said = f"{finding.message}\n{finding.hint}\n{related(finding)}"
    got = (place, finding.rule, finding.severity.label)
    return got == wanted[:3] and all(text in said for text in wanted.texts)


def satisfied(findings: list[Finding], expected: list[Expected]) -> bool:
    return len(findings) == len(expected) and all(map(matches, findings, expected))


def shown(findings: list[Finding]) -> str:
    return "\n".join(
        f"{f.path}:{f.location.line}:{f.location.column} {f.rule} {f.severity.label} {f.message} ; {f.hint}"
        f" ; {related(f)}"
        for f in findings
    )


def name_of(case: Path) -> str:
    return f"{case.parent.name}/{case.name}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case(case: Path, repositories: dict[Path, Path]) -> None:
    findings = run(repositories[case], case.parent.name)
    assert satisfied(findings, expected_of(case)), f"got:\n{shown(findings)}"
    assert len({(f.path, f.span, f.message) for f in findings}) == len(findings)
    assert all(len(f.message) < 400 and len(f.hint) < 400 for f in findings)


@pytest.mark.parametrize("rule", RULES)
def test_cases_of_every_rule(rule: str) -> None:
    cases = [case for case in CASES if case.parent.name == rule]
    clean = [case for case in cases if case.name.startswith("clean")]
    assert clean, "a near miss that must not fire"
    assert len(clean) < len(cases), "something that fires"
    for case in cases:
        assert (case in clean) == (not expected_of(case)), case
        assert all(wanted.rule == rule for wanted in expected_of(case)), case


def test_every_folder_belongs_to_a_rule() -> None:
    assert {path.name for path in FIXTURES.iterdir()} - {"_base"} == set(RULES)


def test_base_is_clean(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "_base", tmp_path, dirs_exist_ok=True)
    assert validate(Settings(root=str(tmp_path))).findings == ()


# Every rule is able to fail: each condition of its module, negated, is noticed by some case.


class Condition(NamedTuple):
    rule: str
    number: int
    line: int
    text: str


def _tree(rule: str) -> ast.Module:
    path = Path(_module(rule).__file__ or "")
    return ast.parse(path.read_text(encoding="utf-8"))


def _module(rule: str) -> ModuleType:
    return importlib.import_module(f"spectastic.rules.{rule.replace('-', '_')}")


def _tests(tree: ast.AST) -> Iterator[tuple[ast.expr, Callable[[ast.expr], None]]]:
    """Every condition in a tree, with what replaces it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            is_typing = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
            if not is_typing:
                yield node.test, _setter(node, "test")
        for parts in _parts(node):
            for index, part in enumerate(parts):
                yield part, _item_setter(parts, index)


def _parts(node: ast.AST) -> Iterator[list[ast.expr]]:
    if isinstance(node, ast.comprehension):
        yield node.ifs
    if isinstance(node, ast.BoolOp):
        yield node.values


def _setter(node: ast.AST, name: str) -> Callable[[ast.expr], None]:
    return lambda value: setattr(node, name, value)


def _item_setter(items: list[ast.expr], index: int) -> Callable[[ast.expr], None]:
    return lambda value: items.__setitem__(index, value)


def _conditions() -> Iterator[Condition]:
    for rule in RULES:
        for index, (test, _) in enumerate(_tests(_tree(rule))):
            yield Condition(rule, index, test.lineno, ast.unparse(test))


def _negated(condition: Condition) -> CodeType:
    tree = _tree(condition.rule)
    test, replace = list(_tests(tree))[condition.number]
    replace(ast.copy_location(ast.UnaryOp(ast.Not(), test), test))
    return compile(ast.fix_missing_locations(tree), f"<{condition.rule} negated>", "exec")


def _noticed(rule: str, repositories: dict[Path, Path]) -> bool:
    for case in CASES:
        if case.parent.name == rule:
            try:
                findings = run(repositories[case], rule)
            except Exception:
                return True
            if not satisfied(findings, expected_of(case)):
                return True
    return False


@pytest.mark.parametrize("condition", list(_conditions()), ids=lambda c: f"{c.rule}:{c.line}: {c.text}")
def test_negating_a_condition_is_noticed(
    condition: Condition, repositories: dict[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _module(condition.rule)
    mutant: dict[str, Any] = {"__name__": module.__name__}
    exec(_negated(condition), mutant)
    for name, value in mutant.items():
        if callable(value) and getattr(value, "__globals__", None) is mutant:
            monkeypatch.setattr(module, name, value)
    assert _noticed(condition.rule, repositories)


@pytest.mark.parametrize("rule", RULES)
def test_silence_is_noticed(
    rule: str, repositories: dict[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = _module(rule)
    for name in [name for name in vars(module) if re.fullmatch("check(_.*)?", name)]:
        monkeypatch.setattr(module, name, lambda *_: iter(()))
    assert _noticed(rule, repositories)


PERMISSIVE = [
    "MIT",
    "mit",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Unlicense",
    "0BSD",
    "public-domain",
    "CC-BY",
    "cc-by-4.0",
    "CC-BY-3",
    "CC-BY-2.5.1",
    "MIT OR GPL-3.0-only",
    "GPL-3.0-only or mit",
    "MIT AND Apache-2.0",
    "(MIT)",
    "MIT AND (GPL-2.0-only OR ISC)",
    "GPL-2.0-only AND MIT OR CC0-1.0",
    "Apache-2.0+",
    "Apache-2.0 WITH LLVM-exception",
    "apache-2.0 with llvm-exception or Zlib",
    "Zlib",
    "LicenseRef-Ours AND MIT",
    "licenseref-ours",
]
NOT_PERMISSIVE = [
    "GPL-3.0-only",
    "CC-BY-NC-4.0",
    "CC-BY-ND-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-4.0-International",
    "CC-BY-",
    "CC-BY-4.",
    "MIT-0",
    "Apache 2.0",
    "MIT License",
    "MPL-2.0",
    "LicenseRef-Internal",
    "NOASSERTION",
    "MIT AND GPL-3.0-only",
    "MIT AND (GPL-3.0-only OR CC-BY-NC-4.0)",
    "(MIT OR ISC) AND GPL-2.0-only",
    "GPL-2.0-only WITH Classpath-exception-2.0",
    "MIT WITH no-commercial-use",
    "MIT WITH LicenseRef-scancode-unknown-license-reference-exception",
    "MIT, Apache-2.0",
    "MIT/Apache-2.0",
    "MIT OR",
    "MIT OR OR MIT",
    "OR",
    "+",
    "MIT WITH",
    "()",
    "((MIT)",
    "MIT)",
    "(" * 100_000 + "MIT" + ")" * 100_000,
    "MIT OR " * 20_000 + "MIT",
    "\u0000",
    "ＭＩＴ",
]


@pytest.mark.parametrize("declared", PERMISSIVE)
def test_permissive(declared: str) -> None:
    assert permissive(declared, {"zlib", "licenseref-ours"})


@pytest.mark.parametrize("declared", NOT_PERMISSIVE, ids=lambda text: text[:30])
def test_not_permissive(declared: str) -> None:
    assert not permissive(declared, {"zlib", "licenseref-ours"})


STATUSES = [
    ("not-citable-until-confirmed", "not-citable-until-confirmed"),
    ("not-citable-until-signed-off", "not-citable-until-signed-off"),
    ("Not-Citable-Until-Confirmed", "not-citable-until-confirmed"),
    ("not_citable until  confirmed", "not-citable-until-confirmed"),
    ("not-citable-until-confirmd", "not-citable-until-confirmed"),
    ("not-citeable-until-signed-off", "not-citable-until-signed-off"),
    ("not-sitable-until-signed-off", "not-citable-until-signed-off"),
    ("not-citable-until-sign-off", "not-citable-until-signed-off"),
    ("not-citable", "not-citable-until-confirmed"),
    ("not-citable-yet", "not-citable-until-confirmed"),
    ("", None),
    ("authoritative", None),
    ("superseded", None),
    ("illustrative-excerpt", None),
    ("not-yet-spot-checked", None),
    ("citable", None),
    ("valid-until-2030", None),
    ("draft", None),
    ("confirmed", None),
]


@pytest.mark.parametrize(("status", "meant"), STATUSES)
def test_not_citable(status: str, meant: str | None) -> None:
    assert not_citable(status) == meant


def test_long_lists_are_short() -> None:
    assert some(["a", "b"]) == "a, b"
    assert some(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert some(["x" * 41]) == "x" * 39 + "…"
