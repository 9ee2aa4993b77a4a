"""Small grounding corpora: a manifest and its tables, written to a folder."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from spectastic.grounding.schema_validator import load_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PRODUCTS = """\
Type,Keywords,Notes
SaaS,software cloud subscription,general
Shop,store cart checkout,e-commerce
Clinic,health patient booking,
"""
STYLES = """\
Style,Keywords,Notes
Minimalism,clean calm,for saas and clinics
Brutalism,raw loud,for saas of the bold
Glassmorphism,soft blur,for saas and shops
"""
RULES = """\
Category,Prefer,Rules
SaaS,Glassmorphism + Minimalism,"{""if_dark"": ""use dark"", ""must_have"": [1, null]}"
E-commerce,Brutalism,{}
Health Clinic,,
"""


def manifest(**changes: Any) -> dict[str, Any]:
    """A manifest of three tables; `changes` replace its fields."""
    domain = {"search_cols": ["Keywords", "Notes"], "output_cols": ["Style", "Keywords", "Notes"]}
    return {
        "manifest_version": 1,
        "domain": "sample",
        "tier": "conditional-grounding",
        "domains": {
            "product": {
                "file": "products.csv",
                "search_cols": ["Type", "Keywords"],
                "output_cols": ["Type", "Notes"],
            },
            "style": {"file": "styles.csv", **domain},
        },
        "reasoning": {
            "file": "rules.csv",
            "category_domain": "product",
            "category_column": "Type",
            "match_column": "Category",
            "rules_column": "Rules",
            "priority_column": "Prefer",
            "priority_domain": "style",
            "name_columns": {"style": "Style"},
            "plan": {"style": 3},
        },
        "owner": "somebody",
        "refresh_cadence": "quarterly",
        "upstream": None,
        **changes,
    }


def corpus(folder: Path, files: Mapping[str, str | bytes] | None = None, **changes: Any) -> dict[str, Any]:
    """The manifest of tables that are written to a folder; `files` replace or add some."""
    tables = {"products.csv": PRODUCTS, "styles.csv": STYLES, "rules.csv": RULES, **(files or {})}
    for name, text in tables.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path = folder / "manifest.json"
    path.write_text(json.dumps(manifest(**changes)), "utf-8")
    return load_manifest(path)


def table(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Path:
    """Write a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path
