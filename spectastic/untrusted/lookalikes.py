"""Text as a hasty reader, or a model, takes it: look-alikes of ASCII as ASCII, all in lower case.

Only for looking: what is shown or stored is never normalised, since `½` and `²` are facts.
"""

from __future__ import annotations

import re
from array import array
from itertools import chain
from typing import TYPE_CHECKING

from spectastic.text import INVISIBLE
from spectastic.untrusted import INLINE

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Letters that look like one of ASCII's and that no normal form makes one of it, each with its likeness.
_LETTERS = {
    "a": "АаΑαɑᴀ⍺ꓮᎪ",
    "b": "ВвΒβЬьʙᏴꓐ",
    "c": "СсϹϲᴄꓚᏟ",
    "d": "ԁɗᴅᏧꓓᎠ",
    "e": "ЕеΕεҽᴇЄєꓰᎬ",
    "f": "ϜғꜰƑꓝ",
    "g": "ɡɢԌցꓖᏀ",
    "h": "НнΗһʜհꓧᎻ",
    "i": "ІіΙιıɪӀℹꓲ",
    "j": "ЈјϳᴊꓙᎫ",
    "k": "КкΚκᴋꓗᏦ",
    "l": "ʟӏᏞꓡ",
    "m": "МмΜᴍꓟᎷ",
    "n": "Νηոɴꓠ",
    "o": "ОоΟοσօᴏꓳ",
    "p": "РрΡρᴘꓑᏢ",
    "q": "ԛգ",
    "r": "гʀᏒᴦꓣᎡ",
    "s": "ЅѕꜱᏚꓢᏕ",
    "t": "ТтΤτᴛꓔ",
    "u": "υսᴜꓴ",
    "v": "ѴѵνᴠꓦᏙ",
    "w": "ԜԝωᴡɯꓪᎳ",
    "x": "ХхΧχꓫ",
    "y": "УуΥγүʏꓬᎩ",
    "z": "ΖᴢꓜᏃ",
    "<": "‹〈⟨《❮❰˂⋖«",
    ">": "›〉⟩》❯❱˃⋗»",
    "|": "ǀ¦∣│┃╎╏❘❙❚⏐⎪⏽",
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
_REFERENCE = "#[0-9]{1,7};|#[Xx][0-9A-Fa-f]{1,6};|[A-Za-z]{2,6};"
#: Besides, tags and character references. One class comes first, so that the search can skip to the next.
_SKIPPED_IN_MARKUP = re.compile(
    f"[<&{_PASSED[1:]}(?:(?<=<)/?(?i:{INLINE})(?:[\\s/][^<>]{{0,200}}+)?>"
    f"|(?<=&)(?:{_REFERENCE})|(?<={_PASSED}){_PASSED}*+)"
)


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


class Folded:
    """Text as it is taken, which knows where each of its characters stood."""

    __slots__ = ("_original", "_places", "_skipped", "text")

    def __init__(self, text: str, original: str, skipped: re.Pattern[str] | None = None) -> None:
        self.text = text
        self._original = original
        #: What was passed over; `None` where no character moved.
        self._skipped = skipped
        self._places: array[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]`, which is not empty, stood in the original text."""
        if self._skipped is None:
            return start, end
        if self._places is None:
            self._places = _where(self._original, self._skipped)
        return self._places[2 * start], self._places[2 * end - 1]


def fold(text: str, *, markup: bool = False) -> Folded:
    """Text as it is taken. With `markup`, character references are read, and tags in a line are not."""
    skipped = _SKIPPED_IN_MARKUP if markup else _SKIPPED
    read = skipped.sub(_read, text)
    return Folded(_folded(read), text, None if read == text else skipped)


def _where(text: str, skipped: re.Pattern[str]) -> array[int]:
    """Where each character of the folded text began and ended."""
    places = array("q")
    at = 0
    for match in skipped.finditer(text):
        places.extend(_pairs(at, match.start()))
        places.extend(match.span() * len(_read(match)))
        at = match.end()
    places.extend(_pairs(at, len(text)))
    return places


def _folded(text: str) -> str:
    """Text of the same length, in which each character is what it is taken for."""
    text = text.replace("\r\n", " \n")  # which is one line end
    if text.isascii() and _LINE_END.search(text) is None:
        return text.lower()  # the same, and quick
    return text.translate(_TABLE)


def _pairs(start: int, end: int) -> Iterator[int]:
    """Where each character of a stretch begins and ends."""
    return chain.from_iterable(zip(range(start, end), range(start + 1, end + 1), strict=True))


def _read(skipped: re.Match[str]) -> str:
    """What is read in the place of something that is passed over: a character for its reference."""
    if not skipped[0].startswith("&"):
        return ""
    from html import unescape

    return _SKIPPED.sub("", unescape(skipped[0]))
