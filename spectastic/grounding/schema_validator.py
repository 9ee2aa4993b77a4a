"""Manifests: read, validated, and the boundary of what may be read because of one."""

from __future__ import annotations

import os
from stat import S_ISREG

from spectastic.grounding.boundary import (
    FOLDER,
    ManifestError,
    data_file,
    resolve_data_path,
    unwaiting,
    with_folder,
)
from spectastic.grounding.kinds import KINDS, MANIFEST_VERSION, TIERS, outside
from spectastic.grounding.manifest import ANY, FIELDS, FIRST, STACK_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from spectastic.grounding.manifest import Field

__all__ = [
    "MANIFEST_VERSION",
    "TIERS",
    "ManifestError",
    "TwiceError",
    "data_file",
    "load_manifest",
    "once",
    "read_manifest",
    "resolve_data_path",
    "unknown_keys",
    "validate_manifest",
    "with_folder",
]

#: A larger manifest is none: it is read as a whole.
MAX_BYTES = 5_000_000
_NAME = "name the manifest's JSON file"


def load_manifest(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The manifest in a file, valid, with its folder under `_manifest_dir`.

    Raises:
        ManifestError: it cannot be read, is no JSON, or breaks the contract: all violations in one message.
    """
    name = os.fspath(path)
    data = read_manifest(name)
    if violations := validate_manifest(data):
        raise ManifestError(
            f"{name}: {'; '.join(violations)}",
            f"spectastic ground validate --manifest {name} lists what is wrong",
            violations,
        )
    return with_folder(data, name)


def read_manifest(path: str) -> Any:
    """What a manifest holds, whatever that is; raises `ManifestError` where that cannot be told."""
    from json import loads

    text = _text(path)
    try:
        return loads(text, object_pairs_hook=once, parse_constant=_no_number)
    except RecursionError:
        raise ManifestError(f"{path} is nested too deeply", "a manifest has a few levels") from None
    except TwiceError as error:
        raise ManifestError(f"{path} has the key '{error}' twice in one object", "remove one") from None
    except ValueError as error:
        raise ManifestError(f"{path} is no JSON: {error}", "correct it there") from None


def _text(path: str) -> str:
    if not path:
        raise ManifestError("the path of the manifest is empty", _NAME)
    try:
        with open(path, "rb", opener=unwaiting) as file:
            regular = S_ISREG(os.fstat(file.fileno()).st_mode)
            data = file.read(MAX_BYTES + 1) if regular else b""
    except ValueError:
        raise ManifestError("the path of the manifest holds a NUL", "write the path without it") from None
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        hint = "spectastic ground init writes one" if isinstance(error, FileNotFoundError) else _NAME
        raise ManifestError(f"{path} cannot be read: {why}", hint) from None
    if not regular or len(data) > MAX_BYTES:
        what = f"it has more than {MAX_BYTES:,} bytes" if regular else "it is no regular file"
        raise ManifestError(f"{path} is no manifest: {what}", _NAME)
    try:
        # Not as `utf-8-sig`, which counts offsets from behind the mark.
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ManifestError(
            f"{path} is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}", "save it as UTF-8"
        ) from None


class TwiceError(Exception):
    """A key is there twice in one object: one of the two would be dropped in silence."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `object_pairs_hook`; raises `TwiceError`, with the key as its message."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise TwiceError(next(key for key in keys if keys.count(key) > 1))
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def validate_manifest(data: object) -> list[str]:
    """What breaks the contract, in the order of the fields; nothing for a valid manifest. Opens no file."""
    if not isinstance(data, dict):
        return [f"the manifest must be an object, not {_shown(data)}"]
    if missing := [name for name in FIRST if name not in data]:
        return [_missing(name, FIELDS[name]) for name in missing]
    return [violation for name, field in FIELDS.items() for violation in _field(data, name, field)]


def _field(data: Mapping[str, Any], name: str, field: Field) -> Iterator[str]:
    yield from _entry("", data, name, field)
    if name in _RELATIONS and data.get(name) is not None:
        yield from _RELATIONS[name](data)


def _entry(before: str, holder: Mapping[str, Any], name: str, field: Field) -> Iterator[str]:
    """What is wrong with one entry of an object."""
    if name not in holder:
        if field.needed:
            yield _missing(before + name, field)
        return
    value = holder[name]
    if value is None and field.nullable:
        return
    where, kind = before + _name(name), KINDS[field.kind]
    if not kind.fits(value):
        yield f"{where} must be {kind.says}, not {_shown(value)}{_because(field, value)}"
    elif field.of:
        if ANY in field.of:
            for key in value:
                yield from _key(where, key, field)
                yield from _entry(f"{where}.", value, key, field.of[ANY])
        else:
            for key, inner in field.of.items():
                yield from _entry(f"{where}.", value, key, inner)


def _key(where: str, key: str, field: Field) -> Iterator[str]:
    """What is wrong with a name that the author gave."""
    if field.names and not KINDS[field.names].fits(key):
        yield f"{where} has the name {_shown(key)}; a name must be {KINDS[field.names].says}"


def _missing(where: str, field: Field) -> str:
    return f"{where} is missing: {field.text}"


def _because(field: Field, value: object) -> str:
    if field.kind in ("file", "folder") and isinstance(value, str):
        why = outside(value)
        return f": a path that {why} is not manifest-relative" if why else ""
    return ""


def _default_domain(data: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown(data, "default_domain", [data["default_domain"] or None])


def _detect(data: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(data["detect"], dict):
        yield from _unknown(data, "detect", [key for key in data["detect"] if key != STACK_KEY])


def _reasoning(data: Mapping[str, Any]) -> Iterator[str]:
    reasoning = data["reasoning"]
    if data["tier"] == TIERS[0]:
        yield f"reasoning needs a tier above {TIERS[0]}: {' or '.join(TIERS[1:])}"
    if not isinstance(reasoning, dict):
        return
    for name in ("category_domain", "priority_domain"):
        yield from _unknown(data, f"reasoning.{name}", [reasoning.get(name) or None])
    for name in ("name_columns", "plan"):
        if isinstance(reasoning.get(name), dict):
            yield from _unknown(data, f"reasoning.{name}", list(reasoning[name]))


def _stacks(data: Mapping[str, Any]) -> Iterator[str]:
    if data.get("stack_cols") is None:
        yield f"stack_cols is missing: {FIELDS['stack_cols'].text}"


#: What fields say about each other, which no schema of single values can.
_RELATIONS = {
    "default_domain": _default_domain,
    "detect": _detect,
    "reasoning": _reasoning,
    "stacks": _stacks,
}


def _unknown(data: Mapping[str, Any], where: str, names: Sequence[object]) -> Iterator[str]:
    """Names that are those of no domain, where there are domains to compare them with."""
    domains = data["domains"]
    if not (isinstance(domains, dict) and domains):
        return
    for name in names:
        if isinstance(name, str) and name not in domains:
            yield f"{where} names an unknown domain {_shown(name)}{_meant(name, domains)}"


def _meant(name: str, known: Mapping[str, object]) -> str:
    from spectastic.text import nearest, short

    folded = {key.lower().replace("_", "-"): key for key in known}
    near = nearest(name, folded)
    if near:
        return f": did you mean '{short(folded[near])}'?"
    return f": there is {short(', '.join(known))}"


def _name(name: str) -> str:
    """A key in a path: as it stands where it is plain, else quoted."""
    return name if name.replace("-", "_").isidentifier() else _shown(name)


def _shown(value: object) -> str:
    from json import dumps

    from spectastic.text import short

    return short(dumps(value, ensure_ascii=False, default=repr), 60)


def unknown_keys(data: object) -> list[str]:
    """Keys that mean nothing in a manifest, as notes: misspelt, or of another program.

    The manifest need not be valid: where a key is missing, a misspelt one often says why.
    """
    return list(_strange("", data, FIELDS)) if isinstance(data, dict) else []


def _strange(before: str, holder: Mapping[str, Any], fields: Mapping[str, Field]) -> Iterator[str]:
    for key, value in holder.items():
        if key == FOLDER and not before:
            continue
        field = fields.get(key) or fields.get(ANY)
        if field is None:
            from spectastic.text import nearest

            folded = {name.replace("_", "-"): name for name in fields}
            near = folded.get(nearest(key, folded), "")
            yield f"{before}{_name(key)} is no key of a manifest" + (
                f": did you mean {near}?" if near else ""
            )
        elif field.of and isinstance(value, dict):
            yield from _strange(f"{before}{_name(key)}.", value, field.of)
