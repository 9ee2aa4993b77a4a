"""Decisions in Markdown, as CommonMark (with GitHub's tables and footnotes) reads it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from pyromark import Options, events_with_range

from spectastic.findings import Span
from spectastic.spec import isolated
from spectastic.spec.hiding import HIDING_TAG, Tag, forgotten
from spectastic.spec.html import HtmlFeed, tags_of
from spectastic.spec.markup import DECISION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.spec.visible import Reader

# Without footnotes `[^1]: KB-0001@x` would be a link definition, which nobody sees.
_OPTIONS = (
    Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES | Options.ENABLE_STRIKETHROUGH | Options.ENABLE_TASKLISTS
)
#: The elements that containers are rendered as, and those that stand in the line.
_BLOCKS = {
    "Paragraph": "p",
    "Heading": "h1",
    "BlockQuote": "blockquote",
    "CodeBlock": "pre",
    "List": "ul",
    "Item": "li",
    "FootnoteDefinition": "div",
    "Table": "table",
    "TableHead": "tr",
    "TableRow": "tr",
    "TableCell": "td",
}
_INLINE = {"Emphasis": "em", "Strong": "strong", "Strikethrough": "del", "Link": "a", "Image": "img"}
_FENCE_END = re.compile("(?:```|~~~)[ ]*\t[ \t]*\r?$", re.MULTILINE)
_FEEDS = re.compile("^[ \t>]*[\f\v][ \t\f\v]*\r?$", re.MULTILINE)
_TAG = re.compile(b"<[a-z/!?]")
#: In CommonMark, a tag's name has no underscore: what looks like a decision is text.
_NO_TAG = re.compile(b"<spec_decision(?=[\\s/>])")
_NEVER = sys.maxsize


def scan(reader: Reader, lowered: bytes, start: int) -> None:
    """Read a Markdown spec from offset `start` of its text on; `lowered` is all of it, in lower case."""
    alone = None if reader.pieces is not None else isolated.find(reader.source.encoded, start)
    if alone is None:
        _scan_all(reader, lowered, start)
        return
    for decision in alone:
        _scan_alone(reader, decision, lowered)


def _scan_alone(reader: Reader, decision: isolated.Alone, lowered: bytes) -> None:
    source = reader.source
    (opening, start), (end, closing) = decision.start, decision.end
    reader.open(decision.attributes, Span(source.base + opening, source.base + start))
    feed = HtmlFeed(reader, lowered, frozenset())
    body = source.encoded[start:end].decode()
    _Scanner(reader, feed, source.base + start, [], end).run(body)
    reader.close(Span(source.base + end, source.base + closing))


def as_commonmark(text: str) -> str:
    """The text, of the same length, where pulldown-cmark would leave CommonMark's path over blanks.

    It takes a closing fence with a tab behind it for code, and a line of form feeds for blank.
    """
    if "\t" in text:
        text = _FENCE_END.sub(lambda match: match[0].replace("\t", " "), text)
    if "\f" in text or "\v" in text:
        text = _FEEDS.sub(lambda match: match[0].replace("\f", "\1").replace("\v", "\1"), text)
    return text


def _scan_all(reader: Reader, lowered: bytes, start: int) -> None:
    source = reader.source
    text = as_commonmark(source.encoded[start:].decode() if start else source.text)
    base = source.base + start
    without_end = forgotten(_surveyed(text, base)) if HIDING_TAG.search(lowered, start) else frozenset()
    tags = [match.start() + source.base for match in _TAG.finditer(lowered, start)]
    mentions = [DECISION.encode(), b"<spec"] + ([] if reader.comments is None else [b"<!--"])
    last = max(map(lowered.rfind, mentions)) + source.base
    if b"<spec_decision" in lowered:
        _tell_of_text(reader, lowered, text, start)
    _Scanner(reader, HtmlFeed(reader, lowered, without_end), base, tags, last).run(text)


def _tell_of_text(reader: Reader, lowered: bytes, text: str, start: int) -> None:
    """Report what looks like the start tag of a decision and is text, outside of code and HTML."""
    others = [
        (where["start"] + start, where["end"] + start)
        for event, where in events(text)
        if not isinstance(event, str) and _is_code_or_html(event)
    ]
    following = iter(others)
    begin, end = next(following, (_NEVER, _NEVER))
    for match in _NO_TAG.finditer(lowered, start):
        while end <= match.start():
            begin, end = next(following, (_NEVER, _NEVER))
        if match.start() < begin:
            span = Span(reader.source.base + match.start(), reader.source.base + match.end())
            message = "<spec_decision> is text in Markdown, so nothing in it is checked"
            reader.problem(span, message, f"write <{DECISION}>")


def _is_code_or_html(event: Any) -> bool:
    [(kind, value)] = event.items()
    if kind == "Start":
        return (value if isinstance(value, str) else next(iter(value))) in ("CodeBlock", "HtmlBlock")
    return kind in ("Code", "InlineHtml")


class _Scanner:
    """One pass over a document's events. All offsets that it keeps are offsets into the file."""

    __slots__ = ("_base", "_block", "_column", "_feed", "_following", "_last", "_literal", "_reader", "_tag")

    def __init__(self, reader: Reader, feed: HtmlFeed, base: int, tags: list[int], last: int) -> None:
        self._reader = reader
        self._feed = feed
        self._base = base
        #: The next place that may be a tag, those after it, and the last one that can matter.
        self._following = iter(tags)
        self._tag = next(self._following, _NEVER)
        self._last = last
        #: The segments of the HTML block that is being read.
        self._block: list[tuple[str, int]] | None = None
        #: Where the image ends, or the like, in which markup is text.
        self._literal = 0
        #: The column in which the table begins that is being read.
        self._column = 0

    def run(self, text: str) -> None:
        """Walk the events. While nobody listens, those without a tag in them are passed over."""
        reader, feed, base = self._reader, self._feed, self._base
        pieces = reader.pieces
        hear = pieces is not None
        passed = -1 if hear else self._tag - base
        for event, where in events(text):
            end = where["end"]
            if end <= passed:
                continue
            if isinstance(event, str):
                if pieces is not None:
                    pieces.append(("\n", end + base, end + base))
                continue
            [kind] = event
            if kind == "Text" or kind == "Code":
                if hear and pieces is not None:
                    pieces.append((event[kind], where["start"] + base, end + base))
                continue
            self._markup(kind, event[kind], where["start"] + base, end + base)
            pieces = reader.pieces
            hear = pieces is not None and not feed.hiding
            if pieces is not None or self._block is not None:
                passed = -1
            elif self._tag > self._last:
                return
            else:
                passed = self._tag - base

    def _markup(self, kind: str, value: Any, start: int, end: int) -> None:
        while self._tag < start:
            self._tag = next(self._following, _NEVER)
        if kind == "Start":
            self._start(value if isinstance(value, str) else next(iter(value)), start, end)
        elif kind == "End":
            self._end(value if isinstance(value, str) else next(iter(value)), end)
        elif kind == "InlineHtml":
            self._inline(value, start, end)
        elif kind == "Html" and self._block is not None:
            self._block.append((value, start))
        else:
            self._reader.blank(start)  # a footnote mark, a task's box

    def _start(self, name: str, start: int, end: int) -> None:
        reader = self._reader
        if name in _INLINE:
            if name == "Image":
                self._literal = max(self._literal, end)
            if self._tag < end:
                reader.nesting.advance(start)
                reader.nesting.enter(_INLINE[name], end)
            return
        reader.blank(start)
        if name == "Table":
            self._column = self._column_of(start)
        elif name == "TableRow" and self._column_of(start) >= self._column + 4:
            # pulldown-cmark takes an indented code block right below a table for a row.
            self._literal = max(self._literal, end)
        if name == "HtmlBlock":
            reader.nesting.advance(start)
            self._block = []
        elif self._tag < end or reader.nesting.in_paragraph:
            reader.nesting.advance(start)
            reader.nesting.enter(_BLOCKS[name], end)

    def _column_of(self, offset: int) -> int:
        encoded, at = self._reader.source.encoded, offset - self._reader.source.base
        return len(encoded[encoded.rfind(b"\n", 0, at) + 1 : at].expandtabs(4))

    def _end(self, name: str, end: int) -> None:
        if name in _INLINE:
            return
        if name == "HtmlBlock" and self._block is not None:
            self._feed.feed(self._block)
            self._block = None
        self._reader.blank(end)

    def _inline(self, value: str, start: int, end: int) -> None:
        if start >= self._literal:
            self._reader.nesting.advance(start)
            self._feed.feed(self._lines(value, start, end))
        elif self._reader.pieces is not None and not self._feed.hiding:
            self._reader.pieces.append((value, start, end))

    def _lines(self, value: str, start: int, end: int) -> list[tuple[str, int]]:
        """A tag over several lines without what the containers around put before each line."""
        if len(value.encode()) == end - start:
            return _unmarked(value, start) if value.startswith("<!--") else [(value, start)]
        base = self._reader.source.base
        written = self._reader.source.encoded[start - base : end - base].split(b"\n")
        found: list[tuple[str, int]] = []
        for text, line in zip(value.split("\n"), written, strict=False):
            # The last byte of a line that was read is the last byte of the line as written.
            found += [("\n", start - 1)] if found else []
            found.append((text, start + len(line) - len(text.encode())))
            start += len(line) + 1
        return found


def _unmarked(comment: str, start: int) -> list[tuple[str, int]]:
    """A comment in a line, in which pulldown-cmark leaves the marks of quotes at the start of lines."""
    found: list[tuple[str, int]] = []
    for line in comment.split("\n"):
        text = line.lstrip(" \t>") if found else line
        found += [("\n", start - 1)] if found else []
        found.append((text, start + len(line) - len(text)))
        start += len(line.encode()) + 1
    return found


def events(text: str) -> Iterator[tuple[Any, Any]]:
    """What pulldown-cmark reads: a name or `{kind: value}`, and the bytes `start` to `end` of it."""
    return events_with_range(text, options=_OPTIONS)


def named_events(text: str) -> Iterator[tuple[str, str, Any, int, int]]:
    """The events of a text without the marks in its lines: kind, name of the block, value, start and end."""
    for event, where in events(text):
        kind, value = (event, event) if isinstance(event, str) else next(iter(event.items()))
        name = ""
        if kind == "Start" or kind == "End":
            name = value if isinstance(value, str) else next(iter(value))
            if name in _INLINE:
                continue
        yield kind, name, value, where["start"], where["end"]


def _surveyed(text: str, base: int) -> Iterator[list[Tag]]:
    """The tags of each block."""
    block: list[Tag] = []
    segments: list[tuple[str, int]] = []
    image = 0
    for event, where in events(text):
        if isinstance(event, str):
            continue
        [(kind, value)] = event.items()
        start, end = where["start"] + base, where["end"] + base
        if kind == "Html":
            segments.append((value, start))
        elif kind == "InlineHtml" and start >= image:
            block += tags_of([(value, start)])
        elif kind == "Start" or kind == "End":
            name = value if isinstance(value, str) else next(iter(value))
            if name == "Image":
                image = max(image, end)
            elif name not in _INLINE:
                yield block + tags_of(segments)
                block, segments = [], []
    yield block
