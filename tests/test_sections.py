"""What a section of a document is, for those that read one and those that write one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spectastic.authoring import sections
from spectastic.source import Source
from spectastic.spec.page import read

#: Texts, and what stands below `Retrieved Context` in them; `None` where there is no such section.
BELOW: dict[str, tuple[str, str | None]] = {
    "plain": ("## Retrieved Context\n\nX\n\n## Next\n\nY\n", "X"),
    "colon": ("## Retrieved Context:\n\nX\n", "X"),
    "number": ("## 9. Retrieved Context\n\nX\n", "X"),
    "number without a stop": ("## 9 Retrieved Context\n\nX\n", "X"),
    "deep number": ("### 3.2.1) Retrieved Context\n\nX\n", "X"),
    "letter": ("## B. Retrieved Context\n\nX\n", "X"),
    "roman": ("## IX. Retrieved Context\n\nX\n", "X"),
    "paragraph sign": ("## § 9 Retrieved Context\n\nX\n", "X"),
    "bold": ("## **Retrieved Context**\n\nX\n", "X"),
    "bold number": ("## **9. Retrieved Context:**\n\nX\n", "X"),
    "emphasis in it": ("## Retrieved *Context*\n\nX\n", "X"),
    "code": ("## `Retrieved Context`\n\nX\n", "X"),
    "link": ("## [Retrieved Context](a.md)\n\nX\n", "X"),
    "signs at its end": ("## Retrieved Context ####\n\nX\n", "X"),
    "a sign that is glued to it": ("## Retrieved Context##\n\nX\n", "X"),
    "case and blanks": ("##   RETRIEVED   context\n\nX\n", "X"),
    "picture": ("## 📚 Retrieved Context\n\nX\n", "X"),
    "first level": ("# Retrieved Context\n\nX\n\n# Next\n", "X"),
    "sixth level": ("###### Retrieved Context\n\nX\n", "X"),
    "underlined": ("Retrieved Context\n---\n\nX\n", "X"),
    "underlined twice, over two lines": ("Retrieved\nContext\n===\n\nX\n", "X"),
    "deeper ones are part of it": ("## Retrieved Context\n\nX\n\n### More\n\nY\n\n## Next\n", "X More Y"),
    "a heading in an item ends nothing": ("## Retrieved Context\n\n- # X\n\nY\n\n## Next\n", "X Y"),
    "a heading in a quote ends nothing": ("## Retrieved Context\n\n> # X\n\nY\n\n## Next\n", "X Y"),
    "in an item": ("- ## Retrieved Context\n\n  X\n", None),
    "in a quote": ("> ## Retrieved Context\n>\n> X\n", None),
    "in a footnote": ("a[^1]\n\n[^1]: ## Retrieved Context\n", None),
    "in a fence": ("```\n## Retrieved Context\n```\n", None),
    "in a comment": ("<!--\n## Retrieved Context\n-->\n", None),
    "four blanks": ("    ## Retrieved Context\n", None),
    "more words": ("## Retrieved Context of others\n\nX\n", None),
    "fewer words": ("## Context\n\nX\n", None),
    "no heading": ("##Retrieved Context\n\nX\n", None),
    "nothing but a number": ("## 9.\n\nX\n", None),
}


@pytest.mark.parametrize("case", BELOW)
def test_what_stands_below_a_heading(case: str) -> None:
    text, expected = BELOW[case]
    page = read(Source("a.md", text.encode()))
    assert [page.said(heading.end, end) for heading, end in page.sections("Retrieved Context")] == (
        [] if expected is None else [expected]
    )
    written = sections.find(text.encode(), "Retrieved Context")
    assert (written is None) == (expected is None)
    if written is not None and expected is not None:
        body = read(Source("a.md", text.encode()[written.body : written.end]))
        assert body.said(0, len(body.text)) == expected


@pytest.mark.parametrize("case", BELOW)
def test_what_is_taken_away_is_what_was_found(case: str) -> None:
    text, expected = BELOW[case]
    left = sections.without(text.encode(), ["Retrieved Context"])
    page = read(Source("a.md", left))
    assert not list(page.sections("Retrieved Context"))
    if expected is None and "<!--" not in text:
        assert left.decode() == text


def test_one_section_in_another_is_taken_away_with_it() -> None:
    text = b"## Retrieved Context\n\na\n\n### Retrieved Context\n\nb\n\n## Next\n\nc\n"
    assert sections.without(text, ["Retrieved Context"]) == b"## Next\n\nc\n"


@given(
    st.lists(
        st.sampled_from(["# ", "## ", "### ", "a", "\n", "\n\n", "- ", "> ", "---\n", "  "]), max_size=14
    )
)
def test_readers_and_writers_agree(pieces: list[str]) -> None:
    text = "".join(["text\n\n", *pieces])  # which is no frontmatter
    page = read(Source("a.md", text.encode()))
    found = [(heading.level, heading.title) for heading in page.headings]
    assert found == [
        (section.level, sections.name(section.title)) for section in sections.sections(text.encode())
    ]


def test_a_section_is_added_to_at_whatever_level_it_is() -> None:
    text = b"# 1. Assumptions:\n\n- One.\n\n# 2. Other\n"
    assert (
        sections.append(text, "Assumptions", ["- Two."])
        == b"# 1. Assumptions:\n\n- One.\n- Two.\n\n# 2. Other\n"
    )
