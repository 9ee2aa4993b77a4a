"""`--format github`: what the runner reads out of it is the report, and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from report_hostile import LISTS, drives, report
from report_sample import RULES, SAMPLE, VIEW

from spectastic.findings import Finding, Location, Severity
from spectastic.report import FORMATS
from spectastic.report.github import MOST, step_summary
from spectastic.text import printable

GOLDEN = Path(__file__).parent.parent / "fixtures" / "report"
ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
KINDS = {"error": ERROR, "warning": WARNING, "notice": INFO}


def lines(shown: Any, **view: Any) -> list[str]:
    text = "".join(FORMATS["github"](shown, VIEW._replace(**view)))
    assert not text or text.endswith("\n")
    return text.split("\n")[:-1]


def parse(line: str) -> tuple[str, dict[str, str], str] | None:
    """A line as GitHub's runner reads it: the command, its properties and its message."""
    line = line.lstrip()
    if not line.startswith("::") or "::" not in line[2:]:
        return None
    head, _, data = line[2:].partition("::")
    name, _, fields = head.partition(" ")
    properties = {}
    for field in filter(None, fields.strip().split(",")):
        key, _, value = field.partition("=")
        if value := value.lstrip("="):
            properties[key] = unescape(value, ("%0D", "%0A", "%3A", "%2C", "%25"))
    return name, properties, unescape(data, ("%0D", "%0A", "%25"))


def unescape(text: str, escapes: tuple[str, ...]) -> str:
    for escape in escapes:
        text = text.replace(escape, chr(int(escape[1:], 16)))
    return text


def some(severity: Severity, number: int) -> list[Finding]:
    rule = next(rule for rule in RULES if rule.severity is severity)
    return [rule.at(f"{index:03}.md", SAMPLE.findings[0].span, "m") for index in range(number)]


def test_golden() -> None:
    shown = "".join(FORMATS["github"](SAMPLE, VIEW))
    assert shown == (GOLDEN / "github.txt").read_text(encoding="utf-8")


def test_neither_colour_nor_width_nor_the_folder_changes_it() -> None:
    assert lines(SAMPLE, color=False, width=40, cwd="/") == lines(SAMPLE)


def test_quiet_leaves_the_summary_out() -> None:
    assert lines(report(*some(ERROR, 1)), summary=False, prefix="") == [
        "::error file=000.md,line=1,endLine=1,col=1,endColumn=1,title=corpus-provenance::m."
    ]
    assert lines(report(), summary=False) == []


ROWS = [
    # path, message, the file, the message
    ("a,b:c.md", "m:,", "file=a%2Cb%3Ac.md,", "::m:,."),
    ("100%.md", "100% %0A", "file=100%25.md,", "::100%25 %250A."),
    ("a\r\nb.md", "one\r\ntwo", "file=a\\x0d\\x0ab.md,", "::one\\x0d\\x0atwo."),
    ("=a=.md", "m", "file=./=a=.md,", "::m."),  # the runner would drop the first one
    ("a.md", "::error::x", "file=a.md,", "::::error::x."),
    ("a.md", "##[error]x", "file=a.md,", "::##[error]x."),  # what begins as a command is that command
]


@pytest.mark.parametrize(("path", "message", "file", "text"), ROWS)
def test_escapes(path: str, message: str, file: str, text: str) -> None:
    finding = RULES[0].at(path, SAMPLE.findings[0].span, message)
    (line,) = lines(report(finding), summary=False, prefix="")
    assert line.startswith(f"::error {file}line=")
    assert line.endswith(f",title=corpus-provenance{text}")


def test_columns_only_on_one_line() -> None:
    finding = some(ERROR, 1)[0]._replace(location=Location(2, 3, 4, 5))
    (line,) = lines(report(finding), summary=False, prefix="")
    assert line == "::error file=000.md,line=2,endLine=4,title=corpus-provenance::m."


LIMITS = [
    # how many there are, how many are annotated
    ((0, 0, 0), (0, 0, 0)),
    ((10, 10, 10), (10, 10, 10)),
    ((11, 0, 0), (10, 0, 0)),
    ((11, 0, 9), (10, 0, 9)),
    ((11, 0, 10), (10, 0, 9)),  # the notice takes a place
    ((0, 11, 10), (0, 10, 9)),
    ((0, 0, 10), (0, 0, 10)),
    ((0, 0, 11), (0, 0, 9)),
    ((25, 35, 45), (10, 10, 9)),
]


@pytest.mark.parametrize(("given", "annotated"), LIMITS)
def test_github_drops_nothing(given: tuple[int, ...], annotated: tuple[int, ...]) -> None:
    found = [
        finding
        for level, number in zip(KINDS.values(), given, strict=True)
        for finding in some(level, number)
    ]
    shown = lines(report(*sorted(found, key=lambda finding: finding.path)), summary=False, prefix="")
    commands = [parsed for line in shown if (parsed := parse(line))]
    plain = [line for line in shown if not parse(line)]
    about = [parsed for parsed in commands if "file" in parsed[1]]
    assert Counter(name for name, _, _ in about) == Counter(
        {kind: number for kind, number in zip(KINDS, annotated, strict=True) if number}
    )
    assert [name for name, _, _ in about] == sorted((name for name, _, _ in about), key=list(KINDS).index)
    assert len(plain) == sum(given) - sum(annotated)
    assert max(Counter(name for name, _, _ in commands).values(), default=0) <= MOST
    assert len(commands) - len(about) == bool(plain)
    files = [properties["file"] for _, properties, _ in about] + [line.partition(":")[0] for line in plain]
    assert Counter(files) == Counter(finding.path for finding in found)


def test_the_rest_is_told_and_printed() -> None:
    found = [*some(ERROR, 12), *some(WARNING, 2), *some(INFO, 10)]
    shown = lines(report(*found), summary=False, prefix="docs/")
    assert shown[21] == (
        "::notice title=spectastic::3 more findings without an annotation: 2 errors, 1 info. "
        "GitHub shows 10 errors, 10 warnings and 10 notices of a step. "
        "The others follow this notice in the output of the step."
    )
    assert shown[22:] == [
        "docs/010.md:1:1: error corpus-provenance m",
        "docs/011.md:1:1: error corpus-provenance m",
        "docs/009.md:1:1: info corpus-ungrounded-claim m",
    ]
    assert "::1 more finding without" in lines(report(*some(ERROR, 11)))[10]


HOSTILE = [
    "::error::.md",
    "::x::.md",
    "##[error]x.md",
    " ##[group]x.md",
    "\t::x::.md",
    "a ##[set-output name=x]y.md",
]


@pytest.mark.parametrize("path", HOSTILE)
def test_no_plain_line_is_a_command(path: str) -> None:
    found = [*some(ERROR, 10), some(ERROR, 1)[0]._replace(path=path, message=f"{path} ##vso[x]")]
    line = lines(report(*found), summary=False, prefix="")[-1]
    assert "m" in line
    assert not drives(line)


@settings(deadline=None)
@given(LISTS)
def test_the_runner_reads_the_report(found: list[Finding]) -> None:
    shown = lines(report(*found), summary=False, prefix="")
    parsed = [parsed for line in shown if (parsed := parse(line))]
    assert len(parsed) == len(shown)
    expected = []
    for finding in sorted(found, key=lambda finding: -finding.severity):
        place = finding.location
        properties = {
            "file": ("./" if finding.path.startswith("=") else "") + printable(finding.path),
            "line": str(place.line),
            "endLine": str(place.end_line),
            "title": finding.rule,
        }
        if place.line == place.end_line:
            properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
        expected.append((finding.severity, properties, printable(finding.message)))
    assert [(KINDS[name], properties) for name, properties, _ in parsed] == [row[:2] for row in expected]
    assert all(data.startswith(row[2]) for (_, _, data), row in zip(parsed, expected, strict=True))


@settings(deadline=None)
@given(LISTS)
def test_the_rest_is_inert_whatever_it_says(found: list[Finding]) -> None:
    eleven = [finding._replace(severity=ERROR) for finding in found] + some(ERROR, 10)
    shown = lines(report(*some(ERROR, 10), *eleven), summary=False, prefix="")
    assert len(shown) == 10 + 1 + len(eleven)
    assert not any(map(drives, shown[11:]))


def test_step_summary() -> None:
    shown = step_summary(SAMPLE, VIEW)
    comment = "".join(FORMATS["markdown"](SAMPLE, VIEW))
    assert comment == f"<!-- spectastic report -->\n{shown}", "the same, and no bot looks for it"


def test_the_step_summary_stays_below_the_limit_and_says_what_it_leaves_out() -> None:
    found = [finding._replace(message="日本 " * 100) for finding in some(ERROR, 5000)]
    shown = step_summary(report(*found), VIEW)
    assert 700_000 < len(shown.encode()) <= 1024 * 1024
    rows = shown.count("\n| error | ")
    assert f"\n{5000 - rows:,} more findings did not fit here" in shown
