"""Whether the tables behind a manifest are as it says: files, columns, row widths, rules, and their age."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.grounding.age import age
from spectastic.grounding.boundary import ManifestError, data_file, python_twin
from spectastic.grounding.lines import CorpusError
from spectastic.grounding.rule_rows import RuleRows
from spectastic.grounding.table import Table
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: So many rows of a table are named for one mistake, and of the rest how many there are.
MOST = 20

Manifest = dict[str, Any]

#: What comes to nothing where a column is not among those that a search gives.
_CATEGORY = "no category is ever seen"
_PREFERRED = "nothing that is preferred is ever seen in it"


class Checked(NamedTuple):
    """What was found: `violations` fail the check, `warnings` do not. Each says where, and what to do."""

    violations: list[str]
    warnings: list[str]


class _Use(NamedTuple):
    """What one field of the manifest wants of a file: columns, each with the field that names it."""

    where: str
    columns: list[tuple[str, str]]
    rules: RuleRows | None = None


def check_data(manifest: Manifest, today: str | None = None, path: str = "manifest.json") -> Checked:
    """Open every file that a valid, loaded manifest names, and hold it to what the manifest says.

    `today`: the day that the age of the data is counted from, `2026-05-31`; the clock's where there is none.
    `path`: what the manifest is called in messages; its files are called accordingly.
    """
    found = Checked([], [])
    found.violations.extend(f"{path}: {text}" for text in _unseen(manifest))
    files: dict[str, list[_Use]] = {}
    for file, use in _uses(manifest):
        files.setdefault(file, []).append(use)
    for file, uses in files.items():
        _file(manifest, file, uses, path, found)
    found.violations.extend(f"{path}: {text}" for text in _module(manifest))
    found.warnings.extend(f"{path}: {text}" for text in (*_idle(manifest), *age(manifest, today)))
    return found


def _uses(manifest: Manifest) -> Iterator[tuple[str, _Use]]:
    """Which field names which file."""
    reasoning = manifest.get("reasoning") or {}
    names = reasoning.get("name_columns") or {}
    for name, domain in manifest["domains"].items():
        where = f"domains.{name}"
        columns = _named(where, domain)
        columns += ((f"{where}.filters", column) for column in domain.get("filters") or ())
        if name in names:
            columns.append((f"reasoning.name_columns.{name}", names[name]))
        yield domain["file"], _Use(f"{where}.file", columns)
    for name, path in (manifest.get("stacks") or {}).items():
        yield path, _Use(f"stacks.{name}", _named("stack_cols", manifest["stack_cols"]))
    if reasoning:
        keys = ("match_column", "rules_column", "priority_column")
        columns = [(f"reasoning.{key}", reasoning[key]) for key in keys if reasoning.get(key)]
        rules = RuleRows(reasoning["match_column"], reasoning.get("rules_column"))
        yield reasoning["file"], _Use("reasoning.file", columns, rules)


def _named(where: str, fields: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(f"{where}.{key}", column) for key in ("search_cols", "output_cols") for column in fields[key]]


def _file(manifest: Manifest, file: str, uses: list[_Use], path: str, found: Checked) -> None:
    """Hold one file to what the fields that name it want."""
    where = ", ".join(use.where for use in uses)
    try:
        real = data_file(manifest, file)
    except ManifestError as error:
        found.violations.append(f"{path}: {where}: {error}; {error.hint}")
        return
    if not os.path.lexists(real):
        found.violations.append(f"{path}: {where}: there is no file {file}; add it, or correct the name")
        return
    name = _shown(manifest, file, path)
    try:
        with Table(real, name) as table:
            if table.parted:
                # All else that could be said of it follows from this.
                found.violations.append(table.parted)
                return
            found.violations.extend(_columns(table, name, uses))
            _rows(table, name, uses, found)
    except CorpusError as error:
        found.violations.append(str(error))


def _shown(manifest: Manifest, file: str, path: str) -> str:
    """A file as messages name it: beside the manifest, with `/`."""
    parts = f"{manifest.get('data_dir') or ''}/{file}".replace("\\", "/").split("/")
    return os.path.join(os.path.dirname(path), *(part for part in parts if part not in ("", ".")))


def _columns(table: Table, name: str, uses: Iterable[_Use]) -> Iterator[str]:
    missing: dict[str, dict[str, None]] = {}
    for where, column in (pair for use in uses for pair in use.columns):
        if column not in table.header:
            missing.setdefault(column, {})[where] = None
    for column, places in missing.items():
        yield f"{name}:1: there is no column '{short(column)}' ({', '.join(places)}){_meant(column, table)}"


def _meant(column: str, table: Table) -> str:
    folded = {name.strip().lower().replace("_", "-"): name for name in table.header if name}
    near = folded.get(nearest(column.strip(), folded))
    if near:
        return f"; did you mean '{short(near)}'?"
    return f"; it has {short(', '.join(table.header), 200) or 'none'}"


def _rows(table: Table, name: str, uses: Iterable[_Use], found: Checked) -> None:
    """Look at the rows: their widths, of which the table itself tells, and the cells with rules."""
    looks = [use.rules for use in uses if use.rules]
    said: list[str] = []
    for row in table.rows():
        said += (f"{name}:{table.at}: {text}" for look in looks for text in look(row))
    found.warnings.extend(table.guesses)
    found.violations.extend(text for text in table.warnings if text not in table.guesses)
    found.violations.extend(said[:MOST])
    if len(said) > MOST:
        found.violations.append(f"{name}: {len(said) - MOST:,} more of these")
    if table.header and not table.at:
        found.warnings.append(f"{name}: the table has no rows, so it answers nothing")


def _unseen(manifest: Manifest) -> Iterator[str]:
    """Columns that decide something, and that searches leave out."""
    reasoning = manifest.get("reasoning") or {}
    preferred = reasoning.get("priority_domain")
    name = (reasoning.get("name_columns") or {}).get(preferred)
    looked_at = (
        ("category_column", reasoning.get("category_domain"), reasoning.get("category_column"), _CATEGORY),
        (f"name_columns.{preferred}", preferred, name, _PREFERRED),
    )
    for key, domain, column, lost in looked_at:
        if domain and column and column not in manifest["domains"][domain]["output_cols"]:
            yield (
                f"reasoning.{key} '{short(column)}' is not among domains.{domain}.output_cols,"
                f" so {lost}; add it there"
            )


def _idle(manifest: Manifest) -> Iterator[str]:
    """Fields that do nothing, because others are missing."""
    reasoning = manifest.get("reasoning")
    if not reasoning:
        return
    for one, other in (("category_domain", "category_column"), ("priority_domain", "priority_column")):
        for key, needs in ((one, other), (other, one)):
            if reasoning.get(key) and not reasoning.get(needs):
                yield f"reasoning.{key} does nothing without reasoning.{needs}"
    plan, preferred = reasoning["plan"], reasoning.get("priority_domain")
    if not plan:
        yield "reasoning.plan is empty: a query is answered with rules and without rows"
    elif preferred and reasoning.get("priority_column") and preferred not in plan:
        yield (
            f"reasoning.priority_domain '{short(preferred)}' is not in reasoning.plan, so what is preferred"
            " there does nothing; add it to the plan"
        )


def _module(manifest: Manifest) -> Iterator[str]:
    """The rules' module has to be there. It is code: it is looked at from outside only."""
    file = (manifest.get("reasoning") or {}).get("rules_module")
    if not file:
        return
    where = "reasoning.rules_module"
    name = python_twin(file)
    try:
        real = data_file(manifest, name)
    except ManifestError as error:
        yield f"{where}: {error}; {error.hint}"
        return
    if not name.endswith(".py"):
        yield f"{where}: {name} is no Python file; name a .py file"
    elif not os.path.isfile(real):
        yield f"{where}: there is no file {name}; add it, or correct the name"
