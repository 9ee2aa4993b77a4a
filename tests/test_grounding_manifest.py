"""Manifests: what is right, what is wrong, both held to the JSON Schema; and the boundary of what is read."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]

from spectastic.grounding import kinds
from spectastic.grounding.manifest import ANY, FIELDS, flat
from spectastic.grounding.schema_validator import (
    MANIFEST_VERSION,
    TIERS,
    ManifestError,
    load_manifest,
    read_manifest,
    resolve_data_path,
    unknown_keys,
    validate_manifest,
    with_folder,
)

if TYPE_CHECKING:
    from types import ModuleType

CHECKOUT = Path(__file__).resolve().parent.parent
FIXTURES = CHECKOUT / "fixtures" / "manifests"
RIGHT = sorted((FIXTURES / "right").glob("*.json"))
FULL = json.loads((FIXTURES / "right" / "full.json").read_text(encoding="utf-8"))


class Wrong(NamedTuple):
    case: str
    manifest: Any
    says: list[str]
    beyond: bool


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_manifest", CHECKOUT / "docs/generate_manifest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changed(row: dict[str, Any]) -> Any:
    """The full manifest with the changes of a row."""
    manifest = copy.deepcopy(FULL)
    for path, value in row.get("set", {}).items():
        if not path:
            return value
        *way, name = path.split(".")
        holder = manifest
        for step in way:
            holder = holder[step]
        holder[name] = value
    for path in row.get("drop", ()):
        *way, name = path.split(".")
        holder = manifest
        for step in way:
            holder = holder[step]
        del holder[name]
    return manifest


def wrong() -> list[Wrong]:
    return [
        Wrong(f"{path.stem}: {row['case']}", changed(row), row["says"], row.get("beyond the schema", False))
        for path in sorted((FIXTURES / "wrong").glob("*.json"))
        for row in json.loads(path.read_text(encoding="utf-8"))
    ]


WRONG = wrong()


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    text = (CHECKOUT / "docs" / "manifest.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text), format_checker=FormatChecker())


def test_there_are_cases() -> None:
    assert len(RIGHT) == 4
    assert len(WRONG) > 110
    assert len({row.case for row in WRONG}) == len(WRONG)
    assert (MANIFEST_VERSION, TIERS) == (1, ("lookup-only", "conditional-grounding", "constraint-emission"))


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_what_is_right(path: Path, schema: Draft202012Validator) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert validate_manifest(data) == []
    assert list(schema.iter_errors(data)) == []
    assert load_manifest(path) == {**data, "_manifest_dir": str(path.parent)}


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.case)
def test_what_is_wrong(row: Wrong, schema: Draft202012Validator) -> None:
    assert validate_manifest(row.manifest) == row.says
    assert schema.is_valid(row.manifest) == row.beyond


def test_every_key_is_in_the_full_manifest_and_can_be_wrong() -> None:
    """A field that nothing tries is a field that nothing checks."""
    said = "\n".join(line for row in WRONG for line in row.says)
    for path, _ in flat():
        name = path.replace(f".{ANY}", "").rpartition(".")[2]
        assert f'"{name}"' in json.dumps(FULL), path
        assert f"{path.replace('domains.*', 'domains.claim').removesuffix(f'.{ANY}')} " in said, path


def test_every_kind_is_used() -> None:
    used = {kind for _, field in flat() for kind in (field.kind, field.names) if kind}
    assert used == set(kinds.KINDS)


def test_what_is_generated_is_up_to_date(tmp_path: Path) -> None:
    module = generator()
    assert module.differing(module.FOLDER) == []
    assert module.main(["--check"]) == 0
    page = (module.FOLDER / module.PAGE).read_text(encoding="utf-8")
    (tmp_path / module.PAGE).write_text(
        page.replace("who keeps the corpus true", "whoever"), encoding="utf-8"
    )
    assert module.differing(tmp_path) == ["grounding.md", "manifest.schema.json"]
    module.write(tmp_path)
    assert module.differing(tmp_path) == []
    assert (tmp_path / module.PAGE).read_text(encoding="utf-8") == page
    assert module.main(["--chek"]) == 2
    (tmp_path / module.PAGE).write_text("no place", encoding="utf-8")
    with pytest.raises(SystemExit, match="has no place for the table"):
        module.differing(tmp_path)


def test_the_page_names_every_key() -> None:
    page = (CHECKOUT / "docs" / "grounding.md").read_text(encoding="utf-8")
    for path, field in flat():
        assert f"| `{path}` | {'yes' if field.needed else ''} |" in page
    for path in (
        "stacks.*",
        "detect.*",
        "reasoning.plan.*",
        "reasoning.name_columns.*",
        "domains.*.filters.*",
    ):
        assert f"| `{path}` | yes |" in page


# ------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no JSON: Expecting value: line 1 column 1"),
        (b"{,}", "is no JSON: Expecting property name"),
        (b'{"a": NaN}', "is no JSON: NaN is no number of JSON"),
        (b'{"a": -Infinity}', "is no JSON: -Infinity is no number of JSON"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "has the key 'c' twice in one object"),
        (b'{"\xff": 1}', "is not UTF-8: byte 0xff at offset 2"),
        (b'\xef\xbb\xbf{"\xff": 1}', "is not UTF-8: byte 0xff at offset 5"),
        ('{"a": 1}'.encode("utf-16"), "is not UTF-8: byte 0xff at offset 0"),
        (b"[" * 200_000, "is nested too deeply"),
        (b'{"a": ' + b"1" * 5000 + b"}", "is no JSON: Exceeds the limit"),
        (b" " * 5_000_001, "is no manifest: it has more than 5,000,000 bytes"),
        (b"[]", "the manifest must be an object, not []"),
        (b"\0", "is no JSON: Expecting value"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_no_manifest(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_bytes(content)
    with pytest.raises(ManifestError) as raised:
        load_manifest(tmp_path / "m.json")
    assert said in str(raised.value)
    assert "m.json" in str(raised.value)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(
        ManifestError, match=r"none\.json cannot be read: no such file or directory"
    ) as raised:
        load_manifest(tmp_path / "none.json")
    assert raised.value.hint == "spectastic ground init writes one"
    with pytest.raises(ManifestError, match="cannot be read: is a directory") as raised:
        load_manifest(tmp_path)
    assert raised.value.hint == "name the manifest's JSON file"
    with pytest.raises(ManifestError, match="the path of the manifest is empty"):
        load_manifest("")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ManifestError, match="pipe is no manifest: it is no regular file"):
        load_manifest(tmp_path / "pipe")
    with pytest.raises(ManifestError, match="the path of the manifest holds a NUL"):
        load_manifest("a\0b")


def test_a_byte_order_mark_is_no_matter(tmp_path: Path) -> None:
    text = (FIXTURES / "right" / "smallest.json").read_bytes()
    (tmp_path / "m.json").write_bytes(b"\xef\xbb\xbf" + text)
    assert load_manifest(tmp_path / "m.json")["owner"] == "docs team"


def test_all_violations_are_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(json.dumps({**FULL, "owner": "", "retriever": "x"}))
    with pytest.raises(ManifestError) as raised:
        load_manifest(tmp_path / "m.json")
    first = 'owner must be text that is not blank, not ""'
    second = 'retriever must be one of bm25, structured, hybrid, not "x"'
    assert str(raised.value) == f"{tmp_path / 'm.json'}: {first}; {second}"
    assert raised.value.violations == (first, second)
    assert isinstance(raised.value, ValueError)


def test_keys_that_mean_nothing_are_noted() -> None:
    strange = copy.deepcopy(FULL)
    strange |= {"ownr": "x", "$schema": "s", "_manifest_dir": "/"}
    strange["domains"]["claim"]["outputcols"] = []
    strange["reasoning"]["_manifest_dir"] = ""
    strange["detect"]["any"] = []
    assert unknown_keys(strange) == [
        "domains.claim.outputcols is no key of a manifest: did you mean output_cols?",
        "reasoning._manifest_dir is no key of a manifest",
        "ownr is no key of a manifest: did you mean owner?",
        '"$schema" is no key of a manifest',
    ]
    assert unknown_keys(FULL) == []


#: What is no valid manifest, and what is noted of its keys all the same.
MISSPELT: list[tuple[Any, list[str]]] = [
    (
        {"manifest_version": 1, "refresh_cadance": "weekly", "domains": []},
        ["refresh_cadance is no key of a manifest: did you mean refresh_cadence?"],
    ),
    ({"domians": {"a": {"fiel": "a.csv"}}}, ["domians is no key of a manifest: did you mean domains?"]),
    (
        {"domains": {"a": {"fiel": "a.csv"}, "b": 1}},
        ["domains.a.fiel is no key of a manifest: did you mean file?"],
    ),
    ([], []),
    (None, []),
    ("owner", []),
]


@pytest.mark.parametrize(("data", "said"), MISSPELT)
def test_keys_are_noted_of_what_is_no_manifest(data: Any, said: list[str]) -> None:
    assert unknown_keys(data) == said


def test_a_long_value_is_shortened() -> None:
    (said,) = validate_manifest({**FULL, "owner": ["x" * 10_000]})
    assert len(said) < 120
    assert said.endswith("…")


# ------------------------------------------------------------------------------------------------ boundary


def placed(folder: Path, **more: Any) -> dict[str, Any]:
    return with_folder(more, str(folder / "m.json"))


@pytest.mark.parametrize("data_dir", [None, "", ".", "data", "data/deep", "data\\deep", "./data//deep/"])
def test_paths_are_relative_to_the_manifest(data_dir: str | None, tmp_path: Path) -> None:
    folder = tmp_path.resolve().joinpath(*(data_dir or "").replace("\\", "/").split("/"))
    found = resolve_data_path(placed(tmp_path, data_dir=data_dir), "a/b.csv")
    assert found == folder / "a" / "b.csv"
    assert resolve_data_path(placed(tmp_path, data_dir=data_dir), "a\\b.csv") == found
    assert isinstance(found, Path)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "\\a",
        "//s/a",
        "\\\\s\\a",
        "C:\\a",
        "z:a",
        "../a",
        "..\\a",
        "a/../../b",
        "a\\..",
        "..",
        "a\0",
    ],
)
def test_paths_that_lead_out_by_their_words(path: str, tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="it must be manifest-relative"):
        resolve_data_path(placed(tmp_path), path)
    with pytest.raises(ManifestError, match="it must be manifest-relative"):
        resolve_data_path(placed(tmp_path, data_dir=path), "a.csv")


@pytest.mark.parametrize("path", ["1:a", "é:a", "...", "a..b", "..a/b..", " ../a"])
def test_paths_that_only_look_like_it(path: str, tmp_path: Path) -> None:
    assert resolve_data_path(placed(tmp_path), path) == tmp_path.resolve() / path


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    """JSON can spell half a character, which no encoding of file names has."""
    said = r"'\ud800\.csv' cannot be the name of a file here, where names are in"
    with pytest.raises(ManifestError, match=said) as raised:
        resolve_data_path(placed(tmp_path), "\ud800.csv")
    assert raised.value.hint == "rename it, or set PYTHONUTF8=1"
    with pytest.raises(ManifestError, match=r"'\ud800/a\.csv' cannot be"):
        resolve_data_path(placed(tmp_path, data_dir="\ud800"), "a.csv")


def test_links(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "inside-out"
    for folder in (inside / "data", outside):
        folder.mkdir(parents=True)
        (folder / "a.csv").write_text("a\n1\n")
    (inside / "same.csv").symlink_to(inside / "data" / "a.csv")
    (inside / "out.csv").symlink_to(outside / "a.csv")
    (inside / "nowhere.csv").symlink_to(outside / "none.csv")
    (inside / "up").symlink_to("..")
    (inside / "folder").symlink_to(outside)
    (inside / "chain.csv").symlink_to("folder/a.csv")
    (inside / "loop").symlink_to("loop")
    manifest = placed(inside)
    real = inside.resolve()
    assert resolve_data_path(manifest, "same.csv") == real / "data" / "a.csv"
    assert resolve_data_path(manifest, "loop") == real / "loop"
    leading = ("out.csv", "nowhere.csv", "chain.csv", "folder/a.csv", "up/inside-out/a.csv", "folder", "up")
    for path in leading:
        with pytest.raises(ManifestError, match="leads out of the manifest's folder through a link"):
            resolve_data_path(manifest, path)
    assert resolve_data_path(manifest, "up/inside/data/a.csv") == real / "data" / "a.csv"
    for path in ("folder", "up"):
        with pytest.raises(ManifestError, match="through a link"):
            resolve_data_path(placed(inside, data_dir=path), "a.csv")
    assert resolve_data_path(manifest, ".") == real


def test_a_folder_that_is_a_link_is_the_folder_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.csv").write_text("")
    (tmp_path / "link").symlink_to("real")
    assert resolve_data_path(placed(tmp_path / "link"), "a.csv") == tmp_path.resolve() / "real" / "a.csv"


def test_a_manifest_that_is_a_link_does_not_move_the_boundary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "m.json").write_bytes((FIXTURES / "right" / "smallest.json").read_bytes())
    (tmp_path / "here" / "m.json").symlink_to("../there/m.json")
    monkeypatch.chdir(tmp_path / "here")
    assert load_manifest("m.json")["_manifest_dir"] == str(tmp_path.resolve() / "here")


def test_a_manifest_that_was_not_loaded_has_no_folder() -> None:
    with pytest.raises(ManifestError, match="has no _manifest_dir") as raised:
        resolve_data_path({}, "a.csv")
    assert raised.value.hint == "load it with load_manifest"


def test_reading_gives_whatever_is_there(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text("[1]")
    assert read_manifest(str(tmp_path / "m.json")) == [1]


def test_the_fields_first_looked_at_are_needed() -> None:
    assert list(FIELDS)[:4] == ["manifest_version", "domain", "tier", "domains"]
