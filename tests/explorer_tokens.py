"""Texts to resolve, what Python answers, and the page's script run in node.

`answers` is the oracle. A test that drives a browser takes `table`, `corpora` and `page_data`, and compares
what `SpectasticResolver.read(text, data)` gives there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spectastic.config import Settings
from spectastic.corpus import Corpus, load
from spectastic.engine.policy import Policy
from spectastic.engine.tokens import read
from spectastic.explorer import page, resolving

if TYPE_CHECKING:
    from collections.abc import Sequence

FIXTURES = Path(__file__).parent.parent / "fixtures" / "explorer"
#: All rules, as they are.
POLICY = Policy(Settings("/"))
NODE = shutil.which("node")
SCRIPTS = ("grammar.js", "resolver.js")
#: Reads {"data": …, "texts": […]} and writes the answers to each text.
_RUN = """
const { data, texts } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => globalThis.SpectasticResolver.read(text, data))));
"""


def table() -> list[dict[str, Any]]:
    """The rows of `tokens.toml`.

    Each has a `text` and, where it is not the fixture's, the name of a `corpus` in `corpora`. Where somebody
    has worked it out, `expected` has a line for each answer, as in `told`, and `says` messages and hints.
    """
    rows: list[dict[str, Any]] = tomllib.loads((FIXTURES / "tokens.toml").read_text("utf-8"))["token"]
    return rows


def corpora() -> dict[str, Corpus]:
    """The corpora that the table is asked of."""
    fixture = str(FIXTURES / "corpus")
    staged = frozenset({"knowledge/index.md", "knowledge/web/references/001-plain.md"})
    return {
        "fixture": load(fixture),
        # Most of its documents are not tracked by git.
        "uncommitted": load(fixture, tracked=lambda: staged),
        # There the folder has no registry.
        "none": load(fixture, folder="knowledge/web"),
    }


def page_data(corpus: Corpus, policy: Policy = POLICY) -> Any:
    """The data as the page gets it: through JSON and UTF-8."""
    known = resolving.data(corpus, policy)
    return json.loads(json.dumps(known, ensure_ascii=False).encode("utf-8", "replace"))


def answers(text: str, corpus: Corpus, policy: Policy = POLICY) -> list[dict[str, object]]:
    """What Python answers."""
    return [resolving.answer_json(answer, corpus, policy) for answer in read(text, corpus)]


def in_node(texts: Sequence[str], data: Any) -> list[list[dict[str, object]]]:
    """What the page's script answers to each text."""
    assert NODE is not None
    script = "\n".join([*(page.asset(name) for name in SCRIPTS), _RUN])
    # Half a character has no UTF-8: JSON escapes it.
    given = json.dumps({"data": data, "texts": list(texts)})
    done = subprocess.run([NODE, "-e", script], input=given.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found: list[list[dict[str, object]]] = json.loads(done.stdout)
    return found


def told(answer: dict[str, Any]) -> str:
    """An answer in a line: the token, its state, where it leads, and the rules that have something to say."""
    rules = ", ".join(finding["rule"].removeprefix("corpus-") for finding in answer["findings"])
    leads = "" if answer["path"] is None else f" {answer['outcome']} {answer['edition']}"
    return f"{answer['text']} -> {answer['state']}{leads}" + (f": {rules}" if rules else "")
