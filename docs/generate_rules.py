"""Write docs/rules/ from the rules' docstrings: `python docs/generate_rules.py [--check]`.

With `--check` nothing is written; the exit code is 1 when a page differs from its docstring.
"""

from __future__ import annotations

import sys
from pathlib import Path

from spectastic.rules import RULES, page

FOLDER = Path(__file__).parent / "rules"


def pages() -> dict[str, str]:
    """The text of every generated file, by file name."""
    texts = {f"{rule.id}.md": _page(rule.id) for rule in RULES.values()}
    return {"README.md": _index(), **texts}


def differing(folder: Path) -> list[str]:
    """What is missing, different or left over in a folder of rule pages, sorted."""
    wanted = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in wanted | found if wanted.get(name) != found.get(name))


def write(folder: Path) -> None:
    """Bring a folder of rule pages up to date; pages of rules that are gone are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for name in differing(folder):
        if name in wanted:
            (folder / name).write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            (folder / name).unlink()


def _page(rule_id: str) -> str:
    module = rule_id.replace("-", "_")
    note = f"<!-- Generated from spectastic/rules/{module}.py; change it there. -->"
    default = f"Default severity: {RULES[rule_id].severity.label}."
    return f"{note}\n\n# {rule_id}\n\n{default}\n\n{page(rule_id).strip()}\n"


def _index() -> str:
    rows = "".join(
        f"| [`{rule.id}`]({rule.id}.md) | {rule.severity.label} | {rule.summary} |\n"
        for rule in RULES.values()
    )
    return (
        "<!-- Generated from spectastic/rules/; change the rules there. -->\n\n# Rules\n\n"
        "`spectastic explain RULE` prints the same pages.\n\n"
        f"| rule | default | fires when |\n|---|---|---|\n{rows}"
    )


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which differ."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: generate_rules.py [--check]\n")
        return 2
    names = differing(FOLDER)
    if arguments:
        for name in names:
            sys.stderr.write(f"docs/rules/{name} differs from its rule; run python docs/generate_rules.py\n")
        return 1 if names else 0
    write(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
