"""Values renamed in frontmatter: what is read back, and that all other bytes stay."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from trees import Link, tree

from spectastic.curate.plan import CurateError
from spectastic.curate.renaming import plan_renames, renamed
from spectastic.retrieval.documents import Reading, parse
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
    "null": '"null"',
    "Null": '"Null"',
    "~": '"~"',
    "true": '"true"',
    "1.5": '"1.5"',
    "1_000": '"1_000"',
    "0x1F": '"0x1F"',
    "2024-01-01": '"2024-01-01"',
    "- a": '"- a"',
    "a #b": '"a #b"',
    "#a": '"#a"',
    "a:": '"a:"',
    ":a": '":a"',
    "&a": '"&a"',
    "*a": '"*a"',
    "!a": '"!a"',
    "%a": '"%a"',
    "@a": '"@a"',
    "`a`": '"`a`"',
    "|": '"|"',
    "{a}": '"{a}"',
    "a]": '"a]"',
    '"a"': '"\\"a\\""',
    "'a'": "\"'a'\"",
    "a\\b": '"a\\\\b"',
    " a ": '" a "',
    "---": '"---"',
    "é": '"é"',
    "1.10": '"1.10"',
    "it's": "it's",
}


@pytest.mark.parametrize("new", WRITTEN)
def test_a_value_is_quoted_where_it_has_to_be(new: str) -> None:
    before = b"---\ntags: [a, old, b]\n---\n"
    after = f"---\ntags: [a, {WRITTEN[new]}, b]\n---\n".encode()
    assert renamed(before, {"tags": {"old": new}}) == after


#: Where a value may stand; the comment and what is beside it stay.
HEADS = {
    "field": ("component: {} # why\ndomain: x\n", "old"),
    "field-quoted": ('component: "{}" # why\n', "old"),
    "field-in-single-quotes": ("component: '{}' # why\n", "old"),
    "flow": ("tags: [a, {}, b] # why\n", "old"),
    "flow-quoted": ("tags: ['a', \"{}\"] # why\n", "old"),
    "flow-lines": ("tags: [\n  a, # one\n  {}, # why\n]\n", "old"),
    "block": ("tags:\n  - a # one\n  - {} # why\n", "old"),
    "block-quoted": ("tags:\n- 'a'\n- '{}'   # why\nstack: [x]\n", "old"),
    "lone": ("tags: {}   # why\n", "old"),
}


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("new", WRITTEN)
def test_what_is_written_is_read_as_it_was_meant(new: str, head: str) -> None:
    text, old = HEADS[head]
    before = f"---\n{text.format(old)}---\n\nold\n"
    after = renamed(before.encode(), {"tags": {"old": new}, "component": {"old": new}}).decode()
    assert after.count("# why") == before.count("# why")
    assert after.count("# one") == before.count("# one")
    assert after.endswith("---\n\nold\n")
    read = parse(after.encode(), Kind.LESSON, "LESSON-001.md")
    assert isinstance(read, Reading)
    assert new in (read.document.component, *read.document.tags)
    # Another reader of YAML has it as text too.
    values = yaml.safe_load(
        after.split("---\n", 2)[1] if new != "---" else after[4:].rpartition("---\n\n")[0]
    )
    assert new in (values.get("component"), *_listed(values.get("tags")))
    # And it is found again.
    back = renamed(after.encode(), {"tags": {new: "old"}, "component": {new: "old"}}).decode()
    read = parse(back.encode(), Kind.LESSON, "LESSON-001.md")
    assert isinstance(read, Reading)
    assert "old" in (read.document.component, *read.document.tags)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # What YAML takes for nothing is no value: it is not renamed, and not the one that is there already.
        ("tags: [~, old]\n", 'tags: [~, "null"]\n'),
        ("tags: [Null, old]\n", 'tags: [Null, "null"]\n'),
        ('tags: ["null", old]\n', 'tags: ["null"]\n'),
        ("tags:\n- ~\n- old\n", 'tags:\n- ~\n- "null"\n'),
        ("component: null\ntags: [old]\n", 'component: null\ntags: ["null"]\n'),
    ],
)
def test_nothing_is_no_word(before: str, after: str) -> None:
    assert renamed(f"---\n{before}---\n".encode(), {"tags": {"old": "null"}}) == f"---\n{after}---\n".encode()


def test_a_word_beside_the_same_that_is_nothing_is_left_to_people() -> None:
    with pytest.raises(CurateError, match="cannot be changed like this"):
        renamed(b"---\ntags: [null, old]\n---\n", {"tags": {"old": "null"}})


def test_nothing_is_not_renamed() -> None:
    data = b"---\ncomponent: null\ntags: [null, 'null', ~]\n---\n"
    renames = {"tags": {"null": "x", "~": "y"}, "component": {"null": "x"}}
    assert renamed(data, renames) == b"---\ncomponent: null\ntags: [null, 'x', ~]\n---\n"


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
