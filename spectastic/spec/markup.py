"""HTML as a browser's tokenizer reads it: tags, comments and text, with their places.

The work is turbohtml's. Most fragments in a Markdown spec are one plain tag, though, and importing
turbohtml costs more than everything else a small run does, so plain tags are read here; a test
holds this reading to turbohtml's.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """What a piece of markup is. A hidden piece is a comment, a doctype or the like."""

    TEXT = "text"
    START = "start"
    END = "end"
    HIDDEN = "hidden"


class Markup(NamedTuple):
    """One piece of HTML: characters `[start, end)`, `text` decoded, tag names in lower case."""

    kind: Kind
    start: int
    end: int
    text: str = ""
    name: str = ""
    attributes: dict[str, str] = {}  # noqa: RUF012 - never written to
    self_closing: bool = False


class Fragment(NamedTuple):
    """The pieces of some HTML. `unfinished` is where a tag or comment begins that does not end in it."""

    pieces: list[Markup]
    unfinished: int | None = None


DECISION = "spec-decision"

#: Elements whose content a reader never sees.
HIDDEN_CONTENT = frozenset({"script", "style"})
#: Elements whose content the tokenizer takes for text until their end tag.
RAW_TEXT = HIDDEN_CONTENT | {"textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"}
#: Elements without an end tag.
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
#: Elements that stand in the line with the text around them; every other known one separates.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rb rp rt "
    "ruby s samp slot small span strike strong sub sup time tt u var wbr".split()
)

_NAME = "[A-Za-z][A-Za-z0-9-]*"
_PLAIN = re.compile(
    f"<(?P<name>{_NAME})(?P<attributes>(?:[ \\n]+{_NAME}=\"[^\"&<>\\r\\0]*\")*)[ \\n]*(?P<slash>/?)>"
    f"|</(?P<end>{_NAME})[ \\n]*>"
    "|<!--(?P<comment>[ \\n][^<>-]*)-->"
    "|(?P<text>[^<&\\r\\0]+)"
)
_ATTRIBUTE = re.compile(f"({_NAME})=\"([^\"]*)\"")


def separates(name: str) -> bool:
    """Whether an element's tag stands between words: blocks, cells, `<br>`, pictures, controls.

    Unknown elements are inline, as in a browser; custom elements have a hyphen in their name.
    """
    return name not in INLINE and "-" not in name


def read(html: str) -> Fragment:
    """Tokenize HTML without CR; places are characters of `html`."""
    plain = _read_plain(html)
    return _read_all(html) if plain is None else Fragment(plain)


def _read_plain(html: str) -> list[Markup] | None:
    """The pieces of a fragment made of plain tags, comments and text, else `None`."""
    pieces: list[Markup] = []
    at = 0
    while at < len(html):
        match = _PLAIN.match(html, at)
        if match is None or len(pieces) > 16:
            return None
        at = match.end()
        if match["text"] is not None:
            pieces.append(Markup(Kind.TEXT, *match.span(), text=match[0]))
        elif match["name"] is not None:
            name = match["name"].lower()
            if name in RAW_TEXT:
                return None
            found = _ATTRIBUTE.findall(match["attributes"])
            attributes: dict[str, str] = {}
            for key, value in found:
                attributes.setdefault(key.lower(), value)
            pieces.append(
                Markup(Kind.START, *match.span(), name=name, attributes=attributes, self_closing=bool(match["slash"]))
            )
        elif match["end"] is not None:
            pieces.append(Markup(Kind.END, *match.span(), name=match["end"].lower()))
        else:
            pieces.append(Markup(Kind.HIDDEN, *match.span()))
    return pieces


def _read_all(html: str) -> Fragment:
    from turbohtml import TokenType, tokenize

    kinds = {
        TokenType.TEXT: Kind.TEXT,
        TokenType.CHARACTER_REFERENCE: Kind.TEXT,
        TokenType.START_TAG: Kind.START,
        TokenType.END_TAG: Kind.END,
    }
    lines = [0, *(match.end() for match in re.finditer("\n", html))]
    pieces: list[Markup] = []
    source, covered = "", 0
    for token in tokenize(html, resolve_references=False, capture_source=True):
        start = lines[token.line - 1] + token.col
        kind = kinds.get(token.type, Kind.HIDDEN)
        text, name, source = token.data or "", token.tag or "", token.source or ""
        covered = start + len(source or text)
        attributes = _attributes(token.attrs) if name == DECISION else {}
        pieces.append(Markup(kind, start, covered, text, name, attributes, token.self_closing))
    if pieces and pieces[-1].kind is Kind.HIDDEN and not _finished(source):
        return Fragment(pieces, pieces[-1].start)
    # The tokenizer drops a tag that never ends: it is what no piece covers.
    return Fragment(pieces, covered if covered < len(html) else None)


def _attributes(attributes: list[tuple[str, str]] | None) -> dict[str, str]:
    """The attributes of a tag; the first of two with one name counts."""
    return dict(reversed(attributes or []))


def _finished(source: str) -> bool:
    """Whether a comment, doctype or the like has its own end."""
    return source.endswith(("-->", "--!>") if source.startswith("<!--") else ">")
