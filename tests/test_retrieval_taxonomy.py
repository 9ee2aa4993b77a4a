"""The values of prior art: twins, shared words, broad values, and the file that lists them."""

from __future__ import annotations

import pytest

from spectastic.retrieval import listed, taxonomy
from spectastic.retrieval.model import Document, Kind

#: Values of one field, and the twins: (value, kept, kind, sure).
TWINS: dict[str, tuple[str, str, list[tuple[str, str, str, bool]]]] = {
    # name: (values, listed values, twins)
    "none": ("a b c", "", []),
    "case": ("BUG-164 bug-164 bug-164", "", [("BUG-164", "bug-164", "case", True)]),
    "case-of-other-scripts": ("STRASSE straße straße", "", [("STRASSE", "straße", "case", True)]),
    "separator": ("json-rpc jsonrpc json-rpc", "", [("jsonrpc", "json-rpc", "separator", True)]),
    "letter-digit": ("br1 br-1 br-1", "", [("br1", "br-1", "separator", True)]),
    "between-digits": ("1.10 110 1-10", "", []),
    "leading-dot": (".net net", "", []),
    "other-signs": ("c++ c c#", "", []),
    "plural": ("worktrees worktree worktree", "", [("worktrees", "worktree", "plural", True)]),
    "plural-es": (
        "classes class boxes box",
        "",
        [("boxes", "box", "plural", True), ("classes", "class", "plural", True)],
    ),
    "plural-of-e": ("caches cache cache", "", [("caches", "cache", "plural", True)]),
    "plural-ies": ("entries entry entry", "", [("entries", "entry", "plural", True)]),
    "plural-in-a-path": (
        "cli/prompt cli/prompts cli/prompt",
        "",
        [("cli/prompts", "cli/prompt", "plural", True)],
    ),
    "separator-and-plural": (
        "tool-call tool_calls tool-call",
        "",
        [("tool_calls", "tool-call", "plural", True)],
    ),
    "no-plural": ("https http s3 s aws aw class clas redis", "", []),
    "three": (
        "Flaky_Tests flaky-test flaky-test flaky-tests",
        "",
        [("Flaky_Tests", "flaky-test", "plural", True), ("flaky-tests", "flaky-test", "plural", True)],
    ),
    "equal-use": ("b-c bc", "", [("bc", "b-c", "separator", True)]),
    "listed-wins": ("bc b-c b-c", "bc", [("b-c", "bc", "separator", True)]),
    "listed-and-unused": ("b-c", "bc", [("b-c", "bc", "separator", True)]),
    "both-listed": ("bc b-c b-c", "bc b-c", []),
    "two-listed-of-three": ("bc b-c b_c b-c", "bc b-c", [("b_c", "b-c", "separator", True)]),
    "prefix": (
        "tools/kimi app/tools/kimi tools/kimi",
        "",
        [("app/tools/kimi", "tools/kimi", "prefix", False)],
    ),
    "prefix-longer-wins": ("kimi app/kimi app/kimi", "", [("kimi", "app/kimi", "prefix", False)]),
    "prefix-and-case": ("Kimi app/kimi app/kimi", "", [("Kimi", "app/kimi", "prefix", False)]),
    "prefix-listed": ("kimi app/kimi app/kimi", "kimi", [("app/kimi", "kimi", "prefix", True)]),
    "prefix-both-listed": ("kimi app/kimi", "kimi app/kimi", []),
    "prefix-listed-unused": ("app/kimi", "kimi", [("app/kimi", "kimi", "prefix", True)]),
    "prefix-of-two": ("api web/api admin/api", "", []),
    "prefix-of-a-word": ("imi kimi/x app/limi", "", []),
    "common-first-part": ("app app/kimi", "", []),
    "prefix-nearest": (
        "c b/c a/b/c",
        "",
        [("c", "b/c", "prefix", False), ("b/c", "a/b/c", "prefix", False)],
    ),
}


def documents(values: str) -> list[Document]:
    return [
        Document(Kind.LESSON, f"LESSON-{n:03}", "", f"{n}.md", tags=(value,))
        for n, value in enumerate(values.split(), 1)
    ]


@pytest.mark.parametrize("case", TWINS)
def test_twins(case: str) -> None:
    values, known, expected = TWINS[case]
    found = taxonomy.overview(documents(values), {"tags": known.split()} if known else {})
    told = [(twin.value, twin.keep, twin.kind, twin.sure) for twin in found.twins]
    assert sorted(told) == sorted(expected)
    counts = {(twin.uses, twin.keep_uses) for twin in found.twins}
    words = values.split()
    assert counts == {(words.count(value), words.count(keep)) for value, keep, _, _ in expected}


def test_renames_are_led_to_their_end() -> None:
    found = taxonomy.overview(documents("App/Kimi app/kimi app/kimi"), {"tags": ["kimi"]})
    assert taxonomy.renames(found.twins) == {"tags": {"App/Kimi": "kimi", "app/kimi": "kimi"}}
    assert taxonomy.settled({"tags": {"a": "b", "b": "c", "c": "d"}}) == {"tags": dict.fromkeys("abc", "d")}
    # Two that change places have no end; nothing hangs.
    assert taxonomy.settled({"tags": {"a": "b", "b": "a"}}) == {"tags": {"b": "a"}}
    unsure = taxonomy.overview(documents("kimi app/kimi"), {}).twins
    assert len(unsure) == 1
    assert taxonomy.renames(unsure) == {}


def test_overview() -> None:
    made = [
        Document(
            Kind.LESSON, "LESSON-001", "", "1.md", "", "web", "security", ("python",), ("Routing",), ("x",)
        ),
        Document(Kind.BUG, "BUG-001", "", "2.md", "", "web", "", ("python",), (), ("routings", "x")),
        Document(Kind.SPEC, "REQ-001", "", "3.md", "", "api", "", ("python",), ("security",), ()),
        Document(Kind.SPEC, "REQ-002", "", "4.md", "", "", "", (), (), ()),
    ]
    found = taxonomy.overview(made, {"component": ["web", "cli"], "domain": ["privacy"]})
    assert found.documents == 4
    assert found.values == {"component": 2, "domain": 1, "stack": 1, "concerns": 2, "tags": 2}
    assert found.twins == ()
    assert [[(item.field, item.value, item.uses) for item in values] for values in found.shared] == [
        [("concerns", "Routing", 1), ("tags", "routings", 1)],
        [("domain", "security", 1), ("concerns", "security", 1)],
    ]
    # Two of four are half, and not more.
    assert found.broad == (("stack", "python", 3),)
    assert found.outside == (("component", "api", 1), ("domain", "security", 1))
    assert [(item.field, item.value) for item in found.once] == [
        ("component", "api"),
        ("domain", "security"),
        ("concerns", "Routing"),
        ("concerns", "security"),
        ("tags", "routings"),
    ]


def test_one_document_has_no_broad_values() -> None:
    assert taxonomy.overview(documents("a"), {}).broad == ()


LISTED: dict[str, tuple[str, dict[str, set[str]]]] = {
    "empty": ("", {}),
    "no-heading": ("- `a`\n", {}),
    "one-field": ("## Component\n\n- `a/b`: text about `c`\n- `d`\n", {"component": {"a/b", "d"}}),
    "plural": ("# Components\n* `a`\n### Concern\n+ b\n", {"component": {"a"}, "concerns": {"b"}}),
    "several-in-an-item": ("## Tags\n- `a`, `b` ,`c` and `d`\n", {"tags": {"a", "b", "c"}}),
    "first-word": ("## Tags\n- retry: doing it again\n- b, c\n1. d\n", {"tags": {"retry", "b", "d"}}),
    "bold": ("## Tags\n- **a**: x\n", {"tags": {"a"}}),
    "table": ("## Stack\n| value | about |\n|---|---|\n| `go` | x `y` |\n", {"stack": {"go"}}),
    "names-itself": (
        "## Values\n- **component**: `a`, `b`\n- domain: c\n- **stack**:\n",
        {"component": {"a", "b"}, "domain": {"c"}},
    ),
    "another-heading-ends-it": ("## Tags\n- a\n## Notes\n- b\n", {"tags": {"a"}}),
    "words-in-a-heading": ("## The `domain` of a document\n- a\n", {"domain": {"a"}}),
    "comment": ("## Tags\n<!--\n- a\n-->\n- b\n<!-- - c\n", {"tags": {"b"}}),
    "code-block": ("## Tags\n```yaml\n- a\n## Stack\n~~~\n```\n- b\n", {"tags": {"b"}}),
    "longer-fence": ("## Tags\n````\n```\n- a\n````\n- b\n", {"tags": {"b"}}),
    "nested": ("## Component\n- `a`\n    - `a/b`\n", {"component": {"a", "a/b"}}),
    "only-marks": ("## Tags\n- **\n- \n-\n", {}),
    "crlf": ("## Tags\r\n- `a`\r\n", {"tags": {"a"}}),
    "text": ("## Tags\nNot a value: `a`\n", {}),
}


MISSPELT: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "heading": ("## Compnent\n- a\n", [("Compnent", "component")]),
    "two": ("## Domian\n- a\n## Conerns\n- b\n", [("Domian", "domain"), ("Conerns", "concerns")]),
    "table": ("## Stak\n| `go` | x |\n", [("Stak", "stack")]),
    "among-words": ("## Our compnents\n- a\n- b\n", [("compnents", "component")]),
    "names-itself": ("## Values\n- **compnent**: `a`\n", [("compnent", "component")]),
    "no-list-below": ("## Compnent\nText.\n", []),
    "a-list-without-values": ("## Compnent\n- **\n", []),
    "of-a-field": ("## Tags\n- stock: x\n", []),
    "beside-the-field": ("## Stock\n- a\n## Stack\n- b\n", []),
    "like-nothing": ("## Notes\n- a\n", []),
    "another-first-letter": ("## Main values\n- a\n", []),
    "no-heading": ("- a\n", []),
    "comment": ("<!--\n## Compnent\n- a\n-->\n", []),
}


@pytest.mark.parametrize("case", MISSPELT)
def test_names_that_are_like_a_field(case: str) -> None:
    text, names = MISSPELT[case]
    assert list(listed.read(text).misspelt) == names


@pytest.mark.parametrize("case", LISTED)
def test_the_taxonomy_file(case: str) -> None:
    text, values = LISTED[case]
    assert dict(listed.read(text).values) == values
