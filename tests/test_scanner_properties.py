"""What holds for the scanner whatever the document."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic.source import Source
from spectastic.spec import extract

if TYPE_CHECKING:
    from spectastic.findings import Span
    from spectastic.spec.model import Spec

NAMES = st.sampled_from(["spec.md", "spec.html"])
PARTS = st.one_of(
    st.sampled_from(["<spec-decision>", '<spec-decision id="a">', "</spec-decision>", "<spec-decision/>"]),
    st.sampled_from([" KB-0001@a ", "KB-0002@b,c", "kb-3@d ", "KB–0004@e", "KB-0005", "KB-0006 @2024", "@f"]),
    st.sampled_from(["\n", "\n\n", "\n\n", " ", "  ", "    ", "\t"]),
    st.sampled_from(["\n- ", "\n> ", "\n1. ", "\n# ", "\n```\n", "---\n", "\n|a|b|\n|-|-|\n|", "|"]),
    st.sampled_from(["<b>", "</b>", "<br>", "<div>", "</div>", "<p>", "</td>", "<b\n", 'title="']),
    st.sampled_from(["<script>", "</script>", "<template>", "<!--", "-->", "<", ">", "</>"]),
    st.sampled_from(["&amp;", "&#75;B-0007@g", "&", "\\", "\\|", "*", "**", "_", "`", "``", "~~"]),
    st.sampled_from(["[", "](u)", "![", "[^1]", "\n[^1]: "]),
    st.sampled_from(["é", "🚀", "漢", "\u200b", "\u00ad", "\ufeff", "\0", "\x0c", "\x85", "\u2028"]),
)
INNER = st.lists(PARTS, max_size=12).map("".join)
DOCUMENTS = st.one_of(INNER, INNER.map(lambda text: f"<spec-decision>\n\n{text}\n\n</spec-decision>\n"))


def found_in(name: str, data: bytes) -> tuple[Source, Spec]:
    source = Source(name, data)
    return source, extract(source)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(NAMES, st.binary(max_size=80), DOCUMENTS, st.booleans())
def test_reading_never_fails(name: str, noise: bytes, text: str, everywhere: bool) -> None:
    data = text.encode()
    half = len(data) // 2
    for broken in (noise, data, data[:half] + noise + data[half:]):
        source = Source(name, broken)
        spec = extract(source, everywhere=everywhere)
        for problem in spec.problems:
            source.locate(problem.span)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(NAMES, DOCUMENTS)
def test_spans_slice_to_what_was_found(name: str, text: str) -> None:
    source, spec = found_in(name, text.encode())
    for decision in spec.decisions:
        tag = source.slice(decision.span)
        assert tag.lower().startswith("<spec-decision")
        assert tag.endswith(">")
        for citation in decision.citations:
            assert _shown(source.slice(citation.span)) == _shown(citation.text)
            if citation.run is not None:
                assert citation.ends == tuple(sorted(citation.ends))
                assert len(citation.ends) in (0, len(citation.run))
                assert citation.ending_with(citation.edition or "").span == citation.span
                assert _shown(source.slice(citation.ending_with(citation.run).span)) == _shown(
                    f"{citation.id}@{citation.run}"
                )
        for malformed in decision.malformed:
            assert _shown(source.slice(malformed.span)) == _shown(malformed.text)
            assert malformed.span.start <= malformed.at.start < malformed.at.end <= malformed.span.end


def _shown(written: str) -> str:
    """A token without the markup in it, and without what may be markup or not."""
    text = re.sub(r"<!--.*?-->|<[^>]*>", "", written, flags=re.DOTALL)
    return re.sub(r"\]\(u\)|[\\*_~`\[\]!<>\s\ufffd\0]", "", html.unescape(text))


def _told(name: str, data: bytes) -> list[object]:
    """Everything that was found, with lines and columns in place of offsets."""
    source, spec = found_in(name, data)

    def place(span: Span) -> tuple[object, ...]:
        return tuple(source.locate(span))[:6]

    told: list[object] = [(place(problem.span), problem.message) for problem in spec.problems]
    for decision in spec.decisions:
        told.append((decision.id, decision.grounding, place(decision.span)))
        for citation in decision.citations:
            odd = citation.spelling and (citation.spelling.message, place(citation.spelling.at))
            told.append((citation.text, citation.run, place(citation.span), odd))
        told += [
            (malformed.text, place(malformed.span), place(malformed.at), malformed.message)
            for malformed in decision.malformed
        ]
    return told


@settings(max_examples=400, deadline=None, derandomize=True)
@given(NAMES, DOCUMENTS)
def test_line_ends_and_a_byte_order_mark_change_nothing(name: str, text: str) -> None:
    wanted = _told(name, text.encode())
    assert _told(name, text.replace("\n", "\r\n").encode()) == wanted
    assert _told(name, text.replace("\n", "\r").encode()) == wanted
    if not text.startswith("\ufeff"):
        assert _told(name, b"\xef\xbb\xbf" + text.encode()) == wanted


@settings(max_examples=200, deadline=None, derandomize=True)
@given(NAMES, DOCUMENTS, st.sampled_from(["\n", "\n\n\n", "  \n", "\n \n\t\n", "\r\n"]))
def test_white_space_at_the_end_changes_nothing(name: str, text: str, end: str) -> None:
    assert _told(name, f"{text}\n{end}".encode()) == _told(name, f"{text}\n".encode())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(NAMES, DOCUMENTS)
def test_the_scope_changes_nothing_in_decisions(name: str, text: str) -> None:
    source = Source(name, text.encode())
    assert extract(source, everywhere=True).decisions == extract(source).decisions
