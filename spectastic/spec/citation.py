"""The citation grammar (DESIGN section 3): tokens in visible text, and near misses.

Pure: text in, indices out. Every loop is linear in the text: a run ends where the next token
begins, so no character is looked at more than a few times.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from spectastic.text import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_K = "Kk\u041a\u043a\u039a\u03ba\uff2b\uff4b\u212a"
_B = "Bb\u0412\u0432\u0392\u03b2\uff22\uff42"
#: What is typed or pasted where a hyphen belongs. The long dashes join words as well, see `_shown_bare`.
_DASHES = (
    "\u05be\u1806\u2e3a\u2e3b\u301c\u3030\u30a0\u30fc\ufe31\ufe32"
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
)
_AT = "@\uff20\ufe6b"
#: Where an edition that resolves to nothing ends, as its author would read it.
_CLOSING = ",;()\\[\\]{}\"'“”‘’«»|"
_TRAILING = ".:!?…*_~/"

_EXACT = re.compile("KB(?P<dash>-)(?P<digits>[0-9]{3,})")
_RUN = re.compile("[^\\s<`K]*+(?:K(?!B-[0-9]{3})[^\\s<`K]*+)*+")
_READING = re.compile(_RUN.pattern.replace("<`K", f"<`{_CLOSING}K"))
# These are for what is odd, and compiled when it comes up: most runs never need them.
_UNSEEN = f"[{INVISIBLE}]"
_DATE_DASH = f"(?<=\\d)[{_DASHES}](?=\\d)"
_ODD_DIGIT = "(?![0-9])\\d"
_ODD = f"{_UNSEEN}|{_DATE_DASH}|{_ODD_DIGIT}"
_DOMAIN = "[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}"

#: These join what stands before and after them when a digit follows: `2024-05-28`, `1.10`.
_JOINERS = "-.:/_+"

#: The characters that matter, each kind as a class of a pattern, for the grammar in another language.
CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "k": _K,
        "b": _B,
        "dashes": _DASHES,
        "at": _AT,
        "closing": _CLOSING,
        "trailing": _TRAILING,
        "joiners": _JOINERS,
        "invisible": INVISIBLE,
    }
)


class Fault(NamedTuple):
    """A near miss at `text[start:end]`; `at_start:at_end` is the part that is wrong."""

    start: int
    end: int
    at_start: int
    at_end: int
    message: str
    suggestion: str | None


class Token(NamedTuple):
    """A citation at `text[start:end]`, its edition read as its author would.

    `run` is everything that may belong to the edition; it begins at `run_start`. `fault` says
    what is odd about the edition's characters: it counts only when nothing resolves.
    """

    start: int
    end: int
    id: str
    edition: str | None = None
    run: str | None = None
    run_start: int = 0
    fault: Fault | None = None


@lru_cache(maxsize=2)
def _grammar(ascii_only: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What begins a token or a near miss, and what pins it. The patterns for ASCII compile quickly."""
    k, b, dashes, signs, unseen, digit = "Kk", "Bb", "", "@", "", "[0-9]"
    if not ascii_only:
        k, b, dashes, signs, unseen, digit = _K, _B, _DASHES, _AT, f"[{INVISIBLE}]*+", "\\d"
    # What must not stand before is ASCII on purpose: in scripts without blanks a letter stands right before
    # the token. It is looked at after the first letter, which lets the search skip from letter to letter.
    # Possessive quantifiers: a long run of invisible characters is walked once, never backtracked.
    token = (
        f"[{k}](?<![A-Za-z0-9_-].){unseen}[{b}]{unseen}(?P<dash>[-_ {dashes}]{{0,2}}+){unseen}"
        f"(?P<digits>{digit}(?:{unseen}{digit})*+)"
    )
    pin = f"{unseen}(?P<blank>[ \t\u00a0]{{0,3}})(?P<at>[{signs}])"
    return re.compile(token, re.DOTALL), re.compile(pin)


def find(text: str) -> Iterator[Token | Fault]:
    """Every citation and near miss in `text`, in order."""
    token, pin = _grammar(text.isascii())
    # Where a token begins that ended the run before it: it needs no boundary of its own.
    position, joined = 0, -1
    while True:
        match = token.search(text, position, joined) if joined >= 0 else token.search(text, position)
        if match is None and joined >= 0:
            match, joined = _EXACT.match(text, joined), -1
        if match is None:
            return
        found, run_end = _read(text, match, pin.match(text, match.end()))
        position = match.end() if found is None else found.end
        if run_end > match.end() and _EXACT.match(text, run_end):
            joined = run_end
        if found is not None:
            yield found


def can_end_at(run: str, length: int) -> bool:
    """Whether an edition may be `run[:length]`: the whole run, or cut before punctuation.

    Symbols cut like punctuation, and so does a letter of a script that is written without
    blanks. A hyphen, dot, colon, slash, underscore or plus sign does not cut when a digit
    follows: `2024-05-28` is never the edition `2024`.
    """
    if length == len(run) or length == 0:
        return length > 0
    character = run[length]
    if character in _JOINERS and run[length + 1 : length + 2].isdigit():
        return False
    if character.isascii():
        return not character.isalnum()
    from unicodedata import category

    kind = category(character)
    return kind[0] in "PS" or kind == "Lo"


def parse(token: str | None) -> tuple[str, str | None] | None:
    """The id and edition of a token that is exactly one citation, else `None`."""
    match = _EXACT.match(token or "")
    if token is None or match is None:
        return None
    rest = token[match.end() :]
    if not rest:
        return match[0], None
    return (match[0], rest[1:]) if rest[0] == "@" and len(rest) > 1 else None


def author_reading(run: str) -> str:
    """The edition that an author means by a run of which no beginning resolves."""
    return _matched(_READING, run, 0).rstrip(_TRAILING)


def _read(text: str, match: re.Match[str], pin: re.Match[str] | None) -> tuple[Token | Fault | None, int]:
    """What stands at a token's head (a citation, a near miss, nothing of ours), and where its run ends."""
    exact = _EXACT.fullmatch(match[0])
    if pin and pin["blank"] and not _pinned_after_blank(text, pin, bool(exact)):
        pin = None
    if exact and pin is None:
        return Token(match.start(), match.end(), match[0]), match.end()
    if exact and pin and pin[0] == "@":
        return _pinned(text, match, pin.end())
    return _near_miss(text, match, pin)


def _pinned_after_blank(text: str, pin: re.Match[str], exact: bool) -> bool:
    """Whether `KB-0001 @2024` stands here, and not a number of kilobytes before somebody's name."""
    following = text[pin.end() : pin.end() + 1]
    return following.isalnum() if exact else following.isdigit()


def _pinned(text: str, match: re.Match[str], run_start: int) -> tuple[Token | Fault, int]:
    run = _matched(_RUN, text, run_start)
    run_end = run_start + len(run)
    run = _without_unseen_end(run)
    edition = author_reading(run)
    if not edition:
        message = f"{shown(match[0])}@ names no edition: nothing follows the @"
        return Fault(match.start(), run_start, match.start(), run_start, message, None), run_end
    fault = _odd_edition(match, run_start, edition)
    return Token(match.start(), run_start + len(edition), match[0], edition, run, run_start, fault), run_end


def _odd_edition(match: re.Match[str], run_start: int, edition: str) -> Fault | None:
    odd = None if edition.isascii() else re.search(_ODD, edition)
    if odd is None:
        return None
    if re.match(_UNSEEN, odd[0]):
        what = "is hidden inside it"
    else:
        what = "is not an ASCII digit" if odd[0].isdigit() else "stands where a hyphen belongs"
    message = f"{shown(f'{match[0]}@{edition}')} is no citation: {named(odd[0])} {what}"
    suggestion = f"{match[0]}@{_plain(edition)}"
    at = run_start + odd.start()
    return Fault(match.start(), run_start + len(edition), at, at + 1, message, suggestion)


def _near_miss(text: str, match: re.Match[str], pin: re.Match[str] | None) -> tuple[Fault | None, int]:
    head, digits = match[0], re.sub(_UNSEEN, "", match["digits"])
    edition, end, run_end = None, match.end(), match.end()
    if pin is None:
        if not _shown_bare(match, digits):
            return None, end
    else:
        reading = _matched(_READING, text, pin.end())
        run_end = pin.end() + len(reading)
        edition = _without_unseen_end(reading).rstrip(_TRAILING)
        end = pin.end() + len(edition)
        if re.fullmatch(_DOMAIN, edition) and re.fullmatch("kb[0-9]+", head):
            return None, run_end  # kb0001@example.org is somebody's address
    place, message = _reason(match, digits, pin)
    suggestion = None
    if len(digits) >= 3 and edition != "":
        number = _ascii_digits(digits)
        suggestion = f"KB-{number}" if edition is None else f"KB-{number}@{_plain(edition)}"
    written = shown(text[match.start() : end])
    return Fault(match.start(), end, *place, f"{written} is no citation: {message}", suggestion), run_end


def _shown_bare(match: re.Match[str], digits: str) -> bool:
    """Whether a near miss without an @ is surely meant as a citation.

    `kb-0001.md`, `KB5005565` and `64 KB–128 KB` are other things.
    """
    if len(digits) < 3:
        return False
    if re.search(_UNSEEN, match[0]) or not digits.isascii():
        return True
    dash = match["dash"]
    if not match[0].isascii() and match[0][:2].upper() != "KB":
        return dash != "" and dash in f"-{_DASHES}"
    return dash == "\u2011" or (dash != "" and dash in _DASHES and digits.startswith("0"))


def _reason(match: re.Match[str], digits: str, pin: re.Match[str] | None) -> tuple[tuple[int, int], str]:
    """The first thing that is wrong with a token's head, and where."""
    for text, base in ((match[0], match.start()), (pin[0] if pin else "", match.end())):
        if hidden := re.search(_UNSEEN, text):
            return _one(base + hidden.start()), f"{named(hidden[0])} is hidden inside it"
    return _letter_reason(match) or _dash_reason(match) or _number_reason(match, digits, pin)


def _letter_reason(match: re.Match[str]) -> tuple[tuple[int, int], str] | None:
    letters, at = match[0][:2], match.start()
    for index, letter in enumerate(letters):
        if not letter.isascii():
            return _one(at + index), f"{named(letter)} only looks like an ASCII letter"
    return None if letters == "KB" else ((at, at + 2), "KB is written in upper case")


def _dash_reason(match: re.Match[str]) -> tuple[tuple[int, int], str] | None:
    dash = match["dash"]
    if dash == "":
        return match.span(), "there is no hyphen between KB and the number"
    name = "a blank" if dash.isspace() else f"`{dash}`" if dash.isascii() or len(dash) > 1 else named(dash)
    return None if dash == "-" else (match.span("dash"), f"{name} stands where a hyphen belongs")


def _number_reason(
    match: re.Match[str], digits: str, pin: re.Match[str] | None
) -> tuple[tuple[int, int], str]:
    odd = re.search(_ODD_DIGIT, digits)
    if odd:
        return _one(match.start("digits") + odd.start()), f"{named(odd[0])} is not an ASCII digit"
    if len(digits) < 3 or pin is None:
        return match.span("digits"), "its number has fewer than three digits"
    if pin["blank"]:
        return pin.span(), "a blank stands before the @"
    return pin.span("at"), f"{named(pin['at'])} stands where an @ belongs"


def _one(at: int) -> tuple[int, int]:
    return at, at + 1


def _without_unseen_end(text: str) -> str:
    end = len(text)
    while end and not text[end - 1].isascii() and re.match(_UNSEEN, text[end - 1]):
        end -= 1
    return text[:end]


def _matched(pattern: re.Pattern[str], text: str, position: int) -> str:
    match = pattern.match(text, position)
    return match[0] if match else ""


def _plain(edition: str) -> str:
    """An edition as it was surely meant: nothing invisible, a hyphen between digits, ASCII digits."""
    return _ascii_digits(re.sub(_DATE_DASH, "-", re.sub(_UNSEEN, "", edition)))


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import decimal

    return re.sub(_ODD_DIGIT, lambda match: str(decimal(match[0])), text)


def named(character: str) -> str:
    """A character that cannot be told from its looks: `U+2013 EN DASH`."""
    from unicodedata import name

    return f"U+{ord(character):04X} {name(character, 'UNNAMED')}"


def shown(text: str) -> str:
    """At most 60 characters of a text, with what is invisible written out."""
    written = re.sub(_UNSEEN, lambda match: f"<U+{ord(match[0]):04X}>", text[:61])
    return written if len(written) <= 60 else written[:59] + "…"
