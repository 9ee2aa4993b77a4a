"""Documents of the corpus: their frontmatter written and changed, all else left byte for byte. Pure.

A value is replaced where it stands, so comments, order, quoting and line ends stay; ruamel.yaml writes
the values that need quotes. What was written is read back before it counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic import frontmatter
from spectastic.corpus.references import digest
from spectastic.curate.plan import CurateError
from spectastic.frontmatter import scalar as yaml_text
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from spectastic.frontmatter import Frontmatter

#: The provenance fields, in the order in which they are written.
FIELDS = ("slug", "origin", "origin-url", "edition", "license", "converter", "content-hash", "status")

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
#: A field of frontmatter, with the lines that go on with it.
_FIELD = (
    rb"""(?m)^(?:NAMES|"(?:NAMES)"|'(?:NAMES)')[ \t]*:[^\r\n]*+(?:\r\n|\r|\n)"""
    rb"(?:(?:[ \t]++|-(?=[ \t\r\n]))[^\r\n]*+(?:\r\n|\r|\n))*+"
)
_BLANKS_AT_END = re.compile(rb" ++(?=[\r\n])")


def compose(fields: Mapping[str, str], body: bytes) -> bytes:
    """A whole document. The `content-hash` is computed; fields come in the order of `FIELDS`, then others.

    A blank line stands between frontmatter and body, unless the body begins with one; it is a part of
    the body. Raises `CurateError` where a value cannot be written.
    """
    return with_hash(_headed({**fields, "content-hash": "TODO"}, body))


def opened(data: bytes) -> tuple[int, Frontmatter]:
    """Where a document begins, behind its byte order mark, and its frontmatter."""
    base = len(_BOM) if data.startswith(_BOM) else 0
    return base, frontmatter.read(data[base:], base)


def with_fields(data: bytes, fields: Mapping[str, str]) -> bytes:
    """A document with fields set or added, and nothing else changed; one without frontmatter gets some.

    Raises `CurateError` where the frontmatter cannot be read, or not be changed like this.
    """
    _, found = opened(data)
    if found.block is None:
        _refuse(found)
        return _headed(fields, data)
    for problem in found.problems:
        # Which of the two other readers go by is anybody's guess.
        if problem.subject in fields:
            line = data.count(b"\n", 0, problem.span.start) + 1
            raise CurateError(f"line {line}: {problem.message}", problem.hint)
    for write in (scalar, quoted):
        after = _edited(data, found, fields, write)
        _, read = opened(after)
        wanted = {name: field.value for name, field in found.fields.items()} | dict(fields)
        values = {name: field.value for name, field in read.fields.items()}
        # A field that holds a list or a table is none of these fields, and must not be there twice.
        if values == wanted and len(read.problems) <= len(found.problems):
            return after
    _refuse(found)
    raise CurateError(
        f"the frontmatter cannot be changed: {', '.join(fields)}", "write one `field: value` a line"
    )


def without_fields(data: bytes, names: Iterable[str]) -> bytes:
    """A document without some fields, whatever they hold, and nothing else changed.

    Raises `CurateError` as `with_fields`.
    """
    _, found = opened(data)
    there = {*found.fields, *found.lists, *found.others}
    gone = [name for name in names if name in there]
    if found.block is None or not gone:
        _refuse(found)
        return data
    start, end = found.block.start, found.block.end
    field = _FIELD.replace(b"NAMES", b"|".join(re.escape(name.encode()) for name in gone))
    after = data[:start] + re.sub(field, b"", data[start:end]) + data[end:]
    _, read = opened(after)
    if _values(read) != [item for item in _values(found) if item[0] not in gone] or read.problems:
        _refuse(read)
        raise CurateError(
            f"the frontmatter cannot do without {', '.join(gone)}", "write one `field: value` a line"
        )
    return after


def _values(found: Frontmatter) -> list[tuple[str, object]]:
    """What frontmatter says: a text or a list by field, `None` for what is neither."""
    texts = [(name, field.value) for name, field in found.fields.items()]
    return [*texts, *found.lists.items(), *((name, None) for name in found.others)]


def with_field_for(data: bytes, old: str, name: str, value: str) -> bytes:
    """A document in which the field `name` stands where the field `old` was, and nothing else changed.

    Without `old`, or with `name` in another place, only that changes. Raises `CurateError` as `with_fields`.
    """
    _, found = opened(data)
    field = found.fields.get(old)
    if field is None:
        return with_fields(data, {name: value})
    start = max(data.rfind(b"\n", 0, field.span.start), data.rfind(b"\r", 0, field.span.start)) + 1
    key = re.fullmatch(rb"( *)([\"']?)%s\2 *: *" % old.encode(), data[start : field.span.start])
    line_end = _LINE_END.search(data, field.span.end)
    assert line_end is not None  # noqa: S101 - the frontmatter is closed
    if key is None:
        raise CurateError(f"the field {old} cannot be taken away", "write it as `field: value` on one line")
    if name in found.fields:
        after = with_fields(data[:start] + data[line_end.end() :], {name: value})
    else:
        line = key[1] + f"{name}: {scalar(value)}".encode()
        after = data[:start] + line + data[field.span.end :]
    values = {other: known.value for other, known in found.fields.items() if other != old} | {name: value}
    _, read = opened(after)
    if {other: known.value for other, known in read.fields.items()} != values:
        raise CurateError(f"the field {old} cannot be taken away", "write it as `field: value` on one line")
    return after


def with_hash(data: bytes) -> bytes:
    """A document with the `content-hash` of its body. Raises `CurateError` as `with_fields`."""
    _, found = opened(data)
    if found.block is None:
        _refuse(found)
        raise CurateError(
            "there is no frontmatter", "it begins with a line --- and says where the text is from"
        )
    computed = digest(data[found.block.body :])
    declared = found.fields.get("content-hash")
    if declared is not None and declared.value.lower() == computed:
        return data
    return with_fields(data, {"content-hash": computed})


def text(data: bytes) -> bytes:
    """What a document says. Blank lines around it, and how lines end, make no other text."""
    data = data.removeprefix(_BOM)
    block = frontmatter.split(data)
    return data[block.body if block else 0 :].replace(b"\r\n", b"\n").strip()


def scalar(text: str) -> str:
    """A text as YAML has it on one line. Raises `CurateError` for what UTF-8 cannot hold."""
    return _written(text, yaml_text.scalar)


def quoted(text: str) -> str:
    """A text in double quotes."""
    return _written(text, yaml_text.quoted)


def _written(text: str, write: Callable[[str], str]) -> str:
    try:
        return write(text)
    except UnicodeEncodeError:
        raise CurateError(f"{short(ascii(text))} is not text that UTF-8 can hold", "write it anew") from None


def _headed(fields: Mapping[str, str], body: bytes) -> bytes:
    """A body with frontmatter put before it, with the line ends that it has."""
    mark = _BOM if body.startswith(_BOM) else b""
    body = body[len(mark) :]
    first = _LINE_END.search(body)
    eol = first[0] if first else b"\n"
    names = [*(name for name in FIELDS if name in fields), *(name for name in fields if name not in FIELDS)]
    lines = ["---", *(f"{name}: {scalar(fields[name])}" for name in names), "---"]
    gap = b"" if first is not None and first.start() == 0 else eol
    data = mark + b"".join(line.encode() + eol for line in lines) + gap + body
    read = frontmatter.read(data[len(mark) :], len(mark))
    if {name: field.value for name, field in read.fields.items()} != dict(fields):
        _refuse(read)
        raise CurateError("these fields cannot be written as frontmatter", "shorten them")
    return data


def _edited(data: bytes, found: Frontmatter, fields: Mapping[str, str], write: Callable[[str], str]) -> bytes:
    edits: list[tuple[int, int, bytes]] = []
    added: list[str] = []
    for name, value in fields.items():
        field = found.fields.get(name)
        if field is None:
            added.append(name)
        elif field.value != value:
            start, end = field.span
            gap = " " if data[start - 1 : start] == b":" else ""
            if gap and (blanks := _BLANKS_AT_END.match(data, start)):
                end = blanks.end()
            edits.append((start, end, (gap + write(value)).encode()))
    for at, names in _places(data, found, added):
        edits.append((at, at, b"".join(_line(name, fields[name], data, found, write) for name in names)))
    parts: list[bytes] = []
    done = 0
    for start, end, text in sorted(edits):
        parts += (data[done:start], text)
        done = end
    return b"".join((*parts, data[done:]))


def _places(data: bytes, found: Frontmatter, names: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Where new fields go: behind the field that comes before them in `FIELDS`, or at the end."""
    assert found.block is not None  # noqa: S101 - the caller has seen it
    places: dict[int, list[str]] = {}
    order = {name: number for number, name in enumerate(FIELDS)}
    for name in sorted(names, key=lambda name: order.get(name, len(FIELDS))):
        before = [other for other in found.fields if order.get(other, len(FIELDS)) < order.get(name, -1)]
        at = found.block.end
        if before:
            last = max(before, key=lambda other: order[other])
            line_end = _LINE_END.search(data, found.fields[last].span.end)
            at = min(at, line_end.end() if line_end else at)
        places.setdefault(at, []).append(name)
    yield from places.items()


def _line(name: str, value: str, data: bytes, found: Frontmatter, write: Callable[[str], str]) -> bytes:
    """A new line of frontmatter, indented and ended as the others."""
    assert found.block is not None  # noqa: S101 - the caller has seen it
    start = found.block.start
    opening = data[:start]
    eol = b"\r\n" if opening.endswith(b"\r\n") else opening[-1:]
    first = min((field.span.start for field in found.fields.values()), default=start)
    line = max(data.rfind(b"\n", start, first), data.rfind(b"\r", start, first), start - 1) + 1
    indent = data[line : line + len(data[line:first]) - len(data[line:first].lstrip(b" "))]
    return indent + f"{name}: {write(value)}".encode() + eol


def _refuse(found: Frontmatter) -> None:
    for problem in found.problems:
        raise CurateError(problem.message, problem.hint)
