"""`--format markdown`: rendered, it says what the report says, and nothing of it is alive."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from report_hostile import LISTS, TEXT, report
from report_sample import RULES, SAMPLE, VIEW

from spectastic.findings import Finding, Related, Severity, Span
from spectastic.report import FORMATS
from spectastic.report.markdown import COMMENT, MARKER, code, document, text
from spectastic.text import printable

if TYPE_CHECKING:
    from markdown_it.token import Token

    from spectastic.report.model import Report

GOLDEN = Path(__file__).parent.parent / "fixtures" / "report"
RENDERER = MarkdownIt("commonmark", {"html": True}).enable("table")
#: The HTML that the comment itself has.
HTML = ["<!-- spectastic report -->", "<details>\n<summary>What to do</summary>", "</details>"]


def comment(shown: Report, **view: Any) -> str:
    return "".join(FORMATS["markdown"](shown, VIEW._replace(**view)))


def plain(token: Token) -> str:
    """What a reader sees of a line; anything that is neither text nor code is a failure."""
    assert {child.type for child in token.children or []} <= {"text", "code_inline"}, token.content
    return "".join(child.content for child in token.children or [])


def unlinked(token: Token) -> str:
    """What is in no code, where GitHub looks for addresses, people, issues, commits and formulas."""
    return "\0".join(child.content for child in token.children or [] if child.type == "text")


#: Whatever GitHub or GitLab make a link, a picture or a formula of.
ALIVE = re.compile(
    r"[@#$~&!%](?=\w)|[<>\[\]*_`|\\^=]|://|www\.|\w\.\w|:[\w+-]+:|GH-|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|\d{5}"
)


def rows(shown: str) -> list[list[str]]:
    """The cells of the table, as they are shown."""
    found: list[list[str]] = []
    inside = False
    for token in RENDERER.parse(shown):
        if token.type == "tbody_open":
            inside = True
        if token.type == "tr_open" and inside:
            found.append([])
        if token.type == "inline" and inside:
            found[-1].append(plain(token))
        if token.type == "tbody_close":
            inside = False
    return found


def blanks(value: str) -> str:
    return " ".join(printable(value).split())


def test_golden() -> None:
    expected = (GOLDEN / "comment.md").read_text(encoding="utf-8")
    assert comment(SAMPLE) == expected


def test_nothing_about_the_terminal_changes_it() -> None:
    assert comment(SAMPLE, color=False, width=40, cwd="/", summary=False) == comment(SAMPLE)


def test_the_sample_rendered() -> None:
    shown = comment(SAMPLE)
    worst = sorted(SAMPLE.findings, key=lambda finding: -finding.severity)
    assert rows(shown) == [
        [
            finding.severity.label,
            blanks(f"hand büch/{finding.path}:{finding.location.line}:{finding.location.column}"),
            finding.rule,
            blanks(finding.message),
        ]
        for finding in worst
    ]
    blocks = [token.content.strip() for token in RENDERER.parse(shown) if token.type == "html_block"]
    assert blocks == HTML


VERDICTS = [
    (report(), "**spectastic passed:** no findings.", "Checked 1 spec: 0 decisions, 0 citations."),
    (report(specs=0), "**spectastic:** No findings, and no spec was checked.", "Checked no spec."),
    (
        report(RULES[1].at("a.md", Span(0, 0), "m")),
        "**spectastic passed:** 1 warning, none that fails the run (fail-on is error).",
        "Checked 1 spec: 0 decisions, 0 citations.",
    ),
    (
        report(RULES[0].at("a.md", Span(0, 0), "m"), suppressed=SAMPLE.suppressed, outside=3),
        "**spectastic failed:** 1 error.",
        (
            "Checked 1 spec: 0 decisions, 0 citations. Suppressed: 1 by comments, 1 by the baseline. "
            "Outside the change: 3."
        ),
    ),
]


@pytest.mark.parametrize(("shown", "verdict", "checked"), VERDICTS)
def test_the_marker_the_verdict_and_what_was_checked(shown: Report, verdict: str, checked: str) -> None:
    marker, *lines = comment(shown).split("\n")[:4]
    assert marker + "\n" == MARKER
    assert lines == [verdict, "", checked]


def test_a_clean_run_has_no_table() -> None:
    assert comment(report()).count("\n") == 4


WORDS = [
    # a text, and its Markdown
    ("a plain sentence, it's well-known: yes!", "a plain sentence, it's well-known: yes!"),
    ("KB-0001@2024-05-28 is “old”.", "`KB-0001@2024-05-28` is “old”."),
    ("(see knowledge/index.md)", "(see `knowledge/index.md`)"),
    ("日本🚀 · “cycles” …", "日本🚀 · “cycles” …"),
    ("12 of 1234, not 12345", "12 of 1234, not `12345`"),
    ("@octocat #1 GH-1 a@b.cd", "`@octocat` `#1` `GH-1` `a@b.cd`"),
    (":smile: :x", "`:smile`: `:x`"),
    ("a|b || |", "`a`&#124;`b` &#124;&#124; &#124;"),
    ("a\\|b \\", "`a\\`&#124;`b` `\\`"),
    ("a`b ``` `", "``a`b`` ```` ``` ```` `` ` ``"),
    ("**x** _y_ ~z~", "`**x**` `_y_` `~z~`"),
    ("[x](y) ![z](w) <b> &amp;", "`[x](y`) `![z](w`) `<b>` `&amp`;"),
    ("<!-- x -->", "`<!--` x `-->`"),
    ("one\ntwo\tthree  four\u00a0five", "`one\\x0atwo` three four five"),
    ("www.x.yz http://x.yz", "`www.x.yz` `http://x.yz`"),
    ("$x$ --fix", "`$x$` `--fix`"),
    ("", ""),
]


@pytest.mark.parametrize(("words", "expected"), WORDS)
def test_words(words: str, expected: str) -> None:
    assert text(words) == expected


CODE = [
    ("a b.md:1:2", "`a b.md:1:2`"),
    ("`a`.md:1:2", "`` `a`.md:1:2 ``"),
    ("a | b.md:1:2", "` a  `&#124;`  b.md:1:2 `"),
    ("a| |b", "`a`&#124; &#124;`b`"),
]


@pytest.mark.parametrize(("words", "expected"), CODE)
def test_code(words: str, expected: str) -> None:
    assert code(words) == expected
    (token,) = [token for token in RENDERER.parse(code(words)) if token.type == "inline"]
    assert plain(token) == words


def test_hints_and_what_explains_a_finding() -> None:
    related = (Related("b.md", Span(0, 0), "the row"), Related("c.md", Span(0, 0), ""))
    found = [
        RULES[0].at("a.md", Span(0, 0), "m", hint="write it", related=related),
        RULES[0].at("a.md", Span(0, 0), "n"),
        RULES[0].at("a.md", Span(0, 0), "o", related=related[:1]),
    ]
    assert comment(report(*found), prefix="").partition("</summary>\n\n")[2] == (
        "- `a.md:1:1` write it\n"
        "  - see `b.md:1:1` the row\n"
        "  - see `c.md:1:1`\n"
        "- `a.md:1:1`\n"
        "  - see `b.md:1:1` the row\n"
        "\n</details>\n"
    )
    assert "<details>" not in comment(report(found[1]))


def test_worst_first() -> None:
    found = [
        RULES[0].at(f"{index}.md", Span(0, 0), "m", severity=level) for index, level in enumerate(Severity)
    ]
    assert [row[0] for row in rows(comment(report(*found)))] == ["error", "warning", "info"]


@pytest.mark.parametrize("message", ["m", "日本 " * 200, "a|b " * 300, "x" * 5000, "` " * 900])
@pytest.mark.parametrize("hint", ["", "do it", "日本 " * 200])
@pytest.mark.parametrize("number", [1, 60, 2000])
def test_it_fits_into_a_comment_and_says_what_does_not(number: int, message: str, hint: str) -> None:
    path = "p" * 60 + "/" + "|`" * 500 + ".md"
    found = [RULES[0].at(path, Span(0, 0), message, hint=hint)] * number
    shown = comment(report(*found))
    assert len(shown.encode()) <= COMMENT
    table = rows(shown)
    assert table
    left = number - len(table)
    told = re.search(
        r"^([\d,]+) more findings? did not fit here; `spectastic validate` shows all\.$", shown, re.M
    )
    assert (int(told[1].replace(",", "")) if told else 0) == left
    items = len(re.findall(r"^- `", shown, re.M))
    told = re.search(r"^([\d,]+) more hints? did not fit here\.$", shown, re.M)
    assert (int(told[1].replace(",", "")) if told else 0) == (len(table) - items if hint else 0)
    assert ("\n</details>\n" in shown) == bool(items)


def test_where_no_hint_fits_that_is_told() -> None:
    found = [RULES[0].at("a.md", Span(0, 0), "m", hint="x " * 499)]
    shown = "".join(document(report(*found), VIEW, 1700))
    assert rows(shown)
    assert "<details>" not in shown
    assert shown.endswith("\n1 more hint did not fit here.\n")


@settings(deadline=None)
@given(LISTS)
def test_rendered_any_report_says_what_it_says_and_nothing_is_alive(found: list[Finding]) -> None:
    shown = comment(report(*found), prefix="")
    tokens = RENDERER.parse(shown)
    assert [token.content.strip() for token in tokens if token.type == "html_block"] == (
        HTML if any(finding.hint or finding.related for finding in found) else HTML[:1]
    )
    worst = sorted(found, key=lambda finding: -finding.severity)
    assert rows(shown) == [
        [
            finding.severity.label,
            f"{blanks(finding.path)}:{finding.location.line}:{finding.location.column}",
            finding.rule,
            blanks(finding.message),
        ]
        for finding in worst
    ]


@settings(deadline=None)
@given(TEXT)
def test_rendered_any_text_is_itself_and_nothing_in_it_is_alive(words: str) -> None:
    for shown in (f"- x {text(words)}\n", f"| a |\n|---|\n| x {text(words)} |\n"):
        *_, token = [token for token in RENDERER.parse(shown) if token.type == "inline"]
        assert plain(token) == f"x {blanks(words)}".rstrip()
        assert not ALIVE.search(unlinked(token).replace("|", ""))


LIVING = [
    "@a",
    "#1",
    "!1",
    "&1",
    "$x",
    "a.b",
    "www.a",
    "http://x",
    ":+1:",
    "0123abc",
    "a_b_",
    "12345",
    "[x]",
    "`",
]


@pytest.mark.parametrize("words", LIVING)
def test_the_test_for_what_is_alive_can_fail(words: str) -> None:
    assert ALIVE.search(words)
