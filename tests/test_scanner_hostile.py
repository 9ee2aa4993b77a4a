"""Large and hostile documents: read correctly, and in time that grows with their size."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from spectastic.source import Source
from spectastic.spec import extract, markdown
from spectastic.spec.visible import Reader

if TYPE_CHECKING:
    from spectastic.spec.model import Spec


def found_in(name: str, data: bytes) -> tuple[Source, Spec]:
    source = Source(name, data)
    return source, extract(source)


def test_fifty_thousand_citations_on_one_line() -> None:
    ids = [f"KB-{number:05d}" for number in range(50_000)]
    text = f"<spec-decision>\n\né {'@a '.join(ids)}@a\n\n</spec-decision>"
    source, spec = found_in("spec.md", text.encode())
    (decision,) = spec.decisions
    assert [citation.id for citation in decision.citations] == ids
    for number in (0, 1, 7, 49_999):
        citation = decision.citations[number]
        assert source.slice(citation.span) == citation.text
        assert source.locate(citation.span)[:4] == (3, 3 + 11 * number, 3, 13 + 11 * number)


@pytest.mark.parametrize("name", ["spec.md", "spec.html"])
def test_ten_thousand_nested_decisions(name: str) -> None:
    count = 10_000
    start = "".join(f'<spec-decision id="{number}">\nKB-0001@{number} ' for number in range(count))
    end = "".join(f"KB-0002@{number}</spec-decision>\n" for number in range(count))
    source, spec = found_in(name, f"{start}\n{end}".encode())
    assert spec.problems == ()
    assert [decision.id for decision in spec.decisions] == [str(number) for number in range(count)]
    for number in (0, 1, count // 2, count - 1):
        own = spec.decisions[number].citations
        assert [citation.text for citation in own] == [f"KB-0001@{number}", f"KB-0002@{count - 1 - number}"]
        assert [source.slice(citation.span) for citation in own] == [citation.text for citation in own]


def test_a_table_of_27000_rows() -> None:
    rows = "".join(f"| KB-0001@{number} | x \\| y |\n" for number in range(27_000))
    text = f"<spec-decision>\n\n| a | b |\n|---|---|\n{rows}\n</spec-decision>\n"
    source, spec = found_in("spec.md", text.encode())
    (decision,) = spec.decisions
    assert [citation.edition for citation in decision.citations] == [str(number) for number in range(27_000)]
    assert source.locate(decision.citations[-1].span)[:2] == (27_004, 3)


@pytest.mark.parametrize("prefix", ["> ", "- ", "1. ", "> - "])
def test_two_hundred_levels(prefix: str) -> None:
    lines = ["<spec-decision>", "", "KB-0001@a", "", "</spec-decision>"]
    rest = prefix if prefix == "> " else prefix.replace("-", " ").replace("1.", "  ")
    text = "\n".join((rest if index else prefix) * 200 + line for index, line in enumerate(lines))
    source, spec = found_in("spec.md", text.encode())
    (decision,) = spec.decisions
    (citation,) = decision.citations
    assert source.locate(citation.span)[:2] == (3, 1 + 200 * len(prefix))
    assert spec.problems == ()


#: Repeated to some length in a decision; each has cost a parser quadratic time somewhere.
PATTERNS = Path(__file__).parent.parent / "fixtures" / "scanner" / "hostile.json"
SHAPES = {
    "elements that end all at once": "<div><spec-decision>" * 4_000 + "</div>" * 4_000,
    "formatting that ends all at once": "<b><div>" * 8_000 + "</b>" * 8_000,
    "a paragraph out of reach": "<p><button>" + "<span>" * 10_000 + "</p>" * 10_000,
    "items out of reach": "<li><ul>" + "<div>" * 10_000 + "<li>" * 10_000,
    "characters that are not found again": "<textarea>KB-0001@a " + "\0" * 200_000 + "</textarea>",
    "a number without end": "KB-" + "1" * 300_000 + "@x",
    "an edition without end": "KB-0001@" + "é," * 100_000,
    "deep lists": "\n".join("  " * (number % 200) + "- KB-0001@a" for number in range(1_500)),
    "links in links": "[a](" * 10_000 + ")" * 10_000,
    "footnotes": "[^1] " * 10_000 + "".join(f"\n\n[^{number}]: x" for number in range(3_000)),
}


def read_hostile(name: str) -> None:
    """Read every hostile document; run in a process of its own."""
    patterns: list[str] = json.loads(PATTERNS.read_bytes())
    if name.endswith(".html"):  # the rest is plain text there
        patterns = [pattern for pattern in patterns if "<" in pattern or "&" in pattern]
    texts = [pattern * (400_000 if len(pattern) == 1 else 50_000 // len(pattern)) for pattern in patterns]
    texts += SHAPES.values()
    for text in texts:
        found_in(name, f"<spec-decision>\n\n{text}\n\n</spec-decision>\n".encode())


@pytest.mark.parametrize("name", ["spec.md", "spec.html"])
def test_hostile_documents_are_read_in_linear_time(name: str) -> None:
    """Not a measurement: quadratic time would take many minutes here."""
    command = [sys.executable, __file__, name]
    subprocess.run(command, check=True, timeout=60)


class _Counting(bytes):
    """Bytes that know how often they were searched."""

    searches = 0

    def find(self, *arguments: Any) -> int:
        type(self).searches += 1
        return super().find(*arguments)


@pytest.mark.parametrize("text", ['<div x="\n\n', "<div>\n<!--\n\n", "<template>\n\n", "a <script>\n\n"])
def test_the_rest_of_a_document_is_not_searched_again_and_again(text: str) -> None:
    source = Source("spec.md", (text * 500).encode())
    _Counting.searches = 0
    markdown.scan(Reader(source), _Counting(source.encoded.lower()), 0)
    assert _Counting.searches < 20


if __name__ == "__main__":
    read_hostile(sys.argv[1])
