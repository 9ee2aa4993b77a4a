"""Characters that a reader does not see: shown as escapes, and told from those that writing needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.text import INVISIBLE
from spectastic.untrusted import has_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

#: All but line feed and tab that shows as nothing, moves what is shown, or ends a line for some readers;
#: and what is for private use, which shows as anything.
UNSEEN = re.compile(
    f"[{INVISIBLE}\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u2800\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    "\U00013430-\U0001343f\U0001d159\ue000-\uf8ff\U000f0000-\U0010ffff]"
)

#: What nobody needs in a text. NUL, line ends and page breaks are the business of others.
_RUN = re.compile(f"[{INVISIBLE}\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]++")

_SYMBOL = "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_HAN = "\u2e80-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
#: Scripts whose letters join, or do not, by what stands between them, and those without blanks.
_JOINING = "\u0620-\u074f\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3"
_WITHOUT_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u3041-\u30ff\u3400-\u9fff"

#: Where writing needs what cannot be seen: emoji and flags, joined letters, hyphenation, variants of a sign.
_ORDINARY = "|".join(
    (
        f"(?<=[{_SYMBOL}])[\ufe0e\ufe0f]?\u200d(?=[{_SYMBOL}])",
        f"(?<=[{_SYMBOL}\u2000-\u22ff])[\ufe00-\ufe0f]",
        "(?<=[0-9#*])\ufe0f(?=\u20e3)",
        "(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f",
        f"(?<=[{_JOINING}])[\u200c\u200d]",
        f"(?<=[{_WITHOUT_BLANKS}])\u200b(?=[{_WITHOUT_BLANKS}])",
        f"(?<=[{_HAN}])[\ufe00-\ufe0f\U000e0100-\U000e01ef]",
        "(?<=[\u1820-\u18aa])[\u180b-\u180f]",
        "(?<=[^\\W\\d_])\u00ad(?=[^\\W\\d_])",
    )
)
#: Marks, embeddings and isolates, but no overrides; and letters that are written from right to left.
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]++")
_RIGHT_TO_LEFT = re.compile(
    "[\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u0700-\u08c7\ufb1d-\ufdc7\ufdf0-\ufdfc\ufe70-\ufefc]"
)
#: How far from a mark of direction the letters may be that need it, in characters.
_NEAR = 200


def escape(character: str) -> str:
    """A character by its number, for people, such as U+200B between braces behind a backslash and `u`."""
    return f"\\u{{{ord(character):x}}}"


def smuggled(text: str) -> Iterator[tuple[int, int]]:
    """Runs `[start, end)` of invisible or control characters that the writing around them does not need."""
    if text.isascii() and not has_controls(text):
        return
    for run in _RUN.finditer(text):
        ordinary = re.compile(_ORDINARY).match(text, run.start())
        if ordinary is not None and ordinary.end() == run.end():
            continue
        if not (_DIRECTION.fullmatch(run[0]) and _RIGHT_TO_LEFT.search(_line(text, run.start()))):
            yield run.span()


def _line(text: str, at: int) -> str:
    """What stands near a place, in its line."""
    before = text[max(0, at - _NEAR) : at].rpartition("\n")[2]
    return before + text[at : at + _NEAR].partition("\n")[0]
