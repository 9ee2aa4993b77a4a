"""Write a docs repository for measuring: the same arguments always give the same bytes.

    python -m benchmarks.generate FOLDER [--specs 5000] [--references 500] [--seed 1]

Half of the specs carry three decisions each, one in ten is HTML, and the text around them is
ordinary prose: about 5 KB a spec. All of it is clean but for a few stale citations.
"""

from __future__ import annotations

import argparse
import os
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import knowledge, prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.knowledge import Fact

SEED = "1"
DECISIONS = 3

#: One spec in this many, of those with decisions, cites a superseded edition once.
STALE_EVERY = 100

#: Settings that the neighbours find by themselves, so that none of them pays for reporting our element.
MARKDOWNLINT = """{
  "MD013": { "tables": false },
  "MD033": { "allowed_elements": ["spec-decision"] }
}
"""
IGNORED = "node_modules/\nbuild/\n*.tmp\n"


class Tree(NamedTuple):
    """What a tree is made of, and what a run over it has to find."""

    specs: int
    references: int
    decisions: int
    stale: int
    size: int  # bytes of all specs


class Pools(NamedTuple):
    """The blocks that specs are put together from."""

    markdown: prose.Pools
    html: prose.Pools
    headings: tuple[str, ...]


class Spec(NamedTuple):
    """One spec: its path relative to the repository root, its text, and what is in it."""

    path: str
    text: str
    decisions: int
    stale: int


def pools(seed: str = SEED) -> Pools:
    """The blocks for a seed."""
    return Pools(prose.markdown_pools(seed), prose.html_pools(seed), prose.headings(seed))


def spec(number: int, known: Sequence[Fact], blocks: Pools, seed: str = SEED) -> Spec:
    """Spec `number` (from 0). It depends on nothing else, so a small tree begins a larger one."""
    rng = Random(f"{seed}:spec:{number}")
    in_html = number // 2 % 10 == 3
    decides = number % 2 == 0
    stale = decides and number // 2 % STALE_EVERY == 1
    decisions = _decisions(rng, known, stale, in_html) if decides else []
    size = 1700 + 8400 * min(rng.random(), rng.random()) - sum(map(len, decisions))
    names = iter(dict.fromkeys(prose.pick(rng, blocks.headings) for _ in range(60)))
    make = _html_section if in_html else _markdown_section
    source = blocks.html if in_html else blocks.markdown
    title = next(names)
    sections: list[str] = []
    while len(sections) < DECISIONS or sum(map(len, sections)) < size - 450:
        sections.append(make(rng, next(names), source))
    body = _spread(sections, decisions)
    text = _html_page(title, body) if in_html else _markdown_page(rng, title, body)
    ending = "html" if in_html else "md"
    path = f"docs/area-{number // 100:03d}/{number:05d}-{title.lower().replace(' ', '-')}.{ending}"
    return Spec(path, text, len(decisions), int(stale))


def _spread(sections: list[str], decisions: list[str]) -> list[str]:
    """The decisions between the sections, at even distances."""
    after: dict[int, list[str]] = {}
    for index, decision in enumerate(decisions):
        after.setdefault((2 * index + 1) * len(sections) // (2 * len(decisions)), []).append(decision)
    return [block for index, section in enumerate(sections) for block in (section, *after.get(index, []))]


def _markdown_section(rng: Random, name: str, source: prose.Pools) -> str:
    parts = [f"## {name}\n", prose.pick(rng, source.paragraphs)]
    if rng.random() < 0.6:
        parts.append(prose.pick(rng, source.extras))
    if rng.random() < 0.3:
        parts.append(prose.pick(rng, source.paragraphs))
    return "\n".join(parts)


def _html_section(rng: Random, name: str, source: prose.Pools) -> str:
    return _markdown_section(rng, name, source).replace(f"## {name}\n\n", f"<h2>{name}</h2>\n", 1)


def _markdown_page(rng: Random, title: str, body: list[str]) -> str:
    owner = prose.pick(rng, prose.NOUNS)
    head = f"---\nstatus: accepted\nowner: {owner}-team\n---\n\n" if rng.random() < 0.3 else ""
    return f"{head}# {title}\n\n" + "\n".join(body)


def _html_page(title: str, body: list[str]) -> str:
    head = f'<meta charset="utf-8">\n<title>{title}</title>\n<link rel="stylesheet" href="/style.css">'
    main = "\n".join(body)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n<main>\n'
        f"<h1>{title}</h1>\n{main}</main>\n</body>\n</html>\n"
    )


def _decisions(rng: Random, known: Sequence[Fact], stale: bool, in_html: bool) -> list[str]:
    made: list[str] = []
    for index in range(DECISIONS):
        cited = dict.fromkeys(prose.pick(rng, known) for _ in range(prose.between(rng, 1, 2)))
        pins = [f"{fact.id}@{fact.edition}" for fact in cited]
        if stale and index == 1:
            old = prose.pick(rng, [fact for fact in known if fact.retained])
            pins[0] = f"{old.id}@{old.retained}"
        made.append((_html_decision if in_html else _markdown_decision)(rng, index + 1, pins))
    return made


def _markdown_decision(rng: Random, number: int, pins: list[str]) -> str:
    context = prose.wrap(
        f"**Context.** {prose.sentence(rng, prose.MARKDOWN)} {prose.sentence(rng, prose.MARKDOWN)}"
    )
    cites = prose.pick(rng, ("As {} says, {}.", "It follows from {} that {}.", "See {}: {}."))
    cited = prose.wrap(cites.format(" and ".join(pins), f"the {prose.phrase(rng)} holds"))
    decision = prose.wrap(f"**Decision.** {prose.sentence(rng, prose.MARKDOWN)}")
    body = "\n\n".join((context, cited, decision))
    return f'<spec-decision id="D-{number:03d}" grounding="verified">\n\n{body}\n\n</spec-decision>\n'


def _html_decision(rng: Random, number: int, pins: list[str]) -> str:
    cited = " and ".join(f"<code>{pin}</code>" for pin in pins)
    context = prose.wrap(f"{prose.sentence(rng, prose.HTML)} It follows from {cited}.", "    ")
    return (
        f'<spec-decision id="D-{number:03d}" grounding="verified">\n'
        f"  <h4>D-{number:03d} &middot; The {prose.phrase(rng)}</h4>\n  <dl>\n"
        f"    <dt>Context</dt> <dd>{context}</dd>\n"
        f"    <dt>Decision</dt> <dd>{prose.sentence(rng, prose.HTML)}</dd>\n"
        f"  </dl>\n</spec-decision>\n"
    )


def write(folder: str, specs: int, references: int, seed: str = SEED) -> Tree:
    """Write a tree into `folder`, which must not exist yet.

    Raises:
        FileExistsError: there is something at `folder`.
        OSError: it cannot be written.
    """
    os.makedirs(folder)
    blocks = pools(seed)
    known = knowledge.facts(seed, references)
    decisions = stale = size = 0
    for path, text in _around(seed, known):
        _put(folder, path, text)
    for number in range(specs):
        made = spec(number, known, blocks, seed)
        size += _put(folder, made.path, made.text)
        decisions += made.decisions
        stale += made.stale
    return Tree(specs, references, decisions, stale, size)


def _around(seed: str, known: tuple[Fact, ...]) -> Iterator[tuple[str, str]]:
    """Everything but the specs. `.git` is an empty repository, since ignore files count only in one."""
    yield ".git/HEAD", "ref: refs/heads/main\n"
    yield ".git/objects/.keep", ""
    yield ".git/refs/heads/.keep", ""
    yield ".gitignore", IGNORED
    yield ".markdownlint.json", MARKDOWNLINT
    for path, text in knowledge.files(seed, known):
        yield f"knowledge/{path}", text


def _put(folder: str, path: str, text: str) -> int:
    """Write one file; returns its size in bytes."""
    target = os.path.join(folder, path)
    data = text.encode()
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as file:
        file.write(data)
    return len(data)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a tree and say what is in it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.generate", description="Write a benchmark tree."
    )
    parser.add_argument("folder", help="where to write it; must not exist")
    parser.add_argument("--specs", type=int, default=5000)
    parser.add_argument("--references", type=int, default=500)
    parser.add_argument("--seed", default=SEED)
    given = parser.parse_args(arguments)
    try:
        tree = write(given.folder, given.specs, given.references, given.seed)
    except OSError as error:
        parser.exit(2, f"{parser.prog}: {given.folder}: {error.strerror}\n")
    print(
        f"{tree.specs:,} specs ({tree.size / 1e6:.1f} MB), {tree.decisions:,} decisions, "
        f"{tree.references:,} references, {tree.stale:,} stale citations"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
