"""Values renamed in frontmatter: what is read back, and that all other bytes stay."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import Link, tree

from spectastic.curate.plan import CurateError
from spectastic.curate.renaming import plan_renames, renamed
from spectastic.retrieval.documents import parse
from spectastic.retrieval.model import Document, Kind

if TYPE_CHECKING:
    from pathlib import Path

RENAMES = {"tags": {"old": "new"}, "component": {"old": "new"}}
#: The frontmatter before and after.
EDITS = {
    "single": ("component: old\n", "component: new\n"),
    "comment": ("component: old   # old\n", "component: new   # old\n"),
    "double-quotes": ('component: "old"\n', 'component: "new"\n'),
    "single-quotes": ("component: 'old'\n", "component: 'new'\n"),
    "flow": ("tags: [a, old, b]  # old\n", "tags: [a, new, b]  # old\n"),
    "flow-quotes": ("tags: [ 'a' , \"old\" ]\n", "tags: [ 'a' , \"new\" ]\n"),
    "flow-lines": ("tags: [\n  a,  # old\n  old,\n]\n", "tags: [\n  a,  # old\n  new,\n]\n"),
    "block": ("tags:\n  - a\n  - old  # why\nid: old\n", "tags:\n  - a\n  - new  # why\nid: old\n"),
    "lone": ("tags: old\n", "tags: new\n"),
    "other-fields": ("domain: old\nstack: [old]\ntags: [old]\n", "domain: old\nstack: [old]\ntags: [new]\n"),
    "longer-word": (
        "tags: [older, old-x, x/old]\ncomponent: old\n",
        "tags: [older, old-x, x/old]\ncomponent: new\n",
    ),
    "there-already": ("tags: [new, a, old]\n", "tags: [new, a]\n"),
    "there-already-first": ("tags: [old, a, new]\n", "tags: [a, new]\n"),
    "there-already-block": ("tags:\n- old\n- new\n", "tags:\n- new\n"),
    "there-already-comment": (
        "tags:\n- old # why\n- new\n",
        "tags:\n- new # why\n- new\n",
    ),
    "there-already-flow-comment": (
        "tags: [new, # one\n  old]\n",
        "tags: [new, # one\n  new]\n",
    ),
    "twice": ("tags: [old, old]\n", "tags: [new]\n"),
    "first-of-equal-keys": ("component: old\ncomponent: old\n", "component: new\ncomponent: old\n"),
    "odd-neighbours": (
        "other: {tags: old}\nx: [[old]]\ntags: [old]\ncomponent: !x old\n",
        "other: {tags: old}\nx: [[old]]\ntags: [new]\ncomponent: !x old\n",
    ),
    "list-in-a-list": ("tags: [old, [old]]\ncomponent: old\n", "tags: [old, [old]]\ncomponent: new\n"),
    "not-ascii": ("title: é😀\ntags: [ü, old]\n", "title: é😀\ntags: [ü, new]\n"),
    "several-documents": ("tags: [old]\n--- # x\ntags: [old]\n", "tags: [new]\n--- # x\ntags: [old]\n"),
}


@pytest.mark.parametrize("case", EDITS)
@pytest.mark.parametrize("around", ["", "\ufeff", "# A heading\n\n<!-- old -->\n"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_edits(case: str, around: str, eol: str) -> None:
    before, after = (
        f"{around}---\n{head}---\n\ncomponent: old\n".replace("\n", eol).encode() for head in EDITS[case]
    )
    assert renamed(before, RENAMES) == after


def test_several_at_once() -> None:
    renames = {"tags": {"a": "x", "b": "x", "c": "z"}}
    assert renamed(b"---\ntags: [a, b, c, d]\n---\n", renames) == b"---\ntags: [x, z, d]\n---\n"
    assert renamed(b"---\ntags: [a, b, x]\n---\n", renames) == b"---\ntags: [x]\n---\n"
    assert renamed(b"---\ntags: [a, c, b]\n---\n", renames) == b"---\ntags: [x, z]\n---\n"


WRITTEN = {
    # A new value, and how it is written in a list in brackets.
    "a, b": '"a, b"',
    "[x]": '"[x]"',
    "x # y": '"x # y"',
    "a: b": '"a: b"',
    "on": '"on"',
    "1.10": '"1.10"',
    "it's": "it's",
}


@pytest.mark.parametrize("new", WRITTEN)
def test_a_value_is_quoted_where_it_has_to_be(new: str) -> None:
    before = b"---\ntags: [a, old, b]\n---\n"
    after = f"---\ntags: [a, {WRITTEN[new]}, b]\n---\n".encode()
    assert renamed(before, {"tags": {"old": new}}) == after


REFUSED = {
    "none": b"text\n",
    "empty": b"---\n---\n",
    "open": b"---\ntags: [old]\n",
    "broken": b"---\ntags: [old\n---\n",
    "no-text": b"---\ntags: [old, \xff]\n---\n",
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    with pytest.raises(CurateError):
        renamed(REFUSED[case], RENAMES)


def test_a_block_scalar_that_would_say_something_else() -> None:
    with pytest.raises(CurateError, match="cannot be changed like this"):
        renamed(b"---\ntags:\n  - |\n    old\n  - b\n---\n", {"tags": {"old\n": "new\n"}})


VALUES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=12).map(
    str.strip
)


@given(VALUES.filter(bool), st.sampled_from(["component: OLD", "tags: [a, OLD]", "tags:\n- OLD\n- b"]))
def test_whatever_is_written_is_read_back(new: str, head: str) -> None:
    data = f"---\n{head.replace('OLD', 'old')}\n---\nold\n".encode()
    try:
        after = renamed(data, {"tags": {"old": new}, "component": {"old": new}})
    except CurateError:
        # YAML cannot hold every character, and says so.
        assert not new.isprintable()
        return
    read = parse(after, Kind.LESSON, "LESSON-001.md")
    assert not hasattr(read, "message")
    document = read.document
    if new not in ("~", "null", "Null", "NULL"):
        assert document.component == new or new in document.tags


def test_a_plan(tmp_path: Path) -> None:
    tree(
        tmp_path,
        {
            "p/1.md": "---\ntags: [old, x]\n---\n",
            "p/2.md": "---\ntags: [x]\n---\n",
            "p/3.md": Link("1.md"),
            "p/5.md": "no frontmatter\n",
            "p/6.md": "---\ncomponent: old\n---\n",
        },
    )
    made = [
        Document(Kind.LESSON, "LESSON-001", "", "p/1.md", tags=("old", "x")),
        Document(Kind.LESSON, "LESSON-002", "", "p/2.md", tags=("x",)),
        Document(Kind.LESSON, "LESSON-003", "", "p/3.md", tags=("old", "x")),
        Document(Kind.LESSON, "LESSON-004", "", "p/4.md", tags=("old",)),
        Document(Kind.LESSON, "LESSON-005", "", "p/5.md", tags=("old",)),
        Document(Kind.LESSON, "LESSON-006", "", "p/6.md", component="old"),
    ]
    plan = plan_renames(str(tmp_path), made, RENAMES)
    assert [(change.path, change.after) for change in plan.changes] == [
        ("p/1.md", b"---\ntags: [new, x]\n---\n"),
        ("p/6.md", b"---\ncomponent: new\n---\n"),
    ]
    assert plan.result["renamed"] == [
        {"field": "tags", "old": "old", "new": "new", "documents": 1},
        {"field": "component", "old": "old", "new": "new", "documents": 1},
    ]
    left = plan.result["left"]
    assert isinstance(left, list)
    assert [item["path"] for item in left] == ["p/3.md", "p/4.md", "p/5.md"]
    assert plan.notes[:2] == ("tags old is now new: 1", "component old is now new: 1")
    assert len(plan.notes) == 5
    assert (tmp_path / "p/1.md").read_bytes() == b"---\ntags: [old, x]\n---\n"
    assert os.path.islink(tmp_path / "p/3.md")


def test_an_empty_plan(tmp_path: Path) -> None:
    made = [Document(Kind.LESSON, "LESSON-002", "", "p/2.md", tags=("x",))]
    assert plan_renames(str(tmp_path), made, RENAMES) == (
        (),
        {"renamed": [], "left": []},
        ("there is nothing to rename",),
    )
