"""Frontmatter: where it stands in a text, and its values exactly as they were written.

YAML turns `2024-05-28` into a date, `1.10` into a number and `on` into a boolean. An edition is
none of these, so this reader never builds values: it walks the parser's events and keeps the text
of every scalar. That also leaves nothing for tags to construct and for aliases to multiply.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.findings import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Frontmatter larger than this is reported and not read.
MAX_BYTES = 65_536

#: Values nested deeper than this are reported; the rest of the frontmatter is not read.
MAX_DEPTH = 64

_OPENING = re.compile(rb"---[ \t]*+(?:\r\n?|\n)")
_CLOSING = re.compile(rb"[\r\n]---[ \t]*+(?:\r\n?|\n|\Z)")
_LATE = re.compile(rb"[ \t\r\n]++---[ \t]*+[\r\n]")
_CONFLICT = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: [^\r\n]*)?(?=[\r\n]|\Z)", re.MULTILINE)

# What YAML reads as itself on one line, whatever comes before and after: the common case, which
# then needs no parser. Everything else goes to the parser; a test holds the two to each other.
_SIMPLE_LINE = re.compile(
    r"(?P<key>[A-Za-z][A-Za-z0-9_-]{0,60}):(?: +(?P<value>"
    r"""[A-Za-z0-9/.(].*|"[^"\\]*"|'[^']*')?)? *|#.*| *"""
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
    """The top-level scalar fields, in order, and what could not be taken as it stood.

    `block` is `None` where there is no frontmatter; its offsets are offsets into the file.
    """

    fields: dict[str, Field]
    problems: tuple[Problem, ...]
    block: Block | None


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
    block scalar gives its content, an empty value gives `""`. A list or mapping as a value is left
    out, and nothing is left where the YAML does not parse. The first of two equal keys counts.
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
    fields = _simple(text, start)
    if fields is not None:
        return Frontmatter(fields, (), placed)
    conflicts = conflict_problems(content, start)
    if conflicts:
        return Frontmatter({}, conflicts, placed)
    reader = _Reader(text, start)
    _parse(reader)
    return Frontmatter(reader.fields, tuple(reader.problems), placed)


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
            shown = _short(data[start:end].decode("utf-8", "replace"))
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


def _simple(text: str, start: int) -> dict[str, Field] | None:
    """The fields, where every line is one that needs no parser; else `None`."""
    fields: dict[str, Field] = {}
    place = _Places(text, start)
    position = 0
    for line in text.replace("\r\n", " \n").split("\n"):
        match = _SIMPLE_LINE.fullmatch(line)
        if match is None or not line.isprintable():
            return None
        key, value = match["key"], (match["value"] or "").rstrip(" ")
        if key is not None:
            quoted = value[:1] in ('"', "'")
            unclear = not quoted and (": " in value or " #" in value or value.endswith(":"))
            if unclear or key in fields:
                return None
            at = match.start("value") if value else match.end("key") + 1
            span = place.span(position + at, position + at + len(value))
            fields[key] = Field(value[1:-1] if quoted else value, span)
        position += len(line) + 1
    return fields


class _Places:
    """Turns character indices of a text, asked for in order, into offsets of the file."""

    __slots__ = ("_ascii", "_byte", "_character", "start", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self._ascii = text.isascii()
        self._character = self._byte = 0

    def offset(self, character: int) -> int:
        if self._ascii:
            return self.start + character
        if character < self._character:
            self._character = self._byte = 0
        self._byte += len(self.text[self._character : character].encode())
        self._character = character
        return self.start + self._byte

    def span(self, first: int, last: int) -> Span:
        return Span(self.offset(first), self.offset(last))


def _parse(reader: _Reader) -> None:
    """Let python-frontmatter drive the reader.

    Its own `split` strips the text and rewrites line ends, which would move every offset, and its
    own `load` builds values; both are ours, so what is left of it is the door.
    """
    import frontmatter
    from frontmatter.default_handlers import YAMLHandler

    class Handler(YAMLHandler):
        def split(self, text: str) -> tuple[str, str]:
            return reader.text, text

        def load(self, fm: str, **_: object) -> dict[str, Field]:
            reader.read(fm)
            return reader.fields

    frontmatter.parse("", handler=Handler())


class _Reader:
    """Walks the events of one YAML text and keeps the scalars at its top level."""

    __slots__ = ("_names", "_places", "_told", "fields", "problems", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.fields: dict[str, Field] = {}
        self.problems: list[Problem] = []
        self._places = _Places(text, start)
        self._names: dict[str, int] = {}
        self._told: set[str] = set()

    def read(self, text: str) -> None:
        import yaml
        from yaml.reader import Reader

        unprintable = Reader.NON_PRINTABLE.search(text)
        if unprintable:
            message = f"YAML does not allow the character U+{ord(unprintable[0]):04X}"
            self._add(*unprintable.span(), message, "remove it")
            return
        parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        try:
            self._walk(iter(parser.get_event, None))
        except yaml.YAMLError as error:
            self._error(error)
        finally:
            parser.dispose()

    def _walk(self, events: Iterator[Any]) -> None:
        documents = depth = 0
        name: str | None = None
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                documents += 1
            started = kind in ("MappingStartEvent", "SequenceStartEvent")
            ended = kind in ("MappingEndEvent", "SequenceEndEvent")
            node = started or kind in ("ScalarEvent", "AliasEvent")
            if documents > 1:
                return self._tell(event, "several", "it holds several YAML documents", "keep the first one")
            if node and depth == 0 and kind != "MappingStartEvent":
                return self._tell(event, "root", "it is no list of fields", "write one `field: value` a line")
            if depth > MAX_DEPTH:
                self.fields.clear()
                return self._tell(event, "depth", "it is nested too deeply", "write plain fields")
            plain = self._refuse(event)
            depth += started - ended
            if depth == 1 and (ended or (node and not started)):
                scalar = event if plain and kind == "ScalarEvent" else None
                if name is None:
                    name = self._key(event)
                else:
                    self._value(name, scalar)
                    name = None
        return None

    def _key(self, event: Any) -> str:
        """The name of a key, `""` for one that is no scalar; a second equal one is reported."""
        name: str = getattr(event, "value", "")
        seen = self._names[name] = self._names.get(name, 0) + 1
        if name and seen == 2:
            self._mark(event, f"the field {_short(name)} stands here twice", "keep one of the two")
        return name

    def _value(self, name: str, event: Any) -> None:
        if name and event is not None and self._names[name] == 1:
            self.fields[name] = Field(event.value, self._span(event))

    def _refuse(self, event: Any) -> bool:
        """Whether an event carries no tag and no anchor; the first of each is reported."""
        tag, anchor = getattr(event, "tag", None), getattr(event, "anchor", None)
        if tag is not None:
            self._tell(event, "tag", f"it uses a YAML tag, {_short(tag)}", "write the value as plain text")
        if anchor is not None:
            message = f"it uses a YAML anchor or alias, {_short(anchor)}"
            self._tell(event, "anchor", message, "write the value out, or put quotes around it")
        return tag is None and anchor is None

    def _error(self, error: Any) -> None:
        """YAML's own reason, at the place it names. Half a frontmatter is none."""
        self.fields.clear()
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "context", None) or str(error)
        at = min(mark.index, len(self.text)) if mark else 0
        message = f"the frontmatter is not valid YAML: {_short(reason)}"
        self._add(at, min(at + 1, len(self.text)), message, _remedy(reason))

    def _tell(self, event: Any, kind: str, message: str, hint: str) -> None:
        """Report a kind of trouble once: a file of nothing else must not fill a screen."""
        if kind not in self._told:
            self._told.add(kind)
            self._mark(event, f"the frontmatter cannot be taken as it is: {message}", hint)

    def _mark(self, event: Any, message: str, hint: str) -> None:
        self.problems.append(Problem(self._span(event), message, hint))

    def _span(self, event: Any) -> Span:
        """Where an event stands, without the line ends that block scalars take along."""
        start, end = event.start_mark.index, event.end_mark.index
        return self._places.span(start, start + len(self.text[start:end].rstrip()))

    def _add(self, first: int, last: int, message: str, hint: str) -> None:
        self.problems.append(Problem(self._places.span(first, last), message, hint))


def _remedy(reason: str) -> str:
    if "mapping values are not allowed" in reason:
        return "put quotes around a value that holds a colon and a blank"
    return "put quotes around a value with special characters, and indent with blanks"


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
