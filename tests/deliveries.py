"""Sources of packs for tests: repositories and folders that somebody imports from."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from corpora import HEADER

if TYPE_CHECKING:
    from collections.abc import Iterable

SKILL = (
    "---\nname: {name}\ndescription: What the tests of an import are made of.\n---\n\n# Pack\n\n"
    "| Slug | Title | Description | Edition | Path |\n|---|---|---|---|---|\n{rows}"
)
#: What the `index.md` of a pack is where packs give the ids, as in older corpora.
OLDER = (
    "| ID | Title | Description | Edition | Path |\n|---|---|---|---|---|\n"
    "| KB-0001 | T | D | 1 | references/a.md |\n"
)


def sha(body: str) -> str:
    """The content hash of a text, as a field has it."""
    return "sha256:" + hashlib.sha256(body.encode()).hexdigest()


def paper(slug: str, edition: str, text: str, status: str = "authoritative", **fields: str) -> str:
    """A whole document, hash included. `fields` add to its frontmatter, or replace what is there."""
    body = f"\n{text}"
    lines = {
        "slug": slug,
        "origin": "A body",
        "origin-url": "https://example.org",
        "edition": f'"{edition}"',
        "license": "CC0-1.0",
        "converter": "by hand",
        "content-hash": sha(body),
        "status": status,
        **{name.replace("_", "-"): value for name, value in fields.items()},
    }
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in lines.items()) + f"---\n{body}"


def skill(name: str, entries: Iterable[tuple[str, str]]) -> str:
    """A `SKILL.md`, with slugs and editions for its map."""
    rows = "".join(
        f"| {slug} | T {slug} | D | {edition} | references/{slug}.md |\n" for slug, edition in entries
    )
    return SKILL.format(name=name, rows=rows)


def pack(name: str, papers: dict[str, tuple[str, str]], place: str = "") -> dict[str, str]:
    """The files of a pack: `papers` give edition and text by slug; `slug@edition` names a retained one."""
    home = f"{place}{name}" if place or name else ""
    files: dict[str, str] = {}
    for slug, (edition, text) in papers.items():
        bare, at, _ = slug.partition("@")
        where = f"superseded/{slug}" if at else slug
        status = "superseded" if at else "authoritative"
        files[f"{home}/references/{where}.md"] = paper(bare, edition, text, status)
    entries = [(slug, edition) for slug, (edition, _) in papers.items() if "@" not in slug]
    return {f"{home}/SKILL.md": skill(name, entries), **files}


def registry(rows: Iterable[tuple[int, str, str, str, str]], title: str = "T") -> str:
    """A registry: number, marketplace, plugin (and folder), slug, edition of each row."""
    return HEADER + "".join(
        f"| KB-{number:04d} | {marketplace} | {plugin} | {slug} | {title} {number} | {edition} | "
        f"{plugin}/references/{slug}.md | |\n"
        for number, marketplace, plugin, slug, edition in rows
    )


def repository(
    papers: dict[str, tuple[str, str]], name: str = "laws", marketplace: str = "Gov", first: int = 1
) -> dict[str, str]:
    """A repository with one pack, published at a marketplace."""
    current = [(slug, edition) for slug, (edition, _) in papers.items() if "@" not in slug]
    rows = [(first + at, marketplace, name, slug, edition) for at, (slug, edition) in enumerate(current)]
    return {"knowledge/index.md": registry(rows), **pack(name, papers, "knowledge/")}
