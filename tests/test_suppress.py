"""What comments silence, and which of them were of no use; see fixtures/suppressions/README.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from spectastic import load_corpus
from spectastic.engine.suppress import ALWAYS_TOLD, MAX_HINTS, apply, decision_ids
from spectastic.findings import Finding, Problem, Severity, Span, Suppressed
from spectastic.rules import PRIOR_ART_RULES, RULES, SPEC_RULES, page
from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.model import Decision, Spec, Suppression

FIXTURES = Path(__file__).parent.parent / "fixtures"
CASES = sorted((FIXTURES / "suppressions" / "outcomes").glob("*.txt"))


def always(_rule: str) -> bool:
    return True


def line(source: Source, verdict: str, finding: Finding, said: str) -> str:
    at = source.locate(finding.span)
    end = f"{at.end_line}:{at.end_column}" if at.end_line != at.line else str(at.end_column)
    return f"{verdict} {at.line}:{at.column}-{end} {finding.decision or '-'} {finding.rule} {said}"


def outcomes(path: Path, data: bytes) -> list[str]:
    source = Source(f"specs/{path.name}", data)
    corpus = load_corpus(FIXTURES / "rules" / "_base")
    spec = corpus.settle(extract(source, looking=True))
    findings = [finding for rule in SPEC_RULES for finding in rule.check(spec, corpus)]
    counting, silenced = apply(spec, decision_ids(spec, findings), always)
    assert all(entry.by == "comment" for entry in silenced)
    lines = [
        (found.span, line(source, "counts", found, f"{found.message} ; {found.hint}")) for found in counting
    ]
    lines += [(finding.span, line(source, "silenced", finding, reason)) for finding, _, reason in silenced]
    return [text for _, text in sorted(lines)]


def expected_of(case: Path) -> list[str]:
    """The expectations in the order of their places; those of a comment may stand below what it silences."""

    def place(line: str) -> list[int]:
        start = line.split()[1].partition("-")[0]
        return [int(part) for part in start.split(":")]

    return sorted(case.read_text(encoding="utf-8").splitlines(), key=place)


def check(case: Path, data: bytes, document: Path) -> None:
    found, expected = outcomes(document, data), expected_of(case)
    assert len(found) == len(expected), "\n".join(found)
    for said, wanted in zip(found, expected, strict=True):
        head, *texts = wanted.split(" ; ")
        assert said.startswith(head), (said, wanted)
        assert all(text in said for text in texts), (said, wanted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_outcome(case: Path) -> None:
    (document,) = {*case.parent.glob(f"{case.stem}.*")} - {case}
    data = document.read_bytes()
    check(case, data, document)
    check(case, b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), document)


def test_there_are_outcomes() -> None:
    assert len(CASES) >= 5
    documents = {path.stem for path in CASES[0].parent.iterdir() if path.suffix != ".txt"}
    assert documents == {case.stem for case in CASES}


_WRITTEN = re.compile(r"^## How to silence it$.*^```html\n(.*)\n```$", re.MULTILINE | re.DOTALL)
_WRONG = re.compile(r"^Wrong, in `[^`\n]+`:\n\n```markdown\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("rule", [module.RULE.id for module in SPEC_RULES])
def test_the_comment_on_a_rules_page_silences_its_example(rule: str) -> None:
    written, wrong = _WRITTEN.search(page(rule)), _WRONG.search(page(rule))
    assert written is not None
    (suppression,) = extract(Source("a.md", written[1].encode())).suppressions
    assert suppression.problem is None
    assert [name for name, _ in suppression.rules] == [rule]
    if wrong is None:
        return
    text = wrong[1].replace("<spec-decision", f"{written[1]}\n<spec-decision")
    said = outcomes(Path("a.md"), text.encode())
    assert said
    assert not [line for line in said if line.startswith("counts") and f" {rule} " in line]


# What the engine promises, on values made by hand

STALE, FORM, MARKUP = "corpus-staleness", "corpus-citation-form", "decision-markup"


def finding(rule: str, start: int, end: int = 0, decision: str = "") -> Finding:
    return Finding(rule, Severity.WARNING, "wrong", "a.md", Span(start, end or start + 5), decision=decision)


def comment(
    start: int, scope: tuple[int, int], *rules: str, reason: str = "why", file: bool = False
) -> Suppression:
    names = tuple((rule, Span(start + 9 * index, start + 9 * index + 8)) for index, rule in enumerate(rules))
    return Suppression(Span(start, start + 100), Span(*scope), names, reason, whole_file=file)


def spec_with(*suppressions: Suppression, decisions: tuple[Decision, ...] = ()) -> Spec:
    return Spec("a.md", decisions, suppressions=suppressions)


def decision(name: str | None, start: int, end: int) -> Decision:
    return Decision(name, None, Span(start, start + 1), extent=Span(start, end))


WHOLE = Finding(STALE, Severity.ERROR, "wrong", "a.md")


@pytest.mark.parametrize(
    ("suppressions", "found", "reasons"),
    [
        # The first byte decides: the scope's first one is in it, the one behind its last is not.
        ([comment(0, (10, 20), STALE)], finding(STALE, 10), ["why"]),
        ([comment(0, (10, 20), STALE)], finding(STALE, 19), ["why"]),
        ([comment(0, (10, 20), STALE)], finding(STALE, 9, 15), []),
        ([comment(0, (10, 20), STALE)], finding(STALE, 20), []),
        ([comment(0, (10, 20), FORM, STALE)], finding(STALE, 10), ["why"]),
        ([comment(0, (10, 20), FORM)], finding(STALE, 10), []),
        ([comment(0, (10, 20), STALE.upper())], finding(STALE, 10), []),
        ([comment(0, (10, 20), STALE)._replace(problem=Problem(Span(0, 9), "no"))], finding(STALE, 10), []),
        # What is about the file as such is silenced for the file as such, and not by what begins with it.
        ([comment(0, (0, 900), STALE)], WHOLE, []),
        ([comment(0, (0, 900), STALE)], finding(STALE, 0), ["why"]),
        ([comment(0, (0, 900), STALE, file=True)], WHOLE, ["why"]),
        ([comment(0, (0, 900), STALE, file=True)], finding(STALE, 900), ["why"]),
        # Of several the innermost says why, and of equals the first.
        (
            [comment(0, (0, 90), STALE, reason="out"), comment(1, (9, 20), STALE, reason="in")],
            finding(STALE, 10),
            ["in"],
        ),
        (
            [comment(0, (0, 90), STALE, reason="out"), comment(1, (9, 20), STALE, reason="in")],
            finding(STALE, 20),
            ["out"],
        ),
        (
            [comment(0, (9, 20), STALE, reason="in"), comment(1, (9, 90), STALE, reason="out")],
            finding(STALE, 10),
            ["in"],
        ),
        (
            [comment(0, (9, 20), STALE, reason="1"), comment(1, (9, 20), STALE, reason="2")],
            finding(STALE, 10),
            ["1"],
        ),
        (
            [comment(0, (0, 9), STALE, file=True, reason="file"), comment(1, (5, 20), STALE)],
            finding(STALE, 10),
            ["why"],
        ),
        # Scopes may overlap without being nested.
        (
            [comment(0, (0, 15), STALE, reason="a"), comment(1, (10, 30), STALE, reason="b")],
            finding(STALE, 12),
            ["b"],
        ),
        (
            [comment(0, (0, 15), STALE, reason="a"), comment(1, (10, 30), STALE, reason="b")],
            finding(STALE, 20),
            ["b"],
        ),
        (
            [comment(0, (0, 40), STALE, reason="a"), comment(1, (10, 30), STALE, reason="b")],
            finding(STALE, 35),
            ["a"],
        ),
        # Some findings are always told.
        *(([comment(0, (0, 90), rule, file=True)], finding(rule, 10), []) for rule in sorted(ALWAYS_TOLD)),
    ],
)
def test_who_silences(suppressions: list[Suppression], found: Finding, reasons: list[str]) -> None:
    counting, silenced = apply(spec_with(*suppressions), [found], lambda _: False)
    assert silenced == [Suppressed(found, "comment", reason) for reason in reasons]
    assert (found in counting) == (not reasons)


def test_order_is_kept() -> None:
    given = [finding(STALE, start) for start in (50, 10, 70, 15, 30)] + [
        finding(FORM, 12),
        finding(STALE, 10),
    ]
    counting, silenced = apply(spec_with(comment(0, (10, 31), STALE)), given, always)
    assert counting == [given[0], given[2], given[5]]
    assert [entry.finding for entry in silenced] == [given[1], given[3], given[4], given[6]]


def test_without_comments_nothing_happens() -> None:
    given = [finding(STALE, 50), WHOLE]
    assert apply(spec_with(), given, always) == (given, [])


def test_every_covering_comment_counts_as_used() -> None:
    comments = [
        comment(0, (0, 500), STALE, file=True),
        comment(1, (200, 300), STALE),
        comment(2, (100, 400), STALE),
        comment(3, (200, 300), STALE),
        comment(4, (251, 260), STALE),
        comment(5, (240, 250), STALE),
    ]
    counting, _ = apply(spec_with(*comments), [finding(STALE, 250)], always)
    assert [found.span.start for found in counting] == [4, 5]


def test_a_whole_file_comment_is_used_by_a_finding_about_the_file() -> None:
    assert apply(spec_with(comment(0, (0, 9), STALE, file=True)), [WHOLE], always)[0] == []
    counting, _ = apply(spec_with(comment(0, (0, 9), STALE)), [WHOLE], always)
    assert [found.rule for found in counting] == [STALE, "unused-suppression"]


def test_rules_that_are_not_in_force_are_not_held_against_a_comment() -> None:
    names = (STALE, FORM, "corpus-license", "corpus-stalenes", "unused-suppression", STALE)
    spec = spec_with(
        comment(0, (0, 90), *names), comment(500, (0, 90))._replace(problem=Problem(Span(0, 9), "no"))
    )

    def told(active: set[str]) -> list[str]:
        counting, _ = apply(spec, [], active.__contains__)
        assert all(found.rule == "unused-suppression" for found in counting)
        return [found.subject for found in counting]

    always_told = ["corpus-stalenes", "unused-suppression", STALE, ""]
    assert told(set()) == always_told
    assert told({FORM}) == [FORM, *always_told]
    assert told({STALE, "corpus-license"}) == [STALE, "corpus-license", *always_told]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_its_answer(rule: str) -> None:
    counting, _ = apply(spec_with(comment(7, (0, 90), rule)), [], always)
    (found,) = counting
    assert (found.path, found.span, found.subject) == ("a.md", Span(7, 15), rule)
    if rule in ALWAYS_TOLD:
        wanted = f"no comment can silence {rule}"
    elif rule in {rule.RULE.id for rule in SPEC_RULES} | {rule.RULE.id for rule in PRIOR_ART_RULES}:
        wanted = f"{rule} finds nothing in the decision, so the comment silences nothing"
    else:
        wanted = f"{rule} is about the corpus and finds nothing in a spec, whatever is silenced"
    assert found.message == wanted


def test_messages_quote_little() -> None:
    names = ["x" * 50_000, "é\u202e" * 1_000, STALE + "x" * 90]
    counting, _ = apply(spec_with(comment(0, (0, 90), *names)), [], always)
    assert len(counting) == 3
    assert all(len(found.message + found.hint + found.subject) < 400 for found in counting)


def test_hints_are_bounded() -> None:
    names = [f"{STALE}{number}" for number in range(MAX_HINTS + 2)]
    comments = [comment(10 * number, (0, 90), name, names[0]) for number, name in enumerate(names)]
    counting, _ = apply(spec_with(*comments), [], always)
    hints = [found.hint for found in counting if found.subject != names[0]]
    assert (
        hints == [f"did you mean {STALE}?"] * (MAX_HINTS - 1) + ["`spectastic explain` lists the rules"] * 2
    )


def test_decision_ids() -> None:
    decisions = (
        decision("outer", 10, 100),
        decision("inner", 20, 40),
        decision(None, 50, 60),
        decision("deep", 55, 60),
        decision("last " * 100, 100, 120),
    )
    spec = spec_with(decisions=decisions)
    wanted = {
        5: "",
        10: "outer",
        19: "outer",
        20: "inner",
        39: "inner",
        40: "outer",
        50: "",
        54: "",
        55: "deep",
    }
    wanted |= {60: "outer", 99: "outer", 120: "", 500: ""}
    given = [finding(STALE, start) for start in sorted(wanted, key=lambda start: -start % 7)]
    named = decision_ids(spec, given)
    assert [found.span for found in named] == [found.span for found in given]
    assert {found.span.start: found.decision for found in named} == wanted
    (found,) = decision_ids(spec, [finding(STALE, 110)])
    assert found.decision.startswith("last last")
    assert len(found.decision) == 80


def test_a_finding_about_the_file_stands_in_no_decision() -> None:
    spec = spec_with(decisions=(decision("first", 0, 50),))
    assert decision_ids(spec, [WHOLE, finding(STALE, 0)]) == [WHOLE, finding(STALE, 0, decision="first")]


def test_findings_about_comments_know_their_decision() -> None:
    spec = spec_with(comment(20, (10, 200), STALE), decisions=(decision("a", 10, 200),))
    (found,) = apply(spec, [], always)[0]
    assert found.decision == "a"


def sweep_much() -> None:
    """A finding in each of many nested scopes, and in none; run in a process of its own."""
    count = 50_000
    decisions = tuple(decision(str(index), index, 4 * count - index) for index in range(count))
    comments = [comment(index, (index, 4 * count - index), STALE, FORM) for index in range(count)]
    found = [finding(STALE, 2 * count) for _ in range(count)] + [
        finding(STALE, index) for index in range(count)
    ]
    spec = spec_with(*comments, decisions=decisions)
    counting, silenced = apply(spec, decision_ids(spec, found), always)
    assert len(silenced) == 2 * count
    assert len(counting) == count
    assert silenced[0].finding.decision == str(count - 1)


def test_time_is_linear() -> None:
    """Not a measurement: quadratic time would take many minutes here."""
    subprocess.run([sys.executable, __file__], check=True, timeout=120)


if __name__ == "__main__":
    sweep_much()
