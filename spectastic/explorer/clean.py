"""Somebody's text as HTML that is safe in our pages: nothing in it runs, loads, or looks like ours.

Three steps, each enough against most of what is hostile: `taming` writes a few plain elements anew, nh3
(ammonia, an allow-list on a browser's parser) cleans what it wrote, and what changes the direction of text
unseen is shown. The page's policy lets no script run even so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from spectastic.explorer.taming import KEPT, tame
from spectastic.spec.markup import DECISION
from spectastic.untrusted import unseen

if TYPE_CHECKING:
    import nh3
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore

#: A longer text, in characters, is shown as it is written: laying it out could take minutes.
MAX_TEXT = 500_000
#: The same for HTML, and for what Markdown becomes.
MAX_HTML = 4 * MAX_TEXT
#: Blocks of Markdown stand in one another to this depth, marks in a line to that.
_MAX_BLOCKS = 100
_MAX_MARKS = 20
#: Nobody writes a longer paragraph, in characters, or as many brackets: their cost grows with more than
#: their number. Cells cost more than all else, and rows are filled up to the width of the head.
_MAX_LINE = 50_000
_MAX_BRACKETS = 20_000
_MAX_CELLS = 50_000
#: What nh3 takes for a text grows with the square of these.
_MAX_ESCAPES = 50_000

#: What orders a reader's software to write in another direction, whatever the letters are.
_FORCED = re.compile("[\u202a-\u202e\u2066-\u2069]")


def markdown(text: str, *, demote: int = 2, decisions: bool = False) -> str:
    """CommonMark with tables and strikethrough as safe HTML; see `html`."""
    if len(text) > MAX_TEXT or text.count("[") > _MAX_BRACKETS:
        return _plain(text, _TOO_LONG)
    parser = _markdown()
    env: dict[str, object] = {}
    tokens = parser.parse(text, env)
    if any(token.level >= _MAX_BLOCKS - 1 for token in tokens):
        return _plain(text, _TOO_DEEP)
    return html(parser.renderer.render(tokens, parser.options, env), demote=demote, decisions=decisions)


def html(text: str, *, demote: int = 2, decisions: bool = False) -> str:
    """A part of a page, out of HTML by anybody: prose, tables, lists, code, links to the web; nothing else.

    No attribute of the document's is left but those of links, lists and cells. Headings go `demote` levels
    down. A picture becomes its alternative text, in brackets. What is too long, or grows too long, is shown
    as it is written. With `decisions`, `<spec-decision>` is kept with its `id` and `grounding`, and `shown`
    is left to the caller.
    """
    if len(text) > MAX_HTML:
        return _plain(text, _TOO_LONG)
    tamed = tame(text, demote=demote, decisions=decisions)
    if tamed.count("&") > _MAX_ESCAPES:
        return _plain(text, _TOO_LONG)
    cleaned = _cleaner(decisions).clean(tamed)
    return cleaned if decisions else shown(cleaned)


def reachable(markup: str) -> str:
    """Safe HTML in which a keyboard reaches what scrolls sideways (WCAG 2.2, 2.1.1).

    nh3 writes tags in one way only, and no text of a document looks like one.
    """
    reached = markup.replace("<pre>", '<pre tabindex="0">')
    reached = reached.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    return reached.replace("</table>", "</table></div>")


def shown(markup: str) -> str:
    """Safe HTML with the characters shown that nobody sees, and that could make text read otherwise."""
    if markup.isascii():
        return markup
    parts: list[str] = []
    at = 0
    for start, end in unseen.smuggled(markup):
        parts += markup[at:start], "".join(map(unseen.escape, markup[start:end]))
        at = end
    return _FORCED.sub(lambda match: unseen.escape(match[0]), "".join((*parts, markup[at:])))


_TOO_LONG = "This text is too long to be laid out. It is shown as it is written."
_TOO_DEEP = "The parts of this text stand in one another too deeply. It is shown as it is written."


def _plain(text: str, why: str) -> str:
    return shown(f"<p><strong>{why}</strong></p>\n<pre>\n{escape(text, quote=False)}</pre>\n")


@lru_cache(maxsize=2)
def _cleaner(decisions: bool) -> nh3.Cleaner:
    import nh3

    attributes = {
        "a": {"href"},
        "details": {"open"},
        "li": {"value"},
        "ol": {"start"},
        "td": {"colspan", "rowspan"},
        "th": {"colspan", "rowspan"},
    }
    align = {"left", "right", "center"}
    return nh3.Cleaner(
        tags=KEPT | {DECISION} if decisions else set(KEPT),
        clean_content_tags={"script", "style", "template", "svg", "math"},
        attributes={**attributes, DECISION: {"id", "grounding"}} if decisions else attributes,
        tag_attribute_values={
            "td": {"align": align},
            "th": {"align": align, "scope": {"row", "col", "rowgroup", "colgroup"}},
        },
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import table
    from markdown_it.token import Token

    parser, lines = (
        MarkdownIt("commonmark", {"html": True, "maxNesting": nesting}).enable(["table", "strikethrough"])
        for nesting in (_MAX_BLOCKS, _MAX_MARKS)
    )

    def inline(state: StateCore) -> None:
        for token in state.tokens:
            if token.type != "inline":
                continue
            token.children = []
            if len(token.content) <= _MAX_LINE:
                lines.inline.parse(token.content, lines, state.env, token.children)
            else:
                token.children.append(Token("text", "", 0, content=token.content))

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        # Behind a table that is too large, each of its lines may begin another one.
        if state.env.get("full") or not table(state, start, end, True):
            return False
        cells = state.env.get("cells", 0) + _cells(state, start, end)
        if cells > _MAX_CELLS:
            state.env["full"] = True
            return False
        if not silent:
            state.env["cells"] = cells
        return silent or table(state, start, end, False)

    parser.core.ruler.at("inline", inline)
    parser.block.ruler.at("table", bounded, {"alt": ["paragraph", "reference"]})
    return parser


def _cells(state: StateBlock, start: int, end: int) -> int:
    """At most how many cells a table has that begins in this line."""
    line = start
    while line < end and not state.isEmpty(line):
        line += 1
    return (line - start) * (state.src.count("|", state.bMarks[start], state.eMarks[start]) + 1)
