"""Which comments count, against independent readers: markdown-it-py renders, html5lib builds trees.

Comments are numbered, so that the two lists can be compared:

- what counts for the scanner is a comment in the browser's tree, with the same words;
- where the scanner has nothing to complain of, no other one is.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_scanner_oracle import BLOCKS, EXAMPLES, HTML, MARKDOWN, RAW_HTML, WRAPPERS

from spectastic.source import Source
from spectastic.spec import extract

if TYPE_CHECKING:
    from collections.abc import Callable

_OURS = re.compile(r"\s*spectastic:\s+ignore\s+a\s+--\s+(\d.*)", re.DOTALL)
COMMENT = "<!-- spectastic: ignore a -- {} -->"
#: markdown-it-py ends a paragraph that goes on lazily at a comment; CommonMark does not.
LAZY = frozenset({290, 291, 292, 293})


def _numbered(pattern: str, comment: str) -> Callable[[str], str]:
    def replaced(markdown: str) -> str:
        numbers = count(1)
        return re.sub(
            pattern,
            lambda match: match[0] if match[0].startswith("<b") else comment.format(next(numbers)),
            markdown,
        )

    return replaced


VARIANTS = (
    _numbered(r"[A-Za-z]{2,}", COMMENT),
    _numbered(r"(?<=[\s.])(?=\S)", COMMENT),
    _numbered(r"^", f"{COMMENT}\n"),
    _numbered(r"<!--(?! s)", "<!-- spectastic: ignore a -- {} "),
    _numbered(r"[A-Za-z]{2,}", COMMENT.replace(" -- ", "\n-- ")),
    _numbered(r"[ \n]+", f" {COMMENT}\n"),
)


def words(reason: str) -> str:
    return " ".join(reason.split()).rstrip("- ")


def browser_comments(html: str) -> list[str]:
    """The reasons of the suppressions that are comments in a browser's tree."""
    found: list[str] = []
    todo: list[Any] = [html5lib.parse(f"<!doctype html>{html}", treebuilder="dom")]
    while todo:
        node = todo.pop()
        if node.nodeName == "template":
            continue
        if node.nodeType == node.COMMENT_NODE and (match := _OURS.fullmatch(node.data)):
            found.append(words(match[1]))
        todo += node.childNodes
    return sorted(found)


def differences(name: str, text: str, html: str) -> list[str]:
    spec = extract(Source(name, text.encode()), everywhere=True)
    ours = sorted(words(found.reason) for found in spec.suppressions if found.problem is None)
    seen = browser_comments(html)
    odd = bool(spec.problems) or any(found.problem for found in spec.suppressions)
    if (set(ours) <= set(seen) if odd else ours == seen) and len(set(ours)) == len(ours):
        return []
    return [f"{text!r}\n  scanner {ours}\n  browser {seen}"]


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_every_commonmark_example(wrapper: str) -> None:
    shift = list(WRAPPERS).index(wrapper)
    found: list[str] = []
    compared = 0
    for number, markdown in EXAMPLES:
        text = VARIANTS[(number + shift) % len(VARIANTS)](WRAPPERS[wrapper](markdown))
        if number not in LAZY:
            compared += text.count("<!-- spectastic")
            found += differences("spec.md", text, MARKDOWN.render(text))
    assert found == []
    assert compared > 3000


def _counted(parts: list[str]) -> str:
    return "".join(part.format(number) if part == COMMENT else part for number, part in enumerate(parts))


COMMENTS = st.sampled_from([COMMENT, COMMENT, "<!--", "-->", "`", "<div title='", "<b\n", "<!-- a -->"])


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.one_of(COMMENTS, HTML, BLOCKS), max_size=12).map(_counted))
def test_markdown_as_it_comes(text: str) -> None:
    text = f"Text.\n\n{text}"
    assert differences("spec.md", text, MARKDOWN.render(text)) == []


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.one_of(COMMENTS, HTML, RAW_HTML), max_size=12).map(_counted))
def test_html_as_it_comes(text: str) -> None:
    assert differences("spec.html", text, text) == []


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.one_of(COMMENTS, RAW_HTML, st.sampled_from(["\n\n", "\n"])), max_size=12).map(_counted))
def test_elements_that_hide_in_markdown(text: str) -> None:
    assert differences("spec.md", text, MARKDOWN.render(text)) == []
