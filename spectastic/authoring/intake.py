"""An intake: what kind of source a spec was made from, and the gaps that were found in it. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.authoring.literal import literal
from spectastic.authoring.model import AuthoringError
from spectastic.spec.gaps import MAX_GAPS
from spectastic.text import nearest, printable, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date
    from typing import Any

SEVERITIES = ("blocking", "assumption")
DISPOSITIONS = ("answered", "assumed", "open")
#: What becomes of a gap of which nothing is said: nobody waits for an answer.
_UNSAID = {"blocking": "open", "assumption": "assumed"}
#: Longer sources are refused: nobody has looked at all of them.
MAX_LINES = 8000
NONE = "_No gaps identified._"

_FIELDS = ("section", "severity", "gap", "disposition")
_SHAPE = "write a list: - {section: …, severity: blocking or assumption, gap: …, disposition: …}"
_NAMES = (
    ("transcript", re.compile(r"transcript", re.IGNORECASE)),
    ("ticket", re.compile(r"ticket|issue|jira", re.IGNORECASE)),
    ("notes", re.compile(r"notes|meeting", re.IGNORECASE)),
)
_CLOCK = re.compile(r"^[ \t]*[\[(]?[0-9]{1,2}:[0-9]{2}\b", re.MULTILINE)
_SPEAKER = re.compile(r"^[ \t]*[^\W\d_][\w .'-]{0,30}:[ \t]+\S", re.MULTILINE)
_BLANKS = re.compile(r"[ \t\r\n]+")
_EMPTY_LINE = re.compile(r"\n[ \t]*\r?\n")
_BULLET = re.compile(r"^[ \t]*[-*+\u2022][ \t]+\S", re.MULTILINE)


class Gap(NamedTuple):
    """A question that the source leaves; `section` is where the answer belongs."""

    section: str
    severity: str
    gap: str
    disposition: str


class Intake(NamedTuple):
    """The base name of a source and its kind, the day it was taken in, and its gaps in order."""

    source: str
    kind: str
    day: date
    gaps: tuple[Gap, ...]

    def of(self, disposition: str) -> tuple[Gap, ...]:
        """The gaps with a disposition."""
        return tuple(gap for gap in self.gaps if gap.disposition == disposition)

    def blocking(self) -> tuple[Gap, ...]:
        """The open gaps without which there is no faithful spec."""
        return tuple(gap for gap in self.of("open") if gap.severity == "blocking")

    def mirrored(self, disposition: str, mark: str) -> list[str]:
        """The gaps with a disposition as lines of a list, each with its origin after it."""
        return [f"- {mark}{_mirrored(self.source, gap)}" for gap in self.of(disposition)]

    def section(self) -> Iterator[str]:
        """The lines of `## Provenance`."""
        yield f"- Source: {literal(self.source)} ({self.kind})"
        yield f"- Intake date: {self.day.isoformat()}"
        yield ""
        if not self.gaps:
            yield NONE
            return
        yield "| Section | Severity | Gap | Disposition |"
        yield "|---|---|---|---|"
        for gap in self.gaps:
            yield f"| {' | '.join(map(literal, gap))} |"


def checked(intake: Intake, *, everywhere: bool = False) -> Intake:
    """An intake whose texts can be written down as they are.

    With `everywhere`, citations of the corpus count wherever they stand, so that no text may look like one.

    Raises:
        AuthoringError: where one of them stands, it would say what it does not mean.
    """
    from spectastic.source import Source
    from spectastic.spec import extract
    from spectastic.spec.blanks import left
    from spectastic.spec.cited import mentions
    from spectastic.spec.page import read

    for gap in intake.gaps:
        line = f"- {_mirrored(intake.source, gap)}\n\n{literal(gap.gap)}\n"
        source = Source("gap.md", line.encode())
        for problem in extract(source).problems:
            raise AuthoringError(
                f"the gap `{short(gap.gap)}` would be read as markup: {problem.message}",
                "write it in other words",
            )
        page = read(source)
        for blank in left(page, frozenset()):
            raise AuthoringError(
                f"the gap `{short(gap.gap)}` would be read as left to be filled in: [{short(blank.text)}]",
                "leave out the brackets",
            )
        cited = next(mentions(page), None)
        if cited is not None:
            raise AuthoringError(
                f"the gap `{short(gap.gap)}` would be read as a citation of {short(cited.id)}",
                "leave out `informed by`, or the brackets around it",
            )
    if everywhere:
        _uncited(intake)
    return intake


def _uncited(intake: Intake) -> None:
    """Refuse what would be a citation of the spec, be it a near miss: nobody decided anything by it."""
    source = f"the name of the source, `{short(intake.source)}`,"
    _refuse_citations(f"- {literal(intake.source)}\n", source, "give the file another name")
    for gap in intake.gaps:
        lines = [*intake._replace(gaps=(gap,)).section(), "", f"- {_mirrored(intake.source, gap)}", ""]
        _refuse_citations("\n".join(lines), f"the gap `{short(gap.gap)}`", "write it without KB- and digits")


def _refuse_citations(text: str, what: str, remedy: str) -> None:
    from spectastic.source import Source
    from spectastic.spec import extract

    for place in extract(Source("gap.md", text.encode()), everywhere=True).citing:
        tokens = [citation.text for citation in place.citations]
        for token in tokens + [near_miss.text for near_miss in place.malformed]:
            raise AuthoringError(
                f"{what} would be read as a citation, {short(token)}",
                f"{remedy}: where citation-scope is `document`, it is one wherever it stands",
            )


def _mirrored(source: str, gap: Gap) -> str:
    return f"{literal(gap.gap)} (from {literal(source)}, {literal(gap.section)})"


def kind(name: str, text: str) -> str:
    """What kind of source it is: the name says it, else what it looks like.

    Raises:
        AuthoringError: it is longer than anybody has looked at.
    """
    lines = text.count("\n") + (not text.endswith("\n")) if text else 0
    if lines > MAX_LINES:
        raise AuthoringError(
            f"{short(name)} has {lines:,} lines, more than the {MAX_LINES:,} of an intake", "split it"
        )
    for word, pattern in _NAMES:
        if pattern.search(name):
            return word
    if _many(_CLOCK, text, 3) or _many(_SPEAKER, text, 5):
        return "transcript"
    return "notes" if _many(_BULLET, text, 5) else "prose"


def _many(pattern: re.Pattern[str], text: str, least: int) -> bool:
    return sum(1 for _ in zip(pattern.finditer(text), range(least), strict=False)) == least


def gaps(text: str, name: str) -> tuple[Gap, ...]:
    """The gaps that a YAML file lists: a list of mappings, or one below the key `gaps`.

    Raises:
        AuthoringError: it holds something else; says in which line.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node: Any = yaml.compose(text, Loader=loader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or "it cannot be read"
        raise _wrong(name, mark, f"this is not valid YAML: {short(str(why))}") from error
    if node is not None and node.id == "mapping":
        fields = _fields(name, node, ("gaps",))
        node = fields.get("gaps", node)
    if node is None or node.id != "sequence":
        raise _wrong(name, node and node.start_mark, "this is no list of gaps")
    if len(node.value) > MAX_GAPS:
        message = f"there are {len(node.value)} gaps, more than the {MAX_GAPS} that are compared"
        raise _wrong(name, node.start_mark, message, "leave out what the spec need not say")
    return tuple(_gap(name, item) for item in node.value)


def _gap(name: str, node: Any) -> Gap:
    if node.id != "mapping":
        raise _wrong(name, node.start_mark, "this is no gap with fields")
    nodes = _fields(name, node, _FIELDS)
    found = {field: _line(name, field, value) for field, value in nodes.items()}
    found["section"] = found.get("section", "").lstrip("# ")
    for field in _FIELDS[:3]:
        if not found.get(field):
            raise _wrong(name, node.start_mark, f"the gap has no {field}")
    severity = found["severity"].lower()
    _one_of(name, nodes["severity"], severity, SEVERITIES)
    disposition = found.get("disposition", "").lower() or _UNSAID[severity]
    _one_of(name, nodes.get("disposition"), disposition, DISPOSITIONS)
    return Gap(found["section"], severity, found["gap"], disposition)


def _fields(name: str, node: Any, known: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in node.value:
        field = key.value if key.id == "scalar" else ""
        if field not in known:
            near = nearest(field, known, parts=True)
            hint = f"did you mean {near}?" if near else f"fields: {', '.join(known)}"
            raise _wrong(name, key.start_mark, f"there is no field {short(field) or 'of this kind'}", hint)
        if field in found:
            raise _wrong(name, key.start_mark, f"the field {field} is there twice", "keep one")
        found[field] = value
    return found


def _line(name: str, field: str, node: Any) -> str:
    """A value as one line of text: Markdown shows the breaks of lines as blanks."""
    if node.id != "scalar":
        raise _wrong(name, node.start_mark, f"the {field} is no text")
    text = node.value.strip()
    if _EMPTY_LINE.search(text):
        message = f"the {field} has an empty line in it"
        raise _wrong(
            name, node.start_mark, message, "a table takes one line: make one of it, or several gaps"
        )
    line = _BLANKS.sub(" ", text)
    if printable(line) != line:
        raise _wrong(
            name, node.start_mark, f"the {field} has characters in it that cannot be seen", "type it anew"
        )
    return line


def _one_of(name: str, node: Any, value: str, known: Iterable[str]) -> None:
    if value not in known:
        words = ", ".join(known)
        raise _wrong(name, node.start_mark, f"{short(value)} is none of {words}", f"write one of {words}")


def _wrong(name: str, mark: Any, message: str, hint: str = _SHAPE) -> AuthoringError:
    line = f":{mark.line + 1}" if mark is not None else ""
    return AuthoringError(f"{name}{line}: {message}", hint)
