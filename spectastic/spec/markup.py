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
    """One piece of HTML: characters `[start, end)`, `text` decoded, tag names in lower case.

    `attributes` are those of a decision's start tag, and of others that were asked for.
    """

    kind: Kind
    start: int
    end: int
    text: str = ""
    name: str = ""
    attributes: dict[str, str] = {}  # noqa: RUF012 - never written to
    self_closing: bool = False


class Fragment(NamedTuple):
    """The pieces of some HTML.

    `unfinished` is where a tag or comment begins that does not end in it, `forgotten` where the
    start tags of raw text elements are that have no end tag in it.
    """

    pieces: list[Markup]
    unfinished: int | None = None
    forgotten: tuple[int, ...] = ()


def words(text: str) -> frozenset[str]:
    """The words of a text, between blanks."""
    return frozenset(text.split())


DECISION = "spec-decision"
_DECISIONS = frozenset({DECISION})

#: Elements whose content a reader never sees.
HIDDEN_CONTENT = frozenset({"script", "style"})
#: Elements whose content the tokenizer takes for text until their end tag.
RAW_TEXT = HIDDEN_CONTENT | {"textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"}
#: Elements without an end tag.
VOID = words(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr"
)
#: Elements whose tags stand between words: blocks, cells, line breaks, pictures, controls. Others
#: stand in the line with the text around them or, like comments, are not there; unknown ones too.
SEPARATING = words(
    "address article aside audio blockquote body br button canvas caption center col colgroup dd details "
    "dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head "
    "header hgroup hr html iframe image img input keygen legend li listing main marquee menu meter nav "
    "noembed noframes object ol optgroup option p plaintext pre progress search section select summary svg "
    "table tbody td textarea tfoot th thead title tr ul video xmp"
)

_NAME = "[A-Za-z][A-Za-z0-9-]*"
_PLAIN = re.compile(
    f'<(?P<name>{_NAME})(?P<attributes>(?:[ \\n]+{_NAME}="[^"&<>\\r\\0]*")*)[ \\n]*(?P<slash>/?)>'
    f"|</(?P<end>{_NAME})[ \\n]*>"
    "|<!--(?!-?>)[^<>]*(?<=--)>"
    "|(?P<text>[^<&\\r\\0]+)"
)
_ATTRIBUTE = re.compile(f'({_NAME})="([^"]*)"')
_PLAIN_LIMIT = 16
_NOSCRIPT = "(?i)(</?)noscript(?=[\\s/>])"
_NONE: dict[str, str] = {}


def read(html: str, asked: frozenset[str] = _DECISIONS) -> Fragment:
    """Tokenize HTML without CR; places are characters of `html`. `asked`: whose attributes are told.

    An element that makes raw text of its content and never ends does not: a forgotten end tag
    hides nothing. The content of `<noscript>` is markup, as for a reader without scripts.
    """
    plain = _read_plain(html, asked)
    return _read_all(html, asked) if plain is None else Fragment(plain)


def _read_plain(html: str, asked: frozenset[str] = _DECISIONS) -> list[Markup] | None:
    """The pieces of a fragment made of plain tags, comments and text, else `None`."""
    pieces: list[Markup] = []
    at = 0
    while at < len(html):
        match = _PLAIN.match(html, at)
        if match is None or len(pieces) == _PLAIN_LIMIT:
            return None
        start, at = at, match.end()
        if match["name"] is not None:
            name = match["name"].lower()
            if name in RAW_TEXT:
                return None
            attributes: dict[str, str] = {}
            if name in asked:
                for key, value in _ATTRIBUTE.findall(match["attributes"]):
                    attributes.setdefault(key.lower(), value)
            pieces.append(Markup(Kind.START, start, at, "", name, attributes, match["slash"] != ""))
        elif match["text"] is not None:
            pieces.append(Markup(Kind.TEXT, start, at, match[0]))
        elif match["end"] is not None:
            pieces.append(Markup(Kind.END, start, at, "", match["end"].lower()))
        else:
            pieces.append(Markup(Kind.HIDDEN, start, at))
    return pieces


def _read_all(html: str, asked: frozenset[str] = _DECISIONS) -> Fragment:
    pieces: list[Markup] = []
    forgotten: list[int] = []
    # The tokenizer drops `</>` without a token; an empty comment of that length keeps the count.
    rest = html.replace("</>", "<!>")
    if "noscript" in rest.lower():
        rest = re.sub(_NOSCRIPT, f"\\1{_alias('noscript')}", rest)
    raw, covered = _tokenize(rest, 0, asked, pieces, forgotten)
    while raw is not None:
        # Read on behind the start tag, where its name is one that says nothing to the tokenizer.
        # This happens at most once for each name of RAW_TEXT.
        name, covered = pieces[raw].name, pieces[raw].end
        forgotten.append(pieces[raw].start)
        del pieces[raw + 1 :]
        same = re.compile(f"<{name}(?=[\\s/>])", re.IGNORECASE)
        rest = rest[:covered] + same.sub(f"<{_alias(name)}", rest[covered:])
        raw, covered = _tokenize(rest, covered, asked, pieces, forgotten)
    # The tokenizer drops a tag that never ends: it is what no piece covers.
    unfinished = covered if covered < len(html) else None
    last = pieces[-1] if pieces else None
    if last is not None and last.kind is Kind.HIDDEN and not _finished(rest[last.start : last.end]):
        unfinished = last.start
    return Fragment(pieces, unfinished, tuple(forgotten))


def _tokenize(
    html: str, covered: int, asked: frozenset[str], pieces: list[Markup], forgotten: list[int]
) -> tuple[int | None, int]:
    """Add the pieces of `html[covered:]`, and to `forgotten` where start tags with an alias are.

    Returns the index of the raw text element that is open at the end, if there is one, and the
    end of the last piece.
    """
    from turbohtml import TokenType, tokenize

    text_type, reference_type = TokenType.TEXT, TokenType.CHARACTER_REFERENCE
    start_type, end_type = TokenType.START_TAG, TokenType.END_TAG
    raw: int | None = None
    for token in tokenize(html[covered:], resolve_references=False, capture_source=True):
        kind, start = token.type, covered
        if kind is text_type:
            text = token.data or ""
            covered += len(text)
            pieces.append(Markup(Kind.TEXT, start, covered, text))
            continue
        covered += len(token.source or "")
        name = token.tag or ""
        if kind is start_type:
            attributes = _NONE
            if name in asked:
                attributes = dict(reversed(token.attrs or ()))  # the first of two with one name counts
            if name in RAW_TEXT:
                raw = len(pieces)
            elif name in _ALIASES:
                name = _ALIASES[name]
                forgotten += [start] if name in RAW_TEXT else []
            pieces.append(Markup(Kind.START, start, covered, "", name, attributes, token.self_closing))
        elif kind is end_type:
            if raw is not None and name == pieces[raw].name:
                raw = None
            pieces.append(Markup(Kind.END, start, covered, "", _ALIASES.get(name, name)))
        elif kind is reference_type:
            pieces.append(Markup(Kind.TEXT, start, covered, token.data or ""))
        else:
            pieces.append(Markup(Kind.HIDDEN, start, covered))
    return raw, covered


def _alias(name: str) -> str:
    """A name of the same length that means nothing to a tokenizer, and that nobody writes."""
    return f"{name[0]}\1{name[2:]}"


_ALIASES = {_alias(name): name for name in RAW_TEXT | {"noscript"}}


def _finished(source: str) -> bool:
    """Whether a comment, doctype or the like has its own end."""
    return source.endswith(("-->", "--!>") if source.startswith("<!--") else ">")
