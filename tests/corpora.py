"""Small corpora for tests: rows, documents, and a repository that holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trees import tree

from spectastic.corpus import Corpus, load
from spectastic.corpus.model import Outcome, Resolution
from spectastic.findings import Span
from spectastic.spec.citation import author_reading
from spectastic.spec.model import Citation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from trees import Link

HEADER = (
    "| KB-NNNN | Marketplace | Plugin | Slug | Title | Edition | Path | Status |\n"
    "|---|---|---|---|---|---|---|---|\n"
)


def row(number: int, edition: str, path: str, slug: str = "", status: str = "") -> str:
    slug = slug or f"{number:03d}-x"
    return f"| KB-{number:04d} | acme | web | {slug} | T | {edition} | {path} | {status} |\n"


def document(slug: str = "001-x", edition: str = "2024-05-28", body: str = "A fact.\n", **fields: str) -> str:
    lines = {"slug": slug, "edition": edition, "status": "authoritative", **fields}
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in lines.items()) + f"---\n\n{body}"


def corpus(
    root: Path, files: Mapping[str, str | bytes | Link | None], *rows: str, folder: str = "knowledge"
) -> Corpus:
    """The corpus of a repository with `files`; with `rows`, it gets a registry of these."""
    tree(root, files)
    if rows:
        tree(root, {f"{folder}/index.md": HEADER + "".join(rows)})
    return load(str(root), folder)


def cited(token: str) -> Citation:
    """A citation as the scanner gives it, for a token that stands at the start of a file."""
    identifier, at, run = token.partition("@")
    if not at:
        return Citation(identifier, None, Span(0, len(identifier.encode())))
    edition = author_reading(run)
    end = len(f"{identifier}@{edition}".encode())
    return Citation(identifier, edition, Span(0, end), run)


def told(resolution: Resolution) -> str:
    """A resolution in a line: what, which edition, where or why not."""
    if resolution.outcome is Outcome.NOTHING:
        assert resolution.miss is not None
        return f"nothing: {resolution.miss.value}" + (f" ({resolution.detail})" if resolution.detail else "")
    return f"{resolution.outcome.value} {resolution.edition} {resolution.path}"
