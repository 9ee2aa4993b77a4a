"""The values that prior art is filed under: which of them split it up, and which say nothing. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.retrieval import vocabulary
from spectastic.retrieval.model import FIELDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from spectastic.retrieval.model import Document

    #: The values that a taxonomy lists, by field; a field without an entry is not held against it.
    Listed = Mapping[str, Collection[str]]
    #: The new value for an old one, by field.
    Renames = dict[str, dict[str, str]]

#: A separator between two letters, or between a letter and a digit: `1.10` and `110` are two things.
_SEPARATOR = re.compile(r"(?<=[^\W_0-9])[-_ .]+(?=[^\W_])|(?<=[^\W_])[-_ .]+(?=[^\W_0-9])")
#: Ends like a plural and is none, beside a word that it could be the plural of.
_NO_PLURALS = frozenset({"https"})
#: A word has to be as long as this to have a plural: `s3`, `aws` and `dns` have none.
_LEAST = 4


class Value(NamedTuple):
    """A value of a field, and how many documents have it."""

    field: str
    value: str
    uses: int


class Twin(NamedTuple):
    """A value that says the same as another one of its field, `keep`.

    `kind` tells how they differ: `case`, `separator`, `plural` or `prefix`. `sure` says that it may be
    renamed without being asked for: it is the same word, or the taxonomy names `keep` alone of the two.
    """

    field: str
    value: str
    uses: int
    keep: str
    keep_uses: int
    kind: str
    sure: bool


class Overview(NamedTuple):
    """What is to be said of the values of so many documents; `values` counts the different ones, by field.

    `once` are used by one document, `broad` by more than half of all, `outside` are not in the taxonomy, and
    each of `shared` is one word as several fields have it.
    """

    documents: int
    values: Mapping[str, int]
    twins: tuple[Twin, ...]
    shared: tuple[tuple[Value, ...], ...]
    broad: tuple[Value, ...]
    outside: tuple[Value, ...]
    once: tuple[Value, ...]


def overview(documents: Sequence[Document], listed: Listed) -> Overview:
    """Look over the values of some documents. Values come in the order of the fields, then as text."""
    used = vocabulary.of(documents)
    values = tuple(
        Value(field, value, used[field][value]) for field in FIELDS for value in sorted(used[field])
    )
    words = _Words({*(item.value for item in values), *(value for each in listed.values() for value in each)})
    return Overview(
        documents=len(documents),
        values={field: len(used[field]) for field in FIELDS},
        twins=tuple(twin for field in FIELDS for twin in _twins(field, used[field], listed, words)),
        shared=tuple(_shared(values, words)),
        broad=tuple(item for item in values if item.uses > 1 and item.uses * 2 > len(documents)),
        outside=tuple(
            item for item in values if item.field in listed and item.value not in listed[item.field]
        ),
        once=tuple(item for item in values if item.uses == 1),
    )


def renames(twins: Iterable[Twin]) -> Renames:
    """What is to be written in place of each twin of which that is sure."""
    found: Renames = {}
    for twin in twins:
        if twin.sure:
            found.setdefault(twin.field, {})[twin.value] = twin.keep
    return settled(found)


def settled(found: Renames) -> Renames:
    """The renames with each value led to where it ends, so that a second run finds nothing to do."""
    for pairs in found.values():
        for old in pairs:
            seen = {old}
            while (new := pairs[old]) in pairs and new not in seen:
                seen.add(new)
                pairs[old] = pairs[new]
    return {field: {old: new for old, new in pairs.items() if old != new} for field, pairs in found.items()}


def folded(value: str) -> str:
    """A value as it compares where neither case nor separators count."""
    return _SEPARATOR.sub("", value.strip().casefold())


class _Words:
    """Values with the word that each of them is: one for all spellings, singular and plural."""

    __slots__ = ("_keys", "of")

    def __init__(self, values: Iterable[str]) -> None:
        keys = {value: folded(value) for value in values}
        self._keys = frozenset(keys.values())
        self.of = {value: self._word(key) for value, key in keys.items()}

    def _word(self, key: str) -> str:
        singular = next((other for other in _singulars(key) if other in self._keys), "")
        return self._word(singular) if singular else key


def _singulars(key: str) -> Iterator[str]:
    """What a word could be the plural of."""
    last = key.rpartition("/")[2]
    if len(last) < _LEAST or last in _NO_PLURALS or not last.endswith("s") or last.endswith("ss"):
        return
    yield key[:-1]
    if last.endswith("ies"):
        yield f"{key[:-3]}y"
    if last.endswith(("sses", "shes", "ches", "xes", "zes")):
        yield key[:-2]


def _twins(field: str, uses: Mapping[str, int], listed: Listed, words: _Words) -> Iterator[Twin]:
    known = frozenset(listed.get(field, ()))
    groups: dict[str, list[str]] = {}
    for value in sorted({*uses, *known}):
        groups.setdefault(words.of[value], []).append(value)
    kept = {word: min(values, key=lambda value: _rank(value, uses, known)) for word, values in groups.items()}
    for word, values in groups.items():
        keep = kept[word]
        for value in values:
            # What the taxonomy lists besides is meant to be there.
            if value != keep and value not in known:
                kind = _kind(value, keep)
                yield Twin(field, value, uses[value], keep, uses.get(keep, 0), kind, sure=True)
    yield from _prefixed(field, uses, known, kept)


def _rank(value: str, uses: Mapping[str, int], known: Collection[str]) -> tuple[bool, int, str]:
    """What the spelling to keep is the least of: listed, then used most, then first as text."""
    return value not in known, -uses.get(value, 0), value


def _kind(value: str, keep: str) -> str:
    if value.strip().casefold() == keep.strip().casefold():
        return "case"
    return "separator" if folded(value) == folded(keep) else "plural"


def _prefixed(
    field: str, uses: Mapping[str, int], known: Collection[str], kept: Mapping[str, str]
) -> Iterator[Twin]:
    """Pairs like `tools/lint` and `app/tools/lint`, where no other value ends like that."""
    longer: dict[str, list[str]] = {}
    for word in kept:
        rest = word
        while rest := rest.partition("/")[2]:
            if rest in kept:
                longer.setdefault(rest, []).append(word)
                break
    for short, words in longer.items():
        pair = (kept[short], kept[words[0]])
        # With two that go on differently, the short one is what they have in common, and no twin.
        if len(words) > 1 or all(value in known for value in pair):
            continue
        keep, value = sorted(pair, key=lambda value: _rank(value, uses, known))
        yield Twin(field, value, uses[value], keep, uses.get(keep, 0), "prefix", sure=keep in known)


def _shared(values: Iterable[Value], words: _Words) -> Iterator[tuple[Value, ...]]:
    """The words that more than one field has."""
    found: dict[str, list[Value]] = {}
    for item in values:
        found.setdefault(words.of[item.value], []).append(item)
    for word in sorted(found):
        if len({item.field for item in found[word]}) > 1:
            yield tuple(found[word])
