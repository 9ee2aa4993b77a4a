"""`spectastic corpus publish`: what is listed, what stays as it was written, what is not fit to be listed."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from crash import files, kill_everywhere
from deliveries import OLDER, pack, paper, registry, repository, sha, skill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trees import Link, tree

from spectastic.cli import main
from spectastic.config import Settings
from spectastic.corpus import load
from spectastic.curate.importing.foreign import choose, look
from spectastic.curate.plan import CurateError
from spectastic.curate.publishing import jsontext
from spectastic.curate.publishing.publish import Request as Publishing
from spectastic.curate.publishing.publish import plan_publish
from spectastic.curate.workspace import Workspace
from spectastic.engine import validate

Capture = pytest.CaptureFixture[str]
Files = dict[str, "str | bytes | Link | None"]

REPOS = Path(__file__).parent.parent / "fixtures" / "repos"
LIST = "knowledge/marketplace.json"
INDEX = "knowledge/index.md"
PAPERS = {"001-tax": ("2024", "Tax is 20 %.\n"), "001-tax@2019": ("2019", "Tax is 19 %.\n")}
TAX = "knowledge/laws/references/001-tax.md"
ABOUT = "What the tests of an import are made of."
NEW = """\
{{
  "name": "gov",
  "owner": {{
    "name": "Ada"
  }},
  "plugins": [
    {{
      "name": "laws",
      "source": "./laws",
      "description": "What the tests of an import are made of.",
      "version": "{version}"
    }}
  ]
}}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one pack, ready to be published."""
    made = tree(tmp_path / "r", repository(PAPERS, marketplace="gov"))
    monkeypatch.chdir(made)
    return made


def publish(*argv: str, code: int = 0) -> None:
    assert main(["corpus", "publish", *argv]) == code


def listed(root: Path) -> str:
    return (root / LIST).read_bytes().decode()


def version(root: Path) -> str:
    found = re.search(r'"version": *"(1\.0\.0\+[0-9a-f]{12})"', listed(root))
    assert found
    return found[1]


def hand(root: Path, text: str) -> str:
    tree(root, {LIST: text})
    return text


def test_a_new_list(root: Path, capsys: Capture) -> None:
    before = files(root)
    publish("--owner", "Ada")
    assert capsys.readouterr().out == f"created {LIST}\n"
    text = listed(root)
    assert text == NEW.format(version=version(root))
    assert files(root) == {**before, LIST: text.encode()}
    publish()
    assert capsys.readouterr().out == f"nothing has changed: {LIST} lists laws\n"
    publish("--owner", "Ada", "--name", "gov", "--pack", "laws", "--prune")
    assert listed(root) == text
    assert validate(Settings(root=str(root))).findings == ()


def test_what_is_told_to_programs(root: Path, capsys: Capture) -> None:
    publish("--owner", "Ada", "--json", "--dry-run")
    document = json.loads(capsys.readouterr().out)
    assert not (root / LIST).exists()
    told = document["result"]["packs"][0].pop("version")
    assert re.fullmatch(r"1\.0\.0\+[0-9a-f]{12}", told)
    assert document["changes"] == [{"path": LIST, "action": "created"}]
    assert document["result"] == {
        "path": LIST,
        "name": "gov",
        "owner": "Ada",
        "packs": [{"pack": "laws", "plugin": "laws"}],
        "gone": [],
        "pruned": [],
    }


def test_the_version_says_what_is_in_it(root: Path) -> None:
    """It changes with a text, an edition or `SKILL.md`, and with nothing else."""
    publish("--owner", "Ada")
    seen = [version(root)]
    index = root / INDEX
    index.write_text(index.read_text() + "\nMore about the registry.\n")
    publish()
    assert version(root) == seen[0]
    for path, text in (
        (TAX, paper("001-tax", "2024", "Tax is 21 %.\n")),
        (
            "knowledge/laws/references/superseded/001-tax@2001.md",
            paper("001-tax", "2001", "X.\n", "superseded"),
        ),
        ("knowledge/laws/SKILL.md", skill("laws", [("001-tax", "2024")]) + "\nMore.\n"),
    ):
        tree(root, {path: text})
        publish()
        assert version(root) not in seen
        seen.append(version(root))


HAND = (
    '\ufeff{ "$schema": "x",\r\n\t"plugins" : [\r\n'
    '\t\t{"description":"Mine \\u00e9", "name": "laws" , "tags": [1,  2.50]}, '
    '{"name":"far","source":{"source":"github","repo":"a/b"}}\r\n\t],\r\n'
    '\t"owner": {"email": "a@b", "name":"Ada"}, "name":"gov" }'
)


def test_what_somebody_wrote_stays(root: Path) -> None:
    text = hand(root, HAND.replace('"name": "laws" ,', '"name": "laws" , "source":"laws", "version":"2.1",'))
    publish()
    assert listed(root) == text


def test_what_is_missing_is_added(root: Path) -> None:
    text = hand(root, HAND.replace('"name": "laws" ,', '"name": "laws" , "source":"./laws/",'))
    publish()
    expected = text.replace('"tags": [1,  2.50]}', f'"tags": [1,  2.50], "version": "{version(root)}"}}')
    assert listed(root) == expected
    publish()
    assert listed(root) == expected
    publish("--owner", "Bob")
    assert listed(root) == expected.replace('"name":"Ada"', '"name":"Bob"')


def test_only_our_own_version_moves_on(root: Path) -> None:
    hand(
        root,
        HAND.replace('"name": "laws" ,', '"version":"1.0.0+0123456789ab", "name": "laws" , "source":"laws",'),
    )
    publish()
    assert '"0123456789ab"' not in listed(root)
    assert f'"version":"{version(root)}", "name": "laws" ,' in listed(root)
    text = hand(root, listed(root).replace("1.0.0+", "1\\u002e0.0+"))
    publish()
    assert listed(root) == text


def test_a_pack_that_is_listed_as_elsewhere(root: Path, capsys: Capture) -> None:
    away = '"name": "laws" , "source": {"source": "npm"}, "version": "2",'
    text = hand(root, HAND.replace('"name": "laws" ,', away))
    publish()
    assert "laws is listed as elsewhere: who imports from here does not get it\n" in capsys.readouterr().out
    assert listed(root) == text


SPREAD = """\
{
    "name": "gov",
    "owner": {"name": "A"},
    "plugins": [
        {"name": "far", "source": {}}MORE
    ]
}
"""
SPREAD_MORE = """,
        {
            "name": "laws",
            "source": "./laws",
            "description": "ABOUT",
            "version": "VERSION"
        }"""
LINE = '{"name": "gov", "owner": {"name": "A"}, "plugins": [{"name": "far", "source": {}}MORE]}'
LINE_MORE = ', {"name": "laws", "source": "./laws", "description": "ABOUT", "version": "VERSION"}'
EMPTY = '{"name": "gov", "owner": {"name": "A"}, "plugins": [MORE]}\n'
EMPTY_MORE = """
  {
    "name": "laws",
    "source": "./laws",
    "description": "ABOUT",
    "version": "VERSION"
  }
"""
STYLES = {"spread": (SPREAD, SPREAD_MORE), "line": (LINE, LINE_MORE), "empty": (EMPTY, EMPTY_MORE)}
STYLES |= {f"{name}-crlf": (text.replace("\n", "\r\n"), more) for name, (text, more) in STYLES.items()}
STYLES["spread-tabs"] = (SPREAD.replace("    ", "\t"), SPREAD_MORE.replace("    ", "\t"))


@pytest.mark.parametrize("style", STYLES)
def test_one_more_entry(style: str, root: Path) -> None:
    """In the style of those that are there, whatever that is."""
    text, more = STYLES[style]
    hand(root, text.replace("MORE", ""))
    publish()
    if "\r\n" in text:
        more = more.replace("\n", "\r\n")
    more = more.replace("ABOUT", ABOUT).replace("VERSION", version(root))
    assert listed(root) == text.replace("MORE", more)


def test_an_owner_that_is_not_there_yet(root: Path, capsys: Capture) -> None:
    for owner in ("", '"owner": {}, ', '"owner": {"email": "x"}, '):
        hand(root, f'{{{owner}"name": "gov", "plugins": []}}')
        publish(code=2)
        assert "needs an owner" in capsys.readouterr().err
        publish("--owner", "Ada")
        assert json.loads(listed(root))["owner"]["name"] == "Ada"
        capsys.readouterr()


GONE = (
    '{"name": "gov", "owner": {"name": "A"}, "plugins": [{"name": "a", "source": "./a"}, '
    '{"name": "laws", "source": "./laws", "description": "D", "version": "1"}, '
    '{"name": "b", "source": "b"},\n{"name": "far", "source": {"source": "npm"}}, '
    '{"name": "c", "source": "./knowledge/c"}]}'
)


def test_packs_that_are_gone(root: Path, capsys: Capture) -> None:
    hand(root, GONE)
    publish()
    out = capsys.readouterr().out
    for name in "abc":
        assert f"{name} has no pack here any more, and is left in the list: --prune drops it\n" in out
    assert listed(root) == GONE
    publish("--prune", "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["result"]["gone"] == document["result"]["pruned"] == ["a", "b", "c"]
    assert listed(root) == (
        '{"name": "gov", "owner": {"name": "A"}, "plugins": ['
        '{"name": "laws", "source": "./laws", "description": "D", "version": "1"},\n'
        '{"name": "far", "source": {"source": "npm"}}]}'
    )


def test_the_only_pack_of_the_list_is_gone(root: Path) -> None:
    hand(root, '{"name": "gov", "owner": {"name": "A"}, "plugins": [{"name": "a", "source": "./a"}]}')
    publish("--prune")
    assert [entry["name"] for entry in json.loads(listed(root))["plugins"]] == ["laws"]


def test_a_pack_that_moved(root: Path, capsys: Capture) -> None:
    hand(root, GONE.replace('"./laws"', '"./old/laws"'))
    publish()
    assert "laws was listed with a source where no pack is: now ./laws\n" in capsys.readouterr().out
    assert listed(root) == GONE


def test_several_packs(root: Path, capsys: Capture) -> None:
    """What came from elsewhere is left out, unless it is named."""
    rows = [
        (1, "gov", "laws", "001-tax", "2024"),
        (2, "gov", "b", "001-x", "1"),
        (3, "Else", "c", "001-x", "1"),
    ]
    extra = {name: pack(name, {"001-x": ("1", f"X {name}.\n")}, "knowledge/") for name in "bc"}
    tree(root, {INDEX: registry(rows), **extra["b"], **extra["c"]})
    publish("--owner", "A", code=2)
    assert "it is not clear which marketplace this is" in capsys.readouterr().err
    publish("--owner", "A", "--name", "gov")
    out = capsys.readouterr().out
    assert "c is left out: Else publishes it (--pack c lists it all the same)\n" in out
    assert [entry["name"] for entry in json.loads(listed(root))["plugins"]] == ["b", "laws"]
    publish("--pack", "c")
    out = capsys.readouterr().out
    assert "c is listed, and its rows say that Else publishes it\n" in out
    assert [entry["name"] for entry in json.loads(listed(root))["plugins"]] == ["b", "laws", "c"]
    (root / LIST).unlink()
    publish("--pack", "laws", "--owner", "A")
    assert [entry["name"] for entry in json.loads(listed(root))["plugins"]] == ["laws"]


def test_doubts(root: Path, capsys: Capture) -> None:
    tree(
        root,
        {
            TAX: paper("001-tax", "2024", "Tax is 20 %.\n", license="GPL-3.0-only"),
            "knowledge/laws/references/002-loose.md": paper("002-loose", "1", "X.\n"),
            "knowledge/laws/SKILL.md": skill("other", [("001-tax", "2024")]),
            INDEX: registry(
                [(1, "gov", "laws", "001-tax", "2024"), (2, "gov", "laws", "003-old", "1")]
            ).replace("003-old.md | |", "003-old.md | orphaned |"),
        },
    )
    publish("--owner", "A")
    out = capsys.readouterr().out
    assert f"{TAX}: " in out
    assert "002-loose.md: no row of knowledge/index.md leads to this document" in out
    assert "KB-0002, 003-old, is orphaned: who imports the pack does not get it\n" in out
    assert "knowledge/laws/SKILL.md: its name is other, and its folder laws\n" in out


OWNED = ["--owner", "Ada"]
#: What is there, what is asked for, and how the refusal begins and goes on.
REFUSED: dict[str, tuple[Files, list[str], str, str]] = {
    "no-owner": ({}, [], f"{LIST} needs an owner", "--owner NAME"),
    "blank-owner": ({}, ["--owner", " "], f"{LIST} needs an owner", "--owner NAME"),
    "hidden-owner": ({}, ["--owner", "A\u202e"], f"{LIST} needs an owner", "--owner NAME"),
    "no-such-pack": ({}, [*OWNED, "--pack", "law"], "there is no pack law", "packs: laws"),
    "no-packs": (
        {INDEX: registry([])},
        [*OWNED, "--name", "gov"],
        "no pack here is published at gov",
        "corpus add",
    ),
    "nothing-at-all": ({INDEX: registry([])}, OWNED, "it is not clear which", "--name M"),
    "no-rows": (
        {INDEX: registry([])},
        [*OWNED, "--name", "gov", "--pack", "laws"],
        "there is no pack laws with rows",
        "register its documents",
    ),
    "other-name": (
        {},
        [*OWNED, "--name", "other"],
        "no pack here is published at other",
        "the Marketplace cells of the registry say: gov",
    ),
    "another-list": (
        {LIST: '{"name": "gov", "owner": {"name": "A"}, "plugins": []}'},
        ["--name", "other"],
        f"{LIST} is that of gov, not of other",
        "change `name` in knowledge/marketplace.json",
    ),
    "bad-name": (
        {INDEX: registry([(1, "My Gov", "laws", "001-tax", "2024")])},
        OWNED,
        "a marketplace cannot be called My Gov",
        "lower-case words",
    ),
    "broken-list": (
        {LIST: '{"name": "gov",\n "name": "gov"}'},
        OWNED,
        f'{LIST}:2:2: the key "name" is there twice',
        "it has",
    ),
    "list-leads-out": (
        {"../x.json": "{}", LIST: Link("../../x.json")},
        OWNED,
        "leads out of the repository",
        "link",
    ),
    "other-pack-of-that-name": (
        {
            LIST: '{"name": "gov", "owner": {"name": "A"}, "plugins": [{"name": "laws", "source": "./b"}]}',
            **pack("b", {"001-x": ("1", "X.\n")}, "knowledge/"),
        },
        [],
        f"{LIST} lists laws with another pack: b",
        "correct its source",
    ),
    "our-pack-under-another-name": (
        {LIST: '{"name": "gov", "owner": {"name": "A"}, "plugins": [{"name": "acts", "source": "./laws/"}]}'},
        [],
        f"{LIST} lists knowledge/laws as acts, and its rows call it laws",
        "a pack has one name: correct it in",
    ),
    "our-pack-under-its-name-and-another": (
        {
            LIST: '{"name": "gov", "owner": {"name": "A"}, "plugins": '
            '[{"name": "acts", "source": "laws"}, {"name": "laws", "source": "./laws"}]}'
        },
        [],
        f"{LIST} lists laws twice",
        "one of the two is another pack, or too many",
    ),
    "another-pack-twice": (
        {
            LIST: '{"name": "gov", "owner": {"name": "A"}, "plugins": '
            '[{"name": "a", "source": "./b"}, {"name": "c", "source": "b"}]}',
            **pack("b", {"001-x": ("1", "X.\n")}, "knowledge/"),
        },
        [],
        f"{LIST} lists b twice",
        "one of the two is another pack, or too many",
    ),
    "a-name-that-is-another-folder": (
        {
            INDEX: registry([(1, "gov", "laws", "001-tax", "2024")]).replace("| gov | laws |", "| gov | b |"),
            **pack("b", {"001-x": ("1", "X.\n")}, "knowledge/"),
        },
        OWNED,
        f"{LIST} lists laws as b, and the folder knowledge/b is another pack",
        "give one of the two another name",
    ),
    **{
        f"version-{version}": (
            {
                LIST: '{"name": "gov", "owner": {"name": "A"}, "plugins": [\n{"name": "laws", "source": '
                f'"./laws", "version": {version}}}]}}'
            },
            [],
            f"{LIST}:2:49: the version is no text (laws)",
            'put quotes around it, or remove it: "version": "1.0.0"',
        )
        for version in ("2", "1.5", "null", "true", '["1"]')
    },
    "two-identities": (
        {INDEX: registry([(1, "gov", "laws", "001-tax", "2024"), (2, "Else", "laws", "002-x", "1")])},
        OWNED,
        "the rows of laws do not agree on where it is published, and as what: Else · laws; gov · laws",
        "bring its rows into line",
    ),
    "one-name-for-two": (
        {
            INDEX: registry([(1, "gov", "laws", "001-tax", "2024"), (2, "gov", "b", "001-x", "1")]).replace(
                "| gov | b |", "| gov | laws |"
            ),
            **pack("b", {"001-x": ("1", "X.\n")}, "knowledge/"),
        },
        OWNED,
        "two packs would be listed as laws",
        "validate",
    ),
    "plugin-name": (
        {
            INDEX: registry([(1, "gov", "laws", "001-tax", "2024")]).replace(
                "| gov | laws |", "| gov | My laws |"
            )
        },
        OWNED,
        "knowledge/laws is no name for a pack that is published",
        "validate",
    ),
    "no-skill": ({"knowledge/laws/SKILL.md": None}, OWNED, "knowledge/laws has no SKILL.md", "validate"),
    "no-description": (
        {"knowledge/laws/SKILL.md": "---\nname: laws\n---\n"},
        OWNED,
        "SKILL.md has no description",
        "validate",
    ),
    "short-description": (
        {"knowledge/laws/SKILL.md": "---\nname: laws\ndescription: nineteen characters\n---\n"},
        OWNED,
        "knowledge/laws/SKILL.md: its description has fewer than 20 characters",
        "validate",
    ),
    "no-reference": ({TAX: None}, OWNED, "knowledge/laws has no reference", "validate"),
    "no-license": (
        {TAX: paper("001-tax", "2024", "X.\n").replace("license: CC0-1.0\n", "")},
        OWNED,
        f"{TAX}: the frontmatter lacks license",
        "validate",
    ),
    "todo": (
        {TAX: paper("001-tax", "2024", "X.\n", origin="TODO")},
        OWNED,
        f"{TAX}: origin is still TODO",
        "",
    ),
    "no-hash": (
        {TAX: paper("001-tax", "2024", "X.\n", content_hash="TODO")},
        OWNED,
        f"{TAX}: content-hash was never computed",
        "validate",
    ),
    "wrong-hash": (
        {TAX: paper("001-tax", "2024", "X.\n", content_hash=sha("y"))},
        OWNED,
        f"{TAX}: content-hash says",
        "validate",
    ),
    "drift": ({TAX: paper("001-tax", "2025", "X.\n")}, OWNED, f"and {TAX} says 2025", "validate"),
    "not-text": ({TAX: b"\xff"}, OWNED, f"{TAX}: the file is not UTF-8", "validate"),
    "slug-map": (
        {"knowledge/laws/SKILL.md": skill("laws", [("001-tax", "2024")]) + "More.\n"},
        OWNED,
        "knowledge/laws/SKILL.md: this row has 1 cell",
        "validate",
    ),
    "registry": (
        {INDEX: registry([(1, "gov", "laws", "001-tax", "2024"), (1, "x", "y", "001-x", "1")])},
        OWNED,
        f"{INDEX}: KB-0001 is registered twice",
        "validate",
    ),
    **{
        status: (
            {TAX: paper("001-tax", "2024", "X.\n", status)},
            OWNED,
            f"{TAX} is still {status}",
            "validate",
        )
        for status in ("not-yet-spot-checked", "not-citable-until-confirmed", "not-citable-until-signed-off")
    },
    "many": (
        {
            f"knowledge/laws/references/00{number}-x.md": paper(
                f"00{number}-x", "1", f"{number}\n", "not-yet-spot-checked"
            )
            for number in range(2, 9)
        },
        OWNED,
        "006-x.md is still not-yet-spot-checked; and 2 more",
        "validate",
    ),
    "older-kind": (
        {
            INDEX: "x",
            "knowledge/laws/index.md": OLDER,
            "knowledge/laws/references/a.md": "---\nid: KB-0001\nedition: '1'\n---\nA.\n",
        },
        OWNED,
        "this corpus is of an older kind",
        "gives its documents rows in a registry",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, root: Path, capsys: Capture) -> None:
    more, argv, message, hint = REFUSED[case]
    for path, content in more.items():
        if content is None:
            (root / path).unlink()
    tree(root, {path: content for path, content in more.items() if content is not None})
    before = files(root)
    publish(*argv, code=2)
    said = capsys.readouterr()
    assert said.out == ""
    error, _, advice = said.err.partition("\n")
    assert "internal" not in error
    assert message in error
    assert hint in advice
    assert files(root) == before


def test_one_pack_that_is_ready(root: Path, capsys: Capture) -> None:
    """Another one that is not does not matter."""
    rows = [(1, "gov", "laws", "001-tax", "2024"), (2, "gov", "b", "001-x", "1")]
    tree(root, {INDEX: registry(rows), **pack("b", {"001-x": ("1", "X.\n")}, "knowledge/")})
    tree(root, {"knowledge/b/references/001-x.md": paper("001-x", "1", "X.\n", "not-yet-spot-checked")})
    publish("--owner", "A", code=2)
    publish("--owner", "A", "--pack", "laws")
    assert "created" in capsys.readouterr().out


def test_out_and_in_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """What is published here is imported there: the same texts, under the same addresses."""
    ours = tmp_path / "ours"
    shutil.copytree(REPOS / "clean", ours)
    monkeypatch.chdir(ours)
    publish("--owner", "Ada")
    theirs = tree(tmp_path / "theirs", {})
    monkeypatch.chdir(theirs)
    assert main(["corpus", "import", "../ours"]) == 0
    assert validate(Settings(root=str(theirs))).findings == ()
    there, here = load(str(ours)), load(str(theirs))
    assert {row.label for row in there.rows.values()} == {row.label for row in here.rows.values()}
    assert sorted(item.digest for item in there.references) == sorted(item.digest for item in here.references)
    capsys.readouterr()
    publish("--owner", "Them", code=2)
    assert "is still not-yet-spot-checked" in capsys.readouterr().err
    assert main(["corpus", "import", "../ours"]) == 0


def test_a_list_alone_is_enough(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack without a registry is named by its list, and by its slug map."""
    publish("--owner", "Ada")
    (root / INDEX).unlink()
    monkeypatch.chdir(tree(tmp_path / "theirs", {}))
    assert main(["corpus", "import", "../r"]) == 0
    assert load(".").rows["KB-0001"][1:6] == ("gov", "laws", "001-tax", "T 001-tax", "2024")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_kill_at_every_point(root: Path) -> None:
    def check(work: Path) -> None:
        assert json.loads((work / LIST).read_text())["name"] == "gov"

    assert kill_everywhere(root, ["corpus", "publish", "--owner", "Ada"], check) > 5


SOURCES = st.sampled_from(
    ["./laws", "laws", "./laws/", ".//laws", "./b", "b", "./gone", "./", "./laws/sub", {}]
)
ENTRIES = st.fixed_dictionaries(
    {"name": st.sampled_from(["laws", "b", "acts", "c", "x y"]), "source": SOURCES},
    optional={"version": st.sampled_from(["1.0.0+0123456789ab", "2", "", 2, None]), "more": st.just([1])},
)


@given(entries=st.lists(ENTRIES, max_size=4), prune=st.booleans(), sub=st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_published_is_imported(
    entries: list[dict[str, object]], prune: bool, sub: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Refused with a reason, or a list that `import` reads: with our pack in it, and with what was there."""
    top = tree(tmp_path_factory.mktemp("list"), repository(PAPERS, marketplace="gov"))
    tree(top, pack("b", {"001-x": ("1", "X.\n")}, "knowledge/"))
    tree(top, pack("sub", {"001-x": ("1", "Y.\n")}, "knowledge/laws/") if sub else {})
    text = json.dumps({"name": "gov", "owner": {"name": "A"}, "plugins": entries})
    tree(top, {LIST: text})
    place = Workspace(str(top), "knowledge", load(str(top)))
    try:
        plan = plan_publish(place, Publishing(prune=prune))
    except CurateError:
        return
    for change in plan.changes:
        assert change.after is not None
        (top / change.path).write_bytes(change.after)
    source = look(str(top))
    away = any(entry["name"] == "laws" and entry["source"] == {} for entry in entries)
    assert away or ("laws", "knowledge/laws") in choose(source, [], everything=True)
    after = json.loads((top / LIST).read_text())["plugins"]
    for entry in entries:
        mine = [item for item in after if item["name"] == entry["name"]]
        if entry["name"] != "laws" and not prune:
            assert mine == [entry]


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 0, 2, "\t"]), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_any_json_is_read(value: object, indent: int | str | None, ascii_only: bool, eol: str) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).replace("\n", eol)
    node = jsontext.parse(f" {text}\n")
    assert node.value == value
    assert json.loads(f" {text}\n"[node.start : node.end]) == value


@given(st.lists(JSON, max_size=5), st.sets(st.integers(0, 4)), st.sampled_from([None, 2, "\t"]))
def test_any_items_go_and_come(items: list[object], gone: set[int], indent: int | str | None) -> None:
    text = json.dumps(items, indent=indent)
    node = jsontext.parse(text)
    dropped = [item for at, item in enumerate(node.items) if at in gone]
    left = jsontext.changed(text, jsontext.removed(node, dropped)) if dropped else text
    kept = [item for at, item in enumerate(items) if at not in gone]
    assert json.loads(left) == kept
    more = jsontext.changed(left, [jsontext.added(left, jsontext.parse(left), [(None, {"a": 1}), (None, 2)])])
    assert json.loads(more) == [*kept, {"a": 1}, 2]
    text = json.dumps({"k": items, **({"z": 1} if gone else {})}, indent=indent)
    more = jsontext.changed(text, [jsontext.added(text, jsontext.parse(text), [("new", {"a": []})])])
    assert json.loads(more) == {**json.loads(text), "new": {"a": []}}
