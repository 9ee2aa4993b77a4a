"""What a value of a manifest may be: a test, the words for it, and the same in JSON Schema. Pure."""

from __future__ import annotations

from spectastic.grounding.manifest import STACK_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MANIFEST_VERSION = 1
#: How much a domain promises: rows; rows and decision rules; rules that bind.
TIERS = ("lookup-only", "conditional-grounding", "constraint-emission")
RETRIEVER_NAMES = ("bm25", "structured", "hybrid")

#: A path with these is not one below the manifest's folder: absolute, on a drive, upwards, or no path at all.
_INSIDE = r"^(?![/\\])(?![A-Za-z]:)(?!(?:[\s\S]*[/\\])?\.\.(?:[/\\]|(?![\s\S])))[^\u0000]+(?![\s\S])"
#: A number of rows in a string has no more digits.
_DIGITS = 9
_DATE = r"^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$"


class Kind:
    """A kind of value: whether one `fits`, what it must be, and `schema`, which says the same."""

    __slots__ = ("fits", "says", "schema")

    def __init__(self, says: str, fits: Callable[[Any], bool], schema: Mapping[str, object]) -> None:
        self.says = says
        self.fits = fits
        self.schema = schema


def outside(path: str) -> str:
    """Why a path cannot be one below a folder, as a clause about it; "" where it can, links aside.

    Both slashes separate, on every system: a manifest means the same everywhere.
    """
    if "\0" in path:
        return "holds a NUL"
    if path[:1] in ("/", "\\") or (path[1:2] == ":" and path[0].isascii() and path[0].isalpha()):
        return "is absolute"
    if ".." in path.replace("\\", "/").split("/"):
        return "leads upwards with '..'"
    return ""


def is_date(value: object) -> bool:
    """Whether a value is a day of the calendar, as `2026-05-31`."""
    if not (isinstance(value, str) and len(value) == 10 and value[4] == value[7] == "-"):
        return False
    year, month, day = value[:4], value[5:7], value[8:]
    if not (value.isascii() and year.isdigit() and month.isdigit() and day.isdigit()):
        return False
    from datetime import date

    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_inside(value: object) -> bool:
    return isinstance(value, str) and not outside(value)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_word, value))


def _is_limit(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def rows(value: object) -> int | None:
    """The number of rows that a plan says: a number of 0 or more, or its digits as text. Else `None`."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _DIGITS:
        return int(value)
    return None


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float)


def _is_filter(value: object) -> bool:
    return _is_scalar(value) or (isinstance(value, list) and all(map(_is_scalar, value)))


_TEXT = {"type": "string", "pattern": "\\S"}
_WORD = {"type": "string", "minLength": 1}
_SCALAR = {"type": ["string", "number", "boolean"]}
_ROWS = [
    {"type": "integer", "minimum": 0},
    {"type": "string", "pattern": rf"^[0-9]{{1,{_DIGITS}}}(?![\s\S])"},
]
_FOLDER = {"type": "string", "anyOf": [{"maxLength": 0}, {"pattern": _INSIDE}]}

KINDS: Mapping[str, Kind] = {
    "version": Kind(
        f"the number {MANIFEST_VERSION}",
        lambda value: value == MANIFEST_VERSION and not isinstance(value, bool),
        {"const": MANIFEST_VERSION},
    ),
    "tier": Kind(f"one of {', '.join(TIERS)}", lambda value: value in TIERS, {"enum": list(TIERS)}),
    "retriever": Kind(
        f"one of {', '.join(RETRIEVER_NAMES)}",
        lambda value: value in RETRIEVER_NAMES,
        {"enum": list(RETRIEVER_NAMES)},
    ),
    "text": Kind("text that is not blank", _is_text, _TEXT),
    "domain": Kind(
        f"text that is not blank, nor `{STACK_KEY}`, under which `detect` has words that speak of a stack",
        lambda value: _is_text(value) and value != STACK_KEY,
        {**_TEXT, "not": {"const": STACK_KEY}},
    ),
    "name": Kind("text", lambda value: isinstance(value, str), {"type": "string"}),
    "column": Kind("the name of a column", _is_word, _WORD),
    "columns": Kind(
        "a list of one or more names of columns",
        lambda value: bool(value) and _are_words(value),
        {"type": "array", "minItems": 1, "items": _WORD},
    ),
    "keywords": Kind("a list of words or phrases", _are_words, {"type": "array", "items": _WORD}),
    "limit": Kind("a whole number of 1 or more", _is_limit, {"type": "integer", "minimum": 1}),
    "rows": Kind(
        "a whole number of 0 or more, or its digits as text",
        lambda value: rows(value) is not None,
        {"anyOf": _ROWS},
    ),
    "filter": Kind(
        "text, a number, or a list of these",
        _is_filter,
        {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]},
    ),
    "folder": Kind("a path below the manifest's folder", _is_inside, _FOLDER),
    "file": Kind(
        "a path below the manifest's folder",
        lambda value: _is_word(value) and _is_inside(value),
        {"type": "string", "pattern": _INSIDE},
    ),
    "date": Kind(
        "a day of the calendar, as 2026-05-31",
        is_date,
        {"type": "string", "pattern": _DATE, "format": "date"},
    ),
    "object": Kind("an object", lambda value: isinstance(value, dict), {"type": "object"}),
    "table": Kind(
        "an object with one entry or more",
        lambda value: isinstance(value, dict) and bool(value),
        {"type": "object", "minProperties": 1},
    ),
}
