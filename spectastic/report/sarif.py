"""SARIF 2.1.0, the OASIS standard, as GitHub code scanning takes it: one run, always.

Paths are relative to the top of the git repository and percent-encoded, columns count UTF-16 code
units, texts that a reader requires are never empty. Suppressed findings follow the others.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from spectastic.findings import BASELINE, COMMENT, Severity
from spectastic.fingerprint import in_report
from spectastic.report.model import NUDGE
from spectastic.report.pieces import array, encoder, told
from spectastic.report.view import DOCS, amount
from spectastic.text import printable, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.findings import Finding, Fix, Location, Related, Rule, Suppressed
    from spectastic.report.model import Report
    from spectastic.report.view import View

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: GitHub refuses a run with more results, and a rule with a longer description.
MAX_RESULTS = 25_000
MAX_DESCRIPTION = 1024

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
#: GitHub's words for how much the findings of a rule matter.
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
#: How often a rule is right, where that is a matter of opinion or of wording: all others state facts.
_PRECISION = {NUDGE: "medium", "corpus-instruction": "high"}
_KINDS = {COMMENT: "inSource", BASELINE: "external"}
_ROOT = "%SRCROOT%"


def render(report: Report, view: View) -> Iterator[str]:
    """The document, one rule and one result a line."""
    encode = encoder()
    marks, silenced = in_report(report.findings, [entry.finding for entry in report.suppressed])
    findings = _worst([*zip(report.findings, marks, strict=True)])
    asked = [*zip(report.suppressed, silenced, strict=True)] if view.suppressed else []
    suppressed = asked[: MAX_RESULTS - len(findings)]
    left_out = len(report.findings) - len(findings), len(asked) - len(suppressed)
    yield f'{{\n  "$schema": "{SCHEMA}",\n  "version": "2.1.0",\n  "runs": [\n    {{\n'
    yield f'      "tool": {{\n        "driver": {{\n          {encode(_driver(view))[1:-1]},\n'
    yield from array('          "rules": ', (encode(_rule(rule, view)) for rule in view.rules), "\n")
    yield "        }\n      },\n"
    for name, value in _run(report, left_out).items():
        yield f'      "{name}": {encode(value)},\n'
    yield from array('      "results": ', map(encode, _results(findings, suppressed, view)), "\n")
    yield "    }\n  ]\n}\n"


def _worst(findings: list[tuple[Finding, str]]) -> list[tuple[Finding, str]]:
    """As many findings as a run may have: all in their order, or the worst of too many."""
    if len(findings) <= MAX_RESULTS:
        return findings
    return sorted(findings, key=lambda entry: -entry[0].severity)[:MAX_RESULTS]


def _driver(view: View) -> dict[str, str]:
    semantic = _semantic(view.version)
    return {
        "name": "spectastic",
        **({"version": view.version} if view.version else {}),
        **({"semanticVersion": semantic} if semantic else {}),
        "informationUri": DOCS.removesuffix("/blob/main/docs/"),
    }


def _semantic(version: str) -> str:
    """A version such as `1.2.3rc1` as Semantic Versioning has it: `1.2.3-rc1`; "" for other kinds."""
    import re

    match = re.fullmatch(r"(\d+\.\d+\.\d+)\.?([a-z][0-9a-z.]*)?", version)
    return "-".join(filter(None, match.groups())) if match else ""


def _rule(rule: Rule, view: View) -> dict[str, object]:
    page = view.page(rule.id).strip()
    summary = f"{rule.summary[:1].upper()}{rule.summary[1:]}." if rule.summary else rule.id
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": short(summary, MAX_DESCRIPTION)},
        "fullDescription": {"text": short(_section(page) or summary, MAX_DESCRIPTION)},
        "help": {"text": page or summary, "markdown": page or summary},
        "helpUri": f"{DOCS}rules/{rule.id}.md",
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "tags": ["specification", rule.id.partition("-")[0]],
            "precision": _PRECISION.get(rule.id, "very-high"),
            "problem.severity": _PROBLEM[rule.severity],
        },
    }


def _section(page: str) -> str:
    """What the first section of a rule's page says: what the rule does."""
    _, _, rest = page.partition("\n## ")
    return rest.partition("\n")[2].partition("\n## ")[0]


def _run(report: Report, left_out: tuple[int, int]) -> dict[str, object]:
    """What stands beside the tool and the results."""
    invocation: dict[str, object] = {"executionSuccessful": True, "exitCode": report.exit_code}
    if notifications := list(_notifications(report, *left_out)):
        invocation["toolExecutionNotifications"] = notifications
    return {
        "invocations": [invocation],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The top of the git repository."}}},
        "defaultEncoding": "utf-8",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "columnKind": "utf16CodeUnits",
    }


def _notifications(report: Report, findings: int, suppressed: int) -> Iterator[dict[str, object]]:
    """What a reader of the results would not know: what was left out of them, or not looked at."""
    if findings or suppressed:
        names = ((findings, "finding"), (suppressed, "suppressed finding"))
        counts = " and ".join(amount(number, name) for number, name in names if number)
        limit = f"a run may have {MAX_RESULTS:,} results; the worst come first"
        yield {"level": "warning", "message": _message(f"Left out {counts}: {limit}.")}
    if report.outside:
        text = f"Left out {amount(report.outside, 'finding')} outside of the changes this run is about."
        yield {"level": "note", "message": _message(text)}
    for notice in report.notices:
        yield {"level": "warning", "message": _message(printable(notice))}


def _results(
    findings: list[tuple[Finding, str]], suppressed: list[tuple[Suppressed, str]], view: View
) -> Iterator[dict[str, object]]:
    numbers = {rule.id: number for number, rule in enumerate(view.rules)}
    for finding, mark in findings:
        fix = finding.fix
        fixes = {"fixes": [_fix(fix, finding.path, view)]} if fix and fix.safe and fix.edits else {}
        # The standard wants suppressions of every result as soon as one has them.
        yield {**_result(finding, mark, numbers, view), **fixes, "suppressions": []}
    for entry, mark in suppressed:
        yield {**_result(entry.finding, mark, numbers, view), "suppressions": [_suppression(entry)]}


def _result(finding: Finding, mark: str, numbers: dict[str, int], view: View) -> dict[str, object]:
    number = numbers.get(finding.rule)
    related = [_related(place, index, view) for index, place in enumerate(finding.related, 1)]
    return {
        "ruleId": finding.rule,
        **({} if number is None else {"ruleIndex": number}),
        "level": LEVELS[finding.severity],
        "message": _message(told(finding), finding.related),
        "locations": [{"physicalLocation": _physical(finding.path, finding.location, view)}],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"spectastic/v1": mark},
    }


def _message(text: str, related: Sequence[Related] = ()) -> dict[str, str]:
    """A message object, with a link to each related location, by its id.

    A brace is a placeholder's and is doubled. What would be a link but is not meant as one has its
    brackets escaped.
    """
    if related or "](" in text:
        text = _escaped(text)
    for number, place in enumerate(related, 1):
        text += f" See [{_escaped(printable(place.message) or place.path)}]({number})."
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _physical(path: str, location: Location, view: View) -> dict[str, object]:
    return {"artifactLocation": _artifact(path, view), "region": _region(location)}


def _artifact(path: str, view: View) -> dict[str, str]:
    from urllib.parse import quote

    return {"uri": quote(os.fsencode(view.prefix + path), safe="/"), "uriBaseId": _ROOT}


def _region(location: Location) -> dict[str, int]:
    return {
        "startLine": location.line,
        "startColumn": location.utf16_column,
        "endLine": location.end_line,
        "endColumn": location.utf16_end_column,
    }


def _related(place: Related, number: int, view: View) -> dict[str, object]:
    message = {"message": _message(printable(place.message))} if place.message else {}
    return {"id": number, "physicalLocation": _physical(place.path, place.location, view), **message}


def _fix(fix: Fix, path: str, view: View) -> dict[str, object]:
    replacements = [
        {
            "deletedRegion": _region(edit.location),
            **({"insertedContent": {"text": edit.text}} if edit.text else {}),
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(path, view), "replacements": replacements}
    return {"description": _message(printable(fix.title)), "artifactChanges": [change]}


def _suppression(entry: Suppressed) -> dict[str, object]:
    reason = {"justification": printable(entry.reason)} if entry.reason else {}
    return {"kind": _KINDS[entry.by], "status": "accepted", **reason}
