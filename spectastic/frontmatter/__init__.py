"""Frontmatter: where it stands in a text, and its values exactly as they were written.

YAML turns `2024-05-28` into a date, `1.10` into a number and `on` into a boolean. An edition is
none of these, so this reader never builds values: it walks the parser's events and keeps the text
of every scalar. That also leaves nothing for tags to construct and for aliases to multiply.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from spectastic.findings import Problem, Span
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Frontmatter larger than this is reported and not read.
MAX_BYTES = 65_536

_OPENING = re.compile(rb"---[ \t]*+(?:\r\n?|\n)")
_CLOSING = re.compile(rb"[\r\n]---[ \t]*+(?:\r\n?|\n|\Z)")
_LATE = re.compile(rb"[ \t\r\n]++---[ \t]*+[\r\n]")
_CRLF = re.compile(r"\r\n")
_CONFLICT = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: [^\r\n]*)?(?=[\r\n]|\Z)", re.MULTILINE)

# What YAML reads as itself on one line, whatever comes before and after: the common case, which
# then needs no parser. Everything else goes to the parser; a test holds the two to each other.
_TEXT = r"""[A-Za-z0-9/.(].*|"[^"\\]*"|'[^']*'"""
_ITEM = r"""(?:[A-Za-z0-9][A-Za-z0-9_./+-]*+(?: [A-Za-z0-9_./+-]++)*+|"[^"\\,]*+"|'[^',]*+')"""
_SIMPLE_LINE = re.compile(
    rf"(?P<key>[A-Za-z][A-Za-z0-9_-]{{0,60}}):"
    rf"(?: +(?P<value>{_TEXT}|\[(?P<list>{_ITEM}(?:, *{_ITEM})*+)?\])?)?(?: +#.*)? *"
    rf"|(?P<indent> *)- +(?P<item>{_TEXT}) *|#.*| *"
)

_QUOTES = ('"', "'")

#: The words that YAML reads as nothing, unless they stand in quotes.
NOTHING = frozenset({"~", "null", "Null", "NULL"})
_NOTHING_IN_QUOTES = re.compile(r"""["'][ ]*(?:~|null|Null|NULL)[ ]*["']""")

# What may stand before frontmatter where a document is not only read by programs.
_PREAMBLE = re.compile(
    rb"(?:[ \t]*+(?:\r\n?|\n)|<!--(?:[^-]|-(?!->))*+-->[ \t]*+(?=[\r\n])"
    rb"|#{1,6}(?:[ \t][^\r\n]*+)?(?=[\r\n]))*+"
)


class Block(NamedTuple):
    """Where frontmatter stands: its YAML is `[start, end)`, the text after it begins at `body`."""

    start: int
    end: int
    body: int


class Field(NamedTuple):
    """A frontmatter value as written, and where it stands in the file (quotes included)."""

    value: str
    span: Span


class Frontmatter(NamedTuple):
    """The top-level fields, in order, and what could not be taken as it stood.

    `block` is `None` where there is no frontmatter; its offsets are offsets into the file. `lists` has
    the fields that hold a list of scalars, and `others` names those that hold neither: a mapping, a
    list in a list, a value with a tag or an alias. `texts` are values, with their field before each, that
    look like nothing (`null`) and are text, for they stand in quotes.
    """

    fields: dict[str, Field]
    problems: tuple[Problem, ...]
    block: Block | None
    lists: Mapping[str, tuple[str, ...]] = {}
    others: tuple[str, ...] = ()
    texts: frozenset[tuple[str, str]] = frozenset()

    def meant(self, field: str, value: str) -> str:
        """A value as YAML means it: what it reads as nothing is empty."""
        plain = value.strip()
        return "" if not plain or (plain in NOTHING and (field, value) not in self.texts) else value


def split(data: bytes) -> Block | None:
    """Where frontmatter stands in `data`, which begins after any byte order mark.

    It opens with a line `---` that is the very first and closes with the next such line; blanks
    may follow the dashes. `None` where it does not open, or never closes. Takes linear time.
    """
    opening = _OPENING.match(data)
    if opening is None:
        return None
    closing = _CLOSING.search(data, opening.end() - 1)
    if closing is None:
        return None
    return Block(opening.end(), closing.start() + 1, closing.end())


def read(data: bytes, base: int = 0) -> Frontmatter:
    """Read the frontmatter of `data`, the bytes of a file from `base` on. Never raises.

    Fields are strings as written: `1.10`, `on`, `~` and `0x1F` stay what they are, a quoted or
    block scalar gives its content, an empty value gives `""`. A list of scalars is among `lists`, another
    list or a mapping is left out, and nothing is left where the YAML does not parse. The first of two
    equal keys counts.
    """
    block = split(data)
    if block is None:
        return Frontmatter({}, tuple(_absent(data, base)), None)
    start = base + block.start
    placed = Block(start, base + block.end, base + block.body)
    if block.end - block.start > MAX_BYTES:
        message = f"the frontmatter has more than the {MAX_BYTES:,} bytes that are read"
        problem = Problem(Span(base, base + 3), message, "move what is long into the body")
        return Frontmatter({}, (problem,), placed)
    content = data[block.start : block.end]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Span(start + error.start, start + error.end)
        return Frontmatter({}, (Problem(place, "the frontmatter is not UTF-8", "save it as UTF-8"),), placed)
    simple = _simple(text, start)
    if simple is not None:
        return Frontmatter(simple[0], (), placed, simple[1])
    conflicts = conflict_problems(content, start)
    if conflicts:
        return Frontmatter({}, conflicts, placed)
    # Imported here: most frontmatter is plain enough to do without the libraries.
    from spectastic.frontmatter.handler import parse

    fields, problems, lists, others, texts = parse(data[: block.body].decode("utf-8"), base)
    return Frontmatter(fields, problems, placed, lists, others, texts)


def keys(data: bytes, base: int = 0) -> dict[str, Span]:
    """Where the name of each field stands that `read` finds in `data`; always asks the parser. Never raises.

    What holds none of them, or more than `read` looks at, is not for here: ask about fields that it gave.
    """
    block = split(data)
    if block is None:
        return {}
    from spectastic.frontmatter import handler

    return handler.keys(data[: block.body].decode("utf-8", "replace"), base)


def preamble(data: bytes) -> int:
    """How long is what people put before frontmatter: blank lines, HTML comments, headings (`# …`).

    `read` takes none of it: whoever allows it reads from there on.
    """
    found = _PREAMBLE.match(data)
    return found.end() if found else 0


def conflict_lines(data: bytes) -> tuple[Span, ...]:
    """The marker lines of merges that nobody finished, `=======` only together with another."""
    spans = tuple(Span(*match.span()) for match in _CONFLICT.finditer(data))
    return spans if any(data[span.start] in b"<>" for span in spans) else ()


def conflict_problems(data: bytes, base: int = 0) -> tuple[Problem, ...]:
    """One problem for each merge that nobody finished; `base` is added to its span."""
    problems = []
    inside = False
    for start, end in conflict_lines(data):
        opens, closes = data[start] in b"<", data[start] in b">"
        if opens or (closes and not inside):
            shown = short(data[start:end].decode("utf-8", "replace"))
            message = f"a merge conflict is left here: {shown}"
            hint = "keep one side, and remove the lines <<<<<<<, ======= and >>>>>>>"
            problems.append(Problem(Span(base + start, base + end), message, hint))
        inside = opens or (inside and not closes)
    return tuple(problems)


def _absent(data: bytes, base: int) -> Iterator[Problem]:
    """What looks like frontmatter and is none."""
    if _OPENING.match(data):
        message = "the frontmatter opens on the first line and is never closed"
        yield Problem(Span(base, base + 3), message, "close it with a line that is exactly ---")
    elif late := _LATE.match(data):
        at = base + late[0].index(b"---")
        message = "the frontmatter does not begin on the first line, so it is ordinary text"
        yield Problem(Span(at, at + 3), message, "remove what stands before ---")


def _simple(text: str, start: int) -> tuple[dict[str, Field], dict[str, tuple[str, ...]]] | None:
    """The fields and the lists, where every line is one that needs no parser; else `None`."""
    if _NOTHING_IN_QUOTES.search(text):
        return None
    fields: dict[str, Field] = {}
    lists: dict[str, list[str]] = {}
    place = Places(text, start)
    position = 0
    key, indent = "", ""
    for line in text.replace("\r\n", "\n").split("\n"):
        match = _SIMPLE_LINE.fullmatch(line)
        if match is None or not line.isprintable():
            return None
        if match["item"] is not None:
            # It goes on with the list of a key without a value, each item as far from the left.
            value = _uncommented(match["item"])
            if not key or _unclear(value) or (key in lists and indent != match["indent"]):
                return None
            indent = match["indent"]
            fields.pop(key, None)
            lists.setdefault(key, []).append(_bare(value))
        elif match["key"] is not None:
            key, value = match["key"], _uncommented(match["value"] or "")
            if _unclear(value) or key in fields or key in lists:
                return None
            if value[:1] == "[":
                lists[key] = _items(match["list"])
            else:
                at = match.start("value") if value else match.end("key") + 1
                fields[key] = Field(_bare(value), place.span(position + at, position + at + len(value)))
            key = "" if value else key
        position += len(line) + 1
    return fields, {key: tuple(items) for key, items in lists.items()}


def _items(written: str | None) -> list[str]:
    return [_bare(item.strip(" ")) for item in written.split(",")] if written else []


def _uncommented(value: str) -> str:
    """A value without the blanks behind it, and without a comment where it has no quotes."""
    if " #" in value and value[:1] not in _QUOTES:
        value = value[: value.index(" #")]
    return value.rstrip(" ")


def _bare(value: str) -> str:
    """A value without its quotes."""
    return value[1:-1] if value[:1] in _QUOTES else value


def _unclear(value: str) -> bool:
    """Whether a value may say more than what stands there."""
    return value[:1] not in _QUOTES and (": " in value or value.endswith(":"))


class Places:
    """Turns places in a text that has LF where the file has CRLF into offsets of the file.

    A place is the index of a character. They are best asked for in order.
    """

    __slots__ = ("_ascii", "_byte", "_character", "_dropped", "_start", "_text")

    def __init__(self, text: str, start: int) -> None:
        """`text` is the text as in the file, which begins at `start`."""
        self._text = text.replace("\r\n", "\n")
        self._start = start
        self._ascii = text.isascii()
        self._character = self._byte = 0
        #: Where in `_text` each CR is missing.
        self._dropped = [found.start() - count for count, found in enumerate(_CRLF.finditer(text))]

    def offset(self, character: int) -> int:
        """The offset of the file at which a character begins."""
        start = self._start + bisect_left(self._dropped, character)
        if self._ascii:
            return start + character
        if character < self._character:
            self._character = self._byte = 0
        self._byte += len(self._text[self._character : character].encode())
        self._character = character
        return start + self._byte

    def span(self, first: int, last: int) -> Span:
        """The bytes of the characters `[first, last)`."""
        if self._ascii and not self._dropped:
            return Span(self._start + first, self._start + last)
        return Span(self.offset(first), self.offset(last))
