"""Decisions that stand alone are read as the parser reads the whole document."""

from __future__ import annotations

import random

import pytest

from spectastic.source import Source
from spectastic.spec import extract, isolated

OPEN = '<spec-decision id="D" grounding="verified">'
CLOSE = "</spec-decision>"
#: Blocks that can stand before, in and after decisions; many are traps for a reading without context.
BLOCKS = [
    "A paragraph with KB-0001@a and `KB-0002@b`.",
    "Two lines\nKB-0003@c, joined.",
    "- item KB-0001@a\n- another",
    "- item\n\n  KB-0004@d in the item",
    "- item\n\n      indented code KB-0004@e",
    "1. one\n   - two\n\n     KB-0005@e",
    "> quote KB-0001@a\n> more",
    "> - both",
    ">     code in a quote",
    "```text\nKB-0001@a\n```",
    "```\ncode\n\nmore\n```",
    "    indented KB-0001@a",
    "\tindented with a tab",
    "# Heading KB-0001@a",
    "Setext\n===",
    "| a | b |\n|---|---|\n| KB-0001@a | x \\| KB-0002 |",
    "---",
    "***",
    "[link KB-0001@a](u.md) and ![alt KB-0002@b](x.png) and [KB-0009@x][ref] and [^1]",
    "- a\n-\n\n  b",
    "é 🚀 KB-0001@ä, KB–0001",
    "**bold KB-0001**@x ~~gone~~",
    "kb-0001@x KB-1@y",
    "- [ ] task KB-0001@a",
    "&#75;B-0001@a &lt;spec-decision&gt;",
    "a < b, 3 <4",
]
#: Each of these takes the parser.
TRAPS = [
    "[ref]: KB-0001@a",
    "[^1]: KB-0001@a",
    "<!-- a comment\n\nacross -->",
    "<!-- spectastic: ignore corpus-staleness -- of old -->",
    "Text <!-- spectastic: ignore-file corpus-staleness -- of old --> and more.",
    "<div>\n\nKB-0001@a\n\n</div>",
    "~~~\nKB-0001@a\n~~~",
    "```\nnever closed",
    "````\n```\n````",
    "- item\n  ```\n  code\n  ```",
    f"```\n\n{OPEN}\n\nKB-0009@x\n\n{CLOSE}\n\n```",
    f"para\n{OPEN}\n\nKB-0001@a\n\n{CLOSE}",
    f"- item\n\n  {OPEN}\n\n  KB-0001@a\n\n  {CLOSE}",
    f"{OPEN} KB-0001@a {CLOSE}",
    OPEN,
    CLOSE,
    "<spec-decision/>",
    "<b>bold</b> KB-0001@a",
    "an escaped \\<spec-decision>",
    "text ``` in a line",
    "<https://example.org/KB-0001@a>",
]


def documents(seed: int, traps: bool) -> list[str]:
    chance = random.Random(seed)
    pool = BLOCKS + (TRAPS if traps else [])
    made = []
    for _ in range(400):
        parts = []
        for _ in range(chance.randint(1, 4)):
            parts += chance.choices(pool, k=chance.randint(0, 3))
            parts += [OPEN, *chance.choices(pool, k=chance.randint(0, 3)), CLOSE]
        parts += chance.choices(pool, k=chance.randint(0, 2))
        blank = chance.choice(["\n\n", "\n\n\n"])
        made.append(blank.join(parts) + chance.choice(["", "\n", "\n\n"]))
    return made


@pytest.mark.parametrize("traps", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_both_readings_agree(seed: int, traps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = documents(seed, traps)
    sources = [Source("a.md", text.encode()) for text in texts]
    quick = [extract(source) for source in sources]
    taken = [isolated.find(source.encoded, 0) is not None for source in sources]
    monkeypatch.setattr(isolated, "find", lambda *_: None)
    for text, source, spec in zip(texts, sources, quick, strict=True):
        assert extract(source) == spec, text
    # The comparison means something only if the short way was really taken.
    assert sum(taken) > (10 if traps else 250)


@pytest.mark.parametrize("trap", TRAPS)
def test_traps_take_the_parser(trap: str) -> None:
    text = f"{OPEN}\n\nKB-0001@a\n\n{CLOSE}\n\n{trap}\n"
    assert isolated.find(text.encode(), 0) is None


def test_frontmatter_moves_the_offsets() -> None:
    text = f"---\na: 1\n---\n\n{OPEN}\n\nKB-0001@a\n\n{CLOSE}\n"
    found = isolated.find(text.encode(), len("---\na: 1\n---\n"))
    assert found is not None
    [decision] = found
    assert text[slice(*decision.start)] == OPEN
    assert text[slice(*decision.end)] == CLOSE
    assert decision.attributes == {"id": "D", "grounding": "verified"}


def test_both_readings_agree_on_where_decisions_end(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"é\n\n{OPEN}\n\nKB-0001@a\n\n{CLOSE}\n\n```\ncode\n```\n\n{OPEN}\n\n🚀\n\n{CLOSE}"
    source = Source("a.md", b"\xef\xbb\xbf" + text.encode())
    assert isolated.find(source.encoded, 0) is not None
    quick = [decision.extent for decision in extract(source).decisions]
    assert [source.slice(extent) for extent in quick] == [
        f"{OPEN}\n\nKB-0001@a\n\n{CLOSE}",
        f"{OPEN}\n\n🚀\n\n{CLOSE}",
    ]
    monkeypatch.setattr(isolated, "find", lambda *_: None)
    assert [decision.extent for decision in extract(source).decisions] == quick


@pytest.mark.parametrize("place", ["before", "between", "inside", "after"])
def test_a_suppression_is_seen_wherever_it_stands(place: str) -> None:
    comment = "<!-- spectastic: ignore corpus-staleness -- of old -->\n\n"
    texts = dict.fromkeys(("before", "between", "inside", "after"), "") | {place: comment}
    decision = f"{OPEN}\n\n{texts['inside']}KB-0001@a\n\n{CLOSE}\n\n"
    text = f"{texts['before']}{decision}{texts['between']}{decision}Text.\n\n{texts['after']}"
    spec = extract(Source("a.md", text.encode()))
    assert len(spec.suppressions) == text.count("<!--")
    assert len(spec.decisions) == 2
