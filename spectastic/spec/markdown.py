"""Decisions in Markdown, as CommonMark (with GitHub's tables and footnotes) reads it."""

from __future__ import annotations

import re
from typing import Any

from pyromark import Options, events_with_range

from spectastic import frontmatter
from spectastic.findings import Span
from spectastic.spec.html import HtmlFeed, Places
from spectastic.spec.visible import Reader

# Without footnotes `[^1]: KB-0001@x` would be a link definition, which nobody sees.
_OPTIONS = (
    Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES | Options.ENABLE_STRIKETHROUGH | Options.ENABLE_TASKLISTS
)
_INLINE = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})
_MENTION = re.compile(b"spec-decision")
_START_TAG = re.compile(b"<spec-decision[\\s/>]")
#: With one of these in the file, markup far from a decision can hide it.
_FAR_REACHING = re.compile(b"<(?:!--|template|script|style|textarea|title|xmp|iframe|no)")


def scan(reader: Reader) -> None:
    """Read a Markdown spec."""
    source = reader.source
    lowered = source.encoded.lower()
    block = frontmatter.split(source.encoded)
    start = block.body if block else 0
    if block and (hidden := _START_TAG.search(lowered, 0, start)):
        span = Span(source.base + hidden.start(), source.base + hidden.end() - 1)
        reader.problem(span, "a decision in the frontmatter is seen by nobody", "move it below the closing ---")
    text = source.encoded[start:].decode() if start else source.text
    mentions = [match.end() - start for match in _MENTION.finditer(lowered, start)]
    careful = reader.listening or _FAR_REACHING.search(lowered, start) is not None
    _Scanner(reader, source.base + start, lowered).run(text, mentions, careful=careful)


class _Scanner:
    """The state of one pass over a document's events."""

    __slots__ = ("_base", "_block", "_feed", "_reader")

    def __init__(self, reader: Reader, base: int, lowered: bytes) -> None:
        self._reader = reader
        self._base = base
        self._feed = HtmlFeed(reader, lowered)
        #: The segments of the HTML block that is being read.
        self._block: list[tuple[str, int]] | None = None

    def run(self, text: str, mentions: list[int], *, careful: bool) -> None:
        """Walk the events. Before a mention of a decision they are passed over, unless `careful`."""
        reader = self._reader
        following = iter(mentions)
        mention = next(following, -1)
        for event, where in events_with_range(text, options=_OPTIONS):
            start, end = where["start"], where["end"]
            if end < mention and not (careful or reader.deciding) and self._block is None:
                continue
            while 0 <= mention <= start:
                mention = next(following, -1)
            if mention < 0 and not reader.listening and self._block is None:
                return
            self._event(event, start + self._base, end + self._base)

    def _event(self, event: Any, start: int, end: int) -> None:
        if isinstance(event, str):
            self._reader.blank(start)
            return
        for kind, value in event.items():
            if kind == "Text" or kind == "Code":
                if not self._feed.hiding:
                    self._reader.text(value, start, end)
            elif kind == "Start":
                self._start(value if isinstance(value, str) else next(iter(value)), start, end)
            elif kind == "End":
                self._end(value if isinstance(value, str) else next(iter(value)), end)
            elif kind == "InlineHtml":
                self._reader.advance(start)
                self._feed.feed(Places([(value, start)]))
            elif kind == "Html" and self._block is not None:
                self._block.append((value, start))
            else:
                self._reader.blank(start)  # a footnote mark, a task's box

    def _start(self, name: str, start: int, end: int) -> None:
        if name in _INLINE:
            return
        self._reader.advance(start)
        self._reader.blank(start)
        self._feed.block_ends()
        if name == "HtmlBlock":
            self._block = []
        else:
            self._reader.enter(end)

    def _end(self, name: str, end: int) -> None:
        if name in _INLINE:
            return
        if name == "HtmlBlock":
            segments, self._block = self._block, None
            if segments:
                self._feed.feed(Places(segments))
                self._feed.block_ends()
        self._reader.blank(end)
