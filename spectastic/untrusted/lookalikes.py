"""Text as a hasty reader, or a model, takes it: look-alikes of ASCII as ASCII, all in lower case.

Only for looking: what is shown or stored is never normalised, since `½` and `²` are facts.
"""

from __future__ import annotations

import re
from array import array
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from spectastic.text import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Letters that look like one of ASCII's and that no normal form makes one of it, each with its likeness.
_LETTERS = {
    "a": "АаΑαɑᴀ⍺",
    "b": "ВвΒβЬьʙᏴ",
    "c": "СсϹϲᴄ",
    "d": "ԁɗᴅᏧ",
    "e": "ЕеΕεҽᴇЄє",
    "f": "ϜғꜰƑ",
    "g": "ɡɢԌց",
    "h": "НнΗһʜհ",
    "i": "ІіΙιıɪӀℹ",
    "j": "Јјϳᴊ",
    "k": "КкΚκᴋ",
    "l": "ʟӏᏞǀ",
    "m": "МмΜᴍ",
    "n": "Νηոɴ",
    "o": "ОоΟοσօᴏ",
    "p": "РрΡρᴘ",
    "q": "ԛգ",
    "r": "гʀᏒᴦ",
    "s": "ЅѕꜱᏚ",
    "t": "ТтΤτᴛ",
    "u": "υսᴜ",
    "v": "Ѵѵνᴠ",
    "w": "Ԝԝωᴡɯ",
    "x": "ХхΧχ",
    "y": "УуΥγүʏ",
    "z": "Ζᴢ",
    "<": "‹〈⟨《❮❰˂⋖«",
    ">": "›〉⟩》❯❱˃⋗»",
    "|": "¦∣│┃╎╏❘❙❚⏐⎪⏽",
    "[": "⟦【〔〖⦋⁅",
    "]": "⟧】〕〗⦌⁆",
    "{": "❴⦃",
    "}": "❵⦄",
    "-": "‐‑‒–—―⁃−─━⸺⸻﹘〜〰",
    "=": "═⹀゠",
    "_": "▁‗ˍ",
    "/": "⁄∕⧸╱",
    ":": "ː˸։׃꞉∶⁝︓",
    "#": "♯⌗",
    "*": "∗⁎✱٭",
    "\n": "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029",
}
_CONTROLS = "\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
#: What a reader passes over: invisible characters, controls, and marks on top of letters.
_PASSED = f"[{INVISIBLE}{_CONTROLS}\u2800\u0300-\u036f\u20d0-\u20dc\u20de-\u20df\u20e1-\u20ff]"
_LINE_END = re.compile("[\r\x0b\x0c\x1c-\x1e]")
_SKIPPED = re.compile(f"{_PASSED}++")
_NAMES = "a|b|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr"
_REFERENCE = "#[0-9]{1,7};|#[Xx][0-9A-Fa-f]{1,6};|[A-Za-z]{2,6};"
#: Besides, tags and character references. One class comes first, so that the search can skip to the next.
_SKIPPED_IN_MARKUP = re.compile(
    f"[<&{_PASSED[1:]}(?:(?<=<)/?(?:{_NAMES})(?:[\\s/][^<>]{{0,200}}+)?>"
    f"|(?<=&)(?:{_REFERENCE})|(?<={_PASSED}){_PASSED}*+)"
)


#: Invisible characters and look-alikes, among them those that a normal form makes ASCII letters of.
_ODD = re.compile(
    f"[{_PASSED[1:-1]}{re.escape(''.join(_LETTERS.values()))}\uff01-\uff5e\u1d00-\u1dbf\u2070-\u209c\u2100-\u214f"
    "\u2460-\u24ff\U0001d400-\U0001d7ff\U0001f100-\U0001f1ff]"
)
#: Of those, what ordinary prose is full of.
_PLAIN = str.maketrans("", "", "«»‐‑‒–—―−′№™℃ª²³¹")


def is_odd(characters: str) -> bool:
    """Whether any character is invisible, or looks like one of ASCII's and is not in everybody's prose."""
    return _ODD.search(characters.translate(_PLAIN)) is not None


class _Table(dict[int, int]):
    """What each character is taken for, worked out when it is first met."""

    def __missing__(self, code: int) -> int:
        from unicodedata import normalize

        # A character is one character of the result, whatever it decomposes to: places stay what they are.
        plain = normalize("NFKD", chr(code))[0]
        found = self.get(ord(plain), ord(plain.lower()) if plain.isascii() else code)
        self[code] = found
        return found


_TABLE = _Table({ord(other): ord(one) for one, others in _LETTERS.items() for other in others})


class Folded(NamedTuple):
    """Text as it is taken. `places` says where each character began and ended, `None` where none moved."""

    text: str
    places: array[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]`, which is not empty, stood in the original text."""
        return (start, end) if self.places is None else (self.places[2 * start], self.places[2 * end - 1])


def fold(text: str, *, markup: bool = False) -> Folded:
    """Text as it is taken. With `markup`, character references are read, and tags in a line are not."""
    parts: list[str] = []
    places = array("q")
    at = 0
    for match in (_SKIPPED_IN_MARKUP if markup else _SKIPPED).finditer(text):
        read = _read(match[0])
        parts += (text[at : match.start()], read)
        places.extend(_pairs(at, match.start()))
        places.extend(match.span() * len(read))
        at = match.end()
    if not at:
        return Folded(_folded(text))
    parts.append(text[at:])
    places.extend(_pairs(at, len(text)))
    return Folded(_folded("".join(parts)), places)


def _folded(text: str) -> str:
    """Text of the same length, in which each character is what it is taken for."""
    if text.isascii() and _LINE_END.search(text) is None:
        return text.lower()  # the same, and quick
    return text.translate(_TABLE)


def _pairs(start: int, end: int) -> Iterator[int]:
    """Where each character of a stretch begins and ends."""
    return chain.from_iterable(zip(range(start, end), range(start + 1, end + 1), strict=True))


def _read(skipped: str) -> str:
    """What is read in the place of something that is passed over: a character for its reference."""
    if not skipped.startswith("&"):
        return ""
    from html import unescape

    return unescape(skipped)
