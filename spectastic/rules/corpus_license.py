"""A reference declares a license that is not permissive.

## What it does

Compares the `license` of each current reference with a list of permissive licenses: MIT,
Apache-2.0, BSD-2-Clause, BSD-3-Clause, CC0-1.0, ISC, Unlicense, 0BSD, public-domain, and plain
CC-BY of any version, plus those in `extra-licenses`.

SPDX license expressions are read as such. `MIT OR GPL-3.0-only` offers a permissive choice;
`MIT AND GPL-3.0-only` asks for both. An exception (`Apache-2.0 WITH LLVM-exception`) counts like
the license it belongs to when it is on SPDX's list, since those only add permissions; `+` after a
version ("or later") leaves the version as a choice. Upper and lower case do not matter. A
`LicenseRef-…` and a name that SPDX does not use (`Apache 2.0`) are reported unless they are listed.

It says what the document declares and is no legal advice. A missing license is reported by
`corpus-frontmatter`. Superseded references are left alone: they are kept as they were.

## Why is this bad?

A reference is a copy or a distillation, committed for everyone who can read the repository. Terms
that restrict copying, changes or use may not fit that, and they are easier to look at before
decisions rest on the text.

## Example

Wrong, in `knowledge/web/references/002-contrast.md`:

```markdown
---
slug: 002-contrast
origin: Example body
origin-url: https://example.org/contrast
edition: 2022-07-08
license: CC-BY-NC-4.0
converter: by hand
content-hash: sha256:7aba4d79d9ade054759a35044391f9a0cf2eaafd60958cb026ee96c6f04497d6
status: authoritative
---

The contrast of text is at least 4.5 to 1.
```

Right, in `knowledge/web/references/002-contrast.md`:

```markdown
---
slug: 002-contrast
origin: Example body
origin-url: https://example.org/contrast
edition: 2022-07-08
license: CC-BY-4.0
converter: by hand
content-hash: sha256:7aba4d79d9ade054759a35044391f9a0cf2eaafd60958cb026ee96c6f04497d6
status: authoritative
---

The contrast of text is at least 4.5 to 1.
```

## How to fix it

If the name is only spelt in another way, write the SPDX identifier. Otherwise look at the terms:
replace the text by a distillation in your own words under your own license, or, where the license
suits you, add it to `extra-licenses`.

## How to silence it

In `spectastic.toml`, or under `[tool.spectastic]` of `pyproject.toml`:

```toml
extra-licenses = ["MPL-2.0", "LicenseRef-Company-Internal"]
ignore = ["corpus-license"]
severity = { corpus-license = "error" }
per-path-ignores = { "knowledge/imported/**" = ["corpus-license"] }
```
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from spectastic.findings import Rule, Severity
from spectastic.rules.common import stated
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from spectastic.corpus import Corpus
    from spectastic.findings import Finding

RULE = Rule("corpus-license", Severity.WARNING, "a reference declares a license that is not permissive")

_NAMES = (
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Unlicense",
    "0BSD",
    "public-domain",
)
#: The names in lower case, as they are compared, and as SPDX writes them.
PERMISSIVE = {name.lower(): name for name in _NAMES}
_PLAIN_CC_BY = re.compile(r"cc-by(-[0-9]+(\.[0-9]+)*)?")

#: The longest text that is read as an expression; the longest real ones have some 200 characters.
MAX_EXPRESSION = 500

_HINT = "distil the facts in your own words, or add the license to extra-licenses if it suits you"


def check(corpus: Corpus) -> Iterator[Finding]:
    """Report the current references whose declared license is not on the list."""
    extra = frozenset(name.lower() for name in corpus.licenses)
    for reference in corpus.references:
        declared = stated(reference, "license")
        if declared and not reference.superseded and not permissive(declared, extra):
            message = f"the license {short(declared)} is not on the list of permissive licenses"
            span = reference.span("license")
            yield RULE.at(reference.path, span, message, hint=_hint(declared), subject=short(declared))


def _hint(declared: str) -> str:
    """What to do; where a permissive license is only spelt in words, its identifier."""
    words = re.sub("[\\s,]+", "-", declared[:80].strip().lower()).removeprefix("the-")
    for name in (words, words.removesuffix("-license"), words.removesuffix("-licence")):
        known = PERMISSIVE.get(name)
        if known is not None:
            return f"write {known}"
    return _HINT


def permissive(declared: str, extra: Collection[str] = ()) -> bool:
    """Whether a declared license is permissive, or offers a choice that is.

    `extra` holds more permissive licenses, in lower case. What cannot be read is not permissive.
    """
    name = declared.strip().lower()
    if _listed(name, extra):
        return True
    if len(name) > MAX_EXPRESSION or not _compound(name):
        return False
    from license_expression import Licensing

    try:
        tree = Licensing().parse(name)
    except Exception:  # the parser raises IndexError, among others, for a text such as `()`
        return False
    return _allows(tree, extra)


def _listed(name: str, extra: Collection[str]) -> bool:
    return name in PERMISSIVE or name in extra or _PLAIN_CC_BY.fullmatch(name) is not None


def _compound(name: str) -> bool:
    """Whether a text can be more than the name of one license."""
    return name.endswith("+") or "(" in name or len(name.split()) >= 3


def _allows(tree: Any, extra: Collection[str]) -> bool:
    from license_expression import AND, OR, LicenseWithExceptionSymbol

    match tree:
        case OR():
            return any(_allows(part, extra) for part in tree.args)
        case AND():
            return all(_allows(part, extra) for part in tree.args)
        case LicenseWithExceptionSymbol():
            known = tree.exception_symbol.key.lower() in _spdx_exceptions()
            return known and _allows(tree.license_symbol, extra)
        case _:
            return tree is not None and _listed(tree.key.lower().removesuffix("+"), extra)


@lru_cache(maxsize=1)
def _spdx_exceptions() -> frozenset[str]:
    """The exceptions on SPDX's list, in lower case."""
    from license_expression import get_spdx_licensing

    symbols = get_spdx_licensing().known_symbols
    spdx = (key.lower() for key, symbol in symbols.items() if symbol.is_exception)
    return frozenset(key for key in spdx if not key.startswith("licenseref-"))
