"""`--format azure`: what the agent reads out of it is the report, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from report_hostile import LISTS, drives, report
from report_sample import RULES, SAMPLE, VIEW

from spectastic.findings import Finding, Severity
from spectastic.report import FORMATS
from spectastic.text import printable

GOLDEN = Path(__file__).parent.parent / "fixtures" / "report"


def lines(shown: Any, **view: Any) -> list[str]:
    text = "".join(FORMATS["azure"](shown, VIEW._replace(**view)))
    assert not text or text.endswith("\n")
    return text.split("\n")[:-1]


def parse(line: str) -> tuple[dict[str, str], str] | None:
    """A line as Azure's agent reads it: an issue's properties and its message."""
    _, found, command = line.partition("##vso[")
    if not found:
        return None
    head, _, data = command.partition("]")
    name, _, fields = head.partition(" ")
    assert name == "task.logissue"
    properties = {}
    for field in filter(None, fields.split(";")):
        key, _, value = field.partition("=")
        properties[key] = unescape(value.lstrip("="))
    return properties, unescape(data)


def unescape(text: str) -> str:
    for escape, char in (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%AZP25", "%")):
        text = text.replace(escape, char)
    return text


def test_golden() -> None:
    shown = "".join(FORMATS["azure"](SAMPLE, VIEW))
    assert shown == (GOLDEN / "azure.txt").read_text(encoding="utf-8")


def test_neither_colour_nor_width_nor_the_folder_changes_it() -> None:
    assert lines(SAMPLE, color=False, width=40, cwd="/") == lines(SAMPLE)


def test_quiet_and_clean_is_empty() -> None:
    assert lines(report(), summary=False) == []


ROWS = [
    # path, message, the path, the message
    ("a;b].md", "m;]", "sourcepath=a%3Bb%5D.md;", "m%3B%5D."),
    ("100%.md", "%3B %0A", "sourcepath=100%AZP25.md;", "%AZP253B %AZP250A."),
    ("%AZP25.md", "%AZP25", "sourcepath=%AZP25AZP25.md;", "%AZP25AZP25."),
    ("a\nb.md", "one\r\ntwo", "sourcepath=a\\x0ab.md;", "one\\x0d\\x0atwo."),
    ("=a.md", "m", "sourcepath=./=a.md;", "m."),  # the agent would drop the first one
    ("a.md", "##vso[task.complete]x", "sourcepath=a.md;", "##vso[task.complete%5Dx."),
]


@pytest.mark.parametrize(("path", "message", "source", "text"), ROWS)
def test_escapes(path: str, message: str, source: str, text: str) -> None:
    finding = RULES[0].at(path, SAMPLE.findings[0].span, message)
    (line,) = lines(report(finding), summary=False, prefix="")
    assert line == (
        f"##vso[task.logissue type=error;{source}linenumber=1;columnnumber=1;code=corpus-provenance;]{text}"
    )


def test_an_info_is_a_plain_line() -> None:
    finding = RULES[3].at("::a.md", SAMPLE.findings[0].span, "m ##vso[task.complete result=Succeeded;]")
    (line,) = lines(report(finding), summary=False, prefix="")
    assert line == "./::a.md:1:1: info corpus-ungrounded-claim m #\\x23vso[task.complete result=Succeeded;]"


@settings(deadline=None)
@given(LISTS)
def test_the_agent_reads_the_report(found: list[Finding]) -> None:
    shown = lines(report(*found), summary=False, prefix="")
    assert len(shown) == len(found)
    for line, finding in zip(shown, found, strict=True):
        parsed = parse(line)
        if finding.severity is Severity.INFO:
            assert parsed is None
            assert not drives(line)
            continue
        assert parsed
        properties, data = parsed
        assert properties == {
            "type": finding.severity.label,
            "sourcepath": ("./" if finding.path.startswith("=") else "") + printable(finding.path),
            "linenumber": str(finding.location.line),
            "columnnumber": str(finding.location.column),
            "code": finding.rule,
        }
        assert data.startswith(printable(finding.message))
