"""HTML that hides what is in it from readers, and not from whoever reads the file: elements and comments."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMENT = re.compile("<!--((?:[^-]|-(?!->))*+)(?:-->)?")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_END = "(?=[;!]|$)"
_ZERO = f"(?:0++(?:\\.0*+)?|\\.0++)(?:[a-z]{{1,9}}|%)?{_END}"
#: What a style says, without its blanks, where nobody sees the element.
_STYLE = re.compile(
    "(?:^|;)(?:"
    "display:none|visibility:(?:hidden|collapse)"
    f"|opacity:(?:0++(?:\\.0*+)?|\\.0++)%?{_END}|font-size:(?:{_ZERO}|[01]px{_END})"
    "|(?:left|right|top|bottom|text-indent|margin-left|margin-top):-[0-9]{3}"
    "|clip:rect\\((?:0|1px)|clip-path:(?:inset\\((?:50|100)%|circle\\(0)"
    "|transform:(?:scale\\(0\\)|translatex?\\(-[0-9]{3})"
    "|color:transparent"
    ")"
)
#: An element without a size hides what is in it only where that may not flow over. With a padding it has one.
_NO_SIZE = re.compile(f"(?:^|;)(?:max-)?(?:height|width):{_ZERO}")
_CUT = re.compile("(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)")
_COLOURS = "#fff(?:fff)?|white|rgba?\\(255,255,255[^;()]{0,20}\\)"
_WHITE = re.compile(f"(?:^|;)color:(?:{_COLOURS}){_END}")
_ON_WHITE = re.compile(f"(?:^|;)background(?:-color)?:(?:{_COLOURS}){_END}")
#: A comment that never ends reaches to the end of the style.
_CSS_COMMENT = re.compile("/\\*(?:[^*]|\\*(?!/))*+(?:\\*/)?|\\s++")
#: Classes of text for those who listen to a page, by convention.
_SPOKEN = frozenset(
    (
        "sr-only",
        "visually-hidden",
        "visuallyhidden",
        "screen-reader-text",
        "screen-reader-only",
        "show-for-sr",
    )
)
#: More words are no label.
_SPOKEN_WORDS = 12
#: Elements that end where the next one of their name begins.
_IMPLIED = frozenset(("p", "li", "td", "th", "tr", "dt", "dd", "option"))
_WORD = re.compile("[^\\W\\d_]{2,}+")
#: Fewer words are a label or a sign: they tell nobody to do anything.
_WORDS = 3


class Part(NamedTuple):
    """Text that is hidden: where the tag or comment begins and ends, and where the text does."""

    start: int
    end: int
    inner_start: int
    inner_end: int


def comments(text: str) -> Iterator[Part]:
    """Every comment; one that never ends reaches to the end of the text."""
    for match in _COMMENT.finditer(text):
        yield Part(*match.span(), *match.span(1))


def elements(text: str) -> Iterator[Part]:
    """The outermost elements that hide words; one without an end tag reaches to the end of the text."""
    name, tag, depth, words, least = "", (0, 0), 0, 0, _WORDS
    grounds = _Grounds()
    at = 0
    for kind, at_start, at_end, found, attributes, data in _tokens(text):
        at = at_end
        if depth and kind == "text":
            words += len(_WORD.findall(data))
        elif depth and found == name:
            depth += 1 if kind == "start" else -1
            if not depth and words >= least:
                yield Part(*tag, tag[1], at_start)
        elif not depth and kind == "start" and found not in _VOID:
            grounds.begin(found)
            if is_hidden(attributes, on_white=not grounds.coloured):
                name, tag, depth, words = found, (at_start, at_end), 1, 0
                least = _SPOKEN_WORDS + 1 if _is_spoken(attributes) else _WORDS
            else:
                grounds.opened(found, attributes)
        elif not depth and kind == "end":
            grounds.closed(found)
    if depth and words >= least:
        yield Part(*tag, tag[1], max(at, tag[1]))


class _Grounds:
    """The elements around a place, and how many of them have a background that is not white."""

    def __init__(self) -> None:
        self.coloured = 0
        self._open: list[tuple[str, bool]] = []
        self._names: Counter[str] = Counter()

    def begin(self, name: str) -> None:
        """An element begins, which may end the one before it."""
        if name in _IMPLIED and self._open and self._open[-1][0] == name:
            self._pop()

    def opened(self, name: str, attributes: _Attributes) -> None:
        """An element has begun that is shown."""
        coloured = any(
            key == "bgcolor" or (key == "style" and value and _has_ground(_plain(value)))
            for key, value in attributes
        )
        self._open.append((name, coloured))
        self._names[name] += 1
        self.coloured += coloured

    def closed(self, name: str) -> None:
        """An element ends, and with it those in it that are open."""
        while self._names[name] and self._pop() != name:
            pass

    def _pop(self) -> str:
        name, coloured = self._open.pop()
        self._names[name] -= 1
        self.coloured -= coloured
        return name


def is_hidden(attributes: _Attributes, *, on_white: bool = True) -> bool:
    """Whether an element with these attributes is not shown. What a style sheet does nobody asks."""
    for key, value in attributes:
        if key == "hidden" and (value or "").strip().lower() != "until-found":
            return True
        if key == "style" and value and _style_hides(_plain(value), on_white):
            return True
    return False


def _style_hides(style: str, on_white: bool) -> bool:
    if _STYLE.search(style):
        return True
    if _NO_SIZE.search(style) and _CUT.search(style) and "padding" not in style:
        return True
    white = _ON_WHITE.search(style) is not None or (on_white and not _has_ground(style))
    return white and _WHITE.search(style) is not None


def _plain(style: str) -> str:
    """A style without blanks and comments."""
    return _CSS_COMMENT.sub("", style).lower()


def _has_ground(style: str) -> bool:
    """Whether a style sets a background that is not white."""
    return "background" in style and not _ON_WHITE.search(style)


def _is_spoken(attributes: _Attributes) -> bool:
    """Whether an element is for those who listen to a page."""
    return any(
        key == "class" and not _SPOKEN.isdisjoint((value or "").lower().split()) for key, value in attributes
    )


_Attributes: TypeAlias = "Sequence[tuple[str, str | None]]"
_Token = tuple[str, int, int, str, _Attributes, str]


def _tokens(text: str) -> Iterator[_Token]:
    """Kind (`start`, `end`, `text` or ``), place, name, attributes and text of each piece of HTML."""
    from turbohtml import TokenType, tokenize

    kinds = {TokenType.TEXT: "text", TokenType.START_TAG: "start", TokenType.END_TAG: "end"}
    # Of the same length: the tokenizer drops a CR before an LF, and `</>` without a token.
    plain = text.replace("\r", " ").replace("</>", "<!>")
    at = 0
    for token in tokenize(plain, resolve_references=False, capture_source=True):
        kind, data = kinds.get(token.type, ""), token.data or ""
        start, at = at, at + len(data if kind == "text" else token.source or "")
        yield kind, start, at, token.tag or "", token.attrs or (), data
