"""Findings as an attacker would like them, and what CI runners make of a line of the log."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st
from report_sample import RULES

from spectastic.config import Settings
from spectastic.findings import Finding, Location, Related, Severity, Span
from spectastic.report.model import Report
from spectastic.spec.model import State

#: What is special somewhere: to a runner, in Markdown, in HTML, in XML, in JSON, on a terminal.
_PIECES = (
    *(
        "##[error]",
        "##[set-output name=x]y",
        "##vso[task.complete result=Succeeded;]x",
        "::error::",
        "##",
        "#",
    ),
    *("::error file=a,line=1::x", "::stop-commands::x", "::", ":", "[", "]", "=", ",", ";", "vso["),
    *("%0A", "%0D", "%25", "%3A", "%2C", "%3B", "%5D", "%AZP25", "%"),
    *("@octocat", "a@b.cd", "#1", "GH-1", "o/r#1", "!1", "www.a.bc", "http://a.bc", ":+1:", "$x$", "0123abc"),
    *("[x](http://a.bc)", "![x](y)", "[x]", "<b>", "</details>", "<!--", "-->", "<!-- spectastic report -->"),
    *(
        "&amp;",
        "&#64;",
        "&",
        "<",
        ">",
        "`",
        "``",
        "|",
        "\\|",
        "\\",
        "*x*",
        "__x__",
        "~~x~~",
        "- x",
        "# x",
        "1. x",
    ),
    *(
        "]]>",
        '"',
        "'",
        "\\u0023",
        "\ufffe",
        "\uffff",
        "\ufdd0",
        "\x00",
        "\x0b",
        "\x1b[31m",
        "\r",
        "\n",
        "\r\n",
    ),
    *(
        "\t",
        " ",
        "  ",
        "\u00a0",
        "\u3000",
        "\u2028",
        "\u202e",
        "\u200b",
        "\u00ad",
        "\ufe0f",
        "\u034f",
        "\udcff",
    ),
    *("word", "words of prose", "it's", "KB-0001@2024-05-28", "日本", "🚀", "é", "e\u0301", "x" * 40),
)
TEXT = st.lists(st.sampled_from(_PIECES) | st.text(min_size=1, max_size=3), min_size=1, max_size=6).map(
    "".join
)

_NUMBER = st.integers(1, 10**6)


@st.composite
def _locations(draw: st.DrawFn) -> Location:
    line, column, width = draw(_NUMBER), draw(_NUMBER), draw(st.integers(0, 90))
    more = draw(st.sampled_from((0, 0, 1, 7)))
    return Location(
        line=line,
        column=column,
        end_line=line + more,
        end_column=column + width,
        byte_column=2 * column,
        byte_end_column=2 * (column + width),
    )


_RELATED = st.builds(Related, TEXT, st.just(Span(0, 0)), TEXT, _locations())
FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from([rule.id for rule in RULES]),
    severity=st.sampled_from(Severity),
    message=TEXT,
    path=TEXT,
    hint=st.just("") | TEXT,
    related=st.just(()) | st.tuples(_RELATED),
    location=_locations(),
)
#: In the order of the paths, as the engine gives them.
LISTS = st.lists(FINDINGS, max_size=4).map(lambda found: sorted(found, key=lambda finding: finding.path))


def report(*findings: Finding, **more: Any) -> Report:
    """A report of these findings on one spec."""
    settings = Settings(root="/repo", **more.pop("settings", {}))
    values: dict[str, Any] = {
        "specs": 1,
        "citations": 0,
        "decisions": dict.fromkeys(State, 0),
        "settings": settings,
    }
    return Report(findings, **(values | more))


def drives(line: str) -> bool:
    """Whether the runner of GitHub or the agent of Azure may find a command in a line of the log.

    Both are .NET programs and compare as its text functions do, which skip some characters that cannot
    be seen. Which those are depends on a library, so whatever is not ASCII counts as one of them.
    """
    seen = re.sub(r"[^\t\n -~]", "", line)
    return seen.lstrip().startswith("::") or "##[" in seen or "##vso[" in seen
