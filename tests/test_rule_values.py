"""What rules make of single values: licenses, statuses, lists of names."""

from __future__ import annotations

import pytest

from spectastic.rules.common import not_citable, some
from spectastic.rules.corpus_license import permissive

PERMISSIVE = [
    "MIT",
    "mit",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Unlicense",
    "0BSD",
    "public-domain",
    "CC-BY",
    "cc-by-4.0",
    "CC-BY-3",
    "CC-BY-2.5.1",
    "MIT OR GPL-3.0-only",
    "GPL-3.0-only or mit",
    "MIT AND Apache-2.0",
    "(MIT)",
    "MIT AND (GPL-2.0-only OR ISC)",
    "GPL-2.0-only AND MIT OR CC0-1.0",
    "Apache-2.0+",
    "Apache-2.0 WITH LLVM-exception",
    "apache-2.0 with llvm-exception or Zlib",
    "Zlib",
    "LicenseRef-Ours AND MIT",
    "licenseref-ours",
]
NOT_PERMISSIVE = [
    "GPL-3.0-only",
    "CC-BY-NC-4.0",
    "CC-BY-ND-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-4.0-International",
    "CC-BY-",
    "CC-BY-4.",
    "MIT-0",
    "Apache 2.0",
    "MIT License",
    "MPL-2.0",
    "LicenseRef-Internal",
    "NOASSERTION",
    "MIT AND GPL-3.0-only",
    "MIT AND (GPL-3.0-only OR CC-BY-NC-4.0)",
    "(MIT OR ISC) AND GPL-2.0-only",
    "GPL-2.0-only WITH Classpath-exception-2.0",
    "MIT WITH no-commercial-use",
    "MIT WITH LicenseRef-scancode-unknown-license-reference-exception",
    "MIT, Apache-2.0",
    "MIT/Apache-2.0",
    "MIT OR",
    "MIT OR OR MIT",
    "OR",
    "+",
    "MIT WITH",
    "()",
    "((MIT)",
    "MIT)",
    "(" * 100_000 + "MIT" + ")" * 100_000,
    "MIT OR " * 20_000 + "MIT",
    "\u0000",
    "ＭＩＴ",
]


@pytest.mark.parametrize("declared", PERMISSIVE)
def test_permissive(declared: str) -> None:
    assert permissive(declared, {"zlib", "licenseref-ours"})


@pytest.mark.parametrize("declared", NOT_PERMISSIVE, ids=lambda text: text[:30])
def test_not_permissive(declared: str) -> None:
    assert not permissive(declared, {"zlib", "licenseref-ours"})


STATUSES = [
    ("not-citable-until-confirmed", "not-citable-until-confirmed"),
    ("not-citable-until-signed-off", "not-citable-until-signed-off"),
    ("Not-Citable-Until-Confirmed", "not-citable-until-confirmed"),
    ("not_citable until  confirmed", "not-citable-until-confirmed"),
    ("not-citable-until-confirmd", "not-citable-until-confirmed"),
    ("not-citeable-until-signed-off", "not-citable-until-signed-off"),
    ("not-sitable-until-signed-off", "not-citable-until-signed-off"),
    ("not-citable-until-sign-off", "not-citable-until-signed-off"),
    ("not-citable", "not-citable-until-confirmed"),
    ("not-citable-yet", "not-citable-until-confirmed"),
    ("", ""),
    ("authoritative", ""),
    ("superseded", ""),
    ("illustrative-excerpt", ""),
    ("not-yet-spot-checked", ""),
    ("citable", ""),
    ("valid-until-2030", ""),
    ("draft", ""),
    ("confirmed", ""),
]


@pytest.mark.parametrize(("status", "meant"), STATUSES)
def test_not_citable(status: str, meant: str) -> None:
    assert not_citable(status) == meant


def test_long_lists_are_short() -> None:
    assert some(["a", "b"]) == "a, b"
    assert some(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert some(["x" * 41]) == "x" * 39 + "…"
