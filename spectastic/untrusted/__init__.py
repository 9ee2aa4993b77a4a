"""Text that others wrote, on its way to a model: looked at, and fenced.

`suspicious` is the quick question, asked of every document. Where it says yes, `look` answers exactly.
"""

from __future__ import annotations

import re

from spectastic.untrusted.needs import BY_ANCHOR, COMMENTS, FORMS, RARE, ROLES, near

#: Letters in lower case, digits as they are, controls as `\1`, and everything else as a blank.
_WORDS = bytes(
    1 if 0 < at < 9 or 13 < at < 32 or at == 127 else ord(chr(at).lower()) if chr(at).isalnum() else 32
    for at in range(128)
) + bytes([32] * 128)
_ASCII = bytes(range(0x80))
#: What prose is full of, and what no phrase or marker is written with.
_SIGNS = frozenset("\u00a0“”‘’‚„…•·–—‐‑‒―−′″°±×÷§¶€£¥¢→←↔⇒≤≥≠≈²³¹½¼¾©®µ¿¡")
#: Letters with marks, as they are read: those that names are written with.
_ACCENTS = dict(
    zip(
        "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ",
        "AAAAAACEEEEIIIINOOOOOUUUUYaaaaaaceeeeiiiinooooouuuuyy",
        strict=True,
    )
)

#: Tags that a word can have inside of it: group names of elements that do not end a line.
INLINE = "a|b|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr"
_TAG = f"<(?:/?(?:{INLINE})(?:[\\s/][^<>]{{0,200}}+)?>)"
_BETWEEN_WORDS = re.compile(_TAG, re.IGNORECASE)
#: Begins with one character: that is quickly searched for.
_IN_WORD = re.compile(f"<(?<=[^\\W_]<){_TAG[1:]}(?:<[^<>]{{0,200}}>)*+[^\\W_]", re.IGNORECASE)
#: Signs that stand between words, by their names.
_NAMED = "(?:amp|quot|apos|[lr][sd]quo|nbsp|middot|bull|hellip|[nm]dash|times|deg|sect|euro|copy|[lr]arr);"
_SIGN = re.compile(f"&{_NAMED}")
_REFERENCE = re.compile(f"&(?!{_NAMED})(?:#[0-9Xx]|[A-Za-z]{{2,6}};)")
_GAPS = frozenset("{[%=<")
_BLANKS = "[ \t]{0,3}"
_BRACKET = re.compile(f"\\[{_BLANKS}/?{_BLANKS}(?:inst|system_prompt)", re.IGNORECASE)
_BAR = re.compile(f"<{_BLANKS}\\|")
_ELEMENT = re.compile(
    f"<{_BLANKS}(?:<{_BLANKS})?/?{_BLANKS}(?:sys|assistant|(?:start|end)_of_turn)", re.IGNORECASE
)
_ROLE_ENDS = re.compile("(?:ions?)?[*_ \t]{0,8}:", re.IGNORECASE)
_HIDES = re.compile("[\\s\"'/](?:hidden(?=[\\s=/>])|style\\s*+=)", re.IGNORECASE)
#: An address up to what there is to fill in, if there is something. It matches without that, too, so that the
#: search goes on behind it.
_ADDRESS = re.compile(
    "://(?:[^\\s\"'<>`()\\[\\]{}%=]|</[a-z]{1,10}>|%(?!7b)"
    "|=(?!(?:your|insert|put|add)[_-]|\\.\\.\\.|…|[&\\s\"'<>`()\\[\\]]|\\Z))*+",
    re.IGNORECASE,
)


def suspicious(text: str) -> bool:
    """Whether a text may hold what `look` finds: mostly not, and that is quick."""
    words = words_of(text)
    if b"\1" in words or hides(text, words) or ("://" in text and _fills(text)):
        return True
    if text.isascii():
        read = text
    else:
        odd = set(text.encode("utf-8", "replace").translate(None, _ASCII).decode()) - _SIGNS
        if any(character not in _ACCENTS for character in odd):
            return _slowly(text, words)
        read = text
        for character in odd:
            read = read.replace(character, _ACCENTS[character])
        words = words_of(read) if odd else words
    if ("&" in text and _REFERENCE.search(text)) or ("<" in text and _IN_WORD.search(read)):
        return _slowly(text, words)
    return _marked(read) or _addressed(read, words)


def _slowly(text: str, words: bytes) -> bool:
    """The same, of a text with something in it that is read as something else, or passed over."""
    from spectastic.untrusted.lookalikes import fold
    from spectastic.untrusted.unseen import smuggled

    if any(smuggled(text)):
        return True
    for markup in (True, False):
        read = fold(text, markup=markup).text
        words = words_of(read)
        if _marked(read) or _addressed(read, words):
            return True
    return False


def words_of(text: str) -> bytes:
    """A byte for each character, and a blank before and after: letters in lower case, or a blank."""
    return (b" %b " % text.encode("ascii", "replace")).translate(_WORDS)


def has_controls(text: str) -> bool:
    """Whether a text holds ASCII that nobody sees, but for NUL, tab and what ends lines and pages."""
    return b"\1" in words_of(text)


def hides(text: str, words: bytes) -> bool:
    """Whether an element may be hidden."""
    return (b"hidden" in words or b"style" in words) and "<" in text and _HIDES.search(text) is not None


def _fills(text: str) -> bool:
    """Whether an address may have something to fill in."""
    return any(text[match.end() : match.end() + 1] in _GAPS for match in _ADDRESS.finditer(text))


def turns(text: str, words: bytes) -> bool:
    """Whether there may be a turn in a chat template."""
    return _marked(text) or any(_speaks(text, words, role) for role in ROLES)


def _marked(text: str) -> bool:
    """Whether there may be a mark in brackets."""
    if "[" in text and _BRACKET.search(text):
        return True
    if "|" in text and _BAR.search(text):
        return True
    return "<" in text and _ELEMENT.search(text) is not None


def _speaks(text: str, words: bytes, role: bytes) -> bool:
    """Whether the name of a role may begin a turn."""
    at = words.find(role)
    while at >= 0:
        if _ROLE_ENDS.match(text, at - 1 + len(role)):  # `words` begins with a blank
            return True
        at = words.find(role, at + 1)
    return False


def _addressed(text: str, words: bytes) -> bool:
    """Whether there may be a phrase, or a comment, that speaks to a model."""
    every = words.split()
    if RARE.isdisjoint(every):
        return False
    found = {FORMS[word] for word in RARE.intersection(every)}
    if any(role in found and _speaks(text, words, role) for role in ROLES):
        return True
    if "<!--" in text and any(anchor in COMMENTS for anchor in found):
        return True
    plain = _without_markup(text, words)
    return any(near(plain, anchor, *one) for anchor in found for one in BY_ANCHOR[anchor])


def _without_markup(text: str, words: bytes) -> bytes:
    """The words as near to each other as they are read."""
    plain = _BETWEEN_WORDS.sub("", text) if "<" in text else text
    plain = _SIGN.sub(" ", plain) if "&" in plain else plain
    return words if plain == text else words_of(plain)
