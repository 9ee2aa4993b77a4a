"""A first manifest for CSV files: what each column is for is guessed from the data, and guesses are told."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.grounding.boundary import ManifestError, data_file, with_folder
from spectastic.grounding.check_data import check_data
from spectastic.grounding.columns import chosen
from spectastic.grounding.kinds import MANIFEST_VERSION, TIERS
from spectastic.grounding.manifest import STACK_KEY
from spectastic.grounding.table import CorpusError, Table
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.grounding.columns import Chosen

#: How often the data should be compared with where it comes from, until somebody says otherwise.
CADENCE = "quarterly"


class Draft(NamedTuple):
    """A manifest, valid, what was guessed for it, and what a check of its data will say: sentences."""

    manifest: dict[str, Any]
    guesses: tuple[str, ...]
    faults: tuple[str, ...]


def draft(domain: str, owner: str, files: Sequence[str], out: str) -> Draft:
    """A manifest, to be written to `out`, of tables in `files`: paths that can be opened.

    Raises:
        ManifestError: a file is not below the folder of `out`, its name cannot be written in a manifest, or
            it is there twice.
        CorpusError: a file cannot be read, is no table, or has nothing to search in.
    """
    found: dict[str, Any] = {}
    guesses: list[str] = []
    given: dict[str, str] = {}
    for path in files:
        relative = _below(path, out)
        if relative in given:
            raise ManifestError(f"{given[relative]} and {path} are one file", "name each file once")
        given[relative] = path
        name, why = _name(relative, found)
        with Table(path, relative) as table:
            columns = chosen(table)
            _refuse_useless(table, columns, relative)
        found[name] = {"file": relative, "search_cols": columns.search, "output_cols": columns.output}
        guesses += (f"domains.{name}: {guess}" for guess in (*why, *columns.guesses))
    manifest = {
        "manifest_version": MANIFEST_VERSION,
        "domain": domain,
        "tier": TIERS[0],
        "default_domain": next(iter(found)),
        "domains": found,
        **_detect(found),
        "owner": owner,
        "refresh_cadence": CADENCE,
        "upstream": None,
    }
    checked = check_data(with_folder(manifest, out), path=out)
    return Draft(manifest, (*guesses, *_general(manifest)), tuple(checked.violations))


def _refuse_useless(table: Table, columns: Chosen, name: str) -> None:
    """Raises `CorpusError` for a table that nothing can be found in, or that commas do not part."""
    if table.parted:
        raise CorpusError(table.parted)
    if columns.search:
        return
    if not table.header:
        raise CorpusError(f"{name} is empty; a table begins with a header, and has a row for each option")
    if not table.at:
        raise CorpusError(f"{name} has a header and no rows; what its columns are for is told from rows")
    raise CorpusError(f"{name} has no column of words; a table to search in needs one")


def _below(path: str, out: str) -> str:
    """A file relative to the folder of the manifest, with `/`."""
    folder = with_folder({}, out)
    root = next(iter(folder.values()))
    real = os.path.realpath(path)
    if os.path.isdir(real):
        raise CorpusError(f"{path} is a folder; name the CSV files in it")
    inside = os.path.join(root, "")
    if not os.path.normcase(real).startswith(os.path.normcase(inside)):
        raise ManifestError(
            f"{path} is not below the manifest's folder {root}", "--out names a manifest in a folder above it"
        )
    relative = real[len(inside) :].replace(os.sep, "/")
    if data_file(folder, relative) != real:
        raise ManifestError(
            f"{path} has a backslash in its name", "rename it: in a manifest both slashes part"
        )
    return relative


def _name(relative: str, taken: dict[str, Any]) -> tuple[str, list[str]]:
    """What a file's domain is called, and why if not as the file: in lower case, words parted by hyphens."""
    stem = os.path.splitext(os.path.basename(relative))[0]
    name = "-".join(re.findall(r"\w+", stem.lower())) or "table"
    why = []
    if name == STACK_KEY:
        name = name.strip("_")
        why = [f"the name is not {STACK_KEY}, which speaks of stacks in detect"]
    number = 2
    unique = name
    while unique in taken or unique == STACK_KEY:
        unique, number = f"{name}-{number}", number + 1
    if unique != name:
        why = [f"the name {short(name)} is that of {short(taken[name]['file'])} already"]
    return unique, why


def _detect(domains: dict[str, Any]) -> dict[str, Any]:
    """Words that speak of each domain: its name. One table needs none."""
    if len(domains) < 2:
        return {}
    return {"detect": {name: _words(name) for name in domains}}


def _words(name: str) -> list[str]:
    words = [name.replace("-", " "), *name.split("-")]
    kept = [word for word in dict.fromkeys(words) if len(word) > 2]
    return list(dict.fromkeys(form for word in kept or [name] for form in (word, _singular(word))))


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 4 else word


def _general(manifest: dict[str, Any]) -> Iterator[str]:
    """The guesses that are not about columns."""
    yield f"tier: {TIERS[0]}; with decision rules it is {TIERS[1]}, see docs/grounding.md"
    if "detect" in manifest:
        first = short(manifest["default_domain"])
        yield f"detect: the words of each name; add those that people use. Other queries go to {first}"
    yield f"refresh_cadence: {CADENCE}"
    yield "upstream: null, as for data that is written here; else say repo, sha and last_checked"
