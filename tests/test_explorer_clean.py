"""Somebody's text in our pages: what is left of hostile markup, read again by an independent parser."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic.explorer import clean
from spectastic.explorer.clean import MAX_HTML, MAX_TEXT
from spectastic.spec.markup import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from _pytest.mark.structures import ParameterSet

FOLDER = Path(__file__).parents[1] / "fixtures" / "explorer" / "hostile"
ELEMENTS = words(
    "a abbr b bdi blockquote br caption cite code dd del details dfn div dl dt em h3 h4 h5 h6 hr i ins kbd "
    "li mark ol p pre q s samp small strong sub summary sup table tbody td tfoot th thead tr u ul var"
)
ATTRIBUTES = {
    ("a", "href"): r"(?:https?://|mailto:)[^\s\0-\x20]+",
    ("a", "rel"): "noopener noreferrer nofollow",
    ("details", "open"): "",
    ("li", "value"): "-?[0-9]{1,9}",
    ("ol", "start"): "-?[0-9]{1,9}",
    **{
        (cell, name): values
        for cell in ("td", "th")
        for name, values in (
            ("align", "left|right|center"),
            ("colspan", "[1-9][0-9]?"),
            ("rowspan", "[1-9][0-9]?"),
        )
    },
    ("th", "scope"): "row|col|rowgroup|colgroup",
}
#: Elements of a browser's tree above one another, those that it adds included.
DEPTH = 320


def cases(name: str) -> list[ParameterSet]:
    made = []
    for group, table in tomllib.loads((FOLDER / name).read_text("utf-8")).items():
        for case, (text, expected) in table.items():
            # TOML has no NUL.
            text = text.replace("\\u0000", "\0")
            wanted = text if expected == "same" else expected
            made.append(pytest.param(text, wanted, id=f"{group}: {case}"))
    return made


def check(markup: str, extra: frozenset[str] = frozenset()) -> None:
    """Nothing but what is allowed, by html5lib's reading of the fragment where our pages have it."""
    tree = html5lib.parseFragment(markup, container="div", treebuilder="etree", namespaceHTMLElements=False)
    level = [tree]
    depth = 0
    while level:
        depth += 1
        for node in level:
            if node is not tree:
                assert isinstance(node.tag, str), node
                assert node.tag in ELEMENTS | extra, node.tag
            for name, value in node.attrib.items():
                if node.tag == "spec-decision":
                    assert name in {"id", "grounding"}
                else:
                    pattern = ATTRIBUTES.get((node.tag, name))
                    assert pattern is not None, (node.tag, name)
                    assert re.fullmatch(pattern, value, re.IGNORECASE), (node.tag, name, value)
            assert node.tag != "a" or {"href", "rel"} == set(node.attrib)
        level = [child for node in level for child in node]
    assert depth < DEPTH


@pytest.mark.parametrize(("text", "expected"), cases("html.toml"))
def test_html(text: str, expected: str) -> None:
    cleaned = clean.html(text)
    assert cleaned == expected
    check(cleaned)
    check(clean.html(text, decisions=True), frozenset({"spec-decision"}))


@pytest.mark.parametrize(("text", "expected"), cases("markdown.toml"))
def test_markdown(text: str, expected: str) -> None:
    cleaned = clean.markdown(text)
    assert cleaned.rstrip("\n") == expected
    check(cleaned)


def test_decisions_are_kept_where_they_are_asked_for() -> None:
    text = '<Spec-Decision ID="&quot;D&lt;1" grounding=assumed class=x><p>a\u202e</p></spec-decision>'
    kept = '<spec-decision id="&quot;D&lt;1" grounding="assumed"><p>a\u202e</p></spec-decision>'
    assert clean.html(text, decisions=True) == kept
    assert clean.shown("é a\u202e") == "é a\\u{202e}"
    assert clean.shown("plain") == "plain"


PIECES = st.one_of(
    st.sampled_from(
        [
            *(
                "<script>",
                "</script>",
                "<style>",
                "</style>",
                "<svg>",
                "</svg>",
                "<math>",
                "<mtext>",
                "<mglyph>",
            ),
            *("<template>", "</template>", "<noscript>", "</noscript>", "<title>", "</title>", "<textarea>"),
            *("<table>", "<tr>", "<td>", "</td>", "</table>", "<caption>", "<form>", "</form>", "<select>"),
            *("<p>", "</p>", "<b>", "</b>", "<a href=https://a.example>", "</a>", "<div>", "</div>", "<li>"),
            *(
                "<ul>",
                "</ul>",
                "<dd>",
                "<br>",
                "</br>",
                "<pre>",
                "</pre>",
                "<h1>",
                "</h1>",
                "<foreignObject>",
            ),
            *("<!--", "-->", "--!>", "<![CDATA[", "]]>", "<?x", ">", "<", "</", '"', "'", "`", "=", "/", "&"),
            *(
                "<spec-decision id=D>",
                "</spec-decision>",
                "<section class=decision>",
                "<img alt='",
                "<img src=x>",
            ),
            *("<x onclick=alert(1)>", " onerror=alert(1) ", "<a href=javascript:alert(1)>", "&lt;", "&#60;"),
            *(
                "<iframe srcdoc='",
                "</iframe>",
                "<plaintext>",
                "<annotation-xml encoding=text/html>",
                "\0",
                "\r",
            ),
            *(
                "KB-0001@2024-05-28",
                " ",
                "\n",
                "\n\n",
                "a",
                "é",
                "\u202e",
                "\u200b",
                "```",
                "    ",
                "|a|\n|-|\n",
            ),
        ]
    ),
    st.text("<>&\"'/=!-abst \n\0\u202e", max_size=6),
)
HOSTILE = st.lists(PIECES, max_size=25).map("".join)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(HOSTILE)
def test_pieces_of_hostile_markup(text: str) -> None:
    for made in (clean.html(text), clean.markdown(text)):
        check(made)
        assert "\u202e" not in made
        # A line break that begins a <pre> is not shown.
        assert clean.html(made, demote=0) == made or "<pre>" in made
    check(clean.html(text, decisions=True), frozenset({"spec-decision"}))


def long(piece: str, size: int = MAX_TEXT) -> str:
    return piece * (size // len(piece))


LONG: dict[str, str] = {
    name: long(piece)
    for name, piece in {
        "brackets": "[",
        "pictures": "![",
        "quotes": ">",
        "bold": "<b>",
        "blocks": "<div>\n",
        "tables": "<table><tr><td>",
        "tables and bold": "<b><table><tr><td></b></table>",
        "terms": "<dd><dt><li>",
        "lists": "<ul><li>",
        "cdata": "a <![CDATA[",
        "php": "a <?",
        "comments": "a <!--",
        "templates": "<template>",
        "raw text": "<textarea><title><xmp><iframe><style><script>",
        "decisions": "<spec-decision>",
        "links": "<a href=http://x.example>",
        "quotations": "<q><b></q>",
        "quoted paragraphs": "<q><p></q><div></div>",
        "bold blocks": "<b><div></b>",
        "bold paragraphs": "<b><p></b>",
        "bold in cells": "<table><td><b></table>",
        "cells": "<table><td>",
        "narrow rows": "|a" * 100 + "\n" + "|-" * 100 + "\n" + "|a\n" * 660 + "\n",
    }.items()
} | {
    "marks": "".join(f"<b a={number}>" for number in range(20_000)) + "<p>x" * 20_000,
    "many marks": "<b><i><u><s><em><code><small><strong>" * 3 + "<p>x" * 100_000,
    "list of lists": "".join("  " * level + "- a\n" for level in range(200)),
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("way", [clean.html, clean.markdown])
def test_takes_its_time_and_no_more(name: str, way: Callable[[str], str]) -> None:
    """No time is asserted: without its bounds, each of these takes minutes or hours."""
    made = way(LONG[name])
    assert len(made) < 2 * MAX_HTML + 1000
    # html5lib takes long itself; nesting is asked of the tags, which the sanitiser has balanced.
    depth = most = 0
    for tag in re.finditer("<(/?)([a-z0-9-]+)[^<>]*>", made):
        if tag[2] not in {"br", "hr"}:
            depth += -1 if tag[1] else 1
            most = max(most, depth)
    assert depth == 0
    assert most < DEPTH


@pytest.mark.parametrize(
    ("way", "text", "why"),
    [
        (clean.markdown, "*a* <b>\u202e\n" + "x" * MAX_TEXT, "too long"),
        (clean.markdown, "*a* <b>\u202e\n" + "[" * 20_001, "too long"),
        (clean.markdown, "> " * 120 + "*a* <b>\u202e\n", "too deeply"),
        (clean.html, "*a* <b>\u202e\n" + "x" * MAX_HTML, "too long"),
    ],
    ids=["long", "brackets", "deep", "long html"],
)
def test_what_cannot_be_laid_out_is_shown_as_it_is_written(
    way: Callable[[str], str], text: str, why: str
) -> None:
    made = way(text)
    assert why in made.partition("</p>")[0]
    assert "*a* &lt;b&gt;\\u{202e}" in made
    check(made[:1000] + "</pre>")


def test_marks_that_never_end_are_not_begun_anew() -> None:
    text = "<b><i><u><s><em><code><small><strong>" * 3 + "<p>x" * 1000
    assert clean.html(text).count("<b>") == 3


def test_a_long_paragraph_is_text() -> None:
    text = "*a* " + "x" * 50_000
    assert clean.markdown(text) == f"<p>{text}</p>\n"


def test_wide_tables_are_text_once_there_are_many_cells() -> None:
    table = "|a" * 100 + "\n" + "|-" * 100 + "\n" + "|a\n" * 300 + "\n"
    made = clean.markdown(table * 2)
    assert made.count("<table>") == 1
    assert made.count("<td>") == 300 * 100
    assert "|a|a" in made


def test_lists_and_quotes_as_deep_as_people_write_them() -> None:
    text = "".join("  " * level + f"- level {level}\n" for level in range(30))
    assert "level 29" in clean.markdown(text)
    assert clean.markdown(text).count("<ul>") == 30


@pytest.mark.parametrize("text", ["-|-\n" * 40_000, "|a|\n|-|\n" * 40_000])
def test_a_table_too_large_ends_in_time(text: str) -> None:
    # In a second or so; it took minutes.
    assert "-" in clean.markdown(text)


def test_too_many_escapes_are_shown_as_they_are_written() -> None:
    assert clean.html("&" * 400_000).startswith("<p><strong>This text is too long to be laid out.")
