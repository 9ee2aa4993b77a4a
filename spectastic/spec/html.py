"""Decisions in HTML: whole documents, and the HTML inside Markdown."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from spectastic.findings import Span
from spectastic.spec.hiding import NAMES, Tag, forgotten
from spectastic.spec.markup import DECISION, HIDDEN_CONTENT, RAW_TEXT, SEPARATING, Kind, read
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from spectastic.spec.markup import Fragment, Markup
    from spectastic.spec.visible import Reader

#: The tags that hide something, and ours.
_WATCHED = NAMES | {DECISION}
#: Forgotten, these are open for the rest of a page.
_ENDLESS = ("template", "plaintext")
_SEEN = re.compile(b"\\S")
_NEVER = sys.maxsize


class Places:
    """Where the characters of a text stand in the file, for a text that is stitched of segments.

    Asked in rising order (as scanners do) the answers cost linear time in all.
    """

    __slots__ = ("_mark", "_offsets", "_starts", "shift", "text")

    def __init__(self, segments: list[tuple[str, int]]) -> None:
        self._offsets: list[int] = []
        self._starts: list[int] = []
        total = 0
        for text, start in segments:
            self._offsets.append(total)
            self._starts.append(start)
            total += len(text)
        #: The stitched text.
        self.text = "".join([text for text, _ in segments])
        #: What to add to an index to have its offset, where that is the same for all of them.
        self.shift = self._starts[0] if len(segments) == 1 and self.text.isascii() else None
        self._mark = (-1, 0, 0)

    def start(self, index: int) -> int:
        """The file offset of the character at `index`."""
        if self.shift is not None:
            return self.shift + index
        return self._place(bisect_right(self._offsets, index) - 1, index)

    def end(self, index: int) -> int:
        """The file offset just after the character before `index`."""
        if self.shift is not None:
            return self.shift + index
        return self._place(bisect_right(self._offsets, index - 1) - 1, index)

    def _place(self, segment: int, index: int) -> int:
        offset, start = self._offsets[segment], self._starts[segment]
        known, seen, place = self._mark
        if known != segment or seen > index:
            seen, place = offset, start
        place += len(self.text[seen:index].encode())
        self._mark = (segment, index, place)
        return place


@lru_cache(maxsize=256)
def misspelt(name: str) -> bool:
    """Whether an element's name is a slip for that of a decision, which would go unseen."""
    return nearest(name, (DECISION,), cutoff=0.88) != ""


class HtmlFeed:
    """Tells a `Reader` what HTML says. Hidden elements may reach over several fragments."""

    __slots__ = (
        "_covered",
        "_forgotten",
        "_lowered",
        "_next",
        "_open",
        "_raw",
        "_reader",
        "_templates",
        "hiding",
    )

    def __init__(self, reader: Reader, lowered: bytes, forgotten: frozenset[int]) -> None:
        self._reader = reader
        #: The whole file in lower case, to look ahead in.
        self._lowered = lowered
        #: Where the start tags of elements are that would hide what follows, for want of an end tag.
        self._forgotten = forgotten
        self._templates = 0
        #: The raw text element that is open.
        self._raw = ""
        #: Whether text at this point is never seen.
        self.hiding = False
        #: What was looked for in the file, from where, and where it was found.
        self._next: dict[bytes, tuple[int, int]] = {}
        #: What is still open in a browser, for want of an end, and the markup that ends it, if any does.
        self._open = ("", "")
        #: The index in the fragment before which it is open; `_NEVER` where it is open after it as well.
        self._covered = 0

    def feed(self, segments: list[tuple[str, int]]) -> None:
        """Read one fragment: an HTML block of Markdown, or a tag in a line."""
        places = Places(segments)
        if self._covered:
            self._uncover(places.text)
        self.tell(read(places.text), places)

    def _uncover(self, html: str) -> None:
        """What was open in a browser may end in the next fragment, or has ended in the one before."""
        terminator = self._open[1]
        if self._covered < _NEVER:
            self._covered = 0
        elif terminator and (at := html.lower().find(terminator)) >= 0:
            self._covered = at + 1

    def _cover(self, what: str, terminator: str, index: int) -> None:
        """At an index of the fragment something begins that is open in a browser, unless all is covered."""
        if index >= self._covered:
            self._open = (what, terminator)
            self._covered = _NEVER

    def tell(self, fragment: Fragment, places: Places) -> None:
        """Tell the reader what was read."""
        reader, nesting, shift = self._reader, self._reader.nesting, places.shift
        for piece in fragment.pieces:
            kind, name = piece.kind, piece.name
            if kind is Kind.TEXT:
                if reader.pieces is not None and not self.hiding:
                    start, end = piece.start, piece.end
                    place = (
                        (places.start(start), places.end(end))
                        if shift is None
                        else (start + shift, end + shift)
                    )
                    reader.pieces.append((piece.text, *place))
            elif kind is Kind.HIDDEN:
                self._comment(piece, fragment, places)
            elif self._raw or self._templates or name in _WATCHED:
                self._tag(piece, places)
            else:
                if reader.pieces is not None and name in SEPARATING:
                    reader.blank(places.start(piece.start))
                if kind is Kind.END:
                    nesting.end(name)
                    continue
                nesting.start(name, self_closing=piece.self_closing)
                if name.startswith("spec"):
                    self._other(piece, places)
        if fragment.unfinished is not None:
            self._unfinished(fragment.unfinished, places)

    def _comment(self, piece: Markup, fragment: Fragment, places: Places) -> None:
        """A comment, a doctype or the like; only a comment that ends and is no text is told of."""
        if self._raw or self._templates or piece.start == fragment.unfinished:
            return
        if places.text.startswith("<!--", piece.start):
            doubt = self._open[0] if piece.start < self._covered else ""
            self._reader.comment(places, piece.start, piece.end, doubt)

    def _other(self, piece: Markup, places: Places) -> None:
        """A start tag that may be meant for a decision's."""
        if misspelt(piece.name):
            span = Span(places.start(piece.start), places.end(piece.end))
            message = f"<{short(piece.name)}> is no decision, so nothing in it is checked"
            self._reader.problem(span, message, f"write <{DECISION}>")

    def _tag(self, piece: Markup, places: Places) -> None:
        """A tag that hides or is hidden, or a decision's."""
        start, name = piece.kind is Kind.START, piece.name
        if self._raw:
            if not start and name == self._raw:
                self._leave_raw()
            elif not self.hiding:
                self._reader.blank(places.start(piece.start))
        elif name == "template":
            self._template(piece, places)
        elif start and name in RAW_TEXT:
            self._enter_raw(piece, places)
        elif name == DECISION and not self._templates:
            self._decision(piece, places)

    def _decision(self, piece: Markup, places: Places) -> None:
        span = Span(places.start(piece.start), places.end(piece.end))
        if piece.kind is Kind.END:
            self._reader.close(span)
        else:
            self._reader.open(piece.attributes, span, self_closing=piece.self_closing)

    def _enter_raw(self, piece: Markup, places: Places) -> None:
        name, at = piece.name, places.start(piece.start)
        if name in SEPARATING:
            self._reader.blank(at)
        if at in self._forgotten:
            self._complain(piece, places)
            return
        self._raw = name
        if name in HIDDEN_CONTENT:
            self.hiding = True
        elif not self._templates:
            self._reader.nesting.start(name)

    def _leave_raw(self) -> None:
        if not self.hiding:
            self._reader.nesting.end(self._raw)
        self._raw = ""
        self.hiding = self._templates > 0

    def _template(self, piece: Markup, places: Places) -> None:
        if piece.kind is Kind.END:
            self._templates = max(0, self._templates - 1)
        elif places.start(piece.start) in self._forgotten:
            self._complain(piece, places)
        else:
            self._templates += 1
        self.hiding = self._templates > 0

    def _complain(self, piece: Markup, places: Places) -> None:
        """An element that would hide what follows has no end tag."""
        span = Span(places.start(piece.start), places.end(piece.end))
        # Raw text ends at what looks like its end tag, be it a sample in code; a template does not.
        template = piece.name == "template"
        end = self._end if template else self._find(b"</" + piece.name.encode(), span.end)
        self._cover(f"<{piece.name}>", "" if piece.name in _ENDLESS else f"</{piece.name}", piece.start)
        if not self._matters(span.end, end):
            return
        message = f"the <{piece.name}> is never closed here: browsers do not show what follows as it stands"
        self._reader.problem(span, message, f"end it with </{piece.name}>; what follows counts as visible")

    def _unfinished(self, index: int, places: Places) -> None:
        """A tag or comment begins that its fragment does not end."""
        at, end = places.start(index), places.end(len(places.text))
        comment = self._lowered.startswith(b"<!--", self._at(at))
        terminator = b"-->" if comment else b">"
        what = "comment" if comment else "tag"
        # The quotes that a tag may be waiting for are escaped in text.
        self._cover(what, "-->" if comment else "", index)
        if not self._matters(at, self._find(terminator, end)):
            return
        if _SEEN.search(self._lowered, self._at(end)) is None:
            message = f"the {what} that begins here never ends: nobody sees what follows it"
            hint = f"end it with {terminator.decode()}"
        else:
            message = (
                f"the {what} that begins here is still open at the end of its block: "
                "a browser hides what follows, a Markdown reader shows it"
            )
            hint = f"end it with {terminator.decode()} before the blank line; what follows counts as visible"
        self._reader.problem(Span(at, at + 1), message, hint)

    def _matters(self, start: int, end: int) -> bool:
        """Whether somebody listens, or a decision begins or ends between two places."""
        return self._reader.pieces is not None or self._find(DECISION.encode(), start) < end

    def _find(self, needle: bytes, start: int) -> int:
        """The file offset of the first `needle` from `start` on, or the end of the file.

        Answers are kept: the file is searched once for each needle, however often it is asked.
        """
        asked, found = self._next.get(needle, (0, -1))
        if not asked <= start <= found:
            place = self._lowered.find(needle, self._at(start))
            found = self._end if place < 0 else self._reader.source.base + place
            self._next[needle] = start, found
        return found

    @property
    def _end(self) -> int:
        return self._reader.source.base + len(self._lowered)

    def _at(self, offset: int) -> int:
        return offset - self._reader.source.base


def tags_of(segments: list[tuple[str, int]]) -> list[Tag]:
    """The tags of a fragment that a survey has to see."""
    places = Places(segments)
    return _tags(read(places.text), places)


def scan(reader: Reader, lowered: bytes) -> None:
    """Read an HTML spec; `lowered` is all of it, in lower case."""
    places = Places([(reader.source.text, reader.source.base)])
    fragment = read(places.text)
    if b"<template" in lowered:
        without_end = forgotten([_tags(fragment, places)])
    else:
        without_end = frozenset([places.start(at) for at in fragment.forgotten])
    HtmlFeed(reader, lowered, without_end).tell(fragment, places)


def _tags(fragment: Fragment, places: Places) -> list[Tag]:
    return [
        Tag(piece.name, piece.kind is Kind.START, places.start(piece.start))
        for piece in fragment.pieces
        if piece.name in NAMES
    ]
