"""Documentation prose out of a seed: paragraphs, lists, tables and code, in Markdown and in HTML.

Only `Random.random()` is used, the one method whose sequence Python promises to keep, so a seed
means the same text on every version. Blocks come from pools that are made once: a tree of 50,000
documents is put together in seconds.
"""

from __future__ import annotations

import html
import os
import textwrap
import tomllib
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

WIDTH = 78
POOL = 400

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.toml"), "rb") as _file:
    _WORDS: dict[str, str] = tomllib.load(_file)

NOUNS = _WORDS["nouns"].split()
ADJECTIVES = _WORDS["adjectives"].split()
VERBS = _WORDS["verbs"].split()
CLAUSES = _WORDS["clauses"].splitlines()
OPENERS = _WORDS["openers"].splitlines()
#: Names and signs outside ASCII, as real documents have them.
FOREIGN = _WORDS["foreign"].splitlines()


class Markup(NamedTuple):
    """How a format writes what stands inside a line: code, emphasis, and a link to an address."""

    code: Callable[[str], str]
    strong: Callable[[str], str]
    link: Callable[[str, str], str]


MARKDOWN = Markup(
    code=lambda text: f"`{text}`",
    strong=lambda text: f"**{text}**",
    link=lambda text, address: f"[{text}]({address})",
)
HTML = Markup(
    code=lambda text: f"<code>{html.escape(text)}</code>",
    strong=lambda text: f"<strong>{text}</strong>",
    link=lambda text, address: f'<a href="{html.escape(address)}">{text}</a>',
)


class Pools(NamedTuple):
    """Blocks to choose from, each ending in a line break: `paragraphs` and everything else."""

    paragraphs: tuple[str, ...]
    extras: tuple[str, ...]


def pick(rng: Random, items: Sequence[T]) -> T:
    """One of `items`."""
    return items[int(rng.random() * len(items))]


def between(rng: Random, low: int, high: int) -> int:
    """A whole number from `low` to `high`, both included."""
    return low + int(rng.random() * (high - low + 1))


def phrase(rng: Random) -> str:
    """A noun with its adjective: `pending settlement`."""
    return f"{pick(rng, ADJECTIVES)} {pick(rng, NOUNS)}"


def heading(rng: Random) -> str:
    """A heading of three to five words."""
    forms = ("{a} and {b}", "How the {b} handles a {a}", "The {a}", "{a} in the {b}")
    text = pick(rng, forms).format(a=phrase(rng), b=pick(rng, NOUNS))
    return text[0].upper() + text[1:]


def sentence(rng: Random, markup: Markup) -> str:
    """A sentence of about eight to twenty words, now and then with something marked up in it."""
    subject = f"the {phrase(rng)}"
    target = f"the {phrase(rng)}"
    draw = rng.random()
    if draw < 0.12:
        target = markup.code(f"{pick(rng, NOUNS)}_{pick(rng, NOUNS)}")
    elif draw < 0.20:
        target = f"the {markup.strong(phrase(rng))}"
    elif draw < 0.28:
        target = markup.link(target, f"https://docs.example.org/{pick(rng, NOUNS)}/{pick(rng, NOUNS)}")
    elif draw < 0.32:
        target += f" ({pick(rng, FOREIGN)})"
    words = f"{subject} {pick(rng, VERBS)} {target} {pick(rng, CLAUSES)}"
    if rng.random() < 0.4:
        words += f", and the {pick(rng, NOUNS)} {pick(rng, VERBS)} it {pick(rng, CLAUSES)}"
    if rng.random() < 0.25:
        return f"{pick(rng, OPENERS)} {words}."
    return words[0].upper() + words[1:] + "."


def prose(rng: Random, markup: Markup, words: int) -> str:
    """Sentences of together at least `words` words, on one line."""
    sentences: list[str] = []
    while sum(text.count(" ") + 1 for text in sentences) < words:
        sentences.append(sentence(rng, markup))
    return " ".join(sentences)


def wrap(text: str, indent: str = "") -> str:
    """`text` over several lines; nothing is cut inside a word, so no address breaks."""
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def markdown_pools(seed: str) -> Pools:
    """The blocks of Markdown documents."""
    rng = Random(f"{seed}:markdown")
    makers = (_bullets, _numbers, _nested, _table, _fence, _quote, _fence, _bullets)
    paragraphs = tuple(wrap(prose(rng, MARKDOWN, between(rng, 55, 105))) + "\n" for _ in range(POOL))
    return Pools(paragraphs, tuple(makers[index % len(makers)](rng) for index in range(POOL)))


def html_pools(seed: str) -> Pools:
    """The blocks of HTML documents."""
    rng = Random(f"{seed}:html")
    makers = (_html_list, _html_table, _html_code, _html_list)
    paragraphs = tuple(f"<p>{wrap(prose(rng, HTML, between(rng, 55, 105)))}</p>\n" for _ in range(POOL))
    return Pools(paragraphs, tuple(makers[index % len(makers)](rng) for index in range(POOL)))


def headings(seed: str) -> tuple[str, ...]:
    """Headings to choose from, all different."""
    rng = Random(f"{seed}:headings")
    return tuple(dict.fromkeys(heading(rng) for _ in range(2 * POOL)))


def _bullets(rng: Random) -> str:
    items = (wrap("- " + sentence(rng, MARKDOWN), "  ") for _ in range(between(rng, 3, 6)))
    return "\n".join(items) + "\n"


def _numbers(rng: Random) -> str:
    items = (wrap(f"{number}. {sentence(rng, MARKDOWN)}", "   ") for number in range(1, between(rng, 4, 6)))
    return "\n".join(items) + "\n"


def _nested(rng: Random) -> str:
    lines: list[str] = []
    for _ in range(between(rng, 2, 3)):
        lines.append(wrap("- " + sentence(rng, MARKDOWN), "  "))
        lines += [f"  - the {phrase(rng)}" for _ in range(2)]
    return "\n".join(lines) + "\n"


def _table(rng: Random) -> str:
    rows = [("Field", "Meaning", "Limit"), ("---", "---", "---")]
    rows += [
        (f"`{pick(rng, NOUNS)}`", f"the {phrase(rng)}", str(between(rng, 1, 900)))
        for _ in range(between(rng, 4, 8))
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _sample(rng: Random) -> tuple[str, str]:
    """A language and a few lines in it."""
    names = [pick(rng, NOUNS) for _ in range(between(rng, 3, 7))]
    forms: tuple[tuple[str, str, str, str], ...] = (
        ("yaml", "settings:", "  {name}: {number}", "  enabled: true"),
        ("json", "{{", '  "{name}": {number},', '  "last": null\n}}'),
        ("python", "def configure(target):", "    target.{name} = {number}", "    return target"),
        ("bash", "set -eu", "deploy --{name} {number}", 'echo "done"'),
    )
    language, first, middle, last = pick(rng, forms)
    lines = [first.format()]
    lines += [middle.format(name=name.replace("-", "_"), number=between(rng, 1, 900)) for name in names]
    return language, "\n".join([*lines, last.format()])


def _fence(rng: Random) -> str:
    language, code = _sample(rng)
    return f"```{language}\n{code}\n```\n"


def _quote(rng: Random) -> str:
    lines = wrap(prose(rng, MARKDOWN, 25)).split("\n")
    return "".join(f"> {line}\n" for line in lines)


def _html_list(rng: Random) -> str:
    items = (f"  <li>{sentence(rng, HTML)}</li>\n" for _ in range(between(rng, 3, 6)))
    return f"<ul>\n{''.join(items)}</ul>\n"


def _html_table(rng: Random) -> str:
    rows = ["<tr><th>Field</th><th>Meaning</th></tr>"]
    for _ in range(between(rng, 3, 7)):
        meaning = f"the {phrase(rng)} &ndash; {between(rng, 1, 900)}"
        rows.append(f"<tr><td><code>{pick(rng, NOUNS)}</code></td><td>{meaning}</td></tr>")
    return "<table>\n" + "\n".join(rows) + "\n</table>\n"


def _html_code(rng: Random) -> str:
    return f"<pre><code>{html.escape(_sample(rng)[1])}</code></pre>\n"
