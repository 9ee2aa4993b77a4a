"""Frontmatter that needs a parser: python-frontmatter, with a handler that keeps what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler
from yaml.reader import Reader

from spectastic.findings import Problem, Span
from spectastic.frontmatter import NOTHING, Field, Places, split
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Values nested deeper than this are reported; the rest of the frontmatter is not read.
MAX_DEPTH = 64
#: How the parsers call the style of a scalar without quotes.
_UNQUOTED = (None, "")


def parse(
    text: str, start: int
) -> tuple[
    dict[str, Field],
    tuple[Problem, ...],
    dict[str, tuple[str, ...]],
    tuple[str, ...],
    frozenset[tuple[str, str]],
]:
    """The parts of a `Frontmatter`, without its block.

    The text begins at `start` of a file and is frontmatter, with both its --- lines.
    """
    handler = Handler(text, start)
    frontmatter.parse(text, handler=handler)
    texts = frozenset(handler.texts)
    return handler.fields, tuple(handler.problems), handler.lists, tuple(handler.others), texts


def keys(text: str, start: int) -> dict[str, Span]:
    """Where the name of each field stands, in a text as `parse` takes it."""
    handler = Handler(text, start)
    frontmatter.parse(text, handler=handler)
    return handler.places()


class Handler(YAMLHandler):
    """How python-frontmatter splits a text, and loads the first part.

    It splits by our rule. It loads by walking the events of the YAML, and keeps the scalars at its
    top level, and lists of them. The library hands over text with LF for CRLF; spans are those of the file.
    """

    def __init__(self, text: str, start: int) -> None:
        """`text` is the text as in the file, which begins at `start`."""
        super().__init__()
        self.fields: dict[str, Field] = {}
        self.lists: dict[str, tuple[str, ...]] = {}
        self.others: list[str] = []
        self.problems: list[Problem] = []
        self.texts: set[tuple[str, str]] = set()
        self._places = Places(text, start)
        self._first = 0
        self._yaml = ""
        self._names: dict[str, int] = {}
        self._keys: dict[str, Any] = {}
        self._told: set[str] = set()
        self._items: list[str] | None = None
        self._quoted: set[str] = set()

    def split(self, text: str) -> tuple[str, str]:
        """The YAML of a text, and what follows it."""
        data = text.encode()
        block = split(data)
        if block is None:
            raise ValueError("there is no frontmatter")
        self._first = block.start  # the opening line is ASCII: as many characters as bytes
        return data[block.start : block.end].decode(), data[block.body :].decode()

    def load(self, fm: str, **_: object) -> dict[str, Field]:
        """The top-level scalars of a YAML text."""
        self._yaml = fm
        unprintable = Reader.NON_PRINTABLE.search(fm)
        if unprintable:
            message = f"YAML does not allow the character U+{ord(unprintable[0]):04X}"
            self._add(*unprintable.span(), message, "remove it")
            return self.fields
        parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(fm)
        try:
            self._walk(iter(parser.get_event, None))
        except yaml.YAMLError as error:
            self._error(error)
        finally:
            parser.dispose()
        return self.fields

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
                self._forget()
                return self._tell(event, "depth", "it is nested too deeply", "write plain fields")
            plain = self._refuse(event)
            if kind == "ScalarEvent" and event.style not in _UNQUOTED and event.value.strip() in NOTHING:
                self._quoted.add(event.value)
            depth += started - ended
            if depth > 1 and node:
                self._gather(event, depth, plain, kind)
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
        self._keys.setdefault(name, event)
        if name and seen == 2:
            message = f"the field {short(name)} stands here twice"
            self.problems.append(Problem(self._span(event), message, "keep one of the two", name))
        return name

    def places(self) -> dict[str, Span]:
        """Where the name of each field stands, the first time."""
        return {name: self._span(event) for name, event in self._keys.items() if name}

    def _gather(self, event: Any, depth: int, plain: bool, kind: str) -> None:
        """Note what stands inside of a value, which is a list of scalars as long as nothing else is seen."""
        if depth == 2 and kind == "SequenceStartEvent" and plain:
            self._items = []
        elif self._items is not None and depth == 2 and kind == "ScalarEvent" and plain:
            self._items.append(event.value)
        else:
            self._items = None

    def _value(self, name: str, event: Any) -> None:
        if name and self._names[name] == 1:
            if event is not None:
                self.fields[name] = Field(event.value, self._span(event))
            elif self._items is not None:
                self.lists[name] = tuple(self._items)
            else:
                self.others.append(name)
            self.texts.update((name, value) for value in self._quoted)
        self._items = None
        self._quoted = set()

    def _forget(self) -> None:
        """Half a frontmatter is none."""
        self.fields.clear()
        self.lists.clear()
        self.others.clear()
        self.texts.clear()

    def _refuse(self, event: Any) -> bool:
        """Whether an event carries no tag and no anchor; the first of each is reported."""
        tag, anchor = getattr(event, "tag", None), getattr(event, "anchor", None)
        if tag is not None:
            self._tell(event, "tag", f"it uses a YAML tag, {short(tag)}", "write the value as plain text")
        if anchor is not None:
            message = f"it uses a YAML anchor or alias, {short(anchor)}"
            self._tell(event, "anchor", message, "write the value out, or put quotes around it")
        return tag is None and anchor is None

    def _error(self, error: Any) -> None:
        """YAML's own reason, at the place it names."""
        self._forget()
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "context", None) or str(error)
        at = min(mark.index, len(self._yaml)) if mark else 0
        message = f"the frontmatter is not valid YAML: {short(reason)}"
        self._add(at, min(at + 1, len(self._yaml)), message, _remedy(reason))

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
        return self._placed(start, start + len(self._yaml[start:end].rstrip()))

    def _add(self, first: int, last: int, message: str, hint: str) -> None:
        self.problems.append(Problem(self._placed(first, last), message, hint))

    def _placed(self, first: int, last: int) -> Span:
        return self._places.span(self._first + first, self._first + last)


def _remedy(reason: str) -> str:
    if "mapping values are not allowed" in reason:
        return "put quotes around a value that holds a colon and a blank"
    return "put quotes around a value with special characters, and indent with blanks"
