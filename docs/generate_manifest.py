"""Write what docs say of manifests from the table of fields: `python docs/generate_manifest.py [--check]`.

That is docs/manifest.schema.json, and the table in docs/grounding.md between two comments. With `--check`
nothing is written; the exit code is 1 when one of them differs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spectastic.grounding.kinds import KINDS, TIERS
from spectastic.grounding.manifest import ANY, FIELDS, flat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.grounding.manifest import Field

FOLDER = Path(__file__).parent
SCHEMA, PAGE = "manifest.schema.json", "grounding.md"
BEGIN = "<!-- Generated from spectastic/grounding/manifest.py; change it there. -->\n"
END = "<!-- The end of what is generated. -->\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of a manifest. It says all that can be said of single values.

    What no schema can say: that the domains named exist, that a date is one of the calendar (without a
    format checker), and that 3.0 is no whole number.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://github.com/spectastic/spectastic/blob/main/docs/{SCHEMA}",
        "title": "Manifest of a grounding corpus, contract v1",
        **_object(FIELDS),
        "allOf": [
            {
                "if": {"properties": {"tier": {"const": TIERS[0]}}, "required": ["tier"]},
                "then": {"properties": {"reasoning": {"type": "null"}}},
            },
            {
                "if": {"properties": {"stacks": {"type": "object"}}, "required": ["stacks"]},
                "then": {"properties": {"stack_cols": {"type": "object"}}, "required": ["stack_cols"]},
            },
        ],
    }


def _object(fields: Mapping[str, Field]) -> dict[str, Any]:
    if ANY in fields:
        return {"type": "object", "additionalProperties": _field(fields[ANY])}
    return {
        "type": "object",
        "required": [name for name, field in fields.items() if field.needed],
        "properties": {name: _field(field) for name, field in fields.items()},
    }


def _field(field: Field) -> dict[str, Any]:
    own = {**KINDS[field.kind].schema, **(_object(field.of) if field.of else {})}
    if field.names:
        own["propertyNames"] = KINDS[field.names].schema
    described = {"description": field.text.replace("`", "")}
    if field.nullable:
        return {**described, "anyOf": [own, {"type": "null"}]}
    return {**described, **own}


def table() -> str:
    """The fields as a table in Markdown."""
    rows = "".join(
        f"| `{path}` | {'yes' if field.needed else ''} | {KINDS[field.kind].says}"
        f"{' or `null`' if field.null else ''} | {field.text} |\n"
        for path, field in flat()
    )
    return f"| key | needed | value | what it says |\n|---|---|---|---|\n{rows}"


def wanted(folder: Path) -> dict[str, str]:
    """The text of each file that is generated, or has a part that is, by name."""
    page = (folder / PAGE).read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"docs/{PAGE} has no place for the table: two comments mark it")
    return {
        SCHEMA: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n",
        PAGE: f"{before}{BEGIN}\n{table()}\n{END}{after}",
    }


def differing(folder: Path) -> list[str]:
    """The files that are not as they should be, sorted."""
    texts = wanted(folder)
    return sorted(name for name, text in texts.items() if _text(folder / name) != text)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def write(folder: Path) -> None:
    """Bring both up to date."""
    for name, text in wanted(folder).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def main(arguments: list[str]) -> int:
    """Write them, or with `--check` say which differ."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: generate_manifest.py [--check]\n")
        return 2
    names = differing(FOLDER)
    if arguments:
        for name in names:
            sys.stderr.write(f"docs/{name} differs from the table; run python docs/generate_manifest.py\n")
        return 1 if names else 0
    write(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
