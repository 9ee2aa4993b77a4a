"""Text measured in the cells of a terminal, so that a caret stands under what it means."""

from __future__ import annotations

from spectastic.text import printable

TAB = 4

#: Chooses how an emoji looks; terminals disagree on whether it changes the width.
_EMOJI_STYLE = "\ufe0f"


def width(text: str) -> int:
    """The cells that `text` takes; it holds no tabs and no control characters."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if char < "\u0300":
        return 1
    # Costs a shared library, and only text beyond Latin needs it.
    from unicodedata import category, east_asian_width

    if category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def show(text: str, encoding: str = "utf-8", column: int = 0) -> str:
    """A piece of a source line as a terminal of `encoding` can show it, one cell after another.

    `column` is the cell at which the piece begins. Tabs become blanks, what cannot be seen or
    encoded becomes an escape.
    """
    if "\t" in text:
        pieces = text.split("\t")
        shown = show(pieces[0], encoding)
        for piece in pieces[1:]:
            shown += " " * (TAB - (column + width(shown)) % TAB) + show(piece, encoding)
        return shown
    if text.isascii():
        return text if text.isprintable() else printable(text)
    text = printable(text.replace(_EMOJI_STYLE, ""))
    if encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def fit(before: str, token: str, after: str, room: int) -> tuple[str, str, str]:
    """The three pieces cut with `…` so that they take at most `room` cells, the token foremost.

    The pieces are as `show` gives them. A `room` of less than 20 counts as 20.
    """
    room = max(room, 20)
    space = room - width(token)
    if width(before) + width(after) <= space:
        return before, token, after
    # What stands before the token gets half of the rest, and all that what follows leaves over.
    left = max(space - min(width(after), space // 2), 0)
    before = _tail(before, left)
    token = _head(token, room - width(before))
    return before, token, _head(after, room - width(before) - width(token))


def _head(text: str, room: int) -> str:
    if width(text) <= room:
        return text
    end = used = 0
    while used + _cells(text[end]) < room:
        used += _cells(text[end])
        end += 1
    return text[:end] + "…" * (room > 0)


def _tail(text: str, room: int) -> str:
    if width(text) <= room:
        return text
    begin, used = len(text), 0
    while used + _cells(text[begin - 1]) < room:
        begin -= 1
        used += _cells(text[begin])
    # A mark whose letter is gone would sit on the ellipsis.
    while begin < len(text) and _cells(text[begin]) == 0:
        begin += 1
    return "…" * (room > 0) + text[begin:]


def wrap(text: str, first: int, room: int) -> list[str]:
    """The lines of a text broken at blanks: `first` cells for the first line, `room` for the others.

    The first is empty where not a word fits on it. A word is never broken: one that fits nowhere
    has a line of its own.
    """
    lines, left = [""], first
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width(longer) <= left:
            lines[-1] = longer
        else:
            lines.append(word)
            left = room
    return lines
