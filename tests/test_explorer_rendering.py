"""Specs as pages: a badge on every decision, each citation a link to the text at exactly that edition."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import html5lib
import pytest
from corpora import corpus, document, row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spectastic.corpus import body, load
from spectastic.explorer import documents, rendering
from spectastic.source import Source, read
from spectastic.spec import extract

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from spectastic.corpus import Corpus
    from spectastic.corpus.model import Resolution

REPOS = Path(__file__).parent.parent / "fixtures" / "repos"
DOCUMENTS = {
    "knowledge/p/references/001-x.md": document(body="# Now\n\nIt is 1.\n"),
    "knowledge/p/references/superseded/001-x@2020.md": document(edition="2020", body="It was 0.\n"),
    "knowledge/p/references/002-y.md": document("002-y", "a,b", body="Both <script>x</script> <b>y</b>.\n"),
}
ROWS = (row(1, "2024-05-28", "p/references/001-x.md"), row(2, "a,b", "p/references/002-y.md", "002-y"))
NOW, OLD, ODD = "KB-0001@2024-05-28", "KB-0001@2020", "KB-0002@a,b"


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus(tmp_path_factory.mktemp("known"), DOCUMENTS, *ROWS)


class Shown(NamedTuple):
    """What a page shows: its decisions by id and badge, and where each citation leads, in order."""

    decisions: list[tuple[str, str]]
    links: list[tuple[str, str]]


def tree(text: str) -> Element:
    return html5lib.parse(text, namespaceHTMLElements=False)  # type: ignore[no-any-return]


def words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def classed(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if name in (element.get("class") or "").split()]


def shown(text: str) -> Shown:
    root = tree(text)
    decisions = []
    for decision in classed(root, "decision"):
        head = classed(decision, "decision-head")[0]
        (badge,) = classed(head, "state")
        (use,) = (element for element in badge.iter() if str(element.tag).endswith("}use"))
        # Colour, shape and word say the same.
        state = words(badge)
        assert badge.get("class") == f"state state-{state}"
        assert use.get("href") == f"#mark-{state}"
        assert decision.get("class") == f"decision decision-{state}"
        decisions.append((words(classed(head, "decision-id")[0]), state))
    links = [
        (link.get("aria-label") or words(link), unquote(str(link.get("href"))))
        for link in classed(root, "citation")
    ]
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert all(target[1:] in ids for _, target in links)
    return Shown(decisions, links)


def wrapped(text: str) -> str:
    return f'<spec-decision id="D-1">\n\n{text}\n\n</spec-decision>\n'


CASES = [
    # What stands in a Markdown spec; its decisions and their states; its citations and where they lead.
    (wrapped(f"See {NOW}."), [("D-1", "grounded")], [(NOW, f"#{NOW}")]),
    (wrapped(f"See {OLD}."), [("D-1", "stale")], [(OLD, f"#{OLD}")]),
    (wrapped("See KB-0001."), [("D-1", "unpinned")], [("KB-0001", f"#{NOW}")]),
    (wrapped("See nothing."), [("D-1", "assumed")], []),
    (wrapped("See KB-0009@1."), [("D-1", "ungrounded")], [("KB-0009@1", "#finding-1")]),
    (wrapped("See kb-0001@2020."), [("D-1", "ungrounded")], [("kb-0001@2020", "#finding-1")]),
    # An edition with a comma.
    (wrapped(f"See {ODD}."), [("D-1", "grounded")], [(ODD, f"#{ODD}")]),
    # The worst of several counts; each leads where it leads.
    (
        wrapped(f"See {NOW}, {OLD} and KB-0001."),
        [("D-1", "stale")],
        [(NOW, f"#{NOW}"), (OLD, f"#{OLD}"), ("KB-0001", f"#{NOW}")],
    ),
    # Joined, in code, in a table, in a quote, in a heading.
    (wrapped(f"{NOW},{OLD}"), [("D-1", "stale")], [(NOW, f"#{NOW}"), (OLD, f"#{OLD}")]),
    (wrapped(f"`{NOW}`\n\n    {OLD}"), [("D-1", "stale")], [(NOW, f"#{NOW}"), (OLD, f"#{OLD}")]),
    (wrapped(f"| a |\n|---|\n| {NOW} |"), [("D-1", "grounded")], [(NOW, f"#{NOW}")]),
    (wrapped(f"> {NOW}\n\n# {OLD}"), [("D-1", "stale")], [(NOW, f"#{NOW}"), (OLD, f"#{OLD}")]),
    # Where a link cannot go around the token, it stands behind it.
    (wrapped("KB-0001<b>@2020</b> then"), [("D-1", "stale")], [(OLD, f"#{OLD}")]),
    (wrapped(f"[a {OLD} b](https://example.org/)"), [("D-1", "stale")], [(OLD, f"#{OLD}")]),
    (wrapped(f"![{OLD}](x.png)"), [("D-1", "stale")], [(OLD, f"#{OLD}")]),
    # Nested, inline, in a list, without an id.
    (
        wrapped(f"{NOW}\n\n<spec-decision>\n\n{OLD}\n\n</spec-decision>"),
        [("D-1", "grounded"), ("decision", "stale")],
        [(NOW, f"#{NOW}"), (OLD, f"#{OLD}")],
    ),
    (f"- a <spec-decision id='x'>{NOW}</spec-decision> b\n", [("x", "grounded")], [(NOW, f"#{NOW}")]),
    (f"# <spec-decision id='x'>{NOW}</spec-decision> b\n", [("x", "grounded")], [(NOW, f"#{NOW}")]),
    # Samples are none.
    (f"```\n{wrapped(NOW)}```\n\n`<spec-decision>{NOW}</spec-decision>`\n", [], []),
    (f"<!-- {wrapped(NOW)} -->\n", [], []),
    # Frontmatter is not shown.
    (f"---\ntitle: KB-0009@1\n---\n{wrapped(NOW)}", [("D-1", "grounded")], [(NOW, f"#{NOW}")]),
    # An id that is markup.
    ("<spec-decision id='<b>&amp;\"'>\n\nx\n\n</spec-decision>\n", [('<b>&"', "assumed")], []),
    # A decision without an end reaches to the end.
    (f"<spec-decision id='x'>\n\n{NOW}\n", [("x", "grounded")], [(NOW, f"#{NOW}")]),
    # What imitates a badge is text.
    (
        wrapped(
            "<span class='state state-grounded'>grounded</span> <p class='decision decision-grounded'>x</p>"
        ),
        [("D-1", "assumed")],
        [],
    ),
    ("No decisions.\n", [], []),
    ("", [], []),
]


@pytest.mark.parametrize(("text", "decisions", "links"), CASES, ids=range(len(CASES)))
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_markdown(
    text: str, decisions: list[tuple[str, str]], links: list[tuple[str, str]], ends: str, known: Corpus
) -> None:
    source = Source("specs/a.md", text.replace("\n", ends).encode())
    page = rendering.spec_page(source, known)
    assert page.agrees
    assert shown(page.text) == (decisions, links)
    # A page that is committed is no spec with decisions of its own.
    assert extract(Source("rendered/a.md.html", page.text.encode())).decisions == ()


WHOLE = (
    f"<!doctype html><head><title>{OLD}</title><style>x</style></head><body onload=x><main>"
    f"<spec-decision id=x><h2 class=state>A</h2><dl><dt>b<dd>{OLD}</dl></spec-decision></main>"
)
HTML = [
    (f"<spec-decision id=x><p>{NOW}</p></spec-decision>", [("x", "grounded")], [(NOW, f"#{NOW}")]),
    (WHOLE, [("x", "stale")], [(OLD, f"#{OLD}")]),
    ("<p>a<spec-decision>KB-<i>0001</i>@2020</spec-decision>", [("decision", "stale")], [(OLD, f"#{OLD}")]),
    (f"<script><spec-decision>{NOW}</spec-decision></script>", [], []),
]


@pytest.mark.parametrize(("text", "decisions", "links"), HTML, ids=range(len(HTML)))
def test_html(
    text: str, decisions: list[tuple[str, str]], links: list[tuple[str, str]], known: Corpus
) -> None:
    page = rendering.spec_page(Source("specs/a.html", text.encode()), known)
    assert page.agrees
    assert shown(page.text) == (decisions, links)
    root = tree(page.text)
    assert [words(element) for element in root.iter("title")] == ["specs/a.html"]


def test_each_source_stands_once_with_the_text_of_its_edition(known: Corpus) -> None:
    text = wrapped(f"{NOW} {OLD} {NOW} KB-0001 {ODD}")
    root = tree(rendering.spec_page(Source("a.md", text.encode()), known).text)
    sources = {str(element.get("id")): words(element) for element in classed(root, "source")}
    assert list(sources) == [NOW, OLD, ODD]
    assert "Now It is 1." in sources[NOW]
    assert "The current edition, knowledge/p/references/001-x.md" in sources[NOW]
    assert "It was 0." in sources[OLD]
    assert "The superseded edition, knowledge/p/references/superseded/001-x@2020.md" in sources[OLD]
    assert "Both y." in sources[ODD]


def test_labels_say_what_and_what_is_wrong(known: Corpus) -> None:
    text = wrapped(f"{NOW} {OLD} KB-0009@1")
    root = tree(rendering.spec_page(Source("a.md", text.encode()), known).text)
    tips = {str(element.get("id")): words(element) for element in classed(root, "tip")}
    described = [tips[str(link.get("aria-describedby"))] for link in classed(root, "citation")]
    assert described == [
        "acme · web · 001-x",
        f"acme · web · 001-x · {OLD} is superseded: the current edition of acme · web · 001-x is 2024-05-28",
        "KB-0009@1 resolves to nothing: knowledge/index.md has no row KB-0009",
    ]
    assert all(element.get("role") == "tooltip" for element in classed(root, "tip"))


def test_text_around_decisions_counts_where_that_is_asked_for(known: Corpus) -> None:
    source = Source("a.md", f"Around: {OLD}.\n\n{wrapped(NOW)}".encode())
    assert shown(rendering.spec_page(source, known).text).links == [(NOW, f"#{NOW}")]
    page = rendering.spec_page(source, known, everywhere=True)
    assert shown(page.text).links == [(OLD, f"#{OLD}"), (NOW, f"#{NOW}")]
    assert shown(page.text).decisions == [("D-1", "grounded")]


@pytest.mark.parametrize(
    ("room", "times"),
    [
        # Two for both pages, and two for the one that has documents of its own.
        (50_000_000, 2 + 0 + 2),
        # Each is forgotten once there is another; only the last of the first page is there for the second.
        (0, 3 + 2 + 3),
    ],
)
def test_documents_are_kept_for_the_next_spec(
    room: int, times: int, known: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Resolution] = []

    def finding(corpus_: Corpus, to: Resolution) -> object:
        found.append(to)
        return body.document(corpus_, to)

    monkeypatch.setattr(documents, "_KEPT", room)
    monkeypatch.setattr(documents, "document", finding)
    kept = documents.Documents(known)
    source = Source("a.md", wrapped(f"{NOW} {OLD} {NOW}").encode())
    pages = [rendering.spec_page(source, known, documents=kept) for _ in range(2)]
    assert pages[0] == pages[1] == rendering.spec_page(source, known)
    assert len(found) == times


DIFFERENT = [
    # Too long to be rendered: nothing of it is marked, and the page says so.
    "x" * 600_000 + "\n\n" + wrapped(NOW),
]


@pytest.mark.parametrize("text", DIFFERENT, ids=range(len(DIFFERENT)))
def test_a_page_that_shows_what_is_not_checked_says_so(text: str, known: Corpus) -> None:
    page = rendering.spec_page(Source("a.md", text.encode()), known)
    assert not page.agrees
    assert "This page does not show what is checked." in page.text
    assert shown(page.text).decisions == []


@pytest.mark.parametrize("path", sorted(REPOS.glob("*/specs/**/*.*")), ids=lambda path: path.name)
def test_the_sample_repositories_agree(path: Path) -> None:
    root = next(parent for parent in path.parents if parent.parent == REPOS)
    source = read(str(root), path.relative_to(root).as_posix())
    if isinstance(source, Source):
        assert rendering.spec_page(source, load(str(root))).agrees


PIECES = st.sampled_from(
    [
        *("<spec-decision id='d'>", "</spec-decision>", "\n\n", "\n", " ", "x", "&lt;", "\\"),
        *(NOW, OLD, ODD, "KB-0001", "kb-0001@1", "`", "**", "> ", "- ", "# ", "| a | b |\n|---|---|\n| "),
        *("<b>", "</b>", "<a href='https://e.org'>", "</a>", "[x](https://e.org)", "<p>", "<script>"),
        *("<table><td>", "</table>", "<!-- ", " -->"),
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, max_size=25), html=st.booleans())
def test_what_is_shown_is_what_was_read_or_the_page_says_otherwise(
    pieces: list[str], html: bool, known: Corpus
) -> None:
    source = Source(f"a.{'html' if html else 'md'}", "".join(pieces).encode())
    page = rendering.spec_page(source, known)
    spec = known.settle(extract(source))
    found = shown(page.text)
    assert page.agrees == ("This page does not show" not in page.text)
    if page.agrees:
        assert [state for _, state in found.decisions] == [
            known.state(decision).value for decision in spec.decisions
        ]
        # A link that stands behind its token may come after another one.
        texts = [item.text for decision in spec.decisions for item in decision.written]
        assert sorted(text for text, _ in found.links) == sorted(texts)
    assert "<script>" not in re.sub(r"<script>[^<]*?\"use strict\"", "", page.text)
