"""Frontmatter written and changed: what is read back, and that all other bytes stay."""

from __future__ import annotations

import hashlib
from io import StringIO

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from spectastic import frontmatter
from spectastic.corpus.references import parse
from spectastic.curate import documents
from spectastic.curate.plan import CurateError
from spectastic.source import Source

HASH = "sha256:" + hashlib.sha256(b"\nA fact.\n").hexdigest()


def fields(data: bytes) -> dict[str, str]:
    base = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    read = frontmatter.read(data[base:], base)
    assert read.problems == ()
    return {name: field.value for name, field in read.fields.items()}


COMPOSED = {
    # body, what follows the frontmatter, line end
    "no-blank-line": (b"# A\n", b"\n# A\n", b"\n"),
    "blank-line": (b"\n# A\n", b"\n# A\n", b"\n"),
    "crlf": (b"# A\r\nB\n", b"\r\n# A\r\nB\n", b"\r\n"),
    "crlf-blank-line": (b"\r\n# A\n", b"\r\n# A\n", b"\r\n"),
    "lone-cr": (b"# A\rB", b"\r# A\rB", b"\r"),
    "one-line": (b"A", b"\nA", b"\n"),
    "nothing": (b"", b"\n", b"\n"),
    "looks-like-frontmatter": (b"---\nx: y\n---\n", b"\n---\nx: y\n---\n", b"\n"),
}


@pytest.mark.parametrize("case", COMPOSED)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_compose(case: str, mark: bytes) -> None:
    body, kept, eol = COMPOSED[case]
    data = documents.compose(
        {"status": "x", "title": "T", "slug": "001-a", "content-hash": "no"}, mark + body
    )
    computed = "sha256:" + hashlib.sha256(kept.replace(b"\r\n", b"\n")).hexdigest()
    lines = (b"---", b"slug: 001-a", b"content-hash: " + computed.encode(), b"status: x", b"title: T", b"---")
    assert data == mark + b"".join(line + eol for line in lines) + kept
    assert parse(Source("a.md", data), "p", False).digest == computed


PLAIN = [
    "a/b",
    "rev-4",
    "0.31.2",
    "CC-BY-4.0",
    "IETF, Inc.",
    "It's",
    "a:b",
    "a#b",
    "https://x.example/?a=b#c",
    "3rd ed.",
]
SPECIAL = [
    *("2024-05-28", "2024", "1.10", "0x1f", "0o17", "1e3", "1_000", "12:30", "2001-12-14t21:59:43.10-05:00"),
    *(
        "on",
        "No",
        "y",
        "N",
        "true",
        "NULL",
        "~",
        "null",
        ".inf",
        "=",
        "<<",
        "- x",
        "# x",
        "a: b",
        "a #b",
        "x:",
    ),
    *("[a]", "{a", "*a", "&a", "!a", "%a", "@a", "`a", "'a'", '"a"', "? a", "| a", " a", "a ", "\ta", "ü"),
    *("a\nb", "a\r\nb", "\x7f", "\x85", "\u2028", "\ufeff", "\U0001f389", "\\", ">", "---", "..."),
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_scalars(text: str) -> None:
    assert documents.scalar(text) == text


@pytest.mark.parametrize("text", [*SPECIAL, ""])
def test_quoted_scalars(text: str) -> None:
    assert documents.scalar(text).startswith('"')


def _reads(line: str) -> list[object]:
    """The value of a line as our reader, and those of two versions of YAML, have it."""
    ours = frontmatter.read(f"---\n{line}\n---\n".encode())
    assert ours.problems == ()
    return [ours.fields["a"].value, yaml.safe_load(line)["a"], YAML(typ="safe").load(StringIO(line))["a"]]


@given(
    st.text(st.characters(exclude_categories=["Cs"])) | st.from_regex(r"[-0-9a-zA-Z:.#' ]+", fullmatch=True)
)
@example("\ufffe\uffff\U0010ffff")
@example("x" * 300 + " y" * 200)
def test_scalars_are_read_back(text: str) -> None:
    assert _reads(f"a: {documents.scalar(text)}") == [text] * 3


@pytest.mark.parametrize("text", [*PLAIN, *SPECIAL])
def test_special_scalars_are_read_back(text: str) -> None:
    assert _reads(f"a: {documents.scalar(text)}") == [text] * 3


def test_text_that_is_no_text() -> None:
    with pytest.raises(CurateError, match=r"'\\udcff' is not text"):
        documents.compose({"origin": "\udcff"}, b"A")


def test_too_much_for_frontmatter() -> None:
    with pytest.raises(CurateError, match="more than the 65,536 bytes"):
        documents.compose({"origin": "x" * 70_000}, b"A")


def test_names_that_are_no_names() -> None:
    with pytest.raises(CurateError, match="these fields cannot be written"):
        documents.compose({"# origin": "x"}, b"A")


#: What goes is between ‹ and ›, what comes between ⟦ and ⟧.
CHANGED = {
    "value": ("slug: ‹a›⟦b⟧\nedition: 1.0 # one\n", {"slug": "b"}),
    "quotes": ('slug: ‹\'a\'›⟦b⟧\nedition: ‹"1"›⟦"2"⟧   # x\n', {"slug": "b", "edition": "2"}),
    "same": ("slug: 'a'\nedition: \"1\"\n", {"slug": "a", "edition": "1"}),
    "empty": ("slug:⟦ b⟧\nstatus: x\n", {"slug": "b"}),
    "empty-with-comment": ("slug:⟦ b⟧ # which?\nstatus: x\n", {"slug": "b"}),
    "empty-in-quotes": ('slug: ‹""›⟦b⟧\n', {"slug": "b"}),
    "to-empty": ('slug: ‹a›⟦""⟧\n', {"slug": ""}),
    "block-scalar": ("origin: ‹|\n  some\n  body›⟦B⟧\nstatus: x\n", {"origin": "B"}),
    "folded": ("origin: ‹some\n  body›⟦B⟧\nstatus: x\n", {"origin": "B"}),
    "new-at-its-place": (
        'slug: a # the slug\n⟦edition: "2024"\n⟧# how far\nstatus: x\ntitle: T\n',
        {"edition": "2024"},
    ),
    "new-at-the-end": ("slug: a\n# more\nother: [1, 2]\n⟦title: T\n⟧", {"title": "T"}),
    "new-behind-the-last": ("slug: a\nlicense: b\n⟦status: x\n⟧other: c\n", {"status": "x"}),
    "new-in-order": ("title: T\n⟦slug: s\nstatus: x\nmore: z\n⟧", {"more": "z", "status": "x", "slug": "s"}),
    "several": (
        "slug: ‹a›⟦b⟧\n⟦edition: e\nlicense: l\n⟧status: ‹y›⟦z⟧\n",
        {"status": "z", "license": "l", "edition": "e", "slug": "b"},
    ),
    "into-nothing": ("⟦slug: b\n⟧", {"slug": "b"}),
    "into-comments": ("# nothing yet\n⟦slug: b\n⟧", {"slug": "b"}),
    "indented": ("  slug: ‹a›⟦b⟧\n⟦  edition: e\n⟧  status: x\n", {"slug": "b", "edition": "e"}),
    "in-braces": ('{slug: ‹a›⟦"b, c"⟧, status: x}\n', {"slug": "b, c"}),
    "not-ascii": ("origin: ü ‹›# ü\nslug: ‹ä›⟦b⟧ # ü\n", {"slug": "b"}),
    "multi-line-before": ("origin: >\n  some\n  body\n⟦edition: e\n⟧\nstatus: x\n", {"edition": "e"}),
    "quoted-key": ('"slug": ‹a›⟦b⟧\n', {"slug": "b"}),
    "list-beside": ("slug: ‹a›⟦b⟧\ntags:\n  - x\n  - y\n", {"slug": "b"}),
}


def _before(text: str) -> str:
    while "⟦" in text:
        text = text.partition("⟦")[0] + text.partition("⟧")[2]
    return text.replace("‹", "").replace("›", "")


def _after(text: str) -> str:
    while "‹" in text:
        text = text.partition("‹")[0] + text.partition("›")[2]
    return text.replace("⟦", "").replace("⟧", "")


@pytest.mark.parametrize("case", CHANGED)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_with_fields(case: str, eol: str, mark: str) -> None:
    text, values = CHANGED[case]
    before, after = (
        f"{mark}---\n{part}---\n\nA fact.\n".replace("\n", eol).encode()
        for part in (_before(text), _after(text))
    )
    assert documents.with_fields(before, values) == after
    assert documents.with_fields(after, values) == after


def test_a_last_line_at_the_end_of_the_file() -> None:
    assert documents.with_fields(b"---\nslug: a\n---", {"edition": "e"}) == b"---\nslug: a\nedition: e\n---"


def test_fields_for_a_text_without_any() -> None:
    written = documents.with_fields(b"\xef\xbb\xbf# A\r\n", {"slug": "001-a"})
    assert written == b"\xef\xbb\xbf---\r\nslug: 001-a\r\n---\r\n\r\n# A\r\n"


REFUSED = {
    "never-closed": ("---\nslug: a\n", "the frontmatter opens on the first line and is never closed"),
    "late": ("\n---\nslug: a\n---\n", "does not begin on the first line"),
    "no-yaml": ("---\nslug: [a\n---\n", "is not valid YAML"),
    "conflict": ("---\n<<<<<<< a\nslug: a\n=======\nslug: b\n>>>>>>> b\n---\n", "a merge conflict is left"),
    "a-list": ("---\nedition:\n  - 1\n---\n", "cannot be changed: edition"),
    "a-list-behind-others": ("---\nslug: a\nedition: [1]\n---\n", "cannot be changed: edition"),
    "no-room": ("---\n{slug: a}\n---\n", "cannot be changed: edition"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(CurateError, match=message) as error:
        documents.with_fields(text.encode(), {"edition": "2"})
    assert error.value.hint


@pytest.mark.parametrize(
    ("declared", "kept"),
    [
        ("", False),
        ("TODO", False),
        ("sha256:0", False),
        (HASH, True),
        (HASH.upper().replace("SHA", "sha"), True),
    ],
)
def test_with_hash(declared: str, kept: bool) -> None:
    data = f"---\nslug: a\ncontent-hash: {declared}\nstatus: x # y\n---\n\nA fact.\n".encode()
    written = documents.with_hash(data)
    assert written == (data if kept else data.replace(f"hash: {declared}".encode(), f"hash: {HASH}".encode()))
    assert documents.with_hash(written) == written


def test_a_hash_that_is_not_there() -> None:
    written = documents.with_hash(b"---\nslug: a\nstatus: x\n---\n\nA fact.\n")
    assert written == f"---\nslug: a\ncontent-hash: {HASH}\nstatus: x\n---\n\nA fact.\n".encode()


def test_a_hash_for_a_text_without_frontmatter() -> None:
    with pytest.raises(CurateError, match="there is no frontmatter"):
        documents.with_hash(b"# A\n")
    with pytest.raises(CurateError, match="never closed"):
        documents.with_hash(b"---\nslug: a\n")


_VALUE = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_STYLES = st.sampled_from(
    ["{name}: {plain}", "{name}:   '{plain}'  # c", '{name}: "{plain}"', "{name}:", "{name}: >\n  {plain}"]
)


@given(
    st.lists(
        st.tuples(st.sampled_from(documents.FIELDS), _STYLES, st.from_regex("[a-z0-9]{1,5}", fullmatch=True))
    ),
    st.dictionaries(st.sampled_from([*documents.FIELDS, "title"]), _VALUE, min_size=1),
    st.binary(max_size=30),
    st.sampled_from(["\n", "\r\n"]),
)
def test_all_else_stays(
    lines: list[tuple[str, str, str]], values: dict[str, str], body: bytes, eol: str
) -> None:
    known = {name: (style, plain) for name, style, plain in lines}
    text = "".join(
        f"{style.format(name=name, plain=plain)}\n# {name}\n" for name, (style, plain) in known.items()
    )
    data = f"---\n{text}---\n".replace("\n", eol).encode() + body
    written = documents.with_fields(data, values)
    assert fields(written) == {**fields(data), **values}
    assert written.endswith(f"---{eol}".encode() + body)
    # Comments stay, and so does each line of a field that was not named.
    for name, (style, plain) in known.items():
        assert f"# {name}{eol}".encode() in written
        if name not in values:
            assert style.format(name=name, plain=plain).replace("\n", eol).encode() in written


def test_without_fields() -> None:
    text = b"---\r\na: 1\r\nb:\r\n- x\r\n- y\r\nc: {d: 1}\r\n---\r\nText.\r\n"
    assert documents.without_fields(text, ("b", "c", "z")) == b"---\r\na: 1\r\n---\r\nText.\r\n"
    for data in (text, b"Text.\n", b"\xef\xbb\xbfText.\n"):
        assert documents.without_fields(data, ("z",)) == data
    with pytest.raises(CurateError, match="is never closed"):
        documents.without_fields(b"---\na: 1\n", ("a",))
