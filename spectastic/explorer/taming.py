"""Somebody's HTML as a few plain elements, written anew: what `clean` hands to the sanitiser.

The reading is that of `spectastic.spec.markup`, so a page shows what `validate` reads. Of all that the
document says about itself, only what `_ATTRIBUTES` checks is written down again, and text as text. So the
sanitiser sees no comment, no script, no foreign element and no deep nesting, whatever the document holds.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from spectastic.spec.hiding import NAMES, Tag, forgotten
from spectastic.spec.markup import DECISION, HIDDEN_CONTENT, RAW_TEXT, SEPARATING, Kind, read, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from spectastic.spec.markup import Fragment, Markup

#: Elements stand in one another to this depth; of those further in, only the text is kept.
MAX_DEPTH = 100

#: The elements that are kept, `DECISION` beside them where it is asked for.
KEPT = words(
    "a abbr b bdi blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i ins "
    "kbd li mark ol p pre q s samp small strong sub summary sup table tbody td tfoot th thead tr u ul "
    "var"
)
#: Elements that say what kind of block they are; to a reader they are blocks.
_BLOCKS = words(
    "address article aside center dialog dir fieldset figcaption figure footer form header hgroup main menu "
    "nav search section"
)
_LINK = re.compile("((?:https?://|mailto:)[^\0-\x20\x7f-\x9f]+)", re.IGNORECASE)
_ALIGN = re.compile("(?:text-align:)?(left|right|center);?", re.IGNORECASE)
_SCOPE = re.compile("(row|col|rowgroup|colgroup)", re.IGNORECASE)
_SPAN = re.compile("([1-9][0-9]?)")
_NUMBER = re.compile("(-?[0-9]{1,9})")
#: The attributes that are written again, by element: the one whose value is read, what of it is written.
#: Markdown tables say in a style how their cells are aligned.
_CELL = (
    ("style", "align", _ALIGN),
    ("align", "align", _ALIGN),
    ("colspan", "colspan", _SPAN),
    ("rowspan", "rowspan", _SPAN),
)
_ATTRIBUTES: Mapping[str, tuple[tuple[str, str, re.Pattern[str]], ...]] = {
    "a": (("href", "href", _LINK),),
    "details": (("open", "open", re.compile("(open|)", re.IGNORECASE)),),
    "li": (("value", "value", _NUMBER),),
    "ol": (("start", "start", _NUMBER),),
    "td": _CELL,
    "th": (*_CELL, ("scope", "scope", _SCOPE)),
}
#: Whose attributes matter.
_ASKED = frozenset({*_ATTRIBUTES, "img", DECISION})
#: Parts of a table; each one ends those that are open, and begins in a table alone.
_CELLS = frozenset({"td", "th", "caption"})
_ROWS = frozenset({"tr", "tbody", "thead", "tfoot"})
#: End tags do not reach beyond these.
_BOUNDS = _CELLS | {"table"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"dd", "dl", "dt", "li", "ol", "ul"})
#: Where one of these begins, a paragraph ends.
_END_PARAGRAPH = _HEADINGS | _LISTS | {"blockquote", "details", "div", "hr", "p", "pre", "summary", "table"}
#: What an item ends where it begins, and what it does not look beyond.
_ITEMS = {"li": frozenset({"li"}), "dt": frozenset({"dt", "dd"}), "dd": frozenset({"dt", "dd"})}
_ITEM_BOUNDS = _BOUNDS | (_END_PARAGRAPH - {"div", "p"})
#: Where what stands in one of these goes on behind its end tag, so does the element, until that ends.
_FORMATS = words("a b code em i s small strong u")
_EMPTY = frozenset({"br", "hr"})
#: Marks an open element whose end tag came too early.
_ENDED = "/"


def tame(text: str, *, demote: int, decisions: bool) -> str:
    """The HTML `text` with its allowed elements only; headings `demote` levels down, at most to `h6`."""
    fragment = read(text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd"), _ASKED)
    writer = _Writer(demote, _forgotten(fragment), decisions=decisions)
    for piece in fragment.pieces:
        writer.take(piece)
    return writer.finish()


def _forgotten(fragment: Fragment) -> frozenset[int]:
    """Where the tags are that would hide the rest of the text, for want of an end tag."""
    tags = [
        Tag(piece.name, piece.kind is Kind.START, piece.start)
        for piece in fragment.pieces
        if piece.name in NAMES
    ]
    return forgotten([tags]) | frozenset(fragment.forgotten)


class _Writer:
    """Writes what it is given, piece by piece, and each end tag that is missing, as browsers add them.

    Written out, no end is left to the sanitiser's parser, which could be led to nest without bound.
    """

    def __init__(self, demote: int, without_end: frozenset[int], *, decisions: bool) -> None:
        self._out: list[str] = []
        self._demote = demote
        self._without_end = without_end
        self._kept = KEPT | {DECISION} if decisions else KEPT
        self._open: list[str] = []
        self._raw = ""
        self._templates = 0

    def finish(self) -> str:
        self._close(0)
        return "".join(self._out)

    def take(self, piece: Markup) -> None:
        if piece.kind is Kind.TEXT:
            if not self._templates and self._raw not in _UNSHOWN:
                self._out.append(escape(piece.text, quote=False))
        elif self._raw:
            if piece.kind is Kind.END and piece.name == self._raw:
                self._raw = ""
        elif piece.name == "template":
            self._template(piece)
        elif piece.kind is Kind.START and piece.name in RAW_TEXT and piece.start not in self._without_end:
            self._raw = piece.name
            self._separate(piece.name)
        elif piece.kind is not Kind.HIDDEN and not self._templates:
            self._tag(piece)

    def _template(self, piece: Markup) -> None:
        if piece.kind is Kind.END:
            self._templates = max(0, self._templates - 1)
        elif piece.start not in self._without_end:
            self._templates += 1

    def _separate(self, name: str) -> None:
        """An element that is left out still stands between the words around it."""
        if name in SEPARATING and not self._templates:
            self._out.append(" ")

    def _tag(self, piece: Markup) -> None:
        name = "div" if piece.name in _BLOCKS else piece.name
        if name in _HEADINGS:
            name = f"h{min(6, int(name[1]) + self._demote)}"
        if name == "img":
            self._image(piece.attributes)
        elif name not in self._kept:
            self._separate(name)
        elif piece.kind is Kind.START or name == "br":
            self._start(name, _attributes(name, piece.attributes))
        else:
            self._end(name)

    def _image(self, attributes: Mapping[str, str]) -> None:
        """A page asks for nothing from elsewhere: a picture is the text that stands for it."""
        words = attributes.get("alt", "image").strip()
        self._out.append(f" [{escape(words, quote=False)}] " if words else " ")

    def _start(self, name: str, attributes: str) -> None:
        if self._may_begin(name, attributes):
            self._out.append(f"<{name}{attributes}>")
            if name not in _EMPTY and name not in _ROWS:
                self._open.append(name)
        else:
            self._separate(name)

    def _may_begin(self, name: str, attributes: str) -> bool:
        """Whether an element may begin here. What it ends, it ends."""
        if name == "a" and (not attributes or self._find({"a"}) is not None):
            return False
        if name in _CELLS or name in _ROWS:
            at = self._find({"table"})
            if at is None:
                return False
            self._close(at + 1)
        if name in _ITEMS:
            self._close(self._find(_ITEMS[name], _ITEM_BOUNDS))
        if name in _END_PARAGRAPH:
            self._close(self._find({"p"}, _BOUNDS))
        if name in _HEADINGS and self._open and self._open[-1] in _HEADINGS:
            self._close(len(self._open) - 1)
        return name in _EMPTY or name in _ROWS or len(self._open) < MAX_DEPTH

    def _end(self, name: str) -> None:
        table = name == "table" or name in _ROWS
        at = self._find({"table"} if table else {name}, frozenset() if table else _BOUNDS - {name})
        if at is None:
            self._separate(name)
        elif name in _ROWS:
            self._close(at + 1)
            self._out.append(f"</{name}>")
        elif name in _FORMATS and at < len(self._open) - 1:
            self._open[at] += _ENDED
        else:
            self._close(at)

    def _close(self, at: int | None) -> None:
        """End the open elements from the one at this place on, and those around it that waited for that."""
        if at is None:
            return
        while len(self._open) > at or (self._open and self._open[-1].endswith(_ENDED)):
            self._out.append(f"</{self._open.pop().removesuffix(_ENDED)}>")

    def _find(self, names: Set[str], bounds: Set[str] = frozenset()) -> int | None:
        """Where the innermost open element of these names is, if it is not beyond one of the `bounds`."""
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at] in names:
                return at
            if self._open[at] in bounds:
                return None
        return None


#: Of these, not even the text is shown. A title is a page's, not a text's.
_UNSHOWN = HIDDEN_CONTENT | {"title"}


def _attributes(name: str, given: Mapping[str, str]) -> str:
    if name == DECISION:
        return "".join(f' {key}="{escape(given[key])}"' for key in ("id", "grounding") if key in given)
    written: dict[str, str] = {}
    for key, target, pattern in _ATTRIBUTES.get(name, ()):
        match = pattern.fullmatch(given.get(key, "\0").strip())
        if match is not None:
            written.setdefault(target, match[1])
    return "".join(f' {key}="{escape(value)}"' for key, value in written.items())
