"""Decisions in HTML: whole documents, and the HTML inside Markdown."""

from __future__ import annotations

from bisect import bisect_right

from spectastic.findings import Span
from spectastic.spec.markup import DECISION, HIDDEN_CONTENT, VOID, Kind, Markup, read, separates
from spectastic.spec.visible import Reader


class Places:
    """Where the characters of a text stand in the file, for a text that is stitched of segments.

    Asked in rising order (as scanners do) the answers cost linear time in all.
    """

    __slots__ = ("_ascii", "_at", "_mark", "_offsets", "_starts", "_text")

    def __init__(self, segments: list[tuple[str, int]]) -> None:
        self._offsets: list[int] = []
        self._starts: list[int] = []
        total = 0
        for text, start in segments:
            self._offsets.append(total)
            self._starts.append(start)
            total += len(text)
        self._text = "".join([text for text, _ in segments])
        self._ascii = self._text.isascii()
        self._mark = (-1, 0, 0)

    @property
    def text(self) -> str:
        """The stitched text, each CRLF read as a blank and LF."""
        return self._text.replace("\r", " ")

    def start(self, index: int) -> int:
        """The file offset of the character at `index`."""
        return self._place(max(0, bisect_right(self._offsets, index) - 1), index)

    def end(self, index: int) -> int:
        """The file offset just after the character before `index`."""
        return self._place(max(0, bisect_right(self._offsets, index - 1) - 1), index)

    def _place(self, segment: int, index: int) -> int:
        offset, start = self._offsets[segment], self._starts[segment]
        if self._ascii:
            return start + index - offset
        known, seen, place = self._mark
        if known != segment or seen > index:
            seen, place = offset, start
        place += len(self._text[seen:index].encode())
        self._mark = (segment, index, place)
        return place


class HtmlFeed:
    """Tells a `Reader` what HTML says. Hidden elements may reach over several fragments."""

    __slots__ = ("_hidden", "_hidden_at", "_lowered", "_reader", "_templates")

    def __init__(self, reader: Reader, lowered: bytes) -> None:
        self._reader = reader
        #: The whole file in lower case, to look ahead in.
        self._lowered = lowered
        self._templates = 0
        #: The script or style element that is open, and where it began.
        self._hidden = ""
        self._hidden_at = 0

    @property
    def hiding(self) -> bool:
        """Whether text at this point is never seen."""
        return self._templates > 0 or self._hidden != ""

    def feed(self, places: Places) -> None:
        """Read one fragment: a document, an HTML block of Markdown, or a tag in a line."""
        fragment = read(places.text)
        for piece in fragment.pieces:
            if piece.kind is Kind.TEXT:
                if not self.hiding:
                    self._reader.text(piece.text, places.start(piece.start), places.end(piece.end))
            elif piece.kind is not Kind.HIDDEN:
                self._tag(piece, Span(places.start(piece.start), places.end(piece.end)))
        if fragment.unfinished is not None:
            self._unfinished(places.start(fragment.unfinished))

    def block_ends(self) -> None:
        """A block of Markdown ends, or the document: what follows a forgotten end tag counts as seen."""
        if self._hidden:
            self._disagree(self._hidden_at, b"</" + self._hidden.encode())
            self._hidden = ""

    def _tag(self, piece: Markup, span: Span) -> None:
        start, name = piece.kind is Kind.START, piece.name
        if self._hidden:
            if not start and name == self._hidden:
                self._hidden = ""
        elif name == "template":
            self._template(span, start=start)
        elif self._templates:
            pass
        elif name in HIDDEN_CONTENT:
            self._hidden, self._hidden_at = (name, span.start) if start else ("", 0)
        elif name == DECISION and start:
            self._reader.open(piece.attributes, span, self_closing=piece.self_closing)
        elif name == DECISION:
            self._reader.close(span)
        elif separates(name):
            self._reader.blank(span.start)
            if name not in VOID:
                (self._reader.start_element if start else self._reader.end_element)(name)

    def _template(self, span: Span, *, start: bool) -> None:
        self._reader.blank(span.start)
        if not start:
            self._templates = max(0, self._templates - 1)
        elif self._lowered.find(b"</template", self._at(span.end)) >= 0:
            self._templates += 1
        elif self._matters(span.end, len(self._lowered)):
            # Hiding the rest of the file would let a forgotten tag switch the gates off.
            message = "the <template> is never closed: browsers hide the rest of the file"
            self._reader.problem(span, message, "end it with </template>")

    def _unfinished(self, at: int) -> None:
        """A tag or comment begins that its fragment does not end."""
        comment = self._lowered.startswith(b"<!--", self._at(at))
        self._disagree(at, b"-->" if comment else b">")

    def _disagree(self, at: int, terminator: bytes) -> None:
        end = self._lowered.find(terminator, self._at(at) + 2)
        if self._matters(at, end if end >= 0 else len(self._lowered)):
            self._reader.problem(
                Span(at, at + 1),
                "markup begins here that the end of its block leaves open: "
                "a browser hides what follows, a Markdown reader shows it",
                "close it before the blank line; the text counts as visible",
            )

    def _matters(self, start: int, end: int) -> bool:
        """Whether a decision is open, or one begins or ends between two places."""
        if self._reader.deciding:
            return True
        return self._lowered.find(DECISION.encode(), self._at(start), end) >= 0

    def _at(self, offset: int) -> int:
        return offset - self._reader.source.base


def scan(reader: Reader) -> None:
    """Read an HTML spec."""
    source = reader.source
    feed = HtmlFeed(reader, source.encoded.lower())
    feed.feed(Places([(source.text, source.base)]))
    feed.block_ends()
