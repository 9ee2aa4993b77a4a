"""A corpus for the benchmark tree: packs, references with provenance, a registry that agrees with them."""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MARKETPLACE = "example-org/facts"
LICENSES = ("CC-BY-4.0", "CC0-1.0", "MIT", "public-domain", "Apache-2.0 OR MIT")
TOPICS = (
    "settlement", "payments", "accessibility", "calendars", "messaging",
    "retention", "identity", "reporting", "pricing", "markets",
)  # fmt: skip

#: One reference in this many has an earlier edition that was kept.
RETAINED_EVERY = 10


class Fact(NamedTuple):
    """A reference. `retained` is its superseded edition, `""` where it has none."""

    id: str
    pack: str
    slug: str
    title: str
    edition: str
    retained: str

    @property
    def path(self) -> str:
        """Where the current edition lies, relative to its pack."""
        return f"references/{self.slug}.md"


def facts(seed: str, count: int) -> tuple[Fact, ...]:
    """`count` references, spread evenly over at most ten packs."""
    packs = min(len(TOPICS), max(1, count // 3))
    return tuple(_fact(seed, number, TOPICS[number * packs // count], count) for number in range(count))


def _fact(seed: str, number: int, pack: str, count: int) -> Fact:
    rng = Random(f"{seed}:fact:{number}")
    title = f"{prose.phrase(rng)} of the {prose.pick(rng, prose.NOUNS)}"
    title = title[0].upper() + title[1:]
    slug = f"{number + 1:03d}-{title.lower().replace(' ', '-')}"
    day = f"{prose.between(rng, 1, 12):02d}-{prose.between(rng, 1, 28):02d}"
    # The last one of each ten, so that a corpus of six has one too.
    keeps = number % RETAINED_EVERY == min(RETAINED_EVERY, count) - 1
    return Fact(
        id=f"KB-{number + 1:04d}",
        pack=pack,
        slug=slug,
        title=title,
        edition=f"{prose.between(rng, 2019, 2025)}-{day}",
        retained=f"{prose.between(rng, 2010, 2018)}-{day}" if keeps else "",
    )


def files(seed: str, known: tuple[Fact, ...]) -> Iterator[tuple[str, str]]:
    """Every file of the corpus: its path relative to the corpus folder, and its text."""
    yield "index.md", _registry(known)
    for pack in dict.fromkeys(fact.pack for fact in known):
        yield f"{pack}/SKILL.md", _skill(pack, [fact for fact in known if fact.pack == pack])
    for fact in known:
        yield f"{fact.pack}/{fact.path}", _reference(seed, fact, fact.edition, "authoritative")
        if fact.retained:
            path = f"{fact.pack}/references/superseded/{fact.slug}@{fact.retained}.md"
            yield path, _reference(seed, fact, fact.retained, "superseded")


def _registry(known: tuple[Fact, ...]) -> str:
    columns = ("KB-NNNN", "Marketplace", "Plugin", "Slug", "Title", "Edition", "Path", "Status")
    rows = [columns, ("---",) * len(columns)]
    for fact in known:
        path = f"{fact.pack}/{fact.path}"
        rows.append((fact.id, MARKETPLACE, fact.pack, fact.slug, fact.title, fact.edition, path, ""))
    return "# Knowledge registry\n\nOne row for each reference; a row is never deleted.\n\n" + _table(rows)


def _skill(pack: str, known: list[Fact]) -> str:
    rows = [("Slug", "Title", "Description", "Edition", "Path"), ("---",) * 5]
    rows += [(f.slug, f.title, f"What holds for the {f.title.lower()}", f.edition, f.path) for f in known]
    head = (
        f"---\nname: {pack}\ndescription: Facts about {pack}, one document each, with their sources.\n---\n"
    )
    return f"{head}\n# {pack.capitalize()}\n\n{_table(rows)}"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows).replace("|  |", "| |")


def _reference(seed: str, fact: Fact, edition: str, status: str) -> str:
    rng = Random(f"{seed}:body:{fact.id}:{edition}")
    paragraphs = [prose.wrap(prose.prose(rng, prose.MARKDOWN, 70)) for _ in range(prose.between(rng, 2, 5))]
    body = f"\n# {fact.title}\n\n" + "\n\n".join(paragraphs) + "\n"
    fields = {
        "slug": fact.slug,
        "origin": f"Handbook of {fact.pack}",
        "origin-url": f"https://example.org/{fact.pack}/{fact.slug}",
        "edition": edition,
        "license": prose.pick(rng, LICENSES),
        "converter": "hand-authored",
        "content-hash": "sha256:" + hashlib.sha256(body.encode()).hexdigest(),
        "status": status,
    }
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + "---\n" + body
