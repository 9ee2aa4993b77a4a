"""The scanner against independent readers: markdown-it-py renders, html5lib and turbohtml build trees.

What a browser makes of a spec is the truth that both scanners are held to. They may differ from
it, but never in silence:

- without a problem, decisions and what they cite are those of the browser's tree;
- whatever a browser shows as a token is one for the scanner, in a decision or outside.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import html5lib
import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from spectastic.source import Source
from spectastic.spec import extract
from spectastic.spec.citation import Fault, find
from spectastic.spec.markup import DECISION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spectastic.spec.model import Decision

COMMONMARK = Path(__file__).parent.parent / "fixtures" / "commonmark" / "spec-0.31.2.json"
EXAMPLES = [(example["example"], example["markdown"]) for example in json.loads(COMMONMARK.read_bytes())]


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The elements that stand between words, written down again from the style sheet of the HTML standard.
BETWEEN = words(
    # display: block, list-item or of a table
    "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html "
    "legend li listing main menu nav noframes ol optgroup option p plaintext pre search section summary "
    "table tbody td tfoot th thead title tr ul xmp "
    # a line end, and what takes up room in a line
    "br audio button canvas embed iframe img image input keygen marquee meter noembed object progress select "
    "svg textarea video"
)
UNSEEN = frozenset({"script", "style", "template"})


class Reading(NamedTuple):
    """The decisions, each as its id and its tokens in any order, and every visible token."""

    decisions: list[tuple[str | None, list[str]]]
    tokens: Counter[str]


# What a browser sees


def browser(children: Callable[[Any], list[Any]], root: Any) -> Reading:
    """The reading of a tree; `children` gives a node's: texts as strings, elements as nodes."""
    loose: list[str] = []
    decisions: list[tuple[str | None, list[str]]] = []
    todo: list[tuple[Any, list[str]]] = [(root, loose)]
    while todo:
        node, text = todo.pop()
        if isinstance(node, str):
            text.append(node)
            continue
        name = name_of(node)
        if name in UNSEEN:
            continue
        between = name in BETWEEN or name == DECISION
        if between:
            text.append("\n")
            todo.append(("\n", text))
        if name == DECISION:
            text = []
            attributes = node.attrib if hasattr(node, "attrib") else node.attrs
            decisions.append((attributes.get("id") or None, text))
        todo += [(child, text) for child in reversed(children(node))]
    read = [(identifier, tokens_of("".join(text))) for identifier, text in decisions]
    everything = Counter(tokens_of("".join(loose)))
    for _, tokens in read:
        everything.update(tokens)
    return Reading(read, everything)


def name_of(node: Any) -> str:
    return str(getattr(node, "tag", "") or "").rpartition("}")[2]


def html5lib_reading(html: str) -> Reading:
    def children(node: Any) -> list[Any]:
        found = [node.text or ""]
        for child in node:
            # A comment's tag is a function.
            found += [child] if isinstance(child.tag, str) else []
            found.append(child.tail or "")
        return found

    return browser(children, html5lib.parse(f"<!doctype html>{html}", treebuilder="etree"))


def turbohtml_reading(html: str) -> Reading:
    def children(node: Any) -> list[Any]:
        found = [(child, type(child).__name__) for child in node.children]
        return [
            child.data if kind == "Text" else child for child, kind in found if kind in ("Text", "Element")
        ]

    return browser(children, turbohtml.parse(f"<!doctype html>{html}"))


def tokens_of(text: str) -> list[str]:
    return sorted(_told(text[found.start : found.end], isinstance(found, Fault)) for found in find(text))


def _told(text: str, fault: bool) -> str:
    """A token up to the first character of its edition: where it ends is not the tree's business."""
    head, at, edition = text.partition("@")
    return ("!" if fault else "") + head + at + edition[:1]


# What the scanner sees


def our_reading(text: str, name: str) -> tuple[Reading, bool]:
    """The scanner's reading, and whether it has found a problem."""
    source = Source(name, text.encode())
    spec = extract(source)
    full = extract(source, everywhere=True)
    assert full.decisions == spec.decisions
    everything = Counter(token for place in full.citing for token in _tokens(place))
    return Reading([(found.id, _tokens(found)) for found in spec.decisions], everything), bool(spec.problems)


def _tokens(decision: Decision) -> list[str]:
    cited = [_told(citation.text, False) for citation in decision.citations]
    return sorted(cited + [_told(malformed.text, True) for malformed in decision.malformed])


def differences(text: str, name: str, seen: Reading) -> Iterator[str]:
    ours, problem = our_reading(text, name)
    if not problem and ours.decisions != seen.decisions:
        yield f"{text!r}\n  scanner {ours.decisions}\n  browser {seen.decisions}"
    hidden = seen.tokens - ours.tokens
    if hidden:
        yield f"{text!r}\n  the browser alone sees {dict(hidden)}"


# Markdown

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _alternative(tokens: list[Any] | None) -> str:
    found = []
    for token in tokens or []:
        if token.type in ("softbreak", "hardbreak"):
            found.append("\n")
        else:
            found.append(_alternative(token.children) if token.type == "image" else token.content)
    return "".join(found)


def _image(_self: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    """An image as its alternative text, which is what a reader of a spec may see of it."""
    return escape(_alternative(tokens[index].children))


MARKDOWN.add_render_rule("image", _image)


def markdown_differences(text: str) -> list[str]:
    return list(differences(text, "spec.md", html5lib_reading(MARKDOWN.render(text))))


def _tokens_for_words(pattern: str) -> Callable[[str], str]:
    def replaced(markdown: str) -> str:
        numbers = count(1)
        return re.sub(
            pattern,
            lambda match: match[0] if match[0][0] == "<" else f"KB-{next(numbers):04d}@e",
            markdown,
        )

    return replaced


#: An example with a token in place of every word outside tags, of every word, and as it is.
VARIANTS = (_tokens_for_words(r"<[^<>\n]*>|[A-Za-z]{2,}"), _tokens_for_words("[A-Za-z]{2,}"), str)

START, END = '<spec-decision id="D-1">', "</spec-decision>"


def _prefixed(text: str, first: str, rest: str) -> str:
    return "\n".join((rest if index else first) + line for index, line in enumerate(text.split("\n")))


WRAPPERS: dict[str, Callable[[str], str]] = {
    "in a decision": lambda text: f"{START}\n\n{text}\n\n{END}\n",
    "in one block with the tags": lambda text: f"{START}\n{text}\n{END}\n",
    "in a list item of a decision": lambda text: f"{START}\n\n{_prefixed(text, '- ', '  ')}\n\n{END}\n",
    "in a decision in a list item": lambda text: _prefixed(f"{START}\n\n{text}\n\n{END}", "- ", "  ") + "\n",
    "in a decision in a quote": lambda text: _prefixed(f"{START}\n\n{text}\n\n{END}", "> ", "> ") + "\n",
    "in a decision in a list in a quote": lambda text: _prefixed(
        _prefixed(f"{START}\n\n{text}\n\n{END}", "1. ", "   "), "> ", "> "
    ),
    "around a decision": lambda text: f"Text.\n\n{text}\n\n{START}\n\nKB-0900@x\n\n{END}\n\n{text}\n",
    "between two decisions": lambda text: (
        f"{START} KB-0900@x {END}\n\n{text}\n\n{START}\n\nKB-0901@x\n\n{END}\n"
    ),
    "in a line": lambda text: f"a {text}{START} KB-0900@x {text} {END}{text}",
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_every_commonmark_example(wrapper: str) -> None:
    assert len(EXAMPLES) == 652
    shift = list(WRAPPERS).index(wrapper)
    found: list[str] = []
    for number, markdown in EXAMPLES:
        variant = VARIANTS[(number + shift) % len(VARIANTS)]
        found += markdown_differences(WRAPPERS[wrapper](variant(markdown)))
    assert found == []


TAGS = words(
    "div p ul li table tr td dl dd blockquote h2 pre button form details center option br hr "
    "b i a span em code font nobr x-y u"
)


def _tag(name: str, close: bool) -> str:
    tag = f"</{name}>" if close else f"<{name}>"
    # A stray end tag of a block is nothing to a browser and a blank to us: let there be one anyway.
    return f" {tag} " if name in BETWEEN else tag


HTML = st.one_of(
    st.builds(_tag, st.sampled_from(sorted(TAGS)), st.booleans()),
    st.sampled_from([f"<{DECISION}>", f"<{DECISION}>", START, END, END, END]),
    st.sampled_from(["<!-- KB-0008@c -->", '<b title="KB-0009@t">', "&amp;", "\n", " text ", "é🚀"]),
    st.sampled_from([" KB-0001@a ", "KB-0002<i>@b</i>", " kb-3@x ", "&#75;B-0004@d "]),
)
BLOCKS = st.one_of(
    st.sampled_from(["\n", "\n\n", "\n\n", "\n\n- ", "\n  ", "\n\n> ", "\n> ", "\n\n1. ", "\n   "]),
    st.sampled_from(["\n\n# ", "\n```\n", "\n\n    ", "\n\n| a | b |\n|---|---|\n| ", " | ", "\n\n---\n\n"]),
    st.sampled_from(["*", "**", "_", "`", "[", "](u)", "![", "~~", "\\", "  \n", "<!--", "-->", "<"]),
)


def _documents(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inner = st.lists(st.one_of(*parts), max_size=10).map("".join)
    return st.one_of(inner, inner.map(lambda text: f"{START}\n\n{text}\n\n{END}\n"))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(_documents(HTML, BLOCKS))
def test_markdown_as_it_comes(text: str) -> None:
    assert markdown_differences(f"Text.\n\n{text}") == []


# HTML

RAW = words("template script style textarea title xmp iframe noscript")
RAW_HTML = st.builds(_tag, st.sampled_from(sorted(RAW)), st.booleans())


def _markup(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inner = st.lists(st.one_of(*parts), max_size=12).map("".join)
    return st.one_of(inner, inner.map(lambda text: f"{START}{text}{END}"))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(_markup(HTML))
def test_html_as_it_comes(text: str) -> None:
    assert list(differences(text, "spec.html", html5lib_reading(text))) == []
    assert list(differences(text, "spec.html", turbohtml_reading(text))) == []


#: Without tags and comments, which hide when they are read and show when they are raw text.
PLAIN = st.sampled_from(
    [f"<{DECISION}>", END, " KB-0001@a ", " kb-3@x ", "<i>", "</i>", "\n", " <p> ", " </p> "]
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(_markup(PLAIN, RAW_HTML))
def test_elements_that_hide(text: str) -> None:
    seen = turbohtml_reading(text)
    ours, problem = our_reading(text, "spec.html")
    if not problem and DECISION in text:
        assert ours.decisions == seen.decisions
    assert not seen.tokens - ours.tokens


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.one_of(PLAIN, RAW_HTML, st.just("\n\n")), max_size=12).map("".join))
def test_elements_that_hide_in_markdown(text: str) -> None:
    seen = turbohtml_reading(MARKDOWN.render(text))
    ours, problem = our_reading(text, "spec.md")
    if not problem and DECISION in text:
        assert ours.decisions == seen.decisions
    assert not seen.tokens - ours.tokens


SAMPLES = [
    "<p>a<spec-decision id=1><p>KB-0001@a</spec-decision>KB-0002@b",
    "<table><spec-decision id=1><tr><td>KB-0001@a</table></spec-decision>",
    "<table><tr><td><spec-decision id=1>KB-0001@a</spec-decision><td>KB-0002@b</table>",
    "<b><spec-decision id=1><p>KB-0001@a</b>KB-0002@b</p></spec-decision>",
    "<a><spec-decision id=1><a>KB-0001@a</a></spec-decision></a>",
    "<button><spec-decision id=1><button>KB-0001@a</button></spec-decision>",
    "<form><spec-decision id=1></form>KB-0001@a</spec-decision>",
    "<h1><spec-decision id=1><h2>KB-0001@a</h2></spec-decision>",
    "<h1><h2><spec-decision id=1>KB-0001@a</spec-decision></h2></h1>",
    "<table><tr><td><spec-decision id=1><caption>KB-0001@a</table></spec-decision>",
    "<table><spec-decision id=1><tbody><tr><td>KB-0001@a</table></spec-decision>",
    "<b><table><tr><td></b><spec-decision id=1>KB-0001@a</spec-decision></b></table></b>",
    "<dl><dt><spec-decision id=1><dd>KB-0001@a</dl></spec-decision>",
    "<ul><li><div><spec-decision id=1><li>KB-0001@a</ul></spec-decision>",
    "<select><option><spec-decision id=1><option>KB-0001@a</select>",
    "<body><spec-decision id=1></body></html>KB-0001@a</spec-decision>",
    "<head><spec-decision id=1>KB-0001@a</spec-decision></head><body>KB-0002@b",
    "<svg><path/><circle/></svg><spec-decision id=1>KB-0001@a</spec-decision>",
    "<spec-decision id=1><details><summary>KB-0001@a</summary>KB-0002@b</details></spec-decision>",
    "<spec-decision id=1><ul><li>KB-0001@a<li>KB-0002@b</ul></spec-decision>KB-0003@c",
    "<spec-decision id=1><div></spec-decision>KB-0001@a</div></spec-decision>",
    "<div><spec-decision id=1></div>KB-0001@a</spec-decision>",
    "<spec-decision id=1><spec-decision id=2><div></spec-decision></spec-decision>KB-0001@a",
    "<!-- <spec-decision> --><spec-decision id=1>KB-0001@a<!--> --></spec-decision>",
    "<div><b></div><spec-decision id=1></b>KB-0001@a</spec-decision>",
]


@pytest.mark.parametrize("text", SAMPLES)
def test_html_that_browsers_mend(text: str) -> None:
    assert list(differences(text, "spec.html", turbohtml_reading(text))) == []
    if "<select>" not in text:  # html5lib is from before other elements could be in it
        assert list(differences(text, "spec.html", html5lib_reading(text))) == []
