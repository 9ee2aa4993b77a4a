"""A grounding as Markdown. Pure."""

from __future__ import annotations

import json

from spectastic.text import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

#: More of a value is not shown, in characters.
LONGEST = 300


def grounding(grounded: Mapping[str, Any], *, beneath: bool = False) -> Iterator[str]:
    """The lines of a grounding: what it is about, selections, dials, rules, and what is lacking.

    `beneath` a best row, it may say how sure that is, and how many others are not shown.
    """
    held = grounded["confidence"]
    yield f"## {line(grounded['query']) or '(no query)'}"
    yield ""
    yield f"- **Domain:** {line(grounded['domain'])}"
    yield f"- **Category:** {line(grounded['category'])}"
    yield f"- **Confidence:** {held['label']} ({held['score']})"
    for domain, selection in grounded["selections"].items():
        yield from _selection(line(domain), selection, beneath=beneath)
    yield from _dials(grounded, beneath=beneath)
    yield from _row("Rule row", grounded["rule"])
    evaluation = grounded["rules_evaluation"]
    yield from _rules("Rules that hold", evaluation["matched"])
    yield from _rules("Rules that do not hold", evaluation["unmatched"])
    yield from ("", "### Evidence gap", "")
    yield from (f"- {line(gap)}" for gap in grounded["evidence_gap"])


def _selection(head: str, selection: Mapping[str, Any], *, beneath: bool) -> Iterator[str]:
    yield from _row(head, selection["best"])
    if beneath and selection["best"]:
        held, others = selection["confidence"], len(selection["alternatives"])
        more = f" · and {others:,} more, see --json" if others else ""
        yield from ("", f"**Confidence:** {held['label']} ({held['score']}){more}")


def _dials(grounded: Mapping[str, Any], *, beneath: bool) -> Iterator[str]:
    dials = grounded.get("dials")
    if dials:
        yield from ("", "### Dials", "")
        for name in ("variance", "motion", "density"):
            if dials[name] is not None:
                yield f"- **{name.capitalize()}:** {dials[name]} ({dials[name + '_label']})"
        scale = grounded.get("spacing_scale")
        if scale:
            steps = ", ".join(f"{step} {size}" for step, size in scale.items())
            yield f"- **Spacing scale:** {steps}"
    motion = grounded.get("motion")
    if motion:
        yield from _selection(f"motion ({line(motion['tier'])})", motion, beneath=beneath)


def _rules(head: str, rules: Mapping[str, Any]) -> Iterator[str]:
    if rules:
        yield from ("", f"### {head}", "")
        yield from (f"- `{line(key)}` → {line(_directive(value))}" for key, value in rules.items())


def _row(head: str, row: Mapping[str, Any]) -> Iterator[str]:
    if row:
        yield from ("", f"### {head}", "")
        yield from bullets(row)


def bullets(row: Mapping[str, Any]) -> Iterator[str]:
    """The cells of a row that say something, a line each."""
    for column, value in row.items():
        text = line(value)
        if text:
            yield f"- **{line(column)}:** {text}"


def _directive(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def line(value: object) -> str:
    """A value on one line, not too long, with what cannot be seen as escapes; null is empty."""
    text = "" if value is None else " ".join(str(value).split())
    return printable(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
