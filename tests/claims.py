"""A grounding corpus about claims, of three tables, and `spectastic ground` on it as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from trees import tree

if TYPE_CHECKING:
    from pathlib import Path

CLAIMS = """\
Claim,Keywords,Severity
Settlement date,"trade settles days",error
Contrast,"text contrast color",warning
Naïve “quote”,"café 設計 pattern",info
"""
GATES = "Gate,For\nblock merge,error contrast\nwarn only,warning contrast\ncomment,info\n"
RULES = 'Kind,Rules,Prefer\nContrast,"{""if_legal"": ""block"", ""if_draft"": [1]}",warn + block\n'
MANIFEST: dict[str, Any] = {
    "manifest_version": 1,
    "domain": "claims",
    "tier": "conditional-grounding",
    "domains": {
        "claim": {
            "file": "claims.csv",
            "search_cols": ["Claim", "Keywords"],
            "output_cols": ["Claim", "Severity"],
        },
        "gate": {"file": "gates.csv", "search_cols": ["Gate", "For"], "output_cols": ["Gate", "For"]},
    },
    "detect": {"gate": ["merge"], "claim": ["settles"]},
    "stacks": {"web": "gates.csv"},
    "stack_cols": {"search_cols": ["For"], "output_cols": ["Gate"]},
    "reasoning": {
        "file": "rules.csv",
        "match_column": "Kind",
        "category_domain": "claim",
        "category_column": "Claim",
        "rules_column": "Rules",
        "priority_column": "Prefer",
        "priority_domain": "gate",
        "name_columns": {"gate": "Gate"},
        "plan": {"gate": 2},
    },
    "owner": "docs team",
    "refresh_cadence": "quarterly",
    "upstream": None,
}


def claims_in(folder: Path) -> Path:
    """A folder with the tables, and their manifest `m.json`."""
    tree(folder, {"claims.csv": CLAIMS, "gates.csv": GATES, "rules.csv": RULES})
    write(folder)
    return folder


def write(folder: Path, name: str = "m.json", **changes: Any) -> None:
    text = json.dumps({key: value for key, value in {**MANIFEST, **changes}.items() if value != "gone"})
    (folder / name).write_text(text, encoding="utf-8")


def process(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "spectastic", "ground", *arguments]
    around = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        command, cwd=folder, env={**around, **env}, capture_output=True, timeout=60, check=False
    )
