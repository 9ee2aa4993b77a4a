"""HTML that hides what is in it from readers, and not from whoever reads the file: elements and comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMENT = re.compile("<!--(.*?)(?:-->|\\Z)", re.DOTALL)
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_END = "(?=[;!]|$)"
_ZERO = f"0*(?:\\.0*)?(?:[a-z]+|%)?{_END}"
#: What a style says, without its blanks, where nobody sees the element.
_STYLE = re.compile(
    "(?:^|;)(?:"
    "display:none|visibility:(?:hidden|collapse)"
    f"|opacity:0(?:\\.0*)?%?{_END}|font-size:(?:{_ZERO}|[01]px{_END})"
    "|(?:left|right|top|bottom|text-indent|margin-left|margin-top):-[0-9]{3,}"
    "|clip:rect\\((?:0|1px)|clip-path:(?:inset\\((?:50|100)%|circle\\(0)"
    "|transform:(?:scale\\(0\\)|translatex?\\(-[0-9]{3,})"
    "|color:transparent"
    f"|(?:max-)?(?:height|width):{_ZERO}"
    ")"
)
_WHITE = re.compile(f"(?:^|;)color:(?:#fff(?:fff)?|white|rgba?\\(255,255,255.*?\\)){_END}")
_CSS_COMMENT = re.compile("/\\*.*?\\*/|\\s+", re.DOTALL)
_WORD = re.compile("[^\\W\\d_]{2,}")
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
    name, tag, depth, words = "", (0, 0), 0, 0
    at = 0
    for kind, at_start, at_end, found, attributes, data in _tokens(text):
        at = at_end
        if not depth:
            if kind == "start" and found not in _VOID and is_hidden(attributes):
                name, tag, depth, words = found, (at_start, at_end), 1, 0
        elif kind == "text":
            words += len(_WORD.findall(data))
        elif found == name:
            depth += 1 if kind == "start" else -1
            if not depth and words >= _WORDS:
                yield Part(*tag, tag[1], at_start)
    if depth and words >= _WORDS:
        yield Part(*tag, tag[1], max(at, tag[1]))


def is_hidden(attributes: Sequence[tuple[str, str | None]]) -> bool:
    """Whether an element with these attributes is not shown. What a style sheet does nobody asks."""
    for key, value in attributes:
        if key == "hidden":
            return True
        if key == "style" and value:
            style = _CSS_COMMENT.sub("", value).lower()
            if _STYLE.search(style) or ("background" not in style and _WHITE.search(style)):
                return True
    return False


_Token = tuple[str, int, int, str, "Sequence[tuple[str, str | None]]", str]


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
