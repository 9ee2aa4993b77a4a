"""The pieces of HTML: plain tags read here as turbohtml reads them, and every character in a piece."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from turbohtml import TokenType, tokenize

from spectastic.spec.markup import DECISION, RAW_TEXT, Kind, _read_all, _read_plain, read

ATTRIBUTES = st.sampled_from(
    ["", ' id="a"', ' ID="b" id="c"', '\nx="é"', ' a="b>"', " hidden", " id=d", ' id="&amp;"', " "]
)
PLAIN = st.one_of(
    st.builds(
        "<{}{}{}>".format,
        st.sampled_from([DECISION, DECISION.upper(), "b", "Div", "x-y", "script", "noscript", "h1"]),
        ATTRIBUTES,
        st.sampled_from(["", "/", " /"]),
    ),
    st.builds(
        "</{}{}>".format,
        st.sampled_from([DECISION, "B", "x-y", "title", "noscript"]),
        st.sampled_from(["", " ", "\n", "/"]),
    ),
    st.sampled_from(["a", " é🚀\n", "<!-- x -->", "<!--x-->", "<!-- a-b -- c -->", "<!---->", "-->"]),
    st.sampled_from(["<!-->", "<!--->", "<!--- x --->", "<!-- x --!>", "<!-- x ->", "<!--\n-->", "--", ">"]),
)
ODD = st.sampled_from(
    [
        "&amp;",
        "&#75",
        "<",
        "</",
        "</>",
        "<!x>",
        "<?a?>",
        "\0",
        "<![CDATA[",
        "]]>",
        "<!--",
        "<textarea>",
        "</script>",
    ]
)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.one_of(PLAIN, PLAIN, ODD), max_size=8).map("".join))
def test_plain_tags_are_read_as_turbohtml_reads_them(html: str) -> None:
    plain = _read_plain(html)
    if plain is None:
        return
    everything = _read_all(html)
    assert plain == everything.pieces
    assert everything.unfinished is None
    assert everything.forgotten == ()


def test_plain_tags_are_plain() -> None:
    opened = f'<{DECISION} id="D-1" grounding="verified">\n'
    comment = "<!-- spectastic: ignore corpus-staleness -- in force then -->"
    for html in (opened, f"</{DECISION}>", "<b>", "<br/>", "<!-- x -->", comment, "<!--x-->", "<!---->"):
        assert _read_plain(html) is not None


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.one_of(PLAIN, ODD), max_size=12).map("".join))
def test_pieces_lie_side_by_side(html: str) -> None:
    end = 0
    fragment = _read_all(html)
    for piece in fragment.pieces:
        assert piece.start == end < piece.end
        end = piece.end
        written = html[piece.start : piece.end].lower()
        if piece.kind is Kind.START or piece.kind is Kind.END:
            assert written.startswith(f"<{piece.name}" if piece.kind is Kind.START else f"</{piece.name}")
            assert written.endswith(">")
    assert list(fragment.forgotten) == sorted(fragment.forgotten)
    assert end == len(html) or fragment.unfinished is not None


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.one_of(PLAIN, ODD), max_size=12).map("".join))
def test_pieces_are_turbohtmls_tokens(html: str) -> None:
    if "noscript" in html.lower() or "</>" in html or read(html).forgotten:
        return
    lines = [0, *(index + 1 for index, character in enumerate(html) if character == "\n")]
    wanted = [
        (lines[token.line - 1] + token.col, token.tag or "")
        for token in tokenize(html, resolve_references=False)
        if token.type in (TokenType.START_TAG, TokenType.END_TAG)
    ]
    tags = (Kind.START, Kind.END)
    assert [(piece.start, piece.name) for piece in read(html).pieces if piece.kind in tags] == wanted


@pytest.mark.parametrize("name", sorted(RAW_TEXT))
def test_raw_text_that_never_ends_is_markup(name: str) -> None:
    html = f"a<{name}>b<{name} x>c<{DECISION}>d<{name.upper()}>"
    fragment = read(html)
    assert fragment.forgotten == (1, html.index(f"<{name} x"), html.index(f"<{name.upper()}"))
    assert [piece.start for piece in fragment.pieces if piece.name == DECISION] == [html.index(DECISION) - 1]
    assert "".join(piece.text for piece in fragment.pieces) == "abcd"


@pytest.mark.parametrize("name", sorted(RAW_TEXT - {"plaintext"}))
def test_raw_text_that_ends_is_text(name: str) -> None:
    fragment = read(f"a<{name}>b<{DECISION}>c</{name}>d<b>")
    assert fragment.forgotten == ()
    assert [piece.name for piece in fragment.pieces if piece.name] == [name, name, "b"]


@pytest.mark.parametrize(
    ("html", "unfinished"),
    [
        ("a<b", 1),
        ("a<b c", 1),
        ('a<b c="d>', 1),
        ("a</b", 1),
        ("a<!--", 1),
        ("a<!-- b --", 1),
        ("a<!-- b --><c", 11),
        ("a<!b", 1),
        ("a<!b><c", 5),
        ("a<?b", 1),
        ("a</>b<c", 5),
        ("<script>a<b", 9),
        ("a<", None),
        ("a</", None),
        ("a<1", None),
        ("a</>", None),
        ("a<!-->", None),
        ("a<!-- b --!>", None),
        ("a<b>", None),
        ("<script>a<b</script>", None),
        ("", None),
    ],
)
def test_what_does_not_end(html: str, unfinished: int | None) -> None:
    assert read(html).unfinished == unfinished
