from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spectastic import frontmatter
from spectastic.frontmatter import MAX_BYTES, Block, conflict_lines, conflict_problems, keys, read, split
from spectastic.frontmatter.handler import Handler, parse

if TYPE_CHECKING:
    from spectastic.findings import Span

FIXTURES = Path(__file__).parent.parent / "fixtures" / "frontmatter"

SPLITS: list[tuple[bytes, tuple[bytes, bytes] | None]] = [
    (b"---\na: b\n---\nbody", (b"a: b\n", b"body")),
    (b"---\na: b\n---", (b"a: b\n", b"")),
    (b"---\n---\n", (b"", b"")),
    (b"---\n---\n\n---\n", (b"", b"\n---\n")),
    (b"--- \t\na: b\n---\t \nbody", (b"a: b\n", b"body")),
    (b"---\r\na: b\r\n---\r\n\r\nbody", (b"a: b\r\n", b"\r\nbody")),
    (b"---\ra: b\r---\rbody", (b"a: b\r", b"body")),
    (b"---\na: b\n----\n---x\n ---\n--- x\n---\n", (b"a: b\n----\n---x\n ---\n--- x\n", b"")),
    (b"---\na: b\n...\n", None),
    (b"---\na: b\n", None),
    (b"---", None),
    (b"--- x\na: b\n---\n", None),
    (b"----\na: b\n---\n", None),
    (b" ---\na: b\n---\n", None),
    (b"\n---\na: b\n---\n", None),
    (b"\xef\xbb\xbf---\na: b\n---\n", None),
    (b"", None),
    (b"text\n---\na: b\n---\n", None),
]


@pytest.mark.parametrize(("data", "expected"), SPLITS)
def test_split(data: bytes, expected: tuple[bytes, bytes] | None) -> None:
    block = split(data)
    assert (block and (data[block.start : block.end], data[block.body :])) == expected


# What follows `a: ` in a frontmatter, and the value that is read.
VALUES: list[tuple[str, str]] = [
    ("2024-05-28", "2024-05-28"),
    ("2024-05-28T10:00:00Z", "2024-05-28T10:00:00Z"),
    ("1.10", "1.10"),
    ("1_000", "1_000"),
    ("1e3", "1e3"),
    ("0x1F", "0x1F"),
    ("017", "017"),
    ("12:30:00", "12:30:00"),
    ("on", "on"),
    ("No", "No"),
    ("null", "null"),
    ("~", "~"),
    (".inf", ".inf"),
    ("", ""),
    ("   ", ""),
    ("  padded  ", "padded"),
    ("TODO", "TODO"),
    ("'2024-05-28'", "2024-05-28"),
    ('"2024-05-28"', "2024-05-28"),
    ("'it''s'", "it's"),
    ('"a\\tb"', "a\tb"),
    ('"a: b # c"', "a: b # c"),
    ("''", ""),
    ("b # comment", "b"),
    ("b#c", "b#c"),
    ("b:c", "b:c"),
    ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
    ("a, [b] {c} & *d | e > f", "a, [b] {c} & *d | e > f"),
    ("Börse – 🚀", "Börse – 🚀"),
    ("b\n  c", "b c"),
    ("|\n  b\n  c", "b\nc\n"),
    (">-\n  b\n  c", "b c"),
    ("-1", "-1"),
    ("$HOME", "$HOME"),
    ("<<", "<<"),
    ("\u00a0b", "\u00a0b"),
]


@pytest.mark.parametrize(("written", "value"), VALUES)
def test_values_stay_as_written(written: str, value: str) -> None:
    found = read(f"---\na: {written}\nz: end\n---\n".encode())
    assert found.problems == ()
    assert {name: field.value for name, field in found.fields.items()} == {"a": value, "z": "end"}


def test_spans_are_file_offsets() -> None:
    text = "---\r\né: ü 🚀\r\nb: 'q r'\r\nc: |\r\n  x\r\n  y\r\nd:\r\ne: last # note\r\n---\r\nbody"
    data = b"\xef\xbb\xbf" + text.encode()
    found = read(data[3:], base=3)
    spans = {name: data[slice(*field.span)].decode() for name, field in found.fields.items()}
    assert spans == {"é": "ü 🚀", "b": "'q r'", "c": "|\r\n  x\r\n  y", "d": "", "e": "last"}
    assert data[: found.fields["d"].span.start].endswith(b"d:")
    assert found.block is not None
    assert data[found.block.body :] == b"body"
    assert data[found.block.start :].startswith("é".encode())
    assert data[found.block.end :].startswith(b"---\r\nbody")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("---\nid: X\n'a b': [c]\nid: Y\n---\n", {"id": (4, 6), "a b": (10, 15)}),
        ("---\r\né: 1\r\n{a}: 2\r\nb: 3\r\n---\r\n", {"é": (5, 7), "b": (20, 21)}),
        ("---\nid: X\nmore:\n  id: Y\n---\n", {"id": (4, 6), "more": (10, 14)}),
        ("---\nid: [X\n---\n", {"id": (4, 6)}),
        ("id: X\n", {}),
        ("---\nid: X\n", {}),
    ],
)
def test_where_names_stand(text: str, places: dict[str, tuple[int, int]]) -> None:
    assert keys(text.encode()) == places
    moved = {name: (start + 7, end + 7) for name, (start, end) in places.items()}
    assert keys(text.encode(), 7) == moved


def test_names_of_what_is_no_text_have_no_place() -> None:
    assert keys(b"---\nid: \xff\n---\n").keys() <= {"id"}


def test_order_and_nested_values() -> None:
    data = b"---\nz: 1\nlist: [a, b]\nmap:\n  a: 1\n? [k]\n: v\n? {k: v}\n: w\na: 2\nblock:\n- x\n---\n"
    found = read(data)
    assert list(found.fields) == ["z", "a"]
    assert found.problems == ()


# What follows `a:` in a frontmatter, and the list that is read; `None` where it is no list of scalars.
LISTS: list[tuple[str, tuple[str, ...] | None]] = [
    (" [b, c]", ("b", "c")),
    (" [b,c ,  d e]", ("b", "c", "d e")),
    (" [ b ]", ("b",)),
    (" []", ()),
    (" [b, 'c d', \"e\", 1.10, on, ~]", ("b", "c d", "e", "1.10", "on", "~")),
    (" ['b, c', d]", ("b, c", "d")),
    (" [b, c] # d", ("b", "c")),
    (" ['', b,]", ("", "b")),
    (" [b,\n  c]", ("b", "c")),
    ("\n- b\n- c", ("b", "c")),
    ("\n  - b\n\n# x\n  - 'c d' ", ("b", "c d")),
    (" # x\n  - b # y\n  - c", ("b", "c")),
    ("\n  - |\n    b\n  -", ("b\n", "")),
    (" {b: c}", None),
    (" [[b], c]", None),
    (" [b, [c]]", None),
    (" [b, {c: d}]", None),
    (" [{b: c}, d]", None),
    ("\n  - b: c\n  - d", None),
    ("\n  b:\n    - c", None),
]


@pytest.mark.parametrize(("written", "expected"), LISTS)
def test_lists_of_scalars(written: str, expected: tuple[str, ...] | None) -> None:
    for text in (f"a:{written}\nz: end\n", f"z: end\na:{written}\n"):
        found = read(f"---\n{text}---\n".encode())
        assert found.problems == ()
        assert found.lists == ({} if expected is None else {"a": expected})
        assert found.others == (("a",) if expected is None else ())
        assert [(name, field.value) for name, field in found.fields.items()] == [("z", "end")]


@pytest.mark.parametrize(
    ("text", "lists", "others"),
    [
        ("a: &x [b]\nc: [d]", {"c": ("d",)}, ("a",)),
        ("a: [!t b]\nc: [d]", {"c": ("d",)}, ("a",)),
        ("a: [b]\na: [c]\na: {}", {"a": ("b",)}, ()),
        ("a: [b]\nc: d: e", {}, ()),
        ("a: {}\nb: [c]\nd: " + "[" * 80 + "]" * 80, {}, ()),
        ("? [k]\n: [v]\nb: [c]", {"b": ("c",)}, ()),
    ],
)
def test_lists_beside_what_is_refused(
    text: str, lists: dict[str, tuple[str, ...]], others: tuple[str, ...]
) -> None:
    found = read(f"---\n{text}\n---\n".encode())
    assert (found.lists, found.others) == (lists, others)


@pytest.mark.parametrize(
    "text", ["---\n---\n", "---\n# only a comment\n---\n", "---\n\n\n---\n", "no frontmatter", ""]
)
def test_no_fields_and_no_problem(text: str) -> None:
    found = read(text.encode())
    assert (found.fields, found.problems) == ({}, ())
    assert (found.block is None) == (not text.startswith("---"))


# A whole text; the text at each problem and a part of its message; the fields that are left.
PROBLEMS: dict[str, tuple[str, list[tuple[str, str]], str]] = {
    "never closed": ("---\na: b\n", [("---", "never closed")], ""),
    "not on the first line": ("\n\n---\na: b\n---\n", [("---", "does not begin on the first line")], ""),
    "duplicate keys": (
        "---\na: 1\nb: 2\na: 3\na: 4\n---\n",
        [("a", "the field a stands here twice")],
        "a b",
    ),
    "duplicate after a nested one": (
        "---\na: [1]\na: 3\n---\n",
        [("a", "the field a stands here twice")],
        "",
    ),
    "python tag": (
        "---\na: !!python/object/apply:os.system [echo]\nb: 1\n---\n",
        [
            (
                "!!python/object/apply:os.system [",
                "uses a YAML tag, tag:yaml.org,2002:python/object/apply:os.system",
            )
        ],
        "b",
    ),
    "tags, told once": ("---\na: !x 1\nb: !!str 2\nc: 3\n---\n", [("!x 1", "uses a YAML tag, !x")], "c"),
    "tag on the root": ("---\n!!map\na: 1\n---\n", [("!!map", "uses a YAML tag")], "a"),
    "anchor": ("---\na: &x 1\nb: 2\n---\n", [("&x 1", "anchor or alias, x")], "b"),
    "alias in a nested value": (
        "---\na: &x [1]\nb: [*x, *x]\nc: 3\n---\n",
        [("&x [", "anchor or alias")],
        "c",
    ),
    "bomb": (
        "---\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\ne: 1\n---\n",
        [("&a [", "anchor or alias, a")],
        "e",
    ),
    "alias as a key": ("---\na: &x b\n*x : c\n---\n", [("&x b", "anchor or alias")], ""),
    "list": ("---\n- a\n---\n", [("", "it is no list of fields")], ""),
    "scalar": ("---\njust text\n---\n", [("just text", "it is no list of fields")], ""),
    "several documents": ("---\na: 1\n--- # x\nb: 2\n---\n", [("---", "several YAML documents")], "a"),
    "colon in a value": ("---\na: 1\nb: c: d\n---\n", [(":", "mapping values are not allowed")], ""),
    "tab": ("---\na:\n\tb: 1\n---\n", [("\t", "not valid YAML")], ""),
    "open bracket": ("---\na: [1\nb: 2\n---\n", [(":", "not valid YAML")], ""),
    "open quote": ("---\na: 'b\n---\n", [("", "not valid YAML")], ""),
    "unknown alias": ("---\na: *b\nc: 1\n---\n", [("*b", "anchor or alias, b")], "c"),
    "at sign": ("---\na: @b\n---\n", [("@", "cannot start any token")], ""),
    "control character": (
        "---\na: b\x07c\n---\n",
        [("\x07", "YAML does not allow the character U+0007")],
        "",
    ),
    "merge conflict": (
        "---\na: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\n---\n",
        [("<<<<<<< HEAD", "a merge conflict is left here: <<<<<<< HEAD")],
        "",
    ),
    "deep": ("---\nz: 1\na: " + "[" * 80 + "]" * 80 + "\n---\n", [("[", "it is nested too deeply")], ""),
    "too deep for the parser": (
        "---\na: " + "[" * 60_000 + "\n---\n",
        [("[", "exceeded maximum nesting depth")],
        "",
    ),
    "too large": ("---\na: " + "b" * MAX_BYTES + "\n---\n", [("---", "more than the 65,536 bytes")], ""),
}


def check(data: bytes, expected: list[tuple[str, str]], fields: str) -> None:
    found = read(data)
    shown = [(data[slice(*problem.span)].decode(), problem.message) for problem in found.problems]
    assert len(shown) == len(expected), shown
    for (at, message), (place, part) in zip(shown, expected, strict=True):
        assert part in message
        assert at == place
    assert " ".join(found.fields) == fields
    assert all(problem.hint and len(problem.message) < 200 for problem in found.problems)


@pytest.mark.parametrize(("text", "expected", "fields"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems(text: str, expected: list[tuple[str, str]], fields: str) -> None:
    check(text.encode(), expected, fields)


def test_near_misses() -> None:
    for text in (
        "---\na: 1\nA: 2\n---\n",
        "---\na: '&x *y !z'\n---\n",
        "---\na: x &y *z !w\n---\n",
        "---\na: {a: 1, b: {a: 2}}\nb: 1\n---\n",
        "---\na: |\n  =======\n---\n",
        "---\na: " + "[" * 60 + "]" * 60 + "\n---\n",
        "---\na: 1\n...\n---\n",
        "\n\ntext\n---\na: 1\n---\n",
    ):
        assert read(text.encode()).problems == ()


def test_bytes_that_are_not_utf8() -> None:
    found = read(b"---\na: \xff\n---\n", base=10)
    assert [(problem.span, problem.message) for problem in found.problems] == [
        ((17, 18), "the frontmatter is not UTF-8")
    ]


def test_places_can_be_asked_for_in_any_order() -> None:
    places = frontmatter.Places("é🚀a", 10)
    assert [places.offset(index) for index in (3, 0, 2, 1, 1)] == [17, 10, 16, 12, 12]
    places = frontmatter.Places("é\r\n\r\r\n\na", 10)
    assert [places.offset(index) for index in (6, 0, 5, 1, 2, 3, 4)] == [19, 10, 18, 12, 14, 15, 17]


def test_a_reason_without_a_place() -> None:
    handler = Handler("---\na: b\n---\n", 3)
    handler.load(handler.split("---\na: b\n---")[0])
    handler._error(ValueError("odd"))
    assert [(problem.span, problem.message) for problem in handler.problems] == [
        ((7, 8), "the frontmatter is not valid YAML: odd")
    ]


def test_a_handler_refuses_what_is_no_frontmatter() -> None:
    with pytest.raises(ValueError, match="no frontmatter"):
        Handler("", 0).split("a: b")


@pytest.mark.parametrize(("text", "expected", "fields"), PROBLEMS.values(), ids=PROBLEMS)
def test_the_pure_parser_finds_the_same(
    monkeypatch: pytest.MonkeyPatch, text: str, expected: list[tuple[str, str]], fields: str
) -> None:
    import yaml

    monkeypatch.delattr(yaml, "CSafeLoader")
    found = read(text.encode())
    assert len(found.problems) == len(expected)
    assert " ".join(found.fields) == fields


@pytest.mark.parametrize("written", [written for written, _ in VALUES])
def test_the_pure_parser_reads_the_same(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    import yaml

    data = f"---\na: {written}\nz: 'e''d'\n---\n".encode()
    with_c = read(data)
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert read(data) == with_c


LINES = st.lists(
    st.one_of(
        st.from_regex(r"[a-c]:? ?[ -~é\u2028\u3000🚀]{0,8}", fullmatch=True),
        st.sampled_from(
            ["", "a:", "# x", "b: 'x'", 'b: "x"', "  x", "- x", "b: 1 ", "---", "...", "<<<<<<< a", "b: a:"]
        ),
        st.sampled_from(
            [
                "  - x",
                "  - 'y z' ",
                "  - a: b",
                "- [x]",
                "b: [x, 'y z']",
                'c: ["", x]',
                "c:",
                "b: []",
                "b: x # y",
                "c: # z",
                "b: [x] # y",
                "  - x # y",
                "b: 'x' # y",
                "c: # a: b",
            ]
        ),
        st.from_regex(r"c: \[[a-b,'\"é:# .+-]{0,8}\] ?|  - [ -~é]{0,6}", fullmatch=True),
    ),
    max_size=5,
)


@settings(max_examples=400, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_short_way_reads_what_the_parser_reads(lines: list[str], end: str) -> None:
    text = "".join(line + end for line in lines)
    simple = frontmatter._simple(text, 7)
    if simple is not None:
        opening = f"---{end}"
        parsed = parse(f"{opening}{text}---{end}", 7 - len(opening))
        assert parsed == (simple[0], (), simple[1], (), frozenset())


@settings(max_examples=300, deadline=None)
@given(LINES)
def test_line_ends_change_no_value(lines: list[str]) -> None:
    text = "".join(
        f"{line}\n" for line in ["---", *lines, "é: |", "  b", "", "  🚀c", "z: '1", "  2'", "---"]
    )
    told = []
    for end in ("\n", "\r\n"):
        data = text.replace("\n", end).encode()
        found = read(data)
        spans = [field.span for field in found.fields.values()] + [problem.span for problem in found.problems]
        shown = [data[span.start : span.end].decode().replace("\r\n", "\n") for span in spans]
        values = [field.value for field in found.fields.values()]
        told.append((list(found.fields), values, [problem.message for problem in found.problems], shown))
    assert told[0] == told[1]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=60), LINES.map(lambda lines: "\n".join(lines).encode())), st.booleans())
def test_reading_never_raises(content: bytes, closed: bool) -> None:
    data = b"---\n" + content + (b"\n---\n" if closed else b"")
    found = read(data, base=3)
    for span in (*(field.span for field in found.fields.values()), *(p.span for p in found.problems)):
        assert 3 <= span.start <= span.end <= len(data) + 3
    block = split(data)
    assert (found.block is None) == (block is None)
    if block is not None:
        assert found.block == Block(*(offset + 3 for offset in block))


# A text, and the marker lines in it; those that are told.
CONFLICTS: list[tuple[str, list[str], list[str]]] = [
    (
        "a\n<<<<<<< x\nb\n||||||| y\nc\n=======\nd\n>>>>>>> z\ne",
        ["<<<<<<< x", "||||||| y", "=======", ">>>>>>> z"],
        ["<<<<<<< x"],
    ),
    ("<<<<<<<\r\n=======\r\n>>>>>>>\r\n", ["<<<<<<<", "=======", ">>>>>>>"], ["<<<<<<<"]),
    ("Title\n=======\n", [], []),
    ("|||||||\n", [], []),
    ("=======\n>>>>>>> z", ["=======", ">>>>>>> z"], [">>>>>>> z"]),
    (
        "<<<<<<< a\n>>>>>>> b\n<<<<<<< c\n",
        ["<<<<<<< a", ">>>>>>> b", "<<<<<<< c"],
        ["<<<<<<< a", "<<<<<<< c"],
    ),
    (" <<<<<<< a\n<<<<<<<<\n<<<<<<<a\n<<<<<<\n>>>>>>>>\n", [], []),
]


@pytest.mark.parametrize(("text", "lines", "told"), CONFLICTS)
def test_merge_conflicts(text: str, lines: list[str], told: list[str]) -> None:
    data = text.encode()

    def shown(span: Span) -> str:
        return data[slice(*span)].decode()

    assert [shown(span) for span in conflict_lines(data)] == lines
    assert [shown(problem.span) for problem in conflict_problems(data)] == told
    assert [problem.span.start for problem in conflict_problems(data, 5)] == [
        problem.span.start + 5 for problem in conflict_problems(data)
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"---\n" + b"\n" * 1_000_000,
        b"---\n" + b"-" * 1_000_000,
        b"---\n" + b"---" + b" " * 1_000_000 + b"x",
        b"---" + b" " * 1_000_000 + b"x",
        b"---\n" + b"---x\n" * 200_000,
        b"\n" * 1_000_000 + b"---x",
        b"---\n" + b"<" * 60_000 + b"\n---\n",
        b"---\n" + b"a: *x\n" * 10_000 + b"---\n",
        b"---\n" + b"{" * 60_000 + b"\n---\n",
        b"---\n" + b"? " * 30_000 + b"\n---\n",
        b"---\n" + b"- " * 30_000 + b"\n---\n",
        b"---\n" + b"a:\n " * 15_000 + b"\n---\n",
        b'---\na: "' + b"\\" * 60_000 + b"\n---\n",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_hostile_texts(data: bytes) -> None:
    found = read(data)
    assert len(found.fields) <= 1
    assert len(found.problems) <= 3


def test_a_plain_frontmatter_needs_no_parser() -> None:
    code = (
        "import sys; from spectastic.frontmatter import read;"
        "found = read(open(sys.argv[1], 'rb').read());"
        "assert len(found.fields) == 8, found;"
        "sys.exit('yaml' in sys.modules or 'frontmatter' in sys.modules)"
    )
    path = FIXTURES / "plain.md"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code, path], env=environment, check=False).returncode == 0
