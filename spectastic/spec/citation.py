"""The citation grammar (DESIGN section 3): tokens in visible text, and near misses.

Pure: text in, indices out. Every loop is linear in the text: a run ends where the next token
begins, so no character is looked at more than a few times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: Characters without a width: soft hyphen, joiners, zero-width spaces, direction marks, tags.
INVISIBLE = "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef"
_K = "Kk\u041a\u043a\u039a\u03ba\uff2b\uff4b\u212a"
_B = "Bb\u0412\u0432\u0392\u03b2\uff22\uff42"
#: What is typed or pasted where a hyphen belongs. The long dashes join words as well, see `_shown_bare`.
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_AT = "@\uff20\ufe6b"
#: Where an edition that resolves to nothing ends, as its author would read it.
_CLOSING = ",;()\\[\\]{}\"'“”‘’«»|"
_TRAILING = ".:!?…*_~/"

# Possessive quantifiers: a long run of invisible characters is walked once, never backtracked.
_HEAD = (
    f"[{_K}][{INVISIBLE}]*+[{_B}][{INVISIBLE}]*+"
    f"(?P<dash>[-_{_DASHES}]?+)[{INVISIBLE}]*+(?P<digits>\\d(?:[{INVISIBLE}]*+\\d)*+)"
)
# ASCII on purpose: in scripts without blanks a letter stands right before the token.
_TOKEN = re.compile(f"(?<![A-Za-z0-9_-]){_HEAD}")
_JOINED_TOKEN = re.compile(_HEAD)
_EXACT = re.compile("KB-[0-9]{3,}")
_PIN = re.compile(f"[{INVISIBLE}]*+(?P<blank>[ \t\u00a0]{{0,3}})(?P<at>[{_AT}])")
_RUN = re.compile("(?:(?!KB-[0-9]{3})[^\\s<`])*")
_READING = re.compile(f"[^\\s<`{_CLOSING}]*")
_UNSEEN = re.compile(f"[{INVISIBLE}]")
_UNSEEN_START = re.compile(f"[{INVISIBLE}]*+")
_DATE_DASH = re.compile(f"(?<=[0-9])[{_DASHES}](?=[0-9])")
_DOMAIN = re.compile("[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}")

#: These join what stands before and after them when a digit follows: `2024-05-28`, `1.10`.
_JOINERS = "-.:/_+"


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


def find(text: str) -> Iterator[Token | Fault]:
    """Every citation and near miss in `text`, in order."""
    position, joined = 0, -1
    while True:
        match = _TOKEN.search(text, position, joined) if joined >= 0 else _TOKEN.search(text, position)
        if match is None:
            if joined < 0:
                return
            # A run ended here because another token begins: it needs no boundary of its own.
            match = _JOINED_TOKEN.match(text, joined)
            joined = -1
            if match is None:
                return
        found = _read(text, match)
        position = match.end() if found is None else found.end
        if found is not None:
            yield found
        if isinstance(found, Token) and found.run is not None:
            run_end = found.run_start + len(found.run)
            joined = run_end if _EXACT.match(text, run_end) else joined
        if 0 <= joined < position:
            joined = -1


def can_end_at(run: str, length: int) -> bool:
    """Whether an edition may be `run[:length]`: the whole run, or cut before punctuation.

    Symbols cut like punctuation, and so does a letter of a script that is written without
    blanks. A hyphen, dot, colon, slash, underscore or plus sign does not cut when a digit
    follows: `2024-05-28` is never the edition `2024`.
    """
    if length == len(run):
        return True
    character = run[length]
    if character in _JOINERS and run[length + 1 : length + 2].isdigit():
        return False
    if character.isascii():
        return not character.isalnum()
    from unicodedata import category

    kind = category(character)
    return kind[0] in "PS" or kind == "Lo"


def parse(token: str) -> tuple[str, str | None] | None:
    """The id and edition of a token that is exactly one citation, else `None`."""
    match = _EXACT.match(token)
    if match is None:
        return None
    rest = token[match.end() :]
    if not rest:
        return match[0], None
    return (match[0], rest[1:]) if rest[0] == "@" and len(rest) > 1 else None


def author_reading(run: str) -> str:
    """The edition that an author means by a run of which no beginning resolves."""
    match = _READING.match(run)
    return match[0].rstrip(_TRAILING) if match else ""


def _read(text: str, match: re.Match[str]) -> Token | Fault | None:
    """What stands at a token's head: a citation, a near miss, or nothing of ours."""
    pin = _PIN.match(text, match.end())
    if pin and pin["blank"] and not text[pin.end() : pin.end() + 1].isalnum():
        pin = None
    exact = _EXACT.fullmatch(match[0])
    if exact and pin is None:
        return Token(match.start(), match.end(), match[0])
    if exact and pin and pin[0] == "@":
        return _pinned(text, match, pin.end())
    return _near_miss(text, match, pin)


def _pinned(text: str, match: re.Match[str], run_start: int) -> Token | Fault:
    found = _RUN.match(text, run_start)
    run = _without_unseen_end(found[0]) if found else ""
    edition = author_reading(run)
    end = run_start + len(edition)
    if not edition:
        message = f"{match[0]}@ names no edition: nothing follows the @"
        return Fault(match.start(), run_start, match.start(), run_start, message, None)
    fault = _odd_edition(match, run_start, edition)
    return Token(match.start(), end, match[0], edition, run, run_start, fault)


def _odd_edition(match: re.Match[str], run_start: int, edition: str) -> Fault | None:
    if edition.isascii():
        return None
    odd = _UNSEEN.search(edition) or _DATE_DASH.search(edition)
    if odd is None:
        return None
    what = "is hidden inside it" if _UNSEEN.match(odd[0]) else "stands where a hyphen belongs"
    message = f"{match[0]}@{shown(edition)} is no citation: {named(odd[0])} {what}"
    suggestion = f"{match[0]}@{_plain(edition)}"
    at = run_start + odd.start()
    return Fault(match.start(), run_start + len(edition), at, at + 1, message, suggestion)


def _near_miss(text: str, match: re.Match[str], pin: re.Match[str] | None) -> Fault | None:
    head, digits = match[0], _UNSEEN.sub("", match["digits"])
    if pin is None:
        if not _shown_bare(match, digits):
            return None
        edition, end = None, match.end()
    else:
        reading = _READING.match(text, pin.end())
        edition = _without_unseen_end(reading[0]).rstrip(_TRAILING) if reading else ""
        end = pin.end() + len(edition)
        if _DOMAIN.fullmatch(edition) and not _EXACT.fullmatch(head):
            return None  # kb0001@example.org is somebody's address
    place, message = _reason(match, digits, pin)
    suggestion = None
    if len(digits) >= 3 and edition != "":
        number = "".join(_ascii_digit(digit) for digit in digits)
        suggestion = f"KB-{number}" if edition is None else f"KB-{number}@{_plain(edition)}"
    written = shown(text[match.start() : end])
    return Fault(match.start(), end, place[0], place[1], f"{written} is no citation: {message}", suggestion)


def _shown_bare(match: re.Match[str], digits: str) -> bool:
    """Whether a near miss without an @ is surely meant as a citation.

    `kb-0001.md`, `KB5005565` and `64 KB–128 KB` are other things.
    """
    if len(digits) < 3:
        return False
    if _UNSEEN.search(match[0]) or not digits.isascii():
        return True
    dash = match["dash"]
    if not match[0].isascii() and match[0][:2].upper() != "KB":
        return dash == "-" or dash in _DASHES
    return dash == "\u2011" or (dash != "" and dash in _DASHES and digits.startswith("0"))


def _reason(match: re.Match[str], digits: str, pin: re.Match[str] | None) -> tuple[tuple[int, int], str]:
    """The first thing that is wrong with a token's head, and where."""
    whole = match.span()
    head = match[0]
    hidden = _UNSEEN.search(head) or (_UNSEEN.search(pin[0]) if pin else None)
    if hidden:
        base = whole[0] if _UNSEEN.search(head) else whole[1]
        at = base + hidden.start()
        return (at, at + 1), f"{named(hidden[0])} is hidden inside it"
    for letter, at in ((head[0], whole[0]), (head[1], whole[0] + 1)):
        if not letter.isascii():
            return (at, at + 1), f"{named(letter)} only looks like an ASCII letter"
    if head[:2] != "KB":
        return (whole[0], whole[0] + 2), "KB is written in upper case"
    dash, at = match["dash"], match.start("dash")
    if dash == "":
        return whole, "there is no hyphen between KB and the number"
    if dash != "-":
        name = named(dash) if not dash.isascii() else f"`{dash}`"
        return (at, at + 1), f"{name} stands where a hyphen belongs"
    for index, digit in enumerate(digits):
        if not digit.isascii():
            at = match.start("digits") + index
            return (at, at + 1), f"{named(digit)} is not an ASCII digit"
    if len(digits) < 3:
        return match.span("digits"), "its number has fewer than three digits"
    if pin and pin["blank"]:
        return (pin.start(), pin.end()), "a blank stands before the @"
    at_sign = pin["at"] if pin else "@"
    place = pin.span("at") if pin else whole
    return place, f"{named(at_sign)} stands where an @ belongs"


def _without_unseen_end(text: str) -> str:
    unseen = _UNSEEN_START.match(text[::-1])
    return text[: len(text) - unseen.end()] if unseen else text


def _plain(edition: str) -> str:
    """An edition as it was surely meant: nothing invisible, a hyphen between digits."""
    return _DATE_DASH.sub("-", _UNSEEN.sub("", edition))


def _ascii_digit(digit: str) -> str:
    if digit.isascii():
        return digit
    from unicodedata import decimal

    return str(decimal(digit))


def named(character: str) -> str:
    """A character that cannot be told from its looks: `U+2013 EN DASH`."""
    from unicodedata import name

    return f"U+{ord(character):04X} {name(character, 'UNNAMED')}"


def shown(text: str) -> str:
    """At most 60 characters of a text, with what is invisible written out."""
    short = text if len(text) <= 60 else text[:59] + "…"
    return _UNSEEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", short)
