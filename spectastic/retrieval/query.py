"""What is asked for: the five fields that documents are compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.retrieval.model import FIELDS, MANY, SINGLE
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spectastic.retrieval.model import Document


class QueryError(Exception):
    """A query that cannot be used: the first argument says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Query(NamedTuple):
    """The values to look for, as written; an empty one is not asked for. The lists hold each value once."""

    component: str = ""
    domain: str = ""
    stack: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def values(self) -> Iterator[tuple[str, str]]:
        """Each field with each of its values."""
        for field in FIELDS:
            value = getattr(self, field)
            for item in value if field in MANY else (value,) * bool(value):
                yield field, item

    def replaced(self, values: Mapping[tuple[str, str], str]) -> Query:
        """The query with other values in place of some (field, value)."""

        def new(field: str) -> str | tuple[str, ...]:
            value: str | tuple[str, ...] = getattr(self, field)
            if isinstance(value, str):
                return values.get((field, value), value)
            return tuple(values.get((field, item), item) for item in value)

        return of({field: new(field) for field in FIELDS})

    def as_json(self) -> dict[str, object]:
        """As `from_json` reads it."""
        return {field: list(value) if field in MANY else value for field, value in self._asdict().items()}


def of(values: Mapping[str, str | tuple[str, ...]]) -> Query:
    """The query of values by field; blank ones are dropped, and a list has each value once."""
    read: dict[str, Any] = {}
    for field, value in values.items():
        if isinstance(value, str):
            read[field] = value.strip()
        else:
            read[field] = tuple(dict.fromkeys(filter(None, map(str.strip, value))))
    return Query()._replace(**read)


def of_document(document: Document) -> Query:
    """The query that asks for what a document says of itself."""
    return Query(*(getattr(document, field) for field in FIELDS))


def from_json(text: str) -> dict[str, str | tuple[str, ...]]:
    """The values of a query written as a JSON object; a lone string is a list of one.

    Raises:
        QueryError: it is no such object.
    """
    import json

    try:
        found = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        why = f": {short(str(error))}" if isinstance(error, ValueError) else ": it is nested too deeply"
        raise QueryError(f"it is not valid JSON{why}", _SHAPE) from error
    if not isinstance(found, dict):
        raise QueryError("it holds no JSON object", _SHAPE)
    return {field: _value(field, value) for field, value in found.items()}


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise QueryError(
            f"{short(twice) or 'a field without a name'} stands there twice", "keep one of the two"
        )
    return found


_SHAPE = 'write {"component": "…", "domain": "…", "stack": ["…"], "concerns": ["…"], "tags": ["…"]}'


def _value(field: str, value: object) -> str | tuple[str, ...]:
    if field not in FIELDS:
        near = nearest(field, FIELDS, parts=True)
        hint = f"did you mean {near}?" if near else f"fields: {', '.join(FIELDS)}"
        raise QueryError(f"there is no field {short(field) or 'without a name'}", hint)
    if field in SINGLE:
        if isinstance(value, str):
            return value
        raise QueryError(f"{field} is no string", "write one value between quotes")
    items = [value] if isinstance(value, str) else value
    if isinstance(items, list) and all(isinstance(item, str) for item in items):
        return tuple(items)
    raise QueryError(f"{field} is no list of strings", f'write "{field}": ["…", "…"]')
