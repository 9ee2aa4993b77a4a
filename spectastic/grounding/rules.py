"""Decision rules: which row is the category's, which of its rules hold, and a module that says so instead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from spectastic.grounding.boundary import ManifestError, data_file, python_twin
from spectastic.grounding.schema_validator import TwiceError, once
from spectastic.ranking import SHORTEST
from spectastic.text import nearest, short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from spectastic.grounding.results import RulesEvaluation
    from spectastic.grounding.table import Row

_PREFIX = "if_"
#: So many keys of a context are told that no rule asks for, and of the rest how many there are.
_MOST_TOLD = 10
#: A module's source is not longer, in bytes.
_LONGEST_MODULE = 5_000_000


class RuleRow(NamedTuple):
    """The row of a category, `{}` where there is none, and how it was found if not by its name."""

    row: Row
    gap: str = ""


class ParsedRules(NamedTuple):
    """The rules of a cell, and what is wrong with it."""

    rules: dict[str, Any]
    gap: str = ""


def evaluate_rules(
    rules: Mapping[str, Any] | None, query: str, context: Mapping[str, Any] | None = None
) -> RulesEvaluation:
    """Part rules into those whose condition holds and the others, in their order.

    A condition is its key without `if_`. It holds if the context has a true value of that name, or if all its
    words (parted by `_`) stand somewhere in the query.

    Raises:
        ValueError: the rules or the context are no object.
    """
    text = query.lower()
    known = objects("the context", context)
    result: RulesEvaluation = {"matched": {}, "unmatched": {}}
    for key, directive in objects("the rules", rules).items():
        name = _condition(key)
        words = [word for word in name.split("_") if word]
        holds = bool(known.get(name)) or (bool(words) and all(word in text for word in words))
        (result["matched"] if holds else result["unmatched"])[key] = directive
    return result


def _condition(key: str) -> str:
    """What a key of rules asks for, which it may name with `if_` or without."""
    return key.removeprefix(_PREFIX)


def unasked(rules: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[str]:
    """Keys of a context that no rule asks for, as gaps: they do nothing, and may be misspelt."""
    names = {_condition(key): None for key in rules}
    others = [key for key in context if key not in names]
    folded = {name.lower().replace("_", "-"): name for name in names}
    for key in others[:_MOST_TOLD]:
        meant = _condition(key) if _condition(key) in names else folded.get(nearest(key, folded), "")
        hint = f"; did you mean '{short(meant)}'?" if meant else "."
        yield f"No rule asks for '{short(key)}'{hint}"
    if len(others) > _MOST_TOLD:
        yield f"No rule asks for {len(others) - _MOST_TOLD:,} more keys of the context."


def objects(what: str, value: Any) -> Mapping[str, Any]:
    """A value that is an object, or absent; raises `ValueError`."""
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"{what} must be an object, and is {short(repr(value))}")
    return value or {}


def parse_rules(cell: str | None) -> ParsedRules:
    """The rules in a cell: a JSON object. A blank cell has none."""
    if not (cell or "").strip():
        return ParsedRules({})
    from json import loads

    try:
        found = loads(cell or "", object_pairs_hook=once, parse_constant=_refuse, parse_float=_finite)
    except TwiceError as error:
        key = short(str(error))
        return ParsedRules({}, f"The rules have the key '{key}' twice in one object, and none is applied.")
    except (ValueError, RecursionError) as error:
        cause = short(str(error)) if isinstance(error, ValueError) else "it is nested too deeply"
        return ParsedRules({}, f"The rules are not JSON, and none is applied: {cause}.")
    if not isinstance(found, dict):
        return ParsedRules({}, f"The rules are no JSON object, and none is applied: {short(repr(found))}.")
    return ParsedRules(found)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def rule_row(rows: Iterable[Row], column: str, category: str) -> RuleRow:
    """The first row whose cell is the category; else holds it or is held by it; else has a word of it.

    What is contained has three letters or more. A blank cell is no category, nor is a blank category one. The
    rows are gone through to the end, whichever one is taken: what is odd about a table of rules is told once
    it was read, and must not depend on the query.
    """
    wanted = category.strip().lower()
    same: Row | None = None
    alike: Row | None = None
    akin: tuple[str, Row] | None = None
    for row in rows:
        cell = (row.get(column) or "").strip().lower()
        if same is None and cell and cell == wanted:
            same = row
        if alike is None and _contains(cell, wanted):
            alike = row
        if akin is None and (word := _common_word(cell, wanted)):
            akin = (word, row)
    if same is not None:
        return RuleRow(same)
    if alike is not None:
        return RuleRow(alike, _fallback(category, alike, column, "one contains the other"))
    if akin is not None:
        # The word may be a part of a longer one there, as `tech` is of `Biotech`.
        why = f"its word '{short(akin[0])}' stands in '{short(category)}'"
        return RuleRow(akin[1], _fallback(category, akin[1], column, why))
    return RuleRow({}, f"No rule row for category '{short(category)}': no decision rules are applied.")


def _contains(cell: str, wanted: str) -> bool:
    return min(len(cell), len(wanted)) >= SHORTEST and (cell in wanted or wanted in cell)


def _common_word(cell: str, wanted: str) -> str:
    words = cell.replace("/", " ").replace("-", " ").split()
    return next((word for word in words if len(word) >= SHORTEST and word in wanted), "")


def _fallback(category: str, row: Row, column: str, why: str) -> str:
    return (
        f"No rule row is named '{short(category)}'; that of '{short(row.get(column) or '')}' is used,"
        f" because {why}."
    )


def run_module(
    manifest: Mapping[str, Any], file: str, rules: dict[str, Any], query: str, context: Mapping[str, Any]
) -> RulesEvaluation:
    """Evaluate rules with the `evaluate` of a Python file below the manifest's folder. This runs its code.

    For a `.ts` or `.js` file, its twin in Python is taken.

    Raises:
        ManifestError: there is no such file, it fails, or it gives something else than the contract says.
    """
    name = python_twin(file)
    path = data_file(manifest, name)
    evaluate = _loaded(path, name)
    try:
        with _quiet():
            found = evaluate(rules, query, dict(context))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failed(name, error) from error
    return _checked(found, name)


def _finite(digits: str) -> float:
    """A number, unless it is too large to be one; raises `ValueError`."""
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        _refuse(digits)
    return number


def _loaded(path: str, name: str) -> Callable[..., object]:
    """The function `evaluate` of a file. No compiled copy is left beside it."""
    if not name.endswith(".py"):
        raise ManifestError(f"the rules module {short(name)} is no Python file", "name a .py file")
    from spectastic.source import Unreadable, read_bytes

    source = read_bytes(*os.path.split(path), _LONGEST_MODULE)
    if isinstance(source, Unreadable):
        cause = f"the rules module {short(name)}: {source.message}"
        raise ManifestError(
            cause, "make it shorter" if source.too_large else "put it below the manifest's folder"
        )
    space: dict[str, Any] = {"__name__": "rules_module", "__file__": path}
    try:
        with _quiet():
            # Without this file's own `from __future__`.
            exec(compile(source, path, "exec", dont_inherit=True), space)  # noqa: S102 - it was asked for
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _failed(name, error) from error
    evaluate = space.get("evaluate")
    if not callable(evaluate):
        raise ManifestError(
            f"the rules module {short(name)} has no function evaluate",
            "define evaluate(rules, query, context)",
        )
    return evaluate  # type: ignore[no-any-return]


def _quiet() -> Any:
    """What a module prints goes to stderr: stdout is for the result."""
    import sys
    from contextlib import redirect_stdout

    return redirect_stdout(sys.stderr)


def _failed(name: str, error: BaseException) -> ManifestError:
    try:
        said = short(str(error))
    except Exception:
        said = "it cannot say why"
    cause = f"{type(error).__name__}: {said}"
    return ManifestError(f"the rules module {short(name)} failed: {cause}", "run it by hand to see where")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _checked(found: object, name: str) -> RulesEvaluation:
    """What a module gave, if it is what the contract says."""
    from json import dumps, loads

    wrong = ""
    if not isinstance(found, dict) or set(found) != {"matched", "unmatched"}:
        wrong = "it is no object of matched and unmatched"
    elif not all(isinstance(part, dict) and all(map(_is_text, part)) for part in found.values()):
        wrong = "matched and unmatched must be objects"
    else:
        try:
            copy = loads(dumps({key: found[key] for key in ("matched", "unmatched")}, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            wrong = "a value in it is nothing that JSON can hold"
    if wrong:
        raise ManifestError(
            f"the rules module {short(name)} gave a wrong result: {wrong}",
            'return {"matched": {…}, "unmatched": {…}}',
        )
    return copy  # type: ignore[no-any-return]
