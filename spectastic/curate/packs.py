"""What packs have: slugs, a marketplace, places for documents; and what comes next in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic.corpus.layout import SLUG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.corpus.model import SlugEntry
    from spectastic.curate.workspace import Workspace

_ORDINAL = re.compile(r"([0-9]{1,4})-")


def document_path(workspace: Workspace, pack: str, slug: str) -> str:
    """Where the document of a slug stands, relative to the root."""
    return f"{workspace.folder}/{pack}/references/{slug}.md"


def slug_map(workspace: Workspace, pack: str) -> tuple[SlugEntry, ...]:
    """The slug map of a pack."""
    return next((found.entries for found in workspace.corpus.packs if found.name == pack), ())


def slugs(workspace: Workspace, pack: str) -> dict[str, str]:
    """Every slug that a pack has or had, each with where it was found."""
    corpus = workspace.corpus
    rows = corpus.rows.values()
    found = {row.slug: row.id for row in rows if pack in (row.plugin, row.path.split("/")[0])}
    for entry in slug_map(workspace, pack):
        found.setdefault(entry.slug, f"{pack}/SKILL.md")
    for reference in corpus.references:
        if reference.pack == pack:
            name = reference.path.rpartition("/")[2].removesuffix(".md")
            for slug in (reference.value("slug"), name.partition("@")[0] if reference.superseded else name):
                found.setdefault(slug, reference.path)
    found.pop("", None)
    return found


def next_slug(known: Iterable[str], words: str) -> str:
    """A slug as it is, or `words` with the ordinal after those of `known`: `003-settlement-cycle`.

    `known` are the slugs of the pack, see `slugs`.
    """
    if SLUG.fullmatch(words):
        return words
    return numbered(last_ordinal(known) + 1, words)


def last_ordinal(known: Iterable[str]) -> int:
    """The highest number that a slug begins with, 0 where none does."""
    return max((int(match[1]) for name in known if (match := _ORDINAL.match(name))), default=0)


def numbered(ordinal: int, words: str) -> str:
    """A slug of a number and words: `003-settlement-cycle`."""
    return f"{ordinal:03d}-{words}"


def default_marketplace(workspace: Workspace, pack: str) -> str:
    """The marketplace of a pack's rows; else the only one in the registry; else that of marketplace.json."""
    rows = workspace.corpus.rows.values()
    for named in (
        {row.marketplace for row in rows if row.plugin == pack and row.marketplace},
        {row.marketplace for row in rows if row.marketplace},
    ):
        if len(named) == 1:
            return named.pop()
    return _published(workspace)


def _published(workspace: Workspace) -> str:
    """The name in marketplace.json."""
    from json import loads

    try:
        name = loads(workspace.read(f"{workspace.folder}/marketplace.json") or b"{}")["name"]
    except (ValueError, KeyError, TypeError):
        return ""
    return name if isinstance(name, str) else ""
