"""Text of other people's in messages: shortened, made visible, and the word that was meant.

This module imports nothing of spectastic.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: A longer word is nobody's typo, and comparing takes time that grows with its square.
_MAX_WORD = 80

#: Controls, and the invisible or direction-changing characters that make text look like other text.
_UNSHOWN = (
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)

#: Characters without a width, for a class of a pattern: soft hyphen, joiners, zero-width spaces, marks of
#: direction, variation selectors, tags, and all else that a program may leave out where it shows text.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

#: What the runners, .NET programs, skip when they compare text is not ASCII (and cannot be seen).
SKIPPED = r"[^\x00-\x7f]*+"
#: GitHub's runner (`##[`) and Azure's agent (`##vso[`) find a command anywhere in a line of the log.
#: A pattern, compiled where it is needed: most runs start, and print, without it.
COMMAND = rf"#{SKIPPED}#(?={SKIPPED}(?:\[|v{SKIPPED}s{SKIPPED}o{SKIPPED}\[))"

#: A name that Windows keeps for itself, up to its first dot: a pattern.
DEVICE = r"(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])"


def short(text: str, limit: int = 80) -> str:
    """At most `limit` characters of a text, its blanks and line breaks as single blanks."""
    line = " ".join(text[: 4 * limit].split())
    whole = len(line) <= limit and len(text) <= 4 * limit
    return line if whole else line[: limit - 1] + "…"


def printable(text: str) -> str:
    """Text with what cannot be seen shown as escapes: a file's content must not drive a terminal."""
    # What Python calls printable has none of these. Most text is, and needs no pattern.
    return text if text.isprintable() else re.sub(_UNSHOWN, _escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def inert(text: str) -> str:
    """Printable text in which no CI runner finds a command: what a log shows must not drive the runner."""
    text = printable(text)
    # A command has both of these. Most text has not, and needs no pattern.
    if "#" in text and "[" in text:
        return re.sub(COMMAND, lambda match: f"{match[0][:-1]}\\x23", text)
    return text


def nearest(word: str, words: Iterable[str], cutoff: float = 0.75, *, parts: bool = False) -> str:
    """The one of `words` that was most likely meant, "" if none is near. The same one in every run.

    `words` are in lower case, and so is `word` read, with `-` for `_`. From 0 to 1, `cutoff` says how
    alike they must be. With `parts`, a part of one word alone is meant for it: `orphan`, `--stat`.
    """
    if len(word) > _MAX_WORD:
        return ""
    folded = word.lower().replace("_", "-")
    known = sorted(other for other in words if len(other) <= _MAX_WORD)
    whole = [other for other in known if parts and len(folded) > 3 and folded in other]
    if len(whole) == 1:
        return whole[0]
    from difflib import get_close_matches

    return next(iter(get_close_matches(folded, known, n=1, cutoff=cutoff)), "")
