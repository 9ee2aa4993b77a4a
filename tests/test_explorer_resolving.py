"""The resolver in the page against that of Python: one table, and random texts, asked of both."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from corpora import corpus, document, row
from explorer_tokens import NODE, POLICY, answers, corpora, in_node, page_data, table, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spectastic.config import Settings
from spectastic.engine.policy import Policy
from spectastic.explorer import resolving
from spectastic.findings import Severity
from spectastic.spec.citation import CLASSES

if TYPE_CHECKING:
    from pathlib import Path

ROWS = table()
CORPORA = corpora()
in_the_page = pytest.mark.skipif(NODE is None, reason="the page's script is run by node, which is not here")


def size(value: object) -> int:
    """Of JSON, in bytes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "replace"))


def test_the_table_has_every_kind_of_text() -> None:
    assert len(ROWS) >= 150
    assert {row.get("corpus", "fixture") for row in ROWS} == set(CORPORA)
    found = [answer for row in ROWS for answer in answers(row["text"], CORPORA[row.get("corpus", "fixture")])]
    assert {answer["outcome"] for answer in found} == {"current", "superseded", "nothing", None}
    assert {answer["state"] for answer in found} == {"grounded", "stale", "unpinned", "ungrounded"}


@pytest.mark.parametrize("row", ROWS, ids=[ascii(row["text"])[:40] for row in ROWS])
def test_what_python_answers(row: dict[str, Any]) -> None:
    found: list[dict[str, Any]] = answers(row["text"], CORPORA[row.get("corpus", "fixture")])
    if "expected" in row:
        assert [told(answer) for answer in found] == row["expected"]
    for text in row.get("says", []):
        assert text in [
            said for finding in found[0]["findings"] for said in (finding["message"], finding["hint"])
        ]
    for answer in found:
        assert "".join(part["text"] for part in answer["parts"]) == answer["text"]


def test_an_answer_whole() -> None:
    assert answers("see KB-0001@2024.", CORPORA["fixture"]) == [
        {
            "text": "KB-0001@2024",
            "id": "KB-0001",
            "pinned": "2024",
            "outcome": "superseded",
            "edition": "2024",
            "path": "knowledge/web/references/superseded/001-plain@2024.md",
            "label": "acme · web · 001-plain",
            "row": {
                "id": "KB-0001",
                "edition": "2024-05-28",
                "title": "A plain fact",
                "slug": "001-plain",
                "pack": "web",
                "status": "authoritative",
            },
            "state": "stale",
            "findings": [
                {
                    "rule": "corpus-staleness",
                    "severity": "warning",
                    "message": "KB-0001@2024 is superseded: "
                    "the current edition of acme · web · 001-plain is 2024-05-28",
                    "hint": "read what changed, then cite KB-0001@2024-05-28",
                }
            ],
            "parts": [
                {"text": "KB", "role": "prefix"},
                {"text": "-", "role": "dash"},
                {"text": "0001", "role": "number"},
                {"text": "@", "role": "at"},
                {"text": "2024", "role": "edition"},
            ],
        }
    ]
    near = answers("kb-0001@2024", CORPORA["fixture"])[0]
    nothing = dict.fromkeys(("id", "pinned", "outcome", "edition", "path", "label", "row"))
    assert {key: near[key] for key in nothing} == nothing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KB-0001", "prefix:KB dash:- number:0001"),
        ("KB-0001@1@2", "prefix:KB dash:- number:0001 at:@ edition:1@2"),
        ("KB-0001@", "prefix:KB dash:- number:0001 at:@"),
        ("KB0001@a1", "prefix:KB number:0001 at:@ edition:a1"),
        ("KB--1 @2", "prefix:KB dash:-- number:1 at: @ edition:2"),
        (
            "K\u200bB\u200b-\u200b0\u200b1\u200b＠1",
            "prefix:K\u200bB dash:\u200b-\u200b number:0\u200b1 at:\u200b＠ edition:1",
        ),
        ("КВ–٣٣٣", "prefix:КВ dash:– number:٣٣٣"),
        ("nothing", ""),
    ],
)
def test_parts(text: str, expected: str) -> None:
    assert " ".join(f"{part['role']}:{part['text']}" for part in resolving.parts(text)) == expected


POLICIES = [
    {"severity": {"corpus-staleness": Severity.ERROR, "corpus-citation-form": Severity.INFO}},
    {"ignore": ("corpus-staleness", "corpus-uncommitted")},
    {"select": ("corpus-provenance",)},
    {"ignore": ("corpus-provenance", "corpus-citation-form")},
]


@in_the_page
@pytest.mark.parametrize("said", POLICIES, ids=str)
def test_both_know_the_rules_in_force(said: dict[str, Any]) -> None:
    policy = Policy(Settings("/")._replace(**said))
    texts = [row["text"] for row in ROWS]
    for name, known in CORPORA.items():
        found = in_node(texts, page_data(known, policy))
        assert found == [answers(text, known, policy) for text in texts], name
    [answer] = answers("KB-0001@2024", CORPORA["fixture"], policy)
    severity = (
        {} if "corpus-staleness" in said.get("ignore", ()) or "select" in said else {"corpus-staleness"}
    )
    assert {finding["rule"] for finding in answer["findings"]} == set(severity)  # type: ignore[attr-defined]


@in_the_page
@pytest.mark.parametrize("name", CORPORA)
def test_the_page_answers_the_table_as_python_does(name: str) -> None:
    texts = [row["text"] for row in ROWS]
    found = in_node(texts, page_data(CORPORA[name]))
    assert len(found) == len(texts)
    for text, answer in zip(texts, found, strict=True):
        assert (text, answer) == (text, answers(text, CORPORA[name]))


#: Pieces that the grammar looks at, and what may stand between them.
PIECES = (
    *("KB", "KB-", "KB-0001", "KB-0001@", "KB-0001@2024", "KB-0002@1.10", "KB-0003", "KB-0004@a/kb-0002@1"),
    *(
        "KB-0005@2",
        "KB-0006@1",
        "KB-0007",
        "KB-0010@",
        "KB-0010@1,2",
        "KB-0011@z",
        "KB-0122@2",
        "KB-13",
        "KB-0213",
    ),
    *("K", "B", "k", "b", "kb", "KB", "\u041a", "\u0412", "\u212a", "\uff2b", "\u0392"),
    *("0", "1", "12", "001", "\u0660", "\u0967", "\U0001d7ce", "\u00b2", "\u2460", "\u00bd", "9" * 21),
    *("-", "_", " ", "\u2011", "\u2013", "\u2014", "\u2212", "\u30fc", "\u1806", "@", "\uff20", "\ufe6b"),
    *(
        ",",
        ";",
        ".",
        ":",
        "/",
        "+",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        "“",
        "”",
        "’",
        "«",
        "|",
        "*",
        "~",
        "…",
    ),
    *("<", ">", "&", "&amp;", "`", "!", "?", "$", "{id}"),
    *(
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\x00",
        "\x0b",
        "\x1c",
        "\x1f",
        "\x85",
        "\u00a0",
        "\u2003",
        "\u2028",
        "\u3000",
    ),
    *(
        "\ufeff",
        "\u200b",
        "\u00ad",
        "\u202e",
        "\u2066",
        "\ufe0f",
        "\u180e",
        "\u3164",
        "\U000e0041",
        "\U000e0100",
    ),
    *(
        "\U000e0800",
        "\ufff0",
        "\u0301",
        "a",
        "z",
        "é",
        "第",
        "中",
        "ª",
        "ʰ",
        "🚀",
        "€",
        "x" * 70,
        ".md",
        "@example.org",
    ),
    *("\ud800", "\udfff", "\ufffd", "\U00010428", "\U0001f1e6"),
)
#: A high and a low half in a row are one character in JavaScript, and two in Python.
TEXT = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=10).map(
    lambda pieces: re.sub("[\ud800-\udbff](?=[\udc00-\udfff])", "", "".join(pieces))
)


@in_the_page
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_the_page_answers_any_text_as_python_does(data: st.DataObject) -> None:
    # Many at once: starting node takes longer than all of them.
    texts = data.draw(st.lists(TEXT, min_size=300, max_size=300))
    name = data.draw(st.sampled_from(sorted(CORPORA)))
    found = in_node(texts, page_data(CORPORA[name]))
    for text, answer in zip(texts, found, strict=True):
        assert (ascii(text), answer) == (ascii(text), answers(text, CORPORA[name]))


@in_the_page
@pytest.mark.parametrize(
    "text",
    [
        "KB-0001@" + "x" * 1_000_000,
        "KB-0010@" + "1," * 500_000,
        "KB-" + "1" * 1_000_000,
        "KB-" + "\u0661" * 100_000,
        "KB" + "\u200b" * 1_000_000,
        "KB-0001" + "\u200b" * 1_000_000,
        "KB-\u200b" * 200_000,
        "K" * 1_000_000,
        "KB-0001@" + "🚀" * 300_000,
        "kb0001@" + "a." * 500_000 + "org",
        "KB-0001@a" * 5_000,
        "KB-0001" + "@" * 1_000_000,
        "KB-0777@" + "\u0661\u2013" * 100_000,
        "KB-0004@a/" + "kb-0002@1/" * 100_000,
    ],
    ids=lambda text: f"{text[:12]!a}",
)
def test_long_texts_are_answered(text: str) -> None:
    # What takes more than linear time here does not end.
    assert in_node([text], page_data(CORPORA["fixture"])) == [answers(text, CORPORA["fixture"])]


def test_the_data_is_small(tmp_path: Path) -> None:
    numbers = range(1, 21)
    plain = {
        f"knowledge/settlement/references/{number:03d}-settlement-cycle.md": document(
            f"{number:03d}-settlement-cycle"
        )
        for number in numbers
    }
    rows = [
        row(
            number,
            "2024-05-28",
            f"settlement/references/{number:03d}-settlement-cycle.md",
            f"{number:03d}-settlement-cycle",
        )
        for number in numbers
    ]
    known = resolving.data(corpus(tmp_path, plain, *rows), POLICY)
    references = known.pop("references")
    assert size(known) < 30_000
    assert isinstance(references, list)
    assert len(references) == 20
    assert size(references) / 20 < 400


@in_the_page
def test_an_edition_that_no_text_can_name(tmp_path: Path) -> None:
    """A file name need not be UTF-8. What stands for its bytes in JSON is another edition, and not there."""
    root = tmp_path / "r"
    files = {
        "knowledge/web/001-x.md": document(),
        "knowledge/web/superseded/001-x@a.md": document(edition=""),
    }
    known = corpus(root, files, row(1, "2024-05-28", "web/001-x.md"))
    name = b"001-x@\xff.md"
    try:
        (root / "knowledge/web/superseded/001-x@a.md").rename(
            root / "knowledge/web/superseded" / name.decode("utf-8", "surrogateescape")
        )
    except OSError:
        pytest.skip("this file system has only names in UTF-8")
    texts = ["KB-0001@?", "KB-0001@\ud800", "KB-0001"]
    assert known.editions("KB-0001") == ("2024-05-28", "\udcff")
    assert in_node(texts, page_data(known)) == [answers(text, known) for text in texts]


def test_an_unknown_id_is_asked_for_that_nothing_has(tmp_path: Path) -> None:
    taken = f"KB-{10**24}"
    known = corpus(
        tmp_path, {"knowledge/1.md": document()}, f"| {taken} | a | b | 001-x | T | 2024-05-28 | 1.md | |\n"
    )
    assert resolving.data(known, POLICY)["unknown"] == {
        "reason": ["knowledge/index.md has no row ", ""],
        "hint": "correct the id, or register the reference first",
    }


def test_the_classes_hold_every_character_of_their_kind() -> None:
    """In all of Unicode, and not only where they are looked for."""
    everything = "".join(map(chr, range(0x110000)))
    kinds = resolving.classes()

    def of(kind: str) -> set[str]:
        return set(re.findall(f"[{kinds[kind]}]", everything))

    assert of("blank") == set(re.findall(r"\s", everything))
    assert of("decimal") == set(re.findall(r"\d", everything))
    assert of("digit") == {one for one in everything if one.isdigit()}
    assert of("word") == {one for one in everything if one.isalnum()}
    assert of("cut") == {
        one for one in everything if unicodedata.category(one)[0] in "PS" or unicodedata.category(one) == "Lo"
    }
    # The page reads a digit's value from its place in a range, and ranges as three characters each.
    assert len(kinds["decimal"]) % 3 == 0
    for start, end in re.findall("(.)-(.)", kinds["decimal"]):
        assert [unicodedata.decimal(chr(code)) for code in range(ord(start), ord(end) + 1)] == [
            *range(10)
        ] * ((ord(end) - ord(start) + 1) // 10)


def test_every_name_that_may_be_told() -> None:
    found = {}
    for start, names in resolving.names().items():
        whole = ""
        for index, piece in enumerate(names.split("|")):
            whole = whole[: int(piece[0], 36)] + piece[1:]
            found[int(start, 16) + index] = whole
    kinds = re.compile(
        f"[{CLASSES['k']}{CLASSES['b']}{CLASSES['dashes']}{CLASSES['at']}{CLASSES['invisible']}]|\\d"
    )
    expected = {
        code: unicodedata.name(chr(code))
        for code in range(0x80, 0x110000)
        if unicodedata.name(chr(code), "") and kinds.match(chr(code))
    }
    assert found == expected
    assert found[0x2013] == "EN DASH"


@in_the_page
def test_the_page_knows_the_same_characters() -> None:
    """Where they decide what a text says: whether an edition ends before them, and how they are called."""
    codes = [
        code
        for code in range(0x110000)
        if not 0xD800 <= code < 0xE000 and unicodedata.category(chr(code)) != "Cn"
    ]
    kinds = resolving.classes()
    asked = re.compile(f"[{kinds['cut']}{kinds['word']}{kinds['invisible']}{kinds['blank']}]")
    chosen = [chr(code) for code in codes if asked.match(chr(code))]
    # One of each script's block would do for letters; for what is rare, all of them.
    some = [one for at, one in enumerate(chosen) if not one.isalpha() or at % 97 == 0]
    texts = [
        text
        for one in some
        for text in (f"KB-0001@2024{one}", f"KB-0001 @{one}", f"KB-9{one}9@2", f"KB{one}0001@x{one}y")
    ]
    known = CORPORA["fixture"]
    for text, answer in zip(texts, in_node(texts, page_data(known)), strict=True):
        assert (ascii(text), answer) == (ascii(text), answers(text, known))
