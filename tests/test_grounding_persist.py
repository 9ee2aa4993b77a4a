from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import corpus

from spectastic import write
from spectastic.grounding.decision_engine import ground, persist_grounding
from spectastic.grounding.markdown import grounding
from spectastic.grounding.persist import LONGEST_SLUG, action, planned, slug

HOME = "design-system"


def grounded(**changes: Any) -> dict[str, Any]:
    """A result of `ground`, made by hand."""
    return {
        "domain": "sample",
        "query": "My Shop",
        "category": "Shop",
        "rule": {},
        "rules_evaluation": {"matched": {}, "unmatched": {"if_no": "no"}},
        "selections": {},
        "confidence": {"label": "low", "score": 0.0},
        "evidence_gap": ["a gap"],
        **changes,
    }


def below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


SLUGS: list[tuple[str, str]] = [
    ("My Shop", "my-shop"),
    ("v1.2 beta_3", "v1.2-beta_3"),
    ("../../../up", "up"),
    ("..\\..\\up", "up"),
    ("/etc/passwd", "etc-passwd"),
    ("C:\\Windows", "c-windows"),
    ("a/b", "a-b"),
    ("a\0b\n", "a-b"),
    ("...", "page"),
    ("", "page"),
    ("💥", "page"),
    (" -- ", "page"),
    ("a..b", "a.b"),
    ("a. .b", "a.b"),
    (".hidden", "hidden"),
    ("trailing. ", "trailing"),
    ("CON", "con-page"),
    ("nul.txt", "nul.txt-page"),
    ("com1", "com1-page"),
    ("console", "console"),
    ("Cafe\u0301", "café"),
    ("हिन्दी", "हिन्दी"),
    ("結算周期", "結算周期"),
    ("a\u202eb\u200bc", "a-b-c"),
    ("\ud800x", "x"),
    ("x" * 500, "x" * LONGEST_SLUG),
    ("結" * 100, "結" * (LONGEST_SLUG // 3)),
    ("x" * (LONGEST_SLUG - 1) + " y", "x" * (LONGEST_SLUG - 1)),
]


@pytest.mark.parametrize(("name", "expected"), SLUGS)
def test_slugs(name: str, expected: str) -> None:
    assert slug(name, "page") == expected


@given(st.text(max_size=200))
def test_a_slug_is_one_part_of_a_path(name: str) -> None:
    found = slug(name, "page")
    assert found
    assert not set(found) & set('/\\:*?"<>|\0\n ')
    assert not found.startswith((".", "-"))
    assert not found.endswith((".", "-"))
    assert ".." not in found
    assert len(found.encode()) <= LONGEST_SLUG + len("-page")


def test_files(tmp_path: Path) -> None:
    found = persist_grounding(grounded(), tmp_path, page="Check Out")
    master = os.path.join(tmp_path, HOME, "my-shop", "MASTER.md")
    page = os.path.join(tmp_path, HOME, "my-shop", "pages", "check-out.md")
    assert found == {"status": "success", "created_files": [master, page]}
    assert below(tmp_path) == [f"{HOME}/my-shop/MASTER.md", f"{HOME}/my-shop/pages/check-out.md"]
    first, *lines = Path(master).read_text("utf-8").splitlines()
    assert first.startswith("<!-- Written by `spectastic ground`")
    assert lines[0] == "# Design system: master"
    assert "wins over this one" in lines[2]
    assert lines[4:] == list(grounding(grounded()))
    text = Path(page).read_text("utf-8")
    assert "# Check Out: overrides\n" in text
    assert "wins over `../MASTER.md`" in text


def test_the_project_names_the_folder(tmp_path: Path) -> None:
    (path,) = persist_grounding(grounded(), tmp_path, "The Project")["created_files"]
    assert path == os.path.join(tmp_path, HOME, "the-project", "MASTER.md")
    (path,) = persist_grounding(grounded(query=""), tmp_path, "")["created_files"]
    assert path == os.path.join(tmp_path, HOME, "project", "MASTER.md")


#: Two projects, or two pages of one, that have one slug; and what is said of the second.
TWINS: dict[str, tuple[tuple[str, str | None], tuple[str, str | None], str]] = {
    "projects": (
        ("My App", None),
        ("my-app!", None),
        'it was written for "My App", and not for "my-app!"; take another name, or overwrite it with --force',
    ),
    "pages": (
        ("My App", "Check out"),
        ("My App", "check/out"),
        'it was written for "My App", page "Check out", and not for "My App", page "check/out"; take another',
    ),
    "in other letters": (("my app", None), ("My App", None), 'written for "my app", and not for "My App"; '),
    "without any letters": (("💥", None), ("...", None), 'written for "💥", and not for "..."; '),
    "that are too long": (
        ("x" * 200, None),
        ("x" * 100, None),
        f'it was written for "{"x" * 194}…, and not for "{"x" * 100}"; take another name',
    ),
    "that would end a comment": (
        ("a --> <b>", None),
        ("a ---!> b", None),
        r'written for "a -\u002d\u003e \u003cb\u003e", and not for "a -\u002d-!\u003e b"; ',
    ),
    "with letters nobody sees": (
        ("a\u200bb\n", None),
        ("a b", None),
        r'for "a\u200bb\n", and not for "a b"; ',
    ),
}


@pytest.mark.parametrize("case", TWINS)
def test_two_names_with_one_slug(case: str, tmp_path: Path) -> None:
    (project, page), (other, others_page), said = TWINS[case]
    paths = [Path(path) for path in persist_grounding(grounded(), tmp_path, project, page)["created_files"]]
    first = paths[-1].read_text("utf-8").partition("\n")[0]
    assert first.startswith("<!-- Written by `spectastic ground` for ")
    assert (first.count("--"), first.count(">"), first.isprintable()) == (2, 1, True)
    before = [path.read_bytes() for path in paths]
    new = grounded(category="New")
    for attempt in (planned, persist_grounding):
        with pytest.raises(FileExistsError) as caught:
            attempt(new, tmp_path, other, others_page)
        assert said in str(caught.value.strerror)
        assert caught.value.filename == str(paths[-1])
        assert [path.read_bytes() for path in paths] == before
    persist_grounding(new, tmp_path, project, page)
    persist_grounding(new, tmp_path, other, others_page, force=True)
    persist_grounding(new, tmp_path, other, others_page)
    with pytest.raises(FileExistsError, match="and not for"):
        persist_grounding(new, tmp_path, project, page)


def test_a_page_of_another_project(tmp_path: Path) -> None:
    """It belongs to the project that it was written for, whoever has the master since."""
    persist_grounding(grounded(), tmp_path, "My App", "Home")
    persist_grounding(grounded(), tmp_path, "my-app", force=True)
    with pytest.raises(
        FileExistsError, match=r'for "My App", page "Home", and not for "my-app", page "Home"'
    ):
        persist_grounding(grounded(), tmp_path, "my-app", "Home")


def test_two_spellings_of_one_letter_are_one_name(tmp_path: Path) -> None:
    persist_grounding(grounded(), tmp_path, "Cafe\u0301", "e\u0301")
    persist_grounding(grounded(), tmp_path, "Café", "é")


def test_without_a_project_it_is_the_query(tmp_path: Path) -> None:
    persist_grounding(grounded(query="Which shop?"), tmp_path)
    persist_grounding(grounded(query="Which shop?"), tmp_path)
    with pytest.raises(FileExistsError, match=r'for "Which shop\?", and not for "which: shop"'):
        persist_grounding(grounded(query="which: shop"), tmp_path)
    persist_grounding(grounded(query="which: shop"), tmp_path, "Which shop?")


def unnamed(data: bytes) -> bytes:
    """A file as it was written before names were: without them, and its hash is of the rest alone."""
    rest = data.partition(b"\n")[2]
    first = "<!-- Written by `spectastic ground`; edits are kept from being overwritten. sha256:{} -->\n"
    return first.format(sha256(rest).hexdigest()).encode() + rest


def test_a_file_without_names_is_anybodys(tmp_path: Path) -> None:
    made = persist_grounding(grounded(), tmp_path, "My App", "Home")["created_files"]
    for path in map(Path, made):
        path.write_bytes(unnamed(path.read_bytes()))
    persist_grounding(grounded(), tmp_path, "my-app!", "home?")
    assert all(b'for "my-app!"' in Path(path).read_bytes() for path in made)
    Path(made[0]).write_bytes(unnamed(Path(made[0]).read_bytes()) + b"mine\n")
    with pytest.raises(FileExistsError, match="edited since"):
        persist_grounding(grounded(), tmp_path, "my-app!")


def test_a_name_that_was_edited(tmp_path: Path) -> None:
    (path,) = map(Path, persist_grounding(grounded(), tmp_path, "My App")["created_files"])
    path.write_bytes(path.read_bytes().replace(b"My App", b"my-app"))
    with pytest.raises(FileExistsError, match="edited since"):
        persist_grounding(grounded(), tmp_path, "my-app")


# ----------------------------------------------------------------------------------------------------- plans


def test_a_plan_writes_nothing(tmp_path: Path) -> None:
    """And it is what is written then."""
    top = tmp_path / "top"
    files = planned(grounded(), top, page="x")
    assert not top.exists()
    assert [action(path, data) for path, data in files.items()] == ["created", "created"]
    assert persist_grounding(grounded(), top, page="x")["created_files"] == [*files]
    assert {path: Path(path).read_bytes() for path in files} == files
    assert [action(path, data) for path, data in files.items()] == ["", ""]
    files = planned(grounded(category="New"), top, page="x")
    assert [action(path, data) for path, data in files.items()] == ["changed", ""]


@pytest.mark.parametrize("at", ["", HOME, f"{HOME}/my-shop", f"{HOME}/my-shop/pages"])
@pytest.mark.parametrize("kind", ["a file", "a link to nothing"])
def test_no_folder_where_one_belongs(at: str, kind: str, tmp_path: Path) -> None:
    """It is seen before anything is written, in a plan too."""
    place = tmp_path / "top" / at
    place.parent.mkdir(parents=True, exist_ok=True)
    if kind == "a file":
        place.write_text("")
    else:
        place.symlink_to(tmp_path / "top" / "nothing" if at else "nothing")
    before = below(tmp_path)
    for attempt in (planned, persist_grounding):
        with pytest.raises(NotADirectoryError, match="something is there that is no folder") as caught:
            attempt(grounded(), tmp_path / "top", page="x", force=True)
        assert str(caught.value.filename).rstrip("/") == str(place).rstrip("/")
        assert below(tmp_path) == before


def test_a_folder_that_nothing_may_be_written_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    persist_grounding(grounded(), tmp_path)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "my-shop")
    with pytest.raises(PermissionError, match="nothing may be written in this folder"):
        planned(grounded(category="New"), tmp_path)
    assert planned(grounded(), tmp_path), "nothing would be written"


def test_a_folder_that_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [*planned(grounded(), "")] == [os.path.join(HOME, "my-shop", "MASTER.md")]
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError) as caught:
        planned(grounded(), "")
    assert caught.value.filename == "."


def test_a_path_that_is_too_long(tmp_path: Path) -> None:
    for attempt in (planned, persist_grounding):
        with pytest.raises(OSError, match="File name too long"):
            attempt(grounded(), tmp_path / ("x" * 300))
    assert below(tmp_path) == []


HOSTILE = [
    "../../../up",
    "/abs",
    "..",
    "a/../../b",
    "..\\..\\x",
    "~",
    "\0",
    "CON",
    "x" * 5000,
    "-rf",
    "\ud800",
    "a\nb",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_inside(tmp_path: Path, name: str) -> None:
    top = tmp_path / "in" / "here"
    made = grounded(query=name, evidence_gap=[name])
    persist_grounding(made, top, name, name)
    persist_grounding(made, top, page=name)
    files = below(tmp_path)
    assert all(path.startswith(f"in/here/{HOME}/") for path in files)
    assert [path.count("/") for path in files] == [4, 5]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    first = persist_grounding(grounded(), tmp_path, page="x")
    times = [os.stat(path).st_mtime_ns for path in first["created_files"]]
    inodes = [os.stat(path).st_ino for path in first["created_files"]]
    assert persist_grounding(grounded(), tmp_path, page="x") == first
    assert [os.stat(path).st_mtime_ns for path in first["created_files"]] == times
    assert [os.stat(path).st_ino for path in first["created_files"]] == inodes


def test_what_was_written_here_is_overwritten(tmp_path: Path) -> None:
    (path,) = persist_grounding(grounded(), tmp_path)["created_files"]
    persist_grounding(grounded(category="Clinic"), tmp_path)
    assert "- **Category:** Clinic" in Path(path).read_text("utf-8")


@pytest.mark.parametrize("kind", ["theirs", "edited", "empty", "pretended"])
@pytest.mark.parametrize("which", [0, 1])
def test_what_was_not_is_left_alone(tmp_path: Path, kind: str, which: int) -> None:
    """A page whose first line is still there, is kept: see below."""
    paths = [Path(path) for path in persist_grounding(grounded(), tmp_path, page="x")["created_files"]]
    path, other = paths[which], paths[1 - which]
    mine = path.read_bytes()
    hash_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    path.write_bytes(
        {
            "theirs": b"# Mine\n",
            "edited": mine + b"- more\n",
            "empty": b"",
            "pretended": mine.split(b"sha256:")[0] + b"sha256:" + hash_of_nothing.encode() + b" -->\nmine\n",
        }[kind]
    )
    theirs, untouched = path.read_bytes(), other.read_bytes()
    if which and kind in ("edited", "pretended"):
        assert persist_grounding(grounded(), tmp_path, page="x")["kept_files"] == [str(path)]
        assert path.read_bytes() == theirs
        return
    with pytest.raises(
        FileExistsError, match="not written by this command, or edited since; --force"
    ) as caught:
        persist_grounding(grounded(category="Other"), tmp_path, page="x")
    assert caught.value.filename == str(path)
    assert (path.read_bytes(), other.read_bytes()) == (theirs, untouched)
    persist_grounding(grounded(), tmp_path, page="x", force=True)
    assert path.read_bytes() == mine


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    "edit", ["more", "less", "a line's end", "CRLF", "BOM", "the hash", "huge", "without names"]
)
def test_a_page_that_was_edited_is_kept(tmp_path: Path, edit: str, force: bool) -> None:
    """It is there to be edited, by the user; the master is written all the same, and only that."""
    paths = [Path(path) for path in persist_grounding(grounded(), tmp_path, page="x")["created_files"]]
    master, page = paths
    made = page.read_bytes()
    first = made.partition(b"\n")[0]
    mine = {
        "more": made + b"Square corners.\n",
        "less": first + b"\n",
        "a line's end": first,
        "the hash": first.replace(b"sha256:", b"sha256:0") + b"\nmine\n",
        "huge": made + b"x" * 5_000_000,
        "CRLF": made.replace(b"\n", b"\r\n"),
        "BOM": b"\xef\xbb\xbf" + made,
        "without names": unnamed(made) + b"mine\n",
    }[edit]
    page.write_bytes(mine)
    new = grounded(category="New")
    files = planned(new, tmp_path, page="x", force=force)
    assert [action(path, data) for path, data in files.items()] == ["changed", ""]
    assert files[str(page)] is None
    assert persist_grounding(new, tmp_path, page="x", force=force) == {
        "status": "success",
        "created_files": [str(master)],
        "kept_files": [str(page)],
    }
    assert page.read_bytes() == mine
    assert "New" in master.read_text("utf-8")
    page.unlink()
    assert "kept_files" not in persist_grounding(new, tmp_path, page="x")
    assert page.read_bytes() == made


@pytest.mark.parametrize("edit", [b"mine\n", b""])
def test_a_page_of_other_names_is_not_kept(tmp_path: Path, edit: bytes) -> None:
    """Nobody would know what has become of the names that were asked for."""
    page = Path(persist_grounding(grounded(), tmp_path, "My App", "Home")["created_files"][1])
    page.write_bytes(page.read_bytes() + edit)
    persist_grounding(grounded(), tmp_path, "my-app", force=True)
    with pytest.raises(FileExistsError, match="--force") as caught:
        persist_grounding(grounded(), tmp_path, "my-app", "Home")
    assert caught.value.filename == str(page)
    persist_grounding(grounded(), tmp_path, "my-app", "Home", force=True)
    assert b'for "my-app", page "Home"' in page.read_bytes()


def test_a_page_is_kept_where_nothing_may_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(persist_grounding(grounded(), tmp_path, page="x")["created_files"][1])
    page.write_bytes(page.read_bytes() + b"mine\n")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "pages")
    assert planned(grounded(category="New"), tmp_path, page="x")[str(page)] is None


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / HOME / "my-shop" / "MASTER.md").mkdir(parents=True)
    for force in (False, True):
        with pytest.raises(OSError, match="something is there that is no file"):
            persist_grounding(grounded(), tmp_path, force=force)


@pytest.mark.parametrize(
    "link", [HOME, f"{HOME}/my-shop", f"{HOME}/my-shop/pages", f"{HOME}/my-shop/MASTER.md"]
)
@pytest.mark.parametrize("force", [False, True])
def test_links_that_lead_out(tmp_path: Path, link: str, force: bool) -> None:
    outside, top = tmp_path / "top-outside", tmp_path / "top"
    outside.mkdir()
    (outside / "MASTER.md").write_text("theirs")
    at = top / link
    at.parent.mkdir(parents=True)
    at.symlink_to(outside / "MASTER.md" if link.endswith(".md") else outside)
    with pytest.raises(PermissionError, match="a link leads out of"):
        persist_grounding(grounded(), top, page="x", force=force)
    assert below(outside) == ["MASTER.md"]
    assert (outside / "MASTER.md").read_text() == "theirs"


def test_a_dangling_link_that_leads_out(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / HOME / "my-shop").mkdir(parents=True)
    (top / HOME / "my-shop" / "MASTER.md").symlink_to(tmp_path / "new.md")
    with pytest.raises(PermissionError, match="a link leads out of"):
        persist_grounding(grounded(), top)
    assert not (tmp_path / "new.md").exists()


def test_links_that_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / HOME).symlink_to("real")
    persist_grounding(grounded(), tmp_path)
    assert below(tmp_path / "real") == ["my-shop/MASTER.md"]
    # The folder that was asked for may be a link itself: it was asked for.
    (tmp_path / "asked").mkdir()
    (tmp_path / "other").symlink_to("asked")
    persist_grounding(grounded(), tmp_path / "other")
    assert below(tmp_path / "asked") == [f"{HOME}/my-shop/MASTER.md"]


def test_a_link_that_is_put_there_in_the_meantime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, top = tmp_path / "top-outside", tmp_path / "top"
    outside.mkdir()
    (top / HOME).mkdir(parents=True)

    def step(name: str, /) -> None:
        if name.endswith("my-shop"):
            (top / HOME / "my-shop").symlink_to(outside)

    monkeypatch.setattr(write, "step", step)
    with pytest.raises(PermissionError, match="a link leads out of"):
        persist_grounding(grounded(), top)
    assert below(outside) == []


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / HOME).write_text("")
    with pytest.raises(NotADirectoryError, match="something is there that is no folder") as caught:
        persist_grounding(grounded(), tmp_path)
    assert caught.value.filename == str(tmp_path / HOME)


class Killed(BaseException):
    """What a crash is to the code that it hits."""


def test_a_crash_leaves_old_files_or_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = grounded(), grounded(category="New")
    paths = [Path(path) for path in persist_grounding(old, tmp_path, page="x")["created_files"]]
    before = paths[0].read_bytes()
    persist_grounding(new, tmp_path, page="x")
    after = paths[0].read_bytes()
    for kill_at in range(1, 100):
        paths[0].write_bytes(before)
        left = kill_at

        def step(_: str, /) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Killed

        monkeypatch.setattr(write, "step", step)
        try:
            persist_grounding(new, tmp_path, page="x")
        except Killed:
            assert paths[0].read_bytes() in (before, after)
        else:
            break
        finally:
            monkeypatch.undo()
        persist_grounding(new, tmp_path, page="x")
        assert paths[0].read_bytes() == after
    assert kill_at > 3
    assert below(tmp_path) == [f"{HOME}/my-shop/MASTER.md", f"{HOME}/my-shop/pages/x.md"]


def test_markdown(tmp_path: Path) -> None:
    made = corpus(tmp_path)
    lines = list(grounding(ground(made, "saas in dark")))
    assert lines[:5] == [
        "## saas in dark",
        "",
        "- **Domain:** sample",
        "- **Category:** SaaS",
        lines[4],
    ]
    assert lines[4].startswith("- **Confidence:** low (")
    at = lines.index("### style")
    assert lines[at + 2 : at + 5] == [
        "- **Style:** Glassmorphism",
        "- **Keywords:** soft blur",
        "- **Notes:** for saas and shops",
    ]
    assert lines[at + 5 : -1] == [
        *("", "### Rule row", ""),
        "- **Category:** SaaS",
        "- **Prefer:** Glassmorphism + Minimalism",
        *("", "### Rules that hold", ""),
        "- `if_dark` → use dark",
        *("", "### Rules that do not hold", ""),
        "- `must_have` → [1, null]",
        *("", "### Evidence gap", ""),
    ]
    # No alternatives.
    assert not [line for line in lines if "Brutalism" in line]


#: The rule row, what holds, what does not; and the heads and lines of these parts. Empty ones are left out.
RULE_PARTS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]] = [
    ({}, {}, {}, []),
    ({"Kind": "A", "Why": None, "How": " "}, {}, {}, ["### Rule row", "- **Kind:** A"]),
    ({}, {"if_a": "b"}, {}, ["### Rules that hold", "- `if_a` → b"]),
    ({}, {}, {"if_a": False, "c": ""}, ["### Rules that do not hold", "- `if_a` → false", "- `c` → "]),
    (
        {"Kind": "A\n# B"},
        {"x": 1},
        {"y\x1b": [None]},
        [
            *("### Rule row", "- **Kind:** A # B", "### Rules that hold", "- `x` → 1"),
            *("### Rules that do not hold", "- `y\\x1b` → [null]"),
        ],
    ),
]


@pytest.mark.parametrize(("rule", "matched", "unmatched", "shown"), RULE_PARTS)
def test_rules_as_text(
    rule: dict[str, Any], matched: dict[str, Any], unmatched: dict[str, Any], shown: list[str], tmp_path: Path
) -> None:
    made = grounded(rule=rule, rules_evaluation={"matched": matched, "unmatched": unmatched})
    lines = list(grounding(made))
    between = lines[lines.index("- **Confidence:** low (0.0)") + 1 : lines.index("### Evidence gap")]
    assert [text for text in between if text] == shown
    (path,) = persist_grounding(made, tmp_path)["created_files"]
    assert [text for text in shown if text not in Path(path).read_text("utf-8").splitlines()] == []


def test_markdown_of_odd_values() -> None:
    row = {"A": None, "B": "", "C": "x\n# y", "D": "é" * 301, "E": "\x1b[2J", "F": "0"}
    selection = {"best": row, "alternatives": [], "confidence": {"label": "low", "score": 0.0}}
    empty = {**selection, "best": {}}
    rules = {"matched": {"if_x": {"a": ["é", None]}}, "unmatched": {}}
    made = grounded(query="", selections={"one": selection, "two": empty}, rules_evaluation=rules)
    lines = list(grounding(made))
    assert lines[0] == "## (no query)"
    at = lines.index("### one")
    assert lines[at + 2 : at + 6] == [
        "- **C:** x # y",
        f"- **D:** {'é' * 300}…",
        "- **E:** \\x1b[2J",
        "- **F:** 0",
    ]
    assert '- `if_x` → {"a": ["é", null]}' in lines
    assert "### two" not in lines


def test_a_value_is_no_html_in_a_file(tmp_path: Path) -> None:
    made = grounded(category="<!-- hidden", evidence_gap=["<Menu />", "\ud800"])
    (path,) = persist_grounding(made, tmp_path)["created_files"]
    text = Path(path).read_text("utf-8")
    assert "- **Category:** &lt;!-- hidden" in text
    assert "- &lt;Menu />" in text
    assert text.count("<") == 1
    persist_grounding(made, tmp_path)
