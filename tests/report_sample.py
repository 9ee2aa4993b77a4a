"""One report with everything that a format can get wrong: the goldens of all formats show it.

Every location comes from `Source.locate` on the bytes in `FILES`; none is counted by hand.
"""

from __future__ import annotations

import os

from spectastic.config import Settings
from spectastic.findings import Edit, Finding, Fix, Related, Rule, Severity, Span, Suppressed
from spectastic.report.model import Report
from spectastic.report.view import View
from spectastic.source import Source
from spectastic.spec.model import State

RULES = (
    Rule("corpus-provenance", Severity.ERROR, "a citation resolves to no committed document"),
    Rule("corpus-staleness", Severity.WARNING, "a citation pins an edition that has been superseded"),
    Rule("corpus-citation-form", Severity.WARNING, "a citation in a decision is bare or malformed"),
    Rule("corpus-ungrounded-claim", Severity.INFO, "a decision cites nothing"),
    Rule("decision-markup", Severity.WARNING, "a decision's markup is not what it seems"),
    Rule("file-unreadable", Severity.ERROR, "a file cannot be read"),
)
_RULES = {rule.id: rule for rule in RULES}

#: Blanks, percent, hash, quotes, letters beyond ASCII, in two normal forms; and bytes that are no UTF-8.
SPEC = 'specs/U\u0308berblick 100% #1 "final".md'
PAGE = "specs/it's <b>&amp;</b> ~ [x] ü+🚀.html"
BROKEN = "specs/\udcff\udce9.md"
INDEX = "knowledge/index.md"

FILES = {
    # A byte order mark, CRLF, a tab, an astral character, a combining mark, a no-break hyphen.
    SPEC: (
        "\ufeff# Überblick\r\n"
        "\r\n"
        '<spec-decision id="D-001">\r\n'
        "\r\n"
        "\t🚀 cafe\u0301: KB-0009@2099-01-01, then KB-0001@2017-09-05.\r\n"
        "Again KB-0009@2099-01-01.\r\n"
        "See 𝔊 kb‑0001@2024-05-28 and KB-0002 ✓.\r\n"
        '<!-- spectastic: ignore corpus-staleness -- 100% historical: see "D-0", it\'s past -->\r\n'
        "In 2016 it was KB-0001@2016-01-01.\r\n"
        "</spec-decision>\r\n"
    ).encode(),
    PAGE: (
        "<p>\u00e4</p>\n"
        '<spec-decision id="D-002"\n'
        '  grounding="none">\n'
        "<p>日本 KB-0003@a|b{0}%0A::]]&gt; x</p>\n"
        "<p>KB-0004@old</p>\n"
    ).encode(),
    BROKEN: b"\xff\xfe",
    INDEX: (
        "| KB-NNNN | Title | Edition |\n"
        "|---|---|---|\n"
        "| KB-0001 | 日本🚀 settlement cycle | 2024-05-28 |\n"
        "| KB-0002 | Late fees | 2022-07-08 |\n"
    ).encode(),
}
_SOURCES = {path: Source(path, data) for path, data in FILES.items()}


def _span(path: str, token: str, nth: int = 0) -> Span:
    """The span of the (n + 1)th occurrence of `token` in a file."""
    data, wanted, start = FILES[path], token.encode(), -1
    for _ in range(nth + 1):
        start = data.index(wanted, start + 1)
    return Span(start, start + len(wanted))


def _edit(path: str, span: Span, text: str) -> Edit:
    source = _SOURCES[path]
    return Edit(span, text, source.slice(span), source.locate(span))


def _related(path: str, token: str, message: str) -> Related:
    span = _span(path, token)
    return Related(path, span, message, _SOURCES[path].locate(span))


def _finding(
    rule: str,
    path: str,
    span: Span,
    message: str,
    *,
    hint: str = "",
    subject: str = "",
    decision: str = "",
    related: tuple[Related, ...] = (),
    fix: Fix | None = None,
) -> Finding:
    found = _RULES[rule].at(path, span, message, hint=hint, subject=subject, related=related, fix=fix)
    return found._replace(location=_SOURCES[path].locate(span), decision=decision)


def _place(finding: Finding) -> tuple[bytes, int, int, str, str]:
    location = finding.location
    return os.fsencode(finding.path), location.line, location.column, finding.rule, finding.message


_FABRICATED = "KB-0009@2099-01-01"
_STALE = "KB-0001@2017-09-05"
_PAST = "KB-0001@2016-01-01"
_MALFORMED = "kb‑0001@2024-05-28"
_ODD = "KB-0003@a|b{0}%0A::]]&gt;"
_ROW = _related(INDEX, "2024-05-28", "the row of KB-0001")
_TAG = '<spec-decision id="D-002"\n  grounding="none">'


def _fabricated(nth: int) -> Finding:
    return _finding(
        "corpus-provenance",
        SPEC,
        _span(SPEC, _FABRICATED, nth),
        f"{_FABRICATED} resolves to nothing: {INDEX} has no row KB-0009",
        hint="did you mean KB-0001? Otherwise register the reference first",
        subject=_FABRICATED,
        decision="D-001",
    )


def _stale() -> Finding:
    span = _span(SPEC, _STALE)
    return _finding(
        "corpus-staleness",
        SPEC,
        span,
        f"{_STALE} is superseded: the current edition of 日本🚀 · “cycles” is 2024-05-28",
        hint="read what changed, then cite KB-0001@2024-05-28",
        subject=_STALE,
        decision="D-001",
        related=(_ROW, _related(SPEC, '<spec-decision id="D-001">', "the decision")),
        fix=Fix("cite KB-0001@2024-05-28", (_edit(SPEC, span, "KB-0001@2024-05-28"),), safe=False),
    )


def _malformed() -> Finding:
    """A near miss, with a safe fix of two edits."""
    span = _span(SPEC, _MALFORMED)
    letters, dash = Span(span.start, span.start + 2), Span(span.start + 2, span.start + 5)
    edits = (_edit(SPEC, letters, "KB"), _edit(SPEC, dash, "-"))
    return _finding(
        "corpus-citation-form",
        SPEC,
        span,
        f"{_MALFORMED} is no citation: U+2011 stands where - belongs",
        hint="write KB-0001@2024-05-28",
        subject=_MALFORMED,
        decision="D-001",
        fix=Fix("write KB-0001@2024-05-28", edits, safe=True),
    )


def _bare() -> Finding:
    """A bare citation, with an unsafe fix that only inserts."""
    span = _span(SPEC, "KB-0002")
    pin = _edit(SPEC, Span(span.end, span.end), "@2022-07-08")
    return _finding(
        "corpus-citation-form",
        SPEC,
        span,
        "KB-0002 pins no edition",
        hint="write KB-0002@2022-07-08",
        subject="KB-0002",
        decision="D-001",
        fix=Fix("pin the current edition", (pin,), safe=False),
    )


def _odd() -> Finding:
    """A message with what is special in a workflow command, XML, Markdown or SARIF."""
    return _finding(
        "corpus-provenance",
        PAGE,
        _span(PAGE, _ODD),
        "KB-0003@a|b{0}%0A::]]> resolves to nothing: `[x](1)` <b>&amp; \\*no*, \u202e\x1b[1m",
        subject="KB-0003@a|b{0}%0A::]]>",
        decision="D-002",
    )


def _several_lines() -> Finding:
    return _finding(
        "decision-markup",
        PAGE,
        _span(PAGE, _TAG),
        "this <spec-decision> is never closed",
        hint="add </spec-decision> where the decision ends",
        subject="D-002",
        decision="D-002",
    )


def _whole_file() -> Finding:
    """A file that nothing could be located in: the location stays the default one."""
    found = _RULES["file-unreadable"].at(BROKEN, Span(0, 0), "the file cannot be read: permission denied")
    assert found.location.line == found.location.end_column == 1
    return found


def _nothing() -> Finding:
    return _finding(
        "corpus-ungrounded-claim",
        PAGE,
        _span(PAGE, "<spec-decision"),
        "D-002 cites nothing",
        subject="D-002",
        decision="D-002",
    )


def _suppressed() -> tuple[Suppressed, ...]:
    past = _finding(
        "corpus-staleness",
        SPEC,
        _span(SPEC, _PAST),
        f"{_PAST} is superseded: the current edition of 日本🚀 · “cycles” is 2024-05-28",
        hint="read what changed, then cite KB-0001@2024-05-28",
        subject=_PAST,
        decision="D-001",
        related=(_ROW,),
    )
    known = _finding(
        "corpus-provenance",
        PAGE,
        _span(PAGE, "KB-0004@old"),
        f"KB-0004@old resolves to nothing: {INDEX} has no row KB-0004",
        subject="KB-0004@old",
        decision="D-002",
    )
    suppressed = (
        Suppressed(past, "comment", '100% historical: see "D-0", it\'s past'),
        Suppressed(known, "baseline"),
    )
    return tuple(sorted(suppressed, key=lambda entry: _place(entry.finding)))


SAMPLE = Report(
    findings=tuple(
        sorted(
            (
                _fabricated(0),
                _fabricated(1),
                _stale(),
                _malformed(),
                _bare(),
                _odd(),
                _several_lines(),
                _whole_file(),
                _nothing(),
            ),
            key=_place,
        )
    ),
    specs=3,
    citations=7,
    decisions={
        State.UNGROUNDED: 2,
        State.STALE: 0,
        State.UNPINNED: 0,
        State.GROUNDED: 1,
        State.ASSUMED: 1,
    },
    settings=Settings(root="/repo"),
    references=2,
    suppressed=_suppressed(),
    outside=2,
    notices=("specs/link.md: leads out of the repository, so it was not read",),
)


def page(rule: str) -> str:
    """A rule's page, with the headings that a real one has."""
    return (
        f"{_RULES[rule].summary[0].upper()}{_RULES[rule].summary[1:]}.\n\n"
        "## What it does\n\nReports it, “100 %” of the time.\n\n"
        "## Example\n\nWrong, in `specs/a.md`:\n\n```markdown\n<spec-decision>\n```\n"
    )


#: The root is a folder of the git repository, and its name has a blank and an umlaut.
VIEW = View(cwd="/repo/specs", color=True, rules=RULES, version="1.2.3", page=page, prefix="hand büch/")
